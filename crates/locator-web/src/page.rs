//! A whole document, and the style sheet.

use maud::{DOCTYPE, Markup, html};

use crate::html::Html;
use crate::text::sentence;

/// The style sheet of all fragments: light or dark as the reader's system is, for wide screens and for
/// telephones. It is to be served as `text/css`, because a strict policy allows no inline style.
pub const STYLE: &str = include_str!("style.css");

/// Returns a document in English.
pub(crate) fn document(title: &str, style: &str, main: &Html) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (sentence(title)) }
                link rel="stylesheet" href=(style);
            }
            body {
                main { h1 { (sentence(title)) } (main) }
            }
        }
    }
}
