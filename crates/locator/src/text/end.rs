//! Finds the end of a URL in running text. Takes the offset after its scheme and returns the end of
//! its host and of the rest. Follows section 5 of `spec/editions.md`: "Outside wrappers a URL ends
//! at white space", and "The punctuation of the surrounding sentence is trimmed from its end".
//!
//! Finds the ends of host names in texts without spaces. Takes a name and the character after it,
//! and returns whether that character belongs to the text or to the name. No top-level label has
//! ASCII letters before others. So `http://example.com看看` contains an ASCII name, and
//! `http://www.abc例え.jp/` contains a mixed one.

use super::expression::{self, GUID};
use super::finder::LIMIT;
use super::window::{Character, Classified, Incomplete, NAME, NOTHING, Window, is_unspaced};
use crate::scheme;
use crate::simd::{AsciiSet, BLOCK};

/// The text after the ":" of a scheme.
pub(super) struct Tail<'t> {
    window: Window<'t>,
    /// The start of the URL.
    start: usize,
    /// The start of the text to examine.
    from: usize,
    /// The end of that text: that of the window, or the first offset that is too far away.
    end: usize,
    /// The block that was classified last, and its start.
    block: Classified,
    block_start: usize,
}

/// The end of an authority, and whether the URL continues after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Authority {
    /// No authority: it is empty, or a template of one.
    None,
    /// The authority is empty and a path follows.
    Empty,
    /// The URL ends with the authority.
    Ends(usize),
    /// The URL continues after the authority.
    GoesOn(usize),
}

/// The end of the octets of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// The URL ends at this offset.
    To(usize),
    /// A template that goes at least to this offset, as "%s" and "{name}" make one, and not a URL.
    Pattern(usize),
    /// The end is too far from the start.
    TooLong,
}

impl<'t> Tail<'t> {
    /// Examines the text from `from` on, of a URL that begins at `start`.
    pub(super) fn new(window: Window<'t>, start: usize, from: usize) -> Self {
        // The first search classifies a block, because this one is before the text.
        let block_start = from.wrapping_sub(BLOCK);
        Self { block_start, ..Self::classified(window, start, from, Classified::default()) }
    }

    /// Examines the text from `from` on, whose first block is classified.
    pub(super) fn classified(window: Window<'t>, start: usize, from: usize, block: Classified) -> Self {
        let end = window.text.len().min(start + LIMIT + 1).max(from);
        Self { window, start, from, end, block, block_start: from }
    }

    /// The text up to its end.
    fn text(&self) -> &'t [u8] {
        self.window.text.get(..self.end).unwrap_or(self.window.text)
    }

    /// Returns the first octet from `at` on that is not of a name.
    #[inline(always)]
    fn past_name(&mut self, at: usize) -> usize {
        self.past(at, true)
    }

    /// Returns the first octet from `at` on that needs a check.
    #[inline(always)]
    fn past_plain(&mut self, at: usize) -> usize {
        self.past(at, false)
    }

    #[inline(always)]
    fn past(&mut self, at: usize, of_name: bool) -> usize {
        // After the block, or before it: a search may begin again.
        let place = at.wrapping_sub(self.block_start);
        if place < BLOCK {
            let inside = if of_name { self.block.name } else { self.block.plain };
            let others = !inside & u64::MAX << place;
            if others != 0 {
                return self.end.min(self.block_start + others.trailing_zeros() as usize);
            }
        }
        self.past_block(if place < BLOCK { self.block_start + BLOCK } else { at }, of_name)
    }

    /// Continues in the blocks from `at` on.
    #[inline(never)]
    fn past_block(&mut self, at: usize, of_name: bool) -> usize {
        if at >= self.end {
            return self.end;
        }
        (self.block_start, self.block) = Classified::first_other(self.text(), at, of_name);
        let inside = if of_name { self.block.name } else { self.block.plain };
        self.end.min(self.block_start + (!inside).trailing_zeros() as usize)
    }

    /// Returns the end of the octets of a name after the scheme.
    pub(super) fn past_host(&mut self) -> usize {
        self.past_name(self.from)
    }

    /// The start of the URL.
    pub(super) const fn start(&self) -> usize {
        self.start
    }

    /// The start of the text to examine.
    #[inline(always)]
    pub(super) fn from(&self) -> usize {
        self.from
    }

    #[inline(always)]
    fn is_too_long(&self, at: usize) -> bool {
        at > self.start + LIMIT
    }

    /// Parses an authority after "//": the host must be plausible, the rest need not be valid.
    pub(super) fn authority(&mut self, domains: Domains) -> Result<Authority, Incomplete> {
        let mut at = self.from;
        // A host begins again after a userinfo; text with more "@" than these is not a URL.
        for _ in 0..4 {
            let Some(end) = self.host(at, domains)? else {
                let is_empty = at == self.from && self.window.octet(at)? == b'/';
                return Ok(if is_empty { Authority::Empty } else { Authority::None });
            };
            let next = self.window.octet(end)?;
            if matches!(next, b'/' | b'?' | b'#') {
                return Ok(Authority::GoesOn(end));
            }
            match self.after_host(end, next)? {
                AfterHost::Authority(authority) => return Ok(authority),
                AfterHost::Userinfo(host) => at = host,
            }
        }
        Ok(Authority::None)
    }

    /// Returns the end of a host that begins there, if there is one.
    #[inline(always)]
    fn host(&mut self, at: usize, domains: Domains) -> Result<Option<usize>, Incomplete> {
        let mut end = match self.window.octet(at)? {
            b'[' => return self.literal(at),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' => self.past_name(at),
            // The empty user of "ftp://@host.com/".
            b'@' if at == self.from => return Ok(Some(at)),
            // The empty user with a password of "redis://:secret@host.com/".
            b':' if at == self.from && self.after_userinfo(at)?.is_some() => return Ok(Some(at)),
            b'%' | 0x80.. => at,
            _ => return Ok(None),
        };
        loop {
            let next = match self.window.octet(end)? {
                b'%' if self.is_escape(end)? => end + 3,
                b'%' => return Ok(None),
                0x80.. if host_goes_on(self.window, domains, at, end)? => end,
                0x80.. => end + self.body(end)?,
                _ => end,
            };
            if next == end || self.is_too_long(next) {
                return Ok((end > at).then_some(end));
            }
            end = self.past_name(next);
        }
    }

    /// `IP-literal = "[" ( IPv6address / IPvFuture ) "]"`, as far as it differs from a name in
    /// brackets.
    #[cold]
    fn literal(&self, at: usize) -> Result<Option<usize>, Incomplete> {
        let octets = self.window.excerpt(at + 1, 80)?;
        let inside = |octet: &u8| octet.is_ascii_alphanumeric() || b":.%_~-".contains(octet);
        let length = octets.iter().take_while(|octet| inside(octet)).count();
        let is_address = octets[..length].contains(&b':') || matches!(octets.first(), Some(b'v' | b'V'));
        Ok((octets.get(length) == Some(&b']') && is_address).then_some(at + length + 2))
    }

    /// The text after a host that is not a path: a port, the host after a userinfo, or prose.
    #[inline(always)]
    fn after_host(&self, end: usize, next: u8) -> Result<AfterHost, Incomplete> {
        let (mut after, mut follows) = (end, next);
        if next == b':' {
            after += 1;
            while self.window.octet(after)?.is_ascii_digit() && !self.is_too_long(after) {
                after += 1;
            }
            follows = self.window.octet(after)?;
        }
        if matches!(follows, b'/' | b'?' | b'#') {
            return Ok(AfterHost::Authority(Authority::GoesOn(after)));
        }
        let is_userinfo = |octet| NAME.contains(octet) || b"!$&'()*+,;=%:@".contains(&octet);
        if is_userinfo(follows)
            && let Some(host) = self.after_userinfo(end)?
        {
            return Ok(AfterHost::Userinfo(host));
        }
        let is_empty_port = after == end + 1;
        if matches!(follows, b',' | b';')
            && !is_empty_port
            && let Some(end) = self.after_server(after, follows, next == b':')?
        {
            return Ok(AfterHost::Authority(Authority::GoesOn(end)));
        }
        Ok(AfterHost::Authority(match follows {
            // "http://localhost:{port}/", "http://localhost:%d/"
            b'{' => Authority::None,
            b'%' if is_empty_port => Authority::None,
            b'\\' if self.is_expression(after)? => Authority::None,
            b'<' | b'[' if self.is_placeholder(after, NOTHING)? => Authority::None,
            // "http://foo!bar.com" has another host than "http://foo"; "," and ";" divide URLs.
            b'!' | b'$' | b'&' | b'+' | b'=' if self.goes_on(after)? => Authority::GoesOn(after),
            // "localhost:PORT" is not a host and a port, and the writer meant all of it as one.
            octet if next == b':' && octet.is_ascii_alphanumeric() => Authority::GoesOn(after),
            _ if is_empty_port => Authority::Ends(end),
            _ => Authority::Ends(after),
        }))
    }

    /// Returns where the servers of a database or a queue end that a URL lists, "mongodb://a:1,b:2/db", if
    /// each has a port or a path follows; or where its properties begin, "sqlserver://h:1433;database=x". On
    /// the web "," and ";" divide URLs.
    #[cold]
    fn after_server(&self, at: usize, follows: u8, has_port: bool) -> Result<Option<usize>, Incomplete> {
        let name = self.window.text.get(self.start..self.from).unwrap_or_default();
        let name = name.strip_suffix(b"://").unwrap_or(name);
        if core::str::from_utf8(name).is_ok_and(scheme::is_fetched_by_browsers) {
            return Ok(None);
        }
        let octets = self.window.excerpt(at, LONGEST_LIST)?;
        let count =
            |octets: &[u8], is_one: fn(&u8) -> bool| octets.iter().take_while(|octet| is_one(octet)).count();
        if follows == b';' {
            let key = count(&octets[1..], |octet| octet.is_ascii_alphanumeric() || b"._-".contains(octet));
            return Ok((key > 0 && octets.get(1 + key) == Some(&b'=')).then_some(at));
        }
        let (mut end, mut have_ports) = (0, has_port);
        while octets.get(end) == Some(&b',') {
            let host = match octets.get(end + 1) {
                // An IPv6 address.
                Some(b'[') => {
                    let inside =
                        count(&octets[end + 2..], |octet| octet.is_ascii_hexdigit() || b":.".contains(octet));
                    if octets.get(end + 2 + inside) == Some(&b']') { inside + 2 } else { 0 }
                }
                _ => {
                    count(&octets[end + 1..], |octet| octet.is_ascii_alphanumeric() || b"._-".contains(octet))
                }
            };
            let after = end + 1 + host;
            let digits = match octets.get(after) {
                Some(b':') => count(&octets[after + 1..], u8::is_ascii_digit),
                _ => 0,
            };
            if host == 0 {
                break;
            }
            have_ports &= digits > 0;
            end = if digits > 0 { after + 1 + digits } else { after };
        }
        let has_path = matches!(octets.get(end), Some(b'/' | b'?'));
        Ok((end > 0 && (have_ports || has_path)).then_some(at + end))
    }

    /// Whether a host continues after an octet that sentences also contain and that does not begin
    /// an entity.
    #[cold]
    fn goes_on(&self, at: usize) -> Result<bool, Incomplete> {
        let rest = self.window.excerpt(at + 1, LONGEST_ENTITY)?;
        let word = rest.iter().take_while(|octet| octet.is_ascii_alphanumeric()).count();
        let is_entity = self.window.octet(at)? == b'&' && rest.get(word) == Some(&b';');
        Ok(word > 0 && !is_entity)
    }

    /// Returns the offset after the "@" that ends a userinfo.
    #[cold]
    fn after_userinfo(&self, at: usize) -> Result<Option<usize>, Incomplete> {
        let octets = self.window.excerpt(at, 256)?;
        let inside = |octet: &u8| NAME.contains(*octet) || b"!$&'()*+,;=%:".contains(octet);
        let length = octets.iter().take_while(|octet| inside(octet)).count();
        if octets.get(length) != Some(&b'@') {
            return Ok(None);
        }
        for (after, octet) in octets[..length].iter().enumerate() {
            // "http://joe:%s@localhost/"
            if *octet == b'%' && self.is_pattern(at + after)? {
                return Ok(None);
            }
        }
        Ok(Some(at + length + 1))
    }

    /// Returns the end of the octets of a URL that continues at `at`. The octet that closes the
    /// opening delimiter ends it.
    pub(super) fn run(&mut self, at: usize, around: u8) -> Result<Run, Incomplete> {
        let mut at = self.past_plain(at);
        // "A closing bracket that was not opened in it" ends it.
        let is_wrapped = around == b'"' || around == b'<';
        let (mut round, mut square, mut in_query) = (0_usize, 0_usize, false);
        loop {
            if self.is_too_long(at) {
                return Ok(Run::TooLong);
            }
            let octet = self.window.octet(at)?;
            match octet {
                b'(' => round += 1,
                // Only queries have square brackets, against the grammar: "?a[]=1".
                // "http://a/[text]" is markup.
                b'[' if in_query || self.has_query(at) => (square, in_query) = (square + 1, true),
                b')' if round > 0 || is_wrapped => round = round.saturating_sub(1),
                b']' if square > 0 || is_wrapped => square = square.saturating_sub(1),
                b'\'' | b'*' if octet != around => {}
                b':' => {
                    if let Some(end) = self.next_of_list(at)? {
                        return Ok(Run::To(end));
                    }
                }
                b'%' => {
                    if self.is_pattern(at)? {
                        return Ok(Run::Pattern(at + 1));
                    }
                }
                b'{' if expression::is_guid(self.window, at)? => at += GUID - 1,
                b'{' => return Ok(Run::Pattern(at + 1)),
                b'\\' if self.is_expression(at)? => return Ok(Run::Pattern(at + 1)),
                b'<' | b'[' if self.is_placeholder(at, around)? => return Ok(Run::Pattern(at + 1)),
                b'|' if self.is_drive(at)? => {}
                0x80.. => match self.body(at)? {
                    0 => return Ok(Run::To(at)),
                    length => at += length - 1,
                },
                _ => return Ok(Run::To(at)),
            }
            at = self.past_plain(at + 1);
        }
    }

    #[cold]
    fn has_query(&self, at: usize) -> bool {
        self.window.text[self.from..at].contains(&b'?')
    }

    /// In "http://a/,http://b/" the second URL is not part of the first. Returns the end of the
    /// first, if this is the colon of another.
    #[cold]
    fn next_of_list(&self, colon: usize) -> Result<Option<usize>, Incomplete> {
        if self.window.octet(colon + 1)? != b'/' || self.window.octet(colon + 2)? != b'/' {
            return Ok(None);
        }
        let before = &self.window.text[self.from..colon];
        let before = &before[before.len().saturating_sub(64)..];
        let name = before.iter().rev().take_while(|octet| octet.is_ascii_alphanumeric()).count();
        let separator = before.len().checked_sub(name + 1).map(|at| before[at]);
        Ok(matches!(separator, Some(b',' | b';')).then_some(colon - name - 1))
    }

    /// "%" HEXDIG HEXDIG
    #[inline(always)]
    fn is_escape(&self, at: usize) -> Result<bool, Incomplete> {
        Ok(self.window.octet(at + 1)?.is_ascii_hexdigit() && self.window.octet(at + 2)?.is_ascii_hexdigit())
    }

    /// Whether a "%" belongs to a template: `%s`, `%1$s`, `%(name)s`, `%%`. The "%" of "100%&x=1"
    /// and "50%discount" was not escaped.
    #[inline(always)]
    fn is_pattern(&self, at: usize) -> Result<bool, Incomplete> {
        if self.is_escape(at)? {
            return Ok(false);
        }
        Ok(expression::conversion_at(self.window, at)?.is_some())
    }

    /// Whether a "\" shows that the text is a regular expression: `http://example\.com/`.
    #[cold]
    fn is_expression(&self, at: usize) -> Result<bool, Incomplete> {
        Ok(self.window.octet(at + 1)? == b'.')
    }

    /// Whether a bracket encloses a name in the URL: `http://example.com/<id>`.
    #[cold]
    fn is_placeholder(&self, at: usize, around: u8) -> Result<bool, Incomplete> {
        Ok(expression::placeholder(self.window, at, around)?.is_some())
    }

    /// Whether a "|" belongs to a drive: "file:///c|/path/to/file" (RFC 8089, E.2.2), which is
    /// common though no edition allows it.
    #[cold]
    fn is_drive(&self, at: usize) -> Result<bool, Incomplete> {
        let before = &self.window.text[self.from..at];
        Ok(matches!(before, [b'/', drive] if drive.is_ascii_alphabetic())
            && self.window.octet(at + 1)? == b'/')
    }

    /// Returns the length of the character beyond ASCII at this offset; 0 if it is not allowed in a
    /// URL.
    #[cold]
    fn body(&self, at: usize) -> Result<usize, Incomplete> {
        Ok(match self.window.character(at)? {
            Some((character, length)) if Character::of(character) != Character::End => length,
            _ => 0,
        })
    }
}

enum AfterHost {
    Authority(Authority),
    Userinfo(usize),
}

/// The maximum length of a list of servers after the first.
const LONGEST_LIST: usize = 1 << 16;

/// The maximum length of an entity's name with the ";" after it.
pub(super) const LONGEST_ENTITY: usize = 9;

/// Trims the end of a URL: `. , ; : ! ?`, quotes, unmatched closing brackets, a page's entity for a
/// quote or bracket, and an emphasis sign that is also before the URL.
#[inline(always)]
pub(super) fn trim_trailing(text: &[u8], least: usize, mut end: usize, around: u8) -> usize {
    while end > least {
        let length = match text[end - 1] {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' => return end,
            b';' => entity(&text[least..end]).unwrap_or(1),
            b'.' | b',' | b':' | b'!' | b'?' | b'\'' | b'(' | b'[' => 1,
            octet @ (b'*' | b'_' | b'~') if octet == around => 1,
            0x80.. => match punctuation(&text[least..end]) {
                Some(length) => length,
                None => return end,
            },
            _ => return end,
        };
        end -= length;
    }
    end
}

/// Returns the length of the entity at the end of the text: "&gt;".
#[cold]
fn entity(text: &[u8]) -> Option<usize> {
    let name = text
        .iter()
        .rev()
        .skip(1)
        .take(LONGEST_ENTITY - 1)
        .take_while(|octet| octet.is_ascii_alphanumeric())
        .count();
    let at = text.len().checked_sub(name + 2)?;
    (name > 0 && text[at] == b'&').then_some(name + 2)
}

/// Returns the length of the last character of the text, if it is punctuation.
#[cold]
fn punctuation(text: &[u8]) -> Option<usize> {
    let tail = &text[text.len().saturating_sub(4)..];
    let start = tail.iter().rposition(|octet| *octet & 0xC0 != 0x80)?;
    let character = core::str::from_utf8(&tail[start..]).ok()?.chars().next()?;
    (Character::of(character) == Character::Punctuation).then_some(character.len_utf8())
}

/// The predicate that recognizes domains, if the caller has set it.
pub(super) type Domains = Option<fn(&str) -> bool>;

/// The number of octets of a name that are examined for its end.
const LONGEST: usize = 256;

const LABEL: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-_~"));

/// Whether the character at `end` belongs to the text, and not to the host that begins at `start`.
/// The character is beyond ASCII.
#[cold]
pub(super) fn host_goes_on(
    window: Window<'_>,
    domains: Domains,
    start: usize,
    end: usize,
) -> Result<bool, Incomplete> {
    let is_unspaced = window.character(end)?.is_some_and(|(character, _)| is_unspaced(character));
    if end == start || !is_unspaced || !window.before(end).is_ascii_alphanumeric() {
        return Ok(false);
    }
    let name = core::str::from_utf8(&window.text[start..end]).unwrap_or_default();
    let has_labels = name.contains('.');
    if has_labels && domains.is_some_and(|is_domain| is_domain(name)) {
        return Ok(true);
    }
    let (is_whole, after) = last_label(window, end)?;
    // What follows decides whether a single label is a host, or a user.
    let is_url = match window.octet(after)? {
        b'/' | b'?' | b'#' | b'@' => true,
        b':' => window.octet(after + 1)?.is_ascii_digit() || is_password(window, after + 1)?,
        _ => false,
    };
    Ok(!is_whole && (has_labels || !is_url))
}

/// Whether the text after a colon is a password, which ends at "@".
fn is_password(window: Window<'_>, at: usize) -> Result<bool, Incomplete> {
    let inside = |octet: &&u8| LABEL.contains(**octet) || b".!$&'()*+,;=%:".contains(octet);
    let octets = window.excerpt(at, LONGEST)?;
    Ok(octets.get(octets.iter().take_while(inside).count()) == Some(&b'@'))
}

/// Whether a name whose label continues at `at` ends in a possible top-level label, and where it
/// ends.
fn last_label(window: Window<'_>, mut at: usize) -> Result<(bool, usize), Incomplete> {
    let limit = at + LONGEST;
    let mut label = LabelScript { begins_in_ascii: true, letters: 1, others: 1 };
    let mut is_last_empty = false;
    while at < limit {
        let octet = window.octet(at)?;
        let mut length = 1;
        match octet {
            b'.' => is_last_empty = true,
            0x80.. => match window.character(at)? {
                Some((character, octets)) if Character::of(character) != Character::End => length = octets,
                _ => break,
            },
            _ if LABEL.contains(octet) => {}
            _ => break,
        }
        if octet != b'.' {
            label = if is_last_empty { LabelScript::default() } else { label };
            label.take(octet, octet.is_ascii());
            is_last_empty = false;
        }
        at += length;
    }
    Ok((at < limit && label.can_be_last(), at))
}

/// The contents of a label.
#[derive(Clone, Copy, Debug, Default)]
struct LabelScript {
    begins_in_ascii: bool,
    /// The numbers of ASCII letters and of characters beyond ASCII.
    letters: usize,
    others: usize,
}

impl LabelScript {
    fn take(&mut self, octet: u8, is_ascii: bool) {
        self.begins_in_ascii |= is_ascii && self.others == 0;
        self.letters += usize::from(octet.is_ascii_alphabetic());
        self.others += usize::from(!is_ascii);
    }

    /// At least two letters, or only characters beyond ASCII.
    const fn can_be_last(self) -> bool {
        if self.begins_in_ascii { self.others == 0 && self.letters > 1 } else { self.others > 0 }
    }
}
