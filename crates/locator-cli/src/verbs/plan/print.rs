//! Prints a plan: as a dialogue in colour, which the library writes in printable ASCII, or as a
//! JSON object.

use std::borrow::Cow;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::Edition;
use locator::audit::Finding;
use locator::plan::{Action, Draft, LookUp, Message, MessagePiece, Plan, Prompt, Reply, Session, Step};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::output::Output;
use crate::show::json::{ErrorObject, FindingObject, text_of};
use crate::terminal::paint::{FAINT, STRONG};

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
    for line in plan.to_string().lines() {
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
    plan: Option<Vec<Value>>,
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
        let steps = plan.as_ref().ok().map(|plan| plan.steps.iter().map(step).collect());
        let error = plan.as_ref().err().map(NoPlanObject::of);
        Self { input, input_base64, edition: edition.name, plan: steps, error, findings: None }
    }

    /// Adds the findings of the URL.
    pub(super) fn with_findings(self, findings: &'a [Finding]) -> Self {
        Self { findings: FindingObject::all(findings), ..self }
    }
}

fn step(step: &Step) -> Value {
    let mut object = Map::new();
    let (name, action) = action(&step.action);
    object.insert("step".into(), name.into());
    if let Some(reply) = step.only_after {
        object.insert("only_after".into(), reply.into());
    }
    match action {
        Value::Object(rest) => object.extend(rest),
        Value::Null => {}
        other => {
            object.insert("value".into(), other);
        }
    }
    Value::Object(object)
}

/// The word for an action, and its keys.
fn action(action: &Action) -> (&'static str, Value) {
    match action {
        Action::Connect(to) => {
            ("connect", json!({"host": to.host, "port": to.port, "transport": to.transport.name()}))
        }
        Action::Secure { host } => ("secure", json!({"host": host})),
        Action::Send(message) => ("send", json!({"pieces": pieces(message)})),
        Action::Expect(replies) => {
            ("expect", json!({"replies": replies.iter().map(reply).collect::<Vec<_>>()}))
        }
        Action::Ask(asked) => ("ask", question(asked)),
        Action::OpenData => ("open-data", Value::Null),
        Action::Receive(object) => ("receive", json!({"what": object.what, "end": object.end.name()})),
        Action::Read { file } => ("read", json!({"file": text_or_base64(file)})),
        Action::InlineData { media_type, data } => {
            ("take", json!({"media_type": media_type, "data": text_or_base64(data)}))
        }
        Action::LookUp(LookUp { message_id, content_id }) => {
            let id = |id: &Option<Vec<u8>>| id.as_deref().map(text_or_base64);
            ("look-up", json!({"message_id": id(message_id), "content_id": id(content_id)}))
        }
        Action::Draft(written) => ("draft", draft(written)),
        Action::Start(Session { words, user, password }) => {
            let advice = |advice: &Option<Vec<u8>>| advice.as_deref().map(text_or_base64);
            ("start", json!({"words": words, "user": advice(user), "password": advice(password)}))
        }
        Action::Redirect { url } => ("go-on", json!({"url": url})),
        Action::RedirectWithInput { access } => ("go-on-with-answer", json!({"access": access})),
        Action::Repeat { steps, until } => ("again", json!({"steps": steps, "until": until})),
        Action::Remark(remark) => ("remark", json!({"text": remark})),
        _ => ("other", Value::Null),
    }
}

fn pieces(message: &Message) -> Vec<Value> {
    let piece = |piece: &MessagePiece| match piece {
        MessagePiece::Bytes(known) => text_or_base64(known),
        MessagePiece::Answer(asked) => json!({"answer": asked.name()}),
    };
    message.pieces().iter().map(piece).collect()
}

fn reply(reply: &Reply) -> Value {
    json!({"code": reply.code, "means": reply.means})
}

fn question(question: &Prompt) -> Value {
    match question {
        Prompt::Password { user } => json!({"what": question.name(), "user": text_or_base64(user)}),
        _ => json!({"what": question.name()}),
    }
}

fn draft(draft: &Draft) -> Value {
    let all = |all: &[Vec<u8>]| all.iter().map(|one| text_or_base64(one)).collect::<Vec<_>>();
    let field = |(name, value): &(Vec<u8>, Vec<u8>)| json!({"name": text_or_base64(name), "value": text_or_base64(value)});
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
