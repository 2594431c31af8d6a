//! Edits the segments of a path. Takes each new segment as a value and returns the path, absolute
//! if it was; the other segments keep every octet. RFC 3986, section 3.3.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::{BuildError, Edit, Value};
use crate::component::{Path, Segment, Segments};
use crate::span::Component;

impl Edit<'_> {
    /// Returns the segments of the current path.
    ///
    /// ```
    /// let edit = locator::uri!("http://h/a/b/").edit();
    /// assert_eq!(
    ///     edit.segments().map(|segment| segment.as_str()).collect::<Vec<_>>(),
    ///     ["a", "b", ""]
    /// );
    /// ```
    pub fn segments(&self) -> Segments<'_> {
        Path { text: &self.path, edition: self.edition }.segments()
    }

    /// Appends a segment. In data, "/", "?", "#", "%" and other delimiters are escaped.
    ///
    /// No segment is lost: the new one goes after the last one, or replaces an empty last segment
    /// if the path ends in "/". So an empty segment makes the path end in "/".
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
    /// Returns an error for a value that is "." or ".." given as data, or that is encoded and not a
    /// segment.
    #[doc(alias("push_segment", "path_segments_mut"))]
    pub fn append_segment<'v>(&mut self, segment: impl Into<Value<'v>>) -> Result<&mut Self, BuildError> {
        let segment = self.segment(&segment.into())?;
        let begins = self.path.is_empty() && self.login.is_none();
        let path = self.path.to_mut();
        if !begins && !path.ends_with('/') {
            path.push('/');
        }
        path.push_str(&segment);
        Ok(self)
    }

    /// Appends several segments: all of them or, after an error, no segment.
    ///
    /// Appends a path that is already divided at its "/", whether the reference ends in "/" or not:
    ///
    /// ```
    /// for api in ["http://h/api", "http://h/api/"] {
    ///     let mut edit = locator::UriRef::parse(api).unwrap().edit();
    ///     assert_eq!(
    ///         edit.append_segments("users/a b".split('/'))?.finish()?,
    ///         "http://h/api/users/a%20b"
    ///     );
    /// }
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of [`append_segment`](Self::append_segment) for the first segment that is
    /// not valid.
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
    /// Returns an error if there is no such segment, or an error of
    /// [`append_segment`](Self::append_segment).
    pub fn replace_segment<'v>(
        &mut self,
        index: usize,
        segment: impl Into<Value<'v>>,
    ) -> Result<&mut Self, BuildError> {
        let segment = self.segment(&segment.into())?;
        self.splice_segments(index, 1, Some(&segment))
    }

    /// Inserts a segment before segment `index`, or after the last one if `index` is the number of
    /// segments.
    ///
    /// ```
    /// let mut edit = locator::uri!("http://h/a/c").edit();
    /// assert_eq!(
    ///     edit.insert_segment(1, "b")?.insert_segment(3, "d")?.finish()?,
    ///     "http://h/a/b/c/d"
    /// );
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer segments, or an error of
    /// [`append_segment`](Self::append_segment).
    pub fn insert_segment<'v>(
        &mut self,
        index: usize,
        segment: impl Into<Value<'v>>,
    ) -> Result<&mut Self, BuildError> {
        let segment = self.segment(&segment.into())?;
        self.splice_segments(index, 0, Some(&segment))
    }

    /// Removes segment `index`, counted from 0.
    ///
    /// The path keeps its first "/": an empty path would mean the base. A result that would be an
    /// absolute path or an authority gets a "." before it:
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
    /// Returns an error if there is no such segment.
    pub fn remove_segment(&mut self, index: usize) -> Result<&mut Self, BuildError> {
        self.splice_segments(index, 1, None)
    }

    /// Replaces `removed` segments by one segment and writes the path again.
    fn splice_segments(
        &mut self,
        index: usize,
        removed: usize,
        put: Option<&str>,
    ) -> Result<&mut Self, BuildError> {
        let segments: Vec<&str> = self.segments().map(Segment::as_str).collect();
        let count = segments.len();
        let Some(end) = index.checked_add(removed).filter(|&end| end <= count) else {
            return Err(BuildError::NoSegment { index, count, edition: self.edition });
        };
        let pieces: Vec<&str> =
            segments[..index].iter().copied().chain(put).chain(segments[end..].iter().copied()).collect();
        let absolute = self.path.starts_with('/') || self.login.is_some();
        self.path = Cow::Owned(join(&pieces, absolute));
        Ok(self)
    }

    /// Returns the text of a segment.
    fn segment(&self, value: &Value<'_>) -> Result<String, BuildError> {
        if value.is_decoded() && matches!(value.as_bytes(), b"." | b"..") {
            return Err(BuildError::DotSegment { edition: self.edition });
        }
        let place = self.place(Component::Path).divided_by(b"/");
        place.escaping(self.edition.divides_segment).admit(value)
    }
}

/// Joins these segments to a path. A relative path whose first segment is empty would be absolute,
/// or empty.
fn join(segments: &[&str], absolute: bool) -> String {
    let mut path = segments.join("/");
    if absolute {
        path.insert(0, '/');
    } else if segments.first().is_some_and(|first| first.is_empty()) {
        path.insert_str(0, "./");
    }
    path
}
