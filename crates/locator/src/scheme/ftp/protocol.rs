//! The protocol of ftp URLs: how its lines end, and what its replies mean.

use crate::plan::{Exchange, Meaning, On, Protocol, ReplyFraming, Then};
use crate::simd::AsciiSet;

/// A command has one argument, so no octet divides arguments; every line refuses CR, LF and NUL.
/// The meanings are those of RFC 959, 4.2.2.
pub(super) static FTP: Protocol = Protocol {
    name: "FTP",
    delimiters: AsciiSet::EMPTY,
    line_end: b"\r\n",
    citation: "RFC 959, 5.3; RFC 1738, 6",
    replies: ReplyFraming::Lines,
    meanings: &[
        (On::Class(1), Meaning::Wait),
        (On::Code(421), Meaning::Busy),
        (On::Code(425), Meaning::Broken),
        (On::Code(426), Meaning::Broken),
        (On::Code(430), Meaning::WrongLogin),
        (On::Code(451), Meaning::Broken),
        (On::Code(500), Meaning::NotSupported),
        (On::Code(501), Meaning::NotSupported),
        (On::Code(502), Meaning::NotSupported),
        (On::Code(503), Meaning::Unexpected),
        (On::Code(504), Meaning::NotSupported),
        (On::Code(530), Meaning::WrongLogin),
        (On::Code(532), Meaning::NeedAccount),
        (On::Code(550), Meaning::Missing),
    ],
};

/// Adds the replies of a server that does not do what it is asked for, where the transfer can do without
/// it. After 421 the server closes the connection, so nothing can follow.
pub(super) fn or_without(exchange: Exchange, means: Meaning) -> Exchange {
    let refused = exchange.next(On::Class(4), means).next(On::Class(5), means);
    refused.on(On::Code(421), Meaning::Busy, Then::Fail)
}
