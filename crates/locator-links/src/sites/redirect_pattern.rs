//! Redirects from all paths of a form, as hosts of sites write them: `/old/* /new/:splat`.

/// A redirect from all paths that have a form: `/docs/:version/*` to `/docs/:splat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RedirectPattern {
    segments: Vec<Segment>,
    to: Box<str>,
}

/// A segment of the path of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// It is the same in all paths.
    Literal(Box<str>),
    /// It is any one segment, with this name.
    One(Box<str>),
    /// It is all that is left, which has this name.
    Rest(Box<str>),
}

impl RedirectPattern {
    /// Reads a pattern; `None` if it, or where it leads, has another form.
    pub(crate) fn new(from: &str, to: &str) -> Option<Self> {
        let is_word = |name: &str| {
            !name.is_empty() && name.bytes().all(|one| one.is_ascii_alphanumeric() || one == b'_')
        };
        let mut segments = Vec::new();
        let mut all = from.trim_matches('/').split('/').peekable();
        while let Some(segment) = all.next() {
            let is_last = all.peek().is_none();
            let name = segment.strip_prefix(':');
            segments.push(match name {
                Some(name) if is_word(name) => Segment::One(name.into()),
                Some(name) if is_last && name.strip_suffix('*').is_some_and(is_word) => {
                    Segment::Rest(name.trim_end_matches('*').into())
                }
                None if segment == "*" && is_last => Segment::Rest("splat".into()),
                None if !segment.contains([':', '*', '(', '[', '{', '^', '$', '\\']) => {
                    Segment::Literal(segment.into())
                }
                _ => return None,
            });
        }
        // A pattern of every path mostly has conditions, and one without names in its target is a page for all of them.
        let has_start = matches!(segments.first(), Some(Segment::Literal(_)));
        let rest = to.split_once("://").map_or(to, |(_, rest)| rest);
        let is_known = rest.split(['/', '?', '#', '&', '=']).all(|part| match part.strip_prefix(':') {
            Some(name) => segments.iter().any(|segment| segment.has_name(name.trim_end_matches('*'))),
            None => !part.contains(['$', '*', '(', '{']),
        });
        (has_start && is_known && !to.is_empty()).then(|| Self { segments, to: to.into() })
    }

    /// Returns where a URL leads, if it has the form.
    pub(crate) fn target(&self, url: &str) -> Option<String> {
        let mut names: Vec<(&str, String)> = Vec::new();
        let mut own = url.trim_matches('/').split('/').filter(|name| !name.is_empty());
        let mut has_rest = false;
        for segment in &self.segments {
            match segment {
                Segment::Literal(name) => drop(own.next().filter(|own| **own == **name)?),
                Segment::One(name) => names.push((name, own.next()?.to_owned())),
                Segment::Rest(name) => {
                    has_rest = true;
                    names.push((name, own.by_ref().collect::<Vec<_>>().join("/")));
                }
            }
        }
        if own.next().is_some() {
            return None;
        }
        // ":version" is no part of ":versions".
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut to = self.to.to_string();
        for (name, value) in &names {
            to = to.replace(&format!(":{name}*"), value).replace(&format!(":{name}"), value);
        }
        let is_directory = has_rest && url.ends_with('/') && !to.ends_with('/');
        Some(if is_directory { format!("{to}/") } else { to })
    }
}

impl Segment {
    fn has_name(&self, name: &str) -> bool {
        matches!(self, Self::One(own) | Self::Rest(own) if **own == *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_lead_to_what_they_name() {
        for (from, to, url, expected) in [
            ("/old/*", "/new/:splat", "/old/a/b", Some("/new/a/b")),
            ("/old/*", "/new/:splat", "/old/a/", Some("/new/a/")),
            ("/old/*", "/new/", "/old", Some("/new/")),
            ("/d/:version/guide", "/d/guide?v=:version", "/d/2/guide/", Some("/d/guide?v=2")),
            ("/d/:version/guide", "/d/guide", "/d/2/other", None),
            ("/d/:path*", "https://h/:path*", "/d/a", Some("https://h/a")),
            ("/d/:a/:ab", "/e/:ab/:a", "/d/1/2", Some("/e/2/1")),
        ] {
            let pattern = RedirectPattern::new(from, to).expect(from);
            assert_eq!(pattern.target(url).as_deref(), expected, "{from} {url}");
        }
        for (from, to) in [
            ("/*", "/en/:splat"),
            ("/:lang/guide", "/g"),
            ("/a/(.*)", "/b/$1"),
            ("/a/:x", "/b/:y"),
            ("/a/:x", ""),
        ] {
            assert_eq!(RedirectPattern::new(from, to), None, "{from} {to}");
        }
    }
}
