//! What is dangerous in a URL although a grammar may allow it: takes a text, valid or not, and
//! returns findings with their positions.
//!
//! Two programs that read one URL differently are how allow-lists are bypassed. RFC 1738, 6, the
//! documents of 1997 and 2003 and RFC 3986, 7, list the dangers; [`checks`](codes) follow them.
//!
//! ```
//! use locator_audit::{self as audit, Severity};
//!
//! let findings = audit::audit("http://www.example.com&story=breaking_news@10.0.0.1/");
//! let codes = findings.iter().map(|finding| finding.code().name()).collect::<Vec<_>>();
//! assert!(codes.contains(&"userinfo-like-host"));
//! assert!(findings.iter().any(|finding| finding.severity() == Severity::Medium));
//! assert!(audit::audit("https://example.com/packages/@scope/name").is_empty());
//! ```
//!
//! A [`Policy`] says which URLs of strangers a program may fetch: it makes a [`Target`] of a text, or
//! refuses it. [`Reach`] says of an address how far from this machine it is.
//!
//! [`Protected`] has the names that hosts must not imitate.
//!
//! # Features
//!
//! - `std` (on by default): selects the fastest SIMD backend at run time.
//! - `public-suffix`: policies that know registrable domains by the public suffix list.
//! - `serde`: policies from maps; severities and reaches as strings.
//!
//! Without features the crate needs `core` and `alloc` only. No feature changes what is found.

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod address;
mod auditor;
mod checks;
mod divided;
mod domain;
mod finding;
mod plain;
mod policy;
mod protected;
mod readers;
mod schemes;
#[cfg(feature = "serde")]
mod serde;

pub use address::{Block, Embedded, Embedding, Nat64Prefix, Nat64PrefixError, Reach};
pub use auditor::{Auditor, audit, redacted, secrets};
pub use finding::{Code, Finding, Precision, Severity};
#[cfg(all(feature = "serde", feature = "public-suffix"))]
pub(crate) use policy::is_registrable;
pub use policy::{Peer, Policy, Refusal, RefusalReason, Target};
pub use protected::{Protected, ProtectedNameError};
pub use readers::{Contact, Contacted, Host, Outcome, Reader, Readings, Returned, Source, readers, readings};

/// Returns every code that a finding can have. The last is that of [`Policy::audit`].
pub fn codes() -> impl Iterator<Item = &'static Code> {
    checks::CHECKS.iter().flat_map(|(check, _)| check.codes.iter().copied()).chain([&policy::REFUSED])
}

/// Returns the code with this name; `None` if there is no such code.
#[must_use]
pub fn code(name: &str) -> Option<&'static Code> {
    codes().find(|code| code.name() == name)
}

/// The code in the guide to the library, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Guide;

/// The code in the guide to policies, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/policy.md")]
struct Policies;
