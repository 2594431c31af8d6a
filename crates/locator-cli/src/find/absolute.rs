//! A link in, its absolute form out: as it stands, or with escapes for what may not stand in a reference.

use std::borrow::Cow;

use locator::Resolved;
use locator_find::{Link, Unresolved};

use crate::failure::Failure;

/// What a link is resolved to.
#[derive(Debug)]
pub(crate) struct Absolute<'l> {
    /// That, or why there is no such thing.
    pub(crate) target: Result<Resolved<'l>, Failure>,
    /// The reference that was resolved, if it is not the link as it stands.
    pub(crate) escaped: Option<&'l str>,
}

/// What is resolved in place of a link that is not valid.
pub(super) fn escaped(
    link: &Link<'_>,
    resolved: Option<&Result<Resolved<'_>, Unresolved>>,
) -> Option<String> {
    matches!(resolved, Some(Err(Unresolved::NotValid(_)))).then(|| link.escaped()).flatten()
}

impl<'l> Absolute<'l> {
    /// What a link is resolved to as it stands, unless it is to be resolved as something else.
    pub(super) fn new(
        link: &Link<'_>,
        resolved: Result<Resolved<'l>, Unresolved>,
        escaped: Option<&'l str>,
    ) -> Self {
        let target = escaped.map_or(resolved, |escaped| link.resolve(escaped));
        Self { target: target.map_err(Failure::from), escaped }
    }

    /// Its text, if there is one.
    pub(super) fn text(&self) -> Option<Cow<'_, str>> {
        match &self.target {
            Ok(Resolved::Uri(uri)) => Some(uri.as_str().into()),
            Ok(Resolved::CurrentDocument { fragment: None }) => Some("(current document)".into()),
            Ok(Resolved::CurrentDocument { fragment: Some(fragment) }) => {
                Some(format!("(current document)#{fragment}").into())
            }
            Err(_) => None,
        }
    }
}
