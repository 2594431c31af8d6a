//! Which links can be mended, and how: takes a link with its verdict, returns the URL or the reference that
//! replaces it, or why the link is kept ([`replacement`]); and writes the replacements into the octets of a
//! document ([`rewrite`](rewrite())).
//!
//! A replacement must be right without anybody looking at it, so every doubt keeps a link as it is.
//!
//! ```
//! use locator_links::mend::{RedirectScope, moved_url};
//! use locator_links::{Code, Hop, Verdict};
//!
//! let mut verdict = Verdict::new(Code::Redirected);
//! verdict.status = Some(200);
//! verdict.hops = vec![Hop { status: 301, to: "https://h.de/b.html".into() }];
//! let new = moved_url("https://h.de/a.html", "https://h.de/a.html", &verdict, RedirectScope::Domain);
//! assert_eq!(new.as_deref(), Ok("https://h.de/b.html"));
//! ```

mod kept;
mod redirect;
mod rewrite;

pub use self::kept::{KeepReason, Replacement, keep_reason};
use self::redirect::moved_on_site;
pub use self::redirect::{RedirectScope, moved_url};
pub use self::rewrite::{LinkChange, MendedDocument, rewrite};
use crate::document::{LinkTarget, Page, PageLink};
use crate::outcome::{Code, Outcome, Verdict};
use crate::site::Site;

/// Returns what replaces a link, or why it is kept; `None` if there is nothing to mend.
#[must_use]
pub fn replacement(
    site: &Site,
    page: &Page,
    link: &PageLink,
    verdict: &Verdict,
    scope: RedirectScope,
) -> Option<Result<Replacement, KeepReason>> {
    match &link.target {
        LinkTarget::Url(id) => {
            let is_redirected = !verdict.hops.is_empty()
                && (verdict.outcome() == Outcome::Redirected || is_unsure(verdict.code));
            let url = site.urls.text(*id);
            is_redirected.then(|| moved_url(&url, page.url(link), verdict, scope).map(Replacement::Url))
        }
        LinkTarget::Site(target) if verdict.code == Code::SiteRedirect => {
            let from = &target.found.judgement.redirected_from;
            Some(moved_on_site(from, verdict).map(Replacement::Reference))
        }
        LinkTarget::File(_) | LinkTarget::Forge { .. } | LinkTarget::Site(_) => {
            let suggestion = verdict.suggestion.as_deref()?;
            let stem = page.url(link).split('#').next().unwrap_or_default();
            let reference = match suggestion.starts_with('#') {
                true => format!("{stem}{suggestion}"),
                false => suggestion.to_owned(),
            };
            Some(if verdict.is_sure { Ok(Replacement::Reference(reference)) } else { Err(KeepReason::Guess) })
        }
        LinkTarget::Known(_) => None,
    }
}

/// Returns whether a redirect ended at a page, of which something else is unknown.
const fn is_unsure(code: Code) -> bool {
    matches!(code, Code::Login | Code::RemoteAnchor | Code::ScriptAnchor | Code::UnreadAnchor)
}
