//! Objects: what is read, and how its end is recognized.

use super::text::Text;

/// An object that a server sends, and its framing. It begins after what was read before.
///
/// ```
/// use locator::plan::{Framing, ObjectKind, Options, Step};
/// use locator::{scheme, uri};
///
/// let plan = scheme::plan(uri!("gopher://h/1docs"), &Options::new())?;
/// let object = plan.steps().find_map(|step| match step {
///     Step::Receive(object) => Some(object),
///     _ => None,
/// });
/// let menu = object.unwrap();
/// assert_eq!((menu.kind, &*menu.name), (ObjectKind::Menu, "a menu"));
/// assert_eq!(menu.end, Framing::DotOrConnection);
/// # Ok::<_, locator::plan::PlanError>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The kind of the object, which says how a program can use it.
    pub kind: ObjectKind,
    /// A description for people: "a menu".
    pub name: Text,
    /// The media type, if the URL or the protocol states it.
    pub media_type: Option<Text>,
    /// The framing, which determines the end of the object.
    pub end: Framing,
    /// The form in which the server reports that the object does not exist, if the protocol has no
    /// replies.
    pub error: Option<ErrorForm>,
}

impl Object {
    /// Creates an object whose media type is not known.
    #[must_use]
    pub fn new(kind: ObjectKind, name: impl Into<Text>, end: Framing) -> Self {
        Self { kind, name: name.into(), media_type: None, end, error: None }
    }

    /// Sets the media type.
    #[must_use]
    pub fn media_type(self, media_type: impl Into<Text>) -> Self {
        Self { media_type: Some(media_type.into()), ..self }
    }

    /// Sets the form in which the server reports that the object does not exist.
    #[must_use]
    pub fn error(self, form: ErrorForm) -> Self {
        Self { error: Some(form), ..self }
    }
}

crate::as_text::named! {
    /// The form of an error in a protocol without replies: how a server reports a missing object.
    ///
    /// ```
    /// use locator::plan::{ErrorForm, Options, Step};
    /// use locator::{scheme, uri};
    ///
    /// // A gopher server without the file sends a menu with an error, or nothing.
    /// let plan = scheme::plan(uri!("gopher://h/0a.txt"), &Options::new())?;
    /// let form = plan.steps().find_map(|step| match step {
    ///     Step::Receive(object) => object.error,
    ///     _ => None,
    /// });
    /// assert_eq!(form, Some(ErrorForm::MenuLine));
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ErrorForm {
        /// It sends nothing, or a single line of a menu of Gopher: one of type 3, or one of type 0 with
        /// the host `error.host`.
        MenuLine = "menu-line",
    }

    /// Returns the name of this form in JSON.
    pub const fn name;
}

crate::as_text::named! {
    /// The kind of an object, which says how a program can use it.
    ///
    /// It decides what a program can do with the octets: follow a menu, list names, save a file.
    ///
    /// ```
    /// use locator::plan::{ObjectKind, Options, Step};
    /// use locator::{scheme, uri};
    ///
    /// let plan = scheme::plan(uri!("ftp://h/pub;type=d"), &Options::new())?;
    /// let kind = plan.all_steps().find_map(|step| match step {
    ///     Step::Transfer(transfer) => Some(transfer.object.kind),
    ///     _ => None,
    /// });
    /// assert_eq!(kind, Some(ObjectKind::Names));
    /// assert_eq!(ObjectKind::Names.name(), "names");
    /// # Ok::<_, locator::plan::PlanError>(())
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ObjectKind {
        /// Lines of text.
        Text = "text",
        /// Octets.
        Binary = "binary",
        /// A menu of Gopher (RFC 1436), or Gopher+ blocks of attributes.
        Menu = "menu",
        /// Names of files, a line each (RFC 959, NLST).
        Names = "names",
        /// Facts and names of files, a line each (RFC 3659, MLSD).
        Facts = "facts",
        /// A directory as a server prints it for people, a line for each file (RFC 959, LIST).
        Long = "long",
        /// Newsgroups, a line each (RFC 3977, LIST ACTIVE).
        Groups = "groups",
        /// Numbers of articles, a line each (RFC 3977, LISTGROUP).
        Numbers = "numbers",
        /// Numbers of articles with their subjects, authors and dates, a line each (RFC 3977, OVER).
        Overview = "overview",
        /// An article of Usenet (RFC 5536).
        Article = "article",
        /// What a search in a database found (WAIS).
        Hits = "hits",
        /// Something else that the server sends before the object of the URL. [`Step::Receive`] reads and
        /// drops it.
        ///
        /// [`Step::Receive`]: super::Step::Receive
        Dropped = "dropped",
        /// What describes a form; it is not the object of the URL, but is shown when it is filled in.
        Form = "form",
        /// The attributes of an object of a directory (Prospero).
        Attributes = "attributes",
        /// The links of a directory (Prospero).
        Links = "links",
        /// An interactive session.
        Session = "session",
        /// Unknown.
        Unknown = "unknown",
    }

    /// Returns the name of this kind in JSON.
    pub const fn name;
}

crate::as_text::named! {
    /// The framing of an object, which determines where it ends.
    ///
    /// ```
    /// use locator::plan::{Framing, Options, Step};
    /// use locator::{scheme, uri};
    ///
    /// let framing = |uri: locator::Uri<'_>| {
    ///     let plan = scheme::plan(uri, &Options::new()).ok()?;
    ///     plan.all_steps().find_map(|step| {
    ///         if let Step::Receive(object) = step { Some(object.end) } else { None }
    ///     })
    /// };
    /// assert_eq!(framing(uri!("gopher://h/1")), Some(Framing::DotOrConnection));
    /// assert_eq!(framing(uri!("gopher://h/9a")), Some(Framing::Connection));
    /// ```
    #[non_exhaustive]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Framing {
        /// The object ends when the connection closes.
        Connection = "connection",
        /// The object ends when the connection closes. A last line "." is not part of it.
        ConnectionLessDot = "connection-less-dot",
        /// The object ends when the data connection closes.
        DataConnection = "data-connection",
        /// The object ends before a line that is "." alone. A "." that was added to the beginning of
        /// any other line is removed.
        Dot = "dot",
        /// The object ends before a line "." or when the connection closes: servers differ. No "." is
        /// removed from a line.
        DotOrConnection = "dot-or-connection",
        /// The first line determines the framing: `+` and the number of octets, `+-1` for a line ".",
        /// `+-2` for the connection's end, `-` for an error instead (Gopher+). A server without Gopher+
        /// has no such line; its object ends with the connection.
        GopherPlus = "gopher-plus",
        /// HTTP framing (RFC 9112, section 6.3).
        Http = "http-framing",
        /// The object is a single answer of the server: a packet of WAIS, or the datagrams of ARDP.
        Answer = "answer",
        /// The object is the value of the attribute CONTENTS in a single answer (Prospero).
        Contents = "contents",
        /// The object is not sent: only what is known of it was asked for.
        Nothing = "nothing",
    }

    /// Returns the name of this framing in JSON.
    pub const fn name(own_display);
}
