//! [`PathSegmentsMut`]: changes of the segments of a path.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::num::NonZeroU32;

use crate::machine;
use crate::percent::{self, EncodeSet};
use crate::position::Position;
use crate::url::Url;

/// The segments of a path, which can be changed: [`Url::path_segments_mut`].
///
/// Query and fragment are put back when this is dropped. If it is leaked (`mem::forget`), the URL is valid, and has
/// neither.
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
    /// Query and fragment, with their delimiters.
    tail: String,
    /// Where the path ended, and what began after it.
    path_end: u32,
    query_start: Option<NonZeroU32>,
    fragment_start: Option<NonZeroU32>,
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
        let path_end = url.byte_of(Position::AfterPath);
        let tail = url.text[path_end..].to_owned();
        url.text.truncate(path_end);
        let (query_start, fragment_start) = (url.at.query_start.take(), url.at.fragment_start.take());
        Self {
            tail,
            path_end: path_end as u32,
            query_start,
            fragment_start,
            is_special: url.is_special(),
            url,
        }
    }

    fn path(&self) -> &str {
        self.url.text.get(self.url.at.path_start as usize..).unwrap_or_default()
    }

    /// Writes "/." before a path that would be read as a host, and removes it before others.
    fn set_prefix(&mut self) {
        if self.url.has_authority() {
            return;
        }
        let (start, path_start) = (self.url.at.scheme_end as usize + 1, self.url.at.path_start as usize);
        let prefix = if self.path().starts_with("//") { "/." } else { "" };
        if prefix.len() != path_start - start {
            self.url.text.replace_range(start..path_start, prefix);
            self.url.at.path_start = (start + prefix.len()) as u32;
        }
    }

    fn truncate(&mut self, path_length: usize) -> &mut Self {
        self.url.text.truncate(self.url.at.path_start as usize + path_length);
        if path_length == 0 {
            self.url.text.push('/');
        }
        self.set_prefix();
        self
    }

    /// Removes all segments: the path is "/".
    pub fn clear(&mut self) -> &mut Self {
        self.truncate(0)
    }

    /// Removes the last segment if it is empty, as that of `/a/`.
    pub fn pop_if_empty(&mut self) -> &mut Self {
        let path = self.path();
        let length = path.len();
        if length > 1 && path.ends_with('/') { self.truncate(length - 1) } else { self }
    }

    /// Removes the last segment; the path is at least "/".
    pub fn pop(&mut self) -> &mut Self {
        self.truncate(self.path().bytes().rposition(|octet| octet == b'/').unwrap_or(0))
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
        let set = if self.is_special { EncodeSet::SPECIAL_PATH_SEGMENT } else { EncodeSet::PATH_SEGMENT };
        for segment in segments {
            // What the parser removes is no data.
            let segment = percent::without_line_ends(segment.as_ref());
            // Positions have 32 bits, and each byte may become three.
            let most = self.url.text.len() as u64 + self.tail.len() as u64 + 3 * segment.len() as u64 + 4;
            if matches!(&*segment, "." | "..") || most > u32::MAX.into() {
                continue;
            }
            // The path "/" has no segment yet.
            let is_first = self.path() == "/";
            if !is_first {
                self.url.text.push('/');
            }
            percent::push_encoded(&mut self.url.text, &segment, set);
            // "a (platform-independent) Windows drive letter quirk"
            if is_first
                && self.url.scheme() == "file"
                && machine::is_drive_letter(&self.path().as_bytes()[1..])
            {
                let colon = self.url.text.len() - 1;
                self.url.text.replace_range(colon.., ":");
            }
        }
        self.set_prefix();
        self
    }
}

impl Drop for PathSegmentsMut<'_> {
    fn drop(&mut self) {
        // An iterator of segments may have panicked.
        self.set_prefix();
        let (before, after) = (self.path_end, self.url.text.len() as u32);
        let moved = |at: Option<NonZeroU32>| at.and_then(|at| NonZeroU32::new(at.get() - before + after));
        self.url.at.query_start = moved(self.query_start);
        self.url.at.fragment_start = moved(self.fragment_start);
        self.url.text.push_str(&self.tail);
    }
}
