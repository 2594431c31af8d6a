//! The names of a listing: of FTP (RFC 959, NLST), and of a local directory. A name is relative to the
//! directory of the URL. Servers write names as `x`, as `dir/x` or as `./x`; none of them can name
//! what is in another directory, so the last part of the path is the name.

use locator::scheme::file::{FileParts, FileUrl};
use locator::scheme::{FtpParts, FtpUrl};
use locator::{Edition, UriBuf, UriRef};

use super::entry::{Entry, EntryError, EntryKind};

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
        let name = path.unwrap_or(line).rsplit(|&octet| octet == b'/').next()?;
        let is_entry = !matches!(name, b"" | b"." | b"..");
        is_entry.then(|| Entry::new(directory.url_of(name), name, kind))
    })
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

    fn url_of(&self, name: &[u8]) -> Result<UriBuf, EntryError> {
        Ok(match self {
            Self::Ftp(parts, edition) => parts.as_ref().clone().name(name).build_with(edition)?,
            Self::Local(parts, edition) => parts.clone().name(name).build_with(edition)?,
            Self::Other => return Err(EntryError::NotExpressible),
        })
    }
}
