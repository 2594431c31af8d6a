//! The JSON object of a finding of `audit`: the same keys in the same order for all verbs.

use std::ops::Range;

use locator_audit::Finding;
use serde::{Serialize, Serializer};

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
}

/// The findings of a text that is shown as it is, each made an object when it is written.
pub(crate) struct FindingObjects<'a>(&'a [Finding]);

impl<'a> FindingObjects<'a> {
    /// Those of a list; `None` without findings.
    pub(crate) fn of(findings: &'a [Finding]) -> Option<Self> {
        (!findings.is_empty()).then_some(Self(findings))
    }
}

impl Serialize for FindingObjects<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            self.0.iter().map(|finding| FindingObject::new(finding, finding.span(), finding.message())),
        )
    }
}
