//! Domain names divided by the Public Suffix List: takes a host, returns its registered domain, public
//! suffix and subdomain as parts of its text.

use alloc::borrow::Cow;

use crate::list::{Rules, longest};

/// A domain name under a public suffix, divided.
///
/// ```
/// use locator_domain::{Domain, Rules};
///
/// let domain = Domain::new("forums.news.example.co.uk.", Rules::Icann).unwrap();
/// assert_eq!(domain.as_str(), "forums.news.example.co.uk");
/// assert_eq!(domain.subdomain(), Some("forums.news"));
/// assert_eq!(domain.registered(), Some("example.co.uk"));
/// assert_eq!(domain.public_suffix(), "co.uk");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain<'h> {
    name: &'h str,
    /// Where the registered domain begins, if there is one.
    registered: Option<usize>,
    suffix: usize,
    is_private: bool,
}

impl<'h> Domain<'h> {
    /// Divides a host. Returns `None` if it is an address, has an unknown suffix or is not a domain name.
    ///
    /// The host is decoded: "%" is not allowed. ASCII letters may have any case, and the result has the
    /// same; other letters must be in lower case. Labels are U-labels (`bücher`), A-labels
    /// (`xn--bcher-kva`) or both. One final dot is dropped. [`DomainExt`](crate::DomainExt) does this for
    /// the host of a URL.
    ///
    /// ```
    /// use locator_domain::{Domain, Rules};
    ///
    /// let domain = Domain::new("co.uk", Rules::Icann).unwrap();
    /// assert_eq!((domain.public_suffix(), domain.registered()), ("co.uk", None));
    ///
    /// for host in ["localhost", "127.0.0.1", "[::1]", "a..com", "example.com:80"] {
    ///     assert_eq!(Domain::new(host, Rules::Icann), None);
    /// }
    /// ```
    #[must_use]
    pub fn new(host: &'h str, rules: Rules) -> Option<Self> {
        let name = host.strip_suffix('.').unwrap_or(host);
        let found = is_domain_name(name).then(|| longest(&lower_case(name), rules))??;
        let suffix = name.len() - found.len;
        let label_and_dot = name[..suffix].strip_suffix('.');
        let registered = label_and_dot.map(|before| before.rfind('.').map_or(0, |dot| dot + 1));
        Some(Self { name, registered, suffix, is_private: found.is_private })
    }

    /// Returns the whole name, as it was given, without the final dot.
    #[must_use]
    pub const fn as_str(&self) -> &'h str {
        self.name
    }

    /// Returns the public suffix and the label before it, or `None` if there is no label before it.
    #[must_use]
    pub fn registered(&self) -> Option<&'h str> {
        self.registered.map(|start| &self.name[start..])
    }

    /// Returns the public suffix, under which anybody can register names.
    #[must_use]
    pub fn public_suffix(&self) -> &'h str {
        &self.name[self.suffix..]
    }

    /// Returns the labels before the registered domain, or `None` if the name has no more.
    #[must_use]
    pub fn subdomain(&self) -> Option<&'h str> {
        self.name[..self.registered?].strip_suffix('.')
    }

    /// Returns whether the public suffix is one of a company, such as `github.io`; never with
    /// [`Rules::Icann`].
    ///
    /// ```
    /// use locator_domain::{Domain, Rules};
    ///
    /// assert!(Domain::new("anna.github.io", Rules::Private).unwrap().is_private());
    /// assert!(!Domain::new("anna.github.io", Rules::Icann).unwrap().is_private());
    /// ```
    #[must_use]
    pub const fn is_private(&self) -> bool {
        self.is_private
    }
}

/// Returns the registered domain that a host is in: its public suffix and one more label.
///
/// The host is one that [`Domain::new`] accepts. For the host of a URL see
/// [`DomainExt`](crate::DomainExt).
///
/// ```
/// use locator_domain::{Rules, registered_domain};
///
/// assert_eq!(
///     registered_domain("www.example.com", Rules::Icann),
///     Some("example.com")
/// );
/// assert_eq!(
///     registered_domain("WWW.EXAMPLE.COM.", Rules::Icann),
///     Some("EXAMPLE.COM")
/// );
/// assert_eq!(registered_domain("co.uk", Rules::Icann), None);
/// assert_eq!(registered_domain("127.0.0.1", Rules::Icann), None);
/// ```
#[doc(alias("registrable_domain", "etld_plus_one", "top_domain_under_public_suffix"))]
#[must_use]
pub fn registered_domain(host: &str, rules: Rules) -> Option<&str> {
    Domain::new(host, rules)?.registered()
}

/// Returns the public suffix of a host, also if the host is one.
///
/// ```
/// use locator_domain::{Rules, public_suffix};
///
/// assert_eq!(public_suffix("www.example.co.uk", Rules::Icann), Some("co.uk"));
/// assert_eq!(public_suffix("co.uk", Rules::Icann), Some("co.uk"));
/// assert_eq!(public_suffix("localhost", Rules::Icann), None);
/// ```
#[doc(alias("tld", "etld"))]
#[must_use]
pub fn public_suffix(host: &str, rules: Rules) -> Option<&str> {
    Some(Domain::new(host, rules)?.public_suffix())
}

/// Returns the labels of a host before its registered domain, or `None` if it has no more.
///
/// ```
/// use locator_domain::{Rules, subdomain};
///
/// assert_eq!(subdomain("a.b.example.co.uk", Rules::Icann), Some("a.b"));
/// assert_eq!(subdomain("example.co.uk", Rules::Icann), None);
/// ```
#[must_use]
pub fn subdomain(host: &str, rules: Rules) -> Option<&str> {
    Domain::new(host, rules)?.subdomain()
}

/// Returns whether a decoded name without its final dot can be a domain name.
pub(crate) fn is_domain_name(name: &str) -> bool {
    name.bytes().all(is_allowed) && !name.split('.').any(str::is_empty)
}

/// Returns whether a host may contain a byte unescaped (RFC 3986, 3.2.2, and RFC 3987 for bytes beyond
/// ASCII).
pub(crate) fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || !byte.is_ascii()
}

fn lower_case(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}
