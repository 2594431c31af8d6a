//! Requests of HTTP, by their meaning: what a client sends in any version of HTTP.

use super::message::Message;
use super::object::Object;
use super::secret::Secret;

/// A request of HTTP (RFC 9110).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The request as it is sent by HTTP/1.1, without a body.
    pub head: Message,
    /// User and password, which are sent only if the server asks for them (401).
    pub login: Option<Credentials>,
    /// The object.
    pub object: Object,
}

impl Request {
    /// Creates a request of the head that HTTP/1.1 sends.
    #[must_use]
    pub const fn new(head: Message, object: Object) -> Self {
        Self { head, login: None, object }
    }

    /// Sets user and password, which are sent only if the server asks for them.
    #[must_use]
    pub fn login(self, login: Option<Credentials>) -> Self {
        Self { login, ..self }
    }
}

/// User and password for a server that asks for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// The user name.
    pub user: Secret,
    /// The password; `None` if the user must be asked for it.
    pub password: Option<Secret>,
}
