//! The formats that a document may have, one list; a name or the first octets of a document enter, its format leaves.

use std::path::Path;

use memchr::memchr;

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
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 8] =
        [Self::Text, Self::Html, Self::Css, Self::Markdown, Self::Mail, Self::Mbox, Self::Tex, Self::Xml];

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

    /// Whether [`Format::of_octets`] knows it.
    pub const fn is_told_by_octets(self) -> bool {
        !matches!(self, Self::Markdown | Self::Css | Self::Tex)
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
    /// What is not plain to see is [`Text`](Self::Text); [`Markdown`](Self::Markdown), [`Css`](Self::Css) and [`Tex`](Self::Tex)
    /// never are.
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
            (b"", Format::Text),
        ] {
            assert_eq!(Format::of_octets(first), Some(format), "{}", first.escape_ascii());
        }
        assert_eq!(Format::of_octets(b"h\0"), None);
    }
}
