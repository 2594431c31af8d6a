//! Prints a reference for people: its text in colour, a row for each defined component, and a
//! verdict.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::Style;
use locator::scheme::{self, Field, FieldValue};
use locator::{Charset, Component, Redacted, SpannedStr, UriRef};
use locator_audit::Finding;
use locator_web::report::words::{host_kind, reference_kind};
use unicode_width::UnicodeWidthStr;

use crate::input::reading::Parsed;
use crate::output::Output;
use crate::output::paragraph;
use crate::pasted::{self, scheme_note};
use crate::report::findings;
use crate::terminal::paint::{self, FAINT};
use crate::terminal::visible::legible;
use crate::terminal::{Word, secrets, visible};

/// How wide the names of components are, indentation included.
pub(super) const NAMES: usize = 14;

/// Writes a reading, and what is dangerous in it.
pub(super) fn write(out: &mut Output, reading: &Parsed<'_>, findings: &[Finding]) -> io::Result<()> {
    let reference = reading.reference;
    let whole = secrets::of(reference);
    text(out, reference, &whole)?;
    if !reference.as_str().is_empty() {
        writeln!(out)?;
    }
    rows(out, reference, &whole)?;
    scheme_rows(out, reference, &whole)?;
    writeln!(out)?;
    note(out, reference.as_str(), findings)?;
    verdict(out, reading)?;
    meant(out, reference.as_str())
}

/// Writes the parts defined by the scheme that are not components: the text of each, and its
/// decoded form if that differs.
fn scheme_rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let Some(Ok(fields)) = scheme::fields(reference) else { return Ok(()) };
    let own = |field: &&Field<'_>| !COMPONENTS.contains(&field.name);
    if let Some(name) = reference.scheme().filter(|_| fields.iter().any(|field| own(&field))) {
        let name = visible(&name.as_str().to_ascii_lowercase()).to_string();
        writeln!(out, "  {}", out.paint.with(FAINT, format_args!("as {name}:")))?;
    }
    let place = (reference.edition().charset(), whole);
    for field in fields.iter().filter(own) {
        let name = format!("    {}", field.name);
        match &field.value {
            FieldValue::One(excerpt) => match field.meaning {
                Some(meaning) => row(out, &name, &whole.slice(excerpt.span()), Component::Path, meaning)?,
                None => scheme_row(out, &name, excerpt, place)?,
            },
            FieldValue::Many(all) => {
                all.iter().try_for_each(|excerpt| scheme_row(out, &name, excerpt, place))?;
            }
            FieldValue::Pairs(pairs) => pairs.iter().try_for_each(|(key, value)| {
                scheme_row(out, &name, key, place)?;
                scheme_row(out, "", value, place)
            })?,
            FieldValue::Word(word) => row(out, &name, word, Component::Path, "")?,
            _ => {}
        }
    }
    Ok(())
}

/// What has been shown as a component.
const COMPONENTS: [&str; 7] = ["user", "password", "host", "port", "path", "query", "rest"];

fn scheme_row(
    out: &mut Output,
    name: &str,
    excerpt: &SpannedStr<'_>,
    (charset, whole): (Charset, &Redacted<'_>),
) -> io::Result<()> {
    let shown = whole.slice(excerpt.span());
    let octets = excerpt.decode();
    let decoded = charset.decode(Cow::Borrowed(&octets)).unwrap_or_else(|_| String::from_utf8_lossy(&octets));
    let note = match excerpt.as_str() == decoded || shown == Redacted::HIDDEN {
        true => String::new(),
        false => legible(&secrets::without_secrets(&decoded).to_string()).to_string(),
    };
    row(out, name, &shown, Component::Path, &note)
}

/// The text, each component in its colour, what divides them faint.
fn text(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let (paint, length) = (out.paint, reference.as_str().len());
    if length == 0 {
        return writeln!(out, "{}", paint.with(FAINT, "(empty)"));
    }
    let mut shown = 0;
    // An authority is coloured as what it has in it.
    for part in Component::ALL.into_iter().filter(|&part| part != Component::Authority) {
        if let Some(range) = reference.span(part).filter(|range| !range.is_empty()) {
            if shown < range.start {
                write!(out, "{}", paint.with(FAINT, visible(&whole.slice(shown..range.start))))?;
            }
            shown = range.end;
            write!(out, "{}", paint.with(paint::of(part), visible(&whole.slice(range))))?;
        }
    }
    if shown < length {
        write!(out, "{}", paint.with(FAINT, visible(&whole.slice(shown..length))))?;
    }
    writeln!(out)
}

fn rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let shown = |part| match reference.span(part) {
        Some(span) => whole.slice(span),
        None => Cow::Borrowed(""),
    };
    if let Some(prefix) = reference.component(Component::Prefix) {
        row(out, "  prefix", prefix, Component::Prefix, "not part of the URL")?;
    }
    let words = reference.edition().words;
    if let Some(scheme) = reference.scheme() {
        let note = scheme_note(scheme.as_str(), reference.as_str());
        row(out, "  scheme", scheme.as_str(), Component::Scheme, &note)?;
    }
    if reference.authority().is_some() {
        let name = format!("  {}", words.authority);
        row(out, &name, &shown(Component::Authority), Component::Authority, "")?;
        authority_rows(out, reference, whole)?;
    }
    if reference.authority().is_some() || !reference.path().is_empty() {
        row(out, "  path", &shown(Component::Path), Component::Path, "")?;
    }
    parameter_rows(out, reference, whole)?;
    for part in [Component::Query, Component::Fragment] {
        if reference.component(part).is_some() {
            row(out, &format!("  {}", words.of(part)), &shown(part), part, "")?;
        }
    }
    Ok(())
}

/// Writes the parts of an authority, indented; the text before "@" must not be mistaken for the
/// host.
fn authority_rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    let Some(authority) = reference.authority() else { return Ok(()) };
    if let Some(userinfo) = authority.userinfo() {
        match userinfo.password() {
            None => {
                let name = format!("    {}", reference.edition().words.userinfo);
                row(out, &name, &part(whole, userinfo.as_str()), Component::Userinfo, "not the host")?;
            }
            Some(password) => {
                let user = part(whole, userinfo.user().as_str());
                row(out, "    user", &user, Component::Userinfo, "not the host")?;
                let end = reference.span(Component::Userinfo).map_or(0, |span| span.end);
                let shown = whole.slice(end - password.as_str().len()..end);
                let is_shown = shown == password.as_str();
                let note = if is_shown { "clear text" } else { "clear text; --show-secrets prints it" };
                row(out, "    password", &shown, Component::Userinfo, note)?;
            }
        }
    }
    let host = reference.span(Component::Host).map_or(Cow::Borrowed(""), |span| whole.slice(span));
    row(out, "    host", &host, Component::Host, host_kind(authority.host().kind()))?;
    if let Some(zone) = authority.host().zone() {
        let decoded = zone.decode_with(reference.edition().charset()).ok().filter(|text| zone != **text);
        let note = decoded.map(|text| format!("decoded: {}", visible(&text))).unwrap_or_default();
        row(out, "    zone", zone.as_str(), Component::Host, &note)?;
    }
    match authority.port() {
        Some(port) => row(out, "    port", port.as_str(), Component::Port, ""),
        None => Ok(()),
    }
}

/// The segments that have parameters.
fn parameter_rows(out: &mut Output, reference: UriRef<'_>, whole: &Redacted<'_>) -> io::Result<()> {
    for segment in reference.path().segments() {
        let parameters: Vec<_> = segment.parameters().map(|one| part(whole, one.as_str())).collect();
        if !parameters.is_empty() {
            let plural = if parameters.len() == 1 { "" } else { "s" };
            let note = format!("parameter{plural} {}", visible(&parameters.join(", ")));
            row(out, "    segment", &part(whole, segment.name().as_str()), Component::Path, &note)?;
        }
    }
    Ok(())
}

/// Returns a part of the text as it is shown.
fn part<'a>(whole: &Redacted<'a>, part: &'a str) -> Cow<'a, str> {
    let start = part.as_ptr().addr().saturating_sub(whole.as_str().as_ptr().addr());
    let range = start..start + part.len();
    if whole.as_str().get(range.clone()) == Some(part) { whole.slice(range) } else { Cow::Borrowed(part) }
}

/// One component: name, text, and what is to be said about it.
fn row(out: &mut Output, name: &str, text: &str, part: Component, note: &str) -> io::Result<()> {
    let paint = out.paint;
    // A long name is not glued to what it names.
    let gap = if name.len() < NAMES { "" } else { " " };
    write!(out, "{}{gap}", paint.with(FAINT, format_args!("{name:NAMES$}")))?;
    match text {
        "" => writeln!(out, "{}", paint.with(FAINT, "(empty)")),
        _ => value(out, NAMES.max(name.len() + 1), paint::of(part), text, note),
    }
}

/// Writes a text, and a note about it, after so many columns; on lines of their own at a terminal where they
/// do not fit.
pub(super) fn value(out: &mut Output, column: usize, style: Style, text: &str, note: &str) -> io::Result<()> {
    let (paint, text) = (out.paint, visible(text).to_string());
    let fits = |column: usize, columns: usize| !out.is_terminal || column + columns <= out.columns;
    let own_line = 4;
    let column = if fits(column, text.width()) { column } else { own_line };
    let is_beside = note.is_empty() || fits(column, text.width() + 5 + note.width());
    if column == own_line {
        write!(out, "\n{:own_line$}", "")?;
    }
    write!(out, "{}", paint.with(style, text))?;
    match note {
        "" => writeln!(out),
        _ if is_beside => writeln!(out, "   {}", paint.with(FAINT, format_args!("({note})"))),
        _ => {
            write!(out, "\n{:column$}", "")?;
            paragraph::flow(out, column, column, FAINT, &format!("({note})"))
        }
    }
}

/// Writes what is dangerous in a URL, if anything is.
pub(super) fn note(out: &mut Output, text: &str, findings: &[Finding]) -> io::Result<()> {
    let Some(remark) = findings::remark(text, findings) else { return Ok(()) };
    let paint = out.paint;
    write!(out, "  {} ", paint.word(Word::Note))?;
    paragraph::flow(out, 3 + Word::Note.text().len(), 4, Style::new(), &remark)
}

/// Writes which URL was probably meant by a host without a scheme, or by one whose port is read as what
/// follows a scheme.
pub(super) fn meant(out: &mut Output, text: &str) -> io::Result<()> {
    let has_scheme = pasted::has_scheme(text.as_bytes());
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).filter(|_| has_scheme);
    let is_host = !has_scheme || pasted::is_host_with_port(text);
    let Some(url) = pasted::with_scheme(text.as_bytes()).filter(|_| is_host) else { return Ok(()) };
    let what =
        scheme.map_or_else(|| "no scheme".to_owned(), |scheme| format!("\"{scheme}\" is read as a scheme"));
    write!(out, "  {} ", out.paint.word(Word::Note))?;
    let sentence = secrets::sentence(&format!("{what}; did you mean {url} ?"));
    paragraph::flow(out, 3 + Word::Note.text().len(), 4, Style::new(), &sentence)
}

fn verdict(out: &mut Output, reading: &Parsed<'_>) -> io::Result<()> {
    let reference = reading.reference;
    let (paint, edition) = (out.paint, reference.edition());
    let rule = match reference.scheme().filter(|_| reading.has_scheme_rule) {
        Some(scheme) => format!(", including its rule for {}", visible(&scheme.lowercase())),
        None => String::new(),
    };
    let kind = reference_kind(reference.kind(), edition.words.absolute);
    write!(out, "  {} ", paint.word(Word::Valid))?;
    let sentence = format!("in {}{rule}: {kind}", edition.document);
    paragraph::flow(out, 3 + Word::Valid.text().len(), 4, Style::new(), &sentence)
}
