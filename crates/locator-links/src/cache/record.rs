//! A line of the cache: the version, the hash of the rest, and an answer in JSON, between tabs.
//!
//! A line that is torn, changed or of another version is no record, and is ignored.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::anchors::Anchors;
use crate::judge::reply::{Method, Reply, Response, Said};

/// The begin of all lines, and that of the lines of this version.
const NAME: &[u8] = b"links-";
const VERSION: &[u8] = b"links-1";

/// The most names of a page that are kept.
const MOST_NAMES: usize = 10_000;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
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
pub(super) struct Record {
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
    names: Option<Names>,
}

/// The hashes of the names in a page.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Names {
    names: Vec<u64>,
    headings: Vec<u64>,
    all: bool,
}

/// Returns whether a line begins like those of the cache in any version.
pub(super) fn is_record(line: &[u8]) -> bool {
    line.starts_with(NAME)
}

impl Record {
    /// Creates the record of an answer; `None` if nobody answered.
    pub(super) fn new(question: Question<'_>, method: Method, reply: &Reply) -> Option<Self> {
        let response = match &reply.said {
            Said::Response(response) => Some(response),
            Said::Found => None,
            Said::Failed(_) => return None,
        };
        let names = reply.anchors.as_ref().map(Names::new);
        let is_long = |names: &Names| names.names.len() + names.headings.len() > MOST_NAMES;
        let is_too_long = names.as_ref().is_some_and(is_long);
        Some(Self {
            url: question.url.into(),
            is_for_public: question.is_for_public,
            is_head: method == Method::Head,
            status: response.map(|response| response.status),
            reason: response.map_or("", |response| &*response.reason).into(),
            location: reply.redirect().map(Into::into),
            sets_cookie: response.is_some_and(|response| response.sets_cookie),
            is_public: reply.is_public,
            seen: reply.seen?,
            is_read: question.wants_anchors && reply.page.is_none() && !reply.is_cut && !is_too_long,
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
    pub(super) fn is_fresh(&self, now: u64, max_age: Duration) -> bool {
        now.checked_sub(self.seen).is_some_and(|age| age < max_age.as_secs())
    }

    /// Returns the method that was answered.
    pub(super) const fn method(&self) -> Method {
        if self.is_head { Method::Head } else { Method::Get }
    }

    /// Returns whether all that is wanted is known. Of a page only the names are kept.
    pub(super) const fn answers(&self, question: Question<'_>) -> bool {
        let is_page = matches!(self.status, Some(200..=299));
        !question.wants_page && (!is_page || self.is_read || !question.wants_anchors)
    }

    /// Returns the answer.
    pub(super) fn reply(&self) -> Reply {
        let said = self.status.map_or(Said::Found, |status| {
            Said::Response(Response {
                status,
                reason: self.reason.to_string(),
                location: self.location.as_deref().map(str::to_owned),
                sets_cookie: self.sets_cookie,
                ..Response::default()
            })
        });
        let anchors = self.names.as_ref().map(Names::anchors);
        Reply { said, is_public: self.is_public, anchors, seen: Some(self.seen), ..Reply::default() }
    }
}

impl Names {
    fn new(anchors: &Anchors) -> Self {
        let (names, headings) = anchors.hashes();
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

#[cfg(test)]
mod tests {
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
            names: Some(Names { names: vec![1, u64::MAX], headings: vec![], all: true }),
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
}
