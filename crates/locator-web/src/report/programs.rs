//! What programs make of a URL: their names as people say them (`curl 7.88`, and which part of a program reads only
//! where its parts differ), the hosts that they contact, without what may be a part of a password, and why a reader
//! contacts nothing.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use locator::{PctStr, Redacted};
use locator_audit::{Contact, Host, Outcome, Program, Reader, Readings, Returned, Source};

/// Returns the names of readers. A program all of whose parts are among them has one name.
///
/// ```
/// let readers: Vec<_> = locator_audit::readers().filter(|one| one.name() == "curl").collect();
/// assert_eq!(locator_web::report::names_of_readers(&readers), ["curl 7.88"]);
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
/// assert!(locator_web::report::names_of_programs(&found[0].programs).contains(&"curl 7.88".into()));
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
/// let found = locator_web::report::WithoutContact::new(&readings);
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
        "node-url" => ("Node 20", "URL"),
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

/// Shows the hosts that readers find in a URL.
///
/// ```
/// use locator_web::report::{ShownContacts, secrets};
///
/// let shown = secrets::without_secrets("http://u:secret@h/");
/// let host = locator_audit::Host::Name("secret".into());
/// assert_eq!(ShownContacts::new(&shown).host(&host), "(hidden)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShownContacts<'a> {
    url: &'a Redacted<'a>,
    has_secrets: bool,
}

impl<'a> ShownContacts<'a> {
    /// Shows hosts as the URL is shown, whose secrets are hidden.
    #[must_use]
    pub const fn new(url: &'a Redacted<'a>) -> Self {
        Self { url, has_secrets: false }
    }

    /// Shows hosts that are returned and may be a part of the password.
    #[must_use]
    pub const fn with_secrets(self, has_secrets: bool) -> Self {
        Self { has_secrets, ..self }
    }

    /// Returns a host as it is shown: hidden if a reader took it from what is hidden, and it is rather a
    /// part of a password. A name with a dot is shown, because it is probably meant to be contacted:
    /// `https://anna:x@evil.example\@good.example/`.
    #[must_use]
    pub fn host(&self, host: &Host) -> String {
        let is_secret = |range: &Range<usize>| {
            let hidden = self.url.as_str().get(range.clone()).unwrap_or_default();
            let decoded = PctStr::new(hidden).map(|hidden| hidden.decode_utf8_lossy().to_lowercase());
            let is_word = |name: &str| !name.trim_end_matches('.').contains('.');
            let has = |text: &str| matches!(host, Host::Name(name) if is_word(name) && text.contains(name.as_str()));
            has(&hidden.to_lowercase()) || decoded.is_ok_and(|decoded| has(&decoded))
        };
        match self.url.hidden().iter().any(is_secret) {
            true => Redacted::HIDDEN.to_owned(),
            false => host.to_string(),
        }
    }

    /// Returns a host that a reader returns as it is shown.
    #[must_use]
    pub fn returned(&self, found: &Returned<'_>) -> String {
        match found.is_of_password && !self.has_secrets {
            true => Redacted::HIDDEN.to_owned(),
            false => self.host(&Host::Name(found.host.to_owned())),
        }
    }

    /// Returns a contact as it is shown: `https://host:443`.
    #[must_use]
    pub fn contact(&self, contact: &Contact) -> String {
        match self.host(contact.host()) {
            host if host == Redacted::HIDDEN => format!("{}://{host}", contact.scheme()),
            _ => contact.to_string(),
        }
    }
}

/// Returns where a host is in a text for the first time, outside of other hosts; case is ignored.
///
/// ```
/// use locator_web::report::place_of_host;
///
/// let text = "http://a.example@A.example/";
/// assert_eq!(place_of_host(text, "a.example", &[]), Some(7..16));
/// assert_eq!(place_of_host(text, "a.example", &[7..16]), Some(17..26));
/// assert_eq!(place_of_host(text, "", &[]), None);
/// ```
#[must_use]
pub fn place_of_host(text: &str, host: &str, taken: &[Range<usize>]) -> Option<Range<usize>> {
    if host.is_empty() {
        return None;
    }
    let (text, host) = (text.to_ascii_lowercase(), host.to_ascii_lowercase());
    let found = text.match_indices(&host).map(|(start, host)| start..start + host.len());
    let is_free =
        |place: &Range<usize>| taken.iter().all(|other| other.end <= place.start || place.end <= other.start);
    found.into_iter().find(is_free)
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
