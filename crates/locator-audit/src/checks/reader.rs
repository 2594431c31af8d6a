//! Texts that programs of today and of the past read differently: what each contacts.

use alloc::string::{String, ToString};
use core::fmt::Write;
use core::ops::Range;

use super::check::{Check, Subject};
use crate::address::Reach;
use crate::domain::idna::without_deviations;
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::readers::model::may_differ;
use crate::readers::readings::{default_base, is_same};
use crate::readers::{Contact, Contacted, Host, Outcome, Reader, Readings, Returned};
use locator::{Component, Edition, edition, internal};

pub(super) static CHECK: Check =
    Check { codes: &[&DISAGREE, &UNEXPECTED, &LEAVES, &HISTORICAL, &LOGIN, &BACKSLASH], run };

pub(crate) static DISAGREE: Code = Code {
    name: "readers-disagree",
    severity: Severity::High,
    precision: Precision::VeryHigh,
    title: "programs contact different hosts for this URL",
    advice: "refuse the URL; or check its host, build a new URL from that host, and fetch only the new URL",
    citation: "RFC 3986, 7.6",
    explanation: "If the program that checks a URL and the program that fetches it contact different hosts, a list of \
        allowed hosts does not protect: this is how server-side request forgery (SSRF) works. Each program named here \
        was run. A host that a library only returns need not exist, but a check would compare it.",
    example: "http://evil.example\\@good.example/",
};

static UNEXPECTED: Code = Code {
    name: "unexpected-host",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "programs contact a host, although the URL has none by the standard",
    advice: "refuse the URL, or write exactly two slashes before the host",
    citation: "RFC 3986, 3.2; URL Standard, 4.4",
    explanation: "A check that finds no host takes the URL for a path, or for nothing. Browsers add missing slashes and \
        skip extra ones.",
    example: "https:///evil.example/",
};

static LEAVES: Code = Code {
    name: "leaves-base",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the URL leads to another server than the base",
    advice: "allow only references that begin with \"/\", but not with \"//\" or \"/\\\", or compare scheme, host and port",
    citation: "RFC 3986, 4.2",
    explanation: "A program that redirects to a URL from the request can send its users to any server: an open redirect. \
        A check for a leading \"/\" takes \"//evil.example/\" for a path. This is reported only if a base was set, also \
        for URLs with a scheme; scheme, host and port are compared.",
    example: "//evil.example/",
};

static HISTORICAL: Code = Code {
    name: "historical-readers-disagree",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "programs that follow an older standard contact another host",
    advice: "write the URL so that it has the same host in every edition",
    citation: "RFC 3986, appendix D",
    explanation: "Programs that follow an older document are still in use. If that document finds another scheme or host \
        in the URL than the current ones, such a program contacts another host.",
    example: "1x://host.example/",
};

static LOGIN: Code = Code {
    name: "login-ends-elsewhere",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "in another edition the user information ends elsewhere",
    advice: "percent-encode \"@\" in user information as %40",
    citation: "RFC 3986, 7.6",
    explanation: "People and programs must agree where the user information ends, because the host follows it. \
        Editions of the standard divide this URL at different places.",
    example: "http://good.example?@evil.example/",
};

static BACKSLASH: Code = Code {
    name: "backslash",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a backslash, which browsers read as \"/\"",
    advice: "write \"/\", or %5C for a literal backslash",
    citation: "RFC 3986, appendix C",
    explanation: "No edition allows \"\\\". Browsers and Node read it as \"/\", which ends the authority; curl, \
        Python and Perl do not. In a path it only moves the boundaries of segments.",
    example: "https:\\\\host.example/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.least <= Severity::Medium {
        backslashes(subject, findings);
    }
    // White space around a URL delimits it (appendix C).
    let text = subject.text.trim_matches([' ', '\t', '\n', '\r']);
    let (component, span) = disputed_part(subject);
    // With white space before it, the edition divides another text than programs do.
    let has_host = subject.span(Component::Authority).is_some() || text.len() != subject.text.len();
    let may_leave = subject.base.is_some() && has_host && subject.least <= Severity::Medium;
    if !may_differ(text) && !may_leave {
        return;
    }
    let readings = Readings::new_with(text, subject.edition(), subject.base);
    let contacts = readings.all_contacts();
    let is_deviation = !readings.agree() && differs_by_deviations(subject);
    if !readings.agree() && !is_deviation {
        let mut message = who_goes_where(subject, contacts.iter().filter(|found| found.is_current()));
        add_returned(&mut message, &readings);
        findings.push(Finding::new(&DISAGREE, component, span).saying(message));
        return;
    }
    if let Some(severity) = unexpected(subject, &readings, &contacts) {
        // An address may have been found by how it is written.
        let host = subject.span(Component::Host).map_or(span.start, |host| host.start);
        if findings.are_about(span.start, severity) || findings.are_about(host, severity) {
            return;
        }
        let message = who_goes_where(subject, contacts.iter().filter(|found| found.is_current()));
        findings.push(Finding::new(&UNEXPECTED, component, span).severe(severity).saying(message));
        return;
    }
    if let Some(base) = subject.base.filter(|_| may_leave)
        && let Some(place) = elsewhere(&readings, &contacts, base)
    {
        let message = alloc::format!("it leads from {base} to {place}");
        findings.push(Finding::new(&LEAVES, component, span.clone()).saying(message));
    }
    if subject.least > Severity::Low || is_deviation {
        return;
    }
    if let Some((edition, end)) = login_elsewhere(subject) {
        let start = subject.span(Component::Authority).map_or(0, |span| span.start);
        let message =
            alloc::format!("in {}, everything before this \"@\" is user information", edition.document);
        findings.push(Finding::new(&LOGIN, Component::Authority, start..end + 1).saying(message));
    } else if contacts.len() > 1 {
        findings.push(
            Finding::new(&HISTORICAL, component, span).saying(who_goes_where(subject, contacts.iter())),
        );
    }
}

/// Returns whether programs contact different hosts only because IDNA 2003 and IDNA 2008 read some letters of the host
/// differently, such as the sharp s. That is the matter of `idna-deviation`.
fn differs_by_deviations(subject: &Subject<'_>) -> bool {
    let (Some(span), Some(host)) = (subject.span(Component::Host), subject.get(Component::Host)) else {
        return false;
    };
    let Some(plain) = without_deviations(host) else { return false };
    let (before, after) = (subject.text.get(..span.start), subject.text.get(span.end..));
    let text = [before.unwrap_or_default(), &plain, after.unwrap_or_default()].concat();
    Readings::new_with(&text, subject.edition(), subject.base).agree()
}

/// Returns what each current program contacts or returns; `None` if all read the same.
pub(super) fn different_hosts(subject: &Subject<'_>) -> Option<String> {
    let readings = Readings::new_with(subject.text, subject.edition(), subject.base);
    if readings.agree() {
        return None;
    }
    let contacts = readings.all_contacts();
    let mut message = who_goes_where(subject, contacts.iter().filter(|found| found.is_current()));
    add_returned(&mut message, &readings);
    Some(message)
}

/// Returns what current programs contact, or else return, that is not the base.
fn elsewhere(readings: &Readings, contacts: &[Contacted<'_>], base: &Contact) -> Option<String> {
    let mut contacts = contacts.iter().filter(|found| found.is_current());
    let contact = contacts.find(|found| found.contact != base).map(|found| found.contact.to_string());
    contact.or_else(|| {
        let is_other = |found: &Returned<'_>| {
            found.is_current() && !found.is_of_password && !is_same(base.host(), found.host)
        };
        readings.returned().into_iter().find(is_other).map(|found| found.host.into())
    })
}

/// Returns how serious it is that current programs contact a host where the edition finds none; `None` if
/// they contact none. A text that is not valid is only worth a finding if it hides an internal address.
fn unexpected(subject: &Subject<'_>, readings: &Readings, contacts: &[Contacted<'_>]) -> Option<Severity> {
    if !readings.are_asked() || readings.own().contact().is_some() {
        return None;
    }
    // The edition may find the host, and refuse only the port.
    let named = subject.get(Component::Host).filter(|_| *readings.own() == Outcome::Refused);
    let is_named = |host: &&Host| named.is_some_and(|named| is_same(host, named));
    // What remains of "url:/a" is a path.
    let is_path = |found: &&Contacted<'_>| readings.is_taken_off && found.is_base;
    let hosts = contacts.iter().filter(|found| found.is_current() && !is_path(found));
    let hosts = hosts.map(|found| found.contact.host());
    let mut hosts = hosts.filter(|host| !is_named(host));
    let is_internal = |host: &Host| match host {
        Host::Address(address) => !matches!(Reach::of(*address), Reach::Public | Reach::Reserved),
        Host::Name(_) => false,
    };
    if hosts.clone().any(is_internal) {
        return Some(Severity::High);
    }
    hosts.next().filter(|_| *readings.own() == Outcome::NoHost).map(|_| Severity::Medium)
}

/// Returns the part of the text that readers divide differently: the authority, or the whole.
fn disputed_part(subject: &Subject<'_>) -> (Component, Range<usize>) {
    match subject.span(Component::Authority) {
        Some(span) if !span.is_empty() && subject.text.get(span.clone()).is_some() => {
            (Component::Authority, span)
        }
        _ => (Component::Reference, 0..subject.text.len()),
    }
}

/// Writes each contact with its readers, the own reading first: `good.example by curl, wget; evil.example by …`.
fn who_goes_where<'a>(subject: &Subject<'_>, contacts: impl Iterator<Item = &'a Contacted<'a>>) -> String {
    let mut message = String::new();
    let default = default_base();
    let base = subject.base.unwrap_or(&default);
    for found in contacts {
        message.push_str(if message.is_empty() { "contacted: " } else { "; " });
        if found.contact == base {
            message.push_str("the base, as for a path,");
        } else if found.is_of_password {
            message.push_str("a part of the password");
        } else {
            let _ = write!(message, "{}", found.contact);
        }
        add_readers(&mut message, &found.readers);
    }
    message
}

/// Adds the hosts that are returned: `; returned, not contacted: a%20.good.example by …`.
fn add_returned(message: &mut String, readings: &Readings) {
    for found in readings.returned().iter().filter(|found| found.is_current()) {
        let host = if found.is_of_password { "a part of the password" } else { found.host };
        let _ = write!(message, "; returned, not contacted: {host}");
        add_readers(message, &found.readers);
    }
}

fn add_readers(message: &mut String, readers: &[&Reader]) {
    for (at, reader) in readers.iter().enumerate() {
        let before = if at == 0 { " by" } else { "," };
        let _ = write!(message, "{before} {}", reader.title());
    }
}

/// Returns an edition by which the userinfo ends elsewhere, and where.
fn login_elsewhere(subject: &Subject<'_>) -> Option<(&'static Edition, usize)> {
    if !subject.text.contains('@') {
        return None;
    }
    let end = |edition: &'static Edition| {
        let spans = internal::divide(subject.text.as_bytes(), edition);
        spans.span(Component::Userinfo).map(|span| span.end)
    };
    let own = subject.span(Component::Userinfo).map(|span| span.end);
    let ends = edition::ALL.into_iter().rev().map(|edition| (edition, end(edition)));
    let mut others = ends.filter_map(|(edition, end)| Some((edition, end.filter(|_| end != own)?)));
    others.find(|(_, end)| subject.text.is_char_boundary(end + 1))
}

/// Finds "\" before the query: medium in or before the authority, else low.
fn backslashes(subject: &Subject<'_>, findings: &mut Findings) {
    let text = subject.text;
    let Some(at) = text.find('\\') else { return };
    if text.get(..at).is_some_and(|before| before.contains(['?', '#'])) {
        return;
    }
    let end = text.get(at..).map_or(0, |rest| rest.len() - rest.trim_start_matches('\\').len());
    let after_host = subject.span(Component::Path).is_some_and(|path| {
        subject.span(Component::Authority).is_some_and(|span| !span.is_empty()) && at >= path.start
    });
    let severity = if after_host { Severity::Low } else { Severity::Medium };
    let finding = Finding::new(&BACKSLASH, subject.component_at(at), at..at + end);
    findings.push(finding.severe(severity));
}
