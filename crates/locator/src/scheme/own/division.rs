//! A URL divided by its scheme, and the same with one part written anew: a reference enters, a text leaves that has the
//! parts that it should have, or nothing.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::super::own_part::join;
use super::super::{Field, FieldValue, Planner, planner_named};
use super::{Key, OwnPart, PartError, Shape};
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::escape::PctString;
use crate::reference::UriRef;
use crate::span::Component;

/// A URL divided by its scheme.
pub(super) struct Division<'a> {
    reference: UriRef<'a>,
    scheme: &'static dyn Planner,
    fields: Vec<Field<'a>>,
    own: &'static [OwnPart],
    /// Where what follows the login begins and ends.
    rest: Range<usize>,
}

/// The values of a part that has several, as they are written.
pub(super) struct List<'a> {
    name: &'static str,
    /// A value alone, or a name and the value after "=".
    values: Vec<(Option<SpannedStr<'a>>, SpannedStr<'a>)>,
    between: char,
}

impl<'a> Division<'a> {
    /// That of a reference.
    pub(super) fn of(reference: UriRef<'a>) -> Result<Self, PartError> {
        let (name, edition) = (reference.scheme().map_or("", |name| name.as_str()), reference.edition());
        let scheme = planner_named(name).ok_or(PartError::NoPart { scheme: "", edition })?;
        let own = scheme.own_parts(edition);
        let fields = scheme.fields(reference)?;
        let (parts, end) = (reference.spans(), reference.spans().query_end as usize);
        let start = if parts.has_authority { parts.path_start } else { parts.after_scheme() } as usize;
        // The scheme's rule may read more of the text as its login than the generic level does.
        let of_login = |field: &Field<'_>| matches!(field.name, "host" | "port");
        let login = fields.iter().filter(|field| of_login(field)).filter_map(|field| span(&field.value));
        let start = login.map(|span| span.end).fold(start, usize::max);
        Ok(Self { reference, scheme, fields, own, rest: start..end })
    }

    pub(super) fn edition(&self) -> &'static Edition {
        self.reference.edition()
    }

    /// Whether the URL says that its data is in base64.
    pub(super) fn is_base64(&self) -> bool {
        self.fields.iter().any(|field| field.value == FieldValue::Word("base64"))
    }

    /// Which part has the name.
    pub(super) fn index(&self, name: &str) -> Result<usize, PartError> {
        let index = self.own.iter().position(|part| part.name == name);
        let scheme = self.scheme.names().first().copied().unwrap_or_default();
        index.ok_or(PartError::NoPart { scheme, edition: self.edition() })
    }

    pub(super) const fn part(&self, index: usize) -> &'static OwnPart {
        &self.own[index]
    }

    /// Where a part is, if it is there.
    pub(super) fn span(&self, name: &str) -> Option<Range<usize>> {
        span(&self.fields.iter().find(|field| field.name == name)?.value)
    }

    /// The text of a part, if it is there.
    pub(super) fn text_of(&self, name: &str) -> Option<&'a str> {
        self.span(name).map(|span| &self.reference.as_str()[span])
    }

    /// The values of a part.
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
        Ok(List { name: part.name, values, between })
    }

    /// Whether a value would be taken for a step in a path of steps.
    pub(super) fn is_step(&self, index: usize, written: &str) -> bool {
        let part = self.part(index);
        let mut steps = written.split('/');
        self.scheme.is_hierarchical()
            && part.component == Component::Path
            && steps.any(|step| matches!(step, "." | ".."))
    }

    /// The text with a part as it is written here; `None` if that would be read as something else.
    pub(super) fn with(&self, index: usize, written: &str) -> Option<String> {
        let part = self.part(index);
        let (replaced, before) = match self.span(part.name) {
            Some(span) if !span.is_empty() && part.shape != Shape::Whole => (span, String::new()),
            _ => self.place(index),
        };
        let after = if self.span(part.name).is_none() { part.after } else { "" };
        let text = self.spliced(replaced, &[&before, written, after]);
        self.is_told_by(&text, index, Some(written)).then_some(text)
    }

    /// The text without a part and its delimiter; `None` if that would be read as something else.
    pub(super) fn without(&self, index: usize) -> Option<String> {
        let span = self.span(self.part(index).name)?;
        let text = self.spliced(self.end_before(index)..span.end, &[]);
        self.is_told_by(&text, index, None).then_some(text)
    }

    fn spliced(&self, replaced: Range<usize>, pieces: &[&str]) -> String {
        let text = self.reference.as_str();
        [&text[..replaced.start], &pieces.concat(), &text[replaced.end..]].concat()
    }

    /// Where the last part before it ends that has something in it.
    fn end_before(&self, index: usize) -> usize {
        let before = self.own[..index].iter().filter_map(|part| self.span(part.name));
        before.filter(|span| !span.is_empty()).map(|span| span.end).fold(self.rest.start, usize::max)
    }

    /// The stretch that a part which is absent or empty takes, and what is written before its value: parts before it
    /// that are empty, and those that are absent and have a default.
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
                    before.push_str(other.before);
                    before.push_str(default);
                }
                continue;
            };
            // Empty: its delimiter stays as it is written.
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
                // A delimiter that has nothing after it is its own, if it is not that of a part which is there.
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

    /// Whether the text has the parts of this one and, in one of them, what was asked for.
    fn is_told_by(&self, text: &str, index: usize, written: Option<&str>) -> bool {
        let Ok(read) = UriRef::parse_with(text, self.edition()) else { return false };
        let Ok(fields) = self.scheme.fields(read) else { return false };
        let part = self.part(index);
        let texts = |fields: &[Field<'_>], text: &str, name| {
            let field = fields.iter().find(|field| field.name == name)?;
            Some(String::from(&text[span(&field.value)?]))
        };
        let after = |name| texts(&fields, text, name);
        let before = |name| texts(&self.fields, self.reference.as_str(), name);
        let is_own = |name: &str| self.own.iter().any(|own| own.name == name);
        let is_same = |field: &Field<'_>| match (&field.value, part.shape) {
            (_, Shape::Whole) if is_own(field.name) => true,
            (FieldValue::Word(_), _) => field.name == "kind" || fields.contains(field),
            _ if field.name == part.name => true,
            _ => before(field.name) == after(field.name),
        };
        after(part.name).unwrap_or_default() == written.unwrap_or_default()
            && self.fields.iter().all(is_same)
            && read.component(Component::Authority) == self.reference.component(Component::Authority)
    }
}

impl List<'_> {
    /// A value, after its name if it has one.
    fn written((name, _): (Option<SpannedStr<'_>>, SpannedStr<'_>), value: &str) -> String {
        name.map_or_else(|| value.into(), |name| [name.as_str(), "=", value].concat())
    }

    /// The list with a value set or, for `None`, removed.
    pub(super) fn with(&self, key: Key<'_>, value: Option<&str>) -> Result<String, PartError> {
        let is_meant = |at: usize, name: Option<SpannedStr<'_>>| match key {
            Key::Index(index) => index == at,
            Key::Name(wanted) => name.is_some_and(|name| *name.decode() == *wanted),
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
            // One more at the end.
            (Key::Index(index), None, Some(value)) if index == self.values.len() => {
                written.push(value.into());
            }
            _ => return Err(PartError::NoKey { name: self.name, count: self.values.len() }),
        }
        Ok(join(written.into_iter(), self.between))
    }
}

/// All that a field has, from its first value to its last.
fn span(value: &FieldValue<'_>) -> Option<Range<usize>> {
    let (first, last) = match value {
        FieldValue::One(one) => (*one, *one),
        FieldValue::Many(many) => (*many.first()?, *many.last()?),
        FieldValue::Pairs(pairs) => (pairs.first()?.0, pairs.last()?.1),
        FieldValue::Word(_) => return None,
    };
    Some(first.span().start as usize..last.span().end as usize)
}
