//! Links to parts of a message. Returns the position of the entity that a link refers to. Follows
//! RFC 2392 for `cid` and `mid`, and RFC 2557, 8.2, for the location of parts.

use std::collections::HashMap;
use std::ops::ControlFlow;

use locator::scheme::MidUrl;
use locator::{Base, BaseStack, Resolved, Uri, UriRef};

use super::entity::Entity;
use super::header::Bases;
use crate::decode::source::SourceMap;
use crate::link::{Anchor, Link, Location, PassedOver, Sink};
use crate::search::options::LONGEST;

/// The entities of a message by identifier and by location. Of several with the same identifier,
/// the first one counts.
pub(super) struct Parts<'m> {
    entities: &'m [Entity],
    by_message_id: HashMap<Vec<u8>, usize>,
    by_content_id: HashMap<Vec<u8>, usize>,
    /// All entities with this location, in order.
    by_location: HashMap<String, Vec<usize>>,
    structure: Vec<Around>,
}

/// The position of an entity among the others.
struct Around {
    /// The index after its last descendant.
    end: usize,
    /// The innermost multipart/related that contains it.
    related: Option<usize>,
}

impl<'m> Parts<'m> {
    /// Reads the identifiers, and the locations resolved against the bases around the message.
    pub(super) fn new(message: &[u8], entities: &'m [Entity], bases: &mut BaseStack) -> Self {
        let by = |name| {
            let mut found = HashMap::new();
            for (index, entity) in entities.iter().enumerate() {
                if let Some(field) = entity.field(message, name) {
                    found.entry(identifier(field.value(message))).or_insert(index);
                }
            }
            found
        };
        let structure = structure(entities);
        let by_location = match structure.iter().any(|around| around.related.is_some()) {
            true => locations(message, entities, bases),
            false => HashMap::new(),
        };
        let (by_message_id, by_content_id) = (by("Message-ID"), by("Content-ID"));
        Self { entities, by_message_id, by_content_id, by_location, structure }
    }

    /// Returns the entity that a `cid` or `mid` URL refers to.
    fn with_identifier(&self, reference: UriRef<'_>) -> Option<usize> {
        let url = MidUrl::of(reference).ok()?;
        let message = match url.message_id {
            Some(id) => Some(*self.by_message_id.get(&*id.decode())?),
            None => None,
        };
        let index = match url.content_id {
            Some(id) => *self.by_content_id.get(&*id.decode())?,
            None => message?,
        };
        // "mid:message-id/content-id" is a part of that message.
        let is_in = message.is_none_or(|message| message <= index && index < self.structure[message].end);
        is_in.then_some(index)
    }

    /// "compare the value of the referencing URI after resolution [...] with the URI derived from
    /// [...] Content-Location headers for other body parts within the same or a surrounding
    /// Multipart/related structure. If the strings are identical, octet by octet, then the
    /// referencing URI references that body part."
    fn with_location(&self, target: &str, from: usize) -> Option<usize> {
        let target = target.split_once('#').map_or(target, |(target, _)| target);
        let all = self.by_location.get(target)?;
        let mut around = self.structure[from].related;
        while let Some(related) = around {
            let inside = &all[all.partition_point(|index| *index <= related)..];
            let other = inside.iter().take(2).find(|index| **index != from);
            if let Some(index) = other.filter(|index| **index < self.structure[related].end) {
                return Some(*index);
            }
            around = self.structure[related].related;
        }
        None
    }
}

/// "removing the "<" and ">"" (RFC 2392, 2)
pub(super) fn identifier(value: &[u8]) -> Vec<u8> {
    let inner = value.strip_prefix(b"<").unwrap_or(value);
    inner.strip_suffix(b">").unwrap_or(inner).to_vec()
}

fn structure(entities: &[Entity]) -> Vec<Around> {
    let mut structure: Vec<Around> = Vec::with_capacity(entities.len());
    // The entities around the next one, the outermost first.
    let mut open: Vec<usize> = Vec::new();
    for (index, entity) in entities.iter().enumerate() {
        for closed in open.drain(entity.depth.min(open.len())..) {
            structure[closed].end = index;
        }
        let related = open.last().and_then(|around| match entities[*around].media.is("multipart/related") {
            true => Some(*around),
            false => structure[*around].related,
        });
        structure.push(Around { end: entities.len(), related });
        open.push(index);
    }
    structure
}

/// Returns the entities by their absolute location, as many as memory allows.
fn locations(message: &[u8], entities: &[Entity], bases: &mut BaseStack) -> HashMap<String, Vec<usize>> {
    let mut found: HashMap<String, Vec<usize>> = HashMap::new();
    let (mut around, mut left) = (vec![bases.len()], LONGEST);
    for (index, entity) in entities.iter().enumerate() {
        around.truncate(entity.depth + 1);
        bases.truncate(around[entity.depth]);
        let own = Bases::of(message, entity);
        own.without_location().put_on(bases);
        let location = own.location().map(|location| location.split_ascii_whitespace().collect::<String>());
        if let Some(location) = location.and_then(|location| absolute(bases, &location))
            && let Some(rest) = left.checked_sub(location.len())
        {
            left = rest;
            found.entry(location).or_default().push(index);
        }
        bases.truncate(around[entity.depth]);
        own.put_on(bases);
        around.push(bases.len());
    }
    bases.truncate(around[0]);
    found
}

/// The base "if no base URI is given": references resolved against it are only compared (RFC 2557,
/// 5).
const THIS_MESSAGE: &str = "thismessage:/";

fn absolute(bases: &BaseStack, reference: &str) -> Option<String> {
    let reference = UriRef::parse_with(reference, bases.edition()).ok()?;
    let resolved = match bases.base() {
        Some(base) => base.resolve(reference),
        None => Base::new(Uri::parse_with(THIS_MESSAGE, bases.edition()).ok()?).ok()?.resolve(reference),
    };
    resolved.ok().and_then(Resolved::into_uri).map(|uri| uri.as_str().to_owned())
}

/// A sink that adds to each link the part it refers to.
pub(super) struct Pointing<'a> {
    pub(super) parts: &'a Parts<'a>,
    /// The entity that contains the links.
    pub(super) entity: usize,
    pub(super) source: &'a dyn SourceMap,
    pub(super) sink: &'a mut dyn Sink,
}

impl Pointing<'_> {
    fn part(&self, link: &Link<'_>) -> Option<Location> {
        // A part within a nested message is nearer.
        if link.part().is_some() {
            return None;
        }
        let index = match link.url().split_once(':') {
            Some((scheme, _)) if scheme.len() == "cid".len() => {
                self.parts.with_identifier(UriRef::parse_with(link.url(), link.bases().edition()).ok()?)
            }
            _ => None,
        };
        let entity = &self.parts.entities[index.or_else(|| self.located(link))?];
        Some(self.source.place(entity.start..entity.body.end))
    }

    fn located(&self, link: &Link<'_>) -> Option<usize> {
        if self.parts.by_location.is_empty() {
            return None;
        }
        let escaped = link.escaped();
        let target = absolute(link.bases(), escaped.as_deref().unwrap_or(link.url()))?;
        self.parts.with_location(&target, self.entity)
    }
}

impl Sink for Pointing<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        match self.part(link) {
            None => self.sink.link(link),
            part => self.sink.link(&Link { part, ..link.clone() }),
        }
    }

    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.sink.malformed(link)
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.sink.anchor(anchor);
    }

    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        self.sink.passed_over(place, why);
    }
}
