//! The schemes z39.50s and z39.50r, for sessions with databases of Z39.50 servers and for documents of
//! them: takes a URL, returns its databases, its document and how a client asks for it; `plan` has the
//! program to start. Follows RFC 2056.

#[cfg(feature = "plan")]
mod plan;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::parts::{Field, LoginParts, Part, Parts, Shape, builder};
use super::syntax::login::Login;
use super::{Equivalences, Scheme, or_root};
use crate::build::Value;
use crate::component::{SpannedSplit, SpannedStr};
use crate::edition::{Edition, rfc1738};
use crate::form::{Syntax, SyntaxError};
use crate::reference::UriRef;
use crate::simd::AsciiSet;

/// A scheme of Z39.50 servers.
#[derive(Debug)]
pub(super) struct Z3950 {
    names: &'static [&'static str],
    object: &'static str,
    form: Syntax,
}

/// The scheme of sessions, in which the user searches databases.
pub(super) static SESSION: Z3950 = Z3950 {
    names: &["z39.50s"],
    object: "a session with databases",
    form: Syntax {
        text: "z39.50s://host[:port][/databases[?docid][;esn=name][;rs=syntaxes]]",
        citation: "RFC 2056",
    },
};

/// The scheme of documents, which a client retrieves without its user.
pub(super) static RETRIEVAL: Z3950 = Z3950 {
    names: &["z39.50r"],
    object: "a document of a database",
    form: Syntax {
        text: "z39.50r://host[:port][/databases[?docid][;esn=name][;rs=syntaxes]]",
        citation: "RFC 2056",
    },
};

impl Scheme for Z3950 {
    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn object(&self) -> &'static str {
        self.object
    }

    fn form(&self) -> Syntax {
        self.form
    }

    fn default_port(&self) -> Option<u16> {
        Some(210)
    }
}

impl Equivalences for Z3950 {
    // A database has a name, not a path.
    fn is_hierarchical(&self) -> bool {
        false
    }

    fn normal_path<'a>(&self, path: &'a str, reference: UriRef<'_>) -> Cow<'a, str> {
        if reference.query().is_some() { Cow::Borrowed(path) } else { or_root(path, reference) }
    }

    // database *( "+" database ), ";esn=", ";rs="
    fn reserved(&self) -> AsciiSet {
        AsciiSet::of(b"+;=")
    }
}

impl super::Divide for Z3950 {
    fn fields<'a>(&self, reference: UriRef<'a>) -> Result<Vec<Field<'a>>, SyntaxError> {
        Z3950Url::read(reference, self).map(|url| url.fields())
    }

    fn parts(&self, _: &Edition) -> &'static [Part] {
        &PARTS
    }
}

#[cfg(feature = "plan")]
impl super::Planner for Z3950 {
    fn plan(
        &self,
        reference: UriRef<'_>,
        options: &crate::plan::Options<'_>,
    ) -> Result<crate::plan::Plan, crate::plan::PlanError> {
        Z3950Url::read(reference, self)?.plan(self, options)
    }
}

/// The characters of a value. A "+" is between two of them.
const DATA: AsciiSet = rfc1738::UCHAR.difference(AsciiSet::of(b"+"));

static PARTS: [Part; 4] = [
    Part::new("databases", "/", DATA).of(Shape::Many('+')),
    Part::new("docid", "?", rfc1738::UCHAR).in_query(),
    Part::new("esn", ";esn=", rfc1738::UCHAR).in_query(),
    Part::new("rs", ";rs=", DATA).of(Shape::Many('+')).in_query(),
];

/// A view of a z39.50s or z39.50r URL as a server, databases and a document.
///
/// ```
/// use locator::scheme::Z3950Url;
/// use locator::uri;
///
/// let url = uri!("z39.50r://cnidr.org:2100/tmf?bkirch_rules__a1;esn=f;rs=marc");
/// let url = Z3950Url::try_from(url).unwrap();
/// assert_eq!(url.login.host.as_str(), "cnidr.org");
/// assert!(url.databases().map(|name| name.as_str()).eq(["tmf"]));
/// assert_eq!(url.docid.unwrap().as_str(), "bkirch_rules__a1");
/// assert_eq!(url.element_set.unwrap().as_str(), "f");
/// assert!(url.record_syntaxes().map(|name| name.as_str()).eq(["marc"]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Z3950Url<'a> {
    url: UriRef<'a>,
    /// The server.
    pub login: Login<'a>,
    databases: SpannedStr<'a>,
    /// The document; its server made this name, and only that server interprets it.
    pub docid: Option<SpannedStr<'a>>,
    /// The name of the set of elements that a record consists of (`esn`).
    pub element_set: Option<SpannedStr<'a>>,
    record_syntaxes: Option<SpannedStr<'a>>,
}

impl<'a> Z3950Url<'a> {
    /// Parses a reference as a URL of one of the schemes, like `try_from`.
    ///
    /// # Errors
    ///
    /// The reference is of another scheme, has no authority or a user, or has another form.
    pub fn of(reference: UriRef<'a>) -> Result<Self, SyntaxError> {
        match Self::read(reference, &SESSION) {
            Err(SyntaxError::OtherScheme) => Self::read(reference, &RETRIEVAL),
            read => read,
        }
    }

    /// zscheme "://" host [ ":" port ] [ "/" [ database *( "+" database ) [ "?" docid ] ]
    /// [ ";esn=" elementset ] [ ";rs=" recordsyntax *( "+" recordsyntax ) ] ]
    fn read(reference: UriRef<'a>, scheme: &Z3950) -> Result<Self, SyntaxError> {
        let (login, rest) = Login::read_server(reference, scheme)?;
        let wrong = |excerpt: SpannedStr<'_>| SyntaxError::Form { span: excerpt.place(), form: scheme.form };
        let path = match rest.strip_prefix("/") {
            Some(path) => path,
            None if rest.is_empty() => rest,
            None => return Err(wrong(rest)),
        };
        let (target, mut parameters) = optional(path, ";");
        let (databases, docid) = optional(target, "?");
        let mut take = |keyword: &str| {
            let (parameter, others) = optional(parameters?, ";");
            let (name, value) = parameter.split_once("=")?;
            if !name.as_str().eq_ignore_ascii_case(keyword) {
                return None;
            }
            parameters = others;
            Some(value)
        };
        let (element_set, record_syntaxes) = (take("esn"), take("rs"));
        match parameters {
            Some(left) => Err(wrong(left)),
            None if databases.as_str().contains('/') => Err(wrong(databases)),
            None => Ok(Self { url: reference, login, databases, docid, element_set, record_syntaxes }),
        }
    }

    /// Returns the names of the databases; there may be none.
    pub fn databases(&self) -> SpannedSplit<'a, 'static> {
        SpannedSplit::of(Some(self.databases).filter(|databases| !databases.is_empty()), "+")
    }

    /// Returns the names of the syntaxes that records may have, the preferred one first (`rs`).
    pub fn record_syntaxes(&self) -> SpannedSplit<'a, 'static> {
        SpannedSplit::of(self.record_syntaxes, "+")
    }

    fn fields(&self) -> Vec<Field<'a>> {
        let fields = self.login.fields().many("databases", self.databases.split("+"));
        let fields = fields.maybe("docid", self.docid).maybe("esn", self.element_set);
        match self.record_syntaxes {
            Some(all) => fields.many("rs", all.split("+")).end(),
            None => fields.end(),
        }
    }
}

/// Divides at the first delimiter, if there is one.
fn optional<'a>(text: SpannedStr<'a>, delimiter: &str) -> (SpannedStr<'a>, Option<SpannedStr<'a>>) {
    text.split_once(delimiter).map_or((text, None), |(before, after)| (before, Some(after)))
}

builder! {
    /// A builder of z39.50s and z39.50r URLs from a server, databases and a document.
    ///
    /// ```
    /// use locator::scheme::{Z3950Parts, Z3950Url};
    ///
    /// let parts = Z3950Parts::new("z39.50r", "h").database("a b").database("c");
    /// let url = parts.docid("d+e").record_syntax("marc").build()?;
    /// assert_eq!(url, "z39.50r://h/a%20b+c?d+e;rs=marc");
    /// let parts = Z3950Url::try_from(&url).unwrap().parts();
    /// assert_eq!(parts.element_set("F").build()?, "z39.50r://h/a%20b+c?d+e;esn=F;rs=marc");
    /// # Ok::<_, locator::BuildError>(())
    /// ```
    Z3950Parts of Z3950Url, by [SESSION, RETRIEVAL];

    /// Sets the server.
    login;
    /// Adds a database.
    each database: "databases";
    /// Sets the document.
    one docid: "docid";
    /// Sets the name of the set of elements.
    one element_set: "esn";
    /// Adds a syntax that records may have.
    each record_syntax: "rs";
}

impl<'v> Z3950Parts<'v> {
    /// Creates a builder of a URL of a scheme, `z39.50s` or `z39.50r`, and a server.
    pub fn new(scheme: &'v str, login: impl Into<LoginParts<'v>>) -> Self {
        Self(Parts::new(scheme).at(login))
    }

    /// Sets the databases, with "+" between them, in place of those so far.
    pub fn databases(self, databases: impl Into<Value<'v>>) -> Self {
        Self(self.0.with("databases", databases))
    }
}
