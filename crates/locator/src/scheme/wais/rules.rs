//! The rules of three editions for wais: takes the cursor after the scheme's ":", returns the first
//! octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "BNF for specific URL
//! schemes" of that of 1994, and RFC 1738, section 3.9.

use crate::edition::{RFC1738, Rule, URL_1993, URL_1994, rfc1738, url_1993, url_1994};
use crate::error::ParseError;
use crate::scheme::syntax::terminals::{
    BNF_1993, BNF_1994, DIGITS_1993, DIGITS_1994, PATH_1993, PATH_1994, SEARCH_1738, SEARCH_1993, SEARCH_1994,
};
use crate::scheme::{Reader, SchemeRule, Terminal};

pub(super) static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new(
            "waisaddress",
            BNF_1993,
            "the form wais://host[:port]/database[?search] or …/database/type/length/path",
        ),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "waisaddress",
            BNF_1994,
            "the form wais://host[:port]/database[?search] or …/database/type/number=value;…",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new(
            "waisurl",
            "3.9",
            "the form wais://host[:port]/database[?search] or …/database/type/path",
        ),
        check: check_1738,
    },
];

// waisindex = "wais://" hostport "/" database [ "?" search ]
// waisdoc   = "wais://" hostport "/" database "/" wtype "/" digits "/" path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_some(&DATABASE_1993, b"/?")?;
    if reader.skip("?") {
        reader.take_some(&SEARCH_1993, b"")?;
    } else if reader.skip("/") {
        reader.take_some(&WTYPE_1993, b"/")?;
        reader.expect("/")?;
        reader.take_some(&DIGITS_1993, b"/")?;
        reader.expect("/")?;
        reader.take(&PATH_1993, b"")?;
    }
    Ok(())
}

const XALPHAS_1993: &str = "letters, digits, escapes or any of $-_@.&!*\"'():;,, at least one";

// database = 1*xalpha
static DATABASE_1993: Terminal = Terminal::new(url_1993::XALPHA, "database", BNF_1993, XALPHAS_1993);
// wtype = 1*xalpha
static WTYPE_1993: Terminal = Terminal::new(url_1993::XALPHA, "wtype", BNF_1993, XALPHAS_1993);

// waisindex = "wais://" hostport "/" database [ "?" search ]
// waisdoc   = "wais://" hostport "/" database "/" wtype "/" wpath
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_some(&DATABASE_1994, b"/?")?;
    if reader.skip("?") {
        reader.take_some(&SEARCH_1994, b"")?;
    } else if reader.skip("/") {
        reader.take_some(&WTYPE_1994, b"/")?;
        reader.expect("/")?;
        take_wpath(reader)?;
    }
    Ok(())
}

// wpath = 1*( digits "=" path ";" )
fn take_wpath(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    loop {
        reader.take_some(&DIGITS_1994, b"=")?;
        reader.expect("=")?;
        reader.take(&PATH_1994, b";")?;
        reader.expect(";")?;
        if reader.is_at_end() {
            return Ok(());
        }
    }
}

const XALPHAS_1994: &str = "letters, digits, escapes or any of $-_@.&+!*\"'(),, at least one";

// database = 1*xalpha
static DATABASE_1994: Terminal = Terminal::new(url_1994::XALPHA, "database", BNF_1994, XALPHAS_1994);
// wtype = 1*xalpha
static WTYPE_1994: Terminal = Terminal::new(url_1994::XALPHA, "wtype", BNF_1994, XALPHAS_1994);

// waisdatabase = "wais://" hostport "/" database
// waisindex    = "wais://" hostport "/" database "?" search
// waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take(&DATABASE_1738, b"/?")?;
    if reader.skip("?") {
        reader.take(&SEARCH_1738, b"")?;
    } else if reader.skip("/") {
        reader.take(&WTYPE_1738, b"/")?;
        reader.expect("/")?;
        reader.take(&WPATH_1738, b"")?;
    }
    Ok(())
}

const UCHARS_1738: &str = "letters, digits, escapes or any of $-_.+!*'(),";

// database = *uchar
static DATABASE_1738: Terminal = Terminal::new(rfc1738::UCHAR, "database", "3.9", UCHARS_1738);
// wtype = *uchar
static WTYPE_1738: Terminal = Terminal::new(rfc1738::UCHAR, "wtype", "3.9", UCHARS_1738);
// wpath = *uchar
static WPATH_1738: Terminal = Terminal::new(rfc1738::UCHAR, "wpath", "3.9", UCHARS_1738);
