//! The parts of a URL that its scheme defines.
//!
//! A scheme says its parts once, in the table of [`Divide::parts`]: for each its name, the
//! delimiters around it, its component, the characters that are data in it, its shape, and the
//! default that a later part needs. By that table [`set_part`](crate::scheme::set_part) changes one part of a URL
//! (`locator edit -s name=…`), and the builders of the schemes write a whole one. Both put the
//! parts one after the other and let the scheme divide the result again ([`Divide::fields`]): a
//! value that is read as something else is refused.
//!
//! ```
//! # #[cfg(feature = "plan")] {
//! use locator::scheme::{FtpUrl, set_part};
//! use locator::uri;
//!
//! let url = uri!("ftp://h/pub/a.txt;type=i");
//! let parts = FtpUrl::try_from(url)?.parts().name("b.txt");
//! let mut edit = url.edit();
//! set_part(&mut edit, "name", None, "b.txt".into())?;
//! assert_eq!(parts.build()?, edit.finish()?);
//! # }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod edit;
mod login;
mod part;
mod write;

pub use super::field::{Field, FieldValue, Fields};
pub(crate) use builder::{builder, setters};
pub use edit::{Unfinished, edit};
pub use login::{LoginParts, Number};
#[cfg(feature = "plan")]
pub(super) use part::join;
pub use part::{Divide, Part, Shape};
pub(super) use part::{Parts, Piece};
pub(super) use write::check_steps;
#[cfg(feature = "plan")]
pub(super) use write::{Spelling, Writer};
