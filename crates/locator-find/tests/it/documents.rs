//! Runs the cases of `testdata/find`: documents and their expected links.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::ops::ControlFlow;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use locator::Edition;
use locator_find::{Anchor, Context, Document, Finder, Format, Label, Link, Location, Sink};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    retrieved: Option<String>,
    edition: Option<String>,
    encoding: Option<String>,
    #[serde(default)]
    json_ld: bool,
    #[serde(default)]
    all: bool,
    document: String,
    links: Vec<Stated>,
    #[serde(default)]
    anchors: Vec<String>,
    #[serde(default)]
    malformed: Vec<String>,
    #[serde(default)]
    references: Vec<String>,
    #[serde(default)]
    labels: Vec<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Stated {
    at: String,
    written: Option<String>,
    url: String,
    r#in: String,
    rel: Option<String>,
    method: Option<String>,
    #[serde(default)]
    refresh: bool,
    #[serde(default)]
    code: bool,
    absolute: Option<String>,
    base: Option<String>,
    escaped: Option<String>,
    part: Option<String>,
    cut: Option<String>,
}

/// The results of a search.
struct Found<'d> {
    octets: &'d [u8],
    encoding: &'static Encoding,
    links: Vec<Stated>,
    anchors: Vec<String>,
    malformed: Vec<String>,
    references: Vec<String>,
    labels: Vec<String>,
}

#[test]
fn every_document_has_the_links_that_are_stated() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/find");
    let (mut count, mut wrong) = (0, Vec::new());
    for format in Format::ALL {
        let Ok(files) = std::fs::read_dir(root.join(format.name())) else {
            continue;
        };
        for path in files.map(|file| file.unwrap().path()) {
            let text = std::fs::read_to_string(&path).unwrap();
            let file: File =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for case in file.case {
                count += 1;
                wrong.extend(
                    run(&case, format).err().map(|why| format!("{}: {}: {why}", path.display(), case.name)),
                );
            }
        }
    }
    assert!(count > 50, "the cases are not whole: {count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn run(case: &Case, format: Format) -> Result<(), String> {
    let encoding = case.encoding.as_ref().map_or(UTF_8, |name| Encoding::for_label(name.as_bytes()).unwrap());
    let octets = &*encode(&case.document, encoding);
    let retrieved = case.retrieved.as_deref().unwrap_or("http://h/d/page");
    let edition = Edition::from_name(case.edition.as_deref().unwrap_or("rfc3986")).unwrap();
    let document = Document::new(format).retrieved_by(retrieved).resolved_by(edition).unwrap();
    let finder = Finder::new().json_ld(case.json_ld).all(case.all);
    let mut once = Found::new(octets, encoding);
    finder.find(&document, &mut &*octets, &mut once).unwrap();
    let mut twice = Found::new(octets, encoding);
    finder.find_seekable(&document, &mut std::io::Cursor::new(octets), &mut twice).unwrap();
    if once.links != twice.links {
        return Err(format!("as a file it has other links: {:#?}", twice.links));
    }
    // Most cases test neither the origin of the base nor invalid characters in references.
    for (found, stated) in once.links.iter_mut().zip(&case.links) {
        found.base.take_if(|_| stated.base.is_none());
        found.escaped.take_if(|_| stated.escaped.is_none());
    }
    let is_same = once.links == case.links && once.anchors == case.anchors;
    let has_same_names = once.references == case.references && once.labels == case.labels;
    match is_same && has_same_names && once.malformed == case.malformed {
        true => Ok(()),
        false => Err(format!(
            "it has {:#?} {:#?} {:#?} {:#?} {:?}",
            once.links, once.anchors, once.references, once.labels, once.malformed
        )),
    }
}

/// Also encodes to encodings for which the Encoding standard defines no encoder.
fn encode(document: &str, encoding: &'static Encoding) -> Vec<u8> {
    match encoding {
        wide if wide == UTF_16LE => document.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        wide if wide == UTF_16BE => document.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        other => other.encode(document).0.into_owned(),
    }
}

impl<'d> Found<'d> {
    fn new(octets: &'d [u8], encoding: &'static Encoding) -> Self {
        let (links, [anchors, malformed, references, labels]) = (Vec::new(), Default::default());
        Self { octets, encoding, links, anchors, malformed, references, labels }
    }

    fn at(&self, place: &Location) -> String {
        let before = &self.octets[..place.span.start as usize];
        let line = before.split(|octet| *octet == b'\n').count();
        let column = before.rsplit(|octet| *octet == b'\n').next().unwrap().len() + 1;
        assert_eq!((place.line, place.column), (line as u64, column as u64));
        format!("{line}:{column}")
    }
}

impl Sink for Found<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let span = link.place().span.start as usize..link.place().span.end as usize;
        assert_eq!(link.written(), &self.octets[span]);
        let written = self.encoding.decode_without_bom_handling(link.written()).0.into_owned();
        let absolute = link.resolved().ok().and_then(|resolved| resolved.into_uri());
        self.links.push(Stated {
            at: self.at(link.place()),
            written: Some(written).filter(|written| written != link.url()),
            url: link.url().into(),
            r#in: name_of(link.context()),
            rel: link.rel().map(Into::into),
            method: link.method().map(|method| method.name().into()),
            refresh: link.is_refresh(),
            code: link.is_code(),
            absolute: absolute.map(|absolute| absolute.as_str().into()),
            base: link.base().map(|base| base.source().name().into()),
            escaped: link.escaped(),
            part: link.part().map(|part| self.at(part)),
            cut: link.cut().map(|cut| cut.name().into()),
        });
        ControlFlow::Continue(())
    }

    fn malformed(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.malformed.push(format!("{} {}", self.at(link.place()), link.url()));
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.anchors.push(format!("{} {}", self.at(&anchor.place), anchor.name));
    }

    fn cross_reference(&mut self, reference: &Link<'_>) -> ControlFlow<()> {
        let context = name_of(reference.context());
        self.references.push(format!("{} {context}: {}", self.at(reference.place()), reference.url()));
        ControlFlow::Continue(())
    }

    fn label(&mut self, label: &Label<'_>) {
        self.labels.push(format!("{} {}: {}", self.at(&label.place), label.kind.name(), label.name));
    }
}

fn name_of(context: Context<'_>) -> String {
    match context {
        Context::Attribute { element, attribute } => format!("{element} {attribute}"),
        Context::Element(element) => element.into(),
        Context::Style => "style".into(),
        Context::Json(member) => format!("json {member}"),
        Context::Markdown => "markdown".into(),
        Context::Field(field) => format!("field {field}"),
        Context::Macro(name) => format!("macro {name}"),
        Context::Line => "line".to_owned(),
        Context::Hyperlink => "hyperlink".to_owned(),
        Context::Directive(name) => format!("directive {name}"),
        Context::Role(name) => format!("role {name}"),
        Context::Import => "import".to_owned(),
        Context::Text(how) => format!("text {how:?}"),
        other => format!("{other:?}"),
    }
}
