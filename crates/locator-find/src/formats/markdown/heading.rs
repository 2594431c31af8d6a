//! The headings of a document. Collects the text of each and returns its ids.
//!
//! The names of elements of HTML are ids, too: `<h3 name="usage">`. In a page of HTML only those of `a` are
//! anchors; a script of GitHub finds those of all elements. The rules are not documented; they are inferred
//! from GitHub's pages.

use std::ops::Range;

use memchr::{memchr_iter, memmem};

use crate::heading_ids::slug::{Heading, Piece};
use crate::heading_ids::{HeadingIds, NOTEBOOK, Numbers, Rule, Syntax, Trailer, of_block};

/// The headings of a document.
pub(super) struct Headings {
    rule: Rule,
    numbers: Numbers,
    /// Whether headings that are written as HTML have ids, too.
    has_html: bool,
    open: Option<OpenHeading>,
}

/// The longest text of a heading that is written as HTML.
const LONGEST: usize = 1 << 14;

/// A heading as it is in the document, with its marks.
pub(super) struct WrittenHeading<'t> {
    /// Empty if it is HTML.
    pub(super) text: &'t str,
    pub(super) span: Range<usize>,
}

/// A heading whose end is not read yet.
#[derive(Debug)]
struct OpenHeading {
    text: String,
    pieces: Vec<(Range<usize>, Piece)>,
    /// The span of its text.
    place: Option<Range<usize>>,
    /// How many images are open.
    images: usize,
    is_html: bool,
}

impl Headings {
    pub(super) fn new(ids: HeadingIds) -> Self {
        let rule = ids.rule();
        let numbers = Numbers::new(rule.numbers);
        Self { rule, numbers, has_html: ids == HeadingIds::GitHub, open: None }
    }

    /// Returns the headings of a notebook.
    pub(super) fn of_notebook() -> Self {
        Self { rule: NOTEBOOK, numbers: Numbers::new(NOTEBOOK.numbers), has_html: false, open: None }
    }

    /// Opens a heading.
    pub(super) fn start(&mut self) {
        self.open = Some(OpenHeading::new(false));
    }

    /// Appends text if a heading is open.
    pub(super) fn take(&mut self, text: &str, span: &Range<usize>) {
        // A heading of HTML without an end.
        self.open.take_if(|open| open.is_html && open.text.len() > LONGEST);
        if let Some(open) = &mut self.open {
            let start = open.text.len();
            open.text.push_str(text);
            if open.images > 0 {
                open.pieces.push((start..open.text.len(), Piece::Image));
            }
            open.extend(span);
        }
    }

    /// Appends code if a heading is open.
    pub(super) fn take_code(&mut self, code: &str, span: &Range<usize>) {
        let start = self.open.as_ref().map_or(0, |open| open.text.len());
        self.take(code, span);
        if let Some(open) = self.open.as_mut().filter(|open| open.images == 0) {
            open.pieces.push((start..open.text.len(), Piece::Code));
        }
    }

    /// Notes that an image begins or ends: its text is an alternative.
    pub(super) fn image(&mut self, begins: bool) {
        if let Some(open) = &mut self.open {
            open.images = if begins { open.images + 1 } else { open.images.saturating_sub(1) };
        }
    }

    /// Closes the heading; gives its ids and the span of its text to `emit`.
    pub(super) fn end(&mut self, written: &WrittenHeading<'_>, emit: impl FnMut(&str, Range<usize>)) {
        if let Some(open) = self.open.take_if(|open| !open.is_html) {
            self.close(&open, written, emit);
        }
    }

    /// Returns whether the names of all elements are anchors.
    pub(super) const fn has_names(&self) -> bool {
        self.has_html
    }

    /// Reads HTML, which may open or close a heading, or is in one.
    pub(super) fn html(&mut self, html: &str, span: &Range<usize>, mut emit: impl FnMut(&str, Range<usize>)) {
        let is_open = self.open.as_ref().is_some_and(|open| open.is_html);
        if !self.has_html || !(is_open || self.open.is_none() && html.contains("<h")) {
            return;
        }
        let mut rest = html;
        while let Some(at) = rest.find('<') {
            let (text, tag) = rest.split_at(at);
            self.take_html_text(text, span);
            let end = tag.find('>').map_or(tag.len(), |end| end + 1);
            match heading_tag(&tag[..end]) {
                Some(true) => self.open = Some(OpenHeading::new(true)),
                Some(false) => {
                    if let Some(open) = self.open.take_if(|open| open.is_html) {
                        self.close(&open, &WrittenHeading { text: "", span: span.clone() }, &mut emit);
                    }
                }
                None => {}
            }
            rest = &tag[end..];
        }
        self.take_html_text(rest, span);
    }

    /// Returns the id of a line of attributes: `{: #id}`.
    pub(super) fn of_block<'t>(&self, line: &'t str) -> Option<&'t str> {
        of_block(line, self.rule.syntax)
    }

    /// Appends text of HTML. References are mostly punctuation, which no id has.
    fn take_html_text(&mut self, text: &str, span: &Range<usize>) {
        self.open.take_if(|open| open.is_html && open.text.len() > LONGEST);
        let Some(open) = self.open.as_mut().filter(|open| open.is_html && !text.is_empty()) else { return };
        let mut pieces = text.split('&');
        open.text.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            open.text.push_str(piece.split_once(';').map_or(piece, |(_, after)| after));
        }
        open.extend(span);
    }

    fn close(
        &mut self,
        open: &OpenHeading,
        written: &WrittenHeading<'_>,
        mut emit: impl FnMut(&str, Range<usize>),
    ) {
        let place = || open.place.clone().unwrap_or(written.span.clone());
        let Rule { id, syntax, .. } = self.rule;
        let written = written.text.trim();
        let mut heading = Heading { text: &open.text, pieces: &open.pieces, written: without_marks(written) };
        if heading.written.is_empty() && (syntax == Syntax::Name || self.has_html && !open.is_html) {
            // To kramdown this is no heading; GitHub gives it no id.
            return;
        }
        let trailer = Trailer::of(heading.text, syntax);
        if let Some(trailer) = trailer.filter(|_| !syntax.is_last() || written.ends_with(['}', '=', '-'])) {
            if let Some(id) = trailer.id {
                self.numbers.note(id);
                emit(id, place());
                if !syntax.is_literal() {
                    return;
                }
            } else {
                heading = heading.up_to(trailer.at);
            }
        }
        let made = self.numbers.unique(id(&heading));
        if !made.is_empty() {
            emit(&made, place());
        }
        if open.is_html {
            let words: Vec<&str> = open.text.split_whitespace().collect();
            emit(&id(&Heading { text: &words.join(" "), pieces: &[], written }), place());
        }
    }
}

impl OpenHeading {
    const fn new(is_html: bool) -> Self {
        Self { text: String::new(), pieces: Vec::new(), place: None, images: 0, is_html }
    }

    fn extend(&mut self, span: &Range<usize>) {
        let start = self.place.as_ref().map_or(span.start, |place| place.start);
        self.place = Some(start..span.end);
    }
}

/// Returns whether a tag opens or closes a heading.
fn heading_tag(tag: &str) -> Option<bool> {
    let inner = tag.strip_prefix('<')?;
    let (name, is_start) = inner.strip_prefix('/').map_or((inner, true), |name| (name, false));
    let [b'h' | b'H', b'1'..=b'6', after, ..] = name.as_bytes() else { return None };
    matches!(after, b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\r').then_some(is_start)
}

/// Returns a heading as it is written, without "#" around it or the line below it.
fn without_marks(written: &str) -> &str {
    let written = written.trim();
    if !written.starts_with('#') {
        return written.rsplit_once('\n').map_or(written, |(text, _)| text.trim_end());
    }
    let text = written.trim_start_matches('#').trim_start();
    let without = text.trim_end_matches('#');
    if without.ends_with('\\') { text } else { without.trim_end() }
}

/// Returns the places of the names in tags, without those of `a`, which are anchors in every page.
pub(super) fn names_in(html: &str) -> impl Iterator<Item = Range<usize>> {
    memchr_iter(b'<', html.as_bytes()).filter_map(|open| {
        let tag = &html[open + 1..];
        let tag = &tag[..tag.find(['<', '>'])?];
        let name = name_in(tag)?;
        Some(open + 1 + name.start..open + 1 + name.end)
    })
}

/// Returns the place of the value of `name` in a tag of another element than `a`.
fn name_in(tag: &str) -> Option<Range<usize>> {
    let element = tag.split(|one: char| one.is_ascii_whitespace()).next()?;
    let is_element = element.starts_with(|first: char| first.is_ascii_alphabetic());
    if !is_element || element.eq_ignore_ascii_case("a") {
        return None;
    }
    let is_attribute = |at: &usize| tag[..*at].ends_with(|last: char| last.is_ascii_whitespace());
    let at = memmem::find_iter(tag.as_bytes(), NAME).find(is_attribute)? + NAME.len();
    let value = &tag[at..];
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let start = at + usize::from(quote.is_some());
    let value = &tag[start..];
    let length = match quote {
        Some(quote) => value.find(quote)?,
        None => value.find(|one: char| one.is_ascii_whitespace()).unwrap_or(value.len()),
    };
    (length > 0).then_some(start..start + length)
}

const NAME: &[u8] = b"name=";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_tags() {
        for (html, expected) in [
            (r#"<h3 name="usage">"#, &["usage"][..]),
            ("<h3 class=x name='a b'><p\nname=c>", &["a b", "c"]),
            (r#"<a name="x"><h3>name="y" <b data-name="z"> name="#, &[]),
            (r#"<h3 name=""> <h3 name="open"#, &[]),
            ("< h3 name=x>", &[]),
        ] {
            let found: Vec<_> = names_in(html).map(|place| &html[place]).collect();
            assert_eq!(found, expected, "{html}");
        }
    }
}
