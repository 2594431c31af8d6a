//! `Debug` shows no password: of references, of what contains them, of builders, views and errors.

use std::fmt::Debug;

use locator::build::Edit;
use locator::edition::RFC1738;
use locator::plan::{Options, Secret, Session};
use locator::scheme::{self, FtpParts, FtpUrl, HttpUrl, LoginParts, Registry, SessionUrl, Unfinished};
use locator::{
    Base, BaseStack, Builder, Level, NormalizedKey, Redacted, Uri, UriBuf, UriCow, UriRef, UriRefBuf,
    UriRefCow, Value,
};

const TEXT: &str = "ftp://gisle:Xy7s3cret@host.example/a";

fn hides(what: &str, value: &dyn Debug) {
    for shown in [format!("{value:?}"), format!("{value:#?}")] {
        assert!(!shown.contains("Xy7s3cret"), "{what}: {shown}");
        assert!(shown.contains("(hidden)") || shown.contains("(password)"), "{what}: {shown}");
    }
}

#[test]
fn references_hide_it() {
    let uri = Uri::parse(TEXT).unwrap();
    let expected = "\"ftp://gisle:(hidden)@host.example/a\"";
    assert_eq!(format!("{uri:?}"), expected);
    assert_eq!(format!("{:?}", uri.to_owned()), expected);
    assert_eq!(format!("{uri}"), TEXT);
    hides("UriRef", &uri.as_uri_ref());
    hides("UriBuf", &UriBuf::parse(TEXT).unwrap());
    hides("UriRefBuf", &UriRefBuf::parse(TEXT).unwrap());
    hides("UriCow", &UriCow::from(uri));
    hides("UriRefCow", &UriRefCow::from(uri.as_uri_ref()));
    hides("Base", &Base::new(uri).unwrap());
    hides("NormalizedKey", &NormalizedKey::new(uri, Level::Scheme));
    hides("Redacted", &Redacted::new(TEXT));
    hides("Option<(UriBuf, …)>", &Some((uri.to_owned(), 1)));
    let inner = UriBuf::parse("http://h/?u=ftp://gisle:Xy7s3cret@host.example/").unwrap();
    hides("UriBuf with a URL in its query", &inner);
}

#[test]
fn a_registered_name_hides_what_may_be_one() {
    let name = UriRef::parse_with("x://gisle:Xy7s3cret@a,b/", &locator::edition::RFC2396).unwrap();
    hides("UriRef", &name);
}

#[test]
fn builders_hide_it() {
    let uri = Uri::parse(TEXT).unwrap();
    let mut edit = Edit::of(uri);
    hides("Edit", &edit);
    edit.set_user("a").unwrap();
    hides("Edit", &edit);
    let builder = Builder::new().scheme("ftp").host("h").user("gisle").password("Xy7s3cret");
    hides("Builder", &builder);
    let login = LoginParts::new("h").user("gisle").password("Xy7s3cret");
    hides("LoginParts", &login);
    hides("FtpParts", &FtpParts::new(login));
    let mut stack = BaseStack::new();
    stack.retrieved_by(TEXT);
    hides("BaseStack", &stack);
    let mut bad = BaseStack::new();
    bad.retrieved_by("ftp://gisle:Xy7s3cret@host.example/a b");
    hides("BaseStack", &bad);
}

#[test]
fn views_and_plans_hide_it() {
    let url = UriRef::parse_with(TEXT, &RFC1738).unwrap();
    let view = FtpUrl::try_from(url).unwrap();
    hides("FtpUrl", &view);
    hides("Login", &view.login);
    hides("FtpParts", &view.parts());
    hides("Plan", &scheme::plan(url, &Options::default()).unwrap());
    let telnet = UriRef::parse_with("telnet://gisle:Xy7s3cret@host.example/", &RFC1738).unwrap();
    hides("SessionUrl", &SessionUrl::try_from(telnet).unwrap());
    hides("Plan", &scheme::plan(telnet, &Options::default()).unwrap());
    hides("Session", &Session { words: Vec::new(), user: None, password: Some(Secret::new("Xy7s3cret")) });
    let proxy = locator::plan::Server { host: "proxy.example", port: Some(3128) };
    hides("Plan by a proxy", &scheme::plan(url, &Options::default().proxy(proxy)).unwrap());
    let http = UriRef::parse("http://gisle:Xy7s3cret@host.example/").unwrap();
    hides("HttpUrl", &HttpUrl::try_from(http).unwrap());
    let _ = Registry::new();
}

#[test]
fn errors_hide_it() {
    let wrong = format!("{TEXT} b");
    let error = UriBuf::try_from(wrong.clone()).unwrap_err();
    assert!(!format!("{error:?}").contains("Xy7s3cret"));
    let parts = format!("{error:#?}");
    assert!(parts.contains("(hidden)") && !parts.contains("Xy7s3cret"), "{parts}");
    let error = UriBuf::try_from("ftp://gisle:Xy7s3cret^@h/".to_owned()).unwrap_err();
    assert!(!format!("{error:?}").contains('^'), "nor a character of it");
    hides("Report", &UriRef::parse(&wrong).unwrap_err().report(&wrong));
    let unfinished = scheme::edit(UriRef::parse(TEXT).unwrap(), |edit| {
        let error = edit.set_scheme(Value::Encoded("1")).map(drop).unwrap_err();
        Err(Unfinished { text: edit.to_string(), error })
    });
    hides("Unfinished", &unfinished.unwrap_err());
}

/// A `main` that returns an error prints its `Debug`.
#[test]
fn errors_are_shown_as_sentences() {
    let error = UriBuf::try_from("http://a b/".to_owned()).unwrap_err();
    let sentence = "a space is not allowed in the host, at byte 8 (reg-name, RFC 3986, 3.2.2)";
    let base = UriRef::parse("a").unwrap();
    let (parsed, built) = (error.error(), Builder::new().scheme("1").build().unwrap_err());
    let resolved = Base::try_from(base).unwrap_err();
    let compared = locator::compare(base, base).unwrap_err();
    let planned = Registry::new().plan(base, &Options::default()).unwrap_err();
    let viewed = FtpUrl::try_from(base).unwrap_err();
    let decoded = Uri::parse("a:%FF").unwrap().path().as_pct_str().decode_utf8().unwrap_err();
    let errors: [&dyn std::error::Error; 8] =
        [&error, &parsed, &built, &resolved, &compared, &planned, &viewed, &decoded];
    for error in errors {
        assert_eq!(format!("{error:?}"), error.to_string());
    }
    assert_eq!(format!("{:?}", errors[0]), sentence);
}
