//! The checker with servers that are a script, and a clock that passes when nobody waits for anything else.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use locator::BaseStack;
use locator_find::{Document, Finder, Format};
use locator_links::anchors::AnchorSet;
use locator_links::judge::{Method, PageBody, Reply, ReplyKind, RequestFailure, Response};
use locator_links::pace::Pace;
use locator_links::{
    CachedReply, Checker, Code, Crawl, CrawlLimits, DocumentName, FetchedPage, FileChecker, LinkRules, Page,
    PageText, Receiver, ReplyFuture, Request, Robots, RunEnd, Settings, Site, Transport, UnreadPages,
    Verdict,
};
use tokio::time::Instant;

/// What is asked: the method, the URL, and when.
type Asked = (String, Duration);

type Script = Box<dyn Fn(&str, usize) -> Reply + Send + Sync>;

/// Servers that answer by a script, which gets `METHOD URL` and how often that was asked before.
struct Servers {
    script: Script,
    /// What an earlier run knows, by URLs.
    known: BTreeMap<&'static str, Reply>,
    asked: Mutex<Vec<Asked>>,
    start: Instant,
    knows_names: bool,
}

impl Transport for Servers {
    fn send(&self, request: Request) -> ReplyFuture {
        let method = match request.method {
            Method::Head => "HEAD",
            Method::Get => "GET",
            Method::GetHttp1 => "GET1",
        };
        let line = format!("{method} {}", request.url);
        let mut asked = self.asked.lock().unwrap();
        let before = asked.iter().filter(|(other, _)| *other == line).count();
        asked.push((line.clone(), self.start.elapsed()));
        let reply = (self.script)(&line, before);
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(10)).await;
            reply
        })
    }

    fn cached(&self, request: &Request) -> Option<CachedReply> {
        let reply = self.known.get(&*request.url)?.clone();
        Some(CachedReply { method: Method::Get, reply })
    }

    fn knows_names(&self) -> Pin<Box<dyn Future<Output = bool> + Send>> {
        let knows = self.knows_names;
        Box::pin(async move { knows })
    }

    fn refused(&self, url: &str, is_for_public: bool) -> Option<RequestFailure> {
        let is_private = is_for_public && url.contains("//10.");
        is_private.then(|| RequestFailure { code: Code::Private, text: "private".to_owned() })
    }
}

fn response(status: u16) -> Response {
    Response { status, ..Response::default() }
}

fn said(response: Response) -> Reply {
    Reply { kind: ReplyKind::Response(response), is_public: true, ..Reply::default() }
}

fn status(status: u16) -> Reply {
    said(response(status))
}

fn redirect(to: &str) -> Reply {
    said(Response { location: Some(to.to_owned()), ..response(301) })
}

fn failure(code: Code) -> Reply {
    Reply {
        kind: ReplyKind::Failed(RequestFailure { code, text: String::new() }),
        is_public: true,
        ..Reply::default()
    }
}

#[derive(Default)]
struct Verdicts(BTreeMap<String, Verdict>);

impl Receiver for Verdicts {
    fn page(&mut self, page: &Page, verdicts: &[Verdict]) -> io::Result<()> {
        let urls = page.links.iter().map(|link| page.url(link).to_owned());
        self.0.extend(urls.zip(verdicts.iter().cloned()));
        Ok(())
    }
}

struct Run {
    end: RunEnd,
    verdicts: BTreeMap<String, Verdict>,
    asked: Vec<Asked>,
}

impl Run {
    fn codes(&self) -> Vec<&str> {
        self.verdicts.values().map(|verdict| verdict.code.name()).collect()
    }

    fn lines(&self) -> Vec<&str> {
        self.asked.iter().map(|(line, _)| line.as_str()).collect()
    }
}

/// What came of the links of a site, by the pages that have them.
struct Walked {
    /// For each link the page, the reference and the code.
    links: Vec<(String, String, &'static str)>,
    asked: Vec<Asked>,
    unread: UnreadPages,
}

impl Walked {
    fn pages(&self) -> Vec<&str> {
        let mut pages: Vec<_> = self.links.iter().map(|(page, _, _)| page.as_str()).collect();
        pages.dedup();
        pages
    }

    fn lines(&self) -> Vec<&str> {
        self.asked.iter().map(|(line, _)| line.as_str()).collect()
    }
}

#[derive(Default)]
struct Links(Vec<(String, String, &'static str)>);

impl Receiver for Links {
    fn page(&mut self, page: &Page, verdicts: &[Verdict]) -> io::Result<()> {
        for (link, verdict) in page.links.iter().zip(verdicts) {
            self.0.push((page.name.clone(), page.url(link).to_owned(), verdict.code.name()));
        }
        Ok(())
    }
}

/// A page of a site with this body.
fn html(url: &str, body: &str) -> Reply {
    let mut bases = BaseStack::new();
    bases.retrieved_by(url);
    let page =
        FetchedPage { url: url.to_owned(), bases, format: Format::Html, octets: body.as_bytes().to_vec() };
    Reply { page: Some(PageBody::Whole(page)), ..status(200) }
}

/// Walks over the site of `http://a.de/`, whose first page has this body.
async fn walk(first: &str, robots: &str, limits: CrawlLimits, script: Script) -> Walked {
    let (site, finder) =
        (Site::new(LinkRules { keeps_all: true, ..LinkRules::default() }, None), Finder::new());
    let document = Document::new(Format::Html).retrieved_by("http://a.de/");
    let named = DocumentName { name: "http://a.de/".to_owned(), path: None, is_own: false };
    let read = site.read_stream(&finder, &document, named, &mut first.as_bytes()).unwrap();
    let mut file_checker = FileChecker::new(&site, &finder);
    let start = Instant::now();
    let servers = Arc::new(Servers {
        script,
        known: BTreeMap::new(),
        asked: Mutex::default(),
        start,
        knows_names: true,
    });
    let settings = Settings { pace: Pace::default(), at_once: 100, is_private: false };
    let transport = Arc::clone(&servers) as Arc<dyn Transport>;
    let mut crawl = Crawl::new(limits);
    crawl.add("http://a.de/", Robots::parse(robots.as_bytes(), "locator"));
    let mut checker = Checker::new(&mut file_checker, settings, transport, []).with_crawl(crawl);
    checker.add_fetched("http://a.de/", read.anchors);
    let mut links = Links::default();
    let end = checker.run(&[read.page], &mut links).await.unwrap();
    assert_eq!(end, RunEnd::Complete);
    let unread = checker.crawl().unread();
    let asked = servers.asked.lock().unwrap().clone();
    Walked { links: links.0, asked, unread }
}

/// Checks a page with these links.
async fn check(urls: &[&str], knows_names: bool, script: Script) -> Run {
    check_knowing(BTreeMap::new(), urls, knows_names, script).await
}

/// Checks a page with these links, of which an earlier run knows something.
async fn check_knowing(
    known: BTreeMap<&'static str, Reply>,
    urls: &[&str],
    knows_names: bool,
    script: Script,
) -> Run {
    let (site, finder) =
        (Site::new(LinkRules { keeps_all: true, ..LinkRules::default() }, None), Finder::new());
    let text: String = urls.iter().map(|url| format!("[x]({url})\n")).collect();
    let named = DocumentName { name: "a.md".to_owned(), path: None, is_own: false };
    let document = Document::new(Format::Markdown);
    let read = site.read_stream(&finder, &document, named, &mut text.as_bytes()).unwrap();
    let mut file_checker = FileChecker::new(&site, &finder);
    let start = Instant::now();
    let servers = Arc::new(Servers { script, known, asked: Mutex::default(), start, knows_names });
    let settings = Settings { pace: Pace::default(), at_once: 100, is_private: false };
    let transport = Arc::clone(&servers) as Arc<dyn Transport>;
    let mut checker = Checker::new(&mut file_checker, settings, transport, []);
    let mut verdicts = Verdicts::default();
    let end = checker.run(&[read.page], &mut verdicts).await.unwrap();
    let asked = servers.asked.lock().unwrap().clone();
    Run { end, verdicts: verdicts.0, asked }
}

#[tokio::test(start_paused = true)]
async fn forty_links_to_one_redirect_are_two_requests() {
    let urls: Vec<_> = (0..40).map(|_| "http://a.de/old").chain(["http://a.de/new"]).collect();
    let script =
        |line: &str, _| if line.ends_with("old") { redirect("http://a.de/new") } else { status(200) };
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!(run.lines(), ["HEAD http://a.de/old", "HEAD http://a.de/new"]);
    assert_eq!(run.codes(), ["ok", "redirected"]);
}

#[tokio::test(start_paused = true)]
async fn requests_have_a_pause() {
    let urls: Vec<_> = (0..5).map(|number| format!("http://a.de/{number}")).collect();
    let urls: Vec<_> = urls.iter().map(String::as_str).collect();
    let run = check(&urls, true, Box::new(|_, _| status(200))).await;
    let times: Vec<_> = run.asked.iter().map(|(_, time)| *time).collect();
    assert_eq!(times.len(), 5);
    assert!(times.windows(2).all(|two| two[1] - two[0] >= Duration::from_millis(50)), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_refuses_programs_by_http2() {
    let script = |line: &str, _| match line.starts_with("GET1") {
        true => status(200),
        false => said(Response { is_http2: true, ..response(403) }),
    };
    let run = check(&["http://a.de/"], true, Box::new(script)).await;
    assert_eq!(run.lines(), ["HEAD http://a.de/", "GET http://a.de/", "GET1 http://a.de/"]);
    assert_eq!(run.codes(), ["ok"]);
}

#[tokio::test(start_paused = true)]
async fn a_server_is_waited_for() {
    let script = |_: &str, before| match before {
        0 => Reply { waits: Some(Duration::from_secs(5)), ..status(429) },
        _ => status(200),
    };
    let run = check(&["http://a.de/"], true, Box::new(script)).await;
    assert_eq!(run.codes(), ["ok"]);
    assert!(run.asked[1].1 >= Duration::from_secs(5));
    let script = |_: &str, _| Reply { waits: Some(Duration::from_secs(86400)), ..status(429) };
    let run = check(&["http://a.de/", "http://a.de/b"], true, Box::new(script)).await;
    assert_eq!(run.codes(), ["waits", "waits"]);
    assert!(run.asked.len() <= 2);
    let run = check(&["http://a.de/"], true, Box::new(|_, _| status(429))).await;
    assert_eq!((run.codes(), run.asked.len()), (vec!["too-many-requests"], 6));
}

fn waits(code: u16, seconds: u64) -> Reply {
    Reply { waits: Some(Duration::from_secs(seconds)), ..status(code) }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_everything_is_bounded_and_others_are_asked_meanwhile() {
    let of_a: Vec<_> = (0..300).map(|number| format!("http://a.de/{number}")).collect();
    let urls: Vec<_> = of_a.iter().map(String::as_str).chain(["http://b.de/"]).collect();
    for (code, asked, most_requests, most_seconds, expected) in [
        (429, None, 40, 61, "too-many-requests"),
        (429, Some(1), 40, 7, "too-many-requests"),
        (429, Some(59), 40, 61, "too-many-requests"),
        (429, Some(61), 4, 1, "waits"),
        (429, Some(u64::MAX), 4, 1, "waits"),
        (503, None, 20, 7, "busy"),
        (503, Some(1), 40, 7, "busy"),
        (503, Some(3600), 4, 1, "waits"),
    ] {
        let script = move |line: &str, _| match (line.contains("//a.de"), asked) {
            (true, Some(seconds)) => waits(code, seconds),
            (true, None) => status(code),
            (false, _) => status(200),
        };
        let run = check(&urls, true, Box::new(script)).await;
        let what = format!("{code} {asked:?}");
        assert_eq!(run.codes().iter().filter(|code| **code == expected).count(), 300, "{what}");
        assert_eq!(run.verdicts["http://b.de/"].code, Code::Ok, "{what}");
        let other = run.asked.iter().find(|(line, _)| line.contains("b.de")).unwrap();
        assert!(other.1 < Duration::from_secs(1), "{what}");
        assert!(run.asked.len() <= most_requests + 1, "{what}: {}", run.asked.len());
        assert!(run.asked.last().unwrap().1 <= Duration::from_secs(most_seconds), "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_refused_does_not_hinder_the_others() {
    let of_a: Vec<_> = (0..50).map(|number| format!("http://a.de/{number}")).collect();
    let urls: Vec<_> = ["http://a.de/x"].into_iter().chain(of_a.iter().map(String::as_str)).collect();
    for (reply, code) in [(status(503), "busy"), (waits(429, 2), "too-many-requests")] {
        let script = move |line: &str, _| if line.ends_with("/x") { reply.clone() } else { status(200) };
        let run = check(&urls, true, Box::new(script)).await;
        assert_eq!(run.verdicts["http://a.de/x"].code.name(), code);
        assert_eq!(run.codes().iter().filter(|code| **code == "ok").count(), 50);
        assert!(run.asked.last().unwrap().1 < Duration::from_secs(30));
    }
    // A page that was busy once is there.
    let script = |_: &str, before| if before == 0 { status(503) } else { status(200) };
    assert_eq!(check(&["http://a.de/"], true, Box::new(script)).await.codes(), ["ok"]);
}

#[tokio::test(start_paused = true)]
async fn urls_with_the_same_normal_host_are_asked_once() {
    let urls = [
        "http://a.de/x",
        "HTTP://A.de/x",
        "http://a.de:80/x",
        "hTTp://A.DE:/x",
        "http://a.de",
        "http://A.de/",
    ];
    let run = check(&urls, true, Box::new(|_, _| status(200))).await;
    assert_eq!(run.lines(), ["HEAD http://a.de/x", "HEAD http://a.de/"]);
    assert_eq!(run.codes(), ["ok"; 6]);
    // A path is not the same.
    let run =
        check(&["http://a.de/x", "http://a.de/X", "http://a.de:81/x"], true, Box::new(|_, _| status(200)))
            .await;
    assert_eq!(run.asked.len(), 3);
    // Redirects lead to them, too, and are no circle.
    let script = |line: &str, _| match line {
        "HEAD http://a.de/old" => redirect("HTTP://A.DE:80/x"),
        _ => status(200),
    };
    let run = check(&["http://a.de/x", "http://a.de/old"], true, Box::new(script)).await;
    assert_eq!((run.asked.len(), run.codes()), (2, vec!["redirected", "ok"]));
}

/// A page that leads to another one soon after it is shown.
fn refreshes(to: &str) -> Reply {
    Reply { refresh: Some(to.to_owned()), ..status(200) }
}

#[tokio::test(start_paused = true)]
async fn a_page_that_leads_to_a_dead_one_is_dead() {
    let script = |line: &str, _| {
        let (method, url) = line.split_once(' ').unwrap();
        let may_refresh = Reply { may_refresh: true, ..status(200) };
        match (url.trim_start_matches("http://a.de/"), method) {
            ("gone", _) => status(404),
            ("busy", _) => status(401),
            ("moved", _) => redirect("http://a.de/gone"),
            ("header", _) => refreshes("http://a.de/gone"),
            ("inward", _) => refreshes("http://10.0.0.1/"),
            ("file", _) => refreshes("file:///etc/passwd"),
            // What follows needs GET.
            (_, "HEAD") => may_refresh,
            ("dead", _) => refreshes("http://a.de/gone#x"),
            ("chain", _) => refreshes("HTTP://a.de:80/dead"),
            ("to-moved", _) => refreshes("http://a.de/moved"),
            ("alive", _) => refreshes("http://a.de/page"),
            ("unknown", _) => refreshes("http://a.de/busy"),
            ("circle", _) => refreshes("http://a.de/back"),
            ("back", _) => refreshes("http://a.de/circle"),
            ("self", _) => refreshes("http://a.de/self"),
            ("get-fails", _) => failure(Code::TimedOut),
            ("get-is-404", _) => status(404),
            (number, _) if number.starts_with('n') => {
                refreshes(&format!("http://a.de/n{}", number[1..].parse::<u32>().unwrap() + 1))
            }
            _ => status(200),
        }
    };
    let expected = [
        ("header", "not-found"),
        ("dead", "not-found"),
        ("chain", "not-found"),
        ("to-moved", "not-found"),
        ("get-is-404", "not-found"),
        ("alive", "ok"),
        ("unknown", "ok"),
        ("circle", "ok"),
        ("self", "ok"),
        ("inward", "ok"),
        ("file", "ok"),
        ("get-fails", "ok"),
        ("n0", "ok"),
        ("page", "ok"),
    ];
    let urls = expected.map(|(path, _)| format!("http://a.de/{path}"));
    let run = check(&urls.each_ref().map(|url| &**url), true, Box::new(script)).await;
    for ((path, code), url) in expected.iter().zip(&urls) {
        assert_eq!(run.verdicts[url].code.name(), *code, "{path}");
    }
    let hops = |url: &str| run.verdicts[url].hops.iter().map(|hop| hop.to.clone()).collect::<Vec<_>>();
    assert_eq!(hops("http://a.de/chain"), ["HTTP://a.de:80/dead", "http://a.de/gone#x"]);
    assert_eq!(hops("http://a.de/alive"), [""; 0]);
    assert!(run.lines().iter().all(|line| !line.contains("10.0.0.1")));
    assert!(run.asked.len() < 100, "{}", run.asked.len());
}

#[tokio::test(start_paused = true)]
async fn what_failed_is_tried_at_the_end() {
    let script = |line: &str, before| match (line.contains("//a.de"), before) {
        (true, 0) => failure(Code::ConnectionRefused),
        _ => status(200),
    };
    let run = check(&["http://a.de/", "http://b.de/"], true, Box::new(script)).await;
    assert_eq!(run.codes(), ["ok", "ok"]);
    assert_eq!(run.lines(), ["HEAD http://a.de/", "HEAD http://b.de/", "HEAD http://a.de/"]);
}

#[tokio::test(start_paused = true)]
async fn a_dead_host_is_asked_three_times() {
    let urls: Vec<_> = (0..500).map(|number| format!("http://a.de/{number}")).collect();
    let urls: Vec<_> = urls.iter().map(String::as_str).chain(["http://b.de/"]).collect();
    let script = |line: &str, _| match line.contains("//a.de") {
        true => failure(Code::NoSuchName),
        false => status(200),
    };
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!(run.asked.len(), 4);
    assert_eq!(run.codes().iter().filter(|code| **code == "no-such-name").count(), 500);
}

#[tokio::test(start_paused = true)]
async fn without_a_network_nothing_is_known() {
    let urls = ["http://a.de/", "http://b.de/"];
    let run = check(&urls, true, Box::new(|_, _| failure(Code::NoNetwork))).await;
    assert_eq!((run.end, run.codes()), (RunEnd::NoNetwork, vec!["no-network", "no-network"]));
    let run = check(&urls, false, Box::new(|_, _| failure(Code::NoSuchName))).await;
    assert_eq!(run.end, RunEnd::NoNetwork);
    // A resolver that knows its own names only.
    let script = |line: &str, _| match line.contains("//a.de") {
        true => status(200),
        false => failure(Code::NoSuchName),
    };
    let run = check(&urls, false, Box::new(script)).await;
    assert_eq!((run.end, run.codes()), (RunEnd::Complete, vec!["ok", "name-failed"]));
}

#[tokio::test(start_paused = true)]
async fn what_is_known_is_not_asked() {
    let known = || {
        BTreeMap::from([
            ("http://a.de/ok", status(200)),
            ("http://a.de/dead", status(404)),
            ("http://a.de/old", redirect("http://a.de/ok")),
            ("http://a.de/in", redirect("http://10.0.0.1/")),
            ("http://a.de/1", redirect("http://a.de/2")),
            ("http://a.de/2", redirect("http://a.de/1")),
            ("http://10.0.0.1/", status(200)),
        ])
    };
    let urls = ["http://10.0.0.1/", "http://a.de/dead", "http://a.de/ok", "http://a.de/old"];
    let run = check_knowing(known(), &urls, true, Box::new(|_, _| status(500))).await;
    assert_eq!(run.codes(), ["private", "not-found", "ok", "redirected"]);
    assert!(run.asked.is_empty());
    // Redirects that lead nowhere are asked for, whatever is known of their ends.
    let run =
        check_knowing(known(), &["http://a.de/1", "http://a.de/in"], true, Box::new(|_, _| status(200)));
    let run = run.await;
    assert_eq!(run.codes(), ["ok", "ok"]);
    assert_eq!(run.lines(), ["GET http://a.de/1", "GET http://a.de/2", "GET http://a.de/in"]);
    // A redirect of the server leads to what the server says.
    let urls = ["http://a.de/dead", "http://a.de/new"];
    let script = |line: &str, _| match line.ends_with("/new") {
        true => redirect("http://a.de/dead"),
        false => status(200),
    };
    let run = check_knowing(known(), &urls, true, Box::new(script)).await;
    assert_eq!(run.codes(), ["not-found", "redirected"]);
    // What is known is no sign of a network.
    let urls = ["http://a.de/ok", "http://b.de/"];
    let run = check_knowing(known(), &urls, true, Box::new(|_, _| failure(Code::NoNetwork))).await;
    assert_eq!((run.end, run.codes()), (RunEnd::NoNetwork, vec!["ok", "no-network"]));
}

#[tokio::test(start_paused = true)]
async fn redirects_inward_are_refused() {
    let script = |line: &str, _| match line {
        "HEAD http://a.de/in" => redirect("http://10.0.0.1/"),
        "HEAD https://a.de/down" => redirect("http://a.de/x"),
        "HEAD http://a.de/ftp" => redirect("ftp://a.de/x"),
        _ => status(200),
    };
    let urls = ["http://10.0.0.2/", "http://a.de/ftp", "http://a.de/in", "https://a.de/down"];
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!(run.codes(), ["private", "redirect-refused", "redirect-inward", "redirect-downgrade"]);
    assert!(!run.lines().iter().any(|line| line.contains("//10.") || line.contains("ftp:")));
}

#[tokio::test(start_paused = true)]
async fn a_loop_may_end_with_a_cookie() {
    let cookie = |line: &str, before| match (line, before) {
        ("GET http://a.de/", 1) => status(200),
        _ => said(Response { sets_cookie: true, location: Some("http://a.de/".into()), ..response(302) }),
    };
    // The script has no jar, so the second request of the same URL is a loop by what is known here.
    let run = check(&["http://a.de/"], true, Box::new(cookie)).await;
    assert_eq!(run.codes(), ["loop"]);
    assert_eq!(run.lines(), ["HEAD http://a.de/", "GET http://a.de/"]);
}

/// A server that redirects to a new URL each time is left, also while others are asked.
#[tokio::test(start_paused = true)]
async fn redirects_to_ever_new_urls_end() {
    let script = |line: &str, _| match line.split_once("//a.de/") {
        Some((_, number)) => redirect(&format!("http://a.de/{}", number.parse::<u64>().unwrap() + 1)),
        None => failure(Code::ConnectionRefused),
    };
    let urls = ["http://a.de/0", "http://a.de/5", "http://b.de/"];
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!(run.codes(), ["too-many-redirects", "too-many-redirects", "connection-refused"]);
    // From the last of the links 20 redirects are followed, whichever was met first.
    let asked = run.lines().iter().filter(|line| line.contains("//a.de/")).count();
    assert_eq!(asked, 26, "{:?}", run.lines());
}

/// What is too far from one link may be near another one.
#[tokio::test(start_paused = true)]
async fn a_long_chain_is_entered_in_the_middle() {
    let script = |line: &str, _| match line.split_once("//a.de/").and_then(|(_, number)| number.parse().ok())
    {
        Some(0) | None => status(200),
        Some(number) => redirect(&format!("http://a.de/{}", number - 1_u64)),
    };
    let run = check(&["http://a.de/30", "http://b.de/", "http://a.de/12"], true, Box::new(script)).await;
    assert_eq!(run.codes(), ["redirected", "too-many-redirects", "ok"]);
    assert_eq!(run.asked.len(), 32);
}

#[tokio::test(start_paused = true)]
async fn a_redirect_of_head_is_followed_by_get_before_it_is_dead() {
    let script = |line: &str, _| match line {
        "HEAD http://a.de/a" => redirect("http://a.de/none"),
        "GET http://a.de/a" => status(200),
        "HEAD http://a.de/b" | "GET http://a.de/b" => redirect("http://a.de/none"),
        _ => status(404),
    };
    let run = check(&["http://a.de/a", "http://a.de/b"], true, Box::new(script)).await;
    assert_eq!(run.codes(), ["ok", "not-found"]);
}

#[tokio::test(start_paused = true)]
async fn loops_keep_the_pace_of_their_host() {
    let script = |line: &str, _| {
        let url = line.split_once(' ').unwrap().1.to_owned();
        said(Response { sets_cookie: true, location: Some(url), ..response(302) })
    };
    let urls: Vec<_> = (0..30).map(|number| format!("http://a.de/{number}")).collect();
    let urls: Vec<_> = urls.iter().map(String::as_str).collect();
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!((run.codes(), run.asked.len()), (vec!["loop"; 30], 60));
    let mut times: Vec<_> = run.asked.iter().map(|(_, time)| *time).collect();
    times.sort();
    assert!(times.windows(2).all(|two| two[1] - two[0] >= Duration::from_millis(50)), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn a_final_dot_of_a_name_is_not_sent() {
    let run = check(&["http://a.de./x", "http://a.de/x"], true, Box::new(|_, _| status(200))).await;
    assert_eq!((run.lines(), run.codes()), (vec!["HEAD http://a.de/x"], vec!["ok", "ok"]));
}

#[tokio::test(start_paused = true)]
async fn a_host_that_refuses_head_is_asked_by_get() {
    let script = |line: &str, _| if line.starts_with("HEAD") { status(405) } else { status(200) };
    let urls = ["http://a.de/1", "http://a.de/2", "http://a.de/3", "http://a.de/4"];
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!(run.codes(), ["ok"; 4]);
    let heads = run.lines().iter().filter(|line| line.starts_with("HEAD")).count();
    assert!(heads < 4, "{:?}", run.lines());
}

#[tokio::test(start_paused = true)]
async fn the_anchors_of_a_page_are_wanted_while_it_is_asked_for() {
    let urls = ["http://a.de/new", "http://a.de/old", "http://a.de/older#x"];
    let script = |line: &str, _| match line.split_once("//a.de/").unwrap() {
        (_, "old") => redirect("http://a.de/new"),
        (_, "older") => redirect("http://a.de/old"),
        ("GET http:", _) => {
            let mut names = AnchorSet::new(false);
            names.add("x");
            Reply { anchors: Some(names.finish(true)), ..status(200) }
        }
        _ => status(200),
    };
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!(run.codes(), ["ok", "redirected", "redirected"]);
}

#[tokio::test(start_paused = true)]
async fn the_text_of_a_page_is_read_if_a_link_leads_to_it() {
    let urls = [
        "http://a.de/1#x",
        "http://a.de/1#:~:text=heron",
        "http://a.de/1#x:~:text=crane",
        "http://a.de/2#:~:text=Heron,roads",
        "http://a.de/3#:~:text=a",
    ];
    let script = |line: &str, _| match line {
        "GET http://a.de/1" => {
            let mut names = AnchorSet::new(false);
            names.add("x");
            let text = PageText::new("The heron draws roads");
            Reply { anchors: Some(names.finish(true).with_text(Some(text))), ..status(200) }
        }
        "GET http://a.de/2" => redirect("http://a.de/1"),
        "GET http://a.de/3" => status(200),
        _ => panic!("{line}"),
    };
    let run = check(&urls, true, Box::new(script)).await;
    assert_eq!(run.codes(), ["ok", "ok", "no-such-text", "redirected", "unread-anchor"]);
    assert_eq!(run.lines().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_pages_of_a_site_are_read_once_and_in_order() {
    let script = |line: &str, _| match line {
        "GET http://a.de/1" => html("http://a.de/1", "<a href=/3>x</a><a href=2#x>x</a><a href=#own>x</a>"),
        "GET http://a.de/2" => {
            html("http://a.de/2", "<p id=x><a href=/1>x</a><a href=/old>x</a><a href=/>x</a>")
        }
        "GET http://a.de/3" => html("http://a.de/3", "<a href=/gone>x</a><a href=http://b.de/>x</a>"),
        "GET http://a.de/old" => redirect("http://a.de/4"),
        "GET http://a.de/4" => html("http://a.de/4", "<a href=/out>x</a>"),
        "GET http://a.de/out" => redirect("http://b.de/page"),
        "GET http://b.de/page" | "HEAD http://b.de/" | "HEAD http://a.de/i.png" => status(200),
        "GET http://a.de/gone" => status(404),
        _ => panic!("{line}"),
    };
    let first = "<a href=/1>x</a><a href=/2>x</a><img src=i.png>";
    let walked = walk(first, "", CrawlLimits::default(), Box::new(script)).await;
    let expected = [
        ("", "/1", "ok"),
        ("", "/2", "ok"),
        ("", "i.png", "ok"),
        ("1", "/3", "ok"),
        ("1", "2#x", "ok"),
        ("1", "#own", "remote-anchor"),
        ("2", "/1", "ok"),
        ("2", "/old", "redirected"),
        ("2", "/", "ok"),
        ("3", "/gone", "not-found"),
        ("3", "http://b.de/", "ok"),
        ("4", "/out", "redirected"),
    ];
    let expected = expected.map(|(page, url, code)| (format!("http://a.de/{page}"), url.to_owned(), code));
    assert_eq!(walked.links, expected);
    let mut lines = walked.lines();
    let all = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!((lines.len(), all), (10, 10), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn a_redirect_of_another_origin_leads_into_the_site() {
    let script = |line: &str, _| match line {
        "HEAD http://www.a.de/1" => redirect("http://a.de/1"),
        "GET http://a.de/1" => html("http://a.de/1", "<a href=/none>x</a>"),
        "GET http://a.de/none" => status(404),
        _ => panic!("{line}"),
    };
    let walked = walk("<a href=http://www.a.de/1>x</a>", "", CrawlLimits::default(), Box::new(script)).await;
    let codes: Vec<_> = walked.links.iter().map(|(_, _, code)| *code).collect();
    assert_eq!(codes, ["redirected", "not-found"]);
}

#[tokio::test(start_paused = true)]
async fn a_fragment_is_looked_up_in_a_page_that_was_met_before() {
    let script = |line: &str, _| match line {
        "HEAD http://b.de/" => status(200),
        "GET http://b.de/" => {
            let mut names = AnchorSet::new(false);
            names.add("x");
            Reply { anchors: Some(names.finish(true)), ..status(200) }
        }
        "GET http://a.de/1" => {
            html("http://a.de/1", "<a href=http://b.de/#x>x</a><a href=http://b.de/#y>x</a>")
        }
        _ => panic!("{line}"),
    };
    let first = "<a href=http://b.de/>x</a><a href=/1>x</a>";
    let walked = walk(first, "", CrawlLimits::default(), Box::new(script)).await;
    let codes: Vec<_> = walked.links.iter().map(|(_, _, code)| *code).collect();
    assert_eq!(codes, ["ok", "ok", "ok", "remote-anchor"]);
}

#[tokio::test(start_paused = true)]
async fn a_text_is_looked_up_in_the_pages_of_a_site() {
    let script = |line: &str, _| match line {
        "GET http://a.de/1" => html("http://a.de/1", "<p>Heron <a href=/2#:~:text=roads>x</a>"),
        "GET http://a.de/2" => {
            html("http://a.de/2", "<p>Roads <a href=/1#:~:text=Heron>x</a><a href=#:~:text=none>x</a>")
        }
        _ => panic!("{line}"),
    };
    let walked = walk("<a href=/1>x</a>", "", CrawlLimits::default(), Box::new(script)).await;
    let codes: Vec<_> = walked.links.iter().map(|(_, _, code)| *code).collect();
    assert_eq!(codes, ["ok", "ok", "ok", "no-such-text"]);
}

#[tokio::test(start_paused = true)]
async fn what_robots_txt_disallows_is_not_asked_for() {
    let script = |line: &str, _| match line {
        "GET http://a.de/to" => redirect("http://a.de/private/b"),
        "HEAD http://b.de/private/" => status(200),
        _ => panic!("{line}"),
    };
    let first =
        "<a href=/private/a>x</a><a href=/to>x</a><img src=/private/i.png><a href=http://b.de/private/>x</a>";
    let robots = "User-agent: *\nDisallow: /private/\n";
    let walked = walk(first, robots, CrawlLimits::default(), Box::new(script)).await;
    let codes: Vec<_> = walked.links.iter().map(|(_, _, code)| *code).collect();
    assert_eq!(codes, ["robots", "robots", "robots", "ok"]);
}

#[tokio::test(start_paused = true)]
async fn a_site_without_an_end_has_one() {
    let script = |line: &str, _| {
        let url = line.split_once(' ').unwrap().1;
        let number: u32 = url.rsplit('=').next().unwrap().parse().unwrap();
        match line.starts_with("HEAD") {
            true => status(200),
            false => html(url, &format!("<a href='?month={}'>next</a>", number + 1)),
        }
    };
    let limits = CrawlLimits { pages: 1000, per_path: 10 };
    let walked = walk("<a href='?month=1'>x</a>", "", limits, Box::new(script)).await;
    assert_eq!((walked.pages().len(), walked.asked.len()), (11, 11));
    assert_eq!(walked.unread, UnreadPages { per_path: 1, ..UnreadPages::default() });
    let limits = CrawlLimits { pages: 5, per_path: 10 };
    let walked = walk("<a href='?month=1'>x</a>", "", limits, Box::new(script)).await;
    assert_eq!((walked.pages().len(), walked.asked.len()), (5, 5));
    assert_eq!(walked.unread, UnreadPages { pages: 1, ..UnreadPages::default() });
}

#[tokio::test(start_paused = true)]
async fn a_page_that_failed_is_read_at_the_end() {
    let script = |line: &str, before| match (line, before) {
        ("GET http://a.de/1", 0) => failure(Code::TimedOut),
        ("GET http://a.de/1", _) => html("http://a.de/1", "<a href=/3>x</a>"),
        ("GET http://a.de/2", _) => html("http://a.de/2", "<a href=/1>x</a>"),
        ("GET http://a.de/3", _) => status(410),
        _ => panic!("{line}"),
    };
    let walked = walk("<a href=/1>x</a><a href=/2>x</a>", "", CrawlLimits::default(), Box::new(script)).await;
    assert_eq!(walked.pages(), ["http://a.de/", "http://a.de/2", "http://a.de/1"]);
    assert_eq!(walked.links.last().unwrap().2, "gone");
}
