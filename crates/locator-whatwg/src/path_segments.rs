//! [`PathSegmentsMut`]: changes of the segments of a path.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::machine::{self, Path};
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
    segments: Vec<String>,
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
        let segments = url.path().split('/').skip(1).map(ToOwned::to_owned).collect();
        Self { is_special: url.is_special(), url, segments }
    }

    /// Removes all segments: the path is "/".
    pub fn clear(&mut self) -> &mut Self {
        self.segments.clear();
        self.segments.push(String::new());
        self
    }

    /// Removes the last segment if it is empty, as that of `/a/`.
    pub fn pop_if_empty(&mut self) -> &mut Self {
        if self.segments.len() > 1 && self.segments.last().is_some_and(String::is_empty) {
            self.segments.pop();
        }
        self
    }

    /// Removes the last segment; the path is at least "/".
    pub fn pop(&mut self) -> &mut Self {
        self.segments.pop();
        if self.segments.is_empty() {
            self.segments.push(String::new());
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
            // What the parser removes is no data.
            let segment = segment.as_ref().chars().filter(|c| !matches!(c, '\t' | '\n' | '\r'));
            let segment: String = segment.collect();
            if matches!(segment.as_str(), "." | "..") {
                continue;
            }
            // The path "/" has no segment yet.
            if self.segments.len() == 1 && self.segments[0].is_empty() {
                self.segments.clear();
            }
            let mut text = String::new();
            for c in segment.chars() {
                match c {
                    '/' => text.push_str("%2F"),
                    '%' => text.push_str("%25"),
                    '\\' if self.is_special => text.push_str("%5C"),
                    c => percent::push_encoded_char(&mut text, c, EncodeSet::PATH),
                }
            }
            // "a (platform-independent) Windows drive letter quirk"
            if self.segments.is_empty() && self.url.scheme() == "file" && machine::is_drive_letter(&text) {
                text.replace_range(1.., ":");
            }
            self.segments.push(text);
        }
        self
    }
}

impl Drop for PathSegmentsMut<'_> {
    fn drop(&mut self) {
        let segments = core::mem::take(&mut self.segments);
        // It cannot fail.
        let _ = self.url.change(|record| {
            record.path = Path::Segments(segments);
            Ok(())
        });
    }
}
