//! The changes to each reference, sorted once and then applied; with `--iterate`, a reference has
//! several results.
//!
//! Changes are made in trurl's order, whatever the order of the options: removed parts, set parts,
//! iterated parts, segments, pairs. So a port may be given before the host it requires.

use std::cmp::Reverse;
use std::io;

use locator::edition::SameDocument;
use locator::{
    Base, BuildError, Component, Edit, Edition, ResolveError, ResolveOptions, SpaceEncoding, UriRef,
    UriRefBuf, Value, scheme,
};
use locator_audit::wrapped_link;
use locator_functions::Access;

use crate::field::{Field, Nth, Rank, Refused, after, data, default_port, in_charset};
use crate::pasted::Address;
use crate::report::failure::Failure;
use crate::report::failure::sentence;
use crate::terminal::secrets;

/// A value as given: data, or text that is already percent-encoded.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// Data, which is percent-encoded.
    Data(Vec<u8>),
    /// A text that is written unchanged.
    Raw(String),
}

impl Given {
    /// The same for the library.
    pub(super) fn value(&self) -> Value<'_> {
        match self {
            Self::Data(octets) => data(octets),
            Self::Raw(text) => Value::Encoded(text),
        }
    }
}

/// A name and the value after its "=", if it has one.
#[derive(Clone, Debug)]
pub(super) struct GivenPair {
    pub(super) name: Given,
    pub(super) value: Option<Given>,
}

/// A change to each reference.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// A part is removed.
    Remove(Field),
    /// A part is set to nothing, which removes it.
    Clear(Field),
    /// A part is set.
    Set {
        /// The part.
        field: Field,
        /// The value.
        value: Given,
        /// Whether a part that is already defined is kept.
        only_if_undefined: bool,
    },
    /// A segment is appended.
    AppendSegment(Given),
    /// A pair is appended.
    AppendPair(GivenPair),
    /// The pairs of a name are replaced by one.
    Replace {
        /// The new pair.
        pair: GivenPair,
        /// Whether it is appended if no pair has that name.
        append: bool,
    },
    /// One pair of a name gets another value.
    ReplaceNth {
        /// Which of them.
        nth: Nth,
        /// The name, and what its value becomes.
        name: Vec<u8>,
        value: Option<Given>,
    },
    /// Pairs are removed.
    Trim(Vec<Names>),
    /// The pairs are sorted.
    Sort,
    /// The scheme's default port is added where no port is given.
    DefaultPort,
}

/// The names of pairs.
#[derive(Clone, Debug)]
pub(super) enum Names {
    /// Exactly this name.
    Only(Vec<u8>),
    /// All names that begin with this.
    BeginWith(Vec<u8>),
}

/// A change, and what it is on the command line.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// `--set port=80`
    pub(super) said: String,
    pub(super) change: Change,
}

impl Step {
    /// Makes the change.
    pub(super) fn make(&self, edit: &mut Edit<'_>) -> Result<(), Failure> {
        self.change.make(edit).map_err(|refused| Failure::not_edited(&self.said, refused))
    }

    /// Returns an error if no reference can be changed this way.
    pub(super) fn check(&self, edition: &'static Edition) -> Result<(), Failure> {
        // It has all that may be set or removed.
        let Ok(reference) = UriRef::parse_with("a://u:p@h:1/p?q#f", edition) else { return Ok(()) };
        let mut edit = reference.edit();
        if matches!(self.change, Change::Set { field, .. } if field.access() == Some(Access::ZoneId)) {
            // Only an address has a zone.
            drop(edit.set_host("::1"));
        }
        let made = match &self.change {
            // Other references do not have this segment.
            Change::Set { field, value, .. } => field.set(&mut edit, value.value()),
            change => change.make(&mut edit),
        };
        match made {
            Err(refused) if !depends_on_reference(refused) => Err(Failure::not_edited(&self.said, refused)),
            _ => Ok(()),
        }
    }

    /// Whether both set or remove one part.
    pub(super) fn is_of_part(&self, other: &Self) -> bool {
        self.field().zip(other.field()).is_some_and(|(one, other)| one.is(other))
    }

    /// Whether it has removed the host that the scheme of the reference needs: then the value was
    /// probably missing.
    fn clears_needed_host(&self, edit: &Edit<'_>) -> bool {
        let (host, scheme) = (edit.component(Component::Host), edit.component(Component::Scheme));
        matches!(self.change, Change::Clear(field) if is_of_host(field))
            && host.is_none()
            && default_port(scheme.as_deref()).is_some()
    }

    /// Whether it sets a host.
    fn gives_host(&self) -> bool {
        matches!(self.change, Change::Set { field, .. } if is_of_host(field))
    }

    /// Returns the scheme that it sets.
    fn scheme(&self) -> Option<&str> {
        let Change::Set { field, value, .. } = &self.change else { return None };
        if !matches!(field.access(), Some(Access::Protocol | Access::Component(Component::Scheme))) {
            return None;
        }
        let scheme = match value {
            Given::Data(octets) => std::str::from_utf8(octets).ok()?,
            Given::Raw(text) => text,
        };
        Some(scheme.strip_suffix(':').unwrap_or(scheme))
    }

    /// Whether it sets a scheme whose URLs may have a host; those of an unknown one may.
    fn gives_scheme_with_host(&self) -> bool {
        let has_host = |name| scheme::lookup(name).is_none_or(|scheme| scheme.form().has_host());
        self.scheme().is_some_and(has_host)
    }

    /// Whether it has set a scheme that needs a host, and there is none.
    fn gives_scheme_without_host(&self, edit: &Edit<'_>) -> bool {
        let Some(scheme) = self.scheme().and_then(scheme::lookup) else { return false };
        let needs_host = scheme.form().has_host() && scheme.default_port().is_some();
        needs_host && edit.component(Component::Host).is_none()
    }

    const fn field(&self) -> Option<Field> {
        match self.change {
            Change::Remove(field) | Change::Clear(field) | Change::Set { field, .. } => Some(field),
            _ => None,
        }
    }

    /// Where its turn is among what is set, and what is removed.
    pub(super) fn rank(&self) -> Option<Rank> {
        self.field().map(Field::rank)
    }
}

/// Returns whether a part is the host, or has it.
fn is_of_host(field: Field) -> bool {
    [Component::Host, Component::Authority].into_iter().any(|component| field.is_component(component))
}

/// Returns whether another reference could be changed this way.
const fn depends_on_reference(refused: Refused) -> bool {
    !matches!(
        refused,
        Refused::NoZones(_)
            | Refused::PortTooLarge
            | Refused::Build(
                BuildError::Value(_)
                    | BuildError::AuthorityAsData { .. }
                    | BuildError::NoComponent { .. }
                    | BuildError::NoPrefix { .. }
                    | BuildError::DotSegment { .. }
                    | BuildError::NoPairs { .. }
            )
    )
}

impl Change {
    fn make(&self, edit: &mut Edit<'_>) -> Result<(), Refused> {
        match self {
            Self::Remove(field) | Self::Clear(field) => field.remove(edit)?,
            Self::Set { field, only_if_undefined: true, .. } if field.is_set(edit) => {}
            Self::Set { field, value, .. } => field.set(edit, value.value())?,
            Self::AppendSegment(segment) => drop(edit.append_segment(segment.value())?),
            Self::AppendPair(pair) => append(edit, pair)?,
            Self::Replace { pair, append: if_none } => {
                let value = pair.value.as_ref().map(Given::value);
                let replaced = edit.replace_pairs(pair.name.value(), value);
                let count = replaced.map_err(|error| in_pair(edit, pair.name.value(), error))?;
                if count == 0 && *if_none {
                    append(edit, pair)?;
                }
            }
            Self::ReplaceNth { nth, name, value } => {
                let octets = data(name).encoded(edit.edition(), Component::Query)?;
                let count = edit.pairs().filter(|pair| pair.name_bytes() == octets).count();
                // If the pair does not exist, the value is validated anyway.
                let nth = nth.among(count).unwrap_or(count);
                let value = value.as_ref().map(Given::value);
                let replaced = edit.replace_nth_pair(data(name), nth, value).map(drop);
                replaced.map_err(|error| in_pair(edit, data(name), error))?;
            }
            Self::Trim(names) => {
                let edition = edit.edition();
                edit.retain_pairs(|pair| {
                    let name = pair.name_bytes();
                    !names.iter().any(|names| names.hold(&name, edition))
                });
            }
            Self::Sort => drop(edit.sort_pairs()),
            Self::DefaultPort => write_default_port(edit)?,
        }
        Ok(())
    }
}

impl Names {
    /// Returns whether the name of a pair is one of these, which were given as text.
    fn hold(&self, name: &[u8], edition: &'static Edition) -> bool {
        // No pair has a name that the charset of the edition does not contain.
        let octets = |given| in_charset(given, edition);
        match self {
            Self::Only(only) => octets(only).is_some_and(|only| *name == *only),
            Self::BeginWith(beginning) => octets(beginning).is_some_and(|octets| name.starts_with(&octets)),
        }
    }
}

fn append(edit: &mut Edit<'_>, pair: &GivenPair) -> Result<(), BuildError> {
    let appended = match &pair.value {
        Some(value) => edit.append_pair(pair.name.value(), value.value()).map(drop),
        None => edit.append_flag(pair.name.value()).map(drop),
    };
    appended.map_err(|error| in_pair(edit, pair.name.value(), error))
}

/// Returns the error of a pair with its positions in `NAME=VALUE`.
#[cold]
fn in_pair(edit: &Edit<'_>, name: Value<'_>, error: BuildError) -> BuildError {
    let length = name.as_bytes().len();
    let is_of_name = edit.clone().append_flag(name).is_err();
    if is_of_name { error } else { after(length + 1, error) }
}

fn write_default_port(edit: &mut Edit<'_>) -> Result<(), BuildError> {
    let has_host = edit.component(Component::Host).is_some_and(|host| !host.is_empty());
    let has_port = edit.component(Component::Port).is_some_and(|port| !port.is_empty());
    match default_port(edit.component(Component::Scheme).as_deref()) {
        Some(port) if has_host && !has_port => edit.set_port(Some(port)).map(drop),
        _ => Ok(()),
    }
}

/// What is done to each reference.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// Whether the link of a service is replaced by the URL in it.
    unwrap: bool,
    /// A reference that is resolved against it, and takes its place.
    pub(super) redirect: Option<String>,
    /// What is removed, then what is set.
    pub(super) first: Vec<Step>,
    /// Parts that are set to one value after the other.
    pub(super) iterated: Vec<Iterated>,
    /// The places of those in the order in which they are set.
    pub(super) turns: Vec<usize>,
    /// What is done after that.
    pub(super) last: Vec<Step>,
}

/// What is asked for, in the order of the command line.
pub(super) struct Changes {
    pub(super) unwrap: bool,
    pub(super) redirect: Option<String>,
    pub(super) removed_and_set: Vec<Step>,
    pub(super) iterated: Vec<Iterated>,
    pub(super) after_that: Vec<Step>,
}

/// A part and its values.
#[derive(Clone, Debug)]
pub(super) struct Iterated {
    /// One at least.
    pub(super) steps: Vec<Step>,
}

impl Steps {
    /// Sorts the changes; returns an error for a change that no reference allows.
    pub(super) fn new(changes: Changes, edition: &'static Edition) -> Result<Self, String> {
        let steps = Self::sorted(changes)?;
        for step in steps.all() {
            step.check(edition).map_err(|why| sentence(&why, &secrets::redacted("")))?;
        }
        if let Some(redirect) = &steps.redirect {
            if !edition.defines_resolution() {
                return Err(format!("--redirect: {}", ResolveError::NotDefined { edition }));
            }
            UriRef::parse_with(redirect, edition)
                .map_err(|error| format!("--redirect: {}", secrets::redacted(redirect).error(error)))?;
        }
        Ok(steps)
    }

    /// Sorts the changes; returns an error if a part is set twice.
    pub(super) fn sorted(changes: Changes) -> Result<Self, String> {
        let steps = Self {
            unwrap: changes.unwrap,
            redirect: changes.redirect,
            first: in_order(changes.removed_and_set),
            turns: turns(&changes.iterated),
            iterated: changes.iterated,
            last: changes.after_that,
        };
        steps.check_iterated()?;
        Ok(steps)
    }

    /// Returns whether there are no changes.
    pub(super) const fn is_empty(&self) -> bool {
        !self.unwrap
            && self.redirect.is_none()
            && self.first.is_empty()
            && self.iterated.is_empty()
            && self.last.is_empty()
    }

    /// Returns the number of results of each reference.
    pub(super) fn count(&self) -> u64 {
        self.iterated.iter().map(|one| one.steps.len() as u64).fold(1, u64::saturating_mul)
    }

    /// Returns whether a step is about what only a reference with a host has: its scheme, user, host or port.
    pub(super) fn needs_authority(&self) -> bool {
        let is_before_path = |field: Field| match field.access() {
            Some(Access::Component(part)) => {
                !matches!(part, Component::Path | Component::Query | Component::Fragment)
            }
            Some(access) => matches!(
                access,
                Access::Protocol
                    | Access::User
                    | Access::Password
                    | Access::Options
                    | Access::ZoneId
                    | Access::HostAndPort
                    | Access::Label
            ),
            None => false,
        };
        self.all().any(|step| {
            step.field().is_some_and(is_before_path) || matches!(step.change, Change::DefaultPort)
        })
    }

    /// Passes each result of a reference to a function.
    pub(super) fn each(
        &self,
        reference: UriRef<'_>,
        space: SpaceEncoding,
        mut hand_out: impl FnMut(Result<UriRef<'_>, Failure>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut unwrapped, mut redirected) = (String::new(), String::new());
        let unwrapped = self.unwrapped(reference, &mut unwrapped);
        let begin = unwrapped.and_then(|reference| self.begin(reference, &mut redirected));
        let mut at = vec![0; self.iterated.len()];
        loop {
            let edited = match &begin {
                Ok(reference) => self.edited(*reference, space, &at),
                Err(why) => Err(why.clone()),
            };
            match edited {
                Ok(edited) => hand_out(Ok(edited.as_uri_ref()))?,
                // An error in the result has no position in the input.
                Err(why) if self.redirect.is_some() || self.unwrap => hand_out(Err(why))?,
                Err(why) => hand_out(Err(why.in_input(reference)))?,
            }
            if !self.advance(&mut at) {
                return Ok(());
            }
        }
    }

    /// Returns the URL within the links of services, if it is asked for.
    fn unwrapped<'a>(&self, reference: UriRef<'a>, target: &'a mut String) -> Result<UriRef<'a>, Failure> {
        // A link of one service may contain that of another.
        const MOST: usize = 8;
        if !self.unwrap {
            return Ok(reference);
        }
        for _ in 0..MOST {
            let link = match target.is_empty() {
                true => wrapped_link(reference.as_str()),
                false => wrapped_link(target),
            };
            let Some(link) = link else { break };
            let Some(found) = link.target() else {
                let service = link.service();
                let message = format!("only {service} knows where its link leads; the URL is not in it");
                return Err(Failure::other("not-unwrapped", message));
            };
            *target = found.to_owned();
        }
        let target: &'a str = target.as_str();
        if target.is_empty() {
            return Ok(reference);
        }
        UriRef::parse_with(target, reference.edition()).map_err(|error| {
            let error = secrets::redacted(target).error(error).to_string();
            Failure::other("not-unwrapped", format!("the URL in the link is not valid: {error}"))
        })
    }

    /// What is edited: the reference, or where it redirects to.
    fn begin<'a>(&self, reference: UriRef<'a>, redirected: &'a mut String) -> Result<UriRef<'a>, Failure> {
        let Some(redirect) = &self.redirect else { return Ok(reference) };
        let edition = reference.edition();
        let to = UriRef::parse_with(redirect, edition)?;
        let options = ResolveOptions::new().same_document(SameDocument::Base);
        let resolved =
            Base::try_from(reference).and_then(|base| base.resolve_into(to, options, redirected).map(drop));
        resolved.map_err(|error| Failure::from(error).of_base().said("--redirect"))?;
        Ok(UriRef::parse_with(redirected, edition)?)
    }

    fn edited(
        &self,
        reference: UriRef<'_>,
        space: SpaceEncoding,
        at: &[usize],
    ) -> Result<UriRefBuf, Failure> {
        let iterated = || self.turns.iter().map(|&turn| &self.iterated[turn].steps[at[turn]]);
        let moved = self.with_host(reference, self.first.iter().chain(iterated()))?;
        let reference = moved.as_ref().map_or(reference, UriRefBuf::as_uri_ref);
        scheme::edit(reference, |edit| {
            edit.spaces(space);
            let steps = self.first.iter().chain(iterated()).chain(&self.last);
            steps.clone().try_for_each(|step| step.make(edit))?;
            let has_host = reference.host().is_some();
            if let Some(step) = steps.clone().find(|step| !has_host && step.gives_scheme_without_host(edit)) {
                return Err(Failure::not_edited(&step.said, Refused::SchemeWithoutHost));
            }
            match self.first.iter().find(|step| has_host && step.clears_needed_host(edit)) {
                Some(step) => Err(Failure::not_edited(&step.said, Refused::SchemeNeedsHost)),
                None => Ok(()),
            }
        })
    }

    /// Returns a reference with "//" before its host, if it has none and is given a scheme of URLs with
    /// hosts: `example.com/a` is a path and was meant as `//example.com/a`. If it is given a host, either
    /// may have been meant, which is an error.
    fn with_host<'s>(
        &self,
        reference: UriRef<'_>,
        mut steps: impl Iterator<Item = &'s Step> + Clone,
    ) -> Result<Option<UriRefBuf>, Failure> {
        let text = reference.as_str();
        if reference.authority().is_some() || Address::without_slashes(text).is_none() {
            return Ok(None);
        }
        if let Some(step) = steps.clone().find(|step| step.gives_host()) {
            return Err(Failure::not_edited(&step.said, Refused::HostOrPath));
        }
        match steps.any(Step::gives_scheme_with_host) {
            true => Ok(UriRefBuf::parse_with(&["//", text].concat(), reference.edition()).ok()),
            false => Ok(None),
        }
    }

    /// Returns a text that is no reference with "//" before its host, if it is given a scheme:
    /// `192.0.2.1:8080` is neither a path nor a URL.
    pub(super) fn with_slashes(&self, octets: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(octets).ok()?;
        let is_moved =
            self.all().any(Step::gives_scheme_with_host) && Address::without_slashes(text).is_some();
        is_moved.then(|| ["//", text.trim_ascii()].concat())
    }

    /// Advances to the next combination, the last part first; false after the last one.
    pub(super) fn advance(&self, at: &mut [usize]) -> bool {
        for (at, one) in at.iter_mut().zip(&self.iterated).rev() {
            *at += 1;
            if *at < one.steps.len() {
                return true;
            }
            *at = 0;
        }
        false
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Step> {
        self.first.iter().chain(self.iterated.iter().flat_map(|one| &one.steps)).chain(&self.last)
    }

    /// A part is set once, and not iterated over besides.
    fn check_iterated(&self) -> Result<(), String> {
        let is_set = |one: &Step| self.first.iter().any(|step| is_set(step) && step.is_of_part(one));
        for (index, one) in self.iterated.iter().enumerate() {
            let Some(step) = one.steps.first() else { continue };
            let twice = self.iterated[..index]
                .iter()
                .any(|other| other.steps.first().is_some_and(|other| other.is_of_part(step)));
            if twice || is_set(step) {
                return Err(set_twice(step));
            }
        }
        Ok(())
    }
}

/// Returns the error for a part that is set twice.
pub(super) fn set_twice(step: &Step) -> String {
    format!("{}: this part is set twice", secrets::edit(&step.said).text)
}

const fn is_set(step: &Step) -> bool {
    matches!(step.change, Change::Set { .. })
}

/// Sorts changes: parts are removed from right to left, then set from left to right, because a user
/// is removed before its host and set after it.
fn in_order(steps: Vec<Step>) -> Vec<Step> {
    let (mut set, mut removed): (Vec<_>, Vec<_>) = steps.into_iter().partition(is_set);
    removed.sort_by_key(|step| Reverse(step.rank()));
    set.sort_by_key(Step::rank);
    removed.extend(set);
    removed
}

fn turns(iterated: &[Iterated]) -> Vec<usize> {
    let mut turns: Vec<_> = (0..iterated.len()).collect();
    turns.sort_by_key(|&turn| iterated[turn].steps.first().map(Step::rank));
    turns
}
