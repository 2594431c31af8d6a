//! The special characters of roff. Returns the text of a name. Follows groff_char(7), and for
//! strings man(7), mdoc(7) and perlpod's macros.

/// Returns the text of `\[name]` or `\(na`.
pub(super) fn character(name: &[u8]) -> Option<String> {
    let name = str::from_utf8(name).ok()?;
    if let Ok(at) = CHARACTERS.binary_search_by(|(known, _)| (*known).cmp(name)) {
        return Some(CHARACTERS[at].1.to_owned());
    }
    if let Some(number) = name.strip_prefix("char") {
        return number.parse::<u8>().ok().map(|octet| char::from(octet).to_string());
    }
    // "\[u1F4A9]", and composed: "\[u0041_0301]"
    let codes = name.strip_prefix('u')?.split('_');
    codes.map(|code| u32::from_str_radix(code, 16).ok().and_then(char::from_u32)).collect()
}

/// Returns the text of the string `\*[name]`, `\*(na` or `\*n` of a macro package.
pub(super) fn string(name: &[u8]) -> Option<&'static str> {
    let name = str::from_utf8(name).ok()?;
    STRINGS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The strings of the packages man, mdoc and pod2man.
const STRINGS: [(&str, &str); 20] = [
    ("lq", "\""),
    ("rq", "\""),
    ("L\"", "\""),
    ("R\"", "\""),
    ("C`", "\""),
    ("C'", "\""),
    ("Lq", "\""),
    ("Rq", "\""),
    ("q", "\""),
    ("Aq", "'"),
    ("--", "-"),
    ("-", "-"),
    ("Lt", "<"),
    ("Gt", ">"),
    ("Am", "&"),
    ("Ba", "|"),
    ("S", ""),
    ("R", "®"),
    ("Tm", "™"),
    ("sp", " "),
];

/// The characters, sorted by name. A character that people use for an ASCII one in URLs has its
/// ASCII form.
const CHARACTERS: &[(&str, &str)] = &[
    ("!=", "≠"),
    ("'A", "Á"),
    ("'C", "Ć"),
    ("'E", "É"),
    ("'I", "Í"),
    ("'O", "Ó"),
    ("'U", "Ú"),
    ("'Y", "Ý"),
    ("'a", "á"),
    ("'c", "ć"),
    ("'e", "é"),
    ("'i", "í"),
    ("'o", "ó"),
    ("'u", "ú"),
    ("'y", "ý"),
    ("*", "*"),
    ("**", "*"),
    ("+-", "±"),
    (",C", "Ç"),
    (",c", "ç"),
    ("-", "-"),
    ("->", "→"),
    ("-D", "Ð"),
    (".i", "ı"),
    (".j", "ȷ"),
    ("/L", "Ł"),
    ("/O", "Ø"),
    ("/l", "ł"),
    ("/o", "ø"),
    ("12", "½"),
    ("14", "¼"),
    ("34", "¾"),
    (":A", "Ä"),
    (":E", "Ë"),
    (":I", "Ï"),
    (":O", "Ö"),
    (":U", "Ü"),
    (":Y", "Ÿ"),
    (":a", "ä"),
    (":e", "ë"),
    (":i", "ï"),
    (":o", "ö"),
    (":u", "ü"),
    (":y", "ÿ"),
    ("<-", "←"),
    ("<=", "≤"),
    ("<>", "↔"),
    ("==", "≡"),
    (">=", "≥"),
    ("AE", "Æ"),
    ("Bq", "„"),
    ("Cs", "¤"),
    ("Do", "$"),
    ("Eu", "€"),
    ("Fc", "»"),
    ("Fi", "ffi"),
    ("Fl", "ffl"),
    ("Fo", "«"),
    ("IJ", "Ĳ"),
    ("OE", "Œ"),
    ("OK", "✓"),
    ("Of", "ª"),
    ("Om", "º"),
    ("Po", "£"),
    ("S1", "¹"),
    ("S2", "²"),
    ("S3", "³"),
    ("Sd", "ð"),
    ("TP", "Þ"),
    ("Tp", "þ"),
    ("Ye", "¥"),
    ("^A", "Â"),
    ("^E", "Ê"),
    ("^I", "Î"),
    ("^O", "Ô"),
    ("^U", "Û"),
    ("^a", "â"),
    ("^e", "ê"),
    ("^i", "î"),
    ("^o", "ô"),
    ("^u", "û"),
    ("`A", "À"),
    ("`E", "È"),
    ("`I", "Ì"),
    ("`O", "Ò"),
    ("`U", "Ù"),
    ("`a", "à"),
    ("`e", "è"),
    ("`i", "ì"),
    ("`o", "ò"),
    ("`u", "ù"),
    ("a^", "^"),
    ("aa", "´"),
    ("ae", "æ"),
    ("aq", "'"),
    ("at", "@"),
    ("a~", "~"),
    ("ba", "|"),
    ("bq", "‚"),
    ("bu", "•"),
    ("bv", "|"),
    ("co", "©"),
    ("coproduct", "∐"),
    ("cq", "’"),
    ("ct", "¢"),
    ("da", "↓"),
    ("dd", "‡"),
    ("de", "°"),
    ("dg", "†"),
    ("di", "÷"),
    ("dq", "\""),
    ("em", "—"),
    ("en", "–"),
    ("eq", "="),
    ("eu", "€"),
    ("f/", "⁄"),
    ("fc", "›"),
    ("ff", "ff"),
    ("fi", "fi"),
    ("fl", "fl"),
    ("fm", "′"),
    ("fo", "‹"),
    ("ga", "`"),
    ("ha", "^"),
    ("hy", "-"),
    ("if", "∞"),
    ("ij", "ĳ"),
    ("lB", "["),
    ("lC", "{"),
    ("la", "<"),
    ("lq", "“"),
    ("mc", "µ"),
    ("md", "⋅"),
    ("mi", "-"),
    ("mu", "×"),
    ("no", "¬"),
    ("oA", "Å"),
    ("oa", "å"),
    ("oe", "œ"),
    ("oq", "‘"),
    ("or", "|"),
    ("pc", "·"),
    ("pl", "+"),
    ("ps", "¶"),
    ("r!", "¡"),
    ("r?", "¿"),
    ("rB", "]"),
    ("rC", "}"),
    ("ra", ">"),
    ("rg", "®"),
    ("rq", "”"),
    ("rs", "\\"),
    ("ru", "_"),
    ("sc", "§"),
    ("sd", "″"),
    ("sh", "#"),
    ("sl", "/"),
    ("sq", "□"),
    ("ss", "ß"),
    ("t+-", "±"),
    ("ti", "~"),
    ("tm", "™"),
    ("ua", "↑"),
    ("ul", "_"),
    ("vS", "Š"),
    ("vZ", "Ž"),
    ("vs", "š"),
    ("vz", "ž"),
    ("~=", "≅"),
    ("~A", "Ã"),
    ("~N", "Ñ"),
    ("~O", "Õ"),
    ("~a", "ã"),
    ("~n", "ñ"),
    ("~o", "õ"),
    ("~~", "≈"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(CHARACTERS.is_sorted_by(|first, second| first.0 < second.0));
    }

    #[test]
    fn characters_are_known_by_name_and_code() {
        for (name, text) in [
            ("ti", "~"),
            ("ha", "^"),
            ("rs", "\\"),
            ("u007E", "~"),
            ("u0061_0308", "a\u{308}"),
            ("char126", "~"),
        ] {
            assert_eq!(character(name.as_bytes()).as_deref(), Some(text));
        }
        for name in ["", "u", "u_", "uXY", "char300", "nosuch"] {
            assert_eq!(character(name.as_bytes()), None);
        }
    }
}
