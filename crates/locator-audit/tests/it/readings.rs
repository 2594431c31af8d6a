//! The readers of `testdata/readers`: each contacts what its program was seen to contact.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use locator_audit::{self as audit, Outcome, Policy, Readings, Severity, Source};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    string: Vec<Text>,
}

/// A string with its contacts and their readers.
#[derive(Deserialize)]
struct Text {
    input: String,
    source: Option<String>,
    #[serde(default)]
    differs: String,
    #[serde(default)]
    not_run: String,
    #[serde(default)]
    contacts: BTreeMap<String, String>,
}

fn strings(name: &str) -> Vec<Text> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/readers").join(name);
    let text = std::fs::read_to_string(&path).expect("the strings are there");
    toml::from_str::<File>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).string
}

fn all() -> Vec<Text> {
    let mut all = strings("published.toml");
    all.extend(strings("mutations.toml"));
    all
}

fn shown(outcome: &Outcome) -> String {
    outcome.contact().map_or_else(
        || "-".into(),
        |contact| {
            format!(
                "{} {} {}",
                contact.scheme(),
                contact.host(),
                contact.port().expect("such schemes have one")
            )
        },
    )
}

#[test]
fn readers_contact_what_their_programs_contact() {
    let (mut wrong, mut known) = (Vec::new(), 0);
    for text in all() {
        for (reader, outcome) in audit::readings(&text.input).outcomes() {
            // Browsers read as Node 20 does, except where the standard has changed since.
            let is_standard = reader.name() == "url-standard";
            let measured = if is_standard { "node-url" } else { reader.name() };
            let is_named = |names: &str| names.split(' ').any(|name| name == measured);
            // The crates are compared by their own tests.
            let is_crate = ["rust-http", "rust-url"].contains(&reader.name());
            if reader.source() != Source::Measured || is_crate {
                continue;
            }
            if is_named(&text.not_run) {
                continue;
            }
            if is_named(&text.differs) {
                known += 1;
                continue;
            }
            let expected = text.contacts.iter().find(|(_, names)| is_named(names));
            let expected = expected.map_or("-", |(contact, _)| contact);
            let found = shown(outcome);
            // Since June 2026 a domain in ASCII is only lower-cased: "the domain parser", whatwg/url#914.
            let is_changed = is_standard && expected == "-" && found.contains("xn--");
            if found != expected && !is_changed {
                wrong.push(format!("{}: {:?}: {found}, expected {expected}", reader.name(), text.input));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known < 100, "{known} known differences");
}

#[test]
fn strings_are_published_and_name_known_readers() {
    let published = strings("published.toml");
    let is_ours = |text: &&Text| text.source.as_deref().is_none_or(|source| source.starts_with("near: "));
    let ours = published.iter().filter(is_ours).count();
    assert!(published.len() - ours >= 400 && published.iter().all(|text| text.source.is_some()));
    assert_eq!(strings("mutations.toml").len(), 500);
    let mut seen = BTreeSet::new();
    let names = audit::readers().map(audit::Reader::name).collect::<BTreeSet<_>>();
    assert_eq!(names.len(), audit::readers().len());
    for text in all() {
        assert!(seen.insert(text.input.clone()), "{:?} is there twice", text.input);
        let mut named =
            text.contacts.values().chain([&text.differs]).flat_map(|list| list.split_whitespace());
        assert!(named.all(|name| names.contains(name)), "{:?}", text.input);
    }
}

/// Checks that the readers run wherever they differ: what is not run agrees.
fn is_found(text: &str) -> Result<(), String> {
    // White space around a text is not part of it.
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let findings = audit::Auditor::new().least(Severity::Info).audit(text);
    // Findings about a URL within this one are not about its readings.
    let has = |name| findings.iter().any(|finding| finding.code().name() == name && !finding.is_enclosed());
    let found = has("readers-disagree");
    // What IDNA 2003 and IDNA 2008 read differently is only worth a note, which names the hosts as well.
    let is_noted = has("idna-deviation") && !text.is_ascii();
    let readings = audit::readings(text);
    if (found || is_noted) == readings.agree() {
        let contacts = readings.contacts();
        let shown = contacts.iter().map(|found| format!("{} {:?}", found.contact, found.readers));
        return Err(format!("{text:?}: {:?}", shown.collect::<Vec<_>>()));
    }
    assert!(!found || findings.iter().any(|finding| finding.severity() == Severity::High));
    Ok(())
}

#[test]
fn disagreement_is_always_found() {
    let wrong = all().iter().filter_map(|text| is_found(&text.input).err()).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that what a policy allows is read by every program as the policy's own target, or refused.
fn is_safe(text: &str) -> Result<(), String> {
    let Ok(target) = Policy::public_web().check(text) else { return Ok(()) };
    for read in [text, target.as_str()] {
        for (reader, outcome) in audit::readings(read).outcomes() {
            let Some(contact) = outcome.contact().filter(|_| reader.source() == Source::Measured) else {
                continue;
            };
            let host = contact.host().to_string();
            if contact.port() != Some(target.port()) || host != target.host().trim_matches(['[', ']']) {
                return Err(format!(
                    "{text:?} as {read:?}: {contact} by {}, expected {}",
                    reader.name(),
                    target.as_str()
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn what_a_policy_allows_has_one_reading() {
    let mut allowed = 0;
    let mut wrong = Vec::new();
    for text in all() {
        for text in
            [text.input.clone(), text.input.replace("evil", "www.evil.com").replace("good", "www.good.com")]
        {
            allowed += usize::from(Policy::public_web().check(&text).is_ok());
            wrong.extend(is_safe(&text).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(allowed > 30, "{allowed} texts are allowed");
}

#[test]
fn contacts_have_the_own_reading_first() {
    for text in all() {
        let readings = audit::readings(&text.input);
        let contacts = readings.contacts();
        assert!(contacts.iter().skip(1).all(|found| !found.is_own && !found.readers.is_empty()));
        let at_base = readings.at_base();
        let all = contacts.iter().chain(&at_base);
        let counted = all.clone().map(|found| found.readers.len()).sum::<usize>();
        let is_link = |reader: &audit::Reader| !readings.misreads_scheme(reader);
        let contacting = readings.outcomes().filter(|(_, outcome)| outcome.contact().is_some());
        assert_eq!(counted, contacting.filter(|(reader, _)| is_link(reader)).count());
        assert_eq!(all.clone().any(|found| found.is_own), readings.own().contact().is_some());
        assert!(readings.hosts().len() <= contacts.len());
    }
}

#[test]
fn a_scheme_is_no_host_in_contacts() {
    for (text, contacts, arguments) in [
        ("mailto:a@b.example", &[][..], &["http://b.example:80", "ftp://mailto:21"][..]),
        ("foo:bar", &[], &["ftp://foo:21"]),
        ("tel:112", &[], &["http://tel:112"]),
        ("foo://h.example/", &["foo://h.example"], &[]),
        ("javascript:alert(1)", &[], &["ftp://javascript:21"]),
        // The same holds for a host with a port; a scheme that is fetched is read by everybody.
        ("h.example:8080/a", &[], &["http://h.example:8080"]),
        ("localhost:8080", &[], &["http://localhost:8080"]),
        ("http:evil.example", &["http://evil.example:80", "ftp://http:21"], &[]),
        // The base has no name, also if the text contains the one that readers are given.
        ("a/b", &[], &["http://a:80"]),
        ("a?u=http://base.invalid/", &[], &["http://a:80"]),
    ] {
        let readings = audit::readings(text);
        let shown = |found: Vec<audit::Contacted<'_>>| {
            found.iter().map(|found| found.contact.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(shown(readings.contacts()), contacts, "{text}");
        let argued = audit::arguments(text);
        let argued = argued.iter().filter_map(|one| match &one.outcome {
            audit::Argument::Contact(contact) => Some(contact.to_string()),
            _ => None,
        });
        assert_eq!(argued.collect::<Vec<_>>(), arguments, "{text}");
    }
}

#[test]
fn messages_name_contacts_and_no_password() {
    let message = |text| {
        let findings = audit::audit(text);
        let found = findings.iter().find(|finding| finding.code().name() == "readers-disagree");
        found.expect("it is found").message().to_owned()
    };
    let both = message("http://evil.example\\@good.example/");
    assert!(both.starts_with("contacted: http://good.example:80 by Python"), "{both}");
    assert!(both.contains("; http://evil.example:80 by URL Standard"), "{both}");
    let hidden = message("http://anna:x%40s3cret%2f@good.example/");
    assert!(
        hidden.contains("a part of the password by a proxy of wget") && !hidden.contains("s3cret"),
        "{hidden}"
    );
    assert!(message("/\\evil.example").starts_with("contacted: the base, as for a path, by "));
}

#[test]
fn a_base_is_where_references_go() {
    let base = audit::readings("http://10.0.0.1:81/");
    let base = base.own().contact().expect("it has a host");
    let readings = Readings::new("/\\evil.example", Some(base));
    let contacts = readings.contacts();
    assert_eq!(contacts[0].contact, base);
    assert_eq!(contacts[1].contact.to_string(), "http://evil.example:80");
}

/// Checks the reader of the crate `http` with the crate: a host that its users look up, without brackets.
fn is_as_the_crate(text: &str) -> Result<(), String> {
    let base = audit::readings("").own().contact().expect("the base").clone();
    let mut expected = "-".to_owned();
    if let Ok(uri) = text.parse::<http::Uri>() {
        // It does not resolve references.
        if let (Some(scheme), Some(host)) =
            (uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme)), uri.host())
        {
            // What a name is, and an address, is the same for all readers: the host is put into a plain URL.
            let plain = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
            let host = if plain.contains(':') { format!("[{plain}]") } else { plain.to_owned() };
            let port = uri.port_u16().map_or_else(String::new, |port| format!(":{port}"));
            let php = audit::readers().find(|reader| reader.name() == "php").expect("it is there");
            expected = shown(&php.read(&format!("{scheme}://{host}{port}/"), &base));
        }
    }
    let reader = audit::readers().find(|reader| reader.name() == "rust-http").expect("it is there");
    let found = shown(&reader.read(text, &base));
    let is_fetched = expected.starts_with("http");
    if found == expected || !is_fetched && found == "-" {
        Ok(())
    } else {
        Err(format!("{text:?}: {found}, expected {expected}"))
    }
}

#[test]
fn the_crate_http_is_read_as_it_reads() {
    let wrong = all().iter().filter_map(|text| is_as_the_crate(&text.input).err()).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #[test]
    fn the_crate_http_is_read_as_it_reads_in_pieces(
        start in prop::sample::select(vec!["http://", "https://", "", "/", "HTTP://"]),
        text in pieces(),
    ) {
        prop_assert_eq!(is_as_the_crate(&(start.to_owned() + &text)), Ok(()));
    }
}

/// Checks the reader of the crate `url` with the crate.
fn is_as_the_crate_url(text: &str) -> Result<(), String> {
    let base = audit::readings("").own().contact().expect("the base").clone();
    let reader = audit::readers().find(|reader| reader.name() == "rust-url").expect("it is there");
    let url = url::Url::parse(&format!("{base}/")).expect("it is a URL").join(text).ok();
    let host = |url: &url::Url| match url.host() {
        Some(url::Host::Ipv6(address)) => address.to_canonical().to_string(),
        host => host.map_or_else(String::new, |host| host.to_string()),
    };
    let expected = match &url {
        Some(url) if url.scheme() == "file" => "file".into(),
        Some(url) if ["http", "https", "ws", "wss", "ftp"].contains(&url.scheme()) => host(url),
        _ => "-".into(),
    };
    let found = match reader.read(text, &base) {
        Outcome::Contact(contact) => {
            let url = url.as_ref().ok_or_else(|| format!("{text:?}: {contact}, expected an error"))?;
            let is_same = contact.scheme() == url.scheme() && contact.port() == url.port_or_known_default();
            if is_same { contact.host().to_string() } else { contact.to_string() }
        }
        Outcome::Returned(host) => host,
        Outcome::File => "file".into(),
        _ => "-".into(),
    };
    if found == expected { Ok(()) } else { Err(format!("{text:?}: {found}, expected {expected}")) }
}

#[test]
fn the_crate_url_is_read_as_it_reads() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/wpt/urltestdata.json");
    let mut texts: Vec<String> = all().into_iter().map(|text| text.input).collect();
    match std::fs::read_to_string(&path) {
        Ok(cases) => {
            // Lone surrogates are no text.
            let cases = cases.split("\\u").map(|part| match part.as_bytes() {
                [b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..] => format!("FFFD{}", &part[4..]),
                _ => part.to_owned(),
            });
            let cases = cases.collect::<Vec<_>>().join("\\u");
            let cases: Vec<serde_json::Value> = serde_json::from_str(&cases).expect("JSON");
            texts.extend(cases.iter().filter_map(|case| Some(case["input"].as_str()?.to_owned())));
        }
        Err(error) => eprintln!("{}: {error}, so the browsers' cases were not compared", path.display()),
    }
    let wrong = texts.iter().filter_map(|text| is_as_the_crate_url(text).err()).collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_crate_url_is_read_as_it_reads_in_pieces(
        start in prop::sample::select(vec!["http://", "https:", "", "/", "//", "\\", "HTTP:/", "ws://", "file:"]),
        text in pieces(),
    ) {
        prop_assert_eq!(is_as_the_crate_url(&(start.to_owned() + &text)), Ok(()));
    }
}

proptest! {
    /// The IPv4 forms that the checks ascribe to browsers.
    #[test]
    fn addresses_of_browsers_are_those_of_the_parser(
        parts in prop::collection::vec("0[xX]?[0-9a-fA-F]{0,9}|[0-9]{1,11}|0{1,3}[0-7]{1,3}|[a-fx]{0,2}", 1..6),
        end in "[.]{0,2}",
    ) {
        let host = parts.join(".") + &end;
        let parsed = locator_whatwg::Url::parse(&format!("http://{host}/")).ok();
        let address = parsed.and_then(|url| match url.host() {
            Some(locator_whatwg::Host::Ipv4(address)) => Some(address),
            _ => None,
        });
        prop_assert_eq!(locator::AddressReader::Url.read(&host), address, "{}", host);
    }
}

/// Pieces of which texts are made: what readers treat differently, and what they do not.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "http",
        "https",
        "HTTP",
        "ftp",
        "ws",
        "foo",
        ":",
        "://",
        "//",
        "/",
        "\\",
        "@",
        "?",
        "#",
        "good.example",
        "evil",
        "a",
        "1",
        "80",
        ":80",
        ":0",
        ":080",
        ":",
        "127.0.0.1",
        "0177.1",
        "0x7f",
        "08",
        ".",
        "..",
        "[::1]",
        "[",
        "]",
        "%2f",
        "%65",
        "%",
        "%zz",
        "\t",
        "\n",
        " ",
        "\0",
        "\u{1}",
        "ü",
        "ß",
        "。",
        "／",
        "①",
        "\u{a0}",
        "\u{feff}",
        ";",
        "&",
        "_",
        "-",
        "~",
        "*",
        "+",
        ",",
        "=",
        "!",
        "$",
        "'",
        "\"",
        "<",
        ">",
        "^",
        "`",
        "{",
        "|",
        "}",
        "user:pw@",
        "url:",
        "jar:",
        "!/",
        "file:",
        "ftp.",
        "xn--a",
    ]);
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

/// What Java, Python, curl and browsers do with files and with schemes that they take off, as
/// `scripts/compare/readers` saw it.
#[test]
fn schemes_are_taken_off_and_files_opened() {
    let shown = |text: &str, name: &str| {
        let readings = Readings::new(text, None);
        let (_, outcome) = readings.outcomes().find(|(reader, _)| reader.name() == name).unwrap();
        match outcome {
            Outcome::Contact(contact) => contact.to_string(),
            Outcome::File => "file".into(),
            _ => "-".to_owned(),
        }
    };
    for (text, expected) in [
        ("file:///etc/passwd", ["file", "file", "file", "file", "-"]),
        ("FILE:/etc/passwd", ["file", "file", "file", "file", "-"]),
        ("file:a", ["file", "file", "-", "file", "-"]),
        ("file://localhost/a", ["file", "file", "file", "file", "-"]),
        ("file://127.0.0.1/a", ["ftp://127.0.0.1:21", "file", "file", "file", "-"]),
        // The standard has no port in a file URL: ":" is a forbidden host code point ("file host state").
        ("file://h.example:99/a", ["ftp://h.example:21", "-", "-", "-", "-"]),
        ("url:http://h.example/", ["http://h.example:80", "-", "-", "-", "-"]),
        ("URL: http://h.example/", ["https://base.invalid:443", "http://h.example:80", "-", "-", "-"]),
        ("URL:file:///a", ["file", "file", "-", "-", "-"]),
        ("url:url:http://h.example/", ["-", "-", "-", "-", "-"]),
        ("jar:http://h.example!/", ["http://h.example:80", "-", "-", "-", "-"]),
        ("jar:url:http://h.example/a!/b", ["http://h.example:80", "-", "-", "-", "-"]),
        ("JAR:file:///a!/b", ["file", "-", "-", "-", "-"]),
        ("jar:http://h.example/", ["-", "-", "-", "-", "-"]),
        ("jar:/a!/b", ["-", "-", "-", "-", "-"]),
    ] {
        let names = ["java-url", "python-urlopen", "curl", "url-standard", "python-requests"];
        assert_eq!(names.map(|name| shown(text, name)), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn readers_run_wherever_they_differ(text in pieces()) {
        prop_assert_eq!(is_found(&text), Ok(()));
    }

    #[test]
    fn readers_run_wherever_they_differ_after_a_host(
        start in prop::sample::select(vec!["http://", "https://", "ftp://", "ws://", "//", "/", "http:", "", "x:", "HTTPS://"]),
        text in pieces(),
    ) {
        prop_assert_eq!(is_found(&(start.to_owned() + &text)), Ok(()));
    }

    #[test]
    fn what_a_policy_allows_has_one_reading_in_pieces(
        start in prop::sample::select(vec!["http://", "https://", "https://www.good.com", "http://www.good.com", "HTTP://WWW.good.com"]),
        text in pieces(),
        end in prop::sample::select(vec!["", "www.good.com/", "/", "@www.good.com"]),
    ) {
        prop_assert_eq!(is_safe(&(start.to_owned() + &text + end)), Ok(()));
    }

    #[test]
    fn no_reader_panics(text in any::<String>()) {
        prop_assert_eq!(is_found(&text), Ok(()));
    }
}
