//! What is below a URL: lists a directory of FTP or of this machine, a menu of Gopher or the links of a page of
//! HTTP, and returns its items. What is not followed is returned with the reason.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::SystemTime;
use std::{fs, io};

use locator::plan::{Listing as Form, ObjectKind};
use locator::scheme::{FtpUrl, GopherUrl};
use locator::{BaseStack, Uri, UriRef, UriRefBuf};
use locator_fetch::blocking::{Fetcher, Response};
use locator_fetch::entries::{self, Entry, EntryKind};
use locator_fetch::save::escaped_name;
use locator_find::{Document, Finder, Format, Link};

use super::folder::{Item, ItemKind, Listing};
use super::scope::{Scope, path_of};
use super::state::{Walk, Walking};
use crate::input::Input;
use crate::report::failure::Failure;
use crate::verbs::get::error::{Failed, TransferError};

/// The beginning of a walk.
pub(super) struct Begun {
    /// The folder to save to.
    pub(super) folder: PathBuf,
    pub(super) scope: Scope,
    /// The items of the start.
    pub(super) listing: Listing,
    /// Whether the ftp server may know `MLSD`.
    pub(super) has_facts: bool,
}

/// The most octets of a listing.
const LONGEST: usize = 64 << 20;

fn refused(why: &str) -> TransferError {
    Failure::other("not-supported-here", why.into()).into()
}

/// Adds to the error of a server that finds no directory that it may be a file.
fn not_a_directory(trouble: TransferError) -> TransferError {
    match trouble {
        TransferError::Failed(failed) if failed.is_said => {
            let why = format!("{}; -r needs a directory, and -O saves a file", failed.why);
            TransferError::Failed(Failed { why: Failure::other("missing", why), ..failed })
        }
        trouble => trouble,
    }
}

/// Lists the start of a walk.
pub(super) fn begin(walking: &Walking<'_>, input: Input<'_>) -> Result<Begun, TransferError> {
    let getter = walking.getter;
    let given = getter.url(input.octets)?;
    let url = given.as_uri_ref();
    let scheme = url.scheme().map(|scheme| scheme.lowercase().to_string()).unwrap_or_default();
    let begun = |folder, scope, listing, has_facts| Ok(Begun { folder, scope, listing, has_facts });
    match &*scheme {
        "ftp" | "ftps" => {
            let folder = folder(walking, url, input.number)?;
            let listed = list_ftp(walking, &getter.fetcher, url, Path::new(""), true);
            let (listing, has_facts) = listed.map_err(not_a_directory)?;
            begun(folder, Scope::Ftp, listing, has_facts)
        }
        "file" => {
            let folder = folder(walking, url, input.number)?;
            let listing = list_local(walking, &getter.fetcher, url, Path::new(""))?;
            begun(folder, Scope::File, listing, false)
        }
        "gopher" => {
            let kind =
                GopherUrl::of(url).ok().and_then(|gopher| gopher.kind).map(|kind| kind.as_str() == "1");
            if kind == Some(false) {
                return Err(refused("the URL is not a menu (type 1); use -O to save a file"));
            }
            let folder = folder(walking, url, input.number)?;
            let scope = Scope::gopher(url).ok_or_else(|| refused("the URL is not a menu"))?;
            let listing = list_menu(walking, &getter.fetcher, &scope, url)?;
            begun(folder, scope, listing, false)
        }
        "http" | "https" => {
            let (page, body) = fetch(walking, &getter.fetcher, url, Form::Names)?;
            let scope =
                Scope::http(page.as_uri_ref()).filter(|_| page.as_uri_ref().path().as_str().ends_with('/'));
            let Some((scope, body)) = scope.zip(body.filter(|body| body.is_page)) else {
                return Err(refused("the URL is a file, not a directory; use -O to save it"));
            };
            let folder = folder(walking, page.as_uri_ref(), input.number)?;
            let listing = page_items(&scope, (page.as_uri_ref(), body.bases), Path::new(""), &body.octets);
            begun(folder, scope, listing, false)
        }
        _ => Err(refused("-r fetches ftp, ftps, gopher, file, http and https URLs only")),
    }
}

impl Walk<'_, '_> {
    /// Lists a directory.
    pub(super) fn list(&self, fetcher: &Fetcher, item: &Item) -> Result<Listing, TransferError> {
        let url = item.url.as_uri_ref();
        let listing = match &self.scope {
            Scope::Ftp => {
                let may_have_facts = self.has_facts.load(Ordering::Relaxed);
                let (listing, has_facts) = list_ftp(self.walking, fetcher, url, &item.path, may_have_facts)?;
                self.has_facts.store(has_facts, Ordering::Relaxed);
                listing
            }
            Scope::File => self.list_local(fetcher, item)?,
            Scope::Gopher(..) => list_menu(self.walking, fetcher, &self.scope, url)?,
            Scope::Http(..) => self.list_page(fetcher, item)?,
        };
        if let Some(folder) = &self.folder {
            folder.directory(&item.path)?;
        }
        Ok(listing)
    }

    fn list_local(&self, fetcher: &Fetcher, item: &Item) -> Result<Listing, TransferError> {
        let url = item.url.as_uri_ref();
        let path = Uri::parse(url.as_str()).ok().and_then(|uri| uri.to_file_path().ok());
        if path.is_some_and(|path| self.folder.as_ref().is_some_and(|folder| folder.is(&path))) {
            let mut listing = Listing::default();
            listing.skip(url.as_str(), "it is the folder that the walk saves to");
            return Ok(listing);
        }
        list_local(self.walking, fetcher, url, &item.path)
    }

    fn list_page(&self, fetcher: &Fetcher, item: &Item) -> Result<Listing, TransferError> {
        let url = item.url.as_uri_ref();
        let (page, body) = fetch(self.walking, fetcher, url, Form::Names)?;
        let Some(body) = body else {
            return Ok(self.redirected(item, &page));
        };
        if !body.is_page {
            let mut listing = Listing::default();
            listing.skip(url.as_str(), "it is neither a page nor a file with a name");
            return Ok(listing);
        }
        Ok(page_items(&self.scope, (url, body.bases), &item.path, &body.octets))
    }

    /// Returns the item that a redirect leads to, unless that is outside.
    pub(super) fn redirected(&self, item: &Item, target: &UriRefBuf) -> Listing {
        let mut listing = Listing::default();
        match page_item(&self.scope, target.as_uri_ref()) {
            Ok(Some(target)) => listing.items.push(target),
            Ok(None) => {}
            Err(why) => {
                let target = target.as_uri_ref().redacted().to_string();
                listing.skip(item.url.as_str(), format!("it redirects to {target}: {why}"));
            }
        }
        listing
    }
}

/// The body of a listing.
struct ListingBody {
    kind: ObjectKind,
    /// Whether it is a page of HTML.
    is_page: bool,
    /// The candidates for the base of its links.
    bases: BaseStack,
    octets: Vec<u8>,
}

/// Fetches a listing; returns its URL. A redirect that is not followed has no body, and its target is the
/// URL.
fn fetch(
    walking: &Walking<'_>,
    fetcher: &Fetcher,
    url: UriRef<'_>,
    form: Form,
) -> Result<(UriRefBuf, Option<ListingBody>), TransferError> {
    walking.getter.walked(fetcher, url, None, |mut wanted| {
        wanted.options.listing = form;
        wanted.replan();
        let mut fetched = walking.getter.fetch(&wanted, None)?;
        if let Some(target) = target(&fetched) {
            return Ok((target, None));
        }
        let (at, kind, bases) = (fetched.url().to_owned(), fetched.kind(), fetched.bases());
        let media_type = fetched.media_type().unwrap_or_default().to_ascii_lowercase();
        let is_page = media_type.starts_with("text/html") || media_type.starts_with("application/xhtml+xml");
        let mut octets = Vec::new();
        while let Some(chunk) = fetched.chunk()? {
            octets.extend_from_slice(&chunk);
            if octets.len() > LONGEST {
                return Err(Failure::other("too-much", "the listing is larger than 64 MiB".into()).into());
            }
        }
        Ok((at, Some(ListingBody { kind, is_page, bases, octets })))
    })
}

/// Returns the target of a redirect that was not followed.
pub(super) fn target(fetched: &Response) -> Option<UriRefBuf> {
    let head = fetched.head().filter(|head| head.status / 100 == 3)?;
    Some(head.redirect_target(fetched.url())?.into())
}

/// Returns the folder of a walk from this URL: that of `-o`, else one that is named after its last directory,
/// or after its host.
fn folder(walking: &Walking<'_>, url: UriRef<'_>, number: u64) -> Result<PathBuf, TransferError> {
    if let Some(folder) = walking.getter.to.folder(&walking.getter.globs.nth(number))? {
        return Ok(folder);
    }
    let name = match Scope::gopher(url) {
        Some(Scope::Gopher(_, selector)) => {
            selector.split(|&octet| octet == b'/').rfind(|name| !name.is_empty()).map(<[u8]>::to_vec)
        }
        _ => directory_name(url),
    };
    let host = || url.host().map(|host| host.as_str().trim_matches(['[', ']']).as_bytes().to_vec());
    let name = name.or_else(host).filter(|name| !name.is_empty());
    let name = name
        .ok_or_else(|| "the URL has no name".to_owned())
        .and_then(|name| escaped_name(&name).map_err(|why| why.to_string()));
    let name =
        name.map_err(|why| Failure::other("file", format!("{why}; use -o FOLDER to name the folder")))?;
    Ok(name.into())
}

/// Returns the last name of a directory.
fn directory_name(url: UriRef<'_>) -> Option<Vec<u8>> {
    if let Ok(ftp) = FtpUrl::of(url) {
        let names = ftp.cwds().chain([ftp.name]).map(|name| name.decode().into_owned());
        let name = names.filter(|name| !name.is_empty()).last()?;
        // "%2F" begins an absolute path: `/pub`.
        return name
            .rsplit(|&octet| octet == b'/')
            .next()
            .map(<[u8]>::to_vec)
            .filter(|name| !name.is_empty());
    }
    let path = url.path();
    let name = path.as_str().split('/').rfind(|name| !name.is_empty())?;
    Some(locator::PctStr::new(name).ok()?.decode().into_owned())
}

/// Lists a directory of FTP; returns also whether the server knows `MLSD`.
fn list_ftp(
    walking: &Walking<'_>,
    fetcher: &Fetcher,
    url: UriRef<'_>,
    path: &Path,
    may_have_facts: bool,
) -> Result<(Listing, bool), TransferError> {
    let directory = entries::directory(url).map_err(|why| refused(&why.to_string()))?;
    let directory = directory.as_uri_ref();
    let form = if may_have_facts { Form::Facts } else { Form::Names };
    let (_, body) = fetch(walking, fetcher, directory, form)?;
    let body = body.filter(|body| matches!(body.kind, ObjectKind::Facts | ObjectKind::Names));
    let body = body.ok_or_else(|| refused("a walk of ftp needs the server itself, not a proxy of HTTP"))?;
    let edition = walking.getter.edition;
    let found = entries::entries_with(body.kind, directory, edition, &body.octets);
    let mut found: Vec<Entry> = found.into_iter().flatten().collect();
    let has_facts = body.kind == ObjectKind::Facts;
    if !has_facts && !found.is_empty() {
        // A server may list names and refuse this.
        if let Ok((_, Some(long))) = fetch(walking, fetcher, directory, Form::Long) {
            entries::describe(&mut found, &long.octets, directory, edition, SystemTime::now());
        }
    }
    let mut listing = Listing::default();
    for entry in found {
        add_named(&mut listing, entry, path, has_facts);
    }
    Ok((listing, has_facts))
}

/// Adds an entry of a directory.
fn add_named(listing: &mut Listing, entry: Entry, path: &Path, is_exact: bool) {
    let shown = |entry: &Entry| match &entry.url {
        Ok(url) => url.as_str().to_owned(),
        Err(_) => String::from_utf8_lossy(&entry.name).into_owned(),
    };
    let kind = match entry.kind {
        EntryKind::File => ItemKind::File,
        EntryKind::Directory => ItemKind::Directory,
        EntryKind::Symlink if entry.target.as_deref().is_some_and(leads_out) => {
            return listing.skip(shown(&entry), "it is a symbolic link that leads out of its directory");
        }
        EntryKind::Symlink => ItemKind::Link,
        EntryKind::Unknown if entry.url.is_ok() => {
            return listing.skip(shown(&entry), "it is neither a file nor a directory");
        }
        _ => ItemKind::Unknown,
    };
    let url = match &entry.url {
        Ok(url) => UriRefBuf::from(url.clone()),
        Err(why) => {
            listing.lost += 1;
            return listing.skip(shown(&entry), why.to_string());
        }
    };
    let (path, refused) = match escaped_name(&entry.name) {
        Ok(name) => (path.join(name), None),
        Err(why) => (path.into(), Some(why)),
    };
    let mut item = Item::new(url, path, &entry.name, kind);
    item.refused = refused;
    // A link has the size and the time of itself.
    if kind != ItemKind::Link {
        (item.size, item.modified, item.is_exact) = (entry.size, entry.modified, is_exact);
    }
    item.unique = entry.unique.filter(|_| kind == ItemKind::Directory);
    listing.items.push(item);
}

/// Returns whether the target of a symbolic link is not below the directory of the link.
fn leads_out(target: &[u8]) -> bool {
    let mut depth = 0_i64;
    let mut names = target.split(|&octet| octet == b'/');
    target.starts_with(b"/")
        || names.any(|name| {
            depth += match name {
                b".." => -1,
                b"" | b"." => 0,
                _ => 1,
            };
            depth < 0
        })
}

/// Lists a directory of this machine.
fn list_local(
    walking: &Walking<'_>,
    fetcher: &Fetcher,
    url: UriRef<'_>,
    path: &Path,
) -> Result<Listing, TransferError> {
    let (_, body) = fetch(walking, fetcher, url, Form::Names)?;
    let body = body.filter(|body| body.kind == ObjectKind::Names);
    let body = body.ok_or_else(|| refused("the URL is a file, not a directory; use -O to save it"))?;
    let mut listing = Listing::default();
    let found = entries::entries_with(ObjectKind::Names, url, walking.getter.edition, &body.octets);
    for mut entry in found.into_iter().flatten() {
        let found = entry.url.as_ref().ok().and_then(|url| {
            let path = url.as_uri().to_file_path().ok()?;
            described(&path, &mut entry.size, &mut entry.modified, &mut entry.target).ok()
        });
        entry.kind = found.unwrap_or(EntryKind::Unknown);
        add_named(&mut listing, entry, path, true);
    }
    Ok(listing)
}

/// Returns what a file of this machine is, without following a link.
fn described(
    path: &Path,
    size: &mut Option<u64>,
    modified: &mut Option<SystemTime>,
    target: &mut Option<Vec<u8>>,
) -> io::Result<EntryKind> {
    // A link to a directory has a "/" at the end of its URL, which would follow it.
    let path: PathBuf = path.components().collect();
    let found = fs::symlink_metadata(&path)?;
    if found.is_symlink() {
        *target = Some(fs::read_link(&path)?.into_os_string().into_encoded_bytes());
        return Ok(EntryKind::Symlink);
    }
    (*size, *modified) = (Some(found.len()).filter(|_| found.is_file()), found.modified().ok());
    Ok(match () {
        () if found.is_dir() => EntryKind::Directory,
        () if found.is_file() => EntryKind::File,
        () => EntryKind::Unknown,
    })
}

/// Lists a menu.
fn list_menu(
    walking: &Walking<'_>,
    fetcher: &Fetcher,
    scope: &Scope,
    url: UriRef<'_>,
) -> Result<Listing, TransferError> {
    let (_, body) = fetch(walking, fetcher, url, Form::Names)?;
    let body =
        body.filter(|body| body.kind == ObjectKind::Menu).ok_or_else(|| refused("it is not a menu"))?;
    let mut listing = Listing::default();
    for entry in
        entries::entries_with(body.kind, url, walking.getter.edition, &body.octets).into_iter().flatten()
    {
        let kind = match entry.kind {
            EntryKind::Menu => ItemKind::Directory,
            EntryKind::Text | EntryKind::Binary | EntryKind::Unknown => ItemKind::File,
            EntryKind::Words | EntryKind::Error => continue,
            _ => ItemKind::Unknown,
        };
        let item = match &entry.url {
            Err(why) => Err((String::from_utf8_lossy(&entry.name).into_owned(), why.to_string())),
            Ok(url) if kind == ItemKind::Unknown => {
                Err((url.to_string(), format!("it is not a file: its kind is {}", entry.kind.name())))
            }
            Ok(found) => menu_item(scope, found.as_uri_ref(), kind).map_err(|why| (found.to_string(), why)),
        };
        match item {
            Ok(Some(item)) => listing.items.push(item),
            Ok(None) => {}
            Err((url, why)) => listing.skip(url, why),
        }
    }
    Ok(listing)
}

/// Returns an item of a menu; `None` for the start itself.
fn menu_item(scope: &Scope, url: UriRef<'_>, kind: ItemKind) -> Result<Option<Item>, String> {
    let names = scope.below(url)?;
    let Some(name) = names.last() else { return Ok(None) };
    Ok(Some(Item::new(url.to_owned(), path_of(&names)?, name, kind)))
}

/// Returns the items of a page at a URL that ends with "/", whose folder has this path. A page that a server
/// has not generated as a listing is itself an item, `index.html`.
fn page_items(scope: &Scope, (url, bases): (UriRef<'_>, BaseStack), path: &Path, page: &[u8]) -> Listing {
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
        match page_item(scope, target.as_uri_ref()) {
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
fn page_item(scope: &Scope, url: UriRef<'_>) -> Result<Option<Item>, String> {
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
