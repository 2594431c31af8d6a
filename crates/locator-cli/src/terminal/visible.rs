//! Makes the text of an input safe for a terminal.
//!
//! Only printable ASCII is sure to be visible, to take one column and to move nothing else. All
//! other characters are written by code, `<U+202E>`, as in the library's reports. A terminal in UTF-8
//! shows letters: there, only what is invisible, changes the direction or controls the terminal is
//! written by code.

use std::env;
use std::fmt::{self, Display, Formatter, Write};
use std::io::{IsTerminal, stderr, stdout};
use std::sync::OnceLock;

#[cfg(feature = "get")]
pub(crate) use locator_web::report::visible::looks_binary;
pub(crate) use locator_web::report::visible::{does_harm, legible, shows_itself};

/// A text that shows every character it has.
pub(crate) struct Visible<'a>(&'a str);

/// Makes every character of a text visible.
pub(crate) const fn visible(text: &str) -> Visible<'_> {
    Visible(text)
}

/// Returns whether standard output and standard error are a terminal in UTF-8 (POSIX, 8.2). In a file
/// or a pipe every character that is not ASCII has its code, whatever the locale is.
fn shows_letters() -> bool {
    static SHOWS: OnceLock<bool> = OnceLock::new();
    *SHOWS.get_or_init(|| {
        let set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set).and_then(env::var_os);
        let locale = locale.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_utf8 = locale.ends_with("utf-8") || locale.ends_with("utf8");
        is_utf8 && stdout().is_terminal() && stderr().is_terminal()
    })
}

/// Returns a text in which the library has written characters by code, with its letters where the
/// terminal shows them.
pub(crate) fn letters(text: String) -> String {
    if !shows_letters() || !text.contains("<U+") {
        return text;
    }
    decoded(&text)
}

/// Returns a text with the characters that `<U+00FC>` means, if they show themselves.
pub(crate) fn decoded(text: &str) -> String {
    let mut pieces = text.split("<U+");
    let mut out = String::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        let code = piece.split_once('>').and_then(|(code, rest)| {
            let number = u32::from_str_radix(code, 16).ok().filter(|_| (4..=6).contains(&code.len()))?;
            Some((char::from_u32(number)?, rest))
        });
        match code.filter(|(c, _)| !c.is_ascii() && shows_itself(*c)) {
            Some((c, rest)) => {
                out.push(c);
                out.push_str(rest);
            }
            None => {
                out.push_str("<U+");
                out.push_str(piece);
            }
        }
    }
    out
}

/// Whether octets may be shown as they are.
pub(crate) fn is_plain(octets: &[u8]) -> bool {
    octets.iter().all(|octet| matches!(octet, b' '..=b'~'))
}

impl Display for Visible<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_plain(self.0.as_bytes()) {
            return f.write_str(self.0);
        }
        if shows_letters() {
            return legible(self.0).fmt(f);
        }
        self.0.chars().try_for_each(|c| match c {
            ' '..='~' => f.write_char(c),
            _ => write!(f, "<U+{:04X}>", u32::from(c)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_characters_are_shown_as_they_are() {
        let text = "a ~\u{1B}[31m\u{202E}é\u{E0001}\u{FFFD}\n";
        assert_eq!(visible(text).to_string(), "a ~<U+001B>[31m<U+202E><U+00E9><U+E0001><U+FFFD><U+000A>");
    }

    #[test]
    fn codes_become_letters_if_they_show_themselves() {
        let text = "b<U+00FC>cher<U+202E><U+001B><U+0041><U+<U+7D0D>";
        assert_eq!(decoded(text), "b\u{FC}cher<U+202E><U+001B><U+0041><U+\u{7D0D}");
    }

    #[test]
    fn letters_are_legible_and_what_moves_them_is_not() {
        assert_eq!(legible("/é納1~\u{202E}\u{200B}\u{1B}").to_string(), "/é納1~<U+202E><U+200B><U+001B>");
        assert_eq!(
            legible("ㅤ\u{115F}\u{FFA0}❤\u{FE0F}\u{E0100}").to_string(),
            "<U+3164><U+115F><U+FFA0>❤<U+FE0F><U+E0100>"
        );
        assert_eq!(legible("\u{A0}\u{3000}\u{2003}").to_string(), "<U+00A0><U+3000><U+2003>");
    }

    #[test]
    fn no_character_is_shown_that_the_audit_finds() {
        let auditor = locator_audit::Auditor::new().only(&[
            "bidi-character",
            "control-character",
            "invisible-character",
        ]);
        let planes = (0..=0xFFFF).chain(0x1_B000..=0x1_DFFF).chain(0xE_0000..=0xE_0FFF);
        for c in planes.filter_map(char::from_u32) {
            let is_found = !auditor.audit(&format!("http://h.example/{c}")).is_empty();
            assert!(!is_found || !shows_itself(c), "U+{:04X}", u32::from(c));
        }
    }
}
