//! The literals that a program in Python assigns to names (`conf.py` of Sphinx), as [`Value`]s. The program is not run: what it
//! computes is [`Value::Computed`].
//!
//! ```text
//! let program = Assignments::read("project = 'x'\nextensions = ['a']\nextensions += ['b']\n");
//! assert_eq!(program.get("extensions").texts(), ["a", "b"]);
//! ```

use super::configuration::Value;

/// The names of a program with what is assigned to them.
#[derive(Debug, Default)]
pub(crate) struct Assignments {
    values: Vec<(String, Value)>,
    text: String,
}

/// The deepest nesting that is read.
const DEEPEST: usize = 64;

static NULL: Value = Value::Null;

impl Assignments {
    /// Reads a program.
    pub(crate) fn read(text: &str) -> Self {
        let mut found = Self { values: Vec::new(), text: text.to_owned() };
        let mut at = 0;
        while at < text.len() {
            let line = text.get(at..).unwrap_or_default();
            let length = line.find('\n').map_or(line.len(), |end| end + 1);
            at = match found.statement(text, at, line.get(..length).unwrap_or_default()) {
                Some(end) => {
                    text.get(end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |next| end + next + 1)
                }
                None => at + length,
            };
        }
        found
    }

    /// Returns what is assigned to a name, [`Value::Null`] if nothing is.
    pub(crate) fn get(&self, name: &str) -> &Value {
        self.values.iter().find(|(own, _)| own == name).map_or(&NULL, |(_, value)| value)
    }

    /// Returns whether the program has a text anywhere.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// Reads the statement that a line begins, if it assigns a value; returns where it ends.
    fn statement(&mut self, text: &str, at: usize, line: &str) -> Option<usize> {
        let code = line.trim_start();
        let is_nested = code.len() < line.len();
        let is_name = |one: char| one.is_ascii_alphanumeric() || one == '_';
        let length = code.find(|one: char| !is_name(one)).filter(|length| *length > 0)?;
        let (name, rest) = code.split_at(length);
        let start = at + line.len() - rest.len();
        // `name: list[str] = …`
        let annotated = rest.strip_prefix(':').and_then(|rest| rest.find('=').map(|at| at + 1));
        let (rest, start) = match annotated {
            Some(skipped) if !is_nested => (rest.get(skipped..)?, start + skipped),
            Some(_) => return None,
            None => (rest, start),
        };
        let operation = rest.trim_start();
        let start = start + rest.len() - operation.len();
        let (adds, skipped) = match () {
            () if operation.starts_with("+=") => (true, 2),
            () if operation.starts_with('=') && !operation.starts_with("==") => (false, 1),
            () if operation.starts_with(".append(") => (true, ".append(".len()),
            () if operation.starts_with(".extend(") => (true, ".extend(".len()),
            () => return None,
        };
        let mut reader = Reader { octets: text.as_bytes(), text, at: start + skipped };
        // An argument may begin on the next line, and have a comma after it.
        reader.skip_blanks(operation.starts_with('.'));
        let value = reader.value();
        self.assign(name, value, adds, is_nested);
        Some(reader.at)
    }

    fn assign(&mut self, name: &str, value: Value, adds: bool, is_nested: bool) {
        let known = self.values.iter_mut().find(|(own, _)| own == name);
        let Some((_, known)) = known else {
            // What is set under a condition may be set.
            return self.values.push((name.to_owned(), value));
        };
        match (known, value) {
            (Value::List(list), Value::List(more)) if adds || is_nested => list.extend(more),
            (Value::List(list), more) if adds => list.push(more),
            (Value::Map(map), Value::Map(more)) if adds || is_nested => map.extend(more),
            (known, value) if !is_nested => *known = value,
            _ => {}
        }
    }
}

/// Reads values from a position on.
struct Reader<'t> {
    octets: &'t [u8],
    text: &'t str,
    at: usize,
}

/// A list, a tuple or a map that is not complete.
struct Open {
    close: u8,
    items: Vec<(Option<String>, Value)>,
    key: Option<String>,
    has_comma: bool,
}

impl Open {
    fn add(&mut self, value: Value) {
        self.items.push((self.key.take(), value));
    }

    fn finish(self) -> Value {
        if self.close == b')' && !self.has_comma && self.items.len() == 1 {
            return self.items.into_iter().next().map_or(Value::Null, |(_, value)| value);
        }
        let is_map = self.close == b'}' && self.items.iter().all(|(key, _)| key.is_some());
        match is_map {
            true => Value::Map(
                self.items.into_iter().map(|(key, value)| (key.unwrap_or_default(), value)).collect(),
            ),
            false => Value::List(self.items.into_iter().map(|(_, value)| value).collect()),
        }
    }
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.octets.get(self.at).copied().unwrap_or_default()
    }

    /// Skips blanks and comments, and line ends in brackets.
    fn skip_blanks(&mut self, in_brackets: bool) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' if in_brackets => self.at += 1,
                b'\\' if self.octets.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                b'#' => {
                    let rest = self.octets.get(self.at..).unwrap_or_default();
                    self.at += rest.iter().position(|octet| *octet == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Reads a value, with what is added to it by operators.
    fn value(&mut self) -> Value {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.skip_blanks(!open.is_empty());
            let octet = self.peek();
            if self.at >= self.octets.len() {
                return Value::Computed;
            }
            let value = match octet {
                b'[' | b'(' | b'{' if open.len() < DEEPEST => {
                    let close = match octet {
                        b'[' => b']',
                        b'(' => b')',
                        _ => b'}',
                    };
                    self.at += 1;
                    open.push(Open { close, items: Vec::new(), key: None, has_comma: false });
                    continue;
                }
                b']' | b')' | b'}' => {
                    self.at += 1;
                    match open.pop() {
                        Some(closed) => closed.finish(),
                        None => return Value::Computed,
                    }
                }
                b',' => {
                    self.at += 1;
                    match open.last_mut() {
                        Some(around) => around.has_comma = true,
                        None => return Value::Computed,
                    }
                    continue;
                }
                _ => self.scalar(open.is_empty()),
            };
            let value = self.with_operators(value, open.is_empty());
            let Some(around) = open.last_mut() else { return value };
            self.skip_blanks(true);
            if self.peek() == b':' && around.close == b'}' {
                self.at += 1;
                around.key = Some(value.text().unwrap_or_default().to_owned());
            } else {
                around.add(value);
            }
        }
    }

    /// Returns what a value is after operators that follow it.
    fn with_operators(&mut self, value: Value, is_outer: bool) -> Value {
        self.skip_blanks(!is_outer);
        let ends = match self.peek() {
            0 | b'\n' | b',' | b']' | b')' | b'}' | b':' | b';' => true,
            _ => self.at >= self.octets.len(),
        };
        if ends {
            return value;
        }
        self.skip_expression(is_outer);
        match value {
            // Some of the elements are known.
            Value::List(mut list) => {
                list.push(Value::Computed);
                Value::List(list)
            }
            _ => Value::Computed,
        }
    }

    /// Skips to the comma, the line end or the bracket after an expression.
    fn skip_expression(&mut self, is_outer: bool) {
        let mut depth = 0_usize;
        while self.at < self.octets.len() {
            match self.peek() {
                b'"' | b'\'' => {
                    let _ = self.string();
                    continue;
                }
                b'#' => {
                    self.skip_blanks(false);
                    continue;
                }
                b'[' | b'(' | b'{' => depth += 1,
                b']' | b')' | b'}' if depth == 0 => return,
                b']' | b')' | b'}' => depth -= 1,
                b',' if depth == 0 => return,
                b':' if depth == 0 && !is_outer => return,
                b'\n' if depth == 0 && is_outer => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Reads a string, with those beside it, a number or a name.
    fn scalar(&mut self, is_outer: bool) -> Value {
        let start = self.at;
        let mut text: Option<String> = None;
        let mut is_computed = false;
        loop {
            let prefix = self.octets.get(self.at..).unwrap_or_default();
            let length = prefix.iter().take(3).take_while(|octet| b"rbfuRBFU".contains(octet)).count();
            if !matches!(prefix.get(length), Some(b'"' | b'\'')) {
                break;
            }
            let is_format = prefix[..length].iter().any(|octet| octet.eq_ignore_ascii_case(&b'f'));
            self.at += length;
            let piece = self.string();
            is_computed |= is_format && piece.contains('{');
            text.get_or_insert_default().push_str(&piece);
            let end = self.at;
            self.skip_blanks(!is_outer);
            let next = self.octets.get(self.at..).unwrap_or_default();
            let length = next.iter().take(3).take_while(|octet| b"rbfuRBFU".contains(octet)).count();
            if !matches!(next.get(length), Some(b'"' | b'\'')) {
                self.at = end;
                break;
            }
        }
        if let Some(text) = text {
            return if is_computed { Value::Computed } else { Value::Text(text) };
        }
        let rest = self.octets.get(self.at..).unwrap_or_default();
        let length =
            rest.iter().take_while(|octet| octet.is_ascii_alphanumeric() || b"_.-".contains(octet)).count();
        self.at += length.max(1);
        match self.text.get(start..self.at).unwrap_or_default() {
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "None" => Value::Null,
            number if number.starts_with(|first: char| first.is_ascii_digit()) => {
                Value::Text(number.to_owned())
            }
            _ => Value::Computed,
        }
    }

    /// Reads a string from its quote on.
    fn string(&mut self) -> String {
        let quote = self.peek();
        let triple = [quote; 3];
        let is_long = self.octets.get(self.at..).is_some_and(|rest| rest.starts_with(&triple));
        self.at += if is_long { 3 } else { 1 };
        let mut octets = Vec::new();
        while let Some(&octet) = self.octets.get(self.at) {
            match octet {
                b'\\' => {
                    match self.octets.get(self.at + 1) {
                        Some(b'\n') | None => {}
                        Some(b'n') => octets.push(b'\n'),
                        Some(b't') => octets.push(b'\t'),
                        Some(quote @ (b'\'' | b'"' | b'\\')) => octets.push(*quote),
                        Some(other) => octets.extend([b'\\', *other]),
                    }
                    self.at += 2;
                    continue;
                }
                b'\n' if !is_long => break,
                _ if octet == quote && !is_long => {
                    self.at += 1;
                    break;
                }
                _ if is_long && self.octets.get(self.at..).is_some_and(|rest| rest.starts_with(&triple)) => {
                    self.at += 3;
                    break;
                }
                _ => octets.push(octet),
            }
            self.at += 1;
        }
        self.at = self.at.min(self.octets.len());
        String::from_utf8_lossy(&octets).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read() {
        let program = Assignments::read(concat!(
            "import os\n",
            "project = u'x' 'y'  # name\n",
            "extensions: list[str] = [\n    'a',  # one\n    \"b\",\n]\n",
            "extensions += ['c']\n",
            "extensions.append('d')\n",
            "if os.environ.get('X'):\n    extensions.append('e')\n",
            "extensions.extend(\n    (\n        'f',\n        'g',\n    ),\n)\n",
            "extensions.extend(['h'] + others)\n",
            "mapping = {'py': ('https://h/', None), 'x': f(1), **other}\n",
            "release = '.'.join(['1', '2'])\n",
            "flag = True\n",
            "text = \"\"\"\n.. _a: b\n\"\"\"\n",
            "patterns = ['a'] + other\n",
            "name = f'{x}'\n",
        ));
        assert_eq!(program.get("project").text(), Some("xy"));
        assert_eq!(program.get("extensions").texts(), ["a", "b", "c", "d", "e", "f", "g", "h"]);
        assert_eq!(program.get("mapping").list().len(), 3);
        assert_eq!(*program.get("release"), Value::Computed);
        assert_eq!(program.get("flag").bool(), Some(true));
        assert_eq!(program.get("text").text(), Some("\n.. _a: b\n"));
        assert_eq!(program.get("patterns").texts(), ["a"]);
        assert!(program.get("patterns").has_computed());
        assert_eq!(*program.get("name"), Value::Computed);
        let deep = "a = ".to_owned() + &"[".repeat(100_000);
        assert_eq!(*Assignments::read(&deep).get("a"), Value::Computed);
    }
}
