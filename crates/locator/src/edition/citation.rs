//! Document and section, as a message cites them: a rule of an edition enters, `RFC 3986, 3.3` leaves.

use core::fmt::{self, Display, Formatter};

use super::{Edition, Rule};

/// A section of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Citation {
    document: &'static str,
    section: &'static str,
}

/// A document that updates an edition's ("Updates: 3986"), so that some rules stand in it and the others
/// in the one that is updated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    /// The document that is updated.
    pub(crate) of: &'static str,
    /// The document that updates it.
    pub(crate) by: &'static str,
    /// The rules that stand in that.
    pub(crate) rules: &'static [&'static Rule],
}

impl Edition {
    /// Where a rule stands.
    pub(crate) fn cite(&self, rule: &'static Rule) -> Citation {
        match self.update {
            Some(update) if update.rules.contains(&rule) => {
                Citation { document: update.by, section: rule.section }
            }
            _ => self.cite_section(rule.section),
        }
    }

    /// A section of its document, which is the updated one if it is put together of two.
    pub(crate) fn cite_section(&self, section: &'static str) -> Citation {
        Citation { document: self.update.map_or(self.document, |update| update.of), section }
    }
}

impl Display for Citation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.document, self.section)
    }
}
