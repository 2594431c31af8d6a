//! The formats that a document may have, one list.

/// What a document is written in.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Running text, source code, anything without rules of its own.
    Text,
    /// HTML, by the HTML standard.
    Html,
    /// A style sheet.
    Css,
    /// CommonMark with the tables, footnotes and so on of GitHub's dialect.
    Markdown,
    /// A message: RFC 5322 and MIME.
    Mail,
    /// Messages one after the other, each after a line that begins with "From ".
    Mbox,
    /// XML: sitemaps, Atom, RSS, SVG, XHTML and what else has links; `xml:base` counts.
    Xml,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 7] =
        [Self::Text, Self::Html, Self::Css, Self::Markdown, Self::Mail, Self::Mbox, Self::Xml];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Css => "css",
            Self::Markdown => "markdown",
            Self::Mail => "mail",
            Self::Mbox => "mbox",
            Self::Xml => "xml",
        }
    }

    /// The format of that name.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// assert_eq!(Format::from_name("HTML"), Some(Format::Html));
    /// assert_eq!(Format::from_name("pdf"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }
}
