//! The names in a file that fragments may refer to, for files that are not among the documents.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use locator_find::{Anchor, Document, Finder, Format, HeadingIds, Link, Location, PassedOver, Sink};

use super::{AnchorSet, Anchors};

/// How much of a file shows its format.
const HEAD: u64 = 8 * 1024;

/// The largest file that is read for its anchors.
pub(crate) const LARGEST: u64 = 256 << 20;

/// The names in a file.
#[derive(Debug, Default)]
pub struct Names {
    /// The names, in the order of the file.
    pub names: Vec<String>,
    format: Option<Format>,
    is_complete: bool,
}

impl Names {
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
        (format, rule): (Format, HeadingIds),
        source: &mut dyn Read,
    ) -> io::Result<Self> {
        let mut names = Self { names: Vec::new(), format: Some(format), is_complete: true };
        finder.find(&Document::new(format).heading_ids(rule), source, &mut names)?;
        Ok(names)
    }

    /// Returns the anchors of the file.
    #[must_use]
    pub fn anchors(&self) -> Anchors {
        let mut set = AnchorSet::new(self.format == Some(Format::Markdown));
        self.names.iter().for_each(|name| set.add(name));
        set.finish(self.is_complete && matches!(self.format, Some(Format::Html | Format::Markdown)))
    }
}

impl Sink for Names {
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
