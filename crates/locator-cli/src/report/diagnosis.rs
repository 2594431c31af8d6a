//! Writes an error below its text: the message, the carets with the remedy, and the rule.

use std::io::{self, Write};

use anstyle::Style;
use locator::edition::RFC3987;
use locator::{Component, Found, ParseError, ParseErrorKind, Redacted};

use super::excerpt::{self, Excerpt};
use crate::input::Input;
use crate::input::url_standard::UrlError;
use crate::output::Output;
use crate::output::Place;
use crate::output::paragraph;
use crate::pasted;
use crate::report::findings::Warning;
use crate::terminal::paint::{BAD, FAINT, STRONG};
use crate::terminal::{Word, secrets, visible};

/// Writes the first line of a report: the place, the word and the message.
pub(crate) fn headline(out: &mut Output, place: &Place, word: Word, message: &str) -> io::Result<()> {
    let column = place.begin(out, word)?;
    paragraph::flow(out, column, INDENT, STRONG, message)
}

/// The indent of what is below the first line.
const INDENT: usize = 2;

/// Writes the error of a text. `edition` is before its message, if several are asked for.
pub(crate) fn write(
    out: &mut Output,
    place: &Place,
    edition: Option<&str>,
    text: &Redacted<'_>,
    error: &ParseError,
) -> io::Result<()> {
    let error = &text.error(*error);
    let edition = edition.map(|name| format!("{name}: ")).unwrap_or_default();
    let message = format!("{edition}{}", error.message());
    headline(out, place, Word::Error, &shown(&message))?;
    // A hint knows what the text is, so it is right where the advice is a guess.
    let hint = pasted::hint(text.as_str().as_bytes(), error.edition());
    let advice = error.advice().filter(|_| hint.is_none());
    let advice = advice.map(|advice| shown(&format!("{advice}{}", options(error).unwrap_or_default())));
    let beside = advice.as_deref().map(in_short).filter(|advice| advice.len() <= BESIDE);
    let byte = place.has_no_byte().then(|| format!("byte {}", error.offset()));
    let note = [byte.as_deref(), beside].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let style = if beside.is_some() { BAD } else { Style::new() };
    let range = error.span();
    let excerpt = Excerpt { text, range, style: BAD, others: &[], note: &note, note_style: style };
    excerpt::write(out, &excerpt)?;
    if let Some(help) = hint.or(advice.as_deref().filter(|_| beside.is_none())) {
        self::help(out, help)?;
    }
    rule(out, error)
}

/// Writes the error of a text by the URL Standard, or a warning that it has one.
pub(crate) fn write_url_error(
    out: &mut Output,
    place: &Place,
    edition: Option<&str>,
    text: &Redacted<'_>,
    error: &UrlError,
    word: Word,
) -> io::Result<()> {
    let edition = edition.map(|name| format!("{name}: ")).unwrap_or_default();
    headline(out, place, word, &shown(&format!("{edition}{}", error.message_in(text))))?;
    let advice = error.advice_in(text).map(shown);
    let beside = advice.as_deref().filter(|advice| advice.len() <= BESIDE);
    let (range, style) = (error.span(), word.style());
    let byte = place.has_no_byte().then(|| format!("byte {}", range.start));
    let note = [byte.as_deref(), beside].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let note_style = if beside.is_some() { style } else { Style::new() };
    excerpt::write(out, &Excerpt { text, range, style, others: &[], note: &note, note_style })?;
    if let Some(help) = advice.as_deref().filter(|_| beside.is_none()) {
        self::help(out, help)?;
    }
    let address = error.address().map(|address| format!(": {address}")).unwrap_or_default();
    let rule = format!("{}, {}{address}", error.citation(), error.rule());
    write!(out, "{:INDENT$}", "")?;
    paragraph::flow(out, INDENT, INDENT, FAINT, &rule)
}

/// Returns the error of a text by the URL Standard on one line, with its byte if the place does not say it.
pub(crate) fn url_error_in_one_line(
    edition: Option<&str>,
    has_no_byte: bool,
    text: &Redacted<'_>,
    error: &UrlError,
) -> String {
    let edition = edition.map(|name| format!("{name}: ")).unwrap_or_default();
    let at = if has_no_byte { format!(", at byte {}", error.span().start) } else { String::new() };
    let message = shown(error.message_in(text));
    format!("{edition}{message}{at} [{}, {}]", error.rule(), error.citation())
}

/// Returns the options that do what the library advises for an error.
fn options(error: &ParseError) -> Option<&'static str> {
    let Found::Char(c) = error.found() else { return None };
    let is_of_host = matches!(error.component(), Component::Host | Component::Authority);
    let is_of_iri = is_of_host && !c.is_ascii() && RFC3987.allows(Component::Host, c);
    (is_of_iri && !error.edition().allows(Component::Host, c))
        .then_some(" (--edition rfc3987; the ASCII form: locator convert --idna, edit --repair)")
}

/// How long a remedy beside the carets may be.
const BESIDE: usize = 40;

/// Returns a remedy without what the carets show: `to include it literally, write %20`.
fn in_short(advice: &str) -> &str {
    advice.split_once(" literally, ").map_or(advice, |(_, remedy)| remedy)
}

/// Writes what to do.
pub(crate) fn help(out: &mut Output, text: &str) -> io::Result<()> {
    let paint = out.paint;
    write!(out, "{:INDENT$}{} ", "", paint.word(Word::Help))?;
    let column = INDENT + Word::Help.text().len() + 1;
    paragraph::flow(out, column, INDENT, Style::new(), &text.replace('\n', " "))
}

/// Writes a warning for a valid text.
pub(crate) fn write_warning(
    out: &mut Output,
    place: &Place,
    text: &Redacted<'_>,
    warning: &Warning,
    word: Word,
) -> io::Result<()> {
    let (range, style) = (warning.span.range(), word.style());
    // The carets show it.
    let byte = format!(", at byte {}", range.start);
    headline(out, place, word, warning.message.strip_suffix(&byte).unwrap_or(&warning.message))?;
    let note = if place.has_no_byte() { format!("byte {}", range.start) } else { String::new() };
    let note_style = Style::new();
    excerpt::write(out, &Excerpt { text, range, style, others: &[], note: &note, note_style })?;
    let because = (word == Word::Error).then_some(BECAUSE_OF_LINT);
    let see: Vec<_> = warning.see.as_deref().into_iter().chain(because).collect();
    if see.is_empty() {
        return Ok(());
    }
    write!(out, "{:INDENT$}", "")?;
    paragraph::flow(out, INDENT, INDENT, FAINT, &see.join("; "))
}

/// Why a warning is an error.
const BECAUSE_OF_LINT: &str = "--lint treats this warning as an error";

/// Returns a warning on one line.
pub(crate) fn warning_in_one_line(warning: &Warning, word: Word) -> String {
    let see = warning.see.as_ref().map(|see| format!(" ({see})")).unwrap_or_default();
    let lint = if word == Word::Error { " [--lint]" } else { "" };
    format!("{}{see}{lint}", warning.message)
}

/// Writes the section, the rule and what it allows.
fn rule(out: &mut Output, error: &ParseError) -> io::Result<()> {
    let rule = error.rule();
    let expects = match error.kind() {
        // The message already names what is missing.
        ParseErrorKind::Missing => String::new(),
        _ => format!(": {}", rule.expects),
    };
    let text = format!("{}, {}{expects}", error.citation(), rule.name);
    write!(out, "{:INDENT$}", "")?;
    paragraph::flow(out, INDENT, INDENT, FAINT, &text)
}

/// Returns the report of an error on one line.
pub(crate) fn in_one_line(edition: Option<&str>, place: &Place, error: &ParseError) -> String {
    let edition = edition.map(|name| format!("{name}: ")).unwrap_or_default();
    let at = if place.has_no_byte() { format!(", at byte {}", error.offset()) } else { String::new() };
    let message = shown(&error.message().to_string());
    format!("{edition}{message}{at} [{}, {}]", error.rule().name, error.citation())
}

/// Writes the error of an input, as the output of `read`.
pub(crate) fn refusal(
    out: &mut Output,
    input: Input<'_>,
    octets: &[u8],
    error: &ParseError,
) -> io::Result<()> {
    let text = String::from_utf8_lossy(octets);
    let place = input.place(error.offset());
    write(out, &place, None, &secrets::without_secrets(&text), error)
}

/// Returns a message of the library, whose characters are printable, with letters where a terminal
/// shows them.
fn shown(message: &str) -> String {
    visible::letters(message.to_owned())
}
