//! Output that several verbs share: for people ([`diagnosis`], [`excerpt`],
//! [`failure`], [`paragraph`], [`reports`]) and for
//! programs ([`json`]).

pub(crate) mod diagnosis;
pub(crate) mod excerpt;
pub(crate) mod failure;
pub(crate) mod json;
pub(crate) mod paragraph;
pub(crate) mod reports;

pub(crate) use reports::Reports;
