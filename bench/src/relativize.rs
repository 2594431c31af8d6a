//! The race for relativising. A result is right if RFC 3986 resolves it back to exactly the target.
//! The table also shows the length of the results, since the shortest reference is wanted.

use locator::{Base, Uri};

use crate::corpus::Corpus;
use crate::pages::{Pages, Row, neighbours, target};
use crate::race::Racer;

/// Returns the lists; each URL is a target, and an earlier URL of the list is its base.
pub fn pages(lists: &[&'static Corpus]) -> Vec<Pages> {
    let made = |corpus: &&'static Corpus| {
        let row = |url: &str| Row { given: url.to_owned().into(), answer: url.into() };
        let pages = neighbours(corpus, |_, _, url| Some(row(url)));
        Pages::new(&corpus.name, pages, |page, row, answer| {
            let answer = std::str::from_utf8(answer).ok();
            answer.and_then(|answer| target(&page.base, answer)).as_deref() == Some(&*row.given)
        })
    };
    lists.iter().map(made).collect()
}

/// Returns all racers; the first is ours.
pub fn racers(pages: &Pages) -> Vec<Racer> {
    vec![
        pages.racer(
            "locator",
            |text| Base::new(Uri::parse(text).ok()?).ok(),
            |text| Uri::parse(text).ok(),
            |base, target, answer| {
                if let Ok(reference) = base.make_relative(*target) {
                    answer.is(reference.as_str());
                }
            },
        ),
        pages.racer(
            "oxiri",
            |text| oxiri::Iri::parse(text).ok(),
            |text| oxiri::Iri::parse(text).ok(),
            |base, target, answer| {
                if let Ok(reference) = base.relativize(target) {
                    answer.is(reference.as_str());
                }
            },
        ),
        pages.racer(
            "url, make_relative",
            |text| url::Url::parse(text).ok(),
            |text| url::Url::parse(text).ok(),
            |base, target, answer| {
                if let Some(reference) = base.make_relative(target) {
                    answer.is(reference);
                }
            },
        ),
    ]
}
