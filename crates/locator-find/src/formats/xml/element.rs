//! An element of XML. Finds the links of its attributes, its anchors and its `xml:base`, and
//! determines the kind of its content.
//!
//! The name of the root determines the [`Vocabulary`], and the name of the element the kind of content.
//! Follows the sitemap protocol 0.9 and its extensions, RSS 2.0, RSS 1.0 and the extensions of feeds,
//! RFC 4287 (Atom), OPML 2.0, ECMA-376 (Office Open XML).
//!
//! Character references are decoded by XML 1.0, 4.1 and 4.6. Entities that a document declares are not
//! known here and are copied unchanged.

use std::ops::{ControlFlow, Range};

use memchr::{memchr, memmem};
use quick_xml::events::attributes::{Attribute, Attributes};
use quick_xml::events::{BytesPI, BytesStart};

use crate::decode::{Decoded, DecodedSource, Escape};
use crate::formats::markup;
use crate::link::{Context, Purpose};
use crate::search::emitter::Emitter;
use crate::search::{Extent, Query};

/// A start tag.
pub(super) struct Element<'a> {
    name: &'a str,
    /// The text of the tag, to which offsets refer.
    content: &'a str,
    attributes: Attributes<'a>,
    /// The span of the tag in the held octets, from "<" to ">".
    span: Range<usize>,
}

/// An open element.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) name: String,
    pub(super) content: Content,
    /// The number of bases around it.
    pub(super) bases: usize,
    pub(super) space: Space,
    /// Whether its text is code.
    pub(super) is_code: bool,
    /// The namespace of names without a prefix in its content.
    unprefixed: Space,
}

/// A namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Space {
    Xhtml,
    Svg,
    #[default]
    Other,
}

impl Space {
    fn of_name(name: &str) -> Self {
        match name {
            "http://www.w3.org/1999/xhtml" => Self::Xhtml,
            "http://www.w3.org/2000/svg" => Self::Svg,
            _ => Self::Other,
        }
    }

    /// Returns the namespace of a usual prefix; documents with other prefixes are read as other
    /// XML.
    fn of_prefix(prefix: &str) -> Self {
        match prefix {
            "xhtml" | "html" | "h" => Self::Xhtml,
            "svg" => Self::Svg,
            _ => Self::Other,
        }
    }

    /// Returns whether its elements are read as in HTML.
    pub(super) fn is_html(self) -> bool {
        self != Self::Other
    }
}

impl<'a> Element<'a> {
    /// Returns the start tag with this span.
    pub(super) fn new(tag: &'a BytesStart<'a>, span: Range<usize>) -> Self {
        Self { name: tag.name().into_inner(), content: tag, attributes: tag.html_attributes(), span }
    }

    /// Returns a processing instruction as a tag; its content is one octet further from the start
    /// than in a tag.
    pub(super) fn of_instruction(instruction: &'a BytesPI<'a>, span: Range<usize>) -> Self {
        let span = span.start + 1..span.end;
        Self { name: instruction.target(), content: instruction, attributes: instruction.attributes(), span }
    }

    /// Returns its offset in the held octets.
    pub(super) const fn start(&self) -> usize {
        self.span.start
    }

    /// Returns the text of the tag.
    pub(super) const fn content(&self) -> &str {
        self.content
    }

    /// Returns its name without the prefix.
    pub(super) fn name(&self) -> &str {
        self.name.rsplit(':').next().unwrap_or_default()
    }

    /// Returns the state of the element until it ends.
    pub(super) fn open(&self, vocabulary: Vocabulary, around: Option<&Open>, bases: usize) -> Open {
        let unprefixed = match self.value("xmlns") {
            Some(name) => Space::of_name(&name),
            None => around.map_or_else(Space::default, |around| around.unprefixed),
        };
        let space = self.name.split_once(':').map_or(unprefixed, |(prefix, _)| Space::of_prefix(prefix));
        let content = match space {
            _ if space.is_html() && self.name() == "style" => Content::Css,
            _ if space.is_html() && self.name() == "script" => Content::Name,
            Space::Other => vocabulary.content(self.name(), |name| self.value(name)),
            _ => Content::Text,
        };
        let is_code = around.is_some_and(|around| around.is_code)
            || space == Space::Xhtml && (markup::is_code(self.name()) || self.name() == "script");
        Open { name: self.name.to_owned(), content, bases, space, is_code, unprefixed }
    }

    /// Returns whether it has only a name.
    pub(super) fn is_bare(&self) -> bool {
        self.content.len() == self.name.len()
    }

    /// Returns its `xml:base`.
    pub(super) fn xml_base(&self) -> Option<String> {
        self.value(XML_BASE)
    }

    /// Returns the base that an XHTML element declares for the whole document.
    pub(super) fn base_of_document(&self, space: Space) -> Option<String> {
        let is_base = space == Space::Xhtml && self.name() == "base";
        is_base.then(|| self.value("href")).flatten()
    }

    /// Emits its `xml:base` as a reference.
    pub(super) fn report_base(&self, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let Some(attribute) = self.attributes().find(|attribute| attribute.key.into_inner() == XML_BASE)
        else {
            return ControlFlow::Continue(());
        };
        self.report(&attribute, emitter)
    }

    /// Finds the links of its attributes.
    pub(super) fn find(
        &self,
        query: &Query<'_>,
        vocabulary: Vocabulary,
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        for attribute in self.attributes() {
            let name = attribute.key.into_inner();
            let local = name.rsplit(':').next().unwrap_or_default();
            match local {
                // Namespaces are names; the base was emitted before it was added.
                _ if name == "xmlns" || name == XML_BASE || name.starts_with("xmlns:") => {}
                _ if vocabulary.is_name(self.name(), local) => {}
                // "Internal" is a part of the package.
                "Target" if vocabulary == Vocabulary::Relationships => {
                    if self.value("TargetMode").as_deref() == Some("External") {
                        self.report(&attribute, emitter)?;
                    }
                }
                "schemaLocation" => self.report_schemas(&attribute, emitter)?,
                _ if vocabulary.is_reference(local) => self.report(&attribute, emitter)?,
                _ => {
                    let decoded = self.decoded(&attribute);
                    let traced = DecodedSource { decoded: &decoded, source: emitter.source };
                    let mut emitter = emitter.of(&traced);
                    match name {
                        "xml:id" | "id" => emitter.anchor(0..decoded.text().len(), text_of(&decoded)),
                        _ => {
                            let mut emitter = emitter.in_context(self.context(&attribute));
                            query.find_urls(decoded.text(), &mut emitter)?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// "a list of pairs of URI references [...] the first member of each pair is the namespace
    /// name" (XML Schema 1.0, 2.6.3). XML Schema's own attribute with that name has one reference
    /// without a namespace.
    fn report_schemas(&self, attribute: &Attribute<'_>, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let decoded = self.decoded(attribute);
        let text = text_of(&decoded);
        let words = text.split_ascii_whitespace();
        let skipped = usize::from(words.clone().nth(1).is_some());
        let traced = DecodedSource { decoded: &decoded, source: emitter.source };
        let mut emitter = emitter.of(&traced);
        for url in words.skip(skipped).step_by(2) {
            // INVARIANT: a word is a stretch of its text.
            let start = (url.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            emitter.link(start..start + url.len(), url, self.context(attribute))?;
        }
        ControlFlow::Continue(())
    }

    /// Emits an attribute whose value is a reference, without surrounding white space
    /// (`xs:anyURI`).
    fn report(&self, attribute: &Attribute<'_>, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let decoded = self.decoded(attribute);
        let (text, url) = (text_of(&decoded), text_of(&decoded).trim_ascii());
        let start = text.len() - text.trim_ascii_start().len();
        let context = self.context(attribute);
        let has_rel = matches!(self.name(), "a" | "link");
        let rel = has_rel.then(|| self.value("rel")).flatten();
        let purpose = rel.as_deref().map_or_else(Purpose::default, Purpose::of_rel);
        emitter.of(&DecodedSource { decoded: &decoded, source: emitter.source }).link_for(
            start..start + url.len(),
            url,
            context,
            purpose,
        )
    }

    fn context<'c>(&'c self, attribute: &Attribute<'c>) -> Context<'c> {
        Context::Attribute { element: self.name, attribute: attribute.key.into_inner() }
    }

    /// Finds the links of a tag as in HTML.
    pub(super) fn find_as_html(
        &self,
        query: &Query<'_>,
        space: Space,
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        let mut tag = Decoded::default();
        if space == Space::Svg {
            tag.put(b"<svg>", self.span.start, 0);
        }
        tag.keep(b"<", self.span.start);
        let prefix = self.name.len() - self.name().len();
        tag.keep(&self.content.as_bytes()[prefix..], self.span.start + 1 + prefix);
        tag.keep(b">", self.span.end - 1);
        let traced = DecodedSource { decoded: &tag, source: emitter.source };
        query.find_in("text/html", tag.text(), &mut emitter.of(&traced))
    }

    /// Returns the decoded value of an attribute.
    fn value(&self, name: &str) -> Option<String> {
        let attribute = self.attributes().find(|attribute| attribute.key.into_inner() == name)?;
        Some(text_of(&self.decoded(&attribute)).trim_ascii().to_owned())
    }

    fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> {
        let mut attributes = self.attributes.clone();
        // Duplicate names are read as two attributes; checking for them takes quadratic time.
        attributes.with_checks(false);
        attributes.filter_map(Result::ok)
    }

    /// Decodes a value, mapped to the held octets.
    fn decoded(&self, attribute: &Attribute<'_>) -> Decoded {
        let value = attribute.value.as_bytes();
        // INVARIANT: it is a stretch of the tag.
        let at = (value.as_ptr() as usize).saturating_sub(self.content.as_ptr() as usize);
        let mut decoded = Decoded::default();
        decode_references(value, self.span.start + 1 + at, &mut decoded);
        decoded
    }
}

fn text_of(decoded: &Decoded) -> &str {
    // INVARIANT: it was assembled from characters.
    str::from_utf8(decoded.text()).unwrap_or_default()
}

const XML_BASE: &str = "xml:base";

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
    /// A single URL, or an identifier that is not a reference.
    Permalink,
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
            (Self::OpenDocument, "annotation-end") => Join::Yes,
            _ => Join::No,
        }
    }

    /// Returns whether an element with this name has a text of its own within that of a paragraph, which goes on
    /// after it: a drawing with a text box, an annotation.
    pub(super) fn interrupts(self, tag: &str) -> bool {
        match self {
            Self::OfficeOpen => matches!(tag, "w:drawing" | "w:pict"),
            Self::OpenDocument => tag == "office:annotation",
            _ => false,
        }
    }

    /// Returns whether the content of an element, whose name has its prefix, is a part of the text that
    /// is read across tags. Other content between the parts is no text of the paragraph.
    pub(super) fn is_part(self, tag: &str) -> bool {
        self != Self::OfficeOpen || matches!(tag.rsplit(':').next(), Some("t" | "instrText"))
    }

    /// Returns the kind of an element's content; `attribute` returns the values of its attributes.
    fn content(self, name: &str, attribute: impl Fn(&str) -> Option<String>) -> Content {
        match (self, name) {
            (Self::Sitemap, "loc" | "thumbnail_loc" | "content_loc" | "player_loc" | "license") => {
                Content::Reference
            }
            // "If its value is false, the guid may not be assumed to be a url"
            (Self::Rss, "guid") if attribute("isPermaLink").is_some_and(|value| value == "false") => {
                Content::Name
            }
            // Without the attribute it is a link if it is one: many are numbers.
            (Self::Rss, "guid") if attribute("isPermaLink").is_none() => Content::Permalink,
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
    fn is_name(self, element: &str, attribute: &str) -> bool {
        match attribute {
            "Type" => self == Self::Relationships,
            "uri" => matches!(element, "ext" | "graphicData" | "schemaRef"),
            _ => false,
        }
    }

    /// Returns whether the value of an attribute is a reference, by its name without the prefix.
    fn is_reference(self, attribute: &str) -> bool {
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
            Self::Permalink if memmem::find(content, b"://").is_none() => ControlFlow::Continue(()),
            Self::Name if query.extent == Extent::All => query.find_urls(content, emitter),
            Self::Name => ControlFlow::Continue(()),
            Self::Html => query.find_in("text/html", content, emitter),
            Self::Css => query.find_in("text/css", content, emitter),
            Self::Reference | Self::Permalink => {
                let start = content.len() - content.trim_ascii_start().len();
                let url = content.trim_ascii();
                let span = start..start + url.len();
                emitter.link(span, &String::from_utf8_lossy(url), Context::Element(name))
            }
        }
    }
}

/// Decodes octets that begin at `start`.
pub(super) fn decode_references(octets: &[u8], start: usize, decoded: &mut Decoded) {
    let mut at = 0;
    while let Some(sign) = memchr(b'&', &octets[at..]).map(|length| at + length) {
        decoded.keep(&octets[at..sign], start + at);
        let reference = read_reference(&octets[sign..]).unwrap_or(Escape::new('&', 1));
        let mut buffer = [0; 4];
        let text = reference.means.encode_utf8(&mut buffer);
        decoded.put(text.as_bytes(), start + sign, reference.length);
        at = sign + reference.length;
    }
    decoded.keep(&octets[at..], start + at);
}

/// The maximum length of a reference.
const LONGEST: usize = 12;

/// Reads the reference at the start.
fn read_reference(octets: &[u8]) -> Option<Escape<char>> {
    let end = octets.iter().take(LONGEST).position(|octet| *octet == b';')?;
    let name = str::from_utf8(&octets[1..end]).ok()?;
    let character = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "apos" => '\'',
        "quot" => '"',
        _ => {
            let number = name.strip_prefix('#')?;
            let read =
                number.strip_prefix('x').map_or_else(|| number.parse(), |hex| u32::from_str_radix(hex, 16));
            char::from_u32(read.ok()?)?
        }
    };
    Some(Escape::new(character, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_and_traced() {
        let mut decoded = Decoded::default();
        decode_references(b"a&amp;b&#xE9;&#38;&nbsp;&#0;&", 10, &mut decoded);
        assert_eq!(str::from_utf8(decoded.text()), Ok("a&b\u{E9}&&nbsp;\0&"));
        assert_eq!(decoded.source_of(1..3), 11..17);
        assert_eq!(decoded.source_of(3..5), 17..23);
    }
}
