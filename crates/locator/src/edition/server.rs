//! The syntax of an authority in an edition, as data: one switch for each question that the
//! documents answer differently.

use super::rule::Rule;

/// The syntax of `[ userinfo "@" ] host [ ":" port ]` in an edition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server {
    /// Whether the authority may be empty: `file:///etc/motd`.
    pub(crate) may_be_empty: bool,
    /// Whether an empty host is a valid name.
    pub(crate) host_may_be_empty: bool,
    /// Whether the user before "@" may be empty.
    pub(crate) user_may_be_empty: bool,
    /// Whether a user may contain "?". If so, an authority with an "@" ends only at "/".
    pub(crate) user_may_contain_question_mark: bool,
    /// Whether the port after ":" may be empty.
    pub(crate) port_may_be_empty: bool,
    /// The syntax of a host name; if `None`, the name is any text of the registry class.
    pub(crate) name: Option<Name>,
    /// Whether each of four decimal groups must be at most 255 to form an address.
    pub(crate) numbers_are_octets: bool,
    /// The syntax of addresses in brackets, if the edition has them.
    pub(crate) literals: Option<IpLiterals>,
}

/// The syntax of a host name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    /// Whether the first label must begin with a letter.
    pub(crate) first_begins_with_letter: bool,
    /// Whether the last label must begin with a letter.
    pub(crate) last_begins_with_letter: bool,
    /// Whether a label must end with a letter or a digit.
    pub(crate) labels_end_alphanumeric: bool,
    /// The maximum length of a label, in octets.
    pub(crate) longest_label: usize,
    /// Whether a host name may end with ".".
    pub(crate) last_dot: LastDot,
}

/// Whether a host name may end with ".".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastDot {
    /// The final dot is not allowed.
    Refused,
    /// The final dot is allowed.
    Allowed,
    /// The final dot is allowed after at least two labels if the last label begins with a letter.
    AfterTopLabel,
}

/// The syntax of hosts in brackets: IPv6 addresses, and possibly future versions and zones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IpLiterals {
    /// The rule for the brackets.
    pub(crate) rule: &'static Rule,
    /// Whether an address of a version after IPv6 is allowed.
    pub(crate) future: bool,
    /// The rule for the zone of an IPv6 address, if zones are allowed.
    pub(crate) zones: Option<&'static Rule>,
}

/// The places where an authority need not name a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegName {
    /// An authority always names a server.
    Never,
    /// After a scheme only, because the edition's generic rule restricts only the octets.
    AfterScheme,
    /// With or without a scheme.
    Always,
}

impl RegName {
    /// Returns whether a registry name is allowed after "//".
    pub(crate) const fn allows_reg_name(self, has_scheme: bool) -> bool {
        match self {
            Self::Never => false,
            Self::AfterScheme => has_scheme,
            Self::Always => true,
        }
    }
}
