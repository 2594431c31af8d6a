//! The dialogues of `testdata/fetch/dialogues`.

use locator::plan::{self, Listing, Next, Options, Plan, Resumption, Server, Tls, TransferMode};
use locator::{UriRef, edition};
use locator_dev::cases::{self, octets};
use locator_fetch::run::{FailureKind, Limits, Outcome, Whole};
use serde::Deserialize;

use crate::run::memory::{Driver, Ran};
use crate::run::script::{Act, script};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) url: String,
    #[serde(default)]
    options: CaseOptions,
    #[serde(default)]
    peer: Option<String>,
    #[serde(default)]
    answers: Vec<String>,
    server: String,
    #[serde(default)]
    body: String,
    #[serde(default)]
    whole: Option<String>,
    #[serde(default)]
    go_on: Option<String>,
    #[serde(default)]
    failure: Option<String>,
    #[serde(default)]
    message: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CaseOptions {
    no_email: bool,
    news_server: bool,
    text: bool,
    tls: Option<String>,
    literal_listing: bool,
    guessed: bool,
    head: bool,
    listing: String,
    overview: bool,
    range: Vec<u64>,
    most_octets: Option<u64>,
    longest: Option<u64>,
    resume: Option<Resume>,
}

/// Where a fetch was cut off; nothing of it to make going on possible.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Resume {
    start: u64,
    length: u64,
    modified: String,
}

impl Case {
    pub(crate) fn plan(&self) -> Plan {
        let mut options = Options::new();
        options.email = (!self.options.no_email).then_some("me@example.invalid");
        options.news_server = self.options.news_server.then_some(Server { host: "news.example", port: None });
        options.overview = self.options.overview;
        options.literal_listing = self.options.literal_listing;
        if self.options.text {
            options.representation = TransferMode::Text;
        }
        if self.options.guessed {
            options.representation = TransferMode::Guessed;
        }
        options.head = self.options.head;
        options.listing = match self.options.listing.as_str() {
            "" => Listing::Names,
            "facts" => Listing::Facts,
            "long" => Listing::Long,
            other => panic!("{other}"),
        };
        let count = self.options.range.get(1).copied();
        options.range = self.options.range.first().map(|&start| (start, count));
        options.ftp_tls = match self.options.tls.as_deref() {
            None => Tls::Off,
            Some("try") => Tls::Try,
            Some("required") => Tls::Required,
            Some(other) => panic!("{other}"),
        };
        options.resumption = match &self.options.resume {
            None => Resumption::Off,
            Some(resume) if resume.start == 0 => Resumption::Prepared,
            Some(Resume { start, length, modified }) => {
                Resumption::From { start: *start, length: *length, modified }
            }
        };
        let by_1738 = UriRef::parse_with(&self.url, &edition::RFC1738).ok();
        let plan = by_1738.and_then(|url| plan::plan(url, &options).ok());
        plan.unwrap_or_else(|| {
            let plan = plan::plan(UriRef::parse(&self.url).unwrap(), &options);
            plan.unwrap_or_else(|error| panic!("{}: {error}", self.name))
        })
    }

    pub(crate) fn driver(&self, piece: usize, is_strict: bool) -> Driver {
        let mut limits = Limits::new();
        (limits.body, limits.whole) = (self.options.most_octets, self.options.longest);
        Driver {
            peer: self.peer.as_deref().unwrap_or("192.0.2.1").parse().unwrap(),
            answers: self.answers.iter().map(|answer| octets(answer)).collect(),
            limits,
            piece,
            is_strict,
        }
    }

    pub(crate) fn script(&self) -> Vec<Act> {
        script(&self.server)
    }

    /// Checks that a run was that of the case.
    fn check(&self, ran: &Ran) {
        let name = &self.name;
        let body = octets(&self.body);
        assert_eq!(ran.body.escape_ascii().to_string(), body.escape_ascii().to_string(), "{name}: {ran:?}");
        match &ran.outcome {
            Outcome::Got { whole, octets } => {
                assert_eq!(Some(name_of(*whole)), self.whole.as_deref(), "{name}: {ran:?}");
                assert_eq!(*octets, ran.body.len() as u64, "{name}");
            }
            Outcome::GoOn(Next::Url(url)) => assert_eq!(Some(url), self.go_on.as_ref(), "{name}"),
            Outcome::Failed(failure) => {
                assert_eq!(Some(failure.kind.name()), self.failure.as_deref(), "{name}: {failure}");
                assert_eq!(Some(failure.to_string()), self.message, "{name}");
            }
            other => panic!("{name}: {other:?}"),
        }
        assert!(ran.is_played, "{name}: the script was not played to its end");
    }
}

fn name_of(whole: Whole) -> &'static str {
    match whole {
        Whole::Framed => "framed",
        Whole::Confirmed => "confirmed",
        Whole::Unverified => "unverified",
    }
}

/// Returns all cases.
pub(crate) fn cases() -> Vec<Case> {
    cases::read("fetch/dialogues")
}

/// Checks what was sent: each message is one of the plan, and there are not too many.
pub(crate) fn check_sent(name: &str, plan: &Plan, sent: &[Vec<u8>]) {
    assert!(sent.len() as u64 <= plan.most_sends(), "{name}: {} > {}", sent.len(), plan.most_sends());
    for message in sent {
        assert!(may_send(plan, message), "{name}: {}", message.escape_ascii());
    }
}

/// Returns whether a message is one of the plan, or one that asks for the port of a data connection.
fn may_send(plan: &Plan, message: &[u8]) -> bool {
    let ports = plan.all_steps().filter_map(|step| match step {
        plan::Step::Transfer(transfer) => Some(transfer.ports),
        _ => None,
    });
    plan.messages().any(|own| fits(own, message))
        || ports.flatten().any(|port| port.message().to_bytes() == message)
}

/// Returns whether octets are those of a message, with anything that contains no CR and LF in its holes.
pub(crate) fn fits(own: &plan::Message, message: &[u8]) -> bool {
    let mut rest = message;
    let mut is_open = false;
    for piece in own.pieces() {
        let known = match piece {
            plan::MessagePiece::Bytes(octets) => octets.as_slice(),
            plan::MessagePiece::Secret(secret) => secret.reveal(),
            _ => {
                is_open = true;
                continue;
            }
        };
        if known.is_empty() {
            continue;
        }
        let found = rest.windows(known.len()).position(|window| window == known);
        match found.filter(|&at| is_open || at == 0) {
            Some(at) => rest = &rest[at + known.len()..],
            None => return false,
        }
        is_open = false;
    }
    rest.is_empty()
}

#[test]
fn dialogues() {
    let cases = cases();
    for case in &cases {
        let plan = case.plan();
        for piece in [usize::MAX, 1] {
            let ran = case.driver(piece, true).run(plan.clone(), case.script());
            case.check(&ran);
            check_sent(&case.name, &plan, &ran.sent);
        }
    }
    let mut names: Vec<_> = cases.iter().map(|case| &case.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cases.len());
}

/// Returns whether a failure is one of a connection and not of a reply.
pub(crate) const fn is_of_connection(kind: &FailureKind) -> bool {
    matches!(
        kind,
        FailureKind::CutOff
            | FailureKind::EmptyReply
            | FailureKind::Reset
            | FailureKind::TimedOut(_)
            | FailureKind::NotConnected(_)
            | FailureKind::NotSecured(_)
    )
}
