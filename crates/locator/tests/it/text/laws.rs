//! What holds for the search of every text, whatever is looked for; the fuzz target reads this file
//! too.

use locator::text::{Finder, Lines, Match, MatchKind, StreamFinder};

/// The public suffixes of the tests.
pub(crate) fn is_domain(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".org", ".com", ".net", ".jp", ".de", ".dom", ".md", ".rs", ".py", ".sh", ".zip", ".pl", ".so"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
}

/// White space of any kind, also without width.
fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200B}' | '\u{FEFF}')
}

/// All of it.
pub(crate) fn obeys(text: &str, finder: &Finder) {
    hits_are_in_order(text.as_bytes(), finder);
    for hit in finder.find_iter(text.as_bytes()) {
        assert_eq!(text.get(hit.span()), Some(hit.as_str()), "a hit begins or ends in a character");
        assert!(text.get(hit.outer_span()).is_some(), "a wrapper begins or ends in a character");
        // The expressions of a template may have spaces.
        assert!(hit.kind() == MatchKind::Template || !hit.url().contains(is_space), "{:?}", hit.url());
        assert_eq!(hit.read().is_ok(), hit.is_readable());
        is_in_its_wrapper(text, &hit);
    }
    if text.len() < 120 {
        (0..=text.len()).for_each(|cut| pieces_are_the_whole(text.as_bytes(), finder, [cut, 1000, 1000]));
    }
    pieces_are_the_whole(text.as_bytes(), finder, [1, 1, 1]);
    pieces_are_the_whole(text.as_bytes(), finder, [64, 3, 17]);
}

/// Every match is in the text and after the one before it.
pub(crate) fn hits_are_in_order(text: &[u8], finder: &Finder) {
    let mut after = 0;
    for hit in finder.find_iter(text) {
        let (span, outer) = (hit.span(), hit.outer_span());
        assert!(
            after <= outer.start
                && outer.start <= span.start
                && span.end <= outer.end
                && span.start < span.end
        );
        assert_eq!(&text[span], hit.as_bytes());
        assert!(core::str::from_utf8(hit.as_bytes()).is_ok());
        assert!(outer.len() <= locator::text::LIMIT);
        after = outer.end;
    }
    assert!(after <= text.len());
}

/// A match is the text within its wrapper.
pub(crate) fn is_in_its_wrapper(text: &str, hit: &Match<'_>) {
    let (outer, span) = (hit.outer_span(), hit.span());
    let before = text[outer.start..span.start].trim_end_matches(is_space);
    let after = text[span.end..outer.end].trim_start_matches(is_space);
    let is_prefix =
        before.starts_with('<') && before[1..].trim_start_matches(is_space).eq_ignore_ascii_case("URL:");
    match hit.kind() {
        MatchKind::UrlPrefix => assert!(is_prefix && after == ">", "{before} {after}"),
        MatchKind::Angle => assert_eq!((before, after), ("<", ">")),
        MatchKind::Quoted => assert_eq!((before, after), ("\"", "\"")),
        MatchKind::Bare
        | MatchKind::Escaped
        | MatchKind::Template
        | MatchKind::Www
        | MatchKind::Domain
        | MatchKind::Email
        | MatchKind::Ipv4 => {
            assert_eq!(outer, span);
        }
        // They are in any wrapper, or in none.
        MatchKind::Defanged | MatchKind::Refanged => {
            assert!(outer.start <= span.start && span.end <= outer.end);
        }
        how => panic!("{how:?} has no law yet"),
    }
}

/// What is found in pieces is what is found in the whole, at the same places.
pub(crate) fn pieces_are_the_whole(text: &[u8], finder: &Finder, lengths: [usize; 3]) {
    let mut lines = Lines::new();
    let whole: Vec<_> = finder
        .find_iter(text)
        .map(|hit| (hit.span(), hit.outer_span(), hit.kind(), lines.at(text, hit.span().start)))
        .collect();
    let mut found = Vec::new();
    let (mut finder, mut lines): (StreamFinder<'_>, _) = (finder.stream(), Lines::new());
    let (mut window, mut base, mut end) = (Vec::new(), 0, 0);
    for length in lengths.into_iter().cycle() {
        let piece = &text[end..text.len().min(end + length.max(1))];
        end += piece.len();
        window.extend_from_slice(piece);
        let is_last = end == text.len();
        while let Some(hit) = finder.next(&window, is_last) {
            let [span, outer] = [hit.span(), hit.outer_span()].map(|span| span.start + base..span.end + base);
            found.push((span, outer, hit.kind(), lines.at(&window, hit.span().start)));
        }
        let done = finder.consume();
        lines.consume(&window, done);
        window.drain(..done);
        base += done;
        assert!(
            window.len() <= locator::text::LIMIT + locator::text::LOOKBEHIND + 1000 + length,
            "too much is kept: {}",
            window.len()
        );
        if is_last {
            break;
        }
    }
    assert_eq!(found, whole);
}
