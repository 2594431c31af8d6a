//! Documents with links that are lines: gemtext, and the playlists of HLS. Decodes their lines into text
//! and links. Follows the gemtext specification, 5.3 (link lines) and 5.4 (preformatting toggle lines),
//! and RFC 8216, 4.1 ("Each line is a URI, is blank, or starts with the character '#'") and 4.2
//! (attribute lists).
//!
//! All other lines are running text.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::link::Context;
use crate::search::stream::{self, Decoder, Text};
use crate::search::{FormatSpec, Sections};

/// Gemtext, the documents of the Gemini protocol.
pub(crate) static GEMTEXT: FormatSpec = FormatSpec {
    name: "gemtext",
    extensions: &["gmi", "gemini"],
    sections: None,
    has_media_type: |kind, subtype| (kind, subtype) == ("text", "gemini"),
    begins: None,
    find: |query, input| stream::find(query, input, Listed::new(Kind::Gemtext)),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Listed::new(Kind::Gemtext), text, emitter),
};

/// Playlists. Other files with the extension "m3u" are lists of names of files.
pub(crate) static PLAYLIST: FormatSpec = FormatSpec {
    name: "m3u8",
    extensions: &["m3u8"],
    sections: Some(Sections { names: &["m3u"], may_begin: |head| head.begins_with(&["#extm3u"]) }),
    has_media_type: |_, subtype| {
        matches!(subtype, "vnd.apple.mpegurl" | "x-mpegurl" | "mpegurl" | "vnd.apple.mpegurl.audio")
    },
    begins: Some(|head| head.begins_with(&["#extm3u"])),
    find: |query, input| stream::find(query, input, Listed::new(Kind::Playlist)),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Listed::new(Kind::Playlist), text, emitter),
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gemtext,
    Playlist,
}

/// The decoder of lines.
#[derive(Debug)]
struct Listed {
    kind: Kind,
    /// Whether it is between two lines that begin with "```".
    is_preformatted: bool,
    /// Whether it is in a line that is too long to be a link.
    is_within: bool,
}

/// The maximum length of a line that is a link.
const LONGEST_LINE: usize = 64 << 10;

impl Listed {
    const fn new(kind: Kind) -> Self {
        Self { kind, is_preformatted: false, is_within: false }
    }

    /// Decodes a line, with its end.
    fn line(&mut self, line: &[u8], at: usize, text: &mut Text) {
        let is_link = |part: &[u8]| str::from_utf8(part).is_ok();
        let span = match self.kind {
            Kind::Gemtext if line.starts_with(b"```") => {
                self.is_preformatted = !self.is_preformatted;
                None
            }
            Kind::Gemtext if self.is_preformatted => None,
            Kind::Gemtext => url_of_link_line(line),
            Kind::Playlist if line.starts_with(b"#") => return attributes(line, at, text),
            Kind::Playlist => {
                let start = line.len() - line.trim_ascii_start().len();
                Some(start..start + line.trim_ascii().len())
            }
        };
        match span.filter(|span| !span.is_empty() && is_link(&line[span.clone()])) {
            Some(span) => {
                text.keep(&line[..span.start], at);
                link(&line[span.clone()], at + span.start, text);
                text.keep(&line[span.end..], at + span.end);
            }
            None => text.keep(line, at),
        }
    }
}

/// Adds a link in place of its octets.
fn link(url: &[u8], at: usize, text: &mut Text) {
    text.link(at..at + url.len(), String::from_utf8_lossy(url).into_owned(), Context::Line);
    text.gap(at, url.len());
}

/// Returns the span of the URL of a link line: "=>[<whitespace>]<URL>[<whitespace><USER-FRIENDLY
/// LINK NAME>]<CR><LF>".
fn url_of_link_line(line: &[u8]) -> Option<Range<usize>> {
    let rest = line.strip_prefix(b"=>")?.trim_ascii_start();
    let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let start = line.len() - rest.len();
    Some(start..start + length)
}

/// Decodes a tag with its attributes: `#EXT-X-KEY:METHOD=AES-128,URI="key"`. Only attributes with this name
/// are URIs, and those whose name ends with "-URI", such as X-ASSET-URI.
fn attributes(line: &[u8], at: usize, text: &mut Text) {
    const NAME: &[u8] = b"URI=\"";
    let mut done = 0;
    while let Some(name) = memmem::find(&line[done..], NAME) {
        let start = done + name + NAME.len();
        let Some(length) = memchr(b'"', &line[start..]) else { break };
        let is_whole_name = line[..done + name].ends_with(b",")
            || line[..done + name].ends_with(b":")
            || line[..done + name].ends_with(b"-");
        let url = &line[start..start + length];
        if is_whole_name && length > 0 && str::from_utf8(url).is_ok() {
            text.keep(&line[done..start], at + done);
            link(url, at + start, text);
        } else {
            text.keep(&line[done..start + length], at + done);
        }
        done = start + length;
    }
    text.keep(&line[done..], at + done);
}

impl Decoder for Listed {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while done < octets.len() {
            let rest = &octets[done..];
            let end = memchr(b'\n', rest);
            if end.is_none() && !is_all && !self.is_within && rest.len() < LONGEST_LINE {
                break;
            }
            let line = &rest[..end.map_or(rest.len(), |end| end + 1)];
            let is_begun = std::mem::replace(&mut self.is_within, end.is_none() && !is_all);
            if is_begun || self.is_within {
                text.keep(line, at + done);
            } else {
                self.line(line, at + done, text);
            }
            done += line.len();
        }
        done
    }
}
