//! What secrets look like: the forms of credentials of services, and examples, which are not secret. The
//! names of parameters that hold a secret are in `locator`, which hides them, too.

/// The beginnings of credentials, and the least length of what follows. Sources: the services'
/// documentation of their formats.
static FORMS: [(&str, usize); 26] = [
    ("ghp_", 36),
    ("gho_", 36),
    ("ghu_", 36),
    ("ghs_", 36),
    ("ghr_", 36),
    ("github_pat_", 50),
    ("glpat-", 20),
    ("gldt-", 20),
    ("glrt-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("xoxr-", 20),
    ("xoxs-", 20),
    ("AIza", 35),
    ("sk_live_", 20),
    ("rk_live_", 20),
    ("whsec_", 20),
    ("npm_", 36),
    ("pypi-", 50),
    ("hf_", 30),
    ("dop_v1_", 60),
    ("shpat_", 32),
    ("sk-ant-", 40),
    ("sk-proj-", 40),
    ("SG.", 40),
];

/// Returns whether the word has the form of a credential.
pub(crate) fn is_credential(word: &str) -> bool {
    FORMS.iter().any(|(start, length)| {
        word.strip_prefix(start)
            .is_some_and(|rest| rest.len() >= *length && rest.bytes().any(|octet| octet.is_ascii_digit()))
    })
}

/// The first two octets of [`FORMS`].
const STARTS: [u16; 14] = {
    let starts = *b"ghgiglxoAIskshrkwhnppyhfdoSG";
    let (mut numbers, mut i) = ([0; 14], 0);
    while i < numbers.len() {
        numbers[i] = u16::from_le_bytes([starts[2 * i], starts[2 * i + 1]]);
        i += 1;
    }
    numbers
};

/// Returns whether a word may be a credential, by its first two octets. All are compared at once, without a
/// branch for each.
pub(crate) fn may_begin(word: &[u8]) -> bool {
    let Some(&start) = word.first_chunk() else { return false };
    let start = u16::from_le_bytes(start);
    STARTS.iter().fold(false, |found, known| found | (*known == start))
}

/// Returns whether a word that begins here has the form of a credential.
pub(crate) fn begins_credential(text: &[u8], at: usize) -> bool {
    let Some(rest) = text.get(at..).filter(|rest| may_begin(rest)) else { return false };
    let is_of_word = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_.".contains(octet);
    let end = rest.iter().position(|octet| !is_of_word(octet)).unwrap_or(rest.len());
    core::str::from_utf8(rest.get(..end).unwrap_or_default()).is_ok_and(is_credential)
}

/// Paths that are credentials themselves: knowing one is enough to write to a channel.
pub(crate) static PATHS: [(&str, &str, usize); 5] = [
    ("hooks.slack.com", "/services/", 3),
    ("discord.com", "/api/webhooks/", 2),
    ("discordapp.com", "/api/webhooks/", 2),
    ("api.telegram.org", "/bot", 1),
    ("chat.googleapis.com", "/v1/spaces/", 2),
];

/// Returns whether the host is one of [`PATHS`].
pub(crate) fn has_hooks(host: &str) -> bool {
    PATHS.iter().any(|(known, ..)| known.eq_ignore_ascii_case(host))
}

/// Returns whether the value is an example: `YOUR_TOKEN`, `$TOKEN`, `{token}`, `xxxxxxxx`.
pub(crate) fn is_placeholder(value: &str) -> bool {
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
            "(hidden)",
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

#[cfg(test)]
mod tests {
    #[test]
    fn every_form_may_begin_a_credential_that_is_long_enough() {
        for (start, length) in super::FORMS {
            assert!(super::may_begin(start.as_bytes()), "{start}");
            assert!(start.len() + length >= 24, "{start}");
        }
    }
}
