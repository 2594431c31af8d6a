//! [`Url`]: a URL in serialised form, with the positions of its components.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter};
use core::hash::{Hash, Hasher};
use core::net::IpAddr;
use core::num::NonZeroU32;
use core::ops::{Index, Range, RangeFrom, RangeFull, RangeTo};
use core::str::Split;

use crate::direct;
use crate::error::ParseError;
use crate::form_urlencoded::{self, Parse, Serializer};
use crate::host::Host;
use crate::host_parser::HostRecord;
use crate::input::Failure;
use crate::machine::{self, Path, Record, State, special_scheme};
use crate::percent::{self, EncodeSet};
use crate::position::Position;
use crate::positions::{HostKind, Positions};
use crate::url_ref::UrlRef;

/// A URL that was parsed by the URL Standard.
///
/// Its text is always in serialised form, so two URLs are equal if their texts are.
///
/// ```
/// use locator_whatwg::Url;
///
/// let mut url = Url::parse("HTTP://user@Example.COM:80/a/../b c?q#f")?;
/// assert_eq!(url.as_str(), "http://user@example.com/b%20c?q#f");
/// assert_eq!(url.host_str(), Some("example.com"));
///
/// url.set_scheme("https").unwrap();
/// url.set_query(None);
/// url.path_segments_mut().unwrap().pop().push("50%");
/// assert_eq!(url.as_str(), "https://user@example.com/50%25#f");
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Url {
    pub(crate) text: String,
    pub(crate) at: Positions,
}

/// What a change of the text is after: the positions of what follows it are moved.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum After {
    Userinfo,
    Host,
    Path,
    Query,
    Fragment,
}

/// Components: those of [`UrlRef`].
impl Url {
    /// Returns a view of this URL, which is `Copy`.
    #[must_use]
    pub fn as_url_ref(&self) -> UrlRef<'_> {
        UrlRef { text: &self.text, at: self.at }
    }

    /// Returns the text.
    #[must_use]
    #[deprecated(since = "0.1.0", note = "use `String::from(url)`")]
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.as_url_ref().as_str()
    }

    /// Returns the text without its password, for logs. The user stays.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// let url = Url::parse("https://user:s3cret@example.com/")?;
    /// assert_eq!(url.redacted(), "https://user:***@example.com/");
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    #[must_use]
    pub fn redacted(&self) -> String {
        self.as_url_ref().redacted()
    }

    /// Returns the scheme, in lower case, without ":".
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.as_url_ref().scheme()
    }

    /// Returns whether the scheme is http, https, ws, wss, ftp or file.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.as_url_ref().is_special()
    }

    /// Returns whether "//" follows the scheme. The host after it may be empty.
    #[must_use]
    pub fn has_authority(&self) -> bool {
        self.as_url_ref().has_authority()
    }

    /// Returns user, password, host and port, as they are in the text.
    #[must_use]
    pub fn authority(&self) -> &str {
        self.as_url_ref().authority()
    }

    /// Returns whether the path is opaque, as that of `mailto:a@b`: only a fragment can be joined to it.
    #[must_use]
    pub fn cannot_be_a_base(&self) -> bool {
        self.as_url_ref().cannot_be_a_base()
    }

    /// Returns the user, percent-encoded; empty without one.
    #[must_use]
    pub fn username(&self) -> &str {
        self.as_url_ref().username()
    }

    /// Returns the password, percent-encoded, if it is not empty.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        self.as_url_ref().password()
    }

    /// Returns whether there is a host that is not empty.
    #[must_use]
    pub fn has_host(&self) -> bool {
        self.as_url_ref().has_host()
    }

    /// Returns the host as it is in the text: a domain in its ASCII form, an address (of IPv6 in
    /// brackets), or what is the host of a scheme that is not special.
    #[must_use]
    pub fn host_str(&self) -> Option<&str> {
        self.as_url_ref().host_str()
    }

    /// Returns the host as a value.
    #[must_use]
    pub fn host(&self) -> Option<Host<&str>> {
        self.as_url_ref().host()
    }

    /// Returns the host if it is not an address.
    #[must_use]
    pub fn domain(&self) -> Option<&str> {
        self.as_url_ref().domain()
    }

    /// Returns the port, if it is not the scheme's default.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.as_url_ref().port()
    }

    /// Returns the port, or the scheme's default.
    #[must_use]
    pub fn port_or_known_default(&self) -> Option<u16> {
        self.as_url_ref().port_or_known_default()
    }

    /// Returns the path, percent-encoded.
    #[must_use]
    pub fn path(&self) -> &str {
        self.as_url_ref().path()
    }

    /// Returns the segments of the path, percent-encoded; none of an opaque path.
    #[must_use]
    pub fn path_segments(&self) -> Option<Split<'_, char>> {
        self.as_url_ref().path_segments()
    }

    /// Returns the query, without "?".
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.as_url_ref().query()
    }

    /// Returns the pairs of the query, decoded.
    #[must_use]
    pub fn query_pairs(&self) -> Parse<'_> {
        self.as_url_ref().query_pairs()
    }

    /// Returns the fragment, without "#".
    #[must_use]
    pub fn fragment(&self) -> Option<&str> {
        self.as_url_ref().fragment()
    }

    /// Returns the addresses of host and port; a domain is looked up.
    ///
    /// # Errors
    ///
    /// Returns an error without a host, without a port, or if the domain cannot be resolved.
    #[cfg(feature = "std")]
    pub fn socket_addrs(
        &self,
        default_port_number: impl Fn() -> Option<u16>,
    ) -> std::io::Result<Vec<std::net::SocketAddr>> {
        self.as_url_ref().socket_addrs(default_port_number)
    }

    /// The byte of a position.
    pub(crate) fn byte_of(&self, position: Position) -> usize {
        self.as_url_ref().byte_of(position)
    }
}

/// Changes. What a setter makes is parsed to the same URL: a path cannot become a host.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
impl Url {
    /// Sets the fragment, or removes it.
    pub fn set_fragment(&mut self, fragment: Option<&str>) {
        let start = self.byte_of(Position::AfterQuery);
        let mut text = String::new();
        if let Some(fragment) = fragment {
            text.push('#');
            percent::push_encoded_line(&mut text, fragment, EncodeSet::FRAGMENT);
        }
        if self.replace(start..self.text.len(), &text, After::Fragment) {
            let is_there = fragment.is_some();
            self.at.fragment_start = NonZeroU32::new(start as u32).filter(|_| is_there);
        }
    }

    /// Sets the query, or removes it.
    pub fn set_query(&mut self, query: Option<&str>) {
        let (start, end) = (self.byte_of(Position::AfterPath), self.byte_of(Position::AfterQuery));
        let mut text = String::new();
        if let Some(query) = query {
            text.push('?');
            let set = if self.is_special() { EncodeSet::SPECIAL_QUERY } else { EncodeSet::QUERY };
            percent::push_encoded_line(&mut text, query, set);
        }
        if self.replace(start..end, &text, After::Query) {
            let is_there = query.is_some();
            self.at.query_start = NonZeroU32::new(start as u32).filter(|_| is_there);
        }
    }

    /// Returns an editor of the pairs of the query.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// let mut url = Url::parse("https://example.com/?a=1#f")?;
    /// url.query_pairs_mut().append_pair("b c", "&");
    /// assert_eq!(url.as_str(), "https://example.com/?a=1&b+c=%26#f");
    /// url.query_pairs_mut().clear();
    /// assert_eq!(url.as_str(), "https://example.com/?#f");
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    pub fn query_pairs_mut(&mut self) -> Serializer<'_, UrlQuery<'_>> {
        let query = self.query().unwrap_or_default().to_owned();
        Serializer::new(UrlQuery { url: Some(self), query })
    }

    /// Sets the path. The first "/" is added where it is missing; "?" and "#" are escaped.
    pub fn set_path(&mut self, path: &str) {
        if self.is_special() && self.scheme() != "file" {
            let written = direct::path(path);
            self.replace(
                self.byte_of(Position::BeforePath)..self.byte_of(Position::AfterPath),
                &written,
                After::Path,
            );
            return;
        }
        let is_opaque = self.cannot_be_a_base();
        // It cannot fail.
        let _ = self.change(|record| {
            if is_opaque {
                let mut text = String::new();
                for c in path.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')) {
                    match c {
                        // It would make the path one with segments.
                        '/' if text.is_empty() => text.push_str("%2F"),
                        '?' => text.push_str("%3F"),
                        '#' => text.push_str("%23"),
                        c => percent::push_encoded_char(&mut text, c, EncodeSet::C0_CONTROL),
                    }
                }
                if text.ends_with(' ') {
                    text.truncate(text.len() - 1);
                    text.push_str("%20");
                }
                record.path = Path::Opaque(text);
                return Ok(());
            }
            record.path = Path::Segments(Vec::new());
            machine::parse_into(record, path, State::PathStart)
        });
    }

    /// Sets the port, or removes it.
    ///
    /// # Errors
    ///
    /// Fails if there is no host, and for the scheme file.
    pub fn set_port(&mut self, port: Option<u16>) -> Result<(), ()> {
        if self.cannot_have_username_password_port() {
            return Err(());
        }
        let port = port.filter(|&port| special_scheme(self.scheme()).flatten() != Some(port));
        let text = port.map(|port| format!(":{port}")).unwrap_or_default();
        if self.replace(
            self.byte_of(Position::AfterHost)..self.byte_of(Position::BeforePath),
            &text,
            After::Host,
        ) {
            self.at.port = port;
        }
        Ok(())
    }

    /// Sets the host, or removes it. A port in the text is ignored.
    ///
    /// # Errors
    ///
    /// Fails if the path is opaque, the scheme needs a host, or the text is not a host.
    pub fn set_host(&mut self, host: Option<&str>) -> Result<(), ParseError> {
        if self.cannot_be_a_base() {
            return Err(ParseError::SetHostOnCannotBeABaseUrl);
        }
        let needs_host = self.is_special() && self.scheme() != "file";
        let record = match host {
            None | Some("") if needs_host => return Err(ParseError::EmptyHost),
            None if self.scheme() == "file" => Some(HostRecord::Empty),
            None => None,
            Some(host) => {
                let is_bracketed = host.starts_with('[') && host.ends_with(']');
                let host = if is_bracketed { host } else { host.split(':').next().unwrap_or(host) };
                match host.is_empty() {
                    true if needs_host => return Err(ParseError::EmptyHost),
                    true => Some(HostRecord::Empty),
                    false => Some(machine::parse_host(host, !self.is_special())?),
                }
            }
        };
        self.replace_host(record);
        Ok(())
    }

    /// Sets the host to an address.
    ///
    /// # Errors
    ///
    /// Fails if the path is opaque.
    pub fn set_ip_host(&mut self, address: IpAddr) -> Result<(), ()> {
        if self.cannot_be_a_base() {
            return Err(());
        }
        self.replace_host(Some(match address {
            IpAddr::V4(address) if self.is_special() => HostRecord::Ipv4(address.into()),
            IpAddr::V4(address) => HostRecord::Opaque(address.to_string()),
            IpAddr::V6(address) => HostRecord::Ipv6(address.segments()),
        }));
        Ok(())
    }

    fn replace_host(&mut self, host: Option<HostRecord>) {
        let is_file = self.scheme() == "file";
        let host = host.map(|host| match host {
            HostRecord::Domain(name) if is_file && name == "localhost" => HostRecord::Empty,
            host => host,
        });
        // It cannot fail.
        let _ = self.change(|record| {
            // User and port belong to a host.
            if host.as_ref().is_none_or(HostRecord::is_empty) {
                record.username.clear();
                record.password.clear();
                record.port = None;
            }
            record.host = host;
            Ok(())
        });
    }

    /// Sets the password, or removes it.
    ///
    /// # Errors
    ///
    /// Fails if there is no host, and for the scheme file.
    pub fn set_password(&mut self, password: Option<&str>) -> Result<(), ()> {
        if self.cannot_have_username_password_port() {
            return Err(());
        }
        let mut text = String::new();
        percent::push_encoded(&mut text, password.unwrap_or_default(), EncodeSet::USERINFO);
        let username = self.username().to_owned();
        self.replace_userinfo(&username, &text);
        Ok(())
    }

    /// Sets the user.
    ///
    /// # Errors
    ///
    /// Fails if there is no host, and for the scheme file.
    pub fn set_username(&mut self, username: &str) -> Result<(), ()> {
        if self.cannot_have_username_password_port() {
            return Err(());
        }
        let mut text = String::new();
        percent::push_encoded(&mut text, username, EncodeSet::USERINFO);
        let password = self.password().unwrap_or_default().to_owned();
        self.replace_userinfo(&text, &password);
        Ok(())
    }

    /// Sets user and password, which are escaped.
    fn replace_userinfo(&mut self, username: &str, password: &str) {
        let colon = if password.is_empty() { "" } else { ":" };
        let at = if username.is_empty() && password.is_empty() { "" } else { "@" };
        let text = [username, colon, password, at].concat();
        let (start, end) = (self.byte_of(Position::BeforeUsername), self.byte_of(Position::BeforeHost));
        if self.replace(start..end, &text, After::Userinfo) {
            self.at.username_end = (start + username.len()) as u32;
            self.at.host_start = (start + text.len()) as u32;
        }
    }

    /// Replaces a part of the text, and moves the positions of what comes after it. Does nothing if the text
    /// would be longer than 4 GiB.
    fn replace(&mut self, range: Range<usize>, text: &str, after: After) -> bool {
        let (removed, added) = (range.len(), text.len());
        if self.text.len() - removed + added > u32::MAX as usize {
            return false;
        }
        self.text.replace_range(range, text);
        let moved = |at: u32| (at as usize - removed + added) as u32;
        let moved_optional = |at: Option<NonZeroU32>| at.and_then(|at| NonZeroU32::new(moved(at.get())));
        if after <= After::Userinfo {
            self.at.host_end = moved(self.at.host_end);
        }
        if after <= After::Host {
            self.at.path_start = moved(self.at.path_start);
        }
        if after <= After::Path {
            self.at.query_start = moved_optional(self.at.query_start);
        }
        if after <= After::Query {
            self.at.fragment_start = moved_optional(self.at.fragment_start);
        }
        true
    }

    fn cannot_have_username_password_port(&self) -> bool {
        !self.has_host() || self.scheme() == "file"
    }

    /// Sets the scheme.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a scheme, or is special where this one is not, or the reverse; and for file if
    /// there is a user or a port, or no host.
    pub fn set_scheme(&mut self, scheme: &str) -> Result<(), ()> {
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let is_valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_scheme);
        if !is_valid {
            return Err(());
        }
        self.parse_into(&format!("{scheme}:"), State::SchemeStart)?;
        // The standard leaves the URL as it is where it cannot have the scheme.
        if self.scheme().eq_ignore_ascii_case(scheme) { Ok(()) } else { Err(()) }
    }

    /// Changes the record of this URL, and writes it again; so also if the change then fails, as the standard
    /// has it.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(&mut Record) -> Result<(), Failure>,
    ) -> Result<(), ()> {
        let mut record = self.record();
        let result = change(&mut record);
        match Self::from_record(&record) {
            Ok(changed) => *self = changed,
            Err(_) => return Err(()),
        }
        result.map_err(|Failure| ())
    }

    pub(crate) fn parse_into(&mut self, text: &str, state: State) -> Result<(), ()> {
        self.change(|record| machine::parse_into(record, text, state))
    }
}

/// From and to records.
impl Url {
    pub(crate) fn from_parts(text: String, at: Positions) -> Self {
        Self { text, at }
    }

    pub(crate) fn from_record(record: &Record) -> Result<Self, ParseError> {
        let text = record.serialized(false);
        let length = u32::try_from(text.len()).map_err(|_| ParseError::Overflow)?;
        let position = |at: usize| u32::try_from(at).unwrap_or(length);
        let scheme_end = record.scheme.len();
        let (mut username_end, mut host_start) = (scheme_end + 1, scheme_end + 1);
        let mut host_end = host_start;
        let mut path_start = host_end;
        if let Some(host) = &record.host {
            username_end = scheme_end + 3 + record.username.len();
            host_start = username_end;
            if !record.password.is_empty() {
                host_start += 1 + record.password.len();
            }
            host_start += usize::from(record.includes_credentials());
            host_end = host_start + host.serialized().len();
            path_start = host_end + record.port.map_or(0, |port| 1 + port.to_string().len());
        }
        let length_with_delimiter = |text: &Option<String>| text.as_ref().map_or(0, |text| text.len() + 1);
        let fragment_start = text.len() - length_with_delimiter(&record.fragment);
        let query_start = fragment_start - length_with_delimiter(&record.query);
        // "/." before a path that would be read as a host.
        path_start = path_start.max(query_start - record.serialized_path().len());
        let optional = |is_there: bool, at: usize| NonZeroU32::new(position(at)).filter(|_| is_there);
        let at = Positions {
            scheme_end: position(scheme_end),
            username_end: position(username_end),
            host_start: position(host_start),
            host_end: position(host_end),
            path_start: position(path_start),
            query_start: optional(record.query.is_some(), query_start),
            fragment_start: optional(record.fragment.is_some(), fragment_start),
            port: record.port,
            host_kind: match &record.host {
                None => HostKind::None,
                Some(HostRecord::Domain(_)) => HostKind::Domain,
                Some(HostRecord::Ipv4(_)) => HostKind::Ipv4,
                Some(HostRecord::Ipv6(_)) => HostKind::Ipv6,
                Some(HostRecord::Opaque(_)) => HostKind::Opaque,
                Some(HostRecord::Empty) => HostKind::Empty,
            },
        };
        Ok(Self { text, at })
    }

    pub(crate) fn record(&self) -> Record {
        self.as_url_ref().record()
    }
}

impl Display for Url {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Shows no password.
impl Debug for Url {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.as_url_ref(), f)
    }
}

impl From<Url> for String {
    fn from(url: Url) -> Self {
        url.text
    }
}

impl AsRef<str> for Url {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Eq for Url {}

impl PartialEq for Url {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Ord for Url {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl PartialOrd for Url {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Url {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The query of a URL, as the target of [`Url::query_pairs_mut`]. It is written when this is dropped.
pub struct UrlQuery<'a> {
    url: Option<&'a mut Url>,
    query: String,
}

impl<'a> form_urlencoded::Target for UrlQuery<'a> {
    type Finished = &'a mut Url;

    fn as_mut_string(&mut self) -> &mut String {
        &mut self.query
    }

    fn finish(mut self) -> &'a mut Url {
        self.write();
        // INVARIANT: only this and `drop` take the URL.
        self.url.take().expect("the URL is taken once")
    }
}

impl UrlQuery<'_> {
    fn write(&mut self) {
        if let Some(url) = &mut self.url {
            url.set_query(Some(&self.query));
        }
    }
}

impl Drop for UrlQuery<'_> {
    fn drop(&mut self) {
        self.write();
    }
}

impl Debug for UrlQuery<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("UrlQuery").field("query", &self.query).finish()
    }
}

impl Index<RangeFull> for Url {
    type Output = str;

    fn index(&self, _: RangeFull) -> &str {
        self.as_str()
    }
}

impl Index<RangeFrom<Position>> for Url {
    type Output = str;

    fn index(&self, range: RangeFrom<Position>) -> &str {
        &self.as_str()[self.byte_of(range.start)..]
    }
}

impl Index<RangeTo<Position>> for Url {
    type Output = str;

    fn index(&self, range: RangeTo<Position>) -> &str {
        &self.as_str()[..self.byte_of(range.end)]
    }
}

impl Index<Range<Position>> for Url {
    type Output = str;

    fn index(&self, range: Range<Position>) -> &str {
        &self.as_str()[self.byte_of(range.start)..self.byte_of(range.end)]
    }
}

impl<'a> From<&'a Url> for UrlRef<'a> {
    fn from(url: &'a Url) -> Self {
        url.as_url_ref()
    }
}

impl From<UrlRef<'_>> for Url {
    fn from(url: UrlRef<'_>) -> Self {
        url.to_url()
    }
}

impl UrlRef<'_> {
    /// Returns the same URL, owned.
    #[must_use]
    pub fn to_url(self) -> Url {
        Url::from_parts(self.text.to_owned(), self.at)
    }
}
