//! The page of a text: takes its octets, returns its lines as HTML as they come, with links. In messages
//! quoted lines are marked, and the signature.

use maud::html;
use memchr::memchr;

use super::decode::Charset;
use super::linked::Linker;
use super::links::Links;
use super::words;

/// How many octets of a line are written at once. A longer line is written in pieces, and is not cut.
const PIECE: usize = 16 * 1024;

/// Writes a text.
pub(super) struct Text {
    charset: Charset,
    linker: Linker,
    held: Vec<u8>,
    /// A decoded text that does not end a line yet.
    decoded: String,
    /// Whether quotes and signatures are marked.
    is_message: bool,
    block: Option<Block>,
    is_begun: bool,
}

/// What a line of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Own,
    /// How many ">" are before it.
    Quoted(u8),
    /// It and all lines after it.
    Signature,
}

impl Text {
    pub(super) fn new(charset: Option<&str>, is_message: bool, links: Links) -> Self {
        Self {
            charset: Charset::new(charset),
            linker: Linker::new(links),
            held: Vec::new(),
            decoded: String::new(),
            is_message,
            block: None,
            is_begun: false,
        }
    }

    /// Writes the lines that are complete.
    pub(super) fn push(&mut self, mut octets: &[u8], out: &mut String) {
        if !self.charset.is_guessed() {
            let text = self.charset.decode(octets, false).into_owned();
            return self.decoded_lines(&text, false, out);
        }
        while let Some(end) = memchr(b'\n', octets) {
            self.held.extend_from_slice(&octets[..end]);
            let line = std::mem::take(&mut self.held);
            self.octets(line.strip_suffix(b"\r").unwrap_or(&line), true, out);
            octets = &octets[end + 1..];
        }
        for octets in octets.chunks(PIECE) {
            self.held.extend_from_slice(octets);
            if self.held.len() > PIECE {
                let rest = self.held.split_off(boundary(&self.held, PIECE));
                let piece = std::mem::replace(&mut self.held, rest);
                self.octets(&piece, false, out);
            }
        }
    }

    /// Writes what is left; returns what is to be said of the text.
    pub(super) fn end(&mut self, out: &mut String) -> Option<String> {
        if self.charset.is_guessed() {
            let rest = std::mem::take(&mut self.held);
            if !rest.is_empty() {
                self.octets(&rest, true, out);
            }
        } else {
            let text = self.charset.decode(b"", true).into_owned();
            self.decoded_lines(&text, true, out);
        }
        if self.block.is_some() {
            out.push_str(close(self.block));
        } else if !self.is_begun {
            out.push_str(&html! { p.note { "The text is empty." } }.into_string());
        }
        self.charset.remark()
    }

    fn octets(&mut self, line: &[u8], ends: bool, out: &mut String) {
        let text = self.charset.decode(line, false).into_owned();
        self.line(&text, ends, out);
    }

    fn decoded_lines(&mut self, text: &str, is_last: bool, out: &mut String) {
        self.decoded.push_str(text);
        let all = std::mem::take(&mut self.decoded);
        let mut rest = &*all;
        while let Some((line, after)) = rest.split_once('\n') {
            self.line(line.strip_suffix('\r').unwrap_or(line), true, out);
            rest = after;
        }
        while rest.len() > PIECE {
            let (piece, after) = rest.split_at(words::boundary(rest, PIECE));
            self.line(piece, false, out);
            rest = after;
        }
        if is_last && !rest.is_empty() {
            self.line(rest, true, out);
        } else if !is_last {
            self.decoded.push_str(rest);
        }
    }

    /// Writes a line, or a piece of one.
    fn line(&mut self, line: &str, ends: bool, out: &mut String) {
        self.is_begun = true;
        let block = self.block_of(line);
        if self.block != Some(block) {
            out.push_str(close(self.block));
            out.push_str(&open(block, self.is_message));
            self.block = Some(block);
        }
        out.push_str(&self.linker.line(line).into_string());
        if ends {
            out.push('\n');
        }
    }

    fn block_of(&self, line: &str) -> Block {
        match self.block {
            _ if !self.is_message => Block::Own,
            Some(Block::Signature) => Block::Signature,
            // "-- " separates the signature (RFC 3676, 4.3).
            _ if line == "-- " => Block::Signature,
            _ => match depth(line) {
                0 => Block::Own,
                depth => Block::Quoted(depth),
            },
        }
    }
}

/// Returns how often a line is quoted, at most 3 times.
fn depth(line: &str) -> u8 {
    let marks = line.bytes().take_while(|octet| matches!(octet, b'>' | b' '));
    marks.filter(|octet| *octet == b'>').take(3).map(|_| 1).sum::<u8>() * u8::from(line.starts_with('>'))
}

fn open(block: Block, is_message: bool) -> String {
    // A line end directly after the tag is not part of the text.
    match block {
        Block::Own if is_message => "<pre class=\"message\">\n".into(),
        Block::Own => "<pre class=\"message\" tabindex=\"0\">\n".into(),
        Block::Quoted(depth) => format!("<blockquote class=\"quoted-{depth}\"><pre class=\"message\">\n"),
        Block::Signature => "<pre class=\"message signature\">\n".into(),
    }
}

const fn close(block: Option<Block>) -> &'static str {
    match block {
        None => "",
        Some(Block::Quoted(_)) => "</pre></blockquote>",
        Some(_) => "</pre>",
    }
}

/// Returns where octets can be divided, at most here, without dividing a character of UTF-8.
fn boundary(octets: &[u8], most: usize) -> usize {
    (most.saturating_sub(3)..=most).rev().find(|&at| octets[at] & 0xC0 != 0x80).unwrap_or(most)
}
