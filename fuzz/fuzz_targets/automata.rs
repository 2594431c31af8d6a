//! The parser accepts exactly the texts that the automaton of each edition's grammar accepts.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use locator::edition::{
    RFC1738, RFC2396, RFC3986, RFC3986_WITH_ZONES, RFC3987, URI_2003, URL_1993, URL_1994, URL_1997,
};
use locator::{Edition, UriRef, scheme};
use locator_dev::{Dfa, edition::read_grammar};

/// Each edition, with the automata of its rules; a reference must match one of them.
static AUTOMATA: LazyLock<Vec<(&'static Edition, Vec<Dfa>)>> = LazyLock::new(|| {
    let rules: [(&Edition, &[&str]); 9] = [
        (&URL_1993, &["other-reference", "partial-reference"]),
        (&URL_1994, &["otheraddress", "prefixed-other"]),
        (&RFC1738, &["otherurl"]),
        (&URL_1997, &["URL-reference"]),
        (&RFC2396, &["URI-reference"]),
        (&URI_2003, &["URI-reference"]),
        (&RFC3986, &["URI-reference"]),
        (&RFC3986_WITH_ZONES, &["URI-reference"]),
        (&RFC3987, &["IRI-reference"]),
    ];
    rules.map(|(edition, rules)| (edition, rules.iter().map(|rule| compile(edition, rule)).collect())).into()
});

/// Each edition that defines schemes, with the automaton of their URLs.
static KNOWN: LazyLock<Vec<(&'static Edition, Dfa)>> = LazyLock::new(|| {
    [(&URL_1993, "known-url"), (&URL_1994, "known-url"), (&RFC1738, "known-url")]
        .map(|(edition, rule)| (edition, compile(edition, rule)))
        .into()
});

fn compile(edition: &Edition, rule: &str) -> Dfa {
    let grammar = read_grammar(edition.name).expect("the grammars are well formed");
    grammar.compile(rule).expect("the rule is defined")
}

fuzz_target!(|text: &str| {
    let may_be_prefix = text.get(..4).is_some_and(|four| four.eq_ignore_ascii_case("url:"));
    for (edition, automata) in AUTOMATA.iter() {
        let read = UriRef::parse_with(text, edition).ok();
        // url-1994 and rfc1738 have no rule for a URL with a fragment.
        let has_no_rule = !edition.defines_relative() && text.contains('#');
        if !has_no_rule && !(edition.prefix().is_some() && may_be_prefix) {
            let accepted = automata.iter().any(|automaton| automaton.accepts(text.as_bytes()));
            assert_eq!(read.is_some(), accepted, "{edition} {text:?}");
        }
    }
    for (edition, automaton) in KNOWN.iter() {
        let known = UriRef::parse_with(text, edition).ok().filter(|read| read.fragment().is_none());
        let known = known.and_then(scheme::check).is_some_and(|result| result.is_ok());
        if !(edition.prefix().is_some() && may_be_prefix) {
            assert_eq!(known, automaton.accepts(text.as_bytes()), "{edition} {text:?}");
        }
    }
});
