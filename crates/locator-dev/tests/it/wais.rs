//! The server of WAIS answers what a real one was asked as that one did (`testdata/captures/wais`), and
//! what it is asked besides as `servers.md` of the captures describes it: a document past its end, one
//! that is not there, a request without a type.

use locator_dev::cases::wais_capture as capture;
use locator_dev::wais::{Database, Document, Server, identifier};

/// Returns the part of a document that an answer contains: it is the last field.
fn text_of(answer: &[u8], length: usize) -> Vec<u8> {
    answer[answer.len() - length..].to_vec()
}

/// The database of the captures. Of two of its documents they contain only the beginning or the size.
fn captured() -> Database {
    let retrieved = capture("retrieve.toml");
    let answer =
        |name: &str| retrieved.iter().find(|packet| packet.name == name).expect("it is there").octets();
    let mut long = text_of(&answer("the first slice"), 10_000);
    long.extend(text_of(&answer("the second slice"), 10_000));
    while long.len() < 104_228 {
        let line = [&long[..66], b"\n"].concat();
        let missing = 67 - long.len() % 67;
        let missing = &line[67 - missing..];
        let missing = &missing[..missing.len().min(104_228 - long.len())];
        long = [&long[..], missing].concat();
    }
    let mut banana = b"A banana is not an apple.\n".to_vec();
    banana.resize(66, b'x');
    banana.push(b'\n');
    let name = "/srv/build/waisdata/fruit";
    let document = |file: &str, score, headline: &[u8], text: Vec<u8>| Document {
        identifier: identifier(
            Some("vm:7210"),
            name,
            format!("0 {} /srv/build/waisdata/src/{file}", text.len()).as_bytes(),
        ),
        headline: headline.into(),
        score,
        contents: vec![("TEXT".into(), text)],
        date: "0".into(),
        words: String::new(),
    };
    let headline = long[..66].to_vec();
    let documents = vec![
        document("banana.txt", 155, b"Bananas", banana),
        document("apple.txt", 137, b"Apples and pears", text_of(&answer("a document"), 114)),
        document("long.txt", 16, &headline, long),
    ];
    let catalog = [&b"a line of the catalog\n".repeat(20)[..], &[b'x'; 40], b"\n"].concat();
    Database { name: name.into(), documents, catalog }
}

#[test]
fn captured_requests_get_the_captured_answers() {
    let server = Server::new(vec![captured()]);
    for name in ["search.toml", "retrieve.toml"] {
        let packets = capture(name);
        assert!(packets.len() >= 6);
        for pair in packets.chunks(2) {
            let [request, answer] = pair else { panic!("{name}: a request without an answer") };
            assert_eq!((request.from.as_str(), answer.from.as_str()), ("client", "server"));
            let answered = server.answer(&request.octets()[25..]).expect("the server answers");
            let expected = answer.octets();
            assert_eq!(
                answered.escape_ascii().to_string(),
                expected.escape_ascii().to_string(),
                "{name}: {}",
                request.name
            );
        }
    }
}

/// Returns the request for the first slice of the capture, with other terms.
fn request(changes: &[(&str, &str)]) -> Vec<u8> {
    let packets = capture("retrieve.toml");
    let packet =
        packets.iter().find(|packet| packet.name == "the request for a document").expect("it is there");
    let mut apdu = packet.octets()[25..].to_vec();
    for (from, to) in changes {
        assert_eq!(from.len(), to.len());
        let start =
            apdu.windows(from.len()).position(|window| window == from.as_bytes()).expect("it is there");
        apdu[start..start + from.len()].copy_from_slice(to.as_bytes());
    }
    apdu
}

#[test]
fn what_the_captures_do_not_show() {
    let server = Server::new(vec![captured()]);
    let ends_in = |apdu: &[u8], end: &[u8]| {
        let answer = server.answer(apdu).expect("the server answers");
        assert!(answer.ends_with(end), "{}", answer.escape_ascii());
    };
    // What there is, and a diagnostic.
    ends_in(
        &request(&[("-\x03114", "-\x03115")]),
        b"document one.\n\x1C\0\x17SFRequest out of range\x01\x1D",
    );
    ends_in(&request(&[("apple.txt", "peach.txt")]), b"\x1C\0\x1BSFMissing DocID in request\x01\x1D");
    ends_in(&request(&[("wb ro", "wl ro")]), b"\x1C\0\x1BSFBad ChunkType in Request\x01\x1D");
    // The connection is closed.
    assert_eq!(server.answer(&request(&[("wt re", "xx re")])), None);
    assert_eq!(server.answer(b"\0\x02\x18\0"), None);
    // An unknown database, whose name the diagnostic repeats.
    let packets = capture("search.toml");
    let search = packets.iter().find(|packet| packet.name == "a search").expect("it is there");
    let unknown = search.octets()[25..].escape_ascii().to_string().replace("fruit", "trees");
    assert_ne!(unknown, search.octets()[25..].escape_ascii().to_string());
    let mut apdu = search.octets()[25..].to_vec();
    let at = apdu.windows(5).position(|window| window == b"fruit").expect("it is there");
    apdu[at..at + 5].copy_from_slice(b"trees");
    ends_in(&apdu, b"S1The following database is not available: /srv/build/waisdata/trees\0\x1D");
}

#[test]
fn words_find_documents() {
    let server = Server::new(vec![locator_dev::wais::fruit()]);
    let search = |words: &str| {
        let user = format!("\x6A{}{words}", char::from(words.len() as u8));
        let user = format!("\x63{}{user}", char::from(user.len() as u8));
        let counted = "\x16\0\0\x1E\0\x13\u{1}\0\0\x1E\x01\x12\x05fruit\x14\x013";
        let apdu = [&[0, counted.len() as u8], counted.as_bytes(), user.as_bytes()].concat();
        server.answer(&apdu).expect("the server answers")
    };
    let hits = |answer: &[u8]| answer.windows(2).filter(|window| *window == [0x81, 0x16]).count();
    assert_eq!(hits(&search("apple")), 9);
    assert_eq!(hits(&search("BANANA, of")), 2);
    assert_eq!(hits(&search("pears")), 1);
    assert_eq!(hits(&search("cherry")), 1);
    assert!(search("cherry").windows(20).any(|window| window == b"produced no result. "));
    assert_eq!(hits(&search("")), 2);
}
