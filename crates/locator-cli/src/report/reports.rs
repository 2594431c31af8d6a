//! Reports the errors of all inputs: the first ten in full, the others on one line each, and a
//! total.

use std::io::{self, IsTerminal, Write, stderr};

use anstyle::Style;
use locator::{ParseError, Redacted};
use locator_audit::Finding;
use locator_web::report::quantity::grouped;

use super::diagnosis;
use super::excerpt::beginning;
use super::failure;
use crate::arguments::Inputs;
use crate::input::url_standard::UrlError;
use crate::input::{Input, Origin};
use crate::output::Output;
use crate::output::Place;
use crate::output::paragraph;
use crate::output::progress;
use crate::report::failure::Failure;
use crate::report::findings;
use crate::report::findings::Warning;
use crate::terminal::paint::{BAD, GOOD, STRONG};
use crate::terminal::{Word, secrets};

/// The errors reported in a run.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// Whether each error has one line.
    brief: bool,
    /// Whether nothing is printed.
    silent: bool,
    /// How many errors have been reported.
    reported: u64,
    /// How many warnings have been reported.
    warned: u64,
    /// How many inputs had an error, and the last one: its number, and what that counts.
    inputs: u64,
    last: Option<(Origin, u64)>,
}

impl Reports {
    /// How many errors are reported in full.
    const DRAWN: u64 = 10;

    /// No errors yet.
    pub(crate) fn new(asked: &Inputs) -> Self {
        Self { brief: asked.brief, silent: asked.no_messages, ..Self::default() }
    }

    /// Prints errors, whatever was asked for.
    #[cfg(feature = "get")]
    pub(crate) const fn speak(&mut self) {
        self.silent = false;
    }

    /// Whether nothing is printed.
    pub(crate) const fn is_silent(&self) -> bool {
        self.silent
    }

    /// Reports why an input has no result.
    #[cold]
    pub(crate) fn report(&mut self, errors: &mut Output, input: Input<'_>, why: &Failure) {
        // A failure to write to standard error is ignored.
        let _ = self.failure(errors, &At { input, given: None }, why).and_then(|()| errors.flush());
    }

    /// Reports why an input has no result, as the output of a verb.
    #[cold]
    pub(crate) fn failure(&mut self, out: &mut Output, at: &At<'_>, why: &Failure) -> io::Result<()> {
        let input = at.input;
        self.count(input);
        if self.silent {
            return Ok(());
        }
        let (place, octets) = (at.place(failure::octet(why)), input.octets);
        if !self.next(out)? {
            return failure::draw(out, &place, octets, why);
        }
        let (gateway, why) = match why {
            Failure::Gateway { url, secrets, why } => (Some(secrets::redacted_with(url, secrets)), &**why),
            why => (None, why),
        };
        let text = String::from_utf8_lossy(octets);
        let (place, redacted) = match gateway {
            Some(url) => (place.with(failure::VIA_GATEWAY), url),
            None => (place, secrets::redacted(&text)),
        };
        let sentence = match why {
            Failure::NotValid(error) => diagnosis::in_one_line(None, &place, &redacted.error(*error)),
            Failure::NotAUrl(error) => {
                diagnosis::url_error_in_one_line(None, place.has_no_byte(), &redacted, error)
            }
            why => failure::sentence(why, &redacted),
        };
        let url = (!at.is_in_file()).then(|| beginning(&redacted));
        line(out, &place, Word::Error, &sentence, url.as_deref())
    }

    /// Reports the errors of an invalid input.
    #[cold]
    pub(crate) fn errors(
        &mut self,
        out: &mut Output,
        at: &At<'_>,
        edition: Option<&str>,
        errors: impl Iterator<Item = ParseError>,
    ) -> io::Result<()> {
        let input = at.input;
        self.count(input);
        if self.silent {
            return Ok(());
        }
        let text = String::from_utf8_lossy(input.octets);
        let redacted = secrets::redacted(&text);
        let url = (!at.is_in_file()).then(|| beginning(&redacted));
        let mut hidden = None;
        for error in errors {
            // Further errors of the same password add nothing.
            let inside = redacted.hidden_at(error.offset());
            if inside.is_some() && inside == hidden {
                continue;
            }
            hidden = inside;
            let place = at.place(error.offset());
            if self.next(out)? {
                let sentence = diagnosis::in_one_line(edition, &place, &redacted.error(error));
                line(out, &place, Word::Error, &sentence, url.as_deref())?;
            } else {
                diagnosis::write(out, &place, edition, &redacted, &error)?;
            }
        }
        Ok(())
    }

    /// Counts an input with an error, or with a warning if nothing is printed; returns whether something is.
    fn counts(&mut self, at: &At<'_>, word: Word) -> bool {
        let is_error = word == Word::Error;
        if is_error {
            self.count(at.input);
        }
        if self.silent {
            self.warned += u64::from(!is_error);
        }
        !self.silent
    }

    /// Begins the next report of this kind; returns whether it has one line.
    fn next_of(&mut self, out: &mut Output, word: Word) -> io::Result<bool> {
        if word == Word::Error { self.next(out) } else { self.next_warning(out) }
    }

    /// Reports errors of an input by the URL Standard, as warnings if the word says so.
    #[cold]
    pub(crate) fn url_errors(
        &mut self,
        out: &mut Output,
        at: &At<'_>,
        edition: Option<&str>,
        errors: impl Iterator<Item = UrlError>,
        word: Word,
    ) -> io::Result<()> {
        if !self.counts(at, word) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(at.input.octets);
        let redacted = secrets::redacted(&text);
        let url = (!at.is_in_file()).then(|| beginning(&redacted));
        for error in errors {
            let place = at.place(error.span().start);
            let is_brief = self.next_of(out, word)?;
            if is_brief {
                let no_byte = place.has_no_byte();
                let sentence = diagnosis::url_error_in_one_line(edition, no_byte, &redacted, &error);
                line(out, &place, word, &sentence, url.as_deref())?;
            } else {
                diagnosis::write_url_error(out, &place, edition, &redacted, &error, word)?;
            }
        }
        Ok(())
    }

    /// Reports a warning for a valid input, in full as an error is. `word` is that for an error if
    /// warnings are errors.
    #[cold]
    pub(crate) fn warning(
        &mut self,
        out: &mut Output,
        at: &At<'_>,
        warning: &Warning,
        url: &Redacted<'_>,
        word: Word,
    ) -> io::Result<()> {
        if !self.counts(at, word) {
            return Ok(());
        }
        let place = at.place(warning.span.start as usize);
        let is_brief = self.next_of(out, word)?;
        if !is_brief {
            return diagnosis::write_warning(out, &place, url, warning, word);
        }
        let url = (!at.is_in_file()).then(|| beginning(url));
        line(out, &place, word, &diagnosis::warning_in_one_line(warning, word), url.as_deref())
    }

    /// Returns how many warnings have been reported.
    pub(crate) const fn warned(&self) -> u64 {
        self.warned
    }

    /// Writes what is dangerous in the URL of an input, or in what was made of it, on one line.
    pub(crate) fn note(
        &self,
        errors: &mut Output,
        out: &mut Output,
        input: Input<'_>,
        url: &str,
        findings: &[Finding],
    ) -> io::Result<()> {
        let Some(remark) = findings::remark(url, findings).filter(|_| !self.silent) else { return Ok(()) };
        // On a terminal, keep results and notes in the order of the input.
        out.flush()?;
        let written = input
            .place(0)
            .begin(errors, Word::Note)
            .and_then(|column| paragraph::flow(errors, column, 2, Style::new(), &remark));
        // A failure to write to standard error is ignored.
        let _ = written.and_then(|()| errors.flush());
        Ok(())
    }

    /// Counts an input that has an error, once.
    pub(crate) fn count(&mut self, input: Input<'_>) {
        let this = Some((input.origin, input.number));
        self.inputs += u64::from(self.last != this);
        self.last = this;
    }

    /// Separates the next error from the last one; returns whether it has one line.
    fn next(&mut self, out: &mut Output) -> io::Result<bool> {
        let is_brief = self.separate(out, self.reported, self.warned)?;
        self.reported += 1;
        Ok(is_brief)
    }

    /// Separates the next warning from the last one; returns whether it has one line.
    fn next_warning(&mut self, out: &mut Output) -> io::Result<bool> {
        let is_brief = self.separate(out, self.warned, self.reported)?;
        self.warned += 1;
        Ok(is_brief)
    }

    /// Writes an empty line after a report of several lines: only a terminal shows those of the other
    /// kind, which are written to another stream, before it.
    fn separate(&self, out: &mut Output, reported: u64, others: u64) -> io::Result<bool> {
        let before = if out.is_terminal { reported + others } else { reported };
        if !self.brief && 0 < before && reported <= Self::DRAWN {
            writeln!(out)?;
        }
        Ok(self.brief || reported >= Self::DRAWN)
    }

    /// Prints the total of a list: at a terminal, of a file, and if not all errors have been reported
    /// in full.
    pub(crate) fn end(&self, count: u64, origin: Origin, total: &Total) {
        let is_short = !self.brief && self.reported.max(self.warned) <= Self::DRAWN;
        let is_terminal = stderr().is_terminal();
        // Of arguments, a verb says what is good of them.
        let is_nothing = self.inputs == 0 && (origin == Origin::Argument || self.warned == 0 && !is_terminal);
        if self.silent || count < 2 || is_nothing || is_short && !(total.of_file || is_terminal) {
            return;
        }
        let _ = progress::aside(|| self.write_total(&mut Output::messages(), count, total));
    }

    fn write_total(&self, out: &mut Output, count: u64, total: &Total) -> io::Result<()> {
        // After reports, which have several lines, at a terminal.
        if out.is_terminal && self.reported + self.warned > 0 && !self.brief {
            writeln!(out)?;
        }
        let all = plural(count, total.noun);
        let (style, sentence) = match self.inputs {
            0 => (GOOD, format!("{all} {}", total.good[usize::from(count != 1)])),
            inputs => (BAD, format!("{} of {all} {}", grouped(inputs), total.bad[usize::from(inputs != 1)])),
        };
        match self.warned {
            0 => paragraph::flow(out, 0, 2, style, &sentence)?,
            warned => paragraph::short(out, 0, style, &sentence, [", ", &plural(warned, "warning")])?,
        }
        out.flush()
    }
}

/// The words of a total.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Total {
    /// What the inputs are: `URL`.
    pub(crate) noun: &'static str,
    /// What one and several of them are that have errors, and that have none.
    pub(crate) bad: [&'static str; 2],
    pub(crate) good: [&'static str; 2],
    /// Whether they are from a file.
    pub(crate) of_file: bool,
}

impl Total {
    /// The total of inputs that have no result if they have an error.
    pub(crate) const OF_ERRORS: Self = Self {
        noun: "URL",
        bad: ["has an error", "have errors"],
        good: ["has no error", "have no errors"],
        of_file: false,
    };

    /// The total of inputs that are valid or not, and have no warning if that is asked for.
    pub(crate) const fn of_validity(without_warnings: bool) -> Self {
        let (bad, good) = match without_warnings {
            false => (["is not valid", "are not valid"], ["is valid", "are valid"]),
            true => (
                ["is not valid or has a warning", "are not valid or have warnings"],
                ["is valid and has no warning", "are valid and have no warnings"],
            ),
        };
        Self { bad, good, ..Self::OF_ERRORS }
    }
}

/// An input whose location may have come with it.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) input: Input<'a>,
    /// That location: `README.md:12:5`.
    pub(crate) given: Option<&'a str>,
}

impl At<'_> {
    /// Returns the location of a byte of the input.
    pub(crate) fn place(&self, octet: usize) -> Place {
        self.given.map_or_else(|| self.input.place(octet), Place::given)
    }

    fn is_in_file(&self) -> bool {
        self.given.is_some() || self.input.is_in_file()
    }
}

/// Returns a number and its noun: `1 URL`, `2 URLs`.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Writes a report on one line; the text is there if the location does not lead to it.
fn line(out: &mut Output, place: &Place, word: Word, sentence: &str, text: Option<&str>) -> io::Result<()> {
    let column = place.begin(out, word)?;
    match text {
        Some(text) => paragraph::short(out, column, STRONG, sentence, [": ", text]),
        None => paragraph::flow(out, column, 2, STRONG, sentence),
    }
}
