//! nntp: what follows the scheme enters, the first octet that breaks the edition's rule for it
//! leaves. Follows the draft of 1994 and RFC 1738, section 3.7.

use super::group::{take_group_1738, take_group_1994};
use super::piece::{BNF_1994, DIGITS_1738, DIGITS_1994};
use super::{Reader, Scheme, SchemeRule};
use crate::edition::{RFC1738, Rule, URL_1994};
use crate::error::Error;
use crate::plan::Form;

/// Articles by their numbers on one server.
#[derive(Debug)]
pub(super) struct Nntp;

impl Scheme for Nntp {
    fn names(&self) -> &'static [&'static str] {
        &["nntp"]
    }

    fn object(&self) -> &'static str {
        "an article by number on one server"
    }

    fn form(&self) -> Form {
        Form { text: "nntp://host[:port]/group[/number]", see: "RFC 5538, 3" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(119)
    }
}

static RULES: [SchemeRule; 2] = [
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule {
            name: "nntpaddress",
            section: BNF_1994,
            expects: "the form nntp://host[:port]/group/number",
        },
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule {
            name: "nntpurl",
            section: "3.7",
            expects: "the form nntp://host[:port]/group[/number]",
        },
        check: check_1738,
    },
];

// nntpaddress = "nntp://" hostport "/" group "/" digits
fn check_1994(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_hostport()?;
    reader.expect("/")?;
    take_group_1994(reader, b"/")?;
    reader.expect("/")?;
    reader.take_some(&DIGITS_1994, b"")?;
    Ok(())
}

// nntpurl = "nntp://" hostport "/" group [ "/" digits ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_hostport()?;
    reader.expect("/")?;
    take_group_1738(reader, b"/")?;
    if reader.skip("/") {
        reader.take_some(&DIGITS_1738, b"")?;
    }
    Ok(())
}
