//! Parses URLs of the special schemes in one pass, and writes their serialised form at once: the texts that
//! people write, with upper case, spaces, dot segments and missing slashes.
//!
//! What it does not know (other schemes, drive letters, controls within the text, everything that fails) is
//! left to the state machine: its answer "no" means nothing. Property tests compare it with the machine.

use alloc::string::String;
use core::num::NonZeroU32;

use crate::host::{self, is_plain_name};
use crate::machine::special_scheme;
use crate::percent::{self, EncodeSet, push_encoded};
use crate::position::{HostKind, Positions};
use crate::serialised::{self, dots};
use crate::url_ref::UrlRef;

/// A URL in serialised form.
pub(crate) struct Serialised {
    pub(crate) text: String,
    pub(crate) at: Positions,
}

/// Parses an absolute URL, or one that is relative to a base.
pub(crate) fn parse(text: &str, base: Option<UrlRef<'_>>) -> Option<Serialised> {
    let text = text.trim_matches(|c: char| c <= ' ');
    // Positions have 32 bits; each octet may become three.
    if text.len() > (u32::MAX / 8) as usize || has_control(text) {
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
        special_scheme(&writer.text)?;
        if writer.text == "file" {
            return writer.file(rest);
        }
        return writer.after_scheme(rest.trim_start_matches(['/', '\\']));
    }
    relative(text, base.filter(|base| base.is_special())?)
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

/// Divides a text before the first octet that a function finds.
fn divide(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    text.split_at(text.bytes().position(ends).unwrap_or(text.len()))
}

/// A text without a scheme, with a base of a special scheme.
fn relative(text: &str, base: UrlRef<'_>) -> Option<Serialised> {
    let mut writer = Writer { text: String::with_capacity(base.as_str().len() + text.len() + 8) };
    let is_slash = |index: usize| matches!(text.as_bytes().get(index), Some(b'/' | b'\\'));
    let is_file = base.scheme() == "file";
    if is_file && (is_slash(0) && is_slash(1) || may_have_drive(text) || may_have_drive(base.path())) {
        return None;
    }
    if is_slash(0) && is_slash(1) {
        writer.text.push_str(base.scheme());
        return writer.after_scheme(text.trim_start_matches(['/', '\\']));
    }
    let path_start = base.at.path_start as usize;
    let (path, rest) = divide(text, |octet| matches!(octet, b'?' | b'#'));
    if is_slash(0) {
        writer.text.push_str(&base.as_str()[..path_start]);
        writer.push_path(path, path_start);
    } else if path.is_empty() {
        // The query stays if the text has none.
        let kept = if rest.starts_with('?') { base.at.query_start } else { base.at.fragment_start };
        let kept = kept.or(base.at.fragment_start).map_or(base.as_str().len(), |end| end.get() as usize);
        writer.text.push_str(&base.as_str()[..kept]);
        let at = Positions { fragment_start: None, ..base.at };
        if !rest.starts_with('?') {
            return Some(writer.push_fragment(rest, at));
        }
    } else {
        let base_path = base.path();
        let directory = base_path.bytes().rposition(|octet| octet == b'/').unwrap_or(0);
        writer.text.push_str(&base.as_str()[..path_start + directory]);
        writer.push_segments(path, path_start);
    }
    let at = Positions { query_start: None, fragment_start: None, ..base.at };
    Some(writer.push_query(rest, at))
}

struct Writer {
    text: String,
}

impl Writer {
    /// The authority and what follows it; the text has the scheme already.
    fn after_scheme(mut self, rest: &str) -> Option<Serialised> {
        let scheme_end = self.text.len();
        let default_port = special_scheme(&self.text).flatten();
        self.text.push_str("://");
        let (authority, rest) = divide(rest, |octet| matches!(octet, b'/' | b'\\' | b'?' | b'#'));
        let (userinfo, host_and_port) = match authority.bytes().rposition(|octet| octet == b'@') {
            Some(at) => (&authority[..at], &authority[at + 1..]),
            None => ("", authority),
        };
        let username_end = self.push_userinfo(userinfo);
        let host_start = self.text.len();
        let colon = host_and_port.bytes().rposition(|octet| matches!(octet, b':' | b']'));
        let (host, port) = match colon.filter(|&at| host_and_port.as_bytes()[at] == b':') {
            Some(at) => (&host_and_port[..at], &host_and_port[at + 1..]),
            None => (host_and_port, ""),
        };
        let host_kind = self.push_host(host)?;
        let host_end = self.text.len();
        let port = parsed_port(port)?.filter(|&port| Some(port) != default_port);
        if let Some(port) = port {
            use core::fmt::Write;
            // Writing to a `String` does not fail.
            let _ = write!(self.text, ":{port}");
        }
        let path_start = self.text.len();
        let (path, rest) = divide(rest, |octet| matches!(octet, b'?' | b'#'));
        self.push_path(path, path_start);
        let at = Positions {
            scheme_end: scheme_end as u32,
            username_end: username_end as u32,
            host_start: host_start as u32,
            host_end: host_end as u32,
            path_start: path_start as u32,
            query_start: None,
            fragment_start: None,
            port,
            host_kind,
        };
        Some(self.push_query(rest, at))
    }

    /// What follows the scheme file, if it is "//", a host and a path.
    fn file(mut self, rest: &str) -> Option<Serialised> {
        let (host, rest) =
            divide(rest.strip_prefix("//")?, |octet| matches!(octet, b'/' | b'\\' | b'?' | b'#'));
        let (path, rest) = divide(rest, |octet| matches!(octet, b'?' | b'#'));
        if may_have_drive(path) {
            return None;
        }
        self.text.push_str("://");
        let host_start = self.text.len() as u32;
        let mut host_kind = match host.is_empty() {
            true => HostKind::Empty,
            false => self.push_host(host)?,
        };
        if self.text.ends_with("://localhost") {
            self.text.truncate(host_start as usize);
            host_kind = HostKind::Empty;
        }
        let path_start = self.text.len();
        self.push_path(path, path_start);
        let at = Positions {
            scheme_end: 4,
            username_end: host_start,
            host_start,
            host_end: path_start as u32,
            path_start: path_start as u32,
            query_start: None,
            fragment_start: None,
            port: None,
            host_kind,
        };
        Some(self.push_query(rest, at))
    }

    /// Returns the end of the user.
    fn push_userinfo(&mut self, userinfo: &str) -> usize {
        let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
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

    /// A path that begins with a slash, or is empty: "/".
    fn push_path(&mut self, path: &str, path_start: usize) {
        if serialised::is_path(path) {
            self.text.push_str(path);
        } else {
            self.push_segments(path.strip_prefix(['/', '\\']).unwrap_or(path), path_start);
        }
    }

    /// Segments after what the path has already, each with a slash before it.
    fn push_segments(&mut self, segments: &str, path_start: usize) {
        let mut rest = Some(segments);
        while let Some(text) = rest {
            let end = text.bytes().position(|octet| matches!(octet, b'/' | b'\\'));
            let segment = &text[..end.unwrap_or(text.len())];
            rest = end.map(|end| &text[end + 1..]);
            match dots(segment.as_bytes()) {
                0 => {
                    self.text.push('/');
                    push_encoded(&mut self.text, segment, EncodeSet::PATH);
                }
                count => {
                    if count == 2 {
                        let last =
                            self.text[path_start..].rfind('/').map_or(path_start, |at| path_start + at);
                        self.text.truncate(last);
                    }
                    if rest.is_none() {
                        self.text.push('/');
                    }
                }
            }
        }
    }

    /// "?", "#" and what follows.
    fn push_query(mut self, rest: &str, mut at: Positions) -> Serialised {
        let Some(query) = rest.strip_prefix('?') else { return self.push_fragment(rest, at) };
        at.query_start = NonZeroU32::new(self.text.len() as u32);
        self.text.push('?');
        let (query, rest) = query.split_at(query.find('#').unwrap_or(query.len()));
        push_encoded(&mut self.text, query, EncodeSet::SPECIAL_QUERY);
        self.push_fragment(rest, at)
    }

    fn push_fragment(mut self, rest: &str, mut at: Positions) -> Serialised {
        if let Some(fragment) = rest.strip_prefix('#') {
            at.fragment_start = NonZeroU32::new(self.text.len() as u32);
            self.text.push('#');
            push_encoded(&mut self.text, fragment, EncodeSet::FRAGMENT);
        }
        Serialised { text: self.text, at }
    }
}

/// The number of a port, which may be empty; nothing if it is not valid.
#[allow(clippy::option_option, reason = "no port is valid")]
fn parsed_port(port: &str) -> Option<Option<u16>> {
    if port.is_empty() {
        return Some(None);
    }
    if !port.bytes().all(|octet| octet.is_ascii_digit()) {
        return None;
    }
    let digits = port.trim_start_matches('0');
    if digits.is_empty() { Some(Some(0)) } else { digits.parse().ok().map(Some) }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::input::Reporter;
    use crate::machine;
    use crate::url::Url;
    use alloc::string::String;
    use alloc::vec;
    use proptest::prelude::*;

    fn texts() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "http:",
            "HTTPS://",
            "http://a",
            "ftp:",
            "ws://",
            "file:",
            "file://",
            "localhost",
            "C:",
            "foo:",
            "/",
            "//",
            "\\",
            ".",
            "..",
            "%2e",
            "@",
            ":",
            "?",
            "#",
            "[::1]",
            "[",
            "]",
            "1",
            "0x7f",
            "a",
            "B",
            "\u{e9}",
            "%41",
            "%",
            " ",
            "\t",
            "'",
            "|",
            "80",
            "443",
            "65536",
            "00",
            "x.y",
            "^",
            "&=",
            "..\\",
            "./",
            "\u{1}",
        ]);
        prop::collection::vec(pieces, 0..10).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn what_is_written_at_once_is_what_the_machine_writes(text in texts(), base in texts()) {
            let base = machine::parse(&base, None, None, &mut Reporter::silent()).ok();
            let base_url = base.as_ref().and_then(|base| Url::from_record(base).ok());
            if let Some(found) = parse(&text, base_url.as_ref().map(Url::as_url_ref)) {
                let record = machine::parse(&text, base.as_ref(), None, &mut Reporter::silent());
                let url = record.ok().and_then(|record| Url::from_record(&record).ok());
                prop_assert_eq!(Some(found.text.as_str()), url.as_ref().map(Url::as_str));
                prop_assert_eq!(Some(found.at), url.map(|url| url.as_url_ref().at));
            }
        }
    }
}
