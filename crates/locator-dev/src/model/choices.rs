//! The choices that the documents leave to the implementation.

/// The treatment of an excess ".." at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// It is kept.
    Keep,
    /// It is removed.
    Remove,
    /// The reference is refused.
    Refuse,
}

/// The choices that the documents leave to the implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The treatment of an excess "..".
    pub leftover: Leftover,
    /// Whether a reference with the base's scheme is treated as relative.
    pub ignores_same_scheme: bool,
    /// Whether an empty reference is the base rather than the current document.
    pub empty_is_base: bool,
}
