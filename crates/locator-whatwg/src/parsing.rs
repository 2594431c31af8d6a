//! Parsing: with a base, the encoding of a document, and a callback for what is not valid.
//!
//! Nearly all texts are in serialised form already, which `serialised` recognises; most others `direct`
//! writes in one pass; the state machine of the standard, `machine`, reads the rest, and knows the errors.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use locator::internal::{self as simd, Backend, Plain, WithBackend};

use crate::direct;
use crate::error::{ParseError, ValidationError, ValidationErrorKind as Kind};
use crate::form_urlencoded::EncodingOverride;
use crate::host;
use crate::input::{self, Reporter};
use crate::machine;
use crate::position::{Position, Positions, Serialised};
use crate::serialised;
use crate::url::Url;
use crate::url_cow::UrlCow;
use crate::url_ref::{UrlRef, UrlRefError};

/// Returns every validation error of a text, in the order in which the parser of the standard meets them.
/// A text without any is a valid URL string.
///
/// ```
/// use locator_whatwg::validate;
///
/// let errors = validate(r"https:\\example.com/a b", None);
/// let errors: Vec<_> = errors.iter().map(|error| (error.kind().name(), error.span())).collect();
/// assert_eq!(
///     errors,
///     [
///         ("special-scheme-missing-following-solidus", 6..7),
///         ("special-scheme-missing-following-solidus", 6..7),
///         ("special-scheme-missing-following-solidus", 7..8),
///         ("invalid-URL-unit", 21..22),
///     ]
/// );
/// assert!(validate("https://example.com/a", None).is_empty());
/// ```
#[must_use]
pub fn validate(text: &str, base: Option<&Url>) -> Vec<ValidationError> {
    if is_valid(text) {
        return Vec::new();
    }
    let mut errors = Reporter::listening();
    let base = base.map(Url::record);
    // What fails has reported why.
    let _ = machine::parse(text, base.as_ref(), None, &mut errors);
    errors.into_errors()
}

/// Returns whether a text in serialised form has no validation error; "no" means nothing.
fn is_valid(text: &str) -> bool {
    let Some(at) = serialised::recognise(text) else { return false };
    let url = UrlRef { text, at };
    let mut parts = [Some(url.path()), url.query(), url.fragment()].into_iter().flatten();
    parts.all(input::are_units) && url.host_str().is_none_or(host::is_strictly_valid_domain)
}

/// [`UrlRef::parse`]: the result is written once, where the caller wants it.
struct ParseBorrowed<'a> {
    text: &'a str,
}

impl<'a> WithBackend for ParseBorrowed<'a> {
    type Output = Result<UrlRef<'a>, UrlRefError>;

    #[inline(always)]
    fn run<M: Backend>(self, backend: M) -> Self::Output {
        let Self { text } = self;
        match serialised::recognise_with(backend, text) {
            Some(at) if !serialised::lacks_path(text, &at) => Ok(UrlRef { text, at }),
            _ => UrlRef::parse_any(text),
        }
    }

    /// Not inlined, because every call would reserve stack space for it.
    #[inline(never)]
    fn run_plain(self) -> Self::Output {
        self.run(Plain)
    }
}

impl<'a> UrlRef<'a> {
    /// Reads a text in serialised form.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a URL, or if its serialised form is another text.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, UrlRefError> {
        simd::dispatch(ParseBorrowed { text })
    }

    #[inline(never)]
    fn parse_any(text: &'a str) -> Result<Self, UrlRefError> {
        match Url::parse_cow(text) {
            Ok(UrlCow::Borrowed(url)) => Ok(url),
            Ok(UrlCow::Owned(_)) => Err(UrlRefError::NotSerialised),
            Err(error) => Err(UrlRefError::NotAUrl(error)),
        }
    }
}

impl Url {
    /// Parses an absolute URL.
    ///
    /// ```
    /// use locator_whatwg::{ParseError, Url};
    ///
    /// let url = Url::parse("HTTPS://Example.com:443/a b?c#d")?;
    /// assert_eq!(url.as_str(), "https://example.com/a%20b?c#d");
    ///
    /// // A text without a scheme is relative to a base: see `Url::join`.
    /// assert_eq!(Url::parse("example.com/a"), Err(ParseError::RelativeUrlWithoutBase));
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns why the text is not a URL.
    #[inline]
    pub fn parse(input: &str) -> Result<Self, ParseError> {
        match serialised::recognise(input) {
            Some(at) => Ok(Self::from_recognised(input, at)),
            None => Self::parse_any(input),
        }
    }

    /// A text that was recognised; "/" is appended if it is missing.
    #[inline(always)]
    fn from_recognised(input: &str, at: Positions) -> Self {
        if !serialised::lacks_path(input, &at) {
            return Self { text: input.to_owned(), at };
        }
        let mut text = String::with_capacity(input.len() + 1);
        text.push_str(input);
        text.push('/');
        Self { text, at }
    }

    /// Parses an absolute URL; a text in serialised form, which most are, is borrowed.
    ///
    /// ```
    /// use locator_whatwg::{Url, UrlCow};
    ///
    /// assert!(matches!(Url::parse_cow("https://example.com/")?, UrlCow::Borrowed(_)));
    /// assert_eq!(Url::parse_cow("https://example.com")?.as_str(), "https://example.com/");
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns why the text is not a URL.
    #[inline]
    pub fn parse_cow(input: &str) -> Result<UrlCow<'_>, ParseError> {
        if let Some(at) = serialised::recognise(input) {
            return Ok(match serialised::lacks_path(input, &at) {
                false => UrlCow::Borrowed(UrlRef { text: input, at }),
                true => UrlCow::Owned(Self::from_recognised(input, at)),
            });
        }
        let url = Self::parse_any(input)?;
        Ok(if url.text == input {
            UrlCow::Borrowed(UrlRef { text: input, at: url.at })
        } else {
            UrlCow::Owned(url)
        })
    }

    /// Parses an absolute URL of any form. It has no base, so that a program that joins nothing has no code for it.
    #[inline(never)]
    fn parse_any(input: &str) -> Result<Self, ParseError> {
        if let Some(Serialised { text, at }) = direct::parse(input, None) {
            return Ok(Self { text, at });
        }
        match machine::parse(input, None, None, &mut Reporter::silent()) {
            Ok(record) => Self::from_record(&record),
            Err(failure) => Err(ParseError::of(failure.kind, false)),
        }
    }

    /// Parses an absolute URL, and appends pairs to its query.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a URL.
    pub fn parse_with_params<I, K, V>(input: &str, iter: I) -> Result<Self, ParseError>
    where
        I: IntoIterator,
        I::Item: core::borrow::Borrow<(K, V)>,
        K: AsRef<str>,
        V: AsRef<str>,
    {
        let mut url = Self::parse(input)?;
        url.query_pairs_mut().extend_pairs(iter);
        Ok(url)
    }

    /// Parses a URL, relative to this one.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// // A backslash is a slash for special schemes only.
    /// let base = Url::parse("foo://good.example/a")?;
    /// assert_eq!(base.join(r"\\evil.example/x")?.host_str(), Some("good.example"));
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns why the text is not a URL.
    pub fn join(&self, input: &str) -> Result<Self, ParseError> {
        match serialised::recognise(input) {
            Some(at) => Ok(Self::from_recognised(input, at)),
            None => match direct::parse(input, Some(&self.as_url_ref())) {
                Some(Serialised { text, at }) => Ok(Self { text, at }),
                None => Self::options().base_url(Some(self)).parse_by_standard(input),
            },
        }
    }

    /// Returns the options of parsing.
    pub fn options<'a>() -> ParseOptions<'a> {
        ParseOptions { base_url: None, encoding_override: None, violation_fn: None }
    }

    /// Returns whether a text is an absolute URL, so that [`Self::parse`] would return one.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// assert!(Url::can_parse("https://example.com"));
    /// assert!(!Url::can_parse("https://exa mple.com") && !Url::can_parse("/a"));
    /// ```
    #[must_use]
    pub fn can_parse(input: &str) -> bool {
        direct::can_parse(input)
            || direct::parse(input, None).is_some()
            || machine::parse(input, None, None, &mut Reporter::silent()).is_ok()
    }

    /// Returns a relative URL that leads from this URL to another: joined to this one, it is the other.
    /// None if there is no such text, as for another scheme.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// let base = Url::parse("https://example.com/a/b")?;
    /// let to = |url| base.make_relative(&Url::parse(url).unwrap());
    /// assert_eq!(to("https://example.com/a/c").as_deref(), Some("c"));
    /// assert_eq!(to("https://example.com//x").as_deref(), Some("..//x"));
    /// assert_eq!(to("https://example.org/"), None);
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    #[must_use]
    pub fn make_relative(&self, url: &Self) -> Option<String> {
        let is_same = self[..Position::BeforePath] == url[..Position::BeforePath];
        if self.cannot_be_a_base() || url.cannot_be_a_base() || !is_same {
            return None;
        }
        let rest = &url[Position::AfterPath..];
        let (directory, name) = self.path().rsplit_once('/').unwrap_or_default();
        let (to_directory, to_name) = url.path().rsplit_once('/').unwrap_or_default();
        let mut from: Vec<&str> = directory.split('/').collect();
        let mut to: Vec<&str> = to_directory.split('/').collect();
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        from.drain(..shared);
        to.drain(..shared);
        let mut short = "../".repeat(from.len());
        for segment in &to {
            short.push_str(segment);
            short.push('/');
        }
        // A query of this URL would be kept without a name.
        let is_kept = self.query().is_some() && url.query().is_none();
        if !(short.is_empty() && name == to_name && !is_kept) {
            short.push_str(to_name);
        }
        let path = url.path();
        let candidates = [short.clone(), format!("./{short}"), path.to_owned(), format!("/.{path}")];
        let is_right = |relative: &String| self.join(relative).is_ok_and(|joined| joined == *url);
        candidates.into_iter().map(|path| path + rest).find(is_right)
    }

    /// Checks that parsing the text again gives this URL.
    #[doc(hidden)]
    pub fn check_invariants(&self) -> Result<(), String> {
        match Self::parse(&self.text) {
            Ok(again) if again.text != self.text => Err(format!("{} is parsed as {}", self.text, again.text)),
            Ok(again) if again.at != self.at => {
                Err(format!("{}: {:?}, not {:?}", self.text, self.at, again.at))
            }
            Ok(_) => Ok(()),
            Err(error) => Err(format!("{}: {error}", self.text)),
        }
    }
}

/// What is not valid in a text that is parsed all the same, by the names of the crate `url`.
/// [`validate`](crate::validate) has those of the standard, with their places.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SyntaxViolation {
    /// "\" in place of "/".
    Backslash,
    /// Spaces or controls around the URL.
    C0SpaceIgnored,
    /// A user or a password.
    EmbeddedCredentials,
    /// A special scheme without "//".
    ExpectedDoubleSlash,
    /// The scheme file without "//".
    ExpectedFileDoubleSlash,
    /// A drive letter in place of a host.
    FileWithHostAndWindowsDrive,
    /// A code point that is not allowed.
    NonUrlCodePoint,
    /// NUL in the fragment.
    NullInFragment,
    /// A "%" that is not followed by two hex digits.
    PercentDecode,
    /// A tab or a line end.
    TabOrNewlineIgnored,
    /// A second "@" before the host.
    UnencodedAtSign,
}

impl SyntaxViolation {
    /// Returns a description.
    #[must_use]
    pub fn description(&self) -> &'static str {
        match self {
            Self::Backslash => "backslash",
            Self::C0SpaceIgnored => "leading or trailing control or space character are ignored in URLs",
            Self::EmbeddedCredentials => {
                "embedding authentication information (username or password) in an URL is not recommended"
            }
            Self::ExpectedDoubleSlash => "expected //",
            Self::ExpectedFileDoubleSlash => "expected // after file:",
            Self::FileWithHostAndWindowsDrive => "file: with host and Windows drive letter",
            Self::NonUrlCodePoint => "non-URL code point",
            Self::NullInFragment => "NULL characters are ignored in URL fragment identifiers",
            Self::PercentDecode => "expected 2 hex digits after %",
            Self::TabOrNewlineIgnored => "tabs or newlines are ignored in URLs",
            Self::UnencodedAtSign => "unencoded @ sign in username or password",
        }
    }

    /// The violation of an error of the standard; none for those that the crate `url` does not report.
    fn of(text: &str, error: &ValidationError, before: Option<Self>) -> Option<Self> {
        let violation = match error.kind() {
            Kind::InvalidReverseSolidus => Self::Backslash,
            Kind::InvalidCredentials => match before {
                Some(Self::EmbeddedCredentials | Self::UnencodedAtSign) => Self::UnencodedAtSign,
                _ => Self::EmbeddedCredentials,
            },
            Kind::SpecialSchemeMissingFollowingSolidus => {
                let scheme = text.trim_start_matches(|c: char| c <= ' ').get(..5);
                match scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
                    true => Self::ExpectedFileDoubleSlash,
                    false => Self::ExpectedDoubleSlash,
                }
            }
            Kind::FileInvalidWindowsDriveLetter | Kind::FileInvalidWindowsDriveLetterHost => {
                Self::FileWithHostAndWindowsDrive
            }
            Kind::InvalidUrlUnit => match text.get(error.span()).unwrap_or_default() {
                "\t" | "\n" | "\r" => Self::TabOrNewlineIgnored,
                "%" => Self::PercentDecode,
                "\0" => Self::NullInFragment,
                _ if error.span().start == 0
                    || error.span().end == text.len() && text.ends_with(|c| c <= ' ') =>
                {
                    Self::C0SpaceIgnored
                }
                _ => Self::NonUrlCodePoint,
            },
            _ => return None,
        };
        // Each of several slashes is an error of its own in the standard.
        let is_again = violation == Self::ExpectedDoubleSlash && before == Some(violation);
        Some(violation).filter(|_| !is_again)
    }
}

impl Display for SyntaxViolation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

/// How to parse a URL: [`Url::options`].
///
/// ```
/// use locator_whatwg::Url;
///
/// let base = Url::parse("https://example.com/a/b")?;
/// let url = Url::options().base_url(Some(&base)).parse("../c")?;
/// assert_eq!(url.as_str(), "https://example.com/c");
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct ParseOptions<'a> {
    pub(crate) base_url: Option<&'a Url>,
    pub(crate) encoding_override: EncodingOverride<'a>,
    pub(crate) violation_fn: Option<&'a dyn Fn(SyntaxViolation)>,
}

impl<'a> ParseOptions<'a> {
    /// Sets the base of relative URLs.
    pub fn base_url(mut self, new: Option<&'a Url>) -> Self {
        self.base_url = new;
        self
    }

    /// Sets the encoding of the document, which applies to the query of special schemes.
    pub fn encoding_override(mut self, new: EncodingOverride<'a>) -> Self {
        self.encoding_override = new;
        self
    }

    /// Sets a function that is called for what is not valid.
    pub fn syntax_violation_callback(mut self, new: Option<&'a dyn Fn(SyntaxViolation)>) -> Self {
        self.violation_fn = new;
        self
    }

    /// Parses a URL.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a URL.
    pub fn parse(self, input: &str) -> Result<Url, ParseError> {
        if self.encoding_override.is_some() || self.violation_fn.is_some() {
            return self.parse_by_standard(input);
        }
        match self.base_url {
            Some(base) => base.join(input),
            None => Url::parse(input),
        }
    }

    fn parse_by_standard(self, input: &str) -> Result<Url, ParseError> {
        let base = self.base_url.map(Url::record);
        let mut errors = match self.violation_fn {
            Some(_) => Reporter::listening(),
            None => Reporter::silent(),
        };
        let parsed = machine::parse(input, base.as_ref(), self.encoding_override, &mut errors);
        let errors = errors.into_errors();
        if let Some(report) = self.violation_fn {
            let mut before = None;
            for error in &errors {
                if let Some(violation) = SyntaxViolation::of(input, error, before) {
                    report(violation);
                    before = Some(violation);
                }
            }
        }
        match parsed {
            Ok(record) => Url::from_record(&record),
            Err(failure) => Err(ParseError::of(failure.kind, base.is_some())),
        }
    }
}

impl fmt::Debug for ParseOptions<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParseOptions")
            .field("base_url", &self.base_url)
            .field("encoding_override", &self.encoding_override.is_some())
            .field("violation_fn", &self.violation_fn.is_some())
            .finish()
    }
}

impl FromStr for Url {
    type Err = ParseError;

    fn from_str(input: &str) -> Result<Self, ParseError> {
        Self::parse(input)
    }
}

impl TryFrom<&str> for Url {
    type Error = ParseError;

    fn try_from(input: &str) -> Result<Self, ParseError> {
        Self::parse(input)
    }
}

impl<'a> TryFrom<&'a str> for UrlRef<'a> {
    type Error = UrlRefError;

    fn try_from(text: &'a str) -> Result<Self, UrlRefError> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{machine, validate};
    use crate::input::Reporter;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8192))]

        #[test]
        fn what_is_valid_at_once_has_no_error(
            start in "(https?|file|ws)://[a-z0-9.-]{0,8}(:[0-9]{1,3})?",
            rest in "(/[!-~]{0,8}|/%[0-9a-g]{0,2}|/[a-z|]{0,3})?(\\?[!-~]{0,4})?(#[!-~]{0,4})?",
        ) {
            let text = start + &rest;
            let mut errors = Reporter::listening();
            let _ = machine::parse(&text, None, None, &mut errors);
            prop_assert_eq!(validate(&text, None), errors.into_errors());
        }
    }
}
