//! Connections that wait to be used again. One is used again only for the same server, by the same way
//! to it, for the same user, and under the same policy and settings of TLS (CVE-2026-8286: a key
//! without these).

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::net::proxy::Proxy;
use crate::settings::Common;

/// The connections that wait to be used again, and how long they do.
const IDLE: usize = 128;
pub(super) const IDLE_TIME: Duration = Duration::from_secs(30);

/// What a connection was made for: an origin with the way to it, the user and the settings. It is made once
/// for a request; a clone is cheap, and two are compared by their hashes first.
#[derive(Clone)]
pub(crate) struct Key(Arc<(u64, KeyParts)>);

/// The parts of a key.
#[derive(Hash)]
pub(crate) struct KeyParts {
    pub(crate) host: String,
    /// The zone of a link-local address.
    pub(crate) zone: Option<String>,
    pub(crate) port: u16,
    pub(crate) is_secured: bool,
    /// Whether HTTP/2 was offered.
    pub(crate) has_http2: bool,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) user: Option<Vec<u8>>,
    pub(crate) settings: ConnectionSettings,
}

/// The policy, the resolver, the versions of IP and the settings of TLS. They are the same for most requests
/// of a fetcher, so that they are not a part of the hash.
pub(crate) struct ConnectionSettings(pub(crate) Arc<Common>);

impl Hash for ConnectionSettings {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Key {
    pub(crate) fn new(parts: KeyParts) -> Self {
        let mut hasher = DefaultHasher::new();
        parts.hash(&mut hasher);
        Self(Arc::new((hasher.finish(), parts)))
    }

    /// Returns whether connections may be HTTP/2.
    pub(crate) fn may_be_http2(&self) -> bool {
        self.0.1.is_secured && self.0.1.has_http2
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.0 == other.0.0 && self.0.1.are(&other.0.1)
    }
}

impl KeyParts {
    fn are(&self, other: &Self) -> bool {
        let parts = |key: &Self| (key.port, key.is_secured, key.has_http2);
        self.host == other.host
            && parts(self) == parts(other)
            && self.zone == other.zone
            && self.proxy == other.proxy
            && self.user == other.user
            && are_equal(&self.settings.0, &other.settings.0)
    }
}

/// Returns whether connections are made under the same policy, and with the same settings of TLS.
fn are_equal(one: &Arc<Common>, other: &Arc<Common>) -> bool {
    let are_same = || {
        one.family == other.family
            && one.connect_to == other.connect_to
            && Arc::ptr_eq(&one.policy, &other.policy)
            && Arc::ptr_eq(&one.resolver, &other.resolver)
            && Arc::ptr_eq(&one.tls, &other.tls)
    };
    Arc::ptr_eq(one, other) || are_same()
}

/// A connection with its address, which the policy is asked about again.
pub(crate) struct Idle<C> {
    pub(crate) key: Key,
    pub(crate) connection: C,
    pub(crate) address: std::net::SocketAddr,
    since: Instant,
}

/// The connections of a fetcher that wait, those that have waited longest first. They are closed with the
/// fetcher.
pub(crate) struct Pool<C>(Mutex<VecDeque<Idle<C>>>);

impl<C> Default for Pool<C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<C> Pool<C> {
    /// Takes a connection for a key.
    pub(crate) fn take(&self, key: &Key) -> Option<Idle<C>> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let is_late = |one: &Idle<C>| now.saturating_duration_since(one.since) >= IDLE_TIME;
        while idle.front().is_some_and(is_late) {
            idle.pop_front();
        }
        let found = idle.iter().rposition(|one| one.key.is(key))?;
        idle.remove(found)
    }

    /// Closes the connections that have waited at least so long; returns whether others wait.
    pub(crate) fn close_idle(&self, time: Duration) -> bool {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        idle.retain(|one| now.saturating_duration_since(one.since) < time);
        !idle.is_empty()
    }

    /// Keeps a connection; the one that has waited longest is closed if there are too many.
    pub(crate) fn put(&self, key: Key, connection: C, address: std::net::SocketAddr) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() >= IDLE {
            idle.pop_front();
        }
        idle.push_back(Idle { key, connection, address, since: Instant::now() });
    }
}
