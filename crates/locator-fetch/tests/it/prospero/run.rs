//! Runs of plans of Prospero without sockets, with the clock of the test.

use locator::UriRef;
use locator::plan::{ObjectKind, Options, plan};
use locator_fetch::run::{Channel, Destination, Event, FailureKind, Limits, Outcome, Run, Want, Whole};

const METHODS: &[u8] = b"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''
ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h2 ASCII a BINARY
ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE LOCAL '' '' '' ''\n";

fn run(limits: Limits) -> Run {
    let plan = plan(UriRef::parse("prospero://h/a").unwrap(), &Options::new()).unwrap();
    let mut run = Run::new(plan, limits);
    run.handle(Event::Time, 0);
    assert!(matches!(run.want(), Want::Dial(to) if to.port == 1525));
    run.handle(Event::Dialled(Channel::Control, "192.0.2.1:1525".parse().unwrap()), 0);
    run
}

/// Gives a run its random number, and takes its request.
fn request(run: &mut Run, now: u64) -> Vec<u8> {
    assert!(matches!(run.want(), Want::Random(2)));
    assert!(run.message().is_some());
    run.handle(Event::Answer(&[0xAB, 0xCD]), now);
    let Want::SendDatagram(datagram) = run.want() else { panic!("{:?}", run.want()) };
    let datagram = datagram.to_vec();
    run.handle(Event::Sent(datagram.len()), now);
    assert!(matches!(run.want(), Want::ReadDatagram));
    datagram
}

fn answer(run: &mut Run, text: &[u8], now: u64) {
    run.handle(Event::Datagram(&[b"\x03\xAB\xCD", text].concat()), now);
}

fn outcome(run: &Run) -> &Outcome {
    let Want::Done(outcome) = run.want() else { panic!("{:?}", run.want()) };
    outcome
}

#[test]
fn the_driver_chooses() {
    let mut one = run(Limits::default());
    let request_1 = request(&mut one, 0);
    assert_eq!(
        request_1,
        b"\x09\xAB\xCD\x00\x01\x00\x01\x00\x00GET-OBJECT-INFO ACCESS-METHOD+SIZE+UNIX-MODES ASCII a 0\n"
    );
    answer(&mut one, METHODS, 10);
    let Want::Choose(ways) = one.want() else { panic!("{:?}", one.want()) };
    let ways: Vec<_> = ways.iter().map(|way| (way.method.as_str(), way.to.clone())).collect();
    assert_eq!(
        ways,
        [
            ("AFTP", Destination::Url("ftp://h2/a;type=i".into())),
            ("PROSPERO-CONTENTS", Destination::Server),
            ("LOCAL", Destination::Nowhere("invalid name for this method".into())),
        ]
    );
    one.handle(Event::Chosen(1), 20);
    assert_eq!(request(&mut one, 30)[9..], *b"GET-OBJECT-INFO CONTENTS ASCII a 0\n");
    answer(&mut one, b"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'a b'\n", 40);
    assert!(matches!(one.want(), Want::Give(b"a b")));
    one.handle(Event::Taken(3), 50);
    assert_eq!(*outcome(&one), Outcome::Got { whole: Whole::Framed, octets: 3 });
}

/// The methods of a directory are those of a file, unless the server looks at its modes.
#[test]
fn a_directory_without_contents_is_listed() {
    let mut one = run(Limits::default());
    request(&mut one, 0);
    answer(&mut one, METHODS, 10);
    one.handle(Event::Chosen(1), 20);
    request(&mut one, 30);
    answer(&mut one, b"NONE-FOUND\n", 40);
    assert_eq!(request(&mut one, 50)[9..], *b"DIRECTORY ASCII a\nLIST ATTRIBUTES COMPONENTS\n");
    answer(&mut one, b"NONE-FOUND\n", 60);
    assert!(matches!(one.want(), Want::Give(b"NONE-FOUND\n")));
    assert_eq!(one.object().map(|object| object.kind), Some(ObjectKind::Links));
    one.handle(Event::Taken(11), 70);
    assert!(matches!(outcome(&one), Outcome::Got { .. }));
}

/// "Zero-length tokens default to the host-type and host-name specified in the link", which "may" have
/// a port.
#[test]
fn the_host_of_a_link_has_its_port() {
    for (url, expected) in [
        ("prospero://h:1600/a", "gopher://h:1600/0a"),
        ("prospero://h/a", "gopher://h/0a"),
        ("prospero://h:1525/a", "gopher://h/0a"),
    ] {
        let plan = plan(UriRef::parse(url).unwrap(), &Options::new()).unwrap();
        let mut one = Run::new(plan, Limits::default());
        one.handle(Event::Time, 0);
        one.handle(Event::Dialled(Channel::Control, "192.0.2.1:1525".parse().unwrap()), 0);
        request(&mut one, 0);
        answer(&mut one, b"ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE GOPHER '' '' '' '' TEXT\n", 1);
        let Want::Choose(ways) = one.want() else { panic!("{:?}", one.want()) };
        assert_eq!(ways[0].to, Destination::Url(expected.into()));
    }
}

#[test]
fn a_url_is_chosen() {
    let mut one = run(Limits::default());
    request(&mut one, 0);
    answer(&mut one, METHODS, 10);
    one.handle(Event::Chosen(0), 20);
    assert_eq!(*outcome(&one), Outcome::GoOn(locator::plan::Next::Url("ftp://h2/a;type=i".into())));
}

#[test]
fn the_request_is_sent_again() {
    let mut one = run(Limits::default());
    let first = request(&mut one, 1_000);
    assert_eq!(one.wake_at(), Some(3_000));
    one.handle(Event::Time, 3_000);
    assert!(matches!(one.want(), Want::SendDatagram(again) if *again == first));
    one.handle(Event::Sent(first.len()), 3_000);
    assert_eq!(one.wake_at(), Some(7_000));
    // Another address begins anew.
    one.handle(Event::Dialled(Channel::Control, "192.0.2.2:1525".parse().unwrap()), 6_000);
    assert!(matches!(one.want(), Want::SendDatagram(again) if *again == first));
    assert_eq!(one.wake_at(), Some(8_000));
}

/// The time in which something must happen counts from the last progress, and a wait that the server
/// asks for is added to it.
#[test]
fn times() {
    let mut one = run(Limits::new().idle(1_500));
    request(&mut one, 1_000);
    one.handle(Event::Datagram(b"\x0B\xAB\xCD\x00\x00\x00\x00\x00\x00\x00\x14"), 2_000);
    assert_eq!(one.wake_at(), Some(22_000));
    one.handle(Event::Time, 22_000);
    assert!(matches!(one.want(), Want::SendDatagram(_)));
    one.handle(Event::Sent(55), 22_000);
    assert_eq!(one.wake_at(), Some(23_500));
    one.handle(Event::Time, 23_500);
    assert!(
        matches!(outcome(&one), Outcome::Failed(failure) if failure.kind == FailureKind::TimedOut(21_500))
    );
}

#[test]
fn limits() {
    let mut one = run(Limits::new().reply(20));
    request(&mut one, 0);
    answer(&mut one, METHODS, 1);
    let kind = FailureKind::TooMuch { what: "bytes in a response", limit: 20 };
    assert!(matches!(outcome(&one), Outcome::Failed(failure) if failure.kind == kind));
    let mut one = run(Limits::new().body(2));
    request(&mut one, 0);
    answer(&mut one, METHODS, 1);
    one.handle(Event::Chosen(1), 2);
    request(&mut one, 3);
    answer(&mut one, b"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'a b'\n", 4);
    let Want::Give(b"a ") = one.want() else { panic!("{:?}", one.want()) };
    one.handle(Event::Taken(2), 5);
    assert!(
        matches!(outcome(&one), Outcome::Failed(failure) if matches!(failure.kind, FailureKind::TooMuch { limit: 2, .. }))
    );
}
