//! Placeholders in examples, which are no secrets.

/// Returns whether the value is an example: `YOUR_TOKEN`, `$TOKEN`, `{token}`, `xxxxxxxx`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_one =
        lower.bytes().all(|octet| Some(octet) == lower.bytes().next() || matches!(octet, b'-' | b'_'));
    is_one
        || lower.starts_with(['$', '{', '<', '[', '*', '%'])
        || !lower.bytes().any(|octet| octet.is_ascii_digit())
            && value.bytes().all(|octet| !octet.is_ascii_lowercase())
        || [
            "your",
            "example",
            "placeholder",
            "redacted",
            "xxxx",
            "changeme",
            "dummy",
            "my-token",
            "my_token",
            "...",
        ]
        .iter()
        .any(|word| lower.contains(word))
}
