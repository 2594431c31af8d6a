//! What `audit` prints: findings for people ([`Report`]: the first ten below their URL, which is shown once, the others
//! on one line each), as JSON objects, key by key in their order, and as results of SARIF; and, of what can be found,
//! the list of codes and a screen about one of them.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::Style;
use locator::{Redacted, Uri};
use locator_audit::{
    self as audit, Argued, Argument, Auditor, Code, Contact, Contacted, Finding, Outcome, Policy, Protected,
    Returned, Severity,
};
use serde::Serialize;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::readings::{self, Audited, Hosts};
use crate::output::Output;
use crate::output::{Place, paragraph};
use crate::report::baseline::{Key, secret_hash};
use crate::report::diagnosis;
use crate::report::excerpt::{self, Excerpt};
use crate::report::findings::{is_about_readers, is_of_past, style};
use crate::report::json::{self, FindingObject, OriginObject, text_of};
use crate::report::sarif::{Level, NewResult, Rule, Sarif, Source, Vocabulary};
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::{Word, visible};

/// The findings reported in a run.
#[derive(Debug)]
pub(super) struct Report {
    /// Whether each finding has one line.
    brief: bool,
    /// Whether the readings of every URL are written.
    readings: bool,
    /// How many findings have been reported.
    reported: u64,
    /// Whether anything has been written in several lines.
    has_drawn: bool,
}

impl Report {
    /// How many findings are reported in full.
    const DRAWN: u64 = 10;

    /// No findings yet.
    pub(super) const fn new(brief: bool, readings: bool) -> Self {
        Self { brief, readings, reported: 0, has_drawn: false }
    }

    /// Writes the findings of a URL, the most severe first, and its readings if they are asked for.
    pub(super) fn write(&mut self, out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
        let mut findings: Vec<&Finding> = audited.findings().collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        let is_brief = self.brief || self.reported >= Self::DRAWN;
        if !findings.is_empty() {
            self.separate(out, is_brief)?;
        }
        for (number, finding) in findings.iter().enumerate() {
            match number {
                _ if is_brief => finding_line(out, audited, finding, Shape::Brief)?,
                0 => draw(out, audited, finding, !self.readings)?,
                1 => {
                    writeln!(out)?;
                    finding_line(out, audited, finding, Shape::Further)?;
                }
                _ => finding_line(out, audited, finding, Shape::Further)?,
            }
        }
        self.reported += findings.len() as u64;
        if self.readings {
            self.separate(out, false)?;
            let url = excerpt::beginning(audited.shown);
            paragraph::short(out, 0, STRONG, "readings:", [" ", &url])?;
            readings::write_all(out, audited)?;
        }
        Ok(())
    }

    /// Writes an empty line before and after what has several lines.
    fn separate(&mut self, out: &mut Output, is_brief: bool) -> io::Result<()> {
        let has_drawn = std::mem::replace(&mut self.has_drawn, !is_brief);
        if has_drawn || !is_brief && self.reported > 0 { writeln!(out) } else { Ok(()) }
    }
}

/// Writes a finding with its URL, and with the readings that it is about.
fn draw(out: &mut Output, audited: &Audited<'_>, finding: &Finding, with_readings: bool) -> io::Result<()> {
    let code = finding.code();
    finding_line(out, audited, finding, Shape::First)?;
    let place = place(audited, finding);
    let at = audited.located.octets_of(finding.span()).start;
    let note = if place.has_no_byte() { format!("byte {at}") } else { String::new() };
    // The sentence about readers is long, and says what the readings below say.
    let hosts = is_about_readers(finding).then(|| Hosts::of(audited, is_of_past(finding)));
    let others = hosts.as_ref().map(|hosts| hosts.in_url(finding.span())).unwrap_or_default();
    let excerpt = Excerpt {
        text: audited.shown,
        range: finding.span(),
        style: Word::of(finding.severity()).style(),
        others: &others,
        note: &note,
        note_style: Style::new(),
    };
    excerpt::write(out, &excerpt)?;
    if let Some(hosts) = hosts.filter(|_| with_readings) {
        writeln!(out)?;
        hosts.write(out)?;
        writeln!(out)?;
    }
    diagnosis::help(out, code.advice())?;
    let paint = out.paint;
    write!(out, "  {}  ", paint.with(FAINT, "see:"))?;
    let see = format!("{}; locator audit --explain {}", finding.citation(), code.name());
    paragraph::flow(out, 8, 2, FAINT, &see)
}

/// How a finding is shown on one line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Above its URL.
    First,
    /// Below the first one of its URL.
    Further,
    /// Without others around it.
    Brief,
}

/// Writes a finding on one line, with its name: for programs, and where it is all that is written of
/// the finding, in brackets after the sentence, else at the right margin.
fn finding_line(out: &mut Output, audited: &Audited<'_>, finding: &Finding, shape: Shape) -> io::Result<()> {
    let (paint, code) = (out.paint, finding.code());
    let column = place(audited, finding).begin(out, Word::of(finding.severity()))?;
    let title = || visible(code.title()).to_string();
    let message = match shape {
        Shape::Brief if is_about_readers(finding) => {
            match Hosts::of(audited, is_of_past(finding)).named().as_str() {
                "" => title(),
                hosts => format!("{}: {}", visible(code.title()), visible(hosts)),
            }
        }
        // The sentence about readers is long, and the rows below the URL say more.
        Shape::First if is_about_readers(finding) => title(),
        Shape::Further if is_about_readers(finding) && out.is_terminal => title(),
        _ => visible(&audited.fact(finding)).to_string(),
    };
    if shape == Shape::Brief || !out.is_terminal {
        let url = match shape == Shape::Brief && !audited.is_in_file() {
            true => format!(": {}", excerpt::beginning(audited.shown)),
            false => String::new(),
        };
        if !out.is_terminal {
            return writeln!(out, "{} [{}]{url}", paint.with(STRONG, message), code.name());
        }
        return one_line(out, column, [message, title()], &format!("[{}]", code.name()), &url);
    }
    let title = title();
    let room = out.columns.saturating_sub(column + 1 + code.name().len());
    let message = [message, title].into_iter().reduce(|message, title| match message.width() > room {
        // A line with a part of what is known is better than two; the URL is above.
        true if shape == Shape::Further && title.width() <= room => title,
        _ => message,
    });
    let message = message.unwrap_or_default();
    let lines = paragraph::lines(message.split(' '), out.columns, column, 2);
    for (number, line) in lines.iter().enumerate() {
        let start = if number == 0 { column } else { 2 };
        write!(out, "{:1$}{2}", "", if number == 0 { 0 } else { 2 }, paint.with(STRONG, line))?;
        if number + 1 < lines.len() {
            writeln!(out)?;
            continue;
        }
        let rest = out.columns.saturating_sub(start + line.width());
        let name = paint.with(FAINT, format!("{:>1$}", code.name(), rest.max(code.name().len())));
        match rest > code.name().len() {
            true => writeln!(out, "{name}")?,
            false => {
                let name = paint.with(FAINT, format!("{:>1$}", code.name(), out.columns));
                writeln!(out, "\n{name}")?;
            }
        }
    }
    Ok(())
}

/// Writes a fact, the code and the URL on one line of a terminal. What does not fit is left out: of the URL its end,
/// then the fact is replaced by the title, which is cut.
fn one_line(
    out: &mut Output,
    column: usize,
    [fact, title]: [String; 2],
    code: &str,
    url: &str,
) -> io::Result<()> {
    let paint = out.paint;
    let room = out.columns.saturating_sub(column + 1 + code.len());
    let fact = if fact.width() > room && title.width() < fact.width() { title } else { fact };
    let fact = match fact.width() > room && room < SHORTEST {
        // The code says as much.
        true => return writeln!(out, "{code}"),
        false => cut(&fact, room),
    };
    let url = match room.saturating_sub(fact.width()) {
        room if room < SHORTEST && url.width() > room => String::new(),
        room => cut(url, room),
    };
    writeln!(out, "{} {code}{url}", paint.with(STRONG, fact))
}

/// In how many columns the beginning of a URL or of a sentence is of use: `: http://h.example/…`.
const SHORTEST: usize = 20;

/// Returns as much of a text as fits, and a sign that there is more.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut width = 1;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width <= columns
    };
    let beginning: String = text.chars().take_while(fits).collect();
    format!("{}…", beginning.trim_end())
}

/// Returns where a finding is.
fn place(audited: &Audited<'_>, finding: &Finding) -> Place {
    audited.located.whereabouts(audited.located.octets_of(finding.span()).start)
}

/// Writes a URL with its findings.
pub(super) fn write_json(out: &mut Output, audited: &Audited<'_>) -> io::Result<()> {
    json::line(out, &UrlObject::new(audited))
}

/// Writes what a code is.
fn write_code(out: &mut Output, code: &Code) -> io::Result<()> {
    json::line(out, &CodeObject::new(code))
}

/// A URL with findings.
#[derive(Serialize)]
struct UrlObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    #[serde(flatten)]
    origin: OriginObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_hash: Option<String>,
    findings: Vec<FindingObject<'a>>,
    /// The hosts as they are dialled, that of the edition first.
    hosts: Vec<String>,
    contacts: Vec<ContactObject>,
    /// The hosts that are returned and not contacted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    returned: Vec<ReturnedObject>,
    /// The readers that open a file of their own machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    opens_file: Vec<&'static str>,
    /// The readers that stay at the server of a base that nobody has set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    at_base: Vec<&'static str>,
    /// What programs do with the text as their argument.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    as_argument: Vec<ArgumentObject>,
}

/// What some programs do with a text without a scheme that is their argument.
#[derive(Serialize)]
struct ArgumentObject {
    does: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    programs: Vec<&'static str>,
}

impl ArgumentObject {
    fn new(audited: &Audited<'_>, argued: &Argued) -> Self {
        let (does, contact) = match &argued.outcome {
            Argument::Contact(contact) => ("contacts", Some(contact)),
            Argument::File => ("reads-file", None),
            Argument::Search => ("searches", None),
            _ => ("rejects", None),
        };
        Self {
            does,
            scheme: contact.map(|contact| contact.scheme().to_owned()),
            host: contact.map(|contact| audited.host(contact.host())),
            port: contact.and_then(|contact| contact.port()),
            programs: argued.programs.iter().map(|program| program.name()).collect(),
        }
    }
}

/// A host that some readers return, and none of them can contact.
#[derive(Serialize)]
struct ReturnedObject {
    host: String,
    readers: Vec<&'static str>,
}

/// What some readers contact.
#[derive(Serialize)]
struct ContactObject {
    scheme: String,
    host: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    readers: Vec<&'static str>,
}

impl<'a> UrlObject<'a> {
    fn new(audited: &'a Audited<'_>) -> Self {
        let Audited { located, shown, .. } = audited;
        let input = located.input;
        let of_cell = audited.place.filter(|_| input.column.is_some());
        let place = located.place.as_ref().or(of_cell);
        let origin = match place {
            Some(place) => OriginObject::at_line(place.file.as_deref(), place.line),
            None => OriginObject::default().numbered(&input),
        };
        let (is_redacted, readings) = (!shown.hidden().is_empty(), audited.readings());
        let names =
            |found: &Contacted<'_>| found.readers.iter().map(|reader| reader.name()).collect::<Vec<_>>();
        let contact = |found: &Contacted<'_>| ContactObject {
            scheme: found.contact.scheme().to_owned(),
            host: audited.host(found.contact.host()),
            port: found.contact.port(),
            readers: names(found),
        };
        let returned = |found: &Returned<'_>| ReturnedObject {
            host: audited.returned(found),
            readers: found.readers.iter().map(|reader| reader.name()).collect(),
        };
        let finding = |finding| {
            let span = located.octets_of(Finding::span(finding));
            FindingObject::new(finding, span, audited.message(finding))
        };
        Self {
            input: shown.slice(0..shown.as_str().len()),
            input_base64: text_of(located.octets()).1.filter(|_| !is_redacted),
            origin,
            column: place.and_then(|place| place.column),
            redacted: is_redacted.then_some(true),
            secret_hash: is_redacted.then(|| secret_hash(audited.hidden)).flatten(),
            findings: audited.findings().map(finding).collect(),
            hosts: readings.hosts().into_iter().map(|host| audited.host(host)).collect(),
            contacts: readings.contacts().iter().map(contact).collect(),
            returned: readings.returned().iter().map(returned).collect(),
            opens_file: readings
                .outcomes()
                .filter(|(_, outcome)| **outcome == Outcome::File)
                .map(|(reader, _)| reader.name())
                .collect(),
            at_base: readings.at_base().iter().flat_map(names).collect(),
            as_argument: audited.arguments().iter().map(|one| ArgumentObject::new(audited, one)).collect(),
        }
    }
}

/// What a code is.
#[derive(Serialize)]
struct CodeObject {
    code: &'static str,
    severity: &'static str,
    precision: &'static str,
    title: &'static str,
    explanation: &'static str,
    example: &'static str,
    advice: &'static str,
    see: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attack_source: Option<&'static str>,
}

impl CodeObject {
    fn new(code: &Code) -> Self {
        let attack = code.attack();
        Self {
            attack: attack.map(|attack| attack.description()),
            attack_source: attack.map(|attack| attack.source()),
            code: code.name(),
            severity: code.severity().name(),
            precision: code.precision().name(),
            title: code.title(),
            explanation: code.explanation(),
            example: code.example(),
            advice: code.advice(),
            see: code.citation(),
        }
    }
}

/// What is known of a finding besides its place.
#[derive(Serialize)]
pub(super) struct PropertiesObject {
    severity: &'static str,
    component: &'static str,
    offset: usize,
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<bool>,
}

/// No findings yet.
pub(super) fn sarif_log() -> Sarif<PropertiesObject> {
    let vocabulary = Vocabulary { results: "findings", fingerprint: "locatorFinding/v2" };
    Sarif::new(vocabulary, audit::codes().map(rule_of).collect())
}

/// Adds the findings of a URL.
pub(super) fn add_to_log(sarif: &mut Sarif<PropertiesObject>, audited: &Audited<'_>) {
    let file = audited.place.and_then(|place| place.file.as_deref());
    let key = Key::of_url(file, audited.hidden);
    for finding in audited.findings() {
        let code = finding.code();
        let url = excerpt::beginning(audited.shown);
        let message = format!("{}: {url} - {}", audited.message(finding), code.advice());
        sarif.add(NewResult {
            rule: code.name(),
            level: level_of(finding.severity()),
            rank: finding.severity() as u8,
            message: &message,
            source: source_of(audited, finding),
            key: key.of(code.name()),
            properties: properties_of(audited, finding),
        });
    }
}

fn source_of<'a>(audited: &'a Audited<'_>, finding: &Finding) -> Source<'a> {
    let located = audited.located;
    match audited.place {
        Some(place) => Source::Url { place, url: located.octets(), part: located.octets_of(finding.span()) },
        None => Source::Input(located.input.origin.name(), located.input.number),
    }
}

fn properties_of(audited: &Audited<'_>, finding: &Finding) -> PropertiesObject {
    let span = audited.located.octets_of(finding.span());
    PropertiesObject {
        severity: finding.severity().name(),
        component: finding.component().name(),
        offset: span.start,
        length: span.len(),
        redacted: (!audited.shown.hidden().is_empty()).then_some(true),
    }
}

fn rule_of(code: &'static Code) -> Rule {
    Rule {
        id: code.name(),
        title: code.title(),
        explanation: code.explanation(),
        advice: code.advice(),
        // A long example shows little.
        example: Some(if code.example().len() > 200 { "" } else { code.example() }),
        citation: code.citation(),
        level: level_of(code.severity()),
        precision: code.precision().name(),
        security_severity: security_severity(code.severity()),
    }
}

const fn level_of(severity: Severity) -> Level {
    match severity {
        Severity::High => Level::Error,
        Severity::Medium | Severity::Low => Level::Warning,
        _ => Level::Note,
    }
}

/// Returns the score that code scanning sorts by; `None` if it is not a matter of security.
const fn security_severity(severity: Severity) -> Option<&'static str> {
    match severity {
        Severity::High => Some("8.5"),
        Severity::Medium => Some("5.5"),
        Severity::Low => Some("2.5"),
        _ => None,
    }
}

/// Lists every code, those of the greatest severity first.
pub(super) fn list(out: &mut Output, as_json: bool) -> io::Result<()> {
    let mut codes: Vec<_> = audit::codes().collect();
    codes.sort_by_key(|code| (std::cmp::Reverse(code.severity()), code.name()));
    if as_json {
        return codes.iter().try_for_each(|code| write_code(out, code));
    }
    let width = codes.iter().map(|code| code.name().len()).max().unwrap_or(0);
    let paint = out.paint;
    for code in codes {
        let severity = paint.with(style(code.severity()), format!("{:6}", code.severity().name()));
        let name = paint.with(STRONG, format!("{:width$}", code.name()));
        write!(out, "{severity}  {name}  ")?;
        // In a narrow terminal the title is below.
        let is_narrow = out.is_terminal && out.columns < 2 * width;
        let column = if is_narrow { 8 } else { width + 10 };
        if is_narrow {
            write!(out, "\n{:column$}", "")?;
        }
        paragraph::flow(out, column, column, Style::new(), code.title())?;
    }
    writeln!(out, "\n{} describes one of them", paint.with(STRONG, "locator audit --explain CODE"))
}

/// Describes a code.
pub(super) fn explain(out: &mut Output, code: &Code, as_json: bool) -> io::Result<()> {
    if as_json {
        return write_code(out, code);
    }
    let paint = out.paint;
    paragraph::short(out, 0, STRONG, &format!("{}:", code.name()), [" ", code.title()])?;
    writeln!(out)?;
    let severity = paint.with(style(code.severity()), code.severity());
    writeln!(out, "  severity   {severity}")?;
    writeln!(out, "  precision  {}", code.precision().name())?;
    writeln!(out, "  see        {}\n", code.citation())?;
    for paragraph in code.explanation().split("\n\n") {
        paragraph::write(out, "  ", paragraph.split_whitespace())?;
        writeln!(out)?;
    }
    if let Some(attack) = code.attack() {
        writeln!(out, "{}", paint.with(FAINT, "An attack:"))?;
        paragraph::write(out, "  ", attack.description().split_whitespace())?;
        paragraph::write(out, "  ", format!("({})", attack.source()).split_whitespace())?;
        writeln!(out)?;
    }
    writeln!(out, "{}", paint.with(FAINT, "What to do:"))?;
    paragraph::write(out, "  ", code.advice().split_whitespace())?;
    writeln!(out, "\n{}", paint.with(FAINT, "Example:"))?;
    let mut protected = Protected::new();
    // The name that the example of `imitates-protected-name` imitates.
    let _ = protected.add("example.com");
    let auditor = Auditor::new().least(Severity::Info).protect(&protected);
    // Some codes are only for texts with a base.
    let base = Uri::parse("https://base.example/").ok().and_then(Contact::from_uri);
    let auditor = base.as_ref().map_or(auditor, |base| auditor.base(base));
    // The example of what a policy refuses is for this one.
    let mut findings = Policy::public_web().audit(&auditor, code.example());
    // The example of a link has this text.
    findings.extend(auditor.misleading_text(code.example(), "https://www.example.com/"));
    let example = Redacted::exact(code.example());
    let found = findings.iter().find(|finding| finding.code() == code);
    let span = found.map_or(0..0, |finding| finding.span());
    let style = style(code.severity());
    let note_style = Style::new();
    excerpt::write(out, &Excerpt { text: &example, range: span, style, others: &[], note: "", note_style })
}
