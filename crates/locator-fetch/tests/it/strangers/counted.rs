//! `counted://host[:port]/name`: an invented protocol like FTP, whose server may offer to say the checksum
//! of a file after it was sent. Its plan has what no plan of the library has: steps that are first taken
//! after a transfer. The dialogues are in `testdata/fetch/strangers`.

use locator::UriRef;
use locator::plan::{
    Case, Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Options, Plan, PlanError, Protocol,
    ReplyFraming, Step, Syntax, Then, Transfer, Transport,
};
use locator::scheme::{AsciiSet, Divide, Equivalences, Login, Planner, Scheme};

#[derive(Debug)]
pub(super) struct Counted;

impl Scheme for Counted {
    fn names(&self) -> &'static [&'static str] {
        &["counted"]
    }

    fn object(&self) -> &'static str {
        "a file"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "counted://host[:port]/name", citation: "no document" }
    }

    fn default_port(&self) -> Option<u16> {
        Some(21)
    }
}

impl Equivalences for Counted {}

impl Divide for Counted {}

impl Planner for Counted {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let (login, rest) = Login::read_server(reference, self)?;
        let name = rest.strip_prefix("/").unwrap_or(rest);
        let line =
            |command| Ok::<_, PlanError>(Line::new(&COUNTED, command).excerpt("the name", name)?.end());
        let greeting = Exchange::greeting().next(On::Code(220), Meaning::Ready);
        let to = login.connection(21, Transport::Tcp, &COUNTED)?;

        let retrieve = Exchange::new(line("RETR ")?).next(On::Code(150), Meaning::Follows);
        let object = Object::new(ObjectKind::Binary, "the file", Framing::DataConnection);
        let mut transfer = Transfer::new(retrieve, object);
        let sum = Exchange::new(line("SUM ")?).next(On::Code(213), Meaning::Done);
        let sum = sum.next(On::Code(500), Meaning::NotSupported);
        let sent = |code, then| Case { on: On::Code(code), means: Meaning::Sent, then };
        transfer.done = vec![sent(226, Then::First(vec![sum.into()])), sent(250, Then::Next)];

        let bye = Exchange::new(Line::new(&COUNTED, "BYE").end()).next(On::Code(221), Meaning::Done);
        Ok(Plan::with_session(vec![Step::Connect(to), greeting.into()]).then(transfer).then(bye))
    }
}

static COUNTED: Protocol = Protocol {
    name: "COUNTED",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "no document",
    replies: ReplyFraming::Lines,
    meanings: &[(On::Class(1), Meaning::Wait)],
};

#[test]
fn the_most_messages_include_those_after_a_transfer() {
    let plan = super::plan("counted://h/a").unwrap();
    // EPSV, PASV, RETR, SUM, BYE.
    assert_eq!(plan.most_sends(), 5, "{plan}");
}
