//! What the verbs are done to: a corpus of URLs enters; bases, what is put to them, and the right answers
//! leave. The answers are those of the naive model in `locator-dev`, which shares no line with the
//! library.

use std::borrow::Cow;

use locator::{Uri, UriRef};
use locator_dev::model::{self, Document, Outcome};

use crate::corpus::Corpus;
use crate::race::{Judge, Racer};

/// A base, and what is put to it; the base is empty where the verb needs none.
pub struct Page {
    pub base: String,
    pub rows: Vec<Row>,
}

/// What is given to a racer, and what it should answer.
pub struct Row {
    pub given: Cow<'static, str>,
    pub answer: Vec<u8>,
}

impl Page {
    /// The same with its texts one behind the other, as those of a page are: racers are to be measured,
    /// and not how texts that lie about are fetched from memory.
    fn gathered(self) -> Self {
        let texts: Vec<_> = self.rows.iter().map(|row| &*row.given).collect();
        let mut rest: &'static str = texts.concat().leak();
        let gathered = |row: Row| {
            let (given, behind) = rest.split_at(row.given.len());
            rest = behind;
            Row { given: Cow::Borrowed(given), ..row }
        };
        Self { rows: self.rows.into_iter().map(gathered).collect(), ..self }
    }
}

/// A list of them, which racers may borrow from as long as they like.
pub struct Pages {
    pub name: String,
    pub pages: &'static [Page],
    /// Whether the bars are meant for it.
    pub counts: bool,
    /// Whether an answer is right: to this base, for this row.
    is_right: fn(&Page, &Row, &[u8]) -> bool,
}

impl Pages {
    pub fn new(name: &str, pages: Vec<Page>, is_right: fn(&Page, &Row, &[u8]) -> bool) -> Self {
        let pages = pages.into_iter().map(Page::gathered).collect::<Vec<_>>().leak();
        Self { name: name.to_owned(), pages, counts: true, is_right }
    }

    /// Rows that need no base and have one right answer.
    pub fn without_base(name: &str, rows: impl Iterator<Item = Row>) -> Self {
        let page = Page { base: String::new(), rows: rows.collect() };
        Self::new(name, vec![page], |_, row, answer| row.answer == answer)
    }

    /// The same, but no bar is meant for it.
    pub fn not_counted(self) -> Self {
        Self { counts: false, ..self }
    }

    pub fn rows(&self) -> usize {
        self.pages.iter().map(|page| page.rows.len()).sum()
    }

    /// Octets a row.
    pub fn mean_length(&self) -> f64 {
        let rows = self.pages.iter().flat_map(|page| &page.rows);
        rows.map(|row| row.given.len()).sum::<usize>() as f64 / self.rows() as f64
    }

    /// One that reads bases and rows beforehand, and is measured doing the verb to them. What it cannot
    /// read has no answer.
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

/// Where a racer puts what it says of a row.
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

/// How many URLs of a list are put to the one before them.
const ROWS_A_PAGE: usize = 16;

/// Each seventeenth URL as a base, with the URLs behind it as they stand in the list.
pub fn neighbours(corpus: &Corpus, row: impl Fn(usize, &str, &str) -> Option<Row>) -> Vec<Page> {
    let valid: Vec<&String> = corpus.urls.iter().filter(|url| Uri::parse(url).is_ok()).collect();
    let page = |urls: &[&String]| {
        let base = urls[0].split('#').next().unwrap_or_default().to_owned();
        let rows = urls[1..].iter().enumerate().filter_map(|(i, url)| row(i, &base, url)).collect();
        Page { base, rows }
    };
    valid.chunks(1 + ROWS_A_PAGE).map(page).collect()
}

/// What RFC 3986 says that a reference is resolved to.
pub fn target(base: &str, reference: &str) -> Option<String> {
    let document = Document::Rfc3986;
    match model::resolve(document, base, reference, document.choices()) {
        Outcome::Target(target) => Some(target),
        _ => None,
    }
}

/// A row for resolving, if the reference is one.
pub fn link(base: &str, reference: String) -> Option<Row> {
    UriRef::parse(&reference).ok()?;
    let answer = target(base, &reference)?.into_bytes();
    Some(Row { given: reference.into(), answer })
}
