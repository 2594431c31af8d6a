//! Which hosts programs contact: the URL with these hosts marked, and a row for each host with its
//! programs. Readers of the past are in [`programs`](crate::programs).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use crate::report::{WithoutContact, names_of_programs, names_of_readers, place_of_host};
use locator::edition::RFC3987;
use locator::{Edition, UriRef};
use locator_audit::{Argument, Reader, arguments};
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::{code, marked, sentence};

/// The classes of hosts, in turn.
const CLASSES: [&str; 6] = ["host-a", "host-b", "host-c", "host-d", "host-e", "host-f"];

/// A host with the programs that contact or return it.
struct Row {
    host: String,
    /// What they do with it, if they do not contact it.
    how: &'static str,
    readers: Vec<&'static Reader>,
    /// Where the host is in the URL, if it is there as it is contacted.
    place: Option<Range<usize>>,
}

/// Returns the section.
pub(crate) fn section(subject: &Subject<'_>) -> Markup {
    let rows = rows(subject);
    let marks = marks(&rows);
    let body = html! {
        p.url { code.text { (marked(&subject.redacted, &marks)) } }
        (verdict(subject, &rows))
        @if !rows.is_empty() { (table(subject, &rows)) }
        (as_argument(subject))
    };
    section::section("hosts", "Who is contacted", &body)
}

/// Returns the hosts, each once, in the order of the URL; those that are not in it come last.
fn rows(subject: &Subject<'_>) -> Vec<Row> {
    let (readings, shown) = (&subject.readings, subject.contacts());
    let contacts = readings.contacts();
    let returned = readings.returned();
    let at_base = readings.at_base();
    let contacted = contacts.iter().map(|one| (shown.host(one.contact.host()), "", &one.readers));
    let contacted = contacted.chain(at_base.iter().map(|one| (BASE.to_string(), "", &one.readers)));
    let returned = returned.iter().map(|one| (shown.returned(one), "returned only by ", &one.readers));
    let mut rows: Vec<Row> = Vec::new();
    for (host, how, readers) in contacted.chain(returned) {
        let readers: Vec<_> = readers.iter().copied().filter(|reader| is_program(reader)).collect();
        match rows.iter_mut().find(|row| row.host == host && row.how == how) {
            Some(row) => row.readers.extend(readers),
            None if readers.is_empty() => {}
            None => rows.push(Row { host, how, readers, place: None }),
        }
    }
    let mut taken = Vec::new();
    for row in &mut rows {
        row.place = place_of_host(subject.text, &row.host, &taken);
        taken.extend(row.place.clone());
    }
    rows.sort_by_key(|row| row.place.as_ref().map_or(usize::MAX, |place| place.start));
    rows
}

/// What a relative reference refers to.
const BASE: &str = "the server of the page that it is on";

/// Returns whether a reader is a program of today.
fn is_program(reader: &Reader) -> bool {
    reader.is_current() && Edition::from_name(reader.name()).is_none()
}

fn marks(rows: &[Row]) -> Vec<(Range<usize>, &'static str)> {
    let classes = CLASSES.into_iter().cycle();
    rows.iter().zip(classes).filter_map(|(row, class)| Some((row.place.clone()?, class))).collect()
}

/// The sentence that says it all.
fn verdict(subject: &Subject<'_>, rows: &[Row]) -> Markup {
    let mut hosts: Vec<&str> = rows.iter().map(|row| row.host.as_str()).collect();
    // A name and its ASCII form are one host; the contacted one comes first.
    hosts.sort_by_key(|host| rows.iter().all(|row| row.host != *host || !row.how.is_empty()));
    let mut seen = Vec::new();
    hosts.retain(|host| {
        let name = ascii(host);
        let is_new = !seen.contains(&name);
        seen.push(name);
        is_new
    });
    let (class, words) = match hosts[..] {
        [] if subject.readings.contacts().is_empty() => ("calm", "No program contacts a host for it.".into()),
        [] => ("calm", "No program of today contacts a host for it.".into()),
        [one] if one == BASE => ("calm", format!("As a link it is relative: programs contact {BASE}.")),
        [one] if rows.iter().all(|row| !row.how.is_empty()) => {
            ("calm", format!("No program contacts a host for it; some return {one}."))
        }
        [one] => ("good", format!("All programs that contact a host contact {one}.")),
        ref several => ("bad", format!("The same URL, {} different hosts.", number(several.len()))),
    };
    html! { p class={ "verdict " (class) } { (sentence(&words)) } }
}

/// The other situation of a text without a scheme: it is the argument of a program, and not a link.
fn as_argument(subject: &Subject<'_>) -> Markup {
    let (found, shown) = (arguments(subject.text.trim_matches([' ', '\t', '\n', '\r'])), subject.contacts());
    let rows = html! {
        @for one in &found {
            tr {
                th scope="row" {
                    @match &one.outcome {
                        Argument::Contact(contact) => (code(&shown.contact(contact))),
                        Argument::File => span.none { "(a file of this name)" },
                        Argument::Search => span.none { "(a search of the web)" },
                        _ => span.none { "(rejected)" },
                    }
                }
                td { (names_of_programs(&one.programs).join(", ")) }
            }
        }
    };
    html! {
        @if !found.is_empty() {
            p { "It has no scheme that programs fetch. Above it is a link, in an href. As the argument of a program it is another thing:" }
            (section::table("What programs contact for it as their argument", &["Contacted", "Programs"], &rows))
        }
    }
}

/// Returns a host in ASCII, as it is looked up.
fn ascii(host: &str) -> String {
    let reference = format!("//{host}");
    let name =
        UriRef::parse_with(&reference, &RFC3987).ok().and_then(|one| one.host_to_ascii().ok().flatten());
    name.unwrap_or_else(|| host.to_string())
}

fn number(count: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    words.get(count).map_or_else(|| count.to_string(), |word| (*word).to_string())
}

fn table(subject: &Subject<'_>, rows: &[Row]) -> Markup {
    let found = WithoutContact::new(&subject.readings);
    let others = [
        ("(a local file)", found.opening_file),
        ("(no host)", found.without_host),
        ("(rejected)", found.rejecting),
    ]
    .map(|(what, readers)| {
        (what, readers.into_iter().filter(|reader| is_program(reader)).collect::<Vec<_>>())
    });
    let body = html! {
        @for (row, class) in rows.iter().zip(CLASSES.into_iter().cycle()) {
            tr {
                th scope="row" {
                    @if row.host == BASE { (BASE) } @else { mark class=(class) { (code(&row.host)) } }
                }
                td { (row.how) (names_of_readers(&row.readers).join(", ")) }
            }
        }
        @for (what, readers) in others.iter().filter(|(_, readers)| !readers.is_empty()) {
            tr { th scope="row" { span.none { (what) } } td { (names_of_readers(readers).join(", ")) } }
        }
    };
    section::table("Hosts, and the programs that contact them", &["Host", "Programs"], &body)
}
