//! The scanner of a page. Reads octets piece by piece, reports each tag and skips comments, scripts
//! and texts. Follows the HTML standard, 13.2.5 "Tokenization"; 13.2.6.4 defines the elements whose
//! content is text without markup.
//!
//! `Tree` determines the namespace of each element and whether its content is part of the document:
//! as much of "tree construction" (13.2.6) as affects the tokenizer. No tree is built.

use std::ops::{ControlFlow, Range};

use memchr::{memchr, memchr2, memmem};

use crate::formats::html::attributes::{Name, Space};
use crate::formats::html::tag::{Overlong, Tag, is_space};
use crate::formats::markup::OpenCode;
use crate::link::Method;
use crate::search::Extent;
use crate::search::input::LongText;

/// The scanner of a page.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    state: State,
    tag: Tag,
    tree: Tree,
    extent: Extent,
    /// Whether the content of links is reported.
    with_texts: bool,
    /// Whether this is the text of a link.
    in_link: bool,
    /// The open elements whose text is code, if text is searched.
    code: OpenCode,
    /// The text that is searched, if it is.
    long_text: LongText,
}

/// A token that is reported.
pub(super) enum Token<'s> {
    /// The start tag of an element that is part of the document or, if everything is searched, of a
    /// template.
    Start {
        tag: &'s Tag,
        space: Space,
        in_noscript: bool,
        is_inert: bool,
        form: Option<Method>,
        /// The content of a link, if its text is asked for.
        content: Option<Range<usize>>,
    },
    /// The content of a `style` element.
    Style { content: Range<usize>, space: Space },
    /// The content of a script that is JSON-LD.
    Json { content: Range<usize> },
    /// Text between tags, a comment, a script and the like, if it is searched.
    Text { content: Range<usize>, has_references: bool, is_code: bool },
}

/// A receiver of tokens.
pub(super) trait TokenSink {
    /// Receives a token and the octets that contain it; `Break` ends the search.
    fn take(&mut self, octets: &[u8], token: Token<'_>) -> ControlFlow<()>;
}

/// The tokenizer state: "the data state" and so on.
#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Data,
    /// In `<!--`.
    Comment,
    /// In `<!`, `<?` or `</` before other text, and in a document type: up to ">".
    Bogus,
    /// In `<![CDATA[`, which only foreign content has.
    CData,
    /// In an element that has text only: up to its end tag.
    Text(&'static str),
    /// In such an element whose content is needed as a whole.
    Held(HeldText),
    Script(ScriptEscape),
    /// "plaintext" has no end.
    Plaintext,
    /// In a tag that is too long to hold.
    Overlong(Overlong),
}

/// A text that is needed as a whole.
#[derive(Clone, Copy, Debug)]
struct HeldText {
    /// The element whose end tag ends it.
    name: &'static str,
    content: Content,
}

/// The kind of a text that is needed.
#[derive(Clone, Copy, Debug)]
enum Content {
    Style(Space),
    Json,
}

/// The result of a scanning step.
enum Step {
    /// Continues at this offset, possibly in another state.
    At(usize),
    /// Needs more octets for the token at this offset.
    Wait(usize),
}

impl Scanner {
    /// Returns a scanner for this extent.
    pub(super) fn new(extent: Extent) -> Self {
        Self { extent, tag: Tag::of_all(extent == Extent::All), ..Self::default() }
    }

    /// Returns this scanner, which reports the content of links, or does not.
    pub(super) fn with_texts(self, with_texts: bool) -> Self {
        Self { with_texts, ..self }
    }

    /// Scans octets up to a token that needs more; returns the number consumed.
    ///
    /// The next call begins after those. `is_last` means that no octets follow.
    pub(super) fn scan(
        &mut self,
        octets: &[u8],
        is_last: bool,
        sink: &mut impl TokenSink,
    ) -> ControlFlow<(), usize> {
        let mut at = 0;
        loop {
            let before = self.state;
            let step = match before {
                State::Data => self.data(octets, at, is_last, sink)?,
                State::Comment => self.until_dashes(octets, at),
                State::Bogus => self.until(octets, at, 0, |_| true),
                State::CData => self.until(octets, at, 2, |before| before.ends_with(b"]]")),
                State::Text(name) => self.text(octets, at, name, is_last),
                State::Held(held) => self.held(octets, at, held, is_last, sink)?,
                State::Script(escape) => self.script(octets, at, escape, is_last),
                State::Plaintext => Step::Wait(octets.len()),
                State::Overlong(overlong) => self.overlong(octets, at, overlong),
            };
            let step = match self.extent {
                Extent::All => self.report_passed(octets, at, before, step, is_last, sink)?,
                _ => step,
            };
            match step {
                Step::At(next) => at = next,
                Step::Wait(_) if is_last => return ControlFlow::Continue(octets.len()),
                Step::Wait(next) => return ControlFlow::Continue(next),
            }
        }
    }

    /// Reports the text that a step skipped; waits for its end, unless it is long.
    fn report_passed(
        &mut self,
        octets: &[u8],
        at: usize,
        before: State,
        step: Step,
        is_last: bool,
        sink: &mut impl TokenSink,
    ) -> ControlFlow<(), Step> {
        let (has_references, delimiters) = match before {
            State::Comment => (true, &["--!>", "-->"][..]),
            State::CData => (false, &["]]>"][..]),
            State::Bogus => (true, &[">"][..]),
            State::Text(name) => (matches!(name, "title" | "textarea"), &[][..]),
            State::Script(_) | State::Plaintext => (false, &[][..]),
            State::Data | State::Held(..) | State::Overlong(_) => return ControlFlow::Continue(step),
        };
        let (end, is_whole) = match step {
            Step::At(end) => {
                let delimiter = delimiters.iter().find(|one| octets[at..end].ends_with(one.as_bytes()));
                (end - delimiter.map_or(0, |one| one.len()), true)
            }
            Step::Wait(_) if is_last => (octets.len(), true),
            Step::Wait(next) => (next, false),
        };
        let Some(content) = self.long_text.part(octets, at..end, is_whole) else {
            self.state = before;
            return ControlFlow::Continue(Step::Wait(at));
        };
        let step = match before {
            _ if is_whole => step,
            State::Script(escape) => {
                self.script(&octets[..content.end], at, escape, true);
                Step::Wait(content.end)
            }
            _ => Step::Wait(content.end),
        };
        if !content.is_empty() {
            let is_code = matches!(before, State::Script(_) | State::Text("xmp")) || self.code.is_open();
            sink.take(octets, Token::Text { content, has_references, is_code })?;
        }
        ControlFlow::Continue(step)
    }

    /// Reports the text before a tag.
    fn report_text(
        &self,
        octets: &[u8],
        content: Range<usize>,
        sink: &mut impl TokenSink,
    ) -> ControlFlow<()> {
        let is_wanted = match self.extent {
            Extent::Links => false,
            Extent::Text => !self.in_link && !self.tree.is_inert(),
            Extent::All => true,
        };
        match is_wanted && !octets[content.clone()].trim_ascii().is_empty() {
            true => {
                let is_code = self.code.is_open();
                sink.take(octets, Token::Text { content, has_references: true, is_code })
            }
            false => ControlFlow::Continue(()),
        }
    }

    /// Drops the pending token or word, which begins these octets and is too long to hold; its
    /// links are not reported.
    pub(super) fn skip_overlong(&mut self, octets: &[u8]) {
        match self.state {
            State::Held(HeldText { name: "script", .. }) => self.state = State::Script(ScriptEscape::No),
            State::Held(HeldText { name, .. }) => self.state = State::Text(name),
            State::Data if octets.starts_with(b"<") && is_markup(octets, false) => {
                self.state = State::Overlong(Overlong::Open);
            }
            _ => self.long_text.skip_word(),
        }
    }

    fn data(
        &mut self,
        octets: &[u8],
        from: usize,
        is_last: bool,
        sink: &mut impl TokenSink,
    ) -> ControlFlow<(), Step> {
        let (mut from, mut reported) = (from, from);
        while let Some(length) = memchr(b'<', &octets[from..]) {
            let open = from + length;
            if self.extent != Extent::Links && is_markup(&octets[open..], is_last) {
                if let Some(content) = self.long_text.part(octets, reported..open, true) {
                    self.report_text(octets, content, sink)?;
                }
                reported = open;
            }
            from = match octets.get(open + 1).copied() {
                Some(octet) if octet.is_ascii_alphabetic() => match self.tag.read(octets, open + 1) {
                    Some(end) => {
                        let content = match self.with_texts && self.begins_link() {
                            false => None,
                            true => match content_of_link(octets, end, is_last) {
                                None => return ControlFlow::Continue(Step::Wait(open)),
                                content => content,
                            },
                        };
                        self.start(octets, content, sink)?;
                        end
                    }
                    None => return ControlFlow::Continue(Step::Wait(open)),
                },
                Some(b'/') => match self.end_tag(octets, open) {
                    Step::At(end) => end,
                    wait => return ControlFlow::Continue(wait),
                },
                Some(b'!') => match self.markup(octets, open, is_last) {
                    Step::At(end) => end,
                    wait => return ControlFlow::Continue(wait),
                },
                // "unexpected-question-mark-instead-of-tag-name": a comment
                Some(b'?') => self.begin(State::Bogus, open + 1),
                Some(_) => open + 1,
                None => return ControlFlow::Continue(Step::Wait(open)),
            };
            // A "<" that begins no markup is text.
            if from > open + 1 {
                reported = from;
            }
            if !matches!(self.state, State::Data) {
                return ControlFlow::Continue(Step::At(from));
            }
        }
        if self.extent != Extent::Links {
            let Some(content) = self.long_text.part(octets, reported..octets.len(), is_last) else {
                return ControlFlow::Continue(Step::Wait(reported));
            };
            let end = content.end;
            self.report_text(octets, content, sink)?;
            return ControlFlow::Continue(Step::Wait(end));
        }
        ControlFlow::Continue(Step::Wait(octets.len()))
    }

    fn begin(&mut self, state: State, at: usize) -> usize {
        self.state = state;
        at
    }

    /// "end tag open state"
    fn end_tag(&mut self, octets: &[u8], open: usize) -> Step {
        match octets.get(open + 2) {
            Some(octet) if octet.is_ascii_alphabetic() => match self.tag.read(octets, open + 2) {
                Some(end) => {
                    self.tree.close(self.tag.name());
                    self.in_link &= self.tag.name() != b"a";
                    if self.extent != Extent::Links {
                        self.code.close(self.tag.name());
                    }
                    Step::At(end)
                }
                None => Step::Wait(open),
            },
            Some(b'>') => Step::At(open + 3),
            Some(_) => Step::At(self.begin(State::Bogus, open + 2)),
            None => Step::Wait(open),
        }
    }

    /// "markup declaration open state"
    fn markup(&mut self, octets: &[u8], open: usize, is_last: bool) -> Step {
        let rest = &octets[open + 2..];
        let may_be = |text: &[u8]| !is_last && rest.len() < text.len() && text.starts_with(rest);
        if rest.starts_with(b"--") {
            return self.comment(octets, open, is_last);
        }
        if rest.starts_with(b"[CDATA[") && self.tree.space() != Space::Html {
            return Step::At(self.begin(State::CData, open + 9));
        }
        match may_be(b"--") || may_be(b"[CDATA[") {
            true => Step::Wait(open),
            false => Step::At(self.begin(State::Bogus, open + 2)),
        }
    }

    /// "comment start state": `<!-->` and `<!--->` are comments, too.
    fn comment(&mut self, octets: &[u8], open: usize, is_last: bool) -> Step {
        let content = &octets[open + 4..];
        match content {
            [b'>', ..] => Step::At(open + 5),
            [b'-', b'>', ..] => Step::At(open + 6),
            [] | [b'-'] if !is_last => Step::Wait(open),
            _ => Step::At(self.begin(State::Comment, open + 4)),
        }
    }

    /// "comment end state" and "comment end bang state"
    fn until_dashes(&mut self, octets: &[u8], from: usize) -> Step {
        self.until(octets, from, 3, |before| before.ends_with(b"--") || before.ends_with(b"--!"))
    }

    /// Finds a ">" after octets that end the token, at most `reach` of them.
    fn until(&mut self, octets: &[u8], from: usize, reach: usize, ends: impl Fn(&[u8]) -> bool) -> Step {
        let mut at = from;
        while let Some(length) = memchr(b'>', &octets[at..]) {
            let close = at + length;
            if ends(&octets[from..close]) {
                return Step::At(self.begin(State::Data, close + 1));
            }
            at = close + 1;
        }
        Step::Wait(octets.len().saturating_sub(reach).max(from))
    }

    /// Returns whether the tag begins a link.
    fn begins_link(&self) -> bool {
        let has_url = [Name::HREF, Name::XLINK_HREF].iter().any(|name| self.tag.value(*name).is_some());
        self.tag.name() == b"a" && has_url
    }

    /// Handles a start tag: reports it and determines how its content is read.
    fn start(
        &mut self,
        octets: &[u8],
        content: Option<Range<usize>>,
        sink: &mut impl TokenSink,
    ) -> ControlFlow<()> {
        // A template belongs to the document, but its content does not. It has links only if everything
        // is searched.
        let is_inert = self.tree.is_inert();
        let space = self.tree.open(&self.tag, octets);
        if self.tag.name() == b"a" {
            self.in_link = self.tag.value(Name::HREF).is_some();
        }
        if self.extent != Extent::Links && space == Space::Html {
            self.code.open(self.tag.name());
        }
        let has_links = !is_inert || self.extent == Extent::All;
        let is_reported = has_links && !self.tag.attributes().is_empty() || !self.tag.others().is_empty();
        if is_reported {
            let (tag, in_noscript, form) = (&self.tag, self.tree.is_in_noscript(), self.tree.form());
            sink.take(octets, Token::Start { tag, space, in_noscript, is_inert, form, content })?;
        }
        match self.tag.name() {
            // The tokenizer reads a script of SVG as markup.
            b"script" if space == Space::Html => self.state = self.script_state(octets),
            b"style" if is_inert && space == Space::Html => self.state = State::Text("style"),
            b"style"
                if space == Space::Html
                    || (space == Space::Svg && !self.tag.is_self_closing() && !is_inert) =>
            {
                self.state = State::Held(HeldText { name: "style", content: Content::Style(space) });
            }
            b"plaintext" if space == Space::Html => self.state = State::Plaintext,
            name if space == Space::Html => {
                if let Some(text) = text_element(name) {
                    self.state = State::Text(text);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn script_state(&self, octets: &[u8]) -> State {
        let kind = self.tag.value(Name::TYPE).map(|value| octets[value].trim_ascii());
        match kind.is_some_and(|kind| kind.eq_ignore_ascii_case(b"application/ld+json"))
            && !self.tree.is_inert()
        {
            true => State::Held(HeldText { name: "script", content: Content::Json }),
            false => State::Script(ScriptEscape::No),
        }
    }

    /// "RCDATA state" and "RAWTEXT state"
    fn text(&mut self, octets: &[u8], from: usize, name: &'static str, is_last: bool) -> Step {
        match end_of_text(octets, from, name, is_last) {
            TextEnd { at, is_found: true } => Step::At(self.begin(State::Data, at)),
            TextEnd { at, is_found: false } => Step::Wait(at),
        }
    }

    fn held(
        &mut self,
        octets: &[u8],
        from: usize,
        held: HeldText,
        is_last: bool,
        sink: &mut impl TokenSink,
    ) -> ControlFlow<(), Step> {
        let TextEnd { at: end, is_found } = end_of_text(octets, from, held.name, is_last);
        if !is_found && !is_last {
            return ControlFlow::Continue(Step::Wait(from));
        }
        self.state = State::Data;
        sink.take(
            octets,
            match held.content {
                Content::Style(space) => Token::Style { content: from..end, space },
                Content::Json => Token::Json { content: from..end },
            },
        )?;
        ControlFlow::Continue(Step::At(end))
    }

    fn script(&mut self, octets: &[u8], from: usize, mut escape: ScriptEscape, is_last: bool) -> Step {
        match escape.pass(octets, from, is_last) {
            TextEnd { at, is_found: true } => Step::At(self.begin(State::Data, at)),
            TextEnd { at, is_found: false } => Step::Wait(self.begin(State::Script(escape), at)),
        }
    }

    fn overlong(&mut self, octets: &[u8], from: usize, mut overlong: Overlong) -> Step {
        match overlong.pass(&octets[from..]) {
            Some(length) => Step::At(self.begin(State::Data, from + length)),
            None => Step::Wait(self.begin(State::Overlong(overlong), octets.len())),
        }
    }
}

/// How many octets of the content of a link are reported.
const LONGEST_CONTENT: usize = 16 * 1024;

/// Returns the content of a link, which begins at `from` and ends before its end tag or the next link; `None` if more
/// octets are needed. Of a long content the beginning is returned.
fn content_of_link(octets: &[u8], from: usize, is_last: bool) -> Option<Range<usize>> {
    // The longest of what ends it.
    const END: usize = "</a>".len();
    let longest = from + LONGEST_CONTENT;
    let mut at = from;
    while let Some(length) = octets.get(at..).and_then(|rest| memchr(b'<', rest)) {
        at += length;
        if at >= longest {
            break;
        }
        let rest = &octets[at..];
        if rest.len() < END && !is_last {
            return None;
        }
        if is_tag(rest, b"</", "a") || is_tag(rest, b"<", "a") {
            return Some(from..at);
        }
        // What is in a comment or in the value of an attribute ends nothing.
        let passed = match rest {
            [b'<', b'!', b'-', b'-', comment @ ..] => memmem::find(comment, b"-->").map(|end| end + 7),
            [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                Overlong::default().pass(rest)
            }
            _ => Some(1),
        };
        match passed {
            Some(length) => at += length,
            None => break,
        }
    }
    match octets.len() >= longest + END || is_last {
        true => Some(from..longest.min(octets.len())),
        false => None,
    }
}

/// Returns whether a "<" begins a tag, a comment or the like; an incomplete one may do so.
fn is_markup(octets: &[u8], is_last: bool) -> bool {
    let begins = |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'/' | b'!' | b'?');
    octets.get(1).map_or(!is_last, begins)
}

/// Returns the element "whose contents are text": by "generic raw text element parsing algorithm"
/// and similar ones.
pub(super) const fn text_element(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"title" => "title",
        b"textarea" => "textarea",
        b"xmp" => "xmp",
        b"iframe" => "iframe",
        b"noembed" => "noembed",
        b"noframes" => "noframes",
        _ => return None,
    })
}

/// Where the content of a text element ends, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextEnd {
    /// The start of the end tag, or of what may become one.
    pub(super) at: usize,
    /// Whether the end tag is complete.
    pub(super) is_found: bool,
}

/// Finds the end tag of a text element.
pub(super) fn end_of_text(octets: &[u8], from: usize, name: &str, is_last: bool) -> TextEnd {
    let mut at = from;
    while let Some(length) = memchr(b'<', &octets[at..]) {
        at += length;
        let rest = &octets[at..];
        if is_tag(rest, b"</", name) {
            return TextEnd { at, is_found: true };
        }
        if rest.len() < name.len() + 3 && !is_last {
            return TextEnd { at, is_found: false };
        }
        at += 1;
    }
    TextEnd { at: octets.len(), is_found: false }
}

/// The state of a script: whether it is in "<!--", and in another "<script" within.
#[derive(Clone, Copy, Debug)]
pub(super) enum ScriptEscape {
    No,
    Once,
    Twice,
}

impl ScriptEscape {
    /// Scans a script by "script data state", "script data escaped state" and "script data double
    /// escaped state" to its end tag, or to what needs more octets.
    pub(super) fn pass(&mut self, octets: &[u8], from: usize, is_last: bool) -> TextEnd {
        let mut at = from;
        loop {
            let next = match self {
                Self::No => memchr(b'<', &octets[at..]),
                _ => memchr2(b'<', b'-', &octets[at..]),
            };
            let Some(length) = next else {
                return TextEnd { at: octets.len(), is_found: false };
            };
            at += length;
            let rest = &octets[at..];
            if rest.len() < "</script>".len() && !is_last {
                return TextEnd { at, is_found: false };
            }
            let (is_start, is_end) = (is_tag(rest, b"<", "script"), is_tag(rest, b"</", "script"));
            (*self, at) = match *self {
                Self::No | Self::Once if is_end => return TextEnd { at, is_found: true },
                // The dashes may also belong to "-->".
                Self::No if rest.starts_with(b"<!--") => (Self::Once, at + 2),
                Self::Once if is_start => (Self::Twice, at + 1),
                Self::Twice if is_end => (Self::Once, at + 1),
                Self::Once | Self::Twice if rest.starts_with(b"-->") => (Self::No, at + 3),
                same => (same, at + 1),
            };
        }
    }
}

/// Returns whether a tag with this name begins here: "an appropriate end tag token".
fn is_tag(octets: &[u8], open: &[u8], name: &str) -> bool {
    let Some(rest) = octets.strip_prefix(open) else {
        return false;
    };
    rest.split_at_checked(name.len()).is_some_and(|(start, rest)| {
        start.eq_ignore_ascii_case(name.as_bytes())
            && rest.first().is_some_and(|octet| is_space(*octet) || matches!(octet, b'/' | b'>'))
    })
}

/// The open elements that affect how their content is read.
#[derive(Debug, Default)]
struct Tree {
    /// Roots of SVG and MathML, and the elements in them that contain HTML.
    foreign: Vec<ForeignElement>,
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
enum ForeignElement {
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
    fn space(&self) -> Space {
        match self.foreign.last() {
            Some(ForeignElement::Svg) => Space::Svg,
            Some(ForeignElement::MathMl) => Space::MathMl,
            Some(ForeignElement::Point(_)) | None => Space::Html,
        }
    }

    /// Returns whether the content here is not part of the document.
    const fn is_inert(&self) -> bool {
        self.inert > 0
    }

    /// Returns whether only user agents without scripting see this content.
    const fn is_in_noscript(&self) -> bool {
        self.in_noscript
    }

    /// Returns the method of the form that owns the controls here, if one does.
    const fn form(&self) -> Option<Method> {
        if self.is_in_template() { None } else { self.form }
    }

    const fn is_in_template(&self) -> bool {
        self.inert > 0 || self.shadows > 0
    }

    /// Opens an element; returns its namespace.
    fn open(&mut self, tag: &Tag, octets: &[u8]) -> Space {
        match self.space() {
            Space::Html => self.open_html(tag, octets),
            space => self.open_foreign(space, tag, octets),
        }
    }

    fn open_html(&mut self, tag: &Tag, octets: &[u8]) -> Space {
        let name = tag.name();
        match name {
            b"svg" => return self.enter(ForeignElement::Svg, tag, Space::Svg),
            b"math" => return self.enter(ForeignElement::MathMl, tag, Space::MathMl),
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
        matches!(self.foreign.last(), Some(ForeignElement::Point(point)) if POINTS_OF_MATHML.contains(point))
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
            Space::Svg if name == b"svg" => return self.enter(ForeignElement::Svg, tag, space),
            Space::MathMl if name == b"math" => return self.enter(ForeignElement::MathMl, tag, space),
            Space::Svg => is_one_of(&POINTS_OF_SVG, name),
            _ if name == b"annotation-xml" => is_html(tag, octets).then_some("annotation-xml"),
            _ => is_one_of(&POINTS_OF_MATHML, name),
        };
        match point {
            Some(point) => self.enter(ForeignElement::Point(point), tag, space),
            None => space,
        }
    }

    fn enter(&mut self, foreign: ForeignElement, tag: &Tag, space: Space) -> Space {
        if !tag.is_self_closing() && self.foreign.len() < DEEPEST {
            self.foreign.push(foreign);
        }
        space
    }

    /// "pop elements from the stack of open elements \[until\] the current node is a MathML text
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
    fn close(&mut self, name: &[u8]) {
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
        let is = |foreign: &ForeignElement| match foreign {
            ForeignElement::Svg => name == b"svg",
            ForeignElement::MathMl => name == b"math",
            ForeignElement::Point(point) => name == point.as_bytes(),
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
