//! Tags. Reads the octets after "<" or "</" and returns the name of the tag and its relevant
//! attributes, with their positions. Follows the HTML standard, 13.2.5, from "tag open state" to
//! "self-closing start tag state".

use std::ops::Range;

use memchr::memchr;

use super::attributes::Name;

/// A tag; its memory is reused for the next one.
#[derive(Debug, Default)]
pub(super) struct Tag {
    /// The name in lower case.
    name: Vec<u8>,
    attributes: Vec<Attribute>,
    /// Whether other attributes are kept.
    all: bool,
    others: Vec<Other>,
    self_closing: bool,
}

/// A known attribute.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: Name,
    /// The span of its value, without quotes.
    pub(super) value: Range<usize>,
}

/// An unknown attribute: the spans of its name and its value.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

impl Tag {
    /// Returns an empty tag, which keeps unknown attributes if `all` is set.
    pub(super) fn of_all(all: bool) -> Self {
        Self { all, ..Self::default() }
    }

    /// Returns the unknown attributes in order, if they are kept.
    pub(super) fn others(&self) -> &[Other] {
        &self.others
    }

    /// Reads a tag whose name begins at `at`; returns the offset after it, or `None` if its end is
    /// missing.
    pub(super) fn read(&mut self, octets: &[u8], at: usize) -> Option<usize> {
        self.attributes.clear();
        self.others.clear();
        self.self_closing = false;
        let end = at + octets[at..].iter().position(|octet| ends_name(*octet))?;
        self.name.clear();
        self.name.extend(octets[at..end].iter().map(u8::to_ascii_lowercase));
        let mut at = end;
        loop {
            match *octets.get(at)? {
                b'>' => return Some(at + 1),
                // "self-closing start tag state"
                b'/' if *octets.get(at + 1)? == b'>' => {
                    self.self_closing = true;
                    return Some(at + 2);
                }
                b'/' => at += 1,
                octet if is_space(octet) => at += 1,
                _ => at = self.read_attribute(octets, at)?,
            }
        }
    }

    /// Reads an attribute; returns the offset after it.
    fn read_attribute(&mut self, octets: &[u8], start: usize) -> Option<usize> {
        // "before attribute name state": a "=" there is the beginning of a name.
        let end =
            start + 1 + octets[start + 1..].iter().position(|octet| ends_name(*octet) || *octet == b'=')?;
        let equals = skip_space(octets, end)?;
        if octets[equals] != b'=' {
            self.put(octets, start..end, end..end);
            return Some(equals);
        }
        let at = skip_space(octets, equals + 1)?;
        let (value, after) = match octets[at] {
            quote @ (b'"' | b'\'') => {
                let end = at + 1 + memchr(quote, &octets[at + 1..])?;
                (at + 1..end, end + 1)
            }
            // "attribute value (unquoted) state": it ends with white space or ">", and with nothing
            // else. A ">" at once is a missing value.
            _ => {
                let length = octets[at..].iter().position(|octet| is_space(*octet) || *octet == b'>')?;
                (at..at + length, at + length)
            }
        };
        self.put(octets, start..end, value);
        Some(after)
    }

    /// "if there is already an attribute on the token with the exact same name, then [...] the new
    /// attribute must be removed"
    fn put(&mut self, octets: &[u8], name: Range<usize>, value: Range<usize>) {
        match Name::of(&octets[name.clone()]) {
            None if self.all => self.others.push(Other { name, value }),
            Some(name) if !self.attributes.iter().any(|attribute| attribute.name == name) => {
                self.attributes.push(Attribute { name, value });
            }
            _ => {}
        }
    }

    /// Returns the name of the tag, in lower case.
    pub(super) fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns the known attributes in order.
    pub(super) fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Returns the span of an attribute's value.
    pub(super) fn value(&self, name: Name) -> Option<Range<usize>> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
            .map(|attribute| attribute.value.clone())
    }

    /// Returns whether the tag ends with "/>".
    pub(super) const fn is_self_closing(&self) -> bool {
        self.self_closing
    }
}

/// White space where the standard lists it: "U+0009, U+000A, U+000C, U+0020"; CR has become LF
/// before ("normalizing newlines").
pub(super) const fn is_space(octet: u8) -> bool {
    matches!(octet, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

const fn ends_name(octet: u8) -> bool {
    is_space(octet) || matches!(octet, b'/' | b'>')
}

fn skip_space(octets: &[u8], from: usize) -> Option<usize> {
    octets[from..].iter().position(|octet| !is_space(*octet)).map(|length| from + length)
}

/// The state in a tag that is too long to hold; only its end is searched for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Overlong {
    /// Before "<".
    #[default]
    Open,
    /// In the name of the tag.
    Tag,
    /// Between attributes.
    Between,
    /// In the name of an attribute.
    Name,
    /// After "=".
    Value,
    /// In a quoted value; this octet ends it.
    Quoted(u8),
    /// In an unquoted value.
    Bare,
}

impl Overlong {
    /// Scans the octets; returns the offset after the tag if it ends in them.
    pub(super) fn pass(&mut self, octets: &[u8]) -> Option<usize> {
        for (at, &octet) in octets.iter().enumerate() {
            *self = match (*self, octet) {
                (Self::Quoted(quote), octet) if octet == quote => Self::Between,
                (Self::Quoted(_), _) => continue,
                (_, b'>') => return Some(at + 1),
                (Self::Value, b'"' | b'\'') => Self::Quoted(octet),
                (Self::Value, octet) if is_space(octet) => Self::Value,
                (Self::Value, _) => Self::Bare,
                (Self::Bare, octet) if is_space(octet) => Self::Between,
                (Self::Bare, _) => Self::Bare,
                (Self::Name, b'=') => Self::Value,
                (Self::Open, b'<') => Self::Open,
                (Self::Open, b'/') => Self::Tag,
                (Self::Tag | Self::Between | Self::Name, b'/') => Self::Between,
                (Self::Open | Self::Tag, octet) => {
                    if is_space(octet) {
                        Self::Between
                    } else {
                        Self::Tag
                    }
                }
                // White space is allowed before "=".
                (state, octet) if is_space(octet) => state,
                (Self::Between | Self::Name, _) => Self::Name,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_tag_is_where_it_was_read() {
        for text in [
            "a>x",
            "a href=x/>",
            "a href='>'>x",
            "a =>>",
            "a b = \">\" c>",
            "a b=c'd\">",
            "a/b='/>'/>",
            "a b\n=\n'>'>",
            "a b='x'c=\">\">",
            "a b=>'>",
            "a / >",
            "a b==\">",
            "a b= =>",
            "a=\">\">",
            "a b=\"\"\"\">",
        ] {
            let end = Tag::default().read(text.as_bytes(), 0);
            assert!(end.is_some(), "{text}");
            assert_eq!(Overlong::default().pass(text.as_bytes()), end, "{text}");
        }
        for text in ["a href='>", "a b=", "a", "a b", "a b=c", "a /", "a b='x'"] {
            assert_eq!(Tag::default().read(text.as_bytes(), 0), None, "{text}");
            assert_eq!(Overlong::default().pass(text.as_bytes()), None, "{text}");
        }
    }
}
