//! Files, directories, data and drafts: no network.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::error::Error as _;
use std::path::PathBuf;
use std::sync::Arc;

use locator::plan::{LookUp, ObjectKind, PlanError};
use locator::{ParseError, UriRef, uri_ref};
use locator_fetch::blocking::{Fetcher, Response};
use locator_fetch::entries::{EntryKind, entries};
use locator_fetch::run::{FailureKind, FileCause, Whole};
use locator_fetch::{FetchError, FetchErrorKind, Handler, MailMessage};

/// A directory that is removed when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("locator-fetch-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn url(&self, name: &str) -> String {
        format!("file://{}/{name}", self.0.display())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn fetch(url: &str) -> Result<Response, FetchError> {
    Fetcher::for_user_input().fetch(UriRef::parse(url).unwrap())
}

fn read(fetched: &mut Response) -> Result<Vec<u8>, FetchError> {
    let mut octets = Vec::new();
    while let Some(chunk) = fetched.chunk()? {
        octets.extend_from_slice(&chunk);
    }
    Ok(octets)
}

#[test]
fn files() {
    let scratch = Scratch::new("files");
    let octets: Vec<u8> = (0..300_000_u32).map(|i| (i % 251) as u8).collect();
    for (name, octets) in [("large", &octets[..]), ("small", b"x"), ("empty", b"")] {
        std::fs::write(scratch.0.join(name), octets).unwrap();
        let mut fetched = fetch(&scratch.url(name)).unwrap();
        assert_eq!(read(&mut fetched).unwrap(), octets, "{name}");
        assert_eq!(fetched.whole(), Some(Whole::Framed));
        assert_eq!(fetched.chunk().unwrap(), None);
    }
    let url = scratch.url("large");
    let mut fetched = Fetcher::for_user_input().max_size(100_000).fetch(&url).unwrap();
    let mut count = 0;
    let error = loop {
        match fetched.chunk() {
            Ok(Some(chunk)) => count += chunk.len(),
            Ok(None) => panic!("the limit was not seen"),
            Err(error) => break error,
        }
    };
    assert_eq!(count, 100_000);
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { limit: 100_000, .. }), "{error}");
}

#[tokio::test]
async fn files_in_a_runtime() {
    let scratch = Scratch::new("async");
    std::fs::write(scratch.0.join("a"), b"on disk").unwrap();
    let url = scratch.url("a");
    let mut fetched =
        locator_fetch::Fetcher::for_user_input().fetch(UriRef::parse(&url).unwrap()).await.unwrap();
    assert_eq!(fetched.chunk().await.unwrap().unwrap(), "on disk");
    assert_eq!(fetched.body().finish().await.unwrap(), Whole::Framed);
}

#[cfg(unix)]
#[test]
fn directories() {
    use std::os::unix::ffi::OsStrExt;

    let scratch = Scratch::new("directories");
    let names: [&[u8]; 5] = [b"a%2Fb", b"latin\xE9", b"two\nlines", b" lead", b"-l"];
    for name in names {
        std::fs::write(scratch.0.join(std::ffi::OsStr::from_bytes(name)), name).unwrap();
    }
    std::fs::create_dir(scratch.0.join("inner")).unwrap();
    for url in [scratch.url(""), scratch.url("").trim_end_matches('/').to_owned()] {
        let mut fetched = fetch(&url).unwrap();
        assert_eq!(fetched.kind(), ObjectKind::Names);
        let listing = read(&mut fetched).unwrap();
        let reference = UriRef::parse(&url).unwrap();
        let mut count = 0;
        for entry in entries(fetched.kind(), reference, &listing).unwrap() {
            let url = entry.url.unwrap().to_string();
            let is_directory = fetch(&url).unwrap().kind() == ObjectKind::Names;
            assert_eq!(is_directory, entry.kind == EntryKind::Directory, "{url}");
            if !is_directory {
                // Each file contains its own name.
                assert_eq!(read(&mut fetch(&url).unwrap()).unwrap(), entry.name, "{url}");
            }
            count += 1;
        }
        assert_eq!(count, names.len() + 1);
    }
}

#[cfg(unix)]
#[test]
fn what_is_not_a_file() {
    let scratch = Scratch::new("pipe");
    let pipe = scratch.0.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // Opening a pipe without a writer would wait for ever.
    for url in [scratch.url("pipe"), "file:///dev/zero".into(), "file:///dev/null".into()] {
        let error = fetch(&url).unwrap_err();
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::File(_)), "{error}");
    }
    let error = fetch(&scratch.url("missing")).unwrap_err();
    assert!(error.to_string().contains("No such file"), "{error}");
}

#[test]
fn data() {
    let mut fetched = fetch("data:text/plain;charset=utf-8,caf%C3%A9").unwrap();
    assert_eq!(fetched.charset(), Some("utf-8"));
    assert_eq!(read(&mut fetched).unwrap(), "café".as_bytes());
    assert_eq!(read(&mut fetch("data:,").unwrap()).unwrap(), b"");
}

#[test]
fn errors_have_their_sources() {
    let error = fetch("xyz:a").unwrap_err();
    let source = error.source().unwrap().downcast_ref::<PlanError>().unwrap();
    assert!(
        matches!(source, PlanError::UnknownScheme { span } if (span.start, span.end) == (0, 3)),
        "{source:?}"
    );
    let error = fetch("file:///no/such/file").unwrap_err();
    let failure = error.failure().unwrap();
    assert!(matches!(&failure.kind, FailureKind::File(why) if why.cause == FileCause::NotFound), "{failure}");
    assert!(error.source().unwrap().is::<std::io::Error>(), "{failure}");
    assert_eq!(*failure, failure.clone());
    // A text that is not a URL.
    let error = Fetcher::for_user_input().fetch("http://h/a b").unwrap_err();
    assert_eq!((error.kind(), error.failure()), (FetchErrorKind::InvalidUrl, None));
    assert_eq!(error.source().unwrap().downcast_ref::<ParseError>().unwrap().offset(), 10);
}

#[test]
fn drafts_and_messages() {
    let mut fetched = fetch("mailto:joe@test.invalid?subject=a%20b&body=text").unwrap();
    let draft = String::from_utf8(read(&mut fetched).unwrap()).unwrap();
    assert!(draft.starts_with("To: joe@test.invalid\n") && draft.ends_with("\n\ntext"), "{draft}");

    struct Mail;

    impl Handler for Mail {
        fn look_up(&self, what: &LookUp) -> Result<Option<MailMessage>, FailureKind> {
            let is_known = what.message_id.as_deref() == Some(b"a@b");
            Ok(is_known.then(|| MailMessage::new("a message")))
        }
    }

    let fetcher = Fetcher::for_user_input().handler(Arc::new(Mail));
    let mut fetched = fetcher.fetch(uri_ref!("mid:a@b")).unwrap();
    assert_eq!(read(&mut fetched).unwrap(), b"a message");
    assert!(matches!(&fetcher.fetch("mid:c@b").unwrap_err().failure().unwrap().kind, FailureKind::File(_)));
    assert!(matches!(&fetch("mid:a@b").unwrap_err().failure().unwrap().kind, FailureKind::NotSupported(_)));
}
