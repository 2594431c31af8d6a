//! The bytes and characters that are not encoded: those that an edition allows in a component.

use crate::edition::{Edition, rfc3986};
use crate::simd::{AsciiSet, Class};
use crate::span::Component;

impl AsciiSet {
    /// `unreserved` of RFC 3986: ALPHA, DIGIT, "-", ".", "_" and "~", which are data everywhere. For
    /// another edition see [`Edition::unreserved`].
    #[doc(alias = "NON_ALPHANUMERIC")]
    pub const UNRESERVED: Self = rfc3986::UNRESERVED;

    /// Returns the set with one more byte.
    ///
    /// # Panics
    ///
    /// Panics if the byte is not ASCII; in a constant that is an error of the compiler.
    #[must_use]
    pub const fn add(self, byte: u8) -> Self {
        self.union(Self::of(&[byte]))
    }

    /// Returns the set without a byte.
    ///
    /// # Panics
    ///
    /// Panics if the byte is not ASCII; in a constant that is an error of the compiler.
    #[must_use]
    pub const fn remove(self, byte: u8) -> Self {
        self.difference(Self::of(&[byte]))
    }
}

impl Edition {
    /// Returns the ASCII characters that are allowed unescaped in a component.
    ///
    /// The set contains "%" if escapes are allowed. For characters beyond ASCII see
    /// [`allows`](Self::allows).
    #[must_use]
    pub const fn set(&self, part: Component) -> AsciiSet {
        self.table.set(Self::class(part))
    }

    /// Returns whether a character is allowed unescaped in the component; "%" is allowed if escapes
    /// are.
    ///
    /// ```
    /// use locator::{
    ///     Component,
    ///     edition::{RFC3986, RFC3987},
    /// };
    ///
    /// assert!(
    ///     RFC3987.allows(Component::Path, 'é')
    ///         && !RFC3986.allows(Component::Path, 'é')
    /// );
    /// assert!(
    ///     RFC3987.allows(Component::Query, '\u{E000}')
    ///         && !RFC3987.allows(Component::Path, '\u{E000}')
    /// );
    /// ```
    #[must_use]
    pub const fn allows(&self, part: Component, c: char) -> bool {
        self.contains(Self::class(part), c)
    }

    /// Returns whether the character is written unescaped in data of the component.
    pub(crate) const fn writes_in(&self, part: Component, c: char) -> bool {
        self.writes(Self::class(part), c)
    }

    const fn class(part: Component) -> Class {
        match part {
            Component::Reference | Component::Query => Class::QUERY,
            Component::Prefix | Component::Scheme => Class::SCHEME,
            Component::Authority | Component::Host => Class::REGISTRY,
            Component::Userinfo => Class::USERINFO,
            Component::Port => Class::DIGIT,
            Component::Path => Class::PATH,
            Component::Fragment => Class::FRAGMENT,
        }
    }

    /// Returns the characters that are data in every component and never delimiters.
    #[must_use]
    pub const fn unreserved(&self) -> AsciiSet {
        self.unreserved
    }
}
