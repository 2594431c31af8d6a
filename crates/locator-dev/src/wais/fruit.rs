//! A database of a few documents that show what identifiers, types and sizes can be.

use super::database::{Database, Document, identifier};

/// Returns the database "fruit". Each of its documents is found by "apple", and each but the last one by a
/// word of its own: banana, pears, long, nul, latin, semicolon, tab, picture.
#[must_use]
pub fn fruit() -> Database {
    let name = "/srv/wais/fruit";
    let document = |path: &[u8], score, headline: &str, text: Vec<u8>| Document {
        identifier: identifier(
            Some("localhost:210"),
            name,
            &[format!("0 {} ", text.len()).as_bytes(), path].concat(),
        ),
        headline: headline.into(),
        score,
        contents: vec![("TEXT".into(), text)],
        date: "0".into(),
        words: "apple".into(),
    };
    let text = |lines: &str| lines.as_bytes().to_vec();
    let mut picture =
        document(b"/fruit/picture", 300, "A picture of an apple", text("The picture is not seen.\n"));
    picture.contents.push(("GIF".into(), b"GIF89a\x01\0\x01\0\0\0\0;".into()));
    picture.date = "950131".into();
    let documents = vec![
        document(b"/fruit/banana.txt", 1000, "Bananas", text("A banana is not an apple.\n")),
        document(
            b"/fruit/apple.txt",
            900,
            "Apples and pears",
            text("Apples and pears\nPears are not apples.\n"),
        ),
        document(b"/fruit/long.txt", 800, "A long text", long()),
        document(b"/fruit/\0\x01", 700, "NUL in the identifier", text("The name contains nul.\n")),
        document(
            b"/fruit/caf\xE9\xFF",
            600,
            "Latin 1 in the identifier",
            text("The name is in latin letters.\n"),
        ),
        document(
            b"/a;b=c/d?e#f%41+g h",
            500,
            "Delimiters: ; = / ? # % + and a space",
            text("A semicolon is one.\n"),
        ),
        document(b"/fruit/tab", 400, "A headline\twith a tab\nand two lines", text("A tab.\n")),
        picture,
        document(b"/fruit/empty", 200, "An empty document", Vec::new()),
    ];
    let catalog =
        documents.iter().flat_map(|document| [document.headline.as_slice(), b"\n"].concat()).collect();
    Database { name: name.into(), documents, catalog }
}

/// A text of more than 100 KB, whose lines are numbered.
fn long() -> Vec<u8> {
    (0..4_000).flat_map(|number| format!("{number:5} a line of the long text\n").into_bytes()).collect()
}
