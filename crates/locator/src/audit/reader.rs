//! Readings: what programs of today and of the past contact for one text.
//!
//! A *reader* is a program with its version. It is a row of *quirks*, switches in which programs differ:
//! which "@" ends the userinfo, whether "\" is "/", what is stripped, how many "/" are needed, whether a
//! host is decoded, and what is read as an IPv4 address. One function reads by any row.

mod contact;
mod definition;
mod differs;
mod model;
mod name;
mod of_edition;
mod quirk;
mod server;
mod table;
mod text;

pub use contact::{Contact, Host, Outcome};
pub use definition::{Reader, Source};

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;
use core::ops::Range;

use super::blocks::Reach;
use super::finding::{Check, Code, Finding, Findings, Precision, Severity};
use super::subject::Subject;
use crate::edition::{self, Edition};
use crate::parse;
use crate::reference::UriRef;
use crate::scheme;
use crate::span::Component;
use differs::may_differ;

/// The base of texts without a scheme, unless another is set.
const BASE: &str = "https://base.invalid/";

pub(super) static CHECK: Check =
    Check { codes: &[&DISAGREE, &UNEXPECTED, &LEAVES, &HISTORICAL, &LOGIN, &BACKSLASH], run };

static DISAGREE: Code = Code {
    name: "readers-disagree",
    severity: Severity::High,
    precision: Precision::VeryHigh,
    title: "current programs contact different hosts for this URL",
    advice: "refuse the URL; or write it anew from the host that was checked, and fetch only that",
    citation: "RFC 3986, 7.6",
    explanation: "If the program that checks a URL and the program that fetches it read it differently, a check for \
        allowed hosts is in vain: this is how server-side request forgery works. Each program named here was run, \
        and contacts what is said.",
    example: "http://evil.example\\@good.example/",
};

static UNEXPECTED: Code = Code {
    name: "unexpected-host",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "current programs contact a host where the edition finds none",
    advice: "refuse the URL; \"//\" is before a host, and exactly two slashes",
    citation: "RFC 3986, 3.2; URL Standard, 4.4",
    explanation: "A check that finds no host in the URL takes it for a path, or for nothing. Browsers supply the slashes \
        that are missing and skip those that are too many.",
    example: "https:///evil.example/",
};

static LEAVES: Code = Code {
    name: "leaves-base",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the reference has no scheme, but a host: it leaves the server of the base",
    advice: "allow only references that begin with one \"/\" and no other \"/\" or \"\\\"",
    citation: "RFC 3986, 4.2",
    explanation: "A text that begins with \"//\" is taken for a path by a check for \"/\", and is a redirect to another \
        server. It is reported if a base was set.",
    example: "//evil.example/",
};

static HISTORICAL: Code = Code {
    name: "historical-readers-disagree",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "by an older edition of the standard this URL has another host",
    advice: "write the URL so that every edition finds the same host",
    citation: "RFC 3986, appendix D",
    explanation: "Programs that follow an older document are still in use. Where it finds a scheme or a host that the \
        current documents do not, such a program contacts another host.",
    example: "1x://host.example/",
};

static LOGIN: Code = Code {
    name: "login-ends-elsewhere",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "by another edition the user information ends at another place",
    advice: "percent-encode \"@\" in user information as %40",
    citation: "RFC 3986, 7.6",
    explanation: "A person and a program must agree where the user information ends, because the host is after it. \
        The editions divide this text at different places.",
    example: "http://good.example?@evil.example/",
};

static BACKSLASH: Code = Code {
    name: "backslash",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a backslash, which browsers read as \"/\"",
    advice: "write \"/\", or %5C for a backslash that is data",
    citation: "RFC 3986, appendix C",
    explanation: "No edition allows \"\\\". Browsers and Node read it as \"/\", so that it ends the authority; curl, \
        Python and Perl do not. Within a path it only moves the boundaries of segments.",
    example: "https:\\\\host.example/",
};

/// Returns every reader: the programs, then the editions from the newest.
pub fn readers() -> impl ExactSizeIterator<Item = &'static Reader> {
    table::READERS.iter()
}

/// Returns what each reader contacts for a text, read by RFC 3986 and against `https://base.invalid/`.
///
/// ```
/// let readings = locator::audit::readings("http://evil.example\\@good.example/");
/// let contacts = readings.contacts();
/// assert_eq!(contacts[0].contact.to_string(), "http://good.example:80");
/// assert!(contacts[0].is_own && contacts[0].readers.iter().any(|reader| reader.name() == "curl"));
/// assert_eq!(contacts[1].contact.to_string(), "http://evil.example:80");
/// assert!(contacts[1].readers.iter().any(|reader| reader.name() == "url-standard"));
/// ```
#[must_use]
pub fn readings(text: &str) -> Readings {
    Readings::new(text, edition::DEFAULT, None)
}

/// What each reader contacts for one text.
#[derive(Clone, Debug)]
pub struct Readings {
    own: Outcome,
    /// The password, decoded, in lower case.
    password: String,
    /// Whether general programs do not fetch the scheme.
    is_foreign: bool,
    /// Whether a reader that takes the scheme for a host has misread the text.
    has_guesses: bool,
    /// The base, if the text does not name its host.
    base: Option<Contact>,
    outcomes: Vec<(&'static Reader, Outcome)>,
}

/// A contact with the readers that make it.
#[derive(Clone, Debug)]
pub struct Contacted<'a> {
    /// What is contacted.
    pub contact: &'a Contact,
    /// Whether the chosen edition reads so.
    pub is_own: bool,
    /// Whether the name of the host may be a part of the password, which some readers end elsewhere.
    pub is_of_password: bool,
    /// Whether it is the base that the text refers to: for a relative reference.
    pub is_base: bool,
    /// The readers, in the order of [`readers`].
    pub readers: Vec<&'static Reader>,
}

impl Readings {
    /// Reads a text by every reader. The own reading is that of the edition; if the text is not valid,
    /// appendix B of RFC 3986 divides it. What has no scheme refers to the base, by default
    /// `https://base.invalid/`, so that a reader that leaves the base shows.
    #[must_use]
    pub fn new(text: &str, edition: &'static Edition, base: Option<&Contact>) -> Self {
        let default = default_base();
        let base = base.unwrap_or(&default);
        let subject = Subject::new(text, edition, false, Severity::High);
        Self {
            is_foreign: model::has_foreign_scheme(text),
            has_guesses: model::has_foreign_scheme(text) && !model::is_host_with_port(text),
            own: own(&subject, base),
            password: password(&subject),
            base: Some(base).filter(|base| !text.contains(&base.host().to_string())).cloned(),
            outcomes: readers().map(|reader| (reader, reader.read(text, base))).collect(),
        }
    }

    /// Returns the reading by the chosen edition.
    #[must_use]
    pub const fn own(&self) -> &Outcome {
        &self.own
    }

    /// Returns what each reader makes of the text, in the order of [`readers`].
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = (&'static Reader, &Outcome)> {
        self.outcomes.iter().map(|(reader, outcome)| (*reader, outcome))
    }

    /// Returns the different contacts, the own first, with the readers that make each, without the
    /// [guesses](Self::guesses).
    #[must_use]
    pub fn contacts(&self) -> Vec<Contacted<'_>> {
        let own = self.own.contact().map(|contact| self.contacted(contact, true, Vec::new()));
        self.grouped(own, false)
    }

    /// Returns what curl and wget contact for a text whose scheme they do not fetch: on their command
    /// line they take the scheme for a host, a user or a part of a path. `mailto:a@b.example` is
    /// `ftp://mailto` for wget. Nobody means that, except for `host:80`, which is no guess.
    ///
    /// ```
    /// let readings = locator::audit::readings("mailto:a@b.example");
    /// assert!(readings.contacts().is_empty());
    /// assert_eq!(readings.guesses()[1].contact.to_string(), "ftp://mailto:21");
    /// assert!(locator::audit::readings("b.example:80").guesses().is_empty());
    /// ```
    #[must_use]
    pub fn guesses(&self) -> Vec<Contacted<'_>> {
        self.grouped(None, true)
    }

    /// Returns the contacts that are guesses or are not.
    fn grouped<'a>(&'a self, own: Option<Contacted<'a>>, guesses: bool) -> Vec<Contacted<'a>> {
        let mut found: Vec<_> = own.into_iter().collect();
        for (reader, outcome) in &self.outcomes {
            let Some(contact) = outcome.contact() else { continue };
            if (self.has_guesses && reader.takes_scheme_for_host()) != guesses {
                continue;
            }
            match found.iter_mut().find(|known| known.contact == contact) {
                Some(known) => known.readers.push(reader),
                None => found.push(self.contacted(contact, false, alloc::vec![*reader])),
            }
        }
        found
    }

    fn contacted<'a>(
        &self,
        contact: &'a Contact,
        is_own: bool,
        readers: Vec<&'static Reader>,
    ) -> Contacted<'a> {
        let is_part = |name: &String| self.password.contains(name.as_str());
        let is_of_password = matches!(contact.host(), Host::Name(name) if is_part(name));
        let is_base = self.base.as_ref() == Some(contact);
        Contacted { contact, is_own, is_of_password, is_base, readers }
    }

    /// Returns the different hosts as they are dialled, the own first.
    #[must_use]
    pub fn hosts(&self) -> Vec<&Host> {
        let mut hosts = Vec::new();
        for contacted in self.contacts() {
            if !hosts.contains(&contacted.contact.host()) {
                hosts.push(contacted.contact.host());
            }
        }
        hosts
    }

    /// Returns whether the own reading and the current readers that contact anything contact the same.
    ///
    /// Readers of a text whose scheme they do not fetch (`mailto:`) are not asked: there, curl and wget
    /// guess a host without a scheme.
    #[must_use]
    pub fn agree(&self) -> bool {
        self.is_foreign || self.contacts().iter().filter(|found| found.is_current()).count() < 2
    }
}

impl Contacted<'_> {
    /// Returns whether the own reading or a current reader makes this contact.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.is_own || self.readers.iter().any(|reader| reader.is_current())
    }
}

/// Returns the base of texts without a scheme: `https://base.invalid/`.
fn default_base() -> Contact {
    let reference = UriRef::parse(BASE).ok();
    let scheme = reference.and_then(UriRef::scheme).map_or("", |scheme| scheme.as_str());
    let host = reference.and_then(UriRef::host).map_or("", |host| host.as_str());
    Contact::new(scheme, Host::Name(host.into()), scheme::default_port(scheme))
}

/// Returns the reading of the subject's own edition.
fn own(subject: &Subject<'_>, base: &Contact) -> Outcome {
    let get = |component| subject.get(component);
    let host = subject.span(Component::Authority).map(|_| get(Component::Host).unwrap_or_default());
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(model::is_of_scheme)
    };
    // What is before ":" in a text that is not valid need not be a scheme.
    if !get(Component::Scheme).is_none_or(is_scheme) {
        return Outcome::Refused;
    }
    of_edition::read(get(Component::Scheme), host, get(Component::Port), base)
}

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.least <= Severity::Medium {
        backslashes(subject, findings);
    }
    // White space around a URL delimits it (appendix C).
    let text = subject.text.trim_matches([' ', '\t', '\n', '\r']);
    let (component, span) = place(subject);
    let is_network = subject.scheme().is_empty() && subject.span(Component::Authority).is_some();
    let may_leave = subject.base.is_some() && is_network && subject.least <= Severity::Medium;
    if !may_differ(text) && !may_leave {
        return;
    }
    let readings = Readings::new(text, subject.edition(), subject.base);
    let contacts = readings.contacts();
    if !readings.agree() {
        let message = who_goes_where(subject, contacts.iter().filter(|found| found.is_current()));
        findings.push(Finding::new(&DISAGREE, component, span).saying(message));
        return;
    }
    if let Some(severity) = unexpected(&readings, &contacts) {
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
        && let Some(found) = contacts.iter().find(|found| found.is_current() && found.contact != base)
    {
        let message = alloc::format!("the reference leaves {base}: it leads to {}", found.contact);
        findings.push(Finding::new(&LEAVES, component, span).saying(message));
        return;
    }
    if subject.least > Severity::Low {
        return;
    }
    if let Some((edition, end)) = login_elsewhere(subject) {
        let start = subject.span(Component::Authority).map_or(0, |span| span.start);
        let message = alloc::format!("by {} all before this \"@\" is user information", edition.document);
        findings.push(Finding::new(&LOGIN, Component::Authority, start..end + 1).saying(message));
    } else if contacts.len() > 1 {
        findings.push(
            Finding::new(&HISTORICAL, component, span).saying(who_goes_where(subject, contacts.iter())),
        );
    }
}

/// Returns how serious it is that current programs contact a host where the edition finds none; `None` if
/// they contact none. A text that is not valid is only worth a finding if it hides an internal address.
fn unexpected(readings: &Readings, contacts: &[Contacted<'_>]) -> Option<Severity> {
    if readings.is_foreign || readings.own.contact().is_some() {
        return None;
    }
    let mut hosts = contacts.iter().filter(|found| found.is_current()).map(|found| found.contact.host());
    let is_internal = |host: &Host| match host {
        Host::Address(address) => !matches!(Reach::of(*address), Reach::Public | Reach::Reserved),
        Host::Name(_) => false,
    };
    if hosts.clone().any(is_internal) {
        return Some(Severity::High);
    }
    hosts.next().filter(|_| readings.own == Outcome::NoHost).map(|_| Severity::Medium)
}

/// Returns the part of the text that readers divide differently: the authority, or the whole.
fn place(subject: &Subject<'_>) -> (Component, Range<usize>) {
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
        for (at, reader) in found.readers.iter().enumerate() {
            let before = if at == 0 { " by" } else { "," };
            let _ = write!(message, "{before} {}", reader.title);
        }
    }
    message
}

/// Returns the password, decoded, in lower case.
fn password(subject: &Subject<'_>) -> String {
    let userinfo = subject.get(Component::Userinfo).unwrap_or_default();
    let password = userinfo.split_once(':').map_or("", |(_, password)| password);
    String::from_utf8_lossy(&text::unescaped(password)).to_lowercase()
}

/// Returns an edition by which the userinfo ends elsewhere, and where.
fn login_elsewhere(subject: &Subject<'_>) -> Option<(&'static Edition, usize)> {
    if !subject.text.contains('@') {
        return None;
    }
    let end = |edition: &'static Edition| {
        let spans = parse::divide(subject.text.as_bytes(), edition);
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
