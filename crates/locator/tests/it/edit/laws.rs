//! What holds for every change of every reference in every edition: a reference and a change enter,
//! nothing leaves. The tests and the fuzz target feed it.

use std::borrow::Cow;

use locator::edition::RFC1738;
use locator::{BuildError, Component, Edit, Edition, PctStr, SpaceEncoding, UriRef, UriRefBuf, Value};

/// A change: its kind and its values, which are data or raw.
#[derive(Clone, Debug)]
pub(crate) struct Change<'v> {
    pub(crate) kind: u8,
    pub(crate) raw: bool,
    pub(crate) value: &'v str,
    pub(crate) other: &'v str,
}

impl<'v> Change<'v> {
    fn values(&self) -> [Value<'v>; 2] {
        [self.value, self.other].map(|text| if self.raw { Value::Encoded(text) } else { text.into() })
    }

    fn index(&self) -> usize {
        self.other.len() % 4
    }

    /// Applies the change, checks its effect, and returns the components that it may change.
    fn make(&self, edit: &mut Edit<'_>) -> Result<&'static [Component], BuildError> {
        let [value, other] = self.values();
        edit.spaces(if self.kind & 0x80 == 0 { SpaceEncoding::Percent20 } else { SpaceEncoding::Plus });
        match self.kind & 0x1F {
            kind @ 0..=8 => {
                let part = Component::ALL[usize::from(kind)];
                edit.set(part, value)?;
                return Ok(touched(part));
            }
            kind @ 9..=17 => {
                let part = Component::ALL[usize::from(kind - 9)];
                edit.remove(part)?;
                return Ok(touched(part));
            }
            18 => drop(edit.set_user(value)?),
            19 => drop(edit.set_password(value)?),
            20 => drop(edit.set_password(None)?),
            21..=24 => return self.make_in_path(edit, value).map(|()| &[Component::Path][..]),
            _ => return self.make_in_query(edit, value, other).map(|()| &[Component::Query][..]),
        }
        Ok(touched(Component::Userinfo))
    }

    fn make_in_path(&self, edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), BuildError> {
        let before = segments(edit);
        let index = self.index();
        let mut model: Vec<_> = before.iter().cloned().map(Some).collect();
        match self.kind & 0x1F {
            21 => {
                edit.append_segment(value)?;
                model.pop_if(|last| last.as_deref() == Some(""));
                let after = segments(edit);
                let Some((last, rest)) = after.split_last() else {
                    assert!(self.value.is_empty());
                    return Ok(());
                };
                assert!(rest.iter().map(Some).eq(model.iter().map(Option::as_ref)), "{self:?}");
                self.is_in(last, edit);
                return Ok(());
            }
            22 => {
                edit.replace_segment(index, value)?;
                model[index] = None;
            }
            23 => {
                edit.insert_segment(index, value)?;
                model.insert(index, None);
            }
            _ => {
                edit.remove_segment(index)?;
                model.remove(index);
            }
        }
        let after = segments(edit);
        let added = after.len().wrapping_sub(model.len());
        assert!(added <= 1, "{self:?}: {before:?} became {after:?}");
        for (model, after) in model.iter().zip(&after[added..]) {
            match model {
                Some(model) => assert_eq!(model, after),
                None => self.is_in(after, edit),
            }
        }
        Ok(())
    }

    /// The segment decodes to the value.
    fn is_in(&self, segment: &str, edit: &Edit<'_>) {
        if self.raw {
            return assert_eq!(segment, self.value);
        }
        let value = in_charset(self.value, edit.edition());
        let same = |segment: locator::Segment<'_>| *segment.name().decode() == *value;
        assert!(edit.segments().any(same), "{segment} is not {self:?}");
    }

    fn make_in_query(
        &self,
        edit: &mut Edit<'_>,
        value: Value<'_>,
        other: Value<'_>,
    ) -> Result<(), BuildError> {
        let before = pairs(edit);
        match self.kind & 0x1F {
            25 | 26 => drop(edit.append_pair(value, other)?),
            27 => drop(edit.set_pair(value, other)?),
            28 => drop(edit.remove_pairs(self.value)),
            29 => drop(edit.remove_pairs(&format!("{}*", self.value))),
            31 => drop(edit.replace_nth_pair(value, self.index(), Some(other))?),
            _ => drop(edit.sort_pairs()),
        }
        if !self.raw || matches!(self.kind & 0x1F, 28..=30) {
            assert_eq!(pairs(edit), self.model_of_query(before), "{self:?}");
        }
        Ok(())
    }

    /// The pairs that there should be, written plainly.
    fn model_of_query(&self, mut pairs: Vec<Pair>) -> Vec<Pair> {
        let name = self.value.as_bytes().to_vec();
        let pair = (name.clone(), Some(self.other.as_bytes().to_vec()));
        let first = pairs.iter().position(|(one, _)| *one == name);
        match (self.kind & 0x1F, first, self.value.strip_suffix('*')) {
            (27, Some(first), _) => {
                let rest = pairs.split_off(first + 1);
                pairs[first] = pair;
                pairs.extend(rest.into_iter().filter(|(one, _)| *one != name));
            }
            (25..=27, ..) => {
                pairs.pop_if(|(name, value)| name.is_empty() && value.is_none());
                pairs.push(pair);
            }
            (28, _, None) => pairs.retain(|(one, _)| *one != name),
            (28, _, Some(prefix)) => pairs.retain(|(one, _)| !one.starts_with(prefix.as_bytes())),
            (29, ..) => pairs.retain(|(one, _)| !one.starts_with(&name)),
            (31, ..) => {
                let nth = pairs.iter_mut().filter(|(one, _)| *one == name).nth(self.index());
                nth.into_iter().for_each(|one| *one = pair.clone());
            }
            _ => {
                // What is between two "&" and empty is no pair, and stays where it is.
                let is_pair = |pair: &Pair| *pair != (Vec::new(), None);
                let mut sorted: Vec<_> = pairs.iter().filter(|pair| is_pair(pair)).cloned().collect();
                sorted.sort_by(|(one, _), (other, _)| one.cmp(other));
                let mut sorted = sorted.into_iter();
                pairs.iter_mut().filter(|pair| is_pair(pair)).for_each(|pair| {
                    *pair = sorted.next().unwrap_or_default();
                });
            }
        }
        // A query of one empty pair is written "?", which has no pair.
        if pairs == [(Vec::new(), None)] {
            pairs.clear();
        }
        pairs
    }
}

/// A name and a value, decoded.
type Pair = (Vec<u8>, Option<Vec<u8>>);

fn segments(edit: &Edit<'_>) -> Vec<String> {
    edit.segments().map(|segment| segment.as_str().to_owned()).collect()
}

fn pairs(edit: &Edit<'_>) -> Vec<Pair> {
    let octets = |pair: locator::Pair<'_>| {
        (pair.name_bytes().into_owned(), pair.value_bytes().map(|value| value.into_owned()))
    };
    edit.pairs().map(octets).collect()
}

/// What a change of the component may touch; a scheme may bring the prefix that it needs.
fn touched(part: Component) -> &'static [Component] {
    match part {
        Component::Prefix => &[Component::Prefix],
        Component::Scheme => &[Component::Scheme, Component::Prefix],
        Component::Authority => {
            &[Component::Authority, Component::Userinfo, Component::Host, Component::Port]
        }
        Component::Userinfo => &[Component::Userinfo, Component::Authority],
        Component::Host => &[Component::Host, Component::Authority],
        Component::Port => &[Component::Port, Component::Authority],
        Component::Path => &[Component::Path],
        Component::Query => &[Component::Query],
        _ => &[Component::Fragment],
    }
}

/// Makes changes one by one: what is refused changes nothing; what is done leaves the rest as it
/// was, and the result is read as what it was made of.
pub(crate) fn obeys(given: UriRef<'_>, changes: &[Change<'_>]) {
    let mut edit = given.edit();
    assert_eq!(edit.finish().as_ref().map(|same| same.as_str()), Ok(given.as_str()));
    let mut before = given.to_owned();
    for change in changes {
        let attempt = edit.clone();
        changes_whole_or_not_at_all(&before, change);
        let Ok(touched) = change.make(&mut edit) else {
            let after = edit.finish();
            assert_eq!(after.as_ref().ok(), Some(&before), "{change:?} of {before} was refused");
            continue;
        };
        let after = match edit.finish() {
            Ok(after) => after,
            // `parse/common.rs` reads "URL://h" by url-1994 as a URL of a scheme "URL".
            Err(BuildError::Misread { component: part, .. })
                if part != Component::Prefix && !may_go_on(part, before.as_uri_ref()) =>
            {
                panic!("{change:?} of {before}: {part:?} is misread")
            }
            Err(_) => {
                edit = attempt;
                continue;
            }
        };
        let (old, new) = (before.as_uri_ref(), after.as_uri_ref());
        assert_eq!(UriRef::parse_with(new.as_str(), given.edition()).map(UriRef::spans), Ok(new.spans()));
        keeps_the_rest(old, new, touched);
        if change.kind & 0x1F <= 8 {
            holds_the_value(new, Component::ALL[usize::from(change.kind & 0x1F)], change);
        }
        before = after;
    }
}

/// Whether the authority may take a query for its own: by RFC 1738 a user may contain "?", and only
/// a "/" ends it.
fn may_go_on(part: Component, before: UriRef<'_>) -> bool {
    part == Component::Authority && *before.edition() == RFC1738
}

/// An owned reference is as it was after a change that is refused, at once or when all of it is
/// read.
fn changes_whole_or_not_at_all(before: &UriRefBuf, change: &Change<'_>) {
    let mut owned = before.clone();
    if owned.change(|edit| change.make(edit).map(drop)).is_err() {
        assert_eq!(owned, *before, "{change:?} was refused");
    }
}

fn keeps_the_rest(old: UriRef<'_>, new: UriRef<'_>, touched: &[Component]) {
    let needs_prefix = |of: UriRef<'_>| {
        of.edition()
            .prefix()
            .is_some_and(|prefix| of.scheme().is_some_and(|scheme| scheme == prefix.trim_end_matches(':')))
    };
    for part in Component::ALL {
        let (was, is) = (old.component(part), new.component(part));
        if touched.contains(&part) || part == Component::Prefix && (needs_prefix(old) || needs_prefix(new)) {
            continue;
        }
        if part == Component::Path {
            let same = bare(old).any(|was| bare(new).any(|is| was == is));
            assert!(same, "the path of {old} in {new}");
        } else {
            assert_eq!(was, is, "{part:?} of {old} in {new}");
        }
    }
}

/// Prefixes that keep a path from being parsed as something else.
const PREFIXES: [&str; 4] = ["", "/", "/.", "./"];

/// A path without such a prefix.
fn bare(reference: UriRef<'_>) -> impl Iterator<Item = &str> {
    PREFIXES.into_iter().filter_map(move |prefix| reference.path().as_str().strip_prefix(prefix))
}

/// The component contains the value that was set.
fn holds_the_value(new: UriRef<'_>, part: Component, change: &Change<'_>) {
    let Some(text) = new.component(part) else { panic!("{part:?} of {new} is not there") };
    let octets = |text| PctStr::new(text).expect("it was read").decode().into_owned();
    let data = |text| in_charset(text, new.edition());
    match part {
        Component::Path => {
            let held = if change.raw { text.as_bytes().to_vec() } else { octets(text) };
            let value = if change.raw { change.value.as_bytes().into() } else { data(change.value) };
            let wanted = |prefix: &&str| [prefix.as_bytes(), &*value].concat() == held;
            assert!(PREFIXES.iter().any(wanted), "{new} has not the path of {change:?}");
        }
        Component::Host if !change.raw && text.starts_with('[') => {
            assert!(text.contains(change.value), "{new} has not the host of {change:?}");
        }
        _ if change.raw => assert_eq!(text, change.value),
        _ => assert_eq!(octets(text), *data(change.value), "{part:?} of {new}"),
    }
}

/// The octets that a text has in the escapes of an edition.
fn in_charset<'t>(text: &'t str, edition: &Edition) -> Cow<'t, [u8]> {
    edition.charset().encode(text).expect("it was set")
}
