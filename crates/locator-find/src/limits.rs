//! The memory limits of a search, which do not depend on the length of the document.

/// The maximum length of a tag, a style sheet in a page or the like. Longer ones are not searched.
pub(crate) const LONGEST: usize = 16 << 20;

/// The maximum length of a document that is searched as a whole.
pub(crate) const WHOLE: u64 = 48 << 20;
