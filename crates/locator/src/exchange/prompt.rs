//! What a plan asks its user for: values that the URL does not contain.

use alloc::vec::Vec;

/// A value that the URL does not contain and that must be supplied.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// The password of a user, whose name is in octets.
    Password {
        /// The user name.
        user: Vec<u8>,
    },
    /// The account that a server requests in addition.
    Account,
    /// The e-mail address of the user.
    Email,
    /// The fields of a form, one a line.
    Form,
    /// A nonce: sixteen random octets in base64, generated anew each time.
    Nonce,
    /// The offset of the first octet of the next slice of a document, counted from 0.
    SliceStart,
    /// The offset after the last octet of the slice.
    SliceEnd,
}

impl Prompt {
    /// Returns the name of this prompt in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Password { .. } => "password",
            Self::Account => "account",
            Self::Email => "email",
            Self::Form => "form",
            Self::Nonce => "nonce",
            Self::SliceStart => "slice-start",
            Self::SliceEnd => "slice-end",
        }
    }

    /// Returns the number of digits of the input, where a packet counts them before the input is
    /// known. A shorter input is padded with "0" on the left.
    pub(crate) const fn digits(&self) -> Option<usize> {
        match self {
            Self::SliceStart | Self::SliceEnd => Some(10),
            _ => None,
        }
    }
}
