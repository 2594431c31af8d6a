//! The race for finding URLs in running text, with few URLs and with many. The tables count the
//! hits: finders differ in what they take for a URL, so similar counts mean similar work.

use std::path::{Path, PathBuf};

use linkify::{LinkFinder, LinkKind};
use locator::text::{Finder, Preset};

use crate::corpus::Corpus;
use crate::race::Racer;

/// A text that racers borrow.
pub struct Text {
    /// The verb: finding `few` or `many`.
    pub verb: &'static str,
    pub name: String,
    text: &'static str,
}

/// The number of bytes that count as a row.
pub const ROW: usize = 1024;

/// The least number of bytes of a text: more than fits into the near caches.
const OCTETS: usize = 8 << 20;

impl Text {
    fn new(verb: &'static str, name: impl Into<String>, text: String) -> Self {
        let times = OCTETS.div_ceil(text.len().max(1));
        Self { verb, name: name.into(), text: text.repeat(times).leak() }
    }

    pub fn rows(&self) -> usize {
        self.text.len() / ROW
    }

    /// Returns the racers that search for the same; ours is first.
    pub fn racers(&self) -> Vec<Racer> {
        let text = self.text;
        let ours = |preset, name: &str| {
            let finder = Finder::new().preset(preset).domains(is_domain);
            Racer::new(name, move |judge| {
                finder.find_iter(text.as_bytes()).for_each(|hit| judge.take(hit.as_bytes(), |_| true));
            })
        };
        let linkify = |set: fn(&mut LinkFinder), name: &str| {
            let mut finder = LinkFinder::new();
            set(&mut finder);
            Racer::new(name, move |judge| {
                finder.links(text).for_each(|link| judge.take(link.as_str().as_bytes(), |_| true));
            })
        };
        vec![
            ours(Preset::Default, "locator"),
            ours(Preset::Strict, "locator, strict"),
            linkify(
                |finder| {
                    finder.kinds(&[LinkKind::Url]).url_must_have_scheme(true);
                },
                "linkify, schemes",
            ),
            ours(Preset::Relaxed, "locator, relaxed"),
            linkify(
                |finder| {
                    finder.url_must_have_scheme(false);
                },
                "linkify, guesses",
            ),
        ]
    }
}

/// Looks up the public suffix list, as the command does.
fn is_domain(name: &str) -> bool {
    psl::domain(name.as_bytes()).is_some_and(|domain| domain.suffix().is_known())
}

/// Returns the texts. Few URLs: the documents and sources of this project, and the file that
/// `--text` names. Many URLs: lists of URLs with prose between them.
pub fn texts(lists: &[&Corpus], named: Option<&str>) -> Vec<Text> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let documents = ["README.md", "DESIGN.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name));
    let documents = documents.into_iter().chain(files(&root.join("spec"), "md"));
    let mut texts = vec![
        Text::new("few", "documents", gathered(documents)),
        Text::new("few", "sources", gathered(files(&root.join("crates"), "rs"))),
    ];
    texts.extend(named.map(|path| Text::new("few", path, gathered([PathBuf::from(path)]))));
    texts.extend(
        lists
            .iter()
            .map(|corpus| Text::new("many", format!("prose and {}", corpus.name), with_prose(corpus))),
    );
    texts
}

/// Puts each URL into a sentence, as people write them.
fn with_prose(corpus: &Corpus) -> String {
    let sentence = |(i, url): (usize, &String)| match i % 4 {
        0 => format!("It was found under {url}, and that was all. "),
        1 => format!("See also the page ({url}) of last year: it says more.\n"),
        2 => format!("- {url}\n"),
        _ => format!("Read \"{url}\" first. "),
    };
    corpus.urls.iter().enumerate().map(sentence).collect()
}

fn gathered(paths: impl IntoIterator<Item = PathBuf>) -> String {
    let text =
        |path: PathBuf| std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&paths.into_iter().flat_map(text).collect::<Vec<_>>()).into_owned()
}

/// Returns the files with this extension in a folder and its subfolders, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let files = |path: PathBuf| match path.is_dir() {
        true => files(&path, ending),
        false => {
            Vec::from_iter(Some(path).filter(|path| path.extension().is_some_and(|found| found == ending)))
        }
    };
    paths.into_iter().flat_map(files).collect()
}
