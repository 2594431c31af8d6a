//! The parts of a URL that its scheme defines.
//!
//! A scheme says its parts once, in the table of [`Divide::parts`]: for each its name, the
//! delimiters around it, its component, the characters that are data in it, its shape, and the
//! default that a later part needs. By that table [`set_part`] changes one part of a URL
//! (`locator edit -s name=…`), and the builders of the schemes write a whole one. Both put the
//! parts one after the other and let the scheme divide the result again ([`Divide::fields`]): a
//! value that is read as something else is refused.

mod builder;
mod edit;
mod field;
mod part;
#[cfg(feature = "plan")]
mod set;
mod write;

pub use builder::{LoginParts, Number};
pub(crate) use builder::{builder, setters};
pub use edit::{Unfinished, edit};
pub use field::{Field, FieldValue, Fields};
pub use part::{Divide, Part, Shape};
pub(super) use part::{Parts, Piece};
#[cfg(feature = "plan")]
pub use set::{Key, PartError, part_names, remove_part, set_part};
pub(super) use write::check_steps;
