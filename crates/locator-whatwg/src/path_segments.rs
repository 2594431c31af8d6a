//! [`PathSegmentsMut`]: changes of the segments of a path.

use alloc::string::String;

use crate::machine;
use crate::percent::{self, EncodeSet};
use crate::url::Url;

/// The segments of a path, which can be changed: [`Url::path_segments_mut`]. The URL is written when this is
/// dropped.
///
/// ```
/// use locator_whatwg::Url;
///
/// let mut url = Url::parse("https://example.com/a/b")?;
/// url.path_segments_mut().unwrap().pop().push("c/d").push("");
/// assert_eq!(url.as_str(), "https://example.com/a/c%2Fd/");
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Debug)]
pub struct PathSegmentsMut<'a> {
    url: &'a mut Url,
    path: String,
    is_special: bool,
}

#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
impl Url {
    /// Returns an editor of the segments of the path.
    ///
    /// # Errors
    ///
    /// Fails if the path is opaque.
    pub fn path_segments_mut(&mut self) -> Result<PathSegmentsMut<'_>, ()> {
        if self.cannot_be_a_base() { Err(()) } else { Ok(PathSegmentsMut::new(self)) }
    }
}

impl<'a> PathSegmentsMut<'a> {
    fn new(url: &'a mut Url) -> Self {
        // A segment more, without another allocation.
        let mut path = String::with_capacity(url.path().len() + 32);
        path.push_str(url.path());
        Self { is_special: url.is_special(), path, url }
    }

    /// Removes all segments: the path is "/".
    pub fn clear(&mut self) -> &mut Self {
        self.path.clear();
        self.path.push('/');
        self
    }

    /// Removes the last segment if it is empty, as that of `/a/`.
    pub fn pop_if_empty(&mut self) -> &mut Self {
        if self.path.len() > 1 && self.path.ends_with('/') {
            self.path.pop();
        }
        self
    }

    /// Removes the last segment; the path is at least "/".
    pub fn pop(&mut self) -> &mut Self {
        self.path.truncate(self.path.rfind('/').unwrap_or(0));
        if self.path.is_empty() {
            self.path.push('/');
        }
        self
    }

    /// Appends a segment, which is data: "/" and "%" in it are escaped. "." and ".." are ignored.
    pub fn push(&mut self, segment: &str) -> &mut Self {
        self.extend([segment])
    }

    /// Appends segments.
    pub fn extend<I>(&mut self, segments: I) -> &mut Self
    where
        I: IntoIterator,
        I::Item: AsRef<str>,
    {
        for segment in segments {
            let segment = segment.as_ref();
            // What the parser removes is no data.
            let segment = percent::without_line_ends(segment);
            if matches!(&*segment, "." | "..") {
                continue;
            }
            // The path "/" has no segment yet.
            if self.path != "/" {
                self.path.push('/');
            }
            let start = self.path.len();
            let set = if self.is_special { EncodeSet::SPECIAL_PATH_SEGMENT } else { EncodeSet::PATH_SEGMENT };
            percent::push_encoded(&mut self.path, &segment, set);
            // "a (platform-independent) Windows drive letter quirk"
            if start == 1 && self.url.scheme() == "file" && machine::is_drive_letter(&self.path[1..]) {
                self.path.replace_range(2.., ":");
            }
        }
        self
    }
}

impl Drop for PathSegmentsMut<'_> {
    fn drop(&mut self) {
        self.url.replace_path(&self.path);
    }
}
