//! The results as annotations of GitHub: `::error file=…,line=…,col=…::…`. GitHub shows ten for a step,
//! so there is one for each URL, with the number of links to it.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use locator_links::Site;

use super::super::checked::{CheckedLink, LeftOut};
use crate::output::Output;
use crate::report::plural;
use crate::terminal::{Word, visible};

/// The annotations of a run.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    all: Vec<Annotation>,
    /// The numbers of annotations by their URLs.
    numbers: HashMap<String, usize>,
    /// The word that ends the lines which are no commands.
    token: String,
}

#[derive(Debug)]
struct Annotation {
    is_error: bool,
    /// The properties, as they are written.
    place: String,
    title: String,
    message: String,
    /// How many other links lead there.
    others: u64,
}

/// How many annotations GitHub shows.
const MOST: usize = 10;

impl Annotations {
    /// Writes the beginning of the lines for people, in which nothing is a command: the names of files
    /// are those of others.
    pub(super) fn begin(&mut self, out: &mut Output) -> io::Result<()> {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let nanoseconds = now.map(|now| now.as_nanos()).unwrap_or_default();
        self.token = format!("locator-{:x}-{nanoseconds:x}", std::process::id());
        out.command(&format!("::stop-commands::{}", self.token))
    }

    /// Adds a link.
    pub(super) fn add(&mut self, site: &Site, judged: &CheckedLink<'_>) {
        let is_error = match judged.word() {
            Word::Error => true,
            Word::Warning => false,
            _ => return,
        };
        let url = judged.absolute(site).unwrap_or_else(|| judged.page.url(judged.link).to_owned());
        if let Some(one) = self.numbers.get(&url).and_then(|number| self.all.get_mut(*number)) {
            one.others += 1;
            return;
        }
        self.numbers.insert(url, self.all.len());
        let name = visible(&judged.page.name).to_string();
        let (line, column) = (judged.link.line, judged.link.column);
        let (place, before) = match judged.page.file {
            Some(_) => {
                (format!("file={},line={line},col={column},", property(&relative(&name))), String::new())
            }
            None => (String::new(), format!("{name}:{line}:{column}: ")),
        };
        let route: String = judged.route().iter().map(|step| format!("\n- {step}")).collect();
        let verdict = judged.verdict;
        self.all.push(Annotation {
            is_error,
            place,
            title: property(&format!("{} link ({})", verdict.outcome().name(), verdict.code)),
            message: data(&(format!("{before}{}: {}", judged.url(), judged.advice()) + &route)),
            others: 0,
        });
    }

    /// Writes the annotations, errors first.
    pub(super) fn write(&mut self, out: &mut Output, silenced: &LeftOut) -> io::Result<()> {
        out.command(&format!("::{}::", self.token))?;
        self.all.sort_by_key(|one| !one.is_error);
        for one in self.all.iter().take(MOST) {
            let Annotation { is_error, place, title, message, others } = one;
            let word = if *is_error { "error" } else { "warning" };
            let others = match others {
                0 => String::new(),
                more => format!(" (and {} to it)", plural(*more, "other link")),
            };
            out.command(&format!("::{word} {place}title={title}::{message}{others}"))?;
        }
        for words in silenced.words() {
            out.command(&format!("::notice title=links not checked::{}", data(&words)))?;
        }
        match self.all.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => {
                writeln!(out, "{} without an annotation: GitHub shows {MOST}", plural(more as u64, "URL"))
            }
        }
    }
}

/// Returns the name of a file as GitHub has it: relative to the root of the working tree that a job has,
/// elsewhere to the working directory.
fn relative(name: &str) -> String {
    let root = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from).or(std::env::current_dir().ok());
    let path = std::path::absolute(name).ok();
    let inside = path.zip(root).and_then(|(path, root)| Some(path.strip_prefix(root).ok()?.to_owned()));
    let inside = inside.as_deref().and_then(Path::to_str).unwrap_or(name);
    if cfg!(windows) { inside.replace('\\', "/") } else { inside.to_owned() }
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_property_is_escaped() {
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
        assert_eq!(data("a,b:c%\r\n"), "a,b:c%25%0D%0A");
    }
}
