//! A parser whose values completions offer. It accepts others, too.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// A parser, with the values to offer. Help should hide them: they are many.
#[derive(Clone)]
pub(crate) struct Suggested<P> {
    parser: P,
    names: fn() -> Vec<String>,
}

impl<P: TypedValueParser> Suggested<P> {
    /// Offers the names as values of the parser.
    pub(crate) const fn new(parser: P, names: fn() -> Vec<String>) -> Self {
        Self { parser, names }
    }
}

impl<P: TypedValueParser> TypedValueParser for Suggested<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        // Names are few, and completions are printed once.
        let name = |name: String| PossibleValue::new(&*name.leak());
        Some(Box::new((self.names)().into_iter().map(name)))
    }
}
