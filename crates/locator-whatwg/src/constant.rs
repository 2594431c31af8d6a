//! URLs of constants: the parser as a `const fn`, and the macro [`url!`](crate::url!), whose error names
//! the serialised form.
//!
//! It parses ASCII texts by the rules of the state machine, and writes the serialised form to an array
//! of a fixed size. Property tests compare it with the state machine.

use core::fmt::{self, Formatter};
use core::num::NonZeroU32;

use crate::address::{AddressText, Reports, ends_in_number, parse_ipv4, parse_ipv6, parse_port};
use crate::error::ParseError;
use crate::host::{is_forbidden_domain, is_forbidden_host};
use crate::machine::{dots, is_drive_letter, special_scheme};
use crate::percent::{self, EncodeSet};
use crate::position::{HostKind, Positions};
use crate::url_ref::{UrlRef, UrlRefError};

/// A [`UrlRef`](crate::UrlRef) of a literal, which is parsed when the program is compiled. The literal must be in
/// serialised form; the compiler's error names it.
///
/// ```
/// use locator_whatwg::{UrlRef, url};
///
/// const HOME: UrlRef<'static> = url!("https://example.com/");
/// assert_eq!(HOME.host_str(), Some("example.com"));
/// ```
///
/// ```compile_fail
/// // error: the serialised form is "https://example.com/"
/// const HOME: locator_whatwg::UrlRef<'static> = locator_whatwg::url!("HTTPS://Example.com:443");
/// ```
#[macro_export]
macro_rules! url {
    ($text:expr) => {{
        const TEXT: &str = $text;
        const URL: $crate::UrlRef<'static> = match $crate::UrlRef::parse_const(TEXT) {
            Ok(url) => url,
            Err(_) => {
                // Each byte may become three, an address longer by 40.
                const MESSAGE: $crate::ConstantMessage<{ 3 * TEXT.len() + 128 }> =
                    $crate::ConstantMessage::of(TEXT);
                ::core::panic!("{}", MESSAGE.as_str())
            }
        };
        URL
    }};
}

/// What the macro [`url!`](crate::url!) reports.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct ConstantMessage<const N: usize> {
    octets: [u8; N],
    length: usize,
}

impl<const N: usize> ConstantMessage<N> {
    #[must_use]
    pub const fn of(text: &str) -> Self {
        let mut writer: Writer<'_, N> = Writer::new(text);
        let error = match writer.parse() {
            Ok(_) => None,
            Err(error) => Some(error),
        };
        match error {
            Some(Stop::NotAUrl(error)) => Self::from_parts("not a URL: ", error.message(), ""),
            Some(Stop::Unknown) => {
                let what =
                    "only ASCII is parsed in constants, without white space around it, tabs and line ends";
                Self::from_parts(what, "", "")
            }
            None => match writer.written() {
                Some(form) => Self::from_parts("the serialised form is \"", form, "\""),
                None => Self::from_parts("the text is not in serialised form", "", ""),
            },
        }
    }

    const fn from_parts(before: &str, text: &str, after: &str) -> Self {
        let mut message = Self { octets: [0; N], length: 0 };
        message.push(before.as_bytes());
        message.push(text.as_bytes());
        message.push(after.as_bytes());
        message
    }

    const fn push(&mut self, octets: &[u8]) {
        let mut at = 0;
        while at < octets.len() && self.length < N {
            self.octets[self.length] = octets[at];
            self.length += 1;
            at += 1;
        }
    }

    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.octets.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "the text is not in serialised form",
        }
    }
}

impl<const N: usize> fmt::Debug for ConstantMessage<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<'a> UrlRef<'a> {
    /// Reads a text in serialised form, in a constant: [`UrlRef::parse`] is faster at run time, and
    /// [`url!`](crate::url!) names the serialised form of other texts.
    ///
    /// ```
    /// use locator_whatwg::UrlRef;
    ///
    /// const PORT: Option<u16> = match UrlRef::parse_const("https://example.com:8443/") {
    ///     Ok(url) => url.port(),
    ///     Err(_) => None,
    /// };
    /// assert_eq!(PORT, Some(8443));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a URL, or if its serialised form is another text. A text that is not ASCII,
    /// has an escape or a capital letter in its host, or has white space that the parser removes, is
    /// [`UrlRefError::NotSerialised`] in any case.
    pub const fn parse_const(text: &'a str) -> Result<Self, UrlRefError> {
        let mut writer: Writer<'_, 0> = Writer::new(text);
        match writer.parse() {
            Ok(at) if writer.is_as_given() => Ok(Self { text, at }),
            Err(Stop::NotAUrl(error)) => Err(UrlRefError::NotAUrl(error)),
            Ok(_) | Err(Stop::Unknown) => Err(UrlRefError::NotSerialised),
        }
    }
}

/// Why nothing is written.
enum Stop {
    NotAUrl(ParseError),
    /// What is not parsed here: a text that is not ASCII, or has tabs, line ends, or spaces around it. Its
    /// serialised form is another text.
    Unknown,
}

/// Parses a text, and writes its serialised form. If `N` is 0, what would be written is compared with the text.
struct Writer<'a, const N: usize> {
    input: &'a [u8],
    /// The next octet of the input.
    next: usize,
    output: [u8; N],
    length: usize,
    differs: bool,
}

/// A part of the input.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
}

/// What the parser asks of a scheme.
#[derive(Clone, Copy)]
struct Scheme {
    is_special: bool,
    is_file: bool,
    default_port: Option<u16>,
}

impl Scheme {
    /// Of a scheme in any case.
    const fn of(scheme: &[u8]) -> Self {
        let (mut lower, mut length) = ([0_u8; 5], 0);
        // All special schemes are shorter.
        while length < scheme.len() && length < lower.len() {
            lower[length] = scheme[length].to_ascii_lowercase();
            length += 1;
        }
        match special_scheme(lower.split_at(length).0) {
            Some(default_port) if length == scheme.len() => {
                Self { is_special: true, is_file: default_port.is_none(), default_port }
            }
            _ => Self { is_special: false, is_file: false, default_port: None },
        }
    }
}

impl<'a, const N: usize> Writer<'a, N> {
    const fn new(text: &'a str) -> Self {
        Self { input: text.as_bytes(), next: 0, output: [0; N], length: 0, differs: false }
    }

    const fn is_as_given(&self) -> bool {
        !self.differs && self.length == self.input.len()
    }

    const fn written(&self) -> Option<&str> {
        match core::str::from_utf8(self.output.split_at(self.length).0) {
            Ok(text) if !self.differs => Some(text),
            _ => None,
        }
    }

    const fn push(&mut self, octet: u8) {
        let is_written = if N == 0 {
            self.length < self.input.len() && self.input[self.length] == octet
        } else if self.length < N {
            self.output[self.length] = octet;
            true
        } else {
            false
        };
        if is_written { self.length += 1 } else { self.differs = true }
    }

    const fn push_all(&mut self, octets: &[u8]) {
        let mut at = 0;
        while at < octets.len() {
            self.push(octets[at]);
            at += 1;
        }
    }

    const fn push_encoded(&mut self, octet: u8, set: EncodeSet) {
        if set.contains(octet) {
            self.push_all(&percent::escape(octet));
        } else {
            self.push(octet);
        }
    }

    /// What was written from a position on.
    const fn written_from(&self, start: usize) -> &[u8] {
        let output: &[u8] = if N == 0 { self.input } else { &self.output };
        output.split_at(self.length).0.split_at(start).1
    }

    /// An octet that was written.
    const fn output_at(&self, at: usize) -> u8 {
        if N == 0 { self.input[at] } else { self.output[at] }
    }

    const fn truncate(&mut self, length: usize) {
        if length < self.length {
            self.length = length;
            // What was written is not in the serialised form.
            self.differs |= N == 0;
        }
    }

    /// An octet of the input; 0 after its end, as NUL is not in it.
    const fn at(&self, at: usize) -> u8 {
        if at < self.input.len() { self.input[at] } else { 0 }
    }

    /// A part of the input.
    const fn slice(&self, part: Part) -> &'a [u8] {
        self.input.split_at(part.end).0.split_at(part.start).1
    }

    const fn is_slash(octet: u8, is_special: bool) -> bool {
        octet == b'/' || is_special && octet == b'\\'
    }

    /// The end of a part that ends with "/", "?" or "#", and for special schemes "\".
    const fn end_from(&self, from: usize, is_special: bool) -> usize {
        let mut at = from;
        while at < self.input.len()
            && !matches!(self.input[at], b'?' | b'#')
            && !Self::is_slash(self.input[at], is_special)
        {
            at += 1;
        }
        at
    }

    const fn parse(&mut self) -> Result<Positions, Stop> {
        let mut at = 0;
        while at < self.input.len() {
            if !matches!(self.input[at], 0x01..=0x08 | 0x0B | 0x0C | 0x0E..=0x7F) {
                return Err(Stop::Unknown);
            }
            at += 1;
        }
        if self.at(0) <= b' ' || self.at(self.input.len().saturating_sub(1)) <= b' ' {
            return if self.input.is_empty() {
                Err(Stop::NotAUrl(ParseError::RelativeUrlWithoutBase))
            } else {
                Err(Stop::Unknown)
            };
        }
        match self.scheme() {
            Some(scheme_end) => self.after_scheme(scheme_end),
            None => Err(Stop::NotAUrl(ParseError::RelativeUrlWithoutBase)),
        }
    }

    /// Writes the scheme and ":"; returns its length.
    const fn scheme(&mut self) -> Option<usize> {
        if !self.at(0).is_ascii_alphabetic() {
            return None;
        }
        let mut at = 0;
        while self.at(at).is_ascii_alphanumeric() || matches!(self.at(at), b'+' | b'-' | b'.') {
            self.push(self.at(at).to_ascii_lowercase());
            at += 1;
        }
        if self.at(at) != b':' {
            return None;
        }
        self.push(b':');
        self.next = at + 1;
        Some(at)
    }

    const fn after_scheme(&mut self, scheme_end: usize) -> Result<Positions, Stop> {
        let scheme = Scheme::of(self.input.split_at(scheme_end).0);
        let is_special = scheme.is_special;
        let mut at = Positions {
            scheme_end: scheme_end as u32,
            username_end: scheme_end as u32 + 1,
            host_start: scheme_end as u32 + 1,
            host_end: scheme_end as u32 + 1,
            path_start: scheme_end as u32 + 1,
            query_start: None,
            fragment_start: None,
            port: None,
            host_kind: HostKind::None,
        };
        // An output that differs has other positions, which nobody asks for.
        if scheme.is_file {
            if let Err(stop) = self.file_host(&mut at) {
                return Err(stop);
            }
        } else if is_special {
            // "special authority ignore slashes state"
            while Self::is_slash(self.at(self.next), true) {
                self.next += 1;
            }
            if let Err(stop) = self.authority(&mut at, scheme) {
                return Err(stop);
            }
        } else if self.at(self.next) == b'/' && self.at(self.next + 1) == b'/' {
            self.next += 2;
            if let Err(stop) = self.authority(&mut at, scheme) {
                return Err(stop);
            }
        }
        at.path_start = self.length as u32;
        let has_host = !matches!(at.host_kind, HostKind::None);
        if is_special || has_host || self.at(self.next) == b'/' {
            self.path(&mut at, scheme);
        } else {
            self.opaque_path();
        }
        self.query_and_fragment(&mut at, is_special);
        Ok(at)
    }

    /// "file state", "file slash state" and "file host state", without a base.
    const fn file_host(&mut self, at: &mut Positions) -> Result<(), Stop> {
        self.push_all(b"//");
        at.host_kind = HostKind::Empty;
        at.username_end = self.length as u32;
        at.host_start = self.length as u32;
        at.host_end = self.length as u32;
        if !Self::is_slash(self.at(self.next), true) || !Self::is_slash(self.at(self.next + 1), true) {
            return Ok(());
        }
        let start = self.next + 2;
        let end = self.end_from(start, true);
        if is_drive_letter(self.slice(Part { start, end })) {
            // "This is a (platform-independent) Windows drive letter quirk."
            self.next = start;
            return Ok(());
        }
        self.next = end;
        if end == start {
            return Ok(());
        }
        let before = self.length;
        match self.host(Part { start, end }, true) {
            Ok(kind) => at.host_kind = kind,
            Err(stop) => return Err(stop),
        }
        if self.length - before == 9 && self.ends_with(b"localhost") {
            self.truncate(before);
            at.host_kind = HostKind::Empty;
        }
        at.host_end = self.length as u32;
        Ok(())
    }

    const fn ends_with(&self, text: &[u8]) -> bool {
        let mut at = 0;
        while at < text.len() {
            if self.output_at(self.length - text.len() + at) != text[at] {
                return false;
            }
            at += 1;
        }
        true
    }

    /// "authority state", "host state" and "port state".
    const fn authority(&mut self, at: &mut Positions, scheme: Scheme) -> Result<(), Stop> {
        let is_special = scheme.is_special;
        self.push_all(b"//");
        let mut start = self.next;
        let end = self.end_from(start, is_special);
        self.next = end;
        let mut sign = end;
        while sign > start && self.input[sign - 1] != b'@' {
            sign -= 1;
        }
        let has_userinfo = sign > start;
        at.username_end = self.length as u32;
        if has_userinfo {
            self.userinfo(Part { start, end: sign - 1 }, at);
            start = sign;
        }
        at.host_start = self.length as u32;
        let mut host_end = start;
        let mut is_inside_brackets = false;
        while host_end < end && (is_inside_brackets || self.input[host_end] != b':') {
            match self.input[host_end] {
                b'[' => is_inside_brackets = true,
                b']' => is_inside_brackets = false,
                _ => {}
            }
            host_end += 1;
        }
        if host_end == start && (is_special || has_userinfo || host_end < end) {
            return Err(Stop::NotAUrl(ParseError::EmptyHost));
        }
        match self.host(Part { start, end: host_end }, is_special) {
            Ok(kind) => at.host_kind = kind,
            Err(stop) => return Err(stop),
        }
        at.host_end = self.length as u32;
        if host_end == end {
            return Ok(());
        }
        match (parse_port(self.slice(Part { start: host_end + 1, end })), scheme.default_port) {
            (Ok(Some(port)), Some(default_port)) if port == default_port => {}
            (Ok(Some(port)), _) => {
                self.push_all(AddressText::of_port(port).as_bytes());
                at.port = Some(port);
            }
            (Ok(None), _) => {}
            (Err(_), _) => return Err(Stop::NotAUrl(ParseError::InvalidPort)),
        }
        Ok(())
    }

    /// User and password: what is before the last "@".
    const fn userinfo(&mut self, part: Part, at: &mut Positions) {
        let before = self.length;
        let mut is_password = false;
        let mut has_password = false;
        let mut next = part.start;
        while next < part.end {
            let octet = self.input[next];
            if octet == b':' && !is_password {
                is_password = true;
            } else {
                if is_password && !has_password {
                    self.push(b':');
                    has_password = true;
                }
                self.push_encoded(octet, EncodeSet::USERINFO);
            }
            if !is_password {
                at.username_end = self.length as u32;
            }
            next += 1;
        }
        if self.length > before {
            self.push(b'@');
        }
    }

    /// The host parser and serializer.
    const fn host(&mut self, part: Part, is_special: bool) -> Result<HostKind, Stop> {
        let Part { start, end } = part;
        if start == end {
            return Ok(HostKind::Empty);
        }
        if self.input[start] == b'[' {
            if self.input[end - 1] != b']' || end == start + 1 {
                return Err(Stop::NotAUrl(ParseError::InvalidIpv6Address));
            }
            let inside = self.slice(Part { start: start + 1, end: end - 1 });
            return match parse_ipv6(inside, &mut Reports::new()) {
                Ok(address) => {
                    self.push_all(AddressText::of_ipv6(&address).as_bytes());
                    Ok(HostKind::Ipv6)
                }
                Err(_) => Err(Stop::NotAUrl(ParseError::InvalidIpv6Address)),
            };
        }
        if !is_special {
            let mut at = start;
            while at < end {
                if is_forbidden_host(self.input[at] as char) {
                    return Err(Stop::NotAUrl(ParseError::InvalidDomainCharacter));
                }
                self.push_encoded(self.input[at], EncodeSet::C0_CONTROL);
                at += 1;
            }
            return Ok(HostKind::Opaque);
        }
        self.domain(part)
    }

    /// A domain, or an IPv4 address.
    const fn domain(&mut self, part: Part) -> Result<HostKind, Stop> {
        let before = self.length;
        let mut at = part.start;
        while at < part.end {
            let mut octet = self.input[at];
            at += 1;
            if octet == b'%'
                && let Some(decoded) = percent::hex_pair(self.slice(Part { start: at, end: part.end }))
            {
                octet = decoded;
                at += 2;
                // An escape differs in any case.
                self.differs |= N == 0;
            }
            if !octet.is_ascii() {
                return Err(Stop::Unknown);
            }
            if is_forbidden_domain(octet as char) {
                return Err(Stop::NotAUrl(ParseError::IdnaError));
            }
            self.push(octet.to_ascii_lowercase());
        }
        if self.differs {
            return Ok(HostKind::Domain);
        }
        let domain = self.written_from(before);
        if !ends_in_number(domain) {
            return Ok(HostKind::Domain);
        }
        match parse_ipv4(domain, &mut Reports::new()) {
            Ok(address) => {
                let end = self.length;
                self.length = before;
                self.push_all(AddressText::of_ipv4(address).as_bytes());
                // What is compared was another form of the address.
                self.differs |= N == 0 && self.length != end;
                Ok(HostKind::Ipv4)
            }
            Err(_) => Err(Stop::NotAUrl(ParseError::InvalidIpv4Address)),
        }
    }

    /// "path start state" and "path state".
    const fn path(&mut self, at: &mut Positions, scheme: Scheme) {
        let is_special = scheme.is_special;
        let has_host = !matches!(at.host_kind, HostKind::None);
        // What is compared has the "/." already.
        let has_dot = N == 0 && !has_host && self.starts_with_dot();
        if has_dot {
            self.push_all(b"/.");
            self.next += 2;
        }
        let path_start = self.length;
        let next = self.at(self.next);
        if Self::is_slash(next, is_special) {
            self.next += 1;
        } else if !is_special && (self.next >= self.input.len() || matches!(next, b'?' | b'#')) {
            return;
        }
        let mut depth = 0;
        loop {
            let start = self.next;
            let end = self.end_from(start, is_special);
            let has_next = end < self.input.len() && Self::is_slash(self.input[end], is_special);
            let dots = dots(self.slice(Part { start, end }));
            if dots == 2 && depth > 0 {
                let is_drive = scheme.is_file && depth == 1 && self.is_output_drive(path_start);
                if !is_drive {
                    self.shorten(path_start);
                    depth -= 1;
                }
            }
            if dots == 0 {
                self.push(b'/');
                if scheme.is_file && depth == 0 && is_drive_letter(self.slice(Part { start, end })) {
                    self.push(self.input[start]);
                    self.push(b':');
                } else {
                    self.push_segment(Part { start, end });
                }
                depth += 1;
            } else if !has_next {
                self.push(b'/');
                depth += 1;
            } else {
                self.differs |= N == 0;
            }
            self.next = end;
            if !has_next {
                break;
            }
            self.next += 1;
        }
        // "If url's host is null, url does not have an opaque path, url's path's size is greater than 1, and
        // url's path[0] is the empty string, then append U+002F (/) followed by U+002E (.) to output."
        let needs_dot =
            !has_host && depth > 1 && self.length > path_start + 1 && self.output_at(path_start + 1) == b'/';
        if needs_dot && N > 0 {
            self.insert_dot(path_start);
        } else if needs_dot != has_dot {
            self.differs = true;
        }
        at.path_start = path_start as u32;
    }

    /// Whether "/.//" comes next.
    const fn starts_with_dot(&self) -> bool {
        self.at(self.next) == b'/'
            && self.at(self.next + 1) == b'.'
            && self.at(self.next + 2) == b'/'
            && self.at(self.next + 3) == b'/'
    }

    const fn push_segment(&mut self, part: Part) {
        let mut at = part.start;
        while at < part.end {
            self.push_encoded(self.input[at], EncodeSet::PATH);
            at += 1;
        }
    }

    const fn is_output_drive(&self, path_start: usize) -> bool {
        self.length == path_start + 3
            && self.output_at(path_start + 1).is_ascii_alphabetic()
            && self.output_at(path_start + 2) == b':'
    }

    /// Removes the last segment of the output.
    const fn shorten(&mut self, path_start: usize) {
        let mut length = self.length;
        while length > path_start && self.output_at(length - 1) != b'/' {
            length -= 1;
        }
        self.truncate(length.saturating_sub(1));
    }

    /// Writes "/." before the path.
    const fn insert_dot(&mut self, path_start: usize) {
        if self.length + 2 > N {
            self.differs = true;
            return;
        }
        let mut at = self.length;
        while at > path_start {
            at -= 1;
            self.output[at + 2] = self.output[at];
        }
        self.output[path_start] = b'/';
        self.output[path_start + 1] = b'.';
        self.length += 2;
    }

    /// "opaque path state"
    const fn opaque_path(&mut self) {
        while self.next < self.input.len() && !matches!(self.input[self.next], b'?' | b'#') {
            let octet = self.input[self.next];
            self.next += 1;
            // "If remaining starts with U+003F (?) or U+0023 (#), then append %20."
            if octet == b' ' && matches!(self.at(self.next), b'?' | b'#') {
                self.push_all(b"%20");
            } else {
                self.push_encoded(octet, EncodeSet::C0_CONTROL);
            }
        }
    }

    /// "query state" and "fragment state".
    const fn query_and_fragment(&mut self, at: &mut Positions, is_special: bool) {
        if self.at(self.next) == b'?' {
            at.query_start = NonZeroU32::new(self.length as u32);
            self.push(b'?');
            self.next += 1;
            let set = if is_special { EncodeSet::SPECIAL_QUERY } else { EncodeSet::QUERY };
            while self.next < self.input.len() && self.input[self.next] != b'#' {
                self.push_encoded(self.input[self.next], set);
                self.next += 1;
            }
        }
        if self.at(self.next) == b'#' {
            at.fragment_start = NonZeroU32::new(self.length as u32);
            self.push(b'#');
            self.next += 1;
            while self.next < self.input.len() {
                self.push_encoded(self.input[self.next], EncodeSet::FRAGMENT);
                self.next += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Stop, Writer};
    use crate::input::Reporter;
    use crate::machine;
    use crate::url::Url;
    use crate::url_ref::{UrlRef, UrlRefError};
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// A constant is what the state machine says, and so is the form that an error names.
    fn is_as_the_machine_says(text: &str) -> bool {
        let record = machine::parse(text, None, None, &mut Reporter::silent()).ok();
        let expected = record.map(|record| Url::from_record(&record).unwrap());
        let mut writer: Writer<'_, 1024> = Writer::new(text);
        let is_right_form = match writer.parse() {
            Ok(_) => expected.as_ref().is_some_and(|url| writer.written() == Some(url.as_str())),
            Err(Stop::NotAUrl(error)) => Url::parse(text).err() == Some(error),
            Err(Stop::Unknown) => true,
        };
        let is_right_constant = match (UrlRef::parse_const(text), &expected) {
            (Ok(constant), Some(url)) => url.as_str() == text && constant.at == url.as_url_ref().at,
            (Err(UrlRefError::NotSerialised), Some(url)) => url.as_str() != text,
            (result, url) => result.is_err() && url.is_none(),
        };
        is_right_form && is_right_constant
    }

    #[test]
    fn short_texts() {
        let pieces = ["/", ".", "..", "%2e", "\\", ":", "@", "?", "#", "a", "C|", "1", " ", "[::1]", "0x"];
        for start in ["http:", "https://a", "file:", "file://", "foo:", "foo://", "x:/"] {
            let mut texts = Vec::from([String::from(start)]);
            for _ in 0..3 {
                texts = texts.iter().flat_map(|text| pieces.map(|piece| text.clone() + piece)).collect();
                for text in &texts {
                    assert!(is_as_the_machine_says(text), "{text}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn addresses(text in "(http|foo)://\\[[0-9a-fA-F:.]{0,24}\\](:[0-9]{0,6})?/") {
            prop_assert!(is_as_the_machine_says(&text), "{}", text);
        }

        #[test]
        fn numbers(text in "(http|foo)://[0-9xXaf.]{1,20}/") {
            prop_assert!(is_as_the_machine_says(&text), "{}", text);
        }

        #[test]
        fn random_texts(text in "(https?|file|foo|WS):[/\\\\]{0,3}[ -~]{0,40}") {
            prop_assert!(is_as_the_machine_says(&text), "{}", text);
        }
    }
}
