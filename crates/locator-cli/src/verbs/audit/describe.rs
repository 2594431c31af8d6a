//! What `audit` can find: the list of codes, and a screen about one of them.

use std::io::{self, Write};

use anstyle::Style;
use locator::{Redacted, Uri};
use locator_audit::{self as audit, Auditor, Code, Contact, Policy, Protected, Severity};

use super::json;
use crate::output::Output;
use crate::output::paragraph;
use crate::report::excerpt::{self, Excerpt};
use crate::report::findings::style;
use crate::terminal::paint::{FAINT, STRONG};

/// Lists every code, those of the greatest severity first.
pub(super) fn list(out: &mut Output, as_json: bool) -> io::Result<()> {
    let mut codes: Vec<_> = audit::codes().collect();
    codes.sort_by_key(|code| (std::cmp::Reverse(code.severity()), code.name()));
    if as_json {
        return codes.iter().try_for_each(|code| json::write_code(out, code));
    }
    let width = codes.iter().map(|code| code.name().len()).max().unwrap_or(0);
    let paint = out.paint;
    for code in codes {
        let severity = paint.with(style(code.severity()), format!("{:6}", code.severity().name()));
        let name = paint.with(STRONG, format!("{:width$}", code.name()));
        write!(out, "{severity}  {name}  ")?;
        // In a narrow terminal the title is below.
        let is_narrow = out.is_terminal && out.columns < 2 * width;
        let column = if is_narrow { 8 } else { width + 10 };
        if is_narrow {
            write!(out, "\n{:column$}", "")?;
        }
        paragraph::flow(out, column, column, Style::new(), code.title())?;
    }
    writeln!(out, "\n{} describes one of them", paint.with(STRONG, "locator audit --explain CODE"))
}

/// Describes a code.
pub(super) fn explain(out: &mut Output, code: &Code, as_json: bool) -> io::Result<()> {
    if as_json {
        return json::write_code(out, code);
    }
    let paint = out.paint;
    paragraph::short(out, 0, STRONG, &format!("{}:", code.name()), [" ", code.title()])?;
    writeln!(out)?;
    let severity = paint.with(style(code.severity()), code.severity());
    writeln!(out, "  severity   {severity}")?;
    writeln!(out, "  precision  {}", code.precision().name())?;
    writeln!(out, "  see        {}\n", code.citation())?;
    for paragraph in code.explanation().split("\n\n") {
        paragraph::write(out, "  ", paragraph.split_whitespace())?;
        writeln!(out)?;
    }
    writeln!(out, "{}", paint.with(FAINT, "What to do:"))?;
    paragraph::write(out, "  ", code.advice().split_whitespace())?;
    writeln!(out, "\n{}", paint.with(FAINT, "Example:"))?;
    let mut protected = Protected::new();
    // The name that the example of `imitates-protected-name` imitates.
    let _ = protected.add("example.com");
    let auditor = Auditor::new().least(Severity::Info).protect(&protected);
    // Some codes are only for texts with a base.
    let base = Uri::parse("https://base.example/").ok().and_then(Contact::from_uri);
    let auditor = base.as_ref().map_or(auditor, |base| auditor.base(base));
    // The example of what a policy refuses is for this one.
    let findings = Policy::public_web().audit(&auditor, code.example());
    let example = Redacted::exact(code.example());
    let found = findings.iter().find(|finding| finding.code() == code);
    let span = found.map_or(0..0, |finding| finding.span());
    let style = style(code.severity());
    let note_style = Style::new();
    excerpt::write(out, &Excerpt { text: &example, range: span, style, others: &[], note: "", note_style })
}
