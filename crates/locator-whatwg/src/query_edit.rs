//! [`QueryEdit`]: changes of single pairs of a query, which keep the bytes of all others.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use crate::form_urlencoded;
use crate::url::Url;

/// The pairs of a query while they are changed: [`Url::edit_query`].
#[derive(Debug)]
pub struct QueryEdit<'q> {
    /// The texts between "&", some of which may be empty.
    pairs: Vec<Cow<'q, str>>,
    is_changed: bool,
}

/// The name of a pair, decoded.
fn name_of(pair: &str) -> Cow<'_, str> {
    form_urlencoded::parse(pair.as_bytes()).next().map(|(name, _)| name).unwrap_or_default()
}

/// Whether a pattern matches a name as a whole: "*" stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    // The last "*", and how much of the name it takes: what is after it is tried at each place once, because a
    // later "*" never needs an earlier one to take more.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, n) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&octet| octet == b'*')
}

impl QueryEdit<'_> {
    /// Removes every pair whose name matches a pattern: "*" stands for any characters.
    pub fn remove(&mut self, pattern: &str) -> &mut Self {
        self.retain(|name, _| !matches(pattern, name))
    }

    /// Keeps the pairs for whose decoded name and value a function returns true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&str, &str) -> bool) -> &mut Self {
        let before = self.pairs.len();
        self.pairs.retain(|pair| {
            let pair = form_urlencoded::parse(pair.as_bytes()).next();
            // What is between two "&" is no pair.
            pair.is_none_or(|(name, value)| keeps(&name, &value))
        });
        self.is_changed |= self.pairs.len() < before;
        self
    }

    /// Sets the value of the first pair with a name and removes the others, or appends a pair.
    pub fn set(&mut self, name: &str, value: &str) -> &mut Self {
        if !self.replace_first(name, value) {
            return self.append(name, value);
        }
        let mut is_first = true;
        self.retain(|other, _| other != name || core::mem::take(&mut is_first))
    }

    /// Sets the value of the first pair with a name, if there is one.
    pub fn replace(&mut self, name: &str, value: &str) -> &mut Self {
        self.replace_first(name, value);
        self
    }

    /// Appends a pair.
    pub fn append(&mut self, name: &str, value: &str) -> &mut Self {
        let encoded = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
        // An empty query has one pair, which is empty.
        if matches!(self.pairs.as_slice(), [pair] if pair.is_empty()) {
            self.pairs.clear();
        }
        self.pairs.push(Cow::Owned(encoded));
        self.is_changed = true;
        self
    }

    fn replace_first(&mut self, name: &str, value: &str) -> bool {
        let is_named = |pair: &&mut Cow<'_, str>| !pair.is_empty() && name_of(pair) == name;
        let Some(pair) = self.pairs.iter_mut().find(is_named) else { return false };
        // The bytes of the name stay.
        let kept = pair.split('=').next().unwrap_or_default().to_owned();
        let encoded: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
        *pair = Cow::Owned(kept + "=" + &encoded);
        self.is_changed = true;
        true
    }
}

impl Url {
    /// Changes single pairs of the query. All other bytes stay as they are; the "?" goes with the last pair.
    ///
    /// ```
    /// use locator_whatwg::Url;
    ///
    /// let mut url = Url::parse("https://shop.example/?q=a%20b&utm_source=x&utm_id=1&&sort=up&f[]=1#top")?;
    /// url.edit_query(|query| {
    ///     query.remove("utm_*").set("sort", "down").append("page", "2");
    /// });
    /// assert_eq!(url.as_str(), "https://shop.example/?q=a%20b&&sort=down&f[]=1&page=2#top");
    ///
    /// url.edit_query(|query| {
    ///     query.remove("*");
    /// });
    /// assert_eq!(url.as_str(), "https://shop.example/#top");
    /// # Ok::<_, locator_whatwg::ParseError>(())
    /// ```
    pub fn edit_query(&mut self, change: impl FnOnce(&mut QueryEdit<'_>)) -> &mut Self {
        let query = self.query().map(ToOwned::to_owned);
        let pairs = query.iter().flat_map(|query| query.split('&')).map(Cow::Borrowed).collect();
        let mut edit = QueryEdit { pairs, is_changed: false };
        change(&mut edit);
        if edit.is_changed {
            let has_pairs = edit.pairs.iter().any(|pair| !pair.is_empty());
            let query = edit.pairs.join("&");
            self.set_query(Some(query.as_str()).filter(|_| has_pairs));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, name, is_match) in [
            ("utm_*", "utm_source", true),
            ("utm_*", "utm", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("*id", "gclid", true),
            ("*id", "idx", false),
            ("a**", "a", true),
        ] {
            assert_eq!(matches(pattern, name), is_match, "{pattern} {name}");
        }
    }
}
