//! Every packet of the captures of a Prospero server (Archie 3.5) and its clients: calls send the
//! packets of the clients, and read those of the server.

use locator_fetch::ardp::{Call, CallEvent, CallLimits, CallWant, Packet, PacketOption};

use crate::ardp::pcap::{self, Datagram};

const SERVER: u16 = 1525;

/// Divides a capture into calls: what a client sent and received, in order.
fn calls(name: &str) -> Vec<Vec<Datagram>> {
    let mut calls: Vec<Vec<Datagram>> = Vec::new();
    for datagram in pcap::read(name) {
        let begins = datagram.to == SERVER && Packet::parse(&datagram.octets).unwrap().number == 1;
        if begins {
            calls.push(Vec::new());
        }
        calls.last_mut().unwrap().push(datagram);
    }
    calls
}

/// Plays a captured call: what the client sends must be what the captured one sent.
fn replay(packets: &[Datagram]) -> Vec<u8> {
    let request = Packet::parse(&packets[0].octets).unwrap();
    let mut call = Call::new(request.data, request.connection, CallLimits::default());
    call.handle(CallEvent::Time, 0);
    for packet in packets {
        if packet.to == SERVER {
            assert_eq!(call.want(), CallWant::Send(&packet.octets));
            call.handle(CallEvent::Sent, 0);
        } else {
            assert_eq!(packet.from, SERVER);
            call.handle(CallEvent::Datagram(&packet.octets), 0);
        }
    }
    assert_eq!(call.want(), CallWant::Done(Ok(())));
    call.answer().into()
}

/// The answers that the notes beside the captures contain.
#[test]
fn every_packet_of_the_basic_capture() {
    let calls = calls("basic.pcap");
    let answers: Vec<_> = calls.iter().map(|call| String::from_utf8(replay(call)).unwrap()).collect();
    assert_eq!((calls.len(), calls.iter().map(Vec::len).sum::<usize>()), (14, 28));
    assert_eq!(answers[0], "VERSION 5 P53.17May94b\n");
    assert!(answers[1].starts_with("Prospero server (PreAlpha.5.3 17 May 94, patchlevel b) LOCALHOST\n"));
    assert_eq!(answers[6], "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA hello' from tree\n'\n");
    assert_eq!(answers[11], "VERSION-NOT-SUPPORTED TRY 1-5");
}

/// 67 packets in windows of 16, and an acknowledgement when one is asked for.
#[test]
fn every_packet_of_the_long_answers() {
    let calls = calls("multipacket.pcap");
    assert_eq!(calls.iter().map(Vec::len).collect::<Vec<_>>(), [72, 72]);
    let answers: Vec<_> = calls.iter().map(|call| replay(call)).collect();
    assert_eq!(answers[0], answers[1]);
    let text = str::from_utf8(&answers[0]).unwrap();
    assert_eq!((text.len(), text.lines().filter(|line| line.starts_with("LINK")).count()), (83_556, 120));
}

/// The packets of an answer may come in any order.
#[test]
fn any_order() {
    for packets in calls("multipacket.pcap") {
        let expected = replay(&packets);
        let request = Packet::parse(&packets[0].octets).unwrap();
        let mut call = Call::new(request.data, request.connection, CallLimits::default());
        call.handle(CallEvent::Time, 0);
        let mut answers: Vec<_> = packets.iter().filter(|packet| packet.from == SERVER).collect();
        answers.chunks_mut(48).for_each(<[_]>::reverse);
        for packet in answers {
            call.handle(CallEvent::Datagram(&packet.octets), 0);
        }
        assert_eq!(call.answer(), expected);
    }
}

/// What the headers of the captures contain: a description of each kind.
#[test]
fn headers() {
    let packets = pcap::read("multipacket.pcap");
    let header = |index: usize| {
        let packet = Packet::parse(&packets[index].octets).unwrap();
        assert_eq!((packet.connection, packet.wait, packet.option), (0xBBBB, 0, PacketOption::None));
        (packet.number, packet.total, packet.received, packet.asks_for_acknowledgement, packet.data.len())
    };
    assert_eq!(header(0), (1, Some(1), 0, false, 56));
    assert_eq!(header(1), (1, None, 0, false, 1250));
    assert_eq!(header(16), (16, None, 1, true, 1250));
    assert_eq!(header(17), (0, None, 16, false, 0));
    assert_eq!(header(18), (17, Some(67), 1, false, 1250));
    assert_eq!(header(71), (67, Some(67), 1, false, 1056));
}
