//! Splits a text into components with the regular expression of appendix B of the 1997 and 2003
//! documents and of RFC 3986. It splits any text and validates nothing.
//!
//! ```text
//! ^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?
//!  scheme         authority     path     query      fragment
//! ```
//!
//! In an edition whose users may contain "?" the authority is `(//([^/@#]*@[^/#]*|[^/?#]*))?`
//! instead.

use crate::edition::Edition;
use crate::simd::{Class, Table};
use crate::span::{ComponentSpans, HostKind};

/// Where the components of a text are divided, as appendix B does it.
pub(super) struct Division {
    /// The end of the prefix.
    pub(super) start: usize,
    pub(super) scheme_end: usize,
    /// The start and end of the host, if there is an authority.
    pub(super) host: Option<(usize, usize)>,
    pub(super) path_start: usize,
    pub(super) path_end: usize,
    pub(super) query_end: usize,
    pub(super) len: usize,
}

impl Division {
    /// Returns the spans. The kind of host is not known yet: `Empty`.
    #[inline(always)]
    pub(super) const fn spans(self) -> ComponentSpans {
        let (host_start, host_end) = match self.host {
            Some(host) => host,
            None => (self.path_start, self.path_start),
        };
        ComponentSpans {
            scheme_end: self.scheme_end as u32,
            host_start: host_start as u32,
            host_end: host_end as u32,
            path_start: self.path_start as u32,
            path_end: self.path_end as u32,
            query_end: self.query_end as u32,
            len: self.len as u32,
            start: self.start as u8,
            has_authority: self.host.is_some(),
            host_kind: HostKind::Empty,
        }
    }
}

/// Splits a text of less than 2³² - 1 octets.
pub(super) const fn cut(octets: &[u8], edition: &Edition) -> ComponentSpans {
    let start = prefix(octets, edition);
    let scheme_end = scheme_end(octets, start, edition);
    let rest = if scheme_end > start { scheme_end + 1 } else { start };

    let len = octets.len();
    let has_authority = rest + 1 < len && octets[rest] == b'/' && octets[rest + 1] == b'/';
    let path_start = if has_authority { authority_end(octets, rest + 2, len, edition) } else { rest };
    let host = if has_authority { Some(host(octets, rest + 2, path_start)) } else { None };
    let mut path_end = path_start;
    while path_end < len && !matches!(octets[path_end], b'?' | b'#') {
        path_end += 1;
    }
    let query_end = find(octets, path_end, len, b'#');
    Division { start, scheme_end, host, path_start, path_end, query_end, len }.spans()
}

/// Returns the length of the edition's prefix, or 0 if the text does not begin with it.
pub(super) const fn prefix(octets: &[u8], edition: &Edition) -> usize {
    let Some(prefix) = edition.prefix else { return 0 };
    let prefix = prefix.as_bytes();
    if octets.len() < prefix.len() {
        return 0;
    }
    let mut i = 0;
    while i < prefix.len() {
        if !octets[i].eq_ignore_ascii_case(&prefix[i]) {
            return 0;
        }
        i += 1;
    }
    prefix.len()
}

/// Returns the position of the ":" after the scheme, or `start` if there is no scheme.
const fn scheme_end(octets: &[u8], start: usize, edition: &Edition) -> usize {
    let mut end = start;
    while end < octets.len() && !matches!(octets[end], b':' | b'/' | b'?' | b'#') {
        end += 1;
    }
    let found = end < octets.len() && octets[end] == b':';
    if !found || edition.colon_in_first_segment && !is_scheme(octets, start, end, &edition.table) {
        return start;
    }
    end
}

const fn is_scheme(octets: &[u8], start: usize, end: usize, table: &Table) -> bool {
    let mut i = start;
    while i < end {
        if !table.contains(Class::SCHEME, octets[i]) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns the end of the authority that begins at `start`, at most `to`.
pub(crate) const fn authority_end(octets: &[u8], start: usize, to: usize, edition: &Edition) -> usize {
    let mut end = start;
    while end < to && !matches!(octets[end], b'/' | b'?' | b'#') {
        end += 1;
    }
    if end < to && octets[end] == b'?' && edition.server.user_may_contain_question_mark {
        // "Within the user and password field, any ":", "@", or "/" must be encoded" (RFC 1738,
        // 3.1): an "@" shows that there is a user, in which "?" may be data.
        let mut slash = end;
        while slash < to && !matches!(octets[slash], b'/' | b'#') {
            slash += 1;
        }
        if find(octets, start, slash, b'@') < slash {
            return slash;
        }
    }
    end
}

/// Returns the range of the host in an authority: between the first "@" and the ":" of the port.
pub(super) const fn host(octets: &[u8], start: usize, end: usize) -> (usize, usize) {
    let at = find(octets, start, end, b'@');
    let host_start = if at < end { at + 1 } else { start };
    let literal = host_start < end && octets[host_start] == b'[';
    let from = if literal { find(octets, host_start, end, b']') } else { host_start };
    (host_start, find(octets, from, end, b':'))
}

/// Returns the position of the first such octet in `from..to`, or `to` if it does not occur.
pub(super) const fn find(octets: &[u8], from: usize, to: usize, octet: u8) -> usize {
    let mut i = from;
    while i < to && octets[i] != octet {
        i += 1;
    }
    i
}
