//! Gopher+ strings: takes what stands after the second tab and returns what it asks for; and back. Follows "Gopher" of
//! the draft of 1994 and RFC 1738, sections 3.4.4 to 3.4.9.

use alloc::vec::Vec;

use super::{LINE_END, type_of};
use crate::component::Excerpt;
use crate::scheme::field::Fields;

/// What a Gopher+ string asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GopherPlus<'a> {
    /// `+view%20language`: the item, in a view.
    View {
        /// The name of the view, a media type; empty for the default one.
        view: Excerpt<'a>,
        /// The language of the view.
        language: Option<Excerpt<'a>>,
    },
    /// `+view%20language%091%0D%0A+-1%0D%0A…`: the same, with a form that is filled.
    Filled {
        /// The name of the view; empty for the default one.
        view: Excerpt<'a>,
        /// The language of the view.
        language: Option<Excerpt<'a>>,
        /// The block of data, with the line before its values and the line after them.
        block: Excerpt<'a>,
    },
    /// `?`: the item, with a form to be filled by whoever fetches it.
    Ask,
    /// `!` or `$`: attributes.
    Attributes {
        /// Of all items of a directory, and not of one item.
        of_directory: bool,
        /// Their names, divided by spaces; empty for all.
        names: Excerpt<'a>,
    },
    /// Something that the documents do not know; it is sent as it is.
    Other(Excerpt<'a>),
}

impl<'a> GopherPlus<'a> {
    /// Reads one.
    pub(super) fn of(plus: Excerpt<'a>) -> Self {
        let (first, rest) = type_of(plus);
        match first.and_then(|first| first.octets().first().copied()) {
            Some(b'+') => Self::view_of(rest).unwrap_or(Self::Other(plus)),
            Some(b'?') if rest.is_empty() => Self::Ask,
            Some(b'!') => Self::Attributes { of_directory: false, names: rest },
            Some(b'$') => Self::Attributes { of_directory: true, names: rest },
            _ => Self::Other(plus),
        }
    }

    /// `[view[%20language]][%091%0D%0A+-1%0D%0A…]`
    fn view_of(rest: Excerpt<'a>) -> Option<Self> {
        let (named, block) = rest.split_once(LINE_END).map_or((rest, None), |(a, b)| (a, Some(b)));
        let divide =
            |named: Excerpt<'a>| named.split_once(SPACE).map_or((named, None), |(a, b)| (a, Some(b)));
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

    /// The word for its form: `view`, `filled-form`, `form`, `attributes`, `directory-attributes` or `other`.
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

    /// The names of the attributes that it asks for, with their "+"; none means all of them.
    pub fn attributes(&self) -> impl Iterator<Item = Excerpt<'a>> + use<'a> {
        let names = match *self {
            Self::Attributes { names, .. } => Some(names),
            _ => None,
        };
        names.into_iter().flat_map(|names| names.split(SPACE)).filter(|name| !name.is_empty())
    }

    /// The values that a form is filled with, in order.
    pub fn values(&self) -> impl Iterator<Item = Excerpt<'a>> + use<'a> {
        let block = match *self {
            Self::Filled { block, .. } => Some(block),
            _ => None,
        };
        let lines = block.into_iter().flat_map(|block| block.split(LINE_END)).skip(1);
        lines.take_while(|line| *line.octets() != *b".")
    }

    /// Its parts, after the string as a whole.
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

/// What a Gopher+ string is built of; all of it is data.
///
/// ```
/// use locator::edition::RFC1738;
/// use locator::scheme::{GopherParts, GopherPlusParts, LoginParts};
///
/// let login = LoginParts { host: "h", ..LoginParts::default() };
/// let parts = GopherParts { login, kind: b'0', selector: b"a", ..GopherParts::default() };
/// let view = GopherPlusParts::View { view: b"application/postscript", language: Some(b"Es_ES") };
/// assert_eq!(
///     GopherParts { plus: Some(view), ..parts }.build(&RFC1738)?,
///     "gopher://h/0a%09%09+application/postscript%20Es_ES"
/// );
/// let filled = GopherPlusParts::Filled { view: b"", language: None, values: &[b"red", b"7"] };
/// assert_eq!(
///     GopherParts { plus: Some(filled), ..parts }.build(&RFC1738)?,
///     "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0Ared%0D%0A7%0D%0A.%0D%0A"
/// );
/// # Ok::<_, locator::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GopherPlusParts<'v> {
    /// The item, in a view.
    View {
        /// The name of the view; empty for the default one.
        view: &'v [u8],
        /// Its language.
        language: Option<&'v [u8]>,
    },
    /// The same, with a form that is filled.
    Filled {
        /// The name of the view; empty for the default one.
        view: &'v [u8],
        /// Its language.
        language: Option<&'v [u8]>,
        /// The values, a line each.
        values: &'v [&'v [u8]],
    },
    /// The item, with a form to be filled by whoever fetches it.
    Ask,
    /// Attributes.
    Attributes {
        /// Of all items of a directory, and not of one item.
        of_directory: bool,
        /// Their names, with their "+"; none of them asks for all.
        names: &'v [&'v [u8]],
    },
    /// The string itself, as it is sent.
    Other(&'v [u8]),
}

impl GopherPlusParts<'_> {
    /// The string; `None` if a part holds what divides it from the next, so that others would be read.
    pub(super) fn octets(&self) -> Option<Vec<u8>> {
        match *self {
            Self::View { view, language } => named_view(view, language),
            Self::Filled { view, language, values } => {
                let mut octets = named_view(view, language)?;
                octets.extend_from_slice(b"\t1\r\n+-1\r\n");
                for value in values {
                    let is_line = *value != b"." && !value.iter().any(|octet| matches!(octet, b'\r' | b'\n'));
                    octets.extend_from_slice(is_line.then_some(*value)?);
                    octets.extend_from_slice(b"\r\n");
                }
                octets.extend_from_slice(b".\r\n");
                Some(octets)
            }
            Self::Ask => Some(b"?".into()),
            Self::Attributes { of_directory, names } => {
                let is_name =
                    |name: &&[u8]| !name.is_empty() && !name.iter().any(|octet| b" \t\r\n".contains(octet));
                let mut octets = Vec::from(if of_directory { b"$" } else { b"!" });
                octets.extend_from_slice(&names.join(&b' '));
                names.iter().all(is_name).then_some(octets)
            }
            Self::Other(octets) => Some(octets.into()),
        }
    }
}

/// `+view language`
fn named_view(view: &[u8], language: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut octets = Vec::from(b"+");
    octets.extend_from_slice(view);
    if let Some(language) = language {
        octets.push(b' ');
        octets.extend_from_slice(language);
    }
    let is_divided = |name: &[u8]| name.iter().any(|octet| matches!(octet, b'\t' | b'\r' | b'\n'));
    let is_wrong = is_divided(view) || view.contains(&b' ') || language.is_some_and(is_divided);
    (!is_wrong).then_some(octets)
}

/// An encoded space, which divides names.
const SPACE: &str = "%20";
