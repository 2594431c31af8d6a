//! The urn scheme: takes a URN, returns its namespace and its name. Follows RFC 8141; every edition
//! reserves it: "URNs (Names) and URLs (Locators) be distinguishable" (draft of 1993). A URN names
//! a resource but does not locate it.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::parts::{Field, Fields, Part, Parts, Piece, builder};
use super::{Equivalences, Scheme, without_authority};
use crate::build::{BuildError, Value};
use crate::component::SpannedStr;
use crate::edition::{Edition, rfc1738};
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// The scheme of persistent names.
#[derive(Debug)]
pub(super) struct Urn;

impl Scheme for Urn {
    fn names(&self) -> &'static [&'static str] {
        &["urn"]
    }

    fn object(&self) -> &'static str {
        "whatever a namespace names, wherever it is"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "urn:namespace:name[?+resolution][?=query]", citation: "RFC 8141, 2" }
    }

    fn equivalence(&self) -> &'static str {
        "RFC 8141, 3.1"
    }

    // assigned-name = "urn" ":" NID ":" NSS
    fn is_evident(&self, rest: &[u8]) -> bool {
        let colon = rest.iter().take(LONGEST_NID + 1).position(|octet| *octet == b':');
        let nid = colon.and_then(|colon| core::str::from_utf8(&rest[..colon]).ok());
        nid.is_some_and(|nid| {
            is_nid(nid) && rest.get(nid.len() + 1).is_some_and(|octet| !b":/?#".contains(octet))
        })
    }
}

impl Equivalences for Urn {
    // "If an r-component, q-component, or f-component (or any combination thereof) are included in
    // a URN, they MUST be ignored for purposes of determining URN-equivalence" (RFC 8141, 3.1).
    fn is_compared(&self, part: Component, reference: UriRef<'_>) -> bool {
        !matches!(part, Component::Query | Component::Fragment) || UrnName::of(reference).is_err()
    }

    // "The URI scheme "urn" and the NID are case insensitive" (RFC 8141, 3.1).
    fn normal_path<'a>(&self, path: &'a str, _: UriRef<'_>) -> Cow<'a, str> {
        match path.split_once(':') {
            Some((nid, nss)) if is_nid(nid) && nid.bytes().any(|octet| octet.is_ascii_uppercase()) => {
                Cow::Owned([&nid.to_ascii_lowercase(), ":", nss].concat())
            }
            _ => Cow::Borrowed(path),
        }
    }

    // A name is never relative to another, so "/" does not divide path segments (RFC 8141, 2.2).
    fn is_hierarchical(&self) -> bool {
        false
    }

    // "?+" and "?=" begin components, ":" ends the namespace (RFC 8141, 2).
    fn reserved(&self) -> AsciiSet {
        AsciiSet::of(b":?+=")
    }
}

impl super::Divide for Urn {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let urn = UrnName::of(reference)?;
        let fields = Fields::default().one("nid", urn.nid).one("nss", urn.nss);
        Ok(fields.maybe("r_component", urn.r_component).maybe("q_component", urn.q_component).end())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Urn {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        UrnName::of(reference)?;
        Err(PlanError::NoLocation {
            why: "a URN is a name and not a location; map the scheme to a gateway that resolves it",
            citation: "RFC 8141, 4",
        })
    }
}

/// A view of a URN as a namespace, a name and components.
///
/// ```
/// use locator::scheme::UrnName;
///
/// let urn = UrnName::of(locator::uri_ref!(
///     "urn:example:foo-bar-baz-qux?+CCResolve:cc=uk?=op=map"
/// ))
/// .unwrap();
/// assert_eq!(
///     (urn.nid.as_str(), urn.nss.as_str()),
///     ("example", "foo-bar-baz-qux")
/// );
/// assert_eq!(urn.r_component.unwrap().as_str(), "CCResolve:cc=uk");
/// assert_eq!(urn.q_component.unwrap().as_str(), "op=map");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrnName<'a> {
    url: UriRef<'a>,
    /// The namespace identifier.
    pub nid: SpannedStr<'a>,
    /// The namespace-specific string, which is the name.
    pub nss: SpannedStr<'a>,
    /// The component for the service that resolves the URN; comparisons ignore it.
    pub r_component: Option<SpannedStr<'a>>,
    /// The component for the named resource; comparisons ignore it.
    pub q_component: Option<SpannedStr<'a>>,
}

impl<'a> UrnName<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, or does not follow the form.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let rest = without_authority(&Urn, reference)?;
        let wrong = |excerpt: SpannedStr<'_>| SyntaxError::Form { span: excerpt.place(), form: Urn.form() };
        let (nid, rest) = rest.split_once(":").ok_or(wrong(rest))?;
        // namestring = assigned-name [ "?+" r-component ] [ "?=" q-component ]
        let (rest, q_component) = rest.split_once("?=").map_or((rest, None), |(rest, q)| (rest, Some(q)));
        let (nss, r_component) = rest.split_once("?+").map_or((rest, None), |(nss, r)| (nss, Some(r)));
        if !is_nid(nid.as_str()) {
            return Err(wrong(nid));
        }
        match nss {
            _ if nss.is_empty() || nss.as_str().starts_with('/') => Err(wrong(nss)),
            _ if nss.find("?").is_some() => Err(wrong(nss)),
            _ => Ok(Self { url: reference, nid, nss, r_component, q_component }),
        }
    }
}

// NID = alphanum 0*30( alphanum / "-" ) alphanum
fn is_nid(nid: &str) -> bool {
    let octets = nid.as_bytes();
    let ends = [octets.first(), octets.last()];
    (2..=LONGEST_NID).contains(&octets.len())
        && ends.into_iter().flatten().all(u8::is_ascii_alphanumeric)
        && octets.iter().all(|&octet| octet.is_ascii_alphanumeric() || octet == b'-')
}

const LONGEST_NID: usize = 32;

const NAME: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b":@/"));
// r-component = pchar *( pchar / "/" / "?" ), and so is the q-component; a "?" might end either.
const COMPONENT: AsciiSet = NAME.union(AsciiSet::of(b"&="));

static PARTS: [Part; 4] = [
    Part::new("nid", "", NAME),
    Part::new("nss", ":", NAME),
    Part::new("r_component", "?+", COMPONENT).in_query(),
    Part::new("q_component", "?=", COMPONENT).in_query(),
];

builder! {
    /// A builder of URNs from a namespace, a name and components.
    ///
    /// ```
    /// use locator::scheme::{UrnName, UrnParts};
    ///
    /// assert_eq!(
    ///     UrnParts::new("isbn", "0-395-36341-1").build()?,
    ///     "urn:isbn:0-395-36341-1"
    /// );
    /// let weather =
    ///     UrnParts::new("example", "weather").q_component("op=map").build()?;
    /// assert_eq!(weather, "urn:example:weather?=op=map");
    /// assert_eq!(
    ///     UrnName::try_from(&weather).unwrap().parts().nss("a").build()?,
    ///     "urn:example:a?=op=map"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    UrnParts of UrnName, by [Urn], prepare prepared;

    /// Sets the namespace, 2 to 32 letters, digits and "-".
    one nid: "nid";
    /// Sets the name in the namespace.
    one nss: "nss";
    /// Sets the component for the service that resolves the URN.
    one r_component: "r_component";
    /// Sets the component for what the URN names.
    one q_component: "q_component";
}

impl<'v> UrnParts<'v> {
    /// Creates a builder of a URN of a namespace and a name in it.
    pub fn new(nid: impl Into<Value<'v>>, nss: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("urn").with("nid", nid).with("nss", nss))
    }
}

/// Checks that a component is not empty and does not begin with "/" (RFC 8141, 2).
fn prepared<'v>(parts: Parts<'v>, edition: &'static Edition) -> Result<Parts<'v>, BuildError> {
    let is_wrong = |piece: &Piece<'_>| match piece {
        Piece::One(value) => value.is_decoded() && matches!(value.as_bytes(), [] | [b'/', ..]),
        _ => false,
    };
    match ["r_component", "q_component"].iter().any(|name| parts.pieces(name).iter().any(is_wrong)) {
        true => Err(BuildError::Misread { component: Component::Query, edition }),
        false => Ok(parts),
    }
}
