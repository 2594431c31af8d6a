//! What is known of a document before it is read.

use crate::format::Format;

/// A document's format, and what is around it that may be its base.
#[derive(Clone, Debug)]
pub struct Document {
    format: Format,
    retrieved: Option<String>,
}

impl Document {
    /// A document of which nothing but the format is known.
    pub const fn new(format: Format) -> Self {
        Self { format, retrieved: None }
    }

    /// The URL that it was retrieved by (RFC 3986, section 5.1.3).
    #[must_use]
    pub fn retrieved_by(mut self, url: &str) -> Self {
        self.retrieved = Some(url.into());
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
}
