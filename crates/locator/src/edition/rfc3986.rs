//! RFC 3986, January 2005 (STD 66): the default edition.

use super::classes::Sets;
use super::{
    ALPHANUM, Charset, DotsIn, ESCAPE, Edition, Equivalence, IpLiterals, Ladder, PathUnderflow, RegName,
    Resolution, Rule, Rules, SameDocument, SchemeForms, Sections, Server, Slash, Terminology, Update,
    uri_2003,
};
use crate::simd::AsciiSet;

/// RFC 3986, "Uniform Resource Identifier (URI): Generic Syntax", January 2005.
pub static RFC3986: Edition = EDITION;

/// RFC 3986 with the zones of RFC 6874, "Representing IPv6 Zone Identifiers in Address Literals and
/// Uniform Resource Identifiers", February 2013: `http://[fe80::1%25eth0]/`.
///
/// This is an option of [`RFC3986`] and not a separate edition, so it is not in
/// [`ALL`](super::ALL).
///
/// ```
/// use locator::{Charset, UriRef, edition::RFC3986_WITH_ZONES};
///
/// let reference =
///     UriRef::parse_with("http://[fe80::1%25eth%2F0]/", &RFC3986_WITH_ZONES)?;
/// let host = reference.authority().unwrap().host();
/// assert_eq!(host.ipv6(), Some("fe80::1".parse().unwrap()));
/// assert_eq!(host.zone().unwrap(), "eth%2F0");
/// assert_eq!(host.zone().unwrap().decode_with(Charset::Utf8).unwrap(), "eth/0");
/// assert!(UriRef::parse("http://[fe80::1%25eth0]/").is_err());
/// # Ok::<_, locator::ParseError>(())
/// ```
pub static RFC3986_WITH_ZONES: Edition = Edition {
    name: "rfc3986+zones",
    document: "RFC 3986 with RFC 6874",
    date: "February 2013",
    server: Server {
        // IP-literal = "[" ( IPv6address / IPv6addrz / IPvFuture ) "]"
        // IPv6addrz = IPv6address "%25" ZoneID
        literals: Some(IpLiterals { zones: Some(ZONE_ID), ..LITERALS }),
        ..EDITION.server
    },
    update: Some(Update { of: EDITION.document, by: "RFC 6874", rules: &[ZONE_ID] }),
    ..EDITION
};

// ZoneID = 1*( unreserved / pct-encoded )
const ZONE_ID: &Rule =
    &Rule::new("ZoneID", "2", "\"%25\" and letters, digits, escapes or any of -._~, at least one");

pub(super) const EDITION: Edition = Edition {
    name: "rfc3986",
    document: "RFC 3986",
    title: "Uniform Resource Identifier (URI): Generic Syntax",
    date: "January 2005",
    words: WORDS,
    rules: RULES,
    update: None,
    table: SETS.table(),
    characters: None,
    charset: Charset::Utf8,
    unreserved: UNRESERVED,
    prefix: None,
    relative: true,
    // relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty
    colon_in_first_segment: false,
    // hier-part = "//" authority path-abempty / path-absolute / path-rootless / path-empty
    empty_after_scheme: true,
    opaque: false,
    query_is_words: false,
    // authority = [ userinfo "@" ] host [ ":" port ]; port = *DIGIT
    server: Server {
        may_be_empty: true,
        // reg-name = *( unreserved / pct-encoded / sub-delims )
        host_may_be_empty: true,
        user_may_be_empty: true,
        user_may_contain_question_mark: false,
        port_may_be_empty: true,
        name: None,
        numbers_are_octets: true,
        // IP-literal = "[" ( IPv6address / IPvFuture ) "]"
        literals: Some(LITERALS),
    },
    registry: RegName::Never,
    parameters: true,
    // "the semicolon (";") and equals ("=") reserved characters are often used to delimit
    // parameters" (3.3)
    divides_segment: AsciiSet::of(b";"),
    reserved_in_query: AsciiSet::EMPTY,
    password: false,
    resolution: Some(RESOLUTION),
    // "normalized by decoding any percent-encoded octet that corresponds to an unreserved
    // character" "should remove dot-segments by applying the remove_dot_segments algorithm to the
    // path"
    equivalence: Equivalence {
        unescapes: UNRESERVED,
        unescapes_in_query: UNRESERVED,
        scheme_reserves: false,
        dots: true,
        void_fragment: false,
    },
    forms: SchemeForms::OF_OTHER_DOCUMENTS,
    ladder: &Ladder::RFC3986,
};

// 5.2.2 to 5.2.4
pub(super) const RESOLUTION: Resolution = Resolution {
    // "replace that prefix with "/" in the input buffer"
    slash: Slash::After,
    // T.path = remove_dot_segments(R.path);
    dots: DotsIn::Every,
    query_before_dots: false,
    empty_base_is_root: false,
    // "replace that prefix with "/" in the input buffer"
    stays_rootless: false,
    // T.path = Base.path;
    query_keeps_path: true,
    // "removing extra dot-segments rather than treat them as an error"
    leftover: PathUnderflow::Remove,
    // "" = http://a/b/c/d;p?q
    empty: SameDocument::Base,
    empty_is_requested: false,
    // "that reference must be converted to absolute form" (5.1)
    relative_base: true,
    // "the base URI is defined by the context of the application" (5.1.4)
    default_base: true,
    sections: Sections { absolute: "5.2.1", hierarchy: "5.2.3", leftover: "5.4.2", dots: "5.2.4" },
};

const WORDS: Terminology = Terminology { absolute: "URI", ..uri_2003::WORDS };

// Changes since 2003: a host is a registered name, without ":" and "@", and no URI is opaque. "!",
// "*", "'", "(" and ")" are now reserved, but the same components allow them. The grammar is new,
// so it is written out.
const SETS: Sets = Sets {
    host: REG_NAME,
    registry: REG_NAME,
    path: PCHAR.union(AsciiSet::of(b"/")),
    userinfo: USERINFO,
    query: QUERY,
    fragment: QUERY,
    opaque: QUERY,
    label: REG_NAME,
    // scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    ..uri_2003::SETS
};

// unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"
pub(crate) const UNRESERVED: AsciiSet = ALPHANUM.union(AsciiSet::of(b"-._~"));
// sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
pub(crate) const SUB_DELIMS: AsciiSet = AsciiSet::of(b"!$&'()*+,;=");
// reg-name = *( unreserved / pct-encoded / sub-delims )
const REG_NAME: AsciiSet = UNRESERVED.union(ESCAPE).union(SUB_DELIMS);
// userinfo = *( unreserved / pct-encoded / sub-delims / ":" )
const USERINFO: AsciiSet = REG_NAME.union(AsciiSet::of(b":"));
// pchar = unreserved / pct-encoded / sub-delims / ":" / "@"
const PCHAR: AsciiSet = USERINFO.union(AsciiSet::of(b"@"));
// query = *( pchar / "/" / "?" ); fragment = *( pchar / "/" / "?" )
const QUERY: AsciiSet = PCHAR.union(AsciiSet::of(b"/?"));

pub(super) const LITERALS: IpLiterals = IpLiterals {
    rule: &Rule::new(
        "IP-literal",
        "3.2.2",
        "an IPv6 address, or \"v\", hex digits, \".\" and an address, between \"[\" and \"]\"",
    ),
    future: true,
    zones: None,
};

pub(super) const RULES: Rules = Rules {
    reference: &Rule::new("URI-reference", "4.1", "a URI or a relative reference"),
    authority: &Rule::new("authority", "3.2", "[ userinfo \"@\" ] host [ \":\" port ]"),
    userinfo: &Rule::new("userinfo", "3.2.1", "letters, digits, escapes or any of -._~!$&'()*+,;=:"),
    host: &Rule::new("reg-name", "3.2.2", "letters, digits, escapes or any of -._~!$&'()*+,;="),
    port: &Rule { section: "3.2.3", ..*uri_2003::RULES.port },
    path: &Rule::new("pchar", "3.3", "letters, digits, escapes or any of -._~!$&'()*+,;=:@ and \"/\""),
    opaque: None,
    first_segment: &Rule { name: "segment-nz-nc", section: "3.3", ..*uri_2003::RULES.first_segment },
    // "The path segments "." and "..", also known as dot-segments, are defined for relative
    // reference"
    dot_segment: Some(&Rule::new("segment", "3.3", "a name other than \".\" and \"..\"")),
    query: &Rule::new("query", "3.4", "letters, digits, escapes or any of -._~!$&'()*+,;=:@/?"),
    fragment: &Rule::new("fragment", "3.5", "letters, digits, escapes or any of -._~!$&'()*+,;=:@/?"),
    escape: &Rule { name: "pct-encoded", section: "2.1", ..*uri_2003::RULES.escape },
    scheme_and_colon: &Rule { name: "URI", section: "3", ..*uri_2003::RULES.scheme_and_colon },
    ..uri_2003::RULES
};
