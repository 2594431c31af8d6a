//! Gateways: a URL of one scheme enters, the URL of another that gives the same thing leaves. Follows
//! "Registration of naming schemes" of the drafts of 1993 and 1994: that "the client software have
//! provision for being configured to use specific gateway locators for indirect access through new naming
//! schemes".

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use super::PlanError;
use crate::component::SpannedStr;
use crate::edition::rfc3986::{SUB_DELIMS, UNRESERVED};
use crate::escape::PctString;
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// A scheme, and the template of a URL that its URLs become.
///
/// In the template `{host}`, `{port}`, `{path}` (without its first "/"), `{query}`, `{rest}` (all that
/// follows the scheme's ":") and `{url}` stand for what the URL has there. What would mean something else in the
/// place where it will stand is escaped: "?" in a path, "&", "=" and "+" in a query, and in `{url}` all that means
/// anything anywhere. As it is stays only what is all of a query, `?{query}`, whose "?" is not written for a URL that
/// has none, and all that follows a path, `/{rest}`.
///
/// ```
/// use locator::plan::Gateway;
/// use locator::uri_ref;
///
/// let url = uri_ref!("wais://quake.think.com/archives?lynch&co");
/// let mapped = |template| Gateway::new("wais", template).unwrap().map(url).unwrap();
/// assert_eq!(mapped("http://gw.example/wais/{host}/{path}"), "http://gw.example/wais/quake.think.com/archives");
/// assert_eq!(mapped("http://gw.example/?db={path}&q={query}"), "http://gw.example/?db=archives&q=lynch%26co");
/// assert_eq!(mapped("http://gw.example/{path}?{query}"), "http://gw.example/archives?lynch&co");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateway {
    scheme: String,
    template: String,
    /// The template, taken apart.
    steps: Vec<Step>,
}

/// What is written of a URL's place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// This, as it is.
    Text(String),
    /// What the URL has for a field.
    Field {
        name: &'static str,
        /// In which component of the gateway's URL.
        part: Component,
        /// Whether it keeps what divides it: it is all that there is of its component.
        is_whole: bool,
    },
}

/// What may stand in braces.
const FIELDS: [&str; 6] = ["host", "port", "path", "query", "rest", "url"];

impl Gateway {
    /// A scheme and a template.
    ///
    /// # Errors
    ///
    /// A brace without its other, or a word in braces that is none of the fields; a template that is no
    /// absolute URL, or of the same scheme; a field other than `{host}` and `{port}` where the gateway's server stands,
    /// which no URL may choose.
    pub fn new(scheme: &str, template: &str) -> Result<Self, TemplateError> {
        let scheme = scheme.to_ascii_lowercase();
        // A digit may stand for every field, so that the template can be read.
        let mut sample = String::new();
        let mut found = Vec::new();
        for piece in pieces(template) {
            let (piece, offset) = piece?;
            let at = sample.len();
            match piece {
                Piece::Text(text) => sample.push_str(text),
                Piece::Field(_) => sample.push('1'),
            }
            found.push((piece, offset, at));
        }
        let read = UriRef::parse(&sample).map_err(|_| TemplateError::NoUrl)?;
        match read.scheme() {
            None => return Err(TemplateError::NoUrl),
            Some(name) if name == *scheme => return Err(TemplateError::SameScheme),
            Some(_) => {}
        }
        let steps = found.into_iter().map(|(piece, offset, at)| step(read, piece, (offset, at)));
        Ok(Self { scheme, template: template.into(), steps: steps.collect::<Result<_, _>>()? })
    }

    /// The scheme that is mapped, in lower case.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The template.
    pub fn template(&self) -> &str {
        &self.template
    }

    /// The URL that one of the scheme becomes.
    ///
    /// # Errors
    ///
    /// A step, "." or "..", escaped or not, would stand in the path that the template begins: whose URL it is
    /// does not say which of the gateway's paths are asked for (RFC 3986, section 5.2.4).
    pub fn map(&self, url: UriRef<'_>) -> Result<String, PlanError> {
        let mut mapped = String::new();
        for step in &self.steps {
            match *step {
                Step::Text(ref text) => mapped.push_str(text),
                Step::Field { name, part, is_whole } => {
                    let Some(value) = field(url, name) else {
                        if part == Component::Query && is_whole && mapped.ends_with('?') {
                            mapped.pop();
                        }
                        continue;
                    };
                    let (before, value) = at_host(url, value);
                    if part == Component::Path {
                        has_no_step(value, is_whole)?;
                    }
                    if name == "url" {
                        let before = before.as_str().replace('?', "%3F");
                        mapped.push_str(PctString::encode(before.as_bytes(), UNRESERVED).as_str());
                        let octets = value.as_str().as_bytes();
                        mapped.push_str(PctString::encode(octets, UNRESERVED).as_str());
                    } else {
                        let is_whole =
                            is_whole && (part != Component::Host || value.as_str().starts_with('['));
                        let kept = kept(name, part, is_whole);
                        write(&mut mapped, before, kept.difference(AsciiSet::of(b"?")));
                        write(&mut mapped, value, kept);
                    }
                }
            }
        }
        Ok(mapped)
    }
}

impl Gateway {
    /// The components of a URL that the template has no field for: the URL that it becomes says nothing of them.
    pub fn left_out(&self, url: UriRef<'_>) -> impl Iterator<Item = Component> {
        let has = |field: &str| {
            self.steps.iter().any(|step| matches!(step, Step::Field { name, .. } if *name == field))
        };
        let has_all = has("rest") || has("url");
        let fields = [
            (Component::Userinfo, false),
            (Component::Host, has("host")),
            (Component::Port, has("port")),
            (Component::Path, has("path")),
            (Component::Query, has("query")),
        ];
        let is_said = |part| url.component(part).is_some_and(|text| !matches!(text, "" | "/"));
        fields
            .map(move |(part, is_there)| (part, !has_all && !is_there && is_said(part)))
            .into_iter()
            .filter_map(|(part, is_lost)| is_lost.then_some(part))
    }
}

/// A piece of the template, which stands at an octet of it, and at another of the sample.
fn step(sample: UriRef<'_>, piece: Piece<'_>, (offset, at): (usize, usize)) -> Result<Step, TemplateError> {
    let name = match piece {
        Piece::Text(text) => return Ok(Step::Text(text.into())),
        Piece::Field(name) => name,
    };
    let part = sample.spans().component_at(u32::try_from(at).unwrap_or(u32::MAX));
    let stands = |part| sample.spanned(part).filter(|part| part.as_str() == "1").is_some();
    let is_whole = match part {
        Component::Query => name == "query" && stands(Component::Query),
        Component::Path => name == "rest" && at + 1 == sample.as_str().len(),
        Component::Host => stands(Component::Host),
        Component::Fragment => true,
        _ => false,
    };
    match (part, name) {
        (Component::Path | Component::Query | Component::Fragment, _)
        | (Component::Host, "host" | "port")
        | (Component::Port, "port") => Ok(Step::Field { name, part, is_whole }),
        _ => Err(TemplateError::Place { offset }),
    }
}

/// What may stay as it is where a field will stand.
fn kept(name: &str, part: Component, is_whole: bool) -> AsciiSet {
    match part {
        // An IPv6 address stays in its brackets, if nothing stands beside it.
        Component::Host if is_whole => REGISTERED.union(AsciiSet::of(b":[]")),
        Component::Host | Component::Port => REGISTERED,
        Component::Path if is_whole => PATH.union(AsciiSet::of(b"?")),
        Component::Path if matches!(name, "path" | "rest") => PATH,
        Component::Path => PATH.difference(AsciiSet::of(b"/")),
        // "The characters slash ("/") and question mark ("?") may represent data within the query component"
        // (RFC 3986, 3.4); what divides pairs, and "+" for a space, is no data.
        Component::Query if !is_whole => PATH.union(AsciiSet::of(b"?")).difference(AsciiSet::of(b"&=+;")),
        _ => PATH.union(AsciiSet::of(b"?")),
    }
}

// reg-name = *( unreserved / pct-encoded / sub-delims ) (RFC 3986, 3.2.2)
const REGISTERED: AsciiSet = UNRESERVED.union(SUB_DELIMS);
// pchar = unreserved / pct-encoded / sub-delims / ":" / "@" (RFC 3986, 3.3)
const PATH: AsciiSet = REGISTERED.union(AsciiSet::of(b":@/"));

/// Writes what is in escaped form already, with more of it escaped.
fn write(to: &mut String, value: SpannedStr<'_>, kept: AsciiSet) {
    for (i, piece) in value.as_str().split('%').enumerate() {
        // INVARIANT: in what was read "%" is followed by two hex digits.
        let (digits, rest) = piece.split_at_checked(if i == 0 { 0 } else { 2 }).unwrap_or((piece, ""));
        to.push_str(if i == 0 { "" } else { "%" });
        to.push_str(digits);
        to.push_str(PctString::encode(rest.as_bytes(), kept).as_str());
    }
}

/// What a value has before the "@" of a login, and the rest. RFC 1738 allows "?" in a user, and a gateway ends the
/// authority there (RFC 3986, 3.2), so it must be escaped.
fn at_host<'a>(url: UriRef<'a>, value: SpannedStr<'a>) -> (SpannedStr<'a>, SpannedStr<'a>) {
    let start = value.span().start;
    let end = url.spanned(Component::Userinfo).map_or(start, |userinfo| userinfo.span().end);
    let end = if value.span().range().contains(&(end as usize)) { end } else { start };
    (url.excerpt_of(start as usize..end as usize), url.excerpt_of(end as usize..value.span().end as usize))
}

/// Servers are known that undo `%2F` before they look for steps, and that take "\" for "/".
fn has_no_step(value: SpannedStr<'_>, has_query: bool) -> Result<(), PlanError> {
    let divided = value.split_once("?").filter(|_| has_query);
    let path = divided.map_or(value, |(path, _)| path);
    let octets = path.decode();
    let mut names = octets.split(|octet| matches!(octet, b'/' | b'\\'));
    if names.any(|name| matches!(name, b"." | b"..")) {
        let (expects, see) = ("a path without the dot segments \".\" and \"..\"", "RFC 3986, 5.2.4");
        return Err(PlanError::Value { span: path.span(), expects, see });
    }
    Ok(())
}

fn field<'a>(url: UriRef<'a>, name: &str) -> Option<SpannedStr<'a>> {
    let parts = url.spans();
    match name {
        "host" => url.spanned(Component::Host),
        "port" => url.spanned(Component::Port),
        "query" => url.spanned(Component::Query),
        "path" => url.spanned(Component::Path).map(|path| path.strip_prefix("/").unwrap_or(path)),
        "rest" => Some(url.scheme_specific()),
        _ => Some(url.excerpt_of(usize::from(parts.start)..parts.query_end as usize)),
    }
}

#[derive(Clone, Copy)]
enum Piece<'t> {
    Text(&'t str),
    Field(&'static str),
}

/// The pieces of a template, each with the octet that it begins at.
fn pieces(template: &str) -> impl Iterator<Item = Result<(Piece<'_>, usize), TemplateError>> {
    let mut rest = template;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let offset = template.len() - rest.len();
        let Some(field) = rest.strip_prefix('{') else {
            let end = rest.find(['{', '}']).unwrap_or(rest.len());
            if end == 0 {
                rest = "";
                return Some(Err(TemplateError::Brace { offset }));
            }
            let (text, after) = rest.split_at(end);
            rest = after;
            return Some(Ok((Piece::Text(text), offset)));
        };
        let Some((name, after)) = field.split_once('}') else {
            rest = "";
            return Some(Err(TemplateError::Brace { offset }));
        };
        rest = after;
        let known = FIELDS.into_iter().find(|known| *known == name);
        Some(known.map(|name| (Piece::Field(name), offset)).ok_or(TemplateError::Field { offset }))
    })
}

/// Why a text is not a template of a gateway.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateError {
    /// A brace without the one that matches it.
    Brace {
        /// Where in the template, in bytes.
        offset: usize,
    },
    /// A word in braces that is not a field.
    Field {
        /// Where its brace is in the template, in bytes.
        offset: usize,
    },
    /// A field where it would choose the gateway's server or its scheme.
    Place {
        /// Where its brace is in the template, in bytes.
        offset: usize,
    },
    /// The template is not an absolute URL.
    NoUrl,
    /// The template has the scheme that it is for.
    SameScheme,
}

impl TemplateError {
    /// Returns the byte of the template at which the error begins, if it is about one.
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        match *self {
            Self::Brace { offset } | Self::Field { offset } | Self::Place { offset } => Some(offset),
            Self::NoUrl | Self::SameScheme => None,
        }
    }
}

impl Display for TemplateError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Brace { offset } => write!(f, "unmatched brace in the template, at byte {offset}"),
            Self::Field { offset } => {
                write!(f, "unknown field in the template, at byte {offset}; the fields are")?;
                FIELDS.iter().try_for_each(|name| write!(f, " {{{name}}}"))
            }
            Self::Place { offset } => {
                write!(
                    f,
                    "this field would choose the gateway's server, at byte {offset} of the template: "
                )?;
                f.write_str("only {host} and {port} are allowed there")
            }
            Self::NoUrl => f.write_str("the template is not an absolute URL"),
            Self::SameScheme => f.write_str("the template has the scheme that it is for"),
        }
    }
}

impl core::error::Error for TemplateError {}
