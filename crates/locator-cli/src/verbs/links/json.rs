//! The objects of `links --json`, key by key in their order.

use std::borrow::Cow;
use std::io;

use locator_links::Site;
use serde::Serialize;

use super::judged::Judged;
use super::numbers::Silenced;
use crate::output::Output;
use crate::report::json;
use crate::terminal::secrets;

/// Writes a link with its verdict.
pub(super) fn write(out: &mut Output, site: &Site, judged: &Judged<'_>) -> io::Result<()> {
    json::line(out, &LinkObject::new(site, judged))
}

/// Writes how much the documents, or files beside them, leave out.
pub(super) fn write_silenced(out: &mut Output, silenced: &Silenced) -> io::Result<()> {
    #[derive(Serialize)]
    struct LeftOutObject<'a> {
        left_out: &'a Silenced,
    }
    json::line(out, &LeftOutObject { left_out: silenced })
}

/// A link.
#[derive(Serialize)]
struct LinkObject<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    offset: u64,
    length: u32,
    url: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absolute: Option<String>,
    outcome: &'static str,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hops: Vec<HopObject>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken_since: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_fixed: Option<&'static str>,
}

/// A redirect.
#[derive(Serialize)]
struct HopObject {
    status: u16,
    url: String,
}

impl<'a> LinkObject<'a> {
    fn new(site: &Site, judged: &Judged<'a>) -> Self {
        let Judged { page, link, verdict, broken_since, mended, .. } = *judged;
        let hop = |hop: &locator_links::Hop| HopObject { status: hop.status, url: shown(&hop.to) };
        Self {
            file: &page.name,
            line: link.line,
            column: link.column,
            offset: link.offset,
            length: link.length,
            url: Cow::Owned(shown(page.url(link))),
            absolute: judged.absolute(site).map(|url| shown(&url)),
            outcome: verdict.outcome().name(),
            code: verdict.code.name(),
            status: verdict.status,
            reason: verdict.reason.as_deref(),
            hops: verdict.hops.iter().map(hop).collect(),
            end: verdict.final_url().map(shown),
            seen: verdict.seen.and_then(|seconds| locator_fetch::timestamp(at(seconds))),
            broken_since,
            suggestion: verdict.suggestion.as_deref(),
            fixed: mended.and_then(|mended| mended.as_ref().ok()).map(|new| shown(new)),
            not_fixed: mended.and_then(|mended| mended.as_ref().err()).map(|kept| kept.name()),
        }
    }
}

fn at(seconds: u64) -> std::time::SystemTime {
    std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)
}

/// Returns a URL with its secrets hidden.
fn shown(url: &str) -> String {
    secrets::redacted(url).to_string()
}
