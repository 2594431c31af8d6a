//! The verbs: a file each, with options, help, work and output; long ones also have a directory.
//!
//! [`Verb`] lists them in the order of the help. A verb that has a result for each URL implements
//! [`Answer`](crate::run::Answer), and one that prints a line for each [`Make`](crate::run::transform::Make).

mod audit;
mod check;
mod compare;
mod convert;
mod defang;
pub(crate) mod edit;
mod editions;
mod encode;
mod expand;
mod file;
mod find;
mod generate;
#[cfg(feature = "get")]
pub(crate) mod get;
#[cfg(feature = "links")]
mod links;
mod normalize;
#[cfg(feature = "serve")]
mod open;
mod plan;
mod read;
mod relative;
mod resolve;
mod schemes;
#[cfg(feature = "serve")]
mod serve;
mod sql;
mod uniq;
mod whatwg;

use clap::{Command, Subcommand};

use crate::exit::{CliError, Status};
use crate::output::Output;

/// Every verb, in the order of the help. The description of each is that of its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Read(read::ReadArgs),
    Check(check::CheckArgs),
    Resolve(resolve::ResolveArgs),
    Relative(relative::RelativeArgs),
    Normalize(normalize::NormalizeArgs),
    Convert(convert::ConvertArgs),
    Compare(compare::CompareArgs),
    Edit(Box<edit::EditArgs>),
    Encode(encode::EncodeArgs),
    Decode(encode::DecodeArgs),
    Expand(expand::ExpandArgs),
    Defang(defang::DefangArgs),
    Refang(defang::RefangArgs),
    File(file::FileArgs),
    Path(file::PathArgs),
    Find(Box<find::FindArgs>),
    #[cfg(feature = "links")]
    Links(Box<links::LinksArgs>),
    Uniq(uniq::UniqArgs),
    Sql(sql::SqlArgs),
    Audit(audit::AuditArgs),
    Plan(plan::PlanArgs),
    #[cfg(feature = "get")]
    Get(Box<get::GetArgs>),
    #[cfg(feature = "serve")]
    Serve(Box<serve::ServeArgs>),
    #[cfg(feature = "serve")]
    Open(open::OpenArgs),
    Schemes(schemes::SchemesArgs),
    Editions(editions::EditionsArgs),
    Completions(generate::CompletionsArgs),
    Man(generate::ManArgs),
}

impl Verb {
    /// Returns whether the line of `get` reads standard input, which only one of several can.
    pub(crate) fn reads_stdin(&self) -> bool {
        match self {
            #[cfg(feature = "get")]
            Self::Get(args) => args.reads_stdin(),
            _ => false,
        }
    }

    /// Runs the verb; `command` describes the whole command line.
    pub(crate) fn run(self, command: fn() -> Command, out: &mut Output) -> Result<Status, CliError> {
        match self {
            Self::Read(args) => read::run(&args, out),
            Self::Check(args) => check::run(&args, out),
            Self::Resolve(args) => resolve::run(&args, out),
            Self::Relative(args) => relative::run(&args, out),
            Self::Normalize(args) => normalize::run(&args, out),
            Self::Convert(args) => convert::run(&args, out),
            Self::Compare(args) => compare::run(&args, out),
            Self::Edit(args) => edit::run(*args, out),
            Self::Encode(args) => encode::encode(&args, out),
            Self::Decode(args) => encode::decode(&args, out),
            Self::Expand(args) => expand::run(args, out),
            Self::Defang(args) => defang::defang(&args, out),
            Self::Refang(args) => defang::refang(&args, out),
            Self::File(args) => file::to_url(&args, out),
            Self::Path(args) => file::to_path(&args, out),
            Self::Find(args) => find::run(&args, out),
            #[cfg(feature = "links")]
            Self::Links(args) => links::run(*args, out),
            Self::Uniq(args) => uniq::run(&args, out),
            Self::Sql(args) => sql::run(&args),
            Self::Audit(args) => audit::run(&args, out),
            Self::Plan(args) => plan::run(&args, out),
            #[cfg(feature = "get")]
            Self::Get(mut args) => get::run(&mut args, out),
            #[cfg(feature = "serve")]
            Self::Serve(args) => serve::run(&args, out),
            #[cfg(feature = "serve")]
            Self::Open(args) => open::run(&args, out),
            Self::Schemes(args) => schemes::run(&args, out),
            Self::Editions(args) => editions::run(&args, out),
            Self::Completions(args) => generate::completions(&args, command(), out),
            Self::Man(args) => generate::man(args, command(), out),
        }
    }
}
