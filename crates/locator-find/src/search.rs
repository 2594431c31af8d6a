//! What every format is built on. A format is a [`FormatSpec`]: how its documents are recognised by
//! their name or their [`Head`], and the functions that find their links.
//!
//! Such a function gets a [`Query`], the options of the search and the other formats; an
//! [`Input`], the document and the ways to read it; and an [`Emitter`], which makes a link of a stretch
//! of text. `stream` is the loop of all formats that are running text with escapes.
//!
//! A format that contains documents of others (a message, a page with style sheets) gets their formats
//! from its [`Query`] by media type, not by importing them.
//!
//! `docs/contributing/format.md` adds a format, step by step.

pub(crate) mod emitter;
pub(crate) mod input;
pub(crate) mod stream;

use std::borrow::Cow;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use locator::text;
use memchr::memchr;

use crate::link::PassedOver;
use crate::link::cut::{self, Cut};

use emitter::Emitter;
use input::Input;

/// The implementation of a format.
pub(crate) struct FormatSpec {
    pub(crate) name: &'static str,
    /// The file name extensions, without the dot, in lower case.
    pub(crate) extensions: &'static [&'static str],
    /// The ambiguous extensions, which files of other kinds have, too.
    pub(crate) sections: Option<Sections>,
    /// Recognises the media types (RFC 6838) of the format; type and subtype are in lower case.
    pub(crate) has_media_type: fn(kind: &str, subtype: &str) -> bool,
    /// Recognises documents of this format with certainty by their first octets; `None` if this is
    /// not possible.
    pub(crate) begins: Option<fn(&Head<'_>) -> bool>,
    /// Finds the links of a document.
    pub(crate) find: fn(&Query<'_>, Input<'_>) -> io::Result<()>,
    /// Finds the links of a document that can be read twice, if that differs.
    pub(crate) find_seekable: Option<FindSeekable>,
    /// Finds the links of a document in memory, in UTF-8, that is part of another one.
    pub(crate) find_in: fn(&Query<'_>, &[u8], &mut Emitter<'_>) -> ControlFlow<()>,
}

type FindSeekable = fn(&Query<'_>, Input<'_, dyn ReadSeek + '_>) -> io::Result<()>;

/// A stream that can be read twice.
pub(crate) trait ReadSeek: Read + Seek {}

impl<S: Read + Seek> ReadSeek for S {}

/// Extensions that count only if the first octets look like the format. More letters may follow, as
/// in `Module.3pm`.
pub(crate) struct Sections {
    pub(crate) names: &'static [&'static str],
    pub(crate) may_begin: fn(&Head<'_>) -> bool,
}

impl FormatSpec {
    /// Returns whether the extension of a file name is one of the format.
    pub(crate) fn has_path(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|other| self.extensions.iter().any(|one| other.eq_ignore_ascii_case(one)))
    }

    /// Returns whether a media type is one of the format.
    pub(crate) fn is(&self, media_type: &str) -> bool {
        let (kind, subtype) = media_type.split_once('/').unwrap_or((media_type, ""));
        (self.has_media_type)(kind, subtype)
    }
}

/// The options of a search, and the formats that documents may contain.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) options: &'a Options,
    /// Which parts are searched here.
    pub(crate) extent: Extent,
    formats: &'static [&'static FormatSpec],
    nested: u8,
}

/// The maximum nesting depth of documents in attributes.
const NESTED: u8 = 4;

impl<'a> Query<'a> {
    /// Returns the query for these options; the first format must be running text.
    pub(crate) const fn new(options: &'a Options, formats: &'static [&'static FormatSpec]) -> Self {
        Self { options, extent: options.extent, formats, nested: NESTED }
    }

    /// Returns this query with another extent.
    pub(crate) fn to_extent(self, extent: Extent) -> Self {
        Self { extent, ..self }
    }

    /// Returns the query for a document nested in another one of its format; `None` if it is nested
    /// too deeply.
    pub(crate) fn nested(self) -> Option<Self> {
        Some(Self { nested: self.nested.checked_sub(1)?, ..self })
    }

    /// Returns the format of a media type.
    pub(crate) fn by_media_type(&self, media_type: &str) -> Option<&'static FormatSpec> {
        // Running text is the first format and matches last.
        self.formats.iter().rev().find(|format| format.is(media_type)).copied()
    }

    /// Returns the format of a file name.
    pub(crate) fn by_path(&self, path: &Path) -> Option<&'static FormatSpec> {
        self.formats.iter().find(|format| format.has_path(path)).copied()
    }

    /// Finds the links of a text of this media type; an unknown type is running text.
    pub(crate) fn find_in(
        &self,
        media_type: &str,
        text: &[u8],
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        match self.by_media_type(media_type) {
            Some(format) => (format.find_in)(self, text, emitter),
            None => self.find_urls(text, emitter),
        }
    }

    /// Finds the URLs of running text.
    pub(crate) fn find_urls(&self, text: &[u8], emitter: &mut Emitter<'_>) -> ControlFlow<()> {
        self.find_urls_with(text, |_| true, emitter)
    }

    /// Finds the URLs of running text in HTML, before markup.
    pub(crate) fn find_urls_before(
        &self,
        markup: &[u8],
        text: &[u8],
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        let mut hits = self.options.text.find_iter(text);
        for hit in hits.by_ref() {
            let is_cut = hit.span().end == text.len() && cut::goes_on_after_markup(markup);
            emitter.text_match(&hit, if is_cut { Some(Cut::Markup) } else { cut::in_whole(text, &hit) })?;
        }
        if let Some(start) = hits.passed_over() {
            emitter.passed_over(start, PassedOver::TooLong);
        }
        ControlFlow::Continue(())
    }

    /// Finds the URLs of running text for which `is_wanted` is true.
    pub(crate) fn find_urls_with(
        &self,
        text: &[u8],
        is_wanted: impl Fn(&str) -> bool,
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        let mut hits = self.options.text.find_iter(text);
        for hit in hits.by_ref().filter(|hit| is_wanted(&hit.url())) {
            emitter.text_match(&hit, cut::in_whole(text, &hit))?;
        }
        if let Some(start) = hits.passed_over() {
            emitter.passed_over(start, PassedOver::TooLong);
        }
        ControlFlow::Continue(())
    }
}

/// The options that a caller sets.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// The finder for URLs in running text.
    pub(crate) text: text::Finder,
    /// Whether links in JSON-LD are found.
    pub(crate) json_ld: bool,
    /// Whether the base that a document declares is determined.
    pub(crate) bases: bool,
    /// Whether links have the text that a reader sees.
    pub(crate) link_texts: bool,
    pub(crate) extent: Extent,
}

/// Which parts of a page or the like are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// Only its links.
    #[default]
    Links,
    /// Its text, too.
    Text,
    /// Its text, comments, scripts and all attributes.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            text: text::Finder::default(),
            json_ld: false,
            bases: true,
            link_texts: false,
            extent: Extent::Links,
        }
    }
}

/// The first octets of a text document.
#[derive(Debug)]
pub(crate) struct Head<'a> {
    text: Cow<'a, [u8]>,
    mark: Mark,
}

/// A byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    None,
    Utf8,
    Utf16,
}

impl<'a> Head<'a> {
    /// Returns `None` if the document is binary: it contains a NUL and does not begin with the byte
    /// order mark of UTF-16.
    pub(crate) fn new(first: &'a [u8]) -> Option<Self> {
        if memchr(0, first).is_some() {
            let is_wide = first.starts_with(b"\xFF\xFE") || first.starts_with(b"\xFE\xFF");
            return is_wide.then(|| Self { text: Cow::Owned(without_nul(&first[2..])), mark: Mark::Utf16 });
        }
        Some(match first.strip_prefix(b"\xEF\xBB\xBF") {
            Some(text) => Self { text: Cow::Borrowed(text), mark: Mark::Utf8 },
            None => Self { text: Cow::Borrowed(first), mark: Mark::None },
        })
    }

    /// Returns the octets after the byte order mark; of UTF-16 only the ASCII characters.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the text without its leading white space.
    pub(crate) fn start(&self) -> &[u8] {
        self.text.trim_ascii_start()
    }

    /// Returns whether the document has no byte order mark.
    pub(crate) fn is_unmarked(&self) -> bool {
        self.mark == Mark::None
    }

    /// Returns whether the document is in UTF-16.
    pub(crate) fn is_wide(&self) -> bool {
        self.mark == Mark::Utf16
    }

    /// Returns whether the text begins with one of these names, complete.
    pub(crate) fn begins_with(&self, beginnings: &[&str]) -> bool {
        let text = self.start();
        beginnings.iter().any(|beginning| {
            let (Some(start), next) = (text.get(..beginning.len()), text.get(beginning.len())) else {
                return false;
            };
            start.eq_ignore_ascii_case(beginning.as_bytes())
                && next.is_none_or(|octet| octet.is_ascii_whitespace() || matches!(octet, b'>' | b'/'))
        })
    }
}

/// Returns the octets of UTF-16 that are ASCII.
fn without_nul(octets: &[u8]) -> Vec<u8> {
    octets.iter().copied().filter(|octet| *octet != 0).collect()
}
