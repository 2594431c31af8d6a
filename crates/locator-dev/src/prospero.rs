//! A small Prospero server to test clients against: the directory protocol, version 5, over ARDP. It
//! takes a tree of files and returns answers as the server of Archie 3.5 wrote them in 1994, which
//! the captures in `testdata/captures/prospero` show.
//!
//! It shares no code with the client of `locator-fetch`.

mod answers;
mod ardp;
mod directory;
mod quoting;
mod server;

pub use answers::Directory;
pub use directory::{Contents, Kind, Node};
pub use server::{Faults, Options, serve, start};
