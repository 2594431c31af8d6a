//! Starts servers of `scripts/servers`, which then run until no process of this clone uses them.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// Starts what does not run of some servers, of all without names; returns what `servers.json` lists, or
/// `None` if no servers are wanted.
pub(crate) fn start(names: &[&str]) -> Option<Value> {
    // A shared lock says that the servers are used. The system ends it with this process.
    static USED: OnceLock<File> = OnceLock::new();
    let run = root().join("target/servers/run");
    let is_wanted = std::env::var("LOCATOR_NO_SERVERS").map_or(true, |value| value != "1");
    if is_wanted {
        USED.get_or_init(|| used(&run));
    }
    let start = root().join("scripts/servers/start");
    let output = Command::new(start).arg("--while-used").args(names).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    if !is_wanted {
        println!("{}", String::from_utf8_lossy(&output.stdout));
        return None;
    }
    Some(serde_json::from_slice(&std::fs::read(run.join("servers.json")).unwrap()).unwrap())
}

fn used(run: &Path) -> File {
    std::fs::create_dir_all(run).unwrap();
    let users = File::options().append(true).create(true).open(run.join("users")).unwrap();
    users.lock_shared().unwrap();
    users
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
