//! The components of a reference and their positions in its text.
//!
//! [`ComponentSpans`] is the result of the parser, and every view of a reference reads it. The
//! names are those of RFC 3986, section 3; [`crate::edition::Terminology`] has the names of older
//! editions.

use alloc::string::String;
use core::ops::{Index, Range};

crate::as_text::named! {
    /// A component of a reference, or the reference as a whole.
    ///
    /// ```
    /// use locator::{Component, uri};
    ///
    /// let uri = uri!("http://jan@h:80/a?q#f");
    /// let found = Component::ALL
    ///     .into_iter()
    ///     .filter_map(|part| Some((part.name(), uri.component(part)?)));
    /// assert!(found.into_iter().any(|part| part == ("userinfo", "jan")));
    /// assert_eq!(uri.component(Component::Authority), Some("jan@h:80"));
    /// assert_eq!(Component::Userinfo.to_string(), "userinfo");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Component {
        /// The whole text.
        Reference = "reference",
        /// The prefix `URL:` before a URL, in `url-1994`.
        Prefix = "prefix",
        /// The scheme: the text before the first ":".
        Scheme = "scheme",
        /// The authority, between "//" and the next "/", "?" or "#"; in RFC 1738 a "?" before "@" does
        /// not end it.
        Authority = "authority",
        /// The user information before "@" in the authority.
        Userinfo = "userinfo",
        /// The name or address of the server.
        Host = "host",
        /// The decimal number after ":".
        Port = "port",
        /// The path, with its leading "/" if it has one.
        Path = "path",
        /// The query, after the first "?".
        Query = "query",
        /// The fragment, after the first "#".
        Fragment = "fragment",
    }

    /// Returns the name of the component in RFC 3986, which is also its name in JSON.
    pub const fn name;
}

impl Component {
    /// All components from left to right; the authority comes before its subcomponents.
    ///
    /// ```
    /// use locator::{Component, uri_ref};
    ///
    /// let reference = uri_ref!("http://h/a");
    /// let defined = Component::ALL
    ///     .into_iter()
    ///     .filter(|&part| reference.component(part).is_some());
    /// assert!(defined.eq([
    ///     Component::Scheme,
    ///     Component::Authority,
    ///     Component::Host,
    ///     Component::Path
    /// ]));
    /// ```
    pub const ALL: [Self; 9] = [
        Self::Prefix,
        Self::Scheme,
        Self::Authority,
        Self::Userinfo,
        Self::Host,
        Self::Port,
        Self::Path,
        Self::Query,
        Self::Fragment,
    ];
}

/// A range of byte offsets in a text, which is `Copy`.
///
/// The fields of errors have it; methods return a `Range<usize>`. The offset `end` is exclusive.
///
/// ```
/// let span = locator::Span { start: 2, end: 5 };
/// assert_eq!((span.len(), &"a bcd e"[span]), (3, "bcd"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

/// Offsets beyond 32 bits become the largest one: no reference is that long.
impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        let [start, end] = [range.start, range.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Self { start, end }
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.range()
    }
}

/// `text[span]` is the text of a span, like `text[span.range()]`.
macro_rules! indexed_by_span {
    ($($type:ty => $output:ty),*) => {$(
        impl Index<Span> for $type {
            type Output = $output;

            fn index(&self, span: Span) -> &$output {
                &self[span.range()]
            }
        }
    )*};
}

indexed_by_span!(str => str, String => str, [u8] => [u8]);

impl Span {
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        // INVARIANT: the parser rejects texts whose length does not fit into 32 bits.
        Self { start: start as u32, end: end as u32 }
    }

    /// Returns the length in bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span as a range of indices.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

crate::as_text::named! {
    /// The kind of host in an authority.
    ///
    /// ```
    /// use locator::{HostKind, UriRef};
    ///
    /// let kind = |text| UriRef::parse(text).unwrap().host().unwrap().kind();
    /// assert_eq!(kind("//example.com"), HostKind::Name);
    /// assert_eq!(kind("//127.0.0.1"), HostKind::Ipv4);
    /// assert_eq!(kind("//127.1"), HostKind::Name);
    /// assert_eq!(kind("//[::1]"), HostKind::Ipv6);
    /// assert_eq!(kind("///a"), HostKind::Empty);
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum HostKind {
        /// An empty host, as in `file:///etc/motd`, or no authority.
        Empty = "empty",
        /// A domain name or another registered name of RFC 3986.
        Name = "name",
        /// Four decimal numbers: `10.0.0.1`.
        Ipv4 = "ipv4",
        /// An IPv6 address in brackets: `[::1]`.
        Ipv6 = "ipv6",
        /// An address of a version after IPv6, in brackets: `[v7.x]`.
        IpvFuture = "ipvfuture",
        /// An authority that is not a server but that the edition's grammar allows (`reg-name` of
        /// `uri-2003`); the host is then the whole authority.
        Registry = "registry",
    }

    /// Returns the name of the kind in JSON.
    pub const fn name;
}

/// The positions of the components of a reference, as byte offsets into its text.
///
/// ```text
/// URL:http://user:pw@host:80/path?query#fragment
///    |    |         |    |  |    |     |        |
///    |    |         |    |  |    |     |        len
///    |    |         |    |  |    |     query_end  (= len without a fragment)
///    |    |         |    |  |    path_end         (= query_end without a query)
///    |    |         |    |  path_start
///    |    |         |    host_end                 (= path_start without a port)
///    |    |         host_start                    (= after "//" without a userinfo)
///    |    scheme_end                              (= start without a scheme)
///    start                                        (= 0 without a prefix)
/// ```
///
/// An undefined component has no delimiter; an empty component has only its delimiter. The
/// concatenation of the components is therefore always the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComponentSpans {
    pub(crate) scheme_end: u32,
    pub(crate) host_start: u32,
    pub(crate) host_end: u32,
    pub(crate) path_start: u32,
    pub(crate) path_end: u32,
    pub(crate) query_end: u32,
    pub(crate) len: u32,
    pub(crate) start: u8,
    pub(crate) has_authority: bool,
    pub(crate) host_kind: HostKind,
}

impl ComponentSpans {
    /// Returns the span of the component without its delimiters; `None` if it is undefined.
    ///
    /// ```
    /// use locator::{Component, UriRef};
    ///
    /// let parts = UriRef::parse("http://h?#")?.spans();
    /// assert_eq!(parts.span(Component::Query), Some(9..9));
    /// assert_eq!(parts.span(Component::Port), None);
    /// # Ok::<_, locator::ParseError>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn span(&self, part: Component) -> Option<Range<usize>> {
        match self.get(part) {
            Some(span) => Some(span.range()),
            None => None,
        }
    }

    /// Returns the span of the component, like [`span`](Self::span).
    #[inline]
    pub(crate) const fn get(&self, part: Component) -> Option<Span> {
        let (defined, start, end) = match part {
            Component::Reference => (true, 0, self.len),
            Component::Prefix => (self.start > 0, 0, self.start as u32),
            Component::Scheme => (self.scheme_end > self.start as u32, self.start as u32, self.scheme_end),
            Component::Authority => (self.has_authority, self.authority_start(), self.path_start),
            Component::Userinfo => {
                let start = self.authority_start();
                (self.host_start > start, start, self.host_start.saturating_sub(1))
            }
            Component::Host => (self.has_authority, self.host_start, self.host_end),
            Component::Port => (self.host_end < self.path_start, self.host_end + 1, self.path_start),
            Component::Path => (true, self.path_start, self.path_end),
            Component::Query => (self.path_end < self.query_end, self.path_end + 1, self.query_end),
            Component::Fragment => (self.query_end < self.len, self.query_end + 1, self.len),
        };
        if defined { Some(Span { start, end }) } else { None }
    }

    /// Returns the kind of host; [`HostKind::Empty`] if there is no authority.
    #[must_use]
    pub const fn host_kind(&self) -> HostKind {
        self.host_kind
    }

    /// Returns the innermost component that contains the byte at `offset` or has it as a delimiter.
    ///
    /// ```
    /// use locator::{Component, uri};
    ///
    /// let spans = uri!("http://jan@h:80/").spans();
    /// assert_eq!(spans.component_at(7), Component::Userinfo);
    /// assert_eq!(spans.component_at(11), Component::Host);
    /// ```
    #[must_use]
    pub const fn component_at(&self, offset: usize) -> Component {
        const INNERMOST_FIRST: [Component; 8] = [
            Component::Prefix,
            Component::Scheme,
            Component::Userinfo,
            Component::Port,
            Component::Host,
            Component::Fragment,
            Component::Query,
            Component::Path,
        ];
        let mut i = 0;
        while i < INNERMOST_FIRST.len() {
            if let Some(span) = self.get(INNERMOST_FIRST[i])
                && span.start as usize <= offset
                && offset < span.end as usize
            {
                return INNERMOST_FIRST[i];
            }
            i += 1;
        }
        if self.has_authority && self.after_scheme() as usize <= offset && offset <= self.path_start as usize
        {
            Component::Authority
        } else {
            Component::Path
        }
    }

    /// Returns the offset after the scheme and its ":".
    pub(crate) const fn after_scheme(&self) -> u32 {
        if self.scheme_end > self.start as u32 { self.scheme_end + 1 } else { self.start as u32 }
    }

    /// Returns the offset after "//", if there is an authority.
    pub(crate) const fn authority_start(&self) -> u32 {
        if self.has_authority { self.after_scheme() + 2 } else { self.host_start }
    }
}
