//! The name that was probably meant: of those that exist, the nearest to one that does not.

/// Returns the nearest of these names, if one is near enough: a difference of case, or few letters that are
/// wrong.
#[must_use]
pub(crate) fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = wanted.chars().count();
    // The ending of a name is no difference between two files.
    let stem = wanted.rsplit_once('.').map_or(wanted, |(stem, _)| stem);
    let most = match stem.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    let distance = |name: &str| match name.eq_ignore_ascii_case(wanted) {
        true => 0,
        // Names of other lengths are farther than they are long.
        false if name.chars().count().abs_diff(length) > most => usize::MAX,
        false => strsim::osa_distance(name, wanted),
    };
    let near = names.into_iter().map(|name| (distance(name), name)).filter(|(distance, _)| *distance <= most);
    near.min().map(|(_, name)| name)
}

/// Returns the only one of these names that can be meant: no other differs from `wanted` by its case alone or
/// by one letter. Numbers are no misspellings of others, and short names none of each other.
#[must_use]
pub(crate) fn only<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut found: Option<&str> = None;
    for name in names.into_iter().filter(|name| may_mean(wanted, name)) {
        if found.is_some_and(|other| other != name) {
            return None;
        }
        found = Some(name);
    }
    found
}

fn may_mean(wanted: &str, name: &str) -> bool {
    if wanted.to_lowercase() == name.to_lowercase() {
        return true;
    }
    if wanted.chars().count().abs_diff(name.chars().count()) > 1 || strsim::osa_distance(wanted, name) != 1 {
        return false;
    }
    let (stem, ending) = divided(wanted);
    let (other_stem, other_ending) = divided(name);
    let has_same_ending = ending.eq_ignore_ascii_case(other_ending);
    // A letter more makes another ending for the same kind of file: "htm", "jpg", "yml", "doc".
    let is_same_kind = stem == other_stem && ending.len() != other_ending.len() && ending.len() > 2;
    let is_long = stem.chars().count().min(other_stem.chars().count()) > 2;
    is_long && digits(wanted) == digits(name) && (has_same_ending || is_same_kind)
}

/// Returns a name without its ending, and the ending.
fn divided(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}

fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::{nearest, only};

    #[test]
    fn what_can_only_be_meant() {
        for (wanted, names, expected) in [
            ("instal.md", &["install.md", "index.md"][..], Some("install.md")),
            ("instal.md", &["install.md", "instil.md"], None),
            ("instal.md", &["install.md", "install.md"], Some("install.md")),
            ("readme.md", &["README.md"], Some("README.md")),
            ("readme.md", &["README.md", "Readme.md"], None),
            ("instlal.md", &["install.md"], Some("install.md")),
            ("instaal.md", &["install.md"], Some("install.md")),
            ("inxtaal.md", &["install.md"], None),
            ("v1.md", &["v2.md"], None),
            ("chapter-1.md", &["chapter-2.md"], None),
            ("chapter-1.md", &["chapter-11.md"], None),
            ("b.md", &["a.md"], None),
            ("ab.md", &["abc.md"], None),
            ("main.c", &["main.h"], None),
            ("logo.jpg", &["logo.jpeg"], Some("logo.jpeg")),
            ("guide.htm", &["guide.html"], Some("guide.html")),
            ("guide.md", &["guide.mdx"], None),
            ("guide.ts", &["guide.tsx"], None),
            ("größe.md", &["Größe.md"], Some("Größe.md")),
        ] {
            assert_eq!(only(wanted, names.iter().copied()), expected, "{wanted}");
        }
    }

    #[test]
    fn what_is_near() {
        for (wanted, names, expected) in [
            ("instal.md", &["install.md", "index.md"][..], Some("install.md")),
            ("readme.md", &["README.md"], Some("README.md")),
            ("ab", &["ac"], None),
            ("b.md", &["a.md"], None),
            ("b.md", &["B.md"], Some("B.md")),
            ("guide.md", &["other.md"], None),
            ("configuration", &["configurations", "config"], Some("configurations")),
        ] {
            assert_eq!(nearest(wanted, names.iter().copied()), expected, "{wanted}");
        }
    }
}
