//! URLs in a text: takes a line, and returns it escaped, with each URL as a link.

use locator::text::{Finder, Preset};
use maud::{Markup, html};

use super::links::{self, Links};
use super::words::preformatted;

/// Makes links of the URLs in lines.
pub(super) struct Linker {
    finder: Finder,
    links: Links,
}

impl Linker {
    pub(super) fn new(links: Links) -> Self {
        Self { finder: Finder::new(Preset::Default), links }
    }

    /// Returns a line with links, without its end.
    pub(super) fn line(&self, line: &str) -> Markup {
        // No URL has no ":".
        if !line.contains(':') {
            return preformatted(line);
        }
        let mut end = 0;
        let found = self.finder.find_iter(line.as_bytes()).filter(|one| !one.is_guess());
        let found: Vec<_> = found.filter_map(|one| Some((one.span(), one.read().ok()?))).collect();
        html! {
            @for (span, url) in found {
                @if let (Some(before), Some(text)) = (line.get(end..span.start), line.get(span.clone())) {
                    (preformatted(before))
                    (self.url(url.as_str(), text))
                    ({ end = span.end; "" })
                }
            }
            (preformatted(line.get(end..).unwrap_or_default()))
        }
    }

    fn url(&self, url: &str, text: &str) -> Markup {
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let is_led = super::schemes::is_shown(&scheme);
        html! {
            @if links::is_web(url) { a.out href=(url) rel="noreferrer noopener" { (preformatted(text)) } }
            @else if is_led { a href=(self.links.page(url)) { (preformatted(text)) } }
            @else { (preformatted(text)) }
        }
    }
}
