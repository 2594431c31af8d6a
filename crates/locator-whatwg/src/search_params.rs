//! [`SearchParams`]: the class `URLSearchParams` of JavaScript (URL Standard, "URLSearchParams class").

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use crate::form_urlencoded::{self, Serializer};
use crate::url::Url;
use crate::url_ref::UrlRef;

/// The names and values of a query, decoded, in their order: `URLSearchParams` of JavaScript.
///
/// To write it, every pair is encoded again. To change a query and keep its other bytes, use
/// [`Url::edit_query`].
///
/// ```
/// use locator_whatwg::{SearchParams, Url};
///
/// let mut url = Url::parse("https://example.com/?b=2&a=1&a=x%20y")?;
/// let mut params = url.search_params();
/// assert_eq!(params.get("a"), Some("1"));
/// assert_eq!(params.get_all("a"), ["1", "x y"]);
///
/// params.set("a", "3").append("c", "&").sort();
/// url.set_search_params(&params);
/// assert_eq!(url.as_str(), "https://example.com/?a=3&b=2&c=%26");
///
/// let params = SearchParams::from_iter([("q", "été"), ("page", "2")]);
/// assert_eq!(params.to_string(), "q=%C3%A9t%C3%A9&page=2");
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct SearchParams {
    list: Vec<Param>,
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
struct Param {
    name: String,
    value: String,
}

impl SearchParams {
    /// Returns an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Parses a query; a "?" at its start is ignored.
    #[must_use]
    pub fn parse(query: &str) -> Self {
        // "If init is a string and starts with U+003F (?), then remove the first code point from init."
        let query = query.strip_prefix('?').unwrap_or(query);
        form_urlencoded::parse(query.as_bytes()).collect()
    }

    /// Returns the number of pairs: `size`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Appends a pair.
    pub fn append(&mut self, name: impl Into<String>, value: impl Into<String>) -> &mut Self {
        self.list.push(Param { name: name.into(), value: value.into() });
        self
    }

    /// Removes every pair with a name.
    pub fn delete(&mut self, name: &str) -> &mut Self {
        self.list.retain(|param| param.name != name);
        self
    }

    /// Removes every pair with a name and a value: `delete(name, value)`.
    pub fn delete_value(&mut self, name: &str, value: &str) -> &mut Self {
        self.list.retain(|param| param.name != name || param.value != value);
        self
    }

    /// Returns the value of the first pair with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|pair| pair.0 == name).map(|(_, value)| value)
    }

    /// Returns the values of all pairs with a name.
    #[must_use]
    pub fn get_all(&self, name: &str) -> Vec<&str> {
        self.iter().filter(|pair| pair.0 == name).map(|(_, value)| value).collect()
    }

    /// Returns whether there is a pair with a name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns whether there is a pair with a name and a value: `has(name, value)`.
    #[must_use]
    pub fn has_value(&self, name: &str, value: &str) -> bool {
        self.iter().any(|pair| pair == (name, value))
    }

    /// Sets the value of the first pair with a name and removes the others, or appends a pair.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) -> &mut Self {
        let (name, value) = (name.into(), value.into());
        // "If this's list contains any tuples whose name is name, then set the value of the first such
        // tuple to value and remove the others."
        let Some(first) = self.list.iter().position(|param| param.name == name) else {
            return self.append(name, value);
        };
        let mut at = 0;
        self.list.retain(|param| {
            at += 1;
            at <= first + 1 || param.name != name
        });
        self.list[first].value = value;
        self
    }

    /// Sorts the pairs by the UTF-16 code units of their names; pairs of one name keep their order.
    pub fn sort(&mut self) -> &mut Self {
        self.list.sort_by(|a, b| a.name.encode_utf16().cmp(b.name.encode_utf16()));
        self
    }

    /// Returns the pairs, in their order.
    #[must_use]
    pub fn iter(&self) -> SearchParamsIter<'_> {
        SearchParamsIter { params: self.list.iter() }
    }
}

/// The form that a query has: `application/x-www-form-urlencoded`.
impl Display for SearchParams {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&Serializer::new(String::new()).extend_pairs(self).finish())
    }
}

impl<K: Into<String>, V: Into<String>> Extend<(K, V)> for SearchParams {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        for (name, value) in pairs {
            self.append(name, value);
        }
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for SearchParams {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut params = Self::new();
        params.extend(pairs);
        params
    }
}

impl<'a> IntoIterator for &'a SearchParams {
    type Item = (&'a str, &'a str);
    type IntoIter = SearchParamsIter<'a>;

    fn into_iter(self) -> SearchParamsIter<'a> {
        self.iter()
    }
}

/// The pairs of [`SearchParams`], in their order.
#[derive(Clone, Debug)]
pub struct SearchParamsIter<'a> {
    params: core::slice::Iter<'a, Param>,
}

impl<'a> Iterator for SearchParamsIter<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        self.params.next().map(|param| (param.name.as_str(), param.value.as_str()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.params.size_hint()
    }
}

impl ExactSizeIterator for SearchParamsIter<'_> {}

impl UrlRef<'_> {
    /// Returns the names and values of the query, decoded: `searchParams`.
    #[must_use]
    pub fn search_params(self) -> SearchParams {
        self.query_pairs().collect()
    }
}

impl Url {
    /// Returns the names and values of the query, decoded: `searchParams`. To apply what is changed in
    /// them, call [`Url::set_search_params`].
    #[must_use]
    pub fn search_params(&self) -> SearchParams {
        self.as_url_ref().search_params()
    }

    /// Sets the query to names and values. Without any, the query is removed.
    pub fn set_search_params(&mut self, params: &SearchParams) {
        // "If serializedQuery is the empty string, then set serializedQuery to null."
        let query = params.to_string();
        self.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
    }
}
