//! Writes replacements into the octets of a document. Every other octet stays.
//!
//! The result is read again: each link must be as it was, and each replaced one must be read as its
//! replacement at its place. What does not pass is written in another form, or not at all.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::ops::{ControlFlow, Range};

use locator_find::{Anchor, Document, Finder, Format, Link, Location, PassedOver, Sink};

use super::forms::{Place, forms};
use super::kept::{Kept, Mending};
use super::kinds::kept_format;
use super::relative;

/// A link that is to be replaced.
#[derive(Clone, Debug)]
pub struct Change {
    /// The position of its first byte.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u32,
    /// The reference as it was found, decoded.
    pub old: String,
    /// What replaces it.
    pub new: Mending,
}

/// A link that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of the document that are replaced.
    pub range: Range<usize>,
    /// What is written there.
    pub written: Vec<u8>,
    /// What that means.
    pub reference: String,
}

/// A document with replaced links.
#[derive(Debug)]
pub struct Rewritten {
    /// The octets of the document.
    pub octets: Vec<u8>,
    /// What became of each change.
    pub edits: Vec<Result<Edit, Kept>>,
}

/// How often the result is read before the rest is given up.
const MOST_ROUNDS: usize = 24;

/// Replaces links of a document; `changes` are in the order of their offsets.
///
/// # Errors
///
/// The document cannot be read by its format.
pub fn rewrite(
    finder: &Finder,
    document: &Document,
    octets: &[u8],
    changes: &[Change],
) -> io::Result<Rewritten> {
    if let Some(kept) = kept_format(document.format()) {
        return Ok(Rewritten { octets: octets.to_vec(), edits: changes.iter().map(|_| Err(kept)).collect() });
    }
    let mut first = Reading::new(octets, document.format(), changes);
    finder.find(document, &mut &*octets, &mut first)?;
    let Reading { links: before, mut drafts, anchors, .. } = first;
    for _ in 0..MOST_ROUNDS {
        let written = write(octets, &drafts);
        if drafts.iter().all(Result::is_err) {
            break;
        }
        let mut again = Reading::new(&written, document.format(), &[]);
        finder.find(document, &mut &*written, &mut again)?;
        let wrong = wrong(&before, &again.links, &drafts);
        if wrong.is_empty() && again.anchors == anchors {
            return Ok(Rewritten { octets: written, edits: drafts.into_iter().map(finished).collect() });
        }
        match wrong.is_empty() {
            // The links of a heading are its name.
            true => drafts.iter_mut().for_each(|draft| *draft = draft.clone().and(Err(Kept::Place))),
            false => wrong.into_iter().for_each(|index| drafts.get_mut(index).map_or((), next_form)),
        }
    }
    let kept = |draft: Result<Draft, Kept>| Err(draft.err().unwrap_or(Kept::Place));
    Ok(Rewritten { octets: octets.to_vec(), edits: drafts.into_iter().map(kept).collect() })
}

/// A change with the ways to write it that are left.
#[derive(Clone, Debug)]
struct Draft {
    range: Range<usize>,
    reference: String,
    forms: Vec<Vec<u8>>,
    /// The number of the link in the document.
    link: usize,
}

fn finished(draft: Result<Draft, Kept>) -> Result<Edit, Kept> {
    let Draft { range, reference, forms, .. } = draft?;
    Ok(Edit { range, written: forms.into_iter().next().unwrap_or_default(), reference })
}

fn next_form(draft: &mut Result<Draft, Kept>) {
    let Ok(own) = draft else { return };
    match own.forms.len() {
        0 | 1 => *draft = Err(Kept::Place),
        _ => drop(own.forms.remove(0)),
    }
}

fn write(octets: &[u8], drafts: &[Result<Draft, Kept>]) -> Vec<u8> {
    let (mut written, mut at) = (Vec::with_capacity(octets.len() + 256), 0);
    for draft in drafts.iter().flatten() {
        written.extend_from_slice(octets.get(at..draft.range.start).unwrap_or_default());
        written.extend_from_slice(draft.forms.first().map(Vec::as_slice).unwrap_or_default());
        at = draft.range.end;
    }
    written.extend_from_slice(octets.get(at..).unwrap_or_default());
    written
}

/// A link that was read: its place, and a hash of what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    span: Range<u64>,
    hash: u64,
}

/// Returns the drafts that are not read as they should be.
fn wrong(before: &[Seen], after: &[Seen], drafts: &[Result<Draft, Kept>]) -> Vec<usize> {
    let (shifts, mut last) = (Shifts::new(drafts), None);
    let of_link: HashMap<usize, usize> = drafts
        .iter()
        .enumerate()
        .filter_map(|(index, draft)| Some((draft.as_ref().ok()?.link, index)))
        .collect();
    let has_all = before.len() == after.len();
    let mut wrong = Vec::new();
    for (number, old) in before.iter().enumerate() {
        let own = of_link.get(&number).copied();
        last = own.or(last);
        let reference =
            own.and_then(|index| drafts.get(index)?.as_ref().ok()).map(|draft| hash(&draft.reference));
        let span = shifts.moved(old.span.start)..shifts.moved(old.span.end);
        let expected = Seen { span, hash: reference.unwrap_or(old.hash) };
        if after.get(number) == Some(&expected) {
            continue;
        }
        // The draft before it has changed how it is read, or else the first one.
        let cause = last.or_else(|| drafts.iter().position(Result::is_ok));
        wrong.extend(cause);
        // The links after it cannot be compared if there are more or fewer of them.
        if !has_all || own.is_none() {
            return wrong;
        }
    }
    if !has_all && wrong.is_empty() {
        wrong.extend(last);
    }
    wrong
}

/// By how much the text after each replacement moves.
struct Shifts(Vec<(u64, i64)>);

impl Shifts {
    fn new(drafts: &[Result<Draft, Kept>]) -> Self {
        let mut sum = 0;
        let shift = |draft: &Draft| {
            let length = draft.forms.first().map_or(0, Vec::len);
            sum += length as i64 - draft.range.len() as i64;
            (draft.range.end as u64, sum)
        };
        Self(drafts.iter().flatten().map(shift).collect())
    }

    /// Returns where what was at this position is now.
    fn moved(&self, at: u64) -> u64 {
        let before = self.0.partition_point(|(end, _)| *end <= at);
        let shift = before.checked_sub(1).and_then(|last| self.0.get(last)).map_or(0, |(_, sum)| *sum);
        at.saturating_add_signed(shift)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Receives the links of a document, and finds those that are to be replaced.
struct Reading<'a> {
    octets: &'a [u8],
    format: Format,
    changes: &'a [Change],
    links: Vec<Seen>,
    drafts: Vec<Result<Draft, Kept>>,
    anchors: u64,
}

impl<'a> Reading<'a> {
    fn new(octets: &'a [u8], format: Format, changes: &'a [Change]) -> Self {
        let drafts = changes.iter().map(|_| Err(Kept::Changed)).collect();
        Self { octets, format, changes, links: Vec::new(), drafts, anchors: 0 }
    }

    fn draft(&self, link: &Link<'_>, change: &Change) -> Result<Draft, Kept> {
        let span = &link.place().span;
        let range = usize::try_from(span.start).map_err(|_| Kept::Changed)?
            ..usize::try_from(span.end).map_err(|_| Kept::Changed)?;
        let written = self.octets.get(range.clone()).ok_or(Kept::Changed)?;
        if link.url() != change.old {
            return Err(Kept::Changed);
        }
        if link.is_code() {
            return Err(Kept::Code);
        }
        if written != link.written() || written.iter().any(|octet| matches!(octet, 0..=0x1F | 0x7F)) {
            return Err(Kept::Encoded);
        }
        let reference = match &change.new {
            Mending::Url(url) => relative::reference(link, url)?,
            Mending::Reference(reference) => reference.clone(),
        };
        let place = Place { format: self.format, context: link.context(), written };
        let forms = forms(place, &reference);
        Ok(Draft { range, reference, forms, link: self.links.len() })
    }
}

impl Sink for Reading<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let span = &link.place().span;
        let index = self.changes.partition_point(|change| change.offset < span.start);
        let change = self.changes.get(index).filter(|change| {
            change.offset == span.start && u64::from(change.length) == span.end - span.start
        });
        if let Some(change) = change {
            let draft = self.draft(link, change);
            if let Some(own) = self.drafts.get_mut(index) {
                *own = draft;
            }
        }
        self.links.push(Seen { span: span.clone(), hash: hash(link.url()) });
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.anchors = self.anchors.rotate_left(7) ^ hash(&anchor.name);
    }

    fn passed_over(&mut self, _: &Location, why: PassedOver) {
        self.anchors = self.anchors.rotate_left(7) ^ hash(&why.to_string());
    }
}
