//! The arguments that several verbs share: inputs, editions, bases, platforms, settings of plans. The
//! arguments of a single verb are declared with that verb.

mod base;
mod edition;
mod help;
mod inputs;
mod plan;
mod platform;
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
