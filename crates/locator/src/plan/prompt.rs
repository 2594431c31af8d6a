//! What is not known before a message is sent: what the user is asked for, and values that the program
//! makes each time.

use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use super::text::Shown;

/// A value that the URL does not contain and that the user must supply.
///
/// ```
/// use locator::plan::{MessagePiece, Options, Prompt, Step};
/// use locator::{scheme, uri};
///
/// // A menu item of type 7 is a search: the words are asked for.
/// let plan = scheme::plan(uri!("gopher://h.example/7find"), &Options::new())?;
/// let mut pieces = plan
///     .all_steps()
///     .filter_map(Step::message)
///     .flat_map(|message| message.pieces());
/// assert!(
///     pieces.any(|piece| matches!(piece, MessagePiece::Answer(Prompt::Search)))
/// );
/// assert!(!Prompt::Search.is_secret() && Prompt::Account.is_secret());
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Prompt {
    /// The name of a user of the server.
    User,
    /// The password of a user, whose name is in octets; empty if the name was prompted for, too.
    Password {
        /// The user name.
        user: Vec<u8>,
    },
    /// The account that a server requests in addition.
    Account,
    /// The e-mail address of the user.
    Email,
    /// The words to search for.
    Search,
    /// The fields of a form, one a line; the object that was read last describes them.
    Form,
}

impl Prompt {
    /// Returns the name of this prompt in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Password { .. } => "password",
            Self::Account => "account",
            Self::Email => "email",
            Self::Search => "search",
            Self::Form => "form",
        }
    }

    /// Returns whether the input is a secret, which is not shown.
    #[must_use]
    pub const fn is_secret(&self) -> bool {
        matches!(self, Self::Password { .. } | Self::Account)
    }
}

crate::as_text::named! {
    /// A value that the program makes when a message is sent.
    ///
    /// It differs each time, so it cannot be in the plan. [`Message::with_input`](super::Message::with_input)
    /// asks for it by [`Hole::Fresh`](super::Hole::Fresh).
    ///
    /// ```
    /// use locator::plan::Fresh;
    ///
    /// assert_eq!((Fresh::Nonce.name(), Fresh::Nonce.width()), ("nonce", 24));
    /// // The octet 10000 of a document of WAIS, in ten digits.
    /// let width = Fresh::SliceStart.width();
    /// assert_eq!(format!("{:0width$}", 10_000), "0000010000");
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Fresh {
        /// A nonce: sixteen random octets in base64, different each time.
        Nonce = "nonce",
        /// The offset of the first octet of the next slice of a document, counted from 0, in ten digits.
        SliceStart = "slice-start",
        /// The offset after the last octet of the slice, in ten digits.
        SliceEnd = "slice-end",
        /// The number of the request for a slice, counted from 1, in ten digits. The answer repeats it.
        SliceNumber = "slice-number",
    }

    /// Returns the name of this value in JSON.
    pub const fn name(own_display);
}

impl Fresh {
    /// Returns the number of its octets; a number is padded with "0" on the left.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::Nonce => 24,
            Self::SliceStart | Self::SliceEnd | Self::SliceNumber => 10,
        }
    }
}

impl Display for Prompt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.write_str("the user"),
            Self::Password { user } if user.is_empty() => f.write_str("the password of the user"),
            Self::Password { user } => write!(f, "the password of {}", Shown(user)),
            Self::Account => f.write_str("the account"),
            Self::Email => f.write_str("your e-mail address"),
            Self::Search => f.write_str("the words to search for"),
            Self::Form => f.write_str("the fields of the form, a line each"),
        }
    }
}

impl Display for Fresh {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nonce => "16 random octets in base64",
            Self::SliceStart => "where the slice begins, in 10 digits",
            Self::SliceEnd => "where the slice ends, in 10 digits",
            Self::SliceNumber => "the number of the request, in 10 digits",
        })
    }
}
