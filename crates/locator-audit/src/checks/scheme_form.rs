//! URLs without the form of their scheme: takes a valid URL of a known scheme, and says which form is
//! expected. [`locator::scheme::check`] asks the rules of an edition; where it has
//! none, the document of the scheme defines the form.

use alloc::format;

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use locator::scheme::SyntaxError;
use locator::{Component, internal, scheme};

pub(super) static CHECK: Check = Check { codes: &[&FORM, &HOST], run };

static FORM: Code = Code {
    name: "scheme-form",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the URL does not have the form of its scheme",
    advice: "check the URL; for http a \"//\" may be missing",
    citation: "RFC 3986, 3",
    explanation: "The generic grammar allows the URL, but not the document of its scheme. Programs refuse it, or \
        supply what is missing in their own way: a browser reads http:host as http://host/.",
    example: "http:/www.example.com/",
};

static HOST: Code = Code {
    name: "missing-host",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "the host is missing",
    advice: "write the host, or remove a \"/\"",
    citation: "RFC 3986, 3.2.2",
    explanation: "URLs of this scheme have a host. Browsers skip a third \"/\" and take the first segment of the \
        path for the host.",
    example: "http:///www.example.com/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let Ok(reference) = subject.parsed else { return };
    if subject.least > Severity::Info {
        return;
    }
    if let Some(error) = internal::form_error(reference) {
        // What breaks the rule of an edition is invalid.
        let SyntaxError::Form { span, form } = error else { return };
        let message = format!("expected the form {}, at byte {}", form.text, span.start);
        findings.push(
            Finding::new(&FORM, Component::Reference, span.range()).saying(message).citing(form.citation),
        );
    } else if let Some(host) = subject.span(Component::Host).filter(|host| host.is_empty())
        && let Some(form) = scheme::lookup(subject.scheme()).map(scheme::Scheme::form)
        && form.has_host()
    {
        let message = format!("{}; the expected form is {}", HOST.title, form.text);
        findings.push(Finding::new(&HOST, Component::Host, host).saying(message).citing(form.citation));
    }
}
