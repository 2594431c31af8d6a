//! Functions of URLs for tables: data frames, SQL, logs.
//!
//! [`FUNCTIONS`] is the list from which Arrow kernels, the Python package, the registrations of engines
//! and their documentation are made, so that one name means the same everywhere. Each function is also
//! a Rust function of this crate or of `locator`.
//!
//! ```
//! use locator::UriRef;
//!
//! let url =
//!     UriRef::parse("https://www.example.com/a/b.tar.gz?utm_source=x&q=1#top")?;
//! assert_eq!(locator_functions::file_name(url), Some("b.tar.gz"));
//! assert_eq!(
//!     locator_functions::key(url).as_str(),
//!     "https://www.example.com/a/b.tar.gz?q=1"
//! );
//! # Ok::<_, locator::ParseError>(())
//! ```
//!
//! # Parts
//!
//! [`PARTS`] is the list of the parts that have a name, from which the command, SQL, Arrow and Python take
//! theirs: `host`, `registered_domain`, `query:NAME`, `segment:-1`, `surt`.
//!
//! # Two standards
//!
//! `host`, `path` and the others are as in RFC 3986, or in another edition. `whatwg_host`, `whatwg_path` …
//! are what the URL Standard reads in the same text, as browsers do: [`locator_whatwg::Url`].
//!
//! # NULL
//!
//! `None` is NULL. A part that is absent is `None`, a part that is present and empty is `""`, and each
//! part of a text that is not a valid reference is `None`.

#![forbid(unsafe_code)]

mod answer;
mod calls;
mod engine;
mod function;
mod hash;
mod host;
mod list;
mod part_values;
mod parts;
mod path;
mod percent;
mod query;
mod reason;
mod surt;
mod table;
mod tracking;
mod whatwg;
mod whole;

pub use answer::Answer;
pub use engine::{Arguments, ENGINES, Engine};
pub use function::{
    Absence, ArgumentError, ArgumentValue, Call, Example, Field, Function, Needs, Parameter, ParameterKind,
    ResultType, Row, Value,
};
pub use hash::hash128;
pub use host::{
    contacts, effective_port, host_ascii, host_ip, host_normal, host_unicode, host_without_www, ip_of_text,
    is_private_ip, origin, registered_domain_of_host,
};
pub use list::{FUNCTIONS, function};
pub use part_values::{host_zone, userinfo_options};
pub use parts::{Access, PARTS, Part, PartKey, PartNameError, Selection, Setting};
pub use path::{extension, file_name, path_depth, path_segment, path_segments};
pub use percent::{percent_decode, percent_encode};
pub use query::{
    Decoding, append_param, keep_params, query_param, remove_param, set_param, sort_params, strip,
    without_params,
};
pub use surt::surt;
pub use tracking::{TRACKING_VERSION, is_tracking};
pub use whole::{key, repair};
