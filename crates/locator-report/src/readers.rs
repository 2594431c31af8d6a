//! The names of readers as people say them: `curl 7.88`, and which part of a program reads only where
//! its parts differ. Also the readers that contact nothing.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use locator_audit::{Outcome, Program, Reader, Readings, Source};

/// Returns the names of readers. A program all of whose parts are among them has one name.
///
/// ```
/// let readers: Vec<_> = locator_audit::readers().filter(|one| one.name() == "curl").collect();
/// assert_eq!(locator_report::names_of_readers(&readers), ["curl 7.88"]);
/// ```
#[must_use]
pub fn names_of_readers(readers: &[&Reader]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for reader in readers {
        let (program, part) = name(reader);
        let is_of_it = |other: &&Reader| name(other).0 == program;
        let all = locator_audit::readers().filter(|reader| is_of_it(reader)).count();
        let among = readers.iter().filter(|reader| is_of_it(reader)).count();
        let name = if part.is_empty() || all == among { program } else { format!("{program} {part}") };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the names of programs that take a URL as an argument; which are not measured is said.
///
/// ```
/// let found = locator_audit::arguments("example.com");
/// assert!(locator_report::names_of_programs(&found[0].programs).contains(&"curl 7.88".into()));
/// ```
#[must_use]
pub fn names_of_programs(programs: &[&Program]) -> Vec<String> {
    let name = |program: &&Program| match program.source() {
        Source::Assumed => format!("{} (not measured)", program.title()),
        _ => program.title().to_owned(),
    };
    programs.iter().map(name).collect()
}

/// The readers that contact nothing, by what they do instead.
///
/// ```
/// let readings = locator_audit::readings("file:///etc/passwd");
/// let found = locator_report::WithoutContact::new(&readings);
/// assert!(found.opening_file.iter().any(|reader| reader.name() == "curl"));
/// assert!(found.without_host.iter().any(|reader| reader.name() == "rfc3986"));
/// assert!(found.rejecting.iter().any(|reader| reader.name() == "wget"));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WithoutContact {
    /// Those that open a file of the machine that they run on.
    pub opening_file: Vec<&'static Reader>,
    /// Those that find no host.
    pub without_host: Vec<&'static Reader>,
    /// Those that reject the URL.
    pub rejecting: Vec<&'static Reader>,
}

impl WithoutContact {
    /// Groups the readers.
    #[must_use]
    pub fn new(readings: &Readings) -> Self {
        let mut found = Self::default();
        for (reader, outcome) in readings.outcomes() {
            match outcome {
                _ if readings.misreads_scheme(reader) && *outcome != Outcome::File => {
                    found.rejecting.push(reader);
                }
                Outcome::Contact(_) | Outcome::Returned(_) => {}
                Outcome::File => found.opening_file.push(reader),
                Outcome::NoHost => found.without_host.push(reader),
                _ => found.rejecting.push(reader),
            }
        }
        found
    }
}

/// Returns the program with its version, and its part.
fn name(reader: &Reader) -> (String, String) {
    let (program, part) = match reader.name() {
        "url-standard" => ("browsers (URL Standard)", ""),
        "node-url-parse" => ("Node 20", "url.parse"),
        "python-requests" => ("requests 2.34", ""),
        _ => {
            let title = reader.title().replace('`', "");
            let known = ["Python 3.11", "Java 17", "Go 1.19", "Ruby 3.1", "PHP 8.2", "wget 1.21"];
            return match known.iter().find_map(|known| Some((*known, title.strip_prefix(known)?))) {
                Some((program, part)) => (program.to_owned(), part.trim_start().to_owned()),
                None => match title.strip_prefix("a proxy of ") {
                    Some(program) => (program.to_owned(), "by a proxy".to_owned()),
                    None => (title, String::new()),
                },
            };
        }
    };
    (program.to_owned(), part.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_named_where_parts_differ() {
        let named = |names: &[&str]| {
            let readers: Vec<_> =
                locator_audit::readers().filter(|one| names.contains(&one.name())).collect();
            assert_eq!(readers.len(), names.len());
            names_of_readers(&readers).join(", ")
        };
        assert_eq!(named(&["curl"]), "curl 7.88");
        assert_eq!(named(&["python-urllib"]), "Python 3.11 urllib.parse");
        assert_eq!(named(&["java-uri", "java-url", "go"]), "Java 17, Go 1.19");
        assert_eq!(named(&["java-uri"]), "Java 17 java.net.URI");
        assert_eq!(named(&["rfc3986"]), "RFC 3986");
        let all: Vec<_> = locator_audit::readers().collect();
        assert!(!names_of_readers(&all).join(", ").contains('`'));
    }
}
