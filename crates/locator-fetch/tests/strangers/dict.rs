//! `dict://host[:port]/d:word[:database[:1]]` and `dict://host[:port]/m:word[:database[:strategy]]`.
//! A user, whose login needs a digest of the greeting, and the n-th definition are not supported.

use locator::UriRef;
use locator::plan::{
    Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Options, Plan, PlanError, Prompt, Protocol,
    ReplyFraming, Step, Syntax, SyntaxError, Transport,
};
use locator::scheme::{AsciiSet, Equivalences, Login, Planner, Scheme, SpannedStr};

#[derive(Debug)]
pub(super) struct Dict;

/// The number of definitions that are read at most.
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

impl Planner for Dict {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let (login, rest) = Login::read_server(reference, self)?;
        let to = login.connection(2628, Transport::Tcp, &DICT)?;
        let greeting = Exchange::greeting().next(On::Code(220), Meaning::Ready);
        let client =
            Exchange::new(Line::new(&DICT, "CLIENT locator").end()).next(On::Code(250), Meaning::Done);
        let plan = Plan::with_session(vec![Step::Connect(to), greeting.into(), client.into()]);
        let parts: Vec<_> = rest.split(":").collect();
        match parts[..] {
            [command, word, ref more @ ..] if command.as_str() == "/d" && more.len() < 3 => {
                let line = Line::new(&DICT, "DEFINE ");
                let line = atom(line, "the database", more.first(), "!")?.word(" \"");
                let command = Exchange::new(quoted(line, word)?.end()).next(On::Code(150), Meaning::Follows);
                let plan = plan.then(command);
                match more.get(1) {
                    Some(number) if number.as_str() == "1" => {
                        Ok(plan.then_all([follows(151).into(), definition()]))
                    }
                    Some(number) => Err(PlanError::Value {
                        span: number.span().into(),
                        expects: "1, the first definition alone",
                        citation: "RFC 2229, 5",
                    }),
                    None => Ok(plan.then_all([follows(151).into(), definition(), more_definitions().into()])),
                }
            }
            [command, word, ref more @ ..] if command.as_str() == "/m" && more.len() < 3 => {
                let line = Line::new(&DICT, "MATCH ");
                let line = atom(line, "the database", more.first(), "!")?.word(" ");
                let line = atom(line, "the strategy", more.get(1), ".")?.word(" \"");
                let command = Exchange::new(quoted(line, word)?.end()).next(On::Code(152), Meaning::Follows);
                let matches = Object::new(ObjectKind::Text, "the words", Framing::Dot);
                let done = Exchange::greeting().next(On::Code(250), Meaning::Sent);
                Ok(plan.then(command).then(matches).then(done))
            }
            _ => Err(SyntaxError::Form { span: rest.span().into(), form: self.form() }.into()),
        }
    }
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

/// Writes a word after its quotation mark; without a word "the user is prompted for one".
fn quoted(line: Line, word: SpannedStr<'_>) -> Result<Line, PlanError> {
    let line = if word.is_empty() {
        line.answer(Prompt::Search)
    } else {
        line.with_escapes("the word", word, b'\\', AsciiSet::of(b"\"\\"))?
    };
    Ok(line.word("\""))
}

fn follows(code: u16) -> Exchange {
    Exchange::greeting().next(On::Code(code), Meaning::Follows)
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
    ],
};
