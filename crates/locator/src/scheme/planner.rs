//! The interface of a scheme for programs that fetch: the plan that fetches what a URL identifies.

use super::Divide;
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;

/// A scheme that plans how to fetch what its URLs identify.
///
/// Every method has a default, which suits a scheme whose URLs cannot be fetched. A planner of your own
/// is used by [`Registry::register_planner`](super::Registry::register_planner).
///
/// ```
/// use locator::plan::{Options, Plan, PlanError};
/// use locator::scheme::{Divide, Equivalences, Planner, Registry, Scheme, Syntax};
/// use locator::{UriRef, uri_ref};
///
/// #[derive(Debug)]
/// struct Note;
///
/// impl Scheme for Note {
///     fn names(&self) -> &'static [&'static str] {
///         &["note"]
///     }
///     fn object(&self) -> &'static str {
///         "a note"
///     }
///     fn form(&self) -> Syntax {
///         Syntax { text: "note:name", citation: "our own" }
///     }
/// }
/// impl Equivalences for Note {}
/// impl Divide for Note {}
/// impl Planner for Note {
///     fn plan(
///         &self,
///         reference: UriRef<'_>,
///         _: &Options<'_>,
///     ) -> Result<Plan, PlanError> {
///         self.specific(reference)?;
///         // A note is in memory: there is nothing to send.
///         Ok(Plan::new())
///     }
/// }
///
/// let mut schemes = Registry::new();
/// schemes.register_planner(&Note)?;
/// let plan = schemes.plan(uri_ref!("note:shopping"), &Options::new())?;
/// assert_eq!(plan.most_sends(), 0);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub trait Planner: Divide {
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
