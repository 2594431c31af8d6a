//! Options: what a plan needs that the URL does not say, and that its user chooses once.

/// The user's choices for plans. [`Options::new`] chooses nothing.
///
/// ```
/// use locator::plan::{Options, Server};
///
/// let options = Options::new()
///     .email("joe@example.com")
///     .news_server(Server { host: "news.example.com", port: None });
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// The e-mail address that anonymous ftp sends as the password.
    pub email: Option<&'o str>,
    /// The server that `news` URLs are asked of; they name none themselves.
    pub news_server: Option<Server<'o>>,
    /// The server that is asked instead of the one that the URL names, with the whole URL.
    pub proxy: Option<Server<'o>>,
    /// What is asked for where an ftp URL has no type.
    pub representation: TransferMode,
    /// The programs for interactive sessions.
    pub programs: &'o [Program<'o>],
    /// Whether a URL of gopher, wais, whois or prospero, whose clients speak first, may name a port below 1024 that is
    /// another protocol's.
    pub low_ports: bool,
    /// Where the Andrew File System is mounted on this machine, if it is: `/afs`.
    pub afs: Option<&'o str>,
}

impl<'o> Options<'o> {
    /// Returns options that choose nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            email: None,
            news_server: None,
            proxy: None,
            representation: TransferMode::Image,
            programs: &[],
            low_ports: false,
            afs: None,
        }
    }

    /// Sets the e-mail address that anonymous ftp sends as the password.
    #[must_use]
    pub const fn email(self, email: &'o str) -> Self {
        Self { email: Some(email), ..self }
    }

    /// Sets the server that `news` URLs are requested from; they name none themselves.
    #[must_use]
    pub const fn news_server(self, server: Server<'o>) -> Self {
        Self { news_server: Some(server), ..self }
    }

    /// Sets the server that is sent the whole URL instead of the one that the URL names.
    #[must_use]
    pub const fn proxy(self, server: Server<'o>) -> Self {
        Self { proxy: Some(server), ..self }
    }

    /// Sets how an ftp URL without a type is transferred; the default is [`TransferMode::Image`].
    #[must_use]
    pub const fn representation(self, representation: TransferMode) -> Self {
        Self { representation, ..self }
    }

    /// Sets the programs for interactive sessions.
    #[must_use]
    pub const fn programs(self, programs: &'o [Program<'o>]) -> Self {
        Self { programs, ..self }
    }

    /// Sets whether a URL of gopher, wais, whois or prospero may name a port below 1024 that is another protocol's;
    /// the default is `false`.
    #[must_use]
    pub const fn low_ports(self, allowed: bool) -> Self {
        Self { low_ports: allowed, ..self }
    }

    /// Sets the directory where the Andrew File System is mounted: `/afs`.
    #[must_use]
    pub const fn afs(self, directory: &'o str) -> Self {
        Self { afs: Some(directory), ..self }
    }
}

/// A server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server<'o> {
    /// Its name or address.
    pub host: &'o str,
    /// Its port, if it is not the protocol's own.
    pub port: Option<u16>,
}

/// How a file is transferred whose URL does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransferMode {
    /// Octet by octet.
    #[default]
    Image,
    /// As lines of text.
    Text,
}

/// A program for the interactive sessions of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program<'o> {
    /// The scheme, in lower case.
    pub scheme: &'o str,
    /// The program and its words, `{host}` and `{port}` standing for what the URL names.
    pub words: &'o [&'o str],
}
