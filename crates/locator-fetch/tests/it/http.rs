//! HTTP against servers in this process, which do what real ones do on bad days.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod bodies;
mod causes;
mod compressed;
mod framing;
mod hops;
mod identity;
mod logins;
mod plain;
mod proxies;
mod redirect_table;
mod redirects;
mod resumed;
mod reused;
mod secured;
mod server;
mod times;
mod unusual;

use std::sync::{Arc, Mutex};

use locator::UriRef;
use locator_audit::Policy;
use locator_fetch::ResponseHead;
use locator_fetch::http::Http;
use locator_fetch::run::Whole;
use locator_fetch::{ConnectTo, FetchError, Fetcher, RequestBuilder, Response, Watcher};

/// Returns a fetcher for servers of this machine.
fn fetcher(http: Http) -> Fetcher {
    Fetcher::for_user_input().http(http)
}

async fn fetch(url: &str) -> Result<Response, FetchError> {
    fetch_by(&fetcher(Http::new()), url).await
}

/// Sends a request that is more than a URL.
async fn send(
    http: Http,
    url: &str,
    set: impl FnOnce(RequestBuilder<'static, Fetcher>) -> RequestBuilder<'static, Fetcher>,
) -> Result<Response, FetchError> {
    set(fetcher(http).request(url)).send().await
}

async fn fetch_by(fetcher: &Fetcher, url: &str) -> Result<Response, FetchError> {
    fetcher.fetch(UriRef::parse(url).unwrap()).await
}

/// Reads a body; returns its octets and how its end is known.
async fn read(mut fetched: Response) -> Result<(Vec<u8>, Whole), FetchError> {
    let mut octets = Vec::new();
    while let Some(chunk) = fetched.chunk().await? {
        octets.extend_from_slice(&chunk);
    }
    Ok((octets, fetched.body().finish().await?))
}

async fn get(url: &str) -> Result<(Vec<u8>, Whole), FetchError> {
    read(fetch(url).await?).await
}

async fn get_by(fetcher: &Fetcher, url: &str) -> Result<String, FetchError> {
    Ok(String::from_utf8(read(fetch_by(fetcher, url).await?).await?.0).unwrap())
}

/// What a watcher saw.
#[derive(Default)]
struct Seen {
    heads: Mutex<Vec<String>>,
    statuses: Mutex<Vec<u16>>,
    warnings: Mutex<Vec<String>>,
    agreed: Mutex<Vec<locator_fetch::TlsDetails>>,
}

impl Watcher for Seen {
    fn requested(&self, head: &str) {
        self.heads.lock().unwrap().push(head.to_owned());
    }

    fn responded(&self, response: &ResponseHead) {
        self.statuses.lock().unwrap().push(response.status);
    }

    fn agreed(&self, tls: &locator_fetch::TlsDetails) {
        self.agreed.lock().unwrap().push(tls.clone());
    }

    fn warned(&self, warning: &str) {
        self.warnings.lock().unwrap().push(warning.to_owned());
    }
}

/// Returns a fetcher with a watcher.
fn watched(http: Http) -> (Fetcher, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    (fetcher(http).watcher(seen.clone()), seen)
}
