//! Asciidoctor alone: documents in AsciiDoc, each converted to a page beside it. Nothing in a tree says so, so the user does
//! (`--site asciidoctor=DIR`).
//!
//! `xref:a.adoc[]` and `<<a.adoc#id>>` lead to the page of a document, relative to the file; `link:a.adoc[]` is a URL, which the site
//! does not have (docs.asciidoctor.org, "Document to Document Cross References").

use super::model::{ContentRoot, Found, Generator, LinkForm, Lookup, SiteLink, SiteModel};
use super::resolve::decoded;
use super::tree::{name_of, parent, path_below, resolved, split_ending};

pub(super) static ASCIIDOCTOR: Generator =
    Generator { name: "asciidoctor", title: "Asciidoctor", configurations: &[], read, special };

/// The endings of documents.
const ENDINGS: [&str; 4] = ["adoc", "asciidoc", "asc", "ad"];

fn read(found: &Found<'_>) -> Option<SiteModel> {
    let mut site = SiteModel::new(&ASCIIDOCTOR, found);
    site.content.push(ContentRoot::new(found.directory, "/"));
    for path in found.tree.below(found.directory) {
        let below = path_below(path, found.directory).unwrap_or(path);
        match split_ending(below) {
            // A name with "_" is only included by others.
            (stem, ending) if ENDINGS.contains(&ending) && !name_of(stem).starts_with('_') => {
                site.routes.add_page(path, &format!("/{stem}.html"));
            }
            (_, ending) if ENDINGS.contains(&ending) => {}
            _ => site.routes.add_file(path, below),
        }
    }
    Some(site)
}

fn special(_: &SiteModel, link: &SiteLink<'_>) -> Option<Lookup> {
    let LinkForm::Role(role) = link.form else { return None };
    let written = link.written;
    if written.contains('{') {
        return Some(Lookup::Template);
    }
    if written.starts_with('#') || written.contains("://") {
        return Some(Lookup::NotOfSite);
    }
    let path = decoded(link.path());
    let target = resolved(parent(link.document), &path);
    let Some(target) = target else { return Some(Lookup::Outside) };
    let with_ending = format!("{target}.adoc");
    match role {
        "xref" | "include" if link.tree.has_file(&target) => Some(Lookup::Source(target.into())),
        "xref" if link.tree.has_file(&with_ending) => Some(Lookup::Source(with_ending.into())),
        // A page that is converted: `xref:a.html[]`.
        "xref" if split_ending(&target).1 == "html" => None,
        "xref" | "include" => Some(match link.tree.build_reason(&target) {
            Some(reason) => Lookup::Unknown(reason.into()),
            None => Lookup::Dead("the document does not exist".into()),
        }),
        _ => None,
    }
}
