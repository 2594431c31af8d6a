//! How much of a document is held in memory, whatever its length.

/// The longest tag, style sheet in a page or the like that is read. What is longer is passed over.
pub(crate) const LONGEST: usize = 16 << 20;

/// How much of a document is read where it is searched as a whole.
pub(crate) const WHOLE: u64 = 48 << 20;
