//! Errors of grammars, each with its line.

use std::error::Error;
use std::fmt;

/// An error in a grammar, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarError {
    /// The line, counted from 1; 0 if the name came from the caller.
    pub line: usize,
    /// The kind of error.
    pub kind: GrammarErrorKind,
}

/// The kinds of errors in a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrammarErrorKind {
    /// What was expected, and the character that was found (`None`: the end of the rule).
    Expected(&'static str, Option<char>),
    /// A number that is too large (above U+10FFFF for a character).
    TooLarge,
    /// A range or repetition whose end is below its start.
    Backwards,
    /// A rule that is used but not defined.
    Unknown(String),
    /// A rule that is defined a second time.
    Twice(String),
    /// A rule that refers to itself.
    Recursive(String),
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        match &self.kind {
            GrammarErrorKind::Expected(what, Some(there)) => write!(f, "expected {what}, found {there:?}"),
            GrammarErrorKind::Expected(what, None) => write!(f, "expected {what}, found the end of the rule"),
            GrammarErrorKind::TooLarge => f.write_str("the number is too large"),
            GrammarErrorKind::Backwards => f.write_str("the end of the range is below its start"),
            GrammarErrorKind::Unknown(name) => write!(f, "the rule {name} is not defined"),
            GrammarErrorKind::Twice(name) => write!(f, "the rule {name} is defined a second time"),
            GrammarErrorKind::Recursive(name) => write!(f, "the rule {name} refers to itself"),
        }
    }
}

impl Error for GrammarError {}
