//! [`Url`]: a URL in serialised form, with the positions of its components.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Display, Formatter};
use core::hash::{Hash, Hasher};
use core::net::IpAddr;
use core::num::NonZeroU32;
use core::ops::{Index, Range, RangeFrom, RangeFull, RangeTo};
use core::str::Split;

use crate::address::AddressText;
use crate::direct;
use crate::error::ParseError;
use crate::form_urlencoded::{self, Parse, Serializer};
use crate::host::{self, Host, HostRecord};
use crate::input::Failure;
use crate::machine::{self, Path, Record, State, special_scheme};
use crate::percent::{self, EncodeSet};
use crate::position::{Position, Positions, Serialised};
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

/// A part of the text that is replaced: the positions of what follows it are moved.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Part {
    Scheme,
    Userinfo,
    Host,
    Port,
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

/// Changes. What a setter makes is parsed to the same URL: a path cannot become a host. A setter that fails changes
/// nothing; the reason is that of the setter with "try_" before its name.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
impl Url {
    /// Sets the fragment, or removes it.
    pub fn set_fragment(&mut self, fragment: Option<&str>) {
        let start = self.byte_of(Position::AfterQuery);
        let length = fragment.map_or(0, str::len);
        let is_replaced = self.replace(Part::Fragment, start..self.text.len(), length, |out| {
            if let Some(fragment) = fragment {
                out.push('#');
                percent::push_encoded_line(out, fragment, EncodeSet::FRAGMENT);
            }
        });
        if is_replaced {
            self.at.fragment_start = NonZeroU32::new(start as u32).filter(|_| fragment.is_some());
        }
    }

    /// Sets the query, or removes it.
    pub fn set_query(&mut self, query: Option<&str>) {
        let (start, end) = (self.byte_of(Position::AfterPath), self.byte_of(Position::AfterQuery));
        let set = if self.is_special() { EncodeSet::SPECIAL_QUERY } else { EncodeSet::QUERY };
        let length = query.map_or(0, str::len);
        let is_replaced = self.replace(Part::Query, start..end, length, |out| {
            if let Some(query) = query {
                out.push('?');
                percent::push_encoded_line(out, query, set);
            }
        });
        if is_replaced {
            self.at.query_start = NonZeroU32::new(start as u32).filter(|_| query.is_some());
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
        let fragment = self.fragment().map(ToOwned::to_owned);
        self.text.truncate(self.byte_of(Position::AfterQuery));
        self.at.fragment_start = None;
        if self.at.query_start.is_none() {
            self.at.query_start = NonZeroU32::new(self.text.len() as u32);
            self.text.push('?');
        }
        let start = self.byte_of(Position::BeforeQuery);
        Serializer::for_suffix(UrlQuery { url: Some(self), fragment }, start)
    }

    /// Sets the path. The first "/" is added where it is missing; "?" and "#" are escaped.
    pub fn set_path(&mut self, path: &str) {
        if self.is_special() && self.scheme() != "file" {
            let (start, end) = (self.byte_of(Position::BeforePath), self.byte_of(Position::AfterPath));
            self.replace(Part::Path, start..end, path.len(), |out| direct::push_path(out, path));
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
        let port = port.filter(|&port| special_scheme(self.scheme().as_bytes()).flatten() != Some(port));
        if port == self.at.port {
            return Ok(());
        }
        let (start, end) = (self.byte_of(Position::AfterHost), self.byte_of(Position::BeforePath));
        let Some(number) = port else {
            self.remove(Part::Port, start..end);
            self.at.port = None;
            return Ok(());
        };
        let is_replaced = self.replace(Part::Port, start..end, 0, |out| {
            out.push_str(AddressText::of_port(number).as_str());
        });
        if is_replaced {
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
                    false => Some(host::parse_text(host, !self.is_special())?),
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
        if let Some(host) = host.as_ref().filter(|host| self.has_authority() && !host.is_empty()) {
            let (start, end) = (self.at.host_start as usize, self.at.host_end as usize);
            if self.replace(Part::Host, start..end, host.name().len(), |out| host.push_to(out)) {
                self.at.host_kind = host.kind();
            }
            return;
        }
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
        let Some(password) = password.filter(|password| !password.is_empty()) else {
            if self.password().is_some() {
                // With the "@" of an empty user.
                let end = self.at.host_start - u32::from(self.at.username_end > self.at.scheme_end + 3);
                self.remove(Part::Userinfo, self.at.username_end as usize..end as usize);
            }
            return Ok(());
        };
        let start = self.at.username_end as usize;
        if self.password().is_none() && self.insert_password(password) {
            return Ok(());
        }
        self.replace(Part::Userinfo, start..self.at.host_start as usize, password.len(), |out| {
            out.push(':');
            percent::push_encoded(out, password, EncodeSet::USERINFO);
            out.push('@');
        });
        Ok(())
    }

    /// Inserts a short password where there is none, if nothing of it is encoded: what follows is moved, and not copied.
    fn insert_password(&mut self, password: &str) -> bool {
        let mut inserted = [b':'; 64];
        let length = password.len();
        let is_encoded = password.bytes().any(|byte| EncodeSet::USERINFO.contains(byte));
        let is_short = length + 2 <= inserted.len() && self.text.len() < (u32::MAX / 2) as usize;
        if is_encoded || !is_short {
            return false;
        }
        inserted[1..=length].copy_from_slice(password.as_bytes());
        inserted[length + 1] = b'@';
        // A user has "@" after it.
        let has_user = self.at.host_start > self.at.username_end;
        let inserted = &inserted[..length + 2 - usize::from(has_user)];
        let Ok(inserted) = core::str::from_utf8(inserted) else { return false };
        self.text.insert_str(self.at.username_end as usize, inserted);
        self.move_after(Part::Userinfo, 0, inserted.len());
        true
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
        let (start, has_password) = (self.byte_of(Position::BeforeUsername), self.password().is_some());
        let end = if has_password { self.at.username_end } else { self.at.host_start };
        let mut username_end = start;
        let is_replaced = self.replace(Part::Userinfo, start..end as usize, username.len(), |out| {
            percent::push_encoded(out, username, EncodeSet::USERINFO);
            username_end = out.len();
            if !has_password && username_end > start {
                out.push('@');
            }
        });
        if is_replaced {
            self.at.username_end = username_end as u32;
        }
        Ok(())
    }

    /// Replaces a part of the text by what a function writes for an input of a length, and moves the positions
    /// of what follows. Does nothing if this URL could become longer than 4 GiB.
    fn replace(
        &mut self,
        part: Part,
        range: Range<usize>,
        length: usize,
        write: impl FnOnce(&mut String),
    ) -> bool {
        // Each byte may become three, and delimiters or an address are added.
        let most = self.text.len() as u64 + 3 * length as u64 + 64;
        if most > u32::MAX.into() {
            return false;
        }
        // What follows is copied, because `String::replace_range` moves it byte by byte.
        let tail = self.text[range.end..].to_owned();
        self.text.truncate(range.start);
        write(&mut self.text);
        let added = self.text.len() - range.start;
        self.text.push_str(&tail);
        self.move_after(part, range.len(), added);
        true
    }

    /// Removes a part of the text.
    fn remove(&mut self, part: Part, range: Range<usize>) {
        let removed = range.len();
        drop(self.text.drain(range));
        self.move_after(part, removed, 0);
    }

    /// Moves the positions of what follows a part that was replaced.
    fn move_after(&mut self, part: Part, removed: usize, added: usize) {
        let moved = |at: u32| (at as usize - removed + added) as u32;
        let moved_optional = |at: Option<NonZeroU32>| at.and_then(|at| NonZeroU32::new(moved(at.get())));
        let at = &mut self.at;
        if part <= Part::Scheme {
            at.scheme_end = moved(at.scheme_end);
            at.username_end = moved(at.username_end);
        }
        if part <= Part::Userinfo {
            at.host_start = moved(at.host_start);
        }
        if part <= Part::Host {
            at.host_end = moved(at.host_end);
        }
        if part <= Part::Port {
            at.path_start = moved(at.path_start);
        }
        if part <= Part::Path {
            at.query_start = moved_optional(at.query_start);
        }
        if part <= Part::Query {
            at.fragment_start = moved_optional(at.fragment_start);
        }
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
        // The scheme state with a state override (URL Standard, "URL parsing").
        let is_file = scheme.eq_ignore_ascii_case("file");
        let was_file = self.scheme() == "file";
        let has_login_or_port = self.at.host_start > self.at.scheme_end + 3 || self.at.port.is_some();
        if special_scheme(scheme.to_ascii_lowercase().as_bytes()).is_some() != self.is_special()
            || has_login_or_port && is_file
            || was_file && !self.has_host() && !is_file
        {
            return Err(());
        }
        self.replace(Part::Scheme, 0..self.at.scheme_end as usize, scheme.len(), |out| {
            out.push_str(scheme);
            out.make_ascii_lowercase();
        });
        // The default port of the new scheme goes.
        let is_default = special_scheme(self.scheme().as_bytes()).flatten() == self.at.port;
        if is_default && self.at.port.is_some() { self.set_port(None) } else { Ok(()) }
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
        result.map_err(|_| ())
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
        let Serialised { text, at } = record.serialized();
        // Positions have 32 bits.
        if u32::try_from(text.len()).is_err() {
            return Err(ParseError::Overflow);
        }
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

/// The query of a URL, as the target of [`Url::query_pairs_mut`]. The fragment is written when this is dropped.
pub struct UrlQuery<'a> {
    url: Option<&'a mut Url>,
    /// The fragment, which the text of the URL does not have meanwhile.
    fragment: Option<String>,
}

impl<'a> form_urlencoded::Target for UrlQuery<'a> {
    type Finished = &'a mut Url;

    fn as_mut_string(&mut self) -> &mut String {
        // INVARIANT: only `finish`, which takes this, and `drop` take the URL.
        &mut self.url.as_mut().expect("the URL is there").text
    }

    fn finish(mut self) -> &'a mut Url {
        self.write();
        // INVARIANT: as above.
        self.url.take().expect("the URL is taken once")
    }
}

impl UrlQuery<'_> {
    fn write(&mut self) {
        let (Some(url), fragment) = (&mut self.url, self.fragment.take()) else { return };
        let length = fragment.as_ref().map_or(0, String::len);
        // A query that is too long is removed.
        if url.text.len() as u64 + length as u64 >= u32::MAX.into() {
            url.text.truncate(url.byte_of(Position::AfterPath));
            url.at.query_start = None;
        }
        if let Some(fragment) = fragment {
            url.at.fragment_start = NonZeroU32::new(url.text.len() as u32);
            url.text.push('#');
            url.text.push_str(&fragment);
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
        f.debug_struct("UrlQuery").field("query", &self.url.as_ref().map(|url| url.query())).finish()
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

/// A program may have many URLs.
const _: () = assert!(size_of::<Url>() <= 64);

#[cfg(test)]
mod tests {
    use super::Url;
    use crate::input::Failure;
    use crate::machine::{self, Record, State};
    use crate::position::Position;
    use alloc::format;
    use alloc::string::String;
    use proptest::prelude::*;

    /// What the state machine makes of a URL.
    fn by_machine(url: &Url, change: impl FnOnce(&mut Record) -> Result<(), Failure>) -> Url {
        let mut url = url.clone();
        // A failure changes nothing, or what the standard says.
        let _ = url.change(change);
        url
    }

    fn urls() -> impl Strategy<Value = String> {
        prop::sample::select(alloc::vec![
            "http://h/",
            "https://u:p@h:8443/a/b?c#d",
            "http://:p@h/?#",
            "ftp://u@1.2.3.4/a?b",
            "ws://[::1]:81/#a",
            "file:///a/b",
            "file://h/C:/a?b",
            "foo:/a",
            "foo:/.//a?b",
            "foo://h:80/a#b",
            "foo://",
            "foo:///a",
            "foo://u@h",
            "foo:a b?c#d",
            "foo:a b#c",
            "mailto:a@b",
        ])
        .prop_map(String::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8192))]

        #[test]
        fn setters_make_what_the_machine_makes(text in urls(), value in "[aB1.:/?#@%\\[\\]\\\\ \t'|é^-]{0,6}") {
            let url = Url::parse(&text).unwrap();

            let mut set = url.clone();
            set.set_query(Some(&value));
            prop_assert_eq!(set.check_invariants(), Ok(()));
            let expected = by_machine(&url, |record| {
                record.query = Some(String::new());
                machine::parse_into(record, &value, State::Query)
            });
            prop_assert_eq!(set, expected);

            let mut set = url.clone();
            set.set_fragment(Some(&value));
            prop_assert_eq!(set.check_invariants(), Ok(()));
            let expected = by_machine(&url, |record| {
                record.fragment = Some(String::new());
                machine::parse_into(record, &value, State::Fragment)
            });
            prop_assert_eq!(set, expected);

            // A delimiter ends the host that the machine sees; tabs it removes.
            if !url.cannot_be_a_base() && !value.is_empty() && !value.contains([':', '/', '?', '#', '@', '\\', '\t']) {
                let mut set = url.clone();
                let _ = set.set_host(Some(&value));
                prop_assert_eq!(set.check_invariants(), Ok(()));
                let expected = by_machine(&url, |record| machine::parse_into(record, &value, State::Hostname));
                prop_assert_eq!(set, expected);
            }
        }

        #[test]
        fn set_scheme_makes_what_the_machine_makes(
            text in urls(),
            scheme in "http|https|HTTP|ws|ftp|file|foo|x+1|1|a b|",
        ) {
            let url = Url::parse(&text).unwrap();
            let mut set = url.clone();
            let _ = set.set_scheme(&scheme);
            prop_assert_eq!(set.check_invariants(), Ok(()));
            let expected =
                by_machine(&url, |record| machine::parse_into(record, &format!("{scheme}:"), State::SchemeStart));
            prop_assert_eq!(set, expected);
        }

        #[test]
        fn segments_are_data(text in urls(), segment in "[aB.:/?#%\\\\ |é]{0,5}", other in "[a/|C]{0,2}") {
            let mut url = Url::parse(&text).unwrap();
            let after = String::from(&url[Position::AfterPath..]);
            if let Ok(mut segments) = url.path_segments_mut() {
                segments.pop().push(&segment).pop_if_empty().extend([&other, &segment]);
            }
            prop_assert_eq!(url.check_invariants(), Ok(()));
            prop_assert_eq!(&url[Position::AfterPath..], after);
            if let Ok(mut segments) = url.path_segments_mut() {
                segments.pop().pop().push(&other);
                core::mem::forget(segments);
            }
            prop_assert_eq!(url.check_invariants(), Ok(()));
        }
    }
}
