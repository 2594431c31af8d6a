//! The user: answers prompts at the terminal, uses interactive programs, and has the messages in which
//! mid and cid URLs are looked up.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write as _};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use locator::plan::{Draft, LookUp, Prompt, Session};
use locator_fetch::run::FailureKind;
use locator_fetch::{Handler, MailMessage, Prompter, draft_text};
use locator_find::MessagePart;

use super::mailer::Mailer;
use super::messages;
use crate::arguments::netrc::Login;
use crate::exit::say;
use crate::output::progress;
use crate::run::interrupt;
#[cfg(unix)]
use crate::terminal::mode;
use crate::terminal::visible::legible;
use crate::terminal::{secrets, visible};

/// The user of the command.
pub(super) struct Person {
    messages: Vec<OsString>,
    /// The messages that were found when they were planned, until they are fetched.
    kept: Mutex<Vec<(LookUp, MessagePart)>>,
    /// The mail program for drafts, if they are not printed.
    mailer: Option<Mailer>,
    /// Whether the given URL may start a program. A URL from a server may not.
    may_start: AtomicBool,
}

impl Person {
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
            if let Some(found) = messages::find(path, what)? {
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

impl Prompter for Person {
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
            _ => ask(&question),
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
fn ask(question: &str) -> Option<Vec<u8>> {
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
    pub(super) person: Arc<Person>,
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
            _ => self.person.answer(prompt, form),
        }
    }
}

impl Handler for Person {
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
