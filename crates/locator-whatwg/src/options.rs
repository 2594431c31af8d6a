//! How a URL is parsed: with a base, the encoding of a document, and a callback for what is not valid;
//! and the errors, as the crate `url` has them.

use alloc::borrow::Cow;
use core::fmt::{self, Display, Formatter};

use crate::error::{ValidationError, ValidationErrorKind as Kind};
use crate::machine::{self, Failure, Reporter};
use crate::url::Url;

/// Encodes the query of a URL by the encoding of its document.
pub type EncodingOverride<'a> = Option<&'a dyn Fn(&str) -> Cow<'_, [u8]>>;

/// Why a text is not a URL. [`validate`](crate::validate) has the name in the standard and the place.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ParseError {
    /// A special scheme without a host, or a port or a user without one.
    EmptyHost,
    /// A domain that is not valid by IDNA.
    IdnaError,
    /// A port that is not a number up to 65535.
    InvalidPort,
    /// An IPv4 address that is not valid.
    InvalidIpv4Address,
    /// An IPv6 address that is not valid.
    InvalidIpv6Address,
    /// A character that is not allowed in the host.
    InvalidDomainCharacter,
    /// A relative URL without a base.
    RelativeUrlWithoutBase,
    /// A relative URL with a base that has an opaque path.
    RelativeUrlWithCannotBeABaseBase,
    /// A change of the host of a URL that can have none.
    SetHostOnCannotBeABaseUrl,
    /// A text of more than 4 GiB.
    Overflow,
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EmptyHost => "empty host",
            Self::IdnaError => "invalid international domain name",
            Self::InvalidPort => "invalid port number",
            Self::InvalidIpv4Address => "invalid IPv4 address",
            Self::InvalidIpv6Address => "invalid IPv6 address",
            Self::InvalidDomainCharacter => "invalid domain character",
            Self::RelativeUrlWithoutBase => "relative URL without a base",
            Self::RelativeUrlWithCannotBeABaseBase => "relative URL with a cannot-be-a-base base",
            Self::SetHostOnCannotBeABaseUrl => "a cannot-be-a-base URL doesn’t have a host to set",
            Self::Overflow => "URLs more than 4 GB are not supported",
        })
    }
}

impl core::error::Error for ParseError {}

impl ParseError {
    /// The reason of a failure, by the errors of the standard.
    pub(crate) fn of(errors: &[ValidationError], has_base: bool) -> Self {
        match errors.iter().rfind(|error| error.is_failure()).map(ValidationError::kind) {
            Some(Kind::MissingSchemeNonRelativeUrl) if has_base => Self::RelativeUrlWithCannotBeABaseBase,
            Some(Kind::MissingSchemeNonRelativeUrl) | None => Self::RelativeUrlWithoutBase,
            Some(Kind::HostMissing) => Self::EmptyHost,
            Some(Kind::PortInvalid | Kind::PortOutOfRange) => Self::InvalidPort,
            Some(Kind::HostInvalidCodePoint) => Self::InvalidDomainCharacter,
            Some(Kind::DomainToAscii) => Self::IdnaError,
            Some(Kind::Ipv4TooManyParts | Kind::Ipv4NonNumericPart | Kind::Ipv4OutOfRangePart) => {
                Self::InvalidIpv4Address
            }
            Some(_) => Self::InvalidIpv6Address,
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
            Err(Failure) => {
                let mut errors = Reporter::listening();
                // It fails again.
                let _ = machine::parse(input, base.as_ref(), None, &mut errors);
                Err(ParseError::of(&errors.into_errors(), base.is_some()))
            }
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
