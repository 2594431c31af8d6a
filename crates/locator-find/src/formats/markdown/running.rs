//! The running text of Markdown. Finds its URLs, GitHub's autolinks and destinations with a space, and
//! whether each is code.
//!
//! The autolinks are `www.` links and addresses. Follows GitHub Flavored Markdown 0.29, 6.9 "Autolinks
//! (extension)"; URLs with a scheme are found as in any other text.
//!
//! CommonMark allows a space in a destination only between "<" and ">", so `[text](a b.md)` is no link,
//! which its author has probably not noticed.

use std::iter::Peekable;
use std::ops::{ControlFlow, Range};
use std::slice;

use locator::text::MatchKind;
use memchr::{memchr2_iter, memmem};

use crate::link::cut::{self, Cut};
use crate::link::{Context, PassedOver, Purpose};
use crate::search::Query;
use crate::search::emitter::Emitter;

/// The kind of a text that is not Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verbatim {
    /// A code span or a code block.
    Code,
    /// The text of `<code>` or the like, in which Markdown is read.
    HtmlCode,
    /// Metadata before the document.
    Metadata,
}

impl Verbatim {
    /// Returns whether its URLs are code.
    fn is_code(self) -> bool {
        self != Self::Metadata
    }

    /// Returns whether GitHub makes links of names and addresses in it.
    fn has_autolinks(self) -> bool {
        self == Self::HtmlCode
    }
}

/// A stretch of a text that is not Markdown.
#[derive(Clone, Debug)]
pub(super) struct VerbatimSpan {
    pub(super) span: Range<usize>,
    pub(super) kind: Verbatim,
}

/// Finds the URLs of running text, and GitHub's autolinks of names and addresses.
pub(super) fn find(
    query: &Query<'_>,
    text: &[u8],
    verbatim: &[VerbatimSpan],
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let characters = str::from_utf8(text).unwrap_or_default();
    let mut around_spaced = VerbatimKinds::new(verbatim);
    let mut spaced = spaced_destinations(characters).filter(|span| around_spaced.of(span).is_none());
    let mut next_spaced = spaced.next();
    let mut around_links = VerbatimKinds::new(verbatim);
    let mut links = autolinks(characters)
        .map(|link| (around_links.of(&link.span), link))
        .filter(|(kind, _)| kind.is_none_or(Verbatim::has_autolinks));
    let mut around_hits = VerbatimKinds::new(verbatim);
    let (mut next, mut hits) = (links.next(), query.options.text.find_iter(text));
    for hit in hits.by_ref() {
        let span = hit.span();
        while let Some(before) = next_spaced.take_if(|spaced| spaced.start <= span.start) {
            emit_spaced(text, before, emitter)?;
            next_spaced = spaced.next();
        }
        while let Some((kind, link)) = next.take_if(|(_, link)| link.span.start < span.end) {
            // A link found in both ways is emitted once.
            if link.span.end <= span.start {
                emit_autolink(link, kind, emitter)?;
            }
            next = links.next();
        }
        let kind = around_hits.of(&span);
        emitter.in_code = kind.is_some_and(Verbatim::is_code);
        if hit.kind() == MatchKind::Angle
            && kind.is_none()
            && hit.as_bytes().iter().any(u8::is_ascii_whitespace)
        {
            emit_words(query, text, span, emitter)?;
            continue;
        }
        emitter.text_match(&hit, cut::in_whole(text, &hit))?;
    }
    if let Some(start) = hits.passed_over() {
        emitter.passed_over(start, PassedOver::TooLong);
    }
    next_spaced.into_iter().chain(spaced).try_for_each(|span| emit_spaced(text, span, emitter))?;
    next.into_iter().chain(links).try_for_each(|(kind, link)| emit_autolink(link, kind, emitter))
}

/// Emits the URLs of a text in angle brackets that is no autolink, because white space is in it: "Spaces
/// are not allowed in autolinks". In other texts such white space is ignored, so a URL before a line end
/// may have been meant as a part.
fn emit_words(
    query: &Query<'_>,
    text: &[u8],
    span: Range<usize>,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let inner = &text[span.clone()];
    for hit in query.options.text.find_iter(inner) {
        let end = hit.span().end;
        let is_broken =
            matches!(inner[end..].iter().find(|octet| !matches!(octet, b' ' | b'\t')), Some(b'\n' | b'\r'));
        let place = span.start + hit.span().start..span.start + end;
        emitter.cut_link(place, &hit.url(), Context::Text(hit.kind()), is_broken.then_some(Cut::LineEnd))?;
    }
    ControlFlow::Continue(())
}

/// Emits a link that is determined by its text; it is code if its text is.
fn emit_autolink(link: Autolink, kind: Option<Verbatim>, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let purpose = kind.map_or_else(Purpose::default, |_| Purpose::CODE);
    emitter.link_for(link.span, &link.url, Context::Markdown, purpose)
}

/// The kinds of the stretches of a text, which are asked for in order.
struct VerbatimKinds<'a>(Peekable<slice::Iter<'a, VerbatimSpan>>);

impl<'a> VerbatimKinds<'a> {
    fn new(verbatim: &'a [VerbatimSpan]) -> Self {
        Self(verbatim.iter().peekable())
    }

    /// Returns the kind of the text, if a part of it is not Markdown.
    fn of(&mut self, span: &Range<usize>) -> Option<Verbatim> {
        while self.0.next_if(|verbatim| verbatim.span.end <= span.start).is_some() {}
        self.0.peek().filter(|verbatim| verbatim.span.start < span.end).map(|verbatim| verbatim.kind)
    }
}

/// Emits a destination with a space, unless a bracket or a part of it is escaped.
fn emit_spaced(text: &[u8], span: Range<usize>, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
    let before = &text[..span.start.saturating_sub(2)];
    let bracket = before.iter().rposition(|octet| matches!(octet, b'[' | b']'));
    // With the octet before the bracket, after which a backslash may be in the document.
    let start = bracket.unwrap_or(before.len()).saturating_sub(1);
    let around = start..span.end;
    match str::from_utf8(&text[span.clone()]) {
        Ok(url) if emitter.source.written(around.clone()) == &text[around] => {
            emitter.malformed(span, url, Context::Markdown)
        }
        _ => ControlFlow::Continue(()),
    }
}

/// A link and its URL.
#[derive(Debug, PartialEq, Eq)]
struct Autolink {
    span: Range<usize>,
    url: String,
}

/// Returns the autolinks of a text in order. There may be too many to store.
fn autolinks(text: &str) -> impl Iterator<Item = Autolink> {
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

/// Returns the destinations with a space in a text, in order: what is after "](" and looks like a URL or
/// the name of a file. A remark in parentheses does not.
fn spaced_destinations(text: &str) -> impl Iterator<Item = Range<usize>> {
    memmem::find_iter(text.as_bytes(), "](").filter_map(|at| destination(text, at + 2))
}

/// Returns the destination that begins there, without the title. It ends before the next bracket, so that
/// no text is read twice.
fn destination(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    if let Some(length) = template_length(rest) {
        return Some(start..start + length);
    }
    let end = rest.find(['(', ')', '[', ']', '<', '>', '"', '\n'])?;
    let url = rest[..end].trim_end_matches(' ');
    let is_whole = matches!(rest.as_bytes()[end], b')' | b'"');
    (is_whole && url.trim_start_matches(' ').len() == url.len() && url.contains(' ') && is_destination(url))
        .then(|| start..start + url.len())
}

/// Returns the length of a destination with spaces that begins with a template, before ")": `{{< ref "a.md" >}}#b`,
/// `{% link a.md %}`.
fn template_length(text: &str) -> Option<usize> {
    let close = match text.get(..2)? {
        "{{" => "}}",
        "{%" => "%}",
        _ => return None,
    };
    let line = text.split('\n').next().unwrap_or_default();
    let end = line.find(close)? + close.len();
    let rest = line.get(end..)?;
    let length = end + rest.find([')', ' ', '(', '[', '<', '"'])?;
    let is_whole = line.get(length..)?.starts_with([')', ' ']);
    (is_whole && line.get(..end)?.contains(' ')).then_some(length)
}

/// Returns whether a text with spaces is rather a destination than a remark: it has a scheme and "//",
/// begins like a path, or ends like the name of a file.
fn is_destination(url: &str) -> bool {
    let is_name = |text: &str| !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_alphanumeric());
    let has_scheme = url.split_once("://").is_some_and(|(scheme, _)| is_name(scheme));
    let path = url.split(['#', '?']).next().unwrap_or_default();
    let has_extension = path.rsplit_once('.').is_some_and(|(name, extension)| {
        !name.ends_with(' ') && (2..=5).contains(&extension.len()) && is_name(extension)
    });
    has_scheme || ["/", "./", "../"].iter().any(|start| url.starts_with(start)) || has_extension
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
            let found: Vec<_> = autolinks(text).map(|link| link.url).collect();
            assert_eq!(found, urls, "{text}");
        }
    }

    #[test]
    fn a_destination_is_not_a_remark() {
        for (text, stated) in [
            ("[a](http://h/a b)", &["http://h/a b"][..]),
            ("[a](my file.md) [b](./a b#c) [c](/a b?q)", &["my file.md", "./a b#c", "/a b?q"]),
            ("[a](a b.png \"title\") ![](c d.png)", &["a b.png", "c d.png"]),
            ("[a](see there) [b](p. 5) [c](e. g. this) [d]( a b.md)", &[]),
            ("[a](a.md) [b](<a b.md>) [c](a b.md", &[]),
            ("](](](](", &[]),
            (
                "[a]({{< ref \"b.md#c\" >}}) [d]({% link e.md %}#f)",
                &["{{< ref \"b.md#c\" >}}", "{% link e.md %}#f"],
            ),
            ("[a]({{ site.url }}/b) [c]({{d}}/e f)", &["{{ site.url }}/b"]),
            ("[a]({{ b", &[]),
        ] {
            let found: Vec<_> = spaced_destinations(text).map(|span| &text[span]).collect();
            assert_eq!(found, stated, "{text}");
        }
    }
}
