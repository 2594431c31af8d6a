//! The inline markup of reStructuredText: literals, roles and references. Follows the specification, "Inline Markup",
//! where the rules for the characters around a mark are.
//!
//! Each character is read a bounded number of times: a mark that is not closed is remembered, so that the end is not
//! looked for again in the same paragraph.

use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

use super::kinds::{is_code, is_formatting};
use super::names::{unescaped, uri};
use super::{Reader, with_scheme};
use crate::link::{Context, LabelKind};

/// What is known of the rest of a paragraph.
struct Rest {
    end: usize,
    /// Whether no literal is closed in it.
    has_no_literal: bool,
    /// Whether no "`" is closed in it.
    has_no_text: bool,
}

impl Reader<'_, '_> {
    /// Reads the markup of a paragraph, and takes it.
    pub(super) fn inline(&mut self, start: usize, end: usize) {
        self.prose.keep(start);
        let octets = self.prose.text().as_bytes();
        let mut rest = Rest { end, has_no_literal: false, has_no_text: false };
        let (mut at, mut floor) = (start, start);
        while let Some(mark) = octets.get(at..end).and_then(|rest| memchr3(b'`', b'\\', b'_', rest)) {
            let here = at + mark;
            match octets[here] {
                b'\\' => at = (here + 2).min(end),
                b'`' => {
                    at = self.backquote(floor, here, &mut rest);
                    floor = floor.max(self.prose.done().min(at));
                }
                _ => {
                    let is_end = is_end(octets.get(here + 1..end).unwrap_or_default());
                    at = here + 1;
                    if is_end && here > floor {
                        self.simple_reference(floor, here);
                    }
                    if is_end {
                        floor = at;
                    }
                }
            }
        }
        self.prose.keep(end);
    }

    /// Reads what begins with "`"; returns where to go on.
    fn backquote(&mut self, floor: usize, here: usize, rest: &mut Rest) -> usize {
        let octets = self.prose.text().as_bytes();
        let inside = octets.get(here + 1..rest.end).unwrap_or_default();
        let before =
            here.checked_sub(1).filter(|before| *before >= floor).and_then(|before| octets.get(before));
        let is_start = before.is_none_or(|before| !before.is_ascii_alphanumeric());
        if inside.first() == Some(&b'`') {
            return self.literal(here, is_start, rest);
        }
        let begins = is_start && inside.first().is_some_and(|first| !first.is_ascii_whitespace());
        let close = if begins && !rest.has_no_text { closing(inside) } else { None };
        let Some(close) = close else {
            rest.has_no_text |= begins;
            return here + 1;
        };
        let content = here + 1..here + 1 + close;
        let after = octets.get(content.end + 1..rest.end).unwrap_or_default();
        if before == Some(&b'_') {
            self.inline_target(content.clone());
        } else if let Some(role) = self.role_before(floor, here) {
            let start = role.start.saturating_sub(1);
            self.role(start, role, content.clone());
        } else if after.starts_with(b"_") {
            let length = if after.starts_with(b"__") { 2 } else { 1 };
            self.reference(content.clone(), length);
            return content.end + 1 + length;
        } else if let Some(length) = role_after(after) {
            let role = content.end + 2..content.end + length;
            self.role(here, role, content.clone());
            return content.end + 1 + length;
        }
        content.end + 1
    }

    /// Reads a literal: "``text``".
    fn literal(&mut self, here: usize, is_start: bool, rest: &mut Rest) -> usize {
        let octets = self.prose.text().as_bytes();
        let inside = octets.get(here + 2..rest.end).unwrap_or_default();
        let begins = is_start && inside.first().is_some_and(|first| !first.is_ascii_whitespace());
        let end = if begins && !rest.has_no_literal { memmem::find(inside, b"``") } else { None };
        let Some(end) = end else {
            rest.has_no_literal |= begins;
            return here + 2;
        };
        // A backquote before the end belongs to the text.
        let more = inside[end..].iter().take_while(|octet| **octet == b'`').count() - 2;
        let end = here + 2 + end + more;
        self.prose.keep(here);
        self.prose.skip(here + 2);
        self.prose.keep_code(end);
        self.prose.skip(end + 2);
        end + 2
    }

    /// Returns the name of the role before a text: `:name:`.
    fn role_before(&self, floor: usize, here: usize) -> Option<Range<usize>> {
        let before = self.prose.text().as_bytes().get(floor..here)?.strip_suffix(b":")?;
        let length = before.iter().rev().take_while(|octet| is_role_name(**octet)).count();
        let stretch = before.len() - length..before.len();
        let colon = stretch.start + memchr(b':', before.get(stretch)?)?;
        let is_start = colon == 0 || !before[colon - 1].is_ascii_alphanumeric();
        let name = floor + colon + 1..floor + before.len();
        (is_start && !name.is_empty()).then_some(name)
    }

    /// Reads the text of a role; the markup begins at `start`.
    fn role(&mut self, start: usize, role: Range<usize>, content: Range<usize>) {
        let name = self.slice(role);
        let written = self.slice(content.clone());
        self.prose.keep(start);
        if is_formatting(name) || written.starts_with('!') {
            self.prose.skip(content.start);
            match is_code(name) {
                true => self.prose.keep_code(content.end),
                false => self.prose.keep(content.end),
            }
        } else {
            let target = role_target_in(written);
            let span = content.start + target.start..content.start + target.end;
            let text = unescaped(self.slice(span.clone()));
            // `~` shows only the last part of a name, `.` looks in the current one first.
            let text = text.trim_start_matches('~');
            if !text.is_empty() {
                self.prose.cross_reference(span, text, Context::Role(name));
            }
        }
        self.prose.skip(content.end + 1);
    }

    /// Reads a reference: `` `text <target>`_ ``, or `` `name`_ ``.
    fn reference(&mut self, content: Range<usize>, underscores: usize) {
        let written = self.slice(content.clone());
        self.prose.keep(content.start - 1);
        match target_in(written) {
            Some(target) if !target.span.is_empty() => {
                let span = content.start + target.span.start..content.start + target.span.end;
                let inside = self.slice(span.clone());
                let alias = inside.strip_suffix('_').filter(|name| !name.ends_with('\\'));
                match alias {
                    Some(name) => self.prose.cross_reference(span, unescaped(name), Context::Hyperlink),
                    None => self.prose.link(span, with_scheme(uri(inside)), Context::Hyperlink),
                }
                // Its text is a name, too.
                let text = content.start..content.start + target.text;
                if underscores == 1 && !text.is_empty() {
                    self.prose.label(text.clone(), unescaped(self.slice(text)), LabelKind::Url);
                }
            }
            // The targets of anonymous references are known by their number.
            _ if underscores == 2 => {}
            _ => self.prose.cross_reference(content.clone(), unescaped(written), Context::Hyperlink),
        }
        self.prose.skip(content.end + 1 + underscores);
    }

    /// Reads a target in text: `` _`name` ``.
    fn inline_target(&mut self, content: Range<usize>) {
        self.give_name(self.slice(content.clone()), content);
    }

    /// Reads `name_`, of which the underscore is at `here`.
    fn simple_reference(&mut self, floor: usize, here: usize) {
        let octets = self.prose.text().as_bytes();
        let before = octets.get(floor..here).unwrap_or_default();
        // `name__` has an anonymous target.
        if before.last().is_none_or(|last| *last == b'_') {
            return;
        }
        let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || *octet >= 0x80 || b"-._+".contains(octet);
        let length = before.iter().rev().take_while(|octet| is_part(octet)).count();
        let start = here - length;
        let is_boundary = match start.checked_sub(1).filter(|at| *at >= floor).map(|at| octets[at]) {
            None => floor == start,
            Some(octet) => octet.is_ascii_whitespace() || b"'\"([{".contains(&octet),
        };
        let name = &before[before.len() - length..];
        // "no two adjacent" marks are in a name, and it begins and ends with a letter or a digit.
        let is_mark = |octet: &u8| b"-._+".contains(octet);
        let is_name = length > 0
            && name.first().is_some_and(|first| !is_mark(first))
            && name.last().is_some_and(|last| !is_mark(last))
            && !name.windows(2).any(|pair| pair.iter().all(is_mark));
        if is_boundary && is_name {
            let text = self.slice(start..here);
            self.prose.cross_reference(start..here + 1, text, Context::Hyperlink);
        }
    }
}

/// Returns whether markup may end before these octets.
fn is_end(after: &[u8]) -> bool {
    match after.first() {
        None => true,
        Some(b'_') => false,
        Some(next) => next.is_ascii_whitespace() || b"'\")]}>-/\\:.,;!?".contains(next),
    }
}

/// Returns where the "`" is that ends a text: it is not escaped, and not after white space.
fn closing(inside: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(mark) = inside.get(at..).and_then(|rest| memchr::memchr2(b'`', b'\\', rest)) {
        let here = at + mark;
        match inside[here] {
            b'\\' => at = here + 2,
            _ if here > 0 && !inside[here - 1].is_ascii_whitespace() => return Some(here),
            _ => at = here + 1,
        }
    }
    None
}

/// Returns the length of the role after a text, with its colons: `:name:`.
fn role_after(after: &[u8]) -> Option<usize> {
    let inner = after.strip_prefix(b":")?;
    let name = inner.iter().take_while(|octet| is_role_name(**octet) && **octet != b':').count();
    (name > 0 && inner.get(name) == Some(&b':') && is_end(inner.get(name + 1..)?)).then_some(name + 2)
}

/// Returns whether an octet is one of the name of a role, with that of its domain: `py:func`.
const fn is_role_name(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'.' | b'+' | b':' | b'-')
}

/// Returns the place of the target of `text <target>` in a role, where no space is needed, or of all of the text (`explicit_title_re` of
/// Sphinx).
fn role_target_in(content: &str) -> Range<usize> {
    let inner = content.strip_suffix('>').filter(|inner| !inner.ends_with('\\'));
    match inner.and_then(|inner| Some((inner.rfind('<').filter(|open| *open > 0)?, inner.len()))) {
        Some((open, close)) => open + 1..close,
        None => 0..content.len(),
    }
}

/// The target in a text.
struct EmbeddedTarget {
    span: Range<usize>,
    /// The length of the text before it.
    text: usize,
}

/// Returns the target of `text <target>`; there may be no text.
fn target_in(content: &str) -> Option<EmbeddedTarget> {
    let inner = content.strip_suffix('>').filter(|inner| !inner.ends_with('\\'))?;
    let open = inner.rfind('<')?;
    let before = content.get(..open)?;
    let is_separate = before.is_empty() || before.ends_with(char::is_whitespace);
    is_separate.then(|| EmbeddedTarget { span: open + 1..inner.len(), text: before.trim_end().len() })
}
