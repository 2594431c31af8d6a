//! `links --cache`: what a later run asks for, what is in the file, and what a run says that cannot use it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::sync::mpsc;
use std::sync::{Mutex, atomic::AtomicUsize, atomic::Ordering};
use std::time::SystemTime;

use serde_json::{Value, json};
use twox_hash::XxHash3_64;

use crate::http::{Request, Server, answer, folder};
use crate::links::links;
use crate::runner;

const QUICK: [&str; 4] = ["--private", "--interval", "0", "--cache=cache"];

/// Runs the verb with a cache in the folder; returns what it prints, its status and what it says.
fn cached(folder: &Path, arguments: &[&str]) -> (String, i32, String) {
    links(folder, &[&QUICK, arguments].concat())
}

/// Returns the code of each link.
fn codes(folder: &Path, arguments: &[&str]) -> BTreeMap<String, String> {
    let (printed, _, _) = cached(folder, &[&["--json"], arguments].concat());
    let objects = printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |object: &Value, key: &str| object[key].as_str().unwrap().to_owned();
    objects.map(|object| (text(&object, "url"), text(&object, "code"))).collect()
}

fn page(folder: &Path, urls: impl IntoIterator<Item = String>) {
    let links = urls.into_iter().map(|url| format!("[link]({url})\n"));
    fs::write(folder.join("a.md"), links.collect::<String>()).unwrap();
}

/// Answers `/STATUS/…` with that status, and `/301/…` with a redirect to the rest.
fn by_status(request: &Request) -> Vec<u8> {
    let (method, path) = request.line.split_once(' ').unwrap();
    let (status, to) = path[1..].split_once('/').unwrap_or((&path[1..], ""));
    let octets = match status {
        "301" | "302" | "308" => answer(&format!("{status} Moved"), &format!("Location: /{to}\r\n"), ""),
        status => {
            // So long that it is no page that only refreshes to another one.
            let body = format!("<p id=here>{}", " ".repeat(20_000));
            answer(&format!("{status} Status"), "Content-Type: text/html\r\n", &body)
        }
    };
    match method {
        "HEAD" => octets[..octets.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4].to_vec(),
        _ => octets,
    }
}

/// Returns a line of the file, for a URL that was asked for so many seconds ago.
fn line(url: &str, status: u16, location: Option<&str>, age: i64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
    let json = json!({
        "url": url, "for_public": false, "head": false, "status": status, "reason": "", "location": location,
        "sets_cookie": false, "public": false, "seen": now - age, "read": false, "names": null,
    });
    let json = json.to_string();
    format!("links-1\t{:016x}\t{json}\n", XxHash3_64::oneshot(json.as_bytes()))
}

#[test]
fn a_second_run_asks_nothing() {
    let (server, folder) = (Server::new(by_status), folder());
    let paths =
        ["/200/a", "/204/b", "/404/c", "/410/d", "/301/200/e", "/200/f#here", "/200/f#no", "/404/c#x"];
    page(folder.path(), paths.map(|path| server.url(path)));
    let first = codes(folder.path(), &["a.md"]);
    let asked = server.lines().len();
    assert_eq!(first[&server.url("/404/c")], "not-found");
    assert_eq!(first[&server.url("/200/f#no")], "remote-anchor");
    assert_eq!(codes(folder.path(), &["a.md"]), first);
    assert_eq!(server.lines().len(), asked);
    let (printed, status, said) = cached(folder.path(), &["a.md"]);
    assert_eq!(status, 1);
    assert!(printed.contains("a.md:3:8: error: ") && printed.contains("(404 Status)"), "{printed}");
    let numbers = "8 links in 1 file: 3 broken, 1 unknown, 1 redirected, 3 ok; 7 of 7 URLs from the cache\n";
    assert!(said.starts_with(numbers), "{said}");
    assert_eq!(server.lines().len(), asked);
    // The fragments of a page that was asked for without them.
    page(folder.path(), [server.url("/200/a#here")]);
    assert_eq!(codes(folder.path(), &["a.md"])[&server.url("/200/a#here")], "ok");
    assert_eq!(server.lines()[asked..], ["GET /200/a"]);
    assert_eq!(codes(folder.path(), &["a.md"])[&server.url("/200/a#here")], "ok");
    assert_eq!(server.lines().len(), asked + 1);
}

#[test]
fn failures_are_asked_for_again() {
    let (server, folder) = (Server::new(by_status), folder());
    for path in
        ["/500/a", "/503/a", "/403/a", "/401/a", "/418/a", "/200/x?token=0f8fad5bd9cb469fa1657086787785"]
    {
        page(folder.path(), [server.url(path)]);
        let [first, second] = [(), ()].map(|()| {
            let before = server.lines().len();
            cached(folder.path(), &["a.md"]);
            server.lines().split_off(before)
        });
        assert!(!first.is_empty(), "{path}");
        assert_eq!(first, second, "{path}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("cache")).unwrap(), "");
    // A loop, which is red, and a redirect to a page that is dead: it may lead to another one now.
    let server = Server::new(|request| match request.line.split_once(' ').unwrap().1 {
        "/loop" => answer("301 Moved", "Location: /pool\r\n", ""),
        "/pool" => answer("301 Moved", "Location: /loop\r\n", ""),
        _ => by_status(request),
    });
    page(folder.path(), ["/loop", "/301/404/a"].map(|path| server.url(path)));
    let first = codes(folder.path(), &["a.md"]);
    assert_eq!(first.values().collect::<Vec<_>>(), ["not-found", "loop"]);
    let asked = server.lines().len();
    assert_eq!(codes(folder.path(), &["a.md"]), first);
    let again = server.lines().split_off(asked);
    assert!(
        ["/loop", "/pool", "/301/404/a"].iter().all(|path| again.iter().any(|line| line.ends_with(path)))
    );
}

/// The ids of a page that ended early are not known, so they are looked for again.
#[test]
fn a_page_that_ended_early_is_asked_for_again() {
    let count = AtomicUsize::new(0);
    let server = Server::new(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => {
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\nConnection: close\r\n\r\n<p"
                .into()
        }
        _ => answer("200 OK", "Content-Type: text/html\r\n", "<p id=here>"),
    });
    let folder = folder();
    let url = server.url("/#here");
    page(folder.path(), [url.clone()]);
    assert_eq!(codes(folder.path(), &["a.md"])[&url], "unread-anchor");
    assert_eq!(codes(folder.path(), &["a.md"])[&url], "ok");
}

/// The pages of a site are read in each run, since only their links lead on; other pages are not.
#[test]
fn the_pages_of_a_site_are_read_again() {
    let (other, folder) = (Server::new(by_status), folder());
    let links = ["/404/x", "/200/y"].map(|path| format!("<a href={}>", other.url(path)));
    let links = [&links[..], &["<a href=/b#here>".to_owned(), "<a href=/old>".to_owned()]].concat().concat();
    let server = Server::new(move |request| match request.line.split_once(' ').unwrap().1 {
        "/a" => answer("200 OK", "Content-Type: text/html\r\n", &links),
        "/b" => answer("200 OK", "Content-Type: text/html\r\n", "<p id=here><a href=/c>"),
        "/old" => answer("301 Moved", "Location: /b\r\n", ""),
        _ => answer("404 Not Found", "", ""),
    });
    let url = server.url("/a");
    let first = codes(folder.path(), &["-r", &url]);
    let lines = server.lines();
    assert_eq!(
        (first.len(), &*first["/c"], &*first["/old"], &*first["/b#here"]),
        (5, "not-found", "redirected", "ok")
    );
    let asked = other.lines().len();
    assert_eq!(codes(folder.path(), &["-r", &url]), first);
    assert_eq!(other.lines().len(), asked);
    // A redirect, and a page that was not there, may be pages now.
    let mut again = server.lines().split_off(lines.len());
    again.sort();
    assert_eq!(again, ["GET /a", "GET /b", "GET /c", "GET /old", "GET /robots.txt"]);
    // A run without the pages does not believe that they have no ids.
    page(folder.path(), [server.url("/b#here")]);
    assert_eq!(codes(folder.path(), &["a.md"])[&server.url("/b#here")], "ok");
}

/// A redirect that the cache knows led to a page that is dead now; the server has another one.
#[test]
fn a_page_that_moved_on_is_not_broken() {
    let (server, folder) = (
        Server::new(|request| {
            let path = request.line.split_once(' ').unwrap().1;
            if path == "/latest" {
                answer("302 Found", "Location: /200/v2\r\n", "")
            } else {
                by_status(request)
            }
        }),
        folder(),
    );
    let (latest, old) = (server.url("/latest"), server.url("/404/v1"));
    for known in
        [line(&latest, 302, Some(&old), 60), line(&latest, 302, Some(&old), 60) + &line(&old, 404, None, 60)]
    {
        fs::write(folder.path().join("cache"), known).unwrap();
        page(folder.path(), [latest.clone()]);
        assert_eq!(codes(folder.path(), &["a.md"])[&latest], "redirected");
    }
}

/// Redirects that lead to one another are followed without recursion, and not for ever.
#[test]
fn many_redirects_are_known() {
    let (server, folder) = (Server::new(by_status), folder());
    let url = |number: usize| server.url(&format!("/200/{number}"));
    let known = (0..20_000).map(|number| line(&url(number), 302, Some(&url(number + 1)), 60));
    fs::write(folder.path().join("cache"), known.collect::<String>()).unwrap();
    page(folder.path(), [url(0)]);
    assert_eq!(codes(folder.path(), &["a.md"])[&url(0)], "ok");
    assert!(server.lines().len() <= 22, "{:?}", server.lines());
}

#[test]
fn answers_have_an_age() {
    let (server, folder) = (Server::new(by_status), folder());
    let url = |name: &str| server.url(&format!("/200/{name}"));
    let hours = |hours: i64| hours * 3600;
    let lines = [
        line(&url("young"), 404, None, hours(23)),
        line(&url("old"), 404, None, hours(25)),
        line(&url("future"), 404, None, -hours(1)),
        line(&url("version"), 404, None, 0).replacen("links-1", "links-2", 1),
        line(&url("changed"), 404, None, 0).replacen("404", "410", 1),
        line(&url("twice"), 410, None, 0) + &line(&url("twice"), 404, None, 0),
    ];
    let names = ["young", "old", "future", "version", "changed", "twice"];
    page(folder.path(), names.map(url));
    let read = |arguments: &[&str]| {
        fs::write(folder.path().join("cache"), lines.concat()).unwrap();
        let codes = codes(folder.path(), arguments);
        names.map(|name| if codes[&url(name)] == "ok" { "asked" } else { "known" })
    };
    assert_eq!(read(&["a.md"]), ["known", "asked", "asked", "asked", "asked", "known"]);
    assert_eq!(read(&["--cache-age", "2d", "a.md"]), ["known", "known", "asked", "asked", "asked", "known"]);
    assert_eq!(read(&["--cache-age", "0s", "a.md"]), ["asked"; 6]);
    // What is of no use is removed at the end, and what is kept was seen when the server said it.
    let kept = fs::read_to_string(folder.path().join("cache")).unwrap();
    assert_eq!(kept, "");
    fs::write(folder.path().join("cache"), lines.concat() + "links-0\n\n").unwrap();
    let (printed, _, _) = cached(folder.path(), &["--json", "a.md"]);
    let seen: Vec<_> =
        printed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["seen"].clone()).collect();
    assert!(seen[0].as_str() < seen[1].as_str(), "{printed}");
    let kept = fs::read_to_string(folder.path().join("cache")).unwrap();
    assert_eq!(kept.lines().count(), 6);
    assert!(!kept.contains("links-2") && kept.contains("/young"), "{kept}");
}

/// Starts a run that goes on by itself.
fn start(folder: &Path) -> Child {
    let mut command = runner::locator(&[&["links"][..], &QUICK, &["-s", "a.md"]].concat());
    command.current_dir(folder).spawn().unwrap()
}

/// The server holds the answers back after some; when ten requests wait, all the others are answered.
#[test]
fn a_run_that_is_killed_is_continued() {
    const ALL: usize = 300;
    const ANSWERED: usize = 123;
    let (count, (waits, waiting)) = (AtomicUsize::new(0), mpsc::channel());
    let (end, ended) = mpsc::channel::<()>();
    let (waits, ended) = (Mutex::new(waits), Mutex::new(ended));
    let server = Server::new(move |request| {
        if (ANSWERED..ANSWERED + 10).contains(&count.fetch_add(1, Ordering::SeqCst)) {
            waits.lock().unwrap().send(()).unwrap();
            // Until the test has killed the run.
            let _ = ended.lock().unwrap().recv();
        }
        by_status(request)
    });
    let folder = folder();
    page(folder.path(), (0..ALL).map(|number| server.url(&format!("/200/{number}"))));
    let mut child = start(folder.path());
    (0..10).for_each(|_| waiting.recv().unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
    drop(end);
    let before = server.lines();
    assert_eq!(before.len(), ANSWERED + 10);
    // Another run that was killed has left the begin of a line.
    let path = folder.path().join("cache");
    let mut known = fs::read(&path).unwrap();
    assert_eq!(known.iter().filter(|octet| **octet == b'\n').count(), ANSWERED);
    known.extend_from_slice(b"links-1\t0123");
    fs::write(&path, known).unwrap();
    let (_, status, said) = cached(folder.path(), &["a.md"]);
    assert_eq!(status, 0);
    assert!(said.ends_with("; 123 of 300 URLs from the cache\n"), "{said}");
    let rest = server.lines().split_off(before.len());
    assert_eq!(rest.len(), ALL - ANSWERED);
    assert!(rest.iter().all(|line| !before[..ANSWERED].contains(line)));
    let (_, _, said) = cached(folder.path(), &["a.md"]);
    assert!(said.ends_with("; 300 of 300 URLs from the cache\n"), "{said}");
}

#[test]
fn two_runs_share_a_file() {
    const ALL: usize = 200;
    let (server, folder) = (Server::new(by_status), folder());
    page(folder.path(), (0..ALL).map(|number| server.url(&format!("/200/{number}"))));
    let runs: Vec<_> = (0..2).map(|_| start(folder.path())).collect();
    for run in runs {
        assert!(run.wait_with_output().unwrap().status.success());
    }
    let asked = server.lines().len();
    let (_, status, said) = cached(folder.path(), &["a.md"]);
    assert_eq!((status, server.lines().len()), (0, asked), "{said}");
    let known = fs::read_to_string(folder.path().join("cache")).unwrap();
    assert_eq!(known.lines().count(), asked);
    assert!(known.lines().all(|line| line.starts_with("links-1\t") && line.ends_with('}')), "{known}");
    // Runs that replace the file while others append to it: nobody fails, and each line is whole.
    let age = ["links", "--private", "--interval", "0", "--cache=cache", "--cache-age=0s", "-s", "a.md"];
    let runs = (0..4).map(|_| runner::locator(&age).current_dir(folder.path()).spawn().unwrap());
    for run in runs.collect::<Vec<_>>() {
        let output = run.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    }
    let known = fs::read_to_string(folder.path().join("cache")).unwrap();
    assert!(known.lines().all(|line| line.starts_with("links-1\t") && line.ends_with('}')), "{known}");
}

#[test]
fn without_a_network_the_cache_answers() {
    let (server, folder) = (Server::new(by_status), folder());
    let urls = ["/200/a", "/404/b", "/301/200/c"].map(|path| server.url(path));
    page(folder.path(), urls.clone());
    assert_eq!(cached(folder.path(), &["a.md"]).1, 1);
    let asked = server.lines().len();
    let all = urls.into_iter().chain([server.url("/200/new"), server.url("/301/404/b")]);
    page(folder.path(), all);
    let (printed, status, said) = cached(folder.path(), &["--offline", "--show", "all", "a.md"]);
    assert_eq!((status, server.lines().len()), (1, asked));
    let words: Vec<_> = printed.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(words, ["error", "note", "note", "note", "note"], "{printed}");
    assert_eq!(
        said.lines().next().unwrap(),
        "5 links in 1 file: 1 broken, 1 redirected, 2 skipped, 1 ok; 4 of 4 URLs from the cache"
    );
    let (printed, status, _) = links(folder.path(), &["--private", "--offline", "a.md"]);
    assert_eq!((&*printed, status), ("", 0));
}

#[test]
fn only_what_all_users_see_is_kept() {
    let (server, folder) = (Server::new(by_status), folder());
    let login = server.url("/200/user").replace("//", "//joe@");
    let to_secret = server.url("/302/200/s?X-Amz-Signature=0f8fad5bd9cb469fa165708678778501a2b3c4d5");
    page(folder.path(), [login, to_secret, server.url("/200/plain")]);
    let header = format!("{} X-Token: a", server.url("/"));
    cached(folder.path(), &["--header", &header, "a.md"]);
    assert_eq!(fs::read_to_string(folder.path().join("cache")).unwrap(), "");
    cached(folder.path(), &["a.md"]);
    let known = fs::read_to_string(folder.path().join("cache")).unwrap();
    assert_eq!((known.lines().count(), known.contains("/200/plain")), (1, true), "{known}");
    // Nor is the answer to everybody used for a run with a header.
    let asked = server.lines().len();
    page(folder.path(), [server.url("/200/plain")]);
    cached(folder.path(), &["--header", &header, "a.md"]);
    assert_eq!(server.lines().len(), asked + 1);
}

#[test]
fn a_link_is_mended_by_what_the_server_says_now() {
    let (server, folder) = (Server::new(by_status), folder());
    let (moved, other) = (server.url("/301/200/a"), server.url("/200/b"));
    let known = line(&moved, 301, Some(&server.url("/200/old")), 60)
        + &line(&server.url("/200/old"), 200, None, 60)
        + &line(&server.url("/200/a"), 200, None, 60)
        + &line(&other, 200, None, 60);
    fs::write(folder.path().join("cache"), known).unwrap();
    page(folder.path(), [moved, other.clone()]);
    let (_, status, said) = cached(folder.path(), &["--fix", "a.md"]);
    assert_eq!(status, 0, "{said}");
    let expected = format!("[link]({})\n[link]({other})\n", server.url("/200/a"));
    assert_eq!(fs::read_to_string(folder.path().join("a.md")).unwrap(), expected);
    assert_eq!(server.lines(), ["HEAD /301/200/a", "HEAD /200/a"]);
}

#[test]
fn a_file_that_cannot_be_used_is_an_error() {
    let (server, folder) = (Server::new(by_status), folder());
    page(folder.path(), [server.url("/200/a")]);
    fs::create_dir(folder.path().join("directory")).unwrap();
    fs::write(folder.path().join("notes"), "buy milk\n").unwrap();
    for (name, why) in [
        ("directory", "is a directory"),
        ("none/cache", "its directory does not exist"),
        ("notes", "it is not a cache of links"),
        ("", "a value is required"),
    ] {
        let (printed, status, said) =
            links(folder.path(), &["--private", &format!("--cache={name}"), "a.md"]);
        assert_eq!((&*printed, status), ("", 2), "{name}: {said}");
        assert!(said.starts_with("error: ") && said.contains(why), "{name}: {said}");
    }
    let (_, status, said) = links(folder.path(), &["--cache-age", "1d", "a.md"]);
    assert_eq!((status, said.contains("--cache")), (2, true), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("notes")).unwrap(), "buy milk\n");
    assert!(server.lines().is_empty());
    // A file with some lines that are none is used, and so is one whose lines are of another version.
    fs::write(folder.path().join("cache"), b"\xFF\0\nlinks-0\tx\n\nbuy milk\n").unwrap();
    assert_eq!(cached(folder.path(), &["a.md"]).1, 0);
    assert_eq!(cached(folder.path(), &["a.md"]).1, 0);
    assert_eq!(server.lines(), ["HEAD /200/a"]);
}

/// The results of a run do not depend on whether they can be kept.
#[test]
fn a_file_that_cannot_be_written_later_is_a_note() {
    let folder = folder();
    let kept = folder.path().join("kept");
    fs::create_dir(&kept).unwrap();
    let server = Server::new(move |request| {
        let _ = fs::remove_dir_all(&kept);
        by_status(request)
    });
    page(folder.path(), ["/200/a", "/200/b", "/404/c"].map(|path| server.url(path)));
    let (_, status, said) =
        links(folder.path(), &["--private", "--interval", "0", "--cache=kept/cache", "a.md"]);
    assert_eq!((status, said.matches("the cache could not be written: ").count()), (1, 1), "{said}");
    assert!(said.contains("3 links in 1 file: 1 broken, 2 ok\n"), "{said}");
}

/// The usual file is that of the user alone.
#[test]
#[cfg(target_os = "linux")]
fn the_usual_file() {
    use std::os::unix::fs::PermissionsExt;

    let (server, folder) = (Server::new(by_status), folder());
    page(folder.path(), [server.url("/200/a")]);
    let mut command = runner::locator(&["links", "--private", "--cache", "a.md"]);
    command.env("XDG_CACHE_HOME", folder.path().join("x")).current_dir(folder.path());
    assert!(runner::run(&mut command, Vec::new()).status.success());
    for (name, mode) in [("x", 0o700), ("x/locator", 0o700), ("x/locator/links", 0o600)] {
        let known = fs::metadata(folder.path().join(name)).unwrap();
        assert_eq!(known.permissions().mode() & 0o777, mode, "{name}");
    }
}
