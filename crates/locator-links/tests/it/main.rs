//! The check of links, by the public API.

mod built;
mod cases;
mod checker;
mod documented;
mod mend;
mod sites;
