//! Reads a string of a data format as a whole: a cell of a table, a string of JSON. Takes its text
//! and returns whether it is a URL, a template, or text that may contain URLs.
//!
//! A string that begins with a scheme and "//" is a URL to its end, valid or not: in running text an
//! invalid one would be cut at the first character that is not allowed.

use super::expression::{conversion_at, expression, is_guid, named};
use super::finder::{Finder, Preset};
use super::matched::{self, MatchKind};
use super::name::{LONGEST_NAME, NAME};
use super::refang;
use super::window::Window;
use crate::scheme;

/// The result of [`Finder::whole`](super::Finder::whole): what a string of a data format is.
///
/// ```
/// use locator::text::{Finder, MatchKind, Whole};
///
/// let finder = Finder::default();
/// assert_eq!(
///     finder.whole("http://example.com/"),
///     Whole::Match(MatchKind::Quoted)
/// );
/// assert_eq!(finder.whole("http://example.com/{id}"), Whole::NoMatch);
/// assert_eq!(finder.whole("main"), Whole::Text);
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whole {
    /// A URL, valid or not, or a template.
    Match(MatchKind),
    /// A URL or a template that the finder does not look for.
    NoMatch,
    /// Text, which may contain URLs.
    Text,
}

impl Finder {
    /// Returns whether a whole string, such as a cell of CSV or a string of JSON, is a URL or text.
    ///
    /// A string that begins with a scheme and "//" is a URL to its end, valid or not. So is a valid
    /// URL of a known scheme. An invalid URL with expressions is a template: `{id}`, `<id>`, `[id]`,
    /// `%s`, or the syntax of regular expressions. Several lines, several URLs, and a sentence after
    /// a URL are text. White space around the string is ignored.
    ///
    /// ```
    /// use locator::text::{Finder, MatchKind, Whole};
    ///
    /// let finder = Finder::default().patterns(true);
    /// assert_eq!(
    ///     finder.whole("http://example.com/a b"),
    ///     Whole::Match(MatchKind::Quoted)
    /// );
    /// assert_eq!(
    ///     finder.whole("http://example.com/<id>"),
    ///     Whole::Match(MatchKind::Template)
    /// );
    /// assert_eq!(finder.whole("http://example.com/ (see there)"), Whole::Text);
    /// ```
    #[must_use]
    pub fn whole(&self, string: &str) -> Whole {
        let string = string.trim();
        let Some((name, rest)) = string.split_once(':') else { return Whole::Text };
        let is_name = name.len() <= LONGEST_NAME
            && name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|octet| NAME.contains(octet));
        if !is_name {
            return Whole::Text;
        }
        match rest.strip_prefix("//") {
            None if self.is_by_rule(name, string) => Whole::Match(MatchKind::Quoted),
            None if self.is_opaque_to_its_end(name, string) => self.invalid(string, ""),
            // "http://" is a part of a URL, and "C://" is a drive.
            None | Some("") => Whole::Text,
            Some(_) if name.len() < 2 && !self.allows(name.as_bytes()) => Whole::Text,
            Some(rest) => self.with_slashes(name, string, rest),
        }
    }

    /// Whether an opaque URL has a known scheme and follows its rule.
    fn is_by_rule(&self, name: &str, url: &str) -> bool {
        (scheme::lookup(name).is_some() || self.allows(name.as_bytes()))
            && matched::read(url, self.edition).is_ok_and(|reference| scheme::form_error(reference).is_none())
    }

    fn with_slashes(&self, name: &str, url: &str, rest: &str) -> Whole {
        let is_valid = matched::read(url, self.edition).is_ok();
        if !is_valid && is_package(name, rest) {
            return Whole::NoMatch;
        }
        let is_variable = rest.strip_prefix('$').is_some_and(|rest| rest.starts_with(is_letter));
        if is_list(rest) || !is_valid && is_prose(rest) {
            return Whole::Text;
        }
        match is_valid {
            true if !is_variable => Whole::Match(MatchKind::Quoted),
            true => self.template(),
            false => self.invalid(url, rest),
        }
    }

    fn invalid(&self, url: &str, after_slashes: &str) -> Whole {
        match self.preset {
            _ if refang::is_defanged(url, self.refang) => {
                Whole::Match(if self.refang { MatchKind::Refanged } else { MatchKind::Defanged })
            }
            _ if is_template(url) || is_expression(after_slashes) => self.template(),
            Preset::Strict => Whole::NoMatch,
            _ => Whole::Match(MatchKind::Quoted),
        }
    }

    const fn template(&self) -> Whole {
        if self.patterns { Whole::Match(MatchKind::Template) } else { Whole::NoMatch }
    }

    /// Whether an invalid string without "//" is a URL to its end: data after a media type, or the
    /// URL of a known scheme whose query has white space, as in "mailto:joe@h.example?subject=a b".
    fn is_opaque_to_its_end(&self, name: &str, string: &str) -> bool {
        let rest = &string[name.len() + 1..];
        if scheme::contains_document(name) {
            let media_type = rest.split_once(',').map(|(media_type, _)| media_type);
            let word = media_type.map(|text| text.split(char::is_whitespace).next().unwrap_or(text));
            return media_type == Some("") || word.is_some_and(|word| word.contains(['/', ';']));
        }
        let url = string.split(char::is_whitespace).next().unwrap_or(string);
        url.contains('?') && url.len() < string.len() && self.is_by_rule(name, url) && !is_prose(rest)
    }
}

/// Whether a string names a package, as Cargo does: "path+file:///a#b lib". Words after the fragment
/// of a URL are no part of it, and the URL is not for a reader.
fn is_package(name: &str, rest: &str) -> bool {
    name.contains('+')
        && scheme::status(name).is_none()
        && scheme::lookup(name).is_none()
        && rest.split_once(char::is_whitespace).is_some_and(|(url, _)| url.contains('#'))
}

fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic()
}

/// Whether another URL follows, after white space or a separator: "http://a/, http://b/".
fn is_list(rest: &str) -> bool {
    rest.match_indices("://").any(|(colon, _)| {
        let before = rest[..colon].trim_end_matches(|c: char| c.is_ascii() && NAME.contains(c as u8));
        before.len() < colon
            && before.ends_with(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '<' | '>' | '"'))
    })
}

/// Whether text follows a URL: another line, a remark, or a sentence of at least three words. A path
/// or a query with spaces is not text: it has "/", "=" or the like, the extension of a file, or only
/// words with capital letters.
fn is_prose(rest: &str) -> bool {
    if rest.contains(['\n', '\r']) {
        return true;
    }
    let Some((url, text)) = rest.split_once(char::is_whitespace) else { return false };
    let text = text.trim_start();
    let is_remark = text.starts_with(['(', '[', '-', '\u{2013}', '\u{2014}', '\u{2192}', '|', '"', '\''])
        || text.starts_with("=>")
        || url.ends_with([',', ';', ':', '.', '!', ')', '"', '\'']);
    let is_word = |word: &str| {
        let word = word.trim_matches(['.', ',', ';', ':', '!', '?', '(', ')', '"', '\'']);
        word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '\u{2019}'))
    };
    let is_sentence = || {
        !url.contains(['?', '%'])
            && text.split_whitespace().count() > 2
            && text.split_whitespace().all(is_word)
            && !text.split_whitespace().all(|word| word.starts_with(char::is_uppercase))
    };
    !url.is_empty() && !url.starts_with([':', '/', '?', '#']) && (is_remark || is_sentence())
}

/// Whether a URL has an expression that is closed: `{id}`, `<id>`, `[id]`, `%s`.
fn is_template(url: &str) -> bool {
    // A closing tag is not the name of a variable: it is markup in a URL that is not valid.
    if url.contains("</") {
        return false;
    }
    let octets = url.as_bytes();
    let window = Window::new(octets, true);
    // The window ends with the text, so no octet is unknown.
    (0..octets.len()).any(|at| match octets[at] {
        b'{' => {
            expression(window, at).is_ok_and(|length| length.is_some())
                && !is_guid(window, at).unwrap_or(false)
        }
        // "?a[b]=1" has the name of a parameter, and "?a=[b]" a value.
        b'[' if octets[..at].contains(&b'?') && !octets[..at].ends_with(b"=") => false,
        b'<' | b'[' => named(window, at).is_ok_and(|length| length.is_some()),
        b'%' => conversion_at(window, at).is_ok_and(|length| length.is_some()),
        _ => false,
    })
}

/// Whether the text after "//" is a regular expression: it has an escape as in `\.` and `\S+`, or a
/// repeated group or class.
fn is_expression(rest: &str) -> bool {
    let is_escape = |two: &[u8]| two[0] == b'\\' && b".+?*()[]{}^$|-".contains(&two[1]);
    let is_class = |three: &[u8]| {
        three[0] == b'\\' && b"dDwWsS".contains(&three[1]) && !three[2].is_ascii_alphanumeric()
    };
    let is_repeated =
        |two: &[u8]| matches!(two[0], b')' | b']') && matches!(two[1], b'*' | b'+' | b'?' | b'{');
    let octets = rest.as_bytes();
    let tail = &octets[octets.len().saturating_sub(2)..];
    octets.windows(2).any(|two| is_escape(two) || is_repeated(two))
        || octets.windows(3).any(is_class)
        || matches!(tail, [b'\\', letter] if b"dDwWsS".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_a_url_a_template_or_text() {
        const URL: Whole = Whole::Match(MatchKind::Quoted);
        const TEMPLATE: Whole = Whole::Match(MatchKind::Template);
        let finder = Finder::default().patterns(true);
        for (string, whole) in [
            ("http://h.example/", URL),
            (" http://h.example/ ", URL),
            ("http://h.example/a b", URL),
            ("http://h.example/my annual report 2020.pdf", URL),
            ("http://h.example/?q=one two three four", URL),
            ("http://h ex.example/", URL),
            ("http://h.example/a|b", URL),
            ("http://h.example/{a", URL),
            ("http://h.example/a}b", URL),
            ("http://h.example/%zz", URL),
            ("http://[::1/", URL),
            ("http:///x", URL),
            ("http://-a/", URL),
            ("http://h.example/?a={3F2504E0-4F89-11D3-9A0C-0305E82C3301}", URL),
            ("http://h.example/<b>x</b>", URL),
            ("http://h.example/{id}", TEMPLATE),
            ("http://h.example/{{ page.url }}/c", TEMPLATE),
            ("http://h.example/<id>", TEMPLATE),
            ("http://<host>:<port>/", TEMPLATE),
            ("http://h.example/[id]/x", TEMPLATE),
            ("http://[host]/", TEMPLATE),
            ("http://h.example/?a[b]=1&c[]=2", URL),
            ("http://h.example/?a=[b]", TEMPLATE),
            ("http://h.example/100%b/x", TEMPLATE),
            ("http://h.example/%s", TEMPLATE),
            ("http://$HOST/", TEMPLATE),
            ("http://%HOST%/a", TEMPLATE),
            (r"https://\S+", TEMPLATE),
            (r"https://h\.example/", TEMPLATE),
            ("s3://([^/]+)(/.*)?", TEMPLATE),
            ("http://h.example/ is the address of it", Whole::Text),
            ("http://h.example/ (archived)", Whole::Text),
            ("http://h.example/ - a page", Whole::Text),
            ("http://a.example/ http://b.example/", Whole::Text),
            ("http://a.example/,http://b.example/", Whole::Text),
            ("http://a.example/\nhttp://b.example/", Whole::Text),
            ("http://h.example/My New Annual Report", URL),
            ("x-foo://bar baz", URL),
            ("git+x://h.example/a b", URL),
            ("data:text/plain,hello world", URL),
            ("data:,a b", URL),
            ("data:text/plain; charset=utf-8,a b", URL),
            ("mailto:joe@h.example?subject=hello world", URL),
            ("mailto:joe@h.example, or write", Whole::Text),
            ("data: see a/b, or c", Whole::Text),
            ("x-foo://bar is a very good page", Whole::Text),
            ("path+file:///a#b lib", Whole::NoMatch),
            ("http://", Whole::Text),
            ("C://a", Whole::Text),
            ("a://b c", Whole::Text),
            ("see http://h.example/", Whole::Text),
            ("mailto:joe@h.example", URL),
            ("news:comp.lang.c", URL),
            ("tag:x", Whole::Text),
            ("urn:x", Whole::Text),
            ("", Whole::Text),
        ] {
            assert_eq!(finder.whole(string), whole, "{string}");
        }
        assert_eq!(Finder::default().whole("http://h.example/{id}"), Whole::NoMatch);
        assert_eq!(Finder::new().preset(Preset::Strict).whole("http://h.example/a b"), Whole::NoMatch);
    }
}
