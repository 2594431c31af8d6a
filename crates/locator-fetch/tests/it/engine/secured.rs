//! TLS: the engine against servers in this process with certificates of their own authority.

use std::sync::Arc;

use locator::plan::{Options, Tls};
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{Fetcher, Trust};
use tokio_rustls::rustls::ServerConfig;

use crate::certificates::Authority;
use crate::engine::get_with as get;
use crate::engine::scripted::Action::{self, *};
use crate::engine::scripted::serve_with;

/// Replies to commands.
fn replies(lines: &[&'static [u8]]) -> Vec<Action> {
    lines.iter().flat_map(|line| [Line, Send(line)]).collect()
}

/// A transfer whose data connection is secured and ended in this way.
fn transfer(end: Action) -> Vec<Action> {
    let lines: [&[u8]; 4] = [b"230 in\r\n", b"200 size\r\n", b"200 private\r\n", b"200 binary\r\n"];
    let mut actions = replies(&lines);
    actions.extend([Line, Epsv, Line, Send(b"150 here\r\n"), SecureData, SendData(b"secret")]);
    actions.extend([end, Send(b"226 sent\r\n"), Hang]);
    actions
}

fn implicit(end: Action) -> Vec<Action> {
    [vec![Secure, Send(b"220 ready\r\n")], transfer(end)].concat()
}

fn explicit(end: Action) -> Vec<Action> {
    [vec![Send(b"220 ready\r\n"), Line, Send(b"234 go on\r\n"), Secure], transfer(end)].concat()
}

#[tokio::test]
async fn ftp() {
    let authority = Authority::new();
    let trusting = Fetcher::for_user_input().trust(authority.trust());
    let secured = trusting.clone().options(Options::new().ftp_tls(Tls::Required));
    for (host, end, whole) in [
        ("127.0.0.1", CloseData, Whole::Confirmed),
        ("localhost", CloseData, Whole::Confirmed),
        // Anybody can end a connection without close_notify, whatever the server replies.
        ("localhost", CutData, Whole::Unverified),
    ] {
        let port = serve_with(authority.server(host), implicit(end.clone())).await;
        let got = get(trusting.clone(), &format!("ftps://{host}:{port}/a")).await.unwrap();
        assert_eq!(got, (b"secret".to_vec(), whole));
        let port = serve_with(authority.server(host), explicit(end)).await;
        let got = get(secured.clone(), &format!("ftp://{host}:{port}/a")).await.unwrap();
        assert_eq!(got, (b"secret".to_vec(), whole));
    }
}

#[tokio::test]
async fn news() {
    let authority = Authority::new();
    let fetcher = || Fetcher::for_user_input().trust(authority.trust());
    let article = |end: &[Action]| {
        [&[Secure, Send(b"200 ready\r\n"), Line, Send(b"220 1 <a@b>\r\nA: b\r\n\r\n..x\r\n")], end].concat()
    };
    let port = serve_with(authority.server("localhost"), article(&[Send(b".\r\n"), Hang])).await;
    let got = get(fetcher(), &format!("snews://localhost:{port}/a@b")).await.unwrap();
    assert_eq!(got, (b"A: b\r\n\r\n.x\r\n".to_vec(), Whole::Framed));
    for end in [Close, Cut] {
        let port = serve_with(authority.server("localhost"), article(&[end])).await;
        let error = get(fetcher(), &format!("snews://localhost:{port}/a@b")).await.unwrap_err();
        assert!(matches!(&error.failure().unwrap().kind, FailureKind::CutOff), "{error}");
    }
}

/// Returns why a fetch from a server with TLS from the first octet fails.
async fn refused(settings: Arc<ServerConfig>, trust: Trust) -> String {
    let port = serve_with(settings, implicit(CloseData)).await;
    let error =
        get(Fetcher::for_user_input().trust(trust), &format!("ftps://localhost:{port}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NotSecured(_)), "{error}");
    format!("{error:#}")
}

#[tokio::test]
async fn certificates_of_others() {
    let (authority, other) = (Authority::new(), Authority::new());
    let why = refused(authority.server("other.example"), authority.trust()).await;
    assert!(why.contains("the certificate is for other.example, not for this host"), "{why}");
    let why = refused(authority.expired("localhost"), authority.trust()).await;
    assert!(why.contains("expired"), "{why}");
    let why = refused(authority.server("localhost"), other.trust()).await;
    assert!(why.contains("invalid peer certificate"), "{why}");
    // `Trust::Anything` accepts these.
    for settings in [authority.server("other.example"), authority.expired("localhost")] {
        let port = serve_with(settings, implicit(CloseData)).await;
        let fetcher = Fetcher::for_user_input().trust(Trust::Anything);
        assert_eq!(get(fetcher, &format!("ftps://localhost:{port}/a")).await.unwrap().0, b"secret");
    }
}

#[tokio::test]
async fn servers_without_tls() {
    let authority = Authority::new();
    let fetcher = Fetcher::for_user_input().trust(authority.trust());
    // A greeting where TLS should begin.
    let port = serve_with(authority.server("localhost"), vec![Send(b"220 ready\r\n"), Hang]).await;
    let error = get(fetcher.clone(), &format!("ftps://localhost:{port}/a")).await.unwrap_err();
    assert!(matches!(&error.failure().unwrap().kind, FailureKind::NotSecured(_)), "{error}");
    // Nothing is sent to a server that cannot secure the connection.
    let script = vec![Send(b"220 ready\r\n"), Line, Send(b"502 no\r\n"), Hang];
    let port = serve_with(authority.server("localhost"), script).await;
    let fetcher = fetcher.options(Options::new().ftp_tls(Tls::Required));
    let error = get(fetcher, &format!("ftp://localhost:{port}/a")).await.unwrap_err();
    assert!(error.failure().unwrap().kind.is_said(), "{error}");
}
