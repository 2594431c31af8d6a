//! Describes the names of an FTP directory by its listing for people. The names come from `NLST`, because a
//! line of `LIST` does not say where its name begins; a line describes a name if it ends with it.

use std::collections::HashMap;
use std::time::SystemTime;

use locator::{Edition, UriRef};

use super::entry::{Entry, EntryKind, lines};
use super::names;
use crate::protocols::ftp::long::{self, Line, LineKind};

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
    for line in lines(long).filter_map(|line| long::parse(line, now)) {
        let Some((name, target)) = divided(&line, |name| described.contains_key(name)) else { continue };
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
            entry.url = names::url_of(url, edition, &entry.name, entry.kind);
        }
    }
}

/// What a line says of a name, and the target of a symbolic link.
type Described<'l> = (Line<'l>, Option<&'l [u8]>);

/// How many arrows a line of a symbolic link may have; a name with more is not described.
const MOST_ARROWS: usize = 8;

/// Divides what ends a line into a name that is known and, for a symbolic link, its target.
fn divided<'l>(line: &Line<'l>, is_known: impl Fn(&[u8]) -> bool) -> Option<(&'l [u8], Option<&'l [u8]>)> {
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
