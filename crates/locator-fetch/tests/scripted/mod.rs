//! A server in this process that follows a script: one connection, and the data connections that the
//! script opens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does next.
#[derive(Clone)]
pub(crate) enum Action {
    /// Reads a line.
    Line,
    /// Sends octets.
    Send(&'static [u8]),
    /// Sends octets one at a time.
    Slowly(&'static [u8]),
    /// Sends octets for ever.
    Repeat(&'static [u8]),
    /// Sends for ever, and counts.
    Flood(Arc<AtomicU64>),
    /// Opens a data connection, by 229.
    Epsv,
    /// Opens a data connection, by 227 with this host.
    Pasv(&'static str),
    /// Sends octets on the data connection.
    SendData(&'static [u8]),
    /// Closes the data connection.
    CloseData,
    /// Closes the connection.
    Close,
    /// Resets the connection.
    Reset,
    /// Does nothing more.
    Hang,
}

/// Starts a server, and returns its port.
pub(crate) async fn serve(script: Vec<Action>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        drop(listener);
        let _ = follow(stream, script).await;
    });
    port
}

async fn follow(mut control: TcpStream, script: Vec<Action>) -> std::io::Result<()> {
    let mut listener: Option<TcpListener> = None;
    let mut data: Option<TcpStream> = None;
    control.set_nodelay(true)?;
    for action in script {
        match action {
            Action::Line => while control.read_u8().await? != b'\n' {},
            Action::Send(octets) => control.write_all(octets).await?,
            Action::Slowly(octets) => {
                for octet in octets {
                    control.write_all(&[*octet]).await?;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            Action::Repeat(octets) => loop {
                control.write_all(octets).await?;
            },
            Action::Flood(count) => loop {
                control.write_all(&[b'x'; 4096]).await?;
                count.fetch_add(4096, Ordering::Relaxed);
            },
            Action::Epsv | Action::Pasv(_) => {
                let opened = TcpListener::bind("127.0.0.1:0").await?;
                let port = opened.local_addr()?.port();
                let reply = match action {
                    Action::Pasv(host) => format!("227 ({host},{},{})\r\n", port / 256, port % 256),
                    _ => format!("229 (|||{port}|)\r\n"),
                };
                control.write_all(reply.as_bytes()).await?;
                listener = Some(opened);
            }
            Action::SendData(octets) => {
                if data.is_none() {
                    data = Some(listener.take().unwrap().accept().await?.0);
                }
                data.as_mut().unwrap().write_all(octets).await?;
            }
            Action::CloseData => {
                if data.is_none() {
                    drop(listener.take().unwrap().accept().await?);
                }
                data = None;
            }
            Action::Close => return Ok(()),
            Action::Reset => {
                // Octets must arrive before the reset, which drops what was not read.
                tokio::time::sleep(Duration::from_millis(50)).await;
                control.set_zero_linger()?;
                return Ok(());
            }
            Action::Hang => {
                let mut rest = [0; 64];
                while control.read(&mut rest).await? > 0 {}
                return Ok(());
            }
        }
    }
    Ok(())
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
