//! Articles in files: takes a news URL of an article, returns the plan that looks it up in the files
//! of `--messages`, if one has it. Follows "news" of the draft of 1994.

use locator::UriRef;
use locator::plan::{Local, LookUp, Plan, Step};
use locator::scheme::{News, NewsUrl};

use super::person::Person;
use crate::report::failure::Failure;

/// Returns the plan of an article that a file has; then nothing is sent.
///
/// "A news URL may be dereferenced using NNTP (RFC977, Kantor 86) (The ARTICLE by message-id command )
/// or using any other protocol for the conveyance of usenet news articles, or by reference to a body of
/// news articles already received." (draft of 1994)
pub(super) fn look_up(person: &Person, url: UriRef<'_>) -> Result<Option<Plan>, Failure> {
    let Ok(NewsUrl { news: News::Article(id), .. }) = NewsUrl::of(url) else { return Ok(None) };
    let what = LookUp { message_id: Some(id.decode().into_owned()), content_id: None };
    let has_it = person.keep(&what).map_err(|why| Failure::other("file", why.to_string()))?;
    Ok(has_it.then(|| Plan::new().then(Local::LookUp(what))))
}

/// Returns whether a plan only looks something up.
pub(super) fn is_look_up(plan: &Plan) -> bool {
    plan.steps().all(|step| matches!(step, Step::Local(Local::LookUp(_))))
}
