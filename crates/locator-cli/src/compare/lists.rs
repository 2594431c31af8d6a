//! Two files of URLs in; the URLs that only one of them has out, each by its key on the ladder of comparison.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{self, Read, Write};

use crate::arguments::Compared;
use crate::exit::{Status, Trouble, say};
use crate::failure::Failure;
use crate::reading;
use crate::run::Output;
use crate::show::{failure, json, visible};

/// A list, with what each of its URLs is compared by.
struct List {
    lines: Vec<u8>,
    name: String,
}

/// A URL of a list.
struct Entry<'a> {
    line: u64,
    url: &'a [u8],
    key: String,
}

/// Compares the lists as sets.
pub(super) fn run(asked: &Compared, out: &mut Output) -> Result<Status, Trouble> {
    let lists = [List::read(&asked.first)?, List::read(&asked.second)?];
    let mut are_valid = true;
    let mut entries = |list| {
        let (entries, all_valid) = List::entries(list, asked, &mut out.errors());
        are_valid &= all_valid;
        entries
    };
    let [first, second] = [entries(&lists[0]), entries(&lists[1])];
    let [only_first, only_second] = [only_in(&first, &second), only_in(&second, &first)];
    let same = only_first.is_empty() && only_second.is_empty();
    if !asked.quiet {
        for (sign, number, entries) in [("<", 1, only_first), (">", 2, only_second)] {
            for entry in entries {
                let url = String::from_utf8_lossy(entry.url);
                if asked.json {
                    json::only_in(out, number, entry.line, &url)?;
                } else if out.is_terminal {
                    writeln!(out, "{sign} {}", visible(&url))?;
                } else {
                    writeln!(out, "{sign} {url}")?;
                }
            }
        }
    }
    out.flush()?;
    if are_valid { Ok(Status::of(same)) } else { Err(Trouble::Told) }
}

/// What one list has and the other has not: each once, in its order.
fn only_in<'a, 'b>(list: &'b [Entry<'a>], other: &[Entry<'a>]) -> Vec<&'b Entry<'a>> {
    let mut seen: HashMap<&str, ()> = other.iter().map(|entry| (&*entry.key, ())).collect();
    list.iter().filter(|entry| seen.insert(&entry.key, ()).is_none()).collect()
}

impl List {
    fn read(path: &OsStr) -> Result<Self, Trouble> {
        let name = visible(&path.to_string_lossy()).to_string();
        let mut lines = Vec::new();
        let read = match name.as_str() {
            "-" => io::stdin().lock().read_to_end(&mut lines),
            _ => std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut lines)),
        };
        match read {
            Ok(_) => Ok(Self { lines, name }),
            Err(error) => {
                say(&format!("{name} cannot be read: {error}"));
                Err(Trouble::Told)
            }
        }
    }

    /// The URLs, and whether all lines are; empty lines are passed over.
    fn entries<'a>(&'a self, asked: &Compared, errors: &mut Output) -> (Vec<Entry<'a>>, bool) {
        let (mut entries, mut are_valid) = (Vec::new(), true);
        for (url, line) in self.lines.split(|&octet| octet == b'\n').zip(1..) {
            let url = url.strip_suffix(b"\r").unwrap_or(url);
            if url.is_empty() {
                continue;
            }
            match key(url, asked) {
                Ok(key) => entries.push(Entry { line, url, key }),
                Err(why) => {
                    are_valid = false;
                    failure::write(errors, &format!("{}:{line}: ", self.name), url, &why);
                }
            }
        }
        (entries, are_valid)
    }
}

fn key(url: &[u8], asked: &Compared) -> Result<String, Failure> {
    let reference = reading::read(url, asked.by.edition)?.reference;
    Ok(asked.ladder().key(reference))
}
