//! How an edition writes the URLs of some schemes, as data: a switch for each question that the documents answer
//! differently. `scheme/` has the rules themselves; an edition that leaves the schemes to other documents
//! writes their URLs as the latest document of the scheme does.

/// How an edition writes the URLs of the schemes that the documents write differently.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SchemeForms {
    /// Whether an ftp URL may end after the login, which then means the same as with "/".
    pub(crate) ftp_path_is_optional: bool,
    /// Whether an ftp URL may end in `;type=` and a code.
    pub(crate) ftp_type: bool,
    /// Whether the URL of a session (telnet, rlogin, tn3270) may have "/" after the login.
    pub(crate) session_slash: bool,
    /// What precedes the search of a gopher URL.
    pub(crate) gopher_search: GopherSearch,
    /// Whether "+" divides the words of the search of a wais URL.
    pub(crate) wais_search_is_words: bool,
    /// Whether the length of a document is part of its wais URL.
    pub(crate) wais_length: WaisLength,
    /// Whether "=" and ";" may divide the identifier of a wais URL into fields.
    pub(crate) wais_fields: bool,
    /// Whether an escaped NUL divides a prospero URL, and not ";" and "=".
    pub(crate) prospero_nuls: bool,
}

/// What precedes the search of a gopher URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GopherSearch {
    /// "?", and "+" divides its words. There is no Gopher+ string.
    QuestionMark,
    /// An escaped tab. After another one there may be a Gopher+ string.
    Tab,
}

/// Whether the length of a document is part of its wais URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaisLength {
    /// It is, before the path.
    Required,
    /// It may be, before the fields of an identifier.
    Optional,
    /// It is not.
    Absent,
}
