//! RFC 5234 ABNF: the text of a grammar enters, its rules leave, and from them one rule's automaton.
//! Rule names are compared without regard to case (section 2.1); the core rules of appendix B.1 are
//! known to every grammar, which may define them anew. A range that ends beyond 255 is one of characters,
//! in UTF-8.

mod read;

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;

use crate::automaton::Dfa;
use crate::octets::OctetSet;
use read::Reader;

/// A grammar's rules, by name.
#[derive(Clone, Debug)]
pub struct Grammar {
    rules: HashMap<String, Element>,
    line_of: HashMap<String, usize>,
}

impl Grammar {
    /// Reads a grammar: a rule begins in the first column, a line that begins with white space
    /// continues the one before.
    ///
    /// # Errors
    ///
    /// The first line that is no ABNF, or that defines a rule a second time.
    pub fn parse(text: &str) -> Result<Grammar, GrammarError> {
        let mut grammar = Grammar { rules: HashMap::new(), line_of: HashMap::new() };
        grammar.read_rules(CORE_RULES)?;
        // A core rule is not a first definition: the grammar may give its own.
        grammar.line_of.clear();
        grammar.read_rules(text)?;
        Ok(grammar)
    }

    /// Makes the minimal automaton of what `start_rule` matches from the first octet to the last.
    ///
    /// # Errors
    ///
    /// The rule, or one that it names, is not defined; or a rule is made of itself, which a finite
    /// automaton cannot follow.
    pub fn compile(&self, start_rule: &str) -> Result<Dfa, GrammarError> {
        let start = Element::Rule { name: start_rule.to_ascii_lowercase(), line: 0 };
        self.check(&start, &mut Vec::new(), &mut HashSet::new())?;
        Ok(Dfa::build(self, &start))
    }

    /// The names of the rules that the text defines, in small letters and in its order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.line_of.keys().map(String::as_str).collect();
        names.sort_by_key(|name| self.line_of[*name]);
        names
    }

    /// The rule of this name, in small letters; `check` has seen that it is there.
    pub(crate) fn rule(&self, name: &str) -> &Element {
        self.rules.get(name).expect("compile has checked every name that the start rule reaches")
    }

    fn read_rules(&mut self, text: &str) -> Result<(), GrammarError> {
        let mut reader = Reader::new(text);
        while let Some(rule) = reader.read_rule()? {
            let defined = self.line_of.insert(rule.name.clone(), rule.line).is_some();
            if rule.adds {
                // "=/" adds alternatives to a rule (section 3.3).
                let Some(before) = self.rules.remove(&rule.name) else {
                    return Err(GrammarError { line: rule.line, kind: GrammarErrorKind::Unknown(rule.name) });
                };
                self.rules.insert(rule.name, Element::Choice(vec![before, rule.element]));
            } else if defined {
                return Err(GrammarError { line: rule.line, kind: GrammarErrorKind::Twice(rule.name) });
            } else {
                self.rules.insert(rule.name, rule.element);
            }
        }
        Ok(())
    }

    /// Follows every name: each must be defined and none may lead back to itself.
    fn check<'g>(
        &'g self,
        element: &'g Element,
        open: &mut Vec<&'g str>,
        done: &mut HashSet<&'g str>,
    ) -> Result<(), GrammarError> {
        match element {
            Element::Octets(_) => Ok(()),
            Element::Choice(of) | Element::Sequence(of) => {
                of.iter().try_for_each(|one| self.check(one, open, done))
            }
            Element::Repeat { of, .. } => self.check(of, open, done),
            Element::Rule { name, line } => {
                let error = |kind| GrammarError { line: *line, kind };
                let Some((name, rule)) = self.rules.get_key_value(name) else {
                    return Err(error(GrammarErrorKind::Unknown(name.clone())));
                };
                if open.contains(&name.as_str()) {
                    return Err(error(GrammarErrorKind::Recursive(name.clone())));
                }
                if !done.insert(name) {
                    return Ok(());
                }
                open.push(name);
                self.check(rule, open, done)?;
                open.pop();
                Ok(())
            }
        }
    }
}

/// What the right side of a rule is made of.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    /// One octet out of a set.
    Octets(OctetSet),
    /// One of these ("/").
    Choice(Vec<Element>),
    /// These, one after the other; none is the empty string.
    Sequence(Vec<Element>),
    /// `least*most`; no `most` is no limit. An option is `0*1`.
    Repeat { least: usize, most: Option<usize>, of: Box<Element> },
    /// Another rule, its name in small letters, and the line that names it.
    Rule { name: String, line: usize },
}

/// What is wrong with a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarError {
    /// The line, the first being 1; 0 where the name came from the caller.
    pub line: usize,
    /// What is wrong.
    pub kind: GrammarErrorKind,
}

/// What can be wrong with a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrammarErrorKind {
    /// What was expected, and what stood there (nothing: the rule's end).
    Expected(&'static str, Option<char>),
    /// A number above what it stands for can hold (U+10FFFF for a character).
    TooLarge,
    /// A range or a repetition whose end is below its beginning.
    Backwards,
    /// A rule that is named and not defined.
    Unknown(String),
    /// A rule that is defined a second time.
    Twice(String),
    /// A rule that is made of itself.
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
            GrammarErrorKind::Backwards => f.write_str("the end of the range is below its beginning"),
            GrammarErrorKind::Unknown(name) => write!(f, "the rule {name} is not defined"),
            GrammarErrorKind::Twice(name) => write!(f, "the rule {name} is defined a second time"),
            GrammarErrorKind::Recursive(name) => write!(f, "the rule {name} is made of itself"),
        }
    }
}

impl Error for GrammarError {}

/// RFC 5234, appendix B.1.
const CORE_RULES: &str = r#"
ALPHA  = %x41-5A / %x61-7A
BIT    = "0" / "1"
CHAR   = %x01-7F
CR     = %x0D
CRLF   = CR LF
CTL    = %x00-1F / %x7F
DIGIT  = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB   = %x09
LF     = %x0A
LWSP   = *( WSP / CRLF WSP )
OCTET  = %x00-FF
SP     = %x20
VCHAR  = %x21-7E
WSP    = SP / HTAB
"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let error = match Grammar::parse(text) {
            Ok(grammar) => grammar.compile("a").expect_err("the grammar is wrong"),
            Err(error) => error,
        };
        error.to_string()
    }

    #[test]
    fn an_error_names_its_line() {
        assert_eq!(error("a = \"x\"\n\nb = ( \"x\"\n"), "line 3: expected \")\", found the end of the rule");
        assert_eq!(error("a = \"x\n"), "line 1: expected a closing quote, found '\\n'");
        assert_eq!(error("; c\na = b\n  / c\nb = \"\"\n"), "line 3: the rule c is not defined");
        assert_eq!(error("a = [ b ]\nb = \"x\" A\n"), "line 2: the rule a is made of itself");
        assert_eq!(error("a = \"x\"\nA = \"y\"\n"), "line 2: the rule a is defined a second time");
        assert_eq!(error("a = %x110000\n"), "line 1: the number is too large");
        assert_eq!(error("a = %x39-30\n"), "line 1: the end of the range is below its beginning");
        assert_eq!(error("a = 3*2DIGIT\n"), "line 1: the end of the range is below its beginning");
        assert_eq!(error("a = <prose>\n"), "line 1: expected an element, found '<'");
        assert_eq!(error("a =\n"), "line 1: expected an element, found the end of the rule");
        assert_eq!(error("b = \"x\"\n"), "the rule a is not defined");
    }

    #[test]
    fn a_rule_may_be_named_twice_without_being_recursive() {
        let grammar = Grammar::parse("a = b b\nb = c c\nc = DIGIT\n").expect("the grammar is well formed");
        assert!(grammar.compile("a").expect("nothing is recursive").accepts(b"1234"));
    }
}
