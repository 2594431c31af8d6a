//! Finds what is dangerous in a URL although a grammar may allow it, and decides which URLs of
//! strangers a program may fetch.
//!
//! | to … | use |
//! |---|---|
//! | know what is dangerous in a text | [`audit()`], [`Auditor`] |
//! | know which server each program contacts for a text | [`readings()`], [`Readings`] |
//! | fetch URLs of strangers: webhooks, link previews, imports | [`Policy`], [`Target`] |
//! | check where a redirect leads | [`Policy::follow`], [`Peer`] |
//! | know how far from this machine an address is | [`Reach::of`] |
//! | find hosts that look like your own | [`Protected`] |
//! | compare the text of a link with where it leads | `Auditor::misleading_text` |
//! | see what a safe link of a mail provider leads to | [`wrapped_link`] |
//! | keep secrets out of logs | [`redacted()`], [`secrets()`] |
//! | list and explain the findings | [`codes()`], [`code()`], [`Code::explanation`] |
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
//! let text = "http://www.example.com&story=breaking_news@10.0.0.1/";
//! let findings = audit(text);
//! let finding = findings
//!     .iter()
//!     .find(|finding| finding.code().name() == "userinfo-like-host")
//!     .unwrap();
//! assert_eq!(finding.severity(), Severity::Medium);
//! assert_eq!(&text[finding.span()], "www.example.com&story=breaking_news");
//!
//! assert!(audit("https://example.com/packages/@scope/name").is_empty());
//! ```
//!
//! # Readings
//!
//! A [`Reader`] is a model of a program that reads URLs, such as curl or Python, made by running it; or an
//! edition of the standard; or the parser of the URL Standard, by which browsers read. [`readings()`] asks all of them what they contact. A URL
//! for which current programs contact different hosts is a finding of [`Severity::High`].
//!
//! ```
//! let readings = locator_audit::readings("http://evil.example\\@good.example/");
//! assert!(!readings.agree());
//! let contacts = readings.contacts().into_iter();
//! let contacts: Vec<_> =
//!     contacts.map(|found| found.contact.to_string()).collect();
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
//! assert_eq!((target.host(), target.port()), ("www.example.com", 443));
//! assert_eq!(target.path_and_query(), "/a?b");
//!
//! // An IPv6 address that contains the IPv4 address of this machine.
//! let refusal = policy.check("http://[64:ff9b::7f00:1]/").unwrap_err();
//! let RefusalReason::Address { reach, .. } = refusal.reason() else {
//!     panic!("{refusal}");
//! };
//! assert_eq!(*reach, Reach::ThisMachine);
//! # Ok::<_, locator_audit::Refusal>(())
//! ```
//!
//! This is how to connect: check, look the name up, check the addresses, connect to one of them.
//!
//! ```
//! use locator_audit::Policy;
//! use std::net::{TcpStream, ToSocketAddrs};
//!
//! fn connect(url: &str) -> Result<TcpStream, Box<dyn std::error::Error>> {
//!     let target = Policy::public_web().check(url)?;
//!     let found = (target.name_to_look_up(), target.port()).to_socket_addrs()?;
//!     let allowed = target.addresses(found.map(|found| found.ip()))?;
//!     Ok(TcpStream::connect(&*allowed)?)
//! }
//!
//! assert!(connect("http://169.254.169.254/latest/meta-data/").is_err());
//! ```
//!
//! [`locator-fetch`](https://docs.rs/locator-fetch) does all of this for HTTP and the other schemes of RFC 1738.
//!
//! # Secrets
//!
//! [`redacted()`] hides passwords, tokens and keys of a text before it is logged; the text may be invalid.
//!
//! ```
//! let text = "https://jan:hunter2@example.com/?a=1";
//! let shown = locator_audit::redacted(text).to_string();
//! assert_eq!(shown, "https://jan:(hidden)@example.com/?a=1");
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
//! Without features the crate needs `core` and `alloc` only. No feature changes what is found.
//!
//! | feature | adds | to add it |
//! |---|---|---|
//! | `std` (default) | the choice of the fastest SIMD backend at run time | `cargo add locator-audit` |
//! | `public-suffix` | registrable domains: `Policy::same_site`, `Policy::domains`, `Auditor::misleading_text` | `cargo add locator-audit -F public-suffix` |
//! | `serde` | policies from maps, such as a file; severities and reaches as strings | `cargo add locator-audit -F serde` |

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod address;
mod attacks;
mod auditor;
mod checks;
mod divided;
mod domain;
mod enclosed;
mod finding;
#[cfg(feature = "public-suffix")]
mod link_text;
mod nested;
mod plain;
mod policy;
mod presigned;
mod protected;
mod readers;
mod schemes;
#[cfg(feature = "serde")]
mod serde;
mod services;
mod unwrap;

pub use address::{Block, Embedded, Embedding, Nat64Prefix, Nat64PrefixError, Reach};
pub use attacks::Attack;
pub use auditor::{Auditor, audit, redacted, secrets};
pub use checks::does_harm;
pub use finding::{Code, Finding, Precision, Severity};
#[cfg(all(feature = "serde", feature = "public-suffix"))]
pub(crate) use policy::is_registrable;
pub use policy::{Peer, Policy, Refusal, RefusalReason, Target};
pub use protected::{Protected, ProtectedNameError};
pub use readers::{
    Argued, Argument, Contact, Contacted, Host, Outcome, Program, Reader, Readings, Returned, Source,
    arguments, readers, readings,
};
pub use unwrap::{WrappedLink, wrapped_link};

/// Returns every code that a finding can have. The last two are those of links with a text and of [`Policy::audit`].
pub fn codes() -> impl Iterator<Item = &'static Code> {
    let of_checks = checks::CHECKS.iter().flat_map(|(check, _)| check.codes.iter().copied());
    of_checks.chain([&checks::MISLEADING_TEXT, &policy::REFUSED])
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

/// The code in the guide to untrusted URLs, tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/untrusted-urls.md")]
struct UntrustedUrls;
