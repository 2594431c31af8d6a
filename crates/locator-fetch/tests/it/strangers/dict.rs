//! URLs of DICT (RFC 2229, 5), and what servers say about themselves as other programs write it:
//! `dict://host[:port]/d:word[:database[:n]]`, `…/m:word[:database[:strategy]]` and
//! `…/show:db`, `show:strat`, `show:server`, `show:info:database`.
//!
//! Not supported: a user, whose login needs a digest of the greeting, which no message of a plan contains;
//! and the n-th match, which is a line of one object, and no object of its own.

use locator::UriRef;
use locator::plan::{
    Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Options, Plan, PlanError, Prompt, Protocol,
    ReplyFraming, Step, Syntax, SyntaxError, Then, Transport, ValueError,
};
use locator::scheme::{AsciiSet, Divide, Equivalences, Login, Planner, Scheme, SpannedStr};

#[derive(Debug)]
pub(super) struct Dict;

/// The number of definitions that are read at most, also of those that are dropped.
const DEFINITIONS: usize = 16;

impl Scheme for Dict {
    fn names(&self) -> &'static [&'static str] {
        &["dict"]
    }

    fn object(&self) -> &'static str {
        "definitions of a word, or words that match"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "dict://host[:port]/d:word[:database[:n]]", citation: "RFC 2229, 5" }
    }

    fn default_port(&self) -> Option<u16> {
        Some(2628)
    }
}

impl Equivalences for Dict {
    fn is_hierarchical(&self) -> bool {
        false
    }
}

impl Divide for Dict {}

impl Planner for Dict {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let (login, rest) = Login::read_server(reference, self)?;
        let to = login.connection(2628, Transport::Tcp, &DICT)?;
        let greeting = Exchange::greeting().next(On::Code(220), Meaning::Ready);
        let client =
            Exchange::new(Line::new(&DICT, "CLIENT locator").end()).next(On::Code(250), Meaning::Done);
        let plan = Plan::with_session(vec![Step::Connect(to), greeting.into(), client.into()]);
        let parts: Vec<_> = rest.split(":").collect();
        let steps = match (parts[0].as_str(), &parts[1..]) {
            ("/d", &[word, ref more @ ..]) if more.len() < 3 => define(word, more)?,
            ("/m", &[word, ref more @ ..]) if more.len() < 4 => matching(word, more)?,
            ("/show", &[what, ref more @ ..]) if more.len() < 2 => show(what, more.first())?,
            _ => return Err(SyntaxError::Form { span: rest.span().into(), form: self.form() }.into()),
        };
        Ok(plan.then_all(steps))
    }
}

/// Asks for the definitions of a word, or for the n-th of them: those before it are dropped.
fn define(word: SpannedStr<'_>, more: &[SpannedStr<'_>]) -> Result<Vec<Step>, PlanError> {
    let line = atom(Line::new(&DICT, "DEFINE "), "the database", more.first(), "!")?.word(" ");
    let command = Exchange::new(with_word(line, word)?.end()).next(On::Code(150), Meaning::Follows);
    let mut steps: Vec<Step> = vec![command.into()];
    let Some(number) = number(more.get(1)) else {
        steps.extend([follows(151).into(), definition(), more_definitions().into()]);
        return Ok(steps);
    };
    let wrong = || not_a_number(number, "the number of a definition, from 1 to 16");
    let count = number.as_str().parse().ok().filter(|count| (1..=DEFINITIONS).contains(count));
    for _ in 1..count.ok_or_else(wrong)? {
        let dropped = Object::new(ObjectKind::Dropped, "another definition", Framing::Dot);
        steps.extend([one_more().into(), dropped.into()]);
    }
    steps.extend([one_more().into(), definition()]);
    Ok(steps)
}

/// Asks for the words that match.
fn matching(word: SpannedStr<'_>, more: &[SpannedStr<'_>]) -> Result<Vec<Step>, PlanError> {
    let line = atom(Line::new(&DICT, "MATCH "), "the database", more.first(), "!")?.word(" ");
    let line = atom(line, "the strategy", more.get(1), ".")?.word(" ");
    let command = Exchange::new(with_word(line, word)?.end()).next(On::Code(152), Meaning::Follows);
    match number(more.get(2)) {
        None => Ok(text(command, "the words")),
        Some(other) => Err(not_a_number(other, "no number: all matches")),
    }
}

/// Asks for the databases, the strategies, or what is known of a database or of the server.
fn show(what: SpannedStr<'_>, database: Option<&SpannedStr<'_>>) -> Result<Vec<Step>, PlanError> {
    let line = |command| Line::new(&DICT, command);
    let (line, code, description) = match (what.as_str(), database) {
        ("db", None) => (line("SHOW DB"), 110, "the databases"),
        ("strat", None) => (line("SHOW STRAT"), 111, "the strategies"),
        ("server", None) => (line("SHOW SERVER"), 114, "what is known of the server"),
        ("info", Some(_)) => {
            (atom(line("SHOW INFO "), "the database", database, "!")?, 112, "what is known of the database")
        }
        _ => {
            let form =
                Syntax { text: "show:db, show:strat, show:server or show:info:database", ..Dict.form() };
            return Err(SyntaxError::Form { span: what.span().into(), form }.into());
        }
    };
    Ok(text(Exchange::new(line.end()).next(On::Code(code), Meaning::Follows), description))
}

/// Sends a command, and reads one text and the reply that it was sent.
fn text(command: Exchange, description: &'static str) -> Vec<Step> {
    let text = Object::new(ObjectKind::Text, description, Framing::Dot);
    vec![command.into(), text.into(), Exchange::greeting().next(On::Code(250), Meaning::Sent).into()]
}

/// Returns the number of a definition or a match, if there is one.
fn number<'p, 'a>(part: Option<&'p SpannedStr<'a>>) -> Option<&'p SpannedStr<'a>> {
    part.filter(|part| !part.is_empty())
}

fn not_a_number(part: &SpannedStr<'_>, expects: &'static str) -> PlanError {
    ValueError::Unexpected { span: part.span().into(), expects, citation: "RFC 2229, 5" }.into()
}

/// Writes a database or a strategy, or the default where the URL has none.
fn atom(
    line: Line,
    place: &'static str,
    part: Option<&SpannedStr<'_>>,
    default: &'static str,
) -> Result<Line, PlanError> {
    match part.filter(|part| !part.is_empty()) {
        Some(&part) => line.excerpt_without(place, part, AsciiSet::of(b" \t\"'\\")),
        None => Ok(line.word(default)),
    }
}

/// Writes a word; without one "the user is prompted for one". A word is escaped and not quoted, since
/// dictd does not know escapes in quotation marks (RFC 2229, 2.2, allows either).
fn with_word(line: Line, word: SpannedStr<'_>) -> Result<Line, PlanError> {
    match word.is_empty() {
        true => Ok(line.word("\"").answer(Prompt::Search).word("\"")),
        false => line.with_escapes("the word", word, b'\\', AsciiSet::of(b" \t\"'\\")),
    }
}

fn follows(code: u16) -> Exchange {
    Exchange::greeting().next(On::Code(code), Meaning::Follows)
}

/// Waits for a definition; "250" says that there are no more.
fn one_more() -> Exchange {
    follows(151).on(On::Code(250), Meaning::Missing, Then::Fail)
}

fn definition() -> Step {
    Object::new(ObjectKind::Text, "a definition", Framing::Dot).into()
}

/// Reads the other definitions, up to the reply that all were sent.
fn more_definitions() -> Exchange {
    let end = || Exchange::greeting().next(On::Code(250), Meaning::Sent);
    (1..DEFINITIONS)
        .fold(end(), |rest, _| end().first(On::Code(151), Meaning::Follows, vec![definition(), rest.into()]))
}

static DICT: Protocol = Protocol {
    name: "DICT",
    delimiters: AsciiSet::of(b"\"\\"),
    line_end: b"\r\n",
    citation: "RFC 2229, 2.2",
    replies: ReplyFraming::Line,
    meanings: &[
        (On::Code(420), Meaning::Busy),
        (On::Code(421), Meaning::Busy),
        (On::Code(500), Meaning::NotSupported),
        (On::Code(501), Meaning::NotSupported),
        (On::Code(502), Meaning::NotSupported),
        (On::Code(503), Meaning::NotSupported),
        (On::Code(550), Meaning::Missing),
        (On::Code(551), Meaning::Missing),
        (On::Code(552), Meaning::Missing),
        (On::Code(554), Meaning::Missing),
        (On::Code(555), Meaning::Missing),
    ],
};
