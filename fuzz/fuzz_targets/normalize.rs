//! Invariants of normal forms and comparisons, for every reference of every edition.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator::{Level, Component, Rung, UriRef, compare, edition, scheme};

fuzz_target!(|texts: (&str, &str)| {
    for edition in edition::ALL.into_iter().chain(edition::WITH_OPTIONS) {
        let Ok(given) = UriRef::parse_with(texts.0, edition) else { continue };
        normalizes(given);
        if let Ok(other) = UriRef::parse_with(texts.1, edition) {
            compares(given, other);
        }
        compares(given, given.normalize(Level::Scheme).as_uri_ref());
    }
});

/// Checks that the normal form is valid and its own normal form, and has the same components.
fn normalizes(given: UriRef<'_>) {
    for level in [Level::Syntax, Level::Scheme] {
        let normal = given.normalize(level);
        assert_eq!(normal.is_borrowed(), normal == given.as_str());
        let normal = normal.as_uri_ref();
        assert!(UriRef::parse_with(normal.as_str(), given.edition()).is_ok(), "{given} became {normal}");
        assert!(normal.is_normalized(level), "{given} became {normal}");
        assert!(normal.is_normalized(Level::Syntax), "{given} became {normal}");
        assert_eq!(normal.normalize(Level::Scheme), given.normalize(Level::Scheme));
        assert_eq!(given.kind(), normal.kind(), "{given} became {normal}");
        for part in [Component::Scheme, Component::Authority, Component::Userinfo, Component::Host, Component::Query, Component::Fragment] {
            assert_eq!(given.component(part).is_some(), normal.component(part).is_some(), "{part:?} of {given}");
        }
        for part in [Component::Userinfo, Component::Query, Component::Fragment] {
            let [given, normal] = [given, normal].map(|one| one.component(part).map(octets));
            assert_eq!(given, normal, "{part:?}");
        }
        if scheme::check(given) == Some(Ok(())) {
            assert_eq!(scheme::check(normal), Some(Ok(())), "{given} became {normal}");
        }
    }
}

/// Returns the decoded bytes of a component.
fn octets(text: &str) -> Vec<u8> {
    locator::PctStr::new(text).expect("it was parsed").decode().into_owned()
}

/// Checks that the rung follows from the normal forms, and that the list of differences explains
/// it.
fn compares(first: UriRef<'_>, second: UriRef<'_>) {
    let Ok(found) = compare(first, second) else {
        return assert!(first.scheme().is_none() || second.scheme().is_none());
    };
    let same = |level| first.normalize(level) == second.normalize(level);
    let rung = [
        (Rung::Simple, first == second),
        (Rung::Syntax, same(Level::Syntax)),
        (Rung::Scheme, same(Level::Scheme)),
    ];
    let rung = rung.into_iter().find(|(_, meets)| *meets).map(|(rung, _)| rung);
    assert_eq!(found.rung, rung, "{first} and {second}");
    let needed = found.differences.iter().map(|one| one.kind.rung().unwrap_or(Rung::Protocol)).max();
    let expected = if rung == Some(Rung::Simple) { None } else { Some(rung.unwrap_or(Rung::Protocol)) };
    assert_eq!(needed, expected, "{first} and {second}: {:?}", found.differences);
    for one in found.differences {
        assert!(first.as_str().get(one.first.range()).is_some());
        assert!(second.as_str().get(one.second.range()).is_some());
    }
}
