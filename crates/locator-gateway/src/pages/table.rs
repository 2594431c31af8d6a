//! How the entries of a list are laid out: a menu as lists between its lines of text, names as a list, and
//! what has sizes and times as a table. Takes entries, returns rows of HTML.

use locator::plan::ObjectKind;
use locator_fetch::entries::{Entry, EntryKind, SearchHit};
use maud::{Markup, PreEscaped, html};

use super::decode::Guess;
use super::entry;
use super::links::{self, Links};
use super::overview;
use super::schemes::is_shown;
use super::words::{beginning, name, preformatted, visible};

/// Writes the entries of a list.
#[derive(Debug)]
pub(super) struct Layout {
    kind: ObjectKind,
    links: Links,
    /// Whether it is a list of this machine, which may lead to files.
    is_here: bool,
    open: Open,
    pub(super) guess: Guess,
    pub(super) count: usize,
}

/// The element that the next entry may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    /// `ul` or `ol`.
    List,
    Table,
    /// `pre` with lines of text of a menu.
    Words,
}

impl Layout {
    pub(super) fn new(kind: ObjectKind, links: Links, is_here: bool) -> Self {
        Self { kind, links, is_here, open: Open::Nothing, guess: Guess::default(), count: 0 }
    }

    /// Writes an entry.
    pub(super) fn entry(&mut self, entry: &Entry, out: &mut String) {
        self.count += 1;
        let text = self.guess.decode(&entry.name).into_owned();
        if entry.kind == EntryKind::Words {
            self.open(Open::Words, out);
            let (text, is_cut) = beginning(&text);
            let line = html! { (preformatted(text)) @if is_cut { "…" } "\n" };
            return out.push_str(&line.into_string());
        }
        let row = match (self.kind, &entry.overview) {
            (ObjectKind::Overview, Some(article)) => {
                self.open(Open::Table, out);
                let cells = overview::cells(article, &mut self.guess);
                let subject = self.linked(entry, &overview::subject(&text));
                html! { tr { th scope="row" { (subject) } (cells) } }
            }
            (ObjectKind::Facts | ObjectKind::Links, _) => {
                self.open(Open::Table, out);
                self.row(entry, &text)
            }
            _ => {
                self.open(Open::List, out);
                self.item(entry, &text)
            }
        };
        out.push_str(&row.into_string());
    }

    /// Writes that a line is not shown.
    pub(super) fn cut(&mut self, most: usize, out: &mut String) {
        self.close(out);
        let said = html! { p.note { "A line of more than " (entry::size(most as u64)) " is not shown." } };
        out.push_str(&said.into_string());
    }

    /// Ends the element that is open.
    pub(super) fn close(&mut self, out: &mut String) {
        out.push_str(match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing => "",
            Open::List if self.is_ordered() => "</ol>",
            Open::List => "</ul>",
            Open::Table => "</tbody></table></div>",
            Open::Words => "</pre>",
        });
    }

    const fn is_ordered(&self) -> bool {
        matches!(self.kind, ObjectKind::Hits)
    }

    fn open(&mut self, wanted: Open, out: &mut String) {
        if self.open == wanted {
            return;
        }
        self.close(out);
        self.open = wanted;
        out.push_str(match wanted {
            Open::Nothing => "",
            Open::List if self.is_ordered() => "<ol class=\"entries\">",
            Open::List => "<ul class=\"entries\">",
            // A line end directly after the tag is not part of the text.
            Open::Words => "<pre class=\"words\" tabindex=\"0\">\n",
            Open::Table => {
                return out.push_str(&self.head());
            }
        });
    }

    fn item(&self, entry: &Entry, text: &str) -> Markup {
        let has_kind = !matches!(entry.kind, EntryKind::Name | EntryKind::Group | EntryKind::Article);
        html! {
            li class=[(entry.kind == EntryKind::Error).then_some("error")] {
                @if has_kind { span.kind { (entry::kind(entry.kind)) } " " }
                (self.linked(entry, text))
                @if let Some(hit) = &entry.hit { (self.hit(entry, hit)) }
                @else if let Some(octets) = entry.size { " " span.note { (entry::size(octets)) } }
            }
        }
    }

    fn row(&self, entry: &Entry, text: &str) -> Markup {
        html! {
            tr {
                th scope="row" {
                    (self.linked(entry, text))
                    @if let Some(target) = &entry.target {
                        @let target = Guess::default().decode(target).into_owned();
                        span.note { " to " (visible(beginning(&target).0)) }
                    }
                }
                td { (entry::kind(entry.kind)) }
                td { @if let Some(octets) = entry.size { (entry::size(octets)) } }
                td { @if let Some(time) = entry.modified { (entry::time(time)) } }
            }
        }
    }

    /// Writes the name with its link, or why it has none.
    fn linked(&self, entry: &Entry, text: &str) -> Markup {
        let slash = if entry.kind == EntryKind::Directory { "/" } else { "" };
        let (text, is_cut) = beginning(text);
        let name = html! { (name(text)) @if is_cut { "…" } (slash) };
        match &entry.url {
            Ok(url) => html! { (self.link(url.as_str(), &name)) },
            Err(_) if entry.kind == EntryKind::Error => name,
            Err(why) => html! { (name) " " span.note { "(no link: " (visible(&why.to_string())) ")" } },
        }
    }

    /// Writes what a search says of a document.
    fn hit(&self, entry: &Entry, hit: &SearchHit) -> Markup {
        let lines = hit.lines.map(|lines| format!("{lines} lines"));
        let score = hit.score.map(|score| format!("score {score}"));
        let said = [score, entry.size.map(entry::size), lines, hit.date.clone(), hit.source.clone()];
        let said: Vec<_> = said.into_iter().flatten().collect();
        let others = hit.types.iter().skip(1).zip(&hit.other_urls);
        html! {
            @if !said.is_empty() { " " span.note { (visible(&said.join(", "))) } }
            @for (wtype, url) in others {
                @if let Ok(url) = url { " " (self.link(url.as_str(), &html! { "as " (name(wtype)) })) }
            }
        }
    }

    /// Writes a link, if a text of others may have links of its scheme: a menu can name any. One to the web
    /// leads out, and its host is beside it.
    fn link(&self, url: &str, text: &Markup) -> Markup {
        let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if !(is_shown(&scheme) || self.is_here && scheme == "file") {
            let scheme = beginning(&scheme).0;
            return html! { (text) " " span.note { "(no link: the scheme is \"" (visible(scheme)) "\")" } };
        }
        if !links::is_web(url) {
            return html! { a href=(self.links.page(url)) { (text) } };
        }
        let host = locator::UriRef::parse(url).ok().and_then(|url| Some(url.host()?.as_str().to_owned()));
        html! {
            a.out href=(url) rel="noreferrer noopener" { (text) }
            @if let Some(host) = host { " " span.note { "(" (visible(&self.links.sentence(&host))) ")" } }
        }
    }

    /// Writes what is before the rows of a table.
    fn head(&self) -> String {
        let (title, columns) = match self.kind {
            ObjectKind::Overview => ("Articles", overview::COLUMNS),
            _ => ("Directory", ["Name", "Kind", "Size", "Changed (UTC)"]),
        };
        let table = html! {
            div.scroll role="group" aria-label=(title) tabindex="0" {
                table.listing {
                    caption.hidden { (title) }
                    thead { tr { @for name in columns { th scope="col" { (name) } } } }
                    (PreEscaped("<tbody>"))
                }
            }
        };
        table.into_string().replace("</table></div>", "")
    }
}
