//! Hosts that resemble others: takes the labels of a host, and reports names that imitate one that is protected, or the
//! name of a company on the built-in list (UTS 39, 4).
//!
//! What resembles what is in `protected.rs`, the list in `domain/brands.rs`.

use super::check::{Check, Excerpt, Subject};
use crate::domain::labels::{labels, may_have_letters_beyond_ascii};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use crate::plain::ordinary::Signs;
use crate::protected::{Imitation, Likeness, imitated_brand};
use locator::Component;

pub(super) static CHECK: Check = Check { codes: &[&IMITATION, &ELSEWHERE, &MENTION], run };

static IMITATION: Code = Code {
    name: "imitates-protected-name",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "the host resembles a name that is protected, or contains it, but it is another host",
    advice: "do not enter a password there; compare the host letter by letter",
    citation: "UTS 39, 4; RFC 3986, 7.6",
    explanation: "Names are compared by how they look. Letters of another script or with marks are medium (p\u{430}ypal and \
        p\u{E1}ypal for paypal), and so is the whole name before another domain (paypal.com.evil.example). Digits and pairs \
        of letters (paypa1, rnicrosoft), and one letter that is missing, added or other in a name of six letters or more, \
        are low: they are often typing errors.\n\n\
        The names are those of `--protect FILE`; a protected name and its subdomains are never reported. Letters of \
        another script are also compared with a built-in list of companies that are imitated often, with `--brands` \
        everything else, too. A host that resembles a name need not be meant to deceive.",
    example: "https://www.examp1e.com/",
};

static ELSEWHERE: Code = Code {
    name: "protected-name-elsewhere",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "the host has a protected name under another top-level domain",
    advice: "add the host to the list of your names if it is yours; else check whose it is",
    citation: "RFC 3986, 7.6; RFC 1591, 4",
    explanation: "Anybody may register the name of another under a top-level domain that its owner has left out, or take \
        it in a domain that gives names away, such as github.io. Many owners have their name in several countries: list \
        every domain that is yours in the file of `--protect`.",
    example: "https://www.example.net/",
};

static MENTION: Code = Code {
    name: "mentions-protected-name",
    severity: Severity::Info,
    precision: Precision::Low,
    title: "the host or the path contains a protected name, and the host is not in its domain",
    advice: "compare the last labels of the host with the name; the owner of the domain may be a dealer or a fan",
    citation: "RFC 3986, 7.6",
    explanation: "People read a name that they know, and not the domain that it is in: paypal-login.example, \
        login.paypal.verify.example. Together with a word such as \"login\", \"secure\", \"verify\" or \"support\" in the \
        host this is medium, without one it is only worth a note, because dealers, forums and articles use names rightly.",
    example: "https://example-login.host.test/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let is_asked = subject.protected.is_some() || subject.signs.has_any(Signs::LETTERS);
    if !is_asked || subject.least > Severity::Medium {
        return;
    }
    let Some(Excerpt { text: host, start }) =
        subject.dialled_host().filter(|host| !host.text.starts_with('['))
    else {
        return;
    };
    let imitation = subject.protected.and_then(|protected| protected.find(labels(host), subject.least));
    let of_brand = || may_have_letters_beyond_ascii(host).then(|| imitated_brand(host)).flatten();
    let found = match imitation {
        Some(imitation) if imitation.likeness.severity() >= Severity::Medium => Some(imitation),
        imitation => of_brand().or(imitation),
    };
    if let Some(found) = found {
        findings.push(finding_of(&found, start));
    }
    let are_notes_asked = subject.least == Severity::Info;
    if let (Some(protected), Some(path), Some(span)) = (
        subject.protected.filter(|_| are_notes_asked),
        subject.get(Component::Path),
        subject.span(Component::Path),
    ) && !protected.owns(labels(host))
        && let Some(mention) = protected.word_in_path(path)
    {
        let span = mention.span.start + span.start..mention.span.end + span.start;
        findings.push(Finding::new(&MENTION, Component::Path, span).saying(mention.message()));
    }
}

fn finding_of(found: &Imitation<'_>, start: usize) -> Finding {
    let code = match found.likeness {
        Likeness::OtherSuffix => &ELSEWHERE,
        Likeness::Word | Likeness::WordWithLure(_) => &MENTION,
        _ => &IMITATION,
    };
    let span = found.span.start + start..found.span.end + start;
    Finding::new(code, Component::Host, span).severe(found.likeness.severity()).saying(found.message())
}
