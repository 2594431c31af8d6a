//! A heading, as rules see it: its text, and what is more than text in it.

use std::ops::Range;

/// A heading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading<'h> {
    /// Its text as it is shown, with the texts of images and "\n" for the end of a line.
    pub(crate) text: &'h str,
    /// Stretches of the text that are more than text, in order.
    pub(crate) pieces: &'h [(Range<usize>, Piece)],
    /// The heading as it is written, without what makes it a heading.
    pub(crate) written: &'h str,
}

/// The kind of a stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Code,
    /// The alternative text of an image.
    Image,
}

impl<'h> Heading<'h> {
    /// Returns the heading up to a position of its text.
    pub(crate) fn up_to(self, end: usize) -> Self {
        let text = self.text.get(..end).unwrap_or(self.text);
        let count = self.pieces.iter().take_while(|(piece, _)| piece.end <= text.len()).count();
        Self { text, pieces: &self.pieces[..count], written: self.written }
    }
}
