//! The context of tags. Determines the namespace of each element and whether its content is part of
//! the document. Follows the HTML standard, 13.2.6: as much of "tree construction" as affects the
//! tokenizer. No tree is built.

use super::attributes::{Name, Space};
use super::tag::Tag;
use crate::link::purpose::Method;

/// The open elements that affect how their content is read.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Roots of SVG and MathML, and the elements in them that contain HTML.
    foreign: Vec<Foreign>,
    /// The number of open templates with a shadow root that are not within an inert one.
    shadows: u64,
    /// The number of open templates since the outermost one whose content is not part of the
    /// document.
    inert: u64,
    in_noscript: bool,
    /// The method of the open form: "the form element pointer".
    form: Option<Method>,
}

/// An open element around or in foreign content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foreign {
    Svg,
    MathMl,
    /// "HTML integration point" or "MathML text integration point"
    Point(&'static str),
}

/// The limit of the list; browsers nest no deeper.
const DEEPEST: usize = 512;

/// "If the stack of open elements ... a start tag whose tag name is one of" these, foreign content
/// ends.
const BREAKS_OUT: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

/// "HTML integration point": of SVG.
const POINTS_OF_SVG: [&str; 3] = ["foreignobject", "desc", "title"];

/// "MathML text integration point"
const POINTS_OF_MATHML: [&str; 5] = ["mi", "mo", "mn", "ms", "mtext"];

impl Tree {
    /// Returns the namespace of the next element, if it does not change it.
    pub(super) fn space(&self) -> Space {
        match self.foreign.last() {
            Some(Foreign::Svg) => Space::Svg,
            Some(Foreign::MathMl) => Space::MathMl,
            Some(Foreign::Point(_)) | None => Space::Html,
        }
    }

    /// Returns whether the content here is not part of the document.
    pub(super) const fn is_inert(&self) -> bool {
        self.inert > 0
    }

    /// Returns whether only user agents without scripting see this content.
    pub(super) const fn is_in_noscript(&self) -> bool {
        self.in_noscript
    }

    /// Returns the method of the form that owns the controls here, if one does.
    pub(super) const fn form(&self) -> Option<Method> {
        if self.is_in_template() { None } else { self.form }
    }

    const fn is_in_template(&self) -> bool {
        self.inert > 0 || self.shadows > 0
    }

    /// Opens an element; returns its namespace.
    pub(super) fn open(&mut self, tag: &Tag, octets: &[u8]) -> Space {
        match self.space() {
            Space::Html => self.open_html(tag, octets),
            space => self.open_foreign(space, tag, octets),
        }
    }

    fn open_html(&mut self, tag: &Tag, octets: &[u8]) -> Space {
        let name = tag.name();
        match name {
            b"svg" => return self.enter(Foreign::Svg, tag, Space::Svg),
            b"math" => return self.enter(Foreign::MathMl, tag, Space::MathMl),
            // "If the token is a start tag whose tag name is neither "mglyph" nor "malignmark""
            b"mglyph" | b"malignmark" if self.is_in_text_of_mathml() => return Space::MathMl,
            b"template" => self.open_template(tag, octets),
            b"noscript" => self.in_noscript = true,
            // "If the form element pointer is not null, and there is no template element on the
            // stack of open elements, then [...] ignore the token."
            b"form" if !self.is_in_template() && self.form.is_none() => {
                self.form = Some(method_of(tag, octets));
            }
            _ => {}
        }
        Space::Html
    }

    fn is_in_text_of_mathml(&self) -> bool {
        matches!(self.foreign.last(), Some(Foreign::Point(point)) if POINTS_OF_MATHML.contains(point))
    }

    /// "The rules for parsing tokens in foreign content"
    fn open_foreign(&mut self, space: Space, tag: &Tag, octets: &[u8]) -> Space {
        let name = tag.name();
        let is_font = name == b"font"
            && [Name::COLOR, Name::FACE, Name::SIZE].iter().any(|name| tag.value(*name).is_some());
        if is_font || is_one_of(&BREAKS_OUT, name).is_some() {
            self.break_out();
            return self.open_html(tag, octets);
        }
        let point = match space {
            Space::Svg if name == b"svg" => return self.enter(Foreign::Svg, tag, space),
            Space::MathMl if name == b"math" => return self.enter(Foreign::MathMl, tag, space),
            Space::Svg => is_one_of(&POINTS_OF_SVG, name),
            _ if name == b"annotation-xml" => is_html(tag, octets).then_some("annotation-xml"),
            _ => is_one_of(&POINTS_OF_MATHML, name),
        };
        match point {
            Some(point) => self.enter(Foreign::Point(point), tag, space),
            None => space,
        }
    }

    fn enter(&mut self, foreign: Foreign, tag: &Tag, space: Space) -> Space {
        if !tag.is_self_closing() && self.foreign.len() < DEEPEST {
            self.foreign.push(foreign);
        }
        space
    }

    /// "pop elements from the stack of open elements [until] the current node is a MathML text
    /// integration point, an HTML integration point, or an element in the HTML namespace"
    fn break_out(&mut self) {
        while self.space() != Space::Html {
            self.foreign.pop();
        }
    }

    /// "A template start tag": one with a shadow root mode is rendered as a part of its parent.
    fn open_template(&mut self, tag: &Tag, octets: &[u8]) {
        let mode = tag.value(Name::SHADOW_ROOT_MODE).map(|value| &octets[value]);
        let is_shadow = mode
            .is_some_and(|mode| [&b"open"[..], b"closed"].iter().any(|name| mode.eq_ignore_ascii_case(name)));
        match is_shadow && self.inert == 0 {
            true => self.shadows += 1,
            false => self.inert += 1,
        }
    }

    /// Closes an element.
    pub(super) fn close(&mut self, name: &[u8]) {
        if self.form.is_some() && name == b"form" && !self.is_in_template() {
            self.form = None;
        }
        match name {
            b"template" if self.space() == Space::Html => match self.inert {
                0 => self.shadows = self.shadows.saturating_sub(1),
                _ => self.inert -= 1,
            },
            b"noscript" => self.in_noscript = false,
            b"p" | b"br" if self.space() != Space::Html => self.break_out(),
            _ if !self.foreign.is_empty() => self.close_foreign(name),
            _ => {}
        }
    }

    /// Elements that were left open in it are closed, too.
    fn close_foreign(&mut self, name: &[u8]) {
        let is = |foreign: &Foreign| match foreign {
            Foreign::Svg => name == b"svg",
            Foreign::MathMl => name == b"math",
            Foreign::Point(point) => name == point.as_bytes(),
        };
        if let Some(at) = self.foreign.iter().rposition(is) {
            self.foreign.truncate(at);
        }
    }
}

/// Returns the method of a form.
pub(super) fn method_of(form: &Tag, octets: &[u8]) -> Method {
    form.value(Name::METHOD).map_or(Method::Get, |value| Method::from_value(&octets[value]))
}

/// "An annotation-xml element in the MathML namespace whose start tag token had an attribute with
/// the name "encoding" whose value was an ASCII case-insensitive match for" one of these.
fn is_html(tag: &Tag, octets: &[u8]) -> bool {
    tag.value(Name::ENCODING).is_some_and(|value| {
        [&b"text/html"[..], b"application/xhtml+xml"]
            .iter()
            .any(|html| octets[value.clone()].eq_ignore_ascii_case(html))
    })
}

fn is_one_of(names: &[&'static str], name: &[u8]) -> Option<&'static str> {
    names.iter().copied().find(|one| one.as_bytes() == name)
}
