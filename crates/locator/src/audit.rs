//! What is dangerous in a URL although a grammar may allow it: takes a text, valid or not, and
//! returns findings with their positions.
//!
//! Two programs that read one URL differently are how allow-lists are bypassed. RFC 1738, 6, the
//! documents of 1997 and 2003 and RFC 3986, 7, list the dangers; [`checks`](codes) follow them.
//!
//! ```
//! use locator::audit::{self, Severity};
//!
//! let findings = audit::audit("http://www.example.com&story=breaking_news@10.0.0.1/");
//! let codes = findings.iter().map(|finding| finding.code().name()).collect::<Vec<_>>();
//! assert!(codes.contains(&"userinfo-like-host"));
//! assert!(findings.iter().any(|finding| finding.severity() == Severity::Medium));
//! assert!(audit::audit("https://example.com/packages/@scope/name").is_empty());
//! ```
//!
//! A check is a value in one list. To add one, write a file in `audit/`, with the codes of its
//! findings and a function, and add it to `CHECKS`; its cases are in `testdata/audit`.

mod finding;
mod subject;
mod userinfo;

pub use finding::{Code, Finding, Precision, Severity};

use alloc::vec::Vec;

use crate::edition::{self, Edition};
use finding::{Check, Findings};
use subject::Subject;

/// Every check, in the order of a URL's components.
static CHECKS: [&Check; 1] = [&userinfo::CHECK];

/// Returns the findings of a text, read by RFC 3986, from left to right.
#[must_use]
pub fn audit(text: &str) -> Vec<Finding> {
    audit_with(text, edition::DEFAULT)
}

/// Returns the findings of a text, read by an edition, from left to right.
///
/// The text need not be valid: it is divided into components by appendix B of RFC 3986.
#[must_use]
pub fn audit_with(text: &str, edition: &'static Edition) -> Vec<Finding> {
    let subject = Subject::new(text, edition);
    let mut findings = Findings::default();
    for check in CHECKS {
        (check.run)(&subject, &mut findings);
    }
    findings.sorted()
}

/// Returns every code that a finding can have.
pub fn codes() -> impl Iterator<Item = &'static Code> {
    CHECKS.iter().flat_map(|check| check.codes.iter().copied())
}

/// Returns the code with this name; `None` if there is no such code.
#[must_use]
pub fn code(name: &str) -> Option<&'static Code> {
    codes().find(|code| code.name() == name)
}
