//! The rules of three editions for ftp: takes the cursor after the scheme's ":", returns the first
//! octet that breaks the rule. Follows "BNF syntax" of the draft of 1993, "Data type" and "BNF for
//! specific URL schemes" of that of 1994, and RFC 1738, section 3.2.

use crate::edition::{RFC1738, Rule, URL_1993, URL_1994};
use crate::error::ParseError;
use crate::scheme::syntax::terminals::{BNF_1993, BNF_1994, DIGITS_1994, FPATH_1738, PATH_1993, PATH_1994};
use crate::scheme::{Reader, SchemeRule, Terminal};
use crate::simd::AsciiSet;

pub(super) static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new("fileaddress", BNF_1993, "the form ftp://[user[:password]@]host[:port]/path"),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "ftpaddress",
            BNF_1994,
            "the form ftp://[user[:password]@]host[:port]/path[;type=code]",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("ftpurl", "3.2", "the form ftp://[user[:password]@]host[:port][/path[;type=code]]"),
        check: check_1738,
    },
];

// fileaddress = "ftp://" [ user [ ":" user ] "@" ] hostport "/" path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()?;
    reader.expect("/")?;
    reader.take(&PATH_1993, b"")?;
    Ok(())
}

// ftpaddress = "ftp://" login "/" path [ ";type=" ftptype ]
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()?;
    reader.expect("/")?;
    reader.take(&PATH_1994, b";")?;
    if reader.is_at_end() {
        return Ok(());
    }
    reader.expect(";type=")?;
    // ftptype = "A" formcode / "E" formcode / "I" / "L" digits / "A" / "E" / "D"
    match reader.take_one(&FTPTYPE_1994)? {
        "A" | "a" | "E" | "e" if !reader.is_at_end() => reader.take_one(&FORMCODE)?,
        "L" | "l" => reader.take_some(&DIGITS_1994, b"")?,
        code => code,
    };
    Ok(())
}

static FTPTYPE_1994: Terminal = Terminal::new(
    AsciiSet::of(b"AEILDaeild"),
    "ftptype",
    "Data type",
    "\"A\" or \"E\" with or without \"N\", \"T\" or \"C\", or \"I\", \"L\" and digits, or \"D\"",
);

// formcode = "N" / "T" / "C"
static FORMCODE: Terminal =
    Terminal::new(AsciiSet::of(b"NTCntc"), "formcode", "Data type", "\"N\", \"T\" or \"C\", or nothing");

// ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ] ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_login()?;
    if reader.skip("/") {
        reader.take(&FPATH_1738, b";")?;
        if !reader.is_at_end() {
            reader.expect(";type=")?;
            reader.take_one(&FTPTYPE_1738)?;
        }
    }
    Ok(())
}

// ftptype = "A" / "I" / "D"
static FTPTYPE_1738: Terminal =
    Terminal::new(AsciiSet::of(b"AIDaid"), "ftptype", "3.2.2", "one of \"a\", \"i\" and \"d\"");
