//! The names in documents of AsciiDoc, of which several may be one page: a document has the ids of those that it includes, and a
//! chapter those of the book that includes it ([`AsciiDocTree`]).
//!
//! The ids of sections depend on `idprefix` and `idseparator`, which the program that converts the documents may set. Sites and
//! forges use two pairs of values, Asciidoctor's own (`_set_up`) and `set-up`. Which of them a tree has is known by the way in
//! which its links are written ([`IdStyle`]); an id that differs only in this is in doubt.
//!
//! ```text
//! let tree = AsciiDocTree::read(site_tree, &finder);
//! assert_eq!(tree.verdict("docs/chapter.adoc", "set-up").code, Code::Ok);
//! ```

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use locator_find::{Anchor, Context, Document, Finder, Format, HeadingIds, Label, LabelKind, Link, Sink};

use crate::anchors::{hash, hash_of_heading};
use crate::outcome::{Code, Verdict};
use crate::sites::SiteTree;

/// The documents of AsciiDoc of a repository.
#[derive(Debug, Default)]
pub(crate) struct AsciiDocTree {
    numbers: HashMap<String, usize>,
    documents: Vec<AsciiDocument>,
    style: StyleCounts,
}

/// A document, which may be a part of others.
#[derive(Debug, Default)]
struct AsciiDocument {
    names: Names,
    includes: Vec<usize>,
    included_by: Vec<usize>,
    /// Why it may have other names.
    open: Option<String>,
}

/// The names of a document, as hashes.
#[derive(Debug, Default)]
struct Names {
    /// Ids as they are written, and as Asciidoctor makes them of titles; titles.
    exact: HashSet<u64>,
    /// Ids as they are made of titles without a prefix, with "-".
    dashed: HashSet<u64>,
    /// The letters and digits of all of them.
    letters: HashSet<u64>,
    /// Titles with attributes: their letters and digits before and after those.
    partial: Vec<(String, String)>,
}

/// How the ids of sections are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdStyle {
    /// Nothing tells.
    Unknown,
    /// `_set_up`.
    Asciidoctor,
    /// `set-up`.
    Dashed,
}

/// How many links are written in each style.
#[derive(Clone, Copy, Debug, Default)]
struct StyleCounts {
    asciidoctor: u64,
    dashed: u64,
}

/// The fewest links by which the style of a tree is known.
const FEWEST_LINKS: u64 = 10;

/// How many documents of a tree are read, and how many may be of one page.
const MOST_DOCUMENTS: usize = 20_000;
const MOST_PARTS: usize = 2_000;

/// Returns whether a path is one of AsciiDoc.
pub(crate) fn is_asciidoc(path: &str) -> bool {
    [".adoc", ".asciidoc", ".asc"].iter().any(|ending| path.ends_with(ending))
}

impl AsciiDocTree {
    /// Reads the documents of a repository.
    pub(crate) fn read(site: &SiteTree, finder: &Finder) -> Self {
        let mut tree = Self::default();
        for path in site.files().filter(|path| is_asciidoc(path)).take(MOST_DOCUMENTS) {
            tree.numbers.insert(path.to_owned(), tree.documents.len());
            tree.documents.push(AsciiDocument::default());
        }
        let mut paths: Vec<(String, usize)> =
            tree.numbers.iter().map(|(path, number)| (path.clone(), *number)).collect();
        paths.sort_unstable_by_key(|(_, number)| *number);
        for (path, number) in paths {
            let mut reader = NameReader::default();
            match site.text_of(&path) {
                Some(text) => {
                    // Reading from memory cannot fail.
                    let _ = finder.find(&Document::new(Format::AsciiDoc), &mut text.as_bytes(), &mut reader);
                    reader.names_in_text(&text);
                }
                None => reader.open = Some("it is too large".to_owned()),
            }
            let NameReader { names, includes, open } = reader;
            if let Some(document) = tree.documents.get_mut(number) {
                (document.names, document.open) = (names, open);
            }
            for include in includes {
                tree.add_include(site, &path, number, &include);
            }
        }
        tree
    }

    fn add_include(&mut self, site: &SiteTree, path: &str, number: usize, written: &str) {
        let target = site.included(path, written);
        let of_target = target.as_deref().and_then(|target| self.numbers.get(target)).copied();
        match of_target {
            Some(target) => {
                if let Some(document) = self.documents.get_mut(number) {
                    document.includes.push(target);
                }
                if let Some(document) = self.documents.get_mut(target) {
                    document.included_by.push(number);
                }
            }
            // Code and tables have no ids.
            None if !is_asciidoc(written) && (target.is_some() || has_other_ending(written)) => {}
            None => {
                if let Some(document) = self.documents.get_mut(number) {
                    document.open = Some(format!("it includes {written}"));
                }
            }
        }
    }

    /// Counts a link for the style of ids.
    pub(crate) fn count_style(&mut self, path: &str, fragment: &str) {
        let Some(document) = self.numbers.get(path).and_then(|number| self.documents.get(*number)) else {
            return;
        };
        let key = hash(fragment);
        let (exact, dashed) = (document.names.exact.contains(&key), document.names.dashed.contains(&key));
        match (exact, dashed) {
            (true, false) if fragment.starts_with('_') => self.style.asciidoctor += 1,
            (false, true) => self.style.dashed += 1,
            _ => {}
        }
    }

    fn style(&self) -> IdStyle {
        let StyleCounts { asciidoctor, dashed } = self.style;
        match () {
            () if asciidoctor + dashed < FEWEST_LINKS => IdStyle::Unknown,
            () if dashed >= 9 * asciidoctor => IdStyle::Dashed,
            () if asciidoctor >= 9 * dashed => IdStyle::Asciidoctor,
            () => IdStyle::Unknown,
        }
    }

    /// Returns what is known of a fragment, decoded, of a document; `None` if the document is not of the tree.
    pub(crate) fn verdict(&self, path: &str, fragment: &str) -> Option<Verdict> {
        let start = *self.numbers.get(path)?;
        let parts = self.parts(start);
        let parts = || parts.iter().filter_map(|number| self.documents.get(*number));
        let (key, letters) = (hash(fragment), hash_of_heading(fragment));
        let has = |kind: fn(&Names) -> &HashSet<u64>, key: u64| {
            parts().any(|part| kind(&part.names).contains(&key))
        };
        let other = || Some(Verdict::new(Code::OtherAnchor));
        match () {
            () if has(|names| &names.exact, key) => return Some(Verdict::new(Code::Ok)),
            () if has(|names| &names.dashed, key) => {
                return match self.style() {
                    IdStyle::Dashed => Some(Verdict::new(Code::Ok)),
                    _ => other(),
                };
            }
            () if has(|names| &names.letters, letters)
                || parts().any(|part| part.names.may_have(fragment)) =>
            {
                return other();
            }
            () => {}
        }
        let unread = |why: String| Some(Verdict::new(Code::UnreadAnchor).because(why));
        if let Some(why) = parts().find_map(|part| part.open.clone()) {
            return unread(why);
        }
        let is_orphan = self.documents.get(start).is_some_and(|document| document.included_by.is_empty())
            && is_part(path);
        match () {
            () if is_orphan => unread("it is a part of documents that are not here".to_owned()),
            () if parts().count() >= MOST_PARTS => unread("the page has too many parts".to_owned()),
            () => Some(Verdict::new(Code::NoSuchAnchor)),
        }
    }

    /// Returns the documents that are in one page with a document: those that include it, and what they include.
    fn parts(&self, start: usize) -> Vec<usize> {
        let above = self.reached(vec![start], |document| &document.included_by);
        self.reached(above, |document| &document.includes)
    }

    fn reached(&self, start: Vec<usize>, next: fn(&AsciiDocument) -> &[usize]) -> Vec<usize> {
        let mut seen: HashSet<usize> = start.iter().copied().collect();
        let mut all = start;
        let mut at = 0;
        while let Some(number) = all.get(at).copied().filter(|_| all.len() < MOST_PARTS) {
            at += 1;
            let Some(document) = self.documents.get(number) else { continue };
            all.extend(next(document).iter().copied().filter(|next| seen.insert(*next)));
        }
        all
    }
}

/// Returns whether a document is not a page of its own, by its name.
fn is_part(path: &str) -> bool {
    path.split('/').any(|name| {
        name.starts_with('_')
            || matches!(name, "partials" | "includes" | "include" | "snippets" | "examples" | "topics")
    })
}

/// Returns whether a path has an ending, which is not that of AsciiDoc.
fn has_other_ending(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    !ending.is_empty() && !ending.contains(['}', '$', ':']) && !matches!(ending, "txt" | "ad" | "md")
}

impl Names {
    /// Returns whether a title with attributes may have this id.
    fn may_have(&self, fragment: &str) -> bool {
        let letters = letters_of(fragment);
        self.partial.iter().any(|(before, after)| {
            letters.len() >= before.len() + after.len()
                && letters.starts_with(&**before)
                && letters.ends_with(&**after)
        })
    }

    fn add(&mut self, name: &str) {
        self.exact.insert(hash(name));
        self.letters.insert(hash_of_heading(name));
    }
}

fn letters_of(text: &str) -> String {
    text.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Reads the names of a document, and what it includes.
#[derive(Default)]
struct NameReader {
    names: Names,
    includes: Vec<String>,
    open: Option<String>,
}

impl NameReader {
    /// Adds what is written like an id, however the text around it is read: `[[id]]`, `[#id]`, `anchor:id[]`, and attributes of HTML.
    fn names_in_text(&mut self, text: &str) {
        let ends =
            |one: char| matches!(one, ']' | ',' | '.' | '%' | '[' | '"' | '\'' | '>') || one.is_whitespace();
        for opening in ["[[", "[#", "anchor:", "id=\"", "id='", "name=\"", "id="] {
            for (at, _) in text.match_indices(opening) {
                let rest = text.get(at + opening.len()..).unwrap_or_default();
                let id = match opening {
                    "[[" | "anchor:" => rest.split([']', ',', '[']).next(),
                    _ => rest.split(ends).next(),
                };
                if let Some(id) = id.filter(|id| !id.is_empty() && id.len() < LONGEST) {
                    match id.contains('{') {
                        true if opening.contains('=') => {}
                        true => self.add_partial(id),
                        false => self.names.add(id),
                    }
                }
            }
        }
    }

    fn add_partial(&mut self, name: &str) {
        let before = name.split('{').next().unwrap_or_default();
        let after = name.rsplit('}').next().unwrap_or_default();
        let (before, after) = (letters_of(before), letters_of(after));
        match before.is_empty() && after.is_empty() {
            true => self.open = Some(format!("an attribute is an id: {name}")),
            false => self.names.partial.push((before, after)),
        }
    }

    fn add_include(&mut self, link: &Link<'_>) {
        if link.context() == Context::Macro("include") && !link.is_code() {
            self.includes.push(link.url().to_owned());
        }
    }
}

/// The longest id.
const LONGEST: usize = 256;

impl Sink for NameReader {
    fn link(&mut self, link: &Link<'_>) -> ControlFlow<()> {
        self.add_include(link);
        ControlFlow::Continue(())
    }

    fn cross_reference(&mut self, reference: &Link<'_>) -> ControlFlow<()> {
        self.add_include(reference);
        ControlFlow::Continue(())
    }

    fn anchor(&mut self, anchor: &Anchor<'_>) {
        self.names.add(&anchor.name);
    }

    fn label(&mut self, label: &Label<'_>) {
        if label.kind != LabelKind::Title {
            return;
        }
        if label.name.contains('{') {
            return self.add_partial(&label.name);
        }
        self.names.add(&label.name);
        let id = HeadingIds::Asciidoctor.id_of(&label.name);
        self.names.add(&id);
        // "_" in a word stays, so that both are accepted.
        let dashed = dashed_id(&label.name);
        self.names.dashed.insert(hash(&dashed));
        self.names.letters.insert(hash_of_heading(&dashed));
    }
}

/// Returns the id of a title with an empty `idprefix` and "-" as `idseparator`.
fn dashed_id(title: &str) -> String {
    let mut id = String::with_capacity(title.len());
    for character in title.to_lowercase().chars() {
        match character {
            ' ' | '.' | '-' if id.is_empty() || id.ends_with('-') => {}
            ' ' | '.' | '-' => id.push('-'),
            _ if character.is_alphanumeric() || character == '_' => id.push(character),
            _ => {}
        }
    }
    if id.ends_with('-') {
        id.pop();
    }
    id
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn tree(files: &[(&str, &str)]) -> AsciiDocTree {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        AsciiDocTree::read(&SiteTree::read(folder.path(), &[], &[]), &Finder::new())
    }

    #[test]
    fn parts_of_one_page() {
        let tree = tree(&[
            (
                "book.adoc",
                "= Book\n\n[[start]]\n== Set up\n\ninclude::one.adoc[]\n\ninclude::sub/two.adoc[]\n",
            ),
            ("one.adoc", "== One of two\n\n== The {product} guide\n"),
            ("sub/two.adoc", "[#second]\n== Two\n\ninclude::code.java[]\n"),
            ("open.adoc", "== Open\n\ninclude::{where}/none.adoc[]\n"),
            ("_lost.adoc", "== Lost\n"),
            ("alone.adoc", "== Alone\n"),
        ]);
        let code = |path, fragment| tree.verdict(path, fragment).map(|verdict| verdict.code);
        for (path, fragment, expected) in [
            ("one.adoc", "start", Code::Ok),
            ("sub/two.adoc", "_one_of_two", Code::Ok),
            ("sub/two.adoc", "one-of-two", Code::OtherAnchor),
            ("book.adoc", "second", Code::Ok),
            ("book.adoc", "Two", Code::Ok),
            ("book.adoc", "_the_example_guide", Code::OtherAnchor),
            ("book.adoc", "none", Code::NoSuchAnchor),
            ("sub/two.adoc", "none", Code::NoSuchAnchor),
            ("open.adoc", "none", Code::UnreadAnchor),
            ("_lost.adoc", "none", Code::UnreadAnchor),
            ("alone.adoc", "start", Code::NoSuchAnchor),
        ] {
            assert_eq!(code(path, fragment), Some(expected), "{path}#{fragment}");
        }
        assert_eq!(code("none.adoc", "x"), None);
    }

    #[test]
    fn styles_of_ids() {
        let mut tree = tree(&[("a.adoc", "== Set up\n")]);
        let code = |tree: &AsciiDocTree| tree.verdict("a.adoc", "set-up").map(|verdict| verdict.code);
        assert_eq!(code(&tree), Some(Code::OtherAnchor));
        (0..FEWEST_LINKS).for_each(|_| tree.count_style("a.adoc", "set-up"));
        assert_eq!(code(&tree), Some(Code::Ok));
        assert_eq!(dashed_id("What's new in 1.2 -- a_b?"), "whats-new-in-1-2-a_b");
    }
}
