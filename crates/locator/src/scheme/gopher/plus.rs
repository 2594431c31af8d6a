//! Gopher+ strings: takes the text after the second tab and returns its meaning, and the reverse.
//! Follows "Gopher" of the draft of 1994 and RFC 1738, sections 3.4.4 to 3.4.9.

use alloc::string::String;

use crate::component::{SpannedSplit, SpannedStr};
use crate::pct::PctStr;
use crate::scheme::field::Values;
use crate::scheme::parts::Fields;

/// The meaning of the Gopher+ string of a gopher URL.
///
/// It is the text after the second tab (`%09`) of a gopher URL.
///
/// ```
/// use locator::scheme::{GopherPlus, GopherUrl};
/// use locator::uri;
///
/// let url = GopherUrl::try_from(uri!("gopher://h/0a%09%09+text/plain%20de"))?;
/// let Some(GopherPlus::View { view, language }) = url.gopher_plus() else {
///     panic!("a view is requested");
/// };
/// assert_eq!(view.as_str(), "text/plain");
/// assert_eq!(language.unwrap().as_str(), "de");
///
/// let url = GopherUrl::try_from(uri!("gopher://h/0a%09%09!"))?;
/// let plus = url.gopher_plus().unwrap();
/// assert_eq!(plus.name(), "attributes");
/// assert_eq!(plus.attributes().count(), 0);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GopherPlus<'a> {
    /// `+view%20language`: the item in a view.
    View {
        /// The name of the view, a media type; empty for the default one.
        view: SpannedStr<'a>,
        /// The language of the view.
        language: Option<SpannedStr<'a>>,
    },
    /// `+view%20language%091%0D%0A+-1%0D%0A…`: the item in a view, with a filled form.
    Filled {
        /// The name of the view; empty for the default one.
        view: SpannedStr<'a>,
        /// The language of the view.
        language: Option<SpannedStr<'a>>,
        /// The block of data, with the line before its values and the line after them.
        block: SpannedStr<'a>,
    },
    /// `?`: the item, whose form the user must fill.
    Ask,
    /// `!` or `$`: attributes of items.
    Attributes {
        /// Whether the attributes are those of all items of a directory, not of one item.
        of_directory: bool,
        /// The names of the attributes, divided by spaces; empty for all.
        names: SpannedStr<'a>,
    },
    /// A string that the documents do not define; it is sent unchanged.
    Other(SpannedStr<'a>),
}

impl<'a> GopherPlus<'a> {
    /// Parses a Gopher+ string.
    pub(super) fn of(plus: SpannedStr<'a>) -> Self {
        let (first, rest) = type_of(plus);
        match first.and_then(|first| first.decode().first().copied()) {
            Some(b'+') => Self::view_of(rest).unwrap_or(Self::Other(plus)),
            Some(b'?') if rest.is_empty() => Self::Ask,
            Some(b'!') => Self::Attributes { of_directory: false, names: rest },
            Some(b'$') => Self::Attributes { of_directory: true, names: rest },
            _ => Self::Other(plus),
        }
    }

    /// `[view[%20language]][%091%0D%0A+-1%0D%0A…]`
    fn view_of(rest: SpannedStr<'a>) -> Option<Self> {
        let (named, block) = rest.split_once(LINE_END).map_or((rest, None), |(a, b)| (a, Some(b)));
        let divide =
            |named: SpannedStr<'a>| named.split_once(SPACE).map_or((named, None), |(a, b)| (a, Some(b)));
        let Some(block) = block else {
            let (view, language) = divide(named);
            return Some(Self::View { view, language });
        };
        let (named, flag) = named.rsplit_once("%091")?;
        let (view, language) = divide(named);
        // "-1" says that a line "." ends the block; the documents have no other form.
        (flag.is_empty() && block.strip_prefix("+-1%0D%0A").is_some()).then_some(Self::Filled {
            view,
            language,
            block,
        })
    }

    /// Returns the name of this request: `view`, `filled-form`, `form`, `attributes`,
    /// `directory-attributes` or `other`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::View { .. } => "view",
            Self::Filled { .. } => "filled-form",
            Self::Ask => "form",
            Self::Attributes { of_directory: false, .. } => "attributes",
            Self::Attributes { of_directory: true, .. } => "directory-attributes",
            Self::Other(_) => "other",
        }
    }

    /// Returns the names of the requested attributes, with their "+"; no name means all attributes.
    pub fn attributes(&self) -> Values<'a> {
        let names = match *self {
            Self::Attributes { names, .. } => Some(names),
            _ => None,
        };
        Values::of(names, SPACE)
    }

    /// Returns the values of the filled form, in order.
    pub fn values(&self) -> SpannedSplit<'a, 'static> {
        SpannedSplit::of(self.lines_of_values(), LINE_END)
    }

    /// Returns the lines of the block after its first one and before a line ".".
    fn lines_of_values(&self) -> Option<SpannedStr<'a>> {
        let Self::Filled { block, .. } = *self else { return None };
        let (_, lines) = block.split_once(LINE_END)?;
        let Some(dot) = lines.split(LINE_END).find(|line| *line.decode() == *b".") else {
            return Some(lines);
        };
        let end = (dot.span().start - lines.span().start).checked_sub(LINE_END.len())?;
        lines.split_at(end, 0).map(|(values, _)| values)
    }

    /// Returns the string with a part set to a written value, or without it for `None`. A part of
    /// another form makes a string of that form.
    pub(super) fn rewritten(plus: Option<Self>, part: &str, value: Option<&str>) -> Option<String> {
        let (view, language, block) = match &plus {
            Some(Self::View { view, language }) => (view.as_str(), *language, None),
            Some(Self::Filled { view, language, block }) => (view.as_str(), *language, Some(block.as_str())),
            _ => ("", None, None),
        };
        let language = language.map(SpannedStr::as_str);
        let is_free =
            |text: &str, of: &[u8]| !PctStr::checked(text).decode().iter().any(|it| of.contains(it));
        let fits = |value: &str| match part {
            "values" => value.split(LINE_END).all(|line| is_free(line, b"\r\n")),
            _ => is_free(value, b"\t\r\n"),
        };
        if !value.is_none_or(fits) {
            return None;
        }
        let written = |view: &str, language: Option<&str>, block: Option<&str>| {
            let (space, language) = language.map_or(("", ""), |language| (SPACE, language));
            let (flag, block) = block.map_or(("", ""), |block| (FILLED, block));
            ["+", view, space, language, flag, block].concat()
        };
        Some(match part {
            "view" => written(value.unwrap_or_default(), language, block),
            "language" => written(view, value, block),
            "values" => {
                let block = value.map(|value| ["+-1", LINE_END, value, LINE_END, ".", LINE_END].concat());
                written(view, language, block.as_deref())
            }
            "attributes" => {
                let of_directory = matches!(plus, Some(Self::Attributes { of_directory: true, .. }));
                [if of_directory { "$" } else { "!" }, value.unwrap_or_default()].concat()
            }
            _ => return None,
        })
    }

    /// Appends its fields, after the whole string.
    pub(super) fn fields(&self, fields: Fields<'a>) -> Fields<'a> {
        let fields = fields.word("gopher_plus_kind", self.name());
        match *self {
            Self::View { view, language } | Self::Filled { view, language, .. } => {
                let view = Some(view).filter(|view| !view.is_empty());
                let fields = fields.maybe("view", view).maybe("language", language);
                match self {
                    Self::Filled { .. } => fields.many("values", self.values()),
                    _ => fields,
                }
            }
            Self::Attributes { .. } => fields.many("attributes", self.attributes()),
            Self::Ask | Self::Other(_) => fields,
        }
    }
}

/// Divides a path after the first octet, which may be escaped.
pub(super) fn type_of(path: SpannedStr<'_>) -> (Option<SpannedStr<'_>>, SpannedStr<'_>) {
    let first = path.octets().next();
    let length = first.map_or(0, |(_, span)| span.len() as usize);
    match path.split_at(length, 0) {
        Some((kind, rest)) if length > 0 => (Some(kind), rest),
        _ => (None, path),
    }
}

/// What is between the name of a view and a block of data.
const FILLED: &str = "%091%0D%0A";
/// An encoded line end.
const LINE_END: &str = "%0D%0A";
/// An encoded space, which divides names.
const SPACE: &str = "%20";
