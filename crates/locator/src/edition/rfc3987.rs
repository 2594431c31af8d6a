//! RFC 3987, January 2005: Internationalized Resource Identifiers. "The following grammar closely
//! follows the URI grammar in RFC 3986, except that the range of unreserved characters is expanded
//! to include UCS characters, with the restriction that private UCS characters can occur only in
//! query parts" (2.2). Everything else is taken from [`rfc3986`].

use super::classes::{Characters, URL_ENDS};
use super::{
    Charset, Edition, IpLiterals, Ladder, Resolution, Rule, Rules, Sections, Server, Terminology, rfc3986,
};

/// RFC 3987, "Internationalized Resource Identifiers (IRIs)", January 2005.
///
/// ```
/// use locator::{UriRef, edition::RFC3987};
///
/// let reference = UriRef::parse_with("http://résumé.example/naïve?q", &RFC3987)?;
/// assert_eq!(reference.authority().unwrap().host().as_str(), "résumé.example");
/// # Ok::<_, locator::ParseError>(())
/// ```
pub static RFC3987: Edition = Edition {
    name: "rfc3987",
    document: "RFC 3987",
    title: "Internationalized Resource Identifiers (IRIs)",
    date: "January 2005",
    words: Terminology {
        absolute: "IRI",
        reference: "IRI-reference",
        authority: "iauthority",
        userinfo: "iuserinfo",
        query: "iquery",
        fragment: "ifragment",
    },
    rules: RULES,
    characters: Some(&CHARACTERS),
    charset: Charset::Utf8,
    server: Server {
        literals: Some(IpLiterals {
            rule: &Rule { section: "2.2", ..*rfc3986::LITERALS.rule },
            ..rfc3986::LITERALS
        }),
        ..rfc3986::EDITION.server
    },
    ladder: &Ladder {
        relative: "RFC 3987, 5.1",
        simple: "RFC 3987, 5.3.1",
        syntax: "RFC 3987, 5.3.2",
        scheme: "RFC 3987, 5.3.3",
        protocol: "RFC 3987, 5.3.4",
    },
    // "the algorithms of [RFC3986] can be applied directly"
    resolution: Some(Resolution {
        sections: Sections { absolute: "6.5", hierarchy: "6.5", leftover: "6.5", dots: "6.5" },
        ..rfc3986::RESOLUTION
    }),
    ..rfc3986::EDITION
};

// "Re-percent-encode all octets … that … represent characters that are not appropriate according to
// sections 2.2, 4.1, and 6.1" (3.2): formatting of direction, "look-alikes of "space", "delims",
// and "unwise"". The grammar derives them, and it decides what is valid; but no escape is made into
// one.
static CHARACTERS: Characters = Characters { data: &UCSCHAR, in_query: &IPRIVATE, stay_escaped: URL_ENDS };

// ucschar = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
//         / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD
//         / %x40000-4FFFD / %x50000-5FFFD / %x60000-6FFFD
//         / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD
//         / %xA0000-AFFFD / %xB0000-BFFFD / %xC0000-CFFFD
//         / %xD0000-DFFFD / %xE1000-EFFFD
const UCSCHAR: [(char, char); 17] = [
    ('\u{A0}', '\u{D7FF}'),
    ('\u{F900}', '\u{FDCF}'),
    ('\u{FDF0}', '\u{FFEF}'),
    ('\u{10000}', '\u{1FFFD}'),
    ('\u{20000}', '\u{2FFFD}'),
    ('\u{30000}', '\u{3FFFD}'),
    ('\u{40000}', '\u{4FFFD}'),
    ('\u{50000}', '\u{5FFFD}'),
    ('\u{60000}', '\u{6FFFD}'),
    ('\u{70000}', '\u{7FFFD}'),
    ('\u{80000}', '\u{8FFFD}'),
    ('\u{90000}', '\u{9FFFD}'),
    ('\u{A0000}', '\u{AFFFD}'),
    ('\u{B0000}', '\u{BFFFD}'),
    ('\u{C0000}', '\u{CFFFD}'),
    ('\u{D0000}', '\u{DFFFD}'),
    ('\u{E1000}', '\u{EFFFD}'),
];

// iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
const IPRIVATE: [(char, char); 3] =
    [('\u{E000}', '\u{F8FF}'), ('\u{F0000}', '\u{FFFFD}'), ('\u{100000}', '\u{10FFFD}')];

const RULES: Rules = Rules {
    reference: &Rule::new("IRI-reference", "2.2", "an IRI or a relative reference"),
    authority: &Rule::new("iauthority", "2.2", "[ iuserinfo \"@\" ] ihost [ \":\" port ]"),
    userinfo: &Rule::new(
        "iuserinfo",
        "2.2",
        "letters, digits, characters beyond ASCII, escapes or any of -._~!$&'()*+,;=:",
    ),
    host: &Rule::new(
        "ireg-name",
        "2.2",
        "letters, digits, characters beyond ASCII, escapes or any of -._~!$&'()*+,;=",
    ),
    path: &Rule::new(
        "ipchar",
        "2.2",
        "letters, digits, characters beyond ASCII, escapes or any of -._~!$&'()*+,;=:@ and \"/\"",
    ),
    opaque: None,
    first_segment: &Rule::new(
        "isegment-nz-nc",
        "2.2",
        "a first segment without \":\", or a scheme before it",
    ),
    segment: &Rule::new("isegment", "2.2", "the text between two \"/\" of a path"),
    // "The complete path segments "." and ".." are intended only for use within relative
    // references"
    dot_segment: Some(&Rule::new("isegment", "5.3.2.4", "a name other than \".\" and \"..\"")),
    query: &Rule::new(
        "iquery",
        "2.2",
        "letters, digits, characters beyond ASCII, escapes or any of -._~!$&'()*+,;=:@/?",
    ),
    fragment: &Rule::new(
        "ifragment",
        "2.2",
        "letters, digits, characters beyond ASCII, escapes or any of -._~!$&'()*+,;=:@/?",
    ),
    scheme: &Rule { section: "2.2", ..*rfc3986::RULES.scheme },
    port: &Rule { section: "2.2", ..*rfc3986::RULES.port },
    password: rfc3986::RULES.password,
    escape: &Rule { section: "2.2", ..*rfc3986::RULES.escape },
    scheme_and_colon: &Rule::new("IRI", "2.2", "a scheme and \":\""),
};
