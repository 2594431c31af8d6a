//! The names of a listing: of FTP (RFC 959, NLST; RFC 3659, MLSD), and of a local directory. A name is
//! relative to the directory of the URL. Servers write names as `x`, as `dir/x` or as `./x`; none of them
//! can name what is in another directory, so the last part of the path is the name.
//!
//! [`describe`] adds what the listing for people says. The names come from `NLST`, because a line of `LIST` does
//! not say where its name begins; a line describes a name if it ends with it.

use std::collections::HashMap;
use std::time::SystemTime;

use locator::scheme::file::{FileParts, FileUrl};
use locator::scheme::{FtpParts, FtpUrl};
use locator::{Edition, UriBuf, UriRef};

use super::entry::{Entry, EntryError, EntryKind, lines};
use crate::protocols::ftp::long::{LineKind, LongLine, parse_long};
use crate::protocols::ftp::{FactKind, Facts};
use crate::time::date::parse_ftp_time;

/// Returns the entries of a listing; "." and ".." are not among them.
pub(super) fn entries<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let directory = Directory::of(url.without_fragment(), edition);
    // A name of a local file may contain LF, so such a listing divides names by NUL.
    let has_nul = directory.is_local() && body.contains(&0);
    let delimiter = if has_nul { 0 } else { b'\n' };
    let names = body.split(move |&octet| octet == delimiter);
    let names = names.map(move |name| if has_nul { name } else { name.strip_suffix(b"\r").unwrap_or(name) });
    names.filter_map(move |line| {
        let path = line.strip_suffix(b"/");
        let kind = if path.is_some() { EntryKind::Directory } else { EntryKind::Name };
        let name = last_name(path.unwrap_or(line))?;
        Some(Entry::new(directory.url_of(name, kind), name, kind))
    })
}

/// Returns the entries of a listing with facts. "The server MAY list […] the directory being listed and its
/// parent" (RFC 3659, 7.2.1, as `cdir` and `pdir`); they are not among the entries.
pub(super) fn entries_with_facts<'b>(
    url: UriRef<'b>,
    edition: &'static Edition,
    body: &'b [u8],
) -> impl Iterator<Item = Entry> + 'b {
    let directory = Directory::of(url.without_fragment(), edition);
    lines(body).filter_map(move |line| {
        let Some(facts) = Facts::parse(line) else {
            return Some(Entry::new(Err(EntryError::Line), line, EntryKind::Unknown));
        };
        let kind = match facts.kind {
            Some(FactKind::Listed) => return None,
            Some(FactKind::File) => EntryKind::File,
            Some(FactKind::Directory) => EntryKind::Directory,
            Some(FactKind::Symlink(_)) => EntryKind::Symlink,
            Some(FactKind::Other) => EntryKind::Unknown,
            None => EntryKind::Name,
        };
        let name = last_name(facts.name)?;
        let mut entry = Entry::new(directory.url_of(name, kind), name, kind);
        // The size of a directory is that of the file that lists it.
        entry.size = facts.size.filter(|_| kind != EntryKind::Directory);
        entry.modified = facts.modified.and_then(parse_ftp_time);
        entry.unique = facts.unique.map(Into::into);
        if let Some(FactKind::Symlink(target)) = facts.kind {
            entry.target = target.map(Into::into);
        }
        Some(entry)
    })
}

/// Returns the URL of an entry of a directory as one of another kind: with "/" at its end if that is a
/// directory.
pub(super) fn url_of(
    url: UriRef<'_>,
    edition: &'static Edition,
    name: &[u8],
    kind: EntryKind,
) -> Result<UriBuf, EntryError> {
    Directory::of(url.without_fragment(), edition).url_of(name, kind)
}

/// Returns the URL of a directory with "/" at its end.
pub(super) fn directory(url: UriRef<'_>) -> Result<UriBuf, EntryError> {
    Ok(match Directory::of(url.without_fragment(), url.edition()) {
        Directory::Ftp(parts, edition) => parts.name("").build_with(edition)?,
        Directory::Local(parts, edition) => parts.name("").build_with(edition)?,
        Directory::Other => return Err(EntryError::NotExpressible),
    })
}

/// Returns the last part of a path, unless it names no entry.
fn last_name(path: &[u8]) -> Option<&[u8]> {
    let name = path.rsplit(|&octet| octet == b'/').next()?;
    (!matches!(name, b"" | b"." | b"..")).then_some(name)
}

/// The directory that was listed.
enum Directory<'b> {
    Ftp(Box<FtpParts<'b>>, &'static Edition),
    Local(FileParts<'b>, &'static Edition),
    /// The scheme has no names of files.
    Other,
}

impl<'b> Directory<'b> {
    /// The name of the URL is that of the directory, whether a "/" follows it or not.
    fn of(url: UriRef<'b>, edition: &'static Edition) -> Self {
        if let Ok(ftp) = FtpUrl::of(url) {
            let mut parts = ftp.parts();
            if !ftp.name.is_empty() {
                parts = parts.cwd(ftp.name);
            }
            return Self::Ftp(Box::new(parts.without("type")), edition);
        }
        let Ok(file) = FileUrl::of(url) else { return Self::Other };
        // The last name of a directory is empty.
        let mut names: Vec<_> = file.names().collect();
        names.pop_if(|name| name.is_empty());
        let parts = names.into_iter().fold(file.parts().without("names"), FileParts::name);
        Self::Local(parts, edition)
    }

    const fn is_local(&self) -> bool {
        matches!(self, Self::Local(..))
    }

    /// Returns the URL of an entry. That of a directory ends with "/", so that it leads to the listing.
    fn url_of(&self, name: &[u8], kind: EntryKind) -> Result<UriBuf, EntryError> {
        let is_directory = kind == EntryKind::Directory;
        Ok(match self {
            Self::Ftp(parts, edition) => {
                let parts = parts.as_ref().clone();
                let parts = if is_directory { parts.cwd(name).name("") } else { parts.name(name) };
                parts.build_with(edition)?
            }
            Self::Local(parts, edition) => {
                let parts = parts.clone().name(name);
                let parts = if is_directory { parts.name("") } else { parts };
                parts.build_with(edition)?
            }
            Self::Other => return Err(EntryError::NotExpressible),
        })
    }
}

/// Adds kinds, sizes and times to the entries of an FTP listing of names, as the listing for people of the
/// same directory says them. `url` is that of the directory, `edition` writes the URLs, and `now` tells the
/// years of dates without one.
///
/// The times are those of the server's clock, taken for UTC, to the minute or the day. An entry that no line
/// describes, or that several do, stays a name.
///
/// ```
/// use std::time::SystemTime;
///
/// use locator::edition::RFC3986;
/// use locator::plan::ObjectKind;
/// use locator_fetch::entries::{EntryKind, describe, entries};
///
/// let url = locator::uri_ref!("ftp://h/pub/");
/// let names = entries(ObjectKind::Names, url, b"a\r\nsub\r\nb\r\n").unwrap();
/// let mut names: Vec<_> = names.collect();
/// let long = b"drwxr-xr-x 2 ftp ftp 4096 Mar  1  2024 sub\r\n\
///     -rw-r--r-- 1 ftp ftp 12 Mar  1  2024 a\r\n";
/// describe(&mut names, long, url, &RFC3986, SystemTime::now());
/// let kinds: Vec<_> = names.iter().map(|entry| entry.kind).collect();
/// assert_eq!(kinds, [EntryKind::File, EntryKind::Directory, EntryKind::Name]);
/// assert_eq!(*names[1].url.as_ref().unwrap(), "ftp://h/pub/sub/");
/// assert_eq!(names[0].size, Some(12));
/// ```
pub fn describe(
    entries: &mut [Entry],
    long: &[u8],
    url: UriRef<'_>,
    edition: &'static Edition,
    now: SystemTime,
) {
    let mut described: HashMap<&[u8], Option<Described<'_>>> =
        entries.iter().map(|entry| (&*entry.name, None)).collect();
    let mut doubtful = Vec::new();
    for line in lines(long).filter_map(|line| parse_long(line, now)) {
        let Some((name, target)) = name_and_link_target(&line, |name| described.contains_key(name)) else {
            continue;
        };
        if let Some(earlier) = described.get_mut(name) {
            match earlier {
                Some(_) => doubtful.push(name),
                None => *earlier = Some((line, target)),
            }
        }
    }
    for name in doubtful {
        described.insert(name, None);
    }
    let known: Vec<_> = entries.iter().map(|entry| described.get(&*entry.name).cloned().flatten()).collect();
    for (entry, known) in entries.iter_mut().zip(known) {
        let Some((line, target)) = known else { continue };
        entry.kind = match line.kind {
            LineKind::File => EntryKind::File,
            LineKind::Directory => EntryKind::Directory,
            LineKind::Symlink => EntryKind::Symlink,
            LineKind::Other => EntryKind::Unknown,
        };
        entry.size = line.size.filter(|_| line.kind == LineKind::File);
        entry.modified = line.modified;
        entry.target = target.map(Into::into);
        if line.kind == LineKind::Directory && entry.url.is_ok() {
            entry.url = url_of(url, edition, &entry.name, entry.kind);
        }
    }
}

/// What a line says of a name, and the target of a symbolic link.
type Described<'l> = (LongLine<'l>, Option<&'l [u8]>);

/// How many arrows a line of a symbolic link may have; a name with more is not described.
const MOST_ARROWS: usize = 8;

/// Divides what ends a line into a name that is known and, for a symbolic link, its target.
fn name_and_link_target<'l>(
    line: &LongLine<'l>,
    is_known: impl Fn(&[u8]) -> bool,
) -> Option<(&'l [u8], Option<&'l [u8]>)> {
    const ARROW: &[u8] = b" -> ";
    if line.kind != LineKind::Symlink || is_known(line.name) {
        return is_known(line.name).then_some((line.name, None));
    }
    let arrows = line.name.windows(ARROW.len()).enumerate().filter(|(_, octets)| *octets == ARROW);
    let divided = arrows.take(MOST_ARROWS).map(|(at, _)| {
        (line.name.get(..at).unwrap_or_default(), line.name.get(at + ARROW.len()..).unwrap_or_default())
    });
    let mut known = divided.filter(|(name, _)| is_known(name));
    let (name, target) = known.next()?;
    // With two known names the line may be that of either.
    known.next().is_none().then_some((name, Some(target)))
}
