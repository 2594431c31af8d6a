//! The server of `locator-dev`, in memory: each document that a search finds is fetched by its URL,
//! whatever its identifier, its size and the server's limit are.

use locator::UriRef;
use locator::edition::{ALL, RFC1738, URL_1993, URL_1994};
use locator::plan::{ObjectKind, Options, plan};
use locator::scheme::{WaisObject, WaisUrl};
use locator_dev::wais::{Database, Document, Server, fruit, identifier};
use locator_fetch::entries::{Entry, entries};
use locator_fetch::run::{Outcome, Whole};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::wais::talk::{Talk, Wire, failure, plan_of};

fn get(server: &Server, url: &str) -> Talk {
    Wire::default().talk(plan_of(url), |request| server.answer(&request[25..]).unwrap_or_default())
}

fn hits(server: &Server, url: &str) -> Vec<Entry> {
    let talk = get(server, url);
    assert!(matches!(talk.outcome, Outcome::Got { whole: Whole::Framed, .. }), "{talk:?}");
    entries(ObjectKind::Hits, UriRef::parse(url).unwrap(), &talk.body).unwrap().collect()
}

#[test]
fn every_document_of_fruit() {
    let server = Server::new(vec![fruit()]);
    let found = hits(&server, "wais://h/fruit?apple");
    let mut documents = fruit().documents;
    documents.sort_by_key(|document| std::cmp::Reverse(document.score));
    assert_eq!(found.len(), documents.len());
    for (entry, document) in found.iter().zip(&documents) {
        assert_eq!(entry.name, document.headline);
        let got = get(&server, entry.url.as_ref().unwrap().as_str());
        assert!(got.body == document.contents[0].1, "{entry:?}");
        assert_eq!(entry.size, Some(got.body.len() as u64));
        let hit = entry.hit.as_ref().unwrap();
        assert_eq!((hit.score, hit.types.len()), (Some(document.score), document.contents.len()));
        for (url, (_, content)) in hit.other_urls.iter().zip(&document.contents[1..]) {
            let got = get(&server, url.as_ref().unwrap().as_str());
            assert!(got.body == *content, "{url:?}");
        }
    }
    let picture =
        found.iter().find_map(|entry| entry.hit.as_ref().filter(|hit| hit.types.len() == 2)).unwrap();
    assert_eq!((&picture.types[1], picture.date.as_deref()), (&"GIF".to_owned(), Some("950131")));
}

#[test]
fn a_database_is_what_describes_it() {
    let server = Server::new(vec![fruit()]);
    let found = hits(&server, "wais://h/fruit");
    let names: Vec<_> = found.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
    assert_eq!(names, ["Information on database: fruit", "Catalog for database: fruit"]);
    let urls: Vec<_> = found.iter().map(|entry| entry.url.as_ref().unwrap().as_str()).collect();
    assert!(urls[0].starts_with("wais://h/fruit/WSRC/") && urls[1].starts_with("wais://h/fruit/TEXT/"));
    assert!(get(&server, urls[0]).body.starts_with(b"(:source"));
    assert!(get(&server, urls[1]).body == fruit().catalog);
    let found = hits(&server, "wais://h/fruit?cherry");
    assert_eq!(found[0].name, b"Search produced no result. Here's the Catalog for database: fruit");
    let (kind, message) = failure(&get(&server, "wais://h/trees?apple"));
    assert_eq!(kind, "refused");
    assert!(message.contains("S1 The following database is not available: trees"), "{message}");
    assert_eq!(failure(&get(&server, "wais://h/fruit/TEXT/3=a;7=%00;")).0, "missing");
    // The server fails at an identifier with its third field alone.
    assert_eq!(failure(&get(&server, "wais://h/fruit/TEXT/3=a;")).0, "cut-off");
}

/// The database of one document.
fn database(identifier: Vec<u8>, wtype: &str, content: Vec<u8>) -> Server {
    let contents = vec![(wtype.to_owned(), content)];
    let document = Document { identifier, contents, words: "apple".into(), ..Document::default() };
    Server::new(vec![Database { name: "db".into(), documents: vec![document], catalog: Vec::new() }])
}

/// An identifier: any octets, or fields with any values.
fn any_identifier() -> impl Strategy<Value = Vec<u8>> {
    let odd = prop_oneof![any::<u8>(), Just(0), Just(b';'), Just(b'='), Just(b'/'), Just(b'%'), Just(0x80)];
    let name = vec(odd, 1..40);
    prop_oneof![
        name.clone().prop_map(|name| identifier(Some("h:210"), "db", &name)),
        name.clone().prop_map(|name| identifier(None, "db", &name)),
        // The server takes only identifiers that are not the third field alone.
        name.prop_filter("not the third field alone", |name| name[0] & 0x7F != 3 && name[0] != 0x80),
    ]
}

proptest! {
    /// The URL of a hit has the identifier octet by octet, and leads to the document.
    #[test]
    fn documents(
        identifier in any_identifier(),
        wtype in "[A-Z]{1,6}|[a-z,/;% ]{1,4}",
        length in prop_oneof![0_usize..50, 900_usize..1_100, 9_990_usize..10_010, 0_usize..150_000],
        largest in prop_oneof![Just(100_000_u64), 1_800_u64..12_000],
    ) {
        let content: Vec<u8> = (0..length).map(|i| (i / 3 % 256) as u8).collect();
        let mut server = database(identifier.clone(), &wtype, content.clone());
        server.largest = largest;
        let found = hits(&server, "wais://h/db?apple");
        prop_assert_eq!(found.len(), 1);
        let url = found[0].url.as_ref().unwrap();
        prop_assert!(url.as_str().bytes().all(|octet| octet.is_ascii_graphic()));
        let talk = get(&server, url.as_str());
        prop_assert_eq!(&talk.outcome, &Outcome::Got { whole: Whole::Framed, octets: length as u64 });
        prop_assert!(talk.body == content);
        // RFC 1738 reads the same in it.
        let by_1738 = UriRef::parse_with(url.as_str(), &RFC1738).unwrap();
        let read = WaisUrl::of(by_1738).unwrap();
        let WaisObject::Document(document) = read.object else { panic!("{url}") };
        prop_assert_eq!(document.identifier().unwrap(), identifier);
        prop_assert_eq!(&*document.wtype.decode(), wtype.as_bytes());
    }
}

#[test]
fn each_edition_reads_its_own_urls() {
    let server = database(identifier(Some("h:210"), "db", b"a;b=c d"), "TEXT", b"x".repeat(50));
    for edition in ALL {
        let url = UriRef::parse_with("wais://h/db?apple", edition).unwrap();
        let talk = Wire::default()
            .talk(plan(url, &Options::new()).unwrap(), |request| server.answer(&request[25..]).unwrap());
        let entry = entries(ObjectKind::Hits, url, &talk.body).unwrap().next().unwrap();
        let url = entry.url.unwrap();
        let is_in_fields = url.as_str().contains(";3=a%3Bb%3Dc%20d;");
        assert_eq!(is_in_fields, *edition == URL_1994, "{}: {url}", edition.name);
        assert_eq!(url.as_str().contains("/50/"), *edition == URL_1993, "{}: {url}", edition.name);
        let plan = plan(url.as_uri_ref(), &Options::new()).unwrap();
        let talk = Wire::default().talk(plan, |request| server.answer(&request[25..]).unwrap());
        assert_eq!(talk.body.len(), 50, "{}: {url}", edition.name);
    }
}
