//! Credentials: tokens by their known forms, and parameters that hold one.

use super::finding::{Check, Code, Finding, Findings, Precision, Severity};
use super::placeholder::is_placeholder;
use super::subject::Subject;
use crate::span::Component;

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

static TOKEN: Code = Code {
    name: "token",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "a parameter whose name is that of a token or a signature has a value",
    advice: "send tokens in a header field, or let them expire soon",
    citation: "RFC 6750, 5.3",
    explanation: "\"Don't pass bearer tokens in page URLs\": browsers, servers and proxies store URLs.",
    example: "https://host.example/file?access_token=0f8fad5bd9cb469fa165",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let text = subject.text;
    let mut words = 0;
    // A word of letters, digits, "-" and "_" is as long as a token.
    for (start, word) in words_of(text) {
        words += 1;
        if is_credential(word) && !is_placeholder(word) {
            let range = start..start + word.len();
            findings.push(Finding::new(&CREDENTIAL, subject.component_at(start), range));
        }
    }
    if words > 0 {
        hooks(subject, findings);
    }
    for component in [Component::Query, Component::Fragment] {
        parameters(subject, component, findings);
    }
}

/// Returns the words of at least 16 letters, digits, "-", "_" and ".", with where they start.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let mut at = 0;
    let words = text.split(is_end).map(move |word| {
        let start = at;
        // A character that ends a word may be longer than an octet.
        at += word.len() + text[start + word.len()..].chars().next().map_or(0, char::len_utf8);
        (start, word)
    });
    words.filter(|(_, word)| word.len() >= 16)
}

/// The beginnings of credentials, and the least length of what follows. Sources: the services'
/// documentation of their formats.
static FORMS: [(&str, usize); 26] = [
    ("ghp_", 36),
    ("gho_", 36),
    ("ghu_", 36),
    ("ghs_", 36),
    ("ghr_", 36),
    ("github_pat_", 50),
    ("glpat-", 20),
    ("gldt-", 20),
    ("glrt-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xoxr-", 20),
    ("xoxs-", 20),
    ("AIza", 35),
    ("sk_live_", 20),
    ("rk_live_", 20),
    ("whsec_", 20),
    ("npm_", 36),
    ("pypi-", 50),
    ("hf_", 30),
    ("dop_v1_", 60),
    ("shpat_", 32),
    ("sk-ant-", 40),
    ("sk-proj-", 40),
    ("SG.", 40),
];

fn is_credential(word: &str) -> bool {
    FORMS.iter().any(|(start, length)| {
        word.strip_prefix(start)
            .is_some_and(|rest| rest.len() >= *length && rest.bytes().any(|octet| octet.is_ascii_digit()))
    })
}

/// Paths that are credentials themselves: knowing one is enough to write to a channel.
static HOOKS: [(&str, &str, usize); 5] = [
    ("hooks.slack.com", "/services/", 3),
    ("discord.com", "/api/webhooks/", 2),
    ("discordapp.com", "/api/webhooks/", 2),
    ("api.telegram.org", "/bot", 1),
    ("chat.googleapis.com", "/v1/spaces/", 2),
];

fn hooks(subject: &Subject<'_>, findings: &mut Findings) {
    let (Some(host), Some(path)) = (subject.get(Component::Host), subject.get(Component::Path)) else {
        return;
    };
    let hook = HOOKS.iter().find(|(known, start, segments)| {
        let rest = path.strip_prefix(start).filter(|_| host.eq_ignore_ascii_case(known));
        rest.is_some_and(|rest| {
            let parts = rest.split('/').filter(|part| part.len() >= 8);
            parts.clone().count() >= *segments && !parts.clone().any(is_placeholder)
        })
    });
    if hook.is_some()
        && let Some(span) = subject.span(Component::Path)
    {
        findings.push(Finding::new(&CREDENTIAL, Component::Path, span));
    }
}

/// Names of parameters that hold a secret, in lower case.
static NAMES: [&str; 27] = [
    "access_token",
    "accesstoken",
    "api_key",
    "api-key",
    "apikey",
    "api_token",
    "auth_token",
    "authtoken",
    "client_secret",
    "id_token",
    "jwt",
    "oauth_token",
    "passwd",
    "password",
    "private_token",
    "pwd",
    "refresh_token",
    "secret",
    "secret_key",
    "session_token",
    "sessionid",
    "sig",
    "signature",
    "token",
    "x-amz-security-token",
    "x-amz-signature",
    "x-goog-signature",
];

/// Reports parameters whose name says that their value is secret.
fn parameters(subject: &Subject<'_>, component: Component, findings: &mut Findings) {
    let (Some(text), Some(span)) = (subject.get(component), subject.span(component)) else { return };
    let mut at = span.start;
    for pair in text.split(['&', ';']) {
        if let Some((name, value)) = pair.split_once('=')
            && value.len() >= 8
            && NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
            && !is_placeholder(value)
        {
            let start = at + name.len() + 1;
            findings.push(Finding::new(&TOKEN, component, start..start + value.len()));
        }
        at += pair.len() + 1;
    }
}
