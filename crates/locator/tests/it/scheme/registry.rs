//! A scheme of a program's own, as a program has it: registered, read, planned, and no other's
//! business.

use locator::edition::{RFC3986, Rule};
use locator::plan::{
    Connection, Exchange, Framing, Gateway, Line, Object, ObjectKind, Options, Plan, PlanError, Protocol,
    ReplyFraming, Step, Syntax, SyntaxError, Transport,
};
use locator::scheme::{
    self, Divide, Equivalences, Field, Fields, Planner, Reader, Registry, Scheme, SchemeRule, Terminal,
};
use locator::{AsciiSet, Component, Ladder, Level, NormalizedKey, ParseError, Rung, UriRef, uri_ref};
use std::borrow::Cow;

/// `echo://host/text`, whose server answers a line with itself (RFC 862).
#[derive(Debug)]
struct Echo;

impl Scheme for Echo {
    fn names(&self) -> &'static [&'static str] {
        &["echo"]
    }

    fn object(&self) -> &'static str {
        "what was said"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "echo://host/text", citation: "RFC 862" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(7)
    }
}

impl Equivalences for Echo {
    /// A "." segment is an ordinary one.
    fn is_hierarchical(&self) -> bool {
        false
    }

    /// The path is case-insensitive.
    fn normal_path<'a>(&self, path: &'a str, _: UriRef<'_>) -> Cow<'a, str> {
        path.to_ascii_lowercase().into()
    }

    fn is_compared(&self, part: Component, _: UriRef<'_>) -> bool {
        part != Component::Query
    }
}

impl Divide for Echo {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        self.specific(reference)?;
        Ok(Fields::default().maybe("host", reference.spanned(Component::Host)).end())
    }
}

impl Planner for Echo {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let rest = self.specific(reference)?;
        let malformed = SyntaxError::Form { span: rest.span().into(), form: self.form() };
        let (host, text) = rest.strip_prefix("//").and_then(|rest| rest.split_once("/")).ok_or(malformed)?;
        let to = Connection::new(host.to_string(), 7, Transport::Tcp, &ECHO);
        let line = Line::new(&ECHO, "").excerpt("the text", text)?;
        let plan = Plan::with_session(vec![Step::Connect(to)]).then(Exchange::new(line.end()));
        Ok(plan.then(Object::new(ObjectKind::Text, "the line", Framing::Answer)))
    }
}

static RULES: [SchemeRule; 1] = [SchemeRule { edition: &RFC3986, rule: &RULE, check }];
static RULE: Rule = Rule { name: "echo-url", section: "RFC 862", expects: "the form echo://host/text" };

fn check(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take(&TEXT, b"")?;
    Ok(())
}

static TEXT: Terminal = Terminal::new(
    AsciiSet::ALPHA.union(AsciiSet::DIGIT).union(AsciiSet::of(b"%.?/!")),
    "text",
    "RFC 862",
    "letters, digits, escapes or any of .?/!",
);

static ECHO: Protocol = Protocol {
    name: "echo",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 862",
    replies: ReplyFraming::None,
    meanings: &[],
};

fn plan(registry: &Registry<'_>, text: &str) -> Result<String, String> {
    let reference = UriRef::parse_with(text, &RFC3986).expect(text);
    match registry.plan(reference, &Options::default()) {
        Ok(plan) => Ok(plan.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn a_scheme_of_ones_own() {
    let mut registry = Registry::new();
    assert!(plan(&registry, "echo://h/a").unwrap_err().starts_with("the scheme is not known"));
    registry.register_planner(&Echo).unwrap();
    assert_eq!(registry.register_planner(&Echo).unwrap_err().name(), "echo");
    assert_eq!(
        plan(&registry, "ECHO://h/a%20b").unwrap(),
        "connect to h, port 7 (tcp)\n  C: a b\nread the line in one answer\n"
    );
    let refused = plan(&registry, "echo://h/a%0Ab").unwrap_err();
    assert_eq!(
        refused,
        "LF is not allowed in the text: echo would misread the text after it, at byte 10 (RFC 862)"
    );
    assert_eq!(registry.fields(uri_ref!("echo://h/a")).unwrap().unwrap().len(), 1);
    assert!(registry.schemes().count() == scheme::ALL.len() + 1 && scheme::lookup("echo").is_none());
}

#[test]
fn a_gateway_to_a_scheme_of_ones_own() {
    let mut registry = Registry::new();
    registry.register_planner(&Echo).unwrap();
    registry.map(Gateway::new("say", "echo://h/{rest}").unwrap());
    registry.map(Gateway::new("cry", "say:{rest}!").unwrap());
    let both = plan(&registry, "cry:a").unwrap();
    assert!(both.starts_with("(by a gateway: say:a!)\n(by a gateway: echo://h/a!)\nconnect to h"), "{both}");
    for template in ["say:x", "a/b", "http://h/{", "http://h/}", "http://h/{what}"] {
        assert!(Gateway::new("say", template).is_err(), "{template}");
    }
}

#[test]
fn equivalences_of_ones_own() {
    let mut registry = Registry::new();
    registry.register_planner(&Echo).unwrap();
    let (short, long) = (uri_ref!("ECHO://h/A?b"), uri_ref!("echo://h:7/./a?c"));
    let normal =
        |reference: UriRef<'static>| reference.normalize_with(Level::Scheme, &registry).into_string();
    assert_eq!((normal(short).as_str(), normal(long).as_str()), ("echo://h/a?b", "echo://h/./a?c"));
    assert!(long.normalize(Level::Scheme) == "echo://h:7/a?c", "nobody else knows it");
    let found = Ladder::new().with_schemes(&registry).compare(short, long).unwrap();
    assert_eq!(found.rung, None);
    let found = Ladder::new().with_schemes(&registry).compare(short, uri_ref!("echo://h:7/a?c")).unwrap();
    assert_eq!(found.rung, Some(Rung::Scheme));
    assert_eq!(locator::compare(short, uri_ref!("echo://h:7/a?c")).unwrap().rung, None);
    let keys =
        [short, uri_ref!("echo://h:7/a?b")].map(|one| NormalizedKey::with(one, Level::Scheme, &registry));
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn a_rule_of_ones_own() {
    let mut registry = Registry::new();
    registry.register_planner(&Echo).unwrap();
    let read = |text| UriRef::parse_with(text, &RFC3986).unwrap();
    assert_eq!(registry.check(read("echo://h/a")), Some(Ok(())));
    let error = registry.check(read("echo:/h")).unwrap().unwrap_err();
    assert_eq!((error.rule().name, error.span().start), ("echo-url", 6));
    assert!(plan(&registry, "echo:/h").unwrap_err().starts_with("expected the form echo://host/text"));
    assert_eq!(registry.check(read("x:a")), None);
}

/// The same scheme under an experimental name.
#[derive(Debug)]
struct Experiment;

impl Scheme for Experiment {
    fn names(&self) -> &'static [&'static str] {
        &["x-echo"]
    }

    fn object(&self) -> &'static str {
        Echo.object()
    }

    fn form(&self) -> Syntax {
        Echo.form()
    }

    fn default_port(&self) -> Option<u16> {
        Some(7007)
    }
}

impl Equivalences for Experiment {
    fn is_hierarchical(&self) -> bool {
        false
    }
}

impl Divide for Experiment {}

impl Planner for Experiment {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        let host = reference.host().map(|host| host.to_string()).unwrap_or_default();
        let to = Connection::new(host, 7007, Transport::Tcp, &ECHO);
        Ok(Plan::with_session(vec![Step::Connect(to)]))
    }
}

/// A program registers an experimental name.
#[test]
fn an_experimental_name_is_registered() {
    let url = uri_ref!("X-Echo://h:7007/./a");
    let mut registry = Registry::new();
    let error = registry.plan(url, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("register the scheme"), "{error}");
    assert_eq!(registry.lookup("x-echo").unwrap().names(), ["x-…"]);

    registry.register_planner(&Experiment).unwrap();
    assert_eq!(registry.lookup("X-ECHO").unwrap().names(), ["x-echo"]);
    assert_eq!(registry.lookup("x-other").unwrap().names(), ["x-…"]);
    assert_eq!(registry.default_port("x-echo"), Some(7007));
    assert!(registry.plan(url, &Options::default()).unwrap().to_string().contains("connect to h"));
    assert_eq!(url.normalize_with(Level::Scheme, &registry).as_str(), "x-echo://h/./a");
    assert_eq!(registry.register(&Experiment).unwrap_err().name(), "x-echo");
}
