//! Readings and errors in, one JSON object a line out, for programs: the keys and their order
//! are those of `spec/command.md`.

mod comparison;
mod error;
mod escape;
mod hit;
mod made;
mod object;
mod plan;
mod scheme;

use std::io::{self, Write};

use locator::plan::Plan;
use locator::scheme::Scheme;
use locator::{Edition, Error, Space, UriRef};
use locator_find::{Anchor, Link};
use serde::Serialize;

use self::scheme::SchemeObject;
use crate::arguments::{Compared, CountByWord};
use crate::compare::{Pair, Refusal};
use crate::every::{Every, Key};
use crate::failure::Failure;
use crate::find::{Absolute, Kind};
use crate::input::Input;
use crate::lint::Warning;
use crate::make::Made;
use crate::reading::Reading;
use comparison::{ComparisonObject, OnlyInObject};
use hit::{AnchorObject, LinkObject, TallyObject};
pub(crate) use made::Head;
use made::MadeObject;
use object::{EditionObject, EveryObject, Object};
use plan::PlanObject;

/// Writes what an edition reads in octets.
pub(crate) fn read(
    out: &mut impl Write,
    octets: &[u8],
    edition: &Edition,
    reading: &Result<Reading<'_>, Error>,
) -> io::Result<()> {
    line(out, &Object::new(edition, reading).of(octets))
}

/// Writes what every edition reads in octets, and what differs.
pub(crate) fn every(out: &mut impl Write, every: &Every<'_>) -> io::Result<()> {
    let readings = every.readings.iter().map(|(edition, reading)| Object::new(edition, reading)).collect();
    let disputed = every.is_disputed().then_some("valid");
    let differs = disputed.into_iter().chain(every.differing().map(Key::name)).collect();
    line(out, &EveryObject::new(every.octets, readings, differs))
}

/// Writes the errors of an input that is not valid.
pub(crate) fn check<'a>(
    out: &mut impl Write,
    input: Input<'a>,
    located: Option<&'a str>,
    first: &Error,
    errors: impl Iterator<Item = Error> + 'a,
) -> io::Result<()> {
    line(out, &Object::new(first.edition(), &Err(*first)).at(input, located).with_errors(errors))
}

/// Writes what an input that is valid is probably not meant to be.
pub(crate) fn warnings<'a>(
    out: &mut impl Write,
    input: Input<'a>,
    located: Option<&'a str>,
    edition: &'a Edition,
    warnings: &'a [Warning],
) -> io::Result<()> {
    line(out, &Object::warned(edition, warnings).at(input, located))
}

/// Writes what was made of octets, or why nothing.
pub(crate) fn made(
    out: &mut impl Write,
    head: &Head<'_>,
    octets: &[u8],
    repaired: Option<&str>,
    made: &Result<Made<'_>, Failure>,
) -> io::Result<()> {
    line(out, &MadeObject::new(head, octets, made).repaired(repaired))
}

/// Writes what became of octets that were edited.
pub(crate) fn edited(
    out: &mut impl Write,
    (octets, repaired): (&[u8], Option<&str>),
    edited: UriRef<'_>,
    space: Space,
) -> io::Result<()> {
    line(out, &Object::edited(edited, space).of(octets).repaired(repaired))
}

/// Writes why nothing became of them.
pub(crate) fn not_edited(
    out: &mut impl Write,
    (octets, repaired): (&[u8], Option<&str>),
    edition: &Edition,
    why: &Failure,
) -> io::Result<()> {
    line(out, &Object::not_edited(edition, why).of(octets).repaired(repaired))
}

/// Writes how two references compare, or why they do not.
pub(crate) fn comparison(
    out: &mut impl Write,
    asked: &Compared,
    compared: &Result<Pair<'_>, Refusal>,
) -> io::Result<()> {
    line(out, &ComparisonObject::new(asked, compared))
}

/// Writes a URL that only one of two lists has.
pub(crate) fn only_in(out: &mut impl Write, list: u32, number: u64, url: &str) -> io::Result<()> {
    line(out, &OnlyInObject { list, line: number, url })
}

/// Writes the plan of an input, or why there is none.
pub(crate) fn plan(
    out: &mut impl Write,
    octets: &[u8],
    edition: &Edition,
    plan: &Result<Plan, Failure>,
) -> io::Result<()> {
    line(out, &PlanObject::new(octets, edition, plan))
}

/// Writes a link of a file, what it is resolved to or what is wrong with it if that is asked, and all of its bases if they are.
pub(crate) fn link(
    out: &mut impl Write,
    file: Option<&[u8]>,
    link: &Link<'_>,
    edition: &'static Edition,
    of: (Option<&Absolute<'_>>, Option<&Failure>),
    with_bases: bool,
) -> io::Result<()> {
    line(out, &LinkObject::new(file, link, edition, of, with_bases))
}

/// Writes a name in a file that a fragment may point to.
pub(crate) fn anchor(out: &mut impl Write, file: Option<&[u8]>, anchor: &Anchor<'_>) -> io::Result<()> {
    line(out, &AnchorObject::new(file, anchor))
}

/// Writes how many links there are of a kind.
pub(crate) fn tally(out: &mut impl Write, what: CountByWord, kind: &Kind, count: u64) -> io::Result<()> {
    line(out, &TallyObject::new(what, kind, count))
}

/// Writes what the name of a scheme is, known here or not.
pub(crate) fn scheme(out: &mut impl Write, name: &str, scheme: Option<&dyn Scheme>) -> io::Result<()> {
    line(out, &SchemeObject::new(name, scheme))
}

/// Writes an edition.
pub(crate) fn edition(out: &mut impl Write, edition: &Edition) -> io::Result<()> {
    line(out, &EditionObject::new(edition, edition.is_default()))
}

fn line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    object.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, escape::Terminal))?;
    out.write_all(b"\n")
}
