//! Any octets as datagrams of a server. The fuzz target `ardp` checks the same.

use std::collections::{BTreeMap, BTreeSet};

use locator_fetch::ardp::{Call, CallEvent, CallLimits, CallWant, Packet};

const CONNECTION: u16 = 0x0102;

/// Divides octets into datagrams, each after its length and a choice: as it is, or with the number of the
/// connection and of a packet.
fn datagrams(mut octets: &[u8]) -> Vec<Vec<u8>> {
    let mut datagrams = Vec::new();
    while let [length, choice, rest @ ..] = octets {
        let (datagram, rest) = rest.split_at(rest.len().min(usize::from(length % 32)));
        datagrams.push(match choice {
            0..=63 => datagram.to_vec(),
            64..=127 => [&[3, 1, 2], datagram].concat(),
            128..=191 => [&[5, 2, 1, 0, choice % 8], datagram].concat(),
            192.. => [&[7, 1, 2, 0, choice % 8, 0, 5 * (choice / 8 % 2)], datagram].concat(),
        });
        octets = rest;
    }
    datagrams
}

/// Plays datagrams to a call, and returns it with the number of those that it sent.
fn play(datagrams: &[Vec<u8>], foreign: Option<&[u8]>) -> (Call, usize) {
    let mut call = Call::new(b"STATUS\n", CONNECTION, CallLimits::default().waits(3));
    call.handle(CallEvent::Time, 0);
    let mut sent = 0;
    let mut now = 0;
    for datagram in datagrams {
        foreign.into_iter().for_each(|foreign| call.handle(CallEvent::Datagram(foreign), now));
        call.handle(CallEvent::Datagram(datagram), now);
        while let CallWant::Send(own) = call.want() {
            let own = Packet::parse(own).expect("a call sends packets");
            assert_eq!(own.connection, CONNECTION);
            assert!(own.data == b"STATUS\n" || own.number == 0 && own.data.is_empty());
            call.handle(CallEvent::Sent, now);
            sent += 1;
        }
        now += 700;
        call.handle(CallEvent::Time, now);
    }
    (call, sent)
}

/// Checks what must be the case whatever a server sends.
pub(crate) fn check(octets: &[u8]) {
    let datagrams = datagrams(octets);
    let (call, sent) = play(&datagrams, None);
    assert!(sent <= 2 * datagrams.len() + 2, "{sent} datagrams for {}", datagrams.len());
    // The answer consists of packets in the order of their numbers.
    let mut packets: BTreeMap<u16, BTreeSet<&[u8]>> = BTreeMap::new();
    for packet in datagrams.iter().filter_map(|datagram| Packet::parse(datagram)) {
        if packet.is_of(CONNECTION) && packet.number > 0 {
            packets.entry(packet.number).or_default().insert(packet.data);
        }
    }
    let mut ends = BTreeSet::from([0]);
    let mut number = 0;
    while !ends.contains(&call.answer().len()) {
        number += 1;
        let next = packets.get(&number).expect("each part of the answer is a packet");
        let parts = ends.iter().flat_map(|&at| next.iter().map(move |data| (at, *data)));
        let fitting = parts.filter(|(at, data)| call.answer()[*at..].starts_with(data));
        ends = fitting.map(|(at, data)| at + data.len()).collect();
    }
    // Packets of another connection change nothing.
    let (other, _) = play(&datagrams, Some(b"\x07\x03\x03\x00\x01\x00\x01forged"));
    assert_eq!((call.want(), call.answer()), (other.want(), other.answer()));
}
