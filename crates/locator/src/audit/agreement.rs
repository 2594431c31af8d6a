//! Whether programs agree on what a text contacts.

/// Returns whether no program reads the text in its own way: it has no octet that one of them
/// removes, replaces or takes for a delimiter before the end of the host.
///
/// The text is valid by RFC 3986 or RFC 3987, so it has no control, no space and no backslash, and
/// the policy has refused hosts that are not plain. What is left is a userinfo with escapes, which a
/// proxy gets decoded from some programs, and characters beyond ASCII before the path.
pub(super) fn is_read_alike(text: &str, has_base: bool) -> bool {
    let authority = match text.split_once("//") {
        Some((_, rest)) => rest.split(['/', '?', '#']).next().unwrap_or_default(),
        None => return has_base,
    };
    let (userinfo, _) = authority.rsplit_once('@').unwrap_or_default();
    userinfo.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-._~:!$&'()*+,;=".contains(&octet))
}
