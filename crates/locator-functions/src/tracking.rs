//! Known tracking parameters: takes the name of a parameter, returns whether a service adds it to the
//! URLs of others and no page depends on it. The names are data, `tracking.tsv`, with a version and a
//! source for each, because stored keys depend on them.

use std::array;
use std::ops::Range;
use std::sync::LazyLock;

/// The version of the list of tracking parameters that [`is_tracking`] uses: the date of its last change.
///
/// Store it with [keys](crate::key), which change when a name is added.
pub const TRACKING_VERSION: &str = "2026-11-23";

const LIST: &str = include_str!("tracking.tsv");

/// The names of the list: whole ones, and starts of names, by their first octet.
struct Names {
    /// Each name, and whether it is the start of a name.
    rows: Vec<(&'static str, bool)>,
    /// For each octet the rows of the names that begin with it.
    first: [Range<u16>; 256],
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let rows = LIST.lines().filter(|line| !line.starts_with('#'));
    let names = rows.filter_map(|row| row.split('\t').next());
    let row = |name: &'static str| name.strip_suffix('*').map_or((name, false), |start| (start, true));
    let rows: Vec<_> = names.map(row).collect();
    let place =
        |octet: usize| rows.partition_point(|(name, _)| usize::from(name.as_bytes()[0]) < octet) as u16;
    let first = array::from_fn(|octet| place(octet)..place(octet + 1));
    Names { rows, first }
});

/// Returns whether a parameter of a query, decoded, is a known tracking parameter: one that advertising,
/// mailing or analytics services add, and that never changes the page.
///
/// Case counts. Names that a site may use for a purpose of its own, such as `ref` and `cid`, are not known.
///
/// ```
/// use locator_functions::is_tracking;
///
/// assert!(is_tracking("utm_source"));
/// assert!(is_tracking("gclid"));
/// assert!(!is_tracking("id"));
/// assert!(!is_tracking("utm"));
/// ```
#[must_use]
pub fn is_tracking(name: &str) -> bool {
    let Some(&first) = name.as_bytes().first() else { return false };
    let names = &*NAMES;
    let Range { start, end } = names.first[usize::from(first)];
    names.rows[start.into()..end.into()]
        .iter()
        .any(|(known, is_start)| if *is_start { name.starts_with(known) } else { name == *known })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<&'static str>> {
        let rows = LIST.lines().filter(|line| !line.starts_with('#'));
        rows.map(|row| row.split('\t').collect()).collect()
    }

    #[test]
    fn each_name_has_a_service_a_purpose_and_a_source() {
        for row in rows() {
            let [name, service, identifies, source] = row[..] else { panic!("{row:?}") };
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            assert!(name.strip_suffix('*').unwrap_or(name).bytes().all(is_name), "{name}");
            assert!(name.len() > 2 && !service.is_empty() && !identifies.is_empty(), "{name}");
            assert!(source.starts_with("https://"), "{name}");
        }
    }

    #[test]
    fn names_are_sorted_and_no_start_hides_one() {
        let names: Vec<_> = rows().iter().map(|row| row[0]).collect();
        assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
        let starts = || NAMES.rows.iter().filter(|(_, is_start)| *is_start);
        for (name, is_start) in &NAMES.rows {
            assert!(is_tracking(name), "{name}");
            assert!(*is_start || !starts().any(|(start, _)| name.starts_with(start)), "{name}");
        }
    }

    #[test]
    fn the_version_is_that_of_the_list() {
        assert!(LIST.lines().any(|line| line == format!("# version {TRACKING_VERSION}")));
    }

    #[test]
    fn names_that_sites_use_are_not_known() {
        for name in
            ["", "id", "q", "ref", "cid", "utm", "utmsource", "gclid2", "GCLID", "fbclid_", "*", "utm_*x"]
        {
            assert_eq!(is_tracking(name), name == "utm_*x", "{name}");
        }
    }
}
