//! The fields of a URL, for programs that do not know its scheme: names and values from the typed
//! view of the scheme.

use alloc::string::String;
use alloc::vec::Vec;
use core::iter::{Filter, FilterMap};
use core::ops::Range;

use crate::as_text::iterator;
use crate::component::{SpannedSplit, SpannedStr};

/// A named field of a URL, as its scheme divides it: `cwds`.
///
/// ```
/// use locator::{scheme, uri};
///
/// let fields = scheme::fields(uri!("ftp://h/a/b;type=i")).unwrap().unwrap();
/// let names: Vec<_> = fields.iter().map(|field| field.name).collect();
/// assert!(names.contains(&"host") && names.contains(&"cwds"), "{names:?}");
/// let code = fields.iter().find(|field| field.name == "type").unwrap();
/// assert_eq!(code.meaning, Some("a binary file"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name of the field in the scheme's document, in lower case.
    pub name: &'static str,
    /// The value of the field.
    pub value: FieldValue<'a>,
    /// The meaning of the value, where the scheme's document defines one: "a menu".
    pub meaning: Option<&'static str>,
}

/// The value of a field of a URL, as its scheme divides it.
///
/// ```
/// use locator::scheme::{self, FieldValue};
/// use locator::uri;
///
/// let fields = scheme::fields(uri!("ftp://h/a/b/c")).unwrap().unwrap();
/// let directories =
///     &fields.iter().find(|field| field.name == "cwds").unwrap().value;
/// assert!(matches!(directories, FieldValue::Many(names) if names.len() == 2));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue<'a> {
    /// A single value.
    One(SpannedStr<'a>),
    /// A list of values, in order.
    Many(Vec<SpannedStr<'a>>),
    /// Names and values, in order.
    Pairs(Vec<(SpannedStr<'a>, SpannedStr<'a>)>),
    /// A word for the form of the URL.
    Word(&'static str),
}

impl FieldValue<'_> {
    /// Returns the position of the value in the reference, from its first value to its last.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        let (first, last) = match self {
            Self::One(one) => (one, one),
            Self::Many(many) => (many.first()?, many.last()?),
            Self::Pairs(pairs) => (&pairs.first()?.0, &pairs.last()?.1),
            Self::Word(_) => return None,
        };
        Some(first.span().start..last.span().end)
    }

    /// Returns whether these are the last values of a list, or the last names and values of pairs.
    pub(in crate::scheme) fn ends_with(&self, values: &[String]) -> bool {
        let found: Vec<&str> = match self {
            Self::One(_) | Self::Word(_) => return true,
            Self::Many(many) => many.iter().map(|one| one.as_str()).collect(),
            Self::Pairs(pairs) => {
                pairs.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]).collect()
            }
        };
        found.len() >= values.len() && found[found.len() - values.len()..].iter().eq(values)
    }
}

/// A collector of the fields of a URL, for the implementation of a scheme.
///
/// ```
/// use locator::{Component, scheme::Fields, uri_ref};
///
/// let url = uri_ref!("x-mine:a");
/// let fields = Fields::default()
///     .word("kind", "simple")
///     .maybe("name", url.spanned(Component::Path))
///     .end();
/// assert_eq!(fields.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fields<'a>(Vec<Field<'a>>);

impl<'a> Fields<'a> {
    /// Appends a field with one value.
    #[must_use]
    pub fn one(self, name: &'static str, excerpt: SpannedStr<'a>) -> Self {
        self.with(name, FieldValue::One(excerpt))
    }

    /// Appends a field with one value, or nothing for `None`.
    #[must_use]
    pub fn maybe(self, name: &'static str, excerpt: Option<SpannedStr<'a>>) -> Self {
        match excerpt {
            Some(excerpt) => self.one(name, excerpt),
            None => self,
        }
    }

    /// Sets the meaning of the value of the last field.
    #[must_use]
    pub fn meaning(mut self, meaning: Option<&'static str>) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.meaning = meaning;
        }
        self
    }

    /// Appends a field with a list of values.
    #[must_use]
    pub fn many(self, name: &'static str, excerpts: impl Iterator<Item = SpannedStr<'a>>) -> Self {
        self.with(name, FieldValue::Many(excerpts.collect()))
    }

    /// Appends a field with names and values.
    #[must_use]
    pub fn pairs(
        self,
        name: &'static str,
        pairs: impl Iterator<Item = (SpannedStr<'a>, SpannedStr<'a>)>,
    ) -> Self {
        self.with(name, FieldValue::Pairs(pairs.collect()))
    }

    /// Appends a field with a word for the form of the URL.
    #[must_use]
    pub fn word(self, name: &'static str, word: &'static str) -> Self {
        self.with(name, FieldValue::Word(word))
    }

    /// Returns all collected fields.
    #[must_use]
    pub fn end(self) -> Vec<Field<'a>> {
        self.0
    }

    fn with(mut self, name: &'static str, value: FieldValue<'a>) -> Self {
        self.0.push(Field { name, value, meaning: None });
        self
    }
}

iterator! {
    /// The values of a list in a URL, without empty ones: addresses of a mailto URL, attributes of Gopher+.
    ///
    /// ```
    /// use locator::scheme::{MailtoUrl, Values};
    /// use locator::uri;
    ///
    /// /// Recipients that have not been written to.
    /// struct Queue<'a>(Values<'a>);
    ///
    /// let mut queue = Queue(MailtoUrl::try_from(uri!("mailto:a@h,b@h"))?.addresses());
    /// assert_eq!(queue.0.next().unwrap(), "a@h");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub struct Values<'a>(Filter<SpannedSplit<'a, 'static>, fn(&SpannedStr<'a>) -> bool>) -> SpannedStr<'a>;
}

impl<'a> Values<'a> {
    pub(super) fn of(list: Option<SpannedStr<'a>>, between: &'static str) -> Self {
        Self(SpannedSplit::of(list, between).filter(|value| !value.is_empty()))
    }
}

iterator! {
    /// The names and values of a list in a URL, with "=" between them: header fields of a mailto URL, fields
    /// of a prospero URL. Both are percent-encoded.
    ///
    /// ```
    /// use locator::scheme::MailtoUrl;
    /// use locator::uri;
    ///
    /// let url = MailtoUrl::try_from(uri!("mailto:a@h?cc=b@h&subject=x%20y"))?;
    /// let (_, subject) = url.headers().find(|(name, _)| name == "subject").unwrap();
    /// assert_eq!(subject.decode_utf8()?, "x y");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub struct NamedValues<'a>(
        FilterMap<SpannedSplit<'a, 'static>, fn(SpannedStr<'a>) -> Option<(SpannedStr<'a>, SpannedStr<'a>)>>
    ) -> (SpannedStr<'a>, SpannedStr<'a>);
}

impl<'a> NamedValues<'a> {
    pub(super) fn of(list: Option<SpannedStr<'a>>, between: &'static str) -> Self {
        Self(SpannedSplit::of(list, between).filter_map(|value| value.split_once("=")))
    }
}
