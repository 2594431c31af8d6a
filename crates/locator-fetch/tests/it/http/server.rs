//! A server of HTTP/1.1 in this process: each request gets the next answer, whatever it asks for.
//!
//! The servers of `locator-dev` are threads. This one is a task of the test's runtime, because many tests here pause
//! the clock of that runtime: it would go on by itself while a thread answers, and end the fetch by a time-out.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a request is answered with.
#[derive(Clone)]
pub(crate) enum Answer {
    /// These octets; the connection stays open.
    Send(Vec<u8>),
    /// These octets, and the end of the connection.
    Close(Vec<u8>),
    /// These octets, and a reset.
    Reset(Vec<u8>),
    /// These octets, each in a write of its own.
    Slowly(Vec<u8>),
    /// The first octets, then the second ones for ever.
    Flood(Vec<u8>, Vec<u8>),
    /// A tunnel to a port of this machine.
    Tunnel(u16),
}

/// A running server.
pub(crate) struct Server {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Starts a server in the clear.
    pub(crate) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = Self { port, requests: Arc::default(), connections: Arc::default() };
        let (requests, connections) = (server.requests.clone(), server.connections.clone());
        tokio::spawn(async move {
            let answers = Arc::new(Mutex::new(VecDeque::from(answers)));
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::Relaxed);
                stream.set_nodelay(true).unwrap();
                tokio::spawn(serve(stream, answers.clone(), requests.clone()));
            }
        });
        server
    }

    /// Returns a URL of this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns the requests so far: head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns the values of a field of each request.
    pub(crate) fn fields(&self, name: &str) -> Vec<Option<String>> {
        let value = |head: &String| {
            head.lines().find_map(|line| {
                let (own, value) = line.split_once(": ")?;
                own.eq_ignore_ascii_case(name).then(|| value.to_owned())
            })
        };
        self.requests().iter().map(value).collect()
    }

    /// Returns how many connections were made.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

async fn serve(
    mut stream: TcpStream,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    requests: Arc<Mutex<Vec<String>>>,
) -> std::io::Result<()> {
    while let Some(request) = read_request(&mut stream).await? {
        requests.lock().unwrap().push(request);
        let answer = answers.lock().unwrap().pop_front();
        match answer {
            None => return Ok(()),
            Some(Answer::Send(octets)) => stream.write_all(&octets).await?,
            Some(Answer::Close(octets)) => return stream.write_all(&octets).await,
            Some(Answer::Reset(octets)) => {
                stream.write_all(&octets).await?;
                return stream.set_zero_linger();
            }
            Some(Answer::Slowly(octets)) => {
                for octet in octets {
                    stream.write_all(&[octet]).await?;
                    tokio::task::yield_now().await;
                }
            }
            Some(Answer::Flood(first, rest)) => {
                stream.write_all(&first).await?;
                loop {
                    stream.write_all(&rest).await?;
                }
            }
            Some(Answer::Tunnel(port)) => {
                let mut other = TcpStream::connect(("127.0.0.1", port)).await?;
                stream.write_all(b"HTTP/1.0 200 Connection established\r\n\r\n").await?;
                tokio::io::copy_bidirectional(&mut stream, &mut other).await?;
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Reads a request with its body; `None` at the end of the connection.
pub(crate) async fn read_request(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
) -> std::io::Result<Option<String>> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let mut octet = [0];
        if stream.read(&mut octet).await? == 0 {
            return Ok(None);
        }
        request.push(octet[0]);
    }
    let text = String::from_utf8(request).unwrap();
    let length = text
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await?;
    Ok(Some(text + &String::from_utf8(body).unwrap()))
}

/// Returns a response with a length.
pub(crate) fn response(status: &str, fields: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n{body}", body.len()).into()
}

/// Returns an answer that the object is here.
pub(crate) fn ok(body: &str) -> Answer {
    Answer::Send(response("200 OK", "", body))
}
