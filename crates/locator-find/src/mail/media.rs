//! What a part is: the values of `Content-Type` and `Content-Disposition` enter, the media type and its parameters leave. Follows
//! RFC 2045, 5.1, and RFC 2231; `mail-parser` reads the syntax.

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use crate::spec::{FormatSpec, Query};

/// A media type, or a disposition, with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Media {
    /// As `text/html`, in small letters.
    name: String,
    parameters: Vec<(String, String)>,
}

/// What a part's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A document of some format.
    Document,
    /// Parts, between lines with the boundary.
    Multipart,
    /// Another message.
    Message,
}

/// A longer value is none: what reads it takes the more time an octet the longer it is.
const LONGEST: usize = 8 << 10;

impl Media {
    /// Reads a field's value; nothing if it is none.
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

    /// A type without parameters.
    pub(super) fn of_name(name: &str) -> Self {
        Self { name: name.to_owned(), parameters: Vec::new() }
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    /// Whether a parameter has this value.
    pub(super) fn says(&self, name: &str, value: &str) -> bool {
        self.parameter(name).is_some_and(|said| said.eq_ignore_ascii_case(value))
    }

    /// Whether it is this type.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// What a body of this type is.
    pub(super) fn content(&self) -> Content {
        match self.name.split_once('/').unwrap_or((&self.name, "")) {
            ("multipart", _) => Content::Multipart,
            ("message", "rfc822" | "global" | "news") => Content::Message,
            _ => Content::Document,
        }
    }

    /// The format that a body of this type is searched as, or of the name that the part has; nothing for that in which no text is to be
    /// expected: pictures, programs.
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
