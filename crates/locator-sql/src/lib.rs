//! Functions of URLs for DataFusion.
//!
//! [`register_all`] adds every function of [`locator_functions::FUNCTIONS`] to a registry, such as a
//! `SessionContext`, a `SessionState`, or that of a scheduler of a cluster.
//!
//! ```
//! use datafusion_expr::registry::{FunctionRegistry, MemoryFunctionRegistry};
//!
//! let mut registry = MemoryFunctionRegistry::new();
//! locator_sql::register_all(&mut registry)?;
//! assert!(registry.udf("uri_host").is_ok() && registry.udaf("uri_uniq").is_ok());
//! # Ok::<_, datafusion_common::DataFusionError>(())
//! ```
//!
//! # In SQL
//!
//! NULL and what is not a valid URL give NULL, never an error. The edition is RFC 3986. A function whose
//! results depend on it has a second name, with the edition as the last argument, after those that are
//! given: `uri_host_by(url, 'rfc2396')`, `uri_registered_domain_by(url, 'icann', 'rfc2396')`.
//!
//! Columns are texts or bytes of any layout, or dictionaries of them. A text in a result has the layout
//! of the column: Utf8View for Utf8View, a dictionary for a dictionary.
//!
//! `uri_uniq` is an aggregate that counts different values by hashes of 128 bits, and keeps 16 bytes for
//! each in memory. `count(distinct url)` can write to disk, which `uri_uniq` cannot.

mod scalar;
mod uniq;

use std::sync::Arc;

use datafusion_common::Result;
use datafusion_expr::registry::FunctionRegistry;
use datafusion_expr::{AggregateUDF, ScalarUDF};
use locator_functions::{Call, FUNCTIONS};

pub use scalar::UriFunction;
pub use uniq::UriUniq;

/// Adds all functions to a registry.
///
/// # Errors
///
/// An error if the registry does not accept functions.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in scalars() {
        registry.register_udf(function)?;
    }
    registry.register_udaf(Arc::new(AggregateUDF::from(UriUniq::new())))?;
    Ok(())
}

/// Returns the functions that have a result for each row, which are all but `uri_uniq`, under both of
/// their names.
pub fn scalars() -> impl Iterator<Item = Arc<ScalarUDF>> {
    let scalars = FUNCTIONS.iter().filter(|function| !matches!(function.call(), Call::Distinct));
    let names = scalars.flat_map(|function| {
        [Some(UriFunction::new(function)), UriFunction::with_edition(function)].into_iter().flatten()
    });
    names.map(|function| Arc::new(ScalarUDF::from(function)))
}
