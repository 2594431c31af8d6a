//! Sets or removes a part of the reference that is edited.

use std::borrow::Cow;

use locator::{AsciiSet, BuildError, Component, Edit, Edition, PctString, Value, edition};
use locator_functions::{Access, host_zone, userinfo_options};

use super::{Field, Nth, Refused, SchemePart};

/// Returns what was typed as data: characters if it is UTF-8, else octets.
pub(crate) fn data(octets: &[u8]) -> Value<'_> {
    std::str::from_utf8(octets).map_or(Value::Decoded(octets), Value::Text)
}

/// Returns what was typed as data in the charset of an edition, as the names of pairs are compared;
/// `None` if the charset does not contain it.
pub(crate) fn in_charset<'d>(octets: &'d [u8], edition: &'static Edition) -> Option<Cow<'d, [u8]>> {
    data(octets).encoded(edition, Component::Query).ok()
}

impl Field {
    /// Whether it is there already.
    pub(crate) fn is_set(self, edit: &Edit<'_>) -> bool {
        let holds = |part, what: fn(&str) -> bool| edit.component(part).is_some_and(|text| what(&text));
        let access = match self {
            Self::OfScheme(own) => return own.is_set(edit),
            Self::Part(selection) => selection.part().access(),
        };
        match access {
            Access::Component(Component::Path) => holds(Component::Path, |path| !path.is_empty()),
            Access::Component(part) => edit.component(part).is_some(),
            Access::Protocol => edit.component(Component::Scheme).is_some(),
            Access::User => edit.component(Component::Userinfo).is_some(),
            Access::Password => holds(Component::Userinfo, |userinfo| userinfo.contains(':')),
            Access::Options => holds(Component::Userinfo, |userinfo| userinfo.contains(';')),
            Access::ZoneId => holds(Component::Host, |host| host_zone(host).is_some()),
            Access::Segment => self.nth().among(edit.segments().count()).is_some(),
            Access::Search => match search_of(edit) {
                Some(own) => own.is_set(edit),
                None => edit.component(Component::Query).is_some(),
            },
            Access::Hash => edit.component(Component::Fragment).is_some(),
            Access::Pair => {
                let name = in_charset(self.parameter().unwrap_or_default().as_bytes(), edit.edition());
                name.is_some_and(|name| edit.pairs().any(|pair| pair.name_bytes() == name))
            }
            _ => true,
        }
    }

    /// Sets it.
    pub(crate) fn set(self, edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), Refused> {
        let access = match self {
            Self::OfScheme(own) => return own.set(edit, value),
            Self::Part(selection) => selection.part().access(),
        };
        match access {
            Access::Component(Component::Authority) => return set_authority(edit, value),
            Access::Component(Component::Port) => return set_port(edit, value),
            Access::Component(part) => edit.set(part, value)?,
            Access::Protocol => edit.set(Component::Scheme, without_last(value, b':'))?,
            Access::User => edit.set_user(value)?,
            Access::Password => edit.set_password(value)?,
            Access::Options => set_options(edit, value)?,
            Access::ZoneId => return set_zone(edit, value),
            Access::Segment => return set_segment(edit, self.nth(), value),
            Access::Search => match search_of(edit) {
                Some(own) => return own.set(edit, value),
                None => set_after(edit, Component::Query, value, b'?')?,
            },
            Access::Hash => set_after(edit, Component::Fragment, value, b'#')?,
            Access::Pair => {
                let name = data(self.parameter().unwrap_or_default().as_bytes());
                if edit.replace_pairs(name.clone(), Some(value.clone()))? == 0 {
                    edit.append_pair(name, value)?;
                }
                edit
            }
            _ => return Err(BuildError::NoComponent { edition: edit.edition() }.into()),
        };
        Ok(())
    }

    /// Removes it with its delimiter; what is not there is no error.
    pub(crate) fn remove(self, edit: &mut Edit<'_>) -> Result<(), Refused> {
        let userinfo = edit.component(Component::Userinfo).unwrap_or_default().into_owned();
        let access = match self {
            Self::OfScheme(own) => return own.remove(edit),
            Self::Part(selection) => selection.part().access(),
        };
        match access {
            Access::Component(part) => edit.remove(part)?,
            Access::Protocol => edit.remove(Component::Scheme)?,
            // The password stays.
            Access::User => match userinfo.find(':') {
                Some(colon) => edit.set(Component::Userinfo, Value::Encoded(&userinfo[colon..]))?,
                None => edit.remove(Component::Userinfo)?,
            },
            Access::Password => edit.set_password(None)?,
            Access::Options => match userinfo_options(&userinfo) {
                Some(found) if found == (1..userinfo.len()) => edit.remove(Component::Userinfo)?,
                Some(found) => {
                    let left = [&userinfo[..found.start - 1], &userinfo[found.end..]].concat();
                    edit.set(Component::Userinfo, Value::Encoded(&left))?
                }
                None => edit,
            },
            Access::ZoneId => match edit.component(Component::Host).as_deref().and_then(address) {
                Some(address) => {
                    let host = format!("[{address}]");
                    edit.set(Component::Host, Value::Encoded(&host))?
                }
                None => edit,
            },
            Access::Segment => match self.nth().among(edit.segments().count()) {
                Some(index) => edit.remove_segment(index)?,
                None => edit,
            },
            Access::Search => match search_of(edit) {
                Some(own) => return own.remove(edit),
                None => edit.remove(Component::Query)?,
            },
            Access::Hash => edit.remove(Component::Fragment)?,
            Access::Pair => {
                // No pair has a name that the charset does not contain.
                if let Some(name) =
                    in_charset(self.parameter().unwrap_or_default().as_bytes(), edit.edition())
                {
                    edit.retain_pairs(|pair| pair.name_bytes() != name);
                }
                edit
            }
            _ => return Err(BuildError::NoComponent { edition: edit.edition() }.into()),
        };
        Ok(())
    }
}

/// What its scheme calls a search, where that is a part of its own.
fn search_of(edit: &Edit<'_>) -> Option<SchemePart> {
    SchemePart::of_scheme("search", edit.component(Component::Scheme).as_deref(), edit.edition())
}

/// Returns the address between brackets, without the zone.
fn address(host: &str) -> Option<&str> {
    let inside = host.strip_prefix('[')?.strip_suffix(']')?;
    Some(inside.split_once('%').map_or(inside, |(address, _)| address))
}

/// Sets the authority. Data is divided first: at the last "@", the first ":" before it and the last
/// ":" after it.
fn set_authority(edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), Refused> {
    if !value.is_decoded() {
        edit.set(Component::Authority, value)?;
        return Ok(());
    }
    let octets = value.as_bytes();
    let at = octets.iter().rposition(|&octet| octet == b'@');
    let (userinfo, login) = at.map_or((None, octets), |at| (Some(&octets[..at]), &octets[at + 1..]));
    let (host, port) = host_and_port(login);
    let start = at.map_or(0, |at| at + 1);
    edit.remove(Component::Authority)?
        .set(Component::Host, data(host))
        .map_err(|error| after(start, error))?;
    if let Some(userinfo) = userinfo {
        let colon = userinfo.iter().position(|&octet| octet == b':');
        edit.set_user(data(&userinfo[..colon.unwrap_or(userinfo.len())]))?;
        if let Some(colon) = colon {
            edit.set_password(data(&userinfo[colon + 1..])).map_err(|error| after(colon + 1, error))?;
        }
    }
    let Some(port) = port else { return Ok(()) };
    set_port(edit, data(port)).map_err(|refused| match refused {
        Refused::Build(error) => after(start + host.len() + 1, error).into(),
        refused => refused,
    })
}

/// Returns the error of a piece of a value, whose positions are in the value: after these octets.
pub(crate) fn after(octets: usize, error: BuildError) -> BuildError {
    error.moved_by(isize::try_from(octets).unwrap_or(isize::MAX))
}

/// Returns the error of a value that was written after these octets, whose positions are in the
/// value.
fn without(octets: usize, error: BuildError) -> BuildError {
    error.moved_by(isize::try_from(octets).map_or(isize::MIN, isize::wrapping_neg))
}

/// An address in brackets, or a text with several ":" that lacks them, has no port in it.
fn host_and_port(login: &[u8]) -> (&[u8], Option<&[u8]>) {
    let start = login.iter().rposition(|&octet| octet == b']').map_or(0, |end| end + 1);
    let mut colons = (start..login.len()).filter(|&at| login[at] == b':');
    match (colons.next(), colons.next()) {
        (Some(colon), None) => (&login[..colon], Some(&login[colon + 1..])),
        _ => (login, None),
    }
}

/// "A TCP port is 16 bits" (RFC 9293, 3.1). The grammars allow more, and what is written as it is
/// may have it.
fn set_port(edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), Refused> {
    if value.is_decoded() {
        let octets = value.as_bytes();
        let digits = octets.iter().skip_while(|&&octet| octet == b'0');
        let too_large = octets.iter().all(u8::is_ascii_digit)
            && (digits.clone().count() > 5
                || digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0')) > 65_535);
        if too_large {
            return Err(Refused::PortTooLarge);
        }
    }
    edit.set(Component::Port, value)?;
    Ok(())
}

fn set_segment(edit: &mut Edit<'_>, nth: Nth, value: Value<'_>) -> Result<(), Refused> {
    let count = edit.segments().count();
    // If the segment does not exist, the value is validated anyway.
    match edit.replace_segment(nth.among(count).unwrap_or(count), value) {
        Ok(_) => Ok(()),
        Err(BuildError::NoSegment { edition, .. }) => Err(Refused::NoSegment { nth, count, edition }),
        Err(error) => Err(error.into()),
    }
}

/// "IPv6addrz = IPv6address "%25" ZoneID" (RFC 6874, 2).
fn set_zone(edit: &mut Edit<'_>, value: Value<'_>) -> Result<(), Refused> {
    if !edit.edition().defines_zones() {
        return Err(Refused::NoZones(edit.edition()));
    }
    let edition = edit.edition();
    let host = edit
        .component(Component::Host)
        .ok_or(BuildError::NoAuthority { component: Component::Host, edition })?;
    let address = address(&host).ok_or(Refused::NoAddress)?;
    let zone = escaped(value, edition, Component::Host, edition::RFC3986.unreserved())?;
    let before = format!("[{address}%25");
    let host = format!("{before}{zone}]");
    edit.set(Component::Host, Value::Encoded(&host)).map_err(|error| without(before.len(), error))?;
    Ok(())
}

fn set_options<'e, 'a>(edit: &'e mut Edit<'a>, value: Value<'_>) -> Result<&'e mut Edit<'a>, BuildError> {
    let userinfo = edit.component(Component::Userinfo).unwrap_or_default();
    let keep = edit.edition().set(Component::Userinfo).difference(AsciiSet::of(b":;@?/#"));
    let given = escaped(value, edit.edition(), Component::Userinfo, keep)?;
    let (before, after) = match userinfo_options(&userinfo) {
        Some(found) => (&userinfo[..found.start - 1], &userinfo[found.end..]),
        None => (&*userinfo, ""),
    };
    let (text, added) = (format!("{before};{given}{after}"), before.len() + 1);
    edit.set(Component::Userinfo, Value::Encoded(&text)).map_err(|error| without(added, error))
}

fn escaped(
    value: Value<'_>,
    edition: &'static Edition,
    part: Component,
    keep: AsciiSet,
) -> Result<String, BuildError> {
    match value {
        Value::Encoded(text) => Ok(text.to_owned()),
        _ => Ok(PctString::encode(&value.encoded(edition, part)?, keep).into_string()),
    }
}

/// Sets a component to a value that may begin with its delimiter.
fn set_after<'e, 'a>(
    edit: &'e mut Edit<'a>,
    part: Component,
    value: Value<'_>,
    delimiter: u8,
) -> Result<&'e mut Edit<'a>, BuildError> {
    let given = value.as_bytes().len();
    let rest = without_first(value, delimiter);
    let removed = given - rest.as_bytes().len();
    edit.set(part, rest).map_err(|error| after(removed, error))
}

fn without_first(value: Value<'_>, delimiter: u8) -> Value<'_> {
    match value {
        Value::Decoded(octets) => Value::Decoded(octets.strip_prefix(&[delimiter]).unwrap_or(octets)),
        Value::Text(text) => Value::Text(text.strip_prefix(char::from(delimiter)).unwrap_or(text)),
        Value::Encoded(text) => Value::Encoded(text.strip_prefix(char::from(delimiter)).unwrap_or(text)),
        // Arguments are borrowed, and say what they are.
        other => other,
    }
}

fn without_last(value: Value<'_>, delimiter: u8) -> Value<'_> {
    match value {
        Value::Decoded(octets) => Value::Decoded(octets.strip_suffix(&[delimiter]).unwrap_or(octets)),
        Value::Text(text) => Value::Text(text.strip_suffix(char::from(delimiter)).unwrap_or(text)),
        Value::Encoded(text) => Value::Encoded(text.strip_suffix(char::from(delimiter)).unwrap_or(text)),
        other => other,
    }
}
