//! The options of cookies, which have curl's names: takes files in Netscape's format, and writes one at the
//! end.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use locator_fetch::http::CookieJar;
use locator_fetch::save;

use crate::exit::{CliError, say, say_error, say_warning};
use crate::input::files::Named;
use crate::output::Output;
use crate::report::reports::plural;
use crate::terminal::visible;

/// The options of cookies.
#[derive(Args, Debug)]
pub(super) struct CookieArgs {
    /// Send cookies: "NAME=VALUE", several separated by "; ", to the origin of the given URL only; or those in
    /// FILE (Netscape format), to their own hosts; cookies of responses are then kept in memory
    #[arg(short = 'b', long, value_name = "COOKIES|FILE")]
    cookie: Vec<String>,
    /// Keep the cookies of responses, and write all to FILE at the end; "-" is standard output
    #[arg(short = 'c', long, value_name = "FILE")]
    cookie_jar: Option<OsString>,
    /// Ignore session cookies in the files of --cookie
    #[arg(short = 'j', long)]
    junk_session_cookies: bool,
}

impl CookieArgs {
    /// Returns the cookies that are given themselves, as the value of a header. As in curl, what has no "=" is
    /// a file.
    pub(super) fn given(&self) -> Result<Option<String>, CliError> {
        let given: Vec<_> =
            self.cookie.iter().map(String::as_str).filter(|word| word.contains('=')).collect();
        // "CTL characters" end a cookie or are no part of one (RFC 6265bis, 4.1.1).
        if given.iter().any(|word| word.chars().any(char::is_control)) {
            say_error("--cookie: control characters are not allowed in a cookie");
            return Err(CliError::Reported);
        }
        Ok((!given.is_empty()).then(|| given.join("; ")))
    }

    /// Returns the files that cookies are read from. An empty name is no file, but keeps cookies.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.cookie.iter().map(String::as_str).filter(|word| !word.contains('=') && !word.is_empty())
    }

    /// Reads the files; `None` if no cookies are kept.
    pub(super) fn jar(&self, is_silent: bool) -> Result<Option<CookieJar>, CliError> {
        if self.cookie_jar.is_none() && self.cookie.iter().all(|word| word.contains('=')) {
            return Ok(None);
        }
        let jar = CookieJar::new();
        for name in self.files() {
            let file = Named(OsStr::new(name));
            // The first run of several has none yet, and writes it.
            if !file.is_stdin() && !Path::new(name).exists() {
                if self.cookie_jar.as_deref() != Some(OsStr::new(name)) && !is_silent {
                    say(&format!(
                        "--cookie: {} does not exist, so no cookies are sent from it",
                        file.shown()
                    ));
                }
                continue;
            }
            let wrong = jar.read(&file.read()?) as u64;
            if wrong > 0 && !is_silent {
                let lines = plural(wrong, "line");
                let shown = file.shown();
                say_warning(&format!(
                    "--cookie: {lines} of {shown} ignored: not in the Netscape cookie format"
                ));
            }
        }
        if self.junk_session_cookies {
            jar.remove_session_cookies();
        }
        Ok(Some(jar))
    }

    /// Writes the cookies to the file of `--cookie-jar`.
    pub(super) fn write(&self, jar: &CookieJar, out: &mut Output) -> Result<(), CliError> {
        let Some(name) = &self.cookie_jar else { return Ok(()) };
        if Named(name).is_stdin() || name == "/dev/stdout" {
            return Ok(out.write_all(&jar.write()).and_then(|()| out.flush())?);
        }
        write(Path::new(name), &jar.write()).map_err(|error| {
            say_error(&format!(
                "--cookie-jar: cannot write \"{}\": {error}",
                visible(&name.to_string_lossy())
            ));
            CliError::Reported
        })
    }
}

/// Writes a file as a whole: a new one takes its place, so an interrupted run leaves the old one. Cookies are
/// secrets, so only the user can read a new file. A symbolic link stays one, and a pipe is written to.
fn write(path: &Path, octets: &[u8]) -> io::Result<()> {
    if save::is_device(path) || fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(octets);
    }
    let path = &target(path)?;
    let old = match OpenOptions::new().write(true).open(path) {
        // A directory may be writable, and a file in it not.
        Ok(old) => Some(old.metadata()?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut new =
        tempfile::Builder::new().prefix(".locator-").tempfile_in(folder.unwrap_or(Path::new(".")))?;
    new.write_all(octets)?;
    if let Some(old) = old {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.persist(path)?;
    Ok(())
}

/// Returns the file that a symbolic link leads to, which may not be there yet; other names unchanged.
fn target(path: &Path) -> io::Result<PathBuf> {
    // The system follows as many.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        if !path.is_symlink() {
            return Ok(path);
        }
        let next = fs::read_link(&path)?;
        path = path.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    Err(io::Error::other("too many symbolic links"))
}
