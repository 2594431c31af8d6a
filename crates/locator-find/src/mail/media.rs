//! What a part is: the values of `Content-Type` and `Content-Disposition` enter, the media type and its parameters leave. Follows
//! RFC 2045, 5.1, and RFC 2231; `mail-parser` reads the syntax.

use mail_parser::HeaderValue;
use mail_parser::parsers::MessageStream;

use crate::format::Format;

/// A media type, or a disposition, with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Media {
    /// As `text/html`, in small letters.
    name: String,
    parameters: Vec<(String, String)>,
}

/// What a part's body is searched as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A document of that format.
    Document(Format),
    /// Parts, between lines with the boundary.
    Multipart,
    /// Another message.
    Message,
    /// Nothing in which text is to be expected: pictures, programs.
    Other,
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

    /// What a body of this type is searched as; `file` is the name that the part has.
    pub(super) fn content(&self, file: Option<&str>) -> Content {
        let (kind, subtype) = self.name.split_once('/').unwrap_or((&self.name, ""));
        match (kind, subtype) {
            ("multipart", _) => Content::Multipart,
            ("message", "rfc822" | "global" | "news") => Content::Message,
            ("text", "html") => Content::Document(Format::Html),
            ("text", "css") => Content::Document(Format::Css),
            ("text", "markdown" | "x-markdown") => Content::Document(Format::Markdown),
            ("text" | "application", "x-tex" | "x-latex" | "x-bibtex") => Content::Document(Format::Tex),
            ("text", "csv") => Content::Document(Format::Csv),
            ("text", "tab-separated-values") => Content::Document(Format::Tsv),
            ("text", "calendar") => Content::Document(Format::ICalendar),
            ("text", "vcard" | "x-vcard" | "directory") => Content::Document(Format::VCard),
            ("text" | "application", "troff" | "x-troff" | "x-troff-man") => Content::Document(Format::Roff),
            ("text" | "application", "ldif" | "x-ldif") => Content::Document(Format::Ldif),
            ("application", "json" | "x-ndjson" | "jsonl") => Content::Document(Format::Json),
            _ if subtype.ends_with("+json") => Content::Document(Format::Json),
            (_, "xml") => Content::Document(Format::Xml),
            _ if subtype.ends_with("+xml") => Content::Document(Format::Xml),
            ("text" | "message", _) | ("application", "javascript" | "x-sh" | "yaml" | "toml") => {
                Content::Document(Format::Text)
            }
            ("application", "octet-stream") => {
                file.and_then(|file| Format::of_path(file.as_ref())).map_or(Content::Other, Content::Document)
            }
            _ => Content::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_with_their_parameters() {
        let media =
            Media::read(b" Text/HTML; charset=\"utf-8\";\r\n x*0=a; x*1=b (comment)").unwrap_or_default();
        assert!(media.is("text/html") && media.says("charset", "UTF-8"));
        assert_eq!(media.parameter("x"), Some("ab"));
        assert_eq!(media.content(None), Content::Document(Format::Html));
        assert_eq!(Media::read(b""), None);
        assert_eq!(
            Media::of_name("application/octet-stream").content(Some("a.md")),
            Content::Document(Format::Markdown)
        );
    }
}
