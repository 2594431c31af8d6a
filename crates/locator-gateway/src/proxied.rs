//! The gateway as a proxy: a request has a URL in place of a path (RFC 9112, 3.2.2), as clients of 1994 send
//! it for every scheme. The links of pages are the URLs themselves.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::header;
use hyper::{Response, StatusCode};

use super::asked::Asked;
use super::content::Content;
use super::fields::Fields;
use super::headers::see_other;
use super::pages;
use super::refusal::Refusal;

/// Checks the key, which a proxy gets as a password: its clients have no path to put it in.
pub(super) fn check_key(asked: &Asked<'_>) -> Result<(), Refusal> {
    let Some(key) = &asked.server.key else { return Ok(()) };
    let given = asked.head.headers.get(header::PROXY_AUTHORIZATION);
    let password = given.and_then(|given| password(given.as_bytes()));
    match password.is_some_and(|password| key.is(&password)) {
        true => Ok(()),
        false => {
            let why = "the proxy needs the key in the printed address as its password";
            Err(Refusal::new(StatusCode::PROXY_AUTHENTICATION_REQUIRED, why))
        }
    }
}

/// Returns the password of credentials by Basic (RFC 7617, 2).
fn password(credentials: &[u8]) -> Option<Vec<u8>> {
    let (scheme, token) = credentials.split_at_checked(6)?;
    let octets = STANDARD.decode(token.trim_ascii()).ok()?;
    let colon = octets.iter().position(|octet| *octet == b':')?;
    scheme.eq_ignore_ascii_case(b"basic ").then(|| octets[colon + 1..].to_vec())
}

/// Answers a request for a URL.
pub(super) async fn answer(asked: &Asked<'_>) -> Result<Response<Content>, Refusal> {
    if asked.head.method == hyper::Method::POST {
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "the proxy takes no form (POST)"));
    }
    let text = asked.head.uri.to_string();
    let scheme = asked.head.uri.scheme_str().unwrap_or_default();
    if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
        let refusal = Refusal::new(StatusCode::NOT_IMPLEMENTED, "this proxy does not fetch http and https");
        return Err(refusal.advise("Use it for ftp, gopher, wais and news only."));
    }
    match with_words(asked, &text)? {
        Some(url) => Ok(see_other(&url)),
        None => asked.object(&text).await,
    }
}

/// Returns the URL of a search with the words that a client has asked for. It adds them as a query, with "+" in
/// place of blanks, as to the address of any document with ISINDEX.
fn with_words(asked: &Asked<'_>, text: &str) -> Result<Option<String>, Refusal> {
    let Some((url, query)) = text.split_once('?') else { return Ok(None) };
    let search = asked.parsed(url)?;
    if pages::search_form(&asked.server.links(), search.as_uri_ref()).is_none() {
        return Ok(None);
    }
    let fields = Fields::parse(query.as_bytes());
    let words =
        fields.get("words").or(fields.all().first().map(|(name, _)| name.as_str())).unwrap_or_default();
    let found = pages::search_url(search.as_uri_ref(), words, asked.server.edition);
    // The query of wais is where the words belong.
    found.map(|url| Some(url).filter(|url| url != text)).map_err(Refusal::bad_request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_a_password() {
        for (credentials, expected) in [
            ("Basic eDprZXk=", Some(&b"key"[..])),
            ("basic OmE6Yg==", Some(b"a:b")),
            ("Bearer eDprZXk=", None),
            ("Basic eA==", None),
            ("Basic", None),
            ("", None),
        ] {
            assert_eq!(password(credentials.as_bytes()).as_deref(), expected, "{credentials}");
        }
    }
}
