//! The arguments that several verbs share: inputs, editions, bases, platforms. What one verb alone takes is declared
//! with that verb.

mod base;
mod edition;
mod inputs;
mod platform;

pub(crate) use base::BaseArgs;
pub(crate) use edition::{By, Selection};
pub(crate) use inputs::{Asked, AskedByOne, Inputs, QUIET_NO_ANSWER, RepairAsked};
pub(crate) use platform::PlatformAsked;

/// What stands after the options with `--help`: what can be relied on, then what stands there with `-h` too.
pub(crate) fn long_help(details: &str, examples: &str) -> String {
    format!("{details}\n\n{examples}")
}
