//! Prospero: access methods, links and redirects of a public server do not lead inwards.

use std::net::UdpSocket;
use std::sync::Arc;

use locator_dev::prospero::{Directory, Options, serve};

use crate::reach::network::{Names, Trap};
use crate::reach::{get, typed};

/// Starts a server at 1.2.3.4, and returns the URL of an object there.
fn start(options: Options, directory: Directory) -> String {
    let socket = UdpSocket::bind("1.2.3.4:0").unwrap();
    let url = format!("prospero://{}/a", socket.local_addr().unwrap());
    std::thread::spawn(move || serve(&socket, directory, options));
    url
}

/// Where no answer of a public server leads.
const HOSTS: [&str; 9] = [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "localhost",
    "printer",
    "rebound.example.com",
    "2130706433",
];

#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn access_methods() {
    let trap = Trap::new();
    let names = Arc::new(Names::default().with("rebound.example.com", &["10.0.0.1"]));
    let fetcher = typed().resolver(names);
    for host in HOSTS {
        for method in [
            format!("AFTP INTERNET-D {host} ASCII a BINARY"),
            format!("AFTP INTERNET-D '{host}(8080)' ASCII a BINARY"),
            "AFTP INTERNET-D '5.6.7.8(25)' ASCII a BINARY".to_owned(),
            format!("GOPHER INTERNET-D {host} ASCII a TEXT"),
            format!("WAIS INTERNET-D {host} ASCII a TEXT"),
            "LOCAL '' '' '' ''".into(),
        ] {
            let fixed = Some(format!("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE {method}\n"));
            let url = start(Options::default(), Directory { fixed, ..Directory::new("1.2.3.4") });
            let error = get(&fetcher, &url).await.expect_err(&method);
            assert_eq!(trap.sprung(), [], "{method}: {error}");
        }
    }
}

#[tokio::test]
#[ignore = "runs in a network of its own"]
async fn links_and_redirects() {
    let trap = Trap::new();
    let names = Arc::new(Names::default().with("rebound.example.com", &["10.0.0.1"]));
    let fetcher = typed().resolver(names);
    for host in HOSTS {
        for port in ["", "(8080)", "(25)"] {
            let forward = Some(format!("{host}{port}"));
            let url = start(Options::default(), Directory { forward, ..Directory::new("1.2.3.4") });
            let error = get(&fetcher, &url).await.expect_err(host);
            assert_eq!(trap.sprung(), [], "{host}: {error}");
        }
    }
    for to in ["127.0.0.1:1525", "10.0.0.1:1525", "169.254.169.254:1525", "0.0.0.0:1525"] {
        let redirect = Some(to.parse().unwrap());
        let url = start(Options { redirect, ..Options::default() }, Directory::new("1.2.3.4"));
        let error = get(&fetcher, &url).await.expect_err(to);
        assert_eq!(trap.sprung(), [], "{to}: {error}");
    }
}
