//! Pages of newsgroups: what a server of news is asked for.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::serve::gateway::Gateway;

/// Starts a server with a group; returns its port, and what it is sent: "hello" is a connection.
fn start(has_overview: bool) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let sent = Arc::<Mutex<Vec<String>>>::default();
    let noted = sent.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, noted) = (stream.unwrap(), noted.clone());
            thread::spawn(move || serve(stream, has_overview, &noted));
        }
    });
    (port, sent)
}

fn serve(mut stream: TcpStream, has_overview: bool, noted: &Mutex<Vec<String>>) {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    noted.lock().unwrap().push("hello".into());
    let _ = stream.write_all(b"200 ready\r\n");
    for line in lines.map_while(Result::ok) {
        let reply = match &*line {
            "GROUP a.b" => "211 2 1 2 a.b",
            "OVER 1-" if has_overview => {
                "224 here\r\n1\tFirst\tJoe <joe@h>\t12 Nov 2026 08:00 GMT\t<1@h>\t\t9\t1\r\n\
                 2\tRe: First\tAnn <ann@h>\t12 Nov 2026 09:00 GMT\t<2@h>\t<1@h>\t9\t1\r\n."
            }
            "LISTGROUP" => "211 2 1 2 a.b\r\n1\r\n2\r\n.",
            "ARTICLE 2" => "220 2 <2@h>\r\nSubject: Re: First\r\n\r\nhello\r\n.",
            _ => "500 what?",
        };
        noted.lock().unwrap().push(line);
        let _ = stream.write_all(format!("{reply}\r\n").as_bytes());
    }
}

/// The articles are not asked for one by one, and one connection is enough.
#[test]
fn a_group_lists_subjects_and_authors() {
    let (gateway, (port, sent)) = (Gateway::start(&[]), start(true));
    let page = gateway.get(&gateway.path("u", &format!("news://127.0.0.1:{port}/a.b"))).text();
    for shown in ["First", "Joe", "12 Nov 2026 08:00 GMT", "Re: First", "Ann"] {
        assert!(page.contains(&format!(">{shown}</")), "{shown}: {page}");
    }
    let article = gateway.get(&gateway.path("u", &format!("nntp://127.0.0.1:{port}/a.b/2")));
    assert!(article.text().contains("hello"), "{}", article.text());
    assert_eq!(*sent.lock().unwrap(), ["hello", "GROUP a.b", "OVER 1-", "GROUP a.b", "ARTICLE 2"]);
}

#[test]
fn a_server_without_overviews_lists_numbers() {
    let (gateway, (port, sent)) = (Gateway::start(&[]), start(false));
    let page = gateway.get(&gateway.path("u", &format!("nntp://127.0.0.1:{port}/a.b")));
    assert!(page.text().contains("a.b%2F2\"><bdi>2</bdi></a>"), "{}", page.text());
    assert_eq!(*sent.lock().unwrap(), ["hello", "GROUP a.b", "OVER 1-", "XOVER 1-", "LISTGROUP"]);
    // Its octets are those of get.
    let raw = gateway.get(&gateway.path("raw", &format!("nntp://127.0.0.1:{port}/a.b")));
    assert_eq!(raw.body, b"1\r\n2\r\n");
}
