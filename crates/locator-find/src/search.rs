//! The interface of a format: how its documents are recognised, and the functions that find their
//! links.
//!
//! No format imports another one. A format that contains others (a message, a page with style
//! sheets) gets them from its [`Query`] by media type.

pub(crate) mod decoder;
pub(crate) mod emitter;
pub(crate) mod head;
pub(crate) mod input;
pub(crate) mod options;
pub(crate) mod stream;
pub(crate) mod window;

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use crate::link::PassedOver;
use crate::link::cut::{self, Cut};
use crate::search::emitter::Emitter;
use crate::search::head::Head;
use crate::search::input::Input;
use crate::search::options::{Extent, Options};

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
            emitter.hit(&hit, if is_cut { Some(Cut::Markup) } else { cut::in_whole(text, &hit) })?;
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
            emitter.hit(&hit, cut::in_whole(text, &hit))?;
        }
        if let Some(start) = hits.passed_over() {
            emitter.passed_over(start, PassedOver::TooLong);
        }
        ControlFlow::Continue(())
    }
}
