//! The links of a tag. Finds the links and anchors in a start tag and in the content of some elements,
//! and what they are for. Follows the HTML standard, 4.6.7 "Link types" and 4.10.19.6 "Form submission".
//!
//! In JSON-LD, finds the strings that are links. Follows RFC 8259 for the syntax and JSON-LD 1.1 for the
//! meaning, as far as possible without fetching a context. A context may turn any member's value into a
//! link. Without it, links are the values of certain keywords and every string that begins as an
//! absolute URL with "//".

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr2};

use crate::decode::charset::{Charset, decode};
use crate::decode::{DecodeChain, Escape, Location, SourceMap};
use crate::formats::html::attributes::{Kind, Name, Space, is_card};
use crate::formats::html::link_text::shown_text;
use crate::formats::html::scan::{Token, TokenSink, method_of};
use crate::formats::html::tag::{Attribute, Other, Tag};
use crate::formats::html::value::{Value, candidates, split};
use crate::link::reference::{self, LONGEST_BASE, without_breaks, without_edges};
use crate::link::{Context, Method, PassedOver, Purpose};
use crate::search::emitter::Emitter;
use crate::search::{Extent, Query};

/// Emits the links of tokens.
pub(super) struct Links<'a> {
    pub(super) query: &'a Query<'a>,
    pub(super) emitter: Emitter<'a>,
    /// The number of bases around the document.
    pub(super) around: usize,
    pub(super) charset: Charset,
}

/// An attribute with its element.
struct AttributeValue<'v> {
    value: &'v Value<'v>,
    context: Context<'v>,
    purpose: Purpose<'v>,
}

impl TokenSink for Links<'_> {
    fn take(&mut self, octets: &[u8], token: Token<'_>) -> ControlFlow<()> {
        match token {
            Token::Start { tag, space, is_inert, in_noscript, form, content } => {
                let name = String::from_utf8_lossy(tag.name());
                // "A start tag whose tag name is "image": Change the token's tag name to "img" and
                // reprocess it."
                let element = if name == "image" && space == Space::Html { "img" } else { &name };
                self.start(&Start { octets, tag, element, is_inert, in_noscript, form, content }, space)
            }
            Token::Style { content, space } => self.style(octets, content, space),
            Token::Text { content, has_references, is_code } => {
                self.text(octets, content, has_references, is_code)
            }
            Token::Json { content } if self.query.options.json_ld => {
                let steps = decoded(octets, content, self.emitter.source, self.charset);
                let mut emitter = self.emitter.of(&steps);
                find(steps.text(), &mut |span, url, member| emitter.link(span, url, Context::Json(member)))
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
        let &Start { octets, tag, element, is_inert, .. } = start;
        let mut others = tag.others().iter().peekable();
        for attribute in tag.attributes() {
            while let Some(other) = others.next_if(|other| other.name.start < attribute.value.start) {
                self.other(octets, other, element)?;
            }
            let kind = match attribute.name.kind_in(space, element) {
                Some(Kind::Content) if start.is_refresh() => Kind::Content,
                Some(Kind::Content) if start.is_card() => Kind::NonEmpty,
                None | Some(Kind::Other | Kind::Content) => match self.query.extent {
                    Extent::All => Kind::Other,
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
        let source = ValueSource { value: &value, source: self.emitter.source };
        let text = value.text().as_bytes();
        self.query.find_urls_before(rest, text, &mut self.emitter.of(&source).in_code(is_code))
    }

    /// Searches an attribute that is searched only with
    /// [`Extent::All`].
    fn other(&mut self, octets: &[u8], other: &Other, element: &str) -> ControlFlow<()> {
        let value = Value::of(octets, other.value.clone(), self.charset);
        let name = String::from_utf8_lossy(&octets[other.name.clone()]).to_ascii_lowercase();
        // A namespace is a name, here as in XML.
        if name == "xmlns" || name.starts_with("xmlns:") {
            return ControlFlow::Continue(());
        }
        let context = Context::Attribute { element, attribute: &name };
        self.find_in_value(&AttributeValue { value: &value, context, purpose: Purpose::default() })
    }

    fn find_in_value(&mut self, valued: &AttributeValue<'_>) -> ControlFlow<()> {
        let source = ValueSource { value: valued.value, source: self.emitter.source };
        let text = valued.value.text().as_bytes();
        self.query.find_urls(text, &mut self.emitter.of(&source).in_context(valued.context))
    }

    #[inline]
    fn attribute(&mut self, start: &Start<'_>, attribute: &Attribute, kind: Kind) -> ControlFlow<()> {
        let purpose = start.purpose(attribute.name, kind);
        let text = start.text(attribute.name, self.charset);
        match start.rel(attribute.name, self.charset) {
            Some(rel) => {
                let purpose = Purpose::of_rel(rel.text()).with_text(text.as_deref());
                self.attribute_for(start, attribute, kind, purpose)
            }
            None => self.attribute_for(start, attribute, kind, purpose.with_text(text.as_deref())),
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
        let valued = AttributeValue { value: &value, context, purpose };
        if let Some(at) = value.truncated() {
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
            Kind::Content => self.links(&valued, reference::refresh_url(text).into_iter()),
            Kind::Style => self.declarations(&valued),
            Kind::Document => self.document(&value),
            Kind::Id | Kind::Anchor => {
                if !text.is_empty() {
                    self.emitter.anchor(value.source_of(all), text);
                }
                ControlFlow::Continue(())
            }
            Kind::Other => self.find_in_value(&valued),
        }
    }

    fn links(
        &mut self,
        valued: &AttributeValue<'_>,
        spans: impl Iterator<Item = Range<usize>>,
    ) -> ControlFlow<()> {
        for span in spans {
            self.link_unless_empty(valued, span)?;
        }
        ControlFlow::Continue(())
    }

    fn link_unless_empty(&mut self, valued: &AttributeValue<'_>, span: Range<usize>) -> ControlFlow<()> {
        match without_edges(valued.value.text(), span.clone()).is_empty() {
            true => ControlFlow::Continue(()),
            false => self.link(valued, span),
        }
    }

    fn link(&mut self, valued: &AttributeValue<'_>, span: Range<usize>) -> ControlFlow<()> {
        let text = valued.value.text();
        let span = without_edges(text, span);
        let url = without_breaks(&text[span.clone()]);
        self.emitter.link_for(valued.value.source_of(span), &url, valued.context, valued.purpose)
    }

    /// A `base` is relative to the bases around the document.
    fn base(&mut self, valued: &AttributeValue<'_>) -> ControlFlow<()> {
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
    fn declarations(&mut self, valued: &AttributeValue<'_>) -> ControlFlow<()> {
        let source = ValueSource { value: valued.value, source: self.emitter.source };
        let mut emitter = self.emitter.of(&source).in_context(valued.context);
        self.query.find_in(STYLE_SHEET, valued.value.text().as_bytes(), &mut emitter)
    }

    /// "The iframe srcdoc document": without a base of its own it has the base of the containing
    /// document.
    fn document(&mut self, value: &Value<'_>) -> ControlFlow<()> {
        let Some(query) = self.query.nested() else {
            return ControlFlow::Continue(());
        };
        let source = ValueSource { value, source: self.emitter.source };
        query.find_in(PAGE, value.text().as_bytes(), &mut self.emitter.of(&source))
    }

    /// A style sheet in SVG is markup: character references are decoded.
    fn style(&mut self, octets: &[u8], content: Range<usize>, space: Space) -> ControlFlow<()> {
        if space == Space::Svg {
            let value = Value::of(octets, content, self.charset);
            let source = ValueSource { value: &value, source: self.emitter.source };
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
struct ValueSource<'a> {
    value: &'a Value<'a>,
    source: &'a dyn SourceMap,
}

impl SourceMap for ValueSource<'_> {
    fn written(&self, span: Range<usize>) -> &[u8] {
        self.source.written(self.value.source_of(span))
    }

    fn place(&self, span: Range<usize>) -> Location {
        self.source.place(self.value.source_of(span))
    }

    fn truncated(&self) -> Option<Location> {
        self.value.truncated().map(|at| self.source.place(at..at))
    }
}

/// A start tag in its document.
#[derive(Clone)]
struct Start<'s> {
    /// The octets that contain the tag.
    octets: &'s [u8],
    tag: &'s Tag,
    /// Its name, as the standard defines it.
    element: &'s str,
    /// Whether it is in a template.
    is_inert: bool,
    /// Whether it is for browsers without scripts.
    in_noscript: bool,
    /// The method of the form around it.
    form: Option<Method>,
    /// The content of a link, if its text is asked for.
    content: Option<Range<usize>>,
}

impl<'s> Start<'s> {
    /// Returns what the links of an attribute are for, if they have no relation.
    fn purpose(&self, attribute: Name, kind: Kind) -> Purpose<'static> {
        match attribute {
            _ if kind == Kind::Content && !self.is_inert && !self.in_noscript => {
                let content = self.tag.value(Name::CONTENT).map(|value| &self.octets[value]);
                Purpose::of_refresh(content.map_or(0, reference::refresh_seconds))
            }
            Name::ACTION => Purpose::of_method(method_of(self.tag, self.octets)),
            Name::FORMACTION => Purpose::of_method(self.method_of_button()),
            // "request whose method is `POST`"
            Name::PING => Purpose::of_method(Method::Post),
            _ => Purpose::default(),
        }
    }

    /// Returns the relation of the tag, if it is that of the links in this attribute.
    fn rel(&self, attribute: Name, charset: Charset) -> Option<Value<'s>> {
        let has_relation = self.tag.attributes().len() > 1
            && matches!(attribute, Name::HREF | Name::XLINK_HREF | Name::IMAGESRCSET)
            && matches!(self.element, "a" | "area" | "link");
        let rel = if has_relation { self.tag.value(Name::REL)? } else { return None };
        Some(Value::of(self.octets, rel, charset))
    }

    /// Returns the text of a link, if it is asked for and this is the attribute with its URL.
    fn text(&self, attribute: Name, charset: Charset) -> Option<String> {
        let is_url = matches!(attribute, Name::HREF | Name::XLINK_HREF);
        let content = self.content.clone().filter(|_| is_url)?;
        Some(shown_text(self.octets, content, charset))
    }

    /// Returns whether it is a pragma directive: "http-equiv [...] Refresh state".
    fn is_refresh(&self) -> bool {
        let http_equiv = self.tag.value(Name::HTTP_EQUIV).map(|value| &self.octets[value]);
        http_equiv.is_some_and(|value| value.eq_ignore_ascii_case(b"refresh"))
    }

    /// Returns whether its `content` is a URL of the page or of what shows it.
    fn is_card(&self) -> bool {
        let value = |name| Some(String::from_utf8_lossy(&self.octets[self.tag.value(name)?]));
        is_card(value(Name::PROPERTY).or_else(|| value(Name::NAME)).as_deref())
    }

    /// "If the submitter element is a submit button and has a formmethod attribute, then the
    /// element's method is given by that attribute; otherwise, it is given by the form owner's
    /// method attribute."
    fn method_of_button(&self) -> Method {
        let own = self.tag.value(Name::FORMMETHOD).map(|value| Method::from_value(&self.octets[value]));
        let has_other_form = self.tag.value(Name::FORM).is_some();
        own.or_else(|| self.form.filter(|_| !has_other_form)).unwrap_or(Method::Unknown)
    }
}

/// Receives the octets of a link, the link and the name of its member.
type Take<'t> = dyn FnMut(Range<usize>, &str, &str) -> ControlFlow<()> + 't;

/// The keywords whose values are IRIs, or references to them.
const LINKS: [&str; 4] = ["@id", "@base", "@vocab", "@context"];

/// Finds the links of JSON.
///
/// Invalid JSON is read as a sequence of strings.
fn find(octets: &[u8], take: &mut Take<'_>) -> ControlFlow<()> {
    let mut member = String::new();
    let mut at = 0;
    while let Some(length) = memchr(b'"', &octets[at..]) {
        let start = at + length + 1;
        let Some(end) = end_of_string(octets, start) else {
            break;
        };
        let text = text_of(&octets[start..end]);
        at = end + 1;
        if octets[at..].trim_ascii_start().starts_with(b":") {
            member = text.into_owned();
        } else if is_link(&member, &text) {
            take(start..end, &text, &member)?;
        }
    }
    ControlFlow::Continue(())
}

fn end_of_string(octets: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr2(b'"', b'\\', octets.get(at..)?)?;
        match octets[at] {
            b'"' => return Some(at),
            _ => at += 2,
        }
    }
}

fn is_link(member: &str, text: &str) -> bool {
    // "A blank node identifier is a string that [...] begins with _:"
    let is_node = !text.is_empty() && !text.starts_with("_:");
    is_node && LINKS.contains(&member)
        || text.split_once("://").is_some_and(|(scheme, _)| {
            scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                && scheme
                    .chars()
                    .all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
        })
}

/// Decodes the escapes of a string.
fn text_of(written: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(written);
    if !text.contains('\\') {
        return text;
    }
    let mut units = Vec::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once('\\') {
        units.extend(before.encode_utf16());
        let escape = unit_of(after);
        units.extend(escape.means);
        rest = &after[escape.length..];
    }
    units.extend(rest.encode_utf16());
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// Returns the code unit of an escape, without its "\"; surrogates come in two.
fn unit_of(escape: &str) -> Escape<Option<u16>> {
    let unit = match escape.as_bytes().first() {
        Some(b'u') => {
            let number = escape.get(1..5).and_then(|digits| u16::from_str_radix(digits, 16).ok());
            return Escape::new(number, if number.is_some() { 5 } else { 1 });
        }
        Some(b'b') => 0x08,
        Some(b'f') => 0x0C,
        Some(b'n') => 0x0A,
        Some(b'r') => 0x0D,
        Some(b't') => 0x09,
        Some(octet @ (b'"' | b'\\' | b'/')) => u16::from(*octet),
        _ => return Escape::new(None, 0),
    };
    Escape::new(Some(unit), 1)
}
