//! Which attributes are URLs: the name of an attribute and its element enter, what the value is leaves. Follows the index of
//! attributes of the HTML standard and its chapter on obsolete features, HTML 4.01's `%URI` for what that chapter only mentions, SVG 2 and
//! MathML 3.

use super::space::Space;
use Kind::{Anchor, Base, BySpace, Comma, Content, Document, Id, Link, NonEmpty, Said, Srcset, Style};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// "a valid URL potentially surrounded by spaces"; what is empty is a link to the document itself.
    Link,
    /// "a valid non-empty URL potentially surrounded by spaces": what is empty is none.
    NonEmpty,
    /// The document's base.
    Base,
    /// URLs between white space.
    BySpace,
    /// URLs between commas.
    Comma,
    /// "one or more image candidate strings"
    Srcset,
    /// Declarations of CSS.
    Style,
    /// A time and a URL, if the element says that it is a refresh.
    Content,
    /// A document of its own.
    Document,
    /// A name that a fragment may point to.
    Id,
    /// The same in an `a`, where names were given first.
    Anchor,
    /// Nothing that is told: what other attributes or elements mean depends on it.
    Said,
}

/// An attribute of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name(u8);

/// Elements of any name.
const ANY: &str = "*";
/// Elements of any name in SVG.
const SVG: &str = "svg *";
/// Elements of any name in MathML.
const MATHML: &str = "math *";

/// An attribute, and what it is in which elements.
type Row = (&'static str, &'static [(Kind, Elements)]);

type Elements = &'static [&'static str];

/// The attributes, the short ones first, and what they are in which elements.
///
/// Of what is obsolete there is what browsers ever fetched or followed. `code`, `object` and `name` of `applet`, `name` and `usemap` of
/// others are no URLs, but `usemap` is a fragment with its "#". `rel`, `property` and `itemprop` may be URLs and are
/// names that nobody fetches.
static TABLE: [Row; 47] = [
    ("id", &[(Id, &[ANY])]),
    (
        "src",
        &[(
            NonEmpty,
            &[
                "img", "script", "iframe", "source", "video", "audio", "embed", "track", "input", "frame",
                "bgsound", "layer", "ilayer", "math *",
            ],
        )],
    ),
    ("href", &[(Link, &["a", "area", SVG, MATHML]), (NonEmpty, &["link"]), (Base, &["base"])]),
    ("cite", &[(NonEmpty, &["blockquote", "q", "ins", "del"])]),
    ("data", &[(NonEmpty, &["object"])]),
    ("fill", &[(Style, &[SVG])]),
    ("mask", &[(Style, &[SVG])]),
    ("name", &[(Anchor, &["a"])]),
    ("ping", &[(BySpace, &["a", "area"])]),
    ("type", &[(Said, &["script"])]),
    ("face", &[(Said, &["font"])]),
    ("size", &[(Said, &["font"])]),
    ("style", &[(Style, &[ANY])]),
    ("color", &[(Said, &["font"])]),
    ("action", &[(NonEmpty, &["form"])]),
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
    ("charset", &[(Said, &["meta"])]),
    ("archive", &[(BySpace, &["object"]), (Comma, &["applet"])]),
    ("classid", &[(NonEmpty, &["object"])]),
    ("profile", &[(BySpace, &["head"])]),
    ("manifest", &[(NonEmpty, &["html"])]),
    ("itemtype", &[(BySpace, &[ANY])]),
    ("codebase", &[(NonEmpty, &["object", "applet"])]),
    ("longdesc", &[(NonEmpty, &["img", "frame", "iframe"])]),
    ("encoding", &[(Said, &["annotation-xml"])]),
    ("clip-path", &[(Style, &[SVG])]),
    (
        "background",
        &[(NonEmpty, &["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "layer", "ilayer"])],
    ),
    ("formaction", &[(NonEmpty, &["button", "input"])]),
    ("xlink:href", &[(Link, &[SVG, MATHML])]),
    ("marker-end", &[(Style, &[SVG])]),
    ("marker-mid", &[(Style, &[SVG])]),
    ("http-equiv", &[(Said, &["meta"])]),
    ("imagesrcset", &[(Srcset, &["link"])]),
    ("marker-start", &[(Style, &[SVG])]),
    ("shadowrootmode", &[(Said, &["template"])]),
];

/// Where the rows begin whose names have at least that many octets.
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
    pub(super) const COLOR: Self = Self::known("color");
    pub(super) const CHARSET: Self = Self::known("charset");
    pub(super) const CONTENT: Self = Self::known("content");
    pub(super) const ENCODING: Self = Self::known("encoding");
    pub(super) const FACE: Self = Self::known("face");
    pub(super) const HREF: Self = Self::known("href");
    pub(super) const HTTP_EQUIV: Self = Self::known("http-equiv");
    pub(super) const SHADOW_ROOT_MODE: Self = Self::known("shadowrootmode");
    pub(super) const SIZE: Self = Self::known("size");
    pub(super) const TYPE: Self = Self::known("type");

    /// An attribute by its name; none if nothing depends on it.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        let first = usize::from(*BY_LENGTH.get(name.len())?);
        let behind = usize::from(*BY_LENGTH.get(name.len() + 1)?);
        let rows = &TABLE[first..behind];
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

    /// Its name.
    pub(super) fn as_str(self) -> &'static str {
        TABLE[usize::from(self.0)].0
    }

    /// What its value is in an element.
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
