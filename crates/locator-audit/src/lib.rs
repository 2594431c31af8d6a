//! Finds what is dangerous in a URL although a grammar may allow it, and decides which URLs of
//! strangers a program may fetch.
//!
//! | to … | use |
//! |---|---|
//! | know what is dangerous in a text | [`audit()`], [`Auditor`] |
//! | know which server each program contacts for a text | [`readings()`], [`Readings`] |
//! | fetch URLs of strangers: webhooks, link previews, imports | [`Policy`], [`Target`] |
//! | know how far from this machine an address is | [`Reach::of`] |
//! | find hosts that look like your own | [`Protected`] |
//! | keep secrets out of logs | [`redacted()`], [`secrets()`] |
//!
//! # Findings
//!
//! Two programs that read one URL differently are how lists of allowed hosts are bypassed. RFC 1738, 6,
//! the documents of 1997 and 2003 and RFC 3986, 7, list the dangers; the [checks](codes) follow them. A
//! check takes any text, valid or not, because programs read invalid texts, too. A [`Finding`] has a
//! [`Code`] that never changes, a [`Severity`], the bytes that it is about and a sentence.
//!
//! ```
//! use locator_audit::{Severity, audit};
//!
//! let findings = audit("http://www.example.com&story=breaking_news@10.0.0.1/");
//! let codes = findings.iter().map(|finding| finding.code().name()).collect::<Vec<_>>();
//! assert!(codes.contains(&"userinfo-like-host"));
//! assert!(findings.iter().any(|finding| finding.severity() == Severity::Medium));
//! assert!(audit("https://example.com/packages/@scope/name").is_empty());
//! ```
//!
//! # Readings
//!
//! A [`Reader`] is a model of a program that reads URLs, such as curl, Chromium or Python, made by
//! running it; or an edition of the standard. [`readings()`] asks all of them what they contact. A URL
//! for which current programs contact different hosts is a finding of [`Severity::High`].
//!
//! ```
//! let readings = locator_audit::readings("http://evil.example\\@good.example/");
//! assert!(!readings.agree());
//! let contacts = readings.contacts().iter().map(|found| found.contact.to_string()).collect::<Vec<_>>();
//! assert_eq!(contacts, ["http://good.example:80", "http://evil.example:80"]);
//! ```
//!
//! # Policies
//!
//! A [`Policy`] makes a [`Target`] of a text, or refuses it. It is against server-side request forgery:
//! it refuses hosts that programs read differently, addresses of private networks in any form, ports of
//! other protocols, and whatever has a finding of [`Severity::Medium`] or more. The addresses that a
//! name is looked up to are checked, too, and so is what an answer leads to. `docs/policy.md`
//! describes all of it, and the file that the feature `serde` reads.
//!
//! ```
//! use locator_audit::{Policy, Reach, RefusalReason};
//!
//! let policy = Policy::public_web();
//! let target = policy.check("https://www.example.com/a?b#c")?;
//! assert_eq!((target.host(), target.port(), target.path_and_query()), ("www.example.com", 443, "/a?b"));
//!
//! // An IPv6 address that contains the IPv4 address of this machine.
//! let refusal = policy.check("http://[64:ff9b::7f00:1]/").unwrap_err();
//! assert!(matches!(refusal.reason(), RefusalReason::Address { reach: Reach::ThisMachine, .. }));
//! # Ok::<_, locator_audit::Refusal>(())
//! ```
//!
//! # Pitfalls
//!
//! - A text without findings is not harmless: nothing here knows what its server does.
//! - Check first, then fetch what was checked: [`Target::path_and_query`] and [`Target::host`], never the
//!   text again, and connect to an address that [`Target::addresses`] returned. A client that looks the
//!   name up once more may get another address (DNS rebinding).
//! - A client that follows redirects itself leaves the policy: turn that off, and give each redirect to
//!   [`Policy::follow`]. A proxy looks names up itself, too ([`Policy::uses_proxies`]).
//! - [`audit()`] reads by RFC 3986 and leaves out what is only a matter of form; ask [`Auditor`] for
//!   another edition or for [`Severity::Info`].
//! - The data age: blocks of addresses, names, what programs do. Update this crate more often than the
//!   parser.
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

/// The code in the guide to policies, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/policy.md")]
struct Policies;
