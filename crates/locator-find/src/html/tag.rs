//! Tags: the octets behind "<" or "</" enter, the tag's name and those of its attributes that are asked for leave, each with its
//! place. Follows the HTML standard, 13.2.5, from "tag open state" to "self-closing start tag state".

use std::ops::Range;

use memchr::memchr;

use super::attributes::Name;

/// A tag; one is read after the other into the same memory.
#[derive(Debug, Default)]
pub(super) struct Tag {
    /// In small letters.
    name: Vec<u8>,
    attributes: Vec<Attribute>,
    /// Whether others are kept.
    all: bool,
    others: Vec<Other>,
    self_closing: bool,
}

/// An attribute that something depends on.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: Name,
    /// Where its value stands, without quotes.
    pub(super) value: Range<usize>,
}

/// An attribute on which nothing depends, by the places of its name and its value.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

impl Tag {
    /// Keeps all attributes, too.
    pub(super) fn of_all(all: bool) -> Self {
        Self { all, ..Self::default() }
    }

    /// Its attributes that nothing depends on, in their order, if they are kept.
    pub(super) fn others(&self) -> &[Other] {
        &self.others
    }

    /// Reads a tag whose name begins at `at`; gives where what is behind it begins, or nothing if its end is not there.
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

    /// Reads an attribute, gives where what is behind it begins.
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
        let (value, behind) = match octets[at] {
            quote @ (b'"' | b'\'') => {
                let end = at + 1 + memchr(quote, &octets[at + 1..])?;
                (at + 1..end, end + 1)
            }
            // "attribute value (unquoted) state": it ends with white space or ">", and with nothing else. A ">"
            // at once is a missing value.
            _ => {
                let length = octets[at..].iter().position(|octet| is_space(*octet) || *octet == b'>')?;
                (at..at + length, at + length)
            }
        };
        self.put(octets, start..end, value);
        Some(behind)
    }

    /// "if there is already an attribute on the token with the exact same name, then [...] the new attribute must be removed"
    fn put(&mut self, octets: &[u8], name: Range<usize>, value: Range<usize>) {
        match Name::of(&octets[name.clone()]) {
            None if self.all => self.others.push(Other { name, value }),
            Some(name) if !self.attributes.iter().any(|attribute| attribute.name == name) => {
                self.attributes.push(Attribute { name, value });
            }
            _ => {}
        }
    }

    /// Its name, in small letters.
    pub(super) fn name(&self) -> &[u8] {
        &self.name
    }

    /// Its attributes that something depends on, in their order.
    pub(super) fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Where the value of an attribute stands.
    pub(super) fn value(&self, name: Name) -> Option<Range<usize>> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
            .map(|attribute| attribute.value.clone())
    }

    /// Whether it ends with "/>".
    pub(super) const fn is_self_closing(&self) -> bool {
        self.self_closing
    }
}

/// White space where the standard lists it: "U+0009, U+000A, U+000C, U+0020"; CR has become LF before ("normalizing newlines").
pub(super) const fn is_space(octet: u8) -> bool {
    matches!(octet, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

const fn ends_name(octet: u8) -> bool {
    is_space(octet) || matches!(octet, b'/' | b'>')
}

fn skip_space(octets: &[u8], from: usize) -> Option<usize> {
    octets[from..].iter().position(|octet| !is_space(*octet)).map(|length| from + length)
}

/// A tag that is too long to be held: only its end is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Overlong {
    /// Before "<".
    #[default]
    Open,
    /// In its own name.
    Tag,
    /// Between attributes.
    Between,
    /// In an attribute's name.
    Name,
    /// Behind "=".
    Value,
    /// In a value, which the octet ends.
    Quoted(u8),
    /// In a value without quotes.
    Bare,
}

impl Overlong {
    /// Goes on through the octets; gives where what is behind the tag begins, if it ends in them.
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
                // A "=" may stand behind white space.
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
