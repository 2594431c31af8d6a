//! Writes packets of servers, and reads those of clients.

/// Returns a field.
pub(crate) fn field(tag: u32, value: &[u8]) -> Vec<u8> {
    [integer(tag as usize), integer(value.len()), value.to_vec()].concat()
}

fn integer(value: usize) -> Vec<u8> {
    let groups = (0..5).rev().map(|i| (value >> (7 * i) & 0x7F) as u8).skip_while(|group| *group == 0);
    let mut octets: Vec<u8> = groups.map(|group| group | 0x80).collect();
    let last = octets.pop().unwrap_or(0) & 0x7F;
    octets.push(last);
    octets
}

/// Returns a packet with what is counted and the user information.
pub(crate) fn packet(counted: &[u8], user: &[u8]) -> Vec<u8> {
    let length = (counted.len() as u16).to_be_bytes();
    let apdu = [&length, counted, user].concat();
    [format!("{:010}z2wais        0", apdu.len()).as_bytes(), &apdu].concat()
}

/// Returns the response to Init of a server that sends messages of this size.
pub(crate) fn accepted(largest: u32) -> Vec<u8> {
    let size = &largest.to_be_bytes()[1..];
    packet(&[b"\x15\x01", &field(5, size)[..], &field(6, size)].concat(), b"")
}

/// Returns the response to a search, with the identifier of the request and records.
pub(crate) fn found(reference: Option<&str>, records: &[u8]) -> Vec<u8> {
    let reference = reference.map_or(Vec::new(), |reference| field(2, reference.as_bytes()));
    let counted = [b"\x17\0\0\0\0\0\0\x01\0\0\0", &field(27, b"\0")[..], &reference].concat();
    packet(&counted, &field(99, records))
}

/// Returns the record of a slice.
pub(crate) fn slice(octets: &[u8]) -> Vec<u8> {
    part_of(b"\x03\x02id", octets)
}

/// Returns the record of a slice of a document.
pub(crate) fn part_of(identifier: &[u8], octets: &[u8]) -> Vec<u8> {
    field(153, &[field(116, identifier), field(117, b"\0"), field(127, octets)].concat())
}

/// Returns the record of a hit.
pub(crate) fn hit(identifier: &[u8], headline: &[u8]) -> Vec<u8> {
    field(150, &[field(116, identifier), field(118, b"\x07"), field(123, headline)].concat())
}

pub(crate) fn diagnostic(code: &str, text: &str) -> Vec<u8> {
    let length = (text.len() as u16 + 3).to_be_bytes();
    [b"\x1C", &length[..], code.as_bytes(), text.as_bytes(), b"\0\x1D"].concat()
}

/// A request as it is meant: its type and fixed fields, then each field.
#[derive(Debug, PartialEq)]
pub(crate) struct Request {
    pub(crate) fixed: Vec<u8>,
    pub(crate) fields: Vec<(u32, Vec<u8>)>,
}

impl Request {
    pub(crate) fn of(packet: &[u8]) -> Self {
        assert_eq!(packet[..10], *format!("{:010}", packet.len() - 25).as_bytes());
        assert_eq!(&packet[10..25], b"z2wais        0");
        let length = usize::from(u16::from_be_bytes([packet[25], packet[26]]));
        let (counted, user) = packet[27..].split_at(length);
        let (fixed, rest) = counted.split_at(if counted[0] == 20 { 1 } else { 11 });
        let mut fields = fields(rest);
        for (tag, value) in self::fields(user) {
            fields.push((tag, Vec::new()));
            fields.extend(self::fields(&value));
        }
        Self { fixed: fixed.into(), fields }
    }

    pub(crate) fn field(&self, tag: u32) -> Option<&[u8]> {
        self.fields.iter().find(|field| field.0 == tag).map(|field| field.1.as_slice())
    }

    /// Returns the number of the request, where its slice begins, and where it ends.
    pub(crate) fn slice(&self) -> Option<(String, usize, usize)> {
        let term = |attributes: &[u8]| {
            let at = self.fields.iter().position(|field| field.0 == 44 && field.1 == attributes)?;
            String::from_utf8(self.fields[at + 1].1.clone()).ok()?.parse().ok()
        };
        let number = String::from_utf8(self.field(2)?.to_vec()).ok()?;
        Some((number, term(b"wb ro ig ig ig ig")?, term(b"wb rl ig ig ig ig")?))
    }
}

fn fields(mut octets: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut fields = Vec::new();
    let next = |octets: &mut &[u8]| {
        let mut value = 0;
        loop {
            let (first, rest) = octets.split_first().unwrap();
            *octets = rest;
            value = value << 7 | u32::from(first & 0x7F);
            if first & 0x80 == 0 {
                return value;
            }
        }
    };
    while !octets.is_empty() {
        let (tag, length) = (next(&mut octets), next(&mut octets));
        let (value, rest) = octets.split_at(length as usize);
        fields.push((tag, value.to_vec()));
        octets = rest;
    }
    fields
}
