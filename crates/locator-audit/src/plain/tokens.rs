//! What secrets look like: takes a word of a URL, and returns whose credential it is, by its form; whether it is a JSON
//! Web Token; or whether it is an example, which is not secret. The names of parameters that hold a secret are in
//! `locator`, which hides them, too. Paths that are credentials are in `webhooks`.

/// The beginnings of credentials, the least length of what follows, and whose they are. Sources: the services'
/// documentation of their formats.
const FORMS: [(&str, usize, &str); 92] = [
    ("ghp_", 36, "GitHub"),
    ("gho_", 36, "GitHub"),
    ("ghu_", 36, "GitHub"),
    ("ghs_", 36, "GitHub"),
    ("ghr_", 36, "GitHub"),
    ("github_pat_", 50, "GitHub"),
    ("glpat-", 20, "GitLab"),
    ("gldt-", 20, "GitLab"),
    ("glrt-", 20, "GitLab"),
    ("glptt-", 20, "GitLab"),
    ("glcbt-", 20, "GitLab"),
    ("glsoat-", 20, "GitLab"),
    ("glagent-", 20, "GitLab"),
    ("gloas-", 20, "GitLab"),
    ("xoxb-", 20, "Slack"),
    ("xoxp-", 20, "Slack"),
    ("xoxa-", 20, "Slack"),
    ("xoxr-", 20, "Slack"),
    ("xoxs-", 20, "Slack"),
    ("xoxe.", 20, "Slack"),
    ("xapp-", 20, "Slack"),
    ("AIza", 35, "Google"),
    ("ya29.", 40, "Google"),
    ("GOCSPX-", 28, "Google"),
    ("sk_live_", 20, "Stripe"),
    ("rk_live_", 20, "Stripe"),
    ("whsec_", 20, "Stripe"),
    ("npm_", 36, "npm"),
    ("pypi-", 50, "PyPI"),
    ("rubygems_", 40, "RubyGems"),
    ("hf_", 30, "Hugging Face"),
    ("dop_v1_", 60, "DigitalOcean"),
    ("doo_v1_", 60, "DigitalOcean"),
    ("dor_v1_", 60, "DigitalOcean"),
    ("shpat_", 32, "Shopify"),
    ("shpca_", 32, "Shopify"),
    ("shppa_", 32, "Shopify"),
    ("shpss_", 32, "Shopify"),
    ("sk-ant-", 40, "Anthropic"),
    ("sk-proj-", 40, "OpenAI"),
    ("sk-svcacct-", 40, "OpenAI"),
    ("sk-or-v1-", 60, "OpenRouter"),
    ("gsk_", 48, "Groq"),
    ("r8_", 36, "Replicate"),
    ("pplx-", 40, "Perplexity"),
    ("xai-", 60, "xAI"),
    ("SG.", 40, "SendGrid"),
    ("xkeysib-", 60, "Brevo"),
    ("dapi", 32, "Databricks"),
    ("lin_api_", 40, "Linear"),
    ("secret_", 43, "Notion"),
    ("ntn_", 40, "Notion"),
    ("ATATT3", 60, "Atlassian"),
    ("ATCTT3", 60, "Atlassian"),
    ("PMAK-", 50, "Postman"),
    ("dp.pt.", 40, "Doppler"),
    ("dp.st.", 40, "Doppler"),
    ("hvs.", 60, "HashiCorp Vault"),
    ("hvb.", 60, "HashiCorp Vault"),
    ("glc_", 32, "Grafana"),
    ("glsa_", 32, "Grafana"),
    ("nfp_", 36, "Netlify"),
    ("pscale_tkn_", 30, "PlanetScale"),
    ("pscale_pw_", 30, "PlanetScale"),
    ("pscale_oauth_", 30, "PlanetScale"),
    ("pul-", 40, "Pulumi"),
    ("cio", 32, "crates.io"),
    ("sq0atp-", 22, "Square"),
    ("sq0csp-", 40, "Square"),
    ("sntrys_", 60, "Sentry"),
    ("sntryu_", 60, "Sentry"),
    ("NRAK-", 27, "New Relic"),
    ("dt0c01.", 80, "Dynatrace"),
    ("figd_", 36, "Figma"),
    ("EZAK", 54, "EasyPost"),
    ("FLWSECK-", 30, "Flutterwave"),
    ("pnu_", 36, "Prefect"),
    ("rdme_", 60, "ReadMe"),
    ("shippo_live_", 40, "Shippo"),
    ("dckr_pat_", 26, "Docker"),
    ("sbp_", 40, "Supabase"),
    ("tskey-", 22, "Tailscale"),
    ("bkua_", 40, "Buildkite"),
    ("AKCp", 60, "JFrog"),
    ("CFPAT-", 40, "Contentful"),
    ("rootly_", 60, "Rootly"),
    ("sgp_", 40, "Sourcegraph"),
    ("tfp_", 50, "Typeform"),
    ("duffel_live_", 40, "Duffel"),
    ("sk.eyJ", 60, "Mapbox"),
    ("fio-u-", 60, "Frame.io"),
    ("p8e-", 32, "Adobe"),
];

/// Credentials whose beginning is that of ordinary words, too, so that letters and digits alone follow it.
const ALPHANUMERIC: [(&str, usize, &str); 8] = [
    ("key-", 32, "Mailgun"),
    ("sk-", 32, "OpenAI"),
    ("ATBB", 32, "Bitbucket"),
    ("phx_", 40, "PostHog"),
    ("napi_", 60, "Neon"),
    ("tk_", 29, "ntfy"),
    ("xoxc-", 24, "Slack"),
    ("AGE-SECRET-KEY-1", 58, "age"),
];

/// Returns whose credential the word is, by its form; `None` if it is none.
pub(crate) fn issuer(word: &str) -> Option<&'static str> {
    let has_form = |(start, length, _): &&(&str, usize, &str)| {
        let rest = word.strip_prefix(start);
        rest.is_some_and(|rest| rest.len() >= *length && has_digit_or_mixed_letters(rest, *length))
            && (*start != "cio" || word.len() == start.len() + length)
    };
    let has_word = |(start, length, _): &&(&str, usize, &str)| {
        word.strip_prefix(start).is_some_and(|rest| {
            let digits = rest.bytes().filter(u8::is_ascii_digit).count();
            rest.len() >= *length && digits >= 2 && rest.bytes().all(|octet| octet.is_ascii_alphanumeric())
        })
    };
    let found = FORMS.iter().find(has_form).or_else(|| ALPHANUMERIC.iter().find(has_word));
    found.map(|(.., issuer)| *issuer)
}

/// Returns whether what follows the beginning of a credential has a digit, or begins with so many letters of which at
/// least every fifth is a capital and every fifth a small one. In names of several words there are fewer capitals.
fn has_digit_or_mixed_letters(rest: &str, length: usize) -> bool {
    if rest.bytes().any(|octet| octet.is_ascii_digit()) {
        return true;
    }
    let is_letter = |octet: &&u8| octet.is_ascii_alphabetic();
    let count = rest.as_bytes().iter().take_while(is_letter).count();
    let capitals = rest.bytes().take(count).filter(u8::is_ascii_uppercase).count();
    count >= length && capitals * 5 >= count && (count - capitals) * 5 >= count
}

/// Returns whether the word has the form of a credential.
pub(crate) fn is_credential(word: &str) -> bool {
    issuer(word).is_some()
}

/// The beginning of a JSON Web Token: `{"` in base64url, and a letter.
const JWT: &str = "eyJ";

/// Returns whether the word is a JSON Web Token (RFC 7519, 3.1; RFC 7515, 7.1): a header and a payload that are JSON,
/// and a signature, in base64url. An unsigned one has an empty signature.
pub(crate) fn is_jwt(word: &str) -> bool {
    let mut parts = word.split('.');
    let (header, payload, signature) = (parts.next(), parts.next(), parts.next());
    let is_json = |part: Option<&str>| part.is_some_and(|part| part.starts_with(JWT) && part.len() >= 12);
    // An encrypted one (JWE) has five parts, and its second is not JSON.
    let is_encrypted = || parts.clone().count() == 2 && header.is_some_and(|header| header.len() >= 20);
    is_json(header)
        && signature.is_some()
        && (is_json(payload) && parts.clone().next().is_none() || is_encrypted())
}

/// The first two octets of [`FORMS`], of [`ALPHANUMERIC`] and of [`JWT`].
const STARTS: [u16; FORMS.len() + ALPHANUMERIC.len() + 1] = {
    let (mut numbers, mut i) = ([0; FORMS.len() + ALPHANUMERIC.len() + 1], 0);
    while i < FORMS.len() {
        let start = FORMS[i].0.as_bytes();
        numbers[i] = u16::from_le_bytes([start[0], start[1]]);
        i += 1;
    }
    let mut j = 0;
    while j < ALPHANUMERIC.len() {
        let start = ALPHANUMERIC[j].0.as_bytes();
        numbers[i] = u16::from_le_bytes([start[0], start[1]]);
        (i, j) = (i + 1, j + 1);
    }
    numbers[i] = u16::from_le_bytes([JWT.as_bytes()[0], JWT.as_bytes()[1]]);
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
    core::str::from_utf8(rest.get(..end).unwrap_or_default())
        .is_ok_and(|word| is_credential(word) || is_jwt(word))
}

/// Returns whether the value is an example: `YOUR_TOKEN`, `$TOKEN`, `{token}`, `xxxxxxxx`.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let has_digit = || value.bytes().any(|octet| octet.is_ascii_digit());
    value.starts_with(['$', '{', '<', '[', '*', '%'])
        || !has_digit() && value.bytes().all(|octet| !octet.is_ascii_lowercase())
        || is_example(value)
}

/// Returns whether the value has the words of an example, or one letter only: `your-token`, `xxxxxxxx`. One of capitals
/// need not be one.
pub(crate) fn is_example(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_one =
        lower.bytes().all(|octet| Some(octet) == lower.bytes().next() || matches!(octet, b'-' | b'_'));
    is_one
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
        for (start, length, issuer) in super::FORMS {
            assert!(super::may_begin(start.as_bytes()), "{start}");
            assert!(start.len() + length >= 24 && !issuer.is_empty(), "{start}");
            let word = std::format!("{start}{}", "a1".repeat(length.div_ceil(2)));
            let word = if start == "cio" { &word[..35] } else { &word };
            assert!(super::is_credential(word), "{word}");
        }
        for (start, length, issuer) in super::ALPHANUMERIC {
            assert!(super::may_begin(start.as_bytes()), "{start}");
            let word = std::format!("{start}{}", "a1".repeat(length.div_ceil(2)));
            assert_eq!(super::issuer(&word), Some(issuer), "{word}");
        }
    }

    #[test]
    fn a_credential_has_digits_or_mixed_letters() {
        for (word, is_one) in [
            ("hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", true),
            ("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", true),
            ("hf_abcdefghijklmnopqrstuvwxyzabcdefgh", false),
            ("npm_configuration-for-packages-and-more-of-it", false),
            ("key-3ax6xnjp29jd6fds4gc373sgvjxteol0", true),
            ("key-features-of-the-release-of-2024-of-it", false),
            ("sk-abcdefghijklmnopqrstuvwxyzabcdefgh", false),
        ] {
            assert_eq!(super::is_credential(word), is_one, "{word}");
        }
    }

    #[test]
    fn forms_are_of_forty_services() {
        let issuers =
            super::FORMS.iter().map(|(.., issuer)| *issuer).collect::<std::collections::BTreeSet<_>>();
        assert!(issuers.len() >= 40, "{}", issuers.len());
    }

    #[test]
    fn json_web_tokens() {
        let header = "eyJhbGciOiJIUzI1NiJ9";
        for (word, is_one) in [
            (std::format!("{header}.eyJzdWIiOiIxMjM0In0.abcDEF0123-_"), true),
            (std::format!("{header}.eyJzdWIiOiIxMjM0In0."), true),
            (
                std::format!(
                    "{header}.OKOawDo13gRp2ojaHV7LFpZcgV7T6DVZKTyKOMTYUmKoTCVJRgckCL9kiMT03JGe.48V1.5eym.XFBo"
                ),
                true,
            ),
            (std::format!("{header}.eyJzdWIiOiIxMjM0In0"), false),
            (std::format!("{header}.index.html"), false),
            ("eyJ.eyJ.abc".into(), false),
        ] {
            assert_eq!(super::is_jwt(&word), is_one, "{word}");
        }
    }
}
