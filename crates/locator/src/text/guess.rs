//! Finds guesses. Takes the offset of a "." or "@" and returns a match if the text around it looks
//! like a host name or an e-mail address. Follows appendix F of the draft of 2003: "a reference
//! consisting of only the authority and path portions of the identified resource", which "cannot be
//! used in contexts where relative URIs are expected".

use super::character::{Character, is_unspaced};
use super::end::{Run, Tail, trim_trailing};
use super::found::Found;
use super::matched::MatchKind;
use super::place::{Outcome, Place};
use super::window::{Incomplete, NOTHING};
use super::{notation, script};

/// The maximum length of a domain name (RFC 1035, 2.3.4), and one octet for its last dot.
const LONGEST_DOMAIN: usize = 254;

/// The maximum length of a label (the same), and of the local part of an address (RFC 5321,
/// 4.5.3.1.1).
const LONGEST_LABEL: usize = 63;
const LONGEST_LOCAL: usize = 64;

/// Finds the domain whose first dot this is.
#[inline(always)]
pub(super) fn domain(
    place: &Place<'_, '_>,
    dot: usize,
    url: &mut Found,
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
fn domain_at(place: &Place<'_, '_>, dot: usize, url: &mut Found) -> Result<Option<Outcome>, Incomplete> {
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

/// Names of objects in source code, whose members have names that are public suffixes, too.
const OBJECTS: [&str; 3] = ["self", "this", "env"];

/// Whether a name begins with that of an object.
fn is_object(name: &str) -> bool {
    OBJECTS.iter().any(|object| name.strip_prefix(object).is_some_and(|rest| rest.starts_with('.')))
}

/// Whether the text after a name is source code: `main.rs(12)`, `a.b()`, `a.b[0]`, `a.b::c`,
/// `a.b->c`, `a.b = c`.
fn is_code(place: &Place<'_, '_>, end: usize) -> Result<bool, Incomplete> {
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
fn is_local_part(place: &Place<'_, '_>, end: usize) -> Result<bool, Incomplete> {
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
fn after_escape(place: &Place<'_, '_>, start: usize, end: usize, shows: fn(&[u8]) -> bool) -> usize {
    let text = place.window.text;
    let is_letter = || b"nrt".contains(&text[start]) && shows(&text[start + 1..end]);
    let is_escaped = start < end && place.window.before(start) == b'\\';
    let letter = (is_escaped && is_letter()).then_some(1);
    let digits = notation::digits(text, start);
    // "B\u00FCcher.de" is one name.
    if digits.is_some_and(|digits| !notation::is_apart(&text[start..start + digits])) {
        return start;
    }
    let length = digits.or(notation::roff(text, start)).or(letter);
    let after = start + length.unwrap_or_default();
    if start > place.floor && after < end { after } else { start }
}

/// Whether a "\" after a name begins an escape, so that the name is not part of a path:
/// "\fBexample.org\fR", "example.org\n".
fn is_escape(place: &Place<'_, '_>, end: usize) -> Result<bool, Incomplete> {
    Ok(match place.window.excerpt(end, 3)? {
        [b'\\', b'n' | b'r' | b't' | b'"' | b'\'', rest @ ..] => !rest.iter().any(u8::is_ascii_alphanumeric),
        octets => notation::begins_roff(octets),
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
    place: &Place<'_, '_>,
    at: usize,
    url: &mut Found,
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
fn local_start(place: &Place<'_, '_>, at: usize) -> usize {
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
fn is_joint(place: &Place<'_, '_>, joint: usize, at: usize) -> bool {
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
fn is_field(place: &Place<'_, '_>, start: usize) -> bool {
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
fn label_start(place: &Place<'_, '_>, dot: usize) -> usize {
    let text = place.window.text;
    let least = place.floor.max(dot.saturating_sub(LONGEST_LABEL));
    let octets = text[least..dot].iter().rev();
    let start = dot - octets.take_while(|octet| octet.is_ascii_alphanumeric() || **octet == b'-').count();
    let is_ascii = start == least || text[start - 1] < 0x80;
    if is_ascii { start } else { back(place, dot, LONGEST_LABEL, is_label) }
}

/// Returns the start of the octets of a kind that end at a position, at the start of a character
/// that a name may contain.
fn back(place: &Place<'_, '_>, end: usize, limit: usize, is_kind: impl Fn(u8) -> bool) -> usize {
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
fn is_part_of_other(place: &Place<'_, '_>, start: usize) -> bool {
    let before = place.window.before(start);
    is_label(before) && before < 0x80 || b"./@\\_$%&#+~".contains(&before)
}

/// "Abbreviated URI references cannot be used in contexts where relative URIs are expected": in an
/// attribute, in `url(`, in a link or definition of Markdown, after the prefix "URL:".
fn is_where_a_reference_is(place: &Place<'_, '_>, start: usize) -> bool {
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
fn domain_end(place: &Place<'_, '_>, start: usize) -> Result<Option<usize>, Incomplete> {
    let mut at = start;
    loop {
        let octet = place.window.octet(at)?;
        at += match octet {
            b'.' => 1,
            0x80.. if script::goes_on(place.window, place.finder.domains, start, at)? => break,
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
fn after_port(place: &Place<'_, '_>, end: usize) -> Result<usize, Incomplete> {
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
