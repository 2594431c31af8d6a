//! A driver in memory, with its own clock: carries out a plan with a server that follows a script.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};

use locator::plan::Plan;
use locator_fetch::run::{Channel, Ending, Event, FailureKind, Limits, Outcome, Run, Session, Want};

use crate::run::script::{Act, End, Refusal, Side};

/// What a run did.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) body: Vec<u8>,
    pub(crate) outcome: Outcome,
    /// The messages that were sent.
    pub(crate) sent: Vec<Vec<u8>>,
    /// The number of events.
    pub(crate) events: usize,
    /// Whether the whole script was played.
    pub(crate) is_played: bool,
    /// The clock at the end.
    pub(crate) time: u64,
    /// The octets that the server sent on the control connection.
    pub(crate) heard: Vec<u8>,
}

/// What drives a run.
pub(crate) struct Driver {
    pub(crate) peer: IpAddr,
    pub(crate) answers: VecDeque<Vec<u8>>,
    pub(crate) limits: Limits,
    /// The number of octets that are read, sent and taken at once.
    pub(crate) piece: usize,
    /// Whether what is sent must be what the script expects.
    pub(crate) is_strict: bool,
}

/// No run of a script has more events.
const MOST_EVENTS: usize = 500_000;

impl Driver {
    pub(crate) fn run(&self, plan: Plan, script: Vec<Act>) -> Ran {
        let mut world = World::new(self, script);
        let mut run = Run::new(plan, self.limits);
        run.handle(Event::Time, 0);
        for events in 1..MOST_EVENTS {
            if let Want::Done(outcome) = run.want() {
                let outcome = outcome.clone();
                world.play();
                return world.ran(outcome, events);
            }
            world.step(&mut run);
        }
        panic!("a run without an end: {:?}", run.want());
    }

    /// Carries out plans one after the other, on one connection as long as that is possible.
    pub(crate) fn run_all(&self, plans: Vec<Plan>, keeps: bool, script: Vec<Act>) -> Vec<Ran> {
        let mut world = World::new(self, script);
        let mut session = None;
        let mut all = Vec::new();
        let connect = |plan: &Plan| {
            let run = Run::new(plan.clone(), self.limits);
            if keeps { run.keep_session() } else { run }
        };
        for plan in plans {
            let resumed: Option<Session> = session.take();
            let resumed = resumed.and_then(|session| Run::resume(session, plan.clone(), self.limits));
            let mut run = resumed.unwrap_or_else(|| connect(&plan));
            run.handle(Event::Time, world.now);
            let outcome = loop {
                match run.want() {
                    Want::Done(_) if run.needs_login() => {
                        assert!(world.ran.body.is_empty());
                        run = connect(&plan);
                        run.handle(Event::Time, world.now);
                    }
                    Want::Done(outcome) => break outcome.clone(),
                    _ => world.step(&mut run),
                }
                world.ran.events += 1;
                assert!(world.ran.events < MOST_EVENTS, "a run without an end: {run:?}");
            };
            world.play();
            session = run.take_session();
            world.pipe.retain(|(side, _)| *side == Side::Control && session.is_some());
            let ran = std::mem::replace(&mut world.ran, World::new(self, Vec::new()).ran);
            all.push(Ran { outcome, time: world.now, is_played: world.is_played(), ..ran });
        }
        all
    }
}

/// A server, the network and the clock.
struct World<'d> {
    driver: &'d Driver,
    script: VecDeque<Act>,
    answers: VecDeque<Vec<u8>>,
    /// What is under way to the client.
    pipe: VecDeque<(Side, Packet)>,
    /// What is under way to the server.
    received: VecDeque<u8>,
    message: Vec<u8>,
    is_dialled: bool,
    now: u64,
    ran: Ran,
}

enum Packet {
    Octets(Vec<u8>),
    End(Ending),
}

impl<'d> World<'d> {
    fn new(driver: &'d Driver, script: Vec<Act>) -> Self {
        let ran = Ran {
            body: Vec::new(),
            outcome: Outcome::GoOn(locator::plan::Next::Url(String::new())),
            sent: Vec::new(),
            events: 0,
            is_played: false,
            time: 0,
            heard: Vec::new(),
        };
        Self {
            driver,
            script: script.into(),
            answers: driver.answers.clone(),
            pipe: VecDeque::new(),
            received: VecDeque::new(),
            message: Vec::new(),
            is_dialled: false,
            now: 0,
            ran,
        }
    }

    fn ran(mut self, outcome: Outcome, events: usize) -> Ran {
        self.script.retain(|act| !matches!(act, Act::End(..) | Act::Wait(_)));
        (self.ran.outcome, self.ran.events, self.ran.time) = (outcome, events, self.now);
        self.ran.is_played = self.is_played();
        self.ran
    }

    fn is_played(&self) -> bool {
        self.script.iter().all(|act| matches!(act, Act::End(..) | Act::Wait(_)))
    }

    /// Gives the run one event.
    fn step(&mut self, run: &mut Run) {
        match run.want() {
            Want::Dial(_) => self.dial(run),
            Want::DialPeer(port) => self.dial_peer(run, port),
            Want::Secure(channel, host) => {
                assert!(!host.is_empty());
                self.secure(run, channel);
            }
            Want::Send(octets) => {
                let count = octets.len().min(self.driver.piece);
                let is_last = count == octets.len();
                let octets = octets[..count].to_vec();
                self.send(&octets, is_last);
                run.handle(Event::Sent(count), self.now);
            }
            Want::Read { control, data } => {
                self.play();
                match self.deliver(|side| if side == Side::Control { control } else { data }) {
                    Some((channel, packet)) => self.handle(run, channel, packet),
                    None => self.wait(run),
                }
            }
            Want::Ask(_) => self.ask(run),
            Want::Random(count) => run.handle(Event::Answer(&vec![0; count]), self.now),
            Want::Give(_) if self.driver.piece == usize::MAX => {
                self.ran.body.extend(run.take_given());
                run.handle(Event::Taken(0), self.now);
            }
            Want::Give(octets) => {
                let count = octets.len().min(self.driver.piece);
                self.ran.body.extend_from_slice(&octets[..count]);
                run.handle(Event::Taken(count), self.now);
            }
            Want::CloseData => {
                self.pipe.retain(|(side, _)| *side != Side::Data);
                run.handle(Event::Closed, self.now);
            }
            want => panic!("{want:?}"),
        }
    }

    fn dial(&mut self, run: &mut Run) {
        self.pipe.clear();
        self.received.clear();
        let answer = self.take(|act| match act {
            Act::Dial(answer) => Some(*answer),
            _ => None,
        });
        // The first connection need not be in the script.
        let is_first = !std::mem::replace(&mut self.is_dialled, true);
        let answer = self.or_refused(answer.or(is_first.then_some(Ok(()))), "another connection");
        let event = Event::Dialled(Channel::Control, SocketAddr::new(self.driver.peer, 21));
        self.made(run, answer, Channel::Control, event);
    }

    fn dial_peer(&mut self, run: &mut Run, port: u16) {
        let answer = self.take(|act| match act {
            Act::Data(own, answer) if *own == port => Some(*answer),
            _ => None,
        });
        let answer = self.or_refused(answer, "data connection");
        let event = Event::Dialled(Channel::Data, SocketAddr::new(self.driver.peer, port));
        self.made(run, answer, Channel::Data, event);
    }

    fn secure(&mut self, run: &mut Run, channel: Channel) {
        let side = if channel == Channel::Control { Side::Control } else { Side::Data };
        self.play();
        if let Some((channel, packet)) = self.deliver(|own| own == side && side == Side::Control) {
            return self.handle(run, channel, packet);
        }
        let answer = self.take(|act| match act {
            Act::Secure(own, answer) if *own == side => Some(*answer),
            _ => None,
        });
        let answer = self.or_refused(answer, "TLS");
        self.made(run, answer, channel, Event::Secured(channel));
    }

    fn ask(&mut self, run: &mut Run) {
        match self.answers.pop_front() {
            Some(answer) => run.handle(Event::Answer(&answer), self.now),
            None => {
                let kind = FailureKind::NoAnswer("the answer");
                run.handle(Event::Broke(Channel::Control, kind), self.now);
            }
        }
    }

    /// Plays the script up to something that needs the client.
    fn play(&mut self) {
        while let Some(act) = self.script.front() {
            match act {
                Act::Expect(octets) if self.received.len() >= octets.len() => {
                    let received: Vec<u8> = self.received.drain(..octets.len()).collect();
                    let (received, expected) = (received.escape_ascii(), octets.escape_ascii());
                    if self.driver.is_strict {
                        assert_eq!(received.to_string(), expected.to_string());
                    }
                }
                Act::Send(side, octets) => {
                    if *side == Side::Control {
                        self.ran.heard.extend_from_slice(octets);
                    }
                    self.pipe.push_back((*side, Packet::Octets(octets.clone())));
                }
                Act::End(side, end) => {
                    let ending = match end {
                        End::Fin => Ending::Fin,
                        End::Notified => Ending::Notified,
                        End::Reset => Ending::Reset,
                        End::Silence => return,
                    };
                    self.pipe.push_back((*side, Packet::End(ending)));
                }
                _ => return,
            }
            self.script.pop_front();
        }
    }

    /// Takes the next act if it is one of these.
    fn take<T>(&mut self, of: impl Fn(&Act) -> Option<T>) -> Option<T> {
        self.play();
        let taken = of(self.script.front()?)?;
        self.script.pop_front();
        Some(taken)
    }

    /// What the script does not foresee happens only where it is cut off.
    fn or_refused(&self, answer: Option<Result<(), Refusal>>, what: &str) -> Result<(), Refusal> {
        assert!(answer.is_some() || !self.driver.is_strict, "{what}: {:?}", self.script);
        let is_silent = self.script.iter().any(|act| matches!(act, Act::End(_, End::Silence)));
        answer.unwrap_or(Err(if is_silent { Refusal::Silent } else { Refusal::Refused }))
    }

    fn made(&mut self, run: &mut Run, answer: Result<(), Refusal>, channel: Channel, event: Event<'_>) {
        let kind = match answer {
            Ok(()) => return run.handle(event, self.now),
            Err(Refusal::Silent) => return self.wait(run),
            Err(Refusal::Unknown) => FailureKind::NameNotFound("h: no such name".into()),
            Err(Refusal::Forbidden) => FailureKind::Forbidden("192.0.2.1".into()),
            Err(Refusal::Refused) if matches!(event, Event::Secured(_)) => {
                FailureKind::NotSecured("the server did not answer".into())
            }
            Err(Refusal::Refused) => FailureKind::NotConnected("refused".into()),
        };
        run.handle(Event::Broke(channel, kind), self.now);
    }

    fn send(&mut self, octets: &[u8], is_last: bool) {
        self.received.extend(octets);
        self.message.extend_from_slice(octets);
        if is_last {
            self.ran.sent.push(std::mem::take(&mut self.message));
        }
    }

    /// Takes what came first of a wanted connection, at most one piece.
    fn deliver(&mut self, is_wanted: impl Fn(Side) -> bool) -> Option<(Channel, Packet)> {
        let index = self.pipe.iter().position(|(side, _)| is_wanted(*side))?;
        let (side, packet) = &mut self.pipe[index];
        let channel = if *side == Side::Control { Channel::Control } else { Channel::Data };
        match packet {
            Packet::Octets(octets) if octets.len() > self.driver.piece => {
                let rest = octets.split_off(self.driver.piece);
                Some((channel, Packet::Octets(std::mem::replace(octets, rest))))
            }
            _ => self.pipe.remove(index).map(|(_, packet)| (channel, packet)),
        }
    }

    fn handle(&self, run: &mut Run, channel: Channel, packet: Packet) {
        match packet {
            Packet::Octets(octets) => run.handle(Event::Octets(channel, &octets), self.now),
            Packet::End(ending) => run.handle(Event::Ended(channel, ending), self.now),
        }
    }

    /// Nothing happens until the server has waited, or the run's time has come.
    fn wait(&mut self, run: &mut Run) {
        let wake_at = run.wake_at().expect("a run that waits for ever");
        let left = wake_at.saturating_sub(self.now);
        match self.script.front_mut() {
            Some(Act::Wait(time)) if *time < left => {
                self.now += *time;
                self.script.pop_front();
            }
            other => {
                if let Some(Act::Wait(time)) = other {
                    *time -= left;
                }
                self.now += left;
                run.handle(Event::Time, self.now);
            }
        }
    }
}
