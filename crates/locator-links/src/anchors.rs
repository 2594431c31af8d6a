//! The names in a file that a fragment may refer to, and what it means if one is missing.
//!
//! A page of HTML finds the element of a fragment by the fragment as it is written, then by its decoded
//! form; the empty fragment and `top` are the top of the page (HTML, 7.4.6.4). Names are kept as hashes, so
//! that those of a million headings need little memory.
//!
//! [`AnchorNames`] reads the names of a file or a page, [`Anchors`] has their hashes, and `text` looks for the texts that
//! `#:~:text=…` leads to.
//!
//! ```
//! use locator_links::Code;
//! use locator_links::anchors::AnchorSet;
//!
//! let mut names = AnchorSet::new(false);
//! names.add("install");
//! let anchors = names.finish(true);
//! assert_eq!(anchors.missing("install"), None);
//! assert_eq!(anchors.missing("instal"), Some(Code::NoSuchAnchor));
//! ```

pub(crate) mod text;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use locator_find::{Anchor, Document, Finder, Format, HeadingIds, Link, Location, PassedOver, Sink};
use twox_hash::XxHash3_64;

pub(crate) use self::text::decoded_fragment;
use self::text::{DELIMITER, PageText, has_directive};
use crate::outcome::Code;

/// The names in a file.
#[derive(Clone, Debug, Default)]
pub struct Anchors {
    names: Vec<u64>,
    /// The letters and digits of headings, whose ids depend on the generator.
    headings: Vec<u64>,
    /// Whether these are all names of the file.
    are_all_known: bool,
    /// The text of the page, if a link wants it.
    text: Option<Arc<PageText>>,
}

/// Collects the names of a file.
#[derive(Debug, Default)]
pub struct AnchorSet {
    anchors: Anchors,
    has_headings: bool,
}

impl AnchorSet {
    /// Creates an empty set; `has_headings` says whether names are made of headings.
    #[must_use]
    pub fn new(has_headings: bool) -> Self {
        Self { has_headings, ..Self::default() }
    }

    /// Adds a name.
    pub fn add(&mut self, name: &str) {
        self.anchors.names.push(hash(name));
        if self.has_headings {
            self.anchors.headings.push(hash_of_heading(name));
        }
    }

    /// Returns the names; `are_all_known` says whether the whole file was read, in a format that has no
    /// others.
    #[must_use]
    pub fn finish(self, are_all_known: bool) -> Anchors {
        let Anchors { names, headings, .. } = self.anchors;
        Anchors::of_hashes(names, headings, are_all_known)
    }
}

/// Returns the hash of a name: XXH3 with 64 bits and seed 0, the same in every build.
#[must_use]
pub fn hash(name: &str) -> u64 {
    XxHash3_64::oneshot(name.as_bytes())
}

/// Returns the hash of what all generators keep of a heading: its letters and digits.
pub(crate) fn hash_of_heading(name: &str) -> u64 {
    let kept = name.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase);
    hash(&kept.collect::<String>())
}

impl Anchors {
    /// Creates the names with these hashes, in any order.
    pub(crate) fn of_hashes(names: Vec<u64>, headings: Vec<u64>, are_all_known: bool) -> Self {
        let sorted = |mut hashes: Vec<u64>| {
            hashes.sort_unstable();
            hashes.dedup();
            hashes.shrink_to_fit();
            hashes
        };
        Self { names: sorted(names), headings: sorted(headings), are_all_known, text: None }
    }

    /// Returns the hashes of the names.
    pub(crate) fn name_hashes(&self) -> &[u64] {
        &self.names
    }

    /// Returns the hashes of the headings.
    pub(crate) fn heading_hashes(&self) -> &[u64] {
        &self.headings
    }

    /// Returns why a fragment, as it is written in a URL, does not lead to a name of the file; `None` if it
    /// does.
    #[must_use]
    pub fn missing(&self, fragment: &str) -> Option<Code> {
        self.missing_name(fragment).or_else(|| self.missing_text(fragment))
    }

    /// Adds the text of the page.
    #[must_use]
    pub fn with_text(mut self, text: Option<PageText>) -> Self {
        self.text = text.map(Arc::new);
        self
    }

    /// Returns the text of the page, if it was read.
    #[must_use]
    pub fn text(&self) -> Option<&PageText> {
        self.text.as_deref()
    }

    pub(crate) fn set_text(&mut self, text: PageText) {
        self.text = Some(Arc::new(text));
    }

    pub(crate) fn drop_text(&mut self) {
        self.text = None;
    }

    /// Returns why the text of a fragment is not found. A page without text has it made by a script.
    fn missing_text(&self, fragment: &str) -> Option<Code> {
        if !has_directive(fragment) {
            return None;
        }
        match self.text() {
            Some(text) if !text.is_empty() => (!text.has(fragment)).then_some(Code::NoSuchText),
            _ => Some(Code::UnreadAnchor),
        }
    }

    fn missing_name(&self, fragment: &str) -> Option<Code> {
        let decoded = decoded_fragment(fragment);
        let (fragment, decoded) = (without_directive(fragment), without_directive(&decoded));
        if fragment.is_empty()
            || decoded.eq_ignore_ascii_case("top")
            || self.has(fragment)
            || self.has(decoded)
        {
            return None;
        }
        // A script of GitHub finds the ids of users, which have a prefix; it may be written, too.
        if decoded.strip_prefix("user-content-").is_some_and(|own| self.has(own)) {
            return None;
        }
        if self.has(&format!("user-content-{}", decoded.to_lowercase())) {
            return None;
        }
        // A range of lines, whose ends are lines of the page.
        let is_range = |(from, to): (&str, &str)| self.has(from) && self.has(to);
        if decoded.split_once('-').is_some_and(is_range) {
            return None;
        }
        Some(match () {
            () if is_made_by_script(decoded) => Code::ScriptAnchor,
            () if !self.are_all_known => Code::UnreadAnchor,
            () if self.has_heading(decoded) => Code::OtherAnchor,
            () => Code::NoSuchAnchor,
        })
    }

    /// Returns whether there is no name at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns whether all names of the file are known.
    #[must_use]
    pub const fn are_all_known(&self) -> bool {
        self.are_all_known
    }

    fn has(&self, name: &str) -> bool {
        self.names.binary_search(&hash(name)).is_ok()
    }

    fn has_heading(&self, name: &str) -> bool {
        self.headings.binary_search(&hash_of_heading(name)).is_ok()
    }
}

/// Returns a fragment without its directive: `#:~:text=…` (Scroll to Text Fragment, 3.3).
fn without_directive(fragment: &str) -> &str {
    fragment.split_once(DELIMITER).map_or(fragment, |(before, _)| before)
}

/// Returns whether a fragment has a form that scripts read: lines (`10-20`, `L10`, `L10-L20`, `L1C2`),
/// routes (`/x`, `!x`), settings (`k=v`) and tabs of DocFX (`tab/x`).
fn is_made_by_script(fragment: &str) -> bool {
    fragment.starts_with(['/', '!', '?'])
        || fragment.starts_with("tab/")
        || fragment.contains('=')
        || is_lines(fragment)
}

/// Returns whether a fragment is a line or a range of lines.
pub(crate) fn is_lines(fragment: &str) -> bool {
    let mut ends = fragment.split('-');
    let is_line = |end: &str| {
        let end = end.strip_prefix(['L', 'l']).unwrap_or(end);
        let has_digit = end.bytes().any(|octet| octet.is_ascii_digit());
        has_digit && end.bytes().all(|octet| octet.is_ascii_digit() || octet == b'C' || octet == b':')
    };
    ends.by_ref().take(2).all(is_line) && ends.next().is_none()
}

/// How much of a file shows its format.
const HEAD: u64 = 8 * 1024;

/// The largest file that is read for its anchors.
pub(crate) const LARGEST: u64 = 256 << 20;

/// The names in a file.
#[derive(Debug, Default)]
pub struct AnchorNames {
    /// The names, in the order of the file.
    pub names: Vec<String>,
    format: Option<Format>,
    is_complete: bool,
}

impl AnchorNames {
    /// Reads a file, whose headings have ids by a rule if it is Markdown.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read(finder: &Finder, path: &Path, rule: HeadingIds) -> io::Result<Self> {
        let mut file = File::open(path)?;
        // What has no length is not read: it is empty, or made by the system while it is read.
        if !matches!(file.metadata()?.len(), 1..=LARGEST) {
            return Ok(Self::default());
        }
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head)?;
        file.rewind()?;
        let Some(format) = Format::of(path, &head) else { return Ok(Self::default()) };
        let mut names = Self { names: Vec::new(), format: Some(format), is_complete: true };
        finder.find_seekable(&Document::new(format).heading_ids(rule), &mut file, &mut names)?;
        Ok(names)
    }

    /// Reads a page whose format is known.
    ///
    /// # Errors
    ///
    /// Returns the errors of `source`.
    pub fn read_page(
        finder: &Finder,
        format: Format,
        rule: HeadingIds,
        source: &mut dyn Read,
    ) -> io::Result<Self> {
        let mut names = Self { names: Vec::new(), format: Some(format), is_complete: true };
        finder.find(&Document::new(format).heading_ids(rule), source, &mut names)?;
        Ok(names)
    }

    /// Returns the anchors of the file.
    #[must_use]
    pub fn anchors(&self) -> Anchors {
        let mut set = AnchorSet::new(self.format.is_some_and(Format::is_markdown));
        self.names.iter().for_each(|name| set.add(name));
        let is_page = |format: Format| format == Format::Html || format.is_markdown();
        set.finish(self.is_complete && self.format.is_some_and(is_page))
    }
}

impl Sink for AnchorNames {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        // Fragments are looked up where the page redirects to.
        self.is_complete &= !link.is_refresh();
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.names.push(anchor.name.to_string());
    }

    fn passed_over(&mut self, _: &Location, _: PassedOver) {
        self.is_complete = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(names: &[&str], fragment: &str) -> Option<Code> {
        let mut set = AnchorSet::new(true);
        names.iter().for_each(|name| set.add(name));
        set.finish(true).missing(fragment)
    }

    /// The hashes of another implementation (the Python package xxhash).
    #[test]
    fn hashes_stay_the_same() {
        assert_eq!(hash(""), 0x2d06_8005_38d3_94c2);
        assert_eq!(hash("usage"), 0xfc00_5f29_50c3_71c5);
    }

    #[test]
    fn fragments() {
        for (names, fragment, expected) in [
            (&["a-b"][..], "a-b", None),
            (&[], "", None),
            (&[], "top", None),
            (&[], "TOP", None),
            (&["10", "20"], "10-20", None),
            (&["10"], "10-20", Some(Code::ScriptAnchor)),
            (&[], "L10", Some(Code::ScriptAnchor)),
            (&[], "L10C3-L20C1", Some(Code::ScriptAnchor)),
            (&[], "/route", Some(Code::ScriptAnchor)),
            (&[], "!x", Some(Code::ScriptAnchor)),
            (&[], "page=3", Some(Code::ScriptAnchor)),
            (&[], "tab/windows", Some(Code::ScriptAnchor)),
            (&[], ":~:text=a", Some(Code::UnreadAnchor)),
            (&[], ":~:other=a", None),
            (&[], "b:~:text=a", Some(Code::NoSuchAnchor)),
            (&["get-started"], "getstarted", Some(Code::OtherAnchor)),
            (&["Usage"], "usage", Some(Code::OtherAnchor)),
            (&["usage"], "usge", Some(Code::NoSuchAnchor)),
            (&["b"], "a-b", Some(Code::NoSuchAnchor)),
            (&[], "-", Some(Code::NoSuchAnchor)),
            (&[], "L", Some(Code::NoSuchAnchor)),
        ] {
            assert_eq!(missing(names, fragment), expected, "{fragment}");
        }
        let page = AnchorSet::new(false).finish(true).with_text(Some(PageText::new("A text")));
        assert_eq!(page.missing(":~:text=text"), None);
        assert_eq!(page.missing(":~:text=other"), Some(Code::NoSuchText));
        let unread = AnchorSet::default().finish(false);
        assert_eq!(unread.missing("x"), Some(Code::UnreadAnchor));
    }
}
