//! The components of a URL by every edition: a row for each component, or where editions differ for
//! each reading of it. Below them the parts that the scheme defines.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::report::words::{host_kind, reference_kind};
use crate::report::{Group, Key, Parsed, secrets};
use locator::scheme::{self, Field, FieldValue};
use locator::{Component, Redacted, SpannedStr, UriRef};
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::{code, visible};

/// Returns the section.
pub(crate) fn section(subject: &Subject<'_>) -> Markup {
    let is_valid = subject.every.valid().next().is_some();
    let body = html! {
        (verdict(subject))
        @if is_valid {
            (section::table_below_heading("Components by every edition", &["Component", "Text", "Editions"], &html! {
                @for key in Key::ALL { (component(subject, key)) }
            }))
        }
        @if let Some(reference) = subject.reference() { (own_parts(reference, &subject.shown)) }
    };
    section::section("components", "Components by every edition", &body)
}

/// What a cell shows: a text, and what is to be said about it.
#[derive(PartialEq)]
struct Cell<'a> {
    text: Cow<'a, str>,
    note: &'static str,
}

fn cell<'a>(subject: &Subject<'a>, key: Key, reading: &Parsed<'a>) -> Option<Cell<'a>> {
    let authority = reading.reference.authority();
    let note = match (key, authority) {
        (Key::Part(Component::Host), Some(authority)) => host_kind(authority.host().kind()),
        (Key::Part(Component::Userinfo), _) => "not the host",
        _ => "",
    };
    let text = key.of(reading)?;
    let span = if let Key::Part(part) = key { reading.reference.span(part) } else { None };
    let text = span.map_or(Cow::Borrowed(text), |span| subject.shown.slice(span));
    Some(Cell { text, note })
}

/// One component: a row for each reading of it.
fn component(subject: &Subject<'_>, key: Key) -> Markup {
    let groups = subject.every.groups(|reading| cell(subject, key, reading));
    let differs = groups.len() > 1;
    let is_shown = match key {
        // It is shown with the host, and the two of the userinfo are seen in that.
        Key::HostKind | Key::User | Key::Password => false,
        Key::Kind => differs,
        Key::Part(_) => differs || groups.iter().any(|group| group.on.is_some()),
    };
    html! {
        @for (number, group) in groups.iter().enumerate().filter(|_| is_shown) {
            tr class={ "c-" (key.name()) @if differs { " differs" } } {
                @if number == 0 {
                    th scope="row" rowspan=(groups.len()) {
                        @if differs { span.sign title="the editions differ" { "≠ " } }
                        (key.name())
                    }
                }
                (value(group.on.as_ref()))
                td.editions { (editions(group, differs)) }
            }
        }
    }
}

fn value(cell: Option<&Cell<'_>>) -> Markup {
    html! {
        td {
            @match cell {
                None => span.none { "(undefined)" },
                Some(Cell { text, note }) => {
                    (code(text))
                    @if !note.is_empty() { " " span.note { "(" (note) ")" } }
                }
            }
        }
    }
}

fn editions<T>(group: &Group<T>, differs: bool) -> String {
    if differs { group.editions.join(", ") } else { "all that accept it".to_string() }
}

/// Writes which editions accept the URL, and whether they agree on its components.
fn verdict(subject: &Subject<'_>) -> Markup {
    let every = &subject.every;
    let valid: Vec<_> = every.valid().map(|reading| reading.reference.edition().name).collect();
    let differing: Vec<_> = every.differing().map(Key::name).collect();
    let (class, agreement) = match valid.len() {
        0 => return html! { p.verdict.bad { "Not valid in any edition." } },
        1 => ("calm", String::new()),
        _ if every.differs(Key::Part(Component::Host)) => ("bad", "They disagree on the host.".to_string()),
        _ if !differing.is_empty() => {
            ("warn", ["They disagree on: ", &differing.join(", ").replace('_', " "), "."].concat())
        }
        _ => ("good", "They agree on every component.".to_string()),
    };
    let all =
        if valid.len() == every.readings.len() { "every edition".to_string() } else { valid.join(", ") };
    let kind = subject.reference().map(|one| reference_kind(one.kind(), one.edition().words.absolute));
    html! {
        p class={ "verdict " (class) } {
            "Valid in " (all) @if let Some(kind) = kind { ": " (kind) } ". " (agreement)
        }
    }
}

/// The components that have been shown.
const COMPONENTS: [&str; 7] = ["user", "password", "host", "port", "path", "query", "rest"];

/// Writes the parts defined by the scheme that are not components.
fn own_parts(reference: UriRef<'_>, whole: &Redacted<'_>) -> Markup {
    let Some(Ok(fields)) = scheme::fields(reference) else { return html! {} };
    let own: Vec<&Field<'_>> = fields.iter().filter(|field| !COMPONENTS.contains(&field.name)).collect();
    let name = reference.scheme().map(|scheme| scheme.as_str().to_ascii_lowercase()).unwrap_or_default();
    let part = |name: &str, excerpt: &SpannedStr<'_>| part(reference, name, excerpt, whole);
    if own.is_empty() {
        return html! {};
    }
    let rows = html! {
        @for field in own {
            @match &field.value {
                FieldValue::One(excerpt) => (part(field.name, excerpt)),
                FieldValue::Many(all) => @for excerpt in all { (part(field.name, excerpt)) },
                FieldValue::Pairs(pairs) => @for (key, value) in pairs {
                    (part(field.name, key)) (part(field.name, value))
                },
                FieldValue::Word(word) => tr { th scope="row" { (field.name) } td { (code(word)) } td {} },
                _ => {},
            }
        }
    };
    let caption = ["Parts that the scheme ", &name, " defines"].concat();
    section::table(&caption, &["Part", "Text", "Decoded"], &rows)
}

fn part(reference: UriRef<'_>, name: &str, excerpt: &SpannedStr<'_>, whole: &Redacted<'_>) -> Markup {
    let octets = excerpt.decode();
    let charset = reference.edition().charset();
    let decoded = charset.decode(Cow::Borrowed(&octets)).unwrap_or_else(|_| String::from_utf8_lossy(&octets));
    let shown = whole.slice(excerpt.span());
    // What is hidden of a part is hidden of its decoded form, too.
    let shown_decoded = match whole.hidden() {
        [] => decoded.to_string(),
        _ => secrets::without_secrets(&decoded).to_string(),
    };
    let has_decoded = excerpt.as_str() != decoded && shown != Redacted::HIDDEN;
    html! {
        tr {
            th scope="row" { (name) }
            td { (code(&shown)) }
            td { @if has_decoded { code.text { (visible(&shown_decoded)) } } }
        }
    }
}
