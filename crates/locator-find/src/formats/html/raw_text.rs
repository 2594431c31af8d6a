//! Elements whose content is text without markup. Finds the end of such content. Follows the HTML
//! standard, 13.2.5.2 to 13.2.5.32.

use memchr::{memchr, memchr2};

use super::tag::is_space;

/// Returns the element "whose contents are text": by "generic raw text element parsing algorithm"
/// and similar ones.
pub(super) const fn text_element(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"title" => "title",
        b"textarea" => "textarea",
        b"xmp" => "xmp",
        b"iframe" => "iframe",
        b"noembed" => "noembed",
        b"noframes" => "noframes",
        _ => return None,
    })
}

/// Finds the end tag of a text element; returns its start or a possible start, and whether it is
/// complete.
pub(super) fn end_of_text(octets: &[u8], from: usize, name: &str, is_last: bool) -> (usize, bool) {
    let mut at = from;
    while let Some(length) = memchr(b'<', &octets[at..]) {
        at += length;
        let rest = &octets[at..];
        if is_tag(rest, b"</", name) {
            return (at, true);
        }
        if rest.len() < name.len() + 3 && !is_last {
            return (at, false);
        }
        at += 1;
    }
    (octets.len(), false)
}

/// The state of a script: whether it is in "<!--", and in another "<script" within.
#[derive(Clone, Copy, Debug)]
pub(super) enum Escape {
    No,
    Once,
    Twice,
}

impl Escape {
    /// Scans a script by "script data state", "script data escaped state" and "script data double
    /// escaped state". Returns the start of its end tag or of what needs more octets, and whether
    /// the tag is complete.
    pub(super) fn pass(&mut self, octets: &[u8], from: usize, is_last: bool) -> (usize, bool) {
        let mut at = from;
        loop {
            let next = match self {
                Self::No => memchr(b'<', &octets[at..]),
                _ => memchr2(b'<', b'-', &octets[at..]),
            };
            let Some(length) = next else {
                return (octets.len(), false);
            };
            at += length;
            let rest = &octets[at..];
            if rest.len() < "</script>".len() && !is_last {
                return (at, false);
            }
            let (is_start, is_end) = (is_tag(rest, b"<", "script"), is_tag(rest, b"</", "script"));
            (*self, at) = match *self {
                Self::No | Self::Once if is_end => return (at, true),
                // The dashes may also belong to "-->".
                Self::No if rest.starts_with(b"<!--") => (Self::Once, at + 2),
                Self::Once if is_start => (Self::Twice, at + 1),
                Self::Twice if is_end => (Self::Once, at + 1),
                Self::Once | Self::Twice if rest.starts_with(b"-->") => (Self::No, at + 3),
                same => (same, at + 1),
            };
        }
    }
}

/// Returns whether a tag with this name begins here: "an appropriate end tag token".
fn is_tag(octets: &[u8], open: &[u8], name: &str) -> bool {
    let Some(rest) = octets.strip_prefix(open) else {
        return false;
    };
    rest.split_at_checked(name.len()).is_some_and(|(start, rest)| {
        start.eq_ignore_ascii_case(name.as_bytes())
            && rest.first().is_some_and(|octet| is_space(*octet) || matches!(octet, b'/' | b'>'))
    })
}
