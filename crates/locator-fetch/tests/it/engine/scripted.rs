//! A server in this process that follows a script: one connection, and the data connections that the
//! script opens.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

/// What the server does next.
#[derive(Clone)]
pub(crate) enum Action {
    /// Reads a line.
    Line,
    /// Sends octets.
    Send(&'static [u8]),
    /// Sends octets one at a time.
    Slowly(&'static [u8]),
    /// Sends an octet a second.
    EachSecond(&'static [u8]),
    /// Sends octets for ever.
    Repeat(&'static [u8]),
    /// Sends for ever, and counts.
    Flood(Arc<AtomicU64>),
    /// Secures the connection.
    Secure,
    /// Opens a data connection, by 229.
    Epsv,
    /// Opens a data connection, by 227 with this host.
    Pasv(&'static str),
    /// Secures the data connection.
    SecureData,
    /// Sends octets on the data connection.
    SendData(&'static [u8]),
    /// Closes the data connection, under TLS with close_notify.
    CloseData,
    /// Closes the data connection without close_notify.
    CutData,
    /// Closes the connection, under TLS with close_notify.
    Close,
    /// Closes the connection without close_notify.
    Cut,
    /// Waits until the test says that it goes on.
    Wait(Arc<Notify>),
    /// Resets the connection, which drops what was not read.
    Reset,
    /// Does nothing more.
    Hang,
}

/// Starts a server, and returns its port.
pub(crate) async fn serve(script: Vec<Action>) -> u16 {
    start(None, script).await
}

/// Starts a server that can secure its connections.
pub(crate) async fn serve_with(settings: Arc<ServerConfig>, script: Vec<Action>) -> u16 {
    start(Some(settings.into()), script).await
}

async fn start(tls: Option<TlsAcceptor>, script: Vec<Action>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        drop(listener);
        stream.set_nodelay(true).unwrap();
        let mut server = Server { tls, control: Some(Stream::Tcp(stream)), listener: None, data: None };
        for action in script {
            if server.act(action).await.is_err() || server.control.is_none() {
                return;
            }
        }
    });
    port
}

/// A connection, in the clear or secured.
enum Stream {
    Tcp(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Stream {
    async fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(into).await,
            Self::Tls(stream) => stream.read(into).await,
        }
    }

    async fn write(&mut self, octets: &[u8]) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.write_all(octets).await,
            Self::Tls(stream) => {
                stream.write_all(octets).await?;
                stream.flush().await
            }
        }
    }

    async fn secured(self, tls: Option<&TlsAcceptor>) -> io::Result<Self> {
        match self {
            Self::Tcp(stream) => Ok(Self::Tls(tls.unwrap().accept(stream).await?.into())),
            Self::Tls(_) => panic!("it is secured already"),
        }
    }

    async fn close(self) -> io::Result<()> {
        match self {
            Self::Tcp(_) => Ok(()),
            Self::Tls(mut stream) => stream.shutdown().await,
        }
    }
}

struct Server {
    tls: Option<TlsAcceptor>,
    /// `None` at the end.
    control: Option<Stream>,
    listener: Option<TcpListener>,
    data: Option<Stream>,
}

impl Server {
    async fn act(&mut self, action: Action) -> io::Result<()> {
        match action {
            Action::Epsv => return self.listen(|port| format!("229 (|||{port}|)\r\n")).await,
            Action::Pasv(host) => {
                return self.listen(|port| format!("227 ({host},{},{})\r\n", port / 256, port % 256)).await;
            }
            Action::SendData(octets) => return self.data().await?.write(octets).await,
            Action::CutData => {
                self.data().await?;
                self.data = None;
                return Ok(());
            }
            Action::CloseData => {
                self.data().await?;
                return self.data.take().unwrap().close().await;
            }
            Action::SecureData => {
                self.data().await?;
                self.data = Some(self.data.take().unwrap().secured(self.tls.as_ref()).await?);
                return Ok(());
            }
            _ => {}
        }
        let mut control = self.control.take().unwrap();
        match action {
            Action::Line => {
                let mut octet = [0];
                while octet != *b"\n" {
                    if control.read(&mut octet).await? == 0 {
                        return Ok(());
                    }
                }
            }
            Action::Send(octets) => control.write(octets).await?,
            Action::Slowly(octets) => {
                for octet in octets {
                    control.write(&[*octet]).await?;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            Action::EachSecond(octets) => {
                for octet in octets {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    control.write(&[*octet]).await?;
                }
            }
            Action::Repeat(octets) => loop {
                control.write(octets).await?;
            },
            Action::Flood(count) => loop {
                control.write(&[b'x'; 4096]).await?;
                count.fetch_add(4096, Ordering::Relaxed);
            },
            Action::Secure => control = control.secured(self.tls.as_ref()).await?,
            Action::Close => return control.close().await,
            Action::Wait(told) => told.notified().await,
            Action::Reset => {
                if let Stream::Tcp(stream) = &control {
                    stream.set_zero_linger()?;
                }
                return Ok(());
            }
            Action::Hang => {
                while control.read(&mut [0; 64]).await? > 0 {}
                return Ok(());
            }
            _ => return Ok(()),
        }
        self.control = Some(control);
        Ok(())
    }

    /// Listens for a data connection, and sends its port.
    async fn listen(&mut self, reply: impl FnOnce(u16) -> String) -> io::Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        self.listener = Some(listener);
        self.control.as_mut().unwrap().write(reply(port).as_bytes()).await
    }

    /// Returns the data connection, once the client has made it.
    async fn data(&mut self) -> io::Result<&mut Stream> {
        if self.data.is_none() {
            let (stream, _) = self.listener.take().unwrap().accept().await?;
            self.data = Some(Stream::Tcp(stream));
        }
        Ok(self.data.as_mut().unwrap())
    }
}

/// Returns how many sockets of this process are connected to a port of this machine.
pub(crate) fn descriptors(port: u16) -> usize {
    let own = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
    let inodes: Vec<String> = own
        .filter_map(|entry| std::fs::read_link(entry.path()).ok())
        .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.trim_end_matches(']').to_owned()))
        .collect();
    let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
    let remote = format!(":{port:04X}");
    let is_ours = |line: &&str| {
        let fields: Vec<_> = line.split_whitespace().collect();
        fields.get(2).is_some_and(|field| field.ends_with(&remote))
            && fields.get(9).is_some_and(|inode| inodes.iter().any(|own| own == inode))
    };
    table.lines().filter(is_ours).count()
}

/// Returns the number of tasks of this runtime.
pub(crate) fn tasks() -> usize {
    tokio::runtime::Handle::current().metrics().num_alive_tasks()
}
