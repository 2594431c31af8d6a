//! Places between the components of a URL: `url[Position::BeforeHost..Position::AfterPath]`.

/// A place between two components of a URL.
///
/// ```
/// use locator_whatwg::{Position, Url};
///
/// let url = Url::parse("https://user@example.com:8080/a?b#c")?;
/// assert_eq!(&url[Position::BeforeHost..Position::AfterPort], "example.com:8080");
/// assert_eq!(&url[Position::BeforePath..], "/a?b#c");
/// assert_eq!(&url[..Position::AfterQuery], "https://user@example.com:8080/a?b");
/// # Ok::<_, locator_whatwg::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Position {
    /// The start of the URL.
    BeforeScheme,
    /// Before ":".
    AfterScheme,
    /// After "//".
    BeforeUsername,
    /// Before ":", "@" or the host.
    AfterUsername,
    /// After ":".
    BeforePassword,
    /// Before "@".
    AfterPassword,
    /// After "@".
    BeforeHost,
    /// Before ":", or the path.
    AfterHost,
    /// After ":".
    BeforePort,
    /// Before the path.
    AfterPort,
    /// Before the path.
    BeforePath,
    /// Before "?", "#" or the end.
    AfterPath,
    /// After "?".
    BeforeQuery,
    /// Before "#" or the end.
    AfterQuery,
    /// After "#".
    BeforeFragment,
    /// The end of the URL.
    AfterFragment,
}
