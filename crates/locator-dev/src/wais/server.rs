//! What a server answers to each request.

#![expect(clippy::disallowed_types, reason = "a server for tests")]

use super::database::Database;
use super::message::{divide, fields, packet, push, push_diagnostic, push_number, read_packet, value};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

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
            [SEARCH, _, _, _, _, _, _, _, _, _, _, options @ ..] => self.search(&fields(options), user),
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

    fn search(&self, options: &[(u32, &[u8])], user: &[u8]) -> Option<Vec<u8>> {
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
    fn find(&self, name: &[u8], query: &[(u32, &[u8])], reference: Option<&[u8]>) -> Vec<u8> {
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
    fn retrieve(&self, query: &[(u32, &[u8])], reference: Option<&[u8]>) -> Option<Vec<u8>> {
        let term = |attributes: &[u8]| {
            let terms = query.windows(2).find(|pair| pair[0] == (44, attributes) && pair[1].0 == 45);
            terms.map(|pair| pair[1].1)
        };
        let identifier = term(b"un re ig ig ig ig")?;
        let wtype = term(b"wt re ig ig ig ig")?;
        let numbers = fields(identifier);
        if let [(3, _)] = numbers[..] {
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
