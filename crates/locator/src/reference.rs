//! References: a text, the positions of its components, and its edition.
//!
//! [`UriRef`] and [`Uri`] borrow their text and are `Copy`; [`UriRefBuf`] and [`UriBuf`] own it;
//! [`UriRefCow`] and [`UriCow`] either borrow or own it. All have the same methods. Equality, order
//! and hash are those of the text: nothing is normalised implicitly.

mod methods;
mod owned;
mod uri;
mod uri_ref;

pub use owned::{UriBuf, UriCow, UriRefBuf, UriRefCow};
pub use uri::Uri;
pub use uri_ref::{ReferenceKind, UriRef};

/// Generates methods of [`UriRef`] for [`UriRefBuf`],
/// [`UriBuf`], [`UriRefCow`] and [`UriCow`]. Takes a list of signatures
/// without `self`, each with its summary.
///
/// Only the methods of `UriRef` have bodies, so the types cannot differ. A list of types in
/// brackets before the methods replaces these four types. A test in `tests/api.rs` compares the
/// lists with `UriRef`.
macro_rules! delegate {
    ([$($type:ty),+] by $as_ref:ident: $($methods:tt)+) => {
        $crate::reference::delegate!(@each [$($type),+], $as_ref, { $($methods)+ });
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
    ($($methods:tt)+) => {
        $crate::reference::delegate! {
            [
                $crate::reference::UriRefBuf,
                $crate::reference::UriBuf,
                $crate::reference::UriRefCow<'_>,
                $crate::reference::UriCow<'_>
            ] by as_uri_ref: $($methods)+
        }
    };
}

pub(crate) use delegate;
