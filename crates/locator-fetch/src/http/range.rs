//! Range requests (RFC 9110, 14): which octets are asked for, and which of them a response contains.

use super::settings::ByteRange;
use crate::error::failure::{Detail, FailureKind, PartCause};
use crate::headers::ResponseHead;
use crate::run::resume::{Proof, Resume};

/// Which octets of an object are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RangeRequest {
    All,
    Range(ByteRange),
    /// The rest of an object of which there is a beginning.
    Rest(Resume),
}

/// The values of the headers `Range` and `If-Range`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RangeHeaders {
    pub(super) range: Option<String>,
    pub(super) if_range: Option<String>,
}

/// What a response contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The number of octets of the object before those of the body.
    pub(super) from: u64,
    /// The number of octets of the body, if the head says it.
    pub(super) length: Option<u64>,
    /// The number of octets of the whole object, if it is known.
    pub(super) total: Option<u64>,
    /// Whether nothing is missing of an object whose rest was asked for.
    pub(super) is_done: bool,
}

impl RangeRequest {
    /// Returns what the settings ask for.
    pub(super) fn new(range: Option<ByteRange>, resume: Option<&Resume>) -> Self {
        match (range, resume) {
            (Some(range), _) => Self::Range(range),
            (None, Some(resume)) => Self::Rest(resume.clone()),
            (None, None) => Self::All,
        }
    }

    /// Returns the values of `Range` and `If-Range`. "A client MUST NOT generate an If-Range header field
    /// containing an entity tag that is marked as weak" (RFC 9110, 13.1.5). Without an entity tag a date is
    /// used, if it is strong.
    pub(super) fn headers(&self) -> RangeHeaders {
        match self {
            Self::All => RangeHeaders::default(),
            Self::Range(range) => RangeHeaders { range: Some(format!("bytes={range}")), if_range: None },
            Self::Rest(Resume { from, proof }) => match strong_validator(proof) {
                Some(validator) => RangeHeaders {
                    range: Some(format!("bytes={from}-")),
                    if_range: Some(validator.to_owned()),
                },
                None => RangeHeaders::default(),
            },
        }
    }

    /// Returns what a response that is not an error contains.
    pub(super) fn part(&self, response: &ResponseHead) -> Result<Part, FailureKind> {
        let length = content_length(response);
        match response.status {
            206 => self.partial(response, length),
            416 => self.unsatisfied(response),
            _ => Ok(Part { length, total: length, ..Part::default() }),
        }
    }

    fn partial(&self, response: &ResponseHead, length: Option<u64>) -> Result<Part, FailureKind> {
        let wrong = |cause, why: &str| Err(FailureKind::WrongPart(Detail::new(cause, why)));
        let range = response.headers.get_bytes("content-range").and_then(content_range);
        let Some((Some((first, last)), total)) = range else {
            return wrong(PartCause::NotStated, "no Content-Range, or several parts");
        };
        if last < first || total.is_some_and(|total| last >= total) {
            return wrong(PartCause::NotInObject, "its Content-Range is outside of the file");
        }
        let own = last - first + 1;
        let is_asked = match self {
            Self::All => return wrong(PartCause::Another, "the whole file was requested"),
            Self::Range(ByteRange::From(from)) => first == *from,
            Self::Range(ByteRange::Between(from, to)) => first == *from && last <= *to,
            Self::Range(ByteRange::Last(count)) => {
                own <= *count && total.is_none_or(|total| last == total - 1)
            }
            Self::Rest(Resume { from, proof }) => {
                let is_same =
                    |own: Option<u64>, other: Option<u64>| own.is_none() || other.is_none() || own == other;
                first == *from && is_same(proof.length, total)
            }
        };
        if !is_asked {
            return wrong(PartCause::Another, &format!("bytes {first}-{last}"));
        }
        if let Self::Rest(Resume { proof, .. }) = self
            && has_changed(proof, response)
        {
            return wrong(PartCause::Another, "the file has changed on the server, which ignores If-Range");
        }
        if length.is_some_and(|length| length != own) {
            return wrong(PartCause::Length, "Content-Length and Content-Range do not agree");
        }
        Ok(Part { from: first, length: Some(own), total, is_done: false })
    }

    /// "If the range is not satisfiable": all octets are there if the object has as many.
    fn unsatisfied(&self, response: &ResponseHead) -> Result<Part, FailureKind> {
        let total =
            response.headers.get_bytes("content-range").and_then(content_range).and_then(|(_, total)| total);
        match self {
            Self::Rest(Resume { from, .. }) if total == Some(*from) => {
                Ok(Part { from: *from, length: Some(0), total, is_done: true })
            }
            _ => Err(FailureKind::WrongPart(Detail::new(
                PartCause::Unsatisfiable,
                "the file has no bytes in this range",
            ))),
        }
    }
}

/// Returns the validator by which the rest of an object is requested.
fn strong_validator(proof: &Proof) -> Option<&str> {
    proof.strong_etag().or_else(|| proof.strong_last_modified())
}

/// Returns whether a part has another validator than the beginning. "A client MAY combine these responses
/// into a larger portion of that representation if they share the same strong validator" (RFC 9110,
/// 15.3.7.3).
fn has_changed(proof: &Proof, response: &ResponseHead) -> bool {
    let name = if proof.strong_etag().is_some() { "etag" } else { "last-modified" };
    let sent = response.headers.get_bytes(name);
    sent.is_some_and(|sent| strong_validator(proof).is_some_and(|own| own.as_bytes() != sent))
}

/// Returns what proves that an object is still this one.
pub(super) fn proof(response: &ResponseHead, part: Part) -> Proof {
    let text = |name: &str| {
        response.headers.get_bytes(name).and_then(|value| String::from_utf8(value.to_vec()).ok())
    };
    let (etag, last_modified, date) = (text("etag"), text("last-modified"), text("date"));
    Proof { etag, last_modified, date, length: part.total }
}

fn content_length(response: &ResponseHead) -> Option<u64> {
    number(response.headers.get_bytes("content-length")?)
}

/// The value of `Content-Range`: the first and the last octet, if there is a part, and the number of
/// octets of the object, if it is known.
type ContentRange = (Option<(u64, u64)>, Option<u64>);

fn content_range(value: &[u8]) -> Option<ContentRange> {
    let value = std::str::from_utf8(value).ok()?;
    let (unit, rest) = value.split_at_checked(6)?;
    let (range, total) = rest.trim().split_once('/')?;
    let total = if total == "*" { None } else { Some(number(total.as_bytes())?) };
    let range = match range {
        "*" => None,
        range => {
            let (first, last) = range.split_once('-')?;
            Some((number(first.as_bytes())?, number(last.as_bytes())?))
        }
    };
    unit.eq_ignore_ascii_case("bytes ").then_some((range, total))
}

fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::headers::Version;

    fn part(asked: &RangeRequest, status: u16, fields: &[(&str, &str)]) -> Option<(u64, Option<u64>, bool)> {
        let headers = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
        let response = ResponseHead {
            version: Version::Http11,
            status,
            reason: String::new(),
            headers: headers.collect(),
            sent: Bytes::new(),
        };
        asked.part(&response).ok().map(|part| (part.from, part.length, part.is_done))
    }

    fn headers(range: &str, if_range: &str) -> RangeHeaders {
        RangeHeaders { range: Some(range.to_owned()), if_range: Some(if_range.to_owned()) }
    }

    #[test]
    fn parts() {
        let of = |asked: &RangeRequest, range: &str| part(asked, 206, &[("content-range", range)]);
        let from = RangeRequest::Range(ByteRange::From(5));
        assert_eq!(of(&from, "bytes 5-9/10"), Some((5, Some(5), false)));
        assert_eq!(of(&from, "BYTES 5-9/*"), Some((5, Some(5), false)));
        for wrong in [
            "bytes 0-9/10",
            "bytes 6-9/10",
            "bytes 5-4/10",
            "bytes 5-10/10",
            "bytes */10",
            "bytes 5-9",
            "items 5-9/10",
            "bytes 5-99999999999999999999/*",
            "bytes +5-9/10",
            "",
        ] {
            assert_eq!(of(&from, wrong), None, "{wrong}");
        }
        assert_eq!(part(&from, 206, &[]), None);
        assert_eq!(part(&from, 206, &[("content-range", "bytes 5-9/10"), ("content-length", "4")]), None);
        assert_eq!(part(&from, 200, &[("content-length", "10")]), Some((0, Some(10), false)));
        assert_eq!(part(&from, 416, &[("content-range", "bytes */5")]), None);
        assert_eq!(of(&RangeRequest::All, "bytes 0-9/10"), None);
        let between = RangeRequest::Range(ByteRange::Between(2, 3));
        assert_eq!((of(&between, "bytes 2-3/9").is_some(), of(&between, "bytes 2-4/9")), (true, None));
        let last = RangeRequest::Range(ByteRange::Last(2));
        assert_eq!(of(&last, "bytes 7-8/9"), Some((7, Some(2), false)));
        assert_eq!((of(&last, "bytes 6-8/9"), of(&last, "bytes 6-7/9")), (None, None));
    }

    #[test]
    fn the_rest_of_an_object() {
        let proof =
            |etag: Option<&str>| Proof { etag: etag.map(Into::into), length: Some(10), ..Proof::default() };
        let rest = |etag| RangeRequest::Rest(Resume { from: 5, proof: proof(etag) });
        let strong = rest(Some("\"a\""));
        assert_eq!(strong.headers(), headers("bytes=5-", "\"a\""));
        assert_eq!(
            [rest(Some("W/\"a\"")).headers(), rest(None).headers()],
            [RangeHeaders::default(), RangeHeaders::default()]
        );
        assert_eq!(part(&strong, 206, &[("content-range", "bytes 5-9/10")]), Some((5, Some(5), false)));
        let changed = [("content-range", "bytes 5-9/10"), ("etag", "\"b\"")];
        assert_eq!(part(&strong, 206, &changed), None);
        let (changed_at, sent_at) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT");
        let dated = proof(None).last_modified(changed_at).date(sent_at);
        let dated = RangeRequest::Rest(Resume { from: 5, proof: dated });
        assert_eq!(dated.headers(), headers("bytes=5-", changed_at));
        let changed = [("content-range", "bytes 5-9/10"), ("last-modified", sent_at)];
        assert_eq!(part(&dated, 206, &changed), None);
        assert_eq!(part(&strong, 206, &[("content-range", "bytes 5-9/11")]), None);
        assert_eq!(part(&strong, 206, &[("content-range", "bytes 0-9/10")]), None);
        assert_eq!(part(&strong, 200, &[]), Some((0, None, false)));
        assert_eq!(part(&strong, 416, &[("content-range", "bytes */5")]), Some((5, Some(0), true)));
        assert_eq!(part(&strong, 416, &[("content-range", "bytes */4")]), None);
    }
}
