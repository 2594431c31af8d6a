//! Runs the command with arguments and input, and returns its output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::thread;

/// Returns the command, with an environment that does not affect it.
pub(crate) fn locator(arguments: &[impl AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locator"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "NNTPSERVER"] {
        command.env_remove(name);
    }
    // Nor does the user's configuration.
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

/// Starts it; what it says on standard error is that of the tests.
pub(crate) fn start(arguments: &[&str]) -> (Child, ChildStdin) {
    let mut command = locator(arguments);
    let mut child = command.stderr(Stdio::inherit()).spawn().expect("the command is built");
    let stdin = child.stdin.take().expect("it was asked for as a pipe");
    (child, stdin)
}

/// Its answers, as they come.
pub(crate) fn answers(child: &mut Child) -> BufReader<impl Read + use<>> {
    BufReader::new(child.stdout.take().expect("it was asked for as a pipe"))
}

/// How it ends.
pub(crate) fn exit(mut child: Child) -> Option<i32> {
    child.wait().expect("a child can be waited for").code()
}

/// Returns the number of the signal that ended a run. A shell has the status 128 and this number, and
/// ends a loop.
#[cfg(unix)]
pub(crate) fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Closes the output after the first line: the command must end without a message.
pub(crate) fn ends_quietly(arguments: &[&str], more: &str) {
    let mut child = locator(arguments).spawn().expect("the command is built");
    let mut stdin = child.stdin.take().expect("it was asked for as a pipe");
    let mut answers = answers(&mut child);
    stdin.write_all(b"http://first/\n").expect("it reads");
    let mut line = String::new();
    answers.read_line(&mut line).expect("an answer is text");
    assert_eq!(line, "http://first/\n");
    drop(answers);
    // Until the pipe to it is closed as well, since it has ended.
    while stdin.write_all(more.as_bytes()).is_ok() {}
    let output = child.wait_with_output().expect("a child can be waited for");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

/// A folder of the cases.
pub(crate) fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}
