//! The keys in which readings of editions can differ.

use locator::Component;

use crate::reading::Parsed;

/// A key of `read --json` that can differ between editions.
///
/// ```
/// assert_eq!(locator_report::Key::HostKind.name(), "host_kind");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// What kind of reference it is.
    Kind,
    /// A component.
    Part(Component),
    /// The text before the first ":" of the userinfo.
    User,
    /// The text after it.
    Password,
    /// What kind of host it is.
    HostKind,
}

impl Key {
    /// All of them, in the order of `read --json`.
    pub const ALL: [Self; 13] = [
        Self::Kind,
        Self::Part(Component::Prefix),
        Self::Part(Component::Scheme),
        Self::Part(Component::Authority),
        Self::Part(Component::Userinfo),
        Self::User,
        Self::Password,
        Self::Part(Component::Host),
        Self::HostKind,
        Self::Part(Component::Port),
        Self::Part(Component::Path),
        Self::Part(Component::Query),
        Self::Part(Component::Fragment),
    ];

    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Part(part) => part.name(),
            Self::User => "user",
            Self::Password => "password",
            Self::HostKind => "host_kind",
        }
    }

    /// Returns the value in a reading; `None` if it is undefined.
    #[must_use]
    pub fn of<'a>(self, reading: &Parsed<'a>) -> Option<&'a str> {
        let reference = reading.reference;
        let userinfo = || reference.authority()?.userinfo();
        match self {
            Self::Kind => Some(reference.kind().name()),
            Self::Part(part) => reference.component(part),
            Self::User => Some(userinfo()?.user().as_str()),
            Self::Password => Some(userinfo()?.password()?.as_str()),
            Self::HostKind => Some(reference.authority()?.host().kind().name()),
        }
    }
}
