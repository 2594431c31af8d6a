//! The header of an entity. Finds the links of its fields and adds the bases that it declares.
//! Follows section 5.1 of the URL draft of 1997, RFC 2369 and RFC 5064 for fields of URLs in angle
//! brackets, RFC 2017 for `access-type=URL`.

use std::ops::{ControlFlow, Range};

use locator::BaseStack;
use memchr::{memchr, memmem};

use super::entity::Entity;
use super::entity::{self, Field};
use crate::decode::{DecodeChain, Decoded, SourceMap};
use crate::link::reference::{self, LONGEST_BASE, keep_if_short, without_edges};
use crate::link::{Context, PassedOver, Purpose};
use crate::search::Query;
use crate::search::emitter::Emitter;

/// Finds the links of a header; the bases that it declares remain.
pub(super) fn find(
    query: &Query<'_>,
    message: &[u8],
    entity: &Entity,
    emitter: &mut Emitter<'_>,
) -> ControlFlow<()> {
    let bases = DeclaredBases::of(message, entity);
    let around = emitter.bases.len();
    if !bases.put_on(emitter.bases) {
        emitter.passed_over(entity.start, PassedOver::LongBase);
    }
    for field in &entity.fields {
        let header = Header { query, message, field };
        match Some(field) {
            base if base == bases.base => {
                emitter.bases.truncate(around);
                header.find_whole(emitter)?;
                bases.put_on(emitter.bases);
            }
            location if location == bases.location => {
                emitter.bases.truncate(around);
                bases.without_location().put_on(emitter.bases);
                header.find_whole(emitter)?;
                emitter.bases.truncate(around);
                bases.put_on(emitter.bases);
            }
            // "If the Location value is a relative reference, the final value is computed by resolving the
            // relative reference against the target URI" (RFC 9110, 10.2.2), not against what the header declares.
            Some(redirect) if redirect.is(message, "Location") => {
                emitter.bases.truncate(around);
                match header.is_relative() {
                    true => header.find_whole(emitter)?,
                    false => header.find(entity, emitter)?,
                }
                bases.put_on(emitter.bases);
            }
            _ => header.find(entity, emitter)?,
        }
    }
    ControlFlow::Continue(())
}

const CONTENT_BASE: &str = "Content-Base";
const CONTENT_LOCATION: &str = "Content-Location";

/// Fields whose value is one or more URLs in angle brackets.
const BRACKETED: [&str; 7] = [
    "List-Archive",
    "List-Help",
    "List-Owner",
    "List-Post",
    "List-Subscribe",
    "List-Unsubscribe",
    "Archived-At",
];

/// The bases that a header declares for its entity.
#[derive(Clone, Copy)]
pub(super) struct DeclaredBases<'m> {
    message: &'m [u8],
    base: Option<&'m Field>,
    location: Option<&'m Field>,
}

impl<'m> DeclaredBases<'m> {
    /// Returns the bases of the header of an entity.
    pub(super) fn of(message: &'m [u8], entity: &'m Entity) -> Self {
        let field = |name| entity.field(message, name);
        Self { message, base: field(CONTENT_BASE), location: field(CONTENT_LOCATION) }
    }

    /// Returns the bases to which the Content-Location is relative.
    pub(super) fn without_location(self) -> Self {
        Self { location: None, ..self }
    }

    /// Returns whether the header declares no base.
    fn is_empty(self) -> bool {
        self.base.is_none() && self.location.is_none()
    }

    /// "The base URL for a message serves as both the base for any relative URLs within the message
    /// headers and the default base URL for documents enclosed within the message"
    ///
    /// Returns whether they are short enough.
    pub(super) fn put_on(self, bases: &mut BaseStack) -> bool {
        let is_long = |field: &&Field| field.value.len() > 2 * LONGEST_BASE;
        if self.base.iter().chain(&self.location).any(is_long) {
            return false;
        }
        let around = bases.len();
        if !self.is_empty() {
            let value = |field: &Field| field.decoded_value(self.message);
            bases.entity(self.base.map(value).as_deref(), self.location().as_deref());
        }
        keep_if_short(bases, around)
    }

    /// Returns the value of the Content-Location.
    pub(super) fn location(self) -> Option<String> {
        self.location.map(|field| field.decoded_value(self.message))
    }
}

/// A field whose value is searched for links.
struct Header<'a> {
    query: &'a Query<'a>,
    message: &'a [u8],
    field: &'a Field,
}

impl Header<'_> {
    fn find(&self, entity: &Entity, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let value = &self.message[self.field.value.clone()];
        if BRACKETED.iter().any(|name| self.field.is(self.message, name)) && memchr(b'<', value).is_some() {
            return self.find_bracketed(value, emitter);
        }
        if self.field.is(self.message, "Content-Type") && entity.media.says("access-type", "url") {
            return self.find_parameter(entity, value, emitter);
        }
        let steps =
            self.steps(0..value.len(), emitter.source).then(|value| Some(entity::decode_value(value)));
        // "The `Refresh` HTTP response header is the HTTP-equivalent to a meta element with an http-equiv
        // attribute in the Refresh state. It takes the same value" (HTML standard, "The `Refresh` header").
        if self.field.is(self.message, "Refresh")
            && let Ok(text) = str::from_utf8(steps.text())
            && let Some(span) = reference::refresh_url(text)
        {
            let (span, seconds) = (without_edges(text, span), reference::refresh_seconds(text.as_bytes()));
            let (url, emitter) = (&text[span.clone()], &mut emitter.of(&steps));
            return match url.is_empty() {
                true => ControlFlow::Continue(()),
                false => emitter.link_for(span, url, self.context(), Purpose::of_refresh(seconds)),
            };
        }
        self.query.find_urls(steps.text(), &mut emitter.of(&steps).in_context(self.context()))
    }

    /// Whether the value is one word that begins as a relative reference; in a mail it may be anything.
    fn is_relative(&self) -> bool {
        let value = self.field.value(self.message).trim_ascii();
        value.starts_with(b"/") || value.starts_with(b".") || value.starts_with(b"?")
    }

    /// The whole value is a reference; "any whitespace inside the field value (including that used
    /// for line folding) is ignored" (1997, 5.1.1).
    fn find_whole(&self, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let steps = self
            .steps(0..self.field.value.len(), emitter.source)
            .then(|value| Some(entity::decode_value(value)));
        self.report(&steps.then(|text| Some(without_space(text))), emitter)
    }

    /// "A list of multiple, alternate, URLs MAY be specified by a comma-separated list of
    /// angle-bracket enclosed URLs." and "any whitespace that is inside the angle brackets MUST be
    /// ignored" (RFC 2369, 2)
    fn find_bracketed(&self, value: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let mut comments = 0_usize;
        let mut at = 0;
        while let Some(octet) = value.get(at) {
            at += 1;
            match octet {
                b'(' => comments += 1,
                b')' => comments = comments.saturating_sub(1),
                b'<' if comments == 0 => {
                    let Some(length) = memchr(b'>', &value[at..]) else { break };
                    let steps =
                        self.steps(at..at + length, emitter.source).then(|inner| Some(without_space(inner)));
                    self.report(&steps, emitter)?;
                    at += length;
                }
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    /// `Content-Type: message/external-body; access-type=URL; URL="…"`: "Any whitespace in the
    /// value must be removed" (RFC 2017, 3.1). If it is in pieces (RFC 2231), its position is that
    /// of the whole value.
    fn find_parameter(&self, entity: &Entity, value: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let Some(url) = entity.media.parameter("url") else { return ControlFlow::Continue(()) };
        let url: String = url.split_ascii_whitespace().collect();
        let steps = self.steps(0..value.len(), emitter.source).then(|value| Some(without_space(value)));
        let span = match memmem::find(steps.text(), url.as_bytes()) {
            Some(start) => start..start + url.len(),
            None => 0..steps.text().len(),
        };
        emitter.of(&steps).link(span, &url, self.context())
    }

    fn steps<'s>(&'s self, span: Range<usize>, source: &'s dyn SourceMap) -> DecodeChain<'s> {
        let value = self.field.value.start + span.start..self.field.value.start + span.end;
        DecodeChain::new(source, value.start, &self.message[value])
    }

    fn report(&self, steps: &DecodeChain<'_>, emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        let url = String::from_utf8_lossy(steps.text());
        match url.len() {
            0 => ControlFlow::Continue(()),
            _ => emitter.of(steps).link(0..steps.text().len(), &url, self.context()),
        }
    }

    fn context(&self) -> Context<'_> {
        // INVARIANT: a name is ASCII.
        Context::Field(str::from_utf8(&self.message[self.field.name.clone()]).unwrap_or_default())
    }
}

fn without_space(text: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = 0;
    for word in text.split(u8::is_ascii_whitespace) {
        decoded.keep(word, at);
        at += word.len() + 1;
    }
    decoded
}
