//! Displays a plan as a dialogue: `C:` marks what the client sends, `S:` what the server replies.
//! The steps after a reply are indented below it. Octets that are not printable ASCII are shown by
//! their names or codes, secrets as `(password)`.

use alloc::string::ToString;
use core::fmt::{self, Display, Formatter, Write as _};

use super::Plan;
use super::reply::{Framing, Meaning, Object, On};
use super::request::{Note, Request};
use super::step::{Case, Direction, Draft, Exchange, Local, LookUp, Next, Session, Step, Then, Transfer};
use super::text::{Shown, without_secrets};

/// Writes the dialogue; with `{:#}` also the secrets.
impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            WholeMessage(self).fmt(f)
        } else {
            without_secrets(&WholeMessage(self).to_string()).fmt(f)
        }
    }
}

/// A plan with the secrets of URLs in lines that are sent, where they are parts of a path and a query.
struct WholeMessage<'a>(&'a Plan);

impl Display for WholeMessage<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(plan) = self;
        plan.notes.iter().try_for_each(|note| note.fmt(f).and_then(|()| f.write_char('\n')))?;
        write_steps(f, plan.steps(), 0)
    }
}

/// Writes the step on lines of its own.
impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_step(f, self, 0)
    }
}

fn write_steps<'p>(
    f: &mut Formatter<'_>,
    mut steps: impl Iterator<Item = &'p Step>,
    depth: usize,
) -> fmt::Result {
    steps.try_for_each(|step| write_step(f, step, depth))
}

fn write_step(f: &mut Formatter<'_>, step: &Step, depth: usize) -> fmt::Result {
    match step {
        Step::Exchange(exchange) => return write_exchange(f, exchange, depth),
        Step::Request(request) => return write_request(f, request, depth),
        _ => indent(f, depth)?,
    }
    match step {
        Step::Connect(to) => {
            let (host, transport) = (Shown(to.host.as_bytes()), to.transport.name());
            writeln!(f, "connect to {host}, port {} ({transport})", to.port)
        }
        Step::Secure { host } => writeln!(f, "secure the connection by TLS for {}", Shown(host.as_bytes())),
        Step::SecureData => f.write_str("secure the data connections, too\n"),
        Step::Exchange(_) | Step::Request(_) => Ok(()),
        Step::Receive(object) => writeln!(f, "{object}"),
        Step::Transfer(transfer) => write_transfer(f, transfer, depth),
        Step::Slices(slices) => {
            write!(f, "ask for {} octets", slices.slice)?;
            if let Some(length) = slices.length {
                write!(f, " ({length} in all by the URL)")?;
            }
            f.write_str(", then for slices as large as the server sends, until one is shorter\n")?;
            slices.packet.write(f, depth)?;
            indent(f, depth)?;
            writeln!(f, "{}", slices.object)
        }
        Step::GoOn(next) => write_next(f, next, depth),
        Step::Local(local) => local.fmt(f),
    }
}

fn write_exchange(f: &mut Formatter<'_>, exchange: &Exchange, depth: usize) -> fmt::Result {
    if !exchange.send.is_empty() {
        exchange.send.write(f, depth)?;
    }
    write_cases(f, &exchange.cases, depth)
}

fn write_request(f: &mut Formatter<'_>, request: &Request, depth: usize) -> fmt::Result {
    request.head().write(f, depth)?;
    if request.credentials().is_some() {
        indent(f, depth + 1)?;
        f.write_str("S: 401 (a login is needed) -> once more with the user and the password of the URL\n")?;
    }
    indent(f, depth)?;
    writeln!(f, "{}", request.object())
}

fn write_transfer(f: &mut Formatter<'_>, transfer: &Transfer, depth: usize) -> fmt::Result {
    f.write_str("open a data connection (")?;
    for (i, port) in transfer.ports.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { "" } else { ", else " }, port.name())?;
    }
    f.write_str(")\n")?;
    if let Some(restart) = &transfer.restart {
        write_exchange(f, &restart.exchange, depth)?;
    }
    write_exchange(f, &transfer.command, depth)?;
    indent(f, depth)?;
    let Object { name, end, .. } = &transfer.object;
    let name = Shown(name.as_bytes());
    match (&transfer.restart, transfer.length) {
        _ if transfer.direction == Direction::Upload => {
            writeln!(f, "send {name} and close the data connection")?;
        }
        (None, None) => writeln!(f, "{}", transfer.object)?,
        (Some(restart), None) => writeln!(f, "read {name}, from octet {} on, {end}", restart.start)?,
        (restart, Some(length)) => {
            let start = restart.as_ref().map_or(0, |restart| restart.start);
            writeln!(f, "read {length} octets of {name}, from octet {start} on, or {end}")?;
        }
    }
    write_cases(f, &transfer.done, depth)
}

/// Writes the replies after which the plan goes on in one line, and each other one in a line with its
/// steps below it.
fn write_cases(f: &mut Formatter<'_>, cases: &[Case], depth: usize) -> fmt::Result {
    let mut last: Option<Meaning> = None;
    for case in cases.iter().filter(|case| case.then == Then::Next) {
        match last {
            None => {
                indent(f, depth + 1)?;
                f.write_str("S: ")?;
            }
            Some(means) if means == case.means => f.write_str(" or ")?,
            Some(means) => write!(f, " ({}), or ", means.text())?,
        }
        case.on.fmt(f)?;
        last = Some(case.means);
    }
    if let Some(means) = last {
        writeln!(f, " ({})", means.text())?;
    }
    for case in cases.iter().filter(|case| case.then != Then::Next) {
        indent(f, depth + 1)?;
        writeln!(f, "S: {case}")?;
        write_steps(f, case.then.steps().iter(), depth + 2)?;
    }
    Ok(())
}

/// Writes where the plan goes on, and the steps that read the object instead.
fn write_next(f: &mut Formatter<'_>, next: &Next, depth: usize) -> fmt::Result {
    writeln!(f, "{next}")?;
    for (when, steps) in
        ["if it is PROSPERO-CONTENTS", "without a method or contents"].into_iter().zip(next.steps())
    {
        if !steps.is_empty() {
            indent(f, depth + 1)?;
            writeln!(f, "{when} -> instead:")?;
            write_steps(f, steps.iter(), depth + 2)?;
        }
    }
    Ok(())
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "{:1$}", "", 2 * depth)
}

/// Writes the reply, its meaning, and what follows it if that is not the next step.
impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.on, self.means.text())?;
        f.write_str(match self.then {
            Then::Next => "",
            Then::First(_) => " -> first:",
            Then::Retry(_) => " -> first this, then once more:",
            Then::Instead(_) => " -> instead:",
            Then::Attempt(_) => " -> instead, or this error:",
            Then::Nothing => " -> an object without octets",
            Then::Fail => " -> an error",
        })
    }
}

impl Display for On {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Word(code, word) => write!(f, "{code} {}", Shown(word.as_bytes())),
            Self::Class(digit) => write!(f, "{digit}xx"),
        }
    }
}

/// Writes what is read and where it ends: "read a menu until a line "."".
impl Display for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "read {} {}", Shown(self.name.as_bytes()), self.end)
    }
}

impl Display for Next {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => write!(f, "go on with {}", Shown(url.as_bytes())),
            Self::AccessMethod { wanted, .. } => {
                for (name, value) in wanted {
                    writeln!(f, "the object must have {} = {}", Shown(name), Shown(value))?;
                }
                f.write_str("go on with the URL that ACCESS-METHOD gives")
            }
        }
    }
}

/// Writes the sentence; with `{:#}` also the secrets.
impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let exact = f.alternate().then(|| self.exact_text());
        write!(f, "({})", Shown(exact.as_deref().unwrap_or(&self.text).as_bytes()))
    }
}

/// Writes the step on lines of its own.
impl Display for Local {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file } => writeln!(f, "read the file {}", Shown(file)),
            Self::Data { media_type, data } => {
                writeln!(f, "take {} octets of {} from the URL", data.len(), Shown(media_type.as_bytes()))
            }
            Self::LookUp(look_up) => writeln!(f, "{look_up}"),
            Self::Draft(draft) => draft.fmt(f),
            Self::Start(session) => session.fmt(f),
        }
    }
}

impl Display for Framing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connection => "until the end of the connection",
            Self::ConnectionLessDot => "until the end of the connection, less a last line \".\"",
            Self::DataConnection => "until the end of the data connection",
            Self::Dot => "until a line \".\"",
            Self::DotOrConnection => "until a line \".\" or the end of the connection",
            Self::GopherPlus => "as long as its first line says",
            Self::Http => "until the end of the HTTP response",
            Self::Answer => "in one answer",
            Self::Contents => "in the attribute CONTENTS of one answer",
            Self::Nothing => "not at all: only its description was asked for",
        })
    }
}

impl Display for LookUp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("look for ")?;
        if let Some(content) = &self.content_id {
            write!(f, "the part <{}> of ", Shown(content))?;
        }
        match &self.message_id {
            Some(message) => write!(f, "the message <{}>", Shown(message)),
            None => f.write_str("the message that refers to it"),
        }
    }
}

impl Display for Draft {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("show a draft; nothing is sent\n")?;
        for to in &self.to {
            writeln!(f, "  To: {}", Shown(to))?;
        }
        for (name, value) in &self.fields {
            writeln!(f, "  {}: {}", Shown(name), Shown(value))?;
        }
        if !self.body.is_empty() {
            f.write_char('\n')?;
        }
        for line in self.body.split_inclusive(|&octet| octet == b'\n') {
            let line = line.strip_suffix(b"\r\n").or(line.strip_suffix(b"\n")).unwrap_or(line);
            writeln!(f, "  {}", Shown(line))?;
        }
        for name in &self.dropped {
            writeln!(f, "(left out, for it could do harm: {})", Shown(name))?;
        }
        Ok(())
    }
}

impl Display for Session {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("start")?;
        for word in &self.words {
            write!(f, " {}", Shown(word.as_bytes()))?;
        }
        f.write_char('\n')?;
        if let Some(user) = &self.user {
            writeln!(f, "  advise the user {}", Shown(user))?;
        }
        if let Some(password) = &self.password {
            f.write_str("  advise the password ")?;
            password.write(f)?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}
