//! The checks, each a file: what it finds, and the function that looks for it.

mod characters;
pub(crate) mod check;
mod confusables;
mod decoded;
mod dots;
mod escapes;
mod form;
mod hosts;
mod path;
mod ports;
pub(crate) mod reader;
mod scheme;
mod scheme_form;
mod secrets;
mod unusual;
mod userinfo;

use crate::plain::ordinary::Signs;
use check::Check;

pub use characters::does_harm;

/// Every check with its signs, in the order of a URL's components. A check is made only if the text
/// has one of its signs.
pub(crate) static CHECKS: &[(&Check, Signs)] = &[
    (&scheme::CHECK, Signs::ALWAYS),
    (&userinfo::CHECK, Signs::ALWAYS),
    (&hosts::CHECK, Signs::ALWAYS),
    (&unusual::CHECK, Signs::ALWAYS),
    (&confusables::CHECK, Signs::ALWAYS),
    (&ports::CHECK, Signs::ALWAYS),
    (&reader::CHECK, Signs::ALWAYS),
    (&decoded::CHECK, Signs::ALWAYS),
    (&path::CHECK, Signs::DOTS),
    (&secrets::CHECK, Signs::ALWAYS),
    (&secrets::HOOKS, Signs::ALWAYS),
    (&escapes::CHECK, Signs::PERCENT),
    (&dots::CHECK, Signs::ALWAYS),
    (&characters::CHECK, Signs::ODD.and(Signs::PERCENT)),
    (&form::CHECK, Signs::ALWAYS),
    (&scheme_form::CHECK, Signs::ALWAYS),
];
