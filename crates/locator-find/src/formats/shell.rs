//! Scripts of a shell. Removes the quotes and escapes of words, and ends a URL where its word ends.
//! Follows POSIX.1-2024, XCU 2.2 "Quoting" and 2.3 "Token Recognition".
//!
//! Comments and here-documents are running text. Nothing is expanded.

use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// Scripts of a shell.
pub(crate) static SHELL: FormatSpec = FormatSpec {
    name: "shell",
    extensions: &["sh", "bash", "zsh", "ksh", "dash"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application") && matches!(subtype, "x-sh" | "x-shellscript" | "x-bash")
    },
    begins: Some(|head| is_script(head.start())),
    find: |query, input| stream::find(query, input, Shell::default()),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Shell::default(), text, emitter),
};

/// Recognises the first line of a script: `#!/bin/sh`, `#!/usr/bin/env bash`.
fn is_script(text: &[u8]) -> bool {
    const SHELLS: [&[u8]; 6] = [b"sh", b"bash", b"dash", b"ksh", b"zsh", b"ash"];
    let first = text.split(|octet| *octet == b'\n').next().unwrap_or_default();
    let Some(line) = first.strip_prefix(b"#!") else { return false };
    let is_separator = |octet: &u8| *octet == b'/' || octet.is_ascii_whitespace();
    line.split(is_separator).any(|word| SHELLS.contains(&word))
}

/// The decoder of scripts.
#[derive(Debug, Default)]
struct Shell {
    quotes: Quotes,
    /// Whether a word has begun, in which "#" is no comment.
    is_in_word: bool,
    is_in_comment: bool,
    /// Whether the quoted part begins a URL.
    is_wrapped: bool,
    /// The delimiter of the here-document that begins with the next line, or has begun.
    document: Option<Vec<u8>>,
    is_in_document: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quotes {
    #[default]
    None,
    Single,
    Double,
    /// `$'…'`, which has the escapes of C.
    Dollar,
}

/// The length of the part of a word that shows that it is a URL.
const LONGEST_WORD: usize = 2048;

/// The octets that are needed after another one.
const AHEAD: usize = 128;

impl Decoder for Shell {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            if rest.len() < AHEAD && !is_all && !rest.contains(&b'\n') {
                return done;
            }
            if self.is_in_document || self.is_in_comment {
                let line = rest.iter().position(|octet| *octet == b'\n').map(|end| end + 1);
                let Some(length) = line.or((is_all || self.is_in_comment).then_some(rest.len())) else {
                    return done;
                };
                self.running(&rest[..length], at + done, text);
                done += length;
                continue;
            }
            done += self.word(rest, at + done, text);
        }
        done
    }
}

impl Shell {
    /// Adds a line of a comment or of a here-document.
    fn running(&mut self, line: &[u8], at: usize, text: &mut Text) {
        text.keep(line, at);
        if line.ends_with(b"\n") {
            self.is_in_comment = false;
        }
        if self.is_in_document && self.document.as_deref() == Some(line.trim_ascii()) {
            (self.document, self.is_in_document) = (None, false);
        }
    }

    /// Adds the next octets; returns their number.
    fn word(&mut self, rest: &[u8], at: usize, text: &mut Text) -> usize {
        match self.quotes {
            Quotes::Single => self.quoted(rest, at, b"'", text),
            Quotes::Double => self.quoted(rest, at, b"\"\\", text),
            Quotes::Dollar => self.quoted(rest, at, b"'\\", text),
            Quotes::None => self.unquoted(rest, at, text),
        }
    }

    fn quoted(&mut self, rest: &[u8], at: usize, special: &[u8], text: &mut Text) -> usize {
        let plain = rest.iter().position(|octet| special.contains(octet)).unwrap_or(rest.len());
        if plain > 0 {
            text.keep(&rest[..plain], at);
            return plain;
        }
        if rest[0] != b'\\' {
            self.quotes = Quotes::None;
            return self.end_of_quotes(&rest[1..], at, text);
        }
        match rest.get(1) {
            // "The <backslash> shall retain its special meaning" before these.
            Some(b'\n') => 2,
            Some(escaped @ (b'"' | b'\\' | b'$' | b'`')) if self.quotes == Quotes::Double => {
                // An escaped quote in quotes encloses a string of another program.
                let put: &[u8] = if *escaped == b'"' { b"\"" } else { &[*escaped] };
                text.put(put, at, 2);
                2
            }
            _ => {
                text.keep(b"\\", at);
                1
            }
        }
    }

    /// Ends a quoted part of a word: the word goes on, or the quote stays as the end of the URL.
    fn end_of_quotes(&self, after: &[u8], at: usize, text: &mut Text) -> usize {
        if after.first().is_none_or(ends_word) {
            // The quote, so that punctuation before it is not that of a sentence.
            text.put(if self.is_wrapped { b"\"\x1F" } else { b"\x1F" }, at, 1);
        }
        1
    }

    /// Begins a quoted part of a word. In a URL it goes on, elsewhere a URL may begin after the quote.
    fn open_quotes(&mut self, is_in_word: bool, at: usize, length: usize, text: &mut Text) {
        let octets = text.octets();
        let before = &octets[octets.len().saturating_sub(LONGEST_WORD)..];
        let word = before.iter().rposition(|octet| matches!(octet, b' ' | b'\t' | b'\n' | b'"' | 0x1F));
        let is_url =
            is_in_word && memchr::memmem::find(&before[word.map_or(0, |at| at + 1)..], b":").is_some();
        if !is_url {
            text.put(b"\"", at, length);
        }
        self.is_wrapped = !is_url;
    }

    fn unquoted(&mut self, rest: &[u8], at: usize, text: &mut Text) -> usize {
        let plain = rest.iter().position(|octet| b"\\'\"$#<&;|()>\n`".contains(octet)).unwrap_or(rest.len());
        if plain > 0 {
            text.keep(&rest[..plain], at);
            self.is_in_word = !rest[plain - 1].is_ascii_whitespace();
            return plain;
        }
        let was_in_word = std::mem::replace(&mut self.is_in_word, true);
        match rest {
            // A line is continued.
            [b'\\', b'\n', ..] => {
                self.is_in_word = was_in_word;
                2
            }
            [b'\\', b'\r', b'\n', ..] => 3,
            [b'\\', escaped, ..] if escaped.is_ascii() && !escaped.is_ascii_whitespace() => {
                text.put(&[*escaped], at, 2);
                2
            }
            [b'$', quote @ (b'\'' | b'"'), ..] => {
                self.quotes = if *quote == b'\'' { Quotes::Dollar } else { Quotes::Double };
                self.open_quotes(was_in_word, at, 2, text);
                2
            }
            [quote @ (b'\'' | b'"'), ..] => {
                self.quotes = if *quote == b'\'' { Quotes::Single } else { Quotes::Double };
                self.open_quotes(was_in_word, at, 1, text);
                1
            }
            [b'#', ..] if !was_in_word => {
                self.is_in_comment = true;
                0
            }
            [b'<', b'<', after @ ..] => {
                let length = 2 + self.take_delimiter(after);
                text.keep(&rest[..length], at);
                length
            }
            [octet @ (b'&' | b';' | b'|' | b'(' | b')' | b'<' | b'>' | b'`'), ..] => {
                self.is_in_word = false;
                text.gap(at, 0);
                text.keep(&[*octet], at);
                1
            }
            [b'\n', ..] => {
                (self.is_in_word, self.is_in_document) = (false, self.document.is_some());
                text.keep(b"\n", at);
                1
            }
            [b'$', b'(', ..] => {
                text.keep(b"$(", at);
                self.is_in_word = false;
                2
            }
            [octet, ..] => {
                text.keep(&[*octet], at);
                1
            }
            [] => 0,
        }
    }

    /// Takes the delimiter of a here-document; returns its length.
    fn take_delimiter(&mut self, after: &[u8]) -> usize {
        let start = usize::from(after.first() == Some(&b'-'));
        let blanks = after[start..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
        let start = start + blanks;
        let is_word = |octet: &&u8| octet.is_ascii_alphanumeric() || b"_'\"\\".contains(octet);
        let length = after[start..].iter().take(AHEAD / 2).take_while(is_word).count();
        let word: Vec<u8> =
            after[start..start + length].iter().copied().filter(|octet| !b"'\"\\".contains(octet)).collect();
        // "<<<" is a string, and "1 << 2" a shift.
        if word.is_empty() || word[0].is_ascii_digit() || after.first() == Some(&b'<') {
            return 0;
        }
        self.document = Some(word);
        start + length
    }
}

/// Whether an octet without quotes ends a word.
fn ends_word(octet: &u8) -> bool {
    octet.is_ascii_whitespace() || b"&;|()<>`".contains(octet)
}
