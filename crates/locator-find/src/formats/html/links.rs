//! The links of a tag. Finds the links and anchors in a start tag and in the content of some
//! elements.

use std::ops::{ControlFlow, Range};

use super::attributes::{Kind, Space};
use super::json;
use super::scan::{Token, TokenSink};
use super::start::Start;
use super::tag::{Attribute, Other};
use super::value::{Value, candidates, split};
use crate::decode::chain::DecodeChain;
use crate::decode::charset::Charset;
use crate::decode::encoding::decode;
use crate::decode::source::SourceMap;
use crate::link::escaped::LONGEST_BASE;
use crate::link::purpose::Purpose;
use crate::link::refresh;
use crate::link::whitespace::{without_breaks, without_edges};
use crate::link::{Context, PassedOver};
use crate::search::Query;
use crate::search::emitter::Emitter;
use crate::search::options::Extent;

/// Emits the links of tokens.
pub(super) struct Links<'a> {
    pub(super) query: &'a Query<'a>,
    pub(super) emitter: Emitter<'a>,
    /// The number of bases around the document.
    pub(super) around: usize,
    pub(super) charset: Charset,
}

/// An attribute with its element.
struct Valued<'v> {
    value: &'v Value<'v>,
    context: Context<'v>,
    purpose: Purpose<'v>,
}

impl TokenSink for Links<'_> {
    fn take(&mut self, octets: &[u8], met: Token<'_>) -> ControlFlow<()> {
        match met {
            Token::Start { tag, space, is_inert, in_noscript, form } => {
                let name = String::from_utf8_lossy(tag.name());
                // "A start tag whose tag name is "image": Change the token's tag name to "img" and
                // reprocess it."
                let element = if name == "image" && space == Space::Html { "img" } else { &name };
                self.start(&Start { octets, tag, element, is_inert, in_noscript, form }, space)
            }
            Token::Style { content, space } => self.style(octets, content, space),
            Token::Text { content, has_references, is_code } => {
                self.text(octets, content, has_references, is_code)
            }
            Token::Json { content } if self.query.options.json_ld => {
                let steps = decoded(octets, content, self.emitter.source, self.charset);
                let mut emitter = self.emitter.of(&steps);
                json::find(steps.text(), &mut |span, url, member| {
                    emitter.link(span, url, Context::Json(member))
                })
            }
            Token::Json { content } if self.query.extent == Extent::All => {
                self.text(octets, content, false, false)
            }
            Token::Json { .. } => ControlFlow::Continue(()),
        }
    }
}

impl Links<'_> {
    fn start(&mut self, start: &Start<'_>, space: Space) -> ControlFlow<()> {
        let Start { octets, tag, element, is_inert, .. } = *start;
        let mut others = tag.others().iter().peekable();
        for attribute in tag.attributes() {
            while let Some(other) = others.next_if(|other| other.name.start < attribute.value.start) {
                self.other(octets, other, element)?;
            }
            let kind = match attribute.name.kind_in(space, element) {
                Some(Kind::Content) if start.is_refresh() => Kind::Content,
                None | Some(Kind::Said | Kind::Content) => match self.query.extent {
                    Extent::All => Kind::Said,
                    Extent::Links | Extent::Text => continue,
                },
                // No fragment refers to a name in a template.
                Some(Kind::Id | Kind::Anchor) if is_inert => continue,
                Some(kind) => kind,
            };
            self.attribute(start, attribute, kind)?;
        }
        others.try_for_each(|other| self.other(octets, other, element))
    }

    /// Searches text between tags or the like.
    fn text(
        &mut self,
        octets: &[u8],
        content: Range<usize>,
        has_references: bool,
        is_code: bool,
    ) -> ControlFlow<()> {
        if !has_references {
            let steps = decoded(octets, content, self.emitter.source, self.charset);
            return self.query.find_urls(steps.text(), &mut self.emitter.of(&steps).in_code(is_code));
        }
        let rest = octets.get(content.end..).unwrap_or_default();
        let value = Value::of(octets, content, self.charset);
        let source = Within { value: &value, source: self.emitter.source };
        let text = value.text().as_bytes();
        self.query.find_urls_before(rest, text, &mut self.emitter.of(&source).in_code(is_code))
    }

    /// Searches an attribute that is searched only with
    /// [`Extent::All`](crate::search::options::Extent::All).
    fn other(&mut self, octets: &[u8], other: &Other, element: &str) -> ControlFlow<()> {
        let value = Value::of(octets, other.value.clone(), self.charset);
        let name = String::from_utf8_lossy(&octets[other.name.clone()]).to_ascii_lowercase();
        // A namespace is a name, here as in XML.
        if name == "xmlns" || name.starts_with("xmlns:") {
            return ControlFlow::Continue(());
        }
        let context = Context::Attribute { element, attribute: &name };
        self.said(&Valued { value: &value, context, purpose: Purpose::default() })
    }

    fn said(&mut self, valued: &Valued<'_>) -> ControlFlow<()> {
        let source = Within { value: valued.value, source: self.emitter.source };
        let text = valued.value.text().as_bytes();
        self.query.find_urls(text, &mut self.emitter.of(&source).in_context(valued.context))
    }

    #[inline]
    fn attribute(&mut self, start: &Start<'_>, attribute: &Attribute, kind: Kind) -> ControlFlow<()> {
        let purpose = start.purpose(attribute.name, kind);
        match start.rel(attribute.name, self.charset) {
            Some(rel) => self.attribute_for(start, attribute, kind, Purpose::of_rel(rel.text())),
            None => self.attribute_for(start, attribute, kind, purpose),
        }
    }

    fn attribute_for(
        &mut self,
        start: &Start<'_>,
        attribute: &Attribute,
        kind: Kind,
        purpose: Purpose<'_>,
    ) -> ControlFlow<()> {
        let value = Value::of(start.octets, attribute.value.clone(), self.charset);
        let context = Context::Attribute { element: start.element, attribute: attribute.name.as_str() };
        let valued = Valued { value: &value, context, purpose };
        if let Some(at) = value.cut() {
            self.emitter.passed_over(at, PassedOver::Rest);
        }
        let text = value.text();
        let all = 0..text.len();
        match kind {
            Kind::Link => self.link(&valued, all),
            Kind::NonEmpty => self.link_unless_empty(&valued, all),
            // "However, if the URL reference occurs in a context that is always intended to result in
            // a new request, as in the cases of HTML's FORM "action" attribute and IMG "src" attribute
            // [RFC1866], then an empty URL reference represents the URL of the current document"
            // (1997, 3)
            Kind::Requested if self.emitter.bases.edition().requests_empty_references() => {
                self.link(&valued, all)
            }
            Kind::Requested => self.link_unless_empty(&valued, all),
            Kind::Base => self.base(&valued),
            Kind::BySpace => self.links(&valued, split(text, |octet| octet.is_ascii_whitespace())),
            Kind::Comma => self.links(&valued, split(text, |octet| octet == b',')),
            Kind::Srcset => self.links(&valued, candidates(text)),
            Kind::Content => self.links(&valued, refresh::url_of(text).into_iter()),
            Kind::Style => self.declarations(&valued),
            Kind::Document => self.document(&value),
            Kind::Id | Kind::Anchor => {
                if !text.is_empty() {
                    self.emitter.anchor(value.source_of(all), text);
                }
                ControlFlow::Continue(())
            }
            Kind::Said => self.said(&valued),
        }
    }

    fn links(&mut self, valued: &Valued<'_>, spans: impl Iterator<Item = Range<usize>>) -> ControlFlow<()> {
        for span in spans {
            self.link_unless_empty(valued, span)?;
        }
        ControlFlow::Continue(())
    }

    fn link_unless_empty(&mut self, valued: &Valued<'_>, span: Range<usize>) -> ControlFlow<()> {
        match without_edges(valued.value.text(), span.clone()).is_empty() {
            true => ControlFlow::Continue(()),
            false => self.link(valued, span),
        }
    }

    fn link(&mut self, valued: &Valued<'_>, span: Range<usize>) -> ControlFlow<()> {
        let text = valued.value.text();
        let span = without_edges(text, span);
        let url = without_breaks(&text[span.clone()]);
        self.emitter.link_for(valued.value.source_of(span), &url, valued.context, valued.purpose)
    }

    /// A `base` is relative to the bases around the document.
    fn base(&mut self, valued: &Valued<'_>) -> ControlFlow<()> {
        if valued.value.text().len() > LONGEST_BASE {
            self.emitter.passed_over(valued.value.source_of(0..0).start, PassedOver::LongBase);
        }
        let mut around = self.emitter.bases.clone();
        around.truncate(self.around);
        let emitter = self.emitter.with_bases(&mut around);
        let mut links = Links { emitter, query: self.query, around: self.around, charset: self.charset };
        links.link_unless_empty(valued, 0..valued.value.text().len())
    }

    /// Comments in declarations are never searched.
    fn declarations(&mut self, valued: &Valued<'_>) -> ControlFlow<()> {
        let source = Within { value: valued.value, source: self.emitter.source };
        let mut emitter = self.emitter.of(&source).in_context(valued.context);
        self.query.find_in(STYLE_SHEET, valued.value.text().as_bytes(), &mut emitter)
    }

    /// "The iframe srcdoc document": without a base of its own it has the base of the containing
    /// document.
    fn document(&mut self, value: &Value<'_>) -> ControlFlow<()> {
        let Some(query) = self.query.nested() else {
            return ControlFlow::Continue(());
        };
        let source = Within { value, source: self.emitter.source };
        query.find_in(PAGE, value.text().as_bytes(), &mut self.emitter.of(&source))
    }

    /// A style sheet in SVG is markup: character references are decoded.
    fn style(&mut self, octets: &[u8], content: Range<usize>, space: Space) -> ControlFlow<()> {
        if space == Space::Svg {
            let value = Value::of(octets, content, self.charset);
            let source = Within { value: &value, source: self.emitter.source };
            let text = value.text().as_bytes();
            return self.query.find_in(STYLE_SHEET, text, &mut self.emitter.of(&source));
        }
        let steps = decoded(octets, content, self.emitter.source, self.charset);
        self.query.find_in(STYLE_SHEET, steps.text(), &mut self.emitter.of(&steps))
    }
}

/// The media type of documents in a page.
const PAGE: &str = "text/html";
const STYLE_SHEET: &str = "text/css";

/// Decodes the content of an element without markup.
fn decoded<'a>(
    octets: &'a [u8],
    content: Range<usize>,
    source: &'a dyn SourceMap,
    charset: Charset,
) -> DecodeChain<'a> {
    DecodeChain::new(source, content.start, &octets[content]).then(|text| decode(text, charset.of(text)))
}

/// A value in the document.
struct Within<'a> {
    value: &'a Value<'a>,
    source: &'a dyn SourceMap,
}

impl SourceMap for Within<'_> {
    fn written(&self, span: Range<usize>) -> &[u8] {
        self.source.written(self.value.source_of(span))
    }

    fn place(&self, span: Range<usize>) -> crate::Location {
        self.source.place(self.value.source_of(span))
    }

    fn cut(&self) -> Option<crate::Location> {
        self.value.cut().map(|at| self.source.place(at..at))
    }
}
