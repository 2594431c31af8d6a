//! The escape sequences of roff and its special characters. Returns the meaning and the length of an
//! escape sequence, and the text of a name. Follows groff(7), "Escape sequence reference", groff_char(7),
//! and for strings man(7), mdoc(7) and perlpod's macros.

use crate::decode::Escape;
use Meaning::{Gap, Interpolation, Joins, Nothing, Text, Unknown};
use memchr::memchr;

/// The meaning of an escape sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Characters.
    Text(String),
    /// Fonts, sizes, colours, motions and break points: no character.
    Nothing,
    /// A word separator: a drawn line or the start of a comment.
    Gap,
    /// `\c`: the next line follows without a space.
    Joins,
    /// A string with this name.
    Interpolation(Vec<u8>),
    /// A value known only to the formatter, such as a register or an argument of a macro.
    Unknown,
}

/// Reads the escape sequence at the start of a text. In copy mode, as in the definition of a macro,
/// a "\" may itself be escaped.
pub(super) fn escape_at(rest: &[u8], is_copied: bool) -> Escape<Meaning> {
    let Some(&letter) = rest.get(1) else { return Escape::new(Nothing, 1) };
    let after = &rest[2..];
    match letter {
        b'\n' => Escape::new(Nothing, 2),
        b'\r' if after.first() == Some(&b'\n') => Escape::new(Nothing, 3),
        b'\\' if is_copied => Escape::new(Nothing, 1),
        b'\\' | b'e' | b'E' => Escape::new(Text("\\".into()), 2),
        b' ' | b'~' | b'0' => Escape::new(Text(" ".into()), 2),
        b'a' | b't' => Escape::new(Text("\t".into()), 2),
        b'"' | b'#' => Escape::new(Gap, 2),
        b'c' => Escape::new(Joins, 2),
        b'&' | b')' | b'/' | b',' | b':' | b'%' | b'|' | b'^' | b'{' | b'}' | b'!' | b'?' => {
            Escape::new(Nothing, 2)
        }
        b'd' | b'u' | b'r' | b'p' | b'z' => Escape::new(Nothing, 2),
        b'f' | b'F' | b'm' | b'M' | b'g' | b'k' | b'O' | b'Y' => {
            Escape::new(Nothing, 2 + name_at(after).length)
        }
        b's' => Escape::new(Nothing, 2 + size_at(after)),
        b'(' | b'[' => {
            let Escape { means: name, length } = name_at(&rest[1..]);
            // An unknown character ends a URL.
            Escape::new(character(name).map_or(Gap, Text), 1 + length)
        }
        b'*' => {
            let Escape { means: name, length } = name_at(after);
            Escape::new(Interpolation(name.to_vec()), 2 + length)
        }
        b'n' => {
            let sign = usize::from(matches!(after.first(), Some(b'+' | b'-')));
            Escape::new(Unknown, 2 + sign + name_at(&after[sign..]).length)
        }
        b'$' | b'V' => Escape::new(Unknown, 2 + name_at(after).length),
        letter if DELIMITED.contains(&letter) => delimited_at(letter, after),
        // "If a backslash is followed by a character that does not constitute a defined escape
        // sequence, the backslash is ignored".
        0x80.. => Escape::new(Nothing, 1),
        letter => Escape::new(Text(char::from(letter).into()), 2),
    }
}

/// Escapes whose argument is between two equal characters.
const DELIMITED: &[u8] = b"AbBCDhHlLNoRSvwxXZ";

/// Reads the name in `x`, `(xx` or `[xxx]`.
fn name_at(after: &[u8]) -> Escape<&[u8]> {
    let line = line_of(after);
    match line {
        [b'(', _, b' ', ..] => Escape::new(&line[1..2], 3),
        [b'(', _, _, ..] => Escape::new(&line[1..3], 3),
        [b'[', name @ ..] => match memchr(b']', name) {
            Some(length) => Escape::new(&name[..length], length + 2),
            None => Escape::new(&[], 1),
        },
        [_, ..] => Escape::new(&line[..1], 1),
        [] => Escape::new(&[], 0),
    }
}

/// Returns the length of a size: `N`, `NN` from 10 to 39, `±N`, `(NN`, `±(NN`, `(±NN`, `[N]`,
/// `±[N]`, `'N'`, `±'N'`.
fn size_at(after: &[u8]) -> usize {
    let line = line_of(after);
    let is_sign = |octet: Option<&u8>| usize::from(matches!(octet, Some(b'+' | b'-')));
    let sign = is_sign(line.first());
    match &line[sign..] {
        [b'(', inner @ ..] => line.len().min(sign + 1 + is_sign(inner.first()) + 2),
        [b'[', inner @ ..] => memchr(b']', inner).map_or(sign, |length| sign + length + 2),
        [b'\'', inner @ ..] => memchr(b'\'', inner).map_or(sign, |length| sign + length + 2),
        // "\s10" is not "\s1" and "0", for compatibility with old documents.
        [b'1'..=b'3', second, ..] if sign == 0 && second.is_ascii_digit() => 2,
        [digit, ..] if digit.is_ascii_digit() => sign + 1,
        _ => sign,
    }
}

fn delimited_at(letter: u8, after: &[u8]) -> Escape<Meaning> {
    let printed = || Escape::new(Text(char::from(letter).into()), 2);
    let line = line_of(after);
    let Some((&delimiter, inner)) = line.split_first() else { return printed() };
    let Some(length) = argument_length(inner, delimiter) else { return printed() };
    let argument = &inner[..length];
    let meaning = match letter {
        b'C' => character(argument).map_or(Gap, Text),
        b'N' => {
            let number = str::from_utf8(argument).ok().and_then(|digits| digits.parse().ok());
            number.filter(u8::is_ascii).map_or(Gap, |octet| Text(char::from(octet).into()))
        }
        b'A' | b'B' | b'w' => Unknown,
        b'D' | b'l' | b'L' | b'X' => Gap,
        _ => Nothing,
    };
    Escape::new(meaning, 2 + length + 2)
}

/// Returns the length of an argument, which may contain others: `\h'\w'x'u'`.
fn argument_length(inner: &[u8], delimiter: u8) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < inner.len() {
        match &inner[at..] {
            [b'\\', letter, next, ..] if *next == delimiter && DELIMITED.contains(letter) => {
                (depth, at) = (depth + 1, at + 2);
            }
            [octet, ..] if *octet == delimiter && depth == 0 => return Some(at),
            [octet, ..] if *octet == delimiter => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The maximum length of an escape sequence.
const LONGEST: usize = 1024;

fn line_of(after: &[u8]) -> &[u8] {
    let near = &after[..after.len().min(LONGEST)];
    &near[..memchr(b'\n', near).unwrap_or(near.len())]
}

/// Returns the text of `\[name]` or `\(na`.
fn character(name: &[u8]) -> Option<String> {
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

    #[track_caller]
    fn reads(escape: &str, meaning: &Meaning, length: usize) {
        assert_eq!(escape_at(escape.as_bytes(), false), Escape::new(meaning.clone(), length), "{escape}");
    }

    #[test]
    fn an_escape_sequence_has_its_length() {
        for escape in [
            r"\fB",
            r"\f(CW",
            r"\f[CB]",
            r"\s0",
            r"\s-1",
            r"\s10",
            r"\s(12",
            r"\s+(12",
            r"\s(+12",
            r"\s[8]",
            r"\s-[8]",
            r"\s'8'",
            r"\s+'8'",
            r"\m[red]",
            r"\mr",
            r"\M(bl",
            r"\&",
            r"\:",
            r"\%",
            r"\/",
            r"\,",
            r"\)",
            r"\|",
            r"\^",
            r"\d",
            r"\kx",
            r"\h'-1p'",
            r"\h'\w'x'u'",
            r"\v|1|",
            r"\z",
            "\\\n",
        ] {
            reads(&format!("{escape}http"), &Nothing, escape.len());
        }
        for (escape, text) in [
            (r"\-", "-"),
            (r"\e", "\\"),
            (r"\\", "\\"),
            (r"\(ti", "~"),
            (r"\[ti]", "~"),
            (r"\(ha", "^"),
            (r"\[u007E]", "~"),
            (r"\C'ti'", "~"),
            (r"\N'126'", "~"),
            (r"\ ", " "),
            (r"\~", " "),
            (r"\0", " "),
            (r"\'", "'"),
            (r"\.", "."),
            (r"\q", "q"),
        ] {
            reads(&format!("{escape}http"), &Text(text.into()), escape.len());
        }
        for escape in [r"\n(.g", r"\n+x", r"\n[a b]", r"\$1", r"\$(12", r"\V[HOME]", r"\w'x'"] {
            reads(&format!("{escape}http"), &Unknown, escape.len());
        }
    }

    #[test]
    fn what_is_cut_off_has_an_end() {
        for escape in [
            "\\", r"\f", r"\f(", r"\f[", r"\s", r"\s(", r"\s+[", r"\n+", r"\*", r"\h", r"\h'", r"\h'a",
            r"\(", r"\(a", r"\[", r"\[a",
        ] {
            let length = escape_at(escape.as_bytes(), false).length;
            assert!((1..=escape.len()).contains(&length), "{escape}: {length}");
        }
    }

    #[test]
    fn a_copied_backslash_is_escaped() {
        assert_eq!(escape_at(br"\\$1", true), Escape::new(Nothing, 1));
    }

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
