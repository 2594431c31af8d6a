//! What is known of a document before it is read.

use locator::edition;
use locator::{BaseStack, Edition, ResolveError};

use crate::format::Format;
use crate::input::Input;
use crate::link::Sink;

/// A document's format, and what is around it that may be its base.
#[derive(Clone, Debug)]
pub struct Document {
    format: Format,
    retrieved: Option<String>,
    edition: &'static Edition,
    separator: Option<u8>,
}

impl Document {
    /// A document of which nothing but the format is known.
    pub const fn new(format: Format) -> Self {
        Self { format, retrieved: None, edition: edition::DEFAULT, separator: None }
    }

    /// The edition by which its references are resolved, RFC 3986 if none is named.
    ///
    /// # Errors
    ///
    /// [`ResolveError::NotDefined`] if the edition does not say how a reference is resolved.
    pub fn resolved_by(mut self, edition: &'static Edition) -> Result<Self, ResolveError> {
        BaseStack::new(edition)?;
        self.edition = edition;
        Ok(self)
    }

    /// The URL that it was retrieved by (RFC 3986, section 5.1.3).
    #[must_use]
    pub fn retrieved_by(mut self, url: &str) -> Self {
        self.retrieved = Some(url.into());
        self
    }

    /// Sets the octet that separates the cells of a table ([`Format::Csv`], [`Format::Tsv`]).
    #[must_use]
    pub const fn separated_by(mut self, separator: u8) -> Self {
        self.separator = Some(separator);
        self
    }

    /// Its format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The URL that it was retrieved by.
    pub fn retrieved(&self) -> Option<&str> {
        self.retrieved.as_deref()
    }

    /// What is around it.
    pub(crate) fn bases(&self) -> BaseStack {
        // INVARIANT: only such an edition is taken as says how references are resolved.
        let mut bases = BaseStack::new(self.edition).unwrap_or_else(|error| unreachable!("{error}"));
        if let Some(url) = &self.retrieved {
            bases.retrieved_by(url);
        }
        bases
    }

    /// It, with the octets that it has and where its links go.
    pub(crate) fn input<'a, S: ?Sized>(&self, source: &'a mut S, sink: &'a mut dyn Sink) -> Input<'a, S> {
        Input { source, bases: self.bases(), separator: self.separator, sink }
    }
}
