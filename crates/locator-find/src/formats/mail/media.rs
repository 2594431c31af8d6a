//! Media types. Reads the values of `Content-Type` and `Content-Disposition` with their parameters.
//! Follows RFC 2045, 5.1, and RFC 2231; `mail-parser` parses the syntax.

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use crate::search::{FormatSpec, Query};

/// A media type or a disposition, with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Media {
    /// The name, such as `text/html`, in lower case.
    name: String,
    parameters: Vec<(String, String)>,
}

/// The kind of an entity's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A document of some format.
    Document,
    /// Parts, between boundary lines.
    Multipart,
    /// Another message.
    Message,
}

/// The maximum length of a value: the parser takes more time per octet for longer values.
const LONGEST: usize = 8 << 10;

impl Media {
    /// Parses the value of a field; returns `None` if it is invalid.
    pub(super) fn read(value: &[u8]) -> Option<Self> {
        if value.len() > LONGEST {
            return None;
        }
        let line = [value, b"\n"].concat();
        let HeaderValue::ContentType(read) = MessageStream::new(&line).parse_content_type() else {
            return None;
        };
        let subtype = read.c_subtype.map(|subtype| format!("/{subtype}")).unwrap_or_default();
        let parameters = read.attributes.unwrap_or_default().into_iter();
        Some(Self {
            name: format!("{}{subtype}", read.c_type).to_ascii_lowercase(),
            parameters: parameters.map(|one| (one.name.into_owned(), one.value.into_owned())).collect(),
        })
    }

    /// Returns a type without parameters.
    pub(super) fn of_name(name: &str) -> Self {
        Self { name: name.to_owned(), parameters: Vec::new() }
    }

    /// Returns the value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    /// Returns whether a parameter has this value.
    pub(super) fn says(&self, name: &str, value: &str) -> bool {
        self.parameter(name).is_some_and(|said| said.eq_ignore_ascii_case(value))
    }

    /// Returns whether this is the named type.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// Returns the kind of a body of this type.
    pub(super) fn content(&self) -> Content {
        match self.name.split_once('/').unwrap_or((&self.name, "")) {
            ("multipart", _) => Content::Multipart,
            ("message", "rfc822" | "global" | "news") => Content::Message,
            _ => Content::Document,
        }
    }

    /// Returns the format of a body by its type or file name; `None` if it contains no text, such
    /// as pictures and programs.
    pub(super) fn format(&self, file: Option<&str>, query: &Query<'_>) -> Option<&'static FormatSpec> {
        match self.name.as_str() {
            "application/octet-stream" => query.by_path(file?.as_ref()),
            name => query.by_media_type(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finder::Finder;

    #[test]
    fn types_are_read_with_their_parameters() {
        let media =
            Media::read(b" Text/HTML; charset=\"utf-8\";\r\n x*0=a; x*1=b (comment)").unwrap_or_default();
        assert!(media.is("text/html") && media.says("charset", "UTF-8"));
        assert_eq!(media.parameter("x"), Some("ab"));
        let finder = Finder::new();
        let format = |media: &Media, file| media.format(file, &finder.query()).map(|format| format.name);
        assert_eq!((media.content(), format(&media, None)), (Content::Document, Some("html")));
        assert_eq!(Media::read(b""), None);
        let octets = Media::of_name("application/octet-stream");
        assert_eq!(format(&octets, Some("a.md")), Some("markdown"));
    }
}
