//! Credentials: tokens by their known forms, webhooks, signed URLs, and parameters that hold a secret.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::check::{Check, Excerpt, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::ordinary::{Signs, is_ordinary};
use crate::plain::tokens::{is_credential, is_jwt, is_placeholder, issuer};
use crate::plain::webhooks;
use crate::presigned::{self, Signature};
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
    explanation: "Slack, Discord, Microsoft Teams, Telegram, Google Chat, Zapier and others accept messages at a URL that \
        contains the credential in its path. Flows of Logic Apps, Zapier, Make and IFTTT are started by it.",
    example: concat!("https://hooks.slack.com/serv", "ices/T0A1B2C3D/B0A1B2C3D/a1b2c3d4e5f6g7h8i9j0k1l2"),
};

static TOKEN: Code = Code {
    name: "token",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "a parameter whose name is that of a password, a token or a signature has a value",
    advice: "send tokens in a header field, or let them expire soon",
    citation: "RFC 6750, 5.3",
    explanation: "\"Don't pass bearer tokens in page URLs\": browsers, servers and proxies store URLs. A JSON Web Token \
        is one wherever it is, and so is the signature of a URL of a storage service: whoever has it can use the URL until \
        its end, which the finding names.",
    example: "https://host.example/file?access_token=0f8fad5bd9cb469fa165",
};

/// Paths that are credentials.
pub(super) static HOOKS: Check = Check { codes: &[&WEBHOOK], run: hooks };

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.signs.has_any(Signs::PERCENT) {
        let Unescaped { text, starts } = Unescaped::new(subject.text);
        for Excerpt { text: word, start } in long_words(&text) {
            if let (Some(from), Some(to)) = (starts.get(start), starts.get(start + word.len())) {
                of_word(word, *from..*to, subject, findings);
            }
        }
    } else if subject.signs.has_any(Signs::CREDENTIAL) {
        for Excerpt { text: word, start } in long_words(subject.text) {
            of_word(word, start..start + word.len(), subject, findings);
        }
    }
    of_scheme(subject, findings);
    let has_user = subject.span(Component::Userinfo).is_some();
    if has_user || subject.signs.has_any(Signs::EQUALS.union(Signs::PERCENT)) {
        signed(subject, findings);
        hidden(subject, findings);
    }
}

/// Reports a word that has the form of a credential or of a JSON Web Token.
fn of_word(word: &str, range: Range<usize>, subject: &Subject<'_>, findings: &mut Findings) {
    let component = subject.component_at(range.start);
    if is_placeholder(word) {
        // Nobody can use it.
    } else if let Some(issuer) = issuer(word) {
        let message = format!("the URL contains a credential of {issuer}, by its form");
        findings.push(Finding::new(&CREDENTIAL, component, range).saying(message));
    } else if is_jwt(word) {
        findings.push(Finding::new(&TOKEN, component, range).saying("the URL contains a JSON Web Token"));
    }
}

/// A text without its escapes, however often they are escaped again.
struct Unescaped {
    text: String,
    /// Where each octet of it is in the text that was given, and the end of that.
    starts: Vec<usize>,
}

impl Unescaped {
    fn new(given: &str) -> Self {
        let octets = given.as_bytes();
        let (mut text, mut starts, mut at) = (String::with_capacity(given.len()), Vec::new(), 0);
        while let Some(&octet) = octets.get(at) {
            starts.push(at);
            let (mut found, mut length) = (octet, 1);
            while found == b'%' {
                let digits = octets.get(at + length..at + length + 2).unwrap_or_default();
                let digit = |i: usize| digits.get(i).and_then(|octet| char::from(*octet).to_digit(16));
                let (Some(high), Some(low)) = (digit(0), digit(1)) else { break };
                found = (high << 4 | low) as u8;
                length += 2;
            }
            // What is beyond ASCII is in no credential.
            text.push(if found.is_ascii() { char::from(found) } else { ' ' });
            at += length;
        }
        starts.push(at);
        Self { text, starts }
    }
}

/// Reports what is secret in URLs of a scheme: the passwords of Oracle's drivers, and the keys of one-time passwords.
fn of_scheme(subject: &Subject<'_>, findings: &mut Findings) {
    let text = subject.text;
    if subject.scheme().eq_ignore_ascii_case("otpauth-migration")
        && let Some(span) = subject.span(Component::Query).filter(|span| !span.is_empty())
    {
        let message = "the URL contains the keys of one-time passwords";
        findings.push(Finding::new(&CREDENTIAL, Component::Query, span).saying(message));
    }
    // "jdbc:oracle:thin:scott/tiger@//h:1521/service" (Oracle's JDBC Developer's Guide, 8.2).
    if subject.scheme().eq_ignore_ascii_case("jdbc")
        && let Some((_, after)) = text.split_once(":thin:").or_else(|| text.split_once(":oci:"))
        && let Some(sign) = after.rfind('@')
        && let Some(slash) = after.get(..sign).and_then(|login| login.find('/'))
        && slash + 1 < sign
    {
        let start = text.len() - after.len();
        let range = start + slash + 1..start + sign;
        let finding = Finding::new(&TOKEN, subject.component_at(range.start), range);
        findings.push(finding.saying("the URL contains the password of a database"));
    }
}

/// Reports the signature of a URL of a storage service, with its end.
fn signed(subject: &Subject<'_>, findings: &mut Findings) {
    let (Some(query), Some(span)) = (subject.get(Component::Query), subject.span(Component::Query)) else {
        return;
    };
    if let Some(Signature { service, span: value, end }) = presigned::signature(query) {
        let message = match end {
            Some(end) => format!("the signature of {service} lets everybody use the URL until {end}"),
            None => format!("the signature of {service} lets everybody use the URL"),
        };
        let range = span.start + value.start..span.start + value.end;
        findings.push(Finding::new(&TOKEN, Component::Query, range).saying(message));
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
    let (Some(host), Some(span)) = (subject.get(Component::Host), subject.span(Component::Path)) else {
        return;
    };
    // Every host with webhooks has a dot, and an ordinary host has none.
    if !host.contains('.') || is_ordinary(host) {
        return;
    }
    // Some have the credential in the query.
    let end = subject.span(Component::Query).map_or(span.end, |query| query.end);
    let Some(path) = subject.text.get(span.start..end) else { return };
    if let Some(webhook) = webhooks::webhook(host, path) {
        let message =
            format!("the URL is that of a webhook of {}: everybody with it can use it", webhook.service);
        let span = if webhook.is_in_query() { span.start..end } else { span };
        findings.push(Finding::new(&WEBHOOK, Component::Path, span).saying(message));
    }
}

/// Reports what is hidden by its name and shape: values of parameters, users that look like a token, and
/// passwords of escaped URLs.
fn hidden(subject: &Subject<'_>, findings: &mut Findings) {
    let known = findings.spans_of(&[&TOKEN]);
    for range in secrets::secrets(subject.text.as_bytes()) {
        // It has a sentence that says more.
        if known.contains(&range) {
            continue;
        }
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
