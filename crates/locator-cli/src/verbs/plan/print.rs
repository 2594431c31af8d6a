//! Prints a plan: as a dialogue in colour, which the library writes in printable ASCII, or as a
//! JSON object.

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::Edition;
use locator::audit::Finding;
use locator::plan::{
    Case, Connection, Credentials, DataPort, Draft, Exchange, Local, LookUp, Meaning, Message, MessagePiece,
    Next, Note, Object, On, Plan, Prompt, Protocol, ReplyFraming, Secret, Session, Step,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::Output;
use crate::show::json::{ErrorObject, FindingObject, text_of};
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::secrets;

/// Writes the bytes to send. On a terminal, bytes that are not printable ASCII are written by code,
/// and each line of the protocol on its own line.
pub(super) fn octets(out: &mut Output, octets: &[u8]) -> io::Result<()> {
    if !out.is_terminal {
        return out.write_all(octets);
    }
    for &octet in octets {
        match octet {
            b' '..=b'~' => out.write_all(&[octet])?,
            b'\n' => writeln!(out, "<0A>")?,
            octet => write!(out, "<{octet:02X}>")?,
        }
    }
    match octets.last() {
        None | Some(b'\n') => Ok(()),
        Some(_) => writeln!(out),
    }
}

/// Writes a plan.
pub(super) fn write(out: &mut Output, plan: &Plan) -> io::Result<()> {
    let paint = out.paint;
    let dialogue = if secrets::are_shown() { format!("{plan:#}") } else { plan.to_string() };
    for line in dialogue.lines() {
        if let Some(said) = line.trim_start().strip_prefix("C: ") {
            let indentation = line.len() - line.trim_start().len();
            writeln!(out, "{:indentation$}{}{}", "", paint.with(FAINT, "C: "), paint.with(STRONG, said))?;
        } else if line.starts_with(' ') {
            writeln!(out, "{}", paint.with(FAINT, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// One input, and its plan: the keys in their order.
#[derive(Serialize)]
pub(super) struct PlanObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_base64: Option<String>,
    edition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<NoPlanObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<FindingObject<'a>>>,
}

/// Why there is no plan.
#[derive(Serialize)]
struct NoPlanObject<'a> {
    /// The URL whose octets it is about, if a gateway gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(flatten)]
    why: ErrorObject<'a>,
}

impl<'a> NoPlanObject<'a> {
    fn of(why: &'a Failure) -> Self {
        let url = if let Failure::Gateway { url, .. } = why { Some(url.as_str()) } else { None };
        Self { url, why: ErrorObject::why(why) }
    }
}

impl<'a> PlanObject<'a> {
    /// The object of an input and its plan, or of an error.
    pub(super) fn new(octets: &'a [u8], edition: &'a Edition, plan: &'a Result<Plan, Failure>) -> Self {
        let (input, input_base64) = text_of(octets);
        let object = plan.as_ref().ok().map(plan_object);
        let error = plan.as_ref().err().map(NoPlanObject::of);
        Self { input, input_base64, edition: edition.name, plan: object, error, findings: None }
    }

    /// Adds the findings of the URL.
    pub(super) fn with_findings(self, findings: &'a [Finding]) -> Self {
        Self { findings: FindingObject::all(findings), ..self }
    }
}

fn plan_object(plan: &Plan) -> Value {
    json!({"notes": plan.notes.iter().map(note_object).collect::<Vec<_>>(), "session": steps(&plan.session), "work": steps(&plan.work), "most_sends": plan.most_sends()})
}

fn steps(steps: &[Step]) -> Vec<Value> {
    steps.iter().map(step).collect()
}

/// A step: its name, and its keys.
fn step(step: &Step) -> Value {
    let keys = match step {
        Step::Connect(to) => connection(to),
        Step::Secure { host } => json!({"host": host}),
        Step::Exchange(one) => exchange(one),
        Step::Receive(read) => json!({"object": received(read)}),
        Step::Transfer(transfer) => json!({
            "ports": transfer.ports.iter().copied().map(data_port).collect::<Vec<_>>(),
            "command": exchange(&transfer.command),
            "object": received(&transfer.object),
            "done": cases(&transfer.done),
        }),
        Step::Slices(slices) => json!({
            "send": pieces(&slices.packet),
            "slice": slices.slice,
            "length": slices.length,
            "object": received(&slices.object),
        }),
        Step::Request(request) => json!({
            "head": pieces(&request.head),
            "login": request.login.as_ref().map(credentials),
            "object": received(&request.object),
        }),
        Step::GoOn(Next::Url(url)) => json!({"url": url}),
        Step::GoOn(Next::AccessMethod { wanted }) => {
            json!({"access_method": wanted.iter().map(|(name, value)| pair(name, value)).collect::<Vec<_>>()})
        }
        Step::Local(one) => local(one),
        _ => json!({}),
    };
    named("step", step.name(), keys)
}

/// Returns an object with a name as its first key.
fn named(key: &str, name: &str, keys: Value) -> Value {
    let mut object = Map::new();
    object.insert(key.into(), name.into());
    if let Value::Object(keys) = keys {
        object.extend(keys);
    }
    Value::Object(object)
}

fn connection(to: &Connection) -> Value {
    json!({"host": to.host, "port": to.port, "transport": to.transport.name(), "protocol": protocol(to.protocol)})
}

/// A protocol, with what its replies mean that no case lists: those of its table, and the failures
/// that its table does not contain, by their first digit.
fn protocol(protocol: &Protocol) -> Value {
    let has_codes = matches!(protocol.replies, ReplyFraming::Line | ReplyFraming::Lines | ReplyFraming::Head);
    let others = [4, 5].map(|digit| (On::Class(digit), Meaning::of_class(digit)));
    let is_new = |(on, _): &&(On, Meaning)| has_codes && protocol.meanings.iter().all(|(own, _)| own != on);
    let meanings = protocol.meanings.iter().chain(others.iter().filter(is_new));
    json!({
        "name": protocol.name,
        "replies": protocol.replies.name(),
        "meanings": meanings.map(|(on, means)| json!({"on": replies(on), "means": means.name()})).collect::<Vec<_>>(),
    })
}

fn data_port(port: DataPort) -> Value {
    json!({"name": port.name(), "send": pieces(&port.message()), "code": port.code()})
}

fn exchange(exchange: &Exchange) -> Value {
    json!({"send": pieces(&exchange.send), "cases": cases(&exchange.cases)})
}

fn cases(cases: &[Case]) -> Vec<Value> {
    cases.iter().map(case).collect()
}

fn case(case: &Case) -> Value {
    let mut object = json!({"on": replies(&case.on), "means": case.means.name(), "then": case.then.name()});
    if !case.then.steps().is_empty() {
        object["steps"] = steps(case.then.steps()).into();
    }
    object
}

/// The replies of a case: a code, a code and a word, or a first digit.
fn replies(on: &On) -> Value {
    match on {
        On::Code(code) => json!({"code": code}),
        On::Word(code, word) => json!({"code": code, "word": word}),
        On::Class(digit) => json!({"class": digit}),
        _ => Value::Null,
    }
}

fn received(object: &Object) -> Value {
    json!({
        "kind": object.kind.name(),
        "description": object.name,
        "media_type": object.media_type,
        "end": object.end.name(),
    })
}

fn pieces(message: &Message) -> Vec<Value> {
    let piece = |piece: &MessagePiece| match piece {
        MessagePiece::Bytes(known) => text_or_base64(known),
        MessagePiece::Secret(one) => secret(one),
        MessagePiece::Answer(asked) => {
            let forbidden: String =
                (0..128).filter(|&octet| !message.allows(asked, octet)).map(char::from).collect();
            let mut object = prompt(asked);
            object["forbidden"] = forbidden.into();
            object
        }
        MessagePiece::Fresh(fresh) => json!({"fresh": fresh.name(), "width": fresh.width()}),
        _ => Value::Null,
    };
    message.pieces().iter().map(piece).collect()
}

fn prompt(prompt: &Prompt) -> Value {
    match prompt {
        Prompt::Password { user } => json!({"prompt": prompt.name(), "user": text_or_base64(user)}),
        _ => json!({"prompt": prompt.name()}),
    }
}

/// A secret: its octets if they are to be shown, else null.
fn secret(secret: &Secret) -> Value {
    json!({"secret": secrets::are_shown().then(|| text_or_base64(secret.reveal()))})
}

fn credentials(login: &Credentials) -> Value {
    let password = login.password.as_ref().map_or_else(|| json!({"prompt": "password"}), secret);
    json!({"user": secret(&login.user), "password": password})
}

fn local(local: &Local) -> Value {
    let (what, keys) = match local {
        Local::File { file } => ("file", json!({"file": text_or_base64(file)})),
        Local::Data { media_type, data } => {
            ("data", json!({"media_type": media_type, "data": text_or_base64(data)}))
        }
        Local::LookUp(LookUp { message_id, content_id }) => {
            let id = |id: &Option<Vec<u8>>| id.as_deref().map(text_or_base64);
            ("look-up", json!({"message_id": id(message_id), "content_id": id(content_id)}))
        }
        Local::Draft(written) => ("draft", draft(written)),
        Local::Start(Session { words, user, password }) => {
            let user = user.as_deref().map(text_or_base64);
            ("start", json!({"words": words, "user": user, "password": password.as_ref().map(secret)}))
        }
        _ => ("other", json!({})),
    };
    named("what", what, keys)
}

fn note_object(note: &Note) -> Value {
    let fields: Map<_, _> =
        note.fields.iter().map(|(name, value)| (name.to_string(), value.as_str().into())).collect();
    json!({"code": note.code, "text": note.text, "fields": fields})
}

fn pair(name: &[u8], value: &[u8]) -> Value {
    json!({"name": text_or_base64(name), "value": text_or_base64(value)})
}

fn draft(draft: &Draft) -> Value {
    let all = |all: &[Vec<u8>]| all.iter().map(|one| text_or_base64(one)).collect::<Vec<_>>();
    let field = |(name, value): &(Vec<u8>, Vec<u8>)| pair(name, value);
    json!({
        "to": all(&draft.to),
        "fields": draft.fields.iter().map(field).collect::<Vec<_>>(),
        "body": text_or_base64(&draft.body),
        "dropped": all(&draft.dropped),
    })
}

/// Returns bytes as text, or in base64 if they are not UTF-8.
fn text_or_base64(octets: &[u8]) -> Value {
    match std::str::from_utf8(octets) {
        Ok(text) => json!({"text": text}),
        Err(_) => json!({"base64": BASE64_STANDARD.encode(octets)}),
    }
}
