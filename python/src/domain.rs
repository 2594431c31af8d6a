//! Registered domains and public suffixes of URLs, by the Public Suffix List.

use std::borrow::Cow;

use locator_domain::{DomainExt, Rules};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::input::{self, Input};

/// Returns the rules to use.
pub(crate) const fn rules(private: bool) -> Rules {
    if private { Rules::Private } else { Rules::Icann }
}

/// A function of `DomainExt`.
pub(crate) type Lookup = for<'a> fn(locator::UriRef<'a>, Rules) -> Option<Cow<'a, str>>;

/// Returns what a function returns for a text; `None` if it is not valid.
fn look_up<'py>(
    text: &Bound<'py, PyAny>,
    private: bool,
    edition: Option<&str>,
    lookup: Lookup,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let (py, edition, input) = (text.py(), input::edition(edition)?, Input::new(text)?);
    let bytes = input.bytes()?;
    let found = locator::UriRef::parse_bytes_with(&bytes, edition).ok();
    Ok(found.and_then(|found| lookup(found, rules(private))).map(|name| PyString::new(py, &name)))
}

/// Return the registered domain of a URL: the name below a public suffix, which one owner has.
///
/// It is that of the normal host: in lower case, international labels in Punycode. It is `None` without a
/// host, for addresses, for unknown suffixes, and if the URL is not valid. `private=True` also uses the
/// rules of companies such as github.io.
///
/// >>> from locator_uri import registered_domain
/// >>> registered_domain("https://www.Example.co.uk/a")
/// 'example.co.uk'
/// >>> registered_domain("https://anna.github.io/", private=True)
/// 'anna.github.io'
/// >>> registered_domain("http://127.0.0.1/"), registered_domain("http://localhost/")
/// (None, None)
#[pyfunction]
#[pyo3(
    signature = (text, /, *, private = false, edition = None),
    text_signature = "(text, /, *, private=False, edition='rfc3986')"
)]
pub(crate) fn registered_domain<'py>(
    text: &Bound<'py, PyAny>,
    private: bool,
    edition: Option<&str>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    look_up(text, private, edition, |uri, rules| uri.registered_domain(rules))
}

/// Return the public suffix of the host of a URL, such as "co.uk".
///
/// >>> from locator_uri import public_suffix
/// >>> public_suffix("https://www.example.co.uk/a")
/// 'co.uk'
#[pyfunction]
#[pyo3(
    signature = (text, /, *, private = false, edition = None),
    text_signature = "(text, /, *, private=False, edition='rfc3986')"
)]
pub(crate) fn public_suffix<'py>(
    text: &Bound<'py, PyAny>,
    private: bool,
    edition: Option<&str>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    look_up(text, private, edition, |uri, rules| uri.public_suffix(rules))
}

/// Return what is before the registered domain in the host of a URL; `None` if nothing is.
///
/// >>> from locator_uri import subdomain
/// >>> subdomain("https://www.example.co.uk/a"), subdomain("https://example.co.uk/a")
/// ('www', None)
#[pyfunction]
#[pyo3(
    signature = (text, /, *, private = false, edition = None),
    text_signature = "(text, /, *, private=False, edition='rfc3986')"
)]
pub(crate) fn subdomain<'py>(
    text: &Bound<'py, PyAny>,
    private: bool,
    edition: Option<&str>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    look_up(text, private, edition, |uri, rules| uri.subdomain(rules))
}
