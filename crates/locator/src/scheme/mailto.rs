//! mailto: what follows the scheme enters, the first octet that breaks the edition's rule for
//! it leaves. Follows the draft of 1994 and RFC 1738, section 3.5.

use alloc::borrow::Cow;

use super::piece::{BNF_1994, XALPHA_1994};
use super::{Piece, Reader, Scheme, SchemeRule};
use crate::edition::{RFC1738, Rule, URL_1994, rfc1738};
use crate::error::Error;
use crate::plan::Form;
use crate::reference::UriRef;

/// Addresses of electronic mail.
#[derive(Debug)]
pub(super) struct Mailto;

impl Scheme for Mailto {
    fn names(&self) -> &'static [&'static str] {
        &["mailto"]
    }

    fn object(&self) -> &'static str {
        "an address; nothing is retrieved"
    }

    fn form(&self) -> Form {
        Form { text: "mailto:[address[,address]…][?name=value[&name=value]…]", see: "RFC 6068, 2" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    // "mailto:Joe@Example.COM" is equivalent to "mailto:Joe@example.com" (RFC 3986, 6.2.3).
    fn normal_path<'a>(&self, path: &'a str, _: UriRef<'_>) -> Cow<'a, str> {
        match path.split_once('@') {
            // Of one address without quotes it is plain which the host is.
            Some((name, host)) if !host.contains(['@', ',', '/']) && !path.contains(['"', '%']) => {
                Cow::Owned([name, "@", &host.to_ascii_lowercase()].concat())
            }
            _ => Cow::Borrowed(path),
        }
    }
}

static RULES: [SchemeRule; 2] = [
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule { name: "mailtoaddress", section: BNF_1994, expects: "the form mailto:name@hostname" },
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule { name: "mailtourl", section: "3.5", expects: "the form mailto:address" },
        check: check_1738,
    },
];

// mailtoaddress = "mailto:" 1*xalpha "@" hostname    ; the last "@" divides
fn check_1994(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_some_to(&XALPHA_1994, reader.find_last(b'@'))?;
    reader.expect("@")?;
    reader.take_hostname(reader.end(), &HOSTNAME_1994)
}

static HOSTNAME_1994: Rule = Rule {
    name: "hostname",
    section: BNF_1994,
    expects: "a domain name whose labels begin with letters, no number",
};

// mailtourl = "mailto:" encoded822addr; encoded822addr = 1*xchar
fn check_1738(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_some(&ADDRESS_1738, b"")?;
    Ok(())
}

static ADDRESS_1738: Piece = Piece::new(
    rfc1738::XCHAR,
    "encoded822addr",
    "3.5",
    "letters, digits, escapes or any of $-_.+!*'(),;/?:@&=, at least one",
);
