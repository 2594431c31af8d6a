//! The difference between two texts as `git diff` writes it: takes the old text and its edits, returns a unified
//! diff with three lines of context, which `git apply` takes. Texts are octets: line ends, marks and invalid
//! UTF-8 stay as they are.

use std::ops::Range;

use locator_links::mend::Edit;

/// The lines around a change.
const CONTEXT: usize = 3;

/// Returns the difference; `edits` are in the order of the text.
pub(super) fn diff(name: &[u8], old: &[u8], edits: &[&Edit]) -> Vec<u8> {
    let lines = lines(old);
    let changes = changes(&lines, old, edits);
    let mut written = header(name);
    let (mut rest, mut shift) = (changes.as_slice(), 0);
    while let Some(first) = rest.first() {
        let is_near = |two: &&[Change]| match two {
            [one, next] => next.lines.start <= one.lines.end + 2 * CONTEXT,
            _ => false,
        };
        let length = 1 + rest.windows(2).take_while(is_near).count();
        let (hunk, after) = rest.split_at(length);
        let last = hunk.last().unwrap_or(first);
        let range = first.lines.start.saturating_sub(CONTEXT)..(last.lines.end + CONTEXT).min(lines.len());
        shift = write_hunk(&mut written, (&lines, old), hunk, range, shift);
        rest = after;
    }
    written
}

/// Lines that are replaced, and what replaces them.
struct Change {
    lines: Range<usize>,
    new: Vec<u8>,
}

/// Returns the ranges of the lines with their ends.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let ends = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    let mut start = 0;
    let mut lines: Vec<_> = ends.map(|end| std::mem::replace(&mut start, end)..end).collect();
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

/// Returns the lines that change; those that follow each other are one change.
fn changes(lines: &[Range<usize>], old: &[u8], edits: &[&Edit]) -> Vec<Change> {
    let line_at = |at: usize| lines.partition_point(|line| line.end <= at);
    let mut changes: Vec<(Range<usize>, Vec<&Edit>)> = Vec::new();
    for edit in edits {
        let own = line_at(edit.range.start)..line_at(edit.range.end.saturating_sub(1)) + 1;
        match changes.last_mut().filter(|(lines, _)| own.start <= lines.end) {
            Some((lines, edits)) => {
                lines.end = lines.end.max(own.end);
                edits.push(edit);
            }
            None => changes.push((own, vec![edit])),
        }
    }
    let start = |line: usize| lines.get(line).map_or(old.len(), |line| line.start);
    let text = |(lines, edits): (Range<usize>, Vec<&Edit>)| {
        let (mut at, end, mut new) = (start(lines.start), start(lines.end), Vec::new());
        for edit in edits {
            new.extend_from_slice(old.get(at..edit.range.start).unwrap_or_default());
            new.extend_from_slice(&edit.written);
            at = edit.range.end;
        }
        new.extend_from_slice(old.get(at..end).unwrap_or_default());
        Change { lines, new }
    };
    changes.into_iter().map(text).collect()
}

/// Writes a hunk, and returns by how much the lines after it move.
fn write_hunk(
    written: &mut Vec<u8>,
    (lines, old): (&[Range<usize>], &[u8]),
    hunk: &[Change],
    range: Range<usize>,
    shift: isize,
) -> isize {
    let texts = |lines_of: Range<usize>| {
        let of = lines.get(lines_of).unwrap_or_default();
        of.iter().map(|line| old.get(line.clone()).unwrap_or_default())
    };
    let (mut body, mut added, mut at) = (Vec::new(), 0_isize, range.start);
    for Change { lines: own, new } in hunk {
        texts(at..own.start).for_each(|line| write_line(&mut body, b' ', line));
        texts(own.clone()).for_each(|line| write_line(&mut body, b'-', line));
        let new_lines = self::lines(new);
        new_lines
            .iter()
            .for_each(|line| write_line(&mut body, b'+', new.get(line.clone()).unwrap_or_default()));
        added += new_lines.len() as isize - own.len() as isize;
        at = own.end;
    }
    texts(at..range.end).for_each(|line| write_line(&mut body, b' ', line));
    let count = range.len();
    let (start, new_count) = (range.start + 1, count.saturating_add_signed(added));
    let new_start = start.saturating_add_signed(shift);
    let stretch = |start: usize, count: usize| match count {
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    };
    let (old, new) = (stretch(start, count), stretch(new_start, new_count));
    written.extend(format!("@@ -{old} +{new} @@\n").bytes());
    written.extend(body);
    shift + added
}

fn write_line(written: &mut Vec<u8>, sign: u8, line: &[u8]) {
    written.push(sign);
    written.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        written.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// Returns the lines with the name of the file, which git quotes if it has control characters or quotes.
fn header(name: &[u8]) -> Vec<u8> {
    let has_quote = name.iter().any(|octet| matches!(octet, 0..=0x1F | 0x7F | b'"' | b'\\'));
    let named = |prefix: &str| -> Vec<u8> {
        let whole = [prefix.as_bytes(), name].concat();
        if has_quote { quoted(&whole) } else { whole }
    };
    let (old, new) = (named("a/"), named("b/"));
    // A name with a space ends with a tab.
    let end: &[u8] = if !has_quote && name.contains(&b' ') { b"\t\n" } else { b"\n" };
    let parts: [&[u8]; 11] =
        [b"diff --git ", &old, b" ", &new, b"\n--- ", &old, end, b"+++ ", &new, end, b""];
    parts.concat()
}

fn quoted(name: &[u8]) -> Vec<u8> {
    let mut text = vec![b'"'];
    for &octet in name {
        match octet {
            b'"' | b'\\' => text.extend([b'\\', octet]),
            0..=0x1F | 0x7F => text.extend(format!("\\{octet:03o}").bytes()),
            _ => text.push(octet),
        }
    }
    text.push(b'"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<usize>, written: &str) -> Edit {
        Edit { range, written: written.into(), reference: written.to_owned() }
    }

    #[test]
    fn hunks() {
        let old: String = (1..=20).map(|number| format!("line {number:02}\n")).collect();
        let text = |edits: &[&Edit]| String::from_utf8(diff(b"a b", old.as_bytes(), edits)).unwrap();
        let (second, third) = (edit(8..15, "new"), edit(16..20, "other"));
        let far = edit(152..159, "end");
        let head = "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n";
        let one =
            "@@ -1,6 +1,6 @@\n line 01\n-line 02\n-line 03\n+new\n+other 03\n line 04\n line 05\n line 06\n";
        assert_eq!(text(&[&second, &third]), format!("{head}{one}"));
        let two = "@@ -17,4 +17,4 @@\n line 17\n line 18\n line 19\n-line 20\n+end\n";
        assert_eq!(text(&[&second, &third, &far]), format!("{head}{one}{two}"));
    }

    #[test]
    fn octets_stay() {
        let old = b"\xEF\xBB\xBFa\r\n\xFF b";
        let printed = diff(b"x\n\"", old, &[&edit(7..8, "c")]);
        let expected = b"diff --git \"a/x\\012\\\"\" \"b/x\\012\\\"\"\n--- \"a/x\\012\\\"\"\n+++ \"b/x\\012\\\"\"\n\
            @@ -1,2 +1,2 @@\n \xEF\xBB\xBFa\r\n-\xFF b\n\\ No newline at end of file\n+\xFFcb\n\\ No newline at end of file\n";
        assert_eq!(printed, expected);
    }
}
