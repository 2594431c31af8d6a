//! The format of `--get`: parsed once, then written for each reference without a copy.
//!
//! `{part}` decodes escapes to printable characters and keeps all others, so that the output is one
//! line and safe for a terminal. `[part]` is the part unchanged.

use std::borrow::Cow;
use std::io::{self, Write};

use locator::edition::{DEFAULT, RFC3987};
use locator::{Component, Edit, SpaceEncoding, UriRef, UriRefBuf};
use locator_functions::Access;
use locator_whatwg::{Position, Url};

use crate::field::{Field, default_port, in_charset};
use crate::output::{self, Output};
use crate::report::failure::Failure;
use crate::terminal::undo::{Decoding, Undo, Undone};
use crate::terminal::visible;

/// A format.
#[derive(Clone, Debug)]
pub(super) struct Format {
    pieces: Vec<Piece>,
    /// Whether it has a `must:` or a `strict:`.
    is_strict: bool,
}

#[derive(Clone, Debug)]
enum Piece {
    /// Literal text.
    Text(String),
    /// The part to print.
    Slot(Slot),
}

#[derive(Clone, Debug)]
struct Slot {
    what: What,
    /// As it is written, for messages.
    said: String,
    undone: bool,
    must: bool,
    strict: bool,
    /// The form of the host, if one is asked for.
    host: Option<HostForm>,
}

#[derive(Clone, Debug)]
enum What {
    /// A part.
    Field(Field),
    /// The port, or the scheme's where none is named.
    AnyPort,
    /// The whole, with that port.
    UrlWithPort,
    /// The value of the first pair of that name, or those of all, a space between.
    Pair { name: Vec<u8>, all: bool },
}

impl Format {
    /// Reads a format.
    pub(super) fn read(format: &str) -> Result<Self, String> {
        let (mut pieces, mut text, mut rest) = (Vec::new(), String::new(), format);
        while let Some(at) = rest.find(['\\', '{', '[']) {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some(after) = rest.strip_prefix('\\') {
                let (taken, length) = unescaped(after);
                text.push_str(taken);
                rest = &after[length..];
                continue;
            }
            let (open, close) = if rest.starts_with('{') { ('{', '}') } else { ('[', ']') };
            let Some(end) = rest.find(close) else {
                return Err(format!("\"{open}\" is not closed; write a literal one as \"\\{open}\""));
            };
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Slot(Slot::read(&rest[..=end])?));
            rest = &rest[end + 1..];
        }
        text.push_str(rest);
        let is_part = |name: &str| Field::named(name).is_ok();
        if is_part(format) {
            return Self::read(&format!("{{{format}}}"));
        }
        if pieces.is_empty() && text == format && format.split([',', ' ']).all(is_part) {
            return Err("a part is written in braces, as in '{host}'".to_owned());
        }
        pieces.push(Piece::Text(text));
        let is_strict = pieces.iter().any(
            |piece| matches!(piece, Piece::Slot(slot) if slot.must || slot.strict || slot.host.is_some()),
        );
        Ok(Self { pieces, is_strict })
    }

    /// Returns an error if a `must:` part is undefined or a `strict:` part cannot be decoded.
    pub(super) fn check(&self, reference: UriRef<'_>, space: SpaceEncoding) -> Result<(), Failure> {
        if !self.is_strict {
            return Ok(());
        }
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Text(_) => Ok(()),
            Piece::Slot(slot) => slot.check(reference, space),
        })
    }

    /// Returns whether the port is all that is printed.
    pub(super) fn is_port(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Text(text) => text.is_empty(),
            Piece::Slot(slot) => slot.said == "{port}",
        })
    }

    /// Writes the parts of a reference and ends the line.
    #[inline]
    pub(super) fn write(
        &self,
        out: &mut Output,
        reference: UriRef<'_>,
        space: SpaceEncoding,
    ) -> io::Result<()> {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.write_all(text.as_bytes())?,
                Piece::Slot(slot) => slot.write(out, reference, space)?,
            }
        }
        output::end_line(out)
    }
}

/// What is printed of a URL by the URL Standard.
impl Format {
    /// Returns an error if a `must:` part is undefined or a `strict:` part cannot be decoded.
    pub(super) fn check_url(&self, url: &Url) -> Result<(), Failure> {
        let slots = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Slot(slot) if slot.must || slot.strict => Some(slot),
            _ => None,
        });
        for slot in slots {
            let text = slot.of_url(url);
            let fault = |kind, what| Err(Failure::other(kind, format!("{} {what}", visible(&slot.said))));
            let by = Decoding { space: SpaceEncoding::Percent20, charset: DEFAULT.charset() };
            let is_shown = |text: &str| !Undo::of(text, by).any(|piece| matches!(piece, Undone::Kept(_)));
            match text {
                None if slot.must => return fault("missing", "is undefined"),
                Some(text) if slot.strict && slot.is_undone_in_url() && !is_shown(&text) => {
                    return fault("not-text", "contains an escape that is not a printable character");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes the parts of a URL and ends the line.
    pub(super) fn write_url(&self, out: &mut Output, url: &Url) -> io::Result<()> {
        let by = Decoding { space: SpaceEncoding::Percent20, charset: DEFAULT.charset() };
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.write_all(text.as_bytes())?,
                Piece::Slot(slot) => match slot.of_url(url) {
                    None => {}
                    Some(text) if slot.is_undone_in_url() => write_undone(out, &text, by, slot.strict)?,
                    Some(text) => output::text(out, &text)?,
                },
            }
        }
        output::end_line(out)
    }
}

impl Slot {
    /// Returns whether escapes are decoded; the values of pairs are decoded by the standard.
    const fn is_undone_in_url(&self) -> bool {
        self.undone && matches!(self.what, What::Field(_))
    }

    /// Returns the text of what it names in a URL; `None` if it is undefined.
    fn of_url<'u>(&self, url: &'u Url) -> Option<Cow<'u, str>> {
        match &self.what {
            What::Field(field)
                if self.host == Some(HostForm::Unicode) && field.is_component(Component::Host) =>
            {
                Field::named("host_unicode").ok()?.of_url(url)
            }
            What::Field(field) => field.of_url(url),
            What::AnyPort => url.port_or_known_default().map(|port| Cow::Owned(port.to_string())),
            What::UrlWithPort => Some(match url.port_or_known_default().filter(|_| url.port().is_none()) {
                Some(port) => {
                    let (before, after) = (&url[..Position::AfterHost], &url[Position::AfterPort..]);
                    Cow::Owned(format!("{before}:{port}{after}"))
                }
                None => Cow::Borrowed(url.as_str()),
            }),
            What::Pair { name, all } => {
                let params = url.search_params();
                let name = std::str::from_utf8(name).ok()?;
                match all {
                    true => Some(Cow::Owned(params.get_all(name).join(" "))),
                    false => params.get(name).map(|value| Cow::Owned(value.to_owned())),
                }
            }
        }
    }
}

/// Returns the text for the characters after a backslash, and how many are used.
fn unescaped(after: &str) -> (&str, usize) {
    match after.as_bytes().first() {
        Some(b't') => ("\t", 1),
        Some(b'n') => ("\n", 1),
        Some(b'r') => ("\r", 1),
        Some(b'\\' | b'{' | b'[') => (&after[..1], 1),
        // A backslash before any other character is literal.
        _ => ("\\", 0),
    }
}

impl Slot {
    /// Reads one with its brackets.
    fn read(said: &str) -> Result<Self, String> {
        let mut rest = &said[1..said.len() - 1];
        let (undone, what) = (said.starts_with('{'), What::UrlWithPort);
        let mut slot = Self { what, said: said.to_owned(), undone, must: false, strict: false, host: None };
        let mut default = false;
        loop {
            match rest.split_once(':') {
                Some(("" | "url", after)) => (slot.undone, rest) = (false, after),
                Some(("must", after)) => (slot.must, rest) = (true, after),
                Some(("strict", after)) => (slot.strict, rest) = (true, after),
                Some(("default", after)) => (default, rest) = (true, after),
                Some(("puny", after)) => (slot.host, rest) = (Some(HostForm::Ascii), after),
                Some(("idn", after)) => (slot.host, rest) = (Some(HostForm::Unicode), after),
                Some((word @ ("query" | "query-all"), name)) => {
                    slot.what = What::Pair { name: name.as_bytes().to_vec(), all: word == "query-all" };
                    return Ok(slot);
                }
                _ => break,
            }
        }
        let field = Field::named(rest).map_err(|why| {
            let open = &said[..1];
            format!("{why}; write a literal \"{open}\" as \"\\{open}\"")
        })?;
        // Decoding the whole URL would change its meaning.
        slot.undone &= field.is_decodable() || field.access() == Some(Access::Pair);
        slot.what = match field.access() {
            Some(Access::Component(Component::Port)) if default => What::AnyPort,
            Some(Access::Whole) if default => What::UrlWithPort,
            Some(Access::Pair) => {
                let name = field.parameter().unwrap_or_default().as_bytes().to_vec();
                What::Pair { name, all: false }
            }
            _ => What::Field(field),
        };
        Ok(slot)
    }

    fn check(&self, reference: UriRef<'_>, space: SpaceEncoding) -> Result<(), Failure> {
        match self.formed(reference)? {
            None => self.check_formed(reference, space),
            Some(formed) => self.check_formed(formed.as_uri_ref(), space),
        }
    }

    /// The reference with its host in the form that is asked for, if that is another.
    fn formed(&self, reference: UriRef<'_>) -> Result<Option<UriRefBuf>, Failure> {
        self.host.map_or(Ok(None), |form| form.of(reference))
    }

    fn check_formed(&self, reference: UriRef<'_>, space: SpaceEncoding) -> Result<(), Failure> {
        let (mut found, mut shown) = (false, true);
        let charset = reference.edition().charset();
        let mut look = |text: &str, space| {
            found = true;
            shown &=
                !Undo::of(text, Decoding { space, charset }).any(|piece| matches!(piece, Undone::Kept(_)));
        };
        match &self.what {
            What::UrlWithPort => found = true,
            What::AnyPort if meant_port(reference).is_some() => found = true,
            What::AnyPort => found = reference.component(Component::Port).is_some(),
            What::Field(field) => {
                if let Some(text) = field.of(reference) {
                    look(&text, space_in(*field, space));
                }
            }
            What::Pair { name, all } => values(reference, name, *all, space, |value| {
                look(value, space);
                Ok::<_, Failure>(())
            })?,
        }
        let fault = |kind, what| Err(Failure::other(kind, format!("{} {what}", visible(&self.said))));
        if self.must && !found {
            return fault("missing", "is undefined");
        }
        if self.strict && self.undone && !shown {
            return fault("not-text", "contains an escape that is not a printable character");
        }
        Ok(())
    }

    #[inline]
    fn write(&self, out: &mut Output, reference: UriRef<'_>, space: SpaceEncoding) -> io::Result<()> {
        // A host without this form was reported by the check.
        match self.formed(reference).ok().flatten() {
            None => self.write_formed(out, reference, space),
            Some(formed) => self.write_formed(out, formed.as_uri_ref(), space),
        }
    }

    #[inline]
    fn write_formed(&self, out: &mut Output, reference: UriRef<'_>, space: SpaceEncoding) -> io::Result<()> {
        let charset = reference.edition().charset();
        match &self.what {
            What::Field(field) => {
                let Some(text) = field.of(reference) else { return Ok(()) };
                self.write_text(out, &text, Decoding { space: space_in(*field, space), charset })
            }
            What::AnyPort => match meant_port(reference) {
                Some(port) => write!(out, "{port}"),
                None => output::text(out, reference.component(Component::Port).unwrap_or_default()),
            },
            What::UrlWithPort => write_with_port(out, reference),
            What::Pair { name, all } => {
                let mut is_first = true;
                values(reference, name, *all, space, |value| {
                    if !std::mem::take(&mut is_first) {
                        out.write_all(b" ")?;
                    }
                    self.write_text(out, value, Decoding { space, charset })
                })
            }
        }
    }

    #[inline]
    fn write_text(&self, out: &mut Output, text: &str, by: Decoding) -> io::Result<()> {
        if self.undone { write_undone(out, text, by, self.strict) } else { output::text(out, text) }
    }
}

/// The scheme's port, where there is a host and no port is named.
fn meant_port(reference: UriRef<'_>) -> Option<u16> {
    let is_none = |part| reference.component(part).is_none_or(str::is_empty);
    let is_meant = is_none(Component::Port) && !is_none(Component::Host);
    is_meant.then(|| default_port(reference.component(Component::Scheme))).flatten()
}

fn write_with_port(out: &mut Output, reference: UriRef<'_>) -> io::Result<()> {
    let (text, parts) = (reference.as_str(), reference.spans());
    match (meant_port(reference), parts.span(Component::Host), parts.span(Component::Authority)) {
        (Some(port), Some(host), Some(authority)) => {
            output::text(out, &text[..host.end])?;
            write!(out, ":{port}")?;
            output::text(out, &text[authority.end..])
        }
        _ => output::text(out, text),
    }
}

/// Only in a query "+" may be a space.
const fn space_in(field: Field, space: SpaceEncoding) -> SpaceEncoding {
    match field.access() {
        Some(Access::Component(Component::Query) | Access::Search) => space,
        _ => SpaceEncoding::Percent20,
    }
}

#[inline]
fn write_undone(out: &mut Output, text: &str, by: Decoding, is_strict: bool) -> io::Result<()> {
    let as_it_is = |octet: u8| matches!(octet, b' '..=b'~') && octet != b'%' && octet != b'+';
    if text.bytes().all(as_it_is) {
        return out.write_all(text.as_bytes());
    }
    Undo::of(text, by).try_for_each(|piece| match piece {
        // Where no escape is kept, nothing looks like one.
        Undone::Percent(_) if is_strict => out.write_all(b"%"),
        Undone::Text(text) | Undone::Kept(text) | Undone::Percent(text) => output::text(out, text),
        Undone::Char(c) => out.write_all(c.encode_utf8(&mut [0; 4]).as_bytes()),
    })
}

/// Passes the values of the pairs of a name to a function; only the first unless `all`.
fn values<E>(
    reference: UriRef<'_>,
    name: &[u8],
    all: bool,
    space: SpaceEncoding,
    mut each: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let Some(name) = in_charset(name, reference.edition()) else { return Ok(()) };
    let mut edit = Edit::of(reference);
    edit.spaces(space);
    let found = edit.pairs().filter(|pair| pair.name_bytes() == name);
    let limit = if all { usize::MAX } else { 1 };
    found.take(limit).try_for_each(|pair| each(pair.value().map_or("", |value| value.as_str())))
}

/// The form that a host is written in, which is taken for a domain name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostForm {
    /// `xn--rsum-bpad.example`
    Ascii,
    /// `résumé.example`
    Unicode,
}

impl HostForm {
    /// The reference with its host in this form; `None` if it is that already.
    pub(super) fn of(self, reference: UriRef<'_>) -> Result<Option<UriRefBuf>, Failure> {
        let host = match self {
            Self::Ascii => reference.host_to_ascii()?,
            Self::Unicode => reference.host_to_unicode(),
        };
        let (Some(host), Some(span)) = (host, reference.span(Component::Host)) else {
            return Ok(None);
        };
        // Characters outside ASCII are allowed only in an IRI.
        let edition = if host.is_ascii() { reference.edition() } else { &RFC3987 };
        let text = reference.as_str();
        let text = [&text[..span.start], &host, &text[span.end..]].concat();
        UriRefBuf::from_string_with(text, edition).map(Some).map_err(|error| error.error().into())
    }
}
