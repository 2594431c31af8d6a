//! Makes the inputs of the verbs from lists of URLs: bases, references and the right answers. The
//! answers come from the naive model in `locator-dev`, which shares no code with the library.

use std::borrow::Cow;

use locator::{Uri, UriRef};
use locator_dev::model::{self, Document, Outcome};

use crate::corpus::Corpus;
use crate::race::{Judge, Racer};

/// A base and its rows; the base is empty if the verb needs none.
pub struct Page {
    pub base: String,
    pub rows: Vec<Row>,
}

/// The input of a racer, and the right answer.
pub struct Row {
    pub given: Cow<'static, str>,
    pub answer: Vec<u8>,
}

impl Page {
    /// Moves the texts next to each other in memory, as in a real page. Otherwise the race would
    /// measure cache misses.
    fn gathered(self) -> Self {
        let texts: Vec<_> = self.rows.iter().map(|row| &*row.given).collect();
        let mut rest: &'static str = texts.concat().leak();
        let gathered = |row: Row| {
            let (given, after) = rest.split_at(row.given.len());
            rest = after;
            Row { given: Cow::Borrowed(given), ..row }
        };
        Self { rows: self.rows.into_iter().map(gathered).collect(), ..self }
    }
}

/// A list of pages, which racers may borrow from without limit.
pub struct Pages {
    pub name: String,
    pub pages: &'static [Page],
    /// Whether the goals of the verb apply to this list.
    pub counts: bool,
    /// Returns whether an answer is right for this base and row.
    is_right: fn(&Page, &Row, &[u8]) -> bool,
}

impl Pages {
    pub fn new(name: &str, pages: Vec<Page>, is_right: fn(&Page, &Row, &[u8]) -> bool) -> Self {
        let pages = pages.into_iter().map(Page::gathered).collect::<Vec<_>>().leak();
        Self { name: name.to_owned(), pages, counts: true, is_right }
    }

    /// Makes pages from rows that need no base and have one right answer.
    pub fn without_base(name: &str, rows: impl Iterator<Item = Row>) -> Self {
        let page = Page { base: String::new(), rows: rows.collect() };
        Self::new(name, vec![page], |_, row, answer| row.answer == answer)
    }

    /// Excludes this list from the goals.
    pub fn not_counted(self) -> Self {
        Self { counts: false, ..self }
    }

    pub fn rows(&self) -> usize {
        self.pages.iter().map(|page| page.rows.len()).sum()
    }

    /// Returns the mean length of a row in bytes.
    pub fn mean_length(&self) -> f64 {
        let rows = self.pages.iter().flat_map(|page| &page.rows);
        rows.map(|row| row.given.len()).sum::<usize>() as f64 / self.rows() as f64
    }

    /// Makes a racer that parses bases and rows beforehand, so only the verb is measured. Rows that
    /// it cannot parse have no answer.
    pub fn racer<B: 'static, R: 'static>(
        &self,
        name: &str,
        base: impl Fn(&'static str) -> Option<B>,
        row: impl Fn(&'static str) -> Option<R>,
        verb: impl Fn(&B, &R, &mut Answer<'_>) + 'static,
    ) -> Racer {
        let rows = |page: &'static Page| {
            page.rows.iter().filter_map(|one| Some((row(&one.given)?, one))).collect::<Vec<_>>()
        };
        let prepared: Vec<_> =
            self.pages.iter().filter_map(|page| Some((base(&page.base)?, page, rows(page)))).collect();
        let is_right = self.is_right;
        Racer::new(name, move |judge| {
            for (base, page, rows) in &prepared {
                for (given, row) in rows {
                    verb(base, given, &mut Answer { judge, page, row, is_right });
                }
            }
        })
    }
}

/// Takes the answer of a racer for one row.
pub struct Answer<'a> {
    judge: &'a mut Judge,
    page: &'static Page,
    row: &'static Row,
    is_right: fn(&Page, &Row, &[u8]) -> bool,
}

impl Answer<'_> {
    #[inline(always)]
    pub fn is(&mut self, text: impl AsRef<[u8]>) {
        let (is_right, page, row) = (self.is_right, self.page, self.row);
        self.judge.take(text.as_ref(), |answer| is_right(page, row, answer));
    }
}

/// The number of URLs that share one base.
const ROWS_A_PAGE: usize = 16;

/// Uses each seventeenth URL as a base for the URLs that follow it in the list.
pub fn neighbours(corpus: &Corpus, row: impl Fn(usize, &str, &str) -> Option<Row>) -> Vec<Page> {
    let valid: Vec<&String> = corpus.urls.iter().filter(|url| Uri::parse(url).is_ok()).collect();
    let page = |urls: &[&String]| {
        let base = urls[0].split('#').next().unwrap_or_default().to_owned();
        let rows = urls[1..].iter().enumerate().filter_map(|(i, url)| row(i, &base, url)).collect();
        Page { base, rows }
    };
    valid.chunks(1 + ROWS_A_PAGE).map(page).collect()
}

/// Returns the target of a reference by RFC 3986.
pub fn target(base: &str, reference: &str) -> Option<String> {
    let document = Document::Rfc3986;
    match model::resolve(document, base, reference, document.choices()) {
        Outcome::Target(target) => Some(target),
        _ => None,
    }
}

/// Returns a row for resolving, if the reference is valid.
pub fn link(base: &str, reference: String) -> Option<Row> {
    UriRef::parse(&reference).ok()?;
    let answer = target(base, &reference)?.into_bytes();
    Some(Row { given: reference.into(), answer })
}
