//! What the verbs report about a URL: the reason why an input has no result ([`Failure`](failure::Failure)), errors and
//! warnings for people ([`diagnosis`], [`excerpt`], [`reports`], [`lint`], [`findings`]), and for programs ([`json`], [`sarif`]).

pub(crate) mod baseline;
pub(crate) mod diagnosis;
pub(crate) mod excerpt;
pub(crate) mod failure;
pub(crate) mod findings;
pub(crate) mod json;
pub(crate) mod reports;
pub(crate) mod sarif;

pub(crate) use reports::{At, Reports, Total, plural};
