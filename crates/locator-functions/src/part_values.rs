//! The value of a named part: of a reference as text, of a row in its type, and as URLs are grouped by it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use locator::{Component, UriRef};

use crate::answer::Answer;
use crate::function::{Call, Function, ResultType, Row};
use crate::host::host_normal;
use crate::parts::{Access, PARTS, Part, Selection};
use crate::query::{Decoding, query_param};
use crate::table::function_of_url;

/// The functions of [`PARTS`], in its order: for a row, no name is looked up.
static FUNCTIONS_OF_PARTS: LazyLock<Vec<Option<&'static Function>>> =
    LazyLock::new(|| PARTS.iter().map(Part::function).collect());

impl Part {
    /// Returns what the part is, without a period.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        let of_function = || self.function().map_or("", Function::summary);
        if self.summary.is_empty() { of_function() } else { self.summary }
    }

    /// Returns the function of tables that returns the part; `None` if only `uri_part` does.
    #[must_use]
    pub fn function(&self) -> Option<&'static Function> {
        self.function.and_then(function_of_url)
    }

    /// Returns the type of the part in tables.
    #[must_use]
    pub fn result(&self) -> ResultType {
        match self.key() {
            None => self.function().map_or(ResultType::Text, Function::result),
            Some(_) => ResultType::Text,
        }
    }

    /// Returns how the part is named in an expression of SQL.
    ///
    /// ```
    /// use locator_functions::PARTS;
    ///
    /// let sql = |name| PARTS.iter().find(|part| part.title() == name).unwrap().sql();
    /// assert_eq!(sql("host"), "uri_host(url)");
    /// assert_eq!(sql("segment:N"), "uri_part(url, 'segment:N')");
    /// ```
    #[must_use]
    pub fn sql(&self) -> String {
        match self.function.filter(|_| self.key().is_none()) {
            Some(function) => format!("{function}(url)"),
            None => format!("uri_part(url, '{}')", self.title()),
        }
    }

    /// Returns how the part is named in Python, as a function of `locator_uri.arrow` and a method of
    /// expressions.
    #[must_use]
    pub fn python(&self) -> String {
        match self.function.filter(|_| self.key().is_none()).and_then(|name| name.strip_prefix("uri_")) {
            Some(function) => format!("{function}(urls)"),
            None => format!("part(urls, '{}')", self.title()),
        }
    }
}

impl Selection<'_> {
    /// Returns whether the part is a piece of the text, with its escapes.
    #[must_use]
    pub fn is_piece(&self) -> bool {
        match self.part().access() {
            Access::Function => {
                self.function().is_some_and(|function| matches!(function.call(), Call::Slice(_)))
            }
            Access::Pair => false,
            _ => true,
        }
    }

    /// Returns whether the part identifies the URL: the whole, or a form of it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.part().access() == Access::Whole || matches!(self.part().name(), "normalize" | "key")
    }

    /// Returns the part of a reference as text, as given; `None` if it is undefined.
    #[must_use]
    pub fn text<'a>(&self, reference: UriRef<'a>) -> Option<Cow<'a, str>> {
        if let Access::Function = self.part().access() {
            return cell(self.answer(&Row::of(reference)));
        }
        if let Access::Pair = self.part().access() {
            return query_param(reference, self.parameter()?, Decoding::Form);
        }
        self.piece(reference).map(Cow::Borrowed)
    }

    /// Returns the part of a row, in the type of [`Part::result`].
    #[must_use]
    pub fn answer<'a>(&self, row: &Row<'a>) -> Answer<'a> {
        match (self.function(), self.part().access()) {
            (Some(function), _) if function.parameters().is_empty() => function.answer(row, &[]),
            (Some(function), _) => {
                // Parts have no argument that must be given.
                let arguments = function.arguments(&[]).unwrap_or_default();
                function.answer(row, &arguments)
            }
            (None, Access::Whole) => {
                row.text().map_or(Answer::Null, |text| Answer::Text(Cow::Borrowed(text)))
            }
            _ => {
                row.reference().and_then(|reference| self.text(reference)).map_or(Answer::Null, Answer::Text)
            }
        }
    }

    /// Returns the text by which URLs are grouped and counted: the part, a scheme in lower case, and a
    /// host in its normal form. `None` if it is undefined.
    ///
    /// ```
    /// use locator::edition::RFC3986;
    /// use locator_functions::{Row, Selection};
    ///
    /// let host = Selection::parse("host").unwrap();
    /// let row = Row::new("HTTP://Example.COM/", &RFC3986);
    /// assert_eq!(host.grouped(&row).as_deref(), Some("example.com"));
    /// ```
    #[must_use]
    pub fn grouped<'a>(&self, row: &Row<'a>) -> Option<Cow<'a, str>> {
        match self.part().access() {
            Access::Component(Component::Host) => host_normal(row.reference()?),
            Access::Component(Component::Scheme) | Access::Protocol => {
                let scheme = self.piece(row.reference()?)?;
                let is_lower = !scheme.bytes().any(|byte| byte.is_ascii_uppercase());
                Some(if is_lower { Cow::Borrowed(scheme) } else { Cow::Owned(scheme.to_ascii_lowercase()) })
            }
            Access::Label => self.piece(row.reference()?).map(|label| Cow::Owned(label.to_ascii_lowercase())),
            _ => cell(self.answer(row)),
        }
    }

    /// Returns the function of the part.
    fn function(&self) -> Option<&'static Function> {
        FUNCTIONS_OF_PARTS.get(self.place).copied().flatten()
    }

    /// Returns the part as a piece of the text.
    fn piece<'a>(&self, reference: UriRef<'a>) -> Option<&'a str> {
        let text = reference.as_str();
        let span = |component| reference.span(component);
        let userinfo = || reference.authority()?.userinfo();
        match self.part().access() {
            Access::Whole => Some(text),
            Access::Component(component) => reference.component(component),
            Access::Protocol => span(Component::Scheme).map(|scheme| &text[scheme.start..=scheme.end]),
            Access::User => Some(userinfo()?.user().as_str()),
            Access::Password => Some(userinfo()?.password()?.as_str()),
            Access::Options => {
                let userinfo = reference.component(Component::Userinfo)?;
                Some(&userinfo[userinfo_options(userinfo)?])
            }
            Access::ZoneId => host_zone(reference.component(Component::Host)?),
            Access::HostAndPort => {
                let (host, authority) = (span(Component::Host)?, span(Component::Authority)?);
                Some(&text[host.start..authority.end])
            }
            Access::PathAndQuery => {
                let path = span(Component::Path)?;
                Some(&text[path.start..span(Component::Query).map_or(path.end, |query| query.end)])
            }
            Access::Search => Some(with_delimiter(text, span(Component::Query)?)),
            Access::Hash => Some(with_delimiter(text, span(Component::Fragment)?)),
            Access::Segment => {
                let mut segments = reference.path().segments();
                let index = counted(self.position()?, segments.clone().count())?;
                segments.nth(index).map(|segment| segment.as_str())
            }
            Access::Label => {
                let host = reference.host()?.as_str();
                let labels = host.strip_suffix('.').unwrap_or(host).split('.');
                let is_name = !host.is_empty() && !host.starts_with('[');
                let index = counted(self.position()?, labels.clone().count()).filter(|_| is_name)?;
                labels.clone().nth(index)
            }
            Access::Pair | Access::Function => None,
        }
    }
}

/// Returns the part that a constant names, as text.
pub(crate) fn named_part<'a>(row: &Row<'a>, name: &str) -> Option<Cow<'a, str>> {
    cell(Selection::parse(name).ok()?.answer(row))
}

/// Returns the text of an answer; `None` for NULL.
fn cell(answer: Answer<'_>) -> Option<Cow<'_, str>> {
    match answer {
        Answer::Null => None,
        Answer::Text(text) => Some(text),
        other => Some(Cow::Owned(other.cell().to_string())),
    }
}

/// Returns the range of the options after ";" in a user and password; those of a user end before
/// the ":".
///
/// ```
/// let userinfo = "jan;auth=plain:secret";
/// let options = locator_functions::userinfo_options(userinfo).unwrap();
/// assert_eq!(&userinfo[options], "auth=plain");
/// ```
#[must_use]
pub fn userinfo_options(userinfo: &str) -> Option<Range<usize>> {
    let start = userinfo.find(';')? + 1;
    let colon = userinfo.find(':').filter(|&colon| colon >= start);
    Some(start..colon.unwrap_or(userinfo.len()))
}

/// Returns the zone of an address in brackets (RFC 6874).
///
/// ```
/// assert_eq!(locator_functions::host_zone("[fe80::1%25eth0]"), Some("eth0"));
/// ```
#[must_use]
pub fn host_zone(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')?.split_once("%25").map(|(_, zone)| zone)
}

/// Returns a component with the delimiter before it; empty if the component is, as in the URL
/// Standard.
fn with_delimiter(text: &str, span: Range<usize>) -> &str {
    if span.is_empty() { "" } else { &text[span.start - 1..span.end] }
}

/// Returns the index of a position from 0, or from -1 at the end.
fn counted(position: isize, count: usize) -> Option<usize> {
    let length = position.unsigned_abs();
    let index = if position < 0 { count.checked_sub(length)? } else { length };
    (index < count).then_some(index)
}
