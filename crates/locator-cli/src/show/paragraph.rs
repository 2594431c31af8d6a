//! Words in lines of a terminal.

use std::io::{self, Write};

use crate::output::Output;

/// How many columns a line has at most.
const WIDTH: usize = 78;

/// Writes words in lines of at most 78 columns, each after an indent.
pub(crate) fn write<'w>(
    out: &mut Output,
    indent: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> io::Result<()> {
    let lines = lines(words, WIDTH - indent.len(), 0);
    lines.iter().try_for_each(|line| writeln!(out, "{indent}{line}"))
}

/// Divides words into lines of at most that many columns; the first line begins in a column.
pub(crate) fn lines<'w>(
    words: impl IntoIterator<Item = &'w str>,
    columns: usize,
    first: usize,
) -> Vec<String> {
    let (mut lines, mut line, mut column) = (Vec::new(), String::new(), first);
    for word in words {
        let length = word.chars().count();
        if !line.is_empty() {
            if column + 1 + length > columns {
                lines.push(std::mem::take(&mut line));
                column = 0;
            } else {
                line.push(' ');
                column += 1;
            }
        }
        line.push_str(word);
        column += length;
    }
    lines.push(line);
    lines
}
