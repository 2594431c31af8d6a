//! Compiles a rule of an RFC 5234 grammar into its minimal automaton, and computes a set of strings
//! that distinguish the automaton from any other recogniser of at most its size. It also has small
//! servers to test clients against ([`servers`], [`prospero`], [`wais`]), and reads the cases of tests.
//!
//! ```
//! use locator_dev::{Grammar, test_set};
//!
//! let grammar = Grammar::parse("pairs = *( \"x\" \"y\" )\n")
//!     .expect("the grammar is well formed");
//! let dfa = grammar.compile("pairs").expect("the rule is defined and regular");
//! assert!(dfa.accepts(b"xyxy") && !dfa.accepts(b"xyx"));
//! test_set(&dfa)
//!     .for_each(|text, accepted| assert_eq!(dfa.accepts(text), accepted));
//! ```

#![forbid(unsafe_code)]

pub mod automaton;
#[cfg(feature = "cases")]
pub mod cases;
pub mod edition;
pub mod grammar;
pub mod model;
pub mod prospero;
pub mod random;
#[cfg(feature = "rules")]
pub mod rules;
pub mod servers;
pub mod wais;
pub mod wmethod;

pub use automaton::Dfa;
pub use grammar::{Grammar, GrammarError, GrammarErrorKind};
pub use wmethod::{Representatives, TestSet, test_set, test_set_with};

/// Returns whether tests shall take larger sets than their argument needs: `LOCATOR_THOROUGH=1`, which
/// `scripts/builds/thorough` sets every week.
#[must_use]
pub fn is_thorough() -> bool {
    std::env::var_os("LOCATOR_THOROUGH").is_some_and(|value| value == "1")
}
