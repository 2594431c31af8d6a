//! Forms of Gopher+: takes the attributes of an item, returns its form as HTML; takes the answers, returns
//! the URL of the filled form, as RFC 1738, 3.4.9 writes it. Follows "Gopher+: upward compatible
//! enhancements to the Internet Gopher protocol", July 1993.

use locator::scheme::{GopherParts, GopherUrl, attributes};
use locator::{Edition, UriRef};
use locator_web::report::visible::shows_itself;
use maud::{Markup, html};

use super::decode::{Guess, WINDOWS};
use super::frame::Frame;
use super::links::Links;
use super::words::{beginning, name, visible};

/// How many fields of a form are shown.
const MOST: usize = 200;
/// How many choices of a field are shown.
const CHOICES: usize = 500;

/// Returns the form that the attributes of an item describe. The name of an input begins with the letter of
/// its kind, by which [`ask_url`] reads the answer.
pub(in super::super) fn ask_form(links: &Links, url: UriRef<'_>, form: &[u8], token: &str) -> Vec<u8> {
    let action = links.own("/ask").unwrap_or_default();
    let items = attributes::items(form);
    let item = items.iter().find(|item| item.block("ASK").is_some());
    let mut guess = Guess::default();
    let mut text = |octets: &[u8]| guess.decode(octets).into_owned();
    let title = item.and_then(|item| Some(text(item.info()?.name))).unwrap_or_else(|| "Form".into());
    let asks: Vec<_> = item.into_iter().flat_map(|item| item.asks().take(MOST)).collect();
    let fields: Vec<_> = asks.iter().map(|ask| Field::new(ask, &mut text)).collect();
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
    Frame::new(links, beginning(&title).0).of(url.as_str()).around(&content)
}

/// A field of a form.
struct Field {
    kind: Kind,
    prompt: String,
    choices: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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

impl Kind {
    fn of(name: &[u8]) -> Self {
        const KINDS: [(&str, Kind); 7] = [
            ("Note", Kind::Note),
            ("AskP", Kind::Password),
            ("AskL", Kind::Lines),
            ("AskF", Kind::FileName),
            ("Select", Kind::Select),
            ("Choose", Kind::Choose),
            ("ChooseF", Kind::File),
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

impl Field {
    fn new(ask: &attributes::Ask<'_>, text: &mut impl FnMut(&[u8]) -> String) -> Self {
        let choices = ask.choices.iter().take(CHOICES).map(|choice| text(choice)).collect();
        Self { kind: Kind::of(ask.kind.trim_ascii()), prompt: text(ask.prompt), choices }
    }

    fn write(&self, number: usize) -> Markup {
        let Some(letter) = self.kind.letter() else { return self.note() };
        let id = format!("{letter}{number}");
        // What does not show itself would be sent unseen.
        let shows = |c: &char| *c == '\t' || shows_itself(*c);
        let usual: String =
            self.choices.first().into_iter().flat_map(|usual| usual.chars()).filter(shows).collect();
        let prompt = html! { (name(beginning(&self.prompt).0)) };
        match self.kind {
            Kind::Select => self.select(&id),
            Kind::Choose => html! {
                label for=(id) { (prompt) }
                select id=(id) name=(id) {
                    @for choice in &self.choices { option value=(choice) { (visible(beginning(choice).0)) } }
                }
            },
            Kind::Lines | Kind::File => html! {
                label for=(id) {
                    (prompt)
                    @if self.kind == Kind::File { " (paste the contents of the file)" }
                }
                textarea id=(id) name=(id) rows="6" { "\n" (usual) }
            },
            Kind::Password => html! {
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
            @if self.kind == Kind::Note { p { (visible(beginning(&self.prompt).0)) } }
            @else {
                p.note {
                    (visible(beginning(&self.prompt).0))
                    @if let Some(suggested) = self.choices.first() { " (suggested file name: " (visible(beginning(suggested).0)) ")" }
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
                    legend { (name(beginning(&self.prompt).0)) }
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
            " " label for=(id) { (name(beginning(label).0)) }
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
