//! An element of XML. Finds the links of its attributes, its anchors and its `xml:base`, and
//! determines the kind of its content.

use std::ops::{ControlFlow, Range};

use quick_xml::events::attributes::{Attribute, Attributes};
use quick_xml::events::{BytesPI, BytesStart};

use super::references::decode;
use super::vocabulary::{Content, Vocabulary};
use crate::decode::decoded::{Decoded, Traced};
use crate::formats::code;
use crate::link::Context;
use crate::link::purpose::Purpose;
use crate::search::Query;
use crate::search::emitter::Emitter;

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
            || space == Space::Xhtml && (code::is_code(self.name()) || self.name() == "script");
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
                    let traced = Traced { decoded: &decoded, source: emitter.source };
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
        let traced = Traced { decoded: &decoded, source: emitter.source };
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
        emitter.of(&Traced { decoded: &decoded, source: emitter.source }).link_for(
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
            tag.put(b"<svg>", self.span.start, (5, 0));
        }
        tag.keep(b"<", self.span.start);
        let prefix = self.name.len() - self.name().len();
        tag.keep(&self.content.as_bytes()[prefix..], self.span.start + 1 + prefix);
        tag.keep(b">", self.span.end - 1);
        let traced = Traced { decoded: &tag, source: emitter.source };
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
        decode(value, self.span.start + 1 + at, &mut decoded);
        decoded
    }
}

fn text_of(decoded: &Decoded) -> &str {
    // INVARIANT: it was assembled from characters.
    str::from_utf8(decoded.text()).unwrap_or_default()
}

const XML_BASE: &str = "xml:base";
