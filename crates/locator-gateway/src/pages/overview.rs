//! An article in the overview of a newsgroup: takes its line, returns its author and its date as people read
//! them. Follows RFC 3977, 8.3, RFC 5322, 3.3 and 3.4, and RFC 850, 2.1.1 (authors as `address (name)`).

use locator_fetch::entries::ArticleOverview;
use maud::{Markup, html};

use super::decode::Guess;
use super::header::words;
use super::words::{beginning, visible};

/// The columns of an overview.
pub(super) const COLUMNS: [&str; 4] = ["Subject", "Author", "Date", "Lines"];

/// Returns a subject, decoded.
pub(super) fn subject(text: &str) -> String {
    let subject = words(text);
    if subject.trim().is_empty() { "(no subject)".into() } else { subject }
}

/// Returns the cells after the subject.
pub(super) fn cells(article: &ArticleOverview, guess: &mut Guess) -> Markup {
    let from = words(&guess.decode(&article.from));
    let date = guess.decode(&article.date);
    html! {
        td.author { bdi { (visible(beginning(author(&from)).0)) } }
        td { (visible(beginning(shown_date(&date)).0)) }
        td { @if let Some(lines) = article.lines { (lines) } }
    }
}

/// Returns the name of an author, or the address if there is no name.
fn author(from: &str) -> &str {
    let from = from.trim();
    if let Some((name, address)) = from.split_once('<') {
        let name = name.trim().trim_matches('"').trim();
        return if name.is_empty() { address.trim_end_matches('>').trim() } else { name };
    }
    match from.split_once('(') {
        Some((_, name)) if from.ends_with(')') && name.len() > 1 => name.trim_end_matches(')').trim(),
        _ => from,
    }
}

/// Returns a date without the day of the week and without a comment.
fn shown_date(date: &str) -> &str {
    let date = date.split('(').next().unwrap_or_default();
    date.split_once(',').map_or(date, |(_, date)| date).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors() {
        for (from, expected) in [
            ("Joe <joe@h>", "Joe"),
            ("\"Joe, the first\" <joe@h>", "Joe, the first"),
            (" <joe@h> ", "joe@h"),
            ("joe@h (Joe)", "Joe"),
            ("joe@h ()", "joe@h ()"),
            ("joe@h", "joe@h"),
            ("", ""),
        ] {
            assert_eq!(author(from), expected, "{from}");
        }
    }

    #[test]
    fn dates() {
        for (date, expected) in [
            ("Thu, 12 Nov 2026 08:00:00 +0100 (CET)", "12 Nov 2026 08:00:00 +0100"),
            ("12 Nov 2026 08:00 GMT", "12 Nov 2026 08:00 GMT"),
            ("(x", ""),
            ("", ""),
        ] {
            assert_eq!(shown_date(date), expected, "{date}");
        }
    }
}
