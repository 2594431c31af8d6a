//! Org. Finds links in brackets, plain links to files, files that keywords include, and the names that links may lead
//! to. Follows the Org manual 9.7 ("Hyperlinks", "Include Files", "Literal Examples") and the syntax of org-element.
//!
//! | written | found |
//! |---|---|
//! | `[[https://h/][text]]`, `[[file:a.org::*Title]]`, `[[./a.png]]` | a link ([`Context::Hyperlink`]), without what is searched in the file; `::#id` is its fragment |
//! | `[[#id]]` | a link to a `CUSTOM_ID` of the document |
//! | `[[*Title]]`, `[[name]]`, `[[id:…]]` | a cross-reference ([`Context::Hyperlink`]) |
//! | `#+INCLUDE: "a.org"`, `#+SETUPFILE: a.org` | a link ([`Context::Directive`]) |
//! | `* Title`, `<<name>>`, `#+NAME: x`, `:ID: x` | labels |
//! | `:CUSTOM_ID: x`; a heading, by GitHub's rule | anchors |
//!
//! A prefix that `#+LINK:` has defined before is replaced. Source blocks, examples, `=verbatim=`, `~code~` and comments are
//! code.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use memchr::{memchr, memmem};

use crate::formats::lightweight::{self, Line, Prose};
use crate::heading_ids::slug::Heading;
use crate::heading_ids::{HeadingIds, Numbers};
use crate::link::{Context, LabelKind};
use crate::search::FormatSpec;

/// The Org format.
pub(crate) static ORG: FormatSpec = FormatSpec {
    name: "org",
    extensions: &["org"],
    sections: None,
    has_media_type: |kind, subtype| kind == "text" && matches!(subtype, "org" | "x-org"),
    begins: None,
    find: |query, input| input.find_whole(|octets, emitter| lightweight::read(query, octets, emitter, read)),
    find_seekable: None,
    find_in: |query, octets, emitter| lightweight::read(query, octets, emitter, read),
};

/// Reads a document.
fn read(prose: Prose<'_, '_>) -> ControlFlow<()> {
    let at = prose.done();
    let numbers = Numbers::new(HeadingIds::GitHub.rule().numbers);
    let mut reader = Reader { prose, at, numbers, abbreviations: HashMap::new() };
    while let Some(line) = Line::at(reader.prose.text(), reader.at) {
        reader.line(line);
        reader.prose.flush_if_long()?;
    }
    let end = reader.prose.text().len();
    reader.prose.keep(end);
    reader.prose.flush()
}

/// The state of a reader.
struct Reader<'a, 't> {
    prose: Prose<'a, 't>,
    /// Where the next line begins.
    at: usize,
    /// The ids of headings.
    numbers: Numbers,
    /// The prefixes of links, and what they stand for: `#+LINK: gh https://github.com/%s`.
    abbreviations: HashMap<&'t str, &'t str>,
}

/// The longest title that is a name.
const LONGEST_TITLE: usize = 4096;

/// The longest target of a link, which has no line end.
const LONGEST_TARGET: usize = 8192;

/// How many prefixes of links are kept.
const MOST_ABBREVIATIONS: usize = 1000;

impl<'t> Reader<'_, 't> {
    fn slice(&self, span: Range<usize>) -> &'t str {
        self.prose.text().get(span).unwrap_or_default()
    }

    /// Reads the line or the block that begins there.
    fn line(&mut self, line: Line) {
        let text = line.of(self.prose.text());
        self.at = line.next;
        match text.as_bytes() {
            [] => self.prose.keep(line.next),
            [b'*', ..] if line.start == line.text && heading_start(text).is_some() => {
                self.heading(line, heading_start(text).unwrap_or_default());
            }
            [b'#', b'+', ..] => self.keyword(line),
            // "Lines starting with zero or more whitespace characters followed by one '#' and a whitespace"
            [b'#'] | [b'#', b' ', ..] | [b':'] | [b':', b' ', ..] => self.prose.keep_code(line.next),
            [b':', ..] if self.property(line) => self.prose.keep(line.next),
            _ => self.paragraph(line),
        }
    }

    fn heading(&mut self, line: Line, mark: usize) {
        let title = line.of(self.prose.text()).get(mark..).unwrap_or_default().trim_start();
        let start = line.end - title.len();
        let shown = without_keywords(without_tags(title));
        if shown.len() <= LONGEST_TITLE && !shown.is_empty() {
            let plain = without_links(shown);
            let rule = HeadingIds::GitHub.rule();
            let id = (rule.id)(&Heading { text: &plain, pieces: &[], written: &plain });
            let span = start..line.end;
            if !id.is_empty() {
                let id = self.numbers.unique(id);
                self.prose.anchor(span.clone(), id);
            }
            self.prose.label(span, plain, LabelKind::Title);
        }
        self.inline(start, line.end);
        self.prose.keep(line.next);
    }

    /// Reads `:CUSTOM_ID: x` and `:ID: x`; returns whether the line is a property.
    fn property(&mut self, line: Line) -> bool {
        let text = line.of(self.prose.text());
        let Some((name, value)) = text.strip_prefix(':').and_then(|rest| rest.split_once(':')) else {
            return false;
        };
        let is_name =
            !name.is_empty() && name.bytes().all(|one| one.is_ascii_alphanumeric() || b"_-+".contains(&one));
        if !is_name || !(value.is_empty() || value.starts_with([' ', '\t'])) {
            return false;
        }
        let value = value.trim_start();
        let span = line.end - value.len()..line.end;
        match () {
            () if value.is_empty() => {}
            () if name.eq_ignore_ascii_case("CUSTOM_ID") => self.prose.anchor(span, value),
            () if name.eq_ignore_ascii_case("ID") => {
                self.prose.label(span, format!("id:{value}"), LabelKind::Target);
            }
            () => self.inline(span.start, span.end),
        }
        true
    }

    /// Reads `#+KEY: value` and blocks.
    fn keyword(&mut self, line: Line) {
        let text = line.of(self.prose.text());
        let rest = text.get(2..).unwrap_or_default();
        if let Some(kind) = prefix(rest, "begin_") {
            let name = kind.split_ascii_whitespace().next().unwrap_or_default();
            return self.begin_block(line, name);
        }
        let Some((key, value)) = rest.split_once(':') else { return self.paragraph(line) };
        let value = value.trim();
        let start = line.end - value.len();
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        match () {
            () if value.is_empty() => {}
            () if is("INCLUDE") || is("SETUPFILE") || is("BIBLIOGRAPHY") => self.included(key, start, value),
            () if is("LINK") => {
                if let Some((name, url)) = value.split_once([' ', '\t'])
                    && self.abbreviations.len() < MOST_ABBREVIATIONS
                {
                    self.abbreviations.insert(name.trim_matches('"'), url.trim());
                }
                self.prose.keep_code(line.next);
            }
            () if is("NAME") || is("LABEL") => {
                self.prose.label(start..line.end, value, LabelKind::Target);
            }
            () => self.inline(start, line.end),
        }
        self.prose.keep(line.next);
    }

    /// Reads the path of a file: `"a.org::*Title" :minlevel 2`.
    fn included(&mut self, key: &str, start: usize, value: &'t str) {
        let quoted = value.strip_prefix('"');
        let path = match quoted {
            Some(quoted) => quoted.split('"').next(),
            None => value.split_ascii_whitespace().next(),
        };
        let path = path.unwrap_or_default();
        let path = path.split("::").next().unwrap_or_default();
        let start = start + usize::from(quoted.is_some());
        let name = if key.eq_ignore_ascii_case("INCLUDE") { "include" } else { "setupfile" };
        if !path.is_empty() && !path.starts_with('~') {
            self.prose.keep(start);
            self.prose.link(start..start + path.len(), path, Context::Directive(name));
            self.prose.skip(start + path.len());
        }
    }

    /// Reads the beginning of a block, and its content if that is code.
    fn begin_block(&mut self, line: Line, name: &str) {
        let is_code =
            ["src", "example", "export", "comment"].iter().any(|code| name.eq_ignore_ascii_case(code));
        self.prose.keep(line.next);
        if !is_code {
            return;
        }
        let text = self.prose.text();
        let mut next = line.next;
        while let Some(line) = Line::at(text, next) {
            let written = line.of(text);
            let ends = written.strip_prefix("#+").and_then(|rest| prefix(rest, "end_"));
            if ends.is_some_and(|end| end.eq_ignore_ascii_case(name)) {
                break;
            }
            next = line.next;
        }
        self.prose.keep_code(next);
        self.at = next;
    }

    /// Reads the lines of a paragraph or a list.
    fn paragraph(&mut self, first: Line) {
        let text = self.prose.text();
        let mut end = first.end;
        while let Some(line) = Line::at(text, self.at).filter(|line| !line.is_blank()) {
            let written = line.of(text);
            let is_heading = line.start == line.text && heading_start(written).is_some();
            if is_heading || written.starts_with(['#', ':']) {
                break;
            }
            (end, self.at) = (line.end, line.next);
        }
        self.inline(first.text, end);
        self.prose.keep(self.at);
    }

    /// Reads the links and the code of a text, and takes it.
    fn inline(&mut self, start: usize, end: usize) {
        self.prose.keep(start);
        let octets = self.prose.text().as_bytes();
        let is_mark = |octet: &u8| matches!(octet, b'[' | b'<' | b'=' | b'~' | b':');
        let mut at = start;
        // The code that has no end in the text.
        let mut unclosed = [false; 2];
        while let Some(mark) = octets.get(at..end).and_then(|rest| rest.iter().position(is_mark)) {
            let here = at + mark;
            let rest = octets.get(here..end).unwrap_or_default();
            at = match rest {
                [b'[', b'[', ..] => self.bracket_link(here, end),
                [b'<', b'<', ..] => self.target(here, end),
                [b'=' | b'~', ..] if begins_code(octets.get(start..here).unwrap_or_default(), rest) => {
                    self.code(here, end, &mut unclosed)
                }
                [b':', ..] if octets.get(start..here).is_some_and(|before| before.ends_with(b"file")) => {
                    self.plain_file(start, here, end)
                }
                _ => here + 1,
            };
        }
        self.prose.keep(end);
    }

    /// Reads `=verbatim=` or `~code~`.
    fn code(&mut self, here: usize, end: usize, unclosed: &mut [bool; 2]) -> usize {
        let octets = self.prose.text().as_bytes();
        let inside = octets.get(here + 1..end).unwrap_or_default();
        let is_unclosed = &mut unclosed[usize::from(octets[here] == b'~')];
        if *is_unclosed {
            return here + 1;
        }
        let ends = |at: &usize| {
            *at > 0
                && !inside[*at - 1].is_ascii_whitespace()
                && inside.get(*at + 1).is_none_or(|next| !next.is_ascii_alphanumeric() && *next < 0x80)
        };
        let Some(length) = memchr::memchr_iter(octets[here], inside).find(ends) else {
            *is_unclosed = true;
            return here + 1;
        };
        let close = here + 1 + length;
        self.prose.keep(here);
        self.prose.skip(here + 1);
        self.prose.keep_code(close);
        self.prose.skip(close + 1);
        close + 1
    }

    /// Reads `[[target][text]]` or `[[target]]`; returns where to go on.
    fn bracket_link(&mut self, here: usize, end: usize) -> usize {
        let inside = self.slice(here + 2..end.min(self.boundary(here + 2 + LONGEST_TARGET)));
        let octets = inside.as_bytes();
        let mut close = 0;
        while let Some(at) = octets.get(close..).and_then(|rest| memchr::memchr3(b']', b'\\', b'\n', rest)) {
            close += at;
            match octets[close] {
                // "\[" and "\]"
                b'\\' => close = (close + 2).min(octets.len()),
                _ => break,
            }
        }
        let after = octets.get(close..).unwrap_or_default();
        let is_link = close > 0 && (after.starts_with(b"][") || after.starts_with(b"]]"));
        if !is_link {
            return here + 2;
        }
        let span = here + 2..here + 2 + close;
        self.prose.keep(here);
        self.link(span.clone());
        if after.starts_with(b"]]") {
            self.prose.skip(span.end + 2);
            return span.end + 2;
        }
        // The text may be an image.
        let text = span.end + 2;
        let rest = octets.get(close + 2..).unwrap_or_default();
        let Some(length) = memmem::find(rest, b"]]") else {
            self.prose.skip(span.end + 1);
            return span.end + 1;
        };
        let shown = self.slice(text..text + length);
        let is_image = shown.starts_with("file:") || shown.starts_with("./") && is_image_name(shown);
        self.prose.skip(text);
        if is_image {
            self.link(text..text + length);
        }
        self.prose.skip(text + length + 2);
        text + length + 2
    }

    /// Returns the first boundary of characters from there on, or the end of the text.
    fn boundary(&self, at: usize) -> usize {
        let text = self.prose.text();
        (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
    }

    /// Declares the link of a target in brackets.
    fn link(&mut self, span: Range<usize>) {
        let written = self.slice(span.clone());
        let target = unescaped(written);
        let scheme = target.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme));
        match scheme {
            Some("file" | "file+sys" | "file+emacs" | "docview" | "attachment") => {
                let path = target.split_once(':').map_or("", |(_, path)| path);
                let is_attachment = target.starts_with("attachment:");
                self.file(span, path, is_attachment);
            }
            Some(
                "id" | "elisp" | "shell" | "info" | "help" | "woman" | "man" | "bbdb" | "rmail" | "gnus"
                | "mhe" | "roam",
            ) => {
                self.prose.cross_reference(span, target, Context::Hyperlink);
            }
            Some(prefix) if self.abbreviations.contains_key(prefix) => {
                let tag = &target[prefix.len() + 1..];
                let url = abbreviated(self.abbreviations.get(prefix).copied().unwrap_or_default(), tag);
                match url {
                    Some(url) => self.prose.link(span, url, Context::Hyperlink),
                    None => self.prose.cross_reference(span, target, Context::Hyperlink),
                }
            }
            Some(_) => self.prose.link(span, target, Context::Hyperlink),
            None if target.starts_with('#') => self.prose.link(span, target, Context::Hyperlink),
            None if target.starts_with(['/', '~'])
                || target.starts_with("./")
                || target.starts_with("../") =>
            {
                self.file(span, &target, false);
            }
            None => self.prose.cross_reference(span, target, Context::Hyperlink),
        }
    }

    /// Declares a link to a file: `a.org::*Title`.
    fn file(&mut self, span: Range<usize>, path: &str, is_unknown: bool) {
        let (path, search) = path.split_once("::").unwrap_or((path, ""));
        // Another machine, or a home directory.
        let is_elsewhere =
            is_unknown || path.starts_with('~') || path.starts_with("/ssh:") || path.starts_with("/scp:");
        match () {
            () if is_elsewhere => self.prose.cross_reference(span, path, Context::Hyperlink),
            () if path.is_empty() => {}
            () if search.starts_with('#') => {
                self.prose.link(span, format!("{path}{search}"), Context::Hyperlink);
            }
            () => self.prose.link(span, path, Context::Hyperlink),
        }
    }

    /// Reads a link to a file without brackets: `file:a.org`.
    fn plain_file(&mut self, start: usize, colon: usize, end: usize) -> usize {
        let octets = self.prose.text().as_bytes();
        let word = colon - "file".len();
        let before = word.checked_sub(1).filter(|at| *at >= start).map(|at| octets[at]);
        let is_start = before.is_none_or(|octet| octet.is_ascii_whitespace() || b"(<\"'".contains(&octet));
        let is_part = |octet: &u8| !octet.is_ascii_whitespace() && !b"()<>[]\"".contains(octet);
        let rest = octets.get(colon + 1..end).unwrap_or_default();
        let length = rest.iter().take_while(|octet| is_part(octet)).count();
        let written =
            self.slice(colon + 1..colon + 1 + length).trim_end_matches(['.', ',', ';', ':', '!', '?']);
        let next = colon + 1 + written.len();
        // "file:line:column" describes the form of a message.
        let is_path = written.contains(['/', '.']) && !written.starts_with("//");
        if !is_start || !is_path || word < self.prose.done() {
            return colon + 1;
        }
        self.prose.keep(word);
        self.file(word..next, written, false);
        self.prose.skip(next);
        next
    }

    /// Reads `<<target>>`, or `<<<target>>>`.
    fn target(&mut self, here: usize, end: usize) -> usize {
        let octets = self.prose.text().as_bytes();
        let marks = octets[here..end].iter().take(3).take_while(|octet| **octet == b'<').count();
        let start = here + marks;
        let inside = octets.get(start..end.min(start + 512)).unwrap_or_default();
        let length = memchr(b'>', inside).filter(|at| inside.get(at + 1) == Some(&b'>'));
        let name = length.map(|length| self.slice(start..start + length)).unwrap_or_default();
        if name.is_empty() || name.contains(['<', '\n']) || name.trim().len() != name.len() {
            return start;
        }
        self.prose.label(start..start + name.len(), name, LabelKind::Target);
        start + name.len()
    }
}

/// Returns what is after a prefix in any case.
fn prefix<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let own = text.get(..start.len())?;
    own.eq_ignore_ascii_case(start).then(|| &text[start.len()..])
}

/// Returns the length of the stars of a heading, before a space.
fn heading_start(text: &str) -> Option<usize> {
    let stars = text.bytes().take_while(|octet| *octet == b'*').count();
    (stars > 0 && text.as_bytes().get(stars) == Some(&b' ')).then_some(stars + 1)
}

/// Returns a title without its tags: `Title :a:b:`.
fn without_tags(title: &str) -> &str {
    let tags = title.rfind(char::is_whitespace).map(|at| &title[at + 1..]).filter(|tags| tags.len() > 2);
    let is_tags = |tags: &&str| {
        let is_tag = |one: char| one.is_alphanumeric() || "_@#%:".contains(one);
        tags.starts_with(':') && tags.ends_with(':') && tags.chars().all(is_tag)
    };
    tags.filter(is_tags).map_or(title, |tags| title[..title.len() - tags.len()].trim_end())
}

/// Returns a title without `TODO` or `DONE` and a priority: `[#A]`.
fn without_keywords(title: &str) -> &str {
    let title = ["TODO ", "DONE "]
        .iter()
        .find_map(|keyword| title.strip_prefix(keyword))
        .unwrap_or(title)
        .trim_start();
    let is_priority = title.starts_with("[#") && title.get(3..4) == Some("]");
    if is_priority { title.get(4..).unwrap_or_default().trim_start() } else { title }
}

/// Returns a title with the texts of its links, without marks of code.
fn without_links(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(open) = rest.find("[[") {
        let (before, link) = rest.split_at(open);
        text.push_str(before);
        let Some(close) = link.find("]]") else {
            rest = link;
            break;
        };
        let inside = &link[2..close];
        text.push_str(inside.split_once("][").map_or(inside, |(_, shown)| shown));
        rest = &link[close + 2..];
    }
    text.push_str(rest);
    text.replace(['=', '~'], "")
}

/// Returns a target without the escapes of brackets and backslashes.
fn unescaped(written: &str) -> String {
    let mut target = String::with_capacity(written.len());
    let mut characters = written.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|next| character == '\\' && matches!(next, '[' | ']' | '\\'));
        target.push(escaped.unwrap_or(character));
    }
    target
}

/// Returns whether a text is the scheme of a link: letters, of which there are two at least.
fn is_scheme(text: &str) -> bool {
    let is_part = |one: u8| one.is_ascii_alphanumeric() || b"+-._".contains(&one);
    text.len() > 1 && text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(is_part)
}

/// Returns the URL that a prefix and its tag stand for; `None` if a function makes it.
fn abbreviated(url: &str, tag: &str) -> Option<String> {
    match () {
        () if url.contains("%(") => None,
        () if url.contains("%s") => Some(url.replacen("%s", tag, 1)),
        () if url.contains("%h") => Some(url.replacen("%h", &tag.replace(' ', "%20"), 1)),
        () => Some(format!("{url}{tag}")),
    }
}

/// Returns whether the name of a file is one of an image.
fn is_image_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["png", "jpg", "jpeg", "gif", "svg", "webp"].iter().any(|one| ending.eq_ignore_ascii_case(one))
}

/// Returns whether a mark of code may begin after these octets.
fn begins_code(before: &[u8], rest: &[u8]) -> bool {
    let is_after = before.last().is_none_or(|last| last.is_ascii_whitespace() || b"-('\"{".contains(last));
    is_after && rest.get(1).is_some_and(|next| !next.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_without_marks() {
        for (title, plain) in [
            ("TODO [#A] Set up :x:y:", "Set up"),
            ("See [[file:a.org][the file]] =x=", "See the file x"),
            ("A: b :c", "A: b :c"),
        ] {
            assert_eq!(without_links(without_keywords(without_tags(title))), plain);
        }
        assert_eq!(abbreviated("https://h/%s/x", "a"), Some("https://h/a/x".to_owned()));
        assert_eq!(abbreviated("https://h/", "a"), Some("https://h/a".to_owned()));
        assert_eq!(unescaped("a\\[b\\]\\\\c"), "a[b]\\c");
    }
}
