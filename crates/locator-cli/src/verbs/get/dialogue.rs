//! Requests and replies on standard error (`-v`), as a plan shows them: `C:` before what is sent, `S:`
//! before replies. Secrets are not shown.

use std::collections::HashSet;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use locator::plan::{Protocol, ReplyFraming};
use locator_fetch::ResponseHead;
use locator_fetch::run::{UnsentLogin, Withheld};
use locator_fetch::wais::{InitResponse, SearchResponse};
use locator_fetch::{CertificateDetails, TlsDetails, Watcher};

use super::error::{AT_ONCE, TRUST};
use super::response_heads;
use crate::exit::{say, say_warning};
use crate::output::Output;
use crate::output::progress;
use crate::terminal::paint::{FAINT, STRONG};
use crate::terminal::{secrets, visible};

/// Shows a dialogue.
pub(super) struct Dialogue(Mutex<State>, UnsentLogins);

struct State {
    errors: Output,
    /// How replies are divided. A body is not shown.
    framing: ReplyFraming,
    /// What was received of a line.
    line: Vec<u8>,
    /// Whether the next line is a reply.
    expects_reply: bool,
    /// How many bytes of a packet follow its header.
    rest: u64,
}

/// The length of the header of a WAIS packet.
const HEADER: usize = 25;

/// The most bytes of a packet that are read.
const LONGEST_PACKET: usize = 100_000;

/// The most bytes of a line that are shown.
const LONGEST: usize = 4096;

impl Dialogue {
    pub(super) fn new(errors: Output, logins: UnsentLogins) -> Self {
        let framing = ReplyFraming::None;
        Self(Mutex::new(State { errors, framing, line: Vec::new(), expects_reply: false, rest: 0 }), logins)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Writes a line; a failure to do so is ignored.
    fn say(&mut self, mark: &str, text: &str) {
        let paint = self.errors.paint;
        let style = if mark == "C: " { STRONG } else { FAINT };
        let errors = &mut self.errors;
        let text = &shown(text);
        let (mark, text) = (paint.with(FAINT, mark), paint.with(style, visible(text)));
        let _ = progress::aside(|| writeln!(errors, "{mark}{text}").and_then(|()| errors.flush()));
    }

    /// Shows a WAIS packet: its header, which contains the length of the rest, and its contents.
    fn received_of_packet(&mut self, octet: u8) {
        if self.rest > 0 {
            self.rest -= 1;
            if self.line.len() < LONGEST_PACKET {
                self.line.push(octet);
            }
            if self.rest == 0 {
                let apdu = std::mem::take(&mut self.line);
                said_in(&apdu).iter().for_each(|said| self.say("  S: ", said));
            }
            return;
        }
        // What comes before the first "0" is skipped.
        if !self.line.is_empty() || octet == b'0' {
            self.line.push(octet);
        }
        if self.line.len() == HEADER {
            let header = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
            self.rest = header.get(..10).and_then(|digits| digits.parse().ok()).unwrap_or_default();
            self.say("  S: ", &header);
        }
    }

    fn received(&mut self, octet: u8) {
        if self.framing == ReplyFraming::Packets {
            return self.received_of_packet(octet);
        }
        if octet != b'\n' {
            if self.line.len() < LONGEST {
                self.line.push(octet);
            }
            return;
        }
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line)).into_owned();
        match self.framing {
            // No body is on the same connection.
            ReplyFraming::Lines => self.say("  S: ", &text),
            // The contents of a file are an attribute, whose quoted value may have many lines.
            ReplyFraming::Datagrams if self.expects_reply => {
                let (before, contents) = text.split_once(" CONTENTS SEQUENCE DATA ").unwrap_or((&text, ""));
                self.expects_reply = contents.is_empty();
                let end = if self.expects_reply { "" } else { " CONTENTS SEQUENCE DATA ..." };
                self.say("  S: ", &format!("{before}{end}"));
            }
            ReplyFraming::Line if self.expects_reply => {
                self.expects_reply = false;
                self.say("  S: ", &text);
            }
            _ => {}
        }
    }
}

/// Returns the contents of a WAIS packet as lines.
fn said_in(apdu: &[u8]) -> Vec<String> {
    if let Ok(response) = InitResponse::parse(apdu) {
        let largest = response.largest.map(|size| format!(", messages of up to {size} bytes"));
        let is_accepted = if response.result == 1 { "accepted" } else { "refused" };
        return vec![format!("{is_accepted}{}", largest.unwrap_or_default())];
    }
    let Ok(response) = SearchResponse::parse(apdu) else { return Vec::new() };
    let text = response.text.map(|text| format!("{} bytes of a document", text.octets.len()));
    let hits = (!response.hits.is_empty()).then(|| format!("results: {}", response.hits.len()));
    let diagnostics = response.diagnostics.iter().map(ToString::to_string);
    hits.into_iter().chain(text).chain(diagnostics).collect()
}

/// Returns a line without its secrets: those of URLs, and of headers such as `Set-Cookie`.
fn shown(line: &str) -> String {
    match line.split_once(": ") {
        Some((name, value)) if !name.is_empty() && !name.contains(' ') && value != "(password)" => {
            format!("{name}: {}", response_heads::shown_value(name, value))
        }
        _ => secrets::sentence(line),
    }
}

/// Shows warnings and notes only.
pub(super) struct Warnings(pub(super) UnsentLogins);

impl Watcher for Warnings {
    fn warned(&self, warning: &str) {
        say_warning(warning);
    }

    fn login_unsent(&self, origin: &str, why: &UnsentLogin) {
        self.0.say(origin, why);
    }
}

/// Says, once for each origin, that a login was not sent. A clone shares what was said.
#[derive(Clone)]
pub(super) struct UnsentLogins {
    said: Arc<Mutex<HashSet<String>>>,
    /// Whether an option can send it at once.
    may_be_sent_at_once: bool,
    is_silent: bool,
}

impl UnsentLogins {
    pub(super) fn new(may_be_sent_at_once: bool, is_silent: bool) -> Self {
        Self { said: Arc::default(), may_be_sent_at_once, is_silent }
    }

    fn say(&self, origin: &str, why: &UnsentLogin) {
        let is_new = || self.said.lock().unwrap_or_else(PoisonError::into_inner).insert(origin.to_owned());
        if self.is_silent || !is_new() {
            return;
        }
        let advice = match why {
            UnsentLogin::NotAsked if self.may_be_sent_at_once => format!("; {AT_ONCE}"),
            UnsentLogin::OtherOrigin => format!("; {TRUST}"),
            _ => String::new(),
        };
        progress::aside(|| say(&format!("the login was not sent to {}: {why}{advice}", visible(origin))));
    }
}

impl Watcher for Dialogue {
    fn requested(&self, head: &str) {
        let mut state = self.lock();
        head.lines().for_each(|line| state.say("  C: ", line));
    }

    fn withheld(&self, what: &Withheld) {
        self.lock().say("", &format!("{what}; {TRUST}"));
    }

    fn responded(&self, response: &ResponseHead) {
        let mut state = self.lock();
        response
            .to_string()
            .lines()
            .filter(|line| !line.is_empty())
            .for_each(|line| state.say("  S: ", line));
    }

    fn warned(&self, warning: &str) {
        say_warning(warning);
    }

    fn login_unsent(&self, origin: &str, why: &UnsentLogin) {
        // What was withheld from another origin has been shown.
        if *why != UnsentLogin::OtherOrigin {
            self.1.say(origin, why);
        }
    }

    fn connected(&self, host: &str, address: SocketAddr, protocol: &'static Protocol) {
        let mut state = self.lock();
        state.framing = protocol.replies;
        state.line.clear();
        state.rest = 0;
        state.expects_reply = true;
        state.say("", &format!("connected to {host} ({address})"));
    }

    fn reused(&self, host: &str, address: SocketAddr, protocol: &'static Protocol) {
        let mut state = self.lock();
        state.framing = protocol.replies;
        state.line.clear();
        state.say("", &format!("using the connection to {host} ({address}) again"));
    }

    fn connected_data(&self, address: SocketAddr) {
        self.lock().say("", &format!("opened a data connection ({address})"));
    }

    fn secured(&self, host: &str) {
        self.lock().say("", &format!("TLS connection to {host}"));
    }

    fn agreed(&self, tls: &TlsDetails) {
        let mut state = self.lock();
        let protocol = tls.protocol.iter().map(|name| format!(", ALPN {name}")).collect::<String>();
        state.say("", &format!("  {}, {}{protocol}", tls.version, tls.cipher));
        let Some(CertificateDetails { subject, issuer, names, not_before, not_after, .. }) = &tls.certificate
        else {
            return;
        };
        let names = if names.is_empty() { String::new() } else { format!(" for {}", names.join(", ")) };
        state.say("", &format!("  certificate{names}: subject {subject}"));
        state.say("", &format!("  issued by {issuer}; valid from {not_before} to {not_after}"));
    }

    fn sent(&self, message: &str) {
        let mut state = self.lock();
        if state.framing == ReplyFraming::Datagrams {
            // The last line of an answer may have no end.
            state.line.clear();
        }
        state.expects_reply = true;
        for line in message.lines() {
            state.say("  C: ", line);
        }
    }

    fn received(&self, octets: &[u8]) {
        let mut state = self.lock();
        if state.framing != ReplyFraming::None {
            octets.iter().for_each(|&octet| state.received(octet));
        }
    }
}
