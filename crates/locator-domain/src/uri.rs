//! The domains of URLs: takes a reference, returns the normal form of its host and the parts of it.

use alloc::borrow::Cow;

use locator::{HostKind, UriRef};

use crate::domain::{BEYOND_ASCII, CAPITAL, Domain, EMPTY_LABEL, NOT_ALLOWED, marks_of};
use crate::list::Rules;

/// The domain names of references: methods of [`Uri`](locator::Uri), [`UriRef`] and references to all
/// other types that convert to [`UriRef`].
///
/// Results borrow from the reference if the host is normal already.
///
/// ```
/// use locator::uri;
/// use locator_domain::{DomainExt, Rules};
///
/// let uri = uri!("https://www.example.co.uk/a");
/// assert_eq!(uri.domain_name().unwrap(), "www.example.co.uk");
/// assert_eq!(uri.subdomain(Rules::Icann).unwrap(), "www");
/// assert_eq!(uri.registered_domain(Rules::Icann).unwrap(), "example.co.uk");
/// assert_eq!(uri.public_suffix(Rules::Icann).unwrap(), "co.uk");
/// ```
pub trait DomainExt<'a>: Sized + private::Sealed<'a> {
    /// Returns the host as a domain name in its normal form: decoded, in lower case, in A-labels, without
    /// the final dot.
    ///
    /// Returns `None` if there is no host, if it is empty or an address, or if it is not a domain name:
    /// it has an empty label, contains an escaped character that a host cannot contain unescaped, or is
    /// beyond ASCII and has no ASCII form ([`UriRef::host_to_ascii`]).
    ///
    /// ```
    /// use locator::uri;
    /// use locator_domain::DomainExt;
    ///
    /// assert_eq!(
    ///     uri!("http://B%C3%9CCHER.Example./").domain_name().unwrap(),
    ///     "xn--bcher-kva.example"
    /// );
    /// assert_eq!(uri!("http://localhost/").domain_name().unwrap(), "localhost");
    /// assert_eq!(uri!("http://127.0.0.1/").domain_name(), None);
    /// assert_eq!(uri!("http://a%2Fb.example/").domain_name(), None);
    /// ```
    #[must_use]
    fn domain_name(self) -> Option<Cow<'a, str>> {
        domain_name(self.reference())
    }

    /// Returns the registered domain that the host is in, as [`registered_domain`](crate::registered_domain()) does.
    #[must_use]
    fn registered_domain(self, rules: Rules) -> Option<Cow<'a, str>> {
        part(self.domain_name()?, |name| Domain::of_domain_name(name, rules)?.registered())
    }

    /// Returns the public suffix of the host, as [`public_suffix`](crate::public_suffix()) does.
    #[must_use]
    fn public_suffix(self, rules: Rules) -> Option<Cow<'a, str>> {
        part(self.domain_name()?, |name| Some(Domain::of_domain_name(name, rules)?.public_suffix()))
    }

    /// Returns the labels of the host before its registered domain, as [`subdomain`](crate::subdomain()) does.
    #[must_use]
    fn subdomain(self, rules: Rules) -> Option<Cow<'a, str>> {
        part(self.domain_name()?, |name| Domain::of_domain_name(name, rules)?.subdomain())
    }
}

impl<'a, T: Into<UriRef<'a>>> DomainExt<'a> for T {}

mod private {
    use locator::UriRef;

    pub trait Sealed<'a> {
        fn reference(self) -> UriRef<'a>;
    }

    impl<'a, T: Into<UriRef<'a>>> Sealed<'a> for T {
        fn reference(self) -> UriRef<'a> {
            self.into()
        }
    }
}

fn domain_name(reference: UriRef<'_>) -> Option<Cow<'_, str>> {
    let host = reference.host().filter(|host| host.kind() == HostKind::Name)?;
    let given = without_last_dot(host.as_str());
    let marks = marks_of(given);
    if marks == 0 {
        return Some(Cow::Borrowed(given));
    }
    let name = if marks & (NOT_ALLOWED | CAPITAL | BEYOND_ASCII) == 0 {
        Cow::Borrowed(given)
    } else {
        let decoded = host.as_pct_str().decode_utf8().ok()?;
        let mut name = match decoded.is_ascii() {
            true => decoded.into_owned(),
            false => reference.host_to_ascii().ok()??,
        };
        name.make_ascii_lowercase();
        part(Cow::Owned(name), |name| Some(without_last_dot(name)))?
    };
    (marks_of(&name) & (NOT_ALLOWED | EMPTY_LABEL) == 0).then_some(name)
}

fn without_last_dot(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

/// Returns a part of a text, borrowed if the text is.
fn part<'a>(text: Cow<'a, str>, find: impl FnOnce(&str) -> Option<&str>) -> Option<Cow<'a, str>> {
    match text {
        Cow::Borrowed(text) => find(text).map(Cow::Borrowed),
        Cow::Owned(text) => find(&text).map(|part| Cow::Owned(part.into())),
    }
}
