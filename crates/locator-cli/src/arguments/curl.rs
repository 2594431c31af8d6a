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

use super::hints::{self, SameInGet};
use super::wget::LineLetter;
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

impl<'c> Reader<'c> {
    fn read(&mut self) -> Result<(), Error> {
        while let Some(argument) = self.rest.pop_front() {
            if argument == "--" {
                self.line.arguments.push(argument);
                self.line.arguments.extend(self.rest.drain(..));
                break;
            }
            // Several letters that are one option of wget, "-nH".
            let is_letters = |text: &&str| text.len() > 2 && text.starts_with('-') && !text.starts_with("--");
            let letters = argument.to_str().filter(is_letters);
            if let Some(same) = letters.and_then(|letters| SameInGet::find(letters, None)) {
                self.same(&same, None);
                continue;
            }
            match argument.to_str() {
                Some("-nd") => return Err(self.wrong(NO_FOLDERS)),
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
                let argument = self.argument(|argument| is_named(argument, name));
                let next = || self.rest.front().map(OsString::as_os_str);
                let value = own.map(OsStr::new).or_else(next);
                if argument.is_none()
                    && let Some(same) = SameInGet::find(&format!("--{name}"), value)
                {
                    let value = match own {
                        _ if !same.takes_value() => None,
                        Some(own) => Some(own.into()),
                        None => self.rest.pop_front(),
                    };
                    self.same(&same, value.as_deref());
                    return Ok(());
                }
                self.line.recurses |= name == "recursive";
                let takes_value = argument.is_some_and(takes_value);
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
            let after = self.rest.get(usize::from(own.is_empty())).and_then(|after| after.to_str());
            let argument = self.argument(|argument| argument.get_short() == Some(letter));
            let is_valued = argument.is_some_and(takes_value);
            let line_letter = LineLetter {
                letter,
                // A letter after a flag is another option.
                value: next.filter(|_| own.is_empty() || is_valued),
                is_apart: own.is_empty(),
                after,
                has_url: self.line.has_url,
                recurses: self.line.recurses || self.rest.iter().any(is_recursive),
            };
            if let Some(why) = line_letter.mistake() {
                return Err(self.wrong(&why));
            }
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
            if argument.is_none()
                && let Some(same) = SameInGet::find(&format!("-{letter}"), next.map(OsStr::new))
            {
                self.push_letters(before);
                let value = match same.takes_value() {
                    true if own.is_empty() => self.rest.pop_front(),
                    true => Some(own.into()),
                    false => None,
                };
                self.same(&same, value.as_deref());
                return if same.takes_value() || own.is_empty() { Ok(()) } else { self.short_again(own) };
            }
            // The hint for an option of one letter needs it alone.
            if let Some(why) = hints::why_in_get(letter).filter(|_| argument.is_none() && letters.len() > 1) {
                return Err(self.wrong(&format!("unknown option '-{letter}': {why}")));
            }
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

    /// Writes an option of another program as those of `get`. A directory is saved without "--remote-name-all".
    fn same(&mut self, same: &SameInGet, value: Option<&OsStr>) {
        for word in same.words(value) {
            self.line.recurses |= word == "-r";
            if word == "--remote-name-all" {
                self.line.saves = true;
            } else {
                self.line.arguments.push(word);
            }
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
        let no_value = || format!("\"{}\" needs a value after it", visible(name));
        if let Some(letters) = name.strip_prefix('-').filter(|name| !name.starts_with('-')) {
            let is_valued = |letter| {
                letter == 'K'
                    || self.argument(|argument| argument.get_short() == Some(letter)).is_some_and(takes_value)
            };
            // The first letter that has a value ends the letters: the value is what follows it.
            if value.is_none() && letters.find(is_valued).is_some_and(|at| at + 1 == letters.len()) {
                return Err(no_value());
            }
            return Ok([Some(format!("-{letters}").into()), value.map(OsString::from)]
                .into_iter()
                .flatten()
                .collect());
        }
        let long = name.trim_start_matches('-');
        if long == "config" {
            return Ok(vec!["-K".into(), value.ok_or_else(no_value)?.into()]);
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
                // The next line is no value.
                None if long == "url" || found.is_some_and(takes_value) => return Err(no_value()),
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

    fn argument(&self, is_it: impl Fn(&Arg) -> bool) -> Option<&'c Arg> {
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

/// Returns whether an argument is `-r`, or one of wget that has it.
fn is_recursive(argument: &OsString) -> bool {
    ["-r", "--recursive", "--mirror"].iter().any(|option| argument == option)
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
            ("get -t many u", "get --retry=many u"),
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
            ("get --timeout=0 --compression none u", "get u"),
            ("get -vt inf u", "get -v --retry=4294967295 u"),
            ("get --mirror --continue u", "get -r --newer -C - u"),
            ("get --post-file=f --no-cache u", "get --data-binary=@f --header=Cache-Control: no-cache u"),
            ("get --input-file f", "get --file=f"),
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
