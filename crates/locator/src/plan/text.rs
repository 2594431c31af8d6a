//! Texts that a program contains, or that are made for a URL.
//!
//! What is not known before a message is sent: what the user is asked for, and values that the program
//! makes each time.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter, Write as _};
use core::ops::Range;

use crate::as_text::debug_as_display;
use crate::error::Redacted;
use crate::secrets::scan;

/// A text that is a constant of a program or is made for a URL.
///
/// ```
/// use locator::plan::Note;
///
/// // Both a literal and a `String` are converted.
/// let code = String::from("no-group");
/// assert_eq!(Note::new(code, "").code, Note::new("no-group", "").code);
/// ```
pub type Text = Cow<'static, str>;

/// A password or another secret. `Debug` and `Display` write `(password)`; [`reveal`](Self::reveal)
/// returns the octets.
///
/// ```
/// use locator::plan::Secret;
///
/// let secret = Secret::new("s3cret");
/// assert_eq!(format!("{secret} {secret:?}"), "(password) (password)");
/// assert_eq!(secret.reveal(), b"s3cret");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Creates a secret.
    #[must_use]
    pub fn new(octets: impl Into<Vec<u8>>) -> Self {
        Self(octets.into())
    }

    /// Returns the octets.
    #[must_use]
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }
}

debug_as_display!(Secret);

impl Display for Secret {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(password)")
    }
}

impl Secret {
    /// Writes `(password)`, or the octets where secrets are to be shown: `{:#}`.
    pub(super) fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if f.alternate() { Shown(&self.0).fmt(f) } else { Display::fmt(self, f) }
    }
}

/// Text that is sent or read: printable ASCII unchanged, controls by code as everywhere, `<U+0009>`,
/// and what is not ASCII as octets, `<E9>`, because its encoding is not known.
pub(super) struct Shown<'a>(pub(super) &'a [u8]);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&octet| match octet {
            b' '..=b'~' => f.write_char(char::from(octet)),
            ..=0x7F => write!(f, "<U+{octet:04X}>"),
            _ => write!(f, "<{octet:02X}>"),
        })
    }
}

/// Returns a text with the secrets of URLs in it hidden.
pub(super) fn without_secrets(text: &str) -> Redacted<'_> {
    // A password of the plan is hidden already, and says that it is one.
    let is_shown = |range: &Range<usize>| text.get(range.clone()) != Some("(password)");
    Redacted::exact(text).hide(scan::of_words(text).filter(is_shown))
}

/// A packet: printable ASCII unchanged, and all other octets by their value, `<1B>`.
pub(super) struct ShownPacket<'a>(pub(super) &'a [u8]);

impl Display for ShownPacket<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&octet| match octet {
            b' '..=b'~' => f.write_char(char::from(octet)),
            _ => write!(f, "<{octet:02X}>"),
        })
    }
}

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
