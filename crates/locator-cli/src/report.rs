//! What the verbs report about a URL: the reason why an input has no result ([`Failure`](failure::Failure)), and errors,
//! warnings and findings, for people and for programs.
//!
//! [`Reports`] counts the errors of a run and writes each: the message, then the text with carets ([`diagnosis`],
//! [`excerpt`]). [`findings`] are what `audit` finds and warnings, [`json`] has the objects of `--json`
//! (spec/command.md), [`sarif`] the log for code scanning (SARIF 2.1.0), and [`baseline`] what an earlier run has reported.

pub(crate) mod baseline;
#[cfg(feature = "get")]
pub(crate) mod browser;
pub(crate) mod diagnosis;
pub(crate) mod excerpt;
pub(crate) mod failure;
pub(crate) mod findings;
pub(crate) mod json;
pub(crate) mod reports;
pub(crate) mod sarif;

pub(crate) use reports::{At, Reports, Total, plural};
