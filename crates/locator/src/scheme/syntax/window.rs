//! A window on the errors of a text: those from an offset on, the first from the left, as many as there
//! is room for. A text may have an error at each octet, and an error takes forty; so a long text is read
//! again for each window, which takes no more memory than the text itself.

use alloc::vec::Vec;

use crate::error::{ParseError, ParseErrorKind};

/// The errors of a text by the rule of its scheme that are looked for.
#[derive(Debug)]
pub(in crate::scheme) struct Window {
    from: usize,
    room: usize,
    errors: Vec<ParseError>,
    /// The offset of the first error for which there was no room.
    rest: Option<usize>,
    /// The first error of a user or a password that is not allowed, wherever the window begins.
    login: Option<ParseError>,
}

/// How many errors of a short text a window has room for.
const LEAST: usize = 1024;

/// How many times a text is read at most for all its errors. The room for them doubles before those
/// further right are left out.
const MOST: usize = 64;

impl Window {
    /// The first window of a text.
    pub(in crate::scheme) fn at_start(text: &str) -> Self {
        Self::starting_at(0, text)
    }

    /// The window that begins at an offset.
    pub(in crate::scheme) fn starting_at(from: usize, text: &str) -> Self {
        Self { room: (text.len() / MOST).max(LEAST), from, ..Self::of_all() }
    }

    /// A window that has room for all errors.
    pub(in crate::scheme) const fn of_all() -> Self {
        Self { from: 0, room: usize::MAX, errors: Vec::new(), rest: None, login: None }
    }

    /// Adds an error, unless it is outside of the window. They need not come in order.
    pub(in crate::scheme) fn push(&mut self, error: ParseError) {
        let offset = error.offset();
        if is_of_login(&error) && self.login.is_none_or(|login| offset < login.offset()) {
            self.login = Some(error);
        }
        if offset < self.from || self.rest.is_some_and(|rest| rest <= offset) {
            return;
        }
        self.errors.push(error);
        if self.errors.len() / 2 >= self.room {
            self.leave_out();
        }
    }

    /// Leaves out the errors for which there is no room; those at one offset stay together.
    fn leave_out(&mut self) {
        self.errors.sort_by_key(ParseError::offset);
        let Some(rest) = self.errors.get(self.room).map(ParseError::offset) else { return };
        let end = self.errors.partition_point(|error| error.offset() < rest);
        if end > 0 {
            self.errors.truncate(end);
            self.rest = Some(rest);
        }
    }

    /// Returns the errors from left to right, and where the others begin.
    pub(in crate::scheme) fn end(mut self) -> (Vec<ParseError>, Option<usize>) {
        self.errors.sort_by_key(ParseError::offset);
        (self.errors, self.rest)
    }

    /// Returns the first error of a user or a password that is not allowed.
    pub(in crate::scheme) const fn login(&self) -> Option<ParseError> {
        self.login
    }
}

/// Returns whether an error is of a user or a password that is not allowed.
pub(in crate::scheme) fn is_of_login(error: &ParseError) -> bool {
    error.kind() == ParseErrorKind::NotAllowed
}
