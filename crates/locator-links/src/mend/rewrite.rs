//! Writes replacements into the octets of a document. Every other octet stays.
//!
//! A reference is written as the old one was, in the first of several forms that is read as the reference again; that of a
//! relative link is relative, too, and of the same kind (`//h/a`, `/a` or `a`). The result is read again: each link must be
//! as it was, and each replaced one must be read as its replacement at its place. What does not pass is written in
//! another form, or not at all.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::ops::{ControlFlow, Range};

use locator::{Base, Component, ResolveOptions, Uri, UriRef};
use locator_find::{Anchor, Context, Document, Finder, Format, Link, Location, PassedOver, Sink};

use super::kept::{KeepReason, Replacement, keep_reason_of_format};
use crate::reference::origin_of;

/// A link that is to be replaced.
#[derive(Clone, Debug)]
pub struct LinkChange {
    /// The position of its first byte.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u32,
    /// The reference as it was found, decoded.
    pub old: String,
    /// What replaces it.
    pub new: Replacement,
}

/// A link that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEdit {
    /// The bytes of the document that are replaced.
    pub range: Range<usize>,
    /// What is written there.
    pub written: Vec<u8>,
    /// What that means.
    pub reference: String,
}

/// A document with replaced links.
#[derive(Debug)]
pub struct RewrittenDocument {
    /// The octets of the document.
    pub octets: Vec<u8>,
    /// What became of each change.
    pub edits: Vec<Result<LinkEdit, KeepReason>>,
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
    changes: &[LinkChange],
) -> io::Result<RewrittenDocument> {
    if let Some(kept) = keep_reason_of_format(document.format()) {
        return Ok(RewrittenDocument {
            octets: octets.to_vec(),
            edits: changes.iter().map(|_| Err(kept)).collect(),
        });
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
            return Ok(RewrittenDocument {
                octets: written,
                edits: drafts.into_iter().map(finished).collect(),
            });
        }
        match wrong.is_empty() {
            // The links of a heading are its name.
            true => drafts.iter_mut().for_each(|draft| *draft = draft.clone().and(Err(KeepReason::Place))),
            false => wrong.into_iter().for_each(|index| drafts.get_mut(index).map_or((), next_form)),
        }
    }
    let kept = |draft: Result<Draft, KeepReason>| Err(draft.err().unwrap_or(KeepReason::Place));
    Ok(RewrittenDocument { octets: octets.to_vec(), edits: drafts.into_iter().map(kept).collect() })
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

fn finished(draft: Result<Draft, KeepReason>) -> Result<LinkEdit, KeepReason> {
    let Draft { range, reference, forms, .. } = draft?;
    Ok(LinkEdit { range, written: forms.into_iter().next().unwrap_or_default(), reference })
}

fn next_form(draft: &mut Result<Draft, KeepReason>) {
    let Ok(own) = draft else { return };
    match own.forms.len() {
        0 | 1 => *draft = Err(KeepReason::Place),
        _ => drop(own.forms.remove(0)),
    }
}

fn write(octets: &[u8], drafts: &[Result<Draft, KeepReason>]) -> Vec<u8> {
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
fn wrong(before: &[Seen], after: &[Seen], drafts: &[Result<Draft, KeepReason>]) -> Vec<usize> {
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
    fn new(drafts: &[Result<Draft, KeepReason>]) -> Self {
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
    changes: &'a [LinkChange],
    links: Vec<Seen>,
    drafts: Vec<Result<Draft, KeepReason>>,
    anchors: u64,
}

impl<'a> Reading<'a> {
    fn new(octets: &'a [u8], format: Format, changes: &'a [LinkChange]) -> Self {
        let drafts = changes.iter().map(|_| Err(KeepReason::Changed)).collect();
        Self { octets, format, changes, links: Vec::new(), drafts, anchors: 0 }
    }

    fn draft(&self, link: &Link<'_>, change: &LinkChange) -> Result<Draft, KeepReason> {
        let span = &link.place().span;
        let range = usize::try_from(span.start).map_err(|_| KeepReason::Changed)?
            ..usize::try_from(span.end).map_err(|_| KeepReason::Changed)?;
        let written = self.octets.get(range.clone()).ok_or(KeepReason::Changed)?;
        if link.url() != change.old {
            return Err(KeepReason::Changed);
        }
        if link.is_code() {
            return Err(KeepReason::Code);
        }
        if written != link.written() || written.iter().any(|octet| matches!(octet, 0..=0x1F | 0x7F)) {
            return Err(KeepReason::Encoded);
        }
        let reference = match &change.new {
            Replacement::Url(url) => relative_reference(link, url)?,
            Replacement::Reference(reference) => reference.clone(),
        };
        let place = WrittenLink { format: self.format, context: link.context(), written };
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

/// What is known of the place of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenLink<'a> {
    pub(super) format: Format,
    pub(super) context: Context<'a>,
    /// The link as it was written.
    pub(super) written: &'a [u8],
}

/// Returns the ways to write a reference at a place.
pub(super) fn forms(place: WrittenLink<'_>, reference: &str) -> Vec<Vec<u8>> {
    let WrittenLink { format, context, written } = place;
    let is_markup = matches!(format, Format::Html | Format::Xml);
    let mut forms = match context {
        Context::Markdown => destination(written, reference),
        Context::Style => vec![reference.to_owned(), with_backslashes(reference, "()'")],
        // A declaration of a style sheet in an attribute.
        Context::Attribute { attribute: "style", .. } => {
            let escaped = with_backslashes(reference, "()'").replace('&', "&amp;");
            [markup(written, reference), vec![escaped]].concat()
        }
        _ if is_markup => markup(written, reference),
        // A tag in Markdown.
        Context::Attribute { .. } | Context::Element(_) => markup(written, reference),
        _ if format == Format::Tex => {
            let escaped = with_backslashes(reference, "%#&_");
            let is_escaped = written.contains(&b'\\');
            if is_escaped { vec![escaped, reference.to_owned()] } else { vec![reference.to_owned(), escaped] }
        }
        _ => vec![reference.to_owned()],
    };
    let mut seen = Vec::new();
    forms.retain(|form| {
        let is_new = !seen.contains(form);
        seen.push(form.clone());
        is_new
    });
    forms.into_iter().map(String::into_bytes).collect()
}

/// A value of an attribute or text of an element: "&" is written as it was, or as "&amp;".
fn markup(written: &[u8], reference: &str) -> Vec<String> {
    let has_reference = memchr::memmem::find(written, b"&amp;").is_some();
    let is_bare = written.contains(&b'&') && !has_reference;
    let escaped = reference.replace('&', "&amp;");
    let full = escaped.replace('\'', "&#39;").replace('"', "&quot;").replace('<', "&lt;");
    let first = if is_bare { reference.to_owned() } else { escaped.clone() };
    vec![first, escaped, full]
}

/// A destination of Markdown: spaces and parentheses may end it (CommonMark, 6.3), entities are decoded.
fn destination(written: &[u8], reference: &str) -> Vec<String> {
    let has_entity = memchr::memmem::find(written, b"&amp;").is_some();
    let has_backslash = written.contains(&b'\\');
    let entities = |text: &str| text.replace('&', "&amp;");
    let escaped = with_backslashes(reference, "()<>\\");
    let plain = if has_entity { entities(reference) } else { reference.to_owned() };
    let first = if has_backslash { escaped.clone() } else { plain.clone() };
    vec![first, plain, escaped.clone(), entities(&escaped)]
}

fn with_backslashes(text: &str, before: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if before.contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Returns the reference that replaces a link; that of an absolute link is absolute.
fn relative_reference(link: &Link<'_>, url: &str) -> Result<String, KeepReason> {
    let old = link.url().trim();
    let is_absolute = UriRef::parse(old).map_or_else(|_| has_scheme(old), |old| old.scheme().is_some());
    if is_absolute {
        return Ok(url.to_owned());
    }
    let base = link.base().and_then(|base| base.uri()).ok_or(KeepReason::Relative)?;
    let target = UriRef::parse(url).ok().and_then(UriRef::as_uri).ok_or(KeepReason::Invalid)?;
    let same_scheme = base.scheme().lowercase() == target.scheme().lowercase();
    let same_origin = origin_of(base.as_str()).is_some_and(|own| Some(own) == origin_of(url));
    let relative = if old.starts_with("//") {
        url.split_once(':').map(|(_, rest)| rest.to_owned()).filter(|_| same_scheme)
    } else if !same_origin {
        None
    } else if old.starts_with('/') {
        Some(from_root(target))
    } else {
        path(base, target)
    };
    let is_right = |reference: &String| {
        link.resolve(reference).is_ok_and(|resolved| resolved.uri().is_some_and(|uri| uri.as_str() == url))
    };
    relative.filter(is_right).ok_or(KeepReason::Relative)
}

fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
    })
}

/// Returns the path of a URL and what follows.
fn from_root(target: Uri<'_>) -> String {
    let path = target.span(Component::Path);
    path.and_then(|path| target.as_str().get(path.start..)).unwrap_or_default().to_owned()
}

fn path(base: Uri<'_>, target: Uri<'_>) -> Option<String> {
    let options = ResolveOptions::new().path_relative(true);
    let reference = Base::new(base).ok()?.make_relative_with(target, options).ok()?;
    Some(reference.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ampersands_stay_as_they_were() {
        let place = |written| WrittenLink { format: Format::Html, context: Context::Style, written };
        let first = |written: &'static [u8]| markup(place(written).written, "/?a=1&b=2").remove(0);
        assert_eq!(first(b"/x?a=1&amp;b=2"), "/?a=1&amp;b=2");
        assert_eq!(first(b"/x?a=1&b=2"), "/?a=1&b=2");
        assert_eq!(first(b"/x"), "/?a=1&amp;b=2");
    }
}
