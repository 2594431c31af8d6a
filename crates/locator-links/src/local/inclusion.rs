//! How documents of Markdown include others: imports of MDX, `{{#include}}` of mdBook, shortcodes of Hugo, `{% include %}` of
//! Jekyll, snippets of `MkDocs`, `@include` of `VitePress`, and `{include}` of MyST ([`Inclusion`], [`Import`]).
//!
//! ```text
//! let found = inclusions("{{#include ../a.md:1:20}}", Path::new("/r/src/b.md"));
//! assert_eq!(found, [Inclusion::File("/r/a.md".into())]);
//! ```

use std::path::{Path, PathBuf};
use std::{fs, iter};

use crate::files::repository_of;

/// What a line includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inclusion {
    /// A file.
    File(PathBuf),
    /// Something that is not known, or not there.
    Unknown,
}

/// An import of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Import<'t>(&'t str);

/// Returns the imports of a document of MDX or of a program: `import A from './a.mdx'`.
pub(super) fn imports(text: &str) -> impl Iterator<Item = Import<'_>> {
    let after = |word: &'static str| text.match_indices(word).map(move |(at, _)| &text[at + word.len()..]);
    after("from").chain(after("import")).filter_map(|rest| {
        let rest = rest.trim_start_matches([' ', '(']);
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let line = rest.get(1..)?.lines().next()?;
        line.split_once(quote).map(|(path, _)| Import(path))
    })
}

impl Import<'_> {
    /// Returns whether it is one of a document of Markdown.
    pub(super) fn is_document(self) -> bool {
        self.0.ends_with(".md") || self.0.ends_with(".mdx")
    }

    /// Returns the file, if it is a document or a program of the same repository.
    pub(super) fn file(self, document: &Path) -> Option<PathBuf> {
        const ENDINGS: [&str; 9] =
            ["", ".mdx", ".md", ".tsx", ".jsx", ".ts", ".js", "/index.tsx", "/index.js"];
        const READ: [&str; 8] = ["md", "mdx", "tsx", "jsx", "ts", "js", "mjs", "vue"];
        // The name of a package, not a path.
        if !["./", "../", "/", "@/", "~/", "@site/"].iter().any(|start| self.0.starts_with(start)) {
            return None;
        }
        // An underscore may be escaped, as one of Markdown.
        let path = self.0.replace('\\', "");
        let is_read = |path: &Path| path.extension().is_some_and(|end| READ.iter().any(|own| end == *own));
        ENDINGS
            .iter()
            .find_map(|end| existing(document, &format!("{path}{end}")).filter(|path| is_read(path)))
    }
}

/// Returns what a line of a document includes.
pub(super) fn inclusions(line: &str, document: &Path) -> Vec<Inclusion> {
    let mut found = Vec::new();
    if !line.contains(['{', '@', '-', '<']) {
        return found;
    }
    let mut add = |path: Option<&str>| {
        let file = path.and_then(|path| existing(document, path.trim()));
        found.push(file.map_or(Inclusion::Unknown, Inclusion::File));
    };
    // mdBook.
    for (before, rest) in around(line, "{{") {
        let Some(rest) = rest.trim_start().strip_prefix('#').filter(|_| !before.ends_with('\\')) else {
            continue;
        };
        match rest.split(|one: char| one.is_whitespace() || one == '}').next().unwrap_or_default() {
            "title" | "rustdoc_include" | "playground" | "playpen" => {}
            "include" => add(rest["include".len()..].split([':', '}']).next()),
            _ => add(None),
        }
    }
    // `VitePress` and `VuePress`: `<!--@include: ./a.md{1,2}-->`, `@include(./a.md)`.
    for (_, rest) in around(line, "@include") {
        if let Some(rest) = rest.strip_prefix([':', '(']) {
            let end = rest.find("-->").or_else(|| rest.find(')')).unwrap_or(rest.len());
            add(rest[..end].split(['{', '#']).next());
        }
    }
    // Snippets: `--8<-- "a.md:part"`. Quotes after the sign of a section begin or end it.
    for (before, rest) in around(line, "--8<--") {
        let inner =
            rest.trim_start().strip_prefix(['"', '\'']).and_then(|rest| rest.split(['"', '\'']).next());
        let is_section = |inner: &str| inner.starts_with("[start") || inner.starts_with("[end");
        let is_mark = before.ends_with(';')
            || [rest.trim_start(), inner.unwrap_or_default()].into_iter().any(is_section);
        if !is_mark {
            add(inner.map(|inner| inner.split(':').next().unwrap_or(inner)));
        }
    }
    for (_, rest) in around(line, "{!") {
        add(rest.split_once("!}").map(|(path, _)| path));
    }
    for (_, rest) in around(line, "{include}") {
        add(Some(rest).filter(|rest| !rest.trim().is_empty()));
    }
    if line.contains("<!--#include") || line.contains("<?php") || line.contains("<?=") {
        add(None);
    }
    let templates = shortcodes(line).map(|name| is_plain_shortcode(name, document));
    let templates = templates.chain(liquid(line).map(|name| is_plain_include(name, document)));
    let mut templates = templates;
    if templates.any(|is_plain| !is_plain) {
        found.push(Inclusion::Unknown);
    }
    found
}

/// Returns what is before and after each place of a sign in a line.
fn around<'l>(line: &'l str, sign: &'static str) -> impl Iterator<Item = (&'l str, &'l str)> {
    line.match_indices(sign).map(move |(at, _)| (&line[..at], &line[at + sign.len()..]))
}

/// Returns the names of the shortcodes of Hugo that a line begins: `{{< note >}}`, not `{{< /note >}}`.
fn shortcodes(line: &str) -> impl Iterator<Item = &str> {
    let openings = around(line, "{{<").chain(around(line, "{{%"));
    openings.filter_map(|(_, rest)| {
        let rest = rest.trim_start();
        let is_other = rest.starts_with('/') || rest.is_empty();
        rest.split(|one: char| one.is_whitespace() || matches!(one, '>' | '%')).next().filter(|_| !is_other)
    })
}

/// Returns what tags of Liquid and Jinja include, "" for what is not a literal name: `{% include note.html %}`.
fn liquid(line: &str) -> impl Iterator<Item = &str> {
    let openings = around(line, "{%").chain(around(line, "{{"));
    openings.filter_map(|(_, rest)| {
        let rest = rest.trim_start_matches([' ', '-']);
        let word = rest.split(|one: char| !one.is_ascii_alphanumeric() && one != '_').next()?;
        match word {
            "include" => {
                Some(rest[word.len()..].trim_start().split([' ', '%', '}']).next().unwrap_or_default())
            }
            "template" | "render" | "extends" | "block" | "include_relative" | "include_cached" => Some(""),
            _ => None,
        }
    })
}

/// The shortcodes of Hugo itself that make no headings.
const PLAIN: [&str; 15] = [
    "ref",
    "relref",
    "figure",
    "highlight",
    "youtube",
    "vimeo",
    "gist",
    "tweet",
    "x",
    "instagram",
    "param",
    "details",
    "qr",
    "comment",
    "!--",
];

/// Returns whether a shortcode makes no ids but those of what is in it.
fn is_plain_shortcode(name: &str, document: &Path) -> bool {
    let of_directory = |directory: &Path| {
        let layouts = ["layouts/shortcodes", "layouts/_shortcodes"].map(|layouts| directory.join(layouts));
        let names = [format!("{name}.html"), format!("{name}.md")];
        let mut all = layouts.iter().flat_map(|layouts| names.iter().map(|name| layouts.join(name)));
        all.find(|path| path.is_file())
    };
    let of_themes = |directory: &Path| {
        let themes = fs::read_dir(directory.join("themes")).ok()?;
        themes.flatten().take(16).find_map(|theme| of_directory(&theme.path()))
    };
    PLAIN.contains(&name)
        || is_name(name)
            && directories(document)
                .find_map(|around| of_directory(around).or_else(|| of_themes(around)))
                .is_some_and(|path| is_plain(&path))
}

/// Returns whether a part of Jekyll makes no ids.
fn is_plain_include(name: &str, document: &Path) -> bool {
    let found =
        directories(document).map(|around| around.join("_includes").join(name)).find(|path| path.is_file());
    is_name(name) && found.is_some_and(|path| is_plain(&path))
}

/// Returns whether a name stays in its directory.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.split('/').any(|part| part.is_empty() || part.starts_with('.'))
        && !name.contains(['{', '"', '\'', '\\', ':'])
}

/// Returns whether a template makes no headings and no ids.
fn is_plain(path: &Path) -> bool {
    const LARGEST: u64 = 1 << 16;
    const MAKING: [&str; 15] = [
        "<h1",
        "<h2",
        "<h3",
        "<h4",
        "<h5",
        "<h6",
        "id=",
        "<a name",
        "readFile",
        "os.ReadFile",
        "GetPage",
        "resources.Get",
        "partial",
        "include",
        "template",
    ];
    let is_small = fs::metadata(path).is_ok_and(|about| about.len() <= LARGEST);
    let text = fs::read_to_string(path).ok().filter(|_| is_small);
    text.is_some_and(|text| {
        !MAKING.iter().any(|making| text.contains(making)) && !text.lines().any(|line| line.starts_with('#'))
    })
}

/// Returns the directories around a document, to the root of its repository.
fn directories(document: &Path) -> impl Iterator<Item = &Path> {
    let around = document.parent().unwrap_or(document);
    let root = repository_of(around).unwrap_or_else(|| around.to_owned());
    around.ancestors().take_while(move |directory| directory.starts_with(&root))
}

/// Returns the file of the repository that a path of a document names: relative to it, or to a directory around it.
fn existing(document: &Path, path: &str) -> Option<PathBuf> {
    let (is_rooted, inside) = match path {
        path if path.starts_with("./") || path.starts_with("../") => (false, path),
        path => {
            let starts = ["@site/", "@/", "~/", "/"];
            let inside = starts.iter().find_map(|start| path.strip_prefix(start));
            (inside.is_some(), inside.unwrap_or(path))
        }
    };
    if inside.is_empty() || inside.contains(':') {
        return None;
    }
    let root = directories(document).last()?.canonicalize().ok()?;
    let is_file =
        |path: PathBuf| path.canonicalize().ok().filter(|path| path.is_file() && path.starts_with(&root));
    let around = document.parent()?;
    let own = iter::once(around).filter(|_| !is_rooted);
    let others = directories(document)
        .filter(|directory| !inside.starts_with('.') && (is_rooted || *directory != around));
    own.chain(others).find_map(|directory| is_file(directory.join(inside)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed")]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_included() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (path, text) in [
            (".git/HEAD", ""),
            ("docs/a.md", ""),
            ("docs/_b.mdx", ""),
            ("docs/parts.tsx", ""),
            ("snippets/c.md", ""),
            ("layouts/shortcodes/note.html", "<p>{{ .Inner }}</p>"),
            ("layouts/shortcodes/heading.html", "<h2 id={{ .Get 0 }}>"),
            ("docs/_includes/alert.html", "<p>"),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let document = root.join("docs/a.md");
        let file = |path: &str| vec![Inclusion::File(root.join(path))];
        let unknown = || vec![Inclusion::Unknown];
        for (line, expected) in [
            ("{{#include _b.mdx:1:2}}", file("docs/_b.mdx")),
            ("{{ #include none.md }}", unknown()),
            ("{{#rustdoc_include ../none.rs}} {{#title x}} \\{{#include x}}", vec![]),
            ("{{#if x}}", unknown()),
            ("<!-- @include: ./_b.mdx{1,2} -->", file("docs/_b.mdx")),
            ("--8<-- \"snippets/c.md:part\"", file("snippets/c.md")),
            ("# --8<-- [start:part]", vec![]),
            ("--8<--", unknown()),
            ("{!snippets/c.md!}", file("snippets/c.md")),
            ("```{include} ../snippets/c.md", file("snippets/c.md")),
            ("{{< note >}}x{{< /note >}} {{< ref \"a\" >}}", vec![]),
            ("{{% heading \"x\" %}}", unknown()),
            ("{{< other >}}", unknown()),
            ("{% include alert.html a=\"b\" %}", vec![]),
            ("{%include x.html%}", unknown()),
            ("{% include {{ page.x }} %}", unknown()),
            ("<?php x", unknown()),
            ("{{ x }} {% if x %} @included", vec![]),
        ] {
            assert_eq!(inclusions(line, &document), expected, "{line}");
        }
        let text = "import B from './\\_b.mdx'; import {\n  C,\n} from \"@site/docs/parts\"\nimport x from 'react'\nimport('../../../etc/x.md')";
        let found: Vec<_> = imports(text).map(|import| import.file(&document)).collect();
        let found: Vec<_> = found.into_iter().flatten().collect();
        assert_eq!(found, [root.join("docs/_b.mdx"), root.join("docs/parts.tsx")]);
        assert!(imports(text).any(Import::is_document));
    }
}
