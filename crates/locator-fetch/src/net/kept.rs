//! Streams that are kept for later: moved to the runtime of who uses them next, and closed with a last
//! message.

use std::io::{self, Write as _};
use std::net;

use tokio::net::TcpStream;

use super::tls::Stream;

impl Stream {
    /// Moves this connection to the present runtime. Returns whether it can be used: it is open, and without
    /// TLS the server has sent nothing that nobody asked for, such as its last words.
    pub(crate) fn renew(&mut self) -> io::Result<bool> {
        let is_plain = matches!(self, Self::Tcp(_));
        let Some(stream) = self.socket() else { return Ok(false) };
        let again = duplicate(stream)?;
        again.set_nonblocking(true)?;
        let is_usable = match again.peek(&mut [0]) {
            // What came may be a part of TLS.
            Ok(count) => count > 0 && !is_plain,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        };
        *stream = TcpStream::from_std(again)?;
        Ok(is_usable)
    }

    /// Sends a last message as far as that is possible without waiting; needs no runtime. Under TLS, it
    /// announces the end of the connection.
    pub(crate) fn close_with(&mut self, message: &[u8]) {
        let _ = self.send_last(message);
    }

    fn send_last(&mut self, message: &[u8]) -> io::Result<()> {
        let Some(stream) = self.socket() else { return Ok(()) };
        let mut stream = duplicate(stream)?;
        stream.set_nonblocking(true)?;
        match self {
            Self::Tcp(_) => stream.write_all(message),
            #[cfg(all(unix, feature = "http"))]
            Self::Unix(_) => Ok(()),
            #[cfg(feature = "tls")]
            Self::Tls(secured) => {
                let (_, session) = secured.get_mut();
                session.writer().write_all(message)?;
                session.send_close_notify();
                while session.wants_write() {
                    session.write_tls(&mut stream)?;
                }
                Ok(())
            }
            #[cfg(all(feature = "tls", feature = "http"))]
            Self::TlsInTls(_) => Ok(()),
        }
    }

    fn socket(&mut self) -> Option<&mut TcpStream> {
        match self {
            Self::Tcp(stream) => Some(stream),
            #[cfg(all(unix, feature = "http"))]
            Self::Unix(_) => None,
            #[cfg(feature = "tls")]
            Self::Tls(stream) => Some(stream.get_mut().0),
            #[cfg(all(feature = "tls", feature = "http"))]
            Self::TlsInTls(_) => None,
        }
    }
}

#[cfg(unix)]
fn duplicate(stream: &TcpStream) -> io::Result<net::TcpStream> {
    use std::os::fd::AsFd;

    stream.as_fd().try_clone_to_owned().map(Into::into)
}

#[cfg(windows)]
fn duplicate(stream: &TcpStream) -> io::Result<net::TcpStream> {
    use std::os::windows::io::AsSocket;

    stream.as_socket().try_clone_to_owned().map(Into::into)
}
