//! The parts of a URL by their names: one list for `locator edit --get`, `read --columns`, `uniq --by`,
//! `find --count-by`, `uri_part` in SQL and Arrow, and Python.
//!
//! What a part of a reference is, is in `part_values`.
//!
//! [`PARTS`] is the list. A [`Part`] has a name, the names that other programs have for it, a sentence,
//! the function of [`FUNCTIONS`](crate::FUNCTIONS) that returns it, and how it is got and set
//! ([`Access`]). [`Selection::parse`] reads a name such as `host` or `segment:-1`; an error names the
//! nearest parts.
//!
//! ```
//! use locator::UriRef;
//! use locator_functions::Selection;
//!
//! let url = UriRef::parse("https://www.example.com/a/b?q=1#top")?;
//! let text = |name| Selection::parse(name).unwrap().text(url).map(String::from);
//! assert_eq!(text("host").as_deref(), Some("www.example.com"));
//! assert_eq!(text("segment:-1").as_deref(), Some("b"));
//! assert_eq!(text("search").as_deref(), Some("?q=1"));
//! assert_eq!(text("surt").as_deref(), Some("com,example)/a/b?q=1"));
//! # Ok::<_, locator::ParseError>(())
//! ```

use std::borrow::Cow;
use std::fmt;

use locator::{Component, edit_distance};

/// A part of a URL that has a name.
///
/// ```
/// use locator_functions::PARTS;
///
/// let host = PARTS.iter().find(|part| part.name() == "host").unwrap();
/// assert_eq!(host.function().unwrap().name(), "uri_host");
/// assert!(host.aliases().contains(&"hostname"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    name: &'static str,
    aliases: &'static [&'static str],
    /// Empty if the function has the sentence.
    pub(crate) summary: &'static str,
    key: Option<PartKey>,
    access: Access,
    pub(crate) function: Option<&'static str>,
    setting: Setting,
}

/// What follows the ":" after the name of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKey {
    /// A position from 0, or from -1 at the end: `segment:-1`.
    Position,
    /// The name of a parameter of the query: `query:page`.
    Name,
}

/// How a part is got from a reference; what can be set is set there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Access {
    /// The whole reference.
    Whole,
    /// A component.
    Component(Component),
    /// The scheme and its ":".
    Protocol,
    /// The text of the userinfo before the first ":".
    User,
    /// What follows that ":".
    Password,
    /// The text of the userinfo after the first ";".
    Options,
    /// The text after "%25" in an IPv6 address (RFC 6874).
    ZoneId,
    /// The host and the port, with the ":" between them.
    HostAndPort,
    /// The path and the query, with the "?" between them.
    PathAndQuery,
    /// "?" and a query that is not empty.
    Search,
    /// "#" and a fragment that is not empty.
    Hash,
    /// A segment of the path, by its position.
    Segment,
    /// A label of the host, by its position.
    Label,
    /// The value of the first pair of the query with a name.
    Pair,
    /// What a function returns.
    Function,
}

/// Whether a part can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// It can.
    Allowed,
    /// It is made of other parts; these are set instead, if they are named.
    Derived(Option<&'static str>),
    /// It is the whole URL.
    Whole,
}

/// A part that somebody named, with its position or its parameter.
///
/// ```
/// use locator::UriRef;
/// use locator_functions::Selection;
///
/// let page = Selection::parse("query:page").unwrap();
/// assert_eq!(page.text(UriRef::parse("/?page=2")?).as_deref(), Some("2"));
///
/// let error = Selection::parse("domain").unwrap_err();
/// assert!(error.to_string().contains("registered_domain"));
/// # Ok::<_, locator::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection<'n> {
    part: &'static Part,
    /// The place of the part in [`PARTS`].
    pub(crate) place: usize,
    key: SelectionKey<'n>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SelectionKey<'n> {
    None,
    Position(isize),
    Name(&'n str),
}

/// A name that is not that of one part: what is wrong with it, and the names that were meant.
///
/// ```
/// use locator_functions::Selection;
///
/// let error = Selection::parse("hots").unwrap_err();
/// assert_eq!(error.to_string(), "unknown part \"hots\"; did you mean \"host\"?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartNameError {
    message: String,
    suggestions: Vec<&'static str>,
}

impl Part {
    /// Returns the name, such as "host"; that of a part with a key is before the ":".
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name as documentation has it: `host`, `segment:N`, `query:NAME`.
    #[must_use]
    pub fn title(&self) -> Cow<'static, str> {
        match self.key {
            None => Cow::Borrowed(self.name),
            Some(PartKey::Position) => Cow::Owned(format!("{}:N", self.name)),
            Some(PartKey::Name) => Cow::Owned(format!("{}:NAME", self.name)),
        }
    }

    /// Returns the other names of the part.
    #[must_use]
    pub const fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// Returns what follows the name after ":", if anything must.
    #[must_use]
    pub const fn key(&self) -> Option<PartKey> {
        self.key
    }

    /// Returns how the part is got.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.access
    }

    /// Returns whether the part can be set, and what to set instead.
    #[must_use]
    pub const fn setting(&self) -> Setting {
        self.setting
    }

    fn is_named(&self, name: &str, has_key: bool) -> bool {
        self.key.is_some() == has_key && (self.name == name || self.aliases.contains(&name))
    }

    /// Returns a part of the text of a URL, which can be set.
    const fn new(name: &'static str, access: Access, summary: &'static str) -> Self {
        let (aliases, setting) = (&[], Setting::Allowed);
        Self { name, aliases, summary, key: None, access, function: None, setting }
    }

    /// Returns a part that a function returns.
    const fn of(name: &'static str, function: &'static str) -> Self {
        let setting = Setting::Derived(None);
        let part = Self::new(name, Access::Function, "").by(function);
        Self { setting, ..part }
    }

    const fn component(component: Component, function: &'static str, summary: &'static str) -> Self {
        Self::new(component.name(), Access::Component(component), summary).by(function)
    }

    const fn or(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    const fn by(mut self, function: &'static str) -> Self {
        self.function = Some(function);
        self
    }

    const fn with(mut self, key: PartKey) -> Self {
        self.key = Some(key);
        self
    }

    const fn set_by(mut self, instead: &'static str) -> Self {
        self.setting = Setting::Derived(Some(instead));
        self
    }

    const fn whole(mut self) -> Self {
        self.setting = Setting::Whole;
        self
    }
}

/// All parts: first those that are in the text, in the order of a URL, then those that are computed.
pub static PARTS: &[Part] = &[
    Part::new("url", Access::Whole, "the whole URL, as given").or(&["href", "uri", "text"]).whole(),
    Part::new("prefix", Access::Component(Component::Prefix), "the marker \"URL:\", in url-1994"),
    Part::of("origin", "uri_origin").set_by("scheme, host and port"),
    Part::component(Component::Scheme, "uri_scheme", "the scheme, as given"),
    Part::new("protocol", Access::Protocol, "the scheme with its \":\", as in the URL Standard"),
    Part::component(
        Component::Authority,
        "uri_authority",
        "userinfo, host and port: what is between \"//\" and the path",
    )
    .or(&["netloc"]),
    Part::component(Component::Host, "uri_host", "the host without the port, as given").or(&["hostname"]),
    Part::new("zoneid", Access::ZoneId, "the zone of an IPv6 address, after \"%25\"").or(&["zone"]),
    Part::component(Component::Userinfo, "uri_userinfo", "what is before \"@\" in the authority")
        .or(&["auth"]),
    Part::new("user", Access::User, "the user, before the first \":\" of the userinfo")
        .or(&["username"])
        .by("uri_user"),
    Part::new("password", Access::Password, "the password, after the first \":\" of the userinfo")
        .or(&["pass"])
        .by("uri_password"),
    Part::new("options", Access::Options, "what is after \";\" in the userinfo"),
    Part::component(Component::Port, "uri_port", "the port; a number in tables"),
    Part::component(Component::Path, "uri_path", "the path, as given").or(&["pathname"]),
    Part::new("segment", Access::Segment, "a segment of the path, counted from 0, or from -1 at the end")
        .or(&["path", "pathname"])
        .with(PartKey::Position),
    Part::component(Component::Query, "uri_query", "the query, without \"?\"").or(&["querystring"]),
    Part::new("query", Access::Pair, "the decoded value of the first pair of that name")
        .or(&["param", "query_param", "params", "search_params", "args"])
        .with(PartKey::Name),
    Part::new("search", Access::Search, "\"?\" and the query, as in the URL Standard"),
    Part::component(Component::Fragment, "uri_fragment", "the fragment, without \"#\"")
        .or(&["anchor", "ref"]),
    Part::new("hash", Access::Hash, "\"#\" and the fragment, as in the URL Standard"),
    Part::new("path_and_query", Access::PathAndQuery, "the path and the query, with \"?\" between them")
        .or(&["request_uri", "request_target", "raw_path_qs", "path_qs"])
        .set_by("path and query"),
    Part::new(
        "host_and_port",
        Access::HostAndPort,
        "the host and, if it is given, the port, with \":\" between them",
    )
    .or(&["host_port"])
    .set_by("host and port"),
    Part::new("label", Access::Label, "a label of the host, counted from 0, or from -1 at the end")
        .with(PartKey::Position)
        .set_by("host"),
    Part::of("host_normal", "uri_host_normal").set_by("host"),
    Part::of("host_kind", "uri_host_kind").set_by("host"),
    Part::of("host_ascii", "uri_host_ascii").or(&["punycode", "puny", "idna"]).set_by("host"),
    Part::of("host_unicode", "uri_host_unicode").or(&["idn"]).set_by("host"),
    Part::of("host_without_www", "uri_host_without_www").set_by("host"),
    Part::of("host_ip", "uri_host_ip").or(&["ip", "ip_address"]).set_by("host"),
    Part::of("registered_domain", "uri_registered_domain")
        .or(&["registrable_domain", "etld1", "apex", "apex_domain", "root_domain", "base_domain"])
        .set_by("host"),
    Part::of("subdomain", "uri_subdomain").set_by("host"),
    Part::of("public_suffix", "uri_public_suffix").or(&["etld"]).set_by("host"),
    Part::of("registered_domain_of_host", "uri_registered_domain_of_host"),
    Part::of("port_text", "uri_port_text").set_by("port"),
    Part::of("effective_port", "uri_effective_port")
        .or(&["default_port", "port_or_known_default"])
        .set_by("port"),
    Part::of("path_segments", "uri_path_segments").or(&["segments"]).set_by("path"),
    Part::of("path_depth", "uri_path_depth").or(&["depth"]).set_by("path"),
    Part::of("file_name", "uri_file_name").or(&["basename"]).set_by("segment:-1"),
    Part::of("extension", "uri_extension").or(&["ext", "file_extension"]).set_by("segment:-1"),
    Part::of("query_params", "uri_query_params")
        .or(&["parameters", "args", "pairs", "query_pairs", "search_params"])
        .set_by("query:NAME"),
    Part::of("normalize", "uri_normalize").or(&["normal", "normalized", "canonical"]),
    Part::of("key", "uri_key"),
    Part::of("surt", "uri_surt").or(&["urlkey"]),
    Part::of("kind", "uri_kind").or(&["reference_kind"]),
    Part::of("is_valid", "uri_is_valid"),
    Part::of("is_reference", "uri_is_reference"),
    Part::of("is_private_ip", "uri_is_private_ip"),
    Part::of("error", "uri_error"),
    Part::of("error_info", "uri_error_info"),
    Part::of("sort_params", "uri_sort_params"),
    Part::of("repair", "uri_repair"),
    Part::of("refang", "uri_refang"),
    Part::of("percent_encode", "uri_percent_encode"),
    Part::of("percent_decode", "uri_percent_decode"),
    Part::of("redact", "uri_redact"),
    Part::of("parse", "uri_parse"),
    Part::of("hash128", "uri_hash128"),
    Part::of("audit", "uri_audit"),
    Part::of("audit_severity", "uri_audit_severity"),
    Part::of("find", "uri_find"),
    Part::of("whatwg_is_valid", "uri_whatwg_is_valid").or(&["whatwg_can_parse"]),
    Part::of("whatwg_href", "uri_whatwg_href").or(&["whatwg_url"]),
    Part::of("whatwg_origin", "uri_whatwg_origin"),
    Part::of("whatwg_scheme", "uri_whatwg_scheme"),
    Part::of("whatwg_user", "uri_whatwg_user").or(&["whatwg_username"]),
    Part::of("whatwg_password", "uri_whatwg_password"),
    Part::of("whatwg_host", "uri_whatwg_host").or(&["whatwg_hostname"]),
    Part::of("whatwg_port", "uri_whatwg_port"),
    Part::of("whatwg_effective_port", "uri_whatwg_effective_port"),
    Part::of("whatwg_path", "uri_whatwg_path").or(&["whatwg_pathname"]),
    Part::of("whatwg_query", "uri_whatwg_query"),
    Part::of("whatwg_fragment", "uri_whatwg_fragment"),
    Part::of("whatwg_errors", "uri_whatwg_errors"),
    Part::of("contacts", "uri_contacts").or(&["contacted_hosts"]),
];

/// Names that mean one thing in one program and another in the next: two parts, and what they are of
/// `https://www.example.co.uk/a/b.txt;v=1?q`.
static AMBIGUOUS: &[(&str, [(&str, &str); 2])] = &[
    ("domain", [("host", "www.example.co.uk"), ("registered_domain", "example.co.uk")]),
    ("domain_name", [("host", "www.example.co.uk"), ("registered_domain", "example.co.uk")]),
    ("fqdn", [("host", "as given"), ("host_ascii", "as DNS has it")]),
    ("tld", [("public_suffix", "co.uk"), ("label:-1", "uk")]),
    ("sld", [("registered_domain", "example.co.uk"), ("label:-2", "co")]),
    ("site", [("registered_domain", "example.co.uk"), ("origin", "https://www.example.co.uk")]),
    ("suffix", [("extension", "txt"), ("public_suffix", "co.uk")]),
    ("name", [("file_name", "b.txt;v=1"), ("host", "www.example.co.uk")]),
    ("file", [("file_name", "b.txt;v=1"), ("path_and_query", "/a/b.txt;v=1?q")]),
    (
        "params",
        [("query_params", "the pairs of the query"), ("segment:-1", "the last segment with its \";v=1\"")],
    ),
    // The attributes of `new URL()`, whose delimiters the parts of the URL Standard do not have.
    ("whatwg_protocol", [("whatwg_scheme", "without \":\""), ("protocol", "with \":\", by RFC 3986")]),
    ("whatwg_search", [("whatwg_query", "without \"?\""), ("search", "with \"?\", by RFC 3986")]),
    ("whatwg_hash", [("whatwg_fragment", "without \"#\""), ("hash", "with \"#\", by RFC 3986")]),
];

impl<'n> Selection<'n> {
    /// Reads the name of a part, with its key after ":". Case, "-" and "_" make no difference, and
    /// "uri_" may be before it.
    ///
    /// # Errors
    ///
    /// An error if no part or more than one has this name, or if the key is missing or is not a position.
    pub fn parse(name: &'n str) -> Result<Self, PartNameError> {
        Self::parse_among(name, &[])
    }

    /// Reads the name of a part where there are other parts with names of their own, which an error
    /// names, too.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_among(name: &'n str, others: &[&'static str]) -> Result<Self, PartNameError> {
        if let Some(found) = Self::exact(name) {
            return found;
        }
        let DividedName { head, key } = divided(name);
        if let Some((_, choices)) = AMBIGUOUS.iter().find(|(word, _)| key.is_none() && is_like(word, head)) {
            return Err(PartNameError::ambiguous(head, choices));
        }
        let is_meant = |part: &&Part| {
            part.key.is_some() == key.is_some()
                && (is_like(part.name, head) || part.aliases.iter().any(|alias| is_like(alias, head)))
        };
        if let Some(place) = PARTS.iter().position(|part| is_meant(&part)) {
            return Self::of(place, key);
        }
        Err(PartNameError::unknown(name, others))
    }

    /// Reads the name of a part exactly as the list has it; `None` if there is none of that name.
    pub fn exact(name: &'n str) -> Option<Result<Self, PartNameError>> {
        let DividedName { head, key } = divided(name);
        let place = PARTS.iter().position(|part| part.is_named(head, key.is_some()))?;
        Some(Self::of(place, key))
    }

    fn of(place: usize, key: Option<&'n str>) -> Result<Self, PartNameError> {
        let part = &PARTS[place];
        let key = match (part.key, key) {
            (Some(PartKey::Position), Some(position)) => {
                SelectionKey::Position(position.parse().map_err(|_| PartNameError::no_position(position))?)
            }
            (Some(PartKey::Name), Some(name)) => SelectionKey::Name(name),
            _ => SelectionKey::None,
        };
        Ok(Self { part, place, key })
    }

    /// Returns the selection with its parameter copied by a function, to keep it longer than the name.
    #[must_use]
    pub fn kept<'k>(self, copy: impl FnOnce(&'n str) -> &'k str) -> Selection<'k> {
        let key = match self.key {
            SelectionKey::None => SelectionKey::None,
            SelectionKey::Position(position) => SelectionKey::Position(position),
            SelectionKey::Name(name) => SelectionKey::Name(copy(name)),
        };
        Selection { part: self.part, place: self.place, key }
    }

    /// Returns the part.
    #[must_use]
    pub const fn part(&self) -> &'static Part {
        self.part
    }

    /// Returns the position after the ":".
    #[must_use]
    pub const fn position(&self) -> Option<isize> {
        match self.key {
            SelectionKey::Position(position) => Some(position),
            _ => None,
        }
    }

    /// Returns the name of the parameter after the ":".
    #[must_use]
    pub const fn parameter(&self) -> Option<&'n str> {
        match self.key {
            SelectionKey::Name(name) => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key {
            SelectionKey::None => f.write_str(self.part.name),
            SelectionKey::Position(position) => write!(f, "{}:{position}", self.part.name),
            SelectionKey::Name(name) => write!(f, "{}:{name}", self.part.name),
        }
    }
}

/// The name of a part as it is asked for.
struct DividedName<'n> {
    /// What is before the first ":", without "uri_".
    head: &'n str,
    /// What follows the ":".
    key: Option<&'n str>,
}

fn divided(name: &str) -> DividedName<'_> {
    let (head, key) = name.split_once(':').map_or((name, None), |(head, key)| (head, Some(key)));
    DividedName { head: head.strip_prefix("uri_").unwrap_or(head), key }
}

/// Returns whether two names are equal but for case, "-" and "_".
fn is_like(known: &str, name: &str) -> bool {
    let letters = |text| str::bytes(text).filter(|byte| !matches!(byte, b'-' | b'_' | b' '));
    letters(known).eq(letters(name).map(|byte| byte.to_ascii_lowercase()))
}

impl PartNameError {
    /// The longest name that a message repeats.
    const LONGEST: usize = 40;

    /// What is suggested for a name that is similar to none.
    const MAIN: [&str; 5] = ["scheme", "host", "path", "query", "fragment"];

    /// Returns the names that may have been meant, the nearest first.
    #[must_use]
    pub fn suggestions(&self) -> &[&'static str] {
        &self.suggestions
    }

    fn ambiguous(asked: &str, choices: &'static [(&str, &str); 2]) -> Self {
        let [(one, is_one), (other, is_other)] = *choices;
        let message = format!(
            "\"{}\" can mean two parts: use \"{one}\" ({is_one}) or \"{other}\" ({is_other})",
            shortened(asked)
        );
        Self { message, suggestions: vec![one, other] }
    }

    fn no_position(position: &str) -> Self {
        let message =
            format!("\"{position}\" is not a position: expected a number from 0, or from -1 at the end");
        Self { message, suggestions: Vec::new() }
    }

    /// Returns the error of a name that no part has; `others` are names of further parts.
    #[must_use]
    pub fn unknown(asked: &str, others: &[&'static str]) -> Self {
        let DividedName { head, key } = divided(asked);
        let shown = shortened(asked);
        if let Some(part) = PARTS.iter().find(|part| part.is_named(head, key.is_none()) && key.is_none()) {
            let (title, name) = (part.title(), part.name);
            let message = match part.key {
                Some(PartKey::Position) => format!(
                    "\"{shown}\" needs a position, as in {title}: {name}:0 is the first, {name}:-1 the last"
                ),
                _ => format!("\"{shown}\" needs a name, as in {title}"),
            };
            return Self { message, suggestions: Vec::new() };
        }
        let nearest = nearest(head, others);
        let is_sure = match *nearest {
            [ref first, ref second, ..] => {
                let most = if head.len() > 7 { 2 } else { 1 };
                first.distance < second.distance && first.distance <= most
            }
            _ => false,
        };
        let suggestions: Vec<_> = match () {
            () if is_sure => nearest.iter().map(|near| near.name).take(1).collect(),
            () if nearest.is_empty() => Self::MAIN.to_vec(),
            () => nearest.iter().map(|near| near.name).take(5).collect(),
        };
        let message = match *suggestions {
            [name] => format!("unknown part \"{shown}\"; did you mean \"{name}\"?"),
            _ => format!(
                "unknown part \"{shown}\"; {} {}; 'locator edit --help' lists all",
                if nearest.is_empty() { "parts are" } else { "the nearest are" },
                suggestions.join(", ")
            ),
        };
        Self { message, suggestions }
    }
}

impl fmt::Display for PartNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PartNameError {}

/// Returns the beginning of a long name.
fn shortened(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(PartNameError::LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

/// The name of a part that is similar to one that is asked for.
struct SimilarName {
    distance: usize,
    name: &'static str,
}

/// Returns the parts with names similar to one, the nearest first.
fn nearest(asked: &str, others: &[&'static str]) -> Vec<SimilarName> {
    const LONGEST: usize = 64;
    let asked = asked.to_lowercase();
    if asked.len() > LONGEST || asked.is_empty() {
        return Vec::new();
    }
    let most = (asked.len() / 2).max(1);
    let distance = |known: &str| {
        let is_within =
            known.len() > 2 && asked.len() > 2 && (asked.contains(known) || known.contains(&*asked));
        let distance = edit_distance(&asked, known, most);
        if is_within { Some(distance.unwrap_or(most).min(2)) } else { distance }
    };
    let of_part = |part: &'static Part| {
        let names = part.aliases.iter().copied().chain([part.name]);
        names.filter_map(distance).min().map(|distance| SimilarName { distance, name: part.name })
    };
    let others =
        others.iter().filter_map(|other| Some(SimilarName { distance: distance(other)?, name: other }));
    let mut found: Vec<_> = PARTS.iter().filter_map(of_part).chain(others).collect();
    // The order of the list is that of use; it decides between equal distances.
    found.sort_by_key(|similar| similar.distance);
    let mut names = Vec::new();
    found.retain(|similar| {
        let is_new = !names.contains(&similar.name);
        names.push(similar.name);
        is_new
    });
    found
}
