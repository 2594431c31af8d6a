//! Edits a reference so that it keeps the rule that its edition has for its scheme. The generic
//! grammar may allow more in a component than the rule does: in `url-1994` the path of an http URL
//! has no ";" (BNF for specific URL schemes), so a ";" that is data is escaped there.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use crate::build::{BuildError, Edit};
use crate::error::{Found, ParseError, ParseErrorKind, Redacted};
use crate::reference::{UriRef, UriRefBuf};
use crate::scheme::{check, lookup};
use crate::simd::AsciiSet;
use crate::span::Component;

/// The error of changes whose result is not a valid reference: the resulting text and its error.
///
/// ```
/// use locator::scheme::{self, Unfinished};
/// use locator::{Component, edition::RFC1738, uri};
///
/// // RFC 1738 has no relative references, so the text without a scheme is not valid.
/// let edited: Result<_, Unfinished> =
///     scheme::edit(uri!("http://h/", RFC1738).into(), |edit| {
///         edit.remove(Component::Scheme)
///             .map(drop)
///             .map_err(|error| Unfinished { text: edit.to_string(), error })
///     });
/// let unfinished = edited.unwrap_err();
/// assert_eq!(unfinished.text, "//h/");
/// assert_eq!(unfinished.error.span(), Some(0..0));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The text that the changes would make.
    pub text: String,
    /// The error in the text. The span of a [`BuildError::Whole`] refers to the text.
    pub error: BuildError,
}

impl Debug for Unfinished {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut unfinished = f.debug_struct("Unfinished");
        unfinished.field("text", &Redacted::new(&self.text)).field("error", &self.error).finish()
    }
}

/// Changes a reference and parses the result by its edition and by the edition's rule for its
/// scheme.
///
/// If the rule rejects a character that the generic grammar allows, the changes are made again with
/// that character escaped as data. They must be the same each time.
///
/// ```
/// use locator::edition::URL_1994;
/// use locator::scheme::{self, Unfinished};
/// use locator::{Value, uri};
///
/// let edited = scheme::edit(uri!("http://h/", URL_1994).into(), |edit| {
///     edit.set_path(Value::Text("/a;b"))
///         .map(drop)
///         .map_err(|error| Unfinished { text: edit.to_string(), error })
/// })?;
/// assert_eq!(edited, "http://h/a%3Bb");
/// # Ok::<_, Unfinished>(())
/// ```
///
/// # Errors
///
/// A change fails, or the result is not valid by the edition or the rule.
pub fn edit<'a, E: From<Unfinished>>(
    reference: UriRef<'a>,
    mut changes: impl FnMut(&mut Edit<'a>) -> Result<(), E>,
) -> Result<UriRefBuf, E> {
    let mut escaped: Vec<(Component, AsciiSet)> = Vec::new();
    loop {
        let mut edit = Edit::of(reference);
        for &(part, set) in &escaped {
            edit.also_escape(part, set);
        }
        changes(&mut edit)?;
        let refused = |error| E::from(Unfinished { text: edit.to_string(), error });
        let built = edit.finish().map_err(refused)?;
        if is_other_path(&edit, built.as_uri_ref()) {
            return Err(refused(BuildError::Misread {
                component: Component::Path,
                edition: reference.edition(),
            }));
        }
        let Some(Err(error)) = check(built.as_uri_ref()) else { return Ok(built) };
        match refused_character(&error, built.as_uri_ref()) {
            // Each character of a component is tried once.
            Some((part, c)) if !escaped.iter().any(|(of, set)| *of == part && set.contains(c)) => {
                escaped.push((part, AsciiSet::of(&[c])));
            }
            _ => return Err(refused(BuildError::Whole(error))),
        }
    }
}

/// A path "//x" without an authority is written "/.//x" (RFC 3986, 3.3). This is equivalent if "."
/// is a dot segment, but not in a path without hierarchy, such as an address.
fn is_other_path(edit: &Edit<'_>, built: UriRef<'_>) -> bool {
    let scheme = built.scheme().and_then(|scheme| lookup(scheme.as_str()));
    scheme.is_some_and(|scheme| !scheme.is_hierarchical())
        && built
            .path()
            .as_str()
            .strip_prefix("/.")
            .is_some_and(|path| edit.component(Component::Path).is_some_and(|given| given == path))
}

/// Returns the character that a rule rejects, if its percent-encoding would be plain data. It is
/// the one at the error, or the last delimiter of the scheme before it, as the ";" of "a;b", after
/// which ftp requires "type=".
fn refused_character(error: &ParseError, built: UriRef<'_>) -> Option<(Component, u8)> {
    let part = error.component();
    if !matches!(part, Component::Userinfo | Component::Path | Component::Query) {
        return None;
    }
    let divides = |octet: u8| !octet.is_ascii_alphanumeric() && octet != b'%';
    let found = match error.found() {
        Found::Char(c) => u8::try_from(c).ok().filter(|octet| octet.is_ascii() && divides(*octet)),
        _ => None,
    };
    let before = || {
        let reserved = lookup(built.scheme()?.as_str())?.reserved();
        let (start, end) = (built.spans().get(part)?.start as usize, error.span().start);
        let read = built.as_str().as_bytes().get(start..end)?;
        read.iter().rev().copied().find(|&octet| reserved.contains(octet))
    };
    let refused = found.filter(|_| error.kind() == ParseErrorKind::InvalidByte);
    refused.or_else(before).map(|octet| (part, octet))
}
