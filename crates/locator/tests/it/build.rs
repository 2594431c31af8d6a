//! The builder's output contains every given value, and nothing else.

use locator::edition::{RFC1738, RFC2396, RFC3986};
use locator::{
    BuildError, Builder, Charset, Component, Edit, HostKind, SpaceEncoding, UriBuf, UriRef, UriRefBuf, Value,
};
use locator::{edition, uri};
use proptest::prelude::*;

#[test]
fn setters_work_in_any_order() {
    let there = "http://jan:p@example.org:8080/a%20b/?q=x%26y&debug&z=1+2#f";
    let built: UriBuf = Builder::new()
        .fragment(Value::Text("f"))
        .pair("q", "x&y")
        .flag("debug")
        .spaces(SpaceEncoding::Plus)
        .pair("z", "1 2")
        .segment("a b")
        .segment("")
        .host("example.org")
        .port(8080)
        .user("jan")
        .password("p")
        .scheme("http")
        .build()
        .unwrap();
    assert_eq!(built, there);
}

#[test]
fn the_first_invalid_value_is_reported() {
    let built = Builder::new_with(&RFC1738).scheme("http").host("a|b").port(1).segment("..").build();
    let Err(BuildError::Value(error)) = built else { panic!("{built:?}") };
    assert_eq!(error.component(), Component::Host);
    assert_eq!(error.span(), 1..2);
    let built = Builder::new_with(&RFC1738).segment("a").build();
    assert!(matches!(built, Err(BuildError::Whole(_))), "{built:?}");
}

#[test]
fn owned_references_change_as_a_whole_or_not_at_all() {
    let mut uri: UriBuf = "http://h/a".parse().unwrap();
    let before = uri.clone();
    assert!(
        uri.change(|edit| edit.set_query(Value::Text("q"))?.remove(Component::Scheme).map(drop)).is_err()
    );
    assert_eq!(uri, before);
    let mut reference = UriRefBuf::from(uri);
    reference.change(|edit| edit.set_query(Value::Text("q"))?.remove(Component::Scheme).map(drop)).unwrap();
    assert_eq!(reference, "//h/a?q");
}

/// RFC 3986, 3.2.2: "URI producing applications must not use percent-encoding in host unless it is
/// used to represent a UTF-8 character sequence". A path has no such rule.
#[test]
fn a_host_has_escapes_of_utf_8_alone() {
    let built = |host: &[u8]| Builder::new().scheme("x").host(host).segment(&b"\xE9"[..]).build();
    assert_eq!(built("éh".as_bytes()).unwrap(), "x://%C3%A9h/%E9");
    let Err(BuildError::Value(error)) = built(b"a\xC3\xA9\xFF.b") else { panic!("it is built") };
    assert_eq!((error.component(), error.span()), (Component::Host, 3..4));
}

/// A delimiter in a host that is data would be escaped, and so be a part of the name.
#[test]
fn a_host_has_no_delimiters_as_data() {
    for (host, delimiter) in
        [("h:80", ':'), ("u@h", '@'), ("h/a", '/'), ("a b", ' '), ("a[", '['), ("h#", '#')]
    {
        let mut uri = UriBuf::parse("http://x/").unwrap();
        let error = uri.set_host(host).unwrap_err();
        assert!(
            matches!(error, BuildError::HostAsData { found, .. } if found == delimiter),
            "{host}: {error}"
        );
        assert_eq!(uri, "http://x/");
    }
}

/// Every error has the component, the rule and the section of a document, and advice or the reason
/// after a ":".
#[test]
fn an_error_says_what_by_which_rule_and_what_to_do() {
    for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
        let errors = [
            BuildError::NoAuthority { component: Component::Port, edition },
            BuildError::NoUser { edition },
            BuildError::HostNeeded { edition },
            BuildError::Registered { edition },
            BuildError::AuthorityAsData { edition },
            BuildError::HostAsData { found: ':', edition },
            BuildError::NoRoot { edition },
            BuildError::NoHierarchy { edition },
            BuildError::NoComponent { edition },
            BuildError::NoPrefix { edition },
            BuildError::DotSegment { edition },
            BuildError::NoSegment { index: 2, count: 1, edition },
            BuildError::NoPairs { edition },
            BuildError::Misread { component: Component::Path, edition },
        ];
        for error in errors {
            let message = error.to_string();
            let (rule, see) = (error.rule(), error.citation().to_string());
            assert!(message.ends_with(&format!(" ({}, {see})", rule.name)), "{message}");
            let document = see.strip_suffix(&format!(", {}", rule.section)).unwrap();
            assert!(error.edition().document.starts_with(document), "{message}");
            let advice = error.advice().map(|advice| advice.to_string());
            assert!(advice.is_some_and(|advice| !advice.is_empty()) || message.contains(": "), "{message}");
            assert!(!message.contains("\n"), "{message}");
            assert_eq!(error.span(), None);
        }
    }
}

/// A step is one by the edition that says so; where one is silent, by the edition that is meant
/// when none is named.
#[test]
fn a_step_is_no_name_by_an_edition_that_knows_steps() {
    let see = |edition| BuildError::DotSegment { edition }.citation().to_string();
    assert_eq!(see(&RFC3986), "RFC 3986, 3.3");
    assert_eq!(see(&RFC2396), "RFC 2396, 5");
    assert_eq!(see(&RFC1738), "RFC 3986, 3.3");
    assert_eq!(see(&edition::RFC3987), "RFC 3987, 5.3.2.4");
    assert_eq!(see(&edition::URL_1993), "URL draft of July 1993, Partial form");
}

/// Appending is amortised: a thousand segments and pairs are not a thousand copies.
#[test]
fn a_megabyte_is_built_in_linear_time() {
    let mut edit = Edit::new();
    for _ in 0..100_000 {
        edit.append_segment("a/b").unwrap().append_pair("n", "v").unwrap();
    }
    assert_eq!(edit.pairs().count(), 100_000);
    assert_eq!(edit.remove_pairs("n*"), 100_000);
    assert_eq!(edit.finish().unwrap().as_str().len(), 100_000 * "a%2Fb/".len() - 1);
    let long = "%".repeat(1 << 20);
    let mut edit = uri!("http://h/").edit();
    edit.append_segment(&long).unwrap();
    assert_eq!(edit.finish().unwrap().as_str().len(), "http://h/".len() + 3 * long.len());
}

fn datum() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-zA-Z0-9/:@?#%&=+;.\\[\\] *-]{0,8}", 1 => "\\PC{0,4}", 1 => ".{0,3}"]
}

/// The decoded octets of the text.
fn data(text: &str) -> Vec<u8> {
    locator::PctStr::new(text).expect("it was built").decode().into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("CASES").map_or(6_000, |n| n.parse().unwrap()), ..ProptestConfig::default() })]

    /// By RFC 3986 any datum can stand anywhere but in a scheme, a step as a segment, and what
    /// contains a delimiter or a blank as a host.
    #[test]
    fn every_datum_is_given_back(
        host in datum().prop_map(|host| host.replace(|c| ":@/?#[] \t\r\n".contains(c), "")),
        (user, password, port) in (datum(), datum(), any::<u16>()),
        segments in proptest::collection::vec(datum(), 0..4),
        pairs in proptest::collection::vec((datum(), datum()), 0..4),
        fragment in datum(),
        plus in any::<bool>(),
    ) {
        let space = if plus { SpaceEncoding::Plus } else { SpaceEncoding::Percent20 };
        let segments: Vec<_> = segments.into_iter().filter(|one| !matches!(&**one, "" | "." | "..")).collect();
        let builder = Builder::new().scheme("x").host(&host).user(&user).password(&password).port(port);
        let builder = segments.iter().fold(builder.spaces(space), |builder, one| builder.segment(one));
        let builder = pairs.iter().fold(builder, |builder, (name, value)| builder.pair(name, value));
        let uri = builder.fragment(Value::Text(&fragment)).build().unwrap();
        let uri = uri.as_uri();
        let authority = uri.authority().unwrap();
        if authority.host().kind() != HostKind::Ipv6 {
            prop_assert_eq!(data(authority.host().as_str()), host.as_bytes());
        }
        prop_assert_eq!(authority.port().unwrap().number(), Some(port));
        let userinfo = authority.userinfo().unwrap();
        prop_assert_eq!(userinfo.user().decode_with(Charset::Utf8).unwrap(), user);
        prop_assert_eq!(userinfo.password().unwrap().decode_with(Charset::Utf8).unwrap(), password);
        let found: Vec<_> = uri.path().segments().map(|one| data(one.name().as_str())).collect();
        prop_assert_eq!(found, segments.iter().map(|one| one.as_bytes().to_vec()).collect::<Vec<_>>());
        let mut edit = uri.edit();
        let found: Vec<_> = edit
            .spaces(space)
            .pairs()
            .map(|pair| (pair.name_bytes().into_owned(), pair.value_bytes().unwrap().into_owned()))
            .collect();
        let given: Vec<_> = pairs.into_iter().map(|(n, v)| (n.into_bytes(), v.into_bytes())).collect();
        prop_assert_eq!(found, given);
        prop_assert_eq!(data(uri.fragment().unwrap().as_str()), fragment.as_bytes());
    }

    /// Whatever is given in whatever edition: what is built can be read.
    #[test]
    fn what_is_built_is_valid(values in proptest::collection::vec((datum(), any::<bool>()), 7)) {
        for edition in edition::ALL {
            let value = |i: usize| {
                let (text, raw) = &values[i];
                if *raw { Value::Encoded(text) } else { text.into() }
            };
            let builder = Builder::new_with(edition).scheme(value(0)).host(value(1)).segment(value(2));
            if let Ok(uri) = builder.pair(value(3), value(4)).fragment(value(5)).build() {
                prop_assert!(UriRef::parse_const_with(uri.as_str(), edition).is_ok(), "{edition} {uri}");
                prop_assert!(uri.as_uri().fragment().is_some());
            }
            if let Ok(reference) = Builder::new_with(edition).path(value(6)).query(value(3)).build() {
                prop_assert!(UriRef::parse_const_with(reference.as_str(), edition).is_ok(), "{edition} {reference}");
                prop_assert!(reference.as_uri_ref().authority().is_none());
                prop_assert!(reference.as_uri_ref().scheme().is_none());
            }
        }
    }
}
