//! The interpreter of plans: a value without sockets, clocks and tasks. [`Run::want`] says what must
//! happen next, and [`Run::handle`] takes what happened; a loop around the two, a *driver*, has the
//! sockets and the clock. A driver begins with [`Event::Time`].
//!
//! ```
//! use locator::plan::{self, Options};
//! use locator_fetch::run::{
//!     Channel, Ending, Event, Limits, Outcome, Run, Want, Whole,
//! };
//!
//! let url = locator::uri_ref!("gopher://gopher.example/0/welcome");
//! let mut run =
//!     Run::new(plan::plan(url, &Options::new()).unwrap(), Limits::default());
//! run.handle(Event::Time, 0);
//! let mut body = Vec::new();
//! let outcome = loop {
//!     // A server in memory, which answers at once.
//!     let event = match run.want() {
//!         Want::Dial(to) => Event::Dialled(
//!             Channel::Control,
//!             format!("192.0.2.1:{}", to.port).parse().unwrap(),
//!         ),
//!         Want::Send(octets) => Event::Sent(octets.len()),
//!         Want::Read { .. } if body.is_empty() => {
//!             Event::Octets(Channel::Control, b"hello\r\n.\r\n")
//!         }
//!         Want::Read { .. } => Event::Ended(Channel::Control, Ending::Fin),
//!         Want::Give(octets) => {
//!             body.extend_from_slice(octets);
//!             Event::Taken(octets.len())
//!         }
//!         Want::Done(outcome) => break outcome.clone(),
//!         want => panic!("{want:?}"),
//!     };
//!     run.handle(event, 0);
//! };
//! assert_eq!(body, b"hello\r\n");
//! assert_eq!(outcome, Outcome::Got { whole: Whole::Framed, octets: 7 });
//! ```

#[cfg(feature = "prospero")]
mod access;
mod clock;
mod control;
#[cfg(feature = "prospero")]
mod datagrams;
mod dots;
mod end;
mod event;
mod exchange;
mod framing;
mod limits;
mod machine;
mod menu_line;
#[cfg(feature = "wais")]
mod packets;
mod receive;
pub(crate) mod resume;
mod session;
#[cfg(feature = "wais")]
mod slices;
mod speed;
mod state;
mod transfer;

pub use event::{Channel, Destination, Ending, Event, Outcome, Want, Way, Whole};
pub use limits::{Limits, Slowest};
pub use session::Session;
pub(crate) use session::may_be_resumed;
#[cfg(feature = "http")]
pub(crate) use speed::Speed;
pub use state::Run;

pub use crate::error::failure::{
    CodingCause, ConnectCause, Detail, Failure, FailureKind, FileCause, Forbidden, NameCause, NameError,
    PartCause, PlanCause, ProtocolCause, ProxyCause, RedirectCause, RefusedMethod, Reply, TlsCause,
    UnsentLogin, Withheld,
};
