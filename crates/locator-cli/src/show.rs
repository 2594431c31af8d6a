//! Output that several verbs share: for people ([`diagnosis`], [`excerpt`], [`failure`],
//! [`reports`]) and for programs ([`json`]).

pub(crate) mod diagnosis;
pub(crate) mod excerpt;
pub(crate) mod failure;
pub(crate) mod json;
pub(crate) mod reports;

pub(crate) use crate::message::{Place, paragraph};
pub(crate) use reports::{At, Reports, Total, plural};
