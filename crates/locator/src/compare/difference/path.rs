//! Lists the differences of two paths. Equal segments are paired from the left and from the right;
//! the rest differs by its dot segments or in content.

use alloc::vec::Vec;

use super::{DifferenceKind, List, Side};
use crate::span::{Component, Span};

impl<'a> List<'a> {
    /// Reports the differences of two paths.
    pub(super) fn report_path(&mut self, one: &'a str, other: &'a str) {
        if one.starts_with('/') != other.starts_with('/') {
            return self.push(Component::Path, DifferenceKind::Content);
        }
        let (segments, others) = (segments(self.first, one), segments(self.second, other));
        let same = |(one, other): &(&Segment<'_>, &Segment<'_>)| {
            self.first.syntax.undone_in(one.text).write(one.text)
                == self.second.syntax.undone_in(other.text).write(other.text)
        };
        let before = segments.iter().zip(&others).take_while(same).count();
        let (rest, rest_other) = (&segments[before..], &others[before..]);
        let after = rest.iter().rev().zip(rest_other.iter().rev()).take_while(same).count();
        let (middle, tail) = rest.split_at(rest.len() - after);
        let (middle_other, tail_other) = rest_other.split_at(rest_other.len() - after);

        self.report_pairs(&segments[..before], &others[..before]);
        if !middle.is_empty() || !middle_other.is_empty() {
            let equal = self.first.syntax.part(Component::Path) == self.second.syntax.part(Component::Path);
            let kind = if equal { DifferenceKind::Dots } else { DifferenceKind::Content };
            let spans = (self.first.across(middle, tail), self.second.across(middle_other, tail_other));
            let spans = with_delimiter(spans, middle.len(), middle_other.len());
            self.extend(Component::Path, kind, spans);
        }
        self.report_pairs(tail, tail_other);
    }

    fn report_pairs(&mut self, segments: &[Segment<'_>], others: &[Segment<'_>]) {
        for (one, other) in segments.iter().zip(others) {
            let undone = (self.first.syntax.undone_in(one.text), self.second.syntax.undone_in(other.text));
            self.report_tokens(Component::Path, undone, (one.text, other.text), (one.at, other.at));
        }
    }
}

/// An additional empty segment is shown by the "/" before it.
fn with_delimiter((one, other): (Span, Span), count: usize, count_other: usize) -> (Span, Span) {
    let longer = |span: Span| Span { start: span.start.saturating_sub(1), end: span.end };
    match (one.is_empty() && other.is_empty(), count > count_other) {
        (false, _) => (one, other),
        (true, true) => (longer(one), other),
        (true, false) => (one, longer(other)),
    }
}

/// A segment and its offset in the whole text.
struct Segment<'a> {
    text: &'a str,
    at: u32,
}

fn segments<'a>(side: Side<'a>, path: &'a str) -> Vec<Segment<'a>> {
    let rooted = path.strip_prefix('/');
    let mut next = side.span(Component::Path).start + u32::from(rooted.is_some());
    let segment = |text: &'a str| {
        let at = next;
        next += text.len() as u32 + 1;
        Segment { text, at }
    };
    rooted.unwrap_or(path).split('/').map(segment).collect()
}

impl Side<'_> {
    /// Returns the span from the first of these segments to the last; without segments, the empty
    /// span before the segments that follow.
    fn across(&self, segments: &[Segment<'_>], following: &[Segment<'_>]) -> Span {
        let end = self.span(Component::Path).end;
        let at = following.first().map_or(end, |segment| segment.at);
        match (segments.first(), segments.last()) {
            (Some(first), Some(last)) => Span { start: first.at, end: last.at + last.text.len() as u32 },
            _ => Span { start: at, end: at },
        }
    }
}
