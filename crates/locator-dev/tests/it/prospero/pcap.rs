//! Captures of UDP: takes a file of tcpdump (pcap, little-endian, Ethernet, IPv4), returns datagrams.

use std::path::Path;

/// A datagram, with the ports of its sender and of its receiver.
pub(crate) struct Datagram {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) octets: Vec<u8>,
}

/// Returns the datagrams of a capture of `testdata/captures/prospero`, in order.
pub(crate) fn read(name: &str) -> Vec<Datagram> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/captures/prospero");
    let file = std::fs::read(directory.join(name)).unwrap();
    assert_eq!(file[..4], [0xD4, 0xC3, 0xB2, 0xA1], "{name}: not a pcap file");
    let mut rest = &file[24..];
    let mut datagrams = Vec::new();
    while let Some((head, after)) = rest.split_first_chunk::<16>() {
        let length = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        let (frame, after) = after.split_at(length as usize);
        datagrams.push(datagram(frame));
        rest = after;
    }
    datagrams
}

fn datagram(frame: &[u8]) -> Datagram {
    let ip = &frame[14..];
    let udp = &ip[usize::from(ip[0] & 15) * 4..];
    let field = |at| u16::from_be_bytes([udp[at], udp[at + 1]]);
    Datagram { from: field(0), to: field(2), octets: udp[8..usize::from(field(4))].into() }
}
