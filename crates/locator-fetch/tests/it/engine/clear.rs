//! Servers in the clear: usual courses, and what is left when a fetch is dropped.

use std::sync::Arc;

use locator::UriRef;
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{Fetcher, Proof, Resume, Watcher, blocking};

use crate::engine::scripted::{self, Action::*, descriptors, serve};
use crate::engine::{fetch, get, read};

#[tokio::test]
async fn a_text_of_gopher() {
    let port = serve(vec![Line, Send(b"hello\r\n.\r\n"), Close]).await;
    let (text, whole) = get(&format!("gopher://127.0.0.1:{port}/0/a")).await.unwrap();
    assert_eq!((&*text, whole), (&b"hello\r\n"[..], Whole::Framed));
}

/// What a server of FTP does before a transfer.
pub(crate) fn ftp(transfer: Vec<scripted::Action>) -> Vec<scripted::Action> {
    let mut actions = vec![
        Send(b"220 ready\r\n"),
        Line,
        Send(b"331 password\r\n"),
        Line,
        Send(b"230 in\r\n"),
        Line,
        Send(b"200 binary\r\n"),
        Line,
    ];
    actions.extend(transfer);
    actions
}

#[tokio::test]
async fn a_file_of_ftp() {
    for first in [false, true] {
        // 226 may come before the end of the data.
        let end = if first {
            vec![Send(b"226 sent\r\n"), CloseData]
        } else {
            vec![CloseData, Send(b"226 sent\r\n")]
        };
        let mut transfer = vec![Epsv, Line, Send(b"150 here\r\n"), SendData(b"\x00\xFFdata")];
        transfer.extend(end);
        let port = serve(ftp(transfer)).await;
        let (octets, whole) = get(&format!("ftp://127.0.0.1:{port}/a")).await.unwrap();
        assert_eq!((&*octets, whole), (&b"\x00\xFFdata"[..], Whole::Confirmed));
    }
}

#[tokio::test]
async fn back_pressure() {
    let sent = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let port = serve(vec![Line, Flood(sent.clone())]).await;
    let mut fetched = fetch(&format!("gopher://127.0.0.1:{port}/9/a")).await.unwrap();
    fetched.chunk().await.unwrap();
    // The server has its turns, until the connection is full.
    let mut before = 0;
    loop {
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        let now = sent.load(std::sync::atomic::Ordering::Relaxed);
        if now == before {
            return;
        }
        assert!(now < 64 << 20, "the server goes on sending");
        before = now;
    }
}

/// Polls a fetch this often and drops it.
async fn drop_after(url: &str, polls: usize) -> bool {
    let whole = async {
        let mut fetched = fetch(url).await?;
        read(&mut fetched).await
    };
    let mut whole = std::pin::pin!(whole);
    let mut polled = 0;
    std::future::poll_fn(|cx| {
        polled += 1;
        match whole.as_mut().poll(cx) {
            std::task::Poll::Ready(_) => std::task::Poll::Ready(true),
            std::task::Poll::Pending if polled == polls => std::task::Poll::Ready(false),
            std::task::Poll::Pending => std::task::Poll::Pending,
        }
    })
    .await
}

#[test]
fn dropping_leaves_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut ended = 0;
        for polls in 1..40 {
            let port = serve(ftp(vec![
                Epsv,
                Line,
                Send(b"150 here\r\n"),
                SendData(b"x"),
                CloseData,
                Send(b"226 sent\r\n"),
                Hang,
            ]))
            .await;
            let (before, tasks) = (descriptors(port), scripted::tasks());
            ended += usize::from(drop_after(&format!("ftp://127.0.0.1:{port}/a"), polls).await);
            assert_eq!(descriptors(port), before, "after {polls} polls");
            assert!(scripted::tasks() <= tasks + 1, "after {polls} polls: only the server may go on");
        }
        assert!(ended > 0, "no fetch came to its end");
    });
}

#[tokio::test]
async fn blocking_inside_a_runtime() {
    let port = serve(vec![Line, Send(b"hello\r\n"), Close]).await;
    let url = format!("gopher://127.0.0.1:{port}/0/a");
    let fetched = tokio::task::spawn_blocking(move || blocking_get(&url)).await.unwrap();
    assert_eq!(fetched, b"hello\r\n");
    // On the thread of the runtime itself the server must be elsewhere.
    let port = std::thread::spawn(|| {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            std::io::Write::write_all(&mut stream, b"from a thread").unwrap();
            let mut line = [0; 16];
            let _ = std::io::Read::read(&mut stream, &mut line);
        });
        port
    });
    let port = port.join().unwrap();
    assert_eq!(blocking_get(&format!("gopher://127.0.0.1:{port}/9/a")), b"from a thread");
}

fn blocking_get(url: &str) -> Vec<u8> {
    let mut fetched = blocking::Fetcher::for_user_input().fetch(UriRef::parse(url).unwrap()).unwrap();
    let mut octets = Vec::new();
    while let Some(chunk) = fetched.chunk().unwrap() {
        octets.extend_from_slice(&chunk);
    }
    octets
}

#[test]
fn a_dropped_body_of_the_blocking_front() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        std::io::Write::write_all(&mut stream, b"first").unwrap();
        // The connection ends only if the client closes it.
        let mut rest = Vec::new();
        std::io::Read::read_to_end(&mut stream, &mut rest).map_or(0, |count| count)
    });
    let url = format!("gopher://127.0.0.1:{port}/9/a");
    let mut fetched = blocking::Fetcher::for_user_input().fetch(UriRef::parse(&url).unwrap()).unwrap();
    assert_eq!(fetched.chunk().unwrap().unwrap(), "first");
    drop(fetched);
    assert_eq!(server.join().unwrap(), b"/a\r\n".len());
}

#[test]
fn files_and_data() {
    let file = std::env::temp_dir().join(format!("locator-fetch-{}", std::process::id()));
    std::fs::write(&file, b"on disk").unwrap();
    let names = [format!("file://{}", file.display()), "data:text/plain;charset=utf-8,on%20disk".into()];
    for url in names {
        let fetcher = blocking::Fetcher::for_user_input();
        let mut fetched = fetcher.fetch(UriRef::parse(&url).unwrap()).unwrap();
        assert_eq!(fetched.chunk().unwrap().unwrap(), "on disk");
        assert_eq!(fetched.body().finish().unwrap(), Whole::Framed);
    }
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn policies() {
    let port = serve(vec![Line, Hang]).await;
    let url = format!("gopher://127.0.0.1:{port}/9/a");
    let fetcher = Fetcher::with_policy(locator_audit::Policy::public_web().schemes(["gopher"]).ports([port]));
    let error = fetcher.fetch(UriRef::parse(&url).unwrap()).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{error}");
    let fetcher = Fetcher::with_policy(locator_audit::Policy::public_web());
    let error = fetcher.fetch(locator::uri_ref!("file:///etc/passwd")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(_)), "{error}");
    for url in ["gopher://127.0.0.1/h/URL:file:///etc/passwd", "gopher://127.0.0.1/h/URL:javascript:alert(1)"]
    {
        let error = fetch(url).await.unwrap_err();
        assert!(!error.failure().unwrap().kind.is_said(), "{error}");
    }
}

/// A fetcher without settings is for URLs of strangers.
#[tokio::test]
async fn the_defaults_are_for_untrusted_urls() {
    for url in
        ["http://127.0.0.1/", "http://localhost/", "gopher://www.example.com/", "file:/etc/passwd", "data:,x"]
    {
        let error = Fetcher::for_untrusted_urls().fetch(UriRef::parse(url).unwrap()).await.unwrap_err();
        assert!(
            matches!(&error.failure().unwrap().kind, FailureKind::Forbidden(why) if why.refusal().is_some()),
            "{error}"
        );
        let blocking =
            blocking::Fetcher::for_untrusted_urls().fetch(UriRef::parse(url).unwrap()).unwrap_err();
        assert_eq!(blocking.kind(), error.kind());
    }
}

#[tokio::test]
async fn names_are_looked_up() {
    let port = serve(vec![Line, Send(b"x"), Close]).await;
    assert_eq!(get(&format!("gopher://localhost:{port}/9/a")).await.unwrap().0, b"x");
    let error = get("gopher://no-such-host.invalid/9/a").await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NameNotFound(_)), "{error}");
}

#[derive(Default)]
struct Notes(std::sync::Mutex<Vec<String>>);

impl Watcher for Notes {
    fn sent(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

#[tokio::test]
async fn the_dialogue_is_reported_without_secrets() {
    let port = serve(ftp(vec![Epsv, Line, Send(b"150 here\r\n"), CloseData, Send(b"226 sent\r\n")])).await;
    let notes = Arc::new(Notes::default());
    let fetcher = Fetcher::for_user_input().watcher(notes.clone());
    let url = format!("ftp://joe:secret@127.0.0.1:{port}/a");
    let mut fetched = fetcher.fetch(UriRef::parse(&url).unwrap()).await.unwrap();
    assert_eq!(fetched.chunk().await.unwrap(), None);
    let said = notes.0.lock().unwrap();
    assert_eq!(*said, ["USER joe", "PASS (password)", "TYPE I", "EPSV", "RETR a"]);
}

#[tokio::test]
async fn links_of_gopher() {
    let port = serve(vec![Line, Send(b"x"), Close]).await;
    let url = format!("gopher://127.0.0.1/hURL:gopher://127.0.0.1:{port}/9/a");
    let fetched = fetch(&url).await.unwrap();
    assert_eq!(fetched.hops().len(), 1);
    assert_eq!((fetched.hops()[0].url.as_str(), fetched.hops()[0].address), (&*url, None));
    assert!(fetched.url().as_str().ends_with("/9/a"));
    let error =
        Fetcher::for_user_input().max_redirects(0).fetch(UriRef::parse(&url).unwrap()).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::TooMuch { .. }), "{error}");
}

#[tokio::test]
async fn prompts() {
    struct Answers;

    impl locator_fetch::Prompter for Answers {
        fn answer(&self, prompt: &locator::plan::Prompt, _: &[u8]) -> Option<Vec<u8>> {
            (prompt.name() == "password").then(|| b"secret".into())
        }
    }

    let transfer = vec![Epsv, Line, Send(b"150 here\r\n"), CloseData, Send(b"226 sent\r\n")];
    let port = serve(ftp(transfer)).await;
    let url = format!("ftp://joe@127.0.0.1:{port}/a");
    let fetcher = Fetcher::for_user_input().prompter(Arc::new(Answers));
    assert_eq!(read(&mut fetcher.fetch(UriRef::parse(&url).unwrap()).await.unwrap()).await.unwrap(), b"");
    let port = serve(ftp(vec![Hang])).await;
    let error = fetch(&format!("ftp://joe@127.0.0.1:{port}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NoAnswer(_)), "{error}");
}

#[tokio::test]
async fn a_fetch_can_be_spawned() {
    let port = serve(vec![Line, Send(b"x"), Close]).await;
    let url = format!("gopher://127.0.0.1:{port}/9/a");
    let task = tokio::spawn(async move { get(&url).await });
    assert_eq!(task.await.unwrap().unwrap().0, b"x");
}

#[tokio::test]
async fn ipv6() {
    let Ok(listener) = tokio::net::TcpListener::bind("[::1]:0").await else {
        println!("ipv6: this machine has none, so it is not shown");
        return;
    };
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        tokio::io::AsyncReadExt::read_exact(&mut stream, &mut [0; 4]).await.unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut stream, b"six").await.unwrap();
    });
    assert_eq!(get(&format!("gopher://[::1]:{port}/9/a")).await.unwrap().0, b"six");
    server.await.unwrap();
    let fetcher = Fetcher::for_user_input().family(locator_fetch::Family::Ipv4);
    let url = format!("gopher://[::1]:{port}/9/a");
    let error = fetcher.fetch(UriRef::parse(&url).unwrap()).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NotConnected(_)), "{error}");
}

#[tokio::test]
async fn a_file_is_gone_on_with() {
    // What was handed on before is not handed on again.
    let proof = Proof::default().last_modified("20260301120000").length(6);
    let known = [Send(b"213 6\r\n"), Line, Send(b"213 20260301120000\r\n"), Line];
    let rest = [Epsv, Line, Send(b"350 go on\r\n"), Line, Send(b"150 here\r\n"), SendData(b"def")];
    for (end, is_whole) in [(Send(b"226 sent\r\n"), true), (Close, false)] {
        let script = [&known[..], &rest, &[CloseData, end, Hang]].concat();
        let port = serve(ftp(script)).await;
        let url = format!("ftp://127.0.0.1:{port}/a");
        let request = Fetcher::for_user_input().request(&url).resume(Resume::new(3, proof.clone()));
        let mut fetched = request.send().await.unwrap();
        assert_eq!((fetched.resumed_from(), fetched.proof()), (3, &proof));
        assert_eq!(fetched.chunk().await.unwrap().unwrap(), "def");
        assert_eq!(fetched.chunk().await.is_ok(), is_whole);
    }
}
