//! An audited URL ([`Audited`]): its findings, the text without its secrets (the bytes of passwords, credentials and
//! tokens), and what each reader contacts for it ([`Hosts`]), for people.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;

use anstyle::Style;
use locator::{Edition, Redacted};
use locator_audit::{Argued, Argument, Contact, Finding, Host, Reader, Readings, Returned, arguments};
use locator_web::report::{
    ShownContacts, WithoutContact, names_of_programs, names_of_readers, place_of_host,
};
use unicode_width::UnicodeWidthStr;

use crate::input::located::{Located, Place};
use crate::output::Output;
use crate::output::paragraph;
use crate::report::findings;
use crate::terminal::paint::{FAINT, HOSTS, STRONG};
use crate::terminal::{secrets, visible};

/// A URL with the findings that are reported.
pub(super) struct Audited<'a> {
    pub(super) located: &'a Located<'a>,
    /// Where the URL is: where it was found, or its line in the file that it was read from.
    pub(super) place: Option<&'a Place>,
    pub(super) edition: &'static Edition,
    /// What texts without a scheme refer to, if `--base` says so.
    pub(super) base: Option<&'a Contact>,
    pub(super) findings: &'a [Finding],
    /// The URL with its secrets hidden, whatever is shown.
    pub(super) hidden: &'a Redacted<'a>,
    /// The URL as it is shown.
    pub(super) shown: &'a Redacted<'a>,
}

impl Audited<'_> {
    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter()
    }

    /// Returns whether the URL is in a file that an editor can open.
    pub(super) fn is_in_file(&self) -> bool {
        self.located.file().is_some() || self.located.input.is_in_file()
    }

    /// Returns what each reader contacts. White space around the URL delimits it.
    pub(super) fn readings(&self) -> Readings {
        Readings::new_with(self.text(), self.edition, self.base)
    }

    /// Returns what programs do with the text as their argument, if it has no scheme that they know.
    pub(super) fn arguments(&self) -> Vec<Argued> {
        arguments(self.text())
    }

    fn text(&self) -> &str {
        self.located.text().trim_matches([' ', '\t', '\n', '\r'])
    }

    /// Returns a host as it is shown: hidden if it is rather a part of a password.
    pub(super) fn host(&self, host: &Host) -> String {
        self.contacts().host(host)
    }

    /// Returns a host that a reader returns as it is shown.
    pub(super) fn returned(&self, found: &Returned<'_>) -> String {
        self.contacts().returned(found)
    }

    /// Returns a contact as it is shown: `https://host:443`.
    pub(super) fn contact(&self, contact: &Contact) -> String {
        self.contacts().contact(contact)
    }

    fn contacts(&self) -> ShownContacts<'_> {
        ShownContacts::new(self.shown).with_secrets(secrets::are_shown())
    }

    /// Returns what a finding is about: the sentence, or of what is not valid the error.
    pub(super) fn fact<'f>(&self, finding: &'f Finding) -> Cow<'f, str> {
        findings::fact(finding, self.edition, self.shown)
    }

    /// Returns the sentence of a finding, without hidden text.
    pub(super) fn message<'f>(&self, finding: &'f Finding) -> &'f str {
        findings::message(finding, self.shown)
    }
}

/// The hosts that readers disagree about, in the order of the URL, each with its readers.
pub(super) struct Hosts {
    rows: Vec<Row>,
}

/// What some readers do with the URL.
struct Row {
    what: String,
    /// The host, if it is one.
    host: String,
    style: Style,
    readers: Vec<String>,
    /// Where the host is in the URL, if it is there as it is contacted.
    place: Option<Range<usize>>,
}

impl Hosts {
    /// How many hosts a line names.
    const NAMED: usize = 3;

    /// Returns the hosts, for a line: `good.example, evil.example`; empty if there are none.
    pub(super) fn named(&self) -> String {
        let mut hosts: Vec<&str> = Vec::new();
        for row in self.rows.iter().filter(|row| !row.host.is_empty()) {
            if !hosts.contains(&row.host.as_str()) {
                hosts.push(&row.host);
            }
        }
        let more = if hosts.len() > Self::NAMED { ", …" } else { "" };
        hosts.truncate(Self::NAMED);
        format!("{}{more}", hosts.join(", "))
    }

    /// Groups the current readers by what they contact; with those of the past if `with_past`.
    pub(super) fn of(audited: &Audited<'_>, with_past: bool) -> Self {
        let readings = audited.readings();
        let (contacts, returned) = (readings.contacts(), readings.returned());
        let is_shown = |is_current: bool| with_past || is_current;
        let hosts_alone = differ_by_host(&contacts.iter().map(|found| found.contact).collect::<Vec<_>>());
        let mut found = Vec::new();
        for one in contacts.iter().filter(|one| is_shown(one.is_current())) {
            let host = audited.host(one.contact.host());
            let what = if hosts_alone { host.clone() } else { audited.contact(one.contact) };
            found.push((what, host, "", said(&one.readers, with_past)));
        }
        if let Some(one) = readings.at_base() {
            found.push((SERVER_OF_BASE.to_owned(), String::new(), "", said(&one.readers, with_past)));
        }
        for one in returned.iter().filter(|one| is_shown(one.is_current())) {
            let host = audited.returned(one);
            found.push((host.clone(), host, "returned by ", said(&one.readers, with_past)));
        }
        let mut taken = Vec::new();
        let mut rows: Vec<_> = found
            .into_iter()
            .filter(|(.., readers)| !readers.is_empty())
            .map(|(what, host, how, mut readers)| {
                let place = place_of_host(audited.located.text(), &host, &taken);
                taken.extend(place.clone());
                if let Some(first) = readers.first_mut() {
                    *first = format!("{how}{first}");
                }
                Row { what: visible(&what).to_string(), host, style: Style::new(), readers, place }
            })
            .collect();
        // Hosts that are not in the URL come last.
        rows.sort_by_key(|row| row.place.as_ref().map_or(usize::MAX, |place| place.start));
        for (row, style) in rows.iter_mut().zip(HOSTS.into_iter().cycle()) {
            row.style = style;
        }
        let found = WithoutContact::new(&readings);
        for (what, readers) in [
            ("open a file", found.opening_file),
            ("find no host", found.without_host),
            ("refuse it", found.rejecting),
        ] {
            let readers = said(&readers, with_past);
            if !readers.is_empty() {
                let what = what.to_owned();
                rows.push(Row { what, host: String::new(), style: FAINT, readers, place: None });
            }
        }
        Self { rows }
    }

    /// Returns the hosts in a part of the URL, with their colours.
    pub(super) fn in_url(&self, part: Range<usize>) -> Vec<(Range<usize>, Style)> {
        let places = self.rows.iter().filter_map(|row| Some((row.place.clone()?, row.style)));
        places.filter(|(place, _)| part.start <= place.start && place.end <= part.end).collect()
    }

    /// Returns the colour of a host.
    fn style_of(&self, host: &str) -> Style {
        self.rows.iter().find(|row| row.host == host).map_or(Style::new(), |row| row.style)
    }

    /// Writes a row for each host: the host, and beside it the names of its readers, or below it if there
    /// is no room beside it.
    pub(super) fn write(&self, out: &mut Output) -> io::Result<()> {
        let (paint, most) = (out.paint, out.columns / 3);
        let widest = self.rows.iter().map(|row| row.what.width()).filter(|width| *width <= most).max();
        let column = INDENT + widest.unwrap_or(0) + 2;
        let is_narrow = out.columns < 60;
        for row in &self.rows {
            let what = &row.what;
            let is_below = is_narrow || row.what.width() > most;
            let start = if is_below { INDENT + 2 } else { column };
            write!(out, "{:INDENT$}{}", "", paint.with(row.style, what))?;
            match is_below {
                true => write!(out, "\n{:start$}", "")?,
                false => write!(out, "{:1$}", "", column - INDENT - what.width())?,
            }
            let words = in_words(&row.readers, out.columns - start);
            let lines = paragraph::lines(words.iter().map(String::as_str), out.columns, start, start);
            for (number, line) in lines.iter().enumerate() {
                let indent = if number == 0 { 0 } else { start };
                writeln!(out, "{:indent$}{line}", "")?;
            }
        }
        Ok(())
    }
}

/// The indent of hosts.
const INDENT: usize = 4;

/// What a relative reference refers to, if nobody has set a base.
const SERVER_OF_BASE: &str = "the server of the base";

/// Returns the names of readers: of programs, and with the past of editions.
fn said(readers: &[&Reader], with_past: bool) -> Vec<String> {
    let is_program =
        |reader: &&&Reader| with_past || Edition::from_name(reader.name()).is_none() && reader.is_current();
    names_of_readers(&readers.iter().filter(is_program).copied().collect::<Vec<_>>())
}

/// Returns names with commas between them, as words: a name that fits a line is not divided.
fn in_words(names: &[String], columns: usize) -> Vec<String> {
    let mut words = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let comma = if number + 1 < names.len() { "," } else { "" };
        let name = format!("{name}{comma}");
        match name.width() <= columns {
            true => words.push(name),
            false => words.extend(name.split(' ').map(str::to_owned)),
        }
    }
    words
}

/// Returns whether contacts have different hosts, so that a host says which contact is meant.
fn differ_by_host(contacts: &[&Contact]) -> bool {
    let mut hosts = BTreeSet::new();
    contacts.iter().all(|contact| hosts.insert(contact.host().to_string()))
}

/// Writes what programs do with a URL. A text without a scheme has two situations: it is the argument of a
/// program, or a link in a page, which is relative to a base.
pub(super) fn write_all(out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
    if write_arguments(out, audited)? {
        let base = match audited.base {
            Some(base) => format!("relative to {base}"),
            None => "relative to the base that --base names".to_owned(),
        };
        // A text with a scheme that programs do not know is not relative.
        let is_relative = audited.readings().at_base().is_some() || audited.base.is_some();
        let base = if is_relative { format!(", {base}") } else { String::new() };
        situation(out, "as an href", &base)?;
    }
    write_readings(out, audited)
}

/// Writes what programs do with a text without a scheme that is their argument; returns whether it is one.
fn write_arguments(out: &mut Output, audited: &Audited<'_>) -> io::Result<bool> {
    let found = audited.arguments();
    if !found.is_empty() {
        situation(out, "as the argument of a program", "")?;
    }
    for one in &found {
        let (what, style) = match &one.outcome {
            Argument::Contact(contact) => (format!("contacts {}", audited.contact(contact)), Style::new()),
            Argument::File => ("reads the file of this name".to_owned(), FAINT),
            Argument::Search => ("searches the web for it".to_owned(), FAINT),
            _ => ("rejects".to_owned(), FAINT),
        };
        heading(out, &what, style, "")?;
        names(out, "", &names_of_programs(&one.programs))?;
    }
    Ok(!found.is_empty())
}

/// Writes the situation that the next lines are about.
fn situation(out: &mut Output, what: &str, more: &str) -> io::Result<()> {
    let more = format!("{}:", visible(more));
    write!(out, "  {}", out.paint.with(STRONG, what))?;
    paragraph::flow(out, 2 + what.width(), INDENT, Style::new(), &more)
}

/// Writes each contact with its readers, that of the chosen edition first, then the hosts that are
/// returned and not contacted, then the readers that reject the URL, and those of the past.
fn write_readings(out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
    let readings = audited.readings();
    let note_of = |is_own: bool| match is_own {
        true => format!(" (the host in {})", audited.edition.document),
        false => String::new(),
    };
    let hosts = Hosts::of(audited, false);
    for found in readings.contacts() {
        let what = format!("contacts {}", audited.contact(found.contact));
        let style = hosts.style_of(&audited.host(found.contact.host()));
        heading(out, &what, style, &note_of(found.is_own))?;
        list(out, &found.readers)?;
    }
    if let Some(found) = readings.at_base() {
        heading(out, &format!("contacts {SERVER_OF_BASE}"), Style::new(), &note_of(found.is_own))?;
        list(out, &found.readers)?;
    }
    for found in readings.returned() {
        let host = audited.returned(&found);
        let what = format!("returns {host}, contacts nothing");
        heading(out, &what, hosts.style_of(&host), &note_of(found.is_own))?;
        list(out, &found.readers)?;
    }
    let found = WithoutContact::new(&readings);
    for (what, readers) in [
        ("opens a file of its own machine", found.opening_file),
        ("returns no host, contacts nothing", found.without_host),
        ("rejects", found.rejecting),
    ] {
        if !readers.is_empty() {
            heading(out, what, FAINT, "")?;
            list(out, &readers)?;
        }
    }
    Ok(())
}

/// Writes what the readers on the next lines do.
fn heading(out: &mut Output, what: &str, style: Style, note: &str) -> io::Result<()> {
    let (paint, what) = (out.paint, visible(what).to_string());
    write!(out, "{:INDENT$}{}", "", paint.with(style, &what))?;
    paragraph::flow(out, INDENT + what.width(), INDENT + 2, FAINT, note)
}

/// Writes the names of readers; those of the past on lines of their own.
fn list(out: &mut Output, readers: &[&Reader]) -> io::Result<()> {
    for (is_current, head) in [(true, ""), (false, "historical: ")] {
        let of_it: Vec<_> =
            readers.iter().filter(|reader| reader.is_current() == is_current).copied().collect();
        names(out, head, &names_of_readers(&of_it))?;
    }
    Ok(())
}

/// Writes names below a heading, if there are any.
fn names(out: &mut Output, head: &str, names: &[String]) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let words = in_words(names, out.columns - 6);
    paragraph::write(out, "      ", head.split_terminator(' ').chain(words.iter().map(String::as_str)))
}
