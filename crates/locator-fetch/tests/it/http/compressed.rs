//! Content codings.

use std::io::Write;
use std::time::Duration;

use locator_fetch::http::ByteRange;
use locator_fetch::run::FailureKind;

use super::server::Answer::*;
use super::server::{Answer, Server};
use super::*;

/// "hello, hello, hello" by brotli.
const BROTLI: &[u8] = &[
    0x1B, 0x12, 0x00, 0xF8, 0x8D, 0x94, 0x6E, 0xDE, 0x44, 0x09, 0x52, 0x86, 0x96, 0x6C, 0x2C, 0x6F, 0x11,
    0x4F, 0x24, 0xD0, 0x71, 0x00,
];
/// 16 MB of zeros by brotli.
const ZEROS: &[u8] = &[
    0xCB, 0xFF, 0xFF, 0x3F, 0xF8, 0x27, 0x00, 0xE2, 0xB1, 0x40, 0x20, 0xF7, 0xFE, 0x2F, 0xFF, 0xFF, 0xFF,
    0xF0, 0x4F, 0x00, 0xC4, 0x61, 0x11, 0x80, 0xEE, 0xFD, 0x1F,
];
const TEXT: &str = "hello, hello, hello";

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zstd(octets: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(octets, ruzstd::encoding::CompressionLevel::Fastest)
}

fn coded(coding: &str, octets: &[u8]) -> Answer {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n", octets.len());
    Send([head.as_bytes(), octets].concat())
}

#[tokio::test]
async fn codings() {
    let asks = fetcher(Http::new().compressed(true));
    for (coding, octets) in [
        ("gzip", gzip(TEXT.as_bytes())),
        ("X-GZip", gzip(TEXT.as_bytes())),
        ("br", BROTLI.into()),
        ("zstd", zstd(TEXT.as_bytes())),
        ("identity", TEXT.into()),
    ] {
        let server = Server::start(vec![
            coded(coding, &octets),
            coded(coding, &octets),
            coded(coding, &octets[..octets.len() - 1]),
        ])
        .await;
        assert_eq!(get_by(&asks, &server.url("/")).await.unwrap(), TEXT, "{coding}");
        assert_eq!(server.fields("accept-encoding")[0].as_deref(), Some("gzip, br, zstd"));
        // Without it the octets are those of the server.
        let fetched = fetch(&server.url("/")).await.unwrap();
        assert_eq!(fetched.headers().get("content-encoding"), Some(coding));
        assert_eq!(read(fetched).await.unwrap().0, octets);
        assert_eq!(server.fields("accept-encoding")[1], None);
        if coding != "identity" {
            let error = get_by(&asks, &server.url("/")).await.unwrap_err();
            assert!(
                matches!(&error.failure().unwrap().kind, FailureKind::Compressed(_)),
                "{coding}: {error}"
            );
        }
    }
    for coding in ["compress", "gzip, br", "x\u{1b}"] {
        let server = Server::start(vec![coded(coding, b"x")]).await;
        let error = get_by(&asks, &server.url("/")).await.unwrap_err();
        assert!(
            matches!(&error.failure().unwrap().kind, FailureKind::Compressed(_) | FailureKind::Protocol(_)),
            "{coding}: {error}"
        );
    }
}

#[tokio::test]
async fn zeros_for_ever() {
    // 4 GB of zeros in about 4 MB of gzip, and in less of the others.
    let zeros = vec![0; 8 << 20];
    let blocks = [&b"\x28\xB5\x2F\xFD\x00\x58"[..], &b"\x02\x00\x10\x00".repeat(4096)].concat();
    for (coding, octets) in [("gzip", gzip(&zeros)), ("zstd", blocks), ("br", ZEROS.into())] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes();
        let server = Server::start(vec![Flood(head.clone(), octets.clone()), Flood(head, octets)]).await;
        let asks = fetcher(Http::new().compressed(true));
        let error = get_by(&asks, &server.url("/")).await.unwrap_err();
        // These octets of brotli end before the ratio counts.
        let is_expected = match &error.failure().unwrap().kind {
            FailureKind::TooMuch { what, .. } => *what == "bytes for each compressed byte",
            FailureKind::Compressed(_) => coding == "br",
            _ => false,
        };
        assert!(is_expected, "{coding}: {error}");
        // The limit is for what is decompressed.
        let asks = asks.max_size(100_000);
        let error = get_by(&asks, &server.url("/")).await.unwrap_err();
        assert!(
            matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { limit: 100_000, .. }),
            "{coding}: {error}"
        );
    }
}

#[tokio::test]
async fn never_with_a_part() {
    let server = Server::start(vec![coded("gzip", b"x")]).await;
    let http = Http::new().compressed(true);
    let sent = send(http, &server.url("/"), |request| request.range(ByteRange::From(1))).await.unwrap();
    assert_eq!(read(sent).await.unwrap().0, b"x");
    assert_eq!(server.fields("accept-encoding"), [None]);
}

/// The limit of time holds while nothing comes out of what is decompressed.
#[tokio::test]
async fn members_and_blocks_without_content() {
    let asks = fetcher(Http::new().compressed(true)).timeout(Duration::from_millis(300));
    // A metadata block without octets (RFC 7932, 9.2); a window of 64 KiB before the first.
    let of_brotli = (vec![0b0000_1100], vec![0b0000_0110; 10_000]);
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x68];
    for (coding, first, rest) in [
        ("gzip", vec![], gzip(b"").repeat(1_000)),
        ("br", of_brotli.0, of_brotli.1),
        ("zstd", frame.to_vec(), [0; 30_000].to_vec()),
        ("zstd", vec![], [&frame[..], &[1, 0, 0]].concat().repeat(1_000)),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
        let server = Server::start(vec![Flood([head.as_bytes(), &first].concat(), rest)]).await;
        let error = get_by(&asks, &server.url("/")).await.unwrap_err();
        let kind = &error.failure().unwrap().kind;
        assert!(matches!(kind, FailureKind::TookTooLong(300)), "{coding}: {error}");
    }
}
