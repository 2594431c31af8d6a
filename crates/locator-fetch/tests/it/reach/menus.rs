//! Menus of Gopher: a menu that is printed contacts nothing, an entry that is followed is judged by the
//! server of the menu.

use std::sync::Arc;

use locator::UriRef;
use locator_fetch::entries::entries;

use crate::reach::network::{INSIDE, Names, Trap, serve};
use crate::reach::{get, refused, typed};

/// A menu that names every address inside, by Gopher, by a link and by name.
fn menu(_: &str) -> Vec<u8> {
    let mut menu = String::new();
    for address in INSIDE {
        let host = if address.contains(':') { format!("[{address}]") } else { address.into() };
        menu += &format!("0a file\t/a\t{address}\t70\r\nhA link\tURL:http://{host}/\t1.2.3.4\t70\r\n");
    }
    for host in ["localhost", "app.localhost", "printer", "0x7f.1", "2130706433", "rebound.example.com"] {
        menu += &format!("0a file\t/a\t{host}\t70\r\nhA link\tURL:http://{host}:8080/\t1.2.3.4\t70\r\n");
    }
    menu += "0mail\t/a\t5.6.7.8\t25\r\nhA file\tURL:file:///etc/passwd\t1.2.3.4\t70\r\n8telnet\t\t127.0.0.1\t23\r\n";
    (menu + ".\r\n").into()
}

#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn entries_that_are_followed() {
    let trap = Trap::new();
    serve("1.2.3.4:70", menu).await;
    let names = Names::default().with("gopher.example.com", &["1.2.3.4"]);
    let names = Arc::new(names.with("rebound.example.com", &["10.0.0.1"]));
    let fetcher = typed().resolver(names.clone());
    let url = "gopher://gopher.example.com/1/";
    let (fetched, octets) = get(&fetcher, url).await.unwrap();
    let listed = entries(fetched.kind(), UriRef::parse(url).unwrap(), &octets).unwrap();
    let listed: Vec<_> = listed.filter_map(|entry| entry.url.ok()).collect();
    assert!(listed.len() > 2 * INSIDE.len(), "{listed:?}");
    // A list that is printed is no hop.
    assert_eq!(trap.sprung(), []);
    assert_eq!(names.asked(), ["gopher.example.com"]);
    for entry in &listed {
        let reason = refused(fetcher.follow(&fetched, entry.as_uri_ref()).await);
        assert!(reason.is_some_and(|reason| !reason.contains("Connected")), "{entry}");
    }
    assert_eq!(trap.sprung(), []);
}

/// The address that a name has when it is followed counts, not the one that it had before.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn rebinding() {
    let trap = Trap::new();
    serve("1.2.3.4:70", |_| b"0again\t/a\trebinding.example.com\t70\r\n.\r\n".into()).await;
    for second in INSIDE {
        let names = Names::default().with("rebinding.example.com", &["1.2.3.4"]);
        let names = Arc::new(names.with("rebinding.example.com", &[second]));
        let fetcher = typed().resolver(names.clone());
        let (fetched, _) = get(&fetcher, "gopher://rebinding.example.com/1/").await.unwrap();
        // One look-up for a connection.
        assert_eq!(names.asked(), ["rebinding.example.com"]);
        let next = UriRef::parse("gopher://rebinding.example.com/0/a").unwrap();
        let reason = refused(fetcher.follow(&fetched, next).await);
        assert_eq!(reason.as_deref(), Some("Narrower"), "{second}");
        assert_eq!(names.asked(), ["rebinding.example.com"]);
    }
    assert_eq!(trap.sprung(), []);
}

/// From a private server to private ones and outwards, but not to this machine.
#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn from_inside() {
    let trap = Trap::at(&["127.0.0.1", "::1", "169.254.169.254"]);
    for address in ["10.0.0.1:70", "192.168.0.1:70", "100.64.0.1:70", "1.2.3.4:70"] {
        serve(address, |_| b"ihere\t\t\t\r\n.\r\n".into()).await;
    }
    let fetcher = typed();
    let (fetched, _) = get(&fetcher, "gopher://10.0.0.1/1/").await.unwrap();
    for (host, expected) in [
        ("192.168.0.1", None),
        ("100.64.0.1", None),
        ("1.2.3.4", None),
        ("127.0.0.1", Some("Narrower")),
        ("localhost", Some("Narrower")),
        ("[::1]", Some("Narrower")),
        ("169.254.169.254", Some("Narrower")),
        ("0.0.0.0", Some("Narrower")),
    ] {
        let url = format!("gopher://{host}/0/a");
        let reason = refused(fetcher.follow(&fetched, UriRef::parse(&url).unwrap()).await);
        assert_eq!(reason.as_deref(), expected, "{host}");
    }
    // The way back inside is closed.
    let (outside, _) = get(&fetcher, "gopher://1.2.3.4/1/").await.unwrap();
    let back = UriRef::parse("gopher://10.0.0.1/0/a").unwrap();
    assert_eq!(refused(fetcher.follow(&outside, back).await).as_deref(), Some("Narrower"));
    assert_eq!(trap.sprung(), []);
}
