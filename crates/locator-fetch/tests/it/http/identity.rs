//! The certificate of the client.

use locator_fetch::{FetchErrorKind, Identity, IdentityError};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use super::server::{read_request, response};
use super::*;
use crate::certificates::Authority;

/// Starts a server that asks for the certificate of the client, and answers with whether there was one, or
/// with a redirect to a URL.
async fn start(authority: &Authority, redirect: Option<String>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let acceptor = TlsAcceptor::from(asking(authority));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let has_certificate = stream.get_ref().1.peer_certificates().is_some();
            let answer = match &redirect {
                Some(url) => response("302 Found", &format!("Location: {url}\r\n"), ""),
                None => response("200 OK", "", &format!("{has_certificate}")),
            };
            if read_request(&mut stream).await.is_ok_and(|request| request.is_some()) {
                stream.write_all(&answer).await.unwrap();
                stream.shutdown().await.unwrap();
            }
        }
    });
    port
}

/// Returns the settings of a server that asks for a certificate, and does not demand it.
fn asking(authority: &Authority) -> Arc<ServerConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.certificate()).unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(
        roots.into(),
        tokio_rustls::rustls::crypto::ring::default_provider().into(),
    );
    authority.server_with("localhost", verifier.allow_unauthenticated().build().unwrap())
}

#[tokio::test]
async fn only_the_given_origin_sees_it() {
    let authority = Authority::new();
    let (certificate, key) = authority.client();
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let port = start(&authority, None).await;
    let url = format!("https://localhost:{port}/");
    let without = fetcher(Http::new()).trust(authority.trust());
    assert_eq!(get_by(&without, &url).await.unwrap(), "false");
    // The order of the settings does not matter.
    for fetcher in [
        fetcher(Http::new()).identity(identity.clone()).trust(authority.trust()),
        without.identity(identity.clone()),
    ] {
        assert_eq!(get_by(&fetcher, &url).await.unwrap(), "true");
        let from = format!("https://localhost:{}/", start(&authority, Some(url.clone())).await);
        assert_eq!(get_by(&fetcher, &from).await.unwrap(), "false");
        let trusting = fetcher.http(Http::new().trust_redirects(true));
        assert_eq!(get_by(&trusting, &from).await.unwrap(), "true");
    }
}

#[tokio::test]
async fn a_server_that_demands_one() {
    let authority = Authority::new();
    let other = Authority::new();
    let (certificate, key) = other.client();
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let url = format!("https://localhost:{}/", start(&authority, None).await);
    let fetcher = fetcher(Http::new()).trust(authority.trust()).identity(identity);
    assert_eq!(get_by(&fetcher, &url).await.unwrap_err().kind(), FetchErrorKind::Tls);
}

#[test]
fn what_is_wrong_with_a_certificate_or_a_key() {
    let (certificate, key) = Authority::new().client();
    let (other, _) = Authority::new().client();
    let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let broken = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n";
    let wrong = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
    for (certificate, key, expected) in [
        (&*certificate, &*key, None),
        ("", &*key, Some(IdentityError::NoCertificate)),
        (&*key, &*key, Some(IdentityError::NoCertificate)),
        (&*certificate, "", Some(IdentityError::NoKey)),
        (&*certificate, &*certificate, Some(IdentityError::NoKey)),
        (&*certificate, encrypted, Some(IdentityError::Encrypted)),
        (&*certificate, broken, Some(IdentityError::Key)),
        (wrong, &*key, Some(IdentityError::Certificate)),
        (&*other, &*key, Some(IdentityError::OtherKey)),
    ] {
        let error = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).err();
        assert_eq!(error, expected);
    }
    // Both may be in one file.
    let both = format!("{key}{certificate}");
    assert!(Identity::from_pem(both.as_bytes(), both.as_bytes()).is_ok());
}
