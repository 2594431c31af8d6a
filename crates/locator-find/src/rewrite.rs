//! Rewrites the links of a document: takes its octets and a new reference for each link that is to change, and
//! returns its octets with these links written anew. Every other octet stays.
//!
//! A reference is escaped as its place needs it: `&amp;` in an attribute of HTML, a backslash before a
//! parenthesis in Markdown, `\/` in a string of JSON. Of the ways that a place allows, the first is the one
//! by which the old reference was written. The result is read again: it must have the same links at their
//! places, and at each replaced one the new reference. What does not pass is written in another way, or not
//! at all.
//!
//! [`Finder::rewrite`] returns a [`RewrittenDocument`]; a [`NotRewritten`] says why a link stays.
//!
//! ```
//! use locator_find::{Document, Finder, Format, Link};
//!
//! // Every link to http becomes one to https.
//! let page = b"See [a](http://h.example/?a&amp;b) and <http://h.example/>.";
//! let mut edit =
//!     |link: &Link<'_>| Some(format!("https:{}", link.url().strip_prefix("http:")?));
//! let new = Finder::new().rewrite(&Document::new(Format::Markdown), page, &mut edit)?;
//! assert_eq!(new.octets, b"See [a](https://h.example/?a&amp;b) and <https://h.example/>.");
//! # Ok::<_, std::io::Error>(())
//! ```

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Cursor};
use std::ops::{ControlFlow, Range};

use locator::text::MatchKind;

use crate::decode::Location;
use crate::finder::{Document, Finder};
use crate::formats::Format;
use crate::link::{Anchor, Context, Link, PassedOver, Sink};

/// A document with other links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewrittenDocument {
    /// The octets of the document.
    pub octets: Vec<u8>,
    /// What became of each new reference, in the order of the links.
    pub links: Vec<Result<RewrittenLink, NotRewritten>>,
    /// Whether the document has other anchors than before: a link may be a part of a heading, whose text
    /// is its name.
    pub has_other_anchors: bool,
}

/// A link that is written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewrittenLink {
    /// The octets that are replaced, in the document as it was.
    pub range: Range<usize>,
    /// What is written there.
    pub written: Vec<u8>,
    /// What that means.
    pub reference: String,
}

/// The reason why a link cannot be written anew. `Display` is a sentence.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotRewritten {
    /// The format has the lengths or the positions of its parts, which would be wrong.
    Format,
    /// The link is encoded, or divided into several lines.
    Encoded,
    /// No way to write the new reference is read as that reference at this place.
    Place,
}

impl NotRewritten {
    /// Returns the name of the reason in JSON: `encoded`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Encoded => "encoded",
            Self::Place => "place",
        }
    }
}

impl Display for NotRewritten {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "the format contains the lengths of its parts, so no URL in it can be replaced",
            Self::Encoded => "the URL is encoded or divided into lines in the document",
            Self::Place => "the new URL cannot be written at this place",
        })
    }
}

/// How often the result is read before the rest is given up.
const MOST_ROUNDS: usize = 24;

impl Finder {
    /// Replaces links of a document, and keeps every other octet.
    ///
    /// `edit` is called for each link, in order, and returns the reference that replaces it, or `None` for a
    /// link that stays. The reference is escaped as its place needs it. What [`find`](Self::find) finds in
    /// the result are the same links with the new references; where that is not possible, the link stays, and
    /// [`RewrittenDocument::links`] has the reason.
    ///
    /// ```
    /// use locator_find::{Document, Finder, Format, Link};
    ///
    /// let page = br#"<a href="http://old.example/?a=1&amp;b=2">x</a> <img src='http://h.example/'>"#;
    /// let document = Document::new(Format::Html);
    /// let mut edit = |link: &Link<'_>| {
    ///     let rest = link.url().strip_prefix("http://old.example/")?;
    ///     Some(format!("https://new.example/{rest}"))
    /// };
    /// let new = Finder::new().rewrite(&document, page, &mut edit)?;
    /// assert_eq!(
    ///     new.octets,
    ///     br#"<a href="https://new.example/?a=1&amp;b=2">x</a> <img src='http://h.example/'>"#
    /// );
    /// assert_eq!(new.links.len(), 1);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    ///
    /// The document is read once for its links, and again for each way of writing that is tried, at most 24
    /// times.
    ///
    /// # Errors
    ///
    /// Returns the errors of reading the document, which octets in memory do not have.
    pub fn rewrite(
        &self,
        document: &Document,
        octets: &[u8],
        edit: &mut dyn FnMut(&Link<'_>) -> Option<String>,
    ) -> io::Result<RewrittenDocument> {
        let mut first = Reading::new(octets, document.format(), Some(edit));
        self.find_seekable(document, &mut Cursor::new(octets), &mut first)?;
        let Reading { links: before, mut drafts, anchors, passed_over, .. } = first;
        drafts.sort_by_key(|draft| (draft.range.start, draft.number));
        refuse_overlaps(&mut drafts);
        for _ in 0..MOST_ROUNDS {
            if drafts.iter().all(|draft| draft.refused.is_some()) {
                break;
            }
            let written = write(octets, &drafts);
            let mut again = Reading::new(&written, document.format(), None);
            self.find_seekable(document, &mut Cursor::new(&written), &mut again)?;
            let wrong = wrong(&before, &again.links, &drafts);
            if wrong.is_empty() && again.passed_over == passed_over {
                let has_other_anchors = again.anchors != anchors;
                return Ok(RewrittenDocument { octets: written, links: finished(drafts), has_other_anchors });
            }
            match wrong.is_empty() {
                true => drafts.iter_mut().for_each(Draft::refuse),
                false => wrong.into_iter().for_each(|index| drafts.get_mut(index).map_or((), Draft::next)),
            }
        }
        drafts.iter_mut().for_each(Draft::refuse);
        let links = finished(drafts);
        Ok(RewrittenDocument { octets: octets.to_vec(), links, has_other_anchors: false })
    }
}

/// A new reference with the ways to write it that are left.
#[derive(Clone, Debug)]
struct Draft {
    /// Which of the new references it is.
    number: usize,
    /// Which of the links of the document it replaces.
    link: usize,
    range: Range<usize>,
    reference: String,
    /// The ways to write it; the first one is taken.
    forms: Vec<Vec<u8>>,
    /// Why none of the ways is right, if that is known before they are tried.
    reason: NotRewritten,
    refused: Option<NotRewritten>,
}

impl Draft {
    /// Returns what is written in place of the link.
    fn written(&self) -> Option<&[u8]> {
        if self.refused.is_some() { None } else { self.forms.first().map(Vec::as_slice) }
    }

    fn refuse(&mut self) {
        self.refused.get_or_insert(self.reason);
    }

    /// Takes the next way.
    fn next(&mut self) {
        match self.forms.len() {
            0 | 1 => self.refuse(),
            _ => drop(self.forms.remove(0)),
        }
    }
}

fn finished(mut drafts: Vec<Draft>) -> Vec<Result<RewrittenLink, NotRewritten>> {
    drafts.sort_by_key(|draft| draft.number);
    let finished = |draft: Draft| match draft.refused {
        Some(why) => Err(why),
        None => {
            let written = draft.forms.into_iter().next().unwrap_or_default();
            Ok(RewrittenLink { range: draft.range, written, reference: draft.reference })
        }
    };
    drafts.into_iter().map(finished).collect()
}

/// Refuses drafts of octets that another one replaces.
fn refuse_overlaps(drafts: &mut [Draft]) {
    let mut end = 0;
    for draft in drafts.iter_mut().filter(|draft| draft.refused.is_none()) {
        if draft.range.start < end {
            draft.refuse();
        } else {
            end = draft.range.end;
        }
    }
}

fn write(octets: &[u8], drafts: &[Draft]) -> Vec<u8> {
    let (mut written, mut at) = (Vec::with_capacity(octets.len() + 256), 0);
    for (draft, form) in drafts.iter().filter_map(|draft| Some((draft, draft.written()?))) {
        written.extend_from_slice(octets.get(at..draft.range.start).unwrap_or_default());
        written.extend_from_slice(form);
        at = draft.range.end;
    }
    written.extend_from_slice(octets.get(at..).unwrap_or_default());
    written
}

/// A link that was read: its place, and a hash of what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SeenLink {
    span: Range<u64>,
    hash: u64,
}

/// Returns the drafts that are not read as they should be.
fn wrong(before: &[SeenLink], after: &[SeenLink], drafts: &[Draft]) -> Vec<usize> {
    let (shifts, mut last) = (Shifts::new(drafts), None);
    let is_written = |(index, draft): (usize, &Draft)| draft.written().map(|_| (draft.link, index));
    let of_link: HashMap<usize, usize> = drafts.iter().enumerate().filter_map(is_written).collect();
    let has_all = before.len() == after.len();
    let mut wrong = Vec::new();
    for (number, old) in before.iter().enumerate() {
        let own = of_link.get(&number).copied();
        last = own.or(last);
        let reference = own.and_then(|index| drafts.get(index)).map(|draft| hash(&draft.reference));
        let span = shifts.moved(old.span.start)..shifts.moved(old.span.end);
        let expected = SeenLink { span, hash: reference.unwrap_or(old.hash) };
        if after.get(number) == Some(&expected) {
            continue;
        }
        // The draft before it has changed how it is read, or else the first one.
        let cause = last.or_else(|| drafts.iter().position(|draft| draft.written().is_some()));
        wrong.extend(cause);
        // The links after it cannot be compared if there are more or fewer of them.
        if !has_all || own.is_none() {
            return wrong;
        }
    }
    if !has_all && wrong.is_empty() {
        wrong.extend(last);
    }
    wrong
}

/// By how much the text after each replacement moves.
struct Shifts(Vec<(u64, i64)>);

impl Shifts {
    fn new(drafts: &[Draft]) -> Self {
        let mut sum = 0;
        let shift = |draft: &Draft| {
            sum += draft.written()?.len() as i64 - draft.range.len() as i64;
            Some((draft.range.end as u64, sum))
        };
        Self(drafts.iter().filter_map(shift).collect())
    }

    /// Returns where what was at this position is now.
    fn moved(&self, at: u64) -> u64 {
        let before = self.0.partition_point(|(end, _)| *end <= at);
        let shift = before.checked_sub(1).and_then(|last| self.0.get(last)).map_or(0, |(_, sum)| *sum);
        at.saturating_add_signed(shift)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns what replaces a link, if it is to change.
type EditLink<'e> = &'e mut dyn FnMut(&Link<'_>) -> Option<String>;

/// Receives the links of a document, and has a draft for those that are to be replaced.
struct Reading<'a, 'e> {
    octets: &'a [u8],
    format: Format,
    edit: Option<EditLink<'e>>,
    links: Vec<SeenLink>,
    drafts: Vec<Draft>,
    anchors: u64,
    passed_over: u64,
}

impl<'a, 'e> Reading<'a, 'e> {
    fn new(octets: &'a [u8], format: Format, edit: Option<EditLink<'e>>) -> Self {
        let (links, drafts) = (Vec::new(), Vec::new());
        Self { octets, format, edit, links, drafts, anchors: 0, passed_over: 0 }
    }

    fn draft(&self, link: &Link<'_>, reference: String) -> Draft {
        let span = &link.place().span;
        let range = usize::try_from(span.start)
            .and_then(|start| Ok(start..usize::try_from(span.end)?))
            .unwrap_or_default();
        let octets = self.octets.get(range.clone());
        let (number, of) = (self.drafts.len(), self.links.len());
        let mut draft = Draft {
            number,
            link: of,
            range,
            reference,
            forms: Vec::new(),
            reason: NotRewritten::Place,
            refused: None,
        };
        match octets {
            _ if has_positions(self.format) => draft.refused = Some(NotRewritten::Format),
            Some(octets) if octets == link.written() && !octets.iter().any(u8::is_ascii_control) => {
                let before = self.octets.get(..draft.range.start).unwrap_or_default();
                let place =
                    WrittenLink { format: self.format, context: link.context(), written: octets, before };
                let candidates = place.candidates(link.url(), &draft.reference);
                if !candidates.has_own {
                    draft.reason = NotRewritten::Encoded;
                }
                draft.forms = candidates.forms;
            }
            _ => draft.refused = Some(NotRewritten::Encoded),
        }
        draft
    }
}

impl Sink for Reading<'_, '_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        if let Some(reference) = self.edit.as_mut().and_then(|edit| edit(link)) {
            let draft = self.draft(link, reference);
            self.drafts.push(draft);
        }
        self.links.push(SeenLink { span: link.place().span.clone(), hash: hash(link.url()) });
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.anchors = self.anchors.rotate_left(7) ^ hash(&anchor.name);
    }

    fn passed_over(&mut self, _: &Location, why: PassedOver) {
        self.passed_over = self.passed_over.rotate_left(7) ^ hash(&why.to_string());
    }
}

/// Returns whether a format has lengths or positions of its parts: `Content-Length` (RFC 9112, 6.2; WARC 1.1,
/// 4), the cross-reference table of PDF (ISO 32000-1, 7.5.4).
const fn has_positions(format: Format) -> bool {
    matches!(format, Format::Http | Format::Warc | Format::Pdf)
}

/// A link as it was written, with its place.
#[derive(Clone, Copy, Debug)]
struct WrittenLink<'a> {
    format: Format,
    context: Context<'a>,
    /// The link as it was written.
    written: &'a [u8],
    /// What is before it in the document.
    before: &'a [u8],
}

/// A way to write a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escaping {
    Plain,
    /// "&" as a character reference.
    Ampersands,
    /// Each delimiter of markup as a character reference.
    Markup,
    /// A backslash before each of these.
    Backslashes(&'static str),
    /// The same, and "&" as a character reference.
    BackslashesAndAmpersands(&'static str),
    /// A string of JSON (RFC 8259, 7).
    Json,
    /// The same with `\/`.
    JsonSlashes,
    /// The same with `\u0026` and its like, for scripts in HTML.
    JsonForHtml,
    JsonSlashesForHtml,
    /// This character twice.
    Doubled(char),
    /// "=" as `=3D` (RFC 2045, 6.7).
    QuotedPrintable,
}

impl Escaping {
    fn write(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Ampersands => text.replace('&', "&amp;"),
            Self::Markup => replaced(text, |c| {
                Some(match c {
                    '&' => "&amp;".into(),
                    '\'' => "&#39;".into(),
                    '"' => "&quot;".into(),
                    '<' => "&lt;".into(),
                    '>' => "&gt;".into(),
                    _ => return None,
                })
            }),
            Self::Backslashes(before) => with_backslashes(text, before),
            Self::BackslashesAndAmpersands(before) => with_backslashes(text, before).replace('&', "&amp;"),
            Self::Json => json(text, "\"\\", ""),
            Self::JsonSlashes => json(text, "\"\\/", ""),
            Self::JsonForHtml => json(text, "\"\\", "&<>'"),
            Self::JsonSlashesForHtml => json(text, "\"\\/", "&<>'"),
            Self::Doubled(twice) => replaced(text, |c| (c == twice).then(|| format!("{c}{c}"))),
            Self::QuotedPrintable => text.replace('=', "=3D"),
        }
    }
}

fn replaced(text: &str, each: impl Fn(char) -> Option<String>) -> String {
    let mut written = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match each(character) {
            Some(other) => written.push_str(&other),
            None => written.push(character),
        }
    }
    written
}

fn with_backslashes(text: &str, before: &str) -> String {
    replaced(text, |c| before.contains(c).then(|| format!("\\{c}")))
}

/// A string of JSON: a backslash before some characters, others by code.
fn json(text: &str, before: &str, coded: &str) -> String {
    replaced(text, |c| match c {
        _ if before.contains(c) => Some(format!("\\{c}")),
        _ if coded.contains(c) || c.is_ascii_control() => Some(format!("\\u{:04x}", u32::from(c))),
        _ => None,
    })
}

/// The forms of a reference that a place may allow.
struct FormCandidates {
    forms: Vec<Vec<u8>>,
    /// Whether the old reference was written in one of them.
    has_own: bool,
}

/// What ends a destination of Markdown (CommonMark, 6.3).
const DESTINATION: &str = "()<>\\";

impl WrittenLink<'_> {
    /// Returns the forms in which a reference may be written here, those first in which the old one was written.
    fn candidates(self, old: &str, new: &str) -> FormCandidates {
        let mut forms = Vec::new();
        // A guess, such as www.example.com, is written without the scheme that it is read with.
        let missing = ["http://", "https://", "mailto:"].into_iter().find(|scheme| {
            let rest = old.strip_prefix(scheme);
            rest.is_some_and(|rest| rest.as_bytes() == self.written)
        });
        if let (Some(scheme), Context::Text(_)) = (missing, self.context) {
            forms.extend(new.strip_prefix(scheme).map(|rest| rest.as_bytes().to_vec()));
        }
        let is_own = |way: &Escaping| way.write(old).as_bytes() == self.written;
        let (own, others): (Vec<_>, Vec<_>) = self.ways().into_iter().partition(is_own);
        let is_known = missing.is_some() || !own.is_empty();
        for form in own.into_iter().chain(others).map(|way| way.write(new).into_bytes()) {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        FormCandidates { forms, has_own: is_known }
    }

    /// Returns the ways that this place may allow, the best one first.
    fn ways(self) -> Vec<Escaping> {
        use Escaping::{
            Ampersands, Backslashes, BackslashesAndAmpersands, Doubled, Json, JsonForHtml, JsonSlashes,
            JsonSlashesForHtml, Markup, Plain, QuotedPrintable,
        };
        let in_json = [Json, JsonSlashes, JsonForHtml, JsonSlashesForHtml];
        match (self.context, self.format) {
            (Context::Markdown, _) => {
                vec![Plain, Ampersands, Backslashes(DESTINATION), BackslashesAndAmpersands(DESTINATION)]
            }
            // `url(…)` without quotes: "parentheses, whitespace characters, single quotes and double quotes
            // […] must be escaped with a backslash" (CSS 2.1, 4.3.4).
            (Context::Style, _) => match self.quote() {
                Some(_) => vec![Plain, Backslashes("'\"\\")],
                None => vec![Backslashes("()'\""), Plain],
            },
            // A declaration of a style sheet.
            (Context::Attribute { attribute: "style", .. }, _) => {
                vec![Ampersands, Plain, Markup, BackslashesAndAmpersands("()'")]
            }
            (Context::Json(_), _) => in_json.to_vec(),
            (Context::Text(MatchKind::Escaped), _) => {
                [&[JsonSlashes, Json, JsonSlashesForHtml, JsonForHtml, Plain][..]].concat()
            }
            // A tag in Markdown or in mail, too.
            (Context::Attribute { .. } | Context::Element(_), _) | (_, Format::Html | Format::Xml) => {
                let markup = match self.quote() {
                    Some(b'\'') => [Markup, Ampersands],
                    _ => [Ampersands, Markup],
                };
                [&markup[..], &[Plain, QuotedPrintable]].concat()
            }
            (_, Format::Json) => in_json.to_vec(),
            (_, Format::Yaml) => vec![Plain, Json, JsonSlashes, Doubled('\'')],
            (_, Format::Toml) => vec![Plain, Json],
            (_, Format::Csv) => vec![Plain, Doubled('"')],
            (_, Format::Tex) => vec![Plain, Backslashes("%#&_")],
            (_, Format::Texinfo) => vec![Doubled('@'), Plain],
            (_, Format::Roff) => vec![Plain, Backslashes("-")],
            (_, Format::Properties) => vec![Plain, Backslashes(":=#!"), Backslashes(":")],
            (_, Format::Po) => vec![Json, Plain],
            (_, Format::ICalendar | Format::VCard) => vec![Plain, Backslashes(",;\\")],
            (_, Format::Shell) => match self.quote() {
                Some(_) => vec![Plain],
                None => vec![Backslashes("&;()'\"*?!$#~<>|[]{} "), Backslashes("&;()'\"*$<>|"), Plain],
            },
            (_, Format::Mail | Format::Mbox) => vec![Plain, QuotedPrintable],
            (_, Format::Markdown) => vec![Plain, Ampersands],
            _ => vec![Plain],
        }
    }

    /// Returns the quote that a value begins with, if there is one near before the link.
    fn quote(self) -> Option<u8> {
        const NEAR: usize = 2048;
        let near = self.before.get(self.before.len().saturating_sub(NEAR)..).unwrap_or_default();
        let last = near.iter().rev().find(|octet| matches!(octet, b'"' | b'\'' | b'=' | b'(' | b'>' | b'\n'));
        last.copied().filter(|octet| matches!(octet, b'"' | b'\''))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(name: &str, document: &str, old: &str, new: &str) -> String {
        let format = Format::of_path(name.as_ref()).unwrap_or(Format::Text);
        let mut edit = |link: &Link<'_>| (link.url() == old).then(|| new.to_owned());
        let result = Finder::new().rewrite(&Document::new(format), document.as_bytes(), &mut edit);
        let result = result.expect("memory can be read");
        let refused = result.links.iter().find_map(|link| link.as_ref().err());
        match refused {
            Some(why) => format!("{why:?}"),
            None => String::from_utf8(result.octets).expect("it was text"),
        }
    }

    /// A URL is written as its place needs it.
    #[test]
    fn each_place_has_its_escapes() {
        let (old, new) = ("http://a.example/", "https://b.example/?x=1&y=(2)");
        for (name, before, after) in [
            ("a.html", "<a href=http://a.example/>", "<a href=https://b.example/?x=1&amp;y=(2)>"),
            ("a.html", "<a href='http://a.example/'>", "<a href='https://b.example/?x=1&amp;y=(2)'>"),
            (
                "a.html",
                "<img srcset='a.png 1x, http://a.example/ 2x'>",
                "<img srcset='a.png 1x, https://b.example/?x=1&amp;y=(2) 2x'>",
            ),
            (
                "a.html",
                "<style>a { background: url(http://a.example/) }</style>",
                "<style>a { background: url(https://b.example/?x=1&y=\\(2\\)) }</style>",
            ),
            ("a.css", "@import 'http://a.example/';", "@import 'https://b.example/?x=1&y=(2)';"),
            ("a.md", "[a](http://a.example/)", "[a](https://b.example/?x=1&y=(2))"),
            ("a.md", "<http://a.example/>", "<https://b.example/?x=1&y=(2)>"),
            ("a.md", "[a]: http://a.example/ 'b'", "[a]: https://b.example/?x=1&y=(2) 'b'"),
            ("a.md", "see www.a.example", "see www.a.example"),
            ("a.json", r#"{"a":"http:\/\/a.example\/"}"#, r#"{"a":"https:\/\/b.example\/?x=1&y=(2)"}"#),
            ("a.json", r#"{"a":"http://a.example/"}"#, r#"{"a":"https://b.example/?x=1&y=(2)"}"#),
            (
                "a.xml",
                "<urlset><url><loc>http://a.example/</loc></url></urlset>",
                "<urlset><url><loc>https://b.example/?x=1&amp;y=(2)</loc></url></urlset>",
            ),
            ("a.yaml", "a: http://a.example/\n", "a: https://b.example/?x=1&y=(2)\n"),
            ("a.toml", "a = 'http://a.example/'\n", "a = 'https://b.example/?x=1&y=(2)'\n"),
            ("a.csv", "a,http://a.example/,b\n", "a,https://b.example/?x=1&y=(2),b\n"),
            ("a.txt", "see http://a.example/, or", "see https://b.example/?x=1&y=(2), or"),
        ] {
            assert_eq!(rewritten(name, before, old, new), after, "{name}");
        }
    }

    #[test]
    fn a_place_that_cannot_have_it_is_reported() {
        let (old, new) = ("http://a.example/", "http://b.example/a,b");
        assert_eq!(rewritten("a.csv", "a,http://a.example/,b\n", old, new), "Place");
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\nhttp://a.example/\n";
        let mut edit = |_: &Link<'_>| Some(new.to_owned());
        let result = Finder::new().rewrite(&Document::new(Format::Http), response.as_bytes(), &mut edit);
        assert_eq!(result.expect("memory can be read").links, [Err(NotRewritten::Format)]);
    }

    #[test]
    fn the_old_way_stays() {
        let place = |written| WrittenLink {
            format: Format::Html,
            context: Context::Element("a"),
            written,
            before: b"",
        };
        let first = |written: &'static [u8], old| {
            let forms = place(written).candidates(old, "/?a=1&b=2").forms;
            String::from_utf8(forms.into_iter().next().unwrap_or_default()).expect("text")
        };
        assert_eq!(first(b"/x?a=1&amp;b=2", "/x?a=1&b=2"), "/?a=1&amp;b=2");
        assert_eq!(first(b"/x?a=1&b=2", "/x?a=1&b=2"), "/?a=1&b=2");
        assert_eq!(first(b"/x", "/x"), "/?a=1&amp;b=2");
    }
}
