//! Arguments and octets in, what the command answers out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// The command, with an environment that has no say.
pub(crate) fn locator(arguments: &[impl AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locator"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NNTPSERVER"] {
        command.env_remove(name);
    }
    // Nor has a configuration of who runs the tests.
    command.env("XDG_CONFIG_HOME", testdata("nowhere")).env("HOME", testdata("nowhere"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it on octets to its end.
pub(crate) fn run(command: &mut Command, stdin: Vec<u8>) -> Output {
    let mut child = command.spawn().expect("the command is built and can be started");
    let mut to = child.stdin.take().expect("it was asked for as a pipe");
    // In a thread, since it may answer before all is written. It may also end before.
    let writer = thread::spawn(move || drop(to.write_all(&stdin)));
    let output = child.wait_with_output().expect("a child can be waited for");
    writer.join().expect("writing does not panic");
    output
}

/// A folder of the cases.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}
