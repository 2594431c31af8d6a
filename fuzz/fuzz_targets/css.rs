//! Any bytes as a style sheet: every link is a range of the sheet, in order and not empty.
#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use locator_find::{Document, Finder, Format, Link};

fuzz_target!(|sheet: &[u8]| {
    let mut previous = 0;
    let mut check = |link: &Link<'_>| {
        let span = &link.place().span;
        assert!(previous <= span.start && span.start < span.end && span.end <= sheet.len() as u64, "{span:?}");
        assert_eq!(link.written(), &sheet[span.start as usize..span.end as usize]);
        assert!(!link.url().is_empty());
        previous = span.end;
        ControlFlow::Continue(())
    };
    Finder::new().find(&Document::new(Format::Css), &mut &*sheet, &mut check).expect("a slice can be read");
});
