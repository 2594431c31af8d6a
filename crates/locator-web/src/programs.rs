//! What each program makes of a URL: a row for each one, those of the past and the editions too.

use locator::Edition;
use locator_audit::{Contact, Outcome, Reader};
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::{code, visible};

/// Returns the section.
pub(crate) fn section(subject: &Subject<'_>) -> Markup {
    let rows = html! {
        @for (reader, outcome) in subject.readings.outcomes() {
            tr class=(kind(reader)) {
                th scope="row" { (visible(&reader.title().replace('`', ""))) }
                td { (result(subject, outcome)) }
                td { (kind(reader)) }
            }
        }
    };
    let names = ["Program", "Result", "Kind"];
    let body = section::table("What each program returns and contacts", &names, &rows);
    section::section("programs", "What each program returns and contacts", &body)
}

fn kind(reader: &Reader) -> &'static str {
    match (reader.is_current(), Edition::from_name(reader.name())) {
        (_, Some(_)) => "edition",
        (true, None) => "current",
        (false, None) => "historical",
    }
}

fn result(subject: &Subject<'_>, outcome: &Outcome) -> Markup {
    let of_password = |host: &str| {
        let returned = subject.readings.returned();
        returned.iter().any(|one| one.host == host && one.is_of_password) && !subject.shows_secrets
    };
    html! {
        @match outcome {
            Outcome::Contact(contact) => { "contacts " (contacted(subject, contact)) },
            Outcome::Returned(host) if of_password(host) => "returns (a part of the password), contacts nothing",
            Outcome::Returned(host) => {
                @let host = locator_audit::Host::Name(host.clone());
                "returns " (code(&subject.contacts().host(&host))) ", contacts nothing"
            },
            Outcome::NoHost => span.none { "returns no host, contacts nothing" },
            _ => span.none { "rejects it" },
        }
    }
}

/// A contact; the base of a relative reference has no name here.
fn contacted(subject: &Subject<'_>, contact: &Contact) -> Markup {
    let contacts = subject.readings.contacts();
    let is_base = contacts.iter().any(|one| one.is_base && one.contact == contact);
    html! { @if is_base { "the server of the page" } @else { (code(&subject.contacts().contact(contact))) } }
}
