//! What each program makes of a URL: a row for each one, those of the past and the editions too.

use alloc::vec::Vec;

use locator::Edition;
use locator_audit::{Host, Outcome, Reader, Returned};
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::{code, visible};

/// Returns the section.
pub(crate) fn section(subject: &Subject<'_>) -> Markup {
    let results = Results { subject, returned: subject.readings.returned() };
    let rows = html! {
        @for (reader, outcome) in subject.readings.outcomes() {
            tr class=(kind(reader)) {
                th scope="row" {
                    (visible(&reader.title().replace('`', "")))
                    @if kind(reader) != "current" { " " span.note { "(" (kind(reader)) ")" } }
                }
                td { (results.of(reader, outcome)) }
            }
        }
    };
    let title = "What each program returns and contacts";
    section::section("programs", title, &section::table_below_heading(title, &["Program", "Result"], &rows))
}

fn kind(reader: &Reader) -> &'static str {
    match (reader.is_current(), Edition::from_name(reader.name())) {
        (_, Some(_)) => "edition",
        (true, None) => "current",
        (false, None) => "historical",
    }
}

/// What is known of the hosts in all results.
struct Results<'a> {
    subject: &'a Subject<'a>,
    returned: Vec<Returned<'a>>,
}

impl Results<'_> {
    fn of(&self, reader: &Reader, outcome: &Outcome) -> Markup {
        let (shown, readings) = (self.subject.contacts(), &self.subject.readings);
        html! {
            @match outcome {
                // As a link; what it does with an argument is in another table.
                Outcome::Contact(_) if readings.misreads_scheme(reader) => span.none { "rejects it" },
                Outcome::Contact(contact) if readings.is_unnamed_base(contact) => "contacts the server of the page",
                Outcome::Contact(contact) => { "contacts " (code(&shown.contact(contact))) },
                Outcome::Returned(host) => { "returns " (self.returned(host)) ", contacts nothing" },
                Outcome::File => "opens a file of its own machine",
                Outcome::NoHost => span.none { "returns no host, contacts nothing" },
                _ => span.none { "rejects it" },
            }
        }
    }

    /// A host that is only returned, unless it may be a part of the password.
    fn returned(&self, host: &str) -> Markup {
        let is_secret = self.returned.iter().any(|one| one.host == host && one.is_of_password);
        match is_secret && !self.subject.shows_secrets {
            true => html! { "(a part of the password)" },
            false => code(&self.subject.contacts().host(&Host::Name(host.into()))),
        }
    }
}
