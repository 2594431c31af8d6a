//! Carries out a plan with a server in memory, which answers each message with some octets.

use std::net::{Ipv4Addr, SocketAddr};

use locator::UriRef;
use locator::plan::{Options, Plan, plan};
use locator_fetch::run::{Channel, Ending, Event, Limits, Outcome, Run, Want};

/// What a run did.
#[derive(Debug, PartialEq)]
pub(crate) struct Talk {
    pub(crate) body: Vec<u8>,
    pub(crate) outcome: Outcome,
    /// The messages that were sent.
    pub(crate) sent: Vec<Vec<u8>>,
}

/// How the octets of the server arrive.
#[derive(Clone, Copy)]
pub(crate) struct Wire {
    pub(crate) limits: Limits,
    /// How many octets arrive at once.
    pub(crate) piece: usize,
    /// After how many octets the connection ends, and how.
    pub(crate) most: usize,
    pub(crate) ending: Ending,
}

impl Default for Wire {
    fn default() -> Self {
        Self { limits: Limits::default(), piece: usize::MAX, most: usize::MAX, ending: Ending::Fin }
    }
}

pub(crate) fn plan_of(url: &str) -> Plan {
    plan(UriRef::parse(url).unwrap(), &Options::new()).unwrap()
}

impl Wire {
    /// Carries out a plan. A server that answers nothing ends the connection.
    pub(crate) fn talk(self, plan: Plan, mut answer: impl FnMut(&[u8]) -> Vec<u8>) -> Talk {
        let most_sends = plan.most_sends();
        let mut run = Run::new(plan, self.limits);
        let mut talk = Talk {
            body: Vec::new(),
            outcome: Outcome::Got { whole: locator_fetch::run::Whole::Framed, octets: 0 },
            sent: Vec::new(),
        };
        let (mut arriving, mut left) = (Vec::new(), self.most);
        loop {
            let event = match run.want() {
                Want::Dial(_) => {
                    Event::Dialled(Channel::Control, SocketAddr::from((Ipv4Addr::LOCALHOST, 210)))
                }
                Want::Send(octets) => {
                    talk.sent.push(octets.to_vec());
                    assert!(talk.sent.len() as u64 <= most_sends);
                    arriving.extend(answer(octets));
                    Event::Sent(octets.len())
                }
                Want::Read { .. } if arriving.is_empty() || left == 0 => {
                    Event::Ended(Channel::Control, self.ending)
                }
                Want::Read { .. } => {
                    let count = arriving.len().min(self.piece).min(left);
                    left -= count;
                    let octets: Vec<u8> = arriving.drain(..count).collect();
                    run.handle(Event::Octets(Channel::Control, &octets), 0);
                    continue;
                }
                Want::Give(octets) => {
                    talk.body.extend_from_slice(octets);
                    Event::Taken(octets.len())
                }
                Want::Done(outcome) => {
                    talk.outcome = outcome.clone();
                    return talk;
                }
                want => panic!("{want:?}"),
            };
            run.handle(event, 0);
        }
    }
}

/// Returns the kind of a failure, and its sentence.
pub(crate) fn failure(talk: &Talk) -> (&'static str, String) {
    match &talk.outcome {
        Outcome::Failed(failure) => (failure.kind.name(), failure.to_string()),
        outcome => panic!("{outcome:?}"),
    }
}
