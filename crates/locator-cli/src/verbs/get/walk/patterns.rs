//! The patterns of `--accept` and `--reject`: takes the name of a file, returns whether it is wanted. As in
//! wget, a pattern without "*", "?" and "[" is the end of a name.

/// Which names are wanted.
pub(super) struct Patterns {
    accepted: Vec<Pattern>,
    rejected: Vec<Pattern>,
}

enum Pattern {
    End(Vec<u8>),
    Glob(Vec<u8>),
}

impl Patterns {
    /// Reads lists of patterns, which commas divide.
    pub(super) fn new(accept: &[String], reject: &[String]) -> Self {
        let read = |lists: &[String]| {
            let patterns =
                lists.iter().flat_map(|list| list.split(',')).filter(|pattern| !pattern.is_empty());
            patterns.map(Pattern::new).collect()
        };
        Self { accepted: read(accept), rejected: read(reject) }
    }

    /// Returns whether a file of this name is wanted.
    pub(super) fn allow(&self, name: &[u8]) -> bool {
        let is_one_of = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.fits(name));
        (self.accepted.is_empty() || is_one_of(&self.accepted)) && !is_one_of(&self.rejected)
    }
}

impl Pattern {
    fn new(pattern: &str) -> Self {
        let octets = pattern.as_bytes().to_vec();
        if pattern.contains(['*', '?', '[']) { Self::Glob(octets) } else { Self::End(octets) }
    }

    fn fits(&self, name: &[u8]) -> bool {
        match self {
            Self::End(end) => name.ends_with(end),
            Self::Glob(pattern) => fits(pattern, name),
        }
    }
}

/// Returns whether a name fits a pattern. After a mismatch the last "*" takes one more octet, so the time is
/// at most that of comparing the pattern at each octet of the name.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(&octet) = name.get(read) {
        match (pattern.get(at), one(pattern.get(at..).unwrap_or_default(), octet)) {
            (Some(b'*'), _) => {
                star = Some((at + 1, read));
                at += 1;
            }
            (_, Some(length)) => (at, read) = (at + length, read + 1),
            (_, None) => match star {
                Some((after, taken)) => {
                    star = Some((after, taken + 1));
                    (at, read) = (after, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|&octet| octet == b'*')
}

/// Returns the length of the beginning of a pattern that is for one octet, if it fits this one: "?", a set
/// such as `[a-z]` or `[!0-9]`, or the octet itself.
fn one(pattern: &[u8], octet: u8) -> Option<usize> {
    match pattern.first()? {
        b'?' => Some(1),
        b'[' => {
            // "]" at the beginning of a set is one of its octets.
            let is_inverted = matches!(pattern.get(1), Some(b'!' | b'^'));
            let start = if is_inverted { 2 } else { 1 };
            let rest = pattern.get(start + 1..)?;
            let Some(end) = rest.iter().position(|&octet| octet == b']').map(|end| start + 1 + end) else {
                return (octet == b'[').then_some(1);
            };
            let (set, mut at, mut is_in) = (pattern.get(start..end)?, 0, false);
            while let Some(&first) = set.get(at) {
                match (set.get(at + 1), set.get(at + 2)) {
                    (Some(b'-'), Some(&last)) => {
                        is_in |= (first..=last).contains(&octet);
                        at += 3;
                    }
                    _ => {
                        is_in |= first == octet;
                        at += 1;
                    }
                }
            }
            (is_in != is_inverted).then_some(end + 1)
        }
        &own => (own == octet).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (pattern, name, expected) in [
            ("*.iso", "a.iso", true),
            ("*.iso", "a.iso.txt", false),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXbYcd", false),
            ("**", "", true),
            ("?", "", false),
            ("?.txt", "a.txt", true),
            ("[a-c]*", "b.txt", true),
            ("[!a-c]*", "b.txt", false),
            ("[]x]", "]", true),
            ("[a", "[a", true),
            ("*[0-9].log", "x9.log", true),
            ("*a", "aaaaaaaaaaaaaaaaaaaaaaaab", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn lists() {
        let patterns = |accept: &[&str], reject: &[&str]| {
            let owned = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
            Patterns::new(&owned(accept), &owned(reject))
        };
        assert!(patterns(&[], &[]).allow(b"x"));
        let both = patterns(&["txt,*.iso", ".gz"], &["old*"]);
        assert!(both.allow(b"a.txt") && both.allow(b"a.iso") && both.allow(b"a.tar.gz"));
        assert!(!both.allow(b"a.doc") && !both.allow(b"old.iso"));
    }
}
