//! Texts that a program contains, or that are made for a URL.

use alloc::borrow::Cow;

/// A text of a program, or one that is made for a URL.
pub type Text = Cow<'static, str>;
