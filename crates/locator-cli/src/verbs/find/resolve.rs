//! Returns the URL that a file was retrieved from (RFC 3986, section 5.1.3), resolves links,
//! percent-encoding characters not allowed in a reference, and reports the errors of broken links.

use std::borrow::Cow;
use std::path::Path;

use ignore::DirEntry;
use locator::scheme::file::Platform;
use locator::text::MatchKind;
use locator::{Base, BaseCandidate, Edition, Resolved, UriRef};
use locator_find::{Context, Link, ResolveLinkError};

use crate::input::{paths, reading};
use crate::report::failure::{Failure, Position, Side};
use crate::report::findings;

/// The URLs that documents were retrieved from.
pub(super) enum Retrieval<'b> {
    /// By the one that was given: what is named has it, and what is in a directory has one that is
    /// relative to it.
    Given(Base<'b>),
    /// The `file` URLs of the files.
    Files,
}

impl Retrieval<'_> {
    /// Returns the URL that a file was retrieved from.
    pub(super) fn of(&self, entry: &DirEntry) -> Option<String> {
        match self {
            Self::Given(base) => url_below(base, entry),
            Self::Files if entry.is_stdin() => None,
            Self::Files => file_url(entry.path()),
        }
    }
}

/// Why a layer is not the base, if another one is; the layers come one after the other, the
/// innermost first.
pub(super) fn not_chosen(layer: &BaseCandidate, has_been: &mut bool) -> Option<String> {
    match layer.error() {
        Some(fault) => Some(fault.to_string()),
        None if *has_been => Some("an inner one takes precedence (5.1)".into()),
        None => {
            *has_been = true;
            None
        }
    }
}

/// The URL of a file, by that of what was named: the file itself, or a directory around it.
pub(in crate::verbs) fn url_below(base: &Base<'_>, entry: &DirEntry) -> Option<String> {
    if entry.depth() == 0 { Some(base.as_str().to_owned()) } else { inside(base, entry) }
}

/// The `file` URL of a path.
pub(in crate::verbs) fn file_url(path: &Path) -> Option<String> {
    let octets = path.as_os_str().as_encoded_bytes();
    let absolute = paths::absolute(octets);
    let octets = absolute.as_ref().map_or(octets, |path| path.as_os_str().as_encoded_bytes());
    Platform::HOST.to_uri(octets).ok().map(|uri| uri.into_string())
}

/// The URL of a file in an archive, in the form that Java gave it: `jar:`, the archive's URL, `!/`
/// and its name there.
pub(super) fn member_url(archive: &str, name: &str) -> Option<String> {
    let uri = Platform::Posix.to_uri(format!("/{name}").as_bytes()).ok()?;
    Some(format!("jar:{archive}!{}", uri.as_uri().path().as_str()))
}

/// The path from the directory that was named to the file is a reference.
fn inside(base: &Base<'_>, entry: &DirEntry) -> Option<String> {
    let root = entry.path().ancestors().nth(entry.depth())?;
    let path = Path::new("/").join(entry.path().strip_prefix(root).ok()?);
    let uri = Platform::HOST.to_uri(path.as_os_str().as_encoded_bytes()).ok()?;
    let reference = format!(".{}", uri.as_uri().path().as_str());
    let reference = UriRef::parse_with(&reference, base.edition()).ok()?;
    base.resolve(reference).ok()?.into_uri().map(|uri| uri.into_string())
}

/// The absolute form of a link.
#[derive(Debug)]
pub(super) struct Absolute<'l> {
    /// The absolute form, or why there is none.
    pub(super) target: Result<Resolved<'l>, Failure>,
    /// Why the edition refuses the absolute form, if it does.
    pub(super) refused: Option<Failure>,
    /// The reference that was resolved, if it differs from the link.
    pub(super) escaped: Option<&'l str>,
}

/// Returns the percent-encoded form that is resolved instead of an invalid link.
pub(super) fn escaped(
    link: &Link<'_>,
    resolved: Option<&Result<Resolved<'_>, ResolveLinkError>>,
) -> Option<String> {
    matches!(resolved, Some(Err(ResolveLinkError::NotValid(_)))).then(|| link.escaped()).flatten()
}

impl<'l> Absolute<'l> {
    /// Resolves a link, or its percent-encoded form if there is one.
    pub(super) fn new(
        link: &Link<'_>,
        resolved: Result<Resolved<'l>, ResolveLinkError>,
        escaped: Option<&'l str>,
    ) -> Self {
        let target = escaped.map_or(resolved, |escaped| link.resolve(escaped));
        let refused = target.as_ref().ok().and_then(refused);
        Self { target: target.map_err(Failure::from), refused, escaped }
    }

    /// Why there is no absolute form, or why it is refused.
    pub(super) fn failure(&self) -> Option<&Failure> {
        self.target.as_ref().err().or(self.refused.as_ref())
    }

    /// Its text, if there is one.
    pub(super) fn text(&self) -> Option<Cow<'_, str>> {
        match &self.target {
            Ok(Resolved::Uri(uri)) => Some(uri.as_str().into()),
            Ok(Resolved::CurrentDocument { fragment: None }) => Some("(current document)".into()),
            Ok(Resolved::CurrentDocument { fragment: Some(fragment) }) => {
                Some(format!("(current document)#{fragment}").into())
            }
            Err(_) => None,
        }
    }
}

/// Returns why the edition refuses what a link is resolved to, if it does.
fn refused(target: &Resolved<'_>) -> Option<Failure> {
    let Resolved::Uri(uri) = target else { return None };
    let error = reading::read(uri.as_str().as_bytes(), uri.edition()).err()?;
    Some(Failure::result_not_valid(uri.as_str(), &error))
}

/// What is wrong with a link, if anything is: by the edition, by the edition's rule for its scheme,
/// and by what URLs of its scheme must have, which RFC 3986 alone does not ask.
pub(super) fn why_broken(link: &Link<'_>, edition: &'static Edition) -> Option<Failure> {
    if link.context() == Context::Text(MatchKind::Template) {
        return None;
    }
    match reading::read(link.url().as_bytes(), edition) {
        Err(error) => Some(Failure::NotValid(error)),
        Ok(reading) => of_scheme(reading.reference),
    }
}

/// Returns the error by the scheme's rule. An unregistered scheme is not an error, however similar
/// to another.
fn of_scheme(reference: UriRef<'_>) -> Option<Failure> {
    let warnings = findings::warnings(reference, true);
    let is_broken =
        |warning: &findings::Warning| ![findings::NEAR_SCHEME, findings::PASSWORD].contains(&warning.kind);
    let warning = warnings.into_iter().find(is_broken)?;
    let place = Position { of: Side::Input, part: Some(warning.part), span: warning.span };
    Some(Failure::Other {
        kind: warning.kind,
        message: warning.message,
        see: warning.see,
        place: Some(place),
    })
}
