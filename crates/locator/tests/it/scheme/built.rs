//! Laws of what builds a URL: its view gives back the parts that it was built of, whatever octets
//! they are, and so do the menus and attribute blocks of Gopher.

use locator::edition::{ALL, RFC1738, RFC3986, URL_1993};
use locator::scheme::attributes::{self, Attributes, Block};
use locator::scheme::file::{FileParts, FileUrl};
use locator::scheme::{
    AfsParts, AfsUrl, DataUrl, FtpUrl, GopherUrl, HttpParts, LoginParts, News, NewsParts, NewsUrl,
    ProsperoParts, ProsperoUrl, SessionParts, SessionUrl, UrnName, UrnParts, WaisObject, WaisParts, WaisUrl,
    Z3950Parts, Z3950Url, menu,
};
use locator::{BuildError, Component, Edition, SpannedStr, UriBuf, UriRef};
use proptest::prelude::*;

fn octets() -> impl Strategy<Value = Vec<u8>> {
    let special = prop::sample::select(&b"/;?:@&=+%#~|<>\"' \r\n\t\0"[..]);
    prop::collection::vec(prop_oneof![special, any::<u8>(), b'a'..=b'f'], 1..8)
}

/// The fields of a line, between tabs.
fn words() -> impl Strategy<Value = Vec<u8>> {
    octets().prop_map(|octets| octets.into_iter().filter(|octet| !b"\t\r\n".contains(octet)).collect())
}

fn edition() -> impl Strategy<Value = &'static Edition> {
    prop::sample::select(ALL.to_vec())
}

fn given(excerpt: SpannedStr<'_>) -> Vec<u8> {
    excerpt.decode().into_owned()
}

fn has_step(octets: &[u8]) -> bool {
    octets.split(|&octet| octet == b'/').any(|name| matches!(name, b"." | b".."))
}

fn login() -> LoginParts<'static> {
    LoginParts::new("h.dom").port(4242)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn sessions(scheme in prop::sample::select(&["telnet", "rlogin", "tn3270"][..]), user in octets(), password in octets()) {
        for edition in [&RFC1738, &RFC3986] {
            let login = LoginParts::new("h.dom").port(4242).user(&user[..]).password(&password[..]);
            let built = SessionParts::new(scheme, login).build_with(edition)?;
            let login = SessionUrl::of(built.as_uri_ref()).expect("it was built").login;
            prop_assert_eq!(login.user.map(given), Some(user.clone()));
            prop_assert_eq!(login.password.map(given), Some(password.clone()));
            prop_assert_eq!((login.host.as_str(), login.port_number()), ("h.dom", Ok(Some(4242))));
        }
    }

    #[test]
    fn wais(edition in edition(), database in octets(), search in octets()) {
        prop_assume!(!has_step(&database));
        // The drafts want words, none of them empty.
        let Ok(built) = WaisParts::new(login(), &database[..]).search(&search[..]).build_with(edition) else {
            prop_assert!(edition.name.starts_with("url-19") || has_step(&search));
            return Ok(());
        };
        let url = WaisUrl::of(built.as_uri_ref()).expect("it was built");
        let WaisObject::Search(found) = url.object else { panic!("{built}") };
        prop_assert_eq!(given(url.database), database);
        // "+" stands for the space between words where there are words, and what is escaped is
        // data.
        let words: Vec<_> = match edition.name {
            "url-1993" | "url-1994" => found.split("+").map(given).collect::<Vec<_>>().join(&b' '),
            _ => given(found),
        };
        prop_assert_eq!(words, search);
    }

    #[test]
    fn z3950(scheme in prop::sample::select(&["z39.50s", "z39.50r"][..]), database in octets(), docid in octets(), esn in octets(), rs in octets()) {
        let parts = Z3950Parts::new(scheme, login()).database(&database[..]).database("b").docid(&docid[..]);
        let built = parts.element_set(&esn[..]).record_syntax(&rs[..]).build()?;
        let url = Z3950Url::of(built.as_uri_ref()).expect("it was built");
        prop_assert_eq!(url.databases().map(given).collect::<Vec<_>>(), [database, b"b".to_vec()]);
        prop_assert_eq!((url.docid.map(given), url.element_set.map(given)), (Some(docid), Some(esn)));
        prop_assert_eq!(url.record_syntaxes().map(given).collect::<Vec<_>>(), [rs]);
    }

    #[test]
    fn prospero(edition in edition(), hsoname in octets(), version: Option<u64>, name in "[A-Z]{1,4}", value in octets()) {
        prop_assume!(!has_step(&hsoname) && name != "OBJECT-VERSION");
        let fields: &[(&[u8], &[u8])] = &[(name.as_bytes(), &value)];
        let has_place = !edition.name.starts_with("url-199") || edition.name == "url-1997";
        let fields = if has_place { fields } else { &[] };
        let parts = ProsperoParts::new(login(), &hsoname[..]);
        let parts = version.map_or(parts.clone(), |version| parts.version(version));
        let parts = fields.iter().fold(parts, |parts, &(name, value)| parts.field(name, value));
        let Ok(built) = parts.build_with(edition) else {
            prop_assert!(!has_place && hsoname.contains(&0));
            return Ok(());
        };
        let url = ProsperoUrl::of(built.as_uri_ref()).expect("it was built");
        prop_assert_eq!(given(url.hsoname), hsoname);
        prop_assert_eq!(url.version().map(given), version.map(|version| version.to_string().into_bytes()));
        let found: Vec<_> = url.fields().map(|(name, value)| (given(name), given(value))).collect();
        let known = found.into_iter().filter(|(name, _)| name != b"OBJECT-VERSION").collect::<Vec<_>>();
        let stated: Vec<_> = fields.iter().map(|(name, value)| (name.to_vec(), value.to_vec())).collect();
        prop_assert_eq!(known, stated);
    }

    #[test]
    fn others(edition in edition(), one in octets(), two in octets()) {
        prop_assume!(!has_step(&one) && !has_step(&two));
        let built = AfsParts::new("transarc.com").name(&one[..]).name(&two[..]).build_with(edition)?;
        let url = AfsUrl::of(built.as_uri_ref()).expect("it was built");
        prop_assert_eq!(url.cell.as_str(), "transarc.com");
        prop_assert_eq!(url.names().map(given).collect::<Vec<_>>(), [one.clone(), two.clone()]);
        for host in ["", "vms.host.edu"] {
            let built = FileParts::new().host(host).name(&one[..]).name(&two[..]).build_with(edition)?;
            let url = FileUrl::of(built.as_uri_ref()).expect("it was built");
            prop_assert_eq!(url.host.map(|host| host.as_str()), Some(host));
            prop_assert_eq!(url.names().map(given).collect::<Vec<_>>(), [one.clone(), two.clone()]);
        }
    }

    #[test]
    fn names(one in octets(), r in prop::option::of(octets()), q in prop::option::of(octets())) {
        // RFC 8141, 2: a name and a component do not begin with "/".
        prop_assume!([Some(&one), r.as_ref(), q.as_ref()].into_iter().flatten().all(|octets| octets[0] != b'/'));
        let parts = UrnParts::new("isbn", &one[..]);
        let parts = r.as_ref().map_or(parts.clone(), |r| parts.r_component(&r[..]));
        let parts = q.as_ref().map_or(parts.clone(), |q| parts.q_component(&q[..]));
        let built = parts.build()?;
        let urn = UrnName::of(built.as_uri_ref()).expect("it was built");
        prop_assert_eq!((urn.nid.as_str(), given(urn.nss)), ("isbn", one.clone()));
        prop_assert_eq!((urn.r_component.map(given), urn.q_component.map(given)), (r.clone(), q.clone()));
        for wrong in ["", "a", "a b", "-a", "a:b"] {
            let built = parts.clone().nid(wrong).build();
            prop_assert!(built.is_err(), "{built:?}");
        }
        let built = NewsParts::new(&one[..]).login(login()).build()?;
        let news = match NewsUrl::of(built.as_uri_ref()).expect("it was built").news {
            News::All => b"*".to_vec(),
            News::Groups(name) | News::Group(name) | News::Article(name) => given(name),
            other => panic!("{other:?}"),
        };
        prop_assert_eq!(news, one);
    }

    #[test]
    fn menus(kinds in "[0-9A-Za-z+]{1,4}", name in words(), selector in words(), host in "[a-z]{1,3}", port: u16, plus in prop::option::of("[+?]")) {
        let items: Vec<_> = kinds.bytes().map(|kind| menu::Item {
            kind, name: &name, selector: &selector, host: host.as_bytes(), port, plus: plus.as_ref().map(String::as_bytes),
        }).collect();
        let lines: Vec<u8> = items.iter().flat_map(menu::Item::to_line).chain(*b".\r\n").collect();
        let read: Vec<_> = menu::items(&lines).collect::<Result<_, _>>()?;
        prop_assert_eq!(&read, &items);
        // A URL says all of an item but its name.
        for item in items.iter().filter(|item| !item.leads_elsewhere() && port != 0) {
            let Ok(url) = item.url() else { continue };
            let url = GopherUrl::of(url.as_uri_ref()).expect("it was built");
            let again = menu::Item::of(&url, &name).expect("it names a server");
            prop_assert_eq!(again.as_item(), *item);
        }
    }

    #[test]
    fn attribute_blocks(names in prop::collection::vec("[A-Z]{1,5}", 0..4), first in words(), lines in prop::collection::vec(words(), 0..3)) {
        let first = [b":", first.as_slice()].concat();
        let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let block = |name: &'static str| Block { name: name.as_bytes(), first: &first, lines: Vec::new() };
        let more = names.iter().filter(|name| *name != "INFO");
        let more = more.map(|name| Block { name: name.as_bytes(), first: &first, lines: lines.clone() });
        let item = Attributes { blocks: std::iter::once(block("INFO")).chain(more).collect() };
        let items = vec![item.clone(), item];
        let answer = attributes::to_bytes(&items);
        prop_assert_eq!(attributes::items(&answer), items);
    }
}

/// What a URL lacks is written when a later part needs it, and a spelling stays where it can.
#[test]
fn parts_are_added_to_a_url() {
    let built = |built: Result<UriBuf, BuildError>| built.map(UriBuf::into_string);
    let ftp = |text| FtpUrl::of(UriRef::parse(text).expect(text)).expect(text).parts();
    assert_eq!(built(ftp("ftp://h").cwd("a").build()), Ok("ftp://h/a/".into()));
    assert_eq!(built(ftp("ftp://h").code("d").build()), Ok("ftp://h/;type=d".into()));
    assert_eq!(
        built(ftp("FTP://h/a;TYPE=i#f").name("b").secured(false).build()),
        Ok("FTP://h/b;TYPE=i#f".into())
    );
    assert_eq!(
        built(ftp("ftp://h/a/b;type=i").without("type").without("cwds").build()),
        Ok("ftp://h/b".into())
    );
    let gopher = |text| GopherUrl::of(UriRef::parse(text).expect(text)).expect(text).parts();
    assert_eq!(built(gopher("gopher://h/").search("x").build()), Ok("gopher://h/1%09x".into()));
    assert_eq!(built(gopher("gopher://h/1%09x%09").plus("!").build()), Ok("gopher://h/1%09x%09!".into()));
    assert_eq!(
        built(gopher("gopher://h/1s%09%09+a%20en").view("b").build()),
        Ok("gopher://h/1s%09%09+b%20en".into())
    );
    let file = FileUrl::of(UriRef::parse("file:c:/a").expect("a URL")).expect("a file").parts();
    assert_eq!(built(file.clone().name("b").build()), Ok("file:c:/a/b".into()));
    assert_eq!(built(file.host("h").build()), Ok("file://h/c:/a".into()));
    let news = |text| NewsUrl::of(UriRef::parse(text).expect(text)).expect(text).parts();
    assert_eq!(built(news("news:a@h").news("*").build()), Ok("news:*".into()));
    assert_eq!(built(news("news:alt.x").login("h").build()), Ok("news://h/alt.x".into()));
    let data = DataUrl::of(UriRef::parse("data:;base64,SGVsbG8=").expect("a URL")).expect("data").parts();
    assert_eq!(built(data.clone().data("Hi").build()), Ok("data:;base64,SGk=".into()));
    assert_eq!(built(data.base64(false).data("a b").build()), Ok("data:,a%20b".into()));
}

/// The parts of a URL that is read by one edition are built by another.
#[test]
fn parts_are_built_by_another_edition() {
    let url = UriRef::parse_with("gopher://h/7a?b", &URL_1993).expect("a URL");
    let parts = GopherUrl::of(url).expect("a search").parts();
    assert_eq!(parts.build_with(&RFC1738).expect("it has a search"), "gopher://h/7a%09b");
    let misread = |component, edition| Err(BuildError::Misread { component, edition });
    assert_eq!(parts.plus("!").build_with(&URL_1993), misread(Component::Path, &URL_1993));
    assert_eq!(HttpParts::new("ftp", "h").build(), misread(Component::Scheme, &RFC3986));
}
