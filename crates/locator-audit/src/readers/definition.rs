//! What a reader is.

use core::fmt::{self, Formatter};

use super::contact::{Contact, Outcome};
use super::model;
use super::quirk::{Quirks, SchemeSyntax};
use super::standard::{Departures, ParsedText};
use locator::{Edition, UriRef};

/// The source of what is known of a reader.
///
/// ```
/// use locator_audit::{Source, readers};
///
/// let curl =
///     readers().find(|reader| reader.name() == "curl").expect("it is there");
/// assert_eq!(curl.source(), Source::Measured);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The program was run on many texts and compared.
    Measured,
    /// A document says so.
    Document,
    /// It is what such programs commonly do: none was run, and no document was read.
    Assumed,
}

/// How a reader reads.
pub(super) enum Method {
    Quirks(&'static Quirks),
    /// By the parser of the URL Standard.
    Standard(Departures),
    Edition(&'static Edition),
}

/// A program with its version, or an edition of the standard, as a reader of URLs.
///
/// ```
/// use locator::uri;
/// use locator_audit::{Contact, readers};
///
/// let base =
///     Contact::from_uri(uri!("https://base.example/")).expect("it has a host");
/// let curl =
///     readers().find(|reader| reader.name() == "curl").expect("it is there");
/// let outcome = curl.read("http://good.example\\@evil.example/", &base);
/// assert_eq!(outcome.contact().unwrap().to_string(), "http://evil.example:80");
/// ```
pub struct Reader {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) source: Source,
    pub(super) is_current: bool,
    pub(super) method: Method,
}

impl Reader {
    /// Returns the name on the command line and in JSON: `url-standard`. It never changes.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the program with the version that was measured, `curl 7.88`, or the standard with its date.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        self.title
    }

    /// Returns the source of what is known of the reader.
    #[must_use]
    pub const fn source(&self) -> Source {
        self.source
    }

    /// Returns whether this program or edition is in use today.
    #[must_use]
    pub const fn is_current(&self) -> bool {
        self.is_current
    }

    /// Returns what [`read`](Self::read) returns for a text that is parsed by the URL Standard already.
    pub(super) fn read_parsed(&self, parsed: &ParsedText<'_>, base: &Contact) -> Outcome {
        match self.method {
            Method::Standard(departures) => parsed.outcome(departures),
            _ => self.read(parsed.text(), base),
        }
    }

    /// Returns whether the program takes a scheme that it does not fetch for a part of a server.
    pub(super) const fn takes_scheme_for_host(&self) -> bool {
        match self.method {
            Method::Quirks(quirks) => matches!(quirks.scheme, SchemeSyntax::Curl | SchemeSyntax::Wget),
            Method::Standard(_) | Method::Edition(_) => false,
        }
    }

    /// Returns what the reader contacts for the text, which may be relative to the base.
    ///
    /// ```
    /// use locator::uri;
    /// use locator_audit::{Contact, readers};
    ///
    /// let base = Contact::from_uri(uri!("https://base.invalid/")).unwrap();
    /// let curl = readers().find(|reader| reader.name() == "curl").unwrap();
    /// let outcome = curl.read("http://good.example\\@evil.example/", &base);
    /// assert_eq!(outcome.contact().unwrap().to_string(), "http://evil.example:80");
    /// ```
    #[must_use]
    pub fn read(&self, text: &str, base: &Contact) -> Outcome {
        match self.method {
            Method::Standard(departures) => ParsedText::new(text, base).outcome(departures),
            Method::Quirks(quirks) => model::read(quirks, text, base),
            Method::Edition(edition) => match UriRef::parse_with(text, edition) {
                Ok(reference) => {
                    let host = reference.host().map(|host| host.as_str());
                    model::read_by_edition(
                        reference.scheme().map(|scheme| scheme.as_str()),
                        host,
                        reference.port().map(|port| port.as_str()),
                        base,
                    )
                }
                Err(_) => Outcome::Refused,
            },
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Reader {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Reader {}
