//! The page of a mailto URL: the draft, and a link that opens it in the mail program. Nothing is sent.
//! Follows RFC 6068, section 7.

use locator::plan::{Draft, Local, Options, Step};
use locator::{Uri, UriRef, scheme};
use maud::{Markup, html};

use super::decode::Guess;
use super::errors::{ErrorPage, error_page};
use super::frame::Frame;
use super::links::Links;
use super::words::{beginning, preformatted, visible};

/// Returns the page of a mailto URL.
pub(in super::super) fn draft_page(links: &Links, url: UriRef<'_>) -> Vec<u8> {
    let plan = Uri::try_from(url).ok().and_then(|uri| scheme::plan(uri, &Options::new()).ok());
    let draft = plan.as_ref().and_then(|plan| {
        plan.all_steps().find_map(|step| match step {
            Step::Local(Local::Draft(draft)) => Some(draft),
            _ => None,
        })
    });
    match draft {
        Some(draft) => Frame::new(links, "Draft of a mail").of(url.as_str()).around(&content(draft)),
        None => {
            let error =
                ErrorPage { status: 400, title: "This is not a valid mailto URL", ..ErrorPage::default() };
            error_page(links, &ErrorPage { url: Some(url.as_str()), ..error })
        }
    }
}

fn content(draft: &Draft) -> Markup {
    let text = |octets: &[u8]| Guess::default().decode(octets).into_owned();
    html! {
        p { a.button href=(draft.to_url()) { "Open in the mail program" } }
        table.fields {
            caption.hidden { "Header of the draft" }
            tbody {
                @for to in &draft.to { (row("To", &text(to))) }
                @for (name, value) in &draft.fields { (row(&text(name), &text(value))) }
            }
        }
        @if !draft.dropped.is_empty() {
            @let dropped: Vec<_> = draft.dropped.iter().map(|name| text(name)).collect();
            p.verdict.warn { "Left out, because it could add recipients or forge a sender: " (visible(&dropped.join(", "))) }
        }
        h2 { "Text" }
        pre.message tabindex="0" { "\n" (preformatted(&text(&draft.body).replace("\r\n", "\n"))) }
    }
}

fn row(name: &str, value: &str) -> Markup {
    html! { tr { th scope="row" { (visible(beginning(name).0)) } td { bdi { (visible(value)) } } } }
}
