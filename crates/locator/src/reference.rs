//! References: a text, the positions of its components, and its edition (RFC 3986, 3 and 4).
//!
//! [`UriRef`] and [`Uri`] borrow their text and are `Copy`; [`UriRefBuf`] and [`UriBuf`] own it;
//! [`UriRefCow`] and [`UriCow`] either borrow or own it. [`Iri`] and [`IriBuf`] are URIs of RFC 3987. All
//! have the same methods. Equality, order and hash are those of the text: nothing is normalised
//! implicitly.
//!
//! ```
//! use locator::{UriBuf, UriRef};
//!
//! // The links of a page, kept after its text is gone.
//! let page = String::from("/a http://example.com/b");
//! let links = page.split(' ').map(UriRef::parse).collect::<Result<Vec<_>, _>>()?;
//! let absolute: Vec<UriBuf> = links.iter().filter_map(|link| link.as_uri()).map(UriBuf::from).collect();
//! drop(page);
//! assert_eq!(absolute, ["http://example.com/b"]);
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! A method has its body in [`UriRef`] (`uri_ref`, or the module of its task, such as `normalize`), and the
//! macro `delegate!` gives it to the other types. `conversions` has what converts one type into
//! another.

mod conversions;
mod iri;
mod methods;
mod owned;
mod uri;
mod uri_ref;

pub use iri::{Iri, IriBuf};
pub use owned::{UriBuf, UriCow, UriRefBuf, UriRefCow};
pub use uri::Uri;
pub use uri_ref::{ReferenceKind, UriRef};

/// Generates the methods of [`UriRef`] for the other types: for [`Uri`] and [`Iri`], which are `Copy`, by
/// value with results of the lifetime `'a`, and for those that own their text by reference.
///
/// Takes a heading of the documentation, and signatures without `self`. The type that a method returns is
/// in parentheses; its lifetime is `'_`. `[const]` marks a method that is `const` for [`Uri`]. The summary
/// is for all types, and the text in braces for [`Uri`] and [`Iri`]: an example of a task.
///
/// Only the methods of `UriRef` have bodies, so the types cannot differ. A test in `tests/it/api.rs`
/// compares the lists with `UriRef`. Methods that some types have otherwise are in lists that begin with
/// the types in brackets.
macro_rules! delegate {
    ($heading:literal: $($methods:tt)+) => {
        $crate::reference::delegate!(@copied Uri, $heading, { $($methods)+ });
        $crate::reference::delegate!(@copied Iri, $heading, { $($methods)+ });
        $crate::reference::delegate!(@owned $crate::reference::UriRefBuf, $heading, { $($methods)+ });
        $crate::reference::delegate!(@owned $crate::reference::UriBuf, $heading, { $($methods)+ });
        $crate::reference::delegate!(@owned $crate::reference::IriBuf, $heading, { $($methods)+ });
        $crate::reference::delegate!(@owned $crate::reference::UriRefCow<'_>, $heading, { $($methods)+ });
        $crate::reference::delegate!(@owned $crate::reference::UriCow<'_>, $heading, { $($methods)+ });
    };
    ([$($type:ty),+] by $as_ref:ident: $($methods:tt)+) => {
        $crate::reference::delegate!(@each [$($type),+], $as_ref, { $($methods)+ });
    };
    (@copied $type:ident, $heading:literal, {$(
        $(#[$attribute:meta])*
        $([$constant:tt])? fn $name:ident $(<$lifetime:lifetime>)? ($($argument:ident: $of:ty),*)
            -> ($($returns:tt)+) { $(#![$example:meta])* }
    )+}) => {
        #[doc = concat!("# ", $heading)]
        impl<'a> $crate::reference::$type<'a> {$(
            $crate::reference::delegate!(
                @method
                (
                    $(#[$attribute])*
                    #[doc = ""]
                    $(#[$example])*
                    #[inline]
                    pub $($constant)? fn $name $(<$lifetime>)? (self, $($argument: $of),*)
                )
                { self.as_uri_ref().$name($($argument),*) }
                [] $($returns)+
            );
        )+}
    };
    // The result is borrowed from the text, not from the value that is copied.
    (@method ($($head:tt)+) $body:tt [$($done:tt)*] '_ $($rest:tt)*) => {
        $crate::reference::delegate!(@method ($($head)+) $body [$($done)* 'a] $($rest)*);
    };
    (@method ($($head:tt)+) $body:tt [$($done:tt)*] $next:tt $($rest:tt)*) => {
        $crate::reference::delegate!(@method ($($head)+) $body [$($done)* $next] $($rest)*);
    };
    (@method ($($head:tt)+) $body:tt [$($returns:tt)+]) => {
        $($head)+ -> $($returns)+ $body
    };
    (@owned $type:ty, $heading:literal, {$(
        $(#[$attribute:meta])*
        $([$constant:tt])? fn $name:ident $(<$lifetime:lifetime>)? ($($argument:ident: $of:ty),*)
            -> ($($returns:tt)+) { $(#![$example:meta])* }
    )+}) => {
        #[doc = concat!("# ", $heading)]
        impl $type {$(
            $(#[$attribute])*
            #[doc = ""]
            #[doc = $crate::reference::delegate!(@see as_uri_ref, $name)]
            #[inline]
            pub fn $name $(<$lifetime>)? (&self, $($argument: $of),*) -> $($returns)+ {
                self.as_uri_ref().$name($($argument),*)
            }
        )+}
    };
    (@each [$($type:ty),+], $as_ref:ident, $methods:tt) => {
        $($crate::reference::delegate!(@impl $type, $as_ref, $methods);)+
    };
    (@impl $type:ty, $as_ref:ident, {$(
        $(#[$attribute:meta])*
        fn $name:ident $(<$lifetime:lifetime>)? ($($argument:ident: $of:ty),*) -> $returns:ty;
    )+}) => {
        impl $type {$(
            $(#[$attribute])*
            #[doc = ""]
            #[doc = $crate::reference::delegate!(@see $as_ref, $name)]
            #[inline]
            pub fn $name $(<$lifetime>)? (&self, $($argument: $of),*) -> $returns {
                self.$as_ref().$name($($argument),*)
            }
        )+}
    };
    (@see as_uri, $name:ident) => {
        concat!("See [`Uri::", stringify!($name), "`](crate::reference::Uri::", stringify!($name), ").")
    };
    (@see as_uri_ref, $name:ident) => {
        concat!("See [`UriRef::", stringify!($name), "`](crate::reference::UriRef::", stringify!($name), ").")
    };
}

pub(crate) use delegate;
