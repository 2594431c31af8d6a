//! file: what follows the scheme enters, the first octet that breaks the rule leaves. Follows
//! RFC 1738, section 3.10; the drafts before it have none.
//!
//! From and to the paths of a system it goes by [`Platform`], as RFC 8089 has it.

mod error;
mod path;
#[cfg(feature = "std")]
mod std_path;

pub use error::PathError;
pub use path::Platform;

use super::piece::FPATH_1738;
use super::{Reader, Scheme, SchemeRule};
use crate::edition::{RFC1738, Rule};
use crate::error::Error;
use crate::plan::Form;

/// Files of a host, this one or another.
#[derive(Debug)]
pub(super) struct File;

impl Scheme for File {
    fn names(&self) -> &'static [&'static str] {
        &["file"]
    }

    fn object(&self) -> &'static str {
        "a file of a host"
    }

    fn form(&self) -> Form {
        Form { text: "file://[host]/path", see: "RFC 8089, 2" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }

    // "As a special case, <host> can be the string "localhost" or the empty string; this is interpreted
    // as `the machine from which the URL is being interpreted'" (RFC 1738, 3.10).
    fn normal_host<'a>(&self, host: &'a str) -> &'a str {
        if host == "localhost" { "" } else { host }
    }
}

static RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &RFC1738,
    rule: &Rule { name: "fileurl", section: "3.10", expects: "the form file://[host]/path" },
    check: check_1738,
}];

// fileurl = "file://" [ host ] "/" fpath
fn check_1738(reader: &mut Reader<'_>) -> Result<(), Error> {
    reader.expect("//")?;
    let end = reader.find(b"/");
    if end > reader.offset() {
        reader.take_host(end)?;
    }
    reader.expect("/")?;
    reader.take(&FPATH_1738, b"")?;
    Ok(())
}
