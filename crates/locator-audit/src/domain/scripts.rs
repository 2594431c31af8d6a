//! Which letters a label has, and whether they are used as people use them (UTS 39, UAX 24, UAX 31): takes a label in
//! letters and its top-level domain, returns what is unusual about it.
//!
//! Scripts that are mixed, digits of several systems, marks that are not seen, letters that look like others and are
//! where nobody writes them. The scripts are those of UAX 24 by the crate `unicode-script`, which characters are allowed
//! in identifiers and what they look like those of UTS 39 by the crate `unicode-security`, both Unicode 18. What UTS 39
//! has no data for is in tables here: each row was judged by the shapes of the letters in common fonts of screens.
//!
//! ```text
//! assert!(is_mixed("p\u{430}ypal"));
//! assert_eq!(whole_script_look("\u{430}\u{440}\u{440}\u{4CF}\u{435}", "com").as_deref(), Some("apple"));
//! assert_eq!(digit_look("1\u{437}"), Some("13".into()));
//! ```

use alloc::string::String;
use alloc::vec::Vec;

use unicode_script::{Script, ScriptExtension, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::{GeneralSecurityProfile, skeleton};

use crate::domain::idna::is_mark as is_any_mark;

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

/// Returns a letter of Latin beyond ASCII in a text that has letters of China, Japan or Korea, too. UTS 39, 5.2, allows
/// that, but nobody writes so: what is mixed there is plain ASCII.
pub(crate) fn latin_beyond_ascii_among_cjk(letters: &str) -> Option<char> {
    let is_other = |c: char| script(c).is_some_and(|script| script != Script::Latin);
    if !letters.chars().any(is_other) {
        return None;
    }
    letters.chars().find(|c| !c.is_ascii() && c.script() == Script::Latin)
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
pub(crate) fn script(c: char) -> Option<Script> {
    Some(c.script()).filter(|script| !matches!(script, Script::Common | Script::Inherited | Script::Unknown))
}

/// Returns whether a character is used in one of these scripts, and not in all.
fn is_used_in(c: char, scripts: &[Script]) -> bool {
    let used = ScriptExtension::from(c);
    !used.is_common() && !used.is_inherited() && scripts.iter().any(|script| used.contains_script(*script))
}

const KANA: [Script; 2] = [Script::Hiragana, Script::Katakana];
const JAPANESE: [Script; 3] = [Script::Hiragana, Script::Katakana, Script::Han];
const EAST_ASIAN: [Script; 4] = [Script::Hiragana, Script::Katakana, Script::Han, Script::Bopomofo];

/// Returns the ASCII text that a label of another script looks like, if each letter of that script looks like an ASCII
/// letter or digit (UTS 39, 4.1).
///
/// A label under a top-level domain with letters of its script, or of a country that writes in it, is
/// not meant to be read as Latin; Chromium shows it, too (`idn_spoof_checker.cc`).
pub(crate) fn whole_script_look(label: &str, top: &str) -> Option<String> {
    let written = label.chars().find_map(script).filter(|script| is_like_latin(*script))?;
    let is_at_home = |(of, countries): &(Script, &[&str])| *of == written && countries.contains(&top);
    if top.chars().any(|c| c.script() == written) || COUNTRIES.iter().any(is_at_home) {
        return None;
    }
    let mut look = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            '0'..='9' | 'a'..='z' | '-' => look.push(c),
            _ if ScriptExtension::from(c).contains_script(written) => push_look(c, &mut look)?,
            _ => return None,
        }
    }
    Some(look)
}

/// Returns whether some letters of a script look like Latin ones. The letters of Arabic are joined, and those of China,
/// Japan and Korea fill squares.
const fn is_like_latin(script: Script) -> bool {
    !matches!(
        script,
        Script::Latin
            | Script::Arabic
            | Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Hangul
            | Script::Bopomofo
    )
}

/// Appends what a letter looks like; `None` if it looks like no ASCII letter or digit.
fn push_look(c: char, look: &mut String) -> Option<()> {
    if let Ok(at) = LIKE_LATIN.binary_search_by_key(&c, |row| row.0) {
        look.push_str(LIKE_LATIN.get(at)?.1);
        return Some(());
    }
    if UNLIKE_LATIN.contains(&c) {
        return None;
    }
    let mut octets = [0; 4];
    let start = look.len();
    look.extend(skeleton(c.encode_utf8(&mut octets)).flat_map(char::to_lowercase));
    let added = look.get(start..)?;
    (!added.is_empty() && added.bytes().all(|octet| octet.is_ascii_alphanumeric())).then_some(())
}

/// Letters whose prototype in UTS 39 is ASCII, although few would take them for it in a word.
static UNLIKE_LATIN: [char; 3] = ['\u{3C3}', '\u{431}', '\u{448}'];

/// Letters and digits of other scripts that look like ASCII in common fonts, beyond the data of UTS 39, which compares
/// single characters and not words. Small capitals are not here, or "москва" would be a word of Latin letters.
#[rustfmt::skip]
static LIKE_LATIN: &[(char, &str)] = &[
    // Greek.
    ('\u{3B7}', "n"), ('\u{3BA}', "k"), ('\u{3C4}', "t"), ('\u{3C7}', "x"), ('\u{3C9}', "w"),
    // Cyrillic.
    ('\u{43A}', "k"), ('\u{43F}', "n"), ('\u{44A}', "b"), ('\u{44B}', "bl"), ('\u{44C}', "b"), ('\u{44E}', "lo"),
    ('\u{50D}', "g"), ('\u{517}', "p"),
    // Armenian.
    ('\u{567}', "t"), ('\u{56C}', "l"), ('\u{580}', "n"),
    // Hebrew.
    ('\u{5D3}', "t"), ('\u{5D7}', "n"), ('\u{5D9}', "i"), ('\u{5F0}', "ll"), ('\u{5F2}', "ii"), ('\u{5F3}', "i"),
    // Devanagari, Bengali, Gurmukhi and Gujarati.
    ('\u{93D}', "s"), ('\u{966}', "o"), ('\u{971}', "i"), ('\u{9E6}', "o"), ('\u{9ED}', "q"), ('\u{A66}', "o"),
    ('\u{A67}', "q"), ('\u{A9F}', "s"), ('\u{AA1}', "s"), ('\u{AE6}', "o"), ('\u{AE7}', "q"),
    // Oriya, Tamil, Telugu, Kannada and Malayalam.
    ('\u{B20}', "o"), ('\u{B66}', "o"), ('\u{B6E}', "r"), ('\u{B9F}', "l"), ('\u{BAA}', "u"), ('\u{BE6}', "o"),
    ('\u{C66}', "o"), ('\u{C67}', "c"), ('\u{CBD}', "s"), ('\u{CE6}', "o"), ('\u{CE7}', "c"), ('\u{D1F}', "s"),
    ('\u{D20}', "o"), ('\u{D27}', "w"), ('\u{D28}', "m"), ('\u{D31}', "o"), ('\u{D66}', "o"),
    // Thai.
    ('\u{E1A}', "u"), ('\u{E1E}', "w"), ('\u{E40}', "l"), ('\u{E41}', "ll"), ('\u{E50}', "o"),
    // Myanmar.
    ('\u{1001}', "o"), ('\u{1002}', "o"), ('\u{1011}', "co"), ('\u{1015}', "u"), ('\u{1042}', "j"), ('\u{1054}', "e"),
    ('\u{105C}', "o"), ('\u{1090}', "o"), ('\u{1091}', "g"), ('\u{1095}', "q"), ('\u{1096}', "m"), ('\u{1097}', "q"),
    // Georgian.
    ('\u{10D8}', "o"), ('\u{10DD}', "m"), ('\u{10EB}', "d"), ('\u{10EE}', "b"),
    // Ethiopic, without the letters that differ by a small stroke.
    ('\u{1200}', "u"), ('\u{1220}', "w"), ('\u{1230}', "n"), ('\u{1235}', "n"), ('\u{1260}', "n"), ('\u{1270}', "t"),
    ('\u{1290}', "i"), ('\u{12A8}', "h"), ('\u{12D0}', "o"), ('\u{12D5}', "o"), ('\u{12D8}', "h"), ('\u{1320}', "m"),
    ('\u{1350}', "t"), ('\u{AB05}', "r"),
];

/// The top-level domains of countries that write in a script: those of Chromium (`kWholeScriptConfusables`, commit
/// 05eaa06 of 2022), Cyprus, and other countries that write Cyrillic.
static COUNTRIES: [(Script, &[&str]); 8] = [
    (Script::Armenian, &["am"]),
    (Script::Cyrillic, &["bg", "by", "kg", "kz", "mk", "mn", "pyc", "rs", "ru", "su", "tj", "ua", "uz"]),
    (Script::Ethiopic, &["er", "et"]),
    (Script::Georgian, &["ge"]),
    (Script::Greek, &["cy", "gr"]),
    (Script::Hebrew, &["il"]),
    (Script::Myanmar, &["mm"]),
    (Script::Thai, &["th"]),
];

/// Returns whether a label has digits of more than one system (UTS 39, 5.3), such as "0" and the zero of Bengali.
pub(crate) fn mixes_digits(letters: &str) -> bool {
    let mut zeros = letters.chars().filter_map(zero_of);
    let first = zeros.next();
    zeros.any(|zero| Some(zero) != first)
}

/// Returns the zero of the digits that a digit belongs to; `None` if the character is not a digit.
fn zero_of(c: char) -> Option<u32> {
    if c.is_ascii_digit() {
        return Some(u32::from('0'));
    }
    let code = u32::from(c);
    let at = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    ZEROS.get(at).copied().filter(|zero| code - zero < 10)
}

/// The zeros of the decimal digits (`General_Category` Nd) that are their own compatibility forms, of Unicode 14.
#[rustfmt::skip]
static ZEROS: [u32; 58] = [
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
    0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
    0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450,
    0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1E140,
    0x1E2F0, 0x1E950,
];

/// Returns the number that a label looks like, if each of its characters is an ASCII digit or looks like one, and at
/// least one only looks like one.
pub(crate) fn digit_look(letters: &str) -> Option<String> {
    if letters.is_ascii() {
        return None;
    }
    let look = |c: char| match c {
        '0'..='9' => Some(c),
        _ => LIKE_DIGITS.iter().find(|(digits, _)| digits.contains(c)).map(|row| row.1),
    };
    letters.chars().map(look).collect()
}

/// Letters and digits of other scripts that look like the ASCII digit after them.
#[rustfmt::skip]
static LIKE_DIGITS: [(&str, char); 7] = [
    ("\u{3B8}", '0'),
    ("\u{968}\u{9E8}\u{A68}\u{AE8}\u{CE9}\u{CED}\u{577}", '2'),
    ("\u{437}\u{499}\u{4E1}\u{909}\u{993}\u{969}\u{A24}\u{A5C}\u{A69}\u{AE9}\u{C69}\u{1012}\u{10D5}\u{10DE}", '3'),
    ("\u{A6B}\u{3110}\u{4E29}", '4'),
    ("\u{573}", '6'),
    ("\u{9EA}\u{A6A}\u{B6B}", '8'),
    ("\u{9ED}\u{A67}\u{AE7}\u{AED}\u{B68}\u{C68}\u{D6D}", '9'),
];

/// What is wrong with a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkFault {
    /// It is there twice at one letter, and is seen once.
    Repeated,
    /// It follows a letter that has no such marks.
    OtherScript,
    /// It is a dot over a letter that has one, or any mark over a letter that was written without its dot.
    Dot,
    /// A mark of Kana that is not joined with its letter.
    Kana,
    /// There are more than four at one letter.
    Many,
}

/// A mark that is hidden, or where no language has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MisplacedMark {
    pub(crate) mark: char,
    pub(crate) fault: MarkFault,
}

/// Returns the first mark of a label that is hidden or where no language has it (UTS 39, 5.4).
pub(crate) fn misplaced_mark(letters: &str) -> Option<MisplacedMark> {
    let (mut base, mut before, mut count) = (' ', None, 0);
    for c in letters.chars() {
        if !is_any_mark(c) {
            (base, before, count) = (c, None, 0);
            continue;
        }
        count += 1;
        let is_dotless = matches!(base, '\u{131}' | '\u{237}');
        let is_general = is_mark(c);
        let fault = match c {
            '\u{3099}' | '\u{309A}' => Some(MarkFault::Kana),
            _ if before == Some(c) => Some(MarkFault::Repeated),
            _ if is_general && is_dotless => Some(MarkFault::Dot),
            '\u{307}' if has_dot(base) => Some(MarkFault::Dot),
            _ if is_general && !is_used_in(base, &[Script::Latin, Script::Greek, Script::Cyrillic]) => {
                Some(MarkFault::OtherScript)
            }
            _ if count > 4 => Some(MarkFault::Many),
            _ => None,
        };
        if let Some(fault) = fault {
            return Some(MisplacedMark { mark: c, fault });
        }
        before = Some(c);
    }
    repeated_in_skeleton(letters)
}

/// Returns a mark that is the same as the one before it, where one of them is a part of a letter: "á" and an acute.
fn repeated_in_skeleton(letters: &str) -> Option<MisplacedMark> {
    let mark = letters.chars().find(|c| is_mark(*c))?;
    let mut before = ' ';
    let is_twice = skeleton(letters).any(|c| core::mem::replace(&mut before, c) == c && is_mark(c));
    is_twice.then_some(MisplacedMark { mark, fault: MarkFault::Repeated })
}

/// Returns whether a dot above a letter is not seen: it has one, or has the place of one.
fn has_dot(c: char) -> bool {
    let mut octets = [0; 4];
    matches!(c, 'l' | '\u{142}' | '\u{4CF}')
        || matches!(skeleton(c.encode_utf8(&mut octets)).next(), Some('i' | 'j' | 'l'))
}

/// The marks over and under letters of Latin, Greek and Cyrillic, which are easily overlooked.
pub(crate) const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// How a letter of China or Japan misleads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misleading {
    /// It looks like this, and is beside letters that are not of China or Japan.
    Beside(char),
    /// It is used only after other letters of Kana, and follows none.
    Alone,
    /// It is of the other syllabary, and looks the same in both.
    OtherKana,
}

/// A letter that misleads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MisleadingLetter {
    pub(crate) letter: char,
    pub(crate) how: Misleading,
}

/// Returns a letter of Kana, Han or Bopomofo that looks like a delimiter or a Latin letter, and is not among letters of
/// China or Japan, where it would be read as what it is.
pub(crate) fn misleading_cjk(letters: &str) -> Option<MisleadingLetter> {
    if letters.is_ascii() {
        return None;
    }
    let mut before = None;
    let mut chars = letters.chars().peekable();
    while let Some(c) = chars.next() {
        let after = chars.peek().copied();
        let is_out =
            |beside: Option<char>, scripts: &[Script]| beside.is_some_and(|c| !is_used_in(c, scripts));
        let looks = |table: &[(&str, char)]| table.iter().find(|(all, _)| all.contains(c)).map(|row| row.1);
        let found = match c {
            '\u{30FC}' if before.is_none_or(|before| !is_used_in(before, &KANA)) => Some(Misleading::Alone),
            '\u{30FD}' | '\u{30FE}'
                if before.is_none_or(|before| !is_used_in(before, &[Script::Katakana])) =>
            {
                Some(Misleading::Alone)
            }
            '\u{30FB}' => {
                let is_letter =
                    |beside: Option<char>| beside.is_some_and(|beside| beside.is_ascii_alphabetic());
                (is_letter(before) || is_letter(after)).then_some(Misleading::Beside('.'))
            }
            _ => match looks(&LIKE_SLASHES).filter(|_| is_out(before, &JAPANESE) && is_out(after, &JAPANESE))
            {
                Some(slash) => Some(Misleading::Beside(slash)),
                None => looks(&LIKE_STROKES)
                    .filter(|_| is_out(before, &EAST_ASIAN) || is_out(after, &EAST_ASIAN))
                    .map(Misleading::Beside),
            },
        };
        if let Some(how) = found {
            return Some(MisleadingLetter { letter: c, how });
        }
        before = Some(c);
    }
    other_kana(letters).map(|letter| MisleadingLetter { letter, how: Misleading::OtherKana })
}

/// Letters that look like "/" or "\" between letters of other scripts.
static LIKE_SLASHES: [(&str, char); 2] =
    [("\u{30CE}\u{30F3}\u{30BD}\u{30BE}\u{4E3F}", '/'), ("\u{4E36}\u{4E40}\u{4E41}", '\\')];

/// Returns the Latin letter or digit that a letter of China or Japan looks like beside such letters.
pub(crate) fn stroke_look(c: char) -> Option<char> {
    if c < '\u{3007}' {
        return None;
    }
    LIKE_STROKES.iter().chain(&LIKE_BOXES).find(|(all, _)| all.contains(c)).map(|row| row.1)
}

/// Han and Kana of daily use that look like Latin letters in a known name only.
static LIKE_BOXES: [(&str, char); 12] = [
    ("\u{53E3}\u{30ED}", 'o'),
    ("\u{5C71}", 'w'),
    ("\u{30A8}", 'i'),
    ("\u{51E0}", 'n'),
    ("\u{5C38}", 'p'),
    ("\u{4E0B}\u{5343}\u{5E72}", 't'),
    ("\u{3057}\u{30EC}", 'l'),
    ("\u{30EA}", 'y'),
    ("\u{4E59}", 'z'),
    ("\u{5DF3}", 'e'),
    ("\u{5F13}", '3'),
    ("\u{4E86}", 'j'),
];

/// Han and Bopomofo that look like "-" or Latin letters beside such letters: few strokes, and parts of other letters.
static LIKE_STROKES: [(&str, char); 14] = [
    ("\u{4E00}\u{3127}\u{4E5B}", '-'),
    ("\u{4E28}", 'l'),
    ("\u{4E03}\u{4E05}\u{4E06}\u{4E01}\u{5341}\u{3112}", 't'),
    ("\u{3007}\u{56D7}", 'o'),
    ("\u{311A}\u{31B3}\u{4E2B}", 'y'),
    ("\u{3128}\u{4E42}", 'x'),
    ("\u{3129}\u{31B2}\u{51F5}", 'u'),
    ("\u{3108}\u{531A}\u{5338}", 'c'),
    ("\u{5182}", 'n'),
    ("\u{5369}", 'p'),
    ("\u{4E85}", 'j'),
    ("\u{5DE5}\u{8BA0}", 'i'),
    ("\u{4E29}\u{3110}", '4'),
    ("\u{311F}\u{31BA}", '\\'),
];

/// Returns a letter that Hiragana and Katakana both have in one shape (he, be, pe), if all others of the label are of
/// the other syllabary.
fn other_kana(letters: &str) -> Option<char> {
    let shared = [('\u{3078}'..='\u{307A}', Script::Katakana), ('\u{30D8}'..='\u{30DA}', Script::Hiragana)];
    shared.into_iter().find_map(|(same, syllabary)| {
        let is_other = |c: char| is_used_in(c, &[syllabary]);
        let is_whole = letters.chars().all(|c| same.contains(&c) || is_other(c));
        let is_inside = !letters.starts_with(|c: char| same.contains(&c))
            && !letters.ends_with(|c: char| same.contains(&c));
        letters.chars().find(|c| same.contains(c)).filter(|_| is_whole && is_inside)
    })
}

/// Why a character is unusual in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusual {
    /// Its script is not in general use (UAX 31, tables 4 and 7).
    Script(&'static str),
    /// It is a symbol or a punctuation mark.
    Symbol,
    /// It looks like a quotation mark or a hyphen.
    Punctuation,
    /// It is of phonetics, of scholars, or of a spelling that is no longer used.
    RareLetter,
    /// UTS 39 does not recommend it, though some language has it.
    Uncommon,
}

/// Returns why a character is unusual in names (UTS 39, 3.1); `None` if it is not.
pub(crate) fn unusual(c: char) -> Option<Unusual> {
    if c.is_ascii() || is_unassigned(c) || matches!(c, '\u{200C}' | '\u{200D}') {
        return None;
    }
    match c {
        // These are "inclusions" of UTS 39: languages need them, and in hosts they are taken for something else.
        '\u{2BB}' | '\u{2BC}' | '\u{2EC}' | '\u{58A}' | '\u{2010}' | '\u{2019}' | '\u{2027}' | '\u{30A0}' => {
            return Some(Unusual::Punctuation);
        }
        _ if is_rare(c) => return Some(Unusual::RareLetter),
        _ => {}
    }
    if let Some(script) = script(c).filter(|script| !script.is_recommended()) {
        return Some(Unusual::Script(script.full_name()));
    }
    match c.identifier_allowed() {
        true => None,
        // These marks and letters distinguish no words of today.
        false if is_any_mark(c) || is_uncommon_latin(c) => Some(Unusual::RareLetter),
        false if script(c).is_some() && c.is_alphanumeric() => Some(Unusual::Uncommon),
        false => Some(Unusual::Symbol),
    }
}

/// Returns whether a character is in a block of Latin letters of few languages or of none, which look like others with
/// a stroke or a hook. UTS 39 recommends some of them.
const fn is_uncommon_latin(c: char) -> bool {
    matches!(c, '\u{180}'..='\u{1BF}' | '\u{1DD}' | '\u{1E5}' | '\u{221}'..='\u{225}' | '\u{234}'..='\u{24F}')
}

/// Returns whether a character is in a block of letters that names of today do not need.
fn is_rare(c: char) -> bool {
    // Vietnamese (from U+1EA0) and Welsh have their letters in "Latin Extended Additional".
    let is_welsh = matches!(c, '\u{1E81}' | '\u{1E83}' | '\u{1E85}');
    !is_welsh
        && matches!(c,
            '\u{138}' | '\u{1C0}'..='\u{1C3}' | '\u{1CD}'..='\u{1DC}' | '\u{250}'..='\u{252}' | '\u{255}' | '\u{258}'
            | '\u{25A}' | '\u{25C}'..='\u{262}' | '\u{264}'..='\u{267}' | '\u{26A}'..='\u{271}' | '\u{273}'..='\u{287}'
            | '\u{28D}'..='\u{291}' | '\u{293}'..='\u{2BA}' | '\u{2BD}'..='\u{2FF}' | '\u{370}'..='\u{373}'
            | '\u{376}' | '\u{377}' | '\u{3D7}'..='\u{3FF}' | '\u{460}'..='\u{487}' | '\u{1100}'..='\u{11FF}'
            | '\u{1C80}'..='\u{1C8F}' | '\u{1D00}'..='\u{1DBF}'
            | '\u{1E00}'..='\u{1E9B}' | '\u{1F00}'..='\u{1FFF}' | '\u{2C60}'..='\u{2C7F}' | '\u{A640}'..='\u{A69F}'
            | '\u{A720}'..='\u{A7FF}' | '\u{A960}'..='\u{A97F}' | '\u{AB30}'..='\u{AB6F}' | '\u{D7B0}'..='\u{D7FF}')
}

/// Returns a letter of the alphabet of one country that is taken for another letter elsewhere, if the label is not under
/// that country's domain: thorn and eth of Iceland, schwa of Azerbaijan, the turned e of Kanuri, and the dot between the l
/// of Catalan.
pub(crate) fn letter_away_from_home(letters: &str, top: &str) -> Option<char> {
    let is_away = |c: &char| AT_HOME.iter().any(|(letter, tops)| letter == c && !tops.contains(&top));
    // A label of one letter is no word that is read as another.
    letters.chars().nth(1)?;
    letters.chars().find(is_away)
}

/// Letters, and the top-level domains where people know them.
static AT_HOME: [(char, &[&str]); 5] = [
    ('\u{B7}', &["cat"]),
    ('\u{F0}', &["is", "fo"]),
    ('\u{FE}', &["is"]),
    ('\u{1DD}', &["ng", "ne", "td", "cm"]),
    ('\u{259}', &["az"]),
];

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
            ("аррӏе-1", "com", Some("apple-1")),
            ("аррӏе", "ru", None),
            ("аррӏе", "рф", None),
            ("аррӏе", "台灣", Some("apple")),
            ("ск", "com", Some("ck")),
            ("ѕсоре", "рф", None),
            ("москва", "com", None),
            ("ά", "com", None),
            ("সেবা", "com", None),
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

    #[test]
    fn tables_are_sorted() {
        assert!(LIKE_LATIN.is_sorted_by(|one, other| one.0 < other.0));
        assert!(ZEROS.is_sorted_by(|one, other| one + 9 < *other));
    }

    #[test]
    fn digits() {
        for (label, is_mixed, look) in [
            ("2024", false, None),
            ("\u{967}\u{968}", false, None),
            ("1\u{968}", true, Some("12")),
            ("\u{9E7}\u{967}", true, None),
            ("1\u{437}", false, Some("13")),
            ("1\u{437}a", false, None),
        ] {
            assert_eq!((mixes_digits(label), digit_look(label).as_deref()), (is_mixed, look), "{label}");
        }
    }

    #[test]
    fn marks() {
        for (label, expected) in [
            ("m\u{FC}nchen", None),
            ("x\u{302}", None),
            ("e\u{301}\u{301}", Some(MarkFault::Repeated)),
            ("\u{E9}\u{301}", Some(MarkFault::Repeated)),
            ("\u{131}\u{302}", Some(MarkFault::Dot)),
            ("i\u{307}", Some(MarkFault::Dot)),
            ("l\u{307}", Some(MarkFault::Dot)),
            ("\u{5D0}\u{301}", Some(MarkFault::OtherScript)),
            ("1\u{301}", Some(MarkFault::OtherScript)),
            ("\u{304B}\u{3099}", Some(MarkFault::Kana)),
        ] {
            assert_eq!(misplaced_mark(label).map(|found| found.fault), expected, "{label}");
        }
    }

    #[test]
    fn letters_of_china_and_japan() {
        use Misleading::{Alone, Beside, OtherKana};
        for (label, expected) in [
            ("\u{30CE}\u{30F3}\u{30BD}", None),
            ("a\u{30CE}b", Some(Beside('/'))),
            ("\u{30D3}\u{30CE}b6", None),
            ("a\u{4E00}", Some(Beside('-'))),
            ("\u{4E00}\u{756A}", None),
            ("ab\u{30FC}c", Some(Alone)),
            ("\u{30FC}\u{30A2}", Some(Alone)),
            ("\u{30C7}\u{30FC}\u{30BF}", None),
            ("\u{3042}\u{30FD}", Some(Alone)),
            ("a\u{30FB}b", Some(Beside('.'))),
            ("\u{30A2}\u{30FB}\u{30A2}", None),
            ("\u{30CB}\u{3078}\u{30A2}", Some(OtherKana)),
            ("\u{3078}\u{3084}", None),
        ] {
            assert_eq!(misleading_cjk(label).map(|found| found.how), expected, "{label}");
        }
    }

    #[test]
    fn unusual_characters() {
        for (c, expected) in [
            ('a', None),
            ('\u{E9}', None),
            ('\u{1EA1}', None),
            ('\u{1E85}', Some(Unusual::Uncommon)),
            ('\u{13A0}', Some(Unusual::Script("Cherokee"))),
            ('\u{16A0}', Some(Unusual::Script("Runic"))),
            ('\u{2764}', Some(Unusual::Symbol)),
            ('\u{2BC}', Some(Unusual::Punctuation)),
            ('\u{1F05}', Some(Unusual::RareLetter)),
            ('\u{163}', Some(Unusual::Uncommon)),
            ('\u{640}', Some(Unusual::Symbol)),
            ('\u{6D4}', Some(Unusual::Symbol)),
            ('\u{20E3}', Some(Unusual::RareLetter)),
            ('\u{237}', Some(Unusual::RareLetter)),
            ('\u{199}', None),
            ('\u{5B8}', Some(Unusual::RareLetter)),
        ] {
            assert_eq!(unusual(c), expected, "{c}");
        }
        assert_eq!(letter_away_from_home("\u{FE}ing", "com"), Some('\u{FE}'));
        assert_eq!(letter_away_from_home("\u{FE}ing", "is"), None);
        assert_eq!(letter_away_from_home("\u{FE}", "com"), None);
        assert_eq!(latin_beyond_ascii_among_cjk("caf\u{E9}\u{65E5}"), Some('\u{E9}'));
        assert_eq!(latin_beyond_ascii_among_cjk("cafe\u{65E5}"), None);
    }
}
