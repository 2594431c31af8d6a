//! The keys of `lychee.toml` that are not used, and why.

use toml::Value;

/// Returns why a key is not used; `None` if its value changes nothing here.
pub(super) fn why(key: &str, value: &Value) -> Option<&'static str> {
    let is_off = matches!(value, Value::Boolean(false));
    match key {
        // What is so anyway.
        "exclude_all_private"
        | "exclude_private"
        | "exclude_link_local"
        | "exclude_loopback"
        | "accept_timeouts"
        | "include_mail" => None,
        "include_fragments" => {
            let is_usual = matches!(value.as_str(), Some("anchor-only")) || value.as_bool() == Some(true);
            (!is_usual).then_some("headings and ids are always checked, texts of pages are not")
        }
        _ if is_off => None,
        _ => Some(reason(key)),
    }
}

fn reason(key: &str) -> &'static str {
    let reasons = REASONS.iter().find(|(keys, _)| keys.contains(&key));
    reasons.map_or("lychee 0.24 has no such key", |(_, reason)| reason)
}

/// The keys of lychee 0.24 that are not used.
static REASONS: [(&[&str], &str); 20] = [
    (
        &["header", "basic_auth", "cookie_jar", "user_agent"],
        "a file that comes with the documents sends no headers; use --header",
    ),
    (&["github_token"], "a file that comes with the documents has no secrets; use GITHUB_TOKEN"),
    (&["preprocess"], "a file that comes with the documents starts no programs"),
    (&["remap"], "links are checked as they are"),
    (&["hosts"], "all servers have the same limits; use --per-host and --interval"),
    (&["insecure", "min_tls"], "certificates are always checked, and TLS is 1.2 or later"),
    (&["accept"], "only the statuses 404 and 410 are broken; see --fail-on"),
    (&["method"], "HEAD is asked, and GET if HEAD does not find the page"),
    (&["max_redirects"], "20 redirects are followed"),
    (&["max_retries", "retry_wait_time"], "what fails is asked for once more at the end"),
    (&["require_https"], "http is no error"),
    (&["cache", "max_cache_age"], "a file that comes with the documents writes none; use --cache"),
    (&["cache_exclude_status"], "--cache keeps pages that are there, redirects, 404 and 410"),
    (&["archive", "suggest"], "no archive is asked"),
    (&["index_files", "fallback_extensions"], "a page that may be made from another file is unknown"),
    (&["default_extension"], "use --as"),
    (&["include_wikilinks"], "links of wikis are not read"),
    (&["files_from", "skip_missing", "glob_ignore_case"], "what is checked is named on the command line"),
    (&["dump", "dump_inputs", "generate"], "use 'locator find' and 'locator man'"),
    (
        &["output", "format", "mode", "verbose", "no_progress", "host_stats"],
        "the output is chosen on the command line: --show, --json, -q and -s",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        let why = |line: &str| {
            let table: toml::Table = line.parse().unwrap();
            let (key, value) = table.iter().next().unwrap();
            why(key, value)
        };
        assert_eq!(
            why("cache = true"),
            Some("a file that comes with the documents writes none; use --cache")
        );
        assert_eq!(why("cache = false"), None);
        assert_eq!(why("exclude_all_private = true"), None);
        assert_eq!(why("include_fragments = \"anchor-only\""), None);
        assert!(why("include_fragments = \"full\"").is_some());
        assert_eq!(why("exclud = []"), Some("lychee 0.24 has no such key"));
    }
}
