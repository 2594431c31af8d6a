//! Any octets in each framing: in whatever pieces they come, the run is the same; and what is read of
//! an object that is cut off is a beginning of it. The fuzz targets `replies` and `objects` check the
//! same.

use std::net::{Ipv4Addr, SocketAddr};

use locator::plan::{
    Connection, Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Plan, Protocol, ReplyFraming, Step,
    Transport,
};
use locator::scheme::AsciiSet;
use locator_fetch::run::{Channel, Ending, Event, Limits, Outcome, Run, Want, Whole};

const fn protocol(name: &'static str, replies: ReplyFraming) -> Protocol {
    let meanings = &[(On::Class(1), Meaning::Wait)];
    Protocol { name, delimiters: AsciiSet::EMPTY, line_end: b"\r\n", citation: "", replies, meanings }
}

static LINE: Protocol = protocol("line", ReplyFraming::Line);
static LINES: Protocol = protocol("lines", ReplyFraming::Lines);
static HEAD: Protocol = protocol("head", ReplyFraming::Head);

const FRAMINGS: [Framing; 5] = [
    Framing::Connection,
    Framing::ConnectionLessDot,
    Framing::Dot,
    Framing::DotOrConnection,
    Framing::GopherPlus,
];

/// Checks replies of each framing. The first octets say where the others are cut.
pub(crate) fn check_replies(octets: &[u8]) {
    for protocol in [&LINE, &LINES, &HEAD] {
        let next = Exchange::new(Line::new(protocol, "A").end()).next(On::Class(2), Meaning::Done);
        let first = next.clone().first(On::Class(3), Meaning::Done, vec![next.clone().into()]);
        let plan = begin(protocol).then(next.clone()).then(first.clone()).then(first).then(next);
        let limits = Limits::new().reply(48).announcements(3);
        check(&plan, limits, octets);
    }
}

/// Checks objects of each framing, in the same way.
pub(crate) fn check_objects(octets: &[u8]) {
    for framing in FRAMINGS {
        for kind in [ObjectKind::Text, ObjectKind::Menu, ObjectKind::Binary, ObjectKind::Form] {
            let plan = begin(&LINE).then(Object::new(kind, "it", framing));
            check(&plan, Limits::new().reply(48), octets);
            check(&plan, Limits::new().body(16), octets);
        }
    }
}

fn begin(protocol: &'static Protocol) -> Plan {
    Plan::with_session(vec![Step::Connect(Connection::new("h", 1, Transport::Tcp, protocol))])
}

fn check(plan: &Plan, limits: Limits, octets: &[u8]) {
    let (cuts, octets) = octets.split_at(octets.len().min(4));
    let whole = run(plan, limits, [octets], Ending::Fin);
    assert_eq!(run(plan, limits, octets.chunks(1), Ending::Fin), whole);
    let mut rest = octets;
    let pieces = cuts.iter().cycle().map_while(|cut| {
        let (piece, after) = rest.split_at(rest.len().min(1 + usize::from(*cut)));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    });
    assert_eq!(run(plan, limits, pieces, Ending::Fin), whole);
    let cut = cuts.first().map_or(0, |cut| usize::from(*cut) * octets.len() / 256);
    let reset = run(plan, limits, [&octets[..cut]], Ending::Reset);
    assert!(whole.0.starts_with(&reset.0), "{octets:?} {cut} {reset:?}");
    assert!(!matches!(reset.1, Outcome::Got { whole: Whole::Unverified, .. }), "{octets:?} {cut} {reset:?}");
}

/// Returns the object, the outcome and the number of octets sent.
fn run<'o>(
    plan: &Plan,
    limits: Limits,
    pieces: impl IntoIterator<Item = &'o [u8]>,
    ending: Ending,
) -> (Vec<u8>, Outcome, usize) {
    let mut run = Run::new(plan.clone(), limits);
    let (mut body, mut sent, mut pieces) = (Vec::new(), 0, pieces.into_iter());
    loop {
        let event = match run.want() {
            Want::Dial(_) => Event::Dialled(Channel::Control, SocketAddr::from((Ipv4Addr::LOCALHOST, 1))),
            Want::Send(octets) => {
                sent += octets.len();
                Event::Sent(octets.len())
            }
            Want::Read { .. } => match pieces.next() {
                Some(octets) => Event::Octets(Channel::Control, octets),
                None => Event::Ended(Channel::Control, ending),
            },
            Want::Give(octets) => {
                body.extend_from_slice(octets);
                Event::Taken(octets.len())
            }
            Want::Done(outcome) => return (body, outcome.clone(), sent),
            want => panic!("{want:?}"),
        };
        run.handle(event, 0);
    }
}
