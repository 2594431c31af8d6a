//! Macros for types that wrap a text: references, components, percent-encoded strings; for errors,
//! which `Debug` shows as a sentence; for enums whose values have names; and for iterators that wrap
//! another one.
//!
//! Each macro for texts takes types that have `as_str(&self)`, so that all of them are displayed and
//! compared alike.

/// Implements `AsRef`, `Display`, `Debug` and `==` with strings, all by the text.
macro_rules! text_traits {
    ($($type:ty),* $(,)?) => {$(
        $crate::as_text::shows_text!($type);
        $crate::as_text::equals_strings!($type);
    )*};
}

/// Implements `AsRef<str>`, `Display` and `==` with strings, for types whose text may contain a
/// password, which `Debug` hides.
macro_rules! text_traits_without_debug {
    ($($type:ty),* $(,)?) => {$(
        $crate::as_text::displays_text!($type);
        $crate::as_text::equals_strings!($type);
    )*};
}

/// Implements `AsRef<str>`, `Display` and `Debug` by the text.
macro_rules! shows_text {
    ($type:ty) => {
        $crate::as_text::displays_text!($type);

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Debug::fmt(self.as_str(), f)
            }
        }
    };
}

/// Implements `AsRef<str>`, `AsRef<[u8]>` and `Display` by the text.
macro_rules! displays_text {
    ($type:ty) => {
        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl AsRef<[u8]> for $type {
            fn as_ref(&self) -> &[u8] {
                self.as_str().as_bytes()
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

/// Implements `==` with `str`, `&str` and `String`, from both sides, through `PartialEq<str>`.
macro_rules! equals_strings {
    ($type:ty) => {
        impl PartialEq<str> for $type {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        $crate::as_text::equals_strings_as_str!($type);
    };
}

/// Implements `==` with `&str` and `String`, and from the other side, for a type that is comparable
/// with `str`.
macro_rules! equals_strings_as_str {
    ($type:ty) => {
        impl PartialEq<&str> for $type {
            fn eq(&self, other: &&str) -> bool {
                *self == **other
            }
        }

        impl PartialEq<alloc::string::String> for $type {
            fn eq(&self, other: &alloc::string::String) -> bool {
                *self == **other
            }
        }

        impl PartialEq<$type> for str {
            fn eq(&self, other: &$type) -> bool {
                *other == *self
            }
        }

        impl PartialEq<$type> for &str {
            fn eq(&self, other: &$type) -> bool {
                *other == **self
            }
        }

        impl PartialEq<$type> for alloc::string::String {
            fn eq(&self, other: &$type) -> bool {
                *other == **self
            }
        }
    };
}

/// Implements order with `str`, `&str` and `String`, for a type that is comparable with `str`.
macro_rules! orders_with_strings {
    ($($type:ty),* $(,)?) => {$(
        impl PartialOrd<str> for $type {
            fn partial_cmp(&self, other: &str) -> Option<core::cmp::Ordering> {
                self.as_str().partial_cmp(other)
            }
        }

        impl PartialOrd<&str> for $type {
            fn partial_cmp(&self, other: &&str) -> Option<core::cmp::Ordering> {
                self.as_str().partial_cmp(*other)
            }
        }

        impl PartialOrd<alloc::string::String> for $type {
            fn partial_cmp(&self, other: &alloc::string::String) -> Option<core::cmp::Ordering> {
                self.as_str().partial_cmp(other.as_str())
            }
        }
    )*};
}

/// Implements equality, order and hash by the text alone, which are those of `str`, and `Borrow<str>`, so
/// that a map with such keys accepts a `&str` for lookup.
macro_rules! compares_by_text {
    ($($type:ty),* $(,)?) => {$(
        impl core::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl Eq for $type {}

        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $type {
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                self.as_str().cmp(other.as_str())
            }
        }

        impl core::hash::Hash for $type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.as_str().hash(state);
            }
        }
    )*};
}

/// Implements `Debug` of an error by its `Display`, because an error that `main` returns and one that
/// `unwrap` meets are printed by `Debug`.
macro_rules! debug_as_display {
    ($type:ty) => {
        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// Implements `Error` for an error without a source, and its `Debug` by its `Display`.
macro_rules! error_as_sentence {
    ($type:ty) => {
        $crate::as_text::debug_as_display!($type);

        impl core::error::Error for $type {}
    };
}

/// Declares an enum with a name for each value, which `name` returns and `Display` writes. Names are
/// what JSON, options and configurations contain, so they never change. `name(own_display)` leaves
/// `Display` to the type.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    (@display $type:ident) => {
        /// Writes the name.
        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    (@display $type:ident own_display) => {};
    (
        $(#[$of:meta])*
        pub enum $type:ident {
            $($(#[$doc:meta])* $value:ident = $name:literal,)+
        }

        $(#[$returns:meta])*
        pub const fn name $(($display:ident))?;
    ) => {
        $(#[$of])*
        pub enum $type {
            $($(#[$doc])* $value,)+
        }

        impl $type {
            $(#[$returns])*
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        $crate::named!(@display $type $($display)?);
    };
}

/// Declares an iterator that can be stored in a struct. It has the items of the iterator in
/// parentheses, whose type can change.
#[cfg(feature = "schemes")]
macro_rules! iterator {
    (
        $(#[$of:meta])*
        pub struct $name:ident $(<$($lifetime:lifetime),+>)? ($inner:ty) -> $item:ty;
    ) => {
        $(#[$of])*
        #[derive(Clone, Debug)]
        pub struct $name $(<$($lifetime),+>)? ($inner);

        impl $(<$($lifetime),+>)? Iterator for $name $(<$($lifetime),+>)? {
            type Item = $item;

            fn next(&mut self) -> Option<Self::Item> {
                self.0.next()
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl $(<$($lifetime),+>)? core::iter::FusedIterator for $name $(<$($lifetime),+>)? {}
    };
}

#[cfg(feature = "schemes")]
pub(crate) use iterator;
pub(crate) use {
    compares_by_text, debug_as_display, displays_text, equals_strings, equals_strings_as_str,
    error_as_sentence, named, orders_with_strings, shows_text, text_traits, text_traits_without_debug,
};
