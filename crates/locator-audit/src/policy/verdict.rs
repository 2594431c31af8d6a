//! What a policy says of a text as findings: their severities, and the refusal as one of them.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use super::Policy;
use super::refusal::{REFUSED, Refusal, RefusalReason};
use crate::Auditor;
use crate::checks::check::Subject;
use crate::finding::{Finding, Findings};
use locator::Component;

impl Policy {
    /// Returns the findings of a text with the severities of this policy, from left to right.
    ///
    /// A finding `refused` is among them if the policy refuses the text.
    ///
    /// ```
    /// use locator_audit::{Auditor, Policy};
    ///
    /// let findings =
    ///     Policy::public_web().audit(&Auditor::new(), "http://www.example.com:8080/");
    /// assert_eq!(findings[0].code().name(), "refused");
    /// assert_eq!(findings[0].span(), 23..27);
    /// assert_eq!(
    ///     findings[0].message(),
    ///     "refused: the policy does not allow the port"
    /// );
    /// ```
    #[must_use]
    pub fn audit(&self, auditor: &Auditor<'_>, text: &str) -> Vec<Finding> {
        let raised = self.looking_for_raised(*auditor);
        if self.is_quiet(&raised, text) {
            return Vec::new();
        }
        let found = raised.audit(text);
        let is_sought = auditor.only.is_none_or(|codes| codes.contains(&REFUSED.name));
        let checked = if !is_sought {
            None
        } else if !self.is_typed && auditor.finds_all_of(self.least) {
            self.check_found(text, self.base(), None, found.clone()).err()
        } else {
            self.check(text).err()
        };
        let findings = self.weighed(found, auditor.least);
        match checked {
            Some(refusal) => {
                let subject = Subject::new(text, auditor.edition, false, auditor.least);
                let mut all = Findings::default();
                findings.into_iter().for_each(|finding| all.push(finding));
                all.push(self.weigh(finding_of(&refusal, &subject)));
                all.sorted(auditor.least)
            }
            None => findings,
        }
    }
}

/// Returns a refusal as a finding, about the component that it is for.
fn finding_of(refusal: &Refusal, subject: &Subject<'_>) -> Finding {
    let (component, span) = place_of(refusal, subject);
    Finding::new(&REFUSED, component, span).saying(format!("refused: {refusal}"))
}

fn place_of(refusal: &Refusal, subject: &Subject<'_>) -> (Component, Range<usize>) {
    let component = match refusal.reason() {
        RefusalReason::Invalid(error) => {
            let span = error.span();
            if subject.text.get(span.clone()).is_some_and(|text| !text.is_empty()) {
                return (error.component(), span);
            }
            Component::Reference
        }
        RefusalReason::Findings => match refusal.findings().first() {
            Some(finding) => return (finding.component(), finding.span()),
            None => Component::Reference,
        },
        RefusalReason::Scheme => Component::Scheme,
        RefusalReason::HostForm | RefusalReason::Host | RefusalReason::Address { .. } => Component::Host,
        RefusalReason::Port => Component::Port,
        RefusalReason::Readers => Component::Authority,
        _ => Component::Reference,
    };
    let is_there = |component: &Component| subject.get(*component).is_some_and(|text| !text.is_empty());
    let component = [component, Component::Authority].into_iter().find(is_there);
    let span = component.and_then(|component| Some((component, subject.span(component)?)));
    span.unwrap_or((Component::Reference, 0..subject.text.len()))
}
