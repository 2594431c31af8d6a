//! The plan of a file URL: takes a URL, returns the name of the file that is read, or why there is
//! none. Follows RFC 1738, section 3.10, and RFC 8089.

use alloc::borrow::Cow;

use super::{File, FileUrl, PathError, Platform};
use crate::component::SpannedStr;
use crate::form::{SyntaxError, ValueError};
use crate::plan::{Local, Plan, PlanError};
use crate::reference::UriRef;
use crate::scheme::rule_of;
use crate::span::Span;

impl FileUrl<'_> {
    /// "The file URL scheme is unusual in that it does not specify an Internet protocol or access
    /// method for such files" (RFC 1738, 3.10): a local file is read, a file of another host is
    /// not.
    pub(super) fn plan(&self, reference: UriRef<'_>) -> Result<Plan, PlanError> {
        let before = reference.excerpt_of(0..reference.spans().query_end as usize);
        // "?" is a character of a name if the edition has a rule: fsegment = *( uchar / "?" / … ).
        let text = match before.split_once("?").filter(|_| rule_of(&File, reference.edition()).is_some()) {
            Some(_) => Cow::Owned(before.as_str().replace('?', "%3F")),
            None => Cow::Borrowed(before.as_str()),
        };
        let wrong = |error| PlanError::Malformed(SyntaxError::Rule(error));
        let file = UriRef::parse_with(&text, reference.edition()).map_err(wrong)?;
        let path = Platform::HOST.to_path(file).map_err(|error| self.refusal(error))?;
        Ok(Plan::new().then(Local::File { file: path }))
    }

    /// Returns the error of a plan for a URL without a path.
    fn refusal(&self, error: PathError) -> PlanError {
        let segment =
            |at| self.names().find(|name| name.span().end > at).map_or(self.path.place(), SpannedStr::place);
        let octet = |octet, span: Span| {
            let (place, protocol) = ("a name", "a file system");
            PlanError::Byte { byte: octet, span, place, protocol, citation: "RFC 8089, 2" }
        };
        let value = |span, expects| {
            PlanError::Value(ValueError::Unexpected { span, expects, citation: "RFC 8089, 2" })
        };
        match error {
            PathError::OtherHost | PathError::Server { .. } => {
                PlanError::OtherHost { span: self.host.unwrap_or(self.path).place() }
            }
            PathError::Nul { at } => octet(0, segment(at)),
            PathError::Delimiter { byte: delimiter, at } => octet(delimiter, segment(at)),
            PathError::Dots { at } => value(segment(at), "a name other than \".\" and \"..\""),
            PathError::NotText { at } => value(segment(at), "a name in UTF-8"),
            PathError::DeviceName { at } | PathError::NameByte { at, .. } | PathError::NameEnd { at, .. } => {
                value(segment(at), "a name that a file of Windows can have")
            }
            PathError::Component { .. } => value(self.path.place(), "a path without \"?\""),
            _ => value(self.path.place(), "an absolute path of this machine"),
        }
    }
}
