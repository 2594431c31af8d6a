//! Domain names divided by the Public Suffix List: takes a host, returns its registered domain, public
//! suffix and subdomain as parts of its text.

use crate::list::{Rules, Suffix, longest};

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
        let marks = marks_of(name);
        if marks & (NOT_ALLOWED | EMPTY_LABEL) != 0 {
            return None;
        }
        match marks & CAPITAL {
            0 => Self::of_domain_name(name, rules),
            _ => Self::divided(name, longest(&name.to_ascii_lowercase(), rules)?),
        }
    }

    /// Divides a domain name that is in lower case and has no final dot.
    pub(crate) fn of_domain_name(name: &'h str, rules: Rules) -> Option<Self> {
        Self::divided(name, longest(name, rules)?)
    }

    fn divided(name: &'h str, found: Suffix) -> Option<Self> {
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
#[doc(alias("registrable_domain", "etld_plus_one", "top_domain_under_public_suffix", "root"))]
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

/// Returns the registered domain of a host by all rules of the list, as the crate `psl` and browsers do:
/// [`registered_domain`] with [`Rules::Private`].
///
/// ```
/// assert_eq!(locator_domain::domain_str("www.example.co.uk"), Some("example.co.uk"));
/// assert_eq!(locator_domain::domain_str("www.anna.github.io"), Some("anna.github.io"));
/// ```
#[must_use]
pub fn domain_str(host: &str) -> Option<&str> {
    registered_domain(host, Rules::Private)
}

/// Returns the public suffix of a host by all rules of the list, as the crate `psl` and browsers do:
/// [`public_suffix`] with [`Rules::Private`].
///
/// ```
/// assert_eq!(locator_domain::suffix_str("www.example.co.uk"), Some("co.uk"));
/// assert_eq!(locator_domain::suffix_str("www.anna.github.io"), Some("github.io"));
/// ```
#[must_use]
pub fn suffix_str(host: &str) -> Option<&str> {
    public_suffix(host, Rules::Private)
}

/// Returns the registered domain of a host in text or bytes by all rules of the list: [`domain_str`] for bytes.
///
/// ```
/// assert_eq!(locator_domain::domain(b"www.example.co.uk"), Some("example.co.uk"));
/// assert_eq!(locator_domain::domain("www.anna.github.io"), Some("anna.github.io"));
/// ```
#[must_use]
pub fn domain(host: &(impl AsRef<[u8]> + ?Sized)) -> Option<&str> {
    domain_str(str::from_utf8(host.as_ref()).ok()?)
}

/// Returns the public suffix of a host in text or bytes by all rules of the list: [`suffix_str`] for bytes.
///
/// ```
/// assert_eq!(locator_domain::suffix(b"www.example.co.uk"), Some("co.uk"));
/// assert_eq!(locator_domain::suffix("www.anna.github.io"), Some("github.io"));
/// ```
#[must_use]
pub fn suffix(host: &(impl AsRef<[u8]> + ?Sized)) -> Option<&str> {
    suffix_str(str::from_utf8(host.as_ref()).ok()?)
}

/// A byte that a host may not contain unescaped (RFC 3986, 3.2.2, and RFC 3987 for bytes beyond ASCII).
pub(crate) const NOT_ALLOWED: u8 = 1;
/// A capital letter of ASCII.
pub(crate) const CAPITAL: u8 = 1 << 1;
/// A byte beyond ASCII.
pub(crate) const BEYOND_ASCII: u8 = 1 << 2;
/// A label without a byte.
pub(crate) const EMPTY_LABEL: u8 = 1 << 3;

/// What each byte alone is.
static MARKS: [u8; 256] = {
    let (mut marks, mut byte) = ([NOT_ALLOWED; 256], 0);
    while byte < marks.len() {
        match byte as u8 {
            b'A'..=b'Z' => marks[byte] = CAPITAL,
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => marks[byte] = 0,
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => marks[byte] = 0,
            0x80.. => marks[byte] = BEYOND_ASCII,
            _ => {}
        }
        byte += 1;
    }
    marks
};

/// Returns what a name without its final dot contains.
pub(crate) fn marks_of(name: &str) -> u8 {
    let (mut marks, mut before) = (0, b'.');
    for byte in name.bytes() {
        marks |= MARKS[usize::from(byte)];
        marks |= if byte == b'.' && before == b'.' { EMPTY_LABEL } else { 0 };
        before = byte;
    }
    if before == b'.' { marks | EMPTY_LABEL } else { marks }
}
