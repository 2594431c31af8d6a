//! Two URLs compared: whether they are equivalent, by which rule, and how they differ.

use alloc::string::ToString;

use crate::report::{Parsed, comparison};
use locator::{CompareError, Comparison, Difference, Ladder, ParseError, Redacted, Span, UriRef};
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::{code, marked, sentence};

/// Returns the section.
pub(crate) fn section(first: &Subject<'_>, second: &Subject<'_>) -> Markup {
    let body = match (read(first), read(second)) {
        (Err(error), _) => not_valid("first", &first.redacted.report(error).in_one_line().to_string()),
        (_, Err(error)) => not_valid("second", &second.redacted.report(error).in_one_line().to_string()),
        (Ok(one), Ok(other)) => {
            let pair = [one.reference, other.reference];
            match Ladder::new().compare(pair[0], pair[1]) {
                Ok(compared) => compared_pair(pair, [&first.shown, &second.shown], &compared),
                Err(error) => refused(&error),
            }
        }
    };
    section::section("comparison", "Are they equivalent?", &body)
}

fn read<'a>(subject: &Subject<'a>) -> Result<Parsed<'a>, ParseError> {
    crate::report::read(subject.text.as_bytes(), subject.edition)
}

fn not_valid(which: &str, error: &str) -> Markup {
    html! { p.verdict.bad { "The " (which) " is not valid: " (sentence(error)) "." } }
}

fn refused(error: &CompareError) -> Markup {
    html! { p.verdict.warn { "They cannot be compared: " (sentence(&error.to_string())) "." } }
}

fn compared_pair(pair: [UriRef<'_>; 2], sides: [&Redacted<'_>; 2], compared: &Comparison) -> Markup {
    let differences = &compared.differences;
    html! {
        @match compared.rung {
            Some(rung) => p.verdict.good {
                "Equivalent " (comparison::rung(rung)) " "
                span.note { "(" (comparison::citation(rung, pair[0], compared)) ")" }
            },
            None => p.verdict.bad { "Not equivalent by any rule." },
        }
        @for (number, side) in sides.into_iter().enumerate() {
            p.url { code.text { (marked(side, &marks(differences, number))) } }
        }
        @if !differences.is_empty() { (table(pair, sides, differences)) }
    }
}

/// The differences in one of the two, marked by whether they keep the two apart.
fn marks(
    differences: &[Difference],
    side: usize,
) -> alloc::vec::Vec<(core::ops::Range<usize>, &'static str)> {
    let span = |one: &Difference| if side == 0 { one.first.range() } else { one.second.range() };
    let class = |one: &Difference| if one.kind.rung().is_none() { "high" } else { "info" };
    differences.iter().map(|one| (span(one), class(one))).collect()
}

fn table(pair: [UriRef<'_>; 2], sides: [&Redacted<'_>; 2], differences: &[Difference]) -> Markup {
    let both = sides.map(Clone::clone);
    let rows = html! {
        @for (one, next) in differences.iter().zip(1..) {
            @if !comparison::is_covered(one, &differences[next..], &both) {
                tr {
                    th scope="row" { (one.component.name()) }
                    td { (comparison::kind(one.kind)) }
                    td { (shown(pair[0], sides[0], one, one.first)) }
                    td { (shown(pair[1], sides[1], one, one.second)) }
                }
            }
        }
    };
    section::table("Differences", &["Component", "Difference", "First", "Second"], &rows)
}

/// The text of one of the two; if it is empty, whether it is undefined.
fn shown(reference: UriRef<'_>, side: &Redacted<'_>, one: &Difference, span: Span) -> Markup {
    // An undefined component is no part of a secret that ends where it would be.
    let secret = reference.component(one.component).and_then(|_| comparison::secret(side, span));
    let text = side.slice(secret.unwrap_or(span.range()));
    let nothing = match reference.component(one.component) {
        None => "(undefined)",
        Some("") => "(empty)",
        Some(_) => "(nothing)",
    };
    html! { @if text.is_empty() { span.none { (nothing) } } @else { (code(&text)) } }
}
