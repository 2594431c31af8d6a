//! A scheme's own parts for who does not know the scheme: names and excerpts, which the typed view of
//! the scheme hands over.

use alloc::vec::Vec;

use crate::component::SpannedStr;

/// A part of a URL by its scheme's own division: `cwds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// What the scheme's document calls it, in lower case.
    pub name: &'static str,
    /// What stands there.
    pub value: FieldValue<'a>,
}

/// What stands in a part.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue<'a> {
    /// One thing.
    One(SpannedStr<'a>),
    /// Any number of them, in order.
    Many(Vec<SpannedStr<'a>>),
    /// Names and values, in order.
    Pairs(Vec<(SpannedStr<'a>, SpannedStr<'a>)>),
    /// A word that says which of its forms the URL has.
    Word(&'static str),
}

/// Fields while they are collected, for who writes a scheme.
///
/// ```
/// use locator::{Component, scheme::Fields, uri_ref};
///
/// let url = uri_ref!("x-mine:a");
/// let fields = Fields::default().word("kind", "simple").maybe("name", url.spanned(Component::Path)).end();
/// assert_eq!(fields.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fields<'a>(Vec<Field<'a>>);

impl<'a> Fields<'a> {
    /// One thing.
    #[must_use]
    pub fn one(self, name: &'static str, excerpt: SpannedStr<'a>) -> Self {
        self.with(name, FieldValue::One(excerpt))
    }

    /// One thing, if it is there.
    #[must_use]
    pub fn maybe(self, name: &'static str, excerpt: Option<SpannedStr<'a>>) -> Self {
        match excerpt {
            Some(excerpt) => self.one(name, excerpt),
            None => self,
        }
    }

    /// Any number of them.
    #[must_use]
    pub fn many(self, name: &'static str, excerpts: impl Iterator<Item = SpannedStr<'a>>) -> Self {
        self.with(name, FieldValue::Many(excerpts.collect()))
    }

    /// Names and values.
    #[must_use]
    pub fn pairs(
        self,
        name: &'static str,
        pairs: impl Iterator<Item = (SpannedStr<'a>, SpannedStr<'a>)>,
    ) -> Self {
        self.with(name, FieldValue::Pairs(pairs.collect()))
    }

    /// A word that says which form the URL has.
    #[must_use]
    pub fn word(self, name: &'static str, word: &'static str) -> Self {
        self.with(name, FieldValue::Word(word))
    }

    /// All of them.
    pub fn end(self) -> Vec<Field<'a>> {
        self.0
    }

    fn with(mut self, name: &'static str, value: FieldValue<'a>) -> Self {
        self.0.push(Field { name, value });
        self
    }
}
