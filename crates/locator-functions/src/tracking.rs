//! Known tracking parameters: takes the name of a parameter, returns whether a service adds it to the
//! URLs of others and no page depends on it. The names are data, `tracking.tsv`, with a version and a
//! source for each, because stored keys depend on them.

use std::sync::LazyLock;

/// The version of the list of tracking parameters that [`is_tracking`] uses: the date of its last change.
///
/// Store it with [keys](crate::key), which change when a name is added.
pub const TRACKING_VERSION: &str = "2026-11-23";

const LIST: &str = include_str!("tracking.tsv");

/// Whole names and starts of names, each sorted.
struct Names {
    whole: Vec<&'static str>,
    starts: Vec<&'static str>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let rows = LIST.lines().filter(|line| !line.starts_with('#'));
    let names = rows.filter_map(|row| row.split('\t').next());
    let (starts, whole): (Vec<_>, _) = names.partition(|name| name.ends_with('*'));
    Names { whole, starts: starts.into_iter().map(|name| name.trim_end_matches('*')).collect() }
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
    NAMES.whole.binary_search(&name).is_ok() || NAMES.starts.iter().any(|start| name.starts_with(start))
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
        for whole in &NAMES.whole {
            assert!(is_tracking(whole), "{whole}");
            assert!(!NAMES.starts.iter().any(|start| whole.starts_with(start)), "{whole}");
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
