//! The fast path, for the form that nearly every URL has:
//! `scheme "://" host [ ":" port ] [ "/" path ] [ "?" query ] [ "#" fragment ]`, and for that of nearly
//! every relative reference: `[ path ] [ "?" query ] [ "#" fragment ]`.
//!
//! Each component is scanned up to the first octet that is not allowed in it, which must be the
//! delimiter of the next component. For a text of another form the result is `None`, and
//! [`super::rare`] reads it.

use super::host;
use super::host::Division;
use super::reader::Reader;
use super::validator::InvalidByte;
use crate::edition::Edition;
use crate::simd::{BLOCK, Backend, Blocks, Class, ClassSearch, ShortText, Walk};
use crate::span::{Component, ComponentSpans, HostKind};

/// The positions of the components before the path.
pub(super) struct Head {
    scheme_end: usize,
    host_start: usize,
    host_end: usize,
    path_start: usize,
    host_kind: HostKind,
    has_authority: bool,
}

impl Head {
    /// What is before the path of a relative reference without an authority: nothing.
    const NOTHING: Self = Self {
        scheme_end: 0,
        host_start: 0,
        host_end: 0,
        path_start: 0,
        host_kind: HostKind::Empty,
        has_authority: false,
    };

    /// Returns the spans, given the ends of the path and the query.
    #[inline(always)]
    fn parts(self, path_end: usize, query_end: usize, len: usize) -> ComponentSpans {
        let Self { scheme_end, host_start, host_end, path_start, host_kind, has_authority } = self;
        // Without an authority, the host is where `Division` has it: empty, before the path.
        let host = Some((host_start, host_end));
        let division = Division { start: 0, scheme_end, host, path_start, path_end, query_end, len };
        ComponentSpans { host_kind, has_authority, ..division.spans() }
    }
}

impl<'a, M: Backend> Reader<'a, ShortText<'a, M>> {
    /// Returns the spans of a valid text of this form whose first block is loaded.
    ///
    /// # Errors
    ///
    /// Returns the error if the bitmaps show it.
    #[inline(always)]
    pub(super) fn common(
        backend: M,
        block: M::Block<'a>,
        octets: &'a [u8],
        edition: &'static Edition,
    ) -> Result<ComponentSpans, Option<InvalidByte>> {
        let (table, len) = (&edition.table, octets.len());
        let map = ShortText::of_block(backend, block, table, len.min(BLOCK));
        let reader = Reader { map, octets, edition };
        let head = reader.head()?;
        // Texts of less than a block have their own code, so that each shift is one instruction.
        let (path_end, query_end) = if len < BLOCK {
            read_short_tail(octets, edition, &reader.map, head.path_start)?
        } else {
            read_long_tail(octets, edition, Blocks::new(backend, octets, table, block), head.path_start)?
        };
        Ok(head.parts(path_end, query_end, len))
    }

    /// Reads `scheme "://" host [ ":" port ]`, if all of it is valid and its delimiter follows, or
    /// nothing before a relative reference.
    #[inline(always)]
    fn head(&self) -> Result<Head, Option<InvalidByte>> {
        let scheme_end = self.map.find_not_in(Class::SCHEME, 0);
        let host_start = scheme_end + 3;
        if self.octets.get(scheme_end..host_start) != Some(b"://") {
            return if begins_path(self.octets, scheme_end, self.edition) {
                Ok(Head::NOTHING)
            } else {
                Err(None)
            };
        }
        if !self.edition.table.contains(Class::SCHEME_START, self.octets[0]) {
            return Err(None);
        }
        // "URL:" is not a scheme if it is a prefix.
        let prefix = self.edition.prefix.unwrap_or_default();
        if scheme_end + 1 == prefix.len() && host::prefix(self.octets, self.edition) > 0 {
            return Err(None);
        }
        let host_end = self.map.find_not_in(Class::HOST, host_start);
        // A path nearly always follows.
        let follows = self.at(host_end);
        let mut path_start = host_end;
        if host_end >= BLOCK || follows != Some(b'/') && !ends_authority(follows, self.edition) {
            if host_end >= BLOCK || follows != Some(b':') {
                return Err(wrong_authority(self.octets, self.edition, host_start, host_end));
            }
            path_start = self.port_end(host_end).ok_or(None)?;
        }
        // A host is read in one place, because its code is long.
        let (form, has_port) = (&self.edition.server, path_start > host_end);
        let may_be_empty = if has_port { form.host_may_be_empty } else { form.may_be_empty };
        let host_kind = match self.host(host_start, host_end, may_be_empty) {
            None if !has_port => self.other(host_start, host_end, true),
            kind => kind,
        };
        let host_kind = host_kind.ok_or(None)?;
        Ok(Head { scheme_end, host_start, host_end, path_start, host_kind, has_authority: true })
    }

    /// Returns the end of the port after a host that may also be the beginning of a user.
    #[inline(always)]
    fn port_end(&self, host_end: usize) -> Option<usize> {
        let path_start = self.map.find_not_in(Class::DIGIT, host_end + 1);
        let follows = self.at(path_start);
        let is_port = path_start < BLOCK
            && (follows == Some(b'/') || ends_authority(follows, self.edition))
            && (path_start > host_end + 1 || self.edition.server.port_may_be_empty);
        is_port.then_some(path_start)
    }
}

/// Returns whether a text begins with its path: it has no scheme, which would end with the first ":" before a "/",
/// "?" or "#", and no authority. The octets before `from` are in the class of schemes.
///
/// "A path segment that contains a colon character […] cannot be used as the first segment of a relative-path
/// reference" (RFC 3986, 4.2).
#[inline(never)]
fn begins_path(octets: &[u8], from: usize, edition: &Edition) -> bool {
    let is_delimiter = |octet: &&u8| matches!(octet, b':' | b'/' | b'?' | b'#');
    let ends = octets.get(from..).unwrap_or_default().iter().find(is_delimiter);
    edition.relative && ends != Some(&b':') && !octets.starts_with(b"//")
}

#[cold]
fn ends_authority(octet: Option<u8>, edition: &Edition) -> bool {
    match octet {
        None | Some(b'#') => true,
        // If a user may contain it, the text taken for the host may be the beginning of a user.
        Some(b'?') => !edition.server.user_may_contain_question_mark,
        _ => false,
    }
}

/// Returns the error in an authority that contains other octets than those of a host, the first of
/// them at `host_end`, if it is easy to see.
#[cold]
fn wrong_authority(octets: &[u8], edition: &Edition, start: usize, host_end: usize) -> Option<InvalidByte> {
    match edition.registry.allows_reg_name(true) {
        true => wrong_name(octets, edition, start),
        false if octets.get(start) == Some(&b'[') => open_bracket(octets, edition, start),
        false => wrong_host(octets, edition, start, host_end),
    }
}

/// Returns the first octet that is not allowed in a host, if it is in the first block and neither a
/// user nor an escape, which may be the first error, is before it.
fn wrong_host(octets: &[u8], edition: &Edition, start: usize, end: usize) -> Option<InvalidByte> {
    let octet = *octets.get(end).filter(|_| end < BLOCK)?;
    let has_escape = contains(octets.get(start..end)?, b'%');
    let may_have_user = contains(&octets[end..], b'@');
    let may_be_allowed = octet == b':'
        || edition.table.contains(Class::REGISTRY, octet)
        || edition.is_international() && !octet.is_ascii();
    // Where names have a form, or users a password, the error may be another one.
    let is_any_text = !edition.password && edition.server.name.is_none();
    let is_first = is_any_text && !has_escape && !may_have_user && !may_be_allowed;
    is_first.then_some(InvalidByte::octet(Component::Host, end))
}

/// Returns the first octet that no authority allows, if the authority has no delimiters. An
/// authority that is not a server is a registry name, so its errors are those of a registry name.
fn wrong_name(octets: &[u8], edition: &Edition, start: usize) -> Option<InvalidByte> {
    let mut at = None;
    for (i, &octet) in octets.iter().enumerate() {
        match octet {
            // The escape itself may be invalid, also in a scheme.
            b'%' => return None,
            _ if i < start => {}
            b'/' | b'?' | b'#' => break,
            b':' | b'@' | b'[' => return None,
            _ if edition.table.contains(Class::REGISTRY, octet) => {}
            _ => at = at.or(Some(i)),
        }
    }
    at.map(|at| InvalidByte::octet(Component::Authority, at))
}

/// Returns the error of a "[" at the start of a host if the text has no "]". Without an "@", the
/// "[" is not after a user.
fn open_bracket(octets: &[u8], edition: &Edition, host: usize) -> Option<InvalidByte> {
    let rest = octets.get(host..).unwrap_or_default();
    let is_open = rest.first() == Some(&b'[') && !contains(rest, b']') && !contains(rest, b'@');
    (is_open && edition.server.literals.is_some()).then_some(InvalidByte::open_bracket(host))
}

/// Returns whether the octet occurs. The search is long, so it is not inlined. It reads all octets,
/// because a loop without an exit becomes vector code; nearly always there is none to find.
#[inline(never)]
pub(super) fn contains(octets: &[u8], octet: u8) -> bool {
    octets.iter().fold(false, |found, &other| found | (other == octet))
}

/// Returns the ends of the path and the query in `[ "/" path ] [ "?" query ] [ "#" fragment ]`. For
/// a text of less than a block the components are checked without a loop: a loop costs a tenth of
/// the time of a URL.
#[inline(always)]
fn read_short_tail(
    octets: &[u8],
    edition: &Edition,
    mut walk: impl Walk,
    from: usize,
) -> Result<(usize, usize), Option<InvalidByte>> {
    let path_end = walk.find_not_in(Class::PATH, from);
    let (mut part, mut end, mut query_end) = (Component::Path, path_end, path_end);
    if octets.get(path_end) == Some(&b'?') {
        let query = path_end + 1;
        query_end = if edition.query_is_words {
            words_end(octets, &mut walk, query).ok_or(None)?
        } else {
            walk.find_not_in(Class::QUERY, query)
        };
        (part, end) = (Component::Query, query_end);
    }
    if octets.get(end) == Some(&b'#') {
        (part, end) = (Component::Fragment, walk.find_not_in(Class::FRAGMENT, end + 1));
    }
    ends(octets, edition, &walk, part, end)?;
    Ok((path_end, query_end))
}

/// search = xalphas [ + search ]: returns the end, if none of the words is empty.
#[inline(always)]
fn words_end(octets: &[u8], walk: &mut impl Walk, start: usize) -> Option<usize> {
    let mut word = start;
    loop {
        let end = walk.find_not_in(Class::WORD, word);
        if end == word {
            return None;
        }
        if octets.get(end) != Some(&b'+') {
            return Some(end);
        }
        word = end + 1;
    }
}

/// Like [`read_short_tail`], for a text of any length. The code for several blocks is long, so it
/// is inlined in one place.
#[inline(always)]
fn read_long_tail(
    octets: &[u8],
    edition: &Edition,
    mut walk: impl Walk,
    from: usize,
) -> Result<(usize, usize), Option<InvalidByte>> {
    let (mut part, mut class, mut start) = (Component::Path, Class::PATH, from);
    let (mut path_end, mut query_end) = (from, from);
    let end = loop {
        let end = walk.find_not_in(class, start);
        match part {
            Component::Path => (path_end, query_end) = (end, end),
            Component::Query => query_end = end,
            _ => break end,
        }
        // search = xalphas [ + search ], where no word is empty
        if class == Class::WORD && end == start {
            return Err(None);
        }
        (part, class) = match octets.get(end) {
            Some(b'#') => (Component::Fragment, Class::FRAGMENT),
            Some(b'?') if part == Component::Path && edition.query_is_words => {
                (Component::Query, Class::WORD)
            }
            Some(b'?') if part == Component::Path => (Component::Query, Class::QUERY),
            Some(b'+') if class == Class::WORD => (Component::Query, Class::WORD),
            _ => break end,
        };
        start = end + 1;
    };
    ends(octets, edition, &walk, part, end)?;
    Ok((path_end, query_end))
}

/// Returns whether the last component ends the text and every escape is complete.
#[inline(always)]
fn ends(
    octets: &[u8],
    edition: &Edition,
    walk: &impl Walk,
    part: Component,
    end: usize,
) -> Result<(), Option<InvalidByte>> {
    match walk.escapes_are_whole() {
        true if end == octets.len() => Ok(()),
        // The reference implementation checks the non-ASCII characters.
        true if edition.is_international() && !octets[end].is_ascii() => Err(None),
        true => Err(Some(InvalidByte::octet(part, end))),
        false => Err(None),
    }
}
