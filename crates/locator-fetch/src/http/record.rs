//! Heads of HTTP/1.1 as they were sent. hyper returns fields in lower case, and those of a name
//! together.

use bytes::Bytes;

use crate::error::failure::Reply;

/// Records what a server sends after a request, to the end of the head of its response.
#[derive(Debug, Default)]
pub(super) struct HeadRecord {
    octets: Vec<u8>,
    /// Where the present head begins: after those of the responses before the final one.
    head: usize,
    /// Where the present line begins.
    line: usize,
    is_recording: bool,
}

impl HeadRecord {
    /// Begins to record.
    pub(super) fn begin(&mut self) {
        *self = Self { is_recording: true, ..Self::default() };
    }

    /// Takes octets that the server sent, in any cut.
    pub(super) fn push(&mut self, octets: &[u8]) {
        let mut lines = octets.split_inclusive(|octet| *octet == b'\n');
        // The body is not searched for lines.
        while self.is_recording
            && let Some(piece) = lines.next()
        {
            self.octets.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let is_empty = matches!(&self.octets[self.line..], b"\n" | b"\r\n");
        if is_empty && self.line == self.head {
            // "A client SHOULD ignore at least one empty line" before the status line (RFC 9112, 2.2).
            self.octets.truncate(self.head);
        } else if is_empty {
            self.is_recording = is_interim(&self.octets[self.head..]);
            self.head = self.octets.len();
        }
        self.line = self.octets.len();
    }

    /// Returns the status and the reason of the last head.
    pub(super) fn status_line(&self) -> Option<Reply> {
        let head = self.octets.get(self.head..).filter(|head| !head.is_empty());
        let line = head.unwrap_or(&self.octets).split(|octet| *octet == b'\n').next()?.trim_ascii_end();
        let mut words = line.splitn(3, |octet| *octet == b' ').skip(1);
        let digits = words.next().filter(|word| word.len() == 3 && word.iter().all(u8::is_ascii_digit))?;
        let code = std::str::from_utf8(digits).ok()?.parse().ok()?;
        Some(Reply { code: Some(code), text: words.next().unwrap_or_default().to_vec() })
    }

    /// Returns whether the server has answered with a record of TLS: an alert or a handshake, of version 3 (RFC
    /// 8446, 5.1).
    pub(super) fn is_tls(&self) -> bool {
        matches!(&*self.octets, [0x15 | 0x16, 3, ..])
    }

    /// Returns the first length that the last head states.
    pub(super) fn content_length(&self) -> Option<String> {
        let head = self.octets.get(self.head..).filter(|head| !head.is_empty()).unwrap_or(&self.octets);
        head.split(|octet| *octet == b'\n').find_map(|line| {
            let colon = line.iter().position(|octet| *octet == b':')?;
            let is_length = line[..colon].eq_ignore_ascii_case(b"content-length");
            is_length.then(|| String::from_utf8_lossy(line[colon + 1..].trim_ascii()).into_owned())
        })
    }

    /// Returns the heads; nothing if the last one did not end.
    pub(super) fn take(&mut self) -> Bytes {
        let record = std::mem::take(self);
        if record.is_recording { Bytes::new() } else { record.octets.into() }
    }
}

/// Returns whether another head follows this one (RFC 9110, 15.2).
fn is_interim(head: &[u8]) -> bool {
    let status = head.split(|octet| *octet == b' ').nth(1).unwrap_or_default();
    status.starts_with(b"1") && !status.starts_with(b"101")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_in_any_cut() {
        for (sent, expected) in [
            ("HTTP/1.1 200 OK\r\nX-A: b\r\nx-a:c\r\n\r\nbody\r\n\r\n", 34),
            ("HTTP/1.1 200 OK\nX-A: b\n\nbody\n", 24),
            ("HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 100 x\r\n\r\nHTTP/1.1 204\r\n\r\nHTTP/1.1", 67),
            ("HTTP/1.1 101 x\r\n\r\nother\r\n\r\n", 18),
            ("HTTP/1.1 200 OK\r\nX-A: b\r\n", 0),
            ("", 0),
        ] {
            for size in 1..=sent.len().max(1) {
                let mut record = HeadRecord::default();
                record.begin();
                sent.as_bytes().chunks(size).for_each(|piece| record.push(piece));
                assert_eq!(record.take(), sent.as_bytes()[..expected], "{sent:?} by {size}");
                record.push(b"HTTP/1.1 200 OK\r\n\r\n");
                assert_eq!(record.take(), "", "what comes unasked is not recorded");
            }
        }
    }

    #[test]
    fn empty_lines_before_a_head() {
        let mut record = HeadRecord::default();
        record.begin();
        record.push(b"\r\n\nHTTP/1.1 200 OK\r\n\r\n");
        assert_eq!(record.take(), "HTTP/1.1 200 OK\r\n\r\n");
    }
}
