//! The tables of spec/command.md on redirects: each cell is tried with two origins, which one proxy
//! answers for, so that hosts and ports are the usual ones.

use std::path::Path;

use locator_fetch::http::Proxies;
use locator_fetch::run::FailureKind;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::server::{read_request, response};
use super::*;
use crate::certificates::Authority;

/// A proxy that answers itself for all hosts, by TLS after CONNECT. What each request led to says its
/// target: `/302?http://b.example/end` redirects, and `/end` wants a login.
struct Web {
    proxy: u16,
    authority: Authority,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Web {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = listener.local_addr().unwrap().port();
        let web = Self { proxy, authority: Authority::new(), requests: Arc::default() };
        let (config, requests) = (web.authority.server("a.example"), web.requests.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer_by_proxy(stream, TlsAcceptor::from(config.clone()), requests.clone()));
            }
        });
        web
    }

    fn fetcher(&self, http: Http) -> Fetcher {
        let proxy = format!("http://127.0.0.1:{}", self.proxy);
        fetcher(http.proxies(Proxies::none().all(&proxy).unwrap())).trust(self.authority.trust())
    }

    /// Returns the requests that were sent since the last call.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }
}

async fn answer_by_proxy(
    mut stream: TcpStream,
    acceptor: TlsAcceptor,
    requests: Arc<Mutex<Vec<String>>>,
) -> std::io::Result<()> {
    while let Some(request) = read_request(&mut stream).await? {
        if request.starts_with("CONNECT ") {
            stream.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
            let mut stream = acceptor.accept(stream).await?;
            while let Some(request) = read_request(&mut stream).await? {
                answer(&mut stream, request, &requests).await?;
            }
            return Ok(());
        }
        answer(&mut stream, request, &requests).await?;
    }
    Ok(())
}

async fn answer(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    request: String,
    requests: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let target = request.split(' ').nth(1).unwrap().to_owned();
    let wants_login = target.ends_with("/login") && field(&request, "authorization").is_none();
    requests.lock().unwrap().push(request);
    let answer = match target.split_once('?') {
        Some((path, to)) => {
            let status = path.rsplit('/').next().unwrap();
            response(&format!("{status} Elsewhere"), &format!("Location: {to}\r\n"), "")
        }
        None if wants_login => response("401 x", "WWW-Authenticate: Basic realm=a\r\n", ""),
        None => response("200 OK", "", "there"),
    };
    stream.write_all(&answer).await?;
    stream.flush().await
}

fn field(request: &str, name: &str) -> Option<String> {
    request.lines().find_map(|line| {
        let (own, value) = line.split_once(": ")?;
        own.eq_ignore_ascii_case(name).then(|| value.to_owned())
    })
}

/// Returns the cells of the table whose first cell of the first line is this, in a file of the project.
fn table(file: &str, first: &str) -> Vec<Vec<String>> {
    let text = read_file(file);
    let start = text.find(&format!("| {first} |")).unwrap_or_else(|| panic!("{file} has no table {first}"));
    let lines = text[start..].lines().take_while(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.map(cells).collect()
}

fn read_file(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).unwrap()
}

const SPEC: &str = "spec/command.md";

/// The headers that a user gives, and whether they describe a body.
const HEADERS: [(&str, bool); 12] = [
    ("Accept", false),
    ("Accept-Language", false),
    ("Accept-Encoding", false),
    ("User-Agent", false),
    ("Range", false),
    ("If-None-Match", false),
    ("If-Modified-Since", false),
    ("Cache-Control", false),
    ("X-Own", false),
    ("Cookie", false),
    ("Content-Type", true),
    ("Content-Language", true),
];

/// Returns the URLs of a row, the one that is given and the one that it leads to.
fn urls(row: &str) -> (&'static str, &'static str) {
    match row {
        "the same origin" => ("http://a.example", "http://a.example"),
        "port 443 of https, from port 80 of http on the same host" => {
            ("http://a.example", "https://a.example")
        }
        "http, from https" => ("https://a.example", "http://a.example"),
        row if row.starts_with("another origin") => ("http://a.example", "http://b.example"),
        other => panic!("{SPEC} has a row that this test does not know: {other}"),
    }
}

fn settings(row: &str) -> Http {
    let http = Http::new();
    let http = http.trust_redirects(row.contains("--location-trusted"));
    http.redirect_body(row.contains("--redirect-body"))
}

/// Returns the headers that a cell lists.
fn listed(cell: &str) -> Vec<&'static str> {
    let names: Vec<_> = cell.split(", ").map(|name| name.trim_matches('`')).collect();
    let is_listed = |name: &str| {
        names.iter().any(|one| *one == name || one.strip_suffix('*').is_some_and(|one| name.starts_with(one)))
    };
    HEADERS.iter().map(|(name, _)| *name).filter(|name| cell == "all" || is_listed(name)).collect()
}

#[tokio::test]
async fn what_redirects_are_sent() {
    let web = Web::start().await;
    let rows = table(SPEC, "the redirect leads to");
    assert_eq!(rows.len(), 6);
    let list = rows[2][2].clone();
    for row in rows {
        let [name, login, headers, body] = &row[..] else { panic!("{row:?}") };
        let (from, to) = urls(name);
        login_is_sent(&web, name, (from, to), login).await;
        headers_are_sent(&web, name, (from, to), headers).await;
        body_is_sent(&web, name, (from, to), body).await;
        effect_is_repeated(&web, name, (from, to), body).await;
    }
    // The other descriptions name the same headers.
    for file in [
        "crates/locator-fetch/src/http/settings.rs",
        "crates/locator-cli/src/verbs/get.rs",
        "docs/get-as-curl.md",
    ] {
        let text = read_file(file).replace("/// ", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        for header in list.split(", ").map(|name| name.trim_matches(['`', '*'])) {
            assert!(text.contains(header), "{file} does not name {header}");
        }
    }
}

async fn login_is_sent(web: &Web, row: &str, (from, to): (&str, &str), cell: &str) {
    let url = format!("{}/302?{to}/login", from.replace("//", "//joe:s3cret@"));
    let result = get_by(&web.fetcher(settings(row)), &url).await;
    let requests = web.take();
    let are_sent: Vec<_> = requests.iter().map(|one| field(one, "authorization").is_some()).collect();
    match (cell, result) {
        ("yes", Ok(_)) => assert_eq!(are_sent, [false, false, true], "{row}"),
        ("no", Err(error)) => {
            let withheld =
                error.failure().unwrap().withheld.clone().unwrap_or_else(|| panic!("{row}: {error}"));
            assert_eq!((are_sent, &*withheld.origin, withheld.login), (vec![false; 2], to, true), "{row}");
            assert!(error.to_string().contains("the login was not sent to http://b.example"), "{error}");
        }
        ("error", Err(error)) => is_refused(row, &error, requests.len()),
        (_, result) => panic!("{row}, login: {cell}, and {result:?}"),
    }
}

async fn headers_are_sent(web: &Web, row: &str, (from, to): (&str, &str), cell: &str) {
    let own = || HEADERS.iter().filter(|(_, is_of_body)| !is_of_body).map(|(name, _)| *name);
    let http = own().fold(settings(row), |http, name| http.header(name, "own").unwrap());
    let seen = Arc::new(Withholding::default());
    let fetcher = web.fetcher(http).watcher(seen.clone());
    let result = get_by(&fetcher, &format!("{from}/302?{to}/end")).await;
    let requests = web.take();
    if cell == "error" {
        return is_refused(row, &result.unwrap_err(), requests.len());
    }
    result.unwrap();
    let (sent, not_sent): (Vec<_>, Vec<_>) =
        own().partition(|name| field(&requests[1], name).as_deref() == Some("own"));
    let mut expected = listed(cell);
    expected.retain(|name| !name.starts_with("Content-"));
    assert_eq!(sent, expected, "{row}");
    let withheld = seen.0.lock().unwrap().clone();
    assert_eq!(withheld, not_sent, "{row}");
}

async fn body_is_sent(web: &Web, row: &str, (from, to): (&str, &str), cell: &str) {
    for (method, status) in [("POST", 307), ("POST", 308), ("PUT", 301), ("PATCH", 302)] {
        let fetcher = web.fetcher(settings(row));
        let request = fetcher.request(format!("{from}/{status}?{to}/end")).method(method).body("a=b");
        let describes = HEADERS.iter().filter(|(_, is_of_body)| *is_of_body);
        let request = request.headers(describes.map(|(name, _)| (name, "own")));
        let result = async { request.send().await?.text().await }.await;
        let requests = web.take();
        match (cell, result) {
            ("yes", Ok(_)) => {
                let last = &requests[1];
                assert!(last.starts_with(method) && last.ends_with("\r\n\r\na=b"), "{row}: {last}");
                let describe = ["content-type", "content-language"].map(|name| field(last, name));
                assert_eq!(describe, [Some("own".into()), Some("own".into())], "{row}");
            }
            ("error", Err(error)) => match &error.failure().unwrap().kind {
                FailureKind::RedirectsBody { to: target } => {
                    assert_eq!((&**target, requests.len()), (&*format!("{to}/end"), 1), "{row}");
                }
                _ => is_refused(row, &error, requests.len()),
            },
            (_, result) => panic!("{row}, body: {cell}, and {result:?}"),
        }
    }
}

/// A method with an effect is repeated where a body would be.
async fn effect_is_repeated(web: &Web, row: &str, (from, to): (&str, &str), cell: &str) {
    for (method, status) in [("POST", 307), ("DELETE", 308), ("PUT", 301), ("DELETE", 302)] {
        let request = web.fetcher(settings(row)).request(format!("{from}/{status}?{to}/end"));
        let result = async { request.method(method).send().await?.text().await }.await;
        let requests = web.take();
        match (cell, result) {
            ("yes", Ok(_)) => assert!(requests[1].starts_with(method), "{row}: {requests:?}"),
            ("error", Err(error)) => match &error.failure().unwrap().kind {
                FailureKind::RedirectsMethod { method: repeated, to: target } => {
                    assert_eq!((&**repeated, requests.len()), (method, 1), "{row}");
                    assert_eq!(**target, *format!("{to}/end"), "{row}");
                }
                _ => is_refused(row, &error, requests.len()),
            },
            (_, result) => panic!("{row}, {method}: {cell}, and {result:?}"),
        }
    }
}

/// A redirect from https to http.
fn is_refused(row: &str, error: &FetchError, requests: usize) {
    assert!(
        matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)) && requests == 1,
        "{row}: {error}"
    );
    assert!(error.to_string().contains("http://a.example/"), "{error}");
}

/// The headers that were not sent.
#[derive(Default)]
struct Withholding(Mutex<Vec<String>>);

impl Watcher for Withholding {
    fn withheld(&self, what: &locator_fetch::run::Withheld) {
        self.0.lock().unwrap().extend(what.headers.clone());
    }
}

#[tokio::test]
async fn methods_after_redirects() {
    let web = Web::start().await;
    let rows = table(SPEC, "status");
    assert_eq!(rows.len(), 3);
    let methods = ["GET", "HEAD", "POST", "PUT"];
    for row in rows {
        for (status, (method, cell)) in row[0]
            .split(", ")
            .flat_map(|status| methods.into_iter().zip(&row[1..]).map(move |pair| (status, pair)))
        {
            let fetcher = web.fetcher(Http::new());
            let request = fetcher.request(format!("http://a.example/{status}?/end")).method(method);
            let request = match method {
                "POST" | "PUT" => request.body("a=b").header("Content-Type", "own"),
                _ => request,
            };
            request.send().await.unwrap().text().await.unwrap();
            let last = web.take().pop().unwrap();
            let (expected, is_repeated) = match cell.split_once(", ") {
                Some((expected, "with the body")) => (expected, true),
                Some((expected, "without the body")) => (expected, false),
                _ => (&**cell, false),
            };
            let expected = if expected == "the same" { method } else { expected };
            assert!(last.starts_with(&format!("{expected} ")), "{method} {status}: {last}");
            let about = (last.ends_with("a=b"), field(&last, "content-type").is_some());
            assert_eq!(about, (is_repeated, is_repeated), "{method} {status}: {last}");
        }
    }
}
