//! How two references compare in; the rung on which they meet, and what differs with the two texts
//! one above the other, for a person, out.

use std::io::{self, Write};

use locator::{Difference, DifferenceKind, Rung, Span, UriRef};

use super::paint::{self, BAD, FAINT, GOOD};
use super::visible;
use crate::compare::Pair;
use crate::run::Output;

/// Writes the verdict, then the differences.
pub(crate) fn write(out: &mut Output, pair: &Pair<'_>) -> io::Result<()> {
    let (paint, differences) = (out.paint, &pair.comparison.differences);
    match pair.comparison.rung {
        Some(rung) => {
            let (words, section) = words_of(rung);
            let section = paint.with(FAINT, format_args!("(RFC 3986, {section})")).to_string();
            writeln!(out, "{} {words} {section}", paint.with(GOOD, "equivalent"))?;
        }
        None => writeln!(out, "{}: no rule makes them one", paint.with(BAD, "not equivalent"))?,
    }
    if !differences.is_empty() {
        writeln!(out)?;
    }
    rows(out, pair)
}

/// Two rows for each difference.
fn rows(out: &mut Output, pair: &Pair<'_>) -> io::Result<()> {
    let (paint, differences) = (out.paint, &pair.comparison.differences);
    let parts = differences.iter().map(|one| one.part.name().len()).max().unwrap_or(0);
    let kinds = differences.iter().map(|one| kind(one.kind).len()).max().unwrap_or(0);
    for one in differences {
        let (part, kind, fatal) = (one.part.name(), kind(one.kind), one.kind.rung().is_none());
        let part = paint.with(paint::of(one.part), format_args!("{part:parts$}")).to_string();
        let kind = paint.with(if fatal { BAD } else { FAINT }, format_args!("{kind:kinds$}")).to_string();
        let (first, second) =
            (shown(out, pair.first, one, one.first), shown(out, pair.second, one, one.second));
        writeln!(out, "  {part}  {kind}  {first}")?;
        writeln!(out, "  {:parts$}  {:kinds$}  {second}", "", "")?;
    }
    Ok(())
}

/// How they are equivalent, and where it stands.
const fn words_of(rung: Rung) -> (&'static str, &'static str) {
    match rung {
        Rung::Simple => ("octet by octet", "6.2.1"),
        Rung::Syntax => ("by syntax", "6.2.2"),
        Rung::Scheme => ("by scheme", "6.2.3"),
        Rung::Protocol => ("by protocol", "6.2.4"),
    }
}

/// What a person calls it.
const fn kind(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::HexCase => "case of hex digits",
        DifferenceKind::Dots => "dot segments",
        DifferenceKind::Port => "default port",
        DifferenceKind::Scheme => "rule of the scheme",
        DifferenceKind::Presence => "not in both",
        _ => kind.name(),
    }
}

/// The octets of one of the two; where there are none, whether there could have been.
fn shown(out: &Output, reference: UriRef<'_>, one: &Difference, span: Span) -> String {
    let nothing = match reference.part(one.part) {
        None => "(undefined)",
        Some("") => "(empty)",
        Some(_) => "(nothing)",
    };
    match &reference.as_str()[span.range()] {
        "" => out.paint.with(FAINT, nothing).to_string(),
        text => visible(text).to_string(),
    }
}
