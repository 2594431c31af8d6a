//! Any bytes as HTML: every link is a range of the page, in order, and html5gum finds the same
//! links.
#![no_main]

use std::ops::{ControlFlow, Range};

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use libfuzzer_sys::fuzz_target;
use locator_find::{Anchor, Context, Document, Finder, Format, Link, Sink};

/// Elements and their attributes that contain one URL.
const URLS: [(&str, &str); 7] =
    [("a", "href"), ("area", "href"), ("img", "src"), ("form", "action"), ("video", "poster"), ("q", "cite"), ("embed", "src")];

/// Pages with these words need a tree and are not compared: html5gum is a tokenizer. It also reads
/// the content of `noframes` as markup.
const NEEDS_TREE: [&str; 7] = ["svg", "math", "template", "noscript", "srcdoc", "cdata", "noframes"];

fuzz_target!(|page: &[u8]| {
    let mut found = Found { page, previous: 0, links: Vec::new() };
    let finder = Finder::new().json_ld(true);
    let document = Document::new(Format::Html).retrieved_by("http://h/");
    finder.find(&document, &mut &*page, &mut found).expect("a slice can be read");
    let Ok(text) = str::from_utf8(page) else {
        return;
    };
    let small = text.to_ascii_lowercase();
    if NEEDS_TREE.iter().all(|name| !small.contains(name)) && !small.contains("charset") {
        let mut expected: Vec<_> = tags(text).flat_map(|tag| links_of(&tag)).collect();
        expected.sort();
        found.links.sort();
        assert_eq!(found.links, expected);
    }
});

fn tags(text: &str) -> impl Iterator<Item = StartTag<()>> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(text, emitter).filter_map(|token| match token {
        Ok(Token::StartTag(tag)) => Some(tag),
        _ => None,
    })
}

fn links_of(tag: &StartTag<()>) -> Vec<String> {
    let name = String::from_utf8_lossy(&tag.name).into_owned();
    let name = if name == "image" { "img" } else { &name };
    let of_element = URLS.iter().filter(|(element, _)| *element == name);
    of_element
        .filter_map(|(element, attribute)| {
            let value = String::from_utf8_lossy(tag.attributes.get(attribute.as_bytes())?).into_owned();
            let url = value.trim_matches(|character| character <= ' ').replace(['\t', '\n', '\r'], "");
            (!url.is_empty() || *attribute == "href").then(|| format!("{element} {attribute} {url}"))
        })
        .collect()
}

/// Checks the links and collects them.
struct Found<'p> {
    page: &'p [u8],
    previous: u64,
    links: Vec<String>,
}

impl Found<'_> {
    fn check(&mut self, span: &Range<u64>) {
        assert!(span.start <= span.end && span.end <= self.page.len() as u64, "{span:?}");
        assert!(self.previous <= span.start, "{span:?} is before {}", self.previous);
        self.previous = span.start;
    }
}

impl Sink for Found<'_> {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        let span = &link.place().span;
        self.check(span);
        assert_eq!(link.written(), &self.page[span.start as usize..span.end as usize]);
        let _ = link.resolved();
        if let Context::Attribute { element, attribute } = link.context()
            && URLS.contains(&(element, attribute))
        {
            self.links.push(format!("{element} {attribute} {}", link.url()));
        }
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.check(&anchor.place.span);
    }
}
