//! What several verbs say: for people ([`diagnosis`], [`failure`], [`reports`]) and for programs ([`json`]). Nothing of an
//! input reaches a terminal but through [`visible`], and no password a person but through [`secrets`].

pub(crate) mod diagnosis;
pub(crate) mod failure;
pub(crate) mod json;
pub(crate) mod paint;
pub(crate) mod reports;
pub(crate) mod secrets;
pub(crate) mod undo;
pub(crate) mod visible;

pub(crate) use paint::Paint;
pub(crate) use reports::Reports;
pub(crate) use visible::visible;
