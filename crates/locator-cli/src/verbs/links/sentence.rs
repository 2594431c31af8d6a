//! What a verdict says, in words.

use locator_links::{Code, Outcome, Verdict};

/// Returns what a verdict says, in words.
pub(super) fn sentence(verdict: &Verdict) -> String {
    let meaning = verdict.code.meaning();
    // The server's own words have the number.
    let meaning = meaning.split(" (").next().unwrap_or(meaning);
    let said = match (verdict.status, verdict.reason.as_deref()) {
        (Some(status), Some(reason)) if !reason.is_empty() => Some(format!("{status} {reason}")),
        (Some(status), _) => Some(status.to_string()),
        (None, reason) => reason.map(str::to_owned),
    };
    // A page that is there needs no words.
    let said =
        said.filter(|_| !matches!(verdict.status, Some(200..=299)) || verdict.outcome() == Outcome::Ok);
    let end = verdict.final_url().map(|url| format!(", after a redirect to {url}")).unwrap_or_default();
    match said {
        _ if verdict.code == Code::Redirected => {
            let status = verdict.hops.first().map(|hop| format!(" ({})", hop.status)).unwrap_or_default();
            format!("redirects to {}{status}", verdict.final_url().unwrap_or_default())
        }
        Some(said) => format!("{meaning} ({said}){end}"),
        None => format!("{meaning}{end}"),
    }
}
