//! `get` in every edition: each URL that a list prints is valid by the edition, and `get` fetches by it
//! what the server named. What an edition cannot write is an error, and the status is 1.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::Edition;
use locator::edition::{self, URL_1994};
use locator_dev::prospero::{Directory, Node, Options, start};
use locator_dev::servers::ftp::{Command, FtpServer, Reply};
use locator_dev::servers::{GopherServer, LineServer};
use locator_dev::wais::{Server, fruit};
use serde_json::Value;

use crate::runner;

/// Names with octets that some edition or scheme reserves, escapes or does not have.
const NAMES: [&[u8]; 19] = [
    b"plain",
    b"a b",
    b"a%2Fb",
    b"100%",
    b"caf\xC3\xA9",
    b"\xE9",
    b"a;b=c",
    b"a;type=i",
    b"a?b#c",
    b"[x]",
    b"{x}|y\\z^`",
    b"~joe",
    b"a+b",
    b"*!'()",
    b"a:b@c",
    b"a=b&c",
    b"<a>\"b\"",
    b"a,b$_-.",
    b"\x01\x7F",
];

/// A server of FTP with a directory "pub" of all names; the content of a file is its name.
fn ftp() -> FtpServer {
    FtpServer::start(|_| {
        let mut is_in = false;
        move |command: &Command| match &*command.name {
            "" | "USER" | "TYPE" | "EPSV" => None,
            "CWD" if command.argument == b"pub" => {
                is_in = true;
                Some(Reply::Line("250 in pub".into()))
            }
            "NLST" if is_in => Some(Reply::Data([&NAMES.join(&b"\r\n"[..])[..], b"\r\n"].concat())),
            "RETR" if is_in && NAMES.contains(&&*command.argument) => {
                Some(Reply::Data(command.argument.clone()))
            }
            _ => Some(Reply::Line("550 no".into())),
        }
    })
}

/// A server of Gopher whose menu has all names as selectors.
fn gopher() -> GopherServer {
    GopherServer::start_with(|selector, connection| {
        let own = connection.socket().local_addr()?.port();
        let mut answer = Vec::new();
        if selector.is_empty() {
            for name in NAMES {
                answer.extend([b"9x\t", name, format!("\t127.0.0.1\t{own}\r\n").as_bytes()].concat());
            }
            answer.extend(b".\r\n");
        } else if NAMES.contains(&selector) {
            answer.extend(selector);
        }
        connection.send(&answer)
    })
}

const GROUPS: [&str; 5] = ["comp.lang.c", "comp.lang.c++", "de.test_1", "a-b.x", "alt.~d"];

/// A server of news with one article in each group, which names the group.
fn news() -> LineServer {
    LineServer::start("200 ready", || {
        let mut group = String::new();
        move |line: &str| {
            let words: Vec<_> = line.split(' ').collect();
            Some(match words[..] {
                ["LIST", ..] => {
                    let all: String = GROUPS.iter().map(|name| format!("{name} 7 7 y\r\n")).collect();
                    format!("215 here\r\n{all}.")
                }
                ["GROUP", name] | ["LISTGROUP", name] if !GROUPS.contains(&name) => "411 none".into(),
                ["GROUP", name] => {
                    group = name.into();
                    format!("211 1 7 7 {name}")
                }
                // After GROUP without a name.
                ["LISTGROUP", ..] => {
                    group = words.get(1).map_or(group.clone(), |name| (*name).into());
                    format!("211 1 7 7 {group}\r\n7\r\n.")
                }
                ["ARTICLE", "7"] => format!("220 7 <a@b>\r\nNewsgroups: {group}\r\n."),
                _ => "500 what?".into(),
            })
        }
    })
}

/// A directory of Prospero with all names that are text; the server itself has the octets.
fn prospero() -> u16 {
    let nodes = names_of_prospero().map(|name| Node::file(name, name.as_bytes())).collect();
    let node = Node::directory("pub", nodes);
    let directory = |port| Directory {
        only_contents: true,
        aftp: vec![node],
        ..Directory::new(&format!("127.0.0.1({port})"))
    };
    start(Options::default(), directory).unwrap()
}

fn names_of_prospero() -> impl Iterator<Item = &'static str> {
    NAMES.iter().filter_map(|name| str::from_utf8(name).ok())
}

struct Ran {
    out: Vec<u8>,
    said: String,
    status: Option<i32>,
}

fn run(arguments: &[&str], input: &[u8]) -> Ran {
    let output = runner::run(&mut runner::locator(arguments), input.to_vec());
    let said = String::from_utf8(output.stderr).unwrap();
    Ran { out: output.stdout, said, status: output.status.code() }
}

/// Returns the URLs of the entries of a list, after it was checked that the edition has them, and the
/// status with what is said.
fn urls(edition: &Edition, more: &[&str], url: &str, count: usize) -> Vec<String> {
    let arguments = [&["get", "--edition", edition.name, "--urls"], more, &[url]].concat();
    let Ran { out, said, status } = run(&arguments, b"");
    let text = String::from_utf8(out).unwrap_or_else(|_| panic!("{arguments:?} prints a packet"));
    let urls: Vec<_> = text.lines().map(str::to_owned).collect();
    let is_whole = urls.len() == count;
    let expected = (if is_whole { 0 } else { 1 }, !is_whole);
    let is_said = said.contains(" no URL in ") && said.contains(edition.document);
    assert_eq!((status.unwrap(), is_said), expected, "{arguments:?}\n{text}\n{said}");
    let checked = run(&["check", "-e", edition.name], text.as_bytes());
    assert_eq!(
        checked.status,
        Some(0),
        "{arguments:?}\n{}{}",
        String::from_utf8_lossy(&checked.out),
        checked.said
    );
    urls
}

/// Returns what each URL leads to.
fn fetched(edition: &Edition, more: &[&str], urls: &[String]) -> Vec<Vec<u8>> {
    let arguments = [&["get", "--edition", edition.name, "--json"], more].concat();
    let Ran { out, said, status } = run(&arguments, urls.join("\n").as_bytes());
    let lines = String::from_utf8(out).unwrap();
    assert_eq!((status, said.as_str()), (Some(0), ""), "{arguments:?} {lines}");
    let octets = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        match (&object["text"], &object["base64"]) {
            (Value::String(text), _) => text.clone().into_bytes(),
            (_, Value::String(text)) => BASE64_STANDARD.decode(text).unwrap(),
            _ => panic!("{line}"),
        }
    };
    lines.lines().map(octets).collect()
}

/// Checks a list whose entries have their names as their octets; returns how many the edition lacks.
fn names_lead_to_themselves(edition: &Edition, url: &str, names: &[&[u8]]) -> usize {
    let urls = urls(edition, &[], url, names.len());
    let fetched = fetched(edition, &[], &urls);
    // In the order of the list, without those that have no URL.
    let mut left = names.iter();
    for octets in &fetched {
        assert!(left.any(|name| name == octets), "{edition} {url}: {octets:?} is no name, or out of order");
    }
    names.len() - urls.len()
}

#[test]
fn the_urls_of_files_and_menus() {
    let (ftp, gopher, prospero) = (ftp(), gopher(), prospero());
    let of_prospero: Vec<_> = names_of_prospero().map(str::as_bytes).collect();
    let mut missing = BTreeMap::new();
    for edition in edition::ALL {
        for (url, names) in [
            (ftp.url("pub/"), &NAMES[..]),
            (gopher.url(""), &NAMES),
            (format!("prospero://127.0.0.1:{prospero}/AFTP/pub"), &of_prospero),
        ] {
            let count = names_lead_to_themselves(edition, &url, names);
            let scheme = url.split(':').next().unwrap().to_owned();
            missing.insert((scheme, edition.name), count);
        }
    }
    missing.retain(|_, count| *count > 0);
    assert_eq!(missing, BTreeMap::new());
}

#[test]
fn the_urls_of_hits() {
    let port = Server::new(vec![fruit()]).start(0).unwrap();
    let mut documents = fruit().documents;
    documents.sort_by_key(|document| std::cmp::Reverse(document.score));
    for edition in edition::ALL {
        let urls = urls(edition, &[], &format!("wais://127.0.0.1:{port}/fruit?apple"), documents.len());
        let fetched = fetched(edition, &[], &urls);
        assert_eq!(fetched.len(), documents.len(), "{edition}");
        for (octets, document) in fetched.iter().zip(&documents) {
            assert!(octets == &document.contents[0].1, "{edition}");
        }
    }
}

#[test]
fn the_urls_of_groups_and_articles() {
    let server = news();
    let address = server.address().to_string();
    let more = ["--news-server", address.as_str()];
    let mut missing = BTreeSet::new();
    for edition in edition::ALL {
        let groups = urls(edition, &more, "news:*", GROUPS.len());
        let mut groups = groups.iter().peekable();
        for name in GROUPS {
            // "+" is never escaped.
            let Some(group) = groups.next_if(|url| url.replace("%7E", "~").ends_with(name)) else {
                missing.insert((edition.name, name));
                continue;
            };
            let articles = urls(edition, &more, group, 1);
            let fetched = fetched(edition, &more, &articles);
            assert_eq!(fetched, [format!("Newsgroups: {name}\r\n").into_bytes()], "{edition} {group}");
        }
        assert_eq!(groups.next(), None, "{edition}");
    }
    // These have no "~" in the names of groups, and nothing is escaped in them.
    assert_eq!(missing, ["url-1993", "url-1994", "rfc1738"].map(|edition| (edition, "alt.~d")).into());
}

/// The draft of 1994 writes "URL:" before a URL.
#[test]
fn a_prefix() {
    let (ftp, gopher) = (ftp(), gopher());
    for url in [format!("URL:{}", ftp.url("pub/")), format!("URL:{}", gopher.url(""))] {
        let urls = urls(&URL_1994, &[], &url, NAMES.len());
        assert_eq!(fetched(&URL_1994, &[], &urls), NAMES, "{url}");
    }
}
