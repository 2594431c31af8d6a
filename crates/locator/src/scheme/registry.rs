//! A registry: the schemes that are known here, a caller's own beside them, and gateways. Names enter,
//! schemes leave; nothing of it is global, so two parts of a program do not see each other's.

#[cfg(feature = "plan")]
mod planning;

#[cfg(feature = "plan")]
pub use planning::GatewayPlanError;

use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};

use super::{ALL, Scheme};
use crate::equivalence::{Basis, Equivalences, KnownSchemes};
use crate::error::ParseError;
use crate::reference::UriRef;

/// The schemes that a program knows.
///
/// ```
/// use locator::scheme::Registry;
///
/// let registry = Registry::new();
/// assert_eq!(registry.lookup("FTP").unwrap().default_port(), Some(21));
/// assert!(registry.lookup("x-mine").is_some() && registry.lookup("mine").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry<'r> {
    own: Vec<&'r dyn Scheme>,
    /// The planners among them, and the gateways.
    #[cfg(feature = "plan")]
    planning: planning::Planning<'r>,
}

impl Registry<'static> {
    /// The schemes that are known here and no others, for who has none of his own.
    pub const BUILT_IN: &'static Self = &Self::new();
}

impl<'r> Registry<'r> {
    /// The schemes that are known here and no others.
    pub const fn new() -> Self {
        Self {
            own: Vec::new(),
            #[cfg(feature = "plan")]
            planning: planning::Planning::new(),
        }
    }

    /// Adds a scheme of the caller's own: its names, ports, rules and equivalences. `register_planner` (feature `plan`)
    /// adds what fetches its URLs, too.
    ///
    /// # Errors
    ///
    /// One of its names is known already.
    pub fn register(&mut self, scheme: &'r dyn Scheme) -> Result<(), DuplicateScheme> {
        match scheme.names().iter().find(|name| self.lookup(name).is_some()) {
            Some(name) => Err(DuplicateScheme { name }),
            None => {
                self.own.push(scheme);
                Ok(())
            }
        }
    }

    /// Every scheme, those of the caller last.
    pub fn schemes(&self) -> impl Iterator<Item = &'r dyn Scheme> {
        ALL.iter().map(|scheme| *scheme as &'r dyn Scheme).chain(self.own.iter().copied())
    }

    /// The scheme of that name, without regard to case.
    pub fn lookup(&self, name: &str) -> Option<&'r dyn Scheme> {
        self.schemes().find(|scheme| scheme.is_named(name))
    }

    /// The port that a scheme's URLs mean where they name none, as [`default_port`](super::default_port) knows it.
    pub fn default_port(&self, name: &str) -> Option<u16> {
        let own = self.lookup(name).and_then(Scheme::default_port);
        own.or_else(|| super::registered_port(name).map(|(port, _)| port))
    }

    /// Checks a reference by the rule that its edition has for its scheme, as [`check`](super::check) does.
    pub fn check(&self, reference: UriRef<'_>) -> Option<Result<(), ParseError>> {
        let scheme = self.lookup(reference.scheme()?.as_str())?;
        Some(super::rule_of(scheme, reference.edition())?.obey(reference))
    }
}

impl Registry<'_> {
    /// By what a reference is brought into the normal form that the schemes say.
    pub(crate) const fn basis(&self) -> Basis<'_> {
        Basis { schemes: self, by_scheme: true }
    }
}

impl KnownSchemes for Registry<'_> {
    fn equivalences(&self, name: &str) -> Option<&dyn Equivalences> {
        self.lookup(name).map(|scheme| scheme as &dyn Equivalences)
    }

    fn default_port(&self, name: &str) -> Option<u16> {
        Self::default_port(self, name)
    }
}

/// The error of adding a scheme whose name is already defined. To fetch its URLs in another way, map it to
/// a gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuplicateScheme {
    name: &'static str,
}

impl DuplicateScheme {
    /// Returns the name.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl Display for DuplicateScheme {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the scheme \"{}\" is already defined", self.name)
    }
}

impl core::error::Error for DuplicateScheme {}
