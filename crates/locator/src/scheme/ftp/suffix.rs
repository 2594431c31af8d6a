//! The transfer type that the suffix of a name suggests: takes the name of a file, returns whether it
//! is one of a text.
//!
//! "The data content type of a file can only, in the general FTP case, be deduced from the name,
//! normally the suffix of the name. This is not standardized. […] A suitable FTP transfer type (for
//! example binary "I" or text "A") must in turn be deduced from the data content type" (draft of
//! 1994; that of 1993 says so, too). RFC 1738, 3.2.3, leaves the guess to the client.

/// Suffixes of files that are lines of text on every system, in order. A page or a program that
/// declares its character encoding is among them, because type A changes line ends only.
const TEXTS: [&str; 46] = [
    "asc", "bat", "bib", "c", "cc", "cfg", "conf", "cpp", "css", "csv", "diff", "el", "f", "faq", "for", "h",
    "hpp", "htm", "html", "idx", "ini", "java", "js", "json", "log", "lsm", "m3u", "mak", "md", "pas",
    "patch", "pl", "pm", "ps", "py", "rb", "readme", "rs", "sgml", "sh", "tex", "texi", "toml", "tsv", "txt",
    "xml",
];

/// Names without a suffix that texts of public archives have, in lower case.
const NAMES: [&str; 12] = [
    "changelog",
    "changes",
    "copying",
    "faq",
    "index",
    "install",
    "license",
    "ls-lr",
    "makefile",
    "news",
    "readme",
    "todo",
];

/// Returns whether a name is that of a text.
pub(super) fn is_text(name: &[u8]) -> bool {
    let name = name.rsplit(|&octet| octet == b'/').next().unwrap_or_default();
    let is_one_of =
        |names: &[&str], own: &[u8]| names.iter().any(|known| own.eq_ignore_ascii_case(known.as_bytes()));
    match name.iter().rposition(|&octet| octet == b'.') {
        Some(dot) if dot > 0 => is_one_of(&TEXTS, name.get(dot + 1..).unwrap_or_default()),
        _ => is_one_of(&NAMES, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        for text in ["a.txt", "A.TXT", "README", "pub/a.b.html", "ls-lR", "x.tar.txt"] {
            assert!(is_text(text.as_bytes()), "{text}");
        }
        for other in ["a.tar.gz", "txt", ".txt", "a.", "", "a.txt.Z", "README.gz", "ls-lR.Z", "a.txt/b"] {
            assert!(!is_text(other.as_bytes()), "{other}");
        }
    }
}
