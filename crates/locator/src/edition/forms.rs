//! The URL syntax of some schemes in an edition, as data: one switch for each question that the
//! documents answer differently. The rules themselves are in `scheme/`. An edition that leaves the
//! schemes to other documents uses the syntax of the latest document of the scheme.

/// The syntax of the schemes that the documents define differently.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "schemes"), allow(dead_code, reason = "an edition is data, for schemes, too"))]
pub(crate) struct SchemeForms {
    /// Whether an ftp URL may end after the login, with the same meaning as with "/".
    pub(crate) ftp_path_is_optional: bool,
    /// Whether an ftp URL may end in `;type=` and a code.
    pub(crate) ftp_type: bool,
    /// Whether the URL of a session (telnet, rlogin, tn3270) may have "/" after the login.
    pub(crate) session_slash: bool,
    /// The delimiter before the search of a gopher URL.
    pub(crate) gopher_search: GopherSearch,
    /// Whether "+" separates the words of the search of a wais URL.
    pub(crate) wais_search_is_words: bool,
    /// Whether a wais URL contains the length of the document.
    pub(crate) wais_length: WaisLength,
    /// Whether "=" and ";" may split the identifier of a wais URL into fields.
    pub(crate) wais_fields: bool,
    /// Whether an escaped NUL separates the fields of a prospero URL, instead of ";" and "=".
    pub(crate) prospero_nuls: bool,
}

impl SchemeForms {
    /// The syntax in an edition that leaves the schemes to other documents, of which RFC 1738 was the
    /// last for these; the path of wais may be divided, since the generic syntax allows ";" and "=".
    pub(super) const OF_OTHER_DOCUMENTS: Self = Self {
        ftp_path_is_optional: true,
        ftp_type: true,
        session_slash: true,
        gopher_search: GopherSearch::Tab,
        wais_search_is_words: false,
        wais_length: WaisLength::Optional,
        wais_fields: true,
        prospero_nuls: false,
    };
}

/// The delimiter before the search of a gopher URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GopherSearch {
    /// "?", with words separated by "+". There is no Gopher+ string.
    QuestionMark,
    /// An escaped tab. A second one may introduce a Gopher+ string.
    Tab,
}

/// The presence of the document's length in a wais URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaisLength {
    /// The length is required, before the path.
    Required,
    /// The length is optional, before the fields of an identifier.
    Optional,
    /// The length is not allowed.
    Absent,
}
