//! Thirty everyday tasks as a user writes them, each beside the same with `url` or `fluent-uri`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![cfg(all(feature = "std", feature = "schemes"))]

use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use locator::edition::{RFC1738, RFC3986, RFC3987};
use locator::pct::{AsciiSet, PctStr, PctString};
use locator::{
    Base, Builder, Component, Edition, Level, SpaceEncoding, Uri, UriBuf, UriRef, UriRefBuf, Value,
};

#[test]
fn parse() -> Result<(), locator::ParseError> {
    // 1 fluent_uri: Uri::parse("http://example.com/")?
    let uri = Uri::parse("http://example.com/")?;
    // 2 url: Url::parse(text)?, which owns
    let owned = UriBuf::parse("http://example.com/")?;
    // 3 url: "…".parse::<Url>()?   fluent_uri: UriRef::try_from("…")?
    let parsed: UriRefBuf = "../a?q#f".parse()?;
    assert_eq!(UriRef::try_from("../a?q#f")?, parsed);
    // 4 fluent_uri: Uri::parse(String::from("…")).map_err(|(error, text)| error)?
    let taken = UriBuf::try_from(String::from("http://example.com/"))?;
    assert_eq!(UriBuf::try_from(String::from("no scheme")).unwrap_err().into_string(), "no scheme");
    // 5 fluent_uri: Iri::parse("http://example.com/é")?; neither crate has the older editions
    assert_eq!(UriBuf::parse_with("http://example.com/é", &RFC3987)?.path(), "/é");
    let edition: &Edition = "rfc1738".parse().unwrap();
    assert!(Uri::parse_with("http://example.com/~user", edition).is_err() && edition == &RFC1738);
    // 6 neither: bytes of a log, which may not be UTF-8
    assert_eq!(UriRef::parse_bytes(b"/a\xFF").unwrap_err().span().start, 2);
    // 7 url, fluent_uri: url == other, url.as_str() == "…"
    assert!(uri == owned && owned == taken && taken == "http://example.com/" && "http://example.com/" == uri);
    Ok(())
}

#[test]
fn look_at() -> Result<(), Box<dyn std::error::Error>> {
    let uri = UriBuf::parse("https://jan:secret@example.com:8443/a/b%20c.txt;v=1?q=1+2&r#top")?;
    // 8 url: url.scheme() == "https"
    assert_eq!(uri.scheme(), "https");
    // 9 url: url.host_str()   fluent_uri: uri.authority().map(|a| a.host())
    assert_eq!(uri.host().unwrap(), "example.com");
    // 10 url: url.domain()
    assert_eq!(uri.host().unwrap().name().unwrap(), "example.com");
    // 11 url: url.host() == Some(Host::Ipv6(…))
    let host = Uri::parse("http://[::1]/")?.host().unwrap();
    assert_eq!(
        (host.ipv6(), host.ip()),
        (Some(Ipv6Addr::LOCALHOST), Some(IpAddr::from(Ipv6Addr::LOCALHOST)))
    );
    // 12 url: url.port(), url.port_or_known_default()
    assert_eq!((uri.port().unwrap().number(), uri.port_or_known_default()), (Some(8443), Some(8443)));
    assert_eq!(Uri::parse("https://example.com")?.port_or_known_default(), Some(443));
    // 13 url: url.username(), url.password()
    let userinfo = uri.userinfo().unwrap();
    assert_eq!((userinfo.user().as_str(), userinfo.password().unwrap().as_str()), ("jan", "secret"));
    // 14 url: url.path(), url.query(), url.fragment()
    assert_eq!(uri.path(), "/a/b%20c.txt;v=1");
    assert_eq!(
        (uri.query().unwrap(), uri.fragment().unwrap()),
        (PctStr::new("q=1+2&r")?, PctStr::new("top")?)
    );
    // 15 url: url.path_segments().unwrap().map(|s| percent_decode_str(s).decode_utf8())
    let names = uri.path().segments().map(|segment| segment.name().decode_utf8_lossy());
    assert!(names.eq(["a", "b c.txt"]));
    // 16 url: url.path_segments()?.next_back()
    assert_eq!(uri.path().split_last().unwrap().0.name(), "b%20c.txt");
    assert_eq!(uri.path().split_last().unwrap().1, "/a/");
    // 17 url: url.query_pairs()
    let pairs: HashMap<_, _> = uri.pairs(SpaceEncoding::Plus).map(|pair| pair.decode_utf8_lossy()).collect();
    assert_eq!((&*pairs["q"], &*pairs["r"]), ("1 2", ""));
    // 18 url: &url[Position::BeforeHost..Position::AfterPort]
    assert_eq!(&uri.as_str()[uri.span(Component::Host).unwrap()], "example.com");
    // 19 url: url.socket_addrs(|| None)
    let local = Uri::parse("http://127.0.0.1/")?.authority().unwrap().socket_addrs(80)?;
    assert_eq!(local, ["127.0.0.1:80".parse::<SocketAddr>()?]);
    Ok(())
}

#[test]
fn resolve() -> Result<(), Box<dyn std::error::Error>> {
    let base = UriBuf::parse("http://a/b/c/d;p?q")?;
    // 20 url: base.join("../g")?
    assert_eq!(base.join("../g")?, "http://a/b/g");
    // 21 fluent_uri: reference.resolve_against(&base)?
    assert_eq!(UriRef::parse("g#s")?.resolve_against(&base)?, "http://a/b/c/g#s");
    // 22 neither: a base that is checked once
    let checked = Base::new(&base)?;
    assert_eq!((checked.join("?y")?.as_str(), checked.as_uri()), ("http://a/b/c/d;p?y", base.as_uri()));
    assert_eq!(checked, Base::try_from(UriRef::parse("http://a/b/c/d;p?q#f")?)?);
    assert_eq!(checked.resolve(UriRef::parse("?y")?)?.uri().unwrap(), "http://a/b/c/d;p?y");
    // 23 url: base.make_relative(&url)
    assert_eq!(base.make_relative(Uri::parse("http://a/b/g")?)?, "../g");
    Ok(())
}

#[test]
fn normalise_and_compare() -> Result<(), Box<dyn std::error::Error>> {
    let uri = Uri::parse("HTTP://Example.com:80/%7Ea/./b")?;
    // 24 fluent_uri: uri.normalize()   url: always
    assert_eq!(uri.normalize(Level::Syntax), "http://example.com:80/~a/b");
    assert_eq!(uri.normalize(Level::Scheme).host().unwrap(), "example.com");
    // fluent_uri: Uri::try_from(reference), which gives the reference back; a normal form of a URI
    // is a URI
    let normal: UriBuf = uri.normalize(Level::Scheme).into_owned();
    assert_eq!(UriBuf::try_from(UriRefBuf::from(normal.clone()).normalize(Level::Syntax))?, normal);
    assert_eq!(UriBuf::try_from(UriRefBuf::parse("/a")?).unwrap_err().into_string(), "/a");
    assert!(
        UriBuf::try_from(UriRef::parse("/a")?).is_err() && Uri::try_from(&UriRefBuf::parse("/a")?).is_err()
    );
    // 25 fluent_uri: a.normalize() == b.normalize()
    assert!(uri.is_equivalent(Uri::parse("http://example.com/~a/b")?, Level::Scheme)?);
    // 26 url, fluent_uri: HashSet<Url>, BTreeSet<…>; here asked by &str
    let seen = BTreeSet::from([uri.normalize(Level::Scheme).into_owned()]);
    assert!(seen.contains("http://example.com/~a/b"));
    // 27 fluent_uri: iri.to_uri(), uri.to_iri()?
    assert_eq!(Uri::parse("http://h/%C3%A9")?.to_iri_form()?, "http://h/é");
    assert_eq!(Uri::parse_with("http://h/é", &RFC3987)?.to_uri_form()?, "http://h/%C3%A9");
    Ok(())
}

#[test]
fn build_and_edit() -> Result<(), Box<dyn std::error::Error>> {
    // 28 fluent_uri: Uri::builder().scheme(SCHEME).authority_with(|b| b.host(…)).path(…).build()?
    let built = Builder::new().scheme("http").host("h").segment("a b").pair("q", "x&y").build()?;
    assert_eq!(built, "http://h/a%20b?q=x%26y");
    // 29 url: url.set_scheme("https"); set_host(Some("…")); set_port(Some(8443)); set_path("…");
    // set_fragment(None)
    let mut uri = UriBuf::parse("http://h/a#f")?;
    uri.set_scheme("https")?.set_host("example.com")?.set_port(Some(8443))?.set_fragment(None)?;
    uri.set_path(Value::Text("/50% of it"))?.set_query(Value::Text("a b"))?;
    assert_eq!(uri, "https://example.com:8443/50%25%20of%20it?a%20b");
    // url: url.path_segments_mut()?.push("b"); url.query_pairs_mut().append_pair("q", "1")
    uri.change(|edit| edit.append_segment("b")?.set_query(Value::Encoded("q=1")).map(drop))?;
    assert_eq!(uri, "https://example.com:8443/50%25%20of%20it/b?q=1");
    // What is taken from another URL is encoded already, and stays so.
    let other = Uri::parse("http://o/a%20b;v=1")?;
    assert_eq!(uri.set_path(other.path())?, "https://example.com:8443/a%20b;v=1?q=1");
    let from = Uri::parse("ftp://%C3%A9:1/50%25?a%20%26=1#%2F")?;
    uri.set_scheme(from.scheme())?.set_host(from.host().unwrap())?.set_port(from.port_u16())?;
    uri.set_path(from.path())?.set_query(from.query().unwrap())?.set_fragment(from.fragment().unwrap())?;
    assert_eq!(uri, from);
    uri.set_user("jan")?.set_password("a:b%")?.set_query(None)?.set_fragment(None)?;
    assert_eq!(uri, "ftp://jan:a:b%25@%C3%A9:1/50%25");
    let last = other.path().segments().next_back().unwrap();
    assert_eq!((last.as_pct_str().decode_utf8()?.as_ref(), last.name().as_str()), ("a b;v=1", "a%20b"));
    const TEXT: &str = locator::uri!("http://h:80/").as_str();
    const EDITION: &Edition = match Uri::parse_const_with(TEXT, &RFC1738) {
        Ok(uri) => uri.edition(),
        Err(_) => &RFC3986,
    };
    assert_eq!(EDITION, &RFC1738);
    let error = Uri::parse("http://h/|").unwrap_err();
    assert_eq!((Uri::parse(TEXT)?.port_u16(), error.span()), (Some(80), 9..10));
    // 30 percent_encoding: utf8_percent_encode(text, SET), percent_decode_str(text).decode_utf8()?
    assert_eq!(PctString::encode("é/", AsciiSet::UNRESERVED), "%C3%A9%2F");
    assert_eq!(PctStr::new("%C3%A9")?.decode_utf8()?, "é");
    Ok(())
}

/// Every method of `UriRef` is one of the owned types, too: it is in a list of `delegate!`.
#[test]
fn owned_types_have_every_method_of_the_borrowed_one() {
    let exceptions = ["as_str", "to_owned"];
    let mut texts = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                texts.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let name = |line: &str| Some(line.trim_start().split_once("fn ")?.1.split(['(', '<']).next()?.to_owned());
    let blocks = |start: fn(&str) -> bool| {
        texts.iter().flat_map(move |text| {
            let mut inside = false;
            text.lines().filter(move |line| {
                inside = (inside || start(line)) && !line.starts_with('}');
                inside
            })
        })
    };
    let delegated: BTreeSet<_> = blocks(|line| line.starts_with("delegate!")).filter_map(name).collect();
    let methods = blocks(|line| {
        line.starts_with("impl") && line.ends_with("UriRef<'a> {") || line == "impl UriRef<'_> {"
    })
    .filter(|line| line.starts_with("    pub ") && line.contains("self") && !line.contains("pub(crate)"))
    .filter_map(name);
    let missing: Vec<_> =
        methods.filter(|one| !exceptions.contains(&&**one) && !delegated.contains(one)).collect();
    assert!(delegated.len() > 20, "{delegated:?}");
    assert!(missing.is_empty(), "not in a `delegate!`: {missing:?}");
}

/// A generic caller: whatever takes a reference takes a URI, borrowed or owned, and the parts of
/// one are text.
#[test]
fn traits() {
    fn hash(value: impl std::hash::Hash) -> u64 {
        use std::hash::BuildHasher;
        static STATE: std::sync::LazyLock<std::hash::RandomState> =
            std::sync::LazyLock::new(Default::default);
        STATE.hash_one(value)
    }
    let uri = UriBuf::parse("HTTP://h/a").unwrap();
    let other = Uri::parse_with("http://h/a", &RFC1738).unwrap();
    assert_eq!((uri.scheme(), hash(uri.scheme())), (other.scheme(), hash(other.scheme())));
    assert_eq!((uri.path(), hash(uri.path())), (other.path(), hash(other.path())));
    assert_eq!(hash(&uri), hash(uri.as_str()));
    assert_eq!(hash(uri.as_uri_ref()), hash(uri.to_uri_form().unwrap()));
    assert!(locator::compare(&uri, uri.as_uri()).unwrap().is_equivalent());
    assert_eq!(
        (UriRef::default(), UriRefBuf::default()),
        (UriRef::parse("").unwrap(), UriRefBuf::parse("").unwrap())
    );
    assert_eq!(format!("{uri} {uri:?} {:>4}|", uri.path()), "HTTP://h/a \"HTTP://h/a\"   /a|");
    assert_eq!(String::from(uri), "HTTP://h/a");
}

/// Every type can be sent to other threads and shared with them, every error can be boxed, and
/// nothing has an empty `Debug` (Rust API Guidelines: C-SEND-SYNC, C-GOOD-ERR, C-DEBUG-NONEMPTY).
#[test]
fn guidelines() {
    fn shared<T: Send + Sync + std::fmt::Debug>() {}
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    macro_rules! each {
        ($check:ident: $($type:ty),* $(,)?) => { $($check::<$type>();)* };
    }
    #[cfg(feature = "idna")]
    use locator::iri;
    use locator::{build, compare, component, edition, normalize, pct, resolve, scheme};
    each!(shared: Uri, UriRef, UriBuf, UriRefBuf, locator::UriRefCow, locator::UriCow, Edition);
    each!(shared: component::Authority, component::Host, component::Path, component::Port);
    each!(shared: component::SchemeName, component::Segment, component::SpannedStr, component::Userinfo);
    each!(shared: Component, component::ComponentSpans, component::HostKind);
    each!(shared: PctStr, PctString, AsciiSet, pct::Charset, edition::Rule, edition::Terminology);
    each!(shared: Builder, build::Edit, build::Pair, SpaceEncoding, Value);
    each!(shared: Base, locator::BaseStack, locator::BaseCandidate, resolve::ResolveOptions);
    each!(shared: compare::Comparison, compare::Difference, compare::Ladder, normalize::NormalizedKey);
    each!(shared: scheme::FtpUrl, scheme::FtpParts, scheme::GopherUrl, scheme::MailtoUrl, scheme::NewsUrl);
    each!(shared: scheme::Registry, scheme::SchemeRule, scheme::Reader, scheme::file::FileUrl);
    each!(shared: locator::Report, locator::Redacted, locator::Found, locator::ParseErrorKind);
    each!(error: locator::ParseError, locator::FromStringError, build::BuildError, compare::CompareError);
    each!(error: resolve::ResolveError, locator::BaseError, pct::PctError, pct::CharsetError);
    each!(error: edition::UnknownEditionError, scheme::SyntaxError, scheme::ValueError);
    each!(error: scheme::file::PathError);
    #[cfg(feature = "idna")]
    each!(error: iri::IdnaError);
    #[cfg(feature = "plan")]
    each!(error: scheme::menu::ItemError, scheme::menu::ItemUrlError);
    #[cfg(feature = "plan")]
    each!(error: scheme::PlanError, scheme::PartError, scheme::GatewayPlanError, locator::plan::TemplateError);
    #[cfg(feature = "plan")]
    each!(shared: locator::plan::Options, locator::plan::Plan, locator::plan::Step, locator::plan::Gateway);
    #[cfg(feature = "text")]
    each!(shared: locator::text::Finder, locator::text::Match, locator::text::Matches, locator::text::StreamFinder);
    #[cfg(feature = "bulk")]
    each!(shared: locator::bulk::Batch, locator::bulk::Separator);
    #[cfg(feature = "bulk")]
    each!(error: locator::bulk::BufferTooLongError, locator::bulk::RowsError);
    let empty = UriRef::default();
    assert_eq!(format!("{empty:?} {:?} {:?}", empty.path(), PctStr::default()), r#""" "" """#);
}

/// Percent-encoded text, pairs and parts of a URL are text, owned or borrowed.
#[test]
fn text() {
    let encoded: PctString = "a%20b".parse().unwrap();
    assert_eq!((encoded.decode_utf8().unwrap().as_ref(), encoded.is_empty()), ("a b", false));
    assert_eq!(PctStr::try_from("a%20b").unwrap().to_owned(), encoded);
    let uri = Uri::parse("http://h/?q=1&r").unwrap();
    let pairs: BTreeSet<_> = uri.pairs(SpaceEncoding::Plus).collect();
    assert!(pairs.iter().any(|pair| *pair == "r") && pairs.len() == 2);
    let host = uri.spanned(Component::Host).unwrap();
    assert_eq!(host, "h");
    assert_eq!("h", host);
    assert_eq!(AsRef::<str>::as_ref(&host).len(), host.span().len());
    let seen = HashMap::from([(locator::UriRefCow::from(uri), 1)]);
    assert_eq!(seen.get("http://h/?q=1&r"), Some(&1));
}

/// Each module has what its name says: the functions and the types of a task are found together.
#[test]
#[cfg(feature = "plan")]
fn modules() {
    use locator::{error, plan, resolve};

    let uri = Uri::parse("gopher://h/1").unwrap();
    assert!(plan::plan(uri, &plan::Options::new()).is_ok());
    let base = Base::new(uri).unwrap();
    let options = resolve::ResolveOptions::new().path_underflow(resolve::PathUnderflow::Refuse);
    let failed = base.resolve_with(UriRef::parse("../../a").unwrap(), options).unwrap_err();
    assert_eq!(
        (failed.span(), failed.citation().unwrap().to_string()),
        (Some(0..2), "RFC 3986, 5.4.2".into())
    );
    let _: fn(&resolve::BaseStack) -> Option<Base<'_>> = resolve::BaseStack::base;
    let error: error::FromStringError = UriBuf::try_from(String::from("http://h/a b")).unwrap_err();
    assert_eq!((error.kind(), error.span()), (error::ParseErrorKind::InvalidByte, 10..11));
}

#[test]
fn the_plain_constructors_mean_rfc_3986() {
    use locator::{BaseStack, Edit, UriBuf, UriRefBuf, scheme};

    let text = || String::from("http://h/");
    let editions = [
        Uri::parse_bytes(b"http://h/").unwrap().edition(),
        Uri::parse_const("http://h/").unwrap().edition(),
        UriRef::parse_bytes(b"").unwrap().edition(),
        UriRef::parse_const("").unwrap().edition(),
        UriBuf::parse_bytes(b"http://h/").unwrap().edition(),
        UriBuf::from_string(text()).unwrap().edition(),
        UriRefBuf::from_string(text()).unwrap().edition(),
        Builder::new().build().unwrap().edition(),
        scheme::FtpParts::new("h").build().unwrap().edition(),
        scheme::errors("a b").next().unwrap().edition(),
        Edit::new().edition(),
        BaseStack::new().edition(),
    ];
    assert!(editions.into_iter().all(|edition| edition == &RFC3986), "{editions:?}");
}
