//! The entries of lists, by the cases of `testdata/fetch/entries.toml`, which are what real servers
//! sent; and that the URL of an entry leads to the octets that the server named.

use locator::edition::RFC3986;
use locator::plan::{ObjectKind, Options, plan};
use locator::scheme::{FtpUrl, GopherUrl, News, NewsUrl, NntpUrl, file};
use locator::{Edition, UriRef, uri_ref};
use locator_dev::cases;
use locator_fetch::entries::{ArticleOverview, Entry, EntryError, EntryKind, entries};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// The file of the captures that the body is from.
    #[serde(default)]
    from: String,
    kind: String,
    url: String,
    /// The edition of the URL; RFC 3986 without it.
    edition: Option<String>,
    /// The body; `\xHH` is an octet.
    body: String,
    entries: Vec<Expected>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Expected {
    url: Option<String>,
    name: String,
    kind: String,
    size: Option<u64>,
    modified: Option<String>,
    target: Option<String>,
    media_type: Option<String>,
    access: Option<String>,
    no_url: Option<String>,
    overview: Option<Overview>,
}

impl Expected {
    fn of(entry: &Entry) -> Self {
        Self {
            url: entry.url.as_ref().ok().map(ToString::to_string),
            name: escaped(&entry.name),
            kind: entry.kind.name().into(),
            size: entry.size,
            modified: entry.modified.map(locator_fetch::fmt_http_date),
            target: entry.target.as_deref().map(escaped),
            media_type: entry.media_type.clone(),
            access: entry.access.as_ref().map(ToString::to_string),
            no_url: entry.url.as_ref().err().map(ToString::to_string),
            overview: entry.overview.as_ref().map(Overview::of),
        }
    }
}

fn kind(name: &str) -> ObjectKind {
    let kinds = [
        ObjectKind::Menu,
        ObjectKind::Names,
        ObjectKind::Facts,
        ObjectKind::Groups,
        ObjectKind::Numbers,
        ObjectKind::Overview,
        ObjectKind::Links,
    ];
    kinds.into_iter().find(|kind| kind.name() == name).expect("the kind is one of a list")
}

/// What is known of an article.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Overview {
    number: u64,
    from: String,
    date: String,
    id: String,
    references: String,
    lines: Option<u64>,
}

impl Overview {
    fn of(article: &ArticleOverview) -> Self {
        Self {
            number: article.number,
            from: escaped(&article.from),
            date: escaped(&article.date),
            id: escaped(&article.message_id),
            references: escaped(&article.references),
            lines: article.lines,
        }
    }
}

/// The octets of a text in which `\xHH` is an octet.
fn octets(text: &str) -> Vec<u8> {
    let mut pieces = text.split("\\x");
    let mut octets = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        octets.push(u8::from_str_radix(&piece[..2], 16).expect("two hex digits follow"));
        octets.extend_from_slice(&piece.as_bytes()[2..]);
    }
    octets
}

/// The reverse, for names.
fn escaped(octets: &[u8]) -> String {
    let one = |chunk: std::str::Utf8Chunk<'_>| {
        let invalid = chunk.invalid().iter().map(|octet| format!("\\x{octet:02x}"));
        chunk.valid().to_owned() + &invalid.collect::<String>()
    };
    octets.utf8_chunks().map(one).collect()
}

#[test]
fn entries_of_lists() {
    for case in cases::read::<Case>("fetch/entries.toml") {
        let edition = case.edition.as_deref().map_or(&RFC3986, |name| Edition::from_name(name).unwrap());
        let (body, url) = (octets(&case.body), UriRef::parse_with(&case.url, edition).expect("a URL"));
        let found = entries(kind(&case.kind), url, &body).expect("a list");
        let found: Vec<_> = found.map(|entry| Expected::of(&entry)).collect();
        assert_eq!(found, case.entries, "{} {}", case.name, case.from);
    }
}

#[test]
fn what_is_no_list_has_no_entries() {
    for kind in [ObjectKind::Text, ObjectKind::Binary, ObjectKind::Article, ObjectKind::Unknown] {
        assert!(entries(kind, uri_ref!("ftp://h/"), b"a").is_none());
    }
}

#[test]
fn names_need_a_scheme_that_has_them() {
    let found: Vec<_> = entries(ObjectKind::Names, uri_ref!("gopher://h/"), b"a").unwrap().collect();
    assert_eq!(found[0].url, Err(EntryError::NotExpressible));
}

/// An octet that a line of a list can contain.
fn in_a_line() -> impl Strategy<Value = u8> {
    any::<u8>().prop_map(|octet| if matches!(octet, b'\r' | b'\n') { b'x' } else { octet })
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let odd = prop_oneof![Just(b'%'), Just(b';'), Just(b'#'), Just(b'?'), Just(b'.'), Just(b' '), Just(0xFF)];
    let octet = prop_oneof![in_a_line(), odd];
    let octet = octet.prop_map(|octet| if octet == b'/' { b'_' } else { octet });
    let dots = |name: &Vec<u8>| !matches!(&name[..], b"." | b"..");
    proptest::collection::vec(octet, 1..12).prop_filter("a name", dots)
}

proptest! {
    /// The URL of a name, read back, has the directories of the listing and the name.
    #[test]
    fn a_name_of_ftp_is_read_back(
        names in proptest::collection::vec(name(), 0..5),
        base in prop_oneof![
            Just("ftp://h"), Just("ftp://h/"), Just("ftps://u:p@h:2121/%2Fetc/a%2Fb"), Just("ftp://h/a//b/"),
            Just("ftp://h/a%3Bb;type=d"), Just("FTP://h/%FF/;type=i"),
        ],
        form in prop_oneof![Just(&b""[..]), Just(&b"./"[..]), Just(&b"a/b/"[..])],
        end in prop_oneof![Just(&b"\n"[..]), Just(&b"\r\n"[..])],
    ) {
        let body: Vec<u8> = names.iter().flat_map(|name| [form, &name[..], end].concat()).collect();
        let url = UriRef::parse(base).unwrap();
        let of_base = FtpUrl::of(url).unwrap();
        let mut cwds: Vec<_> = of_base.cwds().map(|cwd| cwd.decode().into_owned()).collect();
        cwds.extend(Some(of_base.name.decode().into_owned()).filter(|name| !name.is_empty()));
        let found: Vec<_> = entries(ObjectKind::Names, url, &body).unwrap().collect();
        prop_assert_eq!(found.len(), names.len());
        for (entry, name) in found.iter().zip(&names) {
            let url = entry.url.as_ref().unwrap();
            prop_assert!(url.as_str().bytes().all(|octet| octet.is_ascii_graphic()));
            let read = FtpUrl::of(UriRef::parse(url.as_str()).unwrap()).unwrap();
            prop_assert_eq!(&*read.name.decode(), &name[..]);
            prop_assert_eq!(read.cwds().map(|cwd| cwd.decode().into_owned()).collect::<Vec<_>>(), &cwds[..]);
            prop_assert!(read.code.is_none());
            prop_assert_eq!(read.login.host.as_str(), of_base.login.host.as_str());
            prop_assert_eq!(read.login.user.map(|user| user.as_str()), of_base.login.user.map(|user| user.as_str()));
            // The plan sends the name as the argument of a command, or refuses it.
            if let Ok(plan) = plan(UriRef::parse(url.as_str()).unwrap(), &Options::new()) {
                let line = [b"RETR ", &name[..], b"\r\n"].concat();
                prop_assert!(plan.to_bytes().windows(line.len()).any(|window| window == line));
            }
        }
    }

    /// The same for the names of a local directory, which may contain LF.
    #[cfg(unix)]
    #[test]
    fn a_name_of_a_file_is_read_back(
        names in proptest::collection::vec(name(), 1..5),
        base in prop_oneof![Just("file:///"), Just("file:///a%20b"), Just("file:/a/"), Just("file://localhost/a/")],
    ) {
        let without_nul = |name: &Vec<u8>| name.iter().map(|&octet| if octet == 0 { b'\n' } else { octet }).collect();
        let names: Vec<Vec<u8>> = names.iter().map(without_nul).collect();
        let body: Vec<u8> = names.iter().flat_map(|name| [&name[..], b"\0"].concat()).collect();
        let url = UriRef::parse(base).unwrap();
        let found: Vec<_> = entries(ObjectKind::Names, url, &body).unwrap().collect();
        prop_assert_eq!(found.len(), names.len());
        for (entry, name) in found.iter().zip(&names) {
            let url = entry.url.as_ref().unwrap();
            prop_assert!(url.as_str().bytes().all(|octet| octet.is_ascii_graphic()));
            let path = file::Platform::HOST.to_path(url.as_uri_ref()).unwrap();
            prop_assert!(path.ends_with(&[b"/", &name[..]].concat()));
        }
    }

    /// The URL of an item of a menu has the selector of the menu.
    #[test]
    fn a_selector_is_read_back(
        items in proptest::collection::vec(("[0-9a-hj-zA-SU-Z+]", name(), proptest::collection::vec(in_a_line(), 0..12)), 0..5),
        plus in prop_oneof![Just(""), Just("\t+"), Just("\t?")],
    ) {
        let clean = |octets: &[u8]| -> Vec<u8> {
            octets.iter().map(|&octet| if octet == b'\t' { b'~' } else { octet }).collect()
        };
        let items: Vec<_> = items.iter().filter(|(kind, ..)| !matches!(&kind[..], "3" | "8" | "h"))
            .map(|(kind, name, selector)| (kind.as_bytes()[0], clean(name), clean(selector))).collect();
        let mut body = Vec::new();
        for (kind, name, selector) in &items {
            body.extend([&[*kind], &name[..], b"\t", &selector[..], b"\th.test\t7070", plus.as_bytes(), b"\r\n"].concat());
        }
        prop_assume!(!body.starts_with(b"+INFO"));
        let found: Vec<_> = entries(ObjectKind::Menu, uri_ref!("gopher://h/"), &body).unwrap().collect();
        prop_assert_eq!(found.len(), items.len());
        for (entry, (kind, name, selector)) in found.iter().zip(&items) {
            prop_assert_eq!(&entry.name, name);
            let url = entry.url.as_ref().unwrap();
            prop_assert!(url.as_str().bytes().all(|octet| octet.is_ascii_graphic()));
            let read = GopherUrl::of(UriRef::parse(url.as_str()).unwrap()).unwrap();
            prop_assert_eq!(read.item_type(), char::from(*kind));
            prop_assert_eq!(&*read.selector.decode(), &selector[..]);
            prop_assert_eq!(read.plus.map(|plus| plus.decode().into_owned()), plus.strip_prefix('\t').map(|plus| plus.into()));
        }
    }

    /// The URL of a group or an article has the name or the number of the list, or the entry has no URL.
    #[test]
    fn groups_and_numbers_are_read_back(
        names in proptest::collection::vec(name(), 0..5),
        numbers in proptest::collection::vec(0_u64..10_000_000_000_000_000, 0..5),
        base in prop_oneof![Just("news:*"), Just("news://u@h:1119/*"), Just("snews://h/a.*"), Just("nntp://h/a.b")],
    ) {
        let clean = |name: &Vec<u8>| -> Vec<u8> {
            name.iter().map(|&octet| if matches!(octet, b' ' | b'\t') { b'-' } else { octet }).collect()
        };
        let names: Vec<_> = names.iter().map(clean).collect();
        let body: Vec<u8> = names.iter().flat_map(|name| [&name[..], b" 12 3 y\r\n"].concat()).collect();
        let url = UriRef::parse_with(base, &RFC3986).unwrap();
        for (entry, name) in entries(ObjectKind::Groups, url, &body).unwrap().zip(&names) {
            prop_assert_eq!(&entry.name, name);
            let Ok(url) = entry.url else { continue };
            let url = UriRef::parse(url.as_str()).unwrap();
            match NntpUrl::of(url) {
                Ok(url) => prop_assert_eq!(&*url.group.decode(), &name[..]),
                Err(_) => match NewsUrl::of(url).unwrap().news {
                    News::Group(group) => prop_assert_eq!(&*group.decode(), &name[..]),
                    other => prop_assert!(false, "{:?}", other),
                },
            }
        }
        let body: String = numbers.iter().map(|number| format!("{number}\r\n")).collect();
        let url = uri_ref!("news://h:1119/a.b");
        for (entry, number) in entries(ObjectKind::Numbers, url, body.as_bytes()).unwrap().zip(&numbers) {
            prop_assert_eq!(entry.kind, EntryKind::Article);
            prop_assert_eq!(entry.url.unwrap().to_string(), format!("nntp://h:1119/a.b/{number}"));
        }
    }

    /// No body makes the functions fail, and each entry has a URL that can be read, or a reason.
    #[test]
    fn any_body_is_taken(body: Vec<u8>, number in 0..5_usize) {
        use ObjectKind::{Groups, Menu, Names, Numbers, Overview};
        let kinds = [Menu, Names, Groups, Numbers, Overview];
        for url in ["ftp://h/a", "gopher://h/", "news:*", "nntp://h/a", "file:///a", "http://h/"] {
            for entry in entries(kinds[number], UriRef::parse(url).unwrap(), &body).unwrap() {
                if let Ok(url) = entry.url {
                    prop_assert!(UriRef::parse(url.as_str()).is_ok());
                }
            }
        }
    }
}
