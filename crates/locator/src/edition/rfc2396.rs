//! RFC 2396, August 1998: the successor of the 1997 draft. It adds registered names but not IPv6.

use super::classes::Sets;
use super::{
    Charset, DotsIn, Edition, Equivalence, Ladder, LastDot, Name, PathUnderflow, RegName, Resolution, Rule,
    Rules, SameDocument, SchemeForms, Sections, Server, Slash, Terminology, url_1997,
};
use crate::simd::AsciiSet;

/// RFC 2396, "Uniform Resource Identifiers (URI): Generic Syntax", August 1998.
pub static RFC2396: Edition = Edition {
    name: "rfc2396",
    document: "RFC 2396",
    title: "Uniform Resource Identifiers (URI): Generic Syntax",
    date: "August 1998",
    words: WORDS,
    rules: RULES,
    update: None,
    table: SETS.table(),
    characters: None,
    charset: Charset::Utf8,
    unreserved: UNRESERVED,
    prefix: None,
    // URI-reference = [ absoluteURI | relativeURI ] [ "#" fragment ]
    relative: true,
    // rel_segment = 1*( unreserved | escaped | ";" | "@" | "&" | "=" | "+" | "$" | "," )
    colon_in_first_segment: false,
    // hier_part = ( net_path | abs_path ) [ "?" query ]; opaque_part = uric_no_slash *uric
    empty_after_scheme: false,
    // absoluteURI = scheme ":" ( hier_part | opaque_part )
    opaque: true,
    query_is_words: false,
    // server = [ [ userinfo "@" ] hostport ]; hostport = host [ ":" port ]; port = *DIGIT
    server: Server {
        may_be_empty: true,
        host_may_be_empty: false,
        user_may_be_empty: true,
        user_may_contain_question_mark: false,
        port_may_be_empty: true,
        // hostname = *( domainlabel "." ) toplabel [ "." ]
        // domainlabel = alphanum | alphanum *( alphanum | "-" ) alphanum
        // toplabel = alpha | alpha *( alphanum | "-" ) alphanum
        name: Some(Name {
            first_begins_with_letter: false,
            last_begins_with_letter: true,
            labels_end_alphanumeric: true,
            longest_label: usize::MAX,
            last_dot: LastDot::Allowed,
        }),
        // IPv4address = 1*digit "." 1*digit "." 1*digit "." 1*digit
        numbers_are_octets: false,
        literals: None,
    },
    // authority = server | reg_name
    registry: RegName::Always,
    parameters: true,
    // segment = *pchar *( ";" param )
    divides_segment: AsciiSet::of(b";"),
    // "Within a query component, the characters ";", "/", "?", ":", "@", "&", "=", "+", ",", and
    // "$" are reserved."
    reserved_in_query: AsciiSet::of(b";/?:@,$"),
    password: false,
    // 5.2, steps 1 to 7
    resolution: Some(Resolution {
        // "All occurrences of "./", where "." is a complete path segment, are removed"
        slash: Slash::After,
        // "these path components are only considered special when resolving a relative-path
        // reference"
        dots: DotsIn::Merged,
        query_before_dots: false,
        empty_base_is_root: false,
        stays_rootless: true,
        // ?y = http://a/b/c/?y
        query_keeps_path: false,
        // ../../../g = http://a/../g
        leftover: PathUnderflow::Keep,
        // "it is a reference to the current document and we are done"
        empty: SameDocument::CurrentDocument,
        // "an empty URI reference represents the base URI of the current document" (4.2)
        empty_is_requested: true,
        // "The "HREF" attribute must be an absolute URI." (D)
        relative_base: false,
        // "the base URI is defined by the context of the application" (5.1.4)
        default_base: true,
        sections: Sections { absolute: "5.2", hierarchy: "5", leftover: "5.2, 6g", dots: "5.2, 6" },
    }),
    // "Unreserved characters can be escaped without changing the semantics of the URI"
    // "." and ".." "have a special meaning when, and only when, interpreting a relative path"
    equivalence: Equivalence {
        unescapes: UNRESERVED,
        unescapes_in_query: UNRESERVED,
        scheme_reserves: false,
        dots: false,
        void_fragment: false,
    },
    forms: SchemeForms::OF_OTHER_DOCUMENTS,
    ladder: &Ladder { syntax: "RFC 2396, 2.3 and 6", scheme: "RFC 2396, 6", ..Ladder::RFC3986 },
};

pub(super) const WORDS: Terminology = Terminology {
    absolute: "absoluteURI",
    reference: "URI-reference",
    authority: "authority",
    userinfo: "userinfo",
    ..url_1997::WORDS
};

// What changed since 1997: a scheme begins with a letter, and a user may contain ":". "$" and ","
// are reserved, but allowed wherever they were.
//
// pchar = unreserved | escaped | ":" | "@" | "&" | "=" | "+" | "$" | ","
// reg_name = 1*( unreserved | escaped | "$" | "," | ";" | ":" | "@" | "&" | "=" | "+" )
// reserved = ";" | "/" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | ","
// uric = reserved | unreserved | escaped
pub(super) const SETS: Sets = Sets { scheme_start: AsciiSet::ALPHA, userinfo: USERINFO, ..url_1997::SETS };

// unreserved = alphanum | mark; mark = "-" | "_" | "." | "!" | "~" | "*" | "'" | "(" | ")"
pub(super) const UNRESERVED: AsciiSet = url_1997::UNRESERVED.difference(AsciiSet::of(b"$,"));
// userinfo = *( unreserved | escaped | ";" | ":" | "&" | "=" | "+" | "$" | "," )
const USERINFO: AsciiSet = url_1997::USER.union(AsciiSet::of(b":"));

pub(super) const RULES: Rules = Rules {
    reference: &Rule::new("URI-reference", "4", "an absolute URI or a relative one"),
    scheme: &Rule::new("scheme", "3.1", "a letter, then letters, digits, \"+\", \"-\" or \".\""),
    authority: &Rule::new(
        "authority",
        "3.2",
        "a server or a registered name: letters, digits, escapes or any of -_.!~*'()$,;:@&=+",
    ),
    userinfo: &Rule::new("userinfo", "3.2.2", "letters, digits, escapes or any of -_.!~*'();:&=+$,"),
    host: &Rule { section: "3.2.2", ..*url_1997::RULES.host },
    port: &Rule { section: "3.2.2", ..*url_1997::RULES.port },
    path: &Rule::new(
        "pchar",
        "3.3",
        "letters, digits, escapes or any of -_.!~*'():@&=+$, and \";\" and \"/\"",
    ),
    opaque: Some(&Rule::new("uric", "3", "letters, digits, escapes or any of -_.!~*'();/?:@&=+$,")),
    first_segment: &Rule::new("rel_segment", "5", "a first segment without \":\", or a scheme before it"),
    segment: &Rule { section: "3.3", ..*url_1997::RULES.segment },
    query: &Rule::new("uric", "3.4", "letters, digits, escapes or any of -_.!~*'();/?:@&=+$,"),
    fragment: &Rule::new("uric", "4.1", "letters, digits, escapes or any of -_.!~*'();/?:@&=+$,"),
    scheme_and_colon: &Rule { name: "absoluteURI", section: "3", ..*url_1997::RULES.scheme_and_colon },
    ..url_1997::RULES
};
