//! The words of a comparison of two references, and what may be shown of their differences.

use core::ops::Range;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use locator::{Comparison, Difference, DifferenceKind, Redacted, Rung, Span, UriRef, scheme};

/// Returns how references are equivalent, in words: `by syntax`.
///
/// ```
/// assert_eq!(locator_web::report::comparison::rung(locator::Rung::Syntax), "by syntax");
/// ```
#[must_use]
pub const fn rung(rung: Rung) -> &'static str {
    match rung {
        Rung::Simple => "by simple string comparison",
        Rung::Syntax => "by syntax",
        Rung::Scheme => "by scheme",
        Rung::Idn => "by domain name",
        Rung::Number => "by IPv4 address number",
        Rung::Protocol => "by protocol",
        other => other.name(),
    }
}

/// Returns which documents say that two references are equivalent on a rung, and where: a scheme's own,
/// or that of IPv6 addresses, besides the one that has the rung.
#[must_use]
pub fn citation(rung: Rung, first: UriRef<'_>, comparison: &Comparison) -> String {
    let ladder = rung.citation(first.edition());
    let scheme = first.scheme().and_then(|scheme| scheme::lookup(scheme.as_str()));
    let mut differences = comparison.differences.iter();
    match scheme.filter(|_| rung == Rung::Scheme) {
        Some(scheme) => format!("{ladder}; {}", scheme.equivalence()),
        None if rung == Rung::Syntax && differences.any(|one| one.kind == DifferenceKind::Address) => {
            format!("{ladder}; RFC 5952, 4")
        }
        None => ladder.to_owned(),
    }
}

/// Returns what a person calls the kind of a difference: `dot segments`.
#[must_use]
pub const fn kind(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::HexCase => "case of hex digits",
        DifferenceKind::Dots => "dot segments",
        DifferenceKind::Address => "spelling of the address",
        DifferenceKind::Void => "void fragment",
        DifferenceKind::Idn => "form of the domain name",
        DifferenceKind::Number => "number of the address",
        DifferenceKind::Port => "default port",
        DifferenceKind::Scheme => "rule of the scheme",
        DifferenceKind::Presence => "in one only",
        _ => kind.name(),
    }
}

/// Returns the secret of a text that a difference is in. An empty difference may be at its end: it is
/// not said there that a secret has less than another one.
#[must_use]
pub fn secret(text: &Redacted<'_>, span: Span) -> Option<Range<usize>> {
    let span = span.range();
    let is_in = |secret: &&Range<usize>| secret.start <= span.start && span.end <= secret.end;
    text.hidden().iter().find(is_in).cloned()
}

/// Returns whether a difference is in two secrets that differ further on: how much of them is equal
/// is not said.
#[must_use]
pub fn is_covered(one: &Difference, rest: &[Difference], [first, second]: &[Redacted<'_>; 2]) -> bool {
    let secrets = |one: &Difference| secret(first, one.first).zip(secret(second, one.second));
    let of_one = secrets(one);
    of_one.is_some() && rest.iter().any(|other| other.component == one.component && secrets(other) == of_one)
}
