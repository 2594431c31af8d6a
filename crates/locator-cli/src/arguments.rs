//! The command line: the arguments that several verbs share, help, and what is meant by words that the command does not
//! have.
//!
//! The arguments of a single verb are declared with that verb. Shared are the URLs and how results are printed
//! ([`Inputs`]), editions ([`EditionArg`]), bases ([`BaseArgs`]), tables ([`TableArgs`]), settings of plans
//! ([`PlanOptionArgs`]), the configuration ([`config`]) and policies ([`policy`]). [`help`] has the texts of `-h` and
//! `--help`, [`hints`] the words of other programs, and `wget` and `curl` their options.

pub(crate) mod config;
#[cfg(feature = "get")]
pub(crate) mod curl;
mod edition;
pub(crate) mod help;
pub(crate) mod hints;
mod inputs;
#[cfg(feature = "get")]
pub(crate) mod netrc;
pub(crate) mod pattern;
mod plan;
pub(crate) mod policy;
#[cfg(feature = "get")]
mod wget;

pub(crate) use edition::PlatformArgs;
pub(crate) use edition::Suggested;
pub(crate) use edition::{EditionArg, Selection, Standard, StandardArg};
pub(crate) use help::{daily, long_help, short_help};
pub(crate) use inputs::BaseArgs;
pub(crate) use inputs::{FillArgs, TABLES, TableArgs, TableFormat, UrlTable};
pub(crate) use inputs::{
    Inputs, NULL_ENDS_RESULTS, QUIET_NO_ANSWER, RepairArgs, VerbArgs, VerbArgsOfOneEdition,
    VerbArgsOfOneStandard,
};
pub(crate) use inputs::{before_dashes, note_dashes, size};
pub(crate) use plan::PlanOptionArgs;
