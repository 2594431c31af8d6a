//! How two references compare in; the rung on which they meet, and what differs with the two texts
//! one above the other, for a person, out.

use std::io::{self, Write};

use locator::{Difference, DifferenceKind, Rung, Span, UriRef, scheme};

use super::paint::{self, BAD, FAINT, GOOD};
use super::{secrets, visible};
use crate::compare::Pair;
use crate::run::Output;

/// Writes the verdict, then the differences.
pub(crate) fn write(out: &mut Output, pair: &Pair<'_>) -> io::Result<()> {
    let (paint, differences) = (out.paint, &pair.comparison.differences);
    match pair.comparison.rung {
        Some(rung) => {
            let see = paint.with(FAINT, format_args!("({})", see(rung, pair))).to_string();
            writeln!(out, "{} {} {see}", paint.with(GOOD, "equivalent"), words_of(rung))?;
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

/// How they are equivalent.
const fn words_of(rung: Rung) -> &'static str {
    match rung {
        Rung::Simple => "octet by octet",
        Rung::Syntax => "by syntax",
        Rung::Scheme => "by scheme",
        Rung::Idn => "by domain name",
        Rung::Number => "by the number of the address",
        Rung::Protocol => "by protocol",
    }
}

/// Which documents say that they are, and where: a scheme's own, or that of IPv6 addresses, besides the one that has
/// the rung.
pub(super) fn see(rung: Rung, pair: &Pair<'_>) -> String {
    let ladder = rung.see(pair.first.edition());
    let scheme = pair.first.scheme().and_then(|scheme| scheme::named(scheme.as_str()));
    let mut differences = pair.comparison.differences.iter();
    match scheme.filter(|_| rung == Rung::Scheme) {
        Some(scheme) => format!("{ladder}; {}", scheme.equivalence()),
        None if rung == Rung::Syntax && differences.any(|one| one.kind == DifferenceKind::Address) => {
            format!("{ladder}; RFC 5952, 4")
        }
        None => ladder.to_owned(),
    }
}

/// What a person calls it.
const fn kind(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::HexCase => "case of hex digits",
        DifferenceKind::Dots => "dot segments",
        DifferenceKind::Address => "spelling of the address",
        DifferenceKind::Void => "void fragment",
        DifferenceKind::Idn => "form of the domain name",
        DifferenceKind::Number => "number of the address",
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
    match &*secrets::of(reference).slice(span.range()) {
        "" => out.paint.with(FAINT, nothing).to_string(),
        text => visible(text).to_string(),
    }
}
