//! Files of cookies in Netscape's format, which curl, wget and browsers' extensions read and write: one cookie a
//! line, seven fields with tabs between them. `#HttpOnly_` before the domain is not a comment.

use super::cookie::{Cookie, is_address, is_public_suffix};

const HTTP_ONLY: &[u8] = b"#HttpOnly_";

/// Yields the cookies of a file; `None` for a line that is not one.
pub(super) fn cookies(file: &[u8]) -> impl Iterator<Item = Option<Cookie>> {
    let lines = file.split(|octet| *octet == b'\n');
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let is_comment = |line: &[u8]| line.starts_with(b"#") && !line.starts_with(HTTP_ONLY);
    lines.filter(move |line| !line.trim_ascii().is_empty() && !is_comment(line)).map(cookie)
}

/// Parses a line: the domain, whether its hosts get the cookie, path, `Secure`, expiry, name and value. A line
/// of six fields has an empty value.
fn cookie(line: &[u8]) -> Option<Cookie> {
    let (is_http_only, line) = match line.strip_prefix(HTTP_ONLY) {
        Some(line) => (true, line),
        None => (false, line),
    };
    let mut fields = line.splitn(7, |octet| *octet == b'\t');
    let mut next = || fields.next();
    let domain = std::str::from_utf8(next()?).ok()?.to_ascii_lowercase();
    let domain = domain.strip_prefix('.').unwrap_or(&domain).to_owned();
    // Other programs write TRUE for the hosts of an address, too.
    let is_host_only = !is_true(next()?)? || is_address(&domain);
    let path = next()?.to_vec();
    let is_secure = is_true(next()?)?;
    let expires: u64 = std::str::from_utf8(next()?).ok()?.trim().parse().ok()?;
    let (name, value) = (next()?.to_vec(), next().unwrap_or_default().to_vec());
    let is_control = |octet: &u8| octet.is_ascii_control();
    let is_wrong = domain.is_empty()
        || !path.starts_with(b"/")
        || domain.contains(|c: char| c.is_ascii_control() || c == ' ')
        || [&path, &name, &value].into_iter().flatten().any(is_control)
        || !is_host_only && is_public_suffix(&domain);
    let expires = Some(expires).filter(|expires| *expires > 0);
    let cookie = Cookie { name, value, domain, is_host_only, path, is_secure, is_http_only, expires };
    (!is_wrong && cookie.keeps_prefix()).then_some(cookie)
}

fn is_true(field: &[u8]) -> Option<bool> {
    match () {
        () if field.eq_ignore_ascii_case(b"true") => Some(true),
        () if field.eq_ignore_ascii_case(b"false") => Some(false),
        () => None,
    }
}

/// Writes cookies.
pub(super) fn written(cookies: &[Cookie]) -> Vec<u8> {
    let mut file = b"# Netscape HTTP Cookie File\n# Written by locator.\n\n".to_vec();
    let word = |is_true| if is_true { &b"TRUE"[..] } else { b"FALSE" };
    for cookie in cookies {
        if cookie.is_http_only {
            file.extend(HTTP_ONLY);
        }
        if !cookie.is_host_only {
            file.push(b'.');
        }
        let expires = cookie.expires.unwrap_or_default().to_string();
        let fields = [
            cookie.domain.as_bytes(),
            word(!cookie.is_host_only),
            &cookie.path,
            word(cookie.is_secure),
            expires.as_bytes(),
            &cookie.name,
            &cookie.value,
        ];
        file.extend(fields.join(&b'\t'));
        file.push(b'\n');
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files() {
        let text = "# Netscape HTTP Cookie File\n\n.example.com\tTRUE\t/\tFALSE\t2000000000\ta\tb\n\
            #HttpOnly_h.example\tFALSE\t/x\tTRUE\t0\tc\t\n";
        let found: Vec<_> = cookies(text.as_bytes()).map(Option::unwrap).collect();
        assert_eq!(found[0].domain, "example.com");
        assert_eq!((found[0].is_host_only, found[0].expires), (false, Some(2_000_000_000)));
        assert!(found[1].is_host_only && found[1].is_http_only && found[1].is_secure);
        assert_eq!((found[1].expires, &*found[1].path), (None, &b"/x"[..]));
        let again = written(&found);
        assert_eq!(cookies(&again).flatten().collect::<Vec<_>>(), found);
        assert!(again.ends_with(text.split_once("\n\n").unwrap().1.as_bytes()));
        let of_addresses = "127.0.0.1\tTRUE\t/\tFALSE\t0\ta\tb\n::1\tFALSE\t/\tFALSE\t0\ta\tb\n";
        let found: Vec<_> = cookies(of_addresses.as_bytes()).flatten().collect();
        assert_eq!(cookies(&written(&found)).flatten().collect::<Vec<_>>(), found);
        assert!(found.len() == 2 && found.iter().all(|cookie| cookie.is_host_only));
        // Windows writes CR LF; an empty value may be missing.
        let text = "h.example\tFALSE\t/\tFALSE\t0\ta\tb\r\nh.example\tFALSE\t/\tFALSE\t0\tc\r\n";
        assert!(cookies(text.as_bytes()).all(|cookie| cookie.is_some()));
        for wrong in [
            "a=b",
            "Set-Cookie: a=b",
            "h\tMAYBE\t/\tFALSE\t0\ta\tb",
            "h\tFALSE\t/\tFALSE\tsoon\ta\tb",
            "h\tFALSE\tx\tFALSE\t0\ta\tb",
            ".com\tTRUE\t/\tFALSE\t0\ta\tb",
            "h\tFALSE\t/\tFALSE\t0\ta\tb\u{1}",
            "h\tFALSE\t/\u{1}\tFALSE\t0\ta\tb",
            "h\u{1b}\tFALSE\t/\tFALSE\t0\ta\tb",
            "h \tFALSE\t/\tFALSE\t0\ta\tb",
            "h\tFALSE\t/\tFALSE\t0\ta\u{7f}\tb",
            "h\tFALSE\t/\tFALSE\t0\ta\tb\tc",
            "h\tFALSE\t/\tFALSE\t0\t__Secure-a\tb",
        ] {
            assert_eq!(cookies(wrong.as_bytes()).collect::<Vec<_>>(), [None], "{wrong:?}");
        }
    }
}
