//! The parts of a URL that its scheme defines: how they are described, printed, set and built.

mod compose;
#[cfg(feature = "plan")]
mod division;
mod edit;
#[cfg(feature = "plan")]
mod error;
mod field;
mod part;
#[cfg(feature = "plan")]
mod set;

pub use compose::Number;
pub(crate) use compose::setters;
pub(super) use compose::{Frame, check_steps, checked, finish, raw, segment, written};
#[cfg(feature = "plan")]
pub use division::Key;
pub use edit::{Unfinished, edit};
#[cfg(feature = "plan")]
pub use error::PartError;
pub use field::{Field, FieldValue, Fields};
pub use part::{OwnPart, Shape};
#[cfg(feature = "plan")]
pub use set::{part_names, remove_part, set_part};
