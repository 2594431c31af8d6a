//! TeX. Finds the URLs of a document and removes the escapes of characters that are special in TeX.
//! Follows the LaTeX manual for `\verb` and the escaped characters, and the manual of `hyperref`
//! for `\#`, `\%` and `\~` in a URL. BibTeX bibliographies are read in the same way.
//!
//! The rest, including comments, is running text: `\url{…}` and `\href{…}` need no special case,
//! because a brace ends a URL. The document is read in pieces that end with a paragraph.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr2, memmem, memrchr};

use crate::decode_chain::DecodeChain;
use crate::decoded::Decoded;
use crate::emitter::Emitter;
use crate::encoding::decode;
use crate::input::{End, Input, Pieces};
use crate::spec::{FormatSpec, Query};

/// The TeX format.
pub(crate) static TEX: FormatSpec = FormatSpec {
    name: "tex",
    extensions: &["tex", "ltx", "latex", "sty", "cls", "dtx", "ins", "bib", "bbl"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application") && matches!(subtype, "x-tex" | "x-latex" | "x-bibtex")
    },
    begins: None,
    find,
    find_seekable: None,
    find_in,
};

/// Finds the URLs of a document, which is read in pieces.
fn find(query: &Query<'_>, input: Input<'_>) -> io::Result<()> {
    let mut mark = Vec::new();
    input.source.take(2).read_to_end(&mut mark)?;
    input.prepend(&mark, |input| match &*mark {
        // UTF-16 is decoded first: only the first piece would have the byte order mark.
        b"\xFF\xFE" | b"\xFE\xFF" => input.find_whole(|octets, emitter| find_in(query, octets, emitter)),
        _ => {
            let pieces = Pieces { longest: PIECE, end: end_of_piece };
            input.find_in_pieces(pieces, |octets, emitter| find_in(query, octets, emitter))
        }
    })
}

/// Finds the URLs of a document in memory.
fn find_in(query: &Query<'_>, octets: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let marked = Encoding::for_bom(octets).map(|(encoding, _)| encoding).filter(|marked| *marked != UTF_8);
    let steps = DecodeChain::new(emitter.source, 0, octets)
        .then(|octets| marked.and_then(|encoding| decode(octets, encoding)))
        .then(characters);
    query.find_urls(steps.text(), &mut emitter.of(&steps))
}

/// The maximum length of a piece.
const PIECE: usize = 1 << 20;

/// Returns the end of a piece: after its last empty line, or before an entry of a bibliography.
fn end_of_piece(octets: &[u8]) -> End {
    let ends = [&b"\n\n"[..], b"\n\r\n", b"\n@"];
    let after = ends.into_iter().filter_map(|end| Some(memmem::rfind(octets, end)? + 1)).max();
    // Without a paragraph, the last line, or else the last word, moves to the next piece.
    let space = || memrchr(b'\n', octets).or_else(|| memrchr(b' ', octets));
    match after {
        Some(at) => End::At(at),
        None => End::Divided(space().map_or(octets.len(), |at| at + 1)),
    }
}

/// Decodes the commands that denote characters; returns `None` if there is no command.
fn characters(text: &[u8]) -> Option<Decoded> {
    memchr(b'\\', text)?;
    let mut decoded = Decoded::default();
    let mut at = 0;
    while let Some(command) = memchr(b'\\', &text[at..]).map(|length| at + length) {
        decoded.keep(&text[at..command], at);
        let rest = &text[command..];
        at = command
            + match command_at(rest) {
                Command::Character(character, length) => {
                    decoded.put(&[character], command, (1, length));
                    length
                }
                Command::Verbatim(content) => {
                    // The delimiters of `\verb` are not part of it; a character that ends every URL
                    // replaces them.
                    decoded.put(b" ", command, (1, content.start));
                    decoded.keep(&rest[content.clone()], command + content.start);
                    decoded.put(b" ", command + content.end, (1, 1));
                    content.end + 1
                }
                Command::Other(length) => {
                    decoded.keep(&rest[..length], command);
                    length
                }
            };
    }
    decoded.keep(&text[at..], at);
    Some(decoded)
}

/// The command at a "\", and its length in octets.
#[derive(Debug, PartialEq, Eq)]
enum Command {
    /// A command for a character.
    Character(u8, usize),
    /// `\verb+…+`: its content is literal.
    Verbatim(Range<usize>),
    /// Any other command.
    Other(usize),
}

/// Commands for characters that occur in URLs.
const CHARACTERS: [(&[u8], u8); 2] = [(b"\\textasciitilde", b'~'), (b"\\textunderscore", b'_')];

/// `\verb`, and the equivalent of the package `listings`.
const VERBATIM: [&[u8]; 2] = [b"\\verb", b"\\lstinline"];

fn command_at(rest: &[u8]) -> Command {
    match rest {
        [_, escaped @ (b'_' | b'%' | b'#' | b'&' | b'$'), ..] => return Command::Character(*escaped, 2),
        [_, b'~', b'{', b'}', ..] => return Command::Character(b'~', 4),
        _ => {}
    }
    for (word, character) in CHARACTERS {
        let Some(after) = rest.strip_prefix(word) else { continue };
        // "{}" and a space only end the word.
        match after {
            [b'{', b'}', ..] => return Command::Character(character, word.len() + 2),
            [b' ', ..] => return Command::Character(character, word.len() + 1),
            [octet, ..] if octet.is_ascii_alphabetic() => {}
            _ => return Command::Character(character, word.len()),
        }
    }
    let content = VERBATIM.iter().find_map(|word| verbatim_after(rest, word));
    content.map_or(Command::Other(rest.len().min(2)), Command::Verbatim)
}

/// "\verb char literal_text char": the character is neither a letter nor white space, and no line
/// ends in between. Braces need no special case.
fn verbatim_after(rest: &[u8], word: &[u8]) -> Option<Range<usize>> {
    let after = rest.strip_prefix(word)?;
    let star = usize::from(after.first() == Some(&b'*'));
    let delimiter = *after.get(star)?;
    if !delimiter.is_ascii_punctuation() || delimiter == b'{' {
        return None;
    }
    let start = word.len() + star + 1;
    let end = start + memchr2(delimiter, b'\n', &rest[start..])?;
    (rest[end] == delimiter).then_some(start..end)
}
