//! urn: a URN enters, its namespace and its name leave. Follows RFC 8141; every edition reserves it: "URNs
//! (Names) and URLs (Locators) be distinguishable" (draft of 1993). It names and does not locate.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::field::{Field, Fields};
use super::login::finish;
use super::{Equivalences, OwnPart, Scheme, kept, without_authority};
use crate::build::{BuildError, Edit};
use crate::component::Excerpt;
use crate::edition::{Edition, rfc1738};
use crate::escape::EscapedBuf;
use crate::form::{Form, Malformed};
use crate::octet::Set;
use crate::part::Part;
use crate::plan::{Options, Plan, PlanError};
use crate::reference::{UriBuf, UriRef};

/// Names that last.
#[derive(Debug)]
pub(super) struct Urn;

impl Scheme for Urn {
    fn names(&self) -> &'static [&'static str] {
        &["urn"]
    }

    fn object(&self) -> &'static str {
        "whatever a namespace names, wherever it is"
    }

    fn form(&self) -> Form {
        Form { text: "urn:namespace:name[?+resolution][?=query]", see: "RFC 8141, 2" }
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
    // "If an r-component, q-component, or f-component (or any combination thereof) are included in a URN, they MUST be
    // ignored for purposes of determining URN-equivalence" (RFC 8141, 3.1).
    fn is_compared(&self, part: Part, reference: UriRef<'_>) -> bool {
        !matches!(part, Part::Query | Part::Fragment) || UrnName::of(reference).is_err()
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

    // A name is never relative to another, so no "/" in it makes a step of what stands behind it (RFC 8141, 2.2).
    fn is_hierarchical(&self) -> bool {
        false
    }

    // "?+" and "?=" begin components, ":" ends the namespace (RFC 8141, 2).
    fn reserved(&self) -> Set {
        Set::of(b":?+=")
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Urn {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, Malformed> {
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
            why: "it says what something is and not where: map the scheme to a gateway that knows",
            see: "RFC 8141, 4",
        })
    }
}

/// A URN.
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
    /// The namespace.
    pub nid: Excerpt<'a>,
    /// The name in it.
    pub nss: Excerpt<'a>,
    /// What is for who resolves it; it takes no part in comparing.
    pub r_component: Option<Excerpt<'a>>,
    /// What is for what it names; it takes no part in comparing.
    pub q_component: Option<Excerpt<'a>>,
}

impl<'a> UrnName<'a> {
    /// Reads one.
    ///
    /// # Errors
    ///
    /// It is of another scheme, or not of the form.
    pub fn of(reference: UriRef<'a>) -> Result<Self, Malformed> {
        let rest = without_authority(&Urn, reference)?;
        let wrong = |excerpt: Excerpt<'_>| Malformed::Form { span: excerpt.span(), form: Urn.form() };
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
            _ => Ok(Self { nid, nss, r_component, q_component }),
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

const NAME: Set = rfc1738::UCHAR.or(Set::of(b":@/"));
// r-component = pchar *( pchar / "/" / "?" ), and so is the q-component; a "?" might end either.
const COMPONENT: Set = NAME.or(Set::of(b"&="));

static OWN: [OwnPart; 4] = [
    OwnPart::new("nid", "", NAME),
    OwnPart::new("nss", ":", NAME),
    OwnPart::new("r_component", "?+", COMPONENT).in_query(),
    OwnPart::new("q_component", "?=", COMPONENT).in_query(),
];

/// What a URN is built of; the name is data.
///
/// ```
/// use locator::edition::RFC3986;
/// use locator::scheme::UrnParts;
///
/// let isbn = UrnParts { nid: "isbn", nss: b"0-395-36341-1", ..UrnParts::default() };
/// assert_eq!(isbn.build(&RFC3986)?, "urn:isbn:0-395-36341-1");
/// let weather = UrnParts { nid: "example", nss: b"weather", q_component: Some(b"op=map"), ..UrnParts::default() };
/// assert_eq!(weather.build(&RFC3986)?, "urn:example:weather?=op=map");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UrnParts<'v> {
    /// The namespace.
    pub nid: &'v str,
    /// The name in it.
    pub nss: &'v [u8],
    /// What is for who resolves it.
    pub r_component: Option<&'v [u8]>,
    /// What is for what it names.
    pub q_component: Option<&'v [u8]>,
}

impl UrnParts<'_> {
    /// The URN.
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URI of the edition, or is not of the form: a namespace has 2 to 32
    /// letters, digits and "-"; a name and a component are not empty and do not begin with "/".
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let escaped = |octets, part, set| EscapedBuf::escape(octets, kept(edition, part, set)).into_string();
        let name = rfc1738::UCHAR.or(Set::of(b":@/"));
        let mut rest = [self.nid, ":", &escaped(self.nss, Part::Path, name)].concat();
        // r-component = pchar *( pchar / "/" / "?" ), and so is the q-component; a "?" might end either.
        for (mark, component) in [("?+", self.r_component), ("?=", self.q_component)] {
            if let Some(component) = component {
                rest.push_str(mark);
                rest.push_str(&escaped(component, Part::Query, name.or(Set::of(b"&="))));
            }
        }
        let mut edit = Edit::new(edition);
        edit.set(Part::Scheme, "urn")?;
        let built = finish(edit, &rest)?;
        if self.is_told_by(*built.as_uri()) {
            Ok(built)
        } else {
            Err(BuildError::Misread { part: Part::Path, edition })
        }
    }

    /// Whether a URN has these components.
    fn is_told_by(&self, built: UriRef<'_>) -> bool {
        let begins = |component: Option<&[u8]>| !matches!(component, Some([] | [b'/', ..]));
        let well = begins(self.r_component) && begins(self.q_component);
        well && UrnName::of(built).is_ok_and(|urn| urn.nid.as_str() == self.nid)
    }
}
