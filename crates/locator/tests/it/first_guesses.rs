//! Tasks as users of `fluent-uri`, `http`, `iri-string`, `percent-encoding`, `form_urlencoded` and `url` write
//! them before they have seen this crate. What works at the first guess must go on working: a change here is a
//! break for everybody who has not read the documentation.
#![allow(
    clippy::double_ended_iterator_last,
    clippy::needless_borrows_for_generic_args,
    clippy::assertions_on_constants,
    reason = "it is what people write"
)]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::fmt::Debug;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use locator::component::{PathSegments, Segments};
use locator::pct::AsciiSet;
use locator::template::TemplateValue;
use locator::{
    Iri, IriBuf, Level, NormalizedKey, Uri, UriBuf, UriRef, UriRefBuf, UriTemplate, form_urlencoded, pct, uri,
};

type Outcome = Result<(), Box<dyn Error>>;

#[test]
fn builders() -> Outcome {
    // http
    let built =
        Uri::builder().scheme("https").authority("example.com:8443").path_and_query("/a?b=c").build()?;
    assert_eq!(built.to_string(), "https://example.com:8443/a?b=c");
    // fluent-uri
    let built = Uri::builder()
        .scheme("https")
        .host("example.com")
        .port(8443)
        .path("/a b")
        .query("q=1%20")
        .fragment("top")
        .build()?;
    assert_eq!(built.as_str(), "https://example.com:8443/a%20b?q=1%20#top");
    assert_eq!(UriRef::builder().path("a").query("q").build()?, "a?q");
    assert_eq!(UriBuf::builder().scheme("http").host(Ipv6Addr::LOCALHOST).build()?, "http://[::1]");
    Ok(())
}

#[test]
fn components_as_text() -> Outcome {
    let uri = Uri::parse("https://user:pw@example.com:8080/a/b%20c?x=1#f")?;
    assert_eq!((uri.host_str(), uri.username(), uri.password()), (Some("example.com"), "user", Some("pw")));
    assert_eq!(uri.port_or_known_default(), Some(8080));
    assert_eq!(Uri::parse("https://example.com/")?.port_or_known_default(), Some(443));
    let segments: Vec<&str> = uri.path_segments().collect();
    assert_eq!(segments, ["a", "b%20c"]);
    assert_eq!(uri.path().segments().last().unwrap().decode_utf8()?, "b c");
    assert_eq!(uri.path_and_query(), "/a/b%20c?x=1");
    assert_eq!((uri.path().len(), uri.path().is_empty()), (8, false));
    assert!(UriRef::parse("?a")?.path().is_empty());
    assert_eq!((uri.domain(), Uri::parse("https://127.0.0.1/")?.domain()), (Some("example.com"), None));
    assert_eq!(uri.origin().unwrap().to_string(), "https://example.com:8080");
    assert!(UriRef::parse("../a")?.is_relative() && uri.is_absolute());
    Ok(())
}

#[test]
fn changed_copies() -> Outcome {
    let uri = Uri::parse("http://example.com/a?b#c")?;
    assert_eq!(uri.with_path("/new path")?, "http://example.com/new%20path?b#c");
    assert_eq!(uri.with_query("q=1")?.with_fragment(None)?, "http://example.com/a?q=1");
    assert_eq!(uri.with_query(Some("q=%31"))?, "http://example.com/a?q=%31#c");
    assert_eq!(uri.with_scheme("https")?, "https://example.com/a?b#c");
    assert_eq!(uri.with_host("example.org")?, "http://example.org/a?b#c");
    assert_eq!(uri.with_host("::1".parse::<IpAddr>()?)?, "http://[::1]/a?b#c");
    assert_eq!(uri.with_port(8080)?.with_port(None)?, uri);
    assert_eq!(uri.with_user("jan")?.with_password("a:b")?, "http://jan:a:b@example.com/a?b#c");
    assert_eq!(uri.with_segment("d/e")?.with_pair("n", 7)?, "http://example.com/a/d%2Fe?b&n=7#c");
    assert_eq!(uri.without_fragment(), "http://example.com/a?b");
    assert_eq!(UriRef::parse("a?b")?.with_path("c")?, UriRefBuf::parse("c?b")?);
    // An escape stays, and a "%" that begins none is a percent sign.
    assert_eq!(uri.with_path(String::from("/50%/%C3%A9é"))?.path(), "/50%25/%C3%A9%C3%A9");
    assert!(uri.with_scheme("1").is_err() && uri.with_host("a b").is_err());
    Ok(())
}

#[test]
fn queries() -> Outcome {
    let uri = Uri::parse("https://example.com/?name=J%C3%B6rg+S&x=1&&debug")?;
    let map: HashMap<String, String> = uri.query_pairs().into_owned().collect();
    assert_eq!((&*map["name"], map.len()), ("Jörg S", 3));
    let x: u32 = uri.query_pairs().find(|(name, _)| name == "x").unwrap().1.parse()?;
    assert_eq!(x, 1);
    let kept: Vec<_> = uri.query_pairs().filter(|(name, _)| name != "debug").collect();
    assert_eq!(uri.with_query_pairs(kept)?, "https://example.com/?name=J%C3%B6rg+S&x=1");
    assert_eq!(uri.with_query_pairs(&map)?.query_pairs().count(), 3);
    assert_eq!(uri.with_query_pairs([("", ""); 0])?, "https://example.com/");
    Ok(())
}

#[test]
fn changes_in_place() -> Outcome {
    let mut uri: UriBuf = "https://example.com/a/b/?old=1".parse()?;
    uri.query_pairs_mut()
        .clear()
        .append_pair("q", "a b&c")
        .extend_pairs([("page", "2")])
        .append_key_only("z");
    assert_eq!(uri, "https://example.com/a/b/?q=a+b%26c&page=2&z");
    uri.path_segments_mut()?.pop_if_empty().pop().push("c d").extend(["e/f", "g"]);
    assert_eq!(uri.path(), "/a/c%20d/e%2Ff/g");
    uri.path_segments_mut()?.clear().push("h");
    assert_eq!(uri.path(), "/h");
    // All or nothing: a dot segment cannot be data.
    let mut segments = uri.path_segments_mut()?;
    segments.push("i").push("..");
    assert!(segments.finish().is_err());
    uri.path_segments_mut()?.push("..");
    assert_eq!(uri.path(), "/h");
    assert!(UriBuf::parse("mailto:a@h")?.path_segments_mut().is_err());
    uri.set_port(8080)?.set_path(String::from("/a b"))?.set_host("::1".parse::<IpAddr>()?)?;
    uri.set_query(Some("a=b"))?.set_fragment(Some("top"))?.set_scheme("http")?.set_port(Some(81))?;
    assert_eq!(uri, "http://[::1]:81/a%20b?a=b#top");
    uri.set_query(None)?.set_fragment(None)?.set_port(None)?.set_host(Some("h"))?;
    uri.append_segment(7)?.append_pair("q", true)?;
    assert_eq!(uri, "http://h/a%20b/7?q=true");
    Ok(())
}

#[test]
fn references() -> Outcome {
    let base = Uri::parse("http://a/b/c/d;p?q")?;
    assert_eq!(UriRef::parse("../g")?.resolve_against(base)?, "http://a/b/g");
    assert_eq!(UriRef::parse("../g")?.resolve_against(&base)?, "http://a/b/g");
    let name = String::from("e/f");
    assert_eq!(base.join(&name)?, "http://a/b/c/e/f");
    let target = Uri::parse("http://a/b/c/g?x")?;
    assert_eq!(base.make_relative(target)?, "g?x");
    assert_eq!(base.make_relative(&target.to_owned())?, "g?x");
    assert_eq!(base.join("x")?.with_query("a")?, "http://a/b/c/x?a");
    Ok(())
}

#[test]
fn iris() -> Outcome {
    let iri = Iri::parse("https://exämple.com/straße?q=ü")?;
    assert_eq!((iri.host_str(), iri.path().as_str()), (Some("exämple.com"), "/straße"));
    assert_eq!(iri.to_uri()?, "https://ex%C3%A4mple.com/stra%C3%9Fe?q=%C3%BC");
    let mut owned: IriBuf = "https://example.com/a".parse()?;
    owned.query_pairs_mut().append_pair("q", "ü ü");
    assert_eq!(owned.with_segment("é")?.join("é")?, "https://example.com/a/é");
    assert_eq!(owned, "https://example.com/a?q=ü+ü");
    assert_eq!(
        Iri::try_from(Uri::parse("http://h/")?)?.to_owned(),
        IriBuf::try_from(String::from("http://h/"))?
    );
    assert!(Iri::parse("straße").is_err() && Uri::parse("http://h/ß").is_err());
    assert_eq!(format!("{iri:?}"), format!("{:?}", iri.as_str()));
    Ok(())
}

#[test]
fn percent_encoding_and_forms() -> Outcome {
    assert_eq!(pct::encode("a b/ü"), "a%20b%2F%C3%BC");
    assert_eq!(pct::decode("a%20b")?, "a b");
    assert!(pct::decode("%").is_err() && pct::decode("%FF").is_err());
    const KEEP: &AsciiSet = &AsciiSet::UNRESERVED.add(b'/');
    assert_eq!(
        (&*pct::encode_with("/a b", KEEP).to_string(), pct::encode_with("/a", *KEEP).as_str()),
        ("/a%20b", "/a")
    );
    assert_eq!(pct::decode_lossy("GET /caf%C3%A9 %zz%FF%"), "GET /café %zz\u{FFFD}%");
    let value: String = form_urlencoded::byte_serialize("What is ❤?".as_bytes()).collect();
    assert_eq!(value, "What+is+%E2%9D%A4%3F");
    let pairs: Vec<(String, String)> = form_urlencoded::parse(b"a=1&b=x+y").into_owned().collect();
    assert_eq!(pairs[1], ("b".to_string(), "x y".to_string()));
    let body = form_urlencoded::Serializer::new(String::new())
        .append_pair("a", "x y")
        .append_pair("b", "&")
        .finish();
    assert_eq!(body, "a=x+y&b=%26");
    Ok(())
}

#[test]
fn templates() -> Outcome {
    let template = UriTemplate::parse("https://api.example/{user}{?page,tags*}")?;
    assert_eq!(template.expand([("user", "joe"), ("page", "2")])?, "https://api.example/joe?page=2");
    let both = [("tags", TemplateValue::from(["a", "b"])), ("keys", TemplateValue::from([("k", "v")]))];
    assert_eq!(UriTemplate::parse("/x{?tags*,keys*}")?.expand(both)?, "/x?tags=a&tags=b&k=v");
    let stored: UriTemplate<'static> = String::from("/users/{id}{?page}").parse()?;
    assert_eq!(stored.variables().collect::<Vec<_>>(), ["id", "page"]);
    assert_eq!(stored, UriTemplate::parse("/users/{id}{?page}")?.into_owned());
    assert_eq!(stored, String::from("/users/{id}{?page}").try_into()?);
    let id = UriTemplate::try_from("/users/{id}")?;
    assert_eq!(id.expand(&HashMap::from([("id", "7")]))?, "/users/7");
    assert_eq!(id.expand(BTreeMap::from([("id".to_string(), 7)]))?, "/users/7");
    assert_eq!(id.expand(&HashMap::from([("id", TemplateValue::from("7"))]))?, "/users/7");
    Ok(())
}

#[cfg(feature = "text")]
#[test]
fn urls_in_text() {
    use locator::text::{Finder, Preset};

    let text = "see https://example.com/a, and (http://b.example).";
    let found: Vec<&str> = Finder::new().find_iter(text).map(|found| found.as_str()).collect();
    assert_eq!(found, ["https://example.com/a", "http://b.example"]);
    let (owned, bytes) = (String::from(text), text.as_bytes().to_vec());
    assert!(Finder::new().find_iter(&owned).all(|found| text[found.span()] == *found.as_str()));
    assert_eq!(Finder::new().preset(Preset::Strict).find_iter(&bytes).count(), 2);
}

#[test]
fn conversions() -> Outcome {
    fn bytes(text: impl AsRef<[u8]>) -> usize {
        text.as_ref().len()
    }
    fn reference(uri: impl Into<UriRefBuf>) -> usize {
        uri.into().as_str().len()
    }
    fn owned<U: TryInto<UriBuf, Error: Debug>>(uri: U) -> UriBuf {
        uri.try_into().unwrap()
    }
    let uri = Uri::parse("https://example.com/")?;
    let buf = uri.to_owned();
    assert_eq!((bytes(uri), bytes(&buf), reference(uri), reference(&buf)), (20, 20, 20, 20));
    assert_eq!(owned("https://example.com/"), owned(uri));
    assert_eq!(owned(String::from("https://example.com/")), owned(&buf));
    let (boxed, shared): (Box<str>, Arc<str>) = (buf.clone().into(), buf.clone().into());
    assert_eq!(owned(boxed), owned(shared));
    let text = String::from(buf.clone());
    assert_eq!((Uri::try_from(&text)?, Uri::try_from(text.as_bytes())?), (uri, uri));
    let set: HashSet<UriBuf> = [buf.clone()].into();
    assert!(set.contains("https://example.com/"));
    let set: HashSet<Uri<'_>> = [uri].into();
    assert!(set.contains("https://example.com/"));
    assert!(
        uri <= buf && buf < "https://example.org/" && uri.path() < "/z" && *"https://example.com/" == buf
    );
    assert_eq!(UriRef::from(uri), Uri::try_from(UriRef::from(uri))?);
    Ok(())
}

#[test]
fn what_is_stored() -> Outcome {
    struct Route<'a> {
        rest: Segments<'a>,
        names: PathSegments<'a>,
    }
    const HOME: Uri<'static> = uri!("https://example.com/a/b?q");
    static HOST: Option<&str> = HOME.host_str();
    assert_eq!(HOST, Some("example.com"));
    const HAS_QUERY: bool = HOME.has_query() && !HOME.is_relative();
    let mut route = Route { rest: HOME.path().segments(), names: HOME.path_segments() };
    assert_eq!((route.rest.next().unwrap().as_str(), route.names.next_back()), ("a", Some("b")));
    assert!(HAS_QUERY);
    let mut seen: HashMap<NormalizedKey<'static>, u32> = HashMap::new();
    for text in ["HTTP://example.com/%7Ea", "http://example.com/~a"].map(String::from) {
        let key = NormalizedKey::new(Uri::parse(&text)?, Level::Syntax).into_owned();
        *seen.entry(key).or_default() += 1;
    }
    assert_eq!(seen.into_values().collect::<Vec<_>>(), [2]);
    Ok(())
}
