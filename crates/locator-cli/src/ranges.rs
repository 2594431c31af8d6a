//! The two meanings of `get -r`: takes the arguments of the command, returns them with `--range=RANGE` in
//! place of `-r RANGE`. In curl `-r` is a range of bytes, in wget it is recursive, which is what it is here
//! if no range follows.

use std::ffi::OsString;

use clap::Command;

/// Returns the arguments with `--range=RANGE` in place of `-r RANGE`, if the verb is `get`.
pub(crate) fn written_out(given: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let is_verb = |argument: &&OsString| command.find_subcommand(argument).is_some();
    let verb = given.iter().skip(1).find(is_verb);
    let Some(get) = command.find_subcommand("get").filter(|_| verb.is_some_and(|verb| verb == "get")) else {
        return given;
    };
    let mut written = Vec::with_capacity(given.len());
    let mut rest = given.into_iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            written.push(argument);
            break;
        }
        let options = argument.to_str().map_or(Options::Other, |text| options(text, get));
        match options {
            Options::Other => written.push(argument),
            Options::Range { before, range } => written.extend(in_full(before, &range)),
            Options::RangeMayFollow { before } => match rest.next() {
                Some(range) if range.to_str().is_some_and(is_range) => {
                    written.extend(in_full(before, &range.to_string_lossy()));
                }
                next => written.extend([argument].into_iter().chain(next)),
            },
            // A value is not an option, whatever it is.
            Options::ValueFollows => written.extend([argument].into_iter().chain(rest.next())),
        }
    }
    written.extend(rest);
    written
}

/// What an argument is.
enum Options {
    /// One whose value is the next argument.
    ValueFollows,
    /// `-r` at the end, after other options without values.
    RangeMayFollow { before: String },
    /// `-r` and a range, after other options without values.
    Range { before: String, range: String },
    /// Something else.
    Other,
}

/// Returns what an argument is, by the options of the verb.
fn options(argument: &str, get: &Command) -> Options {
    let arguments = || get.get_arguments().filter(|argument| argument.get_action().takes_values());
    if let Some(long) = argument.strip_prefix("--") {
        let takes_value = arguments().any(|argument| argument.get_long() == Some(long));
        return if takes_value { Options::ValueFollows } else { Options::Other };
    }
    let Some(letters) = argument.strip_prefix('-') else { return Options::Other };
    for (at, letter) in letters.char_indices() {
        let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
        let before = letters.get(..at).unwrap_or_default().to_owned();
        match letter {
            'r' if rest.is_empty() => return Options::RangeMayFollow { before },
            'r' if is_range(rest) => return Options::Range { before, range: rest.into() },
            _ if arguments().any(|argument| argument.get_short() == Some(letter)) => {
                return if rest.is_empty() { Options::ValueFollows } else { Options::Other };
            }
            _ => {}
        }
    }
    Options::Other
}

/// Returns whether a text is meant as a range of bytes, or as several, which curl has.
fn is_range(text: &str) -> bool {
    let is_part = |octet: u8| octet.is_ascii_digit() || matches!(octet, b'-' | b',');
    text.contains('-') && text.bytes().all(is_part) && text.bytes().any(|octet| octet.is_ascii_digit())
}

fn in_full(before: String, range: &str) -> impl Iterator<Item = OsString> {
    let before = Some(before).filter(|before| !before.is_empty()).map(|before| format!("-{before}").into());
    before.into_iter().chain([format!("--range={range}").into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let command = crate::command();
        let written = |words: &str| {
            let given = ["locator"].into_iter().chain(words.split(' ')).map(OsString::from).collect();
            let written = written_out(given, &command);
            let words: Vec<_> = written.iter().skip(1).map(|word| word.to_str().unwrap()).collect();
            words.join(" ")
        };
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
            ("read -r 0-9", "read -r 0-9"),
        ] {
            assert_eq!(written(given), expected, "{given}");
        }
    }
}
