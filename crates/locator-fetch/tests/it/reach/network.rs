//! A network for tests, whose addresses are all on the loopback interface of a network namespace: hosts
//! with public addresses that serve, and addresses inside that nothing may connect to.

use std::collections::{BTreeMap, VecDeque};
use std::io::ErrorKind;
use std::net::{self, IpAddr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use locator_fetch::{Resolved, Resolver};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

/// Addresses that serve.
pub(crate) const PUBLIC: [&str; 3] = ["1.2.3.4", "5.6.7.8", "2606:4700::1111"];

/// Addresses that an answer of a public server may not lead to. The last three contain 127.0.0.1 and
/// 10.0.0.1: NAT64 and 6to4.
pub(crate) const INSIDE: [&str; 12] = [
    "127.0.0.1",
    "::1",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "100.100.100.200",
    "fd00::1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::1",
];

/// Other ways to write such addresses, and names that mean this machine or its network.
const FORMS: [&str; 24] = [
    "0.0.0.0",
    "0",
    "0x7f000001",
    "0x7f.1",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[2001:0:7f00:1::80ff:fffe]",
    "localhost",
    "LOCALHOST",
    "app.localhost",
    "localhost.",
    "printer",
    "metadata.google.internal",
    "example.onion",
    "1.2.3.4@127.0.0.1",
];

/// Returns the hosts of URLs that lead inside.
pub(crate) fn hosts_inside() -> impl Iterator<Item = String> {
    let literals =
        INSIDE.map(|address| if address.contains(':') { format!("[{address}]") } else { address.into() });
    literals.into_iter().chain(FORMS.map(str::to_owned))
}

/// The ports that are watched at each of them.
const PORTS: [u16; 7] = [21, 25, 70, 80, 210, 443, 8080];

/// Runs the ignored tests of this module in a network namespace with these addresses. Root needs no
/// namespace of users for it.
pub(crate) fn run_inside() -> Result<(), String> {
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let kinds: &[&str] = if is_root { &["--net"] } else { &["--user", "--map-root-user", "--net"] };
    let addresses =
        PUBLIC.into_iter().chain(INSIDE).filter(|address| !["127.0.0.1", "::1"].contains(address));
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("unshare");
    command
        .args(kinds)
        .args(["python3", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/reach/addresses.py")]);
    command.args(addresses).arg("--").arg(own).args(["reach::", "--ignored", "--test-threads=1"]);
    let status = command.status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}")),
        Err(error) => Err(format!("unshare: {error}")),
    }
}

/// Returns whether this process is in the network of [`run_inside`].
pub(crate) fn is_inside() -> bool {
    Path::new("/proc/net/fib_trie").exists() && net::TcpListener::bind("1.2.3.4:0").is_ok()
}

/// Listeners at all addresses inside, where nothing may connect to.
pub(crate) struct Trap {
    streams: Vec<net::TcpListener>,
    datagrams: Vec<UdpSocket>,
}

impl Trap {
    pub(crate) fn new() -> Self {
        Self::at(&INSIDE)
    }

    /// Watches these addresses only.
    pub(crate) fn at(addresses: &[&str]) -> Self {
        let ip = |address: &&str| address.parse::<IpAddr>().unwrap();
        let all = addresses.iter().flat_map(|address| PORTS.map(|port| SocketAddr::new(ip(address), port)));
        let streams: Vec<_> = all.map(|address| net::TcpListener::bind(address).unwrap()).collect();
        let bind = |address| UdpSocket::bind(SocketAddr::new(ip(address), 1525)).unwrap();
        let datagrams: Vec<_> = addresses.iter().map(bind).collect();
        streams.iter().for_each(|listener| listener.set_nonblocking(true).unwrap());
        datagrams.iter().for_each(|socket| socket.set_nonblocking(true).unwrap());
        Self { streams, datagrams }
    }

    /// Leaves out a port, for a server there.
    pub(crate) fn without(mut self, port: u16) -> Self {
        self.streams.retain(|listener| listener.local_addr().unwrap().port() != port);
        self
    }

    /// Returns the addresses that something connected to, or sent to, since the last call. The system
    /// completes a connection before it is accepted, so none is missed.
    pub(crate) fn sprung(&self) -> Vec<SocketAddr> {
        let mut found = Vec::new();
        for listener in &self.streams {
            while let Some(_stream) = waiting(listener.accept()) {
                found.push(listener.local_addr().unwrap());
            }
        }
        for socket in &self.datagrams {
            while waiting(socket.recv_from(&mut [0; 1])).is_some() {
                found.push(socket.local_addr().unwrap());
            }
        }
        found
    }
}

fn waiting<T>(result: std::io::Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) if error.kind() == ErrorKind::WouldBlock => None,
        Err(error) => panic!("{error}"),
    }
}

/// A resolver that has a list of answers for each name. The last one stays.
#[derive(Default)]
pub(crate) struct Names(Mutex<BTreeMap<&'static str, VecDeque<Vec<IpAddr>>>>, pub(crate) Mutex<Vec<String>>);

impl Names {
    /// Adds an answer for a name.
    pub(crate) fn with(self, name: &'static str, addresses: &[&str]) -> Self {
        let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
        self.0.lock().unwrap().entry(name).or_default().push_back(addresses);
        self
    }

    /// Returns the names that were looked up, in order.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.1.lock().unwrap())
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
        self.1.lock().unwrap().push(name.to_owned());
        let mut names = self.0.lock().unwrap();
        let answers = names.get_mut(name);
        let found = answers.map(|answers| match answers.len() {
            1 => answers[0].clone(),
            _ => answers.pop_front().unwrap(),
        });
        Box::pin(async move { Ok(found.unwrap_or_default()) })
    }
}

/// Serves at an address until the runtime ends: replies to each line, or to each head of a request of
/// HTTP, and keeps the connection of HTTP open if the reply does not end it.
pub(crate) async fn serve(address: &str, reply: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) {
    let (listener, reply) = (TcpListener::bind(address).await.unwrap(), Arc::new(reply));
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(talk(stream, reply.clone()));
        }
    });
}

/// Like [`serve`], over TLS.
pub(crate) async fn serve_secured(
    address: &str,
    config: Arc<ServerConfig>,
    reply: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
) {
    let (listener, reply) = (TcpListener::bind(address).await.unwrap(), Arc::new(reply));
    let acceptor = TlsAcceptor::from(config);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (acceptor, reply) = (acceptor.clone(), reply.clone());
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    talk(stream, reply).await;
                }
            });
        }
    });
}

async fn talk(mut stream: impl AsyncRead + AsyncWrite + Unpin, reply: Arc<impl Fn(&str) -> Vec<u8>>) {
    loop {
        let mut request = Vec::new();
        let is_http = |request: &[u8]| request.windows(5).any(|part| part == b"HTTP/");
        while !request.ends_with(if is_http(&request) { b"\r\n\r\n" } else { b"\r\n" }) {
            match stream.read_u8().await {
                Ok(octet) => request.push(octet),
                Err(_) => return,
            }
        }
        let reply = reply(&String::from_utf8_lossy(&request));
        let is_last = !is_http(&request) || reply.windows(17).any(|part| part == b"Connection: close");
        if stream.write_all(&reply).await.is_err() || is_last {
            let _ = stream.shutdown().await;
            return;
        }
    }
}
