//! Saved responses of HTTP/1, as `curl -i` prints them: finds the links of the headers and of the
//! body, whose base is that of the header. Follows RFC 9112, 4 and 2.1, and section 5.1.2 of RFC 3986.
//!
//! The responses to the requests before the last one, such as redirects, are headers before it.

use std::ops::ControlFlow;

use memchr::memchr;

use super::field::read_header;
use super::message;
use crate::decode::chain::DecodeChain;
use crate::search::Query;
use crate::search::emitter::Emitter;

/// The maximum number of responses before the last one.
const MOST: usize = 100;

/// Recognises a status line and a header field after it.
///
/// status-line = HTTP-version SP status-code SP [ reason-phrase ] (RFC 9112, 4); programs print
/// "HTTP/2 200" for HTTP/2, which has no such line.
pub(super) fn is_response(first: &[u8]) -> bool {
    let Some(end) = status_line(first) else { return false };
    let line = first[end..].split(|octet| *octet == b'\n').next().unwrap_or_default();
    let name = memchr(b':', line).map_or(&[][..], |colon| &line[..colon]);
    !name.is_empty() && name.iter().all(u8::is_ascii_graphic)
}

/// Returns the end of the status line that the text begins with.
fn status_line(text: &[u8]) -> Option<usize> {
    let line = &text[..memchr(b'\n', text)?];
    let (version, rest) = line.strip_prefix(b"HTTP/")?.split_at_checked(1)?;
    let rest = rest.strip_prefix(b".").and_then(|rest| rest.get(1..)).unwrap_or(rest);
    let code = rest.strip_prefix(b" ")?.trim_ascii_end();
    let is_code = code.len() >= 3 && code[..3].iter().all(u8::is_ascii_digit);
    let ends = code.get(3).is_none_or(|octet| *octet == b' ');
    (version[0].is_ascii_digit() && is_code && ends).then_some(line.len() + 1)
}

/// Finds the links of a response, and of the headers before it.
pub(super) fn find_in(query: &Query<'_>, text: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let mut at = 0;
    for _ in 0..MOST {
        let start = at + status_line(&text[at..]).unwrap_or_default();
        let (_, body) = read_header(text, start, usize::MAX);
        let is_followed = body > start && status_line(&text[body..]).is_some();
        let end = if is_followed { body } else { text.len() };
        let part = DecodeChain::new(emitter.source, start, &text[start..end]);
        message::find_in_response(query, part.text(), &mut emitter.of(&part))?;
        if !is_followed {
            break;
        }
        at = body;
    }
    ControlFlow::Continue(())
}
