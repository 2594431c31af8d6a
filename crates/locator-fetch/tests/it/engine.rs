//! The engine against servers in this process, which do what real ones do on bad days.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test that panics has failed")]

mod clear;
mod faults;
mod scripted;
mod secured;
mod sessions;

use locator::UriRef;
use locator_fetch::run::Whole;
use locator_fetch::{FetchError, Fetcher, Response};

async fn fetch(url: &str) -> Result<Response, FetchError> {
    Fetcher::for_user_input().fetch(UriRef::parse(url).unwrap()).await
}

async fn read(fetched: &mut Response) -> Result<Vec<u8>, FetchError> {
    let mut octets = Vec::new();
    while let Some(chunk) = fetched.chunk().await? {
        octets.extend_from_slice(&chunk);
    }
    Ok(octets)
}

async fn get(url: &str) -> Result<(Vec<u8>, Whole), FetchError> {
    get_with(Fetcher::for_user_input(), url).await
}

async fn get_with(fetcher: Fetcher, url: &str) -> Result<(Vec<u8>, Whole), FetchError> {
    let mut fetched = fetcher.fetch(UriRef::parse(url).unwrap()).await?;
    let octets = read(&mut fetched).await?;
    Ok((octets, fetched.body().finish().await?))
}
