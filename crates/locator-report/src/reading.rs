//! Parses bytes by an edition's grammar and its rule for the scheme.

use locator::{Edition, ParseError, UriRef, scheme};

/// A reference that is valid in its edition and by the edition's rule for its scheme.
///
/// ```
/// use locator::edition::RFC1738;
///
/// let parsed = locator_report::read(b"ftp://h/a;type=d", &RFC1738).unwrap();
/// assert!(parsed.has_scheme_rule);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parsed<'a> {
    /// The reference.
    pub reference: UriRef<'a>,
    /// Whether the edition has a rule for its scheme.
    pub has_scheme_rule: bool,
}

/// Parses bytes by the grammar of an edition, then by its rule for the scheme.
///
/// # Errors
///
/// The first error by the grammar or by the rule of the scheme.
pub fn read<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<Parsed<'a>, ParseError> {
    let reference = UriRef::parse_bytes_with(octets, edition).map_err(|error| leftmost(octets, error))?;
    match scheme::check(reference) {
        Some(Err(error)) => Err(error),
        by_scheme => Ok(Parsed { reference, has_scheme_rule: by_scheme.is_some() }),
    }
}

/// Parses bytes by the grammar of an edition. An error has the rule of the scheme, where the edition
/// has one.
///
/// # Errors
///
/// The first error by the grammar.
pub fn parse<'a>(octets: &'a [u8], edition: &'static Edition) -> Result<UriRef<'a>, ParseError> {
    let explained = |error| core::str::from_utf8(octets).map_or(error, |text| scheme::explain(text, error));
    UriRef::parse_bytes_with(octets, edition).map_err(explained)
}

/// Returns the first error by the grammar or by the rule of the scheme.
#[cold]
fn leftmost(octets: &[u8], error: ParseError) -> ParseError {
    let mut rules = scheme::ALL.iter().flat_map(|scheme| scheme.rules());
    if !rules.any(|rule| rule.edition == error.edition()) {
        return error;
    }
    errors(octets, error).next().unwrap_or(error)
}

/// Returns every error of an input, in the edition of the first error.
pub fn errors(octets: &[u8], first: ParseError) -> impl Iterator<Item = ParseError> {
    let edition = first.edition();
    let text = core::str::from_utf8(octets).ok();
    let every = move |text| scheme::explain_each(text, edition, scheme::errors_with(text, edition));
    let of_text = text.into_iter().flat_map(every);
    // Invalid UTF-8 has only that error.
    text.is_none().then_some(first).into_iter().chain(of_text)
}
