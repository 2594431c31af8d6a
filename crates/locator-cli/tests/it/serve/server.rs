//! A server of gopher in a thread, which counts its connections.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What a server does after it has read a selector.
pub(crate) type Reply = dyn Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync;

/// A server, and what it was asked.
pub(crate) struct Server {
    port: u16,
    connections: Arc<AtomicUsize>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server whose reply to everything is this.
    pub(crate) fn start(octets: &'static [u8]) -> Self {
        Self::start_with(move |_, stream| stream.write_all(octets))
    }

    pub(crate) fn start_with(
        reply: impl Fn(&str, &mut TcpStream) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (connections, asked) = (Arc::new(AtomicUsize::new(0)), Arc::<Mutex<Vec<String>>>::default());
        let (counted, noted, reply) =
            (connections.clone(), asked.clone(), Arc::<Reply>::from(Box::new(reply) as Box<Reply>));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let (noted, reply) = (noted.clone(), reply.clone());
                thread::spawn(move || {
                    let mut selector = Vec::new();
                    let _ = BufReader::new(stream.try_clone().unwrap()).read_until(b'\n', &mut selector);
                    let selector = String::from_utf8_lossy(&selector);
                    let selector = selector.trim_end_matches(['\r', '\n']);
                    noted.lock().unwrap().push(selector.to_owned());
                    // The gateway may have gone.
                    let _ = reply(selector, &mut stream);
                });
            }
        });
        Self { port, connections, asked }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("gopher://127.0.0.1:{}/{path}", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Returns the selectors that it was asked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}
