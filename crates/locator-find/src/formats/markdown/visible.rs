//! The visible text of a document, of which a generator makes a page.

use encoding_rs::UTF_8;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::pieces::{self, OPTIONS};
use crate::formats::html::VisibleReader;
use crate::formats::visible::Visible;
use crate::search::input::End;

/// Returns the visible text of a document.
pub(crate) fn visible_text(octets: &[u8]) -> String {
    let (text, _, _) = UTF_8.decode(octets);
    let (mut visible, mut html) = (Visible::default(), VisibleReader::default());
    let mut rest = &*text;
    while !rest.is_empty() {
        let length = match pieces::light(rest.as_bytes()) {
            light if light < rest.len() => {
                let (End::At(length) | End::Divided(length)) = pieces::end(&rest.as_bytes()[..light]);
                length
            }
            light => light,
        };
        let Some((piece, after)) = rest.split_at_checked(length) else { break };
        read(piece, &mut visible, &mut html);
        rest = after;
    }
    visible.finish()
}

fn read(text: &str, visible: &mut Visible, html: &mut VisibleReader) {
    let mut is_metadata = false;
    for event in Parser::new_ext(text, OPTIONS) {
        match event {
            Event::Start(Tag::MetadataBlock(_)) => is_metadata = true,
            Event::End(TagEnd::MetadataBlock(_)) => is_metadata = false,
            Event::Text(text) if !is_metadata => visible.push(&text),
            Event::Code(text) => visible.push(&text),
            Event::Html(text) | Event::InlineHtml(text) => html.read(text.as_bytes(), visible),
            Event::SoftBreak | Event::HardBreak | Event::Rule => visible.separate(),
            Event::Start(tag) if !is_inline(&tag) => visible.separate(),
            Event::End(tag) if !is_inline_end(tag) => visible.separate(),
            _ => {}
        }
    }
}

const fn is_inline(tag: &Tag<'_>) -> bool {
    use Tag::{Emphasis, Image, Link, Strikethrough, Strong};
    matches!(tag, Emphasis | Strong | Strikethrough | Link { .. } | Image { .. })
}

const fn is_inline_end(tag: TagEnd) -> bool {
    use TagEnd::{Emphasis, Image, Link, Strikethrough, Strong};
    matches!(tag, Emphasis | Strong | Strikethrough | Link | Image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let document = "---\ntitle: x\n---\n# A *b*\n\nText\nwith `code`, [a link](u) and\n\n- one\n- <b>t</b>wo\n\n```\ncode\n```\n";
        assert_eq!(visible_text(document.as_bytes()), "A b Text with code, a link and one two code");
        assert_eq!(visible_text(b"\xFF\n\n<!-- x -->\n\ny"), "\u{FFFD} y");
    }
}
