//! Laws of a scheme's own parts: a URL that is put together of its parts again is the same URL;
//! what is set is what is read, and nothing else changes.

use locator::edition::ALL;
use locator::scheme::{self, Field, FieldValue, Key, part_names, remove_part, set_part};
use locator::{Edit, Edition, UriRef, Value};
use proptest::prelude::*;

use super::alike::text;

/// The text of a part, from its first value to its last.
fn whole<'a>(reference: UriRef<'a>, name: &str) -> Option<&'a str> {
    let fields = scheme::fields(reference)?.ok()?;
    let (first, last) = match &fields.iter().find(|field| field.name == name)?.value {
        FieldValue::One(one) => (*one, *one),
        FieldValue::Many(many) => (*many.first()?, *many.last()?),
        FieldValue::Pairs(pairs) => (pairs.first()?.0, pairs.last()?.1),
        _ => return None,
    };
    Some(&reference.as_str()[first.span().start..last.span().end])
}

/// A URL of a scheme by an edition, and its parts.
fn divided<'a>(text: &'a str, edition: &'static Edition) -> Option<(UriRef<'a>, Vec<Field<'a>>)> {
    let reference = UriRef::parse_with(text, edition).ok()?;
    Some((reference, scheme::fields(reference)?.ok()?))
}

fn names(reference: UriRef<'_>) -> Vec<&'static str> {
    reference.scheme().map_or_else(Vec::new, |name| part_names(name.as_str(), reference.edition()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    /// The fields that a URL is divided into are the parts that the table has, or belong to every
    /// scheme, or are no text.
    #[test]
    fn a_url_is_divided_into_the_parts_of_the_table(text in text()) {
        for edition in ALL {
            let Some((reference, fields)) = divided(&text, edition) else { continue };
            let names = names(reference);
            for field in fields {
                let of_all = ["user", "password", "host", "port", "path", "query", "rest"].contains(&field.name);
                let is_word = matches!(field.value, FieldValue::Word(_));
                prop_assert!(of_all || is_word || names.contains(&field.name), "{}: {text}", field.name);
            }
        }
    }

    #[test]
    fn a_url_is_put_together_of_its_parts(text in text()) {
        for edition in ALL {
            let Some((reference, _)) = divided(&text, edition) else { continue };
            let mut edit = Edit::of(reference);
            for name in names(reference) {
                let Some(part) = whole(reference, name) else { continue };
                let set = set_part(&mut edit, name, None, Value::Encoded(part));
                prop_assert!(set.is_ok() || name == "cell", "{edition}: {text}: {name}: {set:?}");
            }
            prop_assert_eq!(edit.finish().expect("it was one"), text.as_str(), "{}", edition);
        }
    }

    #[test]
    fn what_is_set_is_read(text in text(), value in "[a-c/;?:@&=+%# .,*~]{1,6}", octet: u8) {
        let value = [value.as_bytes(), &[octet]].concat();
        for edition in ALL {
            let Some((reference, before)) = divided(&text, edition) else { continue };
            for name in names(reference) {
                let mut edit = Edit::of(reference);
                // Refused is what fits into no such part: a number, a type code, an address.
                let Ok(()) = set_part(&mut edit, name, None, Value::Decoded(&value)) else { continue };
                let edited = edit.finish().expect("it was read");
                let fields = scheme::fields(edited.as_uri_ref()).expect("a known scheme").expect("its form");
                let field = fields.iter().find(|field| field.name == name).expect("it was set");
                if let FieldValue::One(one) = field.value {
                    let words = edition.name == "url-1993" || edition.name == "url-1994";
                    let same = *one.decode() == *value;
                    // Words have "+" between them; base64 is another spelling.
                    prop_assert!(same || words && name == "search" || name == "data", "{text}: {name}: {edited}");
                }
                // A selector needs a type before it, and one news URL is another.
                let is_other = |name: &str| ["kind", "pattern", "group", "message_id", "type"].contains(&name);
                for field in before.iter().filter(|field| field.name != name && !is_other(field.name)) {
                    prop_assert_eq!(
                        whole(reference, field.name), whole(edited.as_uri_ref(), field.name), "{}: {}", name, edited
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_removed_is_not_there(text in text()) {
        for edition in ALL {
            let Some((reference, _)) = divided(&text, edition) else { continue };
            for name in names(reference) {
                let mut edit = Edit::of(reference);
                if remove_part(&mut edit, name, None).is_ok() {
                    let edited = edit.finish().expect("it was read");
                    prop_assert!(whole(edited.as_uri_ref(), name).unwrap_or_default().is_empty(), "{text}: {name}: {edited}");
                }
            }
        }
    }
}

#[test]
fn each_part_of_each_scheme_can_be_set_where_it_is_absent() {
    let set = |text: &str, name, value: &str| {
        let mut edit = Edit::of(UriRef::parse(text).expect(text));
        set_part(&mut edit, name, None, value.into())
            .map(|()| edit.finish().expect("it was read").into_string())
    };
    for (text, name, value, stated) in [
        ("gopher://h", "type", "0", "gopher://h/0"),
        ("gopher://h/", "type", "0", "gopher://h/0"),
        ("gopher://h", "selector", "a b", "gopher://h/1a%20b"),
        ("gopher://h", "search", "x", "gopher://h/1%09x"),
        ("gopher://h/", "search", "x", "gopher://h/1%09x"),
        ("gopher://h/", "selector", "x", "gopher://h/1x"),
        ("gopher://h/", "gopher_plus", "!", "gopher://h/1%09%09!"),
        ("gopher://h/7s", "gopher_plus", "+", "gopher://h/7s%09%09+"),
        ("gopher://h/7s%09q", "gopher_plus", "+", "gopher://h/7s%09q%09+"),
        ("gopher://h/1s%09%09!+A", "gopher_plus", "+a/b", "gopher://h/1s%09%09+a/b"),
        ("gopher://h/1s%09%09+c%20d", "gopher_plus", "!+B", "gopher://h/1s%09%09!+B"),
        ("gopher://h/", "view", "text/plain", "gopher://h/1%09%09+text/plain"),
        ("gopher://h/1s%09%09!+A", "view", "a/b", "gopher://h/1s%09%09+a/b"),
        ("gopher://h/1s%09%09+c%20d", "view", "a/b", "gopher://h/1s%09%09+a/b%20d"),
        ("gopher://h/1s%09%09+c", "language", "Es_ES", "gopher://h/1s%09%09+c%20Es_ES"),
        ("gopher://h/1s", "language", "Es_ES", "gopher://h/1s%09%09+%20Es_ES"),
        ("gopher://h/1s%09%09$+A", "attributes", "+B +C", "gopher://h/1s%09%09$+B%20+C"),
        ("gopher://h/1s%09q", "attributes", "+B", "gopher://h/1s%09q%09!+B"),
        (
            "gopher://h/1s%09%09+c",
            "values",
            "1\n2 3",
            "gopher://h/1s%09%09+c%091%0D%0A+-1%0D%0A1%0D%0A2%203%0D%0A.%0D%0A",
        ),
        ("ftp://h", "name", "a/b", "ftp://h/a%2Fb"),
        ("ftp://h", "type", "d", "ftp://h/;type=d"),
        ("ftp://h/a/b", "type", "i", "ftp://h/a/b;type=i"),
        ("ftp://h/a;TYPE=a", "type", "i", "ftp://h/a;TYPE=i"),
        ("ftp://h/x", "cwds", "a b/c", "ftp://h/a%20b/c/x"),
        ("ftp://h/a/b/x", "cwds", "c", "ftp://h/c/x"),
        ("nntp://h/a.b", "number", "5", "nntp://h/a.b/5"),
        ("news:a.b", "message_id", "x@h", "news:x@h"),
        ("news://h/*", "group", "a.b", "news://h/a.b"),
        ("wais://h/db", "search", "a b", "wais://h/db?a%20b"),
        ("wais://h/", "database", "db", "wais://h/db"),
        ("wais://h/db", "wtype", "TEXT", "wais://h/db/TEXT/"),
        ("wais://h/db/TEXT/", "wpath", "a;b", "wais://h/db/TEXT/a%3Bb"),
        ("mid:a@h", "content_id", "b/c@h", "mid:a@h/b%2Fc@h"),
        ("mailto:", "addresses", "a@h,b@h", "mailto:a@h,b@h"),
        ("mailto:a@h", "headers", "subject=x y&body=z", "mailto:a@h?subject=x%20y&body=z"),
        ("whois://h", "handle", "a b", "whois://h/a%20b"),
        ("z39.50s://h", "databases", "a b+c", "z39.50s://h/a%20b+c"),
        ("z39.50r://h/a;rs=b", "docid", "c;d", "z39.50r://h/a?c%3Bd;rs=b"),
        ("z39.50r://h/a?b;ESN=c", "esn", "F", "z39.50r://h/a?b;ESN=F"),
        ("z39.50r://h/a?b;esn=c", "rs", "d+e", "z39.50r://h/a?b;esn=c;rs=d+e"),
        ("urn:isbn:1", "q_component", "x", "urn:isbn:1?=x"),
        ("urn:isbn:1?=x", "r_component", "y", "urn:isbn:1?+y?=x"),
        ("urn:isbn:1", "nid", "issn", "urn:issn:1"),
        ("data:,", "data", "a b", "data:,a%20b"),
        ("data:;base64,", "data", "Hello", "data:;base64,SGVsbG8="),
        ("data:;base64,", "media_type", "text/plain", "data:text/plain;base64,"),
        ("file:///a", "names", "b/c d", "file:///b/c%20d"),
        ("afs://c/a", "cell", "d.edu", "afs://d.edu/a"),
        ("prospero://h/a", "fields", "a=b;c=d", "prospero://h/a;a=b;c=d"),
        ("prospero://h/a", "hsoname", "/b;c", "prospero://h//b%3Bc"),
        ("nntp://h", "group", "a.b", "nntp://h/a.b"),
        ("nntp://h/", "group", "a.b", "nntp://h/a.b"),
        ("news:", "group", "a.b", "news:a.b"),
        ("news:", "message_id", "a@b", "news:a@b"),
        ("mid:", "message_id", "a@b", "mid:a@b"),
        ("prospero://h", "hsoname", "a", "prospero://h/a"),
        ("data:", "data", "x", "data:,x"),
        ("afs://c", "names", "a/b", "afs://c/a/b"),
    ] {
        assert_eq!(set(text, name, value), Ok(stated.to_owned()), "{text} {name}");
    }
    for (text, name, value) in [
        ("ftp://h/a/b", "name", ".."),
        ("ftp://h/a/b", "cwds", "a/../b"),
        ("gopher://h/1", "type", "12"),
        ("nntp://h/g", "number", "x"),
        ("urn:isbn:1", "nid", "a b"),
        ("http://h/", "selector", "x"),
        ("x-mine:a", "rest", "x"),
        ("a/b", "name", "x"),
        ("data:text/plain,a", "media_type", "a,b;base64"),
        ("gopher://h/1s", "view", "a b"),
        ("gopher://h/1s", "view", "a\tb"),
        ("gopher://h/1s", "values", "a\n.\nb"),
        ("nntp://h", "number", "1"),
        ("urn:", "nid", "a"),
        ("nntp:", "group", "a"),
    ] {
        let result = set(text, name, value);
        assert!(result.is_err(), "{text} {name}: {result:?}");
    }
}

#[test]
fn the_parts_of_a_gopher_plus_string_are_set_and_removed() {
    let mut edit = locator::uri!("gopher://h/1s%09%09+a/b%20en").edit();
    set_part(&mut edit, "values", Some(Key::Index(0)), "red".into()).expect("the first");
    set_part(&mut edit, "values", Some(Key::Index(1)), "7".into()).expect("one more");
    set_part(&mut edit, "values", Some(Key::Index(0)), "blue".into()).expect("there is one");
    let filled = "gopher://h/1s%09%09+a/b%20en%091%0D%0A+-1%0D%0Ablue%0D%0A7%0D%0A.%0D%0A";
    assert_eq!(edit.to_string(), filled);
    for (name, left) in [
        ("language", "gopher://h/1s%09%09+a/b%091%0D%0A+-1%0D%0Ablue%0D%0A7%0D%0A.%0D%0A"),
        ("values", "gopher://h/1s%09%09+a/b"),
        ("view", "gopher://h/1s%09%09+"),
        ("attributes", "gopher://h/1s%09%09+"),
        ("gopher_plus", "gopher://h/1s%09"),
    ] {
        remove_part(&mut edit, name, None).expect("it may be absent");
        assert_eq!(edit.to_string(), left, "{name}");
    }
}

#[test]
fn the_names_of_header_fields_ignore_case() {
    let mut edit = locator::uri!("mailto:a@h?Subject=x&%63C=c@h").edit();
    set_part(&mut edit, "headers", Some(Key::Name(b"subject")), "y".into()).expect("there is one");
    set_part(&mut edit, "headers", Some(Key::Name(b"CC")), "d@h".into()).expect("there is one");
    assert_eq!(edit.to_string(), "mailto:a@h?Subject=y&%63C=d@h");
    remove_part(&mut edit, "headers", Some(Key::Name(b"SUBJECT"))).expect("there is one");
    assert_eq!(edit.to_string(), "mailto:a@h?%63C=d@h");
    // RFC 1738, 3.11 does not say so of the fields of prospero.
    let mut edit = locator::uri!("prospero://h/a;B=1").edit();
    set_part(&mut edit, "fields", Some(Key::Name(b"b")), "2".into()).expect("one more");
    assert_eq!(edit.to_string(), "prospero://h/a;B=1;b=2");
}

#[test]
fn one_of_several_values_is_set_and_removed() {
    let mut edit = locator::uri!("mailto:a@h,b@h?subject=x&cc=c@h").edit();
    set_part(&mut edit, "addresses", Some(Key::Index(1)), "c,d@h".into()).expect("there is one");
    set_part(&mut edit, "addresses", Some(Key::Index(2)), "e@h".into()).expect("one more");
    set_part(&mut edit, "headers", Some(Key::Name(b"cc")), "f@h".into()).expect("there is one");
    set_part(&mut edit, "headers", Some(Key::Name(b"body")), "a&b".into()).expect("one more");
    assert_eq!(edit.to_string(), "mailto:a@h,c%2Cd@h,e@h?subject=x&cc=f@h&body=a%26b");
    assert!(set_part(&mut edit, "addresses", Some(Key::Index(4)), "e@h".into()).is_err());
    for name in [&b"subject"[..], b"cc", b"body", b"nothing"] {
        remove_part(&mut edit, "headers", Some(Key::Name(name))).expect("it may be absent");
    }
    remove_part(&mut edit, "addresses", Some(Key::Index(0))).expect("there is one");
    assert_eq!(edit.to_string(), "mailto:c%2Cd@h,e@h");
}
