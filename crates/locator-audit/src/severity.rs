//! How serious a finding is, and how often such a finding is right.

use core::fmt::{self, Display, Formatter};

/// How serious a finding is, by its meaning.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A matter of form: not in normal form, a leading zero in a port.
    Info,
    /// Risky but usual: a password, an internal address, a port of another protocol.
    Low,
    /// Made to fool a person or a list of allowed hosts: a userinfo like a host, an odd IPv4 address.
    Medium,
    /// Current programs contact different hosts, an address is disguised, code runs, or a credential
    /// is shown.
    High,
}

impl Severity {
    /// All severities, from the least.
    pub const ALL: [Self; 4] = [Self::Info, Self::Low, Self::Medium, Self::High];

    /// Returns the name on the command line and in JSON: `medium`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl Display for Severity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How often a finding of a code is right.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// A guess from names or letters.
    Low,
    /// Right for most URLs.
    Medium,
    /// Right for nearly every URL.
    High,
    /// A fact about the text.
    VeryHigh,
}

impl Precision {
    /// Returns the name in JSON and SARIF: `very-high`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::VeryHigh => "very-high",
        }
    }
}
