//! Mirrors by the fetchers of the library: trees of this machine and pages of a server, and what is left out of them.
//! The tests of the command (`walk`) have more of FTP, resuming and the names of servers.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use locator::UriBuf;
use locator_dev::servers::ftp::{FtpServer, Tree};
use locator_fetch::mirror::{Mirror, MirrorError, MirrorEvent, SkipReason};
use locator_fetch::{Fetcher, Reuse, blocking};

/// A server of HTTP: each path has a page, an error if there is none, and a redirect if the page begins with "->".
fn serve(pages: &[(&'static str, &'static str)]) -> u16 {
    let pages: BTreeMap<_, _> = pages.iter().copied().collect();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let first = lines.next().unwrap_or_default();
            lines.find(String::is_empty);
            let page = first.split(' ').nth(1).and_then(|path| pages.get(path));
            let (status, more, page) = match page {
                Some(page) => match page.strip_prefix("->") {
                    Some(target) => ("302 Found", format!("Location: {target}\r\n"), ""),
                    None => ("200 OK", "Content-Type: text/html\r\n".to_owned(), *page),
                },
                None => ("404 Not Found", String::new(), ""),
            };
            let length = page.len();
            let head =
                format!("HTTP/1.1 {status}\r\n{more}Content-Length: {length}\r\nConnection: close\r\n\r\n");
            // The client may end the connection at any time.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(page.as_bytes()));
        }
    });
    port
}

fn tree(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![root.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                left.push(entry);
            } else {
                let below = entry.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                found.push(below);
            }
        }
    }
    found.sort();
    found
}

/// A mirror that notes its events, in a folder of its own.
fn noting<F: Clone>(fetcher: &F, folder: &Path) -> (Mirror<F>, Arc<Mutex<Vec<String>>>) {
    let noted = Arc::<Mutex<Vec<String>>>::default();
    let own = noted.clone();
    let mirror = Mirror::new(fetcher).to(folder).on_event(move |event| {
        let text = match event {
            MirrorEvent::Saved(item) => format!("saved {}", item.path().display()),
            MirrorEvent::Found(item) => format!("found {}", item.path().display()),
            MirrorEvent::Present(item) => format!("present {}", item.path().display()),
            MirrorEvent::LeftOut(item) => format!("left out {}", item.path().display()),
            MirrorEvent::Skipped { reason, .. } => format!("skipped: {reason}"),
            MirrorEvent::Failed { error, .. } => format!("failed: {error}"),
            _ => "something else".into(),
        };
        own.lock().unwrap().push(text);
    });
    (mirror, noted)
}

#[test]
fn a_tree_of_this_machine() {
    let temporary = tempfile::tempdir().unwrap();
    let (source, copy) = (temporary.path().join("pub"), temporary.path().join("copy"));
    fs::create_dir_all(source.join("a/b")).unwrap();
    for name in ["one.txt", "two.iso", "a/three.txt", "a/b/four.txt"] {
        fs::write(source.join(name), name).unwrap();
    }
    let url = UriBuf::from_file_path(&source).unwrap();
    let (mirror, noted) = noting(&blocking::Fetcher::for_user_input(), &copy);
    let mirror = mirror.reject("*.iso").depth(2);
    let listed = mirror.clone().list_only(true).run(&url).unwrap();
    assert_eq!((listed.saved, copy.exists()), (2, false));
    let first = mirror.run(&url).unwrap();
    assert_eq!(first.to_string(), "2 files saved, 1 left out, 1 skipped");
    assert!(first.is_complete());
    assert_eq!(tree(&copy), ["a/three.txt", "one.txt"]);
    assert_eq!(fs::read(copy.join("a/three.txt")).unwrap(), b"a/three.txt");
    let noted = std::mem::take(&mut *noted.lock().unwrap());
    assert!(noted.contains(&"found one.txt".to_owned()), "{noted:?}");
    assert!(noted.contains(&"saved a/three.txt".to_owned()), "{noted:?}");
    assert!(noted.contains(&"skipped: it is deeper than 2 directories".to_owned()), "{noted:?}");

    // Another run, of another mirror, keeps what is there, and replaces what is newer only if it is asked to.
    fs::write(source.join("one.txt"), "another text").unwrap();
    let again = |mirror: Mirror<blocking::Fetcher>| mirror.to(&copy).run(&url).unwrap().to_string();
    let fetcher = blocking::Fetcher::for_user_input();
    let all = || Mirror::new(&fetcher).accept(".txt");
    assert_eq!(again(all()), "1 file saved, 1 already there, 1 left out, 1 skipped");
    assert_eq!(fs::read(copy.join("one.txt")).unwrap(), b"one.txt");
    assert_eq!(again(all().newer(true).at_once(4)), "1 file saved, 2 already there, 1 left out");
    assert_eq!(fs::read(copy.join("one.txt")).unwrap(), b"another text");
    // The names of one mirror are used once.
    let twice = all().replace(true).to(&copy);
    assert_eq!(twice.run(&url).unwrap().saved, 3);
    assert_eq!(twice.run(&url).unwrap().lacking, 3);
}

#[cfg(feature = "http")]
const PAGES: [(&str, &str); 6] = [
    ("/docs/", "<title>Index of /docs</title><a href=a.html>a</a> <a href=sub/>s</a> <a href=/other>o</a>"),
    ("/docs/a.html", "page a"),
    ("/docs/sub/", "<p>no listing: <a href=../a.html>a</a> <a href=gone>g</a> <a href=away>w</a>"),
    ("/docs/sub/away", "->/private"),
    ("/private", "not below"),
    ("/file", "no directory"),
];

#[cfg(feature = "http")]
const SAVED: [&str; 2] = ["a.html", "sub/index.html"];

#[cfg(feature = "http")]
#[test]
fn pages_of_a_server() {
    let port = serve(&PAGES);
    let folder = tempfile::tempdir().unwrap();
    let (mirror, noted) = noting(&blocking::Fetcher::for_user_input(), folder.path());
    let summary = mirror.run(format!("http://127.0.0.1:{port}/docs/")).unwrap();
    assert_eq!((summary.saved, summary.failed, summary.is_complete()), (2, 1, false));
    assert_eq!(tree(folder.path()), SAVED);
    let noted = noted.lock().unwrap();
    assert!(noted.iter().any(|text| text.starts_with("skipped: it redirects to ")), "{noted:?}");
    assert!(noted.iter().any(|text| text.contains("404")), "{noted:?}");
    let run = |url: &str| mirror.run(url);
    assert!(matches!(run(&format!("http://127.0.0.1:{port}/file")), Err(MirrorError::NotADirectory)));
    assert!(matches!(run("mailto:a@b.example"), Err(MirrorError::Scheme)));
    assert!(matches!(run("no URL"), Err(MirrorError::Fetch(_))));
    let strangers = Mirror::new(&blocking::Fetcher::new()).to(folder.path());
    let Err(MirrorError::Fetch(error)) = strangers.run(format!("http://127.0.0.1:{port}/docs/")) else {
        panic!()
    };
    assert!(error.is_forbidden());
}

#[cfg(feature = "http")]
#[test]
fn a_mirror_that_is_awaited() {
    let port = serve(&PAGES);
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://127.0.0.1:{port}/docs/");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let fetcher = Fetcher::for_user_input();
    let summary = runtime.block_on(async {
        // A response before it, whose connection belongs to this runtime.
        fetcher.fetch(&url).await.unwrap().text().await.unwrap();
        let summary = Mirror::new(&fetcher).to(folder.path()).at_once(3).run(&url).await.unwrap();
        fetcher.fetch(&url).await.unwrap().text().await.unwrap();
        // Nothing is saved for a future that was dropped before it began.
        drop(Mirror::new(&fetcher).to(folder.path().join("none")).run(&url));
        summary
    });
    assert_eq!((summary.saved, summary.failed), (2, 1));
    assert_eq!(tree(folder.path()), SAVED);
}

#[test]
fn a_directory_of_ftp_is_one_login() {
    let facts = "type=file;size=1;modify=20260301120000; a\r\ntype=file;size=1;modify=20260301120000; b\r\n";
    let files = ["pub/a", "pub/b", "pub/sub/a", "pub/sub/b"].map(|path| (path, "x"));
    let above = format!("{facts}type=dir; sub\r\n");
    let server = FtpServer::with_tree(Tree::new(&[("pub/", &above), ("pub/sub/", facts)], &files).shared());
    let mirror = |reuse| {
        let folder = tempfile::tempdir().unwrap();
        let fetcher = blocking::Fetcher::for_user_input().reuse(reuse);
        let summary = Mirror::new(&fetcher).to(folder.path()).run(server.url("pub/")).unwrap();
        assert_eq!(summary.to_string(), "4 files saved");
        assert_eq!(tree(folder.path()), ["a", "b", "sub/a", "sub/b"]);
        server.commands().iter().filter(|command| command.starts_with("USER ")).count()
    };
    assert_eq!([Reuse::IfPossible, Reuse::Expected, Reuse::Never].map(mirror), [1, 1, 6]);
}

#[test]
fn reasons_are_sentences() {
    for (reason, expected) in [
        (SkipReason::LinksOut(1), "1 link leads out of the directory that the walk began with"),
        (SkipReason::LinksOut(2), "2 links lead out of the directory that the walk began with"),
        (
            SkipReason::Redirect("http://h/".into(), SkipReason::OtherServer.into()),
            "it redirects to http://h/: it is on another server",
        ),
    ] {
        assert_eq!(reason.to_string(), expected);
    }
}
