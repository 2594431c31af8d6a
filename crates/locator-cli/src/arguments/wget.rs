//! Letters that are another option in wget than in curl, whose meaning they have in `get`: takes a letter with what
//! follows it, and returns what to type instead if the line makes sense for wget only. Without that the line would
//! do something else, often silently: `-E -k URL` would read a certificate from the file "-k".
//!
//! Options of wget that have another name in `get` are in the table of the [hints](super::hints).

use std::path::Path;

use crate::pasted;

/// A letter of a line, and what is known of the line when it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineLetter<'t> {
    pub(super) letter: char,
    /// What follows it in the same argument, else the next argument.
    pub(super) value: Option<&'t str>,
    /// Whether that is the next argument.
    pub(super) is_apart: bool,
    /// The argument after the value.
    pub(super) after: Option<&'t str>,
    /// Whether a URL is before it.
    pub(super) has_url: bool,
    /// Whether the line has `-r`.
    pub(super) recurses: bool,
}

impl LineLetter<'_> {
    /// Returns what is wrong with the letter, and what to type.
    pub(super) fn mistake(&self) -> Option<String> {
        self.of_wget().or_else(|| self.swallows_url())
    }

    /// Returns what to type if the value is one for the option of wget, and none for that of curl.
    fn of_wget(&self) -> Option<String> {
        let value = self.value?;
        let is_url = has_scheme(value);
        let is_option = value.len() > 1 && value.starts_with('-');
        // "-cq" is two letters of wget.
        let is_letters =
            !self.is_apart && value.len() < 3 && value.bytes().all(|octet| octet.is_ascii_alphabetic());
        let is_number = value.parse::<f64>().is_ok();
        // A name between the letter and a URL, or after the URL.
        let is_name = self.is_apart
            && !value.starts_with('-')
            && !is_url
            && self.after.map_or(self.has_url, has_scheme);
        Some(match self.letter {
            'A' if value.starts_with(['*', '.']) || self.recurses && !value.contains(['/', ' ']) => format!(
                "-A TEXT is --user-agent, as in curl; to save only these files as wget does, use --accept '{value}'"
            ),
            'D' if self.recurses => {
                "-D FILE writes headers to FILE, as in curl; -r stays on the host of the URL, so leave wget's -D out".into()
            }
            'E' if is_url || is_option => {
                "-E FILE is --cert, as in curl; saved files have the names of the server, so leave wget's -E out".into()
            }
            'H' if is_option => {
                "-H HEADER adds a header, as in curl; -r stays on the host of the URL, so leave wget's -H out".into()
            }
            'K' if is_url || is_option => {
                "-K FILE reads options from FILE, as in curl; saved pages are not changed, so leave wget's -K out".into()
            }
            'O' if value == "-" && self.is_apart && (self.has_url || self.after.is_some_and(has_scheme)) => {
                "-O takes no FILE, as in curl; to print to standard output, which is the default, leave -O - out".into()
            }
            'O' if is_name && !value.contains(':') => {
                format!("-O takes no FILE, as in curl; to save to \"{value}\", use -o {}", pasted::shell_word(value))
            }
            'R' if value.starts_with(['*', '.']) || is_name && self.recurses => format!(
                "-R is --remote-time, as in curl; to leave files out as wget does, use --reject '{value}'"
            ),
            'T' if is_number && !Path::new(value).exists() => {
                format!("-T FILE uploads FILE, as in curl; to limit the time as wget does, use --timeout {value}")
            }
            'U' if value.contains(' ') || value.starts_with("Mozilla/") => {
                "-U USER:PASSWORD is the login at the proxy, as in curl; the user agent is -A TEXT".into()
            }
            'Y' if matches!(value, "on" | "off") => {
                "-Y SIZE is --speed-limit, as in curl; to use no proxy, use --noproxy '*'".into()
            }
            'a' if is_name && !value.contains(':') => format!(
                "-a is --append, for uploads, as in curl; to append messages to \"{value}\", use the shell: 2>> {}",
                pasted::shell_word(value)
            ),
            'b' if is_option => {
                "-b COOKIES sends cookies, as in curl; to fetch in the background, use the shell: locator get … &".into()
            }
            'c' if is_url || is_option || is_letters => {
                "-c FILE writes cookies to FILE, as in curl; to resume a download as wget does, use -C - -O".into()
            }
            'i' if is_name && Path::new(value).is_file() || self.names_list(value) => format!(
                "-i prints the response headers, as in curl; to fetch the URLs in \"{value}\", use --file {}",
                pasted::shell_word(value)
            ),
            'l' if matches!(value, "0" | "inf") => {
                "-l DEPTH counts from 1; the default is 100, so leave -l out to fetch all directories".into()
            }
            'm' if is_url || is_option || is_letters => {
                "-m SECONDS limits the time, as in curl; to mirror a directory as wget does, use -r --newer".into()
            }
            'w' if is_number => {
                "-w TEXT prints TEXT after each transfer, as in curl; URLs are fetched one after the other, so leave \
                 wget's -w out, or limit the speed by --limit-rate"
                    .into()
            }
            _ => return None,
        })
    }

    /// Returns whether a value is the only argument that could be a URL, and the name of a file.
    fn names_list(&self, value: &str) -> bool {
        self.is_apart
            && self.after.is_none()
            && !self.has_url
            && !has_scheme(value)
            && Path::new(value).is_file()
    }

    /// Returns what is wrong with an option whose value is the only URL: in another program the letter has no value.
    fn swallows_url(&self) -> Option<String> {
        let is_only_url = !self.has_url && self.is_apart && self.after.is_none();
        let takes_none = "AbdDEFHKoTuUwXz".contains(self.letter) && is_only_url;
        let value = self.value.filter(|value| takes_none && value.contains("://") && has_scheme(value))?;
        let letter = self.letter;
        let url = pasted::shell_word(value);
        Some(format!(
            "-{letter} takes a value, as in curl, and the URL was taken for it; to fetch the URL, leave -{letter} out: \
             locator get {url}"
        ))
    }
}

fn has_scheme(text: &str) -> bool {
    pasted::has_scheme(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_wget() {
        let apart =
            |letter, value, after| LineLetter { letter, value, after, is_apart: true, ..Default::default() };
        let (url, none) = (Some("http://h/"), None);
        for (line, expected) in [
            (apart('c', url, none), Some("-C - -O")),
            (apart('c', Some("-O"), Some("f")), Some("-C - -O")),
            (LineLetter { letter: 'c', value: Some("q"), after: url, ..Default::default() }, Some("-C - -O")),
            (apart('c', Some("jar"), url), None),
            (apart('c', Some("-"), url), None),
            (apart('m', Some("-np"), url), Some("-r --newer")),
            (apart('m', Some("5"), url), None),
            (apart('E', Some("-k"), url), Some("--cert")),
            (apart('E', Some("c.pem"), url), None),
            (apart('O', Some("out/a.txt"), url), Some("-o out/a.txt")),
            (LineLetter { has_url: true, ..apart('O', Some("a.txt"), none) }, Some("-o a.txt")),
            (apart('O', url, none), None),
            (apart('O', Some("-"), url), Some("leave -O - out")),
            (apart('O', Some("-"), none), None),
            (LineLetter { letter: 'O', value: Some("J"), after: url, ..Default::default() }, None),
            (apart('T', Some("5"), url), Some("--timeout 5")),
            (apart('U', Some("Mozilla/5.0 (X11; rv:1)"), url), Some("-A TEXT")),
            (apart('U', Some("joe:secret"), url), None),
            (apart('w', Some("2"), url), Some("--limit-rate")),
            (apart('w', Some("%{http_code}"), url), None),
            (LineLetter { recurses: true, ..apart('A', Some("jpg,png"), url) }, Some("--accept 'jpg,png'")),
            (apart('A', Some("me"), url), None),
            (LineLetter { recurses: true, ..apart('R', Some("html"), url) }, Some("--reject 'html'")),
            (apart('R', url, none), None),
            (apart('l', Some("inf"), url), Some("leave -l out")),
            (apart('d', url, none), Some("leave -d out: locator get http://h/")),
            (apart('d', url, Some("http://i/")), None),
            (apart('x', url, none), None),
        ] {
            let mistake = line.mistake();
            match expected {
                None => assert_eq!(mistake, None, "{line:?}"),
                Some(part) => {
                    assert!(mistake.as_ref().is_some_and(|why| why.contains(part)), "{line:?}: {mistake:?}");
                }
            }
        }
    }
}
