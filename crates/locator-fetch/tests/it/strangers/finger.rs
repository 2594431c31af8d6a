//! `finger://host[:port][/request]`.

use locator::plan::{
    Exchange, Framing, Line, Object, ObjectKind, Options, Plan, PlanError, Protocol, ReplyFraming, Step,
    Syntax, SyntaxError, Transport,
};
use locator::scheme::{AsciiSet, Divide, Equivalences, Login, Planner, Scheme};
use locator::{Component, UriRef};

#[derive(Debug)]
pub(super) struct Finger;

impl Scheme for Finger {
    fn names(&self) -> &'static [&'static str] {
        &["finger"]
    }

    fn object(&self) -> &'static str {
        "what a host says about a user"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "finger://host[:port][/request]", citation: "draft-ietf-uri-url-finger" }
    }

    fn default_port(&self) -> Option<u16> {
        Some(79)
    }
}

impl Equivalences for Finger {
    fn is_hierarchical(&self) -> bool {
        false
    }
}

impl Divide for Finger {}

impl Planner for Finger {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let (login, rest) = Login::read_server(reference, self)?;
        if let Some(query) = reference.spanned(Component::Query) {
            return Err(SyntaxError::Form { span: query.span().into(), form: self.form() }.into());
        }
        let request = rest.strip_prefix("/").unwrap_or(rest);
        let line = Line::new(&FINGER, "").excerpt("the request", request)?;
        let to = login.connection(79, Transport::Tcp, &FINGER)?;
        let object = Object::new(ObjectKind::Text, "the answer", Framing::Connection);
        Ok(Plan::with_session(vec![Step::Connect(to)]).then(Exchange::new(line.end())).then(object))
    }
}

static FINGER: Protocol = Protocol {
    name: "Finger",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 1288, 2.3",
    replies: ReplyFraming::None,
    meanings: &[],
};
