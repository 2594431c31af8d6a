//! FTP as octets and rules, without connections (RFC 959, RFC 2428, RFC 3659); `run` applies them.
//!
//! - [`Parser`] takes octets of a server in any cut, returns each reply and the number of its octets. NNTP shares it.
//! - [`PortAttempt`] takes the replies to `EPSV` and `PASV`, returns the port of the data connection, or the way to
//!   try next (RFC 2428, section 3; RFC 959, section 4.1.2).
//! - [`Directory`] is that of a connection that is used again: it takes the commands that the server accepted,
//!   returns those that lead from there to the next file (RFC 959, 4.1.1; RFC 1738, 3.2.2).
//! - [`Facts`] is what a line of `MLSD` or the reply to `MLST` says of a file (RFC 3659, section 7).
//! - `long` reads the lines that a server prints for people after `LIST`.

#[cfg(feature = "entries")]
pub(crate) mod long;

use locator::plan::{DataPort, Line, Meaning, Message, MessagePiece, Protocol, ReplyFraming, Step, Transfer};

use crate::error::failure::{Failure, FailureKind, Reply};
use crate::time::date::parse_ftp_time;

/// What the octets of a server are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// A reply, and the number of its octets.
    Reply(Reply, usize),
    /// The beginning of a reply.
    Unfinished,
    /// Not a reply.
    Wrong,
    /// The beginning of a reply that is longer than the limit.
    TooLong,
}

/// Parses one reply, line by line. Each octet is read once, in whatever pieces they come.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    /// The offset of the line that is not ended.
    line: usize,
    /// The octets before this offset contain no further LF.
    scanned: usize,
    /// The first line, once it was read.
    first: Option<ReplyStart>,
    text: Vec<u8>,
}

/// What the first line of a reply says.
#[derive(Clone, Copy, Debug)]
struct ReplyStart {
    code: u16,
    is_long: bool,
}

impl Parser {
    /// Parses the first reply of these octets, which begin as those of the last call did.
    pub(crate) fn parse(&mut self, framing: ReplyFraming, octets: &[u8], limit: usize) -> Parsed {
        if !may_begin(framing, octets) {
            return Parsed::Wrong;
        }
        while let Some(length) = find_lf(octets, self.scanned) {
            let line = octets.get(self.line..self.scanned + length).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            self.scanned += length + 1;
            self.line = self.scanned;
            if self.line > limit {
                return Parsed::TooLong;
            }
            match self.take_line(framing, line) {
                None => return Parsed::Wrong,
                Some(false) => {}
                Some(true) => {
                    let code = self.first.map(|first| first.code);
                    return Parsed::Reply(Reply { code, text: std::mem::take(&mut self.text) }, self.line);
                }
            }
        }
        self.scanned = octets.len();
        if self.scanned > limit { Parsed::TooLong } else { Parsed::Unfinished }
    }

    /// Takes a line, without its end: returns whether it is the last one, `None` if it is wrong.
    fn take_line(&mut self, framing: ReplyFraming, line: &[u8]) -> Option<bool> {
        let Some(first) = self.first else {
            let (first, text) = match framing {
                ReplyFraming::Head => status_of(line)?,
                _ => (code_of(line)?, line.get(4..).unwrap_or_default()),
            };
            self.text = text.into();
            self.first = Some(first);
            return Some(framing == ReplyFraming::Line || framing == ReplyFraming::Lines && !first.is_long);
        };
        if framing == ReplyFraming::Head {
            return Some(line.is_empty());
        }
        // "The format for multi-line replies requires that the first line will begin with the exact
        // required reply code, followed immediately by a Hyphen, "-" […] The last line will begin with
        // the same code, followed immediately by Space <SP>" (RFC 959, 4.2).
        let same = code_of(line).filter(|own| own.code == first.code);
        self.text.push(b'\n');
        self.text.extend_from_slice(if same.is_some() { line.get(4..).unwrap_or_default() } else { line });
        Some(same.is_some_and(|own| !own.is_long))
    }
}

fn find_lf(octets: &[u8], start: usize) -> Option<usize> {
    octets.get(start..)?.iter().position(|&octet| octet == b'\n')
}

/// Returns whether octets can begin a reply; this is seen before their line has ended.
fn may_begin(framing: ReplyFraming, octets: &[u8]) -> bool {
    match framing {
        ReplyFraming::Line | ReplyFraming::Lines => {
            octets.first().is_none_or(|digit| (b'1'..=b'6').contains(digit))
                && octets.iter().take(3).all(u8::is_ascii_digit)
        }
        ReplyFraming::Head => octets.iter().zip(b"HTTP/1.").all(|(octet, expected)| octet == expected),
        _ => false,
    }
}

/// Returns code and text of a status line: `HTTP/1.1 200 OK`.
fn status_of(line: &[u8]) -> Option<(ReplyStart, &[u8])> {
    let rest = line.strip_prefix(b"HTTP/1.")?.get(1..)?.strip_prefix(b" ")?;
    let first = code_of(rest).filter(|first| !first.is_long)?;
    Some((first, rest.get(4..).unwrap_or_default()))
}

/// Returns the code that begins a line, and whether a "-" follows it.
fn code_of(line: &[u8]) -> Option<ReplyStart> {
    let (digits, rest) = line.split_at_checked(3)?;
    let is_code = matches!(digits[0], b'1'..=b'6') && digits.iter().all(u8::is_ascii_digit);
    let is_long = match rest.first() {
        None | Some(b' ') => false,
        Some(b'-') => true,
        Some(_) => return None,
    };
    let code = digits.iter().fold(0, |code, digit| 10 * code + u16::from(digit.wrapping_sub(b'0')));
    is_code.then_some(ReplyStart { code, is_long })
}

/// An attempt to open the data connection of a transfer.
#[derive(Debug)]
pub(crate) struct PortAttempt {
    pub(crate) transfer: Transfer,
    /// The index of the way to learn the port that is tried.
    way: usize,
    /// Why the last way failed.
    pub(crate) failure: Option<Failure>,
}

/// Why a reply names no port.
pub(crate) enum NoPort {
    /// Another way may work.
    TryNext(Failure),
    /// No way will.
    Failed(Failure),
}

impl PortAttempt {
    pub(crate) const fn new(transfer: Transfer) -> Self {
        Self { transfer, way: 0, failure: None }
    }

    /// Returns the first way to learn a port from that of the attempt on that this version of IP has.
    pub(crate) fn way(&mut self, is_ipv4: bool) -> Option<DataPort> {
        let ways = self.transfer.ports.iter().enumerate().skip(self.way);
        let (way, port) = ways.into_iter().find(|(_, port)| is_ipv4 || port.has_ipv6())?;
        self.way = way;
        Some(*port)
    }

    /// Returns the attempt by the way after the one that failed.
    pub(crate) fn after(self, failure: Failure) -> Self {
        Self { way: self.way + 1, failure: Some(failure), ..self }
    }

    /// Returns the port that a reply names, whose meaning is the protocol's.
    pub(crate) fn port_of(&self, reply: Reply, means: Meaning) -> Result<u16, NoPort> {
        let ports = self.transfer.ports.get(self.way);
        let is_named = ports.is_some_and(|port| reply.code == Some(port.code()));
        let port = ports.filter(|_| is_named).and_then(|port| port.port(&reply.text));
        let may_try_next = is_named || reply.code.is_some_and(|code| code >= 400 && code != 421);
        port.ok_or_else(|| {
            let kind = if is_named { FailureKind::Garbled("FTP") } else { FailureKind::Said(means) };
            let during = format!("reading the reply to {}", ports.map_or("PASV", |port| port.name()));
            let failure = Failure { reply: Some(reply), ..Failure::new(kind, during) };
            if may_try_next { NoPort::TryNext(failure) } else { NoPort::Failed(failure) }
        })
    }
}

/// What an FTP server remembers of the commands after a login.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    /// The directory after the login; empty if the server does not name one that can be returned to.
    entry: Option<String>,
    /// The accepted `CWD` commands, from the directory after the login on.
    changes: Vec<Vec<u8>>,
    /// The last accepted `TYPE` command.
    mode: Option<Vec<u8>>,
}

/// How the work of a plan begins on a connection that is used again.
pub(crate) struct Start {
    /// Whether the server is asked for its directory first.
    pub(crate) asks_directory: bool,
    /// `CWD` to the directory after the login, if it comes first.
    pub(crate) back: Option<Message>,
    /// The steps of the work that are left.
    pub(crate) work: Vec<Step>,
}

impl Directory {
    /// Returns the command that asks for the present directory.
    pub(crate) fn question(protocol: &'static Protocol) -> Message {
        Line::new(protocol, "PWD").end()
    }

    /// Takes the text of a reply 257 to that command, directly after the login: "257<space>
    /// "<directory-name>"<space><commentary>" (RFC 959, 5.4 and appendix II).
    pub(crate) fn named(&mut self, text: &str) {
        self.entry = Some(quoted(text).unwrap_or_default());
    }

    /// Notes that the directory after the login is not known.
    pub(crate) fn not_named(&mut self) {
        self.entry = Some(String::new());
    }

    /// Notes that the server is again in the directory after the login.
    pub(crate) fn is_back(&mut self) {
        self.changes.clear();
    }

    /// Takes a command that the server accepted.
    pub(crate) fn accepted(&mut self, message: &Message) {
        if is_change(message) {
            self.changes.push(message.to_bytes());
        } else if is_mode(message) {
            self.mode = Some(message.to_bytes());
        }
    }

    /// Returns how work begins here. `None` if only a new login leads to its directory.
    pub(crate) fn start(&self, protocol: &'static Protocol, work: Vec<Step>) -> Option<Start> {
        let wanted = directory_changes(&work);
        let asks_directory = self.entry.is_none() && self.changes.is_empty();
        let (back, done) = match wanted.starts_with(&self.changes) {
            true => (None, self.changes.len()),
            false => (Some(self.way_back(protocol)?), 0),
        };
        let work = self.without_mode(work.into_iter().skip(done));
        Some(Start { asks_directory, back, work })
    }

    /// Returns whether the server is in the directory of work.
    pub(crate) fn is_that_of(&self, work: &[Step]) -> bool {
        self.changes == directory_changes(work)
    }

    fn way_back(&self, protocol: &'static Protocol) -> Option<Message> {
        let entry = self.entry.as_deref().filter(|entry| !entry.is_empty())?;
        let line = Line::new(protocol, "CWD ").option("the directory after the login", entry);
        line.ok().map(Line::end)
    }

    /// Leaves out a `TYPE` that is in effect, unless a command before it could change that.
    fn without_mode(&self, steps: impl Iterator<Item = Step>) -> Vec<Step> {
        let mut left: Vec<_> = steps.collect();
        let is_plain = |step: &Step| match step {
            Step::Exchange(one) if is_mode(&one.send) => false,
            Step::Exchange(one) => {
                is_change(&one.send) || one.cases.iter().all(|case| case.then.steps().is_empty())
            }
            _ => false,
        };
        let first = left.iter().position(|step| !is_plain(step));
        if let Some(first) = first
            && let Some(Step::Exchange(one)) = left.get(first)
            && self.mode.as_deref() == Some(&one.send.to_bytes())
        {
            left.remove(first);
        }
        left
    }
}

/// Returns the commands of work that change the directory, before anything else.
fn directory_changes(work: &[Step]) -> Vec<Vec<u8>> {
    let commands = work.iter().map_while(|step| match step {
        Step::Exchange(one) if is_change(&one.send) => Some(one.send.to_bytes()),
        _ => None,
    });
    commands.collect()
}

fn is_change(message: &Message) -> bool {
    begins_with(message, b"CWD ")
}

fn is_mode(message: &Message) -> bool {
    begins_with(message, b"TYPE ")
}

fn begins_with(message: &Message, command: &[u8]) -> bool {
    matches!(message.pieces(), [MessagePiece::Bytes(octets)] if octets.starts_with(command))
}

/// Returns the text in the quotes at the beginning of a reply, in which each quote is doubled (RFC 959,
/// appendix II).
fn quoted(text: &str) -> Option<String> {
    let mut rest = text.split_once('"')?.1;
    let mut name = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        name.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                name.push('"');
                rest = after;
            }
            None => return Some(name).filter(|name| !name.contains('\u{FFFD}')),
        }
    }
}

/// What a server says of a file or a directory. A fact that it does not state is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts<'l> {
    pub(crate) kind: Option<FactKind<'l>>,
    /// The number of octets in the present type.
    pub(crate) size: Option<u64>,
    /// The time of the last change, as the server writes it: `20260301120000`.
    pub(crate) modified: Option<&'l str>,
    /// What no other file of the server has.
    pub(crate) unique: Option<&'l [u8]>,
    /// The name, or a path that ends in it.
    pub(crate) name: &'l [u8],
}

/// The fact `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FactKind<'l> {
    File,
    Directory,
    /// The directory that is listed, or the one that contains it.
    Listed,
    /// A symbolic link, and what it leads to if the server says it.
    Symlink(Option<&'l [u8]>),
    Other,
}

impl<'l> Facts<'l> {
    /// Parses a line. "entry = [ facts ] SP pathname; facts = 1*( fact ";" ); fact = factname "=" value"
    /// (7.2): the first space ends the facts, and all after it is the name, which may have spaces.
    pub(crate) fn parse(line: &'l [u8]) -> Option<Self> {
        let space = line.iter().position(|&octet| octet == b' ')?;
        let (facts, name) = (line.get(..space)?, line.get(space + 1..)?);
        if name.is_empty() || !facts.is_empty() && !facts.ends_with(b";") {
            return None;
        }
        let mut parsed = Self { name, ..Self::default() };
        for fact in facts.split(|&octet| octet == b';').filter(|fact| !fact.is_empty()) {
            let equals = fact.iter().position(|&octet| octet == b'=')?;
            parsed.take(fact.get(..equals)?, fact.get(equals + 1..)?);
        }
        Some(parsed)
    }

    /// Parses the reply to `MLST`: "250-" and a message, lines that begin with a space and have an entry
    /// each, and "250" (7.2). Some servers leave the space out.
    pub(crate) fn of_reply(text: &'l [u8]) -> Option<Self> {
        let mut lines = text.split(|&octet| octet == b'\n').skip(1);
        let line = lines.find(|line| !line.is_empty())?;
        Self::parse(line.strip_prefix(b" ").filter(|line| line.contains(&b'=')).unwrap_or(line))
    }

    /// Takes a fact. "factname = "Size" / "Modify" / …" and the values of `type` are case-insensitive.
    fn take(&mut self, name: &[u8], value: &'l [u8]) {
        let text = || str::from_utf8(value).ok();
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        if is("type") {
            self.kind = Some(fact_kind(value));
        } else if is("size") {
            self.size = text().filter(|text| is_number(text)).and_then(|text| text.parse().ok());
        } else if is("modify") {
            self.modified = text().filter(|text| parse_ftp_time(text).is_some());
        } else if is("unique") {
            self.unique = Some(value).filter(|value| !value.is_empty());
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|octet| octet.is_ascii_digit())
}

/// `OS.unix=slink:` and a target is what most servers write for a symbolic link; some write
/// `OS.unix=symlink`.
fn fact_kind(value: &[u8]) -> FactKind<'_> {
    const LINKS: [&[u8]; 2] = [b"OS.unix=slink", b"OS.unix=symlink"];
    let starts = |known: &[u8]| {
        let (start, rest) = value.split_at_checked(known.len())?;
        start.eq_ignore_ascii_case(known).then_some(rest)
    };
    match value.to_ascii_lowercase().as_slice() {
        b"file" => FactKind::File,
        b"dir" => FactKind::Directory,
        b"cdir" | b"pdir" => FactKind::Listed,
        _ => match LINKS.into_iter().find_map(starts) {
            Some(rest) => FactKind::Symlink(rest.strip_prefix(b":").filter(|target| !target.is_empty())),
            None => FactKind::Other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 100;

    /// Parses a reply at once and octet by octet.
    fn reply(framing: ReplyFraming, text: &str) -> Option<(u16, String, usize)> {
        let mut parser = Parser::default();
        let in_pieces = (0..=text.len())
            .map(|end| parser.parse(framing, &text.as_bytes()[..end], LIMIT))
            .find(|parsed| *parsed != Parsed::Unfinished);
        let parsed = Parser::default().parse(framing, text.as_bytes(), LIMIT);
        assert_eq!(in_pieces.as_ref().unwrap_or(&Parsed::Unfinished), &parsed, "{text:?}");
        match parsed {
            Parsed::Reply(reply, length) => {
                Some((reply.code.unwrap(), String::from_utf8(reply.text).unwrap(), length))
            }
            Parsed::Wrong => None,
            other => panic!("{text:?} is {other:?}"),
        }
    }

    #[test]
    fn lines() {
        let of = |text| reply(ReplyFraming::Lines, text);
        assert_eq!(of("220 ready\r\n"), Some((220, "ready".into(), 11)));
        assert_eq!(of("220\r\n331 x\r\n"), Some((220, "".into(), 5)));
        assert_eq!(of("226 done\nmore"), Some((226, "done".into(), 9)));
        assert_eq!(of("230-a\r\n230- b\r\n c\r\n230 d\r\n"), Some((230, "a\n b\n c\nd".into(), 26)));
        assert_eq!(of("230-a\r\n331 x\r\n230\r\n"), Some((230, "a\n331 x\n".into(), 19)));
        for wrong in ["SSH-2.0-x\r\n", "2200 x\r\n", "220x\r\n", "020 x\r\n", "\r\n", "22\r\n", "720 x\r\n"] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
        assert_eq!(Parser::default().parse(ReplyFraming::Lines, b"<html>", LIMIT), Parsed::Wrong);
        assert_eq!(Parser::default().parse(ReplyFraming::None, b"220 x\r\n", LIMIT), Parsed::Wrong);
    }

    #[test]
    fn one_line() {
        assert_eq!(reply(ReplyFraming::Line, "211 3 1 3 a.b\r\n"), Some((211, "3 1 3 a.b".into(), 15)));
        assert_eq!(reply(ReplyFraming::Line, "211-3\r\n211 x\r\n"), Some((211, "3".into(), 7)));
    }

    #[test]
    fn a_head() {
        let text = "HTTP/1.1 200 OK\r\nVia: x\r\n\r\n";
        assert_eq!(reply(ReplyFraming::Head, text), Some((200, "OK".into(), text.len())));
        assert_eq!(reply(ReplyFraming::Head, "HTTP/1.0 502\r\n\r\n"), Some((502, "".into(), 16)));
        assert_eq!(reply(ReplyFraming::Head, "ICY 200 OK\r\n\r\n"), None);
    }

    #[test]
    fn a_reply_has_a_limit_in_any_cut() {
        for text in [format!("220 {}\r\n", "x".repeat(94)), format!("220-{}220 xxx\r\n", "y\r\n".repeat(29))]
        {
            for (limit, fits) in [(100, true), (99, false)] {
                let (mut parser, mut parsed) = (Parser::default(), Parsed::Unfinished);
                for end in 0..=text.len() {
                    parsed = parser.parse(ReplyFraming::Lines, &text.as_bytes()[..end], limit);
                    if parsed != Parsed::Unfinished {
                        break;
                    }
                }
                assert_eq!(matches!(parsed, Parsed::Reply(..)), fits, "{text:?}");
                let whole = Parser::default().parse(ReplyFraming::Lines, text.as_bytes(), limit);
                assert_eq!(parsed, whole, "{text:?}");
            }
        }
    }

    #[test]
    fn names_of_directories() {
        for (text, name) in [
            ("\"/home/joe\" is the current directory", Some("/home/joe")),
            ("\"/usr/dm/foo\"\"bar\" directory created", Some("/usr/dm/foo\"bar")),
            ("\"\"", Some("")),
            ("\"/\"", Some("/")),
            ("/home/joe is the current directory", None),
            ("\"/home", None),
            ("\"/home\"\"", None),
            ("\"/caf\u{FFFD}\"", None),
        ] {
            assert_eq!(quoted(text).as_deref(), name, "{text}");
        }
    }

    #[test]
    fn facts() {
        let facts =
            Facts::parse(b"Type=file;Size=12;Modify=20260301120000.5;UNIX.mode=0644;Unique=8U1; a b=c; d");
        let expected = Facts {
            kind: Some(FactKind::File),
            size: Some(12),
            modified: Some("20260301120000.5"),
            unique: Some(b"8U1"),
            name: b"a b=c; d",
        };
        assert_eq!(facts, Some(expected));
        let kind = |line: &'static str| Facts::parse(line.as_bytes()).unwrap().kind;
        assert_eq!(kind("type=DIR; x"), Some(FactKind::Directory));
        assert_eq!(kind("type=cdir; ."), Some(FactKind::Listed));
        assert_eq!(kind("type=OS.UNIX=slink:/a/b; x"), Some(FactKind::Symlink(Some(b"/a/b"))));
        assert_eq!(kind("type=OS.unix=slink:; x"), Some(FactKind::Symlink(None)));
        assert_eq!(kind("type=OS.unix=symlink; x"), Some(FactKind::Symlink(None)));
        assert_eq!(kind("type=OS.unix=chr-13/29; x"), Some(FactKind::Other));
        assert_eq!(kind(" x"), None);
        assert_eq!(
            Facts::parse(b"size=-1;modify=2026; x").unwrap(),
            Facts { name: b"x", ..Facts::default() }
        );
        for wrong in ["", "x", "type=file;", "type=file; ", "type=file x", "drwxr-xr-x 2 a b 1 x"] {
            assert_eq!(Facts::parse(wrong.as_bytes()), None, "{wrong:?}");
        }
    }

    #[test]
    fn replies() {
        for text in ["Listing a\n type=dir; /pub/a\nEnd", "Begin\ntype=dir; /pub/a\nEnd."] {
            let facts = Facts::of_reply(text.as_bytes()).unwrap();
            assert_eq!((facts.kind, facts.name), (Some(FactKind::Directory), &b"/pub/a"[..]));
        }
        assert_eq!(Facts::of_reply(b"done"), None);
    }
}
