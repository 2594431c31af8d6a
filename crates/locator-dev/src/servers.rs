//! Servers to test clients against, each on a free port of 127.0.0.1 and with a thread for each connection.
//! A server ends when it is dropped: it accepts no more connections, and closes those that are open.
//!
//! A [`TcpServer`] gives each [`Connection`] to a function. On it stand the servers of protocols: [`LineServer`] reply
//! to each line (news, mail, whois), a [`GopherServer`] to a selector, an [`ftp::FtpServer`] to commands, with
//! data connections, and an [`http::HttpServer`] to requests. What a client sent is in their [`Log`], and what a
//! server does is the function of the test: nothing depends on the time.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpStream;
//!
//! use locator_dev::servers::GopherServer;
//!
//! let server = GopherServer::start(b"hello\r\n.\r\n");
//! let mut client = TcpStream::connect(server.address())?;
//! client.write_all(b"/a\r\n")?;
//! let mut text = String::new();
//! client.read_to_string(&mut text)?;
//! assert_eq!(text, "hello\r\n.\r\n");
//! assert_eq!((server.selectors(), server.connections()), (vec!["/a".to_owned()], 1));
//! # Ok::<_, std::io::Error>(())
//! ```

#![expect(clippy::disallowed_types, reason = "servers for tests")]

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

pub mod ftp;
pub mod http;

/// A server on a free port of 127.0.0.1.
///
/// ```
/// use std::io::Read;
/// use std::net::TcpStream;
///
/// use locator_dev::servers::TcpServer;
///
/// let server = TcpServer::start(|connection| connection.send("220 ready\r\n"));
/// let mut text = String::new();
/// TcpStream::connect(server.address())?.read_to_string(&mut text)?;
/// assert_eq!(text, "220 ready\r\n");
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct TcpServer {
    address: SocketAddr,
    state: Arc<State>,
}

/// What the threads of a server share.
#[derive(Default)]
struct State {
    has_ended: AtomicBool,
    accepted: AtomicUsize,
    /// The connections that are open, by their numbers.
    open: Mutex<HashMap<usize, TcpStream>>,
    /// Notified when a connection is closed.
    closed: Condvar,
}

impl State {
    fn open(&self) -> MutexGuard<'_, HashMap<usize, TcpStream>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TcpServer {
    /// Starts a server that calls a function for each connection, in a thread, and closes it afterwards. An
    /// error is that of a client that has closed the connection.
    ///
    /// # Panics
    ///
    /// This machine has no free port.
    #[must_use]
    pub fn start(talk: impl Fn(&mut Connection) -> io::Result<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of 127.0.0.1 is free");
        let address = listener.local_addr().expect("a listener has an address");
        let (state, talk) = (Arc::<State>::default(), Arc::new(talk));
        let own = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if own.has_ended.load(Ordering::SeqCst) {
                    break;
                }
                // A client that has gone is no connection.
                let Some(connection) = stream.and_then(|stream| accept(&own, stream)).ok() else {
                    continue;
                };
                let (talk, own) = (Arc::clone(&talk), Arc::clone(&own));
                thread::spawn(move || {
                    let mut connection = connection;
                    let number = connection.order.number;
                    let _ = talk(&mut connection);
                    drop(connection);
                    own.open().remove(&number);
                    own.closed.notify_all();
                });
            }
        });
        Self { address, state }
    }

    /// Starts a server that sends octets to each client that has sent something, and closes the connection.
    #[must_use]
    pub fn answering(octets: &'static [u8]) -> Self {
        Self::start(move |connection| {
            let _ = connection.read(&mut [0; 4096])?;
            connection.send(octets)
        })
    }

    /// Starts a server that sends octets before it is asked, such as all replies of a dialogue, and reads what
    /// the client sends to its end.
    #[must_use]
    pub fn speaking(octets: &'static [u8]) -> Self {
        Self::start(move |connection| {
            connection.send(octets)?;
            connection.read_to_end(&mut Vec::new()).map(drop)
        })
    }

    /// Returns the address: 127.0.0.1 and the port.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns how many connections were made so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.state.accepted.load(Ordering::SeqCst)
    }

    /// Returns how many connections are open.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.state.open().len()
    }

    /// Waits until no connection is open.
    pub fn wait_until_closed(&self) {
        let mut open = self.state.open();
        while !open.is_empty() {
            open = self.state.closed.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Counts a connection.
fn accept(state: &State, stream: TcpStream) -> io::Result<Connection> {
    stream.set_nodelay(true)?;
    let (kept, read) = (stream.try_clone()?, stream.try_clone()?);
    let number = state.accepted.fetch_add(1, Ordering::SeqCst);
    let mut all = state.open();
    all.insert(number, kept);
    let order = ConnectionOrder { number, open: all.len() };
    Ok(Connection { order, stream, reader: BufReader::new(read) })
}

impl Drop for TcpServer {
    fn drop(&mut self) {
        self.state.has_ended.store(true, Ordering::SeqCst);
        // It waits for a connection.
        let _ = TcpStream::connect(self.address);
        for stream in self.state.open().values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl fmt::Debug for TcpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpServer").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Which connection of a server this is.
///
/// ```
/// use locator_dev::servers::ftp::{Command, FtpServer, Reply};
/// use locator_dev::servers::ConnectionOrder;
///
/// // The third connection at the same time is refused.
/// let server = FtpServer::start(|order: ConnectionOrder| {
///     move |command: &Command| {
///         let is_greeting = command.name.is_empty();
///         (is_greeting && order.open > 2).then(|| Reply::Last("421 too many".into()))
///     }
/// });
/// # drop(server);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionOrder {
    /// How many were accepted before it.
    pub number: usize,
    /// How many were open when it was accepted, with itself.
    pub open: usize,
}

/// A connection of a client. What it reads is buffered.
#[derive(Debug)]
pub struct Connection {
    order: ConnectionOrder,
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Connection {
    /// Returns which connection of its server this is.
    #[must_use]
    pub const fn order(&self) -> ConnectionOrder {
        self.order
    }

    /// Returns the socket, to set its options or to look at what has come.
    #[must_use]
    pub const fn socket(&self) -> &TcpStream {
        &self.stream
    }

    /// Reads a line, and returns it without its end; `None` if the client has closed the connection.
    ///
    /// # Errors
    ///
    /// The connection was reset.
    pub fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        if self.reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let end = [&b"\r\n"[..], b"\n"].iter().find_map(|end| line.strip_suffix(*end)).map(<[u8]>::len);
        line.truncate(end.unwrap_or(line.len()));
        Ok(Some(line))
    }

    /// Sends octets.
    ///
    /// # Errors
    ///
    /// The client has closed the connection.
    pub fn send(&mut self, octets: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.write_all(octets.as_ref())
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl BufRead for Connection {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
    }
}

impl Write for Connection {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.stream.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// What the clients of a server sent, in the order in which it came. Clones are the same log.
///
/// ```
/// let log = locator_dev::servers::Log::default();
/// log.push("USER joe");
/// assert_eq!((log.take(), log.all().len()), (vec!["USER joe".to_owned()], 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line.
    pub fn push(&self, line: impl Into<String>) {
        self.lines().push(line.into());
    }

    /// Returns all lines.
    #[must_use]
    pub fn all(&self) -> Vec<String> {
        self.lines().clone()
    }

    /// Returns the lines since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines())
    }
}

/// A server that greets, and replies to each line: of news, for example.
///
/// ```
/// use std::io::{Read, Write};
/// use std::net::{Shutdown, TcpStream};
///
/// use locator_dev::servers::LineServer;
///
/// let server = LineServer::start("200 ready", || {
///     |line: &str| match line {
///         "GROUP a.b" => Some("211 1 7 7 a.b"),
///         "QUIT" => None,
///         _ => Some("500 what?"),
///     }
/// });
/// let mut client = TcpStream::connect(server.address())?;
/// client.write_all(b"GROUP a.b\r\nQUIT\r\n")?;
/// let mut text = String::new();
/// client.read_to_string(&mut text)?;
/// assert_eq!(text, "200 ready\r\n211 1 7 7 a.b\r\n");
/// assert_eq!(server.log().all(), ["GROUP a.b", "QUIT"]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineServer {
    server: TcpServer,
    log: Log,
}

impl LineServer {
    /// Starts a server with a greeting, without the end of its line. For each connection `session` returns what
    /// replies to its lines, so it can keep what belongs to the connection. A reply is sent with "\r\n" after
    /// it; `None` ends the connection.
    #[must_use]
    pub fn start<F, R>(greeting: &'static str, session: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: FnMut(&str) -> Option<R>,
        R: AsRef<[u8]>,
    {
        let log = Log::default();
        let own = log.clone();
        let server = TcpServer::start(move |connection| {
            let mut reply = session();
            connection.send([greeting, "\r\n"].concat())?;
            while let Some(line) = connection.line()? {
                let line = String::from_utf8_lossy(&line).into_owned();
                own.push(&*line);
                let Some(reply) = reply(&line) else { break };
                connection.send([reply.as_ref(), b"\r\n"].concat())?;
            }
            Ok(())
        });
        Self { server, log }
    }

    /// Returns the address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns how many connections were made so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.server.connections()
    }

    /// Returns the lines that clients sent.
    #[must_use]
    pub const fn log(&self) -> &Log {
        &self.log
    }
}

/// A server of Gopher: it reads a selector, sends something, and closes the connection.
#[derive(Debug)]
pub struct GopherServer {
    server: TcpServer,
    log: Log,
}

impl GopherServer {
    /// Starts a server that sends the same octets for every selector.
    #[must_use]
    pub fn start(octets: &'static [u8]) -> Self {
        Self::start_with(move |_, connection| connection.send(octets))
    }

    /// Starts a server that calls a function with each selector.
    #[must_use]
    pub fn start_with(
        answer: impl Fn(&[u8], &mut Connection) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let log = Log::default();
        let own = log.clone();
        let server = TcpServer::start(move |connection| {
            let selector = connection.line()?.unwrap_or_default();
            own.push(String::from_utf8_lossy(&selector));
            answer(&selector, connection)
        });
        Self { server, log }
    }

    /// Returns the address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns the URL of a path: a type and a selector.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("gopher://{}/{path}", self.address())
    }

    /// Returns how many connections were made so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.server.connections()
    }

    /// Returns the selectors that clients asked for.
    #[must_use]
    pub fn selectors(&self) -> Vec<String> {
        self.log.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut stream: &TcpStream) -> String {
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    #[test]
    fn a_server_ends_when_it_is_dropped() {
        let server = TcpServer::start(|connection| {
            connection.send("hello")?;
            // Until the client or the server ends the connection.
            connection.line().map(drop)
        });
        let client = TcpStream::connect(server.address()).unwrap();
        let mut octets = [0; 5];
        (&client).read_exact(&mut octets).unwrap();
        assert_eq!((server.connections(), server.open_connections()), (1, 1));
        let address = server.address();
        drop(server);
        assert_eq!(read(&client), "");
        // The listener is closed by its thread.
        while TcpStream::connect(address).is_ok() {
            thread::yield_now();
        }
    }

    #[test]
    fn connections_are_counted() {
        let server = TcpServer::start(|connection| {
            connection.send(format!("{:?}", connection.order()))?;
            connection.line().map(drop)
        });
        let connect = || TcpStream::connect(server.address()).unwrap();
        let (one, other) = (connect(), connect());
        one.shutdown(Shutdown::Write).unwrap();
        other.shutdown(Shutdown::Write).unwrap();
        let mut all = [read(&one), read(&other)];
        all.sort();
        assert!(all[0].starts_with("ConnectionOrder { number: 0, open: 1 }"), "{all:?}");
        assert!(all[1].starts_with("ConnectionOrder { number: 1, open: "), "{all:?}");
        server.wait_until_closed();
        assert_eq!((server.connections(), server.open_connections()), (2, 0));
    }
}
