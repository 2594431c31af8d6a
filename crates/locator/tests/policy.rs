//! The cases of `testdata/policy.toml`, and laws of policies.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use locator::audit::{Host, Nat64Prefix, Policy, Reach, Refusal, RefusalReason, Severity, readings};
use locator::{AddressReader, Uri};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    title: String,
    input: String,
    target: Option<String>,
    reason: Option<String>,
    answers: Option<Vec<IpAddr>>,
    refused: Option<String>,
}

fn cases() -> Vec<Case> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/policy.toml");
    let text = std::fs::read_to_string(path).expect("the cases are there");
    toml::from_str::<File>(&text).unwrap_or_else(|error| panic!("{error}")).case
}

fn named(refusal: &Refusal) -> String {
    match refusal.reason() {
        RefusalReason::Address { reach, .. } => format!("Address {reach}"),
        RefusalReason::Invalid(_) => "Invalid".into(),
        reason => format!("{reason:?}"),
    }
}

#[test]
fn the_public_web() {
    for case in cases() {
        let result = Policy::public_web().check(&case.input);
        let target = result.as_ref().map(|target| format!("{target} # {}", target.port()));
        match (&target, &case.target) {
            (Ok(found), Some(expected)) => assert_eq!(found, expected, "{}", case.title),
            (Err(refusal), None) => {
                assert_eq!(Some(named(refusal)), case.reason, "{}: {refusal}", case.title);
            }
            _ => panic!("{}: {}: {target:?}", case.title, case.input),
        }
        if let (Ok(target), Some(answers)) = (result, case.answers) {
            let addresses = target.addresses(answers.clone());
            assert_eq!(addresses.as_ref().err().map(named), case.refused, "{}", case.title);
            if let Ok(addresses) = addresses {
                assert!(addresses.iter().map(|address| address.ip()).eq(answers), "{}", case.title);
                assert!(addresses.iter().all(|address| address.port() == target.port()));
            }
        }
    }
}

#[test]
fn no_message_quotes_the_text() {
    for case in cases() {
        let secret = case.input.replace("://", "://anna:seCret99@");
        if let Err(refusal) = Policy::public_web().check(&secret) {
            assert!(!refusal.to_string().contains("seCret99"), "{}: {refusal}", case.title);
        }
    }
}

#[test]
fn names_beyond_ascii() {
    let policy = Policy::public_web();
    let allowed = policy.check("https://münchen.de/").map(|target| target.to_string());
    if cfg!(feature = "idna") {
        assert_eq!(allowed.as_deref(), Ok("https://xn--mnchen-3ya.de/"));
    } else {
        assert!(allowed.is_err());
    }
    // The mappings of 2003 and of today differ, or a program must map first.
    for url in [
        "https://straße.de/",
        "https://MÜNCHEN.de/",
        "https://ｅxample.com/",
        "https://ⓛocalhost/",
        "https://日本語。jp/",
    ] {
        assert!(policy.check(url).is_err(), "{url}");
    }
}

#[test]
fn what_a_policy_is_told() {
    let policy = Policy::public_web();
    let allowed = |policy: &Policy, url: &str| policy.check(url).is_ok();
    for (policy, yes, no) in [
        (policy.clone().schemes(["FTP"]).ports([21]), "ftp://ftp.example.com/", "http://www.example.com:21/"),
        (policy.clone().reach(Reach::Private), "http://10.0.0.1/", "http://127.0.0.1/"),
        (policy.clone().reach(Reach::Private), "http://printer/", "http://localhost/"),
        (policy.clone().reach(Reach::ThisMachine), "http://localhost/", "http://239.0.0.1/"),
        (policy.clone().reach(Reach::ThisMachine), "http://[::1]/", "http://[::ffff:127.0.0.1]/"),
        (policy.clone().refuse(Severity::High), "http://10.0.0.1.nip.io/", "http://[::ffff:127.0.0.1]/"),
        (policy.clone().hosts(["*.Example.com"]), "http://a.b.example.com/", "http://example.com/"),
        (policy.clone().hosts(["example.com"]), "http://EXAMPLE.com/", "http://a.example.com/"),
        (policy.clone().hosts(["*.com"]), "http://example.com/", "http://examplecom.org/"),
        (policy.clone().ports([0, 8080]), "http://www.example.com:8080/", "http://www.example.com:0/"),
    ] {
        assert!(allowed(&policy, yes), "{yes}: {:?}", policy.check(yes));
        assert!(!allowed(&policy, no), "{no}");
    }
    let prefix = "64:ff9b:1::/96".parse::<Nat64Prefix>().unwrap();
    let policy = policy.nat64_prefix(prefix);
    let target = policy.check("https://www.example.com/").unwrap();
    assert!(target.permit("64:ff9b:1::5db8:d70e".parse::<Ipv6Addr>().unwrap()).is_ok());
    assert!(target.permit("64:ff9b:1::a00:1".parse::<Ipv6Addr>().unwrap()).is_err());
}

#[test]
fn same_origin() {
    let policy = Policy::same_origin("http://localhost:8080/a/b?c#d").unwrap();
    for (reference, expected) in [
        ("x", Some("http://localhost:8080/a/x")),
        ("", Some("http://localhost:8080/a/b?c")),
        ("/x//y", Some("http://localhost:8080/x//y")),
        ("HTTP://LOCALHOST:8080", Some("http://localhost:8080/")),
        ("//localhost:8080/", Some("http://localhost:8080/")),
        ("//localhost/", None),
        ("https://localhost:8080/", None),
        ("///localhost:8080/", None),
        ("/\\localhost:8080/", None),
        ("http:x", None),
        ("//127.0.0.1:8080/", None),
        ("javascript:alert(1)", None),
    ] {
        let target = policy.check(reference).ok().map(|target| target.to_string());
        assert_eq!(target.as_deref(), expected, "{reference}");
    }
    assert!(policy.check("/").unwrap().permit(Ipv4Addr::LOCALHOST).is_ok());
    let public = Policy::same_origin("https://www.example.com/").unwrap();
    assert!(public.check("/").unwrap().permit(Ipv4Addr::LOCALHOST).is_err());
    for base in ["", "/a", "mailto:a@example.com", "x-thing://host/", "http://0177.0.0.1/", "http://h:0/"] {
        assert!(Policy::same_origin(base).is_err(), "{base}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn policies_in_toml() {
    let read = |text: &str| toml::from_str::<Policy>(text).map_err(|error| error.message().to_owned());
    let policy = read("base = \"http://localhost:8080/\"\nports = [8080, 9090]").unwrap();
    assert!(policy.check("http://localhost:9090/").is_ok());
    assert!(policy.check("http://localhost:80/").is_err());
    let policy = read("severities = { password = \"high\" }\nreach = \"this-machine\"").unwrap();
    assert!(policy.check("http://anna:hunter2@localhost/").is_err());
    assert!(policy.check("http://anna@localhost/").is_ok());
    for (text, error) in [
        ("host = []", "unknown field `host`"),
        ("ports = [65536]", "invalid value: integer `65536`, expected u16"),
        ("reach = \"near\"", "invalid value: string \"near\", expected the name of a reach"),
        (
            "severities = { nothing = \"high\" }",
            "invalid value: string \"nothing\", expected the code of a finding",
        ),
        ("allowed_blocks = [\"10.0.0.0\"]", "invalid value: string \"10.0.0.0\", expected a block"),
        ("allowed_blocks = [\"10.0.0.0/33\"]", "invalid value"),
        ("nat64_prefixes = [\"64:ff9b::/95\"]", "a NAT64 prefix is an IPv6 address"),
        ("base = \"/\"", "the base of the policy: the URL has no scheme"),
    ] {
        let found = read(text).unwrap_err();
        assert!(found.starts_with(error), "{text}: {found}");
    }
}

/// Programs that contact anything for a text that a policy allows contact the target. The data say
/// what they contacted when they were run.
#[test]
fn programs_contact_the_target_or_nothing() {
    #[derive(Deserialize)]
    struct Strings {
        string: Vec<Measured>,
    }
    #[derive(Deserialize)]
    struct Measured {
        input: String,
        #[serde(default)]
        contacts: BTreeMap<String, String>,
    }
    let any = Policy::public_web().reach(Reach::Reserved).refuse(Severity::High).ports(1..=65535);
    let any = any.schemes(["http", "https", "ftp", "ws", "wss"]);
    let base = Policy::same_origin("https://base.invalid/").unwrap();
    let mut allowed = 0;
    for name in ["published.toml", "mutations.toml"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/readers").join(name);
        let strings = toml::from_str::<Strings>(&std::fs::read_to_string(path).unwrap()).unwrap().string;
        for Measured { input, contacts } in strings {
            for target in [&any, &base].iter().filter_map(|policy| policy.check(&input).ok()) {
                let host = target.host().trim_matches(['[', ']']);
                let expected = format!("{} {host} {}", target.scheme(), target.port());
                assert!(contacts.keys().all(|contact| *contact == expected), "{input:?}: {contacts:?}");
                allowed += 1;
            }
        }
    }
    assert!(allowed > 50, "{allowed}");
}

/// Pieces of URLs that pass lists of hosts.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9]{1,3}",
        "[.:/@?#%;\\\\&=+_\\[\\]-]",
        prop::sample::select(vec![
            "http://",
            "https://",
            "HTTP://",
            "//",
            "www.example.com",
            "example.org",
            "127.0.0.1",
            "0177.0.0.1",
            "0x7f.1",
            "2130706433",
            "8.8.8.8",
            "[::1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::7f00:1]",
            "localhost",
            "10.0.0.1.nip.io",
            "%2f",
            "%40",
            "%00",
            ":80",
            ":443",
            ":0",
            ":65616",
            ":22",
            "\t",
            "\n",
            " ",
            "\u{AD}",
            "。",
            "①",
            "／",
            "münchen.de",
            "@",
            "..",
        ])
        .prop_map(String::from),
    ]
}

proptest! {
    #[test]
    fn what_is_allowed_is_plain(pieces in prop::collection::vec(piece(), 0..8)) {
        let text = ["http://", "", "https://www.example.com"][pieces.len() % 3].to_owned() + &pieces.concat();
        let policy = Policy::public_web();
        let Ok(target) = policy.check(&text) else { return Ok(()) };
        let url = Uri::parse(target.as_str()).expect("a target is a URI");
        prop_assert!(target.as_str().is_ascii());
        prop_assert!(url.userinfo().is_none() && url.fragment().is_none());
        prop_assert!(matches!(target.scheme(), "http" | "https") && url.scheme() == target.scheme());
        prop_assert!(matches!(target.port(), 80 | 443));
        let host = url.host().expect("a target has a host");
        prop_assert_eq!(host.as_str(), target.host());
        prop_assert!(!target.path_and_query().is_empty() && target.as_str().ends_with(target.path_and_query()));
        match host.ip() {
            Some(address) => prop_assert_eq!(Reach::of(address), Reach::Public),
            None => {
                prop_assert!(AddressReader::ALL.iter().all(|reader| reader.read(target.host()).is_none()));
                prop_assert!(target.host().contains('.'));
            }
        }
        // Every current program contacts that, or nothing.
        for contacted in readings(&text).contacts().iter().filter(|contacted| contacted.is_current()) {
            prop_assert_eq!(contacted.contact.scheme(), target.scheme());
            prop_assert_eq!(contacted.contact.port(), Some(target.port()));
            match contacted.contact.host() {
                Host::Name(name) => prop_assert_eq!(name, target.host()),
                Host::Address(address) => prop_assert_eq!(Some(*address), target.address()),
                _ => prop_assert!(false),
            }
        }
        // What is allowed is allowed again, and is the same.
        let again = policy.check(target.as_str()).map(|target| target.to_string());
        prop_assert_eq!(again.as_deref(), Ok(target.as_str()));
    }

    #[test]
    fn no_text_panics(text in "\\PC*", reach in 0_usize..5) {
        let _ = Policy::public_web().reach(Reach::ALL[reach]).refuse(Severity::High).check(&text);
        if let Ok(policy) = Policy::same_origin("https://www.example.com/a") {
            let _ = policy.check(&text);
        }
    }

    /// A forbidden IPv4 address in any form is forbidden.
    #[test]
    fn no_form_of_a_forbidden_address_is_allowed(bits: u32, rest: u64) {
        let target = Policy::public_web().check("https://www.example.com/").unwrap();
        let address = Ipv4Addr::from(bits);
        let is_public = Reach::of(address) == Reach::Public;
        prop_assert_eq!(target.permit(address).is_ok(), is_public);
        let low = u128::from(bits);
        let middle = u128::from(rest & 0xFFFF_FFFF_FFFF) << 32;
        for (form, may_be_public) in [
            (low | 0xFFFF << 32, true),
            (low | 0x64_FF9B << 96, true),
            (low << 80 | 0x2002 << 112, true),
            (low, false),
            (low | 0xFFFF << 48, false),
            (low | 0x64_FF9B_0001 << 80 | (middle & 0xFFFF_FFFF_0000_0000), false),
            (low | 0x5EFE << 32 | 0xFE80 << 112, false),
            (u128::from(!bits) | 0x2001_0000 << 96 | u128::from(rest) << 32, false),
        ] {
            let form = Ipv6Addr::from(form);
            if form != Ipv6Addr::LOCALHOST {
                prop_assert_eq!(target.permit(form).is_ok(), is_public && may_be_public, "{}", form);
            }
        }
        let isatap = Ipv6Addr::from(low | 0x0200_5EFE << 32 | 0x2606_4700 << 96);
        prop_assert_eq!(target.permit(isatap).is_ok(), is_public, "{}", isatap);
    }
}
