//! Hosts are equal in any case, and equality, order and hash agree.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use locator::edition::{RFC3986_WITH_ZONES, RFC3987, URI_2003};
use locator::{Edition, HostKind, UriRef};
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn case_does_not_count() {
    let host = |text| UriRef::parse(text).unwrap().host().unwrap();
    assert_eq!(host("//Example.COM"), host("http://example.com/"));
    assert_eq!(host("//Example.COM"), "eXaMpLe.com");
    assert_eq!("EXAMPLE.com", host("//example.com"));
    assert_eq!(String::from("EXAMPLE.com"), host("//example.com"));
    assert_eq!(host("//[2001:DB8::a]"), "[2001:db8::A]");
    assert_eq!(host("//[V1.A]"), "[v1.a]");
    assert_ne!(host("//example.com"), "example.co");
    assert_ne!(host("//example.com"), "example.comm");
    assert_ne!(host("//a"), "é");
    let hosts: HashSet<_> = ["//A", "//a", "//b"].into_iter().map(host).collect();
    assert_eq!(hosts.len(), 2);
}

#[test]
fn case_counts_in_zones_and_registered_names() {
    let host = |text, edition| UriRef::parse_with(text, edition).unwrap().host().unwrap();
    let zoned = |text| host(text, &RFC3986_WITH_ZONES);
    assert_eq!(zoned("//[FE80::A%25eth0]"), zoned("//[fe80::a%25eth0]"));
    assert_ne!(zoned("//[fe80::a%25eth0]"), zoned("//[fe80::a%25ETH0]"));
    assert_ne!(zoned("//[fe80::a%25eth0]"), "[fe80::a%25ETH0]");
    let registered = |text| host(text, &URI_2003);
    assert_eq!(registered("//a$B").kind(), HostKind::Registry);
    assert_eq!(registered("//a$B"), registered("//a$B"));
    assert_ne!(registered("//a$B"), registered("//a$b"));
    assert_ne!(registered("//a$B"), "a$b");
    // A registered name is another kind of thing than a host.
    assert_ne!(registered("//a$b"), host("//a$b", &RFC3987));
}

/// A text and an edition by which it may be an authority.
fn authority() -> impl Strategy<Value = (String, &'static Edition)> {
    let pieces = select(vec!["a", "A", "b", ".", "$", "é", "É", "%C3", "%c3", "%41"]);
    let name = prop::collection::vec(pieces, 0..4).prop_map(|pieces| pieces.concat());
    let address = select(vec!["[::a]", "[::A]", "[v1.a]", "[V1.A]", "1.2.3.4"]).prop_map(String::from);
    let zone = select(vec!["[fe80::A%25a]", "[fe80::a%25A]", "[fe80::a%25a]"]).prop_map(String::from);
    let edition: Vec<&Edition> = vec![&RFC3986_WITH_ZONES, &RFC3987, &URI_2003];
    (prop_oneof![4 => name, 1 => address, 1 => zone], select(edition))
}

proptest! {
    #[test]
    fn equality_order_and_hash_agree(given in prop::collection::vec(authority(), 3)) {
        let texts: Vec<_> = given.iter().map(|(text, edition)| (format!("//{text}"), *edition)).collect();
        let hosts: Option<Vec<_>> = texts
            .iter()
            .map(|(text, edition)| UriRef::parse_with(text, edition).ok()?.host())
            .collect();
        let Some(hosts) = hosts else { return Ok(()) };
        let hash = RandomState::new();
        for one in &hosts {
            for other in &hosts {
                let equal = one == other;
                prop_assert_eq!(equal, other == one);
                prop_assert_eq!(equal, one.cmp(other) == Ordering::Equal);
                prop_assert_eq!(one.cmp(other), other.cmp(one).reverse());
                prop_assert!(!equal || hash.hash_one(one) == hash.hash_one(other));
                if one.as_str() == other.as_str() && one.kind() == other.kind() {
                    prop_assert!(equal);
                }
                prop_assert!(!equal || one.as_str().eq_ignore_ascii_case(other.as_str()));
                if one.kind() == other.kind() {
                    prop_assert_eq!(equal, *one == *other.as_str());
                }
                for third in &hosts {
                    if equal && other == third {
                        prop_assert!(one == third);
                    }
                    if one < other && other < third {
                        prop_assert!(one < third);
                    }
                }
            }
        }
    }
}
