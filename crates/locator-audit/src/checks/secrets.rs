//! Credentials: tokens by their known forms, and parameters that hold one.

use super::check::{Check, Excerpt, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::ordinary::Signs;
use crate::plain::tokens::{PATHS, is_credential, is_placeholder};
use locator::Component;
use locator::internal::secrets;

pub(super) static CHECK: Check = Check { codes: &[&CREDENTIAL, &TOKEN], run };

static CREDENTIAL: Code = Code {
    name: "credential",
    severity: Severity::High,
    precision: Precision::High,
    title: "the URL contains a credential of a service, by its form",
    advice: "revoke the credential: everybody with the URL can use it",
    citation: "RFC 3986, 7.5",
    explanation: "Services give tokens a form by which they are found. In a URL they are stored in histories, logs and \
        the Referer field.",
    example: concat!("https://gh", "p_16C7e42F292c6912E7710c838347Ae178B4a@git.example/a.git"),
};

static WEBHOOK: Code = Code {
    name: "webhook",
    severity: Severity::High,
    precision: Precision::High,
    title: "the URL is that of a webhook: everybody with it can write to the channel",
    advice: "revoke the webhook, and keep its URL secret",
    citation: "RFC 3986, 7.5",
    explanation: "Slack, Discord, Telegram and Google Chat accept messages at a URL that contains the credential in \
        its path.",
    example: concat!("https://hooks.slack.com/serv", "ices/T0A1B2C3D/B0A1B2C3D/a1b2c3d4e5f6g7h8i9j0k1l2"),
};

static TOKEN: Code = Code {
    name: "token",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "a parameter whose name is that of a password, a token or a signature has a value",
    advice: "send tokens in a header field, or let them expire soon",
    citation: "RFC 6750, 5.3",
    explanation: "\"Don't pass bearer tokens in page URLs\": browsers, servers and proxies store URLs.",
    example: "https://host.example/file?access_token=0f8fad5bd9cb469fa165",
};

/// Paths that are credentials.
pub(super) static HOOKS: Check = Check { codes: &[&WEBHOOK], run: hooks };

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.signs.has_any(Signs::CREDENTIAL) {
        for Excerpt { text: word, start } in long_words(subject.text) {
            if is_credential(word) && !is_placeholder(word) {
                let range = start..start + word.len();
                findings.push(Finding::new(&CREDENTIAL, subject.component_at(start), range));
            }
        }
    }
    let has_user = subject.span(Component::Userinfo).is_some();
    if has_user || subject.signs.has_any(Signs::EQUALS.union(Signs::PERCENT)) {
        hidden(subject, findings);
    }
}

/// Returns the words of at least 24 letters, digits, "-", "_" and ".".
fn long_words(text: &str) -> impl Iterator<Item = Excerpt<'_>> {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let mut at = 0;
    let words = text.split(is_end).map(move |word| {
        let start = at;
        // A character that ends a word may be longer than an octet.
        at += word.len() + text[start + word.len()..].chars().next().map_or(0, char::len_utf8);
        Excerpt { text: word, start }
    });
    words.filter(|word| word.text.len() >= 24)
}

fn hooks(subject: &Subject<'_>, findings: &mut Findings) {
    let (Some(host), Some(path)) = (subject.get(Component::Host), subject.get(Component::Path)) else {
        return;
    };
    let hook = PATHS.iter().find(|(known, start, segments)| {
        let rest = path.strip_prefix(start).filter(|_| host.eq_ignore_ascii_case(known));
        rest.is_some_and(|rest| {
            let parts = rest.split('/').filter(|part| part.len() >= 8);
            parts.clone().count() >= *segments && !parts.clone().any(is_placeholder)
        })
    });
    if hook.is_some()
        && let Some(span) = subject.span(Component::Path)
    {
        findings.push(Finding::new(&WEBHOOK, Component::Path, span));
    }
}

/// Reports what is hidden by its name and shape: values of parameters, users that look like a token, and
/// passwords of escaped URLs.
fn hidden(subject: &Subject<'_>, findings: &mut Findings) {
    for range in secrets::secrets(subject.text.as_bytes()) {
        let (before, value) = (subject.text.get(..range.start), subject.text.get(range.clone()));
        let finding = Finding::new(&TOKEN, subject.component_at(range.start), range);
        let finding = match before.and_then(|before| before.as_bytes().last()) {
            // It has its own finding.
            Some(b'/') if value.is_some_and(is_credential) => continue,
            Some(b'/' | b'F' | b'f') => finding.saying("the user looks like a token"),
            Some(b':' | b'A' | b'a') => finding.saying("a URL in the URL contains a password"),
            _ => finding,
        };
        findings.push(if value.is_none_or(is_placeholder) {
            finding.severe(Severity::Info)
        } else {
            finding
        });
    }
}
