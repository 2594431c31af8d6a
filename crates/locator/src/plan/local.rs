//! Steps that need no network.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::text::{Secret, Text};
use crate::pct::{AsciiSet, PctString};

/// A step that needs no network.
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("data:text/plain,hi"), &Options::new())?;
/// let Some(Step::Local(Local::Data { media_type, data })) = plan.steps().next()
/// else {
///     panic!("a data URL contains its data");
/// };
/// assert_eq!((&**media_type, &**data), ("text/plain", &b"hi"[..]));
/// assert_eq!(plan.most_sends(), 0);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// Read a file of this machine, or list a directory; its name is in octets.
    File {
        /// The name of the file.
        file: Vec<u8>,
    },
    /// Use the data that the URL itself contains.
    Data {
        /// The media type that the URL declares.
        media_type: Text,
        /// The data.
        data: Vec<u8>,
    },
    /// Find a message, or a part of one, among those of the caller.
    LookUp(LookUp),
    /// Show an unsent message to its sender.
    Draft(Draft),
    /// Start an interactive program.
    Start(Session),
}

/// The identifiers of a message, or of a part of one, that the caller may have.
///
/// A `mid` or `cid` URL is not fetched: it refers to a message that the caller has already, such as
/// the one that contains the link (RFC 2392).
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("cid:logo@h.example"), &Options::new())?;
/// let Some(Step::Local(Local::LookUp(wanted))) = plan.steps().next() else {
///     panic!("a cid URL is looked up");
/// };
/// assert_eq!(wanted.message_id, None);
/// assert_eq!(wanted.content_id.as_deref(), Some(&b"logo@h.example"[..]));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookUp {
    /// The identifier of the message, without "<" and ">"; `None` matches any message.
    pub message_id: Option<Vec<u8>>,
    /// The identifier of the part, without "<" and ">"; `None` for the whole message.
    pub content_id: Option<Vec<u8>>,
}

/// A message that has not been sent.
///
/// A `mailto` URL never sends anything: its sender reads the message first (RFC 6068, 7). Header fields
/// that could add recipients or forge a sender are dropped, and named.
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let uri = uri!("mailto:jan@h.example?subject=Hi&bcc=eve@h.example");
/// let plan = scheme::plan(uri, &Options::new())?;
/// let Some(Step::Local(Local::Draft(draft))) = plan.steps().next() else {
///     panic!("a mailto URL is a draft");
/// };
/// assert_eq!(draft.to, [b"jan@h.example"]);
/// assert_eq!(draft.fields, [(b"subject".to_vec(), b"Hi".to_vec())]);
/// assert_eq!(draft.dropped, [b"bcc"]);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The addresses of the recipients.
    pub to: Vec<Vec<u8>>,
    /// The other header fields, names and values.
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// The text of the message.
    pub body: Vec<u8>,
    /// The names of the header fields that were dropped because they could do harm.
    pub dropped: Vec<Vec<u8>>,
}

impl Draft {
    /// Returns the draft as a `mailto` URL, in which every octet is percent-encoded that could mean anything to
    /// anybody: a program that gets it reads no field that was dropped.
    ///
    /// ```
    /// use locator::plan::Draft;
    ///
    /// let draft = Draft { to: vec![b"jan@h.example".to_vec()], body: b"a&bcc=b".to_vec(), ..Draft::default() };
    /// assert_eq!(draft.to_url(), "mailto:jan@h.example?body=a%26bcc%3Db");
    /// ```
    #[must_use]
    pub fn to_url(&self) -> String {
        const ADDRESS: AsciiSet = AsciiSet::UNRESERVED.union(AsciiSet::of(b"@"));
        let to: Vec<_> = self.to.iter().map(|to| PctString::encode(to, ADDRESS).into_string()).collect();
        let mut url = format!("mailto:{}", to.join(","));
        let fields = self.fields.iter().map(|(name, value)| (name.as_slice(), value));
        let body = Some((&b"body"[..], &self.body)).filter(|(_, body)| !body.is_empty());
        for (i, (name, value)) in fields.chain(body).enumerate() {
            url.push(if i == 0 { '?' } else { '&' });
            url.push_str(PctString::encode(name, AsciiSet::UNRESERVED).as_str());
            url.push('=');
            url.push_str(PctString::encode(value, AsciiSet::UNRESERVED).as_str());
        }
        url
    }
}

/// A program for an interactive session. Its arguments are passed without a shell, and no argument
/// from the URL begins with "-".
///
/// User and password are not passed to the program: "the `<user>` and `<password>` supplied are advisory
/// only" (RFC 1738, 3.8). Show them, so that the person types them. [`Options::programs`](super::Options)
/// replaces the program.
///
/// ```
/// use locator::plan::{Local, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("telnet://jan@h.example"), &Options::new())?;
/// let Some(Step::Local(Local::Start(session))) = plan.steps().next() else {
///     panic!("a telnet URL starts a program");
/// };
/// assert_eq!(session.words, ["telnet", "h.example", "23"]);
/// assert_eq!(session.user.as_deref(), Some(&b"jan"[..]));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The user name that the URL suggests, for display.
    pub user: Option<Vec<u8>>,
    /// The password that the URL suggests, for display.
    pub password: Option<Secret>,
}
