//! The lines of an answer, and their words. Spaces divide words; what is between two "'" belongs to
//! the word as it is, also spaces and line ends, and "''" there is a "'".

/// Divides an answer into lines, and these into words.
pub(super) struct AnswerLines<'a> {
    rest: &'a [u8],
}

impl<'a> AnswerLines<'a> {
    pub(super) const fn new(answer: &'a [u8]) -> Self {
        Self { rest: answer }
    }
}

/// A line: its words, and the octets that it was made from.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AnswerLine<'a> {
    pub(super) words: Vec<Vec<u8>>,
    pub(super) octets: &'a [u8],
    /// Whether its last quotation is ended.
    pub(super) is_whole: bool,
}

impl<'a> Iterator for AnswerLines<'a> {
    type Item = AnswerLine<'a>;

    /// Returns the next line that is not empty.
    fn next(&mut self) -> Option<AnswerLine<'a>> {
        while !self.rest.is_empty() {
            let line = read_line(self.rest);
            let length = line.octets.len();
            self.rest = self.rest.get(length + 1..).unwrap_or_default();
            if !line.words.is_empty() {
                return Some(line);
            }
        }
        None
    }
}

fn read_line(octets: &[u8]) -> AnswerLine<'_> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut is_quoted = false;
    let mut length = 0;
    while let Some(&octet) = octets.get(length) {
        match octet {
            b'\'' if is_quoted && octets.get(length + 1) == Some(&b'\'') => {
                word.get_or_insert_default().push(octet);
                length += 1;
            }
            b'\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            _ if is_quoted => word.get_or_insert_default().push(octet),
            b'\n' => break,
            b' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(octet),
        }
        length += 1;
    }
    words.extend(word);
    AnswerLine { words, octets: &octets[..length], is_whole: !is_quoted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_lines() {
        let words = |text: &str| {
            let lines = AnswerLines::new(text.as_bytes());
            lines
                .map(|line| line.words.iter().map(|word| String::from_utf8_lossy(word).into()).collect())
                .collect()
        };
        let cases: [(&str, &[&[&str]]); 12] = [
            ("", &[]),
            ("\n \n\n", &[]),
            ("NONE-FOUND", &[&["NONE-FOUND"]]),
            ("LINK  L\nb\n", &[&["LINK", "L"], &["b"]]),
            ("SEQUENCE 9' bytes'\n", &[&["SEQUENCE", "9 bytes"]]),
            ("it'''s quoted' x", &[&["it's quoted", "x"]]),
            ("'' ''''", &[&["", "'"]]),
            ("AFTP'/pub/it''s quoted'", &[&["AFTP/pub/it's quoted"]]),
            ("a'b'c'd'e", &[&["abcde"]]),
            ("DATA hello' from\ntree\n'\nb", &[&["DATA", "hello from\ntree\n"], &["b"]]),
            ("'a\n", &[&["a\n"]]),
            ("a\r\n", &[&["a\r"]]),
        ];
        for (text, expected) in cases {
            let read: Vec<Vec<String>> = words(text);
            assert_eq!(read, expected, "{text:?}");
        }
    }
}
