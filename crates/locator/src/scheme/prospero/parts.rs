//! The builder of prospero URLs: takes their parts, returns a URL. Follows RFC 1738, section 3.11,
//! and "Prospero" of the drafts, whose spellings of versions and fields differ.

use alloc::string::String;
use alloc::vec::Vec;

use super::rules::{ALPHANUM, NUL};
use super::{Prospero, ProsperoUrl, Tail};
use crate::build::{BuildError, Value};
use crate::edition::{Edition, rfc1738};
use crate::pct::PctString;
use crate::reference::UriBuf;
use crate::scheme::LoginParts;
use crate::scheme::parts::{Frame, Number, check_steps, checked, raw, setters, written};
use crate::simd::AsciiSet;
use crate::span::Component;

/// A builder of prospero URLs from a server, the name of an object and fields.
///
/// ```
/// use locator::edition::{RFC1738, URL_1994};
/// use locator::scheme::{ProsperoParts, ProsperoUrl};
///
/// let parts = ProsperoParts::new("host.dom", "/pros/a;b").version(3);
/// let url = parts.build_with(&RFC1738)?;
/// assert_eq!(url, "prospero://host.dom//pros/a%3Bb;OBJECT-VERSION=3");
/// assert_eq!(parts.build_with(&URL_1994)?, "prospero://host.dom//pros/a%3Bb%003");
///
/// let parts = ProsperoUrl::try_from(&url).unwrap().parts().version(4);
/// assert_eq!(parts.build_with(&RFC1738)?, "prospero://host.dom//pros/a%3Bb;OBJECT-VERSION=4");
/// # Ok::<_, locator::BuildError>(())
/// ```
#[must_use = "it builds nothing before `build`"]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProsperoParts<'v> {
    frame: Frame<'v>,
    /// The directory server.
    pub login: LoginParts<'v>,
    /// The host specific object name.
    pub hsoname: Value<'v>,
    /// The version of the object. A view sets it only if the version is the first field and is
    /// spelled `OBJECT-VERSION`.
    pub version: Option<Number<'v>>,
    /// The fields of the link. The drafts of 1993 and 1994 allow their names, but no values.
    pub fields: Vec<(Value<'v>, Value<'v>)>,
}

impl<'v> ProsperoParts<'v> {
    /// Begins the URL of an object on a directory server.
    pub fn new(login: impl Into<LoginParts<'v>>, hsoname: impl Into<Value<'v>>) -> Self {
        let (login, hsoname) = (login.into(), hsoname.into());
        Self { frame: Frame::default(), login, hsoname, version: None, fields: Vec::new() }
    }

    setters! {
        /// Sets the directory server.
        login;
        /// Sets the host specific object name.
        one hsoname;
        /// Sets the version of the object.
        number version: u64;
        /// Adds a field of the link and its value.
        pair fields field;
    }

    /// Builds the URL. "The ";" is reserved and may not appear without quoting in the hsoname."
    ///
    /// # Errors
    ///
    /// A value that is not allowed in a URL of the edition, such as the value of a field in the
    /// drafts; data with a segment "." or "..", which other programs would take for a step.
    pub fn build_with(&self, edition: &'static Edition) -> Result<UriBuf, BuildError> {
        let hsoname =
            written(self.hsoname, edition, Component::Path, rfc1738::UCHAR.union(AsciiSet::of(b"/")))?;
        check_steps(self.hsoname, &hsoname, edition)?;
        let tail = if edition.forms.prospero_nuls { self.nuls(edition)? } else { self.pairs(edition)? };
        let rest = ["/", &hsoname, &tail].concat();
        let built = self.login.build(self.frame.begin("prospero", edition)?, &Prospero, &rest)?;
        checked(built, &self.values(), |url| ProsperoUrl::of(url).map(|url| url.parts().values()))
    }

    /// Writes `%00version%00name…`, as in the drafts.
    fn nuls(&self, edition: &'static Edition) -> Result<String, BuildError> {
        // A NUL in the name would end it there, and has no other spelling.
        let has_nul = self.hsoname.is_decoded() && self.hsoname.as_bytes().contains(&0);
        if has_nul || self.fields.iter().any(|(_, value)| !value.as_bytes().is_empty()) {
            return Err(BuildError::Misread { component: Component::Path, edition });
        }
        let mut tail = String::new();
        if self.version.is_some() || !self.fields.is_empty() {
            tail = tail + NUL + &self.version.map(Number::text).unwrap_or_default();
        }
        for (name, _) in &self.fields {
            tail += NUL;
            match name {
                Value::Encoded(name) => tail += name,
                data => {
                    tail += PctString::encode(&data.encoded(edition, Component::Path)?, ALPHANUM).as_str();
                }
            }
        }
        Ok(tail)
    }

    /// Writes `;name=value…`, as in RFC 1738.
    fn pairs(&self, edition: &'static Edition) -> Result<String, BuildError> {
        let mut tail = String::new();
        if let Some(version) = self.version {
            tail = [";", VERSION, "=", &version.text()].concat();
        }
        for &(name, value) in &self.fields {
            tail = tail + ";" + &written(name, edition, Component::Path, rfc1738::UCHAR)?;
            tail = tail + "=" + &written(value, edition, Component::Path, rfc1738::UCHAR)?;
        }
        Ok(tail)
    }

    fn values(&self) -> Vec<Value<'v>> {
        let fields = self.fields.iter().flat_map(|&(name, value)| [name, value]);
        self.login
            .values()
            .chain([self.hsoname])
            .chain(self.version.and_then(Number::raw))
            .chain(fields)
            .collect()
    }
}

const VERSION: &str = "OBJECT-VERSION";

impl<'a> ProsperoUrl<'a> {
    /// Returns the parts of this URL; building them by its edition returns the identical URL.
    pub fn parts(&self) -> ProsperoParts<'a> {
        let number = |excerpt: crate::component::SpannedStr<'a>| Number::Raw(excerpt.as_str());
        let (version, fields): (_, Vec<_>) = match self.tail {
            Tail::Nuls(_) => {
                let names = self.attributes().map(|name| (raw(name), Value::Encoded("")));
                (self.after(NUL).next().map(number), names.collect())
            }
            Tail::Fields(_) => {
                let mut fields = self.fields().peekable();
                let version = fields.next_if(|(name, _)| name.as_str() == VERSION);
                let fields = fields.map(|(name, value)| (raw(name), raw(value)));
                (version.map(|(_, value)| number(value)), fields.collect())
            }
        };
        let (frame, login) = (Frame::of(self.url), self.login.parts());
        ProsperoParts { frame, login, hsoname: raw(self.hsoname), version, fields }
    }
}
