//! Patterns of paths, as configurations write them: `**/*.md`, `img/*.{png,jpg}`, `!drafts/**`.
//!
//! "*" and "?" do not match "/", `**` as a segment matches any number of segments. Alternatives in braces are written out
//! before a path is compared; of more than [`MOST_ALTERNATIVES`] the others are not kept.

/// How many patterns one with alternatives may mean.
const MOST_ALTERNATIVES: usize = 64;

/// Patterns, of which the last that matches a path decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Globs {
    /// The patterns, without "!", and whether they include a path.
    patterns: Vec<(String, bool)>,
}

impl Globs {
    /// Creates a list of patterns; one that begins with "!" excludes.
    pub(crate) fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        let mut globs = Self::default();
        for pattern in patterns {
            let (pattern, includes) = pattern.strip_prefix('!').map_or((pattern, true), |rest| (rest, false));
            let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
            let written_out = alternatives(pattern).into_iter().map(|pattern| (pattern, includes));
            globs.patterns.extend(written_out);
        }
        globs
    }

    /// Returns whether there is no pattern.
    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns whether the last pattern that matches a path includes it.
    pub(crate) fn has(&self, path: &str) -> bool {
        let last = self.patterns.iter().rev().find(|(pattern, _)| is_match(pattern, path));
        last.is_some_and(|(_, includes)| *includes)
    }
}

/// Returns whether a text is a pattern.
pub(crate) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '{', '['])
}

/// Returns the directory that all paths of a pattern are in: `a/b` of `a/b/**/*.md`.
pub(crate) fn fixed_directory(pattern: &str) -> &str {
    let fixed = pattern.find(['*', '?', '{', '[']).map_or(pattern, |at| &pattern[..at]);
    fixed.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns a pattern with each alternative of its braces.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut open = vec![pattern.to_owned()];
    let mut done = Vec::new();
    while let Some(pattern) = open.pop() {
        let braces = pattern.rfind('{').and_then(|start| {
            let end = start + pattern.get(start..)?.find('}')?;
            Some((start, end))
        });
        let Some((start, end)) = braces.filter(|_| open.len() + done.len() < MOST_ALTERNATIVES) else {
            done.push(pattern);
            continue;
        };
        // Those at the right are written out first, so that inner braces are before outer ones.
        let words: Vec<&str> = pattern[start + 1..end].split(',').collect();
        for word in words.iter().rev() {
            open.push(format!("{}{word}{}", &pattern[..start], &pattern[end + 1..]));
        }
    }
    done.truncate(MOST_ALTERNATIVES);
    done
}

/// Returns whether a pattern without alternatives matches a path: segment by segment, with one place to go back to.
fn is_match(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.trim_start_matches('/').split('/').collect();
    let names: Vec<&str> = path.split('/').collect();
    let (mut at, mut name) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while name < names.len() {
        match pattern.get(at) {
            Some(&"**") => {
                back = Some((at, name));
                at += 1;
            }
            Some(segment) if is_segment_match(segment, names[name]) => (at, name) = (at + 1, name + 1),
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    (at, name) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|rest| *rest == "**")
}

/// Returns whether a pattern matches a name, with one place to go back to.
fn is_segment_match(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut one) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while one < name.len() {
        let length = pattern.get(at..).and_then(|rest| one_of(rest, name[one]));
        match pattern.get(at) {
            Some('*') => {
                back = Some((at, one));
                at += 1;
            }
            Some(_) if length.is_some() => (at, one) = (at + length.unwrap_or(1), one + 1),
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    (at, one) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|rest| *rest == '*')
}

/// Returns how many characters of a pattern match one character: `[a-z]`, `?`, or the character itself.
fn one_of(pattern: &[char], one: char) -> Option<usize> {
    match pattern {
        ['[', inner @ ..] => {
            let Some(end) = inner.iter().skip(1).position(|end| *end == ']').map(|at| at + 1) else {
                return (one == '[').then_some(1);
            };
            let (set, is_not) = match inner.get(..end)? {
                ['!' | '^', set @ ..] => (set, true),
                set => (set, false),
            };
            let is_in = |set: &[char]| {
                set.contains(&one) || set.windows(3).any(|of| of[1] == '-' && of[0] <= one && one <= of[2])
            };
            (is_in(set) != is_not).then_some(end + 2)
        }
        ['?', ..] => Some(1),
        ['\\', escaped, ..] => (*escaped == one).then_some(2),
        [own, ..] => (*own == one).then_some(1),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (patterns, path, expected) in [
            (&["**/*.md"][..], "a.md", true),
            (&["**/*.md"], "a/b/c.md", true),
            (&["**/excluded.md"], "guide/excluded.md", true),
            (&["*.md"], "a/b.md", false),
            (&["a/**"], "a/b/c", true),
            (&["a/**/c"], "a/c", true),
            (&["a/**/c/*.x"], "a/c/b/c/d.x", true),
            (&["img/*.{png,jp{,e}g}"], "img/a.jpeg", true),
            (&["img/*.{png,jp{,e}g}"], "img/a.gif", false),
            (&["**/*.md", "!drafts/**"], "drafts/a.md", false),
            (&["**/[^_]*.md"], "a/_b.md", false),
            (&["**/[^_]*.md"], "a/b.md", true),
            (&["./a?.[a-c]"], "ab.b", true),
            (&[], "a", false),
        ] {
            assert_eq!(Globs::new(patterns.iter().copied()).has(path), expected, "{patterns:?} {path}");
        }
        assert_eq!((fixed_directory("a/b/**/*.md"), fixed_directory("*.md")), ("a/b", ""));
    }

    #[test]
    fn time_is_bounded() {
        let path = "a/".repeat(2_000) + "b";
        assert!(!Globs::new(["**/a/**/a/**/a/**/c"]).has(&path));
        assert!(!Globs::new(["*a*a*a*a*a*b"]).has(&"a".repeat(5_000)));
        assert!(Globs::new(["{a,b}".repeat(40).as_str()]).patterns.len() <= MOST_ALTERNATIVES);
    }
}
