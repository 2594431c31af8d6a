//! The Prospero server against the captures of a real one: it sends the same packets for the same
//! requests. Only the time when it began is another one.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod pcap;

use std::net::UdpSocket;
use std::time::Duration;

use locator_dev::prospero::{Contents, Directory, Kind, Node, Options, serve};

use crate::prospero::pcap::Datagram;

const SERVER: u16 = 1525;

/// What the server of the captures offered. Its long directory is given in the order of its names.
fn directory(long: Vec<Node>) -> Directory {
    let size = |name, size| {
        let kind = Kind::File(size, Contents::Octets(Vec::new()));
        Node { kind, ..Node::file(name, b"").modified("20261121094706Z") }
    };
    let sub = Node::directory("sub", long);
    let aftp = vec![size("readme.txt", 9), sub, size("it's quoted", 1), size("with space.txt", 1)];
    let tree = vec![
        Node::directory("dir", Vec::new()),
        size("big.txt", 1),
        Node::file("hello.txt", b"hello from tree\n"),
        size("bin.dat", 1),
    ];
    Directory {
        root: "/srv/build/pfs/tree".into(),
        started: "21-Nov-126 10:06:36 UTC".into(),
        tree: vec![Node::directory("pub", tree)],
        aftp: vec![Node::directory("pub", aftp)],
        ..Directory::new("LOCALHOST")
    }
}

/// Sends what the clients of a capture sent, and compares the answers packet by packet.
fn replay(capture: &[Datagram], directory: Directory) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    std::thread::spawn(move || serve(&socket, directory, Options::default()));
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    client.connect(address).unwrap();
    let mut buffer = vec![0; 65_536];
    for (number, datagram) in capture.iter().enumerate() {
        if datagram.to == SERVER {
            client.send(&datagram.octets).unwrap();
        } else {
            let length = client.recv(&mut buffer).unwrap();
            let (found, expected) = (shown(&buffer[..length]), shown(&datagram.octets));
            assert_eq!(found, expected, "packet {}", number + 1);
        }
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    request: String,
    answer: String,
}

/// The directory of the server itself, which has a stored link and whose listing has no attributes.
#[test]
fn every_answer_about_directories() {
    let link = "LINK  L FILE ftplink INTERNET-D 127.0.0.1 ASCII AFTP'/pub/x' 0\n";
    let hello = Node::file("hello.txt", b"hello\n").modified("20261123083724Z");
    let published = Node::directory("pub", vec![hello]).modified("20261123083724Z");
    let directory = Directory {
        root: "/srv/tree".into(),
        tree: vec![published],
        links: vec![("pub".into(), link.into())],
        ..Directory::new("LOCALHOST")
    };
    let cases = locator_dev::cases::read::<Case>("captures/prospero/directories.toml");
    assert_eq!(cases.len(), 7);
    for case in cases {
        let answer = directory.answer(case.request.as_bytes(), 1);
        assert_eq!(String::from_utf8_lossy(&answer), case.answer, "{}", case.name);
    }
}

/// Returns the header and the text of a packet.
fn shown(packet: &[u8]) -> (Vec<u8>, String) {
    let (header, data) = packet.split_at(usize::from(packet[0]));
    (header.into(), String::from_utf8_lossy(data).into_owned())
}

#[test]
fn every_packet_of_the_basic_capture() {
    let capture = pcap::read("basic.pcap");
    assert_eq!(capture.len(), 28);
    replay(&capture, directory(Vec::new()));
}

#[test]
fn every_packet_of_the_long_answers() {
    let capture = pcap::read("multipacket.pcap");
    assert_eq!(capture.len(), 144);
    let packets = capture[..72].iter().filter(|packet| packet.from == SERVER);
    let text: Vec<u8> =
        packets.flat_map(|packet| packet.octets[usize::from(packet.octets[0])..].to_vec()).collect();
    let text = String::from_utf8(text).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("LINK  L FILE ")?.split(' ').next());
    let nodes = names.map(|name| Node::file(name, b"x").modified("20261121094948Z")).collect();
    replay(&capture, directory(nodes));
}
