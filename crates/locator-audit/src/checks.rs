//! The checks, each a file: what it finds, and the function that looks for it.
//!
//! A [`Check`] takes a [`Subject`](check::Subject), the text with its components, and adds to the
//! [`Findings`](crate::finding::Findings). [`CHECKS`] has all of them with the [`Signs`] without which a check
//! cannot find anything, so that nearly every text needs only a few. RFC 1738, 6, and RFC 3986, 7, list the
//! dangers. `docs/contributing/check.md` adds a check, step by step.
//!
//! ```text
//! let subject = Subject::new("http://0x7f.1/", edition, true, Severity::Low);
//! let mut findings = Findings::default();
//! (hosts::CHECK.run)(&subject, &mut findings); // disguised-address
//! ```

mod characters;
pub(crate) mod check;
mod confusables;
mod decoded;
mod dots;
mod escapes;
mod form;
mod hosts;
mod idna;
mod imitation;
mod labels;
mod path;
mod ports;
pub(crate) mod reader;
mod scheme;
mod scheme_form;
mod secrets;
mod services;
mod unusual;
mod userinfo;

use crate::plain::ordinary::Signs;
use check::Check;

pub use characters::does_harm;
pub(crate) use services::MISLEADING_TEXT;

/// Every check with its signs, in the order of a URL's components. A check is made only if the text
/// has one of its signs.
pub(crate) static CHECKS: &[(&Check, Signs)] = &[
    (&scheme::CHECK, Signs::ALWAYS),
    (&userinfo::CHECK, Signs::ALWAYS),
    (&hosts::CHECK, Signs::ALWAYS),
    (&labels::CHECK, Signs::ALWAYS),
    (&unusual::CHECK, Signs::ALWAYS),
    (&confusables::CHECK, Signs::LETTERS),
    (&ports::CHECK, Signs::ALWAYS),
    (&reader::CHECK, Signs::ALWAYS),
    // After `reader`: what that reports of a host is not said again.
    (&idna::CHECK, Signs::LETTERS),
    (&imitation::CHECK, Signs::ALWAYS),
    (&decoded::CHECK, Signs::ALWAYS),
    (&path::CHECK, Signs::DOTS),
    (&secrets::CHECK, Signs::ALWAYS),
    (&secrets::HOOKS, Signs::ALWAYS),
    (&escapes::CHECK, Signs::PERCENT),
    (&dots::CHECK, Signs::ALWAYS),
    (&characters::CHECK, Signs::ODD.union(Signs::PERCENT)),
    (&form::CHECK, Signs::ALWAYS),
    (&scheme_form::CHECK, Signs::ALWAYS),
    (&services::CHECK, Signs::ALWAYS),
];
