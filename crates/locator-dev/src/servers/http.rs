//! A server of HTTP/1.1 (RFC 9112): a function answers each [`Request`] with octets.
//!
//! A connection is kept until an answer says `Connection: close`. [`answer`] and [`ok`] write usual answers.
//! Where a server does more than to answer, [`Request::read`] reads a request of a
//! [`Connection`].
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpStream;
//!
//! use locator_dev::servers::http::{HttpServer, answer};
//!
//! let server = HttpServer::new(|request| answer("404 Not Found", "Connection: close\r\n", &request.line));
//! let mut client = TcpStream::connect(server.address)?;
//! client.write_all(b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n")?;
//! let mut text = String::new();
//! client.read_to_string(&mut text)?;
//! assert!(text.starts_with("HTTP/1.1 404 Not Found\r\n") && text.ends_with("\r\n\r\nGET /a"));
//! assert_eq!(server.requests()[0].field("host"), Some("h"));
//! # Ok::<_, std::io::Error>(())
//! ```

use std::io::{self, BufRead};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Connection;

/// A request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Method and target: `GET /a`.
    pub line: String,
    /// The headers, `name: value`.
    pub fields: Vec<String>,
    /// The body, of which invalid UTF-8 is replaced by U+FFFD.
    pub body: String,
}

impl Request {
    /// Reads a request, and sends 100 (Continue) if the client waits for that. `None` if the client has closed
    /// the connection.
    ///
    /// # Errors
    ///
    /// The connection was reset, or ended within a request.
    pub fn read(connection: &mut Connection) -> io::Result<Option<Self>> {
        let Some(first) = connection.line()? else { return Ok(None) };
        let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
        let first = text(&first);
        let line = first.strip_suffix(" HTTP/1.1").unwrap_or(&first).to_owned();
        let mut fields = Vec::new();
        loop {
            match connection.line()? {
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
                Some(line) if line.is_empty() => break,
                Some(line) => fields.push(text(&line)),
            }
        }
        let mut request = Self { line, fields, body: String::new() };
        if request.field("expect").is_some() {
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let length = request.field("content-length").and_then(|length| length.parse().ok());
        let body = match length {
            Some(length) => read_some(connection, length)?,
            None if request.field("transfer-encoding").is_some() => read_chunks(connection)?,
            None => Vec::new(),
        };
        request.body = text(&body);
        Ok(Some(request))
    }

    /// Returns the value of the first header of this name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find_map(|field| {
            let (own, value) = field.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// Returns the target: `/a`.
    #[must_use]
    pub fn target(&self) -> &str {
        self.line.split_once(' ').map_or("", |(_, target)| target)
    }
}

fn read_some(from: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    let mut octets = vec![0; length];
    from.read_exact(&mut octets).map(|()| octets)
}

/// Reads a body in chunks (RFC 9112, 7.1).
fn read_chunks(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let length = usize::from_str_radix(line.trim_end(), 16).map_err(io::Error::other)?;
        octets.extend(read_some(from, length)?);
        read_some(from, 2)?;
        if length == 0 {
            return Ok(octets);
        }
    }
}

/// A server of HTTP/1.1.
#[derive(Debug)]
pub struct HttpServer {
    /// Where it listens.
    pub address: SocketAddr,
    server: super::TcpServer,
    requests: Requests,
}

/// The requests so far. Clones are the same.
#[derive(Clone, Debug, Default)]
struct Requests(Arc<Mutex<Vec<Request>>>);

impl Requests {
    fn all(&self) -> MutexGuard<'_, Vec<Request>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpServer {
    /// Starts a server that answers each request by a function.
    #[must_use]
    pub fn new(answer: impl Fn(&Request) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let requests = Requests::default();
        let own = requests.clone();
        let server = super::TcpServer::start(move |connection| {
            while let Some(request) = Request::read(connection)? {
                own.all().push(request.clone());
                let octets = answer(&request);
                connection.send(&octets)?;
                if octets.windows(17).any(|part| part == b"Connection: close") {
                    break;
                }
            }
            Ok(())
        });
        Self { address: server.address(), server, requests }
    }

    /// Returns the URL of a target, which begins with "/".
    #[must_use]
    pub fn url(&self, target: &str) -> String {
        format!("http://{}{target}", self.address)
    }

    /// Returns the requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.requests.all().clone()
    }

    /// Returns the methods and targets of the requests so far.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.requests.all().iter().map(|request| request.line.clone()).collect()
    }

    /// Returns how many connections were made so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.server.connections()
    }
}

/// Returns an answer with a status such as `200 OK`, headers that each end with "\r\n", and a body.
#[must_use]
pub fn answer(status: &str, fields: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Returns an answer whose body is a text.
#[must_use]
pub fn ok(body: &str) -> Vec<u8> {
    answer("200 OK", "Content-Type: text/plain\r\n", body)
}
