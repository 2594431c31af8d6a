//! The rules of three editions for gopher: takes the cursor after the scheme's ":", returns the
//! first octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "BNF for specific
//! URL schemes" of that of 1994, and RFC 1738, section 3.4.1.

use crate::edition::{RFC1738, Rule, URL_1993, URL_1994, rfc1738, url_1993};
use crate::error::ParseError;
use crate::scheme::syntax::terminals::{BNF_1993, BNF_1994, PATH_1993, PATH_1994, SEARCH_1993, XALPHA_1994};
use crate::scheme::{Reader, SchemeRule, Terminal};

pub(super) static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new(
            "gopheraddress",
            BNF_1993,
            "the form gopher://host[:port][/[type[selector]]][?search]",
        ),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "gopheraddress",
            BNF_1994,
            "the form gopher://host[:port][/[type[selector[%09search[%09gopher+]]]]]",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new(
            "gopherurl",
            "3.4.1",
            "the form gopher://host[:port][/[type[selector[%09search[%09gopher+]]]]]",
        ),
        check: check_1738,
    },
];

// gopheraddress = "gopher://" hostport [ "/" [ gtype [ selector ] ] ] [ "?" search ]
// gtype = xalpha; selector = path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") && reader.find(b"?") > reader.offset() {
        reader.take_one(&GTYPE_1993)?;
        reader.take(&PATH_1993, b"?")?;
    }
    if reader.skip("?") {
        reader.take_some(&SEARCH_1993, b"")?;
    }
    Ok(())
}

static GTYPE_1993: Terminal = Terminal::new(
    url_1993::XALPHA,
    "gtype",
    BNF_1993,
    "a letter, a digit, an escape or one of $-_@.&!*\"'():;,",
);

// gopheraddress = "gopher://" hostport [ "/" [ gtype [ gcommand ] ] ]
// gtype = xalpha; gcommand = path
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") && !reader.is_at_end() {
        reader.take_one(&XALPHA_1994)?;
        reader.take(&PATH_1994, b"")?;
    }
    Ok(())
}

// gopherurl = "gopher://" hostport
//             [ "/" [ gtype [ selector [ "%09" gsearch [ "%09" gopherplus ] ] ] ] ]
// gtype = xchar; selector, gsearch and gopherplus are *xchar each, and so are all together.
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    if reader.skip("/") {
        reader.take(&SELECTOR_1738, b"")?;
    }
    Ok(())
}

static SELECTOR_1738: Terminal = Terminal::new(
    rfc1738::XCHAR,
    "selector",
    "3.4.1",
    "letters, digits, escapes or any of $-_.+!*'(),;/?:@&=",
);
