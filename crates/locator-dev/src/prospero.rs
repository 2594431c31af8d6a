//! A small Prospero server to test clients against: the directory protocol, version 5, over ARDP. It
//! takes a tree of files and returns answers as the server of Archie 3.5 wrote them in 1994, which
//! the captures in `testdata/captures/prospero` show.
//!
//! [`start`] answers the datagrams of any number of clients about a [`Directory`], with faults of the
//! network on request ([`Options`]). A directory is a tree of [`Node`]s, in memory or of the file system.
//! It shares no code with the client of `locator-fetch`.

#![expect(clippy::disallowed_types, reason = "a server for tests")]

use std::collections::HashMap;
use std::net::{SocketAddr, SocketAddrV4, UdpSocket};
use std::path::{Path, PathBuf};
use std::{io, thread};

/// How the server sends its answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// The octets of an answer in one packet.
    pub packet: usize,
    /// Whether the octets of the connection's number are swapped in answers of several packets.
    pub swaps_numbers: bool,
    /// How often each client is asked to wait first, and for how many seconds.
    pub waits: (u32, u16),
    /// Another server that requests belong to.
    pub redirect: Option<SocketAddrV4>,
    /// Whether requests are refused.
    pub refuses: bool,
    /// What happens to packets of answers.
    pub faults: Faults,
}

/// What happens to the packets of each answer when they are sent for the first time, by their
/// numbers from 1.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Packets that are lost.
    pub lost: Vec<usize>,
    /// Packets that come twice.
    pub doubled: Vec<usize>,
    /// Packets that come after the others of their window.
    pub late: Vec<usize>,
    /// Whether the packets of a window come in the reverse order.
    pub are_reversed: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            packet: 1250,
            swaps_numbers: false,
            waits: (0, 0),
            redirect: None,
            refuses: false,
            faults: Faults::default(),
        }
    }
}

/// Clients that are remembered.
const MOST_SESSIONS: usize = 1024;

struct Server {
    directory: Directory,
    options: Options,
    sessions: HashMap<(SocketAddr, [u8; 2]), Session>,
    requests: u64,
    waits: HashMap<SocketAddr, u32>,
}

/// Starts a server on a free port of this machine in a thread, and returns the port. `directory` makes
/// what it offers from its port. The thread ends with the process.
///
/// # Errors
///
/// There is no free port.
pub fn start(options: Options, directory: impl FnOnce(u16) -> Directory) -> io::Result<u16> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let port = socket.local_addr()?.port();
    let directory = directory(port);
    thread::spawn(move || serve(&socket, directory, options));
    Ok(port)
}

/// Answers the datagrams that come to a socket, until it breaks.
///
/// # Errors
///
/// The socket is broken.
pub fn serve(socket: &UdpSocket, directory: Directory, options: Options) -> io::Result<()> {
    let mut server =
        Server { directory, options, sessions: HashMap::new(), requests: 0, waits: HashMap::new() };
    let mut buffer = vec![0; 65_536];
    loop {
        match socket.recv_from(&mut buffer) {
            Ok((length, client)) => {
                for datagram in server.take(client, &buffer[..length]) {
                    let _ = socket.send_to(&datagram, client);
                }
            }
            // An earlier datagram was not taken; its client has gone.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {}
            Err(error) => return Err(error),
        }
    }
}

impl Server {
    /// Takes a datagram, and returns those that answer it.
    fn take(&mut self, client: SocketAddr, datagram: &[u8]) -> Vec<Vec<u8>> {
        let Some(packet) = Packet::read(datagram) else { return Vec::new() };
        let connection = packet.connection;
        if let Some(control) = self.control(client, connection) {
            return vec![control];
        }
        if self.sessions.len() > MOST_SESSIONS {
            self.sessions.clear();
        }
        let session = self.sessions.entry((client, connection)).or_default();
        match session.take(&packet) {
            Step::Nothing => Vec::new(),
            Step::Acknowledge(taken) => vec![header(connection, &[0, 0, taken as u16])],
            Step::Answer => {
                self.requests += 1;
                let answer = self.directory.answer(session.request(), self.requests);
                session.answer(&answer, self.options.packet);
                window(&self.options, session, connection, 0)
            }
            Step::Continue(received) => window(&self.options, session, connection, received),
        }
    }

    /// Returns the packet that a client gets in place of an answer.
    fn control(&mut self, client: SocketAddr, connection: [u8; 2]) -> Option<Vec<u8>> {
        let mut packet = header(connection, &[0, 0, 0]);
        let mut option = |wait: u16, option: &[u8]| {
            packet.extend(wait.to_be_bytes());
            packet.push(0);
            packet.extend(option);
            packet[0] = packet.len() as u8;
            packet.clone()
        };
        if let Some(to) = self.options.redirect {
            return Some(option(0, &[&[4][..], &to.ip().octets(), &to.port().to_be_bytes()].concat()));
        }
        if self.options.refuses {
            return Some(option(0, &[1]));
        }
        let (count, seconds) = self.options.waits;
        let waits = self.waits.entry(client).or_default();
        (*waits < count).then(|| {
            *waits += 1;
            option(seconds, &[])
        })
    }
}

/// Returns the datagrams of a window, after what happens to them on the way.
fn window(options: &Options, session: &mut Session, connection: [u8; 2], received: usize) -> Vec<Vec<u8>> {
    let shown = if options.swaps_numbers { [connection[1], connection[0]] } else { connection };
    let (first, datagrams) = session.window(shown, received);
    let (mut sent, mut late) = (Vec::new(), Vec::new());
    let new = session.sent;
    session.sent = new.max(first + datagrams.len() - 1);
    for (number, datagram) in (first..).zip(datagrams) {
        let faults = &options.faults;
        let happens = |numbers: &[usize]| number > new && numbers.contains(&number);
        match () {
            () if happens(&faults.lost) => {}
            () if happens(&faults.late) => late.push(datagram),
            () if happens(&faults.doubled) => sent.extend([datagram.clone(), datagram]),
            () => sent.push(datagram),
        }
    }
    if options.faults.are_reversed {
        sent.reverse();
    }
    sent.extend(late);
    sent
}

const SOFTWARE: &str = "P53.17May94b";

/// What a server offers.
#[derive(Clone, Debug)]
pub struct Directory {
    /// The name of the server in its links: `LOCALHOST`, `127.0.0.1(20111)`.
    pub host: String,
    /// The FTP server that has the files of `aftp`.
    pub ftp: String,
    /// The path of `tree` on its machine, by which its objects are named.
    pub root: String,
    /// Files and directories named by their paths.
    pub tree: Vec<Node>,
    /// Links that are stored in directories of `tree`: the path of the directory below `root`, and the
    /// lines of an answer.
    pub links: Vec<(String, String)>,
    /// Files and directories of anonymous FTP, named `AFTP/…`.
    pub aftp: Vec<Node>,
    /// When the server began, as it says.
    pub started: String,
    /// Where the objects are instead, if they are elsewhere.
    pub forward: Option<String>,
    /// What every object has, in place of its own attributes: lines of an answer.
    pub fixed: Option<String>,
    /// Whether files are offered by the attribute CONTENTS alone.
    pub only_contents: bool,
}

/// What a name leads to.
enum Entry<'d> {
    Node(&'d Node),
    /// The top of a tree.
    Top(&'d [Node]),
}

/// The state of a request: the directory that was named last.
#[derive(Default)]
struct State<'d> {
    directory: Option<(Vec<u8>, &'d [Node])>,
}

impl Directory {
    /// Creates what a server with this name offers: nothing yet.
    #[must_use]
    pub fn new(host: &str) -> Self {
        Self {
            host: host.into(),
            ftp: host.into(),
            root: "/".into(),
            tree: Vec::new(),
            links: Vec::new(),
            aftp: Vec::new(),
            started: "17-May-94 00:00:00 UTC".into(),
            forward: None,
            fixed: None,
            only_contents: false,
        }
    }

    /// Answers the `count`th request since the server began.
    #[must_use]
    pub fn answer(&self, request: &[u8], count: u64) -> Vec<u8> {
        let mut answer = Vec::new();
        let mut state = State::default();
        for words in lines(request) {
            let words: Vec<_> = words.iter().map(Vec::as_slice).collect();
            // After a command that fails the rest is not answered.
            if let Err(failure) = self.command(&words, count, &mut state, &mut answer) {
                answer.extend(failure);
                break;
            }
        }
        answer
    }

    fn command<'d>(
        &'d self,
        words: &[&[u8]],
        count: u64,
        state: &mut State<'d>,
        answer: &mut Vec<u8>,
    ) -> Result<(), Vec<u8>> {
        match words {
            [b"VERSION"] => answer.extend(format!("VERSION 5 {SOFTWARE}\n").bytes()),
            [b"VERSION", b"1" | b"2" | b"3" | b"4" | b"5", ..] | [b"AUTHENTICATE", ..] => {}
            [b"VERSION", ..] => return Err(b"VERSION-NOT-SUPPORTED TRY 1-5".into()),
            [b"STATUS"] => answer.extend(self.status(count).bytes()),
            [b"DIRECTORY", b"ASCII", name] => state.directory = Some(self.directory(name)?),
            [b"LIST", options, b"COMPONENTS", names @ ..] => {
                let (path, nodes) = state.directory.as_ref().ok_or_else(|| failure("NOT-FOUND"))?;
                // The captured server sent attributes of the files of anonymous FTP only.
                let has_attributes = options.starts_with(b"ATTRIBUTES") && aftp(path).is_some();
                answer.extend(self.list(path, nodes, names, has_attributes));
            }
            [b"GET-OBJECT-INFO", attributes, b"ASCII", name, ..] => {
                answer.extend(self.object_info(attributes, name)?);
            }
            [first, ..] => return Err([b"ERROR Unknown message: ", *first, b"\n"].concat()),
            [] => {}
        }
        Ok(())
    }

    fn status(&self, count: u64) -> String {
        format!(
            "Prospero server (PreAlpha.5.3 17 May 94, patchlevel b) {}\n\
             Requests since startup {count} (0 V1) (0+0+0 0+0+0 0 0+0+0 0 0 1)\n\
             Started: {}\n  Files: 0(0)open, 0 waits, 0 secs\n    DNS: 1(2) caching 1(300)\n \
             Memory: 0(0)vlink 0(0)pattrib 7(7)acl 0(0)pfile 2(2)rreq 4(4)ptext\n \
             Memory: 24(24)string 4(4)token 0(0)pauth 0(0)filter 0(0)p_object\n \
             Memory: 1(2)dnscache\n   Root: {}\n   AFTP: {}\n",
            self.host,
            self.started,
            self.root,
            self.root.replace("/tree", "/ftp")
        )
    }

    /// Returns what a name leads to.
    fn find(&self, name: &[u8]) -> Result<Entry<'_>, Vec<u8>> {
        if let Some(path) = aftp(name) {
            return find_entry(&self.aftp, path);
        }
        let path = name.strip_prefix(self.root.as_bytes()).ok_or_else(|| failure("NOT-AUTHORIZED"))?;
        find_entry(&self.tree, path)
    }

    fn directory(&self, name: &[u8]) -> Result<(Vec<u8>, &[Node]), Vec<u8>> {
        let path = name.strip_suffix(b"/").unwrap_or(name);
        match self.find(name)? {
            Entry::Top(nodes) => Ok((path.into(), nodes)),
            Entry::Node(Node { kind: Kind::Directory(nodes), .. }) => Ok((path.into(), nodes)),
            Entry::Node(_) => Err(failure("NOT-A-DIRECTORY")),
        }
    }

    fn list(&self, path: &[u8], nodes: &[Node], names: &[&[u8]], has_attributes: bool) -> Vec<u8> {
        let is_asked = |node: &&Node| names.is_empty() || names.contains(&node.name.as_slice());
        let below = path.strip_prefix(self.root.as_bytes()).filter(|_| aftp(path).is_none());
        let stored = self.links.iter().filter(|(directory, _)| {
            names.is_empty() && below.is_some_and(|below| is_path(below, directory.as_bytes()))
        });
        let mut answer: Vec<u8> = stored.flat_map(|(_, lines)| lines.bytes()).collect();
        for node in nodes.iter().filter(is_asked) {
            let object = [path, b"/", &node.name].concat();
            answer.extend(self.link(node, &object));
            if has_attributes {
                answer.extend(self.attributes(node, &object, &|_| true));
            }
        }
        if answer.is_empty() { b"NONE-FOUND\n".into() } else { answer }
    }

    fn link(&self, node: &Node, object: &[u8]) -> Vec<u8> {
        let target: &[u8] = if matches!(node.kind, Kind::Directory(_)) { b"DIRECTORY" } else { b"FILE" };
        let (name, host, object) = (quoted(&node.name), quoted(self.host.as_bytes()), quoted(object));
        [b"LINK  L ", target, b" ", &name, b" INTERNET-D ", &host, b" ASCII ", &object, b" 0\n"].concat()
    }

    /// Writes the attributes that are wanted.
    fn attributes(&self, node: &Node, object: &[u8], wants: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
        let modes: &[u8] =
            if matches!(node.kind, Kind::Directory(_)) { b"drwxr-xr-x" } else { b"-rw-r--r--" };
        let size = match &node.kind {
            Kind::File(size, _) => *size,
            Kind::Directory(_) => DIRECTORY_SIZE,
        };
        let known = [
            (&b"SIZE"[..], Some(format!("{size} bytes").into_bytes())),
            (b"NATIVE-OWNER", Some(b"root".to_vec())),
            (b"NATIVE-GROUP", Some(b"root".to_vec())),
            (b"LAST-MODIFIED", Some(node.modified.clone().into_bytes())),
            (b"UNIX-MODES", Some(modes.to_vec())),
        ];
        let mut answer = Vec::new();
        for (name, value) in known {
            answer.extend(
                value.filter(|_| wants(name)).map(|value| attribute(name, &[&value])).unwrap_or_default(),
            );
        }
        // That it is a directory the server sees only if it looks at the modes.
        let is_file = matches!(node.kind, Kind::File(..));
        if wants(b"ACCESS-METHOD") && (is_file || !wants(b"UNIX-MODES")) {
            answer.extend(self.methods(object));
        }
        if let Kind::File(_, contents) = &node.kind {
            answer.extend(
                contents_of(contents).filter(|_| wants(b"CONTENTS") && !wants(b"SIZE")).unwrap_or_default(),
            );
        }
        answer
    }

    fn methods(&self, object: &[u8]) -> Vec<u8> {
        let link: [&[u8]; 4] = [b""; 4];
        let mut answer = attribute(b"ACCESS-METHOD", &[&[&b"PROSPERO-CONTENTS"[..]], &link[..]].concat());
        if self.only_contents {
            return answer;
        }
        answer.extend(attribute(b"ACCESS-METHOD", &[&[&b"LOCAL"[..]], &link[..]].concat()));
        if let Some(path) = aftp(object) {
            let values: [&[u8]; 6] = [b"AFTP", b"INTERNET-D", self.ftp.as_bytes(), b"ASCII", path, b"BINARY"];
            answer.extend(attribute(b"ACCESS-METHOD", &values));
        }
        answer
    }

    fn object_info(&self, attributes: &[u8], name: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
        if let Some(host) = &self.forward {
            let (host, name) = (quoted(host.as_bytes()), quoted(name));
            return Ok([b"FORWARDED INTERNET-D ", &host[..], b" ASCII ", &name, b" 0\n"].concat());
        }
        if let Some(lines) = &self.fixed {
            return Ok(lines.clone().into_bytes());
        }
        let asked: Vec<_> = attributes.split(|&octet| octet == b'+').collect();
        let is_all = asked.contains(&&b"#ALL"[..]) || asked.contains(&&b"#INTERESTING"[..]);
        let top = Node::directory("", Vec::new());
        let node = match self.find(name)? {
            Entry::Node(node) => node,
            Entry::Top(_) => &top,
        };
        // The server examines a file only for these.
        let examines = [&b"SIZE"[..], b"NATIVE-OWNER", b"LAST-MODIFIED", b"UNIX-MODES", b"CONTENTS"];
        if !is_all && !asked.iter().any(|one| examines.contains(one)) {
            return Err(failure("NOT-FOUND"));
        }
        let answer = self.attributes(node, name, &|one| is_all || asked.contains(&one));
        Ok(if answer.is_empty() { b"NONE-FOUND\n".into() } else { answer })
    }
}

/// The number of octets of a directory, as file systems count them.
const DIRECTORY_SIZE: u64 = 4096;

/// Returns whether two paths are equal but for "/" around them.
fn is_path(one: &[u8], other: &[u8]) -> bool {
    let names = |path| <[u8]>::split(path, |&octet| octet == b'/').filter(|name| !name.is_empty());
    names(one).eq(names(other))
}

/// Returns the path of a name of anonymous FTP, with the "/" at its beginning.
fn aftp(name: &[u8]) -> Option<&[u8]> {
    name.strip_prefix(b"AFTP").filter(|path| path.is_empty() || path.starts_with(b"/"))
}

fn find_entry<'d>(nodes: &'d [Node], path: &[u8]) -> Result<Entry<'d>, Vec<u8>> {
    if path.iter().all(|&octet| octet == b'/') {
        return Ok(Entry::Top(nodes));
    }
    Node::find(nodes, path).map(Entry::Node).ok_or_else(|| failure("NOT-FOUND"))
}

fn failure(reason: &str) -> Vec<u8> {
    format!("FAILURE {reason}\n").into_bytes()
}

fn attribute(name: &[u8], values: &[&[u8]]) -> Vec<u8> {
    let mut line = [b"ATTRIBUTE OBJECT INTRINSIC ", name, b" SEQUENCE"].concat();
    for value in values {
        line.push(b' ');
        line.extend(quoted(value));
    }
    line.push(b'\n');
    line
}

fn contents_of(contents: &Contents) -> Option<Vec<u8>> {
    Some(attribute(b"CONTENTS", &[b"DATA", &contents.read()]))
}

/// A file or a directory.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name, in octets.
    pub name: Vec<u8>,
    /// A file or a directory, and what it contains.
    pub kind: Kind,
    /// When it was modified, as the protocol writes it: `20261121094706Z`.
    pub modified: String,
}

/// A file or a directory.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A file: its length, and where its octets are.
    File(u64, Contents),
    /// A directory, in the order of its entries.
    Directory(Vec<Node>),
}

/// Where the octets of a file are.
#[derive(Clone, Debug)]
pub enum Contents {
    /// In memory.
    Octets(Vec<u8>),
    /// In a file.
    File(PathBuf),
}

impl Contents {
    /// Reads the octets; none if the file cannot be read.
    fn read(&self) -> Vec<u8> {
        match self {
            Self::Octets(octets) => octets.clone(),
            Self::File(path) => std::fs::read(path).unwrap_or_default(),
        }
    }
}

impl Node {
    /// Creates a file in memory.
    #[must_use]
    pub fn file(name: &str, octets: &[u8]) -> Self {
        let kind = Kind::File(octets.len() as u64, Contents::Octets(octets.into()));
        Self { name: name.into(), kind, modified: "19940517000000Z".into() }
    }

    /// Creates a directory in memory.
    #[must_use]
    pub fn directory(name: &str, nodes: Vec<Self>) -> Self {
        Self { name: name.into(), kind: Kind::Directory(nodes), modified: "19940517000000Z".into() }
    }

    /// Sets when it was modified.
    #[must_use]
    pub fn modified(self, time: &str) -> Self {
        Self { modified: time.into(), ..self }
    }

    /// Reads the directory of a file system, without links and special files, sorted by name.
    ///
    /// # Errors
    ///
    /// The directory cannot be read.
    pub fn read(path: &Path) -> io::Result<Vec<Self>> {
        let mut nodes = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let metadata = std::fs::symlink_metadata(entry.path())?;
            let kind = if metadata.is_dir() {
                Kind::Directory(Self::read(&entry.path())?)
            } else if metadata.is_file() {
                Kind::File(metadata.len(), Contents::File(entry.path()))
            } else {
                continue;
            };
            let seconds = metadata.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            let modified = date(seconds.as_secs());
            nodes.push(Self { name: entry.file_name().into_encoded_bytes(), kind, modified });
        }
        nodes.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(nodes)
    }

    /// Returns the node that a path leads to from these nodes, if it leads to one. An empty path
    /// leads nowhere.
    fn find<'n>(nodes: &'n [Self], path: &[u8]) -> Option<&'n Self> {
        let mut names = path.split(|&octet| octet == b'/').filter(|name| !name.is_empty());
        let first = names.next()?;
        let mut node = nodes.iter().find(|node| node.name == first)?;
        for name in names {
            let Kind::Directory(nodes) = &node.kind else { return None };
            node = nodes.iter().find(|node| node.name == name)?;
        }
        Some(node)
    }
}

/// Returns a time of UTC, in seconds since 1970, as the protocol writes it.
fn date(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that a leap day is the last one (Fliegel and van Flandern, 1968).
    let era_day = days + 719_468;
    let (era, day) = (era_day / 146_097, era_day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + later;
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z")
}

/// The packets of an answer that are sent at once.
const WINDOW: usize = 16;

/// A packet of a client.
#[derive(Debug)]
struct Packet<'p> {
    connection: [u8; 2],
    number: usize,
    total: usize,
    received: usize,
    asks: bool,
    data: &'p [u8],
}

impl<'p> Packet<'p> {
    /// Reads a datagram; none if it is not a packet.
    fn read(datagram: &'p [u8]) -> Option<Self> {
        let length = usize::from(*datagram.first()?);
        let (header, data) = datagram.split_at_checked(length).filter(|_| length >= 3)?;
        let field =
            |at: usize| Some(usize::from(u16::from_be_bytes([*header.get(at)?, *header.get(at + 1)?])));
        Some(Self {
            connection: [header[1], header[2]],
            number: field(3).unwrap_or(1),
            total: field(5).unwrap_or(1),
            received: field(7).unwrap_or(0),
            asks: header.get(11).is_some_and(|flags| flags & 0x80 != 0),
            data,
        })
    }
}

/// A request, and its answer once there is one.
#[derive(Debug, Default)]
struct Session {
    request: Vec<u8>,
    taken: usize,
    answer: Option<Vec<Vec<u8>>>,
    /// The packets up to this number have been sent once.
    sent: usize,
}

/// What the packet of a client leads to.
enum Step {
    /// Nothing is sent.
    Nothing,
    /// These packets of the request are there.
    Acknowledge(usize),
    /// The request is whole.
    Answer,
    /// The client has the packets up to this number.
    Continue(usize),
}

impl Session {
    /// Takes a packet.
    fn take(&mut self, packet: &Packet<'_>) -> Step {
        if packet.number == 0 {
            return Step::Continue(packet.received);
        }
        if packet.number == self.taken + 1 {
            self.taken += 1;
            self.request.extend_from_slice(packet.data);
        }
        match (&self.answer, packet.total == self.taken) {
            (Some(_), _) => Step::Continue(packet.received),
            (None, true) => Step::Answer,
            (None, false) if packet.asks => Step::Acknowledge(self.taken),
            (None, false) => Step::Nothing,
        }
    }

    fn request(&self) -> &[u8] {
        &self.request
    }

    /// Sets the answer, in packets of this size.
    fn answer(&mut self, answer: &[u8], size: usize) {
        let mut packets: Vec<_> = answer.chunks(size).map(<[u8]>::to_vec).collect();
        if packets.is_empty() {
            packets.push(Vec::new());
        }
        self.answer = Some(packets);
    }

    /// Returns the window of packets after those that the client has, and the number of the first.
    fn window(&self, connection: [u8; 2], received: usize) -> (usize, Vec<Vec<u8>>) {
        let packets = self.answer.as_deref().unwrap_or_default();
        let window = packets.iter().enumerate().skip(received).take(WINDOW);
        let datagrams = window.map(|(index, data)| {
            let mut datagram = self.header(connection, index + 1, packets.len());
            datagram.extend_from_slice(data);
            datagram
        });
        (received + 1, datagrams.collect())
    }

    /// Writes a header, as short as the server of 1994 did: it does not know how many packets there are
    /// while it sends the first window. The captures have answers of 1 and of 67 packets; that the last
    /// of 2 to 16 packets has their number is a guess.
    fn header(&self, connection: [u8; 2], number: usize, total: usize) -> Vec<u8> {
        if total == 1 {
            return header(connection, &[]);
        }
        let is_last = number == total;
        let known = if number > WINDOW || is_last { total } else { 0 };
        let asks = number.is_multiple_of(WINDOW) && !is_last;
        let fields = [number, known, self.taken, 0].map(|field| field as u16);
        let count = if asks {
            4
        } else if known > 0 {
            3
        } else {
            2
        };
        let mut header = header(connection, &fields[..count]);
        if asks {
            header.push(0x80);
            header[0] += 1;
        }
        header
    }
}

/// Writes a header with these fields after the number of the connection.
fn header(connection: [u8; 2], fields: &[u16]) -> Vec<u8> {
    let length = 3 + 2 * fields.len() as u8;
    let mut header = vec![length, connection[0], connection[1]];
    fields.iter().for_each(|field| header.extend(field.to_be_bytes()));
    header
}

/// Writes a word: everything from its first character on that is not plain is quoted.
fn quoted(word: &[u8]) -> Vec<u8> {
    let is_plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._".contains(octet);
    let plain = word.iter().take_while(|octet| is_plain(octet)).count();
    let (plain, rest) = word.split_at(plain);
    let mut out = plain.to_vec();
    if !rest.is_empty() || word.is_empty() {
        out.push(b'\'');
        for &octet in rest {
            out.extend_from_slice(if octet == b'\'' { b"''" } else { std::slice::from_ref(&octet) });
        }
        out.push(b'\'');
    }
    out
}

/// Divides a request into lines, and these into words. Line ends cannot be quoted in a request.
fn lines(request: &[u8]) -> impl Iterator<Item = Vec<Vec<u8>>> {
    request.split(|&octet| octet == b'\n').filter(|line| !line.is_empty()).map(words)
}

fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    let (mut is_quoted, mut is_word) = (false, false);
    let mut octets = line.iter().peekable();
    while let Some(&octet) = octets.next() {
        if octet == b' ' && !is_quoted {
            is_word = false;
            continue;
        }
        if !is_word {
            words.push(Vec::new());
            is_word = true;
        }
        let is_pair = is_quoted && octet == b'\'' && octets.next_if_eq(&&b'\'').is_some();
        match words.last_mut() {
            Some(word) if octet != b'\'' || is_pair => word.push(octet),
            _ => is_quoted = !is_quoted,
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (seconds, expected) in [
            (0, "19700101000000Z"),
            (951_782_399, "20000228235959Z"),
            (951_782_400, "20000229000000Z"),
            (1_795_254_426, "20261121094706Z"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }

    #[test]
    fn words_are_quoted_from_the_first_special_character_on() {
        for (word, expected) in [
            ("", "''"),
            ("readme.txt", "readme.txt"),
            ("9 bytes", "9' bytes'"),
            ("it's quoted", "it'''s quoted'"),
            ("AFTP/pub/it's quoted", "AFTP'/pub/it''s quoted'"),
            ("/pub/readme.txt", "'/pub/readme.txt'"),
        ] {
            assert_eq!(String::from_utf8_lossy(&quoted(word.as_bytes())), expected);
            let line = [b"LIST ", &quoted(word.as_bytes())[..]].concat();
            assert_eq!(lines(&line).collect::<Vec<_>>(), [[b"LIST".to_vec(), word.into()]]);
        }
    }
}
