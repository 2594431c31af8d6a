//! What holds for every document, also one that is none of its format: nothing panics, and every link stands where it says.

use std::ops::ControlFlow;

use locator_find::{Anchor, Document, Finder, Format, Link, Place, Sink};
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of which documents are made, put together without sense.
const PIECES: &[&[u8]] = &[
    b"http://a.example/b",
    b"cid:c@d",
    b"../e?f#g",
    b"<",
    b">",
    b"</",
    b"/>",
    b"<a href=\"",
    b"<a href='x'>",
    b"\"",
    b"'",
    b"=",
    b"&amp;",
    b"&#x41;",
    b"&",
    b";",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<?xml version='1.0' encoding='iso-8859-1'?>",
    b"<?",
    b"?>",
    b"<!DOCTYPE ",
    b"<rss>",
    b"<link>",
    b"</link>",
    b"<feed xml:base='h/'>",
    b"<content type='html'>",
    b"<svg xmlns='http://www.w3.org/2000/svg'>",
    b"<style>",
    b"url(",
    b")",
    b"(",
    b"[",
    b"](",
    b"]: ",
    b"![",
    b"`",
    b"```\n",
    b"*",
    b"_",
    b"# ",
    b"> ",
    b"- ",
    b"| a |\n|--|\n",
    b"    ",
    b"\\",
    b"---\n",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\t",
    b" ",
    b"\0",
    b"\xFF",
    b"\xC3\xA9",
    b"\xE6\xBC",
    b"\xFF\xFE",
    b"From ",
    b">From ",
    b"\nFrom a\n",
    b"Content-Type: multipart/mixed; boundary=b\n",
    b"Content-Type: message/rfc822\n\n",
    b"Content-Type: text/html; charset=shift_jis\n",
    b"Content-Type: text/plain; format=flowed; delsp=yes\n",
    b"Content-Type: message/external-body; access-type=url; url=\"",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Base: http://h.example/\n",
    b"Content-Location: i/\n",
    b"Content-ID: <c@d>\n",
    b"Message-ID: <j@k>\n",
    b"mid:j@k/c@d",
    b"List-Help: <",
    b"Subject: =?utf-8?q?",
    b"=?utf-8?b?",
    b"?=",
    b"--b\n",
    b"--b--\n",
    b"=\n",
    b"=3D",
    b"=C3",
    b"aHR0cDovL2EuZXhhbXBsZS8",
    b"\\verb+",
    b"+",
    b"\\_",
    b"\\~{}",
    b"\\textasciitilde ",
    b"==",
    b" \n",
];

fn documents() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_link_stands_where_it_says(octets in documents(), format in select(&Format::ALL[..])) {
        check(format, &octets);
    }

    #[test]
    fn a_format_is_told_of_any_octets(octets in documents()) {
        if let Some(format) = Format::of_octets(&octets) {
            check(format, &octets);
        }
    }
}

fn check(format: Format, octets: &[u8]) {
    let document = Document::new(format).retrieved_by("http://h.example/d/");
    let found = Finder::new().find(&document, &mut &*octets, &mut Checked { octets });
    assert!(found.is_ok(), "octets that are held can be read");
}

struct Checked<'d> {
    octets: &'d [u8],
}

impl Checked<'_> {
    fn check(&self, place: &Place) -> &[u8] {
        let (start, end) = (place.span.start as usize, place.span.end as usize);
        let before = &self.octets[..start];
        let line = before.iter().filter(|octet| **octet == b'\n').count() + 1;
        let column = before.rsplit(|octet| *octet == b'\n').next().map_or(0, <[u8]>::len) + 1;
        assert_eq!((place.line, place.column), (line as u64, column as u64));
        &self.octets[start..end]
    }
}

impl Sink for Checked<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let written = self.check(link.place());
        // What is not UTF-8 in XML is told with a substitute in its place.
        let is_same = |(told, stands): (&u8, &u8)| told == stands || *told == 0x1A;
        assert_eq!(link.written().len(), written.len());
        assert!(link.written().iter().zip(written).all(is_same), "{:?} {:?}", link.written(), written);
        if let Some(part) = link.part() {
            self.check(part);
        }
        let _ = link.resolved();
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.check(&anchor.place);
    }
}
