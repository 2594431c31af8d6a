//! Registered domains and public suffixes of hosts and URLs.
//!
//! A *public suffix* is a name under which anybody can register names, such as `com` and `co.uk`. A
//! *registered domain* is a public suffix with one more label: `example.co.uk`. It is what one owner
//! has, so it is the key by which people group hosts. Suffixes cannot be computed, only listed: this
//! crate has the [Public Suffix List](https://publicsuffix.org/), of the version [`LIST_VERSION`].
//!
//! # Hosts
//!
//! ```
//! use locator_domain::{Rules, public_suffix, registered_domain, subdomain};
//!
//! let host = "www.example.co.uk";
//! assert_eq!(registered_domain(host, Rules::Icann), Some("example.co.uk"));
//! assert_eq!(public_suffix(host, Rules::Icann), Some("co.uk"));
//! assert_eq!(subdomain(host, Rules::Icann), Some("www"));
//! ```
//!
//! [`Domain::new`] looks a host up once for all three. [`domain`], [`suffix`], [`domain_str`] and
//! [`suffix_str`] are what a user of the crate `psl` types.
//!
//! # URLs
//!
//! With [`DomainExt`], every type of reference has the same methods. The host is normalised first:
//!
//! ```
//! use locator::{UriBuf, UriRef, edition::RFC3987};
//! use locator_domain::{DomainExt, Rules};
//!
//! let uri = UriBuf::parse("https://WWW.Ex%61mple.CO.UK./a")?;
//! assert_eq!(
//!     uri.registered_domain(Rules::Icann).as_deref(),
//!     Some("example.co.uk")
//! );
//!
//! let iri = UriRef::parse_with("http://www.bücher.de/", &RFC3987)?;
//! assert_eq!(
//!     iri.registered_domain(Rules::Icann).as_deref(),
//!     Some("xn--bcher-kva.de")
//! );
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! # What has no registered domain
//!
//! The result is `None` for
//!
//! - an address: `127.0.0.1`, `[::1]`, `[v1.a]`, and numbers that some programs read as an IPv4 address,
//!   such as `127.1`, `0x7f.1` and `2130706433`;
//! - a name with an unknown suffix: `localhost`, `printer.lan`, `example.invalid`;
//! - a public suffix itself: `co.uk`, `com`;
//! - a text that is not a domain name: with an empty label (`a..com`, `.example.com`), a space, an escape
//!   or a delimiter such as "/" or "@", which a decoded host may contain.
//!
//! One final dot is allowed and is not part of the result. The length of a name and its labels are not
//! checked, nor are they for letters, digits and hyphens: `_dmarc.example.com` is in `example.com`.
//!
//! # ICANN and private rules
//!
//! The list has rules of registries and rules of companies that give names to their customers
//! (`github.io`). [`Rules::Icann`], the default, uses the former only, as `tldextract` does by default:
//! its result is the name that an owner has registered. [`Rules::Private`] uses both, as browsers do: its
//! result is the site that an owner controls.
//!
//! ```
//! use locator_domain::{Rules, registered_domain};
//!
//! let host = "anna.github.io";
//! assert_eq!(registered_domain(host, Rules::Icann), Some("github.io"));
//! assert_eq!(registered_domain(host, Rules::Private), Some("anna.github.io"));
//! ```

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod list;

mod domain;
mod uri;

pub use crate::domain::{
    Domain, domain, domain_str, public_suffix, registered_domain, subdomain, suffix, suffix_str,
};
pub use crate::list::{LIST_VERSION, Rules};
pub use crate::uri::DomainExt;
