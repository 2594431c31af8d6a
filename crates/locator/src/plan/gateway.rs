//! Gateways: a URL of one scheme enters, the URL of another that gives the same thing leaves. Follows
//! "Registration of naming schemes" of the drafts of 1993 and 1994: that "the client software have
//! provision for being configured to use specific gateway locators for indirect access through new naming
//! schemes".

use alloc::string::String;
use core::fmt::{self, Display, Formatter};

use super::PlanError;
use crate::component::Excerpt;
use crate::edition::Edition;
use crate::part::Part;
use crate::reference::UriRef;

/// A scheme, and the template of a URL that its URLs become.
///
/// In the template `{host}`, `{port}`, `{path}` (without its first "/"), `{query}` and `{rest}` (all that
/// follows the scheme's ":") stand for what the URL has there, in escaped form; `{url}` stands for the
/// whole URL, every octet of it escaped that means something where it will stand.
///
/// ```
/// use locator::plan::Gateway;
/// use locator::uri_ref;
///
/// let gateway = Gateway::new("wais", "http://gw.example/wais/{host}/{path}")?;
/// let url = uri_ref!("wais://quake.think.com/wais-discussion-archives?lynch");
/// assert_eq!(gateway.map(url).unwrap(), "http://gw.example/wais/quake.think.com/wais-discussion-archives");
/// # Ok::<_, locator::plan::TemplateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateway {
    scheme: String,
    template: String,
}

/// What may stand in braces.
const FIELDS: [&str; 6] = ["host", "port", "path", "query", "rest", "url"];

impl Gateway {
    /// A scheme and a template.
    ///
    /// # Errors
    ///
    /// A brace without its other, or a word in braces that is none of the fields; a template that is no
    /// absolute URL, or of the same scheme.
    pub fn new(scheme: &str, template: &str) -> Result<Self, TemplateError> {
        let scheme = scheme.to_ascii_lowercase();
        let mut sample = String::new();
        for piece in pieces(template) {
            match piece? {
                Piece::Text(text) => sample.push_str(text),
                Piece::Field(_) => sample.push('x'),
            }
        }
        let read = UriRef::parse(&sample).map_err(|_| TemplateError::NoUrl)?;
        match read.scheme() {
            None => Err(TemplateError::NoUrl),
            Some(name) if name == *scheme => Err(TemplateError::SameScheme),
            Some(_) => Ok(Self { scheme, template: template.into() }),
        }
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
        for piece in pieces(&self.template).flatten() {
            match piece {
                Piece::Text(text) => mapped.push_str(text),
                Piece::Field("url") => escape(&mut mapped, before_fragment(url), url.edition()),
                Piece::Field(name) => {
                    let Some(value) = field(url, name) else { continue };
                    if !mapped.contains(['?', '#']) {
                        has_no_step(value)?;
                    }
                    mapped.push_str(value.as_str());
                }
            }
        }
        Ok(mapped)
    }
}

/// Servers are known that undo `%2F` before they look for steps, and that take "\" for "/".
fn has_no_step(value: Excerpt<'_>) -> Result<(), PlanError> {
    let path = value.split_once("?").map_or(value, |(path, _)| path);
    let octets = path.octets();
    let mut names = octets.split(|octet| matches!(octet, b'/' | b'\\'));
    if names.any(|name| matches!(name, b"." | b"..")) {
        let (expects, see) = ("a path without the steps \".\" and \"..\"", "RFC 3986, 5.2.4");
        return Err(PlanError::Value { span: path.span(), expects, see });
    }
    Ok(())
}

fn before_fragment(url: UriRef<'_>) -> &str {
    let parts = url.parts();
    url.as_str().get(usize::from(parts.start)..parts.query_end as usize).unwrap_or_default()
}

fn field<'a>(url: UriRef<'a>, name: &str) -> Option<Excerpt<'a>> {
    match name {
        "host" => url.excerpt(Part::Host),
        "port" => url.excerpt(Part::Port),
        "query" => url.excerpt(Part::Query),
        "path" => url.excerpt(Part::Path).map(|path| path.strip_prefix("/").unwrap_or(path)),
        _ => Some(url.scheme_specific()),
    }
}

/// Writes what has no purpose but to be data as it is, and the rest escaped.
fn escape(to: &mut String, text: &str, edition: &'static Edition) {
    let octets = text.as_bytes();
    to.push_str(crate::escape::EscapedBuf::escape(octets, edition.unreserved()).as_str());
}

enum Piece<'t> {
    Text(&'t str),
    Field(&'t str),
}

fn pieces(template: &str) -> impl Iterator<Item = Result<Piece<'_>, TemplateError>> {
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
            return Some(Ok(Piece::Text(text)));
        };
        let Some((name, after)) = field.split_once('}') else {
            rest = "";
            return Some(Err(TemplateError::Brace { offset }));
        };
        rest = after;
        Some(if FIELDS.contains(&name) {
            Ok(Piece::Field(name))
        } else {
            Err(TemplateError::Field { offset })
        })
    })
}

/// Why a template is none.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateError {
    /// A brace without its other.
    Brace {
        /// Where in the template, in octets.
        offset: usize,
    },
    /// A word in braces that stands for nothing.
    Field {
        /// Where in the template its brace stands, in octets.
        offset: usize,
    },
    /// It is no absolute URL.
    NoUrl,
    /// It is of the scheme that it is for.
    SameScheme,
}

impl Display for TemplateError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Brace { offset } => write!(f, "the brace at octet {offset} of the template is alone"),
            Self::Field { offset } => {
                write!(f, "what stands in braces at octet {offset} of the template is none of")?;
                FIELDS.iter().try_for_each(|name| write!(f, " {{{name}}}"))
            }
            Self::NoUrl => f.write_str("the template is no absolute URL"),
            Self::SameScheme => f.write_str("the template is of the scheme that it is for"),
        }
    }
}

impl core::error::Error for TemplateError {}
