//! A server of WAIS for tests, as freeWAIS-sf was one: databases with documents, searches by words, and
//! documents in slices. Written from what real servers sent (`testdata/captures/wais`), and without the
//! code of the client, so that one checks the other.
//!
//! A [`Server`] answers requests about a [`Database`] of [`Document`]s; [`fruit`] is a database of a few
//! documents that show what identifiers, types and sizes can be. Packets and fields are at the end.

#![expect(clippy::disallowed_types, reason = "a server for tests")]

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::{fs, thread};

/// A server of databases.
#[derive(Clone, Debug)]
pub struct Server {
    /// The databases.
    pub databases: Vec<Database>,
    /// The largest message that the server sends.
    pub largest: u64,
}

// Types of APDUs.
const INIT: u8 = 20;
const SEARCH: u8 = 22;

impl Server {
    /// Returns the server of some databases, which sends messages of up to 100,000 octets.
    #[must_use]
    pub fn new(databases: Vec<Database>) -> Self {
        Self { databases, largest: 100_000 }
    }

    /// Returns the packet that answers the APDU of a request. `None` if the server closes the connection
    /// instead: it fails at what clients do not send.
    #[must_use]
    pub fn answer(&self, apdu: &[u8]) -> Option<Vec<u8>> {
        let (counted, user) = divide(apdu)?;
        match counted {
            [INIT, options @ ..] => Some(self.init(options)),
            // Three sizes of result sets, and whether an earlier one is replaced.
            [SEARCH, _, _, _, _, _, _, _, _, _, _, options @ ..] => {
                self.answer_search(&fields(options), user)
            }
            _ => None,
        }
    }

    fn init(&self, options: &[u8]) -> Vec<u8> {
        let options = fields(options);
        let largest = |tag| value(&options, tag).map_or(self.largest, number).min(self.largest);
        let mut counted = vec![21, 1];
        push(&mut counted, 3, &[0x80]);
        push(&mut counted, 4, &[0x80]);
        push_size(&mut counted, 5, largest(5));
        push_size(&mut counted, 6, largest(6));
        push(&mut counted, 8, b"LS6");
        push(&mut counted, 9, b"University of Dortmund Informatik VI");
        push(&mut counted, 10, b"2.2.8 string");
        packet(&counted, b"\x63\x06\x64\x01\0\x65\x01\0")
    }

    fn answer_search(&self, options: &[Field<'_>], user: &[u8]) -> Option<Vec<u8>> {
        let reference = value(options, 2);
        let name = value(options, 18).unwrap_or_default();
        let user = fields(user);
        match value(options, 20)? {
            b"3" => {
                let query = fields(value(&user, 99)?);
                Some(self.find(name, &query, reference))
            }
            b"1" => self.retrieve(&fields(value(&user, 21)?), reference),
            _ => None,
        }
    }

    /// Finds documents by words: relevance feedback without documents.
    fn find(&self, name: &[u8], query: &[Field<'_>], reference: Option<&[u8]>) -> Vec<u8> {
        let words = value(query, 106).unwrap_or_default();
        let most = value(query, 114).map_or(40, number);
        let Some(database) = self.databases.iter().find(|database| database.is_named(name)) else {
            let text = [b"The following database is not available: ", name].concat();
            let mut answer = Answer::new(0);
            answer.diagnose(b"S1", &text, 0);
            return answer.packet(reference);
        };
        // As freeWAIS-sf has it, a search that finds something has the status of one that failed.
        let mut answer = Answer::new(1);
        for record in database.search(words, usize::try_from(most).unwrap_or(usize::MAX)) {
            if answer.user.len() + record.len() + 100 < self.largest as usize {
                answer.add(150, &record);
            }
        }
        answer.packet(reference)
    }

    /// Returns a part of a document.
    fn retrieve(&self, query: &[Field<'_>], reference: Option<&[u8]>) -> Option<Vec<u8>> {
        let term = |attributes: &[u8]| {
            let terms = query
                .windows(2)
                .find(|pair| pair[0] == Field { tag: 44, value: attributes } && pair[1].tag == 45);
            terms.map(|pair| pair[1].value)
        };
        let identifier = term(b"un re ig ig ig ig")?;
        let wtype = term(b"wt re ig ig ig ig")?;
        let numbers = fields(identifier);
        if let [Field { tag: 3, .. }] = numbers[..] {
            return None;
        }
        let mut answer = Answer::new(0);
        let content = self.databases.iter().find_map(|database| database.content(identifier, wtype));
        let offsets = (term(b"wb ro ig ig ig ig"), term(b"wb rl ig ig ig ig"));
        match (content, offsets) {
            (None, _) => answer.diagnose(b"SF", b"Missing DocID in request", 1),
            (_, (None, _) | (_, None)) => answer.diagnose(b"SF", b"Bad ChunkType in Request", 1),
            (Some(content), (Some(start), Some(end))) => {
                let asked = digits(end);
                let end = asked.min(content.len());
                let slice = &content[digits(start).min(end)..end];
                // What does not fit into a message is not sent.
                let room = (self.largest as usize).saturating_sub(identifier.len() + 60);
                answer.add_slice(identifier, &slice[..slice.len().min(room)]);
                if asked > content.len() {
                    answer.diagnose(b"SF", b"Request out of range", 1);
                }
            }
        }
        Some(answer.packet(reference))
    }
}

/// A response to a search that is being written.
struct Answer {
    status: u8,
    records: u32,
    user: Vec<u8>,
}

impl Answer {
    const fn new(status: u8) -> Self {
        Self { status, records: 0, user: Vec::new() }
    }

    fn add(&mut self, tag: u32, record: &[u8]) {
        self.records += 1;
        push(&mut self.user, tag, record);
    }

    fn add_slice(&mut self, identifier: &[u8], slice: &[u8]) {
        let mut group = Vec::new();
        push(&mut group, 116, identifier);
        // The version.
        push_number(&mut group, 117, 0);
        push(&mut group, 127, slice);
        self.add(153, &group);
    }

    fn diagnose(&mut self, code: &[u8; 2], text: &[u8], flag: u8) {
        self.records += 1;
        push_diagnostic(&mut self.user, code, text, flag);
    }

    fn packet(self, reference: Option<&[u8]>) -> Vec<u8> {
        let mut counted = vec![23, self.status, 0, 0, 0];
        counted.extend(&self.records.to_be_bytes()[1..]);
        counted.extend([0, 0, 0]);
        push_number(&mut counted, 27, 0);
        if let Some(reference) = reference {
            push(&mut counted, 2, reference);
        }
        let mut user = Vec::new();
        push(&mut user, 99, &self.user);
        packet(&counted, &user)
    }
}

/// Appends a size in three octets.
fn push_size(to: &mut Vec<u8>, tag: u32, size: u64) {
    push(to, tag, &size.to_be_bytes()[5..]);
}

fn number(octets: &[u8]) -> u64 {
    octets.iter().fold(0, |number, &octet| number << 8 | u64::from(octet))
}

fn digits(octets: &[u8]) -> usize {
    std::str::from_utf8(octets).ok().and_then(|digits| digits.parse().ok()).unwrap_or_default()
}

impl Server {
    /// Answers connections to a port of 127.0.0.1 until the program ends; returns the port, which is a
    /// free one if 0 is asked for.
    ///
    /// # Errors
    ///
    /// The port is taken.
    pub fn start(self, port: u16) -> io::Result<u16> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let server = Arc::new(self);
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let server = Arc::clone(&server);
                thread::spawn(move || server.serve(&connection));
            }
        });
        Ok(port)
    }

    /// Answers the requests of a connection.
    fn serve(&self, mut connection: &TcpStream) {
        let _ = connection.set_nodelay(true);
        while let Ok(Some(apdu)) = read_packet(&mut connection) {
            let Some(answer) = self.answer(&apdu) else { return };
            if connection.write_all(&answer).is_err() {
                return;
            }
        }
    }
}

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
    fn content(&self, wtype: &[u8]) -> &[u8] {
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
    fn is_named(&self, name: &[u8]) -> bool {
        self.name.as_bytes() == name || self.short_name().as_bytes() == name
    }

    fn short_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the records that a search for words finds, the best first.
    fn search(&self, seed_words: &[u8], most: usize) -> Vec<Vec<u8>> {
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
    fn content(&self, identifier: &[u8], wtype: &[u8]) -> Option<Vec<u8>> {
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

/// Returns the database "fruit". Each of its documents is found by "apple", and each but the last one by a
/// word of its own: banana, pears, long, nul, latin, semicolon, tab, picture.
#[must_use]
pub fn fruit() -> Database {
    let name = "/srv/wais/fruit";
    let document = |path: &[u8], score, headline: &str, text: Vec<u8>| Document {
        identifier: identifier(
            Some("localhost:210"),
            name,
            &[format!("0 {} ", text.len()).as_bytes(), path].concat(),
        ),
        headline: headline.into(),
        score,
        contents: vec![("TEXT".into(), text)],
        date: "0".into(),
        words: "apple".into(),
    };
    let text = |lines: &str| lines.as_bytes().to_vec();
    let mut picture =
        document(b"/fruit/picture", 300, "A picture of an apple", text("The picture is not seen.\n"));
    picture.contents.push(("GIF".into(), b"GIF89a\x01\0\x01\0\0\0\0;".into()));
    picture.date = "950131".into();
    let documents = vec![
        document(b"/fruit/banana.txt", 1000, "Bananas", text("A banana is not an apple.\n")),
        document(
            b"/fruit/apple.txt",
            900,
            "Apples and pears",
            text("Apples and pears\nPears are not apples.\n"),
        ),
        document(b"/fruit/long.txt", 800, "A long text", long()),
        document(b"/fruit/\0\x01", 700, "NUL in the identifier", text("The name contains nul.\n")),
        document(
            b"/fruit/caf\xE9\xFF",
            600,
            "Latin 1 in the identifier",
            text("The name is in latin letters.\n"),
        ),
        document(
            b"/a;b=c/d?e#f%41+g h",
            500,
            "Delimiters: ; = / ? # % + and a space",
            text("A semicolon is one.\n"),
        ),
        document(b"/fruit/tab", 400, "A headline\twith a tab\nand two lines", text("A tab.\n")),
        picture,
        document(b"/fruit/empty", 200, "An empty document", Vec::new()),
    ];
    let catalog =
        documents.iter().flat_map(|document| [document.headline.as_slice(), b"\n"].concat()).collect();
    Database { name: name.into(), documents, catalog }
}

/// A text of more than 100 KB, whose lines are numbered.
fn long() -> Vec<u8> {
    (0..4_000).flat_map(|number| format!("{number:5} a line of the long text\n").into_bytes()).collect()
}

/// The number of octets of a header.
const HEADER: usize = 25;

/// The largest request that is read.
const LARGEST_REQUEST: usize = 1 << 20;

/// Reads the APDU of the next packet; `None` at the end of the connection.
fn read_packet(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut header = [0; HEADER];
    if from.read(&mut header[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut header[1..])?;
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "this is no header of WAIS");
    let length = std::str::from_utf8(&header[..10]).ok().and_then(|digits| digits.parse().ok());
    let length: usize = length.filter(|&length| length <= LARGEST_REQUEST).ok_or_else(wrong)?;
    if !header[10..].starts_with(b"z2") || header[22..] != *b"  0" {
        return Err(wrong());
    }
    let mut apdu = vec![0; length];
    from.read_exact(&mut apdu)?;
    Ok(Some(apdu))
}

/// Returns a packet: the header, the length of what is counted, what is counted, the user information.
fn packet(counted: &[u8], user: &[u8]) -> Vec<u8> {
    let length = u16::try_from(counted.len()).unwrap_or(u16::MAX).to_be_bytes();
    let apdu = [&length, counted, user].concat();
    let mut packet = format!("{:010}z2wais        0", apdu.len()).into_bytes();
    packet.extend(apdu);
    packet
}

/// Divides an APDU into what is counted and the user information.
fn divide(apdu: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = apdu.split_at_checked(2)?;
    rest.split_at_checked(256 * usize::from(length[0]) + usize::from(length[1]))
}

/// A field of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field<'a> {
    tag: u32,
    value: &'a [u8],
}

/// What was read at the start of some octets, and what follows it.
struct ReadPrefix<'a, T> {
    read: T,
    rest: &'a [u8],
}

/// Returns the fields of some octets; those after a wrong one are left out.
fn fields(mut octets: &[u8]) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    while let Some(ReadPrefix { read, rest }) = read_field(octets) {
        fields.push(read);
        octets = rest;
    }
    fields
}

fn read_field(octets: &[u8]) -> Option<ReadPrefix<'_, Field<'_>>> {
    let tag = read_integer(octets)?;
    let length = read_integer(tag.rest)?;
    let (value, rest) = length.rest.split_at_checked(length.read as usize)?;
    Some(ReadPrefix { read: Field { tag: tag.read, value }, rest })
}

fn read_integer(octets: &[u8]) -> Option<ReadPrefix<'_, u32>> {
    let end = octets.iter().position(|octet| octet & 0x80 == 0)? + 1;
    let value = octets[..end].iter().fold(0_u32, |value, octet| value << 7 | u32::from(octet & 0x7F));
    Some(ReadPrefix { read: value, rest: &octets[end..] })
}

/// Returns the value of the first field with a tag.
fn value<'a>(fields: &[Field<'a>], tag: u32) -> Option<&'a [u8]> {
    fields.iter().find(|field| field.tag == tag).map(|field| field.value)
}

/// Appends a field.
fn push(to: &mut Vec<u8>, tag: u32, value: &[u8]) {
    push_integer(to, tag as usize);
    push_integer(to, value.len());
    to.extend_from_slice(value);
}

/// Appends a field whose value is a number, in as few octets as it needs.
fn push_number(to: &mut Vec<u8>, tag: u32, number: u64) {
    let octets = number.to_be_bytes();
    let start = octets.iter().position(|&octet| octet != 0).unwrap_or(octets.len() - 1);
    push(to, tag, &octets[start..]);
}

fn push_integer(to: &mut Vec<u8>, value: usize) {
    let mut groups = vec![(value & 0x7F) as u8];
    let mut rest = value >> 7;
    while rest > 0 {
        groups.push((rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    to.extend(groups.into_iter().rev());
}

/// Appends a diagnostic, whose length has two octets: a code, a text and a flag, and an end.
fn push_diagnostic(to: &mut Vec<u8>, code: &[u8; 2], text: &[u8], flag: u8) {
    to.push(28);
    to.extend(u16::try_from(text.len() + 3).unwrap_or(u16::MAX).to_be_bytes());
    to.extend_from_slice(code);
    to.extend_from_slice(text);
    to.extend([flag, 0x1D]);
}
