//! Fetches a URL that a stranger has chosen, as a service does that makes previews of links:
//! `cargo run --features http,tls --example stranger http://…`.
//!
//! `Fetcher::for_untrusted_urls` is for such URLs: it connects to public addresses only, wherever the URL, its name or
//! a redirect leads, and it has limits for time, size and speed. `docs/policy.md` says what else can be
//! allowed.

use std::error::Error;
use std::io::Write;

use locator_fetch::Fetcher;

/// Fetches what an untrusted URL identifies.
pub(crate) async fn fetch(fetcher: &Fetcher, url: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(fetcher.fetch(url).await?.bytes().await?.into())
}

#[allow(dead_code, reason = "the tests of reach use the function above")]
fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("usage: stranger URL")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let octets = runtime.block_on(fetch(&Fetcher::for_untrusted_urls(), &url))?;
    Ok(std::io::stdout().write_all(&octets)?)
}
