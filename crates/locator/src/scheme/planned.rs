//! Asks the scheme of a URL for its fields and for its plan: takes a reference, and finds the
//! planner by the scheme's name.

use alloc::vec::Vec;
use core::iter::Filter;
use core::slice;

use super::names::ports;
use super::{Field, PLANNERS, Part, Planner, http};
use crate::component::SpannedStr;
use crate::edition::Edition;
use crate::form::SyntaxError;
use crate::plan::{Local, Options, Plan, PlanError, Step};
use crate::reference::UriRef;
use crate::span::Component;

/// Returns the scheme of this name, ignoring case, if it is one of [`PLANNERS`].
///
/// ```
/// assert!(locator::scheme::planner_named("ftp").unwrap().has_proxies());
/// ```
#[must_use]
pub fn planner_named(name: &str) -> Option<&'static dyn Planner> {
    PLANNERS.iter().copied().find(|planner| planner.is_named(name))
}

/// Returns the parts of a scheme that are no components.
pub(super) fn own_parts(scheme: &str, edition: &Edition) -> OwnParts {
    let table = planner_named(scheme).map_or(&[][..], |scheme| scheme.parts(edition));
    table.iter().filter(|part| !part.is_component())
}

/// The parts of a scheme that are no components.
pub(super) type OwnParts = Filter<slice::Iter<'static, Part>, fn(&&'static Part) -> bool>;

/// Returns the plan that fetches what a URL identifies, by the schemes of this crate. A
/// [`Registry`](super::Registry) also knows the caller's schemes and gateways.
///
/// ```
/// use locator::plan::Options;
/// use locator::{UriRef, edition::RFC1738, scheme};
///
/// let url = UriRef::parse_with("ftp://myname@host.dom/%2Fetc/motd", &RFC1738)?;
/// let plan = scheme::plan(url, &Options::default()).unwrap();
/// assert_eq!(
///     plan.to_bytes(),
///     b"USER myname\r\nPASS \r\nCWD /etc\r\nTYPE I\r\nRETR motd\r\n"
/// );
/// # Ok::<_, locator::ParseError>(())
/// ```
///
/// # Errors
///
/// The URL cannot be fetched, or its plan is not allowed; the error contains the position and the
/// reason.
pub fn plan<'r>(reference: impl Into<UriRef<'r>>, options: &Options<'_>) -> Result<Plan, PlanError> {
    let reference = reference.into();
    let name = reference.scheme().ok_or(PlanError::Relative)?;
    let span = reference.spanned(Component::Scheme).map(SpannedStr::place).unwrap_or_default();
    plan_by(planner_named(name.as_str()).ok_or(PlanError::UnknownScheme { span })?, reference, options)
}

/// Returns the plan of a scheme, or of a proxy that is used instead.
pub(super) fn plan_by(
    scheme: &dyn Planner,
    reference: UriRef<'_>,
    options: &Options<'_>,
) -> Result<Plan, PlanError> {
    let plan = scheme.plan(reference, options)?;
    if !options.low_ports && connects(&plan) {
        check_port(reference)?;
    }
    match options.proxy.filter(|_| scheme.has_proxies()) {
        Some(proxy) => http::plan::plan_by_proxy(reference, scheme, proxy, options),
        None => Ok(plan),
    }
}

/// Returns whether the plan contacts the server that the URL names, and does not fetch another URL.
fn connects(plan: &Plan) -> bool {
    plan.steps().any(|step| matches!(step, Step::Connect(_) | Step::Local(Local::Start(_))))
}

/// Checks that the port is not that of another protocol. A server of that protocol could execute the
/// text that the URL makes the client send: "it is potentially harmful for client software to use any
/// URL which specifies a port number other than the default for the protocol, especially when it is a
/// number within the reserved space" (draft of 1994, Security considerations).
fn check_port(reference: UriRef<'_>) -> Result<(), PlanError> {
    let (Some(name), Some(text)) = (reference.scheme(), reference.spanned(Component::Port)) else {
        return Ok(());
    };
    let Ok(port) = text.as_str().parse() else { return Ok(()) };
    match ports::refused_port(name.as_str(), port) {
        None => Ok(()),
        Some(foreign) => {
            Err(PlanError::RestrictedPort { port, service: foreign.service(), span: text.place() })
        }
    }
}

/// Returns the fields of a URL as its scheme divides it; `None` for an unknown scheme.
///
/// ```
/// use locator::scheme::{self, FieldValue};
/// use locator::uri_ref;
///
/// let fields =
///     scheme::fields(uri_ref!("ftp://host.com/a%2Fb/c;type=i")).unwrap().unwrap();
/// let names: Vec<_> = fields.iter().map(|field| field.name).collect();
/// assert_eq!(names, ["host", "cwds", "name", "type"]);
/// let FieldValue::Many(cwds) = &fields[1].value else { panic!() };
/// assert_eq!(*cwds[0].decode(), *b"a/b");
/// ```
#[must_use]
pub fn fields<'r>(reference: impl Into<UriRef<'r>>) -> Option<Result<Vec<Field<'r>>, SyntaxError>> {
    let reference = reference.into();
    Some(planner_named(reference.scheme()?.as_str())?.fields(reference))
}
