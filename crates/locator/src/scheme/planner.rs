//! The interface of a scheme for generic programs: its fields, those that can be set, and the plan
//! that fetches what a URL identifies.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Field, Fields, OwnPart, Scheme};
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::form::SyntaxError;
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;

/// A scheme that divides its URLs into named fields and plans how to fetch what they identify.
/// Every method has a default, which suits a scheme without further definitions.
pub trait Planner: Scheme {
    /// Returns the fields of a URL as the scheme divides it, for programs that do not know the
    /// scheme.
    ///
    /// # Errors
    ///
    /// The reference is not a URL of the scheme.
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        Ok(Fields::default().one("rest", self.specific(reference)?).end())
    }

    /// Returns the parts that [`set_part`](super::set_part) can set in an edition's URLs, in order.
    /// Their names are those of [`fields`](Self::fields); user, password and port belong to every
    /// scheme.
    fn own_parts(&self, edition: &Edition) -> &'static [OwnPart] {
        let _ = edition;
        &[]
    }

    /// Returns the text of a part that contains others ([`OwnPart::inside`]) with the written value of
    /// one of them, or without it for `None`. `outer` is its text so far. A value that is of another
    /// form than the text takes its place. The scheme divides the result again; a value that is not
    /// found in it is refused.
    ///
    /// Returns `None` if the part contains no such part.
    fn rewritten(&self, outer: Option<SpannedStr<'_>>, inner: &str, value: Option<&str>) -> Option<String> {
        let _ = (outer, inner, value);
        None
    }

    /// Returns the plan that fetches what the URL identifies. [`plan`](super::plan) and
    /// [`Registry::plan`](super::Registry::plan) check its port.
    ///
    /// # Errors
    ///
    /// The URL cannot be fetched, or its plan is not allowed.
    fn plan(&self, reference: UriRef<'_>, options: &Options<'_>) -> Result<Plan, PlanError> {
        let _ = options;
        self.specific(reference)?;
        Err(PlanError::Reserved { citation: self.form().citation })
    }

    /// Returns whether a proxy accepts the whole URL ("the entire URI, whether HTTP or some other
    /// scheme, is passed on the HTTP command line"). Otherwise the plan uses the proxy itself.
    fn has_proxies(&self) -> bool {
        false
    }
}
