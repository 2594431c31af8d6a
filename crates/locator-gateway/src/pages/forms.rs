//! Forms: the words of a search, a login, the question whether a link of another page is followed, and the
//! forms of Gopher+.
//!
//! A function whose name ends in `_form` or `_page` returns the page, one whose name ends in `_url` takes what
//! was filled in and returns the URL of it, as RFC 1738, 3.4.9 writes it. Forms of Gopher+ follow "Gopher+:
//! upward compatible enhancements to the Internet Gopher protocol", July 1993.
//!
//! ```text
//! let search = UriRef::parse("gopher://h/7/find")?;
//! assert!(search_form(&links, search).is_some());
//! assert_eq!(search_url(search, "a b", edition::DEFAULT)?, "gopher://h/7/find%09a%20b");
//! ```

use locator::plan::Prompt;
use locator::scheme::{GopherParts, GopherUrl, WaisObject, WaisUrl, WhoisUrl, attributes};
use locator::{Edition, UriRef};
use locator_web::Renderer;
use locator_web::report::visible::shows_itself;
use maud::{Markup, html};

use super::frame::Frame;
use super::links::Links;
use super::object::file_name;
use super::text::{GuessingDecoder, WINDOWS, beginning, code, name, visible};

/// Returns the form of a search, if the URL is one without words. By proxy the form is sent to the URL
/// itself.
pub(in super::super) fn search_form(links: &Links, url: UriRef<'_>) -> Option<Vec<u8>> {
    let own = links.own("/search");
    let action = own.as_deref().unwrap_or(url.as_str());
    let what = search_target(url)?;
    let content = html! {
        form.asked action=(action) method="get" role="search" {
            @if own.is_some() { input type="hidden" name="url" value=(url.as_str()); }
            label for="words" { (what.label()) }
            input #words type="search" name="words" required autocomplete="off" spellcheck="false";
            button type="submit" { "Search" }
        }
    };
    let title = file_name(url).or_else(|| Some(url.host()?.as_str().to_owned()));
    let title = format!("Search: {}", beginning(&title.unwrap_or_default()).text);
    Some(Frame::new(links, &title).of(url.as_str()).wrap(&content))
}

/// Returns the URL of a search for words.
///
/// # Errors
///
/// The URL is not a search, or the edition cannot write the words.
pub(in super::super) fn search_url(
    url: UriRef<'_>,
    words: &str,
    edition: &'static Edition,
) -> Result<String, String> {
    let built = if let Ok(gopher) = GopherUrl::of(url) {
        gopher.parts().search(words).build_with(edition)
    } else if let Ok(wais) = WaisUrl::of(url) {
        wais.parts().search(words).build_with(edition)
    } else if let Ok(whois) = WhoisUrl::of(url) {
        whois.parts().handle(words).build_with(edition)
    } else {
        return Err("the URL is not a search".into());
    };
    built.map(locator::UriBuf::into_string).map_err(|error| error.to_string())
}

/// What is searched.
#[derive(Clone, Copy)]
enum SearchTarget {
    Engine,
    Database,
    Directory,
}

impl SearchTarget {
    const fn label(self) -> &'static str {
        match self {
            Self::Engine | Self::Database => "Words to search for",
            Self::Directory => "Name, domain or address to look up",
        }
    }
}

/// Returns what a URL without words searches.
fn search_target(url: UriRef<'_>) -> Option<SearchTarget> {
    if let Ok(gopher) = GopherUrl::of(url) {
        // "If the URL refers to a search to be submitted to a gopher search engine, the search string is
        // required" (draft of 1994).
        let is_empty = gopher.search.is_none_or(|search| search.is_empty());
        return (gopher.item_type() == '7' && gopher.plus.is_none() && is_empty)
            .then_some(SearchTarget::Engine);
    }
    if let Ok(wais) = WaisUrl::of(url) {
        return match wais.object {
            WaisObject::Database => Some(SearchTarget::Database),
            WaisObject::Search(words) if words.is_empty() => Some(SearchTarget::Database),
            _ => None,
        };
    }
    WhoisUrl::of(url).is_ok_and(|whois| whois.handle.is_empty()).then_some(SearchTarget::Directory)
}

/// What a server asks for.
#[derive(Clone, Debug)]
pub(in super::super) struct Login<'a> {
    pub(in super::super) url: &'a str,
    pub(in super::super) prompt: &'a Prompt,
    /// The user, if the URL names one.
    pub(in super::super) user: Option<&'a str>,
    /// Whether the server has refused a login.
    pub(in super::super) was_wrong: bool,
    /// Proves that the form was sent by this page.
    pub(in super::super) token: &'a str,
}

/// Returns the form of a login.
pub(in super::super) fn login_page(links: &Links, login: &Login<'_>) -> Vec<u8> {
    let action = links.own("/login").unwrap_or_default();
    let named = match login.prompt {
        Prompt::Password { user } if !user.is_empty() => {
            Some(GuessingDecoder::default().decode(user).into_owned())
        }
        _ => None,
    };
    let user = named.as_deref().or(login.user).unwrap_or_default();
    let host = UriRef::parse(login.url).ok().and_then(|url| Some(url.host()?.as_str().to_owned()));
    let host = host.unwrap_or_default();
    let content = html! {
        @if login.was_wrong { p.verdict.bad role="alert" { "The server refused this login." } }
        p { (code(&host)) " asks for a login. It is kept in the memory of the gateway until that ends." }
        (warning(login.url))
        form.asked action=(action) method="post" {
            input type="hidden" name="url" value=(login.url);
            input type="hidden" name="token" value=(login.token);
            label for="user" { "User" }
            input #user type="text" name="user" value=(user) required autocomplete="username" spellcheck="false" autocapitalize="none";
            label for="password" { "Password" }
            input #password type="password" name="password" autocomplete="current-password";
            @if matches!(login.prompt, Prompt::Account) {
                label for="account" { "Account" }
                input #account type="password" name="account" autocomplete="off";
            }
            button type="submit" { "Log in" }
        }
    };
    Frame::new(links, "Login").of(login.url).wrap(&content)
}

/// Says that a password is sent unencrypted, where it may be.
fn warning(url: &str) -> Markup {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let is_open = matches!(&*scheme, "ftp" | "news" | "nntp" | "wais" | "prospero");
    html! { @if is_open { p.note { "Unless the server supports TLS, the password is sent unencrypted." } } }
}

/// Returns the question whether a link of another page is followed.
pub(in super::super) fn confirm_page(links: &Links, url: &str, token: &str) -> Vec<u8> {
    let action = links.own("/go").unwrap_or_default();
    let shown = links.redacted(url).to_string();
    let content = html! {
        p { "Another page leads here. Nothing was fetched yet. Open it only if you meant to." }
        form.asked action=(action) method="post" {
            input type="hidden" name="url" value=(url);
            input type="hidden" name="token" value=(token);
            button type="submit" { "Open " (code(beginning(&shown).text)) }
        }
        (Renderer::new().hosts(url))
        (Renderer::new().findings(url))
    };
    let title = "Open this link?";
    let content = html! { (content) p.note { (visible("Whoever made the page chose this URL.")) } };
    Frame::new(links, title).of(url).wrap(&content)
}

/// How many fields of a form are shown.
const MOST_FIELDS: usize = 200;
/// How many choices of a field are shown.
const MOST_CHOICES: usize = 500;

/// Returns the form that the attributes of an item describe. The name of an input begins with the letter of
/// its kind, by which [`ask_url`] reads the answer.
pub(in super::super) fn ask_form(links: &Links, url: UriRef<'_>, form: &[u8], token: &str) -> Vec<u8> {
    let action = links.own("/ask").unwrap_or_default();
    let items = attributes::items(form);
    let item = items.iter().find(|item| item.block("ASK").is_some());
    let mut guess = GuessingDecoder::default();
    let mut text = |octets: &[u8]| guess.decode(octets).into_owned();
    let title = item.and_then(|item| Some(text(item.info()?.name))).unwrap_or_else(|| "Form".into());
    let asks: Vec<_> = item.into_iter().flat_map(|item| item.asks().take(MOST_FIELDS)).collect();
    let fields: Vec<_> = asks.iter().map(|ask| FormField::new(ask, &mut text)).collect();
    let content = html! {
        @if fields.is_empty() {
            p.verdict.warn { "The server describes no form for this item." }
        } @else {
            form.asked action=(action) method="post" {
                input type="hidden" name="url" value=(url.as_str());
                input type="hidden" name="token" value=(token);
                @for (number, field) in fields.iter().enumerate() { (field.write(number)) }
                button type="submit" { "Send" }
            }
            p.note { "The answers are sent unencrypted, and all but passwords are part of the address." }
        }
        @if guess.was_windows { p.note { (WINDOWS) } }
    };
    Frame::new(links, beginning(&title).text).of(url.as_str()).wrap(&content)
}

/// A field of a form.
struct FormField {
    kind: FieldKind,
    prompt: String,
    choices: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldKind {
    Note,
    Ask,
    Password,
    Lines,
    /// A name for the file that the answer is saved to; nothing is sent.
    FileName,
    Select,
    Choose,
    /// The contents of a file of the user.
    File,
}

impl FieldKind {
    fn of(name: &[u8]) -> Self {
        const KINDS: [(&str, FieldKind); 7] = [
            ("Note", FieldKind::Note),
            ("AskP", FieldKind::Password),
            ("AskL", FieldKind::Lines),
            ("AskF", FieldKind::FileName),
            ("Select", FieldKind::Select),
            ("Choose", FieldKind::Choose),
            ("ChooseF", FieldKind::File),
        ];
        let known = KINDS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
        known.map_or(Self::Ask, |(_, kind)| *kind)
    }

    /// Returns the letter that names of its inputs begin with; `None` if nothing is sent.
    const fn letter(self) -> Option<&'static str> {
        Some(match self {
            Self::Note | Self::FileName => return None,
            Self::Ask | Self::Choose => "a",
            Self::Password => "p",
            Self::Lines | Self::File => "l",
            Self::Select => "s",
        })
    }
}

impl FormField {
    fn new(ask: &attributes::Ask<'_>, text: &mut impl FnMut(&[u8]) -> String) -> Self {
        let choices = ask.choices.iter().take(MOST_CHOICES).map(|choice| text(choice)).collect();
        Self { kind: FieldKind::of(ask.kind.trim_ascii()), prompt: text(ask.prompt), choices }
    }

    fn write(&self, number: usize) -> Markup {
        let Some(letter) = self.kind.letter() else { return self.note() };
        let id = format!("{letter}{number}");
        // What does not show itself would be sent unseen.
        let shows = |c: &char| *c == '\t' || shows_itself(*c);
        let usual: String =
            self.choices.first().into_iter().flat_map(|usual| usual.chars()).filter(shows).collect();
        let prompt = html! { (name(beginning(&self.prompt).text)) };
        match self.kind {
            FieldKind::Select => self.select(&id),
            FieldKind::Choose => html! {
                label for=(id) { (prompt) }
                select id=(id) name=(id) {
                    @for choice in &self.choices { option value=(choice) { (visible(beginning(choice).text)) } }
                }
            },
            FieldKind::Lines | FieldKind::File => html! {
                label for=(id) {
                    (prompt)
                    @if self.kind == FieldKind::File { " (paste the contents of the file)" }
                }
                textarea id=(id) name=(id) rows="6" { "\n" (usual) }
            },
            FieldKind::Password => html! {
                label for=(id) { (prompt) }
                input id=(id) name=(id) type="password" autocomplete="off";
            },
            _ => html! {
                label for=(id) { (prompt) }
                input id=(id) name=(id) type="text" value=(usual) autocomplete="off";
            },
        }
    }

    fn note(&self) -> Markup {
        html! {
            @if self.kind == FieldKind::Note { p { (visible(beginning(&self.prompt).text)) } }
            @else {
                p.note {
                    (visible(beginning(&self.prompt).text))
                    @if let Some(suggested) = self.choices.first() { " (suggested file name: " (visible(beginning(suggested).text)) ")" }
                }
            }
        }
    }

    /// "Select: Urgent<tab>0" is one answer, 1 or 0. Where a server lists options instead, each is one.
    fn select(&self, id: &str) -> Markup {
        let is_flag = matches!(&self.choices[..], [] | [_]);
        html! {
            @if is_flag {
                (checkbox(id, &self.prompt, self.choices.first().is_some_and(|usual| usual.trim() == "1")))
            } @else {
                fieldset {
                    legend { (name(beginning(&self.prompt).text)) }
                    @for (number, choice) in self.choices.iter().enumerate() {
                        (checkbox(&format!("{id}-{number}"), choice, false))
                    }
                }
            }
        }
    }
}

/// Writes a box. The hidden input is the answer if it is not checked.
fn checkbox(id: &str, label: &str, is_checked: bool) -> Markup {
    html! {
        p.checkbox {
            input type="hidden" name=(id) value="0";
            input id=(id) name=(id) type="checkbox" value="1" checked[is_checked];
            " " label for=(id) { (name(beginning(label).text)) }
        }
    }
}

/// Returns the URL of a form that is filled with these inputs, in the order of the form.
///
/// # Errors
///
/// The URL is not one of a form, or an answer cannot be sent.
pub(in super::super) fn ask_url(
    url: UriRef<'_>,
    inputs: &[(String, String)],
    edition: &'static Edition,
) -> Result<String, String> {
    let gopher = GopherUrl::of(url).map_err(|error| error.to_string())?;
    let answers = answers(inputs);
    if answers.is_empty() {
        return Err("the form has no answers".into());
    }
    if answers.iter().any(|answer| answer == ".") {
        return Err("an answer cannot be \".\": that line ends the form".into());
    }
    let kind = gopher.kind.map_or_else(|| "1".into(), |kind| kind.decode().into_owned());
    let selector = gopher.selector.decode().into_owned();
    let parts = GopherParts::new(gopher.login.parts()).kind(&kind[..]).selector(&selector[..]);
    let parts = answers.iter().fold(parts, |parts, answer| parts.value(answer.as_bytes()));
    parts.build_with(edition).map(locator::UriBuf::into_string).map_err(|error| error.to_string())
}

/// Returns the lines that are sent. The number of lines is before those of an answer that has several.
fn answers(inputs: &[(String, String)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, (name, value)) in inputs.iter().enumerate() {
        let is_hidden_box =
            name.starts_with('s') && inputs.get(number + 1).is_some_and(|next| next.0 == *name);
        let kind = name.bytes().next().filter(|_| name[1..].starts_with(|c: char| c.is_ascii_digit()));
        match kind {
            Some(b'l') => {
                let text: Vec<_> = value.lines().map(str::to_owned).collect();
                lines.push(text.len().to_string());
                lines.extend(text);
            }
            Some(b's') if is_hidden_box => {}
            Some(b'a' | b'p' | b's') => lines.push(value.replace(['\r', '\n'], " ")),
            _ => {}
        }
    }
    lines
}
