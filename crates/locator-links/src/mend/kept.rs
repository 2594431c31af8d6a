//! What is done about a link: what replaces it, or why it is kept as it is; and which files are mended: documents,
//! not data or programs, whose URLs may be names, settings or expectations.

use std::fmt;
use std::path::Path;

use locator_find::Format;

use crate::redacted::Redacted;

/// What replaces a link.
#[derive(Clone, PartialEq, Eq)]
pub enum Replacement {
    /// The URL that the link redirects to. Where the link is relative, so is its replacement.
    Url(String),
    /// A reference, as it is written in the document.
    Reference(String),
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, text) = match self {
            Self::Url(url) => ("Url", url),
            Self::Reference(reference) => ("Reference", reference),
        };
        f.debug_tuple(name).field(&Redacted(text)).finish()
    }
}

/// Defines [`KeepReason`]: each reason has a name and a meaning.
macro_rules! reasons {
    ($($reason:ident = $name:literal, $meaning:literal;)+) => {
        locator::named! {
            /// The reason why a link is kept as it is. Its name is stable.
            #[non_exhaustive]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum KeepReason {
                $(#[doc = $meaning] $reason = $name,)+
            }

            /// Returns the name of this reason in JSON.
            pub const fn name;
        }

        impl KeepReason {
            /// All reasons.
            pub const ALL: &'static [Self] = &[$(Self::$reason,)+];

            /// Returns what it means, in one line.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$reason => $meaning,)+ }
            }
        }
    };
}

reasons! {
    Temporary = "temporary", "a redirect is temporary (not 301 or 308)";
    Status = "status", "the redirects do not end with status 200";
    OtherDomain = "other-domain", "the redirect leads to another domain; --fix=any follows it";
    Downgrade = "downgrade", "a redirect leads from https to http";
    Root = "root", "the redirect leads to a start page, or to a directory above";
    Login = "login", "the redirect leads to a login or a consent page";
    Session = "session", "the new URL has the id of a session, or a secret";
    Language = "language", "the redirect chooses a language";
    Version = "version", "the redirect chooses a version";
    Query = "query", "the redirect changes the query";
    Fragment = "fragment", "the new page is not known to have the fragment";
    Persistent = "persistent", "the URL is a persistent name, which redirects by design";
    Shortener = "shortener", "the URL is that of a shortener, which redirects by design";
    Alias = "alias", "the URL always leads to the newest version";
    Invalid = "invalid", "the new URL is not valid";
    Open = "open", "the site may have other pages, which only a build knows";
    Guess = "guess", "something else may be meant";
    Relative = "relative", "the link is relative, and the new URL is on another server";
    Code = "code", "the link is in code";
    Data = "data", "the file is data or a program, not a document";
    Message = "message", "the link is in a message, which stays as it was sent";
    Encoded = "encoded", "the link is encoded or divided in the file";
    Packed = "packed", "the file is compressed, or read in another encoding";
    Place = "place", "the new URL cannot be written at this place";
    NoFile = "no-file", "the document is not a file";
    Changed = "changed", "the file has changed since it was read";
    Unwritable = "unwritable", "the file cannot be written";
}

/// Returns why no link of a file is replaced, by its name and format.
#[must_use]
pub fn keep_reason(path: &Path, format: Format) -> Option<KeepReason> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let is_one_of = |endings: &[&str]| ending.as_deref().is_some_and(|own| endings.contains(&own));
    let is_document = match format {
        Format::Text if ending.is_none() => has_name_of_text(path),
        Format::Text => {
            is_one_of(&["txt", "text", "rst", "rest", "adoc", "asciidoc", "asc", "org", "textile"])
        }
        Format::Xml => is_one_of(&["xhtml", "xht", "svg", "atom", "rss", "opml", "docbook", "dbk", "dita"]),
        _ => true,
    };
    keep_reason_of_format(format).or((!is_document).then_some(KeepReason::Data))
}

/// Returns why no link of a format is replaced.
pub(super) const fn keep_reason_of_format(format: Format) -> Option<KeepReason> {
    match format {
        Format::Mail | Format::Mbox | Format::Http | Format::Warc => Some(KeepReason::Message),
        Format::Csv
        | Format::Tsv
        | Format::Json
        | Format::Yaml
        | Format::Toml
        | Format::ICalendar
        | Format::VCard
        | Format::Ldif => Some(KeepReason::Data),
        _ => None,
    }
}

/// Returns whether a name without an ending is that of a text: `README`, but not `Makefile`.
fn has_name_of_text(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !name.chars().any(char::is_lowercase) && !matches!(&*name, "BUILD" | "WORKSPACE" | "MODULE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_others() {
        for (name, kept) in [
            ("a.html", None),
            ("a.md", None),
            ("docs/a.txt", None),
            ("README", None),
            ("a.rst", None),
            ("a.css", None),
            ("a.svg", None),
            ("Makefile", Some(KeepReason::Data)),
            ("a.rs", Some(KeepReason::Data)),
            ("pom.xml", Some(KeepReason::Data)),
            ("package.json", Some(KeepReason::Data)),
            ("a.eml", Some(KeepReason::Message)),
        ] {
            let path = Path::new(name);
            assert_eq!(keep_reason(path, Format::of_path(path).unwrap_or(Format::Text)), kept, "{name}");
        }
    }
}
