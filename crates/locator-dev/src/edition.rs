//! Reads the grammar of an edition from `spec/grammar`, and lists the start rules of each grammar.

use std::error::Error;
use std::fmt;
use std::io;

use crate::grammar::{Grammar, GrammarError};

/// The folder of the grammars.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/grammar");

/// Each edition, and the rules of its grammar that match whole strings.
pub const START_RULES: &[(&str, &[&str])] = &[
    ("url-1993", &["known-url", "generic", "known-reference", "other-reference", "partial-reference"]),
    ("url-1994", &["known-url", "otheraddress", "prefixed-known", "prefixed-other", "login"]),
    ("rfc1738", &["known-url", "otherurl", "login"]),
    ("url-1997", &["URL-reference", "site"]),
    ("rfc2396", &["absoluteURI", "URI-reference", "server"]),
    ("uri-2003", &["absolute-URI", "URI-reference", "server"]),
    ("rfc3986", &["URI", "URI-reference"]),
    ("rfc3986+zones", &["URI-reference"]),
    ("rfc3987", &["IRI", "IRI-reference"]),
];

/// Reads the grammar of an edition ("rfc3986").
///
/// # Errors
///
/// The file cannot be read, or one of its lines is not ABNF.
pub fn read_grammar(edition: &str) -> Result<Grammar, ReadError> {
    let path = format!("{FOLDER}/{edition}.abnf");
    let text = std::fs::read_to_string(&path).map_err(|error| ReadError::File(path, error))?;
    Grammar::parse(&text).map_err(|error| ReadError::Grammar(edition.to_owned(), error))
}

/// An error from [`read_grammar`].
#[derive(Debug)]
pub enum ReadError {
    /// The file at this path cannot be read.
    File(String, io::Error),
    /// The grammar of this edition is not ABNF.
    Grammar(String, GrammarError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{path} cannot be read: {error}"),
            Self::Grammar(edition, error) => write!(f, "{edition}.abnf, {error}"),
        }
    }
}

impl Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(edition: &str, rule: &str, text: &str) -> bool {
        let grammar = read_grammar(edition).expect("the grammars of the project are well formed");
        grammar.compile(rule).expect("the rule is one of the edition's").accepts(text.as_bytes())
    }

    #[test]
    fn rfc3986_accepts_what_it_should() {
        let yes = [
            "http://a/b/c/d;p?q#f",
            "HTTP://[::1]:80/",
            "urn:a:b",
            "a:",
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "x://[v1.a:b]",
            "x://[::1.2.3.4]",
            "x://999.1.1.1:",
            "x:/%41",
        ];
        for text in yes {
            assert!(accepts("rfc3986", "URI", text), "{text}");
        }
        for text in ["", "//h", "a?b", "./a:b", "?", "#"] {
            assert!(!accepts("rfc3986", "URI", text), "{text}");
            assert!(accepts("rfc3986", "URI-reference", text), "{text}");
        }
    }

    #[test]
    fn rfc3986_refuses_what_it_should() {
        let no = [
            "1a:b",
            ":",
            "a b",
            "http://a/%4",
            "http://a/%zz",
            "http://[::1",
            "http://[1::2::3]/",
            "http://[::256.1.1.1]/",
            "http://[12345::]/",
            "a#b#c",
            "http://a:b/",
            "http://a/\u{e9}",
            "http://a/[",
        ];
        for text in no {
            assert!(!accepts("rfc3986", "URI-reference", text), "{text}");
        }
    }

    #[test]
    fn a_label_of_2003_has_63_characters_at_most() {
        assert!(accepts("uri-2003", "server", &"a".repeat(63)));
        assert!(!accepts("uri-2003", "server", &"a".repeat(64)));
    }

    #[test]
    fn every_rule_of_every_edition_is_regular() {
        for (edition, start_rules) in START_RULES {
            let grammar = read_grammar(edition).expect("the grammars of the project are well formed");
            let names = grammar.names();
            assert!(start_rules.iter().all(|rule| names.contains(&rule.to_ascii_lowercase().as_str())));
            for name in names {
                assert!(grammar.compile(name).is_ok(), "{edition} {name}");
            }
        }
    }

    #[test]
    fn a_missing_edition_is_named() {
        let error = read_grammar("rfc0").expect_err("there is no such edition");
        assert!(error.to_string().contains("rfc0.abnf"), "{error}");
    }
}
