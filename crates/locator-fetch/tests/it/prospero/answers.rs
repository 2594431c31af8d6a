//! Answers of the directory protocol, and the URLs of access methods by the cases of
//! `testdata/fetch/access-methods.toml`.

use locator::plan::Meaning;
use locator_dev::cases;
use locator_fetch::prospero::{
    Attribute, AttributesError, LinkedObject, Method, MethodKind, Record, attributes, contents, failure,
    records,
};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    line: String,
    #[serde(default = "name")]
    object: String,
    url: Option<String>,
    error: Option<String>,
}

fn name() -> String {
    "name".into()
}

#[test]
fn access_methods() {
    for case in cases::read::<Case>("fetch/access-methods.toml") {
        let line = format!("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE {}\n", case.line);
        let attributes = attributes(line.as_bytes()).unwrap();
        let method = Method::of(&attributes[0]).unwrap();
        let url = method.url(LinkedObject { host: "h", port: None, name: case.object.as_bytes() });
        let found = url.as_ref().map(ToString::to_string).map_err(ToString::to_string);
        let expected = case.url.clone().ok_or_else(|| case.error.clone().unwrap());
        assert_eq!(found, expected, "{}", case.name);
    }
}

fn text(octets: &[u8]) -> &str {
    str::from_utf8(octets).unwrap()
}

#[test]
fn records_of_answers() {
    // "old servers leave the type out"
    let answer = b"ATTRIBUTE LINK FIELD ID one\nATTRIBUTE OBJECT FIELD ID SEQUENCE a b\n";
    let values: Vec<_> = attributes(answer).unwrap().into_iter().map(|one| one.values).collect();
    assert_eq!(values, [vec![b"one".to_vec()], vec![b"a".to_vec(), b"b".to_vec()]]);
    // What says nothing about the object.
    for line in ["WARNING MESSAGE hello", "UNRESOLVED a", "NONE-FOUND", "", "LINK  L FILE a", "ATTRIBUTE 'a"]
    {
        assert_eq!(attributes(line.as_bytes()), Ok(Vec::new()), "{line}");
        assert!(records(line.as_bytes()).all(|record| record == Record::Other), "{line}");
    }
    let answer = b"LINK  U DIRECTORY+FILE 'a b' INTERNET-D 'h(1526)' ASCII '' 3 DEST-EXP t\n";
    let Some(Record::Link(link)) = records(answer).next() else { panic!() };
    assert_eq!(
        (text(&link.name), text(&link.host), text(&link.object), link.version),
        ("a b", "h(1526)", "", 3)
    );
}

#[test]
fn failures() {
    for (line, means) in [
        ("FAILURE NOT-FOUND", Meaning::Missing),
        ("FAILURE NOT-A-DIRECTORY", Meaning::Missing),
        ("FAILURE NOT-AUTHORIZED", Meaning::Refused),
        ("FAILURE AUTHENTICATION-REQUIRED", Meaning::NeedLogin),
        ("FAILURE SERVER-FAILED out of memory", Meaning::Busy),
        ("FAILURE SOMETHING-ELSE", Meaning::Refused),
        ("ERROR Unknown message: XYZZY", Meaning::NotSupported),
        ("VERSION-NOT-SUPPORTED TRY 1-5", Meaning::NotSupported),
    ] {
        let answer = format!("ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 9' bytes'\n{line}\n");
        let Err(AttributesError::Failed(failed)) = attributes(answer.as_bytes()) else { panic!("{line}") };
        assert_eq!((text(&failed.line), failed.means), (line, means));
        assert_eq!(failure(answer.as_bytes()), Some(failed));
    }
    assert_eq!(failure(b"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA '\nFAILURE NOT-FOUND\n'\n"), None);
}

#[test]
fn contents_of_objects() {
    let octets: Vec<u8> = (0..=255).collect();
    let quoted: Vec<u8> =
        octets.iter().flat_map(|&octet| vec![octet; 1 + usize::from(octet == b'\'')]).collect();
    let answer = [b"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA '", &quoted[..], b"'\n"].concat();
    assert_eq!(contents(&answer), Some(octets));
    assert_eq!(contents(b"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ''\n"), Some(Vec::new()));
    let part = |form: &str| format!("ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE {form}\n");
    let parts = |forms: &[&str]| contents(forms.iter().map(|form| part(form)).collect::<String>().as_bytes());
    assert_eq!(parts(&["DATA 'a b'", "DATA c"]), Some(b"a bc".to_vec()));
    assert_eq!(parts(&["DATA a", "TAGGED name value"]), None);
    for answer in ["", "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA", "NONE-FOUND\n"] {
        assert_eq!(contents(answer.as_bytes()), None, "{answer}");
    }
}

/// FTP before the contents, and files of this machine last.
#[test]
fn the_order_of_methods() {
    let lines =
        ["LOCAL", "ODD", "TELNET", "PROSPERO-CONTENTS", "AFTP", "GOPHER", "NFS", "FTP", "AFS", "WAIS"];
    let lines = lines.map(|name| format!("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE {name}\n"));
    let methods = Method::all(&attributes(lines.concat().as_bytes()).unwrap());
    let names: Vec<_> = methods.iter().map(|method| text(&method.name)).collect();
    assert_eq!(
        names,
        ["FTP", "AFTP", "GOPHER", "WAIS", "PROSPERO-CONTENTS", "AFS", "NFS", "LOCAL", "TELNET", "ODD"]
    );
    assert_eq!(methods[0].kind, Some(MethodKind::Ftp));
}

#[test]
fn values_of_attributes() {
    let attribute = Attribute { name: b"ID".into(), values: vec![b"a".into(), b"b c".into()] };
    assert!(["a", "b c", "a b c"].iter().all(|value| attribute.has(value.as_bytes())));
    assert!(!["", "b", "A", "a b"].iter().any(|value| attribute.has(value.as_bytes())));
}

/// An answer of words that mean something.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let words = prop_oneof![
        Just("LINK  L FILE"),
        Just("LINK  L EXTERNAL"),
        Just("ATTRIBUTE OBJECT INTRINSIC"),
        Just("SEQUENCE"),
        Just("ACCESS-METHOD"),
        Just("AFTP"),
        Just("WAIS"),
        Just("INTERNET-D"),
        Just("'h(70)'"),
        Just("ASCII"),
        Just("'a b'"),
        Just("''"),
        Just("/a"),
        Just("0\n"),
        Just("\n"),
        Just("FAILURE"),
        Just("CONTENTS"),
        Just("DATA"),
    ];
    proptest::collection::vec(words, 0..60).prop_map(|words| words.join(" ").into_bytes())
}

proptest! {
    #[test]
    fn any_words(answer in lines()) {
        crate::prospero::octets::check(&answer);
    }

    /// Nothing panics, and no URL of a method has a control or a space.
    #[test]
    fn any_answer(answer in proptest::collection::vec(any::<u8>(), 0..200), host in "\\PC{0,9}", object in "\\PC{0,20}") {
        crate::prospero::octets::check(&answer);
        let value = |text: &str| format!("'{}'", text.replace('\'', "''"));
        for kind in ["FTP", "AFTP", "GOPHER", "WAIS", "AFS", "NFS", "LOCAL", "TELNET"] {
            let line = format!(
                "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE {kind} INTERNET-D {} ASCII {} 0\n",
                value(&host), value(&object)
            );
            let attributes = attributes(line.as_bytes()).unwrap();
            let method = Method::of(&attributes[0]).unwrap();
            prop_assert_eq!(&method.object, object.as_bytes());
            if let Ok(url) = method.url(LinkedObject { host: "h", port: None, name: b"a" }) {
                prop_assert!(url.as_str().bytes().all(|octet| octet.is_ascii_graphic()), "{}", url);
                prop_assert!(url.authority().is_some_and(|authority| authority.userinfo().is_none()), "{}", url);
            }
        }
    }
}
