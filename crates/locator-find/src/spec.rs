//! What a format is to the rest of the crate: how its documents are recognized, and the functions that find their links.
//!
//! A format does not import another one. What has others in it (a message, a page with style sheets) asks its [`Query`] for them, by
//! their media type.

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use crate::emitter::Emitter;
use crate::head::Head;
use crate::input::Input;
use crate::link::{Context, PassedOver};
use crate::options::{Extent, Options};

/// A format.
pub(crate) struct FormatSpec {
    pub(crate) name: &'static str,
    /// What the names of its documents end in, after the last dot, in small letters.
    pub(crate) extensions: &'static [&'static str],
    /// What other files end in, too.
    pub(crate) sections: Option<Sections>,
    /// Whether a media type (RFC 6838) is its own; type and subtype are in small letters.
    pub(crate) has_media_type: fn(kind: &str, subtype: &str) -> bool,
    /// Whether a document that begins so is one of its own beyond doubt; nothing if none is.
    pub(crate) begins: Option<fn(&Head<'_>) -> bool>,
    /// Finds the links of a document.
    pub(crate) find: fn(&Query<'_>, Input<'_>) -> io::Result<()>,
    /// The same for a document that can be read twice, if that makes a difference.
    pub(crate) find_seekable: Option<FindSeekable>,
    /// Finds the links of a document that is held, in UTF-8, and part of another one.
    pub(crate) find_in: fn(&Query<'_>, &[u8], &mut Emitter<'_>) -> ControlFlow<()>,
}

type FindSeekable = fn(&Query<'_>, Input<'_, dyn ReadSeek + '_>) -> io::Result<()>;

/// A stream that can be read twice.
pub(crate) trait ReadSeek: Read + Seek {}

impl<S: Read + Seek> ReadSeek for S {}

/// Extensions that count only if the first octets look like the format. More letters may follow, as in `Module.3pm`.
pub(crate) struct Sections {
    pub(crate) names: &'static [&'static str],
    pub(crate) may_begin: fn(&Head<'_>) -> bool,
}

impl FormatSpec {
    /// Returns whether a document of this name is one of the format.
    pub(crate) fn has_path(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|other| self.extensions.iter().any(|one| other.eq_ignore_ascii_case(one)))
    }

    /// Returns whether a media type is the format's.
    pub(crate) fn is(&self, media_type: &str) -> bool {
        let (kind, subtype) = media_type.split_once('/').unwrap_or((media_type, ""));
        (self.has_media_type)(kind, subtype)
    }
}

/// What a search is asked for, and the formats that a document may have in it.
#[derive(Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) options: &'a Options,
    /// How much is searched here.
    pub(crate) extent: Extent,
    formats: &'static [&'static FormatSpec],
    nested: u8,
}

/// How deep documents in attributes may be nested.
const NESTED: u8 = 4;

impl<'a> Query<'a> {
    /// Asks for what the options say; the first of the formats is running text.
    pub(crate) const fn new(options: &'a Options, formats: &'static [&'static FormatSpec]) -> Self {
        Self { options, extent: options.extent, formats, nested: NESTED }
    }

    /// The same for a document of which so much is searched.
    pub(crate) fn to_extent(self, extent: Extent) -> Self {
        Self { extent, ..self }
    }

    /// The same for a document that is nested in another one of its format; nothing if it is nested too deep.
    pub(crate) fn nested(self) -> Option<Self> {
        Some(Self { nested: self.nested.checked_sub(1)?, ..self })
    }

    /// Returns the format of a media type.
    pub(crate) fn by_media_type(&self, media_type: &str) -> Option<&'static FormatSpec> {
        // Running text, the first one, has what is left by the others.
        self.formats.iter().rev().find(|format| format.is(media_type)).copied()
    }

    /// Returns the format of a file of that name.
    pub(crate) fn by_path(&self, path: &Path) -> Option<&'static FormatSpec> {
        self.formats.iter().find(|format| format.has_path(path)).copied()
    }

    /// Finds the links of a text that has this media type, or else is running text.
    pub(crate) fn find_in(&self, media_type: &str, text: &[u8], outlet: &mut Emitter<'_>) -> ControlFlow<()> {
        match self.by_media_type(media_type) {
            Some(format) => (format.find_in)(self, text, outlet),
            None => self.find_urls(text, outlet),
        }
    }

    /// Finds the URLs of running text.
    pub(crate) fn find_urls(&self, text: &[u8], outlet: &mut Emitter<'_>) -> ControlFlow<()> {
        let mut hits = self.options.text.find_iter(text);
        for hit in hits.by_ref() {
            outlet.link_or(hit.span(), &hit.url(), hit.alternate().as_deref(), Context::Text(hit.kind()))?;
        }
        if let Some(start) = hits.passed_over() {
            outlet.passed_over(start, PassedOver::TooLong);
        }
        ControlFlow::Continue(())
    }
}
