//! Whether a fragment that a file of Markdown does not have may be there in its page: another program would
//! make it, the text looks like a heading or an id to another one, or a part of the page comes from elsewhere.
//!
//! This reads the file again, once for each program. Few files have missing fragments.

use std::fs;
use std::path::Path;

use locator_find::{Finder, HeadingIds};

use crate::anchors::names::Names;
use crate::anchors::{hash, hash_of_heading};

/// The largest file that is read again.
const LARGEST: u64 = 16 << 20;

/// What a file may have besides the names that its generator makes.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// The names that other programs make, as hashes, and those that are written as attributes.
    names: Vec<u64>,
    /// What looks like a heading, by its letters and digits.
    headings: Vec<u64>,
    /// Whether parts of other files are in the page.
    pub(crate) has_parts: bool,
}

impl Doubts {
    /// Reads a file of Markdown whose headings have ids by a rule.
    pub(crate) fn read(finder: &Finder, path: &Path, rule: HeadingIds) -> Self {
        let Some(text) = text_of(path) else { return Self { has_parts: true, ..Self::default() } };
        let mut doubts = Self::default();
        for other in HeadingIds::ALL.into_iter().filter(|other| *other != rule) {
            let read = Names::read(finder, path, other).unwrap_or_default();
            doubts.names.extend(read.names.iter().map(|name| hash(name)));
            doubts.headings.extend(read.names.iter().map(|name| hash_of_heading(name)));
        }
        doubts.read_text(&text);
        doubts
    }

    /// Reads a file of another format, which may be a template or include others.
    pub(crate) fn read_template(path: &Path) -> Self {
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
        for hashes in [&mut self.names, &mut self.headings] {
            hashes.sort_unstable();
            hashes.dedup();
            hashes.shrink_to_fit();
        }
    }

    /// Returns whether the page may have the name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.binary_search(&hash(name)).is_ok()
            || self.headings.binary_search(&hash_of_heading(name)).is_ok()
    }

    /// Reads lines as a program might that knows no other syntax around them.
    fn read_text(&mut self, text: &str) {
        for line in text.lines().map(str::trim) {
            self.has_parts |= has_part(line) || is_directive(line);
            let bytes = line.as_bytes();
            if bytes.first() == Some(&b'#') || line.contains("<h") || line.contains("<H") {
                self.headings.push(hash_of_heading(&without_tags(line)));
            }
            if line.contains(['{', '=', ':']) {
                self.names.extend(attributes(line).map(hash));
            }
        }
        self.sort();
    }
}

/// Returns the text of a file; `None` if it is too large to be read again.
fn text_of(path: &Path) -> Option<String> {
    let is_large = fs::metadata(path).is_ok_and(|about| about.len() > LARGEST);
    (!is_large).then(|| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned())
}

/// How parts of other files are included: by mdBook, Jekyll, Hugo, MkDocs, VitePress, MyST, PHP and servers.
const PARTS: [&str; 10] =
    ["{{#", "{{<", "{{%", "--8<--", "{!", "```{include}", "@include", "<!--#include", "<?php", "<?="];

/// Returns whether a line includes something, however it is spaced, or a heading or an id is filled in later.
fn has_part(line: &str) -> bool {
    if PARTS.iter().any(|part| line.contains(part)) {
        return true;
    }
    let is_import = line.starts_with("import ") && [".mdx", ".md"].iter().any(|end| line.contains(end));
    let is_filled_in = line.starts_with('#') || line.contains("id=") || line.contains("<h");
    let has_template = line.contains("{{") || line.contains("{%");
    let is_include = ["{%", "{{"].iter().any(|open| {
        line.split(open).skip(1).any(|rest| {
            let rest = rest.trim_start_matches([' ', '-', '#']);
            ["include", "template", "render", "extends", "block"].iter().any(|word| rest.starts_with(word))
        })
    });
    is_import || is_include || has_template && is_filled_in
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

/// Returns what is written like an id: `{#id`, `{: .class #id}`, `name=id`, `:id="id"`, `(id)=`, `:name: id`.
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
    let target = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(")="));
    let name = line.strip_prefix(":name:").map(str::trim);
    assigned.chain(in_braces).chain(target).chain(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_an_id() {
        let mut doubts = Doubts::default();
        doubts.read_text(
            "    ## In a tab: *x*\n<H2 class=a>In HTML</H2>\nText {: #para}\n<Tag id={'jsx'} name=old />\n# C {#c .d}\n",
        );
        for name in ["in-a-tab-x", "in-html", "para", "jsx", "old", "c"] {
            assert!(doubts.has(name), "{name}");
        }
        assert!(!doubts.has("other") && !doubts.has_parts);
        doubts.read_text("{: .c #e}\n[t]{width=50% #f}\n(g)=\n:name: h\n");
        assert!(["e", "f", "g", "h"].iter().all(|name| doubts.has(name)) && !doubts.has_parts);
        for part in [
            "{{ #include a.md }}",
            "{%include a.md%}",
            "import A from \"./_a.md\"",
            "## {{ site.title }}",
            "<?php x",
        ] {
            let mut doubts = Doubts::default();
            doubts.read_text(part);
            assert!(doubts.has_parts, "{part}");
        }
        doubts.read_text("{{#include a.md}}");
        assert!(doubts.has_parts);
    }
}
