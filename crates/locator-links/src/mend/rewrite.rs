//! Writes replacements into the octets of a document: takes the changes of its links, returns the octets that
//! [`Finder::rewrite`] makes with them.
//!
//! The replacement of a relative link is relative, too, and of the same kind (`//h/a`, `/a` or `a`). A change that
//! would give a heading another name is not made.

use std::{fmt, io};

use locator::{Base, Component, ResolveOptions, Uri, UriRef};
use locator_find::{Document, Finder, Link, NotRewritten, RewrittenLink};

use super::kept::{KeepReason, Replacement, keep_reason_of_format};
use crate::redacted::debug_redacted;
use crate::reference::origin_of;

/// A link that is to be replaced.
#[derive(Clone)]
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

debug_redacted!(LinkChange { offset, length, new; old });

/// A document with replaced links.
pub struct MendedDocument {
    /// The octets of the document.
    pub octets: Vec<u8>,
    /// What became of each change.
    pub edits: Vec<Result<RewrittenLink, KeepReason>>,
}

/// Without the texts of the links.
impl fmt::Debug for MendedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (octets, edits) = (self.octets.len(), self.edits.len());
        f.debug_struct("MendedDocument")
            .field("octets", &octets)
            .field("edits", &edits)
            .finish_non_exhaustive()
    }
}

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
) -> io::Result<MendedDocument> {
    let unchanged = |edits| MendedDocument { octets: octets.to_vec(), edits };
    if let Some(kept) = keep_reason_of_format(document.format()) {
        return Ok(unchanged(changes.iter().map(|_| Err(kept)).collect()));
    }
    // Of each change, which of the new references it is.
    let mut numbers = vec![Err(KeepReason::Changed); changes.len()];
    let mut count = 0;
    let new = finder.rewrite(document, octets, &mut |link| {
        let span = &link.place().span;
        let index = changes.partition_point(|change| change.offset < span.start);
        let is_it = |change: &&LinkChange| {
            change.offset == span.start && u64::from(change.length) == span.end - span.start
        };
        let reference = reference(link, changes.get(index).filter(is_it)?);
        *numbers.get_mut(index)? = reference.as_ref().map(|_| count).map_err(|kept| *kept);
        count += usize::from(reference.is_ok());
        reference.ok()
    })?;
    // The links of a heading are its name.
    if new.has_other_anchors {
        let kept = |number: Result<usize, KeepReason>| Err(number.err().unwrap_or(KeepReason::Place));
        return Ok(unchanged(numbers.into_iter().map(kept).collect()));
    }
    let edit = |number: Result<usize, KeepReason>| match new.links.get(number?) {
        Some(Ok(link)) => Ok(link.clone()),
        Some(Err(NotRewritten::Encoded)) => Err(KeepReason::Encoded),
        _ => Err(KeepReason::Place),
    };
    let edits = numbers.into_iter().map(edit).collect();
    Ok(MendedDocument { octets: new.octets, edits })
}

/// Returns what is written in place of a link.
fn reference(link: &Link<'_>, change: &LinkChange) -> Result<String, KeepReason> {
    if link.url() != change.old {
        return Err(KeepReason::Changed);
    }
    if link.is_code() {
        return Err(KeepReason::Code);
    }
    match &change.new {
        Replacement::Url(url) => relative_reference(link, url),
        Replacement::Reference(reference) => Ok(reference.clone()),
    }
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
