//! Validates hosts: names, four decimal numbers, and addresses in brackets.
//!
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

use super::validator::{Fault, Validator, is_escape, octet_at};
use crate::edition::{Edition, IpLiterals, LastDot, Name, Rule};
use crate::error::ParseErrorKind;
use crate::simd::{Class, Table};
use crate::span::{Component, ComponentSpans, HostKind};

/// Returns the kind of host between `host_start` and `host_end`.
pub(super) const fn validate(case: &Validator<'_>) -> Result<HostKind, Fault> {
    let (start, end) = (case.parts.host_start as usize, case.parts.host_end as usize);
    let octets = case.octets;
    let rule = case.edition.rules.host;
    // All errors in the host have been reported; the kind of an invalid host is not used.
    if case.from.is_after(end) {
        return Ok(HostKind::Empty);
    }
    if start == end {
        if case.edition.server.host_may_be_empty {
            return Ok(HostKind::Empty);
        }
        return fail(
            case.error(ParseErrorKind::HostEmpty, Component::Host, start, start, rule),
            HostKind::Empty,
        );
    }
    if octet_at(octets, start) == b'['
        && let Some(literals) = &case.edition.server.literals
    {
        return literal(case, literals, start, end);
    }
    // "the first-match-wins algorithm": what has the form of an IPv4 address is one.
    if is_numbers(octets, start, end, case.edition.server.numbers_are_octets) {
        return Ok(HostKind::Ipv4);
    }
    let Some(form) = &case.edition.server.name else {
        return fail(case.octets_in(Class::REGISTRY, Component::Host, start, end, rule), HostKind::Name);
    };
    match name_error_position(octets, &case.edition.table, form, start, end) {
        None => Ok(HostKind::Name),
        Some(HostFault { kind, at }) => {
            let after = if at < end { case.character_end(at, end) } else { at };
            fail(case.error(kind, Component::Host, at, after, rule), HostKind::Name)
        }
    }
}

const fn fail(error: Option<Fault>, kind: HostKind) -> Result<HostKind, Fault> {
    match error {
        Some(fault) => Err(fault),
        None => Ok(kind),
    }
}

/// An error in a host: its kind, and the offset at which it begins.
pub(super) struct HostFault {
    pub(super) kind: ParseErrorKind,
    pub(super) at: usize,
}

/// Validates `"[" ( IPv6address / IPvFuture ) "]"`, and the zones that the edition may allow
const fn literal(
    case: &Validator<'_>,
    literals: &IpLiterals,
    start: usize,
    end: usize,
) -> Result<HostKind, Fault> {
    let octets = case.octets;
    let rule = literals.rule;
    let close = find(octets, start, end, b']');
    if close == end {
        let error = case.error(ParseErrorKind::BracketOpen, Component::Host, start, start + 1, rule);
        return fail(error, HostKind::Ipv6);
    }
    let (kind, fault) = if literals.future && octet_at(octets, start + 1).eq_ignore_ascii_case(&b'v') {
        (HostKind::IpvFuture, ipv_future_fault(case, start + 1, close))
    } else {
        (HostKind::Ipv6, ipv6_fault(case, literals.zones, start + 1, close))
    };
    if let Some(HostFault { kind: error_kind, at }) = fault {
        let rule = match (error_kind, literals.zones) {
            (ParseErrorKind::Zone, Some(zone)) => zone,
            (ParseErrorKind::Escape, _) => case.edition.rules.escape,
            _ => rule,
        };
        return fail(case.error(error_kind, Component::Host, at, case.character_end(at, end), rule), kind);
    }
    if close + 1 < end {
        // "[::1]x": only a port may follow the bracket.
        let at = close + 1;
        let rule = case.edition.rules.authority;
        return fail(
            case.error(ParseErrorKind::InvalidByte, Component::Host, at, case.character_end(at, end), rule),
            kind,
        );
    }
    Ok(kind)
}

/// Returns the error position in `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":"
/// )`.
const fn ipv_future_fault(case: &Validator<'_>, start: usize, end: usize) -> Option<HostFault> {
    let table = &case.edition.table;
    let mut i = start + 1;
    while i < end && table.contains(Class::HEX, octet_at(case.octets, i)) {
        i += 1;
    }
    if i == start + 1 || i == end || octet_at(case.octets, i) != b'.' || i + 1 == end {
        let at = if i < end && octet_at(case.octets, i) == b'.' && i > start + 1 { i + 1 } else { i };
        return Some(HostFault { kind: ParseErrorKind::IpvFuture, at });
    }
    i += 1;
    while i < end {
        // userinfo is the same set with escapes, which are not allowed here.
        if octet_at(case.octets, i) == b'%' || !table.contains(Class::USERINFO, octet_at(case.octets, i)) {
            return Some(HostFault { kind: ParseErrorKind::IpvFuture, at: i });
        }
        i += 1;
    }
    None
}

/// Returns the error position in `IPv6address`, or in `IPv6addrz = IPv6address "%25" ZoneID` if the
/// edition has zones.
const fn ipv6_fault(
    case: &Validator<'_>,
    zones: Option<&'static Rule>,
    start: usize,
    end: usize,
) -> Option<HostFault> {
    let address_end = if zones.is_some() { find(case.octets, start, end, b'%') } else { end };
    if let Err(at) = ipv6(case.octets, start, address_end) {
        return Some(HostFault { kind: ParseErrorKind::Ipv6, at });
    }
    zone_fault(case, address_end, end)
}

/// Returns the error position in `[ "%25" ZoneID ]`, `ZoneID = 1*( unreserved / pct-encoded )`
const fn zone_fault(case: &Validator<'_>, start: usize, end: usize) -> Option<HostFault> {
    if start == end {
        return None;
    }
    let octets = case.octets;
    if end < start + 3 || octet_at(octets, start + 1) != b'2' || octet_at(octets, start + 2) != b'5' {
        return Some(HostFault { kind: ParseErrorKind::Zone, at: start });
    }
    let mut i = start + 3;
    if i == end {
        return Some(HostFault { kind: ParseErrorKind::Zone, at: i });
    }
    while i < end {
        if is_escape(octets, i, end, &case.edition.table) {
            i += 3;
        } else if case.edition.unreserved.contains(octet_at(octets, i)) {
            i += 1;
        } else {
            let kind =
                if octet_at(octets, i) == b'%' { ParseErrorKind::Escape } else { ParseErrorKind::Zone };
            return Some(HostFault { kind, at: i });
        }
    }
    None
}

/// Returns the eight numbers of an `IPv6address`, or the error position: the first octet that no
/// address has after those before it.
///
/// `h16 = 1*4HEXDIG`, eight of them separated by ":", the last two possibly an IPv4 address; "::"
/// occurs once at most and replaces one number or more.
#[inline(never)]
pub(crate) const fn ipv6(octets: &[u8], start: usize, end: usize) -> Result<[u16; 8], usize> {
    let mut numbers = [0; 8];
    let mut count = 0;
    let mut gap = None;
    let mut i = start;
    if starts_with_two_colons(octets, i, end) {
        gap = Some(0);
        i += 2;
    }
    while i < end {
        let (digits_end, number) = h16(octets, i, end);
        // ls32 = ( h16 ":" h16 ) / IPv4address; it is the last of eight numbers, or after "::"
        let may_be_ipv4 = count == 6 && gap.is_none() || count <= 5 && gap.is_some();
        let most = if gap.is_some() { 7 } else { 8 };
        if digits_end < end && octet_at(octets, digits_end) == b'.' && may_be_ipv4 {
            let four = match ipv4(octets, i, end) {
                Ok(four) => four,
                // What is no decimal number is still an h16, up to the ".".
                Err(at) => return Err(if at < digits_end { digits_end } else { at }),
            };
            numbers[count & 7] = (four[0] as u16) << 8 | four[1] as u16;
            numbers[(count + 1) & 7] = (four[2] as u16) << 8 | four[3] as u16;
            count += 2;
            break;
        }
        if digits_end == i && i == start && octet_at(octets, i) == b':' {
            // A second ":" may follow.
            return Err(i + 1);
        }
        if digits_end == i || count == most {
            return Err(i);
        }
        numbers[count & 7] = number;
        count += 1;
        i = digits_end;
        if i == end {
            break;
        }
        if octet_at(octets, i) != b':' || count == most {
            return Err(i);
        }
        if i + 1 == end {
            return Err(end);
        }
        if starts_with_two_colons(octets, i, end) {
            if gap.is_some() {
                return Err(i + 1);
            }
            gap = Some(count);
            i += 1;
        }
        i += 1;
    }
    spread(numbers, count, gap, end)
}

/// Inserts the zeros that "::" replaces.
const fn spread(numbers: [u16; 8], count: usize, gap: Option<usize>, end: usize) -> Result<[u16; 8], usize> {
    let Some(gap) = gap else {
        return if count == 8 { Ok(numbers) } else { Err(end) };
    };
    if count > 7 {
        return Err(end);
    }
    let mut spread = [0; 8];
    let mut i = 0;
    while i < count {
        spread[(if i < gap { i } else { i + 8 - count }) & 7] = numbers[i & 7];
        i += 1;
    }
    Ok(spread)
}

const fn starts_with_two_colons(octets: &[u8], i: usize, end: usize) -> bool {
    i + 1 < end && octet_at(octets, i) == b':' && octet_at(octets, i + 1) == b':'
}

/// Returns the length and the value of at most four hex digits.
const fn h16(octets: &[u8], start: usize, end: usize) -> (usize, u16) {
    let limit = if end < start + 4 { end } else { start + 4 };
    let mut i = start;
    let mut number: u16 = 0;
    while i < limit {
        let Some(digit) = (octet_at(octets, i) as char).to_digit(16) else { break };
        number = number << 4 | digit as u16;
        i += 1;
    }
    (i, number)
}

/// Returns the four numbers of an `IPv4address`: 0 to 255, without leading zeros. The error is the
/// first octet that no address has after those before it, or the end.
#[inline(never)]
pub(crate) const fn ipv4(octets: &[u8], start: usize, end: usize) -> Result<[u8; 4], usize> {
    let mut four = [0; 4];
    let (mut count, mut first, mut i) = (0, start, start);
    while i < end {
        match octet_at(octets, i) {
            b'.' if i > first && count < 3 => {
                count += 1;
                first = i + 1;
            }
            digit @ b'0'..=b'9' => {
                let number = 10 * four[count & 3] as u16 + (digit - b'0') as u16;
                let has_leading_zero = i > first && octet_at(octets, first) == b'0';
                if number > 255 || has_leading_zero {
                    return Err(i);
                }
                four[count & 3] = number as u8;
            }
            _ => return Err(i),
        }
        i += 1;
    }
    if count == 3 && i > first { Ok(four) } else { Err(i) }
}

/// Returns whether the text is four decimal groups, each from 0 to 255 or of any length.
pub(super) const fn is_numbers(octets: &[u8], start: usize, end: usize, as_octets: bool) -> bool {
    if as_octets {
        return ipv4(octets, start, end).is_ok();
    }
    let mut groups = 1;
    let mut digits = 0;
    let mut i = start;
    while i < end {
        match octet_at(octets, i) {
            b'0'..=b'9' => digits += 1,
            b'.' if digits > 0 => {
                groups += 1;
                digits = 0;
            }
            _ => return false,
        }
        i += 1;
    }
    groups == 4 && digits > 0
}

/// Returns the position at which a host name breaks the edition's syntax, with the kind of the
/// error.
pub(super) const fn name_error_position(
    octets: &[u8],
    table: &Table,
    form: &Name,
    start: usize,
    end: usize,
) -> Option<HostFault> {
    let mut label = start;
    loop {
        let dot = find(octets, label, end, b'.');
        if label == end && label > start {
            return match last_dot_is_fine(octets, form, start, end) {
                true => None,
                false => Some(HostFault { kind: ParseErrorKind::HostName, at: end - 1 }),
            };
        }
        let digit = label < dot && octet_at(octets, label).is_ascii_digit();
        if digit && label == start && form.first_begins_with_letter {
            return Some(HostFault { kind: ParseErrorKind::HostName, at: label });
        }
        if let Some(fault) = label_fault(octets, table, form, label, dot) {
            return Some(fault);
        }
        let last = dot == end || dot + 1 == end;
        if last && form.last_begins_with_letter && !octet_at(octets, label).is_ascii_alphabetic() {
            return Some(HostFault { kind: ParseErrorKind::HostName, at: label });
        }
        if dot == end {
            return None;
        }
        label = dot + 1;
    }
}

const fn label_fault(
    octets: &[u8],
    table: &Table,
    form: &Name,
    start: usize,
    end: usize,
) -> Option<HostFault> {
    if start == end {
        return Some(HostFault { kind: ParseErrorKind::HostName, at: start });
    }
    let mut i = start;
    while i < end {
        if !table.contains(Class::LABEL, octet_at(octets, i)) {
            return Some(HostFault { kind: ParseErrorKind::InvalidByte, at: i });
        }
        let begins = i == start && !octet_at(octets, i).is_ascii_alphanumeric();
        let ends =
            i + 1 == end && form.labels_end_alphanumeric && !octet_at(octets, i).is_ascii_alphanumeric();
        if begins || ends || i - start == form.longest_label {
            return Some(HostFault { kind: ParseErrorKind::HostName, at: i });
        }
        i += 1;
    }
    None
}

/// Returns whether the name, whose last octet is ".", is allowed to end with it.
const fn last_dot_is_fine(octets: &[u8], form: &Name, start: usize, end: usize) -> bool {
    match form.last_dot {
        LastDot::Refused => false,
        LastDot::Allowed => true,
        LastDot::AfterTopLabel => {
            // qualified = *( "." domainlabel ) [ "." toplabel "." ]; toplabel begins with a letter
            let mut label = end - 1;
            while label > start && octet_at(octets, label - 1) != b'.' {
                label -= 1;
            }
            label > start && octet_at(octets, label).is_ascii_alphabetic()
        }
    }
}

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
    let has_authority =
        rest + 1 < len && octet_at(octets, rest) == b'/' && octet_at(octets, rest + 1) == b'/';
    let path_start = if has_authority { authority_end(octets, rest + 2, len, edition) } else { rest };
    let host = if has_authority { Some(host(octets, rest + 2, path_start)) } else { None };
    let mut path_end = path_start;
    while path_end < len && !matches!(octet_at(octets, path_end), b'?' | b'#') {
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
        if !octet_at(octets, i).eq_ignore_ascii_case(&prefix[i]) {
            return 0;
        }
        i += 1;
    }
    prefix.len()
}

/// Returns the position of the ":" after the scheme, or `start` if there is no scheme.
const fn scheme_end(octets: &[u8], start: usize, edition: &Edition) -> usize {
    let mut end = start;
    while end < octets.len() && !matches!(octet_at(octets, end), b':' | b'/' | b'?' | b'#') {
        end += 1;
    }
    let found = end < octets.len() && octet_at(octets, end) == b':';
    if !found || edition.colon_in_first_segment && !is_scheme(octets, start, end, &edition.table) {
        return start;
    }
    end
}

const fn is_scheme(octets: &[u8], start: usize, end: usize, table: &Table) -> bool {
    let mut i = start;
    while i < end {
        if !table.contains(Class::SCHEME, octet_at(octets, i)) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns the end of the authority that begins at `start`, at most `to`.
pub(crate) const fn authority_end(octets: &[u8], start: usize, to: usize, edition: &Edition) -> usize {
    let mut end = start;
    while end < to && !matches!(octet_at(octets, end), b'/' | b'?' | b'#') {
        end += 1;
    }
    if end < to && octet_at(octets, end) == b'?' && edition.server.user_may_contain_question_mark {
        // "Within the user and password field, any ":", "@", or "/" must be encoded" (RFC 1738,
        // 3.1): an "@" shows that there is a user, in which "?" may be data.
        let mut slash = end;
        while slash < to && !matches!(octet_at(octets, slash), b'/' | b'#') {
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
    let literal = host_start < end && octet_at(octets, host_start) == b'[';
    let from = if literal { find(octets, host_start, end, b']') } else { host_start };
    (host_start, find(octets, from, end, b':'))
}

/// Returns the position of the first such octet in `from..to`, or `to` if it does not occur.
pub(super) const fn find(octets: &[u8], from: usize, to: usize, octet: u8) -> usize {
    let mut i = from;
    while i < to && octet_at(octets, i) != octet {
        i += 1;
    }
    i
}
