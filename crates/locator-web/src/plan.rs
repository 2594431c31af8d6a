//! The plan to fetch a URL, as the dialogue of a client with a server. Nothing is sent.

use alloc::string::{String, ToString};

use locator::plan::{Options, Plan, PlanError};
use locator::scheme;
use maud::{Markup, html};

use crate::section;
use crate::subject::Subject;
use crate::text::sentence;

/// Returns the section; empty for a URL that is not valid.
pub(crate) fn section(subject: &Subject<'_>, options: &Options<'_>) -> Markup {
    let Some(reference) = subject.reference() else { return html! {} };
    let body = match scheme::plan(reference, options) {
        Ok(plan) => dialogue(&plan, subject.shows_secrets),
        Err(error) => refused(&error),
    };
    section::section("plan", "What would be sent", &body)
}

/// The lines; what the client sends is `kbd`.
fn dialogue(plan: &Plan, shows_secrets: bool) -> Markup {
    let dialogue: String = if shows_secrets { alloc::format!("{plan:#}") } else { plan.to_string() };
    html! {
        p.note { "A line C: is sent by the client, a line S: lists the replies that it expects. Nothing was sent." }
        pre.dialogue tabindex="0" {
            @for line in dialogue.lines() {
                @let text = line.trim_start();
                (line[..line.len() - text.len()])
                @match text.strip_prefix("C: ") {
                    Some(said) => { span.none { "C: " } kbd { (sentence(said)) } },
                    None if text.starts_with("S: ") => span.none { (sentence(text)) },
                    None => (sentence(text)),
                }
                "\n"
            }
        }
    }
}

fn refused(error: &PlanError) -> Markup {
    html! { p { "There is no plan: " (sentence(&error.to_string())) "." } }
}
