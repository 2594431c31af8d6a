//! Servers that send well-framed replies at random: a run ends, sends only messages of its plan, and not
//! more than `Plan::most_sends`. `LOCATOR_RUNS` sets the number of runs.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use locator::plan::{
    Connection, Exchange, Framing, Line, Meaning, Object, ObjectKind, On, Plan, Prompt, Protocol,
    ReplyFraming, Step, Then, Transfer, Transport,
};
use locator::scheme::AsciiSet;
use locator_fetch::run::{Channel, Ending, Event, FailureKind, Limits, Run, Want};

use crate::run::dialogues::{cases, check_sent, fits};

/// xorshift64*, for runs that can be repeated.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

static TEST: Protocol = Protocol {
    name: "TEST",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "",
    replies: ReplyFraming::Lines,
    meanings: &[(On::Class(1), Meaning::Wait)],
};

const WORDS: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

/// A plan of random steps.
fn random_plan(random: &mut Random) -> Plan {
    let to = Connection::new("h", 1, Transport::Tcp, &TEST);
    Plan::with_session(vec![Step::Connect(to)]).then_all(random_steps(random, 3))
}

fn random_steps(random: &mut Random, depth: usize) -> Vec<Step> {
    let count = random.below(4);
    (0..count).map(|_| random_step(random, depth)).collect()
}

fn random_step(random: &mut Random, depth: usize) -> Step {
    let object = |end| Object::new(ObjectKind::Text, "it", end);
    match random.below(8) {
        0 => Step::Receive(object(*random.pick(&[Framing::Dot, Framing::DotOrConnection]))),
        1 | 2 => random_transfer(random, depth, object(Framing::DataConnection)).into(),
        3 => Step::Connect(Connection::new("h", 2, Transport::Tcp, &TEST)),
        _ => random_exchange(random, depth).into(),
    }
}

/// A transfer, whose end may lead to other steps.
fn random_transfer(random: &mut Random, depth: usize, object: Object) -> Transfer {
    let mut transfer = Transfer::new(random_exchange(random, depth), object);
    for case in &mut transfer.done {
        match random.below(4) {
            0 if depth > 0 => case.then = Then::First(random_steps(random, depth - 1)),
            1 => case.then = Then::Fail,
            _ => {}
        }
    }
    transfer
}

fn random_exchange(random: &mut Random, depth: usize) -> Exchange {
    let line = Line::new(&TEST, WORDS[random.below(WORDS.len())]);
    let mut exchange = match random.below(6) {
        0 => Exchange::greeting(),
        1 => Exchange::new(line.answer(Prompt::Email).end()),
        _ => Exchange::new(line.end()),
    };
    let count = if depth == 0 { 1 } else { random.below(4) };
    for _ in 0..count {
        let then = match random.below(if depth == 0 { 3 } else { 8 }) {
            0 => Then::Next,
            1 => Then::Nothing,
            2 => Then::Fail,
            3 => Then::First(random_steps(random, depth - 1)),
            5 | 6 => Then::Retry(random_steps(random, depth - 1)),
            4 => Then::Attempt(random_steps(random, depth - 1)),
            _ => Then::Instead(random_steps(random, depth - 1)),
        };
        let on = match random.below(3) {
            0 => On::Class(2 + random.below(4) as u8),
            1 => On::Word(200 + 50 * random.below(8) as u16, "X".into()),
            _ => On::Code(200 + 50 * random.below(8) as u16),
        };
        exchange = exchange.on(on, Meaning::Done, then);
    }
    exchange
}

const LIMITS: Limits = Limits::new().connect(10).idle(10).body(500).reply(300).announcements(4);

/// The codes and first words of replies.
type Codes = Vec<(u16, String)>;

/// Returns what a plan's server may reply: the codes that the plan lists, and others.
fn codes(plan: &Plan) -> Codes {
    let others = [100, 120, 150, 200, 211, 220, 226, 227, 229, 230, 250, 331, 332, 421, 425, 450, 500, 550];
    let cases = plan.all_steps().filter_map(Step::exchange).flat_map(codes_of);
    cases.chain(others.map(|code| (code, String::new()))).collect()
}

/// Returns the codes that an exchange lists.
fn codes_of(exchange: &Exchange) -> impl Iterator<Item = (u16, String)> {
    exchange.cases.iter().map(|case| match &case.on {
        On::Code(code) => (*code, String::new()),
        On::Word(code, word) => (*code, word.to_string()),
        On::Class(digit) => (u16::from(*digit) * 100, String::new()),
        other => panic!("{other:?}"),
    })
}

/// Returns what a server that wants to go on replies to a message, or at its greeting.
fn codes_to(plan: &Plan, message: &[u8]) -> Codes {
    match message {
        b"EPSV\r\n" => vec![(229, "(|||30001|)".into())],
        b"PASV\r\n" => vec![(227, "192,0,2,1,117,49".into())],
        _ => {
            let exchanges = plan.all_steps().filter_map(Step::exchange);
            let own = exchanges.filter(|exchange| match message {
                [] => exchange.send.is_empty(),
                message => fits(&exchange.send, message),
            });
            own.flat_map(codes_of).collect()
        }
    }
}

fn reply(random: &mut Random, codes: &Codes) -> Vec<u8> {
    let (code, word) = random.pick(codes);
    let text = match random.below(4) {
        0 => "text",
        _ => word,
    };
    let long = if random.one_in(8) { format!("{code}-a\r\n b\r\n") } else { String::new() };
    format!("{long}{code} {text}\r\n").into_bytes()
}

/// Octets of an object, with many dots.
fn object(random: &mut Random) -> Vec<u8> {
    let pieces = ["a", ".", "\r\n", "\n", ".\r\n", "..", "+", "-1", "+3\r\n", "+-1\r\n", "x\r\n"];
    let count = 1 + random.below(6);
    (0..count).flat_map(|_| random.pick(&pieces).bytes()).collect()
}

/// A server without a plan of its own.
struct Server<'r> {
    random: &'r mut Random,
    plan: &'r Plan,
    codes: Codes,
    /// The codes that lead on.
    likely: Codes,
    has_replies: bool,
    now: u64,
    message: Vec<u8>,
    sent: Vec<Vec<u8>>,
}

impl Server<'_> {
    /// Answers what a run wants; `false` if it has ended.
    fn answer(&mut self, run: &mut Run) -> bool {
        let now = self.now;
        match run.want() {
            Want::Done(_) => return false,
            Want::Dial(_) => self.dial(run, Channel::Control, 22),
            Want::DialPeer(port) => self.dial(run, Channel::Data, port),
            Want::Secure(channel, _) if self.random.one_in(8) => {
                run.handle(Event::Broke(channel, FailureKind::NotSecured("".into())), now);
            }
            Want::Secure(channel, _) => run.handle(Event::Secured(channel), now),
            Want::Send(octets) => {
                let count = 1 + self.random.below(octets.len());
                self.message.extend_from_slice(&octets[..count]);
                if count == octets.len() {
                    self.likely = codes_to(self.plan, &self.message);
                    self.sent.push(std::mem::take(&mut self.message));
                }
                run.handle(Event::Sent(count), now);
            }
            Want::Read { control, data } => self.read(run, control, data),
            Want::Ask(_) => {
                let answer = if self.random.one_in(32) { "a\r\nb" } else { "answer" };
                run.handle(Event::Answer(answer.as_bytes()), now);
            }
            Want::Random(count) => run.handle(Event::Answer(&vec![0; count]), now),
            Want::Give(octets) => {
                let count = 1 + self.random.below(octets.len());
                run.handle(Event::Taken(count), now);
            }
            Want::CloseData => run.handle(Event::Closed, now),
            want => panic!("{want:?}"),
        }
        true
    }

    fn dial(&mut self, run: &mut Run, channel: Channel, port: u16) {
        let address: IpAddr = match self.random.one_in(4) {
            true => Ipv6Addr::LOCALHOST.into(),
            false => Ipv4Addr::LOCALHOST.into(),
        };
        match self.random.below(16) {
            0 => run.handle(Event::Broke(channel, FailureKind::NotConnected("".into())), self.now),
            1 => self.wait(run),
            _ => run.handle(Event::Dialled(channel, SocketAddr::new(address, port)), self.now),
        }
    }

    fn wait(&mut self, run: &mut Run) {
        self.now = run.wake_at().expect("a time");
        run.handle(Event::Time, self.now);
    }

    fn read(&mut self, run: &mut Run, control: bool, data: bool) {
        let channel = match data && (!control || self.random.one_in(2)) {
            true => Channel::Data,
            false => Channel::Control,
        };
        let is_data = channel == Channel::Data;
        if self.random.one_in(if is_data { 3 } else { 100 }) {
            let ending = *self.random.pick(&[Ending::Fin, Ending::Fin, Ending::Notified, Ending::Reset]);
            return run.handle(Event::Ended(channel, ending), self.now);
        }
        if self.random.one_in(100) {
            return self.wait(run);
        }
        let is_likely = !self.likely.is_empty() && !self.random.one_in(8);
        let octets = match is_data || !self.has_replies || self.random.one_in(32) {
            true => object(self.random),
            false if data => b"226 sent\r\n".to_vec(),
            false => reply(self.random, if is_likely { &self.likely } else { &self.codes }),
        };
        let cut = self.random.below(octets.len());
        for piece in [&octets[..cut], &octets[cut..]] {
            run.handle(Event::Octets(channel, piece), self.now);
        }
    }
}

/// Carries out a plan with a random server.
fn check(name: &str, plan: &Plan, random: &mut Random) -> u64 {
    let has_replies = plan
        .all_steps()
        .any(|step| matches!(step, Step::Connect(to) if to.protocol.replies != ReplyFraming::None));
    let (codes, likely) = (codes(plan), codes_to(plan, b""));
    let (message, sent) = (Vec::new(), Vec::new());
    let mut server = Server { random, plan, codes, likely, has_replies, now: 0, message, sent };
    let mut run = Run::new(plan.clone(), LIMITS);
    run.handle(Event::Time, 0);
    // Between two messages there are at most the announcements, the prompts and a connection; and each
    // octet of the object may come alone.
    let most_events = 2000 + 30 * (plan.most_sends().min(1000) as usize + plan.all_steps().count());
    let mut events = 0;
    while server.answer(&mut run) {
        events += 1;
        assert!(events < most_events, "{name}: {events} events: {:?}", run.want());
    }
    let sent = server.sent;
    check_sent(name, plan, &sent);
    sent.len() as u64
}

#[test]
fn random_servers() {
    let runs: usize = std::env::var("LOCATOR_RUNS").map_or(1000, |runs| runs.parse().unwrap());
    let mut random = Random(1738);
    let plans: Vec<_> = cases().iter().map(|case| (case.name.clone(), case.plan())).collect();
    let plans: Vec<_> = plans.into_iter().filter(|(_, plan)| plan.most_sends() > 0).collect();
    let (mut most, mut reached) = (0, 0);
    for _ in 0..runs {
        let seed = random.0;
        let (name, plan) = match random.one_in(2) {
            true => (format!("a random plan of {seed:#X}"), random_plan(&mut random)),
            false => random.pick(&plans).clone(),
        };
        let sent = check(&name, &plan, &mut random);
        most = most.max(sent);
        reached += usize::from(sent == plan.most_sends());
    }
    println!("{runs} runs, at most {most} messages; {reached} reached the limit of their plan");
    assert!(reached * 20 > runs, "the limit is not sharp: {reached} of {runs} reached it");
}
