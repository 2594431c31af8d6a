//! The user: answers prompts at the terminal, uses interactive programs, and has the messages in which
//! mid and cid URLs are looked up: in a file, an mbox or a single message. An article of a news URL that such a
//! file has is not asked of a server ("news" of the draft of 1994).
//!
//! The mail program of the user takes the draft of a mailto URL: a mailto URL of its own as its last argument,
//! which contains only what the draft does, so that nothing of the given URL is read in another way than it was
//! here. Follows RFC 6068, section 2.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write as _};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use locator::UriRef;
use locator::plan::{Draft, Local, LookUp, Plan, Prompt, Session, Step};
use locator::scheme::{News, NewsUrl};
use locator_fetch::run::FailureKind;
use locator_fetch::{Handler, MailMessage, Prompter, draft_text};
use locator_find::{MessagePart, message_part};

use crate::arguments::netrc::Login;
use crate::exit::say;
use crate::input::whole;
use crate::output::progress;
use crate::report::failure::Failure;
use crate::run::interrupt;
#[cfg(unix)]
use crate::terminal::mode;
use crate::terminal::visible::legible;
use crate::terminal::{secrets, visible};

/// The user of the command.
pub(super) struct User {
    messages: Vec<OsString>,
    /// The messages that were found when they were planned, until they are fetched.
    kept: Mutex<Vec<(LookUp, MessagePart)>>,
    /// The mail program for drafts, if they are not printed.
    mailer: Option<Mailer>,
    /// Whether the given URL may start a program. A URL from a server may not.
    may_start: AtomicBool,
}

impl User {
    pub(super) const fn new(messages: Vec<OsString>, mailer: Option<Mailer>) -> Self {
        Self { messages, kept: Mutex::new(Vec::new()), mailer, may_start: AtomicBool::new(false) }
    }

    /// Decides whether the next URL may start a program.
    pub(super) fn allow_programs(&self, allowed: bool) {
        self.may_start.store(allowed, Ordering::Relaxed);
    }

    /// Looks a message up, and keeps it until it is fetched; returns whether there is one. A file may be
    /// a pipe, which is read once.
    pub(super) fn keep(&self, what: &LookUp) -> Result<bool, FailureKind> {
        let found = self.find(what)?;
        let is_found = found.is_some();
        self.kept().extend(found.map(|found| (what.clone(), found)));
        Ok(is_found)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(LookUp, MessagePart)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a message that is kept.
    fn take(&self, what: &LookUp) -> Option<MessagePart> {
        let mut kept = self.kept();
        let at = kept.iter().position(|(of, _)| of == what)?;
        Some(kept.swap_remove(at).1)
    }

    fn find(&self, what: &LookUp) -> Result<Option<MessagePart>, FailureKind> {
        for path in &self.messages {
            if let Some(found) = find_message(path, what)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Checks that a program may be started now.
    fn check_start(&self) -> Result<(), FailureKind> {
        if !self.may_start.load(Ordering::Relaxed) {
            let why = "only a URL of the user starts a program, and not with -Z";
            return Err(FailureKind::Forbidden(why.into()));
        }
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(FailureKind::NoAnswer("a terminal"));
        }
        Ok(())
    }
}

impl Prompter for User {
    fn answer(&self, prompt: &Prompt, form: &[u8]) -> Option<Vec<u8>> {
        if !form.is_empty() {
            let form = String::from_utf8_lossy(form);
            let _ = progress::aside(|| {
                form.lines().try_for_each(|line| writeln!(io::stderr(), "{}", legible(line)))
            });
        }
        let question = format!("{}: ", legible(&prompt.to_string()));
        progress::aside(|| match prompt {
            _ if prompt.is_secret() => ask_secret(&question),
            // The usual password of anonymous FTP without an address.
            Prompt::Email => Some(b"anonymous@".to_vec()),
            Prompt::Form => ask_lines(&question),
            _ => ask_for_line(&question),
        })
    }
}

/// Asks for a line that is not shown; `None` without a terminal.
fn ask_secret(question: &str) -> Option<Vec<u8>> {
    let ask = || rpassword::prompt_password(question);
    #[cfg(unix)]
    let answer = mode::keep(ask);
    #[cfg(not(unix))]
    let answer = ask();
    if answer.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {
        // The key for an interruption: the handler of the signal ends the run.
        thread::sleep(Duration::from_secs(1));
    }
    answer.ok().map(String::into_bytes)
}

/// Asks for a line on the terminal; `None` without one.
fn ask_for_line(question: &str) -> Option<Vec<u8>> {
    let mut line = String::new();
    terminal(question)?.read_line(&mut line).ok().filter(|count| *count > 0)?;
    Some(line.trim_end_matches(['\r', '\n']).as_bytes().to_vec())
}

/// Asks for lines, up to an empty one.
fn ask_lines(question: &str) -> Option<Vec<u8>> {
    let mut lines = Vec::new();
    for line in terminal(question)?.lines() {
        let line = line.ok()?;
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    Some(lines.join("\r\n").into_bytes())
}

/// Writes a question to the terminal, and returns what is typed there. Standard input may contain the
/// URLs.
fn terminal(question: &str) -> Option<Box<dyn BufRead>> {
    let typed: Box<dyn BufRead> = match io::stdin().is_terminal() {
        true => Box::new(BufReader::new(io::stdin())),
        false => Box::new(BufReader::new(File::open("/dev/tty").ok()?)),
    };
    let mut errors = io::stderr();
    write!(errors, "{question}").and_then(|()| errors.flush()).ok()?;
    Some(typed)
}

/// A user with a login for a server that is not in the URL.
pub(super) struct WithLogin {
    pub(super) user: Arc<User>,
    pub(super) login: Login,
}

impl Prompter for WithLogin {
    fn answer(&self, prompt: &Prompt, form: &[u8]) -> Option<Vec<u8>> {
        let Login { user, password } = &self.login;
        match (prompt, password) {
            (Prompt::User, _) => Some(user.clone().into_bytes()),
            // The user was the answer to the prompt before.
            (Prompt::Password { user }, Some(password)) if user.is_empty() => {
                Some(password.clone().into_bytes())
            }
            _ => self.user.answer(prompt, form),
        }
    }
}

impl Handler for User {
    fn look_up(&self, what: &LookUp) -> Result<Option<MailMessage>, FailureKind> {
        if self.messages.is_empty() {
            return Err(FailureKind::NoAnswer("a file with messages (--messages FILE)"));
        }
        let found = match self.take(what) {
            None => self.find(what)?,
            kept => kept,
        };
        Ok(found.map(|MessagePart { media_type, octets }| {
            let mut message = MailMessage::new(octets);
            message.media_type = media_type;
            message
        }))
    }

    fn start(&self, session: &Session) -> Result<(), FailureKind> {
        self.check_start()?;
        if let Some(login) = suggested(session) {
            say(&login);
        }
        run(&session.words)
    }

    fn draft(&self, draft: &Draft) -> Result<Vec<u8>, FailureKind> {
        let Some(mailer) = &self.mailer else { return Ok(draft_text(draft)) };
        self.check_start()?;
        run(&mailer.command(draft)?)?;
        Ok(Vec::new())
    }
}

/// Returns the suggested user and password, which only the user of the session can type.
///
/// "clients accessing a telnet URL merely advise the user of the suggested username and password" (RFC
/// 1738, 3.8). A password is shown once, and only at a terminal: a file of messages would keep it.
fn suggested(session: &Session) -> Option<String> {
    let octets = |octets: &[u8]| visible(&String::from_utf8_lossy(octets)).to_string();
    let is_shown = secrets::are_shown() || io::stderr().is_terminal();
    let password = session.password.as_ref().filter(|password| !password.reveal().is_empty());
    let password = password.map(|password| match is_shown {
        true => format!("the password {}", octets(password.reveal())),
        false => format!("the password {password}"),
    });
    let user = session.user.as_ref().filter(|user| !user.is_empty());
    let user = user.map(|user| format!("the user {}", octets(user)));
    let login = [user, password].into_iter().flatten().collect::<Vec<_>>().join(" and ");
    (!login.is_empty()).then(|| format!("the URL suggests {login}"))
}

/// Runs a program to its end, without a shell.
fn run(words: &[String]) -> Result<(), FailureKind> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(FailureKind::NotSupported("a session without a program"));
    };
    interrupt::hold(true);
    let status = Command::new(program).args(arguments).status();
    interrupt::hold(false);
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(FailureKind::File(format!("{} ended with {status}", visible(program)).into())),
        Err(error) => Err(FailureKind::File(format!("{}: {error}", visible(program)).into())),
    }
}

/// The program that mail is written with.
#[derive(Debug)]
pub(super) struct Mailer {
    /// The program and its first arguments, if the user chose them.
    words: Option<Vec<String>>,
}

/// The program that starts the one of the desktop.
const USUAL: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-email" };

impl Mailer {
    pub(super) const fn new(words: Option<Vec<String>>) -> Self {
        Self { words }
    }

    /// Returns the words of the command for a draft.
    pub(super) fn command(&self, draft: &Draft) -> Result<Vec<String>, FailureKind> {
        if self.words.is_none() && has_quote(draft) {
            // For some programs xdg-email writes to='…',body='…' without escapes: a "'" in a value could
            // attach a file.
            let why = format!(
                "the draft contains a \"'\", which {USUAL} may pass on as the end of a value; choose a mail \
                 program with --program mailto=COMMAND"
            );
            return Err(FailureKind::Forbidden(why.as_str().into()));
        }
        let mut words = self.words.clone().unwrap_or_else(|| vec![USUAL.into()]);
        words.push(draft.to_url());
        Ok(words)
    }
}

fn has_quote(draft: &Draft) -> bool {
    let values = draft.fields.iter().map(|(_, value)| value);
    draft.to.iter().chain(values).chain([&draft.body]).any(|value| value.contains(&b'\''))
}

/// Returns what a URL identifies.
fn find_message(path: &OsStr, what: &LookUp) -> Result<Option<MessagePart>, FailureKind> {
    let fault = |error| FailureKind::File(format!("{}: {error}", visible(&path.to_string_lossy())).into());
    let octets = File::open(path).and_then(whole).map_err(fault)?;
    Ok(find_in(&octets, what))
}

fn find_in(octets: &[u8], what: &LookUp) -> Option<MessagePart> {
    let (message, part) = (what.message_id.as_deref(), what.content_id.as_deref());
    messages(octets).find_map(|octets| message_part(octets, message, part))
}

/// Returns the messages of an mbox, without the lines "From " (RFC 4155); of another file, all of it.
fn messages(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(octets).filter(|octets| !octets.is_empty());
    std::iter::from_fn(move || {
        let now = rest?;
        let message = match now.strip_prefix(b"From ") {
            Some(line) => line.splitn(2, |&octet| octet == b'\n').nth(1).unwrap_or_default(),
            None => now,
        };
        // A line "From " after an empty one begins the next message.
        let next = [&b"\n\nFrom "[..], b"\n\r\nFrom "].into_iter().filter_map(|delimiter| {
            let found = memchr::memmem::find(message, delimiter)?;
            Some((found + 1, found + delimiter.len() - 5))
        });
        let next = next.min().filter(|_| now.starts_with(b"From "));
        rest = next.map(|(_, start)| &message[start..]);
        Some(next.map_or(message, |(end, _)| &message[..end]))
    })
}

/// Returns the plan of an article that a file has; then nothing is sent.
///
/// "A news URL may be dereferenced using NNTP (RFC977, Kantor 86) (The ARTICLE by message-id command )
/// or using any other protocol for the conveyance of usenet news articles, or by reference to a body of
/// news articles already received." (draft of 1994)
pub(super) fn look_up(user: &User, url: UriRef<'_>) -> Result<Option<Plan>, Failure> {
    let Ok(NewsUrl { news: News::Article(id), .. }) = NewsUrl::of(url) else { return Ok(None) };
    let what = LookUp { message_id: Some(id.decode().into_owned()), content_id: None };
    let has_it = user.keep(&what).map_err(|why| Failure::other("file", why.to_string()))?;
    Ok(has_it.then(|| Plan::new().then(Local::LookUp(what))))
}

/// Returns whether a plan only looks something up.
pub(super) fn is_look_up(plan: &Plan) -> bool {
    plan.steps().all(|step| matches!(step, Step::Local(Local::LookUp(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_id(octets: &[u8], id: &[u8]) -> bool {
        let what = LookUp { message_id: Some(id.into()), content_id: None };
        find_in(octets, &what).is_some_and(|part| part.octets == octets)
    }

    #[test]
    fn messages_of_an_mbox() {
        let mbox = b"From a Mon\nMessage-ID: <1@h>\n\nFrom here\n>From b\n\nFrom b Tue\nX: y\nmessage-id:\n <2@h>\n\nlast\n";
        let found: Vec<_> = messages(mbox).collect();
        // "From here" after an empty line begins a message: writers escape it with ">".
        assert_eq!(found.len(), 3);
        assert!(has_id(found[0], b"1@h") && has_id(found[2], b"2@h"));
        assert_eq!(found[2], b"X: y\nmessage-id:\n <2@h>\n\nlast\n");
        let single = b"Message-Id: <1@h>\r\n\r\n\r\nFrom here\r\n";
        assert_eq!(messages(single).collect::<Vec<_>>(), [single]);
        assert!(!has_id(b"A: b\n\nMessage-ID: <1@h>\n", b"1@h"));
        assert!(messages(b"").next().is_none());
    }
}
