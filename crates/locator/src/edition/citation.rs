//! Citations of a document and section for error messages, such as `RFC 3986, 3.3`.

use core::fmt::{self, Display, Formatter};

use super::{Edition, Rule};

/// A citation of a section of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Citation {
    document: &'static str,
    section: &'static str,
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

impl Edition {
    /// Returns the citation of a rule.
    pub(crate) fn cite(&self, rule: &'static Rule) -> Citation {
        match self.update {
            Some(update) if update.rules.contains(&rule) => {
                Citation { document: update.by, section: rule.section }
            }
            _ => self.cite_section(rule.section),
        }
    }

    /// Returns the citation of a section; the document is the updated one if the edition combines
    /// two documents.
    pub(crate) fn cite_section(&self, section: &'static str) -> Citation {
        Citation { document: self.update.map_or(self.document, |update| update.of), section }
    }
}

impl Display for Citation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.document, self.section)
    }
}
