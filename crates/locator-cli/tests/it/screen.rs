//! What a terminal shows: takes what a program writes to it, and returns lines.
//!
//! It knows what this command and its libraries write: colours (SGR), movements of the cursor (CR,
//! LF, CUU), erasing (EL, ED), and links (OSC 8), whose text is kept and whose URL is dropped.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

/// A screen without an end below.
pub(crate) struct Screen {
    columns: usize,
    lines: Vec<Line>,
    row: usize,
    column: usize,
    /// The parameters of SGR since the last reset.
    style: Vec<u8>,
}

/// A line of cells.
#[derive(Default)]
struct Line {
    cells: Vec<Cell>,
    /// Whether the terminal began it, because the line before was full.
    is_broken: bool,
}

/// A cell: characters, and the parameters of their style. That after a wide character is empty.
#[derive(Clone, Default)]
struct Cell {
    text: String,
    style: Vec<u8>,
}

impl Screen {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, lines: vec![Line::default()], row: 0, column: 0, style: Vec::new() }
    }

    /// Shows what a program writes.
    pub(crate) fn write(&mut self, text: &str) {
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            match c {
                '\r' => self.column = 0,
                '\n' => self.begin_line(false),
                '\u{1B}' => rest = self.escape(rest.as_str()).chars(),
                c => self.put(c),
            }
        }
    }

    fn put(&mut self, c: char) {
        let text = if c < ' ' || c == '\u{7F}' { format!("{{{:02X}}}", u32::from(c)) } else { c.to_string() };
        let width = c.width().unwrap_or(1);
        if width == 0 {
            if let Some(cell) = self.lines[self.row].cells.get_mut(self.column.saturating_sub(1)) {
                cell.text.push(c);
            }
            return;
        }
        if self.column + width > self.columns {
            self.begin_line(true);
            self.column = 0;
        }
        let cells = &mut self.lines[self.row].cells;
        if cells.len() < self.column + width {
            cells.resize(self.column + width, Cell { text: " ".to_owned(), style: Vec::new() });
        }
        cells[self.column] = Cell { text, style: self.style.clone() };
        for cell in &mut cells[self.column + 1..self.column + width] {
            *cell = Cell { text: String::new(), style: self.style.clone() };
        }
        self.column += width;
    }

    fn begin_line(&mut self, is_broken: bool) {
        self.row += 1;
        if self.row == self.lines.len() {
            self.lines.push(Line::default());
        }
        self.lines[self.row].is_broken = is_broken;
    }

    /// Obeys what follows ESC, and returns the rest.
    fn escape<'t>(&mut self, text: &'t str) -> &'t str {
        if let Some(link) = text.strip_prefix(']') {
            let end = link.find("\u{1B}\\").map(|end| end + 2).or(link.find('\u{7}').map(|end| end + 1));
            return &link[end.unwrap_or(link.len())..];
        }
        let Some(sequence) = text.strip_prefix('[') else { panic!("unknown escape: {text:?}") };
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).expect("an escape sequence has an end");
        let (parameters, rest) = (&sequence[..end], &sequence[end + 1..]);
        let numbers: Vec<u8> = parameters.split(';').filter_map(|number| number.parse().ok()).collect();
        let number = usize::from(numbers.first().copied().unwrap_or(0));
        match sequence.as_bytes()[end] {
            b'm' if numbers.is_empty() || numbers == [0] => self.style.clear(),
            b'm' => self.style.extend(numbers),
            b'A' => self.row = self.row.saturating_sub(number.max(1)),
            b'B' => (0..number.max(1)).for_each(|_| self.begin_line(false)),
            b'G' => self.column = number.max(1) - 1,
            b'K' if number == 2 => self.lines[self.row].cells.clear(),
            b'K' => self.lines[self.row].cells.truncate(self.column),
            b'J' => {
                self.lines[self.row].cells.truncate(self.column);
                self.lines.truncate(self.row + 1);
            }
            // The cursor is shown or hidden.
            b'h' | b'l' => {}
            other => panic!("unknown escape sequence: {parameters}{}", char::from(other)),
        }
        rest
    }

    /// Returns the lines that the terminal broke, unless they consist of one word.
    pub(crate) fn broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for (row, line) in self.lines.iter().enumerate().filter(|(_, line)| line.is_broken) {
            let text = |line: &Line| line.cells.iter().map(|cell| cell.text.as_str()).collect::<String>();
            let before = text(&self.lines[row - 1]);
            if before.trim_start().contains(' ') {
                broken.push(before + "|" + &text(line));
            }
        }
        broken
    }

    /// Returns the lines, with the styles as marks.
    pub(crate) fn marked(&self) -> String {
        let mut out = String::new();
        for line in &self.lines {
            let mut style: &[u8] = &[];
            let end = line.cells.iter().rposition(|cell| cell.text != " " || !cell.style.is_empty());
            for cell in &line.cells[..end.map_or(0, |end| end + 1)] {
                if cell.style != style {
                    style = &cell.style;
                    let _ = write!(out, "{{{}}}", words(style));
                }
                out.push_str(&cell.text);
            }
            out.push_str(if style.is_empty() { "\n" } else { "{}\n" });
        }
        let length = out.trim_end_matches('\n').len();
        out.truncate(length);
        out.push('\n');
        out
    }
}

/// Returns the words for parameters of SGR: `bold red`.
fn words(parameters: &[u8]) -> String {
    let mut words = Vec::new();
    let mut rest = parameters;
    while let [first, after @ ..] = rest {
        rest = after;
        let word = match (first, after) {
            (38 | 48, [5, number, after @ ..]) => {
                rest = after;
                let color = match number {
                    167 => "red".to_owned(),
                    28 => "green".to_owned(),
                    136 => "yellow".to_owned(),
                    134 => "magenta".to_owned(),
                    31 => "cyan".to_owned(),
                    244 => "faint".to_owned(),
                    other => format!("color {other}"),
                };
                if *first == 48 { format!("on {color}") } else { color }
            }
            (1, _) => "bold".to_owned(),
            (2, _) => "dim".to_owned(),
            (4, _) => "underlined".to_owned(),
            (31..=37, _) => {
                let names = ["red", "green", "yellow", "blue", "magenta", "cyan", "white"];
                format!("palette {}", names[usize::from(first - 31)])
            }
            (other, _) => other.to_string(),
        };
        words.push(word);
    }
    words.join(" ")
}

#[test]
fn a_screen_shows_what_is_left() {
    let mut screen = Screen::new(6);
    screen.write("\u{1B}[1;38;5;167mab\u{1B}[0m c\r\n12345678\r\n");
    screen.write("progress\r\u{1B}[2K\u{1B}[1A\u{1B}[2Kdone \u{7D0D}\r\n\u{1B}[38;5;31mx\u{1B}[0m");
    assert_eq!(screen.marked(), "{bold red}ab{} c\n123456\n78\ndone\n\u{7D0D}\n{cyan}x{}\n");
    assert_eq!(screen.broken(), ["done |\u{7D0D}"]);
}
