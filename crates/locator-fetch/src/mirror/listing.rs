//! What is below a URL: lists a directory of FTP or of this machine, a menu of Gopher or the links of a page of
//! HTTP, and returns its items. What is not followed is returned with the reason.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use locator::plan::{Listing as Form, ObjectKind};
use locator::scheme::{FtpUrl, GopherUrl};
use locator::{BaseStack, Uri, UriRef, UriRefBuf};
use locator_find::{Document, Finder, Format, Link};

use super::client::{ListRequest, MirrorClient, redirect_target};
use super::error::{MirrorError, SkipReason};
use super::folder::Folder;
use super::item::{DirectoryListing, ItemKind, MirrorItem};
use super::scope::{Scope, path_of};
use super::settings::Settings;
use crate::protocols::entries::{self, Entry, EntryKind};
use crate::save::escaped_name;

/// The directory that a mirror begins with.
pub(super) struct StartDirectory {
    /// The folder to save to.
    pub(super) folder: PathBuf,
    pub(super) scope: Scope,
    pub(super) listing: DirectoryListing,
    /// Whether the ftp server may know `MLSD`.
    pub(super) has_facts: bool,
}

/// The most octets of a listing.
const LONGEST: usize = 64 << 20;

/// Lists directories by a client.
pub(super) struct Lister<'l, C> {
    pub(super) client: &'l C,
    pub(super) settings: &'l Settings,
}

/// A directory of FTP.
pub(super) struct FtpListing {
    pub(super) listing: DirectoryListing,
    /// Whether the server knows `MLSD`.
    pub(super) has_facts: bool,
}

/// The response to a request for a listing.
struct ListingResponse {
    /// The URL that it is from, or the target of a redirect that was not followed.
    url: UriRefBuf,
    /// The body; `None` for such a redirect.
    body: Option<ListingBody>,
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

impl<C: MirrorClient> Lister<'_, C> {
    /// Lists the start of a mirror.
    pub(super) fn begin(&self, url: UriRef<'_>) -> Result<StartDirectory, C::Error> {
        let scheme = url.scheme().map(|scheme| scheme.lowercase().to_string()).unwrap_or_default();
        match &*scheme {
            "ftp" | "ftps" => {
                let folder = self.folder(url)?;
                let FtpListing { listing, has_facts } = self.list_ftp(url, Path::new(""), true, true)?;
                Ok(StartDirectory { folder, scope: Scope::Ftp, listing, has_facts })
            }
            "file" => {
                let folder = self.folder(url)?;
                let listing = self.list_local(url, Path::new(""), true)?;
                Ok(StartDirectory { folder, scope: Scope::File, listing, has_facts: false })
            }
            "gopher" => {
                let gopher = GopherUrl::of(url).ok();
                if gopher.and_then(|gopher| gopher.kind).is_some_and(|kind| kind.as_str() != "1") {
                    return Err(MirrorError::NotOfTypeMenu.into());
                }
                let folder = self.folder(url)?;
                let scope = Scope::gopher(url).ok_or(MirrorError::NotAMenu)?;
                let listing = self.list_menu(&scope, url, true)?;
                Ok(StartDirectory { folder, scope, listing, has_facts: false })
            }
            "http" | "https" => {
                let ListingResponse { url: page, body } = self.fetch(url, Form::Names, true)?;
                let page = page.as_uri_ref();
                let scope = Scope::http(page).filter(|_| page.path().as_str().ends_with('/'));
                let Some((scope, body)) = scope.zip(body.filter(|body| body.is_page)) else {
                    return Err(MirrorError::NotADirectory.into());
                };
                let folder = self.folder(page)?;
                let listing = page_items(&scope, page, body, Path::new(""));
                Ok(StartDirectory { folder, scope, listing, has_facts: false })
            }
            _ => Err(MirrorError::Scheme.into()),
        }
    }

    /// Fetches a listing.
    fn fetch(&self, url: UriRef<'_>, form: Form, is_first: bool) -> Result<ListingResponse, C::Error> {
        let mut response = self.client.list(&ListRequest { url, form, is_first })?;
        if let Some(target) = redirect_target(&response) {
            return Ok(ListingResponse { url: target, body: None });
        }
        let (at, kind, bases) = (response.url().to_owned(), response.kind(), response.bases());
        let media_type = response.media_type().unwrap_or_default().to_ascii_lowercase();
        let is_page = media_type.starts_with("text/html") || media_type.starts_with("application/xhtml+xml");
        let mut octets = Vec::new();
        while let Some(chunk) = response.chunk().map_err(MirrorError::Fetch)? {
            octets.extend_from_slice(&chunk);
            if octets.len() > LONGEST {
                return Err(MirrorError::LongListing.into());
            }
        }
        Ok(ListingResponse { url: at, body: Some(ListingBody { kind, is_page, bases, octets }) })
    }

    /// Returns the folder of a mirror from this URL: one that is named after its last directory, or after its host,
    /// unless another is set.
    fn folder(&self, url: UriRef<'_>) -> Result<PathBuf, MirrorError> {
        if let Some(folder) = &self.settings.folder {
            return Ok(folder.clone());
        }
        let name = match Scope::gopher(url) {
            Some(Scope::Gopher(_, selector)) => {
                selector.split(|&octet| octet == b'/').rfind(|name| !name.is_empty()).map(<[u8]>::to_vec)
            }
            _ => directory_name(url),
        };
        let host = || url.host().map(|host| host.as_str().trim_matches(['[', ']']).as_bytes().to_vec());
        let name = name.or_else(host).filter(|name| !name.is_empty());
        let name = name.ok_or(MirrorError::FolderName(None))?;
        let name = escaped_name(&name).map_err(|error| MirrorError::FolderName(Some(error)))?;
        Ok(name.into())
    }

    /// Lists a directory of FTP.
    pub(super) fn list_ftp(
        &self,
        url: UriRef<'_>,
        path: &Path,
        may_have_facts: bool,
        is_first: bool,
    ) -> Result<FtpListing, C::Error> {
        let directory = entries::directory(url).map_err(MirrorError::Unlisted)?;
        let directory = directory.as_uri_ref();
        let form = if may_have_facts { Form::Facts } else { Form::Names };
        let body = self.fetch(directory, form, is_first)?.body;
        let body = body.filter(|body| matches!(body.kind, ObjectKind::Facts | ObjectKind::Names));
        let body = body.ok_or(MirrorError::ListedByProxy)?;
        let edition = self.settings.edition;
        let found = entries::entries_with(body.kind, directory, edition, &body.octets);
        let mut found: Vec<Entry> = found.into_iter().flatten().collect();
        let has_facts = body.kind == ObjectKind::Facts;
        if !has_facts && !found.is_empty() {
            // A server may list names and refuse this.
            if let Ok(ListingResponse { body: Some(long), .. }) = self.fetch(directory, Form::Long, is_first)
            {
                entries::describe(&mut found, &long.octets, directory, edition, SystemTime::now());
            }
        }
        let mut listing = DirectoryListing::default();
        for entry in found {
            add_named(&mut listing, entry, path, has_facts);
        }
        Ok(FtpListing { listing, has_facts })
    }

    /// Lists a directory of this machine below the folder that is saved to.
    pub(super) fn list_local_below(
        &self,
        item: &MirrorItem,
        folder: Option<&Folder>,
    ) -> Result<DirectoryListing, C::Error> {
        let url = item.url.as_uri_ref();
        let path = Uri::parse(url.as_str()).ok().and_then(|uri| uri.to_file_path().ok());
        if path.is_some_and(|path| folder.is_some_and(|folder| folder.is(&path))) {
            let mut listing = DirectoryListing::default();
            listing.skip(url.as_str(), SkipReason::OwnFolder);
            return Ok(listing);
        }
        self.list_local(url, &item.path, false)
    }

    /// Lists a directory of this machine.
    fn list_local(&self, url: UriRef<'_>, path: &Path, is_first: bool) -> Result<DirectoryListing, C::Error> {
        let body = self.fetch(url, Form::Names, is_first)?.body;
        let body = body.filter(|body| body.kind == ObjectKind::Names);
        let body = body.ok_or(MirrorError::NotADirectory)?;
        let mut listing = DirectoryListing::default();
        let edition = self.settings.edition;
        let found = entries::entries_with(ObjectKind::Names, url, edition, &body.octets);
        for mut entry in found.into_iter().flatten() {
            let path_of_entry = entry.url.as_ref().ok().and_then(|url| url.as_uri().to_file_path().ok());
            let described = path_of_entry.and_then(|path| describe(&path, &mut entry).ok());
            if described.is_none() {
                entry.kind = EntryKind::Unknown;
            }
            add_named(&mut listing, entry, path, true);
        }
        Ok(listing)
    }

    /// Lists a menu.
    pub(super) fn list_menu(
        &self,
        scope: &Scope,
        url: UriRef<'_>,
        is_first: bool,
    ) -> Result<DirectoryListing, C::Error> {
        let body = self.fetch(url, Form::Names, is_first)?.body;
        let body = body.filter(|body| body.kind == ObjectKind::Menu).ok_or(MirrorError::NotAMenu)?;
        let mut listing = DirectoryListing::default();
        let found = entries::entries_with(body.kind, url, self.settings.edition, &body.octets);
        for entry in found.into_iter().flatten() {
            add_menu_entry(&mut listing, &entry, scope);
        }
        Ok(listing)
    }

    /// Lists the links of a page.
    pub(super) fn list_page(&self, scope: &Scope, item: &MirrorItem) -> Result<DirectoryListing, C::Error> {
        let url = item.url.as_uri_ref();
        let ListingResponse { url: page, body } = self.fetch(url, Form::Names, false)?;
        let Some(body) = body else { return Ok(redirect_item(scope, item, &page)) };
        if !body.is_page {
            let mut listing = DirectoryListing::default();
            listing.skip(url.as_str(), SkipReason::NotAPage);
            return Ok(listing);
        }
        Ok(page_items(scope, url, body, &item.path))
    }
}

/// Returns the item that a redirect leads to, unless that is outside.
pub(super) fn redirect_item(scope: &Scope, item: &MirrorItem, target: &UriRefBuf) -> DirectoryListing {
    let mut listing = DirectoryListing::default();
    match page_item(scope, target.as_uri_ref()) {
        Ok(Some(target)) => listing.items.push(target),
        Ok(None) => {}
        Err(why) => {
            let target = target.as_uri_ref().redacted().to_string();
            listing.skip(item.url.as_str(), SkipReason::Redirect(target, why.into()));
        }
    }
    listing
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

/// Adds an entry of a directory.
fn add_named(listing: &mut DirectoryListing, entry: Entry, path: &Path, is_exact: bool) {
    let shown = |entry: &Entry| match &entry.url {
        Ok(url) => url.as_str().to_owned(),
        Err(_) => String::from_utf8_lossy(&entry.name).into_owned(),
    };
    let kind = match entry.kind {
        EntryKind::File => ItemKind::File,
        EntryKind::Directory => ItemKind::Directory,
        EntryKind::Symlink if entry.target.as_deref().is_some_and(leads_out) => {
            return listing.skip(shown(&entry), SkipReason::LinkOut);
        }
        EntryKind::Symlink => ItemKind::Link,
        EntryKind::Unknown if entry.url.is_ok() => {
            return listing.skip(shown(&entry), SkipReason::Special);
        }
        _ => ItemKind::Unknown,
    };
    let url = match &entry.url {
        Ok(url) => UriRefBuf::from(url.clone()),
        Err(why) => {
            return listing.lose(shown(&entry), SkipReason::NoUrl(*why));
        }
    };
    let (path, refused) = match escaped_name(&entry.name) {
        Ok(name) => (path.join(name), None),
        Err(why) => (path.into(), Some(why)),
    };
    let mut item = MirrorItem::new(url, path, &entry.name, kind);
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

/// Adds to an entry what a file of this machine is, without following a link.
fn describe(path: &Path, entry: &mut Entry) -> io::Result<()> {
    // A link to a directory has a "/" at the end of its URL, which would follow it.
    let path: PathBuf = path.components().collect();
    let found = fs::symlink_metadata(&path)?;
    if found.is_symlink() {
        entry.target = Some(fs::read_link(&path)?.into_os_string().into_encoded_bytes());
        entry.kind = EntryKind::Symlink;
        return Ok(());
    }
    (entry.size, entry.modified) = (Some(found.len()).filter(|_| found.is_file()), found.modified().ok());
    entry.kind = match () {
        () if found.is_dir() => EntryKind::Directory,
        () if found.is_file() => EntryKind::File,
        () => EntryKind::Unknown,
    };
    Ok(())
}

/// Adds an entry of a menu.
fn add_menu_entry(listing: &mut DirectoryListing, entry: &Entry, scope: &Scope) {
    let kind = match entry.kind {
        EntryKind::Menu => ItemKind::Directory,
        EntryKind::Text | EntryKind::Binary | EntryKind::Unknown => ItemKind::File,
        EntryKind::Words | EntryKind::Error => return,
        _ => ItemKind::Unknown,
    };
    match &entry.url {
        Err(why) => listing.skip(String::from_utf8_lossy(&entry.name), SkipReason::NoUrl(*why)),
        Ok(url) if kind == ItemKind::Unknown => listing.skip(url.as_str(), SkipReason::Item(entry.kind)),
        Ok(url) => match menu_item(scope, url.as_uri_ref(), kind) {
            Ok(item) => listing.items.extend(item),
            Err(why) => listing.skip(url.as_str(), why),
        },
    }
}

/// Returns an item of a menu; `None` for the start itself.
fn menu_item(scope: &Scope, url: UriRef<'_>, kind: ItemKind) -> Result<Option<MirrorItem>, SkipReason> {
    let names = scope.below(url)?;
    let Some(name) = names.last() else { return Ok(None) };
    Ok(Some(MirrorItem::new(url.to_owned(), path_of(&names).map_err(SkipReason::Name)?, name, kind)))
}

/// Returns the items of a page at a URL that ends with "/", whose folder has this path. A page that a server
/// has not generated as a listing is itself an item, `index.html`.
fn page_items(scope: &Scope, url: UriRef<'_>, page: ListingBody, path: &Path) -> DirectoryListing {
    let ListingBody { octets, bases, .. } = page;
    let page = &*octets;
    let mut listing = DirectoryListing::default();
    if !is_generated(page, url) {
        let mut index =
            MirrorItem::new(url.to_owned(), path.join("index.html"), b"index.html", ItemKind::File);
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
        listing.skip(url.as_str(), SkipReason::LinksOut(outside));
    }
    listing
}

/// Returns the item of a URL of HTTP; `None` for the start, and for another order of its listing.
fn page_item(scope: &Scope, url: UriRef<'_>) -> Result<Option<MirrorItem>, SkipReason> {
    let url = url.without_fragment();
    let mut names = scope.below(url)?;
    let is_directory = names.pop_if(|name| name.is_empty()).is_some();
    let Some(name) = names.last() else { return Ok(None) };
    if url.query().is_some() {
        // `?C=M;O=D` is a directory in another order.
        return if is_directory { Ok(None) } else { Err(SkipReason::Query) };
    }
    let kind = if is_directory { ItemKind::Directory } else { ItemKind::File };
    Ok(Some(MirrorItem::new(url.to_owned(), path_of(&names).map_err(SkipReason::Name)?, name, kind)))
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
