//! The answers of Prospero's directory protocol, version 5: takes the octets of an answer, returns
//! attributes, links and failures, and the URLs that access methods give. Pure: nothing is sent.
//!
//! ```
//! use locator_fetch::prospero::{Method, Place, attributes};
//!
//! let answer = b"ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE 9' bytes'
//! ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE AFTP INTERNET-D h ASCII '/pub/a b' BINARY\n";
//! let attributes = attributes(answer).unwrap();
//! assert_eq!(attributes[0].values, [b"9 bytes"]);
//! let place = Place { host: "h", port: None, name: b"AFTP/pub/a b" };
//! let method = Method::of(&attributes[1]).unwrap();
//! assert_eq!(method.url(place).unwrap(), "ftp://h/pub/a%20b;type=i");
//! ```

mod method;
mod record;
mod words;

pub(crate) use method::host_of;
#[cfg(feature = "entries")]
pub(crate) use method::port_of;
pub use method::{Method, MethodError, MethodKind, Place};
pub(crate) use record::has_nothing;
pub use record::{Attribute, Failed, Link, Reason, Record, attributes, contents, failure, records};
