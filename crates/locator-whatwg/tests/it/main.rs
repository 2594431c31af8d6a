//! The browsers' tests of the URL Standard (web-platform-tests), from `../shared/wpt` beside the
//! repository. Where that folder is missing, the tests say so.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that panics has failed")]

mod laws;
mod secrets;

use std::path::PathBuf;

use locator_whatwg::{Host, ParseError, Url, quirks, validate};
use serde_json::Value;

fn data(name: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/wpt").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{} is missing, so nothing was compared", path.display());
        return None;
    };
    let text = without_lone_surrogates(&text);
    Some(serde_json::from_str(&text).unwrap())
}

/// Replaces escapes of lone surrogates, which are no text here.
fn without_lone_surrogates(json: &str) -> String {
    let unit = |at: usize| {
        let digits = json.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let is = |unit: Option<u16>, range: std::ops::Range<u16>| unit.is_some_and(|unit| range.contains(&unit));
    let (mut out, mut at) = (String::new(), 0);
    while at < json.len() {
        let first = unit(at);
        let length = match first {
            Some(_) if is(first, 0xD800..0xDC00) && is(unit(at + 6), 0xDC00..0xE000) => 12,
            Some(_) => 6,
            None if json[at..].starts_with('\\') => 2,
            None => json[at..].chars().next().unwrap().len_utf8(),
        };
        let is_lone = length == 6 && is(first, 0xD800..0xE000);
        out.push_str(if is_lone { "\\uFFFD" } else { &json[at..at + length] });
        at += length;
    }
    out
}

fn attribute(url: &Url, name: &str) -> String {
    match name {
        "href" => quirks::href(url).to_owned(),
        "origin" => quirks::origin(url),
        "protocol" => quirks::protocol(url).to_owned(),
        "username" => quirks::username(url).to_owned(),
        "password" => quirks::password(url).to_owned(),
        "host" => quirks::host(url).to_owned(),
        "hostname" => quirks::hostname(url).to_owned(),
        "port" => quirks::port(url).to_owned(),
        "pathname" => quirks::pathname(url).to_owned(),
        "search" => quirks::search(url).to_owned(),
        "hash" => quirks::hash(url).to_owned(),
        _ => panic!("{name}"),
    }
}

fn set(url: &mut Url, name: &str, value: &str) {
    // A setter that fails changes nothing, or as much as the standard says.
    let _ = match name {
        "href" => quirks::set_href(url, value).map_err(|_| ()),
        "protocol" => quirks::set_protocol(url, value),
        "username" => quirks::set_username(url, value),
        "password" => quirks::set_password(url, value),
        "host" => quirks::set_host(url, value),
        "hostname" => quirks::set_hostname(url, value),
        "port" => quirks::set_port(url, value),
        "pathname" => {
            quirks::set_pathname(url, value);
            Ok(())
        }
        "search" => {
            quirks::set_search(url, value);
            Ok(())
        }
        "hash" => {
            quirks::set_hash(url, value);
            Ok(())
        }
        _ => panic!("{name}"),
    };
}

fn parse(input: &str, base: Option<&str>) -> Option<Url> {
    match base {
        Some(base) => Url::parse(base).ok()?.join(input).ok(),
        None => Url::parse(input).ok(),
    }
}

#[test]
fn urltestdata() {
    let Some(cases) = data("urltestdata.json") else { return };
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases.iter().filter(|case| case.is_object()) {
        count += 1;
        let (input, base) = (case["input"].as_str().unwrap(), case["base"].as_str());
        let url = parse(input, base);
        if case["failure"] == true {
            if let Some(url) = url {
                wrong.push(format!("{input:?} {base:?}: {url}"));
            }
            continue;
        }
        let Some(url) = url else {
            wrong.push(format!("{input:?} {base:?}: failure"));
            continue;
        };
        for name in [
            "href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname",
            "search", "hash",
        ] {
            if let Some(expected) = case[name].as_str() {
                let found = attribute(&url, name);
                if found != expected {
                    wrong.push(format!("{input:?} {base:?} {name}: {found:?}, not {expected:?}"));
                }
            }
        }
        let again = Url::parse(url.as_str()).unwrap();
        if again.as_str() != url.as_str() {
            wrong.push(format!("{url} is parsed as {again}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn constants() {
    let Some(cases) = data("urltestdata.json") else { return };
    for case in cases.iter().filter(|case| case.is_object()) {
        for text in [&case["input"], &case["href"]].iter().filter_map(|text| text.as_str()) {
            let parsed = Url::parse(text);
            assert_eq!(Url::can_parse(text), parsed.is_ok(), "{text:?}");
            laws::a_constant_is_what_is_parsed(text, &parsed);
        }
    }
}

#[test]
fn setters() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/wpt/setters_tests.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{} is missing, so nothing was compared", path.display());
        return;
    };
    let all: Value = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for (name, cases) in all.as_object().unwrap() {
        if name == "comment" {
            continue;
        }
        for case in cases.as_array().unwrap() {
            let href = case["href"].as_str().unwrap();
            let mut url = Url::parse(href).unwrap();
            let value = case["new_value"].as_str().unwrap();
            set(&mut url, name, value);
            for (attribute_name, expected) in case["expected"].as_object().unwrap() {
                if attribute_name == "searchParams" {
                    continue;
                }
                let found = attribute(&url, attribute_name);
                if found != expected.as_str().unwrap() {
                    wrong
                        .push(format!("{href} {name}={value:?} {attribute_name}: {found:?}, not {expected}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn to_ascii() {
    let Some(cases) = data("toascii.json") else { return };
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().unwrap();
        let found = Url::parse(&format!("https://{input}/x")).ok().map(|url| quirks::host(&url).to_owned());
        if found.as_deref() != case["output"].as_str() {
            wrong.push(format!("{input:?}: {found:?}, not {}", case["output"]));
        }
        for setter in ["host", "hostname"] {
            let mut url = Url::parse("https://x/x").unwrap();
            set(&mut url, setter, input);
            if quirks::host(&url) != case["output"].as_str().unwrap_or("x") {
                wrong.push(format!("{setter} {input:?}: {url}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn idna() {
    for name in ["IdnaTestV2.json", "IdnaTestV2-removed.json"] {
        let Some(cases) = data(name) else { return };
        let mut wrong = Vec::new();
        for case in cases.iter().filter(|case| case.is_object()) {
            let input = case["input"].as_str().unwrap();
            // The address of "https:///x" is that of "https://x"; U+3E8AC is unassigned in Unicode 17, which
            // the file is of, and assigned in 18, which `idna` has.
            if input.is_empty() || input.contains(['\u{FFFD}', '\u{3E8AC}']) {
                continue;
            }
            // As the tests of browsers do: what is a delimiter of URLs is escaped.
            let escaped: String = input
                .chars()
                .map(|c| {
                    if "#%/:?@[\\]^|\u{9}\n\r <>".contains(c) {
                        format!("%{:02X}", u32::from(c))
                    } else {
                        c.to_string()
                    }
                })
                .collect();
            let found =
                Url::parse(&format!("https://{escaped}/x")).ok().map(|url| quirks::host(&url).to_owned());
            if found.as_deref() != case["output"].as_str() {
                wrong.push(format!("{input:?}: {found:?}, not {}", case["output"]));
            }
        }
        assert!(wrong.is_empty(), "{name} {}:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The query and the fragment of a document in UTF-8.
#[test]
fn percent_encoding() {
    let Some(cases) = data("percent-encoding.json") else { return };
    for case in cases.iter().filter(|case| case.is_object()) {
        let (input, output) = (case["input"].as_str().unwrap(), case["output"]["utf-8"].as_str().unwrap());
        let url = Url::parse(&format!("https://doesnotmatter.invalid/?{input}#{input}")).unwrap();
        assert_eq!((url.query(), url.fragment()), (Some(output), Some(output)), "{input}");
    }
}

#[test]
fn a_failure_is_reported_and_only_a_failure() {
    let Some(cases) = data("urltestdata.json") else { return };
    for case in cases.iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().unwrap();
        let base = case["base"].as_str().map(Url::parse);
        let Ok(base) = base.transpose() else { continue };
        let errors = validate(input, base.as_ref());
        let has_failed = errors.last().is_some_and(locator_whatwg::ValidationError::is_failure);
        let parsed = match &base {
            Some(base) => base.join(input),
            None => Url::parse(input),
        };
        assert_eq!(has_failed, parsed.is_err(), "{input:?}: {errors:?}");
        for error in errors {
            assert!(input.get(error.span()).is_some(), "{input:?}: {error}");
        }
    }
}

/// Unicode's own file, with the rules for right-to-left labels, which that of the browsers leaves out.
#[test]
fn idna_of_unicode() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/wpt/IdnaTestV2.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{} is missing, so nothing was compared", path.display());
        return;
    };
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && line.contains(';')) {
        let columns: Vec<&str> = line.split(';').map(str::trim).collect();
        let value = |index: usize, otherwise: String| match columns[index] {
            "" => otherwise,
            "\"\"" => String::new(),
            text => unescaped(text),
        };
        let source = value(0, String::new());
        // Of ASCII the standard says less; the two others are of Unicode 18.
        if source.is_ascii() || source.contains('\u{3E8AC}') {
            continue;
        }
        let ascii = value(3, value(1, source.clone()));
        let status = [columns[4], columns[2]].into_iter().find(|status| !status.is_empty()).unwrap_or("[]");
        // What CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength would find.
        let ignored = ["", "U1", "V2", "V3", "A4_1", "A4_2"];
        let is_failure = status.trim_matches(['[', ']']).split(", ").any(|code| !ignored.contains(&code));
        let is_host = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=`{}\"".contains(c);
        if !is_failure && (ascii.is_empty() || !ascii.chars().all(is_host)) {
            continue;
        }
        let found = Host::parse(&source).map(|host| host.to_string());
        count += 1;
        let is_number = found.as_deref().is_ok_and(|host| host.parse::<std::net::Ipv4Addr>().is_ok());
        let is_right = match &found {
            Ok(host) => !is_failure && (is_number || *host == ascii),
            // A last label of digits that is no address.
            Err(error) => is_failure || *error == ParseError::InvalidIpv4Address,
        };
        if !is_right {
            wrong.push(format!("{source:?}: {found:?}, not {ascii:?} {status}"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 4000, "{count}");
}

/// Replaces `\uXXXX` and `\x{XXXX}`.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (digits, after) = match rest[at + 1..].strip_prefix("x{") {
            Some(braced) => braced.split_once('}').unwrap(),
            None => rest[at + 2..].split_at(4),
        };
        out.extend(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).or(Some('\u{FFFD}')));
        rest = after;
    }
    out + rest
}
