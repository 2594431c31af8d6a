//! Texinfo. Finds the URLs of a document and decodes its commands for characters. Follows the manual of
//! Texinfo 7, "@url, @uref" and "Inserting @ and {} and ,".
//!
//! The first argument of `@url` and `@uref` is a URL to its end, the comma; the rest is running text.

use std::ops::Range;

use crate::decode::Escape;
use crate::formats::tex::{Argument, argument, has_scheme};
use crate::link::cut::Cut;
use crate::search::FormatSpec;
use crate::search::stream::{self, Decoder, Text};

/// The Texinfo format.
pub(crate) static TEXINFO: FormatSpec = FormatSpec {
    name: "texinfo",
    extensions: &["texi", "texinfo", "txi"],
    sections: None,
    has_media_type: |kind, subtype| {
        matches!(kind, "text" | "application") && matches!(subtype, "x-texinfo" | "texinfo")
    },
    begins: Some(|head| head.begins_with(&["\\input texinfo", "@setfilename "])),
    find: |query, input| stream::find(query, input, Texinfo),
    find_seekable: None,
    find_in: |query, text, emitter| stream::find_in(query, Texinfo, text, emitter),
};

/// The decoder of Texinfo.
#[derive(Debug)]
struct Texinfo;

/// The length of the longest command that is read.
const AHEAD: usize = 64;

/// Commands for characters, and places where a line may be broken.
const CHARACTERS: [(&[u8], &[u8]); 12] = [
    (b"@@", b"@"),
    (b"@{", b"{"),
    (b"@}", b"}"),
    (b"@atchar{}", b"@"),
    (b"@lbracechar{}", b"{"),
    (b"@rbracechar{}", b"}"),
    (b"@comma{}", b","),
    (b"@hashchar{}", b"#"),
    (b"@ampchar{}", b"&"),
    (b"@backslashchar{}", b"\\"),
    (b"@/", b""),
    (b"@-", b""),
];

/// Commands whose first argument is a URL.
const DESTINATIONS: [&[u8]; 3] = [b"@uref{", b"@url{", b"@indicateurl{"];

fn character_at(rest: &[u8]) -> Option<Escape<&'static [u8]>> {
    let known = CHARACTERS.iter().find(|(name, _)| rest.starts_with(name));
    known.map(|(name, text)| Escape::new(*text, name.len()))
}

impl Decoder for Texinfo {
    fn decode(&mut self, octets: &[u8], at: usize, is_all: bool, text: &mut Text) -> usize {
        let mut done = 0;
        while let Some(length) = memchr::memchr(b'@', &octets[done..]) {
            text.keep(&octets[done..done + length], at + done);
            done += length;
            let rest = &octets[done..];
            if rest.len() < AHEAD && !is_all {
                return done;
            }
            if let Some(Escape { means, length }) = character_at(rest) {
                text.put(means, at + done, length);
                done += length;
                continue;
            }
            let name = DESTINATIONS.iter().find(|name| rest.starts_with(name));
            let brace = name.map_or(0, |name| name.len() - 1);
            let name = name.filter(|_| has_scheme(&rest[brace + 1..]));
            let end = match name.map(|_| argument(&rest[brace..], b'@', is_all)) {
                Some(Argument::Incomplete) => return done,
                Some(Argument::To(end)) => Some(brace + end),
                _ => None,
            };
            match end.map(|end| brace + 1..end) {
                Some(content) => done += destination(rest, content, at + done, text),
                None => {
                    text.keep(b"@", at + done);
                    done += 1;
                }
            }
        }
        text.keep(&octets[done..], at + done);
        octets.len()
    }
}

/// Adds the URL that the first of some arguments is; returns where the others begin.
fn destination(rest: &[u8], content: Range<usize>, at: usize, text: &mut Text) -> usize {
    let (mut url, mut cut) = (Vec::new(), None);
    let mut done = content.start;
    done += rest[done..content.end].iter().take_while(|octet| octet.is_ascii_whitespace()).count();
    let start = done;
    let mut written = start;
    while done < content.end {
        let rest = &rest[done..content.end];
        match rest[0] {
            b',' => break,
            b'@' => match character_at(rest) {
                Some(escape) => {
                    url.extend(escape.means);
                    done += escape.length;
                }
                // `@value{VERSION}`
                None => {
                    cut = Some(Cut::Value);
                    break;
                }
            },
            octet if octet.is_ascii_whitespace() => {
                let length = rest.iter().take_while(|octet| octet.is_ascii_whitespace()).count();
                if matches!(rest.get(length), None | Some(b',')) {
                    done += length;
                    break;
                }
                if rest[..length].contains(&b'\n') {
                    cut = Some(Cut::LineEnd);
                    break;
                }
                url.push(b' ');
                done += length;
            }
            octet => {
                url.push(octet);
                done += 1;
            }
        }
        written = done;
    }
    match String::from_utf8(url) {
        Ok(url) => text.cut_link(at + start..at + written, url, cut),
        Err(_) => text.keep(&rest[start..written], at + start),
    }
    text.gap(at + written, 0);
    done
}
