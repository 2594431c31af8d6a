//! The interface of a scheme for programs that fetch: the plan that fetches what a URL identifies.

use super::Divide;
use crate::plan::{Options, Plan, PlanError};
use crate::reference::UriRef;

/// A scheme that plans how to fetch what its URLs identify. Every method has a default, which suits
/// a scheme without further definitions.
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
