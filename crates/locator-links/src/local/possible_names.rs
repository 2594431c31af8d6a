//! What a file may have besides the names that the generator of its site makes ([`PossibleNames`]): those that other programs
//! make, what is written like an id, and the names of the files that it includes.
//!
//! ```text
//! let names = PossibleNames::read(&finder, Path::new("docs/install.mdx"), HeadingIds::Docusaurus);
//! assert!(names.is_of_part("windows") && !names.has_parts);
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use locator_find::{Finder, Format, HeadingIds};

use super::inclusion::{Inclusion, imports, inclusions};
use crate::anchors::{AnchorNames, hash, hash_of_heading};

/// The largest file that is read again.
const LARGEST: u64 = 16 << 20;

/// What a file may have besides the names that its generator makes.
#[derive(Debug, Default)]
pub(super) struct PossibleNames {
    /// The names that other programs make, as hashes.
    names: Vec<u64>,
    /// The names that forges make.
    forges: Vec<u64>,
    /// The names that are written as attributes.
    attributes: Vec<u64>,
    /// What looks like a heading, by its letters and digits.
    headings: Vec<u64>,
    /// The headings of other programs, by their letters and digits.
    other_headings: Vec<u64>,
    /// The names in files that the page includes.
    parts: Vec<u64>,
    /// The shortest ids of headings that have letters of which the rule makes others, which are not known.
    transliterated: Vec<usize>,
    /// Whether parts of other files are in the page that are not known.
    pub(super) has_parts: bool,
}

/// How many files a page may include, and those include in turn.
const MOST_PARTS: usize = 40;

impl PossibleNames {
    /// Reads a file of Markdown whose headings have ids by a rule.
    pub(super) fn read(finder: &Finder, path: &Path, rule: HeadingIds) -> Self {
        let Some(text) = text_of(path) else { return Self { has_parts: true, ..Self::default() } };
        let mut doubts = Self::default();
        for other in HeadingIds::ALL.into_iter().filter(|other| *other != rule) {
            let read = AnchorNames::read(finder, path, other).unwrap_or_default();
            let names = read.names.iter().map(|name| hash(name));
            match other {
                HeadingIds::GitHub | HeadingIds::GitLab => doubts.forges.extend(names),
                _ => doubts.names.extend(names),
            }
            doubts.other_headings.extend(read.names.iter().map(|name| hash_of_heading(name)));
        }
        doubts.read_text(&text, rule);
        doubts.read_parts(finder, path, &text, rule);
        doubts.sort();
        doubts
    }

    /// Reads the files that a file includes, and those that they include.
    fn read_parts(&mut self, finder: &Finder, path: &Path, text: &str, rule: HeadingIds) {
        let mut known = BTreeSet::from([path.to_owned()]);
        let mut open = vec![(path.to_owned(), text.to_owned())];
        while let Some((path, text)) = open.pop() {
            // A component can show a document.
            let mut paths: Vec<PathBuf> = imports(&text).filter_map(|import| import.file(&path)).collect();
            for line in text.lines().map(str::trim).filter(|_| is_markdown(&path)) {
                for inclusion in inclusions(line, &path) {
                    match inclusion {
                        Inclusion::File(part) => paths.push(part),
                        Inclusion::Unknown => self.has_parts = true,
                    }
                }
            }
            self.has_parts |=
                imports(&text).any(|import| import.is_document() && import.file(&path).is_none());
            for part in paths {
                if known.len() > MOST_PARTS {
                    self.has_parts = true;
                    return;
                }
                if !known.insert(part.clone()) {
                    continue;
                }
                let Some(text) = text_of(&part) else {
                    self.has_parts = true;
                    continue;
                };
                if is_markdown(&part) {
                    let read = AnchorNames::read(finder, &part, rule).unwrap_or_default();
                    self.parts.extend(read.names.iter().map(|name| hash(name)));
                }
                self.read_text(&text, rule);
                open.push((part, text));
            }
        }
    }

    /// Reads a file of another format, which may be a template or include others.
    pub(super) fn read_template(path: &Path) -> Self {
        const PARTS: [&str; 10] = [
            "<?php",
            "<?=",
            "<!--#include",
            "{% include",
            "{%include",
            "{%- include",
            "id=\"{{",
            "id='{{",
            "id=\"<%",
            ":id=\"",
        ];
        let has_parts = text_of(path).is_none_or(|text| PARTS.iter().any(|part| text.contains(part)));
        Self { has_parts, ..Self::default() }
    }

    fn sort(&mut self) {
        let Self {
            names,
            forges,
            attributes,
            headings,
            other_headings,
            parts,
            has_parts: _,
            transliterated: _,
        } = self;
        for hashes in [names, forges, attributes, headings, other_headings, parts] {
            hashes.sort_unstable();
            hashes.dedup();
            hashes.shrink_to_fit();
        }
    }

    /// Returns whether the page may have the name, whatever program makes it.
    pub(super) fn has(&self, name: &str) -> bool {
        self.may_have(name)
            || self.is_at_forge(name)
            || self.names.binary_search(&hash(name)).is_ok()
            || self.other_headings.binary_search(&hash_of_heading(name)).is_ok()
    }

    /// Returns whether the page may have the name although the rule is known: it is written as an attribute, or a line
    /// looks like its heading.
    pub(super) fn may_have(&self, name: &str) -> bool {
        self.attributes.binary_search(&hash(name)).is_ok()
            || self.headings.binary_search(&hash_of_heading(name)).is_ok()
            || self.headings.binary_search(&hash_of_heading(&without_entities(name))).is_ok()
    }

    /// Returns whether the name may be that of a heading in another script, written in Latin letters.
    pub(super) fn may_be_transliterated(&self, name: &str) -> bool {
        name.is_ascii() && self.transliterated.iter().any(|shortest| name.len() >= *shortest)
    }

    /// Returns whether a file that the page includes has the name.
    pub(super) fn is_of_part(&self, name: &str) -> bool {
        self.parts.binary_search(&hash(name)).is_ok()
    }

    /// Returns whether a forge gives a heading this id. The case of letters does not matter there.
    pub(super) fn is_at_forge(&self, name: &str) -> bool {
        let has = |name: &str| self.forges.binary_search(&hash(name)).is_ok();
        has(name) || has(&name.to_lowercase())
    }

    /// Reads lines as a program might that knows no other syntax around them.
    fn read_text(&mut self, text: &str, rule: HeadingIds) {
        for line in text.lines().map(str::trim) {
            self.has_parts |= is_filled_in(line) || is_directive(line);
            let bytes = line.as_bytes();
            if bytes.first() == Some(&b'#') || line.contains("<h") || line.contains("<H") {
                self.headings.push(hash_of_heading(&without_tags(line)));
                self.headings.push(hash_of_heading(line));
                if line.starts_with('#') && rule.is_unknown_for(line) {
                    self.transliterated.push(transliterated_length(line));
                }
            }
            if line.contains(['{', '=', ':', '$']) {
                self.attributes.extend(attributes(line).map(hash));
            }
        }
    }
}

/// Returns the text of a file; `None` if it is too large to be read again.
fn text_of(path: &Path) -> Option<String> {
    let is_large = fs::metadata(path).is_ok_and(|about| about.len() > LARGEST);
    (!is_large).then(|| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned())
}

/// Returns whether a heading or an id of a line is filled in later.
fn is_filled_in(line: &str) -> bool {
    let has_name = line.starts_with('#') || line.contains("id=") || line.contains("<h");
    has_name && (line.contains("{{") || line.contains("{%")) || line.contains("<?php") || line.contains("<?=")
}

/// Returns whether a line is a directive of a plugin of MkDocs, which makes a part of the page: `::: module.name`.
/// Others have containers of these names.
fn is_directive(line: &str) -> bool {
    const CONTAINERS: [&str; 10] = [
        "note",
        "tip",
        "info",
        "warning",
        "danger",
        "caution",
        "details",
        "code-group",
        "important",
        "success",
    ];
    let name = line.strip_prefix("::: ").and_then(|rest| rest.split_whitespace().next());
    name.is_some_and(|name| !CONTAINERS.contains(&name))
}

/// Returns how long the id of a heading in another script is at least in Latin letters: two for each sign of Chinese, with a
/// sign between.
fn transliterated_length(line: &str) -> usize {
    let letters = line.chars().filter(|one| one.is_alphanumeric());
    letters
        .map(|one| if ('\u{2E80}'..'\u{AC00}').contains(&one) { 3 } else { 1 })
        .sum::<usize>()
        .saturating_sub(1)
}

/// Returns a name without the entities that older renderers make parts of: `a-amp-b`, `on-lt-template-gt`.
fn without_entities(name: &str) -> String {
    name.split('-')
        .filter(|part| !matches!(*part, "amp" | "lt" | "gt" | "quot" | "39"))
        .collect::<Vec<_>>()
        .join("-")
}

/// Returns a line without what is in "<>".
fn without_tags(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for (number, piece) in line.split('<').enumerate() {
        match piece.split_once('>') {
            Some((_, after)) if number > 0 => text.push_str(after),
            _ => text.push_str(piece),
        }
    }
    text
}

/// Returns what is written like an id: `{#id`, `{: .class #id}`, `name=id`, `:id="id"`, `{/*id*/}`, `(id)=`, `:name: id`,
/// `$$$id$$$`.
fn attributes(line: &str) -> impl Iterator<Item = &str> {
    let ends = |one: char| one.is_whitespace() || matches!(one, '}' | '"' | '\'' | '>');
    let assigned = ["name=", "id="].into_iter().flat_map(move |before| {
        let after = line.split(before).skip(1);
        after
            .map(move |rest| rest.trim_start_matches(['"', '\'', '{']).split(ends).next().unwrap_or_default())
    });
    let in_braces = line.split('{').skip(1).flat_map(|rest| {
        let list = rest.split('}').next().unwrap_or_default();
        list.split([' ', ':']).filter_map(|word| word.strip_prefix('#'))
    });
    // A comment of JSX: `{/*id*/}`.
    let in_comment = line.split("{/*").skip(1).filter_map(|rest| {
        let id = rest.split_once("*/}")?.0.trim();
        Some(id.strip_prefix('#').unwrap_or(id))
    });
    let target = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(")="));
    let name = line.strip_prefix(":name:").map(str::trim);
    // Of docs-builder.
    let in_dollars = line.split("$$$").skip(1).step_by(2);
    assigned.chain(in_braces).chain(in_comment).chain(target).chain(name).chain(in_dollars)
}

pub(super) fn is_markdown(path: &Path) -> bool {
    Format::of_path(path).is_some_and(Format::is_markdown)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed")]
mod tests {
    use super::*;

    /// Returns what the lines of a text may have.
    fn read(text: &str) -> PossibleNames {
        let mut doubts = PossibleNames::default();
        doubts.read_text(text, HeadingIds::Eleventy);
        doubts.sort();
        doubts
    }

    #[test]
    fn what_looks_like_an_id() {
        let doubts = read(
            "    ## In a tab: *x*\n<H2 class=a>In HTML</H2>\nText {: #para}\n<Tag id={'jsx'} name=old />\n# C {#c .d}\n",
        );
        for name in ["in-a-tab-x", "in-html", "para", "jsx", "old", "c"] {
            assert!(doubts.has(name), "{name}");
        }
        assert!(!doubts.has("other") && !doubts.has_parts);
        assert!(read("# X {/*j*/}\n").has("j"));
        let doubts = read("{: .c #e}\n[t]{width=50% #f}\n(g)=\n:name: h\n");
        assert!(["e", "f", "g", "h"].iter().all(|name| doubts.has(name)) && !doubts.has_parts);
        let doubts = read("## `v-if` on `<template>` & more\n");
        assert!(
            doubts.may_have("v-if-on-lt-template-gt-amp-more") && !doubts.may_be_transliterated("zhong-wen")
        );
        let doubts = read("# 中文标题\n");
        assert!(doubts.may_be_transliterated("zhong-wen-biao-ti") && !doubts.may_be_transliterated("nope"));
        for part in ["## {{ site.title }}", "<p id=\"{{ x }}\">", "<?php x"] {
            assert!(read(part).has_parts, "{part}");
        }
    }

    #[test]
    fn names_of_parts() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            (".git/HEAD", ""),
            ("a.mdx", "import B from './_b.jsx'\n\n# A\n\n<B />\n"),
            ("_b.jsx", "import C from './_c.mdx';\nexport const B = () => <C />;\n"),
            ("_c.mdx", "## On Windows\n"),
            ("d.mdx", "import B from './none.mdx'\n"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let names = |path: &str| {
            PossibleNames::read(&Finder::new(), &folder.path().join(path), HeadingIds::Docusaurus)
        };
        let doubts = names("a.mdx");
        assert!(doubts.is_of_part("on-windows") && !doubts.is_of_part("a") && !doubts.has_parts);
        assert!(names("d.mdx").has_parts);
        // Forges do not distinguish the case of letters.
        assert!(doubts.is_at_forge("A"));
    }
}
