//! Converts paths to file URIs and file URIs to paths, and divides `file` URLs.
//!
//! Takes a URL and returns the first byte that breaks the edition's rule for it, or its parts. Follows
//! RFC 1738, section 3.10, and RFC 8089 in the editions that leave schemes to other documents; the drafts
//! have no rule.
//!
//! [`Platform`] converts for the system that the program runs on, or for another one:
//!
//! ```
//! use locator::scheme::file::{PathError, Platform};
//! use locator::uri;
//!
//! let uri = Platform::Posix.to_uri("/home/jan/50% off.txt")?;
//! assert_eq!(uri, "file:///home/jan/50%25%20off.txt");
//! assert_eq!(Platform::Posix.to_path(&uri)?, b"/home/jan/50% off.txt");
//!
//! // "%2F" is data in a segment, which no name of a file can contain.
//! let error = Platform::Posix.to_path(uri!("file:///a%2Fb")).unwrap_err();
//! assert!(matches!(error, PathError::Delimiter { .. }));
//! # Ok::<_, PathError>(())
//! ```
//!
//! With the feature `std`, [`UriBuf::from_file_path`](crate::UriBuf::from_file_path) and
//! [`UriRef::to_file_path`](crate::UriRef::to_file_path) take and return paths of `std`.
//!
//! # Pitfalls
//!
//! - A file URI does not say which file is meant on another machine. [`PathError::OtherHost`] reports a
//!   host that this platform cannot reach by a path.
//! - A relative path has no file URI, because its base is unknown: make it absolute first.
//! - A path may lead outside a directory by a link. Check the file that was opened, not the URI.
//! - A base for the files in a directory must end with "/":
//!   [`to_directory_uri`](Platform::to_directory_uri) adds it.

mod error;
mod path;
#[cfg(feature = "plan")]
mod plan;
mod platform;
#[cfg(feature = "std")]
mod std_path;

pub use error::PathError;
pub use platform::Platform;

use alloc::string::String;
use alloc::vec::Vec;

use super::cursor::FPATH_1738;
use super::parts::{Field, Fields, Part, Parts, Piece, Shape, builder};
use super::{Equivalences, Reader, Scheme, SchemeRule, if_ruled, rule_of};
use crate::build::{BuildError, Value};
use crate::component::{SpannedSplit, SpannedStr};
use crate::edition::{Edition, RFC1738, Rule, rfc1738};
use crate::error::ParseError;
use crate::form::{Syntax, SyntaxError};
#[cfg(feature = "plan")]
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;
use crate::simd::AsciiSet;
use crate::span::Component;

/// The scheme of files of a host, this one or another.
#[derive(Debug)]
pub(super) struct File;

impl Scheme for File {
    fn names(&self) -> &'static [&'static str] {
        &["file"]
    }

    fn object(&self) -> &'static str {
        "a file of a host"
    }

    fn form(&self) -> Syntax {
        Syntax { text: "file://[host]/path", citation: "RFC 8089, 2" }
    }

    fn equivalence(&self) -> &'static str {
        "RFC 8089, 2, B and E.2"
    }

    // local-path = path-absolute (RFC 8089, 2): "file:/etc/motd"
    fn is_evident(&self, rest: &[u8]) -> bool {
        let is_path = |rest: &[u8]| matches!(rest, [b'/', first, ..] if first.is_ascii_alphanumeric() || b"%._~".contains(first));
        is_path(rest)
            || matches!(rest, [drive, b':', path @ ..] if drive.is_ascii_alphabetic() && is_path(path))
    }

    fn rules(&self) -> &'static [SchemeRule] {
        &RULES
    }
}

impl Equivalences for File {
    // "The minimal representation of a local file with no authority field" and "a traditional file
    // URI for a local file with an empty authority" (RFC 8089, B).
    fn implies_authority(&self, reference: UriRef<'_>) -> bool {
        rule_of(self, reference.edition()).is_none() && reference.path().is_absolute()
    }

    // "file:c:/path/to/file" and "file:///c:/path/to/file" (RFC 8089, E.2).
    fn compared_form(&self, reference: UriRef<'_>) -> Option<String> {
        let url = FileUrl::of(reference).ok()?;
        let is_local = url.host.is_none_or(SpannedStr::is_empty) && path::has_drive(url.path.as_str());
        is_local.then(|| alloc::format!("file:///{}", url.path.as_str()))
    }

    // fsegment = *( uchar / "?" / ":" / "@" / "&" / "=" ) (RFC 1738, 5)
    fn unreserved(&self, part: Component, reference: UriRef<'_>) -> AsciiSet {
        if part == Component::Path { if_ruled(self, reference, b"?:@&=") } else { AsciiSet::EMPTY }
    }

    // "As a special case, <host> can be the string "localhost" or the empty string; this is
    // interpreted as `the machine from which the URL is being interpreted'" (RFC 1738, 3.10).
    fn normal_host<'a>(&self, host: &'a str) -> &'a str {
        if host == "localhost" { "" } else { host }
    }
}

impl super::Divide for File {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        let url = FileUrl::of(reference)?;
        Ok(Fields::default().maybe("host", url.host).many("names", url.names()).end())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl super::Planner for File {
    fn plan(&self, reference: UriRef<'_>, _: &Options<'_>) -> Result<Plan, PlanError> {
        FileUrl::of(reference)?.plan(reference)
    }
}

/// A view of a file URL as a host and the names of a path.
///
/// ```
/// use locator::scheme::file::FileUrl;
///
/// let url = FileUrl::of(locator::uri_ref!(
///     "file://vms.host.edu/disk$user/my/notes/note12345.txt"
/// ))
/// .unwrap();
/// assert_eq!(url.host.unwrap().as_str(), "vms.host.edu");
/// let names: Vec<_> = url.names().map(|name| name.as_str()).collect();
/// assert_eq!(names, ["disk$user", "my", "notes", "note12345.txt"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileUrl<'a> {
    url: UriRef<'a>,
    /// The host; empty for the local host, `None` if there is no "//".
    pub host: Option<SpannedStr<'a>>,
    path: SpannedStr<'a>,
}

impl<'a> FileUrl<'a> {
    /// Parses a reference as a URL of this scheme, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, names no file, or breaks the rule of its edition.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        let rest = File.specific(reference)?;
        let host = reference.spanned(Component::Host);
        let start = reference.spanned(Component::Path).map_or(rest.span(), SpannedStr::span).start;
        let path = reference.excerpt_of(start..rest.span().end);
        match path.strip_prefix("/") {
            Some(path) => Ok(Self { url: reference, host, path }),
            // local-path = [ drive-letter ] path-absolute (RFC 8089, E.2): "file:c:/path"
            None if path::has_drive(path.as_str()) && rule_of(&File, reference.edition()).is_none() => {
                Ok(Self { url: reference, host, path })
            }
            None => Err(SyntaxError::Form { span: path.place(), form: File.form() }),
        }
    }

    /// Returns the names of the path; the last one is empty for a directory.
    pub fn names(&self) -> SpannedSplit<'a, 'static> {
        self.path.split("/")
    }
}

// fsegment = *( uchar / "?" / ":" / "@" / "&" / "=" ), of which "?" begins a query in later
// editions.
static PARTS: [Part; 1] = [Part::new("names", "/", rfc1738::UCHAR.union(AsciiSet::of(b":@&=")))
    .without_steps()
    .of(Shape::Many('/'))];

builder! {
    /// A builder of file URLs from a host and the names of a path.
    ///
    /// For the path of a system use [`Platform::to_uri`].
    ///
    /// ```
    /// use locator::edition::RFC1738;
    /// use locator::scheme::file::{FileParts, FileUrl};
    ///
    /// let parts = FileParts::new()
    ///     .host("vms.host.edu")
    ///     .name("disk$user")
    ///     .name("my")
    ///     .name("a b.txt");
    /// let url = parts.build_with(&RFC1738)?;
    /// assert_eq!(url, "file://vms.host.edu/disk$user/my/a%20b.txt");
    /// assert_eq!(
    ///     FileUrl::try_from(&url).unwrap().parts().host("h").build_with(&RFC1738)?,
    ///     "file://h/disk$user/my/a%20b.txt"
    /// );
    /// assert_eq!(FileParts::new().name("a b").build_with(&RFC1738)?, "file:///a%20b");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    FileParts of FileUrl, by [File], prepare prepared;

    /// Adds a name to the path; the last one is empty for a directory.
    each name: "names";
}

impl<'v> FileParts<'v> {
    /// Creates a builder of the URL of a local file: `file:///`.
    pub fn new() -> Self {
        Self(Parts::new("file")).host("")
    }

    /// Sets the host; it is empty for the local host.
    pub fn host(self, host: impl Into<Value<'v>>) -> Self {
        Self(self.0.at(host.into()))
    }
}

impl Default for FileParts<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// A URL without names is that of the root.
fn prepared<'v>(mut parts: Parts<'v>, _: &Edition) -> Result<Parts<'v>, BuildError> {
    if parts.pieces("names").is_empty() {
        parts.set("names", Piece::One(Value::Text("")));
    }
    Ok(parts)
}

static RULES: [SchemeRule; 1] = [SchemeRule {
    edition: &RFC1738,
    rule: &Rule::new("fileurl", "3.10", "the form file://[host]/path"),
    check: check_1738,
}];

// fileurl = "file://" [ host ] "/" fpath
fn check_1738(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    reader.expect("//")?;
    let end = reader.find(b"/");
    if end > reader.offset() {
        reader.refuse_user(end)?;
        reader.take_host(end)?;
    }
    reader.expect("/")?;
    reader.take(&FPATH_1738, b"")?;
    Ok(())
}
