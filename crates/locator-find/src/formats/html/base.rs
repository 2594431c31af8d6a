//! The base of a page. Finds the reference in its `base` element. Follows the HTML standard, 2.4.3
//! "Document base URLs": "the first base element in tree order that has an href attribute", at any
//! position; it also applies to the links before it.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::memmem;

use super::attributes::{Kind, Name};
use super::meta;
use super::scan::{Scanner, Token, TokenSink};
use super::value::Value;
use crate::decode::charset::Charset;
use crate::link::whitespace::{without_breaks, without_edges};
use crate::search::window::{Search, Window};

/// Searches a document in memory.
pub(super) fn find_in(octets: &[u8]) -> Option<String> {
    if !has_tag(octets) {
        return None;
    }
    let mut look = Look { charset: Charset::new(meta::encoding_of(octets)), ..Look::default() };
    let _ = look.scanner.scan(octets, true, &mut Found { charset: look.charset, base: &mut look.base });
    look.base
}

/// Searches a document in a separate pass.
pub(super) fn find(window: &mut Window, source: &mut (impl Read + ?Sized)) -> io::Result<Option<String>> {
    let mut look = Look::default();
    window.run(source, &mut look)?;
    Ok(look.base)
}

/// Returns whether the document contains "<base": most do not, and need no second pass.
fn has_tag(octets: &[u8]) -> bool {
    [b"<b", b"<B"].iter().any(|start| {
        memmem::find_iter(octets, start)
            .any(|at| octets.get(at + 1..at + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"base")))
    })
}

#[derive(Default)]
struct Look {
    scanner: Scanner,
    charset: Charset,
    base: Option<String>,
}

impl Search for Look {
    fn search(&mut self, window: &Window) -> ControlFlow<(), usize> {
        if window.is_first() {
            self.charset = Charset::new(meta::encoding_of(window.octets()));
        }
        let mut found = Found { charset: self.charset, base: &mut self.base };
        self.scanner.scan(window.octets(), window.is_last(), &mut found)
    }

    fn let_go(&mut self, window: &Window) {
        self.scanner.let_go(window.octets());
    }
}

/// Stores the first base.
struct Found<'a> {
    charset: Charset,
    base: &'a mut Option<String>,
}

impl TokenSink for Found<'_> {
    fn take(&mut self, octets: &[u8], met: Token<'_>) -> ControlFlow<()> {
        let Token::Start { tag, space, in_noscript: false, is_inert: false, .. } = met else {
            return ControlFlow::Continue(());
        };
        if tag.name() != b"base" {
            return ControlFlow::Continue(());
        }
        let is_base = |name: &Name| name.kind_in(space, "base") == Some(Kind::Base);
        let Some(href) = tag.attributes().iter().find(|attribute| is_base(&attribute.name)) else {
            return ControlFlow::Continue(());
        };
        let value = Value::of(octets, href.value.clone(), self.charset);
        let text = value.text();
        *self.base = Some(without_breaks(&text[without_edges(text, 0..text.len())]).into_owned());
        ControlFlow::Break(())
    }
}
