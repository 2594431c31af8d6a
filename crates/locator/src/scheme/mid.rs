//! The mid and cid schemes, for messages and their parts: takes a URL, returns the first octet that
//! breaks the edition's rule for it, its identifiers, or the message to look up. Follows the draft
//! of 1994, and RFC 2392 in the editions that leave schemes to other documents.

use alloc::vec::Vec;

use super::cursor::{BNF_1994, XALPHA_1994, is_addr_spec};
use super::parts::{Field, Fields, Part, Parts, builder};
use super::{Equivalences, Reader, Scheme, SchemeRule, without_authority};
use crate::build::BuildError;
use crate::component::SpannedStr;
use crate::edition::{Edition, Rule, URL_1994, rfc1738};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Local, LookUp, Options, Plan, PlanError, Protocol, ReplyFraming};
use crate::reference::UriRef;
use crate::simd::AsciiSet;

/// A scheme of identifiers in messages.
#[derive(Debug)]
pub(super) struct Identifiers {
    names: &'static [&'static str],
    object: &'static str,
    form: Syntax,
    rules: &'static [SchemeRule],
}

/// The scheme of messages by their identifiers.
pub(super) static MID: Identifiers = Identifiers {
    names: &["mid"],
    object: "a message, or a part of one",
    form: Syntax { text: "mid:message-id[/content-id]", citation: "RFC 2392, 2" },
    rules: &MID_RULES,
};

/// The scheme of parts of messages by their identifiers.
pub(super) static CID: Identifiers = Identifiers {
    names: &["cid"],
    object: "a part of a message",
    form: Syntax { text: "cid:content-id", citation: "RFC 2392, 2" },
    rules: &CID_RULES,
};

impl Scheme for Identifiers {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn object(&self) -> &'static str {
        self.object
    }

    fn form(&self) -> Syntax {
        self.form
    }

    // mid-url and cid-url have an addr-spec: "The Message-ID and Content-ID are globally unique" by
    // their domains
    fn is_evident(&self, rest: &[u8]) -> bool {
        is_addr_spec(rest)
    }

    fn rules(&self) -> &'static [SchemeRule] {
        self.rules
    }
}

impl Equivalences for Identifiers {
    // "/" divides two identifiers, which are not path segments.
    fn is_hierarchical(&self) -> bool {
        false
    }
}

impl super::Divide for Identifiers {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = MidUrl::read(reference, self)?;
        Ok(Fields::default().maybe("message_id", url.message_id).maybe("content_id", url.content_id).end())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        if CID.names == self.names { &CID_PARTS } else { &MID_PARTS }
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Identifiers {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        MidUrl::read(reference, self)?.plan()
    }
}

/// A view of a mid or cid URL as the identifiers of a message and of its part.
///
/// ```
/// use locator::scheme::MidUrl;
///
/// let url = MidUrl::of(locator::uri_ref!(
///     "mid:960830.1639@XIson.com/partA.960830.1639@XIson.com"
/// ))
/// .unwrap();
/// assert_eq!(url.message_id.unwrap().as_str(), "960830.1639@XIson.com");
/// assert_eq!(url.content_id.unwrap().as_str(), "partA.960830.1639@XIson.com");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MidUrl<'a> {
    url: UriRef<'a>,
    /// The identifier of the message, without "<" and ">"; `None` in a cid URL.
    pub message_id: Option<SpannedStr<'a>>,
    /// The identifier of the part, without "<" and ">".
    pub content_id: Option<SpannedStr<'a>>,
}

impl<'a> MidUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, breaks the rule of its edition, or an identifier is
    /// empty.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        match Self::read(reference, &MID) {
            Err(SyntaxError::OtherScheme) => Self::read(reference, &CID),
            read => read,
        }
    }

    // mid-url = "mid" ":" message-id [ "/" content-id ]; cid-url = "cid" ":" content-id
    fn read(reference: UriRef<'a>, scheme: &Identifiers) -> Result<Self, SyntaxError> {
        let rest = without_authority(scheme, reference)?;
        let url = match rest.split_once("/") {
            _ if CID.names == scheme.names => {
                Self { url: reference, message_id: None, content_id: Some(rest) }
            }
            Some((message, content)) => {
                Self { url: reference, message_id: Some(message), content_id: Some(content) }
            }
            None => Self { url: reference, message_id: Some(rest), content_id: None },
        };
        let mut identifiers = [url.message_id, url.content_id].into_iter().flatten();
        let empty = identifiers.find(|identifier| identifier.is_empty());
        empty.map_or(Ok(url), |empty| Err(SyntaxError::Form { span: empty.place(), form: scheme.form }))
    }

    #[cfg(feature = "plan")]
    fn plan(&self) -> Result<Plan, PlanError> {
        let octets = |place| move |excerpt: SpannedStr<'_>| MESSAGE_ID.bytes_of(place, excerpt);
        let message_id = self.message_id.map(octets("the message identifier")).transpose()?;
        let content_id = self.content_id.map(octets("the content identifier")).transpose()?;
        Ok(Plan::new().then(Local::LookUp(LookUp { message_id, content_id })))
    }
}

/// "A Content-ID or a Message-ID is converted to the corresponding URL by removing the "<" and
/// ">"".
#[cfg(feature = "plan")]
static MESSAGE_ID: Protocol = Protocol {
    name: "the header of a message",
    delimiters: AsciiSet::of(b"<> \t"),
    line_end: b"\r\n",
    citation: "RFC 2392, 2",
    replies: ReplyFraming::None,
    meanings: &[],
};

builder! {
    /// A builder of mid and cid URLs from the identifiers of a message and of its part.
    ///
    /// The identifiers are without "<" and ">". With the identifier of a message it builds a mid
    /// URL.
    ///
    /// ```
    /// use locator::scheme::{MidParts, MidUrl};
    ///
    /// let url = MidParts::default()
    ///     .message_id("a/b@h.dom")
    ///     .content_id("c%d@h.dom")
    ///     .build()?;
    /// assert_eq!(url, "mid:a%2Fb@h.dom/c%25d@h.dom");
    /// let parts = MidUrl::try_from(&url).unwrap().parts().content_id("x@y");
    /// assert_eq!(parts.build()?, "mid:a%2Fb@h.dom/x@y");
    /// assert_eq!(
    ///     MidParts::default().content_id("c%d@h.dom").build()?,
    ///     "cid:c%25d@h.dom"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    MidParts of MidUrl, by [MID, CID], prepare prepared;

    /// Sets the identifier of the message.
    one message_id: "message_id";
    /// Sets the identifier of a part of the message.
    one content_id: "content_id";
}

impl Default for MidParts<'_> {
    fn default() -> Self {
        Self(Parts::new("mid"))
    }
}

/// Without a message it is a cid URL.
fn prepared<'v>(mut parts: Parts<'v>, _: &Edition) -> Result<Parts<'v>, BuildError> {
    parts.set_scheme(if parts.pieces("message_id").is_empty() { "cid" } else { "mid" });
    Ok(parts)
}

/// "/" is a delimiter, so it is escaped in data (RFC 2392, 2).
const IDENTIFIER: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"@"));

static MID_PARTS: [Part; 2] =
    [Part::new("message_id", "", IDENTIFIER), Part::new("content_id", "/", IDENTIFIER)];

static CID_PARTS: [Part; 1] = [Part::new("content_id", "", IDENTIFIER)];

// midaddress = "mid:" addr-spec
static MID_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule::new("midaddress", BNF_1994, "the form mid:name@domain"),
    check: check_addr_spec,
}];

// cidaddress = "cid:" addr-spec
static CID_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule::new("cidaddress", BNF_1994, "the form cid:name@domain"),
    check: check_addr_spec,
}];

// addr-spec = 1*xalpha "@" 1*xalpha    ; the last "@" divides
// "@" is in xalpha too, so a final "@" belongs to the domain.
fn check_addr_spec(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    let before_last = reader.rest().split_last().map_or(&[][..], |(_, before)| before);
    let divides = before_last.iter().rposition(|octet| *octet == b'@');
    let end = divides.map_or_else(|| reader.end(), |index| reader.offset() + index);
    reader.take_some_to(&XALPHA_1994, end)?;
    reader.expect("@")?;
    reader.take_some(&XALPHA_1994, b"")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::edition::URL_1994;
    use crate::reference::UriRef;
    use crate::scheme::check;

    #[test]
    fn an_at_sign_divides_between_non_empty_parts() {
        for (text, valid) in [("mid:a@b", true), ("mid:a@@", true), ("mid:@@a", true), ("cid:a@b@", true)]
            .into_iter()
            .chain([("mid:a@", false), ("mid:@a", false), ("mid:@@", false), ("mid:@", false)])
        {
            let reference = UriRef::parse_with(text, &URL_1994).expect(text);
            assert_eq!(check(reference).map(|result| result.is_ok()), Some(valid), "{text}");
        }
    }
}
