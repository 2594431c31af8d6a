//! What a request holds until its response is written: it counts for its connection, and for the number of
//! requests that are answered at once.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A request on a connection, which is not closed meanwhile.
pub(super) struct Busy(Rc<Cell<usize>>);

impl Busy {
    pub(super) fn begin(count: &Rc<Cell<usize>>) -> Self {
        count.set(count.get() + 1);
        Self(count.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// A request that is being answered.
pub(super) struct Visit {
    _busy: Busy,
    slots: Arc<Semaphore>,
    slot: Option<OwnedSemaphorePermit>,
    /// Notified when the visit ends.
    ended: Rc<Notify>,
    /// How long the client may take to send a body.
    pub(super) patience: Duration,
    /// The addresses of the client and of the gateway, if they are known.
    pub(super) ends: Option<(SocketAddr, SocketAddr)>,
}

impl Visit {
    pub(super) const fn new(
        busy: Busy,
        slots: Arc<Semaphore>,
        ended: Rc<Notify>,
        patience: Duration,
    ) -> Self {
        Self { _busy: busy, slots, slot: None, ended, patience, ends: None }
    }

    /// Sets the addresses of a connection.
    pub(super) fn on(mut self, stream: Option<(SocketAddr, SocketAddr)>) -> Self {
        self.ends = stream;
        self
    }

    /// Waits until less than the most requests are being answered; returns false if that takes too long.
    pub(super) async fn takes_turn(&mut self) -> bool {
        if let Ok(Ok(slot)) = timeout(self.patience, self.slots.clone().acquire_owned()).await {
            self.slot = Some(slot);
        }
        self.slot.is_some()
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.ended.notify_one();
    }
}
