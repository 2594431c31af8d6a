//! Replies of servers: which ones are treated alike, and what they mean.
//!
//! Protocols as values: how their lines are divided and ended, how their replies are framed, and
//! what their common replies mean.
//!
//! Objects: what is read, and how its end is recognized.

use super::text::Text;
use crate::simd::AsciiSet;

/// A pattern of replies: a code, a code with a word, or a first digit.
///
/// The most exact case of a reply counts: a code with a word, then a code, then a class.
///
/// ```
/// use locator::plan::On;
///
/// assert!(
///     On::Code(331).fits(331, "password, please") && !On::Code(331).fits(332, "")
/// );
/// assert!(
///     On::Class(3).fits(331, "")
///         && On::Class(3).exactness() < On::Code(331).exactness()
/// );
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    /// A code: `550`.
    Code(u16),
    /// A code whose text begins with a word, ignoring case: `401 MODE-READER`.
    Word(u16, Text),
    /// The codes that begin with a digit: `5` for 500 to 599.
    Class(u8),
}

impl On {
    /// Returns whether a reply with this code and text matches.
    #[must_use]
    pub fn fits(&self, code: u16, text: &str) -> bool {
        match self {
            Self::Code(own) => *own == code,
            Self::Class(digit) => code / 100 == u16::from(*digit),
            Self::Word(own, word) => {
                let start = text.trim_start().split([' ', '\t', '\r', '\n']).next().unwrap_or_default();
                *own == code && start.eq_ignore_ascii_case(word)
            }
        }
    }

    /// Returns how exact this pattern is: 2 for a code with a word, 1 for a code, 0 for a digit.
    #[must_use]
    pub const fn exactness(&self) -> u8 {
        match self {
            Self::Class(_) => 0,
            Self::Code(_) => 1,
            Self::Word(..) => 2,
        }
    }
}

macro_rules! meanings {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $text:literal;)*) => {
        /// The meaning of a reply.
        ///
        /// The code of a reply means what its step says: 550 after `RETR` is a missing file, and
        /// after `NLST` an empty directory. [`may_pass`](Self::may_pass) says whether a retry may help.
        ///
        /// ```
        /// use locator::plan::{Meaning, Options, Step};
        /// use locator::{scheme, uri};
        ///
        /// let plan = scheme::plan(uri!("ftp://h/a"), &Options::new())?;
        /// let transfer = plan.steps().find_map(|step| match step {
        ///     Step::Transfer(transfer) => Some(transfer),
        ///     _ => None,
        /// });
        /// let missing = transfer.unwrap().command.case(550, "No such file").unwrap();
        /// assert_eq!(missing.means, Meaning::Missing);
        /// assert_eq!(missing.means.text(), "not found");
        /// assert!(Meaning::Busy.may_pass() && !missing.means.may_pass());
        /// # Ok::<_, locator::plan::PlanError>(())
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Meaning {
            $($(#[$doc])* $name,)*
        }

        impl Meaning {
            /// Every meaning.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the name of this meaning in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// Returns the meaning in plain words.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

meanings! {
    /// The server is ready.
    Ready = "ready", "the server is ready";
    /// The user is logged in.
    LoggedIn = "logged-in", "logged in";
    /// A password is needed.
    NeedPassword = "need-password", "a password is needed";
    /// An account is needed in addition.
    NeedAccount = "need-account", "an account is needed";
    /// The user must log in first.
    NeedLogin = "need-login", "a login is needed";
    /// The server must change its mode first.
    NeedMode = "need-mode", "the mode for readers is needed";
    /// The command was done.
    Done = "done", "done";
    /// The command is not needed here.
    NotNeeded = "not-needed", "not needed here";
    /// The text begins with the number of octets of the object.
    Length = "length", "its length";
    /// The text begins with the time when the object was changed last.
    Modified = "modified", "the time of its last change";
    /// The text has the facts of the object (RFC 3659, 7.2).
    Facts = "facts", "its size, time and kind";
    /// The object follows.
    Follows = "follows", "the data follows";
    /// All of the object was sent.
    Sent = "sent", "all of it was sent";
    /// The object is there and has no octets.
    Empty = "empty", "it is empty";
    /// Another reply follows later.
    Wait = "wait", "another reply follows";
    /// It was not found.
    Missing = "missing", "not found";
    /// User, password or account are wrong.
    WrongLogin = "wrong-login", "the login is wrong";
    /// The server does not do this, or not for this client.
    Refused = "refused", "the server refuses";
    /// The server cannot do this now.
    Busy = "busy", "the server cannot do it now";
    /// The server does not know the command, or a part of it.
    NotSupported = "not-supported", "the server does not know the command";
    /// The server cannot secure the connection by TLS.
    NoTls = "no-tls", "the server has no TLS";
    /// The transfer ended early.
    Broken = "broken", "the transfer ended early";
    /// The reply does not belong to this step.
    Unexpected = "unexpected", "not a reply to this step";
}

impl Meaning {
    /// Returns the meaning of unlisted replies by their first digit: 4 is a temporary failure, 5 a
    /// permanent one.
    #[must_use]
    pub const fn of_class(digit: u8) -> Self {
        match digit {
            4 => Self::Busy,
            5 => Self::Refused,
            _ => Self::Unexpected,
        }
    }

    /// Returns whether the same plan may succeed later.
    #[must_use]
    pub const fn may_pass(self) -> bool {
        matches!(self, Self::Busy | Self::Broken | Self::Wait)
    }
}

/// A protocol: the syntax of its lines, and of the replies to them.
///
/// A scheme of the caller defines its own:
///
/// ```
/// use locator::plan::{Meaning, On, Protocol, ReplyFraming};
/// use locator::scheme::AsciiSet;
///
/// static DICT: Protocol = Protocol {
///     name: "DICT",
///     delimiters: AsciiSet::of(b" \t\"\\"),
///     line_end: b"\r\n",
///     citation: "RFC 2229, 2",
///     replies: ReplyFraming::Line,
///     meanings: &[
///         (On::Code(420), Meaning::Busy),
///         (On::Code(552), Meaning::Missing),
///     ],
/// };
/// assert_eq!(DICT.meaning(552), Meaning::Missing);
/// assert_eq!(DICT.meaning(501), Meaning::Refused);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Protocol {
    /// The name of the protocol: `FTP`.
    pub name: &'static str,
    /// The delimiters of words in a line. CR, LF and NUL are never allowed in a line.
    pub delimiters: AsciiSet,
    /// The octets that end a line.
    pub line_end: &'static [u8],
    /// The document and section of the rule: `RFC 959, 5.3.1`.
    pub citation: &'static str,
    /// How a reply is divided from what follows it.
    pub replies: ReplyFraming,
    /// The meanings of replies that no exchange lists, at every step: `421` of FTP.
    pub meanings: &'static [(On, Meaning)],
}

impl Protocol {
    /// Returns the meaning of a reply that an exchange does not list.
    ///
    /// It is that of the protocol, or else of the first digit: 4 is a temporary failure, 5 a
    /// permanent one.
    #[must_use]
    pub fn meaning(&self, code: u16) -> Meaning {
        let listed = self.meanings.iter().filter(|(on, _)| on.fits(code, ""));
        match listed.max_by_key(|(on, _)| on.exactness()) {
            Some(&(_, meaning)) => meaning,
            None => Meaning::of_class(u8::try_from(code / 100).unwrap_or(u8::MAX)),
        }
    }
}

crate::as_text::named! {
    /// How the replies of a protocol are divided from what follows them.
    ///
    /// ```
    /// use locator::plan::{Options, ReplyFraming, Step};
    /// use locator::{Uri, scheme, uri};
    ///
    /// let framing = |uri: Uri<'_>| {
    ///     let plan = scheme::plan(uri, &Options::new()).ok()?;
    ///     plan.steps().find_map(|step| match step {
    ///         Step::Connect(to) => Some(to.protocol.replies),
    ///         _ => None,
    ///     })
    /// };
    /// assert_eq!(framing(uri!("ftp://h/a")), Some(ReplyFraming::Lines));
    /// assert_eq!(framing(uri!("nntp://h/g/1")), Some(ReplyFraming::Line));
    /// assert_eq!(framing(uri!("gopher://h/0a")), Some(ReplyFraming::None));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ReplyFraming {
        /// The server sends no replies, only objects.
        None = "none",
        /// A line that begins with a code of three digits (RFC 3977, 3.1).
        Line = "line",
        /// Like `Line`, where a "-" after the code begins a reply of several lines, which a line
        /// with the same code and a space ends (RFC 959, 4.2).
        Lines = "lines",
        /// A status line with a code of three digits, and header fields up to an empty line
        /// (RFC 9112, 2.1).
        Head = "head",
        /// A packet with a header of 25 octets, which contains its length (WAIS). The code of an
        /// InitResponse is its result: 1 is accepted.
        Packets = "packets",
        /// Datagrams with numbers, which together are a text (ARDP). It has no code.
        Datagrams = "datagrams",
    }

    /// Returns the name of this framing in JSON.
    pub const fn name;
}

/// An object that a server sends, and its framing. It begins after what was read before.
///
/// ```
/// use locator::plan::{Framing, ObjectKind, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h/1docs"), &Options::new())?;
/// let object = plan.steps().find_map(|step| match step {
///     Step::Receive(object) => Some(object),
///     _ => None,
/// });
/// let menu = object.unwrap();
/// assert_eq!((menu.kind, &*menu.name), (ObjectKind::Menu, "a menu"));
/// assert_eq!(menu.end, Framing::DotOrConnection);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The kind of the object, which says how a program can use it.
    pub kind: ObjectKind,
    /// A description for people: "a menu".
    pub name: Text,
    /// The media type, if the URL or the protocol states it.
    pub media_type: Option<Text>,
    /// The framing, which determines the end of the object.
    pub end: Framing,
    /// The form in which the server reports that the object does not exist, if the protocol has no
    /// replies.
    pub error: Option<ErrorForm>,
}

impl Object {
    /// Creates an object whose media type is not known.
    #[must_use]
    pub fn new(kind: ObjectKind, name: impl Into<Text>, end: Framing) -> Self {
        Self { kind, name: name.into(), media_type: None, end, error: None }
    }

    /// Sets the media type.
    #[must_use]
    pub fn media_type(self, media_type: impl Into<Text>) -> Self {
        Self { media_type: Some(media_type.into()), ..self }
    }

    /// Sets the form in which the server reports that the object does not exist.
    #[must_use]
    pub fn error(self, form: ErrorForm) -> Self {
        Self { error: Some(form), ..self }
    }
}

crate::as_text::named! {
    /// The form of an error in a protocol without replies: how a server reports a missing object.
    ///
    /// ```
    /// use locator::plan::{ErrorForm, Options, Step};
    /// use locator::{scheme, uri};
    ///
    /// // A gopher server without the file sends a menu with an error, or nothing.
    /// let plan = scheme::plan(uri!("gopher://h/0a.txt"), &Options::new())?;
    /// let form = plan.steps().find_map(|step| match step {
    ///     Step::Receive(object) => object.error,
    ///     _ => None,
    /// });
    /// assert_eq!(form, Some(ErrorForm::MenuLine));
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ErrorForm {
        /// It sends nothing, or a single line of a menu of Gopher: one of type 3, or one of type 0 with
        /// the host `error.host`.
        MenuLine = "menu-line",
    }

    /// Returns the name of this form in JSON.
    pub const fn name;
}

crate::as_text::named! {
    /// The kind of an object, which says how a program can use it.
    ///
    /// It decides what a program can do with the octets: follow a menu, list names, save a file.
    ///
    /// ```
    /// use locator::plan::{ObjectKind, Options, Step};
    /// use locator::{scheme, uri};
    ///
    /// let plan = scheme::plan(uri!("ftp://h/pub;type=d"), &Options::new())?;
    /// let kind = plan.all_steps().find_map(|step| match step {
    ///     Step::Transfer(transfer) => Some(transfer.object.kind),
    ///     _ => None,
    /// });
    /// assert_eq!(kind, Some(ObjectKind::Names));
    /// assert_eq!(ObjectKind::Names.name(), "names");
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ObjectKind {
        /// Lines of text.
        Text = "text",
        /// Octets.
        Binary = "binary",
        /// A menu of Gopher (RFC 1436), or Gopher+ blocks of attributes.
        Menu = "menu",
        /// Names of files, a line each (RFC 959, NLST).
        Names = "names",
        /// Facts and names of files, a line each (RFC 3659, MLSD).
        Facts = "facts",
        /// A directory as a server prints it for people, a line for each file (RFC 959, LIST).
        Long = "long",
        /// Newsgroups, a line each (RFC 3977, LIST ACTIVE).
        Groups = "groups",
        /// Numbers of articles, a line each (RFC 3977, LISTGROUP).
        Numbers = "numbers",
        /// Numbers of articles with their subjects, authors and dates, a line each (RFC 3977, OVER).
        Overview = "overview",
        /// An article of Usenet (RFC 5536).
        Article = "article",
        /// What a search in a database found (WAIS).
        Hits = "hits",
        /// Something else that the server sends before the object of the URL. [`Step::Receive`] reads and
        /// drops it.
        ///
        /// [`Step::Receive`]: super::Step::Receive
        Dropped = "dropped",
        /// What describes a form; it is not the object of the URL, but is shown when it is filled in.
        Form = "form",
        /// The attributes of an object of a directory (Prospero).
        Attributes = "attributes",
        /// The links of a directory (Prospero).
        Links = "links",
        /// An interactive session.
        Session = "session",
        /// Unknown.
        Unknown = "unknown",
    }

    /// Returns the name of this kind in JSON.
    pub const fn name;
}

crate::as_text::named! {
    /// The framing of an object, which determines where it ends.
    ///
    /// ```
    /// use locator::plan::{Framing, Options, Step};
    /// use locator::{scheme, uri};
    ///
    /// let framing = |uri: locator::Uri<'_>| {
    ///     let plan = scheme::plan(uri, &Options::new()).ok()?;
    ///     plan.all_steps().find_map(|step| {
    ///         if let Step::Receive(object) = step { Some(object.end) } else { None }
    ///     })
    /// };
    /// assert_eq!(framing(uri!("gopher://h/1")), Some(Framing::DotOrConnection));
    /// assert_eq!(framing(uri!("gopher://h/9a")), Some(Framing::Connection));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Framing {
        /// The object ends when the connection closes.
        Connection = "connection",
        /// The object ends when the connection closes. A last line "." is not part of it.
        ConnectionLessDot = "connection-less-dot",
        /// The object ends when the data connection closes.
        DataConnection = "data-connection",
        /// The object ends before a line that is "." alone. A "." that was added to the beginning of
        /// any other line is removed.
        Dot = "dot",
        /// The object ends before a line "." or when the connection closes: servers differ. No "." is
        /// removed from a line.
        DotOrConnection = "dot-or-connection",
        /// The first line determines the framing: `+` and the number of octets, `+-1` for a line ".",
        /// `+-2` for the connection's end, `-` for an error instead (Gopher+). A server without Gopher+
        /// has no such line; its object ends with the connection.
        GopherPlus = "gopher-plus",
        /// HTTP framing (RFC 9112, section 6.3).
        Http = "http-framing",
        /// The object is a single answer of the server: a packet of WAIS, or the datagrams of ARDP.
        Answer = "answer",
        /// The object is the value of the attribute CONTENTS in a single answer (Prospero).
        Contents = "contents",
        /// The object is not sent: only what is known of it was asked for.
        Nothing = "nothing",
    }

    /// Returns the name of this framing in JSON.
    pub const fn name(own_display);
}
