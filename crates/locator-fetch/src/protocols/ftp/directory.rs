//! The directory of an FTP connection that is used again: takes the commands that the server accepted,
//! returns those that lead from there to the next file (RFC 959, 4.1.1; RFC 1738, 3.2.2).

use locator::plan::{Line, Message, MessagePiece, Protocol, Step};

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
        let wanted = changes(&work);
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
        self.changes == changes(work)
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
fn changes(work: &[Step]) -> Vec<Vec<u8>> {
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

#[cfg(test)]
mod tests {
    use super::quoted;

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
}
