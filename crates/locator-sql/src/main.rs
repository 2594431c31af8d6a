//! The program `locator-sql`, which `locator sql` starts: runs a query of SQL over files.
//!
//! [`tables`] opens the files that a query names, [`query`] runs it by DataFusion with the functions of
//! this crate, [`output`] writes the result.

mod arguments;
mod failure;
mod interrupt;
mod names;
mod output;
mod progress;
mod query;
mod tables;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::failure::Failure;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    std::panic::set_hook(Box::new(|panic| {
        // The engine has met what it does not expect, in any of its threads.
        interrupt::remove_all();
        failure::say(&format!("the engine failed, which is an error of the program: {panic}"));
        #[expect(clippy::disallowed_methods, reason = "any thread of the engine may fail")]
        std::process::exit(2);
    }));
    match query::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the pipe has closed it: `locator sql … | head`.
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            failure::say(&message);
            ExitCode::from(2)
        }
    }
}
