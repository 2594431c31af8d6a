//! URI templates (RFC 6570): a text with expressions such as `{user}` or `{?page,size}`, which
//! values of variables expand to a URI reference. All four levels.
//!
//! ```
//! use locator::template::{TemplateValue, UriTemplate};
//!
//! let template = UriTemplate::parse("https://api.example/{user}/repos{?page,sort*}")?;
//! assert_eq!(template.variables().collect::<Vec<_>>(), ["user", "page", "sort"]);
//!
//! let uri = template.expand([("user", "Zoë & Jan"), ("page", "2")])?;
//! assert_eq!(uri, "https://api.example/Zo%C3%AB%20%26%20Jan/repos?page=2");
//!
//! // Lists and maps; a variable without a value is left out.
//! let uri = template.expand([
//!     ("user", TemplateValue::from("jan")),
//!     ("sort", TemplateValue::map([("by", "name"), ("order", "down")])),
//! ])?;
//! assert_eq!(uri, "https://api.example/jan/repos?by=name&order=down");
//! # Ok::<_, locator::template::UriTemplateError>(())
//! ```
//!
//! Values are data: what a value contains is escaped, so it cannot become a delimiter, except in
//! `{+name}` and `{#name}`, which keep reserved characters and escapes. Never expand untrusted values
//! with these two, or before the end of the host.
//!
//! Where the document leaves a choice: "'" is allowed as a literal (erratum 6937); the names of a map
//! are escaped as its values are, so that they cannot become delimiters, either; a prefix such as
//! `{+name:3}` counts characters of the value, and the escapes of one character, which this
//! expression keeps, as one.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::iter::FusedIterator;
use core::ops::Range;
use core::slice;
use core::str::FromStr;

use crate::as_text::error_as_sentence;
use crate::edition::RFC3987;
use crate::error::{Found, ParseError};
use crate::pct::{AsciiSet, PctString, escaped_character, escaped_octet};
use crate::reference::UriRefBuf;
use crate::span::Component;

/// A template for URI references, which borrows its text or owns it.
///
/// ```
/// use locator::template::UriTemplate;
///
/// let search = UriTemplate::parse("https://example.com/search{?q,lang}")?;
/// assert_eq!(search.expand([("q", "a&b")])?, "https://example.com/search?q=a%26b");
///
/// let error = UriTemplate::parse("https://example.com/{user").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "\"{\" without \"}\", at byte 20 (expression, RFC 6570, 2.2)"
/// );
/// # Ok::<_, locator::template::UriTemplateError>(())
/// ```
///
/// [`parse`](str::parse) and [`into_owned`](Self::into_owned) return one that owns its text:
///
/// ```
/// use locator::template::UriTemplate;
///
/// struct Client {
///     user: UriTemplate<'static>,
/// }
///
/// let client = Client { user: "https://api.example/users/{id}".parse()? };
/// assert_eq!(client.user.expand([("id", 7)])?, "https://api.example/users/7");
/// # Ok::<_, locator::template::UriTemplateError>(())
/// ```
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
#[doc(alias("UriTemplateStr", "UriTemplateString"))]
pub struct UriTemplate<'a> {
    text: Cow<'a, str>,
    parts: Vec<TemplatePart>,
}

/// The value of a variable: a text, a list of texts, or a map from names to texts.
///
/// A list or a map without members is undefined, and so is [`TemplateValue::Undefined`]: an expression leaves
/// such a variable out (RFC 6570, 2.3).
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
#[doc(alias = "Value")]
pub enum TemplateValue<'v> {
    /// No value.
    Undefined,
    /// A text, which may be empty.
    Text(Cow<'v, str>),
    /// Texts in their order.
    List(Vec<Cow<'v, str>>),
    /// Pairs of a name and a text, in their order.
    Map(Vec<(Cow<'v, str>, Cow<'v, str>)>),
}

/// A template that is not valid, or that cannot be expanded with the given values.
#[derive(Clone, Eq, PartialEq)]
pub struct UriTemplateError {
    kind: UriTemplateErrorKind,
    span: Range<usize>,
}

/// What is wrong with a template, or with what it expands to.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum UriTemplateErrorKind {
    /// A character that a template must escape.
    InvalidLiteral(char),
    /// A "%" that is not followed by two hex digits.
    InvalidEscape,
    /// A "{" without "}".
    Unclosed,
    /// A "}" without "{".
    Unopened,
    /// An expression without a variable, or a comma without one.
    NoVariable,
    /// A character that no name of a variable may contain.
    InvalidName(char),
    /// An operator that is reserved for extensions.
    ReservedOperator(char),
    /// A prefix that is not a number from 1 to 9999.
    InvalidPrefix,
    /// Something after a modifier.
    AfterModifier(char),
    /// A prefix, such as ":3", of a variable whose value is a list or a map.
    PrefixOfList,
    /// The expanded text is not a URI reference; the positions are those of that text.
    NotAReference(ParseError),
}

/// A part of a template, by its bytes in the text.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum TemplatePart {
    Literal(Range<usize>),
    Expression { operator: &'static Operator, variables: Vec<Variable> },
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct Variable {
    name: Range<usize>,
    modifier: Modifier,
    /// The name and its modifier.
    span: Range<usize>,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Modifier {
    None,
    /// The first characters of a text.
    Prefix(u16),
    /// Each member by itself.
    Explode,
}

/// A row of the table in RFC 6570, appendix A.
#[derive(Debug, Eq, Hash, PartialEq)]
struct Operator {
    first: &'static str,
    separator: char,
    /// Whether values have the names of their variables.
    is_named: bool,
    /// What follows the name of an empty value.
    if_empty: &'static str,
    keeps_reserved: bool,
}

const SIMPLE: Operator =
    Operator { first: "", separator: ',', is_named: false, if_empty: "", keeps_reserved: false };
static NONE: Operator = SIMPLE;
static RESERVED: Operator = Operator { keeps_reserved: true, ..SIMPLE };
static LABEL: Operator = Operator { first: ".", separator: '.', ..SIMPLE };
static SEGMENT: Operator = Operator { first: "/", separator: '/', ..SIMPLE };
static PARAMETER: Operator = Operator { first: ";", separator: ';', is_named: true, ..SIMPLE };
static QUERY: Operator = Operator { first: "?", separator: '&', is_named: true, if_empty: "=", ..SIMPLE };
static CONTINUATION: Operator =
    Operator { first: "&", separator: '&', is_named: true, if_empty: "=", ..SIMPLE };
static FRAGMENT: Operator = Operator { first: "#", keeps_reserved: true, ..SIMPLE };

impl Operator {
    fn of(character: char) -> Option<&'static Self> {
        Some(match character {
            '+' => &RESERVED,
            '#' => &FRAGMENT,
            '.' => &LABEL,
            '/' => &SEGMENT,
            ';' => &PARAMETER,
            '?' => &QUERY,
            '&' => &CONTINUATION,
            _ => return None,
        })
    }
}

impl<'a> UriTemplate<'a> {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// Returns the first error, with its position. RFC 6570, section 3, allows to expand the other
    /// expressions of such a template; this does not.
    pub fn parse(text: &'a str) -> Result<Self, UriTemplateError> {
        Ok(Self { parts: divide(text)?, text: Cow::Borrowed(text) })
    }

    /// Returns the text of the template.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns this template with a text of its own, to store it.
    #[must_use]
    pub fn into_owned(self) -> UriTemplate<'static> {
        UriTemplate { text: Cow::Owned(self.text.into_owned()), parts: self.parts }
    }

    /// Returns the names of the variables, in their order, each as often as it is used.
    pub fn variables(&self) -> TemplateVariables<'_> {
        TemplateVariables { text: &self.text, parts: self.parts.iter(), variables: [].iter() }
    }

    /// Expands the template to a URI reference. Of several values of a variable the last one counts; names that
    /// the template does not use are ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if a variable with a prefix has a list or a map, or if the result is not a
    /// URI reference, as that of `{host}:80` can be.
    pub fn expand<'v, N, V>(
        &self,
        values: impl IntoIterator<Item = (N, V)>,
    ) -> Result<UriRefBuf, UriTemplateError>
    where
        N: AsRef<str>,
        V: Into<TemplateValue<'v>>,
    {
        let text = self.expand_to_string(values)?;
        UriRefBuf::from_string(text).map_err(|failed| {
            let failed = failed.error();
            error(UriTemplateErrorKind::NotAReference(failed), failed.span())
        })
    }

    /// Expands the template to a text, which need not be a URI reference: for templates of a part of a
    /// URL.
    ///
    /// # Errors
    ///
    /// Returns an error if a variable with a prefix has a list or a map.
    pub fn expand_to_string<'v, N, V>(
        &self,
        values: impl IntoIterator<Item = (N, V)>,
    ) -> Result<String, UriTemplateError>
    where
        N: AsRef<str>,
        V: Into<TemplateValue<'v>>,
    {
        let mut values: Vec<(N, TemplateValue<'v>)> =
            values.into_iter().map(|(name, value)| (name, value.into())).collect();
        // Stable, so the last of equal names is the last that was given.
        values.sort_by(|(a, _), (b, _)| a.as_ref().cmp(b.as_ref()));
        let mut out = String::with_capacity(self.text.len());
        for part in &self.parts {
            match part {
                TemplatePart::Literal(literal) => push_kept(&mut out, &self.text[literal.clone()], true),
                TemplatePart::Expression { operator, variables } => {
                    let mut writer = ExpressionWriter { out: &mut out, operator, is_first: true };
                    for variable in variables {
                        let name = &self.text[variable.name.clone()];
                        let after = values.partition_point(|(given, _)| given.as_ref() <= name);
                        match after.checked_sub(1).map(|last| &values[last]) {
                            Some((given, value)) if given.as_ref() == name => {
                                writer.write(name, variable, value)?;
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        Ok(out)
    }
}

impl Display for UriTemplate<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl FromStr for UriTemplate<'static> {
    type Err = UriTemplateError;

    fn from_str(text: &str) -> Result<Self, UriTemplateError> {
        UriTemplate::parse(text).map(UriTemplate::into_owned)
    }
}

impl TryFrom<String> for UriTemplate<'static> {
    type Error = UriTemplateError;

    fn try_from(text: String) -> Result<Self, UriTemplateError> {
        Ok(Self { parts: divide(&text)?, text: Cow::Owned(text) })
    }
}

/// The names of the variables of a template: the result of [`UriTemplate::variables`].
///
/// ```
/// let template = locator::UriTemplate::parse("/{user}{?page,user}")?;
/// assert!(template.variables().eq(["user", "page", "user"]));
/// # Ok::<_, locator::template::UriTemplateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TemplateVariables<'t> {
    text: &'t str,
    parts: slice::Iter<'t, TemplatePart>,
    /// The variables of the last expression that are left.
    variables: slice::Iter<'t, Variable>,
}

impl<'t> Iterator for TemplateVariables<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        loop {
            if let Some(variable) = self.variables.next() {
                return self.text.get(variable.name.clone());
            }
            if let TemplatePart::Expression { variables, .. } = self.parts.next()? {
                self.variables = variables.iter();
            }
        }
    }
}

impl FusedIterator for TemplateVariables<'_> {}

impl<'v> TemplateValue<'v> {
    /// A list of texts.
    pub fn list<T: Into<Cow<'v, str>>>(members: impl IntoIterator<Item = T>) -> Self {
        Self::List(members.into_iter().map(Into::into).collect())
    }

    /// A map, from pairs of a name and a text. They keep their order.
    pub fn map<N: Into<Cow<'v, str>>, T: Into<Cow<'v, str>>>(
        pairs: impl IntoIterator<Item = (N, T)>,
    ) -> Self {
        Self::Map(pairs.into_iter().map(|(name, text)| (name.into(), text.into())).collect())
    }
}

impl<'v> From<&'v str> for TemplateValue<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(text.into())
    }
}

impl<'v> From<&'v &'v str> for TemplateValue<'v> {
    fn from(text: &'v &'v str) -> Self {
        Self::Text((*text).into())
    }
}

impl<'v> From<&'v TemplateValue<'_>> for TemplateValue<'v> {
    fn from(value: &'v TemplateValue<'_>) -> Self {
        let borrowed = |text: &'v Cow<'_, str>| Cow::Borrowed(&**text);
        match value {
            TemplateValue::Undefined => Self::Undefined,
            TemplateValue::Text(text) => Self::Text(borrowed(text)),
            TemplateValue::List(members) => Self::List(members.iter().map(borrowed).collect()),
            TemplateValue::Map(pairs) => {
                Self::Map(pairs.iter().map(|(name, text)| (borrowed(name), borrowed(text))).collect())
            }
        }
    }
}

impl<'v> From<&'v String> for TemplateValue<'v> {
    fn from(text: &'v String) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for TemplateValue<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'v> From<Cow<'v, str>> for TemplateValue<'v> {
    fn from(text: Cow<'v, str>) -> Self {
        Self::Text(text)
    }
}

impl<'v, T: Into<TemplateValue<'v>>> From<Option<T>> for TemplateValue<'v> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Undefined, Into::into)
    }
}

macro_rules! from_integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for TemplateValue<'_> {
            fn from(number: $integer) -> Self {
                Self::Text(number.to_string().into())
            }
        }
    )*};
}
from_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool);

impl<'v> From<&'v [&'v str]> for TemplateValue<'v> {
    fn from(members: &'v [&'v str]) -> Self {
        Self::list(members.iter().copied())
    }
}

impl<'v, const COUNT: usize> From<[&'v str; COUNT]> for TemplateValue<'v> {
    fn from(members: [&'v str; COUNT]) -> Self {
        Self::list(members)
    }
}

impl<'v, T: Into<Cow<'v, str>>> From<Vec<T>> for TemplateValue<'v> {
    fn from(members: Vec<T>) -> Self {
        Self::list(members)
    }
}

impl<'v, N: Into<Cow<'v, str>>, T: Into<Cow<'v, str>>, const COUNT: usize> From<[(N, T); COUNT]>
    for TemplateValue<'v>
{
    fn from(pairs: [(N, T); COUNT]) -> Self {
        Self::map(pairs)
    }
}

impl<'v, N: Into<Cow<'v, str>>, T: Into<Cow<'v, str>>> From<BTreeMap<N, T>> for TemplateValue<'v> {
    fn from(pairs: BTreeMap<N, T>) -> Self {
        Self::map(pairs)
    }
}

impl<'a> TryFrom<&'a str> for UriTemplate<'a> {
    type Error = UriTemplateError;

    fn try_from(text: &'a str) -> Result<Self, UriTemplateError> {
        Self::parse(text)
    }
}

/// Writes the variables of an expression (RFC 6570, 3.2.1 and appendix A).
struct ExpressionWriter<'o> {
    out: &'o mut String,
    operator: &'static Operator,
    is_first: bool,
}

impl ExpressionWriter<'_> {
    fn write(
        &mut self,
        name: &str,
        variable: &Variable,
        value: &TemplateValue<'_>,
    ) -> Result<(), UriTemplateError> {
        let is_prefix = matches!(variable.modifier, Modifier::Prefix(_));
        match value {
            TemplateValue::Undefined => {}
            TemplateValue::Text(text) => {
                self.name(name, text.is_empty());
                self.value(match variable.modifier {
                    Modifier::Prefix(count) => self.prefix(text, count.into()),
                    _ => text,
                });
            }
            // "Prefix modifiers are not applicable to variables that have composite values."
            TemplateValue::List(_) | TemplateValue::Map(_) if is_prefix => {
                return Err(error(UriTemplateErrorKind::PrefixOfList, variable.span.clone()));
            }
            TemplateValue::List(members) if variable.modifier == Modifier::Explode => {
                for member in members {
                    self.name(name, member.is_empty());
                    self.value(member);
                }
            }
            TemplateValue::Map(pairs) if variable.modifier == Modifier::Explode => {
                for (name, text) in pairs {
                    self.separate();
                    self.value(name);
                    match text.is_empty() && self.operator.is_named {
                        true => self.out.push_str(self.operator.if_empty),
                        false => self.out.push('='),
                    }
                    self.value(text);
                }
            }
            TemplateValue::List(members) => self.joined(name, members.iter()),
            TemplateValue::Map(pairs) => {
                self.joined(name, pairs.iter().flat_map(|(name, text)| [name, text]));
            }
        }
        Ok(())
    }

    /// A list or a map as one value.
    fn joined<'m>(&mut self, name: &str, texts: impl Iterator<Item = &'m Cow<'m, str>>) {
        for (index, text) in texts.enumerate() {
            match index {
                0 => self.name(name, false),
                _ => self.out.push(','),
            }
            self.value(text);
        }
    }

    fn separate(&mut self) {
        match core::mem::take(&mut self.is_first) {
            true => self.out.push_str(self.operator.first),
            false => self.out.push(self.operator.separator),
        }
    }

    fn name(&mut self, name: &str, is_empty: bool) {
        self.separate();
        if self.operator.is_named {
            push_kept(self.out, name, true);
            self.out.push_str(if is_empty { self.operator.if_empty } else { "=" });
        }
    }

    fn value(&mut self, text: &str) {
        push_kept(self.out, text, self.operator.keeps_reserved);
    }

    /// "care MUST be taken to avoid splitting … the pct-encoded triplets" (RFC 6570, 2.4.1).
    fn prefix<'t>(&self, text: &'t str, count: usize) -> &'t str {
        let mut rest = text;
        for _ in 0..count {
            let kept = self.operator.keeps_reserved.then(|| escaped_length(rest)).flatten();
            let length = kept.or_else(|| rest.chars().next().map(char::len_utf8));
            rest = &rest[length.unwrap_or(0)..];
        }
        &text[..text.len() - rest.len()]
    }
}

/// Returns the length of the escapes at the start of a text: those of a character, else of an octet.
fn escaped_length(text: &str) -> Option<usize> {
    escaped_octet(text.as_bytes())?;
    Some(escaped_character(text.as_bytes()).map_or(3, |character| 3 * character.len_utf8()))
}

/// Appends a text: unreserved characters, and if they are kept, reserved ones and escapes, as they are.
fn push_kept(out: &mut String, text: &str, keeps_reserved: bool) {
    let mut keep = AsciiSet::UNRESERVED;
    if !keeps_reserved {
        out.push_str(PctString::encode(text, keep).as_str());
        return;
    }
    keep = keep.union(AsciiSet::of(b":/?#[]@!$&'()*+,;="));
    for (index, piece) in text.split('%').enumerate() {
        if index > 0 {
            let is_escape =
                piece.as_bytes().iter().take(2).filter(|digit| digit.is_ascii_hexdigit()).count() == 2;
            out.push_str(if is_escape { "%" } else { "%25" });
        }
        out.push_str(PctString::encode(piece, keep).as_str());
    }
}

fn error(kind: UriTemplateErrorKind, span: Range<usize>) -> UriTemplateError {
    UriTemplateError { kind, span }
}

/// Divides a template: `URI-Template = *( literals / expression )` (RFC 6570, 2).
fn divide(text: &str) -> Result<Vec<TemplatePart>, UriTemplateError> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with('{') {
            let Some(length) = rest.find('}') else {
                return Err(error(UriTemplateErrorKind::Unclosed, at..at + 1));
            };
            parts.push(expression(&rest[1..length], at + 1)?);
            at += length + 1;
        } else {
            let length = rest.find('{').unwrap_or(rest.len());
            check_literal(&rest[..length], at)?;
            parts.push(TemplatePart::Literal(at..at + length));
            at += length;
        }
    }
    Ok(parts)
}

/// Checks that a text is `*( literals )` (RFC 6570, 2.1).
fn check_literal(text: &str, start: usize) -> Result<(), UriTemplateError> {
    for (at, character) in text.char_indices() {
        let span = start + at..start + at + character.len_utf8();
        let kind = match character {
            '%' if escaped_octet(&text.as_bytes()[at..]).is_none() => UriTemplateErrorKind::InvalidEscape,
            '}' => UriTemplateErrorKind::Unopened,
            '\0'..=' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '|' | '\x7F' => {
                UriTemplateErrorKind::InvalidLiteral(character)
            }
            // ucschar / iprivate (RFC 6570, 1.5), which a query of RFC 3987 allows.
            _ if !character.is_ascii() && !RFC3987.allows(Component::Query, character) => {
                UriTemplateErrorKind::InvalidLiteral(character)
            }
            _ => continue,
        };
        return Err(error(kind, span));
    }
    Ok(())
}

/// Parses what is between "{" and "}": `[ operator ] variable-list` (RFC 6570, 2.2).
fn expression(text: &str, start: usize) -> Result<TemplatePart, UriTemplateError> {
    let mut rest = text;
    let mut operator = &NONE;
    if let Some(first) = text.chars().next() {
        if let Some(found) = Operator::of(first) {
            operator = found;
            rest = &text[1..];
        } else if "=,!@|".contains(first) {
            return Err(error(UriTemplateErrorKind::ReservedOperator(first), start..start + 1));
        }
    }
    let mut at = start + text.len() - rest.len();
    let mut variables = Vec::new();
    for text in rest.split(',') {
        variables.push(variable(text, at)?);
        at += text.len() + 1;
    }
    Ok(TemplatePart::Expression { operator, variables })
}

/// Parses `varname [ modifier-level4 ]` (RFC 6570, 2.3 and 2.4).
fn variable(text: &str, start: usize) -> Result<Variable, UriTemplateError> {
    let end = text.find([':', '*']).unwrap_or(text.len());
    check_name(&text[..end], start)?;
    let span = start..start + text.len();
    let modifier = match &text.as_bytes()[end..] {
        [] => Modifier::None,
        [b'*'] => Modifier::Explode,
        // max-length = %x31-39 0*3DIGIT
        [b':', digits @ ..] => match digits {
            [b'1'..=b'9', more @ ..] if more.len() < 4 && more.iter().all(u8::is_ascii_digit) => {
                Modifier::Prefix(digits.iter().fold(0, |number, digit| 10 * number + u16::from(digit - b'0')))
            }
            _ => return Err(error(UriTemplateErrorKind::InvalidPrefix, start + end..span.end)),
        },
        _ => {
            let after = text[end + 1..].chars().next().unwrap_or('*');
            let at = start + end + 1;
            return Err(error(UriTemplateErrorKind::AfterModifier(after), at..at + after.len_utf8()));
        }
    };
    Ok(Variable { name: start..start + end, modifier, span })
}

/// `varname = varchar *( ["."] varchar )`
fn check_name(name: &str, start: usize) -> Result<(), UriTemplateError> {
    if name.is_empty() {
        return Err(error(UriTemplateErrorKind::NoVariable, start..start));
    }
    let bytes = name.as_bytes();
    for (at, character) in name.char_indices() {
        let span = start + at..start + at + character.len_utf8();
        let is_valid = match character {
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' => true,
            '.' => at > 0 && bytes[at - 1] != b'.' && at + 1 < bytes.len(),
            '%' if escaped_octet(&bytes[at..]).is_none() => {
                return Err(error(UriTemplateErrorKind::InvalidEscape, span));
            }
            '%' => true,
            _ => false,
        };
        if !is_valid {
            return Err(error(UriTemplateErrorKind::InvalidName(character), span));
        }
    }
    Ok(())
}

impl UriTemplateError {
    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &UriTemplateErrorKind {
        &self.kind
    }

    /// Returns the bytes of the template that are wrong; of [`UriTemplateErrorKind::NotAReference`], those of
    /// the expanded text.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the document and section of the rule that is broken.
    #[must_use]
    pub fn citation(&self) -> impl Display {
        use UriTemplateErrorKind as Kind;
        let (name, section) = match &self.kind {
            Kind::InvalidLiteral(_) | Kind::InvalidEscape => ("literals", "2.1"),
            Kind::Unclosed | Kind::Unopened => ("expression", "2.2"),
            Kind::ReservedOperator(_) => ("op-reserve", "2.2"),
            Kind::NoVariable => ("variable-list", "2.3"),
            Kind::InvalidName(_) => ("varname", "2.3"),
            Kind::InvalidPrefix => ("max-length", "2.4.1"),
            Kind::AfterModifier(_) => ("varspec", "2.3"),
            Kind::PrefixOfList => ("prefix", "2.4.1"),
            Kind::NotAReference(error) => return error.citation().to_string(),
        };
        alloc::format!("{name}, RFC 6570, {section}")
    }
}

impl Display for UriTemplateError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        use UriTemplateErrorKind as Kind;
        match &self.kind {
            Kind::InvalidLiteral(character) => {
                write!(f, "{} is not allowed outside of an expression", Found::Char(*character))?;
            }
            Kind::InvalidEscape => f.write_str("\"%\" must be followed by two hex digits")?,
            Kind::Unclosed => f.write_str("\"{\" without \"}\"")?,
            Kind::Unopened => f.write_str("\"}\" without \"{\"")?,
            Kind::NoVariable => f.write_str("the name of a variable is missing")?,
            Kind::InvalidName(character) => {
                write!(f, "{} is not allowed in the name of a variable", Found::Char(*character))?;
            }
            Kind::ReservedOperator(character) => {
                write!(f, "{} is an operator that no document defines", Found::Char(*character))?;
            }
            Kind::InvalidPrefix => f.write_str("a prefix is a number from 1 to 9999")?,
            Kind::AfterModifier(character) => {
                write!(f, "{} is not allowed after a modifier", Found::Char(*character))?;
            }
            Kind::PrefixOfList => f.write_str("a prefix is not allowed for a list or a map")?,
            Kind::NotAReference(error) => {
                return write!(f, "the expanded template is not a URI reference: {error}");
            }
        }
        write!(f, ", at byte {} ({})", self.span.start, self.citation())
    }
}

error_as_sentence!(UriTemplateError);
