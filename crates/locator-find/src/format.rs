//! The formats that a document may have, one list; a name or the first octets of a document enter, its format leaves.

use std::ffi::OsStr;
use std::path::Path;

use crate::head::Head;
use crate::spec::FormatSpec;

/// Makes the list of the formats: their names as values of [`Format`], and what they are.
macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $spec:path,)+) => {
        /// What a document is written in.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $name,)+
        }

        impl Format {
            /// Every format.
            pub const ALL: [Self; [$(Self::$name),+].len()] = [$(Self::$name),+];

            /// What it is to the rest of the crate.
            pub(crate) const fn spec(self) -> &'static FormatSpec {
                match self {
                    $(Self::$name => &$spec,)+
                }
            }
        }

        /// What all of them are, in the same order.
        pub(crate) static SPECS: [&FormatSpec; Format::ALL.len()] = [$(&$spec),+];
    };
}

formats! {
    /// Running text, source code, anything without rules of its own.
    Text = crate::text::TEXT,
    /// HTML, by the HTML standard.
    Html = crate::html::HTML,
    /// A style sheet.
    Css = crate::css::CSS,
    /// CommonMark with the tables, footnotes and so on of GitHub's dialect.
    Markdown = crate::markdown::MARKDOWN,
    /// A message: RFC 5322 and MIME.
    Mail = crate::mail::MAIL,
    /// Messages one after the other, each after a line that begins with "From ".
    Mbox = crate::mail::MBOX,
    /// TeX, LaTeX and bibliographies for BibTeX.
    Tex = crate::tex::TEX,
    /// XML: sitemaps, Atom, RSS, SVG, XHTML and what else has links; `xml:base` counts.
    Xml = crate::xml::XML,
    /// Manual pages and other documents for troff and groff.
    Roff = crate::roff::ROFF,
    /// A table of cells, by RFC 4180; the separator is set or read off the first line.
    Csv = crate::csv::CSV,
    /// A table of cells with a tab between them.
    Tsv = crate::csv::TSV,
    /// JSON, also a value a line.
    Json = crate::json::JSON,
    /// iCalendar: RFC 5545.
    ICalendar = crate::folded::ICALENDAR,
    /// vCard: RFC 6350 and those before it.
    VCard = crate::folded::VCARD,
    /// Entries of a directory: RFC 2849.
    Ldif = crate::folded::LDIF,
}

impl Format {
    /// Its name.
    pub const fn name(self) -> &'static str {
        self.spec().name
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

    /// What its documents' names end in, behind the last dot, in small letters.
    pub fn extensions(self) -> &'static [&'static str] {
        self.spec().extensions
    }

    /// Returns what the names of its documents end in, too, if their first octets look like it: files of other kinds end in the same.
    ///
    /// A letter or word may follow, as in `Module.3pm`.
    pub const fn sections(self) -> &'static [&'static str] {
        match &self.spec().sections {
            Some(sections) => sections.names,
            None => &[],
        }
    }

    /// Whether [`Format::of_octets`] knows it.
    pub const fn is_told_by_octets(self) -> bool {
        matches!(self, Self::Text) || self.spec().begins.is_some()
    }

    /// Returns the format of a document: the one that its name tells, else the one that its first octets tell; none if it is binary. Some
    /// thousand octets are enough.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// let log = b"Nov 22 10:00:00 started";
    /// assert_eq!(Format::of("syslog.1".as_ref(), log), Some(Format::Text));
    /// assert_eq!(Format::of("man1/ls.1".as_ref(), b".ie t .ds x y\n"), Some(Format::Roff));
    /// assert_eq!(Format::of("README.md".as_ref(), log), Some(Format::Markdown));
    /// ```
    pub fn of(path: &Path, first: &[u8]) -> Option<Self> {
        let head = Head::new(first)?;
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

    /// The format that a document's name tells, by what is behind its last dot.
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

    /// The format of a document by its first octets, of which some thousand are enough; none if it is binary: if there is
    /// a NUL in them, unless they begin with the mark of UTF-16.
    ///
    /// What is not plain to see is [`Text`](Self::Text); [`Markdown`](Self::Markdown), [`Css`](Self::Css), [`Tex`](Self::Tex) and
    /// tables never are.
    ///
    /// ```
    /// use locator_find::Format;
    ///
    /// assert_eq!(Format::of_octets(b"<!doctype html><title>a</title>"), Some(Format::Html));
    /// assert_eq!(Format::of_octets(b"From: a@b\r\nDate: today\r\n\r\nhello"), Some(Format::Mail));
    /// assert_eq!(Format::of_octets(b"From: here to there\n"), Some(Format::Text));
    /// assert_eq!(Format::of_octets(b"\x7FELF\x02\x01\x01\0"), None);
    /// ```
    pub fn of_octets(first: &[u8]) -> Option<Self> {
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
    fn first_octets_tell_only_what_is_plain() {
        for (first, format) in [
            (&b"\xEF\xBB\xBF\n <HTML lang=en>"[..], Format::Html),
            (b"<htmlx>", Format::Text),
            (b"<?xml version='1.0'?><a/>", Format::Xml),
            (b"\xFF\xFE<\0?\0x\0m\0l\0 \0", Format::Xml),
            (b"\xFF\xFE<\0h\0t\0m\0l\0>\0", Format::Html),
            (b"\xFF\xFEh\0", Format::Text),
            (b"From a@b Sat Jan  1 00:00:00 2000\nSubject: x\n", Format::Mbox),
            (b"From a to b\nSubject: x\n", Format::Text),
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
            (b"", Format::Text),
        ] {
            assert_eq!(Format::of_octets(first), Some(format), "{}", first.escape_ascii());
        }
        assert_eq!(Format::of_octets(b"h\0"), None);
    }
}
