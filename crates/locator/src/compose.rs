//! The one place that writes a reference from its components.
//!
//! The inverse of appendix B: each component that is defined is written with its
//! delimiter, so what was cut is put together again octet by octet (RFC 3986, section 5.3).

use core::fmt::{self, Display, Formatter};

use crate::part::Part;
use crate::reference::UriRef;

/// The five components of a reference, and the prefix that `url-1994` may have before them.
///
/// ```
/// use locator::{Components, UriRef};
///
/// let text = "http://a:b@h:80/p?q#f";
/// let components = Components::of(UriRef::parse(text)?);
/// assert_eq!(components.to_string(), text);
/// # Ok::<_, locator::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Components<'a> {
    /// `URL:`, if it stands there.
    pub prefix: Option<&'a str>,
    /// Without the ":".
    pub scheme: Option<&'a str>,
    /// Without the "//".
    pub authority: Option<&'a str>,
    /// With its leading "/".
    pub path: &'a str,
    /// Without the "?".
    pub query: Option<&'a str>,
    /// Without the "#".
    pub fragment: Option<&'a str>,
}

impl<'a> Components<'a> {
    /// The components of a reference.
    pub fn of(reference: UriRef<'a>) -> Self {
        Self {
            prefix: reference.part(Part::Prefix),
            scheme: reference.part(Part::Scheme),
            authority: reference.part(Part::Authority),
            path: reference.part(Part::Path).unwrap_or_default(),
            query: reference.part(Part::Query),
            fragment: reference.part(Part::Fragment),
        }
    }
}

impl Display for Components<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let before = |f: &mut Formatter<'_>, mark: &str, text: Option<&str>| match text {
            Some(text) => f.write_str(mark).and_then(|()| f.write_str(text)),
            None => Ok(()),
        };
        before(f, "", self.prefix)?;
        if let Some(scheme) = self.scheme {
            write!(f, "{scheme}:")?;
        }
        before(f, "//", self.authority)?;
        f.write_str(self.path)?;
        before(f, "?", self.query)?;
        before(f, "#", self.fragment)
    }
}
