//! Replies of servers: which ones are treated alike, and what they mean.

use super::text::Text;

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
