//! The notation of defanged URLs, which are written so that nobody opens them by mistake, as reports about
//! malicious sites do: `hxxp://evil[.]example/`, `http[:]//evil(dot)example`, `user[at]evil[.]example`.
//! Takes a text and returns the URL that it means.
//!
//! No standard describes this notation. The table of marks has what the published programs for
//! indicators of compromise write and read.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

use crate::scheme;

/// What brackets contain, in lower case, and what it means.
const MARKS: [(&str, &str); 24] = [
    ("://", "://"),
    (":/", ":/"),
    ("//", "//"),
    (":", ":"),
    ("/", "/"),
    (".", "."),
    (",", "."),
    ("dot", "."),
    ("d0t", "."),
    ("punkt", "."),
    ("point", "."),
    ("punto", "."),
    ("@", "@"),
    ("at", "@"),
    ("ät", "@"),
    ("arroba", "@"),
    ("colon", ":"),
    ("slash", "/"),
    ("-", "-"),
    ("?", "?"),
    // A bracket that begins no mark: "[(]dot)" is "(dot)".
    ("(", "("),
    ("[", "["),
    ("{", "{"),
    ("<", "<"),
];

/// The maximum number of octets of a scheme, its separator and an authority with their marks.
pub(super) const LONGEST: usize = 1024;

/// The maximum number of octets of a scheme's name with the brackets in it.
pub(super) const LONGEST_NAME: usize = 24;

/// Returns the URL that a defanged text means; any other text as it is.
///
/// The whole text must be one URL, host, IP address or e-mail address. In its scheme and authority
/// these are undone: `hxxp`, `fxp`, `meow` and similar names of schemes; a mark in square, round,
/// curly or angle brackets, with or without spaces around it, for `.` (also as "dot"), `@` ("at"),
/// `:`, `/` and `://`; half a bracket (`[.`); `\.`; `__` for `://`. In the rest, only marks in
/// brackets are undone, and only if the scheme or the authority is defanged, too.
///
/// ```
/// use locator::text::refang;
///
/// assert_eq!(refang("hxxps://evil[.]example/a"), "https://evil.example/a");
/// assert_eq!(refang("http[:]//evil [dot] example"), "http://evil.example");
/// assert_eq!(refang("192.0.2[.]1"), "192.0.2.1");
/// assert_eq!(refang("joe[at]evil[.]example"), "joe@evil.example");
/// assert_eq!(refang("http://h/?a[.]=(.)"), "http://h/?a[.]=(.)");
/// ```
///
/// # Pitfalls
///
/// What it returns can be opened. A text that is not defanged, such as `n/a`, is returned as it is,
/// and need not be a URL.
#[must_use]
pub fn refang(text: &str) -> Cow<'_, str> {
    refang_if(text, true)
}

fn refang_if(text: &str, is_said: bool) -> Cow<'_, str> {
    let inner = text.trim();
    let Some(start) = Start::read(inner, is_said).filter(Start::is_defanged) else {
        return Cow::Borrowed(text);
    };
    let rest = &inner[start.end..];
    let is_whole =
        matches!(rest, "" | ".") || rest.starts_with(['/', '?', '#', '\\']) || starts_with_slash(rest);
    if !is_whole || start.is_email() && !rest.is_empty() && !start.has_scheme {
        return Cow::Borrowed(text);
    }
    let mut url = start.url;
    push_rest(rest, &mut url);
    Cow::Owned(url)
}

/// What a text without a scheme is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    Host,
    Email,
}

/// Returns what a defanged text is that has no scheme.
pub(super) fn bare(text: &str) -> Option<Bare> {
    let start = Start::read(text, true).filter(|start| !start.has_scheme)?;
    Some(if start.is_email() { Bare::Email } else { Bare::Host })
}

/// Whether a text is a defanged URL, host or address as a whole.
pub(super) fn is_defanged(text: &str, is_said: bool) -> bool {
    matches!(refang_if(text, is_said), Cow::Owned(_))
}

/// Appends the path, query and fragment of a defanged URL, with their marks undone.
fn push_rest(rest: &str, url: &mut String) {
    let mut rest = rest;
    while let Some(next) = rest.find(['[', '(', '{', '<']) {
        let (before, from) = rest.split_at(next);
        url.push_str(before);
        match Mark::tight(from) {
            Some(mark) => {
                url.push_str(mark.means);
                rest = &from[mark.length..];
            }
            None => {
                url.push_str(&from[..1]);
                rest = &from[1..];
            }
        }
    }
    url.push_str(rest);
}

/// A mark that stands for a delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) length: usize,
    pub(super) means: &'static str,
}

impl Mark {
    /// Reads a mark in brackets, with spaces around it.
    fn read(text: &str) -> Option<Self> {
        let open = spaces(text);
        let mark = Self::tight(&text[open..])?;
        let length = open + mark.length;
        // "evil[.] com", "a [at] b": spaces after it belong to it if a name goes on there.
        let after = spaces(&text[length..]);
        let is_joint = matches!(mark.means, "." | "@" | "-") && begins_label(&text[length + after..]);
        Some(Self { length: if is_joint { length + after } else { length }, ..mark })
    }

    /// Reads a mark in brackets.
    pub(super) fn tight(text: &str) -> Option<Self> {
        let open = text.chars().next()?;
        let close = match open {
            '[' => ']',
            '(' => ')',
            '{' => '}',
            '<' => '>',
            _ => return None,
        };
        let count = if text[1..].starts_with(open) { 2 } else { 1 };
        let inner = count + spaces(&text[count..]);
        let fits = |word: &str| {
            let found = text.get(inner..inner + word.len())?;
            let is_word = found.eq_ignore_ascii_case(word) || word == "ät" && found.to_lowercase() == "ät";
            let end = inner + word.len();
            let end = end + spaces(text.get(end..)?);
            let closed = text.get(end..end + count)?;
            (is_word && closed.chars().all(|character| character == close)).then_some(end + count)
        };
        MARKS.iter().find_map(|(word, means)| Some(Self { length: fits(word)?, means }))
    }
}

/// Returns the number of spaces and tabs that a text begins with, at most two.
fn spaces(text: &str) -> usize {
    text.bytes().take(2).take_while(|octet| matches!(octet, b' ' | b'\t')).count()
}

/// Whether a text begins with a letter or digit of a label.
pub(super) fn begins_label(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphanumeric() || first == '_')
}

/// Whether a text begins with a mark for a delimiter after an authority.
fn starts_with_slash(text: &str) -> bool {
    Mark::tight(text).is_some_and(|mark| mark.means.starts_with(['/', '?']))
}

/// The scheme and the authority of a text that may be defanged.
pub(super) struct Start {
    /// Both as they are meant.
    url: String,
    /// Where the authority ends in the text.
    pub(super) end: usize,
    pub(super) has_scheme: bool,
    /// Where the authority begins in `url`.
    authority: usize,
    /// Whether the name of the scheme or its separator is defanged.
    is_scheme_defanged: bool,
    has_mark: bool,
}

impl Start {
    /// Reads the start of a text. `is_said` is true if the caller says that it may be defanged: then
    /// `\.` is a mark, which elsewhere is a regular expression.
    pub(super) fn read(text: &str, is_said: bool) -> Option<Self> {
        let mut start = Self {
            url: String::new(),
            end: 0,
            has_scheme: false,
            authority: 0,
            is_scheme_defanged: false,
            has_mark: false,
        };
        if let Some(WrittenScheme { name, end, is_defanged }) = scheme(text) {
            start.url.push_str(&name);
            start.url.push_str(if scheme::names_mailbox(&name) { ":" } else { "://" });
            (start.end, start.has_scheme, start.is_scheme_defanged) = (end, true, is_defanged);
            start.authority = start.url.len();
        }
        start.read_authority(text, is_said);
        (start.url.len() > start.authority).then_some(start)
    }

    fn read_authority(&mut self, text: &str, is_said: bool) {
        let loose = is_said || self.is_scheme_defanged;
        let mut has_spaced = None;
        while self.end < LONGEST.min(text.len()) {
            let rest = &text[self.end..];
            let Some(first) = rest.chars().next() else { break };
            if first == '[' && self.url.len() == self.authority {
                let Some(length) = literal(rest) else { break };
                self.push(&rest[..length], length);
                continue;
            }
            let mark = match first {
                '[' | '(' | '{' | '<' => Mark::read(rest).or_else(|| half(rest, loose || self.has_mark)),
                ' ' | '\t' => Mark::read(rest).or_else(|| self.spaced(rest, &mut has_spaced)),
                '\\' if loose && rest.starts_with("\\.") => Some(Mark { length: 2, means: "." }),
                '.' => half_closed(rest, loose || self.has_mark),
                _ => None,
            };
            match mark {
                Some(mark) if matches!(mark.means, "." | "@" | ":" | "-") => {
                    if self.url.len() == self.authority || !begins_label(&rest[mark.length..]) {
                        break;
                    }
                    self.has_mark = true;
                    has_spaced.get_or_insert(false);
                    self.push(mark.means, mark.length);
                }
                Some(_) => break,
                None if first == '.' && has_spaced.is_none() => {
                    has_spaced = Some(false);
                    self.push(".", 1);
                }
                None if first.is_alphanumeric() || "-_.~%:@+!$&'*=".contains(first) => {
                    let length = first.len_utf8();
                    self.push(&rest[..length], length);
                }
                None => break,
            }
        }
        // "hxxp://evil[.]example:" in a sentence.
        let ends_sentence = |last: char| ".:'*!&=~+".contains(last);
        let goes_on = text[self.end..].starts_with(['/', '?', '#']);
        while !goes_on && self.url.len() > self.authority && self.url.ends_with(ends_sentence) {
            self.url.pop();
            self.end -= 1;
        }
    }

    fn push(&mut self, meant: &str, length: usize) {
        self.url.push_str(meant);
        self.end += length;
    }

    /// Reads a dot with spaces, or a word for one, between two labels: `evil dot example`,
    /// `evil .example`. All dots of the host must be written so, because a sentence may follow a URL.
    fn spaced(&self, rest: &str, has_spaced: &mut Option<bool>) -> Option<Mark> {
        let host = &self.url[self.authority..];
        if !self.has_scheme || *has_spaced == Some(false) || host.eq_ignore_ascii_case("localhost") {
            return None;
        }
        let length = [" dot ", " ."].iter().find_map(|mark| {
            let found = rest.get(..mark.len())?;
            found.eq_ignore_ascii_case(mark).then_some(mark.len())
        })?;
        let label = &rest[length..];
        let label = &label[..label.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(label.len())];
        let is_label = label.len() > 1 && label.bytes().all(|octet| octet.is_ascii_lowercase());
        *has_spaced = Some(true);
        is_label.then_some(Mark { length, means: "." })
    }

    pub(super) fn is_defanged(&self) -> bool {
        (self.has_mark || self.is_scheme_defanged) && (self.has_scheme || self.is_plausible())
    }

    /// The host, without a userinfo and a port.
    fn host(&self) -> &str {
        let authority = &self.url[self.authority..];
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        host.split_once(':').map_or(host, |(host, _)| host)
    }

    pub(super) fn is_email(&self) -> bool {
        self.url[self.authority..].contains('@')
    }

    /// Whether a text without a scheme is a domain name or an IPv4 address, or an e-mail address.
    pub(super) fn is_plausible(&self) -> bool {
        if self.has_scheme {
            return true;
        }
        let (mut labels, mut numbers) = (0, 0);
        for label in self.host().split('.') {
            if label.is_empty() || !label.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')) {
                return false;
            }
            labels += 1;
            numbers += usize::from(label.len() < 4 && label.bytes().all(|octet| octet.is_ascii_digit()));
        }
        let last = self.host().rsplit('.').next().unwrap_or_default();
        let is_name = last.chars().count() > 1 && last.starts_with(char::is_alphabetic);
        labels > 1 && (is_name || labels == 4 && numbers == 4)
    }
}

/// Reads half a bracket: `evil[.example`. It has nothing that closes it.
pub(super) fn half(rest: &str, is_defanged: bool) -> Option<Mark> {
    let is_certain = rest.starts_with("[.") || rest.starts_with("{.");
    (is_certain || is_defanged && rest.starts_with("(."))
        .then_some(Mark { length: 2, means: "." })
        .filter(|mark| begins_label(&rest[mark.length..]))
}

/// Reads the other half: `evil.]example`.
pub(super) fn half_closed(rest: &str, is_defanged: bool) -> Option<Mark> {
    let is_certain = rest.starts_with(".]");
    (is_certain || is_defanged && (rest.starts_with(".)") || rest.starts_with(".}")))
        .then_some(Mark { length: 2, means: "." })
        .filter(|mark| begins_label(&rest[mark.length..]))
}

/// Returns the length of an IP literal in square brackets.
fn literal(rest: &str) -> Option<usize> {
    let inside = |octet: &u8| octet.is_ascii_hexdigit() || b":.%".contains(octet);
    let length = rest.bytes().skip(1).take(80).take_while(inside).count();
    (rest[1..1 + length].contains(':') && rest.as_bytes().get(1 + length) == Some(&b']'))
        .then_some(length + 2)
}

/// The scheme of a text, and what divides it from the authority.
pub(super) struct WrittenScheme {
    /// The name that is meant.
    name: String,
    /// The end of the divider.
    pub(super) end: usize,
    /// Whether the name or the divider is defanged.
    pub(super) is_defanged: bool,
}

/// Reads the scheme of a text and what divides it from the authority.
pub(super) fn scheme(text: &str) -> Option<WrittenScheme> {
    let (written, length) = name(text)?;
    let lower = written.to_ascii_lowercase();
    let meant = scheme::refanged(&lower);
    let (divider, is_marked) = divider(&text[length..], scheme::names_mailbox(&lower))?;
    let is_bracketed = written.len() < length;
    // "evil[.]example[:]//" would be an odd name of a scheme.
    let is_known = meant.is_some() || scheme::lookup(&lower).is_some() || scheme::status(&lower).is_some();
    if (is_marked || is_bracketed) && !is_known {
        return None;
    }
    let name = meant.map_or_else(|| written.clone(), ToOwned::to_owned);
    let is_defanged = meant.is_some() || is_marked || is_bracketed;
    Some(WrittenScheme { name, end: length + divider, is_defanged })
}

/// Returns the name of a scheme without the brackets that it contains, and its length with them:
/// `h[tt]p`. A bracket that is not closed within it, or that is a mark, is no part of it.
fn name(text: &str) -> Option<(String, usize)> {
    let (mut name, mut open, mut at) = (String::new(), None, 0);
    for (offset, character) in text.char_indices().take(LONGEST_NAME) {
        let is_mark = || Mark::tight(&text[offset..]).is_some_and(|mark| mark.means.starts_with(':'));
        match character {
            '[' | '(' if open.is_none() && !is_mark() => open = Some(character),
            ']' if open == Some('[') => open = None,
            ')' if open == Some('(') => open = None,
            // "__" is a divider, "h__p" a name.
            '_' if offset != 1 && offset != 2 => break,
            '+' | '-' | '.' | '*' | '#' | '_' => name.push(character),
            _ if character.is_ascii_alphanumeric() => name.push(character),
            _ => break,
        }
        at = offset + 1;
    }
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.len() > 1;
    let is_plain = name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet));
    let is_known = is_plain || scheme::refanged(&name.to_ascii_lowercase()).is_some();
    (is_name && open.is_none() && is_known).then_some((name, at))
}

/// Returns the length of what divides a scheme and an authority, `://` with or without marks, and
/// whether it has one.
fn divider(text: &str, is_opaque: bool) -> Option<(usize, bool)> {
    if is_opaque {
        let mark = Mark::tight(text).filter(|mark| mark.means == ":").map(|mark| (mark.length, true));
        return mark.or_else(|| text.starts_with(':').then_some((1, false)));
    }
    // Backslashes alone are a slip, which browsers read as slashes.
    for (written, is_marked) in [("__", true), (":\\\\", false)] {
        if text.starts_with(written) {
            return Some((written.len(), is_marked));
        }
    }
    let (mut at, mut wanted, mut is_marked) = (0, "://", false);
    while !wanted.is_empty() {
        let rest = &text[at..];
        let space = if is_marked { spaces(rest) } else { 0 };
        if let Some(mark) = Mark::tight(&rest[space..])
            && let Some(left) = wanted.strip_prefix(mark.means)
        {
            (at, wanted, is_marked) = (at + space + mark.length, left, true);
        } else if rest.starts_with(&wanted[..1]) {
            (at, wanted) = (at + 1, &wanted[1..]);
        } else {
            return None;
        }
    }
    // "http:// evil.example" is defanged by a space.
    let space = spaces(&text[at..]);
    let is_spaced = space == 1 && begins_label(&text[at + 1..]);
    Some((at + usize::from(is_spaced && is_marked), is_marked))
}

/// Whether an octet may open a mark.
pub(super) const fn opens(octet: u8) -> bool {
    matches!(octet, b'[' | b'(' | b'{' | b'<')
}

/// Returns the valid text that octets begin with.
pub(super) fn prefix(octets: &[u8]) -> &str {
    core::str::from_utf8(octets)
        .unwrap_or_else(|error| core::str::from_utf8(&octets[..error.valid_up_to()]).unwrap_or_default())
}
