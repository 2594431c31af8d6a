//! `links --format html`: the page as a whole, as recorded in `testdata/links/report.html`, which `UPDATE=1`
//! writes again and `scripts/packages/gateway-pages` opens in a browser; and that nothing of others is in it.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::http::{Request, Server, answer, folder};
use crate::links::links;

fn write(root: &Path, name: &str, text: &str) {
    fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
    fs::write(root.join(name), text).unwrap();
}

fn server(request: &Request) -> Vec<u8> {
    let to = |status: &str, to: &str| answer(status, &format!("Location: {to}\r\n"), "");
    match request.line.split_once(' ').unwrap().1 {
        "/ok" | "/new" => answer("200 OK", "", ""),
        "/old" => to("301 Moved Permanently", "/older"),
        "/older" => to("308 Permanent Redirect", "/new"),
        "/forbidden" => answer("403 Forbidden", "", ""),
        _ => answer("404 Not Found", "", ""),
    }
}

/// Runs the verb with some links of every kind; returns the page, without what differs in each run.
fn page() -> String {
    let (folder, server) = (folder(), Server::new(server));
    let (root, url) = (folder.path(), |path: &str| server.url(path));
    write(root, "docs/good.md", &format!("[a]({}) [b](a.md#more)\n", url("/ok")));
    write(
        root,
        "docs/a.md",
        &format!("# A\n\n[a]({}) [b](#moer) [c](other.md#L1)\n\n## More\n", url("/gone")),
    );
    write(root, "docs/other.md", &format!("[a]({}) [b]({})\n", url("/forbidden"), url("/old")));
    let references = [
        url("/gone"),
        url("/gone"),
        "docs/goood.md".to_owned(),
        "docs/a.md#none".to_owned(),
        url("/old"),
        url("/secret?token=ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
        url(&format!("/long{}", "/segment".repeat(30))),
        "b%C3%BC%E2%80%AE.md".to_owned(),
        "ü\u{202E}.md".to_owned(),
        "http://[".to_owned(),
    ];
    write(root, "z.md", &references.map(|one| format!("[link](<{one}>)\n")).concat());
    let arguments = ["--private", "--interval", "0", "--show", "broken,unknown,redirected,ok"];
    fs::create_dir(root.join("out")).unwrap();
    let arguments = [&arguments[..], &["--format", "html=out/links.html", "docs", "z.md"]].concat();
    let (_, status, said) = links(root, &arguments);
    assert_eq!(status, 1, "{said}");
    let page = fs::read_to_string(root.join("out/links.html")).unwrap();
    let (before, after) = page.split_once("<time datetime=\"").unwrap();
    let (_, after) = after.split_once("</time>").unwrap();
    let time = "<time datetime=\"2026-03-01T12:00:00Z\">2026-03-01 12:00 UTC</time>";
    let page = [before, time, after].concat();
    page.replace(&server.address.to_string(), "127.0.0.1:8080").replace(env!("CARGO_PKG_VERSION"), "0.0.0")
}

#[test]
fn the_page_is_as_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/links/report.html");
    let page = page();
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, page).unwrap();
    }
    let recorded = fs::read_to_string(path).unwrap();
    assert_eq!(recorded, page, "if the difference is intended, run again with UPDATE=1");
}

#[test]
fn the_policy_of_the_page_allows_its_own_style_alone() {
    let folder = folder();
    write(folder.path(), "a.md", "[x](x.md)\n");
    let (page, status, _) = links(folder.path(), &["--offline", "--format", "html", "a.md"]);
    assert_eq!(status, 1);
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let hash = BASE64_STANDARD.encode(Sha256::digest(style));
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{hash}'; \
         base-uri 'none'; form-action 'none'\">"
    );
    assert!(page.contains(&policy), "{page}");
    assert!(!page.contains("style=") && !page.contains("<script") && !page.contains("http://"), "{page}");
    // It is not known where standard output will be, so files are no links.
    assert!(!page.contains("<a "), "{page}");
}

#[test]
fn nothing_of_others_becomes_html() {
    let folder = folder();
    let root = folder.path();
    let name = "<img src=x onerror=alert(1)>&\"'\u{202E}\u{1B}.md";
    write(root, name, "");
    let hrefs = [
        "javascript:alert(1)",
        "JAVASCRIPT://h/%0Aalert(1)",
        "data:text/html,&lt;script>",
        "vbscript:x",
        "a&quot;onclick=x.html",
        "a'b.html",
        "&lt;/table>&lt;script>.html",
        "&amp;lt;script&amp;gt;.html",
        "http://u:secret@h.example/&quot;>",
        "ftp://h.example/",
        "gopher://h.example/1",
        "telnet://h.example/",
        "&#x202E;.html",
        "file:///etc/passwd",
        "mailto:a@b.c",
        "http://[",
        "#no&quot;>",
    ];
    let text: String = hrefs.map(|href| format!("<a href=\"{href}\">x</a>\n")).concat();
    write(root, "a\"&b: <b>.html", &text);
    fs::write(root.join("%2e.html"), text).unwrap();
    let arguments = ["--offline", "--show", "all", "--format", "html=report.html", "."];
    let (_, status, said) = links(root, &arguments);
    assert_eq!(status, 1, "{said}");
    let page = fs::read_to_string(root.join("report.html")).unwrap();
    for tag in
        page.split('<').skip(1).map(|tag| tag.split([' ', '>']).next().unwrap().trim_start_matches('/'))
    {
        let known = "!DOCTYPE html head meta title style body main h1 h2 p table caption thead tbody tr th td nav section \
            ul ol li a code span strong time footer";
        assert!(known.split_whitespace().any(|one| one == tag), "<{tag}> in {page}");
    }
    let is_ours = |href: &str| {
        ["http://", "https://", "ftp://", "gopher://", "#"].iter().any(|start| href.starts_with(start))
            || !href.split(['/', '?', '#']).next().unwrap().contains(':') && !href.starts_with('/')
    };
    for href in page.split("href=\"").skip(1).map(|href| href.split('"').next().unwrap()) {
        assert!(is_ours(href), "{href}");
    }
    assert!(!page.contains("secret@") && !page.contains(['\u{202E}', '\u{1B}']), "{page}");
    assert!(page.contains("href=\"./a%22&amp;b:%20%3Cb%3E.html\""), "{page}");
    assert!(page.contains("href=\"%252e.html\""), "{page}");
    // A checker that reads the report does not report its links again.
    let (printed, status, said) = links(root, &["--offline", "--private", "--show", "broken", "report.html"]);
    assert_eq!((&*printed, status), ("", 0), "{said}");
}

#[test]
fn good_links_are_only_counted() {
    let folder = folder();
    write(folder.path(), "a.md", "# A\n\n[a](#a) [b](a.md)\n");
    let (page, status, _) = links(folder.path(), &["--offline", "--show", "all", "--format", "html", "a.md"]);
    assert_eq!(status, 0);
    assert!(page.contains("<h1>No broken links</h1><p>2 links in 1 file.</p>"), "{page}");
    assert!(!page.contains("<section") && !page.contains("<nav"), "{page}");
}
