//! Edits the parts that a scheme defines: takes a reference that is being edited, the name of a
//! part and a value, and sets or removes that part. All other text stays unchanged.
//!
//! [`Planner::own_parts`](crate::scheme::Planner::own_parts) defines the delimiter before each
//! part; the view of the scheme determines its position. The view then divides the result again, which must
//! contain the new value.

use alloc::string::String;

use super::division::{Division, Key};
use super::error::PartError;
use super::part::Shape;
use crate::build::{BuildError, Edit, Value};
use crate::edition::Edition;
use crate::reference::UriRef;
use crate::scheme::data::to_base64;
use crate::scheme::planner_named;
use crate::span::Component;

/// Sets a part that the scheme of a URL defines. `key` is `None` for the whole part.
///
/// ```
/// use locator::scheme::{self, Key};
/// use locator::{Value, uri};
///
/// let mut edit = uri!("gopher://h/0a").edit();
/// scheme::set_part(&mut edit, "search", None, "b c".into())?;
/// assert_eq!(edit.finish()?, "gopher://h/0a%09b%20c");
/// let mut edit = uri!("mailto:a@h").edit();
/// scheme::set_part(&mut edit, "headers", Some(Key::Name(b"subject")), "A & B".into())?;
/// assert_eq!(edit.finish()?, "mailto:a@h?subject=A%20%26%20B");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The scheme has no such part, the reference is not one of its URLs, or the value does not fit.
pub fn set_part(
    edit: &mut Edit<'_>,
    name: &str,
    key: Option<Key<'_>>,
    value: Value<'_>,
) -> Result<(), PartError> {
    if is_host(edit, name) {
        edit.set(Component::Host, value)?;
        return Ok(());
    }
    change(edit, name, value.as_bytes(), |division, index| {
        let part = division.part(index);
        let edition = division.edition();
        let encoded = value.encoded(edition, part.component)?;
        let value = if value.is_decoded() { Value::Decoded(&encoded) } else { value };
        let content = match value {
            Value::Decoded(octets) if part.shape == Shape::Content && division.is_base64() => {
                to_base64(octets)
            }
            _ => String::new(),
        };
        let value = if content.is_empty() { value } else { Value::Decoded(content.as_bytes()) };
        Ok(Some(match key {
            None => part.write(value, edition),
            Some(key) => division.list(index)?.with(key, Some(&part.write_one(value, edition)))?,
        }))
    })
}

/// Removes a part with its delimiter; a mandatory part becomes empty. Removing an absent part is
/// not an error.
///
/// ```
/// use locator::scheme;
///
/// let mut edit = locator::uri!("ftp://h/a;type=i").edit();
/// scheme::remove_part(&mut edit, "type", None)?;
/// assert_eq!(edit.finish()?, "ftp://h/a");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The same errors as [`set_part`].
pub fn remove_part(edit: &mut Edit<'_>, name: &str, key: Option<Key<'_>>) -> Result<(), PartError> {
    if let Some(key) = key {
        let mut is_last = false;
        change(edit, name, b"", |division, index| {
            let left = division.list(index)?.with(key, None)?;
            is_last = left.is_empty();
            Ok(if is_last { None } else { Some(left) })
        })?;
        return if is_last { remove_part(edit, name, None) } else { Ok(()) };
    }
    let built = edit.finish()?;
    let division = Division::of(built.as_uri_ref())?;
    let index = division.index(name)?;
    if division.span(name).is_none() {
        return Ok(());
    }
    if let Some(outer) = division.part(index).inside {
        return take_over(edit, &division.with_inner(index, outer, None)?);
    }
    match division.without(index) {
        Some(text) => take_over(edit, &text),
        None => set_part(edit, name, None, Value::Encoded("")),
    }
}

/// Returns whether the scheme uses this name for the host.
fn is_host(edit: &Edit<'_>, name: &str) -> bool {
    let scheme = edit.component(Component::Scheme).and_then(|scheme| planner_named(&scheme));
    let own = scheme.map_or(&[][..], |scheme| scheme.own_parts(edit.edition()));
    own.iter().any(|part| part.name == name && part.shape == Shape::Host)
}

/// Writes a part to which a value was given; `None` leaves the reference unchanged.
fn change(
    edit: &mut Edit<'_>,
    name: &str,
    given: &[u8],
    written: impl FnOnce(&Division<'_>, usize) -> Result<Option<String>, PartError>,
) -> Result<(), PartError> {
    let built = edit.finish()?;
    let division = Division::of(built.as_uri_ref())?;
    let index = division.index(name)?;
    let Some(written) = written(&division, index)? else { return Ok(()) };
    if division.text_of(name) == Some(&written) {
        return Ok(());
    }
    let edition = edit.edition();
    if division.is_step(index, &written) {
        return Err(BuildError::DotSegment { edition }.into());
    }
    if let Some(outer) = division.part(index).inside {
        return take_over(edit, &division.with_inner(index, outer, Some(&written))?);
    }
    match division.with(index, &written) {
        Ok(text) => take_over(edit, &text),
        // The error is about the value as it is written, which must be the one given.
        Err(Some(error)) if written.as_bytes() == given => Err(BuildError::Value(error).into()),
        Err(_) => Err(division.misread(index)),
    }
}

/// Replaces the text after the login of the edit with that of a text.
fn take_over(edit: &mut Edit<'_>, text: &str) -> Result<(), PartError> {
    let read = UriRef::parse_with(text, edit.edition()).map_err(BuildError::Whole)?;
    for part in [Component::Path, Component::Query] {
        match read.component(part) {
            now if now == edit.component(part).as_deref() => {}
            Some(now) => drop(edit.set(part, Value::Encoded(now))?),
            None => drop(edit.remove(part)?),
        }
    }
    Ok(())
}

/// Returns the names of the parts that can be set in URLs of a scheme and an edition. There are
/// none for an unknown scheme.
///
/// ```
/// use locator::edition::RFC3986;
///
/// let names: Vec<_> = locator::scheme::part_names("ftp", &RFC3986).collect();
/// assert_eq!(names, ["cwds", "name", "type"]);
/// ```
pub fn part_names(scheme: &str, edition: &'static Edition) -> impl Iterator<Item = &'static str> + use<> {
    let own = planner_named(scheme).map_or(&[][..], |scheme| scheme.own_parts(edition));
    own.iter().map(|part| part.name)
}
