//! The rows that the functions are tested with, and what the library returns for them.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use locator_functions::{Function, Row};

/// Texts that are hard to divide, real URLs, and beginnings of them; the first is NULL.
pub(crate) fn rows() -> Vec<Option<String>> {
    const HARD: [&str; 14] = [
        "",
        "#",
        "//",
        "a:",
        "HTTP://EXAMPLE.com:80/%7Ea/../b?utm_source=x&b=2&a=1#c",
        "http://[::1]:8080/a",
        "http://u:p@h:65536/",
        "http://www.example.co.uk./?q=a+b&q=%FF&=x&&k",
        "https://b\u{fc}cher.example/\u{20ac}",
        "mailto:a@b.example",
        "banana",
        "//h/a b",
        "http:\\\\h\\a",
        "see http://a.example/b, and <www.example.com>.",
    ];
    let real = include_str!("../../../../testdata/urls/mixed.txt").lines().take(400);
    let texts = HARD.into_iter().chain(real).flat_map(|text| {
        let part =
            text.char_indices().nth(2 * text.chars().count() / 3).map_or(text, |(end, _)| &text[..end]);
        [text.to_owned(), part.to_owned()]
    });
    [None].into_iter().chain(texts.map(Some)).collect()
}

/// Returns what the library answers, as JSON.
pub(crate) fn answers(
    function: &Function,
    rows: &[Option<String>],
    edition: &'static locator::Edition,
) -> Vec<String> {
    let arguments = function.arguments(function.example().arguments).unwrap();
    let answer = |row: &Option<String>| match row {
        Some(text) => function.answer(&Row::new(text, edition), &arguments).json().to_string(),
        None => "null".to_owned(),
    };
    rows.iter().map(answer).collect()
}
