//! The word that a message begins with, which says of what kind it is, in its colour.

use anstyle::{AnsiColor, Style};
use locator_audit::Severity;

use super::paint::{BAD, GOOD, Paint, Painted, WARN};

/// The kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// What was asked for is not done.
    Error,
    /// What was asked for is done, and probably not intended.
    Warning,
    /// A finding of that severity.
    High,
    Medium,
    Low,
    Info,
    /// What may be good to know.
    Note,
    /// What to do.
    Help,
    /// A URL is valid.
    Valid,
    /// A link is mended.
    #[cfg(feature = "links")]
    Fixed,
    /// A file is written.
    #[cfg(feature = "get")]
    Saved,
}

impl Word {
    /// Returns the word, with its colon.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Error => "error:",
            Self::Warning => "warning:",
            Self::High => "high:",
            Self::Medium => "medium:",
            Self::Low => "low:",
            Self::Info => "info:",
            Self::Note => "note:",
            Self::Help => "help:",
            Self::Valid => "valid",
            #[cfg(feature = "links")]
            Self::Fixed => "fixed:",
            #[cfg(feature = "get")]
            Self::Saved => "saved",
        }
    }

    /// Returns its colour.
    pub(crate) const fn style(self) -> Style {
        match self {
            Self::Error | Self::High => BAD,
            Self::Warning | Self::Medium => WARN,
            Self::Low | Self::Info | Self::Note => AnsiColor::Cyan.on_default(),
            Self::Help | Self::Valid => GOOD,
            #[cfg(feature = "links")]
            Self::Fixed => GOOD,
            #[cfg(feature = "get")]
            Self::Saved => GOOD,
        }
    }

    /// Returns the word of a finding.
    pub(crate) const fn of(severity: Severity) -> Self {
        match severity {
            Severity::High => Self::High,
            Severity::Medium => Self::Medium,
            Severity::Low => Self::Low,
            _ => Self::Info,
        }
    }
}

impl Paint {
    /// The word of a message, in its colour.
    pub(crate) fn word(self, word: Word) -> Painted<&'static str> {
        self.with(word.style(), word.text())
    }
}
