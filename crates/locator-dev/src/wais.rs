//! A server of WAIS for tests, as freeWAIS-sf was one: databases with documents, searches by words, and
//! documents in slices. Written from what real servers sent (`testdata/captures/wais`), and without the
//! code of the client, so that one checks the other.

mod database;
mod fruit;
mod message;
mod server;

pub use database::{Database, Document, identifier};
pub use fruit::fruit;
pub use server::Server;
