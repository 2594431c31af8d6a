//! XML vocabularies. Determines the vocabulary by the name of the root, and the kind of content by
//! the name of the element. Follows the sitemap protocol 0.9 and its extensions, RSS 2.0, RSS 1.0
//! and the extensions of feeds, RFC 4287 (Atom), OPML 2.0, ECMA-376 (Office Open XML).

use std::ops::ControlFlow;

use crate::link::Context;
use crate::search::Query;
use crate::search::emitter::Emitter;
use crate::search::options::Extent;

/// A known XML vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    Sitemap,
    Rss,
    Atom,
    Opml,
    /// The relationships of parts in an Office Open XML package (ECMA-376, part 2, 6.5).
    Relationships,
    /// The other parts of such a package: texts, tables and slides (ECMA-376, part 1).
    OfficeOpen,
    /// OpenDocument 1.3.
    OpenDocument,
    Other,
}

/// What a tag is for the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// The text ends.
    No,
    /// The text goes on after it: a change of the typeface, a bookmark, a mark of a spelling checker.
    Yes,
    /// It stands for a character.
    As(&'static str),
}

/// The beginnings of the namespaces of Office Open XML, transitional and strict.
const OFFICE_OPEN: [&str; 2] = ["://schemas.openxmlformats.org/", "://purl.oclc.org/ooxml/"];

/// The kind of an element's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Running text.
    Text,
    /// A single reference.
    Reference,
    /// An identifier that is not a reference.
    Name,
    /// Escaped HTML.
    Html,
    /// A style sheet.
    Css,
}

impl Vocabulary {
    /// Returns the vocabulary with this root.
    ///
    /// The names of other roots say little; `tag` with its namespaces says whether it is of an office.
    pub(super) fn of_root(name: &str, tag: &str) -> Self {
        match name {
            "urlset" | "sitemapindex" => Self::Sitemap,
            "rss" | "RDF" => Self::Rss,
            "feed" | "entry" => Self::Atom,
            "opml" => Self::Opml,
            "Relationships" => Self::Relationships,
            _ if OFFICE_OPEN.iter().any(|namespace| tag.contains(namespace)) => Self::OfficeOpen,
            _ if tag.contains("urn:oasis:names:tc:opendocument:xmlns:office:") => Self::OpenDocument,
            _ => Self::Other,
        }
    }

    /// Returns whether a text goes on after a tag with this name, which has its prefix.
    pub(super) fn joins(self, tag: &str) -> Join {
        let name = tag.rsplit(':').next().unwrap_or_default();
        match (self, name) {
            (Self::OfficeOpen, "noBreakHyphen") => Join::As("-"),
            // Paragraphs, cells, breaks, fields, phonetic readings, moved texts, pictures and marks of notes.
            (
                Self::OfficeOpen,
                "p" | "br" | "cr" | "tab" | "ptab" | "fldChar" | "si" | "is" | "c" | "row" | "tc" | "comment"
                | "text" | "rPh" | "moveFrom" | "txbxContent" | "sym" | "drawing" | "pict" | "object"
                | "footnoteReference" | "endnoteReference",
            ) => Join::No,
            (Self::OfficeOpen, _) => Join::Yes,
            (Self::OpenDocument, "s") if tag == "text:s" => Join::As(" "),
            (
                Self::OpenDocument,
                "span"
                | "a"
                | "bookmark"
                | "bookmark-start"
                | "bookmark-end"
                | "soft-page-break"
                | "reference-mark"
                | "reference-mark-start"
                | "reference-mark-end"
                | "change"
                | "change-start"
                | "change-end"
                | "alphabetical-index-mark"
                | "alphabetical-index-mark-start"
                | "alphabetical-index-mark-end"
                | "toc-mark"
                | "toc-mark-start"
                | "toc-mark-end"
                | "meta",
            ) if tag.starts_with("text:") => Join::Yes,
            _ => Join::No,
        }
    }

    /// Returns whether the content of an element, whose name has its prefix, is a part of the text that
    /// is read across tags. Other content between the parts is no text of the paragraph.
    pub(super) fn is_part(self, tag: &str) -> bool {
        self != Self::OfficeOpen || matches!(tag.rsplit(':').next(), Some("t" | "instrText"))
    }

    /// Returns the kind of an element's content; `attribute` returns the values of its attributes.
    pub(super) fn content(self, name: &str, attribute: impl Fn(&str) -> Option<String>) -> Content {
        match (self, name) {
            (Self::Sitemap, "loc" | "thumbnail_loc" | "content_loc" | "player_loc" | "license") => {
                Content::Reference
            }
            // "If its value is false, the guid may not be assumed to be a url"
            (Self::Rss, "guid") if attribute("isPermaLink").is_some_and(|value| value == "false") => {
                Content::Name
            }
            (
                Self::Rss,
                "link" | "guid" | "url" | "comments" | "docs" | "commentRss" | "new-feed-url" | "origLink",
            ) => Content::Reference,
            // "entity-encoded HTML is allowed"
            (Self::Rss, "description" | "encoded" | "summary") => Content::Html,
            (Self::Atom, "icon" | "logo" | "uri" | "id") => Content::Reference,
            // RFC 4287, 3.1.1.2: "If the value of "type" is "html", the content of the Text
            // construct MUST NOT contain child elements and SHOULD be suitable for handling as
            // HTML"
            (Self::Atom, "content" | "summary" | "title" | "subtitle" | "rights") => {
                let is_html = |value: String| matches!(&*value, "html" | "text/html");
                if attribute("type").is_some_and(is_html) { Content::Html } else { Content::Text }
            }
            _ => Content::Text,
        }
    }

    /// Returns whether the value of an attribute is a name that only looks like a URL. Examples are
    /// the types of relationships, and extensions, kinds of graphics and schemas in Office Open
    /// XML.
    pub(super) fn is_name(self, element: &str, attribute: &str) -> bool {
        match attribute {
            "Type" => self == Self::Relationships,
            "uri" => matches!(element, "ext" | "graphicData" | "schemaRef"),
            _ => false,
        }
    }

    /// Returns whether the value of an attribute is a reference, by its name without the prefix.
    pub(super) fn is_reference(self, attribute: &str) -> bool {
        match attribute {
            // XLink, XInclude, XSLT, Atom and vocabularies that use their attributes
            "href" | "src" => true,
            // enclosure, source, media:content
            "url" => self == Self::Rss || self == Self::Opml,
            "xmlUrl" | "htmlUrl" => self == Self::Opml,
            _ => false,
        }
    }
}

impl Content {
    /// Finds the links of a content.
    pub(super) fn find(
        self,
        query: &Query<'_>,
        name: &str,
        content: &[u8],
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        match self {
            Self::Text => query.find_urls(content, emitter),
            Self::Name if query.extent == Extent::All => query.find_urls(content, emitter),
            Self::Name => ControlFlow::Continue(()),
            Self::Html => query.find_in("text/html", content, emitter),
            Self::Css => query.find_in("text/css", content, emitter),
            Self::Reference => {
                let start = content.len() - content.trim_ascii_start().len();
                let url = content.trim_ascii();
                let span = start..start + url.len();
                emitter.link(span, &String::from_utf8_lossy(url), Context::Element(name))
            }
        }
    }
}
