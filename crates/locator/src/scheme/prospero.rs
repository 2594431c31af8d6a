//! The prospero scheme: takes a URL, returns the first octet that breaks the edition's rule for it,
//! or its parts; `plan` has the requests for the link's access methods. Follows "Prospero" of the draft
//! of 1993, the draft of 1994, and RFC 1738, section 3.11.
//!
//! The rules of three editions for prospero: takes the cursor after the scheme's ":", returns the
//! first octet that breaks the rule. Follows "Prospero" of the draft of 1993, "BNF for specific URL
//! schemes" of that of 1994, and RFC 1738, section 3.11.

#[cfg(feature = "plan")]
mod plan;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::field::NamedValues;
use super::parts::{Field, LoginParts, Part, Parts, Piece, Shape, builder};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, SchemeRule, if_ruled};
use crate::build::{BuildError, Value};
use crate::component::{SpannedSplit, SpannedStr};
use crate::edition::{Edition, RFC1738, Rule, URL_1993, URL_1994, rfc1738};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::scheme::cursor::{BNF_1993, BNF_1994, DIGITS_1993, DIGITS_1994, PATH_1993, PATH_1994};
use crate::scheme::{Reader, Terminal};
use crate::simd::AsciiSet;
use crate::span::Component;

/// The scheme of links of Prospero directory servers.
#[derive(Debug)]
pub(super) struct Prospero;

impl Scheme for Prospero {
    fn names(&self) -> &'static [&'static str] {
        &["prospero"]
    }

    fn object(&self) -> &'static str {
        "a link, resolved to another URL"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "prospero://host[:port]/hsoname[;field=value]…", citation: "RFC 1738, 3.11" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(1525)
    }
}

impl Equivalences for Prospero {
    // "Slash "/" may appear in the <hsoname> without quoting, but no significance may be assumed by
    // the application" (RFC 1738, 3.11).
    fn is_hierarchical(&self) -> bool {
        false
    }

    // psegment = *( uchar / "?" / ":" / "@" / "&" / "=" ); names and values of fields have no "="
    // and no "/".
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Path { if_ruled(self, reference, b"?:@&") } else { AsciiSet::EMPTY }
    }

    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        let (name, fields) = path.split_at(path.find(';').unwrap_or(path.len()));
        let scheme_reserves = reference.edition().equivalence.scheme_reserves;
        let is_escaped = name.contains("%2F") || name.contains("%3D");
        if !scheme_reserves || !is_escaped || self.unreserved(Component::Path, reference) == AsciiSet::EMPTY {
            return Cow::Borrowed(path);
        }
        Cow::Owned(name.replace("%2F", "/").replace("%3D", "=") + fields)
    }

    // fieldspec = ";" fieldname "=" fieldvalue
    fn reserved(&self) -> AsciiSet {
        AsciiSet::of(b";=")
    }

    // "%00" divides a name from its attributes (drafts of 1993 and 1994)
    fn undivided(&self, reference: UriRef<'_>) -> AsciiSet {
        if reference.edition().forms.prospero_nuls { self.reserved() } else { AsciiSet::EMPTY }
    }
}

impl super::Divide for Prospero {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        ProsperoUrl::of(reference).map(|url| url.divided())
    }

    fn parts(&self, edition: &Edition) -> &'static [Part] {
        if edition.forms.prospero_nuls { &PARTS_WITH_NULS } else { &PARTS }
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Prospero {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        ProsperoUrl::of(reference)?.plan()
    }

    fn has_proxies(&self) -> bool {
        true
    }
}

/// A view of a prospero URL as a server, the name of an object and fields.
///
/// ```
/// use locator::scheme::ProsperoUrl;
/// use locator::{UriRef, edition::URL_1994, uri_ref};
///
/// let url = ProsperoUrl::of(uri_ref!(
///     "prospero://host.dom//pros/name;OBJECT-VERSION=3"
/// ))
/// .unwrap();
/// assert_eq!(
///     (url.hsoname.as_str(), url.version().unwrap().as_str()),
///     ("/pros/name", "3")
/// );
/// let url = UriRef::parse_with("prospero://host.dom//pros/name%003", &URL_1994)?;
/// assert_eq!(ProsperoUrl::of(url).unwrap().version().unwrap().as_str(), "3");
/// # Ok::<_, locator::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProsperoUrl<'a> {
    url: UriRef<'a>,
    /// The directory server.
    pub login: Login<'a>,
    /// The host specific object name, which is opaque. It often begins with "/".
    pub hsoname: SpannedStr<'a>,
    /// The text after the object name.
    tail: LinkTail<'a>,
}

const HSONAME: Part = Part::new("hsoname", "/", rfc1738::UCHAR.union(AsciiSet::of(b"/"))).without_steps();

static PARTS: [Part; 2] = [HSONAME, Part::new("fields", ";", rfc1738::UCHAR).of(Shape::Pairs(';'))];

/// "If the optional list of attributes is provided, the version number must be present, but may be
/// the empty string" (draft of 1993); the grammar of 1994 does not derive an empty one.
static PARTS_WITH_NULS: [Part; 3] = [
    HSONAME,
    Part::new("version", NUL, AsciiSet::DIGIT).or(""),
    Part::new("attributes", NUL, ALPHANUM).of(Shape::Many('\0')),
];

/// The text after the object name, in one of three spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkTail<'a> {
    /// `%00version%00attribute…`, from after the first `%00`; the version may be empty in 1993.
    Nuls(Option<SpannedStr<'a>>),
    /// `;field=value…`, from after the first ";".
    Fields(Option<SpannedStr<'a>>),
}

impl<'a> ProsperoUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority, breaks the rule of its edition, or has
    /// a field without "=".
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let (login, rest) = Login::read_server(reference, &Prospero)?;
        let wrong =
            |excerpt: SpannedStr<'_>| SyntaxError::Form { span: excerpt.place(), form: Prospero.form() };
        let path = rest.strip_prefix("/").ok_or(wrong(rest))?;
        let divided = |by| path.split_once(by).map_or((path, None), |(name, tail)| (name, Some(tail)));
        let (hsoname, tail) = if reference.edition().forms.prospero_nuls {
            let (hsoname, tail) = divided(NUL);
            (hsoname, LinkTail::Nuls(tail))
        } else {
            let (hsoname, tail) = divided(";");
            (hsoname, LinkTail::Fields(tail))
        };
        let url = Self { url: reference, login, hsoname, tail };
        let unequal = url.after(";").find(|field| field.find("=").is_none());
        match (unequal, tail) {
            (Some(field), LinkTail::Fields(_)) => Err(wrong(field)),
            _ => Ok(url),
        }
    }

    /// Returns the version of the object, if the URL has one; among fields it is `OBJECT-VERSION`.
    #[must_use]
    pub fn version(&self) -> Option<SpannedStr<'a>> {
        let version = match self.tail {
            LinkTail::Nuls(_) => self.after(NUL).next(),
            LinkTail::Fields(_) => self.fields().find(is_version).map(|(_, value)| value),
        };
        version.filter(|version| !version.is_empty())
    }

    /// Returns the names of attributes of the link, in the spellings of 1993 and 1994.
    pub fn attributes(&self) -> SpannedSplit<'a, 'static> {
        let attributes = match self.tail {
            // The version comes first.
            LinkTail::Nuls(Some(tail)) => tail.split_once(NUL).map(|(_, attributes)| attributes),
            _ => None,
        };
        SpannedSplit::of(attributes, NUL)
    }

    /// Returns the fields of the link and their values, in the spelling of RFC 1738.
    pub fn fields(&self) -> NamedValues<'a> {
        let (LinkTail::Nuls(tail) | LinkTail::Fields(tail)) = self.tail;
        NamedValues::of(tail, ";")
    }

    fn after(&self, divider: &'static str) -> SpannedSplit<'a, 'static> {
        let (LinkTail::Nuls(tail) | LinkTail::Fields(tail)) = self.tail;
        SpannedSplit::of(tail, divider)
    }

    fn divided(&self) -> Vec<Field<'a>> {
        let parts = self.login.fields().one("hsoname", self.hsoname);
        match self.tail {
            LinkTail::Nuls(None) | LinkTail::Fields(None) => parts,
            LinkTail::Nuls(Some(_)) => {
                // An empty version is one that the URL has.
                parts.maybe("version", self.after(NUL).next()).many("attributes", self.attributes())
            }
            LinkTail::Fields(Some(_)) => parts.pairs("fields", self.fields()),
        }
        .end()
    }
}

/// "For example, the field "OBJECT-VERSION" may be used to identify a specific version of an
/// object."
fn is_version((name, _): &(SpannedStr<'_>, SpannedStr<'_>)) -> bool {
    name.decode().eq_ignore_ascii_case(b"OBJECT-VERSION")
}

builder! {
    /// A builder of prospero URLs from a server, the name of an object and fields.
    ///
    /// ```
    /// use locator::edition::{RFC1738, URL_1994};
    /// use locator::scheme::{ProsperoParts, ProsperoUrl};
    ///
    /// let parts = ProsperoParts::new("host.dom", "/pros/a;b").version(3);
    /// let url = parts.build_with(&RFC1738)?;
    /// assert_eq!(url, "prospero://host.dom//pros/a%3Bb;OBJECT-VERSION=3");
    /// assert_eq!(parts.build_with(&URL_1994)?, "prospero://host.dom//pros/a%3Bb%003");
    ///
    /// let parts = ProsperoUrl::try_from(&url).unwrap().parts().version(4);
    /// assert_eq!(
    ///     parts.build_with(&RFC1738)?,
    ///     "prospero://host.dom//pros/a%3Bb;OBJECT-VERSION=4"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ProsperoParts of ProsperoUrl, by [Prospero], prepare prepared;

    /// Sets the directory server.
    login;
    /// Sets the host specific object name.
    one hsoname: "hsoname";
    /// Sets the version of the object.
    number version: "version";
    /// Adds a field of the link and its value. The drafts of 1993 and 1994 allow its name, but no
    /// value.
    pair field: "fields";
}

impl<'v> ProsperoParts<'v> {
    /// Creates a builder of the URL of an object on a directory server.
    pub fn new(login: impl Into<LoginParts<'v>>, hsoname: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("prospero").at(login).with("hsoname", hsoname))
    }
}

/// Makes of a version and fields what the edition has: `%00version%00name…` in the drafts,
/// `;OBJECT-VERSION=version;name=value…` in RFC 1738.
fn prepared<'v>(mut parts: Parts<'v>, edition: &'static Edition) -> Result<Parts<'v>, BuildError> {
    if edition.forms.prospero_nuls {
        let misread = BuildError::Misread { component: Component::Path, edition };
        // A NUL in the name would end it there, and has no other spelling.
        if let [Piece::One(name)] = parts.pieces("hsoname")
            && name.is_decoded()
            && name.as_bytes().contains(&0)
        {
            return Err(misread);
        }
        for piece in parts.take("fields") {
            match piece {
                Piece::Pair(name, value) if value.as_bytes().is_empty() => {
                    parts.push("attributes", Piece::One(name));
                }
                _ => return Err(misread),
            }
        }
    } else if let [Piece::Text(version)] = parts.take("version").as_slice() {
        // A version that the URL has is its first field.
        let fields = parts.take("fields");
        let others = fields.into_iter().filter_map(|piece| match piece {
            Piece::Whole(Value::Encoded(text)) if is_versioned(text) => {
                text.split_once(';').map(|(_, others)| Piece::Whole(Value::Encoded(others)))
            }
            other => Some(other),
        });
        let version = Piece::Text([VERSION, version].concat());
        for field in core::iter::once(version).chain(others) {
            parts.push("fields", field);
        }
    }
    Ok(parts)
}

const VERSION: &str = "OBJECT-VERSION=";

/// Returns whether the first field is the version.
fn is_versioned(fields: &str) -> bool {
    fields.starts_with(VERSION)
}

static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new(
            "prosperoaddress",
            "Prospero",
            "the form prospero://host[:port]/name[%00version[%00attribute]…], with an empty version only before an attribute",
        ),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "prosperoaddress",
            BNF_1994,
            "the form prospero://host[:port]/name[%00version[%00attribute]…]",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("prosperourl", "3.11", "the form prospero://host[:port]/path[;field=value]…"),
        check: check_1738,
    },
];

/// An escaped NUL, which is a delimiter.
const NUL: &str = "%00";

// prosperoaddress = "prospero://" hostport "/" hsoname
//                   [ "%00" digits *( "%00" attribute ) / "%00" 1*( "%00" attribute ) ]
// hsoname = path without an escaped NUL
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_to(&PATH_1993, reader.find_literal(NUL))?;
    if reader.skip(NUL) {
        // "If the optional list of attributes is provided, the version number must be present, but may
        // be the empty string"
        if !reader.rest().starts_with(NUL.as_bytes()) {
            reader.take_some_to(&DIGITS_1993, reader.find_literal(NUL))?;
        }
        take_attributes(reader, &ATTRIBUTE_1993)?;
    }
    Ok(())
}

// prosperoaddress = "prospero://" hostport "/" hsoname [ "%00" digits *( "%00" attribute ) ]
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_to(&PATH_1994, reader.find_literal(NUL))?;
    if reader.skip(NUL) {
        reader.take_some_to(&DIGITS_1994, reader.find_literal(NUL))?;
        take_attributes(reader, &ATTRIBUTE_1994)?;
    }
    Ok(())
}

// *( "%00" attribute )
fn take_attributes(reader: &mut Reader<'_>, attribute: &'static Terminal) -> Result<(), ParseError> {
    while reader.skip(NUL) {
        reader.take_some_to(attribute, reader.find_literal(NUL))?;
    }
    Ok(())
}

// attribute = 1*( ALPHA / DIGIT )
static ATTRIBUTE_1993: Terminal =
    Terminal::new(ALPHANUM, "attribute", BNF_1993, "letters or digits, at least one");
static ATTRIBUTE_1994: Terminal =
    Terminal::new(ALPHANUM, "attribute", BNF_1994, "letters or digits, at least one");
const ALPHANUM: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT);

// prosperourl = "prospero://" hostport "/" ppath *fieldspec
// fieldspec = ";" fieldname "=" fieldvalue
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take(&PPATH_1738, b";")?;
    while reader.skip(";") {
        reader.take(&FIELDNAME_1738, b"=;")?;
        reader.expect("=")?;
        reader.take(&FIELDVALUE_1738, b";")?;
    }
    Ok(())
}

// ppath = psegment *( "/" psegment ); psegment = *( uchar / "?" / ":" / "@" / "&" / "=" )
static PPATH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b"?:@&=/")),
    "ppath",
    "3.11",
    "letters, digits, escapes or any of $-_.+!*'(),?:@&= and \"/\"",
);

const FIELD: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"?:@&"));
const FIELD_EXPECTS: &str = "letters, digits, escapes or any of $-_.+!*'(),?:@&";
// fieldname = *( uchar / "?" / ":" / "@" / "&" )
static FIELDNAME_1738: Terminal = Terminal::new(FIELD, "fieldname", "3.11", FIELD_EXPECTS);
// fieldvalue = *( uchar / "?" / ":" / "@" / "&" )
static FIELDVALUE_1738: Terminal = Terminal::new(FIELD, "fieldvalue", "3.11", FIELD_EXPECTS);

#[cfg(all(test, feature = "plan"))]
mod tests {
    use super::*;
    use crate::build::BuildError;
    use crate::edition::{RFC1738, URL_1993, URL_1994};
    use crate::span::Component;

    #[test]
    fn the_drafts_have_no_place_for_values() {
        let parts = ProsperoParts::new("h", "a").field("ID", "x");
        assert_eq!(parts.build_with(&RFC1738).expect("it is one"), "prospero://h/a;ID=x");
        assert_eq!(
            parts.build_with(&URL_1994),
            Err(BuildError::Misread { component: Component::Path, edition: &URL_1994 })
        );
        let parts = ProsperoParts::new("h", "a").field("ID", "");
        assert_eq!(parts.build_with(&URL_1993).expect("it is one"), "prospero://h/a%00%00ID");
        let parts = parts.hsoname("a\0b");
        assert_eq!(
            parts.build_with(&URL_1993),
            Err(BuildError::Misread { component: Component::Path, edition: &URL_1993 })
        );
    }
}
