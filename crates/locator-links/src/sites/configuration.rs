//! Configurations of generators as data ([`Value`]): YAML, TOML, JSON with comments; `javascript` reads the literals of programs.
//!
//! A configuration comes with the documents, so it is read for its literals and never run. What a program would compute is
//! [`Value::Computed`], so that whoever asks for it knows that it is not known. No text is refused: of a file with an error
//! is known what is before it.
//!
//! ```text
//! let configuration = Value::yaml("site_url: https://h/a/\nplugins: [search, {redirects: {redirect_maps: {a.md: b.md}}}]");
//! assert_eq!(configuration.get("site_url").text(), Some("https://h/a/"));
//! ```

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

pub(crate) use super::value::Value;

/// The deepest nesting that is kept of a configuration.
const DEEPEST: usize = 64;

impl Value {
    /// Reads a configuration by the ending of its name: `.yml`, `.yaml`, `.toml`, `.json`, or a program (`.js`, `.mjs`, `.cjs`,
    /// `.ts`, `.mts`, `.cts`), of which what it exports is read.
    pub(crate) fn of_file(path: &str, text: &str) -> Self {
        match super::tree::split_ending(path).1 {
            "toml" => Self::toml(text),
            "json" | "json5" | "jsonc" => Self::json(text),
            "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => super::javascript::exported(text),
            _ => Self::yaml(text),
        }
    }

    /// Reads the first document of a text in YAML.
    pub(crate) fn yaml(text: &str) -> Self {
        let mut builder = Builder::default();
        let mut has_error = false;
        for event in Parser::new_from_str(text) {
            let Ok((event, _)) = event else {
                has_error = true;
                break;
            };
            match event {
                Event::DocumentEnd => break,
                Event::Alias(anchor) => {
                    let value = builder.anchors.iter().rev().find(|(own, _)| *own == anchor);
                    let value = value.map_or(Self::Computed, |(_, value)| value.clone());
                    builder.add(value, 0);
                }
                Event::Scalar(text, style, anchor, tag) => {
                    let value = match style {
                        ScalarStyle::Plain => plain(&text),
                        _ => Self::Text(text.into_owned()),
                    };
                    builder.add(tagged(value, tag.as_deref()), anchor);
                }
                Event::SequenceStart(anchor, tag) => builder.open(Self::List(Vec::new()), anchor, tag),
                Event::MappingStart(anchor, tag) => builder.open(Self::Map(Vec::new()), anchor, tag),
                Event::SequenceEnd | Event::MappingEnd => builder.close(),
                _ => {}
            }
        }
        let value = builder.finish();
        if has_error { value.with_lines(text) } else { value }
    }

    /// Adds the keys at the beginnings of lines that are not known, after an error: `title: a: b`.
    fn with_lines(self, text: &str) -> Self {
        let mut entries = match self {
            Self::Map(entries) => entries,
            _ => Vec::new(),
        };
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let is_key =
                !key.is_empty() && key.bytes().all(|one| one.is_ascii_alphanumeric() || b"_-".contains(&one));
            if is_key && !entries.iter().any(|(own, _)| own == key) {
                entries.push((key.to_owned(), plain(value.trim().trim_matches(['"', '\'']))));
            }
        }
        Self::Map(entries)
    }

    /// Reads a text in TOML.
    pub(crate) fn toml(text: &str) -> Self {
        match text.parse::<toml::Table>() {
            Ok(table) => from_toml(toml::Value::Table(table)),
            Err(_) => Self::Null.with_assignments(text),
        }
    }

    /// Adds the keys of lines `key = value`, after an error.
    fn with_assignments(self, text: &str) -> Self {
        let lines =
            text.lines().take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
        let entries =
            lines.map(|(key, value)| (key.trim().to_owned(), plain(value.trim().trim_matches(['"', '\'']))));
        match self {
            Self::Null => Self::Map(entries.collect()),
            own => own,
        }
    }

    /// Reads a text in JSON, which may have comments and commas at ends.
    pub(crate) fn json(text: &str) -> Self {
        match serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}')) {
            Ok(value) => from_json(value),
            Err(_) => super::javascript::literal(text),
        }
    }
}

/// Returns the value of a scalar of YAML without quotes.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "on" => Value::Bool(true),
        "false" | "False" | "FALSE" | "no" | "No" | "off" => Value::Bool(false),
        text => Value::Text(text.to_owned()),
    }
}

/// Returns a value as its tag has it: `!!python/name:a.b` calls something, `!ENV X` asks the environment.
fn tagged(value: Value, tag: Option<&Tag>) -> Value {
    match tag.map(|tag| &*tag.suffix) {
        Some(name) if name.starts_with("python/") => Value::Call(name.to_owned(), vec![value]),
        Some("ENV" | "env" | "relative") => Value::Computed,
        _ => value,
    }
}

/// A list or a map that is not complete.
struct OpenValue<'t> {
    value: Value,
    anchor: usize,
    tag: Option<Cow<'t, Tag>>,
    /// The key that waits for its value.
    key: Option<String>,
}

/// Builds a value from events.
#[derive(Default)]
struct Builder<'t> {
    open: Vec<OpenValue<'t>>,
    anchors: Vec<(usize, Value)>,
    result: Option<Value>,
    /// How many lists and maps are too deep.
    too_deep: usize,
}

/// How many values with anchors are kept.
const MOST_ANCHORS: usize = 1_000;

impl<'t> Builder<'t> {
    fn open(&mut self, value: Value, anchor: usize, tag: Option<Cow<'t, Tag>>) {
        if self.too_deep > 0 || self.open.len() >= DEEPEST {
            self.too_deep += 1;
        } else {
            self.open.push(OpenValue { value, anchor, tag, key: None });
        }
    }

    fn close(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            if self.too_deep == 0 {
                self.add(Value::Computed, 0);
            }
        } else if let Some(OpenValue { value, anchor, tag, .. }) = self.open.pop() {
            self.add(tagged(value, tag.as_deref()), anchor);
        }
    }

    fn add(&mut self, value: Value, anchor: usize) {
        if self.too_deep > 0 {
            return;
        }
        // A value with an alias of an alias of … grows without end.
        if anchor > 0 && self.anchors.len() < MOST_ANCHORS && is_small(&value) {
            self.anchors.push((anchor, value.clone()));
        }
        let Some(OpenValue { value: around, key, .. }) = self.open.last_mut() else {
            self.result.get_or_insert(value);
            return;
        };
        match around {
            Value::List(list) => list.push(value),
            Value::Map(entries) => match key.take() {
                None => *key = Some(key_of(value)),
                // The merge key of YAML 1.1.
                Some(key) if key == "<<" => match value {
                    Value::Map(merged) => {
                        let is_new = |own: &(String, Value)| !entries.iter().any(|(key, _)| *key == own.0);
                        let new: Vec<_> = merged.into_iter().filter(is_new).collect();
                        entries.splice(0..0, new);
                    }
                    other => entries.push((key, other)),
                },
                Some(key) => entries.push((key, value)),
            },
            _ => {}
        }
    }

    fn finish(mut self) -> Value {
        self.too_deep = 0;
        while !self.open.is_empty() {
            self.close();
        }
        self.result.unwrap_or_default()
    }
}

/// Returns whether a value has few parts, so that it can be copied for its aliases.
fn is_small(value: &Value) -> bool {
    let (mut open, mut count) = (vec![value], 0);
    while let Some(value) = open.pop() {
        count += 1;
        match value {
            _ if count > 1_000 => return false,
            Value::List(list) => open.extend(list),
            Value::Map(entries) => open.extend(entries.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    true
}

fn key_of(value: Value) -> String {
    match value {
        Value::Text(text) => text,
        Value::Bool(value) => value.to_string(),
        _ => String::new(),
    }
}

/// The parser of TOML has a limit of its own for the depth.
fn from_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::Text(text),
        toml::Value::Boolean(value) => Value::Bool(value),
        toml::Value::Array(list) => Value::List(list.into_iter().map(from_toml).collect()),
        toml::Value::Table(table) => {
            Value::Map(table.into_iter().map(|(key, value)| (key, from_toml(value))).collect())
        }
        other => Value::Text(other.to_string()),
    }
}

/// The parser of JSON has a limit of its own for the depth.
fn from_json(value: serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(value),
        serde_json::Value::String(text) => Value::Text(text),
        serde_json::Value::Number(number) => Value::Text(number.to_string()),
        serde_json::Value::Array(list) => Value::List(list.into_iter().map(from_json).collect()),
        serde_json::Value::Object(map) => {
            Value::Map(map.into_iter().map(|(key, value)| (key, from_json(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        let yaml =
            Value::yaml("a: &x {b: [1, 'c']}\nd: *x\n# no\ne: |\n  text\nf: !!python/name:x.y\ng: yes\n");
        assert_eq!(yaml.get("d.b").texts(), ["1", "c"]);
        assert_eq!(yaml.get("e").text(), Some("text\n"));
        assert_eq!(yaml.get("g").bool(), Some(true));
        assert!(yaml.get("h.i").is_null());
        let toml = Value::toml("a = 1\n[b.c]\nd = [\"x\", true]\n[[e]]\nf = 2020-01-02\n");
        assert_eq!(toml.get("a").text(), Some("1"));
        assert_eq!(toml.get("b.c.d").list(), [Value::Text("x".to_owned()), Value::Bool(true)]);
        assert_eq!(toml.get("e").list()[0].get("f").text(), Some("2020-01-02"));
        let json = Value::json("{\"a\": {\"b\": 1}, // no\n \"c\": [1,],}");
        assert_eq!((json.get("a.b").text(), json.get("c").texts()), (Some("1"), vec!["1"]));
    }

    #[test]
    fn what_is_before_and_after_an_error_is_read() {
        let value = Value::yaml("slug: /x\ntitle: a: b\npermalink: /y/\n");
        assert_eq!(value.get("slug").text(), Some("/x"));
        assert_eq!(value.get("permalink").text(), Some("/y/"));
    }

    #[test]
    fn depth_and_aliases_have_limits() {
        let deep = "[".repeat(100_000);
        let _value = Value::yaml(&deep);
        let _value = Value::json(&deep);
        let mut bomb = "a: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..20 {
            let before = format!("*a{}, ", level - 1).repeat(9);
            bomb += &format!("b{level}: &a{level} [{before}]\n");
        }
        let _value = Value::yaml(&bomb);
    }
}
