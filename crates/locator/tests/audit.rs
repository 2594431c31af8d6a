//! The cases of `testdata/audit`: each code fires where it should, and not on a text near it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use locator::audit::{self, Auditor, Finding, Severity};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

/// A text with its findings, each as `code severity start..end`.
#[derive(Deserialize)]
struct Case {
    title: String,
    input: String,
    /// The least severity that is asked for; without it `low`.
    least: Option<String>,
    #[serde(default)]
    findings: Vec<String>,
}

fn written(finding: &Finding) -> String {
    let span = finding.span();
    format!("{} {} {}..{}", finding.code().name(), finding.severity(), span.start, span.end)
}

impl Case {
    fn audit(&self) -> Vec<Finding> {
        let named = |severity: &Severity| Some(severity.name()) == self.least.as_deref();
        let least = Severity::ALL.into_iter().find(named).unwrap_or(Severity::Low);
        Auditor::new().least(least).audit(&self.input)
    }
}

fn cases() -> Vec<Case> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/audit");
    let mut files = std::fs::read_dir(directory)
        .expect("the cases are there")
        .map(|entry| entry.expect("the directory can be read").path())
        .collect::<Vec<_>>();
    files.sort();
    files
        .into_iter()
        .flat_map(|path| {
            let text = std::fs::read_to_string(&path).expect("a file of cases can be read");
            toml::from_str::<File>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).case
        })
        .collect()
}

#[test]
fn findings_are_as_stated() {
    let mut wrong = Vec::new();
    for case in cases() {
        let found = case.audit().iter().map(written).collect::<Vec<_>>();
        if found != case.findings {
            wrong.push(format!("{}: {}\n  found {found:#?}", case.title, case.input));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_case_and_a_true_example() {
    let stated = cases().into_iter().flat_map(|case| case.findings).collect::<Vec<_>>();
    let mut names = BTreeSet::new();
    for code in audit::codes() {
        let name = code.name();
        assert!(names.insert(name), "{name} is there twice");
        assert!(stated.iter().any(|stated| stated.split(' ').next() == Some(name)), "{name} has no case");
        assert!(
            !code.citation().is_empty() && !code.advice().is_empty() && !code.title().is_empty(),
            "{name}"
        );
        let findings = Auditor::new().least(Severity::Info).audit(code.example());
        assert!(findings.iter().any(|finding| finding.code() == code), "{name}: {}", code.example());
    }
}

#[test]
fn findings_are_within_the_text_and_in_order() {
    for case in cases() {
        let findings = case.audit();
        assert!(findings.is_sorted_by_key(|finding| finding.span().start), "{}", case.input);
        assert!(findings.iter().all(|finding| case.input.get(finding.span()).is_some()), "{}", case.input);
    }
}

/// The first question, whether a URL is plain, has the same answer as all checks: asking for the
/// severity `info` makes them all.
#[test]
fn plain_urls_have_no_findings() {
    for case in cases() {
        let all = Auditor::new().least(Severity::Info).audit(&case.input);
        let shown = all.into_iter().filter(|finding| finding.severity() > Severity::Info).collect::<Vec<_>>();
        assert_eq!(audit::audit(&case.input), shown, "{}", case.input);
    }
}
