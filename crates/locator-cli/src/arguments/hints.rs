//! What is meant by a verb or an option that the command does not have: takes the arguments that were rejected, and
//! returns how they are run, or an error that names the command to type.
//!
//! The words of other programs are in one table ([`words`]). What does exactly the same is run; for what is near, the
//! error has the whole command, with the arguments of the user. A name that differs from a known one by one letter (two in
//! names of more than seven) is a slip, and an option that only other verbs have is taken to be theirs. A command is named
//! only if it can be parsed.

mod words;

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use locator::edit_distance;

use self::words::{BY_LIKELIHOOD, ONCE, OPTIONS, Operand, OptionWord, PART_VERBS, PARTS, VERBS, VerbWord};
use super::help;
use crate::exit::Misuse;
use crate::field::Field;
use crate::pasted;
use crate::terminal::secrets;
use crate::terminal::visible::legible;

/// How many words of a line may be replaced.
const MOST: usize = 8;

/// Why a command line is not run.
#[derive(Debug)]
pub(crate) enum Rejected {
    /// An error as clap words it; also help and the version, which are printed.
    Clap(Error),
    /// A verb or an option that is not known.
    Misuse(Misuse),
}

/// Returns what a rejected line means, if it can be run; else the error. `parse` parses a line.
pub(crate) fn meaning<T>(
    error: Error,
    given: &[OsString],
    command: &Command,
    parse: impl Fn(&[OsString]) -> Result<T, Error>,
) -> Result<T, Rejected> {
    let mut line = Line { words: given.to_vec(), is_same: true, why: "", ending: Vec::new() };
    // What is reported: the last error of what does the same as the line.
    let (mut reported, mut reported_line) = (error, line.words.clone());
    let mut last = None;
    for _ in 0..MOST {
        let Some(next) = line.mended(last.as_ref().unwrap_or(&reported), command) else { break };
        let was_same = std::mem::replace(&mut line, next).is_same;
        match parse(&line.words) {
            Ok(read) if line.is_same => return Ok(read),
            Err(shown) if line.is_same && !shown.use_stderr() => return Err(Rejected::Clap(shown)),
            Err(error) if error.use_stderr() => {
                if line.is_same && was_same {
                    (reported, reported_line) = (error, line.words.clone());
                    last = None;
                } else {
                    last = Some(error);
                }
            }
            _ => return Err(misuse(reported, &reported_line, command, line.why, Some(&line))),
        }
    }
    Err(misuse(reported, &reported_line, command, line.why, None))
}

/// The verbs in which `-s` is `--no-messages`, and URLs follow.
const SILENT_BY_S: [&str; 9] =
    ["read", "check", "audit", "normalize", "resolve", "relative", "convert", "plan", "open"];

/// Returns the error of a line that could be run and means something else: `-s PART=DATA` is an option of `edit`, and
/// two URLs elsewhere.
pub(crate) fn misread<T>(
    given: &[OsString],
    command: impl Fn() -> Command,
    parse: impl Fn(&[OsString]) -> Result<T, Error>,
) -> Option<Rejected> {
    let options = given.iter().take_while(|word| *word != "--").zip(given.iter().skip(1));
    let assignment = options.filter_map(|(option, next)| match option.to_str()?.strip_prefix("-s")? {
        "" => next.to_str(),
        joined => Some(joined),
    });
    let last = given.last().and_then(|last| last.to_str()?.strip_prefix("-s"));
    let assignment = assignment.chain(last).find(|word| is_assignment(word))?.to_owned();
    // What is not run anyway is a verb of another program, such as trurl.
    if parse(given).is_err_and(|error| error.use_stderr()) {
        return None;
    }
    let command = command();
    let verb = verb_place(given, &command).and_then(|at| given.get(at)?.to_str());
    if !verb.is_none_or(|verb| SILENT_BY_S.contains(&verb)) {
        return None;
    }
    let mut line = Line { words: given.to_vec(), is_same: false, why: "", ending: Vec::new() };
    line.set_verb("edit", given.len());
    parse(&line.words).ok()?;
    let what = format!("'-s' takes no value here, so '{}' would be read as a URL", shown(&assignment));
    Some(rejected(what, given, &command, "'-s PART=DATA' is an option of edit", Some(&line)))
}

/// Returns whether a word sets a part: `host=example.org`, `path:=/a`.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name.trim_end_matches([':', '?']));
    name.is_some_and(|name| Field::settable(name).is_ok())
}

/// Returns the error of a line, with the command that is meant.
fn misuse(
    error: Error,
    given: &[OsString],
    command: &Command,
    why: &'static str,
    meant: Option<&Line>,
) -> Rejected {
    let what = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            format!("unknown verb '{}'", shown(&text(&error, ContextKind::InvalidSubcommand)))
        }
        ErrorKind::UnknownArgument => match text(&error, ContextKind::InvalidArg) {
            option if option.starts_with('-') => format!("unknown option '{}'", shown(name_of(&option))),
            argument => format!("unexpected argument '{}'", shown(&argument)),
        },
        ErrorKind::MissingRequiredArgument if meant.is_some() => {
            let names = missing(&error);
            format!("{} {} missing", names.join(" and "), if names.len() > 1 { "are" } else { "is" })
        }
        ErrorKind::TooManyValues if meant.is_some() => {
            format!("'{}' takes no value", shown(&text(&error, ContextKind::InvalidArg)))
        }
        ErrorKind::ValueValidation if meant.is_some() => {
            let format = text(&error, ContextKind::InvalidValue);
            format!(
                "the format '{}' has no part in braces, so it would print the same for each URL",
                shown(&format)
            )
        }
        _ => return Rejected::Clap(without_far_values(error)),
    };
    rejected(what, given, command, why, meant)
}

/// Returns an error of usage, with the command that is meant.
fn rejected(
    what: String,
    given: &[OsString],
    command: &Command,
    why: &'static str,
    meant: Option<&Line>,
) -> Rejected {
    let verb = verb_place(given, command).and_then(|at| given.get(at)?.to_str());
    let mut command = command.clone();
    command.build();
    let usage = match verb.and_then(|verb| command.find_subcommand_mut(verb)) {
        Some(verb) => verb.render_usage(),
        None => command.render_usage(),
    };
    Rejected::Misuse(Misuse {
        what,
        why,
        meant: meant.map(|line| line.clone().with_list(&command).shown()),
        usage: usage.to_string(),
        help: verb.map_or_else(|| "locator --help".to_owned(), |verb| format!("locator {verb} --help")),
    })
}

/// Removes a value that is suggested and not similar to the given one.
fn without_far_values(mut error: Error) -> Error {
    let given = text(&error, ContextKind::InvalidValue);
    let suggested = text(&error, ContextKind::SuggestedValue);
    if !suggested.is_empty() && !is_slip(&given, &suggested) {
        error.remove(ContextKind::SuggestedValue);
    }
    error
}

/// Returns the arguments that are missing.
fn missing(error: &Error) -> &[String] {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(names)) => names,
        _ => &[],
    }
}

/// A command line as it may be meant.
#[derive(Clone, Debug)]
struct Line {
    words: Vec<OsString>,
    /// Whether it does exactly what the given line says.
    is_same: bool,
    /// What is good to know about it.
    why: &'static str,
    /// What follows it in a shell: `| sort`.
    ending: Vec<String>,
}

impl Line {
    /// Returns the line with the word replaced that an error is about; `None` if it is not known what is meant.
    fn mended(&self, error: &Error, command: &Command) -> Option<Self> {
        match error.kind() {
            ErrorKind::InvalidSubcommand => {
                let verb = text(error, ContextKind::InvalidSubcommand);
                let at = self.words.iter().skip(1).position(|word| *word == *verb)? + 1;
                self.with_verb(at, &verb, command)
            }
            ErrorKind::UnknownArgument => {
                let option = text(error, ContextKind::InvalidArg);
                let option = name_of(&option);
                // "-print0" is no group of letters.
                let is_long = |word: &&str| {
                    word.len() > 2
                        && word.starts_with(option)
                        && !word.starts_with("--")
                        && !word.contains('=')
                };
                let mut long = self.words.iter().filter_map(|word| word.to_str()).filter(is_long);
                let known = long.find(|long| OPTIONS.iter().any(|word| has(word.options, long)));
                let option = known.or_else(|| self.group_of(option)).unwrap_or(option);
                option.starts_with('-').then(|| self.with_option(option, command))?
            }
            ErrorKind::MissingRequiredArgument => self.with_missing(error, command),
            ErrorKind::TooManyValues => self.without_value(&text(error, ContextKind::InvalidArg)),
            ErrorKind::ValueValidation => {
                let value = text(error, ContextKind::InvalidValue);
                let is_format = text(error, ContextKind::InvalidArg).starts_with("--get ");
                is_format.then(|| self.with_braces(&value))?
            }
            _ => None,
        }
    }

    /// Returns the option with which a group of letters begins, if a later one is not known: `-i` of `-i.bak`.
    fn group_of(&self, option: &str) -> Option<&str> {
        let letter = option.strip_prefix('-').filter(|letter| letter.chars().count() == 1)?;
        let words = self.words.iter().skip(1).filter_map(|word| word.to_str());
        let mut groups = words.filter(|word| word.starts_with('-') && !word.starts_with("--"));
        // The group itself may begin with the letter.
        let group = groups.find(|word| word.get(2..).is_some_and(|rest| rest.contains(letter)))?;
        let first = group.get(..2)?;
        OPTIONS.iter().any(|word| has(word.options, first)).then_some(first)
    }

    /// Removes the value of an option that takes none: it is an argument, or says that the option is on.
    fn without_value(&self, option: &str) -> Option<Self> {
        let given = |(at, word): (usize, &OsString)| {
            let (name, value) = word.to_str()?.split_once('=')?;
            // The error has the name of the option, the line may have a longer one: "--in-place=.bak".
            name.starts_with(option).then(|| (at, name.to_owned(), value.to_owned()))
        };
        let (at, name, value) = self.words.iter().enumerate().find_map(given)?;
        let mut line = self.clone();
        let words: Vec<OsString> = match (&*value, option) {
            ("true" | "yes" | "on" | "1", _) => vec![name.into()],
            ("false" | "no" | "off" | "0", _) => Vec::new(),
            (file, "--in") if Path::new(file).exists() => vec![name.into(), file.into()],
            (_, "--in") => {
                line.is_same = false;
                line.why = "there is no backup; --dry-run prints the patch first";
                vec![name.into()]
            }
            _ => return None,
        };
        line.words.splice(at..=at, words);
        Some(line)
    }

    /// Puts the parts of a format in braces: `host,port`.
    fn with_braces(&self, format: &str) -> Option<Self> {
        let is_end = |c: char| c == ',' || c == ' ';
        let braced: String = format
            .split_inclusive(is_end)
            .map(|name| match name.strip_suffix(is_end) {
                Some(before) => format!("{{{before}}}{}", &name[before.len()..]),
                None => format!("{{{name}}}"),
            })
            .collect();
        let at =
            self.words.iter().position(|word| word.to_str().is_some_and(|word| word.ends_with(format)))?;
        let before = self.words.get(at)?.to_str()?.strip_suffix(format)?.to_owned();
        let mut line = Self { is_same: false, ..self.clone() };
        *line.words.get_mut(at)? = (before + &braced).into();
        Some(line)
    }

    /// Replaces an unknown verb.
    fn with_verb(&self, at: usize, given: &str, command: &Command) -> Option<Self> {
        let lower = given.to_ascii_lowercase();
        if command.find_subcommand(&lower).is_some() && lower != given {
            return Some(self.replaced(at..at + 1, &lower, None));
        }
        if let Some(line) = self.with_query_of(at, &lower) {
            return Some(line);
        }
        if let Some(word) = VERBS.iter().find(|word| has(word.words, &lower)) {
            return self.with_verb_word(at, word, command);
        }
        if let Some(line) = self.with_part_verb(at, given, command) {
            return Some(line);
        }
        let known = command.get_subcommands().map(Command::get_name);
        let words = VERBS.iter().flat_map(|word| word.words.split_whitespace());
        let near = nearest(&lower, known.chain(words))?;
        let slip = Self { is_same: false, ..self.clone() };
        match VERBS.iter().find(|word| has(word.words, near)) {
            Some(word) if command.find_subcommand(near).is_none() => slip.with_verb_word(at, word, command),
            _ => Some(slip.replaced(at..at + 1, near, None)),
        }
    }

    /// Replaces `query --get NAME`, which prints the value of a name.
    fn with_query_of(&self, at: usize, verb: &str) -> Option<Self> {
        if !matches!(verb, "query" | "params" | "param" | "qs") {
            return None;
        }
        let is_get = |word: &OsString| matches!(word.to_str(), Some("--get" | "-g"));
        let get = at + 1 + self.words.iter().skip(at + 1).position(is_get)?;
        let name = self.words.get(get + 1)?.to_str().filter(|name| !name.contains(['{', '/', ':']))?;
        let format = format!("{{query:{name}}}");
        let mut line = Self { is_same: false, ..self.clone() };
        line.words.splice(get..get + 2, ["-g".into(), format.into()]);
        Some(line.replaced(at..at + 1, "edit", None))
    }

    /// Replaces a verb that names a part, as `get-host` and `set-port`, or is an argument of `edit`, as `host=h` and
    /// `{host}`.
    fn with_part_verb(&self, at: usize, given: &str, command: &Command) -> Option<Self> {
        let lower = given.to_ascii_lowercase();
        let mut line = Self { is_same: false, ..self.clone() };
        if is_assignment(given) {
            return Some(line.replaced(at..at, "edit -s", None));
        }
        if given.starts_with('{') && given.ends_with('}') {
            return Some(line.replaced(at..at, "edit -g", None));
        }
        let (verb, name) = lower.split_once(['-', '_'])?;
        let name = name.replace('_', "-");
        let (_, part) = PARTS.iter().find(|(known, _)| **known == name)?;
        let (_, here) = PART_VERBS.iter().find(|(verbs, _)| has(verbs, verb))?;
        let value = match here.contains("%1") {
            true => Some(line.words.remove(*self.operands(at, command).first()?)),
            false => None,
        };
        Some(line.replaced(at..at + 1, &here.replace("%part", part), value.as_deref()))
    }

    /// Returns where the arguments after a verb are that are neither options nor their values.
    fn operands(&self, verb: usize, command: &Command) -> Vec<usize> {
        let is_operand = |at: &usize| {
            let [before, word] = [at - 1, *at].map(|at| self.words.get(at).map(OsString::as_os_str));
            let is_option = word.is_none_or(|word| word != "-" && word.as_encoded_bytes().starts_with(b"-"));
            let before = before.and_then(OsStr::to_str).unwrap_or_default();
            !is_option && !takes_value(before, command)
        };
        (verb + 1..self.words.len()).filter(is_operand).collect()
    }

    fn with_verb_word(&self, at: usize, word: &VerbWord, command: &Command) -> Option<Self> {
        let places = self.operands(at, command);
        let operands: Vec<&OsStr> =
            places.iter().filter_map(|at| self.words.get(*at)).map(OsString::as_os_str).collect();
        // What follows an option may be its value: `-d a=1`.
        let is_apart = places.windows(2).any(|pair| pair[1] != pair[0] + 1);
        let found = word.before.iter().find(|(operand, _)| {
            operand.is_first_of(&operands) && !(*operand == Operand::Fields && is_apart)
        });
        let mut here = found.map_or(word.here, |(_, here)| here).to_owned();
        let operand = found.map(|(operand, _)| *operand);
        let mut line = Self { is_same: self.is_same && word.is_same && operand.is_none(), ..self.clone() };
        let mut taken = 0;
        if let Some(Operand::Word(_)) = operand {
            taken = 1;
        }
        if operand == Some(Operand::Replacement)
            && let Some(replacement) = Replacement::of(&operands)
        {
            here = here.replace("%old", &replacement.old).replace("%new", &replacement.new);
            taken = replacement.taken;
        }
        if here.contains("%fields") {
            let fields = operands.iter().skip(1).map(|field| format!("-d '{}'", field.to_string_lossy()));
            here = here.replace("%fields", &fields.collect::<Vec<_>>().join(" "));
            places.iter().skip(1).rev().for_each(|at| drop(line.words.remove(*at)));
        }
        if here.contains("%origin") {
            let uri = locator::Uri::parse(operands.first()?.to_str()?).ok()?;
            let origin = format!("{}://{}/", uri.scheme().as_str(), uri.authority()?.as_str());
            here = here.replace("%origin", &origin);
        }
        let value = match here.contains("%1") {
            true => {
                taken = 1;
                Some((*operands.first()?).to_owned())
            }
            false => None,
        };
        for at in places.iter().take(taken).rev() {
            line.words.remove(*at);
        }
        let verb = here.split(' ').next().unwrap_or_default();
        let is_known = verb.starts_with('-') || verb == "help" || command.find_subcommand(verb).is_some();
        if !is_known {
            return None;
        }
        if verb.starts_with('-') || verb == "help" {
            line.words.truncate(at + 1);
        }
        Some(line.replaced(at..at + 1, &here, value.as_deref()))
    }

    /// Gives a file of URLs by `-f`, where it would be read as a URL.
    fn with_list(mut self, command: &Command) -> Self {
        let Ok(matches) = command.clone().try_get_matches_from(&self.words) else { return self };
        let Some((verb, matches)) = matches.subcommand() else { return self };
        let Some(verb) = command.find_subcommand(verb) else { return self };
        let has = |is_it: fn(&Arg) -> bool| verb.get_arguments().any(is_it);
        let takes_list = has(|argument| argument.get_id() == "urls")
            && has(|argument| argument.get_short() == Some('f') && argument.get_id() == "file");
        let is_documents = matches.try_get_one::<bool>("in").ok().flatten().is_some_and(|is_set| *is_set)
            || matches.try_get_one::<String>("column").ok().flatten().is_some();
        let urls = matches.try_get_many::<OsString>("urls").ok().flatten();
        let urls: Vec<_> = urls.into_iter().flatten().collect();
        if let ([file], true, false) = (&*urls, takes_list, is_documents)
            && names_file(file)
            && Path::new(file).is_file()
            && let Some(at) = self.words.iter().rposition(|word| word == *file)
        {
            self.words.insert(at, "-f".into());
        }
        self
    }

    /// Replaces an unknown option.
    fn with_option(&self, option: &str, command: &Command) -> Option<Self> {
        let verb_at = verb_place(&self.words, command);
        let verb = verb_at.and_then(|at| self.words.get(at)?.to_str());
        let before_dashes = self.words.iter().position(|word| word == "--").unwrap_or(self.words.len());
        if let (Some(verb), Some(option)) = (verb_at, self.words.iter().position(|word| *word == *option))
            && option < verb
        {
            // An option of the verb is before it.
            let mut line = Self { is_same: false, ..self.clone() };
            let verb = line.words.remove(verb);
            line.words.insert(1, verb);
            return Some(line);
        }
        let found = (1..before_dashes).find_map(|at| Some((at, Given::of(self.words.get(at)?, option)?)));
        let (at, given) = found?;
        let next = self.words.get(at + 1).filter(|_| at + 1 < before_dashes);
        let value = given.value().or_else(|| next.map(OsString::as_os_str));
        let is_it = |word: &&OptionWord| {
            let is_of_verb = word.verbs.split_whitespace().any(|known| match verb {
                Some(verb) => known == verb || known == "*",
                None => matches!(known, "-" | "*" | "read"),
            });
            is_of_verb
                && (!word.takes_name || value.is_some_and(|value| !is_url(value)))
                && word.is(option, value)
        };
        if let Some(word) = OPTIONS.iter().find(is_it) {
            let own = given.value().is_some();
            let end = if word.has_value && !own { at + 2 } else { at + 1 };
            let value = if word.has_value { Some(value?.to_owned()) } else { None };
            let line = Self { is_same: self.is_same && word.is_same, why: word.why, ..self.clone() };
            let mut line = line.replaced(at..end, word.here, value.as_deref());
            if word.here.starts_with("--count-by") {
                // It counts already.
                line.words.retain(|word| word != "--count" && word != "-c");
            }
            return line.is_known(command).then_some(line);
        }
        if let Some(line) = self.with_part(option, at, &given, verb, command) {
            return Some(line);
        }
        let slip = Self { is_same: false, ..self.clone() };
        let known =
            verb.map_or_else(|| command.find_subcommand("read"), |verb| command.find_subcommand(verb));
        let mut names: Vec<&str> =
            known.into_iter().flat_map(Command::get_arguments).flat_map(long_names).collect();
        names.extend(command.get_arguments().flat_map(long_names));
        let given_name = option.strip_prefix("--").filter(|name| !name.is_empty());
        if let Some(near) = given_name.and_then(|name| nearest(name, names.into_iter())) {
            return Some(slip.with_name(at, &given, near));
        }
        if verb == Some("expand")
            && let (Some(name), Some(value)) = (given_name, value)
        {
            let end = if given.value().is_some() { at + 1 } else { at + 2 };
            return Some(slip.replaced(at..end, &format!("{name}=%"), Some(value)));
        }
        self.with_other_verb(option, verb_at, command)
    }

    /// Replaces the name of an option, which may be followed by "=" and a value.
    fn with_name(mut self, at: usize, given: &Given<'_>, name: &str) -> Self {
        if let Some(word) = self.words.get_mut(at) {
            let mut option = OsString::from(format!("--{name}"));
            if let Given::Joined(value) = given {
                option.push("=");
                option.push(value);
            }
            *word = option;
        }
        self
    }

    /// Replaces the name of a part: `--port` prints it, `--port 81` sets it.
    fn with_part(
        &self,
        option: &str,
        at: usize,
        given: &Given<'_>,
        verb: Option<&str>,
        command: &Command,
    ) -> Option<Self> {
        if !verb.is_none_or(|verb| ["read", "edit", "check", "normalize", "audit"].contains(&verb)) {
            return None;
        }
        let name = option.strip_prefix("--")?;
        let (_, part) = PARTS.iter().find(|(known, _)| *known == name)?;
        let line = Self { is_same: false, why: "", ..self.clone() };
        let next = self.words.get(at + 1).filter(|next| !is_url(next) && self.words.len() > at + 2);
        let line = match (given.value(), next) {
            (Some(value), _) => line.replaced(at..at + 1, &format!("@edit -s {part}=%"), Some(value)),
            (None, Some(value)) => {
                let value = value.clone();
                line.replaced(at..at + 2, &format!("@edit -s {part}=%"), Some(&value))
            }
            (None, None) => line.replaced(at..at + 1, &format!("@edit -g {{{part}}}"), None),
        };
        line.is_known(command).then_some(line)
    }

    /// Replaces the verb by one that has the option.
    fn with_other_verb(&self, option: &str, at: Option<usize>, command: &Command) -> Option<Self> {
        let name = option.strip_prefix("--")?;
        let has = |verb: &&str| {
            let verb = command.find_subcommand(verb);
            verb.is_some_and(|verb| verb.get_arguments().any(|own| long_names(own).any(|own| own == name)))
        };
        let given = at.and_then(|at| self.words.get(at));
        let is_other = |verb: &&str| given.is_none_or(|given| given != *verb);
        let verb = BY_LIKELIHOOD.iter().copied().filter(is_other).find(has)?;
        let mut line = Self { is_same: false, ..self.clone() };
        line.set_verb(verb, at.map_or(1, |at| at + 1));
        Some(line)
    }

    /// Adds what is missing: the base of `resolve`, which is the first of two arguments.
    fn with_missing(&self, error: &Error, command: &Command) -> Option<Self> {
        let missing = missing(error);
        let verb = verb_place(&self.words, command)?;
        let mut line = Self { is_same: false, ..self.clone() };
        if missing.iter().any(|name| name.starts_with("--base ")) {
            let first = (verb + 1..self.words.len()).find(|at| {
                self.words.get(*at).is_some_and(|word| !word.as_encoded_bytes().starts_with(b"-"))
            });
            let is_base = first.is_some_and(|at| {
                at + 1 < self.words.len()
                    && self.words.get(at).is_some_and(|word| pasted::has_scheme(word.as_encoded_bytes()))
            });
            line.words.insert(first.filter(|_| is_base).unwrap_or(verb + 1), "--base".into());
            if !is_base {
                line.words.insert(verb + 2, "https://www.example.com/".into());
                line.why = "the base is the URL of the document that has the references";
            }
            return Some(line);
        }
        if missing.iter().any(|name| name == "--in") {
            return line.with_documents(verb, missing, command);
        }
        if missing.iter().any(|name| name.contains("--absolute")) {
            line.words.insert(verb + 1, "--absolute".into());
            return Some(line);
        }
        None
    }

    /// Adds the options that `edit` needs for documents, if one is named; a reference is resolved by another verb.
    fn with_documents(mut self, verb: usize, missing: &[String], command: &Command) -> Option<Self> {
        let mut files = self.operands(verb, command).into_iter().filter_map(|at| self.words.get(at));
        if files.any(|word| names_file(word)) {
            for option in ["--absolute", "--in"] {
                if missing.iter().any(|name| name == option) {
                    self.words.insert(verb + 1, option.into());
                }
            }
            return Some(self);
        }
        let has_base = self.words.iter().any(|word| word.as_encoded_bytes().starts_with(b"--base"));
        has_base.then(|| {
            self.set_verb("resolve", verb + 1);
            self
        })
    }

    /// Replaces words by those of a template.
    fn replaced(&self, range: Range<usize>, template: &str, value: Option<&OsStr>) -> Self {
        let mut line = self.clone();
        let mut words = Vec::new();
        let mut verb = None;
        let mut rest = tokens(template).peekable();
        let is_given = |token: &str| {
            let is_it = |(at, word): (usize, &OsString)| !range.contains(&at) && *word == *token;
            ONCE.contains(&token) && self.words.iter().enumerate().any(is_it)
        };
        while let Some(token) = rest.next() {
            if is_given(&token) {
                // With its value, if it has one.
                rest.next_if(|next| !next.starts_with(['-', '|', '>', '&', '@']));
            } else if let Some(other) = token.strip_prefix('@') {
                verb = Some(other.to_owned());
            } else if matches!(token.as_ref(), "|" | ">" | "2>" | "&") {
                let more = rest.by_ref().map(|word| match &*word {
                    "|" => word.into_owned(),
                    word => shell_word(&filled(word, value)),
                });
                line.ending = [token.into_owned()].into_iter().chain(more).collect();
            } else {
                words.push(filled(&token, value));
            }
        }
        let start = range.start;
        line.words.splice(range, words);
        match verb.as_deref() {
            Some(option) if option.starts_with('-') => {
                line.words.truncate(1);
                line.words.push(option.into());
            }
            Some(verb) => line.set_verb(verb, start),
            None => {}
        }
        line
    }

    /// Sets the verb, which is before that word.
    fn set_verb(&mut self, verb: &str, before: usize) {
        let names = help::verbs();
        let is_verb = |word: &&mut OsString| names.iter().any(|name| **word == **name);
        match self.words.iter_mut().take(before).skip(1).find(is_verb) {
            Some(word) => *word = verb.into(),
            None => self.words.insert(1, verb.into()),
        }
    }

    /// Returns whether the command has the verb of the line, which may be left out.
    fn is_known(&self, command: &Command) -> bool {
        let second = self.words.get(1).and_then(|word| word.to_str()).unwrap_or_default();
        command.find_subcommand(second).is_some() || !help::verbs().iter().any(|name| name == second)
    }

    /// Returns the words of the line as a person types it, with secrets hidden.
    fn shown(&self) -> Vec<String> {
        let words = self.words.iter().skip(1).map(|word| shell_word(word));
        std::iter::once("locator".to_owned()).chain(words).chain(self.ending.iter().cloned()).collect()
    }
}

impl Operand {
    /// Returns whether the arguments of a verb begin with this.
    fn is_first_of(self, operands: &[&OsStr]) -> bool {
        let Some((&first, others)) = operands.split_first() else { return false };
        let (text, octets) = (first.to_str().unwrap_or_default(), first.as_encoded_bytes());
        let is_name = !others.is_empty() && !is_url(first) && !names_file(first);
        match self {
            Self::File => names_file(first),
            Self::Document => names_file(first) && !is_list(first),
            Self::Url => pasted::has_scheme(octets),
            Self::Word(words) => has(words, text) && !names_file(first),
            Self::Code => locator_audit::codes().any(|code| code.name() == text),
            Self::Part => is_name && Field::settable(text).is_ok(),
            Self::Name => is_name,
            Self::Host => pasted::bare_host(&[first.to_owned()]).is_some(),
            Self::Fields => {
                let is_field = |other: &&OsStr| {
                    other.to_str().is_some_and(|other| {
                        other.contains('=') && !other.contains('\'') && !is_url(OsStr::new(other))
                    })
                };
                pasted::has_scheme(octets) && !others.is_empty() && others.iter().all(is_field)
            }
            Self::Query => text.contains('=') && !text.contains(['?', '/', ':']) && !names_file(first),
            Self::Replacement => Replacement::of(operands).is_some(),
        }
    }
}

/// Two hosts, the second of which replaces the first.
struct Replacement {
    old: String,
    new: String,
    /// How many arguments they are.
    taken: usize,
}

impl Replacement {
    /// Reads them: two arguments before others, or a substitution of sed, `s/old/new/`.
    fn of(operands: &[&OsStr]) -> Option<Self> {
        let is_host = |text: &&str| {
            let is_of_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':');
            text.contains('.') && text.chars().all(is_of_host) && !names_file(OsStr::new(text))
        };
        let first = operands.first()?.to_str()?;
        let (texts, taken) =
            match first.strip_prefix('s').and_then(|rest| rest.chars().next().zip(Some(rest))) {
                Some((mark, rest)) if mark.is_ascii_punctuation() => {
                    let mut texts = rest.split(mark).skip(1);
                    ((texts.next()?.replace('\\', ""), texts.next()?.to_owned()), 1)
                }
                _ => ((first.to_owned(), operands.get(1)?.to_str()?.to_owned()), 2),
            };
        let (old, new) = texts;
        (is_host(&&*old) && is_host(&&*new) && operands.len() > taken).then_some(Self { old, new, taken })
    }
}

/// How the option of a line is given.
enum Given<'w> {
    /// Its value, if it has one, is the next word.
    Alone,
    /// `--option=value`, `-ovalue`
    Joined(&'w OsStr),
}

impl<'w> Given<'w> {
    /// Reads a word; `None` if it is another one.
    fn of(word: &'w OsStr, option: &str) -> Option<Self> {
        if word == option {
            return Some(Self::Alone);
        }
        let word = word.to_str()?;
        let rest = word.strip_prefix(option)?;
        match rest.strip_prefix('=') {
            Some(value) => Some(Self::Joined(OsStr::new(value))),
            None => {
                (option.len() == 2 && !option.starts_with("--")).then_some(Self::Joined(OsStr::new(rest)))
            }
        }
    }

    fn value(&self) -> Option<&'w OsStr> {
        match *self {
            Self::Alone => None,
            Self::Joined(value) => Some(value),
        }
    }
}

/// An option of another program that does exactly what options of `get` do.
#[cfg(feature = "get")]
pub(super) struct SameInGet(&'static OptionWord);

#[cfg(feature = "get")]
impl SameInGet {
    /// Looks an option up, `--tries` or `-t`, and its value if it may have one.
    pub(super) fn find(option: &str, value: Option<&OsStr>) -> Option<Self> {
        let is_it = |word: &&OptionWord| {
            word.is_same
                && has(word.verbs, "get")
                && word.is(option, value)
                && (value.is_some() || !word.has_value)
        };
        OPTIONS.iter().find(is_it).map(Self)
    }

    /// Returns whether the option has a value.
    pub(super) const fn takes_value(&self) -> bool {
        self.0.has_value
    }

    /// Returns what it is in `get`.
    pub(super) fn words(&self, value: Option<&OsStr>) -> Vec<OsString> {
        tokens(self.0.here).map(|token| filled(&token, value)).collect()
    }
}

/// Returns what to type in `get` for a letter of another program, if that is no option.
#[cfg(feature = "get")]
pub(super) fn why_in_get(letter: char) -> Option<&'static str> {
    let option = format!("-{letter}");
    let word = OPTIONS.iter().find(|word| has(word.verbs, "get") && has(word.options, &option))?;
    Some(word.why).filter(|why| !why.is_empty())
}

/// Returns the words of a template. Between apostrophes a blank is part of a word.
fn tokens(template: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut tokens: Vec<Cow<'_, str>> = Vec::new();
    for (number, piece) in template.split('\'').enumerate() {
        match number % 2 {
            1 => tokens.push(Cow::Borrowed(piece)),
            _ => tokens.extend(piece.split_whitespace().map(Cow::Borrowed)),
        }
    }
    tokens.into_iter()
}

/// Returns whether a word is a URL, a path or an option, and so not the name of a part.
fn is_url(word: &OsStr) -> bool {
    let octets = word.as_encoded_bytes();
    octets.starts_with(b"-") || pasted::has_scheme(octets) || octets.contains(&b'/')
}

/// Returns a word of a template with the value in it. `%-1` is a number that counts one less.
fn filled(token: &str, value: Option<&OsStr>) -> OsString {
    let Some(value) = value else { return token.into() };
    if let Some(option) = token.strip_suffix("%-1") {
        let number = value.to_str().and_then(|value| value.parse::<u32>().ok());
        let mut word = OsString::from(option);
        word.push(
            number.map_or_else(|| value.to_owned(), |number| number.saturating_sub(1).to_string().into()),
        );
        return word;
    }
    let assigned = token.strip_suffix('%').filter(|part| part.ends_with('='));
    if let (Some(part), Some(text)) = (assigned, value.to_str()) {
        // The user has named the part, too, or another one that can be appended to.
        if text.starts_with(part) || part == "query=" && text.starts_with("path=") {
            return value.into();
        }
    }
    let place = token.replace("%1", "%");
    let mut pieces = place.split('%');
    let mut word = OsString::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        word.push(value);
        word.push(piece);
    }
    word
}

/// Returns a word for a shell, with its secrets hidden, in characters that show themselves.
fn shell_word(word: &OsStr) -> String {
    pasted::shell_word(&shown(&word.to_string_lossy()))
}

fn shown(word: &str) -> String {
    let value = word.split_once('=').filter(|_| word.starts_with('-'));
    let hidden = match value {
        Some((option, value)) => {
            format!("{option}={}", secrets::argument(&secrets::redacted(value).to_string()))
        }
        None => secrets::argument(&secrets::redacted(&secrets::edit(word).text).to_string()),
    };
    // A letter written by its code cannot be typed. Without a secret the word is what the user has typed.
    let coded = |text: &str| {
        let code = |c: char| match c {
            ' '..='~' => c.to_string(),
            _ => format!("<U+{:04X}>", u32::from(c)),
        };
        text.chars().map(code).collect::<String>()
    };
    let hidden = if coded(&hidden) == coded(word) { word.to_owned() } else { hidden };
    match hidden.chars().all(|c| c.is_alphanumeric() || c.is_ascii() && !c.is_ascii_control()) {
        true => hidden.to_string(),
        false => legible(&hidden).to_string(),
    }
}

/// Returns where the verb is.
fn verb_place(words: &[OsString], command: &Command) -> Option<usize> {
    let before_dashes = words.iter().take_while(|word| *word != "--");
    before_dashes.skip(1).position(|word| command.find_subcommand(word).is_some()).map(|at| at + 1)
}

/// Returns whether the word after a long option is its value.
fn takes_value(option: &str, command: &Command) -> bool {
    let Some(name) = option.strip_prefix("--").filter(|name| !name.is_empty()) else { return false };
    let is_it = |argument: &Arg| {
        argument.get_action().takes_values() && long_names(argument).any(|known| known == name)
    };
    OPTIONS.iter().any(|word| word.has_value && has(word.options, option))
        || command.get_subcommands().any(|verb| verb.get_arguments().any(is_it))
}

/// Returns whether a word is the name of a file or a directory.
fn names_file(word: &OsStr) -> bool {
    !pasted::has_scheme(word.as_encoded_bytes()) && Path::new(word).exists()
}

/// Returns whether a file has a URL in its first line.
fn is_list(path: &OsStr) -> bool {
    if !Path::new(path).is_file() {
        return false;
    }
    let mut first = Vec::new();
    let read =
        File::open(path).and_then(|file| BufReader::new(file.take(4096)).read_until(b'\n', &mut first));
    read.is_ok() && pasted::begins_with_scheme(first.trim_ascii())
}

/// Returns the text of a piece of an error.
fn text(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    }
}

/// Returns an option without its value.
fn name_of(option: &str) -> &str {
    option.split('=').next().unwrap_or_default()
}

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// Returns the long names of an option.
fn long_names(argument: &Arg) -> impl Iterator<Item = &str> {
    let aliases = argument.get_all_aliases().unwrap_or_default();
    argument.get_long().into_iter().chain(aliases).filter(|_| !argument.is_hide_set())
}

/// Returns the name that is nearest to a word, if it may be a slip of that.
fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let slips = names.filter_map(|name| Some((slip_distance(word, name)?, name)));
    slips.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Returns whether a word may be a slip of a name.
fn is_slip(word: &str, name: &str) -> bool {
    slip_distance(word, name).is_some()
}

/// Returns how many letters of a name are wrong in a word that may be a slip of it: one, or up to two in a name of
/// more than seven.
fn slip_distance(word: &str, name: &str) -> Option<usize> {
    let most = if name.chars().count() > 7 { 2 } else { 1 };
    // In a name of two letters any other is one letter away.
    edit_distance(word, name, most).filter(|distance| *distance > 0 && name.chars().count() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_a_verb() {
        let command = crate::command();
        let words = VERBS.iter().flat_map(|word| word.words.split_whitespace());
        let taken: Vec<_> = words.filter(|word| command.find_subcommand(word).is_some()).collect();
        assert_eq!(taken, [""; 0]);
    }

    #[test]
    fn no_word_for_a_verb_is_there_twice() {
        let mut words: Vec<_> = VERBS.iter().flat_map(|word| word.words.split_whitespace()).collect();
        words.sort_unstable();
        let twice: Vec<_> = words.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert_eq!(twice, [""; 0]);
    }

    /// The command that is run or named for a line.
    fn meant(line: &[&str]) -> Result<String, String> {
        let given: Vec<OsString> = ["locator"].iter().chain(line).map(OsString::from).collect();
        let command = crate::command();
        let parsed = std::cell::RefCell::new(String::new());
        let parse = |given: &[OsString]| {
            *parsed.borrow_mut() =
                given.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
            crate::read_lines(given.to_vec())
        };
        // What works needs no hint.
        let Err(error) = parse(&given) else { return Ok(parsed.into_inner()) };
        let whole = error.to_string();
        match meaning(error, &given, &command, parse) {
            Ok(_) => Ok(parsed.into_inner()),
            Err(Rejected::Clap(error)) if !error.use_stderr() => Ok(parsed.into_inner()),
            Err(Rejected::Misuse(Misuse { meant: Some(words), .. })) => Ok(words.join(" ")),
            _ => Err(whole),
        }
    }

    /// What the arguments after a verb may be.
    fn operands(verb: &str, here: &str) -> &'static [&'static str] {
        match verb {
            _ if here.contains("--set") || here.contains("-s %") || here.contains("--append") => {
                &["path=x", "http://h/"]
            }
            _ if here.contains("--unset %") => &["query", "http://h/"],
            _ if here.contains("-T %") => &["a.txt", "http://h/"],
            "compare" | "relative" => &["http://h/a", "http://h/b"],
            "resolve" => &["--base", "http://h/a", "b"],
            "completions" => &["bash"],
            "man" => &["check"],
            "schemes" => &["ftp"],
            "encode" | "decode" => &["a%20b"],
            "expand" => &["http://h/{a}", "a=b"],
            _ if here.contains("--where") => &["--in", "a.txt"],
            "editions" | "serve" | "help" | "--version" => &[],
            _ => &["http://h/a"],
        }
    }

    #[test]
    fn each_word_for_a_verb_has_a_command() {
        let command = crate::command();
        let mut wrong = Vec::new();
        for word in VERBS {
            let verb = word.here.split(' ').next().unwrap_or_default();
            if command.find_subcommand(verb).is_none() && !verb.starts_with('-') && verb != "help" {
                continue;
            }
            let operands = match word.here {
                here if here.contains("--base %") => &["http://h/a", "http://h/b"][..],
                here => operands(verb, here),
            };
            // A part that this build does not know.
            if word.here.contains("{surt}") || word.here.contains("{registered_domain}") {
                continue;
            }
            // The words of a row are the same.
            for one in word.words.split_whitespace().take(1) {
                if let Err(error) = meant(&[&[one], operands].concat()) {
                    wrong.push(format!("{one}: {error}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn each_word_for_an_option_has_a_command() {
        let command = crate::command();
        let mut wrong = Vec::new();
        for word in OPTIONS {
            let other = word.here.split(' ').find_map(|token| token.strip_prefix('@'));
            let is_there = |verb: &str| verb.starts_with('-') || command.find_subcommand(verb).is_some();
            if other.is_some_and(|other| !is_there(other)) {
                continue;
            }
            for verb in word.verbs.split_whitespace() {
                let verb = if verb == "*" { "read" } else { verb };
                if verb != "-" && command.find_subcommand(verb).is_none() {
                    continue;
                }
                let is_base = word.here == "--base %";
                let needed = if verb == "relative" && !is_base { &["--base", "http://h/a"][..] } else { &[] };
                // The options of a row are the same.
                for option in word.options.split_whitespace().take(1) {
                    // Another row of the verb, or the verb itself, has it.
                    let own = command.find_subcommand(verb).is_some_and(|verb| {
                        verb.get_arguments().any(|own| {
                            let short = own.get_short().map(|letter| format!("-{letter}"));
                            long_names(own).any(|name| format!("--{name}") == name_of(option))
                                || short.as_deref() == Some(name_of(option))
                        })
                    });
                    let value = match word.here {
                        here if here.contains("--min-severity") => "low",
                        here if here.contains("-T %") => "a.txt",
                        // A number would be the seconds of wget's --wait.
                        here if here.contains("-w %") => "x",
                        here if here.contains("--explain") || here.contains("--ignore") => "password",
                        here if here.contains("--as ") => "html",
                        here if here.contains("--only-scheme") => "http",
                        here if here.contains("--by") || here.contains("-by %") => "host",
                        here if here.contains("{%}") || here.contains("--columns") => "host",
                        here if here.contains("edit -a") => "path=x",
                        here if here.contains("--unset") => "query",
                        here if here.contains("--cache-age") => "1d",
                        here if here.contains("--listen %:") => "127.0.0.1",
                        here if here.contains("--base-url") => "http://h/",
                        here if here.contains("--color") => "never",
                        here if here.contains("--max-filesize") => "1M",
                        _ => "8",
                    };
                    let verb_words: &[&str] = if verb == "-" { &[] } else { &[verb] };
                    let value: &[&str] = if word.has_value && !option.contains('=') { &[value] } else { &[] };
                    let operands = match word.here {
                        here if here.starts_with("-f ") || here.starts_with("--file=") => &[],
                        "--base %" => &["http://h/b"][..],
                        here if here.contains("--key") => &["--cert", "c.pem", "http://h/"][..],
                        here if here.contains("-T %") => &["http://h/"][..],
                        here if here.contains("--password") => &["--user", "joe", "http://h/"][..],
                        here if here.contains("--accept") || here.contains("--reject") => {
                            &["-r", "http://h/"]
                        }
                        here => operands(verb, here),
                    };
                    let line = [verb_words, needed, &[option], value, operands].concat();
                    if let Err(error) = meant(&line).or_else(|error| if own { Ok(error) } else { Err(error) })
                    {
                        wrong.push(format!("{}: {error}", line.join(" ")));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[cfg(feature = "get")]
    #[test]
    fn no_same_option_is_one_of_get() {
        let mut command = crate::command();
        command.build();
        let get = command.find_subcommand("get").unwrap();
        let is_own = |option: &str| {
            get.get_arguments().any(|own| {
                long_names(own).any(|name| option.strip_prefix("--") == Some(name))
                    || own.get_short().is_some_and(|letter| option == format!("-{letter}"))
            })
        };
        let same = OPTIONS.iter().filter(|word| word.is_same && has(word.verbs, "get"));
        let options = same.flat_map(|word| word.options.split_whitespace()).map(name_of);
        let own: Vec<_> = options.filter(|option| is_own(option)).collect();
        assert_eq!(own, [""; 0]);
    }

    #[test]
    fn slips() {
        for (word, name, expected) in [
            ("raed", "read", true),
            ("chek", "check", true),
            ("lits", "links", false),
            ("noramlise", "normalize", true),
            ("normal", "normalize", false),
            ("stdin", "edition", false),
            ("tcsh", "zsh", false),
            ("ge", "get", true),
        ] {
            assert_eq!(is_slip(word, name), expected, "{word} {name}");
        }
    }
}
