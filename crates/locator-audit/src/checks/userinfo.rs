//! Userinfo: a user that looks like a host, and passwords.

use alloc::format;

use super::check::{Check, Excerpt, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::tokens::is_placeholder;
use crate::schemes::Fetched;
use locator::{AddressReader, Component};
use locator_whatwg::Url;

pub(super) static CHECK: Check = Check { codes: &[&LIKE_HOST, &PASSWORD], run };

static LIKE_HOST: Code = Code {
    name: "userinfo-like-host",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the text before \"@\" looks like a host, but it is a user",
    advice: "remove the userinfo, or check the host after the last \"@\"",
    citation: "RFC 3986, 7.6",
    explanation: "A person reads the first name in a URL as the host. In \
        http://www.example.com&story=breaking_news@10.0.0.1/ it is a user, and 10.0.0.1 is contacted.",
    example: "http://www.example.com&story=breaking_news@10.0.0.1/top_story.htm",
};

static PASSWORD: Code = Code {
    name: "password",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "the URL contains a password",
    advice: "remove the password; let the program ask for it, or read it from a file such as .netrc",
    citation: "RFC 3986, 7.5",
    explanation: "URLs are stored in histories, logs and bookmarks, and shown on screens, and a password in one \
        with them. RFC 3986, 3.2.1, deprecates \"user:password\".",
    example: "ftp://anna:secret@ftp.example/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    if let Some(login) = login_in_path(subject) {
        report_password(&login, Component::Path, findings);
    }
    let Some(span) = subject.span(Component::Userinfo) else { return };
    let Some(userinfo) = subject.get(Component::Userinfo) else { return };
    let user = userinfo.split_once(':').map_or(userinfo, |(user, _)| user);
    // With a second "@" the URL is not valid, and programs do not end the userinfo at the same place.
    let authority = subject.span(Component::Authority).unwrap_or_default();
    let end =
        subject.get(Component::Authority).and_then(|text| text.rfind('@')).map(|at| authority.start + at);
    let end = end.unwrap_or(span.end).max(span.end);
    let between = subject.text.get(span.end..end).unwrap_or_default();
    if looks_like_host(user) || between.split(['@', ':']).any(looks_like_host) {
        let finding = Finding::new(&LIKE_HOST, Component::Userinfo, span.start..end);
        let host = subject.get(Component::Host).filter(|host| !host.is_empty() && end == span.end);
        // The user may be a secret, so it is not quoted.
        findings.push(match host {
            Some(host) => finding.saying(format!(
                "the text before \"@\" looks like a host, but it is a user; the host is {host}"
            )),
            None => finding,
        });
    }
    let password = userinfo.get(user.len() + 1..).unwrap_or_default();
    let password = Excerpt { text: password, start: span.start + user.len() + 1 };
    report_password(&Login { user, password }, Component::Userinfo, findings);
}

/// A user and a password, as they are written in a URL.
struct Login<'a> {
    user: &'a str,
    password: Excerpt<'a>,
}

/// Reports the password of a login in a component.
fn report_password(login: &Login<'_>, component: Component, findings: &mut Findings) {
    let Login { user, password: Excerpt { text: password, start } } = *login;
    // The password of anonymous FTP is "intended to be public" (RFC 3986, 7.5).
    if password.is_empty() || user.eq_ignore_ascii_case("anonymous") {
        return;
    }
    let finding = Finding::new(&PASSWORD, component, start..start + password.len());
    let is_example = EXAMPLES.contains(&password) || is_placeholder(password);
    findings.push(if is_example { finding.severe(Severity::Info) } else { finding });
}

/// Returns the login where the edition finds no host, but browsers and curl do: they supply the slashes that are
/// missing, and skip those that are too many.
fn login_in_path<'a>(subject: &Subject<'a>) -> Option<Login<'a>> {
    let has_host = subject.get(Component::Authority).is_some_and(|authority| !authority.is_empty());
    if has_host || !Fetched::SPECIAL.contains(&subject.scheme().to_ascii_lowercase()) {
        return None;
    }
    let path = subject.span(Component::Path)?;
    let rest = subject.text.get(path.start..)?;
    let authority = rest.trim_start_matches(['/', '\\']);
    let start = path.start + (rest.len() - authority.len());
    let end = authority.find(['/', '\\', '?', '#']).unwrap_or(authority.len());
    let (userinfo, _) = authority[..end].rsplit_once('@')?;
    let (user, password) = userinfo.split_once(':')?;
    Url::parse(subject.text).ok()?.password()?;
    Some(Login { user, password: Excerpt { text: password, start: start + user.len() + 1 } })
}

/// Returns whether the user begins with a name that has a dot, as hosts have, and that continues like a
/// host or a URL: `www.example.com`, `good.example&x=y`. The user of an address, `anna.m`, is not one.
fn looks_like_host(user: &str) -> bool {
    let name =
        user.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-'))).next().unwrap_or_default();
    let last = name.trim_end_matches('.').rsplit_once('.').map(|(_, last)| last);
    let known = |last: &str| last.len() >= 2 && last.chars().all(char::is_alphabetic);
    last.is_some_and(known)
        && (name.len() < user.len() || name.starts_with("www.") || name.split('.').count() > 2)
        || last.is_some_and(|last| KNOWN.contains(&last))
        || AddressReader::Strict.read(name).is_some()
}

/// Passwords of examples.
const EXAMPLES: [&str; 6] = ["pass", "password", "passwd", "pwd", "pw", "secret-password"];

/// Top-level domains that are seldom the end of a user's name.
const KNOWN: [&str; 23] = [
    "com", "org", "net", "edu", "gov", "example", "io", "test", "info", "biz", "app", "dev", "xyz", "co",
    "uk", "eu", "de", "fr", "nl", "pl", "ru", "cn", "jp",
];
