//! Known tracking parameters: names that advertising and mailing services add to the query, and that do
//! not change what the server returns. The list is data with a version, because stored keys depend on it.

/// The version of the list of tracking parameters, a date.
pub const TRACKING_VERSION: &str = "2026-11-23";

const LIST: &str = include_str!("tracking.tsv");

/// Returns whether a parameter of a query, decoded, is a known tracking parameter.
///
/// ```
/// assert!(locator_functions::is_tracking("utm_source"));
/// assert!(!locator_functions::is_tracking("id"));
/// ```
#[must_use]
pub fn is_tracking(name: &str) -> bool {
    name.starts_with("utm_")
        || LIST.lines().any(|line| line.split('\t').next() == Some(name) && !name.is_empty())
}
