//! The page of an error: what failed, what the server said, and what to do.

use maud::html;

use super::frame::Frame;
use super::links::Links;
use super::words::{beginning, boundary, visible};

/// What an error page says.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ErrorPage<'a> {
    /// The status of the response, such as 404.
    pub(in super::super) status: u16,
    /// What failed, in a sentence without a period.
    pub(in super::super) title: &'a str,
    pub(in super::super) url: Option<&'a str>,
    /// What the server said, in its own words; or the text with the caret.
    pub(in super::super) reply: Option<&'a str>,
    /// What the reader can do, a sentence each.
    pub(in super::super) advice: &'a [&'a str],
}

/// Returns the page of an error.
pub(in super::super) fn error_page(links: &Links, error: &ErrorPage<'_>) -> Vec<u8> {
    let quoted = error.reply.map(str::trim_end).filter(|reply| !reply.is_empty());
    let content = html! {
        @if let Some(reply) = quoted {
            section.reading aria-labelledby="h-reply" {
                h2 #h-reply { "The reply" }
                // Of a long reply the beginning says what is wrong.
                @let (reply, is_cut) = cut(reply);
                pre tabindex="0" { @for line in reply.lines() { (visible(line)) "\n" } @if is_cut { "…" } }
            }
        }
        @if !error.advice.is_empty() {
            section.reading aria-labelledby="h-advice" {
                h2 #h-advice { "What you can do" }
                ul { @for advice in error.advice { li { (visible(advice)) } } }
            }
        }
        p.note { "Status " (error.status) }
    };
    let frame = Frame::new(links, beginning(error.title).0);
    let frame = error.url.map_or(Frame { ..frame }, |url| Frame { url: Some(url), ..frame });
    frame.around(&content)
}

/// How many octets of a reply are shown.
const LONGEST: usize = 8 * 1024;

fn cut(reply: &str) -> (&str, bool) {
    (&reply[..boundary(reply, LONGEST)], reply.len() > LONGEST)
}
