//! What builds a prospero URL: its parts enter, as data; a URL that has them leaves. Follows RFC 1738, section 3.11, and
//! "Prospero" of the drafts, whose spellings of versions and fields differ.

use alloc::string::{String, ToString};

use super::NUL;
use super::rules::ALPHANUM;
use crate::build::BuildError;
use crate::edition::{Edition, rfc1738};
use crate::escape::EscapedBuf;
use crate::octet::Set;
use crate::part::Part;
use crate::reference::UriBuf;
use crate::scheme::{LoginParts, kept};

/// What a prospero URL is built of; all of it is data.
///
/// ```
/// use locator::edition::{RFC1738, URL_1994};
/// use locator::scheme::{LoginParts, ProsperoParts};
///
/// let login = LoginParts { host: "host.dom", ..LoginParts::default() };
/// let parts = ProsperoParts { login, hsoname: b"/pros/a;b", version: Some(3), ..ProsperoParts::default() };
/// assert_eq!(parts.build(&RFC1738)?, "prospero://host.dom//pros/a%3Bb;OBJECT-VERSION=3");
/// assert_eq!(parts.build(&URL_1994)?, "prospero://host.dom//pros/a%3Bb%003");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProsperoParts<'v> {
    /// The directory server.
    pub login: LoginParts<'v>,
    /// The host specific object name.
    pub hsoname: &'v [u8],
    /// The version of the object.
    pub version: Option<u64>,
    /// Fields of the link. The drafts of 1993 and 1994 have a place for their names, and none for values.
    pub fields: &'v [(&'v [u8], &'v [u8])],
}

impl ProsperoParts<'_> {
    /// The URL. "The ";" is reserved and may not appear without quoting in the hsoname."
    ///
    /// # Errors
    ///
    /// Something that cannot stand in a URL of the edition, as a value in the drafts; a segment "." or "..",
    /// which other programs would take for a step.
    pub fn build(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let set = kept(edition, Part::Path, rfc1738::UCHAR);
        let hsoname = EscapedBuf::escape(self.hsoname, set.or(Set::of(b"/"))).into_string();
        if hsoname.split('/').any(|segment| matches!(segment, "." | "..")) {
            return Err(BuildError::DotSegment { edition });
        }
        let misread = BuildError::Misread { part: Part::Path, edition };
        let version = self.version.map(|version| version.to_string());
        let mut rest = String::from("/") + &hsoname;
        if edition.forms.prospero_nuls {
            // A NUL of the name would end it there, and there is no other spelling of it.
            if self.hsoname.contains(&0) || self.fields.iter().any(|(_, value)| !value.is_empty()) {
                return Err(misread);
            }
            if version.is_some() || !self.fields.is_empty() {
                rest = rest + NUL + version.as_deref().unwrap_or_default();
            }
            for (name, _) in self.fields {
                rest = rest + NUL + EscapedBuf::escape(name, ALPHANUM).as_str();
            }
        } else {
            let version = version.iter().map(|version| (&b"OBJECT-VERSION"[..], version.as_bytes()));
            for (name, value) in version.chain(self.fields.iter().copied()) {
                rest = rest + ";" + EscapedBuf::escape(name, set).as_str();
                rest = rest + "=" + EscapedBuf::escape(value, set).as_str();
            }
        }
        self.login.build("prospero", edition, &rest)
    }
}
