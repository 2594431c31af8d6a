//! Options of wget, and some of curl, that have another name in `get`: takes an option, returns the options of `get`
//! that do the same. What has no equal is explained by the error of an unknown option (`verbs/get/curl.rs`).

use crate::pasted;

/// What an option is in `get`.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// What `get` does anyway; a value is ignored.
    Nothing,
    /// The same, and it has a value.
    NothingOfValue,
    /// These arguments.
    Options(&'static [&'static str]),
    /// This option with the same value.
    Same(&'static str),
    /// The arguments for a value; `None` if it has none.
    OfValue(fn(&str) -> Option<Vec<String>>),
    /// These arguments, and each URL is saved under its own name, as wget does.
    Saving(&'static [&'static str]),
    /// The directory to save to.
    Folder,
}

impl Meaning {
    /// Returns whether a value follows the option.
    pub(super) const fn takes_value(self) -> bool {
        matches!(self, Self::NothingOfValue | Self::Same(_) | Self::OfValue(_) | Self::Folder)
    }
}

use Meaning::{Folder, Nothing, NothingOfValue, OfValue, Options, Same, Saving};

/// The long options, in their order.
const LONG: &[(&str, Meaning)] = &[
    ("ask-password", Nothing),
    ("body-data", Same("data-raw")),
    ("body-file", OfValue(file_to_send)),
    ("ca-certificate", Same("cacert")),
    ("certificate", Same("cert")),
    ("compression", OfValue(compression)),
    ("content-disposition", Options(&["-O", "-J"])),
    ("continue", Saving(&["-C", "-"])),
    ("debug", Options(&["-v"])),
    ("delete-after", Options(&["-o", "/dev/null"])),
    ("directory-prefix", Folder),
    ("disable", Nothing),
    ("execute", OfValue(robots)),
    ("ftp-password", Same("password")),
    ("ftp-pasv", Nothing),
    ("ftp-user", Same("user")),
    ("http-password", Same("password")),
    ("http-user", Same("user")),
    ("https-only", Options(&["--proto==https"])),
    ("inet4-only", Options(&["-4"])),
    ("inet6-only", Options(&["-6"])),
    ("input-file", Same("file")),
    ("keep-session-cookies", Nothing),
    ("keepalive-time", NothingOfValue),
    ("load-cookies", Same("cookie")),
    ("max-redirect", Same("max-redirs")),
    ("method", Same("request")),
    ("mirror", Options(&["-r", "--newer"])),
    ("no-cache", Options(&["--header=Cache-Control: no-cache"])),
    ("no-certificate-check", Options(&["-k"])),
    ("no-check-certificate", Options(&["-k"])),
    ("no-clobber", Nothing),
    ("no-config", Nothing),
    ("no-cookies", Nothing),
    ("no-host-directories", Nothing),
    ("no-hsts", Nothing),
    ("no-keepalive", Nothing),
    ("no-parent", Nothing),
    ("no-proxy", Options(&["--noproxy=*"])),
    ("no-sessionid", Nothing),
    ("no-verbose", Options(&["--no-progress-meter"])),
    ("oauth2-bearer", OfValue(bearer)),
    ("output-document", Same("output")),
    ("post-data", Same("data-raw")),
    ("post-file", OfValue(file_to_send)),
    ("private-key", Same("key")),
    ("progress", NothingOfValue),
    ("save-cookies", Same("cookie-jar")),
    ("show-progress", Nothing),
    ("spider", Options(&["-I"])),
    ("start-pos", OfValue(start)),
    ("tcp-nodelay", Nothing),
    ("timeout", OfValue(timeout)),
    ("tries", OfValue(tries)),
    ("waitretry", Same("retry-delay")),
];

/// Arguments of several letters that wget reads as one option.
const WORDS: &[(&str, &[&str])] = &[
    ("-O-", &["-o", "-"]),
    ("-nH", &[]),
    ("-nc", &[]),
    ("-np", &[]),
    ("-nv", &["--no-progress-meter"]),
    ("-qO-", &["-s", "-o", "-"]),
];

/// Returns what a long option is; `None` for one of `get`, and one that is not known.
pub(super) fn long(name: &str) -> Option<Meaning> {
    let at = LONG.binary_search_by_key(&name, |(known, _)| known).ok()?;
    LONG.get(at).map(|(_, meaning)| *meaning)
}

/// Returns what an option of one letter is that `get` has not.
pub(super) const fn short(letter: char) -> Option<Meaning> {
    match letter {
        't' => Some(OfValue(tries)),
        'P' => Some(Folder),
        _ => None,
    }
}

/// Returns the arguments that a word is in `get`.
pub(super) fn word(argument: &str) -> Option<&'static [&'static str]> {
    WORDS.iter().find(|(known, _)| *known == argument).map(|(_, options)| *options)
}

/// Returns what is wrong with an option of curl whose value is one for the option of wget with the same letter.
pub(super) fn mistaken(letter: char, value: Option<&str>, after: Option<&str>) -> Option<String> {
    let has_scheme = |text: &str| pasted::has_scheme(text.as_bytes());
    let value = value?;
    Some(match letter {
        'c' if has_scheme(value) => {
            "-c FILE writes cookies to FILE, as in curl; to resume a download as wget does, use -C - -O"
                .into()
        }
        'm' if has_scheme(value) => {
            "-m SECONDS limits the time, as in curl; to mirror a directory as wget does, use -r --newer"
                .into()
        }
        'A' if value.starts_with(['*', '.']) => {
            format!(
                "-A TEXT is --user-agent, as in curl; to save only these files as wget does, use --accept '{value}'"
            )
        }
        'R' if value.starts_with(['*', '.']) => {
            format!(
                "-R is --remote-time, as in curl; to leave files out as wget does, use --reject '{value}'"
            )
        }
        'O' if !value.starts_with('-') && !value.contains([':', '/']) && after.is_some_and(has_scheme) => {
            format!("-O takes no FILE, as in curl; to save to \"{value}\", use -o {value}")
        }
        _ => return None,
    })
}

/// Returns what is wrong with an option whose value is the only URL: in another program the letter has no value.
pub(super) fn swallowed(letter: char, value: &str) -> Option<String> {
    let is_swallowed =
        "bdDFHoTuw".contains(letter) && value.contains("://") && pasted::has_scheme(value.as_bytes());
    is_swallowed.then(|| {
        format!(
            "-{letter} takes a value, as in curl, and the URL was taken for it; give the value before the URL, or \
             leave -{letter} out"
        )
    })
}

fn file_to_send(file: &str) -> Option<Vec<String>> {
    Some(vec![format!("--data-binary=@{file}")])
}

fn compression(form: &str) -> Option<Vec<String>> {
    Some(if form == "none" { Vec::new() } else { vec!["--compressed".into()] })
}

/// wget's `-e robots=off`: `get` reads no robots.txt.
fn robots(command: &str) -> Option<Vec<String>> {
    let (name, _) = command.split_once('=')?;
    name.trim().eq_ignore_ascii_case("robots").then(Vec::new)
}

fn bearer(token: &str) -> Option<Vec<String>> {
    Some(vec![format!("--header=Authorization: Bearer {token}")])
}

fn start(offset: &str) -> Option<Vec<String>> {
    Some(vec![format!("--range={offset}-")])
}

fn timeout(seconds: &str) -> Option<Vec<String>> {
    Some(match seconds {
        "0" => Vec::new(),
        seconds => ["--connect-timeout", "--idle-timeout"].map(|name| format!("{name}={seconds}")).into(),
    })
}

/// wget counts tries, and 0 is no limit; `get` counts retries.
fn tries(number: &str) -> Option<Vec<String>> {
    let retries = match number {
        "0" | "inf" => u32::MAX,
        number => number.parse::<u32>().ok()?.saturating_sub(1),
    };
    Some(vec![format!("--retry={retries}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_is_there_once() {
        assert!(LONG.is_sorted_by(|one, other| one.0 < other.0));
        let mut command = crate::command();
        command.build();
        let get = command.find_subcommand("get").unwrap();
        let is_own = |name: &str| {
            get.get_arguments().any(|own| {
                own.get_long() == Some(name)
                    || own.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
            })
        };
        for (name, meaning) in LONG {
            assert!(!is_own(name), "--{name} is an option of get");
            if let Same(own) = meaning {
                assert!(is_own(own), "--{own}, for --{name}, is none");
            }
        }
    }
}
