//! References: a text, the positions of its components, and its edition.
//!
//! [`UriRef`] and [`Uri`] borrow their text and are `Copy`; [`UriRefBuf`] and [`UriBuf`] own it;
//! [`UriRefCow`] and [`UriCow`] either borrow or own it. All have the same methods. Equality, order
//! and hash are those of the text: nothing is normalised implicitly.

mod cow;
mod delegate;
mod kind;
mod literal;
mod methods;
mod owned;
mod text;
mod uri;
mod uri_ref;

pub use cow::{UriCow, UriRefCow};
pub(crate) use delegate::delegate;
pub use kind::ReferenceKind;
pub use owned::{UriBuf, UriRefBuf};
pub use uri::Uri;
pub use uri_ref::UriRef;
