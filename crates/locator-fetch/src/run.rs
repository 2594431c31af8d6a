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

mod event;
mod exchange;
mod framing;
mod limits;
mod machine;
#[cfg(feature = "prospero")]
mod prospero;
pub(crate) mod resume;
mod session;
mod state;
#[cfg(feature = "wais")]
mod wais;

#[cfg(feature = "http")]
pub(crate) use self::limits::Speed;
pub use event::{Channel, Destination, Ending, Event, Outcome, Want, Way, Whole};
pub use limits::{Limits, Slowest};
pub use session::Session;
pub(crate) use session::may_be_resumed;
pub use state::Run;

pub use crate::error::failure::{
    CodingCause, ConnectCause, Detail, Failure, FailureKind, FileCause, Forbidden, NameCause, NameError,
    PartCause, PlanCause, ProtocolCause, ProxyCause, RedirectCause, RefusedMethod, Reply, TlsCause,
    UnsentLogin, Withheld,
};
