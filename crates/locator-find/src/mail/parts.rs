//! What `cid` and `mid` links mean in a message: its entities and a link enter, the place of the part leaves. Follows RFC 2392.

use std::collections::HashMap;
use std::ops::ControlFlow;

use locator::UriRef;
use locator::scheme::MidUrl;

use super::entity::Entity;
use crate::link::{Anchor, Link, Place, Sink};
use crate::source::Source;

/// The entities of a message by their identifiers; of several that have the same one the first.
pub(super) struct Parts<'m> {
    entities: &'m [Entity],
    by_message_id: HashMap<Vec<u8>, usize>,
    by_content_id: HashMap<Vec<u8>, usize>,
}

impl<'m> Parts<'m> {
    /// Reads the identifiers.
    pub(super) fn new(message: &[u8], entities: &'m [Entity]) -> Self {
        let by = |name| {
            let mut found = HashMap::new();
            for (index, entity) in entities.iter().enumerate() {
                if let Some(field) = entity.field(message, name) {
                    found.entry(identifier(field.value(message))).or_insert(index);
                }
            }
            found
        };
        Self { entities, by_message_id: by("Message-ID"), by_content_id: by("Content-ID") }
    }

    /// The entity that a reference means.
    fn find(&self, reference: UriRef<'_>) -> Option<&Entity> {
        let url = MidUrl::of(reference).ok()?;
        let message = match url.message_id {
            Some(id) => Some(*self.by_message_id.get(&*id.octets())?),
            None => None,
        };
        let index = match url.content_id {
            Some(id) => *self.by_content_id.get(&*id.octets())?,
            None => message?,
        };
        // "mid:message-id/content-id" is a part of that message.
        let is_in = message.is_none_or(|message| message <= index && index < self.end_of(message));
        is_in.then_some(&self.entities[index])
    }

    fn end_of(&self, message: usize) -> usize {
        let depth = self.entities[message].depth;
        let behind = self.entities[message + 1..].iter().position(|entity| entity.depth <= depth);
        behind.map_or(self.entities.len(), |length| message + 1 + length)
    }
}

/// "removing the "<" and ">"" (RFC 2392, 2)
fn identifier(value: &[u8]) -> Vec<u8> {
    let inner = value.strip_prefix(b"<").unwrap_or(value);
    inner.strip_suffix(b">").unwrap_or(inner).to_vec()
}

/// A sink that is told the parts that links mean.
pub(super) struct Pointing<'a> {
    pub(super) parts: &'a Parts<'a>,
    pub(super) source: &'a dyn Source,
    pub(super) sink: &'a mut dyn Sink,
}

impl Pointing<'_> {
    fn part(&self, link: &Link<'_>) -> Option<Place> {
        let scheme = link.url().split_once(':')?.0;
        // One that a message in this one has told is nearer.
        if link.part().is_some() || scheme.len() != "cid".len() {
            return None;
        }
        let reference = UriRef::parse_by(link.url(), link.bases().edition()).ok()?;
        let entity = self.parts.find(reference)?;
        Some(self.source.place(entity.start..entity.body.end))
    }
}

impl Sink for Pointing<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        match self.part(link) {
            None => self.sink.link(link),
            part => self.sink.link(&Link { part, ..link.clone() }),
        }
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.sink.anchor(anchor);
    }
}
