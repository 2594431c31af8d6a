//! Warnings for references that are valid but probably not intended.

use std::sync::LazyLock;

use locator::audit::{Auditor, Finding, Severity};
use locator::plan::{PlanError, SyntaxError};
use locator::{Component, Span, UriRef, scheme};

use crate::hint;

/// A warning for a valid reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Warning {
    /// Its name in JSON.
    pub(crate) kind: &'static str,
    /// The component that it is about.
    pub(crate) part: Component,
    /// The octets.
    pub(crate) span: Span,
    /// The sentence.
    pub(crate) message: String,
    /// Document and section.
    pub(crate) see: Option<String>,
}

/// Returns the warnings for a reference; `is_located` if a location before the URL has been
/// removed.
pub(crate) fn warnings(reference: UriRef<'_>, is_located: bool) -> Vec<Warning> {
    let octets = reference.as_str().as_bytes();
    if !is_located && hint::has_place(octets) {
        return vec![place(reference)];
    }
    if hint::has_prefix(octets) && reference.component(Component::Prefix).is_none() {
        return vec![prefix(reference)];
    }
    let findings = AUDITOR.edition(reference.edition()).audit(reference.as_str());
    let form = form(reference).or_else(|| host(reference));
    findings.iter().map(of_finding).chain(form).chain(direction(reference)).collect()
}

/// Looks for the findings of `audit` that are warnings, too.
static AUDITOR: LazyLock<Auditor> =
    LazyLock::new(|| Auditor::new().least(Severity::Info).only(&[NEAR_SCHEME, PASSWORD, PORT]));

/// Returns a finding of `audit` that is a warning, too.
fn of_finding(finding: &Finding) -> Warning {
    let (code, span) = (finding.code(), finding.span());
    // A reference is no longer than 4 GiB.
    let [start, end] = [span.start, span.end].map(|at| at as u32);
    Warning {
        kind: if code.name() == PORT { "port" } else { code.name() },
        part: finding.component(),
        span: Span { start, end },
        message: finding.message().to_owned(),
        see: Some(code.citation().to_owned()),
    }
}

/// The kind of a warning for a scheme with a name similar to a registered one.
pub(crate) const NEAR_SCHEME: &str = "near-scheme";

/// The kind of a warning for a password.
pub(crate) const PASSWORD: &str = "password";

/// The code of a port above 65535.
const PORT: &str = "port-too-large";

/// The kind of a warning for a location before a URL, as 'locator find' prints it.
pub(crate) const PLACE: &str = "place";

/// The file name of a location is read as a scheme.
fn place(reference: UriRef<'_>) -> Warning {
    let message = "the location printed by 'locator find' is read as the scheme; use --places".to_owned();
    Warning {
        kind: PLACE,
        part: Component::Scheme,
        span: span(reference, Component::Scheme),
        message,
        see: None,
    }
}

fn prefix(reference: UriRef<'_>) -> Warning {
    let message = "\"URL:\" is a marker for URLs in text, not a scheme; remove it".to_owned();
    let see = Some("RFC 3986, appendix C".to_owned());
    Warning {
        kind: "prefix",
        part: Component::Scheme,
        span: span(reference, Component::Scheme),
        message,
        see,
    }
}

/// An empty host where the scheme requires one: `http:///x`.
fn host(reference: UriRef<'_>) -> Option<Warning> {
    let form = scheme::lookup(reference.component(Component::Scheme)?)?.form();
    let is_missing = reference.authority()?.host().as_str().is_empty() && has_host(form.text);
    let message = format!("the host is missing; the expected form is {}", form.text);
    let (span, see) = (span(reference, Component::Host), Some(form.citation.to_owned()));
    is_missing.then_some(Warning { kind: "no-host", part: Component::Host, span, message, see })
}

/// Returns whether a form requires a host: `ftp://[user[:password]@]host[:port]/…`.
fn has_host(form: &str) -> bool {
    let Some((_, mut rest)) = form.split_once("://") else { return false };
    let mut depth = 0;
    while let Some(c) = rest.chars().next().filter(|&c| depth > 0 || c == '[') {
        depth = match c {
            '[' => depth + 1,
            ']' => depth - 1,
            _ => depth,
        };
        rest = &rest[c.len_utf8()..];
    }
    rest.starts_with("host")
}

/// A URL of a known scheme that does not have the scheme's form: `http:a`.
fn form(reference: UriRef<'_>) -> Option<Warning> {
    let error @ (SyntaxError::Form { .. } | SyntaxError::Rule(_)) = scheme::fields(reference)?.err()? else {
        return None;
    };
    let error = PlanError::from(error);
    let span = error.span().map(Span::from).unwrap_or_default();
    let see = error.citation().map(|see| see.to_string());
    Some(Warning {
        kind: "form",
        part: Component::Reference,
        span,
        message: error.message().to_string(),
        see,
    })
}

/// A bidirectional formatting character. The grammar of RFC 3987 allows these characters, section
/// 4.1 forbids them.
fn direction(reference: UriRef<'_>) -> Option<Warning> {
    let (at, c) = reference.as_str().char_indices().find(|&(_, c)| turns(c))?;
    let code = u32::from(c);
    let message = format!(
        "U+{code:04X} is a bidirectional formatting character, not allowed in an IRI; percent-encode it"
    );
    let span = Span { start: at as u32, end: (at + c.len_utf8()) as u32 };
    let see = Some("RFC 3987, 4.1".to_owned());
    Some(Warning { kind: "direction", part: part_at(reference, span.start), span, message, see })
}

/// "IRIs MUST NOT contain bidirectional formatting characters (LRM, RLM, LRE, RLE, LRO, RLO, and
/// PDF)".
fn turns(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}')
}

/// Returns the smallest component that contains an offset.
fn part_at(reference: UriRef<'_>, at: u32) -> Component {
    let has = |part: &Component| span(reference, *part).range().contains(&(at as usize));
    Component::ALL.into_iter().rfind(has).unwrap_or(Component::Reference)
}

fn span(reference: UriRef<'_>, part: Component) -> Span {
    reference.span(part).map(Span::from).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_demands_a_host_outside_of_brackets() {
        let demands = ["http", "https", "ftp", "gopher", "telnet", "nntp", "wais", "prospero", "ws"];
        for name in demands {
            assert!(has_host(scheme::lookup(name).expect("it is known").form().text), "{name}");
        }
        for name in ["file", "news", "mailto", "data", "urn", "mid"] {
            assert!(!has_host(scheme::lookup(name).expect("it is known").form().text), "{name}");
        }
    }
}
