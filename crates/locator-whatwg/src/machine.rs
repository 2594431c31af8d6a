//! The basic URL parser and the URL serializer (URL Standard, "URL parsing", "URL serializing"): the
//! state machine in the order and the words of the standard.
//!
//! It is slow and obviously right. It reports every validation error, with its bytes in the given
//! text, and all that is faster is compared with it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use crate::address::{self, AddressText};
use crate::error::ValidationErrorKind as Kind;
use crate::host::{self, HostRecord};
use crate::input::{CodePoint, Failure, Input, Reporter, trimmed};
use crate::percent::{self, EncodeSet};
use crate::position::{HostKind, Positions, Serialised};

/// A URL record (URL Standard, "URL representation").
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Record {
    pub(crate) scheme: String,
    pub(crate) username: String,
    pub(crate) password: String,
    pub(crate) host: Option<HostRecord>,
    pub(crate) port: Option<u16>,
    pub(crate) path: Path,
    pub(crate) query: Option<String>,
    pub(crate) fragment: Option<String>,
}

/// The path of a URL record: opaque, or a list of segments.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Path {
    Opaque(String),
    Segments(Vec<String>),
}

/// A state that a setter begins with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum State {
    SchemeStart,
    Scheme,
    NoScheme,
    SpecialRelativeOrAuthority,
    PathOrAuthority,
    Relative,
    RelativeSlash,
    SpecialAuthoritySlashes,
    SpecialAuthorityIgnoreSlashes,
    Authority,
    Host,
    Hostname,
    Port,
    File,
    FileSlash,
    FileHost,
    PathStart,
    Path,
    OpaquePath,
    Query,
    Fragment,
}

/// Encodes a query by the encoding of a document.
pub(crate) type EncodeQuery<'e> = Option<&'e dyn Fn(&str) -> Cow<'_, [u8]>>;

/// The default port of a scheme; an outer `None` if the scheme is not special.
pub(crate) const fn special_scheme(scheme: &[u8]) -> Option<Option<u16>> {
    Some(match scheme {
        b"ftp" => Some(21),
        b"file" => None,
        b"http" | b"ws" => Some(80),
        b"https" | b"wss" => Some(443),
        _ => return None,
    })
}

/// 1 for a "single-dot URL path segment", 2 for a "double-dot URL path segment", 0 for others.
pub(crate) const fn dots(segment: &[u8]) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while let [b'.', after @ ..] | [b'%', b'2', b'e' | b'E', after @ ..] = rest {
        rest = after;
        count += 1;
        if count > 2 {
            return 0;
        }
    }
    if rest.is_empty() { count } else { 0 }
}

/// "Windows drive letter"
pub(crate) const fn is_drive_letter(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// "normalized Windows drive letter"
fn is_normalized_drive_letter(text: &str) -> bool {
    is_drive_letter(text.as_bytes()) && text.ends_with(':')
}

/// "starts with a Windows drive letter"
fn starts_with_drive_letter(input: Input<'_>, index: usize) -> bool {
    input.c(index).is_some_and(|c| c.is_ascii_alphabetic())
        && matches!(input.c(index + 1), Some(':' | '|'))
        && matches!(input.c(index + 2), None | Some('/' | '\\' | '?' | '#'))
}

impl Record {
    fn new() -> Self {
        Self {
            scheme: String::new(),
            username: String::new(),
            password: String::new(),
            host: None,
            port: None,
            path: Path::Segments(Vec::new()),
            query: None,
            fragment: None,
        }
    }

    #[inline(never)]
    pub(crate) fn is_special(&self) -> bool {
        special_scheme(self.scheme.as_bytes()).is_some()
    }

    pub(crate) fn includes_credentials(&self) -> bool {
        !self.username.is_empty() || !self.password.is_empty()
    }

    pub(crate) fn has_opaque_path(&self) -> bool {
        matches!(self.path, Path::Opaque(_))
    }

    /// The segments of a path that is a list.
    #[inline(never)]
    fn segments(&mut self) -> &mut Vec<String> {
        if let Path::Opaque(_) = self.path {
            self.path = Path::Segments(Vec::new());
        }
        match &mut self.path {
            Path::Segments(segments) => segments,
            Path::Opaque(_) => unreachable!("replaced above"),
        }
    }

    fn push_segment(&mut self, segment: String) {
        self.segments().push(segment);
    }

    /// "shorten a url's path"
    #[inline(never)]
    fn shorten(&mut self) {
        let is_file = self.scheme == "file";
        let path = self.segments();
        if is_file && path.len() == 1 && is_normalized_drive_letter(&path[0]) {
            return;
        }
        path.pop();
    }

    /// The URL serializer, with the positions of what it writes, which are right up to 4 GiB.
    pub(crate) fn serialized(&self) -> Serialised {
        let mut output = self.scheme.clone();
        output.push(':');
        let mut at = Positions {
            scheme_end: self.scheme.len() as u32,
            username_end: output.len() as u32,
            host_start: output.len() as u32,
            host_end: output.len() as u32,
            path_start: output.len() as u32,
            query_start: None,
            fragment_start: None,
            port: self.port,
            host_kind: HostKind::None,
        };
        if let Some(host) = &self.host {
            output.push_str("//");
            output.push_str(&self.username);
            at.username_end = output.len() as u32;
            if !self.password.is_empty() {
                output.push(':');
                output.push_str(&self.password);
            }
            if self.includes_credentials() {
                output.push('@');
            }
            at.host_start = output.len() as u32;
            host.push_to(&mut output);
            at.host_end = output.len() as u32;
            at.host_kind = host.kind();
            if let Some(port) = self.port {
                output.push_str(AddressText::of_port(port).as_str());
            }
        }
        if self.host.is_none()
            && let Path::Segments(segments) = &self.path
            && segments.len() > 1
            && segments[0].is_empty()
        {
            output.push_str("/.");
        }
        at.path_start = output.len() as u32;
        // The URL path serializer.
        match &self.path {
            Path::Opaque(path) => output.push_str(path),
            Path::Segments(segments) => {
                for segment in segments {
                    output.push('/');
                    output.push_str(segment);
                }
            }
        }
        if let Some(query) = &self.query {
            at.query_start = NonZeroU32::new(output.len() as u32);
            output.push('?');
            output.push_str(query);
        }
        if let Some(fragment) = &self.fragment {
            at.fragment_start = NonZeroU32::new(output.len() as u32);
            output.push('#');
            output.push_str(fragment);
        }
        Serialised { text: output, at }
    }
}

/// The basic URL parser, without a URL and a state override.
pub(crate) fn parse(
    text: &str,
    base: Option<&Record>,
    encode_query: EncodeQuery<'_>,
    errors: &mut Reporter,
) -> Result<Record, Failure> {
    // 1. "If input contains any leading or trailing C0 control or space, invalid-URL-unit validation
    // error. Remove any leading and trailing C0 control or space from input."
    let Range { start, end } = trimmed(text);
    if start > 0 {
        errors.report(Kind::InvalidUrlUnit, 0..start);
    }
    if end < text.len() {
        errors.report(Kind::InvalidUrlUnit, end..text.len());
    }
    let mut url = Record::new();
    run(text.get(start..end).unwrap_or_default(), start, base, encode_query, &mut url, None, errors)?;
    Ok(url)
}

/// The basic URL parser with a URL and a state override: how setters change a URL. The URL is changed
/// also where it then fails, as in the standard.
pub(crate) fn parse_into(url: &mut Record, text: &str, state: State) -> Result<(), Failure> {
    run(text, 0, None, None, url, Some(state), &mut Reporter::silent())
}

/// Steps 2 to 10 of the basic URL parser.
fn run(
    text: &str,
    offset: usize,
    base: Option<&Record>,
    encode_query: EncodeQuery<'_>,
    url: &mut Record,
    state_override: Option<State>,
    errors: &mut Reporter,
) -> Result<(), Failure> {
    // "If input contains any ASCII tab or newline, invalid-URL-unit validation error. Remove all ASCII
    // tab or newline from input."
    let mut points = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if matches!(c, '\t' | '\n' | '\r') {
            errors.report(Kind::InvalidUrlUnit, offset + at..offset + at + 1);
        } else {
            points.push(CodePoint { c, at: offset + at });
        }
    }
    let input = Input { points: &points, end: offset + text.len() };
    Machine {
        input,
        encode_query,
        url,
        state_override,
        errors,
        state: state_override.unwrap_or(State::SchemeStart),
        buffer: String::new(),
        buffer_start: 0,
        at_sign_seen: false,
        inside_brackets: false,
        password_token_seen: false,
        pointer: 0,
    }
    .run(base)
}

/// What comes after a state.
enum Next {
    /// "increase pointer by 1"
    Increase,
    /// "decrease pointer by 1", and then increase it.
    Stay,
    /// "return", before the end of the input.
    Return,
}

struct Machine<'a, 'u> {
    input: Input<'a>,
    encode_query: EncodeQuery<'a>,
    url: &'u mut Record,
    state_override: Option<State>,
    errors: &'u mut Reporter,
    state: State,
    buffer: String,
    /// Where the buffer of the authority, host and port states begins in the input.
    buffer_start: usize,
    at_sign_seen: bool,
    inside_brackets: bool,
    password_token_seen: bool,
    pointer: usize,
}

impl Machine<'_, '_> {
    /// The base is an argument of the states that use it, so that they are left out where no URL has one.
    fn run(mut self, base: Option<&Record>) -> Result<(), Failure> {
        loop {
            let c = self.input.c(self.pointer);
            let next = match self.state {
                State::SchemeStart => self.scheme_start(c)?,
                State::Scheme => self.scheme(c, base)?,
                State::NoScheme => self.no_scheme(c, base)?,
                State::SpecialRelativeOrAuthority => self.special_relative_or_authority(c),
                State::PathOrAuthority => self.path_or_authority(c),
                State::Relative => self.relative(c, base),
                State::RelativeSlash => self.relative_slash(c, base),
                State::SpecialAuthoritySlashes => self.special_authority_slashes(c),
                State::SpecialAuthorityIgnoreSlashes => self.special_authority_ignore_slashes(c),
                State::Authority => self.authority(c)?,
                State::Host | State::Hostname => self.host(c)?,
                State::Port => self.port(c)?,
                State::File => self.file(c, base),
                State::FileSlash => self.file_slash(c, base),
                State::FileHost => self.file_host(c)?,
                State::PathStart => self.path_start(c),
                State::Path => self.path(c),
                State::OpaquePath => self.opaque_path(c),
                State::Query => self.query(c),
                State::Fragment => self.fragment(c),
            };
            match next {
                Next::Return => return Ok(()),
                // "If after a run pointer points to the EOF code point, go to the next step."
                Next::Increase if self.pointer >= self.input.len() => return Ok(()),
                Next::Increase => self.pointer += 1,
                Next::Stay => {}
            }
        }
    }

    /// Reports an error about the code point of the pointer.
    #[inline(never)]
    fn report(&mut self, kind: Kind) {
        let span = self.input.span_of(self.pointer, self.pointer + 1);
        self.errors.report(kind, span);
    }

    /// Fails with an error about the code points between two indexes.
    #[inline(never)]
    fn fail(&mut self, kind: Kind, from: usize, to: usize) -> Failure {
        let span = self.input.span_of(from, to);
        self.errors.fail(kind, span)
    }

    /// "append c to buffer"
    #[inline(never)]
    fn append(&mut self, c: Option<char>) {
        self.buffer.extend(c);
    }

    fn remaining_starts_with(&self, text: &str) -> bool {
        let is_next = |(i, octet)| self.input.c(self.pointer + 1 + i) == Some(char::from(octet));
        text.bytes().enumerate().all(is_next)
    }

    fn is_given(&self) -> bool {
        self.state_override.is_some()
    }

    /// "c is the EOF code point, U+002F (/), U+003F (?), or U+0023 (#)", or "url is special and c is
    /// U+005C (\)".
    fn ends_authority(&self, c: Option<char>) -> bool {
        matches!(c, None | Some('/' | '?' | '#')) || c == Some('\\') && self.url.is_special()
    }

    fn start_query(&mut self) -> Next {
        self.url.query = Some(String::new());
        self.state = State::Query;
        Next::Increase
    }

    fn start_fragment(&mut self) -> Next {
        self.url.fragment = Some(String::new());
        self.state = State::Fragment;
        Next::Increase
    }

    fn scheme_start(&mut self, c: Option<char>) -> Result<Next, Failure> {
        match c {
            Some(c) if c.is_ascii_alphabetic() => {
                self.append(Some(c.to_ascii_lowercase()));
                self.state = State::Scheme;
                Ok(Next::Increase)
            }
            _ if !self.is_given() => {
                self.state = State::NoScheme;
                Ok(Next::Stay)
            }
            _ => Err(Failure::UNNAMED),
        }
    }

    fn scheme(&mut self, c: Option<char>, base: Option<&Record>) -> Result<Next, Failure> {
        match c {
            Some(c) if c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.') => {
                self.append(Some(c.to_ascii_lowercase()));
                Ok(Next::Increase)
            }
            Some(':') => Ok(self.scheme_end(base)),
            _ if !self.is_given() => {
                // "start over (from the first code point in input)"
                self.buffer.clear();
                self.state = State::NoScheme;
                self.pointer = 0;
                Ok(Next::Stay)
            }
            _ => Err(Failure::UNNAMED),
        }
    }

    fn scheme_end(&mut self, base: Option<&Record>) -> Next {
        if self.is_given() {
            let is_buffer_special = special_scheme(self.buffer.as_bytes()).is_some();
            if self.url.is_special() != is_buffer_special {
                return Next::Return;
            }
            if (self.url.includes_credentials() || self.url.port.is_some()) && self.buffer == "file" {
                return Next::Return;
            }
            if self.url.scheme == "file" && self.url.host.as_ref().is_some_and(HostRecord::is_empty) {
                return Next::Return;
            }
        }
        self.url.scheme = core::mem::take(&mut self.buffer);
        if self.is_given() {
            if self.url.port.is_some() && special_scheme(self.url.scheme.as_bytes()) == Some(self.url.port) {
                self.url.port = None;
            }
            return Next::Return;
        }
        if self.url.scheme == "file" {
            if !self.remaining_starts_with("//") {
                self.report(Kind::SpecialSchemeMissingFollowingSolidus);
            }
            self.state = State::File;
        } else if self.url.is_special() {
            let is_base = base.is_some_and(|base| base.scheme == self.url.scheme);
            self.state = match is_base {
                true => State::SpecialRelativeOrAuthority,
                false => State::SpecialAuthoritySlashes,
            };
        } else if self.remaining_starts_with("/") {
            self.state = State::PathOrAuthority;
            self.pointer += 1;
        } else {
            self.url.path = Path::Opaque(String::new());
            self.state = State::OpaquePath;
        }
        Next::Increase
    }

    fn no_scheme(&mut self, c: Option<char>, base: Option<&Record>) -> Result<Next, Failure> {
        match base {
            Some(base) if base.has_opaque_path() && c == Some('#') => {
                self.url.scheme.clone_from(&base.scheme);
                self.take_path(base);
                Ok(self.start_fragment())
            }
            Some(base) if !base.has_opaque_path() => {
                self.state = if base.scheme == "file" { State::File } else { State::Relative };
                Ok(Next::Stay)
            }
            _ => Err(self.fail(Kind::MissingSchemeNonRelativeUrl, 0, 0)),
        }
    }

    fn special_relative_or_authority(&mut self, c: Option<char>) -> Next {
        if c == Some('/') && self.remaining_starts_with("/") {
            self.state = State::SpecialAuthorityIgnoreSlashes;
            self.pointer += 1;
            return Next::Increase;
        }
        self.report(Kind::SpecialSchemeMissingFollowingSolidus);
        self.state = State::Relative;
        Next::Stay
    }

    fn path_or_authority(&mut self, c: Option<char>) -> Next {
        if c == Some('/') {
            self.start_authority();
            return Next::Increase;
        }
        self.state = State::Path;
        Next::Stay
    }

    /// The next code point is the first of the authority state.
    fn start_authority(&mut self) {
        self.state = State::Authority;
        self.buffer_start = self.pointer + 1;
    }

    fn relative(&mut self, c: Option<char>, base: Option<&Record>) -> Next {
        let Some(base) = base else { return Next::Return };
        self.url.scheme.clone_from(&base.scheme);
        if c == Some('/') {
            self.state = State::RelativeSlash;
            return Next::Increase;
        }
        if c == Some('\\') && self.url.is_special() {
            self.report(Kind::InvalidReverseSolidus);
            self.state = State::RelativeSlash;
            return Next::Increase;
        }
        self.take_authority(base);
        self.take_path(base);
        match c {
            Some('?') => self.start_query(),
            Some('#') => self.start_fragment(),
            Some(_) => {
                self.url.query = None;
                self.url.shorten();
                self.state = State::Path;
                Next::Stay
            }
            None => Next::Increase,
        }
    }

    /// Sets path and query to those of the base.
    #[inline(never)]
    fn take_path(&mut self, base: &Record) {
        self.url.path = base.path.clone();
        self.url.query.clone_from(&base.query);
    }

    /// Sets username, password, host and port to those of the base.
    #[inline(never)]
    fn take_authority(&mut self, base: &Record) {
        self.url.username.clone_from(&base.username);
        self.url.password.clone_from(&base.password);
        self.url.host.clone_from(&base.host);
        self.url.port = base.port;
    }

    fn relative_slash(&mut self, c: Option<char>, base: Option<&Record>) -> Next {
        let Some(base) = base else { return Next::Return };
        if self.url.is_special() && matches!(c, Some('/' | '\\')) {
            if c == Some('\\') {
                self.report(Kind::InvalidReverseSolidus);
            }
            self.state = State::SpecialAuthorityIgnoreSlashes;
            return Next::Increase;
        }
        if c == Some('/') {
            self.start_authority();
            return Next::Increase;
        }
        self.take_authority(base);
        self.state = State::Path;
        Next::Stay
    }

    fn special_authority_slashes(&mut self, c: Option<char>) -> Next {
        self.state = State::SpecialAuthorityIgnoreSlashes;
        if c == Some('/') && self.remaining_starts_with("/") {
            self.pointer += 1;
            return Next::Increase;
        }
        self.report(Kind::SpecialSchemeMissingFollowingSolidus);
        Next::Stay
    }

    fn special_authority_ignore_slashes(&mut self, c: Option<char>) -> Next {
        if !matches!(c, Some('/' | '\\')) {
            self.state = State::Authority;
            self.buffer_start = self.pointer;
            return Next::Stay;
        }
        self.report(Kind::SpecialSchemeMissingFollowingSolidus);
        Next::Increase
    }

    fn authority(&mut self, c: Option<char>) -> Result<Next, Failure> {
        if c == Some('@') {
            self.report(Kind::InvalidCredentials);
            if self.at_sign_seen {
                self.buffer.insert_str(0, "%40");
            }
            self.at_sign_seen = true;
            for c in self.buffer.chars() {
                if c == ':' && !self.password_token_seen {
                    self.password_token_seen = true;
                    continue;
                }
                let part = match self.password_token_seen {
                    true => &mut self.url.password,
                    false => &mut self.url.username,
                };
                percent::push_encoded_char(part, c, EncodeSet::USERINFO);
            }
            self.buffer.clear();
            self.buffer_start = self.pointer + 1;
            return Ok(Next::Increase);
        }
        if self.ends_authority(c) {
            if self.at_sign_seen && self.buffer.is_empty() {
                return Err(self.host_missing());
            }
            // "Decrease pointer by buffer's code point length + 1", and increase it by 1.
            self.pointer = self.buffer_start;
            self.buffer.clear();
            self.state = State::Host;
            return Ok(Next::Stay);
        }
        self.append(c);
        Ok(Next::Increase)
    }

    fn host(&mut self, c: Option<char>) -> Result<Next, Failure> {
        if self.is_given() && self.url.scheme == "file" {
            self.state = State::FileHost;
            return Ok(Next::Stay);
        }
        if c == Some(':') && !self.inside_brackets {
            if self.buffer.is_empty() {
                return Err(self.host_missing());
            }
            if self.state_override == Some(State::Hostname) {
                return Err(Failure::UNNAMED);
            }
            self.take_host()?;
            self.buffer_start = self.pointer + 1;
            self.state = State::Port;
            return Ok(Next::Increase);
        }
        if self.ends_authority(c) {
            if self.buffer.is_empty() && self.url.is_special() {
                return Err(self.host_missing());
            }
            if self.is_given()
                && self.buffer.is_empty()
                && (self.url.includes_credentials() || self.url.port.is_some())
            {
                return Err(Failure::UNNAMED);
            }
            self.take_host()?;
            self.state = State::PathStart;
            return Ok(if self.is_given() { Next::Return } else { Next::Stay });
        }
        match c {
            Some('[') => self.inside_brackets = true,
            Some(']') => self.inside_brackets = false,
            _ => {}
        }
        self.append(c);
        Ok(Next::Increase)
    }

    #[inline(never)]
    fn host_missing(&mut self) -> Failure {
        let start = self.input.span_of(self.pointer, self.pointer + 1).start;
        self.errors.fail(Kind::HostMissing, start..start)
    }

    /// Sets the host to the result of host parsing the buffer.
    #[inline(never)]
    fn take_host(&mut self) -> Result<(), Failure> {
        let to = self.pointer.min(self.input.len());
        let host = host::parse(self.input.part(self.buffer_start, to), !self.url.is_special(), self.errors)?;
        self.url.host = Some(host);
        self.buffer.clear();
        Ok(())
    }

    fn port(&mut self, c: Option<char>) -> Result<Next, Failure> {
        if let Some(c) = c.filter(char::is_ascii_digit) {
            self.append(Some(c));
            return Ok(Next::Increase);
        }
        if self.ends_authority(c) || self.is_given() {
            if !self.buffer.is_empty() {
                let Ok(port) = address::parse_port(self.buffer.as_bytes()) else {
                    return Err(self.fail(Kind::PortOutOfRange, self.buffer_start, self.pointer));
                };
                let is_default = special_scheme(self.url.scheme.as_bytes()) == Some(port);
                self.url.port = port.filter(|_| !is_default);
                self.buffer.clear();
                if self.is_given() {
                    return Ok(Next::Return);
                }
            }
            if self.is_given() {
                return Err(Failure::UNNAMED);
            }
            self.state = State::PathStart;
            return Ok(Next::Stay);
        }
        Err(self.fail(Kind::PortInvalid, self.pointer, self.pointer + 1))
    }

    fn file(&mut self, c: Option<char>, base: Option<&Record>) -> Next {
        self.url.scheme = String::from("file");
        self.url.host = Some(HostRecord::Empty);
        if matches!(c, Some('/' | '\\')) {
            if c == Some('\\') {
                self.report(Kind::InvalidReverseSolidus);
            }
            self.state = State::FileSlash;
            return Next::Increase;
        }
        let Some(base) = base.filter(|base| base.scheme == "file") else {
            self.state = State::Path;
            return Next::Stay;
        };
        self.url.host.clone_from(&base.host);
        self.take_path(base);
        match c {
            Some('?') => self.start_query(),
            Some('#') => self.start_fragment(),
            Some(_) => {
                self.url.query = None;
                if starts_with_drive_letter(self.input, self.pointer) {
                    self.report(Kind::FileInvalidWindowsDriveLetter);
                    self.url.path = Path::Segments(Vec::new());
                } else {
                    self.url.shorten();
                }
                self.state = State::Path;
                Next::Stay
            }
            None => Next::Increase,
        }
    }

    fn file_slash(&mut self, c: Option<char>, base: Option<&Record>) -> Next {
        if matches!(c, Some('/' | '\\')) {
            if c == Some('\\') {
                self.report(Kind::InvalidReverseSolidus);
            }
            self.state = State::FileHost;
            self.buffer_start = self.pointer + 1;
            return Next::Increase;
        }
        if let Some(base) = base.filter(|base| base.scheme == "file") {
            self.url.host.clone_from(&base.host);
            if !starts_with_drive_letter(self.input, self.pointer)
                && let Path::Segments(segments) = &base.path
                && let Some(first) = segments.first().filter(|first| is_normalized_drive_letter(first))
            {
                self.url.push_segment(first.clone());
            }
        }
        self.state = State::Path;
        Next::Stay
    }

    fn file_host(&mut self, c: Option<char>) -> Result<Next, Failure> {
        if !matches!(c, None | Some('/' | '\\' | '?' | '#')) {
            self.append(c);
            return Ok(Next::Increase);
        }
        if !self.is_given() && is_drive_letter(self.buffer.as_bytes()) {
            let span = self.input.span_of(self.buffer_start, self.pointer);
            self.errors.report(Kind::FileInvalidWindowsDriveLetterHost, span);
            // The buffer is used in the path state.
            self.state = State::Path;
            return Ok(Next::Stay);
        }
        if self.buffer.is_empty() {
            self.url.host = Some(HostRecord::Empty);
        } else {
            self.take_host()?;
            if matches!(&self.url.host, Some(HostRecord::Domain(domain)) if domain == "localhost") {
                self.url.host = Some(HostRecord::Empty);
            }
        }
        if self.is_given() {
            return Ok(Next::Return);
        }
        self.state = State::PathStart;
        Ok(Next::Stay)
    }

    fn path_start(&mut self, c: Option<char>) -> Next {
        if self.url.is_special() {
            if c == Some('\\') {
                self.report(Kind::InvalidReverseSolidus);
            }
            self.state = State::Path;
            return if matches!(c, Some('/' | '\\')) { Next::Increase } else { Next::Stay };
        }
        match c {
            Some('?') if !self.is_given() => self.start_query(),
            Some('#') if !self.is_given() => self.start_fragment(),
            Some(c) => {
                self.state = State::Path;
                if c == '/' { Next::Increase } else { Next::Stay }
            }
            None => {
                if self.is_given() && self.url.host.is_none() {
                    self.url.push_segment(String::new());
                }
                Next::Increase
            }
        }
    }

    fn path(&mut self, c: Option<char>) -> Next {
        let is_reverse = c == Some('\\') && self.url.is_special();
        let is_end =
            matches!(c, None | Some('/')) || is_reverse || !self.is_given() && matches!(c, Some('?' | '#'));
        if !is_end {
            self.errors.check_unit(self.input, self.pointer);
            if let Some(c) = c {
                percent::push_encoded_char(&mut self.buffer, c, EncodeSet::PATH);
            }
            return Next::Increase;
        }
        if is_reverse {
            self.report(Kind::InvalidReverseSolidus);
        }
        let is_slash = c == Some('/') || is_reverse;
        let mut segment = core::mem::take(&mut self.buffer);
        let dots = dots(segment.as_bytes());
        if dots == 2 {
            self.url.shorten();
            if !is_slash {
                self.url.push_segment(String::new());
            }
        } else if dots == 1 {
            if !is_slash {
                self.url.push_segment(String::new());
            }
        } else {
            if self.url.scheme == "file"
                && self.url.segments().is_empty()
                && is_drive_letter(segment.as_bytes())
            {
                segment.truncate(1);
                segment.push(':');
            }
            self.url.push_segment(segment);
        }
        match c {
            Some('?') => self.start_query(),
            Some('#') => self.start_fragment(),
            _ => Next::Increase,
        }
    }

    fn opaque_path(&mut self, c: Option<char>) -> Next {
        let c = match c {
            Some('?') => return self.start_query(),
            Some('#') => return self.start_fragment(),
            Some(c) => c,
            None => return Next::Increase,
        };
        self.errors.check_unit(self.input, self.pointer);
        let is_last = matches!(self.input.c(self.pointer + 1), Some('?' | '#'));
        if let Path::Opaque(path) = &mut self.url.path {
            match c {
                ' ' if is_last => path.push_str("%20"),
                ' ' => path.push(' '),
                c => percent::push_encoded_char(path, c, EncodeSet::C0_CONTROL),
            }
        }
        Next::Increase
    }

    fn query(&mut self, c: Option<char>) -> Next {
        if !(c.is_none() || c == Some('#') && !self.is_given()) {
            self.errors.check_unit(self.input, self.pointer);
            self.append(c);
            return Next::Increase;
        }
        let is_utf8 = !self.url.is_special() || matches!(self.url.scheme.as_str(), "ws" | "wss");
        let set = if self.url.is_special() { EncodeSet::SPECIAL_QUERY } else { EncodeSet::QUERY };
        let bytes = match self.encode_query.filter(|_| !is_utf8) {
            Some(encode) => encode(&self.buffer),
            None => Cow::Borrowed(self.buffer.as_bytes()),
        };
        percent::push_encoded_bytes(self.url.query.get_or_insert_default(), &bytes, set);
        self.buffer.clear();
        if c == Some('#') { self.start_fragment() } else { Next::Increase }
    }

    fn fragment(&mut self, c: Option<char>) -> Next {
        if let Some(c) = c {
            self.errors.check_unit(self.input, self.pointer);
            let fragment = self.url.fragment.get_or_insert_default();
            percent::push_encoded_char(fragment, c, EncodeSet::FRAGMENT);
        }
        Next::Increase
    }
}
