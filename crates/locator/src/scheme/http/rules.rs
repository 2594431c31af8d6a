//! The rules of three editions for http: takes the cursor after the scheme's ":", returns the first
//! octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "BNF for specific URL
//! schemes" of that of 1994, and RFC 1738, section 3.3.

use crate::edition::{RFC1738, Rule, URL_1993, URL_1994, rfc1738};
use crate::error::ParseError;
use crate::scheme::syntax::terminals::{
    BNF_1993, BNF_1994, PATH_1993, PATH_1994, SEARCH_1738, SEARCH_1993, SEARCH_1994,
};
use crate::scheme::{Reader, SchemeRule, Terminal};
use crate::simd::AsciiSet;

pub(super) static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new("httpaddress", BNF_1993, "the form http://host[:port][/path][?search]"),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new("httpaddress", BNF_1994, "the form http://host[:port][/path][?search]"),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("httpurl", "3.3", "the form http://host[:port][/path[?search]]"),
        check: check_1738,
    },
];

// httpaddress = "http://" hostport [ "/" path ] [ "?" search ]
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    check_address(reader, &PATH_1993, &SEARCH_1993)
}

// httpaddress = "http://" hostport [ "/" path ] [ "?" search ]
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    check_address(reader, &PATH_1994, &SEARCH_1994)
}

fn check_address(
    reader: &mut Reader<'_>,
    path: &'static Terminal,
    search: &'static Terminal,
) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") {
        reader.take(path, b"?")?;
    }
    if reader.skip("?") {
        reader.take_some(search, b"")?;
    }
    Ok(())
}

// httpurl = "http://" hostport [ "/" hpath [ "?" search ] ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") {
        reader.take(&HPATH_1738, b"?")?;
        if reader.skip("?") {
            reader.take(&SEARCH_1738, b"")?;
        }
    }
    Ok(())
}

// hpath = hsegment *( "/" hsegment ); hsegment = *( uchar / ";" / ":" / "@" / "&" / "=" )
static HPATH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b";:@&=/")),
    "hpath",
    "3.3",
    "letters, digits, escapes or any of $-_.+!*'(),;:@&= and \"/\"",
);
