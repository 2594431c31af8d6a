//! The server: answers the datagrams of any number of clients, with faults of the network on request.

#![expect(clippy::disallowed_types, reason = "a server for tests")]

use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, SocketAddrV4, UdpSocket};
use std::thread;

use super::answers::Directory;
use super::ardp::{Packet, Session, Step, header};

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
