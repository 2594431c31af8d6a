//! Parses and writes the attribute blocks of Gopher+.
//!
//! Takes the octets of the response to `!` or `$` and returns the items and their blocks; and the
//! reverse. Follows "Gopher+: upward compatible enhancements to the Internet Gopher protocol", July 1993,
//! section 2.
//!
//! A server of Gopher+ answers with a first line that has the length of the response; remove it before,
//! or let `locator-fetch` do so. [`items`] never fails: a line that is not part of a block is left out,
//! because servers differ.
//!
//! ```
//! use locator::scheme::attributes;
//!
//! let answer = b"+INFO: 0Report\t0/r\th\t70\t+\r\n\
//!     +VIEWS:\r\n Text/plain: <4k>\r\n.\r\n";
//! let items = attributes::items(answer);
//! assert_eq!(items.len(), 1);
//! assert_eq!(items[0].info().unwrap().name, b"Report");
//! assert_eq!(items[0].views().count(), 1);
//! ```

use alloc::vec::Vec;
use core::iter::{Copied, FilterMap, Map};
use core::slice;

use super::menu;
use crate::as_text::iterator;

/// A block: `+NAME: first line`, then lines that begin with a space.
///
/// ```
/// use locator::scheme::attributes;
///
/// let answer = b"+INFO: 0doc\t0/doc\th.dom\t70\t+\r\n+VIEWS:\r\n Text/plain Es_ES: <.1k>\r\n.\r\n";
/// let items = attributes::items(answer);
/// let info = items[0].info().unwrap();
/// assert_eq!(info.url().unwrap(), "gopher://h.dom/00/doc%09%09+");
/// let view = items[0].views().next().unwrap();
/// assert_eq!(
///     (view.media_type, view.language, view.size),
///     (&b"Text/plain"[..], Some(&b"Es_ES"[..]), &b".1k"[..])
/// );
/// assert_eq!(attributes::to_bytes(&items), answer);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'m> {
    /// The name of the block, without "+": `VIEWS`.
    pub name: &'m [u8],
    /// The rest of the first line after the name, with the space and the ":" that divide it.
    pub first: &'m [u8],
    /// The other lines, each without the space before it.
    pub lines: Vec<&'m [u8]>,
}

/// The attributes of an item: its blocks, of which the first is `INFO`.
///
/// ```
/// use locator::scheme::attributes;
///
/// let answer = b"+INFO: 0a\t0/a\th\t70\t+\r\n+ADMIN:\r\n Admin: Jan\r\n.\r\n";
/// let item = &attributes::items(answer)[0];
/// assert_eq!(item.info().unwrap().name, b"a");
/// assert_eq!(item.block("admin").unwrap().lines, [b"Admin: Jan"]);
/// assert!(item.block("VIEWS").is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes<'m> {
    /// The blocks, in order.
    pub blocks: Vec<Block<'m>>,
}

/// A view of an item.
///
/// A view is one representation of the item. A gopher URL asks for it by its Gopher+ string
/// ([`GopherParts::view`](crate::scheme::GopherParts::view)).
///
/// ```
/// use locator::scheme::attributes;
///
/// let answer = b"+INFO: 0a\t0/a\th\t70\t+\r\n+VIEWS:\r\n Text/plain: <10k>\r\n";
/// let view = attributes::items(answer)[0].views().next().unwrap();
/// assert_eq!((view.media_type, view.size), (&b"Text/plain"[..], &b"10k"[..]));
/// assert_eq!(view.language, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<'m> {
    /// The media type of the view: `application/postscript`.
    pub media_type: &'m [u8],
    /// The language of the view: `Es_ES`.
    pub language: Option<&'m [u8]>,
    /// The size of the view as the server writes it, without "<" and ">"; it may be empty.
    pub size: &'m [u8],
}

/// A field of a form: its prompt and its choices.
///
/// ```
/// use locator::scheme::attributes;
///
/// let answer = b"+INFO: 0a\t0/a\th\t70\t?\r\n+ASK:\r\n Choose: Size\tS\tL\r\n";
/// let ask = attributes::items(answer)[0].asks().next().unwrap();
/// assert_eq!((ask.kind, ask.prompt), (&b"Choose"[..], &b"Size"[..]));
/// assert_eq!(ask.choices, [b"S", b"L"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask<'m> {
    /// The kind of the field: `Ask`, `AskP`, `AskL`, `AskF`, `Select`, `Choose`, `ChooseF` or
    /// `Note`.
    pub kind: &'m [u8],
    /// The prompt that is shown to the user.
    pub prompt: &'m [u8],
    /// The default values of the field, or its choices.
    pub choices: Vec<&'m [u8]>,
}

/// Returns the items of a response, up to a line "." or the end. A first line with the length must
/// be removed before.
#[must_use]
pub fn items(answer: &[u8]) -> Vec<Attributes<'_>> {
    let mut items: Vec<Attributes<'_>> = Vec::new();
    let lines = answer.split(|&octet| octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    for line in lines.take_while(|line| *line != b".") {
        if let Some(block) = block(line) {
            // "+INFO" is the first block of every item.
            if block.name.eq_ignore_ascii_case(b"INFO") || items.is_empty() {
                items.push(Attributes::default());
            }
            if let Some(item) = items.last_mut() {
                item.blocks.push(block);
            }
        } else if let Some(last) = items.last_mut().and_then(|item| item.blocks.last_mut())
            && !line.is_empty()
        {
            last.lines.push(line.strip_prefix(b" ").unwrap_or(line));
        }
    }
    items
}

/// Returns the response that contains these items, with the line "." that ends it.
#[must_use]
pub fn to_bytes(items: &[Attributes<'_>]) -> Vec<u8> {
    let mut octets = Vec::new();
    for block in items.iter().flat_map(|item| &item.blocks) {
        for piece in [b"+", block.name, block.first, b"\r\n"] {
            octets.extend_from_slice(piece);
        }
        for line in &block.lines {
            for piece in [b" ", *line, b"\r\n"] {
                octets.extend_from_slice(piece);
            }
        }
    }
    octets.extend_from_slice(b".\r\n");
    octets
}

/// Parses a line that begins a block.
fn block(line: &[u8]) -> Option<Block<'_>> {
    let rest = line.strip_prefix(b"+")?;
    // Some servers omit the ":".
    let end = rest.iter().position(|octet| matches!(octet, b':' | b' ')).unwrap_or(rest.len());
    let (name, first) = rest.split_at(end);
    Some(Block { name, first, lines: Vec::new() })
}

impl<'m> Attributes<'m> {
    /// Returns the block of this name, ignoring case.
    #[must_use]
    pub fn block(&self, name: &str) -> Option<&Block<'m>> {
        self.blocks.iter().find(|block| block.name.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// Returns the item itself, from its block `INFO`.
    #[must_use]
    pub fn info(&self) -> Option<menu::Item<'m>> {
        let first = self.block("INFO")?.first;
        let line = first.strip_prefix(b":").unwrap_or(first).trim_ascii_start();
        menu::items(line).next()?.ok()
    }

    /// Returns the views of the item.
    pub fn views(&self) -> Views<'_, 'm> {
        Views(self.lines("VIEWS").map(view))
    }

    /// Returns the fields of the item's form.
    pub fn asks(&self) -> Asks<'_, 'm> {
        Asks(self.lines("ASK").filter_map(ask))
    }

    /// Returns the lines of a block; none if the item does not have it.
    fn lines(&self, block: &str) -> Copied<slice::Iter<'_, &'m [u8]>> {
        self.block(block).map_or(&[][..], |block| &block.lines).iter().copied()
    }
}

iterator! {
    /// The views of an item: the result of [`Attributes::views`].
    ///
    /// ```
    /// use locator::scheme::attributes;
    ///
    /// let answer = b"+INFO: 0a\t0/a\th\t70\t+\r\n+VIEWS:\r\n Text/plain: <4k>\r\n Text/html: <9k>\r\n.\r\n";
    /// let items = attributes::items(answer);
    /// assert!(items[0].views().any(|view| view.media_type == b"Text/html"));
    /// ```
    pub struct Views<'s, 'm>(
        Map<Copied<slice::Iter<'s, &'m [u8]>>, fn(&'m [u8]) -> View<'m>>
    ) -> View<'m>;
}

iterator! {
    /// The fields of an item's form: the result of [`Attributes::asks`].
    ///
    /// ```
    /// use locator::scheme::attributes;
    ///
    /// let answer = b"+INFO: 0a\t0/a\th\t70\t?\r\n+ASK:\r\n Ask: Your name?\r\n.\r\n";
    /// let items = attributes::items(answer);
    /// assert_eq!(items[0].asks().next().unwrap().prompt, b"Your name?");
    /// ```
    pub struct Asks<'s, 'm>(
        FilterMap<Copied<slice::Iter<'s, &'m [u8]>>, fn(&'m [u8]) -> Option<Ask<'m>>>
    ) -> Ask<'m>;
}

/// `application/postscript Es_ES: <60k>`
fn view(line: &[u8]) -> View<'_> {
    let (name, size) = divide(line, b':').unwrap_or((line, b""));
    let (media_type, language) = divide(name, b' ').map_or((name, None), |(a, b)| (a, Some(b)));
    let size = size.trim_ascii();
    let size = size.strip_prefix(b"<").unwrap_or(size);
    View { media_type, language, size: size.strip_suffix(b">").unwrap_or(size) }
}

/// `Choose: Colour<tab>red<tab>green`
fn ask(line: &[u8]) -> Option<Ask<'_>> {
    let (kind, rest) = divide(line, b':')?;
    let mut fields = rest.trim_ascii_start().split(|&octet| octet == b'\t');
    Some(Ask { kind, prompt: fields.next().unwrap_or_default(), choices: fields.collect() })
}

fn divide(octets: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let index = octets.iter().position(|&octet| octet == at)?;
    Some((octets.get(..index)?, octets.get(index + 1..)?))
}
