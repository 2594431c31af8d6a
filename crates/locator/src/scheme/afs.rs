//! The afs scheme: takes a URL, returns the first octet that breaks the edition's rule for it, its
//! parts, or the name of its file. Follows "BNF syntax" of the draft of 1993; that of 1994 has it
//! "as historical note, but is not a url production", RFC 1738 reserves it.

use alloc::vec::Vec;

use super::cursor::{BNF_1993, PATH_1993};
use super::parts::{Field, Fields, Part, Parts, Shape, builder};
use super::{Equivalences, Reader, Scheme, SchemeRule};
use crate::build::Value;
use crate::component::{SpannedSplit, SpannedStr};
use crate::edition::{Edition, Rule, URL_1993, rfc1738};
use crate::error::ParseError;
#[cfg(feature = "plan")]
use crate::form::ValueError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Local, Options, Plan, PlanError, Protocol, ReplyFraming};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// The scheme of files in a cell of the Andrew File System.
#[derive(Debug)]
pub(super) struct Afs;

impl Scheme for Afs {
    fn names(&self) -> &'static [&'static str] {
        &["afs"]
    }

    fn object(&self) -> &'static str {
        "a file in a cell"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "afs://cell/path", citation: "draft of 1993, BNF" }
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }
}

impl Equivalences for Afs {}

impl super::Divide for Afs {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = AfsUrl::of(reference)?;
        Ok(Fields::default().one("cell", url.cell).many("names", url.names()).end())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Afs {
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        let url = AfsUrl::of(reference)?;
        let mount =
            options.afs.ok_or(PlanError::NotConfigured { what: "where AFS is mounted", option: "afs" })?;
        let mut file = mount.trim_end_matches('/').as_bytes().to_vec();
        for (place, name) in
            [("the cell", url.cell)].into_iter().chain(url.names().map(|name| ("a name", name)))
        {
            let mut octets = AFS.bytes_of(place, name)?;
            // An escaped segment must not lead out of the cell.
            if matches!(octets.as_slice(), b"." | b"..") {
                return Err(PlanError::Value(ValueError::Unexpected {
                    span: name.place(),
                    expects: "a name other than \".\" and \"..\"",
                    citation: AFS.citation,
                }));
            }
            // A cell is named like a domain, ignoring case; a file system may be case-sensitive.
            if name == url.cell {
                octets.make_ascii_lowercase();
            }
            file.push(b'/');
            file.extend(octets);
        }
        Ok(Plan::new().then(Local::File { file }))
    }
}

/// A view of an afs URL as the cell and the names of a file.
///
/// ```
/// use locator::scheme::AfsUrl;
///
/// let url =
///     AfsUrl::of(locator::uri_ref!("afs://transarc.com/public/README")).unwrap();
/// assert_eq!(url.cell.as_str(), "transarc.com");
/// assert_eq!(
///     url.names().map(|name| name.as_str()).collect::<Vec<_>>(),
///     ["public", "README"]
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfsUrl<'a> {
    url: UriRef<'a>,
    /// The cell of the file.
    pub cell: SpannedStr<'a>,
    path: SpannedStr<'a>,
}

impl<'a> AfsUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, names no cell, or breaks the rule of its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let rest = Afs.specific(reference)?;
        let wrong = |excerpt: SpannedStr<'_>| SyntaxError::Form { span: excerpt.place(), form: Afs.form() };
        let (cell, path) =
            rest.strip_prefix("//").and_then(|rest| rest.split_once("/")).ok_or(wrong(rest))?;
        // A cell is a name alone, with no user and no port.
        let is_name = reference.spanned(Component::Host) == Some(cell) && !cell.is_empty();
        if is_name { Ok(Self { url: reference, cell, path }) } else { Err(wrong(cell)) }
    }

    /// Returns the names of the path.
    pub fn names(&self) -> SpannedSplit<'a, 'static> {
        self.path.split("/")
    }
}

/// A decoded name must not become two.
#[cfg(feature = "plan")]
static AFS: Protocol = Protocol {
    name: "a file system",
    delimiters: AsciiSet::of(b"/"),
    line_end: b"",
    citation: "draft of 1993, BNF",
    replies: ReplyFraming::None,
    meanings: &[],
};

static PARTS: [Part; 2] = [
    Part::new("cell", "", AsciiSet::EMPTY).of(Shape::Host),
    Part::new("names", "/", rfc1738::UCHAR).without_steps().of(Shape::Many('/')),
];

builder! {
    /// A builder of afs URLs from a cell and the names of a file.
    ///
    /// ```
    /// use locator::edition::URL_1993;
    /// use locator::scheme::{AfsParts, AfsUrl};
    ///
    /// let url = AfsParts::new("transarc.com")
    ///     .name("public")
    ///     .name("a b")
    ///     .build_with(&URL_1993)?;
    /// assert_eq!(url, "afs://transarc.com/public/a%20b");
    /// let parts = AfsUrl::try_from(&url).unwrap().parts().cell("other.com");
    /// assert_eq!(parts.build_with(&URL_1993)?, "afs://other.com/public/a%20b");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    AfsParts of AfsUrl, by [Afs];

    /// Adds a name to the path.
    each name: "names";
}

impl<'v> AfsParts<'v> {
    /// Creates a builder of the URL of a cell.
    pub fn new(cell: impl Into<Value<'v>>) -> Self {
        Self(Parts::new("afs")).cell(cell)
    }

    /// Sets the cell.
    pub fn cell(self, cell: impl Into<Value<'v>>) -> Self {
        Self(self.0.at(cell.into()))
    }
}

static RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &URL_1993,
    rule: &Rule::new("afsaddress", BNF_1993, "the form afs://cell/path"),
    check: check_1993,
}];

// afsaddress = "afs://" hostname "/" path
fn check_1993(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.expect("//")?;
    let end = reader.find(b"/");
    reader.refuse_user(end)?;
    reader.take_hostname(end, &CELL)?;
    reader.expect("/")?;
    reader.take(&PATH_1993, b"")?;
    Ok(())
}

// cellname = hostname
static CELL: Rule = Rule::new(
    "cellname",
    BNF_1993,
    "a domain name whose first label begins with a letter and the others with a letter or digit",
);
