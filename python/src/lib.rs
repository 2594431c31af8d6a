//! The extension module `locator_uri._native`: the classes and functions of the Python package
//! `locator_uri`, which re-exports them.
//!
//! Each takes a `str` (or `bytes`) and returns Python objects; the library does the work. Exceptions
//! and named tuples are written in Python, in `lib/locator_uri`.

mod arrow;
mod audit;
mod columns;
mod copies;
mod domain;
mod edit;
mod error;
mod functions;
mod input;
mod methods;
mod pickles;
mod records;
mod reference;
mod report;
mod substring;
mod table;
mod template;
mod uri;
mod whatwg;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The compiled part of `locator_uri`.
#[pymodule(gil_used = false)]
mod _native {
    use super::{Bound, PyModule, PyModuleMethods, PyResult, PyTuple};

    #[pymodule_export]
    use crate::arrow::{_evaluate, _part, _uniq};
    #[pymodule_export]
    use crate::audit::{audit, readings, redacted};
    #[pymodule_export]
    use crate::columns::_call;
    #[pymodule_export]
    use crate::domain::{public_suffix, registered_domain, subdomain};
    #[pymodule_export]
    use crate::functions::{_report, _restore, find, host, is_valid, parse, surt};
    #[pymodule_export]
    use crate::pickles::{_array_state, _restore_array};
    #[pymodule_export]
    use crate::reference::{Uri, UriRef};
    #[pymodule_export]
    use crate::table::{_absences, _functions, _signature};
    #[pymodule_export]
    use crate::template::UriTemplate;
    #[pymodule_export]
    use crate::whatwg::{
        _report_whatwg, Url, UrlSearchParams, domain_to_ascii, domain_to_unicode, validation,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let editions = locator::edition::ALL.iter().map(|edition| edition.name);
        module.add("PUBLIC_SUFFIX_LIST", locator_domain::LIST_VERSION)?;
        module.add("EDITIONS", PyTuple::new(module.py(), editions)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
