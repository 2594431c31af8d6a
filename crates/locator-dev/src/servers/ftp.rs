//! A server of FTP (RFC 959; EPSV by RFC 2428): a function replies to commands, and the server opens the data
//! connections.
//!
//! A [`FtpServer`] calls the function with each [`Command`] and does what its [`Reply`] says. Where the function
//! returns `None`, the [`usual`](FtpServer::start) reply is sent. The function is made anew for each connection,
//! so it keeps what belongs to one, such as the directory. A [`Tree`] is files in directories, which all
//! connections find; a [`Visit`] is what one connection finds.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpStream;
//!
//! use locator_dev::servers::ftp::{Command, FtpServer, Reply};
//!
//! let server = FtpServer::start(|_| {
//!     |command: &Command| match &*command.name {
//!         "RETR" => Some(Reply::Data(b"hello".to_vec())),
//!         _ => None,
//!     }
//! });
//! let mut client = TcpStream::connect(server.address())?;
//! client.write_all(b"USER anonymous\r\nQUIT\r\n")?;
//! let mut text = String::new();
//! client.read_to_string(&mut text)?;
//! assert_eq!(text, "220 ready\r\n230 in\r\n221 bye\r\n");
//! assert_eq!(server.log().all(), ["USER anonymous", "QUIT"]);
//! # Ok::<_, std::io::Error>(())
//! ```

#![expect(clippy::disallowed_types, reason = "a server for tests")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Connection, ConnectionOrder, Log};

/// A command of a client. The first one of each connection is empty: what replies to it is the greeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The name, as it was sent, such as "RETR".
    pub name: String,
    /// What follows the name and a space.
    pub argument: Vec<u8>,
}

impl Command {
    fn read(line: &[u8]) -> Self {
        let end = line.iter().position(|octet| *octet == b' ').unwrap_or(line.len());
        let argument = line.get(end + 1..).unwrap_or_default().to_vec();
        Self { name: String::from_utf8_lossy(&line[..end]).into_owned(), argument }
    }

    /// Returns the argument as a text.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.argument)
    }
}

/// What a server does for a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Sends a line.
    Line(Cow<'static, str>),
    /// Sends 150, octets on the data connection, from where REST said, and 226.
    Data(Vec<u8>),
    /// Sends 150 and octets on the data connection, and ends both connections.
    Cut(Vec<u8>),
    /// Sends 150, reads the data connection to its end, and sends a line. The log gets what was read.
    Store(Cow<'static, str>),
    /// Sends a line, and ends the connection.
    Last(Cow<'static, str>),
    /// Ends the connection.
    End,
}

/// A server of FTP.
#[derive(Debug)]
pub struct FtpServer {
    server: super::TcpServer,
    log: Log,
}

impl FtpServer {
    /// Starts a server. `session` returns what replies to the commands of a connection. Usually it greets with
    /// 220, lets every user in with 230, and replies 200 to TYPE, 229 to EPSV, 350 to REST and 221 to QUIT,
    /// which ends the connection; other commands are not known: 500.
    #[must_use]
    pub fn start<F>(session: impl Fn(ConnectionOrder) -> F + Send + Sync + 'static) -> Self
    where
        F: FnMut(&Command) -> Option<Reply>,
    {
        let log = Log::default();
        let own = log.clone();
        let server = super::TcpServer::start(move |connection| {
            let reply = session(connection.order());
            let mut talk = Talk { connection, log: &own, reply, data: None, start: 0 };
            talk.run()
        });
        Self { server, log }
    }

    /// Starts a server with the files of a tree, all of 1 March 2026, 12:00:00. What is changed in the tree, the
    /// next command sees.
    #[must_use]
    pub fn with_tree(files: Arc<Mutex<Tree>>) -> Self {
        Self::start(move |_| {
            let (files, mut directory) = (Arc::clone(&files), String::new());
            move |command: &Command| {
                let files = files.lock().unwrap_or_else(PoisonError::into_inner);
                files.reply(&mut directory, command)
            }
        })
    }

    /// Starts a server whose first connection finds the first of these, and so on; another one is closed.
    #[must_use]
    pub fn with_visits(visits: Vec<Visit>) -> Self {
        Self::start(move |accepted| {
            let (visit, mut made) = (visits.get(accepted.number).cloned(), Vec::new());
            move |command: &Command| match &visit {
                None => Some(Reply::End),
                Some(visit) => visit.reply(&mut made, command),
            }
        })
    }

    /// Returns the address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Returns the URL of a path, which begins without "/".
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        self.url_of("", path)
    }

    /// Returns the URL of a path with a user, such as `joe:secret@`.
    #[must_use]
    pub fn url_of(&self, user: &str, path: &str) -> String {
        format!("ftp://{user}{}/{path}", self.address())
    }

    /// Returns the commands that clients sent, and the texts that they stored.
    #[must_use]
    pub const fn log(&self) -> &Log {
        &self.log
    }

    /// Returns what the log got since the last call.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        self.log.take()
    }

    /// Returns how many connections are open.
    #[must_use]
    pub fn open_connections(&self) -> usize {
        self.server.open_connections()
    }

    /// Waits until no connection is open.
    pub fn wait_until_closed(&self) {
        self.server.wait_until_closed();
    }
}

/// The talk on a control connection.
struct Talk<'c, F> {
    connection: &'c mut Connection,
    log: &'c Log,
    reply: F,
    /// Where the client will make a data connection.
    data: Option<TcpListener>,
    /// Where the next file begins, by REST.
    start: usize,
}

impl<F: FnMut(&Command) -> Option<Reply>> Talk<'_, F> {
    fn run(&mut self) -> io::Result<()> {
        let mut command = Command::read(b"");
        loop {
            let reply = match (self.reply)(&command) {
                Some(reply) => reply,
                None => self.usual(&command)?,
            };
            if !self.carry_out(reply)? {
                return Ok(());
            }
            let Some(line) = self.connection.line()? else { return Ok(()) };
            self.log.push(String::from_utf8_lossy(&line));
            command = Command::read(&line);
        }
    }

    fn usual(&mut self, command: &Command) -> io::Result<Reply> {
        let line = match &*command.name {
            "" => "220 ready".into(),
            "USER" | "PASS" => "230 in".into(),
            "TYPE" => "200 ok".into(),
            "REST" => {
                self.start = command.text().parse().unwrap_or_default();
                "350 go on".into()
            }
            "EPSV" => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                self.data = Some(listener);
                format!("229 (|||{port}|)").into()
            }
            "QUIT" => return Ok(Reply::Last("221 bye".into())),
            _ => "500 what?".into(),
        };
        Ok(Reply::Line(line))
    }

    /// Carries out a reply; returns whether the connection goes on.
    fn carry_out(&mut self, reply: Reply) -> io::Result<bool> {
        let goes_on = matches!(&reply, Reply::Line(_) | Reply::Data(_) | Reply::Store(_));
        match reply {
            Reply::Line(line) | Reply::Last(line) => self.send(&line)?,
            Reply::End => {}
            Reply::Data(octets) => {
                if self.send_data(&octets)? {
                    self.send("226 sent")?;
                }
            }
            Reply::Cut(octets) => drop(self.send_data(&octets)?),
            Reply::Store(line) => {
                let Some(listener) = self.data.take() else { return self.send("425 no").map(|()| true) };
                self.send("150 send")?;
                let mut octets = Vec::new();
                listener.accept()?.0.read_to_end(&mut octets)?;
                self.log.push(String::from_utf8_lossy(&octets));
                self.send(&line)?;
            }
        }
        Ok(goes_on)
    }

    /// Sends octets on the data connection; returns false if there is none.
    fn send_data(&mut self, octets: &[u8]) -> io::Result<bool> {
        let Some(listener) = self.data.take() else { return self.send("425 no").map(|()| false) };
        self.send("150 here")?;
        let start = std::mem::take(&mut self.start).min(octets.len());
        // The client may close it at any time.
        let _ = listener.accept()?.0.write_all(&octets[start..]);
        Ok(true)
    }

    fn send(&mut self, line: &str) -> io::Result<()> {
        self.connection.send([line, "\r\n"].concat())
    }
}

/// Files in directories.
///
/// ```
/// use locator_dev::servers::ftp::{FtpServer, Tree};
///
/// let files = Tree::new(&[("", "type=dir; pub\r\n"), ("pub/", "type=file;size=2; a\r\n")], &[("pub/a", "a\n")]);
/// let server = FtpServer::with_tree(files.shared());
/// assert!(server.url("pub/a").ends_with("/pub/a"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// What MLSD sends of each directory. The path of the root is empty, that of others ends with "/".
    pub directories: BTreeMap<String, String>,
    /// The files, by their paths.
    pub files: BTreeMap<String, String>,
    /// What NLST and LIST send, if the server does not know MLSD.
    pub names: Option<Listings>,
}

/// What a server sends that does not know MLSD.
#[derive(Clone, Copy, Debug)]
pub struct Listings {
    /// By NLST: names.
    pub names: &'static str,
    /// By LIST: lines as `ls -l` prints them.
    pub lines: &'static str,
}

impl Tree {
    /// Returns the tree of these directories and files.
    #[must_use]
    pub fn new(directories: &[(&str, &str)], files: &[(&str, &str)]) -> Self {
        let owned = |(path, body): &(&str, &str)| ((*path).to_owned(), (*body).to_owned());
        Self {
            directories: directories.iter().map(owned).collect(),
            files: files.iter().map(owned).collect(),
            names: None,
        }
    }

    /// Shares the tree with a server, which sees what is changed in it.
    #[must_use]
    pub fn shared(self) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(self))
    }

    fn reply(&self, directory: &mut String, command: &Command) -> Option<Reply> {
        let path = format!("{directory}{}", command.text());
        let file = self.files.get(&path);
        let below = format!("{path}/");
        match (&*command.name, self.names, file) {
            ("PWD", ..) => line("257 \"/\""),
            ("CWD", ..) if command.argument == b"/" => {
                directory.clear();
                line("250 there")
            }
            ("CWD", ..) if self.directories.contains_key(&below) => {
                *directory = below;
                line("250 there")
            }
            ("SIZE", _, Some(text)) => line(format!("213 {}", text.len())),
            ("MDTM", _, Some(_)) => line("213 20260301120000"),
            ("RETR", _, Some(text)) => data(text),
            ("MLSD", None, _) => {
                self.directories.get(directory).map_or_else(|| line("500 what?"), |text| data(text))
            }
            ("MLSD" | "MLST", ..) => line("500 what?"),
            ("NLST", Some(listings), _) => data(listings.names),
            ("LIST", Some(listings), _) => data(listings.lines),
            ("" | "USER" | "TYPE" | "REST" | "EPSV", ..) => None,
            _ => line("550 not here"),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is what a session returns")]
fn line(line: impl Into<Cow<'static, str>>) -> Option<Reply> {
    Some(Reply::Line(line.into()))
}

#[expect(clippy::unnecessary_wraps, reason = "it is what a session returns")]
fn data(text: &str) -> Option<Reply> {
    Some(Reply::Data(text.as_bytes().to_vec()))
}

/// What one connection finds: one file, whatever its name, and directories whose names begin with "d".
///
/// ```
/// use locator_dev::servers::ftp::{FtpServer, Visit};
///
/// // The first connection gets three octets of the file, and the second one all of it.
/// let whole = Visit { octets: b"hello".to_vec(), ..Visit::default() };
/// let server = FtpServer::with_visits(vec![Visit { cut: Some(3), ..whole.clone() }, whole]);
/// # drop(server);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Visit {
    /// The file.
    pub octets: Vec<u8>,
    /// What `MDTM` replies; empty if the server does not know it.
    pub modified: &'static str,
    /// The server ends both connections after this many octets of the file.
    pub cut: Option<usize>,
    /// Whether it is a directory, and the octets are the names in it.
    pub is_directory: bool,
    /// A command that is refused, and the reply to it: one that begins with 552 comes after the data.
    pub refuses: Option<(&'static str, &'static str)>,
}

impl Visit {
    fn reply(&self, made: &mut Vec<String>, command: &Command) -> Option<Reply> {
        let (name, argument) = (&*command.name, command.text());
        let refused = self.refuses.filter(|(refused, _)| *refused == name).map(|(_, reply)| reply);
        match (name, refused) {
            ("STOR" | "APPE", None) => Some(Reply::Store("226 stored".into())),
            ("STOR" | "APPE", Some(full)) if full.starts_with("552") => Some(Reply::Store(full.into())),
            (_, Some(reply)) => line(reply),
            ("MKD", _) => {
                made.push(argument.clone().into_owned());
                line(format!("257 \"{argument}\" made"))
            }
            ("CWD", _) => {
                let is_there =
                    self.is_directory || argument.starts_with('d') || made.contains(&argument.into());
                line(if is_there { "250 there" } else { "550 no such directory" })
            }
            ("SIZE", _) => line(format!("213 {}", self.octets.len())),
            ("MDTM", _) if self.modified.is_empty() => line("502 no"),
            ("MDTM", _) => line(format!("213 {}", self.modified)),
            ("RETR", _) if self.is_directory => line("550 not a plain file"),
            ("RETR" | "NLST", _) => Some(match self.cut {
                Some(end) => Reply::Cut(self.octets[..end].to_vec()),
                None => Reply::Data(self.octets.clone()),
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};
    use std::net::TcpStream;

    /// A client that sends commands, and returns the replies to them.
    struct Client {
        stream: TcpStream,
        replies: BufReader<TcpStream>,
    }

    impl Client {
        fn connect(server: &FtpServer) -> Self {
            let stream = TcpStream::connect(server.address()).unwrap();
            let mut client = Self { replies: BufReader::new(stream.try_clone().unwrap()), stream };
            assert_eq!(client.reply(), "220 ready");
            client
        }

        fn reply(&mut self) -> String {
            let mut line = String::new();
            self.replies.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        }

        fn send(&mut self, command: &str) -> String {
            self.stream.write_all(format!("{command}\r\n").as_bytes()).unwrap();
            self.reply()
        }

        fn data(&mut self) -> TcpStream {
            let reply = self.send("EPSV");
            let port = reply.trim_start_matches("229 (|||").trim_end_matches("|)").parse().unwrap();
            TcpStream::connect(("127.0.0.1", port)).unwrap()
        }

        fn fetch(&mut self, command: &str) -> String {
            let mut data = self.data();
            assert_eq!(self.send(command), "150 here");
            let mut text = String::new();
            data.read_to_string(&mut text).unwrap();
            text
        }
    }

    #[test]
    fn files_of_a_tree() {
        let files = Tree::new(&[("", "type=dir; d\r\n"), ("d/", "type=file; a\r\n")], &[("d/a", "hello")]);
        let server = FtpServer::with_tree(files.shared());
        let mut client = Client::connect(&server);
        assert_eq!(client.send("CWD d"), "250 there");
        assert_eq!(client.fetch("MLSD"), "type=file; a\r\n");
        assert_eq!(client.reply(), "226 sent");
        assert_eq!((client.send("SIZE a"), client.send("REST 3")), ("213 5".into(), "350 go on".into()));
        assert_eq!((client.fetch("RETR a"), client.reply()), ("lo".into(), "226 sent".into()));
        assert_eq!((client.fetch("RETR a"), client.reply()), ("hello".into(), "226 sent".into()));
        assert_eq!(client.send("RETR b"), "550 not here");
        assert_eq!(client.send("NLST"), "550 not here");
        assert_eq!(client.send("RETR a"), "425 no");
    }

    #[test]
    fn what_a_function_can_do() {
        let server = FtpServer::start(|accepted| {
            move |command: &Command| match (&*command.name, accepted.number) {
                ("", 1) => Some(Reply::Last("421 too many".into())),
                ("", 2) => Some(Reply::End),
                ("STOR", _) => Some(Reply::Store("226 stored".into())),
                ("RETR", _) => Some(Reply::Cut(b"half".to_vec())),
                _ => None,
            }
        });
        let mut client = Client::connect(&server);
        for expected in ["421 too many\r\n", ""] {
            let mut text = String::new();
            TcpStream::connect(server.address()).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, expected);
        }
        let mut data = client.data();
        assert_eq!(client.send("STOR a"), "150 send");
        data.write_all(b"text").unwrap();
        drop(data);
        assert_eq!(client.reply(), "226 stored");
        assert_eq!((client.fetch("RETR a"), client.reply()), ("half".into(), String::new()));
        server.wait_until_closed();
        assert_eq!(server.log().take(), ["EPSV", "STOR a", "text", "EPSV", "RETR a"]);
    }
}
