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

#[cfg(test)]
mod tests {
    use super::nearest;

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
