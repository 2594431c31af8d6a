//! Ids that are written at the end of a heading, as each program accepts them.

/// The syntax of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// None: the braces are text. Most authors who write them have another program in mind, so their id is
    /// accepted, too.
    #[default]
    Literal,
    /// `{#id .class key=value}` (pulldown-cmark, "heading attributes").
    Attributes,
    /// `{#id}` and `{/* #id */}`, with anything else for "id" (Docusaurus, "Explicit IDs").
    Whole,
    /// `{#id}`, with a name of XML (kramdown, "Specifying a Header ID").
    Name,
    /// `{#id .class key=value}` and `{: #id}` (Python-Markdown, "Attribute Lists").
    AttributeList,
}

impl Syntax {
    /// Returns whether the braces are text.
    pub(crate) fn is_literal(self) -> bool {
        self == Self::Literal
    }

    /// Returns whether the braces are text if "#" follows them.
    pub(crate) fn is_last(self) -> bool {
        matches!(self, Self::Attributes | Self::Name)
    }
}

/// What is at the end of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trailer<'t> {
    /// The id, if there is one.
    pub(crate) id: Option<&'t str>,
    /// The length of the text before.
    pub(crate) at: usize,
}

impl<'t> Trailer<'t> {
    /// Returns what is at the end of the text of a heading, if it is no text.
    pub(crate) fn of(text: &'t str, syntax: Syntax) -> Option<Self> {
        let inner = text.trim_end().strip_suffix('}')?;
        let at = inner.rfind('{')?;
        let (before, inner) = (&inner[..at], &inner[at + 1..]);
        let is_separate = before.is_empty() || before.ends_with([' ', '\t']);
        let at = before.trim_end().len();
        let id = match syntax {
            Syntax::Whole => Some(whole(inner)?),
            Syntax::Name => Some(inner.strip_prefix('#').filter(|id| is_separate && is_name(id))?),
            Syntax::Attributes => attribute(inner),
            Syntax::AttributeList if is_separate && at > 0 && !inner.trim().is_empty() => {
                attribute(inner.strip_prefix(':').unwrap_or(inner))
            }
            Syntax::AttributeList => return None,
            Syntax::Literal => {
                Some(attribute(inner.strip_prefix(':').unwrap_or(inner)).or_else(|| whole(inner))?)
            }
        };
        Some(Self { id, at })
    }
}

/// Returns the id of a line of attributes that belong to the block around it: `{: #id}`.
pub(crate) fn of_block(line: &str, syntax: Syntax) -> Option<&str> {
    let has_blocks = matches!(syntax, Syntax::Name | Syntax::AttributeList);
    let inner = line.trim().strip_prefix("{:").filter(|_| has_blocks)?.strip_suffix('}')?;
    attribute(inner)
}

/// Returns the id of attributes.
fn attribute(inner: &str) -> Option<&str> {
    let mut words = inner.split_ascii_whitespace();
    let id = words.find_map(|word| {
        let value = || Some(word.strip_prefix("id=")?.trim_matches(['"', '\'']));
        word.strip_prefix('#').or_else(value)
    });
    id.filter(|id| !id.is_empty())
}

fn whole(inner: &str) -> Option<&str> {
    let comment = || inner.trim().strip_prefix("/*")?.strip_suffix("*/")?.trim().strip_prefix('#');
    inner.strip_prefix('#').or_else(comment).map(str::trim).filter(|id| !id.is_empty())
}

/// Returns whether a text is a name, as kramdown accepts it (XML 1.0, 2.3).
fn is_name(text: &str) -> bool {
    let starts = |one: char| one.is_alphabetic() || matches!(one, '_' | ':');
    let continues = |one: char| starts(one) || one.is_numeric() || matches!(one, '-' | '.' | '\u{B7}');
    text.starts_with(starts) && text.chars().all(continues)
}
