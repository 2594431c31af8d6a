//! Recognizes the variable parts of a URL template: takes an offset and returns the length of the
//! part there. RFC 6570: an expression is between "{" and "}". Formatting functions have "%s" and
//! similar.

use super::window::{Incomplete, Window};

/// The maximum length of an expression in octets.
const LONGEST_EXPRESSION: usize = 128;

/// The maximum number of octets after the "%" of a conversion.
const LONGEST_CONVERSION: usize = 48;

/// The length of "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", which is a value and not an expression.
pub(super) const GUID: usize = 38;

/// Returns the length of an expression, from its "{" to the "}" that closes it in the same line:
/// "{id}", "{{ page.url }}", "{}".
pub(super) fn expression(window: Window<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let mut depth = 0_usize;
    for (i, octet) in window.excerpt(at, LONGEST_EXPRESSION)?.iter().enumerate() {
        match octet {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Ok(Some(i + 1)),
            b'}' => depth -= 1,
            0..b' ' | 0x7F | b'"' | b'`' | b'<' | b'>' => return Ok(None),
            // Characters beyond ASCII are not part of a name.
            0x80.. => return Ok(None),
            _ => {}
        }
    }
    Ok(None)
}

/// Returns the length of a name in angle or square brackets: `<id>`, `[user-name]`.
pub(super) fn named(window: Window<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let rest = window.excerpt(at, LONGEST_EXPRESSION)?;
    let close = match rest.first() {
        Some(b'<') => b'>',
        Some(b'[') => b']',
        _ => return Ok(None),
    };
    let inside = |octet: &u8| octet.is_ascii_alphanumeric() || b"_-. ".contains(octet);
    let length = 1 + rest[1..].iter().take_while(|octet| inside(octet)).count();
    let is_name = rest.get(1).is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
    Ok((is_name && rest.get(length) == Some(&close)).then_some(length + 1))
}

/// Returns the length of a name in brackets that is part of a URL in running text, where brackets
/// also enclose URLs and are markup: `http://a/<id>/b`, `http://a/<id>`, `http://a/[id]/b`. A tag of
/// HTML and the text of a link, as in `http://a/[text]`, are not parts of URLs.
pub(super) fn placeholder(window: Window<'_>, at: usize, around: u8) -> Result<Option<usize>, Incomplete> {
    let Some(length) = named(window, at)? else { return Ok(None) };
    let name = &window.text[at + 1..at + length - 1];
    if name.contains(&b' ') || name.len() > LONGEST_PLACEHOLDER {
        return Ok(None);
    }
    let is_after_delimiter = b"/=.-_:@&?#~".contains(&window.before(at));
    let next = window.octet(at + length)?;
    let goes_on = match next {
        b'/' | b'?' | b'#' | b'&' | b'=' => true,
        b'.' | b':' | b'-' | b'_' | b'@' | b'~' => {
            let after = window.octet(at + length + 1)?;
            after.is_ascii_alphanumeric() || b"<[{".contains(&after)
        }
        _ => false,
    };
    let is_quoted = b"\"'`".contains(&around) && next == around;
    Ok(match window.text[at] {
        b'<' if window.before(at) == b'=' => true,
        b'<' => (is_after_delimiter || goes_on) && !is_element(name),
        _ => is_after_delimiter && (goes_on || is_quoted),
    }
    .then_some(length))
}

/// The maximum length of a name in brackets in running text.
const LONGEST_PLACEHOLDER: usize = 64;

/// The elements of HTML that occur in and after a text.
const ELEMENTS: [&str; 55] = [
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "body",
    "br",
    "button",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "hr",
    "html",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "nobr",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "script",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "td",
    "th",
    "tr",
    "tt",
    "u",
    "ul",
    "wbr",
];

fn is_element(name: &[u8]) -> bool {
    ELEMENTS.iter().any(|element| name.eq_ignore_ascii_case(element.as_bytes()))
}

/// Whether a "{" begins a GUID in braces, a common notation.
pub(super) fn is_guid(window: Window<'_>, at: usize) -> Result<bool, Incomplete> {
    let octets = window.excerpt(at, GUID)?;
    let is_right = |(i, octet): (usize, &u8)| match i {
        0 => *octet == b'{',
        9 | 14 | 19 | 24 => *octet == b'-',
        37 => *octet == b'}',
        _ => octet.is_ascii_hexdigit(),
    };
    Ok(octets.len() == GUID && octets.iter().enumerate().all(is_right))
}

/// Returns the length of a conversion with its "%"; `None` if the "%" begins an escape or belongs
/// to the text.
pub(super) fn conversion_at(window: Window<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let rest = window.excerpt(at + 1, LONGEST_CONVERSION)?;
    Ok(conversion(window.before(at), rest).map(|octets| octets + 1))
}

/// Returns the length of the conversion after a "%": `%s`, `%5d`, `%1$s`, `%%`, `%(name)s`,
/// `%[1]d`, `%<name>s`.
fn conversion(before: u8, rest: &[u8]) -> Option<usize> {
    let named = |close: u8| {
        let name =
            rest.iter().skip(1).take_while(|octet| octet.is_ascii_alphanumeric() || b"_.-".contains(octet));
        let after = name.count() + 1;
        (after > 1 && rest.get(after) == Some(&close)).then_some(after + 1)
    };
    match rest.first()? {
        b'%' => Some(1),
        b'{' => named(b'}'),
        b'(' => letter(before, rest, named(b')')?),
        b'[' => letter(before, rest, named(b']')?),
        b'<' => letter(before, rest, named(b'>')?),
        _ => letter(before, rest, 0).or_else(|| variable(before, rest)),
    }
}

/// Returns the length of a variable of Windows after its first "%": `%HOST%`.
fn variable(before: u8, rest: &[u8]) -> Option<usize> {
    let length = rest.iter().take_while(|octet| octet.is_ascii_alphanumeric() || **octet == b'_').count();
    // "%u4E00%u4E8C"
    let is_character = rest[0] == b'u' && rest.iter().skip(1).take(4).all(u8::is_ascii_hexdigit);
    let begins = !rest[0].is_ascii_digit() && !before.is_ascii_digit() && !is_character;
    let is_escape = |two: &[u8]| two.iter().take(2).filter(|octet| octet.is_ascii_hexdigit()).count() == 2;
    let after = rest.get(length + 1..).unwrap_or_default();
    let is_closed = rest.get(length) == Some(&b'%') && !is_escape(after) && !is_escape(rest);
    (begins && length > 1 && is_closed).then_some(length + 1)
}

/// Returns the length of a conversion whose final letter follows flags and numbers from `from` on.
fn letter(before: u8, rest: &[u8], from: usize) -> Option<usize> {
    let is_flag = |at: &usize| match rest.get(*at) {
        // "%.2f", and not the full stop of "100%.html"
        Some(b'.') => matches!(rest.get(at + 1), Some(b'*' | b'0'..=b'9')),
        Some(b'$') => *at > from && rest[at - 1].is_ascii_digit(),
        Some(octet) => octet.is_ascii_digit() || b"-+#*".contains(octet),
        None => false,
    };
    let at = (from..).find(|at| !is_flag(at))?;
    let letter = rest.get(at).filter(|octet| octet.is_ascii_alphabetic())?;
    let word = rest[at + 1..].iter().take_while(|octet| octet.is_ascii_alphanumeric()).count();
    let is_escape = rest.len() > 1 && rest[..2].iter().all(u8::is_ascii_hexdigit);
    // "%u4E00", which ECMAScript's `escape` makes
    let is_character =
        at == 0 && *letter == b'u' && rest.len() > 4 && rest[1..5].iter().all(u8::is_ascii_hexdigit);
    // "%1$s", "%.2f"; not the sign of "100%.html"
    let is_number =
        |two: &[u8]| two[0].is_ascii_digit() && two[1] == b'$' || two[0] == b'.' && two[1].is_ascii_digit();
    let is_explicit = from > 0 || rest[..at].windows(2).any(is_number);
    // "50%discount" has a number and a word; "%sindex" and "%dx%d" have conversions.
    let is_word = word > 0 && !is_explicit && {
        let is_followed = word == 1 && rest.get(at + 2) == Some(&b'%');
        before.is_ascii_digit() || *letter != b's' && !is_followed
    };
    (!is_escape && !is_character && !is_word).then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversion_differs_from_an_escape_and_a_word() {
        for (text, is_one) in [
            ("%s", true),
            ("%d/", true),
            ("%dx%d", true),
            ("%sindex", true),
            ("%1$s", true),
            ("%.2fabc", true),
            ("%02d", false),
            ("%(name)s", true),
            ("%[1]s", true),
            ("%<a>s", true),
            ("%{a}", true),
            ("%%", true),
            ("1%d", true),
            ("%20", false),
            ("%2F", false),
            ("%2", false),
            ("%", false),
            ("%&", false),
            ("50%discount", false),
            ("50%off", false),
            ("%cotton", false),
            ("%zz", false),
            ("%HOST%/a", true),
            ("%HOST%20", false),
            ("50%HOST%", false),
            ("%u4E00", false),
            ("%(a", false),
            ("%()", false),
            ("100%.html", false),
            ("a%.c", false),
            ("%.2fm", true),
            ("100%+tax", false),
            ("100%$x", false),
            ("100%#top", false),
        ] {
            let at = text.find('%').unwrap_or_default();
            let window = Window::new(text.as_bytes(), true);
            assert_eq!(conversion_at(window, at).is_ok_and(|octets| octets.is_some()), is_one, "{text}");
        }
    }
}
