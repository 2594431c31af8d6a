//! ARDP in memory: what real servers sent, and what bad ones and bad networks do.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod captures;
mod datagrams;
mod faults;
mod network;
#[path = "../../../locator-dev/tests/it/prospero/pcap.rs"]
mod pcap;
