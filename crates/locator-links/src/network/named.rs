//! What the user names is fetched: a page, and the rules of its site.

use std::time::Duration;

use locator::UriRefBuf;
use locator_fetch::FetchError;
use locator_find::Format;
use tokio::time::{Instant, sleep};

use super::Network;
use super::answer::{PAGE, format_of, in_utf8, waits};
use super::asking::{Request, origin_of};
use super::robots::{MOST_OCTETS, Robots};
use crate::judge::reply::{FetchedPage, Method};
use crate::outcome::Code;
use crate::pace::{Host, Pace, Permission};

/// The product token of this program, by which `robots.txt` names it.
const PRODUCT: &str = "locator";

impl Network {
    /// Fetches a page that the user named.
    ///
    /// # Errors
    ///
    /// The page cannot be fetched.
    pub async fn page(&self, url: &str) -> Result<FetchedPage, FetchError> {
        let (fetcher, with_login) = (self.named(url).max_size(PAGE), self.logins.add(url));
        let mut patience = Patience::new(self.max_wait);
        let fetched = loop {
            let mut request = fetcher.request(with_login.as_deref().unwrap_or(url));
            if let Some(shown) = with_login.as_ref().and_then(|_| UriRefBuf::parse(url).ok()) {
                request = request.shown_as(shown);
            }
            match request.send().await {
                Ok(fetched) => break fetched,
                Err(error) => patience.after(error).await?,
            }
        };
        let mut url = fetched.url().without_fragment().as_str().to_owned();
        if fetched.url().path().is_empty() && !url.contains('?') {
            // As links of the page are resolved.
            url.push('/');
        }
        let known = fetched.media_type().and_then(format_of);
        let charset = fetched.charset().map(str::to_owned);
        let bases = fetched.bases();
        let octets = in_utf8(charset.as_deref(), fetched.bytes().await?.into());
        let path = url.split('?').next().unwrap_or_default();
        let format =
            known.or_else(|| Format::of(std::path::Path::new(path), &octets)).unwrap_or(Format::Text);
        Ok(FetchedPage { url, bases, format, octets })
    }

    /// Fetches the rules of the site of a page that the user named.
    ///
    /// # Errors
    ///
    /// The server cannot be reached or has an error. "If the robots.txt file is unreachable due to server or
    /// network errors, […] the crawler MUST assume complete disallow." (RFC 9309, 2.3.1.4)
    pub async fn robots(&self, url: &str) -> Result<Robots, FetchError> {
        let Some(origin) = origin_of(url) else { return Ok(Robots::allow_all()) };
        let url = format!("{origin}/robots.txt");
        let mut patience = Patience::new(self.max_wait);
        let fetched = loop {
            let error = match self.named(&url).fetch(&*url).await {
                Ok(fetched) => break fetched,
                Err(error) => error,
            };
            match patience.after(error).await {
                Ok(()) => {}
                // "If a server status code indicates that the robots.txt file is unavailable to the crawler, then
                // the crawler MAY access any resources on the server." (RFC 9309, 2.3.1.3)
                Err(error) if error.head().is_some_and(|head| matches!(head.status, 400..=499)) => {
                    return Ok(Robots::allow_all());
                }
                Err(error) => return Err(error),
            }
        };
        let mut body = fetched.body();
        let mut octets = Vec::new();
        while let Some(more) = body.chunk().await? {
            octets.extend_from_slice(&more);
            if octets.len() >= MOST_OCTETS {
                break;
            }
        }
        Ok(Robots::parse(&octets, PRODUCT))
    }

    /// Returns what fetches a URL that the user named, or that it redirects to.
    fn named(&self, url: &str) -> locator_fetch::Fetcher {
        let own = Request {
            url: url.into(),
            method: Method::Get,
            is_for_public: false,
            wants_anchors: true,
            wants_text: false,
            wants_page: false,
            sends_headers: true,
            sends_login: true,
            jar: None,
        };
        let http = self.settings(&own).unwrap_or_else(|| self.http.clone());
        self.any.1.clone().http(http.follow(true).error_bodies(false).compressed(true))
    }
}

/// Waits for a server that has too many requests or is busy, as long as for the servers of links.
struct Patience {
    host: Host,
    start: Instant,
}

impl Patience {
    fn new(max_wait: Duration) -> Self {
        Self { host: Host::new(Pace { max_wait, ..Pace::default() }), start: Instant::now() }
    }

    /// Waits after an error; returns the error if that does not help, or not any longer.
    async fn after(&mut self, error: FetchError) -> Result<(), FetchError> {
        let refusal = error.head().and_then(|head| match head.status {
            429 => Some((Code::TooManyRequests, waits(429, &head.headers))),
            503 => Some((Code::Busy, waits(503, &head.headers))),
            _ => None,
        });
        let Some((code, asked)) = refusal else { return Err(error) };
        let now = self.start.elapsed();
        if !self.host.refuses(now, code, asked) {
            return Err(error);
        }
        if let Permission::At(time) = self.host.permission(now) {
            sleep(time.saturating_sub(now)).await;
        }
        Ok(())
    }
}
