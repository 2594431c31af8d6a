//! A configuration that is a program, with the files that it imports ([`Program`]).
//!
//! What it exports is read for its literals by `javascript`; other values are only known to it. Whether an unknown object could
//! have a key is judged by the words of the files: a key that none of them writes is not there. A package that is imported
//! is trusted not to set keys that change the pages of its user.

use std::collections::BTreeSet;

use super::configuration::Value;
use super::javascript;
use super::model::Found;
use super::tree::{Tree, joined, parent, resolved};

/// A configuration that is a program.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// What it exports, without calls around it.
    pub(crate) value: Value,
    /// The texts of the configuration and of the files that it imports.
    texts: Vec<String>,
}

/// How many files of a configuration are read.
const MOST_FILES: usize = 40;

/// The endings that an import may leave out.
const ENDINGS: [&str; 9] = ["", ".ts", ".js", ".mts", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

impl Program {
    /// Reads the configuration of a site.
    pub(crate) fn of(found: &Found<'_>) -> Self {
        let Some(path) = found.configuration else { return Self::default() };
        Self::read(found.tree, path)
    }

    /// Reads a configuration.
    pub(crate) fn read(tree: &Tree, path: &str) -> Self {
        let text = tree.read(path).unwrap_or_default();
        let value = Value::of_file(path, &text).unwrapped().clone();
        let mut texts = Vec::new();
        let mut known = BTreeSet::from([path.to_owned()]);
        let mut open = vec![(path.to_owned(), text)];
        while let Some((path, text)) = open.pop() {
            if texts.len() < MOST_FILES {
                for import in imports(&text) {
                    let there = resolved(parent(&path), import);
                    let there =
                        there.and_then(|there| existing(tree, &there)).filter(|there| !known.contains(there));
                    if let Some(there) = there {
                        known.insert(there.clone());
                        open.push((there.clone(), tree.read(&there).unwrap_or_default()));
                    }
                }
            }
            texts.push(text);
        }
        Self { value, texts }
    }

    /// Returns the value at a path of keys. It is [`Value::Computed`] if the program knows it, [`Value::Null`] if it has none.
    pub(crate) fn get(&self, path: &str) -> &Value {
        let value = self.value.get(path);
        let key = path.rsplit('.').next().unwrap_or(path);
        match value {
            Value::Computed if !self.has_key(key) => &Value::Null,
            value => value,
        }
    }

    /// Returns whether a key is set to something.
    pub(crate) fn has(&self, path: &str) -> bool {
        match self.get(path) {
            Value::Null => false,
            Value::List(list) => !list.is_empty(),
            _ => true,
        }
    }

    /// Returns the text at a path of keys, or, if only the program knows the object around it, the literal that is
    /// written after the key.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        let key = path.rsplit('.').next().unwrap_or(path);
        match self.get(path) {
            Value::Text(text) => Some(text),
            Value::Computed => self.literals(key).next(),
            _ => None,
        }
    }

    /// Returns whether a word is in one of the files.
    pub(crate) fn mentions(&self, word: &str) -> bool {
        self.texts.iter().any(|text| text.contains(word))
    }

    /// Returns the texts that are written after a key: `"/old"` of `source: "/old"`.
    pub(crate) fn literals<'t>(&'t self, key: &str) -> impl Iterator<Item = &'t str> {
        self.texts.iter().flat_map(move |text| literals_after(text, key))
    }

    /// Returns whether a key is written: `key:`, `key(…)` of a method, or the name alone.
    fn has_key(&self, key: &str) -> bool {
        self.texts.iter().any(|text| words(text, key).next().is_some())
    }

    /// Returns the first argument of each call of a function, with a name that ends so: `addPassthroughCopy(…)`.
    pub(crate) fn arguments(&self, function: &str) -> Vec<Value> {
        let calls = self.texts.iter().flat_map(|text| words(text, function));
        calls.filter_map(|rest| Some(javascript::literal(rest.trim_start().strip_prefix('(')?))).collect()
    }
}

/// Returns what follows each place where a name is written as a whole word outside of a comment.
fn words<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let is_part = |one: char| one.is_alphanumeric() || one == '_' || one == '$';
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        let is_comment = line.starts_with("//") || line.starts_with('*') || line.contains(" // ");
        (!before.ends_with(is_part) && !after.starts_with(is_part) && !is_comment).then_some(after)
    })
}

/// Returns the texts in quotes that follow a key and ":" in a program.
fn literals_after<'t>(text: &'t str, key: &str) -> impl Iterator<Item = &'t str> {
    words(text, key).filter_map(|after| {
        let after = after.trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?.trim_start();
        let quote = after.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
        let inner = after.get(1..)?;
        let inner = inner.get(..inner.find(quote)?)?;
        (!inner.contains(['\n', '$'])).then_some(inner)
    })
}

/// Returns the paths of a program that begin with "./" or "../": those of its imports, and some that are none.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices(['"', '\'']).filter(|(at, _)| {
        let rest = &text[at + 1..];
        rest.starts_with("./") || rest.starts_with("../")
    });
    starts.filter_map(|(at, quote)| {
        let inner = text.get(at + 1..)?;
        inner.get(..inner.find(quote)?).filter(|path| !path.contains(['\n', '*']))
    })
}

/// Returns the path of a program that an import names.
pub(crate) fn existing(tree: &Tree, path: &str) -> Option<String> {
    let is_program = |path: &str| {
        let ending = super::tree::split_ending(path).1;
        matches!(ending, "js" | "ts" | "mjs" | "mts" | "cjs" | "cts" | "json")
    };
    let mut candidates = ENDINGS.iter().map(|ending| format!("{path}{ending}"));
    candidates.find(|path| is_program(path) && tree.has_file(path))
}

/// Returns the text of `package.json` in a directory or the nearest one above it, "" if there is none.
pub(crate) fn package(tree: &Tree, directory: &str) -> String {
    let mut at = directory;
    loop {
        if let Some(text) = tree.read(&joined(at, "package.json")) {
            return text;
        }
        if at.is_empty() {
            return String::new();
        }
        at = parent(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_programs() {
        let text =
            "// base: 'no'\nconst x = { base: '/a/', rebase: 1, 'source': \"/old\", source: `/${x}` };\n";
        assert_eq!(literals_after(text, "base").collect::<Vec<_>>(), ["/a/"]);
        assert_eq!(literals_after(text, "source").collect::<Vec<_>>(), ["/old"]);
        let text = "import a from './a';\nconst b = require(\"../b.js\"), c = 'x';";
        assert_eq!(imports(text).collect::<Vec<_>>(), ["./a", "../b.js"]);
        let program =
            Program { value: Value::Computed, texts: vec!["c.addPassthroughCopy('img');".to_owned()] };
        assert_eq!(program.arguments("addPassthroughCopy"), [Value::Text("img".to_owned())]);
        assert!(program.get("rewrites").is_null());
    }
}
