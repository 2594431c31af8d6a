//! The swift reader: the same grammar asked of the machine room, a question a component.
//!
//! It reads from left to right and gives up at the first thing that is wrong or rare (a
//! literal in brackets, a password, a name of another registry), which the plain reader
//! then tells. What it accepts, the plain reader accepts with the same parts.

use super::{cut, host};
use crate::edition::Edition;
use crate::octet::{self, BLOCK, Class, Classes, Long, Machine, Map, Short, Work};
use crate::part::{HostKind, Parts};

const END_OF_SCHEME: Classes = Class::Colon.or(Class::Slash).or(Class::Question).or(Class::Hash);
const END_OF_AUTHORITY: Classes = Class::Slash.or(Class::Question).or(Class::Hash);
const END_OF_PATH: Classes = Class::Question.or(Class::Hash);
const NUMBERS: Classes = Class::Digit.or(Class::Dot);

/// The parts of a valid text; `None` if it is not valid or not plain to see.
#[inline]
pub(super) fn read(octets: &[u8], edition: &'static Edition) -> Option<Parts> {
    octet::dispatch(Read { octets, edition })
}

struct Read<'a> {
    octets: &'a [u8],
    edition: &'static Edition,
}

impl Work for Read<'_> {
    type Output = Option<Parts>;

    #[inline(always)]
    fn run<M: Machine>(self, machine: M) -> Option<Parts> {
        let Read { octets, edition } = self;
        if octets.len() <= BLOCK {
            Reader { map: Short::new(machine, octets, &edition.table), octets, edition }.reference()
        } else if octets.len() < u32::MAX as usize {
            Reader { map: Long::new(machine, octets, &edition.table), octets, edition }.reference()
        } else {
            None
        }
    }
}

struct Reader<'a, M> {
    map: M,
    octets: &'a [u8],
    edition: &'static Edition,
}

/// An authority that names a server.
struct Server {
    host_start: usize,
    host_end: usize,
    kind: HostKind,
}

impl<M: Map> Reader<'_, M> {
    #[inline(always)]
    fn reference(&self) -> Option<Parts> {
        let len = self.map.len();
        let start = cut::prefix(self.octets, self.edition);
        let scheme_end = self.scheme(start)?;
        let rest = if scheme_end > start { scheme_end + 1 } else { start };

        let has_authority = self.octets.get(rest..rest + 2) == Some(b"//");
        let (server, path_start) = if has_authority {
            let end = self.map.find(END_OF_AUTHORITY, rest + 2, len);
            (self.server(rest + 2, end)?, end)
        } else {
            (Server { host_start: rest, host_end: rest, kind: HostKind::Empty }, rest)
        };
        let opaque = self.edition.opaque && scheme_end > start && self.octets.get(rest) != Some(&b'/');
        let (path_end, query_end) =
            if opaque { self.opaque(rest)? } else { self.path_and_query(path_start)? };

        let fragment = query_end + 1;
        if fragment < len && !self.map.all(Class::Fragment.alone(), fragment, len) {
            return None;
        }
        // absoluteURI = scheme ":" ( hier_part | opaque_part ), neither of which is empty
        let nothing = scheme_end > start && rest == query_end;
        if nothing && !self.edition.empty_after_scheme || !self.map.escapes_are_whole() {
            return None;
        }
        Some(Parts {
            scheme_end: scheme_end as u32,
            host_start: server.host_start as u32,
            host_end: server.host_end as u32,
            path_start: path_start as u32,
            path_end: path_end as u32,
            query_end: query_end as u32,
            len: len as u32,
            start: start as u8,
            has_authority,
            host_kind: server.kind,
        })
    }

    /// Where the ":" after the scheme stands; `start` if there is no scheme.
    #[inline(always)]
    fn scheme(&self, start: usize) -> Option<usize> {
        let end = self.map.find(END_OF_SCHEME, start, self.map.len());
        if self.octets.get(end) != Some(&b':') {
            return self.edition.relative.then_some(start);
        }
        let begins = self.edition.table.holds(Class::SchemeStart, self.octets[start]);
        (begins && self.map.all(Class::Scheme.alone(), start, end)).then_some(end)
    }

    #[inline(always)]
    fn server(&self, start: usize, end: usize) -> Option<Server> {
        let form = &self.edition.server;
        if start == end {
            let empty = Server { host_start: start, host_end: start, kind: HostKind::Empty };
            return form.may_be_empty.then_some(empty);
        }
        let at = self.map.find(Class::At.alone(), start, end);
        let host_start = if at < end { at + 1 } else { start };
        if at < end && (self.edition.password || !self.map.all(Class::Userinfo.alone(), start, at)) {
            return None;
        }
        let host_end = self.map.find(Class::Colon.alone(), host_start, end);
        if host_end < end {
            let empty = host_end + 1 == end;
            if empty && !form.port_may_be_empty || !self.map.all(Class::Digit.alone(), host_end + 1, end) {
                return None;
            }
        }
        Some(Server { host_start, host_end, kind: self.host(host_start, host_end)? })
    }

    #[inline(always)]
    fn host(&self, start: usize, end: usize) -> Option<HostKind> {
        let form = &self.edition.server;
        if start == end {
            return form.host_may_be_empty.then_some(HostKind::Empty);
        }
        if self.map.all(NUMBERS, start, end)
            && host::is_numbers(self.octets, start, end, form.numbers_are_octets)
        {
            return Some(HostKind::Ipv4);
        }
        let is_name = match &form.name {
            None => self.map.all(Class::Registry.alone(), start, end),
            Some(name) => host::name_fault(self.octets, &self.edition.table, name, start, end).is_none(),
        };
        is_name.then_some(HostKind::Name)
    }

    /// Where the path and the query end, if their octets are right.
    #[inline(always)]
    fn path_and_query(&self, path_start: usize) -> Option<(usize, usize)> {
        let len = self.map.len();
        let path_end = self.map.past(Class::Path.alone(), path_start, len);
        match self.octets.get(path_end) {
            None | Some(b'#') => Some((path_end, path_end)),
            Some(b'?') => {
                let query_end = self.map.past(Class::Query.alone(), path_end + 1, len);
                if query_end < len && self.octets[query_end] != b'#' {
                    return None;
                }
                let words = self.edition.query_is_words;
                if words && !self.is_one_word(path_end + 1, query_end) {
                    return None;
                }
                Some((path_end, query_end))
            }
            Some(_) => None,
        }
    }

    /// search = xalphas [ + search ]: the search of one word is plain to see.
    #[inline(always)]
    fn is_one_word(&self, start: usize, end: usize) -> bool {
        start < end && self.map.find(Class::Plus.alone(), start, end) == end
    }

    /// The same for what stands after the scheme of an opaque URI.
    #[inline(always)]
    fn opaque(&self, rest: usize) -> Option<(usize, usize)> {
        let len = self.map.len();
        let path_end = self.map.find(END_OF_PATH, rest, len);
        let query_end = self.map.find(Class::Hash.alone(), path_end, len);
        self.map.all(Class::Opaque.alone(), rest, query_end).then_some((path_end, query_end))
    }
}
