//! Fetches what URLs identify: carries out the plans of `locator::plan`.
//!
//! A [`Run`](run::Run) carries out one plan without sockets, clocks and tasks: it says what it wants
//! and takes what happened. So the same interpreter is tested in memory and driven by a network.

pub mod entries;
pub mod run;
