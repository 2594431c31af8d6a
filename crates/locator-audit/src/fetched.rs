//! The schemes whose URLs general programs fetch, in groups: programs support different groups.
//! Takes the name of a scheme, returns its group.

/// A set of groups of schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fetched(u8);

impl Fetched {
    /// `http` and `https`.
    pub(crate) const WEB: Self = Self(1);
    /// `ftp`.
    pub(crate) const FTP: Self = Self(2);
    /// `ws` and `wss`.
    pub(crate) const SOCKETS: Self = Self(4);
    /// The special schemes of the URL standard that have a host.
    pub(crate) const SPECIAL: Self = Self::WEB.and(Self::FTP).and(Self::SOCKETS);

    /// Returns the union of two sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether a scheme, written in lower case, is in a group of this set.
    pub(crate) fn contains(self, scheme: &str) -> bool {
        let group = match scheme {
            "http" | "https" => Self::WEB,
            "ftp" => Self::FTP,
            "ws" | "wss" => Self::SOCKETS,
            _ => return false,
        };
        self.0 & group.0 != 0
    }
}

/// The scheme of a host without one, for programs that guess: `www.example/` and `host:8080`.
pub(crate) const GUESSED: &str = "http";

/// The scheme of `host:path`, for programs that take it for a file of a host.
pub(crate) const OF_HOST_AND_PATH: &str = "ftp";

/// Returns whether a proxy is asked for a connection to the host (`CONNECT`), not for the URL.
pub(crate) fn is_tunnelled(scheme: &str) -> bool {
    matches!(scheme, "https" | "wss")
}
