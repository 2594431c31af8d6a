//! Time: dates as protocols write them (HTTP: RFC 9110, 5.6.7; FTP: RFC 3659, 2.3), and how long the steps of a fetch
//! take ([`Timings`](timings::Timings)).
//!
//! ```
//! use locator_fetch::{fmt_http_date, parse_http_date};
//!
//! let time = parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
//! assert_eq!(fmt_http_date(time), "Sun, 06 Nov 1994 08:49:37 GMT");
//! ```

pub(crate) mod date;
pub(crate) mod timings;
