//! Texts of others in a template: takes a text, and returns it escaped, with a code in place of each
//! character that does not show itself.

use maud::{Markup, html};

use locator_web::report::visible::{legible, shows_itself};

/// Returns a text whose characters show themselves, those of others as codes.
pub(super) fn visible(text: &str) -> Markup {
    shown(text, shows_itself)
}

/// Returns a text that keeps its lines and tabs, for `pre`.
pub(super) fn preformatted(text: &str) -> Markup {
    shown(text, |c| matches!(c, '\n' | '\t') || shows_itself(c))
}

fn shown(text: &str, is_shown: impl Fn(char) -> bool) -> Markup {
    if text.chars().all(&is_shown) {
        return html! { (text) };
    }
    let mut rest = text;
    html! {
        @while !rest.is_empty() {
            @let end = rest.find(|c| !is_shown(c)).unwrap_or(rest.len());
            @let (run, after) = rest.split_at(end);
            (run)
            @let end = after.find(&is_shown).unwrap_or(after.len());
            @let (codes, after) = after.split_at(end);
            @if !codes.is_empty() { span.code { (legible(codes).to_string()) } }
            ({ rest = after; "" })
        }
    }
}

/// Returns a URL or a part of one. It is isolated from the text around it, so that letters that are written
/// from right to left move nothing else.
pub(super) fn code(text: &str) -> Markup {
    html! { code.text { (visible(text)) } }
}

/// Returns a name of others, isolated from the text around it.
pub(super) fn name(text: &str) -> Markup {
    html! { @if text.trim().is_empty() { span.none { "(no name)" } } @else { bdi { (visible(text)) } } }
}

/// Returns where a text can be divided, at most here, without dividing a character.
pub(super) fn boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

/// How many characters of a name are shown.
const LONGEST: usize = 500;

/// Returns the beginning of a long text, and whether that is not all of it.
pub(super) fn beginning(text: &str) -> (&str, bool) {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => (&text[..end], true),
        None => (text, false),
    }
}
