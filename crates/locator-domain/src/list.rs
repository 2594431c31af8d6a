//! The Public Suffix List: takes a name in lower case, returns its longest suffix that a rule of the
//! list matches. Follows the algorithm of <https://github.com/publicsuffix/list/wiki/Format>, except
//! that the rule "*", for names that no rule matches, is left out.
//!
//! The crate `psl` has the rules as code. It does not select rules, and does not go back: it misses
//! `*.example` for the name `a.example` if there is a rule `*.a.example`. So this module asks it more
//! than once.

use psl::{List, Psl, Type};

/// The version of the Public Suffix List: the date on which it was published as a release of the crate
/// `psl`, and the version of that release.
///
/// <https://crates.io/crates/psl/2.1.247> has its rules. Store this with results that must be
/// reproducible.
///
/// ```
/// assert!(locator_domain::LIST_VERSION.starts_with("20"));
/// ```
pub const LIST_VERSION: &str = "2026-11-05 (psl 2.1.247)";

/// Which rules of the Public Suffix List apply.
///
/// ```
/// use locator_domain::{Rules, public_suffix};
///
/// assert_eq!(public_suffix("anna.github.io", Rules::default()), Some("io"));
/// assert_eq!(public_suffix("anna.github.io", Rules::Private), Some("github.io"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rules {
    /// The rules of registries, such as `com` and `co.uk`.
    #[default]
    Icann,
    /// The rules of registries, and of companies that give names to customers, such as `github.io`.
    Private,
}

/// A label that no rule names, so only a wildcard matches it.
const ANY: &[u8] = b"\0";

/// A suffix that a rule matches.
#[derive(Clone, Copy)]
pub(crate) struct Suffix {
    pub(crate) len: usize,
    pub(crate) is_private: bool,
}

/// Returns the longest suffix that one of these rules matches. The name is in lower case and has no
/// empty label.
pub(crate) fn longest(name: &str, rules: Rules) -> Option<Suffix> {
    let mut name = name;
    loop {
        let found = longest_of_all(name)?;
        if rules == Rules::Private || !found.is_private {
            return Some(found);
        }
        // The rules left are shorter, or a wildcard of a registry that the private rule hides.
        let (_, parent) = name[name.len() - found.len..].split_once('.')?;
        if wildcard_below(parent).is_some_and(|is_private| !is_private) {
            return Some(Suffix { is_private: false, ..found });
        }
        name = parent;
    }
}

/// Returns the longest suffix that any rule matches.
fn longest_of_all(name: &str) -> Option<Suffix> {
    let mut labels = Labels::of(name);
    let mut longest = find(&mut labels);
    let named = longest;
    // `psl` asks for one more label than it has rules for. What it has no rules for, no other rule hides.
    for (dot, _) in name.rmatch_indices('.').take(labels.asked.saturating_sub(2)) {
        let start = name[..dot].rfind('.').map_or(0, |before| before + 1);
        let (len, parent) = (name.len() - start, &name[dot + 1..]);
        if longest.is_some_and(|suffix| len <= suffix.len) {
            continue;
        }
        let Some(is_private) = wildcard_below(parent) else { continue };
        // "If more than one rule matches, the prevailing rule is the one which is an exception rule."
        // Only registries have exceptions, and the parent of their wildcards is in no other rule.
        let is_exception = named.is_some_and(|suffix| suffix.len == parent.len() && !suffix.is_private);
        if !is_exception || is_private {
            longest = Some(Suffix { len, is_private });
        }
    }
    longest
}

/// Returns whether the rule `*.parent` is private, if there is one.
fn wildcard_below(parent: &str) -> Option<bool> {
    let found = find(&mut Labels { ends_with_any: true, ..Labels::of(parent) })?;
    (found.len == parent.len() + 1 + ANY.len()).then_some(found.is_private)
}

/// The labels of a name from right to left. There is one type for all that is looked up, because the rules, which are
/// code, are compiled for each type of labels.
struct Labels<'n> {
    /// What is left of the name.
    rest: Option<&'n [u8]>,
    /// Whether [`ANY`] follows the labels.
    ends_with_any: bool,
    /// The number of calls.
    asked: usize,
}

impl<'n> Labels<'n> {
    fn of(name: &'n str) -> Self {
        Self { rest: Some(name.as_bytes()), ends_with_any: false, asked: 0 }
    }
}

impl<'n> Iterator for Labels<'n> {
    type Item = &'n [u8];

    /// Not inlined into the code of each rule.
    #[inline(never)]
    fn next(&mut self) -> Option<&'n [u8]> {
        self.asked += 1;
        let Some(rest) = self.rest else {
            return core::mem::take(&mut self.ends_with_any).then_some(ANY);
        };
        match rest.iter().rposition(|byte| *byte == b'.') {
            Some(dot) => {
                self.rest = rest.get(..dot);
                rest.get(dot + 1..)
            }
            None => self.rest.take(),
        }
    }
}

/// Asks `psl`, which takes the labels from right to left.
fn find(labels: &mut Labels<'_>) -> Option<Suffix> {
    let found = List.find(labels);
    found.typ.map(|kind| Suffix { len: found.len, is_private: kind == Type::Private })
}

#[cfg(test)]
mod tests {
    use super::LIST_VERSION;

    #[test]
    fn the_version_is_that_of_the_dependency() {
        let manifest = include_str!("../Cargo.toml");
        let (_, version) = LIST_VERSION.strip_suffix(')').unwrap().split_once(" (psl ").unwrap();
        assert!(manifest.contains(&std::format!("psl = {{ version = \"={version}\"")), "{LIST_VERSION}");
    }
}
