//! Whether programs agree on what a text contacts.

/// Returns whether no program has a reason to read the text in its own way: it has no octet before
/// the end of the host that some program was seen to remove, replace or take for a delimiter. So
/// programs that were not run (see [`reader`](super::reader)) read it in the same way, too.
///
/// The text is valid by RFC 3986 or RFC 3987, so it has no control, no space and no backslash, and
/// the policy has refused hosts that are not plain. Left are a userinfo with escapes, which a proxy
/// gets decoded from some programs; with delimiters, such as ";", where others end it; and an "@"
/// after a query or fragment without a path, which an authority of RFC 1738 may contain.
pub(super) fn is_read_alike(text: &str, has_base: bool) -> bool {
    let Some((_, rest)) = text.split_once("//") else { return has_base };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let (userinfo, _) = authority.rsplit_once('@').unwrap_or_default();
    let until_slash = rest.split('/').next().unwrap_or_default();
    !until_slash.contains('@')
        && userinfo.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-._~:".contains(&octet))
}
