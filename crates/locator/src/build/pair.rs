//! A query enters, its pairs leave as they stand, with what their names and values stand for.
//!
//! No edition defines pairs; that "&" divides them, "=" ends a name and "+" may be a space is HTML's.

use alloc::borrow::Cow;

use crate::escape::Escaped;

/// How a space is written in a query, and whether "+" is one.
///
/// ```
/// use locator::{Builder, Space, edition::RFC3986};
///
/// let form = Builder::new(&RFC3986).spaces(Space::Plus).pair("to be", "1+1").build()?;
/// assert_eq!(form, "?to+be=1%2B1");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// As `%20`, and "+" is a plus.
    #[default]
    Escaped,
    /// As "+", the way a form is sent.
    Plus,
}

/// A pair of a query: a name, and a value if there is a "=".
///
/// ```
/// let edit = locator::uri!("http://h/?a%20b=c=d").edit();
/// let pair = edit.pairs().next().unwrap();
/// assert_eq!(pair.as_str(), "a%20b=c=d");
/// assert_eq!(*pair.name_octets(), *b"a b");
/// assert_eq!(pair.value().unwrap(), "c=d");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair<'a> {
    text: &'a str,
    space: Space,
}

impl<'a> Pair<'a> {
    /// The text as it stands.
    pub const fn as_str(self) -> &'a str {
        self.text
    }

    /// What stands before the first "=".
    pub fn name(self) -> Escaped<'a> {
        Escaped::checked(self.text.split_once('=').map_or(self.text, |(name, _)| name))
    }

    /// What stands after the first "="; `None` without one.
    pub fn value(self) -> Option<Escaped<'a>> {
        self.text.split_once('=').map(|(_, value)| Escaped::checked(value))
    }

    /// The octets that the name stands for, "+" being a space if it is one here.
    pub fn name_octets(self) -> Cow<'a, [u8]> {
        octets(self.name().as_str(), self.space)
    }

    /// The same for the value.
    pub fn value_octets(self) -> Option<Cow<'a, [u8]>> {
        self.value().map(|value| octets(value.as_str(), self.space))
    }
}

/// The pairs of a query; none where there is no query or an empty one.
pub(super) fn pairs(query: Option<&str>, space: Space) -> impl Iterator<Item = Pair<'_>> + Clone {
    let query = query.filter(|query| !query.is_empty());
    query.into_iter().flat_map(|query| query.split('&')).map(move |text| Pair { text, space })
}

/// What a name or a value stands for.
pub(super) fn octets(text: &str, space: Space) -> Cow<'_, [u8]> {
    if space == Space::Escaped || !text.contains('+') {
        return Escaped::checked(text).octets();
    }
    let spaced = text.replace('+', "%20");
    Cow::Owned(Escaped::checked(&spaced).octets().into_owned())
}
