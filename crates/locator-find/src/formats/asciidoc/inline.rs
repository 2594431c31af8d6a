//! The inline markup of AsciiDoc: macros, URLs with a label, cross-references, anchors, passthroughs and monospace text.
//!
//! A macro is recognised at the bracket after its target, so that each character is read a bounded number of times.

use std::ops::Range;

use memchr::memmem;

use super::{Reader, is_resource_id};
use crate::link::cut::Cut;
use crate::link::{Context, LabelKind};

/// What is known of the rest of a paragraph.
struct Rest {
    end: usize,
    /// Whether no cross-reference is closed in it.
    has_no_reference: bool,
    /// Whether no monospace text is closed in it.
    has_no_code: bool,
    /// Whether no literal monospace text is closed in it.
    has_no_literal: bool,
    /// Whether no passthrough is closed in it.
    has_no_passthrough: bool,
    /// Where the monospace text ends that is open.
    code: usize,
}

/// The macros whose target is read. The name of the context is the same.
const MACROS: [&str; 7] = ["link", "xref", "image", "mailto", "video", "audio", "anchor"];

/// The macros whose text is not read: `pass:[text]`.
const PASSED: [&str; 4] = ["pass", "stem", "latexmath", "asciimath"];

/// The longest text in brackets that is read for an id or a link.
const LONGEST: usize = 1024;

impl Reader<'_, '_> {
    /// Reads the markup of a paragraph, and takes it.
    pub(super) fn inline(&mut self, start: usize, end: usize) {
        self.take(start, 0);
        let octets = self.prose.text().as_bytes();
        let (no, code) = (false, 0);
        let mut rest = Rest {
            end,
            has_no_reference: no,
            has_no_code: no,
            has_no_literal: no,
            has_no_passthrough: no,
            code,
        };
        // Where the text before a bracket begins, so that no text is read twice.
        let (mut at, mut floor) = (start, start);
        let is_mark = |octet: &u8| matches!(octet, b'[' | b'<' | b'`' | b'+' | b'\\');
        while let Some(mark) = octets.get(at..end).and_then(|rest| rest.iter().position(is_mark)) {
            let here = at + mark;
            let after = octets.get(here..end).unwrap_or_default();
            at = match octets[here] {
                b'\\' if after.starts_with(b"\\<<") => here + 3,
                b'<' if after.starts_with(b"<<") => self.angle_reference(here, &mut rest),
                b'`' => self.backquote(here, &mut rest),
                b'+' if after.starts_with(b"+++") => self.passthrough(here, &mut rest),
                b'[' => {
                    let next = self.bracket(floor, here, &rest);
                    floor = next;
                    next
                }
                _ => here + 1,
            };
        }
        self.take(end, rest.code);
    }

    /// Takes the text up to `end`, as code up to `code`.
    fn take(&mut self, end: usize, code: usize) {
        if code > self.prose.done() {
            self.prose.keep_code(code.min(end));
        }
        self.prose.keep(end);
    }

    /// Reads `<<id,text>>`.
    fn angle_reference(&mut self, here: usize, rest: &mut Rest) -> usize {
        let octets = self.prose.text().as_bytes();
        let inside = octets.get(here + 2..rest.end).unwrap_or_default();
        let starts =
            |first: &u8| first.is_ascii_alphanumeric() || *first >= 0x80 || b"#/.:{_".contains(first);
        if rest.has_no_reference || !inside.first().is_some_and(starts) {
            return here + 2;
        }
        let Some(length) = memmem::find(inside, b">>") else {
            rest.has_no_reference = true;
            return here + 2;
        };
        let written = self.slice(here + 2..here + 2 + length);
        let target = written.split(',').next().unwrap_or_default().trim_end();
        let span = here + 2..here + 2 + target.len();
        let expanded = self.attributes.expand(target);
        // Without "#" it is a name in the document.
        let name = if target.contains('#') { expanded.text } else { format!("#{}", expanded.text) };
        self.take(here, rest.code);
        self.prose.cross_reference(span, name, Context::Macro("xref"));
        self.prose.skip(here + 2 + length + 2);
        here + 2 + length + 2
    }

    /// Reads "`", which begins or ends monospace text; between "`+" and "+`" it is literal.
    fn backquote(&mut self, here: usize, rest: &mut Rest) -> usize {
        if here < rest.code {
            return here + 1;
        }
        let octets = self.prose.text().as_bytes();
        let inside = octets.get(here + 1..rest.end).unwrap_or_default();
        let before = here.checked_sub(1).and_then(|at| octets.get(at));
        let is_open = before.is_none_or(|before| !before.is_ascii_alphanumeric())
            && inside.first().is_some_and(|first| !first.is_ascii_whitespace());
        let is_literal = inside.first() == Some(&b'+');
        if !is_open || (if is_literal { rest.has_no_literal } else { rest.has_no_code }) {
            return here + 1;
        }
        let close = match is_literal {
            true => memmem::find(inside, b"+`").map(|at| at + 1),
            false => memchr::memchr(b'`', inside.get(1..).unwrap_or_default()).map(|at| at + 1),
        };
        let Some(close) = close else {
            *(if is_literal { &mut rest.has_no_literal } else { &mut rest.has_no_code }) = true;
            return here + 1;
        };
        let close = here + 1 + close;
        self.take(here + 1, rest.code);
        if is_literal {
            self.prose.keep_code(close);
            return close + 1;
        }
        rest.code = close;
        here + 1
    }

    /// Reads `+++text+++`, in which nothing is markup.
    fn passthrough(&mut self, here: usize, rest: &mut Rest) -> usize {
        let octets = self.prose.text().as_bytes();
        let inside = octets.get(here + 3..rest.end).unwrap_or_default();
        let end = if rest.has_no_passthrough { None } else { memmem::find(inside, b"+++") };
        let Some(end) = end else {
            rest.has_no_passthrough = true;
            return here + 3;
        };
        here + 3 + end + 3
    }

    /// Reads what is before and after a bracket; returns where to go on.
    fn bracket(&mut self, floor: usize, here: usize, rest: &Rest) -> usize {
        let octets = self.prose.text().as_bytes();
        let after = octets.get(here..rest.end).unwrap_or_default();
        if after.starts_with(b"[[") {
            return self.anchor(here, rest);
        }
        if after.starts_with(b"[#") {
            self.span_id(here, rest);
            return here + 1;
        }
        let before = floor.max(self.prose.done().min(here));
        let Some(target) = self.target(before..here) else { return here + 1 };
        let Target { name, span } = target;
        if PASSED.contains(&name) {
            let close = self.closing(here, rest.end).unwrap_or(here + 1);
            self.take(here, rest.code);
            self.prose.keep_code(close);
            return close;
        }
        self.take(span.start, rest.code);
        // The target of a video may be its name at a service: `video::aHjpOzsQ9YI[youtube]`.
        let is_hosted = || {
            let inside = after.get(1..).unwrap_or_default();
            [&b"youtube"[..], b"vimeo", b"wistia"].iter().any(|service| inside.starts_with(service))
        };
        if name == "video" && is_hosted() {
            self.prose.skip(span.end);
            return here + 1;
        }
        self.macro_target(name, span);
        self.image_link(name, here, rest.end)
    }

    /// Reads the target of a macro, or a URL before its label.
    fn macro_target(&mut self, name: &'static str, span: Range<usize>) {
        match name {
            "xref" => {
                let target = self.slice(span.clone());
                let expanded = self.attributes.expand(target);
                let last = target.rsplit('/').next().unwrap_or_default();
                let is_path = target.contains(['#', '{', ':', '$', '@']) || last.contains('.');
                let name = if is_path { expanded.text } else { format!("#{}", expanded.text) };
                self.prose.cross_reference(span.clone(), name, Context::Macro("xref"));
                self.prose.skip(span.end);
            }
            "anchor" => {
                let id = self.slice(span.clone());
                self.ids.add(id);
                self.prose.anchor(span, id);
            }
            "image" | "video" | "audio" => self.media(name, span),
            "mailto" => {
                let url = format!("mailto:{}", self.slice(span.clone()));
                self.prose.link(span.start - "mailto:".len()..span.end, url, Context::Macro("link"));
                self.prose.skip(span.end);
            }
            _ => self.url(name, span),
        }
    }

    /// Reads a URL or a path.
    fn url(&mut self, name: &'static str, span: Range<usize>) {
        let written = self.slice(span.clone());
        let expanded = self.attributes.expand(written);
        if !expanded.text.contains("://") {
            // A name of a document that Antora knows is not in a `link`.
            if !expanded.is_whole || name.is_empty() {
                if !name.is_empty() {
                    self.prose.cross_reference(span.clone(), expanded.text, Context::Macro(name));
                    self.prose.skip(span.end);
                }
                return;
            }
            self.prose.link(span.clone(), expanded.text, Context::Macro(name));
        } else if expanded.is_whole {
            self.prose.cut_link(span.clone(), expanded.text, None);
        } else {
            // An attribute that another document or the command line sets: "{url-base}".
            let known = expanded.text.find('{').unwrap_or(expanded.text.len());
            let part = expanded.text.get(..known).unwrap_or_default();
            let end =
                span.start + written.find('{').filter(|_| written.starts_with(part)).unwrap_or(written.len());
            let has_host =
                part.split_once("://").is_some_and(|(_, rest)| !rest.trim_start_matches('/').is_empty());
            if has_host {
                self.prose.cut_link(span.start..end, part, Some(Cut::Value));
            }
        }
        self.prose.skip(span.end);
    }

    /// Reads the path of an image, a video or a sound, which is in the directory `imagesdir`.
    fn media(&mut self, name: &'static str, span: Range<usize>) {
        let written = self.slice(span.clone());
        let expanded = self.attributes.expand(written);
        let is_relative = !expanded.text.contains("://") && !expanded.text.starts_with(['/', '{']);
        let is_path = is_relative && !is_resource_id(&expanded.text) && !expanded.text.starts_with("data:");
        match self.attributes.get("imagesdir") {
            Some(Some(directory)) if is_path && expanded.is_whole && !directory.is_empty() => {
                let url = format!("{}/{}", directory.trim_end_matches('/'), expanded.text);
                self.prose.link(span.clone(), url, Context::Macro(name));
                self.prose.skip(span.end);
            }
            Some(None) if is_path => {
                let url = format!("{{imagesdir}}/{}", expanded.text);
                self.prose.cross_reference(span.clone(), url, Context::Macro(name));
                self.prose.skip(span.end);
            }
            _ if expanded.text.contains("://") => self.url(name, span),
            _ => self.path(name, span),
        }
    }

    /// Reads the link of an image: `image::a.png[link=https://h/]`. Returns where to go on, after the bracket.
    fn image_link(&mut self, name: &str, bracket: usize, end: usize) -> usize {
        let first = bracket + 1;
        if name != "image" {
            return first;
        }
        let Some(close) = self.closing(first, end) else { return first };
        let inside = self.slice(first..close);
        let Some(at) = inside.find("link=").filter(|at| *at == 0 || inside[..*at].ends_with([',', ' ']))
        else {
            return first;
        };
        let value = &inside[at + "link=".len()..];
        let quoted = value.strip_prefix('"');
        let length = match quoted {
            Some(quoted) => quoted.find('"').unwrap_or(quoted.len()),
            None => value.find(',').unwrap_or(value.len()),
        };
        let start = first + at + "link=".len() + usize::from(quoted.is_some());
        let span = start..start + length;
        let target = self.slice(span.clone());
        if target.is_empty() || target == "self" || target == "none" {
            return first;
        }
        self.prose.keep(span.start);
        match target.strip_prefix("xref:") {
            Some(target) => self.macro_target("xref", span.end - target.len()..span.end),
            None => self.url("link", span.clone()),
        }
        span.end
    }

    /// Returns the target of the macro before a bracket, which begins in the stretch.
    fn target(&self, before: Range<usize>) -> Option<Target> {
        let octets = self.prose.text().as_bytes().get(before.clone())?;
        let end = before.end;
        let is_boundary = |octet: &u8| octet.is_ascii_whitespace() || b"<>()\"'`|".contains(octet);
        // A passthrough may have blanks: `link:++https://h/a b++[]`.
        if octets.ends_with(b"++") {
            let start = memmem::rfind(&octets[..octets.len() - 2], b":++")? + ":++".len();
            let name = name_before(octets, start - 3).unwrap_or("link");
            return Some(Target { name, span: before.start + start..end - 2 });
        }
        let line = octets.iter().rposition(|octet| *octet == b'\n').map_or(0, |at| at + 1);
        let blank = octets.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1).max(line);
        // Macros, whose targets may have parentheses.
        for colon in memchr::memchr_iter(b':', &octets[blank..]).map(|at| blank + at).take(MOST_COLONS) {
            if let Some(name) = name_before(octets, colon) {
                let is_block = octets.get(colon + 1) == Some(&b':');
                let start = before.start + colon + 1 + usize::from(is_block);
                let is_target = start < end || PASSED.contains(&name);
                return is_target.then_some(Target { name, span: start..end });
            }
        }
        let word = octets.iter().rposition(is_boundary).map_or(0, |at| at + 1).max(line);
        // A URL, or an attribute that may be one.
        if let Some(colon) = memmem::find(&octets[word..], b"://").map(|at| word + at) {
            let name = octets[word..colon].iter().rev().take_while(|octet| is_scheme(**octet)).count();
            let start = colon - name;
            let is_begin = start == word || BEFORE.contains(&octets[start - 1]);
            let is_escaped = start > 0 && octets[start - 1] == b'\\';
            let is_host = octets.get(colon + 3).is_some_and(|octet| {
                octet.is_ascii_alphanumeric()
                    || *octet >= 0x80
                    || matches!(octet, b'/' | b'{' | b'_' | b'%' | b'[')
            });
            let is_url = name > 1 && is_begin && !is_escaped && is_host;
            return is_url.then(|| Target { name: "", span: before.start + start..end });
        }
        if octets.get(word) == Some(&b'{') {
            return Some(Target { name: "", span: before.start + word..end });
        }
        // Names of images and titles of sections have blanks.
        let spaced = memchr::memrchr_iter(b':', &octets[line..]).map(|at| line + at).take(MOST_COLONS);
        let mut named = spaced.filter_map(|colon| Some((colon, name_before(octets, colon)?)));
        let (colon, name) = named.find(|(_, name)| matches!(*name, "image" | "xref"))?;
        let is_block = octets.get(colon + 1) == Some(&b':');
        let start = before.start + colon + 1 + usize::from(is_block);
        let is_target = self.slice(start..end).starts_with(|first: char| !first.is_whitespace());
        is_target.then_some(Target { name, span: start..end })
    }

    /// Reads `[[id]]` or `[[id,text]]`.
    fn anchor(&mut self, here: usize, rest: &Rest) -> usize {
        let close =
            self.closing(here + 2, rest.end).filter(|close| self.slice(*close..rest.end).starts_with("]]"));
        let Some(close) = close else { return here + 2 };
        // A bibliography has three brackets.
        let written = self.slice(here + 2..close);
        let start = here + 2 + usize::from(written.starts_with('['));
        let id = written.trim_start_matches('[').split(',').next().unwrap_or_default();
        let is_id = id.starts_with(|first: char| first.is_alphabetic() || "_:".contains(first))
            && !id.contains([' ', '{']);
        if is_id {
            let span = start..start + id.len();
            self.ids.add(id);
            self.prose.anchor(span.clone(), id);
            if let Some((_, text)) = written.split_once(',') {
                self.prose.label(span, text.trim(), LabelKind::Title);
            }
        }
        close
    }

    /// Returns where the next "]" is in a line.
    fn closing(&self, from: usize, end: usize) -> Option<usize> {
        let inside = self.prose.text().as_bytes().get(from..end.min(from + LONGEST))?;
        let close = memchr::memchr2(b']', b'\n', inside)?;
        (inside[close] == b']').then_some(from + close)
    }

    /// Reads the id of a stretch of text: `[#id]#text#`.
    fn span_id(&mut self, here: usize, rest: &Rest) {
        let Some(close) = self.closing(here + 2, rest.end) else { return };
        let is_span = self.slice(close + 1..rest.end).starts_with(['#', '*', '_', '`']);
        let id = self.slice(here + 2..close).split(['.', '%', ',']).next().unwrap_or_default();
        if is_span && !id.is_empty() {
            self.ids.add(id);
            self.prose.anchor(here + 2..here + 2 + id.len(), id);
        }
    }
}

/// The target of a macro, or a URL, which has no name.
struct Target {
    name: &'static str,
    span: Range<usize>,
}

/// How many colons before a bracket are tried.
const MOST_COLONS: usize = 16;

/// The octets after which a URL begins.
const BEFORE: &[u8] = b" \t\n\r<>()[];\"'*_`|:,";

const fn is_scheme(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.')
}

/// Returns the name of the macro before a colon.
fn name_before(octets: &[u8], colon: usize) -> Option<&'static str> {
    let before = octets.get(..colon)?;
    let name = MACROS.into_iter().chain(PASSED).find(|name| before.ends_with(name.as_bytes()))?;
    let boundary = before.len().checked_sub(name.len() + 1).and_then(|at| before.get(at));
    // `\link:` is text.
    let is_name =
        boundary.is_none_or(|octet| !octet.is_ascii_alphanumeric() && !matches!(octet, b'\\' | b'_' | b'-'));
    is_name.then_some(name)
}
