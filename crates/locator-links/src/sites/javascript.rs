//! The literals of configurations that are programs in JavaScript or TypeScript: what a module exports, as far as it is
//! written as objects, lists, texts and calls with them.
//!
//! Nothing is run. A name means what a `const` at the top of the file says; everything else that is no literal is
//! [`Value::Computed`]. A function that is exported is read at what it returns. The reader keeps a stack of its own and looks at
//! each byte a few times.
//!
//! ```text
//! let text = "const base = '/a/';\nexport default defineConfig({ base, plugins: [search()], year: now() });";
//! let configuration = exported(text);
//! assert_eq!(configuration.unwrapped().get("base").text(), Some("/a/"));
//! ```

use std::collections::HashMap;

use super::value::Value;

/// The deepest nesting that is read.
const DEEPEST: usize = 64;

/// How many values of constants may be copied.
const MOST_COPIES: usize = 200;

/// Returns what a module exports: after `export default`, `module.exports =`, or the object of a call at its end.
pub(crate) fn exported(text: &str) -> Value {
    let mut reader = Reader::new(text);
    reader.read_constants();
    let Some(at) = reader.export else { return Value::Computed };
    reader.at = at;
    reader.expression()
}

/// Returns the value of a text that is one literal.
pub(crate) fn literal(text: &str) -> Value {
    Reader::new(text).expression()
}

/// Reads expressions.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    constants: HashMap<&'t str, Value>,
    copies: usize,
    /// Where the expression begins that is exported.
    export: Option<usize>,
}

/// What is not complete around a value.
enum Frame {
    /// An object, and the key that its next value has.
    Object(Vec<(String, Value)>, String),
    /// A list.
    List(Vec<Value>),
    /// The arguments of a function with a name.
    Call(String, Vec<Value>),
    /// An expression in parentheses.
    Group(Value),
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, constants: HashMap::new(), copies: 0, export: None }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Moves to a position that is a boundary of characters, at most the end.
    fn advance(&mut self, count: usize) {
        self.at = (self.at + count).min(self.text.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|one: char| one.is_whitespace() || one == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.advance(trimmed.find('\n').unwrap_or(trimmed.len()));
            } else if trimmed.starts_with("/*") {
                self.advance(trimmed.find("*/").map_or(trimmed.len(), |end| end + 2));
            } else {
                return;
            }
        }
    }

    /// Takes a text if it is next.
    fn take(&mut self, token: &str) -> bool {
        self.skip_space();
        let is_next = self.rest().starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    /// Takes a word if it is next, as a whole.
    fn take_word(&mut self, word: &str) -> bool {
        self.skip_space();
        let is_next = self.name() == word;
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    /// Returns the name that is next, "" if there is none.
    fn name(&self) -> &'t str {
        let rest = self.rest();
        let is_part = |one: char| one.is_alphanumeric() || one == '_' || one == '$';
        let end = rest.find(|one| !is_part(one)).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default();
        if name.starts_with(|first: char| first.is_ascii_digit()) { "" } else { name }
    }

    /// Reads the constants at the top of a file, and finds what it exports.
    fn read_constants(&mut self) {
        loop {
            self.skip_space();
            let start = self.at;
            if self.peek().is_none() {
                return;
            }
            if self.take_word("export") {
                if self.take_word("default") {
                    self.skip_space();
                    self.export = Some(self.at);
                    self.skip_expression();
                }
            } else if ["const", "let", "var"].iter().any(|word| self.take_word(word)) {
                self.constant();
            } else if self.rest().starts_with("module.exports") || self.rest().starts_with("exports.default")
            {
                let length = if self.rest().starts_with('m') { "module.exports" } else { "exports.default" };
                self.advance(length.len());
                if self.take("=") {
                    self.skip_space();
                    self.export = Some(self.at);
                    self.skip_expression();
                }
            } else if self.take_word("function") || self.take_word("async") {
                self.skip_function_head();
                self.skip_balanced();
            } else {
                self.skip_token();
            }
            if self.at == start {
                self.advance(1);
            }
        }
    }

    /// Reads `name: Type = value` after `const`.
    fn constant(&mut self) {
        self.skip_space();
        let name = self.name();
        self.advance(name.len());
        // The name of a type may have brackets, but no "=".
        let mut rest = self.rest();
        loop {
            let Some(end) = rest.find(['=', ';', '\n']) else { return };
            let (before, after) = rest.split_at(end);
            let is_annotation = before.trim_start().starts_with(':') || before.trim().is_empty();
            if !after.starts_with('=') || !is_annotation || name.is_empty() {
                return;
            }
            self.at = self.text.len() - after.len() + 1;
            if !after.starts_with("=>") {
                break;
            }
            rest = self.rest();
        }
        let start = self.at;
        let value = self.expression();
        if value == Value::Computed {
            self.at = start;
            self.skip_expression();
        }
        self.constants.insert(name, value);
    }

    /// Skips to what ends an expression: ";" or the end of a line that is not inside of brackets.
    fn skip_expression(&mut self) {
        let mut has_token = false;
        loop {
            let start = self.at;
            self.skip_space();
            let is_new_line = self.text.get(start..self.at).is_some_and(|space| space.contains('\n'));
            match self.peek() {
                None => return,
                Some(b';') => return self.advance(1),
                Some(b')' | b']' | b'}' | b',') => return,
                // A line that goes on begins with an operator.
                Some(next) if is_new_line && has_token && !b".?:|&+-*=<>".contains(&next) => return,
                Some(b'{' | b'[' | b'(') => self.skip_balanced(),
                Some(_) => self.skip_token(),
            }
            has_token = true;
        }
    }

    /// Skips a text, a name, a number or one other character.
    fn skip_token(&mut self) {
        self.skip_space();
        match self.peek() {
            Some(b'"' | b'\'' | b'`') => drop(self.string()),
            Some(_) => {
                let name = self.name();
                self.advance(name.len().max(1));
            }
            None => {}
        }
    }

    /// Skips what is in brackets, which are next.
    fn skip_balanced(&mut self) {
        self.skip_space();
        let mut depth = 0usize;
        while let Some(next) = self.peek() {
            match next {
                b'{' | b'[' | b'(' => {
                    depth += 1;
                    self.advance(1);
                }
                b'}' | b']' | b')' => {
                    depth = depth.saturating_sub(1);
                    self.advance(1);
                }
                b'/' if self.is_regular_expression() => self.skip_regular_expression(),
                _ => self.skip_token(),
            }
            if depth == 0 {
                return;
            }
            self.skip_space();
        }
    }

    /// Returns whether the "/" that is next begins a regular expression: it follows what no value ends with.
    fn is_regular_expression(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default().trim_end();
        before.ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '>'])
            || before.ends_with("return")
    }

    fn skip_regular_expression(&mut self) {
        let (mut is_escaped, mut in_class) = (false, false);
        let length = self.rest().char_indices().skip(1).find_map(|(at, one)| {
            let is_end = one == '\n' || one == '/' && !is_escaped && !in_class;
            in_class = match one {
                '[' if !is_escaped => true,
                ']' if !is_escaped => false,
                _ => in_class,
            };
            is_escaped = !is_escaped && one == '\\';
            is_end.then_some(at + 1)
        });
        self.advance(length.unwrap_or(self.rest().len()));
    }

    /// Reads a text in quotes; a template with expressions is computed.
    fn string(&mut self) -> Value {
        let rest = self.rest();
        let Some(quote) = rest.chars().next() else { return Value::Computed };
        let (mut text, mut is_computed) = (String::new(), false);
        let mut chars = rest.char_indices().skip(1);
        let mut braces = 0usize;
        while let Some((at, one)) = chars.next() {
            match one {
                '\\' => match chars.next().map(|(_, escaped)| escaped) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('\n') => {}
                    Some('u' | 'x') => is_computed = true,
                    Some(other) => text.push(other),
                    None => break,
                },
                _ if one == quote && braces == 0 => {
                    self.advance(at + one.len_utf8());
                    return if is_computed { Value::Computed } else { Value::Text(text) };
                }
                '$' if quote == '`' && rest.get(at + 1..).is_some_and(|after| after.starts_with('{')) => {
                    (is_computed, braces) = (true, braces + 1);
                    chars.next();
                }
                '{' if braces > 0 => braces += 1,
                '}' if braces > 0 => braces -= 1,
                '\n' if quote != '`' => break,
                one => text.push(one),
            }
        }
        // A quote without an end, as in a regular expression: the line is over.
        let length = if quote == '`' { rest.len() } else { rest.find('\n').unwrap_or(rest.len()) };
        self.advance(length.max(1));
        Value::Computed
    }

    /// Skips `name(parameters): Type` before the body of a function.
    fn skip_function_head(&mut self) {
        self.take_word("function");
        self.take("*");
        self.skip_space();
        self.advance(self.name().len());
        self.skip_space();
        if self.peek() == Some(b'(') {
            self.skip_balanced();
        }
        self.skip_space();
        if self.peek() == Some(b':') {
            let rest = self.rest();
            self.advance(rest.find('{').unwrap_or(rest.len()));
        }
    }

    /// Reads the body of a function, `{…}`: what the last `return` of its own statements returns.
    fn body(&mut self) -> Value {
        self.skip_space();
        let start = self.at;
        self.skip_balanced();
        let end = self.at;
        self.at = start + 1;
        let mut returned = None;
        while self.at < end {
            self.skip_space();
            let before = self.at;
            if self.take_word("return") {
                self.skip_space();
                returned = Some(self.at);
                self.skip_expression();
            } else if ["const", "let", "var"].iter().any(|word| self.take_word(word)) {
                self.skip_space();
                let name = self.name();
                self.advance(name.len());
                self.skip_expression();
                // A name in the function hides one of the file.
                self.constants.insert(name, Value::Computed);
            } else if matches!(self.peek(), Some(b'{' | b'[' | b'(')) {
                self.skip_balanced();
            } else {
                self.skip_token();
            }
            if self.at == before {
                self.advance(1);
            }
        }
        self.at = returned.unwrap_or(end);
        let value = if returned.is_some() { self.value_of_return() } else { Value::Computed };
        self.at = end;
        value
    }

    /// Reads an object or a call after `return`, not another function: functions in functions are not followed.
    fn value_of_return(&mut self) -> Value {
        match self.peek() {
            Some(b'{' | b'(') => self.expression_with(false),
            _ if !matches!(self.name(), "" | "function" | "async") => self.expression_with(false),
            _ => Value::Computed,
        }
    }

    /// Reads an expression. What is exported as a function is read at what it returns.
    fn expression(&mut self) -> Value {
        self.skip_space();
        let start = self.at;
        self.take_word("async");
        if self.take_word("function") {
            self.skip_function_head();
            return self.body();
        }
        if self.peek() == Some(b'(') {
            self.skip_balanced();
            if self.take("=>") {
                self.skip_space();
                match self.peek() {
                    Some(b'{') => return self.body(),
                    _ => return self.expression_with(false),
                }
            }
        }
        self.at = start;
        self.expression_with(true)
    }

    /// Reads an expression with a stack of what is around it. `follows` says whether the function that a call has as its
    /// argument is read at what it returns.
    fn expression_with(&mut self, follows: bool) -> Value {
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            // Every round reads a value or opens brackets.
            let mut value = match self.start_of_value(&mut frames, follows) {
                Some(value) => value,
                None => continue,
            };
            // Every round closes brackets after a value.
            loop {
                value = self.after_value(value, frames.is_empty());
                let Some(frame) = frames.last_mut() else { return value };
                self.skip_space();
                let has_comma = self.take(",");
                let closes = self.add(frame, value);
                self.skip_space();
                match self.peek() {
                    Some(next) if next == closes => {
                        self.advance(1);
                        match frames.pop().map(Frame::finish) {
                            Some(finished) => value = finished,
                            None => return Value::Computed,
                        }
                    }
                    Some(_) if has_comma => break,
                    // An error, or the end of the text: what was read is kept.
                    _ => return frames.into_iter().rev().fold(Value::Null, Self::joined),
                }
            }
        }
    }

    fn joined(inner: Value, frame: Frame) -> Value {
        let mut frame = frame;
        if inner.is_there() {
            match &mut frame {
                Frame::Object(entries, key) => entries.push((std::mem::take(key), inner)),
                Frame::List(list) | Frame::Call(_, list) => list.push(inner),
                Frame::Group(value) => *value = inner,
            }
        }
        frame.finish()
    }

    /// Adds a value to what is around it, and returns the bracket that closes that.
    fn add(&self, frame: &mut Frame, value: Value) -> u8 {
        match frame {
            Frame::Object(entries, key) => {
                let key = std::mem::take(key);
                match value {
                    Value::Map(spread) if key == "..." => entries.extend(spread),
                    Value::Null if key.is_empty() => {}
                    value => entries.push((key, value)),
                }
                b'}'
            }
            Frame::List(list) => {
                match value {
                    Value::Call(name, mut spread) if name == "..." => match spread.pop() {
                        Some(Value::List(spread)) => list.extend(spread),
                        _ => list.push(Value::Computed),
                    },
                    value => list.push(value),
                }
                b']'
            }
            Frame::Call(_, arguments) => {
                arguments.push(value);
                b')'
            }
            Frame::Group(own) => {
                *own = value;
                b')'
            }
        }
    }

    /// Reads a value that has no parts, or opens brackets: `None`.
    fn start_of_value(&mut self, frames: &mut Vec<Frame>, follows: bool) -> Option<Value> {
        self.skip_space();
        if let Some(Frame::Object(..)) = frames.last() {
            // The key.
            match self.key() {
                Key::Value(name) => {
                    if let Some(Frame::Object(_, key)) = frames.last_mut() {
                        *key = name;
                    }
                }
                Key::Done(name, value) => {
                    if let Some(Frame::Object(_, key)) = frames.last_mut() {
                        *key = name;
                    }
                    return Some(value);
                }
            }
            self.skip_space();
        }
        let is_deep = frames.len() >= DEEPEST;
        match self.peek() {
            Some(b'{' | b'[') if is_deep => {
                self.skip_balanced();
                Some(Value::Computed)
            }
            Some(b'{') => {
                self.advance(1);
                self.opened(frames, Frame::Object(Vec::new(), String::new()), b'}')
            }
            Some(b'[') => {
                self.advance(1);
                self.opened(frames, Frame::List(Vec::new()), b']')
            }
            Some(b'(') => {
                let start = self.at;
                self.skip_balanced();
                if self.take("=>") {
                    return Some(self.function_body(follows));
                }
                if is_deep {
                    return Some(Value::Computed);
                }
                self.at = start + 1;
                self.opened(frames, Frame::Group(Value::Null), b')')
            }
            Some(b'"' | b'\'' | b'`') => Some(self.string()),
            Some(b'/') => {
                self.skip_regular_expression();
                Some(Value::Computed)
            }
            Some(first)
                if first.is_ascii_digit()
                    || matches!(first, b'-' | b'.') && !self.rest().starts_with("...") =>
            {
                let rest = self.rest();
                let is_part = |one: char| one.is_ascii_alphanumeric() || matches!(one, '.' | '_' | '-');
                let end = rest.find(|one| !is_part(one)).unwrap_or(rest.len()).max(1);
                self.advance(end);
                Some(Value::Text(rest.get(..end).unwrap_or_default().to_owned()))
            }
            Some(b'.') => {
                // "...name" in a list or in arguments.
                self.advance(3);
                self.skip_space();
                let value = match self.peek() {
                    Some(b'[' | b'(' | b'{') => {
                        self.skip_balanced();
                        Value::Computed
                    }
                    _ => self.named(),
                };
                Some(Value::Call("...".to_owned(), vec![value]))
            }
            Some(_) => self.word(frames, is_deep, follows),
            None => Some(Value::Null),
        }
    }

    /// Opens brackets, or returns the empty value if they are closed at once.
    fn opened(&mut self, frames: &mut Vec<Frame>, frame: Frame, closes: u8) -> Option<Value> {
        self.skip_space();
        if self.peek() == Some(closes) {
            self.advance(1);
            return Some(frame.finish());
        }
        frames.push(frame);
        None
    }

    /// Reads the body of an arrow function.
    fn function_body(&mut self, follows: bool) -> Value {
        self.skip_space();
        if self.peek() == Some(b'{') {
            if follows {
                return self.body();
            }
            self.skip_balanced();
        } else {
            self.skip_expression();
        }
        Value::Computed
    }

    /// Reads a value that begins with a word, or opens the brackets of a call.
    fn word(&mut self, frames: &mut Vec<Frame>, is_deep: bool, follows: bool) -> Option<Value> {
        let name = self.name();
        if name.is_empty() {
            // An operator: "!x", "~x", or an error.
            self.advance(1);
            self.skip_expression();
            return Some(Value::Computed);
        }
        self.advance(name.len());
        match name {
            "true" => return Some(Value::Bool(true)),
            "false" => return Some(Value::Bool(false)),
            "null" | "undefined" => return Some(Value::Null),
            "await" | "typeof" => return self.start_of_value_again(),
            "new" | "class" => {
                self.skip_expression();
                return Some(Value::Computed);
            }
            "async" | "function" => {
                if name == "async" && !self.take_word("function") {
                    self.skip_space();
                    if self.peek() == Some(b'(') {
                        self.skip_balanced();
                    }
                    self.take("=>");
                    return Some(self.function_body(follows));
                }
                self.skip_function_head();
                self.skip_balanced();
                return Some(Value::Computed);
            }
            _ => {}
        }
        self.skip_space();
        if self.take("=>") {
            return Some(self.function_body(follows));
        }
        // a.b.c(…)
        let mut path = name.to_owned();
        while self.peek() == Some(b'.') || self.rest().starts_with("?.") {
            let dots = if self.peek() == Some(b'.') { 1 } else { 2 };
            self.advance(dots);
            let next = self.name();
            if next.is_empty() {
                break;
            }
            path.push('.');
            path.push_str(next);
            self.advance(next.len());
        }
        if self.peek() == Some(b'<') {
            // The arguments of a generic function.
            let length = self.rest().find(">(").filter(|at| *at < 200).map_or(0, |at| at + 1);
            self.advance(length);
        }
        if self.peek() == Some(b'(') && !is_deep {
            self.advance(1);
            return self.opened(frames, Frame::Call(path, Vec::new()), b')');
        }
        if self.peek() == Some(b'(') {
            self.skip_balanced();
            return Some(Value::Computed);
        }
        Some(self.constant_at(&path))
    }

    /// Reads what follows `await`: a name or a call is computed.
    fn start_of_value_again(&mut self) -> Option<Value> {
        self.skip_space();
        match self.peek() {
            Some(b'(' | b'{' | b'[') => self.skip_balanced(),
            _ => self.skip_token(),
        }
        Some(Value::Computed)
    }

    /// Reads a name, and returns the value of the constant.
    fn named(&mut self) -> Value {
        let name = self.name();
        self.advance(name.len());
        self.skip_space();
        if matches!(self.peek(), Some(b'(' | b'.' | b'[' | b'?')) {
            while matches!(self.peek(), Some(b'(' | b'[' | b'.' | b'?')) {
                match self.peek() {
                    Some(b'(' | b'[') => self.skip_balanced(),
                    _ => {
                        self.advance(1);
                        self.skip_space();
                        self.advance(self.name().len());
                    }
                }
                self.skip_space();
            }
            return Value::Computed;
        }
        self.constant_at(name)
    }

    /// Returns the value of a constant, or of a member of one.
    fn constant_at(&mut self, path: &str) -> Value {
        let (name, member) = path.split_once('.').map_or((path, None), |(name, member)| (name, Some(member)));
        let Some(value) = self.constants.get(name) else { return Value::Computed };
        if self.copies >= MOST_COPIES {
            return Value::Computed;
        }
        self.copies += 1;
        match member.map_or(value, |member| value.get(member)) {
            Value::Null if member.is_some() => Value::Computed,
            value => value.clone(),
        }
    }

    /// Reads what follows a value: operators make it a value that is not known. `is_last` says whether a line ends it.
    fn after_value(&mut self, mut value: Value, is_last: bool) -> Value {
        loop {
            let start = self.at;
            self.skip_space();
            let has_line = self.text.get(start..self.at).is_some_and(|space| space.contains('\n'));
            let rest = self.rest();
            let name = self.name();
            match self.peek() {
                None | Some(b',' | b';' | b')' | b']' | b'}') => return value,
                _ if rest.starts_with("||") || rest.starts_with("??") => {
                    self.advance(2);
                    self.skip_space();
                    // What is used if an environment says nothing.
                    if value == Value::Computed && matches!(self.peek(), Some(b'"' | b'\'')) {
                        value = self.string();
                    } else if value == Value::Null {
                        self.skip_operand();
                        value = Value::Computed;
                    } else {
                        self.skip_operand();
                    }
                }
                _ if matches!(name, "as" | "satisfies") => {
                    self.advance(name.len());
                    self.skip_operand();
                }
                Some(b'!') if !rest.starts_with("!=") => self.advance(1),
                _ if is_last
                    && has_line
                    && !matches!(self.peek(), Some(b'.' | b'?' | b'+' | b'|' | b'&')) =>
                {
                    self.at = start;
                    return value;
                }
                _ => {
                    self.skip_operand();
                    value = Value::Computed;
                    if self.at == start {
                        return value;
                    }
                }
            }
        }
    }

    /// Skips to what ends an operand in brackets: ",", ";" or a closing bracket.
    fn skip_operand(&mut self) {
        loop {
            self.skip_space();
            let start = self.at;
            match self.peek() {
                None | Some(b',' | b';' | b')' | b']' | b'}') => return,
                Some(b'{' | b'[' | b'(') => self.skip_balanced(),
                Some(b'/') if self.is_regular_expression() => self.skip_regular_expression(),
                Some(_) => self.skip_token(),
            }
            if self.at == start {
                return;
            }
        }
    }

    /// Reads the key of an object, with its ":".
    fn key(&mut self) -> Key {
        self.skip_space();
        if self.rest().starts_with("...") {
            self.advance(3);
            self.skip_space();
            let value = match self.peek() {
                Some(b'(') => {
                    self.skip_balanced();
                    Value::Computed
                }
                _ => self.named(),
            };
            return Key::Done("...".to_owned(), value);
        }
        let name = match self.peek() {
            Some(b'"' | b'\'' | b'`') => match self.string() {
                Value::Text(text) => text,
                _ => String::new(),
            },
            Some(b'[') => {
                self.skip_balanced();
                String::new()
            }
            Some(first) if first.is_ascii_digit() => {
                let rest = self.rest();
                let end = rest.find(|one: char| !one.is_ascii_alphanumeric()).unwrap_or(rest.len());
                self.advance(end);
                rest.get(..end).unwrap_or_default().to_owned()
            }
            _ => {
                let name = self.name();
                self.advance(name.len());
                name.to_owned()
            }
        };
        self.skip_space();
        match self.peek() {
            Some(b':') => {
                self.advance(1);
                Key::Value(name)
            }
            // The short form `{ base }`.
            Some(b',' | b'}') => {
                let value = self.constant_at(&name);
                Key::Done(name, value)
            }
            // A method, `async f() {}` or `get f() {}`.
            _ => {
                let start = self.at;
                while !matches!(self.peek(), None | Some(b'(' | b',' | b'}')) {
                    self.skip_token();
                    self.skip_space();
                }
                if self.peek() == Some(b'(') {
                    self.skip_balanced();
                    self.skip_space();
                    if self.peek() == Some(b':') {
                        let rest = self.rest();
                        self.advance(rest.find('{').unwrap_or(rest.len()));
                    }
                    self.skip_balanced();
                }
                if self.at == start {
                    self.advance(1);
                }
                Key::Done(name, Value::Computed)
            }
        }
    }
}

/// The key of an object.
enum Key {
    /// A value follows.
    Value(String),
    /// The value is known already.
    Done(String, Value),
}

impl Frame {
    fn finish(self) -> Value {
        match self {
            Self::Object(entries, _) => Value::Map(entries),
            Self::List(list) => Value::List(list),
            Self::Call(name, arguments) => Value::Call(name, arguments),
            Self::Group(value) => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported() {
        for (text, path, expected) in [
            ("module.exports = { baseUrl: '/a/', x: [1, 2] };", "baseUrl", Some("/a/")),
            (
                "// @ts-check\n/** @type {x} */\nconst config = {\n  // c\n  \"a\": {b: `c`,},\n};\n\nexport default config;\n",
                "a.b",
                Some("c"),
            ),
            (
                "import x from 'y'\nconst base = process.env.B || '/d/'\nexport default defineConfig({ base })",
                "base",
                Some("/d/"),
            ),
            ("const base: string = '/e/';\nexport default { base } satisfies Config;", "base", Some("/e/")),
            (
                "export default async function f() { if (a) { return {} } return { a: 'b' } satisfies C; }",
                "a",
                Some("b"),
            ),
            ("export default () => ({ a: 'b' })", "a", Some("b")),
            (
                "module.exports = function (c) { c.on(/[(]/, 'x'); return { dir: { input: 'src' } } }",
                "dir.input",
                Some("src"),
            ),
            ("const a = { x: 'y' };\nexport default { ...a, z: 1 }", "x", Some("y")),
            ("export default withX(defineConfig({ a: f(1), b: 'c' }))", "b", Some("c")),
            ("export default { a: x ? 'b' : 'c', d: 'e' + f, g: 'h' }", "g", Some("h")),
            (
                "export default { f() { return 1 }, async g(a) {}, h: (a, b) => { return {} }, i: 'j' }",
                "i",
                Some("j"),
            ),
            ("export default { r: /a\\/[/}]b/g, i: 'j' }", "i", Some("j")),
            ("export default { a: require.resolve('./x'), i: 'j', }", "i", Some("j")),
        ] {
            assert_eq!(exported(text).unwrapped().get(path).text(), expected, "{text}");
        }
        let value = exported("export default { a: x ? 'b' : 'c', d: `e${f}`, g: [...h, 'i'] }");
        assert_eq!(*value.get("a"), Value::Computed);
        assert_eq!(*value.get("d"), Value::Computed);
        assert_eq!(value.get("g").list().len(), 2);
        assert!(value.get("g").has_computed());
    }

    #[test]
    fn no_text_is_refused() {
        for text in [
            "",
            "export default",
            "export default {",
            "export default {a:",
            "module.exports = [(",
            "export default {'a",
            "const",
            "export default {a b c}",
            "export default )",
            "export default {a: `${`}",
            "/*",
            "export default { /x",
            "export default ...",
            "const x = => {",
            "export default {é: 'ü', 'ö': é}",
        ] {
            let _value = exported(text);
        }
        let _value = exported(&format!("export default {}", "{a:[".repeat(50_000)));
        let _value = exported(&format!("export default {}", "f(".repeat(50_000)));
    }
}
