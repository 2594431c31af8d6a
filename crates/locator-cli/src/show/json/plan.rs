//! The object of a plan, step by step, key by key in their order.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::Edition;
use locator::plan::{Action, Draft, LookUp, Message, MessagePiece, Plan, Question, Reply, Session, Step};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::ErrorObject;
use super::object::text_of;
use crate::failure::Failure;

/// One input, and its plan.
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
        let url = if let Failure::Behind { url, .. } = why { Some(url.as_str()) } else { None };
        Self { url, why: ErrorObject::why(why) }
    }
}

impl<'a> PlanObject<'a> {
    /// The plan of octets, or why there is none.
    pub(super) fn new(octets: &'a [u8], edition: &'a Edition, plan: &'a Result<Plan, Failure>) -> Self {
        let (input, input_base64) = text_of(octets);
        let steps = plan.as_ref().ok().map(|plan| plan.steps.iter().map(step).collect());
        let error = plan.as_ref().err().map(NoPlanObject::of);
        Self { input, input_base64, edition: edition.name, plan: steps, error }
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
        Action::Read { file } => ("read", json!({"file": octets(file)})),
        Action::Take { media_type, data } => {
            ("take", json!({"media_type": media_type, "data": octets(data)}))
        }
        Action::LookUp(LookUp { message_id, content_id }) => {
            let id = |id: &Option<Vec<u8>>| id.as_deref().map(octets);
            ("look-up", json!({"message_id": id(message_id), "content_id": id(content_id)}))
        }
        Action::Draft(written) => ("draft", draft(written)),
        Action::Start(Session { words, user, password }) => {
            let advice = |advice: &Option<Vec<u8>>| advice.as_deref().map(octets);
            ("start", json!({"words": words, "user": advice(user), "password": advice(password)}))
        }
        Action::GoOn { url } => ("go-on", json!({"url": url})),
        Action::GoOnWithAnswer { access } => ("go-on-with-answer", json!({"access": access})),
        Action::Again { steps, until } => ("again", json!({"steps": steps, "until": until})),
        Action::Remark(remark) => ("remark", json!({"text": remark})),
        _ => ("other", Value::Null),
    }
}

fn pieces(message: &Message) -> Vec<Value> {
    let piece = |piece: &MessagePiece| match piece {
        MessagePiece::Octets(known) => octets(known),
        MessagePiece::Answer(asked) => json!({"answer": asked.name()}),
    };
    message.pieces().iter().map(piece).collect()
}

fn reply(reply: &Reply) -> Value {
    json!({"code": reply.code, "means": reply.means})
}

fn question(question: &Question) -> Value {
    match question {
        Question::Password { user } => json!({"what": question.name(), "user": octets(user)}),
        _ => json!({"what": question.name()}),
    }
}

fn draft(draft: &Draft) -> Value {
    let all = |all: &[Vec<u8>]| all.iter().map(|one| octets(one)).collect::<Vec<_>>();
    let field = |(name, value): &(Vec<u8>, Vec<u8>)| json!({"name": octets(name), "value": octets(value)});
    json!({
        "to": all(&draft.to),
        "fields": draft.fields.iter().map(field).collect::<Vec<_>>(),
        "body": octets(&draft.body),
        "dropped": all(&draft.dropped),
    })
}

/// Octets as text, or in base64 where they are none.
fn octets(octets: &[u8]) -> Value {
    match std::str::from_utf8(octets) {
        Ok(text) => json!({"text": text}),
        Err(_) => json!({"base64": BASE64_STANDARD.encode(octets)}),
    }
}
