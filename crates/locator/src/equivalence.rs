//! What makes two URLs of one scheme equivalent: the questions that normalising and comparing ask a scheme, and the
//! answers of the known schemes to those two that normalising by syntax asks.
//!
//! Follows RFC 3986, 6.2.2 and 6.2.3. Whether "." and ".." are steps in a path (1.2.3) and which characters divide the
//! URLs of a scheme (2.2) matters to a normal form by syntax too, so [`SYNTAX`] has both for every scheme of
//! [`scheme::ALL`](crate::scheme::ALL). It is a table of constants: a program that normalises by syntax alone needs no
//! scheme's code, and the result is the same without the feature `schemes`.

use alloc::borrow::Cow;
use core::fmt::Debug;

use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// What is equivalent in the URLs of a scheme. Every method has a default: that of a scheme that says nothing.
///
/// ```
/// use locator::scheme::{Equivalences, lookup};
///
/// assert!(!lookup("urn").unwrap().is_hierarchical());
/// assert_eq!(lookup("file").unwrap().normal_host("localhost"), "");
/// ```
pub trait Equivalences: Sync + Debug {
    /// Whether its paths are hierarchies, in which "." and ".." are steps (RFC 3986, 1.2.3 and 3.3). Where only its
    /// server knows what a path means they are characters like others, and stay.
    fn is_hierarchical(&self) -> bool {
        true
    }

    /// Returns the characters that divide its URLs and that an edition calls unreserved: their escapes are data and
    /// stay. "A character is reserved if the semantics of the URL changes if the character is replaced with its escaped
    /// US-ASCII encoding" (draft of 1997, 2.2), and many schemes were defined after the editions that know the fewest
    /// such characters.
    fn reserved(&self) -> AsciiSet {
        AsciiSet::EMPTY
    }

    /// Whether this reference, which is one of its URLs and has no authority, identifies the same with an empty one; its
    /// normal form has the empty one.
    fn implies_authority(&self, reference: UriRef<'_>) -> bool {
        let _ = reference;
        false
    }

    /// Returns the host that its normal form has for this one, which is in lower case; there is no user and no port.
    fn normal_host<'a>(&self, host: &'a str) -> &'a str {
        host
    }

    /// Returns the path that the normal form of a reference has for this one, whose escapes and dots are in normal form
    /// already.
    ///
    /// It must be valid where this is, and must not begin with "//".
    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        let _ = reference;
        Cow::Borrowed(path)
    }

    /// Returns the query that the normal form of a reference has for this one, whose escapes are in normal form already.
    fn normal_query<'a>(&self, query: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        let _ = reference;
        Cow::Borrowed(query)
    }

    /// Whether the query or the fragment of this reference takes part when the reference is compared. If it does not it
    /// stays in the normal form: it may be of use although what is identified is the same.
    fn is_compared(&self, part: Component, reference: UriRef<'_>) -> bool {
        let _ = (part, reference);
        true
    }

    /// Whether two of its URLs are equivalent though their normal forms differ: one has in its query what the other has
    /// in its path. Both are in normal form; their fragments do not count.
    fn are_equivalent(&self, one: UriRef<'_>, other: UriRef<'_>) -> bool {
        let _ = (one, other);
        false
    }
}

/// What is known of schemes, by their names.
pub(crate) trait KnownSchemes: Sync + Debug {
    /// Returns what is equivalent in the URLs of a scheme, if it is known.
    fn equivalences(&self, name: &str) -> Option<&dyn Equivalences>;

    /// Returns the port that URLs of a scheme mean where they name none.
    fn default_port(&self, name: &str) -> Option<u16>;
}

/// By what a reference is brought into normal form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis<'s> {
    /// The schemes that are known.
    pub(crate) schemes: &'s dyn KnownSchemes,
    /// Whether their own rules apply, or those of the edition alone.
    pub(crate) by_scheme: bool,
}

impl Basis<'_> {
    /// The edition alone, and no scheme's code.
    pub(crate) const SYNTAX: Self = Self { schemes: &SyntaxTable, by_scheme: false };

    /// The same schemes, but the rules of the edition alone.
    pub(crate) const fn by_syntax(self) -> Self {
        Self { by_scheme: false, ..self }
    }
}

/// The schemes of [`SYNTAX`].
#[derive(Debug)]
struct SyntaxTable;

impl KnownSchemes for SyntaxTable {
    fn equivalences(&self, name: &str) -> Option<&dyn Equivalences> {
        let found = SYNTAX.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, syntax)| syntax as &dyn Equivalences)
    }

    fn default_port(&self, _: &str) -> Option<u16> {
        None
    }
}

/// What normalising by syntax has to know of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    is_hierarchical: bool,
    reserved: AsciiSet,
}

impl Syntax {
    const fn new(is_hierarchical: bool, reserved: &[u8]) -> Self {
        Self { is_hierarchical, reserved: AsciiSet::of(reserved) }
    }
}

impl Equivalences for Syntax {
    fn is_hierarchical(&self) -> bool {
        self.is_hierarchical
    }

    fn reserved(&self) -> AsciiSet {
        self.reserved
    }
}

/// The schemes whose paths are no hierarchies, or that reserve characters. Each says the same itself, and why; a test
/// compares the two.
pub(crate) static SYNTAX: &[(&str, Syntax)] = &[
    ("ftp", Syntax::new(true, b";")),
    ("ftps", Syntax::new(true, b";")),
    ("gopher", Syntax::new(false, b"")),
    ("mailto", Syntax::new(false, b",?&=@")),
    ("mid", Syntax::new(false, b"")),
    ("cid", Syntax::new(false, b"")),
    ("news", Syntax::new(false, b"")),
    ("snews", Syntax::new(false, b"")),
    ("nntp", Syntax::new(false, b"")),
    ("telnet", Syntax::new(false, b"")),
    ("rlogin", Syntax::new(false, b"")),
    ("tn3270", Syntax::new(false, b"")),
    ("wais", Syntax::new(false, b";=")),
    ("prospero", Syntax::new(false, b";=")),
    ("whois", Syntax::new(false, b"")),
    ("urn", Syntax::new(false, b":?+=")),
    ("data", Syntax::new(false, b";,=/")),
];
