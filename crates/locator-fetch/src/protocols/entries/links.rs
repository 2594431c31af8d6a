//! The links of a directory of Prospero, each with the attributes after it.

use std::iter::Peekable;

use locator::scheme::{LoginParts, ProsperoParts, ProsperoUrl};
use locator::{Edition, UriBuf, UriRef};

use super::entry::{Entry, EntryError, EntryKind};
use crate::protocols::prospero::{
    Attribute, Link, Method, MethodKind, Place, Record, host_of, port_of, records,
};

/// Returns the entries of a directory.
pub(super) fn entries<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let server = ProsperoUrl::of(url).ok().map(|url| url.login.parts());
    let mut records = records(body).peekable();
    std::iter::from_fn(move || {
        loop {
            if let Record::Link(link) = records.next()? {
                let attributes = attributes(&mut records);
                return Some(entry(&link, &attributes, server, edition));
            }
        }
    })
}

/// Takes the attributes of a link.
fn attributes(records: &mut Peekable<impl Iterator<Item = Record>>) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    while let Some(Record::Attribute(attribute)) =
        records.next_if(|record| matches!(record, Record::Attribute(_)))
    {
        attributes.push(attribute);
    }
    attributes
}

fn entry(
    link: &Link,
    attributes: &[Attribute],
    server: Option<LoginParts<'_>>,
    edition: &'static Edition,
) -> Entry {
    let kind = match link.target.as_slice() {
        b"FILE" => EntryKind::File,
        b"DIRECTORY" | b"DIRECTORY+FILE" => EntryKind::Directory,
        b"EXTERNAL" | b"SYMBOLIC" => EntryKind::Link,
        _ => EntryKind::Unknown,
    };
    let host = if link.host.is_empty() { server } else { host_of(&link.host) };
    let access = host.and_then(|host| access(link, attributes, host, edition));
    // "External Prospero links are represented as URLs of the underlying access method" (draft of 1994).
    // Their host is not a server of Prospero; it may be `DUMMY`.
    let url = match (&access, host) {
        (Some(access), _) if kind == EntryKind::Link => Ok(access.clone()),
        (None, _) if kind == EntryKind::Link => Err(EntryError::NotExpressible),
        (_, Some(host)) => url_of(link, host, edition),
        (_, None) => Err(EntryError::NoServer),
    };
    let mut entry = Entry::new(url, &link.name, kind);
    // The size of a directory is that of the file that lists it.
    let stated = attributes.iter().find(|one| one.name == b"SIZE" && kind != EntryKind::Directory);
    entry.size = stated.and_then(size);
    entry.access = access;
    entry
}

fn url_of(link: &Link, host: LoginParts<'_>, edition: &'static Edition) -> Result<UriBuf, EntryError> {
    let parts = ProsperoParts::new(host, link.object.as_slice());
    let parts = if link.version > 0 { parts.version(link.version) } else { parts };
    Ok(parts.build_with(edition)?)
}

/// Returns the URL of the first method that has one, in the order in which they are tried. Files of
/// the machine of the server are not there for others; those of an external link are on a file system
/// that it names.
fn access(
    link: &Link,
    attributes: &[Attribute],
    host: LoginParts<'_>,
    edition: &'static Edition,
) -> Option<UriBuf> {
    let name = str::from_utf8(host.host.as_bytes()).ok()?.to_owned();
    let place = Place { host: &name, port: port_of(host), name: &link.object };
    let is_external = link.target == b"EXTERNAL";
    let is_there = |kind: MethodKind| !kind.reads_files() || is_external && kind != MethodKind::Local;
    let methods = Method::all(attributes).into_iter();
    let mut others = methods.filter(|method| method.kind.is_some_and(is_there));
    others.find_map(|method| method.url_with(place, edition).ok())
}

/// Reads a size: `9 bytes`.
fn size(attribute: &Attribute) -> Option<u64> {
    let text = str::from_utf8(attribute.values.first()?).ok()?;
    let (number, unit) = text.split_once(' ').unwrap_or((text, "bytes"));
    number.parse().ok().filter(|_| matches!(unit, "bytes" | "byte"))
}
