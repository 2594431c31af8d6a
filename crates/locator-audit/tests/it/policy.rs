//! The cases of `testdata/policy.toml`, and laws of policies.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use locator::{AddressReader, Uri};
use locator_audit::{
    Auditor, Finding, Host, Nat64Prefix, Policy, Reach, Refusal, RefusalReason, Severity, readings,
};
use locator_dev::cases;
use proptest::prelude::*;
use serde::Deserialize;

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
    cases::read("policy.toml")
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
    assert_eq!(allowed.as_deref(), Ok("https://xn--mnchen-3ya.de/"));
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

/// The addresses and names of metadata are nearer than a private network, whatever block they are in.
#[test]
fn metadata_is_not_in_the_private_network() {
    let policy = Policy::public_web().reach(Reach::Private);
    for host in [
        "[fd00:c1::a9fe:a9fe]",
        "100.96.0.96",
        "[fd00:a9fe:a9fe::1]",
        "[fd00:100::100:200]",
        "[fd00:ec2::253]",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "[fd00:42::42]",
        "100.100.100.200",
        "100.80.80.80",
        "168.63.129.16",
        "192.0.0.192",
        "192.80.8.124",
        "[64:ff9b::6460:60]",
        "metadata.exoscale.com",
        "metadata.azure.internal",
        "metadata.google.internal",
        "rancher-metadata",
    ] {
        assert!(policy.check(&format!("http://{host}/")).is_err(), "{host}");
    }
    for host in ["100.96.0.97", "[fd00:c1::a9fe:a9ff]", "[fd00:ec3::254]", "printer"] {
        assert!(policy.check(&format!("http://{host}/")).is_ok(), "{host}");
    }
}

#[test]
fn a_name_that_looks_like_no_other_is_allowed() {
    assert!(Policy::public_web().check("https://xn--mnchen-3ya.de/").is_ok());
    assert!(Policy::typed().check("https://xn--mnchen-3ya.de/").is_ok());
    assert!(Policy::public_web().refuse(Severity::High).check("https://xn--mnchen-3ya.de/").is_ok());
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
    let policy = read("preset = \"typed\"\n[deny]\nhosts = [\"printer\"]\nports = [25]\nschemes = [\"FTP\"]");
    let policy = policy.unwrap();
    assert!(policy.check("http://localhost:8080/").is_ok());
    for url in ["http://printer/", "http://localhost:25/", "ftp://localhost/"] {
        assert!(policy.check(url).is_err(), "{url}");
    }
    let policy =
        read("ports = { http = [8080], \"x-own:\" = [1] }\nallowed_blocks = [\"10.0.0.7\"]").unwrap();
    assert!(policy.check("http://10.0.0.7:8080/").is_ok() && policy.check("http://10.0.0.7/").is_err());
    assert!(
        policy.check("https://www.example.com/").is_ok() && policy.check("http://10.0.0.8:8080/").is_err()
    );
    let policy = read("preset = \"public_network\"\nallowed_hosts = [\"printer\"]").unwrap();
    assert!(policy.check("gopher://printer/").is_ok() && policy.check("gopher://scanner/").is_err());
    let policy = read("preset = \"public_web\"\nproxy_checks = true\nweb_to_ftp = true").unwrap();
    assert!(policy.uses_proxies() && !Policy::public_web().uses_proxies());
    #[cfg(feature = "public-suffix")]
    {
        let policy = read("preset = \"same_site\"\nbase = \"https://www.example.com/\"").unwrap();
        assert!(policy.check("//images.example.com/").is_ok() && policy.check("//www.example.org/").is_err());
        let policy = read("domains = [\"example.co.uk\"]").unwrap();
        assert!(policy.check("http://a.example.co.uk/").is_ok());
        assert!(read("domains = [\"co.uk\"]").is_err());
    }
    for (text, error) in [
        ("host = []", "unknown key \"host\"; did you mean \"hosts\"?"),
        ("anything = 1", "unknown key \"anything\"; expected one of: preset base schemes"),
        ("[deny]\nhost = []", "unknown key \"host\"; did you mean \"hosts\"?"),
        ("[denied]\nhosts = []", "unknown key \"denied\"; did you mean \"deny\"?"),
        ("preset = \"public-web\"", "unknown preset \"public-web\"; did you mean \"public_web\"?"),
        ("preset = \"same_origin\"", "the preset \"same_origin\" needs a base"),
        ("preset = \"typed\"\nbase = \"http://h/\"", "the preset \"typed\" takes no base"),
        ("hosts = [\"https://h/\"]", "invalid value: string \"https://h/\", expected a host"),
        ("deny = { hosts = [\"*\"] }", "invalid value: string \"*\", expected a host"),
        ("schemes = [\"htps\"]", "unknown scheme \"htps\"; did you mean \"https\"? or write"),
        ("schemes = [\"ownapp\"]", "unknown scheme \"ownapp\"; write \"ownapp:\" for a scheme"),
        ("schemes = [\"a b\"]", "invalid value: string \"a b\", expected the name of a scheme"),
        ("schemes = []", "an empty list allows nothing"),
        ("hosts = []", "an empty list allows nothing"),
        ("ports = []", "an empty list allows nothing"),
        (
            "hosts = [\"bücher.example\"]",
            "invalid value: string \"bücher.example\", expected a host in ASCII",
        ),
        ("ports = [0]", "invalid value: integer `0`, expected a port from 1 to 65535"),
        ("ports = [\"a\"]", "invalid type: string \"a\", expected a port from 1 to 65535"),
        ("ports = 80", "invalid type: integer `80`, expected a list such as [80, 443], or by scheme"),
        ("ports = { htps = [80] }", "unknown scheme \"htps\""),
        ("ports = { http = [] }", "an empty list allows nothing"),
        ("deny = { ports = [-1] }", "invalid value: integer `-1`, expected a port"),
        ("allowed_blocks = [\"10.1.2.3/8\"]", "\"10.1.2.3/8\" is not a network: write \"10.0.0.0/8\""),
        ("deny = { blocks = [\"fd00::1/8\"] }", "\"fd00::1/8\" is not a network: write \"fd00::/8\""),
        ("deny = { blocks = [\"::ffff:10.0.0.0/104\"] }", "write \"10.0.0.0/8\" for this block of IPv4"),
        ("deny = { blocks = [\"10.0.0.0/33\"] }", "invalid value"),
        ("ports = [65536]", "invalid value: integer `65536`, expected a port from 1 to 65535"),
        ("reach = \"near\"", "invalid value: string \"near\", expected the name of a reach"),
        ("severities = { pasword = \"high\" }", "unknown finding \"pasword\"; did you mean \"password\"?"),
        ("allowed_blocks = [\"10.0.0\"]", "invalid value: string \"10.0.0\", expected a block"),
        ("allowed_blocks = [\"10.0.0.0/33\"]", "invalid value"),
        ("nat64_prefixes = [\"64:ff9b::/95\"]", "a NAT64 prefix is an IPv6 address"),
        ("base = \"/\"", "invalid value: string \"/\", expected a URL with a host and a port"),
    ] {
        let found = read(text).err().unwrap_or_else(|| panic!("{text} is no error"));
        assert!(found.starts_with(error), "{text}: {found}");
    }
}

/// `docs/policy.md` has a row for every key and preset, and its file can be read.
#[cfg(all(feature = "serde", feature = "public-suffix"))]
#[test]
fn the_document_has_every_key() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let document = std::fs::read_to_string(docs.join("policy.md")).unwrap();
    let names = |text: &str| {
        let error = toml::from_str::<Policy>(text).unwrap_err().message().to_owned();
        let (_, names) = error.split_once("expected one of: ").unwrap_or_else(|| panic!("{error}"));
        names.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    let keys = [names("unheard_of_by_all = 1"), names("deny = { unheard_of_by_all = 1 }")].concat();
    for key in keys {
        assert!(document.lines().any(|line| line.starts_with(&format!("| `{key}` |"))), "{key}");
    }
    for preset in names("preset = \"unheard_of_by_all\"") {
        assert!(document.lines().any(|line| line.starts_with(&format!("| `\"{preset}\"` |"))), "{preset}");
    }
    let file = std::fs::read_to_string(docs.join("example/policy.toml")).unwrap();
    assert!(document.contains(&format!("```toml\n{file}```")), "the document has the file");
    let policy = toml::from_str::<Policy>(&file).unwrap();
    for (url, is_allowed) in [
        ("https://www.example.com:8443/", true),
        ("https://www.old.example.com/", false),
        ("https://anna:hunter2@www.example.com/", false),
        ("http://www.example.com/", false),
        ("https://example.org/", false),
    ] {
        assert_eq!(policy.check(url).is_ok(), is_allowed, "{url}");
    }
    let target = policy.check("https://images.example.org/").unwrap();
    assert!(target.permit(Ipv4Addr::new(10, 1, 0, 7)).is_ok());
    assert!(target.permit(Ipv4Addr::new(10, 1, 2, 7)).is_err());
    assert!(target.permit(Ipv4Addr::new(10, 2, 0, 7)).is_err());
}

/// An error is about the key or value that is wrong, so that a program can say its line and column.
#[cfg(feature = "serde")]
#[test]
fn errors_have_their_place() {
    for (text, wrong) in [
        ("ports = [80]\nhost = []", "host"),
        ("ports = [80]\n[deny]\nports = []\nblock = []", "block"),
        ("severities = { password = \"high\", pasword = \"low\" }", "pasword"),
        ("hosts = [\"h\", \"x y\"]", "\"x y\""),
        ("base = \"/\"", "\"/\""),
    ] {
        let span = toml::from_str::<Policy>(text).unwrap_err().span();
        assert_eq!(span.and_then(|span| text.get(span)), Some(wrong), "{text}");
    }
}

/// What an answer names is judged by the peer that answered: its scheme, its port and its reach.
#[test]
fn what_answers_name() {
    let public = Ipv4Addr::new(93, 184, 215, 14);
    let private = Ipv4Addr::new(10, 0, 0, 7);
    for (url, address, reference, expected) in [
        ("http://www.example.com/", public, "https://www.example.org/", None),
        ("https://www.example.com/", public, "https://www.example.org/", None),
        ("https://www.example.com/", public, "http://www.example.com/", Some("AnswerScheme")),
        ("https://www.example.com/", public, "HTTP://www.example.com:443/", Some("AnswerScheme")),
        ("http://www.example.com/", public, "//10.0.0.1/", Some("Narrower")),
        ("http://www.example.com/", public, "http://printer/", Some("Narrower")),
        ("http://www.example.com/", public, "http://localhost/", Some("Narrower")),
        ("http://www.example.com/", public, "http://[64:ff9b::a00:1]/", Some("Narrower")),
        ("http://www.example.com/", public, "http://www.example.org:25/", Some("AnswerPort")),
        ("http://www.example.com/", public, "http://www.example.org:82/", Some("AnswerPort")),
        ("http://www.example.com/", public, "http://www.example.org:443/", Some("AnswerPort")),
        ("http://www.example.com/", public, "http://www.example.org:8080/", None),
        ("http://www.example.com:82/", public, "/a", None),
        ("http://www.example.com:82/", public, "http://www.example.com:83/", Some("AnswerPort")),
        ("http://www.example.com/", public, "ftp://www.example.com/", Some("AnswerScheme")),
        ("http://www.example.com/", public, "gopher://www.example.com/", Some("AnswerScheme")),
        ("http://www.example.com/", public, "file://www.example.com/etc/passwd", Some("Scheme")),
        ("http://www.example.com/", public, "file:///etc/passwd", Some("Scheme")),
        ("http://www.example.com/", public, "data:,a", Some("Scheme")),
        ("http://www.example.com/", public, "mailto:a@example.com", Some("Scheme")),
        ("http://www.example.com/", public, "javascript:alert(1)", Some("Scheme")),
        ("http://www.example.com/", public, "http://www.example.org\\@localhost/", Some("Invalid")),
        ("http://www.example.com/", public, "http://10.0.0.1.nip.io/", Some("Findings")),
        ("gopher://www.example.com/", public, "http://www.example.com/", None),
        ("gopher://www.example.com/", public, "ftp://www.example.com/", None),
        ("gopher://www.example.com/", public, "telnet://www.example.com/", Some("AnswerScheme")),
        ("gopher://www.example.com/", public, "gopher://mail.example.com:25/", Some("AnswerPort")),
        ("gopher://www.example.com/", public, "gopher://www.example.com:79/", Some("AnswerPort")),
        ("http://printer/", private, "http://10.0.0.1/", None),
        ("http://printer/", private, "http://www.example.com/", None),
        ("http://printer/", private, "http://localhost/", Some("Narrower")),
        ("http://printer/", private, "http://metadata.google.internal/", Some("Narrower")),
        ("http://printer/", private, "http://169.254.1.1/", Some("Narrower")),
        ("http://printer/", private, "http://100.64.0.1/", None),
        ("http://printer/", private, "http://[fd12::1]/", None),
        ("http://printer/", private, "http://100.100.100.200/", Some("Narrower")),
        ("http://printer/", private, "http://0.0.0.0/", Some("Narrower")),
        ("http://printer/", private, "http://app.localhost/", Some("Narrower")),
        ("http://printer/", private, "http://[2002:7f00:1::1]/", Some("Narrower")),
        ("http://printer/", private, "http://2130706433/", Some("HostForm")),
        ("http://printer/", private, "http://0177.1/", Some("HostForm")),
        ("http://app.test/", Ipv4Addr::LOCALHOST, "http://app.test/login", None),
        ("http://app.test/", Ipv4Addr::LOCALHOST, "https://app.test/login", None),
        ("http://app.test/", private, "http://app.test/login", None),
        ("http://app.test/", Ipv4Addr::LOCALHOST, "http://other.test/", Some("Narrower")),
        ("http://www.example.com/", public, "http://app.test/", Some("Narrower")),
        ("http://localhost/", Ipv4Addr::LOCALHOST, "http://127.0.0.1:11211/", Some("AnswerPort")),
        ("http://localhost/", Ipv4Addr::LOCALHOST, "http://127.0.0.1:9100/", Some("AnswerPort")),
        ("http://localhost/", Ipv4Addr::LOCALHOST, "http://127.0.0.1:8080/", None),
        ("http://localhost/", Ipv4Addr::LOCALHOST, "http://127.0.0.1:6379/", Some("AnswerPort")),
    ] {
        let policy = Policy::typed();
        let target = policy.check(url).unwrap_or_else(|refusal| panic!("{url}: {refusal}"));
        let peer = target.peer(address).unwrap();
        let reason = policy.follow(&peer, reference).err().map(|refusal| format!("{:?}", refusal.reason()));
        let reason = reason.as_deref().map(|reason| reason.split([' ', '(']).next().unwrap());
        assert_eq!(reason, expected, "{url} names {reference}");
    }
    let policy = Policy::typed().web_to_ftp(true);
    let target = policy.check("http://www.example.com/").unwrap();
    assert!(policy.follow(&target.peer(public).unwrap(), "ftp://ftp.example.com/").is_ok());
    // What is reserved is in no network, so it is not trusted like this machine.
    let policy = Policy::typed();
    let target = policy.check("http://198.18.0.1/").unwrap();
    let peer = target.peer(Ipv4Addr::new(198, 18, 0, 1)).unwrap();
    for (url, is_allowed) in [
        ("http://198.18.0.1/a", true),
        ("http://www.example.com/", true),
        ("http://10.0.0.1/", false),
        ("http://169.254.169.254/", false),
        ("http://localhost/", false),
    ] {
        assert_eq!(policy.follow(&peer, url).is_ok(), is_allowed, "{url}");
    }
    let policy = Policy::typed().web_to_ftp(true);
    let target = policy.check("http://www.example.com/").unwrap();
    // The addresses of what was named are judged, too, now and after the next answer.
    let next = policy.follow(&target.peer(public).unwrap(), "http://www.example.org/").unwrap();
    assert!(next.peer(public).is_ok() && next.peer(private).is_err());
    let inside = policy.check("http://printer/").unwrap();
    let outside = policy.follow(&inside.peer(private).unwrap(), "http://www.example.org/").unwrap();
    assert!(policy.follow(&outside.peer(public).unwrap(), "http://printer/").is_err());
    // An allowed block does not make an answer lead inwards.
    let policy = Policy::public_web().allow_block(Ipv4Addr::new(10, 0, 0, 0), 8);
    let target = policy.check("http://www.example.com/").unwrap();
    assert!(policy.check("http://10.0.0.7/").is_ok());
    assert!(policy.follow(&target.peer(public).unwrap(), "http://10.0.0.7/").is_err());
    assert!(policy.follow(&target.peer(private).unwrap(), "http://10.0.0.7/").is_ok());
    // A port that the policy lists is allowed.
    let policy = Policy::public_web().ports([80, 81]);
    let target = policy.check("http://www.example.com/").unwrap();
    assert!(policy.follow(&target.peer(public).unwrap(), "http://www.example.org:81/").is_ok());
}

/// `Alt-Svc`, SVCB records and the addresses of FTP are other places for one URL.
#[test]
fn other_places() {
    let public = Ipv4Addr::new(93, 184, 215, 14);
    let policy = Policy::typed().hosts(["*.example.com"]).deny_hosts(["old.example.com"]).deny_ports([8443]);
    let target = policy.check("https://www.example.com/a?b").unwrap();
    let peer = target.peer(public).unwrap();
    for (host, port, expected) in [
        ("", 443, Some("www.example.com.")),
        (".", 443, Some("www.example.com.")),
        ("alt.example.com", 443, Some("alt.example.com.")),
        ("ALT.example.com.", 50_000, Some("alt.example.com.")),
        ("alt.example.net", 443, None),
        ("old.example.com", 443, None),
        ("alt.example.com", 8443, None),
        ("alt.example.com", 0, None),
        ("alt.example.com", 22, None),
        ("alt.example.com", 80, None),
        ("alt.example.com@localhost", 443, None),
        ("alt.example.com/", 443, None),
        ("alt.example.com:1", 443, None),
        ("0x7f.1", 443, None),
        ("..", 443, None),
    ] {
        let found = policy.alternative(&peer, host, port);
        assert_eq!(found.as_ref().ok().map(|target| target.name_to_look_up()).as_deref(), expected, "{host}");
        let Ok(found) = found else { continue };
        assert_eq!((found.as_str(), found.host(), found.port()), (target.as_str(), target.host(), 443));
        assert_eq!(found.addresses([public]).unwrap()[0].port(), port);
        assert!(found.addresses([Ipv4Addr::new(10, 0, 0, 1)]).is_err());
        assert_eq!(found.peer(public).unwrap().target().as_str(), target.as_str());
    }
    // An address in place of the host, and a host in place of an address.
    let policy = Policy::public_web();
    let target = policy.check("https://8.8.8.8/").unwrap();
    let peer = target.peer(Ipv4Addr::new(8, 8, 8, 8)).unwrap();
    let other = policy.alternative(&peer, "1.1.1.1", 443).unwrap();
    assert_eq!((other.name_to_look_up().as_str(), other.host()), ("1.1.1.1", "8.8.8.8"));
    assert!(
        other.permit(Ipv4Addr::new(1, 1, 1, 1)).is_ok() && other.permit(Ipv4Addr::new(8, 8, 8, 8)).is_err()
    );
    let named = policy.alternative(&peer, "dns.example.com", 443).unwrap();
    assert!(named.address().is_none() && named.permit(public).is_ok());
    assert!(policy.alternative(&peer, "10.0.0.1.nip.io", 443).is_err());
    assert!(policy.alternative(&peer, "[::ffff:8.8.8.8]", 443).is_err());
    let back = policy.alternative(&named.peer(public).unwrap(), "", 443).unwrap();
    assert_eq!(back.address(), Some(Ipv4Addr::new(8, 8, 8, 8).into()));

    let ftp = Policy::typed().deny_block(Ipv4Addr::new(9, 9, 9, 9), 32).deny_ports([50_001]);
    let target = ftp.check("ftp://ftp.example.com/").unwrap();
    let peer = target.peer(public).unwrap();
    for (address, port, is_allowed) in [
        ("93.184.215.14", 50_000, true),
        ("::ffff:93.184.215.14", 50_000, true),
        ("8.8.8.8", 50_000, true),
        ("93.184.215.14", 50_001, false),
        ("93.184.215.14", 1023, false),
        ("93.184.215.14", 0, false),
        ("93.184.215.14", 6667, false),
        ("9.9.9.9", 50_000, false),
        ("10.0.0.1", 50_000, false),
        ("127.0.0.1", 50_000, false),
        ("64:ff9b::a00:1", 50_000, false),
    ] {
        let found = ftp.data_address(&peer, address.parse::<IpAddr>().unwrap(), port);
        assert_eq!(found.is_ok(), is_allowed, "{address} {port}");
    }
    let named = Policy::typed().hosts(["ftp.example.com"]);
    let target = named.check("ftp://ftp.example.com/").unwrap();
    let peer = target.peer(public).unwrap();
    assert!(named.data_address(&peer, public, 50_000).is_ok());
    assert!(named.data_address(&peer, Ipv4Addr::new(8, 8, 8, 8), 50_000).is_err());
}

/// Where a client connects for what an answer named is judged by the peer; what the user chose is not.
#[test]
fn endpoints_after_an_answer() {
    let policy = Policy::typed();
    let target = policy.check("prospero://www.example.com/a").unwrap();
    let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14)).unwrap();
    for (scheme, host, port, is_named, is_chosen) in [
        ("gopher", "www.example.com", 70, true, true),
        ("ftp", "10.0.0.1", 21, false, true),
        ("ftp", "localhost", 21, false, true),
        ("ftp", "www.example.com", 25, false, true),
        ("ftp", "www.example.com", 2121, true, true),
        ("ftp", "0x7f.1", 21, false, false),
    ] {
        assert_eq!(policy.named_endpoint(&peer, scheme, host, port).is_ok(), is_named, "{host}:{port}");
        assert_eq!(policy.endpoint(scheme, host, port).is_ok(), is_chosen, "{host}:{port}");
    }
    let named = policy.named_endpoint(&peer, "gopher", "www.example.org", 70).unwrap();
    for address in ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]
    {
        let address = address.parse::<IpAddr>().unwrap();
        assert!(named.addresses([address]).is_err(), "{address}");
        assert!(named.addresses([Ipv4Addr::new(93, 184, 215, 14).into(), address]).is_err(), "{address}");
    }
}

/// A connection that was made to an address has that address at its other end.
#[test]
fn peers_of_connections() {
    let policy = Policy::typed();
    let target = policy.check("http://www.example.com/").unwrap();
    for (address, peer, is_right) in [
        ("93.184.215.14", "93.184.215.14", true),
        ("93.184.215.14", "::ffff:93.184.215.14", true),
        ("93.184.215.14", "127.0.0.1", false),
        ("93.184.215.14", "10.0.0.1", false),
        ("0.0.0.0", "127.0.0.1", true),
        ("::", "::1", true),
        ("0.0.0.0", "10.0.0.1", false),
        ("127.0.0.1", "0.0.0.0", false),
    ] {
        let (address, peer) = (address.parse::<IpAddr>().unwrap(), peer.parse::<IpAddr>().unwrap());
        assert_eq!(target.connected(address, peer).is_ok(), is_right, "{address} {peer}");
    }
    let target = Policy::public_web().check("http://www.example.com/").unwrap();
    assert!(target.connected(Ipv4Addr::LOCALHOST, Ipv4Addr::LOCALHOST).is_err());
}

/// `localhost` is this machine, whatever a resolver says; `onion` is not asked for.
#[test]
fn names_that_are_not_looked_up() {
    let policy = Policy::typed();
    for (host, expected) in [
        ("localhost", Some(2)),
        ("LOCALHOST", Some(2)),
        ("a.b.localhost", Some(2)),
        ("notlocalhost", None),
        ("localhost.example.com", None),
        ("www.example.com", None),
        ("10.0.0.1", Some(1)),
        ("[::1]", Some(1)),
    ] {
        let target = policy.check(&format!("http://{host}/")).unwrap();
        let known = target.known_addresses().unwrap();
        assert_eq!(known.as_ref().map(Vec::len), expected, "{host}");
        if let Some(known) = known.filter(|known| known.len() == 2) {
            assert!(known.iter().all(IpAddr::is_loopback) && target.addresses(known).is_ok());
        }
    }
    for host in ["onion", "example.onion", "EXAMPLE.ONION"] {
        let target = policy.check(&format!("http://{host}/")).unwrap();
        assert_eq!(target.known_addresses().unwrap_err().reason(), &RefusalReason::Onion, "{host}");
    }
    assert!(Policy::public_web().check("http://example.onion/").is_err());
}

/// What is refused is said in one word, which can be allowed.
#[test]
fn what_is_allowed_in_addition() {
    let policy = Policy::public_network();
    let peer_policy = Policy::typed();
    let target = peer_policy.check("http://www.example.com/").unwrap();
    let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14)).unwrap();
    for (url, value) in [
        ("file:///etc/passwd", Some("file")),
        ("x-own://www.example.com/", Some("x-own")),
        ("http://10.0.0.1/", Some("10.0.0.1")),
        ("http://[FD00::1]/", Some("fd00::1")),
        ("http://Printer/", Some("printer")),
        ("http://h:0/", None),
        ("/a", None),
    ] {
        assert_eq!(policy.check(url).unwrap_err().value().as_deref(), value, "{url}");
    }
    let refusal = peer_policy.follow(&peer, "http://www.example.com:81/").unwrap_err();
    assert_eq!(refusal.value().as_deref(), Some("81"));
    let refusal = Policy::public_web().check("gopher://www.example.com/").unwrap_err();
    assert_eq!(refusal.value().as_deref(), Some("gopher"));

    let ten = Ipv4Addr::new(10, 0, 0, 1);
    let policy = Policy::public_web().allow_schemes(["FTP", "data"]).allow_ports([21]);
    let policy =
        policy.allow_hosts(["printer", "*.intranet.example.com", "10.0.0.2"]).hosts(["*.example.org"]);
    for (url, is_allowed) in [
        ("ftp://ftp.example.org/", true),
        ("http://printer/", true),
        ("http://10.0.0.2/", true),
        ("http://a.intranet.example.com/", true),
        ("http://intranet.example.com/", false),
        ("http://www.example.net/", false),
        ("gopher://www.example.org/", false),
        ("http://10.0.0.1/", false),
    ] {
        assert_eq!(policy.check(url).is_ok(), is_allowed, "{url}: {:?}", policy.check(url));
    }
    assert!(policy.allows_scheme("data") && !policy.allows_scheme("file"));
    assert!(policy.check("http://printer/").unwrap().permit(ten).is_ok());
    assert!(policy.check("http://www.example.org/").unwrap().permit(ten).is_err());
    // What is denied stays so, and no answer leads inwards.
    let denied = policy.clone().deny_hosts(["printer"]).deny_schemes(["ftp"]).deny_ports([80]);
    assert!(denied.check("http://printer/").is_err() && !denied.allows_scheme("ftp"));
    let target = policy.check("http://www.example.org/").unwrap();
    let peer = target.peer(Ipv4Addr::new(93, 184, 215, 14)).unwrap();
    assert!(policy.follow(&peer, "http://printer/").is_err());
    let wrong = Policy::public_web().allow_hosts(["https://h/", "*"]);
    assert!(wrong.check("http://printer/").is_err());
}

/// The public network: any scheme that connects, and ports that are not those of other protocols.
#[test]
fn the_public_network() {
    let policy = Policy::public_network();
    for (url, is_allowed) in [
        ("gopher://gopher.example.com/", true),
        ("ftp://ftp.example.com:2121/", true),
        ("http://www.example.com:8080/", true),
        ("http://www.example.com:25/", false),
        ("gopher://www.example.com:22/", false),
        ("http://localhost/", false),
        ("http://2130706433/", false),
        ("http://www.example.com\\@localhost/", false),
    ] {
        assert_eq!(policy.check(url).is_ok(), is_allowed, "{url}: {:?}", policy.check(url));
    }
    for scheme in ["file", "data", "mailto", "mid", "cid", "afs", "javascript"] {
        assert!(!policy.allows_scheme(scheme) && Policy::typed().allows_scheme(scheme), "{scheme}");
    }
}

/// A proxy looks names up itself, so the policy must say that it checks them.
#[test]
fn proxies_are_off_unless_they_check() {
    let target = Policy::public_web().check("http://www.example.com/").unwrap();
    assert_eq!(*target.peer_by_proxy().unwrap_err().reason(), RefusalReason::Proxy);
    let policy = Policy::typed().proxy_checks(true);
    let target = policy.check("http://www.example.com/").unwrap();
    let peer = target.peer_by_proxy().unwrap();
    assert_eq!((peer.address(), peer.reach()), (None, Reach::Public));
    assert!(policy.follow(&peer, "http://www.example.org/").is_ok());
    assert!(policy.follow(&peer, "http://printer/").is_err());
    let target = policy.check("http://printer/").unwrap();
    assert!(policy.follow(&target.peer_by_proxy().unwrap(), "http://printer/a").is_ok());
    // A proxy that the program configured is trusted; what is named is judged all the same.
    let policy = Policy::public_web();
    let target = policy.check("http://www.example.com/").unwrap();
    let peer = target.peer_by_own_proxy();
    assert_eq!((peer.address(), peer.reach()), (None, Reach::Public));
    assert!(policy.follow(&peer, "http://www.example.org/").is_ok());
    assert!(policy.follow(&peer, "http://10.0.0.1/").is_err());
    assert_eq!(policy.check_proxy("p.example").unwrap_err().value().as_deref(), Some("p.example"));
    // What may connect to any address may use any proxy.
    for (policy, expected) in [
        (Policy::typed(), true),
        (Policy::typed().proxy_checks(false), false),
        (Policy::typed().deny_block([10, 0, 0, 0], 8), false),
        (Policy::typed().reach(Reach::Private), false),
        (Policy::typed().reach(Reach::Private).proxy_checks(true), true),
        (Policy::public_network(), false),
        (Policy::same_origin("http://localhost/").unwrap(), false),
    ] {
        assert_eq!(policy.uses_proxies(), expected, "{policy:?}");
    }
    // An address of a name that is not in the DNS is not known.
    let target = Policy::typed().check("http://example.onion/").unwrap();
    assert!(Policy::typed().follow(&target.peer_by_own_proxy(), "http://localhost/").is_err());
}

/// What a person types may be any address; what is invalid or ambiguous is refused.
#[test]
fn typed_urls() {
    let policy = Policy::typed();
    for url in [
        "http://localhost:8080/",
        "http://127.0.0.1/",
        "http://[::1]:631/",
        "http://printer/",
        "http://169.254.169.254/",
        "gopher://10.0.0.1:25/",
        "telnet://router:2323/",
        "http://anna:hunter2@www.example.com/",
        "http://www.example.com&story=news@10.0.0.1/",
        "http://10.0.0.1.nip.io/",
    ] {
        assert!(policy.check(url).is_ok(), "{url}: {:?}", policy.check(url));
    }
    for url in [
        "www.example.com",
        "http://0177.0.0.1/",
        "http://www.example.com\\@localhost/",
        "http://h:0/",
        "http://h:65536/",
        "file:///etc/passwd",
        "file://host:80/etc/passwd",
        "mailto:anna@example.com",
        "unknown://host:80/",
    ] {
        assert!(policy.check(url).is_err(), "{url}");
    }
    assert!(policy.refuse(Severity::Medium).check("http://10.0.0.1.nip.io/").is_err());
}

/// A refusal is a finding about the component that it is for.
#[test]
fn a_refusal_is_a_finding() {
    let policy = Policy::public_web();
    for (text, expected) in [
        ("https://www.example.com/", None),
        ("ftp://www.example.com/", Some("ftp")),
        ("http://www.example.com:81/", Some("81")),
        ("http://10.0.0.1/", Some("10.0.0.1")),
        ("http://localhost/", Some("localhost")),
        ("http://a;b@www.example.com/", Some("a;b@www.example.com")),
        ("http://www.example.com/a b", Some(" ")),
        ("/a", Some("/a")),
        ("", Some("")),
        ("file:///etc/passwd", Some("file")),
        ("http://10.0.0.1.nip.io/", Some("10.0.0.1.nip.io")),
    ] {
        let findings = policy.audit(&Auditor::new(), text);
        let refused = findings.iter().find(|finding| finding.code().name() == "refused");
        let place = refused.map(|finding| text.get(finding.span()).expect("it is in the text"));
        assert_eq!(place, expected, "{text}");
        assert!(findings.is_sorted_by_key(|finding| finding.span().start), "{text}");
        assert!(refused.is_none_or(|finding| finding.severity() == Severity::High), "{text}");
    }
    let code = |name| locator_audit::code(name).unwrap();
    assert!(
        policy
            .audit(&Auditor::new(), code("refused").example())
            .iter()
            .any(|finding| finding.code() == code("refused"))
    );
    // The policy sets severities, of what is only reported by it, too.
    let policy = policy.severity(code("not-normal"), Severity::High).severity(code("refused"), Severity::Low);
    let named = |finding: &Finding| format!("{} {}", finding.code().name(), finding.severity());
    let findings = policy.audit(&Auditor::new(), "HTTP://www.example.com/");
    assert_eq!(findings.iter().map(named).collect::<Vec<_>>(), ["not-normal high", "refused low"]);
    assert!(policy.audit(&Auditor::new().least(Severity::Medium), "http://www.example.com:81/").is_empty());
    assert!(policy.audit(&Auditor::new().only(&["password"]), "http://www.example.com:81/").is_empty());
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

    /// An audit by a policy has all findings with the severities of the policy, and what `check` refuses.
    #[test]
    fn an_audit_is_all_findings_and_the_refusal(
        pieces in prop::collection::vec(piece(), 0..8), least in 0_usize..4
    ) {
        let start = ["http://", "", "https://www.example.com", "http://u:pw@h.example.com/"][pieces.len() % 4];
        let (text, least) = (start.to_owned() + &pieces.concat(), Severity::ALL[least]);
        let code = |name| locator_audit::code(name).expect("there is one");
        let changes = [
            vec![],
            vec![(code("password"), Severity::High), (code("userinfo-like-host"), Severity::Info)],
            vec![(code("not-normal"), Severity::Medium), (code("readers-disagree"), Severity::Info)],
        ];
        let origin = Policy::same_origin("https://www.example.com/").expect("it is an origin");
        let denying = Policy::public_web().schemes(["http"]).deny_hosts(["*.org"]).deny_ports([443]);
        for (policy, changed) in [Policy::public_web(), origin, Policy::typed(), denying]
            .iter()
            .flat_map(|policy| changes.iter().map(move |changed| (policy.clone(), changed)))
        {
            let policy = changed.iter().fold(policy, |policy, &(code, severity)| policy.severity(code, severity));
            let mut found: Vec<_> = policy.audit(&Auditor::new().least(least), &text);
            found.retain(|finding| finding.severity() >= least);
            let refusal = policy.check(&text).err().map(|refusal| format!("refused: {refusal}"));
            let (refused, others): (Vec<_>, Vec<_>) =
                found.iter().partition(|finding| finding.code() == code("refused"));
            prop_assert_eq!(refused.first().map(|finding| finding.message().to_owned()), refusal, "{}", text);
            let severity = |finding: &Finding| {
                let own = changed.iter().find(|(code, _)| *code == finding.code());
                own.map_or(finding.severity(), |(_, severity)| *severity)
            };
            let all = Auditor::new().least(Severity::Info).audit(&text);
            let mut expected: Vec<_> = all.iter().map(|one| (one.span().start, one.code().name(), severity(one)))
                .filter(|(_, _, severity)| *severity >= least).collect();
            let mut others: Vec<_> =
                others.iter().map(|one| (one.span().start, one.code().name(), one.severity())).collect();
            expected.sort_unstable();
            others.sort_unstable();
            prop_assert_eq!(others, expected, "{} {:?}", text, changed);
        }
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

/// Ports of other protocols, for every scheme: those that browsers refuse, and those of services that are for
/// programs of the same network.
#[test]
fn ports_of_other_protocols() {
    let policy = Policy::public_network();
    for scheme in ["http", "https", "ftp", "gopher"] {
        for port in [
            22, 25, 6000, 10080, 1433, 2003, 2181, 2375, 2379, 3306, 3389, 4222, 5432, 5672, 6379, 8009,
            9000, 9042, 9092, 9100, 10050, 10051, 11211, 11300, 27017, 61616,
        ] {
            let refusal = policy.check(&format!("{scheme}://www.example.com:{port}/")).expect_err(scheme);
            assert!(format!("{:?}", refusal.reason()).starts_with("Port"), "{scheme} {port}: {refusal}");
        }
    }
    assert!(policy.check("http://www.example.com:8080/").is_ok());
    assert!(Policy::typed().check("http://localhost:9000/").is_ok());
    assert!(policy.allow_ports([9000]).check("http://www.example.com:9000/").is_ok());
}
