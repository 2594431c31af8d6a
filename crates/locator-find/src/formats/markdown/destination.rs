//! Destinations. Finds the octets that the destination of a link or a definition is written as.
//! Follows CommonMark 0.31.2, "Link reference definitions" and "Links".

use std::ops::Range;

/// Returns the destination of an inline link; `rest` is the text after the link text: `](/url
/// "title")`.
pub(super) fn of_link(text: &str, rest: Range<usize>, url: &str) -> Option<Range<usize>> {
    let start = rest.start + text.get(rest.clone())?.find("](")? + 2;
    at(text, start..rest.end, url, true)
}

/// Returns the destination of a definition: `[label]: /url "title"`.
pub(super) fn of_definition(text: &str, span: Range<usize>, url: &str) -> Option<Range<usize>> {
    let octets = text.get(span.clone())?.as_bytes();
    let mut is_escaped = false;
    let end = octets.windows(2).position(|pair| {
        let is_end = pair == b"]:" && !is_escaped;
        is_escaped = pair[0] == b'\\' && !is_escaped;
        is_end
    })?;
    at(text, span.start + end + 2..span.end, url, false)
}

/// Returns the destination at the start of a stretch, after white space and block quote markers.
fn at(text: &str, span: Range<usize>, url: &str, in_parentheses: bool) -> Option<Range<usize>> {
    let octets = text.get(span.clone())?.as_bytes();
    let mut is_after_line = false;
    let start = octets.iter().position(|octet| {
        is_after_line |= *octet == b'\n';
        !(octet.is_ascii_whitespace() || is_after_line && *octet == b'>')
    })?;
    let written = match octets[start] {
        b'<' => start + 1..start + bracketed(&octets[start..])?,
        _ => start..start + bare(&octets[start..], in_parentheses),
    };
    let place = span.start + written.start..span.start + written.end;
    // Without "&" and "\" the destination must equal the URL; otherwise the match is wrong.
    let is_plain = !octets[written.clone()].iter().any(|octet| matches!(octet, b'&' | b'\\' | b'\r' | b'\n'));
    (!is_plain || octets[written] == *url.as_bytes()).then_some(place)
}

/// "zero or more characters between an opening < and a closing > that contains no line endings or
/// unescaped < or > characters"
fn bracketed(octets: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    octets.iter().position(|octet| {
        let is_end = *octet == b'>' && !is_escaped;
        is_escaped = *octet == b'\\' && !is_escaped;
        is_end
    })
}

/// "a nonempty sequence of characters that does not start with <, does not include ASCII control
/// characters or space character, and includes parentheses only if (a) they are backslash-escaped
/// or (b) they are part of a balanced pair of unescaped parentheses"
fn bare(octets: &[u8], in_parentheses: bool) -> usize {
    let (mut depth, mut is_escaped) = (0_usize, false);
    let end = octets.iter().position(|octet| {
        let was_escaped = is_escaped;
        is_escaped = *octet == b'\\' && !was_escaped;
        match octet {
            b'(' if !was_escaped => depth += 1,
            b')' if !was_escaped && depth == 0 => return in_parentheses,
            b')' if !was_escaped => depth -= 1,
            _ => {}
        }
        *octet <= b' ' || *octet == 0x7F
    });
    end.unwrap_or(octets.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn link(text: &str, url: &str, expected: Option<&str>) {
        assert_eq!(of_link(text, 0..text.len(), url).map(|place| &text[place]), expected);
    }

    #[test]
    fn destinations_are_found_as_they_are_written() {
        link("](/a)", "/a", Some("/a"));
        link("](  <a b> 'c')", "a b", Some("a b"));
        link("](a(b)c \"t\")", "a(b)c", Some("a(b)c"));
        link("](a\\)b)", "a)b", Some("a\\)b"));
        link("](\n> /a&amp;b)", "/a&b", Some("/a&amp;b"));
        link("](<>)", "", Some(""));
        link("]()", "", Some(""));
        link("](/b)", "/a", None);
        let text = "[a\\]: b]:\n  <c> 't'";
        assert_eq!(of_definition(text, 0..text.len(), "c").map(|place| &text[place]), Some("c"));
    }
}
