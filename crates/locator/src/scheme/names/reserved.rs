//! Names of schemes that documents reserve: their URLs are parsed by the generic rule, and cannot
//! be fetched. "x500" is "a subject for study" in the draft of 1993; "nfs", "mailserver" and
//! "z39.50" are reserved by RFC 1738, section 4; names that begin with "x-" are for experiments "by
//! mutual agreement between parties".

use crate::form::Syntax;
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
#[cfg(feature = "plan")]
use crate::reference::UriRef;
use crate::scheme::{Equivalences, Scheme};

/// A reserved scheme name.
#[derive(Debug)]
pub(in crate::scheme) struct Reserved {
    names: &'static [&'static str],
    object: &'static str,
    port: Option<u16>,
    form: Syntax,
}

pub(in crate::scheme) static X500: Reserved = Reserved {
    names: &["x500"],
    object: "an entry of the directory; reserved",
    port: None,
    form: Syntax { text: "x500:…", citation: "draft of 1993, x500" },
};

pub(in crate::scheme) static NFS: Reserved = Reserved {
    names: &["nfs"],
    object: "a file of an NFS server; reserved",
    port: Some(2049),
    form: Syntax { text: "nfs:…", citation: "RFC 1738, 4; RFC 2224" },
};

pub(in crate::scheme) static MAILSERVER: Reserved = Reserved {
    names: &["mailserver"],
    object: "what a mail server sends; reserved",
    port: None,
    form: Syntax { text: "mailserver:…", citation: "RFC 1738, 4" },
};

pub(in crate::scheme) static Z39_50: Reserved = Reserved {
    names: &["z39.50"],
    object: "a Z39.50 service; reserved",
    port: Some(210),
    form: Syntax { text: "z39.50:…", citation: "RFC 1738, 4" },
};

impl Scheme for Reserved {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn object(&self) -> &'static str {
        self.object
    }

    fn form(&self) -> Syntax {
        self.form
    }

    fn default_port(&self) -> Option<u16> {
        self.port
    }
}

impl Equivalences for Reserved {}

impl crate::scheme::Divide for Reserved {}

#[cfg(feature = "plan")]
impl crate::scheme::Planner for Reserved {}

/// The names that begin with "x-".
#[derive(Debug)]
pub(in crate::scheme) struct Experimental;

impl Scheme for Experimental {
    fn names(&self) -> &'static [&'static str] {
        &["x-…"]
    }

    fn is_named(&self, name: &str) -> bool {
        name.get(..2).is_some_and(|begin| begin.eq_ignore_ascii_case("x-"))
    }

    fn object(&self) -> &'static str {
        "experimental, by agreement"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "x-name:…", citation: "RFC 1738, 4" }
    }
}

impl Equivalences for Experimental {}

impl crate::scheme::Divide for Experimental {}

#[cfg(feature = "plan")]
impl crate::scheme::Planner for Experimental {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        self.specific(reference)?;
        Err(PlanError::NoLocation {
            why: "the scheme is experimental and defined by its users; map it to a gateway, or register the scheme",
            citation: "RFC 1738, 4",
        })
    }
}
