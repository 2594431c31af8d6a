//! afs: a URL enters; the first octet that breaks the edition's rule for it, its parts or the file that it
//! names leave. Follows "BNF syntax" of the draft of 1993; that of 1994 has it "as historical note, but is not
//! a url production", RFC 1738 reserves it.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::{Field, Fields};
use super::http::without_dots;
use super::login::LoginParts;
use super::piece::{BNF_1993, PATH_1993};
use super::{Equivalences, OwnPart, Reader, Scheme, SchemeRule, Shape, kept};
use crate::build::BuildError;
use crate::component::Excerpt;
use crate::edition::{Edition, Rule, URL_1993, rfc1738};
use crate::error::Error;
use crate::escape::EscapedBuf;
use crate::form::{Form, Malformed};
use crate::octet::Set;
use crate::part::Part;
use crate::plan::{Action, Options, Plan, PlanError, Protocol};
use crate::reference::{UriBuf, UriRef};

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
        Form { text: "afs://cell/path", see: "draft of 1993, BNF" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }
}

impl Equivalences for Afs {}

#[cfg(feature = "plan")]
impl super::Planner for Afs {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, Malformed> {
        let url = AfsUrl::of(reference)?;
        Ok(Fields::default().one("cell", url.cell).many("names", url.names()).end())
    }

    fn own_parts(&self, _: &Edition) -> &'static [OwnPart] {
        &OWN
    }

    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        let url = AfsUrl::of(reference)?;
        let mount =
            options.afs.ok_or(PlanError::NotConfigured { what: "where AFS is mounted", option: "afs" })?;
        let mut file = mount.trim_end_matches('/').as_bytes().to_vec();
        for (place, name) in
            [("the cell", url.cell)].into_iter().chain(url.names().map(|name| ("a name", name)))
        {
            let mut octets = AFS.octets_of(place, name)?;
            // What is escaped must not lead out of the cell.
            if matches!(octets.as_slice(), b"." | b"..") {
                return Err(PlanError::Value {
                    span: name.span(),
                    expects: "a name that is no step",
                    see: AFS.see,
                });
            }
            // A cell is named as a domain is, without regard to case, which a file system may have.
            if name == url.cell {
                octets.make_ascii_lowercase();
            }
            file.push(b'/');
            file.extend(octets);
        }
        Ok(Plan::new().then(Action::Read { file }))
    }
}

/// A URL of afs.
///
/// ```
/// use locator::scheme::AfsUrl;
///
/// let url = AfsUrl::of(locator::uri_ref!("afs://transarc.com/public/README")).unwrap();
/// assert_eq!(url.cell.as_str(), "transarc.com");
/// assert_eq!(url.names().map(|name| name.as_str()).collect::<Vec<_>>(), ["public", "README"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfsUrl<'a> {
    /// The cell.
    pub cell: Excerpt<'a>,
    path: Excerpt<'a>,
}

impl<'a> AfsUrl<'a> {
    /// Reads one.
    ///
    /// # Errors
    ///
    /// It is of another scheme, names no cell, or breaks the rule of its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, Malformed> {
        let rest = Afs.specific(reference)?;
        let wrong = |excerpt: Excerpt<'_>| Malformed::Form { span: excerpt.span(), form: Afs.form() };
        let (cell, path) =
            rest.strip_prefix("//").and_then(|rest| rest.split_once("/")).ok_or(wrong(rest))?;
        // A cell is a name alone, with no user and no port.
        let is_name = reference.excerpt(Part::Host) == Some(cell) && !cell.is_empty();
        if is_name { Ok(Self { cell, path }) } else { Err(wrong(cell)) }
    }

    /// The names of the path.
    pub fn names(&self) -> impl Iterator<Item = Excerpt<'a>> + use<'a> {
        self.path.split("/")
    }
}

/// A name that is unescaped must not become two.
static AFS: Protocol =
    Protocol { name: "a file system", delimiters: Set::of(b"/"), line_end: b"", see: "draft of 1993, BNF" };

static OWN: [OwnPart; 2] = [
    OwnPart::new("cell", "", Set::EMPTY).of(Shape::Host),
    OwnPart::new("names", "/", rfc1738::UCHAR).of(Shape::Many('/')),
];

/// What an afs URL is built of; all of it is data.
///
/// ```
/// use locator::edition::URL_1993;
/// use locator::scheme::AfsParts;
///
/// let parts = AfsParts { cell: "transarc.com", names: &[b"public", b"a b"] };
/// assert_eq!(parts.build(&URL_1993)?, "afs://transarc.com/public/a%20b");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AfsParts<'v> {
    /// The cell.
    pub cell: &'v str,
    /// The names of the path.
    pub names: &'v [&'v [u8]],
}

impl AfsParts<'_> {
    /// The URL.
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URL of the edition.
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let mut rest = String::new();
        for name in self.names {
            rest.push('/');
            let escaped = EscapedBuf::escape(name, kept(edition, Part::Path, rfc1738::UCHAR));
            rest.push_str(&without_dots(escaped, edition)?);
        }
        LoginParts { host: self.cell, ..LoginParts::default() }.build("afs", edition, &rest)
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
    expects: "a domain name whose first label begins with a letter and the others with a letter or digit",
};
