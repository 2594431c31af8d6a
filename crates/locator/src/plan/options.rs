//! Options: what a plan needs that the URL does not say, and that its user chooses once.

/// What the user chose. `Options::default()` chooses nothing.
///
/// ```
/// use locator::plan::{Options, Server};
///
/// let options = Options {
///     email: Some("joe@example.com"),
///     news_server: Some(Server { host: "news.example.com", port: None }),
///     ..Options::default()
/// };
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
    pub representation: Representation,
    /// The programs for interactive sessions.
    pub programs: &'o [Program<'o>],
    /// Whether a URL of gopher, wais, whois or prospero, whose clients speak first, may name a port below 1024 that is
    /// another protocol's.
    pub low_ports: bool,
    /// Where the Andrew File System is mounted on this machine, if it is: `/afs`.
    pub afs: Option<&'o str>,
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
pub enum Representation {
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
