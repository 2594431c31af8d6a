//! The urn scheme: takes a URN, returns its namespace and its name. Follows RFC 8141; every edition
//! reserves it: "URNs (Names) and URLs (Locators) be distinguishable" (draft of 1993). A URN names
//! a resource but does not locate it.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::parts::{Field, Fields};
use super::parts::{Frame, checked, finish, raw, setters, written};
use super::{Equivalences, OwnPart, Scheme, without_authority};
use crate::build::{BuildError, Value};
use crate::component::SpannedStr;
use crate::edition::{Edition, rfc1738};
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::{UriBuf, UriRef};
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

#[cfg(feature = "plan")]
impl super::Planner for Urn {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let urn = UrnName::of(reference)?;
        let fields = Fields::default().one("nid", urn.nid).one("nss", urn.nss);
        Ok(fields.maybe("r_component", urn.r_component).maybe("q_component", urn.q_component).end())
    }

    fn own_parts(&self, _: &Edition) -> &'static [OwnPart] {
        &OWN
    }

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
/// let urn = UrnName::of(locator::uri_ref!("urn:example:foo-bar-baz-qux?+CCResolve:cc=uk?=op=map")).unwrap();
/// assert_eq!((urn.nid.as_str(), urn.nss.as_str()), ("example", "foo-bar-baz-qux"));
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

static OWN: [OwnPart; 4] = [
    OwnPart::new("nid", "", NAME),
    OwnPart::new("nss", ":", NAME),
    OwnPart::new("r_component", "?+", COMPONENT).in_query(),
    OwnPart::new("q_component", "?=", COMPONENT).in_query(),
];

/// A builder of URNs from a namespace, a name and components.
///
/// ```
/// use locator::scheme::{UrnName, UrnParts};
///
/// assert_eq!(UrnParts::new("isbn", "0-395-36341-1").build()?, "urn:isbn:0-395-36341-1");
/// let weather = UrnParts::new("example", "weather").q_component("op=map").build()?;
/// assert_eq!(weather, "urn:example:weather?=op=map");
/// assert_eq!(UrnName::try_from(&weather).unwrap().parts().nss("a").build()?, "urn:example:a?=op=map");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[must_use = "it builds nothing before `build`"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrnParts<'v> {
    frame: Frame<'v>,
    /// The namespace.
    pub nid: Value<'v>,
    /// The name in the namespace.
    pub nss: Value<'v>,
    /// The component for the service that resolves the URN.
    pub r_component: Option<Value<'v>>,
    /// The component for what the URN names.
    pub q_component: Option<Value<'v>>,
}

impl<'v> UrnParts<'v> {
    /// Begins a URN of a namespace and a name in it.
    pub fn new(nid: impl Into<Value<'v>>, nss: impl Into<Value<'v>>) -> Self {
        let (nid, nss) = (nid.into(), nss.into());
        Self { frame: Frame::default(), nid, nss, r_component: None, q_component: None }
    }

    setters! {
        /// Sets the namespace.
        one nid;
        /// Sets the name in the namespace.
        one nss;
        /// Sets the component for the service that resolves the URN.
        maybe r_component;
        /// Sets the component for what the URN names.
        maybe q_component;
    }

    /// Composes the URN and parses it by the edition and by its rule for the scheme.
    ///
    /// # Errors
    ///
    /// A value that is not allowed in a URI of the edition, or is not of the form: a namespace has
    /// 2 to 32 letters, digits and "-"; a name and a component are not empty and do not begin with
    /// "/".
    pub fn build_with(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let nid = written(
            self.nid,
            edition,
            Component::Path,
            AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-")),
        )?;
        let mut rest = [&nid, ":", &written(self.nss, edition, Component::Path, NAME)?].concat();
        for (mark, component) in [("?+", self.r_component), ("?=", self.q_component)] {
            if let Some(component) = component {
                rest.push_str(mark);
                rest.push_str(&written(component, edition, Component::Query, COMPONENT)?);
            }
        }
        let built = finish(self.frame.begin("urn", edition)?, &Urn, &rest)?;
        let is_read = UrnName::of(*built.as_uri()).is_ok_and(|urn| urn.nid.as_str() == nid);
        if !is_read || !self.has_components() {
            return Err(BuildError::Misread { component: Component::Path, edition });
        }
        checked(built, &self.values(), |url| UrnName::of(url).map(|url| url.parts().values()))
    }

    /// Returns whether each component that is given as data is valid.
    fn has_components(&self) -> bool {
        let components = [self.r_component, self.q_component].into_iter().flatten();
        let mut data = components.filter(|component| component.is_decoded());
        data.all(|component| !matches!(component.as_bytes(), [] | [b'/', ..]))
    }

    fn values(&self) -> Vec<Value<'v>> {
        let components = [self.r_component, self.q_component];
        [self.nid, self.nss].into_iter().chain(components.into_iter().flatten()).collect()
    }
}

impl<'a> UrnName<'a> {
    /// Returns the parts of this URN; building them by its edition returns the identical URN.
    pub fn parts(&self) -> UrnParts<'a> {
        UrnParts {
            frame: Frame::of(self.url),
            nid: raw(self.nid),
            nss: raw(self.nss),
            r_component: self.r_component.map(raw),
            q_component: self.q_component.map(raw),
        }
    }
}
