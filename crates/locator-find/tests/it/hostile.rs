//! Documents designed to take long: many repetitions or deep nesting of every construct. Here each
//! search must end and report no link beyond the document; `scripts/measure/lengths` measures the
//! time at four times the length.

use std::ops::ControlFlow;

use locator_find::{Document, Finder, Format, Link};

mod pieces;

use pieces::{PARTS, PIECES, document};

/// The length of each document: 64 KiB.
const LENGTH: usize = 1 << 16;

#[test]
fn a_great_many_of_anything_come_to_an_end() {
    for format in Format::ALL {
        for piece in PIECES {
            search(format, "", piece);
        }
    }
}

#[test]
fn a_great_many_parts_come_to_an_end() {
    for (before, piece) in PARTS {
        for format in Format::ALL {
            search(format, before, piece);
        }
        search(Format::Mbox, &format!("From a\n{before}"), piece);
    }
}

fn search(format: Format, before: &str, piece: &str) {
    let text = document(before, piece, LENGTH);
    let document = Document::new(format).retrieved_by("http://h.example/");
    for all in [false, true] {
        let finder = Finder::new().json_ld(true).all(all);
        let found = finder.find(&document, &mut text.as_bytes(), &mut |link: &Link<'_>| {
            let place = &link.place().span;
            assert!(place.end <= text.len() as u64, "{format:?} {piece:?}");
            ControlFlow::Continue(())
        });
        assert!(found.is_ok(), "a text that is held can be read");
    }
}
