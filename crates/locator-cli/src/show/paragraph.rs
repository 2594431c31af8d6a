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
    let mut line = String::new();
    for word in words {
        let length = indent.len() + line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && length > WIDTH {
            writeln!(out, "{indent}{line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{indent}{line}")
}
