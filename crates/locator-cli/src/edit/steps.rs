//! All that is to be done to each reference, put in its order once; a reference in, what becomes of it
//! out: several, if there is something to iterate over.

use std::cmp::Reverse;
use std::io;

use locator::edition::Empty;
use locator::{Base, Edition, ResolveError, ResolveOptions, Space, UriRef, scheme};

use super::step::{Change, Step};
use crate::arguments::Edits;
use crate::failure::Failure;
use crate::show::failure::sentence;
use crate::show::secrets;

/// What is done to each reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// A reference that is resolved against it, and takes its place.
    redirect: Option<String>,
    /// What is removed, then what is set.
    first: Vec<Step>,
    /// Parts that are set to one value after the other.
    iterated: Vec<Iterated>,
    /// The places of those in the order in which they are set.
    turns: Vec<usize>,
    /// What is done after that.
    last: Vec<Step>,
}

/// A part and its values.
#[derive(Clone, Debug)]
pub(crate) struct Iterated {
    /// One at least.
    pub(crate) steps: Vec<Step>,
}

impl Steps {
    /// Puts in order what is asked for; tells what no reference could be changed so.
    pub(crate) fn of(edits: &Edits, edition: &'static Edition) -> Result<Self, String> {
        let steps = Self {
            redirect: edits.redirect.clone(),
            first: in_order(edits.removed_and_set()),
            turns: turns(&edits.iterate),
            iterated: edits.iterate.clone(),
            last: edits.after_that(),
        };
        if let Some(step) = edits.set_twice() {
            return Err(set_twice(step));
        }
        steps.check_iterated()?;
        for step in steps.all() {
            step.check(edition).map_err(|why| sentence(&why, &secrets::redacted("")))?;
        }
        if let Some(redirect) = &steps.redirect {
            if !edition.defines_resolution() {
                return Err(format!("--redirect: {}", ResolveError::NotDefined { edition }));
            }
            UriRef::parse_by(redirect, edition)
                .map_err(|error| format!("--redirect: {}", secrets::redacted(redirect).error(error)))?;
        }
        Ok(steps)
    }

    /// Whether nothing is done.
    pub(crate) const fn is_empty(&self) -> bool {
        self.redirect.is_none() && self.first.is_empty() && self.iterated.is_empty() && self.last.is_empty()
    }

    /// How many references become of one.
    pub(crate) fn count(&self) -> u64 {
        self.iterated.iter().map(|one| one.steps.len() as u64).fold(1, u64::saturating_mul)
    }

    /// Hands out what becomes of a reference, one after the other.
    pub(crate) fn each(
        &self,
        reference: UriRef<'_>,
        space: Space,
        mut hand_out: impl FnMut(Result<UriRef<'_>, Failure>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut redirected = String::new();
        let begin = self.begin(reference, &mut redirected);
        let mut at = vec![0; self.iterated.len()];
        loop {
            let edited = match &begin {
                Ok(reference) => self.edited(*reference, space, &at),
                Err(why) => Err(why.clone()),
            };
            match edited {
                Ok(edited) => hand_out(Ok(edited.as_uri_ref()))?,
                // What is elsewhere has no place in the input.
                Err(why) if self.redirect.is_some() => hand_out(Err(why))?,
                Err(why) => hand_out(Err(why.in_input(reference)))?,
            }
            if !self.advance(&mut at) {
                return Ok(());
            }
        }
    }

    /// What is edited: the reference, or where it redirects to.
    fn begin<'a>(&self, reference: UriRef<'a>, redirected: &'a mut String) -> Result<UriRef<'a>, Failure> {
        let Some(redirect) = &self.redirect else { return Ok(reference) };
        let edition = reference.edition();
        let to = UriRef::parse_by(redirect, edition)?;
        let options = ResolveOptions::new().empty(Empty::Base);
        let resolved =
            Base::new(reference).and_then(|base| base.resolve_into(to, options, redirected).map(drop));
        resolved.map_err(|error| Failure::from(error).of_base().said("--redirect"))?;
        Ok(UriRef::parse_by(redirected, edition)?)
    }

    fn edited(
        &self,
        reference: UriRef<'_>,
        space: Space,
        at: &[usize],
    ) -> Result<locator::UriRefBuf, Failure> {
        scheme::edit(reference, |edit| {
            edit.spaces(space);
            let iterated = self.turns.iter().map(|&turn| &self.iterated[turn].steps[at[turn]]);
            self.first.iter().chain(iterated).chain(&self.last).try_for_each(|step| step.make(edit))
        })
    }

    /// Goes on to the next combination, the last part first; false if there is none.
    fn advance(&self, at: &mut [usize]) -> bool {
        for (at, one) in at.iter_mut().zip(&self.iterated).rev() {
            *at += 1;
            if *at < one.steps.len() {
                return true;
            }
            *at = 0;
        }
        false
    }

    fn all(&self) -> impl Iterator<Item = &Step> {
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

fn set_twice(step: &Step) -> String {
    format!("{}: the part is set twice", secrets::edit(&step.said).0)
}

const fn is_set(step: &Step) -> bool {
    matches!(step.change, Change::Set { .. })
}

/// What is removed, from the right to the left; then what is set, from the left to the right: a user
/// goes before its host and comes after it.
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
