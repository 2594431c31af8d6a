//! The news scheme, and snews, its variant over TLS: takes a URL, returns the first octet that
//! breaks the edition's rule for it, or what it identifies; `plan` has the commands that fetch that. Follows
//! "News" of the draft of 1993, the draft of 1994, RFC 1738, section 3.6, and RFC 5538, section 2,
//! in the editions that leave schemes to others.
//!
//! Reads names of newsgroups: takes the cursor before a name, returns the cursor after it. Follows
//! `group` of the three grammars, and RFC 5538 in later editions.

pub(super) mod nntp;
#[cfg(feature = "plan")]
mod plan;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::cursor::{BNF_1993, BNF_1994, is_addr_spec};
use super::parts::{Field, Fields, Part, Parts, Piece, Shape, builder};
use super::syntax::login::Login;
use super::{Equivalences, Reader, Scheme, SchemeRule, Terminal, if_ruled, rule_of};
use crate::build::Value;
use crate::component::SpannedStr;
use crate::edition::{Edition, RFC1738, Rule, URL_1993, URL_1994, rfc1738, url_1993, url_1994};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
use crate::pct::PctStr;
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError, Transport};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::{Component, Span};

/// A scheme of newsgroups and articles.
#[derive(Debug)]
pub(super) struct NewsScheme {
    names: &'static [&'static str],
    object: &'static str,
    form: Syntax,
    rules: &'static [SchemeRule],
    /// The default port, and whether a normal form omits it: `news` may mean the user's own server.
    #[cfg_attr(not(feature = "plan"), allow(dead_code, reason = "data for its plan"))]
    port: u16,
    default_port: Option<u16>,
    /// Whether the connection uses TLS from the first octet.
    #[cfg_attr(not(feature = "plan"), allow(dead_code, reason = "data for its plan"))]
    is_secured: bool,
}

/// The scheme of newsgroups and articles on any server.
pub(super) static NEWS: NewsScheme = NewsScheme {
    names: &["news"],
    object: "a newsgroup, an article, all groups",
    form: Syntax { text: "news:[//host[:port]/](*|group|message-id)", citation: "RFC 5538, 2" },
    rules: &RULES,
    port: 119,
    default_port: None,
    is_secured: false,
};

/// The snews scheme, news over TLS; "historical" (RFC 5538, 4).
pub(super) static SNEWS: NewsScheme = NewsScheme {
    names: &["snews"],
    object: "the same, secured",
    form: Syntax { text: "snews:[//host[:port]/](*|group|message-id)", citation: "RFC 5538, 4" },
    rules: &[],
    port: 563,
    default_port: Some(563),
    is_secured: true,
};

impl Scheme for NewsScheme {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn object(&self) -> &'static str {
        self.object
    }

    fn form(&self) -> Syntax {
        self.form
    }

    fn rules(&self) -> &'static [SchemeRule] {
        self.rules
    }

    fn default_port(&self) -> Option<u16> {
        self.default_port
    }

    fn is_evident(&self, rest: &[u8]) -> bool {
        is_article_or_group(rest)
    }
}

impl Equivalences for NewsScheme {
    // "A message identifier may be distinguished from a newsgroup name by the presence of the
    // commercial at "@" character. No additional characters are reserved" (RFC 1738, 3.6).
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Path { if_ruled(self, reference, b";/?:&=") } else { AsciiSet::EMPTY }
    }

    // "/" is an ordinary character of identifiers.
    fn is_hierarchical(&self) -> bool {
        false
    }
}

impl super::Divide for NewsScheme {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        NewsUrl::read(reference, self).map(|url| url.fields())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl super::Planner for NewsScheme {
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        let transport = if self.is_secured { Transport::Tls } else { Transport::Tcp };
        NewsUrl::read(reference, self)?.plan(self.port, transport, options)
    }
}

/// Returns whether the text after "news:" is more than a word: all groups, an article, or a group
/// whose name has several parts in lower case.
fn is_article_or_group(rest: &[u8]) -> bool {
    let (letters, digits) = (u8::is_ascii_lowercase, u8::is_ascii_digit);
    let inside = |octet: &u8| letters(octet) || digits(octet) || b"+-_.".contains(octet);
    let name = &rest[..rest.iter().take_while(|octet| inside(octet)).count()];
    let mut parts = name.split(|octet| *octet == b'.');
    let is_group = parts.next().is_some_and(|part| part.len() > 1 && letters(&part[0]))
        && parts.next().is_some_and(|part| !part.is_empty());
    let is_all = matches!(rest, [b'*', after @ ..] if !after.first().is_some_and(u8::is_ascii_alphanumeric));
    is_all || is_group || is_addr_spec(rest)
}

/// A view of a news or snews URL as a server and a newsgroup or an article.
///
/// ```
/// use locator::scheme::{News, NewsUrl};
///
/// let url = NewsUrl::of(locator::uri_ref!("news:alt.hypertext")).unwrap();
/// assert!(
///     matches!(url.news, News::Group(group) if group.as_str() == "alt.hypertext")
/// );
/// let url = NewsUrl::of(locator::uri_ref!("news:first@test.invalid")).unwrap();
/// assert!(
///     matches!(url.news, News::Article(id) if id.as_str() == "first@test.invalid")
/// );
/// assert_eq!(NewsUrl::of(locator::uri_ref!("news:*")).unwrap().news, News::All);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewsUrl<'a> {
    url: UriRef<'a>,
    /// The server; `None` for the user's own server, as in the editions that have a rule for news.
    pub login: Option<Login<'a>>,
    /// The object that the URL identifies.
    pub news: News<'a>,
    /// The text of the object.
    rest: SpannedStr<'a>,
}

/// The object that a news URL identifies.
///
/// ```
/// use locator::scheme::{News, NewsUrl};
/// use locator::uri;
///
/// assert!(matches!(NewsUrl::try_from(uri!("news:*")).unwrap().news, News::All));
/// assert!(matches!(
///     NewsUrl::try_from(uri!("news:comp.lang.c")).unwrap().news,
///     News::Group(_)
/// ));
/// assert!(matches!(
///     NewsUrl::try_from(uri!("news:1@h.example")).unwrap().news,
///     News::Article(_)
/// ));
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News<'a> {
    /// All groups of the server: "*".
    All,
    /// The groups whose names match a pattern with "*".
    Groups(SpannedStr<'a>),
    /// A single group.
    Group(SpannedStr<'a>),
    /// An article by its identifier, without "<" and ">"; it contains an "@".
    Article(SpannedStr<'a>),
}

impl<'a> NewsUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, breaks the rule of its edition, or names nothing.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        match Self::read(reference, &NEWS) {
            Err(SyntaxError::OtherScheme) => Self::read(reference, &SNEWS),
            read => read,
        }
    }

    fn read(reference: UriRef<'a>, scheme: &dyn Scheme) -> Result<Self, SyntaxError> {
        let rest = scheme.specific(reference)?;
        let (login, rest) = match rest.strip_prefix("//") {
            None => (None, rest),
            // server = "//" authority "/"
            Some(_) => {
                let (login, rest) = Login::read(reference, scheme)?;
                (Some(login), rest.strip_prefix("/").unwrap_or(rest))
            }
        };
        let is_pattern = rest.decode().contains(&b'*');
        if !rest.decode().contains(&b'@') && rule_of(scheme, reference.edition()).is_none() {
            is_group(rest, "*").map_err(|span| SyntaxError::Form { span, form: scheme.form() })?;
        }
        let news = match rest.as_str() {
            "" if login.is_none() => {
                return Err(SyntaxError::Form { span: rest.place(), form: scheme.form() });
            }
            "" => News::All,
            _ if *rest.decode() == *b"*" => News::All,
            // An escaped "@" also makes an identifier: no group contains one.
            _ if rest.decode().contains(&b'@') => News::Article(rest),
            _ if is_pattern => News::Groups(rest),
            _ => News::Group(rest),
        };
        Ok(Self { url: reference, login, news, rest })
    }

    /// Returns whether the scheme is `snews`, whose connections use TLS.
    #[must_use]
    pub fn is_secured(&self) -> bool {
        self.url.scheme().is_some_and(|name| SNEWS.is_named(name.as_str()))
    }

    fn fields(&self) -> Vec<Field<'a>> {
        let fields = self.login.map_or_else(Fields::default, |login| login.fields());
        match self.news {
            News::All => fields.word("kind", "all"),
            News::Groups(pattern) => fields.word("kind", "groups").one("pattern", pattern),
            News::Group(group) => fields.word("kind", "group").one("group", group),
            News::Article(id) => fields.word("kind", "article").one("message_id", id),
        }
        .end()
    }
}

/// "No additional characters are reserved within the components of a news URL" (RFC 1738, 3.6).
const ARTICLE: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"@/"));

static PARTS: [Part; 3] = [
    // A URL of all groups has no pattern.
    Part::new("pattern", "/", GROUP_CHAR.union(AsciiSet::of(b"*"))).of(Shape::Whole).or("*"),
    Part::new("group", "/", GROUP_CHAR).of(Shape::Whole),
    Part::new("message_id", "/", ARTICLE).of(Shape::Whole),
];

builder! {
    /// A builder of news and snews URLs from a newsgroup or an article.
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator::scheme::{NewsParts, NewsUrl};
    ///
    /// let url = NewsParts::new("a%b/c@test.invalid").build_with(&RFC1738)?;
    /// assert_eq!(url, "news:a%25b/c@test.invalid");
    /// assert_eq!(
    ///     NewsUrl::try_from(&url)
    ///         .unwrap()
    ///         .parts()
    ///         .news("alt.x")
    ///         .build_with(&RFC1738)?,
    ///     "news:alt.x"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    NewsParts of NewsUrl, by [NEWS, SNEWS];

    /// Sets the server.
    login;
}

impl<'v> NewsParts<'v> {
    /// Creates a builder of the URL of a group, an article's identifier without "<" and ">", or "*"
    /// for all groups.
    pub fn new(news: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("news")).news(news)
    }

    /// Sets the group, the article's identifier, or "*".
    pub fn news(mut self, news: impl Into<Value<'v>>) -> Self {
        let news = news.into();
        let octets = match &news {
            Value::Encoded(text) => PctStr::checked(text).decode(),
            data => Cow::Borrowed(data.as_bytes()),
        };
        let part = match &*octets {
            octets if octets.contains(&b'@') => "message_id",
            octets if octets.contains(&b'*') => "pattern",
            _ => "group",
        };
        self.0.clear();
        self.0.set(part, Piece::One(news));
        self
    }

    /// Sets whether the scheme is `snews`.
    pub const fn secured(mut self, secured: bool) -> Self {
        self.0.set_scheme(if secured { "snews" } else { "news" });
        self
    }
}

const FORM: &str = "the form news:*, news:group or news:article@host";

static RULES: [SchemeRule; 3] = [
    SchemeRule { edition: &URL_1993, rule: &Rule::new("newsaddress", BNF_1993, FORM), check: check_1993 },
    SchemeRule { edition: &URL_1994, rule: &Rule::new("newsaddress", BNF_1994, FORM), check: check_1994 },
    SchemeRule { edition: &RFC1738, rule: &Rule::new("newsurl", "3.6", FORM), check: check_1738 },
];

// newsaddress = "news:" groupart; article = 1*xalpha "@" host    ; the last "@" divides
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    check_groupart(reader, take_group_1993, &ARTICLE_1993, reader.find_last(b'@'))
}

static ARTICLE_1993: Terminal = Terminal::new(
    url_1993::XALPHA,
    "article",
    BNF_1993,
    "letters, digits, escapes or any of $-_@.&!*\"'():;,, at least one",
);

// newsaddress = "news:" groupart; article = 1*xalpha "@" host    ; the last "@" divides
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    check_groupart(reader, take_group_1994, &ARTICLE_1994, reader.find_last(b'@'))
}

static ARTICLE_1994: Terminal = Terminal::new(
    url_1994::XALPHA,
    "article",
    BNF_1994,
    "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one",
);

// newsurl = "news:" grouppart
// article = 1*( uchar / ";" / "/" / "?" / ":" / "&" / "=" ) "@" host
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    check_groupart(reader, take_group_1738, &ARTICLE_1738, reader.find(b"@"))
}

static ARTICLE_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b";/?:&=")),
    "article",
    "3.6",
    "letters, digits, escapes or any of $-_.+!*'(),;/?:&=, at least one",
);

type TakeGroup = fn(&mut Reader<'_>, &[u8]) -> Result<(), ParseError>;

// groupart = "*" / group / article
fn check_groupart(
    reader: &mut Reader<'_>,
    take_group: TakeGroup,
    article: &'static Terminal,
    at: usize,
) -> Result<(), ParseError> {
    let end = reader.end();
    if at < end {
        reader.take_some_to(article, at)?;
        reader.expect("@")?;
        reader.take_host(end)?;
        return Ok(());
    }
    if reader.is_at_end() {
        return reader.expect("*");
    }
    if reader.skip("*") { Ok(()) } else { take_group(reader, b"") }
}

// group = ialpha-nodot *( "." name-part )
// ialpha-nodot = ALPHA *( ALPHA / DIGIT / "-" / "_" / "+" )
// name-part = 1*( ALPHA / DIGIT / "-" / "_" / "+" )
fn take_group_1993(reader: &mut Reader<'_>, stops: &[u8]) -> Result<(), ParseError> {
    let end = reader.find(stops);
    take_words(reader, end, &FIRST_1993, &WORD_1993)
}

static FIRST_1993: Terminal =
    Terminal::new(AsciiSet::ALPHA, "group", BNF_1993, "a letter at the beginning of a group");

static WORD_1993: Terminal = Terminal::new(
    WORD,
    "group",
    BNF_1993,
    "words of letters, digits, \"-\", \"_\" or \"+\", divided by \".\"",
);

// group = ialpha-name *( "." name-part )
// ialpha-name = ALPHA *( ALPHA / DIGIT / "-" / "_" / "+" )
// name-part = 1*( ALPHA / DIGIT / "-" / "_" / "+" )
fn take_group_1994(reader: &mut Reader<'_>, stops: &[u8]) -> Result<(), ParseError> {
    let end = reader.find(stops);
    take_words(reader, end, &FIRST_1994, &WORD_1994)
}

static FIRST_1994: Terminal =
    Terminal::new(AsciiSet::ALPHA, "group", BNF_1994, "a letter at the beginning of a group");

static WORD_1994: Terminal = Terminal::new(
    WORD,
    "group",
    BNF_1994,
    "words of letters, digits, \"-\", \"_\" or \"+\", divided by \".\"",
);

const WORD: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"-_+"));

/// Reads words up to an offset, divided by ".". No word is empty; the first begins with a letter.
fn take_words(
    reader: &mut Reader<'_>,
    end: usize,
    first: &'static Terminal,
    others: &'static Terminal,
) -> Result<(), ParseError> {
    reader.take_one(first)?;
    reader.take_to(others, end.min(reader.find(b".")))?;
    while reader.offset() < end && reader.skip(".") {
        reader.take_some_to(others, end.min(reader.find(b".")))?;
    }
    Ok(())
}

// group = ALPHA *( ALPHA / DIGIT / "-" / "." / "+" / "_" )
fn take_group_1738(reader: &mut Reader<'_>, stops: &[u8]) -> Result<(), ParseError> {
    let end = reader.find(stops);
    reader.take_one(&FIRST_1738)?;
    reader.take_to(&GROUP_1738, end)?;
    Ok(())
}

static FIRST_1738: Terminal =
    Terminal::new(AsciiSet::ALPHA, "group", "3.6", "a letter at the beginning of a group");

static GROUP_1738: Terminal = Terminal::new(
    WORD.union(AsciiSet::of(b".")),
    "group",
    "3.6",
    "a letter, then letters, digits, \"-\", \".\", \"+\" or \"_\"",
);

// group-char = ALPHA / DIGIT / "-" / "+" / "_" / "."
const GROUP_CHAR: AsciiSet = WORD.union(AsciiSet::of(b"."));

/// Checks a name by RFC 5538, section 2.2, in the editions that leave schemes to other documents.
/// Other characters must be escaped. The error is at the first octet that is not allowed and not in
/// `more`.
fn is_group(name: SpannedStr<'_>, more: &str) -> Result<(), Span> {
    let is_allowed = |octet: u8| GROUP_CHAR.contains(octet) || octet == b'%' || octet >= 0x80;
    let wrong =
        name.as_str().bytes().position(|octet| !is_allowed(octet) && !more.as_bytes().contains(&octet));
    let found = wrong.and_then(|index| name.split_at(index, 0)).and_then(|(_, rest)| rest.octets().next());
    found.map_or(Ok(()), |(_, span)| Err(span))
}
