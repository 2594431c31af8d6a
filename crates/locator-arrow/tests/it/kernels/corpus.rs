//! Texts with a fixed seed: real URLs, hard ones, and mutations of both; some are NULL or empty.

use locator_dev::random::Chance;

/// References that are hard to divide.
const HARD: [&str; 24] = [
    "",
    "#",
    "?",
    "//",
    "///",
    "a:",
    "http://",
    "HTTP://EXAMPLE.com:80/%7Ea/../b?utm_source=x&b=2&a=1#c",
    "http://[::1]:8080/a",
    "http://[v1.a:b]/",
    "http://u:p@h:65536/",
    "http://u@h:00080/a/b.tar.gz",
    "http://www.example.co.uk./?q=a+b&q=%FF&=x&&k",
    "https://b%C3%BCcher.example/a%2Fb",
    "https://b\u{fc}cher.example/\u{20ac}",
    "mailto:a@b.example",
    "urn:isbn:0-395-36341-1",
    "banana",
    "../a?b#c",
    "//h/a b",
    "http://127.0.0.1/%zz",
    "http:\\\\h\\a",
    "see http://a.example/b, and <www.example.com>.",
    "\thttp://h/\u{0}\"",
];

/// Characters that divide references, and some that are not allowed in them.
const MARKS: [&str; 20] = [
    ":", "/", "?", "#", "@", "[", "]", "%", "%41", "%g", ".", "..", "&", "=", "+", " ", "\"", "\u{e9}", "w",
    "9",
];

/// Returns so many rows; `None` is NULL.
pub(crate) fn rows(count: usize, seed: u64) -> Vec<Option<Vec<u8>>> {
    let mut chance = Chance::new(seed);
    let real: Vec<&str> = [
        include_str!("../../../../../testdata/urls/web.txt"),
        include_str!("../../../../../testdata/urls/mixed.txt"),
        include_str!("../../../../../testdata/urls/file-urls.txt"),
    ]
    .into_iter()
    .flat_map(str::lines)
    .collect();
    let mut row = || match chance.below(40) {
        0 => None,
        1 => Some(Vec::new()),
        2..10 => Some(chance.pick::<&str>(&HARD).as_bytes().to_vec()),
        10..20 => Some(chance.pick::<&str>(&real).as_bytes().to_vec()),
        20..30 => Some(mutated(chance.pick::<&str>(&HARD), &mut chance)),
        _ => Some(mutated(chance.pick::<&str>(&real), &mut chance)),
    };
    (0..count).map(|_| row()).collect()
}

/// Inserts, removes or repeats something at up to three places.
fn mutated(text: &str, chance: &mut Chance) -> Vec<u8> {
    let mut text = text.to_owned();
    for _ in 0..=chance.below(3) {
        let places: Vec<usize> = text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
        let place = *chance.pick(&places);
        match chance.below(4) {
            0 if place < text.len() => {
                text.remove(place);
            }
            1 => text.truncate(place),
            2 => text.extend_from_within(place..),
            _ => text.insert_str(place, chance.pick::<&str>(&MARKS)),
        }
    }
    text.into_bytes()
}
