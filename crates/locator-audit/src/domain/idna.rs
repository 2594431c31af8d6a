//! Whether a label is one that IDNA 2008 allows: takes an A-label (`xn--…`) or a label in letters, returns the rule that
//! it breaks (RFC 5891, 4 and 5; RFC 5892, appendix A; RFC 5893, 2).
//!
//! An A-label must decode by Punycode (RFC 3492), and its letters must encode to the same A-label; a label in letters
//! must not begin with a mark, and joiners, some punctuation and letters that are written from right to left are allowed
//! in some places only. The properties of characters are those that the crate `idna` uses.
//!
//! ```text
//! assert_eq!(fault_of_a_label("xn--z", false), Some(Fault::Punycode));
//! assert_eq!(fault("\u{301}a", false), Some(Fault::LeadingMark('\u{301}')));
//! ```

use alloc::format;
use alloc::string::String;
use core::iter;

use idna_adapter::{
    Adapter, FIRST_BC_MASK, LAST_LTR_MASK, LAST_RTL_MASK, LEFT_OR_DUAL_JOINING_MASK, MIDDLE_LTR_MASK,
    MIDDLE_RTL_MASK, RIGHT_OR_DUAL_JOINING_MASK, RTL_MASK,
};
use unicode_script::{Script, ScriptExtension, UnicodeScript};

use crate::domain::labels::{ACE_PREFIX, MAX_LABEL};
use crate::domain::{ascii_form, from_punycode, punycode};

/// The rule that a label breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// What follows `xn--` is not Punycode.
    Punycode,
    /// An A-label that encodes ASCII only, or nothing.
    AsciiOnly,
    /// An A-label whose letters are not those that IDNA makes of them: capitals, not NFC, or a character that is not
    /// allowed. It has the host name that the letters would make, if there is one.
    OtherForm(Option<String>),
    /// A hyphen at the beginning or the end, or two where an A-label has them.
    Hyphen,
    /// The label begins with a mark, which is shown over the character before it.
    LeadingMark(char),
    /// A joiner between letters that it does not join.
    Joiner(char),
    /// A character that is allowed only beside certain others.
    Context(char),
    /// Letters from left to right and from right to left are mixed.
    Direction,
}

impl Fault {
    /// Returns what is wrong with the label.
    pub(crate) fn message(&self) -> String {
        let code = |c: &char| format!("U+{:04X}", u32::from(*c));
        match self {
            Self::Punycode => "a label begins with \"xn--\", but the rest is not Punycode".into(),
            Self::AsciiOnly => "a label begins with \"xn--\", but encodes no letter beyond ASCII".into(),
            Self::OtherForm(Some(other)) => {
                format!(
                    "a label encodes letters that IDNA does not allow as they are; written out they are {other}"
                )
            }
            Self::OtherForm(None) => "a label encodes characters that IDNA does not allow".into(),
            Self::Hyphen => {
                "a label in letters begins or ends with a hyphen, or has two after its second letter".into()
            }
            Self::LeadingMark(mark) => {
                format!("a label begins with the mark {}, which has no letter", code(mark))
            }
            Self::Joiner(joiner) => {
                format!("the joiner {} is between letters that are not joined", code(joiner))
            }
            Self::Context(c) => format!("{} is in a label where it is not allowed", code(c)),
            Self::Direction => {
                "a label mixes letters of both directions of writing, so it is shown in another order".into()
            }
        }
    }

    /// Returns the document and section of the rule.
    pub(crate) const fn citation(&self) -> &'static str {
        match self {
            Self::Punycode => "RFC 3492, 6.2; RFC 5890, 2.3.2.1",
            Self::AsciiOnly => "RFC 5890, 2.3.2.1",
            Self::OtherForm(_) => "RFC 5891, 5.4",
            Self::Hyphen => "RFC 5891, 4.2.3.1",
            Self::LeadingMark(_) => "RFC 5891, 4.2.3.2",
            Self::Joiner(_) => "RFC 5892, A.1 and A.2",
            Self::Context(_) => "RFC 5892, A.3 to A.9",
            Self::Direction => "RFC 5893, 2",
        }
    }
}

/// Returns the rule that an A-label breaks; `None` if it breaks none, or is too long to be decoded.
pub(crate) fn fault_of_a_label(label: &str, is_bidi: bool) -> Option<Fault> {
    if label.len() > MAX_LABEL {
        return None;
    }
    let encoded = label.get(ACE_PREFIX.len()..)?.to_ascii_lowercase();
    let Some(letters) = from_punycode(&encoded) else { return Some(Fault::Punycode) };
    if letters.is_ascii() {
        return Some(Fault::AsciiOnly);
    }
    // RFC 5891, 4.2.3.2, comes first: a mark at the beginning is not composed with anything.
    if let Some(fault) = fault(&letters, is_bidi) {
        return Some(fault);
    }
    let adapter = Adapter::new();
    let is_itself = adapter.map_normalize(letters.chars()).eq(letters.chars());
    // "The A-label MUST be the result of applying the ToASCII conversion to the U-label" (RFC 5891, 5.4).
    let is_encoded_so = punycode(&letters).is_some_and(|again| again == encoded);
    (!is_itself || !is_encoded_so).then(|| Fault::OtherForm(ascii_form(letters.as_bytes())))
}

/// Returns the rule that a label in letters breaks. In a bidi domain, one with letters that are written from right to
/// left, there are more rules.
pub(crate) fn fault(letters: &str, is_bidi: bool) -> Option<Fault> {
    let adapter = Adapter::new();
    let first = letters.chars().next().filter(|_| !letters.is_ascii())?;
    if adapter.is_mark(first) {
        return Some(Fault::LeadingMark(first));
    }
    let mut from_third = letters.chars().skip(2);
    let has_two = from_third.next() == Some('-') && from_third.next() == Some('-');
    if first == '-' || letters.ends_with('-') || has_two {
        return Some(Fault::Hyphen);
    }
    if let Some(fault) = fault_of_context(&adapter, letters) {
        return Some(fault);
    }
    (is_bidi && !has_one_direction(&adapter, letters)).then_some(Fault::Direction)
}

/// Returns whether a label has a letter that is written from right to left, which makes its name a bidi domain name
/// (RFC 5893, 1.4).
pub(crate) fn is_right_to_left(letters: &str) -> bool {
    let adapter = Adapter::new();
    !letters.is_ascii() && letters.chars().any(|c| adapter.bidi_class(c).to_mask().intersects(RTL_MASK))
}

/// Returns whether a character is a mark (`General_Category` M).
pub(crate) fn is_mark(c: char) -> bool {
    !c.is_ascii() && Adapter::new().is_mark(c)
}

/// Returns whether IDNA maps a character to another one, beyond case: a fullwidth, circled or mathematical letter, a
/// ligature, a dot of East Asia. Characters that are removed, and those that are not allowed, are others' matter.
pub(crate) fn is_mapped(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    let adapter = Adapter::new();
    let mapped = || adapter.map_normalize(iter::once(c));
    let is_removed = mapped().next().is_none();
    let is_refused = mapped().any(|c| c == '\u{FFFD}');
    // The small letters of Cherokee are mapped to its capitals. The Kelvin sign is in lower case "k", and no letter of a word.
    let is_other_case = mapped().eq(c.to_lowercase()) || mapped().eq(c.to_uppercase());
    let is_case = is_other_case && !mapped().all(|c| c.is_ascii());
    !is_removed && !is_refused && !is_case
}

/// Returns a text with the four characters replaced that IDNA 2003 maps and IDNA 2008 does not (UTS 46, 6); `None` if it
/// has none of them.
pub(crate) fn without_deviations(text: &str) -> Option<String> {
    text.contains(['\u{DF}', '\u{3C2}', '\u{200C}', '\u{200D}']).then(|| {
        text.replace('\u{DF}', "ss").replace('\u{3C2}', "\u{3C3}").replace(['\u{200C}', '\u{200D}'], "")
    })
}

/// Checks what RFC 5892, appendix A, has a rule of context for.
fn fault_of_context(adapter: &Adapter, letters: &str) -> Option<Fault> {
    let (mut has_arabic, mut has_extended, mut has_japanese) = (false, false, None);
    let mut before = None;
    for (at, c) in letters.char_indices() {
        let rest = letters.get(at + c.len_utf8()..).unwrap_or_default();
        let after = rest.chars().next();
        let is_allowed = match c {
            // A.1 and A.2.
            '\u{200C}' | '\u{200D}' if before.is_some_and(|before| adapter.is_virama(before)) => true,
            '\u{200D}' => return Some(Fault::Joiner(c)),
            '\u{200C}' if !joins(adapter, letters.get(..at).unwrap_or_default(), rest) => {
                return Some(Fault::Joiner(c));
            }
            // A.3: between two "l", as in Catalan.
            '\u{B7}' => before == Some('l') && after == Some('l'),
            // A.4.
            '\u{375}' => after.is_some_and(|after| after.script() == Script::Greek),
            // A.5 and A.6.
            '\u{5F3}' | '\u{5F4}' => before.is_some_and(|before| before.script() == Script::Hebrew),
            // A.7.
            '\u{30FB}' => *has_japanese.get_or_insert_with(|| letters.chars().any(is_japanese)),
            // A.8 and A.9: the two rows of Arabic digits are not mixed.
            '\u{660}'..='\u{669}' => {
                has_arabic = true;
                !has_extended
            }
            '\u{6F0}'..='\u{6F9}' => {
                has_extended = true;
                !has_arabic
            }
            _ => true,
        };
        if !is_allowed {
            return Some(Fault::Context(c));
        }
        before = Some(c);
    }
    None
}

fn is_japanese(c: char) -> bool {
    let used = ScriptExtension::from(c);
    c != '\u{30FB}'
        && !used.is_common()
        && [Script::Hiragana, Script::Katakana, Script::Han]
            .iter()
            .any(|script| used.contains_script(*script))
}

/// Returns whether a non-joiner is between letters that would be joined without it (RFC 5892, A.1).
fn joins(adapter: &Adapter, before: &str, after: &str) -> bool {
    let is_seen = |c: &char| !adapter.joining_type(*c).is_transparent();
    let is_of = |c: Option<char>, mask| c.is_some_and(|c| adapter.joining_type(c).to_mask().intersects(mask));
    is_of(before.chars().rev().find(is_seen), LEFT_OR_DUAL_JOINING_MASK)
        && is_of(after.chars().find(is_seen), RIGHT_OR_DUAL_JOINING_MASK)
}

/// Checks the six rules of a label of a bidi domain name (RFC 5893, 2).
fn has_one_direction(adapter: &Adapter, letters: &str) -> bool {
    let class = |c: char| adapter.bidi_class(c);
    // 1: "The first character must be a character with Bidi property L, R, or AL."
    let Some(first) =
        letters.chars().next().map(class).filter(|first| first.to_mask().intersects(FIRST_BC_MASK))
    else {
        return false;
    };
    let (middle, end) = match first.is_ltr() {
        // 5 and 6.
        true => (MIDDLE_LTR_MASK, LAST_LTR_MASK),
        // 2 and 3.
        false => (MIDDLE_RTL_MASK, LAST_RTL_MASK),
    };
    let is_of_middle = letters.chars().all(|c| class(c).to_mask().intersects(middle));
    let last = letters.chars().rev().map(class).find(|last| !last.is_nonspacing_mark());
    let is_of_end = last.is_some_and(|last| last.to_mask().intersects(end));
    // 4: "if an EN is present, no AN may be present, and vice versa."
    let mixes_numbers = !first.is_ltr()
        && letters.chars().any(|c| class(c).is_european_number())
        && letters.chars().any(|c| class(c).is_arabic_number());
    is_of_middle && is_of_end && !mixes_numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_labels_in_letters() {
        for (label, is_bidi, expected) in [
            ("example", false, None),
            ("m\u{FC}nchen", false, None),
            ("\u{301}a", false, Some(Fault::LeadingMark('\u{301}'))),
            ("-\u{E9}", false, Some(Fault::Hyphen)),
            ("\u{E9}-", false, Some(Fault::Hyphen)),
            ("\u{E9}a--b", false, Some(Fault::Hyphen)),
            ("\u{E9}a-b", false, None),
            // Joiners after a virama, and between letters of Persian.
            ("\u{915}\u{94D}\u{200D}\u{937}", false, None),
            ("a\u{200D}b", false, Some(Fault::Joiner('\u{200D}'))),
            ("\u{646}\u{627}\u{645}\u{647}\u{200C}\u{627}\u{6CC}", true, None),
            ("a\u{200C}b", false, Some(Fault::Joiner('\u{200C}'))),
            ("paral\u{B7}lel", false, None),
            ("a\u{B7}b", false, Some(Fault::Context('\u{B7}'))),
            ("\u{375}\u{3B1}", false, None),
            ("\u{3B1}\u{375}", false, Some(Fault::Context('\u{375}'))),
            ("\u{5D0}\u{5F3}", true, None),
            ("a\u{5F3}", false, Some(Fault::Context('\u{5F3}'))),
            ("\u{30A2}\u{30FB}\u{30A2}", false, None),
            ("a\u{30FB}b", false, Some(Fault::Context('\u{30FB}'))),
            ("\u{6F1}\u{661}", false, Some(Fault::Context('\u{661}'))),
            ("\u{661}\u{6F1}", false, Some(Fault::Context('\u{6F1}'))),
            ("\u{5D0}\u{5D1}", true, None),
            ("\u{5D0}a", true, Some(Fault::Direction)),
            ("a\u{5D0}", true, Some(Fault::Direction)),
            ("\u{5D0}1\u{661}", true, Some(Fault::Direction)),
        ] {
            assert_eq!(fault(label, is_bidi), expected, "{label}");
        }
    }

    #[test]
    fn faults_of_a_labels() {
        for (label, expected) in [
            ("xn--mnchen-3ya", None),
            ("XN--MNCHEN-3YA", None),
            ("xn--fa-hia", None),
            ("xn--", Some(Fault::AsciiOnly)),
            ("xn--abc-", Some(Fault::AsciiOnly)),
            ("xn--z", Some(Fault::Punycode)),
            ("xn--a", Some(Fault::OtherForm(None))),
            ("xn--\u{E9}", Some(Fault::Punycode)),
        ] {
            assert_eq!(fault_of_a_label(label, false), expected, "{label}");
        }
        // Letters that are not what IDNA maps them to: a capital, two characters for one, a fullwidth letter.
        for (letters, written) in
            [("M\u{DC}", "xn--m-eha"), ("e\u{301}", "xn--9ca"), ("\u{FF47}ood", "good"), ("\u{378}", "")]
        {
            let label = format!("xn--{}", punycode(letters).expect("it is short"));
            let expected = Some(written).filter(|written| !written.is_empty()).map(Into::into);
            let found = fault_of_a_label(&label, false);
            assert!(
                matches!(found, Some(Fault::OtherForm(ref other)) if *other == expected),
                "{label} {found:?}"
            );
        }
    }

    #[test]
    fn characters_that_are_mapped() {
        for c in
            ['\u{FF47}', '\u{24D6}', '\u{1D420}', '\u{FB01}', '\u{17F}', '\u{3002}', '\u{212A}', '\u{FF61}']
        {
            assert!(is_mapped(c), "{c}");
        }
        for c in [
            'g', 'G', '\u{E9}', '\u{C9}', '\u{DF}', '\u{301}', '\u{65E5}', '\u{AD}', '\u{378}', '\u{212B}',
            '\u{AB7A}',
        ] {
            assert!(!is_mapped(c), "{c}");
        }
    }
}
