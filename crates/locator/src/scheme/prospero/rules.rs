//! The rules of three editions for prospero: takes the cursor after the scheme's ":", returns the
//! first octet that breaks the rule. Follows "Prospero" of the draft of 1993, "BNF for specific URL
//! schemes" of that of 1994, and RFC 1738, section 3.11.

use crate::edition::{RFC1738, Rule, URL_1993, URL_1994, rfc1738};
use crate::error::ParseError;
use crate::scheme::syntax::terminals::{BNF_1993, BNF_1994, DIGITS_1993, DIGITS_1994, PATH_1993, PATH_1994};
use crate::scheme::{Reader, SchemeRule, Terminal};
use crate::simd::AsciiSet;

pub(super) static RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule::new(
            "prosperoaddress",
            "Prospero",
            "the form prospero://host[:port]/name[%00version[%00attribute]…], with an empty version only before an attribute",
        ),
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule::new(
            "prosperoaddress",
            BNF_1994,
            "the form prospero://host[:port]/name[%00version[%00attribute]…]",
        ),
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule::new("prosperourl", "3.11", "the form prospero://host[:port]/path[;field=value]…"),
        check: check_1738,
    },
];

/// An escaped NUL, which is a delimiter.
pub(super) const NUL: &str = "%00";

// prosperoaddress = "prospero://" hostport "/" hsoname
//                   [ "%00" digits *( "%00" attribute ) / "%00" 1*( "%00" attribute ) ]
// hsoname = path without an escaped NUL
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_to(&PATH_1993, reader.find_literal(NUL))?;
    if reader.skip(NUL) {
        // "If the optional list of attributes is provided, the version number must be present, but may
        // be the empty string"
        if !reader.rest().starts_with(NUL.as_bytes()) {
            reader.take_some_to(&DIGITS_1993, reader.find_literal(NUL))?;
        }
        take_attributes(reader, &ATTRIBUTE_1993)?;
    }
    Ok(())
}

// prosperoaddress = "prospero://" hostport "/" hsoname [ "%00" digits *( "%00" attribute ) ]
fn check_1994(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take_to(&PATH_1994, reader.find_literal(NUL))?;
    if reader.skip(NUL) {
        reader.take_some_to(&DIGITS_1994, reader.find_literal(NUL))?;
        take_attributes(reader, &ATTRIBUTE_1994)?;
    }
    Ok(())
}

// *( "%00" attribute )
fn take_attributes(reader: &mut Reader<'_>, attribute: &'static Terminal) -> Result<(), ParseError> {
    while reader.skip(NUL) {
        reader.take_some_to(attribute, reader.find_literal(NUL))?;
    }
    Ok(())
}

// attribute = 1*( ALPHA / DIGIT )
static ATTRIBUTE_1993: Terminal =
    Terminal::new(ALPHANUM, "attribute", BNF_1993, "letters or digits, at least one");
static ATTRIBUTE_1994: Terminal =
    Terminal::new(ALPHANUM, "attribute", BNF_1994, "letters or digits, at least one");
pub(super) const ALPHANUM: AsciiSet = AsciiSet::ALPHA.union(AsciiSet::DIGIT);

// prosperourl = "prospero://" hostport "/" ppath *fieldspec
// fieldspec = ";" fieldname "=" fieldvalue
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.take_hostport()?;
    reader.expect("/")?;
    reader.take(&PPATH_1738, b";")?;
    while reader.skip(";") {
        reader.take(&FIELDNAME_1738, b"=;")?;
        reader.expect("=")?;
        reader.take(&FIELDVALUE_1738, b";")?;
    }
    Ok(())
}

// ppath = psegment *( "/" psegment ); psegment = *( uchar / "?" / ":" / "@" / "&" / "=" )
static PPATH_1738: Terminal = Terminal::new(
    rfc1738::UCHAR.union(AsciiSet::of(b"?:@&=/")),
    "ppath",
    "3.11",
    "letters, digits, escapes or any of $-_.+!*'(),?:@&= and \"/\"",
);

const FIELD: AsciiSet = rfc1738::UCHAR.union(AsciiSet::of(b"?:@&"));
const FIELD_EXPECTS: &str = "letters, digits, escapes or any of $-_.+!*'(),?:@&";
// fieldname = *( uchar / "?" / ":" / "@" / "&" )
static FIELDNAME_1738: Terminal = Terminal::new(FIELD, "fieldname", "3.11", FIELD_EXPECTS);
// fieldvalue = *( uchar / "?" / ":" / "@" / "&" )
static FIELDVALUE_1738: Terminal = Terminal::new(FIELD, "fieldvalue", "3.11", FIELD_EXPECTS);
