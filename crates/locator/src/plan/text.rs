//! Texts that a program contains, or that are made for a URL.

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
pub(super) struct Packet<'a>(pub(super) &'a [u8]);

impl Display for Packet<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&octet| match octet {
            b' '..=b'~' => f.write_char(char::from(octet)),
            _ => write!(f, "<{octet:02X}>"),
        })
    }
}
