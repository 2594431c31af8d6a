//! Texts that a program contains, or that are made for a URL.

use alloc::borrow::Cow;

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
