//! Breaks sentences into the lines of a terminal: takes words, and writes lines that are as wide as the output.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::output::Output;
use crate::terminal::visible::legible;

/// Writes words in lines that fit, each after an indent.
pub(crate) fn write<'w>(
    out: &mut Output,
    indent: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> io::Result<()> {
    let lines = lines(words, out.columns, indent.len(), indent.len());
    lines.iter().try_for_each(|line| writeln!(out, "{indent}{line}"))
}

/// Writes a text, in which what does not show itself is written by code, in a style after `first` columns of a line, and ends it. At a terminal it has as many
/// lines as it needs, those after the first in the column `indent`; programs read one line.
pub(crate) fn flow(
    out: &mut Output,
    first: usize,
    indent: usize,
    style: Style,
    text: &str,
) -> io::Result<()> {
    let (paint, text) = (out.paint, &*legible(text).to_string());
    if !out.is_terminal {
        return writeln!(out, "{}", paint.with(style, text));
    }
    for (number, line) in lines(text.split(' '), out.columns, first, indent).iter().enumerate() {
        let indent = if number == 0 { 0 } else { indent };
        match line.as_str() {
            "" => writeln!(out)?,
            line => writeln!(out, "{:indent$}{}", "", paint.with(style, line))?,
        }
    }
    Ok(())
}

/// Writes a report of one line after `column` columns: a sentence in a style, and what follows it. At a
/// terminal where they do not fit, what follows has lines of its own.
pub(crate) fn short(
    out: &mut Output,
    column: usize,
    style: Style,
    sentence: &str,
    rest: [&str; 2],
) -> io::Result<()> {
    let (paint, [gap, rest]) = (out.paint, rest);
    let (sentence, rest) = (&*legible(sentence).to_string(), &*legible(rest).to_string());
    if !out.is_terminal || column + sentence.width() + gap.width() + rest.width() <= out.columns {
        return writeln!(out, "{}{gap}{rest}", paint.with(style, sentence));
    }
    flow(out, column, 2, style, sentence)?;
    write!(out, "  ")?;
    flow(out, 2, 2, Style::new(), rest)
}

/// Divides words into lines of at most that many columns. The first line begins in the column `first`,
/// and is empty if no word fits; the others begin in `indent`.
pub(crate) fn lines<'w>(
    words: impl IntoIterator<Item = &'w str>,
    columns: usize,
    first: usize,
    indent: usize,
) -> Vec<String> {
    let (mut lines, mut line, mut column) = (Vec::new(), String::new(), first);
    let mut is_begun = false;
    for word in words {
        let width = word.width();
        let gap = usize::from(is_begun);
        if column + gap + width > columns && column > indent {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            (column, is_begun) = (indent, false);
        }
        if is_begun {
            line.push(' ');
            column += 1;
        }
        line.push_str(word);
        (column, is_begun) = (column + width, true);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_line_has_the_words_that_fit() {
        for (text, columns, first, indent, stated) in [
            ("a bc d", 4, 0, 0, &["a bc", "d"][..]),
            ("a bc d", 4, 2, 0, &["a", "bc d"]),
            ("a bc d", 4, 4, 1, &["", "a", "bc", "d"]),
            ("longer a", 4, 0, 0, &["longer", "a"]),
            ("longer a", 4, 2, 2, &["longer", "a"]),
            ("\u{7D0D} \u{7D0D} a", 5, 0, 0, &["\u{7D0D} \u{7D0D}", "a"]),
            ("a  b", 9, 0, 0, &["a  b"]),
            ("", 9, 3, 0, &[""]),
        ] {
            assert_eq!(lines(text.split(' '), columns, first, indent), stated, "{text} {columns}");
        }
    }
}
