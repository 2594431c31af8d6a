//! What servers said in earlier runs, in a file that several runs may share: a line for each answer.
//!
//! Only what is conclusive is kept: a page that is there, a redirect, 404 and 410. Every other answer may pass, so
//! the server is asked again. A line is written when its answer is there, so a run that is killed loses nothing
//! that it knew.
//!
//! A line has the version, the hash of the rest, and an answer in JSON, between tabs. A line that is torn, changed or
//! of another version is no record, and is ignored.
//!
//! Every run appends whole lines under a lock of the file, which it has only for that. A run that is killed while it
//! writes leaves the begin of a line, so a line is begun on a line of its own. The file is replaced under the lock, too:
//! who waited for the lock meanwhile opens the new one. Where that cannot be seen (only Unix has numbers of files here),
//! its lines go to the old file and are lost, and the next run asks.
//!
//! ```
//! use std::time::Duration;
//!
//! use locator_links::Cache;
//!
//! let folder = tempfile::tempdir()?;
//! let cache = Cache::open(folder.path().join("links.cache"), Duration::from_secs(3600))?;
//! // A `Network` asks it first; at the end of the run it is written.
//! cache.finish()?;
//! # Ok::<_, std::io::Error>(())
//! ```

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hash::Hash;
use std::io::{self, BufRead, BufReader, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use locator::UriRef;
use locator_audit::redacted;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::anchors::Anchors;
use crate::judge::{Method, NextStep, Reply, ReplyKind, Response, judge};
use crate::outcome::Code;

/// The answers of earlier runs.
pub struct Cache {
    path: PathBuf,
    max_age: Duration,
    /// Whether redirects are not served.
    asks_for_redirects: bool,
    /// The answers for any address, and those for public addresses, by their URLs.
    records: [HashMap<Box<str>, Record>; 2],
    state: Mutex<CacheState>,
}

/// Without the URLs.
impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records: usize = self.records.iter().map(HashMap::len).sum();
        f.debug_struct("Cache").field("path", &self.path).field("records", &records).finish_non_exhaustive()
    }
}

/// What changes during a run.
#[derive(Debug, Default)]
struct CacheState {
    /// How many lines the file has, and how many of them are of no use.
    lines: usize,
    useless: usize,
    /// Why the file could not be written, after which it is not.
    failure: Option<Error>,
}

impl Cache {
    /// Reads the answers in a file, which is created if it does not exist. Those that are older than `max_age`
    /// are not used.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or has something else than a cache.
    pub fn open(path: PathBuf, max_age: Duration) -> io::Result<Self> {
        let path = create_file(&path)?;
        let mut state = CacheState::default();
        let mut records = [HashMap::new(), HashMap::new()];
        let (mut is_empty, mut is_cache) = (true, false);
        let now = now();
        each_line(&path, |line| {
            is_empty &= line.is_empty();
            is_cache |= is_record(line);
            state.lines += 1;
            let record = Record::parse(line).filter(|record| record.is_fresh(now, max_age));
            if let Some(mut record) = record {
                let of_reach: &mut HashMap<_, _> = &mut records[usize::from(record.is_for_public)];
                of_reach.insert(std::mem::take(&mut record.url), record);
            }
        })?;
        state.useless = state.lines - records.iter().map(HashMap::len).sum::<usize>();
        if !is_empty && !is_cache {
            return Err(Error::new(ErrorKind::InvalidData, "it is not a cache of links"));
        }
        Ok(Self { path, max_age, asks_for_redirects: false, records, state: state.into() })
    }

    /// Serves no redirects, so that servers say what they are now.
    #[must_use]
    pub fn without_redirects(self) -> Self {
        Self { asks_for_redirects: true, ..self }
    }

    /// Returns the reply to what is asked for.
    pub(crate) fn find(&self, query: CacheQuery<'_>) -> Option<CachedReply> {
        let record = self.records_of(query).get(query.url)?;
        if !record.answers(query) || !is_shareable(query.url) {
            return None;
        }
        let (method, reply) = (record.method(), record.reply());
        let is_withheld = self.asks_for_redirects && reply.redirect().is_some();
        (is_conclusive(method, &reply) && !is_withheld).then_some(CachedReply { method, reply })
    }

    /// Keeps the reply to what was asked for, if it is conclusive and has no secrets.
    pub(crate) fn store(&self, query: CacheQuery<'_>, method: Method, reply: &Reply) {
        let is_kept = is_conclusive(method, reply)
            && is_shareable(query.url)
            && reply.redirect().is_none_or(is_shareable);
        let Some(record) = Record::new(query, method, reply).filter(|_| is_kept) else { return };
        let is_known = self.records_of(query).contains_key(query.url);
        let mut state = self.state();
        if state.failure.is_some() {
            return;
        }
        match append_line(&self.path, &record.line()) {
            Ok(()) => {
                state.lines += 1;
                state.useless += usize::from(is_known);
            }
            Err(error) => state.failure = Some(error),
        }
    }

    fn records_of(&self, query: CacheQuery<'_>) -> &HashMap<Box<str>, Record> {
        &self.records[usize::from(query.is_for_public)]
    }

    /// Removes the lines that are of no use, if they are more than half.
    ///
    /// # Errors
    ///
    /// The file could not be written, now or earlier in the run.
    pub fn finish(&self) -> io::Result<()> {
        let mut state = self.state();
        if let Some(error) = state.failure.take() {
            return Err(error);
        }
        if state.useless * 2 <= state.lines {
            return Ok(());
        }
        let now = now();
        rewrite_lines(&self.path, |line| {
            let record = Record::parse(line).filter(|record| record.is_fresh(now, self.max_age))?;
            Some((record.is_for_public, record.url))
        })
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether an answer will be the same for some time. Of failures, only 404 and 410 are.
fn is_conclusive(method: Method, reply: &Reply) -> bool {
    matches!(
        judge(method, reply),
        NextStep::Redirect(_) | NextStep::Final(Code::Ok | Code::NotFound | Code::Gone)
    )
}

/// Returns whether a URL has no user name and no secrets.
fn is_shareable(url: &str) -> bool {
    let has_user = |url: UriRef<'_>| url.authority().is_some_and(|own| own.as_str().contains('@'));
    UriRef::parse(url).is_ok_and(|url| !has_user(url)) && redacted(url).to_string() == url
}

/// Returns the seconds of Unix time.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The begin of all lines, and that of the lines of this version.
const NAME: &[u8] = b"links-";
const VERSION: &[u8] = b"links-1";

/// The most names of a page that are kept.
const MOST_NAMES: usize = 10_000;

/// A reply that an earlier run had, and the method that was answered.
#[derive(Clone, Debug)]
pub struct CachedReply {
    /// The method of the request.
    pub method: Method,
    /// The reply.
    pub reply: Reply,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheQuery<'a> {
    /// The URL, without a fragment.
    pub(crate) url: &'a str,
    /// Whether only public addresses may be asked.
    pub(crate) is_for_public: bool,
    /// Whether the names in the page are wanted.
    pub(crate) wants_anchors: bool,
    /// Whether the page itself is wanted.
    pub(crate) wants_page: bool,
}

/// What a server said about a URL.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Record {
    pub(super) url: Box<str>,
    /// Whether only public addresses were asked.
    #[serde(rename = "for_public")]
    pub(super) is_for_public: bool,
    /// Whether the method was HEAD.
    #[serde(rename = "head")]
    is_head: bool,
    /// The status of HTTP; other protocols only say that it is there.
    status: Option<u16>,
    reason: Box<str>,
    /// Where a redirect leads.
    location: Option<Box<str>>,
    sets_cookie: bool,
    /// Whether the address of the server was public.
    #[serde(rename = "public")]
    is_public: bool,
    /// When the answer came, in seconds of Unix time.
    seen: u64,
    /// Whether the page was read for its names.
    #[serde(rename = "read")]
    is_read: bool,
    names: Option<AnchorHashes>,
}

/// The hashes of the names in a page.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct AnchorHashes {
    names: Vec<u64>,
    headings: Vec<u64>,
    all: bool,
}

/// Returns whether a line begins like those of the cache in any version.
fn is_record(line: &[u8]) -> bool {
    line.starts_with(NAME)
}

impl Record {
    /// Creates the record of an answer; `None` if nobody answered.
    pub(super) fn new(query: CacheQuery<'_>, method: Method, reply: &Reply) -> Option<Self> {
        let response = match &reply.kind {
            ReplyKind::Response(response) => Some(response),
            ReplyKind::Found => None,
            ReplyKind::Failed(_) => return None,
        };
        let names = reply.anchors.as_ref().map(AnchorHashes::new);
        let is_long = |names: &AnchorHashes| names.names.len() + names.headings.len() > MOST_NAMES;
        let is_too_long = names.as_ref().is_some_and(is_long);
        Some(Self {
            url: query.url.into(),
            is_for_public: query.is_for_public,
            is_head: method == Method::Head,
            status: response.map(|response| response.status),
            reason: response.map_or("", |response| &*response.reason).into(),
            location: reply.redirect().map(Into::into),
            sets_cookie: response.is_some_and(|response| response.sets_cookie),
            is_public: reply.is_public,
            seen: reply.seen?,
            is_read: query.wants_anchors && reply.page.is_none() && !reply.is_cut && !is_too_long,
            names: names.filter(|_| !is_too_long),
        })
    }

    /// Returns the line, with its end.
    pub(super) fn line(&self) -> Vec<u8> {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let hash = hash(&json);
        [VERSION, b"\t", hash.as_bytes(), b"\t", &json, b"\n"].concat()
    }

    /// Reads a line without its end.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(VERSION)?.strip_prefix(b"\t")?;
        let (own, json) = rest.split_at_checked(16)?;
        let json = json.strip_prefix(b"\t")?;
        (hash(json).as_bytes() == own).then(|| serde_json::from_slice(json).ok()).flatten()
    }

    /// Returns whether the answer is not older than that. One of the future is not believed.
    fn is_fresh(&self, now: u64, max_age: Duration) -> bool {
        now.checked_sub(self.seen).is_some_and(|age| age < max_age.as_secs())
    }

    /// Returns the method that was answered.
    pub(super) const fn method(&self) -> Method {
        if self.is_head { Method::Head } else { Method::Get }
    }

    /// Returns whether all that is wanted is known. Of a page only the names are kept.
    pub(super) const fn answers(&self, query: CacheQuery<'_>) -> bool {
        let is_page = matches!(self.status, Some(200..=299));
        !query.wants_page && (!is_page || self.is_read || !query.wants_anchors)
    }

    /// Returns the answer.
    pub(super) fn reply(&self) -> Reply {
        let kind = self.status.map_or(ReplyKind::Found, |status| {
            ReplyKind::Response(Response {
                status,
                reason: self.reason.to_string(),
                location: self.location.as_deref().map(str::to_owned),
                sets_cookie: self.sets_cookie,
                ..Response::default()
            })
        });
        let anchors = self.names.as_ref().map(AnchorHashes::anchors);
        Reply { kind, is_public: self.is_public, anchors, seen: Some(self.seen), ..Reply::default() }
    }
}

impl AnchorHashes {
    fn new(anchors: &Anchors) -> Self {
        let (names, headings) = (anchors.name_hashes(), anchors.heading_hashes());
        Self { names: names.into(), headings: headings.into(), all: anchors.are_all_known() }
    }

    fn anchors(&self) -> Anchors {
        Anchors::of_hashes(self.names.clone(), self.headings.clone(), self.all)
    }
}

/// Returns the hash of octets, as 16 digits.
fn hash(octets: &[u8]) -> String {
    format!("{:016x}", XxHash3_64::oneshot(octets))
}

/// The longest file that is read.
const LONGEST: u64 = 1 << 30;

/// How often a file is opened again because it was replaced.
const TRIES: usize = 1000;

/// Creates the file if it does not exist, only for this user; returns its path without symbolic links.
fn create_file(path: &Path) -> io::Result<PathBuf> {
    // A pipe would be waited for.
    match fs::metadata(path) {
        Ok(known) if known.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(known) if !known.is_file() => return Err(Error::other("it is not a regular file")),
        Ok(known) if known.len() > LONGEST => return Err(Error::other("it is longer than 1 GiB")),
        _ => {}
    }
    open_file(path)?;
    fs::canonicalize(path)
}

/// Passes each line, without its end.
fn each_line(path: &Path, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    let file = File::open(path)?;
    locked(file.lock_shared())?;
    for line in BufReader::new(&file).split(b'\n') {
        each(&line?);
    }
    Ok(())
}

/// Appends a line.
fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    let mut file = open_locked(path)?;
    let is_torn = !ends_line(&mut file)?;
    match is_torn {
        true => file.write_all(&[b"\n", line].concat()),
        false => file.write_all(line),
    }
}

/// Keeps the last line of each key, and removes lines without one.
fn rewrite_lines<K: Eq + Hash>(path: &Path, key: impl Fn(&[u8]) -> Option<K>) -> io::Result<()> {
    let mut file = open_locked(path)?;
    let mut lines = Vec::new();
    let mut last = HashMap::new();
    file.rewind()?;
    for line in BufReader::new(&file).split(b'\n') {
        let line = line?;
        if let Some(key) = key(&line) {
            last.insert(key, lines.len());
            lines.push(line);
        }
    }
    let mut kept: Vec<_> = last.into_values().collect();
    kept.sort_unstable();
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    for line in kept.into_iter().filter_map(|number| lines.get(number)) {
        new.write_all(line)?;
        new.write_all(b"\n")?;
    }
    new.as_file().set_permissions(file.metadata()?.permissions())?;
    let new = new.into_temp_path();
    fs::rename(&new, path)
}

/// Opens the file to append to it.
fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens the file with a lock, which ends when the file is closed.
fn open_locked(path: &Path) -> io::Result<File> {
    for _ in 0..TRIES {
        let file = open_file(path)?;
        locked(file.lock())?;
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    Err(Error::other("it is replaced again and again"))
}

/// Some file systems have no locks; there a line that two runs write at once may be lost.
fn locked(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|error| if error.kind() == ErrorKind::Unsupported { Ok(()) } else { Err(error) })
}

fn ends_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Returns whether a file is the one at a path still.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let number = |file: fs::Metadata| (file.dev(), file.ino());
    fs::metadata(path).ok().map(number) == file.metadata().ok().map(number)
}

/// Returns whether a file is the one at a path still.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn record() -> Record {
        Record {
            url: "https://h.example/a\u{e9}".into(),
            is_for_public: true,
            status: Some(301),
            reason: "Moved \"so\"\n".into(),
            location: Some("https://h.example/b".into()),
            sets_cookie: true,
            seen: 1_700_000_000,
            is_read: true,
            names: Some(AnchorHashes { names: vec![1, u64::MAX], headings: vec![], all: true }),
            ..Record::default()
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let line = record().line();
        let line = line.strip_suffix(b"\n").unwrap();
        assert!(!line.contains(&b'\n'));
        assert_eq!(Record::parse(line), Some(record()));
    }

    #[test]
    fn a_line_that_is_cut_is_no_record() {
        let line = record().line();
        let whole = line.len() - 1;
        for end in (0..whole).chain([line.len()]) {
            assert_eq!(Record::parse(&line[..end]), None, "{end}");
        }
        for start in 1..whole {
            assert_eq!(Record::parse(&line[start..whole]), None, "{start}");
        }
        // The rest of a torn line, and the next one.
        for end in 0..whole {
            assert_eq!(Record::parse(&[&line[..end], &line[..whole]].concat()).is_some(), end == 0, "{end}");
        }
    }

    #[test]
    fn a_line_with_a_wrong_bit_is_no_record() {
        let mut line = record().line();
        line.pop();
        for bit in 0..line.len() * 8 {
            line[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Record::parse(&line), None, "{bit}");
            line[bit / 8] ^= 1 << (bit % 8);
        }
    }

    #[test]
    fn an_age_is_one_of_the_past() {
        let is_fresh = |now, seconds| record().is_fresh(now, Duration::from_secs(seconds));
        assert!(is_fresh(1_700_000_000, 1) && is_fresh(1_700_000_009, 10));
        assert!(!is_fresh(1_700_000_010, 10) && !is_fresh(1_700_000_000, 0));
        assert!(!is_fresh(1_699_999_999, 10));
    }

    #[test]
    fn a_torn_line_ends_where_it_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = create_file(&folder.path().join("cache")).unwrap();
        append_line(&path, b"a\n").unwrap();
        let mut torn = open_file(&path).unwrap();
        torn.write_all(b"to").unwrap();
        append_line(&path, b"b\n").unwrap();
        append_line(&path, b"c\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a\nto\nb\nc\n");
        rewrite_lines(&path, |line| (line.len() == 1).then(|| line[0] / 2)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a\nc\n");
    }

    /// No line is lost, whoever replaces the file meanwhile.
    #[test]
    #[cfg(unix)]
    fn many_append_while_the_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = &create_file(&folder.path().join("cache")).unwrap();
        let line = |thread: usize, number: usize| format!("{thread} {number}\n");
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    (0..100).for_each(|number| append_line(path, line(thread, number).as_bytes()).unwrap());
                });
            }
            (0..50).for_each(|_| rewrite_lines(path, |line| Some(line.to_vec())).unwrap());
        });
        let text = fs::read_to_string(path).unwrap();
        for (thread, number) in (0..4).flat_map(|thread| (0..100).map(move |number| (thread, number))) {
            assert_eq!(text.matches(&format!("{thread} {number}\n")).count(), 1, "{thread} {number}");
        }
    }
}
