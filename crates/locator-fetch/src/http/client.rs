//! What all requests of a fetcher have in common: the settings, the connections that wait to be used
//! again, and the memory for decompressing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;

use super::body::RequestBody;
use super::connection::HttpConnection;
use super::limits::{EXPECT, LARGE_WINDOWS};
use super::logins::Logins;
use super::pool::{Key, Pool};
use super::settings::Http;
use super::shared::{self, Driven, Server};

/// The part of HTTP in a fetcher. Its connections are closed with it.
#[derive(Clone, Default)]
pub(crate) struct Client {
    pub(crate) http: Arc<Http>,
    pub(super) pool: Arc<Pool<HttpConnection>>,
    pub(super) shared: Arc<Shared>,
    /// Whether a thread waits for each response, so that no task drives a connection.
    pub(crate) is_blocking: bool,
}

impl Client {
    /// Returns the server of a key and what drives its connections, if requests share these. One with a long
    /// body has a connection of its own: its server says often how much more it takes, and that is not
    /// distinguished from what a server says without end.
    pub(super) fn server(&self, key: &Key, body: Option<&RequestBody>) -> Option<(Arc<Server>, Driven)> {
        let is_short = |body: &RequestBody| body.content_length().is_some_and(|length| length < EXPECT);
        if !key.may_be_http2() {
            return None;
        }
        match self.shared.http2.thread() {
            Some(thread) => Some(self.shared.http2.server(key, Driven::ByThread(thread))),
            None if self.is_blocking || !body.is_none_or(is_short) => None,
            None => Some(self.shared.http2.server(key, Driven::Here(Handle::try_current().ok()?))),
        }
    }

    /// Returns a client with connections of its own.
    pub(crate) fn separate(&self) -> Self {
        self.shared.http2.share_between_threads();
        Self { http: Arc::new((*self.http).clone()), pool: Arc::default(), ..self.clone() }
    }

    /// Closes the connections that have waited at least so long; returns whether others wait.
    pub(crate) fn close_idle(&self, time: Duration) -> bool {
        self.pool.close_idle(time)
    }
}

/// What separate clients share.
#[derive(Default)]
pub(super) struct Shared {
    /// Whether it was reported that a password is sent in the clear.
    pub(super) has_warned: AtomicBool,
    pub(super) logins: Logins,
    pub(super) http2: shared::Shared,
    /// How many large windows are in use.
    windows: AtomicUsize,
}

/// The right to one large window, while a response is decompressed.
pub(super) struct LargeWindow(Arc<Shared>);

impl LargeWindow {
    /// Returns one, unless all are in use.
    pub(super) fn take(shared: &Arc<Shared>) -> Option<Self> {
        let more = |used: usize| (used < LARGE_WINDOWS).then_some(used + 1);
        let taken = shared.windows.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        taken.ok().map(|_| Self(shared.clone()))
    }
}

impl Drop for LargeWindow {
    fn drop(&mut self) {
        self.0.windows.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_windows_are_few() {
        let client = Client::default();
        let take = || LargeWindow::take(&client.shared);
        let windows: Vec<_> = (0..LARGE_WINDOWS).map(|_| take().unwrap()).collect();
        assert!(take().is_none());
        assert!(LargeWindow::take(&client.separate().shared).is_none());
        drop(windows);
        assert!(take().is_some());
    }
}
