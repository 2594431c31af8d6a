//! What a label looks like: takes letters, and returns their scripts, or the ASCII letters that they
//! look like.
//!
//! The data are those of UAX 24 (scripts) and UTS 39 (which characters look alike), Unicode 18, by
//! the crates `unicode-script` and `unicode-security`.

use alloc::string::String;
use alloc::vec::Vec;

use unicode_script::{Script, ScriptExtension, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

/// Returns whether the code point is not assigned, for private use, or a noncharacter (UAX 24: script
/// "Unknown").
pub(crate) fn is_unassigned(c: char) -> bool {
    c.script() == Script::Unknown
}

/// Returns whether a text has scripts that UTS 39 does not allow beside each other at the level
/// "highly restrictive" (5.2): all characters are of one script, or of Latin and one of the writing
/// systems of China, Japan and Korea.
pub(crate) fn is_mixed(letters: &str) -> bool {
    let (mut all, mut not_latin) = (AugmentedScriptSet::default(), AugmentedScriptSet::default());
    for c in letters.chars().filter(|c| !is_unassigned(*c)) {
        let scripts = AugmentedScriptSet::for_char(c);
        all.intersect_with(scripts);
        if !scripts.base.contains_script(Script::Latin) {
            not_latin.intersect_with(scripts);
        }
    }
    all.is_empty() && !(not_latin.hanb || not_latin.jpan || not_latin.kore)
}

/// Returns the names of the scripts of a text, in the order in which they begin.
pub(crate) fn script_names(letters: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in letters.chars().filter_map(script).map(Script::full_name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the script of a character; `None` for those of no script or of several.
fn script(c: char) -> Option<Script> {
    Some(c.script()).filter(|script| !matches!(script, Script::Common | Script::Inherited | Script::Unknown))
}

/// Returns the ASCII text that a label of another script looks like, if each of its letters looks
/// like an ASCII letter or digit (UTS 39, 4.1), marks aside.
///
/// A label under a top-level domain with letters of its script, or of a country that writes in it, is
/// not meant to be read as Latin; Chromium shows it, too (`idn_spoof_checker.cc`).
pub(crate) fn whole_script_look(label: &str, top: &str) -> Option<String> {
    let written = label.chars().find_map(script).filter(|script| *script != Script::Latin)?;
    let is_at_home = |(of, countries): &(Script, &[&str])| *of == written && countries.contains(&top);
    if top.chars().any(|c| c.script() == written) || COUNTRIES.iter().any(is_at_home) {
        return None;
    }
    let looks_ascii = label.chars().all(|c| looks_ascii(c, written));
    looks_ascii.then(|| skeleton(label).filter(|c| !is_mark(*c)).collect())
}

fn looks_ascii(c: char, written: Script) -> bool {
    let is_of_script = ScriptExtension::from(c).contains_script(written);
    let mut octets = [0; 4];
    let mut prototype = skeleton(c.encode_utf8(&mut octets)).filter(|c| !is_mark(*c)).peekable();
    c.is_ascii_digit()
        || c == '-'
        || is_mark(c)
        || is_of_script && prototype.peek().is_some() && prototype.all(|c| c.is_ascii_alphanumeric())
}

/// The top-level domains of countries that write in a script, by Chromium's list (`kWholeScriptConfusables`,
/// commit 05eaa06 of 2022).
static COUNTRIES: [(Script, &[&str]); 8] = [
    (Script::Armenian, &["am"]),
    (Script::Cyrillic, &["bg", "by", "kz", "pyc", "ru", "su", "ua", "uz"]),
    (Script::Ethiopic, &["er", "et"]),
    (Script::Georgian, &["ge"]),
    (Script::Greek, &["gr"]),
    (Script::Hebrew, &["il"]),
    (Script::Myanmar, &["mm"]),
    (Script::Thai, &["th"]),
];

/// Returns the ASCII delimiter that a symbol looks like. Letters of a script look like delimiters only
/// to people that do not read the script.
pub(crate) fn delimiter_look(c: char) -> Option<char> {
    if c.is_ascii() || script(c).is_some() {
        return None;
    }
    let mut octets = [0; 4];
    let mut prototype = skeleton(c.encode_utf8(&mut octets));
    let first = prototype.next().filter(|c| "/\\?#@:.".contains(*c))?;
    prototype.next().is_none().then_some(first)
}

/// Returns a text that is the same for all labels that look alike: the skeleton of UTS 39 (4) without
/// marks and in lower case, and with what `LETTERS` and `PAIRS` have.
pub(crate) fn look(letters: &str) -> String {
    let mut look = String::with_capacity(letters.len());
    for c in skeleton(letters).filter(|c| !is_mark(*c)).flat_map(char::to_lowercase) {
        let like = LETTERS.iter().find(|(letter, _)| *letter == c);
        match like {
            Some((_, ascii)) => look.push_str(ascii),
            None => look.push(c),
        }
        for (pair, letter) in PAIRS {
            if look.ends_with(pair) {
                look.truncate(look.len() - pair.len());
                look.push_str(letter);
            }
        }
    }
    // "I" looks like "l", which looks like "1".
    look.replace('i', "l")
}

/// The marks over and under letters of Latin, Greek and Cyrillic, which are easily overlooked.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// Prototypes of UTS 39 that look like ASCII letters in many fonts: small capitals, and others.
static LETTERS: [(char, &str); 13] = [
    ('ʙ', "b"),
    ('ʜ', "h"),
    ('ĸ', "k"),
    ('ᴋ', "k"),
    ('ʍ', "rn"),
    ('ᴍ', "rn"),
    ('ᴛ', "t"),
    ('π', "n"),
    ('ƅ', "b"),
    ('є', "e"),
    ('χ', "x"),
    ('ʟ', "l"),
    ('ʀ', "r"),
];

/// Pairs of letters that look like one.
const PAIRS: [(&str, &str); 2] = [("vv", "w"), ("cl", "d")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_scripts() {
        for (label, expected) in [
            ("example-1", false),
            ("münchen", false),
            ("日本語", false),
            ("toヨタt", false),
            ("ㄅ漢a", false),
            ("한漢a", false),
            ("ひ한", true),
            ("pаypal", true),
            ("αlpha", true),
            ("кино24", false),
            ("кино-hd", true),
            ("i\u{2764}", false),
            ("a\u{378}", false),
            ("a\u{301}", false),
        ] {
            assert_eq!(is_mixed(label), expected, "{label}");
        }
    }

    #[test]
    fn labels_that_look_like_latin() {
        for (label, top, expected) in [
            ("аррӏе", "com", Some("apple")),
            ("аррӏе-1", "com", Some("apple-l")),
            ("аррӏе", "ru", None),
            ("аррӏе", "рф", None),
            ("аррӏе", "台灣", Some("apple")),
            ("москва", "com", None),
            ("кремль", "com", None),
            ("ουνο", "com", Some("ouvo")),
            ("münchen", "de", None),
            ("日本語", "jp", None),
            ("-", "com", None),
            ("apple", "com", None),
        ] {
            assert_eq!(whole_script_look(label, top).as_deref(), expected, "{label}.{top}");
        }
    }

    #[test]
    fn symbols_that_look_like_delimiters() {
        for (c, expected) in
            [('\u{2044}', Some('/')), ('\u{2236}', Some(':')), ('ノ', None), ('/', None), ('é', None)]
        {
            assert_eq!(delimiter_look(c), expected, "{c}");
        }
    }

    #[test]
    fn looks() {
        for (one, other) in [
            ("paypal", "paypa1"),
            ("paypal", "pаураӏ"),
            ("paypal", "paypai"),
            ("microsoft", "rnicr0soft"),
            ("google", "gοοɡle"),
            ("github", "gíthub"),
            ("whatsapp", "vvhatsapp"),
            ("docusign", "clocusign"),
            ("market", "маrкет"),
        ] {
            assert_eq!(look(one), look(other), "{one} {other}");
        }
        for (one, other) in [("paypal", "paypals"), ("city", "dty"), ("google", "goggle"), ("de", "cle-")] {
            assert_ne!(look(one), look(other), "{one} {other}");
        }
    }

    #[test]
    fn what_is_not_assigned() {
        for (c, expected) in
            [('a', false), ('\u{378}', true), ('\u{E000}', true), ('\u{FFFE}', true), ('\u{10FFFD}', true)]
        {
            assert_eq!(is_unassigned(c), expected, "U+{:04X}", u32::from(c));
        }
        let is_assigned = |c: &char| {
            use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
            !matches!(c.general_category(), GeneralCategory::Unassigned | GeneralCategory::PrivateUse)
        };
        // Other versions of the data may know more or fewer characters, but not of these.
        for c in ('\0'..='\u{2FFF}').chain('\u{E000}'..='\u{F8FF}') {
            assert_eq!(is_unassigned(c), !is_assigned(&c), "U+{:04X}", u32::from(c));
        }
    }
}
