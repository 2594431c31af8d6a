//! The links of a page that leads to files: takes a page of HTTP, returns what is below the start.

use std::ops::ControlFlow;
use std::path::Path;

use locator::{BaseStack, UriRef, UriRefBuf};
use locator_find::{Document, Finder, Format, Link};

use super::item::{Item, ItemKind, Listing};
use super::scope::{Scope, path_of};

/// Returns the items of a page at a URL that ends with "/", whose folder has this path. A page that a server
/// has not generated as a listing is itself an item, `index.html`.
pub(super) fn items(
    scope: &Scope,
    (url, bases): (UriRef<'_>, BaseStack),
    path: &Path,
    page: &[u8],
) -> Listing {
    let mut listing = Listing::default();
    if !is_generated(page, url) {
        let mut index = Item::new(url.to_owned(), path.join("index.html"), b"index.html", ItemKind::File);
        index.unique = Some([b"index.html ", url.as_str().as_bytes()].concat());
        listing.items.push(index);
    }
    let document = Document::new(Format::Html).within(bases);
    let mut outside = 0_u64;
    let mut take = |link: &Link<'_>| {
        let target = link.resolved().ok().and_then(|resolved| Some(resolved.uri()?.to_string()));
        let Some(target) = target.and_then(|target| UriRefBuf::parse(&target).ok()) else {
            return ControlFlow::Continue(());
        };
        match item(scope, target.as_uri_ref()) {
            Ok(Some(item)) => listing.items.push(item),
            Ok(None) => {}
            Err(_) if scope.below(target.as_uri_ref()).is_err() => outside += 1,
            Err(why) => listing.skip(target.as_str(), why),
        }
        ControlFlow::Continue(())
    };
    // A slice can be read.
    let _ = Finder::new().find(&document, &mut &*page, &mut take);
    if outside > 0 && !is_generated(page, url) {
        let links = if outside == 1 { "1 link leads".into() } else { format!("{outside} links lead") };
        listing.skip(url.as_str(), format!("{links} out of the directory that the walk began with"));
    }
    listing
}

/// Returns the item of a URL of HTTP; `None` for the start, and for another order of its listing.
pub(super) fn item(scope: &Scope, url: UriRef<'_>) -> Result<Option<Item>, String> {
    let url = url.without_fragment();
    let mut names = scope.below(url)?;
    let is_directory = names.pop_if(|name| name.is_empty()).is_some();
    let Some(name) = names.last() else { return Ok(None) };
    if url.query().is_some() {
        // `?C=M;O=D` is a directory in another order.
        return if is_directory { Ok(None) } else { Err("it has a query".into()) };
    }
    let kind = if is_directory { ItemKind::Directory } else { ItemKind::File };
    Ok(Some(Item::new(url.to_owned(), path_of(&names)?, name, kind)))
}

/// Returns whether a page is the listing of a directory that a server has made: its title says so, as those
/// of Apache, nginx, lighttpd, Python, Jetty and Caddy do.
fn is_generated(page: &[u8], url: UriRef<'_>) -> bool {
    let start = String::from_utf8_lossy(page.get(..page.len().min(4096)).unwrap_or_default());
    let lower = start.to_ascii_lowercase();
    let Some(at) = lower.find("<title>") else { return false };
    let title = start.get(at + "<title>".len()..).unwrap_or_default();
    let title = title.split('<').next().unwrap_or_default().trim();
    let words = ["index of ", "directory listing ", "directory: ", "listing of ", "contents of "];
    let is_path =
        locator::PctStr::new(url.path().as_str()).is_ok_and(|path| *path.decode() == *title.as_bytes());
    is_path || words.iter().any(|word| title.to_ascii_lowercase().starts_with(word))
}
