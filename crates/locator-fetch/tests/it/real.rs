//! The servers of `scripts/servers`, what they serve, and questions to one of them.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a test that panics has failed")]

pub(crate) mod started;
pub(crate) mod web;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use locator::UriRef;
use locator::plan::{ObjectKind, Options, Prompt, Server as Address, Tls};
use locator_fetch::run::{FailureKind, Whole};
use locator_fetch::{FetchError, Prompter, Proof, Resume, Trust, blocking};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The servers that run.
pub(crate) struct Servers {
    pub(crate) list: Vec<Server>,
    pub(crate) manifest: PathBuf,
    /// The certificate that the servers' certificates are of.
    pub(crate) authority: PathBuf,
}

impl Servers {
    /// Starts all servers that do not run; `None` if none is wanted.
    pub(crate) fn start() -> Option<Self> {
        let listed = started::start(&[])?;
        let path = |key: &str| PathBuf::from(listed[key].as_str().unwrap());
        let list = listed["servers"].as_object().unwrap().values().map(Server::of).collect();
        Some(Self { list, manifest: path("manifest"), authority: path("ca") })
    }
}

/// A server.
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) port: u16,
    pub(crate) tls: Option<String>,
    pub(crate) accounts: Vec<Account>,
    pub(crate) refuses: BTreeSet<Vec<u8>>,
    pub(crate) omits: BTreeSet<Vec<u8>>,
    pub(crate) adds: BTreeSet<Vec<u8>>,
    pub(crate) changes: Vec<String>,
    pub(crate) has_octal_selectors: bool,
    pub(crate) has_plus: bool,
    pub(crate) first_number: u64,
}

pub(crate) struct Account {
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) login: String,
    pub(crate) absolute: Option<String>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn from_hex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap().as_bytes();
    let digit = |octet: u8| (octet as char).to_digit(16).unwrap() as u8;
    digits.chunks(2).map(|pair| 16 * digit(pair[0]) + digit(pair[1])).collect()
}

impl Server {
    fn of(value: &Value) -> Self {
        let features = &value["features"];
        let paths = |key: &str| array(&features[key]).map(from_hex).collect();
        let accounts = array(&value["accounts"]).map(|account| Account {
            user: text(&account["user"]),
            password: text(&account["password"]),
            login: text(&account["login"]),
            absolute: account["absolute"].as_str().map(str::to_owned),
        });
        Self {
            name: text(&value["name"]),
            kind: text(&value["kind"]),
            port: u16::try_from(value["port"].as_u64().unwrap()).unwrap(),
            tls: value["tls"].as_str().map(str::to_owned),
            accounts: accounts.collect(),
            refuses: paths("refuses"),
            omits: paths("omits"),
            adds: array(&features["adds"]).map(|name| text(name).into_bytes()).collect(),
            changes: array(&features["changes"]).map(text).collect(),
            has_octal_selectors: features["octal_selectors"] == true,
            has_plus: features["plus"] == true,
            first_number: features["first_number"].as_u64().unwrap_or(1),
        }
    }

    /// Returns whether octets are those of a file, as the server changes texts.
    pub(crate) fn is_text_of(&self, octets: &[u8], file: &File) -> bool {
        let changes = |change: &str| self.changes.iter().any(|one| one == change);
        let mut octets = octets.to_vec();
        if file.is(&octets) {
            return true;
        }
        if changes("crlf") {
            octets = String::from_utf8_lossy(&octets).replace("\r\n", "\n").into_bytes();
        }
        file.is(&octets)
            || changes("final line end") && octets.strip_suffix(b"\n").is_some_and(|text| file.is(text))
    }

    /// Returns the path of the file that a URL of gopher names.
    pub(crate) fn path_of(&self, url: &str) -> Option<Vec<u8>> {
        let selector = url.splitn(4, '/').nth(3)?.get(1..)?;
        // What follows a TAB is a search or Gopher+.
        let octets = unescaped(selector.as_bytes(), b'%', 16, 2);
        let mut octets = octets.split(|&octet| octet == b'\t').next()?.to_vec();
        if self.has_octal_selectors {
            octets = unescaped(&octets, b'#', 8, 3);
        }
        Some(octets.strip_prefix(b"/")?.to_vec())
    }
}

/// Replaces a mark and digits by the octet.
fn unescaped(text: &[u8], mark: u8, radix: u32, digits: usize) -> Vec<u8> {
    let (mut octets, mut i) = (Vec::new(), 0);
    while i < text.len() {
        let number = text.get(i + 1..=i + digits).filter(|_| text[i] == mark);
        let number = number.and_then(|digits| std::str::from_utf8(digits).ok());
        match number.and_then(|digits| u8::from_str_radix(digits, radix).ok()) {
            Some(octet) => {
                octets.push(octet);
                i += digits + 1;
            }
            None => {
                octets.push(text[i]);
                i += 1;
            }
        }
    }
    octets
}

/// Percent-encodes the octets of a path; "/" divides segments.
pub(crate) fn encoded(path: &[u8]) -> String {
    let encode = |&octet: &u8| match octet {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => (octet as char).to_string(),
        _ => format!("%{octet:02X}"),
    };
    path.iter().map(encode).collect()
}

/// What the servers serve.
pub(crate) struct Tree {
    pub(crate) files: Vec<File>,
    pub(crate) directories: Vec<Vec<u8>>,
    pub(crate) articles: Vec<Article>,
    pub(crate) groups: Vec<String>,
}

pub(crate) struct File {
    pub(crate) path: Vec<u8>,
    pub(crate) is_program: bool,
    content: Content,
}

pub(crate) struct Article {
    pub(crate) id: String,
    pub(crate) groups: Vec<String>,
    pub(crate) body: Content,
}

pub(crate) struct Content {
    size: u64,
    sha256: String,
}

impl Content {
    fn of(value: &Value) -> Self {
        Self { size: value["size"].as_u64().unwrap(), sha256: text(&value["sha256"]) }
    }

    pub(crate) fn is(&self, octets: &[u8]) -> bool {
        let sum: String = Sha256::digest(octets).iter().map(|octet| format!("{octet:02x}")).collect();
        octets.len() as u64 == self.size && sum == self.sha256
    }
}

impl File {
    pub(crate) fn is(&self, octets: &[u8]) -> bool {
        self.content.is(octets)
    }
}

impl Tree {
    pub(crate) fn read(manifest: &Path) -> Self {
        let manifest: Value = serde_json::from_slice(&std::fs::read(manifest).unwrap()).unwrap();
        let files = array(&manifest["files"]).map(|file| File {
            path: from_hex(&file["path"]),
            is_program: file["is_program"] == true,
            content: Content::of(file),
        });
        let articles = array(&manifest["articles"]).map(|article| Article {
            id: text(&article["id"]),
            groups: array(&article["groups"]).map(text).collect(),
            body: Content::of(&article["body"]),
        });
        Self {
            files: files.collect(),
            directories: array(&manifest["directories"]).map(from_hex).collect(),
            articles: articles.collect(),
            groups: array(&manifest["groups"]).map(text).collect(),
        }
    }

    pub(crate) fn file(&self, path: &str) -> &File {
        self.files.iter().find(|file| file.path == path.as_bytes()).unwrap()
    }

    /// Returns the names in a directory whose paths are wanted.
    pub(crate) fn names_in(
        &self,
        directory: &[u8],
        is_wanted: impl Fn(&Vec<u8>) -> bool,
    ) -> BTreeSet<Vec<u8>> {
        let paths = self.files.iter().map(|file| &file.path).chain(&self.directories);
        let name = |path: &Vec<u8>| match path.iter().rposition(|&octet| octet == b'/') {
            Some(at) => (&path[..at] == directory).then(|| path[at + 1..].to_vec()),
            None => (directory.is_empty() && !path.is_empty()).then(|| path.clone()),
        };
        paths.filter(|path| is_wanted(path)).filter_map(name).collect()
    }
}

/// An object that was fetched, or why not.
pub(crate) type Got = Result<Object, FetchError>;

#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) kind: ObjectKind,
    pub(crate) octets: Vec<u8>,
    pub(crate) whole: Whole,
}

/// Questions to a server.
pub(crate) struct Asking<'s> {
    pub(crate) server: &'s Server,
    pub(crate) tree: &'s Tree,
    /// All servers.
    pub(crate) all: &'s [Server],
    pub(crate) fetcher: blocking::Fetcher,
    faults: Mutex<Vec<String>>,
    asked: Mutex<usize>,
    start: Instant,
}

/// Answers as Joe does.
struct Joe;

impl Prompter for Joe {
    fn answer(&self, prompt: &Prompt, _: &[u8]) -> Option<Vec<u8>> {
        match prompt {
            Prompt::User => Some(b"joe".into()),
            Prompt::Password { .. } => Some(b"secret".into()),
            Prompt::Email => Some(b"joe@test.invalid".into()),
            _ => None,
        }
    }
}

impl<'s> Asking<'s> {
    pub(crate) fn new(server: &'s Server, tree: &'s Tree, servers: &'s Servers) -> Self {
        let options = Options::new().news_server(Address { host: "127.0.0.1", port: Some(server.port) });
        let options = match server.tls.as_deref() {
            Some("explicit" | "required") => options.ftp_tls(Tls::Required),
            _ => options,
        };
        let fetcher = blocking::Fetcher::for_user_input().options(options).prompter(Arc::new(Joe));
        let fetcher = fetcher.trust(Trust::File(servers.authority.clone()));
        Self {
            server,
            tree,
            all: &servers.list,
            fetcher,
            faults: Mutex::default(),
            asked: Mutex::default(),
            start: Instant::now(),
        }
    }

    /// Returns a URL of the server.
    pub(crate) fn url(&self, scheme: &str, login: &str, path: &str) -> String {
        format!("{scheme}://{login}127.0.0.1:{}/{path}", self.server.port)
    }

    pub(crate) fn ftp(&self, login: &str, path: &str) -> String {
        let is_implicit = self.server.tls.as_deref() == Some("implicit");
        self.url(if is_implicit { "ftps" } else { "ftp" }, login, path)
    }

    pub(crate) fn parse<'u>(&self, url: &'u str) -> UriRef<'u> {
        UriRef::parse(url).unwrap()
    }

    pub(crate) fn get(&self, url: &str) -> Got {
        self.get_by(&self.fetcher, url)
    }

    pub(crate) fn get_by(&self, fetcher: &blocking::Fetcher, url: &str) -> Got {
        *self.asked.lock().unwrap() += 1;
        let mut fetched = fetcher.fetch(self.parse(url))?;
        let mut octets = Vec::new();
        while let Some(chunk) = fetched.chunk()? {
            octets.extend_from_slice(&chunk);
        }
        Ok(Object { kind: fetched.kind(), octets, whole: fetched.body().finish()? })
    }

    /// Goes on with a fetch; returns where the octets begin, the proof, and the octets.
    pub(crate) fn resume(&self, url: &str, resume: Resume) -> Result<(u64, Proof, Vec<u8>), FetchError> {
        *self.asked.lock().unwrap() += 1;
        let mut fetched = self.fetcher.request(url).resume(resume).send()?;
        let mut octets = Vec::new();
        while let Some(chunk) = fetched.chunk()? {
            octets.extend_from_slice(&chunk);
        }
        Ok((fetched.resumed_from(), fetched.proof().clone(), octets))
    }

    pub(crate) fn fault(&self, url: &str, got: &Got, what: &str) {
        let got = match got {
            Ok(got) => format!("{:?}", String::from_utf8_lossy(&got.octets[..got.octets.len().min(300)])),
            Err(error) => error.to_string(),
        };
        self.faults.lock().unwrap().push(format!("{}: {url} {what}: {got}", self.server.name));
    }

    pub(crate) fn equals(&self, url: &str, got: &Got, is_right: impl Fn(&[u8]) -> bool) {
        match got {
            Ok(object) if is_right(&object.octets) => {}
            _ => self.fault(url, got, "differs"),
        }
    }

    pub(crate) fn is_whole(&self, url: &str, got: &Got, whole: Whole) {
        match got {
            Ok(object) if object.whole == whole => {}
            Ok(object) => self.fault(url, got, &format!("is {:?}, and not {whole:?}", object.whole)),
            Err(_) => {}
        }
    }

    /// The server must say no.
    pub(crate) fn refused(&self, url: &str, got: &Got) {
        match got {
            Err(error) if error.failure().unwrap().kind.is_said() => {}
            _ => self.fault(url, got, "should be refused"),
        }
    }

    pub(crate) fn failed(&self, url: &str, got: &Got, kind: &FailureKind) {
        match got {
            Err(error) if error.failure().unwrap().kind == *kind => {}
            _ => self.fault(url, got, &format!("should fail by {kind:?}")),
        }
    }

    /// Returns the faults that were found.
    pub(crate) fn report(self) -> Vec<String> {
        let (asked, seconds) = (self.asked.into_inner().unwrap(), self.start.elapsed().as_secs_f64());
        println!("{}: {asked} URLs in {seconds:.1} s", self.server.name);
        self.faults.into_inner().unwrap()
    }
}
