//! What a real client and a real server sent each other: the requests of the plans equal the client's,
//! and the server's answers are read as they are meant. The server of `locator-dev` is held against the
//! same packets by its own test.

use locator::plan::ObjectKind;
use locator_dev::cases::wais_capture as capture;
use locator_fetch::entries::entries;
use locator_fetch::run::{Ending, Outcome, Whole};
use locator_fetch::wais::{InitResponse, PacketSearch, SearchResponse, find_packet};

use crate::wais::packets::{Request, diagnostic, found};
use crate::wais::talk::{Talk, Wire, failure, plan_of};

fn packet(file: &str, name: &str) -> Vec<u8> {
    capture(file).iter().find(|packet| packet.name == name).unwrap().octets()
}

/// Returns an answer to another request than the captured one, whose number was 3.
fn numbered(mut packet: Vec<u8>, number: u8) -> Vec<u8> {
    let at = packet.windows(3).position(|window| window == b"\x02\x013").unwrap();
    packet[at + 2] = b'0' + number;
    packet
}

const SEARCH: &str = "wais://127.0.0.1:7210/%2Fsrv%2Fbuild%2Fwaisdata%2Ffruit?apple";
const APPLE: &str = "wais://127.0.0.1:7210/%2Fsrv%2Fbuild%2Fwaisdata%2Ffruit/TEXT/114/1=vm%3A7210;\
    2=/srv/build/waisdata/fruit;3=0%20114%20/srv/build/waisdata/src/apple.txt;4=vm%3A7210;\
    5=/srv/build/waisdata/fruit;6=0%20114%20/srv/build/waisdata/src/apple.txt;7=%00;";
const LONG: &str = "wais://127.0.0.1:7210/%2Fsrv%2Fbuild%2Fwaisdata%2Ffruit/TEXT/104228/1=vm%3A7210;\
    2=/srv/build/waisdata/fruit;3=0%20104228%20/srv/build/waisdata/src/long.txt;4=vm%3A7210;\
    5=/srv/build/waisdata/fruit;6=0%20104228%20/srv/build/waisdata/src/long.txt;7=%00;";

/// The dialogues: a URL, and the answers.
fn dialogues() -> [(&'static str, Vec<Vec<u8>>); 3] {
    let init = packet("retrieve.toml", "InitResponse");
    let retrieved = |name, number| numbered(packet("retrieve.toml", name), number);
    let end = found(Some("2"), &diagnostic("SF", "Request out of range"));
    [
        (SEARCH, vec![init.clone(), packet("search.toml", "three hits")]),
        (APPLE, vec![init.clone(), retrieved("a document", 1), end]),
        (LONG, vec![init, retrieved("the first slice", 1), retrieved("the second slice", 2)]),
    ]
}

fn talk(wire: Wire, url: &str, answers: &[Vec<u8>]) -> Talk {
    let mut answers = answers.iter();
    wire.talk(plan_of(url), |_| answers.next().cloned().unwrap_or_default())
}

/// Returns a request as it is meant: without the names of program and user, which are optional; without
/// the number of the request, which was 3 in each; with numbers as numbers, of which ours have ten digits;
/// and without the line end that the user of the reference client typed after the words.
fn meant(packet: &[u8]) -> Request {
    let mut request = Request::of(packet);
    request.fields.retain(|(tag, _)| !(7..=10).contains(tag));
    for (tag, value) in &mut request.fields {
        match tag {
            2 => value.clear(),
            106 => *value = value.trim_ascii_end().into(),
            45 if value.iter().all(u8::is_ascii_digit) => {
                *value = value.iter().copied().skip_while(|digit| *digit == b'0').collect();
            }
            _ => {}
        }
    }
    // Fields are in any order; terms are not.
    request.fields[..].sort_by_key(|(tag, _)| if matches!(tag, 44..=46) { 0 } else { *tag });
    request
}

#[test]
fn requests_are_those_of_a_real_client() {
    let client = |file, name| meant(&packet(file, name));
    let [search, apple, long] = dialogues().map(|(url, answers)| talk(Wire::default(), url, &answers).sent);
    let catalog = talk(Wire::default(), &SEARCH.replace("apple", "1"), &dialogues()[0].1).sent;
    let init = client("search.toml", "Init");
    for sent in [&search, &apple, &long] {
        assert_eq!(meant(&sent[0]), init);
    }
    assert_eq!(meant(&search[1]), client("search.toml", "a search"));
    assert_eq!(meant(&catalog[1]), client("search.toml", "a search that finds nothing"));
    assert_eq!(meant(&apple[1]), client("retrieve.toml", "the request for a document"));
    assert_eq!(meant(&long[1]), client("retrieve.toml", "the request for the first slice"));
    // The second slice is as large as the server allows.
    let mut second = meant(&long[2]);
    let (_, end) = second.fields.iter_mut().find(|(tag, value)| *tag == 45 && value == b"104228").unwrap();
    *end = b"20000".into();
    assert_eq!(second, client("retrieve.toml", "the request for the second slice"));
    // All packets of the client were compared; both captures have the first ones.
    let count = |file| capture(file).iter().filter(|packet| packet.from == "client").count();
    assert_eq!((count("search.toml"), count("retrieve.toml")), (3, 5));
    assert_eq!(client("retrieve.toml", "Init"), init);
    assert_eq!(client("retrieve.toml", "a search"), client("search.toml", "a search"));
    // The numbers of the requests count up.
    let numbers = long[1..].iter().map(|packet| Request::of(packet).slice().unwrap());
    let expected =
        [("0000000001", 0, 10_000), ("0000000002", 10_000, 104_228), ("0000000003", 20_000, 30_000)];
    assert_eq!(
        numbers.collect::<Vec<_>>(),
        expected.map(|(number, start, end)| (number.to_owned(), start, end))
    );
    // After the length of the URL comes the question whether the document ends there.
    assert_eq!(Request::of(&apple[2]).slice(), Some(("0000000002".to_owned(), 114, 10_114)));
}

#[test]
fn answers_are_those_of_a_real_server() {
    let apdu = |file, name| {
        let packet = packet(file, name);
        let PacketSearch::Packet(range) = find_packet(&packet, 100_000) else { panic!("{name}") };
        assert_eq!(range.end, packet.len());
        packet[range].to_vec()
    };
    for file in ["search.toml", "retrieve.toml"] {
        let response = InitResponse::parse(&apdu(file, "InitResponse")).unwrap();
        assert_eq!((response.result, response.largest), (1, Some(100_000)));
        let hits = apdu(file, "three hits");
        let response = SearchResponse::parse(&hits).unwrap();
        assert_eq!((response.reference, response.text, response.diagnostics), (None, None, vec![]));
        let facts = response.hits.iter().map(|hit| (hit.headline.len(), hit.score, hit.size, hit.lines));
        let expected = [
            (7, Some(155), Some(67), Some(2)),
            (16, Some(137), Some(114), Some(3)),
            (66, Some(16), Some(104_228), Some(1556)),
        ];
        assert_eq!(facts.collect::<Vec<_>>(), expected);
        for hit in &response.hits {
            assert_eq!((&hit.types[..], hit.date), (&[&b"TEXT"[..]][..], &b"0"[..]));
            assert_eq!(hit.source, b"/srv/build/waisdata/fruit");
            assert!(hit.identifier.starts_with(b"\x01\x07vm:7210\x02\x19/srv/build/waisdata/fruit\x03"));
        }
    }
    let catalog = apdu("search.toml", "the catalog");
    let response = SearchResponse::parse(&catalog).unwrap();
    let [hit] = &response.hits[..] else { panic!("{response:?}") };
    assert_eq!(hit.headline, b"Search produced no result. Here's the Catalog for database: fruit");
    assert_eq!((hit.score, hit.size, hit.lines, hit.date), (Some(0), Some(481), Some(21), &b""[..]));
    for (name, size) in [("a document", 114), ("the first slice", 10_000), ("the second slice", 10_000)] {
        let slice = apdu("retrieve.toml", name);
        let response = SearchResponse::parse(&slice).unwrap();
        assert_eq!(response.reference, Some(&b"3"[..]));
        assert_eq!(response.text.unwrap().octets.len(), size);
        assert!(response.hits.is_empty() && response.diagnostics.is_empty());
    }
}

#[test]
fn dialogues_in_pieces_and_cut_everywhere() {
    for (url, answers) in dialogues() {
        let whole = talk(Wire::default(), url, &answers);
        assert_eq!(talk(Wire { piece: 1, ..Wire::default() }, url, &answers), whole, "{url}");
        match url {
            LONG => assert_eq!((failure(&whole).0, whole.body.len()), ("cut-off", 20_000)),
            APPLE => assert_eq!(whole.outcome, Outcome::Got { whole: Whole::Framed, octets: 114 }),
            _ => assert_eq!(whole.outcome, Outcome::Got { whole: Whole::Framed, octets: 772 }),
        }
        let length: usize = answers.iter().map(Vec::len).sum();
        for most in 0..length {
            for ending in [Ending::Fin, Ending::Reset] {
                let cut = talk(Wire { most, ending, ..Wire::default() }, url, &answers);
                assert!(whole.body.starts_with(&cut.body), "{url} {most}");
                match &cut.outcome {
                    // All octets that the URL announces are there, and nothing more is known.
                    Outcome::Got { whole: Whole::Unverified, octets: 114 } => {
                        assert!(url == APPLE && ending == Ending::Fin && most == length - answers[2].len());
                    }
                    Outcome::Failed(failure) => {
                        assert_eq!(
                            failure.kind.name(),
                            if ending == Ending::Fin { "cut-off" } else { "reset" }
                        );
                    }
                    outcome => panic!("{url} {most}: {outcome:?}"),
                }
            }
        }
    }
}

#[test]
fn hits_lead_to_their_documents() {
    let (url, answers) = &dialogues()[0];
    let body = talk(Wire::default(), url, answers).body;
    let url = locator::UriRef::parse(url).unwrap();
    let entries: Vec<_> = entries(ObjectKind::Hits, url, &body).unwrap().collect();
    let urls = entries.iter().map(|entry| entry.url.as_ref().unwrap().as_str());
    let begin = "wais://127.0.0.1:7210/%2Fsrv%2Fbuild%2Fwaisdata%2Ffruit/TEXT/%01%07vm%3A7210%02%19\
        %2Fsrv%2Fbuild%2Fwaisdata%2Ffruit%03";
    assert!(urls.clone().all(|url| url.starts_with(begin)), "{:?}", urls.collect::<Vec<_>>());
    // The requests for the document of a hit are those for the fields of its identifier.
    let of_hit = talk(Wire::default(), entries[1].url.as_ref().unwrap().as_str(), &dialogues()[1].1);
    let of_fields = talk(Wire::default(), APPLE, &dialogues()[1].1);
    assert_eq!(of_hit.body, of_fields.body);
    let identifier = |talk: &Talk| meant(&talk.sent[1]).fields.iter().find(|field| field.0 == 45).cloned();
    assert_eq!(identifier(&of_hit), identifier(&of_fields));
    let hit = entries[2].hit.as_ref().unwrap();
    assert_eq!((hit.score, hit.lines, entries[2].size), (Some(16), Some(1556), Some(104_228)));
    assert_eq!((&hit.types[..], &hit.date), (&["TEXT".to_owned()][..], &None));
}
