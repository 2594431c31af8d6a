//! Connections that wait to be used again. One is used again only for the same server, by the same way
//! to it, for the same user, and under the same policy and settings of TLS (CVE-2026-8286: a key
//! without these).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::net::proxy::Proxy;
use crate::settings::Common;

/// The connections that wait to be used again, and how many milliseconds they do.
const IDLE: usize = 64;
const IDLE_TIME: u64 = 30_000;

/// What a connection was made for.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) host: String,
    /// The zone of a link-local address.
    pub(crate) zone: Option<String>,
    pub(crate) port: u16,
    pub(crate) is_secured: bool,
    /// Whether HTTP/2 was offered.
    pub(crate) has_http2: bool,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) user: Option<Vec<u8>>,
    /// The policy, the resolver, the versions of IP and the settings of TLS.
    pub(crate) settings: Arc<Common>,
}

impl Key {
    pub(crate) fn is(&self, other: &Self) -> bool {
        let parts = |key: &Self| (key.port, key.is_secured, key.has_http2);
        self.host == other.host
            && parts(self) == parts(other)
            && self.zone == other.zone
            && self.proxy == other.proxy
            && self.user == other.user
            && are_equal(&self.settings, &other.settings)
    }
}

/// Returns whether connections are made under the same policy, and with the same settings of TLS.
fn are_equal(one: &Arc<Common>, other: &Arc<Common>) -> bool {
    let are_same = || {
        one.family == other.family
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

/// The connections of a fetcher that wait. They are closed with the fetcher.
pub(crate) struct Pool<C>(Mutex<Vec<Idle<C>>>);

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
        idle.retain(|one| now.saturating_duration_since(one.since) < Duration::from_millis(IDLE_TIME));
        let found = idle.iter().rposition(|one| one.key.is(key))?;
        Some(idle.remove(found))
    }

    /// Keeps a connection; the one that has waited longest is closed if there are too many.
    pub(crate) fn put(&self, key: Key, connection: C, address: std::net::SocketAddr) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() >= IDLE {
            idle.remove(0);
        }
        idle.push(Idle { key, connection, address, since: Instant::now() });
    }
}
