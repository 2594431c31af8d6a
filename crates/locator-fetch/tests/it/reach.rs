//! Where answers may lead, on a network whose addresses are really public and private: no answer of a
//! public server makes a client connect to an address inside.
//!
//! The tests run in a network namespace; the test that is not ignored makes it (Linux, `unshare` and
//! Python), and fails if it cannot. `LOCATOR_NO_NAMESPACE=1` goes without them and says what is not shown.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test that panics has failed")]

mod access;
mod menus;
mod network;
#[cfg(feature = "http")]
mod redirects;
mod servers;

use std::sync::Arc;
use std::time::Duration;

use locator::UriRef;
use locator_audit::{Policy, RefusalReason};
use locator_fetch::run::FailureKind;
use locator_fetch::{FetchError, Fetcher, Response};
use network::{INSIDE, Names, Trap, hosts_inside};

#[test]
fn in_a_network_of_its_own() {
    if std::env::var("LOCATOR_NO_NAMESPACE").is_ok_and(|value| value == "1") {
        println!("reach: LOCATOR_NO_NAMESPACE is 1; not shown: where answers of public servers may lead");
        return;
    }
    if let Err(why) = network::run_inside() {
        panic!(
            "the tests in a network namespace failed: {why}. They need Linux, `unshare` (util-linux), \
             Python, and root or a kernel that lets users make namespaces; LOCATOR_NO_NAMESPACE=1 goes \
             without them"
        );
    }
}

/// A fetcher for typed URLs. What it is not to contact does not answer, and is not waited for.
fn typed() -> Fetcher {
    Fetcher::for_user_input().read_timeout(Duration::from_secs(5))
}

/// A fetcher for URLs of strangers.
fn strangers() -> Fetcher {
    Fetcher::for_untrusted_urls().read_timeout(Duration::from_secs(5))
}

/// What a fetcher fetches.
async fn get(fetcher: &Fetcher, url: &str) -> Result<(Response, Vec<u8>), FetchError> {
    read(fetcher.fetch(UriRef::parse(url).unwrap()).await?).await
}

async fn read(mut fetched: Response) -> Result<(Response, Vec<u8>), FetchError> {
    let mut octets = Vec::new();
    while let Some(piece) = fetched.chunk().await? {
        octets.extend_from_slice(&piece);
    }
    Ok((fetched, octets))
}

/// Returns why a policy refused a fetch: the name of the reason.
fn refused<T>(result: Result<T, FetchError>) -> Option<String> {
    match result.err()?.failure()?.kind.clone() {
        FailureKind::Forbidden(why) => {
            let reason = format!("{:?}", why.refusal()?.reason());
            reason.split([' ', '(']).next().map(str::to_owned)
        }
        kind => Some(format!("{kind:?}")),
    }
}

/// The trap counts every connection, so that a test that finds none means something.
#[test]
#[ignore = "runs in a network of its own"]
fn the_trap_works() {
    assert!(network::is_inside());
    let trap = Trap::new();
    assert_eq!(trap.sprung(), []);
    for address in INSIDE {
        let address = std::net::SocketAddr::new(address.parse().unwrap(), 80);
        drop(std::net::TcpStream::connect(address).unwrap());
        assert_eq!(trap.sprung(), [address]);
    }
    for (other, own) in [("0.0.0.0:80", "127.0.0.1:80"), ("[::ffff:10.0.0.1]:70", "10.0.0.1:70")] {
        drop(std::net::TcpStream::connect(other).unwrap());
        assert_eq!(trap.sprung(), [own.parse().unwrap()]);
    }
    std::net::UdpSocket::bind("0.0.0.0:0").unwrap().send_to(b"x", "10.0.0.1:1525").unwrap();
    assert_eq!(trap.sprung(), ["10.0.0.1:1525".parse().unwrap()]);
}

/// A stranger's URL, by a fetcher without settings, and by one for the public network.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn urls_of_strangers() {
    let trap = Trap::new();
    let names = Arc::new(INSIDE.iter().enumerate().fold(Names::default(), |names, (i, address)| {
        names.with(
            [
                "a.example.com",
                "b.example.com",
                "c.example.com",
                "d.example.com",
                "e.example.com",
                "f.example.com",
                "g.example.com",
                "h.example.com",
                "i.example.com",
                "j.example.com",
                "k.example.com",
                "l.example.com",
            ][i],
            &["1.2.3.4", address],
        )
    }));
    let fetchers = [
        strangers().resolver(names.clone()),
        Fetcher::with_policy(Policy::public_network()).resolver(names.clone()),
    ];
    let looked_up = ('a'..='l').map(|letter| format!("{letter}.example.com"));
    let others = [
        "127.0.1",
        "[::ffff:a00:1]",
        "ip6-localhost",
        "printer.local",
        "10.0.0.1.nip.io",
        "127.0.0.1%2F@10.0.0.1",
        "224.0.0.1",
        "255.255.255.255",
    ];
    let hosts = hosts_inside().chain(looked_up).chain(others.map(str::to_owned));
    for host in hosts {
        for scheme in ["gopher", "ftp"] {
            for fetcher in &fetchers {
                let url = format!("{scheme}://{host}/");
                let Ok(url) = UriRef::parse(&url) else { continue };
                let error = fetcher.fetch(url).await.expect_err("it is inside");
                let is_refused = matches!(
                    &error.failure().unwrap().kind,
                    FailureKind::Forbidden(_) | FailureKind::NoPlan(_)
                );
                assert!(is_refused, "{error}");
            }
        }
    }
    assert_eq!(trap.sprung(), []);
    // The names of this machine are not looked up, and neither is what the text alone forbids.
    let asked = names.asked();
    assert!(asked.iter().all(|name| name.len() == "a.example.com".len()), "{asked:?}");
}

/// What a person types may be any address.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn typed_urls() {
    let names = Arc::new(Names::default().with("intranet.example.com", &["10.0.0.1"]));
    let fetcher = typed().resolver(names.clone());
    for address in INSIDE {
        let host = if address.contains(':') { format!("[{address}]") } else { address.into() };
        network::serve(&format!("{host}:70"), |_| b"inside\r\n".into()).await;
        assert_eq!(get(&fetcher, &format!("gopher://{host}/9/")).await.unwrap().1, b"inside\r\n");
    }
    for host in ["localhost", "a.localhost", "0.0.0.0", "[::]", "[::ffff:10.0.0.1]", "intranet.example.com"] {
        assert_eq!(get(&fetcher, &format!("gopher://{host}/9/")).await.unwrap().1, b"inside\r\n", "{host}");
    }
    assert_eq!(names.asked(), ["intranet.example.com"]);
    // Numbers that programs read differently are refused.
    for host in ["2130706433", "0x7f.1", "0177.0.0.1", "127.1"] {
        let reason = refused(get(&fetcher, &format!("gopher://{host}/9/")).await);
        assert_eq!(reason.as_deref(), Some("HostForm"), "{host}");
    }
    assert_eq!(refused(get(&fetcher, "gopher://example.onion/").await).as_deref(), Some("Onion"));
    assert_eq!(format!("{:?}", RefusalReason::Onion), "Onion");
}
