//! Edits a query as pairs divided by "&". Takes names and values and returns the query; the order,
//! duplicates and octets of the other pairs do not change.

use super::pair::{Pair, Pairs, SpaceEncoding, octets};
use super::value::Position;
use super::{BuildError, Edit, Value};
use crate::simd::{AsciiSet, Class};
use crate::span::Component;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

impl Edit<'_> {
    /// Sets how a space is written in the pairs that follow, and whether "+" is a space in the
    /// pairs that are read.
    ///
    /// ```
    /// use locator::{SpaceEncoding, uri};
    ///
    /// let mut edit = uri!("http://h/?a=1+1").edit();
    /// edit.append_pair("b c", "d+e")?
    ///     .spaces(SpaceEncoding::Plus)
    ///     .append_pair("b c", "d+e")?;
    /// assert_eq!(edit.finish()?, "http://h/?a=1+1&b%20c=d%2Be&b+c=d%2Be");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn spaces(&mut self, space: SpaceEncoding) -> &mut Self {
        self.space = space;
        self
    }

    /// Returns the pairs of the current query; an absent or empty query has no pairs.
    ///
    /// ```
    /// let edit = locator::uri!("http://h/?a=1&b&a=%32").edit();
    /// let pairs: Vec<_> =
    ///     edit.pairs().map(|pair| (pair.name(), pair.value())).collect();
    /// assert_eq!(pairs[1].0, "b");
    /// assert_eq!(pairs[1].1, None);
    /// assert_eq!(*edit.pairs().nth(2).unwrap().value_bytes().unwrap(), *b"2");
    /// ```
    pub fn pairs(&self) -> Pairs<'_> {
        Pairs::new(self.query.as_deref(), self.space)
    }

    /// Appends a pair. In data, "&", "=", "+", "%", characters that the edition reserves in a query
    /// and characters that a query does not allow are escaped.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/?a=1").edit();
    /// assert_eq!(
    ///     edit.append_pair("a", "x&y=z")?.finish()?,
    ///     "http://h/?a=1&a=x%26y%3Dz"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for an encoded name or value that is not valid, or if the edition's queries
    /// do not allow "=".
    #[doc(alias("push_pair", "query_pairs_mut"))]
    pub fn append_pair<'n, 'v>(
        &mut self,
        name: impl Into<Value<'n>>,
        value: impl Into<Value<'v>>,
    ) -> Result<&mut Self, BuildError> {
        let pair = format!("{}={}", self.pair_name(&name.into())?, self.pair_value(&value.into())?);
        Ok(self.push_pair(&pair))
    }

    /// Appends a name without "=" and value.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/?a=1").edit();
    /// assert_eq!(edit.append_flag("debug")?.finish()?, "http://h/?a=1&debug");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as [`append_pair`](Self::append_pair) does.
    pub fn append_flag<'n>(&mut self, name: impl Into<Value<'n>>) -> Result<&mut Self, BuildError> {
        let name = self.pair_name(&name.into())?;
        Ok(self.push_pair(&name))
    }

    /// Sets the value of the first pair of a name and removes the others; appends a pair if there
    /// is no such name.
    ///
    /// Names are compared decoded. The name keeps its spelling.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/?%61=1&b=2&a=3").edit();
    /// assert_eq!(edit.set_pair("a", "4")?.finish()?, "http://h/?%61=4&b=2");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as [`append_pair`](Self::append_pair) does.
    pub fn set_pair<'n, 'v>(
        &mut self,
        name: impl Into<Value<'n>>,
        value: impl Into<Value<'v>>,
    ) -> Result<&mut Self, BuildError> {
        let (name, value) = (name.into(), value.into());
        if self.replace_pairs(name.clone(), Some(value.clone()))? == 0 {
            self.append_pair(name, value)?;
        }
        Ok(self)
    }

    /// Sets or removes the value of the first pair of a name, removes the other pairs of that name,
    /// and returns how many there were. Nothing changes if there is no such pair.
    ///
    /// ```
    /// use locator::Value;
    ///
    /// let mut edit = locator::uri!("http://h/?%61=1&b=2&a=3").edit();
    /// assert_eq!(edit.replace_pairs("a", Some(Value::from("x&y")))?, 2);
    /// assert_eq!(edit.replace_pairs("b", None)?, 1);
    /// assert_eq!(edit.replace_pairs("c", Some(Value::from("4")))?, 0);
    /// assert_eq!(edit.finish()?, "http://h/?%61=x%26y&b");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as [`append_pair`](Self::append_pair) does.
    pub fn replace_pairs<'n, 'v>(
        &mut self,
        name: impl Into<Value<'n>>,
        value: Option<Value<'v>>,
    ) -> Result<usize, BuildError> {
        self.rewrite_pairs(name.into(), value, |nth| if nth == 0 { Fate::Given } else { Fate::Removed })
    }

    /// Sets or removes the value of the `nth` pair of a name, counted from 0, and returns whether
    /// there is such a pair. The other pairs of that name do not change.
    ///
    /// ```
    /// use locator::Value;
    ///
    /// let mut edit = locator::uri!("http://h/?%61=1&b=2&a=3").edit();
    /// assert!(edit.replace_nth_pair("a", 1, Some(Value::from("x&y")))?);
    /// assert!(!edit.replace_nth_pair("b", 1, None)?);
    /// assert_eq!(edit.finish()?, "http://h/?%61=1&b=2&a=x%26y");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error as [`append_pair`](Self::append_pair) does.
    pub fn replace_nth_pair<'n, 'v>(
        &mut self,
        name: impl Into<Value<'n>>,
        nth: usize,
        value: Option<Value<'v>>,
    ) -> Result<bool, BuildError> {
        let fate = |this| if this == nth { Fate::Given } else { Fate::Stays };
        Ok(self.rewrite_pairs(name.into(), value, fate)? > nth)
    }

    /// Keeps, replaces or removes each pair of a name, by its index from 0, and returns how many
    /// there are.
    fn rewrite_pairs(
        &mut self,
        name: Value<'_>,
        value: Option<Value<'_>>,
        fate: impl Fn(usize) -> Fate,
    ) -> Result<usize, BuildError> {
        let written = self.pair_name(&name)?;
        let value = value.map(|value| self.pair_value(&value)).transpose()?;
        let wanted = octets(&written, self.space);
        let mut count = 0;
        let mut query = Vec::new();
        for pair in self.pairs() {
            if *pair.name_bytes() != *wanted {
                query.push(Cow::Borrowed(pair.as_str()));
                continue;
            }
            match (fate(count), &value) {
                (Fate::Stays, _) => query.push(Cow::Borrowed(pair.as_str())),
                (Fate::Given, Some(value)) => query.push(Cow::Owned(format!("{}={value}", pair.name()))),
                (Fate::Given, None) => query.push(Cow::Borrowed(pair.name().as_str())),
                (Fate::Removed, _) => {}
            }
            count += 1;
        }
        if count > 0 {
            let query = query.join("&");
            self.query = Some(Cow::Owned(query));
        }
        Ok(count)
    }

    /// Removes the pairs of a name and returns how many there were. A "*" at the end of the name
    /// matches all names that begin with it. An empty query is removed with its "?".
    ///
    /// ```
    /// let mut edit =
    ///     locator::uri!("http://h/?utm_source=x&a=1&utm%5Fmedium=y").edit();
    /// assert_eq!(edit.remove_pairs("utm_*"), 2);
    /// assert_eq!(edit.finish()?, "http://h/?a=1");
    /// assert_eq!(edit.remove_pairs("a"), 1);
    /// assert_eq!(edit.finish()?, "http://h/");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn remove_pairs(&mut self, pattern: &str) -> usize {
        let prefix = pattern.strip_suffix('*');
        // No pair has a name that the charset of the edition does not contain.
        let Ok(octets) = self.edition.charset().encode(prefix.unwrap_or(pattern)) else { return 0 };
        match prefix {
            Some(_) => self.retain_pairs(|pair| !pair.name_bytes().starts_with(&octets)),
            None => self.retain_pairs(|pair| *pair.name_bytes() != *octets),
        }
    }

    /// Removes the pairs for which the closure returns false, and returns how many were removed.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/?a=&b=2&c").edit();
    /// assert_eq!(
    ///     edit.retain_pairs(|pair| pair
    ///         .value()
    ///         .is_some_and(|value| !value.is_empty())),
    ///     2
    /// );
    /// assert_eq!(edit.finish()?, "http://h/?b=2");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn retain_pairs(&mut self, mut keep: impl FnMut(Pair<'_>) -> bool) -> usize {
        let count = self.pairs().count();
        let kept: Vec<_> = self.pairs().filter(|&pair| keep(pair)).map(Pair::as_str).collect();
        let removed = count - kept.len();
        if removed > 0 {
            self.query = if kept.is_empty() { None } else { Some(Cow::Owned(kept.join("&"))) };
        }
        removed
    }

    /// Sorts the pairs by the octets of their names; pairs with the same name keep their order.
    ///
    /// Empty pairs (two "&" in a row, or one at either end) keep their positions.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/?b=2&a=2&&%61=1&").edit();
    /// assert_eq!(edit.sort_pairs().finish()?, "http://h/?a=2&%61=1&&b=2&");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    pub fn sort_pairs(&mut self) -> &mut Self {
        let is_pair = |pair: &Pair<'_>| !pair.as_str().is_empty();
        let mut sorted: Vec<_> = self.pairs().filter(is_pair).collect();
        sorted.sort_by_cached_key(|pair| pair.name_bytes());
        if !sorted.is_empty() {
            let mut sorted = sorted.into_iter();
            let texts = self.pairs().map(|pair| if is_pair(&pair) { sorted.next() } else { None });
            let texts: Vec<_> = texts.map(|pair| pair.map_or("", Pair::as_str)).collect();
            self.query = Some(Cow::Owned(texts.join("&")));
        }
        self
    }

    /// Appends a pair after the others, or in place of an empty one at the end.
    fn push_pair(&mut self, pair: &str) -> &mut Self {
        let query = self.query.get_or_insert_default().to_mut();
        if !query.is_empty() && !query.ends_with('&') {
            query.push('&');
        }
        query.push_str(pair);
        self
    }

    fn pair_name(&self, name: &Value<'_>) -> Result<String, BuildError> {
        self.admit_in_pair(self.pair_place()?.divided_by(b"=").escaping(AsciiSet::of(b"+")), name)
    }

    fn pair_value(&self, value: &Value<'_>) -> Result<String, BuildError> {
        self.admit_in_pair(self.pair_place()?.escaping(AsciiSet::of(b"=+")), value)
    }

    fn admit_in_pair(&self, place: Position, value: &Value<'_>) -> Result<String, BuildError> {
        match self.space {
            SpaceEncoding::Percent20 => place.admit(value),
            SpaceEncoding::Plus => place.admit_with_plus(value),
        }
    }

    fn pair_place(&self) -> Result<Position, BuildError> {
        let edition = self.edition;
        let has = |octet| edition.table.contains(Class::QUERY, octet);
        if !has(b'=') || !has(b'&') || !edition.set(Component::Query).contains(b'%') {
            return Err(BuildError::NoPairs { edition });
        }
        Ok(self.place(Component::Query).divided_by(b"&").escaping(edition.reserved_in_query))
    }
}

/// The action for a pair.
enum Fate {
    Stays,
    Given,
    Removed,
}
