//! Gateways: takes a URL of one scheme and returns a URL of another that retrieves the same object.
//! Follows "Registration of naming schemes" of the drafts of 1993 and 1994: that "the client
//! software have provision for being configured to use specific gateway locators for indirect
//! access through new naming schemes".

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use super::error::PlanError;
use super::request::HttpOrigin;
use crate::as_text::error_as_sentence;
use crate::component::SpannedStr;
use crate::edition::rfc3986::{SUB_DELIMS, UNRESERVED};
use crate::form::ValueError;
use crate::pct::PctString;
use crate::reference::{UriRef, UriRefBuf};
use crate::simd::AsciiSet;
use crate::span::Component;

/// A gateway: a scheme, and the template that maps its URLs to other URLs.
///
/// The fields `{host}`, `{port}`, `{path}` (without its first "/"), `{query}`, `{rest}` (everything
/// after the scheme's ":") and `{url}` are replaced by the components of the URL. Characters that
/// have another meaning at the place of the field are escaped: "?" in a path, "&", "=" and "+" in a
/// query, and in `{url}` the delimiters of that component. Two fields are copied unchanged: a whole
/// query, `?{query}`, whose "?" is omitted for a URL without a query, and the end of a path,
/// `/{rest}`.
///
/// ```
/// use locator::plan::Gateway;
/// use locator::uri_ref;
///
/// let url = uri_ref!("wais://quake.think.com/archives?lynch&co");
/// let mapped =
///     |template| Gateway::new("wais", template).unwrap().map(url).unwrap();
/// assert_eq!(
///     mapped("http://gw.example/wais/{host}/{path}"),
///     "http://gw.example/wais/quake.think.com/archives"
/// );
/// assert_eq!(
///     mapped("http://gw.example/?db={path}&q={query}"),
///     "http://gw.example/?db=archives&q=lynch%26co"
/// );
/// assert_eq!(
///     mapped("http://gw.example/{path}?{query}"),
///     "http://gw.example/archives?lynch&co"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateway {
    scheme: String,
    template: String,
    /// The parsed template.
    steps: Vec<TemplateStep>,
}

/// A segment of the parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplateStep {
    /// Literal text.
    Text(String),
    /// A field, which is replaced by a component of the URL.
    Field {
        name: &'static str,
        /// The component of the gateway's URL that contains the field.
        part: Component,
        /// Whether the field is the whole component, so that its delimiters stay.
        is_whole: bool,
    },
}

/// The field names that are allowed in braces.
const FIELDS: [&str; 6] = ["host", "port", "path", "query", "rest", "url"];

impl Gateway {
    /// Parses a template for the URLs of a scheme.
    ///
    /// # Errors
    ///
    /// The template has an unmatched brace or an unknown field, is not an absolute URL, or has the
    /// scheme that it maps. Only `{host}` and `{port}` are allowed in the gateway's authority, so
    /// that no URL chooses its server.
    pub fn new(scheme: &str, template: &str) -> Result<Self, TemplateError> {
        let scheme = scheme.to_ascii_lowercase();
        // A digit replaces every field, so that the template can be parsed as a URL.
        let mut sample = String::new();
        let mut found = Vec::new();
        for piece in pieces(template) {
            let (piece, offset) = piece?;
            let at = sample.len();
            match piece {
                TemplatePiece::Text(text) => sample.push_str(text),
                TemplatePiece::Field(_) => sample.push('1'),
            }
            found.push((piece, offset, at));
        }
        let read = UriRef::parse(&sample).map_err(|_| TemplateError::NoUrl)?;
        match read.scheme() {
            None => return Err(TemplateError::NoUrl),
            Some(name) if name == *scheme => return Err(TemplateError::SameScheme),
            Some(_) => {}
        }
        let steps = found.into_iter().map(|(piece, offset, at)| step(read, piece, offset, at));
        Ok(Self { scheme, template: template.into(), steps: steps.collect::<Result<_, _>>()? })
    }

    /// Returns the scheme that is mapped, in lower case.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Returns the template.
    #[must_use]
    pub fn template(&self) -> &str {
        &self.template
    }

    /// Maps a URL of the scheme to a URL of the gateway.
    ///
    /// # Errors
    ///
    /// The path would contain a segment "." or "..", escaped or not, after the beginning that the
    /// template fixes. A URL must not choose another path of the gateway (RFC 3986, section 5.2.4).
    pub fn map(&self, url: UriRef<'_>) -> Result<String, PlanError> {
        self.map_with_secrets(url, &[]).map(|mapped| mapped.url)
    }

    /// Maps a URL, and returns where its password is in the result, and the other secrets of which the
    /// ranges are given.
    pub(crate) fn map_with_secrets(
        &self,
        url: UriRef<'_>,
        others: &[Range<usize>],
    ) -> Result<MappedUrl, PlanError> {
        let secrets: Vec<_> = others.iter().cloned().chain(password(url)).collect();
        let mut mapped = MappedUrl::default();
        for step in &self.steps {
            match *step {
                TemplateStep::Text(ref text) => mapped.url.push_str(text),
                TemplateStep::Field { name, part, is_whole } => {
                    let Some(value) = field(url, name) else {
                        if part == Component::Query && is_whole && mapped.url.ends_with('?') {
                            mapped.url.pop();
                        }
                        continue;
                    };
                    let (login, after_login) = at_host(url, value);
                    if part == Component::Path {
                        has_no_step(after_login, is_whole)?;
                    }
                    let is_whole =
                        is_whole && (part != Component::Host || after_login.as_str().starts_with('['));
                    let kept = (name != "url").then(|| kept(name, part, is_whole));
                    mapped.push(url, login, &secrets, |to, piece| write_login(to, piece, kept));
                    mapped.push(url, after_login, &secrets, |to, piece| write(to, piece.as_str(), kept));
                }
            }
        }
        Ok(mapped)
    }
}

/// The URL of a gateway that a plan fetches in place of the given URL.
///
/// ```
/// use locator::plan::{Gateway, Options};
/// use locator::scheme::Registry;
/// use locator::uri_ref;
///
/// let mut schemes = Registry::new();
/// schemes.map(Gateway::new("gopher", "https://gateway.example/{host}/{path}")?);
/// let plan = schemes.plan(uri_ref!("gopher://h/1docs"), &Options::new())?;
/// let gateway = plan.gateway.unwrap();
/// assert_eq!(gateway.url, "https://gateway.example/h/1docs");
/// assert_eq!(gateway.origin.unwrap().host, "gateway.example");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct GatewayUrl {
    /// The URL, which references in the answer of the gateway are relative to.
    pub url: UriRefBuf,
    /// The origin of the gateway, if it is asked by HTTP.
    pub origin: Option<HttpOrigin>,
    /// The ranges of the URL that are secrets of the given URL.
    secrets: Vec<Range<usize>>,
}

impl GatewayUrl {
    pub(crate) const fn new(url: UriRefBuf, origin: Option<HttpOrigin>, secrets: Vec<Range<usize>>) -> Self {
        Self { url, origin, secrets }
    }
}

/// Shows the URL with its secrets hidden.
impl fmt::Debug for GatewayUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let url = self.url.redacted().hide(self.secrets.iter().cloned());
        f.debug_struct("GatewayUrl").field("url", &url).field("origin", &self.origin).finish()
    }
}

/// A URL that a template made.
#[derive(Debug, Default)]
pub(crate) struct MappedUrl {
    pub(crate) url: String,
    /// The ranges of the URL that are secrets, from left to right.
    pub(crate) secrets: Vec<Range<usize>>,
}

impl MappedUrl {
    /// Appends a part of a URL, each secret in it on its own.
    fn push(
        &mut self,
        url: UriRef<'_>,
        part: SpannedStr<'_>,
        secrets: &[Range<usize>],
        write: impl Fn(&mut String, SpannedStr<'_>),
    ) {
        let span = part.span();
        let mut cuts: Vec<_> = secrets.iter().flat_map(|secret| [secret.start, secret.end]).collect();
        cuts.retain(|cut| span.contains(cut));
        cuts.extend([span.start, span.end]);
        cuts.sort_unstable();
        for piece in cuts.windows(2).map(|ends| ends[0]..ends[1]).filter(|piece| !piece.is_empty()) {
            let start = self.url.len();
            write(&mut self.url, url.excerpt_of(piece.clone()));
            if secrets.iter().any(|secret| secret.contains(&piece.start)) {
                self.secrets.push(start..self.url.len());
            }
        }
    }
}

/// Returns the range of the password of a URL, if it has one.
fn password(url: UriRef<'_>) -> Option<Range<usize>> {
    let (_, password) = url.spanned(Component::Userinfo)?.split_once(":")?;
    Some(password.span()).filter(|password| !password.is_empty())
}

impl Gateway {
    /// Returns the components of a URL that the template has no field for, which the mapped URL
    /// omits.
    #[must_use]
    pub fn left_out(&self, url: UriRef<'_>) -> Vec<Component> {
        let has = |field: &str| {
            self.steps.iter().any(|step| matches!(step, TemplateStep::Field { name, .. } if *name == field))
        };
        let has_all = has("rest") || has("url");
        let is_lost = |part: &Component| {
            let has_field = match part {
                Component::Userinfo => false,
                part => has(part.name()),
            };
            !has_all && !has_field && url.component(*part).is_some_and(|text| !matches!(text, "" | "/"))
        };
        [Component::Userinfo, Component::Host, Component::Port, Component::Path, Component::Query]
            .into_iter()
            .filter(is_lost)
            .collect()
    }
}

/// Returns the step for a piece of the template, at an offset of the template and another of the
/// sample.
fn step(
    sample: UriRef<'_>,
    piece: TemplatePiece<'_>,
    offset: usize,
    at: usize,
) -> Result<TemplateStep, TemplateError> {
    let name = match piece {
        TemplatePiece::Text(text) => return Ok(TemplateStep::Text(text.into())),
        TemplatePiece::Field(name) => name,
    };
    let part = sample.spans().component_at(at);
    let is_replaced = |part| sample.spanned(part).filter(|part| part.as_str() == "1").is_some();
    let is_whole = match part {
        Component::Query => name == "query" && is_replaced(Component::Query),
        Component::Path => name == "rest" && at + 1 == sample.as_str().len(),
        Component::Host => is_replaced(Component::Host),
        Component::Fragment => true,
        _ => false,
    };
    match (part, name) {
        (Component::Path | Component::Query | Component::Fragment, _)
        | (Component::Host, "host" | "port")
        | (Component::Port, "port") => Ok(TemplateStep::Field { name, part, is_whole }),
        _ => Err(TemplateError::Place { offset }),
    }
}

/// Returns the characters that are not escaped at the place of a field.
fn kept(name: &str, part: Component, is_whole: bool) -> AsciiSet {
    match part {
        // An IPv6 address keeps its brackets if it is the whole host.
        Component::Host if is_whole => REGISTERED.union(AsciiSet::of(b":[]")),
        Component::Host | Component::Port => REGISTERED,
        Component::Path if is_whole => PATH.union(AsciiSet::of(b"?")),
        Component::Path if matches!(name, "path" | "rest") => PATH,
        Component::Path => PATH.difference(AsciiSet::of(b"/")),
        // "The characters slash ("/") and question mark ("?") may represent data within the query
        // component" (RFC 3986, 3.4); the delimiters of pairs, and "+" for a space, are not data.
        Component::Query if !is_whole => PATH.union(AsciiSet::of(b"?")).difference(AsciiSet::of(b"&=+;")),
        _ => PATH.union(AsciiSet::of(b"?")),
    }
}

// reg-name = *( unreserved / pct-encoded / sub-delims ) (RFC 3986, 3.2.2)
const REGISTERED: AsciiSet = UNRESERVED.union(SUB_DELIMS);
// pchar = unreserved / pct-encoded / sub-delims / ":" / "@" (RFC 3986, 3.3)
const PATH: AsciiSet = REGISTERED.union(AsciiSet::of(b":@/"));

/// Writes a login, in which "?" would end the authority where the URL is read.
fn write_login(to: &mut String, login: SpannedStr<'_>, kept: Option<AsciiSet>) {
    match kept {
        Some(kept) => write(to, login.as_str(), Some(kept.difference(AsciiSet::of(b"?")))),
        None => write(to, &login.as_str().replace('?', "%3F"), None),
    }
}

/// Writes an encoded value. All but these characters are escaped; without any, escapes are, too.
fn write(to: &mut String, value: &str, kept: Option<AsciiSet>) {
    let Some(kept) = kept else {
        return to.push_str(PctString::encode(value.as_bytes(), UNRESERVED).as_str());
    };
    for (i, piece) in value.split('%').enumerate() {
        // INVARIANT: in parsed text "%" is followed by two hex digits.
        let (digits, rest) = piece.split_at_checked(if i == 0 { 0 } else { 2 }).unwrap_or((piece, ""));
        to.push_str(if i == 0 { "" } else { "%" });
        to.push_str(digits);
        to.push_str(PctString::encode(rest.as_bytes(), kept).as_str());
    }
}

/// Divides a value after the "@" of a login. RFC 1738 allows "?" in a user, and a gateway ends the
/// authority there (RFC 3986, 3.2), so it must be escaped.
fn at_host<'a>(url: UriRef<'a>, value: SpannedStr<'a>) -> (SpannedStr<'a>, SpannedStr<'a>) {
    let start = value.span().start;
    let end = url.spanned(Component::Userinfo).map_or(start, |userinfo| userinfo.span().end);
    let end = if value.span().contains(&end) { end } else { start };
    (url.excerpt_of(start..end), url.excerpt_of(end..value.span().end))
}

/// Some servers decode `%2F` before they look for dot segments, and treat "\" as "/".
fn has_no_step(value: SpannedStr<'_>, has_query: bool) -> Result<(), PlanError> {
    let divided = value.split_once("?").filter(|_| has_query);
    let path = divided.map_or(value, |(path, _)| path);
    let octets = path.decode();
    let mut names = octets.split(|octet| matches!(octet, b'/' | b'\\'));
    if names.any(|name| matches!(name, b"." | b"..")) {
        let (expects, citation) = ("a path without the dot segments \".\" and \"..\"", "RFC 3986, 5.2.4");
        let span = path.place();
        return Err(PlanError::Value(ValueError::Unexpected { span, expects, citation }));
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
enum TemplatePiece<'t> {
    Text(&'t str),
    Field(&'static str),
}

/// Returns the pieces of a template, each with its offset.
fn pieces(template: &str) -> impl Iterator<Item = Result<(TemplatePiece<'_>, usize), TemplateError>> {
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
            return Some(Ok((TemplatePiece::Text(text), offset)));
        };
        let Some((name, after)) = field.split_once('}') else {
            rest = "";
            return Some(Err(TemplateError::Brace { offset }));
        };
        rest = after;
        let known = FIELDS.into_iter().find(|known| *known == name);
        Some(known.map(|name| (TemplatePiece::Field(name), offset)).ok_or(TemplateError::Field { offset }))
    })
}

/// The error of an invalid gateway template.
///
/// ```
/// use locator::plan::Gateway;
///
/// let error = Gateway::new("wais", "http://gw.example/{nothing}").unwrap_err();
/// assert!(
///     error.to_string().starts_with("unknown field in the template, at byte 18")
/// );
/// assert!(Gateway::new("wais", "http://gw.example/?u={url}").is_ok());
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TemplateError {
    /// A brace without the matching one.
    Brace {
        /// The byte offset of the brace in the template.
        offset: usize,
    },
    /// The word in braces is not a field.
    Field {
        /// The byte offset of its brace in the template.
        offset: usize,
    },
    /// A field that would choose the gateway's server or its scheme.
    Place {
        /// The byte offset of its brace in the template.
        offset: usize,
    },
    /// The template is not an absolute URL.
    NoUrl,
    /// The template has the scheme that it maps.
    SameScheme,
}

impl TemplateError {
    /// Returns the byte offset of the error in the template, if it has a position.
    #[must_use]
    pub const fn offset(&self) -> Option<usize> {
        match *self {
            Self::Brace { offset } | Self::Field { offset } | Self::Place { offset } => Some(offset),
            Self::NoUrl | Self::SameScheme => None,
        }
    }

    /// Returns the byte range of the brace in the template, if the error is about one.
    #[must_use]
    pub const fn span(&self) -> Option<Range<usize>> {
        match self.offset() {
            Some(offset) => Some(offset..offset + 1),
            None => None,
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

error_as_sentence!(TemplateError);
