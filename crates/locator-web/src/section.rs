//! What every section has: a heading that names it, and an element that can be linked to.

use maud::{Markup, html};

/// Returns a section with a heading. `id` is unique in a page.
pub(crate) fn section(id: &str, title: &str, body: &Markup) -> Markup {
    html! {
        section.reading id=(id) aria-labelledby={ "h-" (id) } {
            h2 id={ "h-" (id) } { (title) }
            (body)
        }
    }
}

/// Returns a table in a box that scrolls where the table is too wide. `names` are those of the columns.
pub(crate) fn table(caption: &str, names: &[&str], rows: &Markup) -> Markup {
    captioned(caption, false, names, rows)
}

/// Returns a table whose caption is only for those that hear it: the heading above it has the same words.
pub(crate) fn table_below_heading(caption: &str, names: &[&str], rows: &Markup) -> Markup {
    captioned(caption, true, names, rows)
}

fn captioned(caption: &str, is_heading: bool, names: &[&str], rows: &Markup) -> Markup {
    html! {
        div.scroll role="group" aria-label=(caption) tabindex="0" {
            table {
                caption class=[is_heading.then_some("hidden")] { (caption) }
                thead { tr { @for name in names { th scope="col" { (name) } } } }
                tbody { (rows) }
            }
        }
    }
}
