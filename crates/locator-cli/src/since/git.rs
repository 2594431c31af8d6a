//! Runs git and reads what it prints, which may be long.
//!
//! The repository may be that of somebody else, whose configuration and attributes name programs. git starts none of
//! them: filters, the monitor of files, hooks, programs for differences and texts, pagers, helpers for logins and
//! transports are turned off, by options that take precedence over the configuration of the repository
//! (git-config(1), gitattributes(5)). What is left of the environment says where the repository is.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What git is told before the command, whatever the repository says. An empty value names no program.
const SETTINGS: [&str; 18] = [
    "core.quotePath=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.untrackedCache=false",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=false",
    "core.gitProxy=",
    "credential.helper=",
    "diff.relative=false",
    "diff.ignoreSubmodules=all",
    "submodule.recurse=false",
    "protocol.allow=never",
    "maintenance.auto=false",
    "gc.auto=0",
    // Files of the checkout may look like a repository.
    "safe.bareRepository=explicit",
    "advice.detachedHead=false",
];

/// The variables that say where the repository and the user's own configuration are, and which versions of git are
/// run. All others whose names begin with "GIT_" are removed.
const KEPT: [&str; 15] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_EXEC_PATH",
    "GIT_DEFAULT_HASH",
    "GIT_REPLACE_REF_BASE",
];

/// The variables that are set: nothing is fetched, nobody is asked, nothing is written.
const SET: [(&str, &str); 7] = [
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_PROTOCOL_FROM_USER", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_ATTR_NOSYSTEM", "1"),
];

/// Runs git for a repository, none of whose programs is started.
#[derive(Debug, Default)]
pub(super) struct Git {
    /// The options that turn off the filters of the repository.
    filters: Vec<OsString>,
}

impl Git {
    /// Asks which filters the repository in a directory has.
    pub(super) fn of(directory: &Path) -> Result<Self, String> {
        let names = ["config", "-z", "--name-only", "--get-regexp", "^filter\\."];
        // The status is 1 if there is none, and that of another error is found by the next command.
        let names = Self::default()
            .run(directory, &names, |out| out.split(0).collect::<io::Result<Vec<_>>>())
            .unwrap_or_default();
        Ok(Self { filters: without_filters(&names)? })
    }

    /// Runs git in a directory, and reads what it prints.
    pub(super) fn run<T>(
        &self,
        directory: &Path,
        arguments: &[impl AsRef<OsStr>],
        read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
    ) -> Result<T, String> {
        let mut git = Command::new("git");
        git.arg("--no-pager").args(SETTINGS.iter().flat_map(|setting| ["-c", *setting]));
        git.args(&self.filters).args(arguments);
        for (name, _) in env::vars_os() {
            let is_of_git = name.to_string_lossy().to_ascii_uppercase().starts_with("GIT_");
            if is_of_git && !KEPT.iter().any(|kept| name == *kept) {
                git.env_remove(name);
            }
        }
        run(git.envs(SET).current_dir(directory), read)
    }
}

/// Returns the options that turn filters off, by the names of their settings: `filter.lfs.clean`.
fn without_filters(names: &[Vec<u8>]) -> Result<Vec<OsString>, String> {
    let mut options = Vec::new();
    for name in names {
        let name = str::from_utf8(name).ok().filter(|name| !name.contains('='));
        let name = name.ok_or("the repository has a filter whose name cannot be written in an option")?;
        let Some((filter, key)) = name.rsplit_once('.') else { continue };
        match key {
            "clean" | "smudge" | "process" => options.extend(["-c".into(), format!("{name}=").into()]),
            "required" => options.extend(["-c".into(), format!("{filter}.required=false").into()]),
            _ => {}
        }
    }
    Ok(options)
}

fn run<T>(
    git: &mut Command,
    read: impl FnOnce(&mut BufReader<&mut dyn Read>) -> io::Result<T>,
) -> Result<T, String> {
    let started = git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
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
