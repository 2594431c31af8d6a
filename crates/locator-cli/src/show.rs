//! Output that several verbs share: for people ([`diagnosis`], [`excerpt`], [`failure`],
//! [`paragraph`], [`place`], [`reports`]) and for programs ([`json`]).

pub(crate) mod diagnosis;
pub(crate) mod excerpt;
pub(crate) mod failure;
pub(crate) mod json;
pub(crate) mod paragraph;
pub(crate) mod place;
pub(crate) mod reports;

pub(crate) use place::Place;
pub(crate) use reports::{At, Reports, Total};
