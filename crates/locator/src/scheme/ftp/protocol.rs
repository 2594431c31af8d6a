//! The protocol of ftp URLs: how its lines end, and what its replies mean.

use crate::exchange::{Meaning, On, Protocol, ReplyFraming};
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
