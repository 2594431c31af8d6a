//! The path's segments, as they are edited: each enters as a value, a path leaves that is absolute
//! if it was, and whose other segments stay as they were. RFC 3986, section 3.3.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::{BuildError, Edit, Value};
use crate::component::{Path, Segment};
use crate::span::Component;

impl Edit<'_> {
    /// The segments of the path as it is now.
    ///
    /// ```
    /// let edit = locator::uri!("http://h/a/b/").edit();
    /// assert_eq!(edit.segments().map(|segment| segment.as_str()).collect::<Vec<_>>(), ["a", "b", ""]);
    /// ```
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = Segment<'_>> + Clone {
        Path { text: &self.path, edition: self.edition }.segments()
    }

    /// Appends a segment; "/", "?", "#", "%" and all else that would divide it are escaped in data.
    ///
    /// No segment is lost: the new one stands behind the last, or in its place where the path ends in
    /// "/" and the last is empty. So an empty one makes the path end in "/".
    ///
    /// ```
    /// let append = |base: &'static str, segment| {
    ///     let mut edit = locator::UriRef::parse(base).unwrap().edit();
    ///     edit.append_segment(segment).unwrap().finish().unwrap().into_string()
    /// };
    /// assert_eq!(append("http://h/a", "b"), "http://h/a/b");
    /// assert_eq!(append("http://h/a/", "b"), "http://h/a/b");
    /// assert_eq!(append("http://h", "b"), "http://h/b");
    /// assert_eq!(append("http://h/a?q", "50%/50?#"), "http://h/a/50%25%2F50%3F%23?q");
    /// assert_eq!(append("http://h/a", ""), "http://h/a/");
    /// assert_eq!(append("", "a:b"), "./a:b");
    /// ```
    ///
    /// # Errors
    ///
    /// A value that is "." or ".." and data, or raw and no segment.
    pub fn append_segment<'v>(&mut self, segment: impl Into<Value<'v>>) -> Result<&mut Self, BuildError> {
        let segment = self.segment(segment.into())?;
        let begins = self.path.is_empty() && self.login.is_none();
        let path = self.path.to_mut();
        if !begins && !path.ends_with('/') {
            path.push('/');
        }
        path.push_str(&segment);
        Ok(self)
    }

    /// Appends segments one after the other: all of them or, if one is refused, none.
    ///
    /// A path that is divided at its "/" beforehand is appended so, whether the reference ends in "/" or not:
    ///
    /// ```
    /// for api in ["http://h/api", "http://h/api/"] {
    ///     let mut edit = locator::UriRef::parse(api).unwrap().edit();
    ///     assert_eq!(edit.append_segments("users/a b".split('/'))?.finish()?, "http://h/api/users/a%20b");
    /// }
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What [`append_segment`](Self::append_segment) says of one of them.
    pub fn append_segments<'v, V: Into<Value<'v>>>(
        &mut self,
        segments: impl IntoIterator<Item = V>,
    ) -> Result<&mut Self, BuildError> {
        let before = self.path.clone();
        for segment in segments {
            if let Err(error) = self.append_segment(segment) {
                self.path = before;
                return Err(error);
            }
        }
        Ok(self)
    }

    /// Replaces segment `index`, counted from 0.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/a/%62/c").edit();
    /// assert_eq!(edit.replace_segment(2, "d/e")?.finish()?, "http://h/a/%62/d%2Fe");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no such segment, or what [`append_segment`](Self::append_segment) says.
    pub fn replace_segment<'v>(
        &mut self,
        index: usize,
        segment: impl Into<Value<'v>>,
    ) -> Result<&mut Self, BuildError> {
        let segment = self.segment(segment.into())?;
        self.splice_segments(index, 1, Some(&segment))
    }

    /// Puts a segment before segment `index`, or behind the last if that is how many there are.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/a/c").edit();
    /// assert_eq!(edit.insert_segment(1, "b")?.insert_segment(3, "d")?.finish()?, "http://h/a/b/c/d");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There are fewer segments, or what [`append_segment`](Self::append_segment) says.
    pub fn insert_segment<'v>(
        &mut self,
        index: usize,
        segment: impl Into<Value<'v>>,
    ) -> Result<&mut Self, BuildError> {
        let segment = self.segment(segment.into())?;
        self.splice_segments(index, 0, Some(&segment))
    }

    /// Removes segment `index`, counted from 0.
    ///
    /// The path keeps its first "/", so that it does not become an empty one that means the base. What
    /// would become an absolute path or an authority is written with a "." before it:
    ///
    /// ```
    /// use locator::uri_ref;
    ///
    /// assert_eq!(uri_ref!("/a").edit().remove_segment(0)?.finish()?, "/");
    /// assert_eq!(uri_ref!("a//b").edit().remove_segment(0)?.finish()?, ".//b");
    /// assert_eq!(uri_ref!("/a//b").edit().remove_segment(0)?.finish()?, "/.//b");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no such segment.
    pub fn remove_segment(&mut self, index: usize) -> Result<&mut Self, BuildError> {
        self.splice_segments(index, 1, None)
    }

    /// Puts a segment in the place of `removed` ones and writes the path anew.
    fn splice_segments(
        &mut self,
        index: usize,
        removed: usize,
        put: Option<&str>,
    ) -> Result<&mut Self, BuildError> {
        let segments: Vec<&str> = self.segments().map(Segment::as_str).collect();
        let count = segments.len();
        let Some(behind) = index.checked_add(removed).filter(|&behind| behind <= count) else {
            return Err(BuildError::NoSegment { index, count, edition: self.edition });
        };
        let pieces: Vec<&str> =
            segments[..index].iter().copied().chain(put).chain(segments[behind..].iter().copied()).collect();
        let absolute = self.path.starts_with('/') || self.login.is_some();
        self.path = Cow::Owned(join(&pieces, absolute));
        Ok(self)
    }

    /// What is written for a segment.
    fn segment(&self, value: Value<'_>) -> Result<String, BuildError> {
        if value.is_decoded() && matches!(value.as_octets(), b"." | b"..") {
            return Err(BuildError::DotSegment { edition: self.edition });
        }
        let place = self.place(Component::Path).divided_by(b"/");
        place.escaping(self.edition.divides_segment).admit(value)
    }
}

/// The path of these segments. A relative one whose first is empty would be absolute, or nothing.
fn join(segments: &[&str], absolute: bool) -> String {
    let mut path = segments.join("/");
    if absolute {
        path.insert(0, '/');
    } else if segments.first().is_some_and(|first| first.is_empty()) {
        path.insert_str(0, "./");
    }
    path
}
