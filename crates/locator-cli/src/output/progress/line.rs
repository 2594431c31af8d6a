//! The line of progress, for the width of a terminal: the bar shrinks, then it is left out, then other
//! fields are, the least important first; the name is cut.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::terminal::Paint;
use crate::terminal::paint::{FAINT, GOOD};
#[cfg(feature = "get")]
use crate::terminal::visible;

/// What a field says. Those first here stay longest on a narrow terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    Percent,
    Counted,
    Time,
    Size,
    #[cfg(feature = "get")]
    Speed,
    Rest,
}

/// What is to be shown, in the order of the line: a name, a bar, fields.
#[derive(Default)]
pub(super) struct Line {
    name: String,
    /// The part that is done, from 0 to 1.
    done: Option<f64>,
    fields: Vec<(Field, String)>,
}

/// The columns between two fields.
const GAP: usize = 2;

/// The columns of a bar.
const SHORTEST: usize = 8;
const LONGEST: usize = 40;

/// The most columns of a name, and those that are kept for it.
const NAME: usize = 30;
const SHORT_NAME: usize = 12;

impl Line {
    /// Begins with a name.
    #[cfg(feature = "get")]
    pub(super) fn named(name: &str) -> Self {
        Self { name: visible(name).to_string(), ..Self::default() }
    }

    /// Adds a bar, and its percent.
    pub(super) fn part(self, done: u64, all: u64) -> Self {
        let part = if all == 0 { 1.0 } else { (done as f64 / all as f64).min(1.0) };
        Self { done: Some(part), ..self }.field(Field::Percent, format!("{:>3}%", (part * 100.0) as u8))
    }

    /// Adds a field.
    pub(super) fn field(mut self, field: Field, text: String) -> Self {
        self.fields.push((field, text));
        self
    }

    /// Returns the line for so many columns.
    pub(super) fn drawn(&self, columns: usize, paint: Paint) -> String {
        let mut fields: Vec<_> = self.fields.iter().collect();
        let room = |fields: &[&(Field, String)], name: usize| {
            let named = usize::from(name > 0);
            let texts: usize = fields.iter().map(|(_, text)| GAP + text.width()).sum();
            (columns + GAP * (1 - named)).checked_sub(name + texts)
        };
        let name = self.name.width();
        while room(&fields, name.min(SHORT_NAME)).is_none() {
            let Some(least) = fields.iter().map(|(field, _)| *field).max() else { break };
            fields.retain(|(field, _)| *field != least);
        }
        let free = room(&fields, 0).unwrap_or(columns);
        // The name is cut before the bar is left out.
        let bar = self.done.filter(|_| room(&fields, name.min(SHORT_NAME)) >= Some(GAP + SHORTEST));
        let reserved = if bar.is_some() { GAP + SHORTEST } else { 0 };
        let name = cut(&self.name, free.saturating_sub(reserved + GAP).clamp(1, NAME));
        let left = room(&fields, name.width()).unwrap_or(0);
        let bar = bar.map(|done| drawn_bar(done, left.saturating_sub(GAP).clamp(SHORTEST, LONGEST), paint));
        let texts = fields.into_iter().map(|(_, text)| text.clone());
        let parts = Some(name).filter(|name| !name.is_empty()).into_iter().chain(bar).chain(texts);
        parts.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// Returns a bar of so many columns.
fn drawn_bar(done: f64, columns: usize, paint: Paint) -> String {
    let full = (columns as f64 * done) as usize;
    let (full, rest) = ("━".repeat(full), "─".repeat(columns - full));
    format!("{}{}", paint.with(GOOD, full), paint.with(FAINT, rest))
}

/// Returns a name of at most so many columns.
fn cut(name: &str, columns: usize) -> String {
    if name.width() <= columns {
        return name.to_owned();
    }
    let mut width = 0;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width < columns
    };
    name.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(all(test, feature = "get"))]
mod tests {
    use super::*;

    fn drawn(name: &str, columns: usize) -> String {
        let line = Line::named(name).part(7, 20);
        let line = line.field(Field::Size, "7.0 of 20.0 MiB".into()).field(Field::Speed, "1.8 MiB/s".into());
        line.field(Field::Time, "0:07".into()).drawn(columns, Paint::new(false))
    }

    #[test]
    fn the_bar_shrinks_then_goes() {
        for (columns, shown) in [
            (
                119,
                "large.iso  ━━━━━━━━━━━━━━──────────────────────────   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07",
            ),
            (79, "large.iso  ━━━━━━━━━───────────────────   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07"),
            (60, "large.iso  ━━━──────   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07"),
            (58, "large.iso   35%  7.0 of 20.0 MiB  1.8 MiB/s  0:07"),
            (39, "large.iso   35%  7.0 of 20.0 MiB  0:07"),
            (30, "large.iso   35%  0:07"),
            (12, "large.iso"),
            (5, "larg…"),
        ] {
            let line = drawn("large.iso", columns);
            assert_eq!(line, shown, "{columns}");
        }
    }

    #[test]
    fn no_line_is_longer_than_the_terminal() {
        for name in
            ["a", "large.iso", "a-very-long-name-of-a-file-with-a-date-20261123.tar.zst", "大きい文件.iso"]
        {
            for columns in 1..200 {
                let line = drawn(name, columns);
                assert!(line.width() <= columns, "{columns}: {line}");
            }
        }
    }

    #[test]
    fn a_line_without_a_name() {
        let line = Line::default().field(Field::Counted, "2 of 3 done, 1 failed".into());
        let line = line.field(Field::Speed, "1.8 MiB/s".into());
        assert_eq!(line.drawn(79, Paint::new(false)), "2 of 3 done, 1 failed  1.8 MiB/s");
        assert_eq!(line.drawn(30, Paint::new(false)), "2 of 3 done, 1 failed");
    }
}
