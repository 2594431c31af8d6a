//! Passwords that were given by a form: kept in memory, by scheme, host, port and user. And what answers the
//! prompts of a fetch.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use locator::UriRef;
use locator::plan::Prompt;
use locator_fetch::Prompter;

/// Where a password is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    scheme: String,
    host: String,
    port: Option<u16>,
    user: Vec<u8>,
}

impl Place {
    /// Returns the place of a URL with a host and this user.
    fn of(url: UriRef<'_>, user: Vec<u8>) -> Option<Self> {
        let scheme = url.scheme()?.as_str().to_ascii_lowercase();
        let authority = url.authority()?;
        let port = authority.port().and_then(|port| port.as_str().parse().ok());
        let port = port.or_else(|| locator::scheme::default_port(&scheme));
        Some(Self { host: authority.host().as_str().to_ascii_lowercase(), port, scheme, user })
    }
}

/// A password, and the account that some servers ask for.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    pub(super) password: Vec<u8>,
    pub(super) account: Option<Vec<u8>>,
}

/// The passwords.
#[derive(Default)]
pub(super) struct Logins(Mutex<HashMap<Place, Secrets>>);

impl Logins {
    /// The most passwords that are kept.
    const MOST: usize = 1000;

    /// Keeps a password for the user of a URL.
    pub(super) fn keep(&self, url: UriRef<'_>, user: &[u8], secrets: Secrets) {
        let mut all = self.all();
        if all.len() >= Self::MOST {
            all.clear();
        }
        if let Some(place) = Place::of(url, user.to_vec()) {
            all.insert(place, secrets);
        }
    }

    /// Forgets the password for the user of a URL, because it is wrong.
    pub(super) fn forget(&self, url: UriRef<'_>, user: &[u8]) {
        if let Some(place) = Place::of(url, user.to_vec()) {
            self.all().remove(&place);
        }
    }

    fn get(&self, place: &Place) -> Option<Secrets> {
        self.all().get(place).cloned()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Place, Secrets>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the user of a URL; an empty one if it has none.
pub(super) fn user(url: UriRef<'_>) -> Vec<u8> {
    let userinfo = url.authority().and_then(|authority| authority.userinfo());
    userinfo.map(|userinfo| userinfo.user().decode().into_owned()).unwrap_or_default()
}

/// Answers the prompts of a fetch by what is known, and notes what is not.
pub(super) struct Answers {
    logins: Option<Arc<Logins>>,
    place: Option<Place>,
    unanswered: Mutex<Option<(Prompt, Vec<u8>)>>,
}

impl Answers {
    /// Returns the answers for a URL.
    pub(super) fn of(url: UriRef<'_>, logins: Option<Arc<Logins>>) -> Self {
        Self { logins, place: Place::of(url, user(url)), unanswered: Mutex::default() }
    }

    /// Returns the first prompt that was not answered, and what describes it.
    pub(super) fn unanswered(&self) -> Option<(Prompt, Vec<u8>)> {
        self.unanswered.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn secrets(&self, user: &[u8]) -> Option<Secrets> {
        let place = self.place.clone()?;
        let user = if user.is_empty() { place.user.clone() } else { user.to_vec() };
        self.logins.as_ref()?.get(&Place { user, ..place })
    }
}

impl Prompter for Answers {
    fn answer(&self, prompt: &Prompt, form: &[u8]) -> Option<Vec<u8>> {
        let answer = match prompt {
            Prompt::Password { user } => self.secrets(user).map(|secrets| secrets.password),
            Prompt::Account => self.secrets(b"").and_then(|secrets| secrets.account),
            Prompt::Email => Some(b"anonymous@".to_vec()),
            _ => None,
        };
        if answer.is_none() {
            let mut unanswered = self.unanswered.lock().unwrap_or_else(PoisonError::into_inner);
            unanswered.get_or_insert_with(|| (prompt.clone(), form.to_vec()));
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_for_one_place() {
        let logins = Arc::new(Logins::default());
        let uri = |url| UriRef::parse(url).unwrap();
        logins.keep(
            uri("ftp://joe@H.example/a"),
            b"joe",
            Secrets { password: b"s3cret".into(), account: None },
        );
        let answer = |url, user: &str| {
            let answers = Answers::of(uri(url), Some(logins.clone()));
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
        let answers = Answers::of(UriRef::parse("gopher://h/").unwrap(), None);
        assert_eq!(answers.answer(&Prompt::Email, b"").as_deref(), Some(&b"anonymous@"[..]));
        assert_eq!(answers.answer(&Prompt::Form, b"Ask: x"), None);
        assert_eq!(answers.answer(&Prompt::Search, b""), None);
        assert_eq!(answers.unanswered(), Some((Prompt::Form, b"Ask: x".into())));
        assert_eq!(answers.unanswered(), None);
    }
}
