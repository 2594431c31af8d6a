//! The nntp scheme: takes a URL, returns the first octet that breaks the edition's rule for it, its
//! parts, or the commands that fetch an article. Follows the draft of 1994, RFC 1738, section 3.7,
//! and RFC 5538, section 3, in the editions that leave schemes to other documents; the commands,
//! which news uses too, are those of RFC 3977.

use alloc::string::String;
use alloc::vec::Vec;

use super::group::{GROUP_CHAR, is_group, take_group_1738, take_group_1994};
use crate::build::{BuildError, Value};
use crate::component::SpannedStr;
use crate::edition::{Edition, RFC1738, Rule, URL_1994};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::{UriBuf, UriRef};
use crate::scheme::parts::{Field, Fields};
use crate::scheme::parts::{Frame, Number, checked, raw, setters, written};
use crate::scheme::syntax::login::{Login, LoginParts};
use crate::scheme::syntax::terminals::{BNF_1994, DIGITS_1738, DIGITS_1994};
use crate::scheme::{Equivalences, OwnPart, Reader, Scheme, SchemeRule, rule_of};
use crate::simd::AsciiSet;
use crate::span::Component;

/// The scheme of articles by their numbers on one server.
#[derive(Debug)]
pub(in crate::scheme) struct Nntp;

impl Scheme for Nntp {
    fn names(&self) -> &'static [&'static str] {
        &["nntp"]
    }

    fn object(&self) -> &'static str {
        "an article by number on one server"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "nntp://host[:port]/group[/number]", citation: "RFC 5538, 3" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(119)
    }
}

impl Equivalences for Nntp {
    // A group and a number are not path segments.
    fn is_hierarchical(&self) -> bool {
        false
    }
}

#[cfg(feature = "plan")]
impl crate::scheme::Planner for Nntp {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = NntpUrl::of(reference)?;
        let fields: Fields<'a> = url.login.fields().one("group", url.group);
        Ok(fields.maybe("number", url.number).end())
    }

    fn own_parts(&self, _: &Edition) -> &'static [OwnPart] {
        &OWN
    }

    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        NntpUrl::of(reference)?.plan()
    }
}

/// A view of an nntp URL as a server, a newsgroup and the number of an article.
///
/// ```
/// use locator::scheme::NntpUrl;
///
/// let url = NntpUrl::of(locator::uri_ref!("nntp://news.dom/comp.infosystems.www.misc/42")).unwrap();
/// assert_eq!(url.group.as_str(), "comp.infosystems.www.misc");
/// assert_eq!(url.number.unwrap().as_str(), "42");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NntpUrl<'a> {
    url: UriRef<'a>,
    /// The server.
    pub login: Login<'a>,
    /// The newsgroup.
    pub group: SpannedStr<'a>,
    /// The number of an article in the group, on that server alone.
    pub number: Option<SpannedStr<'a>>,
}

impl<'a> NntpUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, breaks the rule of its edition, or has no group.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let (login, rest) = match rule_of(&Nntp, reference.edition()) {
            Some(_) => Login::read_hostport(reference, &Nntp)?,
            None => Login::read(reference, &Nntp)?,
        };
        let wrong = |excerpt: SpannedStr<'_>| SyntaxError::Form { span: excerpt.place(), form: Nntp.form() };
        let path = rest.strip_prefix("/").ok_or(wrong(rest))?;
        let (group, number) =
            path.split_once("/").map_or((path, None), |(group, number)| (group, Some(number)));
        if group.is_empty() {
            return Err(wrong(group));
        }
        if rule_of(&Nntp, reference.edition()).is_none() {
            is_group(group, "").map_err(|span| SyntaxError::Form { span, form: Nntp.form() })?;
        }
        // article-number = 1*16DIGIT
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
        match number {
            Some(number) if !is_number(number.as_str()) => Err(wrong(number)),
            _ => Ok(Self { url: reference, login, group, number }),
        }
    }
}

static OWN: [OwnPart; 2] =
    [OwnPart::new("group", "/", GROUP_CHAR), OwnPart::new("number", "/", AsciiSet::DIGIT)];

/// A builder of nntp URLs from a server, a newsgroup and the number of an article.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::scheme::{NntpParts, NntpUrl};
///
/// let url = NntpParts::new("news.dom", "comp.lang.c++").number(42).build_with(&RFC1738)?;
/// assert_eq!(url, "nntp://news.dom/comp.lang.c++/42");
/// let parts = NntpUrl::try_from(&url).unwrap().parts().number(43);
/// assert_eq!(parts.build_with(&RFC1738)?, "nntp://news.dom/comp.lang.c++/43");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[must_use = "it builds nothing before `build`"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NntpParts<'v> {
    frame: Frame<'v>,
    /// The server.
    pub login: LoginParts<'v>,
    /// The newsgroup.
    pub group: Value<'v>,
    /// The number of an article in the group, on this server.
    pub number: Option<Number<'v>>,
}

impl<'v> NntpParts<'v> {
    /// Begins a URL of a newsgroup on a server.
    pub fn new(login: impl Into<LoginParts<'v>>, group: impl Into<Value<'v>>) -> Self {
        Self { frame: Frame::default(), login: login.into(), group: group.into(), number: None }
    }

    setters! {
        /// Sets the server.
        login;
        /// Sets the newsgroup.
        one group;
        /// Sets the number of an article in the group.
        number number: u64;
    }

    /// Composes the URL and parses it by the edition and by its rule for the scheme.
    ///
    /// # Errors
    ///
    /// A value that is not allowed in a URL of the edition.
    pub fn build_with(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let mut rest = String::from("/");
        rest.push_str(&written(self.group, edition, Component::Path, GROUP_CHAR)?);
        if let Some(number) = self.number {
            rest.push('/');
            rest.push_str(&number.text());
        }
        let built = self.login.build(self.frame.begin("nntp", edition)?, &Nntp, &rest)?;
        checked(built, &self.values(), |url| NntpUrl::of(url).map(|url| url.parts().values()))
    }

    fn values(&self) -> Vec<Value<'v>> {
        self.login.values().chain([self.group]).chain(self.number.and_then(Number::raw)).collect()
    }
}

impl<'a> NntpUrl<'a> {
    /// Returns the parts of this URL; building them by its edition returns the identical URL.
    pub fn parts(&self) -> NntpParts<'a> {
        let number = self.number.map(|number| Number::Raw(number.as_str()));
        let (frame, login) = (Frame::of(self.url), self.login.parts());
        NntpParts { frame, login, group: raw(self.group), number }
    }
}

static RULES: [SchemeRule; 2] = [
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule {
            name: "nntpaddress",
            section: BNF_1994,
            expects: "the form nntp://host[:port]/group/number",
        },
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule {
            name: "nntpurl",
            section: "3.7",
            expects: "the form nntp://host[:port]/group[/number]",
        },
        check: check_1738,
    },
];

// nntpaddress = "nntp://" hostport "/" group "/" digits
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    take_group_1994(reader, b"/")?;
    reader.expect("/")?;
    reader.take_some(&DIGITS_1994, b"")?;
    Ok(())
}

// nntpurl = "nntp://" hostport "/" group [ "/" digits ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    take_group_1738(reader, b"/")?;
    if reader.skip("/") {
        reader.take_some(&DIGITS_1738, b"")?;
    }
    Ok(())
}
