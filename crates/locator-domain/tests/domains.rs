//! The cases of `testdata/domains.toml`, names of great length, and what is true of every host.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::borrow::Cow;

use locator::{UriRef, edition};
use locator_dev::cases;
use locator_domain::{Domain, DomainExt, Rules, public_suffix, registered_domain, subdomain};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    host: Option<String>,
    uri: Option<String>,
    subdomain: Option<String>,
    registered: Option<String>,
    suffix: Option<String>,
    private_subdomain: Option<String>,
    private_registered: Option<String>,
    private_suffix: Option<String>,
}

/// A subdomain, a registered domain and a public suffix.
type Parts<'p> = [Option<Cow<'p, str>>; 3];

impl Case {
    fn icann(&self) -> Parts<'_> {
        [&self.subdomain, &self.registered, &self.suffix].map(|part| part.as_deref().map(Cow::Borrowed))
    }

    /// The parts by all rules: those by ICANN rules unless the case has others.
    fn private(&self) -> Parts<'_> {
        if self.private_suffix.is_none() {
            return self.icann();
        }
        [&self.private_subdomain, &self.private_registered, &self.private_suffix]
            .map(|part| part.as_deref().map(Cow::Borrowed))
    }

    fn found(&self, rules: Rules) -> Parts<'_> {
        match (&self.host, &self.uri) {
            (Some(host), None) => {
                let found =
                    [subdomain(host, rules), registered_domain(host, rules), public_suffix(host, rules)];
                found.map(|part| part.map(Cow::Borrowed))
            }
            (None, Some(uri)) => {
                let edition = if uri.is_ascii() { &edition::RFC3986 } else { &edition::RFC3987 };
                let uri = UriRef::parse_with(uri, edition).unwrap();
                [uri.subdomain(rules), uri.registered_domain(rules), uri.public_suffix(rules)]
            }
            _ => panic!("{}: either a host or a URI", self.name),
        }
    }
}

#[test]
fn hosts_have_the_domains_of_the_cases() {
    for case in cases::read::<Case>("domains.toml") {
        assert_eq!(case.found(Rules::Icann), case.icann(), "{}", case.name);
        assert_eq!(case.found(Rules::Private), case.private(), "{}, private", case.name);
    }
}

#[test]
fn a_normal_host_is_borrowed() {
    let uri = UriRef::parse("http://www.example.com./").unwrap();
    assert!(matches!(uri.domain_name(), Some(Cow::Borrowed("www.example.com"))));
    assert!(matches!(uri.registered_domain(Rules::Icann), Some(Cow::Borrowed("example.com"))));
}

#[test]
fn a_name_may_be_longer_than_dns_allows() {
    let many = "a.".repeat(1 << 20) + "example.co.uk";
    assert_eq!(registered_domain(&many, Rules::Icann), Some("example.co.uk"));
    let long = "a".repeat(1 << 20) + ".github.io";
    assert_eq!(registered_domain(&long, Rules::Icann), Some("github.io"));
    assert_eq!(registered_domain(&long, Rules::Private), Some(&*long));
    let dots = ".".repeat(1 << 20);
    assert_eq!(Domain::new(&dots, Rules::Private), None);
}

/// Labels of rules, labels of none, and what is not a label.
fn label() -> impl Strategy<Value = String> {
    let words = "com|uk|co|ck|www|jp|kobe|city|github|io|at|futurecms|ex|org|eu|cn|公司|xn--55qx5d";
    prop_oneof![6 => words, 2 => "[a-zA-Z0-9_*-]{1,3}", 1 => "\\PC{0,2}"]
}

fn host() -> impl Strategy<Value = String> {
    let labels = proptest::collection::vec(label(), 0..7);
    prop_oneof![9 => labels.prop_map(|labels| labels.join(".")), 1 => any::<String>()]
}

fn rules() -> impl Strategy<Value = Rules> {
    prop_oneof![Just(Rules::Icann), Just(Rules::Private)]
}

proptest! {
    #[test]
    fn parts_make_the_name(host in host(), rules in rules()) {
        let Some(domain) = Domain::new(&host, rules) else { return Ok(()) };
        prop_assert_eq!(host.strip_suffix('.').unwrap_or(&host), domain.as_str());
        prop_assert!(domain.as_str().ends_with(domain.public_suffix()));
        let Some(registered) = domain.registered() else {
            prop_assert_eq!(domain.as_str(), domain.public_suffix());
            prop_assert_eq!(domain.subdomain(), None);
            return Ok(());
        };
        let (label, suffix) = registered.split_once('.').unwrap();
        prop_assert_eq!(suffix, domain.public_suffix());
        prop_assert!(!label.is_empty());
        let whole = domain.subdomain().map_or(registered.into(), |before| format!("{before}.{registered}"));
        prop_assert_eq!(domain.as_str(), whole);
    }

    #[test]
    fn a_registered_domain_is_its_own(host in host(), rules in rules(), more in label()) {
        let Some(registered) = registered_domain(&host, rules) else { return Ok(()) };
        prop_assert_eq!(registered_domain(registered, rules), Some(registered));
        let deeper = format!("{more}.{registered}");
        if let Some(domain) = Domain::new(&deeper, rules) {
            prop_assert!(deeper.ends_with(domain.registered().unwrap_or_default()));
        }
    }

    #[test]
    fn private_rules_only_lengthen_the_suffix(host in host()) {
        let icann = public_suffix(&host, Rules::Icann);
        let all = Domain::new(&host, Rules::Private);
        match (icann, all) {
            (Some(icann), Some(all)) if all.is_private() => {
                prop_assert!(all.public_suffix().len() > icann.len());
            }
            (icann, all) => prop_assert_eq!(icann, all.map(|domain| domain.public_suffix())),
        }
    }

    #[test]
    fn case_does_not_count(host in host(), rules in rules()) {
        let (upper, lower) = (host.to_ascii_uppercase(), host.to_ascii_lowercase());
        let found = registered_domain(&upper, rules).map(str::to_ascii_lowercase);
        prop_assert_eq!(found.as_deref(), registered_domain(&lower, rules));
    }

    #[test]
    fn a_url_has_the_domain_of_its_normal_host(host in host(), rules in rules()) {
        let text = format!("http://{host}/");
        let Ok(uri) = UriRef::parse_with(&text, &edition::RFC3987) else { return Ok(()) };
        let name = uri.domain_name();
        let found = uri.registered_domain(rules);
        prop_assert_eq!(found.as_deref(), name.as_deref().and_then(|name| registered_domain(name, rules)));
        prop_assert!(name.is_none_or(|name| name.is_ascii() && name == name.to_ascii_lowercase()));
    }
}
