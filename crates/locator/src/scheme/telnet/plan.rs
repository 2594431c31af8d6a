//! The plan of a URL of an interactive session: takes a URL, returns the program to start. Follows
//! RFC 1738, section 3.8: "the `<user>` and `<password>` supplied are advisory only".

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Interactive, SessionUrl};
use crate::form::ValueError;
use crate::plan::{Local, Options, Plan, PlanError, Protocol, ReplyFraming, Secret, Session, Transport};
use crate::scheme::Scheme;
use crate::scheme::syntax::login::Login;
use crate::simd::AsciiSet;

impl SessionUrl<'_> {
    /// Starts the configured program, or the default one.
    pub(super) fn plan(&self, scheme: &Interactive, options: &Options<'_>) -> Result<Plan, PlanError> {
        let client = Client { port: scheme.port, program: scheme.program, protocol: &TERMINAL };
        let session = session(&self.login, scheme, client, options)?;
        Ok(Plan::new().then(Local::Start(session)))
    }
}

/// The client of a scheme whose sessions are interactive.
#[derive(Clone, Copy)]
pub(in crate::scheme) struct Client<'w> {
    /// The default port.
    pub(in crate::scheme) port: u16,
    /// The words of the default program.
    pub(in crate::scheme) program: &'w [&'w str],
    pub(in crate::scheme) protocol: &'static Protocol,
}

/// Returns the program for a session with a server: the configured one, or the default one. No part of
/// the URL becomes one of its options, and no shell is used.
pub(in crate::scheme) fn session(
    login: &Login<'_>,
    scheme: &dyn Scheme,
    client: Client<'_>,
    options: &Options<'_>,
) -> Result<Session, PlanError> {
    let Client { port, program, protocol } = client;
    let to = login.connection(port, Transport::Tcp, protocol)?;
    if to.host.starts_with('-') {
        return Err(PlanError::LooksLikeOption { span: login.host.place() });
    }
    // The configured program may itself be started by a shell.
    if !to.host.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-._:".contains(&octet)) {
        return Err(PlanError::Value(ValueError::HostName { span: login.host.place() }));
    }
    let chosen = options.programs.iter().find(|program| scheme.is_named(program.scheme));
    let words = chosen.map_or(program, |program| program.words);
    let port = to.port.to_string();
    let user = user_word(login);
    let user = user.as_deref();
    let filled = |word: &&str| {
        // An IPv6 address needs brackets if the argument contains other text.
        let is_alone = *word == "{host}" || !to.host.contains(':');
        let host = if is_alone { to.host.clone() } else { format!("[{}]", to.host) };
        word.replace("{host}", &host).replace("{port}", &port).replace("{user}", user.unwrap_or_default())
    };
    let words: Vec<String> = with_user(words, user.is_some()).map(filled).collect();
    let advice =
        |place, excerpt: Option<_>| excerpt.map(|excerpt| protocol.bytes_of(place, excerpt)).transpose();
    let user = advice("the user", login.user)?;
    let password = advice("the password", login.password)?.map(Secret::new);
    Ok(Session { words, user, password })
}

/// Returns the user as an argument of a program.
fn user_word(login: &Login<'_>) -> Option<String> {
    let user = login.user.filter(|user| !user.is_empty())?;
    let octets = user.decode();
    let is_plain = octets.iter().all(|&octet| octet.is_ascii_alphanumeric() || b"-._+@".contains(&octet));
    // Other users are advised only: they might be an option, and the configured program may itself be
    // started by a shell.
    let is_word = is_plain && octets.first() != Some(&b'-');
    str::from_utf8(&octets).ok().filter(|_| is_word).map(String::from)
}

/// Returns the words of a program; without a user, not the one that contains `{user}`, nor the option
/// before it.
fn with_user<'w>(words: &'w [&'w str], has_user: bool) -> impl Iterator<Item = &'w &'w str> {
    let names_user = |word: Option<&&str>| word.is_some_and(|word| word.contains("{user}"));
    words.iter().enumerate().filter_map(move |(i, word)| {
        let is_option = word.starts_with('-') && names_user(words.get(i + 1));
        (has_user || !is_option && !names_user(Some(word))).then_some(word)
    })
}

/// Suggested values may be typed or pasted by the user.
static TERMINAL: Protocol = Protocol {
    name: "the session",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 1738, 6",
    replies: ReplyFraming::None,
    meanings: &[],
};
