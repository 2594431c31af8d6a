//! Where each response body is written: `-o` and `-O` in the order in which they are given, the n-th of
//! which belongs to the n-th URL, as in curl.

use std::ffi::OsString;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::report::failure::Failure;

/// The options `-o`, `-O` and `--remote-name-all`.
#[derive(Clone, Debug, Default)]
pub(super) struct Outputs {
    given: Vec<Target>,
    all: bool,
}

/// Where a response body is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A file; "-" is standard output.
    File(OsString),
    /// A file with the name of the remote file.
    RemoteName,
}

const OUTPUT: &str = "output";
const REMOTE_NAME: &str = "remote_name";
const ALL: &str = "remote_name_all";

impl Args for Outputs {
    fn augment_args(command: Command) -> Command {
        let output = Arg::new(OUTPUT).short('o').long("output").value_name("FILE");
        let output = output.action(ArgAction::Append).value_parser(ValueParser::os_string()).help(
            "Write to FILE instead of standard output; \"-\" prints even binary data to a terminal; the nth \
             -o or -O is for the nth URL",
        );
        // Each -O has a place among the arguments, which a flag has not.
        let remote_name = Arg::new(REMOTE_NAME).short('O').long("remote-name").num_args(0);
        let remote_name = remote_name
            .action(ArgAction::Append)
            .default_missing_value("")
            .help("Save to a file with the name of the remote file, in the working directory");
        let all = Arg::new(ALL).long("remote-name-all").action(ArgAction::SetTrue);
        let all = all.help("Use -O for every URL without -o, which a single -O does, too");
        let group = ArgGroup::new("destination").args([OUTPUT, REMOTE_NAME, ALL]).multiple(true);
        command.args([output, remote_name, all]).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Outputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut outputs = Self::default();
        outputs.update_from_arg_matches(matches)?;
        Ok(outputs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let places = |name| matches.indices_of(name).into_iter().flatten();
        let files = matches.get_many::<OsString>(OUTPUT).into_iter().flatten();
        let files = places(OUTPUT).zip(files.map(|name| Target::File(name.clone())));
        let remote = places(REMOTE_NAME).map(|place| (place, Target::RemoteName));
        let mut given: Vec<_> = files.chain(remote).collect();
        given.sort_by_key(|(place, _)| *place);
        self.given = given.into_iter().map(|(_, target)| target).collect();
        self.all = matches.get_flag(ALL);
        Ok(())
    }
}

impl Outputs {
    /// Returns where the body of a URL is written, which is the nth, from 1; `None` for standard output. If
    /// only `-O` is given, it is for all URLs, also for those of a list.
    pub(super) fn of(&self, number: u64) -> Result<Option<&Target>, Failure> {
        let has_names = self.given.iter().any(|target| matches!(target, Target::File(_)));
        let nth = usize::try_from(number).ok().and_then(|number| self.given.get(number.checked_sub(1)?));
        match (nth, &*self.given) {
            (Some(target), _) => Ok(Some(target)),
            _ if self.all || !has_names && !self.given.is_empty() => Ok(Some(&Target::RemoteName)),
            (None, []) => Ok(None),
            (None, [one]) => Ok(Some(one)),
            (None, given) => {
                let count = given.len();
                let why = format!("there are only {count} -o and -O; give one for each URL, or -O for all");
                Err(Failure::other("file", why))
            }
        }
    }

    /// Returns what is wrong with the number of the options for so many URLs; `None` if the URLs are those of
    /// a list.
    pub(super) fn excess(&self, urls: Option<usize>) -> Option<String> {
        let count = self.given.len();
        let has_names = self.given.iter().any(|target| matches!(target, Target::File(_)));
        match urls {
            _ if !has_names || count < 2 => None,
            None => Some("several -o need their URLs as arguments, not in a list".into()),
            Some(urls) => (count > urls).then(|| {
                format!("{count} of -o and -O, but only {urls} {}", if urls == 1 { "URL" } else { "URLs" })
            }),
        }
    }

    /// Returns whether every response is saved to a file.
    pub(super) fn are_files(&self, is_file: impl Fn(&OsString) -> bool) -> bool {
        let is_saved = |target: &Target| match target {
            Target::File(name) => is_file(name),
            Target::RemoteName => true,
        };
        (self.all || !self.given.is_empty()) && self.given.iter().all(is_saved)
    }

    /// Returns all that are given.
    pub(super) fn all(&self) -> impl Iterator<Item = &Target> {
        self.given.iter().chain(self.all.then_some(&Target::RemoteName))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Outputs {
        let command = Outputs::augment_args(Command::new("get")).arg(Arg::new("url").num_args(0..));
        let matches = command.try_get_matches_from([&["get"], arguments].concat()).unwrap();
        Outputs::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn the_nth_is_for_the_nth_url() {
        let named = |name: &str| Some(Target::File(name.into()));
        let remote = || Some(Target::RemoteName);
        for (arguments, expected) in [
            (&[][..], [Some(None), Some(None), Some(None)]),
            (&["-o", "a", "u", "-o", "b", "v"], [Some(named("a")), Some(named("b")), None]),
            (&["-o", "a", "-O", "u", "v"], [Some(named("a")), Some(remote()), None]),
            (&["-O", "u", "-o", "-", "v"], [Some(remote()), Some(named("-")), None]),
            (&["-Oo", "b", "u"], [Some(remote()), Some(named("b")), None]),
            (&["-O", "u", "v"], [Some(remote()), Some(remote()), Some(remote())]),
            (&["-OO", "u", "v"], [Some(remote()), Some(remote()), Some(remote())]),
            (&["-o", "a", "u", "v"], [Some(named("a")), Some(named("a")), Some(named("a"))]),
            (&["--remote-name-all", "-o", "a", "u"], [Some(named("a")), Some(remote()), Some(remote())]),
        ] {
            let outputs = read(arguments);
            for (number, expected) in (1..).zip(expected) {
                assert_eq!(outputs.of(number).ok().map(|found| found.cloned()), expected, "{arguments:?}");
            }
        }
        assert!(read(&["-o", "a", "-o", "b"]).excess(Some(1)).is_some());
        assert!(read(&["-o", "a", "-o", "b"]).excess(None).is_some());
        assert_eq!(read(&["-o", "a", "-o", "b"]).excess(Some(2)), None);
        assert_eq!(read(&["-OO"]).excess(Some(1)), None);
        assert_eq!(read(&["-o", "a"]).excess(None), None);
    }
}
