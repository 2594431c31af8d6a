//! The equivalence of URLs of one scheme: the trait that normalization and comparison use, and the
//! data of the known schemes that syntax-based normalization needs.
//!
//! Follows RFC 3986, 6.2.2 and 6.2.3. Syntax-based normalization depends on two properties of a
//! scheme: whether "." and ".." are dot segments (1.2.3) and which characters are delimiters (2.2).
//! [`SYNTAX`] has both for every scheme of [`scheme::ALL`](crate::scheme::ALL). It is a constant
//! table, so syntax-based normalization needs no code of schemes, and the result is the same
//! without the feature `schemes`.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Debug, Formatter};

use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// The equivalences that a scheme defines.
///
/// Every method has a default, for schemes that define nothing.
///
/// ```
/// use locator::scheme::{Equivalences, lookup};
///
/// assert!(!lookup("urn").unwrap().is_hierarchical());
/// assert_eq!(lookup("file").unwrap().normal_host("localhost"), "");
/// ```
#[cfg_attr(not(feature = "schemes"), allow(unreachable_pub, reason = "public in `scheme`"))]
pub trait Equivalences: Sync {
    /// Returns whether the paths are hierarchical, so that "." and ".." are dot segments (RFC 3986,
    /// 1.2.3 and 3.3).
    ///
    /// If only the server knows the meaning of a path, dots are ordinary characters and are kept.
    fn is_hierarchical(&self) -> bool {
        true
    }

    /// Returns the delimiters of this scheme that an edition calls unreserved; escapes of them are
    /// data and are kept.
    ///
    /// "A character is reserved if the semantics of the URL changes if the character is replaced
    /// with its escaped US-ASCII encoding" (draft of 1997, 2.2). Many schemes were defined after
    /// the editions with the fewest reserved characters.
    fn reserved(&self) -> AsciiSet {
        AsciiSet::EMPTY
    }

    /// Returns those of [`reserved`](Self::reserved) that divide nothing in a URL of this edition, which
    /// defines the scheme without them.
    ///
    /// Their escapes stay in the normal form, which is the same in every edition, but the URLs are
    /// equivalent if the edition does not reserve the character either.
    fn undivided(&self, reference: UriRef<'_>) -> AsciiSet {
        let _ = reference;
        AsciiSet::EMPTY
    }

    /// Returns the characters that this scheme does not reserve, although the edition reserves them
    /// for schemes.
    ///
    /// They are those of the userinfo, the path or the query of a URL. Their escapes are equivalent
    /// on the level of schemes, where the edition leaves this to each scheme: RFC 1738, 2.2. "?" in
    /// the path means that the URL has no query, and that the "?" belongs to the path.
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        let _ = (part, reference);
        AsciiSet::EMPTY
    }

    /// Returns whether a URL of this scheme without an authority is equivalent to one with an empty
    /// authority. Its normal form has the empty one.
    fn implies_authority(&self, reference: UriRef<'_>) -> bool {
        let _ = reference;
        false
    }

    /// Returns the normal form of a host, which is in lower case and has no user and no port.
    fn normal_host<'a>(&self, host: &'a str) -> &'a str {
        host
    }

    /// Returns the normal form of the path of a reference; its escapes and dot segments are already
    /// normalized.
    ///
    /// The result must be valid where the path is valid, and must not begin with "//".
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        let _ = reference;
        Cow::Borrowed(path)
    }

    /// Returns the normal form of the query of a reference; its escapes are already normalized.
    fn normal_query<'a>(&self, query: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        let _ = reference;
        Cow::Borrowed(query)
    }

    /// Returns whether the query or fragment of this reference is compared.
    ///
    /// If not, it stays in the normal form, because it may be useful although it does not identify
    /// the resource.
    fn is_compared(&self, part: Component, reference: UriRef<'_>) -> bool {
        let _ = (part, reference);
        true
    }

    /// Returns the text that a URL is compared by, if URLs with different normal forms are
    /// equivalent.
    ///
    /// One may have in its query what the other has in its path. The reference is in normal form;
    /// the text has no fragment. `None` if that is the normal form.
    fn compared_form(&self, reference: UriRef<'_>) -> Option<String> {
        let _ = reference;
        None
    }
}

/// A lookup of schemes by name.
pub(crate) trait KnownSchemes: Sync {
    /// Returns the equivalences of a scheme, if the scheme is known.
    fn equivalences(&self, name: &str) -> Option<&dyn Equivalences>;

    /// Returns the default port of a scheme, if it has one.
    fn default_port(&self, name: &str) -> Option<u16>;

    /// Returns the text with each "?" escaped, where a scheme does not reserve it.
    fn escape_question_marks(&self, text: &str) -> String {
        text.replace('?', "%3F")
    }
}

/// The rules by which a reference is normalized.
#[derive(Clone, Copy)]
pub(crate) struct Basis<'s> {
    /// The known schemes.
    pub(crate) schemes: &'s dyn KnownSchemes,
    /// Whether the rules of schemes apply besides those of the edition.
    pub(crate) by_scheme: bool,
}

impl Debug for Basis<'_> {
    // The schemes are left out: their list has no `Debug`, so that normalizing does not link one.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Basis").field("by_scheme", &self.by_scheme).finish_non_exhaustive()
    }
}

impl Basis<'_> {
    /// The rules of the edition alone, without the code of schemes.
    pub(crate) const SYNTAX: Self = Self { schemes: &SyntaxTable, by_scheme: false };

    /// Returns the rules of the edition alone, for the same schemes.
    pub(crate) const fn by_syntax(self) -> Self {
        Self { by_scheme: false, ..self }
    }
}

/// The schemes of [`SYNTAX`].
struct SyntaxTable;

impl KnownSchemes for SyntaxTable {
    fn equivalences(&self, name: &str) -> Option<&dyn Equivalences> {
        let found = SYNTAX.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, syntax)| syntax as &dyn Equivalences)
    }

    fn default_port(&self, _: &str) -> Option<u16> {
        None
    }

    /// Only a scheme allows more than the edition, so nothing is escaped; `str::replace` is long.
    fn escape_question_marks(&self, text: &str) -> String {
        text.into()
    }
}

/// The properties of a scheme that syntax-based normalization needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchemeSyntax {
    is_hierarchical: bool,
    reserved: AsciiSet,
}

impl SchemeSyntax {
    const fn new(is_hierarchical: bool, reserved: &[u8]) -> Self {
        Self { is_hierarchical, reserved: AsciiSet::of(reserved) }
    }
}

impl Equivalences for SchemeSyntax {
    fn is_hierarchical(&self) -> bool {
        self.is_hierarchical
    }

    fn reserved(&self) -> AsciiSet {
        self.reserved
    }
}

/// The schemes whose paths are not hierarchical, or that reserve characters. Each scheme repeats
/// its entry with the reason; a test compares the two.
pub(crate) static SYNTAX: &[(&str, SchemeSyntax)] = &[
    ("ftp", SchemeSyntax::new(true, b";")),
    ("ftps", SchemeSyntax::new(true, b";")),
    ("gopher", SchemeSyntax::new(false, b"")),
    ("mailto", SchemeSyntax::new(false, b",?&=@")),
    ("mid", SchemeSyntax::new(false, b"")),
    ("cid", SchemeSyntax::new(false, b"")),
    ("news", SchemeSyntax::new(false, b"")),
    ("snews", SchemeSyntax::new(false, b"")),
    ("nntp", SchemeSyntax::new(false, b"")),
    ("telnet", SchemeSyntax::new(false, b"")),
    ("rlogin", SchemeSyntax::new(false, b"")),
    ("tn3270", SchemeSyntax::new(false, b"")),
    ("wais", SchemeSyntax::new(false, b";=")),
    ("prospero", SchemeSyntax::new(false, b";=")),
    ("whois", SchemeSyntax::new(false, b"")),
    ("z39.50s", SchemeSyntax::new(false, b"+;=")),
    ("z39.50r", SchemeSyntax::new(false, b"+;=")),
    ("urn", SchemeSyntax::new(false, b":?+=")),
    ("data", SchemeSyntax::new(false, b";,=/")),
];

/// What a browser makes of the slashes that follow a scheme and ":".
#[cfg(feature = "idna")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slashes {
    /// As written; "\\" is a character like others.
    Counted,
    /// A host follows them, whatever their number, and "\\" is one.
    BeforeHost,
    /// The same for a file, whose host may be missing.
    BeforeFile,
}

#[cfg(feature = "idna")]
impl Slashes {
    /// Returns what follows a scheme: "A special scheme is an ASCII string that is listed in the first
    /// column of the following table" (URL standard, 4.2).
    pub(crate) fn after(scheme: &str) -> Self {
        let is_one_of = |names: &[&str]| names.iter().any(|name| scheme.eq_ignore_ascii_case(name));
        match scheme {
            _ if is_one_of(&["http", "https", "ws", "wss", "ftp"]) => Self::BeforeHost,
            _ if is_one_of(&["file"]) => Self::BeforeFile,
            _ => Self::Counted,
        }
    }
}
