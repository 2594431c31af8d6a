//! The options that say where a response body is written ([`Destination`]), and the name of the file. The nth `-o` or
//! `-O` is for the nth URL: `locator get -o a.html URL1 -O URL2`. Names of servers are made safe by
//! `locator_fetch::save` (RFC 6266, 4.3).

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};
use locator::UriRef;
use locator_fetch::Resume;
use locator_fetch::blocking::Response;
use locator_fetch::save::{self, Existing};

use super::download::Part;
use super::download::quoted_path;
use super::glob::Nth;
use super::response_heads::HeaderFile;
use super::time::TimeCondition;
use crate::report::failure::Failure;

/// Where the response body is written, and in which form.
#[derive(Args, Clone, Debug)]
pub(super) struct Destination {
    #[command(flatten)]
    outputs: Outputs,
    /// With -O, use the file name that the server suggests (Content-Disposition), made safe
    #[arg(short = 'J', long, requires = "remote_name", conflicts_with = "continue_at")]
    remote_header_name: bool,
    /// Save files in the directory DIR
    #[arg(long, value_name = "DIR", requires = "saves")]
    output_dir: Option<PathBuf>,
    /// Create the directories of -o and --output-dir that do not exist
    #[arg(long)]
    create_dirs: bool,
    /// Resume the download in FILE.part, or start over if the file has changed on the server; "-" is the
    /// only value
    #[arg(short = 'C', long, value_name = "-", value_parser = ["-"], requires = "destination")]
    #[arg(conflicts_with = "clobber", hide_possible_values = true)]
    continue_at: Option<String>,
    /// Overwrite an existing file, and an unfinished FILE.part
    #[arg(long)]
    clobber: bool,
    /// Write all response headers, including those of redirects, to FILE; "-" is standard output
    #[arg(short = 'D', long, value_name = "FILE", conflicts_with = "recursive")]
    dump_header: Option<OsString>,
    /// Print a directory listing or a menu as the server sent it
    #[arg(long)]
    pub(super) raw: bool,
    /// Print only the URLs of a directory listing or a menu, without names
    #[arg(long = "urls", conflicts_with_all = ["raw", "json"])]
    pub(super) only_urls: bool,
}

impl Destination {
    /// Returns the name of the file that a URL is saved to, which may have a headline;
    /// `None` for standard output. With -J it is the name if the server suggests none.
    pub(super) fn name(
        &self,
        nth: &Nth,
        given: UriRef<'_>,
        headline: Option<&str>,
    ) -> Result<Option<OsString>, Failure> {
        match self.outputs.of(nth.argument)? {
            Some(Target::File(name)) if is_stdout(name) => Ok(None),
            Some(Target::File(name)) => Ok(Some(self.in_folder(nth.filled(name)))),
            Some(Target::RemoteName) => match save::name_from_url(given, headline) {
                Ok(name) => named_by_server(self.in_folder(name)).map(Some),
                Err(_) if self.remote_header_name => Ok(None),
                Err(why) => Err(file_error(format!("{why}; use -o FILE to name the file"))),
            },
            None => Ok(None),
        }
    }

    /// Returns whether the server names the file of a URL.
    pub(super) fn is_named_by_server(&self, number: u64) -> bool {
        self.remote_header_name && matches!(self.outputs.of(number), Ok(Some(Target::RemoteName)))
    }

    /// Returns the name of the file that a response is saved to with -J: the one that the server suggests, or
    /// that of the URL.
    pub(super) fn suggested(&self, fetched: &Response, of_url: Option<&OsStr>) -> Result<OsString, Failure> {
        let header = fetched.headers().get_bytes("content-disposition");
        match (header.and_then(save::suggested_name), of_url) {
            (Some(name), _) => named_by_server(self.in_folder(name.into())),
            (None, Some(name)) => Ok(name.to_owned()),
            (None, None) => {
                let why = "neither the response nor the URL has a file name; use -o FILE to name the file";
                Err(file_error(why.into()))
            }
        }
    }

    /// Returns the name of a file in the folder of --output-dir.
    fn in_folder(&self, name: OsString) -> OsString {
        self.output_dir.as_ref().map_or_else(|| name.clone(), |folder| folder.join(&name).into())
    }

    /// Returns the point at which an earlier run ended early, if this one is to resume there.
    pub(super) fn resume(&self, name: Option<&OsStr>, given: UriRef<'_>) -> Option<Resume> {
        name.filter(|_| self.continue_at.is_some()).and_then(|name| save::resume_point(name, given))
    }

    /// Returns the folder of a walk from the nth URL, if `-o` or `--output-dir` names one.
    pub(super) fn folder(&self, nth: &Nth) -> Result<Option<PathBuf>, Failure> {
        Ok(match self.outputs.of(nth.argument)? {
            Some(Target::File(name)) => Some(self.in_folder(nth.filled(name)).into()),
            _ => self.output_dir.clone(),
        })
    }

    /// Creates the file of `-D`.
    pub(super) fn headers(&self) -> Result<Option<HeaderFile>, Failure> {
        let Some(name) = &self.dump_header else { return Ok(None) };
        if is_stdout(name) {
            return Ok(Some(HeaderFile::Stdout));
        }
        HeaderFile::create(Path::new(name), self.clobber).map(Some).map_err(file_error)
    }

    /// Returns whether headers are printed by `-D`.
    pub(super) fn prints_headers(&self) -> bool {
        self.dump_header.as_deref().is_some_and(is_stdout)
    }

    /// Returns whether existing files are overwritten.
    pub(super) const fn replaces(&self) -> bool {
        self.clobber
    }

    /// Creates the file, and the folders that it is in if they are wanted. A file whose time is the condition of
    /// the request is replaced.
    pub(super) fn file(&self, name: &OsStr, condition: Option<&TimeCondition>) -> Result<Part, Failure> {
        let is_replaced = self.clobber || condition.is_some_and(|condition| condition.is_of(name));
        let found = match (is_replaced, &self.continue_at) {
            (true, _) => Existing::Replace,
            (_, Some(_)) => Existing::Resume,
            _ => Existing::Keep,
        };
        let folder = Path::new(name).parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.exists()) {
            let shown = quoted_path(folder);
            if !self.create_dirs {
                let why = format!("the directory {shown} does not exist; use --create-dirs to create it");
                return Err(file_error(why));
            }
            fs::create_dir_all(folder)
                .map_err(|error| file_error(format!("{shown} cannot be created: {error}")))?;
        }
        Part::create(name, found).map_err(file_error)
    }

    /// Returns the length of an existing file that -C - is to complete.
    pub(super) fn complete_length(&self, name: &OsStr) -> Option<u64> {
        self.continue_at.as_ref().and_then(|_| save::complete_length(name))
    }

    /// Returns what is wrong with the options for so many URLs; `None` for those of a list.
    pub(super) fn excess(&self, urls: Option<usize>) -> Option<String> {
        self.outputs.excess(urls)
    }

    /// Returns whether `-C -` is given.
    pub(super) const fn continues(&self) -> bool {
        self.continue_at.is_some()
    }

    /// Returns whether `-o` is given, for a file or for standard output.
    pub(super) fn is_named(&self) -> bool {
        self.outputs.all().any(|target| matches!(target, Target::File(_)))
    }

    /// Returns whether a response is saved to this file, as far as the options say; `last` are the last segments
    /// of the URLs, which `-O` uses.
    pub(super) fn saves_as(&self, name: &OsStr, mut last: impl Iterator<Item = OsString>) -> bool {
        let is_file = |own: &OsString| own == name || self.in_folder(own.clone()) == name;
        self.outputs.all().any(|target| matches!(target, Target::File(own) if is_file(own)))
            || self.is_remote_name() && last.any(|own| is_file(&own))
    }

    /// Returns whether the body of an error response is printed: it is never saved to a file.
    pub(super) fn prints_errors(&self) -> bool {
        !self.is_file()
    }

    /// Returns whether responses are saved to files.
    pub(super) fn is_file(&self) -> bool {
        self.outputs.all().any(|target| match target {
            Target::File(name) => !is_stdout(name),
            Target::RemoteName => true,
        })
    }

    /// Returns whether responses are printed by `-o -`, or saved to files other than devices such as /dev/null.
    pub(super) fn is_named_or_saved(&self) -> bool {
        self.outputs.all().any(|target| match target {
            Target::File(name) => is_stdout(name) || !save::is_device(name),
            Target::RemoteName => true,
        })
    }

    /// Returns whether every response is saved to a file, and nothing of it is printed.
    pub(super) fn saves_all(&self) -> bool {
        self.outputs.are_files(|name| !is_stdout(name))
    }

    /// Returns whether `-O` is given.
    pub(super) fn is_remote_name(&self) -> bool {
        self.outputs.all().any(|target| *target == Target::RemoteName)
    }
}

/// Returns a file name that a server or a URL has chosen: only the user may name a pipe or a device, which are
/// written directly.
fn named_by_server(name: OsString) -> Result<OsString, Failure> {
    if save::is_device(&name) {
        let shown = quoted_path(Path::new(&name));
        return Err(file_error(format!("{shown} is not a regular file; use -o FILE to write to it")));
    }
    Ok(name)
}

/// Returns whether a file name means standard output.
fn is_stdout(name: &OsStr) -> bool {
    name == "-"
        || cfg!(unix) && ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|own| name == *own)
}

/// Returns the error for a file that cannot be written.
pub(super) fn file_error(why: String) -> Failure {
    Failure::other("file", why)
}

/// The options `-o`, `-O` and `--remote-name-all`.
#[derive(Clone, Debug, Default)]
struct Outputs {
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
    fn are_files(&self, is_file: impl Fn(&OsString) -> bool) -> bool {
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
