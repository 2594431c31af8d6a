//! The arguments that several verbs share: inputs, editions, bases, platforms, settings of plans. The
//! arguments of a single verb are declared with that verb.

mod base;
pub(crate) mod config;
#[cfg(feature = "get")]
pub(crate) mod curl;
mod edition;
pub(crate) mod help;
mod inputs;
#[cfg(feature = "get")]
pub(crate) mod netrc;
pub(crate) mod pattern;
mod plan;
mod platform;
pub(crate) mod policy;
mod suggested;
mod table;

pub(crate) use base::BaseArgs;
pub(crate) use edition::{EditionArg, Selection};
pub(crate) use help::{daily, long_help, short_help};
pub(crate) use inputs::{Inputs, QUIET_NO_ANSWER, RepairArgs, VerbArgs, VerbArgsOfOneEdition};
pub(crate) use inputs::{before_dashes, note_dashes, size};
pub(crate) use plan::PlanOptionArgs;
pub(crate) use platform::PlatformArgs;
pub(crate) use suggested::Suggested;
pub(crate) use table::{TABLES, TableArgs, TableFormat};
