//! The nntp scheme: takes a URL, returns the first octet that breaks the edition's rule for it, its
//! parts, or the commands that fetch an article. Follows the draft of 1994, RFC 1738, section 3.7,
//! and RFC 5538, section 3, in the editions that leave schemes to other documents; the commands,
//! which news uses too, are those of RFC 3977.

use alloc::vec::Vec;

use super::{GROUP_CHAR, is_group, take_group_1738, take_group_1994};
use crate::build::Value;
use crate::component::SpannedStr;
use crate::edition::{Edition, RFC1738, Rule, URL_1994};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::scheme::cursor::{BNF_1994, DIGITS_1738, DIGITS_1994};
use crate::scheme::parts::{Field, Fields, LoginParts, Part, Parts, builder};
use crate::scheme::syntax::login::Login;
use crate::scheme::{Equivalences, Reader, Scheme, SchemeRule, rule_of};
use crate::simd::AsciiSet;

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

impl crate::scheme::Divide for Nntp {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = NntpUrl::of(reference)?;
        let fields: Fields<'a> = url.login.fields().one("group", url.group);
        Ok(fields.maybe("number", url.number).end())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl crate::scheme::Planner for Nntp {
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        NntpUrl::of(reference)?.plan(options)
    }
}

/// A view of an nntp URL as a server, a newsgroup and the number of an article.
///
/// ```
/// use locator::scheme::NntpUrl;
///
/// let url = NntpUrl::of(locator::uri_ref!(
///     "nntp://news.dom/comp.infosystems.www.misc/42"
/// ))
/// .unwrap();
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

static PARTS: [Part; 2] = [Part::new("group", "/", GROUP_CHAR), Part::new("number", "/", AsciiSet::DIGIT)];

builder! {
    /// A builder of nntp URLs from a server, a newsgroup and the number of an article.
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator::scheme::{NntpParts, NntpUrl};
    ///
    /// let url = NntpParts::new("news.dom", "comp.lang.c++")
    ///     .number(42)
    ///     .build_with(&RFC1738)?;
    /// assert_eq!(url, "nntp://news.dom/comp.lang.c++/42");
    /// let parts = NntpUrl::try_from(&url).unwrap().parts().number(43);
    /// assert_eq!(parts.build_with(&RFC1738)?, "nntp://news.dom/comp.lang.c++/43");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    NntpParts of NntpUrl, by [Nntp];

    /// Sets the server.
    login;
    /// Sets the newsgroup.
    one group: "group";
    /// Sets the number of an article in the group, on this server.
    number number: "number";
}

impl<'v> NntpParts<'v> {
    /// Creates a builder of the URL of a newsgroup on a server.
    pub fn new(login: impl Into<LoginParts<'v>>, group: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("nntp").at(login).with("group", group))
    }
}

static RULES: [SchemeRule; 2] = [
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new("nntpaddress", BNF_1994, "the form nntp://host[:port]/group/number"),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("nntpurl", "3.7", "the form nntp://host[:port]/group[/number]"),
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
