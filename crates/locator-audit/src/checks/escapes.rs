//! Percent-encoding that hides a boundary: delimiters of a protocol, double escapes, and octets
//! that are no UTF-8.

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::schemes::{self, PrescribedControls};
use locator::Component;
use locator::internal::{escaped_character, escaped_octet};

pub(super) static CHECK: Check = Check {
    codes: &[
        &LINE_BREAK,
        &CONTROL,
        &BACKSLASH,
        &SLASH_IN_HOST,
        &TWICE,
        &TWICE_MOVES,
        &OVERLONG,
        &NO_UTF8,
        &TELNET,
    ],
    run,
};

static LINE_BREAK: Code = Code {
    name: "escaped-line-break",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "an escaped line break would end the request and begin another command",
    advice: "refuse the URL, or never send the decoded character",
    citation: "RFC 1738, 6",
    explanation: "FTP, gopher, news and other protocols send commands as lines. A program that decodes %0D or %0A and \
        sends it ends the line, and what follows in the URL is another command, for example one that sends mail.",
    example: "gopher://host.example:70/0a%0D%0AMAIL%20FROM:x",
};

static CONTROL: Code = Code {
    name: "escaped-control",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "an escaped control character",
    advice: "refuse the URL if its text should be shown or is the name of a file",
    citation: "RFC 3986, 7.3",
    explanation: "%00 ends a string in many programs, so that they see less than was checked. Other controls change \
        what a terminal or a log shows.",
    example: "https://host.example/a%00.png",
};

static BACKSLASH: Code = Code {
    name: "escaped-backslash",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "an escaped \"\\\" divides directories on Windows",
    advice: "refuse it in the name of a file",
    citation: "RFC 3986, 7.3",
    explanation: "A server on Windows that decodes the path sees a boundary where the URL has none.",
    example: "https://host.example/files/..%5Csecret",
};

static SLASH_IN_HOST: Code = Code {
    name: "escaped-host-delimiter",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "an escaped delimiter in the host: programs that decode it contact another host",
    advice: "refuse the URL",
    citation: "RFC 3986, 7.6",
    explanation: "Some programs decode the host before they use it, and some do not. After decoding, \"/\", \"?\", \"#\", \
        \"@\", \":\" and \"\\\" end the host.",
    example: "http://good.example%2F.evil.example/",
};

static TWICE: Code = Code {
    name: "double-escape",
    severity: Severity::Info,
    precision: Precision::High,
    title: "an escape is escaped",
    advice: "decode once, and as late as possible",
    citation: "RFC 3986, 2.4",
    explanation: "%25 is a percent sign. With two hex digits after it, decoding twice gives another character than \
        decoding once: \"Implementations must not percent-encode or decode the same string more than once\".",
    example: "https://host.example/a%2520b",
};

pub(super) static TWICE_MOVES: Code = Code {
    name: "double-escaped-delimiter",
    severity: Severity::Medium,
    precision: Precision::Medium,
    title: "decoding twice makes a delimiter",
    advice: "refuse the URL, or check it after the last decoding",
    citation: "RFC 3986, 2.4",
    explanation: "A proxy that decodes once and a server that decodes again do not see the same path. %252e%252e%252f \
        passes a check for \"../\".",
    example: "https://host.example/files/%252e%252e%252fsecret",
};

static TELNET: Code = Code {
    name: "escaped-telnet-command",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "an escaped octet 255 begins a command of the Telnet protocol, which FTP uses",
    advice: "refuse the URL, or double the octet when it is sent",
    citation: "RFC 854, page 13",
    explanation: "FTP sends its commands over Telnet (RFC 959, 4), where the octet 255 is IAC, \"interpret as command\". \
        Data must double it.",
    example: "ftp://ftp.example/a%FFb",
};

pub(super) static OVERLONG: Code = Code {
    name: "overlong-utf8",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "escaped octets are an overlong form of an ASCII character",
    advice: "refuse the URL",
    citation: "RFC 3629, 10",
    explanation: "%C0%AF is an overlong \"/\". A decoder that accepts it makes a delimiter that no check has seen.",
    example: "https://host.example/files/..%C0%AFsecret",
};

static NO_UTF8: Code = Code {
    name: "not-utf8",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "escaped octets are not UTF-8",
    advice: "write text as UTF-8",
    citation: "RFC 3986, 2.5",
    explanation: "New schemes write text as UTF-8. Other octets are data, or text in an older charset, which programs \
        guess differently.",
    example: "https://host.example/caf%E9",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let scheme = subject.scheme();
    let (lines, telnet, is_mail) =
        (schemes::sends_lines(scheme), schemes::speaks_telnet(scheme), schemes::is_mail(scheme));
    let prescribed = subject.parsed.ok().and_then(schemes::prescribed_controls);
    let prescribed = prescribed.as_ref();
    for component in
        [Component::Userinfo, Component::Host, Component::Path, Component::Query, Component::Fragment]
    {
        let Some(span) = subject.span(component) else { continue };
        let Some(text) = subject.text.as_bytes().get(span.clone()) else { continue };
        let divider = schemes::path_divider(scheme).filter(|_| component == Component::Path);
        Part { component, text, start: span.start, lines, telnet, is_mail, divider, prescribed }
            .check(findings);
    }
}

/// A component, and where it starts.
struct Part<'a> {
    component: Component,
    text: &'a [u8],
    start: usize,
    /// Whether the scheme's protocol sends lines.
    lines: bool,
    /// Whether it uses Telnet.
    telnet: bool,
    /// Whether the query has fields of a mail.
    is_mail: bool,
    /// The octet that divides the path, escaped.
    divider: Option<u8>,
    /// The controls that the scheme's document prescribes.
    prescribed: Option<&'a PrescribedControls>,
}

/// The query of a URL that is escaped as one segment of a path, in which escapes are escaped again:
/// `/entry/https%3A%2F%2Fhost.example%2F%3Fnext%3D%252Fa`. It is of the last segment that was asked for.
#[derive(Default)]
struct EscapedQuery {
    /// Where the segment ends.
    end: usize,
    /// Where the query begins.
    start: Option<usize>,
}

impl EscapedQuery {
    /// Returns whether an octet of the path is in such a query. Octets are asked for in their order, so each is read once.
    fn has(&mut self, path: &[u8], at: usize) -> bool {
        if at >= self.end {
            let before = path[self.end..at].iter().rposition(|&octet| octet == b'/');
            let start = before.map_or(self.end, |slash| self.end + slash + 1);
            let length = path[at..].iter().position(|&octet| octet == b'/');
            self.end = length.map_or(path.len(), |length| at + length);
            let segment = &path[start..self.end];
            let begins = |scheme: &[u8]| {
                segment.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
            };
            let is_url = begins(b"http%3A%2F%2F") || begins(b"https%3A%2F%2F");
            let mut triples = segment.windows(3);
            let query = triples.position(|triple| triple.eq_ignore_ascii_case(b"%3F"));
            self.start = query.filter(|_| is_url).map(|query| start + query);
        }
        self.start.is_some_and(|start| start < at)
    }
}

impl Part<'_> {
    fn check(&self, findings: &mut Findings) {
        let (mut at, mut segment) = (0, EscapedQuery::default());
        while let Some(percent) = self.next(at) {
            at = percent + 3;
            let Some(octet) = self.octet(percent) else { continue };
            match octet {
                _ if self.divider == Some(octet) => {}
                0..0x20 | 0x7F if self.is_prescribed(percent, octet) => {}
                b'\r' | b'\n' if self.lines => self.push(findings, &LINE_BREAK, percent..at),
                0xFF if self.telnet => self.push(findings, &TELNET, percent..at),
                b'\r' | b'\n' if self.is_mail && self.is_in_body(percent) => {}
                b'\r' | b'\n' if self.is_mail => self.push(findings, &LINE_BREAK, percent..at),
                b'\t' | b'\r' | b'\n' if self.is_query() => {}
                0..0x20 | 0x7F if self.is_format(percent) => {}
                0..0x20 | 0x7F => self.push(findings, &CONTROL, percent..at),
                b'\\' if self.component == Component::Path => self.push(findings, &BACKSLASH, percent..at),
                b'/' | b'\\' | b'?' | b'#' | b'@' | b':' if self.component == Component::Host => {
                    self.push(findings, &SLASH_IN_HOST, percent..at);
                }
                b'%' => at = self.twice(findings, percent, &mut segment),
                0x80.. => at = self.characters(findings, percent),
                _ => {}
            }
        }
    }

    /// Returns the octet of the escape at `percent`, if there is a whole one.
    fn octet(&self, percent: usize) -> Option<u8> {
        escaped_octet(self.text.get(percent..)?)
    }

    /// Returns the next "%" at or after `from`.
    fn next(&self, from: usize) -> Option<usize> {
        self.text.get(from..)?.iter().position(|&octet| octet == b'%').map(|at| from + at)
    }

    /// Returns whether the escape is a number in a format: `page-%04d.html`.
    fn is_format(&self, percent: usize) -> bool {
        let format = self.text.get(percent..percent + 4);
        matches!(format, Some([_, b'0', b'1'..=b'8', b'd' | b'i' | b'u' | b'x' | b'X']))
    }

    fn is_prescribed(&self, percent: usize, octet: u8) -> bool {
        let is_in = |controls: &PrescribedControls| controls.span.contains(&(self.start + percent));
        self.prescribed.is_some_and(|controls| is_in(controls) && controls.octets.contains(octet))
    }

    fn is_query(&self) -> bool {
        matches!(self.component, Component::Query | Component::Fragment)
    }

    /// Returns whether the octet is in the value of the field `body`, whose lines end with %0D%0A
    /// (RFC 6068, 5).
    fn is_in_body(&self, at: usize) -> bool {
        let before = &self.text[..at];
        let pair = before.iter().rposition(|&octet| octet == b'&').map_or(0, |and| and + 1);
        self.is_query() && before[pair..].get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"body="))
    }

    fn push(&self, findings: &mut Findings, code: &'static Code, range: core::ops::Range<usize>) {
        let range = self.start + range.start..self.start + range.end;
        findings.push_or_extend(Finding::new(code, self.component, range));
    }

    /// Reports "%25" with two hex digits after it, and returns where to go on.
    fn twice(&self, findings: &mut Findings, percent: usize, segment: &mut EscapedQuery) -> usize {
        let mut end = percent + 3;
        // "%252525…": each decoding takes one "25".
        while self.text.get(end..end + 2) == Some(b"25") {
            end += 2;
        }
        let digits = self.text.get(end..end + 2).filter(|two| two.iter().all(u8::is_ascii_hexdigit));
        let number = |two| u8::from_str_radix(core::str::from_utf8(two).ok()?, 16).ok();
        let Some(second) = digits.and_then(number) else { return end };
        let moves = matches!(second, b'/' | b'\\' | b'.' | b'@' | b'?' | b'#' | 0 | b'\r' | b'\n');
        let code = if moves && !self.is_query() { &TWICE_MOVES } else { &TWICE };
        let range = self.start + percent..self.start + end + 2;
        let finding = Finding::new(code, self.component, range);
        let is_usual = code == &TWICE_MOVES && segment.has(self.text, percent);
        findings.push_or_extend(if is_usual { finding.severe(Severity::Low) } else { finding });
        end + 2
    }

    /// Reports escaped octets from 0x80 that are not UTF-8, once for a run of them, and returns where
    /// the character or the run ends.
    fn characters(&self, findings: &mut Findings, percent: usize) -> usize {
        if let Some(character) = escaped_character(&self.text[percent..]) {
            return percent + 3 * character.len_utf8();
        }
        let octets = core::array::from_fn(|i| self.octet(percent + 3 * i).unwrap_or(0));
        let (code, length) = if is_overlong(octets) { (&OVERLONG, 2) } else { (&NO_UTF8, 1) };
        let range = self.start + percent..self.start + percent + 3 * length;
        let finding = Finding::new(code, self.component, range);
        // Browsers refuse such a host, others cut or keep it.
        let in_host = self.component == Component::Host && code == &NO_UTF8;
        findings.push_or_extend(if in_host { finding.severe(Severity::Medium) } else { finding });
        let mut end = percent + 3 * length;
        while self.octet(end).is_some_and(|octet| octet >= 0x80) {
            end += 3;
        }
        end
    }
}

/// Returns whether the octets begin with a longer form of a shorter character.
fn is_overlong(octets: [u8; 4]) -> bool {
    matches!(octets, [0xC0 | 0xC1, 0x80..0xC0, ..] | [0xE0, 0x80..0xA0, ..] | [0xF0, 0x80..0x90, ..])
}
