//! Finds defanged URLs, whose notation is in `refang`. Takes a candidate of a search and returns where the
//! defanged URL begins and ends, so that it is never cut at a mark, which leaves another host.

use super::end::{Run, Tail, trim_trailing};
use super::finder::{LIMIT, LOOKBEHIND, Preset};
use super::matched::{MatchKind, UrlPosition};
use super::name::{NAME, Outcome, SearchPosition};
use super::refang::{
    LONGEST, LONGEST_NAME, Mark, Start, begins_label, half, half_closed, is_defanged, opens, prefix, scheme,
};
use super::window::{Incomplete, NOTHING};

impl SearchPosition<'_, '_> {
    /// Whether the octets at the end of a host may be a mark.
    #[inline(always)]
    pub(super) fn may_be_marked(&self, end: usize) -> Result<bool, Incomplete> {
        Ok(match self.window.octet(end)? {
            b'[' | b'(' | b'{' => true,
            b'<' => matches!(self.window.octet(end + 1)?, b'.' | b'd' | b'D' | b'<'),
            b']' | b')' | b'}' => self.window.before(end) == b'.',
            b'\\' => self.finder.refang && self.window.octet(end + 1)? == b'.',
            b' ' | b'\t' => {
                matches!(self.window.octet(end + 1)?, b'[' | b'(' | b'{' | b'<' | b'.' | b'd' | b'D')
            }
            _ => false,
        })
    }

    /// Finds the defanged URL that begins at `start`, whose name and divider may be marked, too.
    #[cold]
    pub(super) fn defanged(
        &self,
        start: usize,
        url: &mut UrlPosition,
    ) -> Result<Option<Outcome>, Incomplete> {
        let octets = self.window.excerpt(start, LONGEST)?;
        let Some(read) = Start::read(prefix(octets), self.finder.refang).filter(Start::is_defanged) else {
            return Ok(None);
        };
        // Without a scheme it is a guess.
        if !read.has_scheme && !self.finder.refang && self.finder.preset != Preset::Relaxed {
            return Ok(Some(Outcome::None(start + read.end)));
        }
        let least = start + read.end;
        let end = if read.is_email() && !read.has_scheme { least } else { self.defanged_end(start, least)? };
        let end = trim_trailing(self.window.text, least, end, self.emphasis(start));
        if end - start > LIMIT {
            return Ok(Some(Outcome::TooLong(start)));
        }
        let how = if self.finder.refang { MatchKind::Refanged } else { MatchKind::Defanged };
        url.set((start, end), (start, end), how);
        Ok(Some(if self.finder.preset == Preset::Strict && !self.finder.refang {
            Outcome::None(end)
        } else {
            Outcome::Found
        }))
    }

    /// Returns the sign of emphasis or the apostrophe before a URL.
    fn emphasis(&self, start: usize) -> u8 {
        Some(self.around(start)).filter(|around| !matches!(around, b'<' | b'"')).unwrap_or(NOTHING)
    }

    /// Returns the end of a defanged URL, whose path may have marks.
    fn defanged_end(&self, start: usize, least: usize) -> Result<usize, Incomplete> {
        let mut at = least;
        loop {
            let octets = self.window.excerpt(at, 16)?;
            let valid = prefix(octets);
            if let Some(mark) = Mark::tight(valid) {
                // A mark for a dot at the end is the sentence's.
                if mark.means != "." || begins_label(&valid[mark.length..]) {
                    at += mark.length;
                    continue;
                }
                return Ok(at);
            }
            let is_first = at == least;
            if is_first && !matches!(octets.first(), Some(b'/' | b'?' | b'#')) {
                return Ok(at);
            }
            let end = match Tail::new(self.window, start, at).run(at, self.emphasis(start))? {
                Run::To(end) => end,
                Run::Pattern(end) => end - 1,
                Run::TooLong => return Ok(start + LIMIT + 1),
            };
            if end == at {
                return Ok(at);
            }
            at = end;
        }
    }

    /// Finds the defanged URL whose octets end at a bracket, which may be a mark in its path.
    #[cold]
    pub(super) fn defanged_path(
        &self,
        start: usize,
        end: usize,
        url: &mut UrlPosition,
    ) -> Result<Option<Outcome>, Incomplete> {
        let octets = self.window.excerpt(end, 16)?;
        if Mark::tight(prefix(octets)).is_none() {
            return Ok(None);
        }
        if let Some(found) = self.defanged(start, url)? {
            return Ok(Some(found));
        }
        // A mark in the path alone does not show that the host is safe to rewrite; it stays as written.
        let after = self.defanged_end(start, end)?;
        if after == end || after - start > LIMIT {
            return Ok(None);
        }
        let after = trim_trailing(self.window.text, end, after, self.emphasis(start));
        url.set((start, after), (start, after), MatchKind::Defanged);
        Ok(Some(Outcome::Found))
    }

    /// Marks a URL that was found in a wrapper or a string as refanged, if it is defanged.
    #[inline(always)]
    pub(super) fn refang(&self, url: &mut UrlPosition) {
        if self.finder.refang && !matches!(url.how, MatchKind::Refanged | MatchKind::Template) {
            self.refang_found(url);
        }
    }

    #[cold]
    fn refang_found(&self, url: &mut UrlPosition) {
        let hit = self.hit(url);
        if is_defanged(&hit.url(), true) {
            url.how = MatchKind::Refanged;
        }
    }

    /// Finds the URL whose scheme is before a ":" in brackets, or in a name with other octets than a
    /// scheme has: `http[:]//`, `h**p://`, `h[tt]p://`.
    #[cold]
    pub(super) fn defanged_before(
        &self,
        colon: usize,
        url: &mut UrlPosition,
    ) -> Result<Option<Outcome>, Incomplete> {
        let text = self.window.text;
        let inside = |octet: &u8| NAME.contains(*octet) || b"[](){}<*#_ ".contains(octet);
        let least = self.floor.max(colon.saturating_sub(LONGEST_NAME));
        let mut start = colon - text[least..colon].iter().rev().take_while(|octet| inside(octet)).count();
        // The first start from which a scheme can be read up to the colon.
        while start + 1 < colon {
            let octets = self.window.excerpt(start, LONGEST_NAME + 16)?;
            let valid = prefix(octets);
            let is_start = !self.window.before(start).is_ascii_alphanumeric();
            if is_start
                && scheme(valid).is_some_and(|scheme| scheme.is_defanged && start + scheme.end > colon)
            {
                return self.defanged(start, url);
            }
            start += 1;
        }
        Ok(None)
    }

    /// Whether a name begins after a mark, so that it is a part of a defanged host or address.
    #[cold]
    pub(super) fn is_after_mark(&self, start: usize) -> bool {
        let text = self.window.text;
        let end = start - text[..start].iter().rev().take(2).take_while(|octet| **octet == b' ').count();
        if !matches!(self.window.before(end), b']' | b')' | b'}' | b'>') {
            return false;
        }
        let least = end.saturating_sub(12);
        (least..end).rev().any(|open| {
            opens(text[open])
                && Mark::tight(prefix(&text[open..end])).is_some_and(|mark| open + mark.length == end)
        })
    }

    /// Finds the defanged host or address without a scheme whose first mark begins at this offset.
    #[cold]
    pub(super) fn defanged_guess(
        &self,
        mark: usize,
        url: &mut UrlPosition,
    ) -> Result<Option<Outcome>, Incomplete> {
        let text = self.window.text;
        // "http__evil.example"
        if text[mark] == b'_' {
            return match self.window.octet(mark + 1)? {
                b'_' => self.defanged_before(mark + 1, url),
                _ => Ok(None),
            };
        }
        let mark = if text[mark] == b']' { mark.saturating_sub(1) } else { mark };
        let rest = prefix(self.window.excerpt(mark, 16)?);
        let is_mark = Mark::tight(rest).is_some_and(|mark| matches!(mark.means, "." | "@"))
            || half(rest, false).is_some()
            || half_closed(rest, false).is_some()
            || self.finder.refang && rest.starts_with("\\.");
        if !is_mark {
            return Ok(None);
        }
        let end =
            mark - text[self.floor..mark].iter().rev().take(2).take_while(|octet| **octet == b' ').count();
        let inside =
            |octet: &u8| octet.is_ascii_alphanumeric() || *octet >= 0x80 || b"-_.@+%".contains(octet);
        let least = self.floor.max(end.saturating_sub(LOOKBEHIND / 2));
        let length = text[least..end].iter().rev().take_while(|octet| inside(octet)).count();
        let mut start = end - length;
        // Not in the middle of a character, and not with the punctuation before a word.
        while start < end && (text[start] & 0xC0 == 0x80 || b"-.@+%".contains(&text[start])) {
            start += 1;
        }
        if start == end || matches!(self.window.before(start), b'/' | b':' | b'\\') {
            return Ok(None);
        }
        self.defanged(start, url)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::super::Finder;
    use super::*;

    fn found(finder: &Finder, text: &str) -> Vec<String> {
        finder.find_iter(text.as_bytes()).map(|hit| hit.url().into_owned()).collect()
    }

    /// The text, what is found in it, and what it means.
    const WITH_SCHEME: &[(&str, &str, &str)] = &[
        ("a hxxp://evil[.]com/x b", "hxxp://evil[.]com/x", "http://evil.com/x"),
        ("hxxp://evil.com/x", "hxxp://evil.com/x", "http://evil.com/x"),
        ("(http://evil[.]com/x)", "http://evil[.]com/x", "http://evil.com/x"),
        ("http[:]//h.example/p, b", "http[:]//h.example/p", "http://h.example/p"),
        ("http[:]//h[.]example.", "http[:]//h[.]example", "http://h.example"),
        ("http(:)//h[.]example", "http(:)//h[.]example", "http://h.example"),
        ("hxxps[://]evil(.)com/z", "hxxps[://]evil(.)com/z", "https://evil.com/z"),
        ("http:[//]evil.com/z", "http:[//]evil.com/z", "http://evil.com/z"),
        ("http:[/][/]evil[.]com", "http:[/][/]evil[.]com", "http://evil.com"),
        ("http://evil{.}com/x", "http://evil{.}com/x", "http://evil.com/x"),
        ("http://evil<.>com/x", "http://evil<.>com/x", "http://evil.com/x"),
        ("http://evil[[.]]com/x", "http://evil[[.]]com/x", "http://evil.com/x"),
        ("http://evil[dot]com/x", "http://evil[dot]com/x", "http://evil.com/x"),
        ("http://evil(dot)com/x", "http://evil(dot)com/x", "http://evil.com/x"),
        ("http://evil{DOT}com/x", "http://evil{DOT}com/x", "http://evil.com/x"),
        ("http://evil [.] com/x", "http://evil [.] com/x", "http://evil.com/x"),
        ("http://evil[. ]com/x", "http://evil[. ]com/x", "http://evil.com/x"),
        ("http://evil[.com/x", "http://evil[.com/x", "http://evil.com/x"),
        ("http://evil.]com/x", "http://evil.]com/x", "http://evil.com/x"),
        ("http://evil[,]com/x", "http://evil[,]com/x", "http://evil.com/x"),
        ("http://evil dot com/x", "http://evil dot com/x", "http://evil.com/x"),
        ("http://evil .com/x", "http://evil .com/x", "http://evil.com/x"),
        ("http://www[.]evil[.]co[.]uk", "http://www[.]evil[.]co[.]uk", "http://www.evil.co.uk"),
        ("http://1.2.3[.]4/x", "http://1.2.3[.]4/x", "http://1.2.3.4/x"),
        ("http://u:p[@]evil[.]com/", "http://u:p[@]evil[.]com/", "http://u:p@evil.com/"),
        ("http://evil[.]com[:]80/", "http://evil[.]com[:]80/", "http://evil.com:80/"),
        ("http://evil[.]com:80.", "http://evil[.]com:80", "http://evil.com:80"),
        ("hxxp://evil[.]com[/]a[.]php", "hxxp://evil[.]com[/]a[.]php", "http://evil.com/a.php"),
        ("see http://evil[.]com.", "http://evil[.]com", "http://evil.com"),
        ("see http://evil[.]com[.]", "http://evil[.]com", "http://evil.com"),
        ("[hxxp://evil[.]com](x)", "hxxp://evil[.]com", "http://evil.com"),
        ("<http://evil[.]com/x>", "http://evil[.]com/x", "http://evil.com/x"),
        ("<URL:http://evil[.]com/\n x>", "http://evil[.]com/x", "http://evil.com/x"),
        ("\"http://evil[.]com/x\"", "http://evil[.]com/x", "http://evil.com/x"),
        ("'http://evil[.]com/x'", "http://evil[.]com/x", "http://evil.com/x"),
        ("**hxxp://evil[.]com/x**", "hxxp://evil[.]com/x", "http://evil.com/x"),
        ("h**ps://evil.com/", "h**ps://evil.com/", "https://evil.com/"),
        ("h[tt]p://evil.com/", "h[tt]p://evil.com/", "http://evil.com/"),
        ("mailto:a[@]evil.com", "mailto:a[@]evil.com", "mailto:a@evil.com"),
        ("fxp://evil[.]com/a b", "fxp://evil[.]com/a", "ftp://evil.com/a"),
        ("hxxp://[2001:db8::1]/", "hxxp://[2001:db8::1]/", "http://[2001:db8::1]/"),
        ("ftp[:]//evil[.]com/\u{e9}", "ftp[:]//evil[.]com/\u{e9}", "ftp://evil.com/\u{e9}"),
    ];

    #[test]
    fn a_defanged_url_is_found_whole_or_as_the_url() {
        let (plain, refang) = (Finder::default(), Finder::default().refang(true));
        let relaxed = Finder::new().preset(Preset::Relaxed).domains(|name| name.ends_with(".com"));
        for (text, whole, meant) in WITH_SCHEME {
            assert_eq!(found(&plain, text), [*whole], "{text}");
            assert_eq!(found(&refang, text), [*meant], "{text}");
            assert_eq!(found(&relaxed, text), [*whole], "relaxed: {text}");
            assert_eq!(found(&relaxed.clone().refang(true), text), [*meant], "relaxed, refanged: {text}");
        }
    }

    #[test]
    fn a_text_without_a_scheme_is_found_where_guesses_are() {
        let (plain, refang) = (Finder::default(), Finder::default().refang(true));
        let relaxed = Finder::new().preset(Preset::Relaxed).domains(|name| name.ends_with(".com"));
        for (text, whole, meant) in [
            ("a evil[.]com/p b", "evil[.]com/p", "http://evil.com/p"),
            ("evil[dot]com,", "evil[dot]com", "http://evil.com"),
            ("www.evil[.]com", "www.evil[.]com", "http://www.evil.com"),
            ("www[.]evil.com/x", "www[.]evil.com/x", "http://www.evil.com/x"),
            ("evil.com[.]br", "evil.com[.]br", "http://evil.com.br"),
            ("1[.]2[.]3[.]4:80", "1[.]2[.]3[.]4:80", "http://1.2.3.4:80"),
            ("joe[at]evil[.]com.", "joe[at]evil[.]com", "mailto:joe@evil.com"),
            ("joe [at] evil [dot] com", "joe [at] evil [dot] com", "mailto:joe@evil.com"),
            ("joe@evil[.]com", "joe@evil[.]com", "mailto:joe@evil.com"),
            ("joe[@]evil.com", "joe[@]evil.com", "mailto:joe@evil.com"),
        ] {
            assert_eq!(found(&plain, text), [""; 0], "{text}");
            assert_eq!(found(&relaxed, text), [whole], "{text}");
            assert_eq!(found(&refang, text), [meant], "{text}");
        }
        assert_eq!(
            found(&refang, r"http://evil\.com/x, evil\.com/y"),
            ["http://evil.com/x", "http://evil.com/y"]
        );
        assert_eq!(found(&refang, "http__evil[.]com/x"), ["http://evil.com/x"]);
    }

    #[test]
    fn other_brackets_are_no_marks() {
        let (plain, refang) = (Finder::default(), Finder::default().refang(true));
        for (text, urls) in [
            ("http://h.example(a) http://h.example [1]", &["http://h.example", "http://h.example"][..]),
            ("http://h.example/a(.)b", &["http://h.example/a(.)b"]),
            ("http://h.example/?a[.]=1", &["http://h.example/?a[.]=1"]),
            ("http://h.example dot files", &["http://h.example"]),
            ("http://localhost .profile", &["http://localhost"]),
            ("see http://h.example. (dot)", &["http://h.example"]),
            ("a[.]b std::io x[at] 1[.]2 [.] [dot]", &[]),
            ("http://[::1]/ http://[v1.a]/", &["http://[::1]/", "http://[v1.a]/"]),
        ] {
            assert_eq!(found(&plain, text), urls, "{text}");
            assert_eq!(found(&refang, text), urls, "{text}");
        }
    }

    #[test]
    fn a_search_in_pieces_finds_the_same() {
        for finder in [
            Finder::default(),
            Finder::default().refang(true),
            Finder::new().preset(Preset::Relaxed).refang(true),
        ] {
            for (text, ..) in WITH_SCHEME {
                let whole: Vec<_> = finder.find_iter(text.as_bytes()).map(|hit| hit.span()).collect();
                for cut in 0..text.len() {
                    let mut feed = finder.stream();
                    let mut spans = Vec::new();
                    for (window, is_last) in [(&text[..text.floor_char_boundary(cut)], false), (text, true)] {
                        while let Some(hit) = feed.next(window.as_bytes(), is_last) {
                            spans.push(hit.span());
                        }
                    }
                    assert_eq!(spans, whole, "{text} at {cut}");
                }
            }
        }
    }
}
