//! The nntp scheme: takes a URL, returns the first octet that breaks the edition's rule for it, its
//! parts, or the commands that fetch an article. Follows the draft of 1994, RFC 1738, section 3.7,
//! and RFC 5538, section 3, in the editions that leave schemes to other documents; the commands,
//! which news uses too, are those of RFC 3977.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::group::{GROUP_CHAR, is_group, take_group_1738, take_group_1994};
use crate::build::{BuildError, Value};
use crate::component::SpannedStr;
use crate::edition::{Edition, RFC1738, Rule, URL_1994};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
use crate::plan::{
    Connection, Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Options, Plan, PlanError, Prompt,
    Protocol, ReplyFraming, Step, Then, Transport,
};
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
        let url = NntpUrl::of(reference)?;
        let plan = session(url.login.connection(119, Transport::Tcp, &NNTP)?, Some(&url.login))?;
        match url.number {
            Some(number) => numbered(plan, url.group, number),
            None => group(plan, url.group),
        }
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

/// Connects, and logs in if the URL contains a user (RFC 4643, 2.3).
pub(in crate::scheme) fn session(to: Connection, login: Option<&Login<'_>>) -> Result<Plan, PlanError> {
    let greeting =
        Exchange::greeting().next(On::Code(200), Meaning::Ready).next(On::Code(201), Meaning::Ready);
    let mut session = vec![Step::Connect(to), greeting.into()];
    if let Some((user, login)) = login.and_then(|login| Some((login.user?, login))) {
        let line = Line::new(&NNTP, "AUTHINFO USER ").excerpt("the user", user)?;
        let pass = Line::new(&NNTP, "AUTHINFO PASS ");
        let pass = match login.password {
            Some(password) => pass.secret("the password", password)?,
            None => pass.answer(Prompt::Password { user: user.decode().into_owned() }),
        };
        // A server without logins says so; "502" is also that of INN where nobody needs one.
        let mut logged_in = or_mode(log_in(line, pass));
        for code in [500, 502, 503] {
            logged_in = logged_in.next(On::Code(code), Meaning::NotNeeded);
        }
        session.push(logged_in.into());
    }
    Ok(Plan::with_session(session))
}

/// "AUTHINFO USER", and "AUTHINFO PASS" if the server asks for a password (RFC 4643, 2.3.1).
fn log_in(user: Line, pass: Line) -> Exchange {
    let pass = Exchange::new(pass.end()).next(On::Code(281), Meaning::LoggedIn);
    let user = Exchange::new(user.end()).next(On::Code(281), Meaning::LoggedIn);
    user.first(On::Code(381), Meaning::NeedPassword, vec![pass.into()])
}

/// Adds the reply of a server that must know that a reader has connected: "401 MODE-READER"
/// (RFC 3977, 5.3).
fn or_mode(exchange: Exchange) -> Exchange {
    let mode = Exchange::new(Line::new(&NNTP, "MODE READER").end());
    let mode = mode.next(On::Code(200), Meaning::Ready).next(On::Code(201), Meaning::Ready);
    let word = On::Word(401, "MODE-READER".into());
    exchange.on(word, Meaning::NeedMode, Then::Retry(vec![mode.into()]))
}

/// Adds what readers are asked for before their first command: the mode, and a login if the URL has
/// no user (480; RFC 4643, 2.2).
fn for_readers(command: Exchange, plan: &Plan) -> Exchange {
    // A login is the third step of a session.
    if plan.session.len() > 2 {
        return or_mode(command);
    }
    let user = Line::new(&NNTP, "AUTHINFO USER ").answer(Prompt::User);
    let pass = Line::new(&NNTP, "AUTHINFO PASS ").answer(Prompt::Password { user: Vec::new() });
    let login = Then::Retry(vec![log_in(user, pass).into()]);
    or_mode(command).on(On::Code(480), Meaning::NeedLogin, login)
}

/// Fetches an article by its identifier: "the message-id is not written with "<" and ">" and is
/// sent with them".
pub(in crate::scheme) fn article(plan: Plan, message_id: SpannedStr<'_>) -> Result<Plan, PlanError> {
    let brackets = AsciiSet::of(b"<> \t");
    let line = Line::new(&NNTP, "ARTICLE <");
    let line = line.excerpt_without("the message identifier", message_id, brackets)?.word(">");
    Ok(fetch_article(plan, line))
}

/// Fetches an article by its number in a group.
fn numbered(plan: Plan, group: SpannedStr<'_>, number: SpannedStr<'_>) -> Result<Plan, PlanError> {
    let line = Line::new(&NNTP, "ARTICLE ").excerpt("the article's number", number)?;
    Ok(fetch_article(choose(plan, group)?, line))
}

/// Fetches the numbers of the articles of a group.
pub(in crate::scheme) fn group(plan: Plan, group: SpannedStr<'_>) -> Result<Plan, PlanError> {
    let object = Object::new(ObjectKind::Numbers, "the articles' numbers", Framing::Dot);
    Ok(fetch(choose(plan, group)?, Line::new(&NNTP, "LISTGROUP"), 211, object))
}

/// Fetches the groups whose names match a pattern; all of them without a pattern.
pub(in crate::scheme) fn groups(plan: Plan, pattern: Option<SpannedStr<'_>>) -> Result<Plan, PlanError> {
    let line = Line::new(&NNTP, "LIST ACTIVE");
    let line = match pattern {
        Some(pattern) => line.word(" ").excerpt("the pattern", pattern)?,
        None => line,
    };
    Ok(fetch(plan, line, 215, Object::new(ObjectKind::Groups, "the groups", Framing::Dot)))
}

fn choose(plan: Plan, group: SpannedStr<'_>) -> Result<Plan, PlanError> {
    let line = Line::new(&NNTP, "GROUP ").excerpt("the group", group)?;
    let command = for_readers(Exchange::new(line.end()).next(On::Code(211), Meaning::Done), &plan);
    Ok(plan.then(command))
}

fn fetch_article(plan: Plan, line: Line) -> Plan {
    let object = Object::new(ObjectKind::Article, "the article", Framing::Dot).media_type("message/rfc822");
    fetch(plan, line, 220, object)
}

fn fetch(plan: Plan, line: Line, code: u16, object: Object) -> Plan {
    let command = Exchange::new(line.end()).next(On::Code(code), Meaning::Follows);
    let command = if plan.work.is_empty() { for_readers(command, &plan) } else { command };
    plan.then(command).then(object)
}

/// The meanings are those of RFC 3977, 3.2.1, and RFC 4643, 2.2.
pub(in crate::scheme) static NNTP: Protocol = Protocol {
    name: "NNTP",
    delimiters: AsciiSet::of(b" \t"),
    line_end: b"\r\n",
    citation: "RFC 3977, 3.1",
    replies: ReplyFraming::Line,
    meanings: &[
        (On::Class(1), Meaning::Wait),
        (On::Code(400), Meaning::Busy),
        (On::Code(401), Meaning::NeedMode),
        (On::Code(403), Meaning::Busy),
        (On::Code(411), Meaning::Missing),
        (On::Code(412), Meaning::Unexpected),
        (On::Code(420), Meaning::Missing),
        (On::Code(423), Meaning::Missing),
        (On::Code(430), Meaning::Missing),
        (On::Code(480), Meaning::NeedLogin),
        (On::Code(481), Meaning::WrongLogin),
        (On::Code(482), Meaning::WrongLogin),
        (On::Code(483), Meaning::Refused),
        (On::Code(500), Meaning::NotSupported),
        (On::Code(501), Meaning::NotSupported),
        (On::Code(502), Meaning::Refused),
        (On::Code(503), Meaning::NotSupported),
    ],
};

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
