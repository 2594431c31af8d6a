//! Starts the gateway, sends it requests as octets, and reads its responses.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A gateway that runs until it is dropped.
pub(crate) struct Gateway {
    pub(crate) child: Child,
    /// What it has printed: its address, with the key if there is one.
    pub(crate) address: String,
}

/// A response of the gateway.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Returns the command, with an environment that does not affect it.
pub(crate) fn locator(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locator"));
    for name in ["NNTPSERVER", "ftp_proxy", "gopher_proxy", "all_proxy", "ALL_PROXY"] {
        command.env_remove(name);
    }
    let runtime = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve");
    std::fs::create_dir_all(&runtime).unwrap();
    command
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("HOME", "/nonexistent")
        .env("XDG_RUNTIME_DIR", runtime);
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the command to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    locator(arguments).output().unwrap()
}

impl Gateway {
    /// Starts a gateway that may contact this machine.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(&[&["--allow", "127.0.0.1"], arguments].concat())
    }

    /// Starts a gateway with these options only.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut child = locator(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}"));
        Self { child, address: address.trim_end().to_owned() }
    }

    /// Returns the host and the port.
    pub(crate) fn host(&self) -> &str {
        self.address.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    pub(crate) fn port(&self) -> u16 {
        self.host().rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Returns the path of its first page, with the key if there is one.
    pub(crate) fn root(&self) -> &str {
        &self.address["http://".len() + self.host().len()..]
    }

    /// Returns the path of a URL: its page (`u`) or its octets (`raw`).
    pub(crate) fn path(&self, route: &str, url: &str) -> String {
        format!("{}{route}/{}", self.root(), encoded(url))
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(self.host()).unwrap()
    }

    /// Sends octets and reads what comes until the gateway closes the connection.
    pub(crate) fn send(&self, octets: &[u8]) -> Response {
        let mut stream = self.connect();
        // The gateway may refuse it before all is sent.
        let _ = stream.write_all(octets);
        Response::read(&mut stream)
    }

    /// Sends a request with these headers besides Host.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.host());
        headers.iter().for_each(|(name, value)| write!(head, "{name}: {value}\r\n").unwrap());
        if !body.is_empty() {
            write!(head, "Content-Length: {}\r\n", body.len()).unwrap();
        }
        self.send(format!("{head}\r\n{body}").as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], "")
    }

    /// Sends a form as a page of the gateway does.
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let fields: Vec<_> =
            fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let own = [
            ("Origin", "null"),
            ("Sec-Fetch-Site", "same-origin"),
            ("Sec-Fetch-Mode", "navigate"),
            ("Sec-Fetch-Dest", "document"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        self.request("POST", &format!("{}{path}", self.root()), &own, &fields.join("&"))
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Response {
    /// Reads a response to the end of the connection.
    pub(crate) fn read(stream: &mut TcpStream) -> Self {
        let mut octets = Vec::new();
        // A connection that is reset ends like one that is closed: what came before counts.
        let _ = stream.read_to_end(&mut octets);
        Self::parse(&octets).unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&octets)))
    }

    fn parse(octets: &[u8]) -> Option<Self> {
        let end = octets.windows(4).position(|part| part == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&octets[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let header =
            |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        let headers: Vec<_> = lines.filter_map(header).collect();
        let response = Self { status, headers, body: octets[end + 4..].to_vec() };
        let is_chunked = response.header("transfer-encoding").is_some();
        let body = if is_chunked { unchunked(&response.body)? } else { response.body.clone() };
        Some(Self { body, ..response })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        values.next().map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the value of the hidden field that proves where a form is from.
    pub(crate) fn token(&self) -> String {
        let text = self.text();
        let start = text.split_once("name=\"token\" value=\"").unwrap_or_else(|| panic!("{text}")).1;
        start.split('"').next().unwrap().to_owned()
    }
}

/// Returns the body of chunks; `None` if the last one is missing.
fn unchunked(mut octets: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = octets.windows(2).position(|part| part == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&octets[..end]).ok()?, 16).ok()?;
        octets = &octets[end + 2..];
        if length == 0 {
            return Some(body);
        }
        body.extend_from_slice(octets.get(..length)?);
        octets = octets.get(length + 2..)?;
    }
}

/// Percent-encodes a text as one segment.
pub(crate) fn encoded(text: &str) -> String {
    let octet = |octet: u8| match octet.is_ascii_alphanumeric() {
        true => char::from(octet).to_string(),
        false => format!("%{octet:02X}"),
    };
    text.bytes().map(octet).collect()
}

/// Returns the path of a file of the tests.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
