//! The relative reference to a URL, of the kind that another reference has: `//h/a`, `/a` or `a`. Takes a link
//! and the URL, returns the reference, which resolves to exactly that URL.

use locator::{Base, ResolveOptions, Uri, UriRef};
use locator_find::Link;

use super::kept::Kept;
use crate::network::asking::origin_of;

/// Returns the reference that replaces a link; that of an absolute link is absolute.
pub(super) fn reference(link: &Link<'_>, url: &str) -> Result<String, Kept> {
    let old = link.url().trim();
    let is_absolute = UriRef::parse(old).map_or_else(|_| has_scheme(old), |old| old.scheme().is_some());
    if is_absolute {
        return Ok(url.to_owned());
    }
    let base = link.base().and_then(|base| base.uri()).ok_or(Kept::Relative)?;
    let target = UriRef::parse(url).ok().and_then(UriRef::as_uri).ok_or(Kept::Invalid)?;
    let same_scheme = base.scheme().lowercase() == target.scheme().lowercase();
    let same_origin = origin_of(base.as_str()) == origin_of(url);
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
    relative.filter(is_right).ok_or(Kept::Relative)
}

fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet))
    })
}

/// Returns the path of a URL and what follows.
fn from_root(target: Uri<'_>) -> String {
    let rest = target.as_str().split_once("//").map_or("", |(_, rest)| rest);
    rest.find(['/', '?', '#']).map(|at| rest.split_at(at).1.to_owned()).unwrap_or_default()
}

fn path(base: Uri<'_>, target: Uri<'_>) -> Option<String> {
    let options = ResolveOptions::new().path_relative(true);
    let reference = Base::new(base).ok()?.relativize_with(target, options).ok()?;
    Some(reference.as_str().to_owned())
}
