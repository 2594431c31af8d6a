//! Texts of others in the report. The templates escape them.

use maud::{Markup, html};

use crate::output::progress::grouped;
use crate::terminal::visible::{decoded, visible};

/// Returns a name that is a link if there is somewhere to go. A checker is not to report it again.
pub(super) fn linked(text: &str, href: Option<&str>) -> Markup {
    html! {
        @match href {
            Some(href) => a href=(href) rel="noreferrer noopener" data-proofer-ignore { (code(text)) },
            None => (code(text)),
        }
    }
}

/// Returns a URL or a name of others. It is isolated from the text around it, so that letters that are written
/// from right to left move nothing else.
pub(super) fn code(text: &str) -> Markup {
    html! { code.text { (text) } }
}

/// Returns a text with codes for the characters that do not show themselves.
pub(super) fn shown(text: &str) -> String {
    decoded(&visible(text).to_string())
}

/// Returns how many links have which outcome, in words.
pub(super) fn words(numbers: impl Iterator<Item = (&'static str, u64)>) -> String {
    let some = numbers.filter(|(_, number)| *number > 0);
    some.map(|(name, number)| format!("{} {name}", grouped(number))).collect::<Vec<_>>().join(", ")
}
