//! Command lines of curl: takes the arguments of `get`, and returns the lines that they are, with the options as
//! `get` has them.
//!
//! Some options of curl have another meaning here, or none that a parser of options could have: `-r RANGE` is
//! `--range` (without a range it is recursive, as in wget), `-e URL` is `--referer` (with a name it is the
//! edition), `--json DATA` is `--data-json` (without data it is the form of results), `--url URL` is the URL,
//! `-K FILE` has further options, and `--next` ends a line.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

use super::wget::{self, Meaning};
use crate::input::files::Named;
use crate::pasted;
use crate::terminal::visible;

/// A command line, which is run after the one before it.
#[derive(Debug, Default)]
pub(crate) struct Line {
    /// The arguments, with the name of the command.
    pub(crate) arguments: Vec<OsString>,
    /// Which of [`OF_ALL_LINES`] it has.
    own: Vec<&'static str>,
    /// Whether each URL is saved, as wget does.
    saves: bool,
    /// Whether directories are fetched with everything below them.
    recurses: bool,
    /// Whether it has a URL that is an argument.
    has_url: bool,
}

/// The options that also hold for the lines after `--next`, as in curl, and those that say what may be contacted:
/// a limit that ended with a line would be none.
const OF_ALL_LINES: [&str; 11] = [
    "allow",
    "color",
    "fail-early",
    "parallel",
    "parallel-max",
    "policy",
    "progress-bar",
    "public-only",
    "show-error",
    "show-secrets",
    "verbose",
];

/// Why wget's `-nd`, which would be `-n -d`, is refused.
const NO_FOLDERS: &str = "-nd is -n and -d DATA, as in curl; to save files in the working directory as wget does, \
    use -O, and with -r every file has its directory";

/// How many files `-K` may name, also in each other.
const MOST_FILES: usize = 32;

/// Returns the lines of the command. Only the verb `get` has several.
///
/// # Errors
///
/// A file of `-K` cannot be read, or has a line that is no option.
pub(crate) fn lines(given: Vec<OsString>, command: &Command) -> Result<Vec<Line>, Error> {
    let verb = given.iter().skip(1).position(|argument| command.find_subcommand(argument).is_some());
    let get =
        verb.filter(|at| given[at + 1] == "get").and_then(|at| Some((at, command.find_subcommand("get")?)));
    let Some((at, get)) = get else { return Ok(vec![Line { arguments: given, ..Line::default() }]) };
    let mut given = VecDeque::from(given);
    let rest = given.split_off(at + 2);
    let first = Line { arguments: given.into(), ..Line::default() };
    let begins = first.arguments.len();
    let mut reader = Reader {
        get,
        rest,
        line: first,
        begins,
        lines: Vec::new(),
        of_all: Vec::new(),
        options: Vec::new(),
        files: 0,
    };
    reader.read()?;
    Ok(reader.lines)
}

/// Reads arguments one after the other.
struct Reader<'c> {
    get: &'c Command,
    rest: VecDeque<OsString>,
    line: Line,
    /// How many arguments each line begins with.
    begins: usize,
    lines: Vec<Line>,
    /// The options of the lines before this one that hold for it, too.
    of_all: Vec<(&'static str, Option<OsString>)>,
    /// The same of this line.
    options: Vec<(&'static str, Option<OsString>)>,
    /// How many files were read.
    files: usize,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Error> {
        while let Some(argument) = self.rest.pop_front() {
            if argument == "--" {
                self.line.arguments.push(argument);
                self.line.arguments.extend(self.rest.drain(..));
                break;
            }
            match argument.to_str() {
                Some("-nd") => return Err(self.wrong(NO_FOLDERS)),
                Some(text) if wget::word(text).is_some() => {
                    wget::word(text).into_iter().flatten().for_each(|option| self.push(option));
                }
                Some(text) if text.starts_with("--") => self.long(text.get(2..).unwrap_or_default())?,
                Some(text) if text.len() > 1 && text.starts_with('-') => {
                    self.short(text.get(1..).unwrap_or_default())?;
                }
                _ => {
                    self.line.has_url = true;
                    self.line.arguments.push(argument);
                }
            }
        }
        self.end_line();
        Ok(())
    }

    /// Reads an option with a long name.
    fn long(&mut self, text: &str) -> Result<(), Error> {
        let (name, own) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        match name {
            "next" if own.is_none() => self.next_line(),
            "url" => {
                let Some(url) = own.map(OsString::from).or_else(|| self.rest.pop_front()) else {
                    self.push("--url");
                    return Ok(());
                };
                // What could be an option stays the value of one, which refuses it.
                let is_option = url.as_encoded_bytes().starts_with(b"-");
                self.line.has_url = true;
                self.line.arguments.push(if is_option { joined("--url=", &url) } else { url });
            }
            "curl-config" => return self.config("", own.unwrap_or_default()),
            "json" => match own {
                Some(data) => self.push(&format!("--data-json={data}")),
                None => self.json(),
            },
            _ => {
                if let Some(meaning) = wget::long(name) {
                    let value = match own {
                        _ if !meaning.takes_value() => None,
                        Some(own) => Some(own.into()),
                        None => self.rest.pop_front(),
                    };
                    self.mean(meaning, value, &format!("--{name}"), "=");
                    return Ok(());
                }
                self.line.recurses |= name == "recursive";
                let takes_value = self.argument(|argument| is_named(argument, name)).is_some_and(takes_value);
                let value = if takes_value && own.is_none() { self.rest.pop_front() } else { None };
                self.note(name, own.map(OsString::from).or_else(|| value.clone()));
                self.push(&format!("--{text}"));
                // A value is not an option, whatever it is.
                self.line.arguments.extend(value);
            }
        }
        Ok(())
    }

    /// Reads options of one letter each.
    fn short(&mut self, letters: &str) -> Result<(), Error> {
        for (at, letter) in letters.char_indices() {
            let (before, rest) =
                (letters.get(..at).unwrap_or_default(), letters.get(at + letter.len_utf8()..));
            let own = rest.unwrap_or_default();
            let next =
                if own.is_empty() { self.rest.front().and_then(|next| next.to_str()) } else { Some(own) };
            let means = |has: fn(&str) -> bool| next.is_some_and(has);
            match letter {
                'r' if means(is_range) => return self.instead(before, "--range=", own),
                // wget's '-e robots=off': `get` reads no robots.txt.
                'e' if means(|value| value.starts_with("robots")) => {
                    self.push_letters(before);
                    if own.is_empty() {
                        self.rest.pop_front();
                    }
                    return Ok(());
                }
                'e' if means(is_referrer) => return self.instead(before, "--referer=", own),
                'K' => return self.config(before, own),
                ':' => {
                    self.push_letters(before);
                    self.next_line();
                    return if own.is_empty() { Ok(()) } else { self.short_again(own) };
                }
                'r' if own.is_empty() => {
                    self.line.recurses = true;
                    break;
                }
                'r' => self.line.recurses = true,
                _ => {}
            }
            let after = self.rest.get(usize::from(own.is_empty())).and_then(|after| after.to_str());
            // A letter after -O is another option.
            let value = next.filter(|_| letter != 'O' || own.is_empty());
            let is_only_url = !self.line.has_url && own.is_empty() && after.is_none();
            let swallowed = value.filter(|_| is_only_url).and_then(|value| wget::swallowed(letter, value));
            if let Some(why) = wget::mistaken(letter, value, after).or(swallowed) {
                return Err(self.wrong(&why));
            }
            let argument = self.argument(|argument| argument.get_short() == Some(letter));
            if let Some(meaning) = wget::short(letter).filter(|_| argument.is_none()) {
                self.push_letters(before);
                let value = if own.is_empty() { self.rest.pop_front() } else { Some(own.into()) };
                self.mean(meaning, value, &format!("-{letter}"), "");
                return Ok(());
            }
            let is_valued = argument.is_some_and(takes_value);
            let name = argument.and_then(Arg::get_long).unwrap_or_default().to_owned();
            if is_valued {
                let value = if own.is_empty() { self.rest.pop_front() } else { None };
                self.note(&name, value.clone().or_else(|| Some(own.into())));
                self.push(&format!("-{letters}"));
                self.line.arguments.extend(value);
                return Ok(());
            }
            self.note(&name, None);
        }
        self.push(&format!("-{letters}"));
        Ok(())
    }

    /// Writes an option of wget as those of `get`; without a value that it needs it is an unknown option.
    fn mean(&mut self, meaning: Meaning, value: Option<OsString>, option: &str, divider: &str) {
        match (meaning, value) {
            (Meaning::Nothing, _) | (Meaning::NothingOfValue, Some(_)) => {}
            (Meaning::Options(options), _) => {
                self.line.recurses |= options.contains(&"-r");
                options.iter().for_each(|option| self.push(option));
            }
            (Meaning::Saving(options), _) => {
                self.line.saves = true;
                options.iter().for_each(|option| self.push(option));
            }
            (Meaning::Same(own), Some(value)) => {
                self.line.arguments.push(joined(&format!("--{own}="), &value));
            }
            (Meaning::Folder, Some(folder)) => {
                self.line.saves = true;
                self.push("--create-dirs");
                self.line.arguments.push(joined("--output-dir=", &folder));
            }
            (Meaning::OfValue(options), Some(value)) => match value.to_str().and_then(options) {
                Some(options) => options.iter().for_each(|option| self.push(option)),
                None => self.line.arguments.push(joined(&format!("{option}{divider}"), &value)),
            },
            (_, None) => self.push(option),
        }
    }

    /// Has the letters after `-:` read as an argument of their own.
    fn short_again(&mut self, letters: &str) -> Result<(), Error> {
        self.rest.push_front(format!("-{letters}").into());
        Ok(())
    }

    /// Writes an option with its long name: its value is in the same argument, or the next one.
    fn instead(&mut self, before: &str, option: &str, own: &str) -> Result<(), Error> {
        self.push_letters(before);
        let value = if own.is_empty() { self.rest.pop_front().unwrap_or_default() } else { own.into() };
        self.line.arguments.push(joined(option, &value));
        Ok(())
    }

    /// Reads `--json`: data follows it if the next argument can be no URL.
    fn json(&mut self) {
        let has_data =
            self.line.arguments.iter().any(|one| one.as_encoded_bytes().starts_with(b"--data-json="));
        let is_data = |next: &OsString| {
            let octets = next.as_encoded_bytes();
            is_json(octets) || has_data && !octets.starts_with(b"-") && !pasted::has_scheme(octets)
        };
        let data = if self.rest.front().is_some_and(is_data) { self.rest.pop_front() } else { None };
        match data {
            Some(data) => self.line.arguments.push(joined("--data-json=", &data)),
            None => self.push("--json"),
        }
    }

    /// Reads the options of a file before the rest.
    fn config(&mut self, before: &str, own: &str) -> Result<(), Error> {
        self.push_letters(before);
        let file = if own.is_empty() { self.rest.pop_front() } else { Some(own.into()) };
        let Some(file) = file else {
            self.push("-K");
            return Ok(());
        };
        self.files += 1;
        if self.files > MOST_FILES {
            return Err(self.wrong(&format!("-K names more than {MOST_FILES} files")));
        }
        let named = Named(&file);
        let octets = named
            .read_with_error()
            .map_err(|error| self.wrong(&format!("-K: {} cannot be read: {error}", named.shown())))?;
        let text = String::from_utf8(octets)
            .map_err(|_| self.wrong(&format!("-K: {} is not UTF-8", named.shown())))?;
        let mut options = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let place = |why: String| self.wrong(&format!("-K: {}, line {number}: {why}", named.shown()));
            if let Some(option) = Setting::read(line).map_err(|why| place(why.into()))? {
                options.extend(self.arguments_of(option).map_err(place)?);
            }
        }
        for option in options.into_iter().rev() {
            self.rest.push_front(option);
        }
        // The parser knows of the file, since standard input can be read only once.
        self.line.arguments.extend(["-K".into(), file]);
        Ok(())
    }

    /// Returns the arguments that an option of a file is.
    fn arguments_of(&self, Setting { name, value }: Setting<'_>) -> Result<Vec<OsString>, String> {
        let unknown = || format!("unknown option \"{}\"", visible(name));
        if let Some(letters) = name.strip_prefix('-').filter(|name| !name.starts_with('-')) {
            return Ok([Some(format!("-{letters}").into()), value.map(OsString::from)]
                .into_iter()
                .flatten()
                .collect());
        }
        let long = name.trim_start_matches('-');
        if long == "config" {
            return Ok(vec!["-K".into(), value.unwrap_or_default().into()]);
        }
        let is_own = ["url", "json", "next"].contains(&long);
        match self.argument(|argument| is_named(argument, long)) {
            None if !is_own => Err(unknown()),
            found => Ok(match value {
                // As in curl, an option without a value may have an empty one.
                Some(value)
                    if found.is_some_and(|found| !takes_value(found)) && !is_own && value.is_empty() =>
                {
                    vec![format!("--{long}").into()]
                }
                Some(value) => vec![format!("--{long}={value}").into()],
                None => vec![format!("--{long}").into()],
            }),
        }
    }

    /// Begins the line after `--next`.
    fn next_line(&mut self) {
        let begin = self.line.arguments.get(..self.begins).unwrap_or_default().to_vec();
        self.end_line();
        self.line.arguments = begin;
    }

    /// Ends a line: it has the options of those before it that hold for all, unless it has its own.
    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        if line.saves && !line.recurses {
            line.arguments.insert(self.begins, "--remote-name-all".into());
        }
        for (name, value) in self.of_all.iter().filter(|(name, _)| !line.own.contains(name)) {
            let option = match value {
                Some(value) => joined(&format!("--{name}="), value),
                None => format!("--{name}").into(),
            };
            line.arguments.insert(self.begins, option);
        }
        let Self { of_all, options, .. } = self;
        for (name, value) in options.drain(..) {
            // Each of several `--allow` counts, of the others the last one.
            of_all.retain(|(other, _)| *other != name || name == "allow");
            of_all.push((name, value));
        }
        self.lines.push(line);
    }

    /// Notes an option that holds for the lines after this one, too.
    fn note(&mut self, name: &str, value: Option<OsString>) {
        if let Some(name) = OF_ALL_LINES.into_iter().find(|own| *own == name) {
            self.line.own.push(name);
            self.options.push((name, value));
        }
    }

    fn argument(&self, is_it: impl Fn(&Arg) -> bool) -> Option<&Arg> {
        self.get.get_arguments().find(|argument| is_it(argument))
    }

    fn push(&mut self, argument: &str) {
        self.line.arguments.push(argument.into());
    }

    fn push_letters(&mut self, letters: &str) {
        if !letters.is_empty() {
            self.push(&format!("-{letters}"));
        }
    }

    fn wrong(&self, why: &str) -> Error {
        Error::raw(ErrorKind::InvalidValue, format!("{why}\n")).with_cmd(self.get)
    }
}

/// An option in a file of `-K`.
#[derive(Debug, PartialEq, Eq)]
struct Setting<'t> {
    name: &'t str,
    value: Option<String>,
}

impl<'t> Setting<'t> {
    /// Reads a line: a name, then white space, "=" or ":", and a value, which may be in quotation marks; "=" and
    /// ":" divide only names without "-" before them. Returns `None` for a blank line and a comment.
    fn read(line: &'t str) -> Result<Option<Self>, &'static str> {
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '/', '*']) {
            return Ok(None);
        }
        let is_dashed = line.starts_with('-');
        let divides = |c: char| c.is_whitespace() || !is_dashed && matches!(c, '=' | ':');
        let (name, rest) = line.split_at(line.find(divides).unwrap_or(line.len()));
        let rest = rest.trim_start_matches(divides);
        let value = match rest.strip_prefix('"') {
            Some(quoted) => Some(unquoted(quoted)?),
            None => match rest.split_once(char::is_whitespace) {
                Some((_, after)) if !after.trim_start().starts_with('#') => {
                    return Err("a value with white space needs quotation marks around it");
                }
                Some((value, _)) => Some(value.to_owned()),
                None => Some(rest.to_owned()).filter(|rest| !rest.is_empty()),
            },
        };
        Ok(Some(Self { name, value }))
    }
}

/// Returns what is before the closing quotation mark; "\\" escapes the next character, and \t, \n, \r and \v are
/// controls.
fn unquoted(text: &str) -> Result<String, &'static str> {
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars();
    loop {
        match chars.next() {
            Some('"') => break,
            Some('\\') => value.push(match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('v') => '\u{B}',
                Some(other) => other,
                None => return Err("a quotation mark is missing at the end of the value"),
            }),
            Some(other) => value.push(other),
            None => return Err("a quotation mark is missing at the end of the value"),
        }
    }
    match chars.as_str().trim_start() {
        "" => Ok(value),
        rest if rest.starts_with('#') => Ok(value),
        _ => Err("something follows the quotation mark after the value"),
    }
}

/// Returns whether a text is meant as a range of bytes, or as several, which curl has.
fn is_range(text: &str) -> bool {
    let is_part = |octet: u8| octet.is_ascii_digit() || matches!(octet, b'-' | b',');
    text.contains('-') && text.bytes().all(is_part) && text.bytes().any(|octet| octet.is_ascii_digit())
}

/// Returns whether a text is meant as the URL of a referring page: no name of an edition has one of these.
fn is_referrer(text: &str) -> bool {
    text.contains([':', '/', ';', '.'])
}

/// Returns whether an argument is JSON, or the file with it, and not a URL.
pub(crate) fn is_json(argument: &[u8]) -> bool {
    matches!(argument.trim_ascii_start().first(), Some(b'{' | b'[' | b'"' | b'@'))
}

fn is_named(argument: &Arg, name: &str) -> bool {
    let is_alias = || argument.get_all_aliases().is_some_and(|aliases| aliases.contains(&name));
    argument.get_long() == Some(name) || is_alias()
}

fn takes_value(argument: &Arg) -> bool {
    let has_none = argument.get_num_args().is_some_and(|count| count.max_values() == 0);
    argument.get_action().takes_values() && !has_none
}

fn joined(option: &str, value: &OsStr) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(value);
    argument
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines, with "|" between them.
    fn read(words: &[&str]) -> String {
        let given = ["locator"].into_iter().chain(words.iter().copied()).map(OsString::from).collect();
        let mut command = crate::command();
        command.build();
        let lines = lines(given, &command).map_err(|error| error.to_string()).unwrap();
        let text = |line: &Line| {
            let words: Vec<_> = line.arguments.iter().skip(1).map(|word| word.to_str().unwrap()).collect();
            words.join(" ")
        };
        lines.iter().map(text).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn options_of_curl() {
        for (given, expected) in [
            ("get -r 0-99 u", "get --range=0-99 u"),
            ("get -r0-99 u", "get --range=0-99 u"),
            ("get -sr 500- u", "get -s --range=500- u"),
            ("get -r -500 u", "get --range=-500 u"),
            ("get -r 0-1,4-5 u", "get --range=0-1,4-5 u"),
            ("get -r u", "get -r u"),
            ("get -rZ u", "get -rZ u"),
            ("get -r -Z u", "get -r -Z u"),
            ("get -o -r 0-9", "get -o -r 0-9"),
            ("get -or 0-9", "get -or 0-9"),
            ("get --output -r 0-9", "get --output -r 0-9"),
            ("get -- -r 0-9", "get -- -r 0-9"),
            ("get u -r", "get u -r"),
            ("get -O -r 0-9 u", "get -O --range=0-9 u"),
            ("read -r 0-9", "read -r 0-9"),
            ("get -e http://h/ u", "get --referer=http://h/ u"),
            ("get -se;auto u", "get -s --referer=;auto u"),
            ("get -e www.example.com u", "get --referer=www.example.com u"),
            ("get -e rfc1738 u", "get -e rfc1738 u"),
            ("get -erfc3986+zones u", "get -erfc3986+zones u"),
            ("get --url u --url=v w", "get u v w"),
            ("get --url -o v", "get --url=-o v"),
            ("get --url", "get --url"),
            ("get --json u", "get --json u"),
            ("get --json {} u", "get --data-json={} u"),
            ("get --json @f u", "get --data-json=@f u"),
            ("get --json {\"a\": --json 1} u", "get --data-json={\"a\": --data-json=1} u"),
            ("get --json {} --json http://h/", "get --data-json={} --json http://h/"),
            ("get --json=1 u", "get --data-json=1 u"),
            ("get -- --json {}", "get -- --json {}"),
            ("get --json -- {}", "get --json -- {}"),
            ("get -o a u --next -d b v", "get -o a u | get -d b v"),
            ("get u -: v -: w", "get u | get v | get w"),
            ("get -v u --next v --next -v w", "get -v u | get --verbose v | get -v w"),
            ("get -sSZ u --next v", "get -sSZ u | get --parallel --show-error v"),
            ("get --parallel-max 3 u --next v", "get --parallel-max 3 u | get --parallel-max=3 v"),
            ("get -o --next u", "get -o --next u"),
            ("get -d--next u", "get -d--next u"),
            ("get u -- --next v", "get u -- --next v"),
            ("get --mirror u", "get -r --newer u"),
            ("get --no-check-certificate u", "get -k u"),
            ("get --tries=3 u", "get --retry=2 u"),
            ("get -t 0 u", "get --retry=4294967295 u"),
            ("get -t many u", "get -tmany u"),
            ("get -P d u", "get --remote-name-all --create-dirs --output-dir=d u"),
            ("get -rPd u", "get -r --create-dirs --output-dir=d u"),
            ("get -r -Pd u", "get -r --create-dirs --output-dir=d u"),
            ("get --continue u", "get --remote-name-all -C - u"),
            ("get --output-document=f u", "get --output=f u"),
            ("get --output-document -r u", "get --output=-r u"),
            ("get -qO- u", "get -s -o - u"),
            ("get -r -e robots=off u", "get -r u"),
            ("get -np -nH -nv u", "get --no-progress-meter u"),
            ("get --timeout 5 u", "get --connect-timeout=5 --idle-timeout=5 u"),
            ("get --execute robots=off u", "get u"),
            ("get --compression=auto --progress=dot u", "get --compressed u"),
            ("get --method", "get --method"),
            ("read --mirror u", "read --mirror u"),
            ("--color never get u --next v", "--color never get u | --color never get v"),
        ] {
            assert_eq!(read(&given.split(' ').collect::<Vec<_>>()), expected, "{given}");
        }
    }

    #[test]
    fn settings_of_files() {
        let value = |name, value: &str| Ok(Some(Setting { name, value: Some(value.to_owned()) }));
        for (line, expected) in [
            ("", Ok(None)),
            ("  # a comment", Ok(None)),
            ("/ a comment", Ok(None)),
            ("silent", Ok(Some(Setting { name: "silent", value: None }))),
            ("url = \"http://h/\"", value("url", "http://h/")),
            ("url=http://h/", value("url", "http://h/")),
            ("url http://h/", value("url", "http://h/")),
            ("user-agent: x # why", value("user-agent", "x")),
            ("-A x", value("-A", "x")),
            ("--user-agent x:y", value("--user-agent", "x:y")),
            (r#"data = "a\tb\"\\c" # d"#, value("data", "a\tb\"\\c")),
            ("user-agent = \"\"", value("user-agent", "")),
            ("header = X: y", Err("a value with white space needs quotation marks around it")),
            ("header = \"X: y", Err("a quotation mark is missing at the end of the value")),
            ("header = \"X\" y", Err("something follows the quotation mark after the value")),
        ] {
            assert_eq!(Setting::read(line), expected, "{line}");
        }
    }
}
