//! The list of the supported formats, each a file in this folder. Recognises the format of a document
//! by its file name or its first bytes.
//!
//! Most formats are running text with escapes, for which they are a decoder (`search::stream`). `html`,
//! `css`, `xml`, `markdown`, `components`, `jupyter`, `mail` and `pdf` have a syntax with links. `values`
//! finds strings of data formats that are URLs as a whole; `markup` is what HTML, XHTML and Markdown share,
//! `jsx` what MDX and components do, `lightweight` what reStructuredText, AsciiDoc and Org do.
//!
//! ```
//! use locator_find::Format;
//!
//! assert_eq!(Format::of_path("a/README.md".as_ref()), Some(Format::Markdown));
//! ```

mod asciidoc;
mod components;
mod css;
mod csv;
mod gemtext_m3u;
mod html;
mod icalendar_vcard_ldif;
mod json;
mod jsx;
mod jupyter;
mod lightweight;
pub(crate) mod mail;
mod markdown;
mod markup;
mod org;
mod pdf;
mod po_properties;
mod roff;
mod rst;
mod rtf;
mod shell;
mod tex;
mod texinfo;
mod text;
mod toml;
mod values;
mod xml;
mod yaml;

use std::ffi::OsStr;
use std::path::Path;

use crate::search::{FormatSpec, Head};

use mail::is_archive;

/// Defines [`Format`] and the static [`FormatSpec`] of each format.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $spec:path,)+) => {
        /// The format of a document.
        ///
        /// A file name decides it, or the first bytes:
        ///
        /// ```
        /// use locator_find::Format;
        ///
        /// assert_eq!(Format::of_path("a.html".as_ref()), Some(Format::Html));
        /// assert_eq!(Format::of_octets(b"<?xml version='1.0'?>"), Some(Format::Xml));
        /// assert_eq!(Format::Markdown.extensions()[0], "md");
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $name,)+
        }

        impl Format {
            /// All formats.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];

            /// Returns the implementation of this format.
            pub(crate) const fn spec(self) -> &'static FormatSpec {
                match self {
                    $(Self::$name => &$spec,)+
                }
            }
        }

        /// The implementations of all formats, in the order of [`Format::ALL`].
        pub(crate) static SPECS: [&FormatSpec; Format::ALL.len()] = [$(&$spec),+];
    };
}

formats! {
    /// Running text, source code and everything without a syntax of its own.
    Text = text::TEXT,
    /// HTML, as the HTML standard defines it.
    Html = html::HTML,
    /// A style sheet (CSS).
    Css = css::CSS,
    /// CommonMark with the extensions of GitHub, such as tables and footnotes.
    Markdown = markdown::MARKDOWN,
    /// MDX: Markdown with JSX.
    Mdx = markdown::MDX,
    /// A component of Vue.
    Vue = components::VUE,
    /// A component of Svelte.
    Svelte = components::SVELTE,
    /// A component of Astro.
    Astro = components::ASTRO,
    /// A message (RFC 5322 and MIME).
    Mail = mail::MAIL,
    /// A mailbox: messages, each after a line that begins with "From ".
    Mbox = mail::MBOX,
    /// A response of HTTP/1 with its header, as `curl -i` prints it.
    Http = mail::HTTP,
    /// TeX, LaTeX and BibTeX bibliographies.
    Tex = tex::TEX,
    /// XML, such as sitemaps, Atom, RSS, SVG and XHTML; `xml:base` is honoured.
    Xml = xml::XML,
    /// Manual pages and other documents for troff and groff.
    Roff = roff::ROFF,
    /// A table (RFC 4180); its separator is set or detected in the first line.
    Csv = csv::CSV,
    /// A table whose cells are separated by tabs.
    Tsv = csv::TSV,
    /// JSON, including one value per line.
    Json = json::JSON,
    /// A notebook of Jupyter.
    Jupyter = jupyter::JUPYTER,
    /// YAML.
    Yaml = yaml::YAML,
    /// TOML.
    Toml = toml::TOML,
    /// AsciiDoc.
    AsciiDoc = asciidoc::ASCIIDOC,
    /// Texinfo.
    Texinfo = texinfo::TEXINFO,
    /// Messages of gettext (PO).
    Po = po_properties::PO,
    /// Properties of Java.
    Properties = po_properties::PROPERTIES,
    /// Scripts of a shell.
    Shell = shell::SHELL,
    /// RTF.
    Rtf = rtf::RTF,
    /// PDF: its strings, and streams that are not compressed.
    Pdf = pdf::PDF,
    /// iCalendar (RFC 5545).
    ICalendar = icalendar_vcard_ldif::ICALENDAR,
    /// vCard (RFC 6350 and its predecessors).
    VCard = icalendar_vcard_ldif::VCARD,
    /// Directory entries (RFC 2849).
    Ldif = icalendar_vcard_ldif::LDIF,
    /// Gemtext, the documents of the Gemini protocol.
    Gemtext = gemtext_m3u::GEMTEXT,
    /// Playlists of HLS (RFC 8216).
    Playlist = gemtext_m3u::PLAYLIST,
    /// A web archive (WARC): records of HTTP, each with the base that it was retrieved from.
    Warc = mail::WARC,
    /// reStructuredText, with the roles and directives of Sphinx.
    Rst = rst::RST,
    /// Org, the format of Emacs.
    Org = org::ORG,
}

impl Format {
    /// Returns the text of a page that its readers see, without markup and with one space for any white space;
    /// `None` for formats that are no pages.
    ///
    /// It is known without style sheets and scripts, which may hide text and make more. The octets are those of
    /// the whole page.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// let page = b"<title>Heron</title><p>Draws\n<b>maps</b> &amp; roads";
    /// assert_eq!(Format::Html.visible_text(page).unwrap(), "Draws maps & roads");
    /// assert_eq!(Format::Css.visible_text(b"p { color: red }"), None);
    /// ```
    #[must_use]
    pub fn visible_text(self, octets: &[u8]) -> Option<String> {
        match self {
            Self::Html => Some(html::visible_text(octets)),
            Self::Markdown => Some(markdown::visible_text(octets)),
            Self::Mdx => Some(markdown::visible_text_of_mdx(octets)),
            _ => None,
        }
    }

    /// Returns whether documents of this format are Markdown, with or without JSX: their headings have ids by
    /// the rule of a program ([`HeadingIds`](crate::HeadingIds)).
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// let is_page = |name: &str| {
    ///     Format::of_path(name.as_ref()).is_some_and(|format| format == Format::Html || format.is_markdown())
    /// };
    /// assert!(is_page("README.md") && is_page("docs/intro.mdx"));
    /// assert!(!is_page("data.json"));
    /// ```
    #[must_use]
    pub const fn is_markdown(self) -> bool {
        matches!(self, Self::Markdown | Self::Mdx)
    }

    /// Returns the name of this format.
    pub const fn name(self) -> &'static str {
        self.spec().name
    }

    /// Returns the format with this name; case is ignored.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// assert_eq!(Format::from_name("HTML"), Some(Format::Html));
    /// assert_eq!(Format::from_name("docx"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Returns the file name extensions of this format, without the dot, in lower case.
    pub fn extensions(self) -> &'static [&'static str] {
        self.spec().extensions
    }

    /// Returns the ambiguous extensions of this format, which count only if the first bytes of the
    /// document look like the format.
    ///
    /// More letters may follow them, as in `Module.3pm`.
    pub const fn sections(self) -> &'static [&'static str] {
        match &self.spec().sections {
            Some(sections) => sections.names,
            None => &[],
        }
    }

    /// Returns whether [`Format::of_octets`] can recognise this format.
    pub const fn is_detected_by_content(self) -> bool {
        matches!(self, Self::Text) || self.spec().begins.is_some()
    }

    /// Returns the format of a document by its file name, or else by its first bytes; `None` if it
    /// is binary.
    ///
    /// A few thousand bytes are enough. A saved response ([`Http`](Self::Http)) counts before the name.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// let log = b"Nov 22 10:00:00 started";
    /// assert_eq!(Format::of("syslog.1".as_ref(), log), Some(Format::Text));
    /// assert_eq!(
    ///     Format::of("man1/ls.1".as_ref(), b".ie t .ds x y\n"),
    ///     Some(Format::Roff)
    /// );
    /// assert_eq!(Format::of("README.md".as_ref(), log), Some(Format::Markdown));
    /// ```
    pub fn of(path: &Path, first: &[u8]) -> Option<Self> {
        // Its records may be binary.
        if is_archive(first) {
            return Some(Self::Warc);
        }
        let head = Head::new(first)?;
        // A page that was saved with its header has the name of a page.
        if Self::Http.spec().begins.is_some_and(|begins| begins(&head)) {
            return Some(Self::Http);
        }
        let section = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let has_section = |format: &Self| {
            let sections = format.spec().sections.as_ref();
            sections.is_some_and(|sections| {
                sections.names.iter().any(|one| section.starts_with(one)) && (sections.may_begin)(&head)
            })
        };
        let by_section = || Self::ALL.into_iter().find(has_section);
        Some(Self::of_path(path).or_else(by_section).unwrap_or_else(|| Self::of_head(&head)))
    }

    /// Returns the format of a document by its file name extension.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// assert_eq!(Format::of_path("doc/README.md".as_ref()), Some(Format::Markdown));
    /// assert_eq!(Format::of_path("Makefile".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.spec().has_path(path))
    }

    /// Returns the format of a document by its media type (RFC 6838), whose parameters do not matter.
    ///
    /// XHTML is [`Xml`](Self::Xml). Of `text/plain` it is [`Text`](Self::Text).
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// assert_eq!(Format::of_media_type("Text/HTML; charset=utf-8"), Some(Format::Html));
    /// assert_eq!(Format::of_media_type("application/atom+xml"), Some(Format::Xml));
    /// assert_eq!(Format::of_media_type("image/png"), None);
    /// ```
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        Self::ALL.into_iter().rev().find(|format| format.spec().is(&name))
    }

    /// Returns the format of a document by its first bytes; `None` if it is binary.
    ///
    /// A few thousand bytes are enough. A document is binary if they contain a NUL and do not begin
    /// with the byte order mark of UTF-16.
    ///
    /// The result is [`Text`](Self::Text) in doubtful cases; it is never
    /// [`Markdown`](Self::Markdown), [`Css`](Self::Css), [`Tex`](Self::Tex), a component or a table.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// assert_eq!(
    ///     Format::of_octets(b"<!doctype html><title>a</title>"),
    ///     Some(Format::Html)
    /// );
    /// assert_eq!(
    ///     Format::of_octets(b"From: a@b\r\nDate: today\r\n\r\nhello"),
    ///     Some(Format::Mail)
    /// );
    /// assert_eq!(Format::of_octets(b"From: here to there\n"), Some(Format::Text));
    /// assert_eq!(Format::of_octets(b"\x7FELF\x02\x01\x01\0"), None);
    /// ```
    pub fn of_octets(first: &[u8]) -> Option<Self> {
        if is_archive(first) {
            return Some(Self::Warc);
        }
        Head::new(first).map(|head| Self::of_head(&head))
    }

    fn of_head(head: &Head<'_>) -> Self {
        let begins = |format: &Self| format.spec().begins.is_some_and(|begins| begins(head));
        Self::ALL.into_iter().find(begins).unwrap_or(Self::Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_octets_decide_only_certain_formats() {
        for (first, format) in [
            (&b"\xEF\xBB\xBF\n <HTML lang=en>"[..], Format::Html),
            (b"<htmlx>", Format::Text),
            (b"<?xml version='1.0'?><a/>", Format::Xml),
            (b"\xFF\xFE<\0?\0x\0m\0l\0 \0", Format::Xml),
            (b"\xFF\xFE<\0h\0t\0m\0l\0>\0", Format::Html),
            (b"\xFF\xFEh\0", Format::Text),
            (b"From a@b Sat Jan  1 00:00:00 2000\nSubject: x\n", Format::Mbox),
            (b"From a to b\nSubject: x\n", Format::Text),
            (b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", Format::Http),
            (b"HTTP/2 404\nserver: x\n\n", Format::Http),
            (b"HTTP/1.1 200 OK\n\nServer: x\n", Format::Text),
            (b"HTTP/1.1 is a protocol\nServer: x\n", Format::Text),
            (b"Subject: x\n folded\nX-Y: z\nTo: b\n\nx", Format::Mail),
            (b"Subject: x\nno field\nTo: b\n\nx", Format::Text),
            (b"Note: x\nTo: b\nFrom: c\n\n", Format::Text),
            (b".\\\" A comment\n", Format::Roff),
            (b"'\\\" t\n", Format::Roff),
            (b".TH X 1\n", Format::Roff),
            (b".Dd January 1, 2000\n", Format::Roff),
            (b".so man1/x.1\n", Format::Roff),
            (b".\n.\n.TH X 1\n", Format::Roff),
            (b"\\\" Shamelessly copied\n.TH X 1\n", Format::Roff),
            (b"...\n", Format::Text),
            (b"{\"a\": [1, {\"b", Format::Json),
            (b"[\"a\", \"b\"]\n", Format::Json),
            (b"{\"a\":1}\n{\"a\":2}\n", Format::Json),
            (b"{ \"a\", 1 },", Format::Text),
            (b"[section]\na=\"b\"\n", Format::Text),
            (b"[1] \"a\"", Format::Text),
            (b"BEGIN:VCALENDAR\r\n", Format::ICalendar),
            (b"begin:vcard\n", Format::VCard),
            (b"version: 1\n# x\ndn: cn=a,o=b\n", Format::Ldif),
            (b"dn: x\n", Format::Text),
            (b"WARC/1.1\r\nWARC-Type: response\r\n\r\n\0", Format::Warc),
            (b"#EXTM3U\n#EXT-X-VERSION:3\n", Format::Playlist),
            (b"", Format::Text),
        ] {
            assert_eq!(Format::of_octets(first), Some(format), "{}", first.escape_ascii());
        }
        assert_eq!(Format::of_octets(b"h\0"), None);
    }
}
