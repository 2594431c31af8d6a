//! Texts of others in HTML: takes a text, and returns it escaped, with a code in place of each
//! character that does not show itself.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

use crate::report::visible::{legible, shows_itself};
use locator::Redacted;
use maud::{Markup, html};

/// Returns a text whose characters show themselves, those of others as codes.
pub(crate) fn visible(text: &str) -> Markup {
    if text.chars().all(shows_itself) {
        return html! { (text) };
    }
    let shown: Vec<_> = text.chars().collect();
    html! {
        @for run in shown.chunk_by(|one, other| shows_itself(*one) == shows_itself(*other)) {
            @let text = run.iter().collect::<alloc::string::String>();
            @if run.first().is_some_and(|c| shows_itself(*c)) { (text) }
            @else { span.code { (legible(&text).to_string()) } }
        }
    }
}

/// Returns the text of a URL or of a part of one. Its letters are isolated from the text around it, so
/// that those that are written from right to left move nothing else.
pub(crate) fn code(text: &str) -> Markup {
    match text {
        "" => html! { span.none { "(empty)" } },
        text => html! { code.text { (visible(text)) } },
    }
}

/// Returns a URL with marks: ranges with a class each, from left to right.
pub(crate) fn marked(url: &Redacted<'_>, marks: &[(Range<usize>, &str)]) -> Markup {
    let mut at = 0;
    let mut pieces = Vec::new();
    for (range, class) in marks.iter().filter(|(range, _)| !range.is_empty()) {
        if range.start >= at {
            pieces.push((url.slice(at..range.start), ""));
            pieces.push((url.slice(range.clone()), class));
            at = range.end;
        }
    }
    pieces.push((url.slice(at..url.as_str().len()), ""));
    html! {
        @for (piece, class) in pieces {
            @if class.is_empty() { (visible(&piece)) } @else { mark class=(class) { (visible(&piece)) } }
        }
    }
}

/// Returns a sentence, which may quote a URL.
pub(crate) fn sentence(text: &str) -> Markup {
    visible(text)
}
