//! The languages whose elements a page may have: HTML standard, 13.2.6.

/// The language of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Html,
    Svg,
    MathMl,
}
