//! The links of `testdata/sites`: small sites of each generator, with what the real generator made of each link. No
//! link that is alive may be broken; how many are known to be alive, and how many dead ones are found, may only grow
//! (`testdata/sites/rates.tsv`, which `UPDATE=1` writes).
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};

use locator::UriBuf;
use locator_find::{Document, Finder, Format};
use locator_links::{
    Code, DocumentName, FileChecker, GivenSite, LinkRules, LinkTarget, Outcome, Page, PageLink, Site, Verdict,
};

/// The directory of the sites.
fn sites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sites")
}

/// How many links of a site are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Rates {
    /// Links that are alive.
    alive: u32,
    /// Those of them that are known to be.
    ok: u32,
    /// Links that are dead.
    dead: u32,
    /// Those of them that are broken, or reported as dead on the site.
    found: u32,
}

/// A link that is not judged as it should be.
#[allow(dead_code, reason = "its fields are printed")]
#[derive(Debug)]
struct Miss {
    site: String,
    file: String,
    link: String,
    expected: &'static str,
    is: String,
}

/// The documents of a site, read as the command reads them.
struct Documents {
    site: Site,
    finder: Finder,
    pages: Vec<(String, String, Page)>,
    _folder: tempfile::TempDir,
}

impl Documents {
    fn read(name: &str, tree: &Path) -> (Self, Vec<locator_links::anchors::Anchors>) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("tree");
        copy(tree, &root);
        let rules = LinkRules {
            keeps_all: true,
            is_offline: true,
            reads_configurations: true,
            named: vec![root.clone()],
            sites: given(name, &root),
            ..LinkRules::default()
        };
        let (site, finder) = (Site::new(rules, None), Finder::new());
        let (mut pages, mut anchors) = (Vec::new(), Vec::new());
        for path in files(&root) {
            let content = fs::read(&path).unwrap();
            let Some(format) = Format::of(&path, &content) else { continue };
            let url = UriBuf::from_file_path(&path).unwrap();
            let document = Document::new(format).retrieved_by(url.as_str());
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let named = DocumentName { name: name.clone(), path: Some(&path), is_own: false };
            let read = site.read(&finder, &document, named, &mut Cursor::new(&content)).unwrap();
            pages.push((name, String::from_utf8_lossy(&content).into_owned(), read.page));
            anchors.push(read.anchors);
        }
        (Self { site, finder, pages, _folder: folder }, anchors)
    }

    /// Returns the verdict of a link as it is written in a file.
    fn verdict(&self, checker: &mut FileChecker<'_>, file: &str, written: &str) -> Option<Verdict> {
        let is_file = |name: &str| name == file || name.ends_with(&format!("/{file}"));
        let of_file = self.pages.iter().filter(|(name, ..)| is_file(name));
        let (_, text, page) = of_file.min_by_key(|(name, ..)| name.len())?;
        let links = places(file, text, written)
            .into_iter()
            .find_map(|place| page.links.iter().find(|link| place.contains(&(link.offset as usize))));
        links.map(|link| judged(checker, page, link))
    }
}

/// Returns the sites that nothing in their trees tells.
fn given(name: &str, root: &Path) -> Vec<GivenSite> {
    let directory = match name {
        "sphinx-dirhtml" => root.join("source"),
        "asciidoctor" => root.to_owned(),
        _ => return Vec::new(),
    };
    vec![GivenSite { generator: name.to_owned(), directory }]
}

fn judged(checker: &mut FileChecker<'_>, page: &Page, link: &PageLink) -> Verdict {
    match &link.target {
        LinkTarget::Known(verdict) => (**verdict).clone(),
        LinkTarget::File(file) => checker.verdict(page, link, *file),
        LinkTarget::Site(target) => checker.site_verdict(page, link, target),
        LinkTarget::Forge { file, .. } => checker.forge_verdict(page, link, *file),
        LinkTarget::Url(_) => panic!("it is offline"),
    }
}

/// Returns where a link may be written in a text, the likeliest place first.
fn places(file: &str, text: &str, written: &str) -> Vec<Range<usize>> {
    let all = |token: &str| -> Vec<Range<usize>> {
        text.match_indices(token).map(|(at, found)| at..at + found.len()).collect()
    };
    if let Some(target) = written.strip_prefix("<Link \"").and_then(|rest| rest.strip_suffix("\">")) {
        return all(&format!("<Link to=\"{target}\""));
    }
    // `:doc:`name`` may be written with a text before the name.
    if let Some((role, target)) = written.strip_suffix('`').and_then(|rest| rest.split_once('`'))
        && written.starts_with([':', '{'])
    {
        let has_role = |place: &Range<usize>| {
            let line = text[..place.start].rsplit('\n').next().unwrap_or_default();
            line.rsplit_once(role).is_some_and(|(_, after)| after.starts_with('`'))
        };
        return all(&format!("<{target}>`")).into_iter().filter(has_role).collect();
    }
    if let Some(target) = written.strip_prefix('`').and_then(|rest| rest.strip_suffix("`_")) {
        return all(&format!("{target}`_"));
    }
    if let Some(target) = written.strip_suffix("[]").or_else(|| written.strip_suffix(">>")) {
        let ends = |place: &Range<usize>| text[place.end..].starts_with(['[', ',', '>']);
        return all(target).into_iter().filter(ends).collect();
    }
    let is_markdown = [".md", ".mdx"].iter().any(|end| file.ends_with(end));
    if !is_markdown || written.starts_with("<a ") || written.starts_with('{') && !written.starts_with("{{") {
        return all(written);
    }
    if let Some(label) = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let start = all(&format!("[{label}]: "));
        return start.into_iter().map(|place| place.start..place.end + 1).collect();
    }
    let is_end = |place: &Range<usize>| text[place.end..].starts_with([')', ' ', '\n']);
    let mut places: Vec<_> = all(&format!("]({written}")).into_iter().filter(is_end).collect();
    places.extend(all(&format!("](<{}>", written.trim_matches(['<', '>']))));
    places.extend(all(written));
    places
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&path, &target).unwrap();
    }
}

/// Returns the files below a directory, in order.
fn files(directory: &Path) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![directory.to_owned()], Vec::new());
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Judges the links of a site, and notes those that are not judged as they should be.
fn check(name: &str, misses: &mut Vec<Miss>) -> Rates {
    let directory = sites().join(name);
    let (documents, mut anchors) = Documents::read(name, &directory.join("tree"));
    let mut checker = FileChecker::new(&documents.site, &documents.finder);
    for (_, _, page) in &documents.pages {
        checker.add(page, anchors.remove(0));
    }
    let mut rates = Rates::default();
    let expected = fs::read_to_string(directory.join("expected.tsv")).unwrap();
    for line in expected.lines().skip(1) {
        let [file, link, state] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{name}: {line}") };
        let verdict = documents.verdict(&mut checker, file, link);
        let outcome = verdict.as_ref().map(Verdict::outcome);
        let is_good = match state {
            "alive" => {
                let is_ok = matches!(outcome, Some(Outcome::Ok | Outcome::Redirected));
                rates.alive += 1;
                rates.ok += u32::from(is_ok);
                is_ok
            }
            _ => {
                let is_dead_on_site =
                    verdict.as_ref().is_some_and(|verdict| verdict.code == Code::DeadOnSite);
                let is_found = outcome == Some(Outcome::Broken) || is_dead_on_site;
                rates.dead += 1;
                rates.found += u32::from(is_found);
                is_found
            }
        };
        if !is_good {
            let is = verdict.map_or_else(
                || "no link".to_owned(),
                |verdict| {
                    format!("{} ({}) {:?}", verdict.code, verdict.reason.unwrap_or_default(), verdict.route)
                },
            );
            misses.push(Miss {
                site: name.to_owned(),
                file: file.to_owned(),
                link: link.to_owned(),
                expected: if state == "alive" { "alive" } else { "dead" },
                is,
            });
        }
    }
    rates
}

fn read_rates(text: &str) -> BTreeMap<String, Rates> {
    let lines = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let number = |text: &str| text.parse().unwrap();
    lines
        .map(|line| {
            let [name, alive, ok, dead, found] = line[..] else { panic!("{line:?}") };
            let rates =
                Rates { alive: number(alive), ok: number(ok), dead: number(dead), found: number(found) };
            (name.to_owned(), rates)
        })
        .collect()
}

#[test]
fn links_are_judged_as_the_generators_do() {
    let path = sites().join("rates.tsv");
    let known = read_rates(&fs::read_to_string(&path).unwrap_or_default());
    let mut names: Vec<_> = fs::read_dir(sites()).unwrap().map(|entry| entry.unwrap()).collect();
    names.retain(|entry| entry.path().is_dir());
    let mut names: Vec<_> = names.iter().map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    let mut misses = Vec::new();
    let mut written = "site\talive\tok\tdead\tfound\n".to_owned();
    let (mut lower, mut all) = (Vec::new(), Rates::default());
    for name in names {
        let rates = check(&name, &mut misses);
        writeln!(written, "{name}\t{}\t{}\t{}\t{}", rates.alive, rates.ok, rates.dead, rates.found).unwrap();
        let before = known.get(&name).copied().unwrap_or_default();
        if rates.ok < before.ok || rates.found < before.found {
            lower.push((name.clone(), before, rates));
        }
        if !is_known(&name) {
            continue;
        }
        all = Rates {
            alive: all.alive + rates.alive,
            ok: all.ok + rates.ok,
            dead: all.dead + rates.dead,
            found: all.found + rates.found,
        };
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &written).unwrap();
    }
    if std::env::var_os("SHOW").is_some() {
        println!("{written}\n{all:?}\n{misses:#?}");
    }
    let is_wrong = |miss: &&Miss| is_known(&miss.site) && miss.expected == "alive" && is_broken(&miss.is);
    let broken: Vec<_> = misses.iter().filter(is_wrong).collect();
    assert!(broken.is_empty(), "links that are alive are broken: {broken:#?}");
    assert!(
        all.ok * 100 >= all.alive * 95,
        "of {} links that are alive {} are known to be",
        all.alive,
        all.ok
    );
    assert!(all.found * 100 >= all.dead * 85, "of {} dead links {} are found", all.dead, all.found);
    assert!(lower.is_empty(), "fewer are known than before (site, before, now): {lower:#?}\n{misses:#?}");
}

/// Returns whether the links of a site are put to a generator: `rustdoc`, `javadoc` and `doxygen` check names of programs
/// themselves.
fn is_known(name: &str) -> bool {
    name == "github-pages" || locator_links::site_generators().any(|generator| name.starts_with(generator))
}

/// Returns whether the code at the beginning of a text is one of a broken link.
fn is_broken(text: &str) -> bool {
    let code = text.split_whitespace().next().and_then(Code::from_name);
    code.is_some_and(|code| code.outcome() == Outcome::Broken)
}
