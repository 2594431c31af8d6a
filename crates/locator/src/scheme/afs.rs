//! afs: what follows the scheme enters, the first octet that breaks the rule leaves. Follows
//! "BNF syntax" of the draft of 1993; that of 1994 has it "as historical note, but is not a url
//! production".

use super::piece::{BNF_1993, PATH_1993};
use super::{Reader, Scheme, SchemeRule};
use crate::edition::{Rule, URL_1993};
use crate::error::Error;
use crate::plan::Form;

/// Files of a cell of the Andrew File System.
#[derive(Debug)]
pub(super) struct Afs;

impl Scheme for Afs {
    fn names(&self) -> &'static [&'static str] {
        &["afs"]
    }

    fn object(&self) -> &'static str {
        "a file in a cell"
    }

    fn form(&self) -> Form {
        Form { text: "afs://cell/path", see: "draft of 1994, BNF" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }
}

static RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1993,
    rule: &Rule { name: "afsaddress", section: BNF_1993, expects: "the form afs://cell/path" },
    check: check_1993,
}];

// afsaddress = "afs://" hostname "/" path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.expect("//")?;
    reader.take_hostname(reader.find(b"/"), &CELL)?;
    reader.expect("/")?;
    reader.take(&PATH_1993, b"")?;
    Ok(())
}

// cellname = hostname
static CELL: Rule = Rule {
    name: "cellname",
    section: BNF_1993,
    expects: "a domain name whose labels begin with letters, no number",
};
