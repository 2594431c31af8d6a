//! Runs git and reads what it prints, which may be long.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs git in a directory, and reads what it prints.
pub(super) fn git<T>(
    directory: &Path,
    arguments: &[impl AsRef<OsStr>],
    read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
) -> Result<T, String> {
    let mut git = Command::new("git");
    git.args(["-c", "core.quotePath=false", "-c", "diff.relative=false"]).args(arguments);
    let started =
        git.current_dir(directory).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = started.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "git is not installed, which compares the files".to_owned(),
        _ => format!("git cannot be run: {error}"),
    })?;
    let (result, errors) = outputs(child, read).map_err(|error| format!("git cannot be read: {error}"))?;
    match (result, errors) {
        (Some(result), _) => Ok(result),
        (None, errors) => {
            let first = errors.lines().find(|line| !line.is_empty()).unwrap_or("git failed");
            Err(format!("git says: {}", first.trim_start_matches("fatal: ")))
        }
    }
}

/// Reads the output of a child to its end: `None` if it failed, and what it said about it.
fn outputs<T>(
    mut child: Child,
    read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
) -> io::Result<(Option<T>, String)> {
    let (Some(mut out), Some(mut err)) = (child.stdout.take(), child.stderr.take()) else {
        return Ok((None, String::new()));
    };
    // Neither pipe may fill up while the other one is read.
    let errors = std::thread::spawn(move || {
        let mut errors = Vec::new();
        err.read_to_end(&mut errors).map(|_| String::from_utf8_lossy(&errors).into_owned())
    });
    let result = read(&mut BufReader::new(&mut out as &mut dyn Read));
    // After an error of reading git ends, too, because the pipe is closed.
    drop(out);
    let status = child.wait()?;
    let errors = errors.join().unwrap_or_else(|_| Ok(String::new()))?;
    let result = if status.success() { Some(result?) } else { None };
    Ok((result, errors))
}

/// Reads an output of one line.
pub(super) fn one_line(out: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    out.read_to_end(&mut line)?;
    Ok(line.trim_ascii_end().to_vec())
}
