//! YAML. Finds the scalars of one line and leaves everything else as running text. Follows YAML 1.2.2,
//! chapters 7 and 8, as far as the end of such a scalar needs it.
//!
//! A scalar that begins with a scheme and "//" is read as a whole: in quotes, and without quotes after
//! "- " or "key: ", or in brackets. Comments and block scalars are running text.

use std::ops::Range;

use locator::text::Finder;
use memchr::{memchr, memmem};

use crate::formats::values::{Begins, Values, is_simple, quoted_length, unescaped};
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// YAML documents.
pub(crate) static YAML: FormatSpec = FormatSpec {
    name: "yaml",
    extensions: &["yaml", "yml"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "application" | "text") && matches!(subtype, "yaml" | "x-yaml")
            || subtype.ends_with("+yaml")
    },
    begins: None,
    find: |query, input| stream::find(query, input, Yaml::new(&query.options.text)),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Yaml::new(&query.options.text), text, emitter),
};

/// The decoder of YAML.
#[derive(Debug)]
struct Yaml<'f> {
    values: Values<'f>,
    /// The least indentation of the lines of a block scalar, in such a scalar.
    block: Option<usize>,
    /// Whether the line before ends with ":" or "-", so that its value is in the next one.
    is_value_next: bool,
}

impl<'f> Yaml<'f> {
    fn new(finder: &'f Finder) -> Self {
        Self { values: Values::new(finder), block: None, is_value_next: false }
    }

    /// Returns whether a line is part of a block scalar, and ends the scalar before other lines.
    fn is_in_block(&mut self, line: &[u8]) -> bool {
        let Some(least) = self.block else { return false };
        let is_marker = line.starts_with(b"---") || line.starts_with(b"...");
        if !line.trim_ascii().is_empty() && (indentation(line) < least || is_marker) {
            self.block = None;
        }
        self.block.is_some()
    }

    /// Prepares for the next line.
    fn end_line(&mut self, line: &[u8]) {
        let line = without_comment(line).trim_ascii_end();
        if !line.is_empty() {
            self.is_value_next = line.ends_with(b":") || line.ends_with(b" -") || line == b"-";
            self.block = block_in(line);
        }
    }
}

impl Decoder for Yaml<'_> {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let (mut done, mut kept) = (0, 0);
        let mut leads = [memmem::Finder::new("://"), memmem::Finder::new("data:")].map(|lead| {
            let next = lead.find(octets).unwrap_or(octets.len());
            (lead, next)
        });
        while done < octets.len() {
            let rest = &octets[done..];
            let length = match logical_length(rest) {
                Some(length) => length,
                None if is_all => rest.len(),
                None => break,
            };
            let line = &rest[..length];
            for (lead, next) in &mut leads {
                if *next < done {
                    *next = lead.find(rest).map_or(octets.len(), |length| done + length);
                }
            }
            if !self.is_in_block(line) {
                if leads.iter().any(|(_, next)| *next < done + length) {
                    text.keep(&octets[kept..done], at + kept);
                    scalars(&self.values, line, (at + done, self.is_value_next), text);
                    kept = done + length;
                }
                self.end_line(line);
            }
            done += length;
        }
        text.keep(&octets[kept..done], at + kept);
        done
    }
}

/// Adds a line, with the URLs that its scalars are as a whole.
fn scalars(values: &Values<'_>, line: &[u8], (at, is_value): (usize, bool), text: &mut Text) {
    let mut schemes = values.schemes(line, false);
    let mut kept = 0;
    let (delimiter, comment) = (Ahead::default(), Ahead::default());
    let mut scan = Scan { line, at: 0, depth: 0, may_begin: true, is_value, delimiter, comment };
    while let Some(scalar) = scan.next() {
        let content = &line[scalar.content.clone()];
        let hidden = match scalar.quote {
            b'\'' => memmem::find(content, b"\'\'").is_some(),
            b'"' => content.contains(&b'\n'),
            _ => false,
        };
        if schemes.begin_at(scalar.content.start, true) != Begins::Yes {
            if hidden {
                text.keep(&line[kept..scalar.content.start], at + kept);
                running(content, scalar.quote, at + scalar.content.start, text);
                kept = scalar.content.end;
            }
            continue;
        }
        let Ok(value) = str::from_utf8(content) else { continue };
        if is_simple(content) && !hidden {
            continue;
        }
        let decoded = match scalar.quote {
            b'"' if hidden => unescaped(&without_line_ends(value)),
            b'"' => unescaped(value),
            b'\'' => value.replace("''", "'"),
            _ => value.to_owned(),
        };
        text.keep(&line[kept..scalar.content.start], at + kept);
        kept = scalar.content.start;
        if values.emit(&decoded, at + kept..at + scalar.content.end, text) {
            kept = scalar.content.end;
        }
    }
    text.keep(&line[kept..], at + kept);
}

/// Returns the length of a line with those after it in which a scalar in double quotes goes on: "the line
/// break is escaped" by a "\" (7.3.1).
fn logical_length(octets: &[u8]) -> Option<usize> {
    let mut start = 0;
    loop {
        let end = start + memchr(b'\n', &octets[start..])?;
        let line = octets[start..end].strip_suffix(b"\r").unwrap_or(&octets[start..end]);
        let escapes = line.iter().rev().take_while(|octet| **octet == b'\\').count();
        if escapes % 2 == 0 || start == 0 && !line.contains(&b'"') {
            return Some(end + 1);
        }
        start = end + 1;
    }
}

/// Returns the length of an escaped line end with the blanks after it, at a "\".
fn line_end_at(rest: &[u8]) -> Option<usize> {
    let end = match rest {
        [_, b'\n', ..] => 2,
        [_, b'\r', b'\n', ..] => 3,
        _ => return None,
    };
    Some(end + rest[end..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count())
}

/// Removes the escaped line ends of a scalar in double quotes.
fn without_line_ends(value: &str) -> String {
    let (mut joined, mut rest) = (String::with_capacity(value.len()), value);
    while let Some(at) = rest.find('\\') {
        let length = line_end_at(&rest.as_bytes()[at..]);
        // Another escape is kept with the character after the "\".
        let kept = rest[at..].chars().take(2).map(char::len_utf8).sum::<usize>();
        joined.push_str(&rest[..if length.is_some() { at } else { at + kept }]);
        rest = &rest[at + length.unwrap_or(kept)..];
    }
    joined + rest
}

/// Adds a scalar that is running text, without its doubled quotes and escaped line ends.
fn running(content: &[u8], quote: u8, at: usize, text: &mut Text) {
    let sign = if quote == b'"' { b'\\' } else { quote };
    let mut done = 0;
    while let Some(length) = memchr(sign, &content[done..]) {
        text.keep(&content[done..done + length], at + done);
        done += length;
        match line_end_at(&content[done..]) {
            Some(length) if sign == b'\\' => done += length,
            _ => {
                let length = 2.min(content.len() - done);
                match sign {
                    b'\\' => text.keep(&content[done..done + length], at + done),
                    _ => text.put(&[sign], at + done, length),
                }
                done += length;
            }
        }
    }
    text.keep(&content[done..], at + done);
}

/// A scalar of one line.
struct Scalar {
    content: Range<usize>,
    /// Its quote; 0 without quotes.
    quote: u8,
}

/// The scalars of a line.
struct Scan<'l> {
    line: &'l [u8],
    at: usize,
    /// The number of open brackets, in which plain scalars end at a comma.
    depth: usize,
    /// Whether a scalar may begin here.
    may_begin: bool,
    /// Whether a plain scalar here is a value, not the continuation of another one.
    is_value: bool,
    /// The next octet that may end a plain scalar in brackets, and the next comment.
    delimiter: Ahead,
    comment: Ahead,
}

impl Scan<'_> {
    /// Returns the next scalar whose end is certain.
    fn next(&mut self) -> Option<Scalar> {
        while let Some(octet) = self.line.get(self.at).copied() {
            let (at, before) = (self.at, self.at.checked_sub(1).map_or(b' ', |before| self.line[before]));
            let is_before_blank = self.line.get(at + 1).is_none_or(u8::is_ascii_whitespace);
            self.at += 1;
            match octet {
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b'#' if before.is_ascii_whitespace() => self.at = self.line.len(),
                b'-' | b'?' if self.may_begin && is_before_blank => self.is_value = true,
                b'!' | b'&' if self.may_begin => {
                    let word = self.line[at..].iter().take_while(|octet| !octet.is_ascii_whitespace());
                    self.at = at + word.count();
                }
                b'"' | b'\'' if self.may_begin => {
                    self.may_begin = false;
                    if let Some(scalar) = self.quoted(at, octet) {
                        return Some(scalar);
                    }
                }
                b'[' | b'{' if self.may_begin => self.depth += 1,
                b']' | b'}' if self.depth > 0 => self.depth -= 1,
                b',' if self.depth > 0 => self.may_begin = true,
                b':' if is_before_blank => (self.may_begin, self.is_value) = (true, true),
                _ if !self.may_begin => {}
                _ if self.depth == 0 && self.is_value => {
                    // A plain scalar may be a key.
                    self.may_begin = false;
                    return Some(self.plain(at));
                }
                _ => {
                    self.may_begin = false;
                    if self.depth > 0
                        && let Some(scalar) = self.plain_in_brackets(at)
                    {
                        return Some(scalar);
                    }
                }
            }
        }
        None
    }

    /// A scalar in quotes, after which no text follows.
    fn quoted(&mut self, at: usize, quote: u8) -> Option<Scalar> {
        let start = at + 1;
        let mut end = start;
        loop {
            end += quoted_length(&self.line[end..], quote, quote == b'"', true)??;
            // A quote is doubled in single quotes.
            match quote == b'\'' && self.line.get(end + 1) == Some(&quote) {
                true => end += 2,
                false => break,
            }
        }
        self.at = end + 1;
        let next = self.line.get(self.at);
        let is_end = next.is_none_or(|next| next.is_ascii_whitespace() || b",]}:".contains(next));
        is_end.then_some(Scalar { content: start..end, quote })
    }

    /// A plain scalar: "a ': ' and ' #' cannot occur in it" (7.3.3).
    fn plain(&mut self, start: usize) -> Scalar {
        let end = self.line.len();
        self.plain_before(start, end)
    }

    /// A plain scalar in brackets, if a comma or a closing bracket ends it in this line.
    fn plain_in_brackets(&mut self, start: usize) -> Option<Scalar> {
        let find = |line: &[u8]| line.iter().position(|octet| b",[]{}".contains(octet));
        let end = self.delimiter.at_or_after(self.line, start, find);
        self.line.get(end).is_some_and(|octet| b",]}".contains(octet)).then(|| self.plain_before(start, end))
    }

    fn plain_before(&mut self, start: usize, end: usize) -> Scalar {
        let comment = self.comment.at_or_after(self.line, start, |line| memmem::find(line, b" #"));
        let rest = match &self.line[start..end.min(comment)] {
            [b'#', ..] => &[],
            rest => rest,
        };
        let length = memmem::find(rest, b": ").unwrap_or(rest.len());
        Scalar { content: start..start + rest[..length].trim_ascii_end().len(), quote: 0 }
    }
}

/// The next place of something in a line. It is not looked for again before that place, so all
/// searches of a line take linear time.
#[derive(Default)]
struct Ahead(Option<usize>);

impl Ahead {
    /// Returns the first place from an offset on, or the length of the line.
    fn at_or_after(&mut self, line: &[u8], from: usize, find: impl Fn(&[u8]) -> Option<usize>) -> usize {
        match self.0 {
            Some(place) if place >= from => place,
            _ => *self.0.insert(find(&line[from..]).map_or(line.len(), |length| from + length)),
        }
    }
}

/// Returns the line up to a comment. Quotes are not read: what is in them may be cut.
fn without_comment(line: &[u8]) -> &[u8] {
    match memmem::find(line, b" #") {
        _ if line.trim_ascii_start().starts_with(b"#") => &[],
        Some(end) => &line[..end],
        None => line,
    }
}

fn indentation(line: &[u8]) -> usize {
    line.iter().take_while(|octet| **octet == b' ').count()
}

/// Returns the least indentation of a block scalar whose header ends the line: "key: |", "- >-".
fn block_in(line: &[u8]) -> Option<usize> {
    let marks = line.iter().rev().take(2).take_while(|octet| b"+-123456789".contains(octet)).count();
    let before =
        line[..line.len() - marks].strip_suffix(b"|").or(line[..line.len() - marks].strip_suffix(b">"))?;
    let lead = before.trim_ascii_end();
    let word = lead.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    let begins = lead.len() < before.len() && lead.ends_with(b":")
        || lead.len() < before.len() && matches!(lead[word..].first(), Some(b'-' | b'!' | b'&'))
        || lead.is_empty();
    if !begins {
        return None;
    }
    // "--- |"
    if line.starts_with(b"---") {
        return Some(0);
    }
    let mut parent = indentation(line);
    while let Some(rest) = line[parent..].strip_prefix(b"- ") {
        let next = parent + 2 + indentation(rest);
        if !line[next..].contains(&b':') && !line[next..].starts_with(b"- ") {
            break;
        }
        parent = next;
    }
    Some(parent + 1)
}
