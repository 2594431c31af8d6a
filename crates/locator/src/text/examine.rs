//! Examines a candidate: takes its position and returns whether there is a URL. The text on both
//! sides determines where the URL begins and ends, and what surrounds it.
//!
//! Finds guesses. Takes the offset of a "." or "@" and returns a match if the text around it looks
//! like a host name or an e-mail address. Follows appendix F of the draft of 2003: "a reference
//! consisting of only the authority and path portions of the identified resource", which "cannot be
//! used in contexts where relative URIs are expected".

use super::end::{Authority, Run, Tail, trim_trailing};
use super::finder::{LIMIT, Preset};
use super::matched::{MatchKind, UrlPosition};
use super::name::{NAME, Outcome, SearchPosition};
use super::refang::opens;
use super::window::{Character, Classified, Incomplete, NOTHING, is_unspaced};
use super::{end, evident, name, template, wrapper};
use crate::scheme;

impl<'t> SearchPosition<'_, 't> {
    /// Examines a candidate octet. `block` is the block after "://", if that is there.
    #[inline(never)]
    pub(super) fn examine(
        &self,
        at: usize,
        block: Classified,
        url: &mut UrlPosition,
    ) -> Result<Option<Outcome>, Incomplete> {
        match self.window.text[at] {
            b':' => {
                let next = self.window.octet(at + 1)?;
                if next == b'/' && self.window.octet(at + 2)? == b'/' {
                    if opens(self.window.before(at))
                        && let Some(found) = self.defanged_before(at, url)?
                    {
                        return Ok(Some(found));
                    }
                    return self.double(at, block, url).map(Some);
                }
                if next == b'\\' {
                    return template::double(self, at, url).map(Some);
                }
                let is_marked = match next {
                    b']' | b')' | b'}' | b'>' | b'/' => opens(self.window.before(at)),
                    b'[' | b'(' | b'{' => self.window.octet(at + 2)? == b'/',
                    _ => false,
                };
                if is_marked && let Some(found) = self.defanged_before(at, url)? {
                    return Ok(Some(found));
                }
                // An opaque URL continues after the colon; "std::io" and "name: value" do not.
                if next == b':' || !NAME.contains(self.window.before(at)) {
                    return Ok(None);
                }
                let Some(start) = self.name(at) else { return Ok(None) };
                // After white space, the rest of a wrapped URL may follow.
                if wrapper::find(self, start, at, url)? {
                    return Ok(Some(Outcome::Found));
                }
                let name = &self.window.text[start..at];
                if core::str::from_utf8(name).is_ok_and(scheme::names_mailbox)
                    && let Some(found) = self.defanged(start, url)?
                {
                    return Ok(Some(found));
                }
                let may_be = || evident::may_be_evident(name) || next == b'/' || self.finder.allows(name);
                if next > b' ' && may_be() {
                    return self.opaque(start, at, url).map(Some);
                }
                Ok(None)
            }
            b'.' => domain(self, at, url),
            b'@' => email(self, at, url),
            _ => self.defanged_guess(at, url),
        }
    }

    /// A URL with "//" after its scheme.
    #[inline(always)]
    fn double(&self, colon: usize, block: Classified, url: &mut UrlPosition) -> Result<Outcome, Incomplete> {
        let Some(start) = self.name(colon) else { return Ok(Outcome::None(colon + 1)) };
        // "h**p://", "h[tt]p://"
        if matches!(self.window.before(start), b'*' | b'_' | b'#' | b']' | b')')
            && let Some(found) = self.defanged_before(colon, url)?
        {
            return Ok(found);
        }
        if colon - start < 2 && !self.finder.allows(&self.window.text[start..colon]) {
            // "C://" is a drive, not a scheme.
            return Ok(Outcome::None(colon + 1));
        }
        let start = self.outer_scheme(start);
        let around = self.around(start);
        // A URL between angle brackets without white space is found on the way.
        if around != b'<' && wrapper::find(self, start, colon, url)? {
            return Ok(Outcome::Found);
        }
        let mut tail = Tail::classified(self.window, start, colon + 3, block);
        let authority = tail.authority(self.finder.domains)?;
        let end = match authority {
            Authority::Ends(end) => end,
            Authority::GoesOn(_) | Authority::Empty | Authority::None => tail.past_host(),
        };
        if !matches!(authority, Authority::GoesOn(_))
            && self.may_be_marked(end)?
            && let Some(found) = self.defanged(start, url)?
        {
            return Ok(found);
        }
        let least = match authority {
            Authority::Ends(end) => {
                return self.ends_or_breaks((start, colon), colon + 3, end, around, url);
            }
            Authority::GoesOn(at) => at,
            Authority::Empty if self.may_lack_host(start, colon, colon + 3)? => colon + 3,
            Authority::Empty | Authority::None => {
                let is_found = around == b'<' && wrapper::find(self, start, colon, url)?;
                return match is_found {
                    true => Ok(Outcome::Found),
                    false => template::find(self, (start, colon + 3), colon + 1, url),
                };
            }
        };
        self.rest(&mut tail, (start, colon), least, around, url)
    }

    /// Returns the start of the scheme around another one: of `jdbc:mysql://h/db` the inner URL alone
    /// means something else. A label before a URL, `see:http://h/`, is no scheme.
    #[inline(always)]
    fn outer_scheme(&self, start: usize) -> usize {
        if self.window.before(start) == b':' { self.outer_scheme_before(start) } else { start }
    }

    #[cold]
    fn outer_scheme_before(&self, mut start: usize) -> usize {
        let text = self.window.text;
        // "scm:git:https://h/", "jar:nested:file:/a!/b"
        for _ in 0..3 {
            // "git::https://h/" (go-getter)
            let colons = text[..start].iter().rev().take(2).take_while(|octet| **octet == b':').count();
            let end = start - colons;
            let name = text[..end].iter().rev().take(24).take_while(|octet| NAME.contains(**octet)).count();
            let outer = end - name;
            if outer < self.floor || !scheme::wraps_urls(&text[outer..end]) {
                break;
            }
            start = outer;
        }
        start
    }

    /// A URL without "//" after its scheme, which must be known.
    fn opaque(&self, start: usize, colon: usize, url: &mut UrlPosition) -> Result<Outcome, Incomplete> {
        let lacks_slash = self.lacks_slash(start, colon)?;
        if !lacks_slash && !self.is_evident(start, colon)? {
            return Ok(Outcome::None(colon + 1));
        }
        let mut tail = Tail::new(self.window, start, colon + 1);
        // Every URL in a wrapper has been found.
        let around = Some(self.around(start)).filter(|around| *around != b'<').unwrap_or(NOTHING);
        Ok(match self.rest(&mut tail, (start, colon), colon + 1, around, url)? {
            Outcome::Found if !lacks_slash && !self.is_by_rule(&self.hit(url).url()) => {
                Outcome::None(url.end())
            }
            answer => answer,
        })
    }

    /// A URL that has more than an authority.
    fn rest(
        &self,
        tail: &mut Tail<'t>,
        name: (usize, usize),
        at: usize,
        mut around: u8,
        url: &mut UrlPosition,
    ) -> Result<Outcome, Incomplete> {
        loop {
            let end = match tail.run(at, around)? {
                Run::To(end) => end,
                // In a wrapper the digits of a "%" may be in the next line.
                Run::Pattern(_) if around == b'<' && wrapper::find(self, name.0, name.1, url)? => {
                    return Ok(Outcome::Found);
                }
                Run::Pattern(at) => return template::find(self, (name.0, tail.from()), at, url),
                Run::TooLong => return Ok(Outcome::TooLong(name.0)),
            };
            // A quote that is not closed is not a wrapper, and brackets in it belong to the text.
            if around == b'"' && self.window.octet(end)? != b'"' {
                if let Some(answer) = template::rest_of_quoted(self, tail, end, url)? {
                    return Ok(answer);
                }
                around = NOTHING;
                continue;
            }
            // "mailto:joe[at]evil.example", "http://evil.example/a[.]php"
            if opens(self.window.octet(end)?)
                && let Some(found) = self.defanged_path(name.0, end, url)?
            {
                return Ok(found);
            }
            return self.ends_or_breaks(name, at, end, around, url);
        }
    }

    /// A URL that ends there, unless it is between angle brackets and continues.
    #[inline(always)]
    fn ends_or_breaks(
        &self,
        (start, colon): (usize, usize),
        least: usize,
        end: usize,
        around: u8,
        url: &mut UrlPosition,
    ) -> Result<Outcome, Incomplete> {
        if around != b'<' || self.window.octet(end)? == b'>' {
            return self.ends(start, least, end, around, url);
        }
        if wrapper::find(self, start, colon, url)? {
            return Ok(Outcome::Found);
        }
        self.ends(start, least, end, NOTHING, url)
    }

    /// A URL that ends there, after trimming its end.
    #[inline(always)]
    fn ends(
        &self,
        start: usize,
        least: usize,
        end: usize,
        around: u8,
        url: &mut UrlPosition,
    ) -> Result<Outcome, Incomplete> {
        let next = self.window.octet(end)?;
        let how = match around {
            b'<' => MatchKind::Angle,
            b'"' if next == b'"' => MatchKind::Quoted,
            _ => MatchKind::Bare,
        };
        let (end, outer) = if how == MatchKind::Bare {
            // "<!--http://a/-->"
            let is_comment = next == b'>' && self.window.text[least..end].ends_with(b"--");
            let end = trim_trailing(self.window.text, least, if is_comment { end - 2 } else { end }, around);
            (end, (start, end))
        } else {
            (end, (start - 1, end + 1))
        };
        if end == least && self.window.text[end - 1] == b':' || outer.1 - outer.0 > LIMIT {
            return Ok(Outcome::None(end.max(start + 1)));
        }
        url.set((start, end), outer, how);
        if self.finder.preset == Preset::Strict && !self.hit(url).is_readable() {
            return Ok(Outcome::None(end));
        }
        Ok(Outcome::Found)
    }
}

/// The maximum length of a domain name (RFC 1035, 2.3.4), and one octet for its last dot.
const LONGEST_DOMAIN: usize = 254;

/// The maximum length of a label (the same), and of the local part of an address (RFC 5321,
/// 4.5.3.1.1).
const LONGEST_LABEL: usize = 63;
const LONGEST_LOCAL: usize = 64;

/// Finds the domain whose first dot this is.
#[inline(always)]
pub(super) fn domain(
    place: &SearchPosition<'_, '_>,
    dot: usize,
    url: &mut UrlPosition,
) -> Result<Option<Outcome>, Incomplete> {
    // A dot without a letter or digit on both sides ends a sentence.
    let next = place.window.octet(dot + 1)?;
    let before = place.window.before(dot);
    if !is_label(next) || !is_label(before) || dot == place.floor {
        return Ok(None);
    }
    domain_at(place, dot, url)
}

#[cold]
fn domain_at(
    place: &SearchPosition<'_, '_>,
    dot: usize,
    url: &mut UrlPosition,
) -> Result<Option<Outcome>, Incomplete> {
    if place.finder.addresses
        && let Some(found) = ipv4(place, dot, url)?
    {
        return Ok(Some(found));
    }
    let text = place.window.text;
    let word = label_start(place, dot);
    let start = place.window.after_control(word, dot);
    let start = if start == word { after_escape(place, word, dot, is_www) } else { start };
    if start == dot || start == word && is_part_of_other(place, start) {
        return Ok(None);
    }
    let is_www = is_www(&text[start..dot]);
    if !is_www && place.finder.domains.is_none() {
        return Ok(None);
    }
    let Some(end) = domain_end(place, start)? else { return Ok(None) };
    // "joe.bloggs@example.com"; "a.b.c/d" is a path where nothing says more.
    if b"@\\_=".contains(&place.window.octet(end)?) && !is_escape(place, end)?
        || is_where_a_reference_is(place, start)
        || is_local_part(place, end)?
        || place.is_after_mark(start)
    {
        return Ok(None);
    }
    let name = core::str::from_utf8(&text[start..end]).unwrap_or_default();
    let is_www = is_www && name.bytes().filter(|octet| *octet == b'.').count() > 1;
    let how = match place.finder.domains {
        _ if is_www => MatchKind::Www,
        Some(_) if is_object(name) => return Ok(None),
        Some(is_domain) if end > dot && ends_in_a_name(name) && is_domain(name) => MatchKind::Domain,
        _ => return Ok(None),
    };
    let (end, least) = (after_port(place, end)?, end);
    let end = match place.window.octet(end)? {
        // A host has a path, a file has not.
        next if how == MatchKind::Domain && next != b'/' && is_file_name(name) => return Ok(None),
        b'/' | b'?' | b'#' => match Tail::new(place.window, start, end).run(end, NOTHING)? {
            Run::To(end) => trim_trailing(text, least, end, NOTHING),
            Run::Pattern(at) => return Ok(Some(Outcome::None(at))),
            Run::TooLong => return Ok(Some(Outcome::TooLong(start))),
        },
        _ if how == MatchKind::Domain && is_code(place, end)? => return Ok(None),
        _ => end,
    };
    if place.may_be_marked(end)?
        && let Some(found) = place.defanged(start, url)?
    {
        return Ok(Some(found));
    }
    url.set((start, end), (start, end), how);
    Ok(Some(Outcome::Found))
}

/// Finds the IPv4 address whose first dot this is: four numbers up to 255, which are no part of a longer
/// number, a name or a version, as in "Chrome/120.0.0.0" and "lib-1.2.3.4".
fn ipv4(
    place: &SearchPosition<'_, '_>,
    dot: usize,
    url: &mut UrlPosition,
) -> Result<Option<Outcome>, Incomplete> {
    let text = place.window.text;
    let start = dot - text[..dot].iter().rev().take(4).take_while(|octet| octet.is_ascii_digit()).count();
    if start < place.floor || is_version_before(&text[..start]) {
        return Ok(None);
    }
    // Four numbers of three digits, three dots and what may follow them.
    let Some(length) = dotted_quad(place.window.excerpt(start, 17)?) else { return Ok(None) };
    let host = start + length;
    let end = after_port(place, host)?;
    let end = match place.window.octet(end)? {
        b'/' | b'?' | b'#' => match Tail::new(place.window, start, end).run(end, NOTHING)? {
            Run::To(end) => trim_trailing(text, host, end, NOTHING),
            Run::Pattern(at) => return Ok(Some(Outcome::None(at))),
            Run::TooLong => return Ok(Some(Outcome::TooLong(start))),
        },
        _ => end,
    };
    if place.may_be_marked(end)?
        && let Some(found) = place.defanged(start, url)?
    {
        return Ok(Some(found));
    }
    url.set((start, end), (start, end), MatchKind::Ipv4);
    Ok(Some(Outcome::Found))
}

/// Returns the length of the four numbers that a text begins with, unless a name, a number or a version goes
/// on after them: "1.2.3.4.5", "1.2.3.4.example.com", "1.2.3.4-beta", "1.2.3.4_1".
fn dotted_quad(text: &[u8]) -> Option<usize> {
    let mut length = 0;
    for number in 0..4 {
        let rest = &text[length.min(text.len())..];
        let rest = if number == 0 { rest } else { rest.strip_prefix(b".")? };
        let digits = rest.iter().take(4).take_while(|octet| octet.is_ascii_digit()).count();
        let value = rest[..digits].iter().fold(0, |value, digit| 10 * value + u32::from(digit - b'0'));
        if !(1..=3).contains(&digits) || value > 255 {
            return None;
        }
        length += digits + usize::from(number > 0);
    }
    match text[length..] {
        [b'.', next, ..] if is_label(next) => None,
        [b'-', next, ..] if next.is_ascii_alphabetic() => None,
        [next, ..] if is_label(next) && next < 0x80 && next != b'-' || next == b'_' => None,
        _ => Some(length),
    }
}

/// Whether the text before four numbers makes them a part of a name or a version. An escape, as in
/// "\n192.0.2.1", does not.
fn is_version_before(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => false,
        [.., joint, b'-' | b'/'] => joint.is_ascii_alphabetic(),
        [.., last] => last.is_ascii_alphanumeric() || b"_.".contains(last),
        [] => false,
    }
}

/// Names of objects in source code, whose members have names that are public suffixes, too.
const OBJECTS: [&str; 3] = ["self", "this", "env"];

/// Whether a name begins with that of an object.
fn is_object(name: &str) -> bool {
    OBJECTS.iter().any(|object| name.strip_prefix(object).is_some_and(|rest| rest.starts_with('.')))
}

/// Whether the text after a name is source code: `main.rs(12)`, `a.b()`, `a.b[0]`, `a.b::c`,
/// `a.b->c`, `a.b = c`.
fn is_code(place: &SearchPosition<'_, '_>, end: usize) -> Result<bool, Incomplete> {
    Ok(match place.window.excerpt(end, LONGEST_GAP + 2)? {
        [b'(' | b'[', ..] | [b':', b':', ..] | [b'-', b'>', ..] => true,
        rest => {
            let gap = rest.iter().take_while(|octet| **octet == b' ').count();
            let operator = rest[gap..].strip_prefix(b":").or(rest[gap..].strip_prefix(b"+"));
            operator.unwrap_or(&rest[gap..]).starts_with(b"=")
        }
    })
}

/// The maximum number of spaces before the "=" of an assignment.
const LONGEST_GAP: usize = 16;

/// Whether a name begins the local part before an "@": "anna.se+lists@posteo.de",
/// "relay.org!joe@posteo.de".
fn is_local_part(place: &SearchPosition<'_, '_>, end: usize) -> Result<bool, Incomplete> {
    let rest = place.window.excerpt(end, LONGEST_LOCAL)?;
    let inside = |octet: u8| octet < 0x80 && (is_local(octet) || b"!%'=".contains(&octet));
    Ok(rest.iter().find(|octet| !inside(**octet)) == Some(&b'@'))
}

/// Whether the local part of an address may contain the octet.
fn is_local(octet: u8) -> bool {
    is_label(octet) || b"._+~".contains(&octet)
}

/// Returns the start of a guess after an escape, such as "\nwww.example.org" in source code and
/// "\fBexample.org" in a manual. A letter alone is an escape only if the rest confirms it, since it
/// may belong to a path: "\nexample.org".
fn after_escape(place: &SearchPosition<'_, '_>, start: usize, end: usize, shows: fn(&[u8]) -> bool) -> usize {
    let text = place.window.text;
    let is_letter = || b"nrt".contains(&text[start]) && shows(&text[start + 1..end]);
    let is_escaped = start < end && place.window.before(start) == b'\\';
    let letter = (is_escaped && is_letter()).then_some(1);
    let digits = name::numeric_escape(text, start);
    // "B\u00FCcher.de" is one name.
    if digits.is_some_and(|digits| !name::is_separator_escape(&text[start..start + digits])) {
        return start;
    }
    let length = digits.or(name::roff_escape(text, start)).or(letter);
    let after = start + length.unwrap_or_default();
    if start > place.floor && after < end { after } else { start }
}

/// Whether a "\" after a name begins an escape, so that the name is not part of a path:
/// "\fBexample.org\fR", "example.org\n".
fn is_escape(place: &SearchPosition<'_, '_>, end: usize) -> Result<bool, Incomplete> {
    Ok(match place.window.excerpt(end, 3)? {
        [b'\\', b'n' | b'r' | b't' | b'"' | b'\'', rest @ ..] => !rest.iter().any(u8::is_ascii_alphanumeric),
        octets => name::begins_roff(octets),
    })
}

fn is_www(label: &[u8]) -> bool {
    label.eq_ignore_ascii_case(b"www")
}

/// File extensions that are also public suffixes. In texts, programs, libraries, archives and
/// documents are more common than hosts of that name.
const ENDINGS: [&str; 16] =
    ["am", "cc", "gd", "la", "md", "mk", "ml", "mov", "pl", "pm", "ps", "py", "rs", "sh", "so", "zip"];

/// Whether a name is equally likely a file name: "main.rs", "README.md", and not
/// "www.rust-lang.rs".
fn is_file_name(name: &str) -> bool {
    let labels = name.split_once('.').filter(|(_, after)| !after.contains('.'));
    labels.is_some_and(|(_, last)| ENDINGS.iter().any(|ending| last.eq_ignore_ascii_case(ending)))
}

/// Finds the e-mail address whose "@" this is.
#[cold]
pub(super) fn email(
    place: &SearchPosition<'_, '_>,
    at: usize,
    url: &mut UrlPosition,
) -> Result<Option<Outcome>, Incomplete> {
    let text = place.window.text;
    let start = local_start(place, at);
    let start = place.window.after_control(start, at);
    let start = after_escape(place, start, at, |_| true);
    let start = start + text[start..at].iter().take_while(|octet| b".-~+".contains(octet)).count();
    let is_local_part =
        start < at && text[at - 1] != b'.' && !text[start..at].windows(2).any(|two| two == b"..");
    let before = place.window.before(start);
    if !is_local_part || matches!(before, b'/' | b'@' | b':' | b'%' | b'!' | b'$') && !is_field(place, start)
    {
        return Ok(None);
    }
    let Some(end) = domain_end(place, at + 1)? else { return Ok(None) };
    let name = core::str::from_utf8(&text[at + 1..end]).unwrap_or_default();
    // "git@example.com:project/file" is an scp location; "a@b@c" has no known meaning.
    let next = place.window.octet(end)?;
    let goes_on = next == b':' && place.window.octet(end + 1)? > b' '
        || matches!(next, b'@' | b'/')
        || next == b'\\' && !is_escape(place, end)?;
    if goes_on || !name.contains('.') || !ends_in_a_name(name) {
        return Ok(None);
    }
    if place.may_be_marked(end)?
        && let Some(found) = place.defanged(start, url)?
    {
        return Ok(Some(found));
    }
    url.set((start, end), (start, end), MatchKind::Email);
    Ok(Some(Outcome::Found))
}

/// Returns the start of the local part that ends at an "@".
fn local_start(place: &SearchPosition<'_, '_>, at: usize) -> usize {
    let mut start = back(place, at, LONGEST_LOCAL, is_local);
    while start > place.floor && is_joint(place, start - 1, at) {
        let left = LONGEST_LOCAL.saturating_sub(at - start + 1);
        let before = back(place, start - 1, left, is_local);
        if before == start - 1 {
            break;
        }
        start = before;
    }
    start
}

/// Whether an octet that usually is not part of an address joins two parts of one: the apostrophe
/// of a name, "o'brien@example.org", and the "=" before the domain of another address,
/// "list-bounces+user=example.com@example.org".
fn is_joint(place: &SearchPosition<'_, '_>, joint: usize, at: usize) -> bool {
    let text = place.window.text;
    let is_letter = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphabetic);
    match text[joint] {
        b'\'' => is_letter(joint + 1) && is_letter(joint.wrapping_sub(1)),
        b'=' => {
            let name = core::str::from_utf8(&text[joint + 1..at]).unwrap_or_default();
            name.contains('.') && place.finder.domains.is_some_and(|is_domain| is_domain(name))
        }
        _ => false,
    }
}

/// Whether the text before is a field name, as in "From:joe@example.com", and not a user, as in
/// "joe:secret@example.com".
fn is_field(place: &SearchPosition<'_, '_>, start: usize) -> bool {
    let text = &place.window.text[..start];
    let name = text.strip_suffix(b":").map(|text| &text[back_word(text)..]);
    name.is_some_and(|name| name.first().is_none_or(u8::is_ascii_uppercase))
}

/// Returns the start of the last word of a text.
fn back_word(text: &[u8]) -> usize {
    let inside = |octet: &&u8| octet.is_ascii_alphanumeric() || **octet == b'-';
    text.len() - text.iter().rev().take(LONGEST_LABEL).take_while(inside).count()
}

/// Whether a label may contain the octet; characters beyond ASCII are checked separately.
#[inline(always)]
fn is_label(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || octet == b'-' || octet >= 0x80
}

/// Returns the start of the label that ends at a dot.
fn label_start(place: &SearchPosition<'_, '_>, dot: usize) -> usize {
    let text = place.window.text;
    let least = place.floor.max(dot.saturating_sub(LONGEST_LABEL));
    let octets = text[least..dot].iter().rev();
    let start = dot - octets.take_while(|octet| octet.is_ascii_alphanumeric() || **octet == b'-').count();
    let is_ascii = start == least || text[start - 1] < 0x80;
    if is_ascii { start } else { back(place, dot, LONGEST_LABEL, is_label) }
}

/// Returns the start of the octets of a kind that end at a position, at the start of a character
/// that a name may contain.
fn back(place: &SearchPosition<'_, '_>, end: usize, limit: usize, is_kind: impl Fn(u8) -> bool) -> usize {
    let text = place.window.text;
    let least = place.floor.max(end.saturating_sub(limit));
    let octets = text[least..end].iter().rev().take_while(|octet| is_kind(**octet)).count();
    let mut start = end - octets;
    // Not within a character, and after the last character that ends the text before it.
    while start < end && text[start] & 0xC0 == 0x80 {
        start += 1;
    }
    let mut at = start;
    while at < end {
        match place.window.character(at) {
            Ok(Some((character, length))) => {
                at += length;
                // Text in scripts without spaces continues into a name.
                if !character.is_ascii()
                    && (Character::of(character) != Character::Body || is_unspaced(character))
                {
                    start = at;
                }
            }
            _ => {
                at += 1;
                start = at;
            }
        }
    }
    start
}

/// Whether the text before a name makes it a part of something else: a path, an address, a longer
/// name.
fn is_part_of_other(place: &SearchPosition<'_, '_>, start: usize) -> bool {
    let before = place.window.before(start);
    is_label(before) && before < 0x80 || b"./@\\_$%&#+~".contains(&before)
}

/// "Abbreviated URI references cannot be used in contexts where relative URIs are expected": in an
/// attribute, in `url(`, in a link or definition of Markdown, after the prefix "URL:".
fn is_where_a_reference_is(place: &SearchPosition<'_, '_>, start: usize) -> bool {
    let text = &place.window.text[..start];
    let text =
        text.strip_suffix(b"\"").or(text.strip_suffix(b"'")).or(text.strip_suffix(b"<")).unwrap_or(text);
    let tail = text[text.len().saturating_sub(8)..].trim_ascii_end();
    let ends =
        |with: &[u8]| tail.len() >= with.len() && tail[tail.len() - with.len()..].eq_ignore_ascii_case(with);
    ends(b"=") || ends(b"](") || ends(b"]:") || ends(b"url(") || ends(b"<url:")
}

/// Returns the end of a domain name that begins there; `None` if it is too long. A last dot belongs
/// to the sentence.
fn domain_end(place: &SearchPosition<'_, '_>, start: usize) -> Result<Option<usize>, Incomplete> {
    let mut at = start;
    loop {
        let octet = place.window.octet(at)?;
        at += match octet {
            b'.' => 1,
            0x80.. if end::host_goes_on(place.window, place.finder.domains, start, at)? => break,
            0x80.. => match place.window.character(at)? {
                Some((character, length)) if Character::of(character) == Character::Body => length,
                _ => break,
            },
            _ if is_label(octet) => 1,
            _ => break,
        };
        if at - start > LONGEST_DOMAIN {
            return Ok(None);
        }
    }
    let name = &place.window.text[start..at];
    let end = at - name.iter().rev().take_while(|octet| b".-".contains(octet)).count();
    let labels = || place.window.text[start..end].split(|octet| *octet == b'.');
    let is_label = |label: &[u8]| {
        !label.is_empty()
            && label.len() <= LONGEST_LABEL
            && label[0] != b'-'
            && label[label.len() - 1] != b'-'
    };
    Ok((end > start && labels().all(is_label)).then_some(end))
}

/// Whether the last label is not a number: "3.14" is not a name, and "10.0.0.1" is a host but not a
/// name.
fn ends_in_a_name(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    last.chars().count() > 1 && !last.starts_with(|first: char| first.is_ascii_digit())
}

/// Returns the offset after ":" and digits, if a port follows.
fn after_port(place: &SearchPosition<'_, '_>, end: usize) -> Result<usize, Incomplete> {
    if place.window.octet(end)? != b':' {
        return Ok(end);
    }
    let digits = place.window.excerpt(end + 1, 6)?.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let follows = place.window.octet(end + 1 + digits)?;
    Ok(if (1..=5).contains(&digits) && !is_label(follows) && follows != b':' {
        end + 1 + digits
    } else {
        end
    })
}
