//! The cases: mutated texts of lists of URLs and of the browsers' tests.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The attributes that have a setter, by their names in JavaScript.
pub const ATTRIBUTES: [&str; 10] =
    ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];

/// What implementations are asked for.
pub enum Case {
    /// Parses a text, perhaps with a base.
    Parse { text: String, base: Option<String> },
    /// Parses a text, and sets an attribute.
    Set { text: String, attribute: &'static str, value: String },
}

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse { text, base: None } => write!(f, "{text:?}"),
            Self::Parse { text, base: Some(base) } => write!(f, "{text:?} with the base {base:?}"),
            Self::Set { text, attribute, value } => write!(f, "{text:?}.{attribute} = {value:?}"),
        }
    }
}

/// A generator of numbers: the same seed makes the same cases.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        number as usize % limit.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// What mutations insert: the characters and words that parsers treat in their own way.
const PIECES: &[&str] = &[
    "/",
    "//",
    "///",
    "\\",
    "\\\\",
    ":",
    "::",
    "@",
    "?",
    "#",
    "[",
    "]",
    "[::1]",
    "[1:2::3]",
    "[::127.0.0.1]",
    ".",
    "..",
    "/./",
    "/../",
    "%2e",
    "%2E%2e",
    "%",
    "%%",
    "%4",
    "%41",
    "%00",
    "%ff",
    "%zz",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u{1}",
    "\u{7f}",
    "'",
    "\"",
    "<",
    ">",
    "^",
    "`",
    "{",
    "}",
    "|",
    "~",
    "&",
    "=",
    "+",
    ";",
    "$",
    "http:",
    "https://",
    "file:",
    "file://",
    "ftp:",
    "ws:",
    "wss:",
    "blob:",
    "mailto:",
    "foo:",
    "foo://",
    "a",
    "B",
    "0",
    "0x7f",
    "1.2.3.4",
    "256",
    "80",
    "443",
    "65536",
    "C:",
    "C|",
    "xn--a",
    "localhost",
    "\u{e9}",
];

/// Pieces beyond Latin: full width, dots, a letter that disappears, writing from right to left, digits.
const WIDE_PIECES: &[&str] = &[
    "\u{ff41}",
    "\u{3002}",
    "\u{ad}",
    "\u{5d0}",
    "\u{627}",
    "\u{661}",
    "\u{200d}",
    "\u{df}",
    "\u{1f600}",
    "\u{301}",
    "\u{fffd}",
    "\u{fdd0}",
];

/// The texts that cases are made of.
pub struct Seeds {
    texts: Vec<String>,
    bases: Vec<String>,
    values: Vec<String>,
    urls: Vec<String>,
}

impl Seeds {
    /// Reads the seeds; folders beside the repository may be missing.
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let shared = root.join("../../shared");
        let mut seeds = Self {
            texts: vec!["https://example.com/a?b#c".into()],
            bases: [
                "http://b/c/d?e#f",
                "https://u:p@h.example:8443/a/b/",
                "file:///C:/d/e",
                "foo://h/a/b",
                "x:/y/z",
            ]
            .map(Into::into)
            .into(),
            values: vec!["".into(), "a".into(), "h:80".into()],
            urls: Vec::new(),
        };
        for folder in [root.join("testdata/urls"), shared.join("data/urls")] {
            for path in lists_in(&folder) {
                let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
                seeds.urls.extend(text.lines().map(str::to_owned));
            }
        }
        let wpt = shared.join("wpt");
        seeds.read_tests(&wpt);
        eprintln!("{} URLs, {} texts of tests", seeds.urls.len(), seeds.texts.len());
        seeds
    }

    fn read_tests(&mut self, folder: &Path) {
        let read = |name: &str| -> Value {
            let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
            // Lone surrogates are no text.
            let text = text.replace("\\uD8", "\\uFF").replace("\\uDF", "\\uFF").replace("\\uDC", "\\uFF");
            serde_json::from_str(&text).unwrap_or_default()
        };
        let text_of = |case: &Value, key: &str| case[key].as_str().map(str::to_owned);
        for case in read("urltestdata.json").as_array().into_iter().flatten() {
            self.texts.extend(text_of(case, "input"));
            self.bases.extend(text_of(case, "base"));
        }
        for case in read("toascii.json").as_array().into_iter().flatten() {
            self.texts.extend(text_of(case, "input").map(|host| format!("https://{host}/x")));
            self.values.extend(text_of(case, "input"));
        }
        for (_, cases) in read("setters_tests.json").as_object().into_iter().flatten() {
            for case in cases.as_array().into_iter().flatten() {
                self.texts.extend(text_of(case, "href"));
                self.values.extend(text_of(case, "new_value"));
            }
        }
    }

    /// Makes a case.
    pub fn case(&self, random: &mut Random) -> Case {
        let text = self.text(random);
        if random.below(5) < 2 {
            let attribute = ATTRIBUTES[random.below(ATTRIBUTES.len())];
            let value = match random.below(3) {
                0 => self.text(random),
                _ => mutated(random.pick(&self.values).clone(), 3, random),
            };
            return Case::Set { text, attribute, value };
        }
        let base = match random.below(3) {
            0 => None,
            1 => Some(random.pick(&self.bases).clone()),
            _ => Some(mutated(random.pick(&self.bases).clone(), 2, random)),
        };
        Case::Parse { text, base }
    }

    fn text(&self, random: &mut Random) -> String {
        let from = match random.below(4) {
            0 if !self.urls.is_empty() => &self.urls,
            _ => &self.texts,
        };
        mutated(random.pick(from).clone(), 4, random)
    }
}

fn lists_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths
}

/// Changes a text at up to `most` places.
fn mutated(text: String, most: usize, random: &mut Random) -> String {
    let mut text = text;
    for _ in 0..random.below(most + 1) {
        let place = |random: &mut Random, text: &str| {
            let places: Vec<_> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            *random.pick(&places)
        };
        let (a, b) = (place(random, &text), place(random, &text));
        let (from, to) = (a.min(b), a.max(b));
        match random.below(8) {
            0 => {
                let end = text[from..].char_indices().nth(3).map_or(text.len(), |(at, _)| from + at);
                text.replace_range(from..to.min(end), "");
            }
            1 => {
                let part = text[from..to].to_owned();
                text.insert_str(a, &part);
            }
            2 => text.insert_str(a, WIDE_PIECES[random.below(WIDE_PIECES.len())]),
            3 => text = text[from..].to_owned(),
            _ => text.insert_str(a, PIECES[random.below(PIECES.len())]),
        }
    }
    text
}
