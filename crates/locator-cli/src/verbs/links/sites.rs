//! Which generators make the sites that documents are of: the options `--site`, `--site-only` and `--built`, and the
//! section `[site]` of the configuration; and what a run has found of sites, in words.
//!
//! The section is in `locator.toml` in the working directory, or in the file of `--config`:
//!
//! ```toml
//! [site]
//! generator = "hugo"
//! directory = "docs"
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use locator_links::{BuiltSite, FoundSite, GivenSite, Outcome, OutcomeCounts, Site, site_generators};
use locator_web::report::quantity::grouped;
use toml::{Table, Value};

use crate::exit::{CliError, wrong};
use crate::input::files::{found, in_toml};
use crate::report::plural;
use crate::terminal::{secrets, visible};

/// Which generators make sites of documents.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Sites")]
pub(super) struct GeneratorOptions {
    /// Read DIR as a site of GENERATOR, such as hugo=docs, where no configuration tells
    ///
    /// Generators are recognised by their configurations, such as mkdocs.yml. GENERATOR is one
    /// of those that docs/links.md lists.
    #[arg(long = "site", value_name = "GENERATOR=DIR", value_parser = given)]
    sites: Vec<GivenSite>,
    /// Read documents of a site only there: a link is broken if the site has no such page,
    /// also where the file exists, as a forge shows it
    #[arg(long)]
    site_only: bool,
    /// Take the pages of the site of DIR, and their ids, from the directory SITE, which its
    /// generator has written: docs=docs/public
    ///
    /// Links are reported in the sources in DIR. This knows every generator and plugin.
    #[arg(long, value_name = "DIR=SITE", value_parser = built)]
    built: Vec<BuiltSite>,
}

/// What is known of sites before documents are read.
#[derive(Clone, Debug, Default)]
pub(super) struct ChosenSites {
    pub(super) sites: Vec<GivenSite>,
    pub(super) built: Vec<BuiltSite>,
    pub(super) is_only: bool,
}

/// The name of the configuration in the working directory.
const CONFIGURATION: &str = "locator.toml";

impl GeneratorOptions {
    /// Returns what these options and the sections of configurations say, the options first.
    pub(super) fn chosen(&self, sections: Vec<SiteSection>) -> Result<ChosenSites, CliError> {
        let Self { sites, site_only, built } = self.clone();
        for GivenSite { directory, .. } in &sites {
            is_directory("--site", directory)?;
        }
        for BuiltSite { directory, output } in &built {
            is_directory("--built", directory)?;
            is_directory("--built", output)?;
        }
        let mut chosen = ChosenSites { sites, built, is_only: site_only };
        for section in sections {
            let SiteSection { generator, directory, built, is_only } = section;
            let directory = absolute(&directory);
            chosen.is_only |= is_only;
            let is_new = |own: &GivenSite| own.directory != directory;
            if let Some(generator) = generator.filter(|_| chosen.sites.iter().all(is_new)) {
                chosen.sites.push(GivenSite { generator, directory: directory.clone() });
            }
            if let Some(output) = built {
                chosen.built.push(BuiltSite { directory, output: absolute(&output) });
            }
        }
        Ok(chosen)
    }
}

/// The section `[site]` of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SiteSection {
    generator: Option<String>,
    directory: PathBuf,
    built: Option<PathBuf>,
    /// Whether documents are read only at the site.
    is_only: bool,
}

/// Reads the sections of `locator.toml` in the working directory.
pub(super) fn sections_here() -> Result<Vec<SiteSection>, CliError> {
    let Some(text) = found(Path::new(CONFIGURATION))? else { return Ok(Vec::new()) };
    let table =
        toml::from_str::<Table>(&text).map_err(|error| in_toml(&text, &error).report(CONFIGURATION))?;
    match table.iter().find(|(key, _)| *key != "site") {
        Some((key, _)) => {
            Err(wrong(&format!("{CONFIGURATION}: \"{}\": the only key is \"site\"", visible(key))))
        }
        None => table.get("site").map_or(Ok(Vec::new()), |value| {
            sections(value).map_err(|why| wrong(&format!("{CONFIGURATION}: {why}")))
        }),
    }
}

/// Reads the value of the key `site`: a table, or several.
pub(super) fn sections(value: &Value) -> Result<Vec<SiteSection>, String> {
    match value {
        Value::Table(table) => Ok(vec![section(table)?]),
        Value::Array(all) => all
            .iter()
            .map(|one| one.as_table().ok_or_else(|| "\"site\": expected tables".to_owned()).and_then(section))
            .collect(),
        _ => Err("\"site\": expected a table: [site]".to_owned()),
    }
}

fn section(table: &Table) -> Result<SiteSection, String> {
    let mut section =
        SiteSection { generator: None, directory: PathBuf::from("."), built: None, is_only: true };
    for (key, value) in table {
        let text = || {
            let text = value.as_str().filter(|text| !text.is_empty());
            text.map(str::to_owned).ok_or_else(|| format!("\"site.{}\": expected a text", visible(key)))
        };
        match key.as_str() {
            "generator" => section.generator = Some(generator(&text()?)?),
            "directory" => section.directory = below_here(key, &text()?)?,
            "built" => section.built = Some(below_here(key, &text()?)?),
            "only" => {
                let wanted = value.as_bool();
                section.is_only = wanted.ok_or_else(|| "\"site.only\": expected true or false".to_owned())?;
            }
            _ => {
                let keys = "generator, directory, built and only";
                return Err(format!("\"site.{}\": the keys are {keys}", visible(key)));
            }
        }
    }
    Ok(section)
}

/// Returns a directory that a configuration names, which comes with the documents: it is below the working directory.
fn below_here(key: &str, path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let is_below = || Some(fs::canonicalize(&path).ok()?.starts_with(here.ok()?));
    match path.is_dir() && is_below() == Some(true) {
        true => Ok(path),
        false => Err(format!("\"site.{key}\": expected a directory below the working directory")),
    }
}

/// Returns the name of a generator as the library has it.
fn generator(name: &str) -> Result<String, String> {
    let name = name.to_ascii_lowercase();
    let all: Vec<_> = site_generators().collect();
    match all.contains(&&*name) {
        true => Ok(name),
        false => {
            let near = all.iter().find(|own| locator::edit_distance(own, &name, 2).is_some());
            let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            Err(format!("the generators are {}{near}", all.join(", ")))
        }
    }
}

/// Parses `GENERATOR=DIR`.
fn given(word: &str) -> Result<GivenSite, String> {
    let (name, directory) = word.split_once('=').ok_or("expected a generator and a directory: hugo=docs")?;
    Ok(GivenSite { generator: generator(name)?, directory: absolute(Path::new(directory)) })
}

/// Parses `DIR=SITE`.
fn built(word: &str) -> Result<BuiltSite, String> {
    let (directory, output) =
        word.split_once('=').ok_or("expected the directories of the sources and of the site: docs=public")?;
    Ok(BuiltSite { directory: absolute(Path::new(directory)), output: absolute(Path::new(output)) })
}

/// Checks that an option names a directory.
fn is_directory(option: &str, directory: &Path) -> Result<(), CliError> {
    let name = || visible(&directory.to_string_lossy()).to_string();
    match directory.is_dir() {
        true => Ok(()),
        false => Err(wrong(&format!("{option}: \"{}\" is not a directory", name()))),
    }
}

fn absolute(path: &Path) -> PathBuf {
    crate::input::paths::absolute(path.as_os_str().as_encoded_bytes()).unwrap_or_else(|| path.to_owned())
}

/// How many sites are named.
const MOST_SITES: usize = 5;

/// Returns what a run has found of sites, and why links are unknown or skipped, in words.
pub(super) fn notes(site: &Site, counts: &OutcomeCounts) -> Vec<String> {
    let mut notes = Vec::new();
    let mut sites = site.found_sites();
    sites.sort_by_key(|site| std::cmp::Reverse(site.pages));
    let more = sites.len().saturating_sub(MOST_SITES) as u64;
    let mut words: Vec<_> = sites.iter().take(MOST_SITES).map(found_site).collect();
    words.extend((more > 0).then(|| format!("and {}", plural(more, "smaller site"))));
    if !words.is_empty() {
        notes.push(format!("sites: {}", words.join(", ")));
    }
    for outcome in [Outcome::Unknown, Outcome::Skipped] {
        let codes = counts.codes(outcome);
        let words: Vec<_> =
            codes.iter().map(|(code, number)| format!("{} {code}", grouped(*number))).collect();
        if !words.is_empty() {
            notes.push(format!("{outcome}: {}", words.join(", ")));
        }
    }
    notes.extend(site.unread_forms().iter().map(|form| {
        let links = plural(form.links, "link");
        format!("not understood: {links} like {}; see --site", secrets::masked(&form.example))
    }));
    notes
}

/// Returns a site in words: `Hugo in docs (120 pages)`.
fn found_site(site: &FoundSite) -> String {
    let FoundSite { generator, directory, pages, open } = site;
    let here = std::env::current_dir().unwrap_or_default();
    let name = directory.strip_prefix(&here).unwrap_or(directory).to_string_lossy();
    let place = if name.is_empty() { String::new() } else { format!(" in {}", visible(&name)) };
    let pages = plural(*pages as u64, "page");
    let open = open.as_ref().map(|open| format!("; {open}")).unwrap_or_default();
    format!("{generator}{place} ({pages}{open})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_a_configuration() {
        let read = |text: &str| {
            let table = toml::from_str::<Table>(text).unwrap();
            sections(table.get("site").unwrap())
        };
        let only = |is_only| SiteSection { generator: None, directory: ".".into(), built: None, is_only };
        assert_eq!(read("[site]\n"), Ok(vec![only(true)]));
        assert_eq!(read("[[site]]\nonly = false\n[[site]]\n"), Ok(vec![only(false), only(true)]));
        for text in [
            "site = 1",
            "[site]\nx = 1",
            "[site]\nonly = 1",
            "[site]\ndirectory = '..'",
            "[site]\nbuilt = 'none'",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
