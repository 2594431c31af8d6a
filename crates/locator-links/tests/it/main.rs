//! The check of links, by the public API.

mod cases;
mod checker;
mod documented;
mod mend;
mod sites;
