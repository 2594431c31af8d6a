//! What a URL says besides naming a page: a language, a version, a session. Takes URLs, returns whether one
//! says what the other does not.

use locator::UriRef;

/// The languages that have two letters (ISO 639-1).
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu \
    cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia \
    id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg \
    mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw \
    sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz \
    ve vi vo wa wo xh yi yo za zh zu";

/// Returns the language tags in a URL, in their order: `/en-us/`, `de.h.example`, `page.fr.html`.
pub(super) fn languages(url: UriRef<'_>) -> Vec<String> {
    let host = url.host().map(|host| host.as_str().to_ascii_lowercase()).unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    // The last two labels are the name of the site, such as "h.de".
    let below = labels.get(..labels.len().saturating_sub(2)).unwrap_or_default();
    let path = url.path().as_str().to_ascii_lowercase();
    let (folders, last) = path.rsplit_once('/').unwrap_or(("", &path));
    // The ending of a file is no language: "a.so".
    let stem = if last.contains('.') { last.rsplit_once('.').map_or("", |(stem, _)| stem) } else { last };
    let parts = below.iter().copied().chain(folders.split('/')).chain(stem.split('.'));
    parts.filter(|part| is_language(part)).map(str::to_owned).collect()
}

/// Returns whether a text in lower case is a language tag: two letters, and perhaps a region or a script.
fn is_language(text: &str) -> bool {
    let mut subtags = text.split(['-', '_']);
    let has_language = subtags.next().is_some_and(|first| {
        first.len() == 2 && LANGUAGES.split_ascii_whitespace().any(|language| language == first)
    });
    let is_subtag = |subtag: &str| {
        matches!(subtag.len(), 2 | 4) && subtag.bytes().all(|octet| octet.is_ascii_alphabetic())
            || subtag.len() == 3 && subtag.bytes().all(|octet| octet.is_ascii_digit())
    };
    has_language && subtags.all(is_subtag)
}

/// Returns the segments of a path that are versions: `v1`, `1.2`, `v2.0.1`, `3.x`.
pub(super) fn versions(url: UriRef<'_>) -> Vec<String> {
    let path = url.path().as_str().to_ascii_lowercase();
    path.split('/').filter(|segment| is_version(segment)).map(str::to_owned).collect()
}

fn is_version(segment: &str) -> bool {
    let number = segment.strip_prefix("version-").or_else(|| segment.strip_prefix('v')).unwrap_or(segment);
    let has_prefix = number.len() < segment.len();
    let mut parts = number.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|octet| octet.is_ascii_digit());
    let is_first = parts.next().is_some_and(is_number);
    let others: Vec<&str> = parts.collect();
    let are_parts = others.iter().all(|part| is_number(part) || matches!(*part, "x" | "*"));
    is_first && are_parts && (has_prefix || !others.is_empty())
}

/// Returns whether a URL has the id of a session, where `old` has none.
pub(super) fn has_session(old: UriRef<'_>, new: UriRef<'_>) -> bool {
    let (old, new) = (old.path().as_str(), new.path().as_str());
    let is_id = |segment: &str| {
        let (name, parameters) = segment.split_once(';').map_or((segment, None), |(a, b)| (a, Some(b)));
        parameters.is_some() || name.starts_with("(S(") || name.starts_with("(s(") || is_random(name)
    };
    let known: Vec<&str> = old.split('/').collect();
    new.split('/').any(|segment| !known.contains(&segment) && is_id(segment))
}

/// Returns whether a name is a long number or looks random: 20 letters and digits, both of them often.
fn is_random(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let is_word = name.bytes().all(|octet| octet.is_ascii_alphanumeric());
    let is_hex = name.bytes().all(|octet| octet.is_ascii_hexdigit());
    name.len() >= 20 && (is_word && digits >= 5 || is_hex && digits > 0)
}
