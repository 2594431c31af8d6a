//! Which links are mended, and how they are written: the cases of `testdata/links/mend.toml` and
//! `testdata/links/rewrite.toml`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use locator_dev::cases;
use locator_find::{Document, Finder, Format, Link};
use locator_links::mend::{LinkChange, RedirectScope, Replacement, moved_url, rewrite};
use locator_links::{Code, Hop, Verdict};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Moved {
    name: String,
    url: String,
    reference: Option<String>,
    /// Each redirect: the status, and the URL that it leads to.
    hops: Vec<String>,
    status: Option<u16>,
    code: Option<String>,
    scope: Option<String>,
    new: Option<String>,
    kept: Option<String>,
}

#[test]
fn moved_pages() {
    for case in cases::read::<Moved>("links/mend.toml") {
        let hops = case.hops.iter().map(|hop| {
            let (status, to) = hop.split_once(' ').unwrap();
            Hop { status: status.parse().unwrap(), to: to.to_owned() }
        });
        let code = case.code.as_deref().map_or(Code::Redirected, |code| Code::from_name(code).unwrap());
        let verdict =
            Verdict { status: Some(case.status.unwrap_or(200)), hops: hops.collect(), ..Verdict::new(code) };
        let scope =
            if case.scope.as_deref() == Some("any") { RedirectScope::Any } else { RedirectScope::Domain };
        let reference = case.reference.as_deref().unwrap_or(&case.url);
        let expected = case.new.ok_or(case.kept.unwrap_or_default());
        let got = moved_url(&case.url, reference, &verdict, scope).map_err(|kept| kept.name().to_owned());
        assert_eq!(got, expected, "{}", case.name);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    file: String,
    retrieved: Option<String>,
    document: String,
    /// The new URL of each link that is to be replaced.
    #[serde(default)]
    new: BTreeMap<String, String>,
    /// The new reference, where that is known.
    #[serde(default)]
    reference: BTreeMap<String, String>,
    /// What a link was when it was checked.
    #[serde(default)]
    old: BTreeMap<String, String>,
    result: String,
    #[serde(default)]
    kept: BTreeMap<String, String>,
}

/// Returns what is to change in a document.
fn changes(case: &Written, document: &Document, octets: &[u8]) -> Vec<LinkChange> {
    let mut changes = Vec::new();
    let mut take = |link: &Link<'_>| {
        let url = link.url();
        let new = case.new.get(url).cloned().map(Replacement::Url);
        let reference = case.reference.get(url).cloned().map(Replacement::Reference);
        if let Some(new) = new.or(reference) {
            let span = &link.place().span;
            let length = u32::try_from(span.end - span.start).unwrap();
            let old = case.old.get(url).map_or(url, String::as_str).to_owned();
            changes.push(LinkChange { offset: span.start, length, old, new });
        }
        ControlFlow::Continue(())
    };
    finder().find(document, &mut &*octets, &mut take).unwrap();
    changes.sort_by_key(|change| change.offset);
    changes
}

fn finder() -> Finder {
    let text = locator::text::Finder::new();
    Finder::new().text(text.patterns(true))
}

#[test]
fn documents() {
    for case in cases::read::<Written>("links/rewrite.toml") {
        let octets = cases::octets(&case.document);
        let mut document = Document::new(Format::of(Path::new(&case.file), &octets).unwrap());
        if let Some(url) = &case.retrieved {
            document = document.retrieved_by(url);
        }
        let changes = changes(&case, &document, &octets);
        let new = rewrite(&finder(), &document, &octets, &changes).unwrap();
        let text = |octets: &[u8]| octets.escape_ascii().to_string();
        assert_eq!(text(&new.octets), text(&cases::octets(&case.result)), "{}: {:?}", case.name, new.edits);
        let kept: BTreeMap<_, _> = changes
            .iter()
            .zip(&new.edits)
            .filter_map(|(change, edit)| Some((change.old.clone(), edit.as_ref().err()?.name().to_owned())))
            .collect();
        let expected =
            case.kept.iter().map(|(url, why)| (case.old.get(url).unwrap_or(url).clone(), why.clone()));
        assert_eq!(kept, expected.collect(), "{}", case.name);
        // Every octet that no edit names is as it was.
        let edits: Vec<_> = new.edits.iter().flatten().collect();
        let added: usize = edits.iter().map(|edit| edit.written.len()).sum();
        let removed: usize = edits.iter().map(|edit| edit.range.len()).sum();
        assert_eq!(new.octets.len() + removed, octets.len() + added, "{}", case.name);
    }
}
