//! How many columns a line may have: those of the terminal, between 40 and 120, less one, because
//! some terminals begin a new line after the last. What is not a terminal has 80.

use std::num::NonZeroU16;

use terminal_size::Width;

/// The fewest and the most columns that lines are written for.
const LEAST: usize = 40;
const MOST: usize = 120;

/// The columns of a file, a pipe or a terminal that does not know its own.
const USUAL: usize = 80;

/// Returns the most columns of a line on standard output, or on standard error.
pub(crate) fn of_stream(is_error: bool) -> usize {
    let size = match is_error {
        true => terminal_size::terminal_size_of(std::io::stderr()),
        false => terminal_size::terminal_size_of(std::io::stdout()),
    };
    usable(size.and_then(|(Width(columns), _)| NonZeroU16::new(columns)))
}

fn usable(columns: Option<NonZeroU16>) -> usize {
    columns.map_or(USUAL, |columns| usize::from(columns.get())).clamp(LEAST, MOST) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_between_39_and_119_columns() {
        let of = |columns| usable(NonZeroU16::new(columns));
        assert_eq!([0, 20, 40, 80, 120, 500].map(of), [79, 39, 39, 79, 119, 119]);
    }
}
