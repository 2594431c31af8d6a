//! Hides passwords, tokens and other credentials in text for people: the findings of `audit` that
//! are secrets. Every message, diagnosis and repeated URL passes through this module; JSON and parts
//! that are requested by name do not.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use locator::{Edition, ParseError, Redacted, UriRef};
use locator_audit::{self as audit, Auditor, Finding};
use locator_web::report::{AllEditions, secrets as report};

use super::visible;
use crate::pasted;

static SHOWN: AtomicBool = AtomicBool::new(false);

/// Decides for the whole run whether secrets are shown.
pub(crate) fn show(shown: bool) {
    SHOWN.store(shown, Ordering::Relaxed);
}

/// Returns whether secrets are shown.
pub(crate) fn are_shown() -> bool {
    SHOWN.load(Ordering::Relaxed)
}

/// Returns a URL, valid or not, with its secrets hidden, for messages.
pub(crate) fn redacted(text: &str) -> Redacted<'_> {
    if are_shown() { Redacted::exact(text) } else { audit::redacted(text) }
}

/// Returns a URL, valid or not, with its secrets and others hidden, for messages.
pub(crate) fn redacted_with<'a>(text: &'a str, others: &[Range<usize>]) -> Redacted<'a> {
    if are_shown() { Redacted::exact(text) } else { redacted(text).hide(others.iter().cloned()) }
}

/// Returns a URL with its secrets hidden whatever is shown, for reports that are stored and compared.
pub(crate) fn hidden<'a>(text: &'a str, edition: &'static Edition) -> Redacted<'a> {
    hidden_by(&Auditor::new().edition(edition).audit(text), text, edition)
}

/// Returns a URL with those secrets hidden, whatever is shown, that are among its findings.
pub(crate) fn hidden_by<'a>(findings: &[Finding], text: &'a str, edition: &'static Edition) -> Redacted<'a> {
    let spans = findings.iter().filter(|finding| finding.code().is_secret()).map(Finding::span);
    report::without(text, edition, spans)
}

/// Returns a valid reference with its secrets hidden, for messages.
pub(crate) fn of_valid(reference: UriRef<'_>) -> Redacted<'_> {
    let text = reference.as_str();
    if are_shown() {
        return Redacted::exact(text);
    }
    reference.redacted().hide(audit::secrets(text).iter().map(Finding::span))
}

/// Returns a URL, valid or not, with whatever may be a secret hidden, for the output of `read`, which shows
/// the rest as it was given.
pub(crate) fn without_secrets(text: &str) -> Redacted<'_> {
    if are_shown() { Redacted::exact(text) } else { report::without_secrets(text) }
}

/// Returns a valid reference with its secrets hidden, for output.
pub(crate) fn of(reference: UriRef<'_>) -> Redacted<'_> {
    let text = reference.as_str();
    if are_shown() { Redacted::exact(text) } else { report::of_reference(reference) }
}

/// Returns a URL with its secrets hidden, and its password wherever an edition sees one.
pub(crate) fn in_every_edition<'a>(text: &'a str, every: &AllEditions<'a>) -> Redacted<'a> {
    if are_shown() { Redacted::exact(text) } else { report::in_every_edition(text, every) }
}

/// Returns a sentence that may quote URLs, with their secrets hidden.
pub(crate) fn sentence(text: &str) -> String {
    if are_shown() {
        return text.to_owned();
    }
    report::sentence(text)
}

/// Returns an argument with the secrets of URLs in it hidden, and the password of a server that is
/// written without "//": `user:password@proxy.example:3128`.
pub(crate) fn argument(text: &str) -> String {
    match login(text).filter(|_| !are_shown()) {
        Some(password) => Redacted::new(text).hide([password]).to_string(),
        None => sentence(text),
    }
}

/// Returns a line of a configuration in characters that show themselves, with its secrets hidden as
/// in arguments.
pub(crate) fn line(text: &str) -> String {
    let text = sentence(text);
    let hide = |text: &str| report::in_words(text, |word| login(word).into_iter().collect());
    visible(&if are_shown() { text } else { hide(&text) }).to_string()
}

/// Returns the password of a server that is written without "//". The name of a scheme is not a user.
fn login(word: &str) -> Option<Range<usize>> {
    let at = word.rfind('@')?;
    let start = word[..at].find(':')? + 1;
    let is_url = word[start..].starts_with("//") || pasted::begins_with_scheme(word.as_bytes());
    (start < at && !is_url).then_some(start..at)
}

/// The same, in characters that show themselves.
pub(crate) fn masked(text: &str) -> String {
    visible(&sentence(text)).to_string()
}

/// An edit as it may be shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShownEdit {
    pub(crate) text: String,
    /// The ranges of the secrets in the value that was given.
    hidden: Vec<Range<usize>>,
}

impl ShownEdit {
    /// Returns an error about a value that an edit was given, without the character that it found if
    /// that is part of a secret.
    pub(crate) fn error(&self, error: ParseError) -> ParseError {
        Redacted::exact("").hide(self.hidden.iter().cloned()).error(error)
    }
}

/// Returns an edit as it was given, `--set password=x`, with its secrets hidden.
pub(crate) fn edit(said: &str) -> ShownEdit {
    let public = |text| ShownEdit { text, hidden: Vec::new() };
    if are_shown() {
        return public(visible(said).to_string());
    }
    let Some((name, value)) = said.split_once('=') else { return public(masked(said)) };
    let part = name.rsplit(' ').next().unwrap_or(name).trim_end_matches([':', '?']);
    let user = match part {
        "password" => "",
        "userinfo" | "authority" => value.split_once(':').map_or(value, |(user, _)| user),
        _ => return edit_of_others(said),
    };
    let rest = &value[user.len()..];
    let (password, after) =
        if part == "authority" { rest.split_at(rest.rfind('@').unwrap_or(0)) } else { (rest, "") };
    if password.trim_start_matches(':').is_empty() {
        return public(visible(said).to_string());
    }
    let colon = if password.starts_with(':') { ":" } else { "" };
    let (shown_name, shown_user, after) = (visible(name), visible(user), visible(after));
    let end = if part == "authority" { user.len() + password.len() } else { usize::MAX };
    let hidden = in_value(said, std::iter::once(user.len() + colon.len()..end), 0);
    ShownEdit { text: format!("{shown_name}={shown_user}{colon}{}{after}", Redacted::HIDDEN), hidden }
}

/// Returns the ranges of secrets in the value of an edit, which begins after this many bytes. The
/// text of an edit that is not UTF-8 has other positions than its value, so all of that is hidden.
fn in_value(said: &str, secrets: impl Iterator<Item = Range<usize>>, start: usize) -> Vec<Range<usize>> {
    let mut moved = secrets.filter(|range| range.end > start);
    if said.contains(char::REPLACEMENT_CHARACTER) {
        return moved.next().map(|_| 0..usize::MAX).into_iter().collect();
    }
    moved.map(|range| range.start.saturating_sub(start)..range.end - start).collect()
}

/// Returns where the value of an edit begins: after `--set PART=`, `--replace` or
/// `--replace-nth N:`.
fn value_start(said: &str) -> usize {
    let before = match said.split(' ').next() {
        Some("--replace" | "--replace-append" | "--qtrim") => ' ',
        Some("--replace-nth") => ':',
        _ => '=',
    };
    said.find(before).map_or(0, |at| at + 1)
}

/// Returns an edit of another part than a password: of a URL or a pair, `--replace token=x`, or of a
/// part that contains pairs, `--set query=token=x`.
fn edit_of_others(said: &str) -> ShownEdit {
    let pairs = said.match_indices([' ', '=', ':']).map(|(at, _)| at + 1).take(PLACES_OF_A_PAIR);
    let mut hidden = Vec::new();
    for start in pairs {
        let query = format!("?{}", &said[start..]);
        let of_query = audit::redacted(&query);
        let shifted = of_query.hidden().iter().filter(|range| range.start > 0);
        hidden.extend(shifted.map(|range| range.start - 1 + start..range.end - 1 + start));
    }
    let whole = Redacted::new(said).hide(hidden);
    let hidden = in_value(said, whole.hidden().iter().cloned(), value_start(said));
    ShownEdit { text: visible(&sentence(&whole.to_string())).to_string(), hidden }
}

/// How many places of an edit are looked at for the start of its pairs: after the option, the number
/// and the part.
const PLACES_OF_A_PAIR: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secrets_of_quoted_urls_are_hidden() {
        for (text, shown) in [
            ("'http://h/?token=0f8fad5b' is wrong", "'http://h/?token=(hidden)' is wrong"),
            ("a http://u:p@h/ b http://u:q@h/", "a http://u:(hidden)@h/ b http://u:(hidden)@h/"),
            ("é \"x:?sig=0f8fad5b\"", "é \"x:?sig=(hidden)\""),
            ("ftp://[user[:password]@]host[:port]", "ftp://[user[:password]@]host[:port]"),
            ("(at http://h/?token=(hidden)); use", "(at http://h/?token=(hidden)); use"),
            ("no URL", "no URL"),
        ] {
            assert_eq!(sentence(text), shown);
        }
    }

    #[test]
    fn the_secrets_of_an_edit_are_hidden_at_their_places_in_the_value() {
        for (said, hidden) in [
            ("--set password=x", Some(0..usize::MAX)),
            ("--set userinfo:=u:p", Some(2..usize::MAX)),
            ("--set authority=u:p@h:port", Some(2..3)),
            ("--set query:=a=b&sig=0f8fad5b&c=d", Some(8..16)),
            ("--append query=sig=0f8fad5b", Some(4..12)),
            ("--replace sig=0f8fad5b", Some(4..12)),
            ("--replace-nth 0:sig=0f8fad5b", Some(4..12)),
            ("--replace sig=0f8fad5b\u{FFFD}", Some(0..usize::MAX)),
            ("--set path=a b", None),
        ] {
            assert_eq!(edit(said).hidden, Vec::from_iter(hidden), "{said}");
        }
    }

    #[test]
    fn the_logins_of_servers_are_hidden() {
        for (text, shown) in [
            ("pu:ppw@p:3128", "pu:(hidden)@p:3128"),
            ("pu:p@p/w@p:3128", "pu:(hidden)@p:3128"),
            ("pu:p w@p:3128", "pu:(hidden)@p:3128"),
            ("http://pu:ppw@p:3128", "http://pu:(hidden)@p:3128"),
            ("http:pu:ppw@p:3128", "http:pu:(hidden)@p:3128"),
            ("mailto:a@b", "mailto:a@b"),
            ("x-a://h/a@b", "x-a://h/a@b"),
            ("pu@p:3128", "pu@p:3128"),
        ] {
            assert_eq!(argument(text), shown);
        }
        for (text, shown) in [
            ("1 | proxy = \"pu:ppw@p:3128\"", "1 | proxy = \"pu:(hidden)@p:3128\""),
            ("2 | a = \"http://u:p@h/\" # a:b", "2 | a = \"http://u:(hidden)@h/\" # a:b"),
        ] {
            assert_eq!(line(text), shown);
        }
    }

    #[test]
    fn the_secrets_of_an_edit_are_hidden() {
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
            ("--replace token=0f8fad5b", "--replace token=(hidden)", true),
            ("--replace-nth 0:token=0f8fad5b", "--replace-nth 0:token=(hidden)", true),
            ("--append query=sig=0f8fad5b", "--append query=sig=(hidden)", true),
            ("--set query:=a=b&sig=0f8fad5b&c=d", "--set query:=a=b&sig=(hidden)&c=d", true),
            ("--set url=http://h/?sig=0f8fad5b", "--set url=http://h/?sig=(hidden)", true),
            ("--set path=http://u:p@h/", "--set path=http://u:(hidden)@h/", true),
        ] {
            let edit = edit(said);
            assert_eq!((&*edit.text, !edit.hidden.is_empty()), (shown, has_secret));
        }
    }
}
