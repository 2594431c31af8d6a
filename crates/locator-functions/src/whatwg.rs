//! What the URL Standard reads in a text: the functions `uri_whatwg_…`, as browsers, Node and Rust's
//! `url` read it. Most texts that RFC 3986 rejects have results here: `/a|b`, `?f[]=1`, `/100%`, `\`.

use std::borrow::Cow;

use locator_whatwg::{Origin, Url, UrlCow, UrlRef, validate};

use crate::function::{ArgumentValue, Row, Value};

/// Reads a row. A text in serialised form, as most are, is borrowed.
fn url<'a>(row: &Row<'a>) -> Option<UrlCow<'a>> {
    Url::parse_cow(row.text()?).ok()
}

/// Returns a part of the URL of a row.
pub(crate) fn part<'a>(
    row: &Row<'a>,
    part: for<'u> fn(UrlRef<'u>) -> Option<&'u str>,
) -> Option<Cow<'a, str>> {
    match url(row)? {
        UrlCow::Borrowed(url) => part(url).map(Cow::Borrowed),
        UrlCow::Owned(url) => part(url.as_url_ref()).map(|part| Cow::Owned(part.to_owned())),
    }
}

pub(crate) fn is_valid(row: &Row<'_>) -> Option<bool> {
    Some(row.text().is_some_and(Url::can_parse))
}

pub(crate) fn href<'a>(row: &Row<'a>) -> Option<Cow<'a, str>> {
    Some(match url(row)? {
        UrlCow::Borrowed(url) => Cow::Borrowed(url.as_str()),
        UrlCow::Owned(url) => Cow::Owned(url.into()),
    })
}

/// Returns the serialisation of an origin with a host. An opaque origin is equal to no other, also not to
/// itself, so it is NULL and not "null".
pub(crate) fn origin<'a>(row: &Row<'a>) -> Option<Cow<'a, str>> {
    let origin = url(row)?.as_url_ref().origin();
    matches!(origin, Origin::Tuple(..)).then(|| Cow::Owned(origin.ascii_serialization()))
}

/// Returns a text that is not empty: an empty user or password is the same as none.
pub(crate) fn not_empty(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the host, which is empty in `file:///a`; `None` of what has none, as `mailto:a@b`.
pub(crate) fn host(url: UrlRef<'_>) -> Option<&str> {
    url.has_authority().then(|| url.host_str().unwrap_or_default())
}

pub(crate) fn port(row: &Row<'_>) -> Option<i32> {
    url(row)?.as_url_ref().port().map(i32::from)
}

pub(crate) fn effective_port(row: &Row<'_>) -> Option<i32> {
    url(row)?.as_url_ref().port_or_known_default().map(i32::from)
}

pub(crate) fn query_param<'a>(row: &Row<'a>, given: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    let (url, wanted) = (url(row)?, given.first()?.text());
    let mut pairs = url.as_url_ref().query_pairs();
    pairs.find(|(name, _)| name == wanted).map(|(_, value)| Cow::Owned(value.into_owned()))
}

pub(crate) fn resolve<'a>(row: &Row<'a>, given: &[ArgumentValue<'_>]) -> Option<Cow<'a, str>> {
    let base = Url::parse(row.text()?).ok()?;
    Some(Cow::Owned(base.join(given.first()?.text()).ok()?.into()))
}

/// Appends the names of the validation errors, each once, in the order of the parser.
pub(crate) fn errors<'a>(row: &Row<'a>, _: &[ArgumentValue<'_>], values: &mut Vec<Value<'a>>) -> Option<()> {
    let mut names: Vec<&'static str> = Vec::new();
    for error in validate(row.text()?, None) {
        let name = error.kind().name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    values.extend(names.into_iter().map(|name| Value::Text(Cow::Borrowed(name))));
    Some(())
}
