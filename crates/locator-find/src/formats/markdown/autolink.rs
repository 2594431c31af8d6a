//! Extended autolinks. Finds the `www.` links and addresses in the text of Markdown and returns
//! their URLs. Follows GitHub Flavored Markdown 0.29, 6.9 "Autolinks (extension)"; URLs with a
//! scheme are found as in any other text.

use std::ops::Range;

use memchr::memchr2_iter;

/// A link and its URL.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Autolink {
    pub(super) span: Range<usize>,
    pub(super) url: String,
}

/// Returns the autolinks of a text in order. There may be too many to store.
pub(super) fn find_in(text: &str) -> impl Iterator<Item = Autolink> {
    let octets = text.as_bytes();
    let mut floor = 0;
    memchr2_iter(b'@', b'.', octets).filter_map(move |at| {
        let link = match octets[at] {
            b'@' => address(text, at, floor),
            _ => at.checked_sub(3).filter(|start| *start >= floor).and_then(|start| www(text, start)),
        }?;
        floor = link.span.end;
        Some(link)
    })
}

/// "An extended www autolink will be recognized when the text www. is found followed by a valid
/// domain."
fn www(text: &str, start: usize) -> Option<Autolink> {
    let octets = text.as_bytes();
    let rest = octets.get(start..)?;
    if !rest.starts_with(b"www.")
        || !may_begin_after(&octets[..start])
        || !may_begin_with_domain(&text[start..])
    {
        return None;
    }
    let length =
        rest.iter().position(|octet| octet.is_ascii_whitespace() || *octet == b'<').unwrap_or(rest.len());
    let length = without_trailing(&rest[..length]);
    let domain = rest[..length].iter().position(|octet| b"/?#:".contains(octet)).unwrap_or(length);
    if domain <= "www.".len() || !is_domain(&text[start..start + domain]) {
        return None;
    }
    let span = start..start + length;
    Some(Autolink { url: format!("http://{}", &text[span.clone()]), span })
}

/// "All such recognized autolinks can only come at the beginning of a line, after whitespace, or
/// any of the delimiting characters *, _, ~, and (."
fn may_begin_after(before: &[u8]) -> bool {
    before.last().is_none_or(|octet| octet.is_ascii_whitespace() || b"*_~(".contains(octet))
}

/// Returns whether a domain may begin this text, without a look at the rest of the word, which may
/// have many such texts.
fn may_begin_with_domain(text: &str) -> bool {
    let length = text.find(|character: char| !in_segment(character) && character != '.');
    let (domain, mut rest) = text.split_at(length.unwrap_or(text.len()));
    if rest.starts_with(['/', '?', '#', ':']) {
        return is_domain(domain);
    }
    // Only what a link cannot end with may follow.
    loop {
        rest = rest.trim_start_matches(|character: char| ")!,*~'\"?.:_;".contains(character));
        match rest.strip_prefix('&') {
            Some(entity) => {
                rest = entity.trim_start_matches(|character: char| character.is_ascii_alphanumeric());
            }
            None => {
                return rest.is_empty()
                    || rest
                        .starts_with(|character: char| character.is_ascii_whitespace() || character == '<');
            }
        }
    }
}

fn in_segment(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}

/// "segments of alphanumeric characters, underscores (_) and hyphens (-) separated by periods (.).
/// There must be at least one period, and no underscores may be present in the last two segments of
/// the domain."
fn is_domain(domain: &str) -> bool {
    let segments = || domain.split('.');
    segments().nth(1).is_some()
        && segments().all(|segment| !segment.is_empty() && segment.chars().all(in_segment))
        && segments().rev().take(2).all(|segment| !segment.contains('_'))
}

/// "extended autolink path validation"
fn without_trailing(link: &[u8]) -> usize {
    let (mut end, mut open) = (link.len(), 0_usize);
    let mut close = 0_usize;
    for octet in link {
        open += usize::from(*octet == b'(');
        close += usize::from(*octet == b')');
    }
    while let Some((last, before)) = link[..end].split_last() {
        match last {
            b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => end -= 1,
            b')' if close > open => {
                close -= 1;
                end -= 1;
            }
            // "If an autolink ends in a semicolon (;), we check to see if it appears to resemble an
            // entity reference"
            b';' => match before.iter().rposition(|octet| !octet.is_ascii_alphanumeric()) {
                Some(sign) if before[sign] == b'&' && sign + 1 < before.len() => end = sign,
                _ => break,
            },
            _ => break,
        }
    }
    end
}

/// "One or more characters which are alphanumeric, or ., -, _, or +. An @ symbol. One or more
/// characters which are alphanumeric, or - or _, separated by periods (.). There must be at least
/// one period. The last character must not be one of - or _." GitHub's implementation (cmark-gfm)
/// requires a letter there.
fn address(text: &str, at: usize, floor: usize) -> Option<Autolink> {
    let octets = text.as_bytes();
    let in_user = |octet: &u8| octet.is_ascii_alphanumeric() || b".-_+".contains(octet);
    let length = octets[floor..at].iter().rev().take_while(|octet| in_user(octet)).count();
    let host = host_of(&text[at + 1..]);
    // GitHub links no address whose last character is not a letter: "rollup@3.13.0" is a version.
    let is_host = host.contains('.') && host.ends_with(|last: char| last.is_ascii_alphabetic());
    if length == 0 || !is_host || octets.get(at + 1 + host.len()) == Some(&b'@') {
        return None;
    }
    let span = at - length..at + 1 + host.len();
    // An address after a scheme is found as a URL.
    let is_url = octets[..span.start].ends_with(b":") || octets[..span.start].ends_with(b"/");
    (!is_url).then(|| Autolink { url: format!("mailto:{}", &text[span.clone()]), span })
}

/// Returns the host at the start of a text. A full stop belongs to it if a letter or digit follows,
/// so that the end of a sentence does not.
fn host_of(text: &str) -> &str {
    let octets = text.as_bytes();
    let is_inside = |at: usize| match octets[at] {
        b'.' => octets.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
        octet => octet.is_ascii_alphanumeric() || b"-_".contains(&octet),
    };
    let end = (0..octets.len()).find(|at| !is_inside(*at)).unwrap_or(octets.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn autolinks_are_those_of_github() {
        for (text, urls) in [
            ("www.commonmark.org", &["http://www.commonmark.org"][..]),
            ("Visit www.a.org/help for more", &["http://www.a.org/help"]),
            ("Visit www.a.org. and www.a.org/a.b.", &["http://www.a.org", "http://www.a.org/a.b"]),
            (
                "www.a.org/s?q=Markup+(business) (www.a.org/s?q=(b))",
                &["http://www.a.org/s?q=Markup+(business)", "http://www.a.org/s?q=(b)"],
            ),
            (
                "(www.a.org/b))) www.a.org/c&d=e&hl; www.a.org/he<lp",
                &["http://www.a.org/b", "http://www.a.org/c&d=e", "http://www.a.org/he"],
            ),
            ("xwww.a.org www.a www.a_b.org www.a.b_c www. www", &["http://www.a"]),
            (
                "foo@bar.baz, hello@mail+xyz.example; hello+xyz@mail.example.",
                &["mailto:foo@bar.baz", "mailto:hello+xyz@mail.example"],
            ),
            (
                "a.b-c_d@a.b a.b-c_d@a.b. a.b-c_d@a.b- a.b-c_d@a.b_ @a.b a@b",
                &["mailto:a.b-c_d@a.b", "mailto:a.b-c_d@a.b"],
            ),
            ("mailto:a@b.c http://u@h.org/ ssh://git@h.org", &[]),
            ("rollup@3.13.0 npm@10 a@b.c1 x@1.0-beta", &["mailto:x@1.0-beta"]),
            (".@b..c a@b.c..d", &["mailto:a@b.c"]),
        ] {
            let found: Vec<_> = find_in(text).map(|link| link.url).collect();
            assert_eq!(found, urls, "{text}");
        }
    }
}
