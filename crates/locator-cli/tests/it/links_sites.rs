//! The verb `links` with `-r`: the pages of a site on this machine, what is asked of it, and what its
//! `robots.txt` says.

use std::collections::BTreeSet;
use std::fs;

use crate::http::{Request, Server, answer, folder};
use crate::links::{codes, links};

fn html(body: &str) -> Vec<u8> {
    answer("200 OK", "Content-Type: text/html; charset=utf-8\r\n", body)
}

fn to(url: &str) -> Vec<u8> {
    answer("301 Moved Permanently", &format!("Location: {url}\r\n"), "")
}

/// Returns a server with these pages, by the lines of their requests; others do not exist.
fn site(pages: &'static [(&str, &str)]) -> Server {
    Server::new(move |request: &Request| {
        let (method, path) = request.line.split_once(' ').unwrap_or_default();
        match pages.iter().find(|(own, _)| *own == path).map(|(_, body)| *body) {
            _ if method == "HEAD" && path.ends_with(".png") => answer("200 OK", "", ""),
            Some(body) if body.starts_with('>') => to(&body[1..]),
            Some(body) if path.ends_with(".css") => answer("200 OK", "Content-Type: text/css\r\n", body),
            Some(body) if path.ends_with(".xml") => answer("200 OK", "Content-Type: text/xml\r\n", body),
            Some(body) if path.ends_with(".txt") => answer("200 OK", "Content-Type: text/plain\r\n", body),
            Some("503") => answer("503 Busy", "", ""),
            Some(body) => html(body),
            None => answer("404 Not Found", "", ""),
        }
    })
}

/// Runs the verb over a site, and returns what it prints, without the address, its status and what it says.
fn walk(server: &Server, arguments: &[&str]) -> (String, i32, String) {
    let folder = folder();
    let url = server.url("/");
    let quick = ["-r", "--interval", "0", "--max-wait", "0", &url];
    let (printed, status, said) = links(folder.path(), &[&quick, arguments].concat());
    let from = server.url("");
    (printed.replace(&from, ""), status, said.replace(&from, ""))
}

#[test]
fn each_page_of_a_site_is_read_once() {
    let server = site(&[
        ("/", "<link rel=stylesheet href=s.css><a href=a.html>a</a><img src=i.png><a href=old>o</a>"),
        ("/s.css", "@import 't.css'; p { background: url(i.png) url(none.gif) }"),
        ("/t.css", ""),
        ("/a.html", "<p id=x>\n<a href=/>home</a><a href='b.html#y'>b</a><a href=#x>x</a>"),
        ("/b.html", "<p id=y>\n<a href=a.html#x>a</a><a href=none.html>n</a><a href=out>o</a>"),
        ("/old", ">/new"),
        ("/new", "<a href='?page=none'>n</a>"),
        ("/out", ">http://www.example.org/"),
    ]);
    let (printed, status, said) = walk(&server, &["--private"]);
    // The site's pages are in the order in which links lead to them.
    let expected = "/s.css:1:49: error: none.gif: the server does not have the page (404 Not Found)\n\
                    /new:1:10: error: ?page=none: the server does not have the page (404 Not Found)\n\
                    /b.html:2:31: error: none.html: the server does not have the page (404 Not Found)\n";
    assert_eq!((&*printed, status), (expected, 1), "{said}");
    let mut lines = server.lines();
    lines.retain(|line| !line.ends_with("none.gif"));
    let all: BTreeSet<_> = lines.iter().cloned().collect();
    assert_eq!(all.len(), lines.len(), "{lines:?}");
    assert!(said.contains(" in 6 pages: 3 broken"), "{said}");
}

#[test]
fn robots_txt_is_obeyed() {
    let pages = &[
        ("/", "<a href=/a/>a</a><a href=/b/>b</a>"),
        ("/a/", "<a href=/none>n</a>"),
        ("/b/", "<a href=/none>n</a>"),
        ("/robots.txt", ">/rules.txt"),
        ("/rules.txt", "User-agent: *\nDisallow: /\n\nUser-agent: Locator\nDisallow: /b\n"),
    ];
    let server = site(pages);
    let (printed, status, said) = walk(&server, &[]);
    assert_eq!((printed.lines().count(), status), (1, 1), "{printed}{said}");
    assert!(said.contains("--ignore-robots checks the 1 link that robots.txt disallows"), "{said}");
    let lines = ["GET /", "GET /a/", "GET /none", "GET /robots.txt", "GET /rules.txt"];
    assert_eq!(server.lines().into_iter().collect::<BTreeSet<_>>(), lines.map(String::from).into());
    let (printed, _, said) = walk(&site(pages), &["--ignore-robots"]);
    assert_eq!(printed.lines().count(), 2, "{printed}{said}");
}

#[test]
fn the_rules_of_a_site_hold_for_all_its_urls() {
    let server = site(&[
        ("/", "<a href=/private/a>a</a>"),
        ("/b", "<a href=/private/b>b</a>"),
        ("/robots.txt", "User-agent: *\nDisallow: /private/\n"),
    ]);
    let (_, status, said) = walk(&server, &[&server.url("/b")]);
    assert_eq!(status, 0, "{said}");
    assert!(server.lines().iter().all(|line| !line.contains("private")), "{:?}", server.lines());
}

#[test]
fn a_page_has_the_encoding_that_the_server_states() {
    let server = Server::new(|request: &Request| match &*request.line {
        "GET /" => {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1251\r\nContent-Length: 17\r\n\r\n";
            [head.as_bytes(), b"<a href=\xEF\xF0.html>x"].concat()
        }
        // Without a type.
        "GET /%D0%BF%D1%80.html" => answer("200 OK", "", "<!doctype html><a href=none>n</a>"),
        _ => answer("404 Not Found", "", ""),
    });
    let (printed, status, said) = walk(&server, &[]);
    assert_eq!(status, 1, "{said}");
    assert_eq!(
        printed,
        "/%D0%BF%D1%80.html:1:24: error: none: the server does not have the page (404 Not Found)\n"
    );
}

#[test]
fn without_its_robots_txt_a_site_is_not_read() {
    let server = site(&[
        ("/", "<a href=/a>a</a>"),
        ("/a", "<a href=/none>n</a>"),
        ("/robots.txt", ">/busy"),
        ("/busy", "503"),
    ]);
    let (printed, status, said) = walk(&server, &[]);
    assert_eq!((&*printed, status), ("", 2));
    assert!(said.contains("503") && said.contains("--ignore-robots"), "{said}");
    assert!(!server.lines().contains(&"GET /a".to_owned()), "{:?}", server.lines());
}

#[test]
fn a_site_ends() {
    let server = Server::new(|request: &Request| match request.line.split_once("?month=") {
        Some((_, month)) => {
            html(&format!("<a href='?month={}'>x</a>", month.parse::<u32>().unwrap_or(0) + 1))
        }
        None if request.line == "GET /" => html("<a href='?month=1'>x</a>"),
        None => answer("404 Not Found", "", ""),
    });
    let (_, status, said) = walk(&server, &["--max-per-path", "5"]);
    assert_eq!(status, 0);
    assert!(said.contains(" in 6 pages"), "{said}");
    assert!(said.contains("1 page was not read, since --max-per-path is 5"), "{said}");
    let (_, _, said) = walk(&server, &["--max-pages", "3"]);
    assert!(said.contains(" in 3 pages") && said.contains("--max-pages is 3"), "{said}");
}

#[test]
fn the_site_is_that_of_the_page_after_redirects() {
    let second = site(&[("/", "<a href=/a>a</a>"), ("/a", "<a href=/none>n</a>")]);
    let at = second.url("/");
    let first = Server::new(move |_| to(&at));
    let (printed, status, _) = walk(&first, &["--private"]);
    let expected = format!("{}:1:9: error: /none: the server", second.url("/a"));
    assert!(printed.starts_with(&expected) && status == 1, "{printed}");
}

#[test]
fn a_sitemap_names_the_pages_of_its_site() {
    let server = Server::new(|request: &Request| {
        let host = request.field("host").unwrap_or_default();
        let map = |tag: &str, to: &str| {
            let text = format!("<{tag}><x><loc>http://{host}{to}</loc></x></{tag}>");
            answer("200 OK", "Content-Type: application/xml\r\n", &text)
        };
        match &*request.line {
            "GET /" => map("sitemapindex", "/2.xml"),
            "GET /2.xml" => map("urlset", "/a"),
            "GET /a" => html("<a href=none>n</a>"),
            _ => answer("404 Not Found", "", ""),
        }
    });
    let (printed, status, _) = walk(&server, &[]);
    assert_eq!(printed, "/a:1:9: error: none: the server does not have the page (404 Not Found)\n");
    assert_eq!(status, 1);
}

#[test]
fn wrong_use_is_said() {
    let folder = folder();
    for (arguments, expected) in [
        (&["-r", "."][..], "-r needs the URL of a site"),
        (&["--max-pages", "3", "."], "--recursive"),
        (&["--offline", "http://127.0.0.1:9/"], "--offline asks no server"),
        (&["-r", "--offline", "http://127.0.0.1:9/"], "cannot be used with"),
    ] {
        let (printed, status, said) = links(folder.path(), arguments);
        assert_eq!((&*printed, status), ("", 2), "{arguments:?}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_base_of_the_root_is_the_root_directory() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir_all(folder.join("docs/sub")).unwrap();
    for name in ["docs/a.html", "docs/i.png", "docs/sub/c.html", "b.html"] {
        fs::write(folder.join(name), "<p id=here>").unwrap();
    }
    let page = |base: &str, links: &str| format!("<base href='{base}'>{links}");
    for (base, links, expected) in [
        (
            "/",
            "<a href=docs/a.html#here>x</a><img srcset='docs/i.png 1x, docs/no.png 2x'><a href=b.html>y</a>",
            [
                ("docs/a.html#here", "ok"),
                ("docs/i.png", "ok"),
                ("docs/no.png", "no-such-file"),
                ("b.html", "ok"),
            ],
        ),
        (
            "/docs/index.html",
            "<a href=a.html?q>x</a><a href=../b.html>y</a><a href=/b.html>z</a><a href=b.html>n</a>",
            [("a.html?q", "ok"), ("../b.html", "ok"), ("/b.html", "ok"), ("b.html", "no-such-file")],
        ),
        (
            "sub/",
            "<a href=c.html>x</a><a href=../a.html>y</a><a href=a.html>n</a><a href=/docs/a.html>z</a>",
            [("c.html", "ok"), ("../a.html", "ok"), ("a.html", "no-such-file"), ("/docs/a.html", "ok")],
        ),
        (
            "https://example.org/docs/",
            "<a href=a.html>x</a><a href=../b.html>y</a><a href=/b.html>z</a><a href=no.html>n</a>",
            [("a.html", "ok"), ("../b.html", "ok"), ("/b.html", "ok"), ("no.html", "no-such-file")],
        ),
        (
            "//cdn.invalid/x/",
            "<a href=a.html>x</a><a href=/b.html>y</a><a href=?q>z</a><a href=http://h.invalid/>n</a>",
            [
                ("a.html", "reserved-name"),
                ("/b.html", "reserved-name"),
                ("?q", "reserved-name"),
                ("http://h.invalid/", "reserved-name"),
            ],
        ),
    ] {
        fs::write(folder.join("docs/page.html"), page(base, links)).unwrap();
        let asked = [
            "--offline",
            "--show",
            "all",
            "--root-dir",
            ".",
            "--base-url",
            "https://example.org/",
            "docs/page.html",
        ];
        let codes = codes(folder, &asked);
        for (url, code) in expected {
            assert_eq!(codes.get(url).map(String::as_str), Some(code), "{base}: {url}: {codes:?}");
        }
    }
    // Without the directory nothing is known of it.
    fs::write(folder.join("docs/page.html"), page("/", "<a href=docs/none.html>x</a>")).unwrap();
    let codes = codes(folder, &["--offline", "--show", "all", "docs/page.html"]);
    assert_eq!(codes["docs/none.html"], "generated");
}
