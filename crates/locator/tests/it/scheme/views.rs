//! Laws of views: a view returns what its URL is built of, and that builds the same URL, character
//! for character, by every edition. What is changed is read as it was given, and nothing else
//! changes.

use locator::edition::ALL;
use locator::scheme::file::FileUrl;
use locator::scheme::{
    AfsUrl, DataUrl, FtpParts, FtpUrl, GopherUrl, HttpUrl, MailtoUrl, MidUrl, NewsUrl, NntpUrl, ProsperoUrl,
    SessionUrl, UrnName, WaisUrl, WhoisUrl, Z3950Url,
};
use locator::{BuildError, Component, Edition, UriRef, Value, uri};
use proptest::prelude::*;

use super::alike::text;

/// Checks the laws for a URL and each view that accepts it; returns how many do.
macro_rules! accepting {
    ($reference:expr, $($view:ident),+) => {{
        let reference: UriRef<'_> = $reference;
        let mut count = 0;
        $(if let Ok(view) = $view::try_from(reference) {
            let parts = view.parts();
            let edition = reference.edition();
            let built = parts.build_with(edition);
            let built = built.unwrap_or_else(|error| panic!("{}: {reference}: {error}: {parts:?}", edition.name));
            assert_eq!(built.as_str(), reference.as_str(), "{}: {parts:?}", edition.name);
            let again = $view::try_from(&built).unwrap_or_else(|error| panic!("{}: {built}: {error}", edition.name));
            assert_eq!(again.parts(), parts, "{}: {built}", edition.name);
            assert_eq!($view::of(reference), Ok(view));
            count += 1;
        })+
        count
    }};
}

/// Writes the laws for a text by an edition, which return how many of the views accept it.
macro_rules! laws {
    ($($view:ident),+) => {
        fn check(text: &str, edition: &'static Edition) -> usize {
            let Ok(reference) = UriRef::parse_with(text, edition) else { return 0 };
            accepting!(reference, $($view),+)
        }
    };
}

locator::__for_each_view!(laws);

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn the_parts_of_a_view_build_the_same_url(text in text()) {
        for edition in ALL {
            check(&text, edition);
        }
    }

    #[test]
    fn an_encoded_value_is_read_as_it_was_given(text in text(), value in "[a-c/;?:@&=+,.]{0,3}(;type=a|%2[Ff]|%09|%00)?") {
        for edition in ALL {
            let Ok(reference) = UriRef::parse_with(&text, edition) else { continue };
            let raw = Value::Encoded(&value);
            if let Ok(url) = FtpUrl::try_from(reference)
                && let Ok(built) = url.parts().name(raw.clone()).build_with(edition)
            {
                prop_assert_eq!(FtpUrl::try_from(&built).unwrap().name.as_str(), value.as_str());
            }
            if let Ok(url) = GopherUrl::try_from(reference)
                && let Ok(built) = url.parts().selector(raw.clone()).build_with(edition)
            {
                prop_assert_eq!(GopherUrl::try_from(&built).unwrap().selector.as_str(), value.as_str());
            }
            if let Ok(url) = MailtoUrl::try_from(reference)
                && let Ok(built) = url.parts().address(raw).build_with(edition)
                && !url.is_address_alone() && !value.is_empty()
            {
                prop_assert_eq!(MailtoUrl::try_from(&built).unwrap().addresses().last().unwrap().as_str(), value.as_str());
            }
        }
    }
}

#[test]
fn every_url_of_the_test_data_is_built_of_its_parts() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut folders = vec![folder];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "toml") {
                let Ok(file) = std::fs::read_to_string(&path).expect("a text").parse::<toml::Table>() else {
                    continue;
                };
                count += strings(&toml::Value::Table(file))
                    .iter()
                    .map(|text| of_every_edition(text))
                    .sum::<usize>();
            }
        }
    }
    assert!(count > 2_000, "the test data is not whole: {count}");
}

fn of_every_edition(text: &str) -> usize {
    ALL.iter().map(|edition| check(text, edition)).sum()
}

/// Every string in a value, at any depth that a file of cases has.
fn strings(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(text) => vec![text.clone()],
        toml::Value::Array(values) => values.iter().flat_map(strings).collect(),
        toml::Value::Table(table) => table.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn odd_spellings_stay() {
    for text in [
        "FTP://h",
        "ftp://h/",
        "ftp://h//",
        "ftp://h/%61;TYPE=A#f",
        "ftp://a:@h:/x",
        "ftps://@h:0021/x",
        "gopher://h",
        "gopher://h/",
        "gopher://h/%31%09%09",
        "gopher://h/1%09x%09",
        "gopher://h/0a%09%09%2Bview",
        "http://h?q",
        "http://h//a/./b?",
        "mailto:",
        "mailto:,a@h,",
        "mailto:a@h?",
        "mailto:a@h?=&&to=x&",
        "mid:a/b/c",
        "CID:a/b",
        "news://h",
        "news://h/",
        "news:%2A",
        "nntp://h/a.b/007",
        "telnet://u:@h:23/",
        "telnet://h",
        "wais://h/d?",
        "wais://h/d/t/67/1=a;2=b",
        "prospero://h/a;b=c;OBJECT-VERSION=",
        "prospero://h/a;OBJECT-VERSION=3;x=y",
        "prospero://h/a;object-version=3",
        "file:/a",
        "file:c:/a",
        "file:///",
        "file://localhost/a//",
        "file://u@h:1/a",
        "data:,",
        "data:a/b;base64;base64,==",
        "urn:ABC:d?+r?=q#f",
        "urn:ab:%61?=a?+b",
        "news://H.D?+%40",
        "snews://%75@h.d?+%01/a%40",
        "whois://h",
        "whois://h/%2a",
        "z39.50s://h",
        "Z39.50R://h/a+%62?c;ESN=f;rs=",
        "z39.50r://h/;esn=+",
        "afs://c.d/",
    ] {
        assert!(check(text, &locator::edition::RFC3986) > 0, "{text}");
    }
}

#[test]
fn an_encoded_value_must_not_divide() {
    let raw = |name| FtpParts::new("h").name(Value::Encoded(name)).build();
    assert_eq!(raw("a%2Fb").unwrap(), "ftp://h/a%2Fb");
    let misread =
        Err(BuildError::Misread { component: Component::Path, edition: &locator::edition::RFC3986 });
    assert_eq!(raw("a/b"), misread);
    assert_eq!(raw("a;type=i"), misread);
    assert!(raw("a#b").is_err() && raw("a b").is_err());
    assert!(HttpUrl::try_from(uri!("ftp://h/")).is_err());
}
