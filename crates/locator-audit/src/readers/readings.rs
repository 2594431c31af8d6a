//! Reads one text by every reader: what is contacted and by which readers, and the hosts that
//! others return.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::Ipv6Addr;

use super::contact::{Contact, Host, Outcome};
use super::definition::Reader;
use super::standard::ParsedText;
use super::{contact, model, table};
use crate::divided::Divided;
use crate::domain;
use crate::schemes;
use locator::{AddressReader, Component, Edition, UriRef, edition, scheme};

/// The base of texts without a scheme, unless another is set.
const BASE: &str = "https://base.invalid/";

/// The contacts of all readers for one text.
///
/// ```
/// use locator_audit::Readings;
///
/// let readings = Readings::new("http://good.example\\@evil.example/", None);
/// assert!(!readings.agree());
/// assert_eq!(readings.contacts().len(), 2);
/// assert!(Readings::new("http://good.example/", None).agree());
/// ```
#[derive(Clone, Debug)]
pub struct Readings {
    own: Outcome,
    /// The password, decoded, in lower case.
    password: String,
    /// Whether general programs do not fetch the scheme.
    is_foreign: bool,
    /// Whether some take it off, and contact what follows.
    pub(crate) is_taken_off: bool,
    /// The base, if the text does not name its host.
    base: Option<Contact>,
    /// Whether nobody has set the base: it has no name.
    has_unnamed_base: bool,
    /// The different outcomes. A host may be as long as the text, and most readers find the same.
    distinct: Vec<Outcome>,
    /// The place of each reader's outcome among them.
    places: Vec<(&'static Reader, usize)>,
}

/// A contact with the readers that make it.
///
/// ```
/// let readings = locator_audit::readings("http://good.example\\@evil.example/");
/// for found in readings.contacts() {
///     let has_curl = found.readers.iter().any(|reader| reader.name() == "curl");
///     assert_eq!(has_curl, found.contact.to_string() == "http://evil.example:80");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Contacted<'a> {
    /// The host and the port.
    pub contact: &'a Contact,
    /// Whether the chosen edition reads the text like this.
    pub is_own: bool,
    /// Whether the name of the host may be a part of the password, which some readers end elsewhere.
    pub is_of_password: bool,
    /// Whether it is the base that the text refers to: for a relative reference.
    pub is_base: bool,
    /// The readers, in the order of [`readers`](crate::readers()).
    pub readers: Vec<&'static Reader>,
}

impl Readings {
    /// Reads a text by every reader, with RFC 3986 as the chosen edition.
    ///
    /// A text that is not valid is divided by appendix B of RFC 3986. What has no scheme refers to
    /// the base, so that it shows which readers leave the base. Without one the base has no name.
    ///
    /// ```
    /// use locator::uri;
    /// use locator_audit::{Contact, Readings};
    ///
    /// // Browsers take a backslash for a slash, and leave the site.
    /// let base = Contact::from_uri(uri!("https://www.example.com/")).unwrap();
    /// let readings = Readings::new("/\\evil.example/", Some(&base));
    /// let hosts = readings.hosts();
    /// assert!(hosts.iter().any(|host| host.to_string() == "evil.example"));
    /// ```
    #[must_use]
    pub fn new(text: &str, base: Option<&Contact>) -> Self {
        Self::new_with(text, edition::DEFAULT, base)
    }

    /// Reads a text by every reader, as [`new`](Self::new) does, with a chosen edition.
    ///
    /// Choose the edition that your program parses with, so that [`own`](Self::own) is its reading.
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator_audit::Readings;
    ///
    /// // In RFC 1738, "?" is allowed in a user.
    /// let text = "ftp://good.example?@evil.example/";
    /// let host = |readings: &Readings| {
    ///     Some(readings.own().contact()?.host().to_string())
    /// };
    /// let old = Readings::new_with(text, &RFC1738, None);
    /// assert_eq!(host(&old).unwrap(), "evil.example");
    /// assert_eq!(host(&Readings::new(text, None)).unwrap(), "good.example");
    /// ```
    #[must_use]
    pub fn new_with(text: &str, edition: &'static Edition, base: Option<&Contact>) -> Self {
        let default = default_base();
        let has_unnamed_base = base.is_none();
        let base = base.unwrap_or(&default);
        let subject = Divided::new(text, edition);
        let mut distinct = Vec::new();
        let mut place = |outcome| {
            let known = distinct.iter().position(|known| *known == outcome);
            known.unwrap_or_else(|| {
                distinct.push(outcome);
                distinct.len() - 1
            })
        };
        let parsed = match has_unnamed_base {
            true => ParsedText::without_base(text, base),
            false => ParsedText::new(text, base),
        };
        let outcomes = table::READERS.iter().map(|reader| (reader, reader.read_parsed(&parsed, base)));
        let places = outcomes.map(|(reader, outcome)| (reader, place(outcome))).collect();
        let is_path = subject.span(Component::Scheme).or(subject.span(Component::Authority)).is_none();
        Self {
            is_foreign: model::has_foreign_scheme(text),
            is_taken_off: subject.get(Component::Scheme).is_some_and(schemes::is_taken_off),
            own: own(&subject, base),
            password: password(&subject),
            base: Some(base).filter(|base| is_path || !text.contains(&base.host().to_string())).cloned(),
            has_unnamed_base,
            distinct,
            places,
        }
    }

    /// Returns the reading by the chosen edition.
    #[must_use]
    pub const fn own(&self) -> &Outcome {
        &self.own
    }

    /// Returns the result of each reader, in the order of [`readers`](crate::readers()). A base that nobody
    /// has set is [among them](Self::is_unnamed_base).
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = (&'static Reader, &Outcome)> {
        self.places.iter().map(|(reader, place)| (*reader, &self.distinct[*place]))
    }

    /// Returns the different contacts of a link with this text, with their readers, that of the chosen
    /// edition first.
    ///
    /// The server of a base that nobody has set is not among them: [`at_base`](Self::at_base) has its
    /// readers. Nor is what programs contact that take the text for an argument and its scheme for a
    /// host, as `mailto:a@b.example` and `h.example:8080`: see [`arguments`](crate::arguments()).
    ///
    /// ```
    /// assert!(locator_audit::readings("mailto:a@b.example").contacts().is_empty());
    /// let relative = locator_audit::readings("a/b");
    /// assert!(relative.contacts().is_empty());
    /// let stays = relative.at_base().expect("it is relative");
    /// assert!(stays.is_own && stays.readers.iter().any(|reader| reader.name() == "curl"));
    /// ```
    #[must_use]
    pub fn contacts(&self) -> Vec<Contacted<'_>> {
        let mut contacts = self.all_contacts();
        contacts.retain(|found| !(self.has_unnamed_base && found.is_base));
        contacts
    }

    /// Returns the readers that stay at the server of the base, if the text is relative and no base was
    /// given; its contact has no meaning.
    #[must_use]
    pub fn at_base(&self) -> Option<Contacted<'_>> {
        self.all_contacts().into_iter().find(|found| self.has_unnamed_base && found.is_base)
    }

    /// Returns whether a contact is the server of a base that nobody has set, which has no name.
    #[must_use]
    pub fn is_unnamed_base(&self, contact: &Contact) -> bool {
        self.has_unnamed_base && self.base.as_ref() == Some(contact)
    }

    /// Returns whether a reader takes the scheme for a host: it does so with an argument, and rejects a
    /// link.
    #[must_use]
    pub fn misreads_scheme(&self, reader: &Reader) -> bool {
        self.is_foreign && reader.takes_scheme_for_host()
    }

    /// Returns the contacts, with the server of the base.
    pub(crate) fn all_contacts(&self) -> Vec<Contacted<'_>> {
        let own = self.own.contact().map(|contact| self.contacted(contact, true, Vec::new()));
        let mut found: Vec<_> = own.into_iter().collect();
        for (reader, outcome) in self.outcomes() {
            let Some(contact) = outcome.contact() else { continue };
            if self.misreads_scheme(reader) {
                continue;
            }
            match found.iter_mut().find(|known| known.contact == contact) {
                Some(known) => known.readers.push(reader),
                None => found.push(self.contacted(contact, false, alloc::vec![reader])),
            }
        }
        found
    }

    fn contacted<'a>(
        &self,
        contact: &'a Contact,
        is_own: bool,
        readers: Vec<&'static Reader>,
    ) -> Contacted<'a> {
        let is_part = |name: &String| self.password.contains(name.as_str());
        let is_of_password = matches!(contact.host(), Host::Name(name) if is_part(name));
        let is_base = self.base.as_ref() == Some(contact);
        Contacted { contact, is_own, is_of_password, is_base, readers }
    }

    /// Returns the different hosts, that of the chosen edition first.
    #[must_use]
    pub fn hosts(&self) -> Vec<&Host> {
        let mut hosts = Vec::new();
        for contacted in self.contacts() {
            if !hosts.contains(&contacted.contact.host()) {
                hosts.push(contacted.contact.host());
            }
        }
        hosts
    }

    /// Returns whether the chosen edition and all current readers that contact anything contact one
    /// server, and no reader [returns](Self::returned) another host.
    ///
    /// Readers of a text whose scheme they do not fetch (`mailto:`) are not asked: there, curl and wget
    /// guess a host without a scheme.
    #[must_use]
    pub fn agree(&self) -> bool {
        let contacts = || self.all_contacts().iter().filter(|found| found.is_current()).count();
        !self.are_asked() || contacts() < 2 && !self.is_contradicted()
    }

    /// Returns whether it matters what readers contact: general programs fetch the scheme, or take it off.
    pub(crate) const fn are_asked(&self) -> bool {
        !self.is_foreign || self.is_taken_off
    }
}

impl Contacted<'_> {
    /// Returns whether the chosen edition or a current reader makes this contact.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.is_own || self.readers.iter().any(|reader| reader.is_current())
    }
}

/// A host that cannot be looked up, with the readers that return it.
///
/// ```
/// let readings = locator_audit::readings("http://a%20.good.example/");
/// assert!(
///     readings.returned().iter().any(|found| found.host.contains("good.example"))
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Returned<'a> {
    /// The host as it is returned, in lower case.
    pub host: &'a str,
    /// Whether the chosen edition reads the text like this.
    pub is_own: bool,
    /// Whether the host may be a part of the password, which some readers end elsewhere.
    pub is_of_password: bool,
    /// The readers, in the order of [`readers`](crate::readers()).
    pub readers: Vec<&'static Reader>,
}

impl Returned<'_> {
    /// Returns whether the chosen edition or a current reader returns this host.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.is_own || self.readers.iter().any(|reader| reader.is_current())
    }
}

impl Readings {
    /// Returns the different hosts that readers return and nobody can contact.
    ///
    /// ```
    /// let readings = locator_audit::readings("http://evil.example%20.good.example/");
    /// assert_eq!(readings.returned()[0].host, "evil.example%20.good.example");
    /// assert_eq!(
    ///     readings.contacts()[0].contact.to_string(),
    ///     "http://evil.example:80"
    /// );
    /// assert!(!readings.agree());
    /// ```
    #[must_use]
    pub fn returned(&self) -> Vec<Returned<'_>> {
        let mut found: Vec<_> =
            self.own.returned().map(|host| self.returned_by(host, true, Vec::new())).into_iter().collect();
        for (reader, outcome) in self.outcomes() {
            let Some(host) = outcome.returned() else { continue };
            match found.iter_mut().find(|known| known.host == host) {
                Some(known) => known.readers.push(reader),
                None => found.push(self.returned_by(host, false, alloc::vec![reader])),
            }
        }
        found
    }

    fn returned_by<'a>(&self, host: &'a str, is_own: bool, readers: Vec<&'static Reader>) -> Returned<'a> {
        let decoded = String::from_utf8_lossy(&contact::unescaped(host)).to_lowercase();
        // A part of it, all of it, or what is left of a user and a password that were cut at another "@".
        let is_of_password = !self.password.is_empty()
            && !decoded.is_empty()
            && (self.password.contains(&decoded)
                || decoded.contains(&self.password)
                || decoded.contains('@'));
        Returned { host, is_own, is_of_password, readers }
    }

    /// Returns whether a current program contacts a host while another one, or the own reading, returns
    /// a different one.
    pub(super) fn is_contradicted(&self) -> bool {
        let current = self.outcomes().filter(|(reader, _)| reader.is_current());
        let (mut contacted, mut returned) = (Vec::new(), Vec::new());
        for outcome in current.map(|(_, outcome)| outcome).chain([&self.own]) {
            match outcome {
                Outcome::Contact(found) if !contacted.contains(&found.host()) => contacted.push(found.host()),
                Outcome::Returned(host) if !returned.contains(&host) => returned.push(host),
                _ => {}
            }
        }
        returned.iter().any(|host| contacted.iter().any(|contact| !is_same(contact, host)))
    }
}

/// Returns the base of texts without a scheme: `https://base.invalid/`.
pub(crate) fn default_base() -> Contact {
    let reference = UriRef::parse(BASE).ok();
    let scheme = reference.and_then(UriRef::scheme).map_or("", |scheme| scheme.as_str());
    let host = reference.and_then(UriRef::host).map_or("", |host| host.as_str());
    Contact::new(scheme, Host::Name(host.into()), scheme::default_port(scheme))
}

/// Returns the reading of the subject's own edition.
fn own(subject: &Divided<'_>, base: &Contact) -> Outcome {
    let get = |component| subject.get(component);
    let host = subject.span(Component::Authority).map(|_| get(Component::Host).unwrap_or_default());
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(model::is_of_scheme)
    };
    // What is before ":" in a text that is not valid need not be a scheme.
    if !get(Component::Scheme).is_none_or(is_scheme) {
        return Outcome::Refused;
    }
    model::read_by_edition(get(Component::Scheme), host, get(Component::Port), base)
}

/// Returns the password, decoded, in lower case.
fn password(subject: &Divided<'_>) -> String {
    let userinfo = subject.get(Component::Userinfo).unwrap_or_default();
    let password = userinfo.split_once(':').map_or("", |(_, password)| password);
    String::from_utf8_lossy(&contact::unescaped(password)).to_lowercase()
}

/// Returns whether a host that is returned is the one that is contacted, in another form: with escapes,
/// brackets, letters beyond ASCII or a port that is a word, or an address as a number.
pub(crate) fn is_same(contact: &Host, returned: &str) -> bool {
    let Ok(decoded) = String::from_utf8(contact::unescaped(returned)) else { return false };
    let inner = decoded.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    // "host:port" is a template; with a dot after the colon it would be another name.
    let name = match decoded.split_once(':') {
        Some((name, port)) if !port.contains([':', '.', '@']) => name,
        _ => inner.unwrap_or(&decoded),
    };
    let mapped = if name.is_ascii() { None } else { domain::ascii_form(name.as_bytes()) };
    let name = mapped.as_deref().unwrap_or(name);
    match contact {
        Host::Name(contacted) => name.eq_ignore_ascii_case(contacted),
        Host::Address(address) => {
            let literal = name.split('%').next().unwrap_or_default();
            literal.parse::<Ipv6Addr>().is_ok_and(|v6| v6.to_canonical() == *address)
                || AddressReader::ALL.iter().any(|reader| reader.read(name).is_some_and(|v4| v4 == *address))
        }
    }
}
