//! telnet, rlogin and tn3270, interactive sessions: what follows the scheme enters, the first
//! octet that breaks the edition's rule for it leaves. Follows "Telnet, rlogin, tn3270" of the
//! drafts of 1993 and 1994, and RFC 1738, section 3.8.

use super::piece::{BNF_1993, BNF_1994};
use super::{Reader, Scheme, SchemeRule};
use crate::edition::{RFC1738, Rule, URL_1993, URL_1994};
use crate::error::Error;
use crate::plan::Form;

/// Sessions by the TELNET protocol.
#[derive(Debug)]
pub(super) struct Telnet;

impl Scheme for Telnet {
    fn names(&self) -> &'static [&'static str] {
        &["telnet"]
    }

    fn object(&self) -> &'static str {
        "an interactive session"
    }

    fn form(&self) -> Form {
        Form { text: "telnet://[user[:password]@]host[:port][/]", see: "RFC 1738, 3.8" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &TELNET_RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(23)
    }
}

/// Sessions by the rlogin protocol.
#[derive(Debug)]
pub(super) struct Rlogin;

impl Scheme for Rlogin {
    fn names(&self) -> &'static [&'static str] {
        &["rlogin"]
    }

    fn object(&self) -> &'static str {
        "an interactive session"
    }

    fn form(&self) -> Form {
        Form { text: "rlogin://[user[:password]@]host[:port]", see: "draft of 1994, BNF" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RLOGIN_RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(513)
    }
}

/// Sessions with a 3270 terminal.
#[derive(Debug)]
pub(super) struct Tn3270;

impl Scheme for Tn3270 {
    fn names(&self) -> &'static [&'static str] {
        &["tn3270"]
    }

    fn object(&self) -> &'static str {
        "an interactive session"
    }

    fn form(&self) -> Form {
        Form { text: "tn3270://[user[:password]@]host[:port]", see: "RFC 6270, 2" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &TN3270_RULES
    }

    fn default_port(&self) -> Option<u16> {
        Some(23)
    }
}

static TELNET_RULES: [SchemeRule; 3] = [
    SchemeRule {
        edition: &URL_1993,
        rule: &Rule {
            name: "telnetaddress",
            section: BNF_1993,
            expects: "the form telnet://[user@]host[:port]",
        },
        check: check_1993,
    },
    SchemeRule {
        edition: &URL_1994,
        rule: &Rule {
            name: "telnetaddress",
            section: BNF_1994,
            expects: "the form telnet://[user[:password]@]host[:port]",
        },
        check: check_1994,
    },
    SchemeRule {
        edition: &RFC1738,
        rule: &Rule {
            name: "telneturl",
            section: "3.8",
            expects: "the form telnet://[user[:password]@]host[:port][/]",
        },
        check: check_1738,
    },
];

static RLOGIN_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule {
        name: "telnetaddress",
        section: BNF_1994,
        expects: "the form rlogin://[user[:password]@]host[:port]",
    },
    check: check_1994,
}];

static TN3270_RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1994,
    rule: &Rule {
        name: "telnetaddress",
        section: BNF_1994,
        expects: "the form tn3270://[user[:password]@]host[:port]",
    },
    check: check_1994,
}];

// telnetaddress = "telnet://" [ user "@" ] hostport
fn check_1993(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_login_without_password()
}

// telnetaddress = ( "telnet" / "rlogin" / "tn3270" ) "://" login
fn check_1994(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_login()
}

// telneturl = "telnet://" login [ "/" ]
fn check_1738(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.take_login()?;
    reader.skip("/");
    Ok(())
}
