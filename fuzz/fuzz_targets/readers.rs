//! Without an octet or a form that some reader treats differently, all readers contact the same: where
//! the readers do not run, they agree. And a URL that is recognized as plain has no finding: asking for
//! the severity `info`, which makes every check, finds nothing more.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locator_audit::{Auditor, Severity, audit, readings};

/// Pieces of texts, one for each value of an octet that is not of a text itself.
const PIECES: [&str; 96] = [
    "http", "https", "HTTP", "ftp", "ws", "foo", ":", "://", "//", "/", "\\", "@", "?", "#", "good.example", "evil.com",
    "a", "1", "80", ":80", ":0", ":080", ":99999", "127.0.0.1", "0177.1", "0x7f", "08", ".", "..", "[::1]", "[", "]",
    "%2f", "%65", "%", "%zz", "%00", "%0d%0a", "%25", "\t", "\n", "\r", " ", "\0", "\u{1}", "\u{7f}", "ü", "ß", "。", "／",
    "①", "\u{a0}", "\u{feff}", "\u{200d}", ";", "&", "_", "-", "~", "*", "+", ",", "=", "!", "$", "'", "\"", "<", ">", "^",
    "`", "{", "|", "}", "user:pw@", "url:", "URL:", "ftp.", "xn--a", "www.", ".nip.io", ".me", "localhost", ".local",
    "&token=", "12345678", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "hooks.slack.com", "/services/T0A1B2C3D", ".io",
    "metadata.goog", "mailto:", "javascript:", "file:", "xoxb-", "0123456789abcdefghijklmnopqrstuvwxyz",
];

fn of_pieces(octets: &[u8]) -> String {
    octets.iter().take(24).map(|&octet| PIECES[usize::from(octet) % PIECES.len()]).collect()
}

fn check(text: &str) {
    // White space around a text is not part of it.
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let found = audit(text);
    // Findings about a URL within this one are not about its readings.
    let has = |code| found.iter().any(|finding| finding.code().name() == code && !finding.is_enclosed());
    let readings = readings(text);
    let mut all = Auditor::new().least(Severity::Info).audit(text);
    // What IDNA 2003 and IDNA 2008 read differently is only worth a note.
    let is_noted = !text.is_ascii() && all.iter().any(|finding| finding.code().name() == "idna-deviation" && !finding.is_enclosed());
    assert_eq!(has("readers-disagree") || is_noted, !readings.agree(), "{text:?}");
    let is_web = ["http:", "https:"].iter().any(|start| {
        text.get(..start.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(start))
    });
    if is_web && readings.contacts().len() > 1 {
        // A finding about how the host is written says the same.
        let is_reported = ["readers-disagree", "historical-readers-disagree", "login-ends-elsewhere"].map(has);
        let is_odd = found.iter().any(|finding| finding.severity() >= Severity::Medium);
        assert!(is_reported.contains(&true) || is_odd || is_noted, "{text:?}");
    }
    all.retain(|finding| finding.severity() > Severity::Info);
    assert_eq!(found, all, "{text:?}");
}

fuzz_target!(|octets: &[u8]| {
    if let Ok(text) = str::from_utf8(octets) {
        check(text);
    }
    if let Some((first, rest)) = octets.split_first() {
        let start = ["", "http://", "https://", "https://www.good.com", "ftp://", "//"][usize::from(*first) % 6];
        check(&(start.to_owned() + &of_pieces(rest)));
    }
});
