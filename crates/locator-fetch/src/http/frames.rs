//! What a server of HTTP/2 sends besides bodies: counts the octets of its frames (RFC 9113, 4.1). Where
//! several requests share a connection none of them sees these, and no limit of one response stops a server
//! that sends them without end.

/// The octets of the head of a frame: a length of three octets, a type, flags, and a stream.
const HEAD: usize = 9;

const DATA: u8 = 0;
const WINDOW_UPDATE: u8 = 8;

/// Follows the frames of a connection.
#[derive(Debug, Default)]
pub(super) struct Frames {
    head: [u8; HEAD],
    /// How many octets of the head have come.
    count: usize,
    /// How many octets of the present frame follow its head.
    left: usize,
    /// The octets of frames since the last one with a part of a body.
    pub(super) octets: u64,
}

impl Frames {
    /// Takes what was read.
    pub(super) fn push(&mut self, mut octets: &[u8]) {
        while !octets.is_empty() {
            let skipped = self.left.min(octets.len());
            self.left -= skipped;
            octets = octets.get(skipped..).unwrap_or_default();
            let taken = octets.len().min(HEAD - self.count);
            let (head, rest) = octets.split_at(taken);
            if let Some(place) = self.head.get_mut(self.count..self.count + taken) {
                place.copy_from_slice(head);
            }
            self.count += taken;
            octets = rest;
            if self.count == HEAD {
                self.begin();
            }
        }
    }

    /// Counts a frame, whose head is there.
    fn begin(&mut self) {
        let [first, second, third, kind, ..] = self.head;
        self.left = usize::from(first) << 16 | usize::from(second) << 8 | usize::from(third);
        self.count = 0;
        match kind {
            DATA if self.left > 0 => self.octets = 0,
            // A server may send one for every piece of an upload.
            WINDOW_UPDATE => self.octets += 1,
            _ => self.octets += (HEAD + self.left) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, length: u8) -> Vec<u8> {
        [&[0, 0, length, kind, 0, 0, 0, 0, 1][..], &vec![b'x'; length.into()]].concat()
    }

    #[test]
    fn frames_in_pieces() {
        let (headers, ping, empty) = (frame(1, 5), frame(6, 8), frame(DATA, 0));
        let all = [headers, ping, empty, frame(WINDOW_UPDATE, 4)].concat();
        for size in 1..=all.len() {
            let mut frames = Frames::default();
            all.chunks(size).for_each(|piece| frames.push(piece));
            assert_eq!(frames.octets, 14 + 17 + 9 + 1, "{size}");
            frame(DATA, 3).chunks(size).for_each(|piece| frames.push(piece));
            assert_eq!((frames.octets, frames.count, frames.left), (0, 0, 0), "{size}");
        }
    }
}
