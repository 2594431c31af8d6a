//! Connections of FTP that are used again, and servers that allow few of them.
//!
//! The server is one of its own, and not that of `locator-dev`: it counts its connections, refuses those that are too
//! many in three ways, and is a task of the test's runtime, so that the pauses of a fetcher end in order with it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use locator::plan::Prompt;
use locator_audit::Policy;
use locator_fetch::{Fetcher, Prompter, Reuse, Trust, blocking};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// How a server refuses a connection that is too much.
#[derive(Clone, Copy)]
enum Refuses {
    /// By 421 in place of the greeting.
    Greeting,
    /// By 530 to the user.
    Login,
    /// It closes the connection.
    Silently,
}

/// A server whose files contain their names, and what was sent to it.
struct Ftp {
    port: u16,
    log: Arc<Log>,
}

#[derive(Default)]
struct Log {
    commands: Mutex<Vec<String>>,
    /// How many connections there are, how many there were at most, and how many were refused.
    open: AtomicUsize,
    peak: AtomicUsize,
    refused: AtomicUsize,
    /// How many of the next connections are refused though there is room.
    refuses_next: AtomicUsize,
    changed: Notify,
}

impl Ftp {
    /// Starts a server with at most so many connections, which refuses the first ones anyway.
    async fn start(most: usize, refuses: Refuses, first: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Log::default());
        let own = log.clone();
        tokio::spawn(async move {
            for number in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let open = own.open.fetch_add(1, Ordering::SeqCst) + 1;
                let less = |next: usize| next.checked_sub(1);
                let is_late = own.refuses_next.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok();
                let is_refused = number < first || open > most || is_late;
                let log = own.clone();
                tokio::spawn(async move {
                    if is_refused {
                        log.refused.fetch_add(1, Ordering::SeqCst);
                    } else {
                        log.peak.fetch_max(open, Ordering::SeqCst);
                    }
                    // The client may end a connection at any time.
                    let _ = serve(stream, &log, is_refused.then_some(refuses)).await;
                    log.open.fetch_sub(1, Ordering::SeqCst);
                    log.changed.notify_one();
                });
            }
        });
        Self { port, log }
    }

    fn url(&self, path: &str) -> String {
        format!("ftp://127.0.0.1:{}/{path}", self.port)
    }

    /// The commands since the last call.
    fn commands(&self) -> Vec<String> {
        std::mem::take(&mut self.log.commands.lock().unwrap())
    }

    fn logins(&self) -> usize {
        self.commands().iter().filter(|command| command.starts_with("USER ")).count()
    }

    /// Waits until all connections are closed.
    async fn is_left(&self) {
        while self.log.open.load(Ordering::SeqCst) > 0 {
            self.log.changed.notified().await;
        }
    }
}

async fn serve(mut stream: TcpStream, log: &Log, refuses: Option<Refuses>) -> std::io::Result<()> {
    match refuses {
        Some(Refuses::Greeting) => return stream.write_all(b"421 too many connections\r\n").await,
        Some(Refuses::Silently) => return Ok(()),
        _ => stream.write_all(b"220 ready\r\n").await?,
    }
    let mut stream = BufReader::new(stream);
    let (mut line, mut data) = (String::new(), None);
    while stream.read_line(&mut line).await? > 0 {
        let command = std::mem::take(&mut line).trim_end().to_owned();
        log.commands.lock().unwrap().push(command.clone());
        let (name, argument) = command.split_once(' ').unwrap_or((&command, ""));
        let reply = match name {
            "USER" if refuses.is_some() => "530 too many users".into(),
            "USER" if argument == "anonymous" => "230 in".into(),
            "USER" => "331 password".into(),
            "PASS" if argument == "wrong" => "530 no".into(),
            "PASS" => "230 in".into(),
            "PWD" => "257 \"/\"".into(),
            "CWD" | "TYPE" => "250 ok".replace("250", if name == "CWD" { "250" } else { "200" }),
            "EPSV" => {
                let listener = TcpListener::bind("127.0.0.1:0").await?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                format!("229 (|||{port}|)")
            }
            "RETR" if argument == "missing" => "550 no".into(),
            "RETR" => {
                stream.write_all(b"150 here\r\n").await?;
                let Some(listener) = data.take() else { return Ok(()) };
                listener.accept().await?.0.write_all(argument.as_bytes()).await?;
                "226 sent".into()
            }
            "QUIT" => return stream.write_all(b"221 bye\r\n").await,
            _ => "500 what?".into(),
        };
        stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
        if name == "USER" && refuses.is_some() {
            return Ok(());
        }
    }
    Ok(())
}

async fn text(fetcher: &Fetcher, url: &str) -> String {
    fetcher.fetch(url).await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn one_login_for_several_urls() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input().reuse(Reuse::Expected);
    for (path, commands) in [
        ("pub/a", "USER anonymous, PWD, CWD pub, TYPE I, EPSV, RETR a"),
        ("pub/b", "EPSV, RETR b"),
        ("c", "CWD /, EPSV, RETR c"),
    ] {
        // A clone shares the connections.
        assert_eq!(text(&fetcher.clone(), &server.url(path)).await, path.rsplit('/').next().unwrap());
        assert_eq!(server.commands().join(", "), commands);
    }
    drop(fetcher);
    server.is_left().await;
    assert_eq!(server.commands(), ["QUIT"]);
}

#[tokio::test]
async fn the_directory_is_asked_for_after_the_second_login() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input();
    for path in ["x/a", "y/b", "z/c", "z/d"] {
        text(&fetcher, &server.url(path)).await;
    }
    let commands = server.commands().join(", ");
    let expected = "USER anonymous, CWD x, TYPE I, EPSV, RETR a, \
        USER anonymous, PWD, CWD y, TYPE I, EPSV, RETR b, CWD /, CWD z, EPSV, RETR c, EPSV, RETR d";
    assert_eq!(commands, expected);
}

#[tokio::test]
async fn connections_that_wait_can_be_closed() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input();
    assert!(!fetcher.close_idle(Duration::ZERO), "none waits");
    text(&fetcher, &server.url("a")).await;
    assert!(fetcher.close_idle(Duration::from_secs(3600)), "it has not waited so long");
    text(&fetcher, &server.url("b")).await;
    assert_eq!(server.logins(), 1);
    assert!(!fetcher.close_idle(Duration::ZERO));
    server.is_left().await;
    text(&fetcher, &server.url("c")).await;
    assert_eq!(server.commands()[..2], ["QUIT", "USER anonymous"]);
}

#[tokio::test]
async fn without_reuse_each_url_is_a_login() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input().reuse(Reuse::Never);
    for _ in 0..2 {
        text(&fetcher, &server.url("a")).await;
        assert_eq!(server.commands().join(", "), "USER anonymous, TYPE I, EPSV, RETR a");
    }
    server.is_left().await;
    assert!(server.commands().is_empty());
}

/// Knows one password.
struct Password(&'static str);

impl Prompter for Password {
    fn answer(&self, _: &Prompt, _: &[u8]) -> Option<Vec<u8>> {
        Some(self.0.into())
    }
}

#[tokio::test]
async fn only_equal_sessions_share_a_connection() {
    let server = Ftp::start(99, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input();
    let url = server.url("a");
    let user = |login: &str| url.replace("127", &format!("{login}@127"));
    let asked = |prompter: &Arc<Password>| fetcher.clone().prompter(prompter.clone());
    let [one, other] = ["p", "q"].map(|password| Arc::new(Password(password)));
    for (fetcher, url, logins) in [
        (fetcher.clone(), url.clone(), 1),
        (fetcher.clone(), url.clone(), 0),
        (fetcher.clone(), user("u:p"), 1),
        (fetcher.clone(), user("u:q"), 1),
        (fetcher.clone(), user("u:p"), 0),
        (fetcher.clone(), url.replace("127.0.0.1", "localhost"), 1),
        (fetcher.clone().trust(Trust::Anything), url.clone(), 1),
        (fetcher.clone().family(locator_fetch::Family::Ipv4), url.clone(), 1),
        (Fetcher::with_policy(Policy::typed()), url.clone(), 1),
        (asked(&one), user("u"), 1),
        (asked(&one), user("u"), 0),
        (asked(&other), user("u"), 1),
        (fetcher.clone(), url.clone(), 0),
    ] {
        text(&fetcher, &url).await;
        assert_eq!(server.logins(), logins, "{url}");
    }
}

#[tokio::test]
async fn what_is_missing_costs_no_login_and_what_is_dropped_does() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input();
    text(&fetcher, &server.url("a")).await;
    let error = fetcher.fetch(server.url("missing;type=i")).await.unwrap_err();
    assert!(error.to_string().contains("550"), "{error}");
    text(&fetcher, &server.url("a")).await;
    assert_eq!(server.logins(), 1);
    drop(fetcher.fetch(server.url("a")).await.unwrap());
    text(&fetcher, &server.url("a")).await;
    assert_eq!(server.logins(), 1);
}

#[tokio::test]
async fn none_is_lost_on_a_server_that_allows_three() {
    for refuses in [Refuses::Greeting, Refuses::Login, Refuses::Silently] {
        for reuse in [Reuse::IfPossible, Reuse::Expected] {
            let server = Ftp::start(3, refuses, 0).await;
            let fetcher = Fetcher::for_user_input().reuse(reuse);
            let urls: Vec<_> =
                (0..40).map(|number| server.url(&format!("{}/f{number}", number % 7))).collect();
            let mut all = fetcher.fetch_all(&urls, 20);
            let mut texts = BTreeSet::new();
            while let Some((_, response)) = all.next().await {
                texts.insert(response.unwrap().text().await.unwrap());
            }
            assert_eq!(texts.len(), 40);
            let log = &server.log;
            assert!(log.peak.load(Ordering::SeqCst) <= 3);
            assert!(log.refused.load(Ordering::SeqCst) <= 19, "a refused connection lowers the number");
        }
    }
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    let server = Ftp::start(9, Refuses::Greeting, 2).await;
    let fetcher = Fetcher::for_user_input().reuse(Reuse::Expected);
    assert_eq!(text(&fetcher, &server.url("a")).await, "a");
    // Not by a fetcher that does not expect more URLs, and not after the time of the request.
    let server = Ftp::start(9, Refuses::Greeting, 2).await;
    let error = Fetcher::for_user_input().fetch(server.url("a")).await.unwrap_err();
    assert!(error.to_string().contains("421"), "{error}");
    let server = Ftp::start(0, Refuses::Greeting, 0).await;
    let error = fetcher.timeout(Duration::from_millis(200)).fetch(server.url("a")).await.unwrap_err();
    assert!(error.to_string().contains("421"), "{error}");
}

#[tokio::test]
async fn a_wrong_password_is_tried_once_for_each_url() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input().reuse(Reuse::Expected);
    let urls: Vec<_> = (0..5).map(|_| server.url("a").replace("127", "u:wrong@127")).collect();
    let mut all = fetcher.fetch_all(&urls, 5);
    while let Some((_, response)) = all.next().await {
        assert!(response.unwrap_err().to_string().contains("530"));
    }
    assert_eq!((server.logins(), server.log.peak.load(Ordering::SeqCst)), (5, 1));
}

#[tokio::test]
async fn other_users_make_room() {
    for refuses in [Refuses::Greeting, Refuses::Login, Refuses::Silently] {
        let server = Ftp::start(3, refuses, 0).await;
        let fetcher = Fetcher::for_user_input();
        for number in 0..9 {
            let url = server.url("a").replace("127", &format!("u{number}:p@127"));
            assert_eq!(text(&fetcher, &url).await, "a");
        }
    }
}

/// A server under load notices later that a connection is closed.
#[tokio::test]
async fn a_server_that_counts_closed_connections() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input();
    assert_eq!(text(&fetcher, &server.url("a")).await, "a");
    server.log.refuses_next.store(3, Ordering::SeqCst);
    assert_eq!(text(&fetcher, &server.url("a").replace("127", "u:p@127")).await, "a");
}

#[tokio::test]
async fn at_most_so_many_connections_to_a_host() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let fetcher = Fetcher::for_user_input().reuse(Reuse::Expected).max_per_host(2);
    let urls: Vec<_> = (0..20).map(|number| server.url(&format!("f{number}"))).collect();
    let mut all = fetcher.fetch_all(&urls, 9);
    while let Some((_, response)) = all.next().await {
        response.unwrap().text().await.unwrap();
    }
    assert_eq!((server.logins(), server.log.peak.load(Ordering::SeqCst)), (2, 2));
    // Another user takes the place of a connection that waits.
    let users = (0..4).map(|number| server.url("a").replace("127", &format!("u{number}:p@127")));
    for url in users {
        text(&fetcher, &url).await;
    }
    assert_eq!((server.logins(), server.log.peak.load(Ordering::SeqCst)), (4, 2));
}

#[tokio::test]
async fn threads_share_connections() {
    let server = Ftp::start(9, Refuses::Greeting, 0).await;
    let urls: Vec<_> = (0..40).map(|number| server.url(&format!("{}/f{number}", number % 3))).collect();
    let fetcher = blocking::Fetcher::for_user_input().reuse(Reuse::Expected).max_per_host(3);
    let threads = urls.chunks(10).map(|urls| {
        let (urls, fetcher) = (urls.to_vec(), fetcher.separate());
        tokio::task::spawn_blocking(move || {
            for url in urls {
                let text = fetcher.fetch(&*url).unwrap().text().unwrap();
                assert!(url.ends_with(&text));
            }
        })
    });
    for thread in threads.collect::<Vec<_>>() {
        thread.await.unwrap();
    }
    assert_eq!((server.logins(), server.log.peak.load(Ordering::SeqCst)), (3, 3));
    // Another thread uses the connection of one that has ended.
    let url = server.url("a");
    let text = tokio::task::spawn_blocking(move || fetcher.separate().fetch(&*url).unwrap().text().unwrap());
    assert_eq!(text.await.unwrap(), "a");
    server.is_left().await;
    let commands = server.commands();
    assert!(commands.iter().all(|command| !command.starts_with("USER")), "{commands:?}");
    assert_eq!(commands.iter().filter(|command| *command == "QUIT").count(), 3);
}
