//! A plan as JSON, for programs that carry it out: the object that `locator plan --json` prints, which `spec/plan.md`
//! defines.
//!
//! ```
//! use locator::UriRef;
//! use locator::plan::{Options, plan};
//! use locator_web::report::plan_object;
//!
//! // What is sent to a server of gopher, and what is not shown of a login of ftp.
//! let plan = |url| plan(UriRef::parse(url).unwrap(), &Options::new()).unwrap();
//! let object = plan_object(&plan("gopher://h/0a"), false);
//! assert_eq!(object["session"][0]["host"], "h");
//! let object = plan_object(&plan("ftp://joe:secret@h/a"), false);
//! assert!(!object.to_string().contains("c2VjcmV0") && !object.to_string().contains("\"secret\":{"));
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::plan::{
    Case, Connection, Credentials, DataPort, Draft, Exchange, HttpOrigin, Local, LookUp, Meaning, Message,
    MessagePiece, Next, Note, Object, On, Plan, Prompt, Protocol, ReplyFraming, Request, RequestValue,
    Secret, Session, Step, Transfer,
};
use serde_json::{Map, Value, json};

/// Returns a plan as JSON. A secret is null unless secrets are shown. Keys are in the order of `spec/plan.md` if the
/// feature `preserve_order` of `serde_json` is on.
#[must_use]
pub fn plan_object(plan: &Plan, shows_secrets: bool) -> Value {
    Writer { shows_secrets }.plan(plan)
}

/// What is written of plans.
struct Writer {
    shows_secrets: bool,
}

impl Writer {
    fn plan(&self, plan: &Plan) -> Value {
        json!({"notes": plan.notes.iter().map(|note| self.note(note)).collect::<Vec<_>>(), "session": self.steps(&plan.session), "work": self.steps(&plan.work), "most_sends": plan.most_sends()})
    }

    fn note(&self, note: &Note) -> Value {
        let exact = |name| note.exact_field(name).filter(|_| self.shows_secrets);
        let fields = note.fields.iter();
        let fields: Map<_, _> =
            fields.map(|(name, value)| (name.to_string(), exact(name).unwrap_or(value).into())).collect();
        let text = if self.shows_secrets { note.exact_text() } else { note.text.to_string() };
        json!({"code": note.code, "text": text, "fields": fields})
    }

    fn steps(&self, steps: &[Step]) -> Vec<Value> {
        steps.iter().map(|one| self.step(one)).collect()
    }

    /// A step: its name, and its keys.
    fn step(&self, step: &Step) -> Value {
        let keys = match step {
            Step::Connect(to) => connection(to),
            Step::Secure { host } => json!({"host": host}),
            Step::Exchange(one) => self.exchange(one),
            Step::Receive(read) => json!({"object": received(read)}),
            Step::Transfer(transfer) => self.transfer(transfer),
            Step::Slices(slices) => json!({
                "send": self.pieces(&slices.packet),
                "slice": slices.slice,
                "length": slices.length,
                "identifier": text_or_base64(&slices.identifier),
                "object": received(&slices.object),
            }),
            Step::Request(request) => json!({
                "method": request.method(),
                "target": self.value(request, request.target()),
                "fields": request.fields().iter().map(|field| json!({"name": field.name(), "value": self.value(request, field.value())})).collect::<Vec<_>>(),
                "start": request.first_octet(),
                "head": self.pieces(request.head()),
                "login": request.credentials().map(|one| self.credentials(one)),
                "object": received(request.object()),
            }),
            Step::GoOn(Next::Url(url)) => json!({"url": url}),
            Step::GoOn(Next::AccessMethod { name, wanted, contents, list }) => json!({
                "access_method": wanted.iter().map(|(name, value)| pair(name, value)).collect::<Vec<_>>(),
                "name": text_or_base64(name),
                "contents": self.steps(contents),
                "list": self.steps(list),
            }),
            Step::Local(one) => self.local(one),
            _ => json!({}),
        };
        named("step", step.name(), keys)
    }

    /// A transfer; it has the key "restart" only if it leaves out the first octets, and "length" only if
    /// not all of the others are wanted.
    fn transfer(&self, transfer: &Transfer) -> Value {
        let ports = transfer.ports.iter().copied().map(|one| self.data_port(one));
        let mut object = json!({"ports": ports.collect::<Vec<_>>()});
        if let Some(restart) = &transfer.restart {
            let Exchange { send, cases, .. } = &restart.exchange;
            object["restart"] =
                json!({"start": restart.start, "send": self.pieces(send), "cases": self.cases(cases)});
        }
        object["command"] = self.exchange(&transfer.command);
        if let Some(length) = transfer.length {
            object["length"] = length.into();
        }
        object["object"] = received(&transfer.object);
        object["done"] = self.cases(&transfer.done).into();
        object
    }

    fn data_port(&self, port: DataPort) -> Value {
        json!({"name": port.name(), "send": self.pieces(&port.message()), "code": port.code()})
    }

    fn exchange(&self, exchange: &Exchange) -> Value {
        json!({"send": self.pieces(&exchange.send), "cases": self.cases(&exchange.cases)})
    }

    fn cases(&self, cases: &[Case]) -> Vec<Value> {
        cases.iter().map(|one| self.case(one)).collect()
    }

    fn case(&self, case: &Case) -> Value {
        let mut object =
            json!({"on": replies(&case.on), "means": case.means.name(), "then": case.then.name()});
        if !case.then.steps().is_empty() {
            object["steps"] = self.steps(case.then.steps()).into();
        }
        object
    }

    fn pieces(&self, message: &Message) -> Vec<Value> {
        message.pieces().iter().map(|piece| self.piece(piece, message)).collect()
    }

    fn value(&self, request: &Request, value: &RequestValue) -> Vec<Value> {
        value.pieces().iter().map(|piece| self.piece(piece, request.head())).collect()
    }

    /// A piece of a message, or of what is in one.
    fn piece(&self, piece: &MessagePiece, message: &Message) -> Value {
        match piece {
            MessagePiece::Bytes(known) => text_or_base64(known),
            MessagePiece::Secret(one) => self.secret(one),
            MessagePiece::Answer(asked) => {
                let forbidden: String =
                    (0..128).filter(|&octet| !message.allows(asked, octet)).map(char::from).collect();
                let mut object = prompt(asked);
                object["forbidden"] = forbidden.into();
                object
            }
            MessagePiece::Fresh(fresh) => json!({"fresh": fresh.name(), "width": fresh.width()}),
            _ => Value::Null,
        }
    }

    /// A secret: its octets if they are to be shown, else null.
    fn secret(&self, secret: &Secret) -> Value {
        json!({"secret": self.shows_secrets.then(|| text_or_base64(secret.reveal()))})
    }

    fn credentials(&self, login: &Credentials) -> Value {
        let password =
            login.password.as_ref().map_or_else(|| json!({"prompt": "password"}), |one| self.secret(one));
        let HttpOrigin { scheme, host, port } = &login.origin;
        let origin = json!({"scheme": scheme, "host": host, "port": port});
        json!({"user": self.secret(&login.user), "password": password, "origin": origin})
    }

    fn local(&self, local: &Local) -> Value {
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
                (
                    "start",
                    json!({"words": words, "user": user, "password": password.as_ref().map(|one| self.secret(one))}),
                )
            }
            _ => ("other", json!({})),
        };
        named("what", what, keys)
    }
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

/// The replies of a case: a code, a code and a word, or a first digit.
fn replies(on: &On) -> Value {
    match on {
        On::Code(code) => json!({"code": code}),
        On::Word(code, word) => json!({"code": code, "word": word}),
        On::Class(digit) => json!({"class": digit}),
        _ => Value::Null,
    }
}

/// An object; it has the key "error" only if the server may send an error in its place.
fn received(object: &Object) -> Value {
    let mut value = json!({
        "kind": object.kind.name(),
        "description": object.name,
        "media_type": object.media_type,
        "end": object.end.name(),
    });
    if let Some(form) = object.error {
        value["error"] = form.name().into();
    }
    value
}

fn prompt(prompt: &Prompt) -> Value {
    match prompt {
        Prompt::Password { user } => json!({"prompt": prompt.name(), "user": text_or_base64(user)}),
        _ => json!({"prompt": prompt.name()}),
    }
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
    match core::str::from_utf8(octets) {
        Ok(text) => json!({"text": text}),
        Err(_) => json!({"base64": BASE64_STANDARD.encode(octets)}),
    }
}
