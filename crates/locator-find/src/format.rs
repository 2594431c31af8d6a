//! The formats that a document may have, one list; a name or the first octets of a document enter, its format leaves.

use std::ffi::OsStr;
use std::path::Path;

use memchr::memchr;

use crate::json;

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
    /// TeX, LaTeX and bibliographies for BibTeX.
    Tex,
    /// XML: sitemaps, Atom, RSS, SVG, XHTML and what else has links; `xml:base` counts.
    Xml,
    /// Manual pages and other documents for troff and groff.
    Roff,
    /// A table of cells, by RFC 4180; the separator is set or read off the first line.
    Csv,
    /// A table of cells with a tab between them.
    Tsv,
    /// JSON, also a value a line.
    Json,
    /// iCalendar: RFC 5545.
    ICalendar,
    /// vCard: RFC 6350 and those before it.
    VCard,
    /// Entries of a directory: RFC 2849.
    Ldif,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 15] = [
        Self::Text,
        Self::Html,
        Self::Css,
        Self::Markdown,
        Self::Mail,
        Self::Mbox,
        Self::Tex,
        Self::Xml,
        Self::Roff,
        Self::Csv,
        Self::Tsv,
        Self::Json,
        Self::ICalendar,
        Self::VCard,
        Self::Ldif,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Css => "css",
            Self::Markdown => "markdown",
            Self::Mail => "mail",
            Self::Mbox => "mbox",
            Self::Tex => "tex",
            Self::Xml => "xml",
            Self::Roff => "roff",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::ICalendar => "icalendar",
            Self::VCard => "vcard",
            Self::Ldif => "ldif",
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

    /// What its documents' names end in, behind the last dot, in small letters.
    pub fn extensions(self) -> &'static [&'static str] {
        EXTENSIONS.iter().find(|(format, _)| *format == self).map_or(&[], |(_, extensions)| extensions)
    }

    /// Returns what the names of its documents end in, too, if their first octets look like it: files of other kinds end in the same.
    ///
    /// A letter or word may follow, as in `Module.3pm`.
    pub const fn sections(self) -> &'static [&'static str] {
        match self {
            Self::Roff => &["1", "2", "3", "4", "5", "6", "7", "8", "9"],
            _ => &[],
        }
    }

    /// Returns what separates the cells of a table, if it is always the same.
    pub(crate) const fn separator(self) -> Option<u8> {
        match self {
            Self::Tsv => Some(b'\t'),
            _ => None,
        }
    }

    /// Whether [`Format::of_octets`] knows it.
    pub const fn is_told_by_octets(self) -> bool {
        !matches!(self, Self::Markdown | Self::Css | Self::Tex | Self::Csv | Self::Tsv)
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
        let by_octets = Self::of_octets(first)?;
        let section = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_of_section = |format: &Self| format.sections().iter().any(|one| section.starts_with(one));
        let by_section = Self::ALL.into_iter().find(is_of_section).filter(|_| may_be_roff(first));
        Some(Self::of_path(path).or(by_section).unwrap_or(by_octets))
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
        let extension = path.extension()?.to_str()?;
        let has = |format: &Self| format.extensions().iter().any(|one| extension.eq_ignore_ascii_case(one));
        Self::ALL.into_iter().find(has)
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
        let is_wide = first.starts_with(b"\xFF\xFE") || first.starts_with(b"\xFE\xFF");
        if memchr(0, first).is_some() {
            return is_wide.then(|| Self::of_text(&without_nul(first)));
        }
        let text = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first);
        Some(match Self::of_text(text) {
            Self::Text if is_mailbox(first) => Self::Mbox,
            Self::Text if is_message(first) => Self::Mail,
            Self::Text if json::begins(text) => Self::Json,
            format => format,
        })
    }

    /// By the first characters, which are ASCII where they say anything.
    fn of_text(text: &[u8]) -> Self {
        match text.trim_ascii_start() {
            text if begins_with(text, &["<!doctype html", "<html"]) => Self::Html,
            text if begins_with(text, &["<?xml", "<svg", "<rss", "<feed", "<urlset", "<sitemapindex"]) => {
                Self::Xml
            }
            text if begins_with(text, &["begin:vcalendar"]) => Self::ICalendar,
            text if begins_with(text, &["begin:vcard"]) => Self::VCard,
            text if is_roff(text) => Self::Roff,
            text if is_ldif(text) => Self::Ldif,
            _ => Self::Text,
        }
    }
}

const EXTENSIONS: &[(Format, &[&str])] = &[
    (Format::Html, &["html", "htm", "shtml"]),
    (Format::Css, &["css"]),
    (Format::Markdown, &["md", "markdown", "mdown", "mkd", "mkdn"]),
    (Format::Mail, &["eml", "mht", "mhtml"]),
    (Format::Mbox, &["mbox", "mbx"]),
    (Format::Tex, &["tex", "ltx", "latex", "sty", "cls", "dtx", "ins", "bib", "bbl"]),
    (
        Format::Xml,
        &[
            "xml", "xhtml", "xht", "svg", "atom", "rss", "rdf", "xsd", "xsl", "xslt", "wsdl", "kml", "gpx",
            "opml", "ncx", "opf", "mml", "plist", "dbk",
        ],
    ),
    (Format::Roff, &["roff", "man", "mdoc", "troff", "groff", "tmac", "mom"]),
    (Format::Csv, &["csv"]),
    (Format::Tsv, &["tsv", "tab"]),
    (Format::Json, &["json", "ndjson", "jsonl", "geojson", "jsonld", "jsonc", "webmanifest", "har", "ipynb"]),
    (Format::ICalendar, &["ics", "ical", "ifb"]),
    (Format::VCard, &["vcf", "vcard"]),
    (Format::Ldif, &["ldif"]),
    (Format::Text, &["txt", "text"]),
];

/// Whether a text begins with one of these and nothing that would make the name another.
fn begins_with(text: &[u8], beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| {
        let (Some(start), behind) = (text.get(..beginning.len()), text.get(beginning.len())) else {
            return false;
        };
        start.eq_ignore_ascii_case(beginning.as_bytes())
            && behind.is_none_or(|octet| octet.is_ascii_whitespace() || matches!(octet, b'>' | b'/'))
    })
}

/// The octets of UTF-16 that are ASCII, behind its mark.
fn without_nul(first: &[u8]) -> Vec<u8> {
    first.iter().skip(2).copied().filter(|octet| *octet != 0).collect()
}

/// A comment, or one of the requests that manual pages begin with.
fn is_roff(text: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 5] = [b".\\\"", b"'\\\"", b".TH ", b".Dd ", b".so "];
    let text = behind_empty_requests(text);
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

/// Any request, which is enough if the name of the file says that it is a manual page.
fn may_be_roff(first: &[u8]) -> bool {
    let text = behind_empty_requests(first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first));
    let request = text.split_first().filter(|(control, _)| matches!(control, b'.' | b'\''));
    let name = request.map(|(_, name)| name.trim_ascii_start());
    name.and_then(<[u8]>::first).is_some_and(|first| first.is_ascii_alphabetic() || *first == b'\\')
}

/// What is behind lines that are empty, have nothing but the octet that begins a request, or a comment without it.
fn behind_empty_requests(text: &[u8]) -> &[u8] {
    let is_empty = |line: &&[u8]| matches!(line.trim_ascii(), b"" | b"." | b"'" | [b'\\', b'"', ..]);
    let length: usize =
        text.split_inclusive(|octet| *octet == b'\n').take_while(is_empty).map(<[u8]>::len).sum();
    &text[length..]
}

/// A distinguished name, maybe behind a version and comments.
fn is_ldif(text: &[u8]) -> bool {
    let lines = text
        .split(|octet| *octet == b'\n')
        .filter(|line| !line.starts_with(b"#") && !line.trim_ascii().is_empty());
    let mut lines = lines.skip_while(|line| line.starts_with(b"version:"));
    let name = lines.next().and_then(|line| line.strip_prefix(b"dn:"));
    name.is_some_and(|name| name.contains(&b'=') || name.starts_with(b":"))
}

/// "From ", a sender and a time; then a message.
fn is_mailbox(first: &[u8]) -> bool {
    let Some(end) = memchr(b'\n', first).filter(|_| first.starts_with(b"From ")) else { return false };
    let has_time = first[..end]
        .windows(3)
        .any(|octets| octets[0].is_ascii_digit() && octets[1] == b':' && octets[2].is_ascii_digit());
    has_time
        && first[end + 1..]
            .split(|octet| *octet == b'\n')
            .next()
            .is_some_and(|line| field_name(line).is_some())
}

/// Nothing but fields up to an empty line, the first one and another one of which every message may have.
fn is_message(first: &[u8]) -> bool {
    let (mut known, mut first_is_known) = (0, false);
    for (number, line) in first.split_inclusive(|octet| *octet == b'\n').enumerate() {
        let line_is_whole = line.ends_with(b"\n");
        match line.trim_ascii_end() {
            b"" => break,
            [b' ' | b'\t', ..] if number > 0 => {}
            line => match field_name(line) {
                Some(name) if FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes())) => {
                    known += 1;
                    first_is_known |= number == 0;
                }
                Some(_) => {}
                None if !line_is_whole => break,
                None => return false,
            },
        }
    }
    first_is_known && known > 1
}

fn field_name(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr(b':', line)?;
    let name = &line[..colon];
    (colon > 0 && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

const FIELDS: [&str; 16] = [
    "Return-Path",
    "Received",
    "Delivered-To",
    "From",
    "Sender",
    "To",
    "Cc",
    "Date",
    "Subject",
    "Message-ID",
    "Path",
    "Newsgroups",
    "MIME-Version",
    "Content-Type",
    "Reply-To",
    "X-Original-To",
];

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
