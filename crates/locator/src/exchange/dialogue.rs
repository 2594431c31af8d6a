//! Displays a plan as a dialogue: `C:` marks what the client sends, `S:` what the server must
//! reply. Octets that are not printable ASCII are shown by their names or codes.

use core::fmt::{self, Display, Formatter, Write as _};

use super::{Action, Draft, Framing, LookUp, Message, MessagePiece, Plan, Prompt, Reply, Session, Step};

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut condition = None;
        for step in &self.steps {
            // Steps after the same reply are grouped.
            if step.only_after != condition
                && let Some(reply) = step.only_after
            {
                writeln!(f, "  after {reply}:")?;
            }
            condition = step.only_after;
            if condition.is_some() {
                f.write_str("  ")?;
            }
            step.fmt(f)?;
        }
        Ok(())
    }
}

/// Writes the action on lines of its own, after the reply that it depends on.
impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.action {
            Action::Connect(to) => {
                write!(
                    f,
                    "connect to {}, port {} ({})",
                    Shown(to.host.as_bytes()),
                    to.port,
                    to.transport.name()
                )?;
            }
            Action::Secure { host } => {
                write!(f, "secure the connection by TLS for {}", Shown(host.as_bytes()))?;
            }
            Action::Send(message) => return write_message(f, message),
            Action::Expect(replies) => write_replies(f, replies)?,
            Action::Ask(question) => write!(f, "ask for {question}")?,
            Action::OpenData => f.write_str("open a data connection (EPSV, else PASV)")?,
            Action::Receive(object) => write!(f, "read {} {}", object.what, object.end)?,
            Action::Read { file } => write!(f, "read the file {}", Shown(file))?,
            Action::InlineData { media_type, data } => {
                write!(f, "take {} octets of {} from the URL", data.len(), Shown(media_type.as_bytes()))?;
            }
            Action::LookUp(look_up) => write!(f, "{look_up}")?,
            Action::Draft(draft) => return draft.fmt(f),
            Action::Start(session) => return session.fmt(f),
            Action::Redirect { url } => write!(f, "go on with {}", Shown(url.as_bytes()))?,
            Action::RedirectWithInput { access } => write!(f, "go on with the URL that {access} gives")?,
            Action::Repeat { steps, until } => {
                write!(f, "take the next {steps} steps again and again until {until}")?;
            }
            Action::Remark(remark) => write!(f, "({})", Shown(remark.as_bytes()))?,
        }
        f.write_char('\n')
    }
}

fn write_replies(f: &mut Formatter<'_>, replies: &[Reply]) -> fmt::Result {
    f.write_str("  S: ")?;
    for (i, reply) in replies.iter().enumerate() {
        let or = if i == 0 { "" } else { ", or " };
        write!(f, "{or}{}", reply.code)?;
        if !reply.means.is_empty() {
            write!(f, " ({})", reply.means)?;
        }
    }
    Ok(())
}

/// Writes a line of the dialogue for each line that is sent, and one for a packet.
fn write_message(f: &mut Formatter<'_>, message: &Message) -> fmt::Result {
    let mut at_start = true;
    for piece in message.pieces() {
        let octets = match piece {
            MessagePiece::Bytes(octets) => octets,
            MessagePiece::Answer(question) => {
                let begin = if at_start { "  C: " } else { "" };
                write!(f, "{begin}({question})")?;
                at_start = false;
                continue;
            }
        };
        for line in octets.split_inclusive(|&octet| octet == b'\n' && !message.is_packet()) {
            let ended = line.strip_suffix(b"\r\n").or(line.strip_suffix(b"\n"));
            let ended = ended.filter(|_| !message.is_packet());
            let begin = if at_start { "  C: " } else { "" };
            write!(f, "{begin}{}", Shown(ended.unwrap_or(line)))?;
            at_start = ended.is_some();
            if at_start {
                f.write_char('\n')?;
            }
        }
    }
    if at_start { Ok(()) } else { f.write_char('\n') }
}

impl Display for Prompt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Password { user } if user.is_empty() => f.write_str("the password of the user \"\""),
            Self::Password { user } => write!(f, "the password of {}", Shown(user)),
            Self::Account => f.write_str("the account"),
            Self::Email => f.write_str("your e-mail address"),
            Self::Form => f.write_str("the fields of the form, a line each"),
            Self::Nonce => f.write_str("16 random octets in base64"),
            Self::SliceStart => f.write_str("where the slice begins, in 10 digits"),
            Self::SliceEnd => f.write_str("where the slice ends, in 10 digits"),
        }
    }
}

impl Display for Framing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connection => "until the end of the connection",
            Self::DataConnection => "until the end of the data connection",
            Self::Dot => "until a line \".\"",
            Self::DotOrConnection => "until a line \".\" or the end of the connection",
            Self::GopherPlus => "as long as its first line says",
            Self::Http => "as HTTP frames it",
            Self::Answer => "in one answer",
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
        for (what, advice) in [("user", &self.user), ("password", &self.password)] {
            if let Some(octets) = advice {
                writeln!(f, "  advise the {what} {}", Shown(octets))?;
            }
        }
        Ok(())
    }
}

/// Octets for display: printable ASCII unchanged, the rest by name or code.
struct Shown<'a>(&'a [u8]);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&octet| match octet {
            b' '..=b'~' => f.write_char(char::from(octet)),
            0 => f.write_str("<NUL>"),
            b'\t' => f.write_str("<TAB>"),
            b'\r' => f.write_str("<CR>"),
            b'\n' => f.write_str("<LF>"),
            _ => write!(f, "<{octet:02X}>"),
        })
    }
}
