//! Faults of networks and of servers, with the clock of the test.

use locator_fetch::ardp::{Call, CallError, CallEvent, CallLimits, CallWant, Packet};
use proptest::prelude::*;

use crate::ardp::network::{CONNECTION, Called, Fate, Server, packet};

fn text(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

/// An answer in forty packets.
fn forty(fates: &[Fate]) -> Called {
    let answer = text(4_000);
    let server = Server { answer: &answer, packet: 100, is_swapped: false, fates, deaf: 0, lost: &[] };
    let called = server.call(b"STATUS\n", CallLimits::default());
    assert_eq!((called.end.as_ref(), &*called.request), (Ok(&answer), &b"STATUS\n"[..]), "{fates:?}");
    called
}

#[test]
fn forty_packets() {
    let called = forty(&[]);
    assert_eq!((called.sent, called.time), (3, 0));
}

#[test]
fn lost() {
    // The acknowledgement that is asked for shows what is missing, so nobody waits.
    for lost in (0..15).chain(17..31) {
        let mut fates = vec![Fate::Arrives; lost];
        fates.push(Fate::Lost);
        assert_eq!(forty(&fates).time, 0, "{lost}");
    }
    // The last packet of a window, and that of all, are asked for after a time.
    for lost in [15, 31, 39] {
        let mut fates = vec![Fate::Arrives; lost];
        fates.push(Fate::Lost);
        assert_eq!(forty(&fates).time, 2_000, "{lost}");
    }
}

#[test]
fn every_packet_is_lost_or_doubled_or_late() {
    for fate in [Fate::Lost, Fate::Doubled, Fate::Late(1), Fate::Late(9)] {
        for at in 0..40 {
            let mut fates = vec![Fate::Arrives; at];
            fates.push(fate);
            assert!(forty(&fates).time <= 2_000, "{fate:?} {at}");
        }
    }
}

proptest! {
    #[test]
    fn any_network(
        fates in proptest::collection::vec(
            prop_oneof![
                4 => Just(Fate::Arrives), 1 => Just(Fate::Lost), 1 => Just(Fate::Doubled),
                1 => (1..30_u8).prop_map(Fate::Late)
            ],
            0..60,
        ),
        length in 1..3_000_usize, size in 10..200_usize, is_swapped: bool, asked in 1..60_000_usize,
    ) {
        let (answer, request) = (text(length), text(asked));
        let server = Server { answer: &answer, packet: size, is_swapped, fates: &fates, deaf: 0, lost: &[] };
        let called = server.call(&request, CallLimits::default().tries(80));
        prop_assert_eq!(called.end, Ok(answer));
        prop_assert_eq!(called.request, request);
    }

    #[test]
    fn any_datagrams(octets in proptest::collection::vec(any::<u8>(), 0..400)) {
        crate::ardp::datagrams::check(&octets);
    }
}

#[test]
fn both_byte_orders() {
    let server = Server { answer: b"yes", packet: 1, is_swapped: true, fates: &[], deaf: 0, lost: &[] };
    assert_eq!(server.call(b"a", CallLimits::default()).end.unwrap(), b"yes");
}

/// A long request is sent in windows, each after an acknowledgement.
#[test]
fn long_requests() {
    let request = text(1250 * 40 + 1);
    for deaf in [0, 1, 15, 16, 17] {
        let server = Server { answer: b"yes", packet: 9, is_swapped: false, fates: &[], deaf, lost: &[] };
        let called = server.call(&request, CallLimits::default());
        assert_eq!(called.end.unwrap(), b"yes");
        assert!(called.request == request, "deaf to {deaf}");
    }
    let call = Call::new(&vec![b'a'; 1250 * 65_535 + 1], 1, CallLimits::default());
    assert_eq!(call.want(), CallWant::Done(Err(&CallError::RequestTooLong)));
}

/// Requests are sent again after 4, 8 and 16 seconds; after 32 more the server counts as silent.
#[test]
fn silence() {
    let server =
        Server { answer: b"", packet: 1, is_swapped: false, fates: &[], deaf: usize::MAX, lost: &[] };
    let called = server.call(b"a", CallLimits::default());
    assert_eq!((called.end, called.sent, called.time), (Err(CallError::Silent), 15, 58_000));
}

/// Returns a call that has sent its request.
fn call(limits: CallLimits) -> Call {
    let mut call = Call::new(b"STATUS\n", CONNECTION, limits);
    call.handle(CallEvent::Time, 0);
    call.handle(CallEvent::Sent, 0);
    assert_eq!(call.want(), CallWant::Wait);
    call
}

fn sent(call: &Call) -> Packet<'_> {
    let CallWant::Send(datagram) = call.want() else { panic!("{:?}", call.want()) };
    Packet::parse(datagram).unwrap()
}

/// A packet out of sequence with this option.
fn control(wait: u16, option: &[u8], data: &[u8]) -> Vec<u8> {
    let fields = [CONNECTION, 0, 0, 0, wait].map(u16::to_be_bytes);
    [&[12 + option.len() as u8][..], fields.as_flattened(), &[0], option, data].concat()
}

#[test]
fn a_forged_number() {
    let mut call = call(CallLimits::default());
    for connection in [0, 1, CONNECTION ^ 1, CONNECTION.wrapping_add(1), !CONNECTION] {
        call.handle(CallEvent::Datagram(&packet(connection, 1, 1, false, b"forged")), 5);
    }
    // The number is left out, or the version is another one.
    for datagram in [&b"\x01forged"[..], b"\x43\x12\xABforged", b"forged", b"\x00forged", b""] {
        call.handle(CallEvent::Datagram(datagram), 5);
    }
    assert_eq!((call.want(), call.progress()), (CallWant::Wait, 0));
    call.handle(CallEvent::Datagram(b"\x03\x12\xABtrue"), 6);
    assert_eq!((call.want(), call.answer()), (CallWant::Done(Ok(())), &b"true"[..]));
}

#[test]
fn a_length_that_lies() {
    let mut one = call(CallLimits::default());
    for datagram in
        [&b"\x3F\x12\xABa"[..], b"\x04\x12\xABa", b"\x06\x12\xAB\x00\x01\x00a", b"\x0D\x12\xAB\x00\x01"]
    {
        one.handle(CallEvent::Datagram(datagram), 5);
    }
    assert_eq!((one.want(), one.progress()), (CallWant::Wait, 0));
    // More packets than there are.
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 3, 2, false, b"a")), 5);
    assert_eq!(one.want(), CallWant::Done(Err(&CallError::Garbled)));
    // Two totals.
    let mut one = call(CallLimits::default());
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 1, 3, false, b"a")), 5);
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 2, 4, false, b"a")), 5);
    assert_eq!(one.want(), CallWant::Done(Err(&CallError::Garbled)));
    // A total below what was received.
    let mut one = call(CallLimits::default());
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 5, 0, false, b"a")), 5);
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 1, 2, false, b"a")), 5);
    assert_eq!(one.want(), CallWant::Done(Err(&CallError::Garbled)));
}

#[test]
fn wait_requests() {
    let mut one = call(CallLimits::default());
    one.handle(CallEvent::Datagram(&control(30, b"", b"")), 1_000);
    assert_eq!((one.want(), one.wake_at()), (CallWant::Wait, Some(31_000)));
    one.handle(CallEvent::Time, 30_999);
    assert_eq!(one.want(), CallWant::Wait);
    one.handle(CallEvent::Time, 31_000);
    assert_eq!(sent(&one).data, b"STATUS\n");
    // Endless ones.
    let mut one = call(CallLimits::default());
    for time in 0..100 {
        one.handle(CallEvent::Datagram(&control(1, b"", b"")), time);
        assert_eq!(one.want(), CallWant::Wait);
    }
    one.handle(CallEvent::Datagram(&control(1, b"", b"")), 100);
    assert_eq!(one.want(), CallWant::Done(Err(&CallError::WaitsTooOften(100))));
    // Very long ones.
    let mut one = call(CallLimits::default());
    one.handle(CallEvent::Datagram(&control(u16::MAX, b"", b"")), 0);
    assert_eq!(one.want(), CallWant::Done(Err(&CallError::WaitsTooLong(u16::MAX))));
}

#[test]
fn options() {
    let mut one = call(CallLimits::default());
    one.handle(CallEvent::Datagram(&control(0, &[1], b"no")), 5);
    assert_eq!(one.want(), CallWant::Done(Err(&CallError::Refused(b"no".into()))));
    for option in [4, 5] {
        let mut one = call(CallLimits::default());
        one.handle(CallEvent::Datagram(&control(0, &[option, 192, 0, 2, 1, 5, 245], b"")), 5);
        let address = "192.0.2.1:1525".parse().unwrap();
        assert_eq!(one.want(), CallWant::Done(Err(&CallError::Redirected(address))));
        // An address that is cut off.
        let mut one = call(CallLimits::default());
        one.handle(CallEvent::Datagram(&control(0, &[option, 192, 0], b"")), 5);
        assert_eq!(one.want(), CallWant::Wait);
    }
    // Others are skipped with their fields.
    for option in [0, 3, 6, 7, 9, 253, 254, 255] {
        let mut one = call(CallLimits::default());
        let mut datagram = control(0, &[option, 1, 2, 3], b"yes");
        datagram[4] = 1;
        datagram[6] = 1;
        one.handle(CallEvent::Datagram(&datagram), 5);
        assert_eq!((one.want(), one.answer()), (CallWant::Done(Ok(())), &b"yes"[..]), "{option}");
    }
    // A priority and a protocol are before the address.
    let mut one = call(CallLimits::default());
    let mut datagram = control(0, &[4, 9, 9, 9, 9, 192, 0, 2, 1, 5, 245], b"");
    datagram[11] = 0x06;
    one.handle(CallEvent::Datagram(&datagram), 5);
    assert!(matches!(one.want(), CallWant::Done(Err(CallError::Redirected(to))) if to.port() == 1525));
}

/// A server that lost what it had received gets it again, but not for ever.
#[test]
fn resets() {
    let request = text(1250 * 20);
    let mut one = Call::new(&request, CONNECTION, CallLimits::default());
    one.handle(CallEvent::Time, 0);
    let mut acknowledgement = packet(CONNECTION, 0, 0, false, b"");
    acknowledgement[8] = 16;
    one.handle(CallEvent::Datagram(&acknowledgement), 0);
    assert_eq!(sent(&one).number, 17);
    one.handle(CallEvent::Datagram(&control(0, &[2], b"")), 0);
    assert_eq!(sent(&one).number, 1);
    for _ in 0..200 {
        one.handle(CallEvent::Datagram(&acknowledgement), 0);
        one.handle(CallEvent::Datagram(&control(0, &[2], b"")), 0);
    }
    assert_eq!(sent(&one).number, 17);
}

#[test]
fn a_million_tiny_packets() {
    // As many as can be counted, and none has data.
    let mut one = call(CallLimits::default());
    for number in 1..=u16::MAX {
        one.handle(CallEvent::Datagram(&packet(CONNECTION, number, 0, false, b"")), 5);
    }
    assert_eq!((one.want(), one.answer()), (CallWant::Wait, &b""[..]));
    // The same one for ever.
    for _ in 0..1_000_000 {
        one.handle(CallEvent::Datagram(&packet(CONNECTION, 1, 0, true, b"")), 5);
    }
    assert_eq!(one.want(), CallWant::Done(Err(&CallError::TooMany(100_000))));
}

#[test]
fn too_many_octets() {
    let mut one = call(CallLimits::default().octets(10));
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 1, 2, false, b"123456")), 5);
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 2, 2, false, b"78901")), 5);
    assert_eq!((one.want(), one.answer()), (CallWant::Done(Err(&CallError::TooLong(10))), &b"123456"[..]));
}

/// Packets far beyond the first missing one are not kept: the server sends them again.
#[test]
fn far_ahead() {
    let mut one = call(CallLimits::default());
    for number in 2..=u16::MAX {
        one.handle(CallEvent::Datagram(&packet(CONNECTION, number, 0, false, &[0; 50])), 5);
    }
    assert_eq!(one.progress(), 63);
}

/// Only an acknowledgement that is asked for is sent; after a pause without progress one shows what is
/// missing.
#[test]
fn acknowledgements() {
    let mut one = call(CallLimits::default());
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 1, 3, false, b"a")), 5);
    assert_eq!(one.want(), CallWant::Wait);
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 3, 3, true, b"c")), 6);
    assert_eq!((sent(&one).number, sent(&one).received), (0, 1));
    one.handle(CallEvent::Sent, 6);
    assert_eq!((one.want(), one.wake_at()), (CallWant::Wait, Some(2_006)));
    one.handle(CallEvent::Time, 4_006);
    assert_eq!((sent(&one).number, sent(&one).received), (0, 1));
    one.handle(CallEvent::Sent, 4_006);
    // The last packet asks, too: the answer is whole after the acknowledgement.
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 2, 3, true, b"b")), 4_007);
    assert_eq!(sent(&one).received, 3);
    one.handle(CallEvent::Sent, 4_007);
    assert_eq!((one.want(), one.answer()), (CallWant::Done(Ok(())), &b"abc"[..]));
}

/// Another address of the server is asked anew, unless the first has answered.
#[test]
fn another_address() {
    let mut one = call(CallLimits::default());
    one.handle(CallEvent::Moved, 10);
    assert_eq!((sent(&one).number, one.wake_at()), (1, Some(2_010)));
    one.handle(CallEvent::Sent, 10);
    one.handle(CallEvent::Datagram(&packet(CONNECTION, 1, 2, false, b"a")), 20);
    one.handle(CallEvent::Moved, 30);
    assert_eq!(one.want(), CallWant::Wait);
}

/// Numbers that depend on a seed only (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }
}

/// A network that loses a quarter of the datagrams in both directions: every call has its answer, however
/// many packets it has.
#[test]
fn a_quarter_of_the_datagrams_is_lost() {
    let (mut longest, mut most) = (0, 0);
    for seed in 1..=1_000 {
        let mut numbers = Numbers(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15));
        for _ in 0..10 {
            numbers.next();
        }
        let fates: Vec<_> =
            (0..4_000).map(|_| if numbers.next() & 3 == 0 { Fate::Lost } else { Fate::Arrives }).collect();
        let lost: Vec<_> = (0..4_000).map(|_| numbers.next() & 3 == 0).collect();
        // From one packet to 67, as the server of the captures has sent.
        let answer = text(1 + numbers.next() as usize % 67_000);
        let request = text(1 + numbers.next() as usize % 4_000);
        let server =
            Server { answer: &answer, packet: 1_000, is_swapped: false, fates: &fates, deaf: 0, lost: &lost };
        let called = server.call(&request, CallLimits::default());
        assert!(called.end.as_ref() == Ok(&answer), "{seed}: {:?} after {}", called.end.err(), called.time);
        assert!(called.request == request, "{seed}");
        (longest, most) = (longest.max(called.time), most.max(called.sent));
    }
    // The wait for one step of a call never reaches that for a silent server.
    assert!(longest < 240_000 && most < 300, "{longest} {most}");
}
