//! The arguments that several verbs share: inputs, editions, bases, platforms, settings of plans. The
//! arguments of a single verb are declared with that verb.

mod base;
mod edition;
mod inputs;
mod plan;
mod platform;

pub(crate) use base::BaseArgs;
pub(crate) use edition::{EditionArg, Selection};
#[cfg(feature = "get")]
pub(crate) use inputs::size;
pub(crate) use inputs::{Inputs, QUIET_NO_ANSWER, RepairArgs, VerbArgs, VerbArgsOfOneEdition};
pub(crate) use plan::PlanOptionArgs;
pub(crate) use platform::PlatformArgs;

/// Returns the text after the options in `--help`: the details, then the examples, which `-h`
/// prints too.
pub(crate) fn long_help(details: &str, examples: &str) -> String {
    format!("{details}\n\n{examples}")
}
