//! Tags as components have them: JSX, which MDX and Astro have, Svelte and the templates of Vue. Takes a text and
//! the offset of a "<", and returns the tag there ([`ComponentTag`]) and its links ([`TagLink`]).
//!
//! An attribute is a link if its name is one of HTML's that are, and `to` of a component, in which routers
//! have their targets. Its value counts if it is known without running a program: a string, an expression
//! that is only a string (`{'/x'}`, `:to="'/x'"`), or a function of a framework with a string
//! (`useBaseUrl('/x')`, `require('./x.png')`). Other expressions are code.
//!
//! Follows JSX as its specification of 2022 has it, and `@astrojs/compiler`, Svelte and Vue where they differ from it.
//!
//! ```text
//! <Link to="/docs/a" />      to is a link
//! <a href={'/b'}>            href is a link
//! <img :src="image" />       unknown before a program runs
//! ```

use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use memchr::{memchr, memchr2, memmem};

use crate::decode::DecodeChain;
use crate::formats::html;
use crate::link::reference::{without_breaks, without_edges};
use crate::link::{Context, Method, Purpose};
use crate::search::Query;
use crate::search::emitter::Emitter;

/// How a document writes expressions in its tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// A string is a string: MDX and Astro.
    Jsx,
    /// A string may contain expressions in braces.
    Svelte,
    /// The name of an attribute says whether its value is an expression.
    Vue,
}

/// How many octets may be read in vain, so that hostile documents do not take long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget(usize);

impl Budget {
    /// Returns the budget for a text of this length.
    pub(crate) const fn for_length(length: usize) -> Self {
        Self(length.saturating_mul(4).saturating_add(1 << 16))
    }

    /// Returns whether nothing more may be read in vain.
    pub(crate) const fn is_spent(self) -> bool {
        self.0 == 0
    }

    /// Subtracts what was read in vain.
    pub(crate) const fn spend(&mut self, octets: usize) {
        self.0 = self.0.saturating_sub(octets);
    }
}

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagKind {
    Open,
    Close,
    SelfClosing,
}

/// A tag.
#[derive(Debug)]
pub(crate) struct ComponentTag {
    /// The span of its name; empty in `<>` and `</>`.
    pub(crate) name: Range<usize>,
    pub(crate) kind: TagKind,
    /// The offset after it.
    pub(crate) end: usize,
    attributes: Vec<TagAttribute>,
}

/// An attribute of a tag.
#[derive(Debug)]
struct TagAttribute {
    name: Range<usize>,
    value: Option<TagValue>,
}

/// The value of an attribute, without its quotes or braces.
#[derive(Clone, Debug)]
enum TagValue {
    Text(Range<usize>),
    Expression(Range<usize>),
}

/// Returns the tag at the "<" at `open`; `None` if it is no tag.
pub(crate) fn read_tag(octets: &[u8], open: usize, budget: &mut Budget) -> Option<ComponentTag> {
    if budget.is_spent() {
        return None;
    }
    let mut reader = TagReader { octets, at: open + 1, budget: &mut *budget };
    let tag = reader.read();
    let read = reader.at.min(octets.len()) - open;
    if tag.is_none() {
        budget.spend(read);
    }
    tag
}

/// The position in a tag.
struct TagReader<'t, 'b> {
    octets: &'t [u8],
    at: usize,
    budget: &'b mut Budget,
}

impl TagReader<'_, '_> {
    fn peek(&self) -> Option<u8> {
        self.octets.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        let rest = self.octets.get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|octet| octet.is_ascii_whitespace()).count();
    }

    fn read(&mut self) -> Option<ComponentTag> {
        let is_close = self.peek()? == b'/';
        self.at += usize::from(is_close);
        let start = self.at;
        let first = self.peek()?;
        if first != b'>' && !first.is_ascii_alphabetic() && first != b'_' && first != b'$' {
            return None;
        }
        let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || b"_$-.:".contains(octet);
        self.at += self.octets[start..].iter().take_while(|octet| is_name(octet)).count();
        let (name, mut attributes) = (start..self.at, Vec::new());
        let kind = |ends: bool| match (is_close, ends) {
            (true, _) => TagKind::Close,
            (false, true) => TagKind::SelfClosing,
            (false, false) => TagKind::Open,
        };
        loop {
            let before = self.at;
            self.skip_space();
            match self.peek()? {
                b'>' => {
                    self.at += 1;
                    return Some(ComponentTag { name, kind: kind(false), end: self.at, attributes });
                }
                b'/' if self.octets.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    return Some(ComponentTag { name, kind: kind(true), end: self.at, attributes });
                }
                // A spread, a shorthand or a comment.
                b'{' => self.at = self.expression()?.end + 1,
                // White space is before the first attribute; another one may follow a quote at once.
                octet if (self.at > before || !attributes.is_empty()) && begins_attribute(octet) => {
                    attributes.push(self.attribute()?);
                }
                _ => return None,
            }
        }
    }

    fn attribute(&mut self) -> Option<TagAttribute> {
        let start = self.at;
        let is_name = |octet: &u8| !octet.is_ascii_whitespace() && !b"=/>{}\"'<`".contains(octet);
        self.at += self.octets[start..].iter().take_while(|octet| is_name(octet)).count();
        let name = start..self.at;
        self.skip_space();
        if self.peek()? != b'=' {
            return Some(TagAttribute { name, value: None });
        }
        self.at += 1;
        self.skip_space();
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                let start = self.at + 1;
                let Some(length) = memchr(quote, &self.octets[start..]) else {
                    self.at = self.octets.len();
                    return None;
                };
                self.at = start + length + 1;
                TagValue::Text(start..start + length)
            }
            b'{' => {
                let inner = self.expression()?;
                self.at = inner.end + 1;
                TagValue::Expression(inner)
            }
            // A template without quotes, as Astro has it.
            b'`' => {
                let start = self.at;
                let Some(length) = memchr(b'`', &self.octets[start + 1..]) else {
                    self.at = self.octets.len();
                    return None;
                };
                self.at = start + length + 2;
                TagValue::Expression(start..self.at)
            }
            _ => {
                let start = self.at;
                let is_value = |octet: &u8| !octet.is_ascii_whitespace() && *octet != b'>';
                let length = self.octets[start..].iter().take_while(|octet| is_value(octet)).count();
                // The "/" of "/>" ends the tag.
                let is_end = length > 1 && self.octets.get(start + length - 1) == Some(&b'/');
                let length = if is_end { length - 1 } else { length };
                self.at = start + length;
                if length == 0 {
                    return None;
                }
                TagValue::Text(start..start + length)
            }
        };
        Some(TagAttribute { name, value: Some(value) })
    }

    /// Returns the content of the braces here.
    fn expression(&mut self) -> Option<Range<usize>> {
        let end = expression_end(self.octets, self.at, self.budget);
        if end.is_none() {
            self.at = self.octets.len();
        }
        Some(self.at + 1..end? - 1)
    }
}

/// Returns whether the name of an attribute may begin so; those of Vue and Svelte begin with signs, too.
const fn begins_attribute(octet: u8) -> bool {
    octet.is_ascii_alphabetic() || matches!(octet, b'_' | b'$' | b':' | b'@' | b'#' | b'[' | b'(' | b'*')
}

/// The tokens of a program: strings and comments, which hide brackets, and single octets.
pub(crate) struct CodeTokens<'t, 'b> {
    octets: &'t [u8],
    at: usize,
    budget: &'b mut Budget,
}

/// A token of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CodeToken {
    /// The span of a string with its quotes.
    String(Range<usize>),
    Comment,
    /// An octet and its offset.
    Octet(u8, usize),
}

impl<'t, 'b> CodeTokens<'t, 'b> {
    /// Returns the tokens from this offset on.
    pub(crate) const fn new(octets: &'t [u8], at: usize, budget: &'b mut Budget) -> Self {
        Self { octets, at, budget }
    }

    /// Returns the offset after a token if it has an end.
    fn end(&mut self, find: impl FnOnce(&[u8]) -> Option<usize>) -> Option<usize> {
        if self.budget.is_spent() {
            return None;
        }
        let end = find(self.octets);
        if end.is_none() {
            self.budget.spend(self.octets.len() - self.at);
        }
        end
    }
}

impl Iterator for CodeTokens<'_, '_> {
    type Item = CodeToken;

    fn next(&mut self) -> Option<CodeToken> {
        let (octets, at) = (self.octets, self.at);
        let octet = *octets.get(at)?;
        self.at += 1;
        match octet {
            b'"' | b'\'' => {
                if let Some(end) = string_end(octets, at + 1, octet, true) {
                    self.at = end;
                    return Some(CodeToken::String(at..end));
                }
            }
            b'`' => {
                if let Some(end) = self.end(|octets| string_end(octets, at + 1, octet, false)) {
                    self.at = end;
                    return Some(CodeToken::String(at..end));
                }
            }
            b'/' if octets.get(at + 1) == Some(&b'*') => {
                let end = |octets: &[u8]| Some(at + 4 + memmem::find(&octets[at + 2..], b"*/")?);
                if let Some(end) = self.end(end) {
                    self.at = end;
                    return Some(CodeToken::Comment);
                }
            }
            b'\\' => self.at = (at + 2).min(octets.len()),
            _ => {}
        }
        Some(CodeToken::Octet(octet, at))
    }
}

/// Returns the offset after the quote that ends a string; one in a line is no string if its line ends before. An
/// apostrophe in a text is not.
fn string_end(octets: &[u8], from: usize, quote: u8, is_in_line: bool) -> Option<usize> {
    let mut at = from;
    loop {
        let line_end = if is_in_line { b'\n' } else { b'\\' };
        at += memchr::memchr3(quote, b'\\', line_end, octets.get(at..)?)?;
        match octets[at] {
            b'\\' => at += 2,
            octet if octet == quote => return Some(at + 1),
            _ => return None,
        }
    }
}

/// Returns the offset after the brace that ends the expression at `open`.
pub(crate) fn expression_end(octets: &[u8], open: usize, budget: &mut Budget) -> Option<usize> {
    let mut depth = 0_usize;
    for token in CodeTokens::new(octets, open, budget) {
        match token {
            CodeToken::Octet(b'{', _) => depth += 1,
            CodeToken::Octet(b'}', at) if depth <= 1 => return Some(at + 1),
            CodeToken::Octet(b'}', _) => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Functions of frameworks that return the URL that they are given, with the base of the site or bundled.
const FUNCTIONS: [&str; 4] = ["useBaseUrl(", "withBase(", "require(", "url("];

/// Returns the string that an expression is, if it is one.
fn literal(octets: &[u8], span: Range<usize>) -> Option<Range<usize>> {
    let mut span = trimmed(octets, span);
    for function in FUNCTIONS {
        if octets[span.clone()].starts_with(function.as_bytes()) {
            let inner = span.start + function.len()..span.end;
            let text = octets[inner.clone()].strip_suffix(b".default").unwrap_or(&octets[inner.clone()]);
            let text = text.strip_suffix(b")")?;
            span = trimmed(octets, inner.start..inner.start + text.len());
            break;
        }
    }
    let (quote, rest) = octets[span.clone()].split_first()?;
    let inner = rest.strip_suffix(&[*quote])?;
    let is_string = matches!(quote, b'"' | b'\'' | b'`')
        && !inner.iter().any(|octet| octet == quote || matches!(octet, b'\\' | b'\n'))
        && !(*quote == b'`' && memmem::find(inner, b"${").is_some());
    is_string.then(|| span.start + 1..span.end - 1)
}

fn trimmed(octets: &[u8], span: Range<usize>) -> Range<usize> {
    let text = &octets[span.clone()];
    let start = span.start + text.len() - text.trim_ascii_start().len();
    start..start + text.trim_ascii().len()
}

/// What a tag has: a link, or a name that fragments may refer to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TagLink {
    pub(crate) span: Range<usize>,
    kind: TagLinkKind,
    /// The decoded value.
    value: String,
    element: Rc<str>,
    attribute: String,
    rel: Option<Rc<str>>,
    method: Option<Method>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagLinkKind {
    Link,
    Anchor,
    /// Text whose URLs are links.
    Text,
    Style,
}

impl TagLink {
    /// Emits what it is; its span counts in the source of `emitter`.
    pub(crate) fn emit(
        &self,
        query: &Query<'_>,
        octets: &[u8],
        emitter: &mut Emitter<'_>,
    ) -> ControlFlow<()> {
        let context = Context::Attribute { element: &self.element, attribute: &self.attribute };
        let rel = self.rel.as_deref().map(Purpose::of_rel);
        let purpose = rel.or_else(|| self.method.map(Purpose::of_method)).unwrap_or_default();
        let written = octets.get(self.span.clone()).unwrap_or_default();
        match self.kind {
            TagLinkKind::Link => emitter.link_for(self.span.clone(), &self.value, context, purpose),
            TagLinkKind::Anchor => {
                emitter.anchor(self.span.clone(), &self.value);
                ControlFlow::Continue(())
            }
            TagLinkKind::Text | TagLinkKind::Style => {
                let steps = DecodeChain::new(emitter.source, self.span.start, written);
                let mut emitter = emitter.of(&steps).in_context(context);
                match self.kind {
                    TagLinkKind::Style => query.find_in("text/css", steps.text(), &mut emitter),
                    _ => query.find_urls(steps.text(), &mut emitter),
                }
            }
        }
    }
}

/// The kind of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Link,
    Srcset,
    Anchor,
    Style,
    /// Of a component, whose attributes mean what it wants.
    Unknown,
    None,
}

impl ComponentTag {
    /// Returns the name as it is written.
    pub(crate) fn name<'t>(&self, octets: &'t [u8]) -> &'t [u8] {
        octets.get(self.name.clone()).unwrap_or_default()
    }

    /// Returns the value of an attribute that is a string.
    pub(crate) fn text_of<'t>(&self, octets: &'t [u8], name: &str) -> Option<&'t [u8]> {
        let is_named =
            |attribute: &&TagAttribute| octets[attribute.name.clone()].eq_ignore_ascii_case(name.as_bytes());
        match self.attributes.iter().find(is_named)?.value.as_ref()? {
            TagValue::Text(span) => octets.get(span.clone()),
            TagValue::Expression(span) => octets.get(literal(octets, span.clone())?),
        }
    }

    /// Returns the links of a tag, of the tags in its expressions, and the names in them, in order. With `all`,
    /// every value is searched.
    pub(crate) fn links(
        &self,
        octets: &[u8],
        dialect: Dialect,
        all: bool,
        budget: &mut Budget,
    ) -> Vec<TagLink> {
        let mut links = self.own_links(octets, dialect, all);
        let mut expressions = self.expressions();
        while let Some(span) = expressions.pop() {
            // An expression in another one is read again.
            budget.spend(span.len());
            let (text, mut at) = (&octets[..span.end], span.start);
            while let Some(length) = memchr(b'<', &text[at..]) {
                let open = at + length;
                at = open + 1;
                let Some(tag) = read_tag(text, open, budget) else { continue };
                links.extend(tag.own_links(text, dialect, all));
                expressions.extend(tag.expressions());
                at = tag.end;
            }
        }
        links.sort_by_key(|link| link.span.start);
        links
    }

    /// Returns the expressions of its attributes.
    fn expressions(&self) -> Vec<Range<usize>> {
        let expression = |attribute: &TagAttribute| match &attribute.value {
            Some(TagValue::Expression(span)) => Some(span.clone()),
            _ => None,
        };
        self.attributes.iter().filter_map(expression).collect()
    }

    fn own_links(&self, octets: &[u8], dialect: Dialect, all: bool) -> Vec<TagLink> {
        let mut links = Vec::new();
        if self.kind == TagKind::Close {
            return links;
        }
        let name = String::from_utf8_lossy(self.name(octets));
        let is_component = is_component(&name);
        let element: Rc<str> = if is_component { Rc::from(&*name) } else { name.to_ascii_lowercase().into() };
        let text = |attribute: &str| {
            self.text_of(octets, attribute).map(|value| String::from_utf8_lossy(value).into_owned())
        };
        let rel = if matches!(&*element, "a" | "area" | "link") { text("rel") } else { None };
        let rel: Option<Rc<str>> = rel.as_deref().and_then(|rel| Purpose::of_rel(rel).rel).map(Rc::from);
        let method = match &*element {
            "form" => text("method").map_or(Method::Get, |method| Method::from_value(method.as_bytes())),
            _ => Method::Get,
        };
        let is_card =
            &*element == "meta" && html::is_card(text("property").or_else(|| text("name")).as_deref());
        for attribute in &self.attributes {
            let Some(value) = &attribute.value else { continue };
            let written = String::from_utf8_lossy(&octets[attribute.name.clone()]);
            let bound = written.strip_prefix("v-bind:").or_else(|| written.strip_prefix(':'));
            let bound = bound.filter(|_| dialect == Dialect::Vue);
            let name = bound.unwrap_or(&written).to_ascii_lowercase();
            let (whole, span) = match value {
                TagValue::Text(span) if bound.is_some() => (span, literal(octets, span.clone())),
                TagValue::Text(span) if dialect == Dialect::Svelte && has_braces(&octets[span.clone()]) => {
                    (span, None)
                }
                TagValue::Text(span) => (span, Some(span.clone())),
                TagValue::Expression(span) => (span, literal(octets, span.clone())),
            };
            // A string of a program has no character references.
            let decoded = |span: Range<usize>| match value {
                TagValue::Text(_) => html::decoded_value(&octets[span]),
                TagValue::Expression(_) => String::from_utf8_lossy(&octets[span]).into_owned(),
            };
            let link = |span: Range<usize>, kind: TagLinkKind, value: String| TagLink {
                span,
                kind,
                value,
                element: Rc::clone(&element),
                attribute: name.clone(),
                rel: rel.clone(),
                method: match &*name {
                    "action" => Some(method),
                    // "request whose method is `POST`"
                    "ping" => Some(Method::Post),
                    _ => None,
                },
            };
            let role =
                if is_card && name == "content" { Role::Link } else { role(&element, &name, is_component) };
            match (role, span) {
                (Role::Link, Some(span)) => {
                    let value = decoded(span.clone());
                    let inner = without_edges(&value, 0..value.len());
                    if !inner.is_empty() && !is_alias(&value[inner.clone()]) {
                        let url = without_breaks(&value[inner]).into_owned();
                        links.push(link(without_spaces(octets, span), TagLinkKind::Link, url));
                    }
                }
                (Role::Srcset, Some(span)) => {
                    let value = String::from_utf8_lossy(&octets[span.clone()]);
                    // What replaces octets that are no UTF-8 may be longer.
                    if value.len() == span.len() {
                        for one in html::candidates(&value) {
                            let place = span.start + one.start..span.start + one.end;
                            links.push(link(place.clone(), TagLinkKind::Link, decoded(place)));
                        }
                    }
                }
                (Role::Anchor, Some(span)) if !span.is_empty() => {
                    links.push(link(span.clone(), TagLinkKind::Anchor, decoded(span)));
                }
                (Role::Style, Some(span)) => links.push(link(span, TagLinkKind::Style, String::new())),
                (Role::Unknown, Some(span)) if begins_with_scheme(&octets[span.clone()]) => {
                    links.push(link(span, TagLinkKind::Text, String::new()));
                }
                _ if all && !name.starts_with("xmlns") => {
                    links.push(link(whole.clone(), TagLinkKind::Text, String::new()));
                }
                _ => {}
            }
        }
        links
    }
}

/// Returns whether a path begins with a name that the configuration of a bundler defines: `@/a.png`, `~/a.png`,
/// `$lib/a.png`. Docusaurus defines `@site` itself.
fn is_alias(path: &str) -> bool {
    path.starts_with(['~', '$']) || path.starts_with('@') && !path.starts_with("@site/")
}

fn has_braces(octets: &[u8]) -> bool {
    memchr2(b'{', b'}', octets).is_some()
}

/// Returns a span without the spaces at its ends, which belong to no URL.
fn without_spaces(octets: &[u8], span: Range<usize>) -> Range<usize> {
    let is_edge = |octet: &u8| *octet <= b' ';
    let text = &octets[span.clone()];
    let before = text.iter().take_while(|octet| is_edge(octet)).count();
    let after = text.iter().rev().take_while(|octet| is_edge(octet)).count();
    span.start + before..(span.end - after).max(span.start + before)
}

/// Returns whether an element is a component and not one of HTML: `Link`, `router-link`, `Astro.self`.
fn is_component(name: &str) -> bool {
    name.contains(|character: char| {
        character.is_ascii_uppercase() || matches!(character, '-' | '.' | '$' | '_')
    })
}

fn begins_with_scheme(octets: &[u8]) -> bool {
    let text = octets.trim_ascii_start();
    text.starts_with(b"http://") || text.starts_with(b"https://")
}

/// Returns the kind of an attribute, whose name is in lower case.
fn role(element: &str, attribute: &str, is_component: bool) -> Role {
    match (attribute, element) {
        (_, "base") => Role::None,
        ("href", _) | ("src", _) | ("xlink:href" | "xlinkhref", _) => Role::Link,
        // The attribute of the same name in SVG is a number.
        ("to", _) if is_component => Role::Link,
        ("srcset", _) | ("imagesrcset", "link") => Role::Srcset,
        ("poster", _)
        | ("action", "form")
        | ("formaction", "button" | "input")
        | ("ping", "a" | "area")
        | ("cite", "blockquote" | "q" | "ins" | "del")
        | ("data", "object") => Role::Link,
        ("style", _) => Role::Style,
        ("id", _) | ("name", "a") => Role::Anchor,
        _ if is_component => Role::Unknown,
        _ => Role::None,
    }
}

/// Returns the pictures and documents that a program imports, in order: the strings after `from`, `import` and
/// `require`, if they are paths with such an ending.
pub(crate) fn imports(octets: &[u8], program: Range<usize>, budget: &mut Budget) -> Vec<Range<usize>> {
    let text = &octets[..program.end.min(octets.len())];
    let mut found = Vec::new();
    for token in CodeTokens::new(text, program.start, budget) {
        let CodeToken::String(span) = token else { continue };
        let inner = span.start + 1..span.end - 1;
        let before = text[program.start..span.start].trim_ascii_end();
        let before = before.strip_suffix(b"(").unwrap_or(before);
        let follows = [&b"from"[..], b"import", b"require"].iter().any(|word| before.ends_with(word));
        if follows && is_resource(&text[inner.clone()]) {
            found.push(inner);
        }
    }
    found
}

/// The endings of pictures, documents, sounds and films, which are imported as such.
const RESOURCES: [&str; 24] = [
    "md", "mdx", "markdown", "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp", "pdf", "mp4",
    "webm", "mov", "mp3", "ogg", "wav", "woff", "woff2", "zip", "csv", "txt",
];

/// Returns whether an imported module is a file with such an ending: `./a.png?url`.
fn is_resource(module: &[u8]) -> bool {
    let Ok(module) = str::from_utf8(module) else { return false };
    let path = module.split(['?', '#']).next().unwrap_or_default();
    let is_path = ["./", "../", "/", "@site/"].iter().any(|start| path.starts_with(start));
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_path
        && !path.contains(['!', '\\', '$', '\n'])
        && RESOURCES.iter().any(|one| ending.eq_ignore_ascii_case(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str, dialect: Dialect) -> Vec<String> {
        let octets = text.as_bytes();
        let mut budget = Budget::for_length(octets.len());
        let Some(tag) = read_tag(octets, 0, &mut budget) else { return vec!["no tag".to_owned()] };
        assert_eq!(tag.end, octets.len(), "{text}");
        let links = tag.links(octets, dialect, false, &mut budget);
        links.into_iter().map(|link| format!("{} {}", link.attribute, link.value)).collect()
    }

    #[test]
    fn a_tag_has_the_links_that_are_strings() {
        for (text, expected) in [
            ("<Link to=\"/a\">", &["to /a"][..]),
            ("<a\n  href='/a?b&amp;c'\n  className={x > 1 ? 'y' : `}`}\n/>", &["href /a?b&c"]),
            ("<a href={'/a'} {...props} id=\"x\">", &["href /a", "id x"]),
            ("<a href={`/a`}>", &["href /a"]),
            ("<a href={`/a/${b}`} href={a + '/b'}>", &[]),
            ("<Image src={useBaseUrl('/img/a.png')} />", &["src /img/a.png"]),
            (
                "<img src={require('./a.png').default} srcSet=\"b.png 1x, c.png 2x\"/>",
                &["src ./a.png", "srcset b.png", "srcset c.png"],
            ),
            ("<animate to=\"3\">", &[]),
            ("<img src='@/a.png'/>", &[]),
            ("<img src='~/a.png' srcset={`@site/a.png`}/>", &["srcset @site/a.png"]),
            ("<Foo.Bar href=\"/a\" to=/b/>", &["href /a", "to /b"]),
            ("</a>", &[]),
            ("<>", &[]),
            ("<meta property=\"og:image\" content=\"/a.png\">", &["content /a.png"]),
            ("<meta name=description content=\"/a.png\">", &[]),
            ("<A icon={<img src='/a' alt={<b id='c'/>} />} href='/d'>", &["src /a", "id c", "href /d"]),
        ] {
            assert_eq!(links(text, Dialect::Jsx), expected, "{text}");
        }
    }

    #[test]
    fn dialects_differ_in_what_is_a_string() {
        for (text, jsx, vue, svelte) in [
            ("<a href=\"/{a}\">", "href /{a}", "href /{a}", ""),
            ("<a :href=\"'/a'\">", "", "href /a", ""),
            ("<RouterLink v-bind:to=\"'/a'\">", "", "to /a", ""),
            ("<a :href=\"a\" @click=\"b > c\">", "", "", ""),
        ] {
            for (dialect, expected) in [(Dialect::Jsx, jsx), (Dialect::Vue, vue), (Dialect::Svelte, svelte)] {
                assert_eq!(links(text, dialect).join(" "), expected, "{text} {dialect:?}");
            }
        }
    }

    #[test]
    fn what_is_no_tag() {
        for text in [
            "<3",
            "< a>",
            "<a",
            "<a href=\"",
            "<a b={",
            "<https://a.example/>",
            "<a@b.example>",
            "<a <b>",
            "<a ==>",
        ] {
            let mut budget = Budget::for_length(text.len());
            assert!(read_tag(text.as_bytes(), 0, &mut budget).is_none(), "{text}");
        }
    }

    #[test]
    fn an_expression_ends_with_its_brace() {
        for (text, expected) in [
            ("{a}b", Some(3)),
            ("{'}'}", Some(5)),
            ("{`}${b}`}", Some(9)),
            ("{/* } */}", Some(9)),
            ("{don't}", Some(7)),
            ("{a: {b}}", Some(8)),
            ("{a", None),
        ] {
            let mut budget = Budget::for_length(text.len());
            assert_eq!(expression_end(text.as_bytes(), 0, &mut budget), expected, "{text}");
        }
    }
}
