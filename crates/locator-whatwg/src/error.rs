//! The validation errors of the URL Standard, with their places in the given text, and the errors of the
//! crate `url`.

use core::fmt::{self, Display, Formatter};
use core::ops::Range;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $message:literal;)*) => {
        /// The name of a validation error (URL Standard, "Writing").
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum ValidationErrorKind {
            $($(#[$doc])* $kind,)*
        }

        impl ValidationErrorKind {
            /// All of them, in the order of the standard.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// Returns the name that the standard gives it: `invalid-URL-unit`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            const fn message(self) -> &'static str {
                match self { $(Self::$kind => $message),* }
            }
        }
    };
}

kinds! {
    /// A domain that Unicode ToASCII does not accept by its strict rules.
    DomainToAscii "domain-to-ASCII" "the domain is not valid by the rules of IDNA";
    /// A percent-encoded byte in a domain.
    DomainPercentEncoded "domain-percent-encoded" "the domain contains a percent-encoded byte";
    /// A forbidden code point in the host of a URL that is not special.
    HostInvalidCodePoint "host-invalid-code-point" "this is not allowed in a host";
    /// A final dot of an IPv4 address.
    Ipv4EmptyPart "IPv4-empty-part" "the IPv4 address ends with \".\"";
    /// An IPv4 address of fewer than four parts.
    Ipv4TooFewParts "IPv4-too-few-parts" "the IPv4 address has fewer than 4 parts";
    /// An IPv4 address of more than four parts.
    Ipv4TooManyParts "IPv4-too-many-parts" "the IPv4 address has more than 4 parts";
    /// A part of an IPv4 address that is no number.
    Ipv4NonNumericPart "IPv4-non-numeric-part" "a part of the IPv4 address is not a number";
    /// An octal or hexadecimal part.
    Ipv4NonDecimalPart "IPv4-non-decimal-part" "a part of the IPv4 address is not decimal";
    /// A part that is too large.
    Ipv4OutOfRangePart "IPv4-out-of-range-part" "a part of the IPv4 address exceeds 255";
    /// "[" without "]".
    Ipv6Unclosed "IPv6-unclosed" "the IPv6 address is missing the closing \"]\"";
    /// One ":" at the start.
    Ipv6InvalidCompression "IPv6-invalid-compression" "the IPv6 address begins with one \":\"";
    /// More than eight pieces.
    Ipv6TooManyPieces "IPv6-too-many-pieces" "the IPv6 address contains more than 8 pieces";
    /// "::" twice.
    Ipv6MultipleCompression "IPv6-multiple-compression" "the IPv6 address contains \"::\" twice";
    /// What is neither a hex digit nor ":".
    Ipv6InvalidCodePoint "IPv6-invalid-code-point" "this is not allowed in an IPv6 address";
    /// Fewer than eight pieces without "::".
    Ipv6TooFewPieces "IPv6-too-few-pieces" "the IPv6 address contains fewer than 8 pieces";
    /// A piece with a leading zero.
    Ipv6PieceLeadingZero "IPv6-piece-leading-zero" "a piece of the IPv6 address begins with 0";
    /// An IPv4 address after more than six pieces.
    Ipv4InIpv6TooManyPieces "IPv4-in-IPv6-too-many-pieces" "there are more than 6 pieces before the IPv4 address";
    /// An IPv4 address in an IPv6 address that is not four decimal numbers.
    Ipv4InIpv6InvalidCodePoint "IPv4-in-IPv6-invalid-code-point" "the IPv4 address in the IPv6 address is not valid";
    /// A part of more than 255.
    Ipv4InIpv6OutOfRangePart "IPv4-in-IPv6-out-of-range-part" "a part of the IPv4 address in the IPv6 address exceeds 255";
    /// Fewer than four parts.
    Ipv4InIpv6TooFewParts "IPv4-in-IPv6-too-few-parts" "the IPv4 address in the IPv6 address has fewer than 4 parts";
    /// A code point that is not a URL unit.
    InvalidUrlUnit "invalid-URL-unit" "this is not allowed here unless it is percent-encoded";
    /// A special scheme without "//".
    SpecialSchemeMissingFollowingSolidus "special-scheme-missing-following-solidus" "the scheme must be followed by \"//\"";
    /// No scheme, and no base URL that could give it.
    MissingSchemeNonRelativeUrl "missing-scheme-non-relative-URL" "the scheme is missing, and there is no base URL to resolve against";
    /// "\" in place of "/".
    InvalidReverseSolidus "invalid-reverse-solidus" "\"\\\" is read as \"/\"";
    /// A user or a password.
    InvalidCredentials "invalid-credentials" "a URL should not contain a user name or a password";
    /// A special scheme without a host.
    HostMissing "host-missing" "the host is missing";
    /// A port of more than 65535.
    PortOutOfRange "port-out-of-range" "the port is larger than 65535";
    /// A port that is no number.
    PortInvalid "port-invalid" "the port is not a number";
    /// A drive letter in a relative URL with a base of the scheme file.
    FileInvalidWindowsDriveLetter "file-invalid-Windows-drive-letter" "a drive letter replaces the path of the base URL";
    /// A drive letter in place of a host.
    FileInvalidWindowsDriveLetterHost "file-invalid-Windows-drive-letter-host" "a drive letter is read as the start of the path, not as the host";
}

impl Display for ValidationErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A difference between a text and a valid URL string. Parsing goes on after most of them.
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct ValidationError {
    pub(crate) kind: ValidationErrorKind,
    pub(crate) span: Range<usize>,
    pub(crate) is_failure: bool,
}

impl ValidationError {
    /// Returns its name in the standard.
    #[must_use]
    pub const fn kind(&self) -> ValidationErrorKind {
        self.kind
    }

    /// Returns the bytes of the given text that it is about; they are empty where something is
    /// missing.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns whether the text is not parsed because of it.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        self.is_failure
    }
}

impl Display for ValidationError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (message, start) = (self.kind.message(), self.span.start);
        write!(f, "{message}, at byte {start} ({}, URL Standard)", self.kind)
    }
}

impl fmt::Debug for ValidationError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl core::error::Error for ValidationError {}

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

impl ParseError {
    /// The text of the error, by the crate `url`.
    pub(crate) const fn message(self) -> &'static str {
        match self {
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
        }
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl core::error::Error for ParseError {}

impl ParseError {
    /// The reason of a failure, by the error of the standard.
    pub(crate) fn of(kind: Option<ValidationErrorKind>, has_base: bool) -> Self {
        match kind {
            Some(ValidationErrorKind::MissingSchemeNonRelativeUrl) if has_base => {
                Self::RelativeUrlWithCannotBeABaseBase
            }
            Some(ValidationErrorKind::MissingSchemeNonRelativeUrl) | None => Self::RelativeUrlWithoutBase,
            Some(ValidationErrorKind::HostMissing) => Self::EmptyHost,
            Some(ValidationErrorKind::PortInvalid | ValidationErrorKind::PortOutOfRange) => Self::InvalidPort,
            Some(ValidationErrorKind::HostInvalidCodePoint) => Self::InvalidDomainCharacter,
            Some(ValidationErrorKind::DomainToAscii) => Self::IdnaError,
            Some(
                ValidationErrorKind::Ipv4TooManyParts
                | ValidationErrorKind::Ipv4NonNumericPart
                | ValidationErrorKind::Ipv4OutOfRangePart,
            ) => Self::InvalidIpv4Address,
            Some(_) => Self::InvalidIpv6Address,
        }
    }
}
