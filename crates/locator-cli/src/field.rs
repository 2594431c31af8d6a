//! The named parts of a URL, for `edit --get` and `--set`, `read --columns`, `uniq --by` and
//! `find --count-by`: those of the list of `locator_functions`, and the parts that schemes define.

mod nth;
mod own;
mod refused;
mod write;

use std::borrow::Cow;

use locator::{Component, UriRef, scheme};
use locator_functions::{Access, Answer, PARTS, Part, PartNameError, Row, Selection, Setting};

use self::own::Own;
use crate::output::paragraph;
pub(crate) use nth::{Nth, Rank};
pub(crate) use refused::Refused;
pub(crate) use write::{after, data, in_charset};

/// A part of a URL that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// A part of the list.
    Part(Selection<'static>),
    /// A part defined by a scheme.
    Own(Own),
}

impl Field {
    /// The part of that name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let sentence = |error: PartNameError| error.to_string();
        if let Some(found) = Selection::exact(name) {
            return found.map(kept).map(Self::Part).map_err(sentence);
        }
        if let Some(own) = Own::named(name) {
            return own.map(Self::Own);
        }
        let others: Vec<_> = own::names().collect();
        Selection::parse_among(name, &others).map(kept).map(Self::Part).map_err(sentence)
    }

    /// The same, if it can be set by itself.
    pub(crate) fn settable(name: &str) -> Result<Self, String> {
        let field = Self::named(name)?;
        let setting = match field {
            Self::Part(selection) => selection.part().setting(),
            Self::Own(own) if own.is_word() => Setting::Derived(None),
            Self::Own(_) => Setting::Allowed,
        };
        match setting {
            Setting::Whole => Err(format!(
                "\"{name}\" is the whole URL, which cannot be set; give it as an argument or a line"
            )),
            Setting::Derived(None) => {
                Err(format!("\"{name}\" is derived from other parts and cannot be set"))
            }
            Setting::Derived(Some(instead)) => {
                Err(format!("\"{name}\" cannot be set; set {instead} instead"))
            }
            _ => Ok(field),
        }
    }

    /// Returns the names of the parts that can be set.
    pub(crate) fn names_to_set() -> Vec<String> {
        let is_settable = |part: &&Part| part.setting() == Setting::Allowed && part.key().is_none();
        let parts = PARTS.iter().filter(is_settable);
        let mut names: Vec<_> =
            parts.flat_map(|part| [part.name()].into_iter().chain(part.aliases().iter().copied())).collect();
        for own in own::names().filter(|name| Self::settable(name).is_ok()) {
            if !names.contains(&own) {
                names.push(own);
            }
        }
        names.into_iter().map(str::to_owned).collect()
    }

    /// Returns the names of the parts without a key, for completions.
    pub(crate) fn names() -> Vec<String> {
        PARTS.iter().filter(|part| part.key().is_none()).map(|part| part.name().to_owned()).collect()
    }

    /// Returns how it is got, if it is in the list.
    pub(crate) const fn access(self) -> Option<Access> {
        match self {
            Self::Part(selection) => Some(selection.part().access()),
            Self::Own(_) => None,
        }
    }

    /// Returns whether it is a component.
    pub(crate) fn is_component(self, component: Component) -> bool {
        self.access() == Some(Access::Component(component))
    }

    /// Returns the name of the parameter of a query that it is.
    pub(crate) const fn parameter(self) -> Option<&'static str> {
        match self {
            Self::Part(selection) => selection.parameter(),
            Self::Own(_) => None,
        }
    }

    /// Returns the position of a segment or label.
    fn nth(self) -> Nth {
        match self {
            Self::Part(selection) => Nth::from(selection.position().unwrap_or_default()),
            Self::Own(_) => Nth::from(0),
        }
    }

    /// Returns its name with its position or parameter.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Part(selection) => selection.to_string(),
            Self::Own(own) => own.name().to_owned(),
        }
    }

    /// Returns its place in the order in which parts are set; a part comes after the parts it
    /// requires.
    pub(crate) fn rank(self) -> Rank {
        let access = match self {
            // Parts of schemes come last, because the scheme may be set first.
            Self::Own(own) => {
                let Rank { place, nth } = own.rank();
                return Rank { place: Some(PARTS.len() + place.unwrap_or_default()), nth };
            }
            Self::Part(selection) => selection.part().access(),
        };
        let (same, nth) = match access {
            Access::Segment => (Access::Component(Component::Path), Some(self.nth().rank())),
            Access::Protocol => (Access::Component(Component::Scheme), None),
            Access::Search => (Access::Component(Component::Query), None),
            Access::Hash => (Access::Component(Component::Fragment), None),
            access => (access, None),
        };
        Rank { place: PARTS.iter().position(|part| part.access() == same), nth }
    }

    /// Returns whether both name the same part.
    pub(crate) fn is(self, other: Self) -> bool {
        // Pairs have no order of their own.
        let is_own = matches!(self, Self::Own(_)) || self.access() == Some(Access::Pair);
        if is_own { self == other } else { self.rank() == other.rank() }
    }

    /// Returns whether it is a piece of the text whose escapes can be decoded.
    pub(crate) fn is_decodable(self) -> bool {
        match self {
            Self::Part(selection) => selection.is_piece() && selection.part().access() != Access::Whole,
            Self::Own(_) => true,
        }
    }

    /// Returns the text of the part; `None` if it is undefined.
    #[inline]
    pub(crate) fn of<'a>(self, reference: UriRef<'a>) -> Option<Cow<'a, str>> {
        match self {
            // What a scheme calls by the name of another part is that: the search of gopher is not its query.
            Self::Part(selection) => match selection.part().name() {
                "search" => match search_of(reference) {
                    Some(own) => own.of(reference).map(Cow::Borrowed),
                    None => selection.text(reference),
                },
                "kind" => {
                    Own::word("kind", reference).map(Cow::Borrowed).or_else(|| selection.text(reference))
                }
                _ => selection.text(reference),
            },
            Self::Own(own) => own.of(reference).map(Cow::Borrowed),
        }
    }

    /// Returns the part of a row, in its type.
    pub(crate) fn answer<'a>(self, row: &Row<'a>) -> Answer<'a> {
        match self {
            Self::Part(selection) => selection.answer(row),
            Self::Own(own) => {
                let text = row.reference().and_then(|reference| own.of(reference));
                text.map_or(Answer::Null, |text| Answer::Text(Cow::Borrowed(text)))
            }
        }
    }

    /// Returns the text by which URLs are compared and counted; `None` if the part is undefined.
    pub(crate) fn grouped<'a>(self, row: &Row<'a>) -> Option<Cow<'a, str>> {
        match self {
            Self::Part(selection) => selection.grouped(row),
            Self::Own(own) => row.reference().and_then(|reference| own.of(reference)).map(Cow::Borrowed),
        }
    }
}

/// Returns the selection with its parameter, which stays as long as the command does: names are few.
fn kept(selection: Selection<'_>) -> Selection<'static> {
    selection.kept(|name| String::leak(name.to_owned()))
}

fn search_of(reference: UriRef<'_>) -> Option<Own> {
    Own::of_scheme("search", reference.component(Component::Scheme), reference.edition())
}

/// Returns the default port of a scheme.
pub(crate) fn default_port(scheme: Option<&str>) -> Option<u16> {
    scheme::default_port(scheme?)
}

/// Returns the list of parts for help: names, then what they are.
pub(crate) fn help() -> String {
    const NAMES: usize = 18;
    let mut text = String::new();
    for part in PARTS {
        let title = part.title();
        let gap = NAMES.saturating_sub(title.len()).max(1);
        let lines = paragraph::lines(part.summary().split(' '), 79, 2 + title.len() + gap, 2 + NAMES);
        let summary = lines.join(&format!("\n{:1$}", "", 2 + NAMES));
        text += &format!("  {title}{:gap$}{summary}\n", "");
    }
    text
}
