//! Databases: documents, and the records that a server makes of them.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;

use super::message::{push, push_number};

/// A document of a database.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The identifier, which a client sends back as it is.
    pub identifier: Vec<u8>,
    /// The headline.
    pub headline: Vec<u8>,
    /// The score that a search gives the document.
    pub score: u64,
    /// The types that it can be retrieved as, and the octets of each.
    pub contents: Vec<(String, Vec<u8>)>,
    /// The date; "0" if it is not known.
    pub date: String,
    /// Words that find the document besides those of its first content.
    pub words: String,
}

/// A database.
#[derive(Clone, Debug, Default)]
pub struct Database {
    /// The name, which is a path; its last part is a name of the database, too.
    pub name: String,
    /// The documents.
    pub documents: Vec<Document>,
    /// The text of the catalog, which a search without a result finds.
    pub catalog: Vec<u8>,
}

/// Returns the identifier of a document: its server and database, its name in the database, and the
/// same of the distributor. Without a server only database, name and the last field are there.
#[must_use]
pub fn identifier(server: Option<&str>, database: &str, name: &[u8]) -> Vec<u8> {
    let mut fields: Vec<(u32, &[u8])> = vec![(2, database.as_bytes()), (3, name)];
    if let Some(server) = server {
        fields.insert(0, (1, server.as_bytes()));
        fields.extend([(4, server.as_bytes()), (5, database.as_bytes()), (6, name)]);
    }
    // The copyright disposition.
    fields.push((7, &[0]));
    let mut identifier = Vec::new();
    fields.into_iter().for_each(|(number, value)| push(&mut identifier, number, value));
    identifier
}

/// Returns the words of a text, in lower case.
fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let words = text.split(|octet| octet.is_ascii() && !octet.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).map(<[u8]>::to_ascii_lowercase)
}

impl Document {
    fn of_file(database: &str, name: &[u8], octets: Vec<u8>) -> Self {
        let has_controls = octets.iter().any(|octet| matches!(octet, 0..=6 | 0x0E..=0x1A));
        let local = [format!("0 {} ", octets.len()).as_bytes(), name].concat();
        Self {
            identifier: identifier(Some("localhost:210"), database, &local),
            headline: name.into(),
            score: 1000,
            contents: vec![(if has_controls { "BINARY" } else { "TEXT" }.into(), octets)],
            date: "0".into(),
            words: String::from_utf8_lossy(name).into_owned(),
        }
    }

    /// Returns how many words of the document are wanted.
    fn matches(&self, wanted: &[Vec<u8>]) -> usize {
        let content = self.contents.first().map(|(_, octets)| octets.as_slice()).unwrap_or_default();
        // A word of one letter is not in the index.
        let words = words(content).chain(words(self.words.as_bytes())).filter(|word| word.len() > 1);
        words.filter(|word| wanted.contains(word)).collect::<HashSet<_>>().len()
    }

    /// Returns the octets of the document as a type; those of the first one if it has no such type.
    pub(super) fn content(&self, wtype: &[u8]) -> &[u8] {
        let own = self.contents.iter().find(|(own, _)| own.as_bytes() == wtype);
        own.or(self.contents.first()).map(|(_, octets)| octets.as_slice()).unwrap_or_default()
    }
}

impl Database {
    /// Returns the database of the files in a directory and those below it, but for those named
    /// `.cache…`. A search for a word finds the texts that contain it and the files that have it in their
    /// names.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn of_directory(name: &str, directory: &Path) -> io::Result<Self> {
        let mut database = Self { name: name.into(), ..Self::default() };
        let mut directories = vec![directory.to_owned()];
        while let Some(next) = directories.pop() {
            let mut paths: Vec<_> = fs::read_dir(next)?.collect::<Result<Vec<_>, _>>()?;
            paths.sort_by_key(fs::DirEntry::path);
            // pygopherd keeps what it remembers of a directory in it.
            paths.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b".cache"));
            for path in paths.into_iter().map(|entry| entry.path()) {
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let name = path.strip_prefix(directory).unwrap_or(&path).as_os_str().as_encoded_bytes();
                    database.documents.push(Document::of_file(&database.name, name, fs::read(&path)?));
                }
            }
        }
        database.catalog = format!("{} documents\n", database.documents.len()).into_bytes();
        Ok(database)
    }

    /// Returns whether a client means this database.
    pub(super) fn is_named(&self, name: &[u8]) -> bool {
        self.name.as_bytes() == name || self.short_name().as_bytes() == name
    }

    fn short_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the records that a search for words finds, the best first.
    pub(super) fn search(&self, seed_words: &[u8], most: usize) -> Vec<Vec<u8>> {
        let wanted: Vec<_> = words(seed_words).collect();
        let found =
            self.documents.iter().map(|document| (document.score, document.matches(&wanted), document));
        let mut found: Vec<_> = found.filter(|(_, matches, _)| *matches > 0).collect();
        found.sort_by_key(|&(score, matches, _)| std::cmp::Reverse((score, matches)));
        let name = self.short_name();
        if wanted.is_empty() {
            let description = format!("Information on database: {name}");
            let catalog = format!("Catalog for database: {name}");
            return vec![
                self.own_record("src", "WSRC", 1000, &description, &self.description()),
                self.own_record("cat", "TEXT", 1000, &catalog, &self.catalog),
            ];
        }
        if found.is_empty() {
            let headline = format!("Search produced no result. Here's the Catalog for database: {name}");
            return vec![self.own_record("cat", "TEXT", 0, &headline, &self.catalog)];
        }
        found.into_iter().take(most).map(|(.., document)| self.record(document)).collect()
    }

    /// Returns the octets of a document, as a type.
    pub(super) fn content(&self, identifier: &[u8], wtype: &[u8]) -> Option<Vec<u8>> {
        let own = |extension| identifier == self.own_identifier(extension);
        if own("cat") {
            return Some(self.catalog.clone());
        }
        if own("src") {
            return Some(self.description());
        }
        let document = self.documents.iter().find(|document| document.identifier == identifier)?;
        Some(document.content(wtype).to_vec())
    }

    /// The description of the database, which a client keeps to find it again.
    fn description(&self) -> Vec<u8> {
        let name = self.short_name();
        format!("(:source\n   :version  3\n   :database-name \"{name}\"\n   :maintainer \"nobody@test.invalid\"\n)\n")
            .into_bytes()
    }

    fn own_identifier(&self, extension: &str) -> Vec<u8> {
        identifier(None, &self.name, format!("0 0 {}.{extension}", self.name).as_bytes())
    }

    fn record(&self, document: &Document) -> Vec<u8> {
        let content = document.content(b"");
        let mut record = Vec::new();
        push(&mut record, 116, &document.identifier);
        push_number(&mut record, 118, document.score);
        // The best match.
        push_number(&mut record, 119, 0);
        let types = document.contents.iter().map(|(wtype, _)| wtype.as_str());
        self.push_facts(&mut record, content, types);
        push(&mut record, 122, document.date.as_bytes());
        push(&mut record, 123, &document.headline);
        record
    }

    /// Returns the record of a file of the database itself.
    fn own_record(
        &self,
        extension: &str,
        wtype: &str,
        score: u64,
        headline: &str,
        content: &[u8],
    ) -> Vec<u8> {
        let mut record = Vec::new();
        push(&mut record, 116, &self.own_identifier(extension));
        push_number(&mut record, 118, score);
        self.push_facts(&mut record, content, [wtype].into_iter());
        push(&mut record, 123, headline.as_bytes());
        record
    }

    /// Appends size, lines, types and source.
    fn push_facts<'t>(&self, record: &mut Vec<u8>, content: &[u8], types: impl Iterator<Item = &'t str>) {
        push_number(record, 120, content.len() as u64);
        push_number(record, 131, content.split_inclusive(|&octet| octet == b'\n').count() as u64);
        let mut block = Vec::new();
        types.for_each(|wtype| push(&mut block, 133, wtype.as_bytes()));
        push(record, 132, &block);
        push(record, 121, self.name.as_bytes());
    }
}
