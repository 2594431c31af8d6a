//! Questions to servers and proxies of HTTP.

use locator::plan::Meaning;
use locator_fetch::Version;
use locator_fetch::blocking::{Fetcher, RequestBuilder};
use locator_fetch::http::{ByteRange, Http, Proxies};
use locator_fetch::run::{FailureKind, Whole};

use super::{Asking, encoded};

/// Asks a server for every file, in the versions of HTTP that it has.
pub(crate) fn ask(asking: &Asking<'_>) {
    let is_secured = asking.server.tls.is_some();
    for has_http2 in [false, true] {
        let version = if is_secured && has_http2 { Version::Http2 } else { Version::Http11 };
        let http = || Http::new().http2(has_http2);
        let fetcher = asking.fetcher.clone().http(http());
        for file in &asking.tree.files {
            let url = url(asking, "joe:secret@", &encoded(&file.path));
            let got = asking.get_by(&fetcher, &url);
            asking.equals(&url, &got, |octets| file.is(octets));
            asking.is_whole(&url, &got, Whole::Framed);
        }
        ask_more(asking, http, version);
    }
}

fn ask_more(asking: &Asking<'_>, http: impl Fn() -> Http, version: Version) {
    let by = |http: Http| asking.fetcher.clone().http(http);
    let page = asking.tree.file("pub/a/b");
    let asked = |path: &str, set: &dyn Fn(RequestBuilder<'static>) -> RequestBuilder<'static>| {
        set(by(http()).request(asking.parse(&url(asking, "", path)))).send().unwrap()
    };
    let fetch = |fetcher: &Fetcher, path: &str| fetcher.fetch(asking.parse(&url(asking, "", path)));
    let fetched = fetch(&by(http()), "redir").unwrap();
    assert_eq!((fetched.hops().len(), fetched.head().unwrap().version), (1, version));
    assert_eq!(fetched.url(), url(asking, "", "pub/a/b"));
    let redirected = url(asking, "", "redir");
    asking.equals(&redirected, &asking.get_by(&by(http()), &redirected), |octets| page.is(octets));
    let error = fetch(&by(http()), "loop").unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { .. }), "{error}");
    for (path, kind) in [
        ("pub/missing", FailureKind::Said(Meaning::Missing)),
        ("private/x.txt", FailureKind::Said(Meaning::NeedLogin)),
    ] {
        let url = url(asking, "", path);
        asking.failed(&url, &asking.get_by(&by(http()), &url), &kind);
    }
    let wrong = url(asking, "joe:wrong@", "private/x.txt");
    asking.failed(&wrong, &asking.get_by(&by(http()), &wrong), &FailureKind::Said(Meaning::NeedLogin));
    let all = asking.get_by(&by(http()), &url(asking, "", "pub/a/b")).unwrap().octets;
    let fetched = asked("pub/a/b", &|request| request.range(ByteRange::From(2)));
    assert_eq!((fetched.resumed_from(), fetched.proof().length), (2, Some(all.len() as u64)));
    let part = asked("pub/a/b", &|request| request.range(ByteRange::Last(3))).bytes().unwrap();
    assert_eq!(part, all[all.len() - 3..]);
    let head = asked("pub/a/b", &|request| request.method("HEAD"));
    let length = head.headers().get("content-length").map(str::to_owned);
    assert_eq!(length, Some(all.len().to_string()));
    // The rest of it, as the proof allows.
    let proof = fetch(&by(http()), "pub/a/b").unwrap().proof().clone();
    let rest = by(http()).request(url(asking, "", "pub/a/b"));
    let rest = rest.resume(locator_fetch::Resume::new(4, proof)).send().unwrap();
    assert_eq!(rest.resumed_from(), 4);
}

/// Asks a proxy for every file of other servers: in the clear, and by a tunnel.
pub(crate) fn ask_proxy(asking: &Asking<'_>) {
    let login = asking.server.accounts.first();
    let login = login.map_or(String::new(), |account| format!("{}:{}@", account.user, account.password));
    let by = |login: &str| {
        let proxy = format!("http://{login}127.0.0.1:{}", asking.server.port);
        let proxies = Proxies::none().all(&proxy).unwrap();
        asking.fetcher.clone().http(Http::new().proxies(proxies))
    };
    let fetcher = by(&login);
    for server in asking.all.iter().filter(|server| server.kind == "http") {
        let scheme = if server.tls.is_some() { "https" } else { "http" };
        for file in &asking.tree.files {
            let path = encoded(&file.path);
            let url = format!("{scheme}://joe:secret@127.0.0.1:{}/{path}", server.port);
            let got = asking.get_by(&fetcher, &url);
            asking.equals(&url, &got, |octets| file.is(octets));
            asking.is_whole(&url, &got, Whole::Framed);
        }
        if !login.is_empty() {
            let url = format!("{scheme}://127.0.0.1:{}/pub/a/b", server.port);
            for wrong in ["", "joe:wrong@"] {
                let got = asking.get_by(&by(wrong), &url);
                if got.is_ok() {
                    asking.fault(&url, &got, "should be refused by the proxy");
                }
            }
        }
    }
}

fn url(asking: &Asking<'_>, login: &str, path: &str) -> String {
    let is_secured = asking.server.tls.is_some();
    asking.url(if is_secured { "https" } else { "http" }, login, path)
}
