//! Writes URLs so that nobody opens them by mistake, as reports about malicious sites do:
//! `hxxp://evil[.]example/a`. Takes a URL and returns its defanged form; [`refang`](super::refang()) returns the
//! URL again.
//!
//! No standard describes this notation. The forms here are those that most published programs for indicators of
//! compromise write: "hxxp" for "http", and brackets around the dots of the host.

use alloc::borrow::Cow;
use alloc::string::String;

use super::refang::{Mark, Start, begins_label, is_defanged};
use crate::scheme;

/// Returns a URL, host, IP address or e-mail address in a form that no program opens; any other text, and
/// what is defanged already, as it is.
///
/// ```
/// use locator::text::{defang, refang};
///
/// assert_eq!(defang("https://evil.example/a.html"), "hxxps://evil[.]example/a.html");
/// assert_eq!(defang("sftp://evil.example/"), "sftp[:]//evil[.]example/");
/// assert_eq!(defang("192.0.2.1:8080"), "192[.]0[.]2[.]1:8080");
/// assert_eq!(defang("mailto:joe@evil.example"), "mailto:joe[@]evil[.]example");
/// assert_eq!(refang(&defang("http://a/?u=http://b/")), "http://a/?u=http://b/");
/// ```
///
/// [`refang`](super::refang()) gives the text again, except where its user or host has one of `(),;`. The URLs in a
/// text are defanged by [`Finder::replace_all`](super::Finder::replace_all).
#[must_use]
pub fn defang(text: &str) -> Cow<'_, str> {
    if is_defanged(text, true) {
        return Cow::Borrowed(text);
    }
    match UndefangedParts::read(text) {
        Some(parts) => Cow::Owned(parts.defanged()),
        None => Cow::Borrowed(text),
    }
}

/// A text before it is defanged.
struct UndefangedParts<'t> {
    /// The name of the scheme, which may be empty, and what is after it: `://`.
    scheme: (&'t str, &'t str),
    authority: &'t str,
    rest: &'t str,
}

impl<'t> UndefangedParts<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (name, after) = text.split_once(':').unwrap_or_default();
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet));
        // In a string of JSON slashes may be escaped: `http:\/\/evil.example\/`.
        let slashes = ["//", "\\/\\/"].into_iter().find(|slashes| after.starts_with(slashes));
        let is_mailbox = is_name && scheme::names_mailbox(&name.to_ascii_lowercase());
        let length = match slashes {
            // In a string of JSON, which `is_defanged` does not read.
            Some(_) if is_name && scheme::refanged(&name.to_ascii_lowercase()).is_some() => return None,
            Some(slashes) if is_name && !is_mailbox => slashes.len(),
            _ if is_mailbox => 0,
            _ => return Self::without_scheme(text),
        };
        let start = name.len() + 1 + length;
        let (scheme, divider) = (name, text.get(name.len()..start)?);
        let rest = text.get(start..)?;
        let end = rest.find(['/', '\\', '?', '#', '"', ' ']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        (!authority.is_empty()).then_some(Self { scheme: (scheme, divider), authority, rest })
    }

    /// Reads a host, with or without a path, an IP address or an e-mail address.
    fn without_scheme(text: &'t str) -> Option<Self> {
        let start = Start::read(text, false).filter(|start| start.is_plausible())?;
        let (authority, rest) = text.split_at_checked(start.end)?;
        let is_whole = matches!(rest, "" | ".") || rest.starts_with(['/', '?', '#', '\\']);
        let is_email = start.is_email();
        (is_whole && (rest.is_empty() || !is_email)).then_some(Self { scheme: ("", ""), authority, rest })
    }

    fn defanged(&self) -> String {
        let mut out = String::with_capacity(self.authority.len() + self.rest.len() + 32);
        let (name, divider) = self.scheme;
        let lower = name.to_ascii_lowercase();
        let is_mailbox = scheme::names_mailbox(&lower);
        // A name in capitals would be lost: "HTTP" has its mark after it.
        match scheme::defanged(name) {
            Some(written) => {
                out.push_str(written);
                out.push_str(divider);
            }
            // Of an unknown scheme, the marks of the host are all that can be undone.
            None if is_mailbox || divider.is_empty() || !is_known(&lower) => {
                out.push_str(name);
                out.push_str(divider);
            }
            None => {
                out.push_str(name);
                out.push_str("[:]");
                out.push_str(&divider[1..]);
            }
        }
        let (user, host) = match self.authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, self.authority),
        };
        if let Some(user) = user {
            out.push_str(user);
            out.push_str(if is_mailbox || name.is_empty() { "[@]" } else { "@" });
        }
        push_host(host, &mut out);
        push_rest(self.rest, &mut out);
        out
    }
}

fn is_known(name: &str) -> bool {
    scheme::lookup(name).is_some() || scheme::status(name).is_some()
}

/// Appends a host and a port, with brackets around each dot between two labels.
fn push_host(host: &str, out: &mut String) {
    for (at, character) in host.char_indices() {
        let after = &host[at + character.len_utf8()..];
        match character {
            '.' if at > 0 && begins_label(after) && !host.starts_with('[') => out.push_str("[.]"),
            _ => out.push(character),
        }
    }
}

/// Appends the path, query and fragment. A URL in them is defanged, too, and what would be read as a mark is written
/// so that it is not.
fn push_rest(rest: &str, out: &mut String) {
    for (at, character) in rest.char_indices() {
        let from = &rest[at..];
        match character {
            ':' if from.starts_with("://") => out.push_str("[:]"),
            '[' if Mark::tight(from).is_some() => out.push_str("([)"),
            '(' | '{' | '<' if Mark::tight(from).is_some() => {
                out.push('[');
                out.push(character);
                out.push(']');
            }
            _ => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Finder, Preset, refang};
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn forms() {
        for (text, expected) in [
            ("http://evil.example", "hxxp://evil[.]example"),
            ("https://a.evil.example:8443/b.c?d=e.f#g", "hxxps://a[.]evil[.]example:8443/b.c?d=e.f#g"),
            ("HTTP://evil.example/", "HTTP[:]//evil[.]example/"),
            ("ftp://joe:secret@evil.example/", "fxp://joe:secret@evil[.]example/"),
            ("telnet://localhost", "telnet[:]//localhost"),
            ("http://[2001:db8::1]/", "hxxp://[2001:db8::1]/"),
            ("http://192.0.2.1/", "hxxp://192[.]0[.]2[.]1/"),
            ("http:\\/\\/evil.example\\/a", "hxxp:\\/\\/evil[.]example\\/a"),
            ("http://evil.example./", "hxxp://evil[.]example./"),
            ("http://a/?u=https://b.example/", "hxxp://a/?u=https[:]//b.example/"),
            ("http://a/b(.)c", "hxxp://a/b[(].)c"),
            ("evil.example", "evil[.]example"),
            ("evil.example/a", "evil[.]example/a"),
            ("joe@evil.example", "joe[@]evil[.]example"),
            ("mailto:joe@evil.example?subject=a", "mailto:joe[@]evil[.]example?subject=a"),
            ("hxxp://evil[.]example", "hxxp://evil[.]example"),
            ("evil[.]example", "evil[.]example"),
            ("file:///etc/passwd", "file:///etc/passwd"),
            ("urn:isbn:1", "urn:isbn:1"),
            ("no URL", "no URL"),
            ("", ""),
        ] {
            assert_eq!(defang(text), expected);
            if text != expected && !text.contains('\\') && !is_defanged(text, true) {
                assert_eq!(refang(expected), text);
            }
            assert_eq!(defang(expected), expected, "{text}");
        }
    }

    #[test]
    fn refang_gives_the_text_again() {
        let schemes = ["http", "https", "ftp", "ftps", "HTTP", "Https", "sftp", "ws", "telnet", "gopher"];
        let authorities = [
            "h",
            "a.example",
            "a.b-c.example:80",
            "192.0.2.1",
            "[2001:db8::1]:8080",
            "joe:x.y@a.example",
            "a_b.c",
            "xn--bcher-kva.example",
            "bücher.example",
            "localhost:1",
        ];
        let rests = [
            "",
            "/",
            "/a.b/c.html",
            "?q=a@b.example",
            "#a:b",
            "/?u=https://b.example/c(d)",
            "/(dot)(at)[.]{@}<->",
            "/((.))[[dot]]([.])[://",
            "/a[:]//b[/]c(,)(?)",
            "/%5B.%5D",
        ];
        for scheme in schemes {
            for authority in authorities {
                for rest in rests {
                    let text = [scheme, "://", authority, rest].concat();
                    let defanged = defang(&text);
                    assert_ne!(defanged, text);
                    assert_eq!(refang(&defanged), text, "{defanged}");
                    assert_eq!(defang(&defanged), defanged);
                }
            }
        }
    }

    #[test]
    fn a_text_keeps_what_is_no_url() {
        let finder = Finder::new().preset(Preset::Relaxed).domains(|name| name.ends_with(".example"));
        let text = b"GET http://evil.example/a, \xFF joe@evil.example;\r\nmain.rs <ftp://a.example/>";
        let replaced = finder.replace_all(text, |found| match defang(found.as_str()) {
            Cow::Owned(url) => Some(url),
            Cow::Borrowed(_) => None,
        });
        let expected =
            b"GET hxxp://evil[.]example/a, \xFF joe[@]evil[.]example;\r\nmain.rs <fxp://a[.]example/>";
        assert_eq!(*replaced, expected[..]);
        let nothing: Vec<u8> = b"nothing here \xFE\n".to_vec();
        assert!(matches!(finder.replace_all(&nothing, |_| Some(String::new())), Cow::Borrowed(_)));
    }
}
