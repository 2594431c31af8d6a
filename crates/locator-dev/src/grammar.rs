//! Parses the text of an RFC 5234 (ABNF) grammar. Rule names are
//! case-insensitive (section 2.1). Every grammar has the core rules of appendix B.1, and may
//! redefine them. A range that ends beyond 255 is a range of characters, in UTF-8.

mod element;
mod error;
mod read;

use std::collections::{HashMap, HashSet};

pub(crate) use element::Element;
pub use error::{GrammarError, GrammarErrorKind};
use read::Reader;

/// A grammar's rules, by name.
#[derive(Clone, Debug)]
pub struct Grammar {
    rules: HashMap<String, Element>,
    line_of: HashMap<String, usize>,
}

impl Grammar {
    /// Parses a grammar. A rule begins in the first column; a line that begins with white space
    /// continues the previous line.
    ///
    /// # Errors
    ///
    /// The first line that is not ABNF, or that defines a rule a second time.
    pub fn parse(text: &str) -> Result<Grammar, GrammarError> {
        let mut grammar = Grammar { rules: HashMap::new(), line_of: HashMap::new() };
        grammar.read_rules(CORE_RULES)?;
        // A core rule does not count as a first definition: the grammar may redefine it.
        grammar.line_of.clear();
        grammar.read_rules(text)?;
        Ok(grammar)
    }

    /// Returns the element of a rule, after a check of every rule that it refers to.
    ///
    /// # Errors
    ///
    /// See [`Grammar::compile`].
    pub(crate) fn start(&self, rule: &str) -> Result<Element, GrammarError> {
        let start = Element::Rule { name: rule.to_ascii_lowercase(), line: 0 };
        self.check(&start, &mut Vec::new(), &mut HashSet::new())?;
        Ok(start)
    }

    /// Returns the names of the rules that the text defines, in lower case and in order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.line_of.keys().map(String::as_str).collect();
        names.sort_by_key(|name| self.line_of[*name]);
        names
    }

    /// Returns the rule of this name in lower case; `check` has verified that it is defined.
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

    /// Checks that every name is defined, and that no rule refers to itself.
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
        assert_eq!(error("a = [ b ]\nb = \"x\" A\n"), "line 2: the rule a refers to itself");
        assert_eq!(error("a = \"x\"\nA = \"y\"\n"), "line 2: the rule a is defined a second time");
        assert_eq!(error("a = %x110000\n"), "line 1: the number is too large");
        assert_eq!(error("a = %x39-30\n"), "line 1: the end of the range is below its start");
        assert_eq!(error("a = 3*2DIGIT\n"), "line 1: the end of the range is below its start");
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
