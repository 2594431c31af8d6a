//! The addresses of `mailto:` (RFC 6068, 2): `local@domain`, as RFC 5322, 3.4.1, and RFC 6532 have it.

use locator::{PctStr, UriRef};

/// Returns what is wrong with the addresses of a `mailto` URL. Without any, those of `to=` may be meant.
pub(crate) fn wrong(url: UriRef<'_>) -> Option<String> {
    let addresses = url.path().as_str();
    if addresses.is_empty() {
        return None;
    }
    let decoded = |address| PctStr::new(address).map(PctStr::decode_utf8_lossy).ok();
    let wrong = addresses.split(',').filter_map(decoded).find(|address| !is_address(address))?;
    Some(format!("\"{wrong}\" is no address: local@domain (RFC 6068, 2)"))
}

/// Returns whether a text is an address. Comments and folding have no place in a URL.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let quoted = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let is_local = match quoted {
        Some(quoted) => is_quoted(quoted),
        None => is_dot_atom(local),
    };
    let literal = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    is_local && literal.map_or_else(|| is_dot_atom(domain), |literal| !literal.is_empty())
}

/// Returns whether a text has no quote that ends it.
fn is_quoted(text: &str) -> bool {
    let mut is_escaped = false;
    let is_plain = text.chars().all(|one| {
        let is_good = is_escaped || one != '"';
        is_escaped = !is_escaped && one == '\\';
        is_good
    });
    is_plain && !is_escaped
}

/// Returns whether a text is a "dot-atom-text"; that of other languages may have every letter.
fn is_dot_atom(text: &str) -> bool {
    const SPECIAL: &str = "()<>[]:;@\\,\"";
    let is_part = |one: char| !one.is_whitespace() && !one.is_control() && !SPECIAL.contains(one);
    text.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (url, is_good) in [
            ("mailto:a@b.example", true),
            ("mailto:a@b.example,c@d.example?subject=x", true),
            ("mailto:?to=a@b.example", true),
            ("mailto:", true),
            ("mailto:%22a%20@%20b%22@c.example", true),
            ("mailto:a%25b+c@d", true),
            ("mailto:%C3%BC@%C3%BC.example", true),
            ("mailto:a@%5B127.0.0.1%5D", true),
            ("mailto:nobody", false),
            ("mailto:nobody@@nowhere", false),
            ("mailto:@b.example", false),
            ("mailto:a@", false),
            ("mailto:a@b..example", false),
            ("mailto:a%20b@c.example", false),
            ("mailto:a@b.example,", false),
            ("mailto:http://h.example/", false),
        ] {
            assert_eq!(wrong(UriRef::parse(url).unwrap()).is_none(), is_good, "{url}");
        }
    }
}
