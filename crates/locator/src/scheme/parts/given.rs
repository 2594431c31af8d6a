//! The parts of a URL between a view and a text: takes them out of a URL, sets them by their names
//! in the table of the scheme ([`Divide::parts`]), and builds the URL again.
//!
//! The parts of a URL are the text that it has, with the text before each. So a `%7e` in a path
//! is still `%7e` after the path was divided and built again, neither "~" nor `%7E`, and `;TYPE=`
//! stays in upper case.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::login::LoginParts;
use super::part::{Divide, Part};
use crate::build::Value;
use crate::reference::UriRef;
use crate::scheme::syntax::login::Login;
use crate::span::Component;

/// The parts of a URL, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::scheme) struct Parts<'v> {
    pub(super) prefix: Option<&'v str>,
    pub(super) scheme: &'v str,
    pub(in crate::scheme) login: Option<LoginParts<'v>>,
    pub(super) given: Vec<Given<'v>>,
    /// The text after the last part.
    pub(in crate::scheme) tail: &'v str,
    pub(super) fragment: Option<&'v str>,
}

/// One part that a URL has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given<'v> {
    pub(super) name: &'static str,
    /// The text before the part in its URL, if it is not the delimiter of the table.
    pub(super) before: Option<&'v str>,
    /// Whether no URL had it.
    pub(super) is_new: bool,
    pub(super) pieces: Vec<Piece<'v>>,
}

/// A part or a value of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::scheme) enum Piece<'v> {
    /// A whole part; data of a list is divided at its delimiter.
    Whole(Value<'v>),
    /// A single value; data is escaped where it contains the delimiter of a list.
    One(Value<'v>),
    /// A name and its value.
    Pair(Value<'v>, Value<'v>),
    /// A part as it is written.
    Text(String),
}

impl<'v> Parts<'v> {
    /// Creates a builder of the URL of a scheme.
    pub(in crate::scheme) fn new(scheme: &'v str) -> Self {
        Self { scheme, ..Self::default() }
    }

    /// Returns these parts with a server.
    pub(in crate::scheme) fn at(self, login: impl Into<LoginParts<'v>>) -> Self {
        Self { login: Some(login.into()), ..self }
    }

    /// Returns these parts with a value for one of them.
    pub(in crate::scheme) fn with(mut self, name: &'static str, value: impl Into<Value<'v>>) -> Self {
        self.set(name, Piece::One(value.into()));
        self
    }

    /// Returns the parts of a URL, as one of the schemes divides it. A URL that none divides has no
    /// parts.
    pub(in crate::scheme) fn of(url: UriRef<'v>, schemes: &[&dyn Divide]) -> Self {
        let (text, spans) = (url.as_str(), url.spans());
        let fields = schemes.iter().find_map(|scheme| scheme.fields(url).ok().map(|fields| (scheme, fields)));
        let table = fields.iter().flat_map(|(scheme, fields)| {
            let written = scheme.parts(url.edition()).iter().filter(|part| part.is_written());
            let find = |part: &Part| fields.iter().find(|field| field.name == part.name)?.value.span();
            written.filter_map(move |part| find(part).map(|span| (part, span)))
        });
        // An address of RFC 1738 may begin with "//", which the generic grammar takes for a host.
        let is_login = |span: &Range<usize>| span.start >= spans.path_start as usize;
        let has_login = spans.has_authority && table.clone().next().is_none_or(|(_, span)| is_login(&span));
        let mut end = if has_login { spans.path_start } else { spans.after_scheme() } as usize;
        let mut given = Vec::new();
        for (part, span) in table {
            let before = text.get(end..span.start).unwrap_or_default();
            given.push(Given {
                name: part.name,
                before: (before != part.before).then_some(before),
                is_new: false,
                pieces: Vec::from([Piece::Whole(Value::Encoded(&text[span.clone()]))]),
            });
            end = span.end;
        }
        let component = |component| url.component(component);
        Self {
            prefix: component(Component::Prefix),
            scheme: component(Component::Scheme).unwrap_or_default(),
            login: Login::of(url).filter(|_| has_login).map(|login| login.parts()),
            given,
            tail: text.get(end..spans.query_end as usize).unwrap_or_default(),
            fragment: component(Component::Fragment),
        }
    }

    /// Sets the scheme; the spelling of its name in a URL stays.
    pub(in crate::scheme) const fn set_scheme(&mut self, name: &'v str) {
        if !self.scheme.eq_ignore_ascii_case(name) {
            self.scheme = name;
        }
    }

    pub(super) fn given(&self, name: &str) -> Option<&Given<'v>> {
        self.given.iter().find(|given| given.name == name)
    }

    fn given_mut(&mut self, name: &'static str) -> &mut Given<'v> {
        let at = self.given.iter().position(|given| given.name == name).unwrap_or_else(|| {
            self.given.push(Given { name, before: None, is_new: true, pieces: Vec::new() });
            self.given.len() - 1
        });
        &mut self.given[at]
    }

    /// Returns what a part consists of; nothing if it is absent.
    pub(in crate::scheme) fn pieces(&self, name: &str) -> &[Piece<'v>] {
        self.given(name).map_or(&[], |given| &given.pieces)
    }

    /// Sets a part.
    pub(in crate::scheme) fn set(&mut self, name: &'static str, piece: Piece<'v>) {
        self.given_mut(name).pieces = Vec::from([piece]);
    }

    /// Adds a value to a part with several.
    pub(in crate::scheme) fn push(&mut self, name: &'static str, piece: Piece<'v>) {
        self.given_mut(name).pieces.push(piece);
    }

    /// Sets the text before a part, if it is not the delimiter of the table.
    pub(in crate::scheme) fn spell(&mut self, name: &'static str, before: Option<&'v str>) {
        self.given_mut(name).before = before;
    }

    /// Removes a part.
    pub(in crate::scheme) fn remove(&mut self, name: &str) {
        self.given.retain(|given| given.name != name);
    }

    /// Removes a part and returns what it consisted of.
    pub(in crate::scheme) fn take(&mut self, name: &str) -> Vec<Piece<'v>> {
        let at = self.given.iter().position(|given| given.name == name);
        at.map(|at| self.given.remove(at).pieces).unwrap_or_default()
    }

    /// Removes all parts.
    pub(in crate::scheme) fn clear(&mut self) {
        self.given.clear();
        self.tail = "";
    }
}
