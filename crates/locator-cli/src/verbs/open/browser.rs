//! The browser of the user: takes an address, and starts the program that shows it.

use std::env;
use std::fs;
use std::process::{Command, Stdio};

use locator::plan::{Local, Options, Step};
use locator::{Uri, UriRef, scheme};

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
        match start(&words) {
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
fn start(words: &[String]) -> Result<(), String> {
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
