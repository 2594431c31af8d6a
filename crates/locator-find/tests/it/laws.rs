//! Properties of every document, including malformed ones: no search panics, every link is at its
//! reported position, and a rewritten document has exactly the new links.

mod position;
mod rewritten;

use locator_find::Format;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces that are combined at random to documents.
const PIECES: &[&[u8]] = &[
    b"http://a.example/b",
    b"cid:c@d",
    b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n",
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
    b"{\"a\": ",
    b"\\u0026",
    b"\\ud83d\\ude00",
    b"\\/",
    b"\\n",
    b"\"\"",
    b",",
    b";",
    b"sep=;\n",
    b"\\fB",
    b"\\-",
    b"\\(ti",
    b"\\[u00E9]",
    b"\\s+[2]",
    b"\\h'\\w'x'u'",
    b"\\c\n",
    b"\\\n",
    b"\\*[a]",
    b".ds a \\fBhttp://a.example/\n",
    b".UR ",
    b".MT a@b\n",
    b".BR ",
    b".It Lk ",
    b" Ns ",
    b".de x\n",
    b"..\n",
    b".ec @\n",
    b".TS\ntab(;);\n",
    b"T{\n",
    b"T}",
    b".if n .B ",
    b"\\,",
    b"\r\n ",
    b"\n\t",
    b"<A to='b' c={",
    b"<a href={'b'}>",
    b"{",
    b"}",
    b"{/*",
    b"*/}",
    b"`${",
    b"import a from './b.md'\n",
    b"export {",
    b"<script>",
    b"</script>",
    b"<a :href=\"'b'\">",
    b"<meta property=og:image content=",
    b"{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"",
    b"]}",
    b"a:: ",
    b"dn: a=b\n",
    b"BEGIN:VCARD\n",
    b" \n",
    b".. _a: ",
    b".. image:: ",
    b".. toctree::\n\n   ",
    b"   :target: ",
    b".. note::\n",
    b"::\n\n",
    b":ref:`",
    b"`_ ",
    b"`a <",
    b">`_",
    b"a_ ",
    b"====\n",
    b"xref:",
    b"link:",
    b"image::",
    b"include::",
    b"[[",
    b"]]",
    b"[#a]",
    b"<<",
    b">>",
    b":a: b\n",
    b"{a}",
    b"----\n",
    b"....\n",
    b"`+",
    b"+`",
    b"#+BEGIN_SRC\n",
    b"#+END_SRC\n",
    b"#+INCLUDE: \"",
    b"#+LINK: a b\n",
    b"[[file:",
    b"][",
    b"~",
    b":CUSTOM_ID: a\n",
    b"{ref}`",
    b"(a)=\n",
    b"```{note}\n",
    b"```{image} ",
    b"* a\n",
];

/// Formats that are read piece by piece, as running text with escapes.
const STREAMED: &[Format] =
    &[Format::Text, Format::Roff, Format::Csv, Format::Tsv, Format::Json, Format::ICalendar, Format::Ldif];

fn documents() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_link_is_at_its_reported_position(octets in documents(), format in select(&Format::ALL[..])) {
        position::check(format, &octets);
    }

    #[test]
    fn any_octets_have_a_format(octets in documents()) {
        if let Some(format) = Format::of_octets(&octets) {
            position::check(format, &octets);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_rewritten_document_has_exactly_the_new_links(octets in documents(), format in select(&Format::ALL[..])) {
        rewritten::check(format, &octets);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn pieces_have_the_links_of_the_whole(octets in documents(), format in select(STREAMED)) {
        position::check_pieces(format, &octets);
    }
}
