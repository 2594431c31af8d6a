//! The command `locator`: a table of contents.
//!
//! Arguments enter, an exit status leaves. A verb is a file; what it says is in [`show`].

mod arguments;
mod base;
mod check;
mod compare;
mod config;
mod convert;
mod edit;
mod editions;
mod every;
mod exit;
mod failure;
mod file;
mod find;
mod generate;
mod help;
mod hint;
mod input;
mod interrupt;
mod lint;
mod make;
mod normalize;
mod path;
mod plan;
mod progress;
mod read;
mod reading;
mod redirects;
mod relative;
mod resolve;
mod run;
mod schemes;
mod selection;
mod show;

use std::process::ExitCode;

use crate::arguments::{Arguments, Verb};
use crate::exit::Trouble;
use crate::run::Output;
use crate::show::secrets;

fn main() -> ExitCode {
    let arguments = match arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => return exit::wrong_use(&error),
    };
    secrets::show(arguments.show_secrets);
    let mut out = Output::open(arguments.color);
    let result = obey(arguments, &mut out);
    exit::code(result)
}

fn obey(arguments: Arguments, out: &mut Output) -> Result<exit::Status, Trouble> {
    match arguments.verb {
        Verb::Read { asked } => read::run(asked, out),
        Verb::Check { asked, checks } => check::run(&asked, &checks, out),
        Verb::Resolve { ground, asked } => resolve::run(&ground, &asked, out),
        Verb::Relative { relation, asked } => relative::run(&relation, &asked, out),
        Verb::Normalize { normal, asked } => normalize::run(&normal, &asked, out),
        Verb::Convert { conversion, asked } => convert::run(&conversion, &asked, out),
        Verb::Compare { asked } => compare::run(&asked, out),
        Verb::Edit { edits, asked } => edit::run(*edits, asked, out),
        Verb::File { asked, inputs } => file::run(&asked, &inputs, out),
        Verb::Path { of, asked } => path::run(of, &asked, out),
        Verb::Find { sought } => find::run(&sought, out),
        Verb::Plan { wishes, asked } => plan::run(&wishes, &asked, out),
        Verb::Schemes { names, json } => schemes::run(&names, json, out),
        Verb::Editions { json } => editions::run(json, out),
        Verb::Completions { shell } => generate::completions(shell, out),
        Verb::Man { verb } => generate::man(verb, out),
    }
}
