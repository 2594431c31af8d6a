//! The forms of credentials of services.

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
pub(super) fn is_credential(word: &str) -> bool {
    FORMS.iter().any(|(start, length)| {
        word.strip_prefix(start)
            .is_some_and(|rest| rest.len() >= *length && rest.bytes().any(|octet| octet.is_ascii_digit()))
    })
}

/// Returns whether a word may be a credential, by its first two octets.
pub(super) fn may_begin(word: &[u8]) -> bool {
    let Some(&[first, second]) = word.first_chunk() else { return false };
    match first {
        b'g' => matches!(second, b'h' | b'i' | b'l'),
        b'x' => second == b'o',
        b'A' => second == b'I',
        b's' => matches!(second, b'k' | b'h'),
        b'r' => second == b'k',
        b'w' => second == b'h',
        b'n' => second == b'p',
        b'p' => second == b'y',
        b'h' => second == b'f',
        b'd' => second == b'o',
        b'S' => second == b'G',
        _ => false,
    }
}

/// Paths that are credentials themselves: knowing one is enough to write to a channel.
pub(super) static PATHS: [(&str, &str, usize); 5] = [
    ("hooks.slack.com", "/services/", 3),
    ("discord.com", "/api/webhooks/", 2),
    ("discordapp.com", "/api/webhooks/", 2),
    ("api.telegram.org", "/bot", 1),
    ("chat.googleapis.com", "/v1/spaces/", 2),
];

/// Returns whether the host may be one of [`PATHS`], by its end.
pub(super) fn may_have_hooks(host: &str) -> bool {
    let Some(end) = host.as_bytes().last_chunk::<6>() else { return false };
    [b"ck.com", b"rd.com", b"pp.com", b"am.org", b"is.com"]
        .iter()
        .any(|known| end.eq_ignore_ascii_case(*known))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_host_with_hooks_may_have_them() {
        assert!(super::PATHS.iter().all(|(host, ..)| super::may_have_hooks(host)));
    }

    #[test]
    fn every_form_may_begin_a_credential_that_is_long_enough() {
        for (start, length) in super::FORMS {
            assert!(super::may_begin(start.as_bytes()), "{start}");
            assert!(start.len() + length >= 24, "{start}");
        }
    }
}
