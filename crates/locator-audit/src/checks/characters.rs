//! Characters that a person does not see, or that change what is seen, raw and percent-encoded.

use alloc::format;
use core::ops::Range;

use super::check::{Check, Subject};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use locator::Component;
use locator::internal::escaped_character;

pub(super) static CHECK: Check =
    Check { codes: &[&CONTROL, &BIDI, &INVISIBLE, &SPACE, &AROUND, &DELIMITER], run };

static CONTROL: Code = Code {
    name: "control-character",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "a control character, which programs remove, refuse or send",
    advice: "refuse the URL",
    citation: "RFC 3986, 2",
    explanation: "No edition allows control characters. Browsers remove TAB and line breaks and so see another URL than \
        a program that keeps them; one that sends them ends a line of the protocol.",
    example: "https://good.example\t.evil.example/",
};

static BIDI: Code = Code {
    name: "bidi-character",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a character that changes the direction of writing, so that the URL is shown in another order",
    advice: "show the URL with such characters percent-encoded",
    citation: "RFC 3987, 4.1",
    explanation: "\"IRIs MUST NOT contain bidirectional formatting characters\". With U+202E the end of a name is shown \
        before its beginning: a program is shown as a picture.",
    example: "https://host.example/gpj%E2%80%AEexe",
};

static INVISIBLE: Code = Code {
    name: "invisible-character",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a character that is not shown",
    advice: "remove it, or refuse the URL",
    citation: "RFC 3987, 8",
    explanation: "Two URLs that look the same are different if one has a zero width space, a soft hyphen or a tag \
        character. IDNA removes some of them from a host, so that programs that do not apply it see another host.",
    example: "https://exa\u{200B}mple.com/",
};

static SPACE: Code = Code {
    name: "white-space",
    severity: Severity::Low,
    precision: Precision::VeryHigh,
    title: "white space in the URL, where programs end it or encode it",
    advice: "write a space as %20",
    citation: "RFC 3986, appendix C",
    explanation: "No edition allows a space. Some programs end the URL there, some encode it, some refuse it.",
    example: "https://host.example/a b",
};

static AROUND: Code = Code {
    name: "white-space-around",
    severity: Severity::Info,
    precision: Precision::VeryHigh,
    title: "white space around the URL",
    advice: "remove it",
    citation: "RFC 3986, appendix C",
    explanation: "Browsers remove white space around a URL; other programs refuse it, or take the text for a reference \
        without a scheme.",
    example: " https://host.example/",
};

static DELIMITER: Code = Code {
    name: "delimiter-by-nfkc",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "a character of the host becomes a delimiter where programs normalise it",
    advice: "refuse the URL",
    citation: "UTS 46, 4",
    explanation: "The compatibility form (NFKC) of U+FF0F is \"/\", that of U+2100 \"a/c\". A program that normalises \
        after it divided the URL contacts another host than it checked.",
    example: "http://good.example\u{FF0F}.evil.example/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let text = subject.text;
    let around = surrounding_space(text);
    for range in &around {
        if !range.is_empty() && !text[range.clone()].bytes().any(|octet| octet < b' ') {
            findings.push(Finding::new(&AROUND, Component::Reference, range.clone()));
        }
    }
    let [before, after] = around;
    for UnusualCharacter { range, c, is_escaped } in unusual_characters(text) {
        let component = subject.component_at(range.start);
        let Some(kind) = kind_of(c, component, is_escaped) else { continue };
        let is_around = range.end <= before.end || range.start >= after.start;
        if kind != CharacterKind::Space || !is_around {
            findings.push_or_extend(finding_of(kind, c, component, range, is_escaped));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharacterKind {
    Control,
    Bidi,
    Invisible,
    Space,
    Delimiter,
}

fn finding_of(
    kind: CharacterKind,
    c: char,
    component: Component,
    range: Range<usize>,
    is_escaped: bool,
) -> Finding {
    let code = match kind {
        CharacterKind::Control => &CONTROL,
        CharacterKind::Bidi => &BIDI,
        CharacterKind::Invisible => &INVISIBLE,
        CharacterKind::Space => &SPACE,
        CharacterKind::Delimiter => &DELIMITER,
    };
    let finding = Finding::new(code, component, range);
    let finding = match kind {
        CharacterKind::Bidi => finding.saying(format!(
            "U+{:04X} changes the direction of writing, so that the URL is shown in another order",
            u32::from(c)
        )),
        _ => finding,
    };
    let is_server = matches!(component, Component::Host | Component::Authority);
    let severity = match kind {
        // Joiners belong to the spelling of some languages, and to pictures.
        CharacterKind::Invisible if component != Component::Host => Severity::Low,
        // No program removes or sends U+0080 to U+009F: they are text that was encoded twice.
        CharacterKind::Control if is_escaped && !is_server => Severity::Low,
        // Marks hardly change the order; people copy them with a text.
        CharacterKind::Bidi if is_mark(c) && !is_server => Severity::Low,
        // Where a person takes the URL to end, the host has not ended.
        CharacterKind::Space if is_server || component == Component::Userinfo => Severity::Medium,
        _ => code.severity,
    };
    finding.severe(severity)
}

/// Returns the white space before the URL and after it.
fn surrounding_space(text: &str) -> [Range<usize>; 2] {
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len().max(start);
    [0..start, end..text.len()]
}

/// A character that may matter to a reader, at its position.
struct UnusualCharacter {
    range: Range<usize>,
    c: char,
    /// Whether it is percent-encoded.
    is_escaped: bool,
}

/// Returns the controls and spaces of a text, and everything beyond ASCII.
fn unusual_characters(text: &str) -> impl Iterator<Item = UnusualCharacter> {
    let mut at = 0;
    core::iter::from_fn(move || {
        loop {
            let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
            let skipped = rest.bytes().position(|octet| octet <= b' ' || octet >= 0x7F || octet == b'%')?;
            at += skipped;
            let c = text.get(at..)?.chars().next()?;
            let start = at;
            at += c.len_utf8();
            if c != '%' {
                return Some(UnusualCharacter { range: start..at, c, is_escaped: false });
            }
            let decoded = escaped_character(&text.as_bytes()[start..]).filter(|decoded| !decoded.is_ascii());
            if let Some(decoded) = decoded {
                at = start + 3 * decoded.len_utf8();
                return Some(UnusualCharacter { range: start..at, c: decoded, is_escaped: true });
            }
        }
    })
}

fn kind_of(c: char, component: Component, is_escaped: bool) -> Option<CharacterKind> {
    match c {
        // Escaped ones are what `escapes` looks for.
        '\0'..=' ' | '\u{7F}' if is_escaped => None,
        ' ' => Some(CharacterKind::Space),
        '\0'..' ' | '\u{7F}'..='\u{9F}' => Some(CharacterKind::Control),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => Some(CharacterKind::Bidi),
        _ if is_mark(c) => Some(CharacterKind::Bidi),
        _ if is_invisible(c) => Some(CharacterKind::Invisible),
        _ if c.is_whitespace() && !is_escaped => Some(CharacterKind::Space),
        _ if matches!(component, Component::Host | Component::Authority) && becomes_delimiter(c) => {
            Some(CharacterKind::Delimiter)
        }
        _ => None,
    }
}

/// Returns whether a character from U+007F on is not seen, or changes how others are seen.
///
/// DEL and C1; what has no width or turns the line (general category Cf, U+2028, U+2029); what is
/// not seen, though it is a letter or a mark (the property Default_Ignorable_Code_Point, U+2800),
/// and white space that is no space. Every output for people writes these by code; they include all
/// characters of findings such as `bidi-character`.
///
/// ```
/// use locator_audit::does_harm;
///
/// assert!(does_harm('\u{202E}') && does_harm('\u{85}') && !does_harm('é'));
/// ```
#[must_use]
pub fn does_harm(c: char) -> bool {
    matches!(
        c,
        '\u{7F}'..='\u{9F}'
            | '\u{A0}'
            | '\u{AD}'
            | '\u{34F}'
            | '\u{600}'..='\u{605}'
            | '\u{61C}'
            | '\u{6DD}'
            | '\u{70F}'
            | '\u{890}'..='\u{891}'
            | '\u{8E2}'
            | '\u{115F}'..='\u{1160}'
            | '\u{1680}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}'
            | '\u{205F}'..='\u{206F}'
            | '\u{2800}'
            | '\u{3000}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{110BD}'
            | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Returns whether the character is a mark of direction, which acts like a letter that is not shown.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{61C}')
}

/// Returns whether the character has no shape of its own (Unicode: `Default_Ignorable_Code_Point`
/// without variation selectors, which emoji have).
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
}

/// Returns whether the compatibility form (NFKC) of the character contains a delimiter of RFC 3986, a
/// dot, "%" or "\", or IDNA takes it for a dot. Computed from Unicode 14.
const fn becomes_delimiter(c: char) -> bool {
    matches!(c,
        '\u{37E}' | '\u{2024}'..='\u{2026}' | '\u{203C}' | '\u{2047}'..='\u{2049}' | '\u{207A}'
        | '\u{207C}'..='\u{207E}' | '\u{208A}' | '\u{208C}'..='\u{208E}' | '\u{2100}'..='\u{2101}'
        | '\u{2105}'..='\u{2106}' | '\u{2474}'..='\u{24B5}' | '\u{2A74}'..='\u{2A76}' | '\u{3002}'
        | '\u{3200}'..='\u{321E}' | '\u{3220}'..='\u{3243}' | '\u{33C2}' | '\u{33C7}' | '\u{33D8}' | '\u{FB29}'
        | '\u{FE10}' | '\u{FE13}'..='\u{FE16}' | '\u{FE19}' | '\u{FE30}' | '\u{FE35}'..='\u{FE36}'
        | '\u{FE47}'..='\u{FE48}' | '\u{FE50}' | '\u{FE52}' | '\u{FE54}'..='\u{FE57}' | '\u{FE59}'..='\u{FE5A}'
        | '\u{FE5F}'..='\u{FE62}' | '\u{FE66}' | '\u{FE68}'..='\u{FE6B}' | '\u{FF01}' | '\u{FF03}'..='\u{FF0C}'
        | '\u{FF0E}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF1B}' | '\u{FF1D}' | '\u{FF1F}'..='\u{FF20}'
        | '\u{FF3B}'..='\u{FF3D}' | '\u{FF61}' | '\u{1F100}'..='\u{1F10A}' | '\u{1F110}'..='\u{1F129}')
}
