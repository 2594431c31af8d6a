//! Origins (URL Standard, "Origin"; HTML Standard, "Origin").

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::host::{Host, domain_to_unicode};
use crate::url::Url;
use crate::url_ref::UrlRef;

/// The origin of a URL.
///
/// ```
/// use locator_whatwg::Url;
///
/// let page = Url::parse("https://example.com:443/a")?.origin();
/// assert_eq!(page, Url::parse("https://example.com/b")?.origin());
/// assert_eq!(page.ascii_serialization(), "https://example.com");
///
/// // An opaque origin is equal to itself alone.
/// let data = Url::parse("data:,a")?;
/// assert_ne!(data.origin(), data.origin());
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Origin {
    /// An origin that equals no other.
    Opaque(OpaqueOrigin),
    /// Scheme, host and port.
    Tuple(String, Host<String>, u16),
}

/// An opaque origin.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct OpaqueOrigin(usize);

impl Origin {
    /// Returns a new opaque origin.
    #[must_use]
    pub fn new_opaque() -> Self {
        static COUNTER: AtomicUsize = AtomicUsize::new(0);
        Self::Opaque(OpaqueOrigin(COUNTER.fetch_add(1, Ordering::Relaxed)))
    }

    /// Returns whether it is a tuple.
    #[must_use]
    pub fn is_tuple(&self) -> bool {
        matches!(self, Self::Tuple(..))
    }

    /// Returns the serialisation: `https://example.com`, or `null`.
    #[must_use]
    pub fn ascii_serialization(&self) -> String {
        self.serialization(|host| host.clone())
    }

    /// Returns the serialisation with the domain in Unicode.
    #[must_use]
    pub fn unicode_serialization(&self) -> String {
        self.serialization(|host| match host {
            Host::Domain(domain) => Host::Domain(domain_to_unicode(domain)),
            host => host.clone(),
        })
    }

    fn serialization(&self, shown: impl Fn(&Host<String>) -> Host<String>) -> String {
        let Self::Tuple(scheme, host, port) = self else { return "null".to_owned() };
        let host = shown(host);
        match crate::machine::special_scheme(scheme.as_bytes()).flatten() == Some(*port) {
            true => alloc::format!("{scheme}://{host}"),
            false => alloc::format!("{scheme}://{host}:{port}"),
        }
    }
}

impl UrlRef<'_> {
    /// Returns the origin.
    #[must_use]
    pub fn origin(self) -> Origin {
        of(self)
    }
}

impl Url {
    /// Returns the origin.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.as_url_ref().origin()
    }
}

fn of(url: UrlRef<'_>) -> Origin {
    match url.scheme() {
        "blob" => match Url::parse(url.path()) {
            // That of file is opaque.
            Ok(inner) if matches!(inner.scheme(), "http" | "https") => of(inner.as_url_ref()),
            _ => Origin::new_opaque(),
        },
        "ftp" | "http" | "https" | "ws" | "wss" => match (url.host(), url.port_or_known_default()) {
            (Some(host), Some(port)) => Origin::Tuple(url.scheme().to_owned(), host.to_owned(), port),
            _ => Origin::new_opaque(),
        },
        _ => Origin::new_opaque(),
    }
}
