//! The inputs: lists of real URLs, of generated URLs of given lengths, and of hostile texts.

use std::path::{Path, PathBuf};

/// A list of texts.
pub struct Corpus {
    pub name: String,
    /// Whether the texts are real, not generated. Goals that name no list apply to real texts.
    pub is_real: bool,
    pub urls: Vec<String>,
    /// The texts as lines.
    pub lines: Vec<u8>,
    /// The concatenated texts, and the offset of each.
    pub values: Vec<u8>,
    pub offsets: Vec<u32>,
}

impl Corpus {
    fn new(name: &str, is_real: bool, urls: Vec<String>) -> Self {
        let lines = urls.iter().flat_map(|url| [url.as_bytes(), b"\n"]).flatten().copied().collect();
        let values: Vec<u8> = urls.iter().flat_map(|url| url.bytes()).collect();
        let ends = urls.iter().scan(0, |end, url| {
            *end += url.len() as u32;
            Some(*end)
        });
        let offsets = std::iter::once(0).chain(ends).collect();
        Self { name: name.to_owned(), is_real, urls, lines, values, offsets }
    }

    /// Returns the mean length of a URL in bytes.
    pub fn mean_length(&self) -> f64 {
        self.urls.iter().map(String::len).sum::<usize>() as f64 / self.urls.len() as f64
    }
}

/// Returns the argument after an option.
pub fn word<'a>(arguments: &'a [String], name: &str) -> Option<&'a str> {
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).map(String::as_str)
}

/// Returns the lists of the folder given, or the sample of the repository, then the generated
/// lists. Racers borrow from them.
pub fn all(arguments: &[String]) -> &'static [Corpus] {
    let sample = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/urls"));
    let named = arguments.iter().find(|argument| Path::new(argument).is_dir()).map(PathBuf::from);
    let mut corpora = lists(&named.unwrap_or(sample));
    corpora.extend([20, 60, 200, 600, 2_000].map(made));
    corpora.push(hostile());
    corpora.push(relative(&corpora));
    corpora.push(refused(&corpora));
    corpora.leak()
}

fn lists(folder: &Path) -> Vec<Corpus> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths.iter().map(|path| list(path)).collect()
}

fn list(path: &Path) -> Corpus {
    let octets = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = String::from_utf8_lossy(&octets);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Corpus::new(&name, name != MADE_OF_PATHS, text.lines().map(str::to_owned).collect())
}

/// The list of the folder that was generated from paths.
const MADE_OF_PATHS: &str = "file-urls";

/// The number of bytes of each list of generated URLs. It is the same for all lengths, so all lists
/// have the same place in the cache hierarchy.
const OCTETS: usize = 400_000;

/// Generates valid URLs of one length, with many forms of hosts and paths.
fn made(length: usize) -> Corpus {
    let mut chance = 1_993_u64;
    let mut below = move |limit: u64| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) % limit
    };
    let urls = (0..OCTETS / length)
        .map(|_| {
            let mut url = format!("http://h{}.org/", below(1_000));
            while url.len() < length {
                let piece = ["a", "path", "seg.ment", "/", "/x-y_z", "%20", "~", "(1)"][below(8) as usize];
                url.push_str(piece);
            }
            // An incomplete escape would make the URL invalid.
            url.truncate(length);
            let cut = url.rfind('%').filter(|at| at + 3 > url.len());
            cut.iter().for_each(|&at| url.replace_range(at.., &"e".repeat(length - at)));
            url
        })
        .collect();
    Corpus::new(&format!("made, {length} octets"), false, urls)
}

/// Generates texts that are slow to parse: invalid bytes at the end, only escapes, brackets, many
/// delimiters.
fn hostile() -> Corpus {
    let pieces = ["%41", ":", "/", "?", "@", "[", "a.", "-", "é", "%", "..", "//", "1", "&", "|", "#"];
    let starts = ["http://", "http://[", "http://a@", "//", "", "a:", "http://1.2.3."];
    let hostile =
        |start: &str, piece: &str| [1, 10, 30].map(|times| format!("{start}{}", piece.repeat(times)));
    let urls = starts.iter().flat_map(|start| pieces.iter().flat_map(move |piece| hostile(start, piece)));
    Corpus::new("hostile", false, urls.collect())
}

/// Returns relative references as pages have them: what follows the authority of real URLs, most of it an absolute path,
/// the rest below the directory of the page, or above it, or within the page.
fn relative(corpora: &[Corpus]) -> Corpus {
    let real = corpora.iter().filter(|corpus| corpus.is_real).flat_map(|corpus| corpus.urls.iter().step_by(3));
    fn after_host(url: &str) -> Option<&str> {
        let (_, rest) = url.split_once("://")?;
        Some(&rest[rest.find('/')?..])
    }
    let references = real.enumerate().filter_map(|(i, url)| {
        let path = after_host(url)?;
        Some(match i % 8 {
            0 => path.trim_start_matches('/').to_owned(),
            1 => format!("..{path}"),
            2 => format!(".{path}#top"),
            3 => format!("?page={i}"),
            _ => path.to_owned(),
        })
    });
    // A path of "//" or with a ":" in its first segment is something else.
    let is_relative = |text: &String| {
        let first = text.split(['/', '?', '#']).next().unwrap_or_default();
        !text.starts_with("//") && !first.contains(':')
    };
    Corpus::new("relative", false, references.filter(is_relative).collect())
}

/// Returns real URLs, each with something invalid inserted after "://".
fn refused(corpora: &[Corpus]) -> Corpus {
    const WRONG: [&str; 8] = ["|", " ", "\"", "%", "%z0", "<", "é", "\\"];
    let real =
        corpora.iter().filter(|corpus| corpus.is_real).flat_map(|corpus| corpus.urls.iter().step_by(3));
    let with_wrong = real.enumerate().filter_map(|(i, url)| {
        let start = url.find("://")? + 3;
        let at = start + i * 37 % (url.len() - start + 1);
        let before = url.get(..at)?;
        Some([before, WRONG[i % WRONG.len()], &url[at..]].concat())
    });
    Corpus::new("refused", false, with_wrong.collect())
}
