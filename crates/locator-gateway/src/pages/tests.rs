//! Tests of the pages.

mod forms;
mod reader;
mod recorded;
mod safe;

use locator::plan::ObjectKind;
use locator::{UriRef, edition};

use super::{Links, Object, ObjectPage};

fn gateway() -> Links {
    Links::gateway(String::new())
}

fn object<'a>(url: &'a str, kind: ObjectKind, media_type: Option<&'a str>) -> Object<'a> {
    let url = UriRef::parse(url).unwrap();
    Object { url, edition: edition::DEFAULT, kind, media_type, max_hits: 40 }
}

/// Returns the page of a body that comes in pieces of this size.
fn page_in(object: &Object<'_>, body: &[u8], size: usize, links: Links) -> String {
    let mut page = ObjectPage::new(object, &body[..body.len().min(8192)], links);
    let mut out = page.begin();
    for piece in body.chunks(size) {
        out.extend(page.push(piece));
        if page.is_complete() {
            break;
        }
    }
    out.extend(page.end());
    String::from_utf8(out).unwrap()
}

fn page(object: &Object<'_>, body: &[u8]) -> String {
    page_in(object, body, body.len().max(1), gateway())
}
