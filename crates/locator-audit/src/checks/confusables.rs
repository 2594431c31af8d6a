//! Labels that look like others: takes the labels of a host in letters, and reports scripts and digits that are
//! mixed, labels of another script that look like Latin or like a number, marks that are not seen, and characters that
//! no name needs (UTS 39, UAX 31).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::characters::does_harm;
use super::check::{Check, Excerpt, Subject};
use crate::domain::labels::{labels, may_have_letters_beyond_ascii};
use crate::domain::look::delimiter_look;
use crate::domain::scripts::{self, MarkFault, Misleading, MisleadingLetter, MisplacedMark, Unusual};
use crate::finding::{Code, Finding, Findings, Precision, Severity};
use locator::Component;

pub(super) static CHECK: Check = Check {
    codes: &[
        &MIXED_SCRIPTS,
        &WHOLE_SCRIPT,
        &MIXED_DIGITS,
        &DIGIT_LOOK_ALIKE,
        &MISPLACED_MARK,
        &CJK_LOOK_ALIKE,
        &UNASSIGNED,
        &DELIMITER_LOOK_ALIKE,
        &UNUSUAL_CHARACTER,
        &REGIONAL_LETTER,
    ],
    run,
};

static MIXED_SCRIPTS: Code = Code {
    name: "mixed-scripts",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a label of the host mixes scripts that are not used together",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 5.2",
    explanation: "A letter of another script makes another host that looks the same: \"p\u{430}ypal\" with a Cyrillic \"a\". \
        Latin is used together with the scripts of Chinese, Japanese and Korean, and with no other (\"highly \
        restrictive\"). Browsers show the ASCII form of such a host.",
    example: "https://p\u{430}ypal.example/",
};

static WHOLE_SCRIPT: Code = Code {
    name: "whole-script-confusable",
    severity: Severity::Medium,
    precision: Precision::Medium,
    title: "a label of the host looks like Latin letters, but all its letters are of another script",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 4.1",
    explanation: "Each letter of \"\u{430}\u{440}\u{440}\u{4CF}\u{435}\" is Cyrillic. Browsers show the ASCII form of such a label, unless the \
        top-level domain is of the same script, or that of a country that writes in it.",
    example: "https://\u{430}\u{440}\u{440}\u{4CF}\u{435}.example/",
};

static UNASSIGNED: Code = Code {
    name: "unassigned-character",
    severity: Severity::Medium,
    precision: Precision::VeryHigh,
    title: "the host has a code point without a character: not assigned, for private use, or a noncharacter",
    advice: "refuse the URL",
    citation: "RFC 5892, 2.10; UTS 46, 4.1",
    explanation: "No host can be registered with such a code point. It is shown as a box or not at all. Whether it is \
        refused, mapped or looked up depends on the version of Unicode that a program knows.",
    example: "https://a\u{378}b.example/",
};

static DELIMITER_LOOK_ALIKE: Code = Code {
    name: "delimiter-look-alike",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a character of the host looks like a delimiter, but is not one",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 4; UTR 36, 2.4",
    explanation: "In https://good.example\u{2044}login.evil.example/ the host ends in \"evil.example\": the character after \
        \"good.example\" is a fraction slash, not the \"/\" that ends a host.",
    example: "https://good.example\u{2044}login.evil.example/",
};

static MIXED_DIGITS: Code = Code {
    name: "mixed-digits",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a label of the host has digits of several systems",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 5.3",
    explanation: "People write a number with the digits of one script. The Bengali digit four looks like an 8, so a \
        label with digits of two systems may show another number than it has. Browsers show the ASCII form of such a host.",
    example: "https://1\u{967}.example/",
};

static DIGIT_LOOK_ALIKE: Code = Code {
    name: "digit-look-alike",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a label of the host looks like a number, but has letters or digits of another script",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 4",
    explanation: "The Cyrillic letter ze looks like a 3, and so do letters and digits of Georgian, Gurmukhi and others. \
        A label of such characters and ASCII digits imitates a name that is a number, and addresses.",
    example: "https://1\u{437}.example/",
};

static MISPLACED_MARK: Code = Code {
    name: "misplaced-mark",
    severity: Severity::Medium,
    precision: Precision::High,
    title: "a mark over or under a letter of the host is not seen, or is where no language has it",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 5.4",
    explanation: "A dot over a letter that has one already, the same mark twice, or an accent over a letter of another \
        script makes another host that looks the same, or that looks like a letter that it is not: a dotless i with a \
        circumflex looks like the letter with a circumflex.",
    example: "https://i\u{307}deas.example/",
};

static CJK_LOOK_ALIKE: Code = Code {
    name: "cjk-look-alike",
    severity: Severity::Low,
    precision: Precision::High,
    title: "a letter of Chinese or Japanese looks like punctuation or a Latin letter, and is beside other letters",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 4",
    explanation: "Latin is written beside Chinese and Japanese, so the mixture alone says nothing. But the Katakana \
        letter no between two Latin words looks like the \"/\" that ends a host, and the Chinese number one like a \
        hyphen. Among Chinese or Japanese letters they are read as what they are, and not reported.",
    example: "https://good\u{30CE}login.example/",
};

static UNUSUAL_CHARACTER: Code = Code {
    name: "unusual-character",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "the host has a character that is not recommended in names",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 3.1; UAX 31, 2.4",
    explanation: "Symbols, letters of phonetics and of spellings that are no longer in use, quotation marks and hyphens \
        beyond ASCII, and scripts that few people read are not recommended in names: readers take them for letters \
        that they know. IDNA 2008 allows some of them, and browsers show the ASCII form of a host that has one.",
    example: "https://\u{13D6}\u{13B6}.example/",
};

static REGIONAL_LETTER: Code = Code {
    name: "regional-letter",
    severity: Severity::Low,
    precision: Precision::Medium,
    title: "the host has a letter that is taken for another one outside the country that writes it",
    advice: "compare the ASCII form of the host (xn--…) with that of the host you expect",
    citation: "UTS 39, 4",
    explanation: "Thorn looks like p or b, eth like o or d, schwa like e, and the dot of Catalan like nothing. In names \
        under .is, .fo, .az and .cat people expect these letters; elsewhere they are rare, and browsers show the ASCII form.",
    example: "https://\u{FE}ay.example/",
};

fn run(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(Excerpt { text: host, start }) = subject.dialled_host() else { return };
    if host.starts_with('[') || !may_have_letters_beyond_ascii(host) {
        return;
    }
    let top = labels(host).last().map(|label| label.letters).unwrap_or_default();
    for label in labels(host).filter(|label| !label.letters.is_ascii()) {
        let mut all =
            OfLabel { span: label.span.start + start..label.span.end + start, findings: Vec::new() };
        script_findings(&label.letters, &top, &mut all);
        character_findings(&label.letters, &top, &mut all);
        all.findings.into_iter().for_each(|finding| findings.push(finding));
    }
}

/// The findings about a label.
struct OfLabel {
    span: Range<usize>,
    findings: Vec<Finding>,
}

impl OfLabel {
    fn add(&mut self, code: &'static Code, message: String) {
        self.add_severe(code, code.severity, message);
    }

    fn add_severe(&mut self, code: &'static Code, severity: Severity, message: String) {
        let finding = Finding::new(code, Component::Host, self.span.clone());
        self.findings.push(finding.severe(severity).saying(message));
    }
}

/// Reports which letters and digits are together.
fn script_findings(letters: &str, top: &str, all: &mut OfLabel) {
    let number = scripts::digit_look(letters);
    if scripts::is_mixed(letters) {
        all.add(
            &MIXED_SCRIPTS,
            format!("a label of the host mixes {}", listed(&scripts::script_names(letters))),
        );
    } else if let Some(look) = scripts::whole_script_look(letters, top).filter(|_| number.is_none()) {
        let script = scripts::script_names(letters).first().copied().unwrap_or_default();
        let message = format!("a label of the host looks like \"{look}\", but its letters are {script}");
        all.add(&WHOLE_SCRIPT, message);
    } else if let Some(c) = scripts::latin_beyond_ascii_among_cjk(letters) {
        let names = listed(&scripts::script_names(letters));
        let message = format!("a label of the host mixes {names}, with {} beyond ASCII", code_point(c));
        all.add_severe(&MIXED_SCRIPTS, Severity::Low, message);
    }
    if let Some(look) = number {
        let message =
            format!("a label of the host looks like \"{look}\", but has letters or digits of another script");
        all.add(&DIGIT_LOOK_ALIKE, message);
    } else if scripts::mixes_digits(letters) {
        all.add(&MIXED_DIGITS, MIXED_DIGITS.title.into());
    }
}

/// Reports single characters that mislead.
fn character_findings(letters: &str, top: &str, all: &mut OfLabel) {
    if let Some(c) = letters.chars().find(|c| scripts::is_unassigned(*c)) {
        all.add(&UNASSIGNED, format!("{} in the host is not assigned to a character", code_point(c)));
    }
    let alike = letters.chars().find_map(|c| delimiter_look(c).map(|delimiter| (c, delimiter)));
    if let Some((c, delimiter)) = alike {
        all.add(&DELIMITER_LOOK_ALIKE, format!("{} in the host looks like \"{delimiter}\"", code_point(c)));
    }
    if let Some(MisplacedMark { mark, fault }) = scripts::misplaced_mark(letters) {
        all.add(&MISPLACED_MARK, mark_message(mark, fault));
    }
    if let Some(MisleadingLetter { letter, how }) = scripts::misleading_cjk(letters) {
        let is_slash = matches!(how, Misleading::Beside('/' | '\\'));
        let severity = if is_slash { Severity::Medium } else { CJK_LOOK_ALIKE.severity };
        all.add_severe(&CJK_LOOK_ALIKE, severity, cjk_message(letter, how));
    }
    if let Some(c) = scripts::letter_away_from_home(letters, top) {
        let message =
            format!("{} is taken for another letter outside the country that writes it", code_point(c));
        all.add(&REGIONAL_LETTER, message);
    }
    // A finding that says more was made of most of these characters.
    let is_seen = !letters.chars().any(does_harm);
    if all.findings.is_empty()
        && is_seen
        && let Some((c, why)) = first_unusual(letters)
    {
        let severity = if why == Unusual::Uncommon { Severity::Info } else { UNUSUAL_CHARACTER.severity };
        all.add_severe(&UNUSUAL_CHARACTER, severity, unusual_message(c, why));
    }
}

/// Returns the first character that is not recommended in names, one that is not merely uncommon if there is one.
fn first_unusual(letters: &str) -> Option<(char, Unusual)> {
    let unusual = || letters.chars().filter_map(|c| scripts::unusual(c).map(|why| (c, why)));
    unusual().find(|(_, why)| *why != Unusual::Uncommon).or_else(|| unusual().next())
}

fn mark_message(mark: char, fault: MarkFault) -> String {
    let mark = code_point(mark);
    match fault {
        MarkFault::Repeated => format!("the mark {mark} is there twice, and is seen once"),
        MarkFault::OtherScript => format!("the mark {mark} is over a character that has no such marks"),
        MarkFault::Dot => {
            format!("the mark {mark} is over a letter with a dot, or without its dot, and is not seen")
        }
        MarkFault::Kana => format!("the mark {mark} of Kana is not joined with a letter"),
        MarkFault::Many => format!("a letter has more than four marks, among them {mark}"),
    }
}

fn cjk_message(c: char, how: Misleading) -> String {
    let c = code_point(c);
    match how {
        Misleading::Beside(look) => {
            format!("{c} looks like \"{look}\", and is not among letters of Chinese or Japanese")
        }
        Misleading::Alone => {
            format!("{c} of Kana follows no letter of Kana, and looks like a hyphen or a comma")
        }
        Misleading::OtherKana => {
            format!("{c} is of the other syllabary of Japanese than the rest, and looks the same there")
        }
    }
}

fn unusual_message(c: char, why: Unusual) -> String {
    let c = code_point(c);
    match why {
        Unusual::Script(name) => {
            format!("{c} in the host is a letter of {name}, a script that few people read")
        }
        Unusual::Symbol => format!("{c} in the host is a symbol, which IDNA 2008 does not allow"),
        Unusual::Punctuation => format!("{c} in the host looks like a quotation mark, a hyphen or a dot"),
        Unusual::RareLetter => format!("{c} in the host is of phonetics, of scholars or of an old spelling"),
        Unusual::Uncommon => format!("{c} in the host is not recommended in names"),
    }
}

/// Returns the number of a character: `U+00E9`.
fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// Returns the names as a list: `Latin, Greek and Cyrillic`.
fn listed(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}
