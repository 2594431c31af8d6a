//! A registry of the schemes of this crate, the caller's schemes, and gateways. It takes names and
//! returns schemes. It has no global state, so parts of a program do not share their schemes.

#[cfg(feature = "plan")]
mod planning;

#[cfg(feature = "plan")]
pub use planning::GatewayPlanError;

use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::iter::{Chain, Copied};
use core::slice;

#[cfg(feature = "plan")]
use super::Planner;
use super::{ALL, Scheme, check_by};
use crate::as_text::{error_as_sentence, iterator};
use crate::equivalence::{Basis, Equivalences, KnownSchemes};
use crate::error::ParseError;
#[cfg(feature = "plan")]
use crate::plan::Gateway;
use crate::reference::UriRef;

/// A registry of the schemes that a program knows.
///
/// ```
/// use locator::scheme::Registry;
///
/// let registry = Registry::new();
/// assert_eq!(registry.lookup("FTP").unwrap().default_port(), Some(21));
/// assert!(
///     registry.lookup("x-mine").is_some() && registry.lookup("mine").is_none()
/// );
/// ```
///
/// Every name that begins with "x-" is known as that of an experimental scheme until a scheme is
/// registered for it. Any other name is one of this crate or of the caller, never of both.
#[derive(Clone, Debug, Default)]
pub struct Registry<'r> {
    own: Vec<&'r dyn Scheme>,
    #[cfg(feature = "plan")]
    planners: Vec<&'r dyn Planner>,
    #[cfg(feature = "plan")]
    gateways: Vec<Gateway>,
}

impl Registry<'static> {
    /// The registry of the schemes that this crate defines.
    pub const BUILT_IN: &'static Self = &Self::new();
}

impl<'r> Registry<'r> {
    /// Creates a registry of the schemes that this crate defines.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            own: Vec::new(),
            #[cfg(feature = "plan")]
            planners: Vec::new(),
            #[cfg(feature = "plan")]
            gateways: Vec::new(),
        }
    }

    /// Adds a scheme of the caller: its names, ports, rules and equivalences. `register_planner`
    /// (feature `plan`) also adds its planner.
    ///
    /// An example of a scheme is at [`Scheme`].
    ///
    /// # Errors
    ///
    /// One of its names is already registered.
    pub fn register(&mut self, scheme: &'r dyn Scheme) -> Result<(), DuplicateSchemeError> {
        match scheme.names().iter().find(|name| self.is_taken(name)) {
            Some(name) => Err(DuplicateSchemeError { name }),
            None => {
                self.own.push(scheme);
                Ok(())
            }
        }
    }

    /// Returns whether a name is that of another scheme; an experimental name is free until it is
    /// registered.
    fn is_taken(&self, name: &str) -> bool {
        let is_listed = |known: &&str| known.eq_ignore_ascii_case(name);
        self.own(name).is_some() || ALL.iter().any(|scheme| scheme.names().iter().any(is_listed))
    }

    /// Returns every scheme, those of the caller last.
    pub fn schemes(&self) -> Schemes<'_, 'r> {
        Schemes(ALL.iter().copied().chain(self.own.iter().copied()))
    }

    /// Returns the scheme of this name, ignoring case.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<&'r dyn Scheme> {
        self.own(name).or_else(|| super::lookup(name).map(|scheme| scheme as &'r dyn Scheme))
    }

    /// Returns the caller's scheme of this name, ignoring case.
    fn own(&self, name: &str) -> Option<&'r dyn Scheme> {
        self.own.iter().copied().find(|scheme| scheme.is_named(name))
    }

    /// Returns the default port of a scheme, like [`default_port`](super::default_port).
    #[must_use]
    pub fn default_port(&self, name: &str) -> Option<u16> {
        let defined = match self.own(name) {
            Some(own) => own.default_port(),
            None => super::equivalences(name).and_then(|known| known.port()),
        };
        defined.or_else(|| super::registered_port(name).map(|known| known.port))
    }

    /// Checks a reference by the rule that its edition has for its scheme, like
    /// [`check`](super::check).
    #[must_use]
    pub fn check<'a>(&self, reference: impl Into<UriRef<'a>>) -> Option<Result<(), ParseError>> {
        let reference = reference.into();
        let scheme = self.lookup(reference.scheme()?.as_str())?;
        check_by(scheme, reference)
    }
}

iterator! {
    /// The schemes of a registry: the result of [`Registry::schemes`].
    ///
    /// ```
    /// let registry = locator::scheme::Registry::new();
    /// assert!(registry.schemes().any(|scheme| scheme.is_named("ftp")));
    /// ```
    pub struct Schemes<'s, 'r>(
        Chain<Copied<slice::Iter<'s, &'r dyn Scheme>>, Copied<slice::Iter<'s, &'r dyn Scheme>>>
    ) -> &'r dyn Scheme;
}

impl Registry<'_> {
    /// Returns the basis of normal forms by the schemes of this registry.
    pub(crate) const fn basis(&self) -> Basis<'_> {
        Basis { schemes: self, by_scheme: true }
    }
}

impl KnownSchemes for Registry<'_> {
    fn equivalences(&self, name: &str) -> Option<&dyn Equivalences> {
        match self.own(name) {
            Some(own) => Some(own),
            None => super::equivalences(name).map(|known| known as &dyn Equivalences),
        }
    }

    fn default_port(&self, name: &str) -> Option<u16> {
        Self::default_port(self, name)
    }
}

/// The error of adding a scheme whose name is already defined.
///
/// To fetch its URLs in another way, map it to a gateway.
///
/// ```
/// use locator::scheme::{Registry, lookup};
///
/// let error = Registry::new().register(lookup("http").unwrap()).unwrap_err();
/// assert_eq!(error.to_string(), "the scheme \"http\" is already defined");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DuplicateSchemeError {
    name: &'static str,
}

impl DuplicateSchemeError {
    /// Returns the name that is already defined.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl Display for DuplicateSchemeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the scheme \"{}\" is already defined", self.name)
    }
}

error_as_sentence!(DuplicateSchemeError);
