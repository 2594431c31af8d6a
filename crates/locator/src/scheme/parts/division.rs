//! Divides a URL by its scheme and rewrites one part: takes a reference, returns a text that has
//! the requested parts, or nothing.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::error::PartError;
use super::field::{Field, FieldValue};
use super::part::{OwnPart, Shape, join};
use crate::build::BuildError;
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::error::ParseError;
use crate::form::SyntaxError;
use crate::pct::PctString;
use crate::reference::UriRef;
use crate::scheme::{Planner, check, planner_named};
use crate::span::Component;

/// The key of one value of a part with several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'k> {
    /// The index of a value in a list, counted from 0.
    Index(usize),
    /// The first pair of this name, in octets; some parts ignore its case.
    Name(&'k [u8]),
}

/// A URL that is divided by its scheme.
pub(super) struct Division<'a> {
    reference: UriRef<'a>,
    scheme: &'static dyn Planner,
    fields: Vec<Field<'a>>,
    own: &'static [OwnPart],
    /// The range of the text after the login.
    rest: Range<usize>,
    /// Why the reference is no URL of the scheme, if it lacks all parts.
    bare: Option<SyntaxError>,
}

/// The values of a part with several, as written.
pub(super) struct List<'a> {
    part: &'static OwnPart,
    /// Values alone, or names with the values after "=".
    values: Vec<(Option<SpannedStr<'a>>, SpannedStr<'a>)>,
    between: char,
}

impl<'a> Division<'a> {
    /// Divides a reference by its scheme.
    pub(super) fn of(reference: UriRef<'a>) -> Result<Self, PartError> {
        let (name, edition) = (reference.scheme().map_or("", |name| name.as_str()), reference.edition());
        let scheme = planner_named(name).ok_or(PartError::NoPart { scheme: "", edition })?;
        let own = scheme.own_parts(edition);
        let (parts, end) = (reference.spans(), reference.spans().query_end as usize);
        let start = if parts.has_authority { parts.path_start } else { parts.after_scheme() } as usize;
        // "nntp://h" has no part yet, and is no URL of its scheme before it has a group.
        let (fields, bare) = match scheme.fields(reference) {
            Err(error) if matches!(&reference.as_str()[start..end], "" | "/") => (Vec::new(), Some(error)),
            fields => (fields?, None),
        };
        // The scheme's rule may read more of the text as its login than the generic level does.
        let of_login = |field: &Field<'_>| matches!(field.name, "host" | "port");
        let login = fields.iter().filter(|field| of_login(field)).filter_map(|field| span(&field.value));
        let start = login.map(|span| span.end).fold(start, usize::max);
        Ok(Self { reference, scheme, fields, own, rest: start..end, bare })
    }

    pub(super) fn edition(&self) -> &'static Edition {
        self.reference.edition()
    }

    /// Returns whether the URL declares that its data is in base64.
    pub(super) fn is_base64(&self) -> bool {
        self.fields.iter().any(|field| field.value == FieldValue::Word("base64"))
    }

    /// Returns the index of the part with this name.
    pub(super) fn index(&self, name: &str) -> Result<usize, PartError> {
        let index = self.own.iter().position(|part| part.name == name);
        let scheme = self.scheme.names().first().copied().unwrap_or_default();
        index.ok_or(PartError::NoPart { scheme, edition: self.edition() })
    }

    /// Returns the error of a result that would be parsed differently.
    pub(super) fn misread(&self, index: usize) -> PartError {
        let misread = BuildError::Misread { component: self.part(index).component, edition: self.edition() };
        self.bare.map_or(misread.into(), PartError::from)
    }

    pub(super) const fn part(&self, index: usize) -> &'static OwnPart {
        &self.own[index]
    }

    /// Returns the URL with a part inside another one set or, for `None`, removed.
    pub(super) fn with_inner(
        &self,
        index: usize,
        outer: &str,
        written: Option<&str>,
    ) -> Result<String, PartError> {
        let inner = self.part(index).name;
        let whole = self.span(outer).map(|span| self.reference.excerpt_of(span));
        let at = self.index(outer)?;
        let text = self.scheme.rewritten(whole, inner, written).and_then(|text| self.with(at, &text).ok());
        text.filter(|text| self.has(text, inner, written)).ok_or(self.misread(index))
    }

    /// Returns whether a text has this value of a part.
    fn has(&self, text: &str, name: &str, written: Option<&str>) -> bool {
        let Ok(read) = UriRef::parse_with(text, self.edition()) else { return false };
        let Ok(fields) = self.scheme.fields(read) else { return false };
        let span = fields.iter().find(|field| field.name == name).and_then(|field| span(&field.value));
        span.map_or("", |span| &text[span]) == written.unwrap_or_default()
    }

    /// Returns the range of a part, if it is present.
    pub(super) fn span(&self, name: &str) -> Option<Range<usize>> {
        span(&self.fields.iter().find(|field| field.name == name)?.value)
    }

    /// Returns the text of a part, if it is present.
    pub(super) fn text_of(&self, name: &str) -> Option<&'a str> {
        self.span(name).map(|span| &self.reference.as_str()[span])
    }

    /// Returns the values of a part.
    pub(super) fn list(&self, index: usize) -> Result<List<'a>, PartError> {
        let part = self.part(index);
        let (Shape::Many(between) | Shape::Pairs(between)) = part.shape else {
            return Err(PartError::NoKey { name: part.name, count: 1 });
        };
        let values = self.fields.iter().find(|field| field.name == part.name).map(|field| &field.value);
        let values = match values {
            Some(FieldValue::Many(values)) => values.iter().map(|&value| (None, value)).collect(),
            Some(FieldValue::Pairs(pairs)) => {
                pairs.iter().map(|&(name, value)| (Some(name), value)).collect()
            }
            _ => Vec::new(),
        };
        Ok(List { part, values, between })
    }

    /// Returns whether a value would be a dot segment in a hierarchical path.
    pub(super) fn is_step(&self, index: usize, written: &str) -> bool {
        let part = self.part(index);
        let mut steps = written.split('/');
        self.scheme.is_hierarchical()
            && part.component == Component::Path
            && steps.any(|step| matches!(step, "." | ".."))
    }

    /// Returns the text with a part replaced.
    ///
    /// # Errors
    ///
    /// The text would be parsed differently. The error is that of the rule of the scheme, if it
    /// is about bytes of the value, with its position in the value.
    pub(super) fn with(&self, index: usize, written: &str) -> Result<String, Option<ParseError>> {
        let part = self.part(index);
        let (replaced, before) = match self.span(part.name) {
            Some(span) if !span.is_empty() && part.shape != Shape::Whole => (span, String::new()),
            _ => self.place(index),
        };
        let after = if self.span(part.name).is_none() { part.after } else { "" };
        let start = replaced.start + before.len();
        let text = self.spliced(replaced, &[&before, written, after]);
        if self.is_recognized_by(&text, index, Some(written)) {
            return Ok(text);
        }
        let read = UriRef::parse_with(&text, self.edition());
        let by_rule = read.ok().and_then(check).and_then(Result::err);
        Err(by_rule.and_then(|error| in_value(error, start, written)))
    }

    /// Returns the text without a part and its delimiter; `None` if it would be parsed differently.
    pub(super) fn without(&self, index: usize) -> Option<String> {
        let (part, text) = (self.part(index), self.reference.as_str());
        let span = self.span(part.name)?;
        // With the empty parts before it, or without them.
        let delimiter = text[..span.start].ends_with(part.before).then(|| span.start - part.before.len());
        let starts = [Some(self.end_before(index)), delimiter].into_iter().flatten();
        let mut texts = starts.map(|start| self.spliced(start..span.end, &[]));
        texts.find(|text| self.is_recognized_by(text, index, None))
    }

    fn spliced(&self, replaced: Range<usize>, pieces: &[&str]) -> String {
        let text = self.reference.as_str();
        [&text[..replaced.start], &pieces.concat(), &text[replaced.end..]].concat()
    }

    /// Returns the end of the last non-empty part before this one.
    fn end_before(&self, index: usize) -> usize {
        let before = self.own[..index].iter().filter_map(|part| self.span(part.name));
        before.filter(|span| !span.is_empty()).map(|span| span.end).fold(self.rest.start, usize::max)
    }

    /// Returns the range of a part that is absent or empty, and the text before its value. That
    /// text contains the empty parts before it and the defaults of absent parts.
    fn place(&self, index: usize) -> (Range<usize>, String) {
        let (text, part) = (self.reference.as_str(), self.part(index));
        if part.shape == Shape::Whole {
            let before = if self.reference.spans().has_authority { part.before } else { "" };
            return (self.rest.clone(), before.into());
        }
        let start = self.end_before(index);
        let (mut end, mut before) = (start, String::new());
        let is_near =
            |part: &&OwnPart| self.span(part.name).is_none_or(|span| span.end >= start && span.is_empty());
        for other in self.own[..index].iter().filter(is_near) {
            let Some(span) = self.span(other.name) else {
                if let Some(default) = other.default {
                    // The delimiter may be there without a value, as in "gopher://h/".
                    if text[end..self.rest.end].starts_with(other.before) {
                        end += other.before.len();
                    }
                    before.push_str(other.before);
                    before.push_str(default);
                }
                continue;
            };
            // An empty part keeps its delimiter as written.
            before.push_str(if span.start > end { &text[end..span.start] } else { other.before });
            end = span.end.max(end);
        }
        match self.span(part.name) {
            Some(span) if span.start > end => {
                before.push_str(&text[end..span.start]);
                end = span.end;
            }
            Some(_) => before.push_str(part.before),
            None => {
                before.push_str(part.before);
                // A delimiter without a value after it belongs to this part, unless it belongs to a
                // part that is present.
                let after = end + part.before.len();
                let is_other = |other: &OwnPart| {
                    other.before == part.before
                        && self.span(other.name).is_some_and(|span| span.start == after)
                };
                if text[end..self.rest.end].starts_with(part.before) && !self.own.iter().any(is_other) {
                    end = after;
                }
            }
        }
        (start..end, before)
    }

    /// Returns whether the text has the parts of this one and, in one of them, the requested value.
    fn is_recognized_by(&self, text: &str, index: usize, written: Option<&str>) -> bool {
        let Ok(read) = UriRef::parse_with(text, self.edition()) else { return false };
        let Ok(fields) = self.scheme.fields(read) else { return false };
        let part = self.part(index);
        let texts = |fields: &[Field<'_>], text: &str, name| {
            let field = fields.iter().find(|field| field.name == name)?;
            Some(String::from(&text[span(&field.value)?]))
        };
        let after = |name| texts(&fields, text, name);
        let before = |name| texts(&self.fields, self.reference.as_str(), name);
        let is_inside =
            |name: &str| self.own.iter().any(|own| own.name == name && own.inside == Some(part.name));
        let is_own = |name: &str| self.own.iter().any(|own| own.name == name);
        let is_same = |field: &Field<'_>| match (&field.value, part.shape) {
            (_, Shape::Whole) if is_own(field.name) => true,
            (FieldValue::Word(_), _) => field.name.ends_with("kind") || fields.contains(field),
            _ if field.name == part.name || is_inside(field.name) => true,
            _ => before(field.name) == after(field.name),
        };
        after(part.name).unwrap_or_default() == written.unwrap_or_default()
            && self.fields.iter().all(is_same)
            && read.component(Component::Authority) == self.reference.component(Component::Authority)
    }
}

/// Returns an error with its position in a value that begins at `start`, if it is about its bytes.
fn in_value(error: ParseError, start: usize, value: &str) -> Option<ParseError> {
    let span = error.span().start.checked_sub(start)?..error.span().end.checked_sub(start)?;
    let (octets, span) = (value.as_bytes(), (span.start, Some(span.end).filter(|&end| end <= value.len())?));
    Some(ParseError::new(octets, error.edition(), error.kind(), error.component(), span, error.rule()))
}

impl List<'_> {
    /// Returns a value, after its name if it has one.
    fn written((name, _): (Option<SpannedStr<'_>>, SpannedStr<'_>), value: &str) -> String {
        name.map_or_else(|| value.into(), |name| [name.as_str(), "=", value].concat())
    }

    /// Returns the list with a value set or, for `None`, removed.
    pub(super) fn with(&self, key: Key<'_>, value: Option<&str>) -> Result<String, PartError> {
        let is_meant = |at: usize, name: Option<SpannedStr<'_>>| match key {
            Key::Index(index) => index == at,
            Key::Name(wanted) => name.is_some_and(|name| self.part.is_name(name, wanted)),
        };
        let places = self.values.iter().enumerate();
        let found = places.clone().find(|(at, (name, _))| is_meant(*at, *name)).map(|(at, _)| at);
        let mut written: Vec<String> = Vec::new();
        for (at, one) in places {
            let value = if found == Some(at) { value } else { Some(one.1.as_str()) };
            written.extend(value.map(|value| Self::written(*one, value)));
        }
        match (key, found, value) {
            (_, Some(_), _) | (_, None, None) => {}
            (Key::Name(name), None, Some(value)) if name.iter().all(u8::is_ascii) => {
                let name = PctString::encode(name, crate::edition::DEFAULT.unreserved());
                written.push([name.as_str(), "=", value].concat());
            }
            // An index after the last value appends one.
            (Key::Index(index), None, Some(value)) if index == self.values.len() => {
                written.push(value.into());
            }
            _ => return Err(PartError::NoKey { name: self.part.name, count: self.values.len() }),
        }
        Ok(join(written.into_iter(), self.between))
    }
}

/// Returns the range of a field, from its first value to its last.
fn span(value: &FieldValue<'_>) -> Option<Range<usize>> {
    let (first, last) = match value {
        FieldValue::One(one) => (*one, *one),
        FieldValue::Many(many) => (*many.first()?, *many.last()?),
        FieldValue::Pairs(pairs) => (pairs.first()?.0, pairs.last()?.1),
        FieldValue::Word(_) => return None,
    };
    Some(first.span().start..last.span().end)
}
