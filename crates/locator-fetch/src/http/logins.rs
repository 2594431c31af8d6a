//! Logins that servers have accepted: takes a request, returns the login that its server will want, so
//! that it need not ask. Follows RFC 7617, 2.2 (Basic), and RFC 7616, 3.3 to 3.6 (Digest). A login is used
//! again only for its own server and user, and only where the fetch may send it anyway.

use std::sync::{Arc, Mutex, PoisonError};

use locator::plan::{HttpOrigin, Secret};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use super::auth::{Challenge, Offer};
use super::request::path_of;
use super::settings::AuthSchemes;

/// The logins, and the servers that are kept, of which the oldest are forgotten.
const MOST: usize = 256;

/// A server, or a proxy, and a user there.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) origin: HttpOrigin,
    pub(super) user: Vec<u8>,
}

/// The logins that were accepted, which all connections of a fetcher share.
#[derive(Default)]
pub(super) struct Logins(Mutex<State>);

#[derive(Default)]
struct State {
    accepted: Vec<Accepted>,
    /// The servers that were asked with a login at hand, and whether one has answered.
    asked: Vec<(Account, Arc<Turn<()>>, bool)>,
}

struct Accepted {
    account: Account,
    space: Space,
    offer: Arc<Offer>,
}

/// The protection space of a login on its server.
#[derive(PartialEq, Eq)]
enum Space {
    All,
    /// Targets that begin with one of these.
    Below(Vec<Vec<u8>>),
}

impl Space {
    fn contains(&self, path: &[u8]) -> bool {
        match self {
            Self::All => true,
            Self::Below(prefixes) => !has_dots(path) && prefixes.iter().any(|one| path.starts_with(one)),
        }
    }
}

impl Logins {
    /// Returns the login that was accepted for a target, if it has this password or none is known, and if its
    /// scheme is allowed.
    pub(super) fn find(
        &self,
        account: &Account,
        target: &[u8],
        password: Option<&Secret>,
        schemes: AuthSchemes,
    ) -> Option<Arc<Offer>> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let path = path_of(target);
        let is_right = |one: &&Accepted| {
            one.account == *account
                && password.is_none_or(|password| *password == one.offer.login.password)
                && one.space.contains(path)
                && one.offer.challenge.is_in(schemes)
        };
        state.accepted.iter().rfind(is_right).map(|one| one.offer.clone())
    }

    /// Notes that a server accepted a login for a target.
    pub(super) fn accept(&self, account: &Account, target: &[u8], offer: &Arc<Offer>) {
        let space = space_of(&offer.challenge, &account.origin, path_of(target));
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.accepted.retain(|one| one.account != *account || one.space != space);
        if state.accepted.len() >= MOST {
            state.accepted.remove(0);
        }
        state.accepted.push(Accepted { account: account.clone(), space, offer: offer.clone() });
    }

    /// Notes that a login is no longer accepted.
    pub(super) fn forget(&self, offer: &Arc<Offer>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.accepted.retain(|one| !Arc::ptr_eq(&one.offer, offer));
    }

    /// Uses the nonce that a server wants next (RFC 7616, 3.5).
    pub(super) fn replace(&self, old: &Arc<Offer>, new: Arc<Offer>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for one in &mut state.accepted {
            if Arc::ptr_eq(&one.offer, old) {
                one.offer = new.clone();
            }
        }
    }

    /// Waits while another request finds out whether a server wants a login, so that not all of those that
    /// begin together are refused first. Returns the right to be that request, or nothing once it is known.
    pub(super) async fn turn(&self, account: &Account) -> Option<OwnedMutexGuard<()>> {
        let turn = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match state.asked.iter().find(|(own, ..)| own == account) {
                Some((_, _, true)) => return None,
                Some((_, turn, false)) => turn.clone(),
                None => {
                    if state.asked.len() >= MOST {
                        state.asked.remove(0);
                    }
                    let turn = Arc::<Turn<()>>::default();
                    state.asked.push((account.clone(), turn.clone(), false));
                    turn
                }
            }
        };
        let guard = turn.lock_owned().await;
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = state.asked.iter().any(|(own, _, is_known)| own == account && *is_known);
        (!is_known).then_some(guard)
    }

    /// Notes that a server has answered: nobody waits for the first answer any more.
    pub(super) fn answered(&self, account: &Account) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, is_known)) = state.asked.iter_mut().find(|(own, ..)| own == account) {
            *is_known = true;
        }
    }
}

/// "A client SHOULD assume that all paths at or deeper than the depth of the last symbolic element in the
/// path field of the Request-URI also are within the protection space" (RFC 7617, 2.2). Digest lists the
/// space in `domain`; "if this parameter is omitted or its value is empty, the client SHOULD assume that
/// the protection space consists of all URIs on the responding server" (RFC 7616, 3.3).
fn space_of(challenge: &Challenge, origin: &HttpOrigin, path: &[u8]) -> Space {
    if origin.scheme == PROXY {
        return Space::All;
    }
    let depth = path.iter().rposition(|octet| *octet == b'/').map_or(0, |at| at + 1);
    let own = || Space::Below(vec![path[..depth].to_vec()]);
    match challenge.domain() {
        None => own(),
        Some(domain) => {
            let paths: Vec<_> = domain
                .split_ascii_whitespace()
                .filter(|one| one.starts_with('/') && !one.starts_with("//"))
                .map(|one| one.as_bytes().to_vec())
                .collect();
            match (domain.trim().is_empty(), paths.is_empty()) {
                (true, _) => Space::All,
                (false, true) => own(),
                (false, false) => Space::Below(paths),
            }
        }
    }
}

/// The scheme of the origin of a proxy, which no URL has.
pub(super) const PROXY: &str = "proxy";

/// Returns whether a path has segments that lead out of what it begins with.
fn has_dots(path: &[u8]) -> bool {
    path.split(|octet| *octet == b'/').any(|segment| {
        let segment = String::from_utf8_lossy(segment).to_ascii_lowercase().replace("%2e", ".");
        matches!(&*segment, "." | "..")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::proxy::Login;

    fn offer(challenge: &str) -> Arc<Offer> {
        let challenge = Challenge::best([challenge.as_bytes()].into_iter(), AuthSchemes::ALL).unwrap();
        Offer::new(challenge, Login { user: Secret::new("joe"), password: Secret::new("p") })
    }

    #[test]
    fn protection_spaces() {
        let account =
            |host: &str| Account { origin: HttpOrigin::new("http", host, 80), user: b"joe".to_vec() };
        let basic = "Basic realm=a";
        let digest = |domain: &str| format!("Digest realm=a, nonce=n{domain}");
        for (challenge, accepted, target, expected) in [
            (basic, "/a/b", "/a/c?d=/", true),
            (basic, "/a/b", "/a/c/d", true),
            (basic, "/a/b", "/a", false),
            (basic, "/a/b", "/b/c", false),
            (basic, "/a/b/?/c", "/a/b/d", true),
            (basic, "/a/b", "/a/../c", false),
            (basic, "/a/b", "/a/%2E%2e/c", false),
            (basic, "/a", "/b", true),
            (basic, "http://h/a/b", "http://h/a/c", true),
            (&digest(""), "/a/b", "/c", true),
            (&digest(", domain=\"\""), "/a/b", "/c", true),
            (&digest(", domain=\"/x /y/\""), "/a/b", "/y/z", true),
            (&digest(", domain=\"/x /y/\""), "/a/b", "/a/b", false),
            (&digest(", domain=\"http://other/x\""), "/a/b", "/a/c", true),
            (&digest(", domain=\"http://other/x\""), "/a/b", "/x", false),
        ] {
            let logins = Logins::default();
            logins.accept(&account("h"), accepted.as_bytes(), &offer(challenge));
            let find = |host, password: &str| {
                let password = Secret::new(password);
                logins.find(&account(host), target.as_bytes(), Some(&password), AuthSchemes::ALL).is_some()
            };
            assert_eq!(find("h", "p"), expected, "{challenge} {accepted} {target}");
            assert!(!find("other", "p") && !find("h", "q"), "{target}");
        }
    }

    #[test]
    fn what_is_kept_has_an_end() {
        let logins = Logins::default();
        let account = Account { origin: HttpOrigin::new("http", "h", 80), user: b"joe".to_vec() };
        for i in 0..2 * MOST {
            logins.accept(&account, format!("/{i}/a").as_bytes(), &offer("Basic realm=a"));
        }
        assert_eq!(logins.0.lock().unwrap().accepted.len(), MOST);
        let find = |target: &str| logins.find(&account, target.as_bytes(), None, AuthSchemes::ALL);
        assert!(find("/0/b").is_none());
        let last = find(&format!("/{}/b", 2 * MOST - 1)).unwrap();
        let by_digest =
            logins.find(&account, format!("/{}/b", 2 * MOST - 1).as_bytes(), None, AuthSchemes::DIGEST);
        assert!(by_digest.is_none());
        logins.forget(&last);
        assert_eq!(logins.0.lock().unwrap().accepted.len(), MOST - 1);
    }
}
