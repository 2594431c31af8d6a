//! Logins of HTTP: takes the challenges of a response, returns the value of `Authorization`. Follows
//! RFC 9110, section 11, RFC 7617 (Basic) and RFC 7616 (Digest).
//!
//! [`AcceptedLogins`] has those that servers have accepted, so that a server need not ask again (RFC 7617, 2.2, and RFC
//! 7616, 3.3 to 3.6). A login is used again only for its own server and user, and only where the fetch may send it
//! anyway.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use locator::plan::{HttpOrigin, Secret};
use md5::Md5;
use sha2::{Digest as _, Sha256};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use super::request::path_of;
use super::settings::AuthSchemes;
use crate::error::failure::FailureKind;
use crate::net::proxy::Login;

/// A challenge, and the login that answers it. Requests that share it count together.
pub(super) struct LoginOffer {
    pub(super) challenge: Challenge,
    pub(super) login: Login,
    /// How many requests were sent for this challenge: "the nc value is the hexadecimal count of the number
    /// of requests (including the current request) that the client has sent with the nonce value in this
    /// request" (RFC 7616, 3.4).
    count: AtomicU32,
}

impl LoginOffer {
    pub(super) fn new(challenge: Challenge, login: Login) -> Arc<Self> {
        Arc::new(Self { challenge, login, count: AtomicU32::new(0) })
    }
}

/// A login in progress: what the server, or the proxy, wants.
#[derive(Default)]
pub(super) struct Authentication {
    offer: Option<Arc<LoginOffer>>,
    /// Whether the server has not asked for it: it accepted it before, or the user wants it sent at once.
    is_guess: bool,
    has_been_refused: bool,
}

impl Authentication {
    /// Returns whether a challenge is one to answer: the first one, or one whose nonce was too old.
    pub(super) fn wants(&self, challenge: &Challenge) -> bool {
        match challenge {
            _ if self.offer.is_none() => true,
            // A guess had the same user and password.
            Challenge::Basic => false,
            Challenge::Digest(digest) => self.is_guess || digest.is_stale && !self.has_been_refused,
        }
    }

    pub(super) fn take(&mut self, challenge: Challenge, login: Login) {
        self.has_been_refused = self.offer.is_some() && !self.is_guess;
        self.offer = Some(LoginOffer::new(challenge, login));
        self.is_guess = false;
    }

    /// Sends a login that was not asked for.
    pub(super) fn guess(&mut self, offer: Arc<LoginOffer>) {
        self.offer = Some(offer);
        self.is_guess = true;
    }

    /// Returns the login that is sent, and whether the server has asked for it.
    pub(super) fn sent(&self) -> Option<(&Arc<LoginOffer>, bool)> {
        Some((self.offer.as_ref()?, !self.is_guess))
    }

    /// Returns the value of the field that answers the challenge, if there was one.
    pub(super) fn answer(&self, request: AuthRequest<'_>) -> Result<Option<Vec<u8>>, FailureKind> {
        let Some(offer) = &self.offer else { return Ok(None) };
        let count = offer.count.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(Some(offer.challenge.answer(&offer.login, request, count, &random()?)))
    }
}

/// What a login of Digest is about: the method of the request and its target.
#[derive(Clone, Copy)]
pub(super) struct AuthRequest<'r> {
    pub(super) method: &'r str,
    pub(super) target: &'r [u8],
}

/// Returns the nonce that a server wants next, from `Authentication-Info` (RFC 7616, 3.5).
pub(super) fn next_nonce(value: &[u8]) -> Option<String> {
    let value = format!("Digest {}", String::from_utf8_lossy(value));
    let challenge = challenges(&value).pop()?;
    challenge.parameters.into_iter().find(|(name, _)| name == "nextnonce").map(|(_, nonce)| nonce)
}

/// Returns why none of the challenges in these values is answered.
pub(super) fn why_unusable<'v>(values: impl Iterator<Item = &'v [u8]>, allowed: AuthSchemes) -> String {
    // A server may send many, and anything.
    const MOST: usize = 8;
    let mut offered: Vec<String> = Vec::new();
    for WrittenChallenge { scheme, .. } in
        values.flat_map(|value| challenges(&String::from_utf8_lossy(value)))
    {
        let is_new = !offered.iter().any(|one| one.eq_ignore_ascii_case(&scheme));
        let is_name = scheme.len() < 32 && scheme.bytes().all(|octet| octet.is_ascii_graphic());
        if is_new && is_name && offered.len() < MOST {
            offered.push(scheme);
        }
    }
    let usable = allowed.names();
    let is_usable = |scheme: &String| usable.iter().any(|one| one.eq_ignore_ascii_case(scheme));
    let joined = offered.join(", ");
    match offered.iter().all(is_usable) {
        _ if offered.is_empty() => "it names no scheme to log in by".into(),
        true => format!("it offers {joined} in a form that is not supported"),
        false => format!("it offers {joined}, and only {} may be used", usable.join(" and ")),
    }
}

/// A way to log in that a server offers, from the worst to the best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Challenge {
    Basic,
    Digest(Digest),
}

/// A challenge of Digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digest {
    realm: String,
    nonce: String,
    opaque: Option<String>,
    /// The URLs of the protection space; empty for all of the server.
    domain: String,
    algorithm: Algorithm,
    is_session: bool,
    /// Whether the quality of protection is "auth"; without one it is that of RFC 2069.
    has_quality: bool,
    /// Whether only the nonce of the earlier answer was too old.
    is_stale: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Algorithm {
    Md5,
    Sha256,
}

impl Algorithm {
    const fn name(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha256 => "SHA-256",
        }
    }

    /// Returns the hash of parts with ":" between them, in hexadecimal.
    fn hash(self, parts: &[&[u8]]) -> String {
        let octets = parts.join(&b':');
        let digits = |hash: &[u8]| hash.iter().map(|octet| format!("{octet:02x}")).collect();
        match self {
            Self::Md5 => digits(&Md5::digest(&octets)),
            Self::Sha256 => digits(&Sha256::digest(&octets)),
        }
    }
}

impl Challenge {
    /// Returns the best challenge in the values of `WWW-Authenticate` or `Proxy-Authenticate`, of those whose
    /// schemes are allowed.
    pub(super) fn best<'v>(values: impl Iterator<Item = &'v [u8]>, allowed: AuthSchemes) -> Option<Self> {
        let offered = values.flat_map(|value| challenges(&String::from_utf8_lossy(value)));
        let usable = offered.filter_map(|challenge| Self::of(&challenge));
        usable.filter(|challenge| challenge.is_in(allowed)).max_by_key(Self::rank)
    }

    /// Returns whether the scheme of this challenge is one of these.
    pub(super) const fn is_in(&self, schemes: AuthSchemes) -> bool {
        match self {
            Self::Basic => schemes.basic,
            Self::Digest(_) => schemes.digest,
        }
    }

    /// Returns how good this challenge is.
    const fn rank(&self) -> u8 {
        match self {
            Self::Basic => 0,
            Self::Digest(Digest { algorithm: Algorithm::Md5, .. }) => 1,
            Self::Digest(_) => 2,
        }
    }

    fn of(WrittenChallenge { scheme, parameters }: &WrittenChallenge) -> Option<Self> {
        if scheme.eq_ignore_ascii_case("basic") {
            return Some(Self::Basic);
        }
        if !scheme.eq_ignore_ascii_case("digest") {
            return None;
        }
        let value =
            |name: &str| parameters.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        let name = value("algorithm").unwrap_or_else(|| "MD5".into()).to_ascii_uppercase();
        let is_session = name.ends_with("-SESS");
        let algorithm = match name.trim_end_matches("-SESS") {
            "MD5" => Algorithm::Md5,
            "SHA-256" => Algorithm::Sha256,
            _ => return None,
        };
        let quality = value("qop");
        let has_quality = quality
            .as_ref()
            .is_some_and(|all| all.split(',').any(|one| one.trim().eq_ignore_ascii_case("auth")));
        if quality.is_some() && !has_quality {
            return None;
        }
        Some(Self::Digest(Digest {
            realm: value("realm")?,
            nonce: value("nonce")?,
            opaque: value("opaque"),
            domain: value("domain").unwrap_or_default(),
            algorithm,
            is_session,
            has_quality,
            is_stale: value("stale").is_some_and(|value| value.eq_ignore_ascii_case("true")),
        }))
    }

    /// Returns the URLs that a challenge of Digest is for.
    pub(super) fn domain(&self) -> Option<&str> {
        match self {
            Self::Basic => None,
            Self::Digest(digest) => Some(&digest.domain),
        }
    }

    /// Returns this challenge of Digest with another nonce.
    pub(super) fn with_nonce(&self, nonce: String) -> Option<Self> {
        match self {
            Self::Basic => None,
            Self::Digest(digest) => Some(Self::Digest(Digest { nonce, ..digest.clone() })),
        }
    }

    /// Returns the value of `Authorization` for a request; `count` is the number of the request with
    /// this nonce, from 1 on, and `client_nonce` is random.
    pub(super) fn answer(
        &self,
        login: &Login,
        request: AuthRequest<'_>,
        count: u32,
        client_nonce: &str,
    ) -> Vec<u8> {
        match self {
            Self::Basic => basic(login),
            Self::Digest(digest) => digest.answer(login, request, count, client_nonce),
        }
    }
}

/// Returns the value of `Authorization` by Basic (RFC 7617, 2).
pub(super) fn basic(login: &Login) -> Vec<u8> {
    let pair = [login.user.reveal(), b":", login.password.reveal()].concat();
    format!("Basic {}", BASE64_STANDARD.encode(pair)).into()
}

impl Digest {
    /// "response = <"> < KD ( H(A1), unq(nonce) ":" nc ":" unq(cnonce) ":" unq(qop) ":" H(A2) ) <">"
    /// (RFC 7616, 3.4.1).
    fn answer(
        &self,
        login: &Login,
        AuthRequest { method, target }: AuthRequest<'_>,
        count: u32,
        client_nonce: &str,
    ) -> Vec<u8> {
        let Self { realm, nonce, opaque, algorithm, is_session, has_quality, .. } = self;
        let count = format!("{count:08x}");
        let (nonce_octets, client) = (nonce.as_bytes(), client_nonce.as_bytes());
        let mut secret = algorithm.hash(&[login.user.reveal(), realm.as_bytes(), login.password.reveal()]);
        if *is_session {
            secret = algorithm.hash(&[secret.as_bytes(), nonce_octets, client]);
        }
        let request = algorithm.hash(&[method.as_bytes(), target]);
        let response = if *has_quality {
            let parts =
                [secret.as_bytes(), nonce_octets, count.as_bytes(), client, b"auth", request.as_bytes()];
            algorithm.hash(&parts)
        } else {
            algorithm.hash(&[secret.as_bytes(), nonce_octets, request.as_bytes()])
        };
        let mut answer = b"Digest ".to_vec();
        let mut add = |name: &str, value: &[u8], is_quoted: bool| {
            let separator = if answer.ends_with(b" ") { "" } else { ", " };
            let quote: &[u8] = if is_quoted { b"\"" } else { b"" };
            let value = if is_quoted { quoted(value) } else { value.to_vec() };
            answer.extend([separator.as_bytes(), name.as_bytes(), b"=", quote, &value, quote].concat());
        };
        add("username", login.user.reveal(), true);
        add("realm", realm.as_bytes(), true);
        add("nonce", nonce_octets, true);
        add("uri", target, true);
        add("response", response.as_bytes(), true);
        let session = if *is_session { "-sess" } else { "" };
        add("algorithm", format!("{}{session}", algorithm.name()).as_bytes(), false);
        if *has_quality {
            add("qop", b"auth", false);
            add("nc", count.as_bytes(), false);
        }
        if *has_quality || *is_session {
            add("cnonce", client, true);
        }
        if let Some(opaque) = opaque {
            add("opaque", opaque.as_bytes(), true);
        }
        answer
    }
}

/// Writes the text of a quoted string. CR, LF and NUL cannot be in one.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(text.len());
    for &octet in text.iter().filter(|octet| !matches!(octet, b'\r' | b'\n' | 0)) {
        if matches!(octet, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(octet);
    }
    quoted
}

/// A challenge as a server writes it: the scheme, and its parameters by their names in lower case.
struct WrittenChallenge {
    scheme: String,
    parameters: Vec<(String, String)>,
}

/// Divides the value of a field into challenges. `Basic realm="a", charset="UTF-8", Digest realm="b"` has two: a name
/// that is not followed by "=" begins one.
fn challenges(value: &str) -> Vec<WrittenChallenge> {
    let mut found: Vec<WrittenChallenge> = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let length = rest.find([' ', '\t', ',', '=', '"']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        if word.is_empty() {
            return found;
        }
        let after = after.trim_start_matches([' ', '\t']);
        match after.strip_prefix('=') {
            Some(after) => {
                let (text, after) = parameter(after.trim_start_matches([' ', '\t']));
                if let Some(challenge) = found.last_mut() {
                    challenge.parameters.push((word.to_ascii_lowercase(), text));
                }
                rest = after;
            }
            None => {
                found.push(WrittenChallenge { scheme: word.to_owned(), parameters: Vec::new() });
                rest = after;
            }
        }
    }
}

/// Takes the value of a parameter, a token or a quoted string; returns it and what follows it.
fn parameter(text: &str) -> (String, &str) {
    let Some(text) = text.strip_prefix('"') else {
        let length = text.find([' ', '\t', ',']).unwrap_or(text.len());
        return (text[..length].to_owned(), &text[length..]);
    };
    let (mut value, mut characters) = (String::new(), text.char_indices());
    while let Some((offset, character)) = characters.next() {
        match character {
            '"' => return (value, &text[offset + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

/// Returns random octets in hexadecimal.
pub(super) fn random() -> Result<String, FailureKind> {
    let mut octets = [0; 16];
    getrandom::fill(&mut octets).map_err(|_| FailureKind::NotSupported("random octets on this system"))?;
    Ok(octets.iter().map(|octet| format!("{octet:02x}")).collect())
}

/// The logins, and the servers that are kept, of which the oldest are forgotten.
const MOST: usize = 256;

/// A server, or a proxy, and a user there.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct LoginAccount {
    pub(super) origin: HttpOrigin,
    pub(super) user: Vec<u8>,
}

/// The logins that were accepted, which all connections of a fetcher share.
#[derive(Default)]
pub(super) struct AcceptedLogins(Mutex<State>);

#[derive(Default)]
struct State {
    accepted: Vec<AcceptedLogin>,
    /// The servers that were asked with a login at hand, and whether one has answered.
    asked: Vec<(LoginAccount, Arc<Turn<()>>, bool)>,
}

struct AcceptedLogin {
    account: LoginAccount,
    space: ProtectionSpace,
    offer: Arc<LoginOffer>,
}

/// The protection space of a login on its server.
#[derive(PartialEq, Eq)]
enum ProtectionSpace {
    All,
    /// Targets that begin with one of these.
    Below(Vec<Vec<u8>>),
}

impl ProtectionSpace {
    fn contains(&self, path: &[u8]) -> bool {
        match self {
            Self::All => true,
            Self::Below(prefixes) => !has_dots(path) && prefixes.iter().any(|one| path.starts_with(one)),
        }
    }
}

impl AcceptedLogins {
    /// Returns the login that was accepted for a target, if it has this password or none is known, and if its
    /// scheme is allowed.
    pub(super) fn find(
        &self,
        account: &LoginAccount,
        target: &[u8],
        password: Option<&Secret>,
        schemes: AuthSchemes,
    ) -> Option<Arc<LoginOffer>> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let path = path_of(target);
        let is_right = |one: &&AcceptedLogin| {
            one.account == *account
                && password.is_none_or(|password| *password == one.offer.login.password)
                && one.space.contains(path)
                && one.offer.challenge.is_in(schemes)
        };
        state.accepted.iter().rfind(is_right).map(|one| one.offer.clone())
    }

    /// Notes that a server accepted a login for a target.
    pub(super) fn accept(&self, account: &LoginAccount, target: &[u8], offer: &Arc<LoginOffer>) {
        let space = space_of(&offer.challenge, &account.origin, path_of(target));
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.accepted.retain(|one| one.account != *account || one.space != space);
        if state.accepted.len() >= MOST {
            state.accepted.remove(0);
        }
        state.accepted.push(AcceptedLogin { account: account.clone(), space, offer: offer.clone() });
    }

    /// Notes that a login is no longer accepted.
    pub(super) fn forget(&self, offer: &Arc<LoginOffer>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.accepted.retain(|one| !Arc::ptr_eq(&one.offer, offer));
    }

    /// Uses the nonce that a server wants next (RFC 7616, 3.5).
    pub(super) fn replace(&self, old: &Arc<LoginOffer>, new: Arc<LoginOffer>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for one in &mut state.accepted {
            if Arc::ptr_eq(&one.offer, old) {
                one.offer = new.clone();
            }
        }
    }

    /// Waits while another request finds out whether a server wants a login, so that not all of those that
    /// begin together are refused first. Returns the right to be that request, or nothing once it is known.
    pub(super) async fn turn(&self, account: &LoginAccount) -> Option<OwnedMutexGuard<()>> {
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
    pub(super) fn answered(&self, account: &LoginAccount) {
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
fn space_of(challenge: &Challenge, origin: &HttpOrigin, path: &[u8]) -> ProtectionSpace {
    if origin.scheme == PROXY {
        return ProtectionSpace::All;
    }
    let depth = path.iter().rposition(|octet| *octet == b'/').map_or(0, |at| at + 1);
    let own = || ProtectionSpace::Below(vec![path[..depth].to_vec()]);
    match challenge.domain() {
        None => own(),
        Some(domain) => {
            let paths: Vec<_> = domain
                .split_ascii_whitespace()
                .filter(|one| one.starts_with('/') && !one.starts_with("//"))
                .map(|one| one.as_bytes().to_vec())
                .collect();
            match (domain.trim().is_empty(), paths.is_empty()) {
                (true, _) => ProtectionSpace::All,
                (false, true) => own(),
                (false, false) => ProtectionSpace::Below(paths),
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
    use locator::plan::Secret;

    use super::*;
    use crate::net::proxy::Login;

    fn best(values: &[&str]) -> Option<Challenge> {
        Challenge::best(values.iter().map(|value| value.as_bytes()), AuthSchemes::ALL)
    }

    fn login(user: &str, password: &str) -> Login {
        Login { user: Secret::new(user), password: Secret::new(password) }
    }

    #[test]
    fn the_best_challenge_is_taken() {
        assert_eq!(best(&["Basic realm=\"a, Digest b\", charset=\"UTF-8\""]), Some(Challenge::Basic));
        let rank = |values: &[&str]| best(values).map(|challenge| challenge.rank());
        let (md5, sha) =
            ("Digest realm=\"r\", nonce=\"n\"", "Digest realm=r,nonce=n, algorithm=SHA-256, qop=\"auth\"");
        assert_eq!(rank(&["Basic realm=x", md5, sha]), Some(2));
        assert_eq!(rank(&[&format!("{md5}, Basic realm=\"x\"")]), Some(1));
        assert_eq!(rank(&[&format!("Negotiate, {sha}")]), Some(2));
        for wrong in [
            "",
            ",,",
            "Negotiate abc==",
            "Digest realm=\"r\"",
            "Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\"",
            "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-512-256",
            "=a",
            "\"",
        ] {
            assert_eq!(rank(&[wrong]), None, "{wrong:?}");
        }
    }

    #[test]
    fn schemes_that_are_not_allowed() {
        let digest = "Digest realm=r, nonce=n";
        for (values, allowed, is_answered, why) in [
            (
                &["Basic realm=a"][..],
                AuthSchemes::DIGEST,
                false,
                "it offers Basic, and only Digest may be used",
            ),
            (&[digest, "Basic realm=a"], AuthSchemes::DIGEST, true, ""),
            (&[digest], AuthSchemes::BASIC, false, "it offers Digest, and only Basic may be used"),
            (&[digest, "Basic realm=a"], AuthSchemes::BASIC, true, ""),
            (
                &["Negotiate, NTLM", "NTLM"],
                AuthSchemes::ALL,
                false,
                "it offers Negotiate, NTLM, and only Basic and Digest may be used",
            ),
            (
                &["Digest realm=r"],
                AuthSchemes::ALL,
                false,
                "it offers Digest in a form that is not supported",
            ),
            (&[], AuthSchemes::ALL, false, "it names no scheme to log in by"),
            (&["\u{1b}[1m"], AuthSchemes::ALL, false, "it names no scheme to log in by"),
        ] {
            let octets = || values.iter().map(|value| value.as_bytes());
            assert_eq!(Challenge::best(octets(), allowed).is_some(), is_answered, "{values:?}");
            if !is_answered {
                assert_eq!(why_unusable(octets(), allowed), why);
            }
        }
    }

    /// The examples of RFC 7616, 3.9.1, and of RFC 2617, 3.5, without a quality.
    #[test]
    fn examples_of_the_standard() {
        let (request, client) =
            (("GET", &b"/dir/index.html"[..]), "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ");
        let offer = |algorithm: &str| {
            format!(
                "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm={algorithm}, \
                 nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", \
                 opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
            )
        };
        for (algorithm, response) in [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ] {
            let challenge = best(&[&offer(algorithm)]).unwrap();
            let answer = challenge.answer(
                &login("Mufasa", "Circle of Life"),
                AuthRequest { method: request.0, target: request.1 },
                1,
                client,
            );
            let answer = String::from_utf8(answer).unwrap();
            assert!(answer.contains(&format!("response=\"{response}\", algorithm={algorithm}, qop=auth, nc=00000001, cnonce=\"{client}\"")), "{answer}");
        }
        let old = "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"";
        let answer = best(&[old]).unwrap().answer(
            &login("Mufasa", "Circle Of Life"),
            AuthRequest { method: request.0, target: request.1 },
            1,
            "",
        );
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.ends_with("response=\"670fd8c2df070c60b045671b8b24ff02\", algorithm=MD5"), "{answer}");
    }

    #[test]
    fn a_name_with_quotes() {
        let challenge =
            best(&["Digest realm=\"a \\\"b\\\"\", nonce=n, stale=TRUE, algorithm=MD5-sess, qop=auth"])
                .unwrap();
        let answer =
            challenge.answer(&login("jo\"e\r\n", "x"), AuthRequest { method: "GET", target: b"/" }, 1, "c");
        let answer = String::from_utf8(answer).unwrap();
        assert!(
            answer.starts_with("Digest username=\"jo\\\"e\", realm=\"a \\\"b\\\"\", nonce=\"n\""),
            "{answer}"
        );
        assert!(matches!(challenge, Challenge::Digest(Digest { is_stale: true, is_session: true, .. })));
        assert_eq!(
            Challenge::Basic.answer(
                &login("joe", "secret"),
                AuthRequest { method: "GET", target: b"/" },
                1,
                ""
            ),
            b"Basic am9lOnNlY3JldA=="
        );
    }

    fn offer(challenge: &str) -> Arc<LoginOffer> {
        let challenge = Challenge::best([challenge.as_bytes()].into_iter(), AuthSchemes::ALL).unwrap();
        LoginOffer::new(challenge, Login { user: Secret::new("joe"), password: Secret::new("p") })
    }

    #[test]
    fn protection_spaces() {
        let account =
            |host: &str| LoginAccount { origin: HttpOrigin::new("http", host, 80), user: b"joe".to_vec() };
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
            let logins = AcceptedLogins::default();
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
        let logins = AcceptedLogins::default();
        let account = LoginAccount { origin: HttpOrigin::new("http", "h", 80), user: b"joe".to_vec() };
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
