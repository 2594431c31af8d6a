//! Checks that a rewritten document has exactly the new links, in their order and at their places, and every other
//! octet as it was. Used by the tests and the fuzz target.

use std::ops::{ControlFlow, Range};

use locator_find::{Document, Finder, Format, Link};

/// What every link gets, one after the other: each has delimiters that some place must escape.
const NEW: [&str; 6] = [
    "https://new.example/",
    "https://new.example/a?x=1&y=2",
    "http://n.example/(a)/b'c",
    "/a_b/*c*,d;e=f",
    "../x#%20y",
    "https://[2001:db8::1]/~$!@:",
];

/// Rewrites two of three links of a document, and reads the result.
pub(crate) fn check(format: Format, octets: &[u8]) {
    let document = Document::new(format).retrieved_by("http://h/d/");
    let finder = Finder::new();
    let before = links(&finder, &document, octets);
    let (mut count, mut wanted) = (0, Vec::new());
    let new = finder.rewrite(&document, octets, &mut |link| {
        count += 1;
        let new = (count % 3 > 0).then(|| NEW[count % NEW.len()].to_owned());
        wanted.push((link.url().to_owned(), new.clone()));
        new
    });
    let new = new.expect("memory can be read");
    assert_eq!(before.len(), wanted.len());
    let mut results = new.links.iter();
    let mut expected = Vec::new();
    for (old, reference) in &wanted {
        match reference.as_ref().map(|reference| (reference, results.next().expect("a result"))) {
            Some((reference, Ok(link))) => {
                assert_eq!(*reference, link.reference);
                expected.push(reference.clone());
            }
            _ => expected.push(old.clone()),
        }
    }
    assert_eq!(results.next(), None);
    let after = links(&finder, &document, &new.octets);
    assert_eq!(after.iter().map(|(url, _)| url.clone()).collect::<Vec<_>>(), expected);
    // What no edit names is as it was.
    let mut edits: Vec<_> = new.links.iter().flatten().collect();
    edits.sort_by_key(|edit| edit.range.start);
    let (mut written, mut at) = (Vec::new(), 0);
    for edit in edits {
        written.extend_from_slice(&octets[at..edit.range.start]);
        written.extend_from_slice(&edit.written);
        at = edit.range.end;
    }
    written.extend_from_slice(&octets[at..]);
    assert_eq!(written, new.octets);
}

fn links(finder: &Finder, document: &Document, octets: &[u8]) -> Vec<(String, Range<u64>)> {
    let mut links = Vec::new();
    let mut sink = |link: &Link<'_>| {
        links.push((link.url().to_owned(), link.place().span.clone()));
        ControlFlow::Continue(())
    };
    let found = finder.find_seekable(document, &mut std::io::Cursor::new(octets), &mut sink);
    found.expect("memory can be read");
    links
}
