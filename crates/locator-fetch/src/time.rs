//! Time: dates as protocols write them, and how long the steps of a fetch take.

pub(crate) mod date;
pub(crate) mod timings;
