//! Parses URLs of the special schemes in one pass, and writes their serialised form at once: the texts that
//! people write, with upper case, spaces, dot segments and missing slashes.
//!
//! What it does not know (other schemes, drive letters, controls within the text, everything that fails) is
//! left to the state machine: its answer "no" means nothing. Property tests (`tests/it/laws.rs`) compare it with the machine.

use alloc::string::String;
use core::num::NonZeroU32;

use crate::address::{AddressText, ends_in_number, is_serialised_ipv4, parse_port};
use crate::host::{self, is_forbidden_domain, is_plain_name};
use crate::input::trimmed;
use crate::machine::{dots, special_scheme};
use crate::percent::{self, EncodeSet, push_encoded};
use crate::position::{HostKind, Positions, Serialised};
use crate::serialised::{self, AfterPath};
use crate::url_ref::UrlRef;

/// The longest text that is parsed here: positions have 32 bits, and each octet may become three.
const MOST: usize = (u32::MAX / 8) as usize;

/// Parses an absolute URL, or one that is relative to a base.
pub(crate) fn parse(text: &str, base: Option<&UrlRef<'_>>) -> Option<Serialised> {
    let text = text.get(trimmed(text))?;
    if text.len() > MOST || has_control(text) {
        return None;
    }
    if let Some(scheme) = scheme_of(text) {
        let rest = &text[scheme.len() + 1..];
        let is_base = base.is_some_and(|base| base.scheme().eq_ignore_ascii_case(scheme));
        // "https:a" is relative to a base of the same scheme.
        if is_base && !rest.starts_with("//") {
            return None;
        }
        let mut writer = Writer { text: String::with_capacity(text.len() + 8) };
        writer.text.push_str(scheme);
        writer.text.make_ascii_lowercase();
        special_scheme(writer.text.as_bytes())?;
        if writer.text == "file" {
            return writer.file(rest);
        }
        return writer.after_scheme(without_slashes(rest));
    }
    relative(text, base.filter(|base| base.is_special())?)
}

/// Returns whether a text is an absolute URL: one of a special scheme, of which only the host can be wrong. No URL is
/// made, and what follows the host is not looked at.
pub(crate) fn can_parse(text: &str) -> bool {
    if serialised::has_name(text) {
        return true;
    }
    let (octets, mut is_file) = (text.as_bytes(), false);
    let start = match serialised::host_start(octets) {
        Some(start) => {
            is_file = serialised::is_file(octets, start);
            start
        }
        None => match authority_start(text) {
            Some(start) => start,
            None => return false,
        },
    };
    let authority = Authority::at_start_of(&text[start..]);
    // A file has no port, and may have no host.
    if is_file && authority.kinds & OTHER != 0 || text.len() > MOST {
        return false;
    }
    if authority.text.is_empty() {
        return is_file;
    }
    let is_host = |host: &str| !ends_in_number(host.as_bytes()) || is_serialised_ipv4(host.as_bytes());
    if authority.kinds & OTHER == 0 {
        return is_host(authority.text);
    }
    let Some((host, port)) = authority.text.split_once(':') else { return false };
    let is_ascii_domain = !host.is_empty() && host.bytes().all(|octet| kind(octet) & OTHER == 0);
    is_ascii_domain && is_host(host) && parse_port(port.as_bytes()).is_ok()
}

/// Where the authority begins, after a special scheme other than file in any case and slashes of any number.
fn authority_start(text: &str) -> Option<usize> {
    let trimmed = text.get(trimmed(text).start..)?;
    let scheme = scheme_of(trimmed)?;
    let is_known =
        ["https", "http", "wss", "ws", "ftp"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
    let rest = trimmed.get(scheme.len() + 1..).filter(|_| is_known)?;
    Some(text.len() - without_slashes(rest).len())
}

/// Writes a path of a special scheme other than file; "?" and "#" are data.
pub(crate) fn push_path(out: &mut String, text: &str) {
    let text = percent::without_line_ends(text);
    let mut writer = Writer { text: core::mem::take(out) };
    let path_start = writer.text.len();
    writer.push_path(&text, path_start);
    *out = writer.text;
}

/// Without a branch for each octet, so that many are looked at together.
fn has_control(text: &str) -> bool {
    text.bytes().fold(false, |is_found, octet| is_found | (octet < b' '))
}

/// The scheme of a text that has one.
fn scheme_of(text: &str) -> Option<&str> {
    let end = text
        .bytes()
        .position(|octet| !(octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.')))?;
    let is_scheme = text.as_bytes()[end] == b':' && text.as_bytes()[0].is_ascii_alphabetic();
    is_scheme.then(|| &text[..end])
}

/// Whether a path may have a drive letter, such as "C:" or "C|".
fn may_have_drive(path: &str) -> bool {
    path.bytes().fold(false, |is_found, octet| is_found | matches!(octet, b':' | b'|'))
}

/// A text without slashes at its start.
fn without_slashes(text: &str) -> &str {
    let count = text.bytes().take_while(|octet| matches!(octet, b'/' | b'\\')).count();
    text.get(count..).unwrap_or_default()
}

/// Divides a text before the first octet that a function finds.
fn divide(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(ends).unwrap_or(text.len());
    // INVARIANT: the octet is ASCII, so a character ends before it.
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// An octet that ends an authority.
const END: u8 = 1;
/// An octet that a domain of ASCII letters does not contain: a delimiter, an escape, what is forbidden, or not ASCII.
const OTHER: u8 = 2;
const CAPITAL: u8 = 4;

/// What octets are in an authority; 0 for those that a domain keeps.
static KINDS: [u8; 256] = {
    let (mut kinds, mut octet) = ([OTHER; 256], 0_u8);
    while octet < 0x80 {
        kinds[octet as usize] = match octet {
            b'/' | b'\\' | b'?' | b'#' => END,
            b'A'..=b'Z' => CAPITAL,
            _ if is_forbidden_domain(octet as char) => OTHER,
            _ => 0,
        };
        octet += 1;
    }
    kinds
};

fn kind(octet: u8) -> u8 {
    KINDS[usize::from(octet)]
}

/// The authority of a text that begins with it, and what follows.
struct Authority<'a> {
    text: &'a str,
    rest: &'a str,
    /// What its octets are, together.
    kinds: u8,
}

impl<'a> Authority<'a> {
    fn at_start_of(text: &'a str) -> Self {
        let (mut end, mut kinds) = (0, 0);
        while let Some(of_octet) = text.as_bytes().get(end).map(|&octet| kind(octet)) {
            if of_octet == END {
                break;
            }
            kinds |= of_octet;
            end += 1;
        }
        let (text, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        Self { text, rest, kinds }
    }

    /// Whether it is a domain that is only lowercased.
    fn is_name(&self) -> bool {
        self.kinds & OTHER == 0 && !self.text.is_empty() && !ends_in_number(self.text.as_bytes())
    }

    /// The user with the password, and what follows "@".
    fn userinfo(&self) -> (&'a str, &'a str) {
        match self.text.bytes().rposition(|octet| octet == b'@') {
            Some(at) => (&self.text[..at], &self.text[at + 1..]),
            None => ("", self.text),
        }
    }
}

/// The host and the port of a text that has both.
fn host_and_port(text: &str) -> (&str, &str) {
    let colon = text.bytes().rposition(|octet| matches!(octet, b':' | b']'));
    match colon.filter(|&at| text.as_bytes()[at] == b':') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    }
}

/// A text without a scheme, with a base of a special scheme.
#[inline(never)]
fn relative(text: &str, base: &UrlRef<'_>) -> Option<Serialised> {
    let mut writer = Writer { text: String::with_capacity(base.as_str().len() + text.len() + 8) };
    let is_slash = |index: usize| matches!(text.as_bytes().get(index), Some(b'/' | b'\\'));
    let is_file = base.scheme() == "file";
    if is_file && (is_slash(0) && is_slash(1) || may_have_drive(text) || may_have_drive(base.path())) {
        return None;
    }
    if is_slash(0) && is_slash(1) {
        writer.text.push_str(base.scheme());
        return writer.after_scheme(without_slashes(text));
    }
    let path_start = base.at.path_start as usize;
    let at = Positions { query_start: None, fragment_start: None, ..base.at };
    if is_slash(0) {
        writer.text.push_str(&base.as_str()[..path_start]);
    } else if text.is_empty() || text.starts_with(['?', '#']) {
        // The query stays if the text has none.
        let has_query = text.starts_with('?');
        let kept = if has_query { base.at.query_start } else { base.at.fragment_start };
        let kept = kept.or(base.at.fragment_start).map_or(base.as_str().len(), |end| end.get() as usize);
        writer.text.push_str(&base.as_str()[..kept]);
        return Some(match has_query {
            true => writer.push_query(text, at),
            false => writer.push_fragment(text, Positions { fragment_start: None, ..base.at }),
        });
    } else {
        let base_path = base.path();
        let directory = base_path.bytes().rposition(|octet| octet == b'/').unwrap_or(0);
        writer.text.push_str(&base.as_str()[..path_start + directory]);
    }
    Some(writer.after_authority(text, at))
}

struct Writer {
    text: String,
}

impl Writer {
    /// The authority and what follows it; the text has the scheme already.
    fn after_scheme(mut self, rest: &str) -> Option<Serialised> {
        let scheme_end = self.text.len();
        let default_port = special_scheme(self.text.as_bytes()).flatten();
        self.text.push_str("://");
        let authority = Authority::at_start_of(rest);
        let (mut username_end, mut host_start, mut port) = (self.text.len(), self.text.len(), None);
        let host_kind = if authority.is_name() {
            self.text.push_str(authority.text);
            if authority.kinds & CAPITAL != 0 {
                self.text[host_start..].make_ascii_lowercase();
            }
            HostKind::Domain
        } else {
            let (userinfo, rest) = authority.userinfo();
            username_end = self.push_userinfo(userinfo);
            host_start = self.text.len();
            let (host, digits) = host_and_port(rest);
            port = parse_port(digits.as_bytes()).ok()?.filter(|&port| Some(port) != default_port);
            self.push_host(host)?
        };
        let host_end = self.text.len();
        if let Some(port) = port {
            self.text.push_str(AddressText::of_port(port).as_str());
        }
        let at = Positions {
            scheme_end: scheme_end as u32,
            username_end: username_end as u32,
            host_start: host_start as u32,
            host_end: host_end as u32,
            path_start: self.text.len() as u32,
            query_start: None,
            fragment_start: None,
            port,
            host_kind,
        };
        Some(self.after_authority(authority.rest, at))
    }

    /// What follows the scheme file, if it is "//", a host and a path.
    fn file(mut self, rest: &str) -> Option<Serialised> {
        let authority = Authority::at_start_of(rest.strip_prefix("//")?);
        let (path, _) = divide(authority.rest, |octet| matches!(octet, b'?' | b'#'));
        if may_have_drive(path) {
            return None;
        }
        self.text.push_str("://");
        let host_start = self.text.len() as u32;
        let mut host_kind = match authority.text {
            "" => HostKind::Empty,
            host => self.push_host(host)?,
        };
        if self.text.ends_with("://localhost") {
            self.text.truncate(host_start as usize);
            host_kind = HostKind::Empty;
        }
        let path_start = self.text.len() as u32;
        let at = Positions {
            scheme_end: 4,
            username_end: host_start,
            host_start,
            host_end: path_start,
            path_start,
            query_start: None,
            fragment_start: None,
            port: None,
            host_kind,
        };
        Some(self.after_authority(authority.rest, at))
    }

    /// Returns the end of the user.
    fn push_userinfo(&mut self, userinfo: &str) -> usize {
        let (user, password) = divide(userinfo, |octet| octet == b':');
        let password = password.get(1..).unwrap_or_default();
        push_encoded(&mut self.text, user, EncodeSet::USERINFO);
        let end = self.text.len();
        if !password.is_empty() {
            self.text.push(':');
            push_encoded(&mut self.text, password, EncodeSet::USERINFO);
        }
        if !(user.is_empty() && password.is_empty()) {
            self.text.push('@');
        }
        end
    }

    fn push_host(&mut self, host: &str) -> Option<HostKind> {
        if is_plain_name(host) {
            let start = self.text.len();
            self.text.push_str(host);
            self.text[start..].make_ascii_lowercase();
            return Some(HostKind::Domain);
        }
        let record = host::parse_text(host, false).ok()?;
        record.push_to(&mut self.text);
        Some(record.kind())
    }

    /// Path, query and fragment. A path that does not begin with a slash follows the one that was written.
    fn after_authority(mut self, text: &str, at: Positions) -> Serialised {
        let end = serialised::path_end(text);
        if matches!(text.as_bytes().get(end), None | Some(b'?' | b'#')) {
            let (path, rest) = text.split_at(end);
            if !path.starts_with('/') {
                self.text.push('/');
            }
            self.text.push_str(path);
            return self.push_query(rest, at);
        }
        let (path, rest) = divide(text, |octet| matches!(octet, b'?' | b'#'));
        self.push_path(path, at.path_start as usize);
        self.push_query(rest, at)
    }

    /// Segments after what the path has already. What is in serialised form is copied, the segments between are
    /// written one by one.
    fn push_path(&mut self, path: &str, path_start: usize) {
        let mut rest = path;
        loop {
            let kept = serialised::kept_path(rest);
            if kept > 0 {
                if !rest.starts_with('/') {
                    self.text.push('/');
                }
                self.text.push_str(&rest[..kept]);
                rest = &rest[kept..];
                if rest.is_empty() {
                    return;
                }
            }
            rest = self.push_segment(rest, path_start);
            if rest.is_empty() {
                return;
            }
        }
    }

    /// Writes the first segment of a path, with a slash before it; returns the rest, which begins with a slash.
    fn push_segment<'t>(&mut self, path: &'t str, path_start: usize) -> &'t str {
        let is_slash = |octet| matches!(octet, b'/' | b'\\');
        let (segment, rest) = divide(path.strip_prefix(['/', '\\']).unwrap_or(path), is_slash);
        match dots(segment.as_bytes()) {
            0 => {
                self.text.push('/');
                push_encoded(&mut self.text, segment, EncodeSet::PATH);
            }
            count => {
                if count == 2 {
                    let path = self.text.as_bytes().get(path_start..).unwrap_or_default();
                    let last = path.iter().rposition(|&octet| octet == b'/').unwrap_or(0);
                    self.text.truncate(path_start + last);
                }
                if rest.is_empty() {
                    self.text.push('/');
                }
            }
        }
        rest
    }

    /// "?", "#" and what follows.
    fn push_query(mut self, rest: &str, mut at: Positions) -> Serialised {
        let Some(query) = rest.strip_prefix('?') else { return self.push_fragment(rest, at) };
        at.query_start = NonZeroU32::new(self.text.len() as u32);
        self.text.push('?');
        let rest = self.push_after_path(query, AfterPath::Query);
        self.push_fragment(rest, at)
    }

    fn push_fragment(mut self, rest: &str, mut at: Positions) -> Serialised {
        if let Some(fragment) = rest.strip_prefix('#') {
            at.fragment_start = NonZeroU32::new(self.text.len() as u32);
            self.text.push('#');
            self.push_after_path(fragment, AfterPath::Fragment);
        }
        Serialised { text: self.text, at }
    }

    /// Writes a query up to "#", or a fragment; returns what follows.
    fn push_after_path<'t>(&mut self, text: &'t str, part: AfterPath) -> &'t str {
        let mut rest = text;
        loop {
            let (kept, other) = rest.split_at(part.end(rest));
            self.text.push_str(kept);
            let (encoded, after) = divide(other, |octet| !part.set().contains(octet) || octet == b'#');
            if encoded.is_empty() {
                return after;
            }
            push_encoded(&mut self.text, encoded, part.set());
            rest = after;
        }
    }
}
