//! Reads policies from maps, and severities and reaches from their names (feature `serde`).

mod keys;
mod names;
mod policy;
