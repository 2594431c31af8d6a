//! Facts of files: takes a line of `MLSD` or the reply to `MLST`, returns what it says of a file. Follows
//! RFC 3659, section 7.

use crate::time::date::parse_ftp_time;

/// What a server says of a file or a directory. A fact that it does not state is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts<'l> {
    pub(crate) kind: Option<FactKind<'l>>,
    /// The number of octets in the present type.
    pub(crate) size: Option<u64>,
    /// The time of the last change, as the server writes it: `20260301120000`.
    pub(crate) modified: Option<&'l str>,
    /// What no other file of the server has.
    pub(crate) unique: Option<&'l [u8]>,
    /// The name, or a path that ends in it.
    pub(crate) name: &'l [u8],
}

/// The fact `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FactKind<'l> {
    File,
    Directory,
    /// The directory that is listed, or the one that contains it.
    Listed,
    /// A symbolic link, and what it leads to if the server says it.
    Symlink(Option<&'l [u8]>),
    Other,
}

impl<'l> Facts<'l> {
    /// Parses a line. "entry = [ facts ] SP pathname; facts = 1*( fact ";" ); fact = factname "=" value"
    /// (7.2): the first space ends the facts, and all after it is the name, which may have spaces.
    pub(crate) fn parse(line: &'l [u8]) -> Option<Self> {
        let space = line.iter().position(|&octet| octet == b' ')?;
        let (facts, name) = (line.get(..space)?, line.get(space + 1..)?);
        if name.is_empty() || !facts.is_empty() && !facts.ends_with(b";") {
            return None;
        }
        let mut parsed = Self { name, ..Self::default() };
        for fact in facts.split(|&octet| octet == b';').filter(|fact| !fact.is_empty()) {
            let equals = fact.iter().position(|&octet| octet == b'=')?;
            parsed.take(fact.get(..equals)?, fact.get(equals + 1..)?);
        }
        Some(parsed)
    }

    /// Parses the reply to `MLST`: "250-" and a message, lines that begin with a space and have an entry
    /// each, and "250" (7.2). Some servers leave the space out.
    pub(crate) fn of_reply(text: &'l [u8]) -> Option<Self> {
        let mut lines = text.split(|&octet| octet == b'\n').skip(1);
        let line = lines.find(|line| !line.is_empty())?;
        Self::parse(line.strip_prefix(b" ").filter(|line| line.contains(&b'=')).unwrap_or(line))
    }

    /// Takes a fact. "factname = "Size" / "Modify" / …" and the values of `type` are case-insensitive.
    fn take(&mut self, name: &[u8], value: &'l [u8]) {
        let text = || str::from_utf8(value).ok();
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        if is("type") {
            self.kind = Some(kind(value));
        } else if is("size") {
            self.size = text().filter(|text| is_number(text)).and_then(|text| text.parse().ok());
        } else if is("modify") {
            self.modified = text().filter(|text| parse_ftp_time(text).is_some());
        } else if is("unique") {
            self.unique = Some(value).filter(|value| !value.is_empty());
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit())
}

/// `OS.unix=slink:` and a target is what most servers write for a symbolic link; some write
/// `OS.unix=symlink`.
fn kind(value: &[u8]) -> FactKind<'_> {
    const LINKS: [&[u8]; 2] = [b"OS.unix=slink", b"OS.unix=symlink"];
    let starts = |known: &[u8]| {
        let (start, rest) = value.split_at_checked(known.len())?;
        start.eq_ignore_ascii_case(known).then_some(rest)
    };
    match value.to_ascii_lowercase().as_slice() {
        b"file" => FactKind::File,
        b"dir" => FactKind::Directory,
        b"cdir" | b"pdir" => FactKind::Listed,
        _ => match LINKS.into_iter().find_map(starts) {
            Some(rest) => FactKind::Symlink(rest.strip_prefix(b":").filter(|target| !target.is_empty())),
            None => FactKind::Other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let facts =
            Facts::parse(b"Type=file;Size=12;Modify=20260301120000.5;UNIX.mode=0644;Unique=8U1; a b=c; d");
        let expected = Facts {
            kind: Some(FactKind::File),
            size: Some(12),
            modified: Some("20260301120000.5"),
            unique: Some(b"8U1"),
            name: b"a b=c; d",
        };
        assert_eq!(facts, Some(expected));
        let kind = |line: &'static str| Facts::parse(line.as_bytes()).unwrap().kind;
        assert_eq!(kind("type=DIR; x"), Some(FactKind::Directory));
        assert_eq!(kind("type=cdir; ."), Some(FactKind::Listed));
        assert_eq!(kind("type=OS.UNIX=slink:/a/b; x"), Some(FactKind::Symlink(Some(b"/a/b"))));
        assert_eq!(kind("type=OS.unix=slink:; x"), Some(FactKind::Symlink(None)));
        assert_eq!(kind("type=OS.unix=symlink; x"), Some(FactKind::Symlink(None)));
        assert_eq!(kind("type=OS.unix=chr-13/29; x"), Some(FactKind::Other));
        assert_eq!(kind(" x"), None);
        assert_eq!(
            Facts::parse(b"size=-1;modify=2026; x").unwrap(),
            Facts { name: b"x", ..Facts::default() }
        );
        for wrong in ["", "x", "type=file;", "type=file; ", "type=file x", "drwxr-xr-x 2 a b 1 x"] {
            assert_eq!(Facts::parse(wrong.as_bytes()), None, "{wrong:?}");
        }
    }

    #[test]
    fn replies() {
        for text in ["Listing a\n type=dir; /pub/a\nEnd", "Begin\ntype=dir; /pub/a\nEnd."] {
            let facts = Facts::of_reply(text.as_bytes()).unwrap();
            assert_eq!((facts.kind, facts.name), (Some(FactKind::Directory), &b"/pub/a"[..]));
        }
        assert_eq!(Facts::of_reply(b"done"), None);
    }
}
