//! The beginning of a message, [`place`], and words in lines of a terminal, [`paragraph`].

pub(crate) mod paragraph;
pub(crate) mod place;

pub(crate) use place::Place;
