//! The text of a link as a reader sees it. Takes the content of an `a`, returns its text without tags,
//! comments and what is not shown. Follows the HTML standard, 13.2.5 "Tokenization" and 15.3.1 "Hidden
//! elements"; of CSS, the declarations of a `style` attribute that senders of mail hide text with.
//!
//! A style sheet is not read, nor are colours compared: white text on white is seen here. Text that is
//! drawn from right to left by `bdo` or by a declaration is between U+202E and U+202C, as Unicode has it.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use crate::decode::charset::Charset;
use crate::formats::html::scan::{ScriptEscape, end_of_text, text_element};
use crate::formats::html::tag::Tag;
use crate::formats::html::value::Value;

/// Returns the text of a link.
pub(super) fn shown_text(octets: &[u8], content: Range<usize>, charset: Charset) -> String {
    let octets = &octets[..content.end];
    let mut reader = Reader {
        octets,
        charset,
        tag: Tag::of_all(true),
        hidden: None,
        backwards: None,
        text: String::new(),
    };
    let mut at = content.start;
    while let Some(rest) = octets.get(at..).filter(|rest| !rest.is_empty()) {
        let length = memchr(b'<', rest).unwrap_or(rest.len());
        reader.take(at..at + length);
        at += length;
        if at < octets.len() {
            at = reader.after_markup(at);
        }
    }
    reader.text
}

/// An open element, with the number of elements of its name that are open.
struct Open {
    name: Vec<u8>,
    depth: usize,
}

impl Open {
    /// Counts a start tag or an end tag; returns whether the element is still open.
    fn is_open_after(&mut self, name: &[u8], is_start: bool) -> bool {
        if self.name == name {
            self.depth = if is_start { self.depth + 1 } else { self.depth.saturating_sub(1) };
        }
        self.depth > 0
    }
}

struct Reader<'a> {
    octets: &'a [u8],
    charset: Charset,
    tag: Tag,
    /// The element that hides what is read.
    hidden: Option<Open>,
    /// The element that is drawn from right to left.
    backwards: Option<Open>,
    text: String,
}

/// Elements that end a word of a text.
const BREAKS: [&[u8]; 15] = [
    b"br", b"div", b"p", b"td", b"th", b"tr", b"li", b"hr", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6",
    b"table",
];

/// Elements without content.
const VOID: [&[u8]; 9] = [b"br", b"hr", b"img", b"input", b"wbr", b"link", b"meta", b"area", b"source"];

impl Reader<'_> {
    fn take(&mut self, span: Range<usize>) {
        if self.hidden.is_none() {
            self.text.push_str(Value::of(self.octets, span, self.charset).text());
        }
    }

    /// Returns the position after what begins with "<".
    fn after_markup(&mut self, at: usize) -> usize {
        match &self.octets[at + 1..] {
            [b'!', b'-', b'-', ..] => self.after_comment(at + 4),
            [b'!' | b'?', ..] => self.after_bracket(at + 2),
            [b'/', letter, ..] if letter.is_ascii_alphabetic() => self.after_tag(at + 2, false),
            [b'/', ..] => self.after_bracket(at + 2),
            [letter, ..] if letter.is_ascii_alphabetic() => self.after_tag(at + 1, true),
            _ => {
                self.take(at..at + 1);
                at + 1
            }
        }
    }

    fn after_bracket(&self, from: usize) -> usize {
        let rest = self.octets.get(from..).unwrap_or_default();
        memchr(b'>', rest).map_or(self.octets.len(), |length| from + length + 1)
    }

    /// Returns the position after a comment: `<!-->` and `<!--->` are comments, too, and "--!>" ends one.
    fn after_comment(&self, from: usize) -> usize {
        let rest = self.octets.get(from..).unwrap_or_default();
        let ends = |end: &usize| {
            let before = &rest[..*end];
            matches!(before, b"" | b"-") || before.ends_with(b"--") || before.ends_with(b"--!")
        };
        memchr_iter(b'>', rest).find(ends).map_or(self.octets.len(), |end| from + end + 1)
    }

    /// Returns the position after a tag, whose name is at this one, and after what it hides as a whole.
    fn after_tag(&mut self, name_at: usize, is_start: bool) -> usize {
        let Some(end) = self.tag.read(self.octets, name_at) else { return self.octets.len() };
        let name = self.tag.name();
        let is_void = VOID.contains(&name);
        if BREAKS.contains(&name) && self.hidden.is_none() {
            self.text.push(' ');
        }
        if let Some(hidden) = &mut self.hidden {
            if !is_void && !hidden.is_open_after(name, is_start) {
                self.hidden = None;
            }
            return end;
        }
        if let Some(backwards) = &mut self.backwards
            && !is_void
            && !backwards.is_open_after(name, is_start)
        {
            self.backwards = None;
            self.text.push('\u{202C}');
        }
        if !is_start || is_void {
            return end;
        }
        match name {
            b"script" => return ScriptEscape::No.pass(self.octets, end, true).at,
            b"style" => return end_of_text(self.octets, end, "style", true).at,
            b"textarea" => {}
            _ => {
                if let Some(element) = text_element(name) {
                    return end_of_text(self.octets, end, element, true).at;
                }
            }
        }
        let style = self.style();
        let open = || Some(Open { name: self.tag.name().to_vec(), depth: 1 });
        if name == b"template" || self.attribute("hidden").is_some() || is_hidden(&style) {
            self.hidden = open();
        } else if self.backwards.is_none() && self.is_backwards(&style) {
            self.backwards = open();
            self.text.push('\u{202E}');
        }
        end
    }

    /// Returns the value of an attribute.
    fn attribute(&self, name: &str) -> Option<String> {
        let known = self.tag.attributes().iter().find(|one| one.name.as_str() == name);
        let span = known.map(|one| one.value.clone()).or_else(|| {
            let other = self.tag.others().iter();
            let is_it = |span: &Range<usize>| self.octets[span.clone()].eq_ignore_ascii_case(name.as_bytes());
            other.filter(|one| is_it(&one.name)).map(|one| one.value.clone()).next()
        })?;
        Some(Value::of(self.octets, span, self.charset).text().to_owned())
    }

    /// Returns the declarations of the tag, in lower case and without comments.
    fn style(&self) -> String {
        let mut style = self.attribute("style").unwrap_or_default().to_ascii_lowercase();
        while let Some(start) = style.find("/*") {
            let end = style[start..].find("*/").map_or(style.len(), |length| start + length + 2);
            style.replace_range(start..end, "");
        }
        style
    }

    /// Returns whether what the tag begins is drawn from right to left, letter by letter.
    fn is_backwards(&self, style: &str) -> bool {
        let is_right = |value: Option<String>| value.is_some_and(|value| value.eq_ignore_ascii_case("rtl"));
        let has = |property: &str, value: &str| declarations(style).any(|one| one == (property, value));
        let is_overridden = self.tag.name() == b"bdo" || has("unicode-bidi", "bidi-override");
        is_overridden && (is_right(self.attribute("dir")) || has("direction", "rtl"))
    }
}

/// Returns the properties and values of declarations.
fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    style.split(';').filter_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        let value = value.split('!').next().unwrap_or_default();
        Some((property.trim(), value.trim()))
    })
}

/// Returns whether declarations hide an element or make it too small to be read.
fn is_hidden(style: &str) -> bool {
    let is_clipped = declarations(style)
        .any(|one| matches!(one, ("overflow" | "overflow-x" | "overflow-y", "hidden" | "clip")));
    declarations(style).any(|(property, value)| match property {
        "display" => value == "none",
        "visibility" => matches!(value, "hidden" | "collapse"),
        "opacity" => is_at_most(value, 0.05),
        "font-size" => is_tiny(value),
        // "font: 0/0 a"
        "font" => value.split([' ', '/']).any(is_tiny),
        "height" | "max-height" | "width" | "max-width" => is_clipped && is_at_most(value, 0.0),
        "color" | "-webkit-text-fill-color" => value == "transparent",
        "text-indent" | "left" | "top" => value.starts_with('-') && !is_at_most(&value[1..], 99.0),
        "transform" => value.starts_with("scale(0)"),
        _ => false,
    })
}

/// Returns whether a size of letters is one that nobody reads.
fn is_tiny(value: &str) -> bool {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    match unit {
        "em" | "rem" | "ex" | "ch" | "vw" | "vh" => is_at_most(value, 0.1),
        "%" => is_at_most(value, 10.0),
        // The weight of a "font", such as 400.
        "px" | "pt" => is_at_most(value, 1.0),
        _ => is_at_most(value, 0.0),
    }
}

/// Returns whether a value begins with a number that is not larger than another.
fn is_at_most(value: &str, most: f64) -> bool {
    let end = value.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(value.len());
    value[..end].parse::<f64>().is_ok_and(|number| number <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_sees() {
        for (content, expected) in [
            ("https://www.<b>bank</b>.example/&#x6C;ogin", "https://www.bank.example/login"),
            ("pay<!-- evil.net -->pal<!-->.<!--->co<!-- x --!>m", "paypal.com"),
            ("<span style=\"display:none\">evil.net </span>paypal.com", "paypal.com"),
            ("<span style='DISPLAY : None !important'>evil.net</span>paypal.com", "paypal.com"),
            ("<span style='dis/* */play:none'>evil.net</span>paypal.com", "paypal.com"),
            ("<span hidden>a<span>b</span>c</span>d", "d"),
            ("<div hidden><br>a</div>b", " b"),
            ("<i style='visibility:hidden'>a</i>b", "b"),
            (
                "<i style='font-size:0'>a</i><i style='font-size:0px'>b</i><i style='font-size:1px'>c</i>d",
                "d",
            ),
            ("<i style='font-size:.01em'>a</i><i style='font-size:5%'>b</i>c", "c"),
            ("<i style='font:0/0 a'>a</i><i style='font:400 12px/14px Arial'>b</i>", "b"),
            ("<i style='opacity:0'>a</i><i style='opacity:0.9'>b</i>", "b"),
            ("<i style='max-height:0;overflow:hidden'>a</i><i style='height:0'>b</i>", "b"),
            ("<i style='color:transparent'>a</i><i style='text-indent:-9999px'>b</i>c", "c"),
            ("<template>a</template><style>b</style><script>c</script><title>d</title>e", "e"),
            ("<b title='>'>a</b>", "a"),
            ("<bdo dir=rtl>moc.lapyap</bdo>", "\u{202E}moc.lapyap\u{202C}"),
            ("<i style='unicode-bidi:bidi-override;direction:rtl'>a</i>", "\u{202E}a\u{202C}"),
            ("a<br>b<p>c", "a b c"),
            ("a < b </> c", "a < b  c"),
            ("a<b", "a"),
            ("", ""),
        ] {
            let found = shown_text(content.as_bytes(), 0..content.len(), Charset::UTF_8);
            assert_eq!(found, expected, "{content}");
        }
    }
}
