//! The results as XML of JUnit: a suite for each document with links, and a case for each link that is
//! reported. A link that does not fail is a case that is skipped.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::super::checked::{CheckedLink, LeftOut};
use crate::output::Output;
use crate::terminal::visible;

/// Writes the beginning.
pub(super) fn begin(out: &mut Output) -> io::Result<()> {
    let mut writer = Writer::new(out);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer.write_event(Event::Text(BytesText::from_escaped("\n")))?;
    let root = BytesStart::new("testsuites").with_attributes([("name", "locator links")]);
    writer.write_event(Event::Start(root))?;
    writer.write_event(Event::Text(BytesText::from_escaped("\n")))
}

/// Writes the end, after a suite with what the documents, or files beside them, leave out.
pub(super) fn end(out: &mut Output, silenced: &LeftOut) -> io::Result<()> {
    let words = silenced.words();
    if !words.is_empty() {
        let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
        let number = words.len().to_string();
        let suite = writer.create_element("testsuite").with_attributes([
            ("name", "left out"),
            ("tests", &*number),
            ("failures", "0"),
            ("skipped", &*number),
        ]);
        suite.write_inner_content(|writer| {
            words.iter().try_for_each(|words| {
                let case = writer.create_element("testcase");
                let case = case.with_attributes([("classname", "left out"), ("name", &*text(words))]);
                case.write_inner_content(|writer| writer.create_element("skipped").write_empty().map(drop))
                    .map(drop)
            })
        })?;
        writer.write_event(Event::Text(BytesText::from_escaped("\n")))?;
    }
    let mut writer = Writer::new(out);
    writer.write_event(Event::End(BytesEnd::new("testsuites")))?;
    writer.write_event(Event::Text(BytesText::from_escaped("\n")))
}

/// Writes the links of a document that are reported.
pub(super) fn page(out: &mut Output, name: &str, judged: &[&CheckedLink<'_>]) -> io::Result<()> {
    let name = &*text(name);
    let failures = judged.iter().filter(|one| one.fails).count();
    let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
    let suite = writer.create_element("testsuite").with_attributes([
        ("name", name),
        ("tests", &judged.len().max(1).to_string()),
        ("failures", &failures.to_string()),
        ("skipped", &(judged.len() - failures).to_string()),
    ]);
    suite.write_inner_content(|writer| match judged {
        [] => {
            let all = writer.create_element("testcase");
            all.with_attributes([("classname", name), ("name", "links")]).write_empty().map(drop)
        }
        judged => judged.iter().try_for_each(|one| case(writer, name, one)),
    })?;
    writer.write_event(Event::Text(BytesText::from_escaped("\n")))
}

fn case(writer: &mut Writer<&mut Output>, name: &str, judged: &CheckedLink<'_>) -> io::Result<()> {
    let (line, column) = (judged.link.line.to_string(), judged.link.column);
    let what = text(&judged.advice());
    let title = format!("{} (line {line}, column {column})", text(&judged.url()));
    let case = writer.create_element("testcase");
    let attributes = [("classname", name), ("name", &title), ("file", name), ("line", &line)];
    case.with_attributes(attributes).write_inner_content(|writer| match judged.fails {
        true => {
            let failure = writer.create_element("failure");
            let attributes = [("type", judged.verdict.code.name()), ("message", &*what)];
            let steps: String = judged.route().iter().map(|step| format!("\n- {}", text(step))).collect();
            let place = format!("{name}:{line}:{column}: {}: {what}{steps}", text(&judged.url()));
            failure.with_attributes(attributes).write_text_content(BytesText::new(&place)).map(drop)
        }
        false => {
            let skipped = writer.create_element("skipped").with_attribute(("message", &*what));
            skipped.write_empty().map(drop)
        }
    })?;
    Ok(())
}

/// Returns a text without characters that XML does not have.
fn text(text: &str) -> String {
    visible(text).to_string().replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}")
}
