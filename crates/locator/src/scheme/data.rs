//! The data scheme: takes a URL, returns the data that it contains. Follows RFC 2397; no edition
//! has a rule for it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::parts::{Field, Fields, Part, Parts, Shape, builder};
use super::{Equivalences, Scheme, without_authority};
use crate::build::Value;
use crate::component::SpannedStr;
use crate::edition::{Edition, rfc1738};
use crate::form::{Syntax, SyntaxError, ValueError};
#[cfg(feature = "plan")]
use crate::plan::{Local, Options, Plan, PlanError, Protocol, ReplyFraming};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Span;

/// The scheme of data in the URL itself.
#[derive(Debug)]
pub(super) struct Data;

/// Returns whether URLs of a scheme contain a document themselves, after its media type (RFC 2397, 3).
#[cfg(feature = "text")]
pub(crate) fn contains_document(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("data")
}

impl Scheme for Data {
    fn names(&self) -> &'static [&'static str] {
        &["data"]
    }

    fn object(&self) -> &'static str {
        "the data in the URL itself"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "data:[type/subtype][;name=value]…[;base64],data", citation: "RFC 2397, 3" }
    }

    fn equivalence(&self) -> &'static str {
        "RFC 2397, 2"
    }

    // dataurl := "data:" [ mediatype ] [ ";base64" ] "," data; mediatype := [ type "/" subtype ] *(
    // ";" parameter )
    fn is_evident(&self, rest: &[u8]) -> bool {
        let Some(comma) = rest.iter().position(|octet| *octet == b',') else { return false };
        let before = &rest[..comma];
        let (media_type, _) =
            before.split_at(before.iter().position(|octet| *octet == b';').unwrap_or(comma));
        let slash = media_type.iter().position(|octet| *octet == b'/');
        // "If <mediatype> is omitted, it defaults to text/plain;charset=US-ASCII": then there is no
        // word before the ",".
        media_type.is_empty() || slash.is_some_and(|slash| slash > 0 && slash + 1 < media_type.len())
    }
}

impl Equivalences for Data {
    // "type/subtype" and names of parameters have no case, "base64" is a literal (RFC 2045, 5.1;
    // RFC 2397, 3).
    fn normal_path<'a>(&self, path: &'a str, _: UriRef<'_>) -> Cow<'a, str> {
        match path.split_once(',') {
            // A quoted value may contain any character in escaped form.
            Some((before, data)) if !before.contains('%') => {
                Cow::Owned([&normal_type(before), ",", data].concat())
            }
            _ => Cow::Borrowed(path),
        }
    }

    // "/" is data, or divides a media type.
    fn is_hierarchical(&self) -> bool {
        false
    }

    // dataurl = "data:" [ mediatype ] [ ";base64" ] "," data
    fn reserved(&self) -> AsciiSet {
        AsciiSet::of(b";,=/")
    }
}

impl super::Divide for Data {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = DataUrl::of(reference)?;
        let fields = Fields::default().one("media_type", url.media_type);
        let fields = fields.word("encoding", if url.base64 { "base64" } else { "escapes" });
        Ok(fields.one("data", url.data).end())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Data {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let url = DataUrl::of(reference)?;
        let media_type = MEDIA_TYPE.bytes_of("the media type", url.media_type)?;
        // "If <mediatype> is omitted, it defaults to text/plain;charset=US-ASCII. As a shorthand,
        // "text/plain" can be omitted but the charset parameter supplied."
        let media_type = match String::from_utf8_lossy(&media_type) {
            none if none.is_empty() => String::from("text/plain;charset=US-ASCII"),
            parameters if parameters.starts_with(';') => ["text/plain", &parameters].concat(),
            whole => whole.into_owned(),
        };
        Ok(Plan::new().then(Local::Data { media_type: media_type.into(), data: url.decode()? }))
    }
}

/// Returns the normal form of the text before the data: "if `<mediatype>` is omitted, it defaults
/// to text/plain;charset=US-ASCII. As a shorthand, "text/plain" can be omitted but the charset
/// parameter supplied."
fn normal_type(before: &str) -> String {
    let (media_type, base64) =
        match before.len().checked_sub(BASE64.len()).and_then(|at| before.split_at_checked(at)) {
            Some((media_type, end)) if end.eq_ignore_ascii_case(BASE64) => (media_type, BASE64),
            _ => (before, ""),
        };
    let mut pieces = media_type.split(';');
    let kind = pieces.next().unwrap_or_default().to_ascii_lowercase();
    let parameters: String = pieces.map(normal_parameter).collect();
    match (kind.as_str(), parameters.as_str()) {
        ("" | "text/plain", ";charset=us-ascii") => base64.into(),
        ("text/plain", parameters) if parameters.starts_with(";charset=") => [parameters, base64].concat(),
        (kind, parameters) => [kind, parameters, base64].concat(),
    }
}

/// Returns the normal form of a parameter with its ";". The value of a charset is case-insensitive
/// too (RFC 2046, 4.1.2).
fn normal_parameter(parameter: &str) -> String {
    let (name, value) = parameter.split_once('=').map_or((parameter, None), |(a, b)| (a, Some(b)));
    let name = name.to_ascii_lowercase();
    match value {
        None => [";", parameter].concat(),
        Some(value) if name == "charset" => [";", &name, "=", &value.to_ascii_lowercase()].concat(),
        Some(value) => [";", &name, "=", value].concat(),
    }
}

/// The marker of data in base64.
const BASE64: &str = ";base64";

/// A view of a data URL as a media type and data.
///
/// ```
/// use locator::scheme::DataUrl;
///
/// let url = DataUrl::of(locator::uri_ref!("data:;base64,SGVsbG8=")).unwrap();
/// assert_eq!(
///     (url.media_type.as_str(), url.decode()),
///     ("", Ok(b"Hello".to_vec()))
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataUrl<'a> {
    url: UriRef<'a>,
    /// The media type with its parameters; empty for "text/plain;charset=US-ASCII".
    pub media_type: SpannedStr<'a>,
    /// Whether the data is in base64.
    pub base64: bool,
    /// The data as written in the URL.
    pub data: SpannedStr<'a>,
}

impl<'a> DataUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, or has no ",".
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let rest = without_authority(&Data, reference)?;
        let wrong = SyntaxError::Form { span: rest.place(), form: Data.form() };
        let (before, data) = rest.split_once(",").ok_or(wrong)?;
        let (media_type, base64) = match before.rsplit_once(BASE64) {
            Some((media_type, after)) if after.is_empty() => (media_type, true),
            _ => (before, false),
        };
        Ok(Self { url: reference, media_type, base64, data })
    }

    /// Returns the decoded data.
    ///
    /// # Errors
    ///
    /// The data is not valid base64.
    pub fn decode(&self) -> Result<Vec<u8>, ValueError> {
        if self.base64 { from_base64(self.data) } else { Ok(self.data.decode().into_owned()) }
    }
}

/// Decodes base64 (RFC 4648, section 4); white space is ignored, and the padding at the end is
/// optional.
fn from_base64(data: SpannedStr<'_>) -> Result<Vec<u8>, ValueError> {
    let (mut octets, mut bits, mut count) = (Vec::new(), 0_u32, 0_u32);
    let mut padded: Option<Span> = None;
    let wrong =
        |span| ValueError::Unexpected { span, expects: "base64", citation: "RFC 2397, 2; RFC 4648, 4" };
    for (octet, span) in data.octets().filter(|(octet, _)| !octet.is_ascii_whitespace()) {
        let value = match octet {
            b'A'..=b'Z' => octet - b'A',
            b'a'..=b'z' => octet - b'a' + 26,
            b'0'..=b'9' => octet - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if count % 4 >= 2 => {
                padded = Some(span);
                continue;
            }
            _ => return Err(wrong(span)),
        };
        if padded.is_some() {
            return Err(wrong(span));
        }
        (bits, count) = (bits << 6 | u32::from(value), count.wrapping_add(1));
        if count % 4 != 1 {
            let unused = 2 * (3 - (count + 3) % 4);
            octets.push((bits >> unused & 0xFF) as u8);
        }
    }
    if count % 4 == 1 { Err(wrong(data.place())) } else { Ok(octets) }
}

#[cfg(feature = "plan")]
static MEDIA_TYPE: Protocol = Protocol {
    name: "a media type",
    delimiters: AsciiSet::EMPTY,
    line_end: b"",
    citation: "RFC 2045, 5.1",
    replies: ReplyFraming::None,
    meanings: &[],
};

static PARTS: [Part; 2] = [
    Part::new("media_type", "", rfc1738::UCHAR.union(AsciiSet::of(b"/;=")).difference(AsciiSet::of(b","))),
    Part::new("data", ",", rfc1738::UCHAR.union(AsciiSet::of(b"/="))).of(Shape::Content),
];

builder! {
    /// A builder of data URLs from a media type and data.
    ///
    /// ```
    /// use locator::scheme::{DataParts, DataUrl};
    ///
    /// let url =
    ///     DataParts::new("é b").media_type("text/plain;charset=utf-8").build()?;
    /// assert_eq!(url, "data:text/plain;charset=utf-8,%C3%A9%20b");
    /// assert_eq!(
    ///     DataUrl::try_from(&url).unwrap().parts().data("c").build()?,
    ///     "data:text/plain;charset=utf-8,c"
    /// );
    /// assert_eq!(
    ///     DataParts::new(b"Hello").base64(true).build()?,
    ///     "data:;base64,SGVsbG8="
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    DataParts of DataUrl, by [Data];

    /// Sets the media type with its parameters.
    one media_type: "media_type";
    /// Sets the data. An encoded value is written unchanged, in base64 too.
    one data: "data";
}

impl<'v> DataParts<'v> {
    /// Creates a builder of the URL of data.
    pub fn new(data: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("data").with("media_type", "").with("data", data))
    }

    /// Sets whether the data is in base64 (RFC 4648, 4).
    pub fn base64(mut self, base64: bool) -> Self {
        self.0.spell("data", base64.then_some(";base64,"));
        self
    }
}
