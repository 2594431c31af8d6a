//! The attributes that contain URLs. Returns the kind of a value by the names of its attribute and
//! element. Follows the attribute index of the HTML standard and its chapter on obsolete features.
//! HTML 4.01's `%URI` covers what that chapter only mentions; SVG 2 and MathML 3 are followed, too.

use Kind::{
    Anchor, Base, BySpace, Comma, Content, Document, Id, Link, NonEmpty, Other, Requested, Srcset, Style,
};

/// The kind of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// "a valid URL potentially surrounded by spaces"; an empty value is a link to the document
    /// itself. So is an empty form action, although it is not valid: "If action is the empty string,
    /// let action be the URL of the form document."
    Link,
    /// "a valid non-empty URL potentially surrounded by spaces": an empty value is not a link.
    NonEmpty,
    /// Like [`NonEmpty`](Self::NonEmpty), but always a request: by some editions an empty value is
    /// the base.
    Requested,
    /// The base of the document.
    Base,
    /// URLs separated by white space.
    BySpace,
    /// URLs separated by commas.
    Comma,
    /// "one or more image candidate strings"
    Srcset,
    /// CSS declarations.
    Style,
    /// A time and a URL, if the element is a refresh; a URL, if it describes the page to those who link to it.
    Content,
    /// A document.
    Document,
    /// A name that a fragment may refer to.
    Id,
    /// A name in an `a`, the oldest form of an anchor.
    Anchor,
    /// A value that is not reported; the meaning of other attributes or elements depends on it.
    Other,
}

/// An attribute of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name(u8);

/// Elements of any name.
const ANY: &str = "*";
/// SVG elements of any name.
const SVG: &str = "svg *";
/// MathML elements of any name.
const MATHML: &str = "math *";

/// An attribute, and its kind by element.
type Row = (&'static str, &'static [(Kind, Elements)]);

type Elements = &'static [&'static str];

/// The attributes, the shortest first, and their kinds by element.
///
/// Obsolete attributes are included if browsers ever fetched or followed them. Not URLs are `code`,
/// `object` and `name` of `applet`, and `name` and `usemap` elsewhere; but `usemap` is a fragment
/// with its "#". `rel`, `property` and `itemprop` may be URLs, but they are names that are not
/// fetched.
static TABLE: [Row; 54] = [
    ("id", &[(Id, &[ANY])]),
    (
        "src",
        &[(
            Requested,
            &[
                "img", "script", "iframe", "source", "video", "audio", "embed", "track", "input", "frame",
                "bgsound", "layer", "ilayer", "math *",
            ],
        )],
    ),
    ("rel", &[(Other, &["a", "area", "link"])]),
    ("href", &[(Link, &["a", "area", SVG, MATHML]), (NonEmpty, &["link"]), (Base, &["base"])]),
    ("cite", &[(NonEmpty, &["blockquote", "q", "ins", "del"])]),
    ("data", &[(NonEmpty, &["object"])]),
    ("fill", &[(Style, &[SVG])]),
    ("mask", &[(Style, &[SVG])]),
    ("name", &[(Anchor, &["a"]), (Other, &["meta"])]),
    ("ping", &[(BySpace, &["a", "area"])]),
    ("type", &[(Other, &["script"])]),
    ("face", &[(Other, &["font"])]),
    ("size", &[(Other, &["font"])]),
    ("form", &[(Other, &["button", "input"])]),
    ("style", &[(Style, &[ANY])]),
    ("color", &[(Other, &["font"])]),
    ("action", &[(Link, &["form"])]),
    ("method", &[(Other, &["form"])]),
    ("poster", &[(NonEmpty, &["video"])]),
    ("srcset", &[(Srcset, &["img", "source"])]),
    ("srcdoc", &[(Document, &["iframe"])]),
    ("itemid", &[(NonEmpty, &[ANY])]),
    ("usemap", &[(NonEmpty, &["img", "input", "object"])]),
    ("dynsrc", &[(NonEmpty, &["img"])]),
    ("lowsrc", &[(NonEmpty, &["img"])]),
    ("filter", &[(Style, &[SVG])]),
    ("stroke", &[(Style, &[SVG])]),
    ("cursor", &[(Style, &[SVG])]),
    ("marker", &[(Style, &[SVG])]),
    ("altimg", &[(NonEmpty, &[MATHML])]),
    ("content", &[(Content, &["meta"])]),
    ("charset", &[(Other, &["meta"])]),
    ("archive", &[(BySpace, &["object"]), (Comma, &["applet"])]),
    ("classid", &[(NonEmpty, &["object"])]),
    ("profile", &[(BySpace, &["head"])]),
    // Bookmarks as browsers export them ("NETSCAPE-Bookmark-file-1").
    ("feedurl", &[(NonEmpty, &["a"])]),
    ("manifest", &[(NonEmpty, &["html"])]),
    ("itemtype", &[(BySpace, &[ANY])]),
    ("icon_uri", &[(NonEmpty, &["a"])]),
    ("codebase", &[(NonEmpty, &["object", "applet"])]),
    ("property", &[(Other, &["meta"])]),
    ("longdesc", &[(NonEmpty, &["img", "frame", "iframe"])]),
    ("encoding", &[(Other, &["annotation-xml"])]),
    ("clip-path", &[(Style, &[SVG])]),
    (
        "background",
        &[(NonEmpty, &["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "layer", "ilayer"])],
    ),
    ("formaction", &[(Link, &["button", "input"])]),
    ("formmethod", &[(Other, &["button", "input"])]),
    ("xlink:href", &[(Link, &[SVG, MATHML])]),
    ("marker-end", &[(Style, &[SVG])]),
    ("marker-mid", &[(Style, &[SVG])]),
    ("http-equiv", &[(Other, &["meta"])]),
    ("imagesrcset", &[(Srcset, &["link"])]),
    ("marker-start", &[(Style, &[SVG])]),
    ("shadowrootmode", &[(Other, &["template"])]),
];

/// Returns whether `content` of a `meta` with this `property` or `name` is a URL: that of the page, its
/// picture, film or sound, as those who show a link to it need it (the Open Graph protocol, Twitter cards).
pub(crate) fn is_card(name: Option<&str>) -> bool {
    const NAMES: [&str; 16] = [
        "og:url",
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "og:video",
        "og:video:url",
        "og:video:secure_url",
        "og:audio",
        "og:audio:url",
        "og:audio:secure_url",
        "twitter:url",
        "twitter:image",
        "twitter:image:src",
        "twitter:player",
        "twitter:player:stream",
        "msapplication-tileimage",
    ];
    name.is_some_and(|name| NAMES.iter().any(|one| one.eq_ignore_ascii_case(name.trim_ascii())))
}

/// The index of the first row whose name has at least this many octets.
static BY_LENGTH: [u8; LONGEST + 2] = {
    let mut starts = [TABLE.len() as u8; LONGEST + 2];
    let mut row = TABLE.len();
    while row > 0 {
        row -= 1;
        let mut length = 0;
        while length <= TABLE[row].0.len() {
            starts[length] = row as u8;
            length += 1;
        }
    }
    starts
};

const LONGEST: usize = TABLE[TABLE.len() - 1].0.len();

impl Name {
    pub(super) const ACTION: Self = Self::known("action");
    pub(super) const COLOR: Self = Self::known("color");
    pub(super) const CHARSET: Self = Self::known("charset");
    pub(super) const CONTENT: Self = Self::known("content");
    pub(super) const ENCODING: Self = Self::known("encoding");
    pub(super) const FACE: Self = Self::known("face");
    pub(super) const FORM: Self = Self::known("form");
    pub(super) const FORMACTION: Self = Self::known("formaction");
    pub(super) const FORMMETHOD: Self = Self::known("formmethod");
    pub(super) const HREF: Self = Self::known("href");
    pub(super) const HTTP_EQUIV: Self = Self::known("http-equiv");
    pub(super) const IMAGESRCSET: Self = Self::known("imagesrcset");
    pub(super) const METHOD: Self = Self::known("method");
    pub(super) const NAME: Self = Self::known("name");
    pub(super) const PING: Self = Self::known("ping");
    pub(super) const PROPERTY: Self = Self::known("property");
    pub(super) const REL: Self = Self::known("rel");
    pub(super) const SHADOW_ROOT_MODE: Self = Self::known("shadowrootmode");
    pub(super) const SIZE: Self = Self::known("size");
    pub(super) const TYPE: Self = Self::known("type");
    pub(super) const XLINK_HREF: Self = Self::known("xlink:href");

    /// Returns the attribute with this name; `None` if it has no effect.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        let first = usize::from(*BY_LENGTH.get(name.len())?);
        let end = usize::from(*BY_LENGTH.get(name.len() + 1)?);
        let rows = &TABLE[first..end];
        let letter = name.first()?.to_ascii_lowercase();
        let is_row = |row: &[u8]| row[0] == letter && row.eq_ignore_ascii_case(name);
        let row = rows.iter().position(|(row, _)| is_row(row.as_bytes()))?;
        Some(Self((first + row) as u8))
    }

    const fn known(name: &str) -> Self {
        let mut row = 0;
        while row < TABLE.len() {
            if equal(TABLE[row].0.as_bytes(), name.as_bytes()) {
                return Self(row as u8);
            }
            row += 1;
        }
        panic!("not in the table")
    }

    /// Returns the name of the attribute.
    pub(super) fn as_str(self) -> &'static str {
        TABLE[usize::from(self.0)].0
    }

    /// Returns the kind of its value in an element.
    pub(super) fn kind_in(self, space: Space, element: &str) -> Option<Kind> {
        let is = |name: &str| match space {
            Space::Html => name == element || name == ANY,
            Space::Svg => name == SVG || name == ANY,
            Space::MathMl => name == MATHML || name == ANY,
        };
        let (_, kinds) = TABLE[usize::from(self.0)];
        kinds.iter().find(|(_, elements)| elements.iter().any(|name| is(name))).map(|(kind, _)| *kind)
    }
}

const fn equal(left: &[u8], right: &[u8]) -> bool {
    let mut at = 0;
    while at < left.len() && at < right.len() && left[at] == right[at] {
        at += 1;
    }
    at == left.len() && at == right.len()
}

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Html,
    Svg,
    MathMl,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_name() {
        assert!(TABLE.is_sorted_by_key(|(name, _)| name.len()));
        for (name, _) in TABLE {
            assert_eq!(Name::of(name.to_ascii_uppercase().as_bytes()).map(Name::as_str), Some(name));
        }
        for name in ["", "x", "class", "hrefs", "shadowrootmodes", &"x".repeat(100)] {
            assert_eq!(Name::of(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn an_attribute_is_a_url_only_in_its_elements() {
        let kind = |name: &str, space, element| {
            Name::of(name.as_bytes()).and_then(|name| name.kind_in(space, element))
        };
        assert_eq!(kind("href", Space::Html, "a"), Some(Link));
        assert_eq!(kind("href", Space::Html, "base"), Some(Base));
        assert_eq!(kind("href", Space::Html, "span"), None);
        assert_eq!(kind("href", Space::Svg, "lineargradient"), Some(Link));
        assert_eq!(kind("src", Space::Svg, "img"), None);
        assert_eq!(kind("id", Space::MathMl, "mi"), Some(Id));
    }
}
