//! The schemes' own rules, beside the generic one: a URL that the generic grammar of an
//! edition allows may still break the rule that the edition has for its scheme.
//!
//! A scheme is one file that knows all of it, and one line in [`ALL`]. Only `url-1993`,
//! `url-1994` and `rfc1738` have rules for schemes; the later editions leave them to other
//! documents.

use crate::edition::Edition;
use crate::error::Error;
use crate::parse;
use crate::reference::UriRef;

/// Every error of a text, generic ones first and from left to right; if there is none of
/// those, the first by the rule of its scheme. None if it is valid on both levels.
///
/// ```
/// use locator::edition::RFC3986;
///
/// let errors: Vec<_> = locator::scheme::errors("ht_tp://a b/|", &RFC3986).map(|e| e.span().start).collect();
/// assert_eq!(errors, [2, 9, 12]);
/// ```
pub fn errors<'a>(text: &'a str, edition: &'static Edition) -> impl Iterator<Item = Error> + 'a {
    let by_scheme = UriRef::parse_by(text, edition).ok().and_then(check);
    parse::errors(text, edition).chain(by_scheme.and_then(Result::err))
}

/// Checks a reference by the rule that its edition has for its scheme; `None` if it has none.
pub fn check(_reference: UriRef<'_>) -> Option<Result<(), Error>> {
    None
}
