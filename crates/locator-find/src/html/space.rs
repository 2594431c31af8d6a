//! The namespaces of elements in a page: HTML standard, 13.2.6.

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Html,
    Svg,
    MathMl,
}
