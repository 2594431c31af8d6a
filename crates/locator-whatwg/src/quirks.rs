//! The attributes of the class `URL` of JavaScript (URL Standard, "URL class").

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::error::ParseError;
use crate::host::Host;
use crate::machine::State;
use crate::position::Position;
use crate::url::Url;

/// Returns `href`.
#[must_use]
pub fn href(url: &Url) -> &str {
    url.as_str()
}

/// Sets `href`.
///
/// # Errors
///
/// Returns why the value is not a URL.
pub fn set_href(url: &mut Url, value: &str) -> Result<(), ParseError> {
    *url = Url::parse(value)?;
    Ok(())
}

/// Returns `origin`: "null" for one that is opaque.
#[must_use]
pub fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Returns the ASCII form of a domain; empty if it is not valid.
#[must_use]
pub fn domain_to_ascii(domain: &str) -> String {
    match Host::parse(domain) {
        Ok(Host::Domain(domain)) => domain,
        _ => String::new(),
    }
}

/// Returns the Unicode form of a domain; the domain itself where that is not valid, empty if it is no
/// domain.
#[must_use]
pub fn domain_to_unicode(domain: &str) -> String {
    match Host::parse(domain) {
        Ok(Host::Domain(domain)) => crate::host::domain_to_unicode(&domain),
        _ => String::new(),
    }
}

/// Returns `protocol`: the scheme with ":".
#[must_use]
pub fn protocol(url: &Url) -> &str {
    &url.as_str()[..=url.scheme().len()]
}

/// Sets `protocol`.
///
/// # Errors
///
/// Fails if the value is not a scheme. A scheme that the URL cannot have changes nothing.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
pub fn set_protocol(url: &mut Url, value: &str) -> Result<(), ()> {
    url.parse_into(&(value.to_owned() + ":"), State::SchemeStart)
}

/// Returns `username`.
#[must_use]
pub fn username(url: &Url) -> &str {
    url.username()
}

/// Sets `username`.
///
/// # Errors
///
/// Fails if the URL cannot have one.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
pub fn set_username(url: &mut Url, value: &str) -> Result<(), ()> {
    url.set_username(value)
}

/// Returns `password`.
#[must_use]
pub fn password(url: &Url) -> &str {
    url.password().unwrap_or_default()
}

/// Sets `password`.
///
/// # Errors
///
/// Fails if the URL cannot have one.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
pub fn set_password(url: &mut Url, value: &str) -> Result<(), ()> {
    url.set_password(Some(value))
}

/// Returns `host`: with the port.
#[must_use]
pub fn host(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// Sets `host`.
///
/// # Errors
///
/// Fails if the value is not a host, or the URL cannot have one.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
pub fn set_host(url: &mut Url, value: &str) -> Result<(), ()> {
    if url.cannot_be_a_base() { Err(()) } else { url.parse_into(value, State::Host) }
}

/// Returns `hostname`.
#[must_use]
pub fn hostname(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}

/// Sets `hostname`.
///
/// # Errors
///
/// Fails if the value is not a host, or the URL cannot have one.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
pub fn set_hostname(url: &mut Url, value: &str) -> Result<(), ()> {
    if url.cannot_be_a_base() { Err(()) } else { url.parse_into(value, State::Hostname) }
}

/// Returns `port`.
#[must_use]
pub fn port(url: &Url) -> &str {
    &url[Position::BeforePort..Position::AfterPort]
}

/// Sets `port`.
///
/// # Errors
///
/// Fails if the value is not a port, or the URL cannot have one.
#[allow(clippy::result_unit_err, reason = "as the crate `url` has it")]
pub fn set_port(url: &mut Url, value: &str) -> Result<(), ()> {
    let port = url.port();
    // Whether there can be one.
    url.set_port(port)?;
    if value.is_empty() { url.set_port(None) } else { url.parse_into(value, State::Port) }
}

/// Returns `pathname`.
#[must_use]
pub fn pathname(url: &Url) -> &str {
    url.path()
}

/// Sets `pathname`. An opaque path stays as it is.
pub fn set_pathname(url: &mut Url, value: &str) {
    if !url.cannot_be_a_base() {
        url.set_path(value);
    }
}

/// Returns `search`: with "?", or empty.
#[must_use]
pub fn search(url: &Url) -> &str {
    trimmed(&url[Position::AfterPath..Position::AfterQuery])
}

/// Sets `search`.
pub fn set_search(url: &mut Url, value: &str) {
    let query = value.strip_prefix('?').unwrap_or(value);
    url.set_query(Some(query).filter(|_| !value.is_empty()));
}

/// Returns `hash`: with "#", or empty.
#[must_use]
pub fn hash(url: &Url) -> &str {
    trimmed(&url[Position::AfterQuery..])
}

/// Sets `hash`.
pub fn set_hash(url: &mut Url, value: &str) {
    let fragment = value.strip_prefix('#').unwrap_or(value);
    url.set_fragment(Some(fragment).filter(|_| !value.is_empty()));
}

/// Nothing, if there is nothing after the delimiter.
fn trimmed(text: &str) -> &str {
    if text.len() > 1 { text } else { "" }
}
