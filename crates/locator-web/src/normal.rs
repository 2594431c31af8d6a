//! The normal forms of a URL, each with the changes that lead to it and the rule of each change.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::report::{comparison, secrets};
use locator::{Difference, Ladder, Level, Redacted, Rung, UriRef};
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::code;

/// How many changes of a form are listed.
const LISTED: usize = 20;

/// Returns the section; empty for a URL that is not valid.
pub(crate) fn section(subject: &Subject<'_>) -> Markup {
    let Some(reference) = subject.reference() else { return html! {} };
    let edition = reference.edition();
    let rows = html! {
        (row("of the syntax", Rung::Syntax.citation(edition), reference, Level::Syntax, subject.shows_secrets))
        (row("of the scheme", Rung::Scheme.citation(edition), reference, Level::Scheme, subject.shows_secrets))
        @if let Some(uri) = reference.to_uri_with_idna().ok().filter(|uri| uri.as_str() != subject.text) {
            tr { th scope="row" { "as a URI, in ASCII" } td { (code(&shown(uri.as_uri_ref(), subject.shows_secrets).to_string())) } td { "RFC 3987, 3.1" } }
        }
    };
    let body = section::table_below_heading("Normal forms", &["Rules", "Normal form", "Changes"], &rows);
    section::section("normal", "Normal forms", &body)
}

fn row(name: &str, citation: &str, reference: UriRef<'_>, level: Level, shows_secrets: bool) -> Markup {
    let normal = reference.normalize(level);
    let text = shown(normal.as_uri_ref(), shows_secrets).to_string();
    html! {
        tr {
            th scope="row" { (name) " " span.note { "(" (citation) ")" } }
            td { (code(&text)) }
            td {
                @if normal.is_borrowed() { span.none { "none: it is in normal form" } }
                @else { (changes(reference, normal.as_uri_ref(), shows_secrets)) }
            }
        }
    }
}

fn shown(reference: UriRef<'_>, shows_secrets: bool) -> Redacted<'_> {
    if shows_secrets { Redacted::exact(reference.as_str()) } else { secrets::of_reference(reference) }
}

/// Lists the changes. Only absolute references have a comparison that finds them.
fn changes(given: UriRef<'_>, normal: UriRef<'_>, shows_secrets: bool) -> Markup {
    let Ok(compared) = Ladder::new().compare(given, normal) else { return html! {} };
    let sides = [given, normal].map(|reference| shown(reference, shows_secrets));
    let differences = &compared.differences;
    let seen: Vec<&Difference> = (differences.iter().zip(1..))
        .filter(|(one, next)| !comparison::is_covered(one, &differences[*next..], &sides))
        .map(|(one, _)| one)
        .collect();
    let more = seen.len().saturating_sub(LISTED);
    html! {
        ul.changes {
            @for one in seen.iter().take(LISTED) {
                @let [before, after] = [(&sides[0], one.first), (&sides[1], one.second)].map(|(side, span)| {
                    let whole = comparison::secret(side, span).unwrap_or(span.range());
                    side.slice(whole).to_string()
                });
                li {
                    (one.component.name()) ", " (comparison::kind(one.kind)) ": "
                    @if before.is_empty() { "adds " (code(&after)) }
                    @else if after.is_empty() { "removes " (code(&before)) }
                    @else { (code(&before)) " becomes " (code(&after)) }
                }
            }
            @if more > 0 { li { (more) " more" } }
        }
    }
}
