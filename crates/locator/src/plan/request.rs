//! Requests of HTTP, by their meaning: what a client sends in any version of HTTP. A request also
//! has the head that HTTP/1.1 sends (RFC 9112, 2.1), which [`Display`](core::fmt::Display) of a plan
//! writes.
//!
//! Notes for the reader of a plan.

use super::error::PlanError;
use super::message::{Line, Message, MessagePiece, known_bytes};
use super::reply::Object;
use super::text::{Secret, Text};
use crate::error::Redacted;
use crate::simd::AsciiSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::str;

/// A request of HTTP (RFC 9110), without a body.
///
/// ```
/// use locator::plan::{self, Options, Step};
///
/// let plan =
///     plan::plan(locator::uri_ref!("http://h:8080/a%20b?q"), &Options::new())
///         .unwrap();
/// let Some(Step::Request(request)) = plan.work.first() else { panic!() };
/// assert_eq!(
///     (request.method(), &*request.target().to_bytes()),
///     ("GET", &b"/a%20b?q"[..])
/// );
/// assert_eq!(
///     (request.fields()[0].name(), &*request.fields()[0].value().to_bytes()),
///     ("Host", &b"h:8080"[..])
/// );
///
/// let rest = request.clone().method_named("HEAD").unwrap().start(500);
/// let head = b"HEAD /a%20b?q HTTP/1.1\r\nHost: h:8080\r\nRange: bytes=500-\r\nConnection: close\r\n\r\n";
/// assert_eq!(rest.head().to_bytes(), head);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    method: Text,
    target: RequestValue,
    fields: Vec<RequestField>,
    login: Option<Credentials>,
    start: u64,
    object: Object,
    /// Whether the fields are all that is sent.
    has_all_fields: bool,
    /// Made of the others.
    head: Message,
}

impl Request {
    /// Creates a request with the method GET.
    ///
    /// The target is sent as it is, and is the value of the line.
    #[must_use]
    pub fn new(target: Line, object: Object) -> Self {
        let (method, target) = (Text::Borrowed("GET"), target.value());
        let (fields, head) = (Vec::new(), Message::empty());
        let has_all_fields = false;
        Self { method, target, fields, login: None, start: 0, object, has_all_fields, head }.with_head()
    }

    /// Sets the method.
    ///
    /// # Errors
    ///
    /// The method is not a token (RFC 9110, 5.6.2).
    pub fn method_named(self, method: impl Into<Text>) -> Result<Self, PlanError> {
        let method = method.into();
        check_token("the method", &method)?;
        Ok(Self { method, ..self }.with_head())
    }

    /// Appends a header whose value is made by a [`Line`].
    #[must_use]
    pub fn line(mut self, name: &'static str, value: Line) -> Self {
        self.fields.push(RequestField { name: name.into(), value: value.value() });
        self.with_head()
    }

    /// Appends a header.
    ///
    /// # Errors
    ///
    /// The name is not a token, or the value contains CR, LF or NUL (RFC 9110, 5.5).
    pub fn field(self, name: impl Into<Text>, value: impl Into<Vec<u8>>) -> Result<Self, PlanError> {
        Ok(self.with_field(RequestField::new(name, value)?))
    }

    /// Appends a header whose value is not shown.
    ///
    /// # Errors
    ///
    /// The name is not a token, or the value contains CR, LF or NUL.
    pub fn secret_field(self, name: impl Into<Text>, value: Secret) -> Result<Self, PlanError> {
        Ok(self.with_field(RequestField::secret(name, value)?))
    }

    fn with_field(mut self, field: RequestField) -> Self {
        self.fields.push(field);
        self.with_head()
    }

    /// Sets the headers to all that a client sends, on a connection that stays open. The head then has
    /// only these: neither `Range` nor `Connection: close` is added.
    ///
    /// ```
    /// use locator::plan::{Options, RequestField, Step};
    ///
    /// let plan = locator::scheme::plan(locator::uri!("http://h/a"), &Options::new())?;
    /// let Some(Step::Request(request)) = plan.work.first() else { panic!() };
    /// let fields =
    ///     vec![RequestField::new("host", "h")?, RequestField::new("accept", "*/*")?];
    /// let head = b"GET /a HTTP/1.1\r\nhost: h\r\naccept: */*\r\n\r\n";
    /// assert_eq!(request.clone().all_fields(fields).head().to_bytes(), head);
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    #[must_use]
    pub fn all_fields(self, fields: Vec<RequestField>) -> Self {
        Self { fields, has_all_fields: true, ..self }.with_head()
    }

    /// Sets user and password, which are sent only if the server asks for them.
    #[must_use]
    pub fn login(self, login: Option<Credentials>) -> Self {
        Self { login, ..self }
    }

    /// Sets the offset of the first octet to fetch (RFC 9110, 14.2); 0 is the whole object.
    #[must_use]
    pub fn start(self, start: u64) -> Self {
        Self { start, ..self }.with_head()
    }

    /// Returns the method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the request target (RFC 9112, 3.2): path and query, or the whole URL for a proxy.
    #[must_use]
    pub const fn target(&self) -> &RequestValue {
        &self.target
    }

    /// Returns the headers, of which the first is `Host`.
    ///
    /// Those that are about the connection are not among them, because each version of HTTP has its
    /// own, and `Range` is not.
    #[must_use]
    pub fn fields(&self) -> &[RequestField] {
        &self.fields
    }

    /// Returns user and password for a server that asks for them.
    #[must_use]
    pub const fn credentials(&self) -> Option<&Credentials> {
        self.login.as_ref()
    }

    /// Returns the offset of the first octet to fetch.
    #[must_use]
    pub const fn first_octet(&self) -> u64 {
        self.start
    }

    /// Returns the object.
    #[must_use]
    pub const fn object(&self) -> &Object {
        &self.object
    }

    /// Returns the head that HTTP/1.1 sends on a connection for this request alone, or with
    /// [all headers](Self::all_fields) of a client on one that stays open.
    #[must_use]
    pub const fn head(&self) -> &Message {
        &self.head
    }

    fn with_head(mut self) -> Self {
        let values = self.fields.iter().map(RequestField::value).chain([&self.target]);
        let delimiters = values.fold(AsciiSet::EMPTY, |set, value| set.union(value.delimiters));
        let mut head = Message::with_capacity(256, delimiters);
        head.octets(self.method.as_bytes());
        head.octets(b" ");
        head.pieces_of(&self.target.pieces);
        head.octets(b" HTTP/1.1");
        head.end_line();
        for RequestField { name, value } in &self.fields {
            head.octets(name.as_bytes());
            head.octets(b": ");
            head.pieces_of(&value.pieces);
            head.end_line();
        }
        if self.start > 0 && !self.has_all_fields {
            head.octets(alloc::format!("Range: bytes={}-", self.start).as_bytes());
            head.end_line();
        }
        if !self.has_all_fields {
            head.octets(b"Connection: close");
            head.end_line();
        }
        head.end_line();
        self.head = head;
        self
    }
}

/// A header of a request.
///
/// ```
/// use locator::plan::{Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("http://h.example/a"), &Options::new())?;
/// let fields = plan.steps().find_map(|step| match step {
///     Step::Request(request) => Some(request.fields()),
///     _ => None,
/// });
/// let host = &fields.unwrap()[0];
/// assert_eq!(host.name(), "Host");
/// assert_eq!(host.value().to_bytes(), b"h.example");
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestField {
    name: Text,
    value: RequestValue,
}

impl RequestField {
    /// Creates a header.
    ///
    /// # Errors
    ///
    /// The name is not a token, or the value contains CR, LF or NUL (RFC 9110, 5.5).
    pub fn new(name: impl Into<Text>, value: impl Into<Vec<u8>>) -> Result<Self, PlanError> {
        let value = value.into();
        check_value(&value)?;
        Self::of(name.into(), MessagePiece::Bytes(value))
    }

    /// Creates a header whose value is not shown.
    ///
    /// # Errors
    ///
    /// The name is not a token, or the value contains CR, LF or NUL.
    pub fn secret(name: impl Into<Text>, value: Secret) -> Result<Self, PlanError> {
        check_value(value.reveal())?;
        Self::of(name.into(), MessagePiece::Secret(value))
    }

    fn of(name: Text, value: MessagePiece) -> Result<Self, PlanError> {
        check_token("the name of a field", &name)?;
        let value = RequestValue { pieces: [value].into(), delimiters: AsciiSet::EMPTY };
        Ok(Self { name, value })
    }

    /// Returns the name, whose case does not matter.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the value.
    #[must_use]
    pub const fn value(&self) -> &RequestValue {
        &self.value
    }
}

/// The target of a request or the value of a header: octets and secrets, without CR, LF and NUL.
///
/// ```
/// use locator::plan::{Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("http://h.example/a?q#f"), &Options::new())?;
/// let target = plan.steps().find_map(|step| match step {
///     Step::Request(request) => Some(request.target()),
///     _ => None,
/// });
/// // The fragment is not sent.
/// assert_eq!(target.unwrap().to_bytes(), b"/a?q");
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestValue {
    pieces: Vec<MessagePiece>,
    /// The octets that the input for a prompt must not contain.
    delimiters: AsciiSet,
}

impl Line {
    /// Returns this line as a value of a request, without a line end.
    #[must_use]
    pub fn value(self) -> RequestValue {
        RequestValue { pieces: self.pieces, delimiters: self.protocol.delimiters }
    }
}

impl RequestValue {
    /// Returns the pieces of this value.
    #[must_use]
    pub fn pieces(&self) -> &[MessagePiece] {
        &self.pieces
    }

    /// Returns the octets with the secrets, without the input for prompts.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        known_bytes(&self.pieces)
    }
}

/// A user and a password for a server that asks for them.
///
/// They belong to one origin, and are sent to no other.
///
/// A client sends them after a status 401 of that origin, and removes them when a redirect leads to
/// another one.
///
/// ```
/// use locator::plan::{Options, HttpOrigin, Step};
/// use locator::{scheme, uri};
///
/// let uri = uri!("http://jan:secret@h.example/a");
/// let plan = scheme::plan(uri, &Options::new())?;
/// let login = plan.steps().find_map(|step| match step {
///     Step::Request(request) => request.credentials(),
///     _ => None,
/// });
/// let login = login.unwrap();
/// assert_eq!(login.user.reveal(), b"jan");
/// assert_eq!(login.origin, HttpOrigin::new("http", "h.example", 80));
/// assert!(!format!("{login:?}").contains("secret"));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The user name.
    pub user: Secret,
    /// The password; `None` if the user must be asked for it.
    pub password: Option<Secret>,
    /// The origin that they belong to.
    pub origin: HttpOrigin,
}

impl Credentials {
    /// Creates credentials for an origin.
    #[must_use]
    pub const fn new(user: Secret, password: Option<Secret>, origin: HttpOrigin) -> Self {
        Self { user, password, origin }
    }
}

/// The origin of a resource (RFC 6454, 4): scheme, host and port.
///
/// ```
/// use locator::plan::HttpOrigin;
///
/// let origin = HttpOrigin::new("HTTP", "Example.com", 80);
/// assert_eq!(
///     (origin.scheme.as_str(), origin.host.as_str()),
///     ("http", "example.com")
/// );
/// assert_eq!(origin, HttpOrigin::new("http", "example.com", 80));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HttpOrigin {
    /// The scheme, in lower case.
    pub scheme: String,
    /// The host name or address in lower case, without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl HttpOrigin {
    /// Creates an origin; case does not matter.
    ///
    /// ```
    /// use locator::plan::HttpOrigin;
    ///
    /// assert_eq!(
    ///     HttpOrigin::new("HTTP", "www.Example.com", 80),
    ///     HttpOrigin::new("http", "www.example.com", 80)
    /// );
    /// ```
    #[must_use]
    pub fn new(scheme: &str, host: &str, port: u16) -> Self {
        Self { scheme: scheme.to_ascii_lowercase(), host: host.to_ascii_lowercase(), port }
    }
}

/// Checks that octets can be the value of a field.
fn check_value(octets: &[u8]) -> Result<(), PlanError> {
    match octets.iter().find(|octet| matches!(octet, b'\r' | b'\n' | 0)) {
        Some(&byte) => Err(PlanError::Option { option: "the value of a field", byte }),
        None => Ok(()),
    }
}

/// Checks that a text is a token (RFC 9110, 5.6.2).
fn check_token(option: &'static str, text: &str) -> Result<(), PlanError> {
    let is_token = |octet: &u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(octet);
    match text.bytes().find(|octet| !is_token(octet)) {
        Some(byte) => Err(PlanError::Option { option, byte }),
        None if text.is_empty() => Err(PlanError::Option { option, byte: b' ' }),
        None => Ok(()),
    }
}

/// A note for the reader of a plan: a code, and a sentence about this URL.
///
/// A note changes nothing about the plan: it says what a reader could miss, such as a part of the
/// URL that is not sent. `Display` of a [`Plan`](super::Plan) prints it first.
///
/// ```
/// use locator::plan::{Note, Plan};
///
/// let note = Note::new("no-group", "the URL names no group")
///     .field("scheme", "nntp");
/// let plan = Plan::new().note(note);
/// assert_eq!(plan.notes[0].code, "no-group");
/// assert_eq!(plan.notes[0].exact_field("scheme"), Some("nntp"));
/// ```
///
/// The value of a field may contain a password. [`fields`](Self::fields) shows it hidden, and
/// [`exact_field`](Self::exact_field) returns it:
///
/// ```
/// use locator::Redacted;
/// use locator::plan::Note;
///
/// let proxy = Redacted::new("http://jan:secret@proxy/");
/// let note = Note::new("proxy", "a proxy is used").secret_field("url", &proxy);
/// assert_eq!(note.fields[0].1, "http://jan:(hidden)@proxy/");
/// assert_eq!(note.exact_field("url"), Some("http://jan:secret@proxy/"));
/// assert!(!format!("{note:?}").contains("secret@"));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The code, which never changes: `no-search-words`.
    pub code: Text,
    /// The sentence.
    pub text: Text,
    /// What the sentence is about, by name. Secrets are hidden.
    pub fields: Vec<(Text, String)>,
    /// The values of fields that have a secret hidden, by name.
    exact: Vec<(Text, Secret)>,
}

impl Note {
    /// Creates a note without fields.
    #[must_use]
    pub fn new(code: impl Into<Text>, text: impl Into<Text>) -> Self {
        Self { code: code.into(), text: text.into(), fields: Vec::new(), exact: Vec::new() }
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, name: impl Into<Text>, value: impl Into<String>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// Adds a field whose value has a secret, as it is and as it is shown.
    #[must_use]
    pub fn secret_field(self, name: impl Into<Text>, value: &Redacted<'_>) -> Self {
        let name = name.into();
        let mut note = self.field(name.clone(), value.to_string());
        if !value.hidden().is_empty() {
            note.exact.push((name, Secret::new(value.as_str())));
        }
        note
    }

    /// Returns the value of a field with its secrets.
    #[must_use]
    pub fn exact_field(&self, name: &str) -> Option<&str> {
        let exact = self.exact.iter().find(|(own, _)| own == name);
        let exact = exact.and_then(|(_, value)| str::from_utf8(value.reveal()).ok());
        exact.or_else(|| self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str()))
    }

    /// Returns the sentence with its secrets.
    #[must_use]
    pub fn exact_text(&self) -> String {
        let shown = |name: &Text| self.fields.iter().find(|(own, _)| own == name);
        self.exact.iter().fold(String::from(&*self.text), |text, (name, value)| {
            let pair = shown(name).zip(str::from_utf8(value.reveal()).ok());
            pair.map_or(text.clone(), |((_, shown), exact)| text.replace(shown.as_str(), exact))
        })
    }
}
