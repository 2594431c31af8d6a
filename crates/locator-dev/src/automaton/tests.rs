//! Tests small grammars whose automata are known, and compares the automata of the editions with a
//! matcher that interprets the grammar and shares no code with the construction.

use std::collections::BTreeSet;

use super::*;
use crate::edition::{START_RULES, read_grammar};
use crate::grammar::Element;
use crate::random::Strings;

fn compile(text: &str) -> Dfa {
    Grammar::parse(text).expect("the grammar is well formed").compile("a").expect("the rule a is regular")
}

#[test]
fn small_automata_are_minimal() {
    let sizes = |text| {
        let dfa = compile(text);
        (dfa.states(), dfa.classes())
    };
    // States: even, odd, dead. Classes: x (any case), y, the rest.
    assert_eq!(sizes("a = *( \"x\" \"y\" )\n"), (3, 3));
    assert_eq!(sizes("a = *OCTET\n"), (1, 1));
    assert_eq!(sizes("a = \"\"\n"), (2, 1));
    assert_eq!(sizes("a = *DIGIT / 3DIGIT / \"1\" DIGIT\n"), (2, 2));
    assert_eq!(sizes("a = 1*4HEXDIG\n"), (6, 2));
    assert_eq!(sizes("a = %x61.62 / %x61.63\n"), (4, 3));
    assert_eq!(sizes("a = \"p\" \"q\" / \"r\" \"q\"\n"), (4, 3));
    // The third octet from the end is x: 2^3 states and the dead one.
    assert_eq!(sizes("a = *( \"x\" / \"y\" ) \"x\" 2( \"x\" / \"y\" )\n"), (9, 3));
}

#[test]
fn notation_is_read_as_rfc_5234_has_it() {
    let dfa = compile(
        "a = *1( \"b;\" ) ; a comment with a \"quote\n\n    2*3DIGIT ; more\n  [ C ]\n\nc = \"\\\"\n",
    );
    for text in ["b;12", "B;123", "12\\", "123"] {
        assert!(dfa.accepts(text.as_bytes()), "{text}");
    }
    for text in ["b;b;12", "1", "1234", "12c", "b12"] {
        assert!(!dfa.accepts(text.as_bytes()), "{text}");
    }
    assert_eq!(compile("a = \"x\" / \"y\"\r\n"), compile("a = \"x\"\na =/ %d121 / %b01011001\n"));
    assert_eq!(compile("a = \"x\" \"y\" / \"z\"\n"), compile("a = ( \"x\" \"y\" ) / \"z\"\n"));
    assert_ne!(compile("a = \"x\" \"y\" / \"z\"\n"), compile("a = \"x\" ( \"y\" / \"z\" )\n"));
}

#[test]
fn representatives_are_what_a_reader_would_choose() {
    let dfa = compile("a = *( ALPHA / DIGIT / \"-\" ) \".\" 1*DIGIT\n");
    let first = |octet| dfa.members(dfa.class_of(octet))[0];
    assert_eq!([first(b'-'), first(b'5'), first(b'.'), first(0)], [b'a', b'0', b'.', b'!']);
}

#[test]
fn distances_count_octets() {
    let dfa = compile("a = \"xyz\"\n");
    assert_eq!(dfa.distances()[0], Some(3));
    assert_eq!(dfa.distances()[dfa.step(0, b'y')], None);
}

#[test]
fn automata_agree_with_the_grammar_itself() {
    for (edition, rules) in START_RULES {
        let grammar = read_grammar(edition).expect("the grammars of the project are well formed");
        for rule in *rules {
            let dfa = grammar.compile(rule).expect("the rule is one of the edition's");
            for (text, accepted) in Strings::new(&dfa, 7).take(300) {
                let shown = text.escape_ascii();
                assert_eq!(matches(&grammar, rule, &text), accepted, "{edition} {rule} {shown}");
            }
        }
    }
}

fn matches(grammar: &Grammar, rule: &str, text: &[u8]) -> bool {
    let start = grammar.rule(&rule.to_ascii_lowercase());
    ends(grammar, start, text, &BTreeSet::from([0])).contains(&text.len())
}

/// Returns the positions where `element` can end if it begins at one of the positions `from`.
fn ends(grammar: &Grammar, element: &Element, text: &[u8], from: &BTreeSet<usize>) -> BTreeSet<usize> {
    let of = |element, from: &_| ends(grammar, element, text, from);
    match element {
        Element::Octets(set) => {
            let fits = |at: &&usize| text.get(**at).is_some_and(|octet| set.contains(*octet));
            from.iter().filter(fits).map(|at| at + 1).collect()
        }
        Element::Rule { name, .. } => of(grammar.rule(name), from),
        Element::Choice(list) => list.iter().flat_map(|one| of(one, from)).collect(),
        Element::Sequence(list) => list.iter().fold(from.clone(), |at, one| of(one, &at)),
        Element::Repeat { least, most, of: one } => {
            let mut at = (0..*least).fold(from.clone(), |at, _| of(one, &at));
            let mut all = at.clone();
            let mut rounds = most.map_or(usize::MAX, |most| most - least);
            while rounds > 0 && !at.is_empty() {
                // A position that an earlier round reached leads to nothing new.
                at = of(one, &at).difference(&all).copied().collect();
                all.extend(&at);
                rounds -= 1;
            }
            all
        }
    }
}
