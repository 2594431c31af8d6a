//! Servers that send very much at once, or octet by octet: no recursion, and linear time. Were the time
//! quadratic, these tests would take hours.

use std::net::{Ipv4Addr, SocketAddr};

use locator::plan::{self, Options};
use locator_fetch::run::{Channel, Ending, Event, Limits, Outcome, Run, Want, Whole};

const LIMITS: Limits = Limits::new().connect(30_000).idle(60_000).reply(usize::MAX).announcements(usize::MAX);

/// Begins a run, up to its first reading.
fn begin(url: &str) -> Run {
    let url = locator::UriRef::parse(url).unwrap();
    let mut run = Run::new(plan::plan(url, &Options::new()).unwrap(), LIMITS);
    loop {
        let event = match run.want() {
            Want::Dial(_) => Event::Dialled(Channel::Control, SocketAddr::from((Ipv4Addr::LOCALHOST, 21))),
            Want::Send(octets) => Event::Sent(octets.len()),
            _ => return run,
        };
        run.handle(event, 0);
    }
}

fn read(run: &mut Run, octets: &[u8]) {
    run.handle(Event::Octets(Channel::Control, octets), 0);
}

/// Takes the body in pieces of one octet.
fn take(run: &mut Run) -> usize {
    let mut count = 0;
    while let Want::Give(_) = run.want() {
        run.handle(Event::Taken(1), 0);
        count += 1;
    }
    count
}

fn is_sending(run: &Run, command: &str) -> bool {
    matches!(run.want(), Want::Send(octets) if octets.starts_with(command.as_bytes()))
}

#[test]
fn announcements() {
    let mut run = begin("ftp://h/a");
    read(&mut run, "120 wait\r\n".repeat(200_000).as_bytes());
    read(&mut run, b"220 ready\r\n");
    assert!(is_sending(&run, "USER"));
}

#[test]
fn a_long_reply() {
    let reply = format!("220-hello\r\n{}220 ready\r\n", "220-x\r\n\n".repeat(100_000));
    let mut run = begin("ftp://h/a");
    read(&mut run, reply.as_bytes());
    assert!(is_sending(&run, "USER"));
    let mut run = begin("ftp://h/a");
    reply.bytes().for_each(|octet| read(&mut run, &[octet]));
    assert!(is_sending(&run, "USER"));
}

#[test]
fn replies_that_nobody_waits_for() {
    let mut run = begin("ftp://h/a");
    read(&mut run, format!("220 ready\r\n{}", "120 wait\r\n".repeat(200_000)).as_bytes());
    "120 wait\r\n".repeat(20_000).bytes().for_each(|octet| read(&mut run, &[octet]));
    run.handle(Event::Sent(100), 0);
    read(&mut run, b"230 ok\r\n");
    assert!(is_sending(&run, "TYPE I"));
}

#[test]
fn dots() {
    for (url, line) in [("gopher://h/0a", ".\r\n"), ("gopher://h/0a", ".\r"), ("gopher://h/0a", ".")] {
        for piece in [usize::MAX, 1] {
            let text = line.repeat(100_000);
            let mut run = begin(url);
            let mut body = 0;
            for octets in text.as_bytes().chunks(piece) {
                read(&mut run, octets);
                body += take(&mut run);
            }
            run.handle(Event::Ended(Channel::Control, Ending::Fin), 0);
            body += take(&mut run);
            let (whole, less) = if line == ".\r\n" { (Whole::Framed, 3) } else { (Whole::Unverified, 0) };
            assert_eq!(body, text.len() - less, "{line:?}");
            let outcome = Outcome::Got { whole, octets: body as u64 };
            assert!(matches!(run.want(), Want::Done(own) if *own == outcome), "{:?}", run.want());
        }
    }
}
