//! What a document says about which of its links are not checked: the comments of markdown-link-check
//! (`<!-- markdown-link-check-disable -->` up to `…-enable`, `…-disable-line` and `…-disable-next-line`), and the
//! attributes `data-proofer-ignore` of html-proofer and htmltest and `data-htmltest-ignore`; and which parts a template
//! language shows as code, or not at all: `{% highlight %}…{% endhighlight %}`.
//!
//! They are found in the octets as the document is read. A comment or a tag after "`" is an example.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use memchr::{memchr, memchr_iter, memmem, memrchr};

/// A reader that finds directives in what it passes on.
pub(crate) struct DirectiveReader<R> {
    from: R,
    /// Whether the document can have some.
    finds: bool,
    pub(crate) directives: Directives,
}

impl<R> DirectiveReader<R> {
    pub(crate) fn new(from: R, finds: bool) -> Self {
        Self { from, finds, directives: Directives::default() }
    }
}

/// The directives of a document.
#[derive(Debug, Default)]
pub(crate) struct Directives {
    /// The directives by their positions in the document, with their lines.
    found: BTreeMap<u64, (u64, Directive)>,
    /// The starts of the tags that have an attribute, with their ends.
    tags: BTreeMap<u64, u64>,
    /// The tags of template languages around code, by their positions.
    blocks: BTreeMap<u64, BlockTag>,
    /// The last octets that were read.
    tail: Vec<u8>,
    /// The position after them.
    at: u64,
    /// How many lines end before that.
    lines: u64,
}

/// What a comment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directive {
    Disable,
    Enable,
    DisableLine,
    DisableNextLine,
}

/// A tag of a template language that begins or ends a block of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockTag {
    name: &'static str,
    is_end: bool,
}

/// The blocks that are code, or that are not shown: of Liquid, Jinja, Nunjucks and Hexo, and the shortcode of Hugo. A `set`
/// with a block captures a text, mostly an example.
const BLOCKS: [&str; 9] =
    ["highlight", "raw", "verbatim", "codeblock", "code", "prism", "comment", "set", "codetabs"];

impl BlockTag {
    /// Reads a tag whose opening has this text around it.
    fn around(before: &[u8], after: &[u8]) -> Option<Self> {
        if before.ends_with(b"`") {
            return None;
        }
        let after = after.get(..REACH).unwrap_or(after);
        let end = [&b"%}"[..], b">}}"].iter().filter_map(|end| memmem::find(after, end)).min()?;
        let inner = str::from_utf8(after.get(..end)?).ok()?;
        let inner = inner.trim_start_matches(['-', '+']).trim();
        let word = inner.split([' ', '\t', '\n', '-']).next().unwrap_or_default();
        let name = word.strip_prefix("end").or_else(|| word.strip_prefix('/'));
        let (is_end, word) = (name.is_some(), name.unwrap_or(word));
        let name = BLOCKS.into_iter().find(|own| *own == word)?;
        // `{% set x = y %}` has no block.
        let is_block = name != "set" || !inner.contains('=');
        is_block.then_some(Self { name, is_end })
    }
}

/// How all directives begin.
const START: &[u8] = b"markdown-link-check-";

/// How both attributes end, and the rest of their names.
const ATTRIBUTE: (&[u8], [&[u8]; 2]) = (b"-ignore", [b"data-proofer", b"data-htmltest"]);

/// How long a comment or a tag may be to be found where two pieces of the document meet.
const REACH: usize = 4096;

impl Directives {
    /// Reads the next octets of the document.
    fn read(&mut self, octets: &[u8]) {
        if !self.tail.is_empty() {
            let tail = std::mem::take(&mut self.tail);
            let (begin, line) = (self.at - tail.len() as u64, self.lines - line_ends(&tail));
            let around = [&tail[..], &octets[..octets.len().min(REACH)]].concat();
            self.search(&around, begin, line);
            self.tail = tail;
        }
        self.search(octets, self.at, self.lines);
        self.at += octets.len() as u64;
        self.lines += line_ends(octets);
        self.tail.extend_from_slice(&octets[octets.len().saturating_sub(REACH)..]);
        self.tail.drain(..self.tail.len().saturating_sub(REACH));
    }

    /// Finds the directives in octets that begin at this position, after so many lines.
    fn search(&mut self, octets: &[u8], begin: u64, lines: u64) {
        // Lines are counted up to here.
        let (mut counted, mut line) = (0, lines + 1);
        for at in memmem::find_iter(octets, START) {
            let (before, after) = octets.split_at(at);
            if let Some(directive) = directive_around(before, &after[START.len()..]) {
                line += line_ends(&octets[counted..at]);
                counted = at;
                self.found.insert(begin + at as u64, (line, directive));
            }
        }
        for opening in [&b"{%"[..], b"{{<"] {
            for at in memmem::find_iter(octets, opening) {
                let (before, after) = octets.split_at(at);
                // What is before the first octet is seen with the octets around the pieces.
                if (at > 0 || begin == 0)
                    && let Some(tag) = BlockTag::around(before, &after[opening.len()..])
                {
                    self.blocks.insert(begin + at as u64, tag);
                }
            }
        }
        for at in memmem::find_iter(octets, ATTRIBUTE.0) {
            let (before, after) = octets.split_at(at);
            let name = ATTRIBUTE.1.iter().find_map(|name| before.strip_suffix(*name));
            if let Some(tag) = name.and_then(|before| ignored_tag(before, after)) {
                self.tags.insert(begin + tag.start as u64, begin + (at + tag.rest) as u64);
            }
        }
    }

    /// Begins to read at another position; lines are only known from the begin of the document.
    fn begin_at(&mut self, position: u64) {
        if position != self.at {
            (self.at, self.lines) = (position, if position == 0 { 0 } else { self.lines });
            self.tail.clear();
        }
    }

    /// Returns what decides by position whether a link is in code of a template; `None` if there is no such code.
    pub(crate) fn code(&mut self) -> Option<Ignored> {
        let (mut ranges, mut open) = (Vec::new(), None);
        for (at, tag) in std::mem::take(&mut self.blocks) {
            match open {
                None if !tag.is_end => open = Some((at, tag.name)),
                Some((start, name)) if tag.is_end && tag.name == name => {
                    ranges.push((start, at));
                    open = None;
                }
                _ => {}
            }
        }
        (!ranges.is_empty()).then(|| Ignored { ranges, ..Ignored::default() })
    }

    /// Returns what decides by position and line whether a link is ignored; `None` if none is.
    pub(crate) fn ignored(self) -> Option<Ignored> {
        let mut ignored = Ignored { tags: self.tags.into_iter().collect(), ..Ignored::default() };
        let mut open = None;
        for (at, (line, directive)) in self.found {
            match directive {
                Directive::Disable => open = open.or(Some(at)),
                Directive::Enable => ignored.ranges.extend(open.take().map(|start| (start, at))),
                Directive::DisableLine => ignored.lines.push(line),
                Directive::DisableNextLine => ignored.lines.push(line + 1),
            }
        }
        ignored.ranges.extend(open.map(|start| (start, u64::MAX)));
        let Ignored { ranges, lines, tags } = &ignored;
        let has_some = !ranges.is_empty() || !lines.is_empty() || !tags.is_empty();
        has_some.then_some(ignored)
    }
}

/// Where links are ignored.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// Positions, in order.
    ranges: Vec<(u64, u64)>,
    /// Lines, in order, from 1.
    lines: Vec<u64>,
    /// Positions of tags, in order.
    tags: Vec<(u64, u64)>,
}

impl Ignored {
    /// Returns whether a link is ignored.
    pub(crate) fn has(&self, offset: u64, line: u64) -> bool {
        let is_in = |ranges: &[(u64, u64)]| {
            let after = ranges.partition_point(|(start, _)| *start <= offset);
            let range = after.checked_sub(1).and_then(|last| ranges.get(last));
            range.is_some_and(|(_, end)| offset < *end)
        };
        is_in(&self.ranges) || is_in(&self.tags) || self.lines.binary_search(&line).is_ok()
    }
}

/// The tag around an attribute.
struct IgnoredTag {
    /// Where it begins in the octets before the attribute.
    start: usize,
    /// How far its end is after the attribute.
    rest: usize,
}

/// Returns the tag that an attribute is in; or the link that an attribute list of kramdown follows:
/// `[text](url){:data-proofer-ignore=''}`.
fn ignored_tag(before: &[u8], after: &[u8]) -> Option<IgnoredTag> {
    let skipped = before.len().saturating_sub(REACH);
    let (before, after) = (&before[skipped..], &after[..after.len().min(REACH)]);
    if let Some(link) = before.strip_suffix(b"{:") {
        let start = memmem::rfind(link, b"](")?;
        return (!link[start..].contains(&b'\n')).then_some(IgnoredTag { start: skipped + start, rest: 0 });
    }
    let open = memrchr(b'<', before)?;
    let tag = &before[open + 1..];
    let is_tag = tag.first().is_some_and(u8::is_ascii_alphabetic) && !tag.contains(&b'>');
    let ends_in_space = tag.last().is_some_and(u8::is_ascii_whitespace);
    (is_tag && ends_in_space).then_some(IgnoredTag { start: skipped + open, rest: memchr(b'>', after)? })
}

/// Returns the directive of a comment with this text around the start of its name.
fn directive_around(before: &[u8], after: &[u8]) -> Option<Directive> {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let (last, before) = before.split_last()?;
    let open = before.iter().rposition(|octet| !is_space(octet))?;
    let before = before.get(..=open)?.strip_suffix(b"<!--").filter(|_| is_space(last))?;
    let name = after.split(is_space).next().unwrap_or_default();
    let end = after.get(name.len()..)?.trim_ascii_start();
    if before.ends_with(b"`") || !end.starts_with(b"-->") {
        return None;
    }
    match name {
        b"disable" => Some(Directive::Disable),
        b"enable" => Some(Directive::Enable),
        b"disable-line" => Some(Directive::DisableLine),
        b"disable-next-line" => Some(Directive::DisableNextLine),
        _ => None,
    }
}

fn line_ends(octets: &[u8]) -> u64 {
    memchr_iter(b'\n', octets).count() as u64
}

impl<R: Read> Read for DirectiveReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(buffer)?;
        if self.finds {
            self.directives.read(buffer.get(..length).unwrap_or_default());
        }
        Ok(length)
    }
}

impl<R: Seek> Seek for DirectiveReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = self.from.seek(to)?;
        self.directives.begin_at(position);
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every piece length finds the same.
    #[test]
    fn directives_at_the_ends_of_pieces() {
        let text = "a\n<!-- markdown-link-check-disable -->b\nc<!--\tmarkdown-link-check-enable\t-->\n\
            d <!-- markdown-link-check-disable-line -->\n<!-- markdown-link-check-disable-next-line -->\n\
            e\nf `<!-- markdown-link-check-disable -->` <!--markdown-link-check-disable -->\n\
            <!-- markdown-link-check-disabled --> markdown-link-check-disable -->\n";
        for length in 1..=text.len() {
            let mut directives = Directives::default();
            text.as_bytes().chunks(length).for_each(|piece| directives.read(piece));
            let ignored = directives.ignored().unwrap();
            let has = |word: &str| {
                let at = text.find(word).unwrap();
                ignored.has(at as u64, line_ends(&text.as_bytes()[..at]) + 1)
            };
            let found = ["a\n", "b\n", "c<", "d ", "e\n", "f "].map(has);
            assert_eq!(found, [false, true, true, true, true, false], "{length}");
        }
    }

    #[test]
    fn code_of_templates() {
        let text = "1 {% highlight html %} 2 {% endraw %} 3 {%- endhighlight -%} 4 {% set a = b %} 5 {%set c%} 6\n\
            {% endset %} 7 `{% raw %}` 8 {{< highlight go >}} 9 {{< /highlight >}} A {% comment %} B";
        for length in 1..=text.len() {
            let mut directives = Directives::default();
            text.as_bytes().chunks(length).for_each(|piece| directives.read(piece));
            let code = directives.code().unwrap();
            let has = |mark: char| code.has(text.find(mark).unwrap() as u64, 1);
            let found: String = "123456789AB".chars().filter(|mark| has(*mark)).collect();
            assert_eq!(found, "2369", "{length}");
        }
    }

    #[test]
    fn attributes_at_the_ends_of_pieces() {
        let text = "<a href=1></a><a data-proofer-ignore href=2></a><a href=3\ndata-htmltest-ignore>\n\
            4 > data-proofer-ignore [5](5) [6](6){:data-proofer-ignore=''} [7](7)";
        for length in 1..=text.len() {
            let mut directives = Directives::default();
            text.as_bytes().chunks(length).for_each(|piece| directives.read(piece));
            let ignored = directives.ignored().unwrap();
            let has = |word: &str| ignored.has(text.find(word).unwrap() as u64 + 1, 1);
            let found = ["=1", "=2", "=3", "\n4", "(5", "(6", "(7"].map(has);
            assert_eq!(found, [false, true, true, false, false, true, false], "{length}");
        }
    }

    #[test]
    fn a_document_is_read_again() {
        let text = b"\n<!-- markdown-link-check-disable-line --> a\n";
        let mut source = DirectiveReader::new(io::Cursor::new(text), true);
        for _ in 0..2 {
            source.rewind().unwrap();
            io::copy(&mut source, &mut io::sink()).unwrap();
        }
        let ignored = source.directives.ignored().unwrap();
        assert_eq!([1, 2, 3].map(|line| ignored.has(0, line)), [false, true, false]);
    }
}
