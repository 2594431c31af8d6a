//! The limits of HTTP, in one table. Those of time and of the size of an object are in
//! [`Limits`](crate::run::Limits), the number of redirects is that of the hops of a fetcher, and how
//! many octets a compressed one may become is in `coding`. Those of proxies and of idle connections are in
//! `net/`.

/// The octets of a head, and of trailers.
pub(super) const HEAD: usize = 300 << 10;

/// The fields of a head, and of trailers. A table of so many is made for each response. Large sites send
/// hundreds, as policies and cookies.
pub(super) const FIELDS: usize = 2_000;

/// The responses before the final one, such as 103 (RFC 9110, 15.2).
pub(super) const INTERIM: u32 = 50;

/// The octets of a connection before a head is whole, whatever they are: frames of HTTP/2, responses
/// before the final one, and what is left of a message before.
pub(super) const BEFORE_HEAD: u64 = 1 << 20;

/// The octets of a body that is read only to use the connection again, and how many milliseconds it is
/// waited for.
pub(super) const UNUSED_BODY: u64 = 64 << 10;
pub(super) const UNUSED_TIME: u64 = 1_000;

/// How often a request is sent again whose connection was closed before it could answer.
pub(super) const REPEATS: u32 = 5;

/// The octets that a server of HTTP/2 may send before they are taken.
pub(super) const WINDOW: u32 = 1 << 20;

/// That of each response on the connections that threads share.
pub(super) const THREADS_WINDOW: u32 = 256 << 10;

/// A connection that many share has room for the windows of so many: otherwise responses that nobody takes yet
/// would stop the others.
pub(super) const SHARED_WINDOWS: u32 = 100;

/// The large windows, of br and zstd, that all responses of a fetcher together have; while they are in
/// use, only gzip is asked for, whose windows have 32 KiB.
pub(super) const LARGE_WINDOWS: usize = 2;

/// A longer body is announced by `Expect: 100-continue`, and is sent when the server wants it, or after so
/// many milliseconds (RFC 9110, 10.1.1).
pub(super) const EXPECT: u64 = 1 << 20;
pub(super) const CONTINUE_TIME: u64 = 1_000;

/// The octets of a request target: http's `Uri` takes no more.
pub(super) const TARGET: usize = 65_534;
