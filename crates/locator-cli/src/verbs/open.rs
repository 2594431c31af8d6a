//! The verb `open`: shows a URL in the browser of the user, by a gateway of [`serve`](super::serve) that it finds or starts. A URL
//! of the web or of mail goes to the browser itself.
//!
//! A gateway that runs is found by a file with its address ([`Running`]). The address may have a key, so only the user can
//! read the file.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use clap::Args;
use locator::plan::{Local, Options, Step};
use locator::{AsciiSet, PctString, Uri, UriRef, scheme};
use locator_fetch::blocking::Fetcher;

use crate::arguments::{EditionArg, before_dashes};
use crate::exit::{CliError, Status, say, say_error, say_help, say_unwrapped};
use crate::input::files::only_line;
use crate::input::{Input, Origin, reading};
use crate::output::Output;
use crate::pasted;
use crate::report::failure::Failure;
use crate::report::{Reports, browser};

/// Open a URL of any scheme in the browser
///
/// Finds the gateway of 'locator serve', or starts one in the background, and opens its page of the
/// URL. URLs of http, https and mailto go to the browser directly.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OpenArgs {
    /// The URL to open; "-" reads it from standard input
    #[arg(value_name = "URL", required = true)]
    url: OsString,
    /// Print the address of the page, and open nothing
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    by: EditionArg,
}

/// After the options: examples and exit status.
const EXAMPLES: &str = "\
The browser is that of the environment variable BROWSER, else the one of the
desktop (xdg-open; wslview on Windows' Linux; open on macOS). A gateway that
was started in the background runs until it is ended with the session.

Examples:
  locator open gopher://gopher.example/
  locator open ftp://ftp.example/pub/
  locator open --print whois://whois.example/example.com
  BROWSER=lynx locator open gopher://gopher.example/

Exit status:
  0    the browser was started, or the address is printed
  1    the URL is not valid
  2    no browser or gateway could be started, or wrong usage";

/// Opens the URL.
pub(crate) fn run(args: &OpenArgs, out: &mut Output) -> Result<Status, CliError> {
    let is_stdin = args.url == "-" && before_dashes(1) == 1;
    let given = if is_stdin { only_line()? } else { args.url.as_encoded_bytes().to_vec() };
    let unwrapped = if is_stdin { None } else { pasted::unwrapped(&given, args.by.edition) };
    if let Some(url) = &unwrapped {
        say_unwrapped(url);
    }
    let octets = unwrapped.as_deref().map_or(&*given, str::as_bytes);
    let input = Input { octets, number: 1, origin: Origin::Argument, alone: true, list: None, column: None };
    let url = match reading::read(octets, args.by.edition) {
        Ok(parsed) => parsed.reference,
        Err(error) => {
            Reports::default().report(&mut out.errors(), input, &Failure::not_read(error, octets));
            return Ok(Status::NotValid);
        }
    };
    if url.scheme().is_none() || pasted::is_host_with_port(url.as_str()) {
        Reports::default().report(&mut out.errors(), input, &Failure::no_scheme(octets));
        return Ok(Status::NotValid);
    }
    browser::say_other_host(url);
    let own = own(url).transpose().map_err(failed)?;
    let gateway = if own.is_none() { find_or_start().map_err(failed)? } else { String::new() };
    if args.print {
        writeln!(out, "{}", own.unwrap_or_else(|| page(&gateway, url)))?;
        out.flush()?;
        return Ok(Status::Valid);
    }
    let address = match own {
        Some(own) => own,
        // Other users of the machine see what a program is started with.
        None if has_key(&gateway) => once(&gateway, url.as_str()).map_err(failed)?,
        None => page(&gateway, url),
    };
    open(&address).map_err(|why| {
        say_error(&why);
        say_help("set the environment variable BROWSER to a browser, or use --print for the address");
        CliError::Reported
    })?;
    Ok(Status::Valid)
}

/// Shows how programs read a URL in the browser, for `audit --open`: the page of a gateway that runs, or of
/// one that is started. Without a display, prints its address.
///
/// # Errors
///
/// No gateway could be started, or the address cannot be written.
pub(super) fn show_readings(url: &str, out: &mut Output) -> Result<(), CliError> {
    let gateway = match find_or_start() {
        // Other users of the machine see what a browser is started with: not the key.
        Ok(gateway) if has_key(&gateway) => start(&["--listen", "127.0.0.1:0"]),
        found => found,
    };
    let gateway = gateway.map_err(failed)?;
    let address = [&gateway, "read?url=", PctString::encode(url, AsciiSet::UNRESERVED).as_str()].concat();
    if has_display() {
        match open(&address) {
            Ok(()) => return Ok(()),
            Err(why) => say(&why),
        }
    }
    writeln!(out, "{address}")?;
    Ok(out.flush()?)
}

/// Returns whether a browser can show itself: one that the user has chosen, or one on a desktop.
fn has_display() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_desktop = cfg!(any(windows, target_os = "macos")) || is_wsl();
    is_desktop || ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(is_set)
}

/// Returns the address of the page of a URL.
fn page(gateway: &str, url: UriRef<'_>) -> String {
    [gateway, "u/", PctString::encode(url.as_str(), AsciiSet::UNRESERVED).as_str()].concat()
}

fn failed(why: String) -> CliError {
    say_error(&why);
    CliError::Reported
}

/// Returns what the browser is given for a URL that it opens itself: of the web the URL, of mail the draft
/// that it means, without fields that could do harm. `None` for others.
///
/// # Errors
///
/// The draft cannot be opened safely.
pub(super) fn own(url: UriRef<'_>) -> Option<Result<String, String>> {
    let name = url.scheme()?.as_str().to_ascii_lowercase();
    match &*name {
        "http" | "https" => Some(Ok(url.as_str().to_owned())),
        "mailto" => Some(draft(url)),
        _ => None,
    }
}

fn draft(url: UriRef<'_>) -> Result<String, String> {
    let uri = Uri::try_from(url).map_err(|error| error.to_string())?;
    let plan = scheme::plan(uri, &Options::new()).map_err(|error| error.to_string())?;
    let draft = plan.all_steps().find_map(|step| match step {
        Step::Local(Local::Draft(draft)) => Some(draft.to_url()),
        _ => None,
    });
    let draft = draft.ok_or("the URL is not a draft of a mail")?;
    // For some programs xdg-email writes body='…' without escapes: a "'" could attach a file.
    match draft.contains("%27") || draft.contains('\'') {
        true => Err("the draft contains a \"'\", which mail programs may take for the end of a value".into()),
        false => Ok(draft),
    }
}

/// Shows an address in the browser.
///
/// # Errors
///
/// No program could be started.
pub(super) fn open(address: &str) -> Result<(), String> {
    let mut tried = Vec::new();
    for words in programs(env::var("BROWSER").ok().as_deref(), is_wsl()) {
        let words = with_address(&words, address);
        match run_browser(&words) {
            Ok(()) => return Ok(()),
            Err(why) => tried.push(format!("{}: {why}", words[0])),
        }
    }
    Err(format!("no browser could be started ({})", tried.join("; ")))
}

/// Returns the programs to try, in order. "BROWSER" is a list of commands that ":" divides, in which "%s" is
/// the address, as other programs read it.
fn programs(chosen: Option<&str>, is_wsl: bool) -> Vec<Vec<String>> {
    let words = |command: &str| command.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let chosen = chosen.unwrap_or_default().split(if cfg!(windows) { ';' } else { ':' });
    let mut programs: Vec<_> = chosen.map(words).filter(|words| !words.is_empty()).collect();
    if is_wsl {
        programs.push(words("wslview"));
    }
    programs.push(words(match () {
        () if cfg!(target_os = "macos") => "open",
        () if cfg!(windows) => "rundll32 url.dll,FileProtocolHandler",
        () => "xdg-open",
    }));
    programs
}

fn with_address(words: &[String], address: &str) -> Vec<String> {
    let mut command: Vec<_> = words.iter().map(|word| word.replace("%s", address)).collect();
    if !words.iter().any(|word| word.contains("%s")) {
        command.push(address.into());
    }
    command
}

/// Runs a program to its end: a text browser uses the terminal, and those of the desktop return at once.
fn run_browser(words: &[String]) -> Result<(), String> {
    let (program, arguments) = words.split_first().ok_or("no command")?;
    let status = Command::new(program).args(arguments).stdin(Stdio::inherit()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns whether this is Linux on Windows, where `wslview` opens the browser of Windows.
fn is_wsl() -> bool {
    let version = fs::read_to_string("/proc/version").unwrap_or_default().to_ascii_lowercase();
    cfg!(target_os = "linux") && version.contains("microsoft")
}

/// How long a gateway may take until it answers.
const START: Duration = Duration::from_secs(10);

/// Finds a gateway, or starts one.
///
/// # Errors
///
/// None could be started.
fn find_or_start() -> Result<String, String> {
    if let Some(address) = find() {
        return Ok(address);
    }
    // Another program may have the usual port, or another `locator open` has started a gateway there.
    start(&[]).or_else(|why| find().ok_or(why)).or_else(|_| start(&["--listen", "127.0.0.1:0"]))
}

/// Returns whether the address of a gateway has a key.
pub(super) fn has_key(address: &str) -> bool {
    UriRef::parse(address).is_ok_and(|url| url.path().as_str().len() > 1)
}

/// Returns an address that leads to the page of a URL once, without the key.
///
/// # Errors
///
/// The gateway does not answer.
pub(super) fn once(address: &str, url: &str) -> Result<String, String> {
    let fetcher = Fetcher::for_user_input().timeout(Duration::from_secs(10)).max_size(1024);
    let request = fetcher.request(&*format!("{address}once")).form(&[("url", url)]);
    let answer = request.send().and_then(|response| response.text());
    // The error of a request names its URL, which has the key.
    let path = answer.ok().filter(|path| path.starts_with("/once/"));
    let path = path.ok_or("the gateway did not answer; end it, and try again")?;
    let origin = UriRef::parse(address).ok().and_then(UriRef::origin);
    let origin = origin.ok_or("the address of the gateway is not a URL")?;
    Ok([origin.as_str(), path.trim_end()].concat())
}

fn find() -> Option<String> {
    address().filter(|address| answers(address))
}

/// Returns whether a gateway answers at an address. The file with the address is from us, but the gateway
/// may have ended, and another program may have its port.
fn answers(address: &str) -> bool {
    let fetcher = Fetcher::for_user_input().timeout(Duration::from_secs(2)).max_size(64);
    let answer = fetcher.fetch(&*format!("{address}ping")).and_then(|response| response.text());
    answer.is_ok_and(|text| text.trim_end() == "locator serve")
}

fn start(options: &[&str]) -> Result<String, String> {
    let cannot = |why: String| format!("the gateway cannot be started: {why}");
    let before = address();
    let program = env::current_exe().map_err(|error| cannot(error.to_string()))?;
    let mut command = Command::new(program);
    command.arg("serve").args(options);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C at the terminal is for the browser.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| cannot(error.to_string()))?;
    wait(&mut child, before.as_deref()).map_err(cannot)
}

/// Waits until the gateway answers. `before` is the address of one that has ended; the new one may have the
/// same.
fn wait(child: &mut Child, before: Option<&str>) -> Result<String, String> {
    let begin = Instant::now();
    while begin.elapsed() < START {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Err(status.to_string());
        }
        let address = address();
        let is_new = address.as_deref() != before || begin.elapsed() > Duration::from_millis(200);
        if let Some(address) = address.filter(|address| is_new && answers(address)) {
            return Ok(address);
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err("it does not answer".into())
}

/// How many octets an address may have.
const LONGEST: u64 = 1024;

/// The file of this gateway, which is removed with it.
#[derive(Debug)]
pub(in crate::verbs) struct Running {
    path: PathBuf,
    address: String,
    /// The open file. It is locked as long as this process lives, whatever ends it.
    _locked: fs::File,
}

impl Running {
    /// Writes the address of a gateway that listens. That of another one, which ended or is older, is
    /// replaced.
    pub(in crate::verbs) fn write(address: &str) -> io::Result<Self> {
        let directory = directory()?;
        let mut file = tempfile::NamedTempFile::new_in(&directory)?;
        writeln!(file, "{address}")?;
        #[cfg(unix)]
        file.as_file().lock()?;
        let path = directory.join(NAME);
        let locked = file.persist(&path)?;
        Ok(Self { path, address: address.into(), _locked: locked })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Another gateway may have been started since.
        if fs::File::open(&self.path).ok().and_then(text).as_deref() == Some(&*self.address) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns the address of a gateway that runs. Since one that was killed leaves its file, and anybody may
/// listen at its port then, the file counts only as long as it is locked.
pub(super) fn address() -> Option<String> {
    let file = fs::File::open(directory().ok()?.join(NAME)).ok()?;
    is_locked(&file).then(|| text(file)).flatten()
}

#[cfg(unix)]
fn is_locked(file: &fs::File) -> bool {
    matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock))
}

/// Other systems do not let a file be read that another process has locked.
#[cfg(not(unix))]
fn is_locked(_: &fs::File) -> bool {
    true
}

/// The name of the file.
const NAME: &str = "serve";

/// Reads an address.
fn text(file: fs::File) -> Option<String> {
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text.trim_end().to_owned()).filter(|text| UriRef::parse(text).is_ok_and(UriRef::is_web))
}

/// Returns the directory of the file: below the user's own for such files (XDG Base Directory
/// Specification), else below the one for temporary files. Others must not be able to write it: they could
/// lead the user to a gateway of theirs.
fn directory() -> io::Result<PathBuf> {
    let own = dirs::runtime_dir().filter(|directory| directory.is_absolute());
    let directory = match own {
        Some(directory) => directory.join("locator"),
        None => env::temp_dir().join(["locator-", &user()].concat()),
    };
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(&directory) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    check(&directory)?;
    Ok(directory)
}

/// Checks that a directory is the user's alone, and is no link to another.
#[cfg(unix)]
fn check(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::symlink_metadata(directory)?;
    let is_own =
        found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && found.mode() & 0o077 == 0;
    let why = "the directory of the gateway's address is not the user's alone";
    if is_own { Ok(()) } else { Err(io::Error::new(io::ErrorKind::PermissionDenied, why)) }
}

/// The temporary directory of other systems is the user's own.
#[cfg(not(unix))]
fn check(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn user() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

#[cfg(not(unix))]
fn user() -> String {
    "user".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_the_user_come_first() {
        let programs = programs(Some("lynx:w3m -X %s::"), true);
        let lines: Vec<_> = programs.iter().map(|words| with_address(words, "http://h/").join(" ")).collect();
        assert_eq!(lines[..3], ["lynx http://h/", "w3m -X http://h/", "wslview http://h/"]);
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn only_the_web_and_mail_are_the_browsers() {
        let own = |url| own(UriRef::parse(url).unwrap());
        assert_eq!(own("HTTP://h/a?b"), Some(Ok("HTTP://h/a?b".into())));
        assert_eq!(own("mailto:a@h?bcc=b@h&subject=c"), Some(Ok("mailto:a@h?subject=c".into())));
        assert!(matches!(own("mailto:a@h?subject='"), Some(Err(_))));
        assert_eq!(own("gopher://h/"), None);
    }
}
