//! Reads inputs by the URL Standard, as browsers do: `-e whatwg`.
//!
//! It is not an [`Edition`](locator::Edition): an edition is the grammar of a text whose bytes stay, and the URL
//! Standard is a parser that repairs its input and writes another text. So a command line chooses between
//! the editions and this standard, and the result here is a [`Url`] or a [`UrlError`], which has the name of
//! the standard's validation error, its bytes in the input, and what to write instead.

use std::ops::Range;
use std::str::Utf8Error;

use locator::{Component, HostKind, Level, PctStr, Redacted, UriRef, UriRefBuf};
use locator_web::report::{Key, Parsed};
use locator_whatwg::{
    Host, ParseError, Position, Url, UrlCow, ValidationError, ValidationErrorKind as Kind, validate,
};

use crate::pasted;
use crate::terminal::visible;

/// The value of `-e` for this standard.
pub(crate) const NAME: &str = "whatwg";

/// Other words for it.
pub(crate) const ALIASES: [&str; 7] =
    ["url-standard", "url", "whatwg-url", "browser", "browsers", "living-standard", "living"];

/// What citations call the document.
pub(crate) const DOCUMENT: &str = "URL Standard";

/// The date of the text that is followed.
pub(crate) const DATE: &str = "July 2026";

/// A validation error of the URL Standard (1.1), or why an input is not even read by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlError {
    /// The name in the standard: `host-missing`.
    rule: &'static str,
    /// The sentence, in which the character is quoted.
    message: Box<str>,
    /// The sentence without that, for what is hidden.
    discreet: Box<str>,
    span: Range<usize>,
    /// The section of the standard; `None` for an error that it does not have.
    section: Option<&'static str>,
    component: Option<Component>,
    /// What to write instead, or what to type.
    advice: Option<Box<str>>,
    /// The character at the place, unless something is missing.
    found: Option<char>,
}

/// Parses an input, relative to a base if there is one.
///
/// # Errors
///
/// Returns the validation error because of which the standard returns failure.
pub(crate) fn parse(octets: &[u8], base: Option<&Url>) -> Result<Url, UrlError> {
    let text = std::str::from_utf8(octets).map_err(|error| UrlError::not_text(octets, error))?;
    let parsed = match base {
        Some(base) => base.join(text),
        None => Url::parse(text),
    };
    parsed.map_err(|error| UrlError::of_failure(text, base, error))
}

/// Parses an input; one in serialised form is borrowed.
///
/// # Errors
///
/// As [`parse`].
pub(crate) fn parse_cow(octets: &[u8]) -> Result<UrlCow<'_>, UrlError> {
    let text = std::str::from_utf8(octets).map_err(|error| UrlError::not_text(octets, error))?;
    Url::parse_cow(text).map_err(|error| UrlError::of_failure(text, None, error))
}

/// The validation errors of an input, from left to right; a text that is parsed may have some, too.
///
/// An error is described when it is asked for: there may be one for each byte of a long input.
pub(crate) struct UrlErrors<'a> {
    text: &'a str,
    base: Option<&'a Url>,
    /// What is parsed all the same.
    parsed: Result<Url, UrlError>,
    found: Vec<ValidationError>,
}

impl<'a> UrlErrors<'a> {
    pub(crate) fn new(octets: &'a [u8], base: Option<&'a Url>) -> Self {
        let text = std::str::from_utf8(octets).unwrap_or_default();
        let parsed = parse(octets, base);
        let mut found = validate(text, base);
        found.sort_by_key(|error| error.span().start);
        Self { text, base, parsed, found }
    }

    /// Returns the URL, or why there is none.
    pub(crate) const fn parsed(&self) -> Result<&Url, &UrlError> {
        self.parsed.as_ref()
    }

    /// Returns the error because of which the input is not parsed, or the first one.
    pub(crate) fn first(&self) -> Option<UrlError> {
        match &self.parsed {
            Err(error) => Some(error.clone()),
            Ok(_) => self.iter().next(),
        }
    }

    /// Returns each error, the next bytes of one that goes on being a part of it: the second "\".
    pub(crate) fn iter(&self) -> impl Iterator<Item = UrlError> {
        let is_found =
            |error: &UrlError| self.found.iter().any(|one| one.is_failure() && one.span() == error.span);
        // What is not text or too long has no validation error.
        let other = self.parsed.as_ref().err().filter(|error| !is_found(error)).cloned();
        let found = if other.is_some() { &[][..] } else { self.found.as_slice() };
        let mut rest = found.iter().peekable();
        let each = std::iter::from_fn(move || {
            let first = rest.next()?;
            let mut error = UrlError::new(self.text, self.base, first, self.parsed.as_ref().ok());
            while let Some(next) = rest.next_if(|next| error.is_continued_by(next.kind(), &next.span())) {
                error.span.end = error.span.end.max(next.span().end);
            }
            Some(error)
        });
        each.chain(other)
    }
}

/// Returns a base for relative URLs whose base is not known.
pub(crate) fn any_base() -> Option<Url> {
    Url::parse("https://base.invalid/").ok()
}

impl UrlError {
    fn new(text: &str, base: Option<&Url>, error: &ValidationError, url: Option<&Url>) -> Self {
        let (kind, span) = (error.kind(), error.span());
        let found = text.get(span.clone()).unwrap_or_default();
        let place = format!(", at byte {} ({kind}, URL Standard)", span.start);
        let sentence = error.to_string();
        let sentence = sentence.strip_suffix(&place).unwrap_or(&sentence);
        let is_around = kind == Kind::InvalidUrlUnit
            && !found.is_empty()
            && found.trim_matches(|c| c <= ' ').is_empty()
            && (span.start == 0 || span.end == text.len());
        let (found, span) = match found.find(is_forbidden_in_domain).filter(|_| kind == Kind::DomainToAscii) {
            Some(at) => {
                let found = &found[at..];
                let length = found.chars().next().map_or(0, char::len_utf8);
                (&found[..length], span.start + at..span.start + at + length)
            }
            None => (found, span),
        };
        let message = match found {
            _ if kind == Kind::DomainToAscii && found.starts_with(is_forbidden_in_domain) => {
                format!("{} is not allowed in a domain", quoted(found))
            }
            _ if is_around => "white space around a URL is removed".to_owned(),
            "\t" if kind == Kind::InvalidUrlUnit => "a tab in a URL is removed".to_owned(),
            "\n" | "\r" if kind == Kind::InvalidUrlUnit => "a line end in a URL is removed".to_owned(),
            _ if kind == Kind::MissingSchemeNonRelativeUrl && base.is_some() => {
                "the base has an opaque path, so only a fragment can be resolved against it".to_owned()
            }
            _ => match sentence.strip_prefix("this is ") {
                Some(rest) if found.chars().count() == 1 => format!("{} is {rest}", quoted(found)),
                _ => sentence.to_owned(),
            },
        };
        let advice = match found {
            _ if is_around => None,
            "\t" | "\n" | "\r" => None,
            _ => advice(kind, text, found, base, url),
        };
        Self {
            rule: kind.name(),
            discreet: sentence.into(),
            message: message.into(),
            found: found.chars().next(),
            span,
            section: Some(section(kind)),
            component: component(kind),
            advice: advice.map(Into::into),
        }
    }

    /// The error because of which a text is not parsed.
    #[cold]
    fn of_failure(text: &str, base: Option<&Url>, error: ParseError) -> Self {
        let errors = validate(text, base);
        match errors.iter().rfind(|error| error.is_failure()).filter(|_| error != ParseError::Overflow) {
            Some(found) => Self::new(text, base, found, None),
            None => Self::without_rule("too-long", error.to_string(), 0..0),
        }
    }

    /// The error of an input that is not UTF-8: the standard parses strings.
    #[cold]
    fn not_text(octets: &[u8], error: Utf8Error) -> Self {
        let start = error.valid_up_to();
        let octet = octets.get(start).copied().unwrap_or_default();
        let found = Some(char::REPLACEMENT_CHARACTER);
        let message = format!("invalid UTF-8: byte {octet:02X}");
        Self { found, ..Self::without_rule("not-text", message, start..start + 1) }
    }

    /// An error that the standard does not have.
    fn without_rule(rule: &'static str, message: String, span: Range<usize>) -> Self {
        let (found, section, component) = (None, None, None);
        let message: Box<str> = message.into();
        let discreet = message.clone();
        Self { rule, message, discreet, span, section, component, advice: None, found }
    }

    /// A host with a port, which the standard reads as a scheme with an opaque path; `None` for others.
    pub(crate) fn host_with_port(octets: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(octets).ok()?;
        let url = Some(text).filter(|text| pasted::is_host_with_port(text));
        let url = url.and_then(|_| pasted::with_scheme(octets))?;
        let end = text.find(':')?;
        let message = format!("no scheme: \"{}\" is read as one", visible(&text[..end]));
        Some(Self {
            advice: Some(format!("did you mean {url} ?").into()),
            component: Some(Component::Scheme),
            section: Some("4.4"),
            ..Self::without_rule("host-with-port", message, 0..end)
        })
    }

    /// A warning that browsers read another host than the newest edition that accepts a text.
    pub(crate) fn other_host(reference: UriRef<'_>, url: &Url) -> Self {
        let host = url.host_str().map_or_else(|| "none".to_owned(), |host| visible(host).to_string());
        let message = format!("browsers read another host: {host}");
        let start = reference.span(Component::Scheme).map_or(0, |scheme| scheme.end + 1);
        let authority = reference.span(Component::Authority);
        let span = reference.span(Component::Host).filter(|host| !host.is_empty()).or(authority);
        let span = span.filter(|span| !span.is_empty()).unwrap_or(start..reference.as_str().len());
        let error = Self::without_rule("other-host", message, span);
        Self { component: Some(Component::Host), section: Some("4.4"), ..error }
    }

    /// The same, with another advice.
    pub(crate) fn with_advice(self, advice: String) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// Returns its name in the standard.
    pub(crate) const fn rule(&self) -> &'static str {
        self.rule
    }

    /// Returns its bytes in the input; empty where something is missing.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the component that it is about, where the name says it.
    pub(crate) const fn component(&self) -> Option<Component> {
        self.component
    }

    /// Returns the character that was found; empty where something is missing.
    pub(crate) fn found(&self) -> String {
        self.found.map(String::from).unwrap_or_default()
    }

    /// Returns whether a relative URL has no base.
    pub(crate) fn is_relative(&self) -> bool {
        self.rule == Kind::MissingSchemeNonRelativeUrl.name()
    }

    /// Returns the sentence, without the place.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the sentence for a text with secrets, which quotes none of them.
    pub(crate) fn message_in(&self, text: &Redacted<'_>) -> &str {
        if self.is_hidden_in(text) { &self.discreet } else { &self.message }
    }

    /// Returns what to write instead or what to type, unless it quotes a secret.
    pub(crate) fn advice_in(&self, text: &Redacted<'_>) -> Option<&str> {
        self.advice.as_deref().filter(|_| !self.is_hidden_in(text))
    }

    fn is_hidden_in(&self, text: &Redacted<'_>) -> bool {
        text.hidden_at(self.span.start).is_some()
    }

    /// Returns document and section: `URL Standard, 4.4`.
    pub(crate) fn citation(&self) -> String {
        match self.section {
            Some(section) => format!("{DOCUMENT}, {section}"),
            None => DOCUMENT.to_owned(),
        }
    }

    /// Returns the address of the rule in the standard.
    pub(crate) fn address(&self) -> Option<String> {
        let name = self.rule.to_ascii_lowercase();
        let is_named = Kind::ALL.iter().any(|kind| kind.name() == self.rule);
        // "<dfn id=validation-error-domain-to-ascii>"; the other names are that of their `dfn`.
        let id = if name == "domain-to-ascii" { "validation-error-domain-to-ascii" } else { &name };
        is_named.then(|| format!("https://url.spec.whatwg.org/#{id}"))
    }

    /// Returns the sentence with place and rule, on one line.
    pub(crate) fn in_one_line(&self) -> String {
        let (message, start, rule) = (&self.message, self.span.start, self.rule);
        format!("{message}, at byte {start} ({rule}, {})", self.citation())
    }

    /// Returns whether the next error is about the bytes after this one, such as the second "\".
    fn is_continued_by(&self, kind: Kind, span: &Range<usize>) -> bool {
        let is_of_slashes =
            matches!(kind, Kind::SpecialSchemeMissingFollowingSolidus | Kind::InvalidReverseSolidus);
        let is_after = self.span.start <= span.start && span.start <= self.span.end;
        self.rule == kind.name() && (self.span == *span || is_of_slashes && is_after)
    }
}

/// Returns a character as it is quoted in a sentence.
fn quoted(found: &str) -> String {
    match found {
        " " => "a space".to_owned(),
        found => format!("\"{}\"", visible(found)),
    }
}

/// Returns whether a character is forbidden in a domain (URL Standard, 3.1), and found before the domain is
/// decoded.
const fn is_forbidden_in_domain(c: char) -> bool {
    matches!(
        c,
        '\0'..=' ' | '#' | '/' | ':' | '<' | '>' | '?' | '@' | '[' | '\\' | ']' | '^' | '|' | '\u{7F}'
    )
}

/// Returns the section in which the parser reports an error.
const fn section(kind: Kind) -> &'static str {
    match kind {
        Kind::DomainToAscii => "3.3",
        kind if is_of_host(kind) => "3.5",
        _ => "4.4",
    }
}

/// Returns whether the host parser reports an error.
const fn is_of_host(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::InvalidUrlUnit
            | Kind::SpecialSchemeMissingFollowingSolidus
            | Kind::MissingSchemeNonRelativeUrl
            | Kind::InvalidReverseSolidus
            | Kind::InvalidCredentials
            | Kind::HostMissing
            | Kind::PortOutOfRange
            | Kind::PortInvalid
            | Kind::FileInvalidWindowsDriveLetter
            | Kind::FileInvalidWindowsDriveLetterHost
    )
}

/// Returns the component that an error is always about.
const fn component(kind: Kind) -> Option<Component> {
    match kind {
        Kind::HostMissing => Some(Component::Host),
        Kind::PortInvalid | Kind::PortOutOfRange => Some(Component::Port),
        Kind::InvalidCredentials => Some(Component::Userinfo),
        Kind::MissingSchemeNonRelativeUrl => Some(Component::Scheme),
        Kind::SpecialSchemeMissingFollowingSolidus => Some(Component::Authority),
        kind if is_of_host(kind) => Some(Component::Host),
        _ => None,
    }
}

/// Returns what to write instead, or what to type.
fn advice(kind: Kind, text: &str, found: &str, base: Option<&Url>, url: Option<&Url>) -> Option<String> {
    let host = url.and_then(Url::host_str);
    match kind {
        Kind::InvalidUrlUnit if found.chars().count() == 1 => {
            let escaped: String = found.bytes().map(|octet| format!("%{octet:02X}")).collect();
            Some(format!("write {escaped}"))
        }
        Kind::SpecialSchemeMissingFollowingSolidus => Some("write //".to_owned()),
        Kind::InvalidReverseSolidus => Some("write /".to_owned()),
        Kind::InvalidCredentials => Some("remove it, and the \"@\"".to_owned()),
        Kind::PortInvalid | Kind::PortOutOfRange => Some("write a number up to 65535".to_owned()),
        Kind::MissingSchemeNonRelativeUrl if base.is_none() => {
            Some(match pasted::with_scheme(text.as_bytes()) {
                Some(url) => format!("did you mean {url} ?"),
                None => format!("to resolve it, type: locator resolve -e {NAME} --base URL REF"),
            })
        }
        kind if is_of_host(kind) => host.map(|host| format!("write {}", visible(host))),
        _ => None,
    }
}

/// Returns the bytes of a component in the serialisation; `None` if it is undefined.
pub(crate) fn span(url: &Url, part: Component) -> Option<Range<usize>> {
    let at = |position| url[..position].len();
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    match part {
        Component::Reference => Some(0..url.as_str().len()),
        Component::Scheme => Some(0..at(Position::AfterScheme)),
        Component::Authority => {
            url.has_authority().then(|| at(Position::BeforeUsername)..at(Position::AfterPort))
        }
        Component::Userinfo => {
            has_credentials.then(|| at(Position::BeforeUsername)..at(Position::AfterPassword))
        }
        Component::Host => url.has_authority().then(|| at(Position::BeforeHost)..at(Position::AfterHost)),
        Component::Port => url.port().map(|_| at(Position::BeforePort)..at(Position::AfterPort)),
        Component::Path => Some(at(Position::BeforePath)..at(Position::AfterPath)),
        Component::Query => url.query().map(|_| at(Position::BeforeQuery)..at(Position::AfterQuery)),
        Component::Fragment => {
            url.fragment().map(|_| at(Position::BeforeFragment)..at(Position::AfterFragment))
        }
        Component::Prefix => None,
    }
}

/// Returns a component of the serialisation.
pub(crate) fn part(url: &Url, part: Component) -> Option<&str> {
    span(url, part).and_then(|span| url.as_str().get(span))
}

/// Returns the kind of the host, in the words of `read --json`.
pub(crate) fn host_kind(url: &Url) -> Option<&'static str> {
    match url.host() {
        None => url.has_authority().then_some(HostKind::Empty.name()),
        Some(Host::Ipv4(_)) => Some(HostKind::Ipv4.name()),
        Some(Host::Ipv6(_)) => Some(HostKind::Ipv6.name()),
        Some(Host::Domain(_)) if url.is_special() => Some(HostKind::Name.name()),
        Some(Host::Domain(_)) => Some("opaque"),
    }
}

/// Returns the kind of the host, in words; an empty one is seen to be empty.
pub(crate) fn host_words(url: &Url) -> &'static str {
    match url.host() {
        None => "",
        Some(Host::Ipv4(_)) => "IPv4 address",
        Some(Host::Ipv6(_)) => "IPv6 address",
        Some(Host::Domain(_)) if url.is_special() => "name",
        Some(Host::Domain(_)) => "opaque: kept as written, since the scheme is not special",
    }
}

/// What the URL Standard reads in a text, beside what an edition reads in it.
pub(crate) struct Beside<'a> {
    pub(crate) url: &'a Url,
    reading: &'a Parsed<'a>,
    /// The normal forms of both texts; that of the URL only if it is a URI.
    normal: UriRefBuf,
    normal_url: Option<UriRefBuf>,
}

impl<'a> Beside<'a> {
    pub(crate) fn new(url: &'a Url, reading: &'a Parsed<'a>) -> Self {
        let normal = |reference: UriRef<'_>| reference.normalize(Level::Scheme).into_owned();
        let edition = reading.reference.edition();
        let normal_url = UriRef::parse_with(url.as_str(), edition).ok().map(normal);
        Self { url, reading, normal: normal(reading.reference), normal_url }
    }

    /// Returns whether the standard reads another thing than the edition. What only the normal form changes, such
    /// as the case of a host, a default port or an empty path, is the same thing.
    pub(crate) fn differs(&self, key: Key) -> bool {
        match key {
            Key::Kind | Key::Part(Component::Prefix) => false,
            Key::Part(Component::Host) => self.differs_in_host(),
            Key::HostKind => self.differs_in_host() && key.of(self.reading) != host_kind(self.url),
            Key::Part(Component::Port) => self.differs_in_port(),
            Key::Part(Component::Authority) => [Component::Userinfo, Component::Host, Component::Port]
                .iter()
                .any(|&part| self.differs(Key::Part(part))),
            Key::User => self.differs_in(Component::Userinfo) && key.of(self.reading) != self.user(),
            Key::Password => {
                self.differs_in(Component::Userinfo) && key.of(self.reading) != self.url.password()
            }
            Key::Part(part) => self.differs_in(part),
        }
    }

    fn user(&self) -> Option<&str> {
        part(self.url, Component::Userinfo).map(|_| self.url.username())
    }

    fn differs_in(&self, component: Component) -> bool {
        let given = self.reading.reference.component(component);
        let found = part(self.url, component);
        // The path of a special URL is not empty; that of ftp is another thing in RFC 1738 alone.
        let is_root = component == Component::Path && given == Some("") && found == Some("/");
        let is_same = given == found || is_root && self.url.is_special();
        if is_same || is_escaped(component, given, found) {
            return false;
        }
        let normal = |reference: UriRef<'_>| reference.component(component).map(str::to_owned);
        let normal_url = self.normal_url.as_ref().map(|url| normal(url.as_uri_ref()));
        normal_url != Some(normal(self.normal.as_uri_ref()))
    }

    fn differs_in_host(&self) -> bool {
        let reference = self.reading.reference;
        let given = reference.component(Component::Host).filter(|host| !host.is_empty());
        let (Some(given), Some(host)) = (given, self.url.host_str()) else {
            return given.is_some() || self.url.has_host();
        };
        let in_ascii = || reference.host_to_ascii().ok().flatten().is_some_and(|ascii| *ascii == *host);
        let is_ipv6 = host.starts_with('[');
        let is_same_address = is_ipv6 && !self.differs_in(Component::Host);
        !(given.eq_ignore_ascii_case(host) || is_same_address || in_ascii())
    }

    fn differs_in_port(&self) -> bool {
        let given = self.reading.reference.component(Component::Port).filter(|port| !port.is_empty());
        match given {
            None => self.url.port().is_some(),
            Some(port) => port.parse().ok() != self.url.port_or_known_default(),
        }
    }
}

/// Returns whether the standard only escapes more of a component: it decodes nothing there.
fn is_escaped(component: Component, given: Option<&str>, found: Option<&str>) -> bool {
    let (Some(given), Some(found)) = (given, found) else { return false };
    let decoded = |text| PctStr::new(text).map(PctStr::decode).ok();
    let is_kept = matches!(component, Component::Userinfo | Component::Query | Component::Fragment);
    is_kept && found.len() > given.len() && decoded(given) == decoded(found)
}

#[cfg(test)]
mod tests {
    use locator_web::report::read;

    use super::*;

    fn rules(text: &str) -> Vec<(&'static str, Range<usize>)> {
        UrlErrors::new(text.as_bytes(), None).iter().map(|error| (error.rule(), error.span())).collect()
    }

    #[test]
    fn errors_are_from_left_to_right_and_each_is_reported_once() {
        assert_eq!(
            rules(r"https:\\example.com/a b|"),
            [
                ("special-scheme-missing-following-solidus", 6..8),
                ("invalid-URL-unit", 21..22),
                ("invalid-URL-unit", 23..24),
            ]
        );
        assert_eq!(rules("https://example.com/"), []);
        assert_eq!(rules("https://"), [("host-missing", 8..8)]);
    }

    #[test]
    fn every_sentence_is_without_its_place() {
        for text in ["https://", "https://h:99999/", "https://a b/", "http://1.2.3.4.5/", "a", "https://h/|"]
        {
            for error in UrlErrors::new(text.as_bytes(), None).iter() {
                assert!(!error.message().contains("at byte"), "{}", error.message());
            }
        }
    }

    #[test]
    fn only_what_is_no_normal_form_differs() {
        for (text, differing) in [
            ("HTTP://Example.COM:80", &[][..]),
            ("http://h/a/../b", &[]),
            ("http://[::0001]/", &[]),
            ("https:evil.example/x", &["authority", "host", "host_kind", "path"]),
            ("http://127.1/", &["authority", "host", "host_kind"]),
            ("foo://EXAMPLE/a", &[]),
            ("ftp://h?a", &[]),
            ("http://a=b@h/?it's", &[]),
        ] {
            let (url, reading) =
                (parse(text.as_bytes(), None).unwrap(), read(text.as_bytes(), locator::edition::DEFAULT));
            let reading = reading.unwrap();
            let beside = Beside::new(&url, &reading);
            let found: Vec<_> =
                Key::ALL.into_iter().filter(|&key| beside.differs(key)).map(Key::name).collect();
            assert_eq!(found, differing, "{text}");
        }
    }
}
