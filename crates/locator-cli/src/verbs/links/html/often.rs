//! The broken targets that several links lead to, the one with the most links first.

use std::cmp::Reverse;
use std::collections::HashMap;

use locator_links::{Site, Target, fragment_of};
use maud::{Markup, html};

use super::super::judged::Judged;
use super::texts::{code, shown};
use crate::output::progress::grouped;
use crate::report::plural;
use crate::terminal::secrets;

/// The broken targets.
#[derive(Debug, Default)]
pub(super) struct Often(HashMap<String, Dead>);

/// A broken target.
#[derive(Debug, Default)]
struct Dead {
    links: u64,
    documents: u64,
    /// The number of the last one that has a link to it.
    last: Option<usize>,
    what: String,
}

/// How many targets are listed.
const MOST: usize = 20;

impl Often {
    /// Adds a broken link of a document.
    pub(super) fn add(&mut self, site: &Site, judged: &Judged<'_>, document: usize) {
        let Some(target) = target(site, judged) else { return };
        let dead = self.0.entry(target).or_default();
        if dead.links == 0 {
            dead.what = shown(&judged.sentence());
        }
        dead.links += 1;
        dead.documents += u64::from(dead.last != Some(document));
        dead.last = Some(document);
    }

    /// Writes a table of the targets with several links.
    pub(super) fn section(&self) -> Markup {
        let mut all: Vec<_> = self.0.iter().filter(|(_, dead)| dead.links > 1).collect();
        all.sort_by_key(|(target, dead)| (Reverse(dead.links), *target));
        let left_out = all.len().saturating_sub(MOST) as u64;
        html! {
            @if !all.is_empty() {
                section aria-labelledby="often" {
                    h2 id="often" { "Broken targets that several links lead to" }
                    table.often {
                        caption.hidden { "Broken targets that several links lead to" }
                        thead {
                            tr {
                                th scope="col" { "Target" } th.number scope="col" { "Links" }
                                th.number scope="col" { "Documents" } th scope="col" { "What happened" }
                            }
                        }
                        tbody {
                            @for (target, dead) in all.iter().take(MOST) {
                                tr {
                                    th scope="row" { (code(&shown(target))) }
                                    td.number { (grouped(dead.links)) }
                                    td.number { (grouped(dead.documents)) }
                                    td { (dead.what) }
                                }
                            }
                        }
                    }
                    @if left_out > 0 { p.note { (plural(left_out, "other target")) " not listed here." } }
                }
            }
        }
    }
}

/// Returns the name of a target: a URL, or a path from the working directory if it is in it.
fn target(site: &Site, judged: &Judged<'_>) -> Option<String> {
    let file = match judged.link.target {
        Target::File(file) => file,
        _ => return judged.absolute(site).map(|url| secrets::redacted(&url).to_string()),
    };
    let path = site.files.path(file);
    let here = std::env::current_dir().ok();
    let path = here.as_deref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(&path);
    let fragment = fragment_of(judged.page.url(judged.link)).map(|fragment| format!("#{fragment}"));
    Some(path.to_string_lossy().into_owned() + &fragment.unwrap_or_default())
}
