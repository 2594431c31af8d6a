//! Documents that are longer than what the search holds at once: their links are those of a short
//! document, or a message says which are missing.

use std::ops::ControlFlow;

use locator_find::{Document, Finder, Format, Link, Location, PassedOver, Sink};

/// The links of a document and the messages about it.
#[derive(Default)]
struct Found {
    links: usize,
    /// A link that is not the one that was looked for.
    other: Option<String>,
    wanted: String,
    passed_over: Vec<(PassedOver, u64)>,
}

impl Sink for Found {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.links += 1;
        if link.url() != self.wanted {
            self.other.get_or_insert(link.url().chars().take(100).collect());
        }
        ControlFlow::Continue(())
    }

    fn passed_over(&mut self, place: &Location, why: PassedOver) {
        self.passed_over.push((why, place.span.start));
    }
}

/// Searches all of a document, in which every link is `wanted`.
fn found(format: Format, document: &[u8], wanted: &str) -> Found {
    let mut found = Found { wanted: wanted.to_owned(), ..Found::default() };
    let finder = Finder::new().all(true).bases(false);
    finder.find(&Document::new(format), &mut &*document, &mut found).expect("a slice can be read");
    assert_eq!(found.other, None, "{format:?}");
    found
}

/// Checks that a document has this number of links, all of which are `wanted`, and no message.
#[track_caller]
fn has(format: Format, document: &[u8], wanted: &str, links: usize) {
    let found = found(format, document, wanted);
    assert_eq!((found.links, found.passed_over), (links, Vec::new()), "{format:?}");
}

/// base64, which has no other use here.
fn base64(octets: &[u8], line: usize) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    let mut column = 0;
    for group in octets.chunks(3) {
        let bits =
            group.iter().fold(0, |bits, octet| bits << 8 | u32::from(*octet)) << (8 * (3 - group.len()));
        for at in 0..4 {
            if column == line {
                text.push_str("\n ");
                column = 0;
            }
            column += 1;
            let sextet = bits >> (18 - 6 * at) & 0x3F;
            text.push(if at <= group.len() { char::from(ALPHABET[sextet as usize]) } else { '=' });
        }
    }
    text
}

#[test]
fn a_long_base64_value_is_decoded_to_its_end() {
    let value = "http://h/\u{E9} ".repeat(200_000);
    for line in [usize::MAX, 76, 75] {
        let document = format!("dn: a=b\nb:: {}\nc: http://h/\u{E9}\n", base64(value.as_bytes(), line));
        has(Format::Ldif, document.as_bytes(), "http://h/\u{E9}", 200_001);
    }
    // No text: it is not decoded.
    let photo: Vec<u8> = b"\xFF\xD8 http://h/ ".repeat(40_000);
    let document = format!("dn: a=b\njpegPhoto:: {}\nb: http://h/\n", base64(&photo, 76));
    has(Format::Ldif, document.as_bytes(), "http://h/", 1);
}

#[test]
fn a_long_line_of_utf_16_is_decoded_to_its_end() {
    let text = format!("\u{FEFF}{}", "http://h/aaa \u{1F600}".repeat(60_000));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    has(Format::Text, &little, "http://h/aaa", 60_000);
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    has(Format::Text, &big, "http://h/aaa", 60_000);
}

#[test]
fn a_long_document_of_utf_16_is_decoded_to_its_end() {
    let text = format!("\u{FEFF}{}", "http://h/aaa \n\n".repeat(60_000));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for format in [Format::Tex, Format::Markdown, Format::Csv, Format::Roff] {
        has(format, &little, "http://h/aaa", 60_000);
    }
}

/// The limit of what is held: 16 MiB.
const LIMIT: usize = 16 << 20;

#[test]
fn a_long_comment_of_a_style_sheet_is_divided_at_white_space() {
    let text = "see http://host.example/path\n".repeat(23_000);
    has(Format::Css, format!("/*{text}*/").as_bytes(), "http://host.example/path", 23_000);
    has(Format::Css, format!("/*{text}").as_bytes(), "http://host.example/path", 23_000);
}

#[test]
fn a_long_word_in_a_page_is_held_to_its_end() {
    let url = format!("http://h/{}", "a".repeat(300_000));
    for (before, after) in
        [("<script>x=\"", "\"</script>"), ("<p>", "<br>"), ("<!--", "-->"), ("<textarea>", "</textarea>")]
    {
        let page = format!("{before}{url}{after}<p>{url}");
        has(Format::Html, page.as_bytes(), &url, 2);
    }
    has(Format::Css, format!("/*{url} {url}").as_bytes(), &url, 2);
    let page = format!("<p>{}", "http://h/&#32;".repeat(200_000));
    has(Format::Html, page.as_bytes(), "http://h/", 200_000);
}

#[test]
fn a_word_that_is_too_long_is_reported() {
    let long = "a".repeat(LIMIT);
    for (format, before, after) in [
        (Format::Html, "<p>", "<p>"),
        (Format::Html, "<!--", "-->"),
        (Format::Html, "<script>", "</script>"),
        (Format::Css, "/*", "*/"),
    ] {
        let document = format!("{before}http://i/{long} http://h/ {after}{before} http://h/ {after}");
        let found = found(format, document.as_bytes(), "http://h/");
        assert_eq!(found.passed_over, [(PassedOver::TooLong, before.len() as u64)], "{format:?} {before}");
        assert_eq!(found.links, 2, "{format:?} {before}");
    }
}

#[test]
fn a_text_with_too_many_references_is_reported() {
    let page = format!("<p>{}", "a&#32;".repeat(600_000));
    let found = found(Format::Html, page.as_bytes(), "");
    assert!(matches!(found.passed_over[..], [(PassedOver::Rest, _)]), "{:?}", found.passed_over);
}

#[test]
fn a_long_text_of_xml_is_divided_at_white_space() {
    let line = format!("{:99} ", "http://h/");
    let links = LIMIT / line.len() + 2_000;
    let text = line.repeat(links);
    has(Format::Xml, format!("<a>{text}</a>").as_bytes(), "http://h/", links);
    // The tag is not too long, the text before it is.
    for rest in [2, 9] {
        let before = " ".repeat(LIMIT - "<a>".len() - rest);
        has(Format::Xml, format!("<a>{before}<b href='http://h/'/></a>").as_bytes(), "http://h/", 1);
    }
    let section = format!("<![CDATA[{}]]>", line.repeat(LIMIT / line.len() - 1));
    let document = format!("<a>{section}{}</a>", "x".repeat(100_000));
    let found = found(Format::Xml, document.as_bytes(), "http://h/");
    assert!(matches!(found.passed_over[..], [(PassedOver::Divided, _)]), "{:?}", found.passed_over);
}
