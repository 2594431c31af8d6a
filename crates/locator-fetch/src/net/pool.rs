//! Connections that wait to be used again. One is used again only for the same server, by the same way
//! to it, for the same user, and under the same policy and settings of TLS (CVE-2026-8286: a key
//! without these).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use locator_audit::Policy;
use tokio::time::Instant;

use super::proxy::Proxy;
use crate::http::connection::Connection;
use crate::http::limits::{IDLE, IDLE_TIME, LARGE_WINDOWS};
use crate::net::dialer::{Family, Resolver};
use crate::net::tls::Tls;

/// What a connection was made for.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) host: String,
    /// The zone of a link-local address.
    pub(crate) zone: Option<String>,
    pub(crate) port: u16,
    pub(crate) is_secured: bool,
    pub(crate) has_http2: bool,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) user: Option<Vec<u8>>,
    pub(crate) family: Family,
    pub(crate) policy: Arc<Policy>,
    pub(crate) resolver: Arc<dyn Resolver>,
    pub(crate) tls: Arc<Tls>,
}

impl Key {
    fn is(&self, other: &Self) -> bool {
        let parts = |key: &Self| (key.port, key.is_secured, key.has_http2, key.family);
        self.host == other.host
            && parts(self) == parts(other)
            && self.zone == other.zone
            && self.proxy == other.proxy
            && self.user == other.user
            && Arc::ptr_eq(&self.policy, &other.policy)
            && Arc::ptr_eq(&self.resolver, &other.resolver)
            && Arc::ptr_eq(&self.tls, &other.tls)
    }
}

/// A connection with its address, which the policy is asked about again.
pub(crate) struct Idle {
    pub(crate) key: Key,
    pub(crate) connection: Connection,
    pub(crate) address: std::net::SocketAddr,
    since: Instant,
}

/// The connections of a fetcher that wait. They are closed with the fetcher.
#[derive(Default)]
pub(crate) struct Pool {
    idle: Mutex<Vec<Idle>>,
    pub(crate) common: Arc<Common>,
}

/// What pools of separate connections have in common.
#[derive(Default)]
pub(crate) struct Common {
    /// Whether it was reported that a password is sent in the clear.
    pub(crate) has_warned: AtomicBool,
    /// How many large windows are in use.
    windows: AtomicUsize,
}

/// The right to one large window, while a response is decompressed.
pub(crate) struct LargeWindow(Arc<Common>);

impl LargeWindow {
    /// Returns one, unless all are in use.
    pub(crate) fn take(pool: &Pool) -> Option<Self> {
        let common = &pool.common;
        let more = |used: usize| (used < LARGE_WINDOWS).then_some(used + 1);
        let taken = common.windows.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Self(common.clone()))
    }
}

impl Drop for LargeWindow {
    fn drop(&mut self) {
        self.0.windows.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    /// Returns a pool for other connections.
    pub(crate) fn separate(&self) -> Self {
        Self { common: self.common.clone(), ..Self::default() }
    }

    /// Takes a connection for a key.
    pub(crate) fn take(&self, key: &Key) -> Option<Idle> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        idle.retain(|one| now.saturating_duration_since(one.since) < Duration::from_millis(IDLE_TIME));
        let found = idle.iter().rposition(|one| one.key.is(key))?;
        Some(idle.remove(found))
    }

    /// Keeps a connection; the one that has waited longest is closed if there are too many.
    pub(crate) fn put(&self, key: Key, connection: Connection, address: std::net::SocketAddr) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() >= IDLE {
            idle.remove(0);
        }
        idle.push(Idle { key, connection, address, since: Instant::now() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_windows_are_few() {
        let pool = Pool::default();
        let windows: Vec<_> = (0..LARGE_WINDOWS).map(|_| LargeWindow::take(&pool).unwrap()).collect();
        assert!(LargeWindow::take(&pool).is_none());
        assert!(LargeWindow::take(&pool.separate()).is_none());
        drop(windows);
        assert!(LargeWindow::take(&pool).is_some());
    }
}
