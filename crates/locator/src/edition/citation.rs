//! Citations of a document and section for error messages, such as `RFC 3986, 3.3`.

use core::fmt::{self, Display, Formatter};

use super::Rule;

/// A citation of a section of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Citation {
    pub(super) document: &'static str,
    pub(super) section: &'static str,
}

/// A document that updates the document of an edition ("Updates: 3986"). Some rules are in the
/// update and the others are in the updated document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    /// The document that is updated.
    pub(crate) of: &'static str,
    /// The document that updates it.
    pub(crate) by: &'static str,
    /// The rules that the updating document defines.
    pub(crate) rules: &'static [&'static Rule],
}

impl Display for Citation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.document, self.section)
    }
}
