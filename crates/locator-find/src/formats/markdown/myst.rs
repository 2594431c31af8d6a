//! MyST: the roles, targets and directives of Sphinx in Markdown. Follows the syntax of `myst-parser` 5 ("Roles and
//! Directives", "Cross-references"): `` {ref}`name` ``, `(name)=` before a block, and fences such as
//! ```` ```{figure} a.png ````.
//!
//! Other Markdown has these forms too rarely to be told apart: what is found are cross-references and labels, which only a
//! site of Sphinx has, and the files that directives name. A fence with another name, as `{r}` of R Markdown, is code.

use std::ops::Range;

use crate::formats::rst::kinds::{Argument, Content, argument_of, content_of};

/// A directive in a fence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// The name, one of those that are known.
    pub(super) name: &'static str,
    /// The place of the argument in the line of the fence.
    pub(super) argument: Range<usize>,
    pub(super) content: Content,
}

impl Directive {
    /// Reads the line of a fence, ```` ```{name} argument ````; `None` if it is code.
    pub(super) fn read(line: &str) -> Option<Self> {
        let fence = line.len() - line.trim_start_matches([' ', '\t', '>', '`', '~', ':']).len();
        let inner = line.get(fence..)?.strip_prefix('{')?;
        let (name, argument) = inner.split_once('}')?;
        let name = DIRECTIVES.into_iter().find(|own| *own == name)?;
        let end = line.trim_end().len();
        let blank = argument.len() - argument.trim_start().len();
        let start = (line.len() - argument.len() + blank).min(end);
        let content = content_of(name, line.get(start..end)?);
        Some(Self { name, argument: start..end, content })
    }

    /// Returns whether the argument is the path or the URL of a file.
    pub(super) fn names_file(&self) -> bool {
        matches!(argument_of(self.name), Argument::Image | Argument::File | Argument::Url)
    }

    /// Returns whether the argument is text with markup.
    pub(super) fn has_title(&self) -> bool {
        argument_of(self.name) == Argument::Text
    }
}

/// The directives that are read; all others are code.
const DIRECTIVES: [&str; 56] = [
    "admonition",
    "attention",
    "button-link",
    "button-ref",
    "card",
    "card-carousel",
    "caution",
    "centered",
    "container",
    "csv-table",
    "danger",
    "deprecated",
    "details",
    "div",
    "dropdown",
    "epigraph",
    "error",
    "eval-rst",
    "figure",
    "glossary",
    "grid",
    "grid-item",
    "grid-item-card",
    "highlights",
    "hint",
    "image",
    "important",
    "include",
    "list-table",
    "literalinclude",
    "margin",
    "note",
    "only",
    "parsed-literal",
    "pull-quote",
    "rubric",
    "seealso",
    "sidebar",
    "tab",
    "tab-item",
    "tab-set",
    "table",
    "tabs",
    "thumbnail",
    "tip",
    "toctree",
    "todo",
    "topic",
    "versionadded",
    "versionchanged",
    "versionremoved",
    "video",
    "warning",
    "hlist",
    "aside",
    "iframe",
];

/// The longest name of a role or a label.
const LONGEST: usize = 128;

/// Returns the place of the name of a role at the end of a text: `{ref}`, before a code span.
pub(super) fn role_before(text: &str) -> Option<Range<usize>> {
    let inner = text.strip_suffix('}')?;
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || b"_.+:-".contains(octet);
    let length = inner.bytes().rev().take(LONGEST).take_while(is_part).count();
    let start = inner.len() - length;
    (length > 0 && inner.get(..start)?.ends_with('{')).then_some(start..inner.len())
}

/// Returns the place of the name in a line that is a target: `(name)=`.
pub(super) fn label_in(line: &str) -> Option<Range<usize>> {
    let name = line.trim_end().strip_prefix('(')?.strip_suffix(")=")?;
    let is_name = |one: char| one.is_alphanumeric() || "|@<>*./_-+:".contains(one) || one == ' ';
    (!name.is_empty() && name.len() <= LONGEST && name.chars().all(is_name)).then(|| 1..1 + name.len())
}

/// Returns the place of the target of `text <target>`, or of all of the text.
pub(super) fn target_in(text: &str) -> Range<usize> {
    let open = text.strip_suffix('>').and_then(|inner| inner.rfind('<'));
    match open {
        Some(open) => open + 1..text.len() - 1,
        None => 0..text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let line = "```{figure} a b.png \n";
        let directive = Directive::read(line).unwrap();
        assert_eq!((directive.name, &line[directive.argument.clone()]), ("figure", "a b.png"));
        assert!(directive.names_file() && directive.content == Content::Text);
        let contents = [":::{toctree}\n", "```{eval-rst}", "```{include} x.md"]
            .map(|line| Directive::read(line).map(|one| one.content));
        assert_eq!(contents, [Some(Content::Documents), Some(Content::Rst), Some(Content::Text)]);
        assert!(
            ["```{r}", "```python", "```{code-block} c"].iter().all(|line| Directive::read(line).is_none())
        );
        assert_eq!(role_before("see {py:func}"), Some(5..12));
        assert_eq!([role_before("{}"), role_before("a}"), role_before("{a")], [None, None, None]);
        assert_eq!(label_in("(a-b)= \n"), Some(1..4));
        assert_eq!([label_in("(a)"), label_in("()="), label_in("f(a)=")], [None, None, None]);
        assert_eq!(target_in("a <b>"), 3..4);
        assert_eq!(target_in("a"), 0..1);
    }
}
