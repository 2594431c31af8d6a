//! Going on with a fetch that was cut off: where it ended, and what proves that the object is still the
//! same.

use std::time::{Duration, SystemTime};

use locator::plan::Resumption;

use crate::time::date::{parse_ftp_time, parse_http_date};

/// What proves that two fetches read the same version of an object, as far as its server says.
///
/// The texts are those of the server, and are only compared with each other.
///
/// ```
/// let response =
///     locator_fetch::blocking::Fetcher::for_user_input().fetch("data:,hello")?;
/// assert_eq!(response.proof().length, Some(5));
///
/// // One that was stored:
/// let proof = locator_fetch::Proof::default().etag("\"1a2b\"").length(5);
/// assert_eq!(proof.strong_etag(), Some("\"1a2b\""));
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Proof {
    /// The entity tag (RFC 9110, 8.8.3): `"1a2b"`, or `W/"1a2b"` if it is weak.
    pub etag: Option<String>,
    /// The time of the last change: the field `Last-Modified` of HTTP, or what `MDTM` of FTP replies,
    /// `20260301120000`.
    pub last_modified: Option<String>,
    /// When the server sent it: the field `Date` of HTTP.
    pub date: Option<String>,
    /// The number of octets of the whole object.
    pub length: Option<u64>,
}

impl Proof {
    /// Sets the entity tag.
    #[must_use]
    pub fn etag(self, etag: impl Into<String>) -> Self {
        Self { etag: Some(etag.into()), ..self }
    }

    /// Sets the time of the last change, as the server wrote it.
    #[must_use]
    pub fn last_modified(self, time: impl Into<String>) -> Self {
        Self { last_modified: Some(time.into()), ..self }
    }

    /// Sets when the server sent it, as it wrote it.
    #[must_use]
    pub fn date(self, time: impl Into<String>) -> Self {
        Self { date: Some(time.into()), ..self }
    }

    /// Sets the number of octets of the whole object.
    #[must_use]
    pub fn length(self, octets: u64) -> Self {
        Self { length: Some(octets), ..self }
    }

    /// Returns the entity tag if it is strong: equal ones mean equal octets (RFC 9110, 8.8.1).
    ///
    /// ```
    /// use locator_fetch::Proof;
    ///
    /// let proof = |etag: &str| Proof::default().etag(etag);
    /// assert_eq!(proof("\"1a2b\"").strong_etag(), Some("\"1a2b\""));
    /// assert_eq!(proof("W/\"1a2b\"").strong_etag(), None);
    /// ```
    #[must_use]
    pub fn strong_etag(&self) -> Option<&str> {
        self.etag.as_deref().filter(|etag| etag.starts_with('"'))
    }

    /// Returns the time of the last change if it is strong, and there is no entity tag: a change within the
    /// same second would have another time, because the server sent it at least one second after the change
    /// (RFC 9110, 8.8.2.2).
    ///
    /// ```
    /// use locator_fetch::Proof;
    ///
    /// let proof = |date: &str| {
    ///     Proof::default().last_modified("Sun, 06 Nov 1994 08:49:37 GMT").date(date)
    /// };
    /// assert!(proof("Sun, 06 Nov 1994 08:49:38 GMT").strong_last_modified().is_some());
    /// assert!(proof("Sun, 06 Nov 1994 08:49:37 GMT").strong_last_modified().is_none());
    /// ```
    #[must_use]
    pub fn strong_last_modified(&self) -> Option<&str> {
        let modified = self.last_modified.as_deref()?;
        let least = parse_http_date(modified)? + Duration::from_secs(1);
        // "A client MUST NOT generate an If-Range header field containing an HTTP-date unless the client
        // has no entity tag for the corresponding representation" (RFC 9110, 13.1.5).
        let is_strong = parse_http_date(self.date.as_deref()?)? >= least && self.etag.is_none();
        is_strong.then_some(modified)
    }

    /// Returns the time of the last change, if the server states one.
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// let proof = locator_fetch::Proof::default().last_modified("20010909014640");
    /// assert_eq!(proof.modified(), Some(UNIX_EPOCH + Duration::from_secs(1_000_000_000)));
    /// ```
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        let text = self.last_modified.as_deref()?;
        parse_http_date(text).or_else(|| parse_ftp_time(text))
    }
}

/// Where an earlier fetch of a URL was cut off.
///
/// The octets before `from` are left out if the server proves that the object is still the same, and
/// can begin there. Else the object begins anew: [`Response::resumed_from`](crate::Response::resumed_from)
/// says where.
///
/// ```no_run
/// use locator_fetch::{Resume, blocking::Fetcher};
///
/// let (fetcher, url) =
///     (Fetcher::for_user_input(), "https://example.com/large.iso");
/// let proof = fetcher.fetch(url)?.proof().clone();
/// let rest = fetcher.request(url).resume(Resume::new(1_000, proof)).send()?;
/// println!("the body begins at byte {}", rest.resumed_from());
/// # Ok::<_, locator_fetch::FetchError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resume {
    /// The number of octets that are there.
    pub from: u64,
    /// The proof of the object that they are of: [`Response::proof`](crate::Response::proof) of the earlier
    /// fetch.
    pub proof: Proof,
}

impl Resume {
    /// Creates the point after so many octets of the object that the proof is of.
    #[must_use]
    pub const fn new(from: u64, proof: Proof) -> Self {
        Self { from, proof }
    }

    /// Returns what a plan of ftp needs to go on: time and length prove it (RFC 3659, 3 and 4).
    #[must_use]
    pub fn resumption(&self) -> Resumption<'_> {
        match &self.proof {
            Proof { last_modified: Some(modified), length: Some(length), .. } => {
                Resumption::From { start: self.from, length: *length, modified }
            }
            _ => Resumption::Prepared,
        }
    }
}
