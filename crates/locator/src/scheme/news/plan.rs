//! The plans of news and nntp URLs: takes a URL, returns the commands that fetch an article, a group
//! or the list of groups. Follows RFC 3977 (NNTP) and RFC 4643 (logins).

use alloc::vec;
use alloc::vec::Vec;

use super::nntp::NntpUrl;
use super::{News, NewsUrl};
use crate::component::SpannedStr;
use crate::plan::{
    Connection, Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Options, Plan, PlanError, Prompt,
    Protocol, ReplyFraming, Step, Then, Transport,
};
use crate::scheme::syntax::login::{Login, configured};
use crate::simd::AsciiSet;

impl NewsUrl<'_> {
    /// "The assumption is that the reader will fetch the article or group from his or her local
    /// news host" (draft of 1994), if the URL names none.
    pub(super) fn plan(
        &self,
        port: u16,
        transport: Transport,
        options: &Options<'_>,
    ) -> Result<Plan, PlanError> {
        let to = match (self.login, options.news_server) {
            (Some(login), _) => login.connection(port, transport, &NNTP)?,
            (None, Some(server)) => {
                let host = configured("news_server", server)?;
                Connection::new(host, server.port.unwrap_or(port), transport, &NNTP)
            }
            (None, None) => {
                return Err(PlanError::NotConfigured { what: "a news server", option: "news_server" });
            }
        };
        let plan = session(to, self.login.as_ref())?;
        match self.news {
            News::All => groups(plan, None),
            News::Groups(pattern) => groups(plan, Some(pattern)),
            News::Group(group) => articles(plan, group, options),
            News::Article(id) => article(plan, id),
        }
    }
}

impl NntpUrl<'_> {
    /// Fetches an article by its number in a group, or the numbers of the articles of the group.
    pub(super) fn plan(&self, options: &Options<'_>) -> Result<Plan, PlanError> {
        let plan = session(self.login.connection(119, Transport::Tcp, &NNTP)?, Some(&self.login))?;
        match self.number {
            Some(number) => numbered(plan, self.group, number),
            None => articles(plan, self.group, options),
        }
    }
}

/// Connects, and logs in if the URL contains a user (RFC 4643, 2.3).
fn session(to: Connection, login: Option<&Login<'_>>) -> Result<Plan, PlanError> {
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
fn article(plan: Plan, message_id: SpannedStr<'_>) -> Result<Plan, PlanError> {
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

/// Lists the articles of a group: by numbers, or with subjects, authors and dates.
fn articles(plan: Plan, group: SpannedStr<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
    let plan = choose(plan, group)?;
    Ok(plan.then_all(if options.overview { overview() } else { numbers() }))
}

fn numbers() -> Vec<Step> {
    let command = Exchange::new(Line::new(&NNTP, "LISTGROUP").end());
    let object = Object::new(ObjectKind::Numbers, "the articles' numbers", Framing::Dot);
    vec![command.next(On::Code(211), Meaning::Follows).into(), object.into()]
}

/// "OVER", which older servers know as "XOVER" (RFC 2980, 2.8). A server with neither lists numbers, as
/// does one that has no article: "423 No articles in that range" (RFC 3977, 8.3.1).
fn overview() -> Vec<Step> {
    let steps = |word: &'static str, others: Vec<Step>| {
        let command = Exchange::new(Line::new(&NNTP, word).end()).next(On::Code(224), Meaning::Follows);
        let command = command.on(On::Class(5), Meaning::NotSupported, Then::Instead(others));
        let command = [420, 423].into_iter().fold(command, |command, code| {
            command.on(On::Code(code), Meaning::Empty, Then::Instead(numbers()))
        });
        let object = Object::new(ObjectKind::Overview, "the overview of the articles", Framing::Dot);
        vec![command.into(), object.into()]
    };
    steps("OVER 1-", steps("XOVER 1-", numbers()))
}

/// Fetches the groups whose names match a pattern; all of them without a pattern.
fn groups(plan: Plan, pattern: Option<SpannedStr<'_>>) -> Result<Plan, PlanError> {
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
static NNTP: Protocol = Protocol {
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
