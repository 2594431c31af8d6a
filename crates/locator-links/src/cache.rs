//! What servers said in earlier runs, in a file that several runs may share: a line for each answer.
//!
//! Only what is conclusive is kept: a page that is there, a redirect, 404 and 410. Every other answer may pass, so
//! the server is asked again. A line is written when its answer is there, so a run that is killed loses nothing
//! that it knew.

mod file;
mod record;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use locator::UriRef;
use locator_audit::redacted;

pub(crate) use self::record::Question;
use self::record::Record;
use crate::judge::reply::{Method, Reply};
use crate::judge::{Next, judge};
use crate::outcome::Code;

/// The answers of earlier runs.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    max_age: Duration,
    /// Whether redirects are not served.
    asks_for_redirects: bool,
    /// The answers for any address, and those for public addresses, by their URLs.
    records: [HashMap<Box<str>, Record>; 2],
    state: Mutex<State>,
}

/// What changes during a run.
#[derive(Debug, Default)]
struct State {
    /// How many lines the file has, and how many of them are of no use.
    lines: usize,
    useless: usize,
    /// Why the file could not be written, after which it is not.
    failure: Option<io::Error>,
}

impl Cache {
    /// Reads the answers in a file, which is created if it does not exist. Those that are older than `max_age`
    /// are not used.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or has something else than a cache.
    pub fn open(path: PathBuf, max_age: Duration) -> io::Result<Self> {
        let path = file::create(&path)?;
        let mut state = State::default();
        let mut records = [HashMap::new(), HashMap::new()];
        let (mut is_empty, mut is_cache) = (true, false);
        let now = now();
        file::each_line(&path, |line| {
            is_empty &= line.is_empty();
            is_cache |= record::is_record(line);
            state.lines += 1;
            let record = Record::parse(line).filter(|record| record.is_fresh(now, max_age));
            if let Some(mut record) = record {
                let of_reach: &mut HashMap<_, _> = &mut records[usize::from(record.is_for_public)];
                of_reach.insert(std::mem::take(&mut record.url), record);
            }
        })?;
        state.useless = state.lines - records.iter().map(HashMap::len).sum::<usize>();
        if !is_empty && !is_cache {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not a cache of links"));
        }
        Ok(Self { path, max_age, asks_for_redirects: false, records, state: state.into() })
    }

    /// Serves no redirects, so that servers say what they are now.
    #[must_use]
    pub fn without_redirects(self) -> Self {
        Self { asks_for_redirects: true, ..self }
    }

    /// Returns the answer to a question, and the method that it answered.
    pub(crate) fn find(&self, question: Question<'_>) -> Option<(Method, Reply)> {
        let record = self.records_of(question).get(question.url)?;
        if !record.answers(question) || !is_shareable(question.url) {
            return None;
        }
        let (method, reply) = (record.method(), record.reply());
        let is_withheld = self.asks_for_redirects && reply.redirect().is_some();
        (is_conclusive(method, &reply) && !is_withheld).then_some((method, reply))
    }

    /// Keeps the answer to a question, if it is conclusive and has no secrets.
    pub(crate) fn store(&self, question: Question<'_>, method: Method, reply: &Reply) {
        let is_kept = is_conclusive(method, reply)
            && is_shareable(question.url)
            && reply.redirect().is_none_or(is_shareable);
        let Some(record) = Record::new(question, method, reply).filter(|_| is_kept) else { return };
        let is_known = self.records_of(question).contains_key(question.url);
        let mut state = self.state();
        if state.failure.is_some() {
            return;
        }
        match file::append(&self.path, &record.line()) {
            Ok(()) => {
                state.lines += 1;
                state.useless += usize::from(is_known);
            }
            Err(error) => state.failure = Some(error),
        }
    }

    fn records_of(&self, question: Question<'_>) -> &HashMap<Box<str>, Record> {
        &self.records[usize::from(question.is_for_public)]
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
        file::rewrite(&self.path, |line| {
            let record = Record::parse(line).filter(|record| record.is_fresh(now, self.max_age))?;
            Some((record.is_for_public, record.url))
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether an answer will be the same for some time. Of failures, only 404 and 410 are.
fn is_conclusive(method: Method, reply: &Reply) -> bool {
    matches!(judge(method, reply), Next::Redirect(_) | Next::Final(Code::Ok | Code::NotFound | Code::Gone))
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
