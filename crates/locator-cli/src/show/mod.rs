//! What is said: for people ([`person`], [`diagnosis`], [`failure`], [`made`], [`comparison`],
//! [`every`], [`editions`], [`hit`], [`tally`]) and for programs ([`json`]); [`reports`] are the first two one after the other. Nothing of an
//! input reaches a terminal but through [`visible`], and no password a person but through [`secrets`].

pub(crate) mod comparison;
pub(crate) mod diagnosis;
pub(crate) mod editions;
pub(crate) mod every;
pub(crate) mod failure;
pub(crate) mod hit;
pub(crate) mod json;
pub(crate) mod made;
pub(crate) mod paint;
pub(crate) mod person;
pub(crate) mod plan;
pub(crate) mod reports;
pub(crate) mod schemes;
pub(crate) mod secrets;
pub(crate) mod tally;
pub(crate) mod visible;

pub(crate) use paint::Paint;
pub(crate) use reports::Reports;
pub(crate) use visible::visible;
