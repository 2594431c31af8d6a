//! Hides passwords in text for people. Every message, diagnosis and repeated URL passes through
//! this module; JSON and parts that are requested by name do not.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use locator::{Component, Edition, HostKind, Redacted, UriRef};

use super::visible;

static SHOWN: AtomicBool = AtomicBool::new(false);

/// Decides for the whole run whether passwords are shown.
pub(crate) fn show(shown: bool) {
    SHOWN.store(shown, Ordering::Relaxed);
}

/// Returns whether passwords are shown.
pub(crate) fn are_shown() -> bool {
    SHOWN.load(Ordering::Relaxed)
}

/// The text, with whatever may be a password hidden, and its errors drawn under it.
pub(crate) fn redacted(text: &str) -> Redacted<'_> {
    if are_shown() { Redacted::exact(text) } else { Redacted::new(text) }
}

/// The text of a valid reference, with the password hidden that it has.
pub(crate) fn of(reference: UriRef<'_>) -> Redacted<'_> {
    if are_shown() { Redacted::exact(reference.as_str()) } else { without_password(reference) }
}

/// The text of a URL, valid by an edition or not, with its passwords and these ranges hidden, whether
/// passwords are shown or not.
pub(crate) fn without<'a>(
    text: &'a str,
    edition: &'static Edition,
    ranges: impl Iterator<Item = Range<usize>>,
) -> Redacted<'a> {
    let redacted = UriRef::parse_with(text, edition).map_or_else(|_| Redacted::new(text), without_password);
    redacted.hide(ranges)
}

fn without_password(reference: UriRef<'_>) -> Redacted<'_> {
    let text = reference.as_str();
    if is_registered(reference) {
        return Redacted::new(text);
    }
    let password = reference.authority().and_then(|authority| authority.userinfo()?.password());
    let userinfo = reference.span(Component::Userinfo);
    let password = password.zip(userinfo).map(|(password, userinfo)| {
        let end = userinfo.end;
        end - password.as_str().len()..end
    });
    let authority = reference.span(Component::Authority);
    Redacted::parsed(text, password, authority.map_or(0, |authority| authority.end))
}

/// Whether an authority is the name of another registry, in which nothing is said of passwords.
pub(crate) fn is_registered(reference: UriRef<'_>) -> bool {
    reference.authority().is_some_and(|authority| authority.host().kind() == HostKind::Registry)
}

/// A text in which there may be URLs, with their passwords hidden, in characters that show
/// themselves.
pub(crate) fn masked(text: &str) -> String {
    let shown = redacted(text).to_string();
    visible(&shown).to_string()
}

/// An edit as it may be shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShownEdit {
    pub(crate) text: String,
    /// Whether a password is hidden in it.
    pub(crate) has_secret: bool,
}

/// An edit as it was given, `--set password=x`, with the password hidden.
pub(crate) fn edit(said: &str) -> ShownEdit {
    let public = |text| ShownEdit { text, has_secret: false };
    if are_shown() {
        return public(visible(said).to_string());
    }
    let Some((name, value)) = said.split_once('=') else { return public(masked(said)) };
    let part = name.rsplit(' ').next().unwrap_or(name).trim_end_matches([':', '?']);
    let user = match part {
        "password" => "",
        "userinfo" | "authority" => value.split_once(':').map_or(value, |(user, _)| user),
        _ => return public(masked(said)),
    };
    let rest = &value[user.len()..];
    let (password, after) =
        if part == "authority" { rest.split_at(rest.rfind('@').unwrap_or(0)) } else { (rest, "") };
    if password.trim_start_matches(':').is_empty() {
        return public(visible(said).to_string());
    }
    let colon = if password.starts_with(':') { ":" } else { "" };
    let (name, user, after) = (visible(name), visible(user), visible(after));
    ShownEdit { text: format!("{name}={user}{colon}{}{after}", Redacted::HIDDEN), has_secret: true }
}

/// An error about a password that an edit was given, without the character that it found.
pub(crate) fn error_in_password(error: locator::ParseError) -> locator::ParseError {
    // All of the value is the password, however long it is.
    Redacted::parsed("", Some(0..usize::MAX), 0).error(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_an_edit_is_hidden() {
        for (said, shown, has_secret) in [
            ("--set password=x", "--set password=(hidden)", true),
            ("--set password:=x|", "--set password:=(hidden)", true),
            ("--set password=", "--set password=", false),
            ("--set userinfo=u:p", "--set userinfo=u:(hidden)", true),
            ("--set userinfo=u", "--set userinfo=u", false),
            ("--set authority=u:p@h:80", "--set authority=u:(hidden)@h:80", true),
            ("--set authority=h:80", "--set authority=h:80", false),
            ("--redirect //u:p@h/", "--redirect //u:(hidden)@h/", false),
            ("--set path=a b", "--set path=a b", false),
            ("--sort-query", "--sort-query", false),
        ] {
            assert_eq!(edit(said), ShownEdit { text: shown.to_owned(), has_secret });
        }
    }
}
