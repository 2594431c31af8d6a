//! Passwords that were given by a form: kept in memory, by scheme, host, port and user. And what answers the
//! prompts of a fetch.
//!
//! [`Logins`] has the [`Secrets`] of the user, [`Answers`] gives them to a fetch and notes the prompt that has no
//! answer, for which the gateway shows a form. Fetches with the same answers share connections
//! ([`SharedAnswers`]).
//!
//! ```text
//! let answers = shared.of(url, Some(&logins));
//! if let Some(Unanswered { prompt, form }) = answers.unanswered("password") { /* show the form of a login */ }
//! ```

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use locator::UriRef;
use locator::plan::Prompt;
use locator::scheme::{FtpUrl, NewsUrl, NntpUrl};
use locator_fetch::Prompter;

/// Where a password is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LoginScope {
    scheme: String,
    host: String,
    port: Option<u16>,
    user: Vec<u8>,
}

impl LoginScope {
    /// Returns the scope of a URL with a host and this user.
    fn of(url: UriRef<'_>, user: Vec<u8>) -> Option<Self> {
        let scheme = url.scheme()?.as_str().to_ascii_lowercase();
        let authority = url.authority()?;
        let port = authority.port().and_then(|port| port.as_str().parse().ok());
        let port = port.or_else(|| locator::scheme::default_port(&scheme));
        Some(Self { host: authority.host().as_str().to_ascii_lowercase(), port, scheme, user })
    }
}

/// A password, and the account that some servers ask for.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Secrets {
    pub(super) password: Vec<u8>,
    pub(super) account: Option<Vec<u8>>,
}

/// The passwords.
#[derive(Default)]
pub(super) struct Logins(Mutex<HashMap<LoginScope, Secrets>>);

impl Logins {
    /// The most passwords that are kept.
    const MOST: usize = 1000;

    /// Keeps a password for the user of a URL.
    pub(super) fn keep(&self, url: UriRef<'_>, user: &[u8], secrets: Secrets) {
        let mut all = self.all();
        if all.len() >= Self::MOST {
            all.clear();
        }
        if let Some(scope) = LoginScope::of(url, user.to_vec()) {
            all.insert(scope, secrets);
        }
    }

    /// Forgets the password for the user of a URL, because it is wrong.
    pub(super) fn forget(&self, url: UriRef<'_>, user: &[u8]) {
        if let Some(scope) = LoginScope::of(url, user.to_vec()) {
            self.all().remove(&scope);
        }
    }

    fn get(&self, scope: &LoginScope) -> Option<Secrets> {
        self.all().get(scope).cloned()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<LoginScope, Secrets>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the user of a URL; an empty one if it has none.
pub(super) fn user(url: UriRef<'_>) -> Vec<u8> {
    let userinfo = url.authority().and_then(|authority| authority.userinfo());
    userinfo.map(|userinfo| userinfo.user().decode().into_owned()).unwrap_or_default()
}

/// A prompt without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unanswered {
    pub(super) prompt: Prompt,
    /// What describes it: the form of Gopher+.
    pub(super) form: Vec<u8>,
}

/// Answers the prompts of a fetch by what is known, and notes what is not.
pub(super) struct Answers {
    user: Vec<u8>,
    secrets: Option<Secrets>,
    /// The last prompt without an answer.
    unanswered: Mutex<Option<Unanswered>>,
}

impl Answers {
    const fn new(user: Vec<u8>, secrets: Option<Secrets>) -> Self {
        Self { user, secrets, unanswered: Mutex::new(None) }
    }

    /// Returns the prompt of this name that was not answered.
    pub(super) fn unanswered(&self, name: &str) -> Option<Unanswered> {
        let unanswered = self.unanswered.lock().unwrap_or_else(PoisonError::into_inner);
        unanswered.clone().filter(|unanswered| unanswered.prompt.name() == name)
    }
}

impl Prompter for Answers {
    fn answer(&self, prompt: &Prompt, form: &[u8]) -> Option<Vec<u8>> {
        let answer = match prompt {
            Prompt::Password { user } if user.is_empty() || *user == self.user => {
                self.secrets.as_ref().map(|secrets| secrets.password.clone())
            }
            Prompt::Account => self.secrets.as_ref().and_then(|secrets| secrets.account.clone()),
            Prompt::Email => Some(b"anonymous@".to_vec()),
            _ => None,
        };
        if answer.is_none() {
            let mut unanswered = self.unanswered.lock().unwrap_or_else(PoisonError::into_inner);
            *unanswered = Some(Unanswered { prompt: prompt.clone(), form: form.to_vec() });
        }
        answer
    }
}

/// The answers of requests that may use the connection of each other: those for one user of one server, with
/// one password. A connection is used again only by a request with the same answers.
#[derive(Default)]
pub(super) struct SharedAnswers(Mutex<HashMap<LoginScope, Arc<Answers>>>);

impl SharedAnswers {
    /// The most answers that are kept.
    const MOST: usize = 1000;

    /// Returns the answers for a URL. A form is described by its own server, so only protocols without forms
    /// share answers.
    pub(super) fn of(&self, url: UriRef<'_>, logins: Option<&Logins>) -> Arc<Answers> {
        let user = user(url);
        let has_sessions = FtpUrl::of(url).is_ok() || NewsUrl::of(url).is_ok() || NntpUrl::of(url).is_ok();
        let scope = LoginScope::of(url, user.clone());
        let secrets = scope.as_ref().and_then(|scope| logins?.get(scope));
        let Some(mut scope) = scope.filter(|_| has_sessions) else {
            return Answers::new(user, secrets).into();
        };
        // The articles of a news URL have nntp URLs.
        if scope.scheme == "news" {
            scope.scheme = "nntp".into();
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(&scope).filter(|known| known.secrets == secrets) {
            return known.clone();
        }
        if all.len() >= Self::MOST {
            all.clear();
        }
        let answers = Arc::new(Answers::new(user, secrets));
        all.insert(scope, answers.clone());
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_for_one_place() {
        let logins = Logins::default();
        let uri = |url| UriRef::parse(url).unwrap();
        logins.keep(
            uri("ftp://joe@H.example/a"),
            b"joe",
            Secrets { password: b"s3cret".into(), account: None },
        );
        let answer = |url, user: &str| {
            let answers = SharedAnswers::default().of(uri(url), Some(&logins));
            answers.answer(&Prompt::Password { user: user.into() }, b"")
        };
        for url in ["ftp://joe@h.example/", "FTP://joe@h.EXAMPLE:21/x"] {
            assert_eq!(answer(url, "joe").as_deref(), Some(&b"s3cret"[..]), "{url}");
        }
        for (url, user) in [
            ("ftp://ann@h.example/", "ann"),
            ("ftp://joe@h.example:2121/", "joe"),
            ("ftps://joe@h.example/", "joe"),
            ("ftp://joe@other.example/", "joe"),
            ("news:a@b", "joe"),
        ] {
            assert_eq!(answer(url, user), None, "{url}");
        }
        logins.forget(uri("ftp://joe@h.example/"), b"joe");
        assert_eq!(answer("ftp://joe@h.example/", "joe"), None);
    }

    #[test]
    fn what_is_not_known_is_noted() {
        let answers = SharedAnswers::default().of(UriRef::parse("gopher://h/").unwrap(), None);
        assert_eq!(answers.answer(&Prompt::Email, b"").as_deref(), Some(&b"anonymous@"[..]));
        assert_eq!(answers.answer(&Prompt::Search, b""), None);
        assert_eq!(answers.answer(&Prompt::Form, b"Ask: x"), None);
        assert_eq!(
            answers.unanswered("form"),
            Some(Unanswered { prompt: Prompt::Form, form: b"Ask: x".into() })
        );
        assert_eq!(answers.unanswered("password"), None);
    }

    /// Connections are used again by requests with the same answers.
    #[test]
    fn one_login_is_shared() {
        let (shared, logins) = (SharedAnswers::default(), Logins::default());
        let of = |url| shared.of(UriRef::parse(url).unwrap(), Some(&logins));
        let is_shared = |one, other| Arc::ptr_eq(&of(one), &of(other));
        assert!(is_shared("ftp://h/a", "ftp://H:21/b/"));
        assert!(is_shared("nntp://h/a/1", "news://h/b"));
        for other in ["ftp://joe@h/a", "ftp://h:2121/a", "ftps://h/a", "ftp://other/a"] {
            assert!(!is_shared("ftp://h/a", other), "{other}");
        }
        // Each form is described by its own server, and a group without a server is on the usual one.
        assert!(!is_shared("gopher://h/00/a%09%09?", "gopher://h/00/a%09%09?"));
        assert!(!is_shared("news:a.b", "news:a.b"));
        // A new password is a new login.
        let url = UriRef::parse("ftp://joe@h/").unwrap();
        let mut before = of("ftp://joe@h/");
        for password in [&b"one"[..], b"two"] {
            logins.keep(url, b"joe", Secrets { password: password.into(), account: None });
            let after = of("ftp://joe@h/");
            assert!(!Arc::ptr_eq(&before, &after) && is_shared("ftp://joe@h/", "ftp://joe@h/a"));
            before = after;
        }
    }
}
