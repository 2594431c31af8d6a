//! The parameters of a query, as HTML forms write them: pairs between "&", names and values divided by
//! the first "=".

use std::borrow::Cow;

use locator::{Component, Pair, SpaceEncoding, UriRef, UriRefBuf};

use crate::percent::percent_encode;

/// How the value of a parameter is decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decoding {
    /// As HTML forms encode: "+" is a space, and escapes are decoded.
    #[default]
    Form,
    /// Escapes are decoded, and "+" stays.
    Percent,
    /// Nothing is decoded.
    Raw,
}

/// Returns the value of the first parameter with a name; `None` if there is none, it has no "=", or it
/// does not decode to UTF-8.
///
/// The name is compared with the decoded names. Nothing between two "&" is no parameter.
///
/// ```
/// use locator_functions::{Decoding, query_param};
///
/// let url = locator::UriRef::parse("?q=a+b&r")?;
/// assert_eq!(query_param(url, "q", Decoding::Form).as_deref(), Some("a b"));
/// assert_eq!(query_param(url, "r", Decoding::Form), None);
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn query_param<'a>(reference: UriRef<'a>, name: &str, decoding: Decoding) -> Option<Cow<'a, str>> {
    let spaces = match decoding {
        Decoding::Form => SpaceEncoding::Plus,
        Decoding::Percent | Decoding::Raw => SpaceEncoding::Percent20,
    };
    let pair = reference.pairs(spaces).find(|pair| has_name(*pair, name))?;
    if decoding == Decoding::Raw {
        return pair.value().map(|value| Cow::Borrowed(value.as_str()));
    }
    match pair.value_bytes()? {
        Cow::Borrowed(bytes) => str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// Whether a pair is a parameter with this name.
fn has_name(pair: Pair<'_>, name: &str) -> bool {
    !pair.as_str().is_empty() && *pair.name_bytes() == *name.as_bytes()
}

/// Returns a reference with a value for the first parameter of this name, and without others of this name;
/// if there is none, the parameter is appended.
///
/// Names are compared decoded, as HTML forms encode them. What is written has escapes for everything but
/// unreserved characters, so that every server reads the same: a space is `%20`.
///
/// ```
/// let url = locator::UriRef::parse("http://h/?q=1&a&q=2#f")?;
/// let changed = locator_functions::set_param(url, "q", "x y&z");
/// assert_eq!(changed.as_deref(), Some("http://h/?q=x%20y%26z&a#f"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn set_param<'a>(reference: UriRef<'a>, name: &str, value: &str) -> Option<Cow<'a, str>> {
    let mut is_set = false;
    let pairs = reference.pairs(SpaceEncoding::Plus).filter_map(|pair| {
        if !has_name(pair, name) {
            return Some(Cow::Borrowed(pair.as_str()));
        }
        let written = || format!("{}={}", pair.name().as_str(), percent_encode(value));
        (!std::mem::replace(&mut is_set, true)).then(|| Cow::Owned(written()))
    });
    let query = pairs.collect::<Vec<_>>().join("&");
    if !is_set {
        return append_param(reference, name, value);
    }
    with_query(reference, &query)
}

/// Returns a reference with one more parameter, after the others. What is written is as for [`set_param`].
///
/// ```
/// let url = locator::UriRef::parse("http://h/?q=1#f")?;
/// let changed = locator_functions::append_param(url, "q", "2");
/// assert_eq!(changed.as_deref(), Some("http://h/?q=1&q=2#f"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn append_param<'a>(reference: UriRef<'a>, name: &str, value: &str) -> Option<Cow<'a, str>> {
    let query = reference.component(Component::Query).unwrap_or_default();
    let and = if query.is_empty() || query.ends_with('&') { "" } else { "&" };
    with_query(reference, &format!("{query}{and}{}={}", percent_encode(name), percent_encode(value)))
}

/// Returns a reference without the parameters of a name. A query without parameters is removed.
///
/// ```
/// let url = locator::UriRef::parse("http://h/?q=1&a*=2")?;
/// let changed = locator_functions::remove_param(url, "a*");
/// assert_eq!(changed.as_deref(), Some("http://h/?q=1"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn remove_param<'a>(reference: UriRef<'a>, name: &str) -> Option<Cow<'a, str>> {
    let pairs = || reference.pairs(SpaceEncoding::Plus);
    if !pairs().any(|pair| has_name(pair, name)) {
        return Some(Cow::Borrowed(reference.as_str()));
    }
    let kept = pairs().filter(|pair| !has_name(*pair, name));
    with_pairs(reference, kept.map(Pair::as_str)).map(|changed| Cow::Owned(changed.into_string()))
}

/// Returns the reference with this query.
fn with_query<'a>(reference: UriRef<'a>, query: &str) -> Option<Cow<'a, str>> {
    let text = reference.as_str();
    let (start, end) = match reference.span(Component::Query) {
        Some(span) => (span.start - 1, span.end),
        None => {
            let end = reference.span(Component::Fragment).map_or(text.len(), |fragment| fragment.start - 1);
            (end, end)
        }
    };
    let changed = [&text[..start], "?", query, &text[end..]].concat();
    UriRefBuf::from_string_with(changed, reference.edition())
        .ok()
        .map(|changed| Cow::Owned(changed.into_string()))
}

/// Returns a reference without some of its parts. With the authority, its userinfo, host and port go.
///
/// ```
/// use locator::Component;
///
/// let url = locator::UriRef::parse("http://h/a?b#c")?;
/// let parts = [Component::Query, Component::Fragment];
/// assert_eq!(
///     locator_functions::strip(url, &parts).as_deref(),
///     Some("http://h/a")
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn strip<'a>(reference: UriRef<'a>, parts: &[Component]) -> Option<Cow<'a, str>> {
    // What is at the end is cut off, without another copy of the rest.
    let mut end = reference.as_str().len();
    for part in [Component::Fragment, Component::Query] {
        match reference.span(part) {
            Some(span) if parts.contains(&part) && span.end == end => end = span.start - 1,
            Some(_) => break,
            None => {}
        }
    }
    let is_cut = |part| matches!(part, Component::Fragment | Component::Query);
    if end < reference.as_str().len() && parts.iter().copied().all(is_cut) && !is_left(reference, parts, end)
    {
        return Some(Cow::Borrowed(&reference.as_str()[..end]));
    }
    if parts.iter().all(|&part| reference.span(part).is_none()) {
        return Some(Cow::Borrowed(reference.as_str()));
    }
    let mut edit = reference.edit();
    for &part in parts.iter().filter(|&&part| reference.span(part).is_some()) {
        edit.remove(part).ok()?;
    }
    edit.finish().ok().map(|changed| Cow::Owned(changed.into_string()))
}

/// Returns whether one of the parts stands before the end of what is kept.
fn is_left(reference: UriRef<'_>, parts: &[Component], end: usize) -> bool {
    parts.iter().filter_map(|&part| reference.span(part)).any(|span| span.start < end)
}

/// Returns a reference without the parameters whose names match one of the patterns, which have commas
/// between them; "*" is any text. A query without parameters is removed.
///
/// ```
/// let url = locator::UriRef::parse("http://h/?utm_source=x&q=1")?;
/// let clean = locator_functions::without_params(url, "utm_*,gclid");
/// assert_eq!(clean.as_deref(), Some("http://h/?q=1"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn without_params<'a>(reference: UriRef<'a>, patterns: &str) -> Option<Cow<'a, str>> {
    retain(reference, |name| !matches_one(patterns, name))
}

/// Returns a reference with only the parameters whose names match one of the patterns.
///
/// ```
/// let url = locator::UriRef::parse("http://h/?utm_source=x&q=1")?;
/// assert_eq!(
///     locator_functions::keep_params(url, "q").as_deref(),
///     Some("http://h/?q=1")
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn keep_params<'a>(reference: UriRef<'a>, patterns: &str) -> Option<Cow<'a, str>> {
    retain(reference, |name| matches_one(patterns, name))
}

/// Returns a reference whose parameters are sorted by the octets of their names, decoded as HTML forms
/// are. Parameters with one name keep their order, and empty ones (`&&`) their places.
///
/// ```
/// let url = locator::UriRef::parse("http://h/?b=2&a=1")?;
/// assert_eq!(
///     locator_functions::sort_params(url).as_deref(),
///     Some("http://h/?a=1&b=2")
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
#[must_use]
pub fn sort_params(reference: UriRef<'_>) -> Option<Cow<'_, str>> {
    let pairs = reference.pairs(SpaceEncoding::Plus).filter(|pair| !pair.as_str().is_empty());
    if pairs.clone().is_sorted_by_key(Pair::name_bytes) {
        return Some(Cow::Borrowed(reference.as_str()));
    }
    let mut sorted: Vec<_> = pairs.collect();
    sorted.sort_by(|a, b| a.name_bytes().cmp(&b.name_bytes()));
    let mut sorted = sorted.into_iter();
    let places = reference.pairs(SpaceEncoding::Plus);
    let texts =
        places.map(|pair| if pair.as_str().is_empty() { "" } else { sorted.next().map_or("", Pair::as_str) });
    with_pairs(reference, texts).map(|changed| Cow::Owned(changed.into_string()))
}

/// Returns a reference with the parameters whose decoded names are kept.
fn retain<'a>(reference: UriRef<'a>, mut keep: impl FnMut(&str) -> bool) -> Option<Cow<'a, str>> {
    let pairs = || reference.pairs(SpaceEncoding::Plus);
    if pairs().all(|pair| keep(&name_of(&pair.name_bytes()))) {
        return Some(Cow::Borrowed(reference.as_str()));
    }
    let kept = pairs().filter(|pair| keep(&name_of(&pair.name_bytes())));
    with_pairs(reference, kept.map(Pair::as_str)).map(|changed| Cow::Owned(changed.into_string()))
}

/// Returns the reference with these pairs as its query, and without one if there are none.
pub(crate) fn with_pairs<'a>(
    reference: UriRef<'_>,
    pairs: impl Iterator<Item = &'a str>,
) -> Option<UriRefBuf> {
    let (text, query) = (reference.as_str(), reference.span(Component::Query)?);
    let mut changed = String::with_capacity(text.len());
    changed.push_str(&text[..query.start - 1]);
    for (place, pair) in pairs.enumerate() {
        changed.push(if place == 0 { '?' } else { '&' });
        changed.push_str(pair);
    }
    if changed.len() == query.start {
        // One empty pair is an empty query, and that is what is left of "?&a".
        changed.pop();
    }
    changed.push_str(&text[query.end..]);
    UriRefBuf::from_string_with(changed, reference.edition()).ok()
}

/// Returns the decoded name of a parameter; what is not UTF-8 is U+FFFD.
pub(crate) fn name_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Returns whether a name matches one of the patterns that have commas between them.
fn matches_one(patterns: &str, name: &str) -> bool {
    let mut patterns = patterns.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
    patterns.any(|pattern| matches(pattern, name))
}

/// Returns whether a name is the text of a pattern, in which "*" is any text. In linear time for each
/// "*": the first place of each piece is the right one.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for piece in middle.split('*') {
        match name.find(piece) {
            Some(place) => name = &name[place + piece.len()..],
            None => return false,
        }
    }
    name.ends_with(last)
}
