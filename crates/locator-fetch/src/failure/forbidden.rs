//! What a policy or a program forbids, and why.

use std::fmt::{self, Display, Formatter};

use locator_audit::Refusal;

/// Why something is forbidden.
#[derive(Clone, PartialEq, Eq)]
pub struct Forbidden {
    why: String,
    refusal: Option<Box<Refusal>>,
}

/// Writes the sentence without the secrets of URLs in it.
impl fmt::Debug for Forbidden {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Forbidden").field(&crate::shown::sentence(&self.why)).finish()
    }
}

impl Forbidden {
    /// Returns the refusal of the policy, if a policy forbids it.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_deref()
    }
}

impl From<Refusal> for Forbidden {
    fn from(refusal: Refusal) -> Self {
        Self { why: refusal.to_string(), refusal: Some(refusal.into()) }
    }
}

impl From<&str> for Forbidden {
    fn from(why: &str) -> Self {
        Self { why: why.into(), refusal: None }
    }
}

impl Display for Forbidden {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}
