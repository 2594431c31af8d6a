//! Options: what a plan needs that the URL does not contain, and that the user configures once.

use core::ops::Range;

/// Options for what a plan needs and a URL does not contain, such as a proxy.
///
/// [`Options::new`] sets none.
///
/// ```
/// use locator::plan::{Options, Server};
///
/// let options = Options::new()
///     .email("joe@example.com")
///     .news_server(Server { host: "news.example.com", port: None });
/// # let _ = options;
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// The e-mail address that anonymous ftp sends as the password.
    pub email: Option<&'o str>,
    /// The server that `news` URLs are requested from, because they do not name a server.
    pub news_server: Option<Server<'o>>,
    /// The proxy that receives the whole URL instead of the server that the URL names.
    pub proxy: Option<Server<'o>>,
    /// The transfer mode of an ftp URL without a type.
    pub representation: TransferMode,
    /// Whether an ftp connection is secured before the login.
    pub ftp_tls: Tls,
    /// Whether a directory of ftp is listed by `NLST name`, as RFC 1738, 3.2.2, says literally, and
    /// not by `CWD name` and `NLST`.
    pub literal_listing: bool,
    /// How an ftp directory is listed.
    pub listing: Listing,
    /// Whether a newsgroup is listed with subjects, authors and dates, and not by numbers alone.
    pub overview: bool,
    /// Whether an ftp plan asks only for what is known of the file, its size and its time, as `HEAD`
    /// of HTTP does.
    pub head: bool,
    /// The octets of an ftp file that are wanted: the offset of the first one, and their number, if
    /// not all that follow are.
    pub range: Option<(u64, Option<u64>)>,
    /// Whether an ftp plan sends a file to the server, and does not retrieve one.
    pub upload: Option<Upload>,
    /// Whether an upload creates the directories of the URL that do not exist.
    pub create_directories: bool,
    /// The programs for interactive sessions.
    pub programs: &'o [Program<'o>],
    /// Whether a URL may name the port of another protocol, or a port below 1024 that is not its
    /// scheme's. The audit reports the same ports as `foreign-port` and `reserved-port`.
    pub low_ports: bool,
    /// The directory where the Andrew File System is mounted, if it is: `/afs`.
    pub afs: Option<&'o str>,
    /// Whether the plan resumes a fetch that ended early, or prepares for that.
    pub resumption: Resumption<'o>,
    /// The maximum number of documents that a search of wais asks for; 40 by default, as in the
    /// reference client.
    pub max_hits: Option<u16>,
    /// The ranges of the URL that are secrets, if a gateway made it: they are not in its userinfo.
    pub(crate) secrets: &'o [Range<usize>],
}

impl<'o> Options<'o> {
    /// Returns options that set nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            email: None,
            news_server: None,
            proxy: None,
            representation: TransferMode::Image,
            ftp_tls: Tls::Off,
            literal_listing: false,
            listing: Listing::Names,
            overview: false,
            head: false,
            range: None,
            upload: None,
            create_directories: false,
            programs: &[],
            low_ports: false,
            afs: None,
            resumption: Resumption::Off,
            max_hits: None,
            secrets: &[],
        }
    }

    /// Sets the e-mail address that anonymous ftp sends as the password.
    #[must_use]
    pub const fn email(self, email: &'o str) -> Self {
        Self { email: Some(email), ..self }
    }

    /// Sets the server that `news` URLs are requested from, because they do not name a server.
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

    /// Sets whether an ftp connection is secured before the login; the default is [`Tls::Off`].
    #[must_use]
    pub const fn ftp_tls(self, ftp_tls: Tls) -> Self {
        Self { ftp_tls, ..self }
    }

    /// Sets whether a directory of ftp is listed by `NLST name`, as RFC 1738, 3.2.2, says literally;
    /// the default is `false`: servers differ in what they make of the argument.
    #[must_use]
    pub const fn literal_listing(self, literal: bool) -> Self {
        Self { literal_listing: literal, ..self }
    }

    /// Sets how an ftp directory is listed; the default is [`Listing::Names`].
    #[must_use]
    pub const fn listing(self, listing: Listing) -> Self {
        Self { listing, ..self }
    }

    /// Sets whether a newsgroup is listed with subjects, authors and dates (`OVER`, RFC 3977, 8.3), or by
    /// numbers if the server does not know that; the default is `false`.
    ///
    /// ```
    /// use locator::plan::Options;
    /// use locator::{scheme, uri};
    ///
    /// let options = Options::new().overview(true);
    /// let plan = scheme::plan(uri!("nntp://h/comp.lang.c"), &options)?.to_string();
    /// assert!(plan.contains("OVER 1-") && plan.contains("LISTGROUP"));
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    #[must_use]
    pub const fn overview(self, overview: bool) -> Self {
        Self { overview, ..self }
    }

    /// Sets whether an ftp plan asks only for what is known of the file; the default is `false`.
    #[must_use]
    pub const fn head(self, head: bool) -> Self {
        Self { head, ..self }
    }

    /// Sets which octets of an ftp file are wanted: the offset of the first one, and their number, if
    /// not all that follow are. The default is all of them.
    #[must_use]
    pub const fn range(self, start: u64, count: Option<u64>) -> Self {
        Self { range: Some((start, count)), ..self }
    }

    /// Sets that an ftp plan sends a file to the server. Plans of other schemes do not change.
    #[must_use]
    pub const fn upload(self, upload: Upload) -> Self {
        Self { upload: Some(upload), ..self }
    }

    /// Sets whether an upload creates the directories of the URL that do not exist; the default is
    /// `false`.
    #[must_use]
    pub const fn create_directories(self, creates: bool) -> Self {
        Self { create_directories: creates, ..self }
    }

    /// Sets the programs for interactive sessions.
    #[must_use]
    pub const fn programs(self, programs: &'o [Program<'o>]) -> Self {
        Self { programs, ..self }
    }

    /// Sets whether a URL may name the port of another protocol, or a port below 1024 that is not its
    /// scheme's; the default is `false`.
    #[must_use]
    pub const fn low_ports(self, allowed: bool) -> Self {
        Self { low_ports: allowed, ..self }
    }

    /// Sets the directory where the Andrew File System is mounted: `/afs`.
    #[must_use]
    pub const fn afs(self, directory: &'o str) -> Self {
        Self { afs: Some(directory), ..self }
    }

    /// Sets whether the plan resumes a fetch that ended early, or prepares for that; the default is
    /// [`Resumption::Off`].
    #[must_use]
    pub const fn resumption(self, resumption: Resumption<'o>) -> Self {
        Self { resumption, ..self }
    }
}

impl Options<'_> {
    /// The maximum number of documents that a search of wais asks for by default.
    pub const USUAL_HITS: u16 = 40;

    /// Sets the maximum number of documents that a search of wais asks for.
    #[must_use]
    pub const fn max_hits(self, most: u16) -> Self {
        Self { max_hits: Some(most), ..self }
    }
}

/// The address of a server that the user configures.
///
/// ```
/// use locator::plan::{Options, Server};
/// use locator::{scheme, uri};
///
/// let proxy = Server { host: "proxy.example", port: Some(8080) };
/// let plan =
///     scheme::plan(uri!("http://h.example/a"), &Options::new().proxy(proxy))?;
/// assert!(plan.to_string().starts_with(
///     "connect to proxy.example, port 8080 (tcp)\n  C: GET http://h.example/a "
/// ));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Server<'o> {
    /// The name or address of the server.
    pub host: &'o str,
    /// The port of the server, if it is not the protocol's default.
    pub port: Option<u16>,
}

/// The transfer mode of a file whose URL has no type.
///
/// ```
/// use locator::plan::{Options, TransferMode};
/// use locator::{scheme, uri};
///
/// let text = Options::new().representation(TransferMode::Text);
/// assert!(scheme::plan(uri!("ftp://h/a"), &text)?.to_string().contains("TYPE A"));
/// assert!(
///     scheme::plan(uri!("ftp://h/a;type=i"), &text)?
///         .to_string()
///         .contains("TYPE I")
/// );
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransferMode {
    /// Transfer octets unchanged.
    #[default]
    Image,
    /// Transfer lines of text.
    Text,
    /// Transfer a file as lines of text if the suffix of its name is one of text files, such as `.txt`.
    ///
    /// "The data content type of a file can only, in the general FTP case, be deduced from the name,
    /// normally the suffix of the name. […] A suitable FTP transfer type (for example binary "I" or text
    /// "A") must in turn be deduced from the data content type" (draft of 1994).
    Guessed,
}

/// How an ftp directory is listed.
///
/// ```
/// use locator::plan::{Listing, Options};
/// use locator::{scheme, uri};
///
/// let facts = Options::new().listing(Listing::Facts);
/// let plan = scheme::plan(uri!("ftp://h/pub/"), &facts)?.to_string();
/// // A server that does not know MLSD lists names.
/// assert!(plan.contains("MLSD") && plan.contains("NLST"));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// By names alone (`NLST`), as RFC 1738, 3.2.2, says.
    #[default]
    Names,
    /// With kinds, sizes and times (`MLSD`, RFC 3659, 7), or by names if the server does not know that.
    Facts,
    /// In the form that the server prints for people (`LIST`), which no document defines.
    Long,
}

/// How an ftp plan sends a file to the server (RFC 959, 4.1.3).
///
/// ```
/// use locator::plan::{Options, Upload};
/// use locator::{scheme, uri};
///
/// let plan =
///     scheme::plan(uri!("ftp://h/pub/a"), &Options::new().upload(Upload::Store))?;
/// assert!(plan.to_string().contains("C: STOR a\n"));
/// // Which name the file gets is not known.
/// let upload = Options::new().upload(Upload::Append);
/// assert!(scheme::plan(uri!("ftp://h/pub/"), &upload).is_err());
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upload {
    /// The file replaces one of that name (`STOR`).
    Store,
    /// The file is appended to one of that name, if there is one (`APPE`).
    Append,
}

/// Whether a connection that begins unencrypted is secured by TLS (RFC 4217, 4).
///
/// ```
/// use locator::plan::{Options, Tls};
/// use locator::{scheme, uri};
///
/// let secured =
///     scheme::plan(uri!("ftp://h/a"), &Options::new().ftp_tls(Tls::Required))?;
/// assert!(secured.to_string().contains("AUTH TLS"));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tls {
    /// The connection stays unencrypted.
    #[default]
    Off,
    /// The connection is secured if the server supports it.
    Try,
    /// The connection is secured, or nothing is sent.
    Required,
}

/// Whether a plan resumes a fetch that ended early.
///
/// Plans of ftp can, for files that are transferred as octets.
///
/// ```
/// use locator::plan::{Options, Resumption};
/// use locator::{scheme, uri};
///
/// let resumption =
///     Resumption::From { start: 1000, length: 5000, modified: "20260101000000" };
/// let plan =
///     scheme::plan(uri!("ftp://h/a"), &Options::new().resumption(resumption))?;
/// assert!(plan.to_string().contains("REST 1000"));
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resumption<'o> {
    /// The plan fetches the object from its beginning.
    #[default]
    Off,
    /// The plan also asks for the length and the time of the object, so that a later plan can
    /// resume.
    Prepared,
    /// The plan resumes if the length and the time are these, and starts over if they are not.
    From {
        /// The number of octets that were fetched already.
        start: u64,
        /// The number of octets of the object.
        length: u64,
        /// The time of the last change of the object, as the server sent it.
        modified: &'o str,
    },
}

/// A program for the interactive sessions of a scheme.
///
/// ```
/// use locator::plan::{Options, Program};
/// use locator::{scheme, uri};
///
/// let programs = [Program {
///     scheme: "telnet",
///     words: &["putty", "-telnet", "{host}", "-P", "{port}"],
/// }];
/// let plan = scheme::plan(
///     uri!("telnet://h.example:2323/"),
///     &Options::new().programs(&programs),
/// )?;
/// assert_eq!(plan.to_string(), "start putty -telnet h.example -P 2323\n");
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program<'o> {
    /// The name of the scheme, in lower case.
    pub scheme: &'o str,
    /// The program and its arguments; `{host}` and `{port}` are replaced by those of the URL.
    pub words: &'o [&'o str],
}
