//! The URLs of inputs: takes an argument or a line of a list, and passes the URL in it on, to be fetched
//! or planned.

use std::io;
use std::path::Path;

use super::getter::Getter;
use super::headlines;
use crate::exit::Status;
use crate::input::reading;
use crate::input::{Input, Origin};
use crate::output::Output;
use crate::pasted;
use crate::report::Reports;
use crate::run::{Answer, Skips};

/// Passes the URLs of inputs on.
pub(super) struct Urls<'a, A> {
    pub(super) getter: &'a Getter<'a>,
    pub(super) inner: A,
}

impl<A: Answer> Answer for Urls<'_, A> {
    // `-f` is curl's `--fail`.
    fn option_of_files(&self) -> &'static str {
        "--file"
    }

    fn refuses_names_of_files(&self) -> Option<&'static str> {
        self.getter.base.is_none().then_some("get")
    }

    fn unwrapped(&self, argument: &[u8]) -> Option<String> {
        pasted::unwrapped(argument, self.getter.edition)
    }

    fn skips(&self) -> Skips {
        Skips::Comments
    }

    fn explains_places(&self) -> bool {
        true
    }

    fn answer(&mut self, input: Input<'_>, out: &mut Output) -> io::Result<Status> {
        let url = self.getter.url_in(input, false);
        self.inner.answer(Input { octets: url, ..input }, out)
    }

    fn judge(&mut self, input: Input<'_>) -> Status {
        let url = self.getter.url_in(input, true);
        self.inner.judge(Input { octets: url, ..input })
    }

    fn reports(&self) -> Option<&Reports> {
        self.inner.reports()
    }
}

impl Getter<'_> {
    /// Returns the URL of an input: of a line of `locator find` without the location before it, and of
    /// one of a list of `get` without the name after it.
    fn url_in<'i>(&self, input: Input<'i>, is_quiet: bool) -> &'i [u8] {
        if input.origin == Origin::Argument {
            return input.octets;
        }
        let octets = match headlines::with_name(input.octets) {
            Some((url, name)) => {
                if self.to.is_remote_name() && !is_quiet {
                    self.headlines.keep(url, name, self.edition);
                }
                url
            }
            None => input.octets,
        };
        self.without_place(octets).unwrap_or(octets)
    }

    /// Returns the URL after a location, `README.md:12:5:URL`, or after the name of a file that exists,
    /// `README.md:URL`. What is a URL with the location is not changed.
    fn without_place<'i>(&self, octets: &'i [u8]) -> Option<&'i [u8]> {
        let url = pasted::url_after_place(octets).or_else(|| {
            let (name, url) = pasted::after_name(octets)?;
            Path::new(&*String::from_utf8_lossy(name)).exists().then_some(url)
        })?;
        let plan = |given| self.registry.plan(given, self.options).ok();
        let is_url = reading::read(octets, self.edition).is_ok_and(|read| plan(read.reference).is_some());
        (!is_url).then_some(url)
    }
}
