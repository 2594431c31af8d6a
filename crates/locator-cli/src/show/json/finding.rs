//! The JSON object of a finding of `audit`: the same keys in the same order for all verbs.

use std::ops::Range;

use locator_audit::Finding;
use serde::Serialize;

/// A finding.
#[derive(Serialize)]
pub(crate) struct FindingObject<'a> {
    code: &'static str,
    severity: &'static str,
    precision: &'static str,
    offset: usize,
    length: usize,
    component: &'static str,
    message: &'a str,
    advice: &'static str,
    see: &'static str,
}

impl<'a> FindingObject<'a> {
    /// The object of a finding at these bytes of the input.
    pub(crate) fn new(finding: &'a Finding, span: Range<usize>, message: &'a str) -> Self {
        let code = finding.code();
        Self {
            code: code.name(),
            severity: finding.severity().name(),
            precision: code.precision().name(),
            offset: span.start,
            length: span.len(),
            component: finding.component().name(),
            message,
            advice: code.advice(),
            see: finding.citation(),
        }
    }

    /// The objects of the findings of a text that is shown as it is; `None` without findings.
    pub(crate) fn all(findings: &'a [Finding]) -> Option<Vec<Self>> {
        let of = |finding: &'a Finding| Self::new(finding, finding.span(), finding.message());
        (!findings.is_empty()).then(|| findings.iter().map(of).collect())
    }
}
