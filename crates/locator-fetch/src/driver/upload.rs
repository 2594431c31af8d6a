//! Sends an object on a data connection of FTP: takes a body, writes its pieces; those of a text with the line
//! ends of the network (RFC 959, 3.1.1.1).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::AsyncWrite;

use crate::error::failure::FailureKind;
use crate::http::{OutgoingBody, RequestBody};
use crate::local::file_failure;
use crate::net::tls::Stream;

/// An object that is sent. It begins again for each data connection.
pub(super) struct Upload {
    body: RequestBody,
    sending: Option<Sending>,
}

/// A body of which a part was sent.
struct Sending {
    body: OutgoingBody,
    /// What was read and not yet sent.
    piece: Bytes,
    /// Whether the last octet that was read is CR.
    ends_with_cr: bool,
}

/// Why octets are not sent.
pub(super) enum UploadError {
    /// The body cannot be read.
    File(FailureKind),
    Connection(io::Error),
}

impl Upload {
    pub(super) const fn new(body: RequestBody) -> Self {
        Self { body, sending: None }
    }

    /// Begins again with another data connection.
    pub(super) fn start_over(&mut self) {
        self.sending = None;
    }

    /// Sends the next octets, and returns their number; after the last one ends the connection, and returns 0.
    pub(super) fn poll(
        &mut self,
        stream: &mut Stream,
        is_text: bool,
        cx: &mut Context<'_>,
    ) -> Poll<Result<usize, UploadError>> {
        let sending = match &mut self.sending {
            Some(sending) => sending,
            None => {
                let body = self.body.clone().open(None).map_err(UploadError::File)?;
                let sending = Sending { body, piece: Bytes::new(), ends_with_cr: false };
                self.sending.insert(sending)
            }
        };
        let mut stream = Pin::new(stream);
        while sending.piece.is_empty() {
            match ready!(sending.body.poll_piece(cx)) {
                Some(Ok(octets)) if is_text => sending.piece = sending.with_line_ends(&octets),
                Some(Ok(octets)) => sending.piece = octets,
                Some(Err(error)) => return Poll::Ready(Err(UploadError::File(file_failure(error)))),
                None => {
                    return stream.poll_shutdown(cx).map_ok(|()| 0).map_err(UploadError::Connection);
                }
            }
        }
        let count =
            ready!(stream.as_mut().poll_write(cx, &sending.piece)).map_err(UploadError::Connection)?;
        if count == 0 {
            let error = io::Error::from(io::ErrorKind::BrokenPipe);
            return Poll::Ready(Err(UploadError::Connection(error)));
        }
        sending.piece.advance(count);
        Poll::Ready(Ok(count))
    }
}

impl Sending {
    /// "The sender converts the data from an internal character representation to the standard 8-bit NVT-ASCII
    /// representation" (RFC 959, 3.1.1.1), whose lines end in CR LF.
    fn with_line_ends(&mut self, octets: &[u8]) -> Bytes {
        let mut converted = BytesMut::with_capacity(octets.len() + octets.len() / 32);
        for &octet in octets {
            if octet == b'\n' && !self.ends_with_cr {
                converted.extend_from_slice(b"\r");
            }
            self.ends_with_cr = octet == b'\r';
            converted.extend_from_slice(&[octet]);
        }
        converted.freeze()
    }
}
