//! How much memory 64 responses at a time need, in a process of their own.

#![allow(clippy::disallowed_types, reason = "tests have servers of their own")]
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

#[allow(dead_code, reason = "the tests of HTTP use all of it")]
#[path = "../it/http/server.rs"]
mod server;

use std::io::Write;

use locator::UriRef;
use locator_fetch::Fetcher;
use locator_fetch::http::Http;
use server::{Answer, Server};

/// How many responses are read at a time, and how many octets of each.
const RESPONSES: usize = 64;
const OCTETS: u64 = 512 << 10;

/// How many KiB they may need together, with the server of the test, which is in this process.
const BUDGET: u64 = 40 << 10;

/// Returns the most memory that this process has had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn responses_at_a_time() {
    let text: Vec<u8> = (0..20_000_u32).flat_map(|number| number.to_string().into_bytes()).collect();
    for (coding, octets) in [("", text.clone()), ("Content-Encoding: gzip\r\n", gzip(&text))] {
        let head = format!("HTTP/1.1 200 OK\r\n{coding}\r\n").into_bytes();
        let server = Server::start(vec![Answer::Flood(head, octets); RESPONSES]).await;
        let fetcher =
            Fetcher::for_user_input().http(Http::new().compressed(!coding.is_empty())).max_size(OCTETS);
        let before = peak();
        let tasks: Vec<_> = (0..RESPONSES)
            .map(|_| {
                let (fetcher, url) = (fetcher.clone(), server.url("/"));
                tokio::spawn(async move {
                    let mut fetched = fetcher.fetch(UriRef::parse(&url).unwrap()).await.unwrap();
                    let mut count = 0;
                    while let Ok(Some(chunk)) = fetched.chunk().await {
                        count += chunk.len() as u64;
                    }
                    count
                })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), OCTETS);
        }
        let needed = peak() - before;
        assert!(needed < BUDGET, "{coding:?}: {needed} KiB");
    }
}
